//! The turn of one joint of eight chains: that of `joint/turn.rs` by lanes, for whole turns.

use glam::Quat;

use super::joint::{Circle, end_beyond, halved, is_kept_in_lanes, nearest};
use super::wide::{F32x8, Mask, select_by_fields};
use super::{Quatx8, Vec3x8};
use crate::joint::{
    Arm, BACK_OFFS, Cone, Hinge, Joint3, Limit3, MIN_SQUARE, SHORT_OF_HALF, Seen, arc_with_care,
};
use crate::rotation::{ON_AXIS, Rotation};

/// Where the effectors and the targets are, from the joint and in its own frame.
pub(super) type Arms = Arm<Vec3x8>;

/// Where the effectors and the targets are from a joint, along its parent's axes.
pub(super) type Sights = Seen<Vec3x8>;

impl Sights {
    pub(super) fn gap(self) -> F32x8 {
        (self.effector - self.target).length()
    }
}

select_by_fields!(Sights { effector, target });

/// Whether the joint is one that turns in lanes.
pub(super) fn turns_in_lanes(joint: &Joint3) -> bool {
    is_kept_in_lanes(joint) && joint.weight() == 1.0
}

/// What turns come to, and what is seen then.
pub(super) struct TurnedJoint {
    /// The joints' new rotations relative to their parents.
    pub(super) local: Quatx8,
    pub(super) seen: Sights,
}

/// Turns joints. What comes of lanes that are not `active` is no matter.
#[inline]
pub(super) fn turn(joint: &Joint3, local: Quatx8, arms: &Arms, active: Mask) -> TurnedJoint {
    match joint.limit() {
        Limit3::Hinge(hinge) => turn_hinge(hinge, joint.rest(), local, arms),
        Limit3::Cone(cone) => turn_cone((cone, joint.rest()), local, arms, active),
        _ => turn_free(local, arms, active),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "arms are nine registers' worth of arguments")]
pub(super) fn turn_free(local: Quatx8, arms: &Arms, active: Mask) -> TurnedJoint {
    let half = Half::between(arms.effector, arms.target);
    let mut turned = half.after(local);
    // Last: until here the registers are needed for the turn.
    let target = local.rotate_fast(arms.target);
    let mut effector = target * half.ratio;
    let with_care = active & !half.is_short;
    if with_care.any() {
        let mended = turn_with_care(local, arms, with_care);
        turned = with_care.select(mended, turned);
        effector = with_care.select(mended.rotate_fast(arms.effector), effector);
    }
    TurnedJoint { local: turned, seen: Sights { effector, target } }
}

/// The shortest arcs by half vectors, as [`crate::joint`] has them.
struct Half {
    arc: Quatx8,
    squared: F32x8,
    ratio: F32x8,
    /// Where they are any good.
    is_short: Mask,
}

impl Half {
    #[inline]
    fn between(a: Vec3x8, b: Vec3x8) -> Self {
        let (length_squared, target_squared) = (a.dot(a), b.dot(b));
        let product = (length_squared * target_squared).sqrt();
        let w = product + a.dot(b);
        let least = F32x8::splat(MIN_SQUARE);
        let is_short =
            w.gt(product * SHORT_OF_HALF) & length_squared.gt(least) & target_squared.gt(least);
        let v = a.cross(b);
        Self {
            arc: Quatx8::from_parts(v, w),
            squared: v.dot(v) + w * w,
            ratio: product * (F32x8::ONE / target_squared),
            is_short,
        }
    }

    #[inline]
    fn after(&self, turn: Quatx8) -> Quatx8 {
        turn * self.arc * (turn.renormalizing() / self.squared * self.squared.sqrt())
    }

    #[inline]
    fn arc(&self) -> Quatx8 {
        self.arc * (F32x8::ONE / self.squared.sqrt())
    }
}

/// The turns that half vectors have no digits for.
#[cold]
#[inline(never)]
fn turn_with_care(local: Quatx8, arms: &Arms, lanes: Mask) -> Quatx8 {
    let mut arc = Quatx8::IDENTITY;
    mend(&mut arc, arms.effector, arms.target, lanes);
    (local * arc).renormalized()
}

fn turn_hinge(hinge: &Hinge, rest: Quat, local: Quatx8, arms: &Arms) -> TurnedJoint {
    let target = local.rotate_fast(arms.target);
    let (axis, rest_squared) = (hinge.axis, rest.norm_squared());
    let across = Quatx8::splat(rest * Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0));
    let (rest, axis) = (Quatx8::splat(rest), Vec3x8::splat(axis));
    let (a, b) = (OffAxis::new(arms.effector, axis), OffAxis::new(arms.target, axis).again(axis));
    let half = Circle { cos: local.dot(rest), sin: local.dot(across) };
    let turn = half * half * a.turn_to(&b, axis);
    let (product, squared) = (a.squared * b.squared, turn.cos * turn.cos + turn.sin * turn.sin);
    let least = F32x8::splat(MIN_SQUARE * MIN_SQUARE);
    let turns = !(a.is_none() | b.is_none() | product.lt(least) | squared.lt(least));
    let (end, is_outside) = end_beyond(&hinge.range, turn);
    let half = halved(turn, squared.sqrt());
    let half_squared = half.cos * half.cos + half.sin * half.sin;
    let half = is_outside.select(end, half);
    let half_squared = is_outside.select(F32x8::ONE, half_squared);
    let unit = F32x8::ONE / (half_squared * rest_squared).sqrt();
    let turned = rest * (half.cos * unit) + across * (half.sin * unit);
    let turned = turns.select(turned, local);
    let ratio = product.sqrt() * (F32x8::ONE / b.squared);
    let effector = local.rotate_fast(axis * a.along + b.across * ratio);
    let effector = (turns & !is_outside).select(effector, turned.rotate_fast(arms.effector));
    TurnedJoint { local: turned, seen: Sights { effector, target } }
}

/// The parts of vectors along and across a unit axis: [`crate::rotation::OffAxis`] by lanes.
struct OffAxis {
    along: F32x8,
    across: Vec3x8,
    squared: F32x8,
}

impl OffAxis {
    #[inline]
    fn new(v: Vec3x8, axis: Vec3x8) -> Self {
        let along = v.dot(axis);
        let across = v - axis * along;
        Self { along, across, squared: across.dot(across) }
    }

    #[inline]
    fn again(self, axis: Vec3x8) -> Self {
        Self { along: self.along, ..Self::new(self.across, axis) }
    }

    #[inline]
    fn is_none(&self) -> Mask {
        self.squared.le(self.along * ON_AXIS * self.along)
    }

    #[inline]
    fn turn_to(&self, to: &Self, axis: Vec3x8) -> Circle {
        Circle { cos: self.across.dot(to.across), sin: axis.cross(self.across).dot(to.across) }
    }
}

fn turn_cone((cone, rest): (&Cone, Quat), local: Quatx8, arms: &Arms, active: Mask) -> TurnedJoint {
    let target = local.rotate_fast(arms.target);
    let mut best = (local, local.rotate_fast(arms.effector));
    let mut gap = (best.1 - target).length_squared();
    let mut trying = active;
    for back_offs in BACK_OFFS {
        let mut arc = arcs(arms.effector, best.0.rotate_back_fast(target), trying);
        let (mut searching, mut were_clamped) = (trying, Mask::NONE);
        for _ in 0..=back_offs {
            let wanted = (best.0 * arc).renormalized();
            let turned = nearest(cone, rest, wanted);
            let effector = turned.rotate_fast(arms.effector);
            let next = (effector - target).length_squared();
            let gains = searching & next.lt(gap);
            were_clamped = were_clamped | gains & !turned.eq(wanted);
            best = (gains.select(turned, best.0), gains.select(effector, best.1));
            gap = gains.select(next, gap);
            searching = searching & !gains;
            if !searching.any() {
                break;
            }
            arc = (arc + Quatx8::IDENTITY).normalized();
        }
        trying = were_clamped;
        if !trying.any() {
            break;
        }
    }
    TurnedJoint { local: best.0, seen: Sights { effector: best.1, target } }
}

/// The shortest arcs of the active lanes.
fn arcs(effector: Vec3x8, target: Vec3x8, active: Mask) -> Quatx8 {
    let half = Half::between(effector, target);
    let mut arc = half.arc();
    let with_care = active & !half.is_short;
    if with_care.any() {
        mend(&mut arc, effector, target, with_care);
    }
    arc
}

/// The arcs that half vectors have no digits for, lane by lane.
#[cold]
#[inline(never)]
fn mend(arc: &mut Quatx8, effector: Vec3x8, target: Vec3x8, lanes: Mask) {
    for lane in lanes.lanes() {
        let arm = Arm { effector: effector.lane(lane), target: target.lane(lane) };
        arc.set_lane(lane, arc_with_care(arm));
    }
}
