//! What lets one solver serve 2D and 3D.

use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

use glam::{Quat, Vec2, Vec3, Vec3A};

use crate::error::{Error, Fault, check_range};
use crate::joint::{
    Arm, Effort, Freedom, Hand, Joint2, Joint3, Rim, bend_2d, bend_3d, bend_axis_2d, bend_axis_3d,
    edge_2d, edge_3d, free_2d, free_3d, hand_2d, hand_3d, turn_2d, turn_3d,
};
use crate::math;
use crate::packed::Packed;
use crate::rotation::{Rot2, Rotation, check_rotation, perpendicular, unit};

/// The largest magnitude of a coordinate, in the caller's unit of length.
///
/// The square of a length is the largest number that the solvers form; at this size a chain of a
/// million joints still has a finite one. Beyond it a coordinate is an error, not an overflow.
pub const MAX_COORDINATE: f32 = 1e12;

/// A rotation vector of the plane or of space.
pub type Spin<V> = <<V as Vector>::Rotation as Rotation>::Spin;

/// What the solvers ask of a joint. Public only in name: nothing outside the crate can reach it.
pub(crate) mod sealed {
    use super::{Arm, Effort, Error, Freedom, Hand, Rim, Vector};

    pub trait Sealed {}
    impl Sealed for glam::Vec2 {}
    impl Sealed for glam::Vec3 {}

    pub trait Limits<V: Vector> {
        /// Turns freely.
        const FREE: Self;

        fn check(&self) -> Result<(), Error>;

        /// Whether it turns freely, and as willingly as can be.
        fn is_free(&self) -> bool;

        /// The admissible rotation nearest to `local`.
        fn nearest(&self, local: V::Rotation) -> V::Rotation;

        /// How willingly it turns.
        fn weight(&self) -> f32;

        fn freedom(&self) -> Freedom<super::Spin<V>>;

        /// The angle from rest of a hinge's rotation relative to the parent.
        fn angle_of(&self, local: V::Rotation) -> f32;

        /// A hinge's rotation relative to the parent at an angle from rest.
        fn at(&self, angle: f32) -> V::Rotation;

        /// The rotation relative to the parent that brings the effector nearest to the target, and
        /// where the effector is then: from the joint, along the parent's axes.
        fn turn(&self, local: V::Rotation, arm: Arm<V>, effort: Effort) -> (V::Rotation, V);

        /// The same of a free joint and the whole turn.
        fn turn_freely(local: V::Rotation, arm: Arm<V::Packed>) -> (V::Rotation, V::Packed);

        /// What draws a rim of the joint, for a bone in its frame; `None` if nothing limits it.
        fn hand(&self, rim: Rim, bone: V) -> Option<Hand<V>>;

        /// The rotation relative to the parent at `t`, from 0 to 1, along a rim.
        fn edge(&self, rim: Rim, t: f32) -> V::Rotation;

        /// Whether it turns towards a target on every side: a hinge in space does not.
        fn aims(&self) -> bool;

        /// The axis, in the joint's own frame, about which it is bent.
        fn bend_axis(&self, arm: V) -> super::Spin<V>;

        /// The same as of [`Limits::turn`] for the joint turned by an angle about that axis, within
        /// its limits.
        fn bend(
            &self,
            local: V::Rotation,
            arm: V,
            turn: (super::Spin<V>, f32),
            effort: Effort,
        ) -> (V::Rotation, V);
    }
}

pub(crate) use sealed::Limits;

macro_rules! limits {
    ($joint:ty, $vector:ty, $rotation:ty, $turn:path, $free:path, $axis:path, $bend:path, $hand:path, $edge:path) => {
        impl Limits<$vector> for $joint {
            const FREE: Self = Self::FREE;

            #[inline]
            fn check(&self) -> Result<(), Error> {
                self.check()
            }

            fn is_free(&self) -> bool {
                self.is_free()
            }

            #[inline]
            fn nearest(&self, local: $rotation) -> $rotation {
                self.nearest(local, 0.0)
            }

            #[inline]
            fn weight(&self) -> f32 {
                self.weight()
            }

            #[inline]
            fn freedom(&self) -> Freedom<Spin<$vector>> {
                self.freedom()
            }

            #[inline]
            fn angle_of(&self, local: $rotation) -> f32 {
                self.angle_of(local)
            }

            #[inline]
            fn at(&self, angle: f32) -> $rotation {
                self.at(angle)
            }

            #[inline(always)]
            #[allow(clippy::inline_always)] // See `turn_3d`.
            fn turn(
                &self,
                local: $rotation,
                arm: Arm<$vector>,
                effort: Effort,
            ) -> ($rotation, $vector) {
                $turn(self, local, arm, effort)
            }

            #[inline(always)]
            #[allow(clippy::inline_always)] // See `turn_3d`.
            fn turn_freely(
                local: $rotation,
                arm: Arm<<$vector as Vector>::Packed>,
            ) -> ($rotation, <$vector as Vector>::Packed) {
                $free(local, arm, Effort::FULL)
            }

            fn aims(&self) -> bool {
                self.aims()
            }

            fn bend_axis(&self, arm: $vector) -> Spin<$vector> {
                $axis(self, arm)
            }

            #[inline]
            fn bend(
                &self,
                local: $rotation,
                arm: $vector,
                turn: (Spin<$vector>, f32),
                effort: Effort,
            ) -> ($rotation, $vector) {
                $bend(self, local, arm, turn, effort)
            }

            fn hand(&self, rim: Rim, bone: $vector) -> Option<Hand<$vector>> {
                $hand(self, rim, bone)
            }

            fn edge(&self, rim: Rim, t: f32) -> $rotation {
                $edge(self, rim, t)
            }
        }
    };
}

limits!(Joint2, Vec2, Rot2, turn_2d, free_2d, bend_axis_2d, bend_2d, hand_2d, edge_2d);
limits!(Joint3, Vec3, Quat, turn_3d, free_3d, bend_axis_3d, bend_3d, hand_3d, edge_3d);

/// A point or a direction of the plane ([`Vec2`]) or of space ([`Vec3`]).
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
    /// [`perpendicular`] in 3D.
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

    /// Each coordinate brought into `[-half, half]`: the point of a box that is nearest to this one.
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

/// Where something is and how it is turned, in a space of the caller's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: serde::Serialize, V::Rotation: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Rotation: serde::Deserialize<'de>"
    ))
)]
pub struct Pose<V: Vector> {
    /// Its origin.
    pub position: V,
    /// The turn from its own axes to those of the space.
    pub rotation: V::Rotation,
}

impl<V: Vector> Pose<V> {
    /// At `position`, turned by `rotation`.
    #[must_use]
    pub const fn new(position: V, rotation: V::Rotation) -> Self {
        Self { position, rotation }
    }

    pub(crate) fn check(&self, argument: &'static str) -> Result<(), Error> {
        check_vector(argument, self.position)?;
        check_rotation(argument, self.rotation)
    }
}

impl<V: Vector> Default for Pose<V> {
    /// At the origin, not turned.
    fn default() -> Self {
        Self { position: V::ZERO, rotation: V::Rotation::IDENTITY }
    }
}

/// A rigid motion from one pose to another.
#[derive(Clone, Copy)]
pub(crate) struct Motion<V: Vector> {
    from: V,
    to: V,
    pub(crate) turn: V::Rotation,
}

impl<V: Vector> Motion<V> {
    pub(crate) fn between(from: &Pose<V>, to: &Pose<V>) -> Self {
        let turn = (to.rotation * from.rotation.inverse()).normalized();
        Self { from: from.position, to: to.position, turn }
    }

    /// Where it takes a point. Relative to the pose, so that nothing is lost far from the origin.
    #[inline]
    pub(crate) fn point(&self, point: V) -> V {
        self.to + self.turn.rotate(point - self.from)
    }
}

/// What a joint may do: [`Joint2`] or [`Joint3`].
///
/// Sealed: it exists so that one solver serves both dimensions.
pub trait Joint<V: Vector>: Limits<V> + Copy + Debug + Send + Sync + 'static {}

impl Joint<Vec2> for Joint2 {}
impl Joint<Vec3> for Joint3 {}

impl Vector for Vec2 {
    type Rotation = Rot2;
    type Joint = Joint2;
    type Packed = Self;

    const DIMENSIONS: usize = 2;

    const ZERO: Self = Self::ZERO;

    #[inline]
    fn dot(self, other: Self) -> f32 {
        self.dot(other)
    }

    #[inline]
    fn largest(self) -> f32 {
        math::larger(self.x, self.y)
    }

    #[inline]
    fn extent(self) -> f32 {
        math::greater(self.x.abs(), self.y.abs())
    }

    #[inline]
    fn squared(self) -> Self {
        self * self
    }

    #[inline]
    fn is_within(self, bound: f32) -> bool {
        (self.x.abs() <= bound) & (self.y.abs() <= bound)
    }

    #[inline]
    fn spun(self, spin: f32) -> Self {
        Self::new(-self.y, self.x) * spin
    }

    #[inline]
    fn off_axis(self, _: f32) -> Self {
        self
    }

    #[inline]
    fn moment(self, force: Self) -> f32 {
        self.perp_dot(force)
    }

    const SPINS: [f32; 3] = [1.0, 0.0, 0.0];

    #[inline]
    fn spin_dot(a: f32, b: f32) -> f32 {
        a * b
    }

    #[inline]
    fn flatten(self, spin: f32) -> [f32; 6] {
        [self.x, self.y, spin, 0.0, 0.0, 0.0]
    }

    #[inline]
    fn unflatten([x, y, spin, ..]: [f32; 6]) -> (Self, f32) {
        (Self::new(x, y), spin)
    }

    #[inline]
    fn perpendicular(self) -> Self {
        let size = math::binade(self.abs().max_element());
        let v = Self::new(-self.y / size, self.x / size);
        let length = math::sqrt(v.dot(v));
        if length > 0.0 { v / length } else { Self::Y }
    }

    fn perpendicular_to_both(self, _other: Self) -> Self {
        self.perpendicular()
    }

    #[inline]
    fn clamped(self, half: Self) -> Self {
        self.max(-half).min(half)
    }

    #[inline]
    fn nearest_face(self, half: Self) -> (Self, f32) {
        let depth = half - self.abs();
        if depth.x <= depth.y {
            (Self::X * side(self.x), depth.x)
        } else {
            (Self::Y * side(self.y), depth.y)
        }
    }
}

impl Vector for Vec3 {
    type Rotation = Quat;
    type Joint = Joint3;
    type Packed = Vec3A;

    const DIMENSIONS: usize = 3;

    const ZERO: Self = Self::ZERO;

    #[inline]
    fn dot(self, other: Self) -> f32 {
        self.dot(other)
    }

    #[inline]
    fn largest(self) -> f32 {
        math::larger(math::larger(self.x, self.y), self.z)
    }

    #[inline]
    fn extent(self) -> f32 {
        math::greater(math::greater(self.x.abs(), self.y.abs()), self.z.abs())
    }

    #[inline]
    fn squared(self) -> Self {
        self * self
    }

    #[inline]
    fn is_within(self, bound: f32) -> bool {
        (self.x.abs() <= bound) & (self.y.abs() <= bound) & (self.z.abs() <= bound)
    }

    #[inline]
    fn spun(self, spin: Self) -> Self {
        spin.cross(self)
    }

    #[inline]
    fn off_axis(self, axis: Self) -> Self {
        self - axis * self.dot(axis)
    }

    #[inline]
    fn moment(self, force: Self) -> Self {
        self.cross(force)
    }

    const SPINS: [Self; 3] = [Self::X, Self::Y, Self::Z];

    #[inline]
    fn spin_dot(a: Self, b: Self) -> f32 {
        a.dot(b)
    }

    #[inline]
    fn flatten(self, spin: Self) -> [f32; 6] {
        [self.x, self.y, self.z, spin.x, spin.y, spin.z]
    }

    #[inline]
    fn unflatten([x, y, z, a, b, c]: [f32; 6]) -> (Self, Self) {
        (Self::new(x, y, z), Self::new(a, b, c))
    }

    #[inline]
    fn perpendicular(self) -> Self {
        perpendicular(self)
    }

    fn perpendicular_to_both(self, other: Self) -> Self {
        let (Some(a), Some(b)) = (unit(self), unit(other)) else { return perpendicular(self) };
        let cross = a.cross(b);
        // With sines below a thousandth, rounding has the say in the cross product's direction.
        if cross.dot(cross) > 1e-6 {
            unit(cross).unwrap_or_else(|| perpendicular(self))
        } else {
            perpendicular(self)
        }
    }

    #[inline]
    fn clamped(self, half: Self) -> Self {
        self.max(-half).min(half)
    }

    #[inline]
    fn nearest_face(self, half: Self) -> (Self, f32) {
        let depth = half - self.abs();
        if depth.x <= depth.y && depth.x <= depth.z {
            (Self::X * side(self.x), depth.x)
        } else if depth.y <= depth.z {
            (Self::Y * side(self.y), depth.y)
        } else {
            (Self::Z * side(self.z), depth.z)
        }
    }
}

/// Which side of zero: 1 or -1, and 1 for either zero.
#[inline]
fn side(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

/// The unit vector along `v` and the length of `v`, whatever its size; `None` if it has none.
#[inline]
pub(crate) fn direction<V: Vector>(v: V) -> Option<(V, f32)> {
    let (along, size, length) = V::Packed::from(v).tame()?;
    Some(((along * (1.0 / size)).into(), length))
}

/// Between `a` at 0 and `b` at 1, exact at both ends.
#[inline]
pub(crate) fn lerp<V: Vector>(a: V, b: V, t: f32) -> V {
    a * (1.0 - t) + b * t
}

/// `Ok` if every coordinate is finite and no larger than [`MAX_COORDINATE`].
#[inline]
pub(crate) fn check_vector<V: Vector>(argument: &'static str, v: V) -> Result<(), Error> {
    if v.is_within(MAX_COORDINATE) { Ok(()) } else { Err(size_error(argument, v.largest())) }
}

/// What is wrong with a size that is not at most [`MAX_COORDINATE`].
#[cold]
#[inline]
pub(crate) fn size_error(argument: &'static str, largest: f32) -> Error {
    Error::new(argument, if largest.is_finite() { Fault::TooLarge } else { Fault::NotFinite })
}

/// [`check_vector`] for every entry of a slice; the error says which.
#[inline]
pub(crate) fn check_vectors<V: Vector>(argument: &'static str, vs: &[V]) -> Result<(), Error> {
    // No coordinate is larger than the length, and NaN is not smaller than anything.
    const SAFE: f32 = 0.9 * MAX_COORDINATE;
    if vs.iter().all(|v| v.length_squared() < SAFE * SAFE) {
        return Ok(());
    }

    // All at once: whose fault it is may take its time.
    if vs.iter().fold(true, |sound, v| sound & v.is_within(MAX_COORDINATE)) {
        return Ok(());
    }
    first_error(argument, vs)
}

#[cold]
fn first_error<V: Vector>(argument: &'static str, vs: &[V]) -> Result<(), Error> {
    vs.iter().enumerate().try_for_each(|(i, v)| check_vector(argument, *v).map_err(|e| e.at(i)))
}

/// `Ok` if a slice has as many entries as its companion.
pub(crate) fn check_length(
    argument: &'static str,
    actual: usize,
    expected: usize,
) -> Result<(), Error> {
    if actual == expected {
        Ok(())
    } else {
        Err(Error::new(argument, Fault::Length { expected, actual }))
    }
}

/// Bounds of an inverse mass that is not zero: far beyond any material, and small enough that no
/// product of two of them overflows.
pub(crate) const INVERSE_MASSES: (f32, f32) = (1e-12, 1e12);

/// `Ok` if there is one inverse mass a particle, or none, and every one is 0 or of moderate size.
pub(crate) fn check_inverse_masses(
    argument: &'static str,
    inverse_masses: &[f32],
    particles: usize,
) -> Result<(), Error> {
    check_optional_length(argument, inverse_masses.len(), particles)?;
    inverse_masses.iter().enumerate().try_for_each(|(i, &w)| {
        let least = if w == 0.0 { 0.0 } else { INVERSE_MASSES.0 };
        check_range(argument, w, least, INVERSE_MASSES.1).map_err(|e| e.at(i))
    })
}

/// `Ok` if a slice is empty, or as long as its companion.
pub(crate) fn check_optional_length(
    argument: &'static str,
    actual: usize,
    expected: usize,
) -> Result<(), Error> {
    if actual == 0 { Ok(()) } else { check_length(argument, actual, expected) }
}

/// `Ok` with the unit vector along `v`, which may have any length but zero.
pub(crate) fn check_direction<V: Vector>(argument: &'static str, v: V) -> Result<V, Error> {
    if !v.largest().is_finite() {
        return Err(Error::new(argument, Fault::NotFinite));
    }
    direction(v).map(|(unit, _)| unit).ok_or(Error::new(argument, Fault::NoDirection))
}
