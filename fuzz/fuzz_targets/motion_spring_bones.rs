//! Spring bones with any numbers: an error that leaves everything as it was, or a finite pose. With
//! sound numbers: lengths and limits hold, a settled chain is clear of its colliders, and time that
//! passes in other portions gives the same motion.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    Capsule, CenterSpace, Collider, Plane, Pose, Rotation, Sphere, SpringBones, SpringJoint,
    SpringRule, SpringState, Vector, spring_bone_step, teleport_spring_bones,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::oracle::{angle_between, attempt};
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    let plane = bits.byte() < 96;
    match bits.below(3) {
        0 if plane => wild::<Vec2>(&mut bits),
        0 => wild::<Vec3>(&mut bits),
        1 if plane => sound::<Vec2>(&mut bits),
        1 => sound::<Vec3>(&mut bits),
        _ if plane => portions::<Vec2>(&mut bits),
        _ => portions::<Vec3>(&mut bits),
    }
});

type Parts<V> = (Vec<V>, Vec<<V as Vector>::Rotation>, Vec<SpringState<V>>);

fn wild<V: Space>(bits: &mut Bits) {
    let count = bits.below(6);
    let joints: Vec<_> = (0..bits.below(3))
        .map(|_| SpringJoint {
            stiffness: bits.any(),
            drag: bits.any(),
            gravity: V::point(bits, true),
            hit_radius: bits.any(),
            angle_limit: bits.any(),
            weight: bits.any(),
        })
        .collect();
    let colliders: Vec<_> = (0..bits.below(4)).map(|_| collider::<V>(bits, true)).collect();
    let before = if bits.byte() < 128 { Vec::new() } else { colliders.clone() };
    let external: Vec<_> = (0..bits.below(3)).map(|_| V::point(bits, true)).collect();
    let mut parts: Parts<V> = (Vec::new(), Vec::new(), vec![SpringState::default(); count]);
    for _ in 0..4 {
        let tame = bits.byte() < 192;
        parts.0 = (0..count).map(|_| V::point(bits, !tame)).collect();
        parts.1 = (0..count).map(|_| V::rotation(bits, !tame)).collect();
        let pose = |bits: &mut Bits| Pose::new(V::point(bits, true), V::rotation(bits, false));
        let settings = SpringBones {
            joints: &joints,
            colliders: &colliders,
            colliders_before: &before,
            center: (bits.byte() < 64).then(|| CenterSpace { before: pose(bits), now: pose(bits) }),
            external: &external,
            rule: if bits.byte() < 128 { SpringRule::Steady } else { SpringRule::Vrm },
            units_per_metre: if tame { 1.0 } else { bits.any() },
            iterations: 8,
            max_frames: 4,
            whole_bones: bits.byte() < 128,
        };
        let dt = bits.any();
        let start = parts.clone();
        let report =
            attempt(&mut parts, |(p, q, state)| spring_bone_step(p, q, state, &settings, dt));
        if let Some(report) = report {
            assert!(report.speed.is_finite() && report.penetration.is_finite(), "{report:?}");
            let finite = parts.0.iter().all(|p| p.largest().is_finite())
                && parts.1.iter().all(|q| q.norm_squared().is_finite());
            assert!(finite, "{settings:?} {dt} from {start:?}");
        }
        if bits.byte() < 64 {
            let (from, to) = (pose(bits), pose(bits));
            let _ = attempt(&mut parts.2, |state| teleport_spring_bones(state, &from, &to));
        }
    }
}

fn collider<V: Space>(bits: &mut Bits, wild: bool) -> Collider<V> {
    let point = |bits: &mut Bits| V::point(bits, wild);
    let (center, end) = (point(bits), point(bits));
    let radius = if wild { bits.any() } else { bits.share() };
    let inside = bits.byte() < 64;
    match bits.below(3) {
        0 => Sphere { center, radius, inside }.into(),
        1 => Capsule { start: center, end, radius, inside }.into(),
        _ => Plane::new(center, V::rotation(bits, false).rotate(V::up())).into(),
    }
}

/// A chain of moderate numbers, root first.
fn chain<V: Space>(bits: &mut Bits) -> (Vec<V>, Vec<V::Rotation>) {
    let (mut at, mut turn) = (V::point(bits, false), V::Rotation::IDENTITY);
    let (mut positions, mut rotations) = (Vec::new(), Vec::new());
    for _ in 0..2 + bits.below(5) {
        turn = (turn * V::rotation(bits, false)).normalized();
        positions.push(at);
        rotations.push(turn);
        at = at + turn.rotate(V::ahead() * (0.05 + bits.share()));
    }
    (positions, rotations)
}

fn spring<V: Space>(bits: &mut Bits) -> SpringJoint<V> {
    SpringJoint {
        stiffness: 4.0 * bits.share(),
        drag: bits.share(),
        gravity: V::point(bits, false),
        hit_radius: 0.1 * bits.share(),
        angle_limit: core::f32::consts::PI * bits.share(),
        weight: 1.0,
    }
}

fn sound<V: Space>(bits: &mut Bits) {
    let (positions, rotations) = chain::<V>(bits);
    let joint = spring::<V>(bits);
    let colliders: Vec<_> = (0..bits.below(4)).map(|_| collider::<V>(bits, false)).collect();
    let settings = SpringBones {
        joints: &[joint],
        colliders: &colliders,
        whole_bones: bits.byte() < 128,
        ..SpringBones::default()
    };
    let mut state = vec![SpringState::default(); positions.len()];
    let size = positions.iter().map(|p| p.largest()).fold(8.0, f32::max);
    for _ in 0..6 {
        let moved = V::point(bits, false);
        let mut p: Vec<V> = positions.iter().map(|p| *p + moved).collect();
        let (rest, mut q) = (p.clone(), rotations.clone());
        let dt = 0.1 * bits.share();
        let report =
            spring_bone_step(&mut p, &mut q, &mut state, &settings, dt).expect("sound numbers");
        let rounding = 16.0 * f32::EPSILON * size;
        // Bones are no longer than 1.05.
        assert!(!report.settled || report.penetration <= 4.2e-6 + rounding, "{report:?}");
        assert_eq!(p[0], rest[0], "the root moved");
        let mut parent = (V::Rotation::IDENTITY, V::Rotation::IDENTITY);
        for i in 1..p.len() {
            let (bone, animated) = (p[i] - p[i - 1], rest[i] - rest[i - 1]);
            assert!((bone.length() - animated.length()).abs() <= rounding, "{bone:?} {animated:?}");
            // The rest direction as the simulated parent has it.
            let axis = parent.1.rotate(parent.0.inverse().rotate(animated));
            let angle = angle_between(axis.double(), bone.double());
            let blur = 4.0 * rounding / animated.length();
            assert!(angle <= f64::from(joint.angle_limit + blur), "{angle} {joint:?}");
            parent = (rotations[i - 1], q[i - 1]);
        }
    }
}

/// Half a second away from colliders, in two ways of cutting it up: whenever both are at a whole
/// frame they agree.
fn portions<V: Space>(bits: &mut Bits) {
    let (positions, rotations) = chain::<V>(bits);
    // Strong drag forgets rounding; a chain without any may turn it into another swing.
    let joint = SpringJoint {
        drag: 0.3 + 0.7 * bits.share(),
        angle_limit: core::f32::consts::PI,
        ..spring::<V>(bits)
    };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let run = |cuts: u8| {
        let mut state = vec![SpringState::default(); positions.len()];
        let (mut p, mut q) = (positions.clone(), rotations.clone());
        let step = 1.0 / 60.0 / f32::from(cuts);
        for _ in 0..30 * u16::from(cuts) {
            (p, q) = (positions.clone(), rotations.clone());
            let _ = spring_bone_step(&mut p, &mut q, &mut state, &settings, step)
                .expect("sound numbers");
        }
        (p, q)
    };
    let (whole, cut) = (run(1), run(1 + bits.byte() % 7));
    for (a, b) in whole.0.iter().zip(&cut.0) {
        assert!(a.distance(*b) < 1e-3, "{a:?} {b:?} with {joint:?} on {positions:?}");
    }
}
