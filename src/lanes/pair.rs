//! Pairs of joints of eight chains: those of `ik/pair.rs` by lanes, where all joints are free.

use super::limb::Limbs;
use super::turn::{Arms, turn_free};
use super::wide::{F32x8, Mask};
use super::{Quatx8, Vec3x8};
use crate::ik::pair::{LARGEST, ON_LINE};
use crate::ik::sweep::{ROUNDING, STALLED};
use crate::joint::{Effort, MIN_SQUARE};
use crate::rotation::perpendicular;

/// Joints, their effectors and their partners: [`crate::ik::pair`]'s triangle.
struct Triangles {
    squared: F32x8,
    along: F32x8,
    bent: F32x8,
    gap: F32x8,
    cosine: F32x8,
}

impl Triangles {
    fn new(effector: Vec3x8, target: Vec3x8, partner: Vec3x8) -> Self {
        let (arm, base) = (effector.length_squared(), partner.length_squared());
        let (squared, sides) = (arm * base, arm + base);
        let across = |along: F32x8| (squared - along * along).max(F32x8::ZERO).sqrt();
        let along = effector.dot(partner);
        let wanted = (target - partner).length_squared();
        let ideal = (sides - wanted) * 0.5;
        let product = squared.sqrt();
        let bent = ideal.gt(product).select(product, ideal);
        let bent = ideal.lt(-product).select(-product, bent);
        let cosine = (along * bent + across(along) * across(bent)) / squared;
        let largest = F32x8::splat(LARGEST);
        let is_large = cosine.lt(largest);
        let across = across(along);
        let most = largest * bent.gt(along).select(along + across, along - across);
        let bent = is_large.select(most, bent);
        let left = (sides - bent * 2.0).max(F32x8::ZERO).sqrt();
        let gap = bent.eq(ideal).select(F32x8::ZERO, (left - wanted.sqrt()).abs());
        Self { squared, along, bent, gap, cosine: is_large.select(largest, cosine) }
    }

    /// Where the bends take the effectors; what comes of lanes that are not `active` is no matter.
    fn effector(&self, effector: Vec3x8, partner: Vec3x8, active: Mask) -> Vec3x8 {
        let per_square = F32x8::ONE / partner.length_squared();
        let aside = effector - partner * (self.along * per_square);
        let (width, length) = (aside.length_squared(), effector.length_squared());
        let is_off = width.gt(length * (ON_LINE * ON_LINE));
        let mut aside = aside * (F32x8::ONE / width.sqrt());
        for lane in (active & !is_off).lanes() {
            aside.set_lane(lane, perpendicular(partner.lane(lane)));
        }
        let height = (self.squared - self.bent * self.bent).max(F32x8::ZERO) * per_square;
        partner * (self.bent * per_square) + aside * height.sqrt()
    }
}

/// The best pair of each lane so far: which joints, as numbers, and where the bend takes the
/// effector, from the bent joint along its parent's axes.
struct Pairs {
    gap: F32x8,
    cosine: F32x8,
    bent: F32x8,
    partner: F32x8,
    effector: Vec3x8,
}

/// Rotations of joints that were turned, should they have to turn back.
struct Before {
    bent: Quatx8,
    partner: Quatx8,
}

impl Limbs<'_> {
    /// What a sweep or a pair must close of the gap to count.
    pub(super) fn least_gain(&self, gap: F32x8) -> F32x8 {
        (gap * STALLED).max(self.longest * ROUNDING)
    }

    /// Turns the best pair of joints of each active lane, if that brings the effector nearer; the
    /// lanes in which it does, and the gaps then.
    pub(super) fn turn_pairs(&mut self, gap: F32x8, active: Mask, is_free: bool) -> (Mask, F32x8) {
        if is_free { self.turn_free_pairs(gap, active) } else { self.turn_pairs_alone(gap, active) }
    }

    /// Lane by lane.
    fn turn_pairs_alone(&mut self, gap: F32x8, active: Mask) -> (Mask, F32x8) {
        let (mut turned, mut left) = (Mask::NONE, gap);
        for lane in active.lanes() {
            let turn = |limb: &mut crate::ik::limb::Limb<'_, glam::Vec3>| {
                limb.turn_pair(gap.lane(lane), Effort::FULL)
            };
            if let Some(gap) = self.single(lane, turn) {
                left.set_lane(lane, gap);
                turned = turned | Mask::only(lane);
            }
        }
        (turned, left)
    }

    fn turn_free_pairs(&mut self, gap: F32x8, active: Mask) -> (Mask, F32x8) {
        let most = gap - self.least_gain(gap);
        let active = active & most.gt(F32x8::ZERO);
        if !active.any() {
            return (Mask::NONE, gap);
        }
        let pairs = self.find_pairs(most, active);
        let found = active & pairs.gap.lt(most);
        if !found.any() {
            return (Mask::NONE, gap);
        }
        let before = self.turn_both(&pairs, found);
        let left = (self.effector_of_relative() - self.target).length();
        let nearer = found & left.lt(gap);
        self.turn_back(&pairs, &before, found & !nearer);
        (nearer, left)
    }

    /// The best pairs that leave gaps of less than `most`.
    fn find_pairs(&self, most: F32x8, active: Mask) -> Pairs {
        let mut best = Pairs {
            gap: most,
            cosine: F32x8::ONE,
            bent: F32x8::ZERO,
            partner: F32x8::ZERO,
            effector: Vec3x8::ZERO,
        };
        let (mut effector, mut target) = (Vec3x8::ZERO, self.seen_from_tip(self.target));
        let mut root = self.seen_from_tip(Vec3x8::ZERO);
        let bones = self.bones();
        let pose = self.rotations.iter().zip(bones).enumerate().skip(1).zip(bones).rev();
        for ((joint, (local, bone)), before) in pose {
            effector = local.swing(*bone + effector);
            target = local.swing(*bone + target);
            root = local.swing(*bone + root);
            let partners = [(joint - 1, -*before), (0, root)];
            for (partner, place) in partners.into_iter().take(joint) {
                let triangles = Triangles::new(effector, target, place);
                let Triangles { squared, gap, cosine, .. } = triangles;
                let beats = gap.lt(best.gap) | gap.eq(best.gap) & cosine.gt(best.cosine);
                let better = active & beats & squared.gt(F32x8::splat(MIN_SQUARE));
                if better.any() {
                    let bent = triangles.effector(effector, place, better);
                    best = Pairs {
                        gap: better.select(gap, best.gap),
                        cosine: better.select(cosine, best.cosine),
                        bent: better.select(F32x8::splat(joint as f32), best.bent),
                        partner: better.select(F32x8::splat(partner as f32), best.partner),
                        effector: better.select(bent, best.effector),
                    };
                }
            }
        }
        best
    }

    /// Bends the joints, and turns their partners to the targets; returns how they were.
    fn turn_both(&mut self, pairs: &Pairs, active: Mask) -> Before {
        let mut before = Before { bent: Quatx8::IDENTITY, partner: Quatx8::IDENTITY };
        let (mut effector, mut target) = (Vec3x8::ZERO, self.seen_from_tip(self.target));
        let (bones, rotations) = self.bones_and_rotations();
        for (joint, (local, bone)) in rotations.iter_mut().zip(bones).enumerate().rev() {
            let own = F32x8::splat(joint as f32);
            let bends = active & pairs.bent.eq(own);
            let partners = active & pairs.partner.eq(own);
            (effector, target) = (*bone + effector, *bone + target);
            let mut seen = local.swing(effector);
            let turns = bends | partners;
            if turns.any() {
                let goal = bends.select(local.swing_back(pairs.effector), target);
                let arms = Arms { effector, target: goal, target_seen: local.swing(goal) };
                let (turned, at) = turn_free(*local, &arms, turns);
                seen = turns.select(at, seen);
                before.bent = bends.select(*local, before.bent);
                before.partner = partners.select(*local, before.partner);
                target = local.swing(target);
                *local = turns.select(turned, *local);
            } else {
                target = local.swing(target);
            }
            effector = seen;
        }
        before
    }

    /// Undoes [`Limbs::turn_both`] where what was promised has been lost to rounding.
    fn turn_back(&mut self, pairs: &Pairs, before: &Before, lanes: Mask) {
        if !lanes.any() {
            return;
        }
        for (joint, local) in self.rotations.iter_mut().enumerate() {
            let own = F32x8::splat(joint as f32);
            *local = (lanes & pairs.bent.eq(own)).select(before.bent, *local);
            *local = (lanes & pairs.partner.eq(own)).select(before.partner, *local);
        }
    }
}
