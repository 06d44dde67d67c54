//! Rotations that point one axis and keep another upright.

use glam::{Mat3, Quat, Vec3};

use super::{Rotation, perpendicular, shortest_arc_3d, unit};
use crate::math;

/// Where direction and up are closer to one line than this (sine of the angle), the up hint says
/// nothing that rounding has not said first.
const PARALLEL: f32 = 1e-5;

/// The rotation that takes `local_forward` to `direction`, and `local_up` as near to `up` as that
/// allows.
///
/// None of the four needs unit length. The local pair may be any two axes: `(-Z, Y)` for a glTF
/// camera, `(Z, Y)` for a VRM head, `(Y, X)` for a bone. Accuracy 1e-6 rad where `direction` and
/// `up` are 0.1 rad or more apart.
///
/// Degenerate: with no `direction` the answer is the identity; with `direction` along `up` (to
/// 1e-5 rad), or no `up`, it is the shortest arc from `local_forward`; a `local_up` along
/// `local_forward`, or without length, is replaced by [`perpendicular`] of `local_forward`; no
/// `local_forward` counts as +Z.
///
/// Not checked: a vector that is not finite counts as one of no length.
///
/// ```
/// use sinew::{glam::Vec3, look_rotation};
///
/// let q = look_rotation(Vec3::X, Vec3::Y, Vec3::NEG_Z, Vec3::Y);
/// assert!((q * Vec3::NEG_Z - Vec3::X).length() < 1e-6);
/// assert!((q * Vec3::Y - Vec3::Y).length() < 1e-6);
/// ```
#[must_use]
pub fn look_rotation(direction: Vec3, up: Vec3, local_forward: Vec3, local_up: Vec3) -> Quat {
    let Some(direction) = unit(direction) else {
        return Quat::IDENTITY;
    };
    let local_forward = unit(local_forward).unwrap_or(Vec3::Z);
    let local_up = across(local_up, local_forward).unwrap_or_else(|| perpendicular(local_forward));
    let Some(up) = across(up, direction) else {
        return shortest_arc_3d(local_forward, direction);
    };
    let local = Mat3::from_cols(local_forward, local_up, local_forward.cross(local_up));
    let world = Mat3::from_cols(direction, up, direction.cross(up));
    Quat::from_mat3(&(world * local.transpose())).normalized()
}

/// The unit vector of the part of `v` that lies across the unit vector `axis`; `None` if they are
/// on one line.
pub(crate) fn across(v: Vec3, axis: Vec3) -> Option<Vec3> {
    let v = unit(v)?;
    let part = v - axis * v.dot(axis);
    let length = math::sqrt(part.dot(part));
    if length < PARALLEL {
        return None;
    }
    // Once more: the first subtraction leaves an error that the division has enlarged.
    let part = part / length;
    unit(part - axis * part.dot(axis))
}
