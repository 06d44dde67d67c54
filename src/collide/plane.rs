//! Planes that particles stay above.

use super::Collider;
use super::contact::{Contact, Contacts, push_out};
use super::surface::{BoundingBall, Names, Shape, Surface, fields_of};
use crate::error::{Error, Fault};
use crate::rotation::{Rotation, UNIT_SLACK};
use crate::space::{Motion, Vector, check_vector, direction, lerp};

/// A plane (in 2D a line) above which particles are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane<V> {
    /// A point of it, in the space of the particles.
    pub point: V,
    /// The direction that is above, of unit length within a thousandth.
    pub normal: V,
}

impl<V: Vector> Plane<V> {
    /// The plane through `point` that keeps particles on the side that `normal` points to.
    #[must_use]
    pub const fn new(point: V, normal: V) -> Self {
        Self { point, normal }
    }
}

impl<V: Vector> From<Plane<V>> for Collider<V> {
    fn from(plane: Plane<V>) -> Self {
        Self::Plane(plane)
    }
}

impl<V: Vector> Shape<V> for Plane<V> {
    fn check(&self, names: &Names) -> Result<(), Error> {
        check_vector(names.point, self.point)?;
        check_vector(names.normal, self.normal)?;
        if (self.normal.length_squared() - 1.0).abs() > 2.0 * UNIT_SLACK {
            return Err(Error::new(names.normal, Fault::NotUnit));
        }
        Ok(())
    }

    #[inline]
    fn surface(&self, point: V, radius: f32) -> Surface<V> {
        // One step of Newton's method takes what the caller's rounding has left of the length.
        let normal = self.normal * (1.5 - 0.5 * self.normal.length_squared());
        let on = self.point + normal * radius;
        Surface::plane(on, point - on, normal)
    }

    #[inline]
    fn bounding_ball(&self) -> Option<BoundingBall<V>> {
        None
    }

    #[inline]
    fn is_far(&self, point: V, radius: f32) -> bool {
        // There is no root to save.
        self.surface(point, radius).gap >= 0.0
    }

    fn moved(&self, motion: &Motion<V>) -> Self {
        Self { point: motion.point(self.point), normal: motion.turn.rotate(self.normal) }
    }

    fn lerp(&self, other: &Self, t: f32) -> Self {
        let normal = lerp(self.normal, other.normal, t);
        Self {
            point: lerp(self.point, other.point, t),
            normal: direction(normal).map_or(other.normal, |(normal, _)| normal),
        }
    }
}

/// Lifts particles onto a plane that are below it, or nearer to it than their radius.
///
/// As [`sphere_collide`](crate::sphere_collide), straight along the normal, however deep a particle
/// lies.
///
/// # Errors
/// As [`sphere_collide`](crate::sphere_collide); a normal that is not of unit length.
///
/// ```
/// use sinew::{Contact, Plane, glam::Vec2, plane_collide};
///
/// let floor = Plane::new(Vec2::ZERO, Vec2::Y);
/// let ball = Contact { radius: 0.5, ..Contact::default() };
/// let mut positions = [Vec2::new(1.0, -7.0), Vec2::new(1.0, 2.0)];
/// let _ = plane_collide(&mut positions, &[], &floor, &ball)?;
/// assert_eq!(positions, [Vec2::new(1.0, 0.5), Vec2::new(1.0, 2.0)]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn plane_collide<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    plane: &Plane<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    push_out(positions, previous, (fields_of!("plane"), plane), contact)
}
