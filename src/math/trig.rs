//! Sines, cosines and whole turns in single precision alone, the same bits with and without std: a
//! processor that has no circuits for double precision need not make up for it.
//!
//! Cody and Waite (1980), "Software Manual for the Elementary Functions"; the polynomials are those
//! of Moshier's Cephes library (1989).

use core::f32::consts::{FRAC_2_PI, FRAC_PI_4, PI, TAU};

use crate::math::{self, exact};

/// A turn less its nearest float.
const TAU_REST: f32 = -1.748_455_5e-7;

/// A quarter of a turn in three parts, of which the first two have so few digits that their product
/// with a number of quarters is exact.
const QUARTER: [f32; 3] = [1.570_312_5, 4.837_513e-4, 7.549_79e-8];

/// Up to here quarters of a turn are few enough for that.
const NEAR: f32 = 8192.0;

/// Beyond this, in radians, an angle counts as this: not even its millions of turns are known.
const FARTHEST: f32 = 1e30;

/// Sine and cosine, within 0.85 units in the last place up to 20 rad and 5e-11 more beyond; of
/// angles beyond 8192 rad, those of the angle less its whole turns, as a float.
pub(crate) fn sin_cos(angle: f32) -> (f32, f32) {
    near_sin_cos(if angle.abs() <= NEAR { angle } else { wrapped_difference(angle, 0.0) })
}

/// [`sin_cos`] of an angle that is known to be no more than some turns; beyond 8192 rad it loses
/// digits.
pub(crate) fn near_sin_cos(angle: f32) -> (f32, f32) {
    if angle.abs() <= FRAC_PI_4 {
        return polynomials(angle, 0.0);
    }
    let quarters = math::snap(angle * FRAC_2_PI, 1.0);
    let [a, b, c] = QUARTER;
    let (near, rest) = exact::difference(angle - quarters * a, quarters * b);
    let (x, rest) = exact::sum(near, rest - quarters * c);
    let (sin, cos) = polynomials(x, rest);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a few thousand; of an unchecked joint, anything"
    )]
    let quarters = quarters as i32;
    let (sin, cos) = if quarters & 1 == 0 { (sin, cos) } else { (cos, sin) };
    // Below 0 the sine is in the last two quarters of a turn, the cosine in those a quarter
    // earlier.
    (with_sign(sin, quarters), with_sign(cos, quarters.wrapping_add(1)))
}

/// Sine and cosine of an angle up to an eighth of a turn, and what rounding has left of it.
fn polynomials(x: f32, rest: f32) -> (f32, f32) {
    let square = x * x;
    let sin = -0.166_666_55 + square * (8.332_161e-3 - square * 1.951_529_6e-4);
    let cos = 4.166_664_6e-2 + square * (2.443_315_7e-5 * square - 1.388_731_6e-3);
    let (parabola, left) = (1.0 - 0.5 * square, 0.5 * square);
    // What rounding has left of the parabola comes back with the rest.
    let left = (1.0 - parabola) - left;
    (
        x + (x * square * sin + rest * parabola),
        parabola + (left + (square * square * cos - x * rest)),
    )
}

/// With the other sign in every second half of a turn.
#[inline]
fn with_sign(x: f32, quarters: i32) -> f32 {
    if quarters & 2 == 0 { x } else { -x }
}

/// The sine; see [`sin_cos`].
pub(crate) fn sin(angle: f32) -> f32 {
    sin_cos(angle).0
}

/// `angle - from` less its whole turns: in `[-π, π]`.
pub(crate) fn wrapped_difference(angle: f32, from: f32) -> f32 {
    let [angle, from] = [angle, from].map(|x| math::clamp(x, -FARTHEST, FARTHEST));
    let (mut angle, mut rest) = exact::difference(angle, from);
    // Mostly once: beyond a million turns it takes off as many as have digits, and what is left has
    // fewer.
    while angle.abs() > PI {
        let turns = angle / TAU;
        let turns = math::snap(turns, (math::binade(turns) / 1_048_576.0).max(1.0));
        // Next to half a turn rounding may find none.
        let turns = if turns == 0.0 { 1.0_f32.copysign(angle) } else { turns };
        let (product, product_rest) = exact::product(turns, TAU);
        let (left, left_rest) = exact::difference(angle, product);
        (angle, rest) = exact::sum(left, left_rest + (rest - product_rest - turns * TAU_REST));
    }
    angle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every float's neighbourhood there is: all exponents, a thousand angles each.
    fn angles(most: f32) -> impl Iterator<Item = f32> {
        let step = 0x0080_0000 / 1021;
        (0..most.to_bits()).step_by(step).map(f32::from_bits).flat_map(|x| [x, -x])
    }

    #[test]
    fn sines_and_cosines_are_right_to_the_last_place() {
        for angle in angles(NEAR) {
            let (sin, cos) = sin_cos(angle);
            let (exact_sin, exact_cos) = f64::from(angle).sin_cos();
            for (float, exact) in [(sin, exact_sin), (cos, exact_cos)] {
                let place = f64::from(f32::EPSILON * math::binade(float));
                let more = if angle.abs() <= 20.0 { 1e-45 } else { 5e-11 };
                let gap = (f64::from(float) - exact).abs();
                assert!(gap <= 0.85 * place + more, "{angle}: {float} is off by {gap:e}");
            }
        }
    }

    /// Against double precision, as far as that has digits for the turns.
    #[test]
    fn whole_turns_are_taken_off() {
        for angle in angles(1e7) {
            let exact = f64::from(angle) % core::f64::consts::TAU;
            let gap = (f64::from(wrapped_difference(angle, 0.0)) - exact) / core::f64::consts::TAU;
            assert!((gap - gap.round()).abs() * core::f64::consts::TAU < 3e-7, "{angle}: {gap}");
        }
        for angle in angles(f32::INFINITY) {
            assert!(wrapped_difference(angle, 0.0).abs() <= PI, "{angle}");
        }
        assert!(wrapped_difference(f32::NAN, 0.0).is_nan());
    }
}
