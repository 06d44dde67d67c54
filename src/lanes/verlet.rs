//! Particles of eight simulations at once, and what holds them together.

use super::check::{Checks, first};
use super::space::Vec3x8;
use super::wide::{F32x8, Mask};
use super::{Each, LANES};
use crate::error::check_range;
use crate::space::{MAX_COORDINATE, check_length, check_optional_length, check_vector};
use crate::verlet::chain::check_lengths;
use crate::verlet::relax::{check_lambda, check_shape, give, inverse_mass};
use crate::verlet::{DistanceConstraint, Hold, Relaxation, Residual, Verlet, VerletReport};

/// [`verlet_step`](crate::verlet_step) in each lane.
///
/// Accelerations are a lane's own; masses, drag, cap and time are shared. Each lane is the scalar's
/// bit for bit, whatever the features.
///
/// # Errors
/// In a lane as for the scalar; its slices are then as they were.
///
/// ```
/// use sinew::Verlet;
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, verlet_step};
///
/// let (mut position, mut previous) = ([Vec3x8::ZERO], [Vec3x8::ZERO]);
/// let gravity = Vec3x8::splat(Vec3::NEG_Y * 9.81);
/// let fall = Verlet { acceleration: gravity, ..Verlet::default() };
/// for _ in 0..60 {
///     let each = verlet_step(&mut position, &mut previous, &fall, 1.0 / 60.0);
///     assert!(each.iter().all(Result::is_ok));
/// }
/// assert!((position[0].lane(4).y + 0.5 * 9.81 * (1.0 + 1.0 / 60.0)).abs() < 1e-4);
/// ```
pub fn verlet_step(
    positions: &mut [Vec3x8],
    previous: &mut [Vec3x8],
    settings: &Verlet<'_, Vec3x8>,
    dt: f32,
) -> Each<VerletReport> {
    let checks = check_step(positions, previous, settings, dt);
    let good = checks.good();
    if dt == 0.0 || !good.any() {
        return checks.each(|_| VerletReport::default());
    }
    let pen = checks.pen();
    let (carried, pushed) = settings.weights(dt);
    let cap = settings.max_speed * dt;
    let mut longest = F32x8::ZERO;
    for (i, (x, before)) in positions.iter_mut().zip(previous.iter_mut()).enumerate() {
        if settings.inverse_masses.get(i) == Some(&0.0) {
            pen.put(*x, before);
            continue;
        }
        let own = settings.accelerations.get(i).copied().unwrap_or(Vec3x8::ZERO);
        let moved = (*x - *before) * carried + (settings.acceleration + own) * pushed;
        let (moved, length) = capped(moved, cap);
        pen.put(*x, before);
        let next = *x + moved;
        let stays = good & next.within(MAX_COORDINATE);
        stays.put(next, x);
        longest = stays.mostly(longest.max(length), longest);
    }
    // The largest root is the root of the largest square.
    let longest = if cap == f32::INFINITY { longest.sqrt() } else { longest };
    checks.each(|lane| VerletReport::new(longest.lane(lane), pushed, dt))
}

/// Moves no longer than `cap`, and their lengths; the squares of those if there is no cap.
#[inline]
fn capped(moved: Vec3x8, cap: f32) -> (Vec3x8, F32x8) {
    let squared = moved.dot(moved);
    if cap == f32::INFINITY {
        return (moved, squared);
    }
    let (length, cap) = (squared.sqrt(), F32x8::splat(cap));
    let short = length.le(cap);
    (short.mostly(moved, moved * (cap / length)), short.mostly(length, cap))
}

fn check_step(
    positions: &[Vec3x8],
    previous: &[Vec3x8],
    settings: &Verlet<'_, Vec3x8>,
    dt: f32,
) -> Checks {
    let mut checks = Checks::new();
    checks.vectors("positions", positions);
    checks.shared(check_length("previous", previous.len(), positions.len()));
    checks.vectors("previous", previous);
    let acceleration = settings.acceleration;
    checks.lanes(acceleration.within(MAX_COORDINATE), |lane| {
        check_vector("settings.acceleration", acceleration.lane(lane))
    });
    let accelerations = settings.accelerations;
    checks.shared(check_optional_length(
        "settings.accelerations",
        accelerations.len(),
        positions.len(),
    ));
    checks.vectors("settings.accelerations", accelerations);
    checks.shared(settings.check_numbers(positions.len(), dt));
    checks
}

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
    checks.lanes(pass, |lane| first(lambdas.iter(), |x| check_lambda(x.lane(lane))));
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

/// What a [`Residual`] is made of.
#[derive(Default)]
struct Sums {
    largest: F32x8,
    squares: [f64; LANES],
    count: usize,
}

impl Sums {
    #[inline]
    fn add(&mut self, violation: F32x8) {
        self.largest = self.largest.max(violation.abs());
        for (sum, violation) in self.squares.iter_mut().zip(violation.to_array()) {
            *sum += f64::from(violation) * f64::from(violation);
        }
        self.count += 1;
    }

    fn residual(&self, lane: usize) -> Residual {
        let squares = self.squares.get(lane).copied().unwrap_or(f64::NAN);
        Residual::from_sums(self.largest.lane(lane), squares, self.count)
    }
}

/// [`chain_constraints`](crate::chain_constraints) in each lane; lengths and inertia are shared.
///
/// Each lane is the scalar's bit for bit, whatever the features.
///
/// # Errors
/// In a lane as for the scalar; its slices are then as they were.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, chain_constraints};
///
/// let mut ropes = [Vec3x8::ZERO, Vec3x8::splat(Vec3::X * 3.0)];
/// let each = chain_constraints(&mut ropes, &mut [], &[1.0], 0.0);
/// assert!(each[0]?.largest < 1e-6);
/// assert_eq!(ropes[1].lane(0), Vec3::X);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn chain_constraints(
    positions: &mut [Vec3x8],
    previous: &mut [Vec3x8],
    lengths: &[f32],
    inertia: f32,
) -> Each<Residual> {
    let mut checks = Checks::new();
    checks.vectors("positions", positions);
    checks.shared(check_lengths(positions.len(), lengths));
    checks.shared(check_optional_length("previous", previous.len(), positions.len()));
    checks.vectors("previous", previous);
    checks.shared(check_range("inertia", inertia, 0.0, 1.0));
    let Some((&mut root, followers)) = positions.split_first_mut() else {
        return checks.each(|_| Residual::default());
    };
    if !checks.good().any() {
        return checks.each(|_| Residual::default());
    }
    let pen = checks.pen();
    let (mut leader, mut along) = (root, Vec3x8::splat(glam::Vec3::X));
    for (i, (x, &length)) in followers.iter_mut().zip(lengths).enumerate() {
        let (way, _, apart) = (*x - leader).direction();
        apart.put(way, &mut along);
        let kept = leader + along * length;
        if let Some(before) = previous.get_mut(i) {
            pen.put(*before + (kept - *x) * inertia, before);
        }
        pen.put(kept, x);
        leader = kept;
    }
    let mut sums = Sums::default();
    let bones = positions.iter().zip(positions.iter().skip(1)).zip(lengths);
    for ((a, b), &length) in bones {
        sums.add((*b - *a).direction().1 - F32x8::splat(length));
    }
    checks.each(|lane| sums.residual(lane))
}
