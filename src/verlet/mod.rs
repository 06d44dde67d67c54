//! Particles and what holds them together: position-based dynamics on flat slices.

mod bend;
pub(crate) mod chain;
mod distance;
pub(crate) mod relax;
mod step;

pub use bend::{BendConstraint, bend_constraints};
pub use chain::{chain_constraints, chain_residual};
pub use distance::{DistanceConstraint, distance_constraints};
pub use relax::{Hold, Relaxation, Residual};
pub use step::{Verlet, VerletReport, drag_from_half_life, verlet_step};
