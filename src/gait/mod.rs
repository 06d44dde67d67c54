//! Walking: feet that stand until they must step, groups of feet that take turns, and the body
//! above them.

mod body;
mod schedule;
mod stepper;

pub use body::{BodyMotion, BodySettings, feet_plane};
pub use schedule::{Gait, GaitReport};
pub use stepper::{Ground, Home, StepSettings, Stepper};
