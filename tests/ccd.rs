//! Cyclic coordinate descent: lengths, limits, distance, weights, and a twin in double precision.

mod common;
#[path = "common/random.rs"]
mod random;

use core::f32::consts::PI;

use common::{
    Limit, Problem, Problem2, Spec, angle_2d, angle_between, bits, clamp64, lengths, lengths_2d,
    problem, problem_2d, problem_of, q64, resolution, spec, v64, weight, worst_excess,
    worst_excess_2d, wrap64,
};
use proptest::prelude::*;
use random::Random;
use sinew::glam::{DQuat, DVec3, Quat, Vec2, Vec3};
use sinew::{
    CcdSettings, Joint2, Joint3, Order, Rot2, Solution, Status, ccd_solve, clamp_joint_3d,
};

/// What the crate promises of limits, in radians, and of lengths, as a share of the bone.
const PROMISED: f64 = 1e-5;

fn settings() -> impl Strategy<Value = CcdSettings> {
    let order = prop_oneof![Just(Order::TipFirst), Just(Order::RootFirst)];
    let max_turn = prop_oneof![3 => Just(PI), 1 => 0.01_f32..3.0];
    let damping = prop_oneof![3 => Just(0.0_f32), 1 => 0.0_f32..0.95];
    (0_usize..20, order, max_turn, damping).prop_map(
        |(max_iterations, order, max_turn, damping)| CcdSettings {
            max_iterations,
            order,
            max_turn,
            damping,
            ..CcdSettings::default()
        },
    )
}

fn solve(problem: &mut Problem, settings: &CcdSettings) -> Solution {
    let joints = problem.joints();
    let Problem { positions, rotations, target, .. } = problem;
    ccd_solve(positions, rotations, &joints, *target, settings).unwrap()
}

fn solve_2d(problem: &mut Problem2, settings: &CcdSettings) -> Solution {
    let joints = problem.joints();
    let Problem2 { positions, rotations, target, .. } = problem;
    ccd_solve(positions, rotations, &joints, *target, settings).unwrap()
}

/// Bones keep their lengths to 1e-5 of themselves, or what coordinates of the chain's size can
/// tell.
fn keeps_lengths(before: &[f64], after: &[f64], resolution: f32) -> bool {
    let slack = 4.0 * f64::from(resolution);
    before.iter().zip(after).all(|(a, b)| (a - b).abs() <= PROMISED * a + slack)
}

proptest! {
    #![proptest_config(common::config(600))]

    /// T4, L5, L6, G7 and every singular input at once: lengths, limits, the root, the report.
    #[test]
    fn what_comes_back_is_a_pose_of_the_same_chain(start in problem(), settings in settings()) {
        let mut end = start.clone();
        let solution = solve(&mut end, &settings);
        let resolution = resolution(&start.positions, start.target);
        prop_assert!(end.positions.iter().all(|p| p.is_finite()));
        prop_assert!(end.rotations.iter().all(|r| (r.length() - 1.0).abs() < 1e-6));
        prop_assert_eq!(end.positions[0], start.positions[0]);
        let (before, after) = (lengths(&start.positions), lengths(&end.positions));
        prop_assert!(keeps_lengths(&before, &after, resolution), "{before:?} {after:?}");
        let excess = worst_excess(&end.rotations, &end.specs);
        prop_assert!(excess < PROMISED, "{excess}");
        // Every bone hangs at its rotation as it did.
        for (i, length) in before.iter().enumerate() {
            let local = |p: &Problem| {
                q64(p.rotations[i]).conjugate() * (v64(p.positions[i + 1]) - v64(p.positions[i]))
            };
            let moved = local(&start).distance(local(&end));
            prop_assert!(moved <= PROMISED * length + 4.0 * f64::from(resolution), "{moved}");
        }
        // The report is about the slices.
        let last = end.positions[end.positions.len() - 1];
        let distance = v64(last).distance(v64(start.target));
        prop_assert!((distance - f64::from(solution.distance)).abs() <= 3.0 * f64::from(resolution));
        prop_assert!(solution.iterations <= settings.max_iterations);
        let tolerance = f64::from(settings.tolerance) * before.iter().sum::<f64>();
        match solution.status {
            Status::Reached => prop_assert!(distance <= tolerance * (1.0 + 1e-5)),
            _ => prop_assert!(distance >= tolerance * (1.0 - 1e-5) - 3.0 * f64::from(resolution)),
        }
    }

    #[test]
    fn in_the_plane_too(start in problem_2d(), settings in settings()) {
        let mut end = start.clone();
        let solution = solve_2d(&mut end, &settings);
        let flat: Vec<Vec3> = start.positions.iter().map(|p| p.extend(0.0)).collect();
        let resolution = resolution(&flat, start.target.extend(0.0));
        prop_assert_eq!(end.positions[0], start.positions[0]);
        let (before, after) = (lengths_2d(&start.positions), lengths_2d(&end.positions));
        prop_assert!(keeps_lengths(&before, &after, resolution), "{before:?} {after:?}");
        let excess = worst_excess_2d(&end.rotations, &end.specs);
        prop_assert!(excess < PROMISED, "{excess}");
        let last = end.positions[end.positions.len() - 1];
        let distance = last.as_dvec2().distance(start.target.as_dvec2());
        prop_assert!((distance - f64::from(solution.distance)).abs() <= 3.0 * f64::from(resolution));
        prop_assert!(solution.iterations <= settings.max_iterations);
    }

    /// No sweep ends further from the target than it began, whatever the limits: from the same
    /// start with one sweep more, and fed back sweep by sweep.
    #[test]
    fn the_distance_never_grows(start in problem(), settings in settings()) {
        let slack = 8.0 * resolution(&start.positions, start.target);
        let mut last = f32::INFINITY;
        for max_iterations in 0..12 {
            let mut end = start.clone();
            let solution = solve(&mut end, &CcdSettings { max_iterations, ..settings });
            prop_assert!(solution.distance <= last + slack, "{last} {solution:?}");
            last = solution.distance;
        }
        let mut fed_back = start;
        let once = CcdSettings { max_iterations: 1, ..settings };
        last = solve(&mut fed_back, &CcdSettings { max_iterations: 0, ..settings }).distance;
        for _ in 0..12 {
            let solution = solve(&mut fed_back, &once);
            prop_assert!(solution.distance <= last + slack, "{last} {solution:?}");
            last = solution.distance;
        }
    }

    #[test]
    fn nor_in_the_plane(start in problem_2d(), settings in settings()) {
        let flat: Vec<Vec3> = start.positions.iter().map(|p| p.extend(0.0)).collect();
        let slack = 8.0 * resolution(&flat, start.target.extend(0.0));
        let mut last = f32::INFINITY;
        for max_iterations in 0..12 {
            let mut end = start.clone();
            let solution = solve_2d(&mut end, &CcdSettings { max_iterations, ..settings });
            prop_assert!(solution.distance <= last + slack, "{last} {solution:?}");
            last = solution.distance;
        }
    }

    /// A plain descent in double precision, that turns every joint beyond each joint in world
    /// space: the same pose after one, two and three sweeps, where the chain is not drawn taut, no
    /// pair of joints is turned together and no joint is so near to the line of its arm and target
    /// that rounding picks its axis.
    #[test]
    fn a_twin_in_double_precision_ends_in_the_same_pose(
        start in problem_of(hinge_or_free), root_first in any::<bool>(), sweeps in 1_usize..=3,
    ) {
        let order = if root_first { Order::RootFirst } else { Order::TipFirst };
        let mut inside = start;
        let zero = CcdSettings { max_iterations: 0, tolerance: 0.0, order, ..CcdSettings::default() };
        let _ = solve(&mut inside, &zero);
        prop_assume!(v64(inside.target).distance(v64(inside.positions[0])) < 0.89 * f64::from(inside.reach()));
        let Some(twin) = Twin::of(&inside).descend(sweeps, order) else {
            return Err(TestCaseError::reject("ill conditioned"));
        };
        let mut end = inside.clone();
        let _ = solve(&mut end, &CcdSettings { max_iterations: sweeps, ..zero });
        let reach = f64::from(inside.reach());
        for (found, exact) in end.positions.iter().zip(&twin.positions) {
            let gap = v64(*found).distance(*exact) / reach;
            // 8 joints, each turn right to some 3e-7 rad and enlarged at most tenfold by the arms
            // that the twin has let pass.
            prop_assert!(gap < 2e-5 * sweeps as f64, "{gap}");
        }
        for (found, exact) in end.rotations.iter().zip(&twin.rotations) {
            let gap = angle_between(q64(*found), *exact);
            prop_assert!(gap < 1e-4 * sweeps as f64, "{gap}");
        }
    }

    /// A joint of weight 0 keeps its rotation relative to its parent, and a smaller weight turns
    /// less in a sweep that no other joint makes.
    #[test]
    fn weights_hold_back(start in problem_of(free_spec), weight in 0.0_f32..1.0) {
        let mut still = start.clone();
        still.specs = vec![Spec { weight: 0.0, ..Spec::FREE }; still.positions.len() - 1];
        let solution = solve(&mut still, &CcdSettings::default());
        prop_assert!(solution.status != Status::IterationLimit);
        for (a, b) in start.rotations.iter().zip(&still.rotations) {
            prop_assert!(angle_between(q64(*a), q64(*b)) < 1e-6);
        }
        // One joint alone.
        let turned = |weight: f32| {
            let mut end = start.clone();
            end.specs = vec![Spec { weight: 0.0, ..Spec::FREE }; end.positions.len() - 1];
            end.specs[0].weight = weight;
            let _ = solve(&mut end, &CcdSettings { max_iterations: 1, tolerance: 0.0, ..CcdSettings::default() });
            angle_between(q64(start.rotations[0]), q64(end.rotations[0]))
        };
        let (part, whole) = (turned(weight), turned(1.0));
        // Opposite the target a small turn gains nothing, and a second one follows at once.
        prop_assume!(whole < 3.0);
        prop_assert!((part - f64::from(weight) * whole).abs() < 3e-6, "{part} of {whole}");
    }

    /// L10: a cap on the turn of a sweep, which is no joint limit, and damping. Twice the cap where
    /// a pair of joints is turned after a sweep that came to nothing.
    #[test]
    fn no_joint_turns_further_in_a_sweep_than_it_may(
        start in problem_of(spec), max_turn in 0.01_f32..1.0, damping in 0.0_f32..0.9,
    ) {
        let capped = CcdSettings { max_iterations: 0, max_turn, damping, ..CcdSettings::default() };
        let mut last = start;
        let _ = solve(&mut last, &capped);
        for _ in 0..4 {
            let mut next = last.clone();
            let _ = solve(&mut next, &CcdSettings { max_iterations: 1, ..capped });
            let mut parents = (DQuat::IDENTITY, DQuat::IDENTITY);
            for (a, b) in last.rotations.iter().zip(&next.rotations) {
                let (a, b) = (q64(*a), q64(*b));
                let turn = angle_between(parents.0.conjugate() * a, parents.1.conjugate() * b);
                prop_assert!(turn < 2.0 * f64::from(max_turn) * 1.00002 + 3e-6, "{turn} of {max_turn}");
                parents = (a, b);
            }
            last = next;
        }
    }

    /// Damping leaves out its share of a turn.
    #[test]
    fn damping_leaves_out_its_share(start in problem_of(free_spec), damping in 0.0_f32..0.95) {
        let turned = |damping: f32| {
            let mut end = start.clone();
            end.specs = vec![Spec { weight: 0.0, ..Spec::FREE }; end.positions.len() - 1];
            end.specs[0].weight = 1.0;
            let settings = CcdSettings { max_iterations: 1, tolerance: 0.0, damping, ..CcdSettings::default() };
            let _ = solve(&mut end, &settings);
            angle_between(q64(start.rotations[0]), q64(end.rotations[0]))
        };
        let (part, whole) = (turned(damping), turned(0.0));
        prop_assume!(whole < 3.0);
        prop_assert!((part - f64::from(1.0 - damping) * whole).abs() < 3e-6, "{part} of {whole}");
    }

    /// I2: a target that trembles just outside the reach moves the tip by about as much.
    #[test]
    fn a_trembling_target_out_of_reach_trembles_the_tip_as_much(
        start in problem_of(free_spec), out in 1.0005_f32..1.1, tremble in common::unit3(),
    ) {
        let reach = start.reach();
        prop_assume!(reach > 0.0);
        let mut chain = start;
        let away = (chain.target - chain.positions[0]).normalize_or(Vec3::X);
        let centre = chain.positions[0] + away * (out * reach);
        chain.target = centre;
        let _ = solve(&mut chain, &CcdSettings::default());
        let mut tip = *chain.positions.last().unwrap();
        for step in 0..20_u8 {
            let side = if step % 2 == 0 { 1e-4 } else { -1e-4 };
            chain.target = centre + tremble * (side * reach);
            let _ = solve(&mut chain, &CcdSettings::default());
            let next = *chain.positions.last().unwrap();
            prop_assert!(next.distance(tip) < 2.5e-4 * reach, "{} {reach}", next.distance(tip));
            tip = next;
        }
    }
}

fn free_spec() -> impl Strategy<Value = Spec> {
    Just(Spec::FREE)
}

/// What the twin knows.
fn hinge_or_free() -> impl Strategy<Value = Spec> {
    let limit = prop_oneof![Just(Limit::Free), common::hinge()];
    (limit, common::quat(), weight()).prop_map(|(limit, rest, _)| Spec { limit, rest, weight: 1.0 })
}

/// Cyclic coordinate descent as one would write it on a blackboard.
struct Twin {
    positions: Vec<DVec3>,
    rotations: Vec<DQuat>,
    specs: Vec<Spec>,
    target: DVec3,
}

/// Arms, projections and gains below this share of the reach leave too much to rounding.
const CLEAR: f64 = 0.1;

impl Twin {
    fn of(problem: &Problem) -> Self {
        let bones = problem.positions.len() - 1;
        let mut specs = problem.specs.clone();
        specs.resize(bones, Spec::FREE);
        Self {
            positions: problem.positions.iter().map(|p| v64(*p)).collect(),
            rotations: problem.rotations.iter().map(|r| q64(*r)).collect(),
            specs,
            target: v64(problem.target),
        }
    }

    fn gap(&self) -> f64 {
        self.positions[self.positions.len() - 1].distance(self.target)
    }

    /// `None` where rounding decides, or where a sweep gains so little that a pair would be tried.
    fn descend(mut self, sweeps: usize, order: Order) -> Option<Self> {
        let bones = self.specs.len();
        for _ in 0..sweeps {
            let before = self.gap();
            for step in 0..bones {
                let joint = if order == Order::TipFirst { bones - 1 - step } else { step };
                let turn = self.turn_of(joint)?;
                let pivot = self.positions[joint];
                for i in joint..=bones {
                    self.positions[i] = pivot + turn * (self.positions[i] - pivot);
                    self.rotations[i] = (turn * self.rotations[i]).normalize();
                }
            }
            let after = self.gap();
            if before - after < 0.03 * after || after < 1e-3 * before {
                return None;
            }
        }
        Some(self)
    }

    fn turn_of(&self, joint: usize) -> Option<DQuat> {
        let reach: f64 = self.positions.windows(2).map(|p| p[0].distance(p[1])).sum();
        let a = self.positions[self.positions.len() - 1] - self.positions[joint];
        let b = self.target - self.positions[joint];
        let clear = CLEAR * reach;
        let Limit::Hinge { axis, range } = self.specs[joint].limit else {
            if a.length() < clear || b.length() < clear {
                return None;
            }
            let angle = common::angle_between_directions(a, b);
            let axis = a.cross(b).try_normalize()?;
            return (angle < 3.0).then(|| DQuat::from_axis_angle(axis, angle));
        };
        let local_axis = v64(axis).normalize();
        let axis = self.rotations[joint] * local_axis;
        let (a, b) = (a - axis * a.dot(axis), b - axis * b.dot(axis));
        if a.length() < clear || b.length() < clear {
            return None;
        }
        let wanted = a.cross(b).dot(axis).atan2(a.dot(b));
        let parent = joint.checked_sub(1).map_or(DQuat::IDENTITY, |p| self.rotations[p]);
        let zero = parent * q64(self.specs[joint].rest);
        let (angle, _) = common::split(zero.conjugate() * self.rotations[joint], local_axis);
        let centre = 0.5 * (f64::from(range[0]) + f64::from(range[1]));
        let opposite = core::f64::consts::PI - wrap64(angle + wanted - centre).abs();
        let is_full = range[1] - range[0] >= core::f32::consts::TAU - 1e-3;
        if opposite < 1e-2 && !is_full {
            return None;
        }
        let next = if is_full { angle + wanted } else { clamp64(angle + wanted, range) };
        Some(DQuat::from_axis_angle(axis, next - angle))
    }
}

/// Promise 3 and 4: a chain fed back to itself for ever, with a target that never rests.
fn feeds_back(calls: u32, joints: &[Joint3], specs: &[Spec]) {
    feeds_back_from([0.0, 1.0, 2.0, 3.0].map(|y| Vec3::Y * y), calls, joints, specs);
}

fn feeds_back_from<const N: usize>(
    shape: [Vec3; N],
    calls: u32,
    joints: &[Joint3],
    specs: &[Spec],
) {
    let mut positions = shape.map(|p| p + Vec3::new(0.3, -0.2, 0.1));
    let mut rotations = [Quat::IDENTITY; N];
    let settings = CcdSettings { max_iterations: 4, ..CcdSettings::default() };
    let start = lengths(&positions);
    let size = start.iter().sum::<f64>() / 3.0;
    for call in 0..calls {
        let t = 0.01 * f64::from(call);
        let target = DVec3::new(2.5 * t.sin(), 2.0 * (1.3 * t).cos(), 2.5 * (0.7 * t).sin()) * size;
        let target = target.as_vec3();
        let _ = ccd_solve(&mut positions, &mut rotations, joints, target, &settings).unwrap();
        if call % 97 == 0 || call + 1 == calls {
            for (a, b) in start.iter().zip(lengths(&positions)) {
                assert!((a - b).abs() < PROMISED, "{a} became {b} after {call} calls");
            }
            let excess = worst_excess(&rotations, specs);
            assert!(excess < PROMISED, "{excess} after {call} calls");
        }
    }
}

fn three_limited() -> Vec<Spec> {
    let spec = |limit| Spec { limit, rest: Quat::from_rotation_x(0.2), weight: 1.0 };
    vec![
        spec(Limit::Cone { axis: Vec3::Y, swing: 1.2, twist: Some([-0.4, 0.8]) }),
        spec(Limit::Hinge { axis: Vec3::X, range: [0.0, 2.4] }),
        spec(Limit::Ellipse {
            axis: Vec3::Y,
            across: Vec3::X,
            x: [-0.9, 0.3],
            y: [-0.2, 0.5],
            twist: Some([-0.1, 0.1]),
        }),
    ]
}

/// How many calls: a million where the environment asks for it (in release).
fn calls() -> u32 {
    if std::env::var_os("SINEW_LONG_TESTS").is_some() { 1_000_000 } else { 100_000 }
}

/// L7: fed back for ever, within limits.
#[test]
fn lengths_and_limits_hold_over_many_calls() {
    let specs = three_limited();
    let joints: Vec<Joint3> = specs.iter().map(Spec::joint).collect();
    feeds_back(calls(), &joints, &specs);
}

#[test]
fn lengths_hold_over_many_calls_of_a_free_chain() {
    feeds_back(calls(), &[], &[]);
}

/// Rounding is kinder to bones along an axis than to others.
#[test]
fn lengths_hold_over_many_calls_of_bones_in_all_directions() {
    let mut place = Vec3::ZERO;
    let shape: [Vec3; 11] = core::array::from_fn(|joint| {
        let t = joint as f32;
        place += Vec3::new(0.3 * (0.9 * t).sin(), 1.0, 0.3 * (0.7 * t).cos()).normalize();
        place
    });
    feeds_back_from(shape, calls(), &[], &[]);
}

/// The same target over and over is a rest, not a drift: G1's chain.
#[test]
fn the_same_target_over_and_over_leaves_the_chain_where_it_is() {
    let mut positions = [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0, Vec3::Y * 3.0];
    let mut rotations = [Quat::IDENTITY; 4];
    let target = Vec3::Y * 1.5;
    let solution =
        ccd_solve(&mut positions, &mut rotations, &[], target, &CcdSettings::default()).unwrap();
    assert_eq!(solution.status, Status::Reached);
    let rest = bits(&positions, &rotations);
    for _ in 0..1000 {
        let solution =
            ccd_solve(&mut positions, &mut rotations, &[], target, &CcdSettings::default())
                .unwrap();
        assert_eq!((solution.status, solution.iterations), (Status::Reached, 0));
    }
    assert_eq!(bits(&positions, &rotations), rest);
}

/// Far from the origin, and with the chain running back to it, coordinates have few digits and
/// bones fewer still: they do not drift all the same.
#[test]
fn bones_far_from_the_origin_do_not_drift() {
    for root in [Vec3::ZERO, Vec3::new(10.0, 0.0, 0.0), Vec3::new(1000.0, -300.0, 70.0)] {
        let bones = 100;
        let step = Vec3::new(-0.1, 0.0, 0.0);
        let mut positions: Vec<Vec3> = (0..=bones).map(|i| root + step * i as f32).collect();
        let mut rotations = vec![Quat::IDENTITY; positions.len()];
        let start = lengths(&positions);
        let settings = CcdSettings { max_iterations: 1, ..CcdSettings::default() };
        let largest = f64::from(root.length()) + 10.0;
        for call in 0..3000_u16 {
            let t = 0.02 * f32::from(call);
            let target =
                root + Vec3::new(-9.0 * t.cos().abs(), 3.0 * t.sin(), 2.0 * (0.3 * t).sin());
            let _ = ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
        }
        // As much as one call may cost: two units in the last place for each coordinate.
        let slack = 8.0 * f64::from(f32::EPSILON) * largest;
        for (a, b) in start.iter().zip(lengths(&positions)) {
            assert!((a - b).abs() < slack + PROMISED * a, "{a} became {b} at {root}");
        }
    }
}

fn straight(bones: usize) -> (Vec<Vec3>, Vec<Quat>) {
    let positions = (0..=bones).map(|i| Vec3::Y * i as f32).collect();
    (positions, vec![Quat::IDENTITY; bones + 1])
}

/// I1: close to full reach a descent needs tens of sweeps, not thousands.
#[test]
fn near_full_reach_takes_tens_of_iterations() {
    for share in [0.9, 0.99, 0.999, 0.9999] {
        for way in [Vec3::X, Vec3::new(1.0, 1.0, 0.3).normalize(), Vec3::Y] {
            let (mut positions, mut rotations) = straight(10);
            let settings = CcdSettings { max_iterations: 99, ..CcdSettings::default() };
            let target = way * (10.0 * share);
            let solution =
                ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
            assert_eq!(solution.status, Status::Reached, "{share} {way}: {solution:?}");
        }
    }
}

/// I3: a planar arc of the same cones comes to 1.007; at any scale.
#[test]
fn five_cones_bend_as_far_as_they_may() {
    for scale in [1e-3, 1.0, 1e3] {
        for order in [Order::TipFirst, Order::RootFirst] {
            let (mut positions, mut rotations) = straight(5);
            for p in &mut positions {
                *p *= scale;
            }
            let joints = [Joint3::cone(Vec3::Y, 0.5); 5];
            let target = Vec3::new(2.0, 2.0, 0.0) * scale;
            let settings = CcdSettings { max_iterations: 200, order, ..CcdSettings::default() };
            let solution =
                ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
            assert!(solution.distance <= 1.01 * scale, "{order:?}: {solution:?}");
        }
    }
}

/// Sweeps alone need 38, 290, and more than 400 for the last of these.
#[test]
fn free_chains_reach_wherever_they_can_in_a_few_iterations() {
    for (bones, max_iterations) in [(3_u8, 15), (10, 20), (40, 64)] {
        for way in 0..200_u16 {
            let (mut positions, mut rotations) = straight(usize::from(bones));
            let (turn, tilt) = (2.4 * f32::from(way), 0.01 * f32::from(way) - 1.0);
            let level = (1.0 - tilt * tilt).sqrt();
            let away = Vec3::new(level * turn.cos(), tilt, level * turn.sin());
            let target = away * f32::from(bones) * (0.05 + 0.94 * (0.618 * f32::from(way)).fract());
            let settings = CcdSettings { max_iterations, ..CcdSettings::default() };
            let solution =
                ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
            assert_eq!(solution.status, Status::Reached, "{bones} {target} {solution:?}");
        }
    }
}

/// Joints for eight bones along Y.
fn eight_limited() -> [(&'static str, [Joint3; 8]); 3] {
    let cone = Joint3::cone(Vec3::Y, 0.8).with_twist(-0.5, 0.5);
    let ellipse = Joint3::ellipse(Vec3::Y, Vec3::X, [-0.5, 1.0], [-0.7, 0.3]);
    let hinge = Joint3::hinge(Vec3::Z, -0.2, 2.0);
    let mixed = [cone, hinge, ellipse, cone, hinge, ellipse, cone, hinge];
    [("cones", [cone; 8]), ("ellipses", [ellipse; 8]), ("mixed", mixed)]
}

/// Targets that a random pose within the limits reaches, from the straight pose.
#[test]
fn limited_chains_reach_nearly_all_that_they_can_in_ten_iterations() {
    for (name, joints) in eight_limited() {
        let mut random = Random::new(1);
        let mut reached = 0;
        for _ in 0..400 {
            let (mut parent, mut target) = (Quat::IDENTITY, Vec3::ZERO);
            for joint in &joints {
                parent = (parent * clamp_joint_3d(random.rotation(), joint).unwrap()).normalize();
                target += parent * Vec3::Y;
            }
            let (mut positions, mut rotations) = straight(joints.len());
            let settings = CcdSettings { max_iterations: 10, ..CcdSettings::default() };
            let solution =
                ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
            reached += u32::from(solution.status == Status::Reached);
        }
        println!("{name}: {reached} of 400");
        assert!(reached >= 380, "{name}: {reached}");
    }
}

/// Cones, cones with twist and ellipses of all widths from 0.3 to 1.4 rad, and targets that a
/// random pose within them reaches, from the straight pose: how many in a hundred arrive.
fn arrive_from_rest(name: &str, count: usize, max_iterations: usize) -> u32 {
    let mut random = Random::new(7);
    let mut reached = 0;
    for _ in 0..2000 {
        let swing = random.between(0.3, 1.4);
        let cone = Joint3::cone(Vec3::Y, swing);
        let half = 0.5 * swing;
        let joint = match name {
            "cones" => cone,
            "cones with twist" => cone.with_twist(-0.5, 0.5),
            _ => Joint3::ellipse(Vec3::Y, Vec3::X, [-swing, swing], [-half, half]),
        };
        let (mut parent, mut target) = (Quat::IDENTITY, Vec3::ZERO);
        for _ in 0..count {
            // Evenly over the limits: what is far outside would end on the rim.
            let (away, around) = (random.unit().sqrt(), random.between(0.0, 2.0 * PI));
            let wide = if name == "ellipses" { half } else { swing };
            let swung = Vec3::new(swing * around.cos(), 0.0, wide * around.sin()) * away;
            let twist = if name == "cones with twist" { random.between(-0.5, 0.5) } else { 0.0 };
            let turn = Quat::from_scaled_axis(swung) * Quat::from_rotation_y(twist);
            parent = (parent * clamp_joint_3d(turn, &joint).unwrap()).normalize();
            target += parent * Vec3::Y;
        }
        let (mut positions, mut rotations) = straight(count);
        let settings = CcdSettings { max_iterations, ..CcdSettings::default() };
        let joints = vec![joint; count];
        let solution =
            ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
        reached += u32::from(solution.status == Status::Reached);
    }
    println!("{count} {name}, {max_iterations} iterations: {reached} of 2000");
    reached / 20
}

/// What the documentation of `ccd_solve` says of ball joints, in its table.
#[test]
fn ball_joints_arrive_as_often_as_is_said_of_their_number() {
    let all = &["cones", "cones with twist", "ellipses"][..];
    for (counts, names, in_ten, by_default) in [
        (2..=2, &all[2..], 84, 92),
        (3..=8, all, 95, 97),
        (20..=20, all, 70, 93),
        (40..=40, all, 40, 80),
    ] {
        for (count, name) in counts.flat_map(|count| names.iter().map(move |name| (count, name))) {
            for (max_iterations, least) in [(10, in_ten), (32, by_default)] {
                let arrived = arrive_from_rest(name, count, max_iterations);
                assert!(arrived >= least, "{count} {name} in {max_iterations}: {arrived} %");
            }
        }
    }
}

/// Bones along X, of random lengths but for those of no length; from next to straight.
struct Hinged {
    joints: Vec<Joint3>,
    /// Axis, and range.
    hinges: Vec<(Vec3, f32, f32)>,
    bones: Vec<f32>,
}

impl Hinged {
    fn pose(&self, angles: &[f32]) -> (Vec<Vec3>, Vec<Quat>) {
        let (mut positions, mut rotations) = (vec![Vec3::ZERO], Vec::new());
        let (mut place, mut turn) = (Vec3::ZERO, Quat::IDENTITY);
        for (((axis, ..), bone), angle) in self.hinges.iter().zip(&self.bones).zip(angles) {
            turn = (turn * Quat::from_axis_angle(*axis, *angle)).normalize();
            place += turn * Vec3::X * *bone;
            positions.push(place);
            rotations.push(turn);
        }
        rotations.push(turn);
        (positions, rotations)
    }

    /// Whether a random pose's effector is reached, and whether no iteration went away from it.
    fn reaches(&self, random: &mut Random) -> bool {
        let mut pose = || self.hinges.iter().map(|h| random.between(h.1, h.2)).collect::<Vec<_>>();
        let target = *self.pose(&pose()).0.last().unwrap();
        let (positions, rotations) = self.pose(&vec![0.1; self.bones.len()]);
        let mut last = f32::INFINITY;
        for max_iterations in [0, 1, 2, 3, 4, 5, 6, 8, 10, 16, 32] {
            let (mut positions, mut rotations) = (positions.clone(), rotations.clone());
            let settings = CcdSettings { max_iterations, ..CcdSettings::default() };
            let solution =
                ccd_solve(&mut positions, &mut rotations, &self.joints, target, &settings).unwrap();
            assert!(solution.distance <= last + 1e-6, "{last} {solution:?}");
            last = solution.distance;
            if solution.status == Status::Reached {
                return true;
            }
        }
        false
    }

    /// The same in the plane.
    fn reaches_in_the_plane(&self, random: &mut Random) -> bool {
        let joints: Vec<_> = self.hinges.iter().map(|h| Joint2::range(h.1, h.2)).collect();
        let angles: Vec<_> = self.hinges.iter().map(|h| random.between(h.1, h.2)).collect();
        let target = self.pose(&angles).0.last().unwrap().truncate();
        let (positions, _) = self.pose(&vec![0.1; self.bones.len()]);
        let mut positions: Vec<Vec2> = positions.iter().map(|p| p.truncate()).collect();
        let turned = |i: usize| Rot2::from_angle(0.1 * i.min(joints.len()) as f32);
        let mut rotations: Vec<_> = (1..=positions.len()).map(turned).collect();
        let settings = CcdSettings::default();
        ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap().status
            == Status::Reached
    }
}

/// A finger or a leg: hinges that flex about Z after those that are `before` them.
fn hinged(before: &[(Vec3, f32, f32, f32)], flexing: u8, random: &mut Random) -> Hinged {
    let mut hinges: Vec<_> = before.iter().map(|(axis, min, max, _)| (*axis, *min, *max)).collect();
    let mut bones: Vec<_> = before.iter().map(|(.., bone)| *bone).collect();
    for _ in 0..flexing {
        hinges.push((Vec3::Z, 0.0, 1.9));
        bones.push(random.between(0.25, 0.5));
    }
    let joints = hinges.iter().map(|(axis, min, max)| Joint3::hinge(*axis, *min, *max)).collect();
    Hinged { joints, hinges, bones }
}

/// A finger or a leg in space is a knee and a hip no less than one in the plane.
#[test]
fn hinges_about_one_axis_reach_in_space_what_they_do_in_the_plane() {
    for flexing in 2..=4 {
        let (mut random, mut flat) = (Random::new(3), Random::new(3));
        let (mut in_space, mut in_plane) = (0, 0);
        for _ in 0..1000 {
            let finger = hinged(&[], flexing, &mut random);
            in_space += u32::from(finger.reaches(&mut random));
            let finger = hinged(&[], flexing, &mut flat);
            in_plane += u32::from(finger.reaches_in_the_plane(&mut flat));
        }
        println!("{flexing} hinges: {in_space} of 1000, {in_plane} in the plane");
        assert!(in_space + 10 >= in_plane && in_space >= 985, "{flexing}: {in_space} {in_plane}");
    }
}

/// A straight finger bends to the side that its range leaves open, whichever that is.
#[test]
fn a_straight_finger_bends_to_either_side() {
    for flexing in 2..=4_u8 {
        for share in [0.9, 0.99] {
            let iterations = [1.9, -1.9].map(|most: f32| {
                let hinge = Joint3::hinge(Vec3::X, most.min(0.0), most.max(0.0));
                let mut joints = vec![hinge; flexing.into()];
                joints[0] = Joint3::hinge(Vec3::X, -1.5, 1.5);
                let mut positions: Vec<_> = (0..=flexing).map(|i| Vec3::Y * f32::from(i)).collect();
                let mut rotations = vec![Quat::IDENTITY; positions.len()];
                let target = Vec3::Y * (share * f32::from(flexing));
                let settings = CcdSettings::default();
                let solution =
                    ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
                assert_eq!(solution.status, Status::Reached, "{flexing} {share} {most}");
                solution.iterations
            });
            assert_eq!(iterations, [1, 1], "{flexing} {share}");
        }
    }
}

/// So they are behind a hinge that spreads fingers, behind the two hinges of a hip, on a bone of
/// their own or at one place, and behind a ball joint.
#[test]
fn hinges_about_one_axis_reach_behind_other_joints() {
    let spread = |bone| (Vec3::Y, -0.4, 0.4, bone);
    let swing = |bone| (Vec3::Z, -1.0, 1.0, bone);
    let shapes = [
        ("spread", vec![spread(0.0)], 985),
        ("spread on a bone", vec![spread(0.4)], 985),
        ("spread, then swing", vec![spread(0.0), swing(0.4)], 985),
        ("swing, then spread", vec![swing(0.0), spread(0.4)], 950),
    ];
    for (name, before, least) in shapes {
        let hips = before.len();
        for flexing in if hips == 1 { 2..=4 } else { 1..=1 } {
            let mut random = Random::new(5);
            let reached: u32 = (0..1000)
                .map(|_| u32::from(hinged(&before, flexing, &mut random).reaches(&mut random)))
                .sum();
            println!("{name}, {flexing} hinges: {reached} of 1000");
            assert!(reached >= least, "{name}, {flexing} hinges: {reached} of 1000");
        }
    }
    for flexing in 2..=4 {
        let mut random = Random::new(5);
        let mut reached = 0;
        for _ in 0..1000 {
            // The target is one that the cone lets the first hinge be turned to.
            let mut leg = hinged(&[(Vec3::Z, -0.8, 0.8, 0.4)], flexing, &mut random);
            leg.joints[0] = Joint3::cone(Vec3::X, 0.8);
            reached += u32::from(leg.reaches(&mut random));
        }
        println!("a ball joint, {flexing} hinges: {reached} of 1000");
        assert!(reached >= 975, "a ball joint, {flexing} hinges: {reached} of 1000");
    }
}

/// A chain along X whose joints have turned by these angles, one after the other.
fn bent(bones: &[f32], angles: &[f32]) -> (Vec<Vec2>, Vec<Rot2>) {
    let (mut positions, mut rotations, mut turn) = (vec![Vec2::ZERO], Vec::new(), 0.0);
    for (bone, angle) in bones.iter().zip(angles) {
        turn += angle;
        rotations.push(Rot2::from_angle(turn));
        positions.push(*positions.last().unwrap() + Vec2::from_angle(turn) * *bone);
    }
    rotations.push(*rotations.last().unwrap());
    (positions, rotations)
}

#[test]
fn an_arm_of_two_ranges_in_the_plane_reaches_all_that_it_can() {
    let mut random = Random::new(5);
    for case in 0..2000 {
        let bones = [random.between(0.25, 0.35), random.between(0.22, 0.3)];
        let ranges = [(); 2].map(|()| {
            let min = random.between(-0.6, 0.0);
            (min, min + random.between(0.2, 3.0))
        });
        let joints = ranges.map(|(min, max)| Joint2::range(min, max));
        let mut pose = || bent(&bones, &ranges.map(|(min, max)| random.between(min, max)));
        let (target, (mut positions, mut rotations)) = (pose().0[2], pose());
        let settings = CcdSettings::default();
        let solution =
            ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
        assert_eq!(solution.status, Status::Reached, "{case}: {ranges:?} {solution:?}");
    }
}

#[test]
fn a_mirrored_chain_moves_as_in_a_mirror() {
    let mirrored = |v: Vec2| Vec2::new(v.x, -v.y);
    for count in [2, 3, 5, 10] {
        let mut random = Random::new(99);
        let mut others = 0;
        for _ in 0..1000 {
            let bones: Vec<_> = (0..count).map(|_| random.between(0.25, 0.35)).collect();
            let side = if random.unit() < 0.5 { -1.0 } else { 1.0 };
            let most = 2.6_f32.min(5.2 / count as f32);
            let bends: Vec<_> = (0..count).map(|_| side * random.between(0.2, most)).collect();
            let (mut positions, mut rotations) = bent(&bones, &bends);
            let reach: f32 = bones.iter().sum();
            let target =
                Vec2::from_angle(random.between(-3.1, 3.1)) * random.between(0.2, 0.95) * reach;
            let mut twin: Vec<_> = positions.iter().map(|p| mirrored(*p)).collect();
            let mut turned: Vec<_> = rotations.iter().map(|r| r.inverse()).collect();
            let settings = CcdSettings::default();
            let _ = ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
            let _ = ccd_solve(&mut twin, &mut turned, &[], mirrored(target), &settings).unwrap();
            let apart = |(a, b): (&Vec2, &Vec2)| a.distance(mirrored(*b)) > 0.01 * reach;
            others += u32::from(positions.iter().zip(&twin).any(apart));
        }
        println!("{count}: {others} of 1000");
        assert!(others <= 2, "{count}: {others}");
    }
}

/// I4: reached means what the final pose says, and a smooth arm gets there in the iterations given.
#[test]
fn a_smooth_two_joint_arm_reaches() {
    for step in 0..200_u8 {
        let turn = f32::from(step) * 0.0314;
        let target = Vec2::from_angle(turn) * (0.3 + 0.008 * f32::from(step));
        let mut positions = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
        let mut rotations = [Rot2::IDENTITY; 3];
        let solution =
            ccd_solve(&mut positions, &mut rotations, &[], target, &CcdSettings::default())
                .unwrap();
        assert_eq!(solution.status, Status::Reached, "{target}: {solution:?}");
        assert!(positions[2].distance(target) <= 2.0e-3 * 1.0001);
    }
}

/// How far the worst of a chain's first joints, all alike, is outside its limits, in radians.
fn worst_beyond(rotations: &[Quat], joint: &Joint3) -> f64 {
    let parents = core::iter::once(&Quat::IDENTITY).chain(rotations);
    let beyond = |(parent, rotation): (&Quat, &Quat)| {
        let local = parent.conjugate() * *rotation;
        angle_between(q64(clamp_joint_3d(local, joint).unwrap()), q64(local))
    };
    parents.zip(rotations).map(beyond).fold(0.0, f64::max)
}

/// Of a target on the axis, what is left across it is rounding, and so is the way that it points.
#[test]
fn hinges_whose_axes_lead_to_the_target_keep_their_limits_and_lose_nothing() {
    let axis = Vec3::ONE.normalize();
    let mut random = Random::new(3);
    for case in 0..3000 {
        let angle = random.between(-3.0, 3.0);
        let hinge = Joint3::hinge(axis, angle, angle + [0.0, 0.3, 7.0][case % 3]);
        let joints = [[hinge; 3].as_slice(), &[Joint3::free(); 4]].concat();
        // The hinges' bones lie along their axis, those of the free joints anywhere.
        let mut place = Vec3::ZERO;
        let positions: Vec<_> = (0..8)
            .map(|joint| {
                let bone = if joint < 3 { axis } else { random.rotation() * Vec3::Y };
                place += bone;
                place - bone
            })
            .collect();
        let off = [0.0, 1e-5, 1e-4, 1e-3][case % 4];
        let target = axis * random.between(-3.0, 6.0) + random.rotation() * Vec3::X * off;
        let mut last = f32::INFINITY;
        for max_iterations in 0..8 {
            let (mut positions, mut rotations) = (positions.clone(), vec![Quat::IDENTITY; 8]);
            let settings =
                CcdSettings { tolerance: 1e-6, max_iterations, ..CcdSettings::default() };
            let solution =
                ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
            assert!(solution.distance < last + 1e-5, "{case}: {last} {solution:?}");
            last = solution.distance;
            let excess = worst_beyond(&rotations[..3], &hinge);
            assert!(excess < PROMISED, "{case}: {excess}");
        }
    }
}

/// Of arms next to the axis what is left across it is rounding, and so is the way it points.
#[test]
fn hinges_along_whose_axes_the_chain_lies_keep_their_limits() {
    let axis = Vec3::ONE.normalize();
    let mut random = Random::new(3);
    for case in 0..20_000 {
        let angle = random.between(-3.0, 3.0);
        let joint = Joint3::hinge(axis, angle, angle + [0.0, 0.3][case % 2]);
        let mut place = Vec3::ZERO;
        let mut positions = [(); 5].map(|()| {
            let here = place;
            place += axis * random.between(0.5, 1.5);
            here
        });
        let mut rotations = [Quat::IDENTITY; 5];
        let target = axis * random.between(-4.0, 4.0);
        let settings = CcdSettings::default();
        let _ = ccd_solve(&mut positions, &mut rotations, &[joint; 4], target, &settings).unwrap();
        let excess = worst_beyond(&rotations[..4], &joint);
        assert!(excess < PROMISED, "{case}: {excess}");
    }
}

/// L2: one bone, its range across half a turn.
#[test]
fn one_bone_turns_to_the_admissible_angle_nearest_to_the_target() {
    let joints = [Joint2::range(-225_f32.to_radians(), -135_f32.to_radians())];
    let (mut positions, mut rotations) = ([Vec2::ZERO, Vec2::Y], [Rot2::IDENTITY; 2]);
    let target = Vec2::new(0.3, -1.0);
    let settings = CcdSettings::default();
    let _ = ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
    assert!(
        (rotations[0].angle() - -163.3_f32.to_radians()).abs() < 1e-3,
        "{:?}",
        rotations[0].angle().to_degrees()
    );
}

/// L5: a rig that looks down, its limits set from its rest.
#[test]
fn a_rig_that_looks_down_is_limited_about_its_rest() {
    let down = Quat::from_rotation_x(PI);
    let mut positions = [Vec3::ZERO, -Vec3::Y, -2.0 * Vec3::Y];
    let mut rotations = [down; 3];
    let specs = [down, Quat::IDENTITY].map(|rest| Spec {
        limit: Limit::Cone { axis: Vec3::Y, swing: 0.4, twist: None },
        rest,
        weight: 1.0,
    });
    let joints = specs.map(|spec| spec.joint());
    let target = Vec3::new(0.5, -1.9, 0.1);
    let settings = CcdSettings { max_iterations: 100, ..CcdSettings::default() };
    let solution = ccd_solve(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
    assert_eq!(solution.status, Status::Reached, "{solution:?}");
    assert!(worst_excess(&rotations, &specs) < PROMISED);
}

/// L10: the cap is per sweep; many sweeps turn as far as the target asks.
#[test]
fn many_capped_sweeps_turn_all_the_way() {
    let (mut positions, mut rotations) = ([Vec2::ZERO, Vec2::X], [Rot2::IDENTITY; 2]);
    let settings = CcdSettings { max_turn: 0.1, max_iterations: 100, ..CcdSettings::default() };
    let target = Vec2::new(-1.0, 0.1).normalize();
    let solution = ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
    assert_eq!(solution.status, Status::Reached);
    assert!((30..40).contains(&solution.iterations));
    assert!((angle_2d(rotations[0]) - 3.04).abs() < 0.01);
}

/// A step at a time, as a game does it, gets out of a dead point as well as many at once.
#[test]
fn a_dead_point_is_left_one_iteration_at_a_time() {
    let (mut positions, mut rotations) = straight(3);
    let settings = CcdSettings { max_iterations: 1, ..CcdSettings::default() };
    let mut status = Status::Stalled;
    for _ in 0..60 {
        status = ccd_solve(&mut positions, &mut rotations, &[], Vec3::Y * 1.5, &settings)
            .unwrap()
            .status;
    }
    assert_eq!(status, Status::Reached);
}

/// A bone of next to no length at the tip: its arm's square times its square has no digits.
#[test]
fn a_tiny_last_bone_does_no_harm() {
    for tiny in [1e-6_f32, 1e-9, 1e-12, 1e-18, 1e-30] {
        let mut rotations = [Quat::IDENTITY; 4];
        // The root's own bone may be tiny to the last digit.
        let mut rooted = [Vec3::ZERO, Vec3::X * tiny];
        let mut turned = [Quat::IDENTITY; 2];
        let target = Vec3::new(0.1, 0.9, 0.3);
        let s = ccd_solve(&mut rooted, &mut turned, &[], target, &CcdSettings::default()).unwrap();
        assert!(s.distance.is_finite() && rooted[1].is_finite() && turned[0].is_finite());
        let mut mixed = [Vec3::ZERO, Vec3::X * tiny, Vec3::X, Vec3::ZERO];
        let s =
            ccd_solve(&mut mixed, &mut rotations, &[], target, &CcdSettings::default()).unwrap();
        assert!(s.distance.is_finite() && mixed[3].is_finite(), "{tiny}");
        assert!(rotations.iter().all(|r| (r.length() - 1.0).abs() < 1e-6), "{tiny} {rotations:?}");
    }
}

/// A straight chain whose target lies on its own line leaves the dead point whatever limits it, if
/// they let it bend at all.
#[test]
fn a_straight_chain_bends_the_way_its_limits_allow() {
    let about = [Vec3::X, Vec3::Z];
    for axis in about {
        let across = axis;
        let flat = |x, y| Joint3::ellipse(Vec3::Y, across, x, y);
        let kinds = [
            Joint3::hinge(axis, -2.5, 2.5),
            Joint3::cone(Vec3::Y, 2.5),
            flat([-2.5, 2.5], [0.0, 0.0]),
            flat([0.0, 0.0], [-2.5, 2.5]),
            Joint3::yaw_pitch(Vec3::Y, axis, [-2.5, 2.5], [0.0, 0.0]),
            Joint3::yaw_pitch(Vec3::Y, axis, [0.0, 0.0], [-1.5, 1.5]),
        ];
        for joint in kinds {
            for target in [1.5_f32, 2.0] {
                let (mut positions, mut rotations) = straight(3);
                let settings = CcdSettings { max_iterations: 100, ..CcdSettings::default() };
                let solution = ccd_solve(
                    &mut positions,
                    &mut rotations,
                    &[joint; 3],
                    Vec3::Y * target,
                    &settings,
                )
                .unwrap();
                assert_eq!(solution.status, Status::Reached, "{joint:?} {target} {solution:?}");
            }
        }
    }
}

/// No sweeps at all only bring the pose inside its limits, free or not, near or far.
#[test]
fn no_iterations_change_nothing_that_is_inside() {
    for target in [Vec3::X, Vec3::X * 9.0] {
        let (mut positions, mut rotations) = straight(3);
        let before = bits(&positions, &rotations);
        let settings = CcdSettings { max_iterations: 0, ..CcdSettings::default() };
        let solution = ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
        assert_eq!(solution.iterations, 0);
        assert_eq!(bits(&positions, &rotations), before);
    }
}

/// A target that goes smoothly: where a frame and the one before it arrive, the largest turn of a
/// joint between the two.
fn largest_turn(bones: u8, joints: &[Joint3], way: impl Fn(f32) -> Vec3) -> (f32, u32) {
    let (mut positions, mut rotations) = straight(usize::from(bones));
    // With four a frame it would be late in half of them.
    let settings = CcdSettings { max_iterations: 5, ..CcdSettings::default() };
    let (mut largest, mut late, mut was_reached) = (0.0_f32, 0, false);
    for frame in 0..3000_u16 {
        // A round of some ten seconds, at up to a fiftieth of the reach a frame.
        let t = 0.01 * f32::from(frame);
        let target = way(t).normalize() * f32::from(bones) * (0.55 + 0.3 * (0.5 * t).sin());
        let before = rotations.clone();
        let solution =
            ccd_solve(&mut positions, &mut rotations, joints, target, &settings).unwrap();
        let is_reached = solution.status == Status::Reached;
        // The first frames come from a straight chain.
        if frame >= 30 {
            late += u32::from(!is_reached);
            if is_reached && was_reached {
                let turns = rotations.iter().zip(&before).map(|(a, b)| a.angle_between(*b));
                largest = turns.fold(largest, f32::max);
            }
        }
        was_reached = is_reached;
    }
    (largest, late)
}

/// No joint jumps to another pose that would do as well.
#[test]
fn a_free_chain_follows_a_smooth_target_smoothly() {
    let way = |t: f32| Vec3::new((1.3 * t).cos(), (0.9 * t).sin(), (0.7 * t).sin());
    for (bones, most) in [(3, 0.1), (10, 0.2), (20, 0.3)] {
        let (largest, late) = largest_turn(bones, &[], way);
        println!("{bones} bones: {largest:.3} rad in a frame");
        assert!(largest < most && late == 0, "{bones}: {largest}, {late} late");
    }
}

/// Nor does one with limits, all of whose targets are in the half of space that it looks to.
#[test]
fn a_limited_chain_follows_a_smooth_target_smoothly() {
    let way = |t: f32| Vec3::new((1.3 * t).cos(), 1.2 + (0.9 * t).sin(), (0.7 * t).sin());
    for (name, joints) in eight_limited() {
        let (largest, late) = largest_turn(8, &joints, way);
        println!("{name}: {largest:.3} rad in a frame, {late} late");
        // Some targets are beyond what the cones let the chain get to.
        assert!(largest < 0.25 && late < 150, "{name}: {largest}, {late} late");
    }
}
