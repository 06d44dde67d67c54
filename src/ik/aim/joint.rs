//! One joint: the rotation that points its axis at a target, and the nearest to it that limits
//! allow.

use super::lean::{Pointing, follow, harmless_share, lean};
use super::{AimSettings, GAP_ROUNDING, Gaze, Roll};
use crate::check::check_range;
use crate::error::Error;
use crate::ik::Aimed;
use crate::rotation::{Rotation, check_rotation};
use crate::space::{Limits, check_vector, direction};

/// Turns a joint so that an axis of it points at a target.
///
/// `position` and `rotation` are the joint's pose, `target` a point, both in the space that the
/// joint's limits are measured in: its parent's, or the caller's if it has none. The joint's
/// [`weight`](crate::Joint3::with_weight) multiplies the settings' one.
///
/// Where the limits keep the axis off the target, it comes as near as they let it; the roll gives
/// way first. An eye that turns further out than in is a
/// [`Joint3::yaw_pitch`](crate::Joint3::yaw_pitch).
///
/// Degenerate: with the target at the joint the rotation stays (and counts as reached). Where the
/// direction is along up (to 1e-3 rad) the roll blends into that of the shortest arc from the
/// rotation as it came. A target straight behind is turned to about
/// [`perpendicular`](crate::perpendicular) of the axis in the joint's frame, or about the axis that
/// points up; behind limits, it is a tie, which goes as [`clamp_joint_3d`](crate::clamp_joint_3d)
/// says.
///
/// Accuracy: 1e-5 rad, from the target or from the nearest that is allowed by a hinge, by a cone
/// that twists freely, or by a yaw and pitch whose forward is the axis that is aimed. Ellipses, and
/// cones whose twist is limited too, give up some aim for a smooth motion: beyond them, a lean to
/// one side or to the other often comes a little nearer, and a head that took it would be thrown
/// over by a target that passes by. So the axis goes on from the nearest rotation that they allow
/// as far as a radian of the turn closes three tenths of the gap, then less and less of the way,
/// and not at all for a tenth; to a rotation elsewhere by what a radian of the turn brings in
/// radians. Necks whose swing and twist are limited to 0.25 to 0.6 rad, their targets up to 1 rad
/// to the side, give up 5e-4 rad in the middle and 0.07 rad at most. The axis never ends further
/// off than it came.
///
/// # Errors
/// A number that is not finite; a coordinate beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE);
/// `rotation` not of unit length; a bad joint; a setting outside its documented range.
///
/// ```
/// use sinew::{AimSettings, Joint3, aim, glam::{Quat, Vec3}};
///
/// let eye = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-0.6, 0.8], [-0.4, 0.5]);
/// let mut rotation = Quat::IDENTITY;
/// let aimed = aim(Vec3::ZERO, &mut rotation, &eye, Vec3::X, &AimSettings::default())?;
/// assert!((rotation * Vec3::Z).distance(Vec3::new(0.8_f32.sin(), 0.0, 0.8_f32.cos())) < 1e-6);
/// assert!((aimed.angle - (core::f32::consts::FRAC_PI_2 - 0.8)).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn aim<V: Gaze>(
    position: V,
    rotation: &mut V::Rotation,
    joint: &V::Joint,
    target: V,
    settings: &AimSettings<V>,
) -> Result<Aimed, Error> {
    check_vector("position", position)?;
    check_rotation("rotation", *rotation)?;
    joint.check()?;
    check_vector("target", target)?;
    let sight = Sight::new(target, settings)?;
    let before = *rotation;
    let weight = settings.weight * V::weight(joint);
    let goal = sight.goal(before, position, weight);
    *rotation = settle(&V::willing(joint), before, goal, sight.forward);
    let angle = sight.angle(position, *rotation);
    Ok(Aimed::new(usize::from(*rotation != before), angle))
}

/// What is aimed, and at what.
pub(super) struct Sight<V> {
    pub(super) target: V,
    pub(super) forward: V,
    roll: Roll<V>,
}

impl<V: Gaze> Sight<V> {
    pub(super) fn new(target: V, settings: &AimSettings<V>) -> Result<Self, Error> {
        check_range("settings.weight", settings.weight, 0.0, 1.0)?;
        let forward = V::check_direction("settings.forward", settings.forward)?;
        let roll = match settings.roll {
            Roll::Least => Roll::Least,
            Roll::Up { local, hint } => Roll::Up {
                local: V::check_direction("settings.roll.local", local)?,
                hint: V::check_direction("settings.roll.hint", hint)?,
            },
        };
        Ok(Self { target, forward, roll })
    }

    /// The rotation of a joint at `position` that is `weight` of the way from `start` to the one
    /// that points at the target.
    pub(super) fn goal(&self, start: V::Rotation, position: V, weight: f32) -> V::Rotation {
        let direction = self.target - position;
        if weight <= 0.0 || direction == V::ZERO {
            return start;
        }
        let facing = V::facing(start, self.forward, &self.roll, direction);
        if weight >= 1.0 {
            facing
        } else {
            (start * (start.inverse() * facing).scaled(weight)).normalized()
        }
    }

    /// Where that rotation points the axis.
    pub(super) fn direction(&self, start: V::Rotation, position: V, weight: f32) -> V {
        if weight < 1.0 {
            return self.goal(start, position, weight).rotate(self.forward);
        }
        let direction = direction(self.target - position);
        direction.map_or_else(|| start.rotate(self.forward), |(direction, _)| direction)
    }

    /// Between the axis of a joint and the target.
    pub(super) fn angle(&self, position: V, rotation: V::Rotation) -> f32 {
        V::Rotation::arc(rotation.rotate(self.forward), self.target - position).angle()
    }
}

/// The admissible rotation whose axis comes nearest to that of `goal`, with the nearest roll; along
/// other limits than those whose nearest is known, as [`lean`] does.
pub(super) fn settle<V: Gaze>(
    joint: &V::Joint,
    own: V::Rotation,
    goal: V::Rotation,
    forward: V,
) -> V::Rotation {
    let direction = goal.rotate(forward);
    let pointing = Pointing { forward, direction };
    let mut best = joint.nearest(goal);
    let mut best_gap = pointing.gap(best);
    if best_gap <= GAP_ROUNDING {
        return best;
    }
    if !V::points_exactly(joint) {
        let leaned = lean(joint, best, pointing);
        let start = joint.nearest(own);
        let most = pointing.gap(start) + GAP_ROUNDING;
        if pointing.gap(leaned) <= most {
            return leaned;
        }
        let turn = start.inverse() * leaned;
        let at = |share: f32| joint.nearest((start * turn.scaled(share)).normalized());
        return at(harmless_share(most, |share| pointing.gap(at(share))));
    }
    // The nearest rotation need not point the nearest way: with its roll, but from the direction;
    // or twisted as far as can be, so that the swing has least to do. And a joint that is where it
    // can be stays there, where another is no better.
    let rolled = V::with_roll_of(best, joint, forward, direction);
    let twisted = V::twisted(joint, forward, direction);
    for other in [rolled, twisted, own] {
        let other = joint.nearest(other);
        let other_gap = pointing.gap(other);
        if other_gap < best_gap - GAP_ROUNDING {
            (best, best_gap) = (other, other_gap);
        }
    }
    follow(joint, best, pointing)
}
