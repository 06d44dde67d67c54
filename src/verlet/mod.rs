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
mod chain;
mod distance;
mod step;

pub use bend::{BendConstraint, bend_constraints};
pub use chain::{chain_constraints, chain_residual};
pub use distance::{DistanceConstraint, distance_constraints};
pub use step::{Verlet, VerletReport, drag_from_half_life, verlet_step};

use crate::error::{Error, Fault, check_range};
use crate::fixed_steps::check_dt;
use crate::space::{MAX_COORDINATE, Vector, check_length, check_optional_length, check_vectors};

/// Bounds of an inverse mass that is not zero, and of a compliance: far beyond any material, and
/// small enough that no product of two of them overflows.
const MAX_RATIO: f32 = 1e12;
const MIN_RATIO: f32 = 1e-12;

/// How a constraint holds the length that it measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Hold {
    /// It is the rest length: a rod.
    #[default]
    Exactly,
    /// It is the rest length or less: a rope, which cannot push.
    AtMost,
}

/// How [`distance_constraints`] and [`bend_constraints`] are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation<'a> {
    /// One inverse mass a particle, 0 for a particle that is pinned, otherwise in
    /// `[1e-12, 1e12]`. Empty: all are 1.
    pub inverse_masses: &'a [f32],
    /// How often the whole list is gone through. 0 only measures the residual.
    pub iterations: u32,
    /// Length of the step in seconds, in `[0, 1e6]`: what turns a compliance into give. With drag or
    /// uneven steps, [`VerletReport::relaxation_dt`] is the exact one. With 0, constraints that have
    /// a compliance do nothing.
    pub dt: f32,
}

impl Default for Relaxation<'_> {
    /// All particles alike, eight iterations, a sixtieth of a second.
    fn default() -> Self {
        Self { inverse_masses: &[], iterations: 8, dt: 1.0 / 60.0 }
    }
}

/// How well the constraints hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
pub struct Residual {
    /// The largest violation, in the caller's unit of length, measured on the positions that
    /// are returned. For a constraint with compliance: what is missing to its equilibrium.
    pub largest: f32,
    /// The root of the mean square of all of them.
    pub rms: f32,
}

/// Gathers a [`Residual`], one constraint at a time.
#[derive(Default)]
struct Gauge {
    largest: f32,
    squares: f32,
    count: usize,
}

impl Gauge {
    fn add(&mut self, violation: f32) {
        self.largest = self.largest.max(violation.abs());
        self.squares += violation * violation;
        self.count += 1;
    }

    fn residual(&self) -> Residual {
        let mean = self.squares / self.count.max(1) as f32;
        Residual { largest: self.largest, rms: crate::math::sqrt(mean) }
    }
}

/// What one constraint has measured: by how much it is violated, and the multiplier so far.
#[derive(Clone, Copy)]
struct Measured {
    violation: f32,
    lambda: f32,
    /// Compliance over the square of the step: the give for a unit multiplier.
    give: f32,
    hold: Hold,
}

impl Measured {
    /// The change of the multiplier that XPBD makes, for the sum `weight` of the inverse masses
    /// as the constraint's gradient counts them. 0 where nothing can move.
    fn step(self, weight: f32) -> f32 {
        if weight <= 0.0 || !self.give.is_finite() {
            return 0.0;
        }
        let step = (-self.violation - self.give * self.lambda) / (weight + self.give);
        // A rope's multiplier only ever pulls.
        let step = match self.hold {
            Hold::Exactly => step,
            Hold::AtMost => (self.lambda + step).min(0.0) - self.lambda,
        };
        // A caller's stale multiplier may be anything; its step must stay a length.
        if step.abs() * weight <= MAX_COORDINATE { step } else { 0.0 }
    }

    /// What is missing to the constraint's equilibrium.
    fn residual(self) -> f32 {
        let missing = self.violation + self.give * self.lambda;
        match self.hold {
            // A compliance that gives without end is at rest anywhere.
            _ if !missing.is_finite() => 0.0,
            // A slack rope has no violation, once it has stopped pulling.
            Hold::AtMost if self.lambda == 0.0 => missing.max(0.0),
            Hold::Exactly | Hold::AtMost => missing,
        }
    }
}

/// Compliance as it acts within a step of `dt` seconds.
fn give(compliance: f32, dt: f32) -> f32 {
    if compliance > 0.0 { compliance / (dt * dt) } else { 0.0 }
}

/// Entry `index` of an optional slice of inverse masses.
#[inline]
fn inverse_mass(inverse_masses: &[f32], index: usize) -> f32 {
    inverse_masses.get(index).copied().unwrap_or(1.0)
}

/// `Ok` if every inverse mass is 0 or of moderate size.
pub(crate) fn check_inverse_masses(inverse_masses: &[f32], particles: usize) -> Result<(), Error> {
    const NAME: &str = "inverse_masses";
    check_optional_length(NAME, inverse_masses.len(), particles)?;
    inverse_masses.iter().enumerate().try_for_each(|(i, &w)| {
        let least = if w == 0.0 { 0.0 } else { MIN_RATIO };
        check_range(NAME, w, least, MAX_RATIO).map_err(|e| e.at(i))
    })
}

/// Everything that [`distance_constraints`] and [`bend_constraints`] share of a check; what a
/// constraint is made of, `parts` tells: its particles, rest length and compliance.
fn check_relaxation<V: Vector, C, const N: usize>(
    positions: &[V],
    constraints: &[C],
    lambdas: &[f32],
    settings: &Relaxation<'_>,
    parts: impl Fn(&C) -> ([usize; N], f32, f32),
) -> Result<(), Error> {
    check_vectors("positions", positions)?;
    check_inverse_masses(settings.inverse_masses, positions.len())?;
    check_dt("settings.dt", settings.dt)?;
    let mut gives = false;
    for (i, constraint) in constraints.iter().enumerate() {
        let (particles, rest, compliance) = parts(constraint);
        if particles.iter().any(|&p| p >= positions.len()) {
            return Err(Error::new("constraints.particles", Fault::NoSuchEntry).at(i));
        }
        check_range("constraints.rest", rest, 0.0, MAX_COORDINATE).map_err(|e| e.at(i))?;
        check_range("constraints.compliance", compliance, 0.0, MAX_RATIO).map_err(|e| e.at(i))?;
        gives |= compliance > 0.0;
    }
    if gives {
        check_length("lambdas", lambdas.len(), constraints.len())?;
    } else {
        check_optional_length("lambdas", lambdas.len(), constraints.len())?;
    }
    lambdas.iter().enumerate().try_for_each(|(i, &lambda)| {
        if lambda.is_finite() { Ok(()) } else { Err(Error::new("lambdas", Fault::NotFinite).at(i)) }
    })
}
