//! Cyclic coordinate descent: joint after joint turns so that the effector comes as near to the
//! target as that joint alone can bring it.
//!
//! Wang and Chen (1991), "A combined optimization method for solving the inverse kinematics
//! problems of mechanical manipulators".

use super::limb::{Goal, Limb, solve};
use super::sweep::Tip;
use super::{Solution, Status};
use crate::check::check_range;
use crate::error::Error;
use crate::joint::Effort;
use crate::space::Vector;

/// In which order a sweep visits the joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// From the last joint to the root: curls the tip first, as fingers and tails do.
    #[default]
    TipFirst,
    /// From the root to the last joint: swings the whole limb first, as shoulders do.
    RootFirst,
}

/// How [`ccd_solve`] goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct CcdSettings {
    /// The most sweeps over the chain, with the pairs of joints that are turned after them. 0 only
    /// brings the pose inside its limits.
    pub max_iterations: usize,
    /// How near to the target is near enough, as a share of the chain's longest reach; at least 0.
    pub tolerance: f32,
    /// In which order a sweep visits the joints.
    pub order: Order,
    /// The largest turn of one joint in one sweep, in radians; above 0. Not a joint limit: many
    /// sweeps turn further, and so may a pair of joints turned after a sweep that gained nothing.
    pub max_turn: f32,
    /// The share of each turn that is left out, in `[0, 1)`: spreads the motion over more joints,
    /// for more sweeps.
    pub damping: f32,
}

impl Default for CcdSettings {
    /// 32 iterations, to a thousandth of the reach, tip first, turns of up to π radians (180°), no
    /// damping.
    fn default() -> Self {
        Self {
            max_iterations: 32,
            tolerance: 1e-3,
            order: Order::TipFirst,
            max_turn: core::f32::consts::PI,
            damping: 0.0,
        }
    }
}

impl CcdSettings {
    /// How much of each wanted turn is made.
    pub(crate) fn effort(&self) -> Effort {
        Effort { share: 1.0 - self.damping, max_turn: self.max_turn }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check_range("settings.tolerance", self.tolerance, 0.0, f32::MAX)?;
        check_range("settings.max_turn", self.max_turn, f32::MIN_POSITIVE, f32::MAX)?;
        check_range("settings.damping", self.damping, 0.0, 1.0 - f32::EPSILON)
    }
}

/// A sweep that closes less than this share of the gap it leaves has met a dead point, a limit, or
/// the slow tail of the descent: two joints turned together may still do better.
pub(crate) const SLOW_GAIN: f32 = 0.02;

/// So many sweeps shape a chain: they spread over all joints what a pair puts into two. From there
/// a knee and its hip close the gap of all but long chains or tight limits, and are tried after
/// every sweep.
pub(crate) const SHAPING: usize = 3;

/// Beyond this share of the reach a descent from a bent pose crawls (a thousand sweeps at 0.99),
/// and the straight pose is near: a free chain starts from that, and buckles.
pub(crate) const TAUT: f32 = 0.9;

/// After a pair of joints was tried in vain, the gap closes to this share of itself before the next
/// try, so that a slow descent does not pay for one each sweep; a stuck one tries once more.
pub(crate) const RETRY: f32 = 0.9;

/// Turns a chain's joints, in place, until its effector is at `target`.
///
/// `positions` and `rotations` are the joints' world poses, root first, effector last; `joints` is
/// empty (all free) or has one entry for each joint but the effector. The root stays, the bones
/// keep their lengths, the effector's rotation keeps its relation to the last bone. A pose outside
/// its limits is first brought inside; from there no sweep ends further from the target than it
/// began.
///
/// A hinge makes the exact best turn within its range. A ball joint turns by the shortest arc,
/// is clamped, and turns less where that would lead away. When a sweep gains little, because the
/// chain lies straight on the line to the target or because limits hold it, two joints are turned
/// together instead, where that helps; this counts as an iteration of its own, unless the sweep
/// gained nothing at all. A chain is shaped by three sweeps; after that a pair is turned after
/// every sweep that leaves a gap: one joint bends by at most a quarter of a turn, and another aims,
/// or, where both are hinges, all joints before the first; where that gains nothing it is bent over
/// to the other side. In free chains of up to some forty bones that nearly always reaches the
/// target, and longer ones come nearer by up to two bones' lengths. So it does with a finger or a
/// leg of two to four hinges about one axis, behind one that spreads it too, and always with two
/// joints that have ranges in the plane.
///
/// A free chain whose target is at nine tenths of its reach or beyond is drawn taut first, but for
/// a trace of its bends: it goes on to bend to the sides to which it was bent.
///
/// Of a hundred targets that straight chains of cones or ellipses (0.3 to 1.4 rad) can reach within
/// their limits, so many or more are reached:
///
/// | ball joints | in 10 iterations | in 32, the default |
/// |---|--:|--:|
/// | 2, ellipses | 84 | 92 |
/// | 3 to 8 | 95 | 97 |
/// | 20 | 70 | 93 |
/// | 40 | 40 | 80 |
///
/// A chain that follows a moving target, fed back frame by frame, takes four or five iterations a
/// frame, of which the pair is the last: with fewer than five it never gets to that, lags behind
/// its target by a few per cent of the reach in most frames, and jumps when it catches up. A finger
/// of four and more hinges that bend one way may curl up after a target that circles near, and stay
/// at its limits, where [`least_squares_solve`](crate::least_squares_solve) without restarts
/// follows.
///
/// A target out of reach ends with the chain pointed at it.
///
/// Degenerate: zero-length bones are points that stay; joints on the effector or on the target do
/// not turn; a free joint whose effector is opposite the target turns about
/// [`perpendicular`](crate::perpendicular) of the arm, in its own frame.
///
/// Accuracy: bones keep their lengths to 1e-5 and rotations their limits to 1e-5 rad, however often
/// the result is fed back. Cost: linear in the joints for each sweep.
///
/// Source: Wang and Chen (1991), "A combined optimization method for solving the inverse kinematics
/// problems of mechanical manipulators".
///
/// # Errors
/// Fewer than two joints; slices of different lengths; a number that is not finite; a coordinate
/// beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE); a rotation not of unit length; a joint or a
/// setting outside its documented range. The slices are then as they were.
///
/// ```
/// use sinew::{CcdSettings, Joint2, Rot2, Status, ccd_solve, glam::Vec2};
///
/// let mut positions = [Vec2::ZERO, Vec2::Y, Vec2::Y * 2.0];
/// let mut rotations = [Rot2::IDENTITY; 3];
/// let joints = [Joint2::free(), Joint2::range(0.0, 2.5)];
/// let target = Vec2::new(1.0, 0.5);
/// let settings = CcdSettings::default();
/// let solution = ccd_solve(&mut positions, &mut rotations, &joints, target, &settings)?;
/// assert_eq!(solution.status, Status::Reached);
/// assert!(positions[2].distance(target) < 2e-3);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn ccd_solve<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    target: V,
    settings: &CcdSettings,
) -> Result<Solution, Error> {
    settings.check()?;
    solve(positions, rotations, joints, Goal::at(target, settings.tolerance), |limb, effector| {
        run(limb, effector, settings)
    })
}

/// The descent of a limb that is inside its limits, and whose effector is there.
pub(crate) fn run<V: Vector>(
    limb: &mut Limb<'_, V>,
    mut effector: V,
    settings: &CcdSettings,
) -> (Status, usize) {
    let mut iterations = 0;
    let gap = effector.distance(limb.target);
    if settings.effort().is_full() && settings.max_iterations > 0 && limb.draw_taut(TAUT, gap) {
        (iterations, effector) = (1, limb.effector());
        if limb.target.length() >= limb.reach.longest {
            return (Status::Stalled, iterations);
        }
    }
    let from = Descent { iterations, tip: limb.tip(effector), try_pair_below: f32::INFINITY };
    limb.relative(|limb| descend(limb, settings, from))
}

/// How far a descent has come.
#[derive(Clone, Copy)]
pub(crate) struct Descent<V: Vector> {
    pub(crate) iterations: usize,
    pub(crate) tip: Tip<V>,
    /// A pair of joints is tried only below this gap: above it one has been tried in vain.
    pub(crate) try_pair_below: f32,
}

/// The rest of a descent.
pub(crate) fn descend<V: Vector>(
    limb: &mut Limb<'_, V>,
    settings: &CcdSettings,
    from: Descent<V>,
) -> (Status, usize) {
    let effort = settings.effort();
    let Descent { mut iterations, mut tip, mut try_pair_below } = from;
    let mut gap = limb.gap_of(tip);
    while gap > limb.tolerance {
        if iterations == settings.max_iterations {
            return (Status::IterationLimit, iterations);
        }
        iterations += 1;
        tip = match settings.order {
            Order::TipFirst => limb.sweep_from_tip(tip, effort),
            Order::RootFirst => limb.sweep_from_root(tip, effort),
        };
        let closed = limb.gap_of(tip);
        let gain = gap - closed;
        gap = closed;
        let is_stuck = gain < limb.least_gain(gap);
        let is_slow = gain < SLOW_GAIN * gap;
        let is_shaped = effort.is_full() && iterations > SHAPING;
        if !(is_slow || is_shaped) || (iterations == settings.max_iterations && !is_stuck) {
            continue;
        }
        let is_due = is_stuck || gap < try_pair_below;
        let turned = match (is_due, is_slow) {
            (false, _) => None,
            (true, false) => limb.turn_knee(tip),
            (true, true) => limb.turn_pair(tip, effort),
        };
        if let Some(left) = turned {
            // In place of a sweep that has come to nothing, else one more.
            iterations += usize::from(!is_stuck);
            (tip, gap) = (left, limb.gap_of(left));
        } else if is_stuck {
            return (Status::Stalled, iterations);
        } else if is_due {
            try_pair_below = RETRY * gap;
        }
    }
    (Status::Reached, iterations)
}
