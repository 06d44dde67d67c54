//! FABRIK and least squares on chains of any numbers: an error that leaves the slices as they were,
//! or a finite pose. On chains of sound numbers: lengths, limits, an honest report, and never
//! further from the target than at the start.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    Error, FabrikSettings, JointMemory, LeastSquaresSettings, Solution, Status, Vector,
    fabrik_positions, fabrik_solve, least_squares_solve,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::chains::{self, Problem};
use sinew_fuzz::joints::Spec;
use sinew_fuzz::oracle::{Chain, attempt, gap};
use sinew_fuzz::space::Space;

#[derive(Clone, Copy, Debug)]
enum Method {
    Fabrik,
    Points,
    LeastSquares { rest_pull: f32, restarts: bool },
}

/// A method, the most iterations, and a tolerance.
type Ask = (Method, usize, f32);

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => wild::<Vec3>(&mut bits),
        1 => wild::<Vec2>(&mut bits),
        2 => sound::<Vec2>(&mut bits),
        _ => sound::<Vec3>(&mut bits),
    }
});

/// A rotation of the effector, and what a radian of it weighs.
type Grip<V> = Option<(<V as Vector>::Rotation, f32)>;

/// What only least squares takes.
fn grip<V: Space>(bits: &mut Bits, wild: bool) -> Grip<V> {
    if bits.byte() < 128 {
        return None;
    }
    let weight = if wild { bits.any() } else { 1e-3 + bits.share() };
    Some((V::rotation(bits, wild), weight))
}

fn ask(bits: &mut Bits, wild: bool) -> Ask {
    let restarts = bits.byte() < 128;
    let method = match bits.below(3) {
        0 => Method::Fabrik,
        1 => Method::Points,
        _ => Method::LeastSquares {
            rest_pull: if wild { bits.any() } else { bits.share() },
            restarts,
        },
    };
    let tolerance = if wild { bits.any() } else { [0.0, 1e-6, 1e-3, 0.5][bits.below(4)] };
    (method, bits.below(40), tolerance)
}

fn solve<V: Space>(
    chain: &mut Chain<V>,
    joints: &[V::Joint],
    target: V,
    (method, max_iterations, tolerance): Ask,
    grip: Grip<V>,
) -> Result<Solution, Error> {
    let (positions, rotations) = (&mut chain.positions[..], &mut chain.rotations[..]);
    let settings = FabrikSettings { max_iterations, tolerance };
    match method {
        Method::Fabrik => fabrik_solve(positions, rotations, joints, target, &settings),
        Method::Points => fabrik_positions(positions, target, &settings),
        Method::LeastSquares { rest_pull, restarts } => {
            let mut memory = vec![JointMemory::default(); positions.len()];
            let settings = LeastSquaresSettings {
                max_iterations,
                tolerance,
                rest_pull,
                restarts,
                rotation: grip.map(|(rotation, _)| rotation),
                rotation_weight: grip.map_or(0.3, |(_, weight)| weight),
                ..LeastSquaresSettings::at(target)
            };
            least_squares_solve(positions, rotations, joints, &settings, &mut memory)
        }
    }
}

fn wild<V: Space>(bits: &mut Bits) {
    let ask = ask(bits, true);
    let Problem { start, joints, target } = chains::wild::<V>(bits);
    let grip = grip::<V>(bits, true);
    let mut chain = start.clone();
    let Some(solution) = attempt(&mut chain, |c| solve(c, &joints, target, ask, grip)) else {
        return;
    };
    // Points alone leave the rotations as they are.
    let finite = match ask.0 {
        Method::Points => chain.positions.iter().all(|p| p.largest().is_finite()),
        _ => chain.is_finite(),
    };
    assert!(finite, "{start:?} with {joints:?} to {target:?}, {ask:?}, {grip:?}: {chain:?}");
    assert!(solution.distance.is_finite() && solution.distance >= 0.0);
    assert!(solution.angle.is_finite() && solution.angle >= 0.0);
    assert!(solution.iterations <= ask.1);
}

fn sound<V: Space>(bits: &mut Bits) {
    let ask = ask(bits, false);
    let (Problem { start, joints, target }, specs) = chains::sound::<V>(bits);
    let grip = grip::<V>(bits, false);
    let size = start.size().max(target.largest());
    // What rounding leaves of a distance, a little from each bone.
    let slack = 8.0 * f32::EPSILON * size * start.positions.len() as f32;
    let run = |most: usize| {
        let mut chain = start.clone();
        let solution = solve(&mut chain, &joints, target, (ask.0, most, ask.2), grip);
        (chain, solution.expect("sound numbers"))
    };
    let (chain, solution) = run(ask.1);
    let why = || format!("{start:?} with {joints:?} to {target:?}, {ask:?}, {grip:?}: {chain:?}");
    assert!(chain.is_finite(), "{}", why());
    assert!(chain.positions[0].distance(start.positions[0]) <= slack, "the root moved");
    chain.assert_lengths(&start, 1e-5, slack);
    let last = chain.positions.len() - 1;
    assert!((chain.positions[last].distance(target) - solution.distance).abs() <= slack);
    if solution.status == Status::Reached {
        assert!(solution.distance <= ask.2 * start.reach() * (1.0 + 1e-4) + slack);
    }
    if !matches!(ask.0, Method::Points) {
        chains::assert_limits(&chain, &specs);
    }
    let grip = grip.filter(|_| matches!(ask.0, Method::LeastSquares { .. }));
    let turned = grip.map_or(0.0, |(rotation, _)| {
        gap(V::double_turn(chain.rotations[last]), V::double_turn(rotation))
    });
    assert!((f64::from(solution.angle) - turned).abs() < 2e-6, "{turned}: {solution:?}");
    assert!(solution.status != Status::Reached || turned <= 1e-3 + 2e-6, "{turned}: {solution:?}");
    // From the start inside its limits. FABRIK bows a free chain on the line to its target on the
    // way, which may cost some of the gap before it closes.
    let is_bowed = match ask.0 {
        Method::Points => true,
        Method::Fabrik => specs.iter().all(|spec| spec.is_free()),
        Method::LeastSquares { .. } => false,
    };
    if ask.1 > 2 && !is_bowed {
        let left = |solution: Solution| {
            let weight = grip.map_or(0.0, |(_, weight)| weight * start.reach());
            solution.distance.hypot(weight * solution.angle)
        };
        let (before, after) = (left(run(0).1), left(solution));
        let slack = if grip.is_some() { slack + 2e-6 * start.reach() } else { slack };
        // What reaches may have given up some of the rotation for the last of the distance, within
        // the tolerance of either.
        let is_met = grip.is_some() && solution.status == Status::Reached;
        assert!(
            is_met || after <= before + slack,
            "{before} became {after}, slack {slack}: {}",
            why()
        );
    }
}
