//! Damping, springs and fixed steps.

use core::hint::black_box;

use sinew::glam::{Quat, Vec2, Vec3, Vec4};
use sinew::{
    Animated, FixedSteps, Moving, Rot2, SecondOrder, Spring, damp_angle, damp_half_life,
    damp_slice, drag_from_half_life, move_towards, second_order_step, spring_slice,
};

use crate::scene::{Fold, Scene, hidden};
use crate::space::Space;

/// Numbers, vectors and rotations, damped.
pub fn damping(scene: &mut Scene) {
    for _ in 0..16 {
        damp_each(scene, Scene::coordinate);
        damp_each(scene, <Vec2 as Space>::vector);
        damp_each(scene, <Vec3 as Space>::vector);
        damp_each(scene, vec4);
        damp_each(scene, <Vec2 as Space>::rotation);
        damp_each(scene, <Vec3 as Space>::rotation);
        let (a, b, step) = (scene.coordinate(), scene.coordinate(), scene.coordinate());
        scene.fold_call(|| damp_angle(a, b, step, 0.1));
        scene.fold_call(|| move_towards(a, b, step));
        scene.fold_call(|| drag_from_half_life(step));
        let (a, b) = (Vec3::vector(scene), Vec3::vector(scene));
        scene.fold_call(|| move_towards(a, b, step));
    }
}

fn vec4(scene: &mut Scene) -> Vec4 {
    Vec3::vector(scene).extend(scene.coordinate())
}

fn damp_each<T: Animated + Fold>(scene: &mut Scene, draw: fn(&mut Scene) -> T) {
    let mut values = [draw(scene), draw(scene), draw(scene)];
    let mut targets = [draw(scene), draw(scene), draw(scene)];
    let (rate, dt) = (scene.between(0.0, 20.0), scene.between(-0.01, 0.3));
    let (values, targets) = (hidden(&mut values), hidden(&mut targets));
    scene.fold_call(|| damp_slice(values, targets, rate, dt));
    scene.fold_all(values);
    if let ([from, ..], [to, ..]) = (values, targets) {
        scene.fold_call(|| sinew::damp(*from, *to, rate, dt));
        scene.fold_call(|| damp_half_life(*from, *to, rate, dt));
    }
}

/// Springs in all three regimes, and second-order systems.
pub fn springs(scene: &mut Scene) {
    for _ in 0..16 {
        spring_each(scene, Scene::coordinate, Scene::coordinate);
        spring_each(scene, <Vec3 as Space>::vector, <Vec3 as Space>::vector);
        spring_each::<Rot2>(scene, <Vec2 as Space>::rotation, Scene::coordinate);
        spring_each::<Quat>(scene, <Vec3 as Space>::rotation, <Vec3 as Space>::vector);
    }
}

fn spring_each<T: Animated<Velocity: Fold> + Fold>(
    scene: &mut Scene,
    draw: fn(&mut Scene) -> T,
    draw_velocity: fn(&mut Scene) -> T::Velocity,
) {
    let mut moving = || Moving { position: draw(scene), velocity: draw_velocity(scene) };
    let (mut states, mut targets) = ([moving(), moving()], [moving(), moving()]);
    let dt = scene.between(-0.01, 0.3);
    let spring = match scene.bits() >> 30 {
        0 => Spring { frequency: scene.between(0.0, 6.0), damping_ratio: 1.0 },
        1 => Spring::from_half_life(scene.between(0.0, 1.0)),
        2 => Spring::from_stiffness(scene.between(0.0, 90.0), scene.between(0.0, 9.0), 1.0),
        _ => Spring { frequency: 2.0, damping_ratio: scene.between(0.0, 2.0) },
    };
    let spring = black_box(spring);
    let (states, targets) = (hidden(&mut states), hidden(&mut targets));
    scene.fold_call(|| spring_slice(states, targets, &spring, dt));
    if let ([state, ..], [target, other, ..]) = (&mut *states, targets) {
        scene.fold_call(|| sinew::spring_step(state, *target, &spring, dt));
        let settings = black_box(SecondOrder { response: 0.5, ..SecondOrder::default() });
        let input = (target.position, other.position);
        scene.fold_call(|| second_order_step(state, input, &settings, dt));
    }
    scene.fold_all(states);
}

/// Fixed steps out of frames.
pub fn fixed_steps(scene: &mut Scene) {
    let (step, most) = black_box((1.0 / 60.0, 4));
    match scene.call(|| FixedSteps::new(step, most)) {
        Ok(mut steps) => {
            for _ in 0..32 {
                let dt = scene.between(-0.01, 0.2);
                scene.fold_call(|| steps.advance(dt));
                scene.fold(steps.step());
            }
            steps.reset();
        }
        Err(error) => scene.fold(error),
    }
}
