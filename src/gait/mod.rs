//! Walking: feet that stand until they must step, groups of feet that take turns, and the body
//! above them.
//!
//! The order of a frame is: move the body ([`BodyMotion`] or the caller's own), place every
//! foot's home under it, let the feet follow ([`Gait`]), and carry the body at the height and
//! tilt that the feet give it ([`feet_plane`]). What happens within a frame, a foot that lifts or
//! lands between two frames, happens at its own time: homes are taken to move steadily from one
//! call to the next, so that the same walk comes out at any frame rate.

mod body;
mod ground;
mod schedule;
mod settings;
mod stance;
mod stepper;

pub use body::{BodyMotion, BodySettings};
pub use ground::Ground;
pub use schedule::{Gait, GaitReport};
pub use settings::StepSettings;
pub use stance::feet_plane;
pub use stepper::{Home, Stepper};
