//! Aiming: a joint, or a chain of joints, turns so that an axis of the last one points at a target.

mod at_hand;
mod chain;
mod gaze;
mod joint;
mod lean;

use glam::{Vec2, Vec3};

pub use chain::aim_chain;
pub use gaze::Gaze;
pub use joint::aim;

/// How [`aim`] and [`aim_chain`] go about it.
///
/// The default aims +Z with +Y up in space, +X in the plane (unit vectors), by the whole turn
/// (`weight` 1.0, a share without a unit).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, bound(deserialize = "V: serde::Deserialize<'de>, AimSettings<V>: Default"))
)]
pub struct AimSettings<V = Vec3> {
    /// The axis that points at the target, in the frame of the joint, or of a chain's last joint;
    /// of any length but zero.
    pub forward: V,
    /// What becomes of the turn about that axis. The plane has no such turn.
    pub roll: Roll<V>,
    /// The share of the turn that is made, in `[0, 1]`, the short way round.
    pub weight: f32,
}

/// `forward` +Z, `roll` +Y up, `weight` 1: the whole turn.
impl Default for AimSettings<Vec3> {
    fn default() -> Self {
        Self { forward: Vec3::Z, roll: Roll::Up { local: Vec3::Y, hint: Vec3::Y }, weight: 1.0 }
    }
}

/// `forward` +X, `roll` least (the plane has none), `weight` 1: the whole turn.
impl Default for AimSettings<Vec2> {
    fn default() -> Self {
        Self { forward: Vec2::X, roll: Roll::Least, weight: 1.0 }
    }
}

/// What becomes of the turn about the axis that is aimed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Roll<V = Vec3> {
    /// Nothing: the axis goes to the target by the shortest arc.
    #[default]
    Least,
    /// An axis points up, as nearly as the aim lets it. Both of any length but zero.
    Up {
        /// The axis, in the joint's frame.
        local: V,
        /// Up, in the space that the joint is given in.
        hint: V,
    },
}

/// A gap of this many radians is what rounding leaves of an axis that points at its target.
const GAP_ROUNDING: f32 = 3e-7;
