use core::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};

use super::range::Range;
use crate::error::{Error, Fault, check_range};
use crate::math;
use crate::rotation::check_axis;

/// An eye or a turret: it yaws about its up axis, then pitches, then rolls about where it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct YawPitch {
    /// Where it looks at rest; unit length.
    pub(crate) forward: Vec3,
    /// Unit, across `forward`.
    pub(crate) up: Vec3,
    /// `up × forward`: where a yaw of a quarter turn looks.
    pub(crate) left: Vec3,
    pub(crate) yaw: Range,
    pub(crate) pitch: Range,
    pub(crate) roll: Range,
}

impl YawPitch {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_axis("joint.forward", self.forward)?;
        if self.left == Vec3::ZERO {
            return Err(Error::new("joint.up", Fault::NoDirection));
        }
        self.yaw.check(("joint.yaw_min", "joint.yaw_max"))?;
        self.pitch.check(("joint.pitch_min", "joint.pitch_max"))?;
        check_range("joint.pitch_min", self.pitch.min, -FRAC_PI_2, FRAC_PI_2)?;
        check_range("joint.pitch_max", self.pitch.max, -FRAC_PI_2, FRAC_PI_2)?;
        self.roll.check(("joint.twist_min", "joint.twist_max"))
    }

    /// Looks in the admissible direction nearest to the rotation's, with the nearest admissible
    /// roll there.
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        let gaze = rotation * self.forward;
        let (x, y, z) = (gaze.dot(self.forward), gaze.dot(self.left), gaze.dot(self.up));
        let level = math::sqrt(x * x + y * y);
        // Straight up or down every yaw is as near; 0 is stated.
        let yaw = if level > f32::EPSILON { math::atan2(y, x) } else { 0.0 };
        let pitch = math::atan2(z, level);
        let roll = super::hinge::Hinge { axis: self.forward, range: self.roll }
            .angle_of(self.at(yaw, pitch).conjugate() * rotation);

        let near_yaw = self.yaw.nearest(yaw, softness);
        // On the bounding meridian, the foot of the perpendicular; beyond its end the end.
        let near_pitch = if near_yaw == yaw || softness > 0.0 {
            pitch
        } else {
            math::atan2(z, level * math::cos(yaw - near_yaw))
        };
        // On the circle: from behind, over the top, the lower end may be the nearer one.
        let near_pitch = self.pitch.nearest(near_pitch, softness);
        self.at(near_yaw, near_pitch) * turn(self.forward, self.roll.nearest(roll, softness))
    }

    /// The rotation with this yaw and pitch and no roll.
    pub(crate) fn at(&self, yaw: f32, pitch: f32) -> Quat {
        turn(self.up, yaw) * turn(self.left, -pitch)
    }
}

fn turn(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = math::sin_cos(0.5 * angle);
    let v = axis * sin;
    Quat::from_xyzw(v.x, v.y, v.z, cos)
}
