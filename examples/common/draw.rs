//! A pose on paper: where to look from, and the strokes for bones and targets.

use sinew::glam::{DQuat, DVec2, DVec3};
use svg::node::element::Group;

use crate::marks::{circle, line, round};
use crate::rig::Pose;

/// How far above the horizon the eye is, in radians (20°).
const ELEVATION: f64 = 0.35;

/// What is left free around a scene, in pixels, for what is drawn around its joints.
pub const MARGIN: f64 = 25.0;

/// A parallel projection.
#[derive(Clone, Copy)]
pub struct View {
    right: DVec3,
    up: DVec3,
}

impl View {
    /// Straight down on the plane.
    pub const PLANE: Self = Self { right: DVec3::X, up: DVec3::Y };

    /// From the side that shows most of these poses' bones.
    pub fn of(poses: &[&Pose]) -> Self {
        let up = upright(poses);
        let around = (0..36).map(|i| Self::from_azimuth(up, f64::from(i) * 10_f64.to_radians()));
        around
            .max_by(|a, b| a.shown(poses).total_cmp(&b.shown(poses)))
            .unwrap_or(Self { right: DVec3::X, up })
    }

    fn from_azimuth(up: DVec3, azimuth: f64) -> Self {
        let right = DQuat::from_axis_angle(up, azimuth) * up.any_orthonormal_vector();
        Self { right, up: DQuat::from_axis_angle(right, -ELEVATION) * up }
    }

    /// The length of all bones on paper.
    fn shown(&self, poses: &[&Pose]) -> f64 {
        let bones = poses.iter().flat_map(|pose| pose.positions.windows(2));
        bones.map(|ends| self.flat(ends[1] - ends[0]).length()).sum()
    }

    fn flat(&self, p: DVec3) -> DVec2 {
        DVec2::new(self.right.dot(p), self.up.dot(p))
    }
}

/// Robots stand on XY and bodies along Y: the way that the first pose's bones run farthest.
fn upright(poses: &[&Pose]) -> DVec3 {
    let bones = poses.iter().take(1).flat_map(|pose| pose.positions.windows(2));
    let run: DVec3 = bones.map(|ends| (ends[1] - ends[0]).abs()).sum();
    if run.y > run.x.max(run.z) { DVec3::Y } else { DVec3::Z }
}

/// A view placed on the page.
pub struct Window {
    view: View,
    scale: f64,
    middle: DVec2,
    centre: DVec2,
}

impl Window {
    /// Pixels a metre.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The same place and view in another scale.
    pub fn with_scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Fits `points` into a box on the page.
    pub fn around(view: View, points: &[DVec3], corner: DVec2, size: DVec2) -> Self {
        let flat = || points.iter().map(|p| view.flat(*p));
        let (low, high) = (
            flat().fold(DVec2::INFINITY, DVec2::min),
            flat().fold(DVec2::NEG_INFINITY, DVec2::max),
        );
        let room = size - DVec2::splat(2.0 * (MARGIN + 4.0));
        let scale = (room / (high - low).max(DVec2::splat(1e-9))).min_element();
        Self { view, scale, middle: 0.5 * (low + high), centre: corner + 0.5 * size }
    }

    /// A place on the page.
    pub fn at(&self, p: DVec3) -> DVec2 {
        self.centre + (self.view.flat(p) - self.middle) * self.scale * DVec2::new(1.0, -1.0)
    }
}

/// Bones and joints, the tip without a middle.
pub fn chain(window: &Window, pose: &Pose) -> Group {
    let points: Vec<_> = pose.positions.iter().map(|p| window.at(*p)).collect();
    let mut group = Group::new();
    for ends in points.windows(2) {
        // A light edge first, so that what passes in front reads as in front.
        group = group.add(line(ends[0], ends[1], "halo")).add(line(ends[0], ends[1], "bone"));
    }
    for (i, at) in points.iter().enumerate() {
        let class = if i + 1 == points.len() { "tip" } else { "joint" };
        group = group.add(circle(*at, if i + 1 == points.len() { 3.2 } else { 3.8 }, class));
    }
    group
}

/// The floor that a root stands on.
pub fn ground(window: &Window, root: DVec3) -> Group {
    let at = window.at(root) + DVec2::new(0.0, 6.5);
    let mut group = Group::new().set("class", "ground");
    group = group.add(line(at - DVec2::X * 11.0, at + DVec2::X * 11.0, ""));
    for i in -2..=2 {
        let top = at + DVec2::X * (4.5 * f64::from(i) + 1.5);
        group = group.add(line(top, top + DVec2::new(-4.0, 4.5), ""));
    }
    group
}

/// Where a target is.
pub fn cross(at: DVec2) -> Group {
    let arm = |x: f64, y: f64| line(at - DVec2::new(x, y), at + DVec2::new(x, y), "");
    let group = Group::new().set("class", "target").add(circle(at, 6.5, ""));
    group.add(arm(10.0, 0.0)).add(arm(0.0, 10.0))
}

pub fn pair(p: DVec2) -> (f64, f64) {
    (round(p.x), round(p.y))
}
