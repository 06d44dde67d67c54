//! Where a bone may point: every collider, seen from its joint, is a cone to stay in.
//!
//! A bone of fixed length turns about its joint, so its tail moves on a sphere. A ball to keep out
//! of, a ball to stay in and a plane each cut that sphere in a circle about one axis: the allowed
//! directions are those within an angle of it. So is a limit of the joint's own. To satisfy one of
//! them is to turn the bone straight to the edge of its cone, exactly and at once, where pushing
//! the tail out and pulling it back to its length creeps there in many rounds.

use crate::collide::{Form, Surface};
use crate::math;
use crate::space::{Vector, direction};

/// The directions within an angle of an axis; the angle by its cosine and sine, so that no digit
/// is lost for narrow ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone<V> {
    pub(crate) axis: V,
    pub(crate) cos: f32,
    pub(crate) sin: f32,
}

/// A direction counts as inside up to this angle beyond the edge, in radians: a few roundings of a
/// unit vector, so that a bone that has just been put on the edge is not put there again.
pub(crate) const EDGE: f32 = 5e-7;

impl<V: Vector> Cone<V> {
    /// The directions within `angle` of a unit `axis`.
    pub(super) fn new(axis: V, angle: f32) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self { axis, cos, sin }
    }

    /// The directions within an angle of a unit `axis`, given its cosine: none but the axis above
    /// 1, all below -1.
    fn with_cosine(axis: V, cos: f32) -> Self {
        let cos = cos.clamp(-1.0, 1.0);
        Self { axis, cos, sin: math::sqrt((1.0 - cos) * (1.0 + cos)) }
    }

    /// Where the tail of a bone of this length about `joint` keeps to the surface. `None` if the
    /// tail is equally far from it in every direction.
    pub(super) fn of_tail(surface: Surface<V>, joint: V, length: f32) -> Option<Self> {
        match surface.form {
            Form::Ball { center, radius } => {
                let (axis, distance) = direction(center - joint)?;
                Some(Self::with_cosine(-axis, -cosine(length, distance, radius)))
            }
            Form::Bowl { center, radius } => {
                let (axis, distance) = direction(center - joint)?;
                Some(Self::with_cosine(axis, cosine(length, distance, radius)))
            }
            Form::Plane { point } => {
                let normal = surface.normal;
                Some(Self::with_cosine(normal, (point - joint).dot(normal) / length))
            }
        }
    }

    /// Where the whole of a bone keeps out of a ball: beside its tangents from the joint, if the
    /// bone is long enough to touch them. `None` if that is the tail's affair.
    ///
    /// A ball that the joint is inside of counts as smaller, by twice the depth: from the joint
    /// right on its surface, where its parent leaves it, the cone opens to both sides without a
    /// jump. And by how much smaller it counts.
    pub(super) fn of_bone(surface: Surface<V>, joint: V, length: f32) -> Option<(Self, f32)> {
        let Form::Ball { center, radius } = surface.form else { return None };
        let (axis, distance) = direction(center - joint)?;
        let less = (2.0 * (radius - distance)).max(0.0);
        if radius <= less {
            return None;
        }
        let sin = ((radius - less) / distance).min(1.0);
        let cos = math::sqrt((1.0 - sin) * (1.0 + sin));
        (cos * distance < length).then_some((Self { axis: -axis, cos: -cos, sin }, less))
    }

    /// The nearest direction inside; `None` if `out` is one. A direction opposite the axis turns by
    /// way of [`Vector::perpendicular`] of the axis.
    pub(super) fn nearest(&self, out: V) -> Option<V> {
        let along = out.dot(self.axis);
        let across = out - self.axis * along;
        // Right on the axis' line, what is left of the subtraction is rounding, and may lie along
        // it.
        let (side, beside) = direction(across)
            .filter(|(_, beside)| *beside > 4.0 * f32::EPSILON)
            .unwrap_or_else(|| (self.axis.perpendicular(), 0.0));
        // The sine of the angle beyond the edge.
        if beside * self.cos - along * self.sin <= EDGE && (along > 0.0 || self.cos < along + EDGE)
        {
            return None;
        }
        // Once more: for a direction close to the axis, the subtraction has left an error that the
        // division has enlarged.
        let (side, _) = direction(side - self.axis * side.dot(self.axis))?;
        Some(self.axis * self.cos + side * self.sin)
    }
}

/// The cosine of the angle at the joint of the triangle of the bone, the way to the centre and the
/// radius: `(L² + D² - R²) / (2 L D)`. In ratios, so that nothing overflows; with the radius taken
/// off the longer of the two sides, so that nothing cancels that has not already.
fn cosine(length: f32, distance: f32, radius: f32) -> f32 {
    let (short, long) = (length.min(distance), length.max(distance));
    0.5 * (short / long + (long - radius) / short * ((long + radius) / long))
}
