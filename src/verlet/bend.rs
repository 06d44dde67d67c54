//! Constraints that hold the bend of three particles in a row.

use super::relax::{Constraint, Hold, Relaxation, Residual, relax};
use crate::error::Error;
use crate::space::{Vector, direction};

/// Three particles in a row and how far the middle one lies off the line's middle. By default rigid
/// (a compliance of 0) and straight (a rest deflection of 0), of particle 0 alone: name at least
/// `particles`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BendConstraint {
    /// Which three entries of `positions`; the second is the middle one.
    pub particles: [usize; 3],
    /// The rest deflection: the distance of the middle particle from the point halfway between
    /// its neighbours, in the caller's unit of length, in `[0, 1e12]`. 0 is straight (for
    /// neighbours at equal distances); two bones of length l at an angle of β between their
    /// directions have l·sin(β/2).
    #[cfg_attr(feature = "serde", serde(default))]
    pub rest: f32,
    /// How much it deflects for a unit of force, in `[0, 1e12]`. 0 is rigid.
    #[cfg_attr(feature = "serde", serde(default))]
    pub compliance: f32,
    /// Whether the deflection is kept, or only kept from growing beyond `rest`.
    #[cfg_attr(feature = "serde", serde(default))]
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
        let rest = direction(middle - (a + b) * 0.5).map_or(0.0, |(_, length)| length);
        Self { particles, rest, ..Self::default() }
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
    relax(positions, constraints, lambdas, settings)
}

impl Constraint<3> for BendConstraint {
    const SHARES: [f32; 3] = [-0.5, 1.0, -0.5];

    fn particles(&self) -> [usize; 3] {
        self.particles
    }

    fn rest(&self) -> f32 {
        self.rest
    }

    fn compliance(&self) -> f32 {
        self.compliance
    }

    fn hold(&self) -> Hold {
        self.hold
    }
}
