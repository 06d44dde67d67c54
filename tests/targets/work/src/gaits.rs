//! Feet that take turns and a body that follows its target.

use core::hint::black_box;

use sinew::glam::{Vec2, Vec3};
use sinew::{BodyMotion, BodySettings, Gait, Ground, Home, StepSettings, Stepper, feet_plane};

use crate::scene::{Scene, hidden};
use crate::space::Space;

/// A walk in the plane.
pub fn gaits_2d(scene: &mut Scene) {
    let (position, forward) = black_box((Vec2::ZERO, Vec2::X));
    match scene.call(|| BodyMotion::in_plane(position, forward)) {
        Ok(mut body) => walk(scene, &mut body),
        Err(error) => scene.fold(error),
    }
}

/// A walk over ground.
pub fn gaits_3d(scene: &mut Scene) {
    let (position, forward, up) = black_box((Vec3::ZERO, Vec3::Z, Vec3::Y));
    match scene.call(|| BodyMotion::on_ground(position, forward, up)) {
        Ok(mut body) => walk(scene, &mut body),
        Err(error) => scene.fold(error),
    }
}

/// Four feet under a body that goes to one place and then to the next.
fn walk<V: Space>(scene: &mut Scene, body: &mut BodyMotion<V>) {
    let rotation = V::rotation(scene);
    let home = |position| Home { position, rotation, up: V::UP };
    let groups = Gait::DIAGONAL;
    let mut feet = groups.map(|group| Stepper::planted(home(V::ZERO)).with_group(group));
    let feet = hidden(&mut feet);
    let mut alone = Stepper::planted(home(V::ZERO));
    let mut gait = Gait { step: black_box(StepSettings::default()), turn: 0 };
    let settings = black_box(BodySettings::default());
    let ground = |position: V| {
        let floor = Ground { point: V::ZERO, normal: V::UP };
        Some(floor.along(position, V::UP)).filter(|_| position.dot(V::UP) < 2.0)
    };
    for frame in 0..96 {
        let (target, dt) = (V::vector(scene), scene.between(0.0, 0.1));
        if frame % 24 == 0 {
            scene.fold_call(|| body.advance(target, &settings, dt));
        } else {
            let ahead = body.position + body.forward * 3.0;
            scene.fold_call(|| body.advance(ahead, &settings, dt));
        }
        scene.fold(body.position);
        scene.fold(body.forward);
        let (p, f, l) = (body.position, body.forward * 0.5, body.left * 0.25);
        let mut homes = [p + f + l, p + f - l, p - f + l, p - f - l].map(home);
        let homes = hidden(&mut homes);
        if frame == 0 {
            scene.fold_call(|| gait.plant(feet, homes, ground));
        }
        scene.fold_call(|| gait.advance(feet, homes, ground, dt));
        scene.fold_all(feet);
        scene.fold(gait.turn);
        scene.fold_call(|| {
            alone.advance(&home(p), &gait.step, |p| ground(p).map(|g| g.nearest(p)), dt)
        });
        scene.fold(alone);
        let mut standing = [p; 4];
        standing.iter_mut().zip(&*feet).for_each(|(p, foot)| *p = foot.position);
        let standing = &*hidden(&mut standing);
        scene.fold_call(|| feet_plane(standing, V::UP));
    }
}
