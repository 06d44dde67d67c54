//! Pairs of joints of eight chains: those of `ik/pair.rs`, hips and knees by lanes.

use glam::Vec3;

use super::limb::Limbs;
use super::turn::{Arms, turn_free};
use super::wide::{F32x8, Mask, Select};
use super::{Quatx8, Vec3x8};
use crate::ik::limb::Limb;
use crate::ik::pair::ON_LINE;
use crate::ik::sweep::{ROUNDING, STALLED};
use crate::joint::{Effort, MIN_SQUARE};
use crate::rotation::perpendicular;

/// Knees between their hips and the effectors, as [`crate::ik::pair`] has them.
#[derive(Clone, Copy)]
struct Knees {
    squared: F32x8,
    along: F32x8,
    bent: F32x8,
    gap: F32x8,
    cosine: F32x8,
}

impl Knees {
    fn new(effector: Vec3x8, target: Vec3x8, hip: Vec3x8) -> Self {
        let (shin, thigh) = (effector.length_squared(), hip.length_squared());
        let (squared, sides) = (shin * thigh, shin + thigh);
        let along = effector.dot(hip);
        let wanted = (target - hip).length_squared();
        let ideal = (sides - wanted) * 0.5;
        let product = squared.sqrt();
        let across = |along: F32x8| (squared - along * along).max(F32x8::ZERO);
        let bent = ideal.gt(product).select(product, ideal);
        let mut bent = ideal.lt(-product).select(-product, bent);
        let mut cosine = (along * bent + (across(along) * across(bent)).sqrt()) / squared;
        let is_large = cosine.lt(F32x8::ZERO);
        if is_large.any() {
            let across = across(along).sqrt();
            bent = is_large.select(bent.gt(along).select(across, -across), bent);
            cosine = is_large.select(F32x8::ZERO, cosine);
        }
        let mut gap = F32x8::ZERO;
        let falls_short = !bent.eq(ideal);
        if falls_short.any() {
            let from_hip = (sides - bent * 2.0).max(F32x8::ZERO).sqrt();
            gap = falls_short.select((from_hip - wanted.sqrt()).abs(), gap);
        }
        Self { squared, along, bent, gap, cosine }
    }

    /// The nearer the better, and of two as near the smaller bend.
    fn beat(&self, other: &Self) -> Mask {
        self.gap.lt(other.gap) | self.gap.eq(other.gap) & self.cosine.gt(other.cosine)
    }

    /// Where the bends take the effectors; what comes of lanes that are not `active` is no matter.
    fn bend(&self, effector: Vec3x8, hip: Vec3x8, active: Mask) -> Vec3x8 {
        let per_square = F32x8::ONE / hip.length_squared();
        let aside = effector - hip * (self.along * per_square);
        let (width, length) = (aside.length_squared(), effector.length_squared());
        let is_off = width.gt(length * (ON_LINE * ON_LINE));
        let mut aside = aside * (F32x8::ONE / width.sqrt());
        for lane in (active & !is_off).lanes() {
            aside.set_lane(lane, perpendicular(hip.lane(lane)));
        }
        let height = (self.squared - self.bent * self.bent).max(F32x8::ZERO) * per_square;
        hip * (self.bent * per_square) + aside * height.sqrt()
    }
}

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
            knees: Knees { squared: zero, along: zero, bent: zero, gap, cosine: F32x8::ONE },
            effector: Vec3x8::ZERO,
            target: Vec3x8::ZERO,
            thigh: Vec3x8::ZERO,
            hip: Quatx8::IDENTITY,
            local: Quatx8::IDENTITY,
        }
    }
}

impl Select for Knees {
    #[inline]
    fn select(mask: Mask, yes: Self, no: Self) -> Self {
        Self {
            squared: mask.select(yes.squared, no.squared),
            along: mask.select(yes.along, no.along),
            bent: mask.select(yes.bent, no.bent),
            gap: mask.select(yes.gap, no.gap),
            cosine: mask.select(yes.cosine, no.cosine),
        }
    }
}

impl Select for Best {
    #[inline]
    fn select(mask: Mask, yes: Self, no: Self) -> Self {
        Self {
            joint: mask.select(yes.joint, no.joint),
            knees: mask.select(yes.knees, no.knees),
            effector: mask.select(yes.effector, no.effector),
            target: mask.select(yes.target, no.target),
            thigh: mask.select(yes.thigh, no.thigh),
            hip: mask.select(yes.hip, no.hip),
            local: mask.select(yes.local, no.local),
        }
    }
}

impl Limbs<'_> {
    /// What a sweep or a pair must close of the gap to count.
    pub(super) fn least_gain(&self, gap: F32x8) -> F32x8 {
        (gap * STALLED).max(self.longest * ROUNDING)
    }

    /// Turns the best pair of joints of each active lane, if that brings the effector nearer; in
    /// which lanes it does, and the gaps then.
    pub(super) fn turn_pairs(&mut self, gap: F32x8, active: Mask, is_free: bool) -> (Mask, F32x8) {
        if is_free { self.turn_knees(gap, active) } else { self.turn_pairs_alone(gap, active) }
    }

    /// Lane by lane.
    fn turn_pairs_alone(&mut self, gap: F32x8, active: Mask) -> (Mask, F32x8) {
        let (mut turned, mut left) = (Mask::NONE, gap);
        for lane in active.lanes() {
            let gap = gap.lane(lane);
            let turn = |limb: &mut Limb<'_, Vec3>| limb.turn_pair(gap, Effort::FULL);
            if let Some(gap) = self.single(lane, turn) {
                left.set_lane(lane, gap);
                turned = turned | Mask::only(lane);
            }
        }
        (turned, left)
    }

    fn turn_knees(&mut self, gap: F32x8, active: Mask) -> (Mask, F32x8) {
        let most = gap - self.least_gain(gap);
        let (best, found) = self.find_knees(most, active & most.gt(F32x8::ZERO));
        if !found.any() {
            return (Mask::NONE, gap);
        }
        let Best { knees, effector, target, thigh, hip, local, .. } = best;
        let bent = knees.bend(effector, -thigh, found);
        let aim = local.swing_back(bent);
        let from_knee = Arms {
            effector: local.swing_back(effector),
            target: aim,
            target_seen: local.swing(aim),
        };
        let aim = thigh + target;
        let from_hip = Arms { effector: thigh + bent, target: aim, target_seen: hip.swing(aim) };
        let turned = (turn_free(hip, &from_hip, found).0, turn_free(local, &from_knee, found).0);
        self.turn_to(best.joint, turned, found);
        let left = (self.effector_of_relative() - self.target).length();
        let nearer = found & left.lt(gap);
        // What was promised has been lost to rounding.
        let lost = found & !nearer;
        if lost.any() {
            self.turn_to(best.joint, (hip, local), lost);
        }
        (nearer, left)
    }

    /// The best knees that leave gaps of less than `most`, and which lanes have one.
    fn find_knees(&self, most: F32x8, active: Mask) -> (Best, Mask) {
        let (mut effector, mut target) = (Vec3x8::ZERO, self.seen_from_tip(self.target));
        let mut best = Best::none(most);
        let mut found = Mask::NONE;
        let bones = self.bones();
        let pose = self.rotations.iter().zip(bones).enumerate();
        let before = bones.iter().zip(self.rotations.iter());
        for ((joint, (local, bone)), (thigh, hip)) in pose.skip(1).zip(before).rev() {
            effector = local.swing(*bone + effector);
            target = local.swing(*bone + target);
            let knees = Knees::new(effector, target, -*thigh);
            let better =
                active & knees.beat(&best.knees) & knees.squared.gt(F32x8::splat(MIN_SQUARE));
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

    /// Turns a knee and its hip in each of the active lanes.
    fn turn_to(&mut self, knee: F32x8, (hip, local): (Quatx8, Quatx8), active: Mask) {
        for (joint, rotation) in self.rotations.iter_mut().enumerate() {
            let own = F32x8::splat(joint as f32);
            let is_knee = active & knee.eq(own);
            let is_hip = active & knee.eq(own + F32x8::ONE);
            *rotation = is_hip.select(hip, is_knee.select(local, *rotation));
        }
    }
}
