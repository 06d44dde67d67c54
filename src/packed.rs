//! A vector as a register holds it: what loops over a chain carry from joint to joint.
//!
//! Three numbers in a slice are three loads and three of every operation; in the register that
//! `glam` has for them, one.

use core::ops::{Add, Mul, Sub};

use glam::{Quat, Vec2, Vec3A};

use crate::math;
use crate::rotation::Rot2;

/// What the loops ask of it.
pub trait Packed: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self> {
    /// What turns it.
    type Rotation;

    /// The origin.
    const ZERO: Self;

    /// [`Rotation::rotate`](crate::Rotation::rotate).
    fn rotated(self, rotation: Self::Rotation) -> Self;

    fn length(self) -> f32;

    fn abs(self) -> Self;

    /// Along each axis the larger coordinate.
    fn max(self, other: Self) -> Self;

    /// The largest coordinate.
    fn max_element(self) -> f32;

    /// Every coordinate rounded to a multiple of `grid`, a power of two or 0.
    fn snapped(self, grid: f32) -> Self;
}

macro_rules! packed {
    ($vector:ty, $rotation:ty) => {
        impl Packed for $vector {
            type Rotation = $rotation;

            const ZERO: Self = Self::ZERO;

            #[inline]
            fn rotated(self, rotation: $rotation) -> Self {
                rotation * self
            }

            #[inline]
            fn length(self) -> f32 {
                math::sqrt(self.dot(self))
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

packed!(Vec2, Rot2);
packed!(Vec3A, Quat);
