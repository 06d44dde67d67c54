//! Colliders in a place of each character's own.

use glam::Vec3;

use crate::check::MAX_COORDINATE;
use crate::collide::{Capsule, Plane, Sphere};
use crate::lanes::wide::{F32x8, Mask};
use crate::lanes::{Quatx8, Vec3x8};
use crate::rotation::{UNIT_SLACK, perpendicular};

/// A shape that eight characters have, each in a place of its own: a
/// [`Collider`](crate::Collider) a lane. Radii and sides are shared.
///
/// ```
/// use sinew::Sphere;
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Collider, Vec3x8};
///
/// // A head of one size, on eight necks.
/// let heads = Vec3x8::from(core::array::from_fn(|lane| Vec3::new(lane as f32, 1.6, 0.0)));
/// let head: Collider = Sphere::new(heads, 0.12).into();
/// assert_eq!(head.lane(3), Sphere::new(Vec3::new(3.0, 1.6, 0.0), 0.12).into());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Collider {
    /// Spheres.
    Sphere(Sphere<Vec3x8>),
    /// Capsules.
    Capsule(Capsule<Vec3x8>),
    /// Planes.
    Plane(Plane<Vec3x8>),
}

impl From<Sphere<Vec3x8>> for Collider {
    fn from(sphere: Sphere<Vec3x8>) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Capsule<Vec3x8>> for Collider {
    fn from(capsule: Capsule<Vec3x8>) -> Self {
        Self::Capsule(capsule)
    }
}

impl From<Plane<Vec3x8>> for Collider {
    fn from(plane: Plane<Vec3x8>) -> Self {
        Self::Plane(plane)
    }
}

impl Collider {
    /// One character's.
    #[must_use]
    pub fn lane(&self, lane: usize) -> crate::Collider<Vec3> {
        match *self {
            Self::Sphere(Sphere { center, radius, inside }) => {
                Sphere { center: center.lane(lane), radius, inside }.into()
            }
            Self::Capsule(Capsule { start, end, radius, inside }) => {
                Capsule { start: start.lane(lane), end: end.lane(lane), radius, inside }.into()
            }
            Self::Plane(Plane { point, normal }) => {
                Plane { point: point.lane(lane), normal: normal.lane(lane) }.into()
            }
        }
    }

    fn radius(&self) -> f32 {
        match self {
            Self::Sphere(sphere) => sphere.radius,
            Self::Capsule(capsule) => capsule.radius,
            Self::Plane(_) => 0.0,
        }
    }

    /// Where it is what its documentation says without doubt.
    pub(super) fn is_sound(&self) -> Mask {
        let radius = |radius: f32| {
            let radius = F32x8::splat(radius);
            radius.ge(F32x8::ZERO) & radius.le(F32x8::splat(MAX_COORDINATE))
        };
        match self {
            Self::Sphere(s) => s.center.within(MAX_COORDINATE) & radius(s.radius),
            Self::Capsule(c) => {
                c.start.within(MAX_COORDINATE) & c.end.within(MAX_COORDINATE) & radius(c.radius)
            }
            Self::Plane(p) => {
                let unit = (p.normal.dot(p.normal) - F32x8::ONE).abs();
                p.point.within(MAX_COORDINATE) & unit.le(F32x8::splat(UNIT_SLACK))
            }
        }
    }

    pub(super) fn moved(&self, motion: &Motion) -> Self {
        match *self {
            Self::Sphere(s) => Sphere { center: motion.point(s.center), ..s }.into(),
            Self::Capsule(c) => {
                Capsule { start: motion.point(c.start), end: motion.point(c.end), ..c }.into()
            }
            Self::Plane(p) => {
                let normal = motion.turn.rotate(p.normal);
                Plane { point: motion.point(p.point), normal }.into()
            }
        }
    }

    /// On the way to `now` where `moving`, at `t` of it; `now` elsewhere, and if it is another kind
    /// of shape. And the radii there.
    pub(super) fn lerp(&self, now: &Self, t: F32x8, moving: Mask) -> (Self, F32x8) {
        let between = |a, b| moving.select(lerp(a, b, t), b);
        let shape = match (*self, *now) {
            (Self::Sphere(a), Self::Sphere(b)) => {
                Sphere { center: between(a.center, b.center), ..b }.into()
            }
            (Self::Capsule(a), Self::Capsule(b)) => {
                Capsule { start: between(a.start, b.start), end: between(a.end, b.end), ..b }.into()
            }
            (Self::Plane(a), Self::Plane(b)) => {
                let (normal, _, some) = lerp(a.normal, b.normal, t).direction();
                let normal = (moving & some).select(normal, b.normal);
                Plane { point: between(a.point, b.point), normal }.into()
            }
            _ => return (*now, F32x8::splat(now.radius())),
        };
        let (a, b) = (F32x8::splat(self.radius()), F32x8::splat(now.radius()));
        (shape, moving.select(a * (F32x8::ONE - t) + b * t, b))
    }
}

/// Rigid motions, one a lane.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    pub(super) from: Vec3x8,
    pub(super) to: Vec3x8,
    pub(super) turn: Quatx8,
}

impl Motion {
    pub(super) fn between(from: (Vec3x8, Quatx8), to: (Vec3x8, Quatx8)) -> Self {
        let turn = (to.1 * from.1.conjugate()).normalized();
        Self { from: from.0, to: to.0, turn }
    }

    #[inline]
    pub(super) fn point(&self, point: Vec3x8) -> Vec3x8 {
        self.to + self.turn.rotate(point - self.from)
    }
}

/// A collider where it is at one instant, with a radius a lane: on its way it may swell.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) shape: &'a Collider,
    pub(super) radius: F32x8,
}

impl<'a> Placed<'a> {
    #[inline]
    pub(super) fn still(shape: &'a Collider) -> Self {
        Self { shape, radius: F32x8::splat(shape.radius()) }
    }

    /// One character's.
    pub(super) fn lane(&self, lane: usize) -> crate::Collider<Vec3> {
        let mut collider = self.shape.lane(lane);
        match &mut collider {
            crate::Collider::Sphere(sphere) => sphere.radius = self.radius.lane(lane),
            crate::Collider::Capsule(capsule) => capsule.radius = self.radius.lane(lane),
            _ => (),
        }
        collider
    }

    /// As the scalar's: where the gap of a particle's surface is certain to be no less than 0.
    #[inline]
    pub(super) fn is_far(&self, point: Vec3x8, own: f32) -> Mask {
        let (distance_squared, rounding, inside) = match *self.shape {
            Collider::Sphere(Sphere { center, inside, .. }) => {
                ((point - center).length_squared(), F32x8::ZERO, inside)
            }
            Collider::Capsule(Capsule { start, end, inside, .. }) => {
                let (core, from_start) = (end - start, point - start);
                let offset = from_start - core * share_along(from_start, core);
                let lengths_squared = from_start.length_squared() + core.length_squared();
                let rounding = lengths_squared * 1e-8 + point.length_squared() * 1e-11;
                (offset.length_squared(), rounding, inside)
            }
            Collider::Plane(_) => return self.surface(point, own).gap.ge(F32x8::ZERO),
        };
        if inside {
            let room = (self.radius - F32x8::splat(own)).max(F32x8::ZERO);
            is_longer(room * room, distance_squared + rounding)
        } else {
            let reach = self.radius + F32x8::splat(own);
            is_longer(distance_squared, reach * reach + rounding)
        }
    }

    /// What a particle of this radius at `point` sees of it.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it answers with a third of a kilobyte, of which most is unused"
    )]
    pub(super) fn surface(&self, point: Vec3x8, own: f32) -> Surface {
        let radii = (self.radius, F32x8::splat(own));
        match *self.shape {
            Collider::Sphere(Sphere { center, inside, .. }) => {
                Surface::round((center, Vec3x8::ZERO), point - center, radii, inside)
            }
            Collider::Capsule(Capsule { start, end, inside, .. }) => {
                let (core, from_start) = (end - start, point - start);
                let share = share_along(from_start, core);
                let from_end = point - end;
                let is_before =
                    from_start.dot(core).le(F32x8::ZERO) | core.length_squared().eq(F32x8::ZERO);
                let first = share.le(F32x8::ZERO) & is_before;
                let last = share.ge(F32x8::ONE) & from_end.dot(core).ge(F32x8::ZERO);
                let beside = across(from_start - core * share, core, from_start);
                let offset = first.select(from_start, last.select(from_end, beside));
                Surface::round((lerp(start, end, share), core), offset, radii, inside)
            }
            Collider::Plane(Plane { point: on, normal }) => {
                let normal = normal * (F32x8::splat(1.5) - normal.dot(normal) * 0.5);
                let on = on + normal * own;
                let gap = (point - on).dot(normal);
                Surface { normal, gap, form: Form::Plane { point: on } }
            }
        }
    }
}

/// As the scalar's.
#[derive(Clone, Copy)]
pub(super) struct Surface {
    pub(super) normal: Vec3x8,
    pub(super) gap: F32x8,
    pub(super) form: Form,
}

/// As the scalar's: all lanes see the same.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// `core`: what the ball has been taken from, if that is a segment.
    Ball {
        center: Vec3x8,
        radius: F32x8,
        core: Vec3x8,
    },
    Bowl {
        center: Vec3x8,
        radius: F32x8,
    },
    Plane {
        point: Vec3x8,
    },
}

impl Surface {
    /// The outside or the inside of balls, for points `offset` away from their centres.
    #[inline]
    fn round(
        (center, core): (Vec3x8, Vec3x8),
        offset: Vec3x8,
        (radius, own): (F32x8, F32x8),
        inside: bool,
    ) -> Self {
        let (out, distance, _) = offset.direction();
        if inside {
            let radius = (radius - own).max(F32x8::ZERO);
            return Self {
                normal: -out,
                gap: radius - distance,
                form: Form::Bowl { center, radius },
            };
        }
        let radius = radius + own;
        Self { normal: out, gap: distance - radius, form: Form::Ball { center, radius, core } }
    }

    /// The normals, where `lanes` are pushed along them: out of the very centre of a ball, across
    /// its core.
    #[inline]
    pub(super) fn way_out(&self, lanes: Mask) -> Vec3x8 {
        let mut normal = self.normal;
        if let Form::Ball { core, .. } = self.form {
            let centered = lanes & self.normal.dot(self.normal).eq(F32x8::ZERO);
            if centered.any() {
                for lane in centered.lanes() {
                    normal.set_lane(lane, perpendicular(core.lane(lane)));
                }
            }
        }
        normal
    }
}

/// As the scalar's.
#[inline]
fn is_longer(squared: F32x8, other_squared: F32x8) -> Mask {
    squared.gt(other_squared * 1.01 + F32x8::splat(f32::MIN_POSITIVE))
}

/// How far along the segments from the origin to `end` their nearest points to `point` lie.
#[inline]
fn share_along(point: Vec3x8, end: Vec3x8) -> F32x8 {
    let squared = end.dot(end);
    let share = (point.dot(end) / squared).clamp(0.0, 1.0);
    squared.gt(F32x8::ZERO).select(share, F32x8::ZERO)
}

/// What is left of offsets from segments once they lie across them; zero if that is rounding.
#[inline]
fn across(offset: Vec3x8, core: Vec3x8, way: Vec3x8) -> Vec3x8 {
    let across = offset - core * (offset.dot(core) / core.dot(core));
    let rounding = way.largest() * (2.0 * f32::EPSILON);
    across.largest().gt(rounding).select(across, Vec3x8::ZERO)
}

#[inline]
pub(super) fn lerp(a: Vec3x8, b: Vec3x8, t: F32x8) -> Vec3x8 {
    a * (F32x8::ONE - t) + b * t
}
