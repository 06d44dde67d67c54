//! Spheres, and the inside of one.

use super::Collider;
use super::contact::{Contact, Contacts, push_out};
use super::surface::{BoundingBall, Names, Shape, Surface, check_radius, fields_of, is_longer};
use crate::error::Error;
use crate::math;
use crate::space::{Motion, Vector, check_vector, lerp};

/// A sphere (in 2D a circle) that keeps particles out, or in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere<V> {
    /// Its centre, in the space of the particles.
    pub center: V,
    /// Its radius, in `[0, 1e12]`.
    pub radius: f32,
    /// Whether particles are kept inside.
    pub inside: bool,
}

impl<V> Sphere<V> {
    /// A sphere that keeps particles out.
    #[must_use]
    pub const fn new(center: V, radius: f32) -> Self {
        Self { center, radius, inside: false }
    }

    /// A sphere that keeps particles in.
    #[must_use]
    pub const fn inside(center: V, radius: f32) -> Self {
        Self { center, radius, inside: true }
    }
}

impl<V: Vector> From<Sphere<V>> for Collider<V> {
    fn from(sphere: Sphere<V>) -> Self {
        Self::Sphere(sphere)
    }
}

impl<V: Vector> Shape<V> for Sphere<V> {
    fn check(&self, names: &Names) -> Result<(), Error> {
        check_vector(names.center, self.center)?;
        check_radius(names.radius, self.radius)
    }

    #[inline]
    fn surface(&self, point: V, radius: f32) -> Surface<V> {
        let offset = point - self.center;
        if self.inside {
            // A particle too big to fit is held at the centre.
            Surface::bowl(self.center, offset, (self.radius - radius).max(0.0))
        } else {
            Surface::ball(self.center, offset, self.radius + radius, || V::ZERO.perpendicular())
        }
    }

    #[inline]
    fn bounding_ball(&self) -> Option<BoundingBall<V>> {
        (!self.inside).then_some(BoundingBall { center: self.center, radius: self.radius })
    }

    #[inline]
    fn is_far(&self, point: V, radius: f32) -> bool {
        let distance_squared = (point - self.center).length_squared();
        if self.inside {
            let room = (self.radius - radius).max(0.0);
            is_longer(room * room, distance_squared)
        } else {
            let reach = self.radius + radius;
            is_longer(distance_squared, reach * reach)
        }
    }

    fn moved(&self, motion: &Motion<V>) -> Self {
        Self { center: motion.point(self.center), ..*self }
    }

    fn lerp(&self, other: &Self, t: f32) -> Self {
        Self {
            center: lerp(self.center, other.center, t),
            radius: math::lerp(self.radius, other.radius, t),
            inside: other.inside,
        }
    }
}

/// Pushes particles out of a sphere, or into it if it is [`Sphere::inside`].
///
/// `positions` has one entry a particle; `previous` their previous positions, for friction, or
/// nothing. Each goes the shortest way, straight from or to the centre, to the rounding of its
/// coordinates. A particle at the very centre goes along +Y in 2D and +X in 3D; one whose radius
/// is larger than the inside of a sphere goes to the centre. Velocity into the surface ends there,
/// as positions move and previous positions do not.
///
/// # Errors
/// Slices of different lengths, `previous` empty with friction; a number that is not finite or out
/// of its documented range.
///
/// ```
/// use sinew::{Contact, Sphere, glam::Vec3, sphere_collide};
///
/// let ball = Contact { radius: 3.0, ..Contact::default() };
/// let mut positions = [Vec3::new(5.0, 0.0, 0.0), Vec3::new(20.0, 0.0, 0.0)];
/// let contacts = sphere_collide(&mut positions, &[], &Sphere::new(Vec3::ZERO, 10.0), &ball)?;
/// assert_eq!(positions, [Vec3::new(13.0, 0.0, 0.0), Vec3::new(20.0, 0.0, 0.0)]);
/// assert_eq!((contacts.touched, contacts.deepest), (1, 8.0));
///
/// let mut positions = [Vec3::new(10.0, 0.0, 0.0)];
/// let _ = sphere_collide(&mut positions, &[], &Sphere::inside(Vec3::ZERO, 10.0), &ball)?;
/// assert_eq!(positions, [Vec3::new(7.0, 0.0, 0.0)]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn sphere_collide<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    sphere: &Sphere<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    push_out(positions, previous, (fields_of!("sphere"), sphere), contact)
}
