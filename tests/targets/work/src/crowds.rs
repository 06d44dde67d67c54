//! Eight characters at once: what moves in lanes.

use core::hint::black_box;

use sinew::glam::{Quat, Vec3};
use sinew::lanes::{
    self, AnimatedLanes, Collider, F32x8, LANES, Quatx8, SpringBones, SpringState, Vec3x8,
};
use sinew::{
    Capsule, DistanceConstraint, Hold, Moving, Plane, Relaxation, Sphere, Spring, SpringJoint,
    SpringRule, Verlet,
};

use crate::ik::Rig;
use crate::scene::{Fold, Scene, hidden};
use crate::space::{JOINTS, LIMITS, Space};

/// The same joint of eight chains, all the way along them.
fn chains(scene: &mut Scene) -> ([Vec3x8; JOINTS], [Quatx8; JOINTS]) {
    let mut chains = ([Vec3x8::ZERO; JOINTS], [Quatx8::IDENTITY; JOINTS]);
    for lane in 0..LANES {
        let rig = Rig::<Vec3>::draw(scene);
        for (joint, position) in chains.0.iter_mut().zip(rig.positions) {
            joint.set_lane(lane, position);
        }
        for (joint, rotation) in chains.1.iter_mut().zip(rig.rotations) {
            joint.set_lane(lane, rotation);
        }
    }
    chains
}

fn vectors(scene: &mut Scene) -> Vec3x8 {
    let mut vector = |_| Vec3::vector(scene);
    core::array::from_fn::<Vec3, LANES, _>(&mut vector).into()
}

fn rotations(scene: &mut Scene) -> Quatx8 {
    let mut rotation = |_| Vec3::rotation(scene);
    core::array::from_fn::<Quat, LANES, _>(&mut rotation).into()
}

fn numbers(scene: &mut Scene) -> F32x8 {
    core::array::from_fn::<f32, LANES, _>(|_| scene.coordinate()).into()
}

/// Damping and springs.
pub fn crowd_time(scene: &mut Scene) {
    for _ in 0..8 {
        time_each(scene, numbers, numbers);
        time_each(scene, vectors, vectors);
        time_each(scene, rotations, vectors);
    }
}

fn time_each<T: AnimatedLanes<Velocity: Fold> + Fold>(
    scene: &mut Scene,
    draw: fn(&mut Scene) -> T,
    draw_velocity: fn(&mut Scene) -> T::Velocity,
) {
    let (mut values, mut targets) = ([draw(scene), draw(scene)], [draw(scene), draw(scene)]);
    let (rate, dt) = (scene.between(0.0, 20.0), scene.between(-0.01, 0.3));
    let (values, targets) = (hidden(&mut values), hidden(&mut targets));
    scene.fold_call(|| lanes::damp_slice(values, targets, rate, dt));
    if let ([value, ..], [target, ..]) = (&mut *values, targets) {
        scene.fold_call(|| lanes::damp(value, *target, rate, dt));
        scene.fold_call(|| lanes::damp_half_life(value, *target, rate, dt));
    }
    scene.fold_all(values);
    let mut moving = || Moving { position: draw(scene), velocity: draw_velocity(scene) };
    let (mut states, mut targets) = ([moving(), moving()], [moving(), moving()]);
    let spring = Spring { frequency: 2.0, damping_ratio: scene.between(0.0, 2.0) };
    let spring = black_box(spring);
    let (states, targets) = (hidden(&mut states), hidden(&mut targets));
    scene.fold_call(|| lanes::spring_slice(states, targets, &spring, dt));
    if let ([state, ..], [target, ..]) = (&mut *states, targets) {
        scene.fold_call(|| lanes::spring_step(state, *target, &spring, dt));
    }
    scene.fold_all(states);
}

/// Integration, distances and lengths.
pub fn crowd_particles(scene: &mut Scene) {
    for _ in 0..4 {
        let ((mut now, _), (mut before, _)) = (chains(scene), chains(scene));
        let mut inverse_masses = [1.0; JOINTS];
        let [first, ..] = &mut inverse_masses;
        *first = 0.0;
        let inverse_masses = &*hidden(&mut inverse_masses);
        let dt = scene.between(-0.001, 0.1);
        let settings = black_box(Verlet {
            acceleration: vectors(scene),
            inverse_masses,
            drag: scene.between(0.0, 2.0),
            previous_dt: Some(scene.between(0.01, 0.1)),
            max_speed: scene.between(1.0, 30.0),
            ..Verlet::default()
        });
        let (now, before) = (hidden(&mut now), hidden(&mut before));
        scene.fold_call(|| lanes::verlet_step(now, before, &settings, dt));
        let compliance = scene.between(-1e-3, 1e-3).max(0.0);
        let hold = if scene.bits() >> 31 == 0 { Hold::Exactly } else { Hold::AtMost };
        let mut rods: [_; LIMITS] = core::array::from_fn(|i| DistanceConstraint {
            particles: [i, i + 1],
            rest: 0.5,
            compliance,
            hold,
        });
        let mut lambdas = [F32x8::ZERO; LIMITS];
        let settings = black_box(Relaxation { inverse_masses, ..Relaxation::default() });
        let (rods, lambdas) = (hidden(&mut rods), hidden(&mut lambdas));
        scene.fold_call(|| lanes::distance_constraints(now, rods, lambdas, &settings));
        let lengths = black_box([0.5; LIMITS]);
        scene.fold_call(|| lanes::chain_constraints(now, before, &lengths, compliance));
        scene.fold_all(now);
        scene.fold_all(before);
        scene.fold_all(lambdas);
    }
}

/// Hair and tails, with colliders of each character's own.
pub fn crowd_spring_bones(scene: &mut Scene) {
    let mut state = [SpringState::default(); JOINTS];
    let state = hidden(&mut state);
    for round in 0..6 {
        let (mut positions, mut turned) = chains(scene);
        let mut joints: [_; LIMITS] = core::array::from_fn(|_| SpringJoint {
            stiffness: scene.between(0.0, 2.0),
            drag: scene.between(0.0, 1.0),
            gravity: Vec3::UP * scene.between(-1.0, 0.0),
            hit_radius: 0.05,
            angle_limit: scene.between(0.5, 3.0),
            weight: scene.between(0.5, 2.0).min(1.0),
        });
        let (near, inside) = (scene.between(0.1, 1.0), scene.bits() >> 31 == 0);
        let (a, b, c) = (placed(scene), placed(scene), placed(scene));
        let up = Vec3x8::splat(Vec3::UP);
        let mut colliders: [Collider; 3] = [
            Sphere { center: a, radius: near, inside }.into(),
            Capsule { start: a, end: b, radius: near, inside }.into(),
            Plane { point: c, normal: up }.into(),
        ];
        let mut external = [vectors(scene)];
        let settings = black_box(SpringBones {
            joints: hidden(&mut joints),
            colliders: hidden(&mut colliders),
            external: hidden(&mut external),
            rule: if round < 4 { SpringRule::Steady } else { SpringRule::Vrm },
            whole_bones: round % 4 > 1,
            ..SpringBones::default()
        });
        let (positions, turned) = (hidden(&mut positions), hidden(&mut turned));
        let dt = scene.between(0.0, 0.1);
        scene.fold_call(|| lanes::spring_bone_step(positions, turned, state, &settings, dt));
        scene.fold_all(positions);
        scene.fold_all(turned);
        scene.fold_all(state);
    }
}

/// Within a unit of the origin.
fn placed(scene: &mut Scene) -> Vec3x8 {
    let mut point = |_| Vec3::rotation(scene) * Vec3::UP * scene.between(0.0, 1.0);
    core::array::from_fn::<Vec3, LANES, _>(&mut point).into()
}
