//! Degenerate geometry is solved; a caller's mistake is an error that changes nothing.

mod common;

use common::{bits, bits_2d, lengths};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{CcdSettings, Error, Fault, Joint3, Order, Rot2, Status, ccd_solve};

fn straight(bones: &[f32], scale: f32) -> (Vec<Vec3>, Vec<Quat>) {
    let mut y = 0.0;
    let mut positions = vec![Vec3::ZERO];
    for bone in bones {
        y += bone * scale;
        positions.push(Vec3::Y * y);
    }
    let rotations = vec![Quat::IDENTITY; positions.len()];
    (positions, rotations)
}

fn orders() -> [CcdSettings; 2] {
    [Order::TipFirst, Order::RootFirst].map(|order| CcdSettings { order, ..CcdSettings::default() })
}

/// G1, G2, G3: a straight chain, and a target on its own line: inside, behind, beyond, at the root.
#[test]
fn a_straight_chain_reaches_whatever_lies_on_its_line() {
    for scale in [1e-3_f32, 1.0, 1e3] {
        for y in [1.5_f32, 2.0, 0.5, 2.9, 0.0, -0.5, -1.0, -2.0, -2.9, -3.0, 3.0] {
            for settings in orders() {
                let (mut positions, mut rotations) = straight(&[1.0; 3], scale);
                let target = Vec3::Y * (y * scale);
                let solution =
                    ccd_solve(&mut positions, &mut rotations, &[], target, &settings).unwrap();
                assert_eq!(solution.status, Status::Reached, "{y} at {scale}: {solution:?}");
                assert!(rotations.iter().all(|r| (r.length() - 1.0).abs() < 1e-6));
            }
        }
    }
}

/// G1 to G3 in the plane.
#[test]
fn so_does_one_in_the_plane() {
    for y in [1.5_f32, 2.0, 0.0, -1.0, -2.0, -3.0, 3.0] {
        for settings in orders() {
            let mut positions = [Vec2::ZERO, Vec2::Y, 2.0 * Vec2::Y, 3.0 * Vec2::Y];
            let mut rotations = [Rot2::IDENTITY; 4];
            let solution =
                ccd_solve(&mut positions, &mut rotations, &[], Vec2::Y * y, &settings).unwrap();
            assert_eq!(solution.status, Status::Reached, "{y}: {solution:?}");
        }
    }
}

/// G7: joints in the same place are a point, and stay one.
#[test]
fn coincident_joints_stay_together() {
    for bones in [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        let (mut positions, mut rotations) = straight(&bones, 1.0);
        let reach: f32 = bones.iter().sum();
        let target = Vec3::new(0.6, 0.3, -0.2).normalize() * (0.7 * reach).max(1.0);
        let solution =
            ccd_solve(&mut positions, &mut rotations, &[], target, &CcdSettings::default())
                .unwrap();
        assert_eq!(solution.status, Status::Reached, "{bones:?} {solution:?}");
        for (bone, length) in bones.iter().zip(lengths(&positions)) {
            assert!((f64::from(*bone) - length).abs() < 1e-5);
        }
    }
    let mut positions = [Vec3::X; 4];
    let mut rotations = [Quat::IDENTITY; 4];
    let solution =
        ccd_solve(&mut positions, &mut rotations, &[], Vec3::Y, &CcdSettings::default()).unwrap();
    assert_eq!((solution.status, positions), (Status::Unreachable, [Vec3::X; 4]));
}

/// Every kind of target out of reach leaves the chain pointed at it, as near as can be.
#[test]
fn out_of_reach_the_chain_points_at_the_target() {
    for target in [Vec3::X * 3.1, Vec3::Y * 1e6, -Vec3::Y * 4.0, Vec3::new(1e12, -1e12, 3.0)] {
        let (mut positions, mut rotations) = straight(&[1.0; 3], 1.0);
        let solution =
            ccd_solve(&mut positions, &mut rotations, &[], target, &CcdSettings::default())
                .unwrap();
        assert_eq!(solution.status, Status::Unreachable);
        assert!(positions[3].distance(target.normalize() * 3.0) < 1e-5, "{}", positions[3]);
    }
    // Nearer than the shortest reach.
    let (mut positions, mut rotations) = straight(&[2.0, 1.0], 1.0);
    let settings = CcdSettings { max_iterations: 100, ..CcdSettings::default() };
    let solution =
        ccd_solve(&mut positions, &mut rotations, &[], Vec3::X * 0.5, &settings).unwrap();
    assert_eq!(solution.status, Status::Unreachable);
    assert!((positions[2].length() - 1.0).abs() < 0.05, "{}", positions[2]);
}

struct Call {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    joints: Vec<Joint3>,
    target: Vec3,
    settings: CcdSettings,
}

fn refused(change: impl FnOnce(&mut Call)) -> Error {
    let (positions, rotations) = straight(&[1.0; 3], 1.0);
    let joints = vec![Joint3::hinge(Vec3::X, 0.2, 1.0); 3];
    let target = Vec3::new(1.0, 1.0, 0.5);
    let mut call = Call { positions, rotations, joints, target, settings: CcdSettings::default() };
    change(&mut call);
    let before = bits(&call.positions, &call.rotations);
    let Call { positions, rotations, joints, target, settings } = &mut call;
    let error = ccd_solve(positions, rotations, joints, *target, settings).unwrap_err();
    assert_eq!(bits(positions, rotations), before, "{error}");
    error
}

/// G8, L9: every kind of bad argument is named, and the slices keep their bits.
#[test]
fn a_bad_argument_is_named_and_changes_nothing() {
    let is = |error: Error, argument: &str, index: Option<usize>, fault: Fault| {
        assert_eq!((error.argument, error.index, error.fault), (argument, index, fault));
    };
    for (bad, fault) in [
        (f32::NAN, Fault::NotFinite),
        (f32::NEG_INFINITY, Fault::NotFinite),
        (-1e13, Fault::TooLarge),
    ] {
        is(refused(|c| c.positions[2].y = bad), "positions", Some(2), fault);
        is(refused(|c| c.target.z = bad), "target", None, fault);
    }
    is(refused(|c| c.rotations[1].x = f32::NAN), "rotations", Some(1), Fault::NotFinite);
    is(
        refused(|c| c.rotations[3] = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        "rotations",
        Some(3),
        Fault::NotUnit,
    );
    is(refused(|c| c.rotations[3] *= 1.01), "rotations", Some(3), Fault::NotUnit);
    let short = |least, actual| Fault::TooShort { least, actual };
    is(refused(|c| c.positions.truncate(1)), "positions", None, short(2, 1));
    is(refused(|c| c.positions.clear()), "positions", None, short(2, 0));
    let length = |expected, actual| Fault::Length { expected, actual };
    is(refused(|c| c.rotations.truncate(3)), "rotations", None, length(4, 3));
    is(refused(|c| c.joints.truncate(2)), "joints", None, length(3, 2));
    is(refused(|c| c.joints.push(Joint3::FREE)), "joints", None, length(3, 4));
    is(
        refused(|c| c.joints[1] = Joint3::hinge(Vec3::X, 1.0, 0.0)),
        "joint.min",
        Some(1),
        Fault::AboveMax,
    );
    is(
        refused(|c| c.joints[2] = Joint3::cone(Vec3::ZERO, 1.0)),
        "joint.axis",
        Some(2),
        Fault::NoDirection,
    );
    is(
        refused(|c| c.joints[0] = Joint3::FREE.with_weight(2.0)),
        "joint.weight",
        Some(0),
        Fault::OutOfRange,
    );
    for bad in [-1.0, f32::NAN] {
        assert_eq!(refused(|c| c.settings.tolerance = bad).argument, "settings.tolerance");
        assert_eq!(refused(|c| c.settings.damping = bad).argument, "settings.damping");
        assert_eq!(refused(|c| c.settings.max_turn = bad).argument, "settings.max_turn");
    }
    assert_eq!(refused(|c| c.settings.damping = 1.0).argument, "settings.damping");
    assert_eq!(refused(|c| c.settings.max_turn = 0.0).argument, "settings.max_turn");
}

/// G8: one bad target is one error; the next good one is solved as if nothing had happened.
#[test]
fn one_bad_target_poisons_nothing() {
    let settings = CcdSettings::default();
    let mut positions = [Vec2::ZERO, Vec2::Y, 2.0 * Vec2::Y];
    let mut rotations = [Rot2::IDENTITY; 3];
    let (mut other, mut turned) = (positions, rotations);
    let good = Vec2::new(1.0, 0.5);
    ccd_solve(&mut positions, &mut rotations, &[], Vec2::new(f32::NAN, 0.0), &settings)
        .unwrap_err();
    let a = ccd_solve(&mut positions, &mut rotations, &[], good, &settings).unwrap();
    let b = ccd_solve(&mut other, &mut turned, &[], good, &settings).unwrap();
    assert_eq!(a, b);
    assert_eq!(bits_2d(&positions, &rotations), bits_2d(&other, &turned));
}
