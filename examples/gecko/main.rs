//! A gecko follows a fly over uneven ground: everything the crate does, on one animal.
//!
//! `cargo run --release --example gecko` writes an animation that plays in a browser, and prints
//! what a user would check.

mod creature;
#[path = "../common/exit.rs"]
mod exit;
#[path = "../film/mod.rs"]
mod film;
#[path = "../common/options.rs"]
mod options;
mod picture;
mod sketch;
mod tally;
mod terrain;
#[path = "../common/write.rs"]
mod write;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::{Parser, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use creature::Gecko;
use sketch::Moment;
use tally::Tally;
use terrain::Route;

/// A gecko follows a fly over uneven ground.
///
/// Writes an animated SVG that plays in a browser, and prints what a user would check.
#[derive(Parser)]
struct Options {
    /// How long it runs, in seconds (1 to 120).
    #[arg(long, default_value_t = 20.0, value_parser = options::seconds(1.0..=120.0))]
    seconds: f32,
    /// Frames a second of the simulation (5 to 1000).
    #[arg(long, default_value_t = 60, value_parser = value_parser!(u16).range(5..=1000))]
    fps: u16,
    /// A file with the points of the fly's round, `x z` a line, instead of the standard one.
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// The animation to write.
    #[arg(long, default_value = "out/gecko.svg")]
    out: PathBuf,
    /// Also write so many stills, evenly spread, beside the animation.
    #[arg(long, value_name = "N", default_value_t = 0)]
    still: u16,
}

/// How fast the fly flies, in body lengths a second.
const FLY: f32 = 0.62;

/// Pictures a second of the animation; the browser goes straight from one to the next.
const PICTURES: u16 = 15;

fn main() -> ExitCode {
    exit::code(run_all(&Options::parse()))
}

fn run_all(options: &Options) -> Result<()> {
    let route = options.path.as_deref().map_or_else(|| Ok(Route::standard()), Route::read)?;
    let rates = [30, 60, 144, options.fps];
    let frames = rates.map(|fps| frames(options.seconds, fps));
    let bar = ProgressBar::new(frames.iter().map(|n| u64::from(*n)).sum());
    bar.set_style(ProgressStyle::with_template("{msg:>8} {wide_bar} {percent:>3} %")?);
    let run = |fps: u16| {
        bar.set_message(format!("{fps} fps"));
        walk(&route, options.seconds, fps, || bar.inc(1))
    };
    let (slow, middle, fast) = (run(30)?, run(60)?, run(144)?);
    let (moments, tally) = run(options.fps)?;
    bar.finish_and_clear();

    picture::save(&options.out, &moments, options.seconds, options.still)?;
    tally.print([&slow.1, &middle.1, &fast.1]);
    Ok(())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 120 000")]
fn frames(seconds: f32, fps: u16) -> u32 {
    (seconds * f32::from(fps)).round() as u32
}

/// A run at one frame rate, which ticks frame by frame: what each picture shows, and what was
/// counted.
fn walk(route: &Route, seconds: f32, fps: u16, tick: impl Fn()) -> Result<(Vec<Moment>, Tally)> {
    let dt = 1.0 / f32::from(fps);
    let fly = route.fly(0.0, FLY)?;
    let mut gecko = Gecko::new(fly.x - 1.4, fly.z + 0.5, fly)?;
    let (mut moments, mut tally) = (Vec::new(), Tally::default());
    let mut prints = Vec::new();
    for frame in 1..=frames(seconds, fps) {
        let time = frame as f32 * dt;
        let fly = route.fly(time, FLY)?;
        let before = gecko.clone();
        let began = Instant::now();
        gecko.advance(fly, dt)?;
        tally.count(&before, &gecko, dt, began.elapsed())?;
        prints.extend(
            (0..4)
                .filter(|&i| before.feet[i].phase().is_some() && gecko.feet[i].phase().is_none())
                .map(|i| (i, gecko.feet[i].position, gecko.feet[i].rotation)),
        );
        if time + 0.5 * dt >= moments.len() as f32 / f32::from(PICTURES) {
            let prints = std::mem::take(&mut prints);
            moments.push(Moment { gecko: gecko.clone(), fly, prints });
        }
        tick();
    }
    Ok((moments, tally))
}
