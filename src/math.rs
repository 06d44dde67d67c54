//! The only door to std or libm.
//!
//! Everything here exists in both; `libm` wins when both features are on, so that the
//! choice never depends on what else a build pulls in.

#[cfg(feature = "libm")]
mod backend {
    pub(crate) use libm::{
        atan2f as atan2, cosf as cos, expf as exp, expm1f as expm1, log1pf as ln_1p,
        sincosf as sin_cos, sinf as sin, sqrt as sqrt_f64, sqrtf as sqrt,
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
        cos() = cos;
        exp() = exp;
        expm1() = exp_m1;
        ln_1p() = ln_1p;
        sin() = sin;
        atan2(x_axis) = atan2;
    }

    #[inline]
    pub(crate) fn sqrt_f64(x: f64) -> f64 {
        x.sqrt()
    }

    #[inline]
    pub(crate) fn sin_cos(x: f32) -> (f32, f32) {
        x.sin_cos()
    }
}

pub(crate) use backend::*;

/// The power of two at or below `|x|`, for `x` of normal size; `f32::MIN_POSITIVE` below that.
///
/// Multiplying by it, or dividing, is exact.
#[inline]
pub(crate) fn binade(x: f32) -> f32 {
    const EXPONENT: u32 = 0x7f80_0000;
    f32::from_bits((x.to_bits() & EXPONENT).max(0x0080_0000))
}

/// The multiple of `grid`, a power of two, that is nearest to `x`, for `x` below 2²² of them: added
/// to a number whose last place is 1, and taken off again, `x` loses what is behind the point.
#[inline]
pub(crate) fn snap(x: f32, grid: f32) -> f32 {
    let carry = 1.5 * 8_388_608.0 * grid;
    (x + carry) - carry
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
    if x <= knee || soft <= 0.0 {
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
    fn binade_is_the_power_of_two_below() {
        assert_eq!(binade(1.0), 1.0);
        assert_eq!(binade(-7.9), 4.0);
        assert_eq!(binade(0.3), 0.25);
        assert_eq!(binade(0.0), f32::MIN_POSITIVE);
    }
}
