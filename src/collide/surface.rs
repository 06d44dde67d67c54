//! What every shape is, seen from one point.

use crate::check::{MAX_COORDINATE, check_range};
use crate::error::Error;
use crate::packed::Packed;
use crate::space::{Motion, Vector, direction};

/// A shape as one point sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface<V> {
    /// The unit direction in which the point is pushed.
    pub(crate) normal: V,
    /// Its distance from the surface along it, negative where it has to be pushed.
    pub(crate) gap: f32,
    pub(crate) form: Form<V>,
}

/// What a shape is like about the part of it that one point sees.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<V> {
    /// A ball to keep out of.
    Ball { center: V, radius: f32 },
    /// A ball to keep inside of.
    Bowl { center: V, radius: f32 },
    /// A plane through a point, to stay on the side of.
    Plane { point: V },
}

impl<V: Vector> Surface<V> {
    /// The outside of a ball, for a point `offset` away from its centre; `fallback` is the way out
    /// of the very centre.
    #[inline]
    pub(super) fn ball(center: V, offset: V, radius: f32, fallback: impl FnOnce() -> V) -> Self {
        let (normal, distance) = direction(offset).unwrap_or_else(|| (fallback(), 0.0));
        Self { normal, gap: distance - radius, form: Form::Ball { center, radius } }
    }

    /// The inside of a ball, for a point `offset` away from its centre.
    #[inline]
    pub(super) fn bowl(center: V, offset: V, radius: f32) -> Self {
        let (out, distance) = direction(offset).unwrap_or((V::ZERO, 0.0));
        Self { normal: -out, gap: radius - distance, form: Form::Bowl { center, radius } }
    }

    /// A plane through `on` with a unit `normal`, for a point `offset` away from `on`.
    #[inline]
    pub(super) fn plane(on: V, offset: V, normal: V) -> Self {
        Self { normal, gap: offset.dot(normal), form: Form::Plane { point: on } }
    }
}

/// A ball that a whole shape lies in: of many points, those far from the shape are told by it at
/// the least cost.
#[derive(Clone, Copy)]
pub(crate) struct BoundingBall<V> {
    pub(super) center: V,
    pub(super) radius: f32,
}

impl<V: Vector> BoundingBall<V> {
    /// Whether the gap between a point and the shape is certain to be no less than `reach`.
    #[inline]
    pub(super) fn is_far(&self, point: V, reach: f32) -> bool {
        let offset = V::Packed::from(point - self.center);
        let reach = self.radius + reach;
        is_longer(offset.dot(offset), reach * reach)
    }
}

/// What the fields of a shape are called in an error.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    pub(crate) center: &'static str,
    pub(crate) radius: &'static str,
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
    pub(crate) point: &'static str,
    pub(crate) normal: &'static str,
    pub(crate) half_extents: &'static str,
    pub(crate) rotation: &'static str,
}

/// The names of the fields of an argument.
macro_rules! fields_of {
    ($argument:literal) => {
        &$crate::collide::Names {
            center: concat!($argument, ".center"),
            radius: concat!($argument, ".radius"),
            start: concat!($argument, ".start"),
            end: concat!($argument, ".end"),
            point: concat!($argument, ".point"),
            normal: concat!($argument, ".normal"),
            half_extents: concat!($argument, ".half_extents"),
            rotation: concat!($argument, ".rotation"),
        }
    };
}
pub(crate) use fields_of;

/// What the files of the shapes provide.
pub(crate) trait Shape<V: Vector>: Copy {
    /// `Ok` if the shape is what its documentation says.
    fn check(&self, names: &Names) -> Result<(), Error>;

    /// How a particle of this radius at `point` sees the shape; for the centre of the particle,
    /// which is then a point.
    fn surface(&self, point: V, radius: f32) -> Surface<V>;

    /// A ball about the whole of it; `None` about a plane, and about what is outside a shape.
    fn bounding_ball(&self) -> Option<BoundingBall<V>>;

    /// Whether the gap of that surface is certain to be no less than 0. Most particles are clear of
    /// most shapes, and to see it takes no root.
    fn is_far(&self, point: V, radius: f32) -> bool;

    /// Where a motion takes it.
    fn moved(&self, motion: &Motion<V>) -> Self;

    /// Between two poses of one shape.
    fn lerp(&self, other: &Self, t: f32) -> Self;
}

/// Whether one length is greater than another by more than their rounding, given their squares.
#[inline]
pub(super) fn is_longer(squared: f32, other_squared: f32) -> bool {
    squared > 1.01 * other_squared + f32::MIN_POSITIVE
}

/// `Ok` if `radius` is a length.
pub(super) fn check_radius(argument: &'static str, radius: f32) -> Result<(), Error> {
    check_range(argument, radius, 0.0, MAX_COORDINATE)
}
