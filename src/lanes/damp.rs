//! Exponential approach of eight values at once.

use super::Each;
use super::animated::AnimatedLanes;
use super::check::Checks;
use super::wide::Mask;
use crate::check::{check_each, check_length};
use crate::damp::Approach;
use crate::error::Error;

/// [`damp`](crate::damp()) in each lane, in place: `from` moves towards `to`, at one rate and over
/// one time for all.
///
/// The exponential is computed once. Numbers and vectors are the scalar's bit for bit, whatever the
/// features; rotations go lane by lane, through the scalar itself.
///
/// # Errors
/// In a lane as for the scalar.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, damp};
///
/// let mut cameras = Vec3x8::splat(Vec3::ZERO);
/// let each = damp(&mut cameras, Vec3x8::splat(Vec3::X), 5.0, 0.1);
/// assert!(each.iter().all(Result::is_ok));
/// assert_eq!(cameras.lane(7), sinew::damp(Vec3::ZERO, Vec3::X, 5.0, 0.1)?);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn damp<T: AnimatedLanes>(from: &mut T, to: T, rate: f32, dt: f32) -> Each<()> {
    approach(from, to, Approach::at_rate(rate, dt))
}

/// [`damp_half_life`](crate::damp_half_life) in each lane, in place, as [`damp`].
///
/// # Errors
/// As for [`damp`], with `half_life` in the place of `rate`.
pub fn damp_half_life<T: AnimatedLanes>(from: &mut T, to: T, half_life: f32, dt: f32) -> Each<()> {
    approach(from, to, Approach::at_half_life(half_life, dt))
}

/// [`damp_slice`](crate::damp_slice) in each lane: [`damp`] for every entry of `values`.
///
/// # Errors
/// In a lane as for the scalar, with the entry.
pub fn damp_slice<T: AnimatedLanes>(
    values: &mut [T],
    targets: &[T],
    rate: f32,
    dt: f32,
) -> Each<()> {
    let mut checks = Checks::new();
    checks.shared(check_length("targets", targets.len(), values.len()));
    let pairs = || values.iter().zip(targets);
    let sound = pairs().fold(Mask::every(), |sound, (v, t)| sound & v.is_sound() & t.is_sound());
    checks.lanes(sound, |lane| {
        check_each(pairs(), |(value, target)| {
            value.check(lane, "values").and_then(|()| target.check(lane, "targets"))
        })
    });
    if let Some(approach) = checks.shared(Approach::at_rate(rate, dt)) {
        let pen = checks.pen();
        for (value, target) in values.iter_mut().zip(targets) {
            pen.put(approach.apply(*value, *target), value);
        }
    }
    checks.each(|_| ())
}

fn approach<T: AnimatedLanes>(from: &mut T, to: T, approach: Result<Approach, Error>) -> Each<()> {
    let mut checks = Checks::new();
    checks.lanes(from.is_sound() & to.is_sound(), |lane| {
        from.check(lane, "from").and_then(|()| to.check(lane, "to"))
    });
    if let Some(approach) = checks.shared(approach) {
        checks.good().put(approach.apply(*from, to), from);
    }
    checks.each(|_| ())
}
