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
#[path = "common/marks.rs"]
mod marks;
#[path = "common/write.rs"]
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use sinew::glam::{DVec2, Vec2};
use sinew::{
    DistanceConstraint, Relaxation, Verlet, chain_constraints, chain_residual,
    distance_constraints, verlet_step,
};
use svg::Document;
use svg::node::element::{Polyline, Rectangle, Style};

use marks::{circle, line, round, text};

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
    write::picture(&options.out, &plot(&curves))
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

const STYLE: &str = "text { font: 14px sans-serif; fill: #333 } .title { font-size: 17px } \
    .name { font-size: 12px } .middle { text-anchor: middle } .end { text-anchor: end } \
    .grid { stroke: #ddd8cc } .curve { fill: none; stroke-width: 2.5 }";

/// Where so many passes are, along an axis that is logarithmic.
fn across(passes: u16) -> f64 {
    90.0 + f64::from(passes).log2() / 6.0 * 560.0
}

/// Where a stretch is, along an axis that is logarithmic, too.
fn down(stretch: f64) -> f64 {
    120.0 + (1.0 - stretch.max(1e-7).log10()) / 8.0 * 310.0
}

fn plot(curves: &[Curve<'_>]) -> Document {
    let title = "Worst stretch of a bone: a rope of 64 particles, let go level";
    let axis = "passes over the rope in a frame of 1/60 s";
    let paper = Rectangle::new().set("width", 720).set("height", 500).set("fill", "#fcfbf7");
    let document = Document::new()
        .set("viewBox", (0, 0, 720, 500))
        .add(Style::new(STYLE))
        .add(paper)
        .add(text(title, 90.0, 36.0, "title"))
        .add(text(axis, 370.0, 480.0, "middle"));
    let places = [100.0, 285.0, 495.0];
    let curves = curves.iter().zip(places);
    curves.fold(grid(document), |document, (curve, x)| draw(document, curve, x))
}

/// A line for each power of ten of the stretch, and for each power of two of the passes.
fn grid(mut document: Document) -> Document {
    let (left, right) = (across(1), across(64));
    for power in (-7..=1).rev() {
        let y = down(10.0_f64.powi(power));
        let label = match power {
            1 => "× 11".into(),
            0 => "× 2".into(),
            -2 => "1 %".into(),
            -1 => "10 %".into(),
            n => format!("1e{n}"),
        };
        let line = line(DVec2::new(left, y), DVec2::new(right, y), "grid");
        document = document.add(line).add(text(label, left - 10.0, y + 5.0, "end"));
    }
    let (top, bottom) = (down(10.0), down(1e-7));
    for n in (0..=6).map(|power| 1 << power) {
        let x = across(n);
        let line = line(DVec2::new(x, top), DVec2::new(x, bottom), "grid");
        document = document.add(line).add(text(n.to_string(), x, bottom + 24.0, "middle"));
    }
    document
}

/// A curve, and its name above the plot.
fn draw(document: Document, (name, colour, curve): &Curve<'_>, x: f64) -> Document {
    let dot = |at: DVec2, radius: f64| circle(at, radius, "").set("fill", *colour);
    let places = curve.iter().map(|&(n, stretch)| DVec2::new(across(n), down(stretch.into())));
    let points: Vec<_> =
        places.clone().map(|at| format!("{},{}", round(at.x), round(at.y))).collect();
    let line = Polyline::new().set("points", points.join(" ")).set("class", "curve");
    places
        .fold(document, |document, at| document.add(dot(at, 4.0)))
        .add(line.set("stroke", *colour))
        .add(text(*name, x + 14.0, 72.0, "name"))
        .add(dot(DVec2::new(x + 4.0, 68.0), 5.0))
}
