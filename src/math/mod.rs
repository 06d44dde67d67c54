//! Numerics: elementary functions, powers of two, and arithmetic with digits to spare.
//!
//! | in | is |
//! |---|---|
//! | `backend` | the only door to std or libm |
//! | `binary` | powers of two and grids of them |
//! | `trig` | sines, cosines and whole turns |
//! | `polynomial` | exponentials, sines and arc tangents as polynomials, on ranges of need |
//! | [`exact`] | sums, products and lengths together with what rounding has left of them |
//!
//! And here, what compares and blends numbers.

mod backend;
mod binary;
pub(crate) mod exact;
mod polynomial;
mod trig;

pub(crate) use backend::{atan2, exp, expm1, ln_1p, sqrt, sqrt_f64};
#[cfg(feature = "lanes")]
pub(crate) use binary::EXPONENT;
pub(crate) use binary::{
    CARRY, binade, binade_or_zero, carry, larger, per_binade, per_power_of_two, snap, snap_f64,
};
pub(crate) use polynomial::{
    arc_per_tangent, decay, half_turn_cosine, half_turn_share_per_sine, half_turn_share_squared,
    half_turn_sine, horner, ten_doublings, versed_quarter,
};
pub(crate) use trig::{near_sin_cos, sin, sin_cos, wrapped_difference};

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

/// `x` brought into `[min, max]`, `min <= max`; NaN stays. The library's own panics if the bounds
/// are the wrong way round, and no compiler can prove of checked settings that they are not.
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

/// The last number that is good on the way from `good`, which is, to `bad`, which is not: that way
/// halved so many times.
pub(crate) fn bisect(
    mut good: f32,
    mut bad: f32,
    halvings: usize,
    is_good: impl Fn(f32) -> bool,
) -> f32 {
    for _ in 0..halvings {
        let middle = 0.5 * (good + bad);
        if is_good(middle) { good = middle } else { bad = middle }
    }
    good
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
