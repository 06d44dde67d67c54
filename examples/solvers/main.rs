//! The same chains and the same targets through every solver, side by side: what each reaches, how
//! long it takes, and how far it moves the joints.
//!
//! `cargo run --release --example solvers`

mod case;
#[expect(dead_code, reason = "shared with `reach`, which draws more")]
#[path = "../common/draw.rs"]
mod draw;
#[path = "../common/exit.rs"]
mod exit;
mod limits;
#[path = "../common/marks.rs"]
mod marks;
mod method;
#[path = "../common/rig.rs"]
mod rig;
mod sheet;
#[path = "../common/write.rs"]
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use case::Case;
use method::{Method, Trial};

/// Solves rigs and free chains with every solver.
///
/// Prints a table and writes a sheet of pictures, with the final poses laid over one another.
#[derive(Parser)]
struct Options {
    /// A file of rigs in the format of tests/data/rigs/rigs.json [default: that file]
    #[arg(long, value_name = "FILE")]
    rigs: Option<PathBuf>,
    /// How many iterations a target may take
    #[arg(long, value_name = "N", default_value_t = 100)]
    iterations: usize,
    /// Where the sheet goes
    #[arg(long, value_name = "FILE", default_value = "out/solvers.svg")]
    out: PathBuf,
    /// Where the outlines of every kind of limit go
    #[arg(long, value_name = "FILE", default_value = "out/limits.svg")]
    limits: PathBuf,
}

/// A case and what every solver made of it.
pub struct Comparison {
    pub case: Case,
    pub trials: Vec<Trial>,
}

fn main() -> ExitCode {
    exit::code(run(&Options::parse()))
}

fn run(options: &Options) -> Result<()> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rigs/rigs.json");
    let rigs = rig::load(&options.rigs.clone().unwrap_or_else(|| ours.into()))?;
    let mut cases: Vec<_> = rigs.iter().map(Case::of_rig).collect();
    cases.extend([5, 10, 20, 50].map(Case::free));

    let bar = ProgressBar::new((cases.len() * Method::ALL.len()) as u64)
        .with_style(ProgressStyle::with_template("{prefix:20} {wide_bar} {pos}/{len} runs")?);
    let mut comparisons = Vec::new();
    for case in cases {
        bar.set_prefix(case.name.clone());
        let mut trials = Vec::new();
        for method in Method::ALL {
            let trial = method.run(&case, options.iterations);
            trials.push(trial.with_context(|| format!("chain `{}`", case.name))?);
            bar.inc(1);
        }
        comparisons.push(Comparison { case, trials });
    }
    bar.finish_and_clear();

    print_table(&comparisons);
    write::picture(&options.out, &sheet::draw(&comparisons))?;
    write::picture(&options.limits, &limits::draw()?)
}

fn print_table(comparisons: &[Comparison]) {
    println!(
        "{:<20} {:<14} {:>8} {:>7} {:>6} {:>9} {:>9}",
        "", "", "", "iterations", "", "mean us", "radians"
    );
    println!(
        "{:<20} {:<14} {:>8} {:>7} {:>9} {:>9} {:>9}",
        "chain", "solver", "solved", "median", "90 %", "a solve", "turned"
    );
    for Comparison { case, trials } in comparisons {
        for (i, trial) in trials.iter().enumerate() {
            println!(
                "{:<20} {:<14} {:>6.1} % {:>7} {:>9} {:>9.2} {:>9.2}",
                if i == 0 { &case.name } else { "" },
                trial.method.name(),
                100.0 * trial.share(),
                trial.iterations(0.5),
                trial.iterations(0.9),
                1e6 * trial.mean_seconds(),
                trial.mean_turned(),
            );
        }
    }
}
