//! Pairs of joints of eight chains: those of `ik/pair.rs`, hips and knees by lanes.

use glam::Vec3;

use super::ccd::Tips;
use super::knee::{Knees, Worth};
use super::limb::Limbs;
use super::turn::{Arms, TurnedJoint, turn, turn_free};
use super::wide::{F32x8, Mask, select_by_fields};
use super::{Quatx8, Vec3x8};
use crate::ik::limb::Limb;
use crate::ik::pair::stride;
use crate::ik::sweep::{REACH_ROUNDING, STALLED};
use crate::joint::{Effort, Joint3, MIN_SQUARE, Turning};
use crate::rotation::perpendicular;

/// A knee of each lane, and what is seen from it.
#[derive(Clone, Copy)]
struct Best {
    /// Which joint it is, as a number.
    joint: F32x8,
    knees: Knees,
    effector: Vec3x8,
    target: Vec3x8,
    /// From the hip to the knee.
    thigh: Vec3x8,
    /// The rotations of hip and knee.
    hip: Quatx8,
    local: Quatx8,
}

impl Best {
    /// None that leaves a gap of less than `gap`.
    fn none(gap: F32x8) -> Self {
        let zero = F32x8::ZERO;
        Self {
            joint: zero,
            knees: Knees {
                squared: zero,
                along: zero,
                bent: zero,
                worth: Worth { gap, cosine: F32x8::ONE },
            },
            effector: Vec3x8::ZERO,
            target: Vec3x8::ZERO,
            thigh: Vec3x8::ZERO,
            hip: Quatx8::IDENTITY,
            local: Quatx8::IDENTITY,
        }
    }
}

select_by_fields! {
    Best { joint, knees, effector, target, thigh, hip, local }
}

/// Joints, as numbers, how they are and what they turn to.
#[derive(Clone, Copy)]
struct Turns {
    joint: F32x8,
    local: Quatx8,
    turned: Quatx8,
}

impl Turns {
    fn back(&self) -> Self {
        Self { local: self.turned, turned: self.local, ..*self }
    }
}

select_by_fields!(Turns { joint, local, turned });

/// A knee within limits of each lane, and its hip.
#[derive(Clone, Copy)]
struct Limited {
    worth: Worth,
    knee: Turns,
    hip: Turns,
}

impl Limited {
    /// None that leaves a gap of less than `gap`.
    fn none(gap: F32x8) -> Self {
        let still = Quatx8::IDENTITY;
        let none = Turns { joint: F32x8::ZERO, local: still, turned: still };
        Self { worth: Worth { gap, cosine: -F32x8::ONE }, knee: none, hip: none }
    }
}

select_by_fields!(Limited { worth, knee, hip });

/// A joint to bend, and what is seen from it along its parent's axes.
struct Middle<'a> {
    joint: usize,
    local: Quatx8,
    limits: &'a Joint3,
    /// The effector in its own frame.
    arm: Vec3x8,
    effector: Vec3x8,
    target: Vec3x8,
}

/// A joint that turns for the bend of another: where it is from that one, along the axes of that
/// one's parent, and from those axes to its own.
struct Hip<'a> {
    joint: usize,
    local: Quatx8,
    limits: &'a Joint3,
    place: Vec3x8,
    axes: Quatx8,
}

impl Limbs<'_> {
    /// What a sweep or a pair must close of the gap to count.
    pub(super) fn least_gain(&self, gap: F32x8) -> F32x8 {
        (gap * STALLED).max(self.longest * REACH_ROUNDING)
    }

    /// Turns the best knee of each active lane, and of a limited one that `is_slow` the best pair
    /// of joints, if that brings the effector nearer; in which lanes it does.
    pub(super) fn turn_pairs(&mut self, tips: &mut Tips, active: Mask, is_slow: Mask) -> Mask {
        if self.is_free() {
            return self.turn_knees(tips, active);
        }
        let hinged = self.turn_hinged_knees(tips, active);
        let left = active & !hinged;
        let bent = self.turn_limited_knees(tips, left & !is_slow);
        hinged | bent | self.turn_pairs_alone(tips, left & is_slow)
    }

    fn turn_limited_knees(&mut self, tips: &mut Tips, active: Mask) -> Mask {
        let gap = self.gap_of(*tips);
        let most = gap - self.least_gain(gap);
        let active = active & most.gt(F32x8::ZERO);
        if !active.any() {
            return Mask::NONE;
        }
        let (best, found) = self.find_limited_knees(tips, most, active);
        self.turn_both(&best.knee, &best.hip, tips, found)
    }

    /// Lane by lane.
    fn turn_pairs_alone(&mut self, tips: &mut Tips, active: Mask) -> Mask {
        let mut turned = Mask::NONE;
        for lane in active.lanes() {
            let tip = tips.lane(lane);
            let turn = |limb: &mut Limb<'_, Vec3>| limb.turn_pair_by_angles(tip, Effort::FULL);
            if let Some(tip) = self.single(lane, turn) {
                tips.set_lane(lane, tip);
                turned = turned | Mask::only(lane);
            }
        }
        turned
    }

    fn turn_knees(&mut self, tips: &mut Tips, active: Mask) -> Mask {
        let gap = self.gap_of(*tips);
        let most = gap - self.least_gain(gap);
        let (best, found) = self.find_knees(tips, most, active & most.gt(F32x8::ZERO));
        if !found.any() {
            return Mask::NONE;
        }
        let Best { knees, effector, target, thigh, hip, local, .. } = best;
        let bent = knees.bend(effector, -thigh, found, |lane| perpendicular((-thigh).lane(lane)));
        let from_knee = Arms {
            effector: local.rotate_back_fast(effector),
            target: local.rotate_back_fast(bent),
        };
        let from_hip = Arms { effector: thigh + bent, target: thigh + target };
        let knee =
            Turns { joint: best.joint, local, turned: turn_free(local, &from_knee, found).local };
        let hip = Turns {
            joint: best.joint - F32x8::ONE,
            local: hip,
            turned: turn_free(hip, &from_hip, found).local,
        };
        self.turn_both(&knee, &hip, tips, found)
    }

    /// Turns two joints of each active lane, if that brings the effector nearer; in which lanes it
    /// does.
    fn turn_both(&mut self, knee: &Turns, hip: &Turns, tips: &mut Tips, active: Mask) -> Mask {
        self.turn_to(knee, hip, active);
        let turned = self.tips_of_relative();
        let nearer = active & self.gap_of(turned).lt(self.gap_of(*tips));
        // What was promised has been lost to rounding.
        let lost = active & !nearer;
        if lost.any() {
            self.turn_to(&knee.back(), &hip.back(), lost);
        }
        nearer.put(turned, tips);
        nearer
    }

    /// The best knees that leave gaps of less than `most`, and which lanes have one.
    fn find_knees(&self, tips: &Tips, most: F32x8, active: Mask) -> (Best, Mask) {
        let (mut effector, mut target) = (Vec3x8::ZERO, tips.see(self.target));
        let mut best = Best::none(most);
        let mut found = Mask::NONE;
        let bones = self.bones();
        let pose = self.rotations.iter().zip(bones).enumerate();
        let before = bones.iter().zip(self.rotations.iter());
        for ((joint, (local, bone)), (thigh, hip)) in pose.skip(1).zip(before).rev() {
            effector = local.rotate_fast(*bone + effector);
            target = local.rotate_fast(*bone + target);
            let knees = Knees::new(effector, target, -*thigh);
            let better = active
                & knees.worth.beats(best.knees.worth)
                & knees.squared.gt(F32x8::splat(MIN_SQUARE));
            if better.any() {
                let joint = F32x8::splat(joint as f32);
                let own = Best {
                    joint,
                    knees,
                    effector,
                    target,
                    thigh: *thigh,
                    hip: *hip,
                    local: *local,
                };
                best = better.select(own, best);
                found = found | better;
            }
        }
        (best, found)
    }

    /// The best knees within limits that leave gaps of less than `most`, with their hips, and which
    /// lanes have one.
    fn find_limited_knees(&self, tips: &Tips, most: F32x8, active: Mask) -> (Limited, Mask) {
        let (mut effector, mut target) = (Vec3x8::ZERO, tips.see(self.target));
        let mut root = tips.see(Vec3x8::ZERO);
        let mut best = Limited::none(most.max(self.tolerance));
        let mut found = Mask::NONE;
        let bones = self.bones();
        let stride = stride(bones.len());
        let pose = self.rotations.iter().zip(bones).zip(self.joints).enumerate().skip(1);
        // From the roots' own axes.
        let mut axes = self.rotations.first().map_or(tips.axes, |own| own.conjugate() * tips.axes);
        let before = bones.iter().zip(self.rotations.iter()).zip(self.joints);
        let first = self.rotations.first().zip(self.joints.first());
        for ((joint, ((local, bone), limits)), ((thigh, hip), hip_limits)) in pose.zip(before).rev()
        {
            let arm = *bone + effector;
            effector = local.rotate_fast(arm);
            target = local.rotate_fast(*bone + target);
            root = local.rotate_fast(*bone + root);
            axes = axes * local.conjugate();
            if joint % stride != 0 {
                continue;
            }
            let knee = Middle { joint, local: *local, limits, arm, effector, target };
            let hip = Hip {
                joint: joint - 1,
                local: *hip,
                limits: hip_limits,
                place: -*thigh,
                axes: Quatx8::IDENTITY,
            };
            found = found | self.try_knee(&knee, &hip, &mut best, active);
            if let Some((local, limits)) = first.filter(|_| joint > 1) {
                let hip = Hip { joint: 0, local: *local, limits, place: root, axes };
                found = found | self.try_knee(&knee, &hip, &mut best, active);
            }
        }
        (best, found)
    }

    /// Keeps a knee and its hip in the lanes where they are better than the best; says in which.
    fn try_knee(&self, knee: &Middle<'_>, hip: &Hip<'_>, best: &mut Limited, active: Mask) -> Mask {
        if !hip.limits.aims() {
            return Mask::NONE;
        }
        let Middle { local, effector, target, .. } = *knee;
        let knees = Knees::new(effector, target, hip.place);
        let of = |gap: F32x8| Worth { gap: gap.max(self.tolerance), cosine: knees.worth.cosine };
        let trying = active
            & of(knees.worth.gap).beats(best.worth)
            & knees.squared.gt(F32x8::splat(MIN_SQUARE));
        if !trying.any() {
            return Mask::NONE;
        }
        let bent =
            knees.bend(effector, hip.place, trying, |lane| perpendicular(hip.place.lane(lane)));
        let arms = Arms {
            effector: local.rotate_back_fast(effector),
            target: local.rotate_back_fast(bent),
        };
        let knee_turned = turn(knee.limits, local, &arms, trying).local;
        let (effector, target) =
            (knee_turned.rotate_fast(knee.arm) - hip.place, target - hip.place);
        let least = (effector.length() - target.length()).abs();
        let trying = trying & of(least).beats(best.worth);
        if !trying.any() {
            return Mask::NONE;
        }
        let arms =
            Arms { effector: hip.axes.rotate_fast(effector), target: hip.axes.rotate_fast(target) };
        let TurnedJoint { local: hip_turned, seen } = turn(hip.limits, hip.local, &arms, trying);
        let gap = seen.gap();
        let better = trying & of(gap).beats(best.worth);
        let own = Limited {
            worth: of(gap),
            knee: Turns { joint: F32x8::splat(knee.joint as f32), local, turned: knee_turned },
            hip: Turns {
                joint: F32x8::splat(hip.joint as f32),
                local: hip.local,
                turned: hip_turned,
            },
        };
        *best = better.select(own, *best);
        better
    }

    /// Turns two joints in each of the active lanes.
    fn turn_to(&mut self, knee: &Turns, hip: &Turns, active: Mask) {
        for (joint, rotation) in self.rotations.iter_mut().enumerate() {
            let own = F32x8::splat(joint as f32);
            let is_knee = active & knee.joint.eq(own);
            let is_hip = active & hip.joint.eq(own);
            *rotation = is_hip.select(hip.turned, is_knee.select(knee.turned, *rotation));
        }
    }
}
