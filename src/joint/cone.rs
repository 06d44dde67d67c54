//! Cones, and the limited twist that they share with ellipses.

use core::f32::consts::PI;

use glam::{Quat, Vec3};

use super::sector::Sector;
use crate::check::{check_range, unrounded};
use crate::error::Error;
use crate::math::{self, soften};
use crate::rotation::{NO_SWING, NO_TWIST, Rot2, check_unit_axis, parts};

/// A ball joint: its axis swings by no more than an angle, and it may twist about that axis
/// within a range.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Written", into = "Written")
)]
pub(crate) struct Cone {
    /// Of unit length, or what the caller gave if that has no direction.
    pub(crate) axis: Vec3,
    /// Largest swing, in `[0, π]`.
    pub(crate) swing: f32,
    pub(crate) half_cos: f32,
    pub(crate) half_sin: f32,
    pub(crate) twist: Option<Sector>,
}

/// A cone in a file: without what follows from the rest.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Written {
    axis: Vec3,
    swing: f32,
    twist: Option<Sector>,
}

#[cfg(feature = "serde")]
impl From<Written> for Cone {
    fn from(Written { axis, swing, twist }: Written) -> Self {
        Self::new(axis, swing, twist)
    }
}

#[cfg(feature = "serde")]
impl From<Cone> for Written {
    fn from(Cone { axis, swing, twist, .. }: Cone) -> Self {
        Self { axis, swing, twist }
    }
}

impl Cone {
    pub(crate) fn new(axis: Vec3, swing: f32, twist: Option<Sector>) -> Self {
        let swing = unrounded(swing, PI);
        let (half_sin, half_cos) = math::near_sin_cos(0.5 * swing);
        // cos(π/2) is not 0 in f32, and a swing of half a turn is no limit at all.
        let half_cos = if swing >= PI { 0.0 } else { half_cos };
        Self { axis, swing, half_cos, half_sin, twist }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check_unit_axis("joint.axis", self.axis)?;
        check_range("joint.swing", self.swing, 0.0, PI)?;
        check_twist(self.twist)
    }

    /// The nearest rotation in angle.
    ///
    /// Write the quaternion as its part `(w, v·axis)`, whose direction is the twist and whose
    /// length the cosine of half the swing, and the part of `v` across the axis. The product with
    /// any admissible quaternion is largest, and so the angle to it smallest, for the nearest
    /// twist first and then the nearest swing *as seen from that twist*: both are clamps.
    #[inline]
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        let (v, _) = parts(rotation);
        let across = v - self.axis * v.dot(self.axis);
        // Once more: where little is left, rounding has left some along the axis.
        let across = across - self.axis * across.dot(self.axis);
        let (twist, upright) = nearest_twist(rotation, self.axis, self.twist, softness);
        let tilt = math::sqrt(across.dot(across));
        // What rounding alone has left points anywhere, along the axis too.
        let tilt = if tilt > NO_SWING { tilt } else { 0.0 };
        let (swing_cos, swing_sin) = self.nearest_swing(upright, tilt, softness);
        let across = if tilt > 0.0 { across * (swing_sin / tilt) } else { Vec3::ZERO };
        let v = across + self.axis * (swing_cos * twist.1);
        Quat::from_xyzw(v.x, v.y, v.z, swing_cos * twist.0)
    }

    /// Cosine and sine of half the admissible swing nearest to the one whose half has the tangent
    /// `tilt / upright`, both at least 0.
    #[inline]
    fn nearest_swing(&self, upright: f32, tilt: f32, softness: f32) -> (f32, f32) {
        // No swing, even if what is upright is too little to have a length.
        if tilt == 0.0 {
            return (1.0, 0.0);
        }
        if softness > 0.0 && self.swing < PI {
            let swing = soften(2.0 * math::atan2(tilt, upright), self.swing, softness);
            let (sin, cos) = math::near_sin_cos(0.5 * swing);
            return (cos, sin);
        }
        if tilt * self.half_cos > upright * self.half_sin {
            return (self.half_cos, self.half_sin);
        }
        let length = math::sqrt(upright * upright + tilt * tilt);
        (upright / length, tilt / length)
    }
}

/// The admissible twist about a unit `axis` nearest to that of `rotation`, as cosine and sine of
/// its half, and the length, at least 0, of the quaternion's part `(w, v·axis)` along it.
#[inline]
pub(crate) fn nearest_twist(
    rotation: Quat,
    axis: Vec3,
    range: Option<Sector>,
    softness: f32,
) -> ((f32, f32), f32) {
    let (v, w) = parts(rotation);
    let along = v.dot(axis);
    let length = math::sqrt(w * w + along * along);
    let twist = if length > NO_TWIST { (w / length, along / length) } else { (1.0, 0.0) };
    let Some(range) = range else {
        return (twist, length);
    };
    let half = Rot2 { cos: twist.0, sin: twist.1 };
    let nearest = if softness > 0.0 {
        eased_twist(half, range, softness)
    } else {
        range.end_beyond(half * half)
    };
    let Some(Rot2 { cos, sin }) = nearest else {
        return (twist, length);
    };
    let along = w * cos + along * sin;
    if along < 0.0 { ((-cos, -sin), -along) } else { ((cos, sin), along) }
}

/// Half of a twist eased into its range, from half of the twist; `None` where nothing changes.
fn eased_twist(half: Rot2, range: Sector, softness: f32) -> Option<Rot2> {
    let half = if half.cos < 0.0 { Rot2 { cos: -half.cos, sin: -half.sin } } else { half };
    let angle = 2.0 * half.angle();
    let nearest = range.angles.nearest(angle, softness);
    (nearest != angle).then(|| Rot2::from_angle(0.5 * nearest))
}

pub(crate) fn check_twist(twist: Option<Sector>) -> Result<(), Error> {
    twist.map_or(Ok(()), |range| range.angles.check(("joint.twist_min", "joint.twist_max")))
}
