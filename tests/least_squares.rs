//! Least squares: solves what is within the limits, never ends further from its goal, and asks for
//! nothing but a slice.
//!
//! `cargo test --test least_squares -- --nocapture` prints what each rig takes.

#[path = "common/random.rs"]
mod random;
#[expect(dead_code, reason = "the examples take more of it")]
#[path = "../examples/common/rig.rs"]
mod rig;

use std::path::Path;

use random::Random;
use rig::{Pose, Rig};
use sinew::glam::{DQuat, DVec3, Quat, Vec2, Vec3};
use sinew::{
    Error, Fault, Joint2, Joint3, JointMemory, LeastSquaresSettings, Rot2, Rotation, Solution,
    Status, Vector, clamp_joint_3d, forward_kinematics, least_squares_solve, reach,
};

fn rigs() -> Vec<Rig> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rigs/rigs.json");
    rig::load(&file).expect("the rigs are sound")
}

/// Solves with memory of the right length that holds whatever it holds.
fn solve<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    settings: &LeastSquaresSettings<V>,
) -> Solution {
    let mut memory = vec![JointMemory::default(); positions.len() - 1];
    least_squares_solve(positions, rotations, joints, settings, &mut memory).unwrap()
}

/// Solves every target of every rig; the share solved must be at least `least`, and every pose
/// within its limits and as long as its bones.
fn solve_rigs(least: f64, with_rotations: bool, settings: &LeastSquaresSettings<Vec3>) {
    for rig in rigs() {
        let (joints, start) = (rig.joints_3d(), rig.start().to_single());
        let (mut solved, mut iterations) = (0, 0);
        let (mut excess, mut stretch) = (0.0_f64, 0.0_f64);
        let wanted = rig.target_rotations.iter().map(|q| DQuat::from_array(*q).normalize());
        for (target, wanted) in rig.targets.iter().map(|t| DVec3::from(*t)).zip(wanted) {
            let mut settings = LeastSquaresSettings { target: target.as_vec3(), ..*settings };
            settings.rotation = with_rotations.then(|| wanted.as_quat());
            let (mut positions, mut rotations) = start.clone();
            let solution = solve(&mut positions, &mut rotations, &joints, &settings);
            let pose = Pose::from_single(&positions, &rotations);
            let measured = rig.measure(&pose, target);
            let turned = pose.rotations.last().unwrap().normalize().angle_between(wanted);
            let is_there = measured.distance <= f64::from(settings.tolerance) * rig.reach() * 1.001
                && (!with_rotations || turned <= 1.001 * f64::from(settings.rotation_tolerance));
            assert_eq!(solution.status == Status::Reached, is_there, "{}: {solution:?}", rig.name);
            assert!((f64::from(solution.distance) - measured.distance).abs() < 1e-6 * rig.reach());
            solved += usize::from(is_there);
            iterations += solution.iterations;
            excess = excess.max(measured.excess);
            stretch = stretch.max(measured.stretch);
        }
        let count = rig.targets.len() as f64;
        let share = 100.0 * f64::from(u32::try_from(solved).unwrap()) / count;
        let mean = iterations as f64 / count;
        println!("{:<20} {share:>5.1} % {mean:>5.1} iterations, {excess:.1e} rad", rig.name);
        assert!(share >= least, "{}: {share} %", rig.name);
        assert!(excess < 1e-5 && stretch < 1e-5, "{}: {excess} rad, {stretch}", rig.name);
    }
}

#[test]
fn every_target_within_the_limits_is_reached_to_a_thousandth() {
    solve_rigs(100.0, false, &LeastSquaresSettings::at(Vec3::ZERO));
}

#[test]
fn every_target_within_the_limits_is_reached_to_a_hundred_thousandth() {
    let settings = LeastSquaresSettings { tolerance: 1e-5, ..LeastSquaresSettings::at(Vec3::ZERO) };
    solve_rigs(100.0, false, &settings);
}

#[test]
fn positions_with_rotations_are_reached() {
    let settings =
        LeastSquaresSettings { max_iterations: 300, ..LeastSquaresSettings::at(Vec3::ZERO) };
    solve_rigs(99.0, true, &settings);
}

/// A chain of unit bones, nearly straight up.
fn nearly_straight(bones: usize, random: &mut Random) -> (Vec<Vec3>, Vec<Quat>) {
    let mut positions = vec![Vec3::ZERO];
    for _ in 0..bones {
        let bone = (Vec3::Y + 1e-3 * random.direction()).normalize();
        positions.push(*positions.last().unwrap() + bone);
    }
    (positions, vec![Quat::IDENTITY; bones + 1])
}

#[test]
fn free_chains_of_any_length_reach_in_a_few_iterations() {
    for bones in [5, 10, 20, 50, 100, 200] {
        let mut random = Random::new(bones as u64);
        let start = nearly_straight(bones, &mut random);
        let mut iterations = Vec::new();
        for _ in 0..1000 {
            let target = random.direction() * random.between(0.1, 0.99) * bones as f32;
            let (mut positions, mut rotations) = start.clone();
            let settings = LeastSquaresSettings::at(target);
            let solution = solve(&mut positions, &mut rotations, &[], &settings);
            assert_eq!(solution.status, Status::Reached, "{bones} bones to {target}");
            iterations.push(solution.iterations);
        }
        iterations.sort_unstable();
        println!("{bones:>4} bones: median {}, most {}", iterations[500], iterations[999]);
        assert!(iterations[500] <= 8, "{bones} bones: {}", iterations[500]);
    }
}

/// A chain that lies straight on the line to its target, or with its target on its root, has no
/// direction to start in (G1, G2, G3); restarts find one.
#[test]
fn straight_chains_leave_the_line_to_their_target() {
    for target in [Vec3::Y * 1.5, Vec3::Y * -2.0, Vec3::Y * -3.0, Vec3::Y * 2.9, Vec3::ZERO] {
        let mut positions: Vec<_> = (0..4_u8).map(|i| Vec3::Y * f32::from(i)).collect();
        let mut rotations = [Quat::IDENTITY; 4];
        let settings = LeastSquaresSettings::at(target);
        let solution = solve(&mut positions, &mut rotations, &[], &settings);
        assert_eq!(solution.status, Status::Reached, "{target}: {solution:?}");
        assert!(rotations.iter().all(|q| (q.length() - 1.0).abs() < 1e-5));
    }
}

#[test]
fn unreachable_targets_end_pointed_at() {
    let mut positions = [Vec3::ZERO, Vec3::Y, Vec3::new(0.0, 1.0, 1.0)];
    let mut rotations = [Quat::IDENTITY; 3];
    let target = Vec3::new(3.0, -4.0, 0.0);
    let solution = solve(&mut positions, &mut rotations, &[], &LeastSquaresSettings::at(target));
    assert_eq!(solution.status, Status::Unreachable);
    assert!(positions[2].distance(target * 0.4) < 1e-5, "{}", positions[2]);
    assert!((solution.distance - 3.0).abs() < 1e-5);
}

/// Cones, ellipses and hinges in a row, with weights, from poses that may lie outside.
fn limited_chain(random: &mut Random) -> (Vec<Vec3>, Vec<Quat>, Vec<Joint3>) {
    let count = 2 + random.below(6);
    let mut joints = Vec::new();
    let (mut offsets, mut locals) = (vec![Vec3::ZERO], Vec::new());
    for i in 0..count {
        let axis = random.direction();
        let joint = match i % 4 {
            0 => Joint3::cone(Vec3::Y, random.between(0.0, 2.0)),
            1 => Joint3::hinge(axis, random.between(-3.0, 0.0), random.between(0.0, 4.0)),
            2 => Joint3::ellipse(Vec3::Y, axis, [-0.5, random.unit()], [-random.unit(), 0.7]),
            _ => Joint3::free(),
        };
        let weight = if random.unit() < 0.2 { 0.0 } else { random.between(0.3, 1.0) };
        joints.push(joint.with_rest(random.rotation()).with_weight(weight));
        offsets.push(Vec3::Y * if random.unit() < 0.1 { 0.0 } else { random.between(0.2, 1.0) });
        locals.push(random.rotation());
    }
    locals.push(Quat::IDENTITY);
    let (mut positions, mut rotations) = (offsets.clone(), locals.clone());
    forward_kinematics(&offsets, &locals, &mut positions, &mut rotations).unwrap();
    (positions, rotations, joints)
}

/// From the start pose once it is inside its limits, whatever the iterations run out at, with and
/// without restarts.
#[test]
fn no_solve_ends_further_from_its_goal_than_it_began() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let (positions, rotations, joints) = limited_chain(&mut random);
        let longest = reach(&positions).unwrap().longest;
        let target = random.direction() * random.between(0.0, 1.3) * longest;
        let restarts = random.unit() < 0.5;
        let mut before = f32::INFINITY;
        for max_iterations in [0, 1, 2, 3, 5, 8, 20, 60] {
            let (mut p, mut r) = (positions.clone(), rotations.clone());
            let at = LeastSquaresSettings::at(target);
            let settings = LeastSquaresSettings { max_iterations, restarts, ..at };
            let distance = solve(&mut p, &mut r, &joints, &settings).distance;
            assert!(distance <= before + 2e-6 * longest, "{max_iterations}: {distance} {before}");
            before = distance;
        }
    }
}

/// The arm of the README's first example, with less room.
fn arm() -> (Vec<Vec3>, Vec<Joint3>) {
    let joints =
        vec![Joint3::cone(Vec3::Y, 0.8).with_twist(-0.5, 0.5), Joint3::hinge(Vec3::X, 0.0, 2.0)];
    (vec![Vec3::ZERO, Vec3::Y * 0.30, Vec3::Y * 0.55], joints)
}

/// A target that moves by a thousandth of the reach a frame, most of it where the limits keep the
/// arm from: where a restart turns it over, that wins a tenth of the gap or reaches. What moves it
/// far in a frame without that is a descent along a valley, and rare.
#[test]
fn no_restart_turns_a_chain_over_for_nothing() {
    let (start, joints) = arm();
    let mut random = Random::new(13);
    let (mut jumps, mut in_vain, mut late) = (0, 0, 0);
    for _ in 0..300 {
        let (base, way) = (random.direction() * random.between(0.1, 0.6), random.direction());
        let (mut positions, mut rotations) = (start.clone(), [Quat::IDENTITY; 3]);
        for frame in 0..200_u8 {
            let target = base + way * (0.00055 * f32::from(frame));
            let before = positions.clone();
            let settings = LeastSquaresSettings::at(target);
            let solution = solve(&mut positions, &mut rotations, &joints, &settings);
            let moved = before[1].distance(positions[1]).max(before[2].distance(positions[2]));
            late += u32::from(solution.status != Status::Reached);
            if frame > 0 && moved > 0.1 {
                jumps += 1;
                let gap = before[2].distance(target);
                let is_nearer = solution.distance < 0.9 * gap;
                in_vain += u32::from(solution.status != Status::Reached && !is_nearer);
            }
        }
    }
    println!("{jumps} jumps in 60 000 frames, {in_vain} of them in vain; {late} late");
    assert!(late > 20_000 && in_vain < 10);
}

/// How far a frame moves a chain, as a share of its reach, at most: of 60 frames with a target that
/// stands still, those after the first that is `Stalled`. `None` if there is no such frame.
fn unrest<V: Vector>(
    (mut positions, mut rotations): (Vec<V>, Vec<V::Rotation>),
    joints: &[V::Joint],
    settings: &LeastSquaresSettings<V>,
) -> Option<f32> {
    let longest = reach(&positions).unwrap().longest;
    let mut most: Option<f32> = None;
    for _ in 0..60 {
        let before = positions.clone();
        let status = solve(&mut positions, &mut rotations, joints, settings).status;
        let moved = before.iter().zip(&positions).map(|(a, b)| a.distance(*b) / longest);
        most = match most {
            Some(most) => Some(moved.fold(most, f32::max)),
            None => (status == Status::Stalled).then_some(0.0),
        };
    }
    most
}

/// A pose from rotations relative to the parents.
fn posed<V: Vector>(offsets: &[V], locals: &[V::Rotation]) -> (Vec<V>, Vec<V::Rotation>) {
    let (mut positions, mut rotations) = (offsets.to_vec(), locals.to_vec());
    forward_kinematics(offsets, locals, &mut positions, &mut rotations).unwrap();
    (positions, rotations)
}

/// Shoulder and elbow, and a few joints more: cones with and without a twist, and hinges.
fn cones_and_hinges(random: &mut Random) -> (Vec<Vec3>, Vec<Quat>, Vec<Joint3>) {
    let count = 2 + random.below(5);
    let (mut offsets, mut locals, mut joints) = (vec![Vec3::ZERO], Vec::new(), Vec::new());
    for i in 0..count {
        let cone = Joint3::cone(Vec3::Y, random.between(0.1, 1.6));
        joints.push(match i % 3 {
            0 => cone.with_twist(random.between(-0.8, 0.0), random.between(0.0, 0.8)),
            1 => Joint3::hinge(random.direction(), -random.unit(), 2.0 * random.unit()),
            _ => cone.with_weight(random.between(0.3, 1.0)),
        });
        offsets.push(Vec3::Y * random.between(0.2, 1.0));
        locals.push(random.rotation());
    }
    locals.push(Quat::IDENTITY);
    let (positions, rotations) = posed(&offsets, &locals);
    (positions, rotations, joints)
}

/// Ranges in a row, from a pose that may lie outside.
fn ranges(random: &mut Random) -> (Vec<Vec2>, Vec<Rot2>, Vec<Joint2>) {
    let count = 2 + random.below(8);
    let (mut offsets, mut locals, mut joints) = (vec![Vec2::ZERO], Vec::new(), Vec::new());
    for _ in 0..count {
        let min = random.between(-0.8, 0.0);
        joints.push(Joint2::range(min, min + random.between(0.2, 1.5)));
        offsets.push(Vec2::X * random.between(0.1, 0.3));
        locals.push(Rot2::from_angle(random.between(-1.0, 1.0)));
    }
    locals.push(Rot2::IDENTITY);
    let (positions, rotations) = posed(&offsets, &locals);
    (positions, rotations, joints)
}

/// What has stalled rests: while the target stands still no later frame moves the chain, but for
/// one in a hundred that creeps where its limits meet in an edge.
#[test]
fn a_stalled_chain_rests() {
    let mut random = Random::new(17);
    let mut all = Vec::new();
    for round in 0..3000 {
        let share = random.between(0.0, 1.2);
        let moved = if round % 2 == 0 {
            let (positions, rotations, joints) = cones_and_hinges(&mut random);
            let longest = reach(&positions).unwrap().longest;
            let mut at = LeastSquaresSettings::at(random.direction() * share * longest);
            at.rotation = (round % 3 == 0).then(|| random.rotation());
            let settings = LeastSquaresSettings { restarts: false, ..at };
            unrest((positions, rotations), &joints, &settings)
        } else {
            let (positions, rotations, joints) = ranges(&mut random);
            let longest = reach(&positions).unwrap().longest;
            let at = LeastSquaresSettings::at(random.direction_2d() * share * longest);
            let settings = LeastSquaresSettings { restarts: false, ..at };
            unrest((positions, rotations), &joints, &settings)
        };
        all.extend(moved);
    }
    all.sort_unstable_by(f32::total_cmp);
    let [usual, most] = [all[all.len() * 99 / 100], *all.last().unwrap()];
    println!("{} stalled, 99 % moved by {usual:.1e} of the reach, all by {most:.1e}", all.len());
    assert!(all.len() > 300 && usual < 1e-5 && most < 1e-2, "{usual} {most}");
}

/// With no tolerance and no end of iterations, too, it says that it rests.
#[test]
fn a_descent_ends() {
    let mut random = Random::new(23);
    for round in 0..300 {
        let (mut positions, mut rotations, joints) = cones_and_hinges(&mut random);
        let longest = reach(&positions).unwrap().longest;
        let at = LeastSquaresSettings::at(random.direction() * random.between(0.0, 1.2) * longest);
        let settings = LeastSquaresSettings {
            restarts: false,
            tolerance: 0.0,
            max_iterations: usize::MAX,
            ..at
        };
        let mut memory = vec![JointMemory::default(); joints.len()];
        let solution =
            least_squares_solve(&mut positions, &mut rotations, &joints, &settings, &mut memory)
                .unwrap();
        assert!(solution.iterations < 3000, "{round}: {solution:?}");
    }
}

/// An ellipse's nearest rotation is not always the nearest by angle, and its edge is followed less
/// well: a few chains still creep.
#[test]
fn a_stalled_chain_with_ellipses_rests_or_creeps() {
    let mut random = Random::new(17);
    let mut moved = Vec::new();
    for _ in 0..3000 {
        let (positions, rotations, joints) = limited_chain(&mut random);
        let longest = reach(&positions).unwrap().longest;
        let at = LeastSquaresSettings::at(random.direction() * random.unit() * longest);
        let settings = LeastSquaresSettings { restarts: false, ..at };
        moved.extend(unrest((positions, rotations), &joints, &settings));
    }
    moved.sort_unstable_by(f32::total_cmp);
    let [usual, most] = [moved[moved.len() * 97 / 100], *moved.last().unwrap()];
    println!("{} stalled, 97 % moved by {usual:.1e} of the reach, all by {most:.1e}", moved.len());
    assert!(moved.len() > 100 && usual < 1e-5 && most < 1e-2, "{usual} {most}");
}

/// With restarts too: solving again wins next to nothing of what the limits leave.
#[test]
fn a_search_that_has_stalled_has_found_what_there_is() {
    let mut random = Random::new(17);
    let mut gains = Vec::new();
    for _ in 0..8000 {
        let (mut p, mut r, joints) = limited_chain(&mut random);
        let longest = reach(&p).unwrap().longest;
        let at = LeastSquaresSettings::at(random.direction() * random.unit() * longest);
        let settings = LeastSquaresSettings { max_iterations: 300, ..at };
        let first = solve(&mut p, &mut r, &joints, &settings);
        if first.status == Status::Stalled {
            let second = solve(&mut p, &mut r, &joints, &settings);
            gains.push(1.0 - second.distance / first.distance);
        }
    }
    gains.sort_unstable_by(f32::total_cmp);
    let most = gains[gains.len() * 90 / 100];
    println!("{} stalled, the gap of 90 % shrinks by {most:.1e}", gains.len());
    assert!(gains.len() > 1200 && most < 1e-3, "{most}");
}

/// A pull towards rest, however strong, keeps no chain from a goal that it meets without.
#[test]
fn the_pull_towards_rest_costs_no_goals() {
    for (is_limited, with_rotations) in [(false, false), (false, true), (true, false), (true, true)]
    {
        let reached = [0.0, 0.2, 0.5, 1.0].map(|rest_pull| {
            let mut random = Random::new(29);
            let joints = [Joint3::cone(Vec3::Y, 1.0).with_twist(-1.0, 1.0); 6];
            let joints = &joints[..if is_limited { 6 } else { 0 }];
            let offsets = [Vec3::ZERO, Vec3::Y, Vec3::Y, Vec3::Y, Vec3::Y, Vec3::Y, Vec3::Y];
            let mut reached = 0;
            for _ in 0..400 {
                let [(mut p, mut r), (goal, turned)] = [0; 2].map(|_| {
                    let mut locals = [0; 7].map(|_| random.rotation());
                    locals[6] = Quat::IDENTITY;
                    for (local, joint) in locals.iter_mut().zip(joints) {
                        *local = clamp_joint_3d(*local, joint).unwrap();
                    }
                    posed(&offsets, &locals)
                });
                let mut at = LeastSquaresSettings::at(goal[6]);
                at.rotation = with_rotations.then_some(turned[6]);
                let settings = LeastSquaresSettings { rest_pull, restarts: false, ..at };
                let solution = solve(&mut p, &mut r, joints, &settings);
                reached += i32::from(solution.status == Status::Reached);
            }
            reached
        });
        println!("limits {is_limited}, rotations {with_rotations}: {reached:?} of 400");
        assert!(reached.iter().all(|n| *n >= reached[0] - 4), "{reached:?}");
    }
}

/// A target that the limits exclude is known for it, in fewer iterations than there are.
#[test]
fn a_target_that_the_limits_exclude_stalls_the_search() {
    let (start, joints) = arm();
    let mut random = Random::new(19);
    let (mut stalled, mut limit, mut iterations) = (0, 0, 0);
    for _ in 0..500 {
        let target = random.direction() * random.between(0.1, 0.5);
        let (mut positions, mut rotations) = (start.clone(), [Quat::IDENTITY; 3]);
        let settings = LeastSquaresSettings::at(target);
        let solution = solve(&mut positions, &mut rotations, &joints, &settings);
        match solution.status {
            Status::Stalled => stalled += 1,
            Status::IterationLimit => limit += 1,
            _ => continue,
        }
        iterations += solution.iterations;
    }
    let mean = iterations as f64 / f64::from(stalled + limit);
    println!("{stalled} stalled, {limit} out of iterations, {mean:.1} iterations");
    assert!(stalled > 300 && limit < stalled / 20 && mean < 50.0);
}

/// Without restarts a mirrored chain goes the mirrored way, to the bit.
#[test]
fn without_restarts_a_mirrored_chain_gets_the_mirrored_pose() {
    let mirrored = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let turned = |q: Quat| Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
    let mut random = Random::new(23);
    let positions = [Vec3::ZERO, Vec3::Y * 0.3, Vec3::new(0.05, 0.5, 0.1), Vec3::Y * 0.7];
    for _ in 0..300 {
        let (axis, swing) = (random.direction(), random.between(0.3, 2.0));
        let (least, most) = (random.between(-1.0, 0.0), random.between(0.0, 2.0));
        let joints = [
            Joint3::cone(Vec3::Y, swing).with_twist(least, most),
            Joint3::hinge(axis, least, most),
            Joint3::free(),
        ];
        let opposite = [
            Joint3::cone(Vec3::Y, swing).with_twist(-most, -least),
            // An axis is a pseudovector.
            Joint3::hinge(-mirrored(axis), least, most),
            Joint3::free(),
        ];
        let at = LeastSquaresSettings::at(random.direction() * random.between(0.1, 0.8));
        let settings = LeastSquaresSettings { restarts: false, ..at };
        let (mut p, mut r) = (positions, [Quat::IDENTITY; 4]);
        let one = solve(&mut p, &mut r, &joints, &settings);
        let (mut q, mut s) = (positions.map(mirrored), [Quat::IDENTITY; 4]);
        let settings = LeastSquaresSettings { target: mirrored(settings.target), ..settings };
        let other = solve(&mut q, &mut s, &opposite, &settings);
        assert_eq!(one, other);
        assert_eq!((p, r), (q.map(mirrored), s.map(turned)));
    }
}

#[test]
fn a_joint_of_no_weight_holds_still_and_the_others_reach() {
    let mut positions = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0, Vec2::X * 3.0];
    let mut rotations = [Rot2::IDENTITY; 4];
    let joints = [Joint2::free(), Joint2::free().with_weight(0.0), Joint2::range(-2.0, 2.0)];
    let settings = LeastSquaresSettings::at(Vec2::new(1.0, 2.0));
    let solution = solve(&mut positions, &mut rotations, &joints, &settings);
    assert_eq!(solution.status, Status::Reached);
    assert!((rotations[0].inverse() * rotations[1]).angle().abs() < 1e-6);
}

/// A light joint turns less than one of full weight: the weights are a metric.
#[test]
fn weights_share_the_turn() {
    let turns = [1.0, 0.25].map(|weight| {
        let mut positions = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0, Vec2::new(2.5, 0.8)];
        let mut rotations = [Rot2::IDENTITY; 4];
        let joints = [Joint2::free().with_weight(weight), Joint2::free(), Joint2::free()];
        let settings = LeastSquaresSettings::at(Vec2::new(2.2, 1.2));
        let solution = solve(&mut positions, &mut rotations, &joints, &settings);
        assert_eq!(solution.status, Status::Reached);
        rotations[0].angle().abs()
    });
    assert!(turns[1] < 0.8 * turns[0], "{turns:?}");
}

/// With a pull towards rest a redundant arm reaches the same target in a pose nearer to rest.
#[test]
fn the_rest_pose_pulls_where_the_goal_leaves_freedom() {
    let mut random = Random::new(3);
    let mut nearer = 0;
    for _ in 0..100 {
        let angles = [0; 5].map(|_| random.between(-1.5, 1.5));
        let target = random.direction_2d() * random.between(1.0, 4.0);
        let bent = [0.0, 0.5].map(|rest_pull| {
            let locals: Vec<_> =
                angles.iter().chain([&0.0]).map(|a| Rot2::from_angle(*a)).collect();
            let offsets = [Vec2::ZERO, Vec2::X, Vec2::X, Vec2::X, Vec2::X, Vec2::X];
            let (mut positions, mut rotations) = (offsets, locals.clone());
            forward_kinematics(&offsets, &locals, &mut positions, &mut rotations).unwrap();
            let at = LeastSquaresSettings::at(target);
            let settings = LeastSquaresSettings { rest_pull, tolerance: 1e-4, ..at };
            let solution = solve(&mut positions, &mut rotations, &[], &settings);
            assert_eq!(solution.status, Status::Reached, "{target} {rest_pull}");
            let turns = rotations.windows(2).map(|r| (r[0].inverse() * r[1]).angle().powi(2));
            turns.sum::<f32>() + rotations[0].angle().powi(2)
        });
        nearer += u32::from(bent[1] < bent[0]);
    }
    assert!(nearer >= 90, "{nearer} of 100");
}

#[test]
fn a_pose_of_the_plane_is_reached_with_its_rotation() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let wanted = random.between(-3.0, 3.0);
        let target = random.direction_2d() * random.between(0.0, 1.9);
        let mut positions = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0, Vec2::X * 3.0];
        let mut rotations = [Rot2::IDENTITY; 4];
        let settings = LeastSquaresSettings::at(target).with_rotation(Rot2::from_angle(wanted));
        // The wrist is wherever the last bone wants it: in reach of the two others or not.
        let wrist = target - Rot2::from_angle(wanted) * Vec2::X;
        if wrist.length() > 1.95 {
            continue;
        }
        let solution = solve(&mut positions, &mut rotations, &[], &settings);
        assert_eq!(solution.status, Status::Reached, "{target} {wanted}: {solution:?}");
        let turned = (rotations[3].inverse() * Rot2::from_angle(wanted)).angle().abs();
        assert!(turned <= 1.01e-3 && (turned - solution.angle).abs() < 1e-5);
    }
}

/// The same rig in any unit, moved and turned as a whole, solves in as many iterations to the same
/// place. Powers of two are exact.
#[test]
fn scale_does_not_matter() {
    let mut random = Random::new(5);
    for _ in 0..100 {
        let (positions, rotations, joints) = limited_chain(&mut random);
        let longest = reach(&positions).unwrap().longest;
        let target = random.direction() * random.between(0.2, 0.9) * longest;
        let run = |scale: f32| {
            let mut p: Vec<_> = positions.iter().map(|p| *p * scale).collect();
            let mut r = rotations.clone();
            let settings = LeastSquaresSettings::at(target * scale);
            let solution = solve(&mut p, &mut r, &joints, &settings);
            (solution.status, solution.iterations, r)
        };
        let one = run(1.0);
        for scale in [1.0 / 1024.0, 1024.0, f32::powi(2.0, -40), f32::powi(2.0, 30)] {
            assert_eq!(run(scale), one);
        }
    }
}

#[test]
fn what_the_memory_held_does_not_matter() {
    let start = nearly_straight(6, &mut Random::new(1));
    let settings = LeastSquaresSettings::at(Vec3::new(1.0, 2.0, 3.0));
    let mut used = vec![JointMemory::default(); 9];
    let mut runs = [0, 1].map(|_| {
        let (mut p, mut r) = start.clone();
        let solution = least_squares_solve(&mut p, &mut r, &[], &settings, &mut used).unwrap();
        (solution, p, r)
    });
    let (mut p, mut r) = start;
    let solution = solve(&mut p, &mut r, &[], &settings);
    runs.rotate_left(1);
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], (solution, p, r));
}

#[test]
fn mistakes_are_named_and_nothing_is_touched() {
    let (positions, rotations) = nearly_straight(3, &mut Random::new(2));
    let at = LeastSquaresSettings::at(Vec3::X);
    let nan = f32::NAN;
    let cases = [
        (
            LeastSquaresSettings { target: Vec3::new(0.0, nan, 0.0), ..at },
            "target",
            Fault::NotFinite,
        ),
        (LeastSquaresSettings { target: Vec3::X * 1e20, ..at }, "target", Fault::TooLarge),
        (
            at.with_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            "settings.rotation",
            Fault::NotUnit,
        ),
        (
            LeastSquaresSettings { rotation_weight: 0.0, ..at },
            "settings.rotation_weight",
            Fault::OutOfRange,
        ),
        (LeastSquaresSettings { tolerance: -1.0, ..at }, "settings.tolerance", Fault::OutOfRange),
        (
            LeastSquaresSettings { rotation_tolerance: nan, ..at },
            "settings.rotation_tolerance",
            Fault::NotFinite,
        ),
        (LeastSquaresSettings { rest_pull: 1.5, ..at }, "settings.rest_pull", Fault::OutOfRange),
    ];
    for (settings, argument, fault) in cases {
        let (mut p, mut r) = (positions.clone(), rotations.clone());
        let mut memory = [JointMemory::default(); 3];
        let error = least_squares_solve(&mut p, &mut r, &[], &settings, &mut memory).unwrap_err();
        assert_eq!((error.argument, error.fault), (argument, fault));
        assert!(p == positions && r == rotations);
    }
    let (mut p, mut r) = (positions.clone(), rotations.clone());
    let error: Error = least_squares_solve(&mut p, &mut r, &[], &at, &mut []).unwrap_err();
    assert_eq!((error.argument, error.fault), ("memory", Fault::TooShort { least: 3, actual: 0 }));
    assert!(p == positions && r == rotations);
}

/// 100 000 targets in a row, each from the last one's pose: lengths and limits stay.
#[test]
fn feeding_the_pose_back_wears_nothing_out() {
    let mut random = Random::new(9);
    let mut positions = [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0, Vec3::Y * 2.7];
    let mut rotations = [Quat::IDENTITY; 4];
    let joints = [
        Joint3::cone(Vec3::Y, 1.0),
        Joint3::hinge(Vec3::X, 0.0, 2.5),
        Joint3::cone(Vec3::Y, 0.7).with_twist(-0.5, 0.5),
    ];
    for _ in 0..100_000 {
        let settings = LeastSquaresSettings {
            max_iterations: 3,
            ..LeastSquaresSettings::at(random.direction() * random.between(0.5, 3.0))
        };
        let _ = solve(&mut positions, &mut rotations, &joints, &settings);
    }
    for (ends, length) in positions.windows(2).zip([1.0, 1.0, 0.7]) {
        assert!((ends[0].distance(ends[1]) / length - 1.0).abs() < 1e-5);
    }
    assert!((rotations[0] * Vec3::Y).angle_between(Vec3::Y) < 1.0 + 1e-5);
    let elbow = rotations[0].inverse() * rotations[1];
    assert!(elbow.y.abs().max(elbow.z.abs()) < 5e-6);
    let bend = 2.0 * elbow.x.atan2(elbow.w);
    assert!((-1e-5..2.5 + 1e-5).contains(&bend), "{bend}");
    let wrist = rotations[1].inverse() * rotations[2];
    assert!((wrist * Vec3::Y).angle_between(Vec3::Y) < 0.7 + 1e-5);
    assert!((2.0 * wrist.y.atan2(wrist.w)).abs() < 0.5 + 1e-5);
    assert!(Rotation::angle(rotations[0]) <= core::f32::consts::PI);
}
