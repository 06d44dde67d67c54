//! Every solver, on chains with a joint of each kind.

use core::hint::black_box;

use sinew::glam::{Vec2, Vec3};
use sinew::{
    CcdSettings, Effector, FabrikSettings, JointMemory, LeastSquaresSettings, Order, Pole,
    Rotation, TwoBoneSettings, aim, aim_chain, ccd_solve, fabrik_positions, fabrik_solve,
    least_squares_solve, two_bone_solve,
};

use crate::scene::{Scene, hidden};
use crate::space::{JOINTS, LIMITS, Space};

/// A chain with limits.
pub(crate) struct Rig<V: Space> {
    pub(crate) positions: [V; JOINTS],
    pub(crate) rotations: [V::Rotation; JOINTS],
    pub(crate) joints: [V::Joint; LIMITS],
}

impl<V: Space> Rig<V> {
    /// One in eight is straight.
    pub(crate) fn draw(scene: &mut Scene) -> Self {
        let is_straight = scene.bits() >> 29 == 0;
        let mut tip = V::UP * scene.between(-1.0, 1.0);
        let mut positions = [tip; JOINTS];
        let mut rotations = [V::Rotation::IDENTITY; JOINTS];
        for (position, rotation) in positions.iter_mut().zip(&mut rotations) {
            *position = tip;
            if !is_straight {
                *rotation = V::rotation(scene);
            }
            tip = tip + rotation.rotate(V::UP * scene.between(0.2, 1.0));
        }
        Self { positions, rotations, joints: V::joints(scene) }
    }
}

/// Where the effector is to go: anywhere, or on the root, or where it is already.
fn target<V: Space>(scene: &mut Scene, rig: &Rig<V>) -> V {
    let [root, .., effector] = rig.positions;
    match scene.bits() >> 29 {
        0 => root,
        1 => effector,
        _ => V::vector(scene),
    }
}

/// A solver on two dozen chains, three in four of them with limits.
fn solve<V: Space>(
    scene: &mut Scene,
    solver: impl Fn(&mut Scene, &mut [V], &mut [V::Rotation], &[V::Joint], V),
) {
    for round in 0..24 {
        let mut rig = Rig::<V>::draw(scene);
        let target = target(scene, &rig);
        let joints = if round % 4 == 3 { &[] } else { &rig.joints[..] };
        let (positions, rotations) = (hidden(&mut rig.positions), hidden(&mut rig.rotations));
        solver(scene, positions, rotations, black_box(joints), target);
        scene.fold_all(positions);
        scene.fold_all(rotations);
    }
}

/// Cyclic coordinate descent in the plane.
pub fn ccd_2d(scene: &mut Scene) {
    ccd::<Vec2>(scene);
}

/// Cyclic coordinate descent in space.
pub fn ccd_3d(scene: &mut Scene) {
    ccd::<Vec3>(scene);
}

fn ccd<V: Space>(scene: &mut Scene) {
    solve::<V>(scene, |scene, positions, rotations, joints, target| {
        let order = if scene.bits() >> 31 == 0 { Order::TipFirst } else { Order::RootFirst };
        let settings = black_box(CcdSettings { order, ..CcdSettings::default() });
        scene.fold_call(|| ccd_solve(positions, rotations, joints, target, &settings));
    });
}

/// FABRIK for poses in the plane.
pub fn fabrik_2d(scene: &mut Scene) {
    fabrik::<Vec2>(scene);
}

/// FABRIK for poses in space.
pub fn fabrik_3d(scene: &mut Scene) {
    fabrik::<Vec3>(scene);
}

fn fabrik<V: Space>(scene: &mut Scene) {
    solve::<V>(scene, |scene, positions, rotations, joints, target| {
        let settings = black_box(FabrikSettings::default());
        scene.fold_call(|| fabrik_solve(positions, rotations, joints, target, &settings));
    });
}

/// FABRIK for ropes in the plane.
pub fn fabrik_positions_2d(scene: &mut Scene) {
    ropes::<Vec2>(scene);
}

/// FABRIK for ropes in space.
pub fn fabrik_positions_3d(scene: &mut Scene) {
    ropes::<Vec3>(scene);
}

fn ropes<V: Space>(scene: &mut Scene) {
    solve::<V>(scene, |scene, positions, _, _, target| {
        let settings = black_box(FabrikSettings::default());
        scene.fold_call(|| fabrik_positions(positions, target, &settings));
    });
}

/// Damped least squares in the plane.
pub fn least_squares_2d(scene: &mut Scene) {
    least_squares::<Vec2>(scene);
}

/// Damped least squares in space.
pub fn least_squares_3d(scene: &mut Scene) {
    least_squares::<Vec3>(scene);
}

fn least_squares<V: Space>(scene: &mut Scene) {
    solve::<V>(scene, |scene, positions, rotations, joints, target| {
        let mut memory = [JointMemory::<V>::default(); JOINTS];
        let memory = hidden(&mut memory);
        let rotation = (scene.bits() >> 31 == 0).then(|| V::rotation(scene));
        let rest_pull = if scene.bits() >> 31 == 0 { 0.1 } else { 0.0 };
        let settings = LeastSquaresSettings {
            rotation,
            rest_pull,
            max_iterations: 40,
            ..LeastSquaresSettings::at(target)
        };
        let settings = black_box(settings);
        scene.fold_call(|| least_squares_solve(positions, rotations, joints, &settings, memory));
    });
}

/// Two bones in the plane.
pub fn two_bone_2d(scene: &mut Scene) {
    two_bone::<Vec2>(scene);
}

/// Two bones in space.
pub fn two_bone_3d(scene: &mut Scene) {
    two_bone::<Vec3>(scene);
}

fn two_bone<V: Space>(scene: &mut Scene) {
    for _ in 0..64 {
        let Rig { positions: [a, b, c, ..], rotations: [p, q, r, ..], .. } = Rig::<V>::draw(scene);
        let (mut positions, mut rotations) = ([a, b, c], [p, q, r]);
        let target = V::vector(scene);
        let effector = match scene.bits() >> 30 {
            0 => Effector::Keep,
            1 => Effector::Set(V::rotation(scene)),
            _ => Effector::Follow,
        };
        let settings = TwoBoneSettings {
            bend: V::bend(scene),
            range: [scene.between(0.0, 0.5), scene.between(1.0, 3.0)],
            softness: scene.between(-0.1, 0.5).max(0.0),
            max_stretch: scene.between(0.5, 1.5).max(1.0),
            lengths: (scene.bits() >> 31 == 0).then_some([0.5, 0.75]),
            effector,
        };
        let settings = black_box(settings);
        let (positions, rotations) = (hidden(&mut positions), hidden(&mut rotations));
        scene.fold_call(|| two_bone_solve(positions, rotations, target, &settings));
        scene.fold_all(positions);
        scene.fold_all(rotations);
    }
}

/// One joint points, in the plane.
pub fn aim_2d(scene: &mut Scene) {
    aim_one::<Vec2>(scene);
}

/// One joint points, in space.
pub fn aim_3d(scene: &mut Scene) {
    aim_one::<Vec3>(scene);
}

fn aim_one<V: Space>(scene: &mut Scene) {
    for _ in 0..8 {
        for joint in V::joints(scene) {
            let (position, target) = (V::vector(scene), V::vector(scene));
            let mut rotation = V::rotation(scene);
            let (joint, settings) = black_box((joint, V::aim_settings(scene)));
            scene.fold_call(|| aim(position, &mut rotation, &joint, target, &settings));
            scene.fold(rotation);
        }
    }
}

/// A chain points, in the plane.
pub fn aim_chain_2d(scene: &mut Scene) {
    aim_all::<Vec2>(scene);
}

/// A chain points, in space.
pub fn aim_chain_3d(scene: &mut Scene) {
    aim_all::<Vec3>(scene);
}

fn aim_all<V: Space>(scene: &mut Scene) {
    solve::<V>(scene, |scene, positions, rotations, _, target| {
        // Here the effector turns too, and has a joint of its own.
        let mut joints = [V::joints(scene), V::joints(scene)];
        let joints = hidden(joints.as_flattened_mut());
        let joints = joints.get(..positions.len()).unwrap_or(joints);
        let settings = black_box(V::aim_settings(scene));
        scene.fold_call(|| aim_chain(positions, rotations, joints, target, &settings));
    });
}

/// A bend turns to a pole.
pub fn align_pole(scene: &mut Scene) {
    solve::<Vec3>(scene, |scene, positions, rotations, joints, target| {
        let pole =
            if scene.bits() >> 31 == 0 { Pole::Point(target) } else { Pole::Direction(target) };
        let (pole, weight) = black_box((pole, scene.between(0.0, 1.0)));
        scene.fold_call(|| sinew::align_pole(positions, rotations, joints, pole, weight));
    });
}
