//! Particles, their constraints, colliders, spring bones and wind.

use core::hint::black_box;

use sinew::glam::{Vec2, Vec3};
use sinew::{
    BendConstraint, Capsule, CenterSpace, Collider, Contact, DistanceConstraint, Hold, OrientedBox,
    Plane, Pose, Relaxation, Rotation, Sphere, SpringBones, SpringJoint, SpringRule, SpringState,
    Verlet, Wind, bend_constraints, box_collide, capsule_collide, capsule_collide_bones,
    chain_constraints, chain_residual, distance_constraints, plane_collide, sphere_collide,
    sphere_collide_bones, spring_bone_step, teleport_spring_bones, verlet_step, wind_at,
};

use crate::ik::Rig;
use crate::scene::{Scene, hidden};
use crate::space::{JOINTS, LIMITS, Space};

/// Integration in the plane.
pub fn verlet_2d(scene: &mut Scene) {
    verlet::<Vec2>(scene);
}

/// Integration in space.
pub fn verlet_3d(scene: &mut Scene) {
    verlet::<Vec3>(scene);
}

fn verlet<V: Space>(scene: &mut Scene) {
    for _ in 0..16 {
        let mut particles = Particles::<V>::draw(scene);
        let dt = scene.between(-0.001, 0.1);
        let mut accelerations: [V; JOINTS] =
            core::array::from_fn(|_| V::UP * scene.between(0.0, 1.0));
        let settings = Verlet {
            acceleration: V::vector(scene),
            accelerations: hidden(&mut accelerations),
            inverse_masses: hidden(&mut particles.inverse_masses),
            drag: scene.between(0.0, 2.0),
            previous_dt: Some(scene.between(0.01, 0.1)),
            max_speed: scene.between(1.0, 30.0),
        };
        let settings = black_box(settings);
        let (now, before) = (hidden(&mut particles.now), hidden(&mut particles.before));
        scene.fold_call(|| verlet_step(now, before, &settings, dt));
        scene.fold_all(now);
        scene.fold_all(before);
    }
}

/// A chain's particles, where they are and where they were; the first is pinned.
struct Particles<V> {
    now: [V; JOINTS],
    before: [V; JOINTS],
    inverse_masses: [f32; JOINTS],
}

impl<V: Space> Particles<V> {
    fn draw(scene: &mut Scene) -> Self {
        let now = Rig::<V>::draw(scene).positions;
        let before = now.map(|p| p + V::rotation(scene).rotate(V::UP) * scene.between(0.0, 0.5));
        let mut inverse_masses = [1.0; JOINTS];
        let [first, ..] = &mut inverse_masses;
        *first = 0.0;
        Self { now, before, inverse_masses }
    }
}

/// Distances and bends in the plane.
pub fn constraints_2d(scene: &mut Scene) {
    constraints::<Vec2>(scene);
}

/// Distances and bends in space.
pub fn constraints_3d(scene: &mut Scene) {
    constraints::<Vec3>(scene);
}

fn constraints<V: Space>(scene: &mut Scene) {
    for _ in 0..8 {
        let mut particles = Particles::<V>::draw(scene);
        let rest: [f32; LIMITS] = core::array::from_fn(|_| scene.between(0.1, 1.0));
        let compliance = scene.between(-1e-3, 1e-3).max(0.0);
        let hold = if scene.bits() >> 31 == 0 { Hold::Exactly } else { Hold::AtMost };
        let mut distances: [_; LIMITS] = core::array::from_fn(|i| DistanceConstraint {
            particles: [i, i + 1],
            rest: 0.5,
            compliance,
            hold,
        });
        let bends = |positions: &[V; JOINTS]| -> [BendConstraint; LIMITS - 1] {
            let mut i = 0;
            let [mut a, mut b, ..] = *positions;
            let mut next = positions.iter().skip(2);
            core::array::from_fn(|_| {
                let c = next.next().copied().unwrap_or(b);
                let bend = BendConstraint::between([i, i + 1, i + 2], [a, b, c]);
                (a, b, i) = (b, c, i + 1);
                bend
            })
        };
        let mut bends = scene.call(|| bends(&particles.before));
        let (mut lambdas, mut bend_lambdas) = ([0.0; LIMITS], [0.0; LIMITS - 1]);
        let settings = black_box(Relaxation {
            inverse_masses: hidden(&mut particles.inverse_masses),
            iterations: 8,
            dt: 1.0 / 60.0,
        });
        let (now, before) = (hidden(&mut particles.now), hidden(&mut particles.before));
        let (distances, lambdas) = (hidden(&mut distances), hidden(&mut lambdas));
        scene.fold_call(|| distance_constraints(now, distances, lambdas, &settings));
        let (bends, lambdas) = (hidden(&mut bends), hidden(&mut bend_lambdas));
        scene.fold_call(|| bend_constraints(now, bends, lambdas, &settings));
        let lengths = black_box(&rest[..]);
        scene.fold_call(|| chain_constraints(now, before, lengths, compliance));
        scene.fold_call(|| chain_residual(now, lengths));
        scene.fold_all(now);
        scene.fold_all(before);
    }
}

/// Every collider in the plane.
pub fn colliders_2d(scene: &mut Scene) {
    colliders::<Vec2>(scene);
}

/// Every collider in space.
pub fn colliders_3d(scene: &mut Scene) {
    colliders::<Vec3>(scene);
}

/// One of each kind, about the origin.
fn shapes<V: Space>(scene: &mut Scene) -> (Sphere<V>, Capsule<V>, Plane<V>, OrientedBox<V>) {
    let mut point = || V::rotation(scene).rotate(V::UP) * scene.between(0.0, 1.0);
    let (a, b, c) = (point(), point(), point());
    let normal = V::rotation(scene).rotate(V::UP);
    let half = V::ONES * 0.5;
    let radius = scene.between(0.1, 1.0);
    let (sphere, capsule) = if scene.bits() >> 31 == 0 {
        (Sphere::new(a, radius), Capsule::new(a, b, radius))
    } else {
        (Sphere::inside(a, radius), Capsule::inside(a, b, radius))
    };
    (
        sphere,
        capsule,
        Plane::new(b, normal),
        OrientedBox::new(c, half).with_rotation(V::rotation(scene)),
    )
}

fn colliders<V: Space>(scene: &mut Scene) {
    for _ in 0..8 {
        let mut particles = Particles::<V>::draw(scene);
        let (sphere, capsule, plane, cuboid) = black_box(shapes::<V>(scene));
        let contact = black_box(Contact {
            radius: scene.between(0.0, 0.2),
            shell: scene.between(0.0, 0.2),
            friction: scene.between(0.0, 1.0),
            inverse_masses: hidden(&mut particles.inverse_masses),
        });
        let (now, before) = (hidden(&mut particles.now), &*hidden(&mut particles.before));
        scene.fold_call(|| sphere_collide(now, before, &sphere, &contact));
        scene.fold_call(|| capsule_collide(now, before, &capsule, &contact));
        scene.fold_call(|| plane_collide(now, before, &plane, &contact));
        scene.fold_call(|| box_collide(now, before, &cuboid, &contact));
        scene.fold_call(|| sphere_collide_bones(now, before, &sphere, &contact));
        scene.fold_call(|| capsule_collide_bones(now, before, &capsule, &contact));
        scene.fold_all(now);
        let body = Pose::new(V::vector(scene), V::rotation(scene));
        let point = V::vector(scene);
        let mut all = [sphere.into(), capsule.into(), plane.into(), cuboid.into()];
        for collider in hidden::<Collider<V>>(&mut all) {
            scene.fold_call(|| collider.placed(&body).depth(point, 0.1));
        }
    }
}

/// Hair and tails in the plane.
pub fn spring_bones_2d(scene: &mut Scene) {
    spring_bones::<Vec2>(scene);
}

/// Hair and tails in space.
pub fn spring_bones_3d(scene: &mut Scene) {
    spring_bones::<Vec3>(scene);
}

fn spring_bones<V: Space>(scene: &mut Scene) {
    let mut state = [SpringState::<V>::default(); JOINTS];
    let state = hidden(&mut state);
    for round in 0..8 {
        let mut rig = Rig::<V>::draw(scene);
        let mut joints: [_; LIMITS] = core::array::from_fn(|_| SpringJoint {
            stiffness: scene.between(0.0, 2.0),
            drag: scene.between(0.0, 1.0),
            gravity: V::UP * scene.between(-1.0, 0.0),
            hit_radius: 0.05,
            angle_limit: scene.between(0.5, 3.0),
            weight: scene.between(0.0, 1.0),
        });
        let (sphere, capsule, plane, cuboid) = shapes::<V>(scene);
        let mut all = [sphere.into(), capsule.into(), plane.into(), cuboid.into()];
        let mut external: [V; LIMITS] = core::array::from_fn(|_| V::UP * scene.between(-1.0, 1.0));
        let pose =
            |scene: &mut Scene| Pose::new(V::UP * scene.between(-0.1, 0.1), V::rotation(scene));
        let center =
            (round % 2 == 0).then(|| CenterSpace { before: pose(scene), now: pose(scene) });
        let (from, to) = (pose(scene), pose(scene));
        let settings = black_box(SpringBones {
            joints: hidden(&mut joints),
            colliders: hidden::<Collider<V>>(&mut all),
            center,
            external: hidden(&mut external),
            rule: if round < 4 { SpringRule::Steady } else { SpringRule::Vrm },
            whole_bones: round % 4 > 1,
            ..SpringBones::default()
        });
        let (positions, rotations) = (hidden(&mut rig.positions), hidden(&mut rig.rotations));
        let dt = scene.between(0.0, 0.1);
        scene.fold_call(|| spring_bone_step(positions, rotations, state, &settings, dt));
        scene.fold_all(positions);
        scene.fold_all(rotations);
        scene.fold_call(|| teleport_spring_bones(state, &from, &to));
        scene.fold_all(state);
    }
}

/// Gusts in the plane.
pub fn wind_2d(scene: &mut Scene) {
    wind::<Vec2>(scene);
}

/// Gusts in space.
pub fn wind_3d(scene: &mut Scene) {
    wind::<Vec3>(scene);
}

fn wind<V: Space>(scene: &mut Scene) {
    for _ in 0..32 {
        let wind = black_box(Wind {
            direction: V::vector(scene),
            strength: scene.between(0.0, 9.0),
            gustiness: scene.between(0.0, 1.0),
            gust_length: scene.between(0.1, 9.0),
            gust_rate: scene.between(0.0, 2.0),
            sway: V::vector(scene),
        });
        let (point, time) = (V::vector(scene), f64::from(scene.between(0.0, 1e5)));
        scene.fold_call(|| wind_at(&wind, point, time));
    }
}
