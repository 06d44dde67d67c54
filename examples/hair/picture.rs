//! Draws shots: every part is a line with round ends, so that one kind of path does for all.

use std::fmt::Write as _;

use sinew::glam::{Vec2, Vec3};
use svg::Document;
use svg::node::element::{Animate, Path, Rectangle, SVG, Text};

use crate::scene::{HEAD_RADIUS, STRANDS, Shot, facing};

const SKIN: &str = "#e9b99a";
const SKIN_SHADE: &str = "#d9a384";
const SHIRT: &str = "#3d6b75";
const SHIRT_SHADE: &str = "#32585f";
const TROUSERS: &str = "#2f3e4e";
const TROUSERS_SHADE: &str = "#273442";
const ROPE: &str = "#b98b4e";
const HAIR: [&str; 4] = ["#4a2419", "#5b2d1e", "#6d3825", "#7f452d"];

/// Pixels a metre.
const SCALE: f32 = 330.0;
const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 700.0;

/// The camera looks from behind and from the right, and walks along.
struct Camera {
    right: Vec3,
    up: Vec3,
    center: Vec3,
}

impl Camera {
    fn new(shot: &Shot) -> Self {
        let back = Vec3::new(-0.5, 0.16, 0.85).normalize();
        let right = Vec3::Y.cross(back).normalize();
        Self { right, up: back.cross(right), center: shot.body.hips.with_y(0.95).with_z(0.0) }
    }

    fn see(&self, point: Vec3) -> Vec2 {
        let p = point - self.center;
        Vec2::new(0.54 * WIDTH + p.dot(self.right) * SCALE, 0.47 * HEIGHT - p.dot(self.up) * SCALE)
    }
}

type Points = Box<dyn Fn(&Shot) -> Vec<Vec3>>;

/// A part of the picture: where it is in a shot, how thick and what colour.
struct Part {
    points: Points,
    /// Metres.
    width: f32,
    colour: &'static str,
    smooth: bool,
}

fn part(width: f32, colour: &'static str, points: impl Fn(&Shot) -> Vec<Vec3> + 'static) -> Part {
    Part { points: Box::new(points), width, colour, smooth: false }
}

/// On the head, in its own axes.
fn on_head(shot: &Shot, local: &[Vec3]) -> Vec<Vec3> {
    let turn = facing(&shot.body.head);
    local.iter().map(|p| shot.body.head.position + turn * *p).collect()
}

fn strand(i: usize, bare: bool) -> Part {
    let width = if bare { 0.008 } else { 0.022 };
    let colour = HAIR[(i * 7 + usize::from(bare)) % 3 + usize::from(bare)];
    Part { points: Box::new(move |shot| shot.strands[i].clone()), width, colour, smooth: true }
}

/// Everything, from the furthest to the nearest.
fn parts() -> Vec<Part> {
    let mut parts = vec![
        part(0.075, SKIN_SHADE, |s| s.body.arms[0][1..].to_vec()),
        part(0.095, SHIRT_SHADE, |s| s.body.arms[0][..2].to_vec()),
        part(0.12, TROUSERS_SHADE, |s| s.body.legs[0].to_vec()),
        part(0.10, "#222", |s| shoe(s.body.legs[0][2])),
        part(0.15, TROUSERS, |s| s.body.legs[1].to_vec()),
        part(0.10, "#333", |s| shoe(s.body.legs[1][2])),
        part(0.09, SKIN_SHADE, |s| vec![s.body.chest.position, s.body.head.position]),
        part(0.24, TROUSERS, |s| vec![s.body.hips, s.body.hips + Vec3::Y * 0.05]),
        part(0.25, SHIRT, |s| {
            vec![s.body.hips + Vec3::Y * 0.1, s.body.chest.position - Vec3::Y * 0.08]
        }),
        part(0.13, SHIRT, |s| {
            [-0.15, 0.15]
                .map(|z| s.body.chest.position + s.body.chest.rotation * (Vec3::Z * z))
                .to_vec()
        }),
    ];
    // Locks on the left temple, which is the far one.
    parts.extend((STRANDS - 6..STRANDS - 3).map(|i| strand(i, false)));
    parts.push(part(0.03, SKIN, |s| {
        on_head(s, &[Vec3::new(0.1, -0.01, 0.0), Vec3::new(0.122, -0.025, 0.0)])
    }));
    parts.push(part(1.86 * HEAD_RADIUS, SKIN, |s| {
        on_head(s, &[Vec3::new(0.012, -0.02, 0.0), Vec3::new(0.02, -0.045, 0.0)])
    }));
    // The cap of hair, from the brow to the nape.
    parts.push(part(1.96 * HEAD_RADIUS, HAIR[1], |s| {
        on_head(s, &[Vec3::new(-0.012, 0.026, 0.0), Vec3::new(-0.02, 0.0, 0.0)])
    }));
    for (z, colour) in [(-0.05, HAIR[2]), (0.0, HAIR[2]), (0.05, HAIR[2])] {
        parts.push(Part {
            smooth: true,
            ..part(0.009, colour, move |s| {
                on_head(
                    s,
                    &[
                        Vec3::new(0.055, 0.075, 1.3 * z),
                        Vec3::new(0.0, 0.118, 1.2 * z),
                        Vec3::new(-0.06, 0.105, z),
                        Vec3::new(-0.112, 0.06, 0.2 * z),
                    ],
                )
            })
        });
    }
    parts.push(part(0.035, SKIN_SHADE, |s| {
        on_head(s, &[Vec3::new(-0.005, -0.01, 0.1), Vec3::new(-0.005, -0.03, 0.098)])
    }));
    parts.extend((STRANDS - 3..STRANDS).map(|i| strand(i, false)));
    parts.extend((STRANDS - 3..STRANDS).map(|i| strand(i, true)));
    // The ponytail, from its edges to its middle.
    let tail = STRANDS - 6;
    let mut order: Vec<usize> = (0..tail).collect();
    order.sort_by_key(|i| core::cmp::Reverse(i.abs_diff(tail / 2)));
    parts.extend(order.iter().map(|&i| strand(i, false)));
    parts.extend(order.iter().map(|&i| strand(i, true)));
    parts.push(part(0.042, "#c8553d", |s| {
        on_head(s, &[Vec3::new(-0.118, 0.06, -0.016), Vec3::new(-0.118, 0.06, 0.016)])
    }));
    parts.push(Part { smooth: true, ..part(0.022, ROPE, |s| s.rope.clone()) });
    parts.push(part(0.1, SHIRT, |s| s.body.arms[1][..2].to_vec()));
    parts.push(part(0.075, SKIN, |s| s.body.arms[1][1..].to_vec()));
    parts
}

fn shoe(foot: Vec3) -> Vec<Vec3> {
    vec![foot + Vec3::new(-0.02, 0.01, 0.0), foot + Vec3::new(0.13, 0.0, 0.0)]
}

/// A path through points in pixels: straight, or as a quadratic spline that rounds every corner.
fn path(points: &[Vec2], smooth: bool) -> String {
    let mut d = String::new();
    let mut add = |command: &str, p: Vec2| {
        let _ = write!(d, "{command}{:.1} {:.1}", p.x, p.y);
    };
    let [first, inner @ .., last] = points else { return d };
    add("M", *first);
    if smooth && inner.len() > 1 {
        add("Q", inner[0]);
        add(" ", inner[0].midpoint(inner[1]));
        for pair in inner.windows(2).skip(1) {
            add("T", pair[0].midpoint(pair[1]));
        }
    } else {
        for p in inner {
            add("L", *p);
        }
    }
    add("L", *last);
    d
}

fn drawn(part: &Part, shot: &Shot) -> String {
    let camera = Camera::new(shot);
    let points: Vec<Vec2> = (part.points)(shot).into_iter().map(|p| camera.see(p)).collect();
    path(&points, part.smooth)
}

fn stroke(part: &Part, d: String) -> Path {
    Path::new()
        .set("d", d)
        .set("fill", "none")
        .set("stroke", part.colour)
        .set("stroke-width", format!("{:.1}", part.width * SCALE))
        .set("stroke-linecap", "round")
        .set("stroke-linejoin", "round")
}

/// Paving, so that the walk is seen: joints of stones 0.7 m apart.
fn ground(shot: &Shot) -> Vec<String> {
    let camera = Camera::new(shot);
    let first = (shot.body.hips.x / 0.7).floor() * 0.7;
    (-4..5_i8)
        .map(|i| {
            let x = first + 0.7 * f32::from(i);
            let ends = [-0.75, 0.9].map(|z| camera.see(Vec3::new(x, 0.0, z)));
            path(&ends, false)
        })
        .collect()
}

fn paving(d: String) -> Path {
    Path::new().set("d", d).set("fill", "none").set("stroke", "#d9cfba").set("stroke-width", 3)
}

fn animate(values: &[String], seconds: f32) -> Animate {
    Animate::new()
        .set("attributeName", "d")
        .set("dur", format!("{seconds}s"))
        .set("repeatCount", "indefinite")
        .set("values", values.join(";"))
}

fn background(width: f32) -> Rectangle {
    Rectangle::new().set("width", width).set("height", HEIGHT).set("fill", "#f3ecdd")
}

/// The whole walk, for a browser.
pub fn animation(shots: &[Shot], seconds: f32) -> Document {
    let mut document = Document::new().set("viewBox", (0, 0, WIDTH, HEIGHT)).add(background(WIDTH));
    let stones: Vec<Vec<String>> = shots.iter().map(ground).collect();
    for i in 0..stones[0].len() {
        let values: Vec<String> = stones.iter().map(|s| s[i].clone()).collect();
        // Stones are handed on from one line to the next, not moved back.
        let still = animate(&values, seconds).set("calcMode", "discrete");
        document = document.add(paving(values[0].clone()).add(still));
    }
    for part in parts() {
        let values: Vec<String> = shots.iter().map(|shot| drawn(&part, shot)).collect();
        document = document.add(stroke(&part, values[0].clone()).add(animate(&values, seconds)));
    }
    document
}

/// Eight instants side by side.
pub fn stills(shots: &[Shot]) -> Document {
    const COUNT: usize = 8;
    const EACH: f32 = 0.62 * WIDTH;
    let (width, height) = (EACH * COUNT as f32 / 2.0, 2.0 * HEIGHT);
    let mut document = Document::new()
        .set("viewBox", (0, 0, width, height))
        .add(background(width).set("height", height));
    let parts = parts();
    for i in 0..COUNT {
        let index = i * (shots.len() - 1) / (COUNT - 1);
        let Some(shot) = shots.get(index) else { continue };
        let mut panel = SVG::new()
            .set("x", EACH * (i % 4) as f32)
            .set("y", HEIGHT * (i / 4) as f32)
            .set("width", EACH)
            .set("height", HEIGHT)
            .set("viewBox", (0.2 * WIDTH, 0, EACH, HEIGHT));
        for stone in ground(shot) {
            panel = panel.add(paving(stone));
        }
        for part in &parts {
            panel = panel.add(stroke(part, drawn(part, shot)));
        }
        let label = Text::new(format!("{:.1} s", index as f32 / 20.0))
            .set("x", 0.24 * WIDTH)
            .set("y", 40)
            .set("font-family", "sans-serif")
            .set("font-size", 22)
            .set("fill", "#8a7f6a");
        document = document.add(panel.add(label));
    }
    document
}
