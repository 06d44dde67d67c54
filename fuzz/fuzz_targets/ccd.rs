//! Chains of any numbers: an error that leaves the slices as they were, or a finite pose. Chains
//! of sound numbers: lengths, limits, an honest report, and never further from the target.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{CcdSettings, Order, Rotation, Status, Vector, ccd_solve};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::chains::{self, Problem};
use sinew_fuzz::oracle::{Chain, assert_same_bits};

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => {
            let settings = settings(&mut bits, true);
            wild(&chains::wild::<Vec3>(&mut bits), &settings);
        }
        1 => {
            let settings = settings(&mut bits, true);
            wild(&chains::wild::<Vec2>(&mut bits), &settings);
        }
        2 => {
            let settings = settings(&mut bits, false);
            let (problem, specs) = chains::sound::<Vec2>(&mut bits);
            chains::assert_limits(&sound(&problem, &settings), &specs);
        }
        _ => {
            let settings = settings(&mut bits, false);
            let (problem, specs) = chains::sound::<Vec3>(&mut bits);
            chains::assert_limits(&sound(&problem, &settings), &specs);
        }
    }
});

fn settings(bits: &mut Bits, wild: bool) -> CcdSettings {
    let order = if bits.byte() < 128 { Order::TipFirst } else { Order::RootFirst };
    let max_iterations = bits.below(40);
    if wild {
        let (tolerance, max_turn, damping) = (bits.any(), bits.any(), bits.any());
        return CcdSettings { max_iterations, tolerance, order, max_turn, damping };
    }
    let tolerance = [0.0, 1e-6, 1e-3, 0.5][bits.below(4)];
    let plain = CcdSettings { max_iterations, tolerance, order, ..CcdSettings::default() };
    if bits.byte() < 200 {
        return plain;
    }
    CcdSettings { max_turn: 0.01 + bits.share(), damping: 0.9 * bits.share(), ..plain }
}

fn wild<V: Vector>(problem: &Problem<V>, settings: &CcdSettings) {
    let Problem { start, joints, target } = problem;
    let mut chain = start.clone();
    match ccd_solve(&mut chain.positions, &mut chain.rotations, joints, *target, settings) {
        Err(error) => assert_same_bits(&chain, start, &error),
        Ok(solution) => {
            assert!(chain.is_finite(), "{start:?} with {joints:?} to {target:?}: {chain:?}");
            assert!(solution.distance.is_finite() && solution.distance >= 0.0);
            assert!(solution.iterations <= settings.max_iterations);
        }
    }
}

/// Solves, and checks all that does not depend on the dimension.
fn sound<V: Vector>(problem: &Problem<V>, settings: &CcdSettings) -> Chain<V> {
    let Problem { start, joints, target } = problem;
    let target = *target;
    let reach = start.reach();
    let size = start.size().max(target.largest());
    // What rounding leaves of a distance, a little from each bone.
    let slack = 4.0 * f32::EPSILON * size * start.positions.len() as f32;
    let solve = |from: &Chain<V>, most: usize| {
        let mut chain = from.clone();
        let settings = CcdSettings { max_iterations: most, ..*settings };
        let solution =
            ccd_solve(&mut chain.positions, &mut chain.rotations, joints, target, &settings)
                .expect("sound numbers");
        (chain, solution)
    };

    let (chain, solution) = solve(start, settings.max_iterations);
    assert!(chain.is_finite(), "{start:?} with {joints:?} to {target:?}, {settings:?}: {chain:?}");
    assert_eq!(chain.positions.first(), start.positions.first(), "the root moved");
    chain.assert_lengths(start, 1e-5, slack);
    for rotation in &chain.rotations {
        assert!((rotation.norm() - 1.0).abs() < 1e-5);
    }

    let tip = *chain.positions.last().expect("two joints or more");
    assert!((tip.distance(target) - solution.distance).abs() <= slack);
    assert!(solution.iterations <= settings.max_iterations);
    if solution.status == Status::Reached {
        assert!(solution.distance <= settings.tolerance * reach * (1.0 + 1e-4) + slack);
    }
    // What is there by more than rounding is there when it is asked again. A rotation that
    // rounding has pushed over its limit's edge may cost a few sweeps once more.
    if solution.distance + 2.0 * slack < settings.tolerance * reach {
        let (again, report) = solve(&chain, settings.max_iterations);
        if settings.max_iterations > 0 {
            assert_eq!(report.status, Status::Reached, "{joints:?}, {settings:?}");
        }
        if report.iterations == 0 {
            again.assert_near(&chain, 1e-5 * reach + slack);
        }
    }

    // Sweep by sweep from the start inside its limits.
    let mut before = solve(start, 0).1.distance;
    for most in 1..=settings.max_iterations.min(8) {
        let distance = solve(start, most).1.distance;
        assert!(distance <= before + slack, "sweep {most}: {before} became {distance}");
        before = distance;
    }
    chain
}

/// The length of a rotation's numbers, through what the trait shows.
trait Norm {
    fn norm(&self) -> f32;
}

impl<R: Rotation> Norm for R {
    fn norm(&self) -> f32 {
        self.norm_squared().sqrt()
    }
}
