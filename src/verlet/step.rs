//! How particles move between two rounds of constraints, for steps of any length.

use crate::check::{
    MAX_COORDINATE, MAX_DT, check_dt, check_inverse_masses, check_length, check_optional_length,
    check_range,
};
use crate::error::Error;
use crate::math;
use crate::space::{Vector, check_vector, check_vectors};

/// The strongest drag, per second: beyond it a particle has no velocity left after a microsecond.
const MAX_DRAG: f32 = 1e6;

/// What moves particles between two steps of [`verlet_step`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verlet<'a, V> {
    /// Acceleration of every particle, in units of length per second squared.
    pub acceleration: V,
    /// Acceleration of each particle on top of that: one entry each, or empty.
    pub accelerations: &'a [V],
    /// One inverse mass a particle, 0 for a particle that is pinned, otherwise in
    /// `[1e-12, 1e12]`. Empty: none is pinned. Here only whether it is 0 matters.
    pub inverse_masses: &'a [f32],
    /// The share of its velocity that a particle loses, as a rate per second, in `[0, 1e6]`:
    /// after `t` seconds `exp(-drag t)` of it is left. [`drag_from_half_life`] says it
    /// otherwise.
    pub drag: f32,
    /// The `dt` of the step before this one, in seconds, in `(0, 1e6]`: what the difference
    /// between position and previous position was covered in. `None`: the same as `dt`.
    pub previous_dt: Option<f32>,
    /// No particle moves faster than this, in units of length per second; 0 or more, infinite
    /// for no cap.
    pub max_speed: f32,
}

impl<V: Default> Default for Verlet<'_, V> {
    /// No acceleration, no drag, no pins, steps of even length, and no cap on the speed.
    fn default() -> Self {
        Self {
            acceleration: V::default(),
            accelerations: &[],
            inverse_masses: &[],
            drag: 0.0,
            previous_dt: None,
            max_speed: f32::INFINITY,
        }
    }
}

/// What [`verlet_step`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct VerletReport {
    /// The largest speed at which a particle has moved in this call, in units of length per second;
    /// 0 for a step of no time. Constraints and colliders come after it and take back what they do:
    /// of a rope at rest it is the `acceleration · dt` that the rods are about to stop. How fast a
    /// particle is after them is its distance from `previous` over `dt`.
    pub speed: f32,
    /// What to hand to [`Relaxation::dt`](crate::Relaxation::dt) in this step, in seconds: the root
    /// of the displacement that a unit of acceleration has made. It is `dt` where steps are even
    /// and nothing drags; with it, weight and compliance balance exactly whatever the drag.
    pub relaxation_dt: f32,
}

/// The drag, as a rate per second, that halves a velocity in `half_life` seconds. Infinite for
/// 0.
///
/// Not checked: NaN gives NaN, and a negative half-life a negative drag; [`verlet_step`] refuses
/// both.
///
/// ```
/// let drag = sinew::drag_from_half_life(0.5);
/// assert!(((-drag * 1.0).exp() - 0.25).abs() < 1e-6);
/// ```
#[must_use]
pub fn drag_from_half_life(half_life: f32) -> f32 {
    // +0 rather than -0, of which the quotient would be negative.
    core::f32::consts::LN_2 / (half_life + 0.0)
}

/// Moves particles by their velocity and acceleration over `dt` seconds.
///
/// A simulation is a loop of the caller's: this function moves the particles, then
/// [`distance_constraints`](crate::distance_constraints),
/// [`bend_constraints`](crate::bend_constraints) or
/// [`chain_constraints`](crate::chain_constraints) and the colliders put them where they may be, as
/// often as the caller likes. The velocity of a particle is the difference between its position and
/// its previous one, so what moves a position moves the velocity with it.
///
/// `positions` and `previous` (the positions one step earlier) have one entry a particle, in one
/// space and unit of the caller's. On return `previous` holds what was in `positions`. Pinned
/// particles stay where the caller has put them.
///
/// For an acceleration that is constant over two steps the result is the closed form of
/// `x″ = a - drag x′`, whatever the two steps' lengths: a fall with drag is the same at any frame
/// rate, steady or not. What is left is rounding, for a velocity is held as the difference of two
/// positions: a second of a fall of 2 m differs from the closed form by 2e-5 m at 60 Hz, 4e-4 m at
/// 240 Hz and 6e-3 m at 1000 Hz. With `h` for `previous_dt` and
/// `k = (1 - exp(-drag dt)) / (exp(drag h) - 1)` it is
/// `x + k (x - previous) + a (dt - k h) / drag`; without drag `k = dt / h`, and it is the
/// time-corrected Verlet rule, `x + k (x - previous) + a dt (dt + h) / 2`.
///
/// A step of no time changes nothing. A particle that would leave the range of
/// [`MAX_COORDINATE`] stays where it is and loses its velocity.
///
/// Sources: Verlet (1967), "Computer 'Experiments' on Classical Fluids"; the correction for a
/// varying step: Dummer (2005), "A Simple Time-Corrected Verlet Integration Method"; the loop:
/// Jakobsen (2001), "Advanced Character Physics", and Müller, Heidelberger, Hennix and Ratcliff
/// (2007), "Position Based Dynamics". The closed form with drag is this crate's.
///
/// # Errors
/// Slices of different lengths; a number that is not finite or out of its documented range.
///
/// ```
/// use sinew::{Verlet, glam::Vec2, verlet_step};
///
/// let (mut position, mut previous) = ([Vec2::ZERO], [Vec2::ZERO]);
/// let fall = Verlet { acceleration: Vec2::NEG_Y * 9.81, ..Verlet::default() };
/// for _ in 0..60 {
///     let _ = verlet_step(&mut position, &mut previous, &fall, 1.0 / 60.0)?;
/// }
/// // Half a step early: the particle was at rest in the middle of the first interval.
/// assert!((position[0].y + 0.5 * 9.81 * (1.0 + 1.0 / 60.0)).abs() < 1e-4);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn verlet_step<V: Vector>(
    positions: &mut [V],
    previous: &mut [V],
    settings: &Verlet<'_, V>,
    dt: f32,
) -> Result<VerletReport, Error> {
    check(positions, previous, settings, dt)?;
    if dt == 0.0 {
        return Ok(VerletReport::default());
    }
    let (carried, pushed) = settings.weights(dt);
    let cap = settings.max_speed * dt;
    let mut longest = 0.0_f32;
    for (i, (x, before)) in positions.iter_mut().zip(previous.iter_mut()).enumerate() {
        if settings.inverse_masses.get(i) == Some(&0.0) {
            *before = *x;
            continue;
        }
        let own = settings.accelerations.get(i).copied().unwrap_or(V::ZERO);
        let moved = (*x - *before) * carried + (settings.acceleration + own) * pushed;
        let (moved, length) = capped(moved, cap);
        *before = *x;
        if (*x + moved).largest() <= MAX_COORDINATE {
            *x = *x + moved;
            longest = longest.max(length);
        }
    }
    Ok(VerletReport::new(longest, pushed, dt))
}

fn check<V: Vector>(
    positions: &[V],
    previous: &[V],
    settings: &Verlet<'_, V>,
    dt: f32,
) -> Result<(), Error> {
    check_vectors("positions", positions)?;
    check_length("previous", previous.len(), positions.len())?;
    check_vectors("previous", previous)?;
    check_vector("settings.acceleration", settings.acceleration)?;
    check_optional_length("settings.accelerations", settings.accelerations.len(), positions.len())?;
    check_vectors("settings.accelerations", settings.accelerations)?;
    settings.check_numbers(positions.len(), dt)
}

impl<V> Verlet<'_, V> {
    /// What is a number of its own, or one a particle.
    pub(crate) fn check_numbers(&self, particles: usize, dt: f32) -> Result<(), Error> {
        check_inverse_masses("settings.inverse_masses", self.inverse_masses, particles)?;
        check_range("settings.drag", self.drag, 0.0, MAX_DRAG)?;
        if let Some(previous_dt) = self.previous_dt {
            check_range("settings.previous_dt", previous_dt, f32::MIN_POSITIVE, MAX_DT)?;
        }
        check_range("settings.max_speed", self.max_speed, 0.0, f32::INFINITY)?;
        check_dt("dt", dt)
    }

    /// What the last displacement and the acceleration add in a step of `dt` seconds.
    pub(crate) fn weights(&self, dt: f32) -> (f32, f32) {
        weights(self.drag, dt, self.previous_dt.unwrap_or(dt))
    }
}

impl VerletReport {
    /// Of a step of `dt` seconds in which the farthest particle went `longest`.
    pub(crate) fn new(longest: f32, pushed: f32, dt: f32) -> Self {
        Self { speed: (longest / dt).min(f32::MAX), relaxation_dt: math::sqrt(pushed) }
    }
}

/// A move no longer than `cap`, and its length.
#[inline]
fn capped<V: Vector>(moved: V, cap: f32) -> (V, f32) {
    let length = moved.length();
    if length <= cap { (moved, length) } else { (moved * (cap / length), cap) }
}

/// What the last displacement and the acceleration add to a position: `x + u·carried + a·pushed`.
///
/// With `x″ = a - c x′` the velocity decays towards `a/c`. A displacement `u` over the last `h`
/// seconds means a velocity of `v = c u / (e^{ch} - 1)` now (for a = 0), which covers
/// `v (1 - e^{-ck}) / c` in the next `k`. Hence, with `p = ch`, `q = ck` and `φ(z) = (1 -
/// e^{-z}) / z`, `carried = (k/h) e^{-p} φ(q) / φ(p)`; and `pushed`, which makes terminal velocity
/// a fixed point, is `(k - h·carried) / c`, written below without its cancellation.
fn weights(drag: f32, next: f32, last: f32) -> (f32, f32) {
    let (p, q) = (drag * last, drag * next);
    let decay = math::exp(-p);
    let carried = (next / last) * decay * phi(q) / phi(p);
    let pushed = next * (last * rise(p) + next * fall(q) * decay) / phi(p);
    (carried, pushed)
}

/// Below this the quotients lose more than three bits, and six terms of the series are exact.
const SMALL: f32 = 0.25;

/// `(1 - e^{-z}) / z`.
fn phi(z: f32) -> f32 {
    if z > 0.0 { -math::expm1(-z) / z } else { 1.0 }
}

/// `(e^{-z} - 1 + z) / z²`.
fn fall(z: f32) -> f32 {
    if z > SMALL {
        return (math::expm1(-z) + z) / (z * z);
    }
    math::horner(z, [1.0 / 2.0, -1.0 / 6.0, 1.0 / 24.0, -1.0 / 120.0, 1.0 / 720.0, -1.0 / 5040.0])
}

/// `(1 - (1 + z) e^{-z}) / z²`.
fn rise(z: f32) -> f32 {
    if z > SMALL {
        return (-math::expm1(-z) - z * math::exp(-z)) / (z * z);
    }
    math::horner(z, [1.0 / 2.0, -1.0 / 3.0, 1.0 / 8.0, -1.0 / 30.0, 1.0 / 144.0, -1.0 / 840.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same weights in f64, straight from their definitions.
    fn exact(drag: f64, next: f64, last: f64) -> (f64, f64) {
        if drag == 0.0 {
            return (next / last, next * (next + last) / 2.0);
        }
        let carried = -(-drag * next).exp_m1() / (drag * last).exp_m1();
        (carried, (next - last * carried) / drag)
    }

    #[test]
    fn weights_are_exact_for_weak_and_strong_drag() {
        for drag in [0.0, 1e-3, 0.1, 1.0, 7.0, 14.9, 15.1, 100.0, 3000.0_f32] {
            for (next, last) in [(1.0 / 60.0, 1.0 / 60.0), (0.1, 0.002), (0.001, 0.2_f32)] {
                let (carried, pushed) = weights(drag, next, last);
                // At drags this weak the oracle itself cancels.
                let tolerance = if drag < 0.01 { 1e-5 } else { 2e-6 };
                let (c, p) = exact(drag.into(), next.into(), last.into());
                assert!((f64::from(carried) - c).abs() <= tolerance * c + 1e-37, "{drag} {next}");
                assert!((f64::from(pushed) - p).abs() <= tolerance * p, "{drag} {next} {last}");
            }
        }
    }
}
