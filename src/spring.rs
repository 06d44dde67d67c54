//! Damped springs, stepped by their closed form: exact for any stiffness and any time step.
//!
//! A spring of angular frequency ω and damping ratio ζ obeys `y'' = -ω² y - 2ζω y'` for the offset
//! y from its rest. The solution after a time t is linear in the state (y, y'), with coefficients
//! that depend on ωt and ζ alone. They are computed once a step and applied to every value; there
//! is no integrator that could blow up. The closed form is every textbook's (for instance Juckett
//! 2012, "Damped Springs"); what needs care in single precision is the joint between the
//! regimes, the phase of a fast spring, and steps so short that the change is lost next to 1.

use core::f64::consts::TAU;

use crate::animated::{Animated, Mobile};
use crate::check::{check_dt, check_each, check_length, check_range};
use crate::error::Error;
use crate::math::{self, decay, half_turn_cosine, half_turn_sine};

/// The stiffest spring, in Hz. A spring a thousand times softer has settled in any frame.
const MAX_FREQUENCY: f32 = 1e6;

/// The largest damping ratio: with it even the stiffest spring takes hours.
const MAX_RATIO: f32 = 1e6;

/// The largest initial response, either way.
const MAX_RESPONSE: f32 = 1e3;

/// The root of `(1 + x) e^-x = 1/2`: where a critical spring released at rest is half way.
const HALF_WAY: f32 = 1.678_347;

/// A value and how fast it moves: a spring's state, or a spring's target.
///
/// Units: those of the value, and the same a second; a [`Quat`](glam::Quat)'s velocity is the
/// rotation vector a second, in the space that it turns into.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moving<T: Mobile> {
    /// Where it is.
    pub position: T,
    /// How fast it moves, a second.
    pub velocity: T::Velocity,
}

impl<T: Mobile> Moving<T> {
    /// A value that stands still.
    #[must_use]
    pub fn at_rest(position: T) -> Self {
        Self { position, velocity: T::Velocity::default() }
    }
}

impl<T: Animated> Moving<T> {
    #[inline]
    fn is_sound(self) -> bool {
        self.position.check("").is_ok() & T::check_velocity("", self.velocity).is_ok()
    }

    #[inline]
    fn check(self, names: (&'static str, &'static str)) -> Result<(), Error> {
        self.position.check(names.0)?;
        T::check_velocity(names.1, self.velocity)
    }
}

impl<T: Mobile + Default> Default for Moving<T> {
    fn default() -> Self {
        Self::at_rest(T::default())
    }
}

/// How a spring feels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Spring {
    /// Undamped oscillations a second, in Hz; 0 (no spring, no damping: free motion) to 1e6.
    pub frequency: f32,
    /// Damping relative to the least that does not overshoot; 0 (rings for ever), 1 (critical)
    /// to 1e6.
    pub damping_ratio: f32,
}

impl Default for Spring {
    /// Critical, at 2 Hz: half way in 0.13 s.
    fn default() -> Self {
        Self { frequency: 2.0, damping_ratio: 1.0 }
    }
}

impl Spring {
    /// The critical spring that covers half of its way in `half_life` seconds when released at
    /// rest.
    ///
    /// Exactly half, at exactly that time; a family of spring code uses the name for the
    /// half-life of an envelope, at which three fifths of the way are left.
    ///
    /// Not checked: NaN gives NaN, and a negative half-life a negative frequency; [`spring_step`]
    /// refuses both.
    ///
    /// ```
    /// use sinew::{Moving, Spring, spring_step};
    ///
    /// let mut x = Moving::at_rest(0.0);
    /// spring_step(&mut x, Moving::at_rest(1.0), &Spring::from_half_life(0.1), 0.1).unwrap();
    /// assert!((x.position - 0.5).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn from_half_life(half_life: f32) -> Self {
        // +0 rather than -0, of which the quotient would be negative.
        let frequency = HALF_WAY / (core::f32::consts::TAU * half_life + 0.0);
        Self { frequency: frequency.clamp(f32::MIN, MAX_FREQUENCY), damping_ratio: 1.0 }
    }

    /// The spring of a mass on an elastic with a damper: `stiffness` in force a unit of length,
    /// `damping` in force a unit of speed.
    ///
    /// Not checked: a spring without stiffness or mass has no damping ratio, its fields are not
    /// finite, and [`spring_step`] refuses it, as what comes of NaN.
    ///
    /// ```
    /// use sinew::Spring;
    ///
    /// let spring = Spring::from_stiffness(400.0, 40.0, 1.0);
    /// assert!((spring.damping_ratio - 1.0).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn from_stiffness(stiffness: f32, damping: f32, mass: f32) -> Self {
        let angular = math::sqrt(stiffness / mass);
        Self {
            frequency: angular / core::f32::consts::TAU,
            damping_ratio: damping / (2.0 * mass * angular),
        }
    }

    #[inline]
    fn check(self, names: (&'static str, &'static str)) -> Result<(), Error> {
        check_range(names.0, self.frequency, 0.0, MAX_FREQUENCY)?;
        check_range(names.1, self.damping_ratio, 0.0, MAX_RATIO)
    }
}

/// Moves `state` along its spring by `dt` seconds.
///
/// Works on numbers, vectors and rotations ([`Animated`]). `target.position` is where the target
/// is at the end of the step, and `target.velocity` is how it moves during it. A target that
/// moves steadily is followed without lag; with a velocity of zero
/// ([`Moving::at_rest`]) the spring knows only where the target is, and trails a moving one by
/// ζ·speed/(π·frequency).
///
/// Exact in all three regimes: position and velocity are within 2e-6 of the closed form, relative
/// to the larger of the offset and velocity/ω, for every frequency, damping ratio and `dt`; any
/// number of frames gives what one step gives. Rotations move along the rotation vector from the
/// target, the short way: a turn of more than half goes on from the other side.
///
/// `dt` = 0 changes nothing.
///
/// # Errors
/// A part of `state` or `target` not finite, too large or no unit rotation; a field of `spring`
/// outside its range; `dt` negative, not finite or above 1e6. `state` is then untouched.
///
/// ```
/// use sinew::{Moving, Spring, spring_step, glam::Vec2};
///
/// # fn main() -> Result<(), sinew::Error> {
/// let mut camera = Moving::at_rest(Vec2::ZERO);
/// let goal = Moving::at_rest(Vec2::new(3.0, 0.0));
/// for _ in 0..60 {
///     spring_step(&mut camera, goal, &Spring::default(), 1.0 / 60.0)?;
/// }
/// assert!(camera.position.distance(goal.position) < 1e-3);
/// # Ok(())
/// # }
/// ```
#[inline]
pub fn spring_step<T: Animated>(
    state: &mut Moving<T>,
    target: Moving<T>,
    spring: &Spring,
    dt: f32,
) -> Result<(), Error> {
    state.check(("state.position", "state.velocity"))?;
    target.check(("target.position", "target.velocity"))?;
    let transition = Transition::checked(*spring, dt)?;
    transition.apply(state, target, FULL_RESPONSE);
    Ok(())
}

/// [`spring_step`] for every entry of `states`, in place, each towards its entry of `targets`.
///
/// The exponentials are computed once.
///
/// # Errors
/// As for [`spring_step`], with the entry; or the slices differ in length. `states` is then
/// untouched.
///
/// ```
/// use sinew::{Moving, Spring, spring_slice};
///
/// let mut ears = [Moving::at_rest(0.0); 2];
/// let pose = [Moving::at_rest(0.3), Moving::at_rest(-0.3)];
/// spring_slice(&mut ears, &pose, &Spring::default(), 0.1).unwrap();
/// assert!(ears[0].position > 0.0 && ears[0].position == -ears[1].position);
/// ```
pub fn spring_slice<T: Animated>(
    states: &mut [Moving<T>],
    targets: &[Moving<T>],
    spring: &Spring,
    dt: f32,
) -> Result<(), Error> {
    check_length("targets", targets.len(), states.len())?;
    // All at once: whose fault it is may take its time.
    let pairs = states.iter().zip(targets);
    let sound = pairs.clone().fold(true, |sound, (s, t)| sound & s.is_sound() & t.is_sound());
    if !sound {
        return check_each(pairs, |(state, target)| {
            state.check(("states.position", "states.velocity"))?;
            target.check(("targets.position", "targets.velocity"))
        });
    }
    let transition = Transition::checked(*spring, dt)?;
    for (state, target) in states.iter_mut().zip(targets) {
        transition.apply(state, *target, FULL_RESPONSE);
    }
    Ok(())
}

/// How a second-order system answers to its target: a spring that also feels the target's
/// velocity, by an amount of choice.
///
/// `y'' = ω² (x - y) - 2ζω y' + rζω x'`: with the initial response r = 0 it starts softly, with 1
/// it moves at once, above 1 it overshoots, below 0 it first draws back. r = 2 follows a steadily
/// moving target without lag, as [`spring_step`] does when it is given the target's velocity.
///
/// Source: the parametrisation popularised by t3ssel8r (2022), "Giving Personality to Procedural
/// Animations using Math"; stepped here by the closed form rather than by Euler's method, so it
/// needs no guard against large steps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct SecondOrder {
    /// As in [`Spring`].
    pub frequency: f32,
    /// As in [`Spring`].
    pub damping_ratio: f32,
    /// The initial response r, from -1000 to 1000.
    pub response: f32,
}

impl Default for SecondOrder {
    /// A little springy, answering at once: 2 Hz, a damping ratio of 0.5, a response of 1.
    fn default() -> Self {
        Self { frequency: 2.0, damping_ratio: 0.5, response: 1.0 }
    }
}

/// Moves `state` by `dt` seconds while its target goes steadily from `from` to `to`.
///
/// `from` is where the target was in the last frame, and `to` where it is now; a target that
/// jumps gives the kick that the initial response asks for. The accuracy is that of
/// [`spring_step`]. With `dt` = 0 nothing changes: the caller keeps `from` for the next frame.
///
/// # Errors
/// As for [`spring_step`]; also when the target's step divided by `dt` is too large.
///
/// ```
/// use sinew::{Moving, SecondOrder, second_order_step};
///
/// # fn main() -> Result<(), sinew::Error> {
/// let shy = SecondOrder { response: -1.0, ..SecondOrder::default() };
/// let mut x = Moving::at_rest(0.0);
/// second_order_step(&mut x, (0.0, 1.0), &shy, 1.0 / 60.0)?;
/// assert!(x.position < 0.0); // It draws back first,
/// for _ in 0..300 {
///     second_order_step(&mut x, (1.0, 1.0), &shy, 1.0 / 60.0)?;
/// }
/// assert!((x.position - 1.0).abs() < 1e-3); // and gets there.
/// # Ok(())
/// # }
/// ```
pub fn second_order_step<T: Animated>(
    state: &mut Moving<T>,
    (from, to): (T, T),
    settings: &SecondOrder,
    dt: f32,
) -> Result<(), Error> {
    let SecondOrder { frequency, damping_ratio, response } = *settings;
    state.check(("state.position", "state.velocity"))?;
    from.check("from")?;
    to.check("to")?;
    check_range("settings.response", response, -MAX_RESPONSE, MAX_RESPONSE)?;
    let spring = Spring { frequency, damping_ratio };
    spring.check(("settings.frequency", "settings.damping_ratio"))?;
    check_dt("dt", dt)?;
    let transition = Transition::new(spring, dt);
    if dt == 0.0 {
        return Ok(());
    }
    let target = Moving { position: to, velocity: from.offset(to) * (1.0 / dt) };
    target.check(("to", "to"))?;
    transition.apply(state, target, response);
    Ok(())
}

/// The response that follows a steadily moving target without lag.
pub(crate) const FULL_RESPONSE: f32 = 2.0;

/// What a step does to an offset y and a velocity v, `y ↦ a·y + b·v` and
/// `v ↦ d·v - ω²·b·y`.
#[derive(Clone, Copy)]
pub(crate) struct Transition {
    /// a.
    kept: f32,
    /// 1 - a, with the digits that a has lost for short steps.
    covered: f32,
    /// b, in seconds.
    drift: f32,
    /// d.
    persistence: f32,
    /// ω, in radians a second.
    angular: f32,
    /// ζ.
    ratio: f32,
    /// The step, in seconds.
    dt: f32,
}

impl Transition {
    #[expect(clippy::inline_always, reason = "called, it would hand seven numbers over in memory")]
    #[inline(always)]
    pub(crate) fn checked(spring: Spring, dt: f32) -> Result<Self, Error> {
        spring.check(("spring.frequency", "spring.damping_ratio"))?;
        check_dt("dt", dt)?;
        Ok(Self::new(spring, dt))
    }

    /// With x = ωt and δ = √|1 - ζ²|.
    #[expect(clippy::inline_always, reason = "as `checked`")]
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the doubles are of moderate size")]
    fn new(spring: Spring, dt: f32) -> Self {
        let ratio = spring.damping_ratio;
        let angular = (TAU * f64::from(spring.frequency)) as f32;
        // Exact: the undamped turns, of which x is the angle.
        let turns = f64::from(spring.frequency) * f64::from(dt);
        let x = (TAU * turns) as f32;
        // In double precision 1 - ζ² is exact next to ζ = 1, where the regimes meet.
        let discriminant = (1.0 - f64::from(ratio)) * (1.0 + f64::from(ratio));
        let spread = math::sqrt_f64(discriminant.abs());
        let turned = spread * turns;
        let (kept, covered, share, persistence) = if discriminant >= 0.0 {
            ringing(x, ratio, turned)
        } else {
            creeping(x, ratio, (TAU * turned) as f32)
        };
        Self { kept, covered, drift: dt * share, persistence, angular, ratio, dt }
    }

    #[inline]
    pub(crate) fn apply<T: Mobile>(&self, state: &mut Moving<T>, target: Moving<T>, response: f32) {
        if self.dt == 0.0 {
            return;
        }
        let v = target.velocity;
        // Beside the target, in a frame that moves with it, the spring is free.
        let y = if T::COMMUTES {
            target.position.offset(state.position) + v * self.dt
        } else {
            target.position.moved(v * -self.dt).offset(state.position)
        };
        let w = state.velocity - v;
        let pull = self.angular * self.drift;
        let (mut by, mut velocity) =
            (w * self.drift, v + w * self.persistence - y * (self.angular * pull));
        if response != FULL_RESPONSE {
            // The rest lies (response - 2) ζ/ω behind the moving target.
            let lag = v * ((response - FULL_RESPONSE) * self.ratio);
            let lagged = if self.angular > 0.0 { self.covered / self.angular } else { 0.0 };
            by = by + lag * lagged;
            velocity = velocity + lag * pull;
        }
        // While most is left, from where it is, so that short steps are not lost in rounding.
        let (origin, way) = if self.kept.abs() < 0.5 || !T::COMMUTES {
            (target.position, y * self.kept)
        } else {
            (state.position, v * self.dt - y * self.covered)
        };
        *state = Moving { position: origin.moved(way + by), velocity };
    }
}

/// a, 1 - a, b/t and d up to critical damping; `turned` is δx, in turns.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "of moderate size, or within half a turn")]
fn ringing(x: f32, ratio: f32, turned: f64) -> (f32, f32, f32, f32) {
    // After a long step of a fast spring it is many turns: only doubles still know its part.
    let part = (turned - math::snap_f64(turned)) as f32;
    let (sin, cos) = (part * half_turn_sine(part * part), half_turn_cosine(part * part));
    let phase = (TAU * turned) as f32;
    let share = if phase > 0.0 { 2.0 * sin * cos / phase } else { 1.0 };
    let (gone, left) = decay(ratio * x);
    let shift = ratio * x * share;
    let across = 1.0 - 2.0 * sin * sin;
    let kept = left * (across + shift);
    // a - 1 = (e^-ζx - 1)(C + ζS) + (C - 1) + ζS
    let covered = 2.0 * sin * sin - shift + gone * (across + shift);
    (kept, covered, left * share, left * (across - shift))
}

/// a, 1 - a, b/t and d beyond critical damping; `phase` is δx.
///
/// The roots are -ω(ζ ± δ). Their slow one cancels, but their product is ω².
#[inline]
fn creeping(x: f32, ratio: f32, phase: f32) -> (f32, f32, f32, f32) {
    let fast = x * ratio + phase;
    let slow = if fast > 0.0 { x * (x / fast) } else { 0.0 };
    let (gone, left) = decay(slow);
    let share = if phase > 0.0 { decay(2.0 * phase).0 / (2.0 * phase) } else { 1.0 };
    let kept = left * (1.0 + slow * share);
    let covered = gone - left * slow * share;
    (kept, covered, left * share, left * (1.0 - fast * share))
}
