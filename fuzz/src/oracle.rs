//! What must hold of any answer, worked out in double precision.

use core::fmt::Debug;

use glam::{DQuat, DVec3};
use sinew::glam::{Quat, Vec3};
use sinew::{Error, Rotation, Vector};

/// The unit vector along `v`, of any length.
#[must_use]
pub fn direction(v: Vec3) -> Option<DVec3> {
    v.as_dvec3().try_normalize()
}

/// The angle between two unit vectors, accurate at both ends.
#[must_use]
pub fn angle_between(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

/// The angle between two rotations, accurate at both ends.
#[must_use]
pub fn gap(a: DQuat, b: DQuat) -> f64 {
    let d = a.conjugate() * b;
    2.0 * d.xyz().length().atan2(d.w.abs())
}

/// Asserts that a rotation is of unit length, to rounding.
///
/// # Panics
/// If it is not.
pub fn assert_unit(q: Quat) {
    let length = q.as_dquat().length();
    assert!((length - 1.0).abs() < 1e-6, "{q:?} has length {length}");
}

/// Calls something that may refuse `state`.
///
/// # Panics
/// If it refuses and has changed a bit.
pub fn attempt<S: Clone + Debug, T>(
    state: &mut S,
    call: impl FnOnce(&mut S) -> Result<T, Error>,
) -> Option<T> {
    let before = state.clone();
    match call(state) {
        Ok(answer) => Some(answer),
        Err(error) => {
            assert_same_bits(state, &before, &error);
            None
        }
    }
}

/// # Panics
/// If a bit differs.
pub fn assert_same_bits<T: Debug>(a: &T, b: &T, why: &dyn Debug) {
    // The shortest decimal of a float tells all bits apart, but for those of a NaN.
    assert_eq!(format!("{a:?}"), format!("{b:?}"), "{why:?}");
}

/// A chain's world poses.
#[derive(Clone, Debug)]
pub struct Chain<V: Vector> {
    /// Root first, effector last.
    pub positions: Vec<V>,
    /// One for each position.
    pub rotations: Vec<V::Rotation>,
}

impl<V: Vector> Chain<V> {
    /// The sum of the bones.
    #[must_use]
    pub fn reach(&self) -> f32 {
        self.bones().sum()
    }

    /// The largest coordinate.
    #[must_use]
    pub fn size(&self) -> f32 {
        let bones: f32 = self.bones().sum();
        self.positions.iter().map(|p| p.largest()).fold(bones, f32::max)
    }

    fn bones(&self) -> impl Iterator<Item = f32> {
        self.positions.windows(2).map(|ends| ends[0].distance(ends[1]))
    }

    /// Whether all its numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.positions.iter().all(|p| p.largest().is_finite())
            && self.rotations.iter().all(|r| r.norm_squared().is_finite())
    }

    /// # Panics
    /// If a bone's length is off by more than this share of itself and `slack`.
    pub fn assert_lengths(&self, before: &Self, share: f32, slack: f32) {
        for (is, was) in self.bones().zip(before.bones()) {
            assert!((is - was).abs() <= share * was + slack, "a bone of {was} became {is}");
        }
    }

    /// # Panics
    /// If a position differs by more than `slack`.
    pub fn assert_near(&self, other: &Self, slack: f32) {
        for (a, b) in self.positions.iter().zip(&other.positions) {
            assert!(a.distance(*b) <= slack, "{a:?} became {b:?}");
        }
    }
}
