//! Every chain on one page: the start, and where each solver has taken it.

use sinew::glam::{DQuat, DVec2, DVec3, Vec3};
use svg::Document;
use svg::node::element::{Group, Rectangle, Style};

use crate::Comparison;
use crate::draw::{View, Window, chain, cross, ground};
use crate::marks::{line, text};
use crate::method::{Method, Trial};
use crate::rig::Pose;

const CARD: DVec2 = DVec2::new(300.0, 320.0);
const GAP: f64 = 14.0;
const HEAD: f64 = 84.0;
const COLUMNS: usize = 5;

const STYLE: &str = "
    text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2933; }
    .page { fill: #f4f6f8; } .card { fill: #fff; stroke: #dde3ea; }
    .title { font-size: 22px; font-weight: 700; } .name { font-size: 15px; font-weight: 700; }
    .note { font-size: 12px; fill: #52606d; } .cell { font-size: 11px; }
    .number { font-size: 11px; text-anchor: end; } .head { font-size: 10px; fill: #7b8794; text-anchor: end; }
    .bone { stroke-width: 4; stroke-linecap: round; } .halo { stroke: #fff; stroke-width: 6; stroke-linecap: round; }
    .joint, .tip { fill: #fff; stroke-width: 1.6; }
    .start .bone, .start .joint, .start .tip { stroke: #c3ccd6; }
    .ccd .bone, .ccd .joint, .ccd .tip { stroke: #d1495b; } .ccd text { fill: #d1495b; }
    .fabrik .bone, .fabrik .joint, .fabrik .tip { stroke: #e09f1f; } .fabrik text { fill: #a8740a; }
    .least .bone, .least .joint, .least .tip { stroke: #00798c; } .least text { fill: #00798c; }
    .ground line { stroke: #7b8794; stroke-width: 1.4; }
    .target line, .target circle { stroke: #1f2933; stroke-width: 1.6; fill: none; }
";

pub fn draw(comparisons: &[Comparison]) -> Document {
    let rows = comparisons.len().div_ceil(COLUMNS);
    let width = GAP + COLUMNS as f64 * (CARD.x + GAP);
    let height = HEAD + rows as f64 * (CARD.y + GAP);
    let mut page = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("width", width).set("height", height).set("class", "page"))
        .add(text("One target, three ways there", 18.0, 36.0, "title"))
        .add(legend());
    for (i, comparison) in comparisons.iter().enumerate() {
        let place = DVec2::new((i % COLUMNS) as f64, (i / COLUMNS) as f64);
        let corner = DVec2::new(GAP, HEAD) + place * (CARD + DVec2::splat(GAP));
        let moved = format!("translate({} {})", corner.x, corner.y);
        page = page.add(card(comparison).set("transform", moved));
    }
    page
}

fn class(method: Method) -> &'static str {
    match method {
        Method::Ccd => "ccd",
        Method::Fabrik => "fabrik",
        Method::LeastSquares => "least",
    }
}

fn legend() -> Group {
    let mut group = Group::new();
    let names = Method::ALL.map(|method| (method.name(), class(method)));
    let mut x = 18.0;
    for (name, class) in [("start", "start")].into_iter().chain(names) {
        let ends = (DVec2::new(x, 60.0), DVec2::new(x + 26.0, 60.0));
        let stroke = Group::new().set("class", class).add(line(ends.0, ends.1, "bone"));
        group = group.add(stroke).add(text(name, x + 36.0, 64.0, "note"));
        x += 60.0 + 7.5 * name.len() as f64;
    }
    group.add(text(
        "Of the targets that all three reach, the one they reach most differently.",
        x + 10.0,
        64.0,
        "note",
    ))
}

fn card(Comparison { case, trials }: &Comparison) -> Group {
    let back = Rectangle::new().set("width", CARD.x).set("height", CARD.y).set("rx", 8);
    let mut group = Group::new()
        .add(back.set("class", "card"))
        .add(text(&case.name, 16.0, 28.0, "name"))
        .add(table(trials));
    let shown = most_different(trials);
    let start = pose(&case.positions);
    let poses: Vec<_> = trials.iter().map(|trial| pose(&trial.answers[shown].positions)).collect();
    let target = case.targets[shown].as_dvec3();
    let all: Vec<_> = std::iter::once(&start).chain(&poses).collect();
    let points: Vec<_> =
        all.iter().flat_map(|pose| pose.positions.iter().copied()).chain([target]).collect();
    let corner = DVec2::new(0.0, 34.0);
    let window = Window::around(View::of(&all), &points, corner, DVec2::new(CARD.x, 210.0));
    group = group.add(ground(&window, start.positions[0]));
    group = group.add(Group::new().set("class", "start").add(chain(&window, &start)));
    for (trial, pose) in trials.iter().zip(&poses) {
        let drawn = Group::new().set("class", class(trial.method)).add(chain(&window, pose));
        group = group.add(drawn);
    }
    group.add(cross(window.at(target)))
}

fn table(trials: &[Trial]) -> Group {
    let top = CARD.y - 62.0;
    let mut group = Group::new();
    for (title, x) in [("solved", 148.0), ("iterations", 202.0), ("µs", 246.0), ("turned", 286.0)]
    {
        group = group.add(text(title, x, top, "head"));
    }
    for (row, trial) in (1_u8..).zip(trials) {
        let y = top + 16.0 * f64::from(row);
        group = group.add(
            Group::new()
                .set("class", class(trial.method))
                .add(text(trial.method.name(), 16.0, y, "cell"))
                .add(text(format!("{:.1} %", 100.0 * trial.share()), 148.0, y, "number"))
                .add(text(trial.iterations(0.5), 202.0, y, "number"))
                .add(text(format!("{:.1}", 1e6 * trial.mean_seconds()), 246.0, y, "number"))
                .add(text(format!("{:.1}", trial.mean_turned()), 286.0, y, "number")),
        );
    }
    group
}

/// The target whose poses lie furthest apart, of those that most solvers reach.
fn most_different(trials: &[Trial]) -> usize {
    let spread = |target: usize| {
        let reached = trials
            .iter()
            .filter(|trial| trial.answers[target].solution.status == sinew::Status::Reached);
        let poses: Vec<_> = trials.iter().map(|trial| &trial.answers[target].positions).collect();
        let pairs = poses.iter().flat_map(|a| poses.iter().map(move |b| (a, b)));
        let apart = pairs
            .map(|(a, b)| a.iter().zip(b.iter()).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max));
        (reached.count(), apart.fold(0.0, f32::max))
    };
    let count = trials.first().map_or(0, |trial| trial.answers.len());
    let ranked = (0..count).map(|target| (target, spread(target)));
    let best = ranked.max_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.map_or(0, |(target, _)| target)
}

/// The drawing looks at positions alone.
fn pose(positions: &[Vec3]) -> Pose {
    let positions: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
    Pose { rotations: vec![DQuat::IDENTITY; positions.len()], positions }
}
