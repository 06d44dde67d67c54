//! A walk in the wind: a head that turns, walks and stops, with a ponytail, side locks and a rope
//! in hand.
//!
//! Writes an animated picture and a strip of stills, and prints how the same seconds come out at
//! other frame rates.
//!
//! ```text
//! cargo run --release --example hair
//! ```

mod body;
#[path = "../common/exit.rs"]
mod exit;
#[path = "../common/options.rs"]
mod options;
mod picture;
mod scene;
#[path = "../common/write.rs"]
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::glam::Vec3;

use scene::Scene;

/// Hair, a rope and a walk in the wind, at any frame rate.
#[derive(Parser)]
struct Options {
    /// Folder to write `hair.svg` and `hair_stills.svg` to.
    #[arg(long, default_value = "out")]
    out: PathBuf,
    /// Seconds to simulate.
    #[arg(long, default_value_t = 9.0, value_parser = options::seconds(0.5..=60.0))]
    seconds: f32,
    /// Only the pictures, without the table of frame rates.
    #[arg(long)]
    no_table: bool,
}

fn main() -> ExitCode {
    exit::code(run_all(&Options::parse()))
}

fn run_all(options: &Options) -> Result<()> {
    pictures(options)?;
    if !options.no_table {
        table(options.seconds)?;
    }
    Ok(())
}

/// The animation, a picture every twentieth of a second.
fn pictures(options: &Options) -> Result<()> {
    let mut scene = Scene::at_rest(120.0)?;
    let mut shots = Vec::new();
    let frames = frames(options.seconds, 120.0);
    let bar = ProgressBar::new(u64::from(frames))
        .with_style(ProgressStyle::with_template("walking {wide_bar} {pos}/{len} frames")?);
    for frame in 0..frames {
        let _ = scene.advance(if frame == 0 { 0.0 } else { 1.0 / 120.0 })?;
        if frame % 6 == 0 {
            shots.push(scene.shot());
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    write::picture(&options.out.join("hair.svg"), &picture::animation(&shots, options.seconds))?;
    write::picture(&options.out.join("hair_stills.svg"), &picture::stills(&shots))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked by the option's range"
)]
fn frames(seconds: f32, fps: f32) -> u32 {
    (seconds * fps).round() as u32 + 1
}

/// What one frame rate gives.
struct Run {
    /// The tips of all strands at every tenth of a second.
    tips: Vec<Vec<Vec3>>,
    /// The worst error of a bone's length, as a share of it; and in roundings of the coordinates
    /// that its ends have.
    worst_length: f32,
    worst_roundings: f32,
    worst_depth: f32,
    nanoseconds_a_joint: f64,
}

impl Run {
    /// How far the tips are from those of another run, as a share of their strands' lengths.
    fn off(&self, truth: &Self) -> f32 {
        let off = self.tips.iter().zip(&truth.tips).flat_map(|(a, b)| {
            a.iter().zip(b).zip(scene::strand_lengths()).map(|((a, b), l)| a.distance(*b) / l)
        });
        off.fold(0.0, f32::max)
    }
}

/// Prints the same seconds at several frame rates.
fn table(seconds: f32) -> Result<()> {
    let truth = run(seconds, 60.0)?;
    println!("\n fps   tips off 60 fps   length error, in roundings*   penetration   ns a joint");
    for fps in [20.0, 30.0, 60.0, 144.0, 240.0] {
        let run = run(seconds, fps)?;
        println!(
            "{fps:4}   {:13.2} %   {:12.1e} {:14.1}   {:8.4} mm   {:10.0}",
            run.off(&truth) * 100.0,
            run.worst_length,
            run.worst_roundings,
            run.worst_depth * 1e3,
            run.nanoseconds_a_joint,
        );
    }
    println!(
        "* of a coordinate, for the bones are short and have walked metres away from the origin"
    );
    Ok(())
}

fn run(seconds: f32, fps: f32) -> Result<Run> {
    let mut scene = Scene::at_rest(fps)?;
    let already = scene.spent();
    let (mut worst_length, mut worst_roundings, mut worst_depth) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut tips: Vec<Vec<Vec3>> = Vec::new();
    let mut before: (f32, Vec<Vec3>) = (0.0, Vec::new());
    let frames = frames(seconds, fps);
    for frame in 0..frames {
        let report = scene.advance(if frame == 0 { 0.0 } else { 1.0 / fps })?;
        worst_depth = worst_depth.max(report.penetration);
        for (share, roundings) in scene.length_errors() {
            worst_length = worst_length.max(share);
            worst_roundings = worst_roundings.max(roundings);
        }
        let time = frame as f32 / fps;
        let now = (time, scene.tips());
        // A tenth of a second may lie between two frames.
        let due = tips.len() as f32 / 10.0;
        if time >= due - 1e-4 {
            let share = if frame == 0 { 1.0 } else { (due - before.0) / (now.0 - before.0) };
            let earlier = if frame == 0 { &now.1 } else { &before.1 };
            let at = earlier.iter().zip(&now.1).map(|(a, b)| a.lerp(*b, share.min(1.0)));
            tips.push(at.collect());
        }
        before = now;
    }
    let joints = f64::from(frames) * scene::JOINTS as f64;
    Ok(Run {
        tips,
        worst_length,
        worst_roundings,
        worst_depth,
        nanoseconds_a_joint: (scene.spent() - already) * 1e9 / joints,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every tenth of a second the tips are within 2 % of the strand's length of where 60 frames
    /// a second have them; lengths are off by no more than coordinates are rounded; and the deepest
    /// tail lies in the shoulders, the thinnest collider, by less than 1e-4 of its radius.
    #[test]
    fn hair_moves_the_same_at_any_rate() {
        let truth = run(9.0, 60.0).unwrap();
        for fps in [30.0, 60.0, 144.0, 240.0] {
            let run = run(9.0, fps).unwrap();
            let off = run.off(&truth);
            assert!(run.tips.len() == truth.tips.len() && off < 0.02, "{fps} fps: {off}");
            assert!(run.worst_roundings < 2.0, "{fps} fps: {}", run.worst_roundings);
            assert!(run.worst_depth < 1e-4 * 0.065, "{fps} fps: {}", run.worst_depth);
        }
    }
}
