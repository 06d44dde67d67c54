//! Angles on the circle: wrapped, clamped to a range, and signed from one vector to another.

use core::f32::consts::PI;

use glam::{Vec2, Vec3, Vec3A};

use super::Rot2;
use crate::check::{check_bounds, check_range};
use crate::error::Error;
use crate::math;

/// The same angle in `[-π, π]`, in radians.
///
/// An angle already there comes back bit for bit; ±π both stay. Whole turns are taken off
/// with twice a float's digits, so that nothing is lost beyond what the angle itself has lost.
///
/// Not checked: NaN gives NaN, and an infinite angle any.
///
/// ```
/// use sinew::wrap_angle;
/// use core::f32::consts::PI;
///
/// assert!((wrap_angle(1.5 * PI) + 0.5 * PI).abs() < 1e-6);
/// assert_eq!(wrap_angle(-PI), -PI);
/// ```
#[inline]
#[must_use]
pub fn wrap_angle(angle: f32) -> f32 {
    if angle.abs() <= PI { angle } else { math::wrapped_difference(angle, 0.0) }
}

/// The angle of `[min, max]` that is nearest to `angle` on the circle, in radians.
///
/// `min` and `max` are any finite numbers, so a range may cross ±π, lie beyond it, or be wider
/// than a turn. An angle inside comes back bit for bit; one that is inside but for whole turns
/// comes back as the number inside the range; any other gives the nearer bound, and `max` when
/// both are equally near.
///
/// # Errors
/// `angle`, `min` or `max` not finite; `min > max`.
///
/// ```
/// use sinew::clamp_angle;
/// use core::f32::consts::PI;
///
/// assert_eq!(clamp_angle(0.0, -0.8, 0.8), Ok(0.0));
/// assert_eq!(clamp_angle(PI, -0.8, 0.8), Ok(0.8));
/// // A range across half a turn: 170° .. 190°.
/// let clamped = clamp_angle((-175_f32).to_radians(), 170_f32.to_radians(), 190_f32.to_radians());
/// assert!((clamped.unwrap() - 185_f32.to_radians()).abs() < 1e-6);
/// ```
pub fn clamp_angle(angle: f32, min: f32, max: f32) -> Result<f32, Error> {
    check_range("angle", angle, f32::MIN, f32::MAX)?;
    check_bounds(("min", "max"), min, max)?;
    Ok(nearest_in_range(angle, min, max))
}

/// [`clamp_angle`] for bounds that are known to be good.
pub(crate) fn nearest_in_range(angle: f32, min: f32, max: f32) -> f32 {
    if min <= angle && angle <= max {
        return angle;
    }
    // About the range's centre, the nearer bound is a plain comparison.
    let centre = 0.5 * min + 0.5 * max;
    let offset = offset_from(centre, angle);
    let half = 0.5 * max - 0.5 * min;
    if offset >= half {
        // Half a turn off the centre, rounding must not decide between the bounds.
        max
    } else if offset <= -half {
        if offset <= TIE { max } else { min }
    } else {
        math::clamp(centre + offset, min, max)
    }
}

/// From `centre` to `angle` the short way, in `[-π, π]`, however large they are.
#[inline]
pub(crate) fn offset_from(centre: f32, angle: f32) -> f32 {
    let offset = angle - centre;
    if offset.abs() <= PI { offset } else { math::wrapped_difference(angle, centre) }
}

/// An offset this close to half a turn is as near to one bound as to the other.
const TIE: f32 = -PI * (1.0 - 4.0 * f32::EPSILON);

/// The angle in radians, in `[-π, π]`, that turns the direction of `from` to that of `to`;
/// counter-clockwise is positive. 0 if either has no length.
///
/// Not checked: a vector that is not finite counts as one of no length.
///
/// ```
/// use sinew::{glam::Vec2, signed_angle_2d};
///
/// let angle = signed_angle_2d(Vec2::X * 3.0, Vec2::NEG_Y);
/// assert!((angle + core::f32::consts::FRAC_PI_2).abs() < 1e-6);
/// ```
#[must_use]
pub fn signed_angle_2d(from: Vec2, to: Vec2) -> f32 {
    super::shortest_arc_2d(from, to).angle()
}

/// The angle in radians, in `[-π, π]`, that turns `from` to `to` about `axis`, right-handed,
/// both projected across the axis.
///
/// `axis` may have any length. 0 if it has none, or if a projection has none but what rounding
/// leaves.
///
/// Not checked: a vector that is not finite counts as one of no length.
///
/// ```
/// use sinew::{glam::Vec3, signed_angle_3d};
///
/// let angle = signed_angle_3d(Vec3::X, Vec3::new(0.0, 1.0, 5.0), -Vec3::Z);
/// assert!((angle + core::f32::consts::FRAC_PI_2).abs() < 1e-6);
/// ```
#[must_use]
pub fn signed_angle_3d(from: Vec3, to: Vec3, axis: Vec3) -> f32 {
    let (Some(from), Some(to), Some(axis)) =
        (super::unit(from), super::unit(to), super::unit(axis))
    else {
        return 0.0;
    };
    turn_about(from, to, axis)
}

/// The square of the share of a vector that rounding leaves across an axis that it lies on.
pub(crate) const ON_AXIS: f32 = 16.0 * f32::EPSILON * f32::EPSILON;

/// [`signed_angle_3d`] for vectors of moderate size and a unit axis.
#[inline]
pub(crate) fn turn_about(from: Vec3, to: Vec3, axis: Vec3) -> f32 {
    let axis = Vec3A::from(axis);
    let (a, b) = (OffAxis::new(from.into(), axis), OffAxis::new(to.into(), axis));
    if a.is_none() || b.is_none() {
        return 0.0;
    }
    let turn = a.turn_to(&b, axis);
    math::atan2(turn.sin, turn.cos)
}

/// A vector's parts along and across a unit axis.
#[derive(Clone, Copy)]
pub(crate) struct OffAxis {
    pub(crate) along: f32,
    pub(crate) across: Vec3A,
    /// The square of the length across.
    pub(crate) squared: f32,
}

impl OffAxis {
    #[inline]
    pub(crate) fn new(v: Vec3A, axis: Vec3A) -> Self {
        let along = v.dot(axis);
        let across = v - axis * along;
        Self { along, across, squared: across.dot(across) }
    }

    /// Projected once more, for where what rounding has left along the axis would count: of a short
    /// rest across it that may be a large share.
    #[inline]
    pub(crate) fn again(self, axis: Vec3A) -> Self {
        Self { along: self.along, ..Self::new(self.across, axis) }
    }

    /// Whether what is left of it across the axis is rounding, or nothing.
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        self.squared <= self.along * ON_AXIS * self.along
    }

    /// The turn about the axis from this one to the other, as its direction, of any length. Both
    /// are projected, so that what rounding leaves of one along the axis meets nothing.
    #[inline]
    pub(crate) fn turn_to(&self, to: &Self, axis: Vec3A) -> Rot2 {
        Rot2 { cos: self.across.dot(to.across), sin: axis.cross(self.across).dot(to.across) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_keeps_what_is_inside_and_takes_off_whole_turns() {
        for angle in [0.0, 1e-30, -3.0, PI, -PI] {
            assert_eq!(wrap_angle(angle).to_bits(), angle.to_bits());
        }
        for turns in [-1000.0_f32, -2.0, 1.0, 7.0, 1e5] {
            let angle = 0.5 + turns * core::f32::consts::TAU;
            let exact = f64::from(angle) - core::f64::consts::TAU * f64::from(turns);
            assert!((f64::from(wrap_angle(angle)) - exact).abs() < 1e-6);
        }
    }

    #[test]
    fn clamp_of_the_largest_numbers_stays_in_range() {
        let (min, max) = (f32::MIN, -3.0e38);
        let clamped = clamp_angle(f32::MAX, min, max).unwrap();
        assert!(min <= clamped && clamped <= max, "{clamped}");
    }

    #[test]
    fn clamp_names_the_bad_bound() {
        assert_eq!(clamp_angle(0.0, f32::NAN, 1.0).unwrap_err().argument, "min");
        assert_eq!(clamp_angle(0.0, 0.0, f32::INFINITY).unwrap_err().argument, "max");
        assert_eq!(clamp_angle(f32::NAN, 0.0, 1.0).unwrap_err().argument, "angle");
    }
}
