//! Exponential approach: the frame-rate independent form of "move a tenth of the way there".
//!
//! `value = lerp(value, target, k * dt)` depends on the frame rate and runs away when `k * dt`
//! passes 2. Its limit for small `dt` is the differential equation `value' = rate * (target -
//! value)`, whose solution needs no limit: after `dt` the share `exp(-rate * dt)` of the gap is
//! left, whatever the number of frames that `dt` was cut into.

use core::f32::consts::LN_2;
use core::ops::Mul;

use crate::animated::{Animated, Mobile};
use crate::check::{check_dt, check_each, check_length, check_range};
use crate::error::Error;
use crate::math::decay;
use crate::rotation::wrap_angle;

/// Moves `from` towards `to`, closing the share `1 - exp(-rate * dt)` of the gap.
///
/// Works on numbers, vectors and rotations ([`Animated`]); rotations turn the short way at a
/// steady axis. `rate` is in 1/s, from 0 (never moves) to infinity (lands at once); `dt` is in
/// seconds. Cutting `dt` into frames of any length gives the same result: damping by `a` and then
/// by `b` seconds is damping by `a + b`, within 1e-6 of the gap and the rounding of the value
/// itself. The share is exact to a relative 1e-6 down to the smallest `rate * dt`, and a gap of
/// zero stays zero bit for bit.
///
/// With `dt` = 0 the answer is `from`, even at an infinite rate. Rotations half a turn apart turn
/// about the quaternions' own difference.
///
/// # Errors
/// `from` or `to` not finite, too large, or no unit rotation; `rate` negative or NaN; `dt`
/// negative, not finite or above 1e6.
///
/// ```
/// use sinew::damp;
///
/// # fn main() -> Result<(), sinew::Error> {
/// let mut x = 0.0;
/// for _ in 0..15 {
///     x = damp(x, 1.0, 5.0, 1.0 / 15.0)?;
/// }
/// assert!((x - (1.0 - (-5.0_f32).exp())).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
#[inline]
pub fn damp<T: Animated>(from: T, to: T, rate: f32, dt: f32) -> Result<T, Error> {
    from.check("from")?;
    to.check("to")?;
    Ok(Approach::at_rate(rate, dt)?.apply(from, to))
}

/// [`damp`] by half-life: the time in seconds in which half of the gap closes.
///
/// `half_life` runs from 0 (lands at once) to infinity (never moves).
///
/// # Errors
/// As for [`damp`], with `half_life` in the place of `rate`.
///
/// ```
/// use sinew::{damp_half_life, glam::Vec2};
///
/// let x = damp_half_life(Vec2::ZERO, Vec2::new(8.0, 0.0), 0.1, 0.3).unwrap();
/// assert!((x - Vec2::new(7.0, 0.0)).length() < 1e-6);
/// ```
#[inline]
pub fn damp_half_life<T: Animated>(from: T, to: T, half_life: f32, dt: f32) -> Result<T, Error> {
    from.check("from")?;
    to.check("to")?;
    Ok(Approach::at_half_life(half_life, dt)?.apply(from, to))
}

/// [`damp`] for every entry of `values`, in place, each towards its entry of `targets`.
///
/// The exponential is computed once.
///
/// # Errors
/// As for [`damp`], with the entry; or the slices differ in length. `values` is then untouched.
///
/// ```
/// use sinew::damp_slice;
///
/// let mut pose = [0.0, 10.0];
/// damp_slice(&mut pose, &[1.0, 10.0], f32::INFINITY, 0.01).unwrap();
/// assert_eq!(pose, [1.0, 10.0]);
/// ```
pub fn damp_slice<T: Animated>(
    values: &mut [T],
    targets: &[T],
    rate: f32,
    dt: f32,
) -> Result<(), Error> {
    check_length("targets", targets.len(), values.len())?;
    check_each(values.iter().zip(targets), |(value, target)| {
        value.check("values")?;
        target.check("targets")
    })?;
    let approach = Approach::at_rate(rate, dt)?;
    for (value, target) in values.iter_mut().zip(targets) {
        *value = approach.apply(*value, *target);
    }
    Ok(())
}

/// [`damp`] for an angle in radians, the short way round.
///
/// The answer is continuous with `from`, not wrapped: it moves towards the turn of `to` that is
/// nearest. An angle that must stay in `[-π, π]` goes through [`wrap_angle`] afterwards.
///
/// # Errors
/// As for [`damp`].
///
/// ```
/// use sinew::damp_angle;
///
/// // From 170° to -170° leads through 180°.
/// let (from, to) = (170_f32.to_radians(), -170_f32.to_radians());
/// let halfway = damp_angle(from, to, core::f32::consts::LN_2, 1.0).unwrap();
/// assert!((halfway - core::f32::consts::PI).abs() < 1e-6);
/// ```
pub fn damp_angle(from: f32, to: f32, rate: f32, dt: f32) -> Result<f32, Error> {
    from.check("from")?;
    to.check("to")?;
    let gap = wrap_angle(wrap_angle(to) - wrap_angle(from));
    Ok(Approach::at_rate(rate, dt)?.apply(from, from + gap))
}

/// Moves `from` towards `to` by at most `max_step`, in the caller's unit of length.
///
/// For numbers and vectors; [`rotate_towards`](crate::rotate_towards) is the same for rotations.
/// A step at least as long as the gap lands on `to` bit for bit. With `max_step` = speed × time
/// the motion has a steady speed and ends.
///
/// # Errors
/// `from` or `to` not finite or too large; `max_step` negative or NaN.
///
/// ```
/// use sinew::{glam::Vec2, move_towards};
///
/// let x = move_towards(Vec2::ZERO, Vec2::new(3.0, 4.0), 2.5).unwrap();
/// assert!((x - Vec2::new(1.5, 2.0)).length() < 1e-6);
/// assert_eq!(move_towards(x, Vec2::X, 100.0), Ok(Vec2::X));
/// ```
pub fn move_towards<T>(from: T, to: T, max_step: f32) -> Result<T, Error>
where
    T: Animated<Velocity = T> + Mul<f32, Output = T>,
{
    from.check("from")?;
    to.check("to")?;
    check_share("max_step", max_step)?;
    let gap = from.offset(to);
    let length = T::size(gap);
    Ok(if length <= max_step { to } else { from.moved(gap * (max_step / length)) })
}

/// How much of a gap closes, and how much is left: both, since each has digits that the other
/// has lost.
#[derive(Clone, Copy)]
pub(crate) struct Approach {
    closed: f32,
    left: f32,
}

impl Approach {
    #[inline]
    pub(crate) fn at_rate(rate: f32, dt: f32) -> Result<Self, Error> {
        check_share("rate", rate)?;
        check_dt("dt", dt)?;
        // An infinite rate times no time would be NaN.
        Ok(Self::after(if dt == 0.0 { 0.0 } else { rate * dt }))
    }

    #[inline]
    pub(crate) fn at_half_life(half_life: f32, dt: f32) -> Result<Self, Error> {
        check_share("half_life", half_life)?;
        check_dt("dt", dt)?;
        // +0 rather than -0, of which the quotient would be negative.
        Ok(Self::after(if dt == 0.0 { 0.0 } else { LN_2 * (dt / (half_life + 0.0)) }))
    }

    #[inline]
    fn after(exponent: f32) -> Self {
        let (closed, left) = decay(exponent);
        Self { closed, left }
    }

    /// Exact at both ends.
    #[inline]
    pub(crate) fn apply<T: Mobile>(self, from: T, to: T) -> T {
        if self.closed == 0.0 {
            from
        } else if self.left == 0.0 {
            to
        } else {
            from.between(to, self.closed, self.left)
        }
    }
}

/// `Ok` for a number from 0 to infinity.
#[inline]
fn check_share(argument: &'static str, value: f32) -> Result<(), Error> {
    check_range(argument, value, 0.0, f32::INFINITY)
}
