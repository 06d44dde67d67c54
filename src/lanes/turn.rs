//! The turn of a free joint that brings its effector nearest to a target, for eight joints.

use super::wide::{F32x8, Mask};
use super::{LANES, Quatx8, Vec3x8};
use crate::joint::{Arm, Effort, Frame, Joint3, MIN_SQUARE};
use crate::space::Limits;

/// The new rotations and where the effectors are then, from the joints, in the lanes that are
/// `active`; nothing to go by in the others.
#[inline]
pub(super) fn free(
    active: Mask,
    own: Quatx8,
    effector: Vec3x8,
    target: Vec3x8,
) -> (Quatx8, Vec3x8) {
    let squared = effector.dot(effector);
    let ratio = squared / target.dot(target);
    let reached = target * ratio.sqrt();
    let w = squared + effector.dot(reached);
    let usual = ratio.gt(F32x8::ZERO)
        & ratio.lt(F32x8::splat(f32::INFINITY))
        & w.gt(squared * 1e-3)
        & squared.gt(F32x8::splat(MIN_SQUARE));
    let inverse = F32x8::ONE / squared;
    let w = w * inverse;
    let k = F32x8::ONE / (w * 2.0).sqrt();
    let v = effector.cross(reached) * (inverse * k);
    let mut turned = (Quatx8::from_parts(v, w * k) * own).renormalized();
    let mut reached = reached;
    let rare = active & !usual;
    if rare.any() {
        for lane in (0..LANES).filter(|lane| rare.lane(*lane)) {
            let frame = Frame { parent: glam::Quat::IDENTITY, own: own.lane(lane) };
            let arm = Arm { effector: effector.lane(lane), target: target.lane(lane) };
            let (q, v) = Joint3::FREE.turn(frame, arm, Effort::FULL);
            turned.set_lane(lane, q);
            reached.set_lane(lane, v);
        }
    }
    (turned, reached)
}
