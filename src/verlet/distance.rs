use crate::error::Error;
use crate::space::{Vector, direction};

use super::{Gauge, Hold, Measured, Relaxation, Residual, check_relaxation, give, inverse_mass};

/// Two particles and the distance between them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DistanceConstraint {
    /// Which two entries of `positions`.
    pub particles: [usize; 2],
    /// The rest length, in the caller's unit of length, in `[0, 1e12]`.
    pub rest: f32,
    /// How much longer it gets for a unit of force: length over force, the inverse of a spring's
    /// stiffness, in `[0, 1e12]`. 0 is rigid.
    pub compliance: f32,
    /// A rod or a rope.
    pub hold: Hold,
}

/// Moves particles so that pairs of them keep their distance.
///
/// `positions` has one entry a particle; the constraints are gone through in their order,
/// `iterations` times, each using what the one before has moved (Gauss-Seidel). Momentum is kept:
/// the two ends move in proportion to their inverse masses. A rigid constraint that is alone holds
/// to rounding after one iteration.
///
/// `lambdas` has one entry a constraint, which the caller sets to zero at the beginning of each
/// step and leaves alone between several calls within one step; after the last, `lambda / dt²` is
/// the force in the constraint, negative where it pulls. It may be empty if no constraint has a
/// compliance.
///
/// Two particles in one place have no direction to move in and are left there, and so are two
/// that are pinned; the residual tells. A constraint between a particle and itself does nothing.
///
/// Source: Macklin, Müller and Chentanez (2016), "XPBD", eqs. 17 and 18; for a rope the multiplier
/// is kept from pushing, as in projected Gauss-Seidel.
///
/// # Errors
/// A particle that does not exist; slices of different lengths; `lambdas` empty where a constraint
/// has a compliance; a number that is not finite or out of its documented range.
///
/// ```
/// use sinew::{DistanceConstraint, Relaxation, distance_constraints, glam::Vec2};
///
/// let mut positions = [Vec2::ZERO, Vec2::new(3.0, 0.0)];
/// let rod = DistanceConstraint { particles: [0, 1], rest: 1.0, ..Default::default() };
/// let pinned = Relaxation { inverse_masses: &[0.0, 1.0], iterations: 1, ..Default::default() };
/// let residual = distance_constraints(&mut positions, &[rod], &mut [], &pinned)?;
/// assert_eq!(positions, [Vec2::ZERO, Vec2::X]);
/// assert_eq!(residual.largest, 0.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn distance_constraints<V: Vector>(
    positions: &mut [V],
    constraints: &[DistanceConstraint],
    lambdas: &mut [f32],
    settings: &Relaxation<'_>,
) -> Result<Residual, Error> {
    check_relaxation(positions, constraints, lambdas, settings, |c| {
        (c.particles, c.rest, c.compliance)
    })?;
    for _ in 0..settings.iterations {
        for (i, constraint) in constraints.iter().enumerate() {
            let mut lambda = lambdas.get(i).copied().unwrap_or(0.0);
            relax(positions, constraint, &mut lambda, settings);
            if let Some(kept) = lambdas.get_mut(i) {
                *kept = lambda;
            }
        }
    }
    let mut gauge = Gauge::default();
    for (i, constraint) in constraints.iter().enumerate() {
        let lambda = lambdas.get(i).copied().unwrap_or(0.0);
        if let Some((measured, _)) = measure(positions, constraint, lambda, settings) {
            gauge.add(measured.residual());
        }
    }
    Ok(gauge.residual())
}

/// One constraint, once.
#[inline]
fn relax<V: Vector>(
    positions: &mut [V],
    constraint: &DistanceConstraint,
    lambda: &mut f32,
    settings: &Relaxation<'_>,
) {
    let Some((measured, Some(along))) = measure(positions, constraint, *lambda, settings) else {
        return;
    };
    let weights = constraint.particles.map(|p| inverse_mass(settings.inverse_masses, p));
    let step = measured.step(weights.iter().sum());
    *lambda += step;
    for ((particle, weight), sign) in constraint.particles.iter().zip(weights).zip([-1.0, 1.0]) {
        if let Some(x) = positions.get_mut(*particle) {
            *x = *x + along * (sign * weight * step);
        }
    }
}

/// What a constraint measures, and the direction from its first to its second particle if there is
/// one. `None` for a constraint between a particle and itself.
#[inline]
fn measure<V: Vector>(
    positions: &[V],
    constraint: &DistanceConstraint,
    lambda: f32,
    settings: &Relaxation<'_>,
) -> Option<(Measured, Option<V>)> {
    let [first, second] = constraint.particles;
    if first == second {
        return None;
    }
    let (&a, &b) = (positions.get(first)?, positions.get(second)?);
    let (along, length) = direction(b - a).map_or((None, 0.0), |(d, length)| (Some(d), length));
    let violation = length - constraint.rest;
    let give = give(constraint.compliance, settings.dt);
    Some((Measured { violation, lambda, give, hold: constraint.hold }, along))
}
