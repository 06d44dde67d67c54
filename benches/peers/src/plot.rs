//! Time against bones: a panel for each IK family, a line for each library.

use std::collections::BTreeMap;

use sinew::glam::DVec2;
use svg::Document;
use svg::node::element::{Group, Polyline, Rectangle, Style};

use crate::marks::{line, round, text};

/// One measured point.
pub struct Point {
    pub panel: &'static str,
    pub name: String,
    pub bones: u16,
    pub seconds: f64,
}

const PANEL: [f64; 2] = [400.0, 300.0];
/// Left, top, right and bottom of a panel, round its axes.
const MARGIN: [f64; 4] = [58.0, 40.0, 118.0, 44.0];
const COLUMNS: usize = 2;

/// Ours first; told apart without colour too, by the names at their ends.
const COLOURS: [&str; 4] = ["#0b6e4f", "#b5460f", "#3b5bdb", "#7a3e9d"];

const STYLE: &str = "text { font: 12px system-ui, sans-serif; fill: #333 } \
    .title { font-size: 14px; font-weight: 600 } .tick, .axis { font-size: 11px; fill: #666 } \
    .grid { stroke: #e4e4e4 } .line { fill: none; stroke-width: 2 } .name { font-weight: 600 }";

pub fn draw(points: &[Point]) -> Document {
    let mut panels: Vec<&str> = Vec::new();
    for point in points {
        if !panels.contains(&point.panel) {
            panels.push(point.panel);
        }
    }
    let rows = panels.len().div_ceil(COLUMNS);
    let (width, height) = (PANEL[0] * COLUMNS as f64, PANEL[1] * rows as f64);
    let mut document = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "white"));
    for (i, name) in panels.iter().enumerate() {
        let (x, y) = (PANEL[0] * (i % COLUMNS) as f64, PANEL[1] * (i / COLUMNS) as f64);
        let own: Vec<_> = points.iter().filter(|point| point.panel == *name).collect();
        document = document.add(panel(name, &own).set("transform", format!("translate({x} {y})")));
    }
    document
}

/// Logarithmic axes: a method whose cost is linear in the bones is a line of slope 1.
struct Axes {
    bones: [f64; 2],
    seconds: [f64; 2],
}

impl Axes {
    fn of(points: &[&Point]) -> Self {
        let span = |values: &dyn Fn(&Point) -> f64| {
            let all = points.iter().map(|point| values(point));
            all.fold([f64::INFINITY, 0.0], |[low, high], v| [low.min(v), high.max(v)])
        };
        let [fastest, slowest] = span(&|point| point.seconds);
        let decade = |seconds: f64, round: fn(f64) -> f64| 10_f64.powf(round(seconds.log10()));
        Self {
            bones: span(&|point| f64::from(point.bones)),
            seconds: [decade(fastest, f64::floor), decade(slowest, f64::ceil)],
        }
    }

    fn x(&self, bones: f64) -> f64 {
        let share = (bones / self.bones[0]).ln() / (self.bones[1] / self.bones[0]).ln();
        round(MARGIN[0] + share * (PANEL[0] - MARGIN[0] - MARGIN[2]))
    }

    fn y(&self, seconds: f64) -> f64 {
        let share = (seconds / self.seconds[0]).ln() / (self.seconds[1] / self.seconds[0]).ln();
        round(PANEL[1] - MARGIN[3] - share * (PANEL[1] - MARGIN[1] - MARGIN[3]))
    }
}

fn panel(name: &str, points: &[&Point]) -> Group {
    let axes = Axes::of(points);
    let mut group = Group::new().add(text(name, MARGIN[0], 22.0, "title"));
    group = grid(group, &axes, points);
    // In the order of their first point: ours first.
    let mut names: Vec<&str> = Vec::new();
    let mut lines: BTreeMap<&str, Vec<&Point>> = BTreeMap::new();
    for point in points {
        if !names.contains(&&*point.name) {
            names.push(&point.name);
        }
        lines.entry(&point.name).or_default().push(point);
    }
    let mut ends: Vec<f64> = Vec::new();
    for (name, colour) in names.iter().zip(COLOURS.iter().cycle()) {
        let line = &lines[name];
        let places: Vec<_> = line
            .iter()
            .map(|p| format!("{},{}", axes.x(f64::from(p.bones)), axes.y(p.seconds)))
            .collect();
        let drawn = Polyline::new().set("points", places.join(" ")).set("class", "line");
        group = group.add(drawn.set("stroke", *colour));
        let Some(last) = line.last() else { continue };
        let place = axes.y(last.seconds) + 4.0;
        let place = clear_of(&ends, place);
        ends.push(place);
        let label = text(*name, axes.x(f64::from(last.bones)) + 6.0, place, "name");
        group = group.add(label.set("style", format!("fill: {colour}")));
    }
    group
}

/// The nearest height at which a name covers no other.
fn clear_of(taken: &[f64], wanted: f64) -> f64 {
    let is_clear = |y: f64| taken.iter().all(|other| (other - y).abs() >= 14.0);
    let tries = (0..100).flat_map(|i| [f64::from(i), -f64::from(i)]);
    tries.map(|step| wanted + step).find(|y| is_clear(*y)).unwrap_or(wanted)
}

fn grid(mut group: Group, axes: &Axes, points: &[&Point]) -> Group {
    let (left, right) = (axes.x(axes.bones[0]), axes.x(axes.bones[1]));
    let (bottom, top) = (axes.y(axes.seconds[0]), axes.y(axes.seconds[1]));
    let mut decade = axes.seconds[0];
    while decade < axes.seconds[1] * 1.5 {
        let y = axes.y(decade);
        group = group.add(line(DVec2::new(left, y), DVec2::new(right, y), "grid"));
        group = group
            .add(text(duration(decade), left - 6.0, y + 4.0, "tick").set("text-anchor", "end"));
        decade *= 10.0;
    }
    let mut counts: Vec<_> = points.iter().map(|point| point.bones).collect();
    counts.sort_unstable();
    counts.dedup();
    for count in counts {
        let x = axes.x(f64::from(count));
        group = group.add(line(DVec2::new(x, bottom), DVec2::new(x, top), "grid"));
        let label = text(count.to_string(), x, bottom + 16.0, "tick");
        group = group.add(label.set("text-anchor", "middle"));
    }
    let caption = text("bones; time a solve", 0.5 * (left + right), bottom + 34.0, "axis");
    group.add(caption.set("text-anchor", "middle"))
}

/// A power of ten.
fn duration(seconds: f64) -> String {
    let names = [(1e-3, "ms"), (1e-6, "µs")];
    let (unit, name) = names.into_iter().find(|n| seconds >= n.0 * 0.99).unwrap_or((1e-9, "ns"));
    format!("{:.0} {name}", seconds / unit)
}
