//! Cyclic coordinate descent: joint after joint turns so that the effector comes as near to the
//! target as that joint alone can bring it.
//!
//! Wang and Chen (1991), "A combined optimization method for solving the inverse kinematics
//! problems of mechanical manipulators".

use core::mem::take;

use super::limb::{Goal, Limb, solve};
use super::{Solution, Status};
use crate::error::{Error, check_range};
use crate::joint::{Arm, Effort, Frame};
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

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
    /// The most sweeps over the chain. 0 only brings the pose inside its limits.
    pub max_iterations: usize,
    /// How near to the target is near enough, as a share of the chain's longest reach; at least 0.
    pub tolerance: f32,
    /// In which order a sweep visits the joints.
    pub order: Order,
    /// The largest turn of one joint in one sweep, in radians; above 0. Not a joint limit: many
    /// sweeps turn further.
    pub max_turn: f32,
    /// The share of each turn that is left out, in `[0, 1)`: spreads the motion over more joints,
    /// for more sweeps.
    pub damping: f32,
}

impl Default for CcdSettings {
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
    fn check(&self) -> Result<(), Error> {
        check_range("settings.tolerance", self.tolerance, 0.0, f32::MAX)?;
        check_range("settings.max_turn", self.max_turn, f32::MIN_POSITIVE, f32::MAX)?;
        check_range("settings.damping", self.damping, 0.0, 1.0 - f32::EPSILON)
    }
}

/// A sweep that closes less than this share of the gap has met a dead point, a limit, or the slow
/// tail of the descent: two joints turned together may still do better.
const SLOW: f32 = 0.02;

/// How far a joint is bent to leave a dead point, in radians: a little, which always helps a
/// straight chain, and a lot, which carries a limb past a limit to its other configuration.
const BENDS: [f32; 4] = [0.2, -0.2, 0.8, -0.8];

/// About how many joints of a long chain are bent in search of a pair.
const PAIRS: usize = 24;

/// After a pair of joints was tried in vain, the gap closes to this share of itself before the next
/// try, so that a slow descent does not pay for one each sweep.
const RETRY: f32 = 0.9;

/// Once a sweep closes less than this share of the gap nothing more will come of it.
const STALLED: f32 = 1e-5;

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
/// together instead, where that helps; this counts as an iteration of its own.
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
/// let solution = ccd_solve(&mut positions, &mut rotations, &joints, target, &CcdSettings::default())?;
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
    let effort = Effort { share: 1.0 - settings.damping, max_turn: settings.max_turn };
    solve(positions, rotations, joints, Goal::at(target, settings.tolerance), |limb| {
        if effort.is_full() && settings.max_iterations > 0 && limb.reach_out() {
            return (Status::Stalled, 1);
        }
        descend(limb, settings, effort)
    })
}

fn descend<V: Vector>(
    limb: &mut Limb<'_, V>,
    settings: &CcdSettings,
    effort: Effort,
) -> (Status, usize) {
    let mut effector = limb.effector();
    let mut gap = effector.distance(limb.target);
    // Above this gap a pair of joints has been tried in vain.
    let mut try_pair_below = f32::INFINITY;
    let mut iterations = 0;
    while gap > limb.tolerance {
        if iterations == settings.max_iterations {
            return (Status::IterationLimit, iterations);
        }
        iterations += 1;
        effector = match settings.order {
            Order::TipFirst => limb.sweep_from_tip(effector, effort),
            Order::RootFirst => limb.sweep_from_root(effector, effort),
        };
        let closed = effector.distance(limb.target);
        let gain = gap - closed;
        gap = closed;
        if gain >= SLOW * gap || iterations == settings.max_iterations {
            continue;
        }
        let pair = (gap < try_pair_below).then(|| limb.find_pair(effector, gap, effort)).flatten();
        if let Some(pair) = pair {
            iterations += 1;
            effector = limb.turn_pair(&pair);
            gap = effector.distance(limb.target);
        } else if gain < STALLED * gap {
            return (Status::Stalled, iterations);
        } else {
            try_pair_below = try_pair_below.min(RETRY * gap);
        }
    }
    (Status::Reached, iterations)
}

impl<V: Vector> Limb<'_, V> {
    /// One sweep against the chain, from world rotations to world rotations; returns the effector.
    ///
    /// Turning a joint moves everything beyond it, but the joints nearer to the root only ask
    /// where the effector is. So each new rotation is written relative to its parent, which has
    /// not turned yet, and one pass from the root lays the chain out again.
    fn sweep_from_tip(&mut self, mut effector: V, effort: Effort) -> V {
        let free = V::Joint::FREE;
        let joints = self.joints;
        let mut position = effector;
        let mut rest = &mut *self.rotations;
        if let Some((last, before)) = take(&mut rest).split_last_mut() {
            *last = before.last().map_or(*last, |parent| parent.inverse() * *last);
            rest = before;
        }
        for (index, bone) in self.bones.iter().enumerate().rev() {
            let Some((slot, before)) = take(&mut rest).split_last_mut() else {
                break;
            };
            let frame = Frame {
                parent: before.last().copied().unwrap_or(V::Rotation::IDENTITY),
                own: *slot,
            };
            position = position - frame.own.rotate(*bone);
            let arm = Arm { effector: effector - position, target: self.target - position };
            let (own, arm) = joints.get(index).unwrap_or(&free).turn(frame, arm, effort);
            effector = position + arm;
            *slot = frame.parent.inverse() * own;
            rest = before;
        }
        self.lay_out()
    }

    /// Rotations relative to the parents to world rotations; returns the effector.
    fn lay_out(&mut self) -> V {
        let mut parent = V::Rotation::IDENTITY;
        let mut position = V::ZERO;
        let mut bones = self.bones.iter();
        for rotation in self.rotations.iter_mut() {
            parent = (parent * *rotation).renormalized();
            *rotation = parent;
            position = bones.next().map_or(position, |bone| position + parent.rotate(*bone));
        }
        position
    }

    /// One sweep along the chain, from world rotations to world rotations; returns the effector.
    fn sweep_from_root(&mut self, mut effector: V, effort: Effort) -> V {
        let free = V::Joint::FREE;
        let mut parent = V::Rotation::IDENTITY;
        // The turn that the joints before have made, and carried everything beyond along.
        let mut carried = V::Rotation::IDENTITY;
        let mut position = V::ZERO;
        let mut bones = self.bones.iter().enumerate();
        for rotation in self.rotations.iter_mut() {
            let frame = Frame { parent, own: (carried * *rotation).renormalized() };
            let Some((index, bone)) = bones.next() else {
                *rotation = frame.own;
                break;
            };
            let arm = Arm { effector: effector - position, target: self.target - position };
            let (own, arm) = self.joints.get(index).unwrap_or(&free).turn(frame, arm, effort);
            effector = position + arm;
            position = position + own.rotate(*bone);
            carried = (own * rotation.inverse()).renormalized();
            *rotation = own;
            parent = own;
        }
        position
    }

    /// Where no joint gains anything alone: bends the chain at one joint by a fixed angle and lets
    /// another, nearer to the root, turn so as to make the most of it. The best such pair, if it
    /// brings the effector nearer.
    ///
    /// For a chain that lies straight on the line to its target this is the buckling that no
    /// gradient shows. Partners are the root and the joint before the bend, and of a long chain
    /// only every so many joints are bent, so that the search costs about as much as a sweep.
    fn find_pair(&mut self, effector: V, gap: f32, effort: Effort) -> Option<Pair<V>> {
        let free = V::Joint::FREE;
        let mut best: Option<Pair<V>> = None;
        let mut best_gap = gap * (1.0 - STALLED);
        let mut position = effector;
        let stride = 1 + self.bones.len() / PAIRS;
        for (bent, bone) in self.bones.iter().enumerate().skip(1).rev() {
            let frame = self.frame(bent)?;
            position = position - frame.own.rotate(*bone);
            if bent % stride != 0 {
                continue;
            }
            let joint = self.joints.get(bent).unwrap_or(&free);
            let before = self.bones.get(bent - 1).copied().unwrap_or(V::ZERO);
            let partners = [(bent - 1, position - frame.parent.rotate(before)), (0, V::ZERO)];
            for angle in BENDS {
                let (own, arm) = joint.bend(frame, effector - position, angle, effort);
                let moved = position + arm;
                for (partner, pivot) in partners {
                    let frame = self.frame(partner)?;
                    let arm = Arm { effector: moved - pivot, target: self.target - pivot };
                    let joint = self.joints.get(partner).unwrap_or(&free);
                    let (partner_own, arm) = joint.turn(frame, arm, effort);
                    let gap = (pivot + arm).distance(self.target);
                    if gap < best_gap {
                        best_gap = gap;
                        best = Some(Pair { bent: (bent, own), partner: (partner, partner_own) });
                    }
                }
            }
        }
        best
    }

    /// A joint's world rotation and its parent's.
    fn frame(&self, joint: usize) -> Option<Frame<V::Rotation>> {
        let parent = match joint.checked_sub(1) {
            Some(parent) => *self.rotations.get(parent)?,
            None => V::Rotation::IDENTITY,
        };
        Some(Frame { parent, own: *self.rotations.get(joint)? })
    }

    /// Turns two joints and carries along what lies beyond them; returns the effector.
    fn turn_pair(&mut self, pair: &Pair<V>) -> V {
        let mut carried = V::Rotation::IDENTITY;
        for (index, rotation) in self.rotations.iter_mut().enumerate() {
            for (turned, own) in [pair.partner, pair.bent] {
                if index == turned {
                    carried = carried * own * rotation.inverse();
                }
            }
            *rotation = (carried * *rotation).renormalized();
        }
        self.effector()
    }
}

/// Two joints and the world rotations that they would have if each turned alone.
struct Pair<V: Vector> {
    bent: (usize, V::Rotation),
    partner: (usize, V::Rotation),
}
