//! FABRIK and least squares on chains of any numbers: an error that leaves the slices as they were,
//! or a finite pose. On chains of sound numbers: lengths, limits, an honest report, and never
//! further from the target than at the start.
#![no_main]
#![allow(missing_docs)]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    Error, FabrikSettings, JointMemory, LeastSquaresSettings, Solution, Status, Vector,
    fabrik_positions, fabrik_solve, least_squares_solve,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::chains::{self, Problem};
use sinew_fuzz::oracle::{Chain, assert_same_bits};

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
    let kind = bits.below(4);
    let ask = ask(&mut bits, kind < 2);
    match kind {
        0 => wild(&chains::wild::<Vec3>(&mut bits), ask),
        1 => wild(&chains::wild::<Vec2>(&mut bits), ask),
        2 => {
            let (problem, specs) = chains::sound::<Vec2>(&mut bits);
            let chain = sound(&problem, ask);
            if !matches!(ask.0, Method::Points) {
                chains::assert_limits(&chain, &specs);
            }
        }
        _ => {
            let (problem, specs) = chains::sound::<Vec3>(&mut bits);
            let chain = sound(&problem, ask);
            if !matches!(ask.0, Method::Points) {
                chains::assert_limits(&chain, &specs);
            }
        }
    }
});

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

fn solve<V: Vector>(
    chain: &mut Chain<V>,
    joints: &[V::Joint],
    target: V,
    (method, max_iterations, tolerance): Ask,
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
                ..LeastSquaresSettings::at(target)
            };
            least_squares_solve(positions, rotations, joints, &settings, &mut memory)
        }
    }
}

fn wild<V: Vector>(Problem { start, joints, target }: &Problem<V>, ask: Ask) {
    let mut chain = start.clone();
    match solve(&mut chain, joints, *target, ask) {
        Err(error) => assert_same_bits(&chain, start, &error),
        Ok(solution) => {
            let sound = matches!(ask.0, Method::Points) || chain.is_finite();
            assert!(sound, "{start:?} with {joints:?} to {target:?}, {ask:?}: {chain:?}");
            assert!(
                chain.positions.iter().all(|p| p.largest().is_finite()),
                "{start:?} {target:?}"
            );
            assert!(solution.distance.is_finite() && solution.distance >= 0.0);
            assert!(solution.iterations <= ask.1);
        }
    }
}

fn sound<V: Vector>(Problem { start, joints, target }: &Problem<V>, ask: Ask) -> Chain<V> {
    let size = start.size().max(target.largest());
    // What rounding leaves of a distance, a little from each bone.
    let slack = 8.0 * f32::EPSILON * size * start.positions.len() as f32;
    let run = |most: usize| {
        let mut chain = start.clone();
        let solution =
            solve(&mut chain, joints, *target, (ask.0, most, ask.2)).expect("sound numbers");
        (chain, solution)
    };
    let (chain, solution) = run(ask.1);
    assert!(chain.is_finite(), "{start:?} with {joints:?} to {target:?}, {ask:?}: {chain:?}");
    assert!(chain.positions[0].distance(start.positions[0]) <= slack, "the root moved");
    chain.assert_lengths(start, 1e-5, slack);
    let tip = *chain.positions.last().expect("two joints or more");
    assert!((tip.distance(*target) - solution.distance).abs() <= slack);
    if solution.status == Status::Reached {
        assert!(solution.distance <= ask.2 * start.reach() * (1.0 + 1e-4) + slack);
    }
    // From the start inside its limits. A free chain on the line to its target is bowed on the
    // way, which may cost some of the gap before it closes.
    if ask.1 > 2 && !joints.is_empty() && !matches!(ask.0, Method::Points) {
        let before = run(0).1.distance;
        assert!(
            solution.distance <= before + slack,
            "{before} became {} (slack {slack}, reach {}), {ask:?}",
            solution.distance,
            start.reach()
        );
    }
    chain
}
