//! Hinges, and the angle of a rotation about an axis.

use glam::{Quat, Vec3};

use super::cone::nearest_twist;
use super::sector::Sector;
use crate::error::Error;
use crate::math;
use crate::rotation::{NO_TWIST, check_unit_axis, parts};

/// A turn about one axis only.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Hinge {
    /// Of unit length, or what the caller gave if that has no direction.
    pub(crate) axis: Vec3,
    pub(crate) range: Sector,
}

impl Hinge {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_unit_axis("joint.axis", self.axis)?;
        self.range.angles.check(("joint.min", "joint.max"))
    }

    /// The turn about the axis in `rotation`; see [`angle_about`].
    #[inline]
    pub(crate) fn angle_of(&self, rotation: Quat) -> f32 {
        angle_about(self.axis, rotation)
    }

    /// The rotation by `angle` about the axis.
    #[inline]
    pub(crate) fn at(&self, angle: f32) -> Quat {
        about(self.axis, angle)
    }

    /// Nearest in angle: the projection on the axis is the nearest turn about it, and from there
    /// the nearest end of the range.
    #[inline]
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        let ((cos, sin), _) = nearest_twist(rotation, self.axis, Some(self.range), softness);
        let v = self.axis * sin;
        Quat::from_xyzw(v.x, v.y, v.z, cos)
    }
}

/// The turn about a unit axis in `rotation`, in `[-π, π]`: of all turns about it, the nearest. 0
/// where every turn is equally near.
#[inline]
pub(crate) fn angle_about(axis: Vec3, rotation: Quat) -> f32 {
    let (v, w) = parts(rotation);
    // Either sign of the quaternion is the same rotation.
    let along = v.dot(axis);
    if along * along + w * w <= NO_TWIST * NO_TWIST {
        0.0
    } else if w < 0.0 {
        2.0 * math::atan2(-along, -w)
    } else {
        2.0 * math::atan2(along, w)
    }
}

/// The rotation by `angle` about a unit axis.
#[inline]
pub(crate) fn about(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = math::near_sin_cos(0.5 * angle);
    let v = axis * sin;
    Quat::from_xyzw(v.x, v.y, v.z, cos)
}
