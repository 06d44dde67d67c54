//! Animated pictures: an SVG whose paths turn into one another, and stills of it.

use std::fmt::Write as _;

use sinew::glam::Vec2;
use svg::node::element::{Animate, Definitions, Group, Path as Shape, Use};

/// Something that moves: its name, and its path in every picture. All its paths have the same
/// commands, so that one can turn into the next.
pub struct Part {
    pub name: &'static str,
    pub frames: Vec<String>,
}

/// A coat of paint: the part, what it is filled with, with what and how broadly (in the scene's
/// unit of length) its line is drawn, and its opacity.
pub struct Coat(pub &'static str, pub &'static str, pub &'static str, pub f32, pub f32);

/// The parts, unpainted: those of one picture, or moving through all of them for ever.
pub fn parts(parts: &[Part], picture: Option<usize>, seconds: f32) -> Definitions {
    let mut definitions = Definitions::new();
    for part in parts {
        let first = part.frames.get(picture.unwrap_or(0)).map_or("", String::as_str);
        let mut path = Shape::new().set("id", part.name).set("d", first);
        if picture.is_none() {
            path = path.add(play("d", seconds, part.frames.join(";")));
        }
        definitions = definitions.add(path);
    }
    definitions
}

/// The parts, painted from the bottom up; `scale` is in pixels a unit of length.
pub fn painted(coats: &[Coat], scale: f32) -> Group {
    let mut group = Group::new().set("stroke-linecap", "round").set("stroke-linejoin", "round");
    for Coat(part, fill, stroke, width, opacity) in coats {
        let mut coat = Use::new().set("href", format!("#{part}")).set("fill", *fill);
        if *width > 0.0 {
            let width = format!("{:.1}", width * scale);
            coat = coat.set("stroke", *stroke).set("stroke-width", width);
        }
        group = group.add(if *opacity < 1.0 { coat.set("opacity", *opacity) } else { coat });
    }
    group
}

/// A change that goes on for ever.
pub fn play(attribute: &str, seconds: f32, values: impl Into<String>) -> Animate {
    Animate::new()
        .set("attributeName", attribute)
        .set("dur", format!("{seconds}s"))
        .set("repeatCount", "indefinite")
        .set("values", values.into())
}

/// Which pictures stills show, when there are so many of each: evenly spread.
pub fn still_frames(pictures: usize, stills: u16) -> impl Iterator<Item = usize> {
    (0..usize::from(stills)).map(move |i| (2 * i + 1) * pictures / (2 * usize::from(stills)))
}

/// Lines through points.
pub fn line(d: &mut String, points: &[Vec2]) {
    for (i, p) in points.iter().enumerate() {
        let _ = write!(d, "{}{:.1} {:.1}", if i == 0 { "M" } else { "L" }, p.x, p.y);
    }
}

/// A dot, which a round line cap makes of a line of no length.
pub fn dot(d: &mut String, p: Vec2) {
    let _ = write!(d, "M{:.1} {:.1}h.01", p.x, p.y);
}
