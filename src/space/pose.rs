//! Poses, and the motion from one to another.

use super::{Vector, check_vector};
use crate::error::Error;
use crate::rotation::{Rotation, check_rotation};

/// Where something is and how it is turned, in a space of the caller's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
