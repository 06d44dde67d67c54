//! Chains: poses go to the parents' frames and back, blends keep lengths, reach is eased and
//! stretched.

mod common;

use common::{Problem, angle_between, bits, lengths, problem, q64, resolution, v64};
use proptest::prelude::*;
use sinew::glam::{DQuat, DVec3, Quat, Vec2, Vec3};
use sinew::{
    Fault, Rot2, blend_chain, forward_kinematics, reach, soft_reach, stretch_chain, to_local,
    to_world,
};

fn pair() -> impl Strategy<Value = (Problem, Problem)> {
    (problem(), problem()).prop_map(|(a, b)| {
        let least = a.positions.len().min(b.positions.len());
        let cut = |mut p: Problem| {
            p.positions.truncate(least);
            p.rotations.truncate(least);
            p
        };
        (cut(a), cut(b))
    })
}

proptest! {
    #![proptest_config(common::config(1000))]

    #[test]
    fn to_the_parents_frames_and_back(chain in problem()) {
        let (mut positions, mut rotations) = (chain.positions.clone(), chain.rotations.clone());
        to_local(&mut positions, &mut rotations).unwrap();
        prop_assert_eq!(positions[0], chain.positions[0]);
        let (mut world, mut turned) = (positions.clone(), rotations.clone());
        forward_kinematics(&positions, &rotations, &mut world, &mut turned).unwrap();
        to_world(&mut positions, &mut rotations).unwrap();
        prop_assert_eq!(bits(&positions, &rotations), bits(&world, &turned), "the same in place");
        // Eight joints, two roundings each of the chain's own size.
        let slack = 16.0 * (resolution(&chain.positions, chain.target) + chain.reach() * f32::EPSILON);
        for (a, b) in positions.iter().zip(&chain.positions) {
            prop_assert!(a.distance(*b) <= slack);
        }
        for (a, b) in rotations.iter().zip(&chain.rotations) {
            prop_assert!(angle_between(q64(*a), q64(*b)) < 4e-6);
        }
    }

    /// Against double precision.
    #[test]
    fn forward_kinematics_is_the_product_of_the_parents(chain in problem()) {
        let offsets: Vec<Vec3> = chain.positions.iter().map(|p| *p * 0.1).collect();
        let (mut positions, mut rotations) = (offsets.clone(), chain.rotations.clone());
        forward_kinematics(&offsets, &chain.rotations, &mut positions, &mut rotations).unwrap();
        let (mut at, mut turn) = (DVec3::ZERO, DQuat::IDENTITY);
        let size: f32 = offsets.iter().map(|o| o.length()).sum();
        for i in 0..offsets.len() {
            at += turn * v64(offsets[i]);
            turn *= q64(chain.rotations[i]);
            // Each of a product's four components is a sum of four, each rounded to half a unit in
            // the last place: as an angle, eight units a joint. A vector that is turned by it takes
            // them over, and has a few of its own.
            let units = f64::from(f32::EPSILON) * 8.0 * (i + 1) as f64;
            prop_assert!(v64(positions[i]).distance(at) <= 2.0 * units * f64::from(size));
            prop_assert!(angle_between(q64(rotations[i]), turn) <= units);
        }
    }

    /// Weight 0 and 1 bit for bit; in between, lengths in between, and rotations part of the way.
    #[test]
    fn a_blend_has_its_ends_and_keeps_lengths((from, to) in pair(), weight in 0.0_f32..1.0) {
        let blend = |weight: f32| {
            let mut end = from.clone();
            blend_chain(&mut end.positions, &mut end.rotations, &to.positions, &to.rotations, weight)
                .unwrap();
            end
        };
        let start = blend(0.0);
        prop_assert_eq!(bits(&start.positions, &start.rotations), bits(&from.positions, &from.rotations));
        let end = blend(1.0);
        prop_assert_eq!(bits(&end.positions, &end.rotations), bits(&to.positions, &to.rotations));
        // The same bones, posed by the other chain's rotations: every length is kept.
        let mut posed = from.clone();
        let mut locals = to.rotations.clone();
        to_local(&mut posed.positions, &mut posed.rotations).unwrap();
        to_local(&mut to.positions.clone(), &mut locals).unwrap();
        posed.rotations = locals;
        to_world(&mut posed.positions, &mut posed.rotations).unwrap();
        let mut mixed = from.clone();
        blend_chain(&mut mixed.positions, &mut mixed.rotations, &posed.positions, &posed.rotations, weight)
            .unwrap();
        prop_assert_eq!(mixed.positions[0], from.positions[0], "a root that both share stays");
        let slack = 16.0 * f64::from(resolution(&from.positions, from.target) + from.reach() * f32::EPSILON);
        for (a, b) in lengths(&from.positions).iter().zip(lengths(&mixed.positions)) {
            prop_assert!((a - b).abs() <= slack, "{a} {b}");
        }
    }

    /// A blend does not know where the origin is.
    #[test]
    fn a_blend_moves_with_its_poses((from, to) in pair(), weight in 0.0_f32..1.0, way in common::unit3()) {
        let size = resolution(&from.positions, from.target).max(resolution(&to.positions, to.target)) / f32::EPSILON;
        let shift = way * size;
        let blend = |shift: Vec3| {
            let mut end = from.clone();
            end.positions.iter_mut().for_each(|p| *p += shift);
            let other: Vec<Vec3> = to.positions.iter().map(|p| *p + shift).collect();
            blend_chain(&mut end.positions, &mut end.rotations, &other, &to.rotations, weight).unwrap();
            end.positions
        };
        // The root alone: below it, a bone between two opposite offsets may go either way.
        let (here, there) = (blend(Vec3::ZERO)[0], blend(shift)[0]);
        prop_assert!((there - shift).distance(here) <= 16.0 * size * f32::EPSILON, "{here} {there}");
    }

    #[test]
    fn soft_reach_never_passes_the_reach(
        root in common::unit3(), way in common::unit3(), reach in 0.0_f32..3.0, softness in 0.0_f32..=1.0,
    ) {
        let mut last = 0.0;
        for step in 0..=60_u8 {
            let distance = 0.1 * f32::from(step);
            let target = root + way * distance;
            let eased = soft_reach(root, target, reach, softness).unwrap();
            let out = eased.distance(root);
            prop_assert!(out <= reach + 1e-6 && out >= last - 1e-6 && out - last <= 0.1 + 1e-6);
            if distance < reach * (1.0 - softness) - 1e-6 {
                prop_assert_eq!(eased, target);
            }
            last = out;
        }
    }

    /// Nearest to the target among all factors, all bones alike.
    #[test]
    fn a_stretch_brings_the_effector_nearest(chain in problem(), most in 1.0_f32..3.0) {
        let mut positions = chain.positions.clone();
        let factor = stretch_chain(&mut positions, chain.target, most).unwrap();
        prop_assert!((1.0..=most).contains(&factor));
        if factor == 1.0 {
            prop_assert_eq!(&positions, &chain.positions);
        }
        let root = chain.positions[0];
        let slack = 16.0 * resolution(&positions, chain.target);
        for (a, b) in positions.iter().zip(&chain.positions) {
            prop_assert!(a.distance(root + (*b - root) * factor) <= slack);
        }
        let gap = positions[positions.len() - 1].distance(chain.target);
        for step in 0..=20_u8 {
            let other = 1.0 + (most - 1.0) * f32::from(step) / 20.0;
            let effector = root + (chain.positions[chain.positions.len() - 1] - root) * other;
            prop_assert!(gap <= effector.distance(chain.target) + slack);
        }
    }

    #[test]
    fn reach_is_what_the_lengths_allow(chain in problem()) {
        let lengths = lengths(&chain.positions);
        let sum: f64 = lengths.iter().sum();
        let longest = lengths.iter().fold(0.0_f64, |a, b| a.max(*b));
        let found = reach(&chain.positions).unwrap();
        let slack = 8.0 * sum * f64::from(f32::EPSILON);
        prop_assert!((f64::from(found.longest) - sum).abs() <= slack);
        prop_assert!((f64::from(found.shortest) - (2.0 * longest - sum).max(0.0)).abs() <= 2.0 * slack);
    }
}

/// T6: half of a twist of 270° is -45°, the short way, whichever sign the quaternion has.
#[test]
fn a_blend_goes_the_short_way() {
    let solved = Quat::from_rotation_y(270_f32.to_radians());
    for solved in [solved, -solved] {
        let (mut p, mut r) = ([Vec3::ZERO, Vec3::Y], [Quat::IDENTITY; 2]);
        blend_chain(&mut p, &mut r, &[Vec3::ZERO, Vec3::Y], &[solved; 2], 0.5).unwrap();
        let right = Quat::from_rotation_y(-45_f32.to_radians());
        assert!(angle_between(q64(r[0]), q64(right)) < 1e-6);
    }
    let (mut p, mut r) = ([Vec2::ZERO, Vec2::Y], [Rot2::IDENTITY; 2]);
    let solved = Rot2::from_angle(270_f32.to_radians());
    blend_chain(&mut p, &mut r, &[Vec2::ZERO, solved * Vec2::Y], &[solved; 2], 0.5).unwrap();
    assert!((r[0].angle() + 45_f32.to_radians()).abs() < 1e-6);
}

#[test]
fn bad_arguments_are_named_and_leave_everything_as_it_was() {
    let (p, r) = ([Vec3::ZERO, Vec3::Y], [Quat::IDENTITY; 2]);
    for (bad, fault) in
        [(f32::NAN, Fault::NotFinite), (f32::INFINITY, Fault::NotFinite), (1e13, Fault::TooLarge)]
    {
        let wrong = [Vec3::ZERO, Vec3::new(bad, 0.0, 0.0)];
        let (mut a, mut b) = (p, r);
        let error = blend_chain(&mut a, &mut b, &wrong, &r, 0.5).unwrap_err();
        assert_eq!(
            (error.argument, error.index, error.fault),
            ("solved_positions", Some(1), fault)
        );
        assert_eq!((a, b), (p, r));
        let error = forward_kinematics(&wrong, &r, &mut a, &mut b).unwrap_err();
        assert_eq!((error.argument, error.index, error.fault), ("offsets", Some(1), fault));
        assert_eq!((a, b), (p, r));
        let mut a = wrong;
        assert_eq!(to_world(&mut a, &mut b).unwrap_err().argument, "positions");
        assert_eq!(to_local(&mut a, &mut b).unwrap_err().argument, "positions");
        assert_eq!(stretch_chain(&mut a, Vec3::X, 2.0).unwrap_err().argument, "positions");
        assert_eq!(reach(&a).unwrap_err().argument, "positions");
        assert_eq!(soft_reach(wrong[1], Vec3::X, 1.0, 0.1).unwrap_err().argument, "root");
        assert_eq!(soft_reach(Vec3::X, wrong[1], 1.0, 0.1).unwrap_err().argument, "target");
    }
    let (mut a, mut b) = (p, r);
    for weight in [-0.1, 1.1, f32::NAN] {
        assert_eq!(blend_chain(&mut a, &mut b, &p, &r, weight).unwrap_err().argument, "weight");
    }
    assert_eq!(
        blend_chain(&mut a, &mut b, &p[..1], &r, 0.5).unwrap_err().argument,
        "solved_positions"
    );
    assert_eq!(
        blend_chain(&mut a, &mut b, &p, &r[..1], 0.5).unwrap_err().argument,
        "solved_rotations"
    );
    assert_eq!(forward_kinematics(&p, &r[..1], &mut a, &mut b).unwrap_err().argument, "locals");
    assert_eq!(to_world(&mut a, &mut b[..1]).unwrap_err().argument, "rotations");
    assert_eq!(stretch_chain(&mut a, Vec3::X, 0.9).unwrap_err().argument, "max_stretch");
    assert_eq!(
        stretch_chain(&mut a[..1], Vec3::X, 2.0).unwrap_err().fault,
        Fault::TooShort { least: 2, actual: 1 }
    );
    assert_eq!(soft_reach(Vec3::X, Vec3::Y, -1.0, 0.1).unwrap_err().argument, "reach");
    assert_eq!(soft_reach(Vec3::X, Vec3::Y, 1.0, 1.1).unwrap_err().argument, "softness");
    assert_eq!((a, b), (p, r));
}
