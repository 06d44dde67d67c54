//! Crowds: eight chains at once end where each of them ends on its own.

#![cfg(feature = "lanes")]

mod crowd;
#[path = "common/random.rs"]
mod random;

use crowd::{Answer, Chain, Crowd, EXACT, assert_same_mistakes, both};
use proptest::prelude::*;
use random::Random;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, LANES, Quatx8, Vec3x8};
use sinew::{CcdSettings, Fault, Joint3, Order, Status, ccd_solve, clamp_joint_3d, reach};

fn direction() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        8 => (-1.0..1.0_f32, -1.0..1.0_f32, -1.0..1.0_f32).prop_map(|(x, y, z)| Vec3::new(x, y, z)),
        1 => Just(Vec3::X),
        1 => Just(Vec3::NEG_Y),
    ]
    .prop_map(|v| v.try_normalize().unwrap_or(Vec3::Y))
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop_oneof![
        4 => (direction(), -3.0..3.0_f32).prop_map(|(axis, angle)| Quat::from_axis_angle(axis, angle)),
        1 => Just(Quat::IDENTITY),
    ]
}

fn joint() -> BoxedStrategy<Joint3> {
    let limit = prop_oneof![
        2 => Just(Joint3::free()),
        4 => (direction(), -3.5..0.5_f32, 0.0..3.0_f32)
            .prop_map(|(axis, min, width)| Joint3::hinge(axis, min, min + width)),
        4 => (direction(), 0.0..3.2_f32).prop_map(|(axis, swing)| Joint3::cone(axis, swing.min(core::f32::consts::PI))),
        4 => (direction(), 0.0..2.0_f32, -2.0..0.5_f32, 0.0..3.0_f32).prop_map(
            |(axis, swing, min, width)| Joint3::cone(axis, swing).with_twist(min, min + width)
        ),
    ];
    (limit, rotation()).prop_map(|(joint, rest)| joint.with_rest(rest)).boxed()
}

/// A joint that does not turn in lanes.
fn odd_joint() -> BoxedStrategy<Joint3> {
    prop_oneof![
        joint().prop_map(|joint| joint.with_weight(0.5)),
        Just(Joint3::ellipse(Vec3::Y, Vec3::X, [-0.5, 1.0], [-0.7, 0.3])),
    ]
    .boxed()
}

fn chain(joints: usize, scale: f32) -> impl Strategy<Value = Chain> {
    let bone = prop_oneof![9 => 0.1..1.0_f32, 1 => Just(0.0)];
    let bones = prop::collection::vec((bone, direction(), rotation()), joints - 1);
    let target = (direction(), prop_oneof![8 => 0.0..1.1_f32, 1 => Just(0.0), 1 => 0.9..1.0_f32]);
    (bones, target, direction()).prop_map(move |(bones, (way, share), root)| {
        let mut chain =
            Chain { positions: vec![root * scale], rotations: vec![], target: Vec3::ZERO };
        let mut reach = 0.0;
        for (length, way, turn) in bones {
            let last = chain.positions[chain.positions.len() - 1];
            chain.positions.push(last + way * length * scale);
            chain.rotations.push(turn);
            reach += length * scale;
        }
        chain.rotations.push(Quat::IDENTITY);
        chain.target = root * scale + way * share * reach;
        chain
    })
}

/// Eight chains of equal shape; some are straight on the line to their target.
fn chains(joint: BoxedStrategy<Joint3>) -> impl Strategy<Value = ([Chain; LANES], Vec<Joint3>)> {
    let count = prop_oneof![12 => 2..9_usize, 1 => 9..30_usize];
    (count, prop_oneof![Just(1.0), Just(1e-3), Just(1e4_f32)]).prop_flat_map(
        move |(count, scale)| {
            let joints = prop_oneof![
                2 => Just(Vec::new()),
                5 => prop::collection::vec(joint.clone(), count - 1),
            ];
            let straight = prop::array::uniform8(prop::bool::weighted(0.1));
            (prop::array::uniform8(chain(count, scale)), straight, joints).prop_map(
                |(mut chains, straight, joints)| {
                    for (chain, straight) in chains.iter_mut().zip(straight) {
                        if straight {
                            straighten(chain);
                        }
                    }
                    (chains, joints)
                },
            )
        },
    )
}

/// Lays a chain along the line to its target.
fn straighten(chain: &mut Chain) {
    let root = chain.positions[0];
    let way = (chain.target - root).try_normalize().unwrap_or(Vec3::Y);
    let lengths: Vec<f32> = chain.positions.windows(2).map(|b| b[0].distance(b[1])).collect();
    let mut along = 0.0;
    for (position, length) in chain.positions[1..].iter_mut().zip(lengths) {
        along += length;
        *position = root + way * along;
    }
    chain.rotations.fill(Quat::IDENTITY);
}

fn solved(
    chains: &[Chain; LANES],
    joints: &[Joint3],
    settings: &CcdSettings,
) -> [(Answer, Answer); LANES] {
    both(
        chains,
        |Crowd { positions, rotations, targets }| {
            lanes::ccd_solve(positions, rotations, joints, *targets, settings)
        },
        |Chain { positions, rotations, target }| {
            ccd_solve(positions, rotations, joints, *target, settings)
        },
    )
}

/// Bit for bit where lanes are. Else the descents may part in the last digits; where both
/// arrive they arrive at the target.
fn compare((wide, alone): &(Answer, Answer), settings: &CcdSettings) {
    if EXACT {
        assert_eq!(wide.bits(), alone.bits());
        return;
    }
    let positions = &wide.chain.positions;
    let reach: f32 = positions.windows(2).map(|b| b[0].distance(b[1])).sum();
    for (bone, other) in positions.windows(2).zip(alone.chain.positions.windows(2)) {
        let gap = bone[0].distance(bone[1]) - other[0].distance(other[1]);
        assert!(gap.abs() <= 1e-5 * reach.max(positions[0].length()));
    }
    match (wide.solution, alone.solution) {
        (Ok(own), Ok(other)) => {
            if own.status == Status::Reached && other.status == Status::Reached {
                assert!(own.distance <= settings.tolerance * reach * (1.0 + 1e-5));
            }
        }
        (own, other) => assert_eq!(own, other),
    }
}

proptest! {
    #[test]
    fn each_lane_is_solved_as_it_is_alone(
        (chains, joints) in chains(joint()),
        sweeps in 0..20_usize,
        tolerance in prop_oneof![Just(1e-3_f32), Just(0.0), Just(0.05)],
    ) {
        let settings = CcdSettings { max_iterations: sweeps, tolerance, ..Default::default() };
        for answers in &solved(&chains, &joints, &settings) {
            compare(answers, &settings);
        }
    }

    #[test]
    fn what_does_not_turn_in_lanes_is_solved_too(
        (chains, joints) in chains(odd_joint()),
        damping in prop_oneof![Just(0.0_f32), Just(0.3)],
        order in prop_oneof![Just(Order::TipFirst), Just(Order::RootFirst)],
    ) {
        let settings = CcdSettings { damping, order, ..Default::default() };
        for answers in &solved(&chains, &joints, &settings) {
            compare(answers, &settings);
        }
    }

    #[test]
    fn a_mistake_stays_in_its_lane(
        (mut chains, joints) in chains(joint()),
        wrong in 0..LANES,
        place in 0..4_usize,
    ) {
        let chain = &mut chains[wrong];
        match place {
            0 => chain.positions[1].y = f32::NAN,
            1 => chain.rotations[1] = Quat::from_xyzw(0.0, 0.0, 0.0, 1.1),
            2 => chain.target.x = f32::INFINITY,
            _ => chain.positions[0].z = 1e13,
        }
        let settings = CcdSettings::default();
        let answers = solved(&chains, &joints, &settings);
        assert_same_mistakes(&chains, &answers);
        for (lane, answers) in answers.iter().enumerate() {
            prop_assert_eq!(answers.0.solution.is_err(), lane == wrong);
            if lane != wrong {
                compare(answers, &settings);
            }
        }
    }
}

/// How many lanes differ by how much from their scalars, in a call or fed back for some frames.
#[derive(Debug, Default)]
struct Apart {
    lanes: u16,
    /// Those whose gaps differ by more than the tolerance; the most, as a share of the reach.
    gaps: u16,
    most: f32,
    statuses: u16,
    /// Those with a joint that is a hundredth of the reach away from where the scalar has it.
    joints: u16,
}

fn apart(random: &mut Random, joints: &[Joint3], (crowds, frames): (u8, u8)) -> Apart {
    let settings = CcdSettings::default();
    let mut apart = Apart::default();
    for _ in 0..crowds {
        let mut chains: [Chain; LANES] = core::array::from_fn(|_| posed(random, joints));
        let mut crowd = Crowd::of(&chains);
        let targets = crowd.targets;
        for frame in 0..frames {
            let way = [0.1, 0.07].map(|speed| 0.2 * (speed * f32::from(frame)).sin());
            for (i, chain) in chains.iter_mut().enumerate() {
                let reach = reach(&chain.positions).unwrap().longest;
                chain.target = targets.lane(i) + Vec3::new(way[0], 0.0, way[1]) * reach;
                crowd.targets.set_lane(i, chain.target);
            }
            let Crowd { positions, rotations, targets } = &mut crowd;
            let solved = lanes::ccd_solve(positions, rotations, joints, *targets, &settings);
            for (i, chain) in chains.iter_mut().enumerate() {
                let Chain { positions, rotations, target } = chain;
                let other = ccd_solve(positions, rotations, joints, *target, &settings).unwrap();
                let own = solved[i].unwrap();
                let reach = reach(positions).unwrap().longest;
                let gap = (own.distance - other.distance).abs() / reach;
                let lane = crowd.chain(i).positions;
                let between = lane.iter().zip(positions).map(|(a, b)| a.distance(*b));
                apart.lanes += 1;
                apart.gaps += u16::from(gap > settings.tolerance);
                apart.most = apart.most.max(gap);
                apart.statuses += u16::from(own.status != other.status);
                apart.joints += u16::from(between.fold(0.0, f32::max) > 0.01 * reach);
            }
        }
    }
    apart
}

/// A chain along +Y, each joint somewhere within its limits, and a target about as far as it goes.
fn posed(random: &mut Random, joints: &[Joint3]) -> Chain {
    let mut chain = Chain {
        positions: vec![Vec3::ZERO],
        rotations: vec![],
        target: random.vector() * Vec3::new(1.0, 0.5, 1.0) * 0.25 * joints.len() as f32,
    };
    chain.target.y += 0.125 * joints.len() as f32;
    let mut rotation = Quat::IDENTITY;
    for (i, joint) in joints.iter().enumerate() {
        let bend = Quat::from_rotation_x(random.between(0.0, 0.7));
        rotation = (rotation * clamp_joint_3d(bend, joint).unwrap()).normalize();
        chain.positions.push(chain.positions[i] + rotation * Vec3::Y * random.between(0.2, 0.4));
        chain.rotations.push(rotation);
    }
    chain.rotations.push(rotation);
    chain
}

/// As far as the documentation says, where lanes are not their scalars bit for bit.
#[test]
fn lanes_part_from_their_scalars_as_documented() {
    let mut random = Random::new(551);
    let shoulder = Joint3::cone(Vec3::Y, 1.2).with_twist(-0.5, 0.5);
    let mut tail = vec![Joint3::hinge(Vec3::X, 0.0, 2.2); 8];
    tail[0] = shoulder;
    let once = apart(&mut random, &[Joint3::cone(Vec3::Y, 1.0); 6], (250, 1));
    let fed_back = apart(&mut random, &tail, (30, 60));
    println!("{once:?}\n{fed_back:?}");
    assert!(
        !EXACT || [&once, &fed_back].iter().all(|apart| apart.joints == 0 && apart.most == 0.0)
    );
    assert!(once.gaps * 50 <= once.lanes && once.most <= 0.02, "{once:?}");
    assert!(fed_back.gaps * 100 <= fed_back.lanes && fed_back.most <= 0.2, "{fed_back:?}");
    assert!(fed_back.statuses * 100 <= fed_back.lanes, "{fed_back:?}");
    assert!(fed_back.joints * 8 <= fed_back.lanes, "{fed_back:?}");
}

#[test]
fn a_mistake_of_the_call_is_every_lanes() {
    let mut positions = [Vec3x8::ZERO; 3];
    let mut rotations = [Quatx8::IDENTITY; 2];
    let settings = CcdSettings::default();
    let solved = lanes::ccd_solve(&mut positions, &mut rotations, &[], Vec3x8::ZERO, &settings);
    assert!(solved.iter().all(|s| s.is_err_and(|e| e.argument == "rotations")));
    let bad = CcdSettings { damping: 2.0, ..settings };
    let solved = lanes::ccd_solve(&mut positions, &mut rotations, &[], Vec3x8::ZERO, &bad);
    assert!(solved.iter().all(|s| s.is_err_and(|e| e.argument == "settings.damping")));
    let (mut long, mut turns) = (vec![Vec3x8::ZERO; 129], vec![Quatx8::IDENTITY; 129]);
    let solved = lanes::ccd_solve(&mut long, &mut turns, &[], Vec3x8::ZERO, &settings);
    let too_long = Fault::TooLong { most: 128, actual: 129 };
    assert!(solved.iter().all(|s| s.is_err_and(|e| e.fault == too_long)));
}

#[test]
fn an_idle_lane_costs_no_iteration() {
    let mut positions = [Vec3x8::ZERO; 4];
    let mut rotations = [Quatx8::IDENTITY; 4];
    let mut targets = Vec3x8::ZERO;
    for (i, position) in positions.iter_mut().enumerate() {
        position.set_lane(2, Vec3::Y * i as f32);
    }
    targets.set_lane(2, Vec3::new(1.0, 1.0, 0.5));
    let settings = CcdSettings::default();
    let solved = lanes::ccd_solve(&mut positions, &mut rotations, &[], targets, &settings);
    for (lane, solution) in solved.iter().enumerate() {
        let solution = solution.unwrap();
        assert_eq!(solution.status, Status::Reached);
        assert_eq!(solution.iterations > 0, lane == 2, "lane {lane}");
    }
}
