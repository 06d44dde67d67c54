//! Whole bones against round colliders, so that nothing slips through between two joints.

use super::capsule::share_along;
use super::contact::{check_contact, held, push_out, pushed_to, slide};
use super::surface::{Shape, Surface, fields_of};
use super::{Capsule, Contact, Contacts, Sphere};
use crate::error::Error;
use crate::space::{Vector, direction};

/// Pushes the bones of a chain out of a sphere.
///
/// So that nothing slips through between two joints: `positions` is a chain of particles; each
/// bone, from one particle to the next, is a capsule of the contact's radius. The bone's nearest
/// point is pushed out, by moving its two ends in proportion to their inverse masses and to how
/// near they are to it; bones are gone through from the first to the last. Lengths are not kept:
/// that is the constraints' business, and the two converge when they are called in turn. The shell
/// and the friction are as in [`sphere_collide`](crate::sphere_collide).
///
/// A bone through the very centre goes along [`Vector::perpendicular`] of itself. Nearest points
/// close to a pinned end cannot be pushed far in one call: an end moves no further than four times
/// the depth. A sphere that keeps particles inside keeps a bone inside by its ends.
///
/// # Errors
/// As [`sphere_collide`](crate::sphere_collide).
///
/// ```
/// use sinew::{Contact, Sphere, glam::Vec2, sphere_collide_bones};
///
/// // Both ends are outside, the bone is not.
/// let mut positions = [Vec2::new(-1.0, 0.1), Vec2::new(1.0, 0.1)];
/// let sphere = Sphere::new(Vec2::ZERO, 0.5);
/// let contacts = sphere_collide_bones(&mut positions, &[], &sphere, &Contact::default())?;
/// assert_eq!((contacts.touched, positions[0].y), (1, 0.5));
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn sphere_collide_bones<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    sphere: &Sphere<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    if sphere.inside {
        return push_out(positions, previous, (fields_of!("sphere"), sphere), contact);
    }
    sphere.check(fields_of!("sphere"))?;
    check_contact(positions, previous, contact)?;
    Ok(collide_bones(positions, previous, contact, |a, b| touch_sphere(sphere, a, b)))
}

/// Pushes the bones of a chain out of a capsule.
///
/// As [`sphere_collide_bones`], from the point of the capsule's segment that is nearest to the
/// bone. A bone that crosses the segment goes across both, in 2D along [`Vector::perpendicular`] of
/// itself.
///
/// # Errors
/// As [`sphere_collide`](crate::sphere_collide).
///
/// ```
/// use sinew::{Capsule, Contact, capsule_collide_bones, glam::Vec3};
///
/// let mut positions = [Vec3::new(-1.0, 0.1, 0.0), Vec3::new(1.0, 0.1, 0.0)];
/// let arm = Capsule::new(Vec3::Z, -Vec3::Z, 0.5);
/// let _ = capsule_collide_bones(&mut positions, &[], &arm, &Contact::default())?;
/// assert_eq!(positions, [Vec3::new(-1.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 0.0)]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn capsule_collide_bones<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    capsule: &Capsule<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    if capsule.inside {
        return push_out(positions, previous, (fields_of!("capsule"), capsule), contact);
    }
    capsule.check(fields_of!("capsule"))?;
    check_contact(positions, previous, contact)?;
    Ok(collide_bones(positions, previous, contact, |a, b| touch_capsule(capsule, a, b)))
}

/// Where a bone is nearest to a collider's core.
pub(super) struct Touch<V> {
    /// How far along the bone, as a share of it.
    share: f32,
    /// The nearest point of the core.
    center: V,
    /// The collider's radius.
    radius: f32,
    /// The way from one to the other, from the core.
    offset: V,
    /// The way out if there is none.
    fallback: V,
}

impl<V: Vector> Touch<V> {
    pub(super) fn point(&self, a: V, b: V) -> V {
        a + (b - a) * self.share
    }

    /// The collider as a bone of this radius sees it.
    pub(super) fn surface(&self, radius: f32) -> Surface<V> {
        Surface::ball(self.center, self.offset, self.radius + radius, || self.fallback)
    }
}

pub(super) fn touch_sphere<V: Vector>(sphere: &Sphere<V>, a: V, b: V) -> Touch<V> {
    let (center, bone) = (sphere.center, b - a);
    let share = share_along(center - a, bone);
    let offset = a + bone * share - center;
    Touch { share, center, radius: sphere.radius, offset, fallback: bone.perpendicular() }
}

pub(super) fn touch_capsule<V: Vector>(capsule: &Capsule<V>, a: V, b: V) -> Touch<V> {
    let (bone, core) = (b - a, capsule.end - capsule.start);
    let (share, center) = nearest_on_segments((a, b), (capsule.start, capsule.end));
    let fallback = bone.perpendicular_to_both(core);
    // Where the two all but cross, the way between them is rounding, and may lie along either.
    let offset = a + bone * share - center;
    let rounding = 4.0 * f32::EPSILON * (center - a).largest().max(core.largest());
    let offset = if offset.largest() > rounding { offset } else { V::ZERO };
    Touch { share, center, radius: capsule.radius, offset, fallback }
}

/// The least that the ends' weights count for: a nearest point this close to a pinned end would
/// need a push many times the depth.
const LEAST_WEIGHT: f32 = 1.0 / 16.0;

fn collide_bones<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    contact: &Contact<'_>,
    touch: impl Fn(V, V) -> Touch<V>,
) -> Contacts {
    let mut contacts = Contacts::default();
    for i in 1..positions.len() {
        let (Some(&a), Some(&b)) = (positions.get(i - 1), positions.get(i)) else { continue };
        let touch = touch(a, b);
        let (share, point) = (touch.share, touch.point(a, b));
        let Surface { normal, gap, .. } = touch.surface(contact.radius);
        if gap >= contact.shell {
            continue;
        }
        contacts.add(gap);
        let mass = |i| contact.inverse_masses.get(i).copied().unwrap_or(1.0);
        let (wa, wb) = (mass(i - 1) * (1.0 - share), mass(i) * share);
        let weight = wa * (1.0 - share) + wb * share;
        let least = LEAST_WEIGHT * mass(i - 1).max(mass(i));
        if least <= 0.0 {
            continue;
        }
        let push = pushed_to(gap, contact.shell) - gap;
        let moved = match (previous.get(i - 1), previous.get(i)) {
            (Some(&before_a), Some(&before_b)) => {
                slide(point - (before_a + (before_b - before_a) * share), normal)
            }
            _ => V::ZERO,
        };
        let held = held(moved.length(), push, contact.friction);
        let step = (normal * push - moved * held) * (1.0 / weight.max(least));
        if let Some(x) = positions.get_mut(i - 1) {
            *x = *x + step * wa;
        }
        if let Some(x) = positions.get_mut(i) {
            *x = *x + step * wb;
        }
    }
    contacts
}

/// The nearest points of two segments: the share along the first, and the point of the second.
///
/// Source: Ericson (2005), "Real-Time Collision Detection", 5.1.9, in the form that clamps one
/// share and projects back. Parallel segments have many nearest points; this gives the middle of
/// none in particular, but always one of them.
fn nearest_on_segments<V: Vector>((a, b): (V, V), (c, d): (V, V)) -> (f32, V) {
    let (along, core, between) = (b - a, d - c, c - a);
    // In unit vectors: four lengths multiplied overflow long before a coordinate is too large.
    let share = match (direction(along), direction(core)) {
        (Some((u, length)), Some((v, _))) => {
            let cos = u.dot(v);
            let sin_squared = 1.0 - cos * cos;
            // With sines below a thousandth, rounding has the say in where lines are nearest.
            if sin_squared > 1e-6 {
                let way = (u.dot(between) - v.dot(between) * cos) / sin_squared;
                (way / length).clamp(0.0, 1.0)
            } else {
                0.5
            }
        }
        _ => 0.5,
    };
    // Back and forth once: to the core, to the bone, and to the core again.
    let on_core = c + core * share_along(a + along * share - c, core);
    let share = share_along(on_core - a, along);
    (share, c + core * share_along(a + along * share - c, core))
}
