//! Powers of two, grids of them, and what a number's bits say of its size.

use crate::math::greater;

/// The bits of a number that are its exponent.
pub(crate) const EXPONENT: u32 = 0x7f80_0000;

/// The power of two at or below `|x|`, for `x` of normal size; `f32::MIN_POSITIVE` below that.
///
/// Multiplying by it, or dividing, is exact.
#[inline]
pub(crate) fn binade(x: f32) -> f32 {
    greater(binade_or_zero(x), f32::MIN_POSITIVE)
}

/// [`binade`], and 0 for what is smaller than a normal number.
#[inline]
pub(crate) fn binade_or_zero(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & EXPONENT)
}

/// `1 / binade(x)` for `|x|` up to 2¹²⁶, without the wait for a division.
#[inline]
pub(crate) fn per_binade(x: f32) -> f32 {
    per_power_of_two(binade(x))
}

/// The inverse of a power of two between 2⁻¹²⁶ and 2¹²⁶.
#[inline]
pub(crate) fn per_power_of_two(power: f32) -> f32 {
    // The exponents of a power of two and of its inverse add up to twice that of 1.
    f32::from_bits(2 * 1.0_f32.to_bits() - power.to_bits())
}

/// The larger of two magnitudes; NaN if one is NaN. Numbers without a sign are in order as bits,
/// and NaN comes last.
#[inline]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    f32::from_bits(a.abs().to_bits().max(b.abs().to_bits()))
}

/// The multiple of `grid`, a power of two or 0, that is nearest to `x`, for `x` below 2²² of them:
/// added to a number whose last place is 1, and taken off again, `x` loses what is behind the
/// point.
#[inline]
pub(crate) fn snap(x: f32, grid: f32) -> f32 {
    let carry = carry(grid);
    (x + carry) - carry
}

/// What [`snap`] adds and takes off.
#[inline]
pub(crate) fn carry(grid: f32) -> f32 {
    CARRY * grid
}

/// [`carry`] of the whole numbers. Until it is taken off again, the sum's last bits are the number.
pub(crate) const CARRY: f32 = 1.5 * 8_388_608.0;

/// The whole number nearest to `x`, for `x` below 2⁵¹: [`snap`] of doubles.
#[inline]
pub(crate) fn snap_f64(x: f64) -> f64 {
    const CARRY: f64 = 1.5 * 4_503_599_627_370_496.0;
    (x + CARRY) - CARRY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_magnitude_and_any_nan() {
        assert_eq!(larger(-2.0, 1.0), 2.0);
        assert_eq!(larger(1e-45, -0.0), 1e-45);
        assert_eq!(larger(f32::MAX, f32::NEG_INFINITY), f32::INFINITY);
        assert!(larger(-f32::NAN, f32::INFINITY).is_nan() && larger(0.0, f32::NAN).is_nan());
    }

    #[test]
    fn binade_is_the_power_of_two_below() {
        assert_eq!(binade(1.0), 1.0);
        assert_eq!(binade(-7.9), 4.0);
        assert_eq!(binade(0.3), 0.25);
        assert_eq!(binade(0.0), f32::MIN_POSITIVE);
        for x in [1.0, -7.9, 0.3, 0.0, 1e30] {
            assert_eq!(per_binade(x), 1.0 / binade(x));
        }
    }
}
