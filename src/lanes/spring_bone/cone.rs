//! Where bones may point, a cone a lane; see the scalar's for what and why.

use glam::Vec3;

use super::collider::{Form, Surface};
use crate::lanes::wide::{F32x8, Mask};
use crate::lanes::{LANES, Vec3x8};
use crate::math;
use crate::rotation::perpendicular;
use crate::spring_bone::cone::{self, EDGE};

/// The directions within an angle of an axis, in each lane.
#[derive(Clone, Copy)]
pub(super) struct Cone {
    pub(super) axis: Vec3x8,
    pub(super) cos: F32x8,
    pub(super) sin: F32x8,
}

impl Cone {
    /// The directions within one angle of each lane's axis.
    pub(super) fn new(axis: Vec3x8, angle: f32) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self { axis, cos: F32x8::splat(cos), sin: F32x8::splat(sin) }
    }

    /// The one or the other.
    pub(super) fn select(mask: Mask, yes: Self, no: Self) -> Self {
        Self {
            axis: mask.select(yes.axis, no.axis),
            cos: mask.select(yes.cos, no.cos),
            sin: mask.select(yes.sin, no.sin),
        }
    }

    /// Gives one lane a cone of the scalar's.
    pub(super) fn set_lane(&mut self, lane: usize, cone: &cone::Cone<Vec3>) {
        self.axis.set_lane(lane, cone.axis);
        self.cos.set_lane(lane, cone.cos);
        self.sin.set_lane(lane, cone.sin);
    }

    #[inline]
    fn with_cosine(axis: Vec3x8, cos: F32x8) -> Self {
        let cos = cos.clamp(-1.0, 1.0);
        Self { axis, cos, sin: ((F32x8::ONE - cos) * (F32x8::ONE + cos)).sqrt() }
    }

    /// Where the tails of bones of these lengths keep to the surface, and in which lanes there is
    /// such a cone.
    #[inline]
    pub(super) fn of_tail(surface: &Surface, joint: Vec3x8, length: F32x8) -> (Self, Mask) {
        match surface.form {
            Form::Ball { center, radius, .. } => {
                let (axis, distance, some) = (center - joint).direction();
                (Self::with_cosine(-axis, -cosine(length, distance, radius)), some)
            }
            Form::Bowl { center, radius } => {
                let (axis, distance, some) = (center - joint).direction();
                (Self::with_cosine(axis, cosine(length, distance, radius)), some)
            }
            Form::Plane { point } => {
                let normal = surface.normal;
                let cos = (point - joint).dot(normal) / length;
                (Self::with_cosine(normal, cos), Mask::every())
            }
        }
    }

    /// The nearest directions inside, and which of the lanes asked about were not.
    #[inline]
    pub(super) fn nearest(&self, out: Vec3x8, lanes: Mask) -> (Vec3x8, Mask) {
        let along = out.dot(self.axis);
        let across = out - self.axis * along;
        let (mut side, mut beside, some) = across.direction();
        let clear = some & beside.gt(F32x8::splat(4.0 * f32::EPSILON));
        if (lanes & !clear).any() {
            beside = clear.select(beside, F32x8::ZERO);
            side = clear.select(side, self.beside_axis());
        }
        let edge = F32x8::splat(EDGE);
        let inside = (beside * self.cos - along * self.sin).le(edge)
            & (along.gt(F32x8::ZERO) | self.cos.lt(along + edge));
        let (side, _, some) = (side - self.axis * side.dot(self.axis)).direction();
        (self.axis * self.cos + side * self.sin, lanes & !inside & some)
    }

    #[cold]
    fn beside_axis(&self) -> Vec3x8 {
        let side = |lane| perpendicular(self.axis.lane(lane));
        core::array::from_fn::<Vec3, LANES, _>(side).into()
    }
}

/// As the scalar's.
#[inline]
fn cosine(length: F32x8, distance: F32x8, radius: F32x8) -> F32x8 {
    let (short, long) = (length.min(distance), length.max(distance));
    (short / long + (long - radius) / short * ((long + radius) / long)) * 0.5
}
