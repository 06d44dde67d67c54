//! Turning the joints of a limb one by one, so that the effector comes nearer to the target.
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

/// Once a sweep closes less than this share of the gap nothing more will come of it.
pub(crate) const STALLED: f32 = 1e-5;

/// A gain below this share of the reach is rounding: a chain that no joint turns is stuck.
pub(crate) const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Where the effector and the target are from a joint, along its parent's axes.
#[derive(Clone, Copy)]
pub(super) struct Seen<V> {
    pub(super) effector: V,
    pub(super) target: V,
}

impl<V: Vector> Seen<V> {
    /// From the joint before, in that joint's own frame.
    #[inline]
    pub(super) fn across(self, bone: V) -> Arm<V> {
        Arm { effector: bone + self.effector, target: bone + self.target }
    }

    /// From a joint at rest.
    #[inline]
    pub(super) fn of(arm: Arm<V>, local: V::Rotation) -> Self {
        Self { effector: local.swing(arm.effector), target: local.swing(arm.target) }
    }

    /// Along the joint's own axes.
    #[inline]
    pub(super) fn arm(self, local: V::Rotation) -> Arm<V> {
        let own = local.inverse();
        Arm { effector: own.swing(self.effector), target: own.swing(self.target) }
    }
}

/// The methods of this file take and leave rotations relative to their parents; see
/// [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// One sweep against the chain; returns the gap that is left.
    pub(crate) fn sweep_from_tip(&mut self, effort: Effort) -> f32 {
        let free = V::Joint::FREE;
        let mut seen = Seen { effector: V::ZERO, target: self.seen_from_tip(self.target) };
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

    /// What is at `place` from the root, as the effector sees it along the last bone's axes.
    #[inline(never)]
    pub(super) fn seen_from_tip(&self, place: V) -> V {
        let pose = self.rotations.iter().zip(self.bones.iter());
        pose.fold(place, |place, (local, bone)| local.inverse().swing(place) - *bone)
    }

    /// One sweep along the chain; returns the gap that is left.
    pub(crate) fn sweep_from_root(&mut self, effort: Effort) -> f32 {
        let free = V::Joint::FREE;
        let mut seen = Seen { effector: self.effector_of_relative(), target: self.target };
        for (index, (local, bone)) in self.rotations.iter_mut().zip(self.bones.iter()).enumerate() {
            let arm = seen.arm(*local);
            let joint = self.joints.get(index).unwrap_or(&free);
            *local = turned(joint, *local, arm, effort);
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
    #[inline(never)]
    fn effector_of_relative(&self) -> V {
        let pose = self.rotations.iter().zip(self.bones.iter()).rev();
        pose.fold(V::ZERO, |effector, (local, bone)| local.swing(*bone + effector))
    }

    /// What a sweep or a pair must close of the gap to count.
    pub(crate) fn least_gain(&self, gap: f32) -> f32 {
        (STALLED * gap).max(ROUNDING * self.reach.longest)
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

/// A joint's rotation after its turn: one copy of all kinds of joints, for where no effector waits
/// for the next.
#[inline(never)]
pub(super) fn turned<V: Vector>(
    joint: &V::Joint,
    local: V::Rotation,
    arm: Arm<V>,
    effort: Effort,
) -> V::Rotation {
    joint.turn(local, arm, effort).0
}
