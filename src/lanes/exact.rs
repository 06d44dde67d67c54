//! What rounding leaves of eight lengths at once, as [`crate::math::exact`] has it; its sums and
//! differences serve vectors of any width.

use super::Vec3x8;
use super::wide::F32x8;
use crate::math::exact::CUT;

/// `|v + rest|² - length²` as [`crate::math::exact::lengths`] takes it.
#[inline]
pub(super) fn excess(v: Vec3x8, rest: Vec3x8, length: F32x8) -> F32x8 {
    let rests = v.dot(rest);
    let (mut squares, mut mixed, mut small) = (F32x8::ZERO, F32x8::ZERO, rests + rests);
    let cut = F32x8::splat(CUT);
    for x in [v.x, v.y, v.z] {
        let upper = x.snap(cut);
        let lower = x - upper;
        let product = (upper + upper) * lower;
        let product_upper = product.snap(F32x8::splat(CUT * CUT * CUT));
        squares = squares + upper * upper;
        mixed = mixed + product_upper;
        small = small + ((product - product_upper) + lower * lower);
    }
    let upper = length.snap(cut);
    let lower = length - upper;
    let mixed = ((squares - upper * upper) + mixed) - (upper + upper) * lower;
    mixed + (small - lower * lower)
}

/// `|v|² - length²` as [`crate::math::exact::rough_excess`] has it.
#[inline]
pub(super) fn rough_excess(v: Vec3x8, length: F32x8) -> F32x8 {
    let (mut squares, mut small) = (F32x8::ZERO, F32x8::ZERO);
    let cut = F32x8::splat(CUT);
    for x in [v.x, v.y, v.z] {
        let upper = x.snap(cut);
        squares = squares + upper * upper;
        small = small + (x - upper) * (x + upper);
    }
    let upper = length.snap(cut);
    (squares - upper * upper) + (small - (length - upper) * (length + upper))
}
