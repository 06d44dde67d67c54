//! The plane that a limb bends in: as it comes, as it shall be, and what takes two bones from the one
//! to the other.

use glam::{BVec3A, Quat, Vec2, Vec3, Vec3A};

use super::{Bend, Side, is_point};
use crate::error::Error;
use crate::ik::Pole;
use crate::math;
use crate::math::exact::{self, Trio, crosses, dots};
use crate::rotation::{Rot2, Rotation, check_axis, perpendicular, unit};
use crate::space::Vector;

/// A limb as it came.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limb<V: Vector> {
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

impl<V: TwoBone> Limb<V> {
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

/// What lets two bones bend in the plane and in space.
///
/// Sealed, as [`Vector`] is.
pub trait TwoBone: Vector {
    /// To which side a limb bends.
    type Bend: Copy + core::fmt::Debug + Default + PartialEq + Send + Sync + 'static;

    #[doc(hidden)]
    fn check_bend(bend: &Self::Bend) -> Result<(), Error>;

    /// Whether [`TwoBone::check_bend`] finds nothing, at a glance.
    #[doc(hidden)]
    fn is_bend(bend: &Self::Bend) -> bool;

    /// In a processor's register of four; the plane is that of x and y.
    #[doc(hidden)]
    #[must_use]
    fn wide(self) -> Vec3A;

    #[doc(hidden)]
    #[must_use]
    fn narrow(wide: Vec3A) -> Self;

    /// The axis, of unit length, about which the limb is bent as it came; and whether it is across
    /// both bones, but for rounding.
    #[doc(hidden)]
    #[must_use]
    fn normal(bend: &Self::Bend, limb: &Limb<Self>) -> (Vec3A, bool);

    /// The unit vectors of an axis's parts across the bones; where it is along a bone, others.
    #[doc(hidden)]
    #[must_use]
    fn across(normal: Vec3A, bones: Trio) -> Trio;

    /// The axis that it will be bent about, across the direction of its target.
    #[doc(hidden)]
    #[must_use]
    fn new_normal(bend: &Self::Bend, limb: &Limb<Self>, normal: Vec3A, aim: &Aim) -> Vec3A;

    /// What turns the directions of the two bones and their normal into others, of any length;
    /// anything for a bone without length.
    #[doc(hidden)]
    #[must_use]
    fn turns(from: (Trio, Trio), to: (Trio, Vec3A)) -> [Self::Rotation; 2];
}

impl TwoBone for Vec2 {
    type Bend = Side;

    fn check_bend(_: &Side) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn is_bend(_: &Side) -> bool {
        true
    }

    #[inline]
    fn wide(self) -> Vec3A {
        Vec3A::new(self.x, self.y, 0.0)
    }

    #[inline]
    fn narrow(wide: Vec3A) -> Self {
        Self::new(wide.x, wide.y)
    }

    #[inline]
    fn normal(_: &Side, limb: &Limb<Self>) -> (Vec3A, bool) {
        let [upper, lower] = limb.bones;
        let is_left = upper.x * lower.y - upper.y * lower.x < 0.0;
        (if is_left { Vec3A::NEG_Z } else { Vec3A::Z }, true)
    }

    #[inline]
    fn new_normal(side: &Side, _: &Limb<Self>, normal: Vec3A, _: &Aim) -> Vec3A {
        match side {
            Side::Keep => normal,
            // A middle joint on the left turns clockwise.
            Side::Left => Vec3A::NEG_Z,
            Side::Right => Vec3A::Z,
        }
    }

    #[inline]
    fn across(normal: Vec3A, _: Trio) -> Trio {
        three_times(normal)
    }

    #[inline]
    fn turns(([x, y, _], _): (Trio, Trio), ([to_x, to_y, _], _): (Trio, Vec3A)) -> [Rot2; 2] {
        let (cos, sin) = (x * to_x + y * to_y, x * to_y - y * to_x);
        [Rot2 { cos: cos.x, sin: sin.x }, Rot2 { cos: cos.y, sin: sin.y }]
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

/// Unit vectors with a cosine below this are so near to opposite that their sum has lost digits.
pub(crate) const OPPOSITE: f32 = -0.95;

impl TwoBone for Vec3 {
    type Bend = Bend;

    fn check_bend(bend: &Bend) -> Result<(), Error> {
        bend.pole.check("settings.bend.pole")?;
        bend.axis.map_or(Ok(()), |axis| check_axis("settings.bend.axis", axis).map(|_| ()))
    }

    #[inline]
    fn is_bend(bend: &Bend) -> bool {
        let is_pole = match bend.pole {
            Pole::Keep => true,
            Pole::Point(p) | Pole::Direction(p) => is_point(p.wide()),
        };
        is_pole && bend.axis.is_none_or(|axis| axis != Vec3::ZERO && is_point(axis.wide()))
    }

    #[inline]
    fn wide(self) -> Vec3A {
        self.into()
    }

    #[inline]
    fn narrow(wide: Vec3A) -> Self {
        wide.into()
    }

    #[inline]
    fn normal(bend: &Bend, limb: &Limb<Self>) -> (Vec3A, bool) {
        if let Some(axis) = bend.axis.and_then(unit) {
            let [_, middle] = limb.rotations;
            return ((middle.normalized() * axis).into(), false);
        }
        let ([upper, lower], [a, b]) = (limb.bones, limb.lengths);
        let cross = upper.cross(lower);
        let (square, least) = (cross.length_squared(), FLAT * (a * b));
        if square > least * least {
            (cross * (1.0 / math::sqrt(square)), true)
        } else {
            (blended_normal(bend, *limb), false)
        }
    }

    #[inline]
    fn new_normal(bend: &Bend, limb: &Limb<Self>, normal: Vec3A, aim: &Aim) -> Vec3A {
        if let Some(normal) = pole_normal(bend, limb.root, aim) {
            return normal;
        }
        let direction = aim.direction;
        let carried = limb.line().map_or(normal, |line| carry(normal, line, direction));
        let across = carried - direction * carried.dot(direction);
        let square = across.length_squared();
        if square > CANCELLED * CANCELLED {
            across * (1.0 / math::sqrt(square))
        } else {
            next_to_line(across, direction)
        }
    }

    #[inline]
    fn across(normal: Vec3A, bones: Trio) -> Trio {
        let normals = three_times(normal);
        let is_across = both(dots(&normals, &bones).abs().cmplt(Vec3A::splat(FLAT)));
        if is_across { normals } else { across_far(normals, bones) }
    }

    #[inline]
    fn turns((from, old): (Trio, Trio), (to, new): (Trio, Vec3A)) -> [Quat; 2] {
        if both(dots(&from, &to).cmpge(Vec3A::splat(OPPOSITE))) {
            arcs_and_twists((from, old), (to, new))
        } else {
            turns_back((from, old), (to, new))
        }
    }
}

/// Whether something holds for both bones.
#[inline]
fn both(mask: BVec3A) -> bool {
    mask.bitmask() & 3 == 3
}

/// [`TwoBone::turns`] where a bone turns back on itself.
#[cold]
fn turns_back((from, old): (Trio, Trio), (to, new): (Trio, Vec3A)) -> [Quat; 2] {
    let old = exact::side_by_side(across_far(old, from));
    let (from, to) = (exact::side_by_side(from), exact::side_by_side(to));
    [arc_and_turn((from[0], old[0]), (to[0], new)), arc_and_turn((from[1], old[1]), (to[1], new))]
}

/// Takes a direction and a normal across it, to its last digit, to others, however they lie: the arc
/// between the normals, half a turn about the direction before it if they are opposite, and a turn
/// about the new one after it; by a quaternion of any length.
fn arc_and_turn((from, old): (Vec3A, Vec3A), (to, new): (Vec3A, Vec3A)) -> Quat {
    let flips = old.dot(new) < 0.0;
    let old = if flips { -old } else { old };
    let (half, along) = (old + new, 1.0 + old.dot(new));
    let carried = from - half * (half.dot(from) / along);
    let (cos, sin) = (carried.dot(to), carried.cross(to).dot(new));
    let (cos, sin) = if cos < 0.0 { (sin, 1.0 - cos) } else { (1.0 + cos, sin) };
    let arc = Quat::from_vec4(old.cross(new).extend(along));
    let turn = Quat::from_vec4((new * sin).extend(cos)) * arc;
    if flips { turn * Quat::from_vec4(from.extend(0.0)) } else { turn }
}

/// Takes two directions and their normals to others, by quaternions of any length; the directions
/// must not be opposite.
///
/// The half vector of the arc from bone to bone makes it, and the half angle from the normal that
/// the arc takes along to the new one twists it: no root, no trigonometry, no division.
#[inline]
fn arcs_and_twists((from, old): (Trio, Trio), (to, new): (Trio, Vec3A)) -> [Quat; 2] {
    let new = three_times(new);
    let half = [from[0] + to[0], from[1] + to[1], from[2] + to[2]];
    let axis = crosses(&from, &to);
    let along = Vec3A::ONE + dots(&from, &to);
    // The cosine and the sine of the twist, times `along`.
    let share = dots(&half, &old);
    let cos = along * dots(&old, &new) - share * dots(&half, &new);
    let sin = along * dots(&to, &crosses(&old, &new)) + share * dots(&axis, &new);
    // Of half the angle; close to half a turn the first form cancels.
    let first = cos.cmpgt(along * OPPOSITE);
    let (cos, sin) =
        (Vec3A::select(first, along + cos, sin), Vec3A::select(first, sin, along - cos));
    let [x, y, z, w] = [
        axis[0] * cos + half[0] * sin,
        axis[1] * cos + half[1] * sin,
        axis[2] * cos + half[2] * sin,
        along * cos,
    ];
    [Quat::from_xyzw(x.x, y.x, z.x, w.x), Quat::from_xyzw(x.y, y.y, z.y, w.y)]
}

/// A vector three times side by side.
#[inline]
pub(super) fn three_times(v: Vec3A) -> Trio {
    [Vec3A::splat(v.x), Vec3A::splat(v.y), Vec3A::splat(v.z)]
}

/// The unit vectors of a normal's parts across two bones, to the last digit; along a bone it is
/// replaced.
fn across_far(normals: Trio, bones: Trio) -> Trio {
    let (mut normals, bones) = (exact::side_by_side(normals), exact::side_by_side(bones));
    for (normal, bone) in normals.iter_mut().zip(bones).take(2) {
        let part = *normal - bone * normal.dot(bone);
        let is_line = part.length_squared() <= ON_LINE;
        let part = if is_line { perpendicular(bone.into()).into() } else { part };
        *normal = unit_or(part, Vec3A::X);
    }
    exact::side_by_side(normals)
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
fn blended_normal(bend: &Bend, limb: Limb<Vec3>) -> Vec3A {
    let [upper, lower] = limb.bones.map(|bone| unit_or(bone, Vec3A::ZERO));
    let cross = upper.cross(lower);
    let sine = math::sqrt(cross.length_squared());
    // The squares of bones of next to no length have no digits.
    if sine > FLAT {
        return cross * (1.0 / sine);
    }
    let flat = flat_normal(bend, limb);
    unit_or(cross + flat * (FLAT - sine), flat)
}

/// The normal of a straight limb: the pole's, or one that turns with the root.
fn flat_normal(bend: &Bend, limb: Limb<Vec3>) -> Vec3A {
    let line = limb.line().unwrap_or_else(|| unit_or(limb.bones[0], Vec3A::X));
    if let Some(normal) =
        pole_normal_next_to_line(&bend.pole, limb.root, Aim::along(line, limb.root))
    {
        return normal;
    }
    let [root, _] = limb.rotations;
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
fn unit_or(v: Vec3A, other: Vec3A) -> Vec3A {
    let square = v.length_squared();
    if square > 0.0 { v * (1.0 / math::sqrt(square)) } else { other }
}
