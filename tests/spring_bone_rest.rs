//! Hair that has come to rest among colliders is shown at rest, at any frame rate; and what is
//! shown between two frames of the rule is as clear of colliders, and as honest, as what they
//! commit.

#[path = "common/random.rs"]
mod random;

use sinew::glam::{Quat, Vec3};
use sinew::{
    Capsule, Collider, OrientedBox, Plane, Sphere, SpringBones, SpringJoint, SpringReport,
    SpringState, spring_bone_step,
};

use random::Random;

const RATES: [f32; 6] = [60.0, 75.0, 90.0, 144.0, 165.0, 240.0];
const LENGTH: f32 = 0.1;
const JOINTS: usize = 6;

type State = [SpringState<Vec3>; JOINTS];

/// A collider of any shape, below a chain that goes along x.
fn collider(noise: &mut Random) -> Collider<Vec3> {
    let at = Vec3::new(noise.between(0.0, 0.4), noise.between(-0.5, -0.1), 0.1 * noise.signed());
    let (radius, along) = (noise.between(0.04, 0.15), noise.vector());
    match noise.between(0.0, 4.0) {
        ..1.0 => Sphere::new(at, radius).into(),
        1.0..2.0 => Capsule::new(at, at + 0.2 * along, 0.8 * radius).into(),
        2.0..3.0 => Plane::new(Vec3::NEG_Y * 0.3, Vec3::Y).into(),
        _ => {
            let turn = Quat::from_scaled_axis(3.0 * along);
            OrientedBox::new(at, Vec3::new(0.1, 0.08, 0.2)).with_rotation(turn).into()
        }
    }
}

/// A chain that gravity draws down on colliders.
struct Scene {
    joint: [SpringJoint<Vec3>; 1],
    colliders: Vec<Collider<Vec3>>,
    whole_bones: bool,
}

impl Scene {
    fn draw(noise: &mut Random) -> Self {
        let angle_limit = if noise.signed() > 0.0 { 0.8 } else { core::f32::consts::PI };
        let joint = SpringJoint {
            stiffness: noise.between(0.0, 0.6),
            drag: 0.3,
            gravity: Vec3::NEG_Y * noise.between(0.2, 1.0),
            hit_radius: 0.02,
            angle_limit,
            weight: 1.0,
        };
        let whole_bones = noise.signed() > 0.0;
        let count = if noise.signed() > 0.3 { 3 } else { 1 + usize::from(noise.signed() > 0.0) };
        let colliders = (0..count).map(|_| collider(noise)).collect();
        Self { joint: [joint], colliders, whole_bones }
    }

    fn step(
        &self,
        state: &mut State,
        before: &[Collider<Vec3>],
        dt: f32,
    ) -> ([Vec3; JOINTS], SpringReport) {
        let settings = SpringBones {
            joints: &self.joint,
            colliders: &self.colliders,
            colliders_before: before,
            whole_bones: self.whole_bones,
            ..SpringBones::default()
        };
        let mut positions = core::array::from_fn(|i| Vec3::X * (LENGTH * i as f32));
        let mut rotations = [Quat::IDENTITY; JOINTS];
        let report =
            spring_bone_step(&mut positions, &mut rotations, state, &settings, dt).unwrap();
        (positions, report)
    }
}

/// How far the joint goes that goes the farthest.
fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Between two frames of a scene that has rested for five seconds nothing goes farther than half a
/// hundredth of a bone, unless the report says that the chain moves, or cannot settle. One chain in
/// a hundred goes on sliding, or in a circle.
#[test]
fn what_rests_is_shown_at_rest_at_any_rate() {
    let mut noise = Random::new(5);
    let (mut moving, mut unsettled, mut flickering, mut worst) = (0, 0, 0, 0.0_f32);
    for _ in 0..500 {
        let scene = Scene::draw(&mut noise);
        let mut moves = false;
        let mut rested = State::default();
        for _ in 0..300 {
            let _ = scene.step(&mut rested, &[], 1.0 / 60.0);
        }
        for fps in RATES {
            let (mut state, mut shown) = (rested, None);
            let (mut most, mut speed, mut settled) = (0.0_f32, 0.0_f32, true);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a few hundred frames"
            )]
            for _ in 0..(0.4 * fps) as u32 {
                let (positions, report) = scene.step(&mut state, &[], 1.0 / fps);
                let last = shown.replace(positions).unwrap_or(positions);
                most = most.max(farthest(&last, &positions));
                speed = speed.max(report.speed);
                settled &= report.settled;
            }
            if speed > 0.02 {
                moves = true;
            } else if settled {
                worst = worst.max(most);
            } else {
                unsettled += 1;
                flickering += u32::from(most > 0.01 * LENGTH);
            }
        }
        moving += u32::from(moves);
    }
    println!("{moving} moving, {unsettled} unsettled, {flickering} flickering, {worst} m");
    assert!(worst < 0.005 * LENGTH, "{worst}");
    assert!(moving <= 5, "{moving} of 500 scenes do not come to rest");
    assert!(unsettled < 1000 && flickering <= 1, "{flickering} of {unsettled}");
}

/// Colliders that move at a metre a second: what is shown keeps to its limits, is as deep in them
/// as the report says, and settled means clear.
#[test]
fn between_two_frames_the_report_is_true() {
    let mut noise = Random::new(6);
    let (mut shown, mut settled) = (0, 0);
    for _ in 0..150 {
        let mut scene = Scene::draw(&mut noise);
        scene.whole_bones = false;
        let fps = RATES[1 + shown % 5];
        let way = noise.vector().normalize() / fps;
        let mut state = State::default();
        for _ in 0..60 {
            let before = scene.colliders.clone();
            for collider in &mut scene.colliders {
                let by = sinew::Pose::new(way, Quat::IDENTITY);
                *collider = collider.placed(&by);
            }
            let (positions, report) = scene.step(&mut state, &before, 1.0 / fps);
            let depths = positions[1..].iter().flat_map(|tail| {
                scene.colliders.iter().map(|c| c.depth(*tail, scene.joint[0].hit_radius))
            });
            let deepest = depths.fold(0.0, f32::max);
            assert!((report.penetration - deepest).abs() < 2e-6, "{report:?} {deepest}");
            assert!(!report.settled || deepest < 2e-6, "{report:?}");
            for bone in positions.windows(2) {
                assert!((bone[0].distance(bone[1]) - LENGTH).abs() < 1e-6);
            }
            shown += 1;
            settled += usize::from(report.settled);
        }
    }
    println!("{settled} of {shown} settled");
    assert!(settled > shown / 2);
}
