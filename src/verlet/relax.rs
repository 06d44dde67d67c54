//! One solver for every constraint that holds the length of a weighted sum of positions.

use crate::check::{
    INVERSE_MASSES, MAX_COORDINATE, check_dt, check_each, check_inverse_masses, check_length,
    check_optional_length, check_range,
};
use crate::error::{Error, Fault};
use crate::math;
use crate::space::{Vector, check_vectors, direction};

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

/// How [`distance_constraints`](crate::distance_constraints) and
/// [`bend_constraints`](crate::bend_constraints) are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation<'a> {
    /// One inverse mass a particle, 0 for a particle that is pinned, otherwise in
    /// `[1e-12, 1e12]`. Empty: all are 1.
    pub inverse_masses: &'a [f32],
    /// How often the whole list is gone through. 0 only measures the residual.
    pub iterations: u32,
    /// Length of the step in seconds, in `[0, 1e6]`: what turns a compliance into give. Without a
    /// compliance it may be any; with one, hand over each step's own, which is
    /// [`VerletReport::relaxation_dt`](crate::VerletReport::relaxation_dt), drag and uneven steps
    /// included. The default is right at 60 Hz only: left alone at 30 Hz, a rope stretches four
    /// times as far, and at 240 Hz a sixteenth. With 0, constraints that have a compliance do
    /// nothing.
    pub dt: f32,
}

impl Default for Relaxation<'_> {
    /// All particles alike, eight iterations, a sixtieth of a second: with a compliance, name
    /// [`Relaxation::dt`].
    fn default() -> Self {
        Self { inverse_masses: &[], iterations: 8, dt: 1.0 / 60.0 }
    }
}

/// How well constraints hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct Residual {
    /// The largest violation, in the caller's unit of length, measured on the positions that
    /// are returned; a slack rope has none. For a constraint with compliance: what is missing to
    /// its equilibrium.
    pub largest: f32,
    /// The root of the mean square of all of them.
    pub rms: f32,
}

impl Residual {
    /// Of any number of violations.
    pub(super) fn of(violations: impl Iterator<Item = f32>) -> Self {
        // In f64, whose squares neither overflow nor vanish for any f32.
        let (mut largest, mut squares, mut count) = (0.0_f32, 0.0_f64, 0_usize);
        for violation in violations {
            largest = largest.max(violation.abs());
            squares += f64::from(violation) * f64::from(violation);
            count += 1;
        }
        Self::from_sums(largest, squares, count)
    }

    /// Of the largest of `count` violations, and the sum of their squares.
    pub(crate) fn from_sums(largest: f32, squares: f64, count: usize) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "no mean is above the largest")]
        let rms = math::sqrt_f64(squares / count.max(1) as f64) as f32;
        Self { largest, rms }
    }
}

/// What a kind of constraint on `N` particles is made of.
///
/// It measures the length of `Σ gᵢ xᵢ`, with shares that add up to 0: of the vector between two
/// particles, or of the way of a third from the middle of two. The length's gradient with respect
/// to particle i is then `gᵢ` times one unit vector, which keeps momentum, and angular momentum
/// too.
pub(crate) trait Constraint<const N: usize> {
    /// The shares.
    const SHARES: [f32; N];

    fn particles(&self) -> [usize; N];
    fn rest(&self) -> f32;
    fn compliance(&self) -> f32;
    fn hold(&self) -> Hold;
}

/// Gauss-Seidel over a list of constraints, in its order; checks everything first.
pub(super) fn relax<V: Vector, C: Constraint<N>, const N: usize>(
    positions: &mut [V],
    constraints: &[C],
    lambdas: &mut [f32],
    settings: &Relaxation<'_>,
) -> Result<Residual, Error> {
    check(positions, constraints, lambdas, settings)?;
    for _ in 0..settings.iterations {
        for (i, constraint) in constraints.iter().enumerate() {
            let lambda = lambdas.get(i).copied().unwrap_or(0.0);
            let Some(measured) = Measured::new(positions, constraint, lambda, settings.dt) else {
                continue;
            };
            let weights = constraint.particles().map(|p| inverse_mass(settings, p));
            let squares = weights.iter().zip(C::SHARES).map(|(w, share)| w * share * share);
            let step = measured.step(squares.sum());
            for ((p, w), share) in constraint.particles().iter().zip(weights).zip(C::SHARES) {
                if let Some(x) = positions.get_mut(*p) {
                    *x = *x + measured.along * (share * w * step);
                }
            }
            if let Some(kept) = lambdas.get_mut(i) {
                *kept = lambda + step;
            }
        }
    }
    let lambda = |i: usize| lambdas.get(i).copied().unwrap_or(0.0);
    Ok(Residual::of(constraints.iter().enumerate().filter_map(|(i, constraint)| {
        Some(Measured::new(positions, constraint, lambda(i), settings.dt)?.residual())
    })))
}

/// What one constraint has measured.
#[derive(Clone, Copy)]
struct Measured<V> {
    violation: f32,
    /// The direction of the vector that it measures; zero if it has none.
    along: V,
    /// The multiplier so far.
    lambda: f32,
    /// Compliance over the square of the step: the give for a unit multiplier.
    give: f32,
    hold: Hold,
}

impl<V: Vector> Measured<V> {
    /// `None` for a constraint that names one particle twice.
    #[inline]
    fn new<C: Constraint<N>, const N: usize>(
        positions: &[V],
        constraint: &C,
        lambda: f32,
        dt: f32,
    ) -> Option<Self> {
        let particles = constraint.particles();
        let first = *positions.get(*particles.first()?)?;
        let mut sum = V::ZERO;
        for (i, (p, share)) in particles.iter().zip(C::SHARES).enumerate() {
            if particles.iter().skip(i + 1).any(|other| other == p) {
                return None;
            }
            // Relative to one of them, so that nothing is lost far from the origin.
            sum = sum + (*positions.get(*p)? - first) * share;
        }
        let (along, length) = direction(sum).unwrap_or((V::ZERO, 0.0));
        let give = give(constraint.compliance(), dt);
        let violation = length - constraint.rest();
        Some(Self { violation, along, lambda, give, hold: constraint.hold() })
    }

    /// The change of the multiplier that XPBD makes, for the sum `weight` of the inverse masses
    /// as the constraint's shares count them. 0 where nothing can move.
    #[inline]
    fn step(&self, weight: f32) -> f32 {
        if weight <= 0.0 || !self.give.is_finite() || self.along == V::ZERO {
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
    fn residual(&self) -> f32 {
        let missing = self.violation + self.give * self.lambda;
        match self.hold {
            // A compliance that gives without end is at rest anywhere.
            _ if !missing.is_finite() => 0.0,
            // A slack rope has no violation, once it has stopped pulling; a rigid one, whatever it
            // has pulled.
            Hold::AtMost if self.lambda == 0.0 || self.give == 0.0 => missing.max(0.0),
            Hold::Exactly | Hold::AtMost => missing,
        }
    }
}

/// How far a constraint of this compliance gives for a unit multiplier, in a step of `dt` seconds.
#[inline]
pub(crate) fn give(compliance: f32, dt: f32) -> f32 {
    if compliance > 0.0 { compliance / (dt * dt) } else { 0.0 }
}

#[inline]
pub(crate) fn inverse_mass(settings: &Relaxation<'_>, index: usize) -> f32 {
    settings.inverse_masses.get(index).copied().unwrap_or(1.0)
}

fn check<V: Vector, C: Constraint<N>, const N: usize>(
    positions: &[V],
    constraints: &[C],
    lambdas: &[f32],
    settings: &Relaxation<'_>,
) -> Result<(), Error> {
    check_vectors("positions", positions)?;
    check_shape(positions.len(), constraints, lambdas.len(), settings)?;
    check_each(lambdas, |lambda| check_lambda(*lambda))
}

/// What does not move: the settings, the constraints, and how many there are of each.
pub(crate) fn check_shape<C: Constraint<N>, const N: usize>(
    positions: usize,
    constraints: &[C],
    lambdas: usize,
    settings: &Relaxation<'_>,
) -> Result<(), Error> {
    check_inverse_masses("settings.inverse_masses", settings.inverse_masses, positions)?;
    check_dt("settings.dt", settings.dt)?;
    check_each(constraints, |constraint| check_constraint(constraint, positions))?;
    if constraints.iter().any(|constraint| constraint.compliance() > 0.0) {
        check_length("lambdas", lambdas, constraints.len())
    } else {
        check_optional_length("lambdas", lambdas, constraints.len())
    }
}

pub(crate) fn check_lambda(lambda: f32) -> Result<(), Error> {
    if lambda.is_finite() { Ok(()) } else { Err(Error::new("lambdas", Fault::NotFinite)) }
}

fn check_constraint<C: Constraint<N>, const N: usize>(
    constraint: &C,
    positions: usize,
) -> Result<(), Error> {
    if constraint.particles().iter().any(|&p| p >= positions) {
        return Err(Error::new("constraints.particles", Fault::NoSuchEntry));
    }
    check_range("constraints.rest", constraint.rest(), 0.0, MAX_COORDINATE)?;
    check_range("constraints.compliance", constraint.compliance(), 0.0, INVERSE_MASSES.1)
}
