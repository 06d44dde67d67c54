use crate::error::Error;
use crate::space::{Vector, direction};

use super::{Gauge, Hold, Measured, Relaxation, Residual, check_relaxation, give, inverse_mass};

/// Three particles in a row and how far the middle one lies off the line's middle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BendConstraint {
    /// Which three entries of `positions`; the second is the middle one.
    pub particles: [usize; 3],
    /// The rest deflection: the distance of the middle particle from the point halfway between
    /// its neighbours, in the caller's unit of length, in `[0, 1e12]`. 0 is straight (for
    /// neighbours at equal distances); two bones of length l at an angle of β between their
    /// directions have l·sin(β/2).
    pub rest: f32,
    /// How much it deflects for a unit of force, in `[0, 1e12]`. 0 is rigid.
    pub compliance: f32,
    /// Whether the deflection is kept, or only kept from growing beyond `rest`.
    pub hold: Hold,
}

impl BendConstraint {
    /// The constraint that keeps three particles bent as they are.
    ///
    /// ```
    /// use sinew::{BendConstraint, glam::Vec2};
    ///
    /// let bend = BendConstraint::between([0, 1, 2], [Vec2::ZERO, Vec2::ONE, Vec2::X * 2.0]);
    /// assert_eq!(bend.rest, 1.0);
    /// ```
    #[must_use]
    pub fn between<V: Vector>(particles: [usize; 3], positions: [V; 3]) -> Self {
        let [a, middle, b] = positions;
        Self { particles, rest: middle.distance((a + b) * 0.5), ..Self::default() }
    }
}

/// Moves particles so that rows of three keep their bend.
///
/// `positions` has one entry a particle; the constraints are gone through in their order,
/// `iterations` times, each using what the one before has moved (Gauss-Seidel). Momentum and
/// angular momentum are kept. A rigid constraint that is alone holds to rounding after one
/// iteration.
///
/// `lambdas` is as for [`distance_constraints`](crate::distance_constraints).
///
/// A middle particle exactly halfway between its neighbours has no direction to be bent in and
/// stays, and so does a row that is pinned; the residual tells. A row that names one particle
/// twice does nothing.
///
/// Source: Kelager, Niebe and Erleben (2010), "A Triangle Bending Constraint Model for
/// Position-Based Dynamics"; their distance from the triangle's centroid is two thirds of the
/// deflection.
///
/// # Errors
/// A particle that does not exist; slices of different lengths; `lambdas` empty where a constraint
/// has a compliance; a number that is not finite or out of its documented range.
///
/// ```
/// use sinew::{BendConstraint, Relaxation, bend_constraints, glam::Vec2};
///
/// let mut positions = [Vec2::ZERO, Vec2::new(1.0, 0.5), Vec2::new(2.0, 0.0)];
/// let straight = BendConstraint { particles: [0, 1, 2], ..Default::default() };
/// let once = Relaxation { iterations: 1, ..Default::default() };
/// let residual = bend_constraints(&mut positions, &[straight], &mut [], &once)?;
/// assert!(residual.largest < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn bend_constraints<V: Vector>(
    positions: &mut [V],
    constraints: &[BendConstraint],
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

/// How the deflection changes with each of the three particles.
const GRADIENT: [f32; 3] = [-0.5, 1.0, -0.5];

/// One constraint, once.
#[inline]
fn relax<V: Vector>(
    positions: &mut [V],
    constraint: &BendConstraint,
    lambda: &mut f32,
    settings: &Relaxation<'_>,
) {
    let Some((measured, Some(outwards))) = measure(positions, constraint, *lambda, settings) else {
        return;
    };
    let weights = constraint.particles.map(|p| inverse_mass(settings.inverse_masses, p));
    let step = measured.step(weights.iter().zip(GRADIENT).map(|(w, g)| w * g * g).sum());
    *lambda += step;
    for ((particle, weight), share) in constraint.particles.iter().zip(weights).zip(GRADIENT) {
        if let Some(x) = positions.get_mut(*particle) {
            *x = *x + outwards * (share * weight * step);
        }
    }
}

/// What a constraint measures, and the direction in which its middle particle deflects if there is
/// one. `None` for a row that names a particle twice.
#[inline]
fn measure<V: Vector>(
    positions: &[V],
    constraint: &BendConstraint,
    lambda: f32,
    settings: &Relaxation<'_>,
) -> Option<(Measured, Option<V>)> {
    let [first, middle, last] = constraint.particles;
    if first == middle || middle == last || first == last {
        return None;
    }
    let (&a, &m, &b) = (positions.get(first)?, positions.get(middle)?, positions.get(last)?);
    let offset = ((m - a) + (m - b)) * 0.5;
    let (outwards, size) = direction(offset).map_or((None, 0.0), |(d, size)| (Some(d), size));
    let violation = size - constraint.rest;
    let give = give(constraint.compliance, settings.dt);
    Some((Measured { violation, lambda, give, hold: constraint.hold }, outwards))
}
