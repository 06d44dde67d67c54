//! What the tests share: generators that lean towards the singular, and measures in double
//! precision that know nothing of the crate's own code.

#![allow(dead_code, reason = "every test file takes what it needs")]
#![expect(clippy::cast_possible_truncation, reason = "from the oracles' f64 to the crate's f32")]

use core::f32::consts::{FRAC_PI_2, PI, TAU};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sinew::glam::{DQuat, DVec2, DVec3, Quat, Vec2, Vec3};
use sinew::{Joint2, Joint3, Rot2};

/// The same cases every time: what is right must not fail by the luck of the draw. Set
/// `SINEW_RANDOM_TESTS` to draw new ones.
pub fn config(cases: u32) -> ProptestConfig {
    let rng_seed = match std::env::var_os("SINEW_RANDOM_TESTS") {
        Some(_) => RngSeed::Random,
        None => RngSeed::Fixed(1),
    };
    ProptestConfig {
        cases,
        rng_seed,
        max_global_rejects: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

// ---------------------------------------------------------------- double precision

pub fn v64(v: Vec3) -> DVec3 {
    v.as_dvec3()
}

/// A caller's rotation in double precision, of unit length.
pub fn q64(q: Quat) -> DQuat {
    q.as_dquat().normalize()
}

/// The angle of a rotation, accurate at both ends.
pub fn angle_of(q: DQuat) -> f64 {
    2.0 * q.xyz().length().atan2(q.w.abs())
}

/// Between two rotations, whichever signs their quaternions have.
pub fn angle_between(a: DQuat, b: DQuat) -> f64 {
    angle_of(a.conjugate() * b)
}

/// Between two directions, accurate at both ends (Kahan).
pub fn angle_between_directions(a: DVec3, b: DVec3) -> f64 {
    let (a, b) = (a.normalize(), b.normalize());
    2.0 * (a - b).length().atan2((a + b).length())
}

/// The same angle in [-π, π].
pub fn wrap64(angle: f64) -> f64 {
    let turn = core::f64::consts::TAU;
    angle - turn * (angle / turn).round()
}

/// How far an angle is outside a range, on the circle.
pub fn range_excess(angle: f64, [min, max]: [f32; 2]) -> f64 {
    let (min, max) = (f64::from(min), f64::from(max));
    (wrap64(angle - 0.5 * (min + max)).abs() - 0.5 * (max - min)).max(0.0)
}

/// The angle of the range nearest on the circle.
pub fn clamp64(angle: f64, [min, max]: [f32; 2]) -> f64 {
    let (min, max) = (f64::from(min), f64::from(max));
    let centre = 0.5 * (min + max);
    let half = 0.5 * (max - min);
    centre + wrap64(angle - centre).clamp(-half, half)
}

pub fn angle_2d(r: Rot2) -> f64 {
    f64::from(r.sin).atan2(f64::from(r.cos))
}

// ---------------------------------------------------------------- joints

/// A 3D limit as it was asked for: the tests measure it from here, not from the joint.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    Free,
    Hinge { axis: Vec3, range: [f32; 2] },
    Cone { axis: Vec3, swing: f32, twist: Option<[f32; 2]> },
    Ellipse { axis: Vec3, across: Vec3, x: [f32; 2], y: [f32; 2], twist: Option<[f32; 2]> },
    YawPitch { forward: Vec3, up: Vec3, yaw: [f32; 2], pitch: [f32; 2], roll: [f32; 2] },
}

#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub limit: Limit,
    pub rest: Quat,
    pub weight: f32,
}

/// The parts of a rotation about and across a unit axis: (twist angle, swing's rotation vector).
/// A swing of half a turn, to what f32 can tell, has no twist.
pub fn split(turn: DQuat, axis: DVec3) -> (f64, DVec3) {
    let along = turn.xyz().dot(axis);
    let has_twist = along.hypot(turn.w) > 2e-6;
    let twist = if has_twist { wrap64(2.0 * along.atan2(turn.w)) } else { 0.0 };
    let mut swing = turn * DQuat::from_axis_angle(axis, -twist);
    if swing.w < 0.0 {
        swing = -swing;
    }
    let v = swing.xyz();
    let length = v.length();
    let angle = 2.0 * length.atan2(swing.w);
    (twist, if length > 0.0 { v * (angle / length) } else { DVec3::ZERO })
}

/// Unit axes of an ellipse: the one that swings, and the two about which it does.
pub fn ellipse_axes(axis: Vec3, across: Vec3) -> (DVec3, DVec3, DVec3) {
    let axis = v64(axis).normalize();
    let x = v64(across);
    let x = (x - axis * x.dot(axis)).normalize();
    (axis, x, axis.cross(x))
}

/// How far a point of one quarter is outside its ellipse, to first order.
fn quarter_excess(p: DVec2, a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return (p.x - a).max(p.y - b).max(0.0);
    }
    let f = (p.x / a).powi(2) + (p.y / b).powi(2) - 1.0;
    let slope = 2.0 * DVec2::new(p.x / (a * a), p.y / (b * b)).length();
    if f > 0.0 { f / slope } else { 0.0 }
}

impl Limit {
    pub fn joint(&self) -> Joint3 {
        match *self {
            Self::Free => Joint3::free(),
            Self::Hinge { axis, range: [min, max] } => Joint3::hinge(axis, min, max),
            Self::Cone { axis, swing, twist: None } => Joint3::cone(axis, swing),
            Self::Cone { axis, swing, twist: Some([min, max]) } => {
                Joint3::cone(axis, swing).with_twist(min, max)
            }
            Self::Ellipse { axis, across, x, y, twist } => {
                let joint = Joint3::ellipse(axis, across, x, y);
                twist.map_or(joint, |[min, max]| joint.with_twist(min, max))
            }
            Self::YawPitch { forward, up, yaw, pitch, roll: [min, max] } => {
                Joint3::yaw_pitch(forward, up, yaw, pitch).with_twist(min, max)
            }
        }
    }

    /// How far a turn from rest is outside, in radians of rotation: a twist counts as much as it
    /// moves what is twisted, which at half a turn of swing is not at all.
    pub fn excess(&self, turn: DQuat) -> f64 {
        match *self {
            Self::Free => 0.0,
            Self::Hinge { axis, range } => {
                let (twist, swing) = split(turn, v64(axis).normalize());
                swing.length().max(range_excess(twist, range))
            }
            Self::Cone { axis, swing: most, twist: range } => {
                let (twist, swing) = split(turn, v64(axis).normalize());
                let swing: f64 = swing.length();
                let twist = range.map_or(0.0, |range| range_excess(twist, range));
                (swing - f64::from(most)).max(twist * (0.5 * swing).cos())
            }
            Self::Ellipse { axis, across, x, y, twist: range } => {
                let (axis, x_axis, y_axis) = ellipse_axes(axis, across);
                let (twist, swing) = split(turn, axis);
                let side = |p: f64, r: [f32; 2]| f64::from(if p < 0.0 { -r[0] } else { r[1] });
                let outside = |swing: DVec3| {
                    let p = DVec2::new(swing.dot(x_axis), swing.dot(y_axis));
                    quarter_excess(p.abs(), side(p.x, x), side(p.y, y))
                };
                // The same swing the other way round: of half a turn, as good.
                let other = swing - swing.normalize_or_zero() * core::f64::consts::TAU;
                let twist = range.map_or(0.0, |range| range_excess(twist, range));
                outside(swing).min(outside(other)).max(twist * f64::cos(0.5 * swing.length()))
            }
            Self::YawPitch { forward, up, yaw, pitch, roll } => {
                let (forward, up, left) = eye_axes(forward, up);
                let (y, p) = gaze(turn * forward, forward, up, left);
                // Straight up and down have no yaw: what is left of it counts as it moves the gaze.
                let yaw_excess = range_excess(y, yaw) * p.cos();
                let pitch_excess = (p - f64::from(pitch[1])).max(f64::from(pitch[0]) - p);
                if p.cos() < 2e-6 {
                    // At the poles yaw and roll are one thing.
                    let level = at_yaw_pitch(0.0, p, up, left);
                    let (turned, _) = split(level.conjugate() * turn, forward);
                    let [least, most] = if p < 0.0 { [-yaw[1], -yaw[0]] } else { yaw };
                    let both = range_excess(turned, [roll[0] + least, roll[1] + most]);
                    return pitch_excess.max(both);
                }
                let (y, side) = (clamp64(y, yaw), 1.0_f64.copysign(p));
                let (twist, _) = split(at_yaw_pitch(y, p, up, left).conjugate() * turn, forward);
                // Near a pole a yaw hardly moves the gaze: what the roll may not have may be yaw.
                let surplus = wrap64(twist - clamp64(twist, roll));
                let as_yaw = range_excess(y + side * surplus, yaw).max(p.cos() * surplus.abs());
                yaw_excess.max(pitch_excess).max(surplus.abs().min(as_yaw))
            }
        }
    }
}

pub fn eye_axes(forward: Vec3, up: Vec3) -> (DVec3, DVec3, DVec3) {
    let forward = v64(forward).normalize();
    let up = v64(up);
    let up = (up - forward * up.dot(forward)).normalize();
    (forward, up, up.cross(forward))
}

/// Yaw and pitch of a direction.
pub fn gaze(direction: DVec3, forward: DVec3, up: DVec3, left: DVec3) -> (f64, f64) {
    let (x, y, z) = (direction.dot(forward), direction.dot(left), direction.dot(up));
    (y.atan2(x), z.atan2(x.hypot(y)))
}

pub fn at_yaw_pitch(yaw: f64, pitch: f64, up: DVec3, left: DVec3) -> DQuat {
    DQuat::from_axis_angle(up, yaw) * DQuat::from_axis_angle(left, -pitch)
}

impl Spec {
    pub const FREE: Self = Self { limit: Limit::Free, rest: Quat::IDENTITY, weight: 1.0 };

    pub fn joint(&self) -> Joint3 {
        self.limit.joint().with_rest(self.rest).with_weight(self.weight)
    }

    /// How far a rotation relative to the parent is outside, in radians.
    pub fn excess(&self, local: DQuat) -> f64 {
        self.limit.excess((q64(self.rest).conjugate() * local).normalize())
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Spec2 {
    pub range: Option<[f32; 2]>,
    pub rest: Rot2,
    pub weight: f32,
}

impl Spec2 {
    pub fn joint(&self) -> Joint2 {
        self.range
            .map_or(Joint2::free(), |[min, max]| Joint2::range(min, max))
            .with_rest(self.rest)
            .with_weight(self.weight)
    }

    pub fn excess(&self, local_angle: f64) -> f64 {
        self.range.map_or(0.0, |range| range_excess(local_angle - angle_2d(self.rest), range))
    }
}

// ---------------------------------------------------------------- generators

pub fn unit3() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        2 => prop::sample::select(vec![Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]),
        3 => (-1.0_f32..1.0, -PI..PI).prop_map(|(z, turn)| {
            let level = (1.0 - z * z).sqrt();
            Vec3::new(level * turn.cos(), level * turn.sin(), z)
        }),
    ]
}

/// Angles, often where something happens.
pub fn angle() -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => prop::sample::select(vec![
            0.0, 1e-7, -1e-7, 1e-3, FRAC_PI_2, -FRAC_PI_2, PI, -PI, PI - 1e-6, 1e-6 - PI,
        ]),
        2 => -PI..PI,
    ]
}

pub fn quat() -> impl Strategy<Value = Quat> {
    (unit3(), angle(), any::<bool>()).prop_map(|(axis, angle, negative)| {
        let q = Quat::from_axis_angle(axis, angle).normalize();
        if negative { -q } else { q }
    })
}

pub fn rot2() -> impl Strategy<Value = Rot2> {
    angle().prop_map(Rot2::from_angle)
}

/// Narrow to wider than a turn, across half a turn, and turns away from zero.
pub fn range() -> impl Strategy<Value = [f32; 2]> {
    let width = prop_oneof![
        1 => prop::sample::select(vec![0.0, 1e-3, PI, TAU, 7.0]),
        4 => 0.0_f32..TAU,
    ];
    let turns =
        prop_oneof![5 => Just(0.0_f32), 1 => prop::sample::select(vec![-3.0, -1.0, 1.0, 5.0])];
    (-PI..PI, width, turns).prop_map(|(min, width, turns)| {
        let min = min + turns * TAU;
        [min, min + width]
    })
}

/// A quarter axis of an ellipse, from none to half a turn.
fn half_axis() -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => prop::sample::select(vec![0.0, 1e-3, FRAC_PI_2, PI]),
        4 => 0.0_f32..PI,
    ]
}

/// Well short of half a turn, where the twist, and with it the side that a swing goes to, is what
/// rounding says: at 2.5 rad rounding counts three times, at 3 rad fourteen.
fn sides() -> impl Strategy<Value = [f32; 2]> {
    (half_axis(), half_axis()).prop_map(|(low, high)| [-low.min(2.5), high.min(2.5)])
}

/// Short of the poles, where yaw and roll are one turn and rounding decides which is which.
fn pitch() -> impl Strategy<Value = [f32; 2]> {
    prop_oneof![
        1 => Just([-1.5_f32, 1.5]),
        4 => (-1.5_f32..1.5, -1.5_f32..1.5).prop_map(|(a, b)| [a.min(b), a.max(b)]),
    ]
}

/// Two directions that are clearly two.
fn axis_pair() -> impl Strategy<Value = (Vec3, Vec3)> {
    (unit3(), unit3()).prop_filter("not on one line", |(a, b)| a.cross(*b).length() > 0.1)
}

pub fn hinge() -> impl Strategy<Value = Limit> {
    (unit3(), range()).prop_map(|(axis, range)| Limit::Hinge { axis, range })
}

pub fn cone() -> impl Strategy<Value = Limit> {
    (unit3(), half_axis(), prop::option::of(range())).prop_map(|(axis, swing, twist)| Limit::Cone {
        axis,
        swing,
        twist,
    })
}

pub fn ellipse() -> impl Strategy<Value = Limit> {
    (axis_pair(), sides(), sides(), prop::option::of(range()))
        .prop_map(|((axis, across), x, y, twist)| Limit::Ellipse { axis, across, x, y, twist })
}

pub fn yaw_pitch() -> impl Strategy<Value = Limit> {
    (axis_pair(), range(), pitch(), prop_oneof![Just([0.0, 0.0]), range()]).prop_map(
        |((forward, up), yaw, pitch, roll)| Limit::YawPitch { forward, up, yaw, pitch, roll },
    )
}

pub fn limit() -> impl Strategy<Value = Limit> {
    prop_oneof![
        1 => Just(Limit::Free),
        3 => hinge(),
        2 => cone(),
        1 => ellipse(),
        1 => yaw_pitch(),
    ]
}

pub fn weight() -> impl Strategy<Value = f32> {
    prop_oneof![6 => Just(1.0_f32), 1 => Just(0.0_f32), 1 => 0.05_f32..1.0]
}

pub fn spec() -> impl Strategy<Value = Spec> {
    (limit(), quat(), weight()).prop_map(|(limit, rest, weight)| Spec { limit, rest, weight })
}

pub fn spec_2d() -> impl Strategy<Value = Spec2> {
    (prop::option::weighted(0.8, range()), rot2(), weight())
        .prop_map(|(range, rest, weight)| Spec2 { range, rest, weight })
}

fn bone_length() -> impl Strategy<Value = f32> {
    prop_oneof![4 => Just(1.0_f32), 1 => Just(0.0_f32), 4 => 0.05_f32..2.0]
}

pub fn scale() -> impl Strategy<Value = f32> {
    prop_oneof![3 => Just(1.0_f32), 1 => Just(1e-3_f32), 1 => Just(1e3_f32), 2 => 1e-3_f32..1e3]
}

/// Where a target is, seen from the chain.
#[derive(Clone, Copy, Debug)]
pub enum Aim {
    Root,
    Joint(usize),
    /// This share of the way from the root to the effector.
    OnLine(f32),
    /// This share of the reach, that way.
    AtReach(f32, Vec3),
}

fn aim() -> impl Strategy<Value = Aim> {
    prop_oneof![
        1 => Just(Aim::Root),
        1 => (0_usize..8).prop_map(Aim::Joint),
        2 => prop::sample::select(vec![-1.0_f32, -0.5, 0.5, 0.99, 1.0, 1.5]).prop_map(Aim::OnLine),
        1 => (prop::sample::select(vec![1.0_f32, 1.0 + f32::EPSILON, 0.999, 1.001, 5.0]), unit3())
            .prop_map(|(share, way)| Aim::AtReach(share, way)),
        8 => (0.0_f32..1.1, unit3()).prop_map(|(share, way)| Aim::AtReach(share, way)),
    ]
}

/// A chain and its target.
#[derive(Clone, Debug)]
pub struct Problem {
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Quat>,
    /// One for each joint but the effector, or none.
    pub specs: Vec<Spec>,
    pub target: Vec3,
}

impl Problem {
    pub fn joints(&self) -> Vec<Joint3> {
        self.specs.iter().map(Spec::joint).collect()
    }

    pub fn reach(&self) -> f32 {
        lengths(&self.positions).iter().sum::<f64>() as f32
    }
}

pub fn lengths(positions: &[Vec3]) -> Vec<f64> {
    positions.windows(2).map(|p| v64(p[0]).distance(v64(p[1]))).collect()
}

pub fn lengths_2d(positions: &[Vec2]) -> Vec<f64> {
    positions.windows(2).map(|p| p[0].as_dvec2().distance(p[1].as_dvec2())).collect()
}

/// The most any joint of a pose is outside its limit.
pub fn worst_excess(rotations: &[Quat], specs: &[Spec]) -> f64 {
    let mut parent = DQuat::IDENTITY;
    let mut worst = 0.0_f64;
    for (rotation, spec) in rotations.iter().zip(specs) {
        let own = q64(*rotation);
        worst = worst.max(spec.excess(parent.conjugate() * own));
        parent = own;
    }
    worst
}

pub fn worst_excess_2d(rotations: &[Rot2], specs: &[Spec2]) -> f64 {
    let mut parent = 0.0;
    let mut worst = 0.0_f64;
    for (rotation, spec) in rotations.iter().zip(specs) {
        let own = angle_2d(*rotation);
        worst = worst.max(spec.excess(own - parent));
        parent = own;
    }
    worst
}

/// How far a target may be from what it should be, and a chain's coordinates from their real
/// numbers: units in the last place at the chain's size.
pub fn resolution(positions: &[Vec3], target: Vec3) -> f32 {
    let largest = positions.iter().chain([&target]).fold(0.0_f32, |most, p| most.max(p.length()));
    largest * f32::EPSILON
}

fn target_of(positions: &[Vec3], aim: Aim) -> Vec3 {
    let root = positions[0];
    let effector = positions[positions.len() - 1];
    match aim {
        Aim::Root => root,
        Aim::Joint(index) => positions[index % positions.len()],
        Aim::OnLine(share) => root + (effector - root) * share,
        Aim::AtReach(share, way) => {
            root + way * (share * lengths(positions).iter().sum::<f64>() as f32)
        }
    }
}

/// Chains of two to eight joints, straight, folded, with coincident joints, at any scale; each
/// joint drawn from `specs`.
pub fn problem_of<S: Strategy<Value = Spec>>(
    specs: impl Fn() -> S,
) -> impl Strategy<Value = Problem> {
    let bone = (bone_length(), prop_oneof![2 => Just(Quat::IDENTITY), 3 => quat()], specs());
    let straight = prop::bool::weighted(0.2);
    let free = prop::bool::weighted(0.15);
    (prop::collection::vec(bone, 1..8), quat(), unit3(), aim(), scale(), straight, free).prop_map(
        |(bones, own, root, aim, scale, straight, free)| {
            let mut rotation = own;
            let mut positions = vec![root * scale];
            let mut rotations = vec![];
            let mut specs = vec![];
            for (length, local, spec) in bones {
                if !straight {
                    rotation = (rotation * local).normalize();
                }
                rotations.push(rotation);
                specs.push(spec);
                positions
                    .push(positions[positions.len() - 1] + rotation * Vec3::Y * length * scale);
            }
            rotations.push(own);
            if free {
                specs.clear();
            }
            let target = target_of(&positions, aim);
            Problem { positions, rotations, specs, target }
        },
    )
}

pub fn problem() -> impl Strategy<Value = Problem> {
    problem_of(spec)
}

#[derive(Clone, Debug)]
pub struct Problem2 {
    pub positions: Vec<Vec2>,
    pub rotations: Vec<Rot2>,
    pub specs: Vec<Spec2>,
    pub target: Vec2,
}

impl Problem2 {
    pub fn joints(&self) -> Vec<Joint2> {
        self.specs.iter().map(Spec2::joint).collect()
    }

    pub fn reach(&self) -> f32 {
        lengths_2d(&self.positions).iter().sum::<f64>() as f32
    }
}

pub fn problem_2d() -> impl Strategy<Value = Problem2> {
    let bone = (bone_length(), prop_oneof![2 => Just(Rot2::IDENTITY), 3 => rot2()], spec_2d());
    let straight = prop::bool::weighted(0.2);
    (prop::collection::vec(bone, 1..8), rot2(), angle(), aim(), scale(), straight).prop_map(
        |(bones, own, root, aim, scale, straight)| {
            let mut rotation = own;
            let mut positions = vec![Rot2::from_angle(root) * Vec2::X * scale];
            let mut rotations = vec![];
            let mut specs = vec![];
            for (length, local, spec) in bones {
                if !straight {
                    rotation = rotation * local;
                }
                rotations.push(rotation);
                specs.push(spec);
                positions
                    .push(positions[positions.len() - 1] + rotation * Vec2::Y * length * scale);
            }
            rotations.push(own);
            let flat: Vec<Vec3> = positions.iter().map(|p| p.extend(0.0)).collect();
            let target = target_of(&flat, aim).truncate();
            Problem2 { positions, rotations, specs, target }
        },
    )
}

/// The bits of a pose.
pub fn bits(positions: &[Vec3], rotations: &[Quat]) -> Vec<u32> {
    let positions = positions.iter().flat_map(|p| <[f32; 3]>::from(*p));
    let rotations = rotations.iter().flat_map(|r| <[f32; 4]>::from(*r));
    positions.chain(rotations).map(f32::to_bits).collect()
}

pub fn bits_2d(positions: &[Vec2], rotations: &[Rot2]) -> Vec<u32> {
    let positions = positions.iter().flat_map(|p| <[f32; 2]>::from(*p));
    let rotations = rotations.iter().flat_map(|r| [r.cos, r.sin]);
    positions.chain(rotations).map(f32::to_bits).collect()
}
