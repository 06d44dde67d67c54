//! Real robots and a human body reach as many of their targets as a plain double-precision CCD
//! does, within their limits and with their bones' lengths.
//!
//! `cargo test --test rigs -- --nocapture` prints the table.

#[expect(dead_code, reason = "the examples take more of it")]
#[path = "../examples/common/rig.rs"]
mod rig;
#[expect(dead_code, reason = "the examples take more of it")]
#[path = "../examples/reach/solve.rs"]
mod solve;

use std::path::Path;

use solve::{Run, TOLERANCE};

/// What a plain CCD in double precision solves of each rig's targets, in per cent.
const SOLVED: [(&str, f64); 9] = [
    ("allegro_index", 86.0),
    ("go2_front_left_leg", 96.0),
    ("human_left_arm", 89.0),
    ("human_left_leg", 75.0),
    ("human_spine_arm", 88.0),
    ("panda", 75.0),
    ("talos_left_arm", 65.0),
    ("ur5", 98.0),
    ("xarm7", 91.0),
];

fn runs() -> Vec<Run> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rigs/rigs.json");
    let rigs = rig::load(&file).expect("the rigs are sound");
    rigs.into_iter().map(|rig| Run::new(rig, 50, || ()).expect("the rigs are sound")).collect()
}

#[test]
fn real_rigs_reach_their_targets_within_limits_and_lengths() {
    let runs = runs();
    assert_eq!(runs.len(), SOLVED.len());
    let mut fell_short = Vec::new();
    for (run, (name, least)) in runs.iter().zip(SOLVED) {
        assert_eq!(run.rig.name, name);
        let solved = 100.0 * run.solved() as f64 / run.outcomes.len() as f64;
        let excess = run.worst(|measured| measured.excess);
        let stretch = run.worst(|measured| measured.stretch);
        println!("{name:<20} {solved:>5.1} % of {least} %, {excess:.1e} rad, {stretch:.1e}");
        if solved < least || excess > 1e-5 || stretch > 1e-5 {
            fell_short.push(name);
        }
    }
    assert!(fell_short.is_empty(), "fell short: {fell_short:?}");
}

/// The report's distance is the one between the tip that came back and the target, and
/// `Reached` means within the tolerance.
#[test]
fn reports_agree_with_the_poses() {
    for run in runs() {
        let reach = run.rig.reach();
        for outcome in &run.outcomes {
            let (said, is) = (f64::from(outcome.solution.distance), outcome.measured.distance);
            assert!((said - is).abs() < 1e-6 * reach, "{}: {said} is {is}", run.rig.name);
            if outcome.solution.status == sinew::Status::Reached {
                assert!(is <= TOLERANCE * reach * (1.0 + 1e-3), "{}: {is}", run.rig.name);
            }
        }
    }
}

/// Each position that comes back is its parent's pose applied to the bone: the rotations and the
/// positions are one pose, not two.
#[test]
fn positions_and_rotations_are_one_pose() {
    for run in runs() {
        let reach = run.rig.reach();
        for outcome in &run.outcomes {
            let pose = &outcome.pose;
            for (i, bone) in run.rig.bones().into_iter().enumerate() {
                let there = pose.positions[i] + pose.rotations[i].normalize() * bone;
                let apart = there.distance(pose.positions[i + 1]);
                assert!(apart < 1e-5 * reach, "{} joint {i}: {apart}", run.rig.name);
            }
        }
    }
}
