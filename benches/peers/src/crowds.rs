//! Eight chains at once beside the same chains one by one: sinew's lanes, which no rival has.

use anyhow::Result;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, LANES, Quatx8, Vec3x8};
use sinew::{
    CcdSettings, DistanceConstraint, FabrikSettings, Joint3, Relaxation, Verlet, ccd_solve,
    distance_constraints, fabrik_positions, fabrik_solve, verlet_step,
};

use crate::bench::{Bench, Entry};
use crate::chain::{Chain, Crowd, Poses, TOLERANCE};
use crate::measure::Runner;
use crate::table::Unit;

const BONES: u16 = 10;
const ONE_BY_ONE: &str = "sinew, one by one";

pub fn run(bench: &mut Bench) -> Result<()> {
    let chain = Chain::winding(BONES);
    // Hinges about the same axis would leave the chain in a plane.
    let hinge = |i: u16| Joint3::hinge([Vec3::Z, Vec3::X, Vec3::Y][usize::from(i % 3)], -2.0, 2.0);
    let cone = Joint3::cone(Vec3::Y, 0.8).with_twist(-0.5, 0.5);
    let limits: [(&str, Vec<Joint3>); 3] = [
        ("free joints", Vec::new()),
        ("hinges", (0..BONES).map(hinge).collect()),
        ("cones", vec![cone; BONES.into()]),
    ];
    for (name, joints) in limits {
        let ten = CcdSettings { max_iterations: 10, tolerance: 0.0, ..CcdSettings::default() };
        let one = CcdSettings { max_iterations: 1, ..ten };
        let until = CcdSettings { max_iterations: 100, tolerance: TOLERANCE, ..ten };
        for (what, settings) in [("1 iteration", one), ("10 iterations", ten), ("to 1e-3", until)] {
            let task = format!("crowd, CCD, {BONES} bones, {name}, {what}");
            let (eight, one) =
                (ccd_lanes(&chain, &joints, settings)?, ccd(&chain, &joints, settings)?);
            bench.race(&task, Unit::Microseconds, eight, vec![one])?;
        }
    }
    let task = format!("crowd, FABRIK, {BONES} bones, positions only");
    bench.race(&task, Unit::Microseconds, points_lanes(&chain)?, vec![points(&chain)?])?;
    let task = format!("crowd, FABRIK, {BONES} bones, with rotations");
    bench.race(&task, Unit::Microseconds, poses_lanes(&chain)?, vec![poses(&chain)?])?;
    let task = format!("crowd, Verlet, a rope of {ROPE}, 8 rounds of rods, a step");
    bench.race(&task, Unit::Microseconds, rope_lanes(), vec![rope()])?;
    Ok(())
}

/// The poses of a crowd, eight to a group.
#[derive(Clone)]
struct Groups {
    positions: Vec<Vec3x8>,
    rotations: Vec<Quatx8>,
    joints: usize,
}

impl Groups {
    fn new(chain: &Chain) -> Self {
        let groups = chain.targets.len() / LANES;
        let positions: Vec<_> = chain.positions.iter().map(|p| Vec3x8::splat(*p)).collect();
        let count = positions.len();
        Self {
            positions: positions.repeat(groups),
            rotations: vec![Quatx8::splat(Quat::IDENTITY); groups * count],
            joints: count,
        }
    }
}

impl Poses for Groups {
    fn reset(&mut self, start: &Self) {
        self.positions.copy_from_slice(&start.positions);
        self.rotations.copy_from_slice(&start.rotations);
    }

    fn crowd(&self) -> Crowd {
        let groups = self.positions.chunks(self.joints).zip(self.rotations.chunks(self.joints));
        let mut crowd = Crowd { positions: Vec::new(), rotations: Vec::new() };
        for (positions, rotations) in groups {
            for lane in 0..LANES {
                crowd.positions.extend(positions.iter().map(|p| p.lane(lane)));
                crowd.rotations.extend(rotations.iter().map(|r| r.lane(lane)));
            }
        }
        crowd
    }
}

/// A chain's targets, eight to a group.
fn targets(chain: &Chain) -> Vec<Vec3x8> {
    let groups = chain.targets.chunks_exact(LANES);
    groups.map(|group| Vec3x8::from(core::array::from_fn(|lane| group[lane]))).collect()
}

fn solved<T>(each: lanes::Each<T>) -> Result<()> {
    for lane in each {
        lane?;
    }
    Ok(())
}

fn ccd<'a>(chain: &'a Chain, joints: &'a [Joint3], settings: CcdSettings) -> Result<Entry<'a>> {
    let count = chain.joints();
    chain.entry(ONE_BY_ONE, chain.targets.len() as f64, chain.crowd(), move |crowd| {
        let poses = crowd.positions.chunks_mut(count).zip(crowd.rotations.chunks_mut(count));
        for ((positions, rotations), target) in poses.zip(&chain.targets) {
            let _ = ccd_solve(positions, rotations, joints, *target, &settings)?;
        }
        Ok(())
    })
}

fn ccd_lanes<'a>(
    chain: &'a Chain,
    joints: &'a [Joint3],
    settings: CcdSettings,
) -> Result<Entry<'a>> {
    let (count, targets) = (chain.joints(), targets(chain));
    chain.entry("sinew", chain.targets.len() as f64, Groups::new(chain), move |groups| {
        let poses = groups.positions.chunks_mut(count).zip(groups.rotations.chunks_mut(count));
        for ((positions, rotations), targets) in poses.zip(&targets) {
            solved(lanes::ccd_solve(positions, rotations, joints, *targets, &settings))?;
        }
        Ok(())
    })
}

const FABRIK: FabrikSettings = FabrikSettings { max_iterations: 100, tolerance: TOLERANCE };

fn points(chain: &Chain) -> Result<Entry<'_>> {
    let start = Crowd { rotations: Vec::new(), ..chain.crowd() };
    chain.entry(ONE_BY_ONE, chain.targets.len() as f64, start, |crowd| {
        let chains = crowd.positions.chunks_mut(chain.joints());
        for (positions, target) in chains.zip(&chain.targets) {
            let _ = fabrik_positions(positions, *target, &FABRIK)?;
        }
        Ok(())
    })
}

fn points_lanes(chain: &Chain) -> Result<Entry<'_>> {
    let targets = targets(chain);
    chain.entry("sinew", chain.targets.len() as f64, Groups::new(chain), move |groups| {
        for (positions, targets) in groups.positions.chunks_mut(chain.joints()).zip(&targets) {
            solved(lanes::fabrik_positions(positions, *targets, &FABRIK))?;
        }
        Ok(())
    })
}

fn poses(chain: &Chain) -> Result<Entry<'_>> {
    let count = chain.joints();
    chain.entry(ONE_BY_ONE, chain.targets.len() as f64, chain.crowd(), move |crowd| {
        let poses = crowd.positions.chunks_mut(count).zip(crowd.rotations.chunks_mut(count));
        for ((positions, rotations), target) in poses.zip(&chain.targets) {
            let _ = fabrik_solve(positions, rotations, &[], *target, &FABRIK)?;
        }
        Ok(())
    })
}

fn poses_lanes(chain: &Chain) -> Result<Entry<'_>> {
    let (count, targets) = (chain.joints(), targets(chain));
    chain.entry("sinew", chain.targets.len() as f64, Groups::new(chain), move |groups| {
        let poses = groups.positions.chunks_mut(count).zip(groups.rotations.chunks_mut(count));
        for ((positions, rotations), targets) in poses.zip(&targets) {
            solved(lanes::fabrik_solve(positions, rotations, &[], *targets, &FABRIK))?;
        }
        Ok(())
    })
}

/// Particles of a rope that hangs from its first.
const ROPE: u16 = 32;
const ROUNDS: u32 = 8;
const DT: f32 = 1.0 / 60.0;

fn rods() -> Vec<DistanceConstraint> {
    let rod = |i: u16| {
        let i = usize::from(i);
        DistanceConstraint { particles: [i - 1, i], rest: 0.1, ..DistanceConstraint::default() }
    };
    (1..ROPE).map(rod).collect()
}

fn inverse_masses() -> Vec<f32> {
    (0..ROPE).map(|i| f32::from(i.min(1))).collect()
}

fn level(i: u16) -> Vec3 {
    Vec3::X * 0.1 * f32::from(i)
}

/// How far the worst rod is off its length, after a second.
fn worst_rod(positions: impl Fn(usize) -> Vec3) -> String {
    let off = |i: u16| {
        let i = usize::from(i);
        (positions(i).distance(positions(i - 1)) / 0.1 - 1.0).abs()
    };
    format!("a rod {:.0} % off", 100.0 * (1..ROPE).map(off).fold(0.0, f32::max))
}

fn rope() -> Entry<'static> {
    let (rods, masses) = (rods(), inverse_masses());
    let start: Vec<_> = (0..ROPE).map(level).collect();
    let step = move |(positions, previous): &mut (Vec<Vec3>, Vec<Vec3>)| {
        let fall = Verlet {
            acceleration: Vec3::NEG_Y * 9.81,
            inverse_masses: &masses,
            ..Verlet::default()
        };
        let hold =
            Relaxation { inverse_masses: &masses, iterations: ROUNDS, ..Relaxation::default() };
        let _ = verlet_step(positions, previous, &fall, DT);
        let _ = distance_constraints(positions, &rods, &mut [], &hold);
    };
    let mut rope = (start.clone(), start);
    (0..60).for_each(|_| step(&mut rope));
    let quality = worst_rod(|i| rope.0[i]);
    let begin = rope.clone();
    let runner = Runner::new(1.0, rope, move |rope| rope.clone_from(&begin), step);
    Entry::new(ONE_BY_ONE, &quality, runner)
}

fn rope_lanes() -> Entry<'static> {
    let (rods, masses) = (rods(), inverse_masses());
    let start: Vec<_> = (0..ROPE).map(|i| Vec3x8::splat(level(i))).collect();
    let step = move |(positions, previous): &mut (Vec<Vec3x8>, Vec<Vec3x8>)| {
        let fall = Verlet {
            acceleration: Vec3x8::splat(Vec3::NEG_Y * 9.81),
            accelerations: &[],
            inverse_masses: &masses,
            drag: 0.0,
            previous_dt: None,
            max_speed: f32::INFINITY,
        };
        let hold =
            Relaxation { inverse_masses: &masses, iterations: ROUNDS, ..Relaxation::default() };
        let _ = lanes::verlet_step(positions, previous, &fall, DT);
        let _ = lanes::distance_constraints(positions, &rods, &mut [], &hold);
    };
    let mut rope = (start.clone(), start);
    (0..60).for_each(|_| step(&mut rope));
    let quality = worst_rod(|i| rope.0[i].lane(3));
    let begin = rope.clone();
    let runner = Runner::new(LANES as f64, rope, move |rope| rope.clone_from(&begin), step);
    Entry::new("sinew", &quality, runner)
}
