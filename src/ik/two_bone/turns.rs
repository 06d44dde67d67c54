//! What takes two bones, and the normals of their planes, to others: quaternions of any length,
//! side by side.

use glam::{BVec3A, Quat, Vec3A};

use super::plane::{FLAT, ON_LINE, unit_or};
use crate::math::exact::{self, Trio, crosses, dots};
use crate::rotation::perpendicular;

/// Unit vectors with a cosine below this are so near to opposite that their sum has lost digits.
pub(crate) const OPPOSITE: f32 = -0.95;

/// What turns the directions of two bones and their normals into others.
#[inline]
pub(super) fn turns((from, old): (Trio, Trio), (to, new): (Trio, Vec3A)) -> [Quat; 2] {
    if both(dots(&from, &to).cmpge(Vec3A::splat(OPPOSITE))) {
        arcs_and_twists((from, old), (to, new))
    } else {
        turns_back((from, old), (to, new))
    }
}

/// Whether something holds for both bones.
#[inline]
fn both(mask: BVec3A) -> bool {
    mask.bitmask() & 3 == 3
}

/// [`turns`] where a bone turns back on itself.
#[cold]
fn turns_back((from, old): (Trio, Trio), (to, new): (Trio, Vec3A)) -> [Quat; 2] {
    let old = exact::side_by_side(across_far(old, from));
    let (from, to) = (exact::side_by_side(from), exact::side_by_side(to));
    [arc_and_turn((from[0], old[0]), (to[0], new)), arc_and_turn((from[1], old[1]), (to[1], new))]
}

/// Takes a direction and a normal across it, to its last digit, to others, however they lie: the
/// arc between the normals, half a turn about the direction before it if they are opposite, and a
/// turn about the new one after it; by a quaternion of any length.
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

/// The unit vectors of a normal's parts across two bones; along a bone it is replaced.
#[inline]
pub(super) fn across(normal: Vec3A, bones: Trio) -> Trio {
    let normals = three_times(normal);
    let is_across = both(dots(&normals, &bones).abs().cmplt(Vec3A::splat(FLAT)));
    if is_across { normals } else { across_far(normals, bones) }
}

/// [`across`] to the last digit.
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
