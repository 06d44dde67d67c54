//! One foot: where it stands, where it would like to stand, and its way there.

use super::ground::{Ground, under};
use super::settings::StepSettings;
use crate::check::check_range;
use crate::curve::{StepShape, lifted};
use crate::error::Error;
use crate::math;
use crate::rotation::{Rotation, check_rotation};
use crate::space::{Vector, check_vector, direction, lerp, unit_or_zero};

/// Where a foot would stand if it could choose: a pose that moves with the body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Home<V: Vector> {
    /// The place, in the feet's space; the ground's height is found under it.
    pub position: V,
    /// The foot's rotation on level ground.
    pub rotation: V::Rotation,
    /// The body's up, of any length; zero for a plane that is seen from above.
    pub up: V,
}

impl<V: Vector> Home<V> {
    /// Part of the way to another home.
    pub(super) fn towards(&self, to: &Self, share: f32) -> Self {
        Self {
            position: lerp(self.position, to.position, share),
            rotation: self.rotation.nlerp(to.rotation, share),
            up: lerp(unit_or_zero(self.up), unit_or_zero(to.up), share),
        }
    }

    pub(super) fn check(&self, names: [&'static str; 3]) -> Result<(), Error> {
        check_vector(names[0], self.position)?;
        check_rotation(names[1], self.rotation)?;
        check_vector(names[2], self.up)
    }
}

/// The largest overshoot that is taken at its word: with all of it the foot of a body that stops
/// would land just far enough off to step again, and march on the spot.
const MOST_OVERSHOOT: f32 = 0.99;

/// A foot: where it is, and what it is doing.
///
/// A planted foot does not move at all. A foot in the air follows a [`step_curve`] from where it
/// left to where its home will be when it lands, on the ground there, wherever the home moves
/// meanwhile; it is never below the ground, and turns with the ground it lands on. How a frame
/// goes, and when several feet step, is told at [`Gait`](crate::Gait).
///
/// Source: the step of Pierce-Dunham (2019), "Bonehead: Procedural Animation in Unity"; the
/// landing place that moves with the home, the events between frames, and hurrying are this
/// crate's.
///
/// [`step_curve`]: crate::step_curve
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "V: serde::Serialize, V::Rotation: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Rotation: serde::Deserialize<'de>"
    ))
)]
pub struct Stepper<V: Vector> {
    /// Where the foot is.
    pub position: V,
    /// How it is turned.
    pub rotation: V::Rotation,
    /// The unit normal of the ground it stands on, or has left; zero where there is no up.
    pub normal: V,
    /// Which turn it steps in; feet of one group step together.
    pub group: u8,
    /// Its home, as of the last call.
    home: Home<V>,
    swing: Option<Swing<V>>,
}

/// A step on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Swing<V: Vector> {
    from: V,
    rotation: V::Rotation,
    /// From the home at landing to where the foot lands.
    overshoot: V,
    /// From 0 at take-off to 1 at landing.
    phase: f32,
    duration: f32,
}

impl<V: Vector> Swing<V> {
    fn check(&self, names: [&'static str; 5]) -> Result<(), Error> {
        check_vector(names[0], self.from)?;
        check_rotation(names[1], self.rotation)?;
        check_vector(names[2], self.overshoot)?;
        check_range(names[3], self.phase, 0.0, 1.0)?;
        check_range(names[4], self.duration, 0.0, 1e6)
    }
}

/// What a foot's fields are called in errors.
pub(super) struct Names {
    pub(super) position: &'static str,
    pub(super) rotation: &'static str,
    pub(super) normal: &'static str,
    pub(super) home: [&'static str; 3],
    pub(super) swing: [&'static str; 5],
}

/// The [`Names`] of a foot's fields, as seen from where the path to the foot ends.
macro_rules! fields_of_foot {
    ($path:literal) => {
        &$crate::gait::stepper::Names {
            position: concat!($path, "position"),
            rotation: concat!($path, "rotation"),
            normal: concat!($path, "normal"),
            home: [
                concat!($path, "home.position"),
                concat!($path, "home.rotation"),
                concat!($path, "home.up"),
            ],
            swing: [
                concat!($path, "swing.from"),
                concat!($path, "swing.rotation"),
                concat!($path, "swing.overshoot"),
                concat!($path, "swing.phase"),
                concat!($path, "swing.duration"),
            ],
        }
    };
}
pub(super) use fields_of_foot;

impl<V: Vector> Stepper<V> {
    /// A foot that stands at its home, in group 0.
    ///
    /// ```
    /// use sinew::{Home, Rot2, Stepper, glam::Vec2};
    ///
    /// let home = Home { position: Vec2::X, rotation: Rot2::IDENTITY, up: Vec2::Y };
    /// let foot = Stepper::planted(home).with_group(1);
    /// assert_eq!((foot.position, foot.phase()), (Vec2::X, None));
    /// ```
    #[must_use]
    pub fn planted(home: Home<V>) -> Self {
        Self {
            position: home.position,
            rotation: home.rotation,
            normal: unit_or_zero(home.up),
            group: 0,
            home,
            swing: None,
        }
    }

    /// The same foot in another group.
    #[must_use]
    pub fn with_group(self, group: u8) -> Self {
        Self { group, ..self }
    }

    /// How far through its step it is, from 0 at take-off to 1 at landing; `None` while it
    /// stands.
    #[must_use]
    pub fn phase(&self) -> Option<f32> {
        self.swing.map(|swing| swing.phase)
    }

    pub(super) fn check(&self, names: &Names) -> Result<(), Error> {
        check_vector(names.position, self.position)?;
        check_rotation(names.rotation, self.rotation)?;
        check_vector(names.normal, self.normal)?;
        self.home.check(names.home)?;
        self.swing.map_or(Ok(()), |swing| swing.check(names.swing))
    }

    /// The home at the share `share` of this call.
    pub(super) fn home_at(&self, home: &Home<V>, share: f32) -> Home<V> {
        self.home.towards(home, share)
    }

    /// How the home leaves the foot from `now` on, in a call of `dt` seconds.
    pub(super) fn lag(&self, home: &Home<V>, (now, dt): (f32, f32)) -> Lag<V> {
        let (here, next) = (self.home_at(home, now), self.home_at(home, now + 1.0));
        let (behind, angle) = (self.behind(&here), self.angle(&here));
        Lag {
            behind,
            velocity: (self.behind(&next) - behind) * (1.0 / dt),
            angle,
            spin: (self.angle(&next) - angle) / dt,
        }
    }

    /// Whether the foot is falling behind during this call, rather than being caught up by a home
    /// that it has overshot.
    pub(super) fn is_falling_behind(&self, home: &Home<V>, step: &StepSettings) -> bool {
        self.urgency(home, step) >= self.urgency(&self.home, step)
    }

    /// Whether the home has jumped since the last call.
    pub(super) fn is_teleported(&self, home: &Home<V>, step: &StepSettings) -> bool {
        self.home.position.distance(home.position) > step.teleport * step.trigger_distance
    }

    /// How far behind the foot is, relative to what triggers a step.
    pub(super) fn urgency(&self, home: &Home<V>, step: &StepSettings) -> f32 {
        let distance = self.behind(home).length() / step.trigger_distance;
        distance.max(self.angle(home) / step.trigger_angle)
    }

    /// The angle to the home as it would be on the foot's own ground.
    fn angle(&self, home: &Home<V>) -> f32 {
        let aligned = V::Rotation::arc(home.up, self.normal) * home.rotation;
        (self.rotation.inverse() * aligned).angle()
    }

    /// The way to the home, across the body's up: how high the home is above the ground says
    /// nothing about how far the foot is behind.
    fn behind(&self, home: &Home<V>) -> V {
        let (way, up) = (home.position - self.position, unit_or_zero(home.up));
        way - up * way.dot(up)
    }

    /// Starts a step.
    pub(super) fn lift(&mut self, home: &Home<V>, step: &StepSettings, duration: f32) {
        let behind = self.behind(home);
        let length = behind.length();
        let share =
            if length > step.trigger_distance { step.trigger_distance / length } else { 1.0 };
        self.swing = Some(Swing {
            from: self.position,
            rotation: self.rotation,
            overshoot: behind * (step.overshoot.min(MOST_OVERSHOOT) * share),
            phase: 0.0,
            duration,
        });
    }

    /// Seconds until it lands; `None` while it stands.
    pub(super) fn time_left(&self) -> Option<f32> {
        self.swing.map(|swing| (1.0 - swing.phase) * swing.duration)
    }

    /// Lets `time` seconds of its step pass.
    pub(super) fn pass(&mut self, time: f32) {
        if let Some(swing) = &mut self.swing {
            swing.phase = (swing.phase + time / swing.duration).min(1.0);
        }
    }

    /// Ends a step, with the home at `home`.
    pub(super) fn land(&mut self, home: &Home<V>, ground: &impl Fn(V) -> Option<Ground<V>>) {
        let overshoot = self.swing.map_or(V::ZERO, |swing| swing.overshoot);
        self.stand(home, home.position + overshoot, ground);
    }

    /// Puts the foot down at its home, whatever it was doing.
    pub(super) fn plant(&mut self, home: &Home<V>, ground: &impl Fn(V) -> Option<Ground<V>>) {
        self.home = *home;
        self.stand(home, home.position, ground);
    }

    fn stand(&mut self, home: &Home<V>, at: V, ground: &impl Fn(V) -> Option<Ground<V>>) {
        let under = under(ground, at, home.up);
        self.position = under.point;
        self.rotation = aligned(home, under.normal);
        self.normal = under.normal;
        self.swing = None;
    }

    /// Ends a call of `dt` seconds: a foot in the air is put where it is by now.
    pub(super) fn settle(
        &mut self,
        home: &Home<V>,
        step: &StepSettings,
        ground: &impl Fn(V) -> Option<Ground<V>>,
        dt: f32,
    ) {
        if let Some(swing) = self.swing {
            // Aimed at where the home will be, the foot comes down on one spot rather than
            // chasing its home along the ground.
            let left = (1.0 - swing.phase) * swing.duration;
            let ahead = (home.position - self.home.position) * (left / dt);
            let ahead = limited(ahead, 2.0 * step.trigger_distance);
            let goal = under(ground, home.position + ahead + swing.overshoot, home.up);
            let share = step.ease.at_phase(swing.phase).clamp(0.0, 1.0);
            let shape = StepShape {
                up: unit_or_zero(self.normal + goal.normal),
                lift: step.lift,
                flat_start: step.flat_start,
                flat_landing: step.flat_landing,
            };
            let position = lifted(swing.from, goal.point, &shape, share).position;
            let floor = under(ground, position, home.up);
            let depth = (floor.point - position).dot(floor.normal);
            self.position = position + floor.normal * depth.max(0.0);
            self.rotation = swing.rotation.nlerp(aligned(home, goal.normal), share);
        }
        self.home = *home;
    }
}

/// How far a standing foot is behind its home, and how fast it falls behind.
#[derive(Clone, Copy)]
pub(super) struct Lag<V> {
    behind: V,
    velocity: V,
    angle: f32,
    spin: f32,
}

impl<V: Vector> Lag<V> {
    /// How often a second the home passes through what a step makes up for.
    pub(super) fn pace(&self, step: &StepSettings) -> f32 {
        let stride = (1.0 + step.overshoot) * step.trigger_distance;
        (self.velocity.length() / stride).max(self.spin / step.trigger_angle)
    }

    /// Seconds until the foot is due to step; less than none if it has been, infinite if it never
    /// is.
    pub(super) fn until_due(&self, step: &StepSettings) -> f32 {
        let far = self.behind.length() >= step.trigger_distance || self.angle >= step.trigger_angle;
        let due = self.until(1.0, step);
        // A home on its way back to a foot that is far from it comes too late.
        if far { due.min(0.0) } else { due }
    }

    /// Seconds until the foot falls behind by the share `share` of what triggers a step.
    pub(super) fn until(&self, share: f32, step: &StepSettings) -> f32 {
        let distance = self.until_far(share * step.trigger_distance);
        let left = share * step.trigger_angle - self.angle;
        distance.min(if self.spin > 0.0 { left / self.spin } else { f32::INFINITY })
    }

    /// Seconds until the home is `radius` away, and going.
    fn until_far(&self, radius: f32) -> f32 {
        let Some((course, speed)) = direction(self.velocity) else {
            return f32::INFINITY;
        };
        let along = self.behind.dot(course);
        let aside = (self.behind - course * along).length().min(radius);
        (math::sqrt((radius - aside) * (radius + aside)) - along) / speed
    }
}

/// The home's rotation, tilted with the ground.
fn aligned<V: Vector>(home: &Home<V>, normal: V) -> V::Rotation {
    (V::Rotation::arc(home.up, normal) * home.rotation).normalized()
}

/// `v`, no longer than `most`.
fn limited<V: Vector>(v: V, most: f32) -> V {
    match direction(v) {
        Some((unit, length)) if length > most => unit * most,
        Some(_) => v,
        None => V::ZERO,
    }
}
