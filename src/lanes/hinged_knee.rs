//! Knees that are hinges of eight chains, with hips that are: those of `ik/hinged_knee.rs` by
//! lanes.

use glam::Vec3;

use super::ccd::Tips;
use super::knee::bend_hinges;
use super::limb::Limbs;
use super::turn::{Arms, Sights, turn};
use super::wide::{F32x8, Mask, select_by_fields};
use super::{Quatx8, Vec3x8};
use crate::ik::hinged_knee::{CERTAIN, WORTHWHILE, has_hinged_knees, roomier_side};
use crate::ik::pair::stride;
use crate::joint::{Freedom, Turning};

/// A knee of each lane, what it leaves of the gap in the end, what it turns to, and what is seen
/// from it then.
#[derive(Clone, Copy)]
struct Best {
    gap: F32x8,
    joint: F32x8,
    turned: Quatx8,
    seen: Sights,
}

select_by_fields!(Best { gap, joint, turned, seen });

impl Limbs<'_> {
    /// Turns the best such knee of each active lane and all joints before it, if that is worth it;
    /// in which lanes it is.
    pub(super) fn turn_hinged_knees(&mut self, tips: &mut Tips, active: Mask) -> Mask {
        if !has_hinged_knees::<Vec3>(self.joints) {
            return Mask::NONE;
        }
        let gap = self.gap_of(*tips);
        let most = (gap * WORTHWHILE).min(gap - self.longest * CERTAIN);
        let active = active & most.gt(F32x8::ZERO);
        if !active.any() {
            return Mask::NONE;
        }
        let (mut best, mut found) = self.find_hinged_knees(tips, most, active, |[own, _]| own);
        let left = active & !found;
        if left.any() {
            let (over, others) = self.find_hinged_knees(tips, most, left, |[_, other]| other);
            best = others.select(over, best);
            found = found | others;
        }
        if found.any() {
            self.turn_from_knees(&best, found);
            found.put(self.tips_of_relative(), tips);
        }
        found
    }

    /// The best knees, bent to a side, that in the end leave gaps of less than `most`, and which
    /// lanes have one.
    fn find_hinged_knees(
        &self,
        tips: &Tips,
        most: F32x8,
        active: Mask,
        side: impl Fn([Vec3x8; 2]) -> Vec3x8,
    ) -> (Best, Mask) {
        let mut seen = Sights { effector: Vec3x8::ZERO, target: tips.see(self.target) };
        let mut best = Best { gap: most, joint: F32x8::ZERO, turned: Quatx8::IDENTITY, seen };
        let mut found = Mask::NONE;
        let bones = self.bones();
        let stride = stride(bones.len());
        let pose = self.rotations.iter().zip(bones).zip(self.joints).enumerate().skip(1);
        for ((joint, ((local, bone), knee)), (thigh, hip)) in
            pose.zip(bones.iter().zip(self.joints)).rev()
        {
            let arm = *bone + seen.effector;
            seen = Sights {
                effector: local.rotate_fast(arm),
                target: local.rotate_fast(*bone + seen.target),
            };
            let Freedom::Hinge(axis, range) = knee.freedom() else { continue };
            if hip.aims() || joint % stride != 0 {
                continue;
            }
            let axis = local.rotate(Vec3x8::splat(axis));
            let own = |lane: usize| roomier_side(range, knee.angle_of(local.lane(lane)));
            let (bent, bends) =
                bend_hinges((seen.effector, seen.target), -*thigh, axis, active, own);
            let arms = Arms {
                effector: local.rotate_back_fast(seen.effector),
                target: local.rotate_back_fast(side(bent)),
            };
            let turned = turn(knee, *local, &arms, bends).local;
            let seen = Sights { effector: turned.rotate_fast(arm), ..seen };
            let gap = self.sweep_before(joint, seen, bends).gap();
            let better = bends & gap.lt(best.gap);
            let own = Best { gap, joint: F32x8::splat(joint as f32), turned, seen };
            best = better.select(own, best);
            found = found | better;
        }
        (best, found)
    }

    /// What a sweep over all joints before this one would leave to see.
    fn sweep_before(&self, joint: usize, seen: Sights, active: Mask) -> Sights {
        let before = self.rotations.iter().zip(self.bones()).zip(self.joints).take(joint).rev();
        before.fold(seen, |seen, ((local, bone), limits)| {
            turn(limits, *local, &seen.across(*bone), active).seen
        })
    }

    /// Turns the knees, and in each lane the joints before its own.
    fn turn_from_knees(&mut self, best: &Best, active: Mask) {
        let joints = self.joints;
        let (bones, rotations) = self.bones_and_rotations();
        let mut seen = best.seen;
        let pose = rotations.iter_mut().zip(bones).zip(joints).enumerate();
        for (joint, ((rotation, bone), limits)) in pose.rev() {
            let own = F32x8::splat(joint as f32);
            let is_knee = active & best.joint.eq(own);
            let is_before = active & best.joint.gt(own);
            is_knee.put(best.turned, rotation);
            if is_before.any() {
                let turned = turn(limits, *rotation, &seen.across(*bone), is_before);
                is_before.put(turned.local, rotation);
                seen = is_before.select(turned.seen, seen);
            }
        }
    }
}
