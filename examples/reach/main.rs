//! Real robots and a human body reach for their targets: a table of what came of it, and a sheet
//! of pictures.
//!
//! `cargo run --release --example reach`

#[path = "../common/draw.rs"]
mod draw;
#[path = "../common/exit.rs"]
mod exit;
#[path = "../common/marks.rs"]
mod marks;
#[path = "../common/rig.rs"]
mod rig;
mod scene;
mod sheet;
mod solve;
#[path = "../common/write.rs"]
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use rig::{Hinge, Rig};
use solve::Run;

/// Chains with joint limits reach for targets by cyclic coordinate descent.
///
/// Prints a table of every rig and writes a sheet of pictures.
#[derive(Parser)]
struct Options {
    /// A file of rigs in the format of tests/data/rigs/rigs.json [default: that file]
    #[arg(long, value_name = "FILE")]
    rigs: Option<PathBuf>,
    /// Only this rig of the file (or `arm_2d`, which is always there)
    #[arg(long, value_name = "NAME")]
    rig: Option<String>,
    /// One target for every rig, in metres from its base, instead of the file's own
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    target: Option<[f64; 3]>,
    /// How many sweeps along the chain a target may take
    #[arg(long, value_name = "N", default_value_t = 50)]
    sweeps: usize,
    /// Where the sheet goes
    #[arg(long, value_name = "FILE", default_value = "out/reach.svg")]
    out: PathBuf,
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers = text.split(',').map(|x| x.trim().parse::<f64>());
    let numbers = numbers.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let point = <[f64; 3]>::try_from(numbers).map_err(|_| "needs three numbers, x,y,z")?;
    if point.iter().all(|x| x.is_finite()) { Ok(point) } else { Err("is not finite".into()) }
}

fn main() -> ExitCode {
    exit::code(run(&Options::parse()))
}

fn run(options: &Options) -> Result<()> {
    let rigs = chosen(options)?;
    let targets = rigs.iter().map(|rig| rig.targets.len() as u64).sum();
    let bar = ProgressBar::new(targets)
        .with_style(ProgressStyle::with_template("{prefix:20} {wide_bar} {pos}/{len} targets")?);
    let mut runs = Vec::new();
    for rig in rigs {
        bar.set_prefix(rig.name.clone());
        runs.push(Run::new(rig, options.sweeps, || bar.inc(1))?);
    }
    bar.finish_and_clear();

    print_table(&runs);
    write::picture(&options.out, &sheet::draw(&runs, options.sweeps)?)
}

/// The rigs and targets that the options ask for.
fn chosen(options: &Options) -> Result<Vec<Rig>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rigs/rigs.json");
    let file = options.rigs.clone().unwrap_or_else(|| ours.into());
    let mut rigs = rig::load(&file)?;
    rigs.push(arm_2d());
    if let Some(name) = &options.rig {
        let names = rigs.iter().map(|rig| rig.name.clone()).collect::<Vec<_>>().join(", ");
        rigs.retain(|rig| rig.name == *name);
        ensure!(!rigs.is_empty(), "no rig is called `{name}`: there are {names}");
    }
    if let Some(target) = options.target {
        for rig in &mut rigs {
            rig.targets = vec![target];
        }
    }
    for rig in &rigs {
        ensure!(!rig.targets.is_empty(), "rig `{}` has no targets: name one, --target", rig.name);
    }
    Ok(rigs)
}

/// An arm of the plane: a free shoulder, an elbow that bends one way only, a stiff wrist.
///
/// Its targets are the tips of poses within the ranges, and one inside the hole that the elbow
/// leaves around the shoulder, which no pose reaches.
fn arm_2d() -> Rig {
    let hinge = |name: &str, x: f64, min: f64, max: f64| Hinge {
        name: name.into(),
        offset: [x, 0.0, 0.0],
        rest_rotation: [0.0, 0.0, 0.0, 1.0],
        axis: [0.0, 0.0, 1.0],
        min,
        max,
    };
    let half_turn = std::f64::consts::PI;
    let joints = vec![
        hinge("shoulder", 0.0, -half_turn, half_turn),
        hinge("elbow", 0.32, 0.1, 2.3),
        hinge("wrist", 0.28, -0.6, 0.6),
    ];
    let mut rig = Rig {
        name: "arm_2d".into(),
        planar: true,
        joints,
        tip_offset: [0.12, 0.0, 0.0],
        targets: Vec::new(),
        target_rotations: Vec::new(),
    };
    // Shares of each range that fill it evenly: multiples of the plastic number's powers, mod 1.
    for i in 0..199 {
        let angles: Vec<_> = (rig.joints.iter().zip([0.8192, 0.6710, 0.5497]))
            .map(|(joint, share)| {
                joint.min + (joint.max - joint.min) * (f64::from(i) * share).fract()
            })
            .collect();
        let tip = rig.pose(&angles).positions[rig.joints.len()];
        rig.targets.push(tip.to_array());
    }
    rig.targets.push([-0.06, -0.09, 0.0]);
    rig
}

fn print_table(runs: &[Run]) {
    println!(
        "{:<20} {:>6} {:>8} {:>13} {:>10} {:>13} {:>13}",
        "", "", "", "sweeps when", "mean us", "worst limit", "worst length"
    );
    println!(
        "{:<20} {:>6} {:>8} {:>6} {:>6} {:>10} {:>13} {:>13}",
        "rig", "joints", "solved", "median", "90 %", "a solve", "excess, rad", "error, rel."
    );
    for run in runs {
        let sweeps = sweeps_when_solved(run);
        let count = run.outcomes.len() as f64;
        println!(
            "{:<20} {:>6} {:>6.1} % {:>6} {:>6} {:>10.2} {:>13.1e} {:>13.1e}",
            run.rig.name,
            run.rig.joints.len(),
            100.0 * run.solved() as f64 / count,
            share_of(&sweeps, 0.5),
            share_of(&sweeps, 0.9),
            1e6 * run.outcomes.iter().map(|outcome| outcome.seconds).sum::<f64>() / count,
            run.worst(|measured| measured.excess),
            run.worst(|measured| measured.stretch),
        );
    }
}

/// The sweeps that each solved target took, fewest first.
fn sweeps_when_solved(run: &Run) -> Vec<usize> {
    let solved = run.outcomes.iter().filter(|outcome| run.is_solved(outcome));
    let mut sweeps: Vec<_> = solved.map(|outcome| outcome.solution.iterations).collect();
    sweeps.sort_unstable();
    sweeps
}

/// The entry that this share of a sorted list lies at or below.
fn share_of(sorted: &[usize], share: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in the list"
    )]
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(place.saturating_sub(1)).map_or("-".into(), usize::to_string)
}
