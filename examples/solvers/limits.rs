//! Every kind of limit as the library outlines it.

use anyhow::Result;
use sinew::glam::{DVec2, DVec3, Quat, Vec3};
use sinew::{Joint3, limit_outline};
use svg::Document;
use svg::node::element::{Group, Rectangle, Style};

use crate::draw::{View, Window};
use crate::marks::{line, text};
use crate::rig::Pose;

const CARD: DVec2 = DVec2::new(230.0, 250.0);
const GAP: f64 = 14.0;
const COLUMNS: usize = 4;

const STYLE: &str = "
    text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2933; }
    .page { fill: #f4f6f8; } .card { fill: #fff; stroke: #dde3ea; }
    .name { font-size: 14px; font-weight: 700; } .note { font-size: 11px; fill: #52606d; }
    .limit { stroke: #00798c; stroke-width: 1.4; } .bone { stroke: #1f2933; stroke-width: 4; stroke-linecap: round; }
    .axis { stroke: #c3ccd6; stroke-width: 1; }
";

/// Name, what it was made with, and the joint.
fn shapes() -> [(&'static str, &'static str, Joint3); 8] {
    let (axis, across) = (Vec3::Y, Vec3::X);
    [
        ("hinge", "about X, -0.3 .. 2.2", Joint3::hinge(Vec3::X, -0.3, 2.2)),
        ("hinge across ±180°", "about Z, 2 .. 5", Joint3::hinge(Vec3::Z, 2.0, 5.0)),
        ("cone", "0.6", Joint3::cone(axis, 0.6)),
        ("cone past 90°", "2.1", Joint3::cone(axis, 2.1)),
        (
            "cone with twist",
            "0.5, twist -0.4 .. 1.2",
            Joint3::cone(axis, 0.5).with_twist(-0.4, 1.2),
        ),
        (
            "ellipse",
            "x -0.2 .. 1.0, y ±0.4",
            Joint3::ellipse(axis, across, [-0.2, 1.0], [-0.4, 0.4]),
        ),
        (
            "yaw and pitch",
            "yaw -0.4 .. 0.8, pitch ±0.3",
            Joint3::yaw_pitch(axis, Vec3::Z, [-0.4, 0.8], [-0.3, 0.3]),
        ),
        ("twist alone", "-1.0 .. 1.5", Joint3::twist(axis, -1.0, 1.5)),
    ]
}

pub fn draw() -> Result<Document> {
    let shapes = shapes();
    let rows = shapes.len().div_ceil(COLUMNS);
    let size =
        DVec2::new(COLUMNS as f64, rows as f64) * (CARD + DVec2::splat(GAP)) + DVec2::splat(GAP);
    let mut page = Document::new()
        .set("viewBox", (0, 0, size.x, size.y))
        .set("width", size.x)
        .set("height", size.y)
        .add(Style::new(STYLE))
        .add(Rectangle::new().set("width", size.x).set("height", size.y).set("class", "page"));
    for (i, (name, made, joint)) in shapes.iter().enumerate() {
        let place = DVec2::new((i % COLUMNS) as f64, (i / COLUMNS) as f64);
        let corner = DVec2::splat(GAP) + place * (CARD + DVec2::splat(GAP));
        let moved = format!("translate({} {})", corner.x, corner.y);
        page = page.add(card(name, made, joint)?.set("transform", moved));
    }
    Ok(page)
}

fn card(name: &str, made: &str, joint: &Joint3) -> Result<Group> {
    let back = Rectangle::new().set("width", CARD.x).set("height", CARD.y).set("rx", 8);
    let mut group = Group::new()
        .add(back.set("class", "card"))
        .add(text(name, 14.0, 24.0, "name"))
        .add(text(made, 14.0, 40.0, "note"));
    // The same view for all: a unit ball, seen from a little above.
    let ball: Vec<_> = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|v| [v, -v]).collect();
    let ball: Vec<_> = ball.iter().map(|v| v.as_dvec3()).collect();
    let upright = Pose { positions: vec![ball[2], ball[3]], rotations: Vec::new() };
    let window =
        Window::around(View::of(&[&upright]), &ball, DVec2::new(0.0, 44.0), CARD - DVec2::Y * 50.0);
    let centre = window.at(DVec3::ZERO);
    for end in [Vec3::X, Vec3::Y, Vec3::Z] {
        group = group.add(line(centre, window.at(end.as_dvec3()), "axis"));
    }
    group = group.add(line(centre, window.at(Vec3::Y.as_dvec3()), "bone"));
    for [from, to] in limit_outline(joint, Vec3::ZERO, Quat::IDENTITY, Vec3::Y, 48)? {
        let ends = [from, to].map(|p| window.at(p.as_dvec3()));
        group = group.add(line(ends[0], ends[1], "limit"));
    }
    Ok(group)
}
