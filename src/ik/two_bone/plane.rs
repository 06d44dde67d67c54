//! The plane that a limb bends in: as it comes, and as it shall be.

use glam::{Vec3, Vec3A};

use super::Bend;
use crate::ik::Pole;
use crate::math::{self, exact};
use crate::rotation::{Rotation, perpendicular, unit};
use crate::space::Vector;

/// A limb as it came.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Start<V: Vector> {
    pub(super) root: Vec3A,
    /// In units.
    pub(super) bones: [Vec3A; 2],
    /// What they are long.
    pub(super) lengths: [f32; 2],
    /// From the root to the effector.
    pub(super) line: Vec3A,
    /// What it is multiplied by to have it in units.
    pub(super) per_unit: f32,
    /// Of the root and the middle joint.
    pub(super) rotations: [V::Rotation; 2],
}

impl<V: Vector> Start<V> {
    /// From root to effector, of unit length; `None` if the effector is at the root, to what
    /// rounding leaves of a folded limb.
    #[inline]
    fn line(&self) -> Option<Vec3A> {
        let line = self.line * self.per_unit;
        let (length, [a, b]) = (math::sqrt(line.length_squared()), self.lengths);
        (length > 1e-6 * (a + b)).then(|| line / length)
    }

    /// Where a target at the root counts as being: where the effector is, and for a folded limb
    /// such that its bend stays.
    #[cold]
    pub(super) fn direction(self, normal: Vec3A) -> Vec3A {
        self.line().unwrap_or_else(|| unit_or(normal.cross(self.bones[0]), Vec3A::X))
    }
}

/// The way to a target.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// From the root to the target, of moderate length.
    pub(super) line: Vec3A,
    pub(super) length: f32,
    /// Of unit length.
    pub(super) direction: Vec3A,
    pub(super) target: Vec3A,
}

impl Aim {
    /// The way to a target on the root.
    pub(super) fn along(direction: Vec3A, target: Vec3A) -> Self {
        Self { line: direction, length: 1.0, direction, target }
    }
}

/// Bones closer to one line than this (sine of the angle) lose their plane to the pole's, little by
/// little: of a bend of a thousandth, rounding to f32 leaves three digits of the plane.
pub(crate) const FLAT: f32 = 1e-3;

/// A pole closer to the line to the target than this (sine of the angle) counts as on it: rounding
/// to f32 decides to which side it is.
pub(crate) const ON_LINE: f32 = 1e-6;

/// Below this sine of the angle the cross product of pole and line is worth its exact digits: its
/// error, an ulp divided by the sine, stays under half of what is promised.
pub(crate) const CANCELLED: f32 = 0.125;

/// A pole whose square is less is brought to moderate length, for the square has no digits left.
pub(crate) const SHORT: f32 = 1e-20;

/// The axis about which a limb of space is bent as it came; see
/// [`TwoBone::normal`](super::TwoBone).
#[inline]
pub(super) fn normal(bend: &Bend, start: &Start<Vec3>) -> (Vec3A, bool) {
    if let Some(axis) = bend.axis.and_then(unit) {
        let [_, middle] = start.rotations;
        return ((middle.normalized() * axis).into(), false);
    }
    let ([upper, lower], [a, b]) = (start.bones, start.lengths);
    let cross = upper.cross(lower);
    let (square, least) = (cross.length_squared(), FLAT * (a * b));
    if square > least * least {
        (cross * (1.0 / math::sqrt(square)), true)
    } else {
        (blended_normal(bend, *start), false)
    }
}

/// The axis that it will be bent about, across the direction of its target.
#[inline]
pub(super) fn new_normal(bend: &Bend, start: &Start<Vec3>, normal: Vec3A, aim: &Aim) -> Vec3A {
    if let Some(normal) = pole_normal(bend, start.root, aim) {
        return normal;
    }
    let direction = aim.direction;
    let carried = start.line().map_or(normal, |line| carry(normal, line, direction));
    let across = carried - direction * carried.dot(direction);
    let square = across.length_squared();
    if square > CANCELLED * CANCELLED {
        across * (1.0 / math::sqrt(square))
    } else {
        next_to_line(across, direction)
    }
}

/// The unit vector across the pole and the direction to the target; `None` if they are on one line.
#[inline]
fn pole_normal(bend: &Bend, root: Vec3A, aim: &Aim) -> Option<Vec3A> {
    let pole = bend.pole.seen_from(root)?;
    let across = pole.cross(aim.line);
    let (square, sine) = (pole.length_squared(), across.length_squared());
    let least = CANCELLED * aim.length;
    if square > SHORT && sine > least * least * square {
        Some(across * (1.0 / math::sqrt(sine)))
    } else {
        pole_normal_next_to_line(&bend.pole, root, *aim)
    }
}

/// [`pole_normal`] to the last digit, whatever cancels, for poles of any length.
#[cold]
fn pole_normal_next_to_line(pole: &Pole, root: Vec3A, aim: Aim) -> Option<Vec3A> {
    let (pole, rest) = match *pole {
        Pole::Keep => return None,
        Pole::Point(p) => exact::difference(p.into(), root),
        Pole::Direction(d) => (d.into(), Vec3A::ZERO),
    };
    let scale = math::per_binade(pole.abs().max_element());
    let pole = pole * scale;
    let (square, mut across) = (pole.length_squared(), pole.cross(aim.direction));
    if across.length_squared() <= CANCELLED * CANCELLED * square {
        across = exact_cross((pole, rest * scale), root, aim.target).unwrap_or(across);
    }
    let sine = across.length_squared();
    (sine > ON_LINE * ON_LINE * square).then(|| across * (1.0 / math::sqrt(sine)))
}

/// The cross product of a pole and the direction from root to target; `None` if they are one.
fn exact_cross((pole, pole_rest): (Vec3A, Vec3A), root: Vec3A, target: Vec3A) -> Option<Vec3A> {
    let (line, rest) = exact::difference(target, root);
    let scale = math::per_binade(line.abs().max_element());
    let (line, rest) = (line * scale, rest * scale);
    let leading = Vec3A::from(exact::cross(pole.into(), line.into()));
    let cross = leading + (pole_rest.cross(line) + pole.cross(rest));
    let length = math::sqrt(line.length_squared());
    (length > 0.0).then(|| cross / length)
}

/// The normal of a limb that is nearly straight: little by little another than its own.
#[cold]
fn blended_normal(bend: &Bend, start: Start<Vec3>) -> Vec3A {
    let [upper, lower] = start.bones.map(|bone| unit_or(bone, Vec3A::ZERO));
    let cross = upper.cross(lower);
    let sine = math::sqrt(cross.length_squared());
    // The squares of bones of next to no length have no digits.
    if sine > FLAT {
        return cross * (1.0 / sine);
    }
    let flat = flat_normal(bend, start);
    unit_or(cross + flat * (FLAT - sine), flat)
}

/// The normal of a straight limb: the pole's, or one that turns with the root.
fn flat_normal(bend: &Bend, start: Start<Vec3>) -> Vec3A {
    let line = start.line().unwrap_or_else(|| unit_or(start.bones[0], Vec3A::X));
    if let Some(normal) =
        pole_normal_next_to_line(&bend.pole, start.root, Aim::along(line, start.root))
    {
        return normal;
    }
    let [root, _] = start.rotations;
    let local = root.conjugate() * Vec3::from(line);
    let out = Vec3A::from(root * perpendicular(local));
    unit_or(out.cross(line), Vec3A::Z)
}

/// The unit vector of what little of a normal is across the line to the target: less the digits
/// along the line that it has been left with; another where there is none.
#[cold]
fn next_to_line(across: Vec3A, line: Vec3A) -> Vec3A {
    if across.length_squared() <= ON_LINE * ON_LINE {
        return Vec3A::from(perpendicular(line.into())).cross(line);
    }
    let across = unit_or(across, Vec3A::X);
    unit_or(across - line * across.dot(line), Vec3A::X)
}

/// Turns `v` by the shortest arc between two unit vectors; opposite ones leave it as it is.
#[inline]
fn carry(v: Vec3A, from: Vec3A, to: Vec3A) -> Vec3A {
    let half = from + to;
    let square = half.length_squared();
    // Half a turn but for rounding: any axis would do, and the bend's own keeps the plane.
    if square < ON_LINE * ON_LINE {
        return v;
    }
    v - half * (2.0 * half.dot(v) / square) + to * (2.0 * from.dot(v))
}

#[inline]
pub(super) fn unit_or(v: Vec3A, other: Vec3A) -> Vec3A {
    let square = v.length_squared();
    if square > 0.0 { v * (1.0 / math::sqrt(square)) } else { other }
}
