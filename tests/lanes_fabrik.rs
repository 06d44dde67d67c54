//! FABRIK for crowds: each lane is what the scalar function makes of that chain alone, mistakes
//! included.
#![cfg(feature = "lanes")]

#[path = "common/random.rs"]
mod random;

use random::Random;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, LANES, Quatx8, Vec3x8};
use sinew::{
    FabrikSettings, Fault, Joint3, Solution, Status, fabrik_positions, fabrik_solve, reach,
};

/// A chain in some pose, and its target.
#[derive(Clone)]
struct Chain {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    target: Vec3,
}

impl Chain {
    /// Bones of these lengths that bend by up to about `bend` from one to the next.
    fn bent(lengths: &[f32], bend: f32, random: &mut Random) -> Self {
        let mut direction = random.direction();
        let (mut positions, mut rotations) = (vec![Vec3::ZERO], vec![random.rotation()]);
        for length in lengths {
            direction = (direction + bend * random.direction()).normalize();
            positions.push(*positions.last().unwrap() + direction * *length);
            rotations.push(random.rotation());
        }
        Self { positions, rotations, target: Vec3::ZERO }
    }

    fn moved(mut self, by: Vec3) -> Self {
        self.positions.iter_mut().for_each(|p| *p += by);
        self.target += by;
        self
    }

    fn scaled(mut self, by: f32) -> Self {
        self.positions.iter_mut().for_each(|p| *p *= by);
        self.target *= by;
        self
    }

    fn tip(&self) -> Vec3 {
        *self.positions.last().unwrap()
    }

    /// One of everything that a chain can be in.
    fn of_any_kind(bones: usize, random: &mut Random) -> Self {
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
        let mut chain = Self::bent(&lengths, bend, random);
        let share = random.between(0.0, 1.1);
        chain.target = match kind {
            3 => Vec3::ZERO,
            4 => chain.tip(),
            5 => chain.tip() * random.between(-1.2, 1.2),
            6 => chain.tip() + random.direction() * 2e-3 * longest,
            7 => random.direction() * longest * (1.0 - random.between(-1e-4, 1e-4)),
            8 => random.direction() * longest * 1e8,
            9 => chain.positions[bones / 2],
            _ => random.direction() * share * longest,
        };
        match random.below(6) {
            0 => chain.moved(random.direction() * 1e3),
            1 => chain.scaled(1e-8),
            2 => chain.scaled(1e7),
            _ => chain,
        }
    }
}

/// Eight chains, as a crowd holds them.
struct Crowd {
    positions: Vec<Vec3x8>,
    rotations: Vec<Quatx8>,
    targets: Vec3x8,
}

impl Crowd {
    fn of(chains: &[Chain; LANES]) -> Self {
        let joints = 0..chains[0].positions.len();
        let lanes = core::array::from_fn::<_, LANES, _>(|lane| &chains[lane]);
        Self {
            positions: joints.clone().map(|i| lanes.map(|c| c.positions[i]).into()).collect(),
            rotations: joints.map(|i| lanes.map(|c| c.rotations[i]).into()).collect(),
            targets: lanes.map(|c| c.target).into(),
        }
    }

    fn chain(&self, lane: usize) -> Chain {
        Chain {
            positions: self.positions.iter().map(|p| p.lane(lane)).collect(),
            rotations: self.rotations.iter().map(|r| r.lane(lane)).collect(),
            target: self.targets.lane(lane),
        }
    }
}

/// Every bit of a chain and of what was reported of it.
fn bits(chain: &Chain, solution: &Result<Solution, sinew::Error>) -> (Vec<u32>, String) {
    let positions = chain.positions.iter().flat_map(Vec3::to_array);
    let rotations = chain.rotations.iter().flat_map(Quat::to_array);
    (positions.chain(rotations).map(f32::to_bits).collect(), format!("{solution:?}"))
}

fn crowd(bones: usize, random: &mut Random) -> [Chain; LANES] {
    core::array::from_fn(|_| Chain::of_any_kind(bones, random))
}

const COUNTS: [usize; 7] = [1, 2, 3, 5, 10, 40, 100];

fn settings(random: &mut Random) -> FabrikSettings {
    FabrikSettings {
        max_iterations: [0, 1, 2, 32][random.below(4)],
        tolerance: [0.0, 1e-5, 1e-3, 1e-3][random.below(4)],
    }
}

/// Bit for bit, whatever the features: points need no SIMD of glam's.
#[test]
fn each_rope_is_what_it_is_alone() {
    let mut random = Random::new(1);
    for round in 0..600 {
        let bones = COUNTS[round % COUNTS.len()];
        let chains = crowd(bones, &mut random);
        let settings = settings(&mut random);
        let mut wide = Crowd::of(&chains);
        let each = lanes::fabrik_positions(&mut wide.positions, wide.targets, &settings);
        for (lane, mut alone) in chains.into_iter().enumerate() {
            let solution = fabrik_positions(&mut alone.positions, alone.target, &settings);
            let (wide, alone) = (bits(&wide.chain(lane), &each[lane]), bits(&alone, &solution));
            assert_eq!(wide, alone, "{bones} bones, lane {lane} of round {round}");
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
        let chains = crowd(bones, &mut random);
        let settings = settings(&mut random);
        let joints = match random.below(4) {
            0 => vec![Joint3::cone(Vec3::Y, 1.2).with_twist(-1.0, 1.0); bones],
            1 => vec![Joint3::free(); bones],
            _ => Vec::new(),
        };
        let mut wide = Crowd::of(&chains);
        let each = lanes::fabrik_solve(
            &mut wide.positions,
            &mut wide.rotations,
            &joints,
            wide.targets,
            &settings,
        );
        for (lane, mut alone) in chains.into_iter().enumerate() {
            let longest = reach(&alone.positions).unwrap().longest;
            let solution = fabrik_solve(
                &mut alone.positions,
                &mut alone.rotations,
                &joints,
                alone.target,
                &settings,
            );
            let wide = wide.chain(lane);
            if cfg!(feature = "deterministic") {
                let context = format!("{bones} bones, lane {lane} of round {round}");
                assert_eq!(bits(&wide, &each[lane]), bits(&alone, &solution), "{context}");
            } else if settings.max_iterations == 1 && joints.is_empty() {
                let apart =
                    wide.positions.iter().zip(&alone.positions).map(|(a, b)| a.distance(*b));
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
    let mut chains = crowd(6, &mut random);
    for chain in &mut chains {
        *chain = Chain::bent(&[1.0; 6], 0.5, &mut random);
        chain.target = random.direction() * 3.0;
    }
    for chain in &mut chains[4..] {
        chain.positions.fill(Vec3::ZERO);
        chain.rotations.fill(Quat::IDENTITY);
        chain.target = Vec3::ZERO;
    }
    let mut wide = Crowd::of(&chains);
    let settings = FabrikSettings::default();
    let each = lanes::fabrik_positions(&mut wide.positions, wide.targets, &settings);
    for (lane, solution) in each.into_iter().enumerate() {
        let solution = solution.unwrap();
        assert_eq!((solution.status, solution.iterations > 0), (Status::Reached, lane < 4));
        assert!(lane < 4 || wide.chain(lane).positions.iter().all(|p| *p == Vec3::ZERO));
    }
}

/// A lane that is done keeps its pose bit for bit while others go on.
#[test]
fn lanes_that_finish_early_wait() {
    let mut random = Random::new(4);
    let mut iterations = [0; LANES];
    for _ in 0..50 {
        let chains = core::array::from_fn(|lane| {
            let mut chain = Chain::bent(&[1.0; 5], 0.4, &mut random);
            let nearness = if lane % 2 == 0 { 0.999 } else { 0.3 };
            chain.target = random.direction() * 5.0 * nearness;
            chain
        });
        let settings = FabrikSettings { tolerance: 1e-5, ..FabrikSettings::default() };
        let mut wide = Crowd::of(&chains);
        let each = lanes::fabrik_positions(&mut wide.positions, wide.targets, &settings);
        for (lane, mut alone) in chains.into_iter().enumerate() {
            let solution = fabrik_positions(&mut alone.positions, alone.target, &settings);
            assert_eq!(bits(&wide.chain(lane), &each[lane]), bits(&alone, &solution));
            iterations[lane] += solution.unwrap().iterations;
        }
    }
    let (most, least) = (iterations.iter().max().unwrap(), iterations.iter().min().unwrap());
    assert!(*most > 2 * least, "the lanes differ: {iterations:?}");
}

#[test]
fn each_lane_has_its_own_mistake() {
    let mut random = Random::new(5);
    let start = core::array::from_fn(|_| {
        let mut chain = Chain::bent(&[1.0; 4], 0.3, &mut random);
        chain.target = random.direction() * 2.0;
        chain
    });
    let mut chains = start.clone();
    chains[1].positions[2].z = f32::NAN;
    chains[2].positions[4].x = 2e12;
    chains[3].target.y = f32::INFINITY;
    chains[5].rotations[1] = Quat::from_xyzw(0.0, 0.0, 0.0, 1.1);
    let good = FabrikSettings::default();
    for joints in [vec![], vec![Joint3::free(); 4], vec![Joint3::hinge(Vec3::ZERO, 0.0, 1.0); 4]] {
        let mut wide = Crowd::of(&chains);
        let (p, r) = (&mut wide.positions, &mut wide.rotations);
        let each = lanes::fabrik_solve(p, r, &joints, wide.targets, &good);
        for (lane, mut alone) in chains.clone().into_iter().enumerate() {
            let solution = fabrik_solve(
                &mut alone.positions,
                &mut alone.rotations,
                &joints,
                alone.target,
                &good,
            );
            assert_eq!(each[lane].err(), solution.err(), "lane {lane}");
            let before = &chains[lane];
            if each[lane].is_err() {
                assert_eq!(bits(&wide.chain(lane), &each[lane]), bits(before, &each[lane]));
            }
        }
    }
    let mut wide = Crowd::of(&chains);
    let each = lanes::fabrik_positions(&mut wide.positions, wide.targets, &good);
    for (lane, mut alone) in chains.clone().into_iter().enumerate() {
        let solution = fabrik_positions(&mut alone.positions, alone.target, &good);
        assert_eq!(bits(&wide.chain(lane), &each[lane]), bits(&alone, &solution));
    }
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
