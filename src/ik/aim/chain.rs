//! A chain of joints, which share the turn.
//!
//! The turn that is left goes from the root to the tip, every joint taking its weight's share of
//! what the joints before have left over; so what a limit keeps one from, the next ones do.

use core::mem::take;

use super::at_hand::{AtHand, Attempt, Goal, Tip};
use super::joint::Sight;
use super::lean::ramp;
use super::{AimSettings, Gaze};
use crate::chain::{bones_to_positions, check_pose, positions_to_bones};
use crate::check::{check_each, check_least_length, check_length, check_optional_length};
use crate::error::Error;
use crate::ik::Aimed;
use crate::ik::limb::{effector, is_admissible};
use crate::rotation::Rotation;
use crate::space::{Limits, Vector, check_vector};

/// A gap of this many radians is closed: a fifth of what is promised, and more than rounding leaves
/// of a pass over eight joints, which another pass would be for.
const CLOSED: f32 = 2e-6;

/// Passes over a chain: by weight, and then by need. Where the first joint alone can still turn,
/// and moves the last one towards a target a little further off than that, a pass leaves a third
/// of the gap: these leave less than 1e-5 rad.
const PASSES: usize = 16;

/// What share of the gap a pass has to close for another one, at all and with all the turns that
/// are worth it: the passes fade out, and where the target moves, none comes or goes at once.
const GOES_ON: [f32; 2] = [0.01, 0.1];

/// Turns the joints of a neck or a spine so that an axis of the last one points at a target.
///
/// `positions` and `rotations` are the joints' world poses, root first; `joints` is empty (all
/// free) or has one entry for *each* joint, for the last one turns too. The root stays and the
/// bones keep their lengths. Weights say how the turn is spread: a joint with twice the weight of
/// another turns twice as far, one of weight 0 keeps its rotation relative to its parent. What
/// limits keep a joint from, the joints after it do, and then all from the tip to the root; the
/// last joint that may turn makes up for the way that its own position has moved.
///
/// Goes over the chain until the axis points at the target, or a pass closes less than a hundredth
/// of what is left, but no more than 16 times; mostly once. A pass after one that closed less than
/// a tenth turns the joints by less than it could, so that none comes or goes at once. A pose
/// outside its limits is first brought inside. Where there are limits no joint turns for the roll
/// at the cost of the aim, and the last that may turn never does.
///
/// Degenerate: as [`aim`](crate::aim); a target at the last joint leaves it as it is, and no joint
/// turns so that the last one comes to lie on the target, to a thousand roundings of their
/// coordinates.
///
/// Where the target moves smoothly, so do the joints, limits or not, unless the way to look itself
/// jumps: with a target that passes behind, on the last joint, or on the axis that a joint twists
/// about. Cones that twist freely may still step, with [`Roll::Least`](crate::Roll::Least) by up to
/// 0.35 rad, where the target leaves their reach. No joint turns for what is hardly worth it, by
/// the rule that [`aim`](crate::aim) gives. So a joint does not lean by 0.4 rad to one side, and
/// then to the other, for half a degree of aim.
///
/// In the plane a chain turns the way that is the shorter one as it stands, up to its limits, and
/// stays there even where the other way round would get to the target, as one joint of the same
/// range does by [`aim`](crate::aim). Three joints of ±45° that lean 80° to the left in all, with a
/// target 100° to the right, end 135° to the left. Of random chains of three joints that see their
/// target all round six in a hundred end more than 0.2 rad further from it than they need, and
/// three in a hundred of those that start straight.
///
/// Accuracy: 1e-5 rad where the joints get to the target by turns that are worth it: 98 in 100 of
/// the targets in front of necks of one to four joints, each with swing and twist limited, that can
/// be got to at all; the others end up to 0.04 rad short. Further round, or with joints whose twist
/// alone is limited, only leaning right back or over gets there, and more is given up. Cost: linear
/// in the joints for each pass.
///
/// # Errors
/// No joint; slices of different lengths; what [`aim`](crate::aim) refuses. The slices are then as
/// they were.
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
    check_least_length("positions", positions.len(), 1)?;
    check_length("rotations", rotations.len(), positions.len())?;
    check_optional_length("joints", joints.len(), positions.len())?;
    check_pose(("positions", "rotations"), positions, rotations)?;
    check_each(joints, Limits::check)?;
    check_vector("target", target)?;
    let sight = Sight::new(target, settings)?;

    let tip = Tip::of(positions, rotations);
    let goal = Goal { sight, start: tip.rotation, weight: settings.weight };
    let good = tip.gap(&goal) <= CLOSED && is_admissible::<V>(rotations, joints);
    let iterations = if good { 0 } else { turn_neck(positions, rotations, joints, &goal) };
    let tip = Tip::of(positions, rotations);
    Ok(Aimed::new(iterations, goal.sight.angle(tip.position, tip.rotation)))
}

/// Passes over the chain until nothing more comes of it; returns their number.
fn turn_neck<V: Gaze>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    goal: &Goal<V>,
) -> usize {
    positions_to_bones(positions, rotations, 1.0);
    let Some((root, bones)) = positions.split_first_mut() else {
        return 0;
    };
    let mut neck = Neck { root: *root, bones: &*bones, rotations: &mut *rotations, joints };
    let mut tip = neck.bring_inside();
    let mut gap = tip.gap(goal);
    let mut passes = 0;
    let mut effort = 1.0;
    // What one joint alone lacks, none makes up for.
    let most = if neck.rotations.len() > 1 { PASSES } else { 1 };
    while gap > CLOSED && effort > 0.0 && passes < most {
        tip = match passes {
            0 => neck.turn_by_weight(tip, goal),
            _ => neck.turn_by_need(tip, goal, effort),
        };
        passes += 1;
        let left = tip.gap_of_direction(goal);
        if passes > 1 {
            effort *= ramp((gap - left) / (effort * gap), GOES_ON);
        }
        gap = left;
    }
    bones_to_positions(root, bones, rotations, 1.0);
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
        let position = self.root + effector(self.bones, self.rotations);
        let rotation = self.rotations.last().copied().unwrap_or(V::Rotation::IDENTITY);
        Tip { position, rotation }
    }

    /// From the root to the tip: each joint takes its weight's share of the turn that is left.
    fn turn_by_weight(&mut self, tip: Tip<V>, goal: &Goal<V>) -> Tip<V> {
        let joints = self.joints;
        let joint = |i: usize| joints.get(i).unwrap_or(V::Joint::FREE);
        let mut weights: f32 = (0..self.rotations.len()).map(|i| V::weight(joint(i))).sum();
        let last = self.rotations.len().saturating_sub(1);
        let last_to_turn = (0..=last).rev().find(|i| V::weight(joint(*i)) > 0.0).unwrap_or(last);
        // What a roll costs in direction the joints after it make up for, unless limits keep them
        // from it.
        let limited = joints.iter().any(|joint| !V::willing(joint).is_free());
        let mut parent = V::Rotation::IDENTITY;
        // The turn that the joints before have made, and carried everything beyond along.
        let mut carried = V::Rotation::IDENTITY;
        let mut pivot = self.root;
        let mut bones = self.bones.iter();
        let mut now = Attempt::of(tip, goal);
        for (i, rotation) in self.rotations.iter_mut().enumerate() {
            now.own = (carried * *rotation).renormalized();
            let weight = V::weight(joint(i));
            if weight > 0.0 {
                let joint = &V::willing(joint(i));
                let mut at_hand = AtHand { joint, parent, pivot, now: &mut now, goal };
                if i == last {
                    at_hand.turn_as_last();
                } else {
                    let share = (weight / weights).min(1.0);
                    at_hand.turn_by_share(share, !limited && i < last_to_turn);
                }
                weights -= weight;
            }
            carried = (now.own * rotation.inverse()).renormalized();
            *rotation = now.own;
            parent = now.own;
            pivot = bones.next().map_or(pivot, |bone| pivot + parent.rotate(*bone));
        }
        self.tip()
    }

    /// From the tip to the root: each joint that has a weight takes all that it can of what is
    /// left. Rotations are written relative to the parent, which has not turned yet, and laid out
    /// again from the root.
    fn turn_by_need(&mut self, tip: Tip<V>, goal: &Goal<V>, effort: f32) -> Tip<V> {
        let mut pivot = tip.position;
        let mut now = Attempt::of(tip, goal);
        let mut rest = &mut *self.rotations;
        // From the last joint no bone leads on.
        let mut bones = core::iter::once(V::ZERO).chain(self.bones.iter().rev().copied());
        while let Some((slot, before)) = take(&mut rest).split_last_mut() {
            let parent = before.last().copied().unwrap_or(V::Rotation::IDENTITY);
            now.own = *slot;
            pivot = pivot - now.own.rotate(bones.next().unwrap_or(V::ZERO));
            let joint = self.joints.get(before.len()).unwrap_or(V::Joint::FREE);
            if V::weight(joint) > 0.0 {
                let joint = &V::willing(joint);
                AtHand { joint, parent, pivot, now: &mut now, goal }.turn_by_need(effort);
            }
            *slot = (parent.inverse() * now.own).renormalized();
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
