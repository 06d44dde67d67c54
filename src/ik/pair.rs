//! Two joints turned together, where one by one they gain little.
//!
//! Two joints are a hip and a knee: the law of cosines says how far the knee must be bent for the
//! hip to turn the effector onto the target. For a chain that lies straight on the line to its
//! target this is the buckling that no gradient shows. With limits the two are turned as far as
//! they may be before they are chosen; where both are hinges, [`super::hinged_knee`] says how.
//! Where nothing is left to gain in this way, a joint is bent by a few angles, and another, nearer
//! to the root, turns so as to make the most of it.

use core::num::NonZeroUsize;

use super::knee::{Knee, Worth};
use super::limb::Limb;
use super::sweep::{Tip, turned};
use crate::joint::{Arm, Effort, MIN_SQUARE, Seen, Turning};
use crate::math;
use crate::rotation::Rotation;
use crate::space::Vector;

/// How far a joint with limits is bent, in radians: a little, and a lot, which carries a limb past
/// a limit to its other configuration.
const BENDS: [f32; 4] = [0.2, -0.2, 0.8, -0.8];

/// About how many joints of a long chain with limits are bent in search of a pair.
const PAIRS: usize = 24;

/// Of a chain of so many bones every so many joints are bent in search of a pair, so that a search
/// costs about as much as a few sweeps.
pub(crate) fn stride(bones: usize) -> NonZeroUsize {
    NonZeroUsize::MIN.saturating_add(bones / PAIRS)
}

/// A joint and what it would turn to, relative to its parent.
#[derive(Clone, Copy)]
pub(super) struct Turn<V: Vector> {
    pub(super) joint: usize,
    pub(super) turned: V::Rotation,
}

/// As for sweeps, rotations are relative to their parents; see [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// Turns the best knee and its hip, if that brings the effector nearer; returns the tip then.
    pub(crate) fn turn_knee(&mut self, tip: Tip<V>) -> Option<Tip<V>> {
        let gap = self.gap_of(tip);
        let most = self.most_of(gap)?;
        if self.is_free() {
            return self.turn_both(self.find_knee(tip, most)?, gap);
        }
        self.turn_hinged_knee(tip)
            .or_else(|| self.turn_both(self.find_limited_knee(tip, most)?, gap))
    }

    /// Turns the best pair of joints, if that brings the effector nearer; returns the tip then.
    pub(crate) fn turn_pair(&mut self, tip: Tip<V>, effort: Effort) -> Option<Tip<V>> {
        if effort.is_full() {
            if self.is_free() {
                return self.turn_knee(tip);
            }
            if let Some(left) = self.turn_hinged_knee(tip) {
                return Some(left);
            }
        }
        self.turn_pair_by_angles(tip, effort)
    }

    /// The same, of the pairs that are found by trying a few angles.
    pub(crate) fn turn_pair_by_angles(&mut self, tip: Tip<V>, effort: Effort) -> Option<Tip<V>> {
        let gap = self.gap_of(tip);
        let most = self.most_of(gap)?;
        self.turn_both(self.find_pair(tip, most, effort)?, gap)
    }

    /// What may be left of the gap for a pair to count, if anything.
    fn most_of(&self, gap: f32) -> Option<f32> {
        let most = gap - self.least_gain(gap);
        (most > 0.0).then_some(most)
    }

    /// Turns two joints, if that brings the effector nearer; returns the tip then.
    fn turn_both(&mut self, pair: [Turn<V>; 2], gap: f32) -> Option<Tip<V>> {
        let before = pair.map(|turn| self.turn_to(turn));
        let tip = self.tip_of_relative();
        if self.gap_of(tip) < gap {
            return Some(tip);
        }
        // What was promised has been lost to rounding.
        for turn in before.into_iter().flatten() {
            self.turn_to(turn);
        }
        None
    }

    /// How a joint would turn, and what would be seen from it then.
    pub(super) fn turn_of(
        &self,
        joint: usize,
        arm: Arm<V>,
        effort: Effort,
    ) -> Option<(Turn<V>, Seen<V>)> {
        let local = *self.rotations.get(joint)?;
        let (turned, seen) = turned(self.joint(joint), local, arm, effort);
        Some((Turn { joint, turned }, seen))
    }

    /// Turns a joint; returns how it was.
    pub(super) fn turn_to(&mut self, turn: Turn<V>) -> Option<Turn<V>> {
        let local = self.rotations.get_mut(turn.joint)?;
        Some(Turn { turned: core::mem::replace(local, turn.turned), ..turn })
    }
}

/// Free chains.
impl<V: Vector> Limb<'_, V> {
    /// How the best knee and its hip turn, if that leaves a gap of less than `most`.
    fn find_knee(&self, tip: Tip<V>, most: f32) -> Option<[Turn<V>; 2]> {
        let mut best = None;
        let mut worth = Worth { gap: most, cosine: 1.0 };
        let mut seen = Seen { effector: V::ZERO, target: tip.sees(self.target) };
        let pose = self.rotations.iter().zip(self.bones.iter()).enumerate();
        for ((joint, (local, bone)), thigh) in pose.skip(1).zip(self.bones.iter()).rev() {
            seen = Seen::of(seen.across(*bone), *local);
            let knee = Knee::new(seen, -*thigh);
            if knee.worth.beats(worth) && knee.squared > MIN_SQUARE {
                (best, worth) = (Some((joint, knee, seen)), knee.worth);
            }
        }
        let (joint, knee, seen) = best?;
        let (thigh, local) = (*self.bones.get(joint - 1)?, *self.rotations.get(joint)?);
        let hip = -thigh;
        let effector = knee.bend(seen.effector, hip, || hip.perpendicular());
        let from_knee = Seen { target: effector, ..seen }.arm(local);
        let from_hip = Seen { effector, ..seen }.across(thigh);
        let (hip, _) = self.turn_of(joint - 1, from_hip, Effort::FULL)?;
        let (knee, _) = self.turn_of(joint, from_knee, Effort::FULL)?;
        Some([knee, hip])
    }
}

/// A joint to bend, and what is seen from it.
pub(super) struct Middle<V: Vector> {
    pub(super) joint: usize,
    pub(super) local: V::Rotation,
    /// The effector in its own frame.
    pub(super) arm: V,
    pub(super) seen: Seen<V>,
    /// The joint before it and the root, which may be one.
    pub(super) hips: [Hip<V>; 2],
}

/// A joint that turns for the bend of another.
pub(super) struct Hip<V: Vector> {
    pub(super) joint: usize,
    /// From the bent joint, along the axes of that one's parent.
    pub(super) place: V,
    /// From those axes to its own.
    axes: V::Rotation,
}

impl<V: Vector> Hip<V> {
    /// What is left of the gap at the least: however it turns, the effector stays as far from it.
    fn least_gap(&self, seen: Seen<V>) -> f32 {
        (seen.effector.distance(self.place) - seen.target.distance(self.place)).abs()
    }

    fn arm(&self, seen: Seen<V>) -> Arm<V> {
        Arm {
            effector: self.axes.rotate_fast(seen.effector - self.place),
            target: self.axes.rotate_fast(seen.target - self.place),
        }
    }
}

/// Chains with limits, and turns in part.
impl<V: Vector> Limb<'_, V> {
    /// The joints to bend, from the tip.
    pub(super) fn middles(&self, tip: Tip<V>) -> impl Iterator<Item = Middle<V>> {
        let stride = stride(self.bones.len());
        let mut seen = Seen { effector: V::ZERO, target: tip.sees(self.target) };
        let mut root = tip.sees(V::ZERO);
        let pose = self.rotations.iter().zip(self.bones.iter()).enumerate().skip(1);
        // From the root's own axes.
        let mut axes = self.rotations.first().map_or(tip.axes, |own| own.inverse() * tip.axes);
        let walk =
            pose.zip(self.bones.iter()).rev().map(move |((joint, (local, bone)), before)| {
                let arm = seen.across(*bone);
                seen = Seen::of(arm, *local);
                root = local.rotate_fast(*bone + root);
                axes = axes * local.inverse();
                let hips = [
                    Hip { joint: joint - 1, place: -*before, axes: V::Rotation::IDENTITY },
                    Hip { joint: 0, place: root, axes },
                ];
                Middle { joint, local: *local, arm: arm.effector, seen, hips }
            });
        walk.filter(move |middle| middle.joint % stride == 0)
    }

    /// How the best knee and its hip turn within their limits, if that leaves a gap of less than
    /// `most`. Within the tolerance one gap is as good as another, and the smaller bend is better.
    fn find_limited_knee(&self, tip: Tip<V>, most: f32) -> Option<[Turn<V>; 2]> {
        let mut best = None;
        let mut worth = Worth { gap: math::greater(most, self.tolerance), cosine: -1.0 };
        for Middle { joint, local, arm, seen, hips } in self.middles(tip) {
            for hip in hips.iter().take(joint).filter(|hip| self.aims(hip.joint)) {
                let knee = Knee::new(seen, hip.place);
                let of = |gap| Worth { gap: math::greater(gap, self.tolerance), ..knee.worth };
                if !of(knee.worth.gap).beats(worth) || knee.squared <= MIN_SQUARE {
                    continue;
                }
                let bent = knee.bend(seen.effector, hip.place, || hip.place.perpendicular());
                let from_knee = Seen { target: bent, ..seen }.arm(local);
                let (knee, _) = self.turn_of(joint, from_knee, Effort::FULL)?;
                let seen = Seen { effector: knee.turned.rotate_fast(arm), ..seen };
                if !of(hip.least_gap(seen)).beats(worth) {
                    continue;
                }
                let (hip, seen) = self.turn_of(hip.joint, hip.arm(seen), Effort::FULL)?;
                if of(seen.gap()).beats(worth) {
                    (best, worth) = (Some([knee, hip]), of(seen.gap()));
                }
            }
        }
        best
    }

    /// Whether a joint may be a hip.
    pub(super) fn aims(&self, joint: usize) -> bool {
        self.joints.get(joint).is_none_or(Turning::aims)
    }

    /// How the best pair turns, if that leaves a gap of less than `most`.
    fn find_pair(&self, tip: Tip<V>, most: f32, effort: Effort) -> Option<[Turn<V>; 2]> {
        let (mut best, mut best_gap) = (None, most);
        for Middle { joint, local, arm, seen, hips } in self.middles(tip) {
            let limits = self.joint(joint);
            let axis = limits.bend_axis(arm);
            for angle in BENDS {
                let (turned, effector) = limits.bend(local, arm, (axis, angle), effort);
                let seen = Seen { effector, ..seen };
                for hip in hips.iter().take(joint) {
                    if hip.least_gap(seen) >= best_gap {
                        continue;
                    }
                    let (turn, seen) = self.turn_of(hip.joint, hip.arm(seen), effort)?;
                    if seen.gap() < best_gap {
                        (best, best_gap) = (Some([Turn { joint, turned }, turn]), seen.gap());
                    }
                }
            }
        }
        best
    }
}
