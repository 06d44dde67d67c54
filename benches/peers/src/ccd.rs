//! Cyclic coordinate descent on free chains: all that a solver makes of ten iterations, and what a
//! joint costs in each of three, which nobody needs less of. An iteration is a sweep over the
//! joints; sinew's may also turn a pair of them, from the fourth on.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sinew::glam::{Quat, Vec3};
use sinew::{CcdSettings, ccd_solve};

use crate::bench::{Bench, Entry};
use crate::chain::{BONES, Chain, Crowd};
use crate::measure::Runner;
use crate::node::{Node, package};
use crate::table::Unit;

const ITERATIONS: u16 = 10;
const SWEEPS: u16 = 3;

pub fn run(bench: &mut Bench) -> Result<()> {
    for bones in BONES {
        let chain = Chain::winding(bones);
        let task = format!("CCD, {bones} free bones, {ITERATIONS} iterations");
        let seconds = race(bench, &task, Unit::Microseconds, (&chain, ITERATIONS, 1))?;
        bench.plot("CCD, 10 iterations", bones, &seconds, 1.0);
    }
    for bones in BONES {
        let chain = Chain::winding(bones);
        let task = format!("CCD, {bones} free bones, {SWEEPS} sweeps, a joint and sweep");
        race(bench, &task, Unit::Nanoseconds, (&chain, SWEEPS, SWEEPS * bones))?;
    }
    Ok(())
}

/// A chain, the iterations that everybody gets, and in how many parts the time of a solve is told.
type Ask<'a> = (&'a Chain, u16, u16);

fn race(bench: &mut Bench, task: &str, unit: Unit, ask: Ask<'_>) -> Result<Vec<(String, f64)>> {
    let mut rivals = Vec::new();
    rivals.extend(bench.entrant("three", three(ask)));
    #[cfg(feature = "skelly")]
    rivals.push(skelly(ask)?);
    bench.race(task, unit, sinew(ask)?, rivals)
}

fn units((chain, _, parts): Ask<'_>) -> f64 {
    f64::from(parts) * chain.targets.len() as f64
}

fn sinew(ask: Ask<'_>) -> Result<Entry<'_>> {
    let (chain, iterations, _) = ask;
    let settings =
        CcdSettings { max_iterations: iterations.into(), tolerance: 0.0, ..CcdSettings::default() };
    let joints = chain.joints();
    chain.entry("sinew", units(ask), chain.crowd(), move |crowd| {
        let poses = crowd.positions.chunks_mut(joints).zip(crowd.rotations.chunks_mut(joints));
        for ((positions, rotations), target) in poses.zip(&chain.targets) {
            let _ = std::hint::black_box(ccd_solve(positions, rotations, &[], *target, &settings)?);
        }
        Ok(())
    })
}

fn three(ask: Ask<'_>) -> Result<Entry<'static>> {
    #[derive(Serialize)]
    struct Case<'a> {
        bones: Vec<Vec3>,
        targets: &'a [Vec3],
        iterations: u16,
    }
    #[derive(Deserialize)]
    struct Joint {
        position: Vec3,
        rotation: Quat,
    }
    let (chain, iterations, _) = ask;
    let case = Case { bones: chain.bones().collect(), targets: &chain.targets, iterations };
    let mut node = Node::start("ccd", &case)?;
    node.fastest(1)?;
    let poses: Vec<Vec<Joint>> = node.result()?;
    let joints = || poses.iter().flatten();
    let crowd = Crowd {
        positions: joints().map(|joint| joint.position).collect(),
        rotations: joints().map(|joint| joint.rotation).collect(),
    };
    let runner = Runner::elsewhere(units(ask), move |laps| node.fastest(laps));
    Ok(Entry::new(format!("{} CCDIKSolver", package("three")), &chain.judge(&crowd), runner))
}

#[cfg(feature = "skelly")]
fn skelly(ask: Ask<'_>) -> Result<Entry<'_>> {
    use crate::skelly::Figure;
    use skelly::ik::rotor::RotorSolver;

    let mut solver = RotorSolver::new(0.0);
    let (chain, iterations, _) = ask;
    let name = format!("{} RotorSolver", crate::bench::locked("skelly"));
    chain.entry(name, units(ask), Figure::new(chain), move |figure| {
        figure.each(|skelly, tip, target, posture| {
            solver.set_position_goal(tip, target);
            for _ in 0..iterations {
                solver.solve_step(skelly, posture);
            }
        });
        Ok(())
    })
}
