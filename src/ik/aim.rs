//! Aiming: a joint, or a chain of joints, turns so that an axis of the last one points at a target.
//!
//! The turn that is left goes from the root to the tip, every joint taking its weight's share of
//! what the joints before have left over; so what a limit keeps one from, the next ones do.

use core::mem::take;

use glam::{Quat, Vec2, Vec3};

use super::Aimed;
use crate::chain::{bones_to_positions, check_pose, positions_to_bones};
use crate::error::{Error, Fault, check_range};
use crate::joint::{Arm, Effort, Joint2, Joint3};
use crate::math;
use crate::rotation::{
    Rot2, Rotation, across, check_axis, check_rotation, look_rotation, perpendicular,
    shortest_arc_2d, shortest_arc_3d, swing_twist, turn_about, unit,
};
use crate::space::{Limits, Vector, check_length, check_vector};

/// How [`aim`] and [`aim_chain`] go about it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, bound(deserialize = "V: serde::Deserialize<'de>, AimSettings<V>: Default"))
)]
pub struct AimSettings<V = Vec3> {
    /// The axis that points at the target, in the frame of the joint, or of a chain's last joint;
    /// of any length but zero.
    pub forward: V,
    /// What becomes of the turn about that axis. The plane has no such turn.
    pub roll: Roll<V>,
    /// The share of the turn that is made, in `[0, 1]`, the short way round.
    pub weight: f32,
}

impl Default for AimSettings<Vec3> {
    fn default() -> Self {
        Self { forward: Vec3::Z, roll: Roll::Up { local: Vec3::Y, hint: Vec3::Y }, weight: 1.0 }
    }
}

impl Default for AimSettings<Vec2> {
    fn default() -> Self {
        Self { forward: Vec2::X, roll: Roll::Least, weight: 1.0 }
    }
}

/// What becomes of the turn about the axis that is aimed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Roll<V = Vec3> {
    /// Nothing: the axis goes to the target by the shortest arc.
    #[default]
    Least,
    /// An axis points up, as nearly as the aim lets it. Both of any length but zero.
    Up {
        /// The axis, in the joint's frame.
        local: V,
        /// Up, in the space that the joint is given in.
        hint: V,
    },
}

/// A gap of this many radians is what rounding leaves of an axis that points at its target.
const ROUNDING: f32 = 3e-7;

/// No joint is turned to bring the last one closer to the target than this share of their coordinates,
/// a thousand roundings: they would have the say in where to look from there.
const CLOSE: f32 = 1024.0 * f32::EPSILON;

/// Passes over a chain: by weight, and then by need. Where the first joint alone can still turn,
/// and moves the last one towards a target a little further off than that, a pass leaves a third
/// of the gap: these leave less than 1e-5 rad.
const PASSES: usize = 16;

/// How often one joint's turn is taken up again along its limits.
const ROUNDS: usize = 8;

/// Turns a joint so that an axis of it points at a target.
///
/// `position` and `rotation` are the joint's pose, `target` a point, both in the space that the
/// joint's limits are measured in: its parent's, or the caller's if it has none. The joint's
/// [`weight`](Joint3::with_weight) multiplies the settings' one.
///
/// Where the limits keep the axis off the target, it comes as near as they let it; the roll gives
/// way first. An eye that turns further out than in is a [`Joint3::yaw_pitch`].
///
/// Degenerate: with the target at the joint the rotation stays (and counts as reached). Where the
/// direction is along up (to 1e-3 rad) the roll blends into that of the shortest arc from the
/// rotation as it came. A target straight behind is turned to about [`perpendicular`] of the axis
/// in the joint's frame, or about the axis that points up; behind limits, it is a tie, which goes
/// as [`clamp_joint_3d`](crate::clamp_joint_3d) says.
///
/// Accuracy: 1e-5 rad, from the target or from the nearest that is allowed by a hinge, by a cone that
/// twists freely, or by a yaw and pitch whose forward is the axis that is aimed. Along other limits
/// the axis goes on from the nearest rotation that they allow, which need not end at the best.
///
/// # Errors
/// A number that is not finite; a coordinate beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE);
/// `rotation` not of unit length; a bad joint; a setting outside its documented range.
///
/// ```
/// use sinew::{AimSettings, Joint3, aim, glam::{Quat, Vec3}};
///
/// let eye = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-0.6, 0.8], [-0.4, 0.5]);
/// let mut rotation = Quat::IDENTITY;
/// let aimed = aim(Vec3::ZERO, &mut rotation, &eye, Vec3::X, &AimSettings::default())?;
/// assert!((rotation * Vec3::Z).distance(Vec3::new(0.8_f32.sin(), 0.0, 0.8_f32.cos())) < 1e-6);
/// assert!((aimed.angle - (core::f32::consts::FRAC_PI_2 - 0.8)).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn aim<V: Gaze>(
    position: V,
    rotation: &mut V::Rotation,
    joint: &V::Joint,
    target: V,
    settings: &AimSettings<V>,
) -> Result<Aimed, Error> {
    check_vector("position", position)?;
    check_rotation("rotation", *rotation)?;
    joint.check()?;
    check_vector("target", target)?;
    let sight = Sight::new(target, settings)?;
    let before = *rotation;
    let weight = settings.weight * V::weight(joint);
    let goal = sight.goal(before, position, weight);
    *rotation = settle(&V::willing(joint), before, goal, sight.forward);
    let angle = sight.angle(position, *rotation);
    Ok(Aimed::new(usize::from(*rotation != before), angle))
}

/// Turns the joints of a neck or a spine so that an axis of the last one points at a target.
///
/// `positions` and `rotations` are the joints' world poses, root first; `joints` is empty (all
/// free) or has one entry for *each* joint, for the last one turns too. The root stays and the
/// bones keep their lengths. Weights say how the turn is spread: a joint with twice the weight of
/// another turns twice as far, one of weight 0 keeps its rotation relative to its parent. What
/// limits keep a joint from, the joints after it do, and then all from the tip to the root; the
/// last joint that may turn makes up for the way that its own position has moved.
///
/// Goes over the chain until the axis points at the target, or a pass brings nothing, but no more
/// than 16 times; mostly once. A pose outside its limits is first brought inside. Where there are
/// limits no joint turns for the roll at the cost of the aim, and the last that may turn never does.
///
/// Degenerate: as [`aim`]; a target at the last joint leaves it as it is, and no joint turns so that
/// the last one comes to lie on the target, to a thousand roundings of their coordinates.
///
/// Accuracy: 1e-5 rad where the limits let the axis get to the target. Cost: linear in the joints
/// for each pass.
///
/// # Errors
/// No joint; slices of different lengths; what [`aim`] refuses. The slices are then as they were.
///
/// ```
/// use sinew::{AimSettings, Rotation, aim_chain, glam::{Quat, Vec3}};
///
/// let mut positions = [Vec3::ZERO, Vec3::Y * 0.1, Vec3::Y * 0.2];
/// let mut rotations = [Quat::IDENTITY; 3];
/// let target = Vec3::new(100.0, 0.2, 0.0);
/// let aimed = aim_chain(&mut positions, &mut rotations, &[], target, &AimSettings::default())?;
/// assert!(aimed.angle < 1e-5);
/// // A third of the quarter turn for each.
/// assert!((Rotation::angle(rotations[0]) - 0.5236).abs() < 1e-3);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn aim_chain<V: Gaze>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    target: V,
    settings: &AimSettings<V>,
) -> Result<Aimed, Error> {
    check_length("rotations", rotations.len(), positions.len())?;
    if !joints.is_empty() {
        check_length("joints", joints.len(), positions.len())?;
    }
    check_pose(("positions", "rotations"), positions, rotations)?;
    joints.iter().enumerate().try_for_each(|(i, joint)| joint.check().map_err(|e| e.at(i)))?;
    check_vector("target", target)?;
    let sight = Sight::new(target, settings)?;
    let (Some(&position), Some(&rotation)) = (positions.last(), rotations.last()) else {
        return Err(Error::new("positions", Fault::TooShort { least: 1, actual: 0 }));
    };

    let tip = Tip { position, rotation };
    let goal = Goal { sight, start: rotation, weight: settings.weight };
    let good = tip.gap(&goal) <= ROUNDING && is_admissible::<V>(rotations, joints);
    let iterations = if good { 0 } else { turn_neck(positions, rotations, joints, &goal) };
    let angle = match (positions.last(), rotations.last()) {
        (Some(&position), Some(&rotation)) => goal.sight.angle(position, rotation),
        _ => 0.0,
    };
    Ok(Aimed::new(iterations, angle))
}

/// What is aimed, and at what.
struct Sight<V> {
    target: V,
    forward: V,
    roll: Roll<V>,
}

impl<V: Gaze> Sight<V> {
    fn new(target: V, settings: &AimSettings<V>) -> Result<Self, Error> {
        check_range("settings.weight", settings.weight, 0.0, 1.0)?;
        let forward = V::check_direction("settings.forward", settings.forward)?;
        let roll = match settings.roll {
            Roll::Least => Roll::Least,
            Roll::Up { local, hint } => Roll::Up {
                local: V::check_direction("settings.roll.local", local)?,
                hint: V::check_direction("settings.roll.hint", hint)?,
            },
        };
        Ok(Self { target, forward, roll })
    }

    /// The rotation of a joint at `position` that is `weight` of the way from `start` to the one
    /// that points at the target.
    fn goal(&self, start: V::Rotation, position: V, weight: f32) -> V::Rotation {
        let direction = self.target - position;
        if weight <= 0.0 || direction == V::ZERO {
            return start;
        }
        let facing = V::facing(start, self.forward, &self.roll, direction);
        if weight >= 1.0 {
            facing
        } else {
            (start * (start.inverse() * facing).scaled(weight)).normalized()
        }
    }

    /// Between the axis of a joint and the target.
    fn angle(&self, position: V, rotation: V::Rotation) -> f32 {
        V::Rotation::arc(rotation.rotate(self.forward), self.target - position).angle()
    }
}

/// What the last joint of a chain should do.
struct Goal<V: Vector> {
    sight: Sight<V>,
    /// The last joint's rotation as it came.
    start: V::Rotation,
    weight: f32,
}

/// A chain's last joint.
#[derive(Clone, Copy)]
struct Tip<V: Vector> {
    position: V,
    rotation: V::Rotation,
}

impl<V: Gaze> Tip<V> {
    fn goal(&self, goal: &Goal<V>) -> V::Rotation {
        goal.sight.goal(goal.start, self.position, goal.weight)
    }

    /// The angle to the goal's rotation, roll and all.
    fn gap(&self, goal: &Goal<V>) -> f32 {
        (self.rotation.inverse() * self.goal(goal)).angle()
    }

    /// The angle to the goal's direction alone.
    fn gap_of_direction(&self, goal: &Goal<V>) -> f32 {
        let forward = goal.sight.forward;
        V::Rotation::arc(self.rotation.rotate(forward), self.goal(goal).rotate(forward)).angle()
    }

    /// Whether it would come so close to the target that the way there is hardly more than rounding.
    fn is_taken_onto_target(&self, next: &Self, goal: &Goal<V>) -> bool {
        let target = goal.sight.target;
        let (distance, next_distance) =
            (self.position.distance(target), next.position.distance(target));
        let size = math::greater(target.extent(), self.position.extent());
        next_distance < distance && next_distance < CLOSE * size
    }

    /// After a joint before it has turned.
    fn carried(&self, pivot: V, turn: V::Rotation) -> Self {
        Self {
            position: pivot + turn.rotate(self.position - pivot),
            rotation: (turn * self.rotation).renormalized(),
        }
    }
}

/// The admissible rotation whose axis comes nearest to that of `goal`, with the nearest roll.
fn settle<V: Gaze>(
    joint: &V::Joint,
    own: V::Rotation,
    goal: V::Rotation,
    forward: V,
) -> V::Rotation {
    let direction = goal.rotate(forward);
    let gap = |local: V::Rotation| apart(local.rotate(forward), direction);
    let mut best = joint.nearest(goal);
    let mut best_gap = gap(best);
    if best_gap > ROUNDING {
        // The nearest rotation need not point the nearest way: with its roll, but from the
        // direction; or twisted as far as can be, so that the swing has least to do. And a joint
        // that is where it can be stays there, where another is no better.
        let rolled = V::with_roll_of(best, joint, forward, direction);
        let twisted = V::twisted(joint, forward, direction);
        for other in [rolled, twisted, own] {
            let other = joint.nearest(other);
            if gap(other) < best_gap - ROUNDING {
                (best, best_gap) = (other, gap(other));
            }
        }
    }
    for _ in 0..ROUNDS {
        if best_gap <= ROUNDING {
            break;
        }
        let arm = Arm { effector: forward, target: best.inverse().rotate(direction) };
        let (next, _) = joint.turn(best, arm, FULL);
        let next_gap = gap(next);
        if next_gap >= best_gap - ROUNDING {
            break;
        }
        (best, best_gap) = (next, next_gap);
    }
    best
}

/// How far apart two unit vectors are: their distance, and where that hardly tells angles apart,
/// beyond a right angle, what the distance to the opposite of one lacks.
fn apart<V: Vector>(a: V, b: V) -> f32 {
    if a.dot(b) >= 0.0 { a.distance(b) } else { 2.0 * core::f32::consts::SQRT_2 - a.distance(-b) }
}

const FULL: Effort = Effort { share: 1.0, max_turn: core::f32::consts::PI };

/// Whether every joint is within its limits.
fn is_admissible<V: Vector>(rotations: &[V::Rotation], joints: &[V::Joint]) -> bool {
    let mut parent = V::Rotation::IDENTITY;
    joints.iter().zip(rotations).all(|(joint, rotation)| {
        let local = parent.inverse() * *rotation;
        parent = *rotation;
        joint.nearest(local) == local
    })
}

/// Passes over the chain until nothing more comes of it; returns their number.
fn turn_neck<V: Gaze>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    goal: &Goal<V>,
) -> usize {
    positions_to_bones(positions, rotations);
    let Some((root, bones)) = positions.split_first_mut() else {
        return 0;
    };
    let mut neck = Neck { root: *root, bones: &*bones, rotations: &mut *rotations, joints };
    let mut tip = neck.bring_inside();
    let mut gap = tip.gap(goal);
    let mut passes = 0;
    while gap > ROUNDING && passes < PASSES {
        tip =
            if passes == 0 { neck.turn_by_weight(tip, goal) } else { neck.turn_by_need(tip, goal) };
        passes += 1;
        let left = tip.gap_of_direction(goal);
        if left <= ROUNDING || (passes > 1 && left >= gap) {
            break;
        }
        gap = left;
    }
    bones_to_positions(root, bones, rotations);
    passes
}

/// Lent slices, as the passes hold them.
struct Neck<'a, V: Vector> {
    root: V,
    /// `bones[i]` leads from joint i to joint i + 1, in joint i's frame.
    bones: &'a [V],
    rotations: &'a mut [V::Rotation],
    joints: &'a [V::Joint],
}

impl<V: Gaze> Neck<'_, V> {
    /// Brings every joint inside its limits, root first; returns the last one.
    fn bring_inside(&mut self) -> Tip<V> {
        let (mut before, mut after) = (V::Rotation::IDENTITY, V::Rotation::IDENTITY);
        let joints = self.joints.iter().map(Some).chain(core::iter::repeat(None));
        for (rotation, joint) in self.rotations.iter_mut().zip(joints) {
            let local = before.inverse() * *rotation;
            let inside = joint.map_or(local, |joint| joint.nearest(local));
            before = *rotation;
            after = (after * inside).normalized();
            *rotation = after;
        }
        self.tip()
    }

    fn tip(&self) -> Tip<V> {
        let bones = self.bones.iter().zip(self.rotations.iter());
        let position =
            bones.fold(V::ZERO, |sum, (bone, rotation)| sum + rotation.rotate(*bone)) + self.root;
        let rotation = self.rotations.last().copied().unwrap_or(V::Rotation::IDENTITY);
        Tip { position, rotation }
    }

    /// From the root to the tip: each joint takes its weight's share of the turn that is left.
    fn turn_by_weight(&mut self, mut tip: Tip<V>, goal: &Goal<V>) -> Tip<V> {
        let free = V::Joint::FREE;
        let joints = self.joints;
        let weight = |i: usize| V::weight(joints.get(i).unwrap_or(&free));
        let mut weights: f32 = (0..self.rotations.len()).map(weight).sum();
        let last = self.rotations.len().saturating_sub(1);
        let last_to_turn = (0..=last).rev().find(|i| weight(*i) > 0.0).unwrap_or(last);
        // What a roll costs in direction the joints after it make up for, unless limits keep them
        // from it.
        let limited = joints.iter().any(|joint| !V::willing(joint).is_free());
        let mut parent = V::Rotation::IDENTITY;
        // The turn that the joints before have made, and carried everything beyond along.
        let mut carried = V::Rotation::IDENTITY;
        let mut position = self.root;
        let mut bones = self.bones.iter();
        for (i, rotation) in self.rotations.iter_mut().enumerate() {
            let joint = V::willing(joints.get(i).unwrap_or(&free));
            let mut own = (carried * *rotation).renormalized();
            let weight = weight(i);
            if weight > 0.0 {
                let wanted = tip.goal(goal);
                let turn = wanted * tip.rotation.inverse();
                let share = (weight / weights).min(1.0);
                let local = if i == last {
                    let own = parent.inverse() * own;
                    settle(&joint, own, parent.inverse() * wanted, goal.sight.forward)
                } else if share < 1.0 {
                    joint.nearest((parent.inverse() * turn.scaled(share) * own).normalized())
                } else {
                    joint.nearest((parent.inverse() * turn * own).normalized())
                };
                let turned = (parent * local).renormalized();
                let next = tip.carried(position, turned * own.inverse());
                let (gap, next_gap) = (tip.gap_of_direction(goal), next.gap_of_direction(goal));
                let rolls = !limited && i < last_to_turn && next.gap(goal) <= tip.gap(goal);
                let gains = rolls || next_gap <= gap + ROUNDING;
                if gains && !tip.is_taken_onto_target(&next, goal) {
                    (own, tip) = (turned, next);
                }
                weights -= weight;
            }
            carried = (own * rotation.inverse()).renormalized();
            *rotation = own;
            parent = own;
            position = bones.next().map_or(position, |bone| position + own.rotate(*bone));
        }
        self.tip()
    }

    /// From the tip to the root: each joint that has a weight takes all that it can of what is
    /// left. Rotations are written relative to the parent, which has not turned yet, and laid out
    /// again from the root.
    fn turn_by_need(&mut self, mut tip: Tip<V>, goal: &Goal<V>) -> Tip<V> {
        let free = V::Joint::FREE;
        let joints = self.joints;
        let forward = goal.sight.forward;
        let mut position = tip.position;
        let mut rest = &mut *self.rotations;
        // From the last joint no bone leads on.
        let mut bones = core::iter::once(V::ZERO).chain(self.bones.iter().rev().copied());
        while let Some((slot, before)) = take(&mut rest).split_last_mut() {
            let parent = before.last().copied().unwrap_or(V::Rotation::IDENTITY);
            let mut own = *slot;
            position = position - own.rotate(bones.next().unwrap_or(V::ZERO));
            let joint = joints.get(before.len()).unwrap_or(&free);
            if V::weight(joint) > 0.0 {
                let wanted = tip.goal(goal);
                let turn = wanted * tip.rotation.inverse();
                // The axis that is aimed, as this joint carries it.
                let axis = own.inverse().rotate(tip.rotation.rotate(forward));
                let all = (parent.inverse() * turn * own).normalized();
                let local = settle(&V::willing(joint), parent.inverse() * own, all, axis);
                let turned = (parent * local).renormalized();
                let next = tip.carried(position, turned * own.inverse());
                let gains = next.gap_of_direction(goal) < tip.gap_of_direction(goal);
                if gains && !tip.is_taken_onto_target(&next, goal) {
                    (own, tip) = (turned, next);
                }
            }
            *slot = (parent.inverse() * own).renormalized();
            rest = before;
        }
        let mut parent = V::Rotation::IDENTITY;
        for rotation in self.rotations.iter_mut() {
            parent = (parent * *rotation).renormalized();
            *rotation = parent;
        }
        self.tip()
    }
}

/// What lets a joint aim in the plane and in space.
///
/// Sealed, as [`Vector`] is.
pub trait Gaze: Vector {
    #[doc(hidden)]
    fn check_direction(name: &'static str, v: Self) -> Result<Self, Error>;

    #[doc(hidden)]
    #[must_use]
    fn weight(joint: &Self::Joint) -> f32;

    /// The same joint with a weight of 1.
    #[doc(hidden)]
    #[must_use]
    fn willing(joint: &Self::Joint) -> Self::Joint;

    /// The rotation that takes `forward` to `direction`, from `start`.
    #[doc(hidden)]
    #[must_use]
    fn facing(
        start: Self::Rotation,
        forward: Self,
        roll: &Roll<Self>,
        direction: Self,
    ) -> Self::Rotation;

    /// The rotation that takes `forward` to `direction` by a swing from the joint's rest, with the
    /// twist that `local` has.
    #[doc(hidden)]
    #[must_use]
    fn with_roll_of(
        local: Self::Rotation,
        joint: &Self::Joint,
        forward: Self,
        direction: Self,
    ) -> Self::Rotation;

    /// The rotation that takes `forward` to `direction` by a twist about the joint's own axis and
    /// the least swing after it.
    #[doc(hidden)]
    #[must_use]
    fn twisted(joint: &Self::Joint, forward: Self, direction: Self) -> Self::Rotation;
}

impl Gaze for Vec2 {
    fn check_direction(name: &'static str, v: Self) -> Result<Self, Error> {
        Vec3::check_direction(name, v.extend(0.0)).map(Vec3::truncate)
    }

    fn weight(joint: &Joint2) -> f32 {
        joint.weight()
    }

    fn willing(joint: &Joint2) -> Joint2 {
        joint.with_weight(1.0)
    }

    fn facing(start: Rot2, forward: Self, _: &Roll<Self>, direction: Self) -> Rot2 {
        (shortest_arc_2d(start.rotate(forward), direction) * start).normalize()
    }

    fn with_roll_of(local: Rot2, _: &Joint2, _: Self, _: Self) -> Rot2 {
        local
    }

    fn twisted(_: &Joint2, forward: Self, direction: Self) -> Rot2 {
        shortest_arc_2d(forward, direction)
    }
}

/// Where direction and up are closer to one line than this (sine of the angle), the roll fades into
/// that of the shortest arc: there a thousandth of a radian of the direction rolls a whole radian.
const FADE: f32 = 1e-3;

impl Gaze for Vec3 {
    fn check_direction(name: &'static str, v: Self) -> Result<Self, Error> {
        check_axis(name, v)
    }

    fn weight(joint: &Joint3) -> f32 {
        joint.weight()
    }

    fn willing(joint: &Joint3) -> Joint3 {
        joint.with_weight(1.0)
    }

    fn facing(start: Quat, forward: Self, roll: &Roll<Self>, direction: Self) -> Quat {
        let Some(direction) = unit(direction) else {
            return start;
        };
        let up = match roll {
            Roll::Least => None,
            Roll::Up { local, hint } => {
                Some((across(*local, forward).unwrap_or_else(|| perpendicular(forward)), *hint))
            }
        };
        let mut arc = shortest_arc_3d(start * forward, direction);
        if arc.w.abs() < f32::EPSILON {
            // Straight behind: about an axis that turns with the joint.
            let axis = start * up.map_or_else(|| perpendicular(forward), |(local, _)| local);
            arc = Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        }
        let least = (arc * start).normalized();
        let Some((local, hint)) = up else {
            return least;
        };
        let part = hint - direction * hint.dot(direction);
        let sine = part.length();
        let up = part + least * local * (FADE - sine).max(0.0);
        look_rotation(direction, up, forward, local)
    }

    fn with_roll_of(local: Quat, joint: &Joint3, forward: Self, direction: Self) -> Quat {
        let back = joint.rest().conjugate();
        let (_, twist) = swing_twist(back * local, forward);
        (joint.rest() * shortest_arc_3d(forward, back * direction) * twist).normalized()
    }

    fn twisted(joint: &Joint3, forward: Self, direction: Self) -> Quat {
        let direction = joint.rest().conjugate() * direction;
        let twist = joint
            .axis()
            .map_or(Quat::IDENTITY, |axis| Quat::exp(axis * turn_about(forward, direction, axis)));
        (joint.rest() * shortest_arc_3d(twist * forward, direction) * twist).normalized()
    }
}
