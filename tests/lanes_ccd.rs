//! Crowds: eight chains at once end where each of them ends on its own.

#![cfg(feature = "lanes")]

use proptest::prelude::*;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, LANES, Quatx8, Vec3x8};
use sinew::{CcdSettings, Error, Fault, Joint3, Order, Solution, Status, ccd_solve};

/// A chain that is one lane's.
#[derive(Clone, Debug)]
struct Chain {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    target: Vec3,
}

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
fn crowd(joint: BoxedStrategy<Joint3>) -> impl Strategy<Value = (Vec<Chain>, Vec<Joint3>)> {
    let count = prop_oneof![12 => 2..9_usize, 1 => 9..30_usize];
    (count, prop_oneof![Just(1.0), Just(1e-3), Just(1e4_f32)]).prop_flat_map(
        move |(count, scale)| {
            let joints = prop_oneof![
                2 => Just(Vec::new()),
                5 => prop::collection::vec(joint.clone(), count - 1),
            ];
            let straight = prop::array::uniform8(prop::bool::weighted(0.1));
            (prop::collection::vec(chain(count, scale), LANES), straight, joints).prop_map(
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

fn packed(chains: &[Chain]) -> (Vec<Vec3x8>, Vec<Quatx8>, Vec3x8) {
    let count = chains[0].positions.len();
    let at = |i: usize| core::array::from_fn::<_, LANES, _>(|lane| chains[lane].positions[i]);
    let turned = |i: usize| core::array::from_fn::<_, LANES, _>(|lane| chains[lane].rotations[i]);
    (
        (0..count).map(|i| at(i).into()).collect(),
        (0..count).map(|i| turned(i).into()).collect(),
        core::array::from_fn(|lane| chains[lane].target).into(),
    )
}

/// What one lane holds, and what it came to.
fn lane((positions, rotations): (&[Vec3x8], &[Quatx8]), lane: usize) -> (Vec<Vec3>, Vec<Quat>) {
    (
        positions.iter().map(|p| p.lane(lane)).collect(),
        rotations.iter().map(|r| r.lane(lane)).collect(),
    )
}

fn alone(
    chain: &Chain,
    joints: &[Joint3],
    settings: &CcdSettings,
) -> (Chain, Result<Solution, Error>) {
    let mut solved = chain.clone();
    let solution =
        ccd_solve(&mut solved.positions, &mut solved.rotations, joints, chain.target, settings);
    (solved, solution)
}

/// Solves the crowd and each of it alone, and compares.
fn check(chains: &[Chain], joints: &[Joint3], settings: &CcdSettings) {
    let (mut positions, mut rotations, targets) = packed(chains);
    let solved = lanes::ccd_solve(&mut positions, &mut rotations, joints, targets, settings);
    for (i, chain) in chains.iter().enumerate() {
        let (expected, solution) = alone(chain, joints, settings);
        let (ps, rs) = lane((&positions, &rotations), i);
        compare((&ps, &rs, solved[i]), (&expected, solution), settings);
    }
}

#[cfg(feature = "deterministic")]
fn compare(
    (positions, rotations, solved): (&[Vec3], &[Quat], Result<Solution, Error>),
    (expected, solution): (&Chain, Result<Solution, Error>),
    _: &CcdSettings,
) {
    assert_eq!(solved, solution);
    assert_eq!(positions, expected.positions);
    assert_eq!(rotations, expected.rotations);
}

/// The descents may part in the last digits; where both arrive they arrive at the target.
#[cfg(not(feature = "deterministic"))]
fn compare(
    (positions, _, solved): (&[Vec3], &[Quat], Result<Solution, Error>),
    (expected, solution): (&Chain, Result<Solution, Error>),
    settings: &CcdSettings,
) {
    let reach: f32 = positions.windows(2).map(|b| b[0].distance(b[1])).sum();
    for (bone, other) in positions.windows(2).zip(expected.positions.windows(2)) {
        let gap = bone[0].distance(bone[1]) - other[0].distance(other[1]);
        assert!(gap.abs() <= 1e-5 * reach.max(positions[0].length()));
    }
    match (solved, solution) {
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
        (chains, joints) in crowd(joint()),
        sweeps in 0..20_usize,
        tolerance in prop_oneof![Just(1e-3_f32), Just(0.0), Just(0.05)],
    ) {
        let settings = CcdSettings { max_iterations: sweeps, tolerance, ..Default::default() };
        check(&chains, &joints, &settings);
    }

    #[test]
    fn what_does_not_turn_in_lanes_is_solved_too(
        (chains, joints) in crowd(odd_joint()),
        damping in prop_oneof![Just(0.0_f32), Just(0.3)],
        order in prop_oneof![Just(Order::TipFirst), Just(Order::RootFirst)],
    ) {
        let settings = CcdSettings { damping, order, ..Default::default() };
        check(&chains, &joints, &settings);
    }

    #[test]
    fn a_mistake_stays_in_its_lane(
        (mut chains, joints) in crowd(joint()),
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
        let (mut positions, mut rotations, targets) = packed(&chains);
        let before = lane((&positions, &rotations), wrong);
        let settings = CcdSettings::default();
        let solved = lanes::ccd_solve(&mut positions, &mut rotations, &joints, targets, &settings);
        prop_assert!(solved[wrong].is_err());
        prop_assert_eq!(solved[wrong], alone(&chains[wrong], &joints, &settings).1);
        let after = lane((&positions, &rotations), wrong);
        let bits = |(ps, rs): &(Vec<Vec3>, Vec<Quat>)| {
            let ps = ps.iter().flat_map(|p| p.to_array().map(f32::to_bits));
            ps.chain(rs.iter().flat_map(|r| r.to_array().map(f32::to_bits))).collect::<Vec<_>>()
        };
        prop_assert_eq!(bits(&before), bits(&after));
        for other in (0..LANES).filter(|other| *other != wrong) {
            let (expected, solution) = alone(&chains[other], &joints, &settings);
            let (ps, rs) = lane((&positions, &rotations), other);
            compare((&ps, &rs, solved[other]), (&expected, solution), &settings);
        }
    }
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
