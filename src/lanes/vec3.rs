//! Eight vectors in one value, written as the scalar ones are, so that every lane rounds as they
//! do.

use core::ops::{Add, Div, Mul, Neg, Sub};

use glam::Vec3;

use super::LANES;
use super::wide::{F32x8, Mask, select_by_fields};
use crate::space::direction;

/// Eight points or directions of space, one a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3x8 {
    /// The eight x.
    pub x: F32x8,
    /// The eight y.
    pub y: F32x8,
    /// The eight z.
    pub z: F32x8,
}

impl Vec3x8 {
    /// The origin in every lane.
    pub const ZERO: Self = Self { x: F32x8::ZERO, y: F32x8::ZERO, z: F32x8::ZERO };

    /// The same vector in every lane.
    #[inline]
    #[must_use]
    pub fn splat(v: Vec3) -> Self {
        Self { x: F32x8::splat(v.x), y: F32x8::splat(v.y), z: F32x8::splat(v.z) }
    }

    /// One lane's vector; NaN for a lane that there is not.
    #[inline]
    #[must_use]
    pub fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    /// Gives one lane a vector; a lane that there is not takes none.
    #[inline]
    pub fn set_lane(&mut self, lane: usize, v: Vec3) {
        self.x.set_lane(lane, v.x);
        self.y.set_lane(lane, v.y);
        self.z.set_lane(lane, v.z);
    }

    #[inline]
    pub(super) fn dot(self, other: Self) -> F32x8 {
        (self.x * other.x) + (self.y * other.y) + (self.z * other.z)
    }

    #[inline]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }

    #[inline]
    pub(super) fn length_squared(self) -> F32x8 {
        self.dot(self)
    }

    #[inline]
    pub(super) fn length(self) -> F32x8 {
        self.dot(self).sqrt()
    }

    /// The lanes in which all coordinates are the same.
    #[inline]
    pub(super) fn eq(self, other: Self) -> Mask {
        self.x.eq(other.x) & self.y.eq(other.y) & self.z.eq(other.z)
    }

    /// The largest magnitude of a coordinate, in the lanes that hold no NaN.
    #[inline]
    pub(super) fn largest(self) -> F32x8 {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }

    /// Where every coordinate is a number of at most this magnitude.
    #[inline]
    pub(super) fn within(self, most: f32) -> Mask {
        let most = F32x8::splat(most);
        self.x.abs().le(most) & self.y.abs().le(most) & self.z.abs().le(most)
    }

    /// As [`direction`]: the unit vectors and the lengths, zeros in the
    /// lanes that have none, and which those are not.
    #[inline]
    pub(super) fn direction(self) -> (Self, F32x8, Mask) {
        let (along, size, length, some) = self.tame();
        (along * (F32x8::ONE / size), length, some)
    }

    /// As [`Packed::tame`](crate::packed::Packed::tame): the vectors, the lengths to divide them by
    /// for unit vectors, and their lengths; 0, 1 and 0 in the lanes that have none, and which those
    /// are not.
    #[inline]
    pub(super) fn tame(self) -> (Self, F32x8, F32x8, Mask) {
        let squared = self.dot(self);
        let usual = squared.gt(F32x8::splat(1e-30)) & squared.lt(F32x8::splat(1e30));
        let length = squared.sqrt();
        if usual.all() {
            return (self, length, length, usual);
        }
        self.tame_odd(usual)
    }

    /// With lanes of no length, which idle ones have, and of lengths whose squares are not normal.
    #[cold]
    fn tame_odd(self, usual: Mask) -> (Self, F32x8, F32x8, Mask) {
        let squared = self.dot(self);
        let length = squared.sqrt();
        let mut along = usual.select(self, Self::ZERO);
        let size = usual.select(length, F32x8::ONE);
        let mut length = usual.select(length, F32x8::ZERO);
        // NaN has no direction.
        let odd = squared.eq(squared) & self.largest().gt(F32x8::ZERO) & !usual;
        if !odd.any() {
            return (along, size, length, usual);
        }
        let some = Mask::from_fn(|lane| {
            let found = if odd.lane(lane) { direction(self.lane(lane)) } else { None };
            if let Some((own_unit, own_length)) = found {
                along.set_lane(lane, own_unit);
                length.set_lane(lane, own_length);
            }
            found.is_some() || usual.lane(lane)
        });
        (along, size, length, some)
    }

    #[inline]
    pub(super) fn map(self, f: impl Fn(F32x8) -> F32x8) -> Self {
        Self { x: f(self.x), y: f(self.y), z: f(self.z) }
    }
}

impl From<[Vec3; LANES]> for Vec3x8 {
    #[inline]
    fn from(lanes: [Vec3; LANES]) -> Self {
        Self {
            x: lanes.map(|v| v.x).into(),
            y: lanes.map(|v| v.y).into(),
            z: lanes.map(|v| v.z).into(),
        }
    }
}

impl Add for Vec3x8 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vec3x8 {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Neg for Vec3x8 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl Mul<F32x8> for Vec3x8 {
    type Output = Self;

    #[inline]
    fn mul(self, scale: F32x8) -> Self {
        Self { x: self.x * scale, y: self.y * scale, z: self.z * scale }
    }
}

impl Mul<f32> for Vec3x8 {
    type Output = Self;

    #[inline]
    fn mul(self, scale: f32) -> Self {
        self * F32x8::splat(scale)
    }
}

impl Div<F32x8> for Vec3x8 {
    type Output = Self;

    #[inline]
    fn div(self, divisor: F32x8) -> Self {
        Self { x: self.x / divisor, y: self.y / divisor, z: self.z / divisor }
    }
}

select_by_fields!(Vec3x8 { x, y, z });
