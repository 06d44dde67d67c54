//! One step of cyclic coordinate descent: the turn of a single joint that brings the effector
//! nearest to the target, within the joint's limits.

use glam::{Quat, Vec2, Vec3};

use super::hinge::Hinge;
use super::{Joint2, Joint3, Limit3};
use crate::math;
use crate::rotation::{Rot2, Rotation, perpendicular, turn_about};

/// How much of the wanted turn is made.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// In `[0, 1]`.
    pub(crate) share: f32,
    /// Radians, at least 0.
    pub(crate) max_turn: f32,
}

impl Effort {
    /// All of it.
    pub(crate) const FULL: Self = Self { share: 1.0, max_turn: f32::INFINITY };

    #[inline]
    pub(crate) fn is_full(self) -> bool {
        self.share >= 1.0 && self.max_turn >= core::f32::consts::PI
    }

    /// What is left of it for a joint of this weight.
    #[inline]
    fn of(self, weight: f32) -> Self {
        Self { share: self.share * weight, ..self }
    }

    /// Whether the turn is no larger than it may be: a clamp can make it so, across the gap between
    /// the ends of a wide range.
    #[inline]
    fn allows<R: Rotation>(self, from: R, to: R) -> bool {
        self.max_turn >= core::f32::consts::PI
            || (to * from.inverse()).angle() <= self.max_turn * (1.0 + 1e-5)
    }

    /// The part of a turn by `angle` that is made.
    #[inline]
    fn part(self, angle: f32) -> f32 {
        math::clamp(angle * self.share, -self.max_turn, self.max_turn)
    }
}

/// A joint's rotation and its parent's, both in the solver's space.
#[derive(Clone, Copy, Debug)]
pub struct Frame<R> {
    pub(crate) parent: R,
    pub(crate) own: R,
}

/// From the joint: where the effector is, and where the target is.
#[derive(Clone, Copy, Debug)]
pub struct Arm<V> {
    pub(crate) effector: V,
    pub(crate) target: V,
}

/// The joint's new rotation and where the effector is then, from the joint.
pub(crate) type Turned<R, V> = (R, V);

pub(crate) fn turn_2d(
    joint: &Joint2,
    frame: Frame<Rot2>,
    arm: Arm<Vec2>,
    effort: Effort,
) -> Turned<Rot2, Vec2> {
    let effort = effort.of(joint.weight);
    if effort.share <= 0.0 {
        return (frame.own, arm.effector);
    }
    let Some(range) = joint.range else {
        return free_2d(frame.own, arm, effort);
    };
    let (a, b) = (arm.effector, arm.target);
    let wanted = math::atan2(a.perp_dot(b), a.dot(b));
    let zero = (frame.parent * joint.rest).normalize();
    let angle = (zero.inverse() * frame.own).angle();
    let next = next_angle(angle, wanted, effort, range);
    if next == angle {
        return (frame.own, a);
    }
    let own = (zero * Rot2::from_angle(next)).normalize();
    (own, own.rotate(frame.own.inverse().rotate(a)))
}

#[inline]
pub(crate) fn turn_3d(
    joint: &Joint3,
    frame: Frame<Quat>,
    arm: Arm<Vec3>,
    effort: Effort,
) -> Turned<Quat, Vec3> {
    let effort = effort.of(joint.weight);
    if effort.share <= 0.0 {
        return (frame.own, arm.effector);
    }
    match &joint.limit {
        Limit3::Free => free_3d(frame.own, arm, effort),
        Limit3::Hinge(hinge) => turn_hinge(hinge, joint.rest, frame, arm, effort),
        _ => turn_ball(joint, frame, arm, effort),
    }
}

/// The square of the ratio of the arm's lengths: effector over target. `None` if either is a
/// point, and every turn as good.
#[inline]
fn ratio_squared(effector: f32, target: f32) -> Option<f32> {
    let ratio = effector / target;
    (ratio > 0.0 && ratio < f32::INFINITY).then_some(ratio)
}

/// After a free joint has turned, the effector lies on the line from the joint to the target at
/// its old distance: one division and one root. The rotation is off that path, so a processor
/// works on it while the next joint's effector is already known.
#[inline]
fn free_3d(own: Quat, arm: Arm<Vec3>, effort: Effort) -> Turned<Quat, Vec3> {
    let Arm { effector: a, target: b } = arm;
    let length_squared = a.dot(a);
    let Some(ratio) = ratio_squared(length_squared, b.dot(b)) else {
        return (own, a);
    };
    let effector = b * math::sqrt(ratio);
    let w = length_squared + a.dot(effector);
    // Short of half a turn (here by 3.6 degrees) the half vector keeps its digits.
    if effort.is_full() && w > 1e-3 * length_squared && length_squared > MIN_SQUARE {
        // Not √(2 w |a|²): the fourth power of a tiny arm is zero.
        let inverse = 1.0 / length_squared;
        let w = w * inverse;
        let k = 1.0 / math::sqrt(2.0 * w);
        let v = a.cross(effector) * (inverse * k);
        let arc = Quat::from_xyzw(v.x, v.y, v.z, w * k);
        return ((arc * own).renormalized(), effector);
    }
    let mut arc = Quat::arc(a, b);
    if arc.w == 0.0 && a.cross(b) == Vec3::ZERO {
        // Opposite: about an axis that turns with the joint, so that the answer does not depend
        // on the space it is given in.
        let axis = own * perpendicular(own.conjugate() * a);
        arc = Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    if effort.is_full() {
        return ((arc * own).renormalized(), effector);
    }
    let angle = Rotation::angle(arc);
    if angle > 0.0 {
        arc = arc.scaled(effort.part(angle) / angle);
    }
    ((arc * own).renormalized(), arc * a)
}

/// Below this the product of two squares, and a thousandth of it, loses digits to underflow.
pub(crate) const MIN_SQUARE: f32 = 1e-15;

#[inline]
fn free_2d(own: Rot2, arm: Arm<Vec2>, effort: Effort) -> Turned<Rot2, Vec2> {
    let Arm { effector: a, target: b } = arm;
    let length_squared = a.dot(a);
    let Some(ratio) = ratio_squared(length_squared, b.dot(b)) else {
        return (own, a);
    };
    if effort.is_full() && length_squared > MIN_SQUARE {
        let effector = b * math::sqrt(ratio);
        let k = 1.0 / length_squared;
        let arc = Rot2 { cos: a.dot(effector) * k, sin: a.perp_dot(effector) * k };
        return ((arc * own).renormalized(), effector);
    }
    let arc = Rot2::from_angle(effort.part(Rot2::arc(a, b).angle()));
    ((arc * own).renormalized(), arc.rotate(a))
}

/// Exact: the distance to the target is smallest at the signed angle between the arm's two
/// vectors projected across the axis, and grows with the angle from it; so outside the range the
/// nearest admissible angle on the circle is best.
fn turn_hinge(
    hinge: &Hinge,
    rest: Quat,
    frame: Frame<Quat>,
    arm: Arm<Vec3>,
    effort: Effort,
) -> Turned<Quat, Vec3> {
    let zero = frame.parent * rest;
    let angle = hinge.angle_of(zero.conjugate() * frame.own);
    let wanted = turn_about(arm.effector, arm.target, frame.own * hinge.axis);
    let next = next_angle(angle, wanted, effort, hinge.range);
    if next == angle {
        return (frame.own, arm.effector);
    }
    let own = (zero * hinge.at(next)).renormalized();
    (own, own * (frame.own.conjugate() * arm.effector))
}

/// Where an angle of a range goes that would like to turn by `wanted`.
#[inline]
fn next_angle(angle: f32, wanted: f32, effort: Effort, range: super::Range) -> f32 {
    if effort.is_full() || range.is_full() {
        return range.nearest(angle + effort.part(wanted), 0.0);
    }
    // Part of a turn must not go the long way round: that way leads off the target at first.
    let inside = range.nearest(angle, 0.0);
    math::clamp(inside + effort.part(wanted), range.min, range.max)
}

/// How often the turn of a ball joint is halved before it is given up.
const BACK_OFFS: u32 = 4;

/// How often it is taken up again from where the limit has left it: the clamp gives up part of the
/// turn, and another turn along the limit may win some of it back.
const ROUNDS: u32 = 2;

/// The shortest arc, clamped; kept only where it does not grow the distance, else half of it.
fn turn_ball(
    joint: &Joint3,
    frame: Frame<Quat>,
    arm: Arm<Vec3>,
    effort: Effort,
) -> Turned<Quat, Vec3> {
    let mut best = (frame.own, arm.effector);
    let arm_local = frame.own.conjugate() * arm.effector;
    let mut gap = (arm.effector - arm.target).length_squared();
    for _ in 0..ROUNDS {
        let mut share = effort.share;
        let arm = Arm { effector: best.1, target: arm.target };
        let mut improved = false;
        for _ in 0..=BACK_OFFS {
            let wanted = free_3d(best.0, arm, Effort { share, ..effort }).0;
            let local = joint.nearest((frame.parent.conjugate() * wanted).normalized(), 0.0);
            let own = (frame.parent * local).renormalized();
            let effector = own * arm_local;
            let next = (effector - arm.target).length_squared();
            if next < gap && effort.allows(frame.own, own) {
                improved = true;
                (best, gap) = ((own, effector), next);
                break;
            }
            share *= 0.5;
        }
        if !improved || effort.share < 1.0 {
            break;
        }
    }
    best
}

/// The joint turned by `angle`, as far as its limits and `effort` let it.
pub(crate) fn bend_2d(
    joint: &Joint2,
    frame: Frame<Rot2>,
    arm: Vec2,
    angle: f32,
    effort: Effort,
) -> Turned<Rot2, Vec2> {
    let turn = Rot2::from_angle(effort.of(joint.weight).part(angle));
    let local = joint.nearest(frame.parent.inverse() * frame.own * turn, 0.0);
    let own = (frame.parent * local).renormalized();
    if effort.allows(frame.own, own) {
        (own, own.rotate(frame.own.inverse().rotate(arm)))
    } else {
        (frame.own, arm)
    }
}

/// The joint turned by `angle` about its hinge, about the axis that its limits leave the widest
/// range, or about one across the arm that turns with the joint; as far as its limits and `effort`
/// let it.
pub(crate) fn bend_3d(
    joint: &Joint3,
    frame: Frame<Quat>,
    arm: Vec3,
    angle: f32,
    effort: Effort,
) -> Turned<Quat, Vec3> {
    let arm_local = frame.own.conjugate() * arm;
    let axis = match &joint.limit {
        Limit3::Hinge(hinge) => hinge.axis,
        Limit3::Ellipse(ellipse) => ellipse.widest_axis(),
        Limit3::YawPitch(eye) => eye.widest_axis(),
        _ => perpendicular(arm_local),
    };
    let turn =
        Hinge { axis, range: super::Range::new(0.0, 0.0) }.at(effort.of(joint.weight).part(angle));
    let local = (frame.parent.conjugate() * frame.own * turn).normalized();
    let own = (frame.parent * joint.nearest(local, 0.0)).renormalized();
    if effort.allows(frame.own, own) { (own, own * arm_local) } else { (frame.own, arm) }
}
