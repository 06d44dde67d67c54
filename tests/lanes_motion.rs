//! Crowds that move: each lane is what the scalar function makes of that character alone, mistakes
//! included.
#![cfg(feature = "lanes")]

mod common;
#[path = "common/random.rs"]
mod random;

use common::config;
use proptest::prelude::*;
use random::Random;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, Each, F32x8, LANES, Quatx8, Vec3x8};
use sinew::{
    Capsule, CenterSpace, Collider, DistanceConstraint, Error, Hold, Moving, Plane, Pose,
    Relaxation, Residual, Sphere, Spring, SpringBones, SpringJoint, SpringReport, SpringRule,
    SpringState, Verlet, VerletReport, chain_constraints, damp, damp_half_life, damp_slice,
    distance_constraints, spring_bone_step, spring_slice, spring_step, verlet_step,
};

// ---- what is compared --------------------------------------------------------------------------

/// Something that eight characters have one each of.
trait Lanes: Copy {
    type One: Copy;

    fn of(ones: [Self::One; LANES]) -> Self;
    fn one(&self, lane: usize) -> Self::One;
    fn bits(one: Self::One) -> Vec<u32>;
}

impl Lanes for F32x8 {
    type One = f32;

    fn of(ones: [f32; LANES]) -> Self {
        ones.into()
    }

    fn one(&self, lane: usize) -> f32 {
        self.lane(lane)
    }

    fn bits(one: f32) -> Vec<u32> {
        vec![one.to_bits()]
    }
}

impl Lanes for Vec3x8 {
    type One = Vec3;

    fn of(ones: [Vec3; LANES]) -> Self {
        ones.into()
    }

    fn one(&self, lane: usize) -> Vec3 {
        self.lane(lane)
    }

    fn bits(one: Vec3) -> Vec<u32> {
        one.to_array().map(f32::to_bits).to_vec()
    }
}

impl Lanes for Quatx8 {
    type One = Quat;

    fn of(ones: [Quat; LANES]) -> Self {
        ones.into()
    }

    fn one(&self, lane: usize) -> Quat {
        self.lane(lane)
    }

    fn bits(one: Quat) -> Vec<u32> {
        one.to_array().map(f32::to_bits).to_vec()
    }
}

/// Entry by entry, from a list for each character.
fn gather<L: Lanes>(characters: &[Vec<L::One>; LANES]) -> Vec<L> {
    let entry = |i| L::of(core::array::from_fn(|lane| characters[lane][i]));
    (0..characters[0].len()).map(entry).collect()
}

fn assert_same_bits<L: Lanes>(lanes: &[L], characters: &[Vec<L::One>; LANES], what: &str) {
    for (lane, character) in characters.iter().enumerate() {
        for (i, (entry, one)) in lanes.iter().zip(character).enumerate() {
            assert_eq!(L::bits(entry.one(lane)), L::bits(*one), "{what} {i} of lane {lane}");
        }
    }
}

// ---- what is drawn -----------------------------------------------------------------------------

/// A coordinate: mostly ordinary, sometimes where something happens.
fn coordinate(random: &mut Random) -> f32 {
    match random.below(12) {
        0 => 0.0,
        1 => -0.0,
        2 => random.between(-1e-20, 1e-20),
        3 => random.between(-1e11, 1e11),
        _ => random.between(-1.0, 1.0),
    }
}

fn vector(random: &mut Random) -> Vec3 {
    match random.below(8) {
        0 => Vec3::ZERO,
        1 => Vec3::X,
        2 => random.direction() * 1e-18,
        3 => Vec3::new(coordinate(random), coordinate(random), coordinate(random)),
        _ => Vec3::from_array([0; 3].map(|_| random.between(-1.0, 1.0))),
    }
}

/// A caller's mistake in a vector.
fn mistaken(random: &mut Random) -> Vec3 {
    let wrong = [f32::NAN, f32::INFINITY, 2e12][random.below(3)];
    let mut v = vector(random);
    v[random.below(3)] = wrong;
    v
}

fn rate(random: &mut Random) -> f32 {
    match random.below(6) {
        0 => 0.0,
        1 => f32::INFINITY,
        _ => random.between(0.0, 100.0),
    }
}

fn time(random: &mut Random) -> f32 {
    match random.below(8) {
        0 => 0.0,
        1 => 2.0,
        2 => [-1.0, f32::NAN, 1e7][random.below(3)],
        _ => random.between(1e-4, 0.1),
    }
}

/// Lists of vectors for eight characters, one of them mistaken now and then.
fn crowd(random: &mut Random, count: usize, mistakes: bool) -> [Vec<Vec3>; LANES] {
    let mut lists: [Vec<Vec3>; LANES] =
        core::array::from_fn(|_| (0..count).map(|_| vector(random)).collect());
    if mistakes && count > 0 && random.below(3) == 0 {
        #[expect(clippy::cast_possible_truncation, reason = "few entries")]
        let entry = random.below(count as u8);
        lists[random.below(8)][entry] = mistaken(random);
    }
    lists
}

// ---- damping and springs -----------------------------------------------------------------------

/// All that is drawn for one kind of value.
fn assert_damps_alike<L>(random: &mut Random, draw: impl Fn(&mut Random) -> L::One)
where
    L: Lanes + lanes::AnimatedLanes,
    L::One: sinew::Animated,
{
    let mut values: [Vec<L::One>; LANES] = core::array::from_fn(|_| vec![draw(random); 3]);
    let targets: [Vec<L::One>; LANES] =
        core::array::from_fn(|_| (0..3).map(|_| draw(random)).collect());
    let (mut values_x8, targets_x8) = (gather::<L>(&values), gather::<L>(&targets));
    let (rate, dt) = (rate(random), time(random));

    let mut one = values_x8[0];
    let each = lanes::damp(&mut one, targets_x8[0], rate, dt);
    let mut half = values_x8[0];
    let each_half = lanes::damp_half_life(&mut half, targets_x8[0], rate, dt);
    for lane in 0..LANES {
        let (from, to) = (values[lane][0], targets[lane][0]);
        for (each, x, scalar) in [
            (each, one, damp(from, to, rate, dt)),
            (each_half, half, damp_half_life(from, to, rate, dt)),
        ] {
            assert_eq!(each[lane], scalar.map(|_| ()));
            assert_eq!(L::bits(x.one(lane)), L::bits(scalar.unwrap_or(from)));
        }
    }

    let each = lanes::damp_slice(&mut values_x8, &targets_x8, rate, dt);
    for lane in 0..LANES {
        assert_eq!(each[lane], damp_slice(&mut values[lane], &targets[lane], rate, dt));
    }
    assert_same_bits(&values_x8, &values, "value");
}

fn spring(random: &mut Random) -> Spring {
    let frequency = [0.0, 1.0, random.between(0.1, 30.0), -1.0][random.below(4)];
    Spring { frequency, damping_ratio: [0.0, 0.3, 1.0, 3.0][random.below(4)] }
}

fn assert_springs_alike<L>(
    random: &mut Random,
    draw: impl Fn(&mut Random) -> L::One,
    draw_velocity: impl Fn(&mut Random) -> <L::Velocity as Lanes>::One,
) where
    L: Lanes + lanes::AnimatedLanes<Velocity: Lanes>,
    L::One: sinew::Animated<Velocity = <L::Velocity as Lanes>::One>,
{
    let moving =
        |random: &mut Random| Moving { position: draw(random), velocity: draw_velocity(random) };
    let draw_all = |random: &mut Random| -> [Vec<Moving<L::One>>; LANES] {
        core::array::from_fn(|_| (0..3).map(|_| moving(random)).collect())
    };
    let (mut states, targets) = (draw_all(random), draw_all(random));
    let pack = |all: &[Vec<Moving<L::One>>; LANES]| -> Vec<Moving<L>> {
        let entry = |i: usize| Moving {
            position: L::of(core::array::from_fn(|lane| all[lane][i].position)),
            velocity: L::Velocity::of(core::array::from_fn(|lane| all[lane][i].velocity)),
        };
        (0..3).map(entry).collect()
    };
    let (mut states_x8, targets_x8) = (pack(&states), pack(&targets));
    let (spring, dt) = (spring(random), time(random));

    let mut one = states_x8[0];
    let each = lanes::spring_step(&mut one, targets_x8[0], &spring, dt);
    for lane in 0..LANES {
        let mut state = states[lane][0];
        assert_eq!(each[lane], spring_step(&mut state, targets[lane][0], &spring, dt));
        assert_eq!(L::bits(one.position.one(lane)), L::bits(state.position));
    }

    let each = lanes::spring_slice(&mut states_x8, &targets_x8, &spring, dt);
    for lane in 0..LANES {
        assert_eq!(each[lane], spring_slice(&mut states[lane], &targets[lane], &spring, dt));
        for (x8, state) in states_x8.iter().zip(&states[lane]) {
            assert_eq!(L::bits(x8.position.one(lane)), L::bits(state.position));
            let velocity = <L::Velocity as Lanes>::bits(x8.velocity.one(lane));
            assert_eq!(velocity, <L::Velocity as Lanes>::bits(state.velocity));
        }
    }
}

fn sometimes<T>(random: &mut Random, wrong: T, right: T) -> T {
    if random.below(40) == 0 { wrong } else { right }
}

fn any_number(random: &mut Random) -> f32 {
    let x = coordinate(random);
    sometimes(random, f32::NAN, x)
}

fn any_vector(random: &mut Random) -> Vec3 {
    let (wrong, right) = (mistaken(random), vector(random));
    sometimes(random, wrong, right)
}

fn any_rotation(random: &mut Random) -> Quat {
    let q = random.rotation();
    sometimes(random, q * 1.1, q)
}

proptest! {
    #![proptest_config(config(300))]

    /// Numbers, vectors and rotations, bit for bit under any features.
    #[test]
    fn damping_and_springs_are_the_scalars(seed in any::<u64>()) {
        let random = &mut Random::new(seed);
        assert_damps_alike::<F32x8>(random, any_number);
        assert_damps_alike::<Vec3x8>(random, any_vector);
        assert_damps_alike::<Quatx8>(random, any_rotation);
        assert_springs_alike::<F32x8>(random, any_number, any_number);
        assert_springs_alike::<Vec3x8>(random, any_vector, any_vector);
        assert_springs_alike::<Quatx8>(random, any_rotation, any_vector);
    }
}

#[test]
fn lists_of_two_lengths_are_a_mistake_of_every_lane() {
    let each = lanes::damp_slice(&mut [F32x8::ZERO; 2], &[F32x8::ONE], 1.0, 0.1);
    assert_eq!(each, [damp_slice(&mut [0.0; 2], &[1.0], 1.0, 0.1); LANES]);
    assert!(each[0].is_err());
}

// ---- particles ---------------------------------------------------------------------------------

/// None, or one a particle: pinned, light, heavy, and now and then wrong.
fn masses(random: &mut Random, count: usize) -> Vec<f32> {
    if random.below(2) == 0 {
        return vec![];
    }
    let mass = |_| [0.0, 1.0, 0.3, 7.0, sometimes(random, -1.0, 2.0)][random.below(5)];
    (0..count).map(mass).collect()
}

proptest! {
    #![proptest_config(config(400))]

    /// Bit for bit under any features, over several steps.
    #[test]
    fn particles_fall_as_the_scalars(seed in any::<u64>(), count in 0_usize..6) {
        let random = &mut Random::new(seed);
        let mistakes = random.below(2) == 0;
        let (mut x, mut before) = (crowd(random, count, mistakes), crowd(random, count, mistakes));
        let (mut x_x8, mut before_x8) = (gather::<Vec3x8>(&x), gather::<Vec3x8>(&before));
        let pull: [Vec3; LANES] = core::array::from_fn(|_| any_vector(random));
        let own = if random.below(2) == 0 { 0 } else { count };
        let pulls = crowd(random, own, mistakes);
        let pulls_x8 = gather::<Vec3x8>(&pulls);
        let inverse_masses = masses(random, count);
        for _ in 0..4 {
            let drag = [0.0, 0.5, 40.0, sometimes(random, -1.0, 3.0)][random.below(4)];
            let previous_dt = [None, Some(0.01), Some(1e-30)][random.below(3)];
            let max_speed = [f32::INFINITY, 1.0, 0.0][random.below(3)];
            let dt = time(random);
            let each = lanes::verlet_step(
                &mut x_x8,
                &mut before_x8,
                &Verlet {
                    acceleration: pull.into(),
                    accelerations: &pulls_x8,
                    inverse_masses: &inverse_masses,
                    drag,
                    previous_dt,
                    max_speed,
                },
                dt,
            );
            for lane in 0..LANES {
                let settings = Verlet {
                    acceleration: pull[lane],
                    accelerations: &pulls[lane],
                    inverse_masses: &inverse_masses,
                    drag,
                    previous_dt,
                    max_speed,
                };
                let scalar: Result<VerletReport, Error> =
                    verlet_step(&mut x[lane], &mut before[lane], &settings, dt);
                prop_assert_eq!(each[lane], scalar);
            }
            assert_same_bits(&x_x8, &x, "position");
            assert_same_bits(&before_x8, &before, "previous");
        }
    }

    /// Rods, ropes, soft ones, pinned ends, ends in one place: bit for bit under any features.
    #[test]
    fn distances_are_kept_as_the_scalars(seed in any::<u64>(), count in 1_u8..7) {
        let random = &mut Random::new(seed);
        let mut x = crowd(random, count.into(), true);
        let mut x_x8 = gather::<Vec3x8>(&x);
        let soft = random.below(2) == 0;
        let mut constraints: Vec<_> = (0..random.below(9))
            .map(|_| DistanceConstraint {
                particles: [random.below(count), random.below(count)],
                rest: [0.0, 0.5, 1.0][random.below(3)],
                compliance: if soft { [0.0, 1e-3, 10.0][random.below(3)] } else { 0.0 },
                hold: [Hold::Exactly, Hold::AtMost][random.below(2)],
            })
            .collect();
        if let Some(constraint) = constraints.first_mut() {
            constraint.particles[0] = sometimes(random, 7, constraint.particles[0]);
        }
        let given = if soft || random.below(2) == 0 { constraints.len() } else { 0 };
        let mut lambdas: [Vec<f32>; LANES] = core::array::from_fn(|_| {
            (0..given).map(|_| multiplier(random)).collect()
        });
        let mut lambdas_x8 = gather::<F32x8>(&lambdas);
        let inverse_masses = masses(random, count.into());
        let settings = Relaxation {
            inverse_masses: &inverse_masses,
            iterations: [0, 1, 5][random.below(3)],
            dt: [0.0, 1.0 / 60.0, 1e-30][random.below(3)],
        };
        let each: Each<Residual> =
            lanes::distance_constraints(&mut x_x8, &constraints, &mut lambdas_x8, &settings);
        for lane in 0..LANES {
            let scalar =
                distance_constraints(&mut x[lane], &constraints, &mut lambdas[lane], &settings);
            prop_assert_eq!(each[lane], scalar);
        }
        assert_same_bits(&x_x8, &x, "position");
        assert_same_bits(&lambdas_x8, &lambdas, "multiplier");
    }

    #[test]
    fn chains_are_kept_as_the_scalars(seed in any::<u64>(), count in 0_usize..7) {
        let random = &mut Random::new(seed);
        let mut x = crowd(random, count, true);
        let given = if random.below(2) == 0 { 0 } else { count };
        let mut before = crowd(random, given, true);
        let (mut x_x8, mut before_x8) = (gather::<Vec3x8>(&x), gather::<Vec3x8>(&before));
        let bones = sometimes(random, count, count.saturating_sub(1));
        let lengths: Vec<f32> = (0..bones).map(|_| [0.0, 0.5, 1.0][random.below(3)]).collect();
        let inertia = [0.0, 0.9, sometimes(random, 2.0, 1.0)][random.below(3)];
        let each = lanes::chain_constraints(&mut x_x8, &mut before_x8, &lengths, inertia);
        for lane in 0..LANES {
            let scalar = chain_constraints(&mut x[lane], &mut before[lane], &lengths, inertia);
            prop_assert_eq!(each[lane], scalar);
        }
        assert_same_bits(&x_x8, &x, "position");
        assert_same_bits(&before_x8, &before, "previous");
    }
}

fn multiplier(random: &mut Random) -> f32 {
    let right = [0.0, random.between(-1.0, 0.0), 1e30][random.below(3)];
    sometimes(random, f32::NAN, right)
}

// ---- spring bones ------------------------------------------------------------------------------

/// Whether lanes are to be scalars bit for bit: where glam's quaternions are rounded as the lanes'.
/// Elsewhere nothing is met, and nothing is opposite to where it should be: there a rounding
/// decides which way a bone goes.
const EXACT: bool =
    cfg!(any(feature = "deterministic", all(target_feature = "sse2", not(target_feature = "fma"))));

/// How far lanes may be from scalars otherwise, for chains of at least a tenth of a unit of length.
const APART: f32 = if EXACT { 0.0 } else { 1e-6 };

/// A chain of eight characters, and what is around each.
struct Scene {
    poses: [(Vec<Vec3>, Vec<Quat>); LANES],
    state: [Vec<SpringState<Vec3>>; LANES],
    state_x8: Vec<lanes::SpringState>,
    joints: Vec<SpringJoint<Vec3>>,
    colliders: [Vec<Collider<Vec3>>; LANES],
    colliders_before: [Vec<Collider<Vec3>>; LANES],
    center: Option<[CenterSpace<Vec3>; LANES]>,
    external: [Vec<Vec3>; LANES],
}

/// Numbers of the settings that all share.
#[derive(Clone, Copy)]
struct Shared {
    rule: SpringRule,
    iterations: u32,
    max_frames: u32,
    whole_bones: bool,
}

fn joint(random: &mut Random) -> SpringJoint<Vec3> {
    let any = SpringJoint {
        stiffness: [0.0, 0.5, 2.0][random.below(3)],
        drag: [0.0, 0.05, 0.4, 1.0][random.below(4)],
        gravity: [Vec3::ZERO, Vec3::NEG_Y * 0.3][random.below(2)],
        hit_radius: [0.0, 0.02][random.below(2)],
        angle_limit: [core::f32::consts::PI, 0.8, 0.0][random.below(3)],
        weight: [1.0, 1.0, 1.0, 0.6][random.below(4)],
    };
    if EXACT {
        return any;
    }
    let (stiffness, drag) = (any.stiffness.max(0.5), any.drag.max(0.4));
    SpringJoint { stiffness, drag, angle_limit: any.angle_limit.max(0.8), ..any }
}

/// A collider of kind `kind`, within reach of a chain that begins at the origin.
fn collider(random: &mut Random, (kind, radius): (usize, f32)) -> Collider<Vec3> {
    let center = random.direction() * random.between(0.0, 0.4);
    let end = center + random.direction() * [0.0, 0.3][random.below(2)];
    let inside = kind % 2 == 1;
    match kind / 2 {
        0 => Sphere { center, radius, inside }.into(),
        1 => Capsule { start: center, end, radius, inside }.into(),
        _ => Plane::new(random.direction() * -0.2, random.direction()).into(),
    }
}

fn collider_x8(all: &[Vec<Collider<Vec3>>; LANES], i: usize) -> lanes::Collider {
    let vector = |of: &dyn Fn(&Collider<Vec3>) -> Vec3| {
        Vec3x8::from(core::array::from_fn(|lane| of(&all[lane][i])))
    };
    match all[0][i] {
        Collider::Sphere(Sphere { radius, inside, .. }) => {
            let center = vector(&|c| match c {
                Collider::Sphere(s) => s.center,
                _ => unreachable!("one kind in all lanes"),
            });
            Sphere { center, radius, inside }.into()
        }
        Collider::Capsule(Capsule { radius, inside, .. }) => {
            let ends = |c: &Collider<Vec3>| match c {
                Collider::Capsule(c) => (c.start, c.end),
                _ => unreachable!("one kind in all lanes"),
            };
            let (start, end) = (vector(&|c| ends(c).0), vector(&|c| ends(c).1));
            Capsule { start, end, radius, inside }.into()
        }
        Collider::Plane(_) => {
            let parts = |c: &Collider<Vec3>| match c {
                Collider::Plane(p) => (p.point, p.normal),
                _ => unreachable!("one kind in all lanes"),
            };
            let (point, normal) = (vector(&|c| parts(c).0), vector(&|c| parts(c).1));
            Plane { point, normal }.into()
        }
        _ => unreachable!("not drawn"),
    }
}

impl Scene {
    fn draw(random: &mut Random) -> Self {
        let count = 2 + random.below(4);
        let kinds: Vec<_> = (0..if EXACT { random.below(4) } else { 0 })
            .map(|_| (random.below(5), [0.0, 0.1, 0.25][random.below(3)]))
            .collect();
        let all = |random: &mut Random| -> [Vec<Collider<Vec3>>; LANES] {
            core::array::from_fn(|_| kinds.iter().map(|kind| collider(random, *kind)).collect())
        };
        let colliders = all(random);
        let moving = random.below(2) == 0;
        let colliders_before = if moving { all(random) } else { core::array::from_fn(|_| vec![]) };
        let joints = match random.below(3) {
            0 => vec![],
            1 => vec![joint(random)],
            _ => (1..count).map(|_| joint(random)).collect(),
        };
        let forces = [0, 1, count - 1][random.below(3)];
        let external = core::array::from_fn(|_| {
            (0..forces).map(|_| random.direction() * random.between(0.0, 0.5)).collect()
        });
        let mut scene = Self {
            poses: core::array::from_fn(|_| (vec![Vec3::ZERO; count], vec![Quat::IDENTITY; count])),
            state: core::array::from_fn(|_| vec![SpringState::default(); count]),
            state_x8: vec![lanes::SpringState::default(); count],
            joints,
            colliders,
            colliders_before,
            center: None,
            external,
        };
        scene.animate(random);
        scene
    }

    /// New poses, and center spaces that have moved.
    fn animate(&mut self, random: &mut Random) {
        for (positions, rotations) in &mut self.poses {
            let count = positions.len();
            let mut rotation = Quat::from_rotation_y(random.between(-0.3, 0.3));
            positions[0] =
                random.direction() * random.between(0.0, if EXACT { 0.05 } else { 0.01 });
            for i in 0..count {
                rotations[i] = rotation;
                if i + 1 < count {
                    let length = if EXACT { [0.1, 0.1, 0.2, 0.0][random.below(4)] } else { 0.1 };
                    positions[i + 1] = positions[i] + rotation * Vec3::X * length;
                }
                rotation *= Quat::from_rotation_z(random.between(-0.2, 0.2));
            }
        }
        let pose = |random: &mut Random| {
            Pose::new(random.direction() * 0.02, Quat::from_rotation_y(random.between(-0.1, 0.1)))
        };
        self.center = (random.below(3) == 0).then(|| {
            core::array::from_fn(|_| CenterSpace { before: pose(random), now: pose(random) })
        });
    }

    /// Something wrong with one character.
    fn spoil(&mut self, random: &mut Random) {
        let lane = random.below(8);
        let (positions, rotations) = &mut self.poses[lane];
        match random.below(6) {
            0 => positions[1] = mistaken(random),
            1 => rotations[0] *= 1.2,
            2 => self.external[lane].iter_mut().for_each(|force| force.x = 1e7),
            3 => {
                if let Some(Collider::Sphere(sphere)) = self.colliders[lane].first_mut() {
                    sphere.center.y = f32::NAN;
                }
            }
            4 => {
                if let Some(center) = &mut self.center {
                    center[lane].now.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0);
                }
            }
            _ => {
                self.state[lane][1].position.z = 1e19;
                self.state_x8[1].set_lane(lane, &self.state[lane][1]);
            }
        }
    }

    /// Both ways, and what comes of it.
    fn step(&mut self, shared: Shared, dt: f32) {
        let positions: [Vec<Vec3>; LANES] = core::array::from_fn(|l| self.poses[l].0.clone());
        let rotations: [Vec<Quat>; LANES] = core::array::from_fn(|l| self.poses[l].1.clone());
        let (mut positions_x8, mut rotations_x8) =
            (gather::<Vec3x8>(&positions), gather::<Quatx8>(&rotations));
        let count = self.colliders[0].len();
        let colliders: Vec<_> = (0..count).map(|i| collider_x8(&self.colliders, i)).collect();
        let count = self.colliders_before[0].len();
        let before: Vec<_> = (0..count).map(|i| collider_x8(&self.colliders_before, i)).collect();
        let external = gather::<Vec3x8>(&self.external);
        let center = self.center.map(|center| {
            let poses = |of: &dyn Fn(&CenterSpace<Vec3>) -> Pose<Vec3>| {
                let positions: [Vec3; LANES] = core::array::from_fn(|l| of(&center[l]).position);
                let rotations: [Quat; LANES] = core::array::from_fn(|l| of(&center[l]).rotation);
                (positions.into(), rotations.into())
            };
            lanes::CenterSpace { before: poses(&|c| c.before), now: poses(&|c| c.now) }
        });
        let Shared { rule, iterations, max_frames, whole_bones } = shared;
        let settings = lanes::SpringBones {
            joints: &self.joints,
            colliders: &colliders,
            colliders_before: &before,
            center,
            external: &external,
            rule,
            iterations,
            max_frames,
            whole_bones,
            ..lanes::SpringBones::default()
        };
        let each = lanes::spring_bone_step(
            &mut positions_x8,
            &mut rotations_x8,
            &mut self.state_x8,
            &settings,
            dt,
        );
        for lane in 0..LANES {
            let settings = SpringBones {
                joints: &self.joints,
                colliders: &self.colliders[lane],
                colliders_before: &self.colliders_before[lane],
                center: self.center.map(|center| center[lane]),
                external: &self.external[lane],
                rule,
                iterations,
                max_frames,
                whole_bones,
                ..SpringBones::default()
            };
            let (positions, rotations) = &mut self.poses[lane];
            let state = &mut self.state[lane];
            let scalar = spring_bone_step(positions, rotations, state, &settings, dt);
            assert_same_report(each[lane], scalar);
            for i in 0..positions.len() {
                let apart = if scalar.is_err() { 0.0 } else { APART };
                let (p, q) = (positions_x8[i].lane(lane), rotations_x8[i].lane(lane));
                assert_near(&p.to_array(), &positions[i].to_array(), apart, "position");
                assert_near(&q.to_array(), &rotations[i].to_array(), apart, "rotation");
                let (a, b) = (self.state_x8[i].lane(lane), state[i]);
                assert_near(&a.position.to_array(), &b.position.to_array(), apart, "tail");
                assert_near(&a.previous.to_array(), &b.previous.to_array(), apart, "previous");
                assert_near(&a.rest.to_array(), &b.rest.to_array(), apart, "rest");
                assert_near(&a.force.to_array(), &b.force.to_array(), 0.0, "force");
                assert_eq!((a.clock, a.started), (b.clock, b.started));
                // Each step is measured for itself, where rounding may add up.
                self.state_x8[i].set_lane(lane, &b);
            }
        }
    }
}

fn assert_near(a: &[f32], b: &[f32], apart: f32, what: &str) {
    for (a, b) in a.iter().zip(b) {
        let same = a.to_bits() == b.to_bits();
        assert!(same || (a - b).abs() <= apart && apart > 0.0, "{what}: {a} is not {b}");
    }
}

/// Where rounding differs, so may the number of rounds, and whether the last of them counts.
fn assert_same_report(a: Result<SpringReport, Error>, b: Result<SpringReport, Error>) {
    let (Ok(a), Ok(b)) = (a, b) else {
        assert_eq!(a, b);
        return;
    };
    if APART == 0.0 {
        assert_eq!(a, b);
    } else {
        assert_eq!(a.frames, b.frames);
        assert!((a.speed - b.speed).abs() <= 120.0 * APART, "{a:?} is not {b:?}");
        assert!((a.penetration - b.penetration).abs() <= APART, "{a:?} is not {b:?}");
    }
}

proptest! {
    #![proptest_config(config(600))]

    /// Every lane, over a dozen calls of various lengths: with colliders of every kind, limits,
    /// weights, winds, center spaces, hitches, mistakes, lanes that begin later and lanes whose
    /// clocks differ.
    #[test]
    fn spring_bones_are_the_scalars(seed in any::<u64>()) {
        let random = &mut Random::new(seed);
        let mut scene = Scene::draw(random);
        let shared = Shared {
            rule: [SpringRule::Steady, SpringRule::Steady, SpringRule::Vrm][random.below(3)],
            iterations: [0, 1, 32][random.below(3)],
            max_frames: [1, 3, 8][random.below(3)],
            whole_bones: random.below(3) == 0,
        };
        for _ in 0..12 {
            scene.animate(random);
            match random.below(8) {
                0 => scene.spoil(random),
                1 => {
                    // Another character takes the lane.
                    let lane = random.below(8);
                    scene.state[lane].fill(SpringState::default());
                    for entry in &mut scene.state_x8 {
                        entry.set_lane(lane, &SpringState::default());
                    }
                }
                _ => (),
            }
            let dt = match random.below(6) {
                0 => time(random),
                1 => 1.0 / 144.0,
                2 => 0.05,
                _ => 1.0 / 60.0,
            };
            scene.step(shared, dt);
        }
    }
}

/// The last lanes of a crowd are left as they are by default, and change nothing in the others.
#[test]
fn idle_lanes_disturb_nobody() {
    let run = |others: Vec3| {
        let mut state = [lanes::SpringState::default(); 3];
        let mut pose = ([Vec3x8::ZERO; 3], [Quatx8::IDENTITY; 3]);
        for _ in 0..60 {
            pose = ([Vec3x8::splat(others), Vec3x8::ZERO, Vec3x8::ZERO], [Quatx8::IDENTITY; 3]);
            for (i, position) in pose.0.iter_mut().enumerate() {
                position.set_lane(2, Vec3::X * i as f32);
            }
            let settings = lanes::SpringBones::default();
            let each = lanes::spring_bone_step(
                &mut pose.0,
                &mut pose.1,
                &mut state,
                &settings,
                1.0 / 60.0,
            );
            assert!(each[2].is_ok());
            assert_eq!(each[0].is_ok(), others == Vec3::ZERO);
        }
        (pose.0.map(|p| p.lane(2)), pose.1.map(|q| q.lane(2)))
    };
    assert_eq!(run(Vec3::ZERO), run(Vec3::NAN));
}
