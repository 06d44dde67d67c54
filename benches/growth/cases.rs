//! What is measured as it grows: one call of each solver family, whose work is the same however
//! often it is called.

use sinew::glam::{Quat, Vec3};
use sinew::{
    AimSettings, CcdSettings, DistanceConstraint, Error, FabrikSettings, JointMemory,
    LeastSquaresSettings, Relaxation, Roll, SpringBones, SpringJoint, SpringState, Verlet,
    aim_chain, ccd_solve, distance_constraints, fabrik_positions, fabrik_solve,
    least_squares_solve, spring_bone_step, verlet_step,
};

/// The joints of one chain.
pub const JOINTS: [usize; 6] = [4, 8, 32, 128, 512, 1024];

/// The chains of eight joints each.
pub const CHAINS: [usize; 6] = [1, 10, 100, 1_000, 10_000, 100_000];

const DT: f32 = 1.0 / 60.0;

pub struct Case {
    pub family: &'static str,
    /// How many times the run does the like of what it does to one joint, bone or chain.
    pub work: usize,
    run: Box<dyn FnMut() -> Result<(), Error>>,
}

impl Case {
    fn new(
        family: &'static str,
        work: usize,
        run: impl FnMut() -> Result<(), Error> + 'static,
    ) -> Self {
        Self { family, work, run: Box::new(run) }
    }

    pub fn run(&mut self) -> Result<(), Error> {
        (self.run)()
    }
}

/// Every family on one chain of so many joints.
pub fn joints(count: usize) -> Vec<Case> {
    vec![
        ccd(count, 1),
        points(count),
        fabrik(count, 1),
        least_squares(count),
        aim(count),
        rope(count),
        hair(count, 1),
    ]
}

/// The families of crowds on so many chains of eight joints.
pub fn chains(count: usize) -> Vec<Case> {
    let crowds = [ccd(8, count), fabrik(8, count), hair(8, count)];
    crowds.into_iter().map(|case| Case { work: count, ..case }).collect()
}

/// Chains in the same pose, one after the other in memory, and a target for each that is not
/// reached in the one iteration that they get.
struct Crowd {
    joints: usize,
    start: (Vec<Vec3>, Vec<Quat>),
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    target: Vec3,
}

impl Crowd {
    /// Unit bones that bend gently to one side and back.
    fn new(joints: usize, chains: usize) -> Self {
        let (mut positions, mut rotations) = (vec![Vec3::ZERO], vec![Quat::IDENTITY]);
        for i in 1..joints {
            let t = i as f32;
            let bend = Quat::from_rotation_z(0.2 * (0.7 * t).sin())
                * Quat::from_rotation_x(0.1 * (0.3 * t).cos());
            positions.push(positions[i - 1] + rotations[i - 1] * Vec3::Y);
            rotations.push((rotations[i - 1] * bend).normalize());
        }
        Self {
            joints,
            positions: positions.repeat(chains),
            rotations: rotations.repeat(chains),
            start: (positions, rotations),
            target: Vec3::new(0.4, 0.3, 0.2) * (joints - 1) as f32,
        }
    }

    /// Calls with each chain's pose, which is the start pose again, and its target.
    fn each(
        &mut self,
        mut solve: impl FnMut(&mut [Vec3], &mut [Quat], Vec3) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let rotations = self.rotations.chunks_mut(self.joints);
        for (positions, rotations) in self.positions.chunks_mut(self.joints).zip(rotations) {
            positions.copy_from_slice(&self.start.0);
            rotations.copy_from_slice(&self.start.1);
            solve(positions, rotations, self.target)?;
        }
        Ok(())
    }
}

fn ccd(joints: usize, chains: usize) -> Case {
    let settings = CcdSettings { max_iterations: 1, tolerance: 0.0, ..CcdSettings::default() };
    let mut crowd = Crowd::new(joints, chains);
    Case::new("CCD, a sweep", joints, move || {
        crowd.each(|p, r, target| ccd_solve(p, r, &[], target, &settings).map(|_| ()))
    })
}

const ITERATION: FabrikSettings = FabrikSettings { max_iterations: 1, tolerance: 0.0 };

fn points(joints: usize) -> Case {
    let mut crowd = Crowd::new(joints, 1);
    Case::new("FABRIK points, an iteration", joints - 1, move || {
        crowd.each(|p, _, target| fabrik_positions(p, target, &ITERATION).map(|_| ()))
    })
}

fn fabrik(joints: usize, chains: usize) -> Case {
    let mut crowd = Crowd::new(joints, chains);
    Case::new("FABRIK poses, an iteration", joints - 1, move || {
        crowd.each(|p, r, target| fabrik_solve(p, r, &[], target, &ITERATION).map(|_| ()))
    })
}

fn least_squares(joints: usize) -> Case {
    let mut crowd = Crowd::new(joints, 1);
    let mut memory = vec![JointMemory::default(); joints];
    Case::new("least squares, an iteration", joints, move || {
        crowd.each(|p, r, target| {
            let settings = LeastSquaresSettings {
                max_iterations: 1,
                tolerance: 0.0,
                restarts: false,
                ..LeastSquaresSettings::at(target)
            };
            least_squares_solve(p, r, &[], &settings, &mut memory).map(|_| ())
        })
    })
}

fn aim(joints: usize) -> Case {
    let settings = AimSettings { forward: Vec3::Y, roll: Roll::Least, weight: 1.0 };
    let mut crowd = Crowd::new(joints, 1);
    // It goes through the joints as often as the target asks for.
    let mut passes = 1;
    let _ = crowd.each(|p, r, target| {
        passes = aim_chain(p, r, &[], target, &settings)?.iterations.max(1);
        Ok(())
    });
    Case::new("aim_chain, a pass", joints * passes, move || {
        crowd.each(|p, r, target| aim_chain(p, r, &[], target, &settings).map(|_| ()))
    })
}

fn rope(particles: usize) -> Case {
    let start: Vec<_> = (0..particles).map(|i| Vec3::X * (0.1 * i as f32)).collect();
    let rods: Vec<_> = (1..particles)
        .map(|i| DistanceConstraint {
            particles: [i - 1, i],
            rest: 0.1,
            ..DistanceConstraint::default()
        })
        .collect();
    let mut pinned = vec![1.0; particles];
    pinned[0] = 0.0;
    let (mut positions, mut previous) = (start.clone(), start.clone());
    Case::new("Verlet and 8 rounds of rods", particles - 1, move || {
        positions.copy_from_slice(&start);
        previous.copy_from_slice(&start);
        let settings =
            Verlet { acceleration: Vec3::NEG_Y, inverse_masses: &pinned, ..Verlet::default() };
        let _ = verlet_step(&mut positions, &mut previous, &settings, DT)?;
        let settings = Relaxation { inverse_masses: &pinned, ..Relaxation::default() };
        distance_constraints(&mut positions, &rods, &mut [], &settings).map(|_| ())
    })
}

fn hair(joints: usize, chains: usize) -> Case {
    let joint = SpringJoint { gravity: Vec3::NEG_Y * 0.5, ..SpringJoint::default() };
    let mut crowd = Crowd::new(joints, chains);
    let mut states = vec![SpringState::default(); joints * chains];
    Case::new("spring bones, a frame", joints, move || {
        let mut states = states.chunks_mut(joints);
        crowd.each(|p, r, _| {
            let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
            let state = states.next().unwrap_or_default();
            spring_bone_step(p, r, state, &settings, DT).map(|_| ())
        })
    })
}
