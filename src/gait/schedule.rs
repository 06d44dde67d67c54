//! Groups of feet that take turns.

use super::ground::Ground;
use super::settings::StepSettings;
use super::stepper::{Home, Stepper};
use crate::check::{check_dt, check_each, check_length};
use crate::error::Error;
use crate::space::Vector;

/// How many feet may lift or groups land within one call. More than this many is a step so short
/// or a hitch so long that nobody sees the steps in between: the feet are put down at their
/// homes.
const MAX_EVENTS: u16 = 256;

/// Halvings of the time at which a foot begins to step; after these a frame of a second is
/// known to a millionth of a second.
const HALVINGS: u8 = 20;

/// Feet that want to step within this share of a step's duration want to at the same time: of a
/// body that turns on the spot all feet do, and rounding must not choose among them.
const TIE: f32 = 0.01;

/// The turns that groups of feet take.
///
/// A foot steps when its home has moved away from it by [`StepSettings::trigger_distance`] or
/// turned by [`StepSettings::trigger_angle`]. No group lifts a foot while another has one in the
/// air; when several want to, they go in the order of their numbers, beginning after the one that
/// went last. Where the body outruns its feet, they step faster ([`StepSettings::hurry`]).
///
/// Which foot is in which group is [`Stepper::group`]; the usual tables are constants here, and
/// any other will do.
///
/// ```
/// use sinew::{Gait, Ground, Home, Stepper, glam::{Quat, Vec3}};
///
/// # fn main() -> Result<(), sinew::Error> {
/// let floor = Ground { point: Vec3::ZERO, normal: Vec3::Y };
/// let homes = |x: f32| {
///     [(0.5, 0.3), (0.5, -0.3), (-0.5, 0.3), (-0.5, -0.3)].map(|(ahead, side)| Home {
///         position: Vec3::new(x + ahead, 0.0, side),
///         rotation: Quat::IDENTITY,
///         up: Vec3::Y,
///     })
/// };
/// let mut feet = homes(0.0).map(Stepper::planted);
/// for (foot, group) in feet.iter_mut().zip(Gait::DIAGONAL) {
///     foot.group = group;
/// }
/// let mut gait = Gait::default();
/// let mut steps = 0;
/// for frame in 1_u8..=120 {
///     let homes = homes(f32::from(frame) / 120.0);
///     let report = gait.advance(&mut feet, &homes, |p| Some(floor.nearest(p)), 1.0 / 60.0)?;
///     steps += report.lifted;
/// }
/// assert!(steps >= 4);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gait {
    /// When and how every foot steps.
    pub step: StepSettings,
    /// The group that goes first when several want to.
    pub turn: u8,
}

/// What happened during a call.
#[must_use]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GaitReport {
    /// Feet that left the ground.
    pub lifted: usize,
    /// Feet that came down.
    pub landed: usize,
    /// Feet that were put down at their homes at once, after a teleport.
    pub teleported: usize,
    /// Feet that are in the air now.
    pub in_air: usize,
}

impl Gait {
    /// Groups of two feet that alternate: left, right.
    pub const ALTERNATE: [u8; 2] = [0, 1];

    /// Groups of four feet in diagonal pairs: front left, front right, hind left, hind right.
    pub const DIAGONAL: [u8; 4] = [0, 1, 1, 0];

    /// Groups of six feet in two tripods: front, middle and hind, left before right.
    pub const TRIPOD: [u8; 6] = [0, 1, 1, 0, 0, 1];

    /// Moves `feet` by `dt` seconds, towards homes that are now at `homes`.
    ///
    /// `homes` has one entry for each foot, in the same space; between two calls they are taken to
    /// move steadily. `ground` gives the ground at a position, `None` where there is none: there a
    /// foot stands on its home. It is asked up to twice for each foot in the air and once for
    /// each landing.
    ///
    /// A foot that stands has, bit for bit, the position it landed at. Feet land on what `ground`
    /// answers. `dt` = 0 changes nothing; a hitch is walked through at its own times, and a home
    /// that jumps takes its foot along ([`StepSettings::teleport`]).
    ///
    /// # Errors
    /// The slices differ in length; a position, rotation or normal is not finite, too large or
    /// not of unit length; a setting is outside its range; `dt` negative, not finite or above
    /// 1e6. Nothing has moved then.
    pub fn advance<V: Vector>(
        &mut self,
        feet: &mut [Stepper<V>],
        homes: &[Home<V>],
        ground: impl Fn(V) -> Option<Ground<V>>,
        dt: f32,
    ) -> Result<GaitReport, Error> {
        self.step.check()?;
        check_feet(feet, homes)?;
        check_dt("dt", dt)?;
        let mut report = GaitReport::default();
        if dt > 0.0 {
            for (foot, home) in feet.iter_mut().zip(homes) {
                if foot.is_teleported(home, &self.step) {
                    foot.plant(home, &ground);
                    report.teleported += 1;
                }
            }
            self.walk(feet, homes, &ground, (dt, &mut report));
            for (foot, home) in feet.iter_mut().zip(homes) {
                foot.settle(home, &self.step, &ground, dt);
            }
        }
        report.in_air = feet.iter().filter(|foot| foot.phase().is_some()).count();
        Ok(report)
    }

    /// Puts every foot down at its home at once: to begin with, or after a teleport.
    ///
    /// # Errors
    /// As for [`Gait::advance`].
    pub fn plant<V: Vector>(
        &self,
        feet: &mut [Stepper<V>],
        homes: &[Home<V>],
        ground: impl Fn(V) -> Option<Ground<V>>,
    ) -> Result<(), Error> {
        check_feet(feet, homes)?;
        for (foot, home) in feet.iter_mut().zip(homes) {
            foot.plant(home, &ground);
        }
        Ok(())
    }

    /// Lets feet lift and land, each at its time within `dt`.
    fn walk<V: Vector>(
        &mut self,
        feet: &mut [Stepper<V>],
        homes: &[Home<V>],
        ground: &impl Fn(V) -> Option<Ground<V>>,
        (dt, report): (f32, &mut GaitReport),
    ) {
        let mut now = 0.0;
        for _ in 0..MAX_EVENTS {
            let first = feet.iter().filter_map(Stepper::time_left).fold(f32::INFINITY, f32::min);
            if first.is_finite() {
                let time = first.min(dt - now);
                for (foot, home) in feet.iter_mut().zip(homes) {
                    let lands = foot.time_left().is_some_and(|left| left <= time);
                    foot.pass(time);
                    if lands {
                        let home = foot.home_at(home, (now + time) / dt);
                        foot.land(&home, ground);
                        report.landed += 1;
                    }
                }
                now += time;
                if now >= dt {
                    return;
                }
            } else {
                let Some(start) = self.next_start(feet, homes, (now / dt, dt)) else {
                    return;
                };
                report.lifted += self.lift(feet, homes, (start, dt));
                now = start.share * dt;
            }
        }
        for (foot, home) in feet.iter_mut().zip(homes) {
            foot.plant(home, ground);
        }
        report.teleported = feet.len();
    }

    /// Which group is the next to lift, and when, as a share of the call of `dt` seconds; all
    /// feet stand.
    fn next_start<V: Vector>(
        &self,
        feet: &[Stepper<V>],
        homes: &[Home<V>],
        (now, dt): (f32, f32),
    ) -> Option<Start> {
        let start = |(foot, home): (&Stepper<V>, &Home<V>)| {
            let behind = |share| foot.urgency(&foot.home_at(home, share), &self.step) >= 1.0;
            let share = if behind(now) {
                Some(now)
            } else if behind(1.0) {
                Some(crossing(behind, now))
            } else {
                None
            };
            share.map(|share| Start { share, group: foot.group })
        };
        let starts = || feet.iter().zip(homes).filter_map(start);
        let first = starts().map(|start| start.share).fold(f32::INFINITY, f32::min);
        let tie = first + TIE * self.step.duration / dt;
        let wait = |start: &Start| start.group.wrapping_sub(self.turn);
        starts().filter(|start| start.share <= tie).min_by_key(wait)
    }

    /// Lifts the feet of a group that are behind; how many.
    fn lift<V: Vector>(
        &mut self,
        feet: &mut [Stepper<V>],
        homes: &[Home<V>],
        (start, dt): (Start, f32),
    ) -> usize {
        let step = self.step;
        let urgency = |foot: &Stepper<V>, home: &Home<V>| {
            foot.urgency(&foot.home_at(home, start.share), &step)
        };
        let group = |foot: &Stepper<V>| foot.group == start.group;
        let pairs = || feet.iter().zip(homes);
        let most = pairs().filter(|(foot, _)| group(foot)).map(|(f, h)| urgency(f, h));
        // While this group steps, and the others after it, it must not fall too far behind.
        let pace = pairs().map(|(foot, home)| foot.pace(home, &step, dt)).fold(0.0, f32::max);
        let others = f32::from(groups(feet).saturating_sub(1));
        let hurry = most.fold(pace * step.duration * others, f32::max).max(1.0);
        let duration = step.duration / hurry.min(step.hurry);
        let mut lifted = 0;
        for (foot, home) in feet.iter_mut().zip(homes) {
            let behind = urgency(foot, home);
            let joins = behind >= step.together && foot.is_falling_behind(home, &step);
            if group(foot) && (behind >= 1.0 || joins) {
                foot.lift(&foot.home_at(home, start.share), &step, duration);
                lifted += 1;
            }
        }
        self.turn = start.group.wrapping_add(1);
        lifted
    }
}

impl<V: Vector> Stepper<V> {
    /// Moves one foot by `dt` seconds, towards a home that is now at `home`: [`Gait::advance`]
    /// for a foot that waits for no other.
    ///
    /// # Errors
    /// As for [`Gait::advance`].
    ///
    /// ```
    /// use sinew::{Ground, Home, Rot2, StepSettings, Stepper, glam::Vec2};
    ///
    /// # fn main() -> Result<(), sinew::Error> {
    /// let floor = Ground { point: Vec2::ZERO, normal: Vec2::Y };
    /// let home = |x| Home { position: Vec2::new(x, 0.0), rotation: Rot2::IDENTITY, up: Vec2::Y };
    /// let mut foot = Stepper::planted(home(0.0));
    /// for frame in 1_u8..=60 {
    ///     let home = home(f32::from(frame) / 60.0);
    ///     let _ = foot.advance(&home, &StepSettings::default(), |p| Some(floor.nearest(p)), 1.0 / 60.0)?;
    /// }
    /// assert!((foot.position.x - 1.0).abs() < 0.7);
    /// # Ok(())
    /// # }
    /// ```
    pub fn advance(
        &mut self,
        home: &Home<V>,
        step: &StepSettings,
        ground: impl Fn(V) -> Option<Ground<V>>,
        dt: f32,
    ) -> Result<GaitReport, Error> {
        let mut gait = Gait { step: *step, turn: self.group };
        let feet = core::slice::from_mut(self);
        gait.advance(feet, core::slice::from_ref(home), ground, dt)
    }
}

/// When a group lifts.
#[derive(Clone, Copy)]
struct Start {
    share: f32,
    group: u8,
}

/// The first share after `low` from which `behind` holds, if it holds at 1.
fn crossing(behind: impl Fn(f32) -> bool, low: f32) -> f32 {
    let (mut low, mut high) = (low, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if behind(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// How many groups there are.
fn groups<V: Vector>(feet: &[Stepper<V>]) -> u16 {
    let mut seen = [false; 256];
    for foot in feet {
        if let Some(seen) = seen.get_mut(usize::from(foot.group)) {
            *seen = true;
        }
    }
    seen.iter().map(|seen| u16::from(*seen)).sum()
}

fn check_feet<V: Vector>(feet: &[Stepper<V>], homes: &[Home<V>]) -> Result<(), Error> {
    check_length("homes", homes.len(), feet.len())?;
    check_each(feet.iter().zip(homes), |(foot, home)| {
        foot.check()?;
        home.check(["homes.position", "homes.rotation", "homes.up"])
    })
}
