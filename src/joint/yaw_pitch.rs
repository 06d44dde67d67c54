//! Yaw and pitch windows: the nearest admissible gaze, yaw first.

use core::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};

use super::hinge::{about, angle_about};
use super::range::Range;
use crate::error::Error;
use crate::math;
use crate::rotation::{check_across, check_unit_axis, wrap_angle};

/// An eye or a turret: it yaws about its up axis, then pitches, then rolls about where it looks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct YawPitch {
    /// Where it looks at rest; unit length.
    pub(crate) forward: Vec3,
    /// Unit, across `forward`.
    pub(crate) up: Vec3,
    pub(crate) yaw: Range,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "Range::within_quarter_turn"))]
    pub(crate) pitch: Range,
    pub(crate) roll: Range,
}

impl YawPitch {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_unit_axis("joint.forward", self.forward)?;
        check_across("joint.up", self.up, self.forward)?;
        self.yaw.check(("joint.yaw_min", "joint.yaw_max"))?;
        let upright = [-FRAC_PI_2, FRAC_PI_2];
        self.pitch.check_within(("joint.pitch_min", "joint.pitch_max"), upright, upright)?;
        self.roll.check(("joint.twist_min", "joint.twist_max"))
    }

    /// Where a yaw of a quarter turn looks; it pitches about the opposite.
    pub(crate) fn left(&self) -> Vec3 {
        self.up.cross(self.forward)
    }

    /// The axis about which it turns furthest.
    pub(crate) fn widest_axis(&self) -> Vec3 {
        if self.yaw.width() >= self.pitch.width() { self.up } else { self.left() }
    }

    /// Looks in the admissible direction nearest to the rotation's, with the nearest admissible
    /// roll there.
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        let gaze = rotation * self.forward;
        let (x, y, z) = (gaze.dot(self.forward), gaze.dot(self.left()), gaze.dot(self.up));
        let level = math::sqrt(x * x + y * y);
        let is_pole = level <= super::INSIDE;
        let pitch = if is_pole { FRAC_PI_2.copysign(z) } else { math::atan2(z, level) };
        let yaw = if is_pole { self.yaw_at_pole(pitch, rotation) } else { math::atan2(y, x) };
        let near_yaw = self.yaw.nearest(yaw, softness);

        // On the bounding meridian, the foot of the perpendicular; beyond its end the end.
        let near_pitch = if is_pole || near_yaw == yaw || softness > 0.0 {
            pitch
        } else {
            math::atan2(z, level * math::near_sin_cos(yaw - near_yaw).1)
        };
        // On the circle: the foot may lie over a pole.
        let near_pitch = self.pitch.nearest(near_pitch, softness);
        let roll = self.roll_from(near_yaw, near_pitch, rotation);
        let near_roll = self.roll.nearest(roll, softness);
        // So close to a pole that a yaw moves the gaze by no more than rounding, it is known no
        // better: what the roll may not have is yaw.
        let surplus = wrap_angle(roll - near_roll);
        let near_yaw = if level * surplus.abs() <= super::INSIDE {
            self.yaw.nearest(near_yaw + surplus * 1.0_f32.copysign(z), softness)
        } else {
            near_yaw
        };
        self.at(near_yaw, near_pitch) * about(self.forward, near_roll)
    }

    /// Straight up or down yaw and roll turn about the same axis: the yaw that leaves the least
    /// roll of what `rotation` has turned about it, if yaw and roll can make it up.
    fn yaw_at_pole(&self, pitch: f32, rotation: Quat) -> f32 {
        let side = 1.0_f32.copysign(pitch);
        let (a, b) = (self.yaw.min * side, self.yaw.max * side);
        let (least, most) = (a.min(b), a.max(b));
        let both = Range { min: least + self.roll.min, max: most + self.roll.max };
        let turned = both.nearest(self.roll_from(0.0, pitch, rotation), 0.0);
        let yaw = (turned - self.roll.nearest(0.0, 0.0)).max(least).min(most);
        yaw * side
    }

    /// The roll that comes nearest to `rotation` from this yaw and pitch.
    fn roll_from(&self, yaw: f32, pitch: f32, rotation: Quat) -> f32 {
        angle_about(self.forward, self.at(yaw, pitch).conjugate() * rotation)
    }

    /// The rotation with this yaw and pitch and no roll.
    pub(crate) fn at(&self, yaw: f32, pitch: f32) -> Quat {
        about(self.up, yaw) * about(self.left(), -pitch)
    }
}
