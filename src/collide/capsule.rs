//! Capsules: everything within a distance of a segment, and the inside of one.

use super::Collider;
use super::contact::{Contact, Contacts, push_out};
use super::surface::{BoundingBall, Names, Shape, Surface, check_radius, fields_of, is_longer};
use crate::error::Error;
use crate::math;
use crate::space::{Motion, Vector, check_vector, lerp};

/// All points within a distance of a segment: a capsule that keeps particles out, or in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Capsule<V> {
    /// One end of the segment, in the space of the particles.
    pub start: V,
    /// The other end; the same point makes a sphere.
    pub end: V,
    /// The distance, in `[0, 1e12]`.
    pub radius: f32,
    /// Whether particles are kept inside.
    pub inside: bool,
}

impl<V> Capsule<V> {
    /// A capsule that keeps particles out.
    #[must_use]
    pub const fn new(start: V, end: V, radius: f32) -> Self {
        Self { start, end, radius, inside: false }
    }

    /// A capsule that keeps particles in.
    #[must_use]
    pub const fn inside(start: V, end: V, radius: f32) -> Self {
        Self { start, end, radius, inside: true }
    }
}

impl<V: Vector> From<Capsule<V>> for Collider<V> {
    fn from(capsule: Capsule<V>) -> Self {
        Self::Capsule(capsule)
    }
}

impl<V: Vector> Shape<V> for Capsule<V> {
    fn check(&self, names: &Names) -> Result<(), Error> {
        check_vector(names.start, self.start)?;
        check_vector(names.end, self.end)?;
        check_radius(names.radius, self.radius)
    }

    #[inline]
    fn surface(&self, point: V, radius: f32) -> Surface<V> {
        let (core, from_start) = (self.end - self.start, point - self.start);
        let share = share_along(from_start, core);
        let from_end = point - self.end;
        // A segment so short that its square is 0 is a point.
        let is_before = from_start.dot(core) <= 0.0 || core.length_squared() == 0.0;
        let offset = if share <= 0.0 && is_before {
            from_start
        } else if share >= 1.0 && from_end.dot(core) >= 0.0 {
            from_end
        } else {
            across(from_start - core * share, core, from_start)
        };
        let nearest = lerp(self.start, self.end, share);
        if self.inside {
            // A particle too big to fit is held at the segment.
            Surface::bowl(nearest, offset, (self.radius - radius).max(0.0))
        } else {
            Surface::ball(nearest, offset, self.radius + radius, || core.perpendicular())
        }
    }

    #[inline]
    fn bounding_ball(&self) -> Option<BoundingBall<V>> {
        let half = (self.end - self.start) * 0.5;
        // What the middle is rounded by.
        let rounding = f32::EPSILON * (self.start.largest() + self.end.largest());
        let radius = half.length() + self.radius + rounding;
        (!self.inside).then_some(BoundingBall { center: self.start + half, radius })
    }

    #[inline]
    fn is_far(&self, point: V, radius: f32) -> bool {
        let (core, from_start) = (self.end - self.start, point - self.start);
        let offset = from_start - core * share_along(from_start, core);
        // What the coordinates and the lengths along the segment are rounded by.
        let lengths_squared = from_start.length_squared() + core.length_squared();
        let rounding = lengths_squared * 1e-8 + point.length_squared() * 1e-11;
        if self.inside {
            let room = (self.radius - radius).max(0.0);
            is_longer(room * room, offset.length_squared() + rounding)
        } else {
            let reach = self.radius + radius;
            is_longer(offset.length_squared(), reach * reach + rounding)
        }
    }

    fn moved(&self, motion: &Motion<V>) -> Self {
        Self { start: motion.point(self.start), end: motion.point(self.end), ..*self }
    }

    fn lerp(&self, other: &Self, t: f32) -> Self {
        Self {
            start: lerp(self.start, other.start, t),
            end: lerp(self.end, other.end, t),
            radius: math::lerp(self.radius, other.radius, t),
            inside: other.inside,
        }
    }
}

/// How far along the segment from the origin to `end` the point of it that is nearest to `point`
/// lies, as a share of its length; 0 if it has none.
#[inline]
pub(super) fn share_along<V: Vector>(point: V, end: V) -> f32 {
    let squared = end.length_squared();
    if squared > 0.0 { (point.dot(end) / squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// What is left of an offset from a segment once it is made to lie across the segment; zero if that
/// is no more than the rounding of `way`, the vector that it was the difference of.
///
/// Right beside a segment the offset is all rounding, which is as likely to point along the segment
/// as across it, and a push along a segment never leads out of it.
fn across<V: Vector>(offset: V, core: V, way: V) -> V {
    let across = offset - core * (offset.dot(core) / core.length_squared());
    let rounding = 2.0 * f32::EPSILON * way.largest();
    if across.largest() > rounding { across } else { V::ZERO }
}

/// Pushes particles out of a capsule, or into it if it is [`Capsule::inside`].
///
/// As [`sphere_collide`](crate::sphere_collide), straight from or to the nearest point of the
/// segment: particles beyond an end meet the round cap, not the segment's line. A particle on the
/// segment goes across it, along [`Vector::perpendicular`] of the segment. A segment without length
/// makes a sphere.
///
/// # Errors
/// As [`sphere_collide`](crate::sphere_collide).
///
/// ```
/// use sinew::{Capsule, Contact, capsule_collide, glam::Vec3};
///
/// let arm = Capsule::new(Vec3::Z * -5.0, Vec3::Z * 5.0, 4.0);
/// let ball = Contact { radius: 3.0, ..Contact::default() };
/// let mut positions = [Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 13.0)];
/// let _ = capsule_collide(&mut positions, &[], &arm, &ball)?;
/// assert_eq!(positions, [Vec3::new(7.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 13.0)]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn capsule_collide<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    capsule: &Capsule<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    push_out(positions, previous, (fields_of!("capsule"), capsule), contact)
}
