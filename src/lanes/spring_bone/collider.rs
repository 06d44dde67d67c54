//! Colliders in a place of each character's own.

use glam::Vec3;

use crate::collide::{Capsule, Plane, Sphere};
use crate::lanes::LANES;
use crate::lanes::space::{Quatx8, Vec3x8};
use crate::lanes::wide::{F32x8, Mask};
use crate::rotation::{UNIT_SLACK, perpendicular};
use crate::space::MAX_COORDINATE;

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
        self.placed().lane(lane)
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

    #[inline]
    pub(super) fn placed(&self) -> Placed {
        match *self {
            Self::Sphere(Sphere { center, radius, inside }) => {
                Placed::Sphere { center, radius: F32x8::splat(radius), inside }
            }
            Self::Capsule(Capsule { start, end, radius, inside }) => {
                Placed::Capsule { start, end, radius: F32x8::splat(radius), inside }
            }
            Self::Plane(Plane { point, normal }) => Placed::Plane { point, normal },
        }
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

/// A collider on its way, whose radius may differ from lane to lane.
#[derive(Clone, Copy)]
pub(super) enum Placed {
    Sphere { center: Vec3x8, radius: F32x8, inside: bool },
    Capsule { start: Vec3x8, end: Vec3x8, radius: F32x8, inside: bool },
    Plane { point: Vec3x8, normal: Vec3x8 },
}

impl Placed {
    pub(super) fn moved(self, motion: &Motion) -> Self {
        match self {
            Self::Sphere { center, radius, inside } => {
                Self::Sphere { center: motion.point(center), radius, inside }
            }
            Self::Capsule { start, end, radius, inside } => {
                let (start, end) = (motion.point(start), motion.point(end));
                Self::Capsule { start, end, radius, inside }
            }
            Self::Plane { point, normal } => {
                Self::Plane { point: motion.point(point), normal: motion.turn.rotate(normal) }
            }
        }
    }

    /// On the way to `now` where `moving`, at `t` of it; `now` elsewhere, and if it is another kind
    /// of shape.
    pub(super) fn lerp(self, now: Self, t: F32x8, moving: Mask) -> Self {
        let between = |a, b| moving.select(lerp(a, b, t), b);
        match (self, now) {
            (
                Self::Sphere { center, radius, .. },
                Self::Sphere { center: center_now, radius: radius_now, inside },
            ) => Self::Sphere {
                center: between(center, center_now),
                radius: mix(radius, radius_now, t, moving),
                inside,
            },
            (
                Self::Capsule { start, end, radius, .. },
                Self::Capsule { start: start_now, end: end_now, radius: radius_now, inside },
            ) => Self::Capsule {
                start: between(start, start_now),
                end: between(end, end_now),
                radius: mix(radius, radius_now, t, moving),
                inside,
            },
            (
                Self::Plane { point, normal },
                Self::Plane { point: point_now, normal: normal_now },
            ) => {
                let (way, _, some) = lerp(normal, normal_now, t).direction();
                Self::Plane {
                    point: between(point, point_now),
                    normal: (moving & some).select(way, normal_now),
                }
            }
            _ => now,
        }
    }

    /// One character's.
    pub(super) fn lane(&self, lane: usize) -> crate::Collider<Vec3> {
        match *self {
            Self::Sphere { center, radius, inside } => {
                Sphere { center: center.lane(lane), radius: radius.lane(lane), inside }.into()
            }
            Self::Capsule { start, end, radius, inside } => {
                let (start, end, radius) = (start.lane(lane), end.lane(lane), radius.lane(lane));
                Capsule { start, end, radius, inside }.into()
            }
            Self::Plane { point, normal } => {
                Plane { point: point.lane(lane), normal: normal.lane(lane) }.into()
            }
        }
    }

    /// What a particle of this radius at `point` sees of it.
    #[inline]
    pub(super) fn surface(&self, point: Vec3x8, radius: f32) -> Surface {
        let own = F32x8::splat(radius);
        match *self {
            Self::Sphere { center, radius, inside } => {
                let offset = point - center;
                Surface::round((center, Vec3x8::ZERO), offset, (radius, own), inside)
            }
            Self::Capsule { start, end, radius, inside } => {
                let (core, from_start) = (end - start, point - start);
                let share = share_along(from_start, core);
                let from_end = point - end;
                let first = share.le(F32x8::ZERO) & from_start.dot(core).le(F32x8::ZERO);
                let last = share.ge(F32x8::ONE) & from_end.dot(core).ge(F32x8::ZERO);
                let beside = across(from_start - core * share, core, from_start);
                let offset = first.select(from_start, last.select(from_end, beside));
                let nearest = lerp(start, end, share);
                Surface::round((nearest, core), offset, (radius, own), inside)
            }
            Self::Plane { point: on, normal } => {
                let newton = F32x8::splat(1.5) - normal.dot(normal) * 0.5;
                let normal = normal * newton;
                let on = on + normal * radius;
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
            let radius = (radius - own).larger(F32x8::ZERO);
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
                for lane in (0..LANES).filter(|lane| centered.lane(*lane)) {
                    normal.set_lane(lane, perpendicular(core.lane(lane)));
                }
            }
        }
        normal
    }
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

#[inline]
fn mix(a: F32x8, b: F32x8, t: F32x8, moving: Mask) -> F32x8 {
    moving.select(a * (F32x8::ONE - t) + b * t, b)
}
