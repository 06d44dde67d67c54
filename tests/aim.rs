//! Aiming one joint and a chain: to the target, as far as limits allow, up where it should be.

mod limbs;

use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use limbs::{Random, angle, wide};
use sinew::glam::{DQuat, DVec3, Quat, Vec2, Vec3};
use sinew::{
    AimSettings, Fault, Joint2, Joint3, Roll, Rot2, Status, aim, aim_chain, clamp_angle,
    clamp_joint_3d, wrap_angle,
};

type Settings = AimSettings<Vec3>;

fn between(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

/// The least angle between the axis and the target that a joint allows, in double precision.
enum Oracle {
    Free,
    Cone { axis: Vec3, swing: f32 },
    Hinge { axis: Vec3, range: [f32; 2] },
    Eye { yaw: [f32; 2], pitch: [f32; 2] },
}

impl Oracle {
    fn random(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Self::Free,
            // About the axis that is aimed, or about any: a head nods about its neck.
            1 => Self::Cone {
                axis: if random.below(2) == 0 { Vec3::Z } else { random.direction() },
                swing: random.between(0.0, PI),
            },
            2 => {
                let min = random.between(-3.0, 2.0);
                Self::Hinge { axis: random.direction(), range: [min, random.between(min, 3.0)] }
            }
            _ => Self::Eye {
                yaw: [random.between(-2.0, 0.0), random.between(0.0, 2.0)],
                pitch: [random.between(-1.5, 0.0), random.between(0.0, 1.5)],
            },
        }
    }

    fn joint(&self) -> Joint3 {
        match *self {
            Self::Free => Joint3::free(),
            Self::Cone { axis, swing } => Joint3::cone(axis, swing),
            Self::Hinge { axis, range } => Joint3::hinge(axis, range[0], range[1]),
            Self::Eye { yaw, pitch } => Joint3::yaw_pitch(Vec3::Z, Vec3::Y, yaw, pitch),
        }
    }

    /// `d`: the unit direction of the target as seen from the rest rotation; +Z is aimed.
    fn least(&self, d: DVec3) -> f64 {
        match *self {
            Self::Free => 0.0,
            // The twist takes +Z anywhere round the axis, the swing nearer to it or farther off.
            Self::Cone { axis, swing } => {
                let axis = axis.as_dvec3().normalize();
                let off = (between(axis, DVec3::Z) - between(axis, d)).abs();
                (off - f64::from(swing)).max(0.0)
            }
            Self::Hinge { axis, range } => {
                let axis = axis.as_dvec3().normalize();
                let across = |v: DVec3| v - axis * v.dot(axis);
                let (from, to) = (across(DVec3::Z), across(d));
                let best = axis.dot(from.cross(to)).atan2(from.dot(to));
                let [min, max] = range.map(f64::from);
                let turns = [0.0, min, max].into_iter().enumerate().map(|(i, bound)| {
                    let turn = if i == 0 { best.clamp(min, max) } else { bound };
                    let turned = DQuat::from_axis_angle(axis, turn) * DVec3::Z;
                    between(turned, d)
                });
                turns.fold(f64::INFINITY, f64::min)
            }
            Self::Eye { yaw, pitch } => {
                let look = |yaw: f64, pitch: f64| {
                    DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos())
                };
                let [yaw_min, yaw_max] = yaw.map(f64::from);
                let [pitch_min, pitch_max] = pitch.map(f64::from);
                let wanted = d.x.atan2(d.z);
                let level = (d.x * d.x + d.z * d.z).sqrt();
                let meridians = [wanted.clamp(yaw_min, yaw_max), yaw_min, yaw_max];
                let gaps = meridians.map(|yaw| {
                    let best = d.y.atan2(level * (wanted - yaw).cos());
                    let ends = [best.clamp(pitch_min, pitch_max), pitch_min, pitch_max];
                    ends.map(|pitch| between(look(yaw, pitch), d)).into_iter().fold(9.0, f64::min)
                });
                gaps.into_iter().fold(9.0, f64::min)
            }
        }
    }
}

/// 10 000 heads: free, cones, hinges, eyes; any rest, any start, any target, any up.
#[test]
fn ten_thousand_heads_are_within_1e_5_rad_of_an_f64_oracle() {
    let mut random = Random(11);
    let mut worst = 0.0_f64;
    for _ in 0..10_000 {
        let oracle = Oracle::random(&mut random);
        let rest = random.rotation();
        let joint = oracle.joint().with_rest(rest);
        let position = random.direction() * random.between(0.0, 3.0);
        let target = position + random.direction() * random.between(0.1, 10.0);
        let settings = Settings {
            roll: match random.below(2) {
                0 => Roll::Least,
                _ => Roll::Up { local: Vec3::Y, hint: random.direction() },
            },
            ..Settings::default()
        };
        let mut rotation = random.rotation();
        let aimed = aim(position, &mut rotation, &joint, target, &settings).unwrap();
        let direction = (target.as_dvec3() - position.as_dvec3()).normalize();
        let gap = between(wide(rotation) * DVec3::Z, direction);
        let error = (gap - oracle.least(wide(rest).conjugate() * direction)).abs();
        worst = worst.max(error);
        assert!((f64::from(aimed.angle) - gap).abs() < 1e-6);
        assert_eq!(aimed.status == Status::Reached, aimed.angle <= 1e-5);
        // Inside its limits to the last bit, or as good as that.
        assert!(angle(clamp_joint_3d(rotation, &joint).unwrap(), rotation) < 2e-6);
    }
    println!("worst error of an aim: {worst:.1e} rad");
    assert!(worst < 1e-5);
}

/// With its up hint, a free head is the look rotation: up lies in the plane of hint and direction.
#[test]
fn up_points_up_as_nearly_as_the_aim_lets_it() {
    let mut random = Random(12);
    for _ in 0..10_000 {
        let (local, hint) = (random.direction(), random.direction());
        let target = random.direction() * 3.0;
        let settings = Settings { roll: Roll::Up { local, hint }, ..Settings::default() };
        let mut rotation = random.rotation();
        let _ = aim(Vec3::ZERO, &mut rotation, &Joint3::free(), target, &settings).unwrap();
        let d = target.as_dvec3().normalize();
        let across = |v: DVec3| v - d * v.dot(d);
        let (up, hint) = (across(wide(rotation) * local.as_dvec3()), across(hint.as_dvec3()));
        if up.length() > 0.1 && hint.length() > 0.1 {
            assert!(between(up, hint) < 1e-5, "{}", between(up, hint));
        }
    }
}

/// G6: the target at the joint, the direction along up, the target straight behind.
#[test]
fn degenerate_aims_give_what_is_documented() {
    let start = Quat::from_xyzw(0.1, -0.4, 0.3, 0.8).normalize();
    let settings = Settings::default();
    let mut rotation = start;
    let aimed = aim(Vec3::ONE, &mut rotation, &Joint3::free(), Vec3::ONE, &settings).unwrap();
    assert_eq!((rotation, aimed.status), (start, Status::Reached));

    // Along up: the shortest arc's roll; and no jump on the way there.
    let mut last: Option<Quat> = None;
    for step in -3000..=3000 {
        let target = Vec3::new(step as f32 * 1e-6, 1.0, 0.0);
        let mut rotation = start;
        let _ = aim(Vec3::ZERO, &mut rotation, &Joint3::free(), target, &settings).unwrap();
        assert!((rotation * Vec3::Z).distance(target.normalize()) < 1e-6);
        if let Some(last) = last {
            assert!(angle(last, rotation) < 0.05, "{step}: {}", angle(last, rotation));
        }
        last = Some(rotation);
    }
    // Straight behind.
    for roll in [settings.roll, Roll::Least] {
        let mut rotation = start;
        let settings = Settings { roll, ..settings };
        let behind = start * Vec3::NEG_Z;
        let aimed = aim(Vec3::ZERO, &mut rotation, &Joint3::free(), behind, &settings).unwrap();
        assert_eq!(aimed.status, Status::Reached);
    }
    // Behind a head that cannot turn that far: at the end of its range.
    let head = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-1.2, 1.2], [-0.5, 0.5]);
    let mut rotation = Quat::IDENTITY;
    let aimed = aim(Vec3::ZERO, &mut rotation, &head, Vec3::NEG_Z, &settings).unwrap();
    assert_eq!(aimed.status, Status::Stalled);
    // The nearest direction to straight behind is a corner of its window.
    let corner = Quat::from_rotation_y(1.2) * Quat::from_rotation_x(-0.5);
    assert!((rotation * Vec3::Z).distance(corner * Vec3::Z) < 1e-6);
}

/// T6: half of a turn of 270 degrees is 45 degrees the other way.
#[test]
fn weight_goes_the_short_way() {
    let settings = Settings { weight: 0.5, ..Settings::default() };
    let (sin, cos) = (1.5 * PI).sin_cos();
    let mut rotation = Quat::IDENTITY;
    let target = Vec3::new(sin, 0.0, cos);
    let _ = aim(Vec3::ZERO, &mut rotation, &Joint3::free(), target, &settings).unwrap();
    assert!(angle(rotation, Quat::from_rotation_y(-0.25 * PI)) < 1e-6);
    for (joint, weight) in [(Joint3::free(), 0.0), (Joint3::free().with_weight(0.0), 1.0)] {
        let mut rotation = Quat::IDENTITY;
        let settings = Settings { weight, ..Settings::default() };
        let _ = aim(Vec3::ZERO, &mut rotation, &joint, target, &settings).unwrap();
        assert_eq!(rotation, Quat::IDENTITY);
    }
}

fn spine(joints: usize) -> (Vec<Vec3>, Vec<Quat>) {
    let positions = (0..joints).map(|i| Vec3::Y * (0.1 * i as f32)).collect();
    (positions, vec![Quat::IDENTITY; joints])
}

/// Free spines with any weights reach any target that is not inside them; lengths stay.
#[test]
fn free_chains_point_at_their_targets() {
    let mut random = Random(13);
    let mut worst = 0.0_f64;
    for _ in 0..2_000 {
        let n = 1 + random.below(8);
        let (mut positions, mut rotations) = spine(n);
        let joints: Vec<_> =
            (0..n).map(|_| Joint3::free().with_weight(random.between(0.0, 1.0))).collect();
        let target = Vec3::Y * 0.1 * n as f32 + random.direction() * random.between(1.0, 5.0);
        let aimed =
            aim_chain(&mut positions, &mut rotations, &joints, target, &Settings::default())
                .unwrap();
        let direction = target.as_dvec3() - positions[n - 1].as_dvec3();
        worst = worst.max(between(wide(rotations[n - 1]) * DVec3::Z, direction));
        assert_eq!(aimed.status, Status::Reached);
        for pair in positions.windows(2) {
            assert!((pair[0].distance(pair[1]) - 0.1).abs() < 1e-6);
        }
    }
    println!("worst error of a free chain: {worst:.1e} rad");
    assert!(worst < 1e-5);
}

/// A joint with twice the weight of another turns twice as far, one of no weight not at all.
#[test]
fn weights_spread_the_turn() {
    let (mut positions, mut rotations) = spine(4);
    let joints = [1.0, 0.5, 0.0, 0.5].map(|w| Joint3::free().with_weight(w));
    let target = Vec3::new(1e5, 0.0, 1e5);
    let _ =
        aim_chain(&mut positions, &mut rotations, &joints, target, &Settings::default()).unwrap();
    let quarter = f64::from(FRAC_PI_2) / 2.0;
    for (rotation, share) in rotations.iter().zip([0.5, 0.75, 0.75, 1.0]) {
        assert!((angle(*rotation, Quat::IDENTITY) - quarter * share).abs() < 1e-5);
    }
}

/// What some pose within the limits of a [`spine`] looks at.
fn target_of_a_pose(joints: &[Joint3], random: &mut Random) -> Vec3 {
    let (mut tip, mut parent) = (Vec3::ZERO, Quat::IDENTITY);
    for (i, joint) in joints.iter().enumerate() {
        let turn = Quat::from_scaled_axis(random.direction() * random.between(0.0, 0.6));
        parent = (parent * clamp_joint_3d(turn, joint).unwrap()).normalize();
        if i + 1 < joints.len() {
            tip += parent * (Vec3::Y * 0.1);
        }
    }
    tip + parent * Vec3::Z * random.between(1.0, 20.0)
}

/// What limits keep one joint from, others do; a direction that some admissible pose has is found.
#[test]
fn limited_chains_find_directions_that_their_limits_allow() {
    const RUNS: usize = 2_000;
    let mut random = Random(14);
    let (mut worst, mut missed, mut passes) = (0.0_f64, 0, 0);
    for _ in 0..RUNS {
        let n = 2 + random.below(4);
        let joints: Vec<_> = (0..n)
            .map(|i| {
                let yaw = random.between(0.1, 0.8);
                let joint = if i + 1 == n {
                    Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-yaw, yaw], [-0.4, 0.5])
                } else {
                    Joint3::cone(Vec3::Y, random.between(0.1, 0.5)).with_twist(-yaw, yaw)
                };
                joint.with_weight(random.between(0.2, 1.0))
            })
            .collect();
        let target = target_of_a_pose(&joints, &mut random);
        let (mut positions, mut rotations) = spine(n);
        let aimed =
            aim_chain(&mut positions, &mut rotations, &joints, target, &Settings::default())
                .unwrap();
        let mut parent = Quat::IDENTITY;
        for (joint, rotation) in joints.iter().zip(&rotations) {
            let local = (parent.conjugate() * *rotation).normalize();
            assert!(angle(clamp_joint_3d(local, joint).unwrap(), local) < 1e-5);
            parent = *rotation;
        }
        let direction = target.as_dvec3() - positions[n - 1].as_dvec3();
        let gap = between(wide(rotations[n - 1]) * DVec3::Z, direction);
        missed += usize::from(gap > 1e-5);
        worst = worst.max(gap);
        passes += aimed.iterations;
    }
    println!(
        "limited chains: {missed} of {RUNS} missed, worst {worst:.1e} rad, {:.2} passes",
        passes as f32 / RUNS as f32
    );
    assert_eq!(missed, 0);
}

/// A joint of a neck along +Y that limits both its swing and its twist: the first two of these
/// kinds; or one of them.
fn neck_joint(kinds: u32, random: &mut Random) -> Joint3 {
    let twist = random.between(0.25, 0.6);
    let mut side = |least| [-random.between(least, 0.6), random.between(least, 0.6)];
    let (x, y) = (side(0.1), side(0.1));
    let joint = match random.below(kinds) {
        0 => Joint3::cone(Vec3::Y, x[1]).with_twist(-twist, twist),
        1 => Joint3::ellipse(Vec3::Y, Vec3::X, x, y).with_twist(-twist, twist),
        2 => Joint3::hinge([Vec3::X, Vec3::Y][random.below(2)], x[0], x[1]),
        _ => Joint3::yaw_pitch(Vec3::Z, Vec3::Y, x, y),
    };
    joint.with_weight(random.between(0.3, 1.0))
}

/// The farthest that a joint turns in one of so many steps of a way, and what of that is a jump: it
/// stays what it is, however closely one looks.
fn fastest(steps: u16, look: impl Fn(f32) -> Vec<Quat>) -> (f64, f64) {
    let between =
        |a: &[Quat], b: &[Quat]| a.iter().zip(b).map(|(a, b)| angle(*a, *b)).fold(0.0, f64::max);
    let at = |step: u16| f32::from(step) / f32::from(steps);
    let looks: Vec<_> = (0..=steps).map(|step| look(at(step))).collect();
    let turns = looks.windows(2).map(|pair| between(&pair[0], &pair[1])).zip(0_u16..);
    let (most, step) = turns.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let (mut low, mut high) = (at(step), at(step + 1));
    for _ in 0..16 {
        let middle = 0.5 * (low + high);
        let here = look(middle);
        let is_before = between(&look(low), &here) > between(&here, &look(high));
        if is_before { high = middle } else { low = middle }
    }
    (most, between(&look(low), &look(high)))
}

/// Where a target moves smoothly, so does what follows it, whether its limits let it get there or
/// not: necks of one to four joints, and targets on straight ways in front of them. Out of it by
/// their geometry are targets behind, straight above and on the neck, where the way to look itself
/// jumps: none of these is ever more than 1.1 rad off the direction in which the neck looks at
/// rest.
#[test]
fn necks_follow_their_targets_without_a_jump() {
    const WAYS: usize = 300;
    const STEPS: u16 = 40;
    const DEGREE: f64 = PI as f64 / 180.0;
    let mut random = Random(22);
    let mut fast = 0;
    for way in 0..WAYS {
        let n = 1 + random.below(4);
        let joints: Vec<_> = (0..n).map(|_| neck_joint(4, &mut random)).collect();
        let mut end = || Vec3::new(random.between(-2.5, 2.5), random.between(-0.8, 1.2), 2.0);
        let (from, to) = (end(), end());
        let roll = if random.below(2) == 0 { Roll::Least } else { Settings::default().roll };
        let settings = Settings { roll, ..Settings::default() };
        let look = |share: f32| {
            let (mut positions, mut rotations) = spine(n);
            let target = from.lerp(to, share);
            if n == 1 && way % 2 == 0 {
                let _ =
                    aim(positions[0], &mut rotations[0], &joints[0], target, &settings).unwrap();
            } else {
                let _ =
                    aim_chain(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
            }
            rotations
        };
        let (most, jump) = fastest(STEPS, look);
        let moved = from.angle_between(to) / f32::from(STEPS);
        fast += usize::from(most > 10.0 * f64::from(moved) + 0.01);
        assert!(jump < DEGREE, "{way}: {jump} from {from} to {to}: {joints:?}");
    }
    println!("{fast} of {WAYS} ways turned a joint more than ten times as fast as the target");
    assert!(fast * 100 <= WAYS * 3);
}

/// What the documentation says of cones that twist freely, where the target leaves their reach.
#[test]
fn cones_that_twist_freely_step_by_no_more_than_is_said() {
    const WAYS: usize = 300;
    let mut random = Random(24);
    let settings = Settings { roll: Roll::Least, ..Settings::default() };
    let mut worst = 0.0_f64;
    for _ in 0..WAYS {
        let n = 1 + random.below(4);
        let joints: Vec<_> = (0..n)
            .map(|_| {
                let cone = Joint3::cone(Vec3::Y, random.between(0.1, 0.6));
                cone.with_weight(random.between(0.3, 1.0))
            })
            .collect();
        let mut end = || Vec3::new(random.between(-2.5, 2.5), random.between(-2.0, 3.0), 2.0);
        let (from, to) = (end(), end());
        let (_, jump) = fastest(40, |share| {
            let (mut positions, mut rotations) = spine(n);
            let target = from.lerp(to, share);
            let _ = aim_chain(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
            rotations
        });
        worst = worst.max(jump);
    }
    println!("largest step of cones that twist freely: {worst} rad");
    assert!(worst < 0.35);
}

/// What the documentation says of necks whose joints limit both their swing and their twist.
#[test]
fn necks_get_to_nearly_all_targets_in_front_of_them() {
    const RUNS: usize = 4_000;
    let mut random = Random(25);
    let (mut count, mut missed, mut worst) = (0, 0, 0.0_f32);
    while count < RUNS {
        let n = 1 + random.below(4);
        let joints: Vec<_> = (0..n).map(|_| neck_joint(2, &mut random)).collect();
        let target = target_of_a_pose(&joints, &mut random);
        if target.angle_between(Vec3::Z) > 1.1 {
            continue;
        }
        count += 1;
        let (mut positions, mut rotations) = spine(n);
        let aimed =
            aim_chain(&mut positions, &mut rotations, &joints, target, &Settings::default());
        let short = aimed.unwrap().angle;
        missed += usize::from(short > 1e-5);
        worst = worst.max(short);
    }
    println!("necks: {missed} of {RUNS} missed, worst {worst:.1e} rad");
    assert!(missed * 50 <= RUNS && worst < 0.04);
}

/// The least angle between +Z and `d` that a joint along +Y allows which swings by `swing` and
/// twists by `twist` either way: the best of a grid, and then of ever finer ones about it.
fn least_of_neck(swing: f64, twist: f64, d: DVec3) -> f64 {
    let allowed = |at: DVec3| {
        let swung = at.with_y(0.0).clamp_length_max(swing);
        swung.with_y(at.y.clamp(-twist, twist))
    };
    let gap = |at: DVec3| {
        let twisted = DQuat::from_rotation_y(at.y) * DVec3::Z;
        between(DQuat::from_scaled_axis(at.with_y(0.0)) * twisted, d)
    };
    let mut best = (DVec3::ZERO, gap(DVec3::ZERO));
    let mut look_about = |middle: DVec3, step: DVec3, reach: i8| {
        for x in -reach..=reach {
            for y in -reach..=reach {
                for z in -reach..=reach {
                    let at = allowed(middle + step * DVec3::new(x.into(), y.into(), z.into()));
                    let found = gap(at);
                    if found < best.1 {
                        best = (at, found);
                    }
                }
            }
        }
        best
    };
    let mut step = DVec3::new(swing, twist, swing) / 5.0;
    let (mut middle, mut least) = look_about(DVec3::ZERO, step, 5);
    while step.max_element() > 1e-6 {
        let found = look_about(middle, step, 1);
        if found.1 == least {
            step *= 0.5;
        }
        (middle, least) = found;
    }
    least
}

/// What the documentation says that necks give up for a smooth motion.
#[test]
fn necks_give_up_no_more_than_is_said() {
    const RUNS: usize = 500;
    let mut random = Random(26);
    let mut given_up: Vec<_> = (0..RUNS)
        .map(|_| {
            let (swing, twist) = (random.between(0.25, 0.6), random.between(0.25, 0.6));
            let (aside, up) = (random.between(-1.0, 1.0), random.between(-0.4, 0.6));
            let joint = Joint3::cone(Vec3::Y, swing).with_twist(-twist, twist);
            let target = Vec3::new(aside.sin(), up, aside.cos()) * 3.0;
            let mut rotation = Quat::IDENTITY;
            let aimed = aim(Vec3::ZERO, &mut rotation, &joint, target, &Settings::default());
            let least = least_of_neck(swing.into(), twist.into(), target.as_dvec3());
            f64::from(aimed.unwrap().angle) - least
        })
        .collect();
    given_up.sort_unstable_by(f64::total_cmp);
    let (middle, most) = (given_up[RUNS / 2], given_up[RUNS - 1]);
    println!("necks give up {middle:.1e} rad in the middle, {most:.1e} at most");
    assert!(given_up[0] > -1e-4, "the oracle finds the least");
    assert!(middle < 5e-4 && most < 0.07);
}

/// A level target beside a neck that may twist and swing: it stays upright for all that a lean to
/// the left or to the right would bring it nearer by half a degree.
#[test]
fn a_neck_leans_to_neither_side_for_half_a_degree() {
    let joint = [Joint3::cone(Vec3::Y, 0.4).with_twist(-0.4, 0.4)];
    for step in -20_i8..=20 {
        let target = Vec3::new(2.0, 1e-3 * f32::from(step), 2.0);
        let mut rotation = [Quat::IDENTITY];
        let aimed =
            aim_chain(&mut [Vec3::ZERO], &mut rotation, &joint, target, &Settings::default());
        assert!((aimed.unwrap().angle - (0.25 * PI - 0.4)).abs() < 1e-3);
        assert!((rotation[0] * Vec3::Y).angle_between(Vec3::Y) < 0.02, "{step}");
    }
}

/// Whatever its limits and wherever it starts inside them, a joint is never turned further off, nor
/// when it is called again.
#[test]
fn a_joint_never_points_further_off_than_before() {
    let mut random = Random(23);
    for case in 0..20_000 {
        let mut side = || [-random.between(0.0, 2.0), random.between(0.0, 2.0)];
        let (x, y, twist) = (side(), side(), side());
        let (axis, across) = (random.direction(), random.direction());
        let joint = match random.below(3) {
            0 => Joint3::cone(axis, x[1]).with_twist(twist[0], twist[1]),
            1 => Joint3::ellipse(axis, across, x, y),
            _ => Joint3::ellipse(axis, across, x, y).with_twist(twist[0], twist[1]),
        };
        let joint = joint.with_rest(random.rotation());
        let up = Roll::Up { local: random.direction(), hint: random.direction() };
        let roll = if random.below(2) == 0 { Roll::Least } else { up };
        let settings = Settings { roll, ..Settings::default() };
        let target = random.direction() * 3.0;
        let mut rotation = clamp_joint_3d(random.rotation(), &joint).unwrap();
        let mut last = between(wide(rotation) * DVec3::Z, target.as_dvec3());
        for call in 0..3 {
            let aimed = aim(Vec3::ZERO, &mut rotation, &joint, target, &settings).unwrap();
            let angle = f64::from(aimed.angle);
            assert!(angle <= last + 1e-5, "{case}, {call}: {last}, then {angle}: {joint:?}");
            last = angle;
        }
    }
}

/// Where limits keep a chain from its roll, it does not leave the target for a better one when it
/// is called again.
#[test]
fn a_limited_chain_keeps_what_it_aims_at() {
    let mut random = Random(16);
    let mut pointed = 0;
    for _ in 0..2_000 {
        let n = 2 + random.below(4);
        let joints: Vec<_> = (0..n)
            .map(|_| {
                let joint = Joint3::cone(random.direction(), random.between(0.1, 1.5));
                let twist = random.between(0.0, 1.0);
                joint.with_twist(-twist, twist).with_rest(random.rotation())
            })
            .collect();
        let (mut positions, mut rotations) = spine(n);
        let settings = Settings {
            roll: Roll::Up { local: Vec3::Y, hint: random.direction() },
            ..Settings::default()
        };
        let target = random.direction() * random.between(1.0, 10.0);
        let mut last = f32::INFINITY;
        for _ in 0..4 {
            let aimed = aim_chain(&mut positions, &mut rotations, &joints, target, &settings);
            let angle = aimed.unwrap().angle;
            assert!(angle <= last + 1e-5, "{last}, then {angle}: {joints:?}");
            last = angle;
        }
        pointed += usize::from(last < 1e-5);
    }
    assert!(pointed > 1_000, "{pointed}");
}

/// The last joint is held, so nobody makes up for what a roll of the others would cost in
/// direction: called again, the chain points no further off.
#[test]
fn joints_before_one_that_is_held_do_not_roll_at_the_cost_of_the_aim() {
    let mut random = Random(21);
    let held = Joint3::free().with_weight(0.0);
    for case in 0..2000 {
        let joints = [Joint3::free().with_weight(random.between(0.1, 1.0)), held];
        let bone = random.direction() * random.between(0.5, 2.0);
        let (mut positions, mut rotations) = ([Vec3::ZERO, bone], [Quat::IDENTITY; 2]);
        let roll = Roll::Up { local: random.direction(), hint: random.direction() };
        let settings = Settings { forward: random.direction(), roll, ..Settings::default() };
        let target = random.direction() * random.between(3.0, 9.0);
        let mut call = || aim_chain(&mut positions, &mut rotations, &joints, target, &settings);
        let (first, again) = (call().unwrap().angle, call().unwrap().angle);
        assert!(again <= first + 1e-5, "{case}: {first}, then {again}");
    }
}

/// A turn of the first joint would put the last one onto its target, from where every way to look
/// is as good, by what rounding leaves of the way: called again, the chain points no further off.
#[test]
fn a_chain_does_not_lose_its_target_by_lying_on_it() {
    let half = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let joints = [
        Joint3::hinge(Vec3::new(1.0, 1.0, -1.0), 0.0, 1.662_231_4)
            .with_rest(half)
            .with_weight(0.203_921_57),
        Joint3::hinge(Vec3::Y, 1e-7, 1.649_780_3).with_rest(Quat::from_xyzw(
            0.5,
            0.500_000_06,
            0.5,
            0.5,
        )),
        Joint3::hinge(Vec3::new(1.568_603_5, 1.0, 1.0), 1.0, 1.0).with_rest(Quat::from_xyzw(
            0.894_427_2,
            0.447_213_6,
            0.0,
            0.0,
        )),
    ];
    let mut positions = [Vec3::ONE, Vec3::splat(1.000_000_1), Vec3::splat(2.0)];
    let mut rotations = [half, Quat::from_xyzw(0.5, 0.5, 0.5, -0.5), -Quat::IDENTITY];
    let target = Vec3::new(2.0, 2.000_000_2, 2.0);
    let forward = Vec3::new(-0.000_122_070_31, 0.187_255_86, 1.0);
    let settings = Settings { forward, roll: Roll::Least, weight: 1.0 };
    let mut call = || aim_chain(&mut positions, &mut rotations, &joints, target, &settings);
    let (first, again) = (call().unwrap().angle, call().unwrap().angle);
    assert!(again <= first + 1e-4, "{first}, then {again}");
}

/// A hinge with its target nearly behind it still comes as near as it can.
#[test]
fn nearly_behind_is_told_from_behind() {
    let rest = Quat::from_xyzw(0.0, -0.000_105_163_526, 1.0, 0.0).normalize();
    let hinge = Joint3::hinge(Vec3::Y, -1.2e-4, 0.0).with_rest(rest);
    let settings = Settings { roll: Roll::Least, ..Settings::default() };
    let mut rotation = Quat::IDENTITY;
    let aimed = aim(Vec3::ZERO, &mut rotation, &hinge, Vec3::NEG_Z, &settings).unwrap();
    for angle in [-1.2e-4, -0.6e-4, 0.0] {
        let other = rest * Quat::from_rotation_y(angle);
        let left = between(wide(other) * DVec3::Z, DVec3::NEG_Z);
        assert!(f64::from(aimed.angle) <= left + 1e-5, "{} at {angle}: {left}", aimed.angle);
    }
}

/// Moved and turned, the answer is moved and turned.
#[test]
fn a_chain_aims_alike_in_every_frame() {
    let mut random = Random(15);
    for _ in 0..1_000 {
        let (start, identity) = spine(4);
        let target = random.direction() * 3.0;
        let (mut positions, mut rotations) = (start.clone(), identity.clone());
        let hint = random.direction();
        let roll = Roll::Up { local: Vec3::Y, hint };
        let settings = Settings { roll, ..Settings::default() };
        if target.angle_between(Vec3::Z) > 3.0 || hint.cross(target).length() < 0.3 {
            continue;
        }
        let _ = aim_chain(&mut positions, &mut rotations, &[], target, &settings).unwrap();
        let (turned, moved) = (random.rotation(), random.direction());
        let mut there: Vec<_> = start.iter().map(|p| turned * *p + moved).collect();
        let mut there_rotations: Vec<_> = identity.iter().map(|q| turned * *q).collect();
        let roll = Roll::Up { local: Vec3::Y, hint: turned * hint };
        let settings = Settings { roll, ..settings };
        let target = turned * target + moved;
        let _ = aim_chain(&mut there, &mut there_rotations, &[], target, &settings).unwrap();
        for i in 0..4 {
            let total = angle(rotations[3], Quat::IDENTITY);
            if total < 3.0 {
                assert!(angle(there_rotations[i], turned * rotations[i]) < 1e-4);
                assert!(there[i].distance(turned * positions[i] + moved) < 1e-5);
            }
        }
    }
}

/// In the plane: a turret with a range, and a neck.
#[test]
fn the_plane_aims_too() {
    let settings = AimSettings::<Vec2>::default();
    let turret = Joint2::range(-1.0, 1.0);
    let mut rotation = Rot2::IDENTITY;
    let aimed = aim(Vec2::ZERO, &mut rotation, &turret, Vec2::Y, &settings).unwrap();
    assert_eq!(aimed.status, Status::Stalled);
    assert!(
        (rotation.angle() - 1.0).abs() < 1e-6 && (aimed.angle - (FRAC_PI_2 - 1.0)).abs() < 1e-6
    );
    let mut positions = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
    let mut rotations = [Rot2::IDENTITY; 3];
    let target = Vec2::new(1.0, 5.0);
    let joints = [Joint2::range(-0.2, 0.2), Joint2::free(), Joint2::range(-0.3, 0.3)];
    let aimed = aim_chain(&mut positions, &mut rotations, &joints, target, &settings).unwrap();
    assert_eq!(aimed.status, Status::Reached);
    let locals = [rotations[0], rotations[1].inverse() * rotations[2]].map(Rot2::angle);
    assert!(locals[0].abs() < 0.2 + 1e-6 && locals[1].abs() < 0.3 + 1e-6);
}

/// How far off a chain of the plane points at a target far away, and how far off it need be.
fn far_off(joints: [[f32; 2]; 3], start: [f32; 3], target: f32) -> (f32, f32) {
    let (mut positions, mut rotations) = ([Vec2::ZERO; 3], [Rot2::IDENTITY; 3]);
    let mut angle = 0.0;
    for i in 0..3 {
        angle += start[i];
        rotations[i] = Rot2::from_angle(angle);
        if i < 2 {
            positions[i + 1] = positions[i] + rotations[i] * Vec2::X * 0.1;
        }
    }
    let limits = joints.map(|[min, max]| Joint2::range(min, max));
    let far = Vec2::from_angle(target) * 1e4;
    let settings = AimSettings::default();
    let aimed = aim_chain(&mut positions, &mut rotations, &limits, far, &settings).unwrap();
    let [min, max] = [0, 1].map(|end| joints.iter().map(|joint| joint[end]).sum::<f32>());
    let nearest = clamp_angle(target, min, max).unwrap();
    (aimed.angle, wrap_angle(nearest - target).abs())
}

/// In the plane a chain does not turn back to go round the other way, as the documentation says.
#[test]
fn a_chain_of_the_plane_stays_at_its_limits() {
    let (left, best) = far_off(
        [[-FRAC_PI_4, FRAC_PI_4]; 3],
        [80_f32.to_radians() / 3.0; 3],
        -100_f32.to_radians(),
    );
    assert!((left - 125_f32.to_radians()).abs() < 1e-3 && best == 0.0, "{left} {best}");
    let mut random = Random(6);
    let mut stuck = [0; 2];
    for _ in 0..4000 {
        let joints = [(); 3].map(|()| [random.between(-1.2, -0.05), random.between(0.05, 1.2)]);
        let start = joints.map(|[min, max]| random.between(min, max));
        let target = random.between(-PI, PI);
        for (start, stuck) in [start, [0.0; 3]].into_iter().zip(&mut stuck) {
            let (left, best) = far_off(joints, start, target);
            *stuck += i32::from(left > best + 0.2);
        }
    }
    assert!(stuck[0] <= 260 && stuck[1] <= 140, "{stuck:?} of 4000");
}

/// G8: mistakes are named, and nothing is touched.
#[test]
fn mistakes_are_named_and_leave_the_pose_alone() {
    let (positions, rotations) = spine(3);
    let good = Settings::default();
    let bad_up = Roll::Up { local: Vec3::Y, hint: Vec3::ZERO };
    for (name, fault, target, joints, settings) in [
        ("target", Fault::NotFinite, Vec3::NAN, &[][..], good),
        ("joints", Fault::Length { expected: 3, actual: 1 }, Vec3::X, &[Joint3::FREE][..], good),
        ("settings.weight", Fault::OutOfRange, Vec3::X, &[], Settings { weight: 1.5, ..good }),
        (
            "settings.forward",
            Fault::NoDirection,
            Vec3::X,
            &[],
            Settings { forward: Vec3::ZERO, ..good },
        ),
        ("settings.roll.hint", Fault::NoDirection, Vec3::X, &[], Settings { roll: bad_up, ..good }),
    ] {
        let (mut p, mut r) = (positions.clone(), rotations.clone());
        let error = aim_chain(&mut p, &mut r, joints, target, &settings).unwrap_err();
        assert_eq!((error.argument, error.fault), (name, fault));
        assert_eq!((&p, &r), (&positions, &rotations));
        if name != "joints" {
            let mut rotation = r[0];
            let error = aim(p[0], &mut rotation, &Joint3::FREE, target, &settings).unwrap_err();
            assert_eq!((error.argument, error.fault), (name, fault));
            assert_eq!(rotation, r[0]);
        }
    }
    let error = aim_chain::<Vec3>(&mut [], &mut [], &[], Vec3::X, &good).unwrap_err();
    assert_eq!(error.fault, Fault::TooShort { least: 1, actual: 0 });
}
