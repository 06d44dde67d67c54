//! FABRIK for crowds: each lane is what the scalar function makes of that chain alone, mistakes
//! included.
#![cfg(feature = "lanes")]

mod crowd;
#[path = "common/random.rs"]
mod random;

use crowd::{Answer, Chain, Crowd, EXACT, assert_same_mistakes, both};
use random::Random;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, LANES, Quatx8, Vec3x8};
use sinew::{FabrikSettings, Fault, Joint3, Status, fabrik_positions, fabrik_solve, reach};

/// Bones of these lengths that bend by up to about `bend` from one to the next.
fn bent(lengths: &[f32], bend: f32, random: &mut Random) -> Chain {
    let mut direction = random.direction();
    let (mut positions, mut rotations) = (vec![Vec3::ZERO], vec![random.rotation()]);
    for length in lengths {
        direction = (direction + bend * random.direction()).normalize();
        positions.push(*positions.last().unwrap() + direction * *length);
        rotations.push(random.rotation());
    }
    Chain { positions, rotations, target: Vec3::ZERO }
}

fn placed(mut chain: Chain, place: impl Fn(Vec3) -> Vec3) -> Chain {
    chain.positions.iter_mut().for_each(|p| *p = place(*p));
    chain.target = place(chain.target);
    chain
}

/// One of everything that a chain can be in.
fn of_any_kind(bones: usize, random: &mut Random) -> Chain {
    let kind = random.below(12);
    let mut lengths: Vec<_> = (0..bones).map(|_| random.between(0.3, 1.3)).collect();
    match kind {
        0 => lengths[random.below(2) % bones] = 0.0,
        1 => lengths[bones / 2] = 3.0 * bones as f32,
        2 => lengths.fill(0.0),
        _ => {}
    }
    let longest: f32 = lengths.iter().sum();
    let bend = [0.0, 1e-4, 0.3, 1.0, 4.0][random.below(5)];
    let mut chain = bent(&lengths, bend, random);
    let share = random.between(0.0, 1.1);
    let tip = chain.positions[bones];
    chain.target = match kind {
        3 => Vec3::ZERO,
        4 => tip,
        5 => tip * random.between(-1.2, 1.2),
        6 => tip + random.direction() * 2e-3 * longest,
        7 => random.direction() * longest * (1.0 - random.between(-1e-4, 1e-4)),
        8 => random.direction() * longest * 1e8,
        9 => chain.positions[bones / 2],
        _ => random.direction() * share * longest,
    };
    match random.below(6) {
        0 => {
            let by = random.direction() * 1e3;
            placed(chain, |p| p + by)
        }
        1 => placed(chain, |p| p * 1e-8),
        2 => placed(chain, |p| p * 1e7),
        _ => chain,
    }
}

fn chains(bones: usize, random: &mut Random) -> [Chain; LANES] {
    core::array::from_fn(|_| of_any_kind(bones, random))
}

const COUNTS: [usize; 7] = [1, 2, 3, 5, 10, 40, 100];

fn settings(random: &mut Random) -> FabrikSettings {
    FabrikSettings {
        max_iterations: [0, 1, 2, 32][random.below(4)],
        tolerance: [0.0, 1e-5, 1e-3, 1e-3][random.below(4)],
    }
}

fn ropes(chains: &[Chain; LANES], settings: &FabrikSettings) -> [(Answer, Answer); LANES] {
    both(
        chains,
        |all| lanes::fabrik_positions(&mut all.positions, all.targets, settings),
        |one| fabrik_positions(&mut one.positions, one.target, settings),
    )
}

fn poses(
    chains: &[Chain; LANES],
    joints: &[Joint3],
    settings: &FabrikSettings,
) -> [(Answer, Answer); LANES] {
    both(
        chains,
        |Crowd { positions, rotations, targets }| {
            lanes::fabrik_solve(positions, rotations, joints, *targets, settings)
        },
        |Chain { positions, rotations, target }| {
            fabrik_solve(positions, rotations, joints, *target, settings)
        },
    )
}

/// Bit for bit, whatever the features: points need no SIMD of glam's.
#[test]
fn each_rope_is_what_it_is_alone() {
    let mut random = Random::new(1);
    for round in 0..600 {
        let bones = COUNTS[round % COUNTS.len()];
        let chains = chains(bones, &mut random);
        let answers = ropes(&chains, &settings(&mut random));
        for (lane, (wide, alone)) in answers.iter().enumerate() {
            assert_eq!(wide.bits(), alone.bits(), "{bones} bones, lane {lane} of round {round}");
        }
    }
}

/// Bit for bit under `deterministic`, else as near as the documentation says.
#[test]
fn each_chain_is_what_it_is_alone() {
    let mut random = Random::new(2);
    let mut worst: f32 = 0.0;
    for round in 0..600 {
        let bones = COUNTS[round % COUNTS.len()];
        let chains = chains(bones, &mut random);
        let settings = settings(&mut random);
        let joints = match random.below(4) {
            0 => vec![Joint3::cone(Vec3::Y, 1.2).with_twist(-1.0, 1.0); bones],
            1 => vec![Joint3::free(); bones],
            _ => Vec::new(),
        };
        let answers = poses(&chains, &joints, &settings);
        for (lane, (wide, alone)) in answers.iter().enumerate() {
            if EXACT {
                let context = format!("{bones} bones, lane {lane} of round {round}");
                assert_eq!(wide.bits(), alone.bits(), "{context}");
            } else if settings.max_iterations == 1 && joints.is_empty() {
                let longest = reach(&chains[lane].positions).unwrap().longest;
                let apart = (wide.chain.positions.iter().zip(&alone.chain.positions))
                    .map(|(a, b)| a.distance(*b));
                worst = worst.max(apart.fold(0.0, f32::max) / longest.max(f32::MIN_POSITIVE));
            }
        }
    }
    println!("furthest apart: {worst:e} of the reach");
    assert!(worst <= 1e-3, "{worst}");
}

/// A crowd of twenty: the last lanes hold nothing.
#[test]
fn idle_lanes_hold_nobody_up() {
    let mut random = Random::new(3);
    let mut chains: [Chain; LANES] = core::array::from_fn(|_| {
        let chain = bent(&[1.0; 6], 0.5, &mut random);
        Chain { target: random.direction() * 3.0, ..chain }
    });
    for chain in &mut chains[4..] {
        chain.positions.fill(Vec3::ZERO);
        chain.rotations.fill(Quat::IDENTITY);
        chain.target = Vec3::ZERO;
    }
    let answers = ropes(&chains, &FabrikSettings::default());
    for (lane, (wide, _)) in answers.iter().enumerate() {
        let solution = wide.solution.unwrap();
        assert_eq!((solution.status, solution.iterations > 0), (Status::Reached, lane < 4));
        assert!(lane < 4 || wide.chain.positions.iter().all(|p| *p == Vec3::ZERO));
    }
}

/// A lane that is done keeps its pose bit for bit while others go on.
#[test]
fn lanes_that_finish_early_wait() {
    let mut random = Random::new(4);
    let mut iterations = [0; LANES];
    for _ in 0..50 {
        let chains = core::array::from_fn(|lane| {
            let chain = bent(&[1.0; 5], 0.4, &mut random);
            let nearness = if lane % 2 == 0 { 0.999 } else { 0.3 };
            Chain { target: random.direction() * 5.0 * nearness, ..chain }
        });
        let settings = FabrikSettings { tolerance: 1e-5, ..FabrikSettings::default() };
        for (lane, (wide, alone)) in ropes(&chains, &settings).iter().enumerate() {
            assert_eq!(wide.bits(), alone.bits());
            iterations[lane] += alone.solution.unwrap().iterations;
        }
    }
    let (most, least) = (iterations.iter().max().unwrap(), iterations.iter().min().unwrap());
    assert!(*most > 2 * least, "the lanes differ: {iterations:?}");
}

#[test]
fn each_lane_has_its_own_mistake() {
    let mut random = Random::new(5);
    let mut chains: [Chain; LANES] = core::array::from_fn(|_| {
        let chain = bent(&[1.0; 4], 0.3, &mut random);
        Chain { target: random.direction() * 2.0, ..chain }
    });
    chains[1].positions[2].z = f32::NAN;
    chains[2].positions[4].x = 2e12;
    chains[3].target.y = f32::INFINITY;
    chains[5].rotations[1] = Quat::from_xyzw(0.0, 0.0, 0.0, 1.1);
    let good = FabrikSettings::default();
    for joints in [vec![], vec![Joint3::free(); 4], vec![Joint3::hinge(Vec3::ZERO, 0.0, 1.0); 4]] {
        assert_same_mistakes(&chains, &poses(&chains, &joints, &good));
    }
    assert_same_mistakes(&chains, &ropes(&chains, &good));
}

#[test]
fn what_is_wrong_with_all_is_every_lanes_mistake() {
    let good = FabrikSettings::default();
    let bad = FabrikSettings { tolerance: -1.0, ..good };
    let target = Vec3x8::splat(Vec3::X);
    let chain = |joints: usize| vec![Vec3x8::splat(Vec3::ZERO); joints];
    for (mut p, settings, argument, fault) in [
        (chain(3), bad, "settings.tolerance", Fault::OutOfRange),
        (chain(1), good, "positions", Fault::TooShort { least: 2, actual: 1 }),
        (chain(129), good, "positions", Fault::TooLong { most: 128, actual: 129 }),
    ] {
        let mut r = vec![Quatx8::IDENTITY; p.len()];
        let points = lanes::fabrik_positions(&mut p, target, &settings);
        let poses = lanes::fabrik_solve(&mut p, &mut r, &[], target, &settings);
        for each in points.into_iter().chain(poses) {
            let error = each.unwrap_err();
            assert_eq!((error.argument, error.fault), (argument, fault));
        }
    }
    let each = lanes::fabrik_solve(&mut chain(3), &mut [Quatx8::IDENTITY; 2], &[], target, &good);
    let fault = Fault::Length { expected: 3, actual: 2 };
    assert!(each.iter().all(|e| e.is_err_and(|e| (e.argument, e.fault) == ("rotations", fault))));
}
