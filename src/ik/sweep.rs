//! Turning the joints of a limb one by one, or two at a time, so that the effector comes nearer to
//! the target.

use core::mem::take;

use super::limb::Limb;
use crate::joint::{Arm, Effort, Frame};
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

impl<V: Vector> Limb<'_, V> {
    /// One sweep against the chain, from world rotations to world rotations; returns the effector.
    ///
    /// Turning a joint moves everything beyond it, but the joints nearer to the root only ask
    /// where the effector is. So each new rotation is written relative to its parent, which has
    /// not turned yet, and one pass from the root lays the chain out again.
    pub(crate) fn sweep_from_tip(&mut self, mut effector: V, effort: Effort) -> V {
        let free = V::Joint::FREE;
        let joints = self.joints;
        let mut position = effector;
        let mut rest = &mut *self.rotations;
        if let Some((last, before)) = take(&mut rest).split_last_mut() {
            *last = before.last().map_or(*last, |parent| parent.inverse() * *last);
            rest = before;
        }
        for (index, bone) in self.bones.iter().enumerate().rev() {
            let Some((slot, before)) = take(&mut rest).split_last_mut() else {
                break;
            };
            let frame = Frame {
                parent: before.last().copied().unwrap_or(V::Rotation::IDENTITY),
                own: *slot,
            };
            position = position - frame.own.rotate(*bone);
            let arm = Arm { effector: effector - position, target: self.target - position };
            let (own, arm) = joints.get(index).unwrap_or(&free).turn(frame, arm, effort);
            effector = position + arm;
            *slot = frame.parent.inverse() * own;
            rest = before;
        }
        self.lay_out()
    }

    /// Rotations relative to the parents to world rotations; returns the effector.
    fn lay_out(&mut self) -> V {
        let mut parent = V::Rotation::IDENTITY;
        let mut position = V::ZERO;
        let mut bones = self.bones.iter();
        for rotation in self.rotations.iter_mut() {
            parent = (parent * *rotation).renormalized();
            *rotation = parent;
            position = bones.next().map_or(position, |bone| position + parent.rotate(*bone));
        }
        position
    }

    /// One sweep along the chain, from world rotations to world rotations; returns the effector.
    pub(crate) fn sweep_from_root(&mut self, mut effector: V, effort: Effort) -> V {
        let free = V::Joint::FREE;
        let mut parent = V::Rotation::IDENTITY;
        // The turn that the joints before have made, and carried everything beyond along.
        let mut carried = V::Rotation::IDENTITY;
        let mut position = V::ZERO;
        let mut bones = self.bones.iter().enumerate();
        for rotation in self.rotations.iter_mut() {
            let frame = Frame { parent, own: (carried * *rotation).renormalized() };
            let Some((index, bone)) = bones.next() else {
                *rotation = frame.own;
                break;
            };
            let arm = Arm { effector: effector - position, target: self.target - position };
            let (own, arm) = self.joints.get(index).unwrap_or(&free).turn(frame, arm, effort);
            effector = position + arm;
            position = position + own.rotate(*bone);
            carried = (own * rotation.inverse()).renormalized();
            *rotation = own;
            parent = own;
        }
        position
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
    pub(crate) fn find_pair(&mut self, effector: V, gap: f32, effort: Effort) -> Option<Pair<V>> {
        let free = V::Joint::FREE;
        let mut best: Option<Pair<V>> = None;
        let mut best_gap = gap - self.least_gain(gap);
        let mut position = effector;
        let stride = 1 + self.bones.len() / PAIRS;
        for (bent, bone) in self.bones.iter().enumerate().skip(1).rev() {
            let frame = self.frame(bent)?;
            position = position - frame.own.rotate(*bone);
            if bent % stride != 0 {
                continue;
            }
            let joint = self.joints.get(bent).unwrap_or(&free);
            let before = self.bones.get(bent - 1).copied().unwrap_or(V::ZERO);
            let partners = [(bent - 1, position - frame.parent.rotate(before)), (0, V::ZERO)];
            for angle in BENDS {
                let (own, arm) = joint.bend(frame, effector - position, angle, effort);
                let moved = position + arm;
                for (partner, pivot) in partners {
                    let frame = self.frame(partner)?;
                    let arm = Arm { effector: moved - pivot, target: self.target - pivot };
                    let joint = self.joints.get(partner).unwrap_or(&free);
                    let (partner_own, arm) = joint.turn(frame, arm, effort);
                    let gap = (pivot + arm).distance(self.target);
                    if gap < best_gap {
                        best_gap = gap;
                        best = Some(Pair { bent: (bent, own), partner: (partner, partner_own) });
                    }
                }
            }
        }
        best
    }

    /// A joint's world rotation and its parent's.
    fn frame(&self, joint: usize) -> Option<Frame<V::Rotation>> {
        let parent = match joint.checked_sub(1) {
            Some(parent) => *self.rotations.get(parent)?,
            None => V::Rotation::IDENTITY,
        };
        Some(Frame { parent, own: *self.rotations.get(joint)? })
    }

    /// Turns two joints and carries along what lies beyond them; returns the effector.
    pub(crate) fn turn_pair(&mut self, pair: &Pair<V>) -> V {
        let mut carried = V::Rotation::IDENTITY;
        for (index, rotation) in self.rotations.iter_mut().enumerate() {
            for (turned, own) in [pair.partner, pair.bent] {
                if index == turned {
                    carried = carried * own * rotation.inverse();
                }
            }
            *rotation = (carried * *rotation).renormalized();
        }
        self.effector()
    }
}

/// Two joints and the world rotations that they would have if each turned alone.
pub(crate) struct Pair<V: Vector> {
    bent: (usize, V::Rotation),
    partner: (usize, V::Rotation),
}
