//! Groups of feet that take turns.

use super::ground::Ground;
use super::settings::StepSettings;
use super::stepper::{Home, Lag, Stepper, fields_of_foot};
use crate::check::{check_dt, check_each, check_length};
use crate::error::Error;
use crate::math;
use crate::space::Vector;

/// How many feet may lift or groups land within one call. More than this many is a step so short
/// or a hitch so long that nobody sees the steps in between: the feet are put down at their
/// homes.
const MAX_EVENTS: u16 = 256;

/// A group may step before it is due, for the rhythm's sake, once a foot of it is behind by this
/// share of what triggers it: so far a body may sway, and its feet stay.
const READY: f32 = 0.5;

/// Groups that would go within this share of a beat go in the order of their numbers: of a body
/// that sets out all feet would, and neither rounding nor the frame rate must choose among them.
const TIE: f32 = 0.5;

/// What counts as the time between the steps of a body that stands, in seconds.
const LONGEST_STANCE: f32 = 1e6;

/// The turns that groups of feet take.
///
/// Which foot is in which group is [`Stepper::group`]; the usual tables are constants here, and
/// any other will do.
///
/// # A frame
/// 1. Move the body: [`BodyMotion`] or the caller's own.
/// 2. Place every foot's [`Home`] under it, where the foot would like to stand.
/// 3. Let the feet follow: [`Gait::advance`].
/// 4. Carry the body at the height and tilt that the feet give it: [`feet_plane`].
///
/// What happens within a frame, a foot that lifts or lands between two frames, happens at its own
/// time: homes are taken to move steadily from one call to the next, so that the same walk comes
/// out at any frame rate.
///
/// # Turns
/// A foot is due to step when its home has moved away from it by
/// [`StepSettings::trigger_distance`] or turned by [`StepSettings::trigger_angle`]. No group lifts
/// a foot while another has one in the air. Groups that would go within half a beat of one another
/// go in the order of their numbers, beginning after the one that went last.
///
/// Groups find an even rhythm: at a steady speed every foot lifts equally far behind its home, is
/// in the air for the same time, and the groups follow one another at equal times, all to within a
/// tenth after three steps of every foot (six, with six groups), whatever the stance that the walk
/// began in. To that end a group may step before it is due, once a foot of it is half as far behind
/// as triggers it, if it would otherwise be due again too soon after the others; most of all when a
/// body sets out that had its feet side by side. A body that sways by less than that half does not
/// step, and one that has stopped takes no step for the rhythm. Where the body outruns its feet,
/// they step faster ([`StepSettings::hurry`]).
///
/// Source: the trigger is that of Pierce-Dunham (2019), "Bonehead: Procedural Animation in Unity";
/// the rhythm is this crate's: how far a foot is behind is its phase, and the first of a round
/// steps as early as puts it a beat after the last of it.
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
///
/// [`BodyMotion`]: crate::BodyMotion
/// [`feet_plane`]: crate::feet_plane
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Gait {
    /// When and how every foot steps.
    pub step: StepSettings,
    /// The group that goes first when several want to.
    pub turn: u8,
}

/// What happened during a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
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
    /// What `ground` answers is not refused, for feet are on their way by then: a point that is not
    /// finite or is too large counts as `None`, and a normal that is not finite as one without
    /// length.
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
        Ok(self.follow(feet, homes, &ground, dt))
    }

    /// [`Gait::advance`] for arguments that are known to be good.
    fn follow<V: Vector>(
        &mut self,
        feet: &mut [Stepper<V>],
        homes: &[Home<V>],
        ground: &impl Fn(V) -> Option<Ground<V>>,
        dt: f32,
    ) -> GaitReport {
        let mut report = GaitReport::default();
        if dt > 0.0 {
            for (foot, home) in feet.iter_mut().zip(homes) {
                if foot.is_teleported(home, &self.step) {
                    foot.plant(home, ground);
                    report.teleported += 1;
                }
            }
            self.walk(feet, homes, ground, (dt, &mut report));
            for (foot, home) in feet.iter_mut().zip(homes) {
                foot.settle(home, &self.step, ground, dt);
            }
        }
        report.in_air = feet.iter().filter(|foot| foot.phase().is_some()).count();
        report
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
                report.lifted += self.lift(feet, homes, start);
                now = start.share * dt;
            }
        }
        for (foot, home) in feet.iter_mut().zip(homes) {
            foot.plant(home, ground);
        }
        report.teleported = feet.len();
    }

    /// Which foot is the next to lift, and when, in a call of `dt` seconds of which the share
    /// `now` has passed; all feet stand.
    fn next_start<V: Vector>(
        &self,
        feet: &[Stepper<V>],
        homes: &[Home<V>],
        (now, dt): (f32, f32),
    ) -> Option<Start> {
        let step = &self.step;
        let lags = || feet.iter().zip(homes).map(|(foot, home)| foot.lag(home, (now, dt)));
        let round = Round::new(feet, lags(), step)?;
        let begin = round.first - round.haste(step);
        // No foot lifts before: in most frames none is looked at again.
        if now + begin.max(0.0) / dt > 1.0 {
            return None;
        }
        let start = |(leader, lag): (usize, Lag<V>)| {
            let due = lag.until_due(step);
            let wait = begin.max(lag.until(READY, step)).min(due).max(0.0);
            due.is_finite().then_some((leader, wait))
        };
        let starts = || lags().enumerate().filter_map(start);
        let first = starts().map(|(_, wait)| wait).fold(f32::INFINITY, f32::min);
        if now + first / dt > 1.0 {
            return None;
        }
        let tie = first + TIE * round.beat();
        let turn = |(leader, _): &(usize, f32)| {
            feet.get(*leader).map(|foot| foot.group.wrapping_sub(self.turn))
        };
        let (leader, wait) = starts().filter(|(_, wait)| *wait <= tie).min_by_key(turn)?;
        let share = now + wait / dt;
        (share <= 1.0).then(|| Start { share, leader, hurry: round.hurry(wait, step) })
    }

    /// Lifts the feet of a group that are behind; how many.
    fn lift<V: Vector>(
        &mut self,
        feet: &mut [Stepper<V>],
        homes: &[Home<V>],
        start: Start,
    ) -> usize {
        let step = self.step;
        let urgency = |foot: &Stepper<V>, home: &Home<V>| {
            foot.urgency(&foot.home_at(home, start.share), &step)
        };
        let Some((leader, home)) = feet.get(start.leader).zip(homes.get(start.leader)) else {
            return 0;
        };
        let (group, behind) = (leader.group, urgency(leader, home));
        let together = step.together * behind.min(1.0);
        let pairs = feet.iter().zip(homes).filter(|(foot, _)| foot.group == group);
        let hurry = pairs.map(|(f, h)| urgency(f, h)).fold(start.hurry, f32::max);
        let duration = step.duration / hurry.min(step.hurry);
        let mut lifted = 0;
        for (i, (foot, home)) in feet.iter_mut().zip(homes).enumerate() {
            let behind = urgency(foot, home);
            let joins = behind >= together && foot.is_falling_behind(home, &step);
            if i == start.leader || foot.group == group && (behind >= 1.0 || joins) {
                foot.lift(&foot.home_at(home, start.share), &step, duration);
                lifted += 1;
            }
        }
        self.turn = group.wrapping_add(1);
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
    ///     let ground = |p| Some(floor.nearest(p));
    ///     let _ = foot.advance(&home, &StepSettings::default(), ground, 1.0 / 60.0)?;
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
        step.check()?;
        self.check(fields_of_foot!(""))?;
        home.check(["home.position", "home.rotation", "home.up"])?;
        check_dt("dt", dt)?;
        let mut gait = Gait { step: *step, turn: self.group };
        let feet = core::slice::from_mut(self);
        Ok(gait.follow(feet, core::slice::from_ref(home), &ground, dt))
    }
}

/// The next foot to lift.
#[derive(Clone, Copy)]
struct Start {
    /// When, as a share of the call.
    share: f32,
    /// Which foot; others of its group may go with it.
    leader: usize,
    /// How much faster than at leisure it is to step, before it is known how far behind it is.
    hurry: f32,
}

/// The groups that are due before the first of them is due again, at the pace of the fastest foot.
struct Round {
    groups: f32,
    /// Seconds that a foot stands between two steps.
    stance: f32,
    /// How much faster than at leisure each group must step to leave the others their time.
    crowding: f32,
    /// Seconds until the first group is due, and until the last is.
    first: f32,
    last: f32,
    /// Seconds from one step of a foot to its next.
    period: f32,
}

impl Round {
    /// `None` if no group is ever due.
    fn new<V: Vector>(
        feet: &[Stepper<V>],
        lags: impl Iterator<Item = Lag<V>>,
        step: &StepSettings,
    ) -> Option<Self> {
        let mut due = [f32::INFINITY; 256];
        let (mut numbers, mut first, mut pace) = (0, f32::INFINITY, 0.0_f32);
        for (foot, lag) in feet.iter().zip(lags) {
            let (group, own) = (usize::from(foot.group), lag.until_due(step));
            if let Some(due) = due.get_mut(group) {
                *due = due.min(own);
            }
            numbers = numbers.max(group + 1);
            first = first.min(own);
            pace = pace.max(lag.pace(step));
        }
        let stance = math::clamp(1.0 / pace, f32::MIN_POSITIVE, LONGEST_STANCE);
        let again = first + stance + step.duration;
        let due = due.iter().copied().take(numbers);
        let within = due.filter(|due| due.is_finite() && *due <= again);
        let groups = within.clone().count() as f32;
        let crowding = math::clamp((groups - 1.0) * step.duration / stance, 1.0, step.hurry);
        let last = within.fold(first, f32::max);
        let period = stance + step.duration / crowding;
        first.is_finite().then_some(Self { groups, stance, crowding, first, last, period })
    }

    /// Seconds between the steps of two groups, when they are evenly spread.
    fn beat(&self) -> f32 {
        self.period / self.groups
    }

    /// How much earlier than it is due the first group has to go so that the next time it is due a
    /// beat after the last. A foot that lifts earlier by some time lands less far beyond its home,
    /// too, and is due again as much earlier once more, times the overshoot.
    fn haste(&self, step: &StepSettings) -> f32 {
        let spread = self.last - self.first;
        (self.period - self.beat() - spread).max(0.0) / (1.0 + step.overshoot)
    }

    /// How much faster than at leisure a group has to step that lifts after `wait` seconds.
    ///
    /// With every group faster by h the last has its turn after (n - 1) / h steps; it is then
    /// behind by u times what triggers it, where u grows steadily and is 1 when it is due. The h
    /// that equals this u spreads the haste over all, from the first on. (Where u is too far off to
    /// be a number there is nothing to share, and `max` passes over it.)
    fn hurry(&self, wait: f32, step: &StepSettings) -> f32 {
        let growth = (1.0 + step.overshoot) / self.stance;
        let behind = 1.0 - growth * (self.last - wait);
        let grown = growth * (self.groups - 1.0) * step.duration;
        let shared = 0.5 * (behind + math::sqrt(behind * behind + 4.0 * grown));
        self.crowding.max(shared)
    }
}

fn check_feet<V: Vector>(feet: &[Stepper<V>], homes: &[Home<V>]) -> Result<(), Error> {
    check_length("homes", homes.len(), feet.len())?;
    check_each(feet.iter().zip(homes), |(foot, home)| {
        foot.check(fields_of_foot!("feet."))?;
        home.check(["homes.position", "homes.rotation", "homes.up"])
    })
}
