//! Rotations: what [`Rot2`] and [`Quat`](glam::Quat) share, and the few operations on them that
//! engines get wrong near 0 and near half a turn.

mod angle;
mod arc;
mod check;
mod look;
mod quat;
mod rot2;
mod swing_twist;
mod turned;

pub use angle::{clamp_angle, signed_angle_2d, signed_angle_3d, wrap_angle};
pub use arc::{perpendicular, shortest_arc_2d, shortest_arc_3d};
pub use look::look_rotation;
pub use rot2::Rot2;
pub use swing_twist::swing_twist;
pub use turned::Turned;

#[cfg(feature = "lanes")]
pub(crate) use angle::ON_AXIS;
pub(crate) use angle::{OffAxis, nearest_in_range, turn_about};
pub(crate) use check::{
    UNIT_SLACK, check_across, check_axis, check_rotation, check_rotations, check_unit_axis, is_unit,
};
pub(crate) use look::across;
pub(crate) use quat::parts;
pub(crate) use swing_twist::{NO_SWING, NO_TWIST};

use core::fmt::Debug;
use core::ops::{Add, Mul, Sub};

use glam::Vec3;

use crate::check::check_range;
use crate::error::Error;
use crate::math;
use crate::packed::Packed;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Rot2 {}
    impl Sealed for glam::Quat {}
}

/// A rotation of the plane ([`Rot2`]) or of space ([`Quat`](glam::Quat)).
///
/// Sealed: it exists so that one solver serves both dimensions. Not checked: of numbers that are
/// not finite a method may make NaN.
pub trait Rotation:
    sealed::Sealed + Copy + Debug + PartialEq + Mul<Output = Self> + Send + Sync + 'static
{
    /// What it turns.
    type Vector;

    /// The same as a register holds it.
    #[doc(hidden)]
    type Packed: Packed;

    /// A rotation vector: the axis times the angle in radians; the angle alone in the plane.
    type Spin: Copy
        + Debug
        + Default
        + PartialEq
        + Add<Output = Self::Spin>
        + Sub<Output = Self::Spin>
        + Mul<f32, Output = Self::Spin>
        + Send
        + Sync
        + 'static;

    /// No turn at all.
    const IDENTITY: Self;

    /// The opposite turn.
    #[must_use]
    fn inverse(self) -> Self;

    /// Turns a vector.
    #[must_use]
    fn rotate(self, vector: Self::Vector) -> Self::Vector;

    /// [`Rotation::rotate`] in 30 operations instead of 38, for the inside of loops: where rounding
    /// has left the rotation off unit length, the vector's length is off by up to twice as much.
    #[doc(hidden)]
    #[must_use]
    fn rotate_fast(self, vector: Self::Vector) -> Self::Vector;

    /// [`Rotation::rotate`].
    #[doc(hidden)]
    #[must_use]
    fn rotate_packed(self, vector: Self::Packed) -> Self::Packed;

    /// [`Rotation::rotate_fast`].
    #[doc(hidden)]
    #[must_use]
    fn rotate_fast_packed(self, vector: Self::Packed) -> Self::Packed;

    /// [`Rotation::rotate`] by a rotation that may be of any length in space, given the inverse of
    /// its square along each axis.
    #[doc(hidden)]
    #[must_use]
    fn rotate_by(self, per_squared: Self::Packed, vector: Self::Packed) -> Self::Packed;

    /// The turn's size in `[0, π]`, accurate at both ends.
    #[must_use]
    fn angle(self) -> f32;

    /// The same turn, `share` times as far, the short way round.
    #[must_use]
    fn scaled(self, share: f32) -> Self;

    /// The rotation by a rotation vector.
    #[must_use]
    fn exp(spin: Self::Spin) -> Self;

    /// Its rotation vector, the short way round.
    #[must_use]
    fn log(self) -> Self::Spin;

    /// Turns a rotation vector: nothing in the plane, as a vector in space.
    #[doc(hidden)]
    #[must_use]
    fn rotate_spin(self, spin: Self::Spin) -> Self::Spin;

    /// The smallest turn that takes the direction of `from` to the direction of `to`; see
    /// [`shortest_arc_2d`] and [`shortest_arc_3d`].
    #[must_use]
    fn arc(from: Self::Vector, to: Self::Vector) -> Self;

    /// [`Rotation::arc`] between unit vectors, to 2e-6 rad and not to a share of the angle; three
    /// times as fast.
    #[doc(hidden)]
    #[must_use]
    fn unit_arc(from: Self::Vector, to: Self::Vector) -> Self;

    /// This turn and then the [`Rotation::unit_arc`] from a unit vector to the direction of `to`,
    /// which has a moderate `length`: brought to unit length once, and not for each of the two.
    #[doc(hidden)]
    #[must_use]
    fn and_arc(self, from: Self::Packed, to: Self::Packed, length: f32) -> Turned<Self>;

    /// The unit rotation nearest to this one; the identity if every component is 0.
    #[must_use]
    fn normalized(self) -> Self;

    /// Every component times `factor`.
    #[doc(hidden)]
    #[must_use]
    fn times(self, factor: f32) -> Self;

    /// [`Rotation::normalized`] for a rotation that has passed its check: three terms of the root's
    /// series are right to rounding there, and need no root and no division.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn normalized_near(self) -> Self {
        let excess = self.norm_squared() - 1.0;
        self.times(1.0 - excess * (0.5 - 0.375 * excess))
    }

    /// [`Rotation::normalized`] for a rotation that rounding alone has pushed off unit length, by
    /// no more than a few parts in a thousand: one step of Newton's method.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn renormalized(self) -> Self {
        self.times(self.renormalizing())
    }

    /// What [`Rotation::renormalized`] scales by.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn renormalizing(self) -> f32 {
        1.5 - 0.5 * self.norm_squared()
    }

    /// The square of its length; 1 for a rotation.
    #[doc(hidden)]
    #[must_use]
    fn norm_squared(self) -> f32;

    /// Whether every component is.
    #[doc(hidden)]
    #[must_use]
    fn is_finite(self) -> bool;

    /// Linear blend of the components, the short way, normalised: cheap and monotone, but its
    /// speed varies along the way.
    #[doc(hidden)]
    #[must_use]
    fn nlerp(self, to: Self, t: f32) -> Self;
}

/// A product of rotations, one after the other: each waits for the product of those before, and not
/// for what brings that to unit length.
pub(crate) struct Product<R> {
    /// Off unit length by what its last two factors are.
    product: R,
    factor: f32,
}

impl<R: Rotation> Product<R> {
    pub(crate) const ONE: Self = Self { product: R::IDENTITY, factor: 1.0 };

    /// The product with one more, which is of unit length to rounding; as it is itself.
    #[inline]
    pub(crate) fn times(&mut self, rotation: R) -> R {
        self.product = (self.product * rotation).times(self.factor);
        self.factor = self.product.renormalizing();
        self.product.times(self.factor)
    }
}

/// Turns `from` towards `to` by at most `max_step` radians, the short way.
///
/// For rotations; [`move_towards`](crate::move_towards) is the same for numbers and vectors. A step
/// at least as long as the gap lands on `to` bit for bit; a step of 0 stays at `from`. Half a turn
/// apart, the turn goes counter-clockwise in 2D and about the quaternions' own difference in 3D.
///
/// # Errors
/// `from` or `to` not a unit rotation; `max_step` negative or NaN.
///
/// ```
/// use sinew::{Rot2, rotate_towards};
///
/// let halfway = rotate_towards(Rot2::IDENTITY, Rot2::from_angle(0.4), 0.2)?;
/// assert!((halfway.angle() - 0.2).abs() < 1e-6);
/// let there = rotate_towards(halfway, Rot2::from_angle(0.4), 1.0)?;
/// assert_eq!(there, Rot2::from_angle(0.4));
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn rotate_towards<R: Rotation>(from: R, to: R, max_step: f32) -> Result<R, Error> {
    check_rotation("from", from)?;
    check_rotation("to", to)?;
    check_range("max_step", max_step, 0.0, f32::INFINITY)?;
    if max_step == 0.0 {
        return Ok(from);
    }
    let gap = from.inverse() * to;
    let angle = gap.angle();
    if angle <= max_step {
        return Ok(to);
    }
    Ok((from * gap.scaled(max_step / angle)).normalized())
}

/// The unit vector along `v`, whatever its size; `None` if it is zero or not finite.
pub(crate) fn unit(v: Vec3) -> Option<Vec3> {
    let largest = v.abs().max_element();
    // The largest of a NaN and a number is the number.
    if largest > 0.0 && v.is_finite() {
        // Dividing by a power of two is exact and keeps the square in range.
        let v = v / math::binade(largest);
        Some(v / math::sqrt(v.dot(v)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2};

    use super::*;

    #[test]
    fn scaled_goes_the_short_way_whatever_the_sign() {
        let q = Quat::from_axis_angle(Vec3::X, 1.0);
        for q in [q, -q] {
            let half = q.scaled(0.5);
            assert!(half.dot(Quat::from_axis_angle(Vec3::X, 0.5)).abs() > 1.0 - 1e-7);
            assert!((Rotation::angle(half) - 0.5).abs() < 1e-6);
        }
        assert_eq!(Quat::IDENTITY.scaled(3.0), Quat::IDENTITY);
    }

    #[test]
    fn what_passes_its_check_is_brought_to_unit_length() {
        let q = Quat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalized();
        for slack in [-9.9e-4, -5e-4, -1e-5, 0.0, 1e-5, 5e-4, 9.9e-4] {
            let near = q * (1.0 + slack);
            assert!(is_unit(near));
            let (quick, exact) = (near.normalized_near(), near.normalized());
            assert!((quick - exact).length() < 2e-7 && (quick.length() - 1.0).abs() < 2e-7);
        }
    }

    #[test]
    fn a_step_beyond_the_gap_lands_exactly() {
        let to = Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
        assert_eq!(rotate_towards(Quat::IDENTITY, to, 4.0), Ok(to));
        assert_eq!(rotate_towards(Quat::IDENTITY, -to, 4.0), Ok(-to));
        assert_eq!(rotate_towards(to, Quat::IDENTITY, 0.0), Ok(to));
    }

    /// In space the arc is found in another way within a quarter of a radian of half a turn.
    #[test]
    fn arcs_from_unit_vectors_arrive_on_both_sides_of_the_switch() {
        let before = Quat::from_xyzw(0.1, -0.7, 0.2, 0.6).normalize();
        let from = Vec3::new(2.0, -1.0, 2.0) / 3.0;
        for step in 0..=3000_u16 {
            let angle = core::f32::consts::PI * f32::from(step) / 3000.0;
            let (sin, cos) = math::sin_cos(angle);
            let to = from * cos + perpendicular(from) * sin;
            for length in [0.01, 1.0, 70.0] {
                let carried = before.and_arc(from.into(), (to * length).into(), length);
                // The product turns as the unit rotation does.
                let turned = Vec3::from(carried.rotate((before.conjugate() * from).into()));
                assert!(turned.distance(to) < 2e-6, "{angle} {length}");
                let arc = carried.unit * before.conjugate();
                for arc in [arc, Quat::unit_arc(from, to)] {
                    assert!((arc * from).distance(to) < 2e-6, "{angle} {length}");
                    assert!((Rotation::angle(arc) - angle).abs() < 2e-6, "{angle} {length}");
                }
            }
            let (from, to) =
                (Vec2::new(0.6, -0.8), Rot2::from_angle(angle).rotate(Vec2::new(0.6, -0.8)));
            let before = Rot2::from_angle(1.0);
            let arc = before.and_arc(from, to * 7.0, 7.0).unit * before.inverse();
            assert!((arc.rotate(from) - to).length() < 1e-6, "{angle}");
        }
    }

    #[test]
    fn unit_works_from_the_smallest_to_the_largest_float() {
        for size in [1e-45, 1e-30, 1.0, 3e38] {
            let v = unit(Vec3::new(size, 0.0, -size)).unwrap();
            assert!((v - Vec3::new(1.0, 0.0, -1.0).normalize()).length() < 1e-6);
        }
        assert_eq!(unit(Vec3::ZERO), None);
    }
}
