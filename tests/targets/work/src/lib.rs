//! The work list: scenes through every public function of sinew, and a hash of every bit that
//! comes back.
//!
//! The scenes are drawn from a seed that the compiler does not know, and the slices' lengths and
//! the settings are hidden from it: what it builds is what a program with data of its own gets.
//! Some inputs are mistakes on purpose; the errors are hashed too.

#![no_std]

mod crowds;
mod curves;
mod gaits;
mod ik;
mod joints;
mod particles;
mod scene;
mod space;
mod time;

pub use crowds::*;
pub use curves::*;
pub use gaits::*;
pub use ik::*;
pub use joints::*;
pub use particles::*;
pub use scene::{Moment, Scene};
pub use time::*;

/// What the golden hashes are made from.
pub const SEED: u32 = 20_260_101;

/// A family's name and its work.
pub type Family = (&'static str, fn(&mut Scene));

/// Hands the names of all families to a macro.
#[macro_export]
macro_rules! families {
    ($then:ident) => {
        $then! {
            rotations joints_2d joints_3d chains_2d chains_3d
            ccd_2d ccd_3d fabrik_2d fabrik_3d fabrik_positions_2d fabrik_positions_3d
            least_squares_2d least_squares_3d two_bone_2d two_bone_3d
            aim_2d aim_3d aim_chain_2d aim_chain_3d align_pole outlines_2d outlines_3d
            damping springs fixed_steps curves_2d curves_3d easing
            verlet_2d verlet_3d constraints_2d constraints_3d colliders_2d colliders_3d
            spring_bones_2d spring_bones_3d wind_2d wind_3d gaits_2d gaits_3d
            crowd_time crowd_particles crowd_spring_bones
        }
    };
}

macro_rules! list {
    ($($family:ident)*) => {
        /// All families, in the order in which they are shown.
        pub const FAMILIES: &[Family] = &[$((stringify!($family), $family)),*];
    };
}
families!(list);
