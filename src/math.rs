//! The only door to std or libm.
//!
//! Everything here exists in both; `libm` wins when both features are on, so that the
//! choice never depends on what else a build pulls in.

#[cfg(feature = "libm")]
mod backend {
    pub(crate) use libm::{
        atan2f as atan2, expf as exp, expm1f as expm1, log1pf as ln_1p, sqrt as sqrt_f64,
        sqrtf as sqrt,
    };
}

#[cfg(all(feature = "std", not(feature = "libm")))]
mod backend {
    macro_rules! through {
        ($($name:ident($($arg:ident),*) = $method:ident;)*) => {
            $(#[inline]
            pub(crate) fn $name(x: f32 $(, $arg: f32)*) -> f32 {
                x.$method($($arg),*)
            })*
        };
    }
    through! {
        sqrt() = sqrt;
        exp() = exp;
        expm1() = exp_m1;
        ln_1p() = ln_1p;
        atan2(x_axis) = atan2;
    }

    #[inline]
    pub(crate) fn sqrt_f64(x: f64) -> f64 {
        x.sqrt()
    }
}

pub(crate) use crate::trig::{near_sin_cos, sin, sin_cos};
pub(crate) use backend::*;

const EXPONENT: u32 = 0x7f80_0000;

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

/// The greater of two numbers; of a NaN and a number the second. One instruction, where the
/// library's takes five for the sake of NaN.
#[inline]
pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The lesser of two numbers, as [`greater`].
#[inline]
pub(crate) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
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
/// added to a number whose last place is 1, and taken off again, `x` loses what is behind the point.
#[inline]
pub(crate) fn snap(x: f32, grid: f32) -> f32 {
    let carry = carry(grid);
    (x + carry) - carry
}

/// What [`snap`] adds and takes off.
#[inline]
pub(crate) fn carry(grid: f32) -> f32 {
    1.5 * 8_388_608.0 * grid
}

/// The whole number nearest to `x`, for `x` below 2⁵¹: [`snap`] of doubles.
#[inline]
pub(crate) fn snap_f64(x: f64) -> f64 {
    const CARRY: f64 = 1.5 * 4_503_599_627_370_496.0;
    (x + CARRY) - CARRY
}

/// `x` brought into `[min, max]`, `min <= max`; NaN stays. The library's own panics if the bounds are
/// the wrong way round, and no compiler can prove of checked settings that they are not.
#[inline]
pub(crate) fn clamp(x: f32, min: f32, max: f32) -> f32 {
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// Between `a` at 0 and `b` at 1, exact at both ends.
#[inline]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a * (1.0 - t) + b * t
}

/// `x` up to `(1 - softness)` of `limit`, and from there on a curve that leaves the straight line
/// smoothly and nears `limit` without ever reaching it: the soft IK curve of Nicholas (2010).
#[inline]
pub(crate) fn soften(x: f32, limit: f32, softness: f32) -> f32 {
    let soft = softness * limit;
    let knee = limit - soft;
    if softness <= 0.0 || x <= knee || soft <= 0.0 {
        x.min(limit)
    } else {
        // 1 - exp(-y) through expm1 keeps its digits just above the knee.
        (knee - soft * expm1((knee - x) / soft)).min(limit)
    }
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
