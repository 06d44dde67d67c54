//! What a joint may do: a rest rotation, a limit measured from it, and a weight.
//!
//! A limit is a shape, and each shape a file: a range in the plane; a hinge, a cone, an ellipse,
//! yaw and pitch in space. What solvers make of joints is in `turn`, what is drawn of them in
//! `rim`.

mod clamp;
mod cone;
mod ellipse;
mod hinge;
mod joint2;
mod joint3;
mod range;
mod rim;
mod sector;
mod sight;
mod turn;
mod yaw_pitch;

pub use clamp::{clamp_joint_2d, clamp_joint_2d_soft, clamp_joint_3d, clamp_joint_3d_soft};
pub use joint2::Joint2;
pub use joint3::Joint3;
pub use range::Range;
pub use rim::{Drawn, Hand, Rim};
pub use sight::{Arm, Seen};
pub use turn::{AfterTurn, Effort, Turning};

pub(crate) use hinge::about;
pub(crate) use joint3::Limit3;
pub(crate) use turn::MIN_SQUARE;
#[cfg(feature = "lanes")]
pub(crate) use {
    cone::Cone,
    hinge::Hinge,
    sector::{Sector, TIE},
    turn::{BACK_OFFS, SHORT_OF_HALF, arc_with_care},
};

/// The ways in which a joint can turn from where it is.
#[derive(Clone, Copy, Debug)]
pub enum Freedom<S> {
    /// Turns about one axis, a unit rotation vector in the joint's own frame, within a range.
    Hinge(S, Range),
    /// Turns about any axis.
    Ball,
}

/// A rotation this close to its nearest admissible one, in radians, counts as admissible and
/// comes back bit for bit. Three times what rounding leaves of a clamped rotation, a tenth of
/// what the crate promises.
pub(crate) const INSIDE: f32 = 1e-6;
