//! Crowds: eight chains at once, a character a lane.
//!
//! The functions here are those of the crate's root for eight chains of equal shape: the same
//! names, arguments, checks, degenerate answers and reports, with [`Vec3x8`] in place of a vector
//! and [`Quatx8`] in place of a rotation. (Where the scalar returns the new value, as `damp` does,
//! the lanes write it in place, for their result tells what each lane comes to.) What is an entry a
//! joint there is an entry a joint here, and holds that joint of all eight (structure of arrays,
//! eight wide):
//!
//! ```
//! use sinew::glam::Vec3;
//! use sinew::lanes::Vec3x8;
//!
//! // Three joints of eight arms; lane 5's hand is moved.
//! let mut arms = [0.0, 1.0, 2.0].map(|y| Vec3x8::splat(Vec3::Y * y));
//! arms[2].set_lane(5, Vec3::new(0.0, 1.0, 1.0));
//! assert_eq!(arms[2].lane(5), Vec3::new(0.0, 1.0, 1.0));
//! ```
//!
//! | for | take |
//! |---|---|
//! | arms, legs, tails | [`ccd_solve`], [`fabrik_solve`], [`fabrik_positions`], [`two_bone_solve`] |
//! | time | [`damp`](damp()), [`damp_half_life`], [`damp_slice`], [`spring_step`], [`spring_slice`] |
//! | hair, ropes, cloth | [`spring_bone_step`], [`verlet_step`], [`distance_constraints`], [`chain_constraints`] |
//!
//! **The same answers.** A lane's answer is the scalar function's for that chain: bit for bit with
//! the feature `deterministic`, and on x86-64 as it is usually compiled. For ARM, or with fused
//! operations (the target feature `fma`, which `target-cpu=native` brings), glam rounds products of
//! rotations in other ways, and a lane is its scalar within the bound that its function states.
//!
//! **Each lane for itself.** A lane with a mistake in it gets its `Err` and keeps its slices as
//! they are; the others are solved. A lane that is done waits for the rest and does not move.
//!
//! **Ragged ends.** A crowd of 20 is three groups of eight; the last four lanes may hold anything.
//! With positions and targets at zero and rotations at [`Quatx8::IDENTITY`], which are their
//! defaults, they cost no iteration and hold no other lane up.

mod animated;
mod ccd;
mod chain;
mod check;
mod damp;
mod exact;
mod fabrik;
mod hinged_knee;
mod joint;
mod knee;
mod limb;
mod pair;
mod quat;
mod spring;
mod spring_bone;
mod turn;
mod two_bone;
mod vec3;
mod verlet;
mod wide;

pub use animated::AnimatedLanes;
pub use ccd::ccd_solve;
pub use damp::{damp, damp_half_life, damp_slice};
pub use fabrik::{fabrik_positions, fabrik_solve};
pub use quat::Quatx8;
pub use spring::{spring_slice, spring_step};
pub use spring_bone::{CenterSpace, Collider, SpringBones, SpringState, spring_bone_step};
pub use two_bone::two_bone_solve;
pub use vec3::Vec3x8;
pub use verlet::{chain_constraints, distance_constraints, verlet_step};
pub use wide::F32x8;

use crate::error::Error;

/// Lanes in a group.
pub const LANES: usize = 8;

/// What each lane comes to.
pub type Each<T> = [Result<T, Error>; LANES];
