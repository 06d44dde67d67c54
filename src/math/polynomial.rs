//! Exponentials, sines and arc tangents as polynomials, on the ranges that the crate's own formulae
//! need.
//!
//! Plain arithmetic: nothing is called, so that a loop over many values can run four at a time, and
//! the bits are the same on every target. The coefficients interpolate at Chebyshev's points, where
//! a polynomial is nearly as close as can be; the tests hold them to the errors stated here.

use core::f32::consts;

use crate::math::CARRY;

/// ln 2 in two parts: so few digits that a whole number of them is exact, and the rest.
const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);

/// 1 - e^-y and e^-y, for `y` from 0 to infinity, both within 3e-7 of themselves: how much has gone
/// after so many time constants, and how much is left. Beyond 87.6 nothing is.
#[inline]
pub(crate) fn decay(y: f32) -> (f32, f32) {
    let y = if y < 88.0 { y } else { 88.0 };
    // e^-y = 2^-k e^r, |r| at most half of ln 2.
    let carried = y * consts::LOG2_E + CARRY;
    let k = carried - CARRY;
    let r = (k * LN_2.0 - y) + k * LN_2.1;
    let (square, even, odd) =
        (r * r, [0.5, 0.041_666_556, 0.001_392_618_4], [0.166_665_76, 0.008_363_179]);
    let part = power_of_half(carried);
    let risen = part * (r + square * (horner(square, even) + horner(square, odd) * r));
    ((1.0 - part) - risen, part + risen)
}

/// 2^-k from [`CARRY`] + k, for k from -127 to 127; zero at 127.
#[inline]
fn power_of_half(carried: f32) -> f32 {
    f32::from_bits(1_f32.to_bits().wrapping_sub(carried.to_bits() << 23))
}

/// 2¹⁰ᵗ - 1 for `t` in `[0, 1]`, within 3e-7 of itself.
#[inline]
pub(crate) fn ten_doublings(t: f32) -> f32 {
    let carried = CARRY - 10.0 * t;
    let k = CARRY - carried;
    // 10 t - k without rounding.
    let f = (8.0 * t - k) + 2.0 * t;
    let rise =
        [consts::LN_2, 0.240_226_5, 0.055_503_57, 0.009_618_083, 0.001_339_086_3, 1.545_316_3e-4];
    let part = power_of_half(carried);
    part * (f * horner(f, rise)) + (part - 1.0)
}

/// sin(π√z)/√z for `z` in `[0, 1/4]`, within 3e-7 of itself: of up to half of half a turn, by the
/// square of its share.
#[inline]
pub(crate) fn half_turn_sine(z: f32) -> f32 {
    let odd = horner(z * z, [-5.167_710_3, -0.598_289_67]);
    horner(z * z, [consts::PI, 2.550_077_2, 0.077_654_16]) + odd * z
}

/// cos(π√z) for `z` in `[0, 1/4]`, within 2e-7.
#[inline]
pub(crate) fn half_turn_cosine(z: f32) -> f32 {
    horner(z, [1.0, -4.934_802, 4.058_709, -1.335_211_9, 0.234_936_76, -0.024_395_382])
}

/// The inverse of [`half_turn_cosine`], from 1 less the cosine, in `[0, 1]`; within 3e-7 of itself.
#[inline]
pub(crate) fn half_turn_share_squared(versed: f32) -> f32 {
    // In two chains, half as long.
    let square = versed * versed;
    let even = [0.202_642_37, 0.008_988_657, 5.222_035e-4, -8.420_725e-4];
    let odd = [0.033_774_585, 0.003_031_493, 0.001_376_880_1, 5.058_822e-4];
    versed * (horner(square, even) + versed * horner(square, odd))
}

/// The share of half a turn over its sine, from 1 less the cosine, in `[0, 1]`; within 3e-7 of
/// itself.
#[expect(clippy::approx_constant, reason = "interpolated, and next to 1/π rather than that")]
#[inline]
pub(crate) fn half_turn_share_per_sine(versed: f32) -> f32 {
    let square = versed * versed;
    let even = [0.318_309_9, 0.042_526_327, 0.012_246_489, 0.018_711_125, 0.005_470_273];
    let odd = [0.106_100_06, 0.017_341_325, -0.007_525_396_5, -0.013_180_146];
    horner(square, even) + versed * horner(square, odd)
}

/// 1 - cos(πt/2) for `t` in `[0, 1]`, within 3e-7 of itself, and 1 at 1.
#[inline]
pub(crate) fn versed_quarter(t: f32) -> f32 {
    let z = t * t;
    z * horner(z, [1.233_700_5, -0.253_669_47, 0.020_863_125, -9.182_592_6e-4, 2.405_270_8e-5])
}

/// atan(√z)/√z for `z` in `[0, 1]`, within 3e-7 of itself: an angle of up to an eighth of a turn by
/// the square of its tangent, relative to that.
#[inline]
pub(crate) fn arc_per_tangent(z: f32) -> f32 {
    horner(
        z,
        [
            1.0,
            -0.333_330_36,
            0.199_918_72,
            -0.141_977_98,
            0.106_183_71,
            -0.074_568_55,
            0.042_137_623,
            -0.015_731_249,
            0.002_766_283_5,
        ],
    )
}

/// The polynomial of these coefficients, the constant first.
#[inline]
pub(crate) fn horner<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    coefficients.into_iter().rev().reduce(|sum, c| sum * x + c).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    use core::f64::consts::{LN_2, PI};

    fn shares() -> impl Iterator<Item = f32> {
        (1..=100_000_u32).map(|i| i as f32 / 100_000.0)
    }

    fn relative(is: f32, exact: f64) -> f64 {
        (f64::from(is) / exact - 1.0).abs()
    }

    #[test]
    fn what_has_gone_and_what_is_left() {
        for share in shares() {
            for size in [87.0, 2.0, 1e-3, 1e-20, 1e-37] {
                let y = share * size;
                let (gone, left) = decay(y);
                assert!(relative(gone, -(-f64::from(y)).exp_m1()) < 3e-7, "{y}");
                assert!(relative(left, (-f64::from(y)).exp()) < 3e-7, "{y}");
            }
        }
        assert_eq!(decay(0.0), (0.0, 1.0));
        for y in [88.0, 1e30, f32::INFINITY] {
            assert_eq!(decay(y), (1.0, 0.0));
        }
    }

    #[test]
    fn the_rest_is_as_near_as_it_says() {
        for t in shares() {
            let exact = f64::from(t);
            assert!(relative(ten_doublings(t), (10.0 * LN_2 * exact).exp_m1()) < 3e-7, "{t}");
            let versed = 2.0 * (0.25 * PI * exact).sin().powi(2);
            assert!(relative(versed_quarter(t), versed) < 3e-7, "{t}");
            let root = exact.sqrt();
            assert!(relative(arc_per_tangent(t), root.atan() / root) < 3e-7, "{t}");
            let (z, half) = (0.25 * t, 0.5 * root);
            assert!(relative(half_turn_sine(z), (PI * half).sin() / half) < 3e-7, "{t}");
            assert!((f64::from(half_turn_cosine(z)) - (PI * half).cos()).abs() < 2e-7, "{t}");
            let half_sine = (0.5 * exact).sqrt();
            let share = 2.0 * half_sine.asin() / PI;
            assert!(relative(half_turn_share_squared(t), share * share) < 3e-7, "{t}");
            let per_sine = share / (PI * share).sin();
            assert!(relative(half_turn_share_per_sine(t), per_sine) < 3e-7, "{t}");
        }
    }
}
