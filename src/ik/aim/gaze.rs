//! What it takes to face something, in the plane and in space.

use glam::{Quat, Vec2, Vec3};

use super::Roll;
use crate::error::Error;
use crate::joint::{Joint2, Joint3};
use crate::rotation::{
    Rot2, Rotation, across, check_axis, look_rotation, perpendicular, shortest_arc_2d,
    shortest_arc_3d, swing_twist, turn_about, unit,
};
use crate::space::Vector;

/// What lets a joint aim in the plane and in space.
///
/// Sealed, as [`Vector`] is.
pub trait Gaze: Vector {
    #[doc(hidden)]
    fn check_direction(name: &'static str, v: Self) -> Result<Self, Error>;

    #[doc(hidden)]
    #[must_use]
    fn weight(joint: &Self::Joint) -> f32;

    /// The same joint with a weight of 1.
    #[doc(hidden)]
    #[must_use]
    fn willing(joint: &Self::Joint) -> Self::Joint;

    /// Whether the nearest that its limits let an axis come to a direction is known: not where they
    /// hold a swing by its twist or by its side.
    #[doc(hidden)]
    #[must_use]
    fn points_exactly(joint: &Self::Joint) -> bool;

    /// The rotation that takes `forward` to `direction`, from `start`.
    #[doc(hidden)]
    #[must_use]
    fn facing(
        start: Self::Rotation,
        forward: Self,
        roll: &Roll<Self>,
        direction: Self,
    ) -> Self::Rotation;

    /// The rotation that takes `forward` to `direction` by a swing from the joint's rest, with the
    /// twist that `local` has.
    #[doc(hidden)]
    #[must_use]
    fn with_roll_of(
        local: Self::Rotation,
        joint: &Self::Joint,
        forward: Self,
        direction: Self,
    ) -> Self::Rotation;

    /// The rotation that takes `forward` to `direction` by a twist about the joint's own axis and
    /// the least swing after it.
    #[doc(hidden)]
    #[must_use]
    fn twisted(joint: &Self::Joint, forward: Self, direction: Self) -> Self::Rotation;
}

impl Gaze for Vec2 {
    fn check_direction(name: &'static str, v: Self) -> Result<Self, Error> {
        Vec3::check_direction(name, v.extend(0.0)).map(Vec3::truncate)
    }

    fn weight(joint: &Joint2) -> f32 {
        joint.weight()
    }

    fn willing(joint: &Joint2) -> Joint2 {
        joint.with_weight(1.0)
    }

    fn points_exactly(_: &Joint2) -> bool {
        true
    }

    fn facing(start: Rot2, forward: Self, _: &Roll<Self>, direction: Self) -> Rot2 {
        (shortest_arc_2d(start.rotate(forward), direction) * start).normalize()
    }

    fn with_roll_of(local: Rot2, _: &Joint2, _: Self, _: Self) -> Rot2 {
        local
    }

    fn twisted(_: &Joint2, forward: Self, direction: Self) -> Rot2 {
        shortest_arc_2d(forward, direction)
    }
}

/// Where direction and up are closer to one line than this (sine of the angle), the roll fades into
/// that of the shortest arc: there a thousandth of a radian of the direction rolls a whole radian.
const FADE: f32 = 1e-3;

impl Gaze for Vec3 {
    fn check_direction(name: &'static str, v: Self) -> Result<Self, Error> {
        check_axis(name, v)
    }

    fn weight(joint: &Joint3) -> f32 {
        joint.weight()
    }

    fn willing(joint: &Joint3) -> Joint3 {
        joint.with_weight(1.0)
    }

    fn points_exactly(joint: &Joint3) -> bool {
        joint.points_exactly()
    }

    fn facing(start: Quat, forward: Self, roll: &Roll<Self>, direction: Self) -> Quat {
        let Some(direction) = unit(direction) else {
            return start;
        };
        let up = match roll {
            Roll::Least => None,
            Roll::Up { local, hint } => {
                Some((across(*local, forward).unwrap_or_else(|| perpendicular(forward)), *hint))
            }
        };
        let mut arc = shortest_arc_3d(start * forward, direction);
        if arc.w.abs() < f32::EPSILON {
            // Straight behind: about an axis that turns with the joint.
            let axis = start * up.map_or_else(|| perpendicular(forward), |(local, _)| local);
            arc = Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        }
        let least = (arc * start).normalized();
        let Some((local, hint)) = up else {
            return least;
        };
        let part = hint - direction * hint.dot(direction);
        let sine = part.length();
        let up = part + least * local * (FADE - sine).max(0.0);
        look_rotation(direction, up, forward, local)
    }

    fn with_roll_of(local: Quat, joint: &Joint3, forward: Self, direction: Self) -> Quat {
        let back = joint.rest().conjugate();
        let (_, twist) = swing_twist(back * local, forward);
        (joint.rest() * shortest_arc_3d(forward, back * direction) * twist).normalized()
    }

    fn twisted(joint: &Joint3, forward: Self, direction: Self) -> Quat {
        let direction = joint.rest().conjugate() * direction;
        let twist = joint
            .axis()
            .map_or(Quat::IDENTITY, |axis| Quat::exp(axis * turn_about(forward, direction, axis)));
        (joint.rest() * shortest_arc_3d(twist * forward, direction) * twist).normalized()
    }
}
