//! Shortest arcs that keep their digits next to no turn and next to half a turn.

use glam::{Quat, Vec2, Vec3};

use super::{Rot2, Rotation};
use crate::math::{self, exact};

/// Below this square of the sine the cross product has lost digits to cancellation, and is
/// worth computing to all its digits: its error is an ulp of the lengths' product, divided by
/// the sine, and stays under half of the 1e-6 that is promised.
const CANCELLED: f32 = 0.04;

/// The smallest rotation that takes the direction of `from` to the direction of `to`.
///
/// Relative error of the angle under 1e-6, from 1e-7 rad to π, whatever the vectors' lengths.
/// Opposite vectors turn by +π; a vector of no length gives the identity.
///
/// Not checked: a vector that is not finite counts as one of no length.
///
/// ```
/// use sinew::{glam::Vec2, shortest_arc_2d};
///
/// let arc = shortest_arc_2d(Vec2::Y * 3.0, Vec2::new(-1e-7, 1.0));
/// assert!((arc.angle() - 1e-7).abs() < 1e-13);
/// ```
#[must_use]
pub fn shortest_arc_2d(from: Vec2, to: Vec2) -> Rot2 {
    let (from, to) = (tame_2d(from), tame_2d(to));
    let dot = from.dot(to);
    let mut cross = from.perp_dot(to);
    if cross * cross < CANCELLED * from.dot(from) * to.dot(to) {
        cross = exact::difference_of_products(from.x, to.y, from.y, to.x);
    }
    // +0 rather than -0, so that opposite vectors turn by +π.
    Rot2 { cos: dot, sin: cross + 0.0 }.normalize()
}

/// The smallest rotation that takes the direction of `from` to the direction of `to`.
///
/// Relative error of the angle under 1e-6, from 1e-7 rad to π, whatever the vectors' lengths.
/// Opposite vectors turn by π about [`perpendicular`] of `from`; a vector of no length gives the
/// identity. The quaternion's `w` is never negative.
///
/// The half-vector form: the quaternion of the arc is `(a × b, |a||b| + a·b)`, normalised. Close
/// to half a turn the sum cancels, and `|a × b|² / (|a||b| - a·b)` is the same number.
///
/// Not checked: a vector that is not finite counts as one of no length.
///
/// ```
/// use sinew::{glam::Vec3, shortest_arc_3d};
///
/// let arc = shortest_arc_3d(Vec3::Y, -Vec3::Y);
/// assert_eq!(arc * Vec3::Y, -Vec3::Y);
/// let tiny = shortest_arc_3d(Vec3::Y, Vec3::new(1e-7, 1.0, 0.0));
/// assert!((2.0 * tiny.z + 1e-7).abs() < 1e-13);
/// ```
#[must_use]
pub fn shortest_arc_3d(from: Vec3, to: Vec3) -> Quat {
    let (a, b) = (tame_3d(from), tame_3d(to));
    let dot = a.dot(b);
    let lengths = math::sqrt(a.dot(a) * b.dot(b));
    let mut v = a.cross(b);
    if v.dot(v) < CANCELLED * lengths * lengths {
        v = exact::cross(a, b);
    }
    let w = if dot >= 0.0 { lengths + dot } else { v.dot(v) / (lengths - dot) };
    let arc = Quat::from_xyzw(v.x, v.y, v.z, w);
    if v == Vec3::ZERO && dot < 0.0 {
        let axis = perpendicular(a);
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    // The cross product of nearly parallel vectors is tiny; its direction survives the square
    // root only if it is brought to moderate size first.
    let size = math::binade(v.abs().max_element().max(w));
    (arc * (1.0 / size)).normalized()
}

/// A unit vector across `v`, of any length: across it in the plane of its two largest
/// coordinates. +X for the zero vector.
///
/// Not checked: of a vector that is not finite it is any unit vector.
///
/// ```
/// use sinew::{glam::Vec3, perpendicular};
///
/// assert_eq!(perpendicular(Vec3::new(0.0, 2.0, 0.0)), Vec3::X);
/// ```
#[must_use]
pub fn perpendicular(v: Vec3) -> Vec3 {
    let v = tame_3d(v);
    let size = v.abs();
    let across = if size.z <= size.x && size.z <= size.y {
        Vec3::new(v.y, -v.x, 0.0)
    } else if size.x <= size.y {
        Vec3::new(0.0, v.z, -v.y)
    } else {
        Vec3::new(-v.z, 0.0, v.x)
    };
    super::unit(across).unwrap_or(Vec3::X)
}

/// `v` times a power of two, so that its square and its square's square are normal numbers.
fn tame_3d(v: Vec3) -> Vec3 {
    v / math::binade(v.abs().max_element())
}

/// [`tame_3d`] in the plane.
#[inline]
fn tame_2d(v: Vec2) -> Vec2 {
    v / math::binade(v.abs().max_element())
}
