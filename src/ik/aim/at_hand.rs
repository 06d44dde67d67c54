//! One joint of a chain at its turn: what comes of it for the last joint, and what of it is taken.

use super::joint::{Sight, settle};
use super::lean::{Pointing, harmless_share, share_of_step, slide};
use super::{GAP_ROUNDING, Gaze};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// No joint is turned to bring the last one closer to the target than this share of their
/// coordinates, a thousand roundings: they would have the say in where to look from there.
const CLOSE: f32 = 1024.0 * f32::EPSILON;

/// What the last joint of a chain should do.
pub(super) struct Goal<V: Vector> {
    pub(super) sight: Sight<V>,
    /// The last joint's rotation as it came.
    pub(super) start: V::Rotation,
    pub(super) weight: f32,
}

/// A chain's last joint.
#[derive(Clone, Copy)]
pub(super) struct Tip<V: Vector> {
    pub(super) position: V,
    pub(super) rotation: V::Rotation,
}

impl<V: Gaze> Tip<V> {
    /// That of a pose.
    pub(super) fn of(positions: &[V], rotations: &[V::Rotation]) -> Self {
        Self {
            position: positions.last().copied().unwrap_or(V::ZERO),
            rotation: rotations.last().copied().unwrap_or(V::Rotation::IDENTITY),
        }
    }

    fn goal(&self, goal: &Goal<V>) -> V::Rotation {
        goal.sight.goal(goal.start, self.position, goal.weight)
    }

    /// The angle to the goal's rotation, roll and all.
    pub(super) fn gap(&self, goal: &Goal<V>) -> f32 {
        (self.rotation.inverse() * self.goal(goal)).angle()
    }

    /// How far the axis is from the goal's direction.
    pub(super) fn gap_of_direction(&self, goal: &Goal<V>) -> f32 {
        let direction = goal.sight.direction(goal.start, self.position, goal.weight);
        Pointing { forward: goal.sight.forward, direction }.gap(self.rotation)
    }

    /// Whether it would come so close to the target that the way there is hardly more than
    /// rounding.
    fn is_taken_onto_target(&self, next: &Self, goal: &Goal<V>) -> bool {
        let target = goal.sight.target;
        let (distance, next_distance) =
            (self.position.distance(target), next.position.distance(target));
        let size = math::greater(target.extent(), self.position.extent());
        next_distance < distance && next_distance < CLOSE * size
    }

    /// After a joint before it has turned.
    fn carried(&self, pivot: V, turn: V::Rotation) -> Self {
        Self {
            position: pivot + turn.rotate(self.position - pivot),
            rotation: (turn * self.rotation).renormalized(),
        }
    }
}

/// How a joint is turned, and what that leaves to be done.
#[derive(Clone, Copy)]
pub(super) struct Attempt<V: Vector> {
    pub(super) own: V::Rotation,
    /// The turn that has brought it there.
    turn: V::Rotation,
    pub(super) tip: Tip<V>,
    /// [`Tip::gap_of_direction`].
    pub(super) gap: f32,
}

impl<V: Gaze> Attempt<V> {
    /// The tip as it is, before the first joint.
    pub(super) fn of(tip: Tip<V>, goal: &Goal<V>) -> Self {
        let (own, turn) = (V::Rotation::IDENTITY, V::Rotation::IDENTITY);
        Self { own, turn, tip, gap: tip.gap_of_direction(goal) }
    }
}

/// A joint at its turn.
pub(super) struct AtHand<'a, V: Vector> {
    /// Its limits.
    pub(super) joint: &'a V::Joint,
    pub(super) parent: V::Rotation,
    /// Where it is.
    pub(super) pivot: V,
    pub(super) now: &'a mut Attempt<V>,
    pub(super) goal: &'a Goal<V>,
}

impl<V: Gaze> AtHand<'_, V> {
    /// Its share of the turn that is left. Where joints after it make up for what a roll costs in
    /// direction, it may.
    #[inline]
    pub(super) fn turn_by_share(&mut self, share: f32, may_roll: bool) {
        let turn = self.turn_left();
        let turn = if share < 1.0 { turn.scaled(share) } else { turn };
        let wanted = self.parent.inverse() * turn * self.now.own;
        let next = self.attempt(self.joint.nearest(wanted.normalized()));
        let rolls = may_roll && next.tip.gap(self.goal) <= self.now.tip.gap(self.goal);
        if rolls {
            self.accept(next);
        } else {
            self.accept_harmless(next);
        }
    }

    /// All of the turn that is left, for the last joint.
    #[inline]
    pub(super) fn turn_as_last(&mut self) {
        let inverse = self.parent.inverse();
        let (own, wanted) = (inverse * self.now.own, inverse * self.now.tip.goal(self.goal));
        let local = settle(self.joint, own, wanted, self.goal.sight.forward);
        self.accept_harmless(self.attempt(local));
    }

    /// As much of the turn that is left as is worth it, times `effort`.
    #[inline]
    pub(super) fn turn_by_need(&mut self, effort: f32) {
        let Self { joint, parent, ref now, goal, .. } = *self;
        // The axis that is aimed, as this joint carries it.
        let axis = now.own.inverse().rotate(now.tip.rotation.rotate(goal.sight.forward));
        let all = (parent.inverse() * self.turn_left() * now.own).normalized();
        let local = parent.inverse() * now.own;
        let mut next = self.attempt(if V::points_exactly(joint) {
            settle(joint, local, all, axis)
        } else {
            slide(joint, local, Pointing { forward: axis, direction: all.rotate(axis) })
        });
        let gaps = [now.gap, self.gap_after(next.turn, 0.5), next.gap];
        let share = effort * share_of_step(next.turn.angle(), gaps);
        if share < 1.0 {
            next = self.held(next.turn, share);
        }
        if next.gap < self.now.gap {
            self.accept(next);
        }
    }

    /// From the last joint's rotation to its goal's.
    fn turn_left(&self) -> V::Rotation {
        self.now.tip.goal(self.goal) * self.now.tip.rotation.inverse()
    }

    /// What comes of a rotation relative to the parent.
    #[inline]
    fn attempt(&self, local: V::Rotation) -> Attempt<V> {
        let own = (self.parent * local).renormalized();
        let turn = own * self.now.own.inverse();
        let tip = self.now.tip.carried(self.pivot, turn);
        Attempt { own, turn, tip, gap: tip.gap_of_direction(self.goal) }
    }

    /// What limits make of a share of a turn.
    #[inline]
    fn held(&self, turn: V::Rotation, share: f32) -> Attempt<V> {
        let wanted = self.parent.inverse() * (turn.scaled(share) * self.now.own);
        self.attempt(self.joint.nearest(wanted.normalized()))
    }

    /// The gap of the direction after a share of a turn, whatever the limits.
    #[inline]
    fn gap_after(&self, turn: V::Rotation, share: f32) -> f32 {
        self.now.tip.carried(self.pivot, turn.scaled(share)).gap_of_direction(self.goal)
    }

    /// Accepts as much of an attempt as does not lead away from the goal's direction.
    fn accept_harmless(&mut self, mut next: Attempt<V>) {
        let most = self.now.gap + GAP_ROUNDING;
        if next.gap > most {
            let share = harmless_share(most, |share| self.gap_after(next.turn, share));
            next = self.held(next.turn, share);
        }
        if next.gap <= most {
            self.accept(next);
        }
    }

    /// Accepts an attempt, unless it would take the last joint onto the target.
    #[inline]
    fn accept(&mut self, next: Attempt<V>) {
        if !self.now.tip.is_taken_onto_target(&next.tip, self.goal) {
            *self.now = next;
        }
    }
}
