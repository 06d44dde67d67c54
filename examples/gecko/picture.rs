//! Writes the animation, an SVG whose paths turn into one another, and stills.

use std::path::Path;

use anyhow::Result;
use svg::Document;
use svg::node::element::{Group, Path as Shape, Rectangle};

use crate::film::{self, Coat, Part, play};
use crate::sketch::{Camera, Moment, Sketch};
use crate::write;

const SAND: &str = "#f4ecdb";
const RIPPLES: &str = "#dfd2b4";
const TRACKS: &str = "#b39d6e";
const SHADOW: &str = "#6b5836";
const SKIN: &str = "#58b35a";
const SHADE: &str = "#4a9c4f";
const EDGE: &str = "#245b38";
const GLOW: &str = "#a5dc7f";
const SPOTS: &str = "#d9532c";
const EYES: &str = "#fff6d6";
const DARK: &str = "#1d1d22";
const WINGS: &str = "#8aa0b8";

/// Seconds for which a footprint stays.
const PRINT: f32 = 5.0;

/// A part of the picture that moves: its name, and how its path is drawn.
type Drawn = (&'static str, fn(&Sketch<'_>) -> String);

/// Every part of the picture that moves.
const SHAPES: [Drawn; 16] = [
    ("shadow", |s| s.shadow()),
    ("leg-shadows", |s| s.leg_shadows()),
    ("fly-shadow", |s| s.fly_shadow()),
    ("toes", |s| s.toes()),
    ("pads", |s| s.pads()),
    ("lower", |s| s.lower_legs()),
    ("upper", |s| s.upper_legs()),
    ("body", |s| s.body()),
    ("back", |s| s.back()),
    ("spots", |s| s.spots()),
    ("head", |s| s.head()),
    ("brow", |s| s.brow()),
    ("eyes", |s| s.eyeballs()),
    ("pupils", |s| s.pupils()),
    ("wings", |s| s.wings()),
    ("fly", |s| s.fly()),
];

/// What is painted, from the bottom up.
const COATS: [Coat; 22] = [
    Coat("shadow", SHADOW, "none", 0.0, 0.22),
    Coat("leg-shadows", "none", SHADOW, 0.06, 0.18),
    Coat("fly-shadow", "none", SHADOW, 0.05, 0.25),
    Coat("toes", "none", EDGE, 0.052, 1.0),
    Coat("pads", "none", EDGE, 0.067, 1.0),
    Coat("lower", "none", EDGE, 0.09, 1.0),
    Coat("upper", "none", EDGE, 0.117, 1.0),
    Coat("toes", "none", SKIN, 0.03, 1.0),
    Coat("pads", "none", GLOW, 0.045, 1.0),
    Coat("lower", "none", SHADE, 0.068, 1.0),
    Coat("upper", "none", SKIN, 0.095, 1.0),
    Coat("body", SKIN, EDGE, 0.022, 1.0),
    Coat("back", "none", GLOW, 0.11, 0.4),
    Coat("spots", "none", SPOTS, 0.038, 0.95),
    Coat("head", SKIN, EDGE, 0.022, 1.0),
    Coat("brow", GLOW, "none", 0.0, 0.4),
    Coat("eyes", "none", EDGE, 0.1, 1.0),
    Coat("eyes", "none", EYES, 0.076, 1.0),
    Coat("pupils", "none", DARK, 0.042, 1.0),
    Coat("wings", "none", WINGS, 0.03, 0.8),
    Coat("fly", "none", DARK, 0.055, 1.0),
    Coat("fly", "none", SPOTS, 0.02, 1.0),
];

/// A footprint: when, and what it looks like.
struct Print {
    at: f32,
    d: String,
}

/// Writes the animation and the stills.
pub fn save(out: &Path, moments: &[Moment], seconds: f32, stills: u16) -> Result<()> {
    let camera = Camera::around(moments);
    let prints = prints(&camera, moments, seconds);
    let part = |(name, draw): &Drawn| Part {
        name,
        frames: moments.iter().map(|moment| draw(&Sketch { camera: &camera, moment })).collect(),
    };
    let parts: Vec<_> = SHAPES.iter().map(part).collect();
    let picture = |tracks: Group, frame| {
        let page = page(&camera).add(film::parts(&parts, frame, seconds)).add(tracks);
        page.add(film::painted(&COATS, camera.scale))
    };
    let moving = picture(moving_tracks(&camera, &prints, seconds), None);
    write::picture(out, &moving)?;
    for (i, frame) in film::still_frames(moments.len(), stills).enumerate() {
        let now = seconds * frame as f32 / moments.len() as f32;
        let page = picture(tracks_at(&camera, &prints, now), Some(frame));
        write::picture(&out.with_extension(format!("{i}.svg")), &page)?;
    }
    Ok(())
}

fn prints(camera: &Camera, moments: &[Moment], seconds: f32) -> Vec<Print> {
    let interval = seconds / moments.len() as f32;
    let mut all = Vec::new();
    for (i, moment) in moments.iter().enumerate() {
        for (foot, at, rotation) in &moment.prints {
            all.push(Print { at: i as f32 * interval, d: camera.print(*foot, *at, *rotation) });
        }
    }
    all
}

/// The ground, on which all is drawn.
fn page(camera: &Camera) -> Document {
    let (w, h) = (camera.size.x.round(), camera.size.y.round());
    let ripples = Shape::new()
        .set("d", camera.ground())
        .set("fill", "none")
        .set("stroke", RIPPLES)
        .set("stroke-width", 1.2);
    Document::new()
        .set("viewBox", (0, 0, w, h))
        .set("width", w)
        .set("height", h)
        .add(Rectangle::new().set("width", w).set("height", h).set("fill", SAND))
        .add(ripples)
}

fn tracks(camera: &Camera) -> Group {
    Group::new()
        .set("fill", "none")
        .set("stroke", TRACKS)
        .set("stroke-width", format!("{:.1}", 0.03 * camera.scale))
        .set("stroke-linecap", "round")
}

/// Footprints that appear and fade.
fn moving_tracks(camera: &Camera, prints: &[Print], seconds: f32) -> Group {
    let mut ground = tracks(camera);
    for print in prints {
        let share = |t: f32| format!("{:.4}", (t / seconds).clamp(0.0, 1.0));
        let times = [print.at, print.at + 0.02, print.at + PRINT].map(share).join(";");
        let fade = play("opacity", seconds, "0;0;.8;0;0").set("keyTimes", format!("0;{times};1"));
        ground = ground.add(Shape::new().set("d", print.d.as_str()).set("opacity", 0).add(fade));
    }
    ground
}

/// The footprints that are there at a time.
fn tracks_at(camera: &Camera, prints: &[Print], now: f32) -> Group {
    let mut ground = tracks(camera);
    for print in prints.iter().filter(|print| (print.at..print.at + PRINT).contains(&now)) {
        let left = 0.8 * (1.0 - (now - print.at) / PRINT);
        ground = ground
            .add(Shape::new().set("d", print.d.as_str()).set("opacity", format!("{left:.2}")));
    }
    ground
}
