//! Rotations, limits, chains and outlines.

use core::hint::black_box;

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    Rotation, blend_chain, chain_outline, clamp_angle, clamp_joint_2d, clamp_joint_2d_soft,
    clamp_joint_3d, clamp_joint_3d_soft, forward_kinematics, limit_outline, look_rotation,
    perpendicular, pole_outline, reach, rotate_towards, shortest_arc_2d, shortest_arc_3d,
    signed_angle_2d, signed_angle_3d, soft_reach, stretch_chain, swing_twist, to_local, to_world,
    wrap_angle,
};

use crate::ik::Rig;
use crate::scene::{Fold, Scene, hidden};
use crate::space::Space;

/// Angles, arcs, splits and turns.
pub fn rotations(scene: &mut Scene) {
    for _ in 0..32 {
        let (x, least, most) = (scene.coordinate(), scene.coordinate(), scene.coordinate());
        scene.fold_call(|| wrap_angle(x));
        scene.fold_call(|| clamp_angle(x, least, most));
        let (a, b) = (Vec2::vector(scene), Vec2::vector(scene));
        scene.fold_call(|| signed_angle_2d(a, b));
        scene.fold_call(|| shortest_arc_2d(a, b));
        turns(scene, <Vec2 as Space>::rotation);

        let (a, b, c) = (Vec3::vector(scene), Vec3::vector(scene), Vec3::vector(scene));
        let q = <Vec3 as Space>::rotation(scene);
        scene.fold_call(|| signed_angle_3d(a, b, c));
        scene.fold_call(|| shortest_arc_3d(a, b));
        scene.fold_call(|| perpendicular(a));
        scene.fold_call(|| look_rotation(a, b, Vec3::Z, c));
        scene.fold_call(|| swing_twist(q, a));
        turns(scene, <Vec3 as Space>::rotation);
    }
}

fn turns<R: Rotation<Spin: Fold> + Fold>(scene: &mut Scene, draw: fn(&mut Scene) -> R) {
    let (from, to, share) = (draw(scene), draw(scene), scene.between(-1.0, 2.0));
    scene.fold_call(|| rotate_towards(from, to, share));
    scene.fold_call(|| from.scaled(share));
    scene.fold_call(|| R::exp(from.log()));
    scene.fold_call(|| (from.log(), from.angle()));
    scene.fold_call(|| from.normalized());
}

/// Clamping in the plane.
pub fn joints_2d(scene: &mut Scene) {
    for _ in 0..8 {
        for joint in <Vec2 as Space>::joints(scene) {
            let local = <Vec2 as Space>::rotation(scene);
            let (joint, softness) = (black_box(joint), scene.between(-0.1, 1.0));
            scene.fold_call(|| clamp_joint_2d(local, &joint));
            scene.fold_call(|| clamp_joint_2d_soft(local, &joint, softness));
        }
    }
}

/// Clamping in space.
pub fn joints_3d(scene: &mut Scene) {
    for _ in 0..8 {
        for joint in <Vec3 as Space>::joints(scene) {
            let local: Quat = <Vec3 as Space>::rotation(scene);
            let (joint, softness) = (black_box(joint), scene.between(-0.1, 1.0));
            scene.fold_call(|| clamp_joint_3d(local, &joint));
            scene.fold_call(|| clamp_joint_3d_soft(local, &joint, softness));
        }
    }
}

/// World and local poses, reach, blending and stretch in the plane.
pub fn chains_2d(scene: &mut Scene) {
    chains::<Vec2>(scene);
}

/// World and local poses, reach, blending and stretch in space.
pub fn chains_3d(scene: &mut Scene) {
    chains::<Vec3>(scene);
}

fn chains<V: Space>(scene: &mut Scene) {
    for _ in 0..16 {
        let (mut rig, mut other) = (Rig::<V>::draw(scene), Rig::<V>::draw(scene));
        let (target, share) = (V::vector(scene), scene.between(0.0, 1.0));
        let (positions, rotations) = (hidden(&mut rig.positions), hidden(&mut rig.rotations));
        let (others, turns) = (hidden(&mut other.positions), hidden(&mut other.rotations));
        scene.fold_call(|| to_local(positions, rotations));
        scene.fold_all(positions);
        scene.fold_call(|| forward_kinematics(positions, rotations, others, turns));
        scene.fold_all(others);
        scene.fold_call(|| to_world(positions, rotations));
        scene.fold_call(|| blend_chain(positions, rotations, others, turns, share));
        scene.fold_all(rotations);
        scene.fold_call(|| reach(positions));
        scene.fold_call(|| soft_reach(V::ZERO, target, 2.0, share));
        scene.fold_call(|| stretch_chain(positions, target, 1.0 + share));
        scene.fold_all(positions);
    }
}

/// Lines to draw in the plane.
pub fn outlines_2d(scene: &mut Scene) {
    outlines::<Vec2>(scene);
}

/// Lines to draw in space.
pub fn outlines_3d(scene: &mut Scene) {
    outlines::<Vec3>(scene);
}

fn outlines<V: Space>(scene: &mut Scene) {
    let mut rig = Rig::<V>::draw(scene);
    let (pole, parent) = (V::vector(scene), V::rotation(scene));
    let positions = &*hidden(&mut rig.positions);
    for line in chain_outline(positions).chain(pole_outline(positions, pole)) {
        scene.fold(line);
    }
    for joint in hidden(&mut rig.joints) {
        let (bone, segments) = (V::vector(scene), black_box(8));
        match scene.call(|| limit_outline(&*joint, V::ZERO, parent, bone, segments)) {
            Ok(mut lines) => {
                while let Some(line) = scene.call(|| lines.next()) {
                    scene.fold(line);
                }
            }
            Err(error) => scene.fold(error),
        }
    }
}
