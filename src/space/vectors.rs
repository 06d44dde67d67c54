//! The vectors of both dimensions.

use glam::{Quat, Vec2, Vec3, Vec3A};

use super::Vector;
use crate::joint::{Joint2, Joint3};
use crate::math;
use crate::rotation::{Rot2, perpendicular, unit};

impl Vector for Vec2 {
    type Rotation = Rot2;
    type Joint = Joint2;
    type Packed = Self;

    const DIMENSIONS: usize = 2;

    const ZERO: Self = Self::ZERO;

    #[inline]
    fn dot(self, other: Self) -> f32 {
        self.dot(other)
    }

    #[inline]
    fn largest(self) -> f32 {
        math::larger(self.x, self.y)
    }

    #[inline]
    fn extent(self) -> f32 {
        math::greater(self.x.abs(), self.y.abs())
    }

    #[inline]
    fn squared(self) -> Self {
        self * self
    }

    #[inline]
    fn is_within(self, bound: f32) -> bool {
        (self.x.abs() <= bound) & (self.y.abs() <= bound)
    }

    #[inline]
    fn spun(self, spin: f32) -> Self {
        Self::new(-self.y, self.x) * spin
    }

    #[inline]
    fn off_axis(self, _: f32) -> Self {
        self
    }

    #[inline]
    fn moment(self, force: Self) -> f32 {
        self.perp_dot(force)
    }

    const SPINS: [f32; 3] = [1.0, 0.0, 0.0];

    #[inline]
    fn spin_dot(a: f32, b: f32) -> f32 {
        a * b
    }

    #[inline]
    fn flatten(self, spin: f32) -> [f32; 6] {
        [self.x, self.y, spin, 0.0, 0.0, 0.0]
    }

    #[inline]
    fn unflatten([x, y, spin, ..]: [f32; 6]) -> (Self, f32) {
        (Self::new(x, y), spin)
    }

    #[inline]
    fn perpendicular(self) -> Self {
        let size = math::binade(self.abs().max_element());
        let v = Self::new(-self.y / size, self.x / size);
        let length = math::sqrt(v.dot(v));
        if length > 0.0 { v / length } else { Self::Y }
    }

    fn perpendicular_to_both(self, _other: Self) -> Self {
        self.perpendicular()
    }

    #[inline]
    fn clamped(self, half: Self) -> Self {
        self.max(-half).min(half)
    }

    #[inline]
    fn nearest_face(self, half: Self) -> (Self, f32) {
        let depth = half - self.abs();
        if depth.x <= depth.y {
            (Self::X * side(self.x), depth.x)
        } else {
            (Self::Y * side(self.y), depth.y)
        }
    }
}

impl Vector for Vec3 {
    type Rotation = Quat;
    type Joint = Joint3;
    type Packed = Vec3A;

    const DIMENSIONS: usize = 3;

    const ZERO: Self = Self::ZERO;

    #[inline]
    fn dot(self, other: Self) -> f32 {
        self.dot(other)
    }

    #[inline]
    fn largest(self) -> f32 {
        math::larger(math::larger(self.x, self.y), self.z)
    }

    #[inline]
    fn extent(self) -> f32 {
        math::greater(math::greater(self.x.abs(), self.y.abs()), self.z.abs())
    }

    #[inline]
    fn squared(self) -> Self {
        self * self
    }

    #[inline]
    fn is_within(self, bound: f32) -> bool {
        (self.x.abs() <= bound) & (self.y.abs() <= bound) & (self.z.abs() <= bound)
    }

    #[inline]
    fn spun(self, spin: Self) -> Self {
        spin.cross(self)
    }

    #[inline]
    fn off_axis(self, axis: Self) -> Self {
        self - axis * self.dot(axis)
    }

    #[inline]
    fn moment(self, force: Self) -> Self {
        self.cross(force)
    }

    const SPINS: [Self; 3] = [Self::X, Self::Y, Self::Z];

    #[inline]
    fn spin_dot(a: Self, b: Self) -> f32 {
        a.dot(b)
    }

    #[inline]
    fn flatten(self, spin: Self) -> [f32; 6] {
        [self.x, self.y, self.z, spin.x, spin.y, spin.z]
    }

    #[inline]
    fn unflatten([x, y, z, a, b, c]: [f32; 6]) -> (Self, Self) {
        (Self::new(x, y, z), Self::new(a, b, c))
    }

    #[inline]
    fn perpendicular(self) -> Self {
        perpendicular(self)
    }

    fn perpendicular_to_both(self, other: Self) -> Self {
        let (Some(a), Some(b)) = (unit(self), unit(other)) else { return perpendicular(self) };
        let cross = a.cross(b);
        // With sines below a thousandth, rounding has the say in the cross product's direction.
        if cross.dot(cross) > 1e-6 {
            unit(cross).unwrap_or_else(|| perpendicular(self))
        } else {
            perpendicular(self)
        }
    }

    #[inline]
    fn clamped(self, half: Self) -> Self {
        self.max(-half).min(half)
    }

    #[inline]
    fn nearest_face(self, half: Self) -> (Self, f32) {
        let depth = half - self.abs();
        if depth.x <= depth.y && depth.x <= depth.z {
            (Self::X * side(self.x), depth.x)
        } else if depth.y <= depth.z {
            (Self::Y * side(self.y), depth.y)
        } else {
            (Self::Z * side(self.z), depth.z)
        }
    }
}

/// Which side of zero: 1 or -1, and 1 for either zero.
#[inline]
fn side(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
