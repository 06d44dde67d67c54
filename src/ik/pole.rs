//! Poles for chains of any length: a turn about the line from the root to the effector.

use glam::{Quat, Vec3};

use super::{Aimed, Pole};
use crate::chain::{bones_to_positions, check_pose, positions_to_bones};
use crate::check::{check_each, check_length, check_optional_length, check_range, too_short};
use crate::error::Error;
use crate::joint::{Joint3, about};
use crate::math;
use crate::rotation::{Rotation, turn_about, unit};

/// A bend or a pole off the line by less than this share of the chain, or of the pole's distance,
/// has no direction across it but what rounding gives it.
const ON_LINE: f32 = 1e-6;

/// A turn that rounding alone would ask for, in radians; the pose then stays bit for bit.
const TURN_ROUNDING: f32 = 1e-6;

/// Halvings of the turn in search of the joint's limit: to 2⁻²⁴ of it.
const HALVINGS: usize = 24;

/// Turns a chain about the line from its root to its effector, so that its bend faces a pole.
///
/// `positions` and `rotations` are the joints' world poses, root first, effector last; `joints` is
/// empty (all free) or has one entry for each joint but the effector. The bend is the sum of the
/// joints' offsets from the line. The chain turns as one: the effector's position stays bit for
/// bit and its rotation keeps its relation to the last bone. Only the root joint turns relative to
/// its parent, so only its limit can stop it, at the last admissible pose on the way; its weight
/// multiplies `weight`, the share of the turn that is made, in `[0, 1]`, the short way round.
///
/// Degenerate: a chain that is straight, or as much bent to one side as to the other, an effector
/// on the root and a pole on the line (each to 1e-6) leave the pose as it is, and count as reached.
/// A bend opposite the pole turns counter-clockwise as seen from the effector. A root outside its
/// limits turns only if it ends inside.
///
/// Accuracy: 1e-5 rad where the offsets add up to half the chain's reach, near the origin.
///
/// # Errors
/// Fewer than two joints; slices of different lengths; a number that is not finite; a coordinate
/// beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE); a rotation not of unit length; a bad joint;
/// `weight` outside `[0, 1]`. The slices are then as they were.
///
/// ```
/// use sinew::{Pole, align_pole, glam::{Quat, Vec3}};
///
/// let mut positions = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 0.0, 0.0)];
/// let mut rotations = [Quat::IDENTITY; 3];
/// let pole = Pole::Direction(Vec3::Z);
/// let aligned = align_pole(&mut positions, &mut rotations, &[], pole, 1.0)?;
/// assert!(aligned.angle < 1e-5);
/// assert!(positions[1].distance(Vec3::new(1.0, 0.0, 1.0)) < 1e-5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn align_pole(
    positions: &mut [Vec3],
    rotations: &mut [Quat],
    joints: &[Joint3],
    pole: Pole,
    weight: f32,
) -> Result<Aimed, Error> {
    let &mut [root, .., effector] = positions else {
        return Err(too_short("positions", positions.len(), 2));
    };
    check_length("rotations", rotations.len(), positions.len())?;
    check_optional_length("joints", joints.len(), positions.len() - 1)?;
    check_pose(("positions", "rotations"), positions, rotations)?;
    check_each(joints, Joint3::check)?;
    pole.check("pole")?;
    check_range("weight", weight, 0.0, 1.0)?;

    let Some((line, angle)) = angle_to_pole(positions, &pole) else {
        return Ok(Aimed::new(0, 0.0));
    };
    let joint = joints.first().copied().unwrap_or(Joint3::FREE);
    let own = rotations.first().map_or(Quat::IDENTITY, |q| q.normalized());
    let wanted = angle * weight * joint.weight();
    let turn = about(line, admissible(&joint, own, line, wanted));
    if Rotation::angle(turn) <= TURN_ROUNDING {
        return Ok(Aimed::new(0, angle.abs()));
    }
    positions_to_bones(positions, rotations, 1.0);
    for rotation in rotations.iter_mut() {
        *rotation = (turn * *rotation).normalized();
    }
    if let Some((_, bones)) = positions.split_first_mut() {
        bones_to_positions(&root, bones, rotations, 1.0);
        if let Some(last) = bones.last_mut() {
            *last = effector;
        }
    }
    let left = angle_to_pole(positions, &pole).map_or(0.0, |(_, angle)| angle.abs());
    Ok(Aimed::new(1, left))
}

/// The unit line from root to effector, and the turn about it from the bend to the pole; `None`
/// if one of the three has no direction.
fn angle_to_pole(positions: &[Vec3], pole: &Pole) -> Option<(Vec3, f32)> {
    let (&root, &effector) = (positions.first()?, positions.last()?);
    let reach: f32 =
        positions.iter().zip(positions.iter().skip(1)).map(|(a, b)| a.distance(*b)).sum();
    if root.distance(effector) <= ON_LINE * reach {
        return None;
    }
    let line = unit(effector - root)?;
    let offset = |v: Vec3| v - line * v.dot(line);
    let bend = positions.iter().fold(Vec3::ZERO, |sum, p| sum + offset(*p - root));
    let pole = unit(pole.seen_from(root.into())?.into())?;
    let (flat, on_line) = (bend.length() <= ON_LINE * reach, offset(pole).length() <= ON_LINE);
    (!flat && !on_line).then(|| (line, turn_about(unit(bend).unwrap_or(bend), pole, line)))
}

/// The part of a turn about `line` that leaves the root joint within its limits.
fn admissible(joint: &Joint3, own: Quat, line: Vec3, angle: f32) -> f32 {
    let is_inside = |angle: f32| {
        let turned = (about(line, angle) * own).normalized();
        joint.nearest(turned, 0.0) == turned
    };
    if is_inside(angle) {
        return angle;
    }
    if is_inside(0.0) { math::bisect(0.0, angle, HALVINGS, is_inside) } else { 0.0 }
}
