//! Eight rotations in one value, written as the scalar ones are, so that every lane rounds as they
//! do.

use core::ops::{Add, Mul, Sub};

use glam::Quat;

use super::wide::{F32x8, Mask, select_by_fields};
use super::{LANES, Vec3x8};
use crate::rotation::Rotation;

/// Whether glam adds four products two by two, as it does in SIMD without fused operations.
const IN_PAIRS: bool = cfg!(all(
    any(target_feature = "sse2", target_feature = "simd128"),
    not(feature = "deterministic")
));

/// Eight rotations of space, one a lane: unit quaternions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Quatx8 {
    /// The eight x.
    pub x: F32x8,
    /// The eight y.
    pub y: F32x8,
    /// The eight z.
    pub z: F32x8,
    /// The eight w, the real part.
    pub w: F32x8,
}

impl Default for Quatx8 {
    /// [`Quatx8::IDENTITY`].
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Quatx8 {
    /// No turn in any lane.
    pub const IDENTITY: Self =
        Self { x: F32x8::ZERO, y: F32x8::ZERO, z: F32x8::ZERO, w: F32x8::ONE };

    /// The same rotation in every lane.
    #[inline]
    #[must_use]
    pub fn splat(q: Quat) -> Self {
        Self {
            x: F32x8::splat(q.x),
            y: F32x8::splat(q.y),
            z: F32x8::splat(q.z),
            w: F32x8::splat(q.w),
        }
    }

    /// One lane's rotation; NaN for a lane that there is not.
    #[inline]
    #[must_use]
    pub fn lane(&self, lane: usize) -> Quat {
        Quat::from_xyzw(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane), self.w.lane(lane))
    }

    /// Gives one lane a rotation; a lane that there is not takes none.
    #[inline]
    pub fn set_lane(&mut self, lane: usize, q: Quat) {
        self.x.set_lane(lane, q.x);
        self.y.set_lane(lane, q.y);
        self.z.set_lane(lane, q.z);
        self.w.set_lane(lane, q.w);
    }

    #[inline]
    pub(super) fn from_parts(v: Vec3x8, w: F32x8) -> Self {
        Self { x: v.x, y: v.y, z: v.z, w }
    }

    /// The imaginary part.
    #[inline]
    pub(super) fn vector(self) -> Vec3x8 {
        Vec3x8 { x: self.x, y: self.y, z: self.z }
    }

    #[inline]
    pub(super) fn conjugate(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// The lanes in which all components are the same.
    #[inline]
    pub(super) fn eq(self, other: Self) -> Mask {
        self.x.eq(other.x) & self.y.eq(other.y) & self.z.eq(other.z) & self.w.eq(other.w)
    }

    #[inline]
    pub(super) fn dot(self, other: Self) -> F32x8 {
        let (a, b) = (self, other);
        if IN_PAIRS {
            (a.x * b.x + a.z * b.z) + (a.y * b.y + a.w * b.w)
        } else {
            a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
        }
    }

    #[inline]
    pub(super) fn norm_squared(self) -> F32x8 {
        self.dot(self)
    }

    /// As [`Rotation::renormalized`](crate::Rotation).
    #[inline]
    pub(super) fn renormalized(self) -> Self {
        self * self.renormalizing()
    }

    #[inline]
    pub(super) fn renormalizing(self) -> F32x8 {
        F32x8::splat(1.5) - F32x8::splat(0.5) * self.norm_squared()
    }

    /// As [`Rotation::normalized_near`](crate::Rotation).
    #[inline]
    pub(super) fn normalized_near(self) -> Self {
        let excess = self.norm_squared() - F32x8::ONE;
        self * (F32x8::ONE - excess * (F32x8::splat(0.5) - excess * 0.375))
    }

    /// As [`Rotation::normalized`](crate::Rotation).
    #[inline]
    pub(super) fn normalized(self) -> Self {
        let norm_squared = self.norm_squared();
        let unit = self * (F32x8::ONE / norm_squared.sqrt());
        norm_squared.gt(F32x8::ZERO).select(unit, Self::IDENTITY)
    }

    /// As [`Rotation::nlerp`](crate::Rotation).
    #[inline]
    pub(super) fn nlerp(self, to: Self, t: F32x8) -> Self {
        let away = self.dot(to).lt(F32x8::ZERO);
        let to = away.select(to * F32x8::splat(-1.0), to);
        let (a, b) = (self * (F32x8::ONE - t), to * t);
        Self { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, w: a.w + b.w }.normalized()
    }

    /// As [`Rotation::and_arc`](crate::Rotation).
    #[inline]
    pub(super) fn and_arc(self, from: Vec3x8, to: Vec3x8, length: F32x8) -> Turned {
        let w = length + from.dot(to);
        let v = from.cross(to);
        let product = Self::from_parts(v, w) * self;
        let squared = v.dot(v) + w * w;
        let renormalizing = self.renormalizing();
        let per_squared = renormalizing * renormalizing / squared;
        let unit = product * (per_squared * (F32x8::splat(2.0) - renormalizing) * squared.sqrt());
        let mut turned = Turned { unit, product, per_squared };
        let cancels = w.lt(length * 0.03);
        if cancels.any() {
            turned = turned.with_wide_turns(self, (from, to, length), cancels);
        }
        turned
    }

    /// As [`Rotation::unit_arc`](crate::Rotation).
    #[inline]
    pub(super) fn unit_arc(from: Vec3x8, to: Vec3x8) -> Self {
        let w = F32x8::ONE + from.dot(to);
        let v = from.cross(to);
        let arc = Self::from_parts(v, w) * (F32x8::ONE / (v.dot(v) + w * w).sqrt());
        let cancels = w.lt(F32x8::splat(0.03));
        if cancels.any() { arc.with_wide_arcs(from, to, cancels) } else { arc }
    }

    #[cold]
    fn with_wide_arcs(mut self, from: Vec3x8, to: Vec3x8, lanes: Mask) -> Self {
        for lane in lanes.lanes() {
            self.set_lane(lane, Quat::unit_arc(from.lane(lane), to.lane(lane)));
        }
        self
    }

    #[inline]
    pub(super) fn rotate(self, v: Vec3x8) -> Vec3x8 {
        let (w, b) = (self.w, self.vector());
        let b2 = b.dot(b);
        v * (w * w - b2) + b * (v.dot(b) * 2.0) + b.cross(v) * (w * 2.0)
    }

    /// As [`Rotation::rotate_fast`](crate::Rotation).
    #[inline]
    pub(super) fn rotate_fast(self, v: Vec3x8) -> Vec3x8 {
        let axis = self.vector();
        let t = axis.cross(v) * 2.0;
        v + t * self.w + axis.cross(t)
    }

    /// [`Quatx8::rotate_fast`] by the opposite turn.
    #[inline]
    pub(super) fn rotate_back_fast(self, v: Vec3x8) -> Vec3x8 {
        let axis = self.vector();
        let t = axis.cross(v) * 2.0;
        v - t * self.w + axis.cross(t)
    }
}

/// As [`Turned`](crate::rotation::Turned).
#[derive(Clone, Copy)]
pub(super) struct Turned {
    pub(super) unit: Quatx8,
    product: Quatx8,
    per_squared: F32x8,
}

impl Turned {
    pub(super) const NONE: Self =
        Self { unit: Quatx8::IDENTITY, product: Quatx8::IDENTITY, per_squared: F32x8::ONE };

    #[inline]
    pub(super) fn from_unit(unit: Quatx8) -> Self {
        Self { unit, product: unit, per_squared: F32x8::ONE }
    }

    #[inline]
    pub(super) fn rotate(&self, v: Vec3x8) -> Vec3x8 {
        let axis = self.product.vector();
        let t = axis.cross(v + v);
        v + (t * self.product.w + axis.cross(t)) * self.per_squared
    }

    #[cold]
    fn with_wide_turns(
        self,
        before: Quatx8,
        (from, to, length): (Vec3x8, Vec3x8, F32x8),
        lanes: Mask,
    ) -> Self {
        let mut wide = self.unit;
        for lane in lanes.lanes() {
            let (from, to, length) = (from.lane(lane), to.lane(lane), length.lane(lane));
            let turned = before.lane(lane).and_arc(from.into(), to.into(), length);
            wide.set_lane(lane, turned.unit);
        }
        lanes.select(Self::from_unit(wide), self)
    }
}

select_by_fields!(Turned { unit, product, per_squared });

impl From<[Quat; LANES]> for Quatx8 {
    #[inline]
    fn from(lanes: [Quat; LANES]) -> Self {
        Self {
            x: lanes.map(|q| q.x).into(),
            y: lanes.map(|q| q.y).into(),
            z: lanes.map(|q| q.z).into(),
            w: lanes.map(|q| q.w).into(),
        }
    }
}

impl Mul for Quatx8 {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self, other);
        if IN_PAIRS {
            return Self {
                x: (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                y: (a.w * b.y - a.x * b.z) + (a.y * b.w + a.z * b.x),
                z: (a.w * b.z + a.x * b.y) + (a.z * b.w - a.y * b.x),
                // Not the difference from a sum: the sign of zero is glam's, too.
                w: (a.w * b.w - a.x * b.x) + (-(a.y * b.y) - a.z * b.z),
            };
        }
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }
}

impl Add for Quatx8 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z, w: self.w + other.w }
    }
}

impl Sub for Quatx8 {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z, w: self.w - other.w }
    }
}

impl Mul<F32x8> for Quatx8 {
    type Output = Self;

    #[inline]
    fn mul(self, scale: F32x8) -> Self {
        Self { x: self.x * scale, y: self.y * scale, z: self.z * scale, w: self.w * scale }
    }
}

select_by_fields!(Quatx8 { x, y, z, w });

#[cfg(all(
    test,
    any(feature = "deterministic", all(target_feature = "sse2", not(target_feature = "fma")))
))]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::noise::numbers;

    #[test]
    fn every_lane_rounds_as_a_scalar_does() {
        let mut next = numbers();
        for _ in 0..100 {
            let v: [Vec3; LANES] = core::array::from_fn(|_| Vec3::new(next(), next(), next()));
            let u: [Vec3; LANES] = core::array::from_fn(|_| Vec3::new(next(), next(), next()));
            let p = v.map(|v| Quat::from_xyzw(v.x, v.y, v.z, next()).normalized());
            let q = u.map(|u| Quat::from_xyzw(u.x, u.y, u.z, next()).normalized());
            let (vs, us) = (Vec3x8::from(v), Vec3x8::from(u));
            let (ps, qs) = (Quatx8::from(p), Quatx8::from(q));
            for i in 0..LANES {
                assert_eq!(vs.dot(us).lane(i), v[i].dot(u[i]));
                assert_eq!(vs.cross(us).lane(i), v[i].cross(u[i]));
                assert_eq!(vs.length().lane(i), crate::math::sqrt(v[i].dot(v[i])));
                assert_eq!(vs.largest().lane(i), v[i].abs().max_element());
                assert_eq!((vs / us.x).lane(i), v[i] / u[i].x);
                assert_eq!(ps.lane(i), p[i]);
                assert_eq!((ps * qs).lane(i), p[i] * q[i]);
                assert_eq!(ps.conjugate().lane(i), p[i].conjugate());
                assert_eq!(ps.rotate(vs).lane(i), p[i].rotate(v[i]));
                assert_eq!(ps.rotate_fast(vs).lane(i), p[i].rotate_fast(v[i]));
                assert_eq!(ps.rotate_back_fast(vs).lane(i), p[i].inverse().rotate_fast(v[i]));
                assert_eq!(ps.norm_squared().lane(i), p[i].norm_squared());
                assert_eq!((ps * qs).renormalized().lane(i), (p[i] * q[i]).renormalized());
                assert_eq!((ps * qs).normalized_near().lane(i), (p[i] * q[i]).normalized_near());
                assert_eq!((ps * vs.x).normalized().lane(i), (p[i] * v[i].x).normalized());
            }
        }
    }

    /// Up to half a turn, where some lanes are within a quarter of a radian of it and others are
    /// not.
    #[test]
    fn arcs_of_every_lane_are_a_scalars() {
        let mut next = numbers();
        for _ in 0..300 {
            let from: [Vec3; LANES] =
                core::array::from_fn(|_| Vec3::new(next(), next(), next()).normalize());
            let to = from.map(|v| {
                let near = -v + Vec3::new(next(), next(), next()) * 0.2;
                if next() < 0.0 { near } else { Vec3::new(next(), next(), next()) }
            });
            let length = to.map(Vec3::length);
            let unit = to.map(Vec3::normalize);
            let before = from.map(|v| Quat::from_xyzw(v.y, v.z, v.x, next()).normalized());
            let (wide_from, wide_to) = (Vec3x8::from(from), Vec3x8::from(to));
            let arcs = Quatx8::unit_arc(wide_from, unit.into());
            let turned = Quatx8::from(before).and_arc(wide_from, wide_to, length.into());
            for i in 0..LANES {
                assert_eq!(arcs.lane(i), Quat::unit_arc(from[i], unit[i]));
                let scalar = before[i].and_arc(from[i].into(), to[i].into(), length[i]);
                assert_eq!(turned.unit.lane(i), scalar.unit);
                let v = Vec3::from(scalar.rotate(to[i].into()));
                assert_eq!(turned.rotate(wide_to).lane(i), v);
            }
        }
    }
}
