//! What quaternions do as rotations of space.

use glam::{Quat, Vec3, Vec3A};

use super::{Rotation, Turned, shortest_arc_3d};
use crate::math::{self, arc_per_tangent, half_turn_cosine, half_turn_sine};

const FRAC_1_TAU: f32 = 1.0 / core::f32::consts::TAU;

impl Rotation for Quat {
    type Vector = Vec3;
    type Packed = Vec3A;
    type Spin = Vec3;

    const IDENTITY: Self = Self::IDENTITY;

    #[inline]
    fn inverse(self) -> Self {
        self.conjugate()
    }

    #[inline]
    fn rotate(self, vector: Vec3) -> Vec3 {
        self * vector
    }

    #[inline]
    fn rotate_fast(self, vector: Vec3) -> Vec3 {
        self.rotate_fast_packed(vector.into()).into()
    }

    #[inline]
    fn rotate_packed(self, vector: Vec3A) -> Vec3A {
        self * vector
    }

    #[inline]
    fn rotate_fast_packed(self, vector: Vec3A) -> Vec3A {
        let axis = Vec3A::from_vec4(self.into());
        // The double is there before the rotation is.
        let t = axis.cross(vector + vector);
        vector + t * self.w + axis.cross(t)
    }

    #[inline]
    fn rotate_by(self, per_squared: Vec3A, vector: Vec3A) -> Vec3A {
        let axis = Vec3A::from_vec4(self.into());
        let t = axis.cross(vector + vector);
        vector + (t * self.w + axis.cross(t)) * per_squared
    }

    #[inline]
    fn angle(self) -> f32 {
        let v = Vec3::new(self.x, self.y, self.z);
        2.0 * math::atan2(math::sqrt(v.dot(v)), self.w.abs())
    }

    fn scaled(self, share: f32) -> Self {
        Self::exp(self.log() * share)
    }

    fn exp(spin: Vec3) -> Self {
        // Up to half a turn the square of the angle will do.
        let square = spin.dot(spin);
        let share = square * (FRAC_1_TAU * FRAC_1_TAU);
        let (ratio, cos) = if share <= 0.25 {
            (half_turn_sine(share) * FRAC_1_TAU, half_turn_cosine(share))
        } else {
            let angle = math::sqrt(square);
            let (sin, cos) = math::sin_cos(0.5 * angle);
            (sin / angle, cos)
        };
        let v = spin * ratio;
        Self::from_xyzw(v.x, v.y, v.z, cos)
    }

    fn log(self) -> Vec3 {
        let (v, w) = parts(self);
        // The axis, as long as the tangent of a quarter of the angle, the short way.
        let across = math::sqrt(self.norm_squared()) + w.abs();
        let tangent = v / across.max(f32::MIN_POSITIVE).copysign(w);
        tangent * (4.0 * arc_per_tangent(tangent.dot(tangent)))
    }

    #[inline]
    fn rotate_spin(self, spin: Vec3) -> Vec3 {
        self * spin
    }

    #[inline]
    fn arc(from: Vec3, to: Vec3) -> Self {
        shortest_arc_3d(from, to)
    }

    #[inline]
    fn unit_arc(from: Vec3, to: Vec3) -> Self {
        // Within a quarter of a radian of half a turn the sum cancels.
        let w = 1.0 + from.dot(to);
        if w < 0.03 {
            return shortest_arc_3d(from, to);
        }
        let v = from.cross(to);
        Self::from_xyzw(v.x, v.y, v.z, w) * (1.0 / math::sqrt(v.dot(v) + w * w))
    }

    #[inline]
    fn and_arc(self, from: Vec3A, to: Vec3A, length: f32) -> Turned<Self> {
        // Within a quarter of a radian of half a turn the sum cancels.
        let w = length + from.dot(to);
        if w < 0.03 * length {
            return Turned::from_unit(and_wide_arc(self, from.into(), to.into(), length));
        }
        let v = from.cross(to);
        let product = Self::from_vec4(v.extend(w)) * self;
        let squared = v.dot(v) + w * w;
        // The inverses of what is within rounding of 1, and of its square: no division.
        let renormalizing = self.renormalizing();
        let per_squared = renormalizing * renormalizing / squared;
        // Over the root of the square; the division does not wait for the root.
        let unit = product * (per_squared * (2.0 - renormalizing) * math::sqrt(squared));
        Turned::new(unit, product, Vec3A::splat(per_squared))
    }

    #[inline]
    fn normalized(self) -> Self {
        let norm_squared = self.norm_squared();
        if norm_squared > 0.0 { self * (1.0 / math::sqrt(norm_squared)) } else { Self::IDENTITY }
    }

    #[inline]
    fn times(self, factor: f32) -> Self {
        self * factor
    }

    #[inline]
    fn norm_squared(self) -> f32 {
        self.length_squared()
    }

    fn is_finite(self) -> bool {
        Self::is_finite(self)
    }

    #[inline]
    fn nlerp(self, to: Self, t: f32) -> Self {
        let to = if self.dot(to) < 0.0 { -to } else { to };
        (self * (1.0 - t) + to * t).normalized()
    }
}

/// [`Rotation::and_arc`] for an arc of next to half a turn.
#[cold]
fn and_wide_arc(turn: Quat, from: Vec3, to: Vec3, length: f32) -> Quat {
    (shortest_arc_3d(from, to * (1.0 / length)) * turn).renormalized()
}

/// The vector part and the scalar part of a quaternion.
#[inline]
pub(crate) fn parts(q: Quat) -> (Vec3, f32) {
    (Vec3::new(q.x, q.y, q.z), q.w)
}
