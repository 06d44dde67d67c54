//! Knees that are hinges, with hips that are: as such a hip does not aim, or not far, all joints
//! before the knee turn in its place, one by one as in a sweep. Where none is worth it on the side
//! to which it is bent, one is bent over to the other: the limb's other configuration.

use super::knee::bend_hinge;
use super::limb::Limb;
use super::pair::{Middle, Turn};
use super::sweep::Tip;
use crate::joint::{Effort, Freedom, Range, Seen};
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// A knee and hip of hinges that leave more than this share of the gap are not worth it: they would
/// keep the search from better pairs.
pub(crate) const WORTHWHILE: f32 = 0.9;

/// Nor is one that gains less than this share of the reach: what so many turns in a row promise is
/// far beyond their rounding then.
pub(crate) const CERTAIN: f32 = 64.0 * f32::EPSILON;

/// Whether there is a hinge before a hinge.
pub(crate) fn has_hinged_knees<V: Vector>(joints: &[V::Joint]) -> bool {
    let mut pairs = joints.iter().zip(joints.iter().skip(1));
    pairs.any(|(hip, knee)| is_hinge::<V>(hip) && is_hinge::<V>(knee))
}

fn is_hinge<V: Vector>(joint: &V::Joint) -> bool {
    matches!(joint.freedom(), Freedom::Hinge(..))
}

/// On which side of straight a hinge's range leaves more room for its bend.
pub(crate) fn roomier_side(range: Range, angle: f32) -> f32 {
    if range.max - angle > angle - range.min { -1.0 } else { 1.0 }
}

/// As for sweeps, rotations are relative to their parents; see [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// Turns the best such knee and all joints before it, if that is worth it; returns the tip
    /// then.
    pub(super) fn turn_hinged_knee(&mut self, tip: Tip<V>) -> Option<Tip<V>> {
        if !has_hinged_knees::<V>(self.joints) {
            return None;
        }
        let gap = self.gap_of(tip);
        let most = (WORTHWHILE * gap).min(gap - CERTAIN * self.reach.longest);
        if most <= 0.0 {
            return None;
        }
        let (knee, mut seen) = self
            .find_hinged_knee(tip, most, |[own, _]| own)
            .or_else(|| self.find_hinged_knee(tip, most, |[_, other]| other))?;
        // None of the turns is ever taken back.
        self.turn_to(knee);
        for before in (0..knee.joint).rev() {
            let (turn, next) = self.turn_before(before, seen)?;
            self.turn_to(turn);
            seen = next;
        }
        Some(self.tip_of_relative())
    }

    /// How the best knee bends to a side of the line to its hip, and what is seen from it then, if
    /// in the end that leaves a gap of less than `most`.
    fn find_hinged_knee(
        &self,
        tip: Tip<V>,
        most: f32,
        side: impl Fn([V; 2]) -> V,
    ) -> Option<(Turn<V>, Seen<V>)> {
        let (mut best, mut best_gap) = (None, most);
        for Middle { joint, local, arm, seen, hips: [hip, _] } in self.middles(tip) {
            let Some(limits) = self.joints.get(joint) else { continue };
            let Freedom::Hinge(axis, range) = limits.freedom() else { continue };
            if !self.joints.get(hip.joint).is_some_and(is_hinge::<V>) {
                continue;
            }
            let own = || roomier_side(range, limits.angle_of(local));
            let Some(bent) = bend_hinge(seen, hip.place, local.rotate_spin(axis), own) else {
                continue;
            };
            let from_knee = Seen { target: side(bent), ..seen }.arm(local);
            let (knee, _) = self.turn_of(joint, from_knee, Effort::FULL)?;
            let seen = Seen { effector: knee.turned.rotate_fast(arm), ..seen };
            let gap = self.gap_of_sweep_before(joint, seen)?;
            if gap < best_gap {
                (best, best_gap) = (Some((knee, seen)), gap);
            }
        }
        best
    }

    /// What a sweep over all joints before this one would leave of the gap.
    fn gap_of_sweep_before(&self, joint: usize, seen: Seen<V>) -> Option<f32> {
        let turn = |seen, before| Some(self.turn_before(before, seen)?.1);
        (0..joint).rev().try_fold(seen, turn).map(Seen::gap)
    }

    /// How a joint would turn in a sweep, by what is seen from the next one.
    fn turn_before(&self, joint: usize, seen: Seen<V>) -> Option<(Turn<V>, Seen<V>)> {
        self.turn_of(joint, seen.across(*self.bones.get(joint)?), Effort::FULL)
    }
}
