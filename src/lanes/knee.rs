//! The geometry of knees of eight chains: that of `ik/knee.rs` by lanes.

use glam::Vec3;

use super::Vec3x8;
use super::wide::{F32x8, Mask, select_by_fields};
use crate::ik::knee::{NO_SIDE, beside};
use crate::joint::MIN_SQUARE;

/// What bends of knees come to, as [`crate::ik::knee`] has it.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    pub(super) gap: F32x8,
    pub(super) cosine: F32x8,
}

impl Worth {
    /// The nearer the better, and of two as near the smaller bend.
    pub(super) fn beats(self, other: Self) -> Mask {
        self.gap.lt(other.gap) | self.gap.eq(other.gap) & self.cosine.gt(other.cosine)
    }
}

/// Knees between their hips and the effectors, as [`crate::ik::knee`] has them.
#[derive(Clone, Copy)]
pub(super) struct Knees {
    pub(super) squared: F32x8,
    pub(super) along: F32x8,
    pub(super) bent: F32x8,
    pub(super) worth: Worth,
}

impl Knees {
    pub(super) fn new(effector: Vec3x8, target: Vec3x8, hip: Vec3x8) -> Self {
        Self::bent_to(effector, hip, (target - hip).length_squared())
    }

    fn bent_to(effector: Vec3x8, hip: Vec3x8, wanted: F32x8) -> Self {
        let (shin, thigh) = (effector.length_squared(), hip.length_squared());
        let (squared, sides) = (shin * thigh, shin + thigh);
        let along = effector.dot(hip);
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
        Self { squared, along, bent, worth: Worth { gap, cosine } }
    }

    /// Where the bends take the effectors, from next to the line to where `side` says for the lane;
    /// what comes of lanes that are not `active` is no matter.
    pub(super) fn bend(
        &self,
        effector: Vec3x8,
        hip: Vec3x8,
        active: Mask,
        side: impl Fn(usize) -> Vec3,
    ) -> Vec3x8 {
        let per_square = F32x8::ONE / hip.length_squared();
        let aside = effector - hip * (self.along * per_square);
        let (width, length) = (aside.length_squared(), effector.length_squared());
        let is_off = width.gt(length * (NO_SIDE * NO_SIDE));
        let mut aside = aside * (F32x8::ONE / width.sqrt());
        for lane in (active & !is_off).lanes() {
            aside.set_lane(lane, side(lane));
        }
        let height = (self.squared - self.bent * self.bent).max(F32x8::ZERO) * per_square;
        hip * (self.bent * per_square) + aside * height.sqrt()
    }
}

select_by_fields! {
    Worth { gap, cosine }
    Knees { squared, along, bent, worth }
}

/// Where the effectors are when hinges have brought them as far from their hips as the targets are,
/// on both sides, and in which of the active lanes a turn does; as [`crate::ik::knee`] has it.
pub(super) fn bend_hinges(
    (effector, target): (Vec3x8, Vec3x8),
    hip: Vec3x8,
    axis: Vec3x8,
    active: Mask,
    side: impl Fn(usize) -> f32,
) -> ([Vec3x8; 2], Mask) {
    let off_axis = |v: Vec3x8| v - axis * v.dot(axis);
    let (around, place) = (off_axis(effector), off_axis(hip));
    let (along, across) = (effector - hip, around - place);
    let kept = along.length_squared() - across.length_squared();
    let wanted = (target - hip).length_squared() - kept;
    let knees = Knees::bent_to(around, place, wanted.max(F32x8::ZERO));
    let bends = active & knees.squared.gt(F32x8::splat(MIN_SQUARE));
    let beside = |lane| beside(place.lane(lane), axis.lane(lane), side(lane));
    let bent = knees.bend(around, place, bends, beside);
    let on_line = place * (knees.bent / place.length_squared());
    ([bent, on_line * 2.0 - bent], bends)
}
