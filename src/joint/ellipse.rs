//! Elliptic limits: what is beyond the edge goes to the nearest rotation on a quarter of it.

use core::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec2, Vec3};

use super::cone::{check_twist, nearest_twist};
use super::range::Range;
use super::sector::Sector;
use crate::error::Error;
use crate::math::{self, soften};
use crate::rotation::{check_across, check_unit_axis, parts};

/// A ball joint whose axis swings further to some sides than to others: the swing's rotation
/// vector (axis times angle) stays inside four quarters of ellipses.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ellipse {
    /// The axis that swings; unit length.
    pub(crate) axis: Vec3,
    /// Unit, across the axis: the swing's first component turns about it.
    pub(crate) across: Vec3,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "Range::within_half_turn"))]
    pub(crate) x: Range,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "Range::within_half_turn"))]
    pub(crate) y: Range,
    pub(crate) twist: Option<Sector>,
}

impl Ellipse {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_unit_axis("joint.axis", self.axis)?;
        check_across("joint.across", self.across, self.axis)?;
        for (names, range) in
            [(("joint.x_min", "joint.x_max"), self.x), (("joint.y_min", "joint.y_max"), self.y)]
        {
            range.check_within(names, [-PI, 0.0], [0.0, PI])?;
        }
        check_twist(self.twist)
    }

    /// What the swing's two components turn about.
    pub(crate) fn axes(&self) -> [Vec3; 2] {
        [self.across, self.axis.cross(self.across)]
    }

    /// The axis about which it swings furthest.
    pub(crate) fn widest_axis(&self) -> Vec3 {
        let [x_axis, y_axis] = self.axes();
        if self.x.width() >= self.y.width() { x_axis } else { y_axis }
    }

    /// The nearest admissible twist, and with that twist the nearest admissible swing in angle.
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        let ((twist_cos, twist_sin), upright) =
            nearest_twist(rotation, self.axis, self.twist, softness);
        // The swing left when that twist is taken off: rotation * twist⁻¹.
        let (v, _) = parts(rotation);
        let across = v - self.axis * v.dot(self.axis);
        let across = across * twist_cos + self.axis.cross(across) * twist_sin;
        let [x_axis, y_axis] = self.axes();
        let tilt = Vec2::new(across.dot(x_axis), across.dot(y_axis));

        let swing = self.nearest_swing(upright, tilt, softness);
        let angle = math::sqrt(swing.dot(swing));
        let (sin, cos) = math::near_sin_cos(0.5 * angle);
        let swing = if angle > 0.0 { swing * (sin / angle) } else { Vec2::ZERO };
        let v = x_axis * swing.x + y_axis * swing.y;
        let twist = self.axis * twist_sin;
        // (cos, v) * (twist_cos, twist), v across the axis and the twist along it.
        let v = v * twist_cos + v.cross(twist) + twist * cos;
        Quat::from_xyzw(v.x, v.y, v.z, cos * twist_cos)
    }

    /// The rotation vector of the admissible swing nearest to the quaternion with scalar part
    /// `upright`, at least 0, and vector part `tilt`.
    fn nearest_swing(&self, upright: f32, tilt: Vec2, softness: f32) -> Vec2 {
        let near = self.nearest_to_side(upright, tilt, softness);
        // Beyond a quarter turn the far side may be nearer, the other way round: that of the same
        // quaternion with the other sign.
        if upright * upright >= tilt.dot(tilt) {
            return near;
        }
        let far = self.nearest_to_side(-upright, -tilt, softness);
        if closeness(far, -upright, -tilt) > closeness(near, upright, tilt) { far } else { near }
    }

    /// The nearest of the swings that go to the same side as `tilt`, about both axes.
    fn nearest_to_side(&self, upright: f32, tilt: Vec2, softness: f32) -> Vec2 {
        let quarter = Quarter {
            half_axes: Vec2::new(
                if tilt.x < 0.0 { -self.x.min } else { self.x.max },
                if tilt.y < 0.0 { -self.y.min } else { self.y.max },
            ),
        };
        quarter.nearest(upright, tilt.abs(), softness) * signs(tilt)
    }
}

/// The product of the quaternion of a rotation vector with another, by its scalar and its vector
/// part: the cosine of half the angle between the two.
fn closeness(swing: Vec2, upright: f32, tilt: Vec2) -> f32 {
    let angle = math::sqrt(swing.dot(swing));
    let (sin, cos) = math::near_sin_cos(0.5 * angle);
    let along = if angle > 0.0 { tilt.dot(swing) * (sin / angle) } else { 0.0 };
    upright * cos + along
}

fn signs(v: Vec2) -> Vec2 {
    Vec2::new(1.0_f32.copysign(v.x), 1.0_f32.copysign(v.y))
}

/// Sine and cosine of an angle in `[0, π/2]`, neither below 0: the nearest float to π/2 is above
/// it.
fn quarter_turn(angle: f32) -> (f32, f32) {
    let (sin, cos) = math::near_sin_cos(angle);
    (sin, cos.max(0.0))
}

/// How closely the nearest point of an edge is sought: a unit in the last place of π/2.
const PRECISION: f32 = f32::EPSILON;

/// One quarter of an ellipse of rotation vectors, both coordinates at least 0.
struct Quarter {
    half_axes: Vec2,
}

impl Quarter {
    /// The rotation vector in the quarter whose rotation is nearest to the quaternion with scalar
    /// part `upright` and vector part `tilt`.
    fn nearest(&self, upright: f32, tilt: Vec2, softness: f32) -> Vec2 {
        let length = math::sqrt(tilt.dot(tilt));
        if length == 0.0 {
            return Vec2::ZERO;
        }
        let Vec2 { x: a, y: b } = self.half_axes;
        if a == 0.0 || b == 0.0 {
            // No ellipse but a hinge.
            let angles =
                2.0 * Vec2::new(math::atan2(tilt.x, upright), math::atan2(tilt.y, upright));
            return Vec2::new(soften(angles.x, a, softness), soften(angles.y, b, softness));
        }
        let swing = tilt * (2.0 * math::atan2(length, upright) / length);
        if softness > 0.0 {
            // Along the ray from the centre: how far out, as a share of the way to the edge.
            let out = swing / self.half_axes;
            let out = math::sqrt(out.dot(out));
            return if out > 0.0 { swing * (soften(out, 1.0, softness) / out) } else { swing };
        }
        let across = Vec2::new(swing.x * b, swing.y * a);
        if across.dot(across) <= a * a * b * b {
            swing
        } else {
            self.nearest_on_edge(upright, tilt)
        }
    }

    /// The edge is `(a cos φ, b sin φ)`, φ in `[0, π/2]`. The slope along φ of the product with
    /// the given quaternion is not negative at the start and not positive at the end; where it
    /// vanishes the edge is nearest. False position, and a halving after each step that has not
    /// halved the bracket by itself: usually 8 steps, and never more than 48.
    fn nearest_on_edge(&self, upright: f32, tilt: Vec2) -> Vec2 {
        let (mut low, mut high) = (0.0, FRAC_PI_2);
        let (mut slope_low, mut slope_high) =
            (self.slope(low, upright, tilt), self.slope(high, upright, tilt));
        let mut halve = false;
        for _ in 0..48 {
            let width = high - low;
            if width < 2.0 * PRECISION || slope_low <= 0.0 || slope_high >= 0.0 {
                break;
            }
            let share = if halve { 0.5 } else { slope_low / (slope_low - slope_high) };
            // Away from both ends, so that rounding cannot return one of them.
            let middle = (low + width * share).max(low + PRECISION).min(high - PRECISION);
            let slope = self.slope(middle, upright, tilt);
            if slope > 0.0 {
                (low, slope_low) = (middle, slope);
            } else {
                (high, slope_high) = (middle, slope);
            }
            halve = high - low > 0.5 * width;
        }
        let angle = if slope_low <= 0.0 {
            low
        } else if slope_high >= 0.0 {
            high
        } else {
            0.5 * (low + high)
        };
        self.edge(angle)
    }

    fn edge(&self, angle: f32) -> Vec2 {
        let (sin, cos) = quarter_turn(angle);
        self.half_axes * Vec2::new(cos, sin)
    }

    /// d/dφ of `upright · cos(θ/2) + (tilt · p) · sin(θ/2) / θ` with p on the edge and θ = |p|.
    fn slope(&self, angle: f32, upright: f32, tilt: Vec2) -> f32 {
        let (sin, cos) = quarter_turn(angle);
        let Vec2 { x: a, y: b } = self.half_axes;
        let p = Vec2::new(a * cos, b * sin);
        let theta = math::sqrt(p.dot(p));
        let (half_sin, half_cos) = math::near_sin_cos(0.5 * theta);
        // k = sin(θ/2) / θ, and its derivative over θ.
        let (k, k_slope) = if theta > 1e-2 {
            let k = half_sin / theta;
            (k, (0.5 * half_cos - k) / (theta * theta))
        } else {
            (0.5, -1.0 / 24.0)
        };
        let spread = (b * b - a * a) * sin * cos;
        k * (tilt.y * b * cos - tilt.x * a * sin)
            + spread * (tilt.dot(p) * k_slope - 0.5 * upright * k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With no room to one side the ellipse is a line, or a point.
    #[test]
    fn flat_ellipses_hold_both_ways() {
        for (x, y) in
            [([-0.3, 0.0], [0.0, 0.0]), ([-0.3, 0.0], [-0.04, 0.0]), ([0.0, 0.0], [0.0; 2])]
        {
            let range = |[min, max]: [f32; 2]| Range::new(min, max);
            let ellipse =
                Ellipse { axis: Vec3::Z, across: Vec3::X, x: range(x), y: range(y), twist: None };
            for turn in [
                Quat::IDENTITY,
                Quat::from_rotation_x(-1.0),
                Quat::from_rotation_x(1.0),
                Quat::from_rotation_y(1.0),
                Quat::from_xyzw(-1e-8, 1e-9, 0.0, 1.0),
                Quat::from_xyzw(-0.4, 1e-9, 0.0, 0.9).normalize(),
            ] {
                let held = ellipse.nearest(turn, 0.0);
                let swing = 2.0 * held.x.asin();
                assert!((x[0] - 1e-6..=x[1] + 1e-6).contains(&swing), "{turn}: {held}");
                assert!(held.y.abs() < 0.021 && held.z.abs() < 1e-6, "{turn}: {held}");
                assert!(held.angle_between(ellipse.nearest(held, 0.0)) < 1e-3);
            }
        }
    }
}
