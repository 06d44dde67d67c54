//! Measures limbs and the ways to their targets.

use crate::lanes::Vec3x8;
use crate::lanes::exact::excess;
use crate::lanes::wide::{F32x8, Mask};
use crate::math::exact::difference;

/// What there is to measure: both bones, and the line from the root to the target.
pub(super) struct Tape {
    /// A power of two, so that nothing is lost by taking lengths in units of it.
    pub(super) unit: F32x8,
    pub(super) per_unit: F32x8,
    /// In units.
    pub(super) bones: [Measured; 2],
    /// From the root to the target, in units of its own.
    pub(super) aim: Measured,
    /// How long the bones shall be, in units.
    pub(super) lengths: [F32x8; 2],
    /// From the root to the target in units, and what rounding has left of it.
    pub(super) distance: (F32x8, F32x8),
}

impl Tape {
    #[inline]
    pub(super) fn new(
        [root, middle, effector]: [Vec3x8; 3],
        target: Vec3x8,
        given: Option<[f32; 2]>,
    ) -> Self {
        let spans = [(root, middle), (middle, effector), (root, target)];
        let [upper, lower, aim] = spans.map(|(begin, end)| Span::new(begin, end));
        let [a, b] = given.unwrap_or_default();
        let size = upper.v.largest().max(lower.v.largest());
        let unit = size.max(F32x8::splat(a)).max(F32x8::splat(b)).binade();
        let aim_unit = aim.v.largest().binade();
        let (per_unit, per_aim) = (F32x8::ONE / unit, F32x8::ONE / aim_unit);
        let bones = [upper.measured(per_unit), lower.measured(per_unit)];
        let aim = aim.measured(per_aim);
        let lengths =
            given.map_or(bones.map(|bone| bone.on_grid), |given| given.map(|x| per_unit * x));
        let units = (aim_unit * per_unit).min(F32x8::splat(1e18));
        let distance = (aim.length * units, aim.more * units);
        Self { unit, per_unit, bones, aim, lengths, distance }
    }

    /// The lanes in which everything has a length, and shall have one.
    #[inline]
    pub(super) fn have_lengths(&self) -> Mask {
        let [upper, lower] = self.bones.map(|bone| bone.length);
        let [a, b] = self.lengths;
        let has = |length: F32x8| length.gt(F32x8::ZERO);
        has(upper) & has(lower) & has(self.aim.length) & has(a) & has(b)
    }
}

/// From one joint to another, and what rounding has left of it.
struct Span {
    v: Vec3x8,
    rest: Vec3x8,
    /// The largest coordinate of the ends.
    coordinate: F32x8,
}

/// A span in units: its length and the inverse of that, what rounding has left of it, and the
/// length that is measured again when the limb comes back.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub(super) v: Vec3x8,
    pub(super) length: F32x8,
    pub(super) per_length: F32x8,
    more: F32x8,
    on_grid: F32x8,
}

impl Span {
    #[inline]
    fn new(begin: Vec3x8, end: Vec3x8) -> Self {
        let (v, rest) = difference(end, begin);
        Self { v, rest, coordinate: begin.largest().max(end.largest()) }
    }

    #[inline]
    fn measured(&self, per_unit: F32x8) -> Measured {
        let (v, rest) = (self.v * per_unit, self.rest * per_unit);
        let length = v.length();
        let per_length = F32x8::ONE / length.max(F32x8::splat(f32::MIN_POSITIVE));
        let more = excess(v, rest, length) * (per_length * 0.5);
        let step = self.coordinate.binade() * (4.0 * f32::EPSILON);
        let grid = (step * per_unit).min(F32x8::splat(1e18));
        let whole = length.snap(grid);
        let on_grid = whole + ((length - whole) + more).snap(grid);
        Measured { v, length, per_length, more, on_grid }
    }
}
