//! Particles and what holds them together: position-based dynamics on flat slices.
//!
//! A simulation is a loop of the caller's: [`verlet_step`] moves the particles, then
//! [`distance_constraints`], [`bend_constraints`] or [`chain_constraints`] and the colliders put
//! them where they may be, as often as the caller likes. The velocity of a particle is the
//! difference between its position and its previous one, so what moves a position moves the
//! velocity with it.
//!
//! Sources: Jakobsen (2001), "Advanced Character Physics"; Müller, Heidelberger, Hennix and
//! Ratcliff (2007), "Position Based Dynamics"; Macklin, Müller and Chentanez (2016), "XPBD:
//! Position-Based Simulation of Compliant Constrained Dynamics".

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
