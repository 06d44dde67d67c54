//! The one table: a row a rival and task.

use std::fmt::{self, Write as _};
use std::path::Path;

use anyhow::{Context, Result};

/// What times are written in.
#[derive(Clone, Copy)]
pub enum Unit {
    Nanoseconds,
    Microseconds,
}

impl Unit {
    fn show(self, seconds: f64) -> String {
        let (number, name) = match self {
            Self::Nanoseconds => (1e9 * seconds, "ns"),
            Self::Microseconds => (1e6 * seconds, "µs"),
        };
        let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
        format!("{number:.digits$} {name}")
    }
}

/// The largest error, relative to what there was to do: the quality of a value.
pub struct Worst(pub f64);

impl Worst {
    pub fn of(errors: impl IntoIterator<Item = f64>) -> Self {
        // No number is as wrong as can be, where `max` would pass over it.
        let known = errors.into_iter().map(|e| if e.is_nan() { f64::INFINITY } else { e });
        Self(known.fold(0.0, f64::max))
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A pixel of a screen.
        let verdict = if self.0 > 1e-3 { "wrong: " } else { "" };
        write!(f, "{verdict}error {:.0e}", self.0)
    }
}

pub struct Row {
    pub task: String,
    pub unit: Unit,
    /// Ours.
    pub seconds: f64,
    pub quality: String,
    /// `None` if nobody else could take part.
    pub rival: Option<Rival>,
}

pub struct Rival {
    pub name: String,
    pub seconds: f64,
    /// How many times our time; `None` if its answers are none.
    pub ratio: Option<f64>,
    pub quality: String,
}

const HEADER: [&str; 7] = ["task", "rival", "its time", "ours", "ratio", "its quality", "ours"];

/// Columns of numbers are set to the right.
const IS_NUMBER: [bool; 7] = [false, false, true, true, true, false, false];

fn cells(row: &Row) -> [String; 7] {
    let [name, time, ratio, quality] = match &row.rival {
        Some(rival) => [
            rival.name.clone(),
            row.unit.show(rival.seconds),
            rival.ratio.map_or_else(|| "–".to_owned(), times),
            rival.quality.clone(),
        ],
        None => ["–"; 4].map(str::to_owned),
    };
    let (ours, our_quality) = (row.unit.show(row.seconds), row.quality.clone());
    [row.task.clone(), name, time, ours, ratio, quality, our_quality]
}

fn times(ratio: f64) -> String {
    let digits = if ratio < 9.95 { 2 } else { 0 };
    format!("{ratio:.digits$} ×")
}

/// For a terminal.
pub fn text(rows: &[Row]) -> String {
    let mut lines = vec![HEADER.map(str::to_owned)];
    lines.extend(rows.iter().map(cells));
    // What a task's rows share is written once.
    for i in (2..lines.len()).rev() {
        if lines[i][0] == lines[i - 1][0] {
            lines[i][0].clear();
            lines[i][6].clear();
        }
    }
    align(&lines, IS_NUMBER)
}

/// Pads a table's columns; those of numbers are set to the right.
pub fn align<const N: usize>(lines: &[[String; N]], is_number: [bool; N]) -> String {
    let widths: Vec<_> =
        (0..N).map(|c| lines.iter().map(|l| l[c].chars().count()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for line in lines {
        let mut padded = String::new();
        for ((cell, width), is_number) in line.iter().zip(&widths).zip(is_number) {
            let _ = if is_number {
                write!(padded, "{cell:>width$}  ")
            } else {
                write!(padded, "{cell:<width$}  ")
            };
        }
        out.push_str(padded.trim_end());
        out.push('\n');
    }
    out
}

/// For a README.
pub fn markdown(rows: &[Row]) -> String {
    let rules = IS_NUMBER.map(|is_number| if is_number { "--:" } else { "---" });
    let mut out = format!("| {} |\n|{}|\n", HEADER.join(" | "), rules.join("|"));
    for row in rows {
        let _ = writeln!(out, "| {} |", cells(row).join(" | "));
    }
    out
}

/// The lines that a table stands between.
const MARKS: [&str; 2] = ["<!-- peers: the table -->\n", "<!-- peers: the end -->\n"];

/// Replaces what stands between the marks of a file.
pub fn put_between_marks(file: &Path, table: &str) -> Result<()> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let ends = text
        .split_once(MARKS[0])
        .and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?.1)));
    let (before, after) = ends.with_context(|| format!("{name} has no {}", MARKS[0].trim()))?;
    let [begin, end] = MARKS;
    std::fs::write(file, format!("{before}{begin}\n{table}\n{end}{after}"))
        .with_context(|| format!("cannot write {name}"))
}
