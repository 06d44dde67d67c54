//! How well a rope of 64 particles keeps its length, and what that costs: Gauss-Seidel iterations,
//! substeps, and the chain form.
//!
//! A rope is let go level and swings for a second at 60 frames a second. Each point of the plot is
//! the worst stretch of a bone that any frame of it has shown, for so many passes over the rope a
//! frame.
//!
//! ```text
//! cargo run --release --example rope
//! ```

#[path = "common/exit.rs"]
mod exit;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use sinew::glam::Vec2;
use sinew::{
    DistanceConstraint, Relaxation, Verlet, chain_constraints, chain_residual,
    distance_constraints, verlet_step,
};
use svg::Document;
use svg::node::element::{Circle, Line, Path, Rectangle, Text, path::Data};

const PARTICLES: usize = 64;
const BONE: f32 = 1.0 / 63.0;
const FRAME: f32 = 1.0 / 60.0;

/// Plots the stretch of a rope against the passes over it.
#[derive(Parser)]
struct Options {
    /// Where to write the plot.
    #[arg(long, default_value = "out/rope.svg")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq)]
enum Method {
    /// All passes in one step.
    Iterations,
    /// One pass in each of as many shorter steps.
    Substeps,
    /// As many shorter steps with the chain form.
    Chain,
}

fn main() -> ExitCode {
    exit::code(run_all(&Options::parse()))
}

fn run_all(options: &Options) -> Result<()> {
    let passes = [1, 2, 4, 8, 16, 32, 64];
    let series = [
        (Method::Iterations, "Gauss-Seidel iterations", "#c8553d"),
        (Method::Substeps, "XPBD, one iteration a substep", "#2b7a78"),
        (Method::Chain, "chain form, one pass a substep", "#28587b"),
    ];
    let mut curves = Vec::new();
    println!("{:32}{}", "passes", passes.map(|n| format!("{n:>10}")).concat());
    for (method, name, colour) in series {
        let mut curve = Vec::new();
        for n in passes {
            curve.push((n, worst_stretch(method, n)?));
        }
        println!(
            "{name:32}{}",
            curve.iter().map(|(_, y)| format!("{y:>10.1e}")).collect::<Vec<_>>().concat()
        );
        curves.push((name, colour, curve));
    }
    if let Some(folder) = options.out.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("no folder {}", folder.display()))?;
    }
    svg::save(&options.out, &plot(&curves))
        .with_context(|| format!("cannot write {}", options.out.display()))?;
    println!("{}", options.out.display());
    Ok(())
}

/// The worst stretch of a bone, as a share of its length, over a second of swinging.
fn worst_stretch(method: Method, passes: u16) -> Result<f32> {
    let masses: Vec<f32> = (0..PARTICLES).map(|i| if i == 0 { 0.0 } else { 1.0 }).collect();
    let rods: Vec<_> = (1..PARTICLES)
        .map(|i| DistanceConstraint {
            particles: [i - 1, i],
            rest: BONE,
            ..DistanceConstraint::default()
        })
        .collect();
    let lengths = vec![BONE; PARTICLES - 1];
    let mut positions: Vec<_> = (0..PARTICLES).map(|i| Vec2::X * (i as f32 * BONE)).collect();
    let mut previous = positions.clone();
    let (steps, iterations) = if method == Method::Iterations { (1, passes) } else { (passes, 1) };
    let dt = FRAME / f32::from(steps);
    let fall =
        Verlet { acceleration: Vec2::NEG_Y * 9.81, inverse_masses: &masses, ..Verlet::default() };
    let relaxation = Relaxation { inverse_masses: &masses, iterations: iterations.into(), dt };
    let mut worst = 0.0_f32;
    for _ in 0..60 {
        for _ in 0..steps {
            let _ = verlet_step(&mut positions, &mut previous, &fall, dt)?;
            let _ = match method {
                Method::Chain => chain_constraints(&mut positions, &mut previous, &lengths, 0.95)?,
                _ => distance_constraints(&mut positions, &rods, &mut [], &relaxation)?,
            };
        }
        worst = worst.max(chain_residual(&positions, &lengths)?.largest / BONE);
    }
    Ok(worst)
}

type Curve<'a> = (&'a str, &'a str, Vec<(u16, f32)>);

/// Where so many passes are, along an axis that is logarithmic.
fn across(passes: f32) -> f32 {
    90.0 + passes.log2() / 6.0 * 560.0
}

/// Where a stretch is, along an axis that is logarithmic, too.
fn down(stretch: f32) -> f32 {
    120.0 + (1.0 - stretch.max(1e-7).log10()) / 8.0 * 310.0
}

fn plot(curves: &[Curve<'_>]) -> Document {
    let title = "Worst stretch of a bone: a rope of 64 particles, let go level";
    let axis = "passes over the rope in a frame of 1/60 s";
    let paper = Rectangle::new().set("width", 720).set("height", 500).set("fill", "#fcfbf7");
    let document = Document::new()
        .set("viewBox", (0, 0, 720, 500))
        .add(paper)
        .add(text(title, (90.0, 36.0), "start").set("font-size", 17))
        .add(text(axis, (370.0, 480.0), "middle"));
    let places = [100.0, 285.0, 495.0];
    let curves = curves.iter().zip(places);
    curves.fold(grid(document), |document, (curve, at)| draw(document, curve, (at, 72.0)))
}

/// A line for each power of ten of the stretch, and for each power of two of the passes.
fn grid(mut document: Document) -> Document {
    for power in (-7..=1).rev() {
        let at = down(10.0_f32.powi(power));
        let label = match power {
            1 => "× 11".into(),
            0 => "× 2".into(),
            -2 => "1 %".into(),
            -1 => "10 %".into(),
            n => format!("1e{n}"),
        };
        let line = rule((90.0, at), (650.0, at));
        document = document.add(line).add(text(label, (80.0, at + 5.0), "end"));
    }
    let (top, bottom) = (down(10.0), down(1e-7));
    for power in 0..=6_u8 {
        let n = f32::from(1_u8 << power);
        let line = rule((across(n), top), (across(n), bottom));
        let label = text(format!("{n}"), (across(n), bottom + 24.0), "middle");
        document = document.add(line).add(label);
    }
    document
}

/// A curve, and its name at a place.
fn draw(mut document: Document, (name, colour, curve): &Curve<'_>, at: (f32, f32)) -> Document {
    let dot = |(x, y): (f32, f32), r: u8| {
        Circle::new().set("cx", x).set("cy", y).set("r", r).set("fill", *colour)
    };
    let mut line = Data::new();
    for (j, &(n, stretch)) in curve.iter().enumerate() {
        let at = (across(n.into()), down(stretch));
        line = if j == 0 { line.move_to(at) } else { line.line_to(at) };
        document = document.add(dot(at, 4));
    }
    let path = Path::new()
        .set("d", line)
        .set("fill", "none")
        .set("stroke", *colour)
        .set("stroke-width", 2.5);
    document
        .add(path)
        .add(text(*name, (at.0 + 14.0, at.1), "start").set("font-size", 12))
        .add(dot((at.0 + 4.0, at.1 - 4.0), 5))
}

fn text(content: impl Into<String>, at: (f32, f32), anchor: &str) -> Text {
    Text::new(content)
        .set("x", at.0)
        .set("y", at.1)
        .set("text-anchor", anchor)
        .set("font-family", "sans-serif")
        .set("font-size", 14)
        .set("fill", "#333")
}

fn rule(from: (f32, f32), to: (f32, f32)) -> Line {
    Line::new()
        .set("x1", from.0)
        .set("y1", from.1)
        .set("x2", to.0)
        .set("y2", to.1)
        .set("stroke", "#ddd8cc")
}
