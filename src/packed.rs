//! A vector as a register holds it: what loops over a chain carry from joint to joint.
//!
//! Three numbers in a slice are three loads and three of every operation; in the register that
//! `glam` has for them, one.

use core::ops::{Add, Mul, Sub};

use glam::{Vec2, Vec3A};

use crate::math;

/// What loops ask of a vector in a register.
pub trait Packed:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<f32, Output = Self>
{
    /// The origin.
    const ZERO: Self;

    /// The same number along each axis.
    fn splat(x: f32) -> Self;

    /// The scalar product.
    fn dot(self, other: Self) -> f32;

    /// Every coordinate without its sign.
    fn abs(self) -> Self;

    /// Along each axis the larger coordinate.
    fn max(self, other: Self) -> Self;

    /// The largest coordinate.
    fn max_element(self) -> f32;

    /// Every coordinate rounded to a multiple of `grid`, a power of two or 0.
    fn snapped(self, grid: f32) -> Self;

    /// The length.
    #[inline]
    fn length(self) -> f32 {
        math::sqrt(self.dot(self))
    }

    /// The vector, the length to divide it by for a unit vector, and its length. Where the square
    /// of that is no normal number, the first two are the unit vector along it and 1. `None` if it
    /// has no length.
    #[inline]
    fn tame(self) -> Option<(Self, f32, f32)> {
        let squared = self.dot(self);
        // The squares of such lengths are normal numbers, with all their digits.
        if squared > 1e-30 && squared < 1e30 {
            let length = math::sqrt(squared);
            return Some((self, length, length));
        }
        let (along, size, length) = tame_odd(self)?;
        Some((along, size, length))
    }
}

/// [`Packed::tame`] for lengths that loops hardly ever meet.
#[cold]
fn tame_odd<P: Packed>(v: P) -> Option<(P, f32, f32)> {
    let size = math::binade(v.abs().max_element());
    let tamed = v * (1.0 / size);
    let length = tamed.length();
    if length > 0.0 && length.is_finite() {
        Some((tamed * (1.0 / length), 1.0, length * size))
    } else {
        None
    }
}

macro_rules! packed {
    ($vector:ty) => {
        impl Packed for $vector {
            const ZERO: Self = Self::ZERO;

            #[inline]
            fn splat(x: f32) -> Self {
                Self::splat(x)
            }

            #[inline]
            fn dot(self, other: Self) -> f32 {
                self.dot(other)
            }

            #[inline]
            fn abs(self) -> Self {
                self.abs()
            }

            #[inline]
            fn max(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline]
            fn max_element(self) -> f32 {
                self.max_element()
            }

            #[inline]
            fn snapped(self, grid: f32) -> Self {
                let carry = math::carry(grid);
                (self + carry) - carry
            }
        }
    };
}

packed!(Vec2);
packed!(Vec3A);
