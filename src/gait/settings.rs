//! What a caller says of steps: when a foot lifts, how long it swings and how high.

use crate::check::{MAX_COORDINATE, check_range};
use crate::curve::Ease;
use crate::error::Error;

/// When and how feet step.
///
/// The defaults suit a walking person, in metres: a trigger distance of 0.35 m, a trigger angle of
/// 0.7 rad (40°), 0.3 s in the air, 0.8 of what a foot was behind as overshoot, a lift of 0.12 m
/// by `SineInOut` at an angle to the ground, up to 4 times as fast in a hurry, feet of a group
/// together from 0.3 of the trigger on, and a teleport at 10 trigger distances.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct StepSettings {
    /// How far the home may move away, across its up, before the foot follows; above 0. For the
    /// sake of an even rhythm ([`Gait`](crate::Gait)) it may follow from half of this on, and from
    /// half of the angle.
    pub trigger_distance: f32,
    /// How far the home may turn before the foot follows, in radians; above 0. π or more never
    /// triggers.
    pub trigger_angle: f32,
    /// Time in the air, in seconds; above 0.
    pub duration: f32,
    /// How far beyond its home the foot lands, as a share of the distance that it was behind (at
    /// most of `trigger_distance`); 0 to 1. With 1 the foot stands as long before its home as
    /// behind it, less a hundredth.
    pub overshoot: f32,
    /// Height of the step above the line from take-off to landing; 0 or more.
    pub lift: f32,
    /// How the way spreads over the time in the air. Easings that leave `[0, 1]` are cut off
    /// there.
    pub ease: Ease,
    /// Whether the foot leaves along the ground rather than at an angle.
    pub flat_start: bool,
    /// Whether the foot arrives along the ground rather than at an angle.
    pub flat_landing: bool,
    /// Catching up: where the body outruns the feet, they step faster by up to this factor; 1
    /// (never hurries) or more. At a steady speed the factor is what it takes for every group to
    /// have its turn before it is `trigger_distance` behind. A foot that is n times as far behind
    /// steps n times as fast, and so do those before it for whose sake it waits: the haste is
    /// shared.
    pub hurry: f32,
    /// When one foot of a group steps, the others step with it if they are behind by at least
    /// this share of what would trigger them, or, if the first steps early, of what that is behind;
    /// 0 to 1.
    pub together: f32,
    /// A home that moves this many trigger distances between two calls has been teleported: the
    /// foot is put down on it at once; above 1.
    pub teleport: f32,
}

impl Default for StepSettings {
    fn default() -> Self {
        Self {
            trigger_distance: 0.35,
            trigger_angle: 0.7,
            duration: 0.3,
            overshoot: 0.8,
            lift: 0.12,
            ease: Ease::SineInOut,
            flat_start: false,
            flat_landing: false,
            hurry: 4.0,
            together: 0.3,
            teleport: 10.0,
        }
    }
}

impl StepSettings {
    pub(super) fn check(&self) -> Result<(), Error> {
        const LEAST: f32 = f32::MIN_POSITIVE;
        check_range("step.trigger_distance", self.trigger_distance, LEAST, MAX_COORDINATE)?;
        check_range("step.trigger_angle", self.trigger_angle, LEAST, f32::INFINITY)?;
        check_range("step.duration", self.duration, LEAST, 1e6)?;
        check_range("step.overshoot", self.overshoot, 0.0, 1.0)?;
        check_range("step.lift", self.lift, 0.0, MAX_COORDINATE)?;
        check_range("step.hurry", self.hurry, 1.0, 1e6)?;
        check_range("step.together", self.together, 0.0, 1.0)?;
        check_range("step.teleport", self.teleport, 1.0, f32::INFINITY)
    }
}
