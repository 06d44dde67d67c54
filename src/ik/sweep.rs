//! Turning the joints of a limb one by one, or two at a time, so that the effector comes nearer to
//! the target.
//!
//! A sweep sees everything from the joint at hand, in that joint's own frame: the effector, the
//! target, and the limits, which are there already. One pass takes the target from the root to the
//! tip; on the way back each joint turns, and hands to the one before what the turn has made of the
//! effector. So no world pose is needed until the last sweep is done.

use core::iter::repeat;

use super::limb::Limb;
use crate::joint::{Arm, Effort};
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// How far a joint is bent to leave a dead point, in radians: a little, which always helps a
/// straight chain, and a lot, which carries a limb past a limit to its other configuration.
const BENDS: [f32; 4] = [0.2, -0.2, 0.8, -0.8];

/// About how many joints of a long chain are bent in search of a pair.
const PAIRS: usize = 24;

/// Once a sweep closes less than this share of the gap nothing more will come of it.
pub(crate) const STALLED: f32 = 1e-5;

/// A gain below this share of the reach is rounding: a chain that no joint turns is stuck.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Where the effector and the target are from a joint, along its parent's axes.
#[derive(Clone, Copy)]
struct Seen<V> {
    effector: V,
    target: V,
}

impl<V: Vector> Seen<V> {
    /// From the joint before, in that joint's own frame.
    #[inline]
    fn across(self, bone: V) -> Arm<V> {
        Arm { effector: bone + self.effector, target: bone + self.target }
    }
}

/// The methods of this file take and leave rotations relative to their parents; see
/// [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// One sweep against the chain; returns the gap that is left.
    pub(crate) fn sweep_from_tip(&mut self, effort: Effort) -> f32 {
        let free = V::Joint::FREE;
        let mut seen = Seen { effector: V::ZERO, target: self.target_from_tip() };
        let pose = self.rotations.iter_mut().zip(self.bones.iter());
        if self.joints.is_empty() && effort.is_full() {
            // With both known to the compiler nothing but the turn is left.
            for (local, bone) in pose.rev() {
                seen = turn_joint(&free, local, seen.across(*bone), Effort::FULL);
            }
        } else {
            let joints = self.joints.iter().rev().chain(repeat(&free));
            for ((local, bone), joint) in pose.rev().zip(joints) {
                seen = turn_joint(joint, local, seen.across(*bone), effort);
            }
        }
        seen.effector.distance(self.target)
    }

    /// The target from the effector, along the last bone's axes.
    fn target_from_tip(&self) -> V {
        let pose = self.rotations.iter().zip(self.bones.iter());
        pose.fold(self.target, |target, (local, bone)| local.inverse().swing(target) - *bone)
    }

    /// One sweep along the chain; returns the gap that is left.
    pub(crate) fn sweep_from_root(&mut self, effort: Effort) -> f32 {
        let free = V::Joint::FREE;
        let mut seen = Seen { effector: self.effector_of_relative(), target: self.target };
        for (index, (local, bone)) in self.rotations.iter_mut().zip(self.bones.iter()).enumerate() {
            let own = local.inverse();
            let arm = Arm { effector: own.swing(seen.effector), target: own.swing(seen.target) };
            let joint = self.joints.get(index).unwrap_or(&free);
            *local = joint.turn(*local, arm, effort).0;
            // The effector is carried along, the target is not.
            let target = local.inverse().swing(seen.target);
            seen = Seen { effector: arm.effector - *bone, target: target - *bone };
        }
        self.gap_of_relative()
    }

    /// How far the effector is from the target.
    pub(crate) fn gap_of_relative(&self) -> f32 {
        self.effector_of_relative().distance(self.target)
    }

    /// The effector, from the root.
    fn effector_of_relative(&self) -> V {
        let pose = self.rotations.iter().zip(self.bones.iter()).rev();
        pose.fold(V::ZERO, |effector, (local, bone)| local.swing(*bone + effector))
    }

    /// What a sweep or a pair must close of the gap to count.
    pub(crate) fn least_gain(&self, gap: f32) -> f32 {
        (STALLED * gap).max(ROUNDING * self.reach.longest)
    }

    /// Where no joint gains anything alone: bends the chain at one joint by a fixed angle and lets
    /// another, nearer to the root, turn so as to make the most of it. The best such pair, if it
    /// brings the effector nearer.
    ///
    /// For a chain that lies straight on the line to its target this is the buckling that no
    /// gradient shows. Partners are the root and the joint before the bend, and of a long chain
    /// only every so many joints are bent, so that the search costs about as much as a sweep.
    pub(crate) fn find_pair(&self, gap: f32, effort: Effort) -> Option<Pair<V>> {
        let free = V::Joint::FREE;
        let joint_at = |index| self.joints.get(index).unwrap_or(&free);
        let root = *self.rotations.first()?;
        let target_of_root = root.inverse().rotate(self.target);
        let mut best: Option<(Bend<V>, usize, Arm<V>)> = None;
        let mut best_gap = gap - self.least_gain(gap);
        let mut seen = Seen { effector: V::ZERO, target: self.target_from_tip() };
        // The space's axes as the joint's parent has them.
        let mut space = self
            .rotations
            .iter()
            .fold(V::Rotation::IDENTITY, |space, local| (local.inverse() * space).renormalized());
        let last = self.rotations.last().copied().unwrap_or(V::Rotation::IDENTITY);
        space = last * space;
        let stride = 1 + self.bones.len() / PAIRS;
        for (index, bone) in self.bones.iter().enumerate().skip(1).rev() {
            let local = *self.rotations.get(index)?;
            let arm = seen.across(*bone);
            seen = Seen { effector: local.rotate(arm.effector), target: local.rotate(arm.target) };
            space = (local * space).renormalized();
            if index % stride != 0 {
                continue;
            }
            let before = *self.bones.get(index - 1)?;
            let parent = *self.rotations.get(index - 1)?;
            let axis = joint_at(index).bend_axis(arm.effector);
            for angle in BENDS {
                let turn = (axis, angle);
                let (turned, effector) = joint_at(index).bend(local, arm.effector, turn, effort);
                let mut try_partner = |partner: usize, local: V::Rotation, arm: Arm<V>| {
                    let gap = joint_at(partner).gap_after_turn(local, arm, effort);
                    if gap < best_gap {
                        best_gap = gap;
                        best = Some((Bend { joint: index, turned }, partner, arm));
                    }
                };
                let moved = Seen { effector, target: seen.target };
                try_partner(index - 1, parent, moved.across(before));
                if index > 1 {
                    let off = space.inverse().rotate(moved.effector - moved.target);
                    let effector = target_of_root + root.inverse().rotate(off);
                    try_partner(0, root, Arm { effector, target: target_of_root });
                }
            }
        }
        let (bent, partner, arm) = best?;
        let local = *self.rotations.get(partner)?;
        let turned = joint_at(partner).turn(local, arm, effort).0;
        Some(Pair { bent, partner: Bend { joint: partner, turned } })
    }

    /// Turns two joints; returns the gap that is left.
    pub(crate) fn turn_pair(&mut self, pair: &Pair<V>) -> f32 {
        for Bend { joint, turned } in [pair.partner, pair.bent] {
            if let Some(local) = self.rotations.get_mut(joint) {
                *local = turned;
            }
        }
        self.gap_of_relative()
    }
}

/// Turns a joint; returns what is seen from it then.
#[inline(always)]
#[allow(clippy::inline_always)]
fn turn_joint<V: Vector>(
    joint: &V::Joint,
    local: &mut V::Rotation,
    arm: Arm<V>,
    effort: Effort,
) -> Seen<V> {
    let target = local.swing(arm.target);
    let (turned, effector) = joint.turn(*local, arm, effort);
    *local = turned;
    Seen { effector, target }
}

/// A joint and what it would turn to, relative to its parent.
#[derive(Clone, Copy)]
struct Bend<V: Vector> {
    joint: usize,
    turned: V::Rotation,
}

/// Two joints that turn together.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V: Vector> {
    bent: Bend<V>,
    partner: Bend<V>,
}
