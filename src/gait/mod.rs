//! Walking: feet that stand until they must step, groups of feet that take turns, and the body
//! above them.

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
