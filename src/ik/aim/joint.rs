//! One joint: the rotation that points its axis at a target, and the nearest to it that limits
//! allow.

use super::{AimSettings, Gaze, ROUNDING, Roll};
use crate::check::check_range;
use crate::error::Error;
use crate::ik::Aimed;
use crate::joint::{Arm, Effort};
use crate::rotation::{Rotation, check_rotation};
use crate::space::{Limits, Vector, check_vector};

/// How often one joint's turn is taken up again along its limits.
const ROUNDS: usize = 8;

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
/// Accuracy: 1e-5 rad, from the target or from the nearest that is allowed by a hinge, by a cone that
/// twists freely, or by a yaw and pitch whose forward is the axis that is aimed. Along other limits
/// the axis goes on from the nearest rotation that they allow, which need not end at the best.
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

    /// Between the axis of a joint and the target.
    pub(super) fn angle(&self, position: V, rotation: V::Rotation) -> f32 {
        V::Rotation::arc(rotation.rotate(self.forward), self.target - position).angle()
    }
}

/// The admissible rotation whose axis comes nearest to that of `goal`, with the nearest roll.
pub(super) fn settle<V: Gaze>(
    joint: &V::Joint,
    own: V::Rotation,
    goal: V::Rotation,
    forward: V,
) -> V::Rotation {
    let direction = goal.rotate(forward);
    let gap = |local: V::Rotation| apart(local.rotate(forward), direction);
    let mut best = joint.nearest(goal);
    let mut best_gap = gap(best);
    if best_gap > ROUNDING {
        // The nearest rotation need not point the nearest way: with its roll, but from the
        // direction; or twisted as far as can be, so that the swing has least to do. And a joint
        // that is where it can be stays there, where another is no better.
        let rolled = V::with_roll_of(best, joint, forward, direction);
        let twisted = V::twisted(joint, forward, direction);
        for other in [rolled, twisted, own] {
            let other = joint.nearest(other);
            if gap(other) < best_gap - ROUNDING {
                (best, best_gap) = (other, gap(other));
            }
        }
    }
    for _ in 0..ROUNDS {
        if best_gap <= ROUNDING {
            break;
        }
        let arm = Arm { effector: forward, target: best.inverse().rotate(direction) };
        let (next, _) = joint.turn(best, arm, Effort::FULL);
        let next_gap = gap(next);
        if next_gap >= best_gap - ROUNDING {
            break;
        }
        (best, best_gap) = (next, next_gap);
    }
    best
}

/// How far apart two unit vectors are: their distance, and where that hardly tells angles apart,
/// beyond a right angle, what the distance to the opposite of one lacks.
fn apart<V: Vector>(a: V, b: V) -> f32 {
    if a.dot(b) >= 0.0 { a.distance(b) } else { 2.0 * core::f32::consts::SQRT_2 - a.distance(-b) }
}
