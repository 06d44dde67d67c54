//! Inverse kinematics: poses that bring a chain's effector to a target.

mod aim;
mod ccd;
mod limb;
mod two_bone;

pub use aim::{AimSettings, Aimed, Gaze, Roll, aim, aim_chain};
pub use ccd::{CcdSettings, Order, ccd_solve};
pub use two_bone::{Bend, Effector, Pole, Side, TwoBone, TwoBoneSettings, two_bone_solve};

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// The goal is met within the tolerance.
    Reached,
    /// No pose of these bone lengths gets there: the target is beyond the longest reach, or nearer
    /// than the shortest.
    Unreachable,
    /// The limits, the weights or a dead point hold the chain where it is.
    Stalled,
    /// The iterations ran out while the chain was still getting nearer.
    IterationLimit,
}

/// What a solver has done. The pose is in the slices.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the target was reached"]
pub struct Solution {
    /// Why it stopped.
    pub status: Status,
    /// How many iterations it used; 0 if the pose was good as it came.
    pub iterations: usize,
    /// From the effector to the target, computed from the positions that are returned.
    pub distance: f32,
}
