//! Two bones for crowds: each lane is what the scalar function makes of that limb alone, mistakes
//! included.
#![cfg(feature = "lanes")]

mod crowd;
#[path = "common/random.rs"]
mod random;

use crowd::{Answer, Chain, Crowd, EXACT, assert_same_mistakes, both};
use random::Random;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, LANES, Quatx8, Vec3x8};
use sinew::{Bend, Effector, Fault, Pole, TwoBoneSettings, reach, two_bone_solve};

/// Bent as limbs are, with a target in or a little out of its reach.
fn usual(random: &mut Random) -> Chain {
    let upper = random.direction();
    let lower = (upper + random.between(0.3, 1.5) * random.direction()).normalize();
    let [a, b] = [random.between(0.5, 1.5), random.between(0.5, 1.5)];
    let root = random.direction() * random.between(0.0, 2.0);
    let middle = root + upper * a;
    let share = random.between(0.2, 1.1);
    Chain {
        positions: vec![root, middle, middle + lower * b],
        rotations: [0; 3].map(|_| random.rotation()).into(),
        target: root + random.direction() * (a + b) * share,
    }
}

fn of_any_kind(random: &mut Random) -> Chain {
    let mut limb = usual(random);
    let (root, middle, effector) = (limb.positions[0], limb.positions[1], limb.positions[2]);
    match random.below(12) {
        0 => limb.target = root,
        1 => limb.target = effector,
        2 => limb.target = root + (effector - root) * random.between(-1.2, 1.2),
        3 => limb.positions[1] = root,
        4 => limb.positions[2] = middle,
        5 => limb.positions.fill(root),
        6 => limb.positions[2] = middle + (middle - root) * random.between(-1.0, 1.0),
        7 => limb.target *= 1e9,
        8 => limb.positions.iter_mut().chain([&mut limb.target]).for_each(|p| *p *= 1e-8),
        9 => limb.positions.iter_mut().chain([&mut limb.target]).for_each(|p| p.x += 1e3),
        _ => {}
    }
    limb
}

fn settings(random: &mut Random) -> TwoBoneSettings {
    let direction = random.direction();
    let pole = [Pole::Keep, Pole::Direction(direction * 3.0), Pole::Point(direction * 2.0)];
    let set = random.rotation();
    TwoBoneSettings {
        bend: Bend {
            pole: pole[random.below(3)],
            axis: (random.below(4) == 0).then(|| random.direction()),
        },
        range: if random.below(6) == 0 { [0.1, 2.5] } else { [0.0, core::f32::consts::PI] },
        softness: if random.below(6) == 0 { 0.1 } else { 0.0 },
        max_stretch: [1.0, 1.2][random.below(2)],
        lengths: (random.below(4) == 0).then_some([1.0, 0.8]),
        effector: [Effector::Follow, Effector::Keep, Effector::Set(set)][random.below(3)],
    }
}

fn solved(limbs: &[Chain; LANES], settings: &TwoBoneSettings) -> [(Answer, Answer); LANES] {
    both(
        limbs,
        |Crowd { positions, rotations, targets }| {
            lanes::two_bone_solve(positions, rotations, *targets, settings)
        },
        |Chain { positions, rotations, target }| {
            two_bone_solve(positions, rotations, *target, settings)
        },
    )
}

/// Bit for bit under `deterministic`, whatever the limb.
#[test]
fn each_limb_is_what_it_is_alone() {
    let mut random = Random::new(1);
    for round in 0..3000 {
        let limbs = core::array::from_fn(|_| of_any_kind(&mut random));
        let settings = settings(&mut random);
        for (lane, (wide, alone)) in solved(&limbs, &settings).iter().enumerate() {
            if EXACT {
                let context = format!("lane {lane} of round {round}, {settings:?}");
                assert_eq!(wide.bits(), alone.bits(), "{context}");
            } else {
                assert_eq!(wide.solution.is_ok(), alone.solution.is_ok());
            }
        }
    }
}

/// As near as the documentation says, for limbs as they are, whatever the features.
#[test]
fn usual_limbs_are_as_near_as_rounding_lets_them() {
    let mut random = Random::new(2);
    let (mut apart, mut turned): (f32, f32) = (0.0, 0.0);
    for _ in 0..3000 {
        let limbs = core::array::from_fn(|_| usual(&mut random));
        let settings = TwoBoneSettings {
            bend: Pole::Direction(random.direction()).into(),
            ..TwoBoneSettings::default()
        };
        for (limb, (wide, alone)) in limbs.iter().zip(solved(&limbs, &settings)) {
            assert!(wide.solution.is_ok() && alone.solution.is_ok());
            let longest = reach(&limb.positions).unwrap().longest;
            let (wide, alone) = (wide.chain, alone.chain);
            for i in 0..3 {
                apart = apart.max(wide.positions[i].distance(alone.positions[i]) / longest);
                let between = wide.rotations[i] * alone.rotations[i].conjugate();
                turned = turned.max(2.0 * between.xyz().length());
            }
        }
    }
    println!("furthest apart: {apart:e} of the reach, {turned:e} rad");
    assert!(apart <= 1e-5 && turned <= 1e-4, "{apart} {turned}");
}

#[test]
fn each_lane_has_its_own_mistake() {
    let mut random = Random::new(3);
    let mut limbs: [Chain; LANES] = core::array::from_fn(|_| usual(&mut random));
    limbs[0].positions[1].y = f32::NAN;
    limbs[3].target.x = 2e12;
    limbs[6].rotations[2] = Quat::from_xyzw(0.0, 0.0, 0.0, 0.9);
    let good = TwoBoneSettings::default();
    let bad = TwoBoneSettings { softness: 2.0, ..good };
    for settings in [good, bad] {
        assert_same_mistakes(&limbs, &solved(&limbs, &settings));
    }
}

#[test]
fn what_is_wrong_with_all_is_every_lanes_mistake() {
    let settings = TwoBoneSettings::default();
    let target = Vec3x8::splat(Vec3::X);
    for (joints, rotations, argument, actual) in [(4, 3, "positions", 4), (3, 2, "rotations", 2)] {
        let mut p = vec![Vec3x8::splat(Vec3::ZERO); joints];
        let mut r = vec![Quatx8::IDENTITY; rotations];
        for each in lanes::two_bone_solve(&mut p, &mut r, target, &settings) {
            let error = each.unwrap_err();
            let fault = Fault::Length { expected: 3, actual };
            assert_eq!((error.argument, error.fault), (argument, fault));
        }
    }
}
