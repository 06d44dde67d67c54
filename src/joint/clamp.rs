//! Rotations brought inside a joint's limits.

use glam::Quat;

use super::{Joint2, Joint3};
use crate::check::check_range;
use crate::error::Error;
use crate::rotation::{Rot2, check_rotation};

/// How often a clamped rotation is clamped again until it stays. None of two million next to the
/// poles needs more.
const SETTLING: usize = 4;

/// The admissible rotation nearest to `local`, the joint's rotation relative to its parent.
///
/// Inside its limits (to 1e-6 rad) it comes back bit for bit, so that clamping twice is clamping
/// once. Outside, the nearer end of the range; both as near (`local` opposite the range's centre):
/// the upper end.
///
/// # Errors
/// `local` not a unit rotation; a bad joint.
///
/// ```
/// use sinew::{Joint2, Rot2, clamp_joint_2d};
///
/// let inside = Rot2::from_angle(0.3);
/// assert_eq!(clamp_joint_2d(inside, &Joint2::range(0.0, 1.0))?, inside);
/// let wide = Joint2::range(0.0, 5.0);
/// let clamped = clamp_joint_2d(Rot2::from_angle(5.1), &wide)?;
/// assert!((clamped.angle() - 5.0 + core::f32::consts::TAU).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_2d(local: Rot2, joint: &Joint2) -> Result<Rot2, Error> {
    clamp_joint_2d_soft(local, joint, 0.0)
}

/// The admissible rotation nearest to `local`, the joint's rotation relative to its parent.
///
/// Inside its limits (to 1e-6 rad) it comes back bit for bit, so that clamping twice is clamping
/// once; but for ellipses to which a swing of half a turn has left next to no twist to measure:
/// those that reach past 2.8 rad one way and 1e-3 rad at most the other may move again, one
/// rotation in 2500, by 0.15 rad at most. Outside, the nearest admissible rotation in angle for
/// hinges and cones, with or without a twist range. For ellipses: the nearest admissible twist, and
/// with it the nearest swing. For yaw and pitch: the nearest admissible direction, and there the
/// nearest roll.
///
/// Ties: opposite a range's centre, its upper end; a hinge or twist that a turn of π about another
/// axis has left without an angle counts as 0; a swing of π, which has two axes, has the one whose
/// first coordinate beyond ±0.5 is positive; looking straight up or down, the
/// yaw that leaves the least roll.
///
/// # Errors
/// `local` not a unit rotation; a bad joint.
///
/// ```
/// use sinew::{Joint3, clamp_joint_3d, glam::{Quat, Vec3}};
///
/// let shoulder = Joint3::cone(Vec3::Y, 0.5).with_twist(-0.2, 0.2);
/// let clamped = clamp_joint_3d(Quat::from_rotation_z(2.0), &shoulder)?;
/// assert!((clamped * Vec3::Y).angle_between(Vec3::Y) < 0.5 + 1e-5);
/// assert_eq!(clamp_joint_3d(clamped, &shoulder)?, clamped);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_3d(local: Quat, joint: &Joint3) -> Result<Quat, Error> {
    let mut clamped = clamp_joint_3d_soft(local, joint, 0.0)?;
    // Straight up, or after a swing of half a turn, rounding enlarges the error of a yaw or a
    // twist: a clamped rotation can lie a little off its nearest one, once in some hundred
    // thousand.
    for _ in 0..SETTLING {
        let again = joint.nearest(clamped, 0.0);
        if again == clamped {
            break;
        }
        clamped = again;
    }
    Ok(clamped)
}

/// [`clamp_joint_2d`] that eases in: the last `softness` (0 to 1) of the range's half width slows
/// down and nears the bound without ever passing it.
///
/// Half way from the centre (softness 0.5) and closer nothing changes; beyond, the angle follows
/// an exponential whose slope starts at 1. Not idempotent, by nature. A range of a whole turn has
/// no end to ease into.
///
/// # Errors
/// As [`clamp_joint_2d`]; `softness` outside `[0, 1]`.
///
/// ```
/// use sinew::{Joint2, Rot2, clamp_joint_2d_soft};
///
/// let joint = Joint2::range(-1.0, 1.0);
/// let eased = clamp_joint_2d_soft(Rot2::from_angle(1.0), &joint, 0.5)?.angle();
/// assert!(0.8 < eased && eased < 1.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_2d_soft(local: Rot2, joint: &Joint2, softness: f32) -> Result<Rot2, Error> {
    check_rotation("local", local)?;
    joint.check()?;
    check_range("softness", softness, 0.0, 1.0)?;
    Ok(joint.nearest(local, softness))
}

/// [`clamp_joint_3d`] that eases in: the last `softness` (0 to 1) of each range slows down and
/// nears the bound without ever passing it.
///
/// Hinges, twists, yaw, pitch and roll are eased by their angle from the range's centre, a cone by
/// its swing, an ellipse along the ray from its centre. Not idempotent, by nature. A range of a
/// whole turn has no end to ease into.
///
/// # Errors
/// As [`clamp_joint_3d`]; `softness` outside `[0, 1]`.
///
/// ```
/// use sinew::{Joint3, clamp_joint_3d_soft, glam::{Quat, Vec3}};
///
/// let hip = Joint3::cone(Vec3::Y, 1.0);
/// let eased = clamp_joint_3d_soft(Quat::from_rotation_x(3.0), &hip, 0.4)?;
/// assert!((eased * Vec3::Y).angle_between(Vec3::Y) < 1.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_3d_soft(local: Quat, joint: &Joint3, softness: f32) -> Result<Quat, Error> {
    check_rotation("local", local)?;
    joint.check()?;
    check_range("softness", softness, 0.0, 1.0)?;
    Ok(joint.nearest(local, softness))
}
