//! Cyclic coordinate descent on free chains: ten sweeps, whatever they gain.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sinew::glam::{Quat, Vec3};
use sinew::{CcdSettings, ccd_solve};

use crate::bench::{Bench, Entry};
use crate::chain::{BONES, Chain, Crowd};
use crate::measure::Runner;
use crate::node::{Node, package};
use crate::table::Unit;

const SWEEPS: u16 = 10;

pub fn run(bench: &mut Bench) -> Result<()> {
    for bones in BONES {
        let chain = Chain::winding(bones);
        let mut rivals = Vec::new();
        rivals.extend(bench.entrant("three", three(&chain)));
        #[cfg(feature = "skelly")]
        rivals.push(skelly(&chain)?);
        let task = format!("CCD, {bones} free bones, {SWEEPS} sweeps, a joint and sweep");
        let seconds = bench.race(&task, Unit::Nanoseconds, sinew(&chain)?, rivals)?;
        bench.plot("CCD, 10 sweeps", bones, &seconds, f64::from(SWEEPS * bones));
    }
    Ok(())
}

/// A sweep is a visit to every joint but the effector.
fn visits(chain: &Chain, sweeps: usize) -> f64 {
    (sweeps * (chain.joints() - 1)) as f64
}

fn sinew(chain: &Chain) -> Result<Entry<'_>> {
    let settings =
        CcdSettings { max_iterations: SWEEPS.into(), tolerance: 0.0, ..CcdSettings::default() };
    let joints = chain.joints();
    let solve = move |crowd: &mut Crowd| {
        let poses = crowd.positions.chunks_mut(joints).zip(crowd.rotations.chunks_mut(joints));
        let solved = poses.zip(&chain.targets).map(|((positions, rotations), target)| {
            ccd_solve(positions, rotations, &[], *target, &settings).map(|s| s.iterations)
        });
        solved.sum::<Result<usize, _>>()
    };
    // It stops where no sweep gains any more, and only what it has done counts.
    let sweeps = solve(&mut chain.crowd())?;
    chain.entry("sinew", visits(chain, sweeps), chain.crowd(), move |crowd| {
        std::hint::black_box(solve(crowd)?);
        Ok(())
    })
}

fn three(chain: &Chain) -> Result<Entry<'static>> {
    #[derive(Serialize)]
    struct Case<'a> {
        bones: Vec<Vec3>,
        targets: &'a [Vec3],
        sweeps: u16,
    }
    #[derive(Deserialize)]
    struct Joint {
        position: Vec3,
        rotation: Quat,
    }
    let case = Case { bones: chain.bones().collect(), targets: &chain.targets, sweeps: SWEEPS };
    let mut node = Node::start("ccd", &case)?;
    node.lap()?;
    let poses: Vec<Vec<Joint>> = node.result()?;
    let joints = || poses.iter().flatten();
    let crowd = Crowd {
        positions: joints().map(|joint| joint.position).collect(),
        rotations: joints().map(|joint| joint.rotation).collect(),
    };
    let visits = visits(chain, usize::from(SWEEPS) * chain.targets.len());
    let runner = Runner::timed_elsewhere(visits, move || node.lap());
    Ok(Entry::new(format!("{} CCDIKSolver", package("three")), &chain.judge(&crowd), runner))
}

#[cfg(feature = "skelly")]
fn skelly(chain: &Chain) -> Result<Entry<'_>> {
    use crate::skelly::Figure;
    use skelly::ik::rotor::RotorSolver;

    let mut solver = RotorSolver::new(0.0);
    let visits = visits(chain, usize::from(SWEEPS) * chain.targets.len());
    let name = format!("{} RotorSolver", crate::bench::locked("skelly"));
    chain.entry(name, visits, Figure::new(chain), move |figure| {
        figure.each(|skelly, tip, target, posture| {
            solver.set_position_goal(tip, target);
            for _ in 0..SWEEPS {
                solver.solve_step(skelly, posture);
            }
        });
        Ok(())
    })
}
