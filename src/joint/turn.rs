//! One step of cyclic coordinate descent: the turn of a single joint that brings the effector
//! nearest to the target, within the joint's limits.

use glam::{Quat, Vec2, Vec3, Vec3A};

use super::hinge::{Hinge, about};
use super::sector::halved;
use super::sight::{Arm, Seen};
use super::{Joint2, Joint3, Limit3};
use crate::math;
use crate::rotation::{OffAxis, Rot2, Rotation, perpendicular, turn_about};
use crate::space::{Spin, Vector};

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

    /// The part of a turn that is made.
    #[inline]
    fn part_of(self, arc: Quat) -> Quat {
        if self.is_full() {
            return arc;
        }
        let angle = Rotation::angle(arc);
        if angle > 0.0 { arc.scaled(self.part(angle) / angle) } else { arc }
    }

    /// The part of a turn by `angle` that is made.
    #[inline]
    fn part(self, angle: f32) -> f32 {
        math::clamp(angle * self.share, -self.max_turn, self.max_turn)
    }
}

/// The joint's new rotation relative to its parent, and what is seen then.
pub type AfterTurn<R, V> = (R, Seen<V>);

/// What solvers that turn joints one by one ask of a joint. Public only in name, as
/// [`Limits`](crate::space::Limits).
pub trait Turning<V: Vector> {
    /// The rotation relative to the parent that brings the effector nearest to the target, and
    /// what is seen then.
    fn turn(&self, local: V::Rotation, arm: Arm<V>, effort: Effort) -> AfterTurn<V::Rotation, V>;

    /// The same of a free joint and the whole turn.
    fn turn_freely(local: V::Rotation, arm: Arm<V::Packed>) -> AfterTurn<V::Rotation, V::Packed>;

    /// Whether it turns towards a target on every side: a hinge in space does not.
    fn aims(&self) -> bool;

    /// The axis, in the joint's own frame, about which it is bent.
    fn bend_axis(&self, arm: V) -> Spin<V>;

    /// The rotation relative to the parent after a turn by an angle about that axis, as far as the
    /// limits and `effort` let it, and where the effector is then: from the joint, along the
    /// parent's axes.
    fn bend(
        &self,
        local: V::Rotation,
        arm: V,
        turn: (Spin<V>, f32),
        effort: Effort,
    ) -> (V::Rotation, V);
}

impl Turning<Vec2> for Joint2 {
    fn turn(&self, local: Rot2, arm: Arm<Vec2>, effort: Effort) -> AfterTurn<Rot2, Vec2> {
        let effort = effort.of(self.weight);
        let (a, b) = (arm.effector, arm.target);
        if effort.share <= 0.0 {
            return (local, Seen::of(arm, local));
        }
        let Some(range) = self.range else {
            return free_2d(local, arm, effort);
        };
        let wanted = math::atan2(a.perp_dot(b), a.dot(b));
        let angle = self.angle_of(local);
        let next = next_angle(angle, wanted, effort, range);
        let turned = if next == angle { local } else { self.at(next).normalize() };
        (turned, Seen { effector: turned.rotate(a), target: local.rotate(b) })
    }

    #[inline]
    fn turn_freely(local: Rot2, arm: Arm<Vec2>) -> AfterTurn<Rot2, Vec2> {
        free_2d(local, arm, Effort::FULL)
    }

    fn aims(&self) -> bool {
        true
    }

    fn bend_axis(&self, _: Vec2) -> f32 {
        1.0
    }

    fn bend(
        &self,
        local: Rot2,
        arm: Vec2,
        (axis, angle): (f32, f32),
        effort: Effort,
    ) -> (Rot2, Vec2) {
        let turn = Rot2::from_angle(axis * effort.of(self.weight).part(angle));
        let bent = self.nearest(local * turn, 0.0);
        let turned = if effort.allows(local, bent) { bent } else { local };
        (turned, turned.rotate(arm))
    }
}

impl Turning<Vec3> for Joint3 {
    // The free turn belongs in the loop that asks for it, the others do not.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "in the loop that asks for it")]
    fn turn(&self, local: Quat, arm: Arm<Vec3>, effort: Effort) -> AfterTurn<Quat, Vec3> {
        let effort = effort.of(self.weight);
        if effort.share <= 0.0 {
            return (local, Seen::of(arm, local));
        }
        if let Limit3::Free = self.limit {
            let (turned, seen) = free_3d(local, arm.packed(), effort);
            return (turned, seen.unpacked());
        }
        let target = local.rotate_fast(arm.target);
        let (turned, effector) = match &self.limit {
            Limit3::Hinge(hinge) if effort.is_full() => {
                let (turned, effector) = turn_hinge((hinge, self.rest), local, arm.packed());
                (turned, effector.into())
            }
            Limit3::Hinge(hinge) => {
                let turned = turn_hinge_in_part((hinge, self.rest), local, arm, effort);
                (turned, turned.rotate_fast(arm.effector))
            }
            _ => {
                let turned = turn_ball(self, local, arm, target, effort);
                (turned, turned.rotate_fast(arm.effector))
            }
        };
        (turned, Seen { effector, target })
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as `turn`")]
    fn turn_freely(local: Quat, arm: Arm<Vec3A>) -> AfterTurn<Quat, Vec3A> {
        free_3d(local, arm, Effort::FULL)
    }

    fn aims(&self) -> bool {
        !matches!(self.limit, Limit3::Hinge(_))
    }

    /// The hinge's, the one about which the limits leave the widest range, or one across the arm.
    fn bend_axis(&self, arm: Vec3) -> Vec3 {
        match &self.limit {
            Limit3::Hinge(hinge) => hinge.axis,
            Limit3::Ellipse(ellipse) => ellipse.widest_axis(),
            Limit3::YawPitch(eye) => eye.widest_axis(),
            _ => perpendicular(arm),
        }
    }

    fn bend(
        &self,
        local: Quat,
        arm: Vec3,
        (axis, angle): (Vec3, f32),
        effort: Effort,
    ) -> (Quat, Vec3) {
        let turn = about(axis, effort.of(self.weight).part(angle));
        let bent = self.nearest((local * turn).renormalized(), 0.0);
        let turned = if effort.allows(local, bent) { bent } else { local };
        (turned, turned.rotate_fast(arm))
    }
}

/// After a free joint has turned, the effector lies on the line from the joint to the target at
/// its old distance: one root. The rotation is off that path, so a processor works on it while the
/// next joint's effector is already known.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as `Joint3::turn`")]
fn free_3d(local: Quat, arm: Arm<Vec3A>, effort: Effort) -> AfterTurn<Quat, Vec3A> {
    let target = local.rotate_fast_packed(arm.target);
    match Half::between(arm) {
        Some(half) if effort.is_full() => {
            (half.after(local), Seen { effector: target * half.ratio, target })
        }
        _ => {
            let turned = (local * part_with_care(arm, effort)).renormalized();
            (turned, Seen { effector: turned.rotate_fast_packed(arm.effector), target })
        }
    }
}

/// The shortest arc from the effector to the target by the half vector.
struct Half {
    /// Of no unit length.
    arc: Quat,
    /// The square of its length.
    squared: f32,
    /// The ratio of the distances of effector and target.
    ratio: f32,
}

impl Half {
    /// The half vector keeps its digits short of half a turn (here by 3.6 degrees). `None` closer
    /// to it, and for arms of next to no length. The division is by what is known before the
    /// effector is.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as `Joint3::turn`")]
    fn between(Arm { effector: a, target: b }: Arm<Vec3A>) -> Option<Self> {
        let (length_squared, target_squared) = (a.dot(a), b.dot(b));
        let product = math::sqrt(length_squared * target_squared);
        let w = product + a.dot(b);
        if w > SHORT_OF_HALF * product && length_squared > MIN_SQUARE && target_squared > MIN_SQUARE
        {
            let v = a.cross(b);
            Some(Self {
                arc: Quat::from_vec4(v.extend(w)),
                squared: v.dot(v) + w * w,
                ratio: product * (1.0 / target_squared),
            })
        } else {
            None
        }
    }

    /// The arc after a turn, both brought to unit length at once; the division does not wait for
    /// the root.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as `Joint3::turn`")]
    fn after(&self, turn: Quat) -> Quat {
        turn * self.arc * (turn.renormalizing() / self.squared * math::sqrt(self.squared))
    }

    /// The arc.
    #[inline]
    fn arc(&self) -> Quat {
        self.arc * (1.0 / math::sqrt(self.squared))
    }
}

/// The least share of its largest value that the half vector's real part has digits for.
pub(crate) const SHORT_OF_HALF: f32 = 1e-3;

/// Below this the product of two squares, and a thousandth of it, loses digits to underflow.
pub(crate) const MIN_SQUARE: f32 = 1e-15;

/// The arc of [`free_3d`] for part of the turn, for arms next to half a turn apart, and for tiny
/// ones.
#[cold]
#[inline(never)]
fn part_with_care(arm: Arm<Vec3A>, effort: Effort) -> Quat {
    effort.part_of(arc_with_care(arm.unpacked()))
}

/// The shortest arc from the effector to the target. Where one of them is on the joint every turn
/// is as good, and none is made; from opposite directions it is about `perpendicular` of the
/// effector, which is in the joint's own frame.
pub(crate) fn arc_with_care(Arm { effector: a, target: b }: Arm<Vec3>) -> Quat {
    let ratio = a.dot(a) / b.dot(b);
    if ratio > 0.0 && ratio < f32::INFINITY { Quat::arc(a, b) } else { Quat::IDENTITY }
}

#[inline]
fn free_2d(local: Rot2, arm: Arm<Vec2>, effort: Effort) -> AfterTurn<Rot2, Vec2> {
    let Arm { effector: a, target: b } = arm;
    let (length_squared, target_squared) = (a.dot(a), b.dot(b));
    if effort.is_full() && length_squared > MIN_SQUARE && target_squared > MIN_SQUARE {
        let ratio = math::sqrt(length_squared / target_squared);
        let k = ratio / length_squared;
        let arc = Rot2 { cos: a.dot(b) * k, sin: a.perp_dot(b) * k };
        let target = local.rotate(b);
        return ((local * arc).renormalized(), Seen { effector: target * ratio, target });
    }
    if !(length_squared > 0.0 && target_squared > 0.0) {
        return (local, Seen::of(arm, local));
    }
    let arc = Rot2::from_angle(effort.part(Rot2::arc(a, b).angle()));
    let turned = (local * arc).renormalized();
    (turned, Seen { effector: turned.rotate(a), target: local.rotate(b) })
}

/// Exact: the distance to the target is smallest at the signed angle between the arm's two
/// vectors projected across the axis, and grows with the angle from it; so outside the range the
/// nearest admissible angle on the circle is best. All of it in directions, without an angle.
#[inline(never)]
fn turn_hinge((hinge, rest): (&Hinge, Quat), local: Quat, arm: Arm<Vec3A>) -> (Quat, Vec3A) {
    let axis = Vec3A::from(hinge.axis);
    let (a, b) = (OffAxis::new(arm.effector, axis), OffAxis::new(arm.target, axis).again(axis));
    let across = rest * Quat::from_vec4(axis.extend(0.0));
    let rest_squared = rest.norm_squared();
    // A hinge's rotation by the direction of half of its angle, of this length squared.
    let at = |half: Rot2, squared: f32| {
        let unit = 1.0 / math::sqrt(squared * rest_squared);
        rest * (half.cos * unit) + across * (half.sin * unit)
    };
    let half = Rot2 { cos: local.dot(rest), sin: local.dot(across) };
    let turn = half * half * a.turn_to(&b, axis);
    // Of a turn that is next to rounding, the product of the lengths across is not the length.
    let (product, squared) = (a.squared * b.squared, turn.norm_squared());
    let least = MIN_SQUARE * MIN_SQUARE;
    if a.is_none() || b.is_none() || product < least || squared < least {
        return (local, local.rotate_fast_packed(arm.effector));
    }
    if let Some(end) = hinge.range.end_beyond(turn) {
        let turned = at(end, 1.0);
        return (turned, turned.rotate_fast_packed(arm.effector));
    }
    let half = halved(turn, math::sqrt(squared));
    let turned = at(half, half.cos * half.cos + half.sin * half.sin);
    // Across the axis the effector ends where the target is, at its old distance.
    let ratio = math::sqrt(product) * (1.0 / b.squared);
    (turned, local.rotate_fast_packed(axis * a.along + b.across * ratio))
}

/// [`turn_hinge`] for part of the turn.
fn turn_hinge_in_part(
    (hinge, rest): (&Hinge, Quat),
    local: Quat,
    arm: Arm<Vec3>,
    effort: Effort,
) -> Quat {
    let angle = hinge.angle_of(rest.conjugate() * local);
    let wanted = turn_about(arm.effector, arm.target, hinge.axis);
    let next = next_angle(angle, wanted, effort, hinge.range.angles);
    if next == angle { local } else { (rest * hinge.at(next)).renormalized() }
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

/// How often the turn of a ball joint is halved before it is given up. Once it is made it is taken
/// up again from where the limit has left it: the clamp gives up part of the turn, and another turn
/// along the limit may win some of it back; halves of that one hardly ever do.
pub(crate) const BACK_OFFS: [u32; 2] = [4, 0];

/// The shortest arc, clamped; kept only where it does not grow the distance, else half of it.
#[inline(never)]
fn turn_ball(joint: &Joint3, local: Quat, arm: Arm<Vec3>, target: Vec3, effort: Effort) -> Quat {
    let mut best = local;
    let mut gap = (local.rotate_fast(arm.effector) - target).length_squared();
    for back_offs in BACK_OFFS {
        let arm = Arm { effector: arm.effector, target: best.conjugate().rotate_fast(target) };
        let arc = Half::between(arm.packed()).map_or_else(|| arc_with_care(arm), |half| half.arc());
        let mut arc = effort.part_of(arc);
        let mut was_clamped = false;
        for _ in 0..=back_offs {
            let wanted = (best * arc).renormalized();
            let turned = joint.nearest(wanted, 0.0);
            let next = (turned.rotate_fast(arm.effector) - target).length_squared();
            if next < gap && effort.allows(local, turned) {
                was_clamped = turned != wanted;
                (best, gap) = (turned, next);
                break;
            }
            arc = half_arc(arc);
        }
        // Where nothing was clamped nothing is left to win.
        if !was_clamped || effort.share < 1.0 {
            break;
        }
    }
    best
}

/// Half of a turn by less than a whole one: half way between it and none.
#[inline]
fn half_arc(arc: Quat) -> Quat {
    (arc + Quat::IDENTITY).normalized()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::points;

    #[test]
    fn the_effector_is_where_the_turn_takes_it_even_for_targets_next_to_the_axis() {
        let mut next = points();
        let joint = Joint3::hinge(Vec3::ONE.normalize(), -4.0, 4.0);
        for case in 0..10_000 {
            let across = [1.0, 1e-2, 1e-4, 1e-6, 1e-8][case % 5];
            let arm = Arm { effector: next(), target: Vec3::ONE + next() * across };
            let local = joint.at(next().x);
            let (turned, seen) = joint.turn(local, arm, Effort::FULL);
            let off = seen.effector.distance(turned.rotate(arm.effector));
            assert!(off < 2e-6, "{across}: {off}");
        }
    }
}
