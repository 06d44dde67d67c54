//! Eight numbers in one value, and eight answers to one question.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use wide::{CmpEq, CmpGe, CmpGt, CmpLe, CmpLt, f32x8};

use super::LANES;
use crate::math::{CARRY, EXPONENT};

/// Eight numbers, one a lane. Arithmetic is by lanes, each result rounded as that of two `f32`.
///
/// ```
/// use sinew::lanes::F32x8;
///
/// let x = F32x8::from([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]) * F32x8::splat(2.0);
/// assert_eq!(x.lane(3), 6.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct F32x8(f32x8);

impl F32x8 {
    /// Zero in every lane.
    pub const ZERO: Self = Self(f32x8::ZERO);

    /// One in every lane.
    pub const ONE: Self = Self(f32x8::ONE);

    /// The same number in every lane.
    #[inline]
    #[must_use]
    pub fn splat(x: f32) -> Self {
        Self(f32x8::splat(x))
    }

    /// The eight numbers.
    #[inline]
    #[must_use]
    pub fn to_array(self) -> [f32; LANES] {
        self.0.to_array()
    }

    /// One lane's number; NaN for a lane that there is not.
    #[inline]
    #[must_use]
    pub fn lane(&self, lane: usize) -> f32 {
        self.0.as_array_ref().get(lane).copied().unwrap_or(f32::NAN)
    }

    /// Gives one lane a number; a lane that there is not takes none.
    #[inline]
    pub fn set_lane(&mut self, lane: usize, x: f32) {
        if let Some(slot) = self.0.as_array_mut().get_mut(lane) {
            *slot = x;
        }
    }

    #[inline]
    pub(super) fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline]
    pub(super) fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The larger of two numbers; what it makes of NaN is no matter.
    #[inline]
    pub(super) fn max(self, other: Self) -> Self {
        Self(self.0.fast_max(other.0))
    }

    /// The size of this with the sign of another.
    #[inline]
    pub(super) fn copysign(self, sign: Self) -> Self {
        let bit = f32x8::splat(-0.0);
        Self((self.0 & !bit) | (sign.0 & bit))
    }

    /// The smaller of two numbers; what it makes of NaN is no matter.
    #[inline]
    pub(super) fn min(self, other: Self) -> Self {
        Self(self.0.fast_min(other.0))
    }

    /// As [`crate::math::binade`].
    #[inline]
    pub(super) fn binade(self) -> Self {
        self.binade_or_zero().max(Self::splat(f32::MIN_POSITIVE))
    }

    /// As [`crate::math::binade_or_zero`].
    #[inline]
    pub(super) fn binade_or_zero(self) -> Self {
        Self(self.0 & f32x8::splat(f32::from_bits(EXPONENT)))
    }

    /// As [`crate::math::snap`].
    #[inline]
    pub(super) fn snap(self, grid: Self) -> Self {
        let carry = grid * CARRY;
        (self + carry) - carry
    }

    #[inline]
    pub(super) fn is_finite(self) -> Mask {
        self.abs().le(Self::splat(f32::MAX))
    }

    /// Brought into `[min, max]`, as [`clamp`](crate::math::clamp).
    #[inline]
    pub(super) fn clamp(self, min: f32, max: f32) -> Self {
        let (min, max) = (Self::splat(min), Self::splat(max));
        self.lt(min).select(min, self.gt(max).select(max, self))
    }

    #[inline]
    pub(super) fn lt(self, other: Self) -> Mask {
        Mask(self.0.cmp_lt(other.0))
    }

    #[inline]
    pub(super) fn le(self, other: Self) -> Mask {
        Mask(self.0.cmp_le(other.0))
    }

    #[inline]
    pub(super) fn gt(self, other: Self) -> Mask {
        Mask(self.0.cmp_gt(other.0))
    }

    #[inline]
    pub(super) fn ge(self, other: Self) -> Mask {
        Mask(self.0.cmp_ge(other.0))
    }

    #[inline]
    pub(super) fn eq(self, other: Self) -> Mask {
        Mask(self.0.cmp_eq(other.0))
    }
}

impl From<[f32; LANES]> for F32x8 {
    #[inline]
    fn from(lanes: [f32; LANES]) -> Self {
        Self(f32x8::new(lanes))
    }
}

macro_rules! by_lanes {
    ($($operator:ident $method:ident),*) => {
        $(impl $operator for F32x8 {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        })*
    };
}

by_lanes!(Add add, Sub sub, Mul mul, Div div);

impl Mul<f32> for F32x8 {
    type Output = Self;

    #[inline]
    fn mul(self, scale: f32) -> Self {
        self * Self::splat(scale)
    }
}

impl Neg for F32x8 {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        // A flipped sign, as for one f32, zeros too; 0 - x would lose that of -0.
        Self(self.0 ^ f32x8::splat(-0.0))
    }
}

/// Yes or no in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Mask(f32x8);

impl Mask {
    pub(super) const NONE: Self = Self(f32x8::ZERO);

    #[inline]
    pub(super) fn every() -> Self {
        !Self::NONE
    }

    /// Yes in the lanes in which `f` says so.
    #[inline]
    pub(super) fn from_fn(f: impl FnMut(usize) -> bool) -> Self {
        let bits = core::array::from_fn(f).map(|yes| if yes { u32::MAX } else { 0 });
        Self(f32x8::new(bits.map(f32::from_bits)))
    }

    /// Yes in one lane.
    #[inline]
    pub(super) fn only(lane: usize) -> Self {
        Self::from_fn(|other| other == lane)
    }

    /// The lanes in which it holds.
    #[inline]
    pub(super) fn lanes(self) -> impl Iterator<Item = usize> {
        let mut left = self.bits();
        core::iter::from_fn(move || {
            let lane = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (lane < LANES).then_some(lane)
        })
    }

    /// `yes` where it holds, `no` elsewhere.
    #[inline]
    pub(super) fn select<T: Select>(self, yes: T, no: T) -> T {
        T::select(self, yes, no)
    }

    /// As [`Mask::select`], and quicker where it holds in every lane.
    #[inline]
    pub(super) fn mostly<T: Select>(self, yes: T, no: T) -> T {
        if self.all() { yes } else { self.select(yes, no) }
    }

    /// Writes `value` where it holds, and leaves the other lanes as they are.
    #[inline]
    pub(super) fn put<T: Select>(self, value: T, slot: &mut T) {
        *slot = self.mostly(value, *slot);
    }

    /// One bit a lane.
    #[inline]
    fn bits(self) -> i32 {
        self.0.move_mask()
    }

    /// In how many lanes it holds.
    #[inline]
    pub(super) fn count(self) -> u32 {
        self.bits().count_ones()
    }

    #[inline]
    pub(super) fn any(self) -> bool {
        self.bits() != 0
    }

    #[inline]
    pub(super) fn all(self) -> bool {
        self.bits() == (1 << LANES) - 1
    }

    #[inline]
    pub(super) fn lane(self, lane: usize) -> bool {
        self.bits() >> lane & 1 != 0
    }
}

impl BitAnd for Mask {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Mask {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Lanes that are written again and again: whether they are all is asked once.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) lanes: Mask,
    all: bool,
}

impl Pen {
    pub(super) fn new(lanes: Mask) -> Self {
        Self { lanes, all: lanes.all() }
    }

    /// Writes `value` in its lanes, and leaves the others as they are.
    #[inline]
    pub(super) fn put<T: Select>(self, value: T, slot: &mut T) {
        *slot = if self.all { value } else { self.lanes.select(value, *slot) };
    }
}

/// What can be chosen lane by lane.
pub trait Select: Copy {
    fn select(mask: Mask, yes: Self, no: Self) -> Self;
}

/// What is chosen lane by lane in each of its fields.
macro_rules! select_by_fields {
    ($($type:ty { $($field:ident),* })*) => {
        $(impl $crate::lanes::wide::Select for $type {
            #[inline]
            fn select(mask: $crate::lanes::wide::Mask, yes: Self, no: Self) -> Self {
                Self { $($field: mask.select(yes.$field, no.$field)),* }
            }
        })*
    };
}
pub(super) use select_by_fields;

impl Select for F32x8 {
    #[inline]
    fn select(mask: Mask, yes: Self, no: Self) -> Self {
        Self(mask.0.blend(yes.0, no.0))
    }
}

impl Select for Mask {
    #[inline]
    fn select(mask: Mask, yes: Self, no: Self) -> Self {
        Self(mask.0.blend(yes.0, no.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: [f32; LANES] = [0.0, -0.0, 1.5, -3.25, f32::INFINITY, 1e-40, f32::NAN, f32::MAX];

    fn assert_same(wide: F32x8, scalar: impl Fn(f32) -> f32) {
        for (x, lane) in ODD.into_iter().zip(wide.to_array()) {
            let expected = scalar(x);
            assert!(
                lane.to_bits() == expected.to_bits() || lane.is_nan() && expected.is_nan(),
                "{x}: {lane} is not {expected}"
            );
        }
    }

    #[test]
    fn each_lane_is_rounded_as_a_scalar() {
        let x = F32x8::from(ODD);
        let three = F32x8::splat(3.0);
        assert_same(x + three, |x| x + 3.0);
        assert_same(x - three, |x| x - 3.0);
        assert_same(x * three, |x| x * 3.0);
        assert_same(x / three, |x| x / 3.0);
        assert_same(three / x, |x| 3.0 / x);
        assert_same(-x, |x| -x);
        assert_same(x.abs(), f32::abs);
        assert_same(x.sqrt(), crate::math::sqrt);
        assert_same(x.clamp(-1.0, 2.0), |x| crate::math::clamp(x, -1.0, 2.0));
        assert_same(three.copysign(x), |x| 3.0_f32.copysign(x));
        assert_same(x.max(three), |x| if x > 3.0 { x } else { 3.0 });
        assert_same(
            x.binade(),
            |x| if x.is_nan() { f32::INFINITY } else { crate::math::binade(x) },
        );
        assert_same(x.binade_or_zero(), |x| {
            if x.is_nan() { f32::INFINITY } else { crate::math::binade_or_zero(x) }
        });
        assert_same(three.snap(x.binade()), |x| {
            crate::math::snap(3.0, if x.is_nan() { f32::INFINITY } else { crate::math::binade(x) })
        });
    }

    #[test]
    fn comparisons_answer_as_scalars() {
        let (x, one) = (F32x8::from(ODD), F32x8::ONE);
        for (lane, x_lane) in ODD.into_iter().enumerate() {
            assert_eq!(x.lt(one).lane(lane), x_lane < 1.0);
            assert_eq!(x.le(one).lane(lane), x_lane <= 1.0);
            assert_eq!(x.gt(one).lane(lane), x_lane > 1.0);
            assert_eq!(x.ge(one).lane(lane), x_lane >= 1.0);
            assert_eq!(x.eq(x).lane(lane), x_lane == x_lane + 0.0);
            let chosen = x.gt(one).select(x, one).lane(lane);
            assert_eq!(chosen, if x_lane > 1.0 { x_lane } else { 1.0 });
        }
        let odd = Mask::from_fn(|lane| lane % 2 == 1);
        assert!(odd.any() && !odd.all() && (odd | !odd).all() && !(odd & !odd).any());
    }
}
