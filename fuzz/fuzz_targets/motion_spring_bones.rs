//! Spring bones with any numbers: an error that leaves everything as it was, or a finite pose. With
//! sound numbers: lengths and limits hold, a settled chain is clear of its colliders, and time that
//! passes in other portions gives the same motion.
#![no_main]
#![allow(missing_docs)]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Quat, Vec3};
use sinew::{
    Capsule, CenterSpace, Collider, Plane, Pose, Sphere, SpringBones, SpringJoint, SpringRule,
    SpringState, Wind, spring_bone_step, teleport_spring_bones, wind_at,
};
use sinew_fuzz::bits::Bits;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(3) {
        0 => wild(&mut bits),
        1 => sound(&mut bits),
        _ => portions(&mut bits),
    }
});

type Parts = (Vec<Vec3>, Vec<Quat>, Vec<SpringState<Vec3>>);

/// As text, for NaN is not itself.
fn text(parts: &Parts) -> String {
    format!("{parts:?}")
}

fn wild(bits: &mut Bits) {
    let count = bits.below(6);
    let joints: Vec<_> = (0..bits.below(3))
        .map(|_| SpringJoint {
            stiffness: bits.any(),
            drag: bits.any(),
            gravity: bits.any_vec3(),
            hit_radius: bits.any(),
            angle_limit: bits.any(),
            weight: bits.any(),
        })
        .collect();
    let colliders: Vec<_> = (0..bits.below(4)).map(|_| collider(bits, true)).collect();
    let before = if bits.byte() < 128 { Vec::new() } else { colliders.clone() };
    let external: Vec<_> = (0..bits.below(3)).map(|_| bits.any_vec3()).collect();
    let mut parts: Parts = (Vec::new(), Vec::new(), vec![SpringState::default(); count]);
    for _ in 0..4 {
        let tame = bits.byte() < 192;
        parts.0 = (0..count).map(|_| if tame { bits.vec3() } else { bits.any_vec3() }).collect();
        parts.1 = (0..count).map(|_| if tame { bits.quat() } else { bits.any_quat() }).collect();
        let pose = |bits: &mut Bits| Pose::new(bits.any_vec3(), bits.quat());
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
        let start = text(&parts);
        match spring_bone_step(&mut parts.0, &mut parts.1, &mut parts.2, &settings, dt) {
            Err(error) => assert_eq!(text(&parts), start, "{error}"),
            Ok(report) => {
                assert!(report.speed.is_finite() && report.penetration.is_finite(), "{report:?}");
                assert!(parts.0.iter().all(|p| p.is_finite()), "{settings:?} {dt} from {start}");
                assert!(parts.1.iter().all(|q| q.is_finite()), "{settings:?} {dt} from {start}");
            }
        }
        if bits.byte() < 64 {
            let before = text(&parts);
            let (from, to) = (pose(bits), pose(bits));
            if teleport_spring_bones(&mut parts.2, &from, &to).is_err() {
                assert_eq!(text(&parts), before);
            }
        }
    }
    let wind = Wind {
        direction: bits.any_vec3(),
        strength: bits.any(),
        gustiness: bits.any(),
        gust_length: bits.any(),
        gust_rate: bits.any(),
        sway: bits.any_vec3(),
    };
    let blow = wind_at(&wind, bits.any_vec3(), bits.any().into());
    assert!(blow.is_err() || blow.is_ok_and(|v| v.is_finite()));
}

fn collider(bits: &mut Bits, wild: bool) -> Collider<Vec3> {
    let point = |bits: &mut Bits| if wild { bits.any_vec3() } else { bits.vec3() };
    let (center, end) = (point(bits), point(bits));
    let radius = if wild { bits.any() } else { bits.share() };
    let inside = bits.byte() < 64;
    match bits.below(3) {
        0 => Sphere { center, radius, inside }.into(),
        1 => Capsule { start: center, end, radius, inside }.into(),
        _ => Plane::new(center, bits.quat() * Vec3::Y).into(),
    }
}

/// A chain of moderate numbers, root first.
fn chain(bits: &mut Bits) -> (Vec<Vec3>, Vec<Quat>) {
    let (mut at, mut turn) = (bits.vec3(), Quat::IDENTITY);
    let (mut positions, mut rotations) = (Vec::new(), Vec::new());
    for _ in 0..2 + bits.below(5) {
        turn = (turn * bits.quat()).normalize();
        positions.push(at);
        rotations.push(turn);
        at += turn * (Vec3::X * (0.05 + bits.share()));
    }
    (positions, rotations)
}

fn spring(bits: &mut Bits) -> SpringJoint<Vec3> {
    SpringJoint {
        stiffness: 4.0 * bits.share(),
        drag: bits.share(),
        gravity: bits.vec3(),
        hit_radius: 0.1 * bits.share(),
        angle_limit: core::f32::consts::PI * bits.share(),
        weight: 1.0,
    }
}

fn sound(bits: &mut Bits) {
    let (positions, rotations) = chain(bits);
    let joint = spring(bits);
    let colliders: Vec<_> = (0..bits.below(4)).map(|_| collider(bits, false)).collect();
    let settings = SpringBones {
        joints: &[joint],
        colliders: &colliders,
        whole_bones: bits.byte() < 128,
        ..SpringBones::default()
    };
    let mut state = vec![SpringState::default(); positions.len()];
    let size = positions.iter().map(|p| p.abs().max_element()).fold(8.0, f32::max);
    for _ in 0..6 {
        let moved = bits.vec3();
        let mut p: Vec<Vec3> = positions.iter().map(|p| *p + moved).collect();
        let (rest, mut q) = (p.clone(), rotations.clone());
        let dt = 0.1 * bits.share();
        let report =
            spring_bone_step(&mut p, &mut q, &mut state, &settings, dt).expect("sound numbers");
        let rounding = 16.0 * f32::EPSILON * size;
        // Bones are no longer than 1.05.
        assert!(!report.settled || report.penetration <= 4.2e-6 + rounding, "{report:?}");
        assert_eq!(p[0], rest[0], "the root moved");
        let mut parent = (Quat::IDENTITY, Quat::IDENTITY);
        for i in 1..p.len() {
            let (bone, animated) = (p[i] - p[i - 1], rest[i] - rest[i - 1]);
            assert!((bone.length() - animated.length()).abs() <= rounding, "{bone} {animated}");
            // The rest direction as the simulated parent has it.
            let axis = parent.1 * (parent.0.inverse() * animated);
            let angle = axis.cross(bone).length().atan2(axis.dot(bone));
            let blur = 4.0 * rounding / animated.length();
            assert!(angle <= joint.angle_limit + blur, "{angle} {joint:?}");
            parent = (rotations[i - 1], q[i - 1]);
        }
    }
}

/// Half a second away from colliders, in two ways of cutting it up: whenever both are at a whole
/// frame they agree.
fn portions(bits: &mut Bits) {
    let (positions, rotations) = chain(bits);
    // Strong drag forgets rounding; a chain without any may turn it into another swing.
    let joint = SpringJoint {
        drag: 0.3 + 0.7 * bits.share(),
        angle_limit: core::f32::consts::PI,
        ..spring(bits)
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
        assert!(a.distance(*b) < 1e-3, "{a} {b} with {joint:?} on {positions:?}");
    }
}
