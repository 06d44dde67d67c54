//! Bézier curves, steps and easings.

use sinew::glam::{Vec2, Vec3};
use sinew::{
    Ease, StepShape, bezier_cubic, bezier_cubic_at_length, bezier_cubic_derivative,
    bezier_cubic_length, bezier_cubic_second_derivative, bezier_cubic_split, bezier_quadratic,
    bezier_quadratic_at_length, bezier_quadratic_derivative, bezier_quadratic_length,
    bezier_quadratic_split, cubic_bezier_ease, step_curve, step_curve_with,
};

use crate::scene::{Scene, hidden};
use crate::space::Space;

/// Curves of the plane.
pub fn curves_2d(scene: &mut Scene) {
    curves::<Vec2>(scene);
}

/// Curves of space.
pub fn curves_3d(scene: &mut Scene) {
    curves::<Vec3>(scene);
}

fn curves<V: Space>(scene: &mut Scene) {
    for _ in 0..16 {
        let cubic = [V::vector(scene), V::vector(scene), V::vector(scene), V::vector(scene)];
        let [a, b, c, up] = cubic;
        let quadratic = [a, b, c];
        let (t, length) = (scene.between(-0.05, 1.05), scene.between(-0.05, 5.0));
        scene.fold_call(|| bezier_cubic(&cubic, t));
        scene.fold_call(|| bezier_cubic_derivative(&cubic, t));
        scene.fold_call(|| bezier_cubic_second_derivative(&cubic, t));
        scene.fold_call(|| bezier_cubic_split(&cubic, t));
        scene.fold_call(|| bezier_cubic_length(&cubic, t));
        scene.fold_call(|| bezier_cubic_at_length(&cubic, length));
        scene.fold_call(|| bezier_quadratic(&quadratic, t));
        scene.fold_call(|| bezier_quadratic_derivative(&quadratic, t));
        scene.fold_call(|| bezier_quadratic_split(&quadratic, t));
        scene.fold_call(|| bezier_quadratic_length(&quadratic, t));
        scene.fold_call(|| bezier_quadratic_at_length(&quadratic, length));
        scene.fold_call(|| step_curve(a, b, up, length, t));
        let shape = StepShape {
            up,
            lift: length,
            flat_start: scene.bits() >> 31 == 0,
            flat_landing: scene.bits() >> 31 == 0,
        };
        scene.fold_call(|| step_curve_with(a, b, &shape, t));
    }
}

/// Every easing, and those by two control points.
pub fn easing(scene: &mut Scene) {
    let mut all = Ease::ALL;
    for ease in hidden(&mut all) {
        for _ in 0..4 {
            let t = scene.between(-0.05, 1.05);
            scene.fold_call(|| ease.at(t));
        }
        let [a, b] = [scene.between(-0.05, 1.05), scene.between(0.0, 1.0)];
        let (y, t) = (scene.coordinate(), scene.between(0.0, 1.0));
        scene.fold_call(|| cubic_bezier_ease(a, y, b, 1.0 - y, t));
    }
}
