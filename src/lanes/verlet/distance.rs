//! [`distance_constraints`](crate::distance_constraints) by lanes.

use super::Sums;
use crate::check::{MAX_COORDINATE, check_each};
use crate::lanes::check::Checks;
use crate::lanes::wide::{F32x8, Mask};
use crate::lanes::{Each, Vec3x8};
use crate::verlet::relax::{check_lambda, check_shape, give, inverse_mass};
use crate::verlet::{DistanceConstraint, Hold, Relaxation, Residual};

/// [`distance_constraints`](crate::distance_constraints) in each lane.
///
/// The constraints, and with them the rest lengths, are shared, and so are masses, iterations and
/// time; positions and multipliers are a lane's own. Characters of several sizes go into groups, or
/// are measured in a unit of their own size. Each lane is the scalar's bit for bit, whatever the
/// features.
///
/// # Errors
/// In a lane as for the scalar; its slices are then as they were.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, distance_constraints};
/// use sinew::{DistanceConstraint, Relaxation};
///
/// let mut positions = [Vec3x8::ZERO, Vec3x8::splat(Vec3::X * 3.0)];
/// let rod = DistanceConstraint { particles: [0, 1], rest: 1.0, ..Default::default() };
/// let pinned = Relaxation { inverse_masses: &[0.0, 1.0], iterations: 1, ..Default::default() };
/// let each = distance_constraints(&mut positions, &[rod], &mut [], &pinned);
/// assert_eq!(each[6]?.largest, 0.0);
/// assert_eq!(positions[1].lane(6), Vec3::X);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn distance_constraints(
    positions: &mut [Vec3x8],
    constraints: &[DistanceConstraint],
    lambdas: &mut [F32x8],
    settings: &Relaxation<'_>,
) -> Each<Residual> {
    let mut checks = Checks::new();
    checks.vectors("positions", positions);
    checks.shared(check_shape(positions.len(), constraints, lambdas.len(), settings));
    let pass = lambdas.iter().fold(Mask::every(), |pass, x| pass & x.is_finite());
    checks.lanes(pass, |lane| check_each(lambdas.iter(), |x| check_lambda(x.lane(lane))));
    if !checks.good().any() {
        return checks.each(|_| Residual::default());
    }
    let pen = checks.pen();
    for _ in 0..settings.iterations {
        for (i, constraint) in constraints.iter().enumerate() {
            let lambda = lambdas.get(i).copied().unwrap_or(F32x8::ZERO);
            let Some(measured) = Measured::new(positions, constraint, lambda, settings.dt) else {
                continue;
            };
            let weights = constraint.particles.map(|p| inverse_mass(settings, p));
            let [first, second] = weights;
            let step = measured.step(first + second);
            for ((p, w), share) in constraint.particles.iter().zip(weights).zip([-1.0, 1.0]) {
                if let Some(x) = positions.get_mut(*p) {
                    pen.put(*x + measured.along * (step * (share * w)), x);
                }
            }
            if let Some(kept) = lambdas.get_mut(i) {
                pen.put(lambda + step, kept);
            }
        }
    }
    let lambda = |i: usize| lambdas.get(i).copied().unwrap_or(F32x8::ZERO);
    let mut sums = Sums::default();
    for (i, constraint) in constraints.iter().enumerate() {
        if let Some(measured) = Measured::new(positions, constraint, lambda(i), settings.dt) {
            sums.add(measured.residual());
        }
    }
    checks.each(|lane| sums.residual(lane))
}

/// As the scalar's, for two particles.
#[derive(Clone, Copy)]
struct Measured {
    violation: F32x8,
    along: Vec3x8,
    /// Where there is a direction.
    apart: Mask,
    lambda: F32x8,
    give: f32,
    hold: Hold,
}

impl Measured {
    #[inline]
    fn new(
        positions: &[Vec3x8],
        constraint: &DistanceConstraint,
        lambda: F32x8,
        dt: f32,
    ) -> Option<Self> {
        let [a, b] = constraint.particles;
        if a == b {
            return None;
        }
        // Plus zero, as in the scalar's sum: it turns -0 to 0.
        let way = Vec3x8::ZERO + (*positions.get(b)? - *positions.get(a)?);
        let (along, length, apart) = way.direction();
        let violation = length - F32x8::splat(constraint.rest);
        let give = give(constraint.compliance, dt);
        Some(Self { violation, along, apart, lambda, give, hold: constraint.hold })
    }

    /// The change of the multipliers.
    #[inline]
    fn step(&self, weight: f32) -> F32x8 {
        if weight <= 0.0 || !self.give.is_finite() {
            return F32x8::ZERO;
        }
        let step = (-self.violation - self.lambda * self.give) / F32x8::splat(weight + self.give);
        let step = match self.hold {
            Hold::Exactly => step,
            Hold::AtMost => {
                let pull = self.lambda + step;
                pull.lt(F32x8::ZERO).select(pull, F32x8::ZERO) - self.lambda
            }
        };
        let length = (step.abs() * weight).le(F32x8::splat(MAX_COORDINATE));
        (self.apart & length).mostly(step, F32x8::ZERO)
    }

    /// What is missing to the equilibria.
    #[inline]
    fn residual(&self) -> F32x8 {
        let missing = self.violation + self.lambda * self.give;
        let missing = missing.is_finite().select(missing, F32x8::ZERO);
        match self.hold {
            Hold::Exactly => missing,
            Hold::AtMost => {
                let slack = missing.lt(F32x8::ZERO);
                let at_rest =
                    if self.give == 0.0 { slack } else { self.lambda.eq(F32x8::ZERO) & slack };
                at_rest.select(F32x8::ZERO, missing)
            }
        }
    }
}
