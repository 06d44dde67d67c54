//! A rotation as a twist about an axis, and then a swing of that axis.

use glam::{Quat, Vec3};

use super::{parts, unit};
use crate::math;

/// The cosine of half a swing of half a turn, as rounding leaves it: such a swing has no twist.
pub(crate) const NO_TWIST: f32 = 4.0 * f32::EPSILON;

/// The sine of half a swing that is no more than rounding leaves: less than the radian's millionth
/// at which a rotation counts as admissible, so that no swing which counts is lost.
pub(crate) const NO_SWING: f32 = 4.0 * f32::EPSILON;

/// Splits a rotation into `(swing, twist)` with `rotation = swing * twist`: the twist turns about
/// `axis`, the swing about something across it.
///
/// `axis` may have any length; if it has none, all is swing. Either sign of the quaternion gives
/// the same two rotations, both with `w >= 0`. Where the swing is half a turn the twist has no
/// meaning, and is the identity.
///
/// Source: Huyghe (2011), "Design and Implementation of a Mobile Sensor System for Human Posture
/// Tracking", ch. 4; the projection of the vector part onto the axis.
///
/// Not checked: an axis that is not finite counts as one of no length, and a rotation that is not
/// gives NaN.
///
/// ```
/// use sinew::{glam::{Quat, Vec3}, swing_twist};
///
/// let q = Quat::from_rotation_x(0.3) * Quat::from_rotation_y(-2.0);
/// let (swing, twist) = swing_twist(-q, Vec3::Y * 5.0);
/// assert!(twist.angle_between(Quat::from_rotation_y(-2.0)) < 1e-3);
/// assert!(swing.angle_between(Quat::from_rotation_x(0.3)) < 1e-3);
/// ```
#[must_use]
pub fn swing_twist(rotation: Quat, axis: Vec3) -> (Quat, Quat) {
    let Some(axis) = unit(axis) else {
        return (positive(rotation), Quat::IDENTITY);
    };
    let twist = twist_about(rotation, axis);
    (positive(rotation * twist.conjugate()), twist)
}

/// The twist about a unit axis, with `w >= 0`.
#[inline]
fn twist_about(rotation: Quat, axis: Vec3) -> Quat {
    let (v, w) = parts(rotation);
    let along = v.dot(axis);
    let length = math::sqrt(w * w + along * along);
    if length <= NO_TWIST {
        return Quat::IDENTITY;
    }
    let k = (1.0 / length).copysign(w);
    let v = axis * (along * k);
    Quat::from_xyzw(v.x, v.y, v.z, w * k)
}

/// The sign of the same rotation that has `w >= 0`.
fn positive(q: Quat) -> Quat {
    if q.w < 0.0 { -q } else { q }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::Rotation;

    #[test]
    fn half_a_turn_of_swing_has_no_twist() {
        let q = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
        assert_eq!(swing_twist(q, Vec3::Y), (q, Quat::IDENTITY));
    }

    #[test]
    fn parts_multiply_back_for_either_sign() {
        let q = Quat::from_xyzw(0.5, -0.7, 0.1, -0.2).normalized();
        for q in [q, -q] {
            let (swing, twist) = swing_twist(q, Vec3::new(1.0, 2.0, -3.0));
            assert!((swing * twist).dot(q).abs() > 1.0 - 1e-6);
            assert!(swing.w >= 0.0 && twist.w >= 0.0);
            assert!(parts(swing).0.dot(Vec3::new(1.0, 2.0, -3.0)).abs() < 1e-6);
        }
    }
}
