//! Turning the joints of a limb one by one, so that the effector comes nearer to the target.
//!
//! A sweep sees everything from the joint at hand, in that joint's own frame: the effector, the
//! target, and the limits, which are there already. Each joint turns, and hands to the one before
//! what the turn has made of the effector, of the target, and of the last bone's axes; from these
//! the next sweep knows at the root how the tip sees the target. So no world pose is needed until
//! the last sweep is done.

use core::iter::repeat;

use super::limb::Limb;
use crate::joint::{AfterTurn, Arm, Effort, Seen, Turning};
use crate::packed::Packed;
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// Once a sweep closes less than this share of the gap nothing more will come of it.
pub(crate) const STALLED: f32 = 1e-5;

/// A gain below this share of the reach is rounding: a chain that no joint turns is stuck.
pub(crate) const REACH_ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The tip as the root sees it.
#[derive(Clone, Copy)]
pub(crate) struct Tip<V: Vector> {
    pub(crate) effector: V,
    /// From the last bone's axes to the root's.
    pub(crate) axes: V::Rotation,
}

impl<V: Vector> Tip<V> {
    /// What is at `place` from the root, from the effector and along the last bone's axes.
    pub(super) fn sees(&self, place: V) -> V {
        self.axes.inverse().rotate_fast(place - self.effector)
    }
}

/// The methods of this file take and leave rotations relative to their parents; see
/// [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// One sweep against the chain.
    pub(crate) fn sweep_from_tip(&mut self, tip: Tip<V>, effort: Effort) -> Tip<V> {
        let target = tip.sees(self.target);
        let turned = if self.joints.is_empty() && effort.is_full() {
            self.turn_freely_from_tip(target.into())
        } else {
            self.turn_from_tip(target, effort)
        };
        // What rounding has added up to.
        Tip { axes: turned.axes.renormalized(), ..turned }
    }

    fn turn_from_tip(&mut self, target: V, effort: Effort) -> Tip<V> {
        let mut seen = Seen { effector: V::ZERO, target };
        let mut axes = V::Rotation::IDENTITY;
        let pose = self.rotations.iter_mut().zip(self.bones.iter());
        let joints = self.joints.iter().rev().chain(repeat(V::Joint::FREE));
        for ((local, bone), joint) in pose.rev().zip(joints) {
            let (turned, next) = joint.turn(*local, seen.across(*bone), effort);
            *local = turned;
            seen = next;
            axes = turned * axes;
        }
        Tip { effector: seen.effector, axes }
    }

    /// The same for what most chains are made of: nothing but the turn is left, and all of it in
    /// registers.
    fn turn_freely_from_tip(&mut self, target: V::Packed) -> Tip<V> {
        let mut seen = Seen { effector: V::Packed::ZERO, target };
        let mut axes = V::Rotation::IDENTITY;
        let pose = self.rotations.iter_mut().zip(self.bones.iter());
        for (local, bone) in pose.rev() {
            let (turned, next) = V::Joint::turn_freely(*local, seen.across((*bone).into()));
            *local = turned;
            seen = next;
            axes = turned * axes;
        }
        Tip { effector: seen.effector.into(), axes }
    }

    /// One sweep along the chain.
    pub(crate) fn sweep_from_root(&mut self, tip: Tip<V>, effort: Effort) -> Tip<V> {
        let mut seen = Seen { effector: tip.effector, target: self.target };
        let joints = self.limits();
        let pose = self.rotations.iter_mut().zip(self.bones.iter());
        for ((local, bone), joint) in pose.zip(joints) {
            let arm = seen.arm(*local);
            *local = turned(joint, *local, arm, effort).0;
            // The effector is carried along, the target is not.
            let target = local.inverse().rotate_fast(seen.target);
            seen = Seen { effector: arm.effector - *bone, target: target - *bone };
        }
        self.tip_of_relative()
    }

    /// The tip of the pose.
    #[inline(never)]
    pub(super) fn tip_of_relative(&self) -> Tip<V> {
        let pose = self.rotations.iter().zip(self.bones.iter()).rev();
        let tip = Tip { effector: V::ZERO, axes: V::Rotation::IDENTITY };
        let tip = pose.fold(tip, |tip, (local, bone)| Tip {
            effector: local.rotate_fast(*bone + tip.effector),
            axes: *local * tip.axes,
        });
        Tip { axes: tip.axes.renormalized(), ..tip }
    }

    /// How far the effector is from the target.
    pub(crate) fn gap_of(&self, tip: Tip<V>) -> f32 {
        tip.effector.distance(self.target)
    }

    /// What a sweep or a pair must close of the gap to count.
    pub(crate) fn least_gain(&self, gap: f32) -> f32 {
        (STALLED * gap).max(REACH_ROUNDING * self.reach.longest)
    }
}

/// The turn of a joint: one copy of all kinds of joints, for where speed is no matter.
#[inline(never)]
pub(super) fn turned<V: Vector>(
    joint: &V::Joint,
    local: V::Rotation,
    arm: Arm<V>,
    effort: Effort,
) -> AfterTurn<V::Rotation, V> {
    joint.turn(local, arm, effort)
}
