//! FABRIK: free chains in an iteration or two wherever the target is, with limits never further
//! from it than before.
//!
//! `cargo test --test fabrik -- --nocapture` prints the iterations.

#[path = "common/random.rs"]
mod random;

use random::Random;
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    FabrikSettings, Fault, Joint2, Joint3, Rot2, Status, fabrik_positions, fabrik_solve, reach,
};

/// A chain of unit bones, nearly straight up.
fn nearly_straight(bones: usize, random: &mut Random) -> Vec<Vec3> {
    let mut positions = vec![Vec3::ZERO];
    for _ in 0..bones {
        let bone = (Vec3::Y + 1e-3 * random.direction()).normalize();
        positions.push(*positions.last().unwrap() + bone);
    }
    positions
}

fn straight(bones: u16) -> Vec<Vec3> {
    (0..=bones).map(|i| Vec3::Y * f32::from(i)).collect()
}

/// The worst error of a unit bone.
fn stretch(positions: &[Vec3]) -> f32 {
    positions.windows(2).map(|p| (p[0].distance(p[1]) - 1.0).abs()).fold(0.0, f32::max)
}

fn settings(tolerance: f32) -> FabrikSettings {
    FabrikSettings { tolerance, max_iterations: 100 }
}

/// Iterations to reach random targets between two shares of the reach, fewest first, for the chain
/// of points and for the chain with rotations.
fn iterations(bones: usize, shares: [f32; 2], tolerance: f32) -> [Vec<usize>; 2] {
    let mut random = Random::new(bones as u64);
    let start = nearly_straight(bones, &mut random);
    let mut counts = [Vec::new(), Vec::new()];
    for _ in 0..1000 {
        let target = random.direction() * random.between(shares[0], shares[1]) * bones as f32;
        let mut points = start.clone();
        let alone = fabrik_positions(&mut points, target, &settings(tolerance)).unwrap();
        let (mut positions, mut rotations) = (start.clone(), vec![Quat::IDENTITY; bones + 1]);
        let with = fabrik_solve(&mut positions, &mut rotations, &[], target, &settings(tolerance))
            .unwrap();
        for (solution, positions) in [(alone, &points), (with, &positions)] {
            assert_eq!(solution.status, Status::Reached, "{bones} bones to {target}: {solution:?}");
            assert!(solution.distance <= tolerance * bones as f32 * 1.001);
            assert!(stretch(positions) < 1e-5, "{}", stretch(positions));
        }
        counts[0].push(alone.iterations);
        counts[1].push(with.iterations);
    }
    for counts in &mut counts {
        counts.sort_unstable();
    }
    counts
}

#[test]
fn free_chains_reach_all_over_their_reach() {
    for bones in [5, 10, 20, 50] {
        for (form, counts) in ["points", "poses"].iter().zip(iterations(bones, [0.1, 0.95], 1e-3)) {
            println!("{bones:>3} bones, {form}: median {}, most {}", counts[500], counts[999]);
            assert!(counts[500] <= 1 && counts[999] <= 5);
        }
    }
}

/// I1: plain FABRIK takes 224, 1169 and 3095 iterations for ten bones at these shares.
#[test]
fn targets_next_to_full_reach_take_a_few_iterations() {
    for share in [0.99, 0.999, 0.9999] {
        for (form, counts) in ["points", "poses"].iter().zip(iterations(10, [share; 2], 1e-5)) {
            println!("{share}, {form}: median {}, most {}", counts[500], counts[999]);
            assert!(counts[999] <= 5);
        }
    }
}

#[test]
fn targets_next_to_the_root_are_reached() {
    for bones in [2, 3, 5, 20] {
        for counts in iterations(bones, [0.0, 0.1], 1e-4) {
            assert!(counts[999] <= 20, "{bones} bones: {}", counts[999]);
        }
    }
}

/// G1, G2, G3: straight chains whose target is on their own line, before, behind and at the root.
#[test]
fn straight_chains_leave_the_line_to_their_target() {
    for bones in [2, 3, 4, 9] {
        for share in [0.5, -0.5, -0.9, -1.0, 0.0, 0.98] {
            let target = Vec3::Y * share * f32::from(bones);
            let mut points = straight(bones);
            let alone = fabrik_positions(&mut points, target, &settings(1e-3)).unwrap();
            let mut positions = straight(bones);
            let mut rotations = vec![Quat::IDENTITY; positions.len()];
            let with =
                fabrik_solve(&mut positions, &mut rotations, &[], target, &settings(1e-3)).unwrap();
            assert_eq!((alone.status, with.status), (Status::Reached, Status::Reached), "{target}");
            assert!(stretch(&points) < 1e-5 && stretch(&positions) < 1e-5);
            assert!(rotations.iter().all(|q| (q.length() - 1.0).abs() < 1e-5));
        }
    }
}

#[test]
fn out_of_reach_the_chain_points_at_its_target() {
    let target = Vec3::new(30.0, -40.0, 0.0);
    let mut points = nearly_straight(5, &mut Random::new(1));
    let solution = fabrik_positions(&mut points, target, &FabrikSettings::default()).unwrap();
    assert_eq!((solution.status, solution.iterations), (Status::Unreachable, 1));
    for (i, p) in (0_u8..).zip(&points) {
        assert!(p.distance(target * 0.02 * f32::from(i)) < 1e-5);
    }
    // A jittering target moves the tip by as much as it moves itself (I2).
    let mut jittered = points.clone();
    let nudged = target + Vec3::new(1e-3, 0.0, 0.0);
    let _ = fabrik_positions(&mut jittered, nudged, &FabrikSettings::default()).unwrap();
    assert!(jittered[5].distance(points[5]) < 1.1e-3 * 5.0 / 50.0 + 1e-6);
}

/// A bone longer than all the others together leaves a hole around the root: the chain folds, and
/// its tip is as near as the lengths allow, all the way to a target on the root (T1).
#[test]
fn a_target_inside_the_hole_folds_the_chain() {
    for share in [0.99, 0.5, 0.1, 0.0] {
        let target = Vec2::new(0.6, -0.8) * share;
        let mut points = [Vec2::ZERO, Vec2::X * 3.0, Vec2::new(3.0, 1.0), Vec2::new(3.0, 2.0)];
        let solution = fabrik_positions(&mut points, target, &FabrikSettings::default()).unwrap();
        assert_eq!(solution.status, Status::Unreachable);
        assert!((solution.distance - (1.0 - share)).abs() < 1e-5, "{share}: {solution:?}");
    }
}

/// Each rotation turns by what its bone has turned, and by nothing else: along the bone nothing
/// spins, whatever the bone's axis in its frame.
#[test]
fn rotations_turn_with_their_bones() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let rotations: Vec<_> = (0..6).map(|_| random.rotation()).collect();
        let positions = nearly_straight(5, &mut random);
        let bones: Vec<_> = positions
            .windows(2)
            .zip(&rotations)
            .map(|(p, q)| q.conjugate() * (p[1] - p[0]))
            .collect();
        let (mut p, mut r) = (positions.clone(), rotations.clone());
        let target = random.direction() * random.between(0.5, 4.5);
        let solution = fabrik_solve(&mut p, &mut r, &[], target, &settings(1e-4)).unwrap();
        assert_eq!(solution.status, Status::Reached);
        for (i, bone) in bones.iter().enumerate() {
            assert!((p[i] + r[i] * *bone).distance(p[i + 1]) < 1e-5);
        }
        let grip = [rotations[4].conjugate() * rotations[5], r[4].conjugate() * r[5]];
        assert!(grip[0].dot(grip[1]).abs() > 1.0 - 1e-6);
    }
}

fn limited(random: &mut Random) -> (Vec<Vec3>, Vec<Quat>, Vec<Joint3>) {
    let bones = 2 + random.below(9);
    let joint = |random: &mut Random| match random.below(3) {
        0 => Joint3::cone(Vec3::Y, random.between(0.0, 1.5)).with_twist(-0.3, random.unit()),
        1 => Joint3::hinge(random.direction(), -random.unit(), random.between(0.0, 3.0)),
        _ => Joint3::ellipse(Vec3::Y, Vec3::X, [-0.4, 1.0], [-0.7, random.unit()]),
    };
    let joints = (0..bones).map(|_| joint(random)).collect();
    (nearly_straight(bones, random), vec![Quat::IDENTITY; bones + 1], joints)
}

/// Folded chains among them, whose bones turn the farthest when they are drawn.
#[test]
fn without_limits_no_iteration_leads_away() {
    let mut random = Random::new(12);
    for case in 0..10_000 {
        let (along, bones) = (random.direction(), 2 + random.below(13));
        let mut start = vec![Vec3::ZERO];
        for bone in 0..bones {
            let fold = if bone % 2 == 0 { along } else { along * -0.9 };
            let aside = random.direction() * if case % 2 == 0 { 0.05 } else { 1.0 };
            start.push(*start.last().unwrap() + fold + aside);
        }
        let longest = reach(&start).unwrap().longest;
        let target = random.direction() * random.between(0.0, 1.0) * longest;
        let mut before = f32::INFINITY;
        for max_iterations in 0..5 {
            let mut points = start.clone();
            let settings = FabrikSettings { max_iterations, ..FabrikSettings::default() };
            let solution = fabrik_positions(&mut points, target, &settings).unwrap();
            assert!(solution.distance <= before + 2e-6 * longest, "{solution:?} after {before}");
            before = solution.distance;
        }
    }
}

/// Bones that differ three-thousandfold come to lie next to the line again and again.
#[test]
fn chains_of_very_uneven_bones_do_not_go_in_circles() {
    let mut random = Random::new(13);
    for _ in 0..20_000 {
        let bones = 2 + random.below(13);
        let mut start = vec![Vec3::ZERO];
        for _ in 0..bones {
            let bone = random.direction() * random.between(-4.0, 4.0).exp();
            start.push(*start.last().unwrap() + bone);
        }
        let longest = reach(&start).unwrap().longest;
        let target = random.direction() * random.between(0.0, 1.0) * longest;
        let solution = fabrik_positions(&mut start, target, &settings(1e-3)).unwrap();
        assert!(solution.status != Status::IterationLimit, "{solution:?}");
    }
}

/// With limits, whatever the iterations run out at; and the limits hold: the pose that comes back
/// is admissible, so that solving it again for where it is leaves it bit for bit.
#[test]
fn with_limits_no_iteration_leads_away() {
    let mut random = Random::new(6);
    let mut reached = 0;
    for _ in 0..300 {
        let (positions, rotations, joints) = limited(&mut random);
        let longest = reach(&positions).unwrap().longest;
        let target = random.direction() * random.between(0.1, 1.1) * longest;
        let mut before = f32::INFINITY;
        for max_iterations in [0, 1, 2, 3, 4, 6, 10, 30] {
            let (mut p, mut r) = (positions.clone(), rotations.clone());
            let settings = FabrikSettings { max_iterations, ..FabrikSettings::default() };
            let solution = fabrik_solve(&mut p, &mut r, &joints, target, &settings).unwrap();
            assert!(solution.distance <= before + 2e-6 * longest, "{solution:?} after {before}");
            assert!(stretch(&p) < 1e-5);
            before = solution.distance;
            let (pose, there) = ((p.clone(), r.clone()), *p.last().unwrap());
            let again = fabrik_solve(&mut p, &mut r, &joints, there, &settings).unwrap();
            assert_eq!((again.status, again.iterations), (Status::Reached, 0));
            assert_eq!((p, r), pose);
            reached += u32::from(solution.status == Status::Reached);
        }
    }
    assert!(reached > 300, "limits this wide let many targets be reached: {reached}");
}

/// However long a chain is and however much stack it asks for: its joints turn after the chain of
/// points, and limits too wide to matter do not.
#[test]
fn long_chains_are_worked_like_short_ones() {
    for bones in [64, 65, 256, 257, 1000, 1024, 1025, 4096] {
        let reach = bones as f32;
        let start = nearly_straight(bones, &mut Random::new(8));
        let target = Vec3::new(0.3, 0.7, -0.2) * reach;
        let mut points = start.clone();
        let _ = fabrik_positions(&mut points, target, &settings(1e-4)).unwrap();
        let joints = vec![Joint3::cone(Vec3::Y, 3.0); bones];
        for (joints, most) in [(&[][..], 1e-5), (&joints, 1e-3)] {
            let (mut p, mut r) = (start.clone(), vec![Quat::IDENTITY; bones + 1]);
            let solution = fabrik_solve(&mut p, &mut r, joints, target, &settings(1e-4)).unwrap();
            assert_eq!(solution.status, Status::Reached, "{bones}: {solution:?}");
            let apart = p.iter().zip(&points).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(apart < most * reach, "{bones} bones: {apart}");
        }
    }
    let (mut p, mut r) = (straight(4097), vec![Quat::IDENTITY; 4098]);
    let error = fabrik_solve(&mut p, &mut r, &[], Vec3::X, &settings(1e-3)).unwrap_err();
    assert_eq!(error.fault, Fault::TooLong { most: 4097, actual: 4098 });
}

/// G7: joints in one place in the middle of a chain.
#[test]
fn bones_of_no_length_stay_points() {
    let start = [Vec2::ZERO, Vec2::X, Vec2::X, Vec2::X * 2.0, Vec2::X * 3.0];
    let target = Vec2::new(1.0, 1.0);
    let mut points = start;
    let alone = fabrik_positions(&mut points, target, &settings(1e-4)).unwrap();
    let (mut positions, mut rotations) = (start, [Rot2::IDENTITY; 5]);
    let joints = [Joint2::range(-2.5, 2.5); 4];
    let with =
        fabrik_solve(&mut positions, &mut rotations, &joints, target, &settings(1e-4)).unwrap();
    for (solution, points) in [(alone, points), (with, positions)] {
        assert_eq!(solution.status, Status::Reached);
        assert!(points[1].distance(points[2]) < 1e-6 && points.iter().all(|p| p.is_finite()));
    }
}

/// T7: in any unit, by powers of two to the bit.
#[test]
fn scale_does_not_matter() {
    let start = nearly_straight(7, &mut Random::new(12));
    let target = Vec3::new(2.0, 3.0, -1.0);
    let run = |scale: f32| {
        let mut points: Vec<_> = start.iter().map(|p| *p * scale).collect();
        let alone = fabrik_positions(&mut points, target * scale, &settings(1e-4)).unwrap();
        let mut positions: Vec<_> = start.iter().map(|p| *p * scale).collect();
        let mut rotations = vec![Quat::IDENTITY; 8];
        let target = target * scale;
        let with =
            fabrik_solve(&mut positions, &mut rotations, &[], target, &settings(1e-4)).unwrap();
        let points: Vec<_> = points.iter().map(|p| *p / scale).collect();
        (alone.iterations, with.iterations, points, rotations)
    };
    let one = run(1.0);
    for scale in [1.0 / 1024.0, 1024.0, f32::powi(2.0, -50), f32::powi(2.0, 30)] {
        assert_eq!(run(scale), one);
    }
}

/// 100 000 targets in a row, each from the last one's pose: lengths stay, for points and poses.
#[test]
fn feeding_the_pose_back_wears_nothing_out() {
    let mut random = Random::new(13);
    let mut points = straight(3);
    let (mut positions, mut rotations) = (straight(3), [Quat::IDENTITY; 4]);
    for _ in 0..100_000 {
        let target = random.direction() * random.between(0.1, 3.3);
        let once = FabrikSettings { max_iterations: 1, ..FabrikSettings::default() };
        let _ = fabrik_positions(&mut points, target, &once).unwrap();
        let _ = fabrik_solve(&mut positions, &mut rotations, &[], target, &once).unwrap();
    }
    assert!(stretch(&points) < 1e-5, "{}", stretch(&points));
    assert!(stretch(&positions) < 1e-5, "{}", stretch(&positions));
    for (ends, rotation) in positions.windows(2).zip(rotations) {
        assert!((rotation * Vec3::Y).distance(ends[1] - ends[0]) < 1e-5);
    }
}

#[test]
fn mistakes_are_named_and_nothing_is_touched() {
    let start = straight(3);
    let nan = f32::NAN;
    let good = FabrikSettings::default();
    let bad = FabrikSettings { tolerance: nan, ..good };
    let mut broken = start.clone();
    broken[2].z = nan;
    let cases = [
        (start.clone(), Vec3::splat(nan), good, "target", Fault::NotFinite),
        (start.clone(), Vec3::X * 1e13, good, "target", Fault::TooLarge),
        (start.clone(), Vec3::X, bad, "settings.tolerance", Fault::NotFinite),
        (vec![Vec3::X], Vec3::X, good, "positions", Fault::TooShort { least: 2, actual: 1 }),
        (broken, Vec3::X, good, "positions", Fault::NotFinite),
    ];
    let bits =
        |points: &[Vec3]| points.iter().map(|p| p.to_array().map(f32::to_bits)).collect::<Vec<_>>();
    for (positions, target, settings, argument, fault) in cases {
        let mut points = positions.clone();
        let error = fabrik_positions(&mut points, target, &settings).unwrap_err();
        assert_eq!((error.argument, error.fault), (argument, fault));
        let mut posed = positions.clone();
        let mut rotations = vec![Quat::IDENTITY; posed.len()];
        let error = fabrik_solve(&mut posed, &mut rotations, &[], target, &settings).unwrap_err();
        assert_eq!((error.argument, error.fault), (argument, fault));
        assert!(bits(&points) == bits(&positions) && bits(&posed) == bits(&positions));
    }
    let mut posed = start.clone();
    let error =
        fabrik_solve(&mut posed, &mut [Quat::IDENTITY; 3], &[], Vec3::X, &good).unwrap_err();
    assert_eq!(
        (error.argument, error.fault),
        ("rotations", Fault::Length { expected: 4, actual: 3 })
    );
}

/// Asked for more than rounding has to give, a free chain stops, and says that it was not for want
/// of iterations.
#[test]
fn a_tolerance_of_nothing_comes_to_an_end() {
    let mut random = Random::new(12);
    let settings = FabrikSettings { tolerance: 0.0, max_iterations: usize::MAX };
    for _ in 0..500 {
        for bones in [2, 3, 5, 10, 300] {
            let mut positions = vec![random.vector()];
            for i in 0..bones {
                positions.push(positions[i] + random.direction() * random.between(0.1, 0.4));
            }
            let target = positions[0] + random.direction() * (random.unit() * 0.2 * bones as f32);
            let mut rotations = vec![Quat::IDENTITY; bones + 1];
            let mut posed = positions.clone();
            let solution =
                fabrik_solve(&mut posed, &mut rotations, &[], target, &settings).unwrap();
            assert_ne!(solution.status, Status::IterationLimit, "{bones} bones: {solution:?}");
            let solution = fabrik_positions(&mut positions, target, &settings).unwrap();
            assert_ne!(solution.status, Status::IterationLimit, "{bones} bones: {solution:?}");
        }
    }
}

/// Without iterations a pose inside its limits stays as it is, however far its target.
#[test]
fn no_iterations_leave_a_chain_as_it_is() {
    let settings = FabrikSettings { max_iterations: 0, ..FabrikSettings::default() };
    for distance in [0.5, 2.9995, 3.0, 3.001, 50.0_f32] {
        let mut positions = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::X * 2.0 + Vec3::Y];
        let mut rotations = [Quat::IDENTITY; 4];
        let before = positions;
        let target = Vec3::Z * distance;
        let solution =
            fabrik_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
        assert_eq!((solution.iterations, positions), (0, before), "at {distance}");
        let solution = fabrik_positions(&mut positions, target, &settings).unwrap();
        assert_eq!((solution.iterations, positions), (0, before), "at {distance}");
    }
}
