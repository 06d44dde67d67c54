//! What lets one solver serve 2D and 3D.

mod check;
mod joints;
mod pose;
mod vectors;

use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

use crate::error::Error;
use crate::joint::{Drawn, Freedom, Turning};
use crate::math;
use crate::packed::Packed;
use crate::rotation::Rotation;

pub(crate) use check::{check_direction, check_vector, check_vectors};
pub(crate) use pose::Motion;
pub use pose::Pose;

/// A rotation vector of the plane or of space.
pub type Spin<V> = <<V as Vector>::Rotation as Rotation>::Spin;

mod sealed {
    pub trait Sealed {}
    impl Sealed for glam::Vec2 {}
    impl Sealed for glam::Vec3 {}
}

/// A point or a direction of the plane ([`Vec2`](glam::Vec2)) or of space ([`Vec3`](glam::Vec3)).
///
/// Sealed: it exists so that one solver serves both dimensions.
pub trait Vector:
    sealed::Sealed
    + Copy
    + Debug
    + Default
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f32, Output = Self>
    + Send
    + Sync
    + 'static
{
    /// What turns it.
    type Rotation: Rotation<Vector = Self, Packed = Self::Packed>;

    /// What limits the turn.
    type Joint: Joint<Self>;

    /// The same as a register holds it.
    #[doc(hidden)]
    type Packed: Packed + From<Self> + Into<Self>;

    /// 2 or 3.
    const DIMENSIONS: usize;

    /// The origin.
    const ZERO: Self;

    /// The scalar product.
    #[must_use]
    fn dot(self, other: Self) -> f32;

    /// The largest magnitude of a coordinate; NaN if one is NaN.
    #[must_use]
    fn largest(self) -> f32;

    /// [`Vector::largest`] of a vector that has passed its check, without a look for NaN.
    #[doc(hidden)]
    #[must_use]
    fn extent(self) -> f32;

    /// Whether no coordinate is larger than `bound`, or NaN.
    #[doc(hidden)]
    #[must_use]
    fn is_within(self, bound: f32) -> bool;

    /// Each coordinate squared.
    #[doc(hidden)]
    #[must_use]
    fn squared(self) -> Self;

    /// A unit vector across this one: a quarter turn counter-clockwise in 2D,
    /// [`perpendicular`](crate::perpendicular) in 3D.
    #[must_use]
    fn perpendicular(self) -> Self;

    /// A unit vector across this one and `other` in space; across this one alone in the plane, and
    /// where the two are on one line.
    #[doc(hidden)]
    #[must_use]
    fn perpendicular_to_both(self, other: Self) -> Self;

    /// The velocity of a point at this offset that turns with `spin`: the cross product
    /// `spin × self`.
    #[doc(hidden)]
    #[must_use]
    fn spun(self, spin: Spin<Self>) -> Self;

    /// Its part across the axis of a unit rotation vector: all of it in the plane.
    #[doc(hidden)]
    #[must_use]
    fn off_axis(self, axis: Spin<Self>) -> Self;

    /// The moment of a force at this offset: the cross product `self × force`.
    #[doc(hidden)]
    #[must_use]
    fn moment(self, force: Self) -> Spin<Self>;

    /// The coordinates of a vector and then of a rotation vector, in one list; zeros after them.
    #[doc(hidden)]
    #[must_use]
    fn flatten(self, spin: Spin<Self>) -> [f32; 6];

    /// Undoes [`Vector::flatten`].
    #[doc(hidden)]
    #[must_use]
    fn unflatten(list: [f32; 6]) -> (Self, Spin<Self>);

    /// The scalar product of two rotation vectors.
    #[doc(hidden)]
    #[must_use]
    fn spin_dot(a: Spin<Self>, b: Spin<Self>) -> f32;

    /// Rotation vectors about the axes: the first of the plane's three is its only one.
    #[doc(hidden)]
    const SPINS: [Spin<Self>; 3];

    /// Each coordinate brought into `[-half, half]`: the point of a box that is nearest to this
    /// one.
    #[doc(hidden)]
    #[must_use]
    fn clamped(self, half: Self) -> Self;

    /// The face of a box of half extents `half` that is nearest to a point inside it: the unit
    /// normal, and how deep below the face the point lies. The first axis wins a tie, and its
    /// positive side.
    #[doc(hidden)]
    #[must_use]
    fn nearest_face(self, half: Self) -> (Self, f32);

    /// The square of the length.
    #[inline]
    #[must_use]
    fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// The length.
    #[inline]
    #[must_use]
    fn length(self) -> f32 {
        math::sqrt(self.dot(self))
    }

    /// The distance to another point.
    #[inline]
    #[must_use]
    fn distance(self, other: Self) -> f32 {
        (self - other).length()
    }
}

/// What the solvers ask of a joint. Public only in name: nothing outside the crate can reach it.
pub trait Limits<V: Vector>: 'static {
    /// Turns freely.
    const FREE: &'static Self;

    fn check(&self) -> Result<(), Error>;

    /// Whether it turns freely, and as willingly as can be.
    fn is_free(&self) -> bool;

    /// The admissible rotation nearest to `local`.
    fn nearest(&self, local: V::Rotation) -> V::Rotation;

    /// How willingly it turns.
    fn weight(&self) -> f32;

    fn freedom(&self) -> Freedom<Spin<V>>;

    /// The angle from rest of a hinge's rotation relative to the parent.
    fn angle_of(&self, local: V::Rotation) -> f32;

    /// A hinge's rotation relative to the parent at an angle from rest.
    fn at(&self, angle: f32) -> V::Rotation;
}

/// What a joint may do: [`Joint2`](crate::Joint2) or [`Joint3`](crate::Joint3).
///
/// Sealed: it exists so that one solver serves both dimensions.
pub trait Joint<V: Vector>:
    Limits<V> + Turning<V> + Drawn<V> + Copy + Debug + Send + Sync + 'static
{
}

/// The unit vector along `v` and the length of `v`, whatever its size; `None` if it has none.
#[inline]
pub(crate) fn direction<V: Vector>(v: V) -> Option<(V, f32)> {
    let (along, size, length) = V::Packed::from(v).tame()?;
    Some(((along * (1.0 / size)).into(), length))
}

/// The unit vector along `v`; zero if it has no length.
pub(crate) fn unit_or_zero<V: Vector>(v: V) -> V {
    direction(v).map_or(V::ZERO, |(unit, _)| unit)
}

/// Between `a` at 0 and `b` at 1, exact at both ends.
#[inline]
pub(crate) fn lerp<V: Vector>(a: V, b: V, t: f32) -> V {
    a * (1.0 - t) + b * t
}
