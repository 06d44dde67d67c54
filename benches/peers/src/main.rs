//! sinew beside the libraries that a user would otherwise pick, in one run: the same inputs, the
//! same tolerances, the runners taking turns, and next to each time what it has bought.
//!
//! `benches/peers/run --help`

#![cfg_attr(
    not(all(
        feature = "bevy",
        feature = "harmonica",
        feature = "k",
        feature = "keyframe",
        feature = "kurbo",
        feature = "lyon",
        feature = "rapier",
        feature = "rebirth",
        feature = "simple-easing",
        feature = "skelly",
        feature = "spring-damper",
        feature = "springs",
    )),
    allow(
        dead_code,
        unused_imports,
        unused_mut,
        unused_variables,
        reason = "what only one rival needs is unused where it is left out"
    )
)]

mod bench;
mod ccd;
mod chain;
mod counts;
mod crowds;
mod curves;
mod easings;
mod fabrik;
mod growth;
mod least_squares;
mod limbs;
mod machine;
#[expect(dead_code, reason = "the library's examples draw circles too")]
#[path = "../../../examples/common/marks.rs"]
mod marks;
mod measure;
mod node;
mod plot;
#[expect(dead_code, reason = "the library's examples judge more by it")]
#[path = "../../../examples/common/rig.rs"]
mod rig;
mod rope;
#[cfg(feature = "skelly")]
mod skelly;
mod spring_bones;
mod table;
mod time;
#[path = "../../../examples/common/write.rs"]
mod write;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use bench::Bench;
use measure::Pace;

/// Measures sinew beside other libraries.
///
/// Prints one table: task, rival, its time, sinew's, how many times sinew's time the rival takes,
/// and the quality of both. Draws time against bones for each family of inverse kinematics.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "options are that")]
struct Options {
    /// Only these families [default: all]
    #[arg(value_name = "FAMILY")]
    families: Vec<String>,
    /// A rough answer soon
    #[arg(long)]
    quick: bool,
    /// Print the table as Markdown, as README has it
    #[arg(long)]
    markdown: bool,
    /// Write that Markdown between the marks of this file
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Print how sinew's own time grows with the joints and with the chains instead
    #[arg(long)]
    growth: bool,
    /// Print the instructions and the mispredicted branches of each library instead, as callgrind
    /// counts them
    #[arg(long)]
    counts: bool,
    /// Measure nothing: do the laps that `--counts` counts, and print which they were
    #[arg(long, hide = true)]
    laps: bool,
    /// What the machine is, in words [default: what it says itself]
    #[arg(long, value_name = "WORDS")]
    machine: Option<String>,
    /// Where the plot goes
    #[arg(long, value_name = "FILE", default_value = "out/peers.svg")]
    out: PathBuf,
}

type Family = fn(&mut Bench) -> Result<()>;

/// A file each.
const FAMILIES: [(&str, Family); 10] = [
    ("ccd", ccd::run),
    ("fabrik", fabrik::run),
    ("limbs", limbs::run),
    ("least-squares", least_squares::run),
    ("spring-bones", spring_bones::run),
    ("time", time::run),
    ("easings", easings::run),
    ("curves", curves::run),
    ("rope", rope::run),
    ("crowds", crowds::run),
];

fn main() -> std::process::ExitCode {
    match run(&Options::parse()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    let pace = if options.quick { Pace::QUICK } else { Pace::FULL };
    if options.growth {
        print!("{}", growth::table(pace)?);
        return Ok(());
    }
    let families = chosen(&options.families)?;
    if options.counts {
        print!("{}", counts::table(families.iter().map(|(name, _)| *name))?);
        return Ok(());
    }
    let style =
        ProgressStyle::with_template("{bar:24} {pos}/{len} families, {elapsed}: {wide_msg}")?;
    let bar = ProgressBar::new(families.len() as u64).with_style(style);
    let mut bench = Bench::new(pace, bar);
    bench.laps = options.laps.then(Vec::new);
    for (name, family) in families {
        family(&mut bench).with_context(|| name.to_owned())?;
        bench.bar.inc(1);
    }
    bench.bar.finish_and_clear();
    if let Some(laps) = &bench.laps {
        println!("{}", serde_json::to_string(laps)?);
        return Ok(());
    }

    let missing = bench::left_out().into_iter().map(|name| format!("{name}: not built"));
    bench.skipped.extend(missing);
    for note in &bench.skipped {
        eprintln!("left out: {note}");
    }
    let machine = machine::words(options.machine.as_deref());
    let markdown = format!("{}\n{machine}\n", table::markdown(&bench.rows));
    if options.markdown {
        print!("{markdown}");
    } else {
        print!("{}\n{machine}\n", table::text(&bench.rows));
    }
    if let Some(file) = &options.into {
        table::put_between_marks(file, &markdown)?;
    }
    if !bench.points.is_empty() {
        write::picture(&options.out, &plot::draw(&bench.points))?;
    }
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<(&'static str, Family)>> {
    let known = || FAMILIES.map(|(name, _)| name).join(", ");
    for name in names {
        if FAMILIES.iter().all(|(family, _)| family != name) {
            bail!("no family `{name}`; there are {}", known());
        }
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    Ok(FAMILIES.into_iter().filter(|(name, _)| wanted(name)).collect())
}
