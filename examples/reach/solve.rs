//! Rigs handed to `ccd_solve`, one target at a time from the same start pose.

use std::time::Instant;

use anyhow::{Context, Result};
use sinew::glam::{DQuat, DVec3};
use sinew::{CcdSettings, Rot2, Solution, Vector, ccd_solve};

use crate::rig::{Hinge, Measured, Pose, Rig};

/// How near counts as there, relative to the reach.
pub const TOLERANCE: f64 = 1e-3;

/// What came of one target.
pub struct Outcome {
    pub target: DVec3,
    pub pose: Pose,
    pub solution: Solution,
    pub measured: Measured,
    pub seconds: f64,
}

/// What came of each of a rig's targets.
pub struct Run {
    pub rig: Rig,
    pub start: Pose,
    pub outcomes: Vec<Outcome>,
}

impl Run {
    /// Solves every target of `rig` within `sweeps`, telling `each` after every one.
    ///
    /// # Errors
    /// What the solver says of numbers that it cannot take.
    pub fn new(rig: Rig, sweeps: usize, mut each: impl FnMut()) -> Result<Self> {
        let start = rig.start();
        let mut run = Self { rig, start, outcomes: Vec::new() };
        for target in &run.rig.targets {
            let outcome = run.solve(DVec3::from(*target), sweeps);
            run.outcomes.push(outcome.with_context(|| format!("rig `{}`", run.rig.name))?);
            each();
        }
        Ok(run)
    }

    fn solve(&self, target: DVec3, sweeps: usize) -> Result<Outcome> {
        #[expect(clippy::cast_possible_truncation, reason = "the solver is single precision")]
        let settings = CcdSettings {
            max_iterations: sweeps,
            tolerance: TOLERANCE as f32,
            ..CcdSettings::default()
        };
        let (solution, pose, seconds) = if self.rig.planar {
            self.solve_flat(target, &settings)?
        } else {
            self.solve_space(target, &settings)?
        };
        let measured = self.rig.measure(&pose, target);
        Ok(Outcome { target, pose, solution, measured, seconds })
    }

    fn solve_space(&self, target: DVec3, settings: &CcdSettings) -> Result<(Solution, Pose, f64)> {
        let joints = self.rig.joints_3d();
        let start = self.start.to_single();
        let (solution, (positions, rotations), seconds) =
            timed(&start, &joints, target.as_vec3(), settings)?;
        Ok((solution, Pose::from_single(&positions, &rotations), seconds))
    }

    fn solve_flat(&self, target: DVec3, settings: &CcdSettings) -> Result<(Solution, Pose, f64)> {
        let joints: Vec<_> = self.rig.joints.iter().map(Hinge::joint_2d).collect();
        let (positions, rotations) = self.start.to_single();
        let start = (
            positions.iter().map(|p| p.truncate()).collect(),
            rotations.iter().map(|q| Rot2::from_angle(2.0 * q.z.atan2(q.w))).collect(),
        );
        let target = target.as_vec3().truncate();
        let (solution, (positions, rotations), seconds) = timed(&start, &joints, target, settings)?;
        let lifted = Pose {
            positions: positions.iter().map(|p| p.as_dvec2().extend(0.0)).collect(),
            rotations: rotations
                .iter()
                .map(|r| DQuat::from_rotation_z(f64::from(r.sin).atan2(f64::from(r.cos))))
                .collect(),
        };
        Ok((solution, lifted, seconds))
    }

    /// Whether the tip is at the target.
    pub fn is_solved(&self, outcome: &Outcome) -> bool {
        outcome.measured.distance <= TOLERANCE * self.rig.reach()
    }

    /// How many of the targets were reached.
    pub fn solved(&self) -> usize {
        self.outcomes.iter().filter(|outcome| self.is_solved(outcome)).count()
    }

    /// The worst of something over all targets.
    pub fn worst(&self, of: impl Fn(&Measured) -> f64) -> f64 {
        self.outcomes.iter().map(|outcome| of(&outcome.measured)).fold(0.0, f64::max)
    }
}

/// World positions and rotations, as the solver takes them.
type Slices<V> = (Vec<V>, Vec<<V as Vector>::Rotation>);

/// The same solve three times over; the fastest time is the one with the least noise in it.
fn timed<V: Vector>(
    start: &Slices<V>,
    joints: &[V::Joint],
    target: V,
    settings: &CcdSettings,
) -> Result<(Solution, Slices<V>, f64)> {
    let mut fastest = f64::INFINITY;
    let mut once = || {
        let (mut positions, mut rotations) = start.clone();
        let began = Instant::now();
        let solution = ccd_solve(&mut positions, &mut rotations, joints, target, settings)?;
        fastest = fastest.min(began.elapsed().as_secs_f64());
        anyhow::Ok((solution, (positions, rotations)))
    };
    let [_, _, (solution, slices)] = [once()?, once()?, once()?];
    Ok((solution, slices, fastest))
}
