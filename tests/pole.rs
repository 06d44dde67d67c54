//! Poles for chains of any length: the bend faces the pole, the effector stays.

mod limbs;

use core::f32::consts::PI;

use limbs::{Random, angle};
use sinew::glam::{Quat, Vec3};
use sinew::{Fault, Joint3, Pole, Status, align_pole, clamp_joint_3d};

/// A chain of unit bones that winds its way, with any rotations.
fn winding(random: &mut Random, joints: usize) -> (Vec<Vec3>, Vec<Quat>) {
    let mut position = random.direction();
    let heading = random.direction();
    let positions = (0..joints).map(|_| {
        position += (heading + random.direction()).normalize();
        position
    });
    let positions: Vec<_> = positions.collect();
    (positions, (0..joints).map(|_| random.rotation()).collect())
}

/// The part of the joints' offsets across the line from root to effector.
fn bend(positions: &[Vec3]) -> Vec3 {
    let (root, effector) = (positions[0], positions[positions.len() - 1]);
    let line = (effector - root).normalize();
    positions.iter().map(|p| (*p - root) - line * (*p - root).dot(line)).sum()
}

/// Chains of 3 to 12 joints: the bend faces the pole, nothing else changes.
#[test]
fn the_bend_faces_the_pole_and_the_effector_stays() {
    let mut random = Random(21);
    let mut worst = 0.0_f32;
    for _ in 0..10_000 {
        let n = 3 + random.below(10);
        let (before, before_rotations) = winding(&mut random, n);
        let (mut positions, mut rotations) = (before.clone(), before_rotations.clone());
        let pole = before[0] + random.direction() * 5.0;
        let line = before[n - 1] - before[0];
        if bend(&before).length() < 0.5 * (n - 1) as f32
            || line.length() < 0.5
            || line.normalize().cross(pole - before[0]).length() < 0.2
        {
            continue;
        }
        let aligned =
            align_pole(&mut positions, &mut rotations, &[], Pole::Point(pole), 1.0).unwrap();
        worst = worst.max(aligned.angle);
        assert_eq!(aligned.status, Status::Reached);
        let across = (pole - positions[0]).reject_from(line);
        assert!(bend(&positions).angle_between(across) < 1e-3);
        assert_eq!((positions[0], positions[n - 1]), (before[0], before[n - 1]));
        for i in 1..n {
            let [a, b] = [&before, &positions].map(|p| p[i - 1].distance(p[i]));
            assert!((a - b).abs() < 1e-5);
            let [a, b] =
                [&before_rotations, &rotations].map(|r| (r[i - 1].conjugate() * r[i]).normalize());
            assert!(angle(a, b) < 2e-6);
            // Each bone is where its joint has turned it.
            let turn = rotations[i - 1] * before_rotations[i - 1].conjugate();
            let bone = turn * (before[i] - before[i - 1]);
            assert!(bone.distance(positions[i] - positions[i - 1]) < 1e-5);
        }
        let again = (positions.clone(), rotations.clone());
        let _ = align_pole(&mut positions, &mut rotations, &[], Pole::Point(pole), 1.0).unwrap();
        assert!(again.0.iter().zip(&positions).all(|(a, b)| a.distance(*b) < 1e-5));
    }
    println!("largest angle left to a pole: {worst:.1e} rad");
    assert!(worst < 1e-5);
}

fn arch() -> ([Vec3; 4], [Quat; 4]) {
    let positions = [Vec3::ZERO, Vec3::new(0.5, 1.0, 0.0), Vec3::new(1.5, 1.0, 0.0), Vec3::X * 2.0];
    (positions, [Quat::IDENTITY; 4])
}

/// T2: a pole that circles the line takes the bend along, step for step; one that is swept through
/// the line flips it there and nowhere else, and on the line the bend stays.
#[test]
fn a_swept_pole_moves_the_bend_continuously() {
    let (mut positions, mut rotations) = arch();
    let step = PI / 180.0;
    for i in 0..=720 {
        let (sin, cos) = (step * i as f32).sin_cos();
        let before = rotations;
        let pole = Pole::Point(Vec3::new(1.0, cos, sin));
        let _ = align_pole(&mut positions, &mut rotations, &[], pole, 1.0).unwrap();
        assert!(angle(before[0], rotations[0]) < f64::from(step) * 1.001);
        assert!((positions[1].y - cos).abs() < 1e-5 && (positions[1].z - sin).abs() < 1e-5);
    }
    for i in -100..=100 {
        let (mut positions, mut rotations) = arch();
        let height = i as f32 * 1e-3;
        let pole = Pole::Point(Vec3::new(1.0, height, 0.0));
        let _ = align_pole(&mut positions, &mut rotations, &[], pole, 1.0).unwrap();
        let side = if i < 0 { -1.0 } else { 1.0 };
        assert!((positions[1].y - side).abs() < 1e-5);
    }
}

/// T6: the share of the turn that is made is that of the short way.
#[test]
fn weight_turns_part_of_the_short_way() {
    for (weight, joint_weight, turned) in
        [(0.5, 1.0, -PI / 4.0), (1.0, 0.5, -PI / 4.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)]
    {
        let (mut positions, mut rotations) = arch();
        let joints = [Joint3::free().with_weight(joint_weight), Joint3::free(), Joint3::free()];
        // 270 degrees about the line one way are 90 the other.
        let pole = Pole::Direction(Vec3::NEG_Z);
        let aligned = align_pole(&mut positions, &mut rotations, &joints, pole, weight).unwrap();
        assert!(angle(rotations[0], Quat::from_rotation_x(turned)) < 1e-6);
        assert!((aligned.angle - (PI / 2.0 + turned)).abs() < 1e-5);
        assert_eq!(aligned.status, Status::Stalled);
    }
}

/// The root's limit stops the turn where it ends, and is never passed.
#[test]
fn the_turn_stops_at_the_root_joints_limit() {
    let joints = [Joint3::hinge(Vec3::X, -0.3, 0.7), Joint3::free(), Joint3::free()];
    for (pole, turned) in
        [(Vec3::Z, 0.7), (Vec3::NEG_Z, -0.3), (Vec3::new(0.0, 1.0, 0.2), 0.197_395_56)]
    {
        let (mut positions, mut rotations) = arch();
        let _ = align_pole(&mut positions, &mut rotations, &joints, Pole::Direction(pole), 1.0)
            .unwrap();
        assert!(angle(rotations[0], Quat::from_rotation_x(turned)) < 5e-6);
        assert!(angle(clamp_joint_3d(rotations[0], &joints[0]).unwrap(), rotations[0]) < 1e-5);
    }
}

/// Straight, folded back on the root, the pole on the line or absent: nothing moves.
#[test]
fn without_a_direction_nothing_moves() {
    let straight = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0];
    let closed = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO];
    let balanced = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, -1.0, 0.0), Vec3::X * 3.0];
    let pole = Pole::Direction(Vec3::Z);
    for (positions, pole) in [
        (straight, pole),
        (closed, pole),
        (balanced, pole),
        (arch().0, Pole::Direction(Vec3::X)),
        (arch().0, Pole::Point(Vec3::ZERO)),
        (arch().0, Pole::Keep),
        ([Vec3::ONE; 4], pole),
    ] {
        let (mut p, mut r) = (positions, arch().1);
        let aligned = align_pole(&mut p, &mut r, &[], pole, 1.0).unwrap();
        assert_eq!((p, r, aligned.status), (positions, arch().1, Status::Reached));
    }
}

/// G8: mistakes are named, and nothing is touched.
#[test]
fn mistakes_are_named_and_leave_the_slices_alone() {
    let good = Pole::Direction(Vec3::Z);
    for (name, fault, joints, pole, weight) in [
        ("pole", Fault::NotFinite, &[][..], Pole::Point(Vec3::NAN), 1.0),
        ("weight", Fault::OutOfRange, &[], good, 1.5),
        ("weight", Fault::NotFinite, &[], good, f32::NAN),
        ("joints", Fault::Length { expected: 3, actual: 1 }, &[Joint3::FREE], good, 1.0),
        ("joint.min", Fault::AboveMax, &[Joint3::hinge(Vec3::X, 1.0, 0.0); 3], good, 1.0),
    ] {
        let (mut p, mut r) = arch();
        let error = align_pole(&mut p, &mut r, joints, pole, weight).unwrap_err();
        assert_eq!((error.argument, error.fault), (name, fault));
        assert_eq!((p, r), arch());
    }
    let error = align_pole(&mut [Vec3::ZERO], &mut [Quat::IDENTITY], &[], good, 1.0).unwrap_err();
    assert_eq!(error.fault, Fault::TooShort { least: 2, actual: 1 });
}
