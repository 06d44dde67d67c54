//! The triangles of two bones and the line from the root to the effector.

use crate::lanes::Vec3x8;
use crate::lanes::exact::rough_excess;
use crate::lanes::wide::{F32x8, Mask};
use crate::math::exact::sum;

/// The triangles of two bones and the line from the root to the effector.
pub(super) struct Triangle {
    base: F32x8,
    end: F32x8,
    near: F32x8,
    far: F32x8,
    pub(super) stretch: F32x8,
    pub(super) out_of_reach: Mask,
}

impl Triangle {
    #[inline]
    pub(super) fn new(
        [a, b]: [F32x8; 2],
        (distance, rest): (F32x8, F32x8),
        max_stretch: f32,
        usual: &mut Mask,
    ) -> Self {
        let (longer, shorter) = (a.max(b), a.min(b));
        let end = F32x8::ONE.copysign((distance * distance - a * a) - b * b);
        let most = longer + end * shorter;
        let more = end * shorter - (most - longer);
        let within = ((most - distance) + (more - rest)) * (end * (most + distance));
        let whole = a * 4.0 * b;
        let near = within.max(F32x8::ZERO).min(whole);
        let base = within.gt(F32x8::ZERO).select(distance, most);
        *usual = *usual & base.ge(F32x8::splat(f32::MIN_POSITIVE));
        let most = F32x8::splat(max_stretch);
        let is_stretched = distance.gt(base) & most.gt(F32x8::ONE);
        let stretch = is_stretched.select((distance / base).min(most), F32x8::ONE);
        let out_of_reach = distance.gt((a + b) * max_stretch) | distance.lt((a - b).abs());
        Self { base, end, near, far: whole - near, stretch, out_of_reach }
    }

    /// The two bones in the plane of the base's direction and one across it.
    #[inline]
    pub(super) fn bones(&self, [a, b]: [F32x8; 2], direction: Vec3x8, out: Vec3x8) -> [Bone; 2] {
        let half = F32x8::splat(0.5) / self.base;
        let height = (self.near * self.far).sqrt() * half;
        let short = self.end * self.near;
        [(height, a, b), (-height, b, a)].map(|(height, length, other)| {
            let along = ((length + length) * (length + self.end * other) - short) * half;
            let vector = direction * along + out * height;
            let per_length = F32x8::ONE / length.max(F32x8::splat(f32::MIN_POSITIVE));
            let missing = rough_excess(vector, length) * -0.5 * per_length * per_length;
            Bone { vector, per_length, missing }
        })
    }
}

/// A bone as it shall be, and by what share of it rounding has left it too short.
pub(super) struct Bone {
    vector: Vec3x8,
    per_length: F32x8,
    missing: F32x8,
}

impl Bone {
    #[inline]
    pub(super) fn direction(&self) -> Vec3x8 {
        self.vector * self.per_length
    }

    #[inline]
    pub(super) fn laid_out(
        &self,
        (begin, left): (Vec3x8, Vec3x8),
        scale: F32x8,
    ) -> (Vec3x8, Vec3x8) {
        let vector = self.vector * scale;
        let (end, more) = sum(begin, vector);
        (end, more + (left + vector * self.missing))
    }
}
