//! What lets one damper and one spring serve numbers, vectors and rotations.

use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

use glam::{Quat, Vec2, Vec3, Vec4};

use crate::check::check_size;
use crate::error::Error;
use crate::math::{self, half_turn_share_per_sine, half_turn_share_squared, half_turn_sine};
use crate::rotation::{Rot2, Rotation, check_rotation};

/// Lanes are let in where they are.
pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for glam::Vec2 {}
    impl Sealed for glam::Vec3 {}
    impl Sealed for glam::Vec4 {}
    impl Sealed for glam::Quat {}
    impl Sealed for crate::rotation::Rot2 {}
}

/// What a spring moves: an [`Animated`] value, or eight of them in a lane each.
///
/// The difference of two values is a [`Velocity`](Mobile::Velocity) times a time: for numbers
/// and vectors the plain difference, for a [`Rot2`] the angle in radians, and for a [`Quat`] the
/// rotation vector (axis times angle, in the space that the quaternion turns into), both the
/// short way round.
///
/// Sealed: it exists so that one closed form serves them all.
pub trait Mobile: sealed::Sealed + Copy + Debug + PartialEq + Send + Sync + 'static {
    /// How fast it moves, a second.
    type Velocity: Copy
        + Debug
        + Default
        + PartialEq
        + Add<Output = Self::Velocity>
        + Sub<Output = Self::Velocity>
        + Neg<Output = Self::Velocity>
        + Mul<f32, Output = Self::Velocity>
        + Send
        + Sync
        + 'static;

    /// Whether differences add up in any order; they do not for rotations of space.
    #[doc(hidden)]
    const COMMUTES: bool = true;

    /// What leads from this value to `to`.
    #[doc(hidden)]
    #[must_use]
    fn offset(self, to: Self) -> Self::Velocity;

    /// The value that `by` leads to.
    #[doc(hidden)]
    #[must_use]
    fn moved(self, by: Self::Velocity) -> Self;

    /// The value that has gone the share `closed` of the way to `to` and has the share `left`
    /// before it, which have digits that each other have lost.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn between(self, to: Self, closed: f32, left: f32) -> Self {
        // From the nearer end, so that a gap of zero stays zero.
        let gap = self.offset(to);
        if closed < 0.5 { self.moved(gap * closed) } else { to.moved(gap * -left) }
    }
}

/// What moves smoothly: a number, a vector, a rotation.
///
/// Sealed: it exists so that one function serves them all.
pub trait Animated: Mobile {
    /// The length of a difference.
    #[doc(hidden)]
    #[must_use]
    fn size(difference: Self::Velocity) -> f32;

    /// `Ok` if it is a number, or a unit rotation.
    #[doc(hidden)]
    fn check(self, argument: &'static str) -> Result<(), Error>;

    /// `Ok` if it is finite and not too large.
    #[doc(hidden)]
    fn check_velocity(argument: &'static str, velocity: Self::Velocity) -> Result<(), Error>;
}

impl Mobile for f32 {
    type Velocity = f32;

    #[inline]
    fn offset(self, to: Self) -> f32 {
        to - self
    }

    #[inline]
    fn moved(self, by: f32) -> Self {
        self + by
    }
}

impl Animated for f32 {
    #[inline]
    fn size(difference: f32) -> f32 {
        difference.abs()
    }

    #[inline]
    fn check(self, argument: &'static str) -> Result<(), Error> {
        check_size(argument, self.abs())
    }

    #[inline]
    fn check_velocity(argument: &'static str, velocity: f32) -> Result<(), Error> {
        check_size(argument, velocity.abs())
    }
}

macro_rules! animated_vector {
    ($($vector:ty),*) => {$(
        impl Mobile for $vector {
            type Velocity = Self;

            #[inline]
            fn offset(self, to: Self) -> Self {
                to - self
            }

            #[inline]
            fn moved(self, by: Self) -> Self {
                self + by
            }
        }

        impl Animated for $vector {
            #[inline]
            fn size(difference: Self) -> f32 {
                // A power of two taken out keeps the square in range.
                let unit = math::binade(difference.abs().max_element());
                let v = difference / unit;
                math::sqrt(v.dot(v)) * unit
            }

            #[inline]
            fn check(self, argument: &'static str) -> Result<(), Error> {
                Self::check_velocity(argument, self)
            }

            #[inline]
            fn check_velocity(argument: &'static str, velocity: Self) -> Result<(), Error> {
                // The largest of a set of numbers does not show a NaN among them.
                let largest =
                    if velocity.is_nan() { f32::NAN } else { velocity.abs().max_element() };
                check_size(argument, largest)
            }
        }
    )*};
}

animated_vector!(Vec2, Vec3, Vec4);

impl Mobile for Rot2 {
    type Velocity = f32;

    #[inline]
    fn offset(self, to: Self) -> f32 {
        (self.inverse() * to).angle()
    }

    #[inline]
    fn moved(self, by: f32) -> Self {
        // Normalised anew, a rotation that stands still would move by its last digit.
        if by == 0.0 {
            return self;
        }
        (self * Self::from_angle(by)).normalize()
    }
}

impl Animated for Rot2 {
    #[inline]
    fn size(difference: f32) -> f32 {
        difference.abs()
    }

    #[inline]
    fn check(self, argument: &'static str) -> Result<(), Error> {
        check_rotation(argument, self)
    }

    #[inline]
    fn check_velocity(argument: &'static str, velocity: f32) -> Result<(), Error> {
        check_size(argument, velocity.abs())
    }
}

impl Mobile for Quat {
    type Velocity = Vec3;

    const COMMUTES: bool = false;

    #[inline]
    fn offset(self, to: Self) -> Vec3 {
        (to * self.conjugate()).log()
    }

    #[inline]
    fn moved(self, by: Vec3) -> Self {
        if by == Vec3::ZERO { self } else { (Self::exp(by) * self).normalized() }
    }

    /// Along the arc between the two: its ends weigh as the sines of what lies beyond them.
    #[inline]
    fn between(self, to: Self, closed: f32, left: f32) -> Self {
        // What brings each to unit length.
        let (near, far) = (self.renormalizing(), to.renormalizing());
        let cos = self.dot(to) * (near * far);
        let versed = 1.0 - cos.abs();
        if versed < 1e-6 && self == to {
            return self;
        }
        let share = half_turn_share_squared(versed);
        let sine = |part: f32| part * half_turn_sine(part * part * share);
        let per_whole = half_turn_share_per_sine(versed);
        // The sign of the same rotation that lies the short way.
        let far = far * per_whole.copysign(cos);
        self * (near * per_whole * sine(left)) + to * (far * sine(closed))
    }
}

impl Animated for Quat {
    #[inline]
    fn size(difference: Vec3) -> f32 {
        Vec3::size(difference)
    }

    #[inline]
    fn check(self, argument: &'static str) -> Result<(), Error> {
        check_rotation(argument, self)
    }

    #[inline]
    fn check_velocity(argument: &'static str, velocity: Vec3) -> Result<(), Error> {
        Vec3::check_velocity(argument, velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_undoes_offset_for_either_sign() {
        let a = Quat::from_xyzw(0.5, -0.7, 0.1, -0.2).normalize();
        let b = Quat::from_xyzw(-0.1, 0.2, 0.9, 0.4).normalize();
        for to in [b, -b] {
            let there = a.moved(a.offset(to));
            assert!((there.dot(to).abs() - 1.0).abs() < 1e-6);
            assert!(Quat::size(a.offset(to)) <= core::f32::consts::PI + 1e-6);
        }
    }

    #[test]
    fn tiny_turns_keep_their_digits() {
        for angle in [1e-3_f32, 1e-8, 1e-30] {
            let q = Quat::IDENTITY.moved(Vec3::Z * angle);
            assert!((Quat::IDENTITY.offset(q).z / angle - 1.0).abs() < 1e-6);
            let r = Rot2::IDENTITY.moved(angle);
            assert!((Rot2::IDENTITY.offset(r) / angle - 1.0).abs() < 1e-6);
        }
    }
}
