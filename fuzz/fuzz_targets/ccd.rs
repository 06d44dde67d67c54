//! Chains of any numbers: an error that leaves the slices as they were, or a finite pose. Chains
//! of sound numbers: lengths, limits, an honest report, and never further from the target.
#![no_main]
#![allow(missing_docs)]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{CcdSettings, Joint2, Joint3, Order, Rot2, Rotation, Status, Vector, ccd_solve};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::joints::{Spec2, Spec3};
use sinew_fuzz::oracle::Chain;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => wild_space(&mut bits),
        1 => wild_plane(&mut bits),
        2 => sound_plane(&mut bits),
        _ => sound_space(&mut bits),
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

/// As many of something as there are joints, now and then one more or one less.
fn some<T>(bits: &mut Bits, count: usize, mut one: impl FnMut(&mut Bits) -> T) -> Vec<T> {
    let count = match bits.byte() {
        0 => count + 1,
        1 => count.saturating_sub(1),
        2 => 0,
        _ => count,
    };
    (0..count).map(|_| one(bits)).collect()
}

fn wild_space(bits: &mut Bits) {
    let settings = settings(bits, true);
    let count = bits.below(10);
    let positions = some(bits, count, |bits| bits.any_vec3());
    let sound = bits.below(4) > 0;
    let rotations = some(bits, count, |bits| if sound { bits.quat() } else { bits.any_quat() });
    let sound = bits.below(4) > 0;
    let joints: Vec<Joint3> =
        some(bits, count.saturating_sub(1), |bits| Spec3::new(bits, !sound).joint);
    let target = bits.any_vec3();
    wild(Chain { positions, rotations }, &joints, target, &settings);
}

fn wild_plane(bits: &mut Bits) {
    let settings = settings(bits, true);
    let count = bits.below(10);
    let positions = some(bits, count, |bits| bits.any_vec2());
    let sound = bits.below(4) > 0;
    let rotations = some(bits, count, |bits| {
        if sound { bits.rot2() } else { Rot2 { cos: bits.any(), sin: bits.any() } }
    });
    let sound = bits.below(4) > 0;
    let joints: Vec<Joint2> =
        some(bits, count.saturating_sub(1), |bits| Spec2::new(bits, !sound).joint);
    let target = bits.any_vec2();
    wild(Chain { positions, rotations }, &joints, target, &settings);
}

fn wild<V: Vector>(start: Chain<V>, joints: &[V::Joint], target: V, settings: &CcdSettings) {
    let mut chain = start.clone();
    match ccd_solve(&mut chain.positions, &mut chain.rotations, joints, target, settings) {
        Err(_) => chain.assert_same_bits(&start),
        Ok(solution) => {
            assert!(chain.is_finite(), "{start:?} with {joints:?} to {target:?}: {chain:?}");
            assert!(solution.distance.is_finite() && solution.distance >= 0.0);
            assert!(solution.iterations <= settings.max_iterations);
        }
    }
}

fn sound_space(bits: &mut Bits) {
    let settings = settings(bits, false);
    let count = 2 + bits.below(11);
    let (mut at, mut turn) = (bits.vec3(), Quat::IDENTITY);
    let mut start = Chain { positions: Vec::new(), rotations: Vec::new() };
    for _ in 0..count {
        turn = (turn * bits.quat()).normalize();
        start.positions.push(at);
        start.rotations.push(turn);
        at += turn * bits.vec3();
    }
    let specs: Vec<_> = match bits.byte() % 4 {
        0 => Vec::new(),
        _ => (1..count).map(|_| Spec3::new(bits, false)).collect(),
    };
    let joints: Vec<_> = specs.iter().map(|spec| spec.joint).collect();
    let target: Vec3 = bits.vec3() * 2.0;
    let chain = sound(&start, &joints, target, &settings);
    let mut parent = Quat::IDENTITY;
    for (spec, rotation) in specs.iter().zip(&chain.rotations) {
        let excess = spec.excess(parent.as_dquat().conjugate() * rotation.as_dquat());
        assert!(
            excess < 1e-5,
            "{excess} rad outside {spec:?}: {start:?} to {target}, {settings:?}, {chain:?}"
        );
        parent = *rotation;
    }
}

fn sound_plane(bits: &mut Bits) {
    let settings = settings(bits, false);
    let count = 2 + bits.below(11);
    let (mut at, mut turn) = (bits.vec2(), Rot2::IDENTITY);
    let mut start = Chain { positions: Vec::new(), rotations: Vec::new() };
    for _ in 0..count {
        turn = (turn * bits.rot2()).normalize();
        start.positions.push(at);
        start.rotations.push(turn);
        at += turn * bits.vec2();
    }
    let specs: Vec<_> = match bits.byte() % 4 {
        0 => Vec::new(),
        _ => (1..count).map(|_| Spec2::new(bits, false)).collect(),
    };
    let joints: Vec<_> = specs.iter().map(|spec| spec.joint).collect();
    let target: Vec2 = bits.vec2() * 2.0;
    let chain = sound(&start, &joints, target, &settings);
    let mut parent = Rot2::IDENTITY;
    for (spec, rotation) in specs.iter().zip(&chain.rotations) {
        let excess = spec.excess(parent.inverse() * *rotation);
        assert!(excess < 1e-5, "{excess} rad outside {spec:?}");
        parent = *rotation;
    }
}

/// Solves, and checks all that does not depend on the dimension.
fn sound<V: Vector>(
    start: &Chain<V>,
    joints: &[V::Joint],
    target: V,
    settings: &CcdSettings,
) -> Chain<V> {
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
