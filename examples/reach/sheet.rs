//! The sheet: a card for each rig, with a target that it reached, the one that it missed by most,
//! and where in their ranges the joints ended.

use anyhow::Result;
use sinew::glam::{DVec2, DVec3};
use svg::Document;
use svg::node::element::{Group, Rectangle, Style};

use crate::draw::{View, Window};
use crate::marks::{circle, line, round, text};
use crate::scene::scene;
use crate::solve::{Outcome, Run};

const CARD: DVec2 = DVec2::new(640.0, 334.0);
const GAP: f64 = 16.0;
const HEAD: f64 = 96.0;
/// The least width of the page: the legend's.
const LEGEND: f64 = 890.0;
/// The part of a card that holds the pictures; the rest holds the ranges.
const PICTURES: f64 = 404.0;

const STYLE: &str = "
text { font-family: Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif; fill: #1f2933 }
.title { font-size: 27px; font-weight: 700 }
.name { font-size: 18px; font-weight: 700 }
.note { font-size: 14px; fill: #52606d }
.small { font-size: 12px; fill: #52606d }
.end { text-anchor: end }
.page { fill: #f4f6f8 }
.card { fill: #ffffff; stroke: #e1e6eb }
.fence { stroke: #e9edf1; stroke-width: 1.5 }
.bone { stroke-width: 5; stroke-linecap: round }
.halo { stroke: #ffffff; stroke-width: 9; stroke-linecap: round }
.joint { fill: #ffffff; stroke-width: 2 }
.solved .bone, .solved .joint, .solved .hand, .solved .tip { stroke: #0b8075 }
.solved .tip, .solved.dot, .solved.share { fill: #0b8075 }
.missed .bone, .missed .joint, .missed .hand, .missed .tip { stroke: #c8394f }
.missed .tip, .missed.dot, .missed.share { fill: #c8394f }
text.solved { fill: #0b8075; font-size: 14px; font-weight: 600 }
text.missed { fill: #c8394f; font-size: 14px; font-weight: 600 }
.ghost .bone, .ghost .joint, .ghost .tip { stroke: #bcc6d1 !important }
.ghost .bone { stroke-width: 4 }
.ghost .tip { fill: #bcc6d1 !important }
.range { fill: #5b7fa6; fill-opacity: .13; stroke: #5b7fa6; stroke-opacity: .55 }
.hand { stroke-width: 1.2; stroke-opacity: .8 }
.held .range { fill: #f0a202; fill-opacity: .3; stroke: #c98500; stroke-opacity: 1 }
.held .hand { stroke: #b26f00 !important; stroke-width: 3; stroke-opacity: 1 }
.ground line { stroke: #7b8794; stroke-width: 1.5 }
.target { fill: none; stroke: #1f2933; stroke-width: 1.8 }
.gap { stroke: #c8394f; stroke-width: 2; stroke-dasharray: 2 4; stroke-linecap: round }
.track { stroke: #d5dce4; stroke-width: 5; stroke-linecap: round }
.track.free { stroke-width: 2; stroke-dasharray: 1 4 }
.start { stroke: #8a97a5; stroke-width: 2 }
.dot { stroke: #ffffff; stroke-width: 1 }
.bound { fill: none; stroke: #f0a202; stroke-width: 3 }
text.heldname { fill: #a36500; font-weight: 700 }
";

/// Every run on one page, two cards side by side.
pub fn draw(runs: &[Run], sweeps: usize) -> Result<Document> {
    let columns = runs.len().clamp(1, 2);
    let rows = runs.len().div_ceil(columns);
    let width = (GAP + columns as f64 * (CARD.x + GAP)).max(LEGEND);
    let size = DVec2::new(width, HEAD + rows as f64 * (CARD.y + GAP));
    let mut page = Document::new()
        .set("viewBox", (0, 0, size.x, size.y))
        .set("width", size.x)
        .set("height", size.y)
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("width", size.x).set("height", size.y).set("class", "page"))
        .add(header(runs, sweeps));
    for (i, run) in runs.iter().enumerate() {
        let place = DVec2::new((i % columns) as f64, (i / columns) as f64);
        let corner = DVec2::new(GAP, HEAD) + place * (CARD + DVec2::splat(GAP));
        let moved = format!("translate({} {})", corner.x, corner.y);
        page = page.add(card(run)?.set("transform", moved));
    }
    Ok(page)
}

fn header(runs: &[Run], sweeps: usize) -> Group {
    let solved: usize = runs.iter().map(Run::solved).sum();
    let targets: usize = runs.iter().map(|run| run.outcomes.len()).sum();
    let title = format!("{solved} of {targets} targets reached within {sweeps} sweeps");
    let mut group = Group::new().add(text(title, GAP + 2.0, 40.0, "title"));
    let mut x = GAP + 10.0;
    let y = 70.0;
    for (class, label) in [
        ("ghost", "start"),
        ("solved", "a target reached"),
        ("missed", "the target missed by most"),
    ] {
        let ends = (DVec2::new(x, y - 5.0), DVec2::new(x + 26.0, y - 5.0));
        let sample = Group::new().set("class", class).add(line(ends.0, ends.1, "bone"));
        group = group.add(sample.add(circle(ends.0, 3.8, "joint")).add(circle(ends.1, 3.2, "tip")));
        group = group.add(text(label, x + 38.0, y, "note"));
        x += 62.0 + 7.2 * label.len() as f64;
    }
    for (class, label) in [("fan", "a joint's range"), ("fan held", "a limit that holds")] {
        let swatch = Rectangle::new().set("x", x).set("y", y - 15.0).set("class", "range");
        let swatch = swatch.set("width", 24).set("height", 16).set("rx", 3);
        group = group.add(Group::new().set("class", class).add(swatch));
        group = group.add(text(label, x + 32.0, y, "note"));
        x += 52.0 + 7.2 * label.len() as f64;
    }
    group
}

fn card(run: &Run) -> Result<Group> {
    let back = Rectangle::new().set("width", CARD.x).set("height", CARD.y).set("rx", 8);
    let mut group = Group::new()
        .add(back.set("class", "card"))
        .add(text(&run.rig.name, 18.0, 32.0, "name"))
        .add(share(run));
    let shown = chosen(run);
    let width = PICTURES / shown.len().max(1) as f64;
    for (i, window) in windows(run, &shown, width).iter().enumerate() {
        let (outcome, class) = shown[i];
        let left = i as f64 * width;
        group = group.add(scene(window, &run.rig, &run.start, outcome, class)?);
        let [verdict, residual] = caption(run, outcome);
        group = group.add(text(verdict, left + 18.0, CARD.y - 34.0, class));
        group = group.add(text(residual, left + 18.0, CARD.y - 16.0, "small"));
        if i > 0 {
            let (top, end) = (DVec2::new(left, 54.0), DVec2::new(left, CARD.y - 16.0));
            group = group.add(line(top, end, "fence"));
        }
    }
    Ok(group.add(ranges(run, &shown)))
}

/// Side by side, from one direction and in one scale.
fn windows(run: &Run, shown: &[(&Outcome, &str)], width: f64) -> Vec<Window> {
    let poses = || shown.iter().map(|(outcome, _)| &outcome.pose);
    let view = if run.rig.planar {
        View::PLANE
    } else {
        View::of(&std::iter::once(&run.start).chain(poses()).collect::<Vec<_>>())
    };
    let fitted = |i: usize, outcome: &Outcome| {
        let points: Vec<DVec3> = (run.start.positions.iter())
            .chain(&outcome.pose.positions)
            .chain([&outcome.target])
            .copied()
            .collect();
        let corner = DVec2::new(i as f64 * width, 44.0);
        Window::around(view, &points, corner, DVec2::new(width, CARD.y - 96.0))
    };
    let all: Vec<_> =
        shown.iter().enumerate().map(|(i, (outcome, _))| fitted(i, outcome)).collect();
    let smallest = all.iter().map(Window::scale).fold(f64::INFINITY, f64::min);
    all.into_iter().map(|window| window.with_scale(smallest)).collect()
}

/// The outcomes to show: of those that were solved, the one that had farthest to go; and the
/// worst of the others.
fn chosen(run: &Run) -> Vec<(&Outcome, &'static str)> {
    let tip = run.start.positions[run.rig.joints.len()];
    let (solved, missed): (Vec<_>, Vec<_>) = run.outcomes.iter().partition(|o| run.is_solved(o));
    let far = |outcome: &&Outcome| outcome.target.distance(tip);
    let solved = solved.into_iter().max_by(|a, b| far(a).total_cmp(&far(b)));
    let missed =
        missed.into_iter().max_by(|a, b| a.measured.distance.total_cmp(&b.measured.distance));
    solved.map(|o| (o, "solved")).into_iter().chain(missed.map(|o| (o, "missed"))).collect()
}

fn caption(run: &Run, outcome: &Outcome) -> [String; 2] {
    let residual = 100.0 * outcome.measured.distance / run.rig.reach();
    let sweeps = match outcome.solution.iterations {
        1 => "1 sweep".to_owned(),
        n => format!("{n} sweeps"),
    };
    let verdict = if run.is_solved(outcome) {
        format!("reached in {sweeps}")
    } else {
        format!("{} after {sweeps}", status(outcome))
    };
    [verdict, format!("{residual:.2} % of the reach away")]
}

fn status(outcome: &Outcome) -> &'static str {
    match outcome.solution.status {
        sinew::Status::Unreachable => "unreachable",
        sinew::Status::Stalled => "held by limits",
        _ => "not there",
    }
}

/// How many targets were reached, as a bar.
fn share(run: &Run) -> Group {
    let (solved, all) = (run.solved(), run.outcomes.len());
    let right = CARD.x - 18.0;
    let words = format!("{solved} of {all} reached");
    let bar = |class: &str, from: usize, to: usize| {
        let at = |n: usize| right - 130.0 + 130.0 * n as f64 / all.max(1) as f64;
        let bar = Rectangle::new().set("x", round(at(from))).set("width", round(at(to) - at(from)));
        bar.set("y", 22).set("height", 10).set("class", class)
    };
    Group::new()
        .add(text(words, right - 142.0, 32.0, "note end"))
        .add(bar("solved share", 0, solved))
        .add(bar("missed share", solved, all))
}

/// A row for each joint: its range, where it started and where it ended.
fn ranges(run: &Run, shown: &[(&Outcome, &str)]) -> Group {
    let (left, right) = (PICTURES + 142.0, CARD.x - 24.0);
    let step = (250.0 / run.rig.joints.len() as f64).min(30.0);
    let start = run.rig.measure(&run.start, DVec3::ZERO).angles;
    let mut group = Group::new();
    for (i, hinge) in run.rig.joints.iter().enumerate() {
        let y = 72.0 + step * i as f64;
        let held = |outcome: &Outcome| hinge.is_held(outcome.measured.angles[i]);
        let (low, high) = if hinge.is_limited() {
            (hinge.min, hinge.max)
        } else {
            (-std::f64::consts::PI, std::f64::consts::PI)
        };
        let at = |angle: f64| {
            let share = (angle - low) / (high - low).max(1e-9);
            DVec2::new(left + (right - left) * share.clamp(0.0, 1.0), y)
        };
        let any_held = shown.iter().any(|(outcome, _)| held(outcome));
        let name = if any_held { "small end heldname" } else { "small end" };
        let track = if hinge.is_limited() { "track" } else { "track free" };
        group = group.add(text(&hinge.name, left - 12.0, y + 4.0, name));
        group = group.add(line(at(low), at(high), track));
        let tick = DVec2::new(0.0, 5.0);
        group = group.add(line(at(start[i]) - tick, at(start[i]) + tick, "start"));
        for (outcome, class) in shown {
            let place = at(outcome.measured.angles[i]);
            if held(outcome) {
                group = group.add(circle(place, 7.0, "bound"));
            }
            group = group.add(circle(place, 4.5, &format!("{class} dot")));
        }
    }
    group
}
