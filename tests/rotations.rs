//! Rotations are right where others are not: tiny, half a turn, either sign, any axes.

#![expect(clippy::cast_possible_truncation, reason = "from the oracles' f64 to the crate's f32")]

mod common;

use core::f32::consts::{PI, TAU};

use common::{
    angle_between, angle_between_directions, angle_of, clamp64, q64, quat, range, range_excess,
    rot2, unit3, v64, wrap64,
};
use proptest::prelude::*;
use sinew::glam::{DMat3, DQuat, DVec3, Quat, Vec2, Vec3};
use sinew::{
    Rot2, Rotation, clamp_angle, look_rotation, perpendicular, rotate_towards, shortest_arc_2d,
    shortest_arc_3d, signed_angle_2d, signed_angle_3d, swing_twist, wrap_angle,
};

/// Sizes of a turn from 1e-7 rad to half a turn, evenly in the logarithm at both ends.
fn turn() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-7.0_f64..0.0).prop_map(|e| 10_f64.powf(e)),
        0.0_f64..core::f64::consts::PI,
        (-7.0_f64..0.0).prop_map(|e| core::f64::consts::PI - 10_f64.powf(e)),
    ]
}

/// Powers of two, so that they leave directions as they are.
fn size() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0), Just(-100), Just(100), -10..10].prop_map(|e| 2_f32.powi(e))
}

proptest! {
    #![proptest_config(common::config(2000))]

    /// G4: the arc between two vectors, from 1e-7 rad to half a turn.
    #[test]
    fn the_shortest_arc_in_space_has_the_angle_and_takes_one_to_the_other(
        from in unit3(), seed in unit3(), turn in turn(), sizes in (size(), size()),
    ) {
        let axis = v64(from).cross(v64(seed));
        prop_assume!(axis.length() > 0.1);
        let to = (DQuat::from_axis_angle(axis.normalize(), turn) * v64(from)).as_vec3();
        let exact = angle_between_directions(v64(from), v64(to));
        let arc = shortest_arc_3d(from * sizes.0, to * sizes.1);
        prop_assert!(arc.w >= 0.0);
        prop_assert!((angle_of(q64(arc)) - exact).abs() <= 1e-6 * exact, "{exact}: {arc:?}");
        prop_assert!((arc.length() - 1.0).abs() < 3e-7);
        let taken = arc.as_dquat() * v64(from);
        prop_assert!(angle_between_directions(taken, v64(to)) <= 6e-7);
    }

    /// G4 in the plane.
    #[test]
    fn the_shortest_arc_in_the_plane_has_the_angle(
        heading in -PI..PI, turn in turn(), left in any::<bool>(), sizes in (size(), size()),
    ) {
        let from = Vec2::from_angle(heading);
        let turn = if left { turn } else { -turn };
        let (sin, cos) = turn.sin_cos();
        let (x, y) = (f64::from(from.x), f64::from(from.y));
        let to = Vec2::new((x * cos - y * sin) as f32, (x * sin + y * cos) as f32);
        let (u, v) = (f64::from(to.x), f64::from(to.y));
        let exact = (x * v - y * u).atan2(x * u + y * v);
        let arc = shortest_arc_2d(from * sizes.0, to * sizes.1);
        let angle = f64::from(arc.sin).atan2(f64::from(arc.cos));
        prop_assert!((angle - exact).abs() <= 1e-6 * exact.abs(), "{exact}: {angle}");
        prop_assert!((f64::from(signed_angle_2d(from, to)) - exact).abs() <= 1e-6 * exact.abs());
    }

    /// G4: antiparallel vectors turn by exactly half a turn about a stated axis.
    #[test]
    fn opposite_vectors_turn_by_half_a_turn_about_the_perpendicular(
        v in unit3(), sizes in (size(), size()),
    ) {
        let axis = perpendicular(v);
        prop_assert!((axis.length() - 1.0).abs() < 2e-7 && axis.dot(v).abs() < 2e-7);
        let arc = shortest_arc_3d(v * sizes.0, -v * sizes.0);
        prop_assert_eq!(arc, Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0));
        let flat = Vec2::new(v.x, v.y);
        if flat.length() > 0.1 {
            let arc = shortest_arc_2d(flat * sizes.0, -flat * sizes.0);
            prop_assert!(arc.angle() == PI);
        }
    }

    #[test]
    fn an_arc_from_or_to_nothing_is_no_turn(v in unit3(), size in size()) {
        for (a, b) in [(v * size, Vec3::ZERO), (Vec3::ZERO, v * size), (Vec3::ZERO, Vec3::ZERO)] {
            prop_assert_eq!(shortest_arc_3d(a, b), Quat::IDENTITY);
            prop_assert_eq!(shortest_arc_2d(a.truncate(), b.truncate()), Rot2::IDENTITY);
        }
        prop_assert!((shortest_arc_3d(v, v * size).w - 1.0).abs() < 2e-7);
    }

    /// L1: the sign of the angle survives, whichever sign the quaternion has.
    #[test]
    fn swing_and_twist_multiply_back_and_have_their_axes(q in quat(), axis in unit3(), size in size()) {
        let (swing, twist) = swing_twist(q, axis * size);
        prop_assert_eq!(swing_twist(-q, axis * size), (swing, twist));
        prop_assert!(swing.w >= 0.0 && twist.w >= 0.0);
        prop_assert!(angle_between(swing.as_dquat() * twist.as_dquat(), q64(q)) < 1e-6);
        prop_assert!(twist.xyz().cross(axis).length() < 3e-7, "the twist is about the axis");
        // Near half a turn of swing the twist is what rounding says, but it is a twist still.
        prop_assert!(swing.xyz().dot(axis).abs() < 3e-7, "the swing is across it: {:?}", swing);
    }

    #[test]
    fn the_twist_of_a_twist_is_its_own_angle(axis in unit3(), angle in -PI..PI) {
        let (swing, twist) = swing_twist(Quat::from_axis_angle(axis, angle), axis);
        prop_assert!(angle_of(q64(swing)) < 6e-7);
        let signed = 2.0 * v64(twist.xyz()).dot(v64(axis)).atan2(f64::from(twist.w));
        prop_assert!((signed - f64::from(angle)).abs() < 6e-7);
    }

    /// G6: every pair of local axes, and any direction and up.
    #[test]
    fn look_rotation_looks_there_with_up_as_near_as_can_be(
        direction in unit3(), up in unit3(), forward in unit3(), local_up in unit3(),
        sizes in (size(), size()),
    ) {
        prop_assume!(angle_between_directions(v64(direction), v64(up)).sin() > 0.1);
        prop_assume!(angle_between_directions(v64(forward), v64(local_up)).sin() > 0.1);
        let q = look_rotation(direction * sizes.0, up * sizes.1, forward * sizes.1, local_up);
        let q64 = q64(q);
        prop_assert!(angle_between_directions(q64 * v64(forward), v64(direction)) < 1e-6);
        // Across the direction, the local up and the up point the same way.
        let across = |v: DVec3| {
            let d = v64(direction).normalize();
            v - d * v.dot(d)
        };
        let (got, wanted) = (across(q64 * v64(local_up)), across(v64(up)));
        prop_assert!(angle_between_directions(got, wanted) < 1e-5);
        let exact = exact_look(direction, up, forward, local_up);
        prop_assert!(angle_between(q64, exact) < 1e-6, "{}", angle_between(q64, exact));
    }

    /// G6: a direction along up takes the stated fallback, and nothing is NaN.
    #[test]
    fn looking_along_up_is_the_shortest_arc(direction in unit3(), forward in unit3(), size in size()) {
        for up in [direction * size, -direction * size, Vec3::ZERO] {
            let q = look_rotation(direction, up, forward, perpendicular(forward));
            prop_assert!(angle_between(q64(q), q64(shortest_arc_3d(forward, direction))) < 1e-6);
        }
        prop_assert_eq!(look_rotation(Vec3::ZERO, Vec3::Y, forward, Vec3::Y), Quat::IDENTITY);
        let q = look_rotation(direction, perpendicular(direction), forward, forward * size);
        prop_assert!(angle_between_directions(q64(q) * v64(forward), v64(direction)) < 1e-6);
    }

    #[test]
    fn rotate_towards_goes_the_step_and_no_further(from in quat(), to in quat(), step in 0.0_f32..4.0) {
        let gap = angle_between(q64(from), q64(to));
        let next = rotate_towards(from, to, step).unwrap();
        let (gone, left) = (angle_between(q64(from), q64(next)), angle_between(q64(next), q64(to)));
        if f64::from(step) > gap + 1e-6 {
            prop_assert_eq!(next, to);
        } else {
            prop_assert!((gone - f64::from(step).min(gap)).abs() < 1.5e-6, "{gone} of {step}");
            prop_assert!((gone + left - gap).abs() < 3e-6, "on the way");
        }
        prop_assert_eq!(rotate_towards(from, to, 0.0), Ok(from));
    }

    #[test]
    fn rotate_towards_in_the_plane(from in rot2(), to in rot2(), step in 0.0_f32..4.0) {
        let gap = Rotation::angle(from.inverse() * to);
        let next = rotate_towards(from, to, step).unwrap();
        if step > gap + 1e-6 {
            prop_assert_eq!(next, to);
        } else {
            let gone = Rotation::angle(from.inverse() * next);
            prop_assert!((gone - step.min(gap)).abs() < 1e-6);
        }
    }

    /// L2, L4: about the range's centre, whatever the range.
    #[test]
    fn clamp_angle_is_inside_nearest_and_idempotent(angle in -20.0_f32..20.0, range in range()) {
        let [min, max] = range;
        let clamped = clamp_angle(angle, min, max).unwrap();
        prop_assert!(min <= clamped && clamped <= max);
        prop_assert_eq!(clamp_angle(clamped, min, max).unwrap().to_bits(), clamped.to_bits());
        if min <= angle && angle <= max {
            prop_assert_eq!(clamped.to_bits(), angle.to_bits());
        }
        // As far from the angle as the range is, and no further; one unit in the last place of 20.
        let moved = wrap64(f64::from(clamped) - f64::from(angle)).abs();
        prop_assert!((moved - range_excess(f64::from(angle), range)).abs() < 4e-6);
        let exact = clamp64(f64::from(angle), range);
        let opposite = wrap64(f64::from(angle) - 0.5 * (f64::from(min) + f64::from(max))).abs();
        if opposite < core::f64::consts::PI - 1e-5 {
            prop_assert!(wrap64(f64::from(clamped) - exact).abs() < 4e-6);
        }
    }

    #[test]
    fn wrap_angle_takes_off_whole_turns(angle in prop_oneof![-1e4_f32..1e4, -7.0_f32..7.0]) {
        let wrapped = wrap_angle(angle);
        prop_assert!((-PI..=PI).contains(&wrapped));
        prop_assert!(wrap64(f64::from(wrapped) - f64::from(angle)).abs() < 3e-7);
    }

    #[test]
    fn signed_angle_turns_one_onto_the_other(axis in unit3(), from in unit3(), angle in -PI..PI) {
        let across = v64(from) - v64(axis) * v64(from).dot(v64(axis).normalize());
        prop_assume!(across.length() > 0.1);
        let to = (DQuat::from_axis_angle(v64(axis).normalize(), f64::from(angle)) * v64(from)
            + v64(axis) * 0.7).as_vec3();
        let found = signed_angle_3d(from * 3.0, to * 0.2, axis * 1e20);
        prop_assert!(wrap64(f64::from(found) - f64::from(angle)).abs() < 3e-6);
        prop_assert!(found.abs() <= PI);
    }

    /// What lies on the axis has no angle about it; rounding must not make one up.
    #[test]
    fn signed_angle_of_what_lies_on_the_axis_is_zero(axis in unit3(), to in unit3(), size in size()) {
        for along in [axis, -axis] {
            prop_assert_eq!(signed_angle_3d(along * size, to, axis), 0.0);
            prop_assert_eq!(signed_angle_3d(to, along * size, axis), 0.0);
        }
        prop_assert_eq!(signed_angle_3d(to, axis, Vec3::ZERO), 0.0);
    }

    /// No number that is not finite comes out of one that is.
    #[test]
    fn nothing_finite_makes_nan(a in huge(), b in huge(), c in huge(), d in huge()) {
        for q in [shortest_arc_3d(a, b), look_rotation(a, b, c, d), swing_twist(quat_of(a, b), c).0] {
            prop_assert!(q.is_finite() && (q.length() - 1.0).abs() < 1e-6, "{:?}", q);
        }
        prop_assert!((perpendicular(a).length() - 1.0).abs() < 1e-6);
        prop_assert!(signed_angle_3d(a, b, c).is_finite());
        prop_assert!(signed_angle_2d(a.truncate(), b.truncate()).is_finite());
        prop_assert!(wrap_angle(a.x).is_finite());
        let (min, max) = (b.x.min(b.y), b.x.max(b.y));
        let clamped = clamp_angle(a.x, min, max).unwrap();
        prop_assert!(min <= clamped && clamped <= max);
        let r = Rot2 { cos: a.x, sin: a.y }.normalize();
        prop_assert!((r.cos.hypot(r.sin) - 1.0).abs() < 1e-6, "{:?}", r);
    }
}

/// Any finite float.
fn huge() -> impl Strategy<Value = Vec3> {
    let float = || {
        prop_oneof![
            3 => any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite()),
            1 => prop::sample::select(vec![0.0, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45]),
        ]
    };
    (float(), float(), float()).prop_map(Vec3::from)
}

fn quat_of(a: Vec3, b: Vec3) -> Quat {
    shortest_arc_3d(a, b)
}

fn exact_look(direction: Vec3, up: Vec3, forward: Vec3, local_up: Vec3) -> DQuat {
    let frame = |forward: Vec3, up: Vec3| -> DMat3 {
        let f: DVec3 = v64(forward).normalize();
        let u = v64(up);
        let u = (u - f * u.dot(f)).normalize();
        DMat3::from_cols(f, u, f.cross(u))
    };
    DQuat::from_mat3(&(frame(direction, up) * frame(forward, local_up).transpose())).normalize()
}

/// G4: the three reports themselves.
#[test]
fn the_arcs_that_others_get_wrong() {
    assert_eq!(shortest_arc_3d(Vec3::Y, -Vec3::Y), Quat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let arc = shortest_arc_3d(Vec3::X, -Vec3::X);
    assert_eq!(arc * Vec3::X, -Vec3::X);
    let arc = shortest_arc_3d(Vec3::X, Vec3::new(1.0, 1e-7, 0.0));
    assert!((f64::from(arc.z) - 0.5 * f64::from(1e-7_f32)).abs() < 1e-13);
}

/// L4 and L2: the reports themselves.
#[test]
fn clamping_the_angles_that_others_get_wrong() {
    let [l, r] = [-45_f32.to_radians(), 45_f32.to_radians()];
    assert_eq!(clamp_angle(0.0, l, r), Ok(0.0));
    assert_eq!(clamp_angle(PI, l, r), Ok(r), "opposite the centre: the upper bound");
    assert_eq!(clamp_angle(-PI, l, r), Ok(r));
    for angle in [-PI, -1.0, 0.0, 2.0, PI] {
        assert_eq!(clamp_angle(angle, -PI, PI), Ok(angle));
        assert_eq!(clamp_angle(angle, -TAU, TAU), Ok(angle));
    }
    let [min, max] = [-225_f32.to_radians(), -135_f32.to_radians()];
    let clamped = clamp_angle(196.7_f32.to_radians(), min, max).unwrap();
    assert!((clamped - -163.3_f32.to_radians()).abs() < 1e-6);
}
