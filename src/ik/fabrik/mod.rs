//! Forward and backward reaching: positions are dragged along the bones, from the target to the
//! root and back again.
//!
//! Aristidou and Lasenby (2011), "FABRIK: A fast, iterative solver for the Inverse Kinematics
//! problem". Two things are added: after each iteration the chain is drawn taut, or slack, and
//! turned, so that it ends at its target, where the method alone needs tens of iterations, and
//! thousands at full reach; and chains that lie straight on the line to their target are bowed
//! first.

mod bow;
pub(crate) mod points;
pub(crate) mod pose;
pub(crate) mod taut;

use crate::check::check_range;
use crate::error::Error;

pub use points::fabrik_positions;
pub use pose::fabrik_solve;

/// How [`fabrik_solve`] and [`fabrik_positions`] go about it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct FabrikSettings {
    /// The most iterations, each there and back. 0 only brings the pose inside its limits.
    pub max_iterations: usize,
    /// How near to the target is near enough, as a share of the chain's longest reach; at least 0.
    pub tolerance: f32,
}

impl Default for FabrikSettings {
    /// 32 iterations, to a thousandth of the reach.
    fn default() -> Self {
        Self { max_iterations: 32, tolerance: 1e-3 }
    }
}

impl FabrikSettings {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_range("settings.tolerance", self.tolerance, 0.0, f32::MAX)
    }
}

/// A chain whose joints are all within this share of the reach from the line to the target has no
/// plane to bend in.
pub(crate) const FLAT: f32 = 1e-3;

/// An iteration that leaves more than this share of the gap is slow. A chain that is nearly flat
/// may have come to lie on the line on the way, and is bowed then.
pub(crate) const SLOW_LEFT: f32 = 0.9;
pub(crate) const NEARLY_FLAT: f32 = 0.1;
