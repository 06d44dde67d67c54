//! Damped springs of eight values at once.

use super::Each;
use super::animated::{AnimatedLanes, Checked};
use super::check::Checks;
use super::wide::{Mask, Pen};
use crate::check::{check_each, check_length};
use crate::error::Error;
use crate::spring::{FULL_RESPONSE, Moving, Spring, Transition};

/// [`spring_step`](crate::spring_step) in each lane: one spring and one time for all, a state and a
/// target for each.
///
/// The exponential and the sines are computed once. Numbers and vectors are the scalar's bit for
/// bit, whatever the features; rotations go lane by lane, through the scalar itself.
///
/// # Errors
/// In a lane as for the scalar; its state is then untouched.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, spring_step};
/// use sinew::{Moving, Spring};
///
/// let mut heads = Moving::at_rest(Vec3x8::ZERO);
/// let goals = Moving::at_rest(Vec3x8::splat(Vec3::Y));
/// for _ in 0..120 {
///     let each = spring_step(&mut heads, goals, &Spring::default(), 1.0 / 60.0);
///     assert!(each.iter().all(Result::is_ok));
/// }
/// assert!(heads.position.lane(2).distance(Vec3::Y) < 1e-3);
/// ```
pub fn spring_step<T: AnimatedLanes>(
    state: &mut Moving<T>,
    target: Moving<T>,
    spring: &Spring,
    dt: f32,
) -> Each<()> {
    let mut checks = Checks::new();
    checks.lanes(is_sound(state) & is_sound(&target), |lane| {
        check(state, lane, ("state.position", "state.velocity"))?;
        check(&target, lane, ("target.position", "target.velocity"))
    });
    if let Some(transition) = checks.shared(Transition::checked(*spring, dt)) {
        step(&transition, state, target, checks.pen());
    }
    checks.each(|_| ())
}

/// [`spring_slice`](crate::spring_slice) in each lane: [`spring_step`] for every entry of `states`.
///
/// # Errors
/// In a lane as for the scalar, with the entry.
pub fn spring_slice<T: AnimatedLanes>(
    states: &mut [Moving<T>],
    targets: &[Moving<T>],
    spring: &Spring,
    dt: f32,
) -> Each<()> {
    let mut checks = Checks::new();
    checks.shared(check_length("targets", targets.len(), states.len()));
    let pairs = || states.iter().zip(targets);
    let sound = pairs().fold(Mask::every(), |sound, (s, t)| sound & is_sound(s) & is_sound(t));
    checks.lanes(sound, |lane| {
        check_each(pairs(), |(state, target)| {
            check(state, lane, ("states.position", "states.velocity"))?;
            check(target, lane, ("targets.position", "targets.velocity"))
        })
    });
    if let Some(transition) = checks.shared(Transition::checked(*spring, dt)) {
        let pen = checks.pen();
        for (state, target) in states.iter_mut().zip(targets) {
            step(&transition, state, *target, pen);
        }
    }
    checks.each(|_| ())
}

#[inline]
fn step<T: AnimatedLanes>(
    transition: &Transition,
    state: &mut Moving<T>,
    target: Moving<T>,
    pen: Pen,
) {
    let mut next = *state;
    transition.apply(&mut next, target, FULL_RESPONSE);
    pen.put(next.position, &mut state.position);
    pen.put(next.velocity, &mut state.velocity);
}

#[inline]
fn is_sound<T: AnimatedLanes>(moving: &Moving<T>) -> Mask {
    moving.position.is_sound() & moving.velocity.is_sound()
}

fn check<T: AnimatedLanes>(
    moving: &Moving<T>,
    lane: usize,
    names: (&'static str, &'static str),
) -> Result<(), Error> {
    moving.position.check(lane, names.0)?;
    moving.velocity.check(lane, names.1)
}
