//! The edges of what a joint may do, for drawing: curves of turns from rest.

use core::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};

use super::hinge::about;
use super::{Joint2, Joint3, Limit3, Range};
use crate::math::{self, lerp};
use crate::rotation::{Rot2, Rotation, perpendicular};
use crate::space::Vector;

/// Which edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rim {
    /// How far the joint's axis, or a hinge's hand, swings.
    Swing,
    /// How far the joint twists about its axis.
    Twist,
}

/// What a rim is drawn by.
#[derive(Clone, Copy, Debug)]
pub struct Hand<V> {
    /// What sweeps along the rim, in the joint's frame at rest.
    pub arm: V,
    /// How many lines from the joint to the rim, evenly spaced from its start to its end.
    pub spokes: usize,
}

/// A cone, an ellipse and a window close; their fourth spoke would be the first again.
const CLOSED: usize = 4;

/// The two ends of a range.
const OPEN: usize = 2;

/// The share of the bone at which a twist is drawn, inside the swing.
const TWIST: f32 = 0.5;

/// What is asked of a joint to draw it. Public only in name, as [`Limits`](crate::space::Limits).
pub trait Drawn<V: Vector> {
    /// What draws a rim, for a bone in the joint's frame; `None` if nothing limits it.
    fn hand(&self, rim: Rim, bone: V) -> Option<Hand<V>>;

    /// The rotation relative to the parent at `t`, from 0 to 1, along a rim.
    fn edge(&self, rim: Rim, t: f32) -> V::Rotation;
}

impl Drawn<Vec2> for Joint2 {
    fn hand(&self, rim: Rim, bone: Vec2) -> Option<Hand<Vec2>> {
        let range = self.range.filter(|range| !range.is_full() && rim == Rim::Swing);
        range.map(|_| Hand { arm: bone, spokes: OPEN })
    }

    fn edge(&self, _: Rim, t: f32) -> Rot2 {
        self.at(along(self.range.unwrap_or(Range::FULL), t))
    }
}

impl Drawn<Vec3> for Joint3 {
    fn hand(&self, rim: Rim, bone: Vec3) -> Option<Hand<Vec3>> {
        let length = math::sqrt(bone.dot(bone));
        let open = |arm| Some(Hand { arm, spokes: OPEN });
        let closed = |axis| Some(Hand { arm: axis * length, spokes: CLOSED });
        let twisted = |axis, range: Option<Range>| {
            range.filter(|range| !range.is_full())?;
            open(perpendicular(axis) * (TWIST * length))
        };
        match (&self.limit, rim) {
            (Limit3::Hinge(hinge), Rim::Swing) if !hinge.range.angles.is_full() => {
                // The bone's part across the axis shows the angle; a bone along it has none.
                let across = bone - hinge.axis * bone.dot(hinge.axis);
                let is_along = across.dot(across) <= 0.1 * length * length;
                open(if is_along { perpendicular(hinge.axis) * (TWIST * length) } else { bone })
            }
            (Limit3::Cone(cone), Rim::Swing) if cone.half_cos > 0.0 => closed(cone.axis),
            (Limit3::Cone(cone), Rim::Twist) => twisted(cone.axis, cone.twist.map(Range::from)),
            (Limit3::Ellipse(ellipse), Rim::Swing) => closed(ellipse.axis),
            (Limit3::Ellipse(ellipse), Rim::Twist) => {
                twisted(ellipse.axis, ellipse.twist.map(Range::from))
            }
            (Limit3::YawPitch(eye), Rim::Swing) => closed(eye.forward),
            (Limit3::YawPitch(eye), Rim::Twist) if eye.roll.min < eye.roll.max => {
                twisted(eye.forward, Some(eye.roll))
            }
            _ => None,
        }
    }

    fn edge(&self, rim: Rim, t: f32) -> Quat {
        let about = |axis, range| about(axis, along(range, t));
        let turn = match (&self.limit, rim) {
            (Limit3::Hinge(hinge), _) => about(hinge.axis, hinge.range.angles),
            (Limit3::Cone(cone), Rim::Swing) => {
                let x_axis = perpendicular(cone.axis);
                let (sin, cos) = math::sin_cos(TAU * t);
                Quat::exp((x_axis * cos + cone.axis.cross(x_axis) * sin) * cone.swing)
            }
            (Limit3::Cone(cone), Rim::Twist) => {
                about(cone.axis, cone.twist.map_or(Range::FULL, Range::from))
            }
            (Limit3::Ellipse(ellipse), Rim::Swing) => {
                let (sin, cos) = math::sin_cos(TAU * t);
                let x = cos.abs() * if cos < 0.0 { ellipse.x.min } else { ellipse.x.max };
                let y = sin.abs() * if sin < 0.0 { ellipse.y.min } else { ellipse.y.max };
                let [x_axis, y_axis] = ellipse.axes();
                Quat::exp(x_axis * x + y_axis * y)
            }
            (Limit3::Ellipse(ellipse), Rim::Twist) => {
                about(ellipse.axis, ellipse.twist.map_or(Range::FULL, Range::from))
            }
            (Limit3::YawPitch(eye), Rim::Swing) => {
                let (yaw, pitch) = frame(t);
                eye.at(along(eye.yaw, yaw), along(eye.pitch, pitch))
            }
            (Limit3::YawPitch(eye), Rim::Twist) => about(eye.forward, eye.roll),
            (Limit3::Free, _) => Quat::IDENTITY,
        };
        self.rest * turn
    }
}

/// Once round is all of a range that leaves nothing out.
fn along(range: Range, t: f32) -> f32 {
    let Range { min, max } = if range.is_full() { Range { min: -PI, max: PI } } else { range };
    lerp(min, max, t)
}

/// The way round the unit square, a side for each quarter of `t`.
fn frame(t: f32) -> (f32, f32) {
    let t = 4.0 * t;
    ((1.5 - (t - 1.5).abs()).clamp(0.0, 1.0), (1.5 - (t - 2.5).abs()).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::frame;

    #[test]
    fn the_frame_visits_its_corners_in_turn() {
        let corners = [0.0, 0.25, 0.5, 0.75, 1.0].map(frame);
        assert_eq!(corners, [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)]);
    }
}
