//! The faces of a ball joint's limits that a step has met: what is left of its turn slides along
//! them.

use crate::math;
use crate::space::{Spin, Vector};

/// A face that a step has met already curves away from it by less than this share of how far the
/// step led beyond; more than that is another face.
const CURVED: f32 = 0.1;

/// What is less than this, in radians, is rounding and has no direction.
const ROUNDING: f32 = 1e-6;

/// At most two faces: where three meet nothing is left to slide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Faces<V: Vector> {
    /// Unit normals, the second across the first; zero where there is no face.
    normals: [Spin<V>; 2],
    /// The turn that brings the joint to them.
    pub(super) towards: Spin<V>,
}

impl<V: Vector> Faces<V> {
    /// What a turn does along the faces.
    #[inline]
    pub(super) fn along(&self, turn: Spin<V>) -> Spin<V> {
        let [first, second] = self.normals;
        let turn = turn - first * V::spin_dot(first, turn);
        turn - second * V::spin_dot(second, turn)
    }

    /// Meets another face: the wanted turn led beyond it by so much. Returns the face's normal,
    /// across the others', and how far the joint turns along it; `None` if there is no other.
    pub(super) fn meet(&mut self, wanted: Spin<V>, beyond: Spin<V>) -> Option<(Spin<V>, f32)> {
        let size = |turn| math::sqrt(V::spin_dot(turn, turn));
        let across = self.along(beyond);
        let least = (CURVED * size(beyond)).max(ROUNDING);
        let place = self.normals.iter_mut().find(|normal| **normal == Spin::<V>::default())?;
        if size(across) < least {
            return None;
        }
        let normal = across * (1.0 / size(across));
        // Back along the faces met before, not by the shortest way, which would lead off them.
        let depth = V::spin_dot(wanted, normal) - V::spin_dot(beyond, beyond) / size(across);
        *place = normal;
        self.towards = self.towards + normal * depth;
        Some((normal, depth))
    }
}
