//! A figure of the plane takes an apple, climbs a ledge and aims at a balloon: inverse kinematics
//! blended into an animation, and out of it again.
//!
//! `cargo run --release --example reach_2d` writes an animation that plays in a browser, and
//! prints what a user would check.

#[path = "../common/exit.rs"]
mod exit;
mod figure;
#[path = "../film/mod.rs"]
mod film;
mod script;
#[path = "../common/write.rs"]
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, value_parser};
use indicatif::ProgressBar;
use sinew::glam::Vec2;
use svg::Document;
use svg::node::element::{Path as Shape, Rectangle};

use figure::Figure;
use film::{Coat, Part, dot, line};
use script::{Hold, LEDGE, SECONDS};

/// A figure of the plane takes an apple, climbs a ledge and aims at a balloon.
///
/// Writes an animated SVG that plays in a browser, and prints what a user would check.
#[derive(Parser)]
struct Options {
    /// Frames a second of the simulation (10 to 1000).
    #[arg(long, default_value_t = 60, value_parser = value_parser!(u16).range(10..=1000))]
    fps: u16,
    /// The animation to write.
    #[arg(long, default_value = "out/reach_2d.svg")]
    out: PathBuf,
    /// Also write so many stills, evenly spread, beside the animation.
    #[arg(long, value_name = "N", default_value_t = 0)]
    still: u16,
}

/// Pictures a second of the animation; the browser goes straight from one to the next.
const PICTURES: u16 = 15;

fn main() -> ExitCode {
    exit::code(run_all(&Options::parse()))
}

fn run_all(options: &Options) -> Result<()> {
    let bar = ProgressBar::new(4);
    let mut runs = Vec::new();
    for fps in [30, 60, 144, options.fps] {
        runs.push(run(fps)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let frames = &runs[3];

    let count = usize::from(PICTURES) * SECONDS as usize;
    let shown: Vec<_> = (0..count).map(|i| &frames[i * frames.len() / count]).collect();
    let parts = parts(&shown);
    let picture =
        |at| page().add(film::parts(&parts, at, SECONDS as f32)).add(film::painted(&COATS, SCALE));
    write::picture(&options.out, &picture(None))?;
    for (i, frame) in film::still_frames(count, options.still).enumerate() {
        let name = options.out.with_extension(format!("{i}.svg"));
        write::picture(&name, &picture(Some(frame)))?;
    }
    report(frames, &runs);
    Ok(())
}

fn run(fps: u16) -> Result<Vec<Figure>> {
    let mut figure = Figure::new()?;
    let mut frames = Vec::new();
    for frame in 1..=u32::from(fps) * SECONDS {
        figure.advance(frame, 1.0 / f32::from(fps))?;
        frames.push(figure.clone());
    }
    Ok(frames)
}

/// The table.
fn report(frames: &[Figure], runs: &[Vec<Figure>]) {
    let pairs = || frames.iter().zip(frames.iter().skip(1));
    let taken = pairs().find(|(_, now)| now.hold == Hold::Hand);
    let miss = taken.map_or(f32::NAN, |(before, _)| before.arms[1][2].distance(script::APPLE));
    let holding = |figure: &Figure, side: usize| {
        figure.weights[side] > 0.999 && figure.goals[side].distance(LEDGE) < 0.2
    };
    let (mut slip, mut jump) = (0.0_f32, 0.0_f32);
    for (before, now) in pairs() {
        for side in 0..2 {
            let moved = now.arms[side][2].distance(before.arms[side][2]);
            jump = jump.max(moved);
            if holding(before, side) && holding(now, side) {
                slip = slip.max(moved);
            }
        }
    }
    println!("hand to apple when it is taken   {:.1} mm", 1e3 * miss);
    println!("hands slip on the ledge          {:.2} mm a frame", 1e3 * slip);
    println!("fastest a hand moves             {:.0} mm a frame", 1e3 * jump);
    let moments = |run: &[Figure]| {
        (1..=SECONDS as usize * 6)
            .filter_map(|i| run.get(i * run.len() / (SECONDS as usize * 6) - 1))
            .map(Figure::hips)
            .collect::<Vec<_>>()
    };
    let exact = moments(&runs[1]);
    let apart = |run: &[Figure]| {
        let gaps = moments(run).into_iter().zip(&exact).map(|(a, b): (Vec2, &Vec2)| a.distance(*b));
        1e3 * gaps.fold(0.0, f32::max)
    };
    println!(
        "hips, 60 fps against 30 and 144  {:.1} and {:.1} mm apart",
        apart(&runs[0]),
        apart(&runs[2])
    );
}

/// Pixels a metre, and what the picture shows.
const SCALE: f32 = 190.0;
const LOW: Vec2 = Vec2::new(-2.3, -0.3);
const SIZE: Vec2 = Vec2::new(5.6, 3.7);

const SKY: &str = "#eaf2f5";
const EARTH: &str = "#7d6b58";
const GRASS: &str = "#8fae5d";
const INK: &str = "#26323d";
const SHIRT: &str = "#e2733a";
const TROUSERS: &str = "#35597a";
const FAR_TROUSERS: &str = "#2a4760";
const SLEEVE: &str = "#c95f2b";
const SKIN: &str = "#f0bf94";
const APPLE: &str = "#c8312c";
const BAG: &str = "#86603c";
const MARK: &str = "#1f9e89";

/// What is painted, from the bottom up.
const COATS: [Coat; 25] = [
    Coat("string", "none", INK, 0.008, 0.6),
    Coat("balloon", "none", INK, 0.3, 1.0),
    Coat("balloon", "none", "#e8b93c", 0.27, 1.0),
    Coat("aim", "none", MARK, 0.014, 0.7),
    Coat("far-arm", "none", INK, 0.125, 1.0),
    Coat("far-arm", "none", SLEEVE, 0.1, 1.0),
    Coat("far-hand", "none", INK, 0.125, 1.0),
    Coat("far-hand", "none", SKIN, 0.1, 1.0),
    Coat("far-leg", "none", INK, 0.155, 1.0),
    Coat("far-leg", "none", FAR_TROUSERS, 0.13, 1.0),
    Coat("bag", "none", INK, 0.245, 1.0),
    Coat("bag", "none", BAG, 0.22, 1.0),
    Coat("near-leg", "none", INK, 0.165, 1.0),
    Coat("near-leg", "none", TROUSERS, 0.14, 1.0),
    Coat("head", "none", INK, 0.285, 1.0),
    Coat("head", "none", SKIN, 0.26, 1.0),
    Coat("eye", "none", INK, 0.035, 1.0),
    Coat("trunk", "none", INK, 0.265, 1.0),
    Coat("trunk", "none", SHIRT, 0.24, 1.0),
    Coat("apple", "none", APPLE, 0.1, 1.0),
    Coat("near-arm", "none", INK, 0.135, 1.0),
    Coat("near-arm", "none", SHIRT, 0.11, 1.0),
    Coat("near-hand", "none", INK, 0.135, 1.0),
    Coat("near-hand", "none", SKIN, 0.11, 1.0),
    Coat("goals", "none", MARK, 0.02, 0.9),
];

fn at(p: Vec2) -> Vec2 {
    Vec2::new(p.x - LOW.x, SIZE.y + LOW.y - p.y) * SCALE
}

fn page() -> Document {
    let size = (SIZE * SCALE).round();
    let mut ground = String::new();
    let (left, right) = (LOW.x - 0.1, LOW.x + SIZE.x + 0.1);
    let corners = [
        Vec2::new(left, 0.0),
        Vec2::new(LEDGE.x, 0.0),
        LEDGE,
        Vec2::new(right, LEDGE.y),
        Vec2::new(right, LOW.y - 0.1),
        Vec2::new(left, LOW.y - 0.1),
    ];
    line(&mut ground, &corners.map(at));
    ground.push('Z');
    Document::new()
        .set("viewBox", (0, 0, size.x, size.y))
        .set("width", size.x)
        .set("height", size.y)
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", SKY))
        .add(
            Shape::new()
                .set("d", ground)
                .set("fill", EARTH)
                .set("stroke", GRASS)
                .set("stroke-width", 12),
        )
}

/// The path of every part in every picture.
fn parts(figures: &[&Figure]) -> Vec<Part> {
    let part = |name, draw: &dyn Fn(usize, &Figure) -> Vec<Vec2>| Part {
        name,
        frames: figures
            .iter()
            .enumerate()
            .map(|(i, figure)| {
                let (points, mut d) = (draw(i, figure), String::new());
                match points[..] {
                    [p] => dot(&mut d, at(p)),
                    _ => line(&mut d, &points.into_iter().map(at).collect::<Vec<_>>()),
                }
                d
            })
            .collect(),
    };
    let time = |i: usize| i as f32 / f32::from(PICTURES);
    let limb = |points: [Vec2; 3]| points.to_vec();
    let cross = |p: Vec2, size: f32| {
        // A diamond that grows with its weight; one that is nothing is put out of sight.
        let (s, p) = if size > 0.02 { (0.055 * size, p) } else { (0.0, LOW - 1.0) };
        [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y, Vec2::X].map(|d| p + d * s)
    };
    vec![
        part("string", &|i, _| {
            let p = script::balloon(time(i));
            vec![p, p - Vec2::new(0.03, 0.25), p - Vec2::new(-0.02, 0.5)]
        }),
        part("balloon", &|i, _| vec![script::balloon(time(i))]),
        part("aim", &|i, f| {
            let (hand, weight) = (f.arms[1][2], f.weights[1]);
            let aims = if time(i) > script::AIMING { weight } else { 0.0 };
            let ahead = (hand - f.arms[1][0]).normalize_or(Vec2::X);
            vec![hand + ahead * 0.1, hand + ahead * (0.1 + 0.8 * aims)]
        }),
        part("far-arm", &|_, f| limb(f.arms[0])),
        part("far-hand", &|_, f| vec![f.arms[0][2]]),
        part("far-leg", &|_, f| foot(f.legs[0])),
        part("bag", &|_, f| vec![script::bag(f.trunk), script::bag(f.trunk).lerp(f.trunk[1], 0.4)]),
        part("near-leg", &|_, f| foot(f.legs[1])),
        part("head", &|_, f| vec![f.head]),
        part("eye", &|_, f| vec![f.head + f.face() * 0.075]),
        part("trunk", &|_, f| f.trunk.to_vec()),
        part("apple", &|_, f| vec![f.apple]),
        part("near-arm", &|_, f| limb(f.arms[1])),
        part("near-hand", &|_, f| vec![f.arms[1][2]]),
        part("goals", &|_, f| cross(f.goals[1], f.weights[1]).to_vec()),
    ]
}

/// A leg with the foot ahead of it.
fn foot(leg: [Vec2; 3]) -> Vec<Vec2> {
    let ankle = leg[2] + Vec2::Y * 0.06;
    vec![leg[0], leg[1], ankle, ankle + Vec2::X * 0.11]
}
