//! A joint whose swing and twist are both limited: it leans only as far as that is worth its while.
//!
//! Such a joint gains a little by leaning to either side where the target is beyond its limits, and
//! a target that passes from one side to the other would throw it over: a neck that may twist and
//! swing by 0.4 rad has 8e-3 rad less to go for a lean of 0.4 rad, left or right alike. So a turn
//! is made in full where it pays, in part where it hardly does, and not where it does not: what is
//! asked is continuous in the target, and so is the answer.

use super::{GAP_ROUNDING, Gaze};
use crate::joint::{Arm, Effort, Turning};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// How often one joint's turn is taken up again along its limits.
const ROUNDS: usize = 8;

/// A share is found to a thousandth.
const HALVINGS: usize = 10;

/// What a radian has to bring so that a turn is made at all, and in full: a share of what is left
/// where the turn goes on from where the joint is, radians where it leads somewhere else. The upper
/// one is below 1/π, so that no turn is too large to close a gap.
const WORTH: [f32; 2] = [0.1, 0.3];

/// An axis of a joint and the direction that it should have, both of unit length.
#[derive(Clone, Copy)]
pub(super) struct Pointing<V> {
    pub(super) forward: V,
    pub(super) direction: V,
}

impl<V: Vector> Pointing<V> {
    /// How far the axis is from it.
    pub(super) fn gap(&self, local: V::Rotation) -> f32 {
        apart(local.rotate(self.forward), self.direction)
    }
}

/// The admissible rotation whose axis comes near to its direction from `start`, or from the
/// farthest twist if that is worth the turn.
pub(super) fn lean<V: Gaze>(
    joint: &V::Joint,
    start: V::Rotation,
    pointing: Pointing<V>,
) -> V::Rotation {
    let near = slide(joint, start, pointing);
    let near_gap = pointing.gap(near);
    if near_gap <= GAP_ROUNDING {
        return near;
    }
    let twisted = joint.nearest(V::twisted(joint, pointing.forward, pointing.direction));
    let far = follow(joint, twisted, pointing);
    let turn = near.inverse() * far;
    let share = worth(near_gap - pointing.gap(far), turn.angle());
    if share <= 0.0 {
        return near;
    }
    let between = joint.nearest((near * turn.scaled(share)).normalized());
    if pointing.gap(between) < near_gap { between } else { near }
}

/// The largest share of a turn that leaves a gap of no more than `most`, by the gap that each share
/// leaves; all of it leaves more.
pub(super) fn harmless_share(most: f32, gap: impl Fn(f32) -> f32) -> f32 {
    math::bisect(0.0, 1.0, HALVINGS, |share| gap(share) <= most)
}

/// From `start` to where the limits let the axis come nearest, at any price.
pub(super) fn follow<V: Gaze>(
    joint: &V::Joint,
    start: V::Rotation,
    pointing: Pointing<V>,
) -> V::Rotation {
    let Pointing { forward, direction } = pointing;
    while_nearer(start, pointing, |best, _| {
        let arm = Arm { effector: forward, target: best.inverse().rotate(direction) };
        let next = joint.turn(best, arm, Effort::FULL).0;
        (next, pointing.gap(next))
    })
}

/// From `start` by shortest arcs, held by the limits, as far as they are worth it.
pub(super) fn slide<V: Gaze>(
    joint: &V::Joint,
    start: V::Rotation,
    pointing: Pointing<V>,
) -> V::Rotation {
    while_nearer(start, pointing, |best, best_gap| {
        let arc = V::Rotation::arc(best.rotate(pointing.forward), pointing.direction);
        let full = joint.nearest((arc * best).normalized());
        let full_gap = pointing.gap(full);
        // Limits did not hold this one.
        if full_gap <= GAP_ROUNDING {
            return (full, full_gap);
        }
        let turn = best.inverse() * full;
        let at = |share: f32| joint.nearest((best * turn.scaled(share)).normalized());
        let share = share_of_step(turn.angle(), [best_gap, pointing.gap(at(0.5)), full_gap]);
        if share == 1.0 {
            return (full, full_gap);
        }
        let next = at(share);
        (next, pointing.gap(next))
    })
}

/// Steps for as long as each brings the axis nearer.
fn while_nearer<V: Gaze>(
    start: V::Rotation,
    pointing: Pointing<V>,
    step: impl Fn(V::Rotation, f32) -> (V::Rotation, f32),
) -> V::Rotation {
    let mut best = start;
    let mut best_gap = pointing.gap(best);
    for _ in 0..ROUNDS {
        if best_gap <= GAP_ROUNDING {
            break;
        }
        let (next, next_gap) = step(best, best_gap);
        if next_gap >= best_gap - GAP_ROUNDING {
            break;
        }
        (best, best_gap) = (next, next_gap);
    }
    best
}

/// The share of a turn by `angle` that is made, by the gaps that none, half and all of it leave: to
/// where the gap is least, as far as the turn is worth it at its start.
pub(super) fn share_of_step(angle: f32, gaps: [f32; 3]) -> f32 {
    let [start, half, end] = gaps.map(|gap| gap * gap);
    // The parabola through the three.
    let slope = 4.0 * half - 3.0 * start - end;
    let bend = 2.0 * (start + end - 2.0 * half);
    let least = if -slope < 2.0 * bend { (-0.5 * slope / bend).max(0.0) } else { 1.0 };
    // The square of the gap falls by twice the gap for each radian that the gap falls by.
    least * worth(-slope, 2.0 * start * angle)
}

/// How far a turn is worth its price: from not at all to altogether.
fn worth(gain: f32, price: f32) -> f32 {
    ramp(gain, WORTH.map(|worth| worth * price))
}

/// From 0 at the lower end of a range to 1 at the upper, and beyond them.
pub(super) fn ramp(x: f32, [low, high]: [f32; 2]) -> f32 {
    if x >= high { 1.0 } else { ((x - low) / (high - low)).max(0.0) }
}

/// How far apart two unit vectors are: their distance, and where that hardly tells angles apart,
/// beyond a right angle, what the distance to the opposite of one lacks.
fn apart<V: Vector>(a: V, b: V) -> f32 {
    if a.dot(b) >= 0.0 { a.distance(b) } else { 2.0 * core::f32::consts::SQRT_2 - a.distance(-b) }
}
