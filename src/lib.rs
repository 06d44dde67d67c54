//! Procedural animation on flat slices.
//!
//! Imports point one way:
//! `math, error` ← `rotation` ← `joint` ← `space` ← everything else.

#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("sinew needs elementary functions: enable its feature `std` or `libm`");

pub use glam;

mod error;
mod math;
mod rotation;
mod space;

pub use error::{Error, Fault};
pub use rotation::{
    Rot2, Rotation, clamp_angle, look_rotation, perpendicular, rotate_towards, shortest_arc_2d,
    shortest_arc_3d, signed_angle_2d, signed_angle_3d, swing_twist, wrap_angle,
};
pub use space::{MAX_COORDINATE, Vector};
