use glam::{Quat, Vec3};

use super::range::Range;
use crate::error::Error;
use crate::math;
use crate::rotation::{NO_TWIST, check_unit_axis, parts};

/// A turn about one axis only.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Hinge {
    /// Of unit length, or what the caller gave if that has no direction.
    pub(crate) axis: Vec3,
    pub(crate) range: Range,
}

impl Hinge {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_unit_axis("joint.axis", self.axis)?;
        self.range.check(("joint.min", "joint.max"))
    }

    /// The turn about the axis in `rotation`, in `[-π, π]`: of all turns about it, the nearest.
    /// 0 where every turn is equally near.
    #[inline]
    pub(crate) fn angle_of(&self, rotation: Quat) -> f32 {
        let (v, w) = parts(rotation);
        // Either sign of the quaternion is the same rotation.
        let along = v.dot(self.axis);
        if along * along + w * w <= NO_TWIST * NO_TWIST {
            0.0
        } else if w < 0.0 {
            2.0 * math::atan2(-along, -w)
        } else {
            2.0 * math::atan2(along, w)
        }
    }

    /// The rotation by `angle` about the axis.
    #[inline]
    pub(crate) fn at(&self, angle: f32) -> Quat {
        let (sin, cos) = math::near_sin_cos(0.5 * angle);
        let v = self.axis * sin;
        Quat::from_xyzw(v.x, v.y, v.z, cos)
    }

    /// Nearest in angle: the projection on the axis is the nearest turn about it, and from there
    /// the nearest end of the range.
    #[inline]
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        self.at(self.range.nearest(self.angle_of(rotation), softness))
    }
}
