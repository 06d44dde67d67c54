use core::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec2, Vec3};

use super::cone::{check_twist, nearest_twist};
use super::range::Range;
use crate::error::{Error, Fault, check_range};
use crate::math::{self, soften};
use crate::rotation::{check_axis, parts};

/// A ball joint whose axis swings further to some sides than to others: the swing's rotation
/// vector (axis times angle) stays inside four quarters of ellipses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ellipse {
    /// The axis that swings; unit length.
    pub(crate) axis: Vec3,
    /// Unit, across the axis: the swing's first component turns about it.
    pub(crate) x_axis: Vec3,
    /// `axis × x_axis`: the swing's second component turns about it.
    pub(crate) y_axis: Vec3,
    pub(crate) x: Range,
    pub(crate) y: Range,
    pub(crate) twist: Option<Range>,
}

impl Ellipse {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_axis("joint.axis", self.axis)?;
        if self.x_axis == Vec3::ZERO {
            return Err(Error::new("joint.across", Fault::NoDirection));
        }
        for (names, range) in
            [(("joint.x_min", "joint.x_max"), self.x), (("joint.y_min", "joint.y_max"), self.y)]
        {
            range.check(names)?;
            check_range(names.0, range.min, -PI, 0.0)?;
            check_range(names.1, range.max, 0.0, PI)?;
        }
        check_twist(self.twist)
    }

    /// The nearest admissible twist, and with that twist the nearest admissible swing in angle.
    pub(crate) fn nearest(&self, rotation: Quat, softness: f32) -> Quat {
        let ((twist_cos, twist_sin), upright) =
            nearest_twist(rotation, self.axis, self.twist, softness);
        // The swing left when that twist is taken off: rotation * twist⁻¹.
        let (v, _) = parts(rotation);
        let across = v - self.axis * v.dot(self.axis);
        let across = across * twist_cos + self.axis.cross(across) * twist_sin;
        let tilt = Vec2::new(across.dot(self.x_axis), across.dot(self.y_axis));

        let quarter = Quarter {
            half_axes: Vec2::new(
                if tilt.x < 0.0 { -self.x.min } else { self.x.max },
                if tilt.y < 0.0 { -self.y.min } else { self.y.max },
            ),
        };
        let swing = quarter.nearest(upright, tilt.abs(), softness) * signs(tilt);

        let angle = math::sqrt(swing.dot(swing));
        let (sin, cos) = math::sin_cos(0.5 * angle);
        let swing = if angle > 0.0 { swing * (sin / angle) } else { Vec2::ZERO };
        let v = self.x_axis * swing.x + self.y_axis * swing.y;
        let twist = self.axis * twist_sin;
        // (cos, v) * (twist_cos, twist), v across the axis and the twist along it.
        let v = v * twist_cos + v.cross(twist) + twist * cos;
        Quat::from_xyzw(v.x, v.y, v.z, cos * twist_cos)
    }
}

fn signs(v: Vec2) -> Vec2 {
    Vec2::new(1.0_f32.copysign(v.x), 1.0_f32.copysign(v.y))
}

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
        let swing = tilt * (2.0 * math::atan2(length, upright) / length);
        let Vec2 { x: a, y: b } = self.half_axes;
        if softness > 0.0 && a > 0.0 && b > 0.0 {
            // Along the ray from the centre: how far out, as a share of the way to the edge.
            let out = swing / self.half_axes;
            let out = math::sqrt(out.dot(out));
            return if out > 0.0 { swing * (soften(out, 1.0, softness) / out) } else { swing };
        }
        let inside = if a > 0.0 && b > 0.0 {
            let across = Vec2::new(swing.x * b, swing.y * a);
            across.dot(across) <= a * a * b * b
        } else {
            swing.x <= a && swing.y <= b
        };
        if inside { swing } else { self.nearest_on_edge(upright, tilt) }
    }

    /// The edge is `(a cos φ, b sin φ)`, φ in `[0, π/2]`. The slope along φ of the product with
    /// the given quaternion is not negative at the start and not positive at the end; where it
    /// vanishes the edge is nearest. False position with Illinois' correction: 8 steps suffice for
    /// all but the flattest ellipses, and every step keeps the root bracketed.
    ///
    /// With one half axis of 0 the quarter is a line, and that slope vanishes at its end as well.
    fn nearest_on_edge(&self, upright: f32, tilt: Vec2) -> Vec2 {
        let Vec2 { x: a, y: b } = self.half_axes;
        if a == 0.0 || b == 0.0 {
            let along = |tilt: f32| 2.0 * math::atan2(tilt, upright);
            return Vec2::new(along(tilt.x), along(tilt.y)).min(self.half_axes);
        }
        let (mut low, mut high) = (0.0, FRAC_PI_2);
        let (mut slope_low, mut slope_high) =
            (self.slope(low, upright, tilt), self.slope(high, upright, tilt));
        for step in 0..24 {
            let width = high - low;
            if width < 1e-7 || slope_low <= 0.0 || slope_high >= 0.0 {
                break;
            }
            // Never on an end: with the root next to one, the other must follow.
            let share = slope_low / (slope_low - slope_high);
            let secant = low + width * share.clamp(0.02, 0.98);
            // Every third step halves, so that a flat slope cannot hold one end for ever.
            let middle = if step % 3 == 2 { low + 0.5 * width } else { secant };
            let slope = self.slope(middle, upright, tilt);
            if slope > 0.0 {
                (low, slope_low) = (middle, slope);
                slope_high *= 0.5;
            } else {
                (high, slope_high) = (middle, slope);
                slope_low *= 0.5;
            }
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
        let (sin, cos) = math::sin_cos(angle);
        self.half_axes * Vec2::new(cos.max(0.0), sin)
    }

    /// d/dφ of `upright · cos(θ/2) + (tilt · p) · sin(θ/2) / θ` with p on the edge and θ = |p|.
    fn slope(&self, angle: f32, upright: f32, tilt: Vec2) -> f32 {
        let (sin, cos) = math::sin_cos(angle);
        let Vec2 { x: a, y: b } = self.half_axes;
        let p = Vec2::new(a * cos, b * sin);
        let theta = math::sqrt(p.dot(p));
        let (half_sin, half_cos) = math::sin_cos(0.5 * theta);
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
            let ellipse = Ellipse {
                axis: Vec3::Z,
                x_axis: Vec3::X,
                y_axis: Vec3::Y,
                x: range(x),
                y: range(y),
                twist: None,
            };
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
