//! The body: it approaches a target, keeps its distance, and retreats.

use core::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec2, Vec3};

use crate::check::{MAX_COORDINATE, check_angle, check_bounds, check_dt, check_range};
use crate::error::{Error, Fault};
use crate::math;
use crate::rotation::across;
use crate::space::{Vector, check_direction, check_vector, direction, lerp};

/// Steps a second into which a call is cut. The method is of the second order: at the gentlest
/// settings that still feel responsive the error of a step is below a millionth of a body length.
const RATE: f32 = 120.0;

/// The longest time that a call lives through, in seconds; the rest of a longer hitch is dropped.
const LONGEST: f32 = 4.0;

/// How a body follows its target.
///
/// The defaults suit a walking person, in metres: distances of 0.8 to 1.5 m, up to 1.4 m/s and
/// 2.5 rad/s (143°/s), which follow what is wanted at rates of 6/s and 8/s; it walks within π/2
/// (90°) of the target's direction and does not turn within 0.1 rad (6°).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct BodySettings {
    /// Closer than this it backs away; 0 or more.
    pub least_distance: f32,
    /// Farther than this it approaches; at least `least_distance`.
    pub largest_distance: f32,
    /// Top speed, in units of length a second; 0 or more.
    pub speed: f32,
    /// Top turning speed, in radians a second; 0 or more.
    pub turn_speed: f32,
    /// How fast the speed follows what is wanted of it, in 1/s; above 0, at most 60.
    pub acceleration: f32,
    /// How fast the turning speed follows what is wanted of it, in 1/s; above 0, at most 60.
    pub turn_acceleration: f32,
    /// The angle to the target, in radians, from which on it only turns and does not walk; above
    /// 0, at most π. Towards it, it walks ever slower. Above π/2 a body that walks fast for how it
    /// turns may circle its target.
    pub walk_angle: f32,
    /// The angle to the target, in radians, that it does not bother to turn for; 0 to π. Here
    /// and above π may be rounded to 3.1416.
    pub rest_angle: f32,
}

impl Default for BodySettings {
    fn default() -> Self {
        Self {
            least_distance: 0.8,
            largest_distance: 1.5,
            speed: 1.4,
            turn_speed: 2.5,
            acceleration: 6.0,
            turn_acceleration: 8.0,
            walk_angle: FRAC_PI_2,
            rest_angle: 0.1,
        }
    }
}

impl BodySettings {
    fn check(&self) -> Result<(), Error> {
        const LEAST: f32 = 1e-6;
        check_range("settings.least_distance", self.least_distance, 0.0, MAX_COORDINATE)?;
        check_range("settings.largest_distance", self.largest_distance, 0.0, MAX_COORDINATE)?;
        let names = ("settings.least_distance", "settings.largest_distance");
        check_bounds(names, self.least_distance, self.largest_distance)?;
        check_range("settings.speed", self.speed, 0.0, MAX_COORDINATE)?;
        check_range("settings.turn_speed", self.turn_speed, 0.0, 1e6)?;
        check_range("settings.acceleration", self.acceleration, LEAST, 60.0)?;
        check_range("settings.turn_acceleration", self.turn_acceleration, LEAST, 60.0)?;
        check_angle("settings.walk_angle", self.walk_angle, LEAST, PI)?;
        check_angle("settings.rest_angle", self.rest_angle, 0.0, PI)
    }
}

/// A body that keeps its distance to a target: it approaches when far, backs away when close,
/// turns before it walks when the target is behind, and speeds up and slows down smoothly.
///
/// It moves in one plane, that of `forward` and `left`; what leads out of the plane is ignored, so
/// that its height is the caller's ([`feet_plane`](crate::feet_plane)). It walks along `forward`
/// and never sideways. It is the first of a frame; [`Gait`](crate::Gait) tells what follows.
/// Speed and turning speed are damped towards what is wanted of them, which falls off in
/// proportion to what is left, at the steepness that does not overshoot.
///
/// Source: the root motion of Pierce-Dunham (2019), "Bonehead: Procedural Animation in Unity",
/// with its thresholds made continuous, so that the frame rate does not decide when they are
/// crossed.
///
/// ```
/// use sinew::{BodyMotion, BodySettings, glam::Vec3};
///
/// # fn main() -> Result<(), sinew::Error> {
/// let mut body = BodyMotion::on_ground(Vec3::ZERO, Vec3::Z, Vec3::Y)?;
/// let settings = BodySettings::default();
/// for _ in 0..600 {
///     body.advance(Vec3::new(-5.0, 0.0, -3.0), &settings, 1.0 / 60.0)?;
/// }
/// let left = body.position.distance(Vec3::new(-5.0, 0.0, -3.0));
/// assert!((left - settings.largest_distance).abs() < 0.1 && body.speed.abs() < 0.1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyMotion<V> {
    /// Where it is.
    pub position: V,
    /// The unit vector it faces along.
    pub forward: V,
    /// The unit vector to its left, across `forward`.
    pub left: V,
    /// How fast it walks along `forward`; negative when it backs away.
    pub speed: f32,
    /// How fast it turns from `forward` towards `left`, in radians a second.
    pub turn_speed: f32,
    /// Where the target was at the last call.
    target_before: Option<V>,
}

impl BodyMotion<Vec2> {
    /// A body that stands in a plane which is seen from above, facing along `forward`, of any
    /// length.
    ///
    /// # Errors
    /// An argument not finite; `position` too large; `forward` of no length.
    ///
    /// ```
    /// use sinew::{BodyMotion, glam::Vec2};
    ///
    /// let body = BodyMotion::in_plane(Vec2::ZERO, Vec2::X * 3.0).unwrap();
    /// assert_eq!((body.forward, body.left), (Vec2::X, Vec2::Y));
    /// ```
    pub fn in_plane(position: Vec2, forward: Vec2) -> Result<Self, Error> {
        check_vector("position", position)?;
        let forward = check_direction("forward", forward)?;
        Ok(Self::standing(position, forward, forward.perp()))
    }
}

impl BodyMotion<Vec3> {
    /// A body that stands on the plane across `up`, facing along `forward`, both of any length;
    /// what of `forward` leads out of the plane is dropped.
    ///
    /// # Errors
    /// An argument not finite; `position` too large; `up` of no length, or `forward` along `up`.
    ///
    /// ```
    /// use sinew::{BodyMotion, glam::Vec3};
    ///
    /// let body = BodyMotion::on_ground(Vec3::ZERO, Vec3::new(0.0, 0.5, 1.0), Vec3::Y).unwrap();
    /// assert_eq!((body.forward, body.left), (Vec3::Z, Vec3::X));
    /// ```
    pub fn on_ground(position: Vec3, forward: Vec3, up: Vec3) -> Result<Self, Error> {
        check_vector("position", position)?;
        let up = check_direction("up", up)?;
        let forward = check_direction("forward", forward)?;
        let forward = across(forward, up).ok_or(Error::new("forward", Fault::NoDirection))?;
        Ok(Self::standing(position, forward, up.cross(forward)))
    }
}

impl<V: Vector> BodyMotion<V> {
    fn standing(position: V, forward: V, left: V) -> Self {
        Self { position, forward, left, speed: 0.0, turn_speed: 0.0, target_before: None }
    }

    /// Moves by `dt` seconds, while the target goes steadily from where it was at the last call to
    /// `target`.
    ///
    /// The same path at every frame rate: within 1e-3 of the way between 15 and 240 Hz, for a
    /// target that moves smoothly. `dt` = 0 changes nothing; of a hitch the first four seconds
    /// are lived through. A target on the body itself has no direction, and counts as ahead.
    ///
    /// # Errors
    /// `target` or a part of the body not finite or too large; `forward` or `left` of no length;
    /// a setting outside its range; `dt` negative, not finite or above 1e6. Nothing has moved
    /// then.
    pub fn advance(&mut self, target: V, settings: &BodySettings, dt: f32) -> Result<(), Error> {
        check_vector("target", target)?;
        settings.check()?;
        check_dt("dt", dt)?;
        let mut body = self.checked()?;
        if dt == 0.0 {
            return Ok(());
        }
        let from = body.target_before.unwrap_or(target);
        let dt = dt.min(LONGEST);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 481")]
        let steps = (dt * RATE) as u16 + 1;
        let share = 1.0 / f32::from(steps);
        let (half, whole) =
            (Closing::new(settings, 0.5 * dt * share), Closing::new(settings, dt * share));
        for i in 0..steps {
            let start = f32::from(i) * share;
            let wish = body.wish(lerp(from, target, start), settings);
            let middle = body.moved(wish, &half);
            let wish = middle.wish(lerp(from, target, start + 0.5 * share), settings);
            body = body.moved(wish, &whole);
        }
        body.target_before = Some(target);
        *self = body.straightened();
        Ok(())
    }

    fn checked(&self) -> Result<Self, Error> {
        check_vector("position", self.position)?;
        check_range("speed", self.speed, -MAX_COORDINATE, MAX_COORDINATE)?;
        check_range("turn_speed", self.turn_speed, -1e6, 1e6)?;
        check_vector("target_before", self.target_before.unwrap_or(V::ZERO))?;
        let forward = check_direction("forward", self.forward)?;
        let left = check_direction("left", self.left)?;
        Ok(Self { forward, left, ..*self })
    }

    /// The speed and the turning speed that are wanted.
    fn wish(&self, target: V, settings: &BodySettings) -> (f32, f32) {
        let way = target - self.position;
        let (ahead, aside) = (way.dot(self.forward), way.dot(self.left));
        let distance = Vec2::new(ahead, aside).length();
        let angle = math::atan2(aside, ahead);
        // A quarter of the damping's rate: the gap and the speed then close as one critically
        // damped motion, the fastest that does not overshoot.
        let turn = (angle.abs() - settings.rest_angle).max(0.0).copysign(angle);
        let turn = 0.25 * settings.turn_acceleration * turn;
        let gap = (distance - settings.largest_distance).max(0.0)
            - (settings.least_distance - distance).max(0.0);
        let walk = math::clamp(0.25 * settings.acceleration * gap, -settings.speed, settings.speed);
        // From 1 ahead to 0 at the walking angle by the cosine, which close to 1 tells no angles
        // apart: 1 - cos a = 2 sin²(a / 2).
        let off = math::sin(0.5 * angle) / math::sin(0.5 * settings.walk_angle);
        (
            walk * (1.0 - off * off).max(0.0),
            math::clamp(turn, -settings.turn_speed, settings.turn_speed),
        )
    }

    /// The body after a step in which the same is wanted throughout.
    fn moved(&self, (speed, turn_speed): (f32, f32), step: &Closing) -> Self {
        let (speed, way) = step.walk.close(self.speed, speed);
        let (turn_speed, angle) = step.turn.close(self.turn_speed, turn_speed);
        let half = self.turned(0.5 * angle);
        Self { speed, turn_speed, position: half.position + half.forward * way, ..half }
            .turned(0.5 * angle)
    }

    fn turned(&self, angle: f32) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self {
            forward: self.forward * cos + self.left * sin,
            left: self.left * cos - self.forward * sin,
            ..*self
        }
    }

    /// The body with its two axes brought back to unit length and a right angle.
    fn straightened(self) -> Self {
        let unit = |v, fallback| direction(v).map_or(fallback, |(unit, _)| unit);
        let forward = unit(self.forward, self.forward);
        let left = unit(self.left - forward * self.left.dot(forward), self.left);
        Self { forward, left, ..self }
    }
}

/// A speed that closes in on another, for a step of one length.
struct Closing {
    walk: Damper,
    turn: Damper,
}

impl Closing {
    fn new(settings: &BodySettings, dt: f32) -> Self {
        Self {
            walk: Damper::new(settings.acceleration, dt),
            turn: Damper::new(settings.turn_acceleration, dt),
        }
    }
}

struct Damper {
    dt: f32,
    /// The share of the gap that closes.
    closed: f32,
    /// That share's integral, in seconds.
    covered: f32,
}

impl Damper {
    fn new(rate: f32, dt: f32) -> Self {
        let closed = -math::expm1(-rate * dt);
        Self { dt, closed, covered: closed / rate }
    }

    /// The speed after the step, and the way.
    fn close(&self, from: f32, to: f32) -> (f32, f32) {
        let gap = from - to;
        (from - gap * self.closed, to * self.dt + gap * self.covered)
    }
}
