//! Inverse kinematics: poses that bring a chain's effector to a target.

use glam::{Vec3, Vec3A};

use crate::error::Error;
use crate::space::check_vector;

mod aim;
pub(crate) mod ccd;
pub(crate) mod fabrik;
pub(crate) mod hinged_knee;
pub(crate) mod knee;
mod least_squares;
pub(crate) mod limb;
pub(crate) mod pair;
mod pole;
pub(crate) mod sweep;
pub(crate) mod two_bone;

pub use aim::{AimSettings, Gaze, Roll, aim, aim_chain};
pub use ccd::{CcdSettings, Order, ccd_solve};
pub use fabrik::{FabrikSettings, fabrik_positions, fabrik_solve};
pub use least_squares::{JointMemory, LeastSquaresSettings, least_squares_solve};
pub use pole::align_pole;
pub use two_bone::{Bend, Effector, Side, TwoBone, TwoBoneSettings, two_bone_solve};

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
    /// The iterations ran out while the chain was still getting nearer, or while
    /// [`least_squares_solve`] was still looking for a pose that is nearer.
    IterationLimit,
}

/// What a solver has done. The pose is in the slices.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether the target was reached"]
#[non_exhaustive]
pub struct Solution {
    /// Why it stopped.
    pub status: Status,
    /// How many iterations it used; 0 if the pose was good as it came.
    pub iterations: usize,
    /// From the effector to the target, computed from the positions that are returned.
    pub distance: f32,
    /// From the effector's rotation to the wanted one in radians, computed from the rotations that
    /// are returned; 0 where no rotation was asked for.
    pub angle: f32,
}

/// What [`aim`](aim()), [`aim_chain`] and [`align_pole`] have done. The pose is in the arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use = "the status says whether it points at the target"]
#[non_exhaustive]
pub struct Aimed {
    /// [`Status::Reached`] if the axis, or the bend, points where it should to 1e-5 rad,
    /// [`Status::Stalled`] if limits or weights keep it from that.
    pub status: Status,
    /// How many times the joints were gone through; 0 if the pose was good as it came.
    pub iterations: usize,
    /// What is left between the axis and the target, or about its line between the bend and the
    /// pole, in radians, computed from the pose that is returned.
    pub angle: f32,
}

impl Aimed {
    fn new(iterations: usize, angle: f32) -> Self {
        let status = if angle <= POINTED { Status::Reached } else { Status::Stalled };
        Self { status, iterations, angle }
    }
}

/// Closer than this, in radians, it points at the target: ten times what rounding leaves.
const POINTED: f32 = 1e-5;

/// What a bend points at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pole {
    /// Nothing. The bend of two bones stays in its plane, which turns by the shortest arc from the
    /// old line between root and effector to the new one.
    #[default]
    Keep,
    /// A point, in the space that the chain is given in.
    Point(Vec3),
    /// A direction in that space, of any length.
    Direction(Vec3),
}

impl Pole {
    fn check(&self, name: &'static str) -> Result<(), Error> {
        match self {
            Self::Keep => Ok(()),
            Self::Point(v) | Self::Direction(v) => check_vector(name, *v),
        }
    }

    /// From the root, of any length; `None` if there is none.
    #[inline]
    fn seen_from(&self, root: Vec3A) -> Option<Vec3A> {
        match self {
            Self::Keep => None,
            Self::Point(p) => Some(Vec3A::from(*p) - root),
            Self::Direction(d) => Some((*d).into()),
        }
    }
}
