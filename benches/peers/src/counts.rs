//! Instructions and mispredicted branches instead of times: what no other program can change, and
//! what tells a solver that waits for its own results from one that has too much to do.
//!
//! This program runs itself under callgrind, which counts nothing but [`measured`] and writes down
//! its counts at the end of each call: a lap each, in the order in which the laps are done.
//!
//! [`measured`]: crate::measure

use std::ops::Range;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::bench::Entry;
use crate::table::align;

/// What callgrind is told to count, as it demangles it.
const MEASURED: &str = "sinew_peers::measure::measured";

/// A lap of one library at one task.
#[derive(Serialize, Deserialize)]
pub struct Lap {
    task: String,
    library: String,
    units: f64,
    /// The numbers of its calls of `measured`.
    calls: Range<usize>,
}

impl Lap {
    pub fn of(task: &str, Entry { name, mut runner, .. }: Entry<'_>) -> Result<Self> {
        let calls = runner.lap().with_context(|| task.to_owned())?;
        Ok(Self { task: task.to_owned(), library: name, units: runner.units, calls })
    }
}

/// A row for each library in this process, by family and task.
pub fn table<'a>(families: impl Iterator<Item = &'a str>) -> Result<String> {
    let folder = std::env::temp_dir().join(format!("sinew-counts-{}", std::process::id()));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let rows = rows(families, &folder);
    std::fs::remove_dir_all(&folder).ok();
    Ok(align(&rows?, [false, false, true, true]))
}

fn rows<'a>(families: impl Iterator<Item = &'a str>, folder: &Path) -> Result<Vec<[String; 4]>> {
    let file = folder.join("counts");
    let output = Command::new("valgrind")
        .args(["-q", "--tool=callgrind", "--branch-sim=yes", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={MEASURED}"))
        .arg(format!("--dump-after={MEASURED}"))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(std::env::current_exe()?)
        .arg("--laps")
        .args(families)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot run valgrind")?;
    ensure!(output.status.success(), "valgrind: {}", output.status);
    let laps: Vec<Lap> = serde_json::from_slice(&output.stdout)?;
    let mut rows = vec![["task", "library", "instructions", "mispredicted"].map(str::to_owned)];
    for lap in laps.into_iter().filter(|lap| !lap.calls.is_empty()) {
        let [mut instructions, mut mispredicted] = [0.0; 2];
        for call in lap.calls {
            // Callgrind counts from 1.
            let counts = counts(&file.with_extension((call + 1).to_string()))?;
            instructions += counts[0];
            mispredicted += counts[1];
        }
        let [instructions, mispredicted] =
            [instructions, mispredicted].map(|count| count / lap.units);
        let numbers = [format!("{instructions:.1}"), format!("{mispredicted:.2}")];
        let [instructions, mispredicted] = numbers;
        rows.push([lap.task, lap.library, instructions, mispredicted]);
    }
    Ok(rows)
}

/// The instructions and the mispredicted branches that a file of callgrind's adds up to.
fn counts(file: &Path) -> Result<[f64; 2]> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let (Some(events), Some(totals)) = (line("events: "), line("totals: ")) else {
        bail!("{name} has no totals");
    };
    let totals: Vec<f64> = totals.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let of = |event: &str| {
        let column = events.split_whitespace().position(|e| e == event);
        column.and_then(|column| totals.get(column)).copied().unwrap_or(0.0)
    };
    Ok([of("Ir"), of("Bcm") + of("Bim")])
}
