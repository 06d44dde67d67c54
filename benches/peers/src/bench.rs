//! What every task family works with: it sets the races up and collects what they come to.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use indicatif::ProgressBar;

use crate::counts::Lap;
use crate::measure::{Pace, Runner, race};
use crate::plot::Point;
use crate::table::{Rival, Row, Unit};

/// One side of a race.
pub struct Entry<'a> {
    pub name: String,
    pub quality: String,
    pub runner: Runner<'a>,
    /// Whether its time says nothing, because its answers are no answers.
    pub is_void: bool,
}

impl<'a> Entry<'a> {
    pub fn new(name: impl Into<String>, quality: &impl ToString, runner: Runner<'a>) -> Self {
        Self { name: name.into(), quality: quality.to_string(), runner, is_void: false }
    }
}

pub struct Bench {
    pub pace: Pace,
    pub bar: ProgressBar,
    pub rows: Vec<Row>,
    pub points: Vec<Point>,
    /// Rivals that could not take part, and why.
    pub skipped: Vec<String>,
    /// Where the laps go that somebody counts the instructions of, instead of a race.
    pub laps: Option<Vec<Lap>>,
}

impl Bench {
    pub fn new(pace: Pace, bar: ProgressBar) -> Self {
        let (rows, points, skipped) = (Vec::new(), Vec::new(), Vec::new());
        Self { pace, bar, rows, points, skipped, laps: None }
    }

    /// Measures sinew and its rivals, and writes a row for each rival.
    ///
    /// Returns each name with its median seconds a unit, ours first.
    pub fn race(
        &mut self,
        task: &str,
        unit: Unit,
        ours: Entry<'_>,
        rivals: Vec<Entry<'_>>,
    ) -> Result<Vec<(String, f64)>> {
        self.announce(task);
        if let Some(laps) = &mut self.laps {
            for entry in std::iter::once(ours).chain(rivals) {
                laps.push(Lap::of(task, entry)?);
            }
            return Ok(Vec::new());
        }
        let (mut names, mut runners) = (Vec::new(), Vec::new());
        for entry in std::iter::once(ours).chain(rivals) {
            names.push((entry.name, entry.quality, entry.is_void));
            runners.push(entry.runner);
        }
        let times = race(self.pace, &mut runners).with_context(|| task.to_owned())?;
        let row = |rival| Row {
            task: task.to_owned(),
            unit,
            seconds: times.seconds[0],
            quality: names[0].1.clone(),
            rival,
        };
        let rivals = names.iter().enumerate().skip(1).map(|(i, (name, quality, is_void))| Rival {
            name: name.clone(),
            seconds: times.seconds[i],
            ratio: (!is_void).then_some(times.ratios[i]),
            quality: quality.clone(),
        });
        let mut rows: Vec<_> = rivals.map(|rival| row(Some(rival))).collect();
        if rows.is_empty() {
            rows.push(row(None));
        }
        self.rows.extend(rows);
        Ok(names.into_iter().map(|(name, ..)| name).zip(times.seconds).collect())
    }

    /// Puts a race's times, `units` to a solve, into a panel of the plot.
    pub fn plot(&mut self, panel: &'static str, bones: u16, times: &[(String, f64)], units: f64) {
        for (name, seconds) in times {
            // The library's name; which of its solvers it is, the table says.
            let name = name.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
            self.points.push(Point { panel, name, bones, seconds: seconds * units });
        }
    }

    /// For families that prepare more than they measure.
    pub fn announce(&self, task: &str) {
        self.bar.set_message(task.to_owned());
        // Where there is no terminal to draw a bar on.
        if self.bar.is_hidden() {
            eprintln!("{task}");
        }
    }

    /// Notes a rival that cannot take part, once.
    pub fn skip(&mut self, rival: &str, why: &anyhow::Error) {
        let note = format!("{rival}: {why:#}");
        if !self.skipped.contains(&note) {
            self.skipped.push(note);
        }
    }

    /// Takes a rival that may not be there.
    pub fn entrant<'a>(&mut self, rival: &str, entry: Result<Entry<'a>>) -> Option<Entry<'a>> {
        entry.map_err(|why| self.skip(rival, &why)).ok()
    }
}

/// A crate by name and version, as the lock file has it.
pub fn locked(name: &str) -> String {
    let mut text = name.to_owned();
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split("[[package]]").find(|p| p.contains(&format!("name = \"{name}\"\n")));
    let version = entry.and_then(|p| p.split("version = \"").nth(1)?.split('"').next());
    if let Some(version) = version {
        let _ = write!(text, " {version}");
    }
    text
}

/// The names of the rivals that this program was built without.
pub fn left_out() -> Vec<&'static str> {
    let built = [
        ("bevy_math, bevy_curve", cfg!(feature = "bevy")),
        ("charmed-harmonica", cfg!(feature = "harmonica")),
        ("k", cfg!(feature = "k")),
        ("keyframe", cfg!(feature = "keyframe")),
        ("kurbo", cfg!(feature = "kurbo")),
        ("lyon_geom", cfg!(feature = "lyon")),
        ("rapier3d", cfg!(feature = "rapier")),
        ("rebirth-ik", cfg!(feature = "rebirth")),
        ("simple-easing", cfg!(feature = "simple-easing")),
        ("skelly", cfg!(feature = "skelly")),
        ("spring_damper", cfg!(feature = "spring-damper")),
        ("springs", cfg!(feature = "springs")),
    ];
    built.into_iter().filter(|(_, is_built)| !is_built).map(|(name, _)| name).collect()
}
