//! Boxes, turned any way.

use super::Collider;
use super::contact::{Contact, Contacts, push_out};
use super::surface::{BoundingBall, Names, Shape, Surface, fields_of, is_longer};
use crate::error::{Error, Fault};
use crate::rotation::{Rotation, check_rotation};
use crate::space::{Motion, Vector, check_vector, lerp};

/// A box, turned any way, that keeps particles out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrientedBox<V: Vector> {
    /// Its centre, in the space of the particles.
    pub center: V,
    /// Turns the box's own axes into that space.
    pub rotation: V::Rotation,
    /// Half its extent along each of its own axes, each in `[0, 1e12]`.
    pub half_extents: V,
}

impl<V: Vector> OrientedBox<V> {
    /// A box with its axes along those of the space.
    #[must_use]
    pub const fn new(center: V, half_extents: V) -> Self {
        Self { center, rotation: <V::Rotation as Rotation>::IDENTITY, half_extents }
    }

    /// The same box with its axes turned.
    #[must_use]
    pub const fn with_rotation(self, rotation: V::Rotation) -> Self {
        Self { rotation, ..self }
    }
}

impl<V: Vector> From<OrientedBox<V>> for Collider<V> {
    fn from(shape: OrientedBox<V>) -> Self {
        Self::Box(shape)
    }
}

impl<V: Vector> Shape<V> for OrientedBox<V> {
    fn check(&self, names: &Names) -> Result<(), Error> {
        check_vector(names.center, self.center)?;
        check_vector(names.half_extents, self.half_extents)?;
        // A negative extent is the only way for the clamped negative to differ.
        if (-self.half_extents).clamped(self.half_extents) != -self.half_extents {
            return Err(Error::new(names.half_extents, Fault::OutOfRange));
        }
        check_rotation(names.rotation, self.rotation)
    }

    fn surface(&self, point: V, radius: f32) -> Surface<V> {
        let rotation = self.rotation.renormalized();
        let local = rotation.inverse().rotate(point - self.center);
        let nearest = local.clamped(self.half_extents);
        if nearest == local {
            let (normal, depth) = local.nearest_face(self.half_extents);
            let (normal, up) = (rotation.rotate(normal), depth + radius);
            return Surface::plane(point + normal * up, normal * -up, normal);
        }
        // The offset is not zero, and what underflows has a direction of its own.
        let fallback = || rotation.rotate(local.nearest_face(self.half_extents).0);
        let center = self.center + rotation.rotate(nearest);
        Surface::ball(center, rotation.rotate(local - nearest), radius, fallback)
    }

    #[inline]
    fn bounding_ball(&self) -> Option<BoundingBall<V>> {
        Some(BoundingBall { center: self.center, radius: self.half_extents.length() })
    }

    #[inline]
    fn is_far(&self, point: V, radius: f32) -> bool {
        // Of the ball about the box. The square of a sum is at most twice the sum of the squares.
        let reach_squared = 2.0 * (self.half_extents.length_squared() + radius * radius);
        is_longer((point - self.center).length_squared(), reach_squared)
    }

    fn moved(&self, motion: &Motion<V>) -> Self {
        Self {
            center: motion.point(self.center),
            rotation: (motion.turn * self.rotation).normalized(),
            ..*self
        }
    }

    fn lerp(&self, other: &Self, t: f32) -> Self {
        Self {
            center: lerp(self.center, other.center, t),
            rotation: self.rotation.nlerp(other.rotation, t),
            half_extents: lerp(self.half_extents, other.half_extents, t),
        }
    }
}

/// Pushes particles out of a box.
///
/// As [`sphere_collide`](crate::sphere_collide): from outside, straight from the nearest point of
/// the box, round its edges and corners; from inside, through the nearest face. Where two faces are
/// equally near the first axis wins, and its positive side. Extents of zero make a sheet, a rod or
/// a point.
///
/// # Errors
/// As [`sphere_collide`](crate::sphere_collide); a rotation that is not of unit length.
///
/// ```
/// use sinew::{Contact, OrientedBox, box_collide, glam::Vec2};
///
/// let table = OrientedBox::new(Vec2::ZERO, Vec2::new(2.0, 1.0));
/// let ball = Contact { radius: 0.5, ..Contact::default() };
/// let mut positions = [Vec2::new(0.3, -0.9), Vec2::new(2.3, 1.4)];
/// let contacts = box_collide(&mut positions, &[], &table, &ball)?;
/// assert_eq!(positions, [Vec2::new(0.3, -1.5), Vec2::new(2.3, 1.4)]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn box_collide<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    shape: &OrientedBox<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    push_out(positions, previous, (fields_of!("shape"), shape), contact)
}
