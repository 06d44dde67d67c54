//! What pictures are made of: lines, circles and words.

use sinew::glam::DVec2;
use svg::node::element::{Circle, Line, Text};

pub fn line(from: DVec2, to: DVec2, class: &str) -> Line {
    let line = Line::new().set("x1", round(from.x)).set("y1", round(from.y));
    line.set("x2", round(to.x)).set("y2", round(to.y)).set("class", class)
}

pub fn circle(at: DVec2, radius: f64, class: &str) -> Circle {
    let circle = Circle::new().set("cx", round(at.x)).set("cy", round(at.y));
    circle.set("r", radius).set("class", class)
}

pub fn text(content: impl Into<String>, x: f64, y: f64, class: &str) -> Text {
    Text::new(content).set("x", round(x)).set("y", round(y)).set("class", class)
}

/// A tenth of a pixel is enough, and keeps the file small.
pub fn round(x: f64) -> f64 {
    (10.0 * x).round() / 10.0
}
