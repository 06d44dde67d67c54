//! What must hold of any answer, worked out in double precision.

use sinew::glam::{DQuat, DVec3, Quat, Vec3};

/// The unit vector along `v`, of any length.
#[must_use]
pub fn direction(v: Vec3) -> Option<DVec3> {
    v.as_dvec3().try_normalize()
}

/// The angle between two unit vectors, accurate at both ends.
#[must_use]
pub fn angle_between(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

/// The angle between two rotations, accurate at both ends.
#[must_use]
pub fn gap(a: DQuat, b: DQuat) -> f64 {
    let d = a.conjugate() * b;
    2.0 * d.xyz().length().atan2(d.w.abs())
}

/// Asserts that a rotation is of unit length, to rounding.
///
/// # Panics
/// If it is not.
pub fn assert_unit(q: Quat) {
    let length = q.as_dquat().length();
    assert!((length - 1.0).abs() < 1e-6, "{q:?} has length {length}");
}
