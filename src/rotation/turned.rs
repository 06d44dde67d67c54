//! A turn that is handed on from bone to bone.

use super::Rotation;
use crate::packed::Packed;

/// A rotation twice: as the product that it has been made of, and brought to unit length.
///
/// To rotate a vector it takes the square of a product's length and no root: the bones of a chain,
/// which wait for one another, wait less.
#[derive(Clone, Copy, Debug)]
pub struct Turned<R: Rotation> {
    pub(crate) unit: R,
    product: R,
    /// The inverse of the square of the product's length, along each axis.
    per_squared: R::Packed,
}

impl<R: Rotation> Turned<R> {
    #[inline]
    pub(super) fn new(unit: R, product: R, per_squared: R::Packed) -> Self {
        Self { unit, product, per_squared }
    }

    #[inline]
    pub(crate) fn from_unit(unit: R) -> Self {
        Self::new(unit, unit, R::Packed::splat(1.0))
    }

    /// Turns a vector.
    #[inline]
    pub(crate) fn rotate(&self, vector: R::Packed) -> R::Packed {
        self.product.rotate_by(self.per_squared, vector)
    }
}
