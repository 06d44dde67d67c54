//! The planes that limbs bend in: as they come, as they shall be, and what takes a bone from the
//! one to the other.

use super::measure::Measured;
use crate::ik::two_bone::{CANCELLED, FLAT, ON_LINE, OPPOSITE, SHORT};
use crate::ik::{Bend, Pole};
use crate::lanes::wide::{F32x8, Mask};
use crate::lanes::{Quatx8, Vec3x8};
use crate::rotation::unit;

/// The limbs as they are, in units.
pub(super) struct Start {
    pub(super) root: Vec3x8,
    pub(super) bones: [Vec3x8; 2],
    /// Of the bones.
    pub(super) lengths: [F32x8; 2],
    /// From the root to the effector.
    pub(super) line: Vec3x8,
}

impl Start {
    #[inline]
    pub(super) fn normal(&self, bend: &Bend, middle: Quatx8, usual: &mut Mask) -> Vec3x8 {
        if let Some(axis) = bend.axis.and_then(unit) {
            return middle.normalized().rotate(Vec3x8::splat(axis));
        }
        let ([upper, lower], [a, b]) = (self.bones, self.lengths);
        let cross = upper.cross(lower);
        let (square, least) = (cross.dot(cross), (a * b) * FLAT);
        *usual = *usual & square.gt(least * least);
        cross * (F32x8::ONE / square.sqrt())
    }

    #[inline]
    pub(super) fn new_normal(
        &self,
        bend: &Bend,
        normal: Vec3x8,
        aim: &Measured,
        usual: &mut Mask,
    ) -> Vec3x8 {
        let pole = match bend.pole {
            Pole::Keep => return self.carried(normal, aim.v / aim.length, usual),
            Pole::Point(p) => Vec3x8::splat(p) - self.root,
            Pole::Direction(d) => Vec3x8::splat(d),
        };
        let across = pole.cross(aim.v);
        let (square, sine) = (pole.dot(pole), across.dot(across));
        let least = aim.length * CANCELLED;
        *usual = *usual & square.gt(F32x8::splat(SHORT)) & sine.gt(least * least * square);
        across * (F32x8::ONE / sine.sqrt())
    }

    /// The old normal, turned with the line by the shortest arc.
    #[inline]
    fn carried(&self, normal: Vec3x8, direction: Vec3x8, usual: &mut Mask) -> Vec3x8 {
        let length = self.line.length();
        let line = self.line / length;
        let half = line + direction;
        let square = half.dot(half);
        let least = F32x8::splat(ON_LINE * ON_LINE);
        *usual = *usual & length.gt((self.lengths[0] + self.lengths[1]) * 1e-6) & square.ge(least);
        let carried = normal - half * (half.dot(normal) * 2.0 / square)
            + direction * (line.dot(normal) * 2.0);
        let across = carried - direction * carried.dot(direction);
        let square = across.dot(across);
        *usual = *usual & square.gt(F32x8::splat(CANCELLED * CANCELLED));
        across * (F32x8::ONE / square.sqrt())
    }
}

/// The turn that takes a bone and a normal to others, where the bone does not turn back on itself.
#[inline]
pub(super) fn turn(
    (from, old): (Vec3x8, Vec3x8),
    (to, new): (Vec3x8, Vec3x8),
    usual: &mut Mask,
) -> Quatx8 {
    let opposite = F32x8::splat(OPPOSITE);
    let cosine = from.dot(to);
    *usual = *usual & cosine.ge(opposite);
    let (half, axis) = (from + to, from.cross(to));
    let along = F32x8::ONE + cosine;
    // The cosine and the sine of the twist, times `along`.
    let share = half.dot(old);
    let cos = along * old.dot(new) - share * half.dot(new);
    let sin = along * to.dot(old.cross(new)) + share * axis.dot(new);
    // Of half the angle; close to half a turn the first form cancels.
    let first = cos.gt(along * opposite);
    let (cos, sin) = (first.select(along + cos, sin), first.select(sin, along - cos));
    Quatx8::from_parts(axis * cos + half * sin, along * cos)
}
