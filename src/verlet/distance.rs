//! Constraints that hold the distance of two particles: ropes, cloth, rods.

use super::relax::{Constraint, Hold, Relaxation, Residual, relax};
use crate::error::Error;
use crate::space::Vector;

/// Two particles and the distance between them. By default a rigid rod (a compliance of 0) of no
/// length between particle 0 and itself: name at least `particles` and `rest`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DistanceConstraint {
    /// Which two entries of `positions`.
    pub particles: [usize; 2],
    /// The rest length, in the caller's unit of length, in `[0, 1e12]`.
    pub rest: f32,
    /// How much longer it gets for a unit of force: length over force, the inverse of a spring's
    /// stiffness, in `[0, 1e12]`. 0 is rigid.
    #[cfg_attr(feature = "serde", serde(default))]
    pub compliance: f32,
    /// A rod or a rope.
    #[cfg_attr(feature = "serde", serde(default))]
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
///
/// With a compliance, the step's own time: 1 kg on 1 mm per newton hangs 9.81 mm lower, at any
/// rate.
///
/// ```
/// use sinew::glam::Vec2;
/// use sinew::{DistanceConstraint, Relaxation, Verlet, distance_constraints, verlet_step};
///
/// let rope = DistanceConstraint {
///     particles: [0, 1],
///     rest: 1.0,
///     compliance: 1e-3,
///     ..Default::default()
/// };
/// let masses = [0.0, 1.0];
/// let acceleration = Vec2::NEG_Y * 9.81;
/// let fall = Verlet { acceleration, inverse_masses: &masses, drag: 5.0, ..Default::default() };
/// let mut positions = [Vec2::ZERO, Vec2::NEG_Y];
/// let mut previous = positions;
/// for _ in 0..120 {
///     let step = verlet_step(&mut positions, &mut previous, &fall, 1.0 / 30.0)?;
///     let dt = step.relaxation_dt;
///     let settings = Relaxation { inverse_masses: &masses, dt, ..Default::default() };
///     let _ = distance_constraints(&mut positions, &[rope], &mut [0.0], &settings)?;
/// }
/// assert!((positions[1].y + 1.00981).abs() < 1e-5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn distance_constraints<V: Vector>(
    positions: &mut [V],
    constraints: &[DistanceConstraint],
    lambdas: &mut [f32],
    settings: &Relaxation<'_>,
) -> Result<Residual, Error> {
    relax(positions, constraints, lambdas, settings)
}

impl Constraint<2> for DistanceConstraint {
    const SHARES: [f32; 2] = [-1.0, 1.0];

    fn particles(&self) -> [usize; 2] {
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
