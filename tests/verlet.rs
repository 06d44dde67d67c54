//! Particles fall the same at any frame rate, and what holds them together holds.

#[path = "common/random.rs"]
mod random;

use proptest::prelude::*;
use sinew::glam::{DVec3, Vec2, Vec3};
use sinew::{
    BendConstraint, Contact, DistanceConstraint, Fault, Hold, Plane, Relaxation, Residual, Sphere,
    Verlet, bend_constraints, chain_constraints, chain_residual, distance_constraints,
    drag_from_half_life, plane_collide, sphere_collide, verlet_step,
};

use random::Random;

// ---- integration -------------------------------------------------------------------------------

/// Position at `t` of a particle at the origin with velocity `v` at 0: `x″ = a - c x′` in f64.
fn closed_form(v: DVec3, a: DVec3, c: f64, t: f64) -> DVec3 {
    if c == 0.0 {
        return v * t + a * (0.5 * t * t);
    }
    let terminal = a / c;
    terminal * t + (v - terminal) * (-(-c * t).exp_m1() / c)
}

/// Ballistics with drag for a second, step lengths from a list in turn: the largest error, and the
/// number of steps.
fn ballistic_error(drag: f32, steps: &[f32]) -> (f64, f64) {
    let (v, a) = (Vec3::new(1.0, 3.0, -2.0), Vec3::new(0.0, -9.81, 0.5));
    let exact = |t: f64| closed_form(v.as_dvec3(), a.as_dvec3(), drag.into(), t);
    let mut x = [Vec3::ZERO];
    let mut before = [exact(-f64::from(steps[0])).as_vec3()];
    let (mut time, mut last, mut worst, mut count) = (0.0_f64, steps[0], 0.0_f64, 0.0);
    for &dt in steps.iter().cycle() {
        if time >= 1.0 {
            break;
        }
        let settings =
            Verlet { acceleration: a, drag, previous_dt: Some(last), ..Verlet::default() };
        let _ = verlet_step(&mut x, &mut before, &settings, dt).unwrap();
        time += f64::from(dt);
        last = dt;
        count += 1.0;
        worst = worst.max(x[0].as_dvec3().distance(exact(time)));
    }
    (worst, count)
}

/// The closed form at any rate, even or not. A step adds up to half a rounding of the position to
/// the displacement, and all later steps carry it on: n steps make up to n²/2 of them, of one sign
/// while the steps are alike; a quarter of that was not reached.
#[test]
fn a_fall_with_drag_is_the_same_at_any_rate() {
    let uneven = [0.003, 0.05, 0.011, 0.0007, 0.1, 0.017];
    let mut schedules: Vec<Vec<f32>> = [15.0, 20.0, 30.0, 60.0, 144.0, 240.0, 1000.0_f32]
        .iter()
        .map(|fps| vec![1.0 / fps])
        .collect();
    schedules.push(uneven.to_vec());
    for drag in [0.0, 0.01, 0.5, 5.0, 40.0] {
        for steps in &schedules {
            let (error, count) = ballistic_error(drag, steps);
            println!("drag {drag}, {count} steps: {error:.1e}");
            // An uneven schedule multiplies a rounding by the ratio of its steps.
            let rounding = if steps.len() == 1 { 1.2e-7 } else { 2e-6 };
            assert!(error < 2e-6 + rounding * count * count / 8.0, "drag {drag}, {count}: {error}");
        }
    }
}

/// What the documentation says of a fall of 2 m, whatever the drag.
#[test]
fn a_fall_is_as_near_to_the_closed_form_as_is_said_of_its_rate() {
    for (fps, bound) in [(60.0, 2e-5), (240.0, 4e-4), (1000.0, 6e-3)] {
        for drag in [0.0, 0.01, 0.5, 5.0, 40.0] {
            let (error, _) = ballistic_error(drag, &[1.0 / fps]);
            assert!(error < bound, "drag {drag}, {fps} Hz: {error}");
        }
    }
}

/// F4: no time changes nothing, and bad time is a mistake.
#[test]
fn no_time_is_a_no_op_and_bad_time_a_mistake() {
    let (start, was) = ([Vec2::ONE, Vec2::X], [Vec2::ZERO, Vec2::Y]);
    let (mut x, mut before) = (start, was);
    let fall = Verlet { acceleration: Vec2::NEG_Y, ..Verlet::default() };
    for _ in 0..3 {
        let report = verlet_step(&mut x, &mut before, &fall, 0.0).unwrap();
        assert_eq!((x, before, report.speed), (start, was, 0.0));
    }
    for (dt, fault) in
        [(-0.1, Fault::OutOfRange), (f32::NAN, Fault::NotFinite), (f32::INFINITY, Fault::NotFinite)]
    {
        let error = verlet_step(&mut x, &mut before, &fall, dt).unwrap_err();
        assert_eq!((error.argument, error.fault), ("dt", fault));
        assert_eq!((x, before), (start, was));
    }
}

/// F8: the strongest drag and the longest step do not overshoot.
#[test]
fn strong_drag_never_overshoots() {
    for drag in [1.0, 100.0, 1e6_f32] {
        for dt in [1e-6, 1.0 / 30.0, 2.0, 1e6] {
            let (mut x, mut before) = ([Vec2::X], [Vec2::ZERO]);
            let settings = Verlet { drag, ..Verlet::default() };
            for _ in 0..20 {
                let _ = verlet_step(&mut x, &mut before, &settings, dt).unwrap();
                assert!(x[0].x >= 1.0 && x[0].x <= 1.0 + 20.0 && x[0].y == 0.0, "{drag} {dt}");
            }
        }
    }
}

/// A half-life says after how long half of a velocity is left.
#[test]
fn half_life_halves() {
    assert_eq!([0.0, -0.0].map(drag_from_half_life), [f32::INFINITY; 2]);
    let drag = drag_from_half_life(0.2);
    let (mut x, mut before) = ([Vec2::ZERO], [Vec2::NEG_X * 0.01]);
    let settings = Verlet { drag, ..Verlet::default() };
    for _ in 0..20 {
        let _ = verlet_step(&mut x, &mut before, &settings, 0.01).unwrap();
    }
    assert!(((x[0] - before[0]).x - 0.005).abs() < 1e-6);
}

/// Pinned particles stay where the caller puts them; a cap is a cap.
#[test]
fn pins_and_caps_hold() {
    let (mut x, mut before) = ([Vec2::ZERO, Vec2::ZERO], [Vec2::X, Vec2::X * 100.0]);
    let settings = Verlet {
        acceleration: Vec2::NEG_Y * 1e6,
        accelerations: &[Vec2::X, Vec2::Y],
        inverse_masses: &[0.0, 1.0],
        max_speed: 3.0,
        ..Verlet::default()
    };
    let report = verlet_step(&mut x, &mut before, &settings, 0.1).unwrap();
    assert_eq!((x[0], before[0]), (Vec2::ZERO, Vec2::ZERO));
    assert!((x[1].length() - 0.3).abs() < 1e-6 && (report.speed - 3.0).abs() < 1e-6);
}

// ---- distance ----------------------------------------------------------------------------------

/// The textbook's Gauss-Seidel, in f64.
fn twin(
    x: &mut [DVec3],
    constraints: &[DistanceConstraint],
    lambdas: &mut [f64],
    masses: &[f32],
    (iterations, dt): (u32, f64),
) {
    for _ in 0..iterations {
        for (c, lambda) in constraints.iter().zip(lambdas.iter_mut()) {
            let [a, b] = c.particles;
            let (wa, wb) = (f64::from(masses[a]), f64::from(masses[b]));
            let along = x[b] - x[a];
            let length = along.length();
            if a == b || length == 0.0 || wa + wb == 0.0 {
                continue;
            }
            let give = f64::from(c.compliance) / (dt * dt);
            let violation = length - f64::from(c.rest);
            let mut step = (-violation - give * *lambda) / (wa + wb + give);
            if c.hold == Hold::AtMost {
                step = (*lambda + step).min(0.0) - *lambda;
            }
            *lambda += step;
            x[a] -= along / length * (wa * step);
            x[b] += along / length * (wb * step);
        }
    }
}

/// Particles on a coarse grid, so that some coincide.
fn particle() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        [-2..3_i8, -2..3_i8, -2..3_i8].prop_map(|v| Vec3::from(v.map(f32::from))),
        [-2.0..2.0_f32, -2.0..2.0_f32, -2.0..2.0_f32].prop_map(Vec3::from),
    ]
}

fn constraint() -> impl Strategy<Value = DistanceConstraint> {
    (0..6_usize, 0..6_usize, prop_oneof![Just(0.0), Just(1.0), 0.1..3.0_f32], any::<bool>())
        .prop_flat_map(|(a, b, rest, rope)| {
            prop_oneof![Just(0.0), 1.0..1000.0_f32].prop_map(move |micro| DistanceConstraint {
                particles: [a, b],
                rest,
                compliance: micro * 1e-6,
                hold: if rope { Hold::AtMost } else { Hold::Exactly },
            })
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_global_rejects: 20_000, ..Default::default() })]

    /// What a naive solver in double precision gives.
    #[test]
    fn constraints_agree_with_a_naive_twin(
        start in prop::collection::vec(particle(), 6),
        constraints in prop::collection::vec(constraint(), 1..12),
        masses in prop::collection::vec(prop_oneof![Just(0.0), 0.2..4.0_f32], 6),
        iterations in 0..5_u32,
    ) {
        // Two particles that meet have a direction of rounding alone.
        let constraints: Vec<_> = constraints
            .into_iter()
            .map(|c| DistanceConstraint { rest: c.rest.max(0.1), ..c })
            .collect();
        let settings = Relaxation { inverse_masses: &masses, iterations, dt: 0.02 };
        let mut lambdas = vec![0.0; constraints.len()];
        let mut x = start.clone();
        let _ = distance_constraints(&mut x, &constraints, &mut lambdas, &settings).unwrap();
        let mut exact: Vec<DVec3> = start.iter().map(|p| p.as_dvec3()).collect();
        let mut forces = vec![0.0; constraints.len()];
        twin(&mut exact, &constraints, &mut forces, &masses, (iterations, f64::from(0.02_f32)));
        let closest = constraints.iter().filter(|c| c.particles[0] != c.particles[1])
            .map(|c| exact[c.particles[0]].distance(exact[c.particles[1]]))
            .fold(f64::INFINITY, f64::min);
        prop_assume!(closest > 1e-2);
        for (a, b) in x.iter().zip(&exact) {
            prop_assert!(a.as_dvec3().distance(*b) < 1e-3, "{} {}", a, b);
        }
    }

    /// Momentum is kept, whatever the constraints: rods and ropes pull both ends alike.
    #[test]
    fn constraints_keep_momentum(
        start in prop::collection::vec(particle(), 6),
        constraints in prop::collection::vec(constraint(), 1..12),
        bends in prop::collection::vec((0..6_usize, 0..6_usize, 0..6_usize, 0.0..2.0_f32), 1..6),
    ) {
        let masses = [1.0, 2.0, 0.5, 1.0, 4.0, 0.25_f32];
        let settings = Relaxation { inverse_masses: &masses, iterations: 3, dt: 0.02 };
        let mut lambdas = vec![0.0; constraints.len()];
        let mut x = start.clone();
        let _ = distance_constraints(&mut x, &constraints, &mut lambdas, &settings).unwrap();
        let bends: Vec<_> = bends.iter().map(|&(a, m, b, rest)| BendConstraint {
            particles: [a, m, b], rest, ..Default::default()
        }).collect();
        let _ = bend_constraints(&mut x, &bends, &mut [], &settings).unwrap();
        let momentum = |x: &[Vec3]| {
            x.iter().zip(masses).map(|(p, w)| p.as_dvec3() / f64::from(w)).sum::<DVec3>()
        };
        prop_assert!(momentum(&x).distance(momentum(&start)) < 1e-4);
    }

    /// A rigid constraint that is alone holds to rounding after one iteration, at any scale.
    #[test]
    fn one_constraint_holds_at_once(
        a in particle(), b in particle(), c in particle(), rest in 0.0..3.0_f32,
        power in -10..10_i32, wa in 0.0..2.0_f32, wb in 0.1..2.0_f32,
    ) {
        let k = 10.0_f32.powi(power);
        let wa = if wa < 0.5 { 0.0 } else { wa };
        let masses = [wa, wb, wa];
        let settings = Relaxation { inverse_masses: &masses, iterations: 1, ..Default::default() };
        let mut x = [a * k, b * k, c * k];
        if a != b {
            let rod = DistanceConstraint { particles: [0, 1], rest: rest * k, ..Default::default() };
            let residual = distance_constraints(&mut x, &[rod], &mut [], &settings).unwrap();
            // Coordinates up to 5 k have a rounding of 3e-7 k, and the ends have one each.
            prop_assert!(residual.largest < 2e-6 * k, "{} at {k}", residual.largest);
        }
        let x_before = x;
        let bend = BendConstraint { particles: [0, 1, 2], rest: rest * k, ..Default::default() };
        let residual = bend_constraints(&mut x, &[bend], &mut [], &settings).unwrap();
        let offset = x_before[1].distance((x_before[0] + x_before[2]) * 0.5);
        // The middle right between its neighbours has no direction to go.
        prop_assert!(residual.largest < 5e-6 * k || offset < 1e-5 * k, "{} at {k}", residual.largest);
    }

    /// The chain form: every length to rounding in one pass, whatever the start.
    #[test]
    fn a_chain_is_inextensible_in_one_pass(
        start in prop::collection::vec(particle(), 2..80), power in -10..10_i32,
        lengths in prop::collection::vec(prop_oneof![Just(0.0), 0.01..1.0_f32], 80),
    ) {
        let k = 10.0_f32.powi(power);
        let mut x: Vec<Vec3> = start.iter().map(|p| *p * k).collect();
        let lengths: Vec<f32> = lengths[..x.len() - 1].iter().map(|l| l * k).collect();
        let mut before = x.clone();
        let residual = chain_constraints(&mut x, &mut before, &lengths, 0.9).unwrap();
        // Its end may be 80 k away, where a coordinate has a rounding of 4e-6 k.
        prop_assert!(residual.largest <= 1e-5 * k, "{}", residual.largest / k);
        prop_assert_eq!(x[0], start[0] * k);
        prop_assert!(x.iter().chain(&before).all(|p| p.is_finite()));
    }

    /// Whatever the numbers: an error that changes nothing, or finite.
    #[test]
    fn any_number_is_an_error_or_finite(
        p in prop::array::uniform9(any::<f32>()), v in prop::array::uniform9(any::<f32>()),
        n in prop::array::uniform8(any::<f32>()), tame in any::<bool>(),
    ) {
        let tame = |x: f32| if tame { (x.abs().log2() / 10.0).clamp(-13.0, 13.0) } else { x };
        let vectors = |a: [f32; 9]| {
            let a = a.map(tame);
            [Vec3::new(a[0], a[1], a[2]), Vec3::new(a[3], a[4], a[5]), Vec3::new(a[6], a[7], a[8])]
        };
        let (start, was) = (vectors(p), vectors(v));
        let n = n.map(|x| tame(x).abs());
        let (mut x, mut before) = (start, was);
        let settings = Verlet {
            acceleration: was[0], drag: n[0], previous_dt: Some(n[1]), max_speed: n[2],
            ..Verlet::default()
        };
        if let Ok(report) = verlet_step(&mut x, &mut before, &settings, n[3]) {
            prop_assert!(report.speed.is_finite());
            prop_assert!(x.iter().chain(&before).all(|p| p.is_finite()));
        } else {
            // As text, for NaN is not itself.
            prop_assert_eq!(format!("{x:?}{before:?}"), format!("{start:?}{was:?}"));
        }
        let masses = [n[4], 1.0, n[5]];
        let settings = Relaxation { inverse_masses: &masses, iterations: 3, dt: n[3] };
        let rod = DistanceConstraint {
            particles: [0, 1], rest: n[6], compliance: n[7], ..Default::default()
        };
        let bend = BendConstraint { particles: [0, 1, 2], rest: n[6], compliance: n[7], ..Default::default() };
        let (mut x, mut lambda) = (start, [was[1].x]);
        if let Ok(Residual { largest, rms, .. }) =
            distance_constraints(&mut x, &[rod], &mut lambda, &settings)
        {
            prop_assert!(largest.is_finite() && rms.is_finite() && lambda[0].is_finite());
            prop_assert!(x.iter().all(|p| p.is_finite()), "{x:?}");
        }
        let (mut x, mut lambda) = (start, [was[1].x]);
        if bend_constraints(&mut x, &[bend], &mut lambda, &settings).is_ok() {
            prop_assert!(x.iter().all(|p| p.is_finite()), "{x:?}");
        }
    }
}

/// C2: two particles in one place, two that are pinned, a constraint with itself: nothing moves,
/// and the residual says what is left.
#[test]
fn a_missing_direction_pushes_nothing() {
    let rod = |a, b| DistanceConstraint { particles: [a, b], rest: 1.0, ..Default::default() };
    let mut x = [Vec3::ONE, Vec3::ONE, Vec3::ZERO];
    let free = Relaxation::default();
    let residual = distance_constraints(&mut x, &[rod(0, 1)], &mut [], &free).unwrap();
    assert_eq!((x, residual.largest), ([Vec3::ONE, Vec3::ONE, Vec3::ZERO], 1.0));
    let residual = distance_constraints(&mut x, &[rod(2, 2)], &mut [], &free).unwrap();
    assert_eq!((x[2], residual.largest), (Vec3::ZERO, 0.0));
    let pinned = Relaxation { inverse_masses: &[0.0; 3], ..free };
    let residual = distance_constraints(&mut x, &[rod(0, 2)], &mut [], &pinned).unwrap();
    assert_eq!(x, [Vec3::ONE, Vec3::ONE, Vec3::ZERO]);
    assert!((residual.largest - (3_f32.sqrt() - 1.0)).abs() < 1e-6);
    // Zero rest length: they meet, and stay together.
    let meet = DistanceConstraint { particles: [0, 2], ..Default::default() };
    for _ in 0..3 {
        let residual = distance_constraints(&mut x, &[meet], &mut [], &free).unwrap();
        assert!(residual.largest < 1e-6 && x[0].is_finite());
    }
}

/// Residuals as small and as large as numbers get, from a chain of microns to a multiplier that was
/// never reset: both figures of the report agree, and neither overflows nor vanishes.
#[test]
fn residuals_of_any_size_are_measured() {
    for size in [1e-30, 1e-22, 1.0, 1e11_f32] {
        let chain = [Vec3::ZERO, Vec3::X * size, Vec3::X * (2.0 * size)];
        let Residual { largest, rms, .. } = chain_residual(&chain, &[0.5 * size; 2]).unwrap();
        assert!((largest / (0.5 * size) - 1.0).abs() < 1e-6, "{size}: {largest}");
        assert!((rms / (0.5 * size) - 1.0).abs() < 1e-6, "{size}: {rms}");
    }
    let soft = DistanceConstraint { particles: [0, 1], compliance: 1.0, ..Default::default() };
    for stale in [1e20, -1e30, 3e38_f32] {
        let settings = Relaxation { dt: 1.0, ..Relaxation::default() };
        let residual =
            distance_constraints(&mut [Vec3::ZERO, Vec3::X], &[soft], &mut [stale], &settings);
        let Residual { largest, rms, .. } = residual.unwrap();
        assert!((largest / stale.abs() - 1.0).abs() < 1e-6 && rms == largest, "{largest} {rms}");
    }
}

/// A rope pulls and does not push, with a compliance or without.
#[test]
fn a_rope_does_not_push() {
    for compliance in [0.0, 1e-4] {
        let rope =
            DistanceConstraint { particles: [0, 1], rest: 1.0, compliance, hold: Hold::AtMost };
        let slack = [Vec2::ZERO, Vec2::X * 0.5];
        let (mut x, mut lambda) = (slack, [0.0]);
        let residual =
            distance_constraints(&mut x, &[rope], &mut lambda, &Relaxation::default()).unwrap();
        assert_eq!((x, residual.largest, lambda[0]), (slack, 0.0, 0.0));
        x[1].x = 1.5;
        let _ = distance_constraints(&mut x, &[rope], &mut lambda, &Relaxation::default()).unwrap();
        assert!(x[0].distance(x[1]) < 1.3 && lambda[0] < 0.0);
    }
}

/// Lending multipliers changes neither where rigid ropes end nor what is said of them: one that has
/// pulled in this step and has been slackened by another is slack.
#[test]
fn the_residual_of_rigid_ropes_is_that_of_their_positions() {
    let mut noise = Random::new(31);
    for iterations in [0, 1, 3, 8] {
        for _ in 0..200 {
            let start = [(); 3].map(|()| noise.vector());
            let ends = [[0, 1], [1, 2], [0, 1], [2, 0], [1, 0], [2, 1]];
            let ropes = ends.map(|particles| DistanceConstraint {
                particles,
                rest: 0.7 + 0.6 * noise.signed(),
                hold: Hold::AtMost,
                ..Default::default()
            });
            let settings = Relaxation { iterations, ..Relaxation::default() };
            let (mut x, mut y, mut lambdas) = (start, start, [0.0; 6]);
            let without = distance_constraints(&mut x, &ropes, &mut [], &settings).unwrap();
            let with = distance_constraints(&mut y, &ropes, &mut lambdas, &settings).unwrap();
            let largest = ropes.iter().map(|rope| {
                let [a, b] = rope.particles.map(|p| y[p]);
                (a.distance(b) - rope.rest).max(0.0)
            });
            let largest = largest.fold(0.0, f32::max);
            assert!((with.largest - largest).abs() < 1e-6, "{with:?}, {largest}");
            // A slack rope that has pulled lets go: it does not push, but it need not stay as
            // short.
            if iterations <= 1 {
                assert!((with.largest - without.largest).abs() < 1e-6, "{with:?}, {without:?}");
            }
        }
    }
}

/// Compliance is the inverse of a stiffness: a mass on a compliant rope hangs by weight times
/// compliance, at any rate and with any number of iterations.
#[test]
fn compliance_is_length_over_force() {
    for fps in [30.0, 60.0, 240.0_f32] {
        for iterations in [1, 10] {
            let dt = 1.0 / fps;
            // 2 kg at 9.81 m/s² on 1 mm per newton.
            let rope = DistanceConstraint {
                particles: [0, 1],
                rest: 1.0,
                compliance: 1e-3,
                hold: Hold::AtMost,
            };
            let masses = [0.0, 0.5];
            let (mut x, mut before) = ([Vec2::ZERO, Vec2::NEG_Y], [Vec2::ZERO, Vec2::NEG_Y]);
            let settings = Verlet {
                acceleration: Vec2::NEG_Y * 9.81,
                inverse_masses: &masses,
                drag: 5.0,
                ..Verlet::default()
            };
            let (mut lambda, mut effective) = ([0.0], dt);
            for _ in 0..(4 * 240) {
                let report = verlet_step(&mut x, &mut before, &settings, dt).unwrap();
                (lambda[0], effective) = (0.0, report.relaxation_dt);
                let relaxation = Relaxation { inverse_masses: &masses, iterations, dt: effective };
                let _ = distance_constraints(&mut x, &[rope], &mut lambda, &relaxation).unwrap();
            }
            let sag = -x[1].y - 1.0;
            // A position of 1 has a rounding of 6e-8, which a step of 1/240 s takes for 3 mm/s².
            assert!((sag - 2.0 * 9.81e-3).abs() < 2e-5, "{fps} fps, {iterations}: {sag}");
            // And the multiplier is the force.
            let force = lambda[0] / (effective * effective);
            assert!((force + 2.0 * 9.81).abs() < 0.02, "{force}");
        }
    }
}

/// A step of the wrong length is a compliance of the wrong size, as the documentation of `dt` says.
#[test]
fn a_compliance_depends_on_the_time_that_it_is_told() {
    for (rate, share) in [(30.0_f32, 4.0), (60.0, 1.0), (240.0, 1.0 / 16.0)] {
        let rope = DistanceConstraint {
            particles: [0, 1],
            rest: 1.0,
            compliance: 1e-3,
            ..Default::default()
        };
        let masses = [0.0, 1.0];
        let (mut x, mut before) = ([Vec2::ZERO, Vec2::NEG_Y], [Vec2::ZERO, Vec2::NEG_Y]);
        let fall = Verlet {
            acceleration: Vec2::NEG_Y * 9.81,
            inverse_masses: &masses,
            drag: 5.0,
            ..Verlet::default()
        };
        for _ in 0..(4 * 240) {
            let step = verlet_step(&mut x, &mut before, &fall, 1.0 / rate).unwrap();
            let even = step.relaxation_dt * rate / 60.0;
            let told = Relaxation { inverse_masses: &masses, dt: even, ..Default::default() };
            let _ = distance_constraints(&mut x, &[rope], &mut [0.0], &told).unwrap();
        }
        let sag = -x[1].y - 1.0;
        assert!((sag / (9.81e-3 * share) - 1.0).abs() < 0.01, "{rate} Hz: {sag}");
    }
}

/// How high a soft shell holds what rests on it, as the documentation says.
#[test]
fn a_shell_gives_way_by_the_step() {
    for (rate, millimetres) in [(30.0_f32, 0.0), (60.0, 2.3), (240.0, 7.6)] {
        let (mut x, mut before) = ([Vec2::Y * 0.05], [Vec2::Y * 0.05]);
        let fall = Verlet { acceleration: Vec2::NEG_Y * 9.81, ..Verlet::default() };
        let soft = Contact { shell: 0.01, ..Contact::default() };
        let floor = Plane::new(Vec2::ZERO, Vec2::Y);
        for _ in 0..(4 * 240) {
            let _ = verlet_step(&mut x, &mut before, &fall, 1.0 / rate).unwrap();
            let _ = plane_collide(&mut x, &before, &floor, &soft).unwrap();
        }
        let high = x[0].y * 1e3;
        assert!((high - millimetres).abs() < 0.05, "{rate} Hz: {high} mm");
        let sunk = (9.81_f32 / (rate * rate)).sqrt().min(0.1);
        assert!((high * 1e-3 - (0.1 - sunk).powi(2)).abs() < 1e-5, "{rate} Hz");
    }
}

/// A bent row keeps its bend, and a limit only stops it from bending further.
#[test]
fn bends_hold_and_limits_limit() {
    let corner = [Vec2::ZERO, Vec2::Y, Vec2::ONE];
    let kept = BendConstraint::between([0, 1, 2], corner);
    let mut x = corner;
    let _ = bend_constraints(&mut x, &[kept], &mut [], &Relaxation::default()).unwrap();
    assert_eq!(x, corner);
    let limit = BendConstraint { rest: 1.0, hold: Hold::AtMost, ..kept };
    let _ = bend_constraints(&mut x, &[limit], &mut [], &Relaxation::default()).unwrap();
    assert_eq!(x, corner);
    let tight = BendConstraint { rest: 0.1, hold: Hold::AtMost, ..kept };
    let residual = bend_constraints(&mut x, &[tight], &mut [], &Relaxation::default()).unwrap();
    assert!(residual.largest < 1e-6);
}

// ---- together ----------------------------------------------------------------------------------

/// A rope of 20 particles, its first one pinned, in a room with a ball.
struct Rope {
    x: [Vec3; 20],
    before: [Vec3; 20],
    last: f32,
}

impl Rope {
    const BONE: f32 = 0.05;
    const MASSES: [f32; 20] = {
        let mut masses = [1.0; 20];
        masses[0] = 0.0;
        masses
    };

    fn new() -> Self {
        let x = core::array::from_fn(|i| Vec3::X * (i as f32 * Self::BONE));
        Self { x, before: x, last: 1.0 / 60.0 }
    }

    fn step(&mut self, ball: &Sphere<Vec3>, force: Vec3, dt: f32) -> f32 {
        let settings = Verlet {
            acceleration: force,
            inverse_masses: &Self::MASSES,
            drag: 3.0,
            previous_dt: Some(self.last),
            max_speed: 50.0,
            ..Verlet::default()
        };
        let report = verlet_step(&mut self.x, &mut self.before, &settings, dt).unwrap();
        if dt > 0.0 {
            self.last = dt;
        }
        let contact = Contact { radius: 0.01, inverse_masses: &Self::MASSES, ..Contact::default() };
        let _ = sphere_collide(&mut self.x, &[], ball, &contact).unwrap();
        let _ = chain_constraints(&mut self.x, &mut self.before, &[Self::BONE; 19], 0.9).unwrap();
        report.speed
    }
}

/// F5: a step of two seconds among sixtieths: bounded, and settles to the same rest.
#[test]
fn a_hitch_is_survived() {
    let far = Sphere::new(Vec3::ONE * 10.0, 0.1);
    let run = |hitch: bool| {
        let mut rope = Rope::new();
        for frame in 0..1500 {
            let dt = if hitch && frame == 400 { 2.0 } else { 1.0 / 60.0 };
            let _ = rope.step(&far, Vec3::NEG_Y * 9.81, dt);
            assert!(rope.x[19].length() < 0.951);
        }
        rope.x[19]
    };
    assert!(run(true).distance(run(false)) < 1e-3, "{} {}", run(true), run(false));
}

/// Random forces, teleports, dt between 0 and 2 s and a ball that jumps, a million steps of twenty
/// particles: nothing non-finite, lengths within 1e-5, and at rest after the forces end.
#[test]
fn a_million_steps_of_anything() {
    let mut noise = Random::new(3);
    let mut rope = Rope::new();
    for i in 0..1_000_000 {
        let ball = Sphere::new(noise.vector(), 0.3);
        let dt =
            if noise.signed() > 0.8 { 1.0 + noise.signed() } else { 0.01 * noise.signed().abs() };
        let force = noise.vector() * if noise.signed() > 0.9 { 1e6 } else { 10.0 };
        if noise.signed() > 0.99 {
            rope.x[0] = noise.vector();
        }
        let _ = rope.step(&ball, force, dt);
        let residual = chain_residual(&rope.x, &[Rope::BONE; 19]).unwrap();
        assert!(residual.largest < 1e-5, "{i}: {residual:?}");
        assert!(rope.before.iter().all(|p| p.is_finite()));
    }
    let far = Sphere::new(Vec3::ONE * 10.0, 0.1);
    for _ in 0..1000 {
        let _ = rope.step(&far, Vec3::ZERO, 1.0 / 60.0);
    }
    assert!(rope.step(&far, Vec3::ZERO, 1.0 / 60.0) < 1e-3);
}

/// Mistakes are named, and nothing has moved.
#[test]
fn mistakes_are_named_and_change_nothing() {
    let start = [Vec2::ZERO, Vec2::X * 3.0];
    let mut x = start;
    let rod = DistanceConstraint { particles: [0, 1], rest: 1.0, ..Default::default() };
    let mut error = |rods: &[DistanceConstraint], lambdas: &mut [f32], masses: &[f32]| {
        let settings = Relaxation { inverse_masses: masses, ..Default::default() };
        let error = distance_constraints(&mut x, rods, lambdas, &settings).unwrap_err();
        assert_eq!(x, start);
        (error.argument, error.index, error.fault)
    };
    let stray = DistanceConstraint { particles: [0, 2], ..rod };
    assert_eq!(
        error(&[rod, stray], &mut [], &[]),
        ("constraints.particles", Some(1), Fault::NoSuchEntry)
    );
    let soft = DistanceConstraint { compliance: 1.0, ..rod };
    let none = Fault::Length { expected: 1, actual: 0 };
    assert_eq!(error(&[soft], &mut [], &[]), ("lambdas", None, none));
    let short = DistanceConstraint { rest: -1.0, ..rod };
    assert_eq!(error(&[short], &mut [], &[]), ("constraints.rest", Some(0), Fault::OutOfRange));
    assert_eq!(
        error(&[rod], &mut [], &[1.0, -1.0]),
        ("settings.inverse_masses", Some(1), Fault::OutOfRange)
    );
    assert_eq!(error(&[rod], &mut [f32::NAN], &[]), ("lambdas", Some(0), Fault::NotFinite));
    let error = chain_constraints(&mut x, &mut [], &[1.0, 1.0], 0.0).unwrap_err();
    assert_eq!(error.argument, "lengths");
    let error = chain_constraints(&mut x, &mut [], &[1.0], 1.5).unwrap_err();
    assert_eq!(error.argument, "inertia");
    let mut before = [Vec2::ZERO];
    let error = verlet_step(&mut x, &mut before, &Verlet::default(), 0.1).unwrap_err();
    assert_eq!((error.argument, x), ("previous", start));
}
