//! Ranges of angles, and which angle of one is nearest on the circle.

use crate::check::{check_bounds, check_range, unrounded};
use crate::error::Error;
use crate::math::{clamp, soften};
use crate::rotation::{nearest_in_range, wrap_angle};

/// An interval of angles, in radians; it may cross ±π and be wider than a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Range {
    pub(crate) min: f32,
    pub(crate) max: f32,
}

impl Range {
    /// No limit.
    pub(crate) const FULL: Self = Self::new(-core::f32::consts::TAU, core::f32::consts::TAU);

    /// Whole turns away from zero are taken off: far out, a float has no digits left for the angle.
    #[expect(clippy::cast_possible_truncation, reason = "rounded once, at the end")]
    pub(crate) const fn new(min: f32, max: f32) -> Self {
        const TAU: f64 = core::f64::consts::TAU;
        let centre = 0.5 * (min as f64 + max as f64);
        if centre.abs() < TAU || !centre.is_finite() {
            return Self { min, max };
        }
        let turns = centre - centre % TAU;
        Self { min: (min as f64 - turns) as f32, max: (max as f64 - turns) as f32 }
    }

    /// A range that is to lie within so much of zero, to either side.
    pub(crate) fn within(bound: f32, ends: [f32; 2]) -> Self {
        let [min, max] = ends.map(|end| unrounded(end, bound));
        Self { min, max }
    }

    /// The same from a file, for half a turn.
    #[cfg(feature = "serde")]
    pub(super) fn within_half_turn<'de, D: serde::Deserializer<'de>>(
        file: D,
    ) -> Result<Self, D::Error> {
        let Self { min, max } = serde::Deserialize::deserialize(file)?;
        Ok(Self::within(core::f32::consts::PI, [min, max]))
    }

    /// The same from a file, for a quarter of a turn.
    #[cfg(feature = "serde")]
    pub(super) fn within_quarter_turn<'de, D: serde::Deserializer<'de>>(
        file: D,
    ) -> Result<Self, D::Error> {
        let Self { min, max } = serde::Deserialize::deserialize(file)?;
        Ok(Self::within(core::f32::consts::FRAC_PI_2, [min, max]))
    }

    pub(crate) fn check(self, names: (&'static str, &'static str)) -> Result<(), Error> {
        check_bounds(names, self.min, self.max)
    }

    /// [`Range::check`], and each bound within a range of its own.
    pub(crate) fn check_within(
        self,
        names: (&'static str, &'static str),
        min: [f32; 2],
        max: [f32; 2],
    ) -> Result<(), Error> {
        self.check(names)?;
        check_range(names.0, self.min, min[0], min[1])?;
        check_range(names.1, self.max, max[0], max[1])
    }

    #[inline]
    pub(crate) fn width(self) -> f32 {
        self.max - self.min
    }

    /// Wide enough that no angle is outside.
    #[inline]
    pub(crate) fn is_full(self) -> bool {
        self.width() >= core::f32::consts::TAU
    }

    /// The angle of the range nearest to `angle` on the circle. With `softness` above 0 the last
    /// part of the range, that share of its half width at either end, is eased.
    #[inline]
    pub(crate) fn nearest(self, angle: f32, softness: f32) -> f32 {
        if self.is_full() {
            angle
        } else if softness <= 0.0 {
            nearest_in_range(angle, self.min, self.max)
        } else {
            self.eased(angle, softness)
        }
    }

    fn eased(self, angle: f32, softness: f32) -> f32 {
        let half = 0.5 * self.max - 0.5 * self.min;
        let centre = 0.5 * self.min + 0.5 * self.max;
        let offset = wrap_angle(angle - centre);
        let eased = soften(offset.abs(), half, softness).copysign(offset);
        clamp(centre + eased, self.min, self.max)
    }
}
