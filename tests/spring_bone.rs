//! Hair moves the same at any frame rate and at any scale, stays out of what it meets, and never
//! blows up.

#[path = "common/random.rs"]
mod random;

use proptest::prelude::*;
use serde::Deserialize;
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    Capsule, CenterSpace, Collider, Error, Fault, Plane, Pose, Rot2, Rotation, Sphere, SpringBones,
    SpringJoint, SpringReport, SpringRule, SpringState, forward_kinematics, spring_bone_step,
    teleport_spring_bones,
};

use random::Random;

// ---- the reference trajectories ----------------------------------------------------------------

#[derive(Deserialize)]
struct Reference {
    scenarios: std::collections::BTreeMap<String, Scenario>,
}

#[derive(Deserialize)]
struct Scenario {
    center: Option<String>,
    rest_positions: Vec<[f32; 3]>,
    rest_rotations: Vec<[f32; 4]>,
    joints: Vec<FileJoint>,
    colliders: Vec<FileCollider>,
    root_velocity: Option<[f32; 3]>,
    frames: Vec<FileFrame>,
}

#[derive(Deserialize)]
struct FileJoint {
    hit_radius: f32,
    stiffness: f32,
    gravity_power: f32,
    gravity_dir: [f32; 3],
    drag_force: f32,
}

#[derive(Deserialize)]
struct FileCollider {
    r#type: String,
    offset: [f32; 3],
    #[serde(default)]
    tail: [f32; 3],
    #[serde(default)]
    normal: [f32; 3],
    #[serde(default)]
    radius: f32,
    #[serde(default)]
    inside: bool,
}

#[derive(Deserialize)]
struct FileFrame {
    nodes: Vec<[f32; 3]>,
    tails: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
}

fn reference() -> Reference {
    let text = include_str!("data/vrm_spring_bone/reference.json");
    serde_json::from_str(text).unwrap()
}

impl Scenario {
    fn joints(&self) -> Vec<SpringJoint<Vec3>> {
        let joint = |j: &FileJoint| SpringJoint {
            stiffness: j.stiffness,
            drag: j.drag_force,
            gravity: Vec3::from(j.gravity_dir) * j.gravity_power,
            hit_radius: j.hit_radius,
            ..SpringJoint::default()
        };
        self.joints.iter().map(joint).collect()
    }

    fn colliders(&self) -> Vec<Collider<Vec3>> {
        let collider = |c: &FileCollider| {
            let (offset, tail) = (Vec3::from(c.offset), Vec3::from(c.tail));
            match c.r#type.as_str() {
                "sphere" => Sphere { center: offset, radius: c.radius, inside: c.inside }.into(),
                "capsule" => {
                    Capsule { start: offset, end: tail, radius: c.radius, inside: c.inside }.into()
                }
                "plane" => Plane::new(offset, c.normal.into()).into(),
                other => panic!("{other}"),
            }
        };
        self.colliders.iter().map(collider).collect()
    }

    fn root(&self, frame: f32) -> Vec3 {
        self.root_velocity.map_or(Vec3::ZERO, |v| Vec3::from(v) * frame / 60.0)
    }

    /// The animated pose with the root's parent at `root`.
    fn pose(&self, root: Vec3) -> (Vec<Vec3>, Vec<Quat>) {
        let mut offsets: Vec<Vec3> = self.rest_positions.iter().map(|&p| p.into()).collect();
        offsets[0] += root;
        let locals: Vec<Quat> =
            self.rest_rotations.iter().map(|&q| Quat::from_array(q).normalize()).collect();
        let mut pose = (offsets.clone(), locals.clone());
        forward_kinematics(&offsets, &locals, &mut pose.0, &mut pose.1).unwrap();
        pose
    }

    fn center(&self, frame: f32) -> Option<CenterSpace<Vec3>> {
        self.center.as_ref().map(|_| CenterSpace {
            before: Pose::new(self.root((frame - 1.0).max(0.0)), Quat::IDENTITY),
            now: Pose::new(self.root(frame), Quat::IDENTITY),
        })
    }
}

/// Largest error of a position, of a tail and of a local rotation (in radians) at each frame, and
/// the deepest penetration.
fn errors(scenario: &Scenario, rule: SpringRule) -> Vec<[f32; 4]> {
    let (joints, colliders) = (scenario.joints(), scenario.colliders());
    let mut state = vec![SpringState::default(); scenario.rest_positions.len()];
    let mut rows = Vec::new();
    for (f, frame) in scenario.frames.iter().enumerate() {
        let time = u8::try_from(f).unwrap().into();
        let (mut positions, mut rotations) = scenario.pose(scenario.root(time));
        let settings = SpringBones {
            joints: &joints,
            colliders: &colliders,
            center: scenario.center(time),
            rule,
            ..SpringBones::default()
        };
        // Frame 0 is the rest pose: a step of no time.
        let dt = if f == 0 { 0.0 } else { 1.0 / 60.0 };
        let report =
            spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, dt).unwrap();
        let far = |a: &[Vec3], b: &[[f32; 3]]| {
            a.iter().zip(b).map(|(a, b)| a.distance(Vec3::from(*b))).fold(0.0, f32::max)
        };
        let tails: Vec<Vec3> = state
            .iter()
            .skip(1)
            .map(|s| s.position - settings.center.map_or(Vec3::ZERO, |c| c.now.position))
            .collect();
        let mut parent = Quat::IDENTITY;
        let mut turn = 0.0_f32;
        for (q, expected) in rotations.iter().zip(&frame.rotations) {
            let local = parent.inverse() * *q;
            parent = *q;
            let expected = Quat::from_array(*expected).normalize();
            turn = turn.max(Rotation::angle(local.inverse() * expected));
        }
        rows.push([
            far(&positions, &frame.nodes),
            far(&tails, &frame.tails),
            turn,
            report.penetration,
        ]);
    }
    rows
}

/// Rule `Vrm`: all eight scenarios, 61 frames, every node within 2e-5 m. One table per scenario
/// with `--nocapture`.
#[test]
fn the_published_rule_meets_the_reference() {
    let scenarios = reference().scenarios;
    assert_eq!(scenarios.len(), 8);
    for (name, scenario) in scenarios {
        println!("{name}\nframe   nodes     tails     rotations");
        let rows = errors(&scenario, SpringRule::Vrm);
        assert_eq!(rows.len(), 61);
        for (f, [nodes, tails, turn, _]) in rows.into_iter().enumerate() {
            println!("{f:5}   {nodes:.2e}  {tails:.2e}  {turn:.2e}");
            assert!(nodes < 2e-5 && tails < 2e-5, "{name}, frame {f}: {nodes} {tails}");
            // What 2e-5 m is on the shortest bone.
            assert!(turn < 2e-5 / 0.15, "{name}, frame {f}: {turn}");
        }
    }
}

/// The default rule at 60 Hz is the published one, where no collider acts: 1e-5 m.
#[test]
fn the_steady_rule_meets_the_reference_at_sixty_hertz() {
    for (name, scenario) in reference().scenarios {
        if scenario.colliders.is_empty() {
            for (f, [nodes, ..]) in errors(&scenario, SpringRule::Steady).into_iter().enumerate() {
                assert!(nodes < 1e-5, "{name}, frame {f}: {nodes}");
            }
        }
    }
}

/// The two rules side by side at 60 Hz, with a root that wanders and turns, drag and stiffness at
/// their ends among the joints: 1e-6 of the chain's length.
#[test]
fn the_two_rules_agree_at_sixty_hertz() {
    for (stiffness, drag) in [(1.0, 0.5), (0.0, 0.0), (0.3, 0.05), (4.0, 0.4), (2.0, 1.0)] {
        let gravity = Vec3::new(0.0, -0.3, 0.05);
        let joint = SpringJoint { stiffness, drag, gravity, ..SpringJoint::default() };
        let path = |rule| {
            let settings = SpringBones { joints: &[joint], rule, ..SpringBones::default() };
            let mut state = [SpringState::default(); 6];
            let mut path = Vec::new();
            for frame in 0..300_u16 {
                let time = f32::from(frame) / 60.0;
                let turn = Quat::from_rotation_y((3.0 * time).sin());
                let root = Vec3::new((2.0 * time).sin(), 0.0, (1.3 * time).cos()) * 0.2;
                let mut positions =
                    core::array::from_fn::<_, 6, _>(|i| root + turn * Vec3::X * (0.2 * i as f32));
                let mut rotations = [turn; 6];
                let dt = 1.0 / 60.0;
                let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, dt)
                    .unwrap();
                path.push(positions);
            }
            path
        };
        let pairs = path(SpringRule::Steady).into_iter().zip(path(SpringRule::Vrm));
        let apart = pairs.flat_map(|(a, b)| (0..6).map(move |i| a[i].distance(b[i])));
        let apart = apart.fold(0.0, f32::max);
        assert!(apart < 1e-6, "stiffness {stiffness}, drag {drag}: {apart}");
    }
}

/// C8: a collider and a length together, under the default rule: below 1e-4 of the radius, where
/// one push and one clamp leave millimetres.
#[test]
fn collider_and_length_both_hold() {
    let deepest = |scenario: &Scenario, rule| {
        errors(scenario, rule).iter().map(|row| row[3]).fold(0.0, f32::max)
    };
    for (name, scenario) in reference().scenarios {
        let Some(collider) = scenario.colliders.first() else { continue };
        let radius = if collider.radius > 0.0 { collider.radius } else { 0.2 };
        let (published, steady) =
            (deepest(&scenario, SpringRule::Vrm), deepest(&scenario, SpringRule::Steady));
        println!("{name}: {published:.2e} m published, {steady:.2e} m steady");
        assert!(steady < 1e-4 * radius, "{name}: {steady}");
    }
}

// ---- frame rate --------------------------------------------------------------------------------

const RATES: [f32; 8] = [15.0, 20.0, 30.0, 50.0, 60.0, 144.0, 240.0, 1000.0];

/// A bone of length 0.2 at rest along +X, let go 90° off.
fn swing(state: &mut [SpringState<Vec3>; 2], settings: &SpringBones<'_, Vec3>, dt: f32) -> Vec3 {
    let mut pose = ([Vec3::ZERO, Vec3::X * 0.2], [Quat::IDENTITY; 2]);
    let _ = spring_bone_step(&mut pose.0, &mut pose.1, state, settings, dt).unwrap();
    pose.0[1]
}

fn displaced() -> [SpringState<Vec3>; 2] {
    let tail = Vec3::Y * 0.2;
    let started = SpringState { started: true, ..SpringState::default() };
    [started, SpringState { position: tail, previous: tail, ..started }]
}

/// F1: length 0.2, drag 0.1, stiffness 1, displaced 90°: the time at which it first crosses rest.
#[test]
fn a_bone_swings_in_the_same_time_at_any_rate() {
    let joint = SpringJoint { stiffness: 1.0, drag: 0.1, ..SpringJoint::default() };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    for fps in RATES {
        let mut state = displaced();
        let (mut angle, mut time) = (core::f32::consts::FRAC_PI_2, 0.0);
        let crossing = loop {
            let tail = swing(&mut state, &settings, 1.0 / fps);
            let next = tail.y.atan2(tail.x);
            if next <= 0.0 {
                break time + angle / (angle - next) / fps;
            }
            angle = next;
            time += 1.0 / fps;
            assert!(time < 1.0);
        };
        println!("{fps:6} fps: {crossing:.4} s");
        assert!((crossing / 0.130 - 1.0).abs() < 0.03, "{fps} fps: {crossing}");
    }
}

/// At every instant, whatever the rate and even if it changes from frame to frame, the motion is
/// that of 60 Hz: between its frames, that of no other.
#[test]
fn the_path_is_one_path_at_any_rate() {
    let joint = SpringJoint {
        stiffness: 0.8,
        drag: 0.15,
        gravity: Vec3::NEG_Z * 0.3,
        ..SpringJoint::default()
    };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let mut truth = Vec::new();
    let mut state = displaced();
    for _ in 0..120 {
        truth.push(swing(&mut state, &settings, 1.0 / 60.0));
    }
    for fps in RATES {
        let mut state = displaced();
        state[1].force = joint.gravity;
        let (mut frames, mut compared) = (0.0_f32, 0);
        while frames < 118.0 {
            let tail = swing(&mut state, &settings, 1.0 / fps);
            frames += 60.0 / fps;
            if (frames - frames.round()).abs() < 1e-3 && frames > 0.5 {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a few hundred frames"
                )]
                let expected = truth[frames.round() as usize - 1];
                // A thousandth of a frame's motion at most, and rounding.
                assert!(tail.distance(expected) < 1e-4, "{fps} fps at frame {frames}");
                compared += 1;
            }
        }
        assert!(compared >= 8, "{fps} fps");
    }
}

/// A long chain whose root moves and turns: the tip at every tenth of a second, at any rate, within
/// 2 % of the chain's length.
#[test]
fn a_moving_root_leads_the_same_dance_at_any_rate() {
    let joint = SpringJoint {
        stiffness: 0.6,
        drag: 0.3,
        gravity: Vec3::NEG_Y * 0.2,
        ..SpringJoint::default()
    };
    let head = Collider::from(Sphere::new(Vec3::new(0.0, -0.05, 0.0), 0.1));
    let tips = |fps: f32| {
        let mut state = [SpringState::default(); 6];
        let mut tips = Vec::new();
        let mut before = head;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a few hundred frames"
        )]
        for frame in 0..=(2.0 * fps) as u16 {
            let time = f32::from(frame) / fps;
            let body = Pose::new(
                Vec3::new(0.3 * (3.0 * time).sin(), 1.5, 0.4 * time),
                Quat::from_rotation_y(0.8 * (4.0 * time).sin()),
            );
            let mut positions = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
                .map(|i| body.position + body.rotation * Vec3::new(0.0, -0.05, -0.12 - 0.06 * i));
            let mut rotations = [body.rotation; 6];
            let now = head.placed(&body);
            let (colliders, colliders_before) = ([now], [if frame == 0 { now } else { before }]);
            let settings = SpringBones {
                joints: &[joint],
                colliders: &colliders,
                colliders_before: &colliders_before,
                ..SpringBones::default()
            };
            let dt = if frame == 0 { 0.0 } else { 1.0 / fps };
            let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, dt)
                .unwrap();
            before = now;
            // At 144 Hz a tenth of a second lies between two frames.
            tips.push((time, positions[5]));
        }
        (1..20_u8)
            .map(|tenth| {
                let at = f32::from(tenth) / 10.0;
                let i = tips.iter().position(|(t, _)| *t >= at - 1e-4).unwrap();
                let ((t0, p0), (t1, p1)) = (tips[i - 1], tips[i]);
                p0.lerp(p1, ((at - t0) / (t1 - t0)).min(1.0))
            })
            .collect::<Vec<_>>()
    };
    let truth = tips(60.0);
    for fps in [20.0, 30.0, 50.0, 144.0, 240.0] {
        let worst =
            tips(fps).iter().zip(&truth).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) / 0.3;
        println!("{fps:5} fps: {worst:.4} of the chain");
        // A root that turns between two frames of 20 fps is interpolated along a chord.
        assert!(worst < if fps < 30.0 { 0.04 } else { 0.02 }, "{fps} fps: {worst}");
    }
}

/// A chain that curls up: each joint turns 0.3 rad a frame against its parent, and the tip, in all,
/// the long way round. The tip is where it is at 240 Hz, within 0.1 % of the chain's length.
#[test]
fn a_curling_chain_goes_the_long_way_round() {
    const JOINTS: usize = 12;
    let joint = SpringJoint { stiffness: 4.0, drag: 0.6, ..SpringJoint::default() };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let tips = |fps: u16, speed: f32| {
        let mut state = [SpringState::default(); JOINTS + 1];
        let mut step = |frame: u16| {
            let curl = Quat::from_rotation_z(speed * f32::from(frame) / f32::from(fps));
            let (mut positions, mut rotations) = ([Vec3::ZERO; JOINTS + 1], [curl; JOINTS + 1]);
            for i in 1..=JOINTS {
                positions[i] = positions[i - 1] + rotations[i - 1] * Vec3::X * 0.1;
                rotations[i] = (rotations[i - 1] * curl).normalize();
            }
            let dt = if frame == 0 { 0.0 } else { 1.0 / f32::from(fps) };
            let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, dt)
                .unwrap();
            positions[JOINTS]
        };
        (0..=fps / 2).map(&mut step).collect::<Vec<_>>()
    };
    for fps in [10, 15, 30] {
        let speed = 0.3 * f32::from(fps);
        let truth = tips(240, speed).into_iter().step_by((240 / fps).into());
        let pairs = tips(fps, speed).into_iter().zip(truth);
        let worst = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max) / (0.1 * JOINTS as f32);
        println!("{fps:5} fps: {worst:.1e} of the chain");
        assert!(worst < 1e-3, "{fps} fps: {worst}");
    }
}

/// F4: no time is a no-op; time that runs backwards, or is no number, is a mistake.
#[test]
fn no_time_is_a_no_op_and_bad_time_a_mistake() {
    for rule in [SpringRule::Steady, SpringRule::Vrm] {
        let settings = SpringBones { rule, ..SpringBones::default() };
        let mut state = displaced();
        let _ = swing(&mut state, &settings, 0.021);
        let (before, shown) = (state, swing(&mut state, &settings, 0.0));
        assert_eq!(state.map(|s| (s.position, s.clock)), before.map(|s| (s.position, s.clock)));
        for _ in 0..10 {
            assert_eq!(swing(&mut state, &settings, 0.0), shown);
        }
        for (dt, fault) in [
            (-1e-3, Fault::OutOfRange),
            (f32::NAN, Fault::NotFinite),
            (f32::INFINITY, Fault::NotFinite),
        ] {
            let mut pose = ([Vec3::ZERO, Vec3::X], [Quat::IDENTITY; 2]);
            let before = (pose, state);
            let error = spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &settings, dt);
            assert_eq!(error, Err(Error { argument: "dt", index: None, fault }));
            assert_eq!((pose, state), before);
        }
    }
}

/// F5: dt jumps from 1/60 to 2 s and back: bounded, and settles to the same rest.
#[test]
fn a_hitch_is_survived() {
    let joint = SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let run = |hitches: bool| {
        let mut state = displaced();
        for frame in 0..600 {
            let dt = if hitches && frame % 50 == 7 { 2.0 } else { 1.0 / 60.0 };
            let tail = swing(&mut state, &settings, dt);
            assert!((tail.length() - 0.2).abs() < 1e-6);
        }
        swing(&mut state, &settings, 1.0 / 60.0)
    };
    assert!(run(true).distance(run(false)) < 1e-6);
}

/// F5: a root that has gone far during a hitch does not whip its chain.
#[test]
fn a_hitch_does_not_whip() {
    let mut state = [SpringState::default(); 3];
    let settings = SpringBones::<Vec3>::default();
    let mut step = |x: f32, dt: f32| {
        let root = Vec3::X * x;
        let mut positions = [root, root - Vec3::Y * 0.2, root - Vec3::Y * 0.4];
        let _ =
            spring_bone_step(&mut positions, &mut [Quat::IDENTITY; 3], &mut state, &settings, dt)
                .unwrap();
        (positions[2] - root).angle_between(Vec3::NEG_Y)
    };
    // Walking at 1.5 m/s.
    let mut x = 0.0;
    let mut steady = 0.0;
    for _ in 0..200 {
        x += 1.5 / 60.0;
        steady = step(x, 1.0 / 60.0);
    }
    x += 1.5 * 2.0;
    let after = step(x, 2.0);
    assert!((after - steady).abs() < 0.02, "{after} after {steady}");
}

/// F6: gravity -5000 in a scene in centimetres, at rest: still, at any rate and any change of it.
#[test]
fn a_heavy_hand_does_not_tremble() {
    let joint = SpringJoint { gravity: Vec3::NEG_Y * 5000.0, ..SpringJoint::default() };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let mut state = [SpringState::default(); 4];
    let mut step = |dt: f32| {
        let mut positions = [0.0, 12.0, 24.0, 36.0].map(|x| Vec3::new(x, 150.0, 0.0));
        let mut rotations = [Quat::IDENTITY; 4];
        let report =
            spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, dt).unwrap();
        (positions, report)
    };
    for _ in 0..600 {
        let _ = step(1.0 / 60.0);
    }
    let (rest, _) = step(0.0);
    for i in 0..2000_u16 {
        let dt = [1.0 / 30.0, 1.0 / 144.0, 1.0 / 60.0, 0.011][usize::from(i % 4)];
        let (positions, report) = step(dt);
        // The rounding of a coordinate of 150 is 1.5e-5.
        for (a, b) in positions.iter().zip(rest) {
            assert!(a.distance(b) < 4e-5, "{a} {b}");
        }
        assert!(report.speed < 4e-5 * 60.0);
    }
}

/// S5: at half the time scale the same path, half as fast.
#[test]
fn slow_motion_is_the_same_motion() {
    let settings = SpringBones::default();
    let (mut fast, mut slow) = (displaced(), displaced());
    for _ in 0..100 {
        let a = swing(&mut fast, &settings, 1.0 / 60.0);
        let _ = swing(&mut slow, &settings, 0.5 / 60.0);
        let b = swing(&mut slow, &settings, 0.5 / 60.0);
        assert!(a.distance(b) < 1e-6, "{a} {b}");
    }
}

// ---- colliding and degenerate ------------------------------------------------------------------

/// C1: a tail exactly at a sphere's centre leaves it, sideways.
#[test]
fn a_tail_at_the_centre_of_a_sphere_leaves_it() {
    let collider = [Sphere::new(Vec3::X * 0.2, 0.1).into()];
    for rule in [SpringRule::Steady, SpringRule::Vrm] {
        let settings = SpringBones { colliders: &collider, rule, ..SpringBones::default() };
        let mut state = [SpringState::default(); 2];
        for _ in 0..60 {
            let tail = swing(&mut state, &settings, 1.0 / 60.0);
            assert!(tail.is_finite() && (tail.length() - 0.2).abs() < 1e-6);
            if rule == SpringRule::Steady {
                assert!(tail.distance(Vec3::X * 0.2) > 0.1 - 1e-6, "{tail}");
            }
        }
    }
}

/// C2: bones without length, every joint in one place, a tail on its own joint: finite, and the
/// rotations stay as animated where there is no direction.
#[test]
fn bones_without_length_stay_on_their_joint() {
    let joint = SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let turned = Quat::from_rotation_z(0.3);
    let mut state = [SpringState::default(); 4];
    for _ in 0..100 {
        let mut positions = [Vec3::ONE, Vec3::ONE, Vec3::ONE + Vec3::X, Vec3::ONE + Vec3::X];
        let mut rotations = [turned; 4];
        let _ =
            spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, 0.016).unwrap();
        assert_eq!(positions[0], positions[1]);
        assert_eq!(positions[2], positions[3]);
        assert!((positions[1].distance(positions[2]) - 1.0).abs() < 1e-6);
        assert!(rotations.iter().all(|q| q.is_finite()));
        assert!(rotations[0].dot(turned) > 1.0 - 1e-6);
    }
    // A tail that momentum puts onto its own joint goes to the rest direction.
    let mut state = displaced();
    state[1].position = Vec3::ZERO;
    state[1].previous = Vec3::X * (1.0 / 60.0 / 0.5);
    let tail = swing(&mut state, &SpringBones::default(), 1.0 / 60.0);
    assert!(tail.distance(Vec3::X * 0.2) < 1e-6);
}

/// C1: a joint all but at the centre of a ball that is larger than the bone: no turn leads out, and
/// the report says so.
#[test]
fn a_joint_at_the_centre_of_a_ball_is_stuck_and_says_so() {
    for offset in [0.0, 1e-38, 1e-20, 1e-7] {
        for (radius, stuck) in [(0.5, true), (0.2, false), (0.1, false)] {
            let colliders = [Sphere::new(Vec3::Y * offset, radius).into()];
            let settings = SpringBones { colliders: &colliders, ..SpringBones::default() };
            let mut state = [SpringState::default(); 2];
            let mut pose = ([Vec3::ZERO, Vec3::X * 0.2], [Quat::IDENTITY; 2]);
            let report =
                spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &settings, 1.0 / 60.0)
                    .unwrap();
            assert!((pose.0[1].length() - 0.2).abs() < 1e-6);
            assert_eq!(report.settled, !stuck, "{offset} {radius}: {report:?}");
            let depth = (radius - 0.2).max(0.0);
            assert!((report.penetration - depth).abs() < 1e-6, "{offset} {radius}: {report:?}");
        }
    }
}

/// A tail that is exactly behind its joint, where a limit has no side to come back by: it comes
/// back at the limit, and its length holds.
#[test]
fn a_tail_behind_its_joint_comes_back_to_its_limit() {
    let joint = SpringJoint { angle_limit: 0.4, stiffness: 0.1, drag: 0.0, ..Default::default() };
    let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
    let mut state = displaced();
    (state[1].position, state[1].previous) = (Vec3::NEG_X * 3.0, Vec3::NEG_X * 3.0);
    let tail = swing(&mut state, &settings, 1.0 / 60.0);
    assert!((tail.length() - 0.2).abs() < 1e-6);
    assert!((tail.angle_between(Vec3::X) - 0.4).abs() < 1e-3);
}

/// C9: a bone under gravity that rests on a collider: settles, its speed goes to 0.
#[test]
fn a_bone_on_a_collider_comes_to_rest() {
    let joint = SpringJoint { gravity: Vec3::NEG_Y, hit_radius: 0.02, ..SpringJoint::default() };
    for collider in [
        Sphere::new(Vec3::new(0.15, -0.1, 0.0), 0.1).into(),
        Capsule::new(Vec3::new(0.15, -0.1, -1.0), Vec3::new(0.15, -0.1, 1.0), 0.1).into(),
        Plane::new(Vec3::NEG_Y * 0.05, Vec3::Y).into(),
        Sphere::inside(Vec3::X * 0.1, 0.15).into(),
    ] {
        for fps in RATES {
            let colliders = [collider];
            let settings =
                SpringBones { joints: &[joint], colliders: &colliders, ..SpringBones::default() };
            let mut state = displaced();
            let mut step = || {
                let mut pose = ([Vec3::ZERO, Vec3::X * 0.2], [Quat::IDENTITY; 2]);
                let report =
                    spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &settings, 1.0 / fps)
                        .unwrap();
                (pose.0[1], report)
            };
            for _ in 0..400 {
                let _ = step();
            }
            let (rest, _) = step();
            for _ in 0..100 {
                let (tail, report) = step();
                assert!(tail.distance(rest) < 2e-6, "{collider:?} at {fps} fps: {tail} {rest}");
                assert!(report.speed < 1e-4 && report.settled, "{report:?}");
            }
        }
    }
}

/// Colliders on both sides, a limit and a wall: the limit holds, and the report owns up.
#[test]
fn an_impossible_place_is_reported() {
    let joint = SpringJoint { angle_limit: 0.3, ..SpringJoint::default() };
    let wall = [Plane::new(Vec3::Y * 0.15, Vec3::Y).into()];
    let settings = SpringBones { joints: &[joint], colliders: &wall, ..SpringBones::default() };
    let mut state = [SpringState::default(); 2];
    let mut pose = ([Vec3::ZERO, Vec3::X * 0.2], [Quat::IDENTITY; 2]);
    let report =
        spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &settings, 1.0 / 60.0).unwrap();
    assert!(!report.settled && report.iterations == settings.iterations);
    // As near to the wall as the limit allows: 0.15 - 0.2 sin 0.3.
    assert!((report.penetration - (0.15 - 0.2 * 0.3_f32.sin())).abs() < 1e-5, "{report:?}");
    assert!(pose.0[1].angle_between(Vec3::X) < 0.3 + 1e-4);
}

/// A whole bone keeps out of a ball that is smaller than the gap between two joints.
#[test]
fn a_whole_bone_lets_nothing_slip_through() {
    // At rest the bone would point straight at the ball's centre.
    let joint = SpringJoint { gravity: Vec3::NEG_Y * 0.4, ..SpringJoint::default() };
    for collider in [
        Sphere::new(Vec3::new(0.1, -0.04, 0.0), 0.03).into(),
        Capsule::new(Vec3::new(0.1, -0.04, -1.0), Vec3::new(0.1, -0.04, 1.0), 0.03).into(),
    ] {
        let colliders = [collider];
        let run = |whole_bones| {
            let settings = SpringBones {
                joints: &[joint],
                colliders: &colliders,
                whole_bones,
                ..SpringBones::default()
            };
            let mut state = [SpringState::default(); 2];
            (0..200).fold(Vec3::ZERO, |_, _| swing(&mut state, &settings, 1.0 / 60.0))
        };
        let depth = |tail: Vec3| {
            (0..=100_u8)
                .map(|i| collider.depth(tail * f32::from(i) / 100.0, 0.0))
                .fold(f32::NEG_INFINITY, f32::max)
        };
        assert!(depth(run(false)) > 0.02);
        assert!(depth(run(true)) < 1e-5, "{}", depth(run(true)));
    }
}

// ---- space, scale, reset -----------------------------------------------------------------------

/// Angles of a chain that droops, at a scale of the rig.
fn droop(scale: f32, units_per_metre: f32, frames: u16) -> Vec<Vec3> {
    let joint =
        SpringJoint { gravity: Vec3::NEG_Y * 1.5, hit_radius: 0.01, ..SpringJoint::default() };
    let colliders = [Sphere::new(Vec3::new(0.25, -0.25, 0.02) * scale, 0.12 * scale).into()];
    let settings = SpringBones {
        joints: &[joint],
        colliders: &colliders,
        units_per_metre,
        ..SpringBones::default()
    };
    let mut state = [SpringState::default(); 4];
    let mut directions = Vec::new();
    for _ in 0..frames {
        let mut positions = [0.0, 0.2, 0.4, 0.6].map(|x| Vec3::X * x * scale);
        let mut rotations = [Quat::IDENTITY; 4];
        let _ =
            spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, 0.01).unwrap();
        directions.extend(positions.windows(2).map(|p| (p[1] - p[0]).normalize()));
    }
    directions
}

/// S1: a rig at scale 8, 1e-3 or 1e3 makes the same angles if it is told so, and in VRM's metres a
/// giant droops more slowly.
#[test]
fn scale_does_not_matter() {
    let truth = droop(1.0, 1.0, 200);
    for scale in [1e-3, 8.0, 1e3] {
        for (a, b) in droop(scale, scale, 200).iter().zip(&truth) {
            assert!(a.distance(*b) < 1e-4, "scale {scale}: {a} {b}");
        }
    }
    let angle = |directions: Vec<Vec3>| directions[directions.len() - 3].angle_between(Vec3::X);
    assert!(angle(droop(8.0, 1.0, 25)) < 0.5 * angle(droop(1.0, 1.0, 25)));
}

/// S2: a character put 1000 units away, and turned: the motion goes on as if nothing had happened.
#[test]
fn a_teleport_is_not_felt() {
    let settings = SpringBones::<Vec3> { ..SpringBones::default() };
    let home = Pose::<Vec3>::default();
    let away = Pose::new(Vec3::new(1000.0, -20.0, 3.0), Quat::from_rotation_x(2.0));
    let step = |state: &mut [SpringState<Vec3>; 3], at: &Pose<Vec3>, angle: f32| {
        let turn = at.rotation * Quat::from_rotation_y(angle);
        let mut positions = [0.0, 0.2, 0.4].map(|x| at.position + turn * (Vec3::X * x));
        let mut rotations = [turn; 3];
        let _ = spring_bone_step(&mut positions, &mut rotations, state, &settings, 0.013).unwrap();
        at.rotation.inverse() * (positions[2] - at.position)
    };
    let (mut stays, mut goes) = ([SpringState::default(); 3], [SpringState::default(); 3]);
    for i in 0..60_u8 {
        let angle = (f32::from(i) * 0.2).sin();
        assert_eq!(step(&mut stays, &home, angle), step(&mut goes, &home, angle));
    }
    teleport_spring_bones(&mut goes, &home, &away).unwrap();
    for i in 60..120_u8 {
        let angle = (f32::from(i) * 0.2).sin();
        let (a, b) = (step(&mut stays, &home, angle), step(&mut goes, &away, angle));
        // The rounding of a coordinate of 1000 is 6e-5, and momentum adds a few of them up.
        assert!(a.distance(b) < 1e-3, "{a} {b}");
    }
}

/// What a step would not take a teleport does not take either.
#[test]
fn a_teleport_refuses_bad_state() {
    let good = SpringState { rest: Quat::IDENTITY, started: true, ..SpringState::default() };
    let bad = SpringState { previous: Vec3::NAN, ..good };
    let mut state = [good, bad];
    let (home, away) = (Pose::default(), Pose::new(Vec3::Y, Quat::IDENTITY));
    let error = teleport_spring_bones(&mut state, &home, &away).unwrap_err();
    assert_eq!((error.argument, error.index), ("state.previous", Some(1)));
    assert_eq!(state[0], good);
}

/// Half a turn as files round it is half a turn.
#[test]
fn a_rounded_half_turn_is_no_limit() {
    let end = |angle_limit: f32| {
        let joints = [SpringJoint { angle_limit, gravity: Vec3::NEG_X, ..Default::default() }];
        let settings = SpringBones { joints: &joints, ..SpringBones::default() };
        let (mut positions, mut rotations) = ([Vec3::ZERO, Vec3::X], [Quat::IDENTITY; 2]);
        let mut state = [SpringState::default(); 2];
        state[1].previous = Vec3::Y * 0.1;
        spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, 0.1)
            .map(|_| positions[1])
    };
    assert_eq!(end("3.1416".parse().unwrap()), end(core::f32::consts::PI));
    assert!(end(3.1417).is_err_and(|e| e.argument == "settings.joints.angle_limit"));
}

/// S3: a center space that moves, turns and is nowhere near the origin: only relative motion is
/// felt, so that a chain at rest in it stays at rest.
#[test]
fn a_moving_center_space_is_not_felt() {
    for rule in [SpringRule::Steady, SpringRule::Vrm] {
        let mut state = [SpringState::default(); 3];
        let center = |frame: u8| {
            let t = f32::from(frame) * 0.02;
            let turn = Quat::from_rotation_z(0.4 * t) * Quat::from_rotation_y(3.0 * t);
            Pose::new(Vec3::new(30.0 + 2.0 * t, 5.0, -7.0 * t), turn)
        };
        for frame in 0..200 {
            let (before, now) = (center(frame.max(1) - 1), center(frame));
            let root = now.position + now.rotation * Vec3::new(0.1, 1.5, 0.0);
            let mut positions = [0.0, 0.1, 0.2].map(|z| root + now.rotation * (Vec3::NEG_Z * z));
            let rest = positions;
            let settings = SpringBones {
                center: Some(CenterSpace { before, now }),
                rule,
                ..SpringBones::default()
            };
            let dt = if frame % 3 == 0 { 0.007 } else { 0.02 };
            let mut rotations = [now.rotation; 3];
            let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, dt)
                .unwrap();
            for (a, b) in positions.iter().zip(rest) {
                assert!(a.distance(b) < 1e-4, "{rule:?}, frame {frame}: {a} {b}");
            }
        }
    }
}

/// S4: gravity that changes while the chain moves just changes: the next frame goes on from where
/// the last one was.
#[test]
fn parameters_change_at_any_frame() {
    let mut state = displaced();
    let mut last = Vec3::Y * 0.2;
    for frame in 0..300_u16 {
        let lunar = SpringJoint {
            gravity: if frame % 100 < 50 { Vec3::NEG_Y * 0.2 } else { Vec3::Z * 0.1 },
            drag: if frame % 60 < 30 { 0.1 } else { 0.9 },
            ..SpringJoint::default()
        };
        let settings = SpringBones { joints: &[lunar], ..SpringBones::default() };
        let tail = swing(&mut state, &settings, 1.0 / 60.0);
        // No reset to rest, no jump: the largest speed of this bone is about 3 m/s.
        assert!(tail.distance(last) < 0.06, "frame {frame}");
        last = tail;
    }
}

/// Weight 0 is the animated pose, 1 the simulated one, and in between lengths hold.
#[test]
fn weights_blend_from_animated_to_simulated() {
    let run = |weight: f32| {
        let joint = SpringJoint { gravity: Vec3::NEG_Y * 2.0, weight, ..SpringJoint::default() };
        let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
        let mut state = [SpringState::default(); 3];
        let mut positions = [Vec3::ZERO; 3];
        for _ in 0..300 {
            positions = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
            let mut rotations = [Quat::IDENTITY; 3];
            let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, 0.02)
                .unwrap();
            assert!((rotations[0] * Vec3::X).distance(positions[1]) < 1e-6);
        }
        positions
    };
    assert!(run(0.0)[2].distance(Vec3::X * 2.0) < 1e-6);
    let angle = |weight| run(weight)[1].angle_between(Vec3::X);
    assert!((angle(0.5) - 0.5 * angle(1.0)).abs() < 1e-3);
    assert!((run(0.5)[1].distance(run(0.5)[2]) - 1.0).abs() < 1e-6);
}

/// The plane is a slice through space.
#[test]
fn the_plane_agrees_with_space() {
    let flat = SpringJoint { gravity: Vec2::NEG_Y, hit_radius: 0.02, ..SpringJoint::default() };
    let deep = SpringJoint { gravity: Vec3::NEG_Y, hit_radius: 0.02, ..SpringJoint::default() };
    let circle = [Sphere::new(Vec2::new(0.15, -0.15), 0.1).into()];
    let sphere = [Sphere::new(Vec3::new(0.15, -0.15, 0.0), 0.1).into()];
    let thin = SpringBones { joints: &[flat], colliders: &circle, ..SpringBones::default() };
    let wide = SpringBones { joints: &[deep], colliders: &sphere, ..SpringBones::default() };
    let (mut a, mut b) = ([SpringState::default(); 3], [SpringState::default(); 3]);
    for i in 0..200_u8 {
        let turn = (f32::from(i) * 0.1).sin();
        let (q, r) = (Rot2::from_angle(turn), Quat::from_rotation_z(turn));
        let mut p2 = [0.0, 0.1, 0.2].map(|x| q * (Vec2::X * x));
        let mut p3 = [0.0, 0.1, 0.2].map(|x| r * (Vec3::X * x));
        let _ = spring_bone_step(&mut p2, &mut [q; 3], &mut a, &thin, 0.011).unwrap();
        let _ = spring_bone_step(&mut p3, &mut [r; 3], &mut b, &wide, 0.011).unwrap();
        assert!(p2[2].distance(p3[2].truncate()) < 1e-4, "{i}: {} {}", p2[2], p3[2]);
    }
}

// ---- a million steps ---------------------------------------------------------------------------

/// Random forces, teleports, dt between 0 and 2 s and colliders that jump, a million times: nothing
/// non-finite, lengths within 1e-5; and the energy dies away after the forces end.
#[test]
fn a_million_steps_of_anything() {
    const LENGTHS: [f32; 3] = [0.2, 0.15, 0.1];
    let mut noise = Random::new(7);
    let mut state = [SpringState::default(); 4];
    let mut before = [Collider::from(Sphere::new(Vec3::ZERO, 0.1)); 2];
    let mut step = |state: &mut [SpringState<Vec3>; 4], noise: &mut Random, wild: bool| {
        let mut joint = SpringJoint { drag: 0.2, hit_radius: 0.01, ..SpringJoint::default() };
        let mut settings = SpringBones { colliders_before: &before, ..SpringBones::default() };
        let (mut root, mut turn, mut dt) = (Vec3::ZERO, Quat::IDENTITY, 1.0 / 60.0);
        let mut now = before;
        let mut external = [Vec3::ZERO];
        if wild {
            let kind = noise.signed();
            joint.gravity = noise.vector() * if kind > 0.9 { 1e4 } else { 2.0 };
            joint.drag = noise.signed().abs();
            joint.angle_limit = if noise.signed() > 0.5 { noise.signed().abs() * 3.0 } else { 3.1 };
            external = [noise.vector() * 10.0];
            root = noise.vector() * if noise.signed() > 0.99 { 50.0 } else { 0.3 };
            turn = Quat::from_axis_angle(Vec3::Y, noise.signed() * 3.0);
            dt = if noise.signed() > 0.9 {
                1.0 + noise.signed()
            } else {
                0.01 * noise.signed().abs()
            };
            settings.whole_bones = noise.signed() > 0.5;
            now = [
                Sphere { center: root + noise.vector() * 0.3, radius: 0.1, inside: kind < 0.0 }
                    .into(),
                Capsule::new(root + noise.vector() * 0.4, root + noise.vector() * 0.4, 0.05).into(),
            ];
        }
        let (joints, colliders) = ([joint], now);
        let settings = SpringBones {
            joints: &joints,
            colliders: if wild { &colliders } else { &[] },
            colliders_before: if wild { &before } else { &[] },
            external: &external,
            max_frames: 2,
            iterations: 8,
            ..settings
        };
        let mut positions = [root; 4];
        for i in 1..4 {
            positions[i] = positions[i - 1] + turn * Vec3::X * LENGTHS[i - 1];
        }
        let mut rotations = [turn; 4];
        let report =
            spring_bone_step(&mut positions, &mut rotations, state, &settings, dt).unwrap();
        before = now;
        // Coordinates of 50 have a rounding of 4e-6.
        for (bone, length) in positions.windows(2).zip(LENGTHS) {
            assert!((bone[0].distance(bone[1]) - length).abs() < 1e-5, "{bone:?}");
        }
        assert!(rotations.iter().all(|q| (q.length_squared() - 1.0).abs() < 1e-5));
        report
    };
    for _ in 0..1_000_000 {
        let report = step(&mut state, &mut noise, true);
        assert!(report.speed.is_finite());
    }
    // The last jump may be fast; from then on every second has less than a tenth of the speed.
    let mut speeds = Vec::new();
    for _ in 0..5 {
        let fastest =
            (0..60).map(|_| step(&mut state, &mut noise, false).speed).fold(0.0, f32::max);
        speeds.push(fastest);
    }
    assert!(speeds.windows(2).all(|s| s[1] < 0.1 * s[0] || s[1] < 1e-4), "{speeds:?}");
}

// ---- promises ----------------------------------------------------------------------------------

fn anything() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -2.0..2.0_f32, 1 => any::<f32>(), 1 => Just(0.0), 1 => Just(1.0)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Whatever the numbers: an error that changes nothing, or a finite pose of the right lengths.
    #[test]
    fn any_number_is_an_error_or_finite(
        p in prop::array::uniform9(anything()),
        s in prop::array::uniform6(anything()),
        c in prop::array::uniform8(anything()),
        dt in anything(),
        vrm in any::<bool>(), whole_bones in any::<bool>(), inside in any::<bool>(),
    ) {
        let positions = [
            Vec3::new(p[0], p[1], p[2]), Vec3::new(p[3], p[4], p[5]), Vec3::new(p[6], p[7], p[8]),
        ];
        let joint = SpringJoint {
            stiffness: s[0].abs(), drag: s[1].abs(), gravity: Vec3::new(s[2], 0.0, s[3]),
            hit_radius: s[4].abs(), angle_limit: s[5].abs(), weight: 1.0,
        };
        let (a, b) = (Vec3::new(c[0], c[1], c[2]), Vec3::new(c[3], c[4], c[5]));
        let colliders = [
            Sphere { center: a, radius: c[6].abs(), inside }.into(),
            Capsule { start: a, end: b, radius: c[7].abs(), inside }.into(),
            Plane::new(b, Vec3::Y).into(),
        ];
        let settings = SpringBones {
            joints: &[joint], colliders: &colliders, whole_bones,
            rule: if vrm { SpringRule::Vrm } else { SpringRule::Steady },
            ..SpringBones::default()
        };
        let mut state = [SpringState::default(); 3];
        for _ in 0..3 {
            let mut pose = (positions, [Quat::IDENTITY; 3]);
            let before = state;
            match spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &settings, dt) {
                Err(_) => {
                    prop_assert_eq!(format!("{pose:?}"), format!("{:?}", (positions, [Quat::IDENTITY; 3])));
                    prop_assert_eq!(state, before);
                }
                Ok(SpringReport { speed, penetration, .. }) => {
                    prop_assert!(speed.is_finite() && penetration.is_finite());
                    let size = positions.iter().map(|p| p.abs().max_element()).fold(0.0, f32::max);
                    for (new, old) in pose.0.windows(2).zip(positions.windows(2)) {
                        let (new, old) = (new[0].distance(new[1]), old[0].distance(old[1]));
                        prop_assert!((new - old).abs() <= 1e-6 * size + 2e-6 * old, "{new} {old}");
                    }
                }
            }
        }
    }

    /// The limit holds at every frame, whatever acts: measured from the rest direction as the
    /// parent has it.
    #[test]
    fn limits_hold(
        limit in prop_oneof![Just(0.0), Just(1e-3), 0.0..3.1_f32],
        knock in [anything(), anything(), anything()],
        center in [-0.4..0.4_f32, -0.4..0.4_f32, -0.4..0.4_f32],
    ) {
        prop_assume!(Vec3::from(knock).abs().max_element() < 1e6);
        let joint = SpringJoint {
            angle_limit: limit, gravity: Vec3::from(knock), ..SpringJoint::default()
        };
        let colliders = [Sphere::new(center.into(), 0.15).into()];
        let settings =
            SpringBones { joints: &[joint], colliders: &colliders, ..SpringBones::default() };
        let mut state = [SpringState::default(); 4];
        for _ in 0..20 {
            let mut positions = [0.0, 0.1, 0.2, 0.3].map(|x| Vec3::X * x);
            let mut rotations = [Quat::IDENTITY; 4];
            let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, 0.02)
                .unwrap();
            let mut parent = Quat::IDENTITY;
            for (bone, q) in positions.windows(2).zip(rotations) {
                let (rest, out) = (parent * Vec3::X, (bone[1] - bone[0]) / 0.1);
                let angle = rest.cross(out).length().atan2(rest.dot(out));
                // Positions of 0.3 on bones of 0.1: a rounding of 6e-7.
                prop_assert!(angle <= limit + 3e-6, "{angle} {limit}");
                parent = q;
            }
        }
    }
}

/// Found by the fuzzer: a rest direction that four joints have turned, a limit close to half a
/// turn, and colliders that want the tail straight behind. A rest direction off unit length by a
/// few roundings lengthened the last bone by a hundredth.
#[test]
fn a_limit_close_to_half_a_turn_keeps_the_length() {
    let joint = SpringJoint {
        stiffness: 0.047_058_824,
        drag: 1.0,
        gravity: Vec3::new(-0.251_098_63, -0.251_098_63, -0.126_098_63),
        hit_radius: 0.096_862_75,
        angle_limit: 3.043_033,
        weight: 1.0,
    };
    let inside = |x: f32| Sphere { center: Vec3::X * x, radius: 0.0, inside: true }.into();
    let colliders = [inside(-3.113_281_3), inside(0.0), inside(0.0)];
    let settings = SpringBones {
        joints: &[joint],
        colliders: &colliders,
        whole_bones: true,
        ..SpringBones::default()
    };
    let rest = [6.283_185_5, 6.333_185_7, 6.571_421, 6.770_440_6, 6.720_440_4].map(|x| Vec3::X * x);
    let back = Quat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    let (ahead, mut positions) = (Quat::IDENTITY, rest);
    let mut rotations = [ahead, ahead, ahead, back, back];
    let mut state = [SpringState::default(); 5];
    let _ = spring_bone_step(&mut positions, &mut rotations, &mut state, &settings, 0.0).unwrap();
    for (is, was) in positions.windows(2).zip(rest.windows(2)) {
        // The rounding of coordinates of 6.
        assert!((is[0].distance(is[1]) - was[0].distance(was[1])).abs() < 2e-6, "{is:?}");
    }
}

/// Mistakes are named.
#[test]
fn mistakes_are_named() {
    let step =
        |positions: &[Vec3], rotations: usize, states: usize, settings: &SpringBones<'_, Vec3>| {
            let (mut p, mut q) = (positions.to_vec(), vec![Quat::IDENTITY; rotations]);
            let error = spring_bone_step(
                &mut p,
                &mut q,
                &mut vec![SpringState::default(); states],
                settings,
                0.01,
            )
            .unwrap_err();
            (error.argument, error.index)
        };
    let two = [Vec3::ZERO, Vec3::X];
    let plain = SpringBones::default();
    assert_eq!(step(&two[..1], 1, 1, &plain), ("positions", None));
    assert_eq!(step(&two, 1, 2, &plain), ("rotations", None));
    assert_eq!(step(&two, 2, 1, &plain), ("state", None));
    assert_eq!(step(&[Vec3::ZERO, Vec3::NAN], 2, 2, &plain), ("positions", Some(1)));
    let joints = [SpringJoint { drag: 1.5, ..SpringJoint::default() }];
    let settings = SpringBones { joints: &joints, ..plain };
    assert_eq!(step(&two, 2, 2, &settings), ("settings.joints.drag", Some(0)));
    let colliders = [Plane::new(Vec3::ZERO, Vec3::ONE).into()];
    let settings = SpringBones { colliders: &colliders, ..plain };
    assert_eq!(step(&two, 2, 2, &settings), ("settings.colliders.normal", Some(0)));
    let settings = SpringBones { max_frames: 0, ..plain };
    assert_eq!(step(&two, 2, 2, &settings), ("settings.max_frames", None));
    let settings = SpringBones { units_per_metre: 0.0, ..plain };
    assert_eq!(step(&two, 2, 2, &settings), ("settings.units_per_metre", None));
}

/// A limit and a collider that leave room for each other are both kept to, and the report tells the
/// truth: settled means clear, and not settled means that every iteration was used.
#[test]
fn limits_and_colliders_agree_where_there_is_room() {
    let mut noise = Random::new(11);
    let (mut settled, mut feasible) = (0, 0);
    for _ in 0..20_000 {
        let limit = 0.2 + 1.2 * noise.signed().abs();
        let center = Vec3::new(0.2, 0.0, 0.0) + noise.vector() * 0.15;
        let radius = 0.02 + 0.1 * noise.signed().abs();
        let joint =
            SpringJoint { angle_limit: limit, gravity: noise.vector(), ..Default::default() };
        let colliders = [Sphere::new(center, radius).into()];
        let settings =
            SpringBones { joints: &[joint], colliders: &colliders, ..SpringBones::default() };
        // Room: some direction within nine tenths of the limit has its tail clear by a tenth.
        let room = (0..400_u16).any(|i| {
            // Points of a spiral on the unit sphere.
            let x = 1.0 - (f32::from(i) + 0.5) / 200.0;
            let (sin, cos) = (f32::from(i) * 2.399_963).sin_cos();
            let r = (1.0 - x * x).sqrt();
            let out = Vec3::new(x, r * cos, r * sin);
            out.angle_between(Vec3::X) < 0.9 * limit && (out * 0.2).distance(center) > 1.1 * radius
        });
        let mut state = [SpringState::default(); 2];
        let mut pose = ([Vec3::ZERO, Vec3::X * 0.2], [Quat::IDENTITY; 2]);
        let report =
            spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &settings, 1.0 / 60.0).unwrap();
        let depth = radius - pose.0[1].distance(center);
        assert!((report.penetration - depth.max(0.0)).abs() < 1e-6, "{report:?} {depth}");
        assert!(pose.0[1].angle_between(Vec3::X) <= limit + 1e-3);
        if report.settled {
            assert!(report.penetration < 1e-6, "{report:?}");
        } else {
            assert_eq!(report.iterations, settings.iterations);
        }
        if room {
            feasible += 1;
            settled += u32::from(report.penetration < 1e-4 * radius);
        }
    }
    println!("{settled} of {feasible}");
    // Two circles that touch at a narrow angle converge slowly.
    assert!(settled as f32 > 0.995 * feasible as f32, "{settled} of {feasible}");
}
