//! The limits of hinges and cones by lanes: those of `joint/sector.rs` and `joint/cone.rs`.

use core::ops::Mul;

use glam::Quat;

use super::wide::{F32x8, Mask, select_by_fields};
use super::{Quatx8, Vec3x8};
use crate::joint::{Cone, Hinge, INSIDE, Joint3, Limit3, Sector, TIE};
use crate::rotation::{NO_SWING, NO_TWIST};

/// Eight directions of the plane, of any length: turns about one axis.
#[derive(Clone, Copy)]
pub(super) struct Circle {
    pub(super) cos: F32x8,
    pub(super) sin: F32x8,
}

impl Circle {
    pub(super) const ONE: Self = Self { cos: F32x8::ONE, sin: F32x8::ZERO };
}

impl Mul for Circle {
    type Output = Self;

    #[inline]
    fn mul(self, rhs: Self) -> Self {
        Self {
            cos: self.cos * rhs.cos - self.sin * rhs.sin,
            sin: self.sin * rhs.cos + self.cos * rhs.sin,
        }
    }
}

select_by_fields!(Circle { cos, sin });

/// Whether the joint is one whose limit is kept in lanes.
pub(super) fn is_kept_in_lanes(joint: &Joint3) -> bool {
    matches!(joint.limit(), Limit3::Free | Limit3::Hinge(_) | Limit3::Cone(_))
}

/// The lanes in which a joint whose limit is kept in lanes is where it may be.
pub(super) fn is_inside(joint: &Joint3, local: Quatx8) -> Mask {
    match joint.limit() {
        Limit3::Hinge(hinge) => nearest(hinge, joint.rest(), local).eq(local),
        Limit3::Cone(cone) => nearest(cone, joint.rest(), local).eq(local),
        _ => Mask::every(),
    }
}

/// [`Sector::end_beyond`], and in which lanes there is one.
#[inline]
pub(super) fn end_beyond(range: &Sector, turn: Circle) -> (Circle, Mask) {
    let splat = |r: crate::Rot2| Circle { cos: F32x8::splat(r.cos), sin: F32x8::splat(r.sin) };
    let (half, [min, max]) = (range.half, range.ends);
    let offset = turn * splat(range.centre.inverse());
    let room = offset.cos * half.sin - offset.sin.abs() * half.cos;
    let is_inside = if half.cos <= 0.0 {
        room.ge(F32x8::ZERO)
    } else {
        room.ge(F32x8::ZERO) & offset.cos.ge(F32x8::ZERO)
    };
    let behind = offset.cos.lt(F32x8::ZERO).select(offset.cos, F32x8::ZERO);
    let end = offset.sin.ge(behind * TIE).select(splat(max), splat(min));
    (end, !is_inside)
}

/// As `halved` of one turn.
#[inline]
pub(super) fn halved(turn: Circle, length: F32x8) -> Circle {
    let is_small = turn.cos.ge(F32x8::ZERO);
    Circle {
        cos: is_small.select(length + turn.cos, turn.sin.abs()),
        sin: is_small.select(turn.sin, (length - turn.cos).copysign(turn.sin)),
    }
}

/// The nearest admissible rotation of a cone or a hinge with this rest rotation, as [`Joint3`] has
/// it.
#[inline]
pub(super) fn nearest(limit: impl Nearest, rest: Quat, local: Quatx8) -> Quatx8 {
    let rest = Quatx8::splat(rest);
    let turn = with_side((rest.conjugate() * local).normalized_near());
    let nearest = limit.nearest(turn);
    let gap = turn.dot(nearest).lt(F32x8::ZERO).select(turn + nearest, turn - nearest);
    let is_close = gap.norm_squared().le(F32x8::splat(0.25 * INSIDE * INSIDE));
    is_close.select(local, (rest * nearest).normalized_near())
}

/// The same rotation; of the two signs of half a turn, the one whose first large coordinate is
/// positive.
fn with_side(turn: Quatx8) -> Quatx8 {
    let is_half = turn.w.abs().le(F32x8::splat(NO_TWIST));
    if !is_half.any() {
        return turn;
    }
    let is_large = |x: F32x8| x.abs().gt(F32x8::splat(0.5));
    let first = is_large(turn.y).select(turn.y, turn.z);
    let first = is_large(turn.x).select(turn.x, first);
    let is_other = is_half & first.lt(F32x8::splat(-0.5));
    is_other.select(Quatx8 { x: -turn.x, y: -turn.y, z: -turn.z, w: -turn.w }, turn)
}

/// A limit that is kept in lanes.
pub(super) trait Nearest {
    /// The nearest admissible turn from rest.
    fn nearest(self, turn: Quatx8) -> Quatx8;
}

impl Nearest for &Hinge {
    fn nearest(self, turn: Quatx8) -> Quatx8 {
        let axis = Vec3x8::splat(self.axis);
        let (twist, _) = nearest_twist(axis, Some(&self.range), turn);
        Quatx8::from_parts(axis * twist.sin, twist.cos)
    }
}

impl Nearest for &Cone {
    fn nearest(self, turn: Quatx8) -> Quatx8 {
        let axis = Vec3x8::splat(self.axis);
        let v = turn.vector();
        let across = v - axis * v.dot(axis);
        let across = across - axis * across.dot(axis);
        let (twist, upright) = nearest_twist(axis, self.twist.as_ref(), turn);
        let tilt = across.dot(across).sqrt();
        let has_tilt = tilt.gt(F32x8::splat(NO_SWING));
        let tilt = has_tilt.select(tilt, F32x8::ZERO);
        let swing = nearest_swing(self, upright, tilt);
        let across = has_tilt.select(across * (swing.sin / tilt), Vec3x8::ZERO);
        let v = across + axis * (swing.cos * twist.sin);
        Quatx8::from_parts(v, swing.cos * twist.cos)
    }
}

/// As the scalar of this name: the nearest twists, and the lengths along them.
#[inline]
fn nearest_twist(axis: Vec3x8, range: Option<&Sector>, rotation: Quatx8) -> (Circle, F32x8) {
    let w = rotation.w;
    let along = rotation.vector().dot(axis);
    let length = (w * w + along * along).sqrt();
    let has_twist = length.gt(F32x8::splat(NO_TWIST));
    let twist = Circle { cos: w / length, sin: along / length };
    let twist = has_twist.select(twist, Circle::ONE);
    let Some(range) = range else {
        return (twist, length);
    };
    let (end, is_outside) = end_beyond(range, twist * twist);
    let left = w * end.cos + along * end.sin;
    let is_other = left.lt(F32x8::ZERO);
    let end = is_other.select(Circle { cos: -end.cos, sin: -end.sin }, end);
    let left = is_other.select(-left, left);
    (is_outside.select(end, twist), is_outside.select(left, length))
}

#[inline]
fn nearest_swing(cone: &Cone, upright: F32x8, tilt: F32x8) -> Circle {
    let (half_cos, half_sin) = (F32x8::splat(cone.half_cos), F32x8::splat(cone.half_sin));
    let length = (upright * upright + tilt * tilt).sqrt();
    let has_swing = tilt.gt(F32x8::ZERO);
    let swing = has_swing.select(Circle { cos: upright / length, sin: tilt / length }, Circle::ONE);
    let is_outside = (tilt * half_cos).gt(upright * half_sin);
    is_outside.select(Circle { cos: half_cos, sin: half_sin }, swing)
}
