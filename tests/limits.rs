//! Limits: clamping gives the nearest admissible rotation, once and for all.

mod common;
#[path = "common/random.rs"]
mod random;

use core::f32::consts::{FRAC_PI_2, PI, TAU};

use common::{
    Limit, Spec, Spec2, angle_2d, angle_between, angle_between_directions, at_yaw_pitch, cone,
    ellipse, ellipse_axes, eye_axes, gaze, hinge, limit, q64, quat, range_excess, rot2, spec_2d,
    split, unit3, v64, wrap64, yaw_pitch,
};
use proptest::prelude::*;
use random::Random;
use sinew::glam::{DQuat, DVec3, Quat, Vec3};
use sinew::{
    Error, Fault, Joint2, Joint3, Rot2, Rotation, clamp_joint_2d, clamp_joint_2d_soft,
    clamp_joint_3d, clamp_joint_3d_soft, swing_twist,
};

/// What the crate promises of limits, in radians.
const PROMISED: f64 = 1e-5;

/// What rounding may cost a nearest rotation: the clamp counts as inside what is inside to 1e-6.
const NEAR: f64 = 2e-6;

/// Shares of the unit interval, the ends among them.
fn shares() -> impl Iterator<Item = f64> + Clone {
    (0..=48).map(|i| f64::from(i) / 48.0)
}

fn within([min, max]: [f32; 2], share: f64) -> f64 {
    f64::from(min) + share * (f64::from(max) - f64::from(min))
}

/// Every admissible swing of a quarter or a cone: rotation vectors across an axis.
fn ellipse_swings(axis: Vec3, across: Vec3, x: [f32; 2], y: [f32; 2]) -> Vec<DVec3> {
    let (_, x_axis, y_axis) = ellipse_axes(axis, across);
    let mut swings = vec![];
    for turn in shares() {
        let (sin, cos) = (turn * core::f64::consts::TAU).sin_cos();
        let a = f64::from(if cos < 0.0 { -x[0] } else { x[1] });
        let b = f64::from(if sin < 0.0 { -y[0] } else { y[1] });
        for out in [0.0, 0.3, 0.7, 0.9, 0.99, 1.0] {
            swings.push((x_axis * (a * cos) + y_axis * (b * sin)) * out);
        }
    }
    swings
}

fn turn64(vector: DVec3) -> DQuat {
    DQuat::from_scaled_axis(vector)
}

fn spec(limit: Limit, rest: Quat) -> Spec {
    Spec { limit, rest, weight: 1.0 }
}

proptest! {
    #![proptest_config(common::config(1500))]

    /// L1 to L8: inside, idempotent bit for bit, and bit for bit unchanged inside; whatever the
    /// limit, the rest and the sign of the quaternion.
    #[test]
    fn a_clamped_rotation_is_inside_and_stays_as_it_is(
        limit in limit(), rest in quat(), local in quat(),
    ) {
        let spec = spec(limit, rest);
        let joint = spec.joint();
        let clamped = clamp_joint_3d(local, &joint).unwrap();
        prop_assert!((clamped.length() - 1.0).abs() < 5e-7);
        let excess = spec.excess(q64(clamped));
        prop_assert!(excess < PROMISED, "{excess}");
        prop_assert_eq!(clamp_joint_3d(clamped, &joint).unwrap(), clamped);
        prop_assert_eq!(clamp_joint_3d(-clamped, &joint).unwrap(), -clamped);
        if spec.excess(q64(local)) == 0.0 && !matches!(limit, Limit::Hinge { .. }) {
            prop_assert_eq!(clamped, local);
        }
        let other = clamp_joint_3d(-local, &joint).unwrap();
        let gap = angle_between(q64(other), q64(clamped));
        prop_assert!(gap < NEAR, "the sign of a quaternion means nothing: {gap}");
    }

    #[test]
    fn in_the_plane_too(spec in spec_2d(), local in rot2()) {
        let joint = spec.joint();
        let clamped = clamp_joint_2d(local, &joint).unwrap();
        let excess = spec.excess(angle_2d(clamped));
        prop_assert!(excess < PROMISED, "{excess}");
        prop_assert_eq!(clamp_joint_2d(clamped, &joint).unwrap(), clamped);
        let outside = spec.excess(angle_2d(local));
        if outside == 0.0 {
            prop_assert_eq!(clamped, local);
        }
        let moved = wrap64(angle_2d(clamped) - angle_2d(local)).abs();
        prop_assert!((moved - outside).abs() < NEAR, "{moved} where {outside} does");
    }

    /// Nearest in angle among all turns of the range.
    #[test]
    fn a_hinge_goes_to_the_nearest_turn(limit in hinge(), rest in quat(), local in quat()) {
        let Limit::Hinge { axis, range } = limit else { unreachable!() };
        let clamped = clamp_joint_3d(local, &spec(limit, rest).joint()).unwrap();
        let moved = angle_between(q64(clamped), q64(local));
        let axis = v64(axis).normalize();
        for share in shares() {
            let admissible = q64(rest) * DQuat::from_axis_angle(axis, within(range, share));
            prop_assert!(moved <= angle_between(admissible, q64(local)) + NEAR);
        }
    }

    /// Nearest in angle among all swings, with every admissible twist.
    #[test]
    fn a_cone_goes_to_the_nearest_swing_and_twist(
        limit in cone(), rest in quat(), local in quat(), turn in -PI..PI,
    ) {
        let Limit::Cone { axis, swing, twist } = limit else { unreachable!() };
        let clamped = clamp_joint_3d(local, &spec(limit, rest).joint()).unwrap();
        let moved = angle_between(q64(clamped), q64(local));
        let axis = v64(axis).normalize();
        let (own_twist, own) = split(q64(rest).conjugate() * q64(clamped), axis);
        let (x, y) = axis.any_orthonormal_pair();
        // Rounding alone has no direction.
        let own = if own.length() > 1e-4 { own } else { x };
        let twists = twist.unwrap_or([-PI, PI]);
        let ways = [
            own.normalize(),
            (own.normalize() + 0.02 * axis.cross(own)).normalize(),
            x * f64::from(turn).cos() + y * f64::from(turn).sin(),
        ];
        for way in ways {
            for share in shares() {
                for out in [0.0, 0.5, 0.97, 1.0] {
                    let swing = turn64(way * (f64::from(swing) * out));
                    for twist in [within(twists, share), own_twist] {
                        let turn = swing * DQuat::from_axis_angle(axis, twist);
                        if range_excess(twist, twists) < 1e-9 {
                            let admissible = q64(rest) * turn;
                            let gap = angle_between(admissible, q64(local));
                            prop_assert!(moved <= gap + NEAR, "{moved} > {gap}");
                        }
                    }
                }
            }
        }
    }

    /// The nearest swing, given the twist.
    #[test]
    fn an_ellipse_goes_to_the_nearest_swing(limit in ellipse(), rest in quat(), local in quat()) {
        let Limit::Ellipse { axis, across, x, y, twist } = limit else { unreachable!() };
        let clamped = clamp_joint_3d(local, &spec(limit, rest).joint()).unwrap();
        let moved = angle_between(q64(clamped), q64(local));
        let unit = v64(axis).normalize();
        let (own_twist, own) = split(q64(rest).conjugate() * q64(clamped), unit);
        prop_assume!(own.length() < 3.1);
        if let Some(twist) = twist {
            let (wanted, swing) = split(q64(rest).conjugate() * q64(local), unit);
            if swing.length() < 3.0 {
                let moved = wrap64(own_twist - wanted).abs();
                prop_assert!((moved - range_excess(wanted, twist)).abs() < 1e-5, "the twist first");
            }
        }
        for swing in ellipse_swings(axis, across, x, y) {
            let turn = turn64(swing) * DQuat::from_axis_angle(unit, own_twist);
            let gap = angle_between(q64(rest) * turn, q64(local));
            prop_assert!(moved <= gap + 5e-6, "{moved} > {gap} at {swing}");
        }
    }

    /// The nearest direction, and there the nearest roll.
    #[test]
    fn an_eye_looks_in_the_nearest_direction(limit in yaw_pitch(), rest in quat(), local in quat()) {
        let Limit::YawPitch { forward, up, yaw, pitch, roll } = limit else { unreachable!() };
        let clamped = clamp_joint_3d(local, &spec(limit, rest).joint()).unwrap();
        let (forward, up, left) = eye_axes(forward, up);
        let wanted = q64(rest).conjugate() * q64(local) * forward;
        let found = q64(rest).conjugate() * q64(clamped) * forward;
        let moved = angle_between_directions(wanted, found);
        for yaw_share in shares() {
            for pitch_share in shares() {
                let at = at_yaw_pitch(within(yaw, yaw_share), within(pitch, pitch_share), up, left);
                let gap = angle_between_directions(at * forward, wanted);
                prop_assert!(moved <= gap + NEAR, "{moved} > {gap}");
            }
        }
        let (own_yaw, own_pitch) = gaze(found, forward, up, left);
        if own_pitch.cos() > 0.1 {
            let level = at_yaw_pitch(own_yaw, own_pitch, up, left);
            let (own_roll, _) = split(level.conjugate() * q64(rest).conjugate() * q64(clamped), forward);
            prop_assert!(range_excess(own_roll, roll) < PROMISED);
        }
    }

    /// The soft clamp never passes the bound, is the identity up to the soft part, rises, and makes
    /// no jumps.
    #[test]
    fn softly_in_the_plane(
        centre in -PI..PI, half in 0.05_f32..3.1, softness in 0.0_f32..=1.0, rest in rot2(),
    ) {
        let spec = Spec2 { range: Some([centre - half, centre + half]), rest, weight: 1.0 };
        let joint = spec.joint();
        let at = |offset: f32| {
            let local = Rot2::from_angle((rest.angle() + centre) + offset);
            let eased = clamp_joint_2d_soft(local, &joint, softness).unwrap();
            assert!(spec.excess(angle_2d(eased)) < PROMISED);
            wrap64(angle_2d(eased) - angle_2d(rest) - f64::from(centre))
        };
        let mut last = at(0.0);
        prop_assert!(last.abs() < 2e-6);
        for step in 1..=100_u8 {
            let offset = 3.1 * f32::from(step) / 100.0;
            let next = at(offset);
            prop_assert!(next >= last - 2e-6, "rises");
            prop_assert!(next - last < 0.031 + 3e-6, "with a slope of at most 1");
            prop_assert!((next + at(-offset)).abs() < 4e-6, "the same to either side");
            if offset < half * (1.0 - softness) {
                prop_assert!((next - f64::from(offset)).abs() < 2e-6);
            }
            last = next;
        }
    }

    /// The same for every limit of space: never past the bound, and without softness the clamp.
    #[test]
    fn softly_in_space(
        limit in limit(), rest in quat(), local in quat(), softness in 0.0_f32..=1.0,
    ) {
        let spec = spec(limit, rest);
        let joint = spec.joint();
        let eased = clamp_joint_3d_soft(local, &joint, softness).unwrap();
        let excess = spec.excess(q64(eased));
        prop_assert!(excess < PROMISED, "{excess}");
        if softness == 0.0 {
            prop_assert_eq!(eased, clamp_joint_3d(local, &joint).unwrap());
        }
    }

    /// Continuous and monotone: a swing that grows comes back as a swing that grows.
    #[test]
    fn a_soft_cone_and_a_soft_ellipse_ease_along_the_ray(
        axis in unit3(), side in unit3(), most in 0.1_f32..3.0, softness in 0.01_f32..=1.0,
        elliptic in any::<bool>(),
    ) {
        let across = axis.cross(side);
        prop_assume!(across.length() > 0.1);
        let joint = if elliptic {
            Joint3::ellipse(axis, across, [-most, most], [-0.5 * most, 0.7])
        } else {
            Joint3::cone(axis, most)
        };
        let way = across.normalize();
        let mut last = 0.0;
        for step in 1..=60_u8 {
            let swing = 3.1 * f32::from(step) / 60.0;
            let eased = clamp_joint_3d_soft(Quat::from_axis_angle(way, swing), &joint, softness).unwrap();
            let next = v64(eased.xyz()).dot(v64(way)).atan2(f64::from(eased.w)) * 2.0;
            prop_assert!(last - 2e-6 <= next && next - last <= 3.1 / 60.0 + 3e-6);
            prop_assert!(next <= f64::from(most) + 2e-6);
            last = next;
        }
    }
}

fn degrees_2d(local: f32, min: f32, max: f32) -> f32 {
    let joint = Joint2::range(min.to_radians(), max.to_radians());
    clamp_joint_2d(Rot2::from_angle(local.to_radians()), &joint).unwrap().angle().to_degrees()
}

/// The same about every axis of space, with either sign.
fn degrees_3d(local: f32, min: f32, max: f32) -> Vec<f32> {
    let axes = [Vec3::X, -Vec3::Y, Vec3::Z, Vec3::new(1.0, -2.0, 3.0).normalize()];
    let mut turns = vec![];
    for axis in axes {
        let joint = Joint3::hinge(axis * 7.0, min.to_radians(), max.to_radians());
        for sign in [1.0, -1.0] {
            let q = Quat::from_axis_angle(axis, local.to_radians()) * sign;
            let q = clamp_joint_3d(q, &joint).unwrap();
            let turn = 2.0 * q.xyz().dot(axis).atan2(q.w);
            turns.push(sinew::wrap_angle(turn).to_degrees());
        }
    }
    turns
}

fn clamps(local: f32, [min, max]: [f32; 2], right: f32) {
    let close = |found: f32| {
        let gap = sinew::wrap_angle((found - right).to_radians()).abs();
        assert!(gap < 2e-6, "{local} into {min} .. {max}: {found} instead of {right}");
    };
    close(degrees_2d(local, min, max));
    degrees_3d(local, min, max).into_iter().for_each(close);
}

/// L1: the sign of the angle is not lost.
#[test]
fn a_hinge_knows_the_sign_of_its_angle() {
    for angle in [-89.0, -30.0, -1e-3, 1e-3, 30.0, 89.0] {
        clamps(angle, [-90.0, 90.0], angle);
    }
}

/// L2, L4: about the range's centre, the upper end where both are as near.
#[test]
fn a_range_is_clamped_about_its_centre() {
    clamps(-163.3, [-225.0, -135.0], -163.3);
    clamps(0.0, [-225.0, -135.0], -135.0);
    clamps(-100.0, [-225.0, -135.0], -135.0);
    clamps(100.0, [-225.0, -135.0], 135.0);
    clamps(0.0, [-45.0, 45.0], 0.0);
    clamps(180.0, [-45.0, 45.0], 45.0);
    clamps(-180.0, [-45.0, 45.0], 45.0);
    clamps(-179.0, [-45.0, 45.0], -45.0);
    for angle in [-180.0, -170.0, 0.0, 90.0, 180.0] {
        clamps(angle, [-180.0, 180.0], angle);
        clamps(angle, [-400.0, 400.0], angle);
    }
}

/// L3: a bound of zero is a bound.
#[test]
fn a_bound_of_zero_is_a_bound() {
    clamps(-30.0, [0.0, 90.0], 0.0);
    clamps(120.0, [0.0, 90.0], 90.0);
    clamps(30.0, [-90.0, 0.0], 0.0);
    clamps(30.0, [0.0, 0.0], 0.0);
}

/// L8: ranges wider than half a turn are used whole.
#[test]
fn a_wide_range_is_used_whole() {
    for max in [200.0_f32, 300.0] {
        for angle in [0.0, 90.0, 179.0, 181.0, max - 1.0] {
            clamps(angle, [0.0, max], angle);
        }
        clamps(max + 1.0, [0.0, max], max);
        clamps(-1.0, [0.0, max], 0.0);
    }
}

/// Ranges that lie turns away from zero: rounding at their size is not rounding of the angle.
#[test]
fn a_range_turns_away_from_zero_is_the_range_at_zero() {
    for turns in [-100.0_f32, -5.0, 3.0, 1000.0] {
        let shift = turns * TAU;
        for step in 0..100_u8 {
            let local = Rot2::from_angle(-0.7 + f32::from(step) * 0.02);
            let spec = Spec2 {
                range: Some([shift - 1.0, shift + 2.0]),
                rest: Rot2::IDENTITY,
                weight: 1.0,
            };
            let clamped = clamp_joint_2d(local, &spec.joint()).unwrap();
            assert_eq!(clamped, local, "inside is inside");
            let out = clamp_joint_2d(Rot2::from_angle(-2.0), &spec.joint()).unwrap();
            assert!(spec.excess(angle_2d(out)) < PROMISED);
            assert_eq!(clamp_joint_2d(out, &spec.joint()).unwrap(), out);
        }
    }
}

/// L5: measured from the rest, whichever way the rig looks.
#[test]
fn limits_are_measured_from_the_rest() {
    let down = Quat::from_rotation_x(PI);
    let joint = Joint3::cone(Vec3::Y, 0.5).with_rest(down);
    let inside = down * Quat::from_rotation_z(0.4);
    assert_eq!(clamp_joint_3d(inside, &joint).unwrap(), inside);
    let clamped = clamp_joint_3d(Quat::IDENTITY, &joint).unwrap();
    let swing = angle_between_directions(q64(clamped) * DVec3::Y, q64(down) * DVec3::Y);
    assert!((swing - 0.5).abs() < 2e-6);
    let knee = Joint3::hinge(Vec3::X, -0.1, 0.1).with_rest(down);
    assert!(angle_between(q64(clamp_joint_3d(down, &knee).unwrap()), q64(down)) < 1e-6);
}

/// L7: ten thousand frames of pushing against the cone, each from where the last one ended.
#[test]
fn pushing_against_a_limit_never_creeps_past_it() {
    let push = Quat::from_axis_angle(Vec3::new(0.3, 0.8, -0.5).normalize(), 0.05);
    let limits = [
        Limit::Cone { axis: Vec3::Y, swing: 0.5, twist: None },
        Limit::Cone { axis: Vec3::Y, swing: 0.5, twist: Some([-0.3, 0.2]) },
        Limit::Ellipse {
            axis: Vec3::Y,
            across: Vec3::X,
            x: [-0.2, 0.5],
            y: [-0.1, 1.0],
            twist: Some([-0.3, 0.2]),
        },
        Limit::YawPitch {
            forward: Vec3::Z,
            up: Vec3::Y,
            yaw: [-0.5, 0.5],
            pitch: [-0.4, 0.3],
            roll: [0.0, 0.1],
        },
        Limit::Hinge { axis: Vec3::X, range: [-0.1, 3.5] },
    ];
    for limit in limits {
        let spec = spec(limit, Quat::from_rotation_z(0.7));
        let mut local = spec.rest;
        for _ in 0..10_000 {
            local = clamp_joint_3d((local * push).normalize(), &spec.joint()).unwrap();
            assert!(spec.excess(q64(local)) < PROMISED, "{limit:?}");
        }
        let mut soft = spec.rest;
        for _ in 0..1_000 {
            soft = clamp_joint_3d_soft((soft * push).normalize(), &spec.joint(), 0.5).unwrap();
            assert!(spec.excess(q64(soft)) < PROMISED, "soft {limit:?}");
        }
    }
}

fn error_3d(joint: Joint3) -> Error {
    let local = Quat::from_rotation_x(1.0);
    let error = clamp_joint_3d(local, &joint).unwrap_err();
    assert_eq!(clamp_joint_3d_soft(local, &joint, 0.5).unwrap_err(), error);
    error
}

fn names(error: Error, argument: &str, fault: Fault) {
    assert_eq!((error.argument, error.fault), (argument, fault));
}

/// L9: a bad bound or axis is an error that names it.
#[test]
fn a_bad_limit_is_an_error_that_names_it() {
    const NAN: f32 = f32::NAN;
    const INF: f32 = f32::INFINITY;
    for bad in [NAN, INF, -INF] {
        names(error_3d(Joint3::hinge(Vec3::X, bad, 1.0)), "joint.min", Fault::NotFinite);
        names(error_3d(Joint3::hinge(Vec3::X, 0.0, bad)), "joint.max", Fault::NotFinite);
        names(
            error_3d(Joint3::hinge(Vec3::new(bad, 1.0, 0.0), 0.0, 1.0)),
            "joint.axis",
            Fault::NotFinite,
        );
        names(error_3d(Joint3::cone(Vec3::splat(bad), 1.0)), "joint.axis", Fault::NotFinite);
        let twisted = Joint3::cone(Vec3::Y, 1.0);
        names(error_3d(twisted.with_twist(bad, 1.0)), "joint.twist_min", Fault::NotFinite);
        names(error_3d(twisted.with_twist(0.0, bad)), "joint.twist_max", Fault::NotFinite);
        let ellipse = |across, x, y| error_3d(Joint3::ellipse(Vec3::Y, across, x, y));
        names(ellipse(Vec3::X, [bad, 1.0], [0.0; 2]), "joint.x_min", Fault::NotFinite);
        names(ellipse(Vec3::X, [0.0; 2], [0.0, bad]), "joint.y_max", Fault::NotFinite);
        assert_eq!(ellipse(Vec3::splat(bad), [0.0; 2], [0.0; 2]).argument, "joint.across");
        let eye = |up, yaw, pitch| error_3d(Joint3::yaw_pitch(Vec3::Z, up, yaw, pitch));
        names(eye(Vec3::Y, [bad, 1.0], [0.0; 2]), "joint.yaw_min", Fault::NotFinite);
        names(eye(Vec3::Y, [0.0; 2], [0.0, bad]), "joint.pitch_max", Fault::NotFinite);
        assert_eq!(eye(Vec3::new(0.0, bad, 1.0), [0.0; 2], [0.0; 2]).argument, "joint.up");
        let error = error_3d(Joint3::FREE.with_weight(bad)).argument;
        assert_eq!(error, "joint.weight");
        let error = error_3d(Joint3::FREE.with_rest(Quat::from_xyzw(0.0, bad, 0.0, 1.0)));
        names(error, "joint.rest", Fault::NotFinite);
        let error = clamp_joint_2d(Rot2::IDENTITY, &Joint2::range(bad, 0.0)).unwrap_err();
        names(error, "joint.min", Fault::NotFinite);
        let error = clamp_joint_2d(Rot2::IDENTITY, &Joint2::range(0.0, bad)).unwrap_err();
        names(error, "joint.max", Fault::NotFinite);
        let error = clamp_joint_2d(Rot2 { cos: bad, sin: 0.0 }, &Joint2::FREE).unwrap_err();
        names(error, "local", Fault::NotFinite);
        let error = clamp_joint_3d(Quat::from_xyzw(bad, 0.0, 0.0, 1.0), &Joint3::FREE).unwrap_err();
        names(error, "local", Fault::NotFinite);
    }
    // Finite, though its square is not.
    let huge = Quat::from_xyzw(0.0, 1e38, 0.0, 1e38);
    names(clamp_joint_3d(huge, &Joint3::FREE).unwrap_err(), "local", Fault::NotUnit);
    let huge = Rot2 { cos: 1e38, sin: 0.0 };
    names(clamp_joint_2d(huge, &Joint2::FREE).unwrap_err(), "local", Fault::NotUnit);
    names(error_3d(Joint3::hinge(Vec3::X, 1.0, 0.0)), "joint.min", Fault::AboveMax);
    names(error_3d(Joint3::hinge(Vec3::X, 100.0, 99.0)), "joint.min", Fault::AboveMax);
    names(error_3d(Joint3::hinge(Vec3::ZERO, 0.0, 1.0)), "joint.axis", Fault::NoDirection);
    names(error_3d(Joint3::cone(Vec3::Y, -0.1)), "joint.swing", Fault::OutOfRange);
    names(error_3d(Joint3::cone(Vec3::Y, 3.2)), "joint.swing", Fault::OutOfRange);
    names(error_3d(Joint3::cone(Vec3::Y, NAN)), "joint.swing", Fault::NotFinite);
    // A joint is made before it is checked: its numbers may be any.
    names(error_3d(Joint3::cone(Vec3::Y, f32::MAX)), "joint.swing", Fault::OutOfRange);
    names(error_3d(Joint3::cone(Vec3::Y, 1e10)), "joint.swing", Fault::OutOfRange);
    names(error_3d(Joint3::twist(Vec3::Y, 1.0, 0.5)), "joint.twist_min", Fault::AboveMax);
    let ellipse = |across, x, y| error_3d(Joint3::ellipse(Vec3::Y, across, x, y));
    names(ellipse(Vec3::Y * 2.0, [0.0; 2], [0.0; 2]), "joint.across", Fault::NotAcross);
    names(ellipse(Vec3::ZERO, [0.0; 2], [0.0; 2]), "joint.across", Fault::NoDirection);
    names(ellipse(Vec3::NAN, [0.0; 2], [0.0; 2]), "joint.across", Fault::NotFinite);
    names(ellipse(Vec3::X, [0.1, 1.0], [0.0; 2]), "joint.x_min", Fault::OutOfRange);
    names(ellipse(Vec3::X, [0.0; 2], [-1.0, 4.0]), "joint.y_max", Fault::OutOfRange);
    names(ellipse(Vec3::X, [0.0; 2], [-0.5, 40.0]), "joint.y_max", Fault::OutOfRange);
    let eye = |up, yaw, pitch| error_3d(Joint3::yaw_pitch(Vec3::Z, up, yaw, pitch));
    names(eye(Vec3::NEG_Z, [0.0; 2], [0.0; 2]), "joint.up", Fault::NotAcross);
    names(eye(Vec3::ZERO, [0.0; 2], [0.0; 2]), "joint.up", Fault::NoDirection);
    names(eye(Vec3::Y, [1.0, 0.0], [0.0; 2]), "joint.yaw_min", Fault::AboveMax);
    names(eye(Vec3::Y, [0.0; 2], [-2.0, 0.0]), "joint.pitch_min", Fault::OutOfRange);
    names(eye(Vec3::Y, [0.0; 2], [-0.5, 45.0]), "joint.pitch_max", Fault::OutOfRange);
    names(error_3d(Joint3::FREE.with_weight(1.1)), "joint.weight", Fault::OutOfRange);
    names(
        error_3d(Joint3::FREE.with_rest(Quat::from_xyzw(0.0, 0.0, 0.0, 0.9))),
        "joint.rest",
        Fault::NotUnit,
    );
    let error = clamp_joint_2d(Rot2::IDENTITY, &Joint2::range(0.1, 0.0)).unwrap_err();
    names(error, "joint.min", Fault::AboveMax);
    let error = clamp_joint_2d(Rot2 { cos: 0.9, sin: 0.0 }, &Joint2::FREE).unwrap_err();
    names(error, "local", Fault::NotUnit);
    for softness in [-0.1, 1.1, NAN] {
        let error = clamp_joint_2d_soft(Rot2::IDENTITY, &Joint2::FREE, softness).unwrap_err();
        assert_eq!(error.argument, "softness");
        let error = clamp_joint_3d_soft(Quat::IDENTITY, &Joint3::FREE, softness).unwrap_err();
        assert_eq!(error.argument, "softness");
    }
}

/// π and its half as files round them are π and its half, and no more.
#[test]
fn a_bound_may_be_rounded_to_four_decimals() {
    let joints = |half_turn: f32, quarter: f32| {
        [
            Joint3::cone(Vec3::Y, half_turn),
            Joint3::ellipse(Vec3::Y, Vec3::X, [-half_turn, 0.5], [-0.5, half_turn]),
            Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-1.0, 1.0], [-quarter, quarter]),
        ]
    };
    let [half_turn, quarter] = ["3.1416", "1.5708"].map(|written| written.parse().unwrap());
    let mut random = Random::new(3);
    for _ in 0..1000 {
        let local = random.rotation();
        let exact = joints(PI, 0.5 * PI).map(|joint| clamp_joint_3d(local, &joint).unwrap());
        let rounded =
            joints(half_turn, quarter).map(|joint| clamp_joint_3d(local, &joint).unwrap());
        for (a, b) in exact.into_iter().zip(rounded) {
            assert_eq!(a, b);
        }
    }
    let beyond = joints(3.1417, 1.5709).map(|joint| error_3d(joint).argument);
    assert_eq!(beyond, ["joint.swing", "joint.x_min", "joint.pitch_min"]);
}

/// The stated ties: a turn of half a turn about another axis has no angle about the hinge, nor a
/// twist; straight up and down have no yaw.
#[test]
fn ties_are_decided_as_stated() {
    let rest = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    for step in 0..32_u8 {
        let turn = f32::from(step) * TAU / 32.0;
        let across = Vec3::new(turn.cos(), 0.0, turn.sin());
        let local = rest * Quat::from_axis_angle(across, PI);
        let hinge = Joint3::hinge(Vec3::Y, -1.0, 2.0).with_rest(rest);
        let clamped = clamp_joint_3d(local, &hinge).unwrap();
        assert!(angle_between(q64(clamped), q64(rest)) < 1e-6, "{turn}: {clamped}");
        let twist = Joint3::twist(Vec3::Y, 0.5, 1.0).with_rest(rest);
        let (_, swing) =
            split(q64(rest).conjugate() * q64(clamp_joint_3d(local, &twist).unwrap()), DVec3::Y);
        assert!((swing.length() - core::f64::consts::PI).abs() < 2e-6);
        let eye = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-1.0, 1.0], [-FRAC_PI_2, 1.4]);
        for (up, most) in [(FRAC_PI_2, 1.4), (-FRAC_PI_2, FRAC_PI_2)] {
            // Straight up or down yaw and roll are one: all of it counts as yaw.
            let turn = sinew::wrap_angle(turn);
            if turn == PI {
                continue;
            }
            let local = Quat::from_rotation_y(turn) * Quat::from_rotation_x(-up);
            let yaw = turn.clamp(-1.0, 1.0);
            let right = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(-up.signum() * most);
            let clamped = clamp_joint_3d(local, &eye).unwrap();
            assert!(angle_between(q64(clamped), q64(right)) < NEAR, "{turn} {up}");
        }
    }
}

/// A twist half a turn outside its range leaves neither a swing nor a direction for one: what
/// rounding leaves across the axis must not be taken for one and drawn out to the cone's mouth.
#[test]
fn a_twist_opposite_its_range_does_not_turn_into_a_swing() {
    for axis in [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.7, 0.2)] {
        for (min, max) in [(0.0, 0.0), (-0.3, 0.5)] {
            let joint = Joint3::cone(axis, 0.16).with_twist(min, max);
            for i in -50..=50_i8 {
                let twist = 0.5 * (min + max) + PI + f32::from(i) * 1e-7;
                let local = Quat::from_axis_angle(axis.normalize(), twist);
                for local in [local, -local] {
                    let clamped = clamp_joint_3d(local, &joint).unwrap();
                    assert_eq!(clamp_joint_3d(clamped, &joint).unwrap(), clamped);
                    let (swing, twist) = swing_twist(clamped, axis);
                    assert!(Rotation::angle(swing) < 1e-5, "{axis} {i}: {swing:?}");
                    let along = parts_along(twist, axis);
                    assert!((min - 1e-5..=max + 1e-5).contains(&along), "{axis} {i}: {along}");
                }
            }
        }
    }
}

/// The signed angle of a twist about an axis.
fn parts_along(twist: Quat, axis: Vec3) -> f32 {
    2.0 * twist.xyz().dot(axis.normalize()).atan2(twist.w)
}

proptest! {
    #![proptest_config(common::config(300_000))]

    /// Where an eye looks almost straight up, and where a cone's swing is almost half a turn, the
    /// yaw and the twist are known to few digits: clamping twice is clamping once even there.
    #[test]
    fn clamping_twice_is_clamping_once_near_the_poles(
        limit in prop_oneof![yaw_pitch(), cone()], rest in quat(), yaw in -PI..PI, roll in -PI..PI,
        off in prop_oneof![Just(0.0), -1e-6_f32..1e-6, -1e-5_f32..1e-5, -1e-3_f32..1e-3],
        up in proptest::bool::ANY,
    ) {
        let joint = spec(limit, rest).joint();
        let turn = match limit {
            Limit::YawPitch { forward, up: local_up, .. } => {
                let (forward, local_up, left) = eye_axes(forward, local_up);
                let pitch = f64::from(FRAC_PI_2.copysign(if up { 1.0 } else { -1.0 }) + off);
                at_yaw_pitch(f64::from(yaw), pitch, local_up, left)
                    * DQuat::from_axis_angle(forward, f64::from(roll))
            }
            Limit::Cone { axis, .. } => {
                let axis = v64(axis).normalize();
                let (x, y) = axis.any_orthonormal_pair();
                let (sin, cos) = f64::from(yaw).sin_cos();
                turn64((x * cos + y * sin) * f64::from(PI + off))
                    * DQuat::from_axis_angle(axis, f64::from(roll))
            }
            _ => unreachable!(),
        };
        let local = (q64(rest) * turn).normalize().as_quat();
        let clamped = clamp_joint_3d(local, &joint).unwrap();
        prop_assert_eq!(clamp_joint_3d(clamped, &joint).unwrap(), clamped);
    }
}

/// What the documentation of `clamp_joint_3d` says of ellipses that reach nearly to half a turn one
/// way and nowhere the other: how seldom a rotation moves when it is clamped again,
/// and how far.
#[test]
fn narrow_ellipses_seldom_clamp_further() {
    const RUNS: u32 = 100_000;
    let mut random = Random::new(9);
    let (mut moved, mut worst) = (0, 0.0_f64);
    for _ in 0..RUNS {
        let [left, right] = [(); 2].map(|()| random.between(2.8, PI + 0.1).min(PI));
        let [down, up] = [(); 2].map(|()| 10_f32.powf(random.between(-8.0, -3.0)));
        let (x, y) = ([-left, right], [-down, up]);
        let joint = Joint3::ellipse(random.direction(), random.direction(), x, y);
        let once = clamp_joint_3d(random.rotation(), &joint).unwrap();
        let twice = clamp_joint_3d(once, &joint).unwrap();
        if twice != once {
            moved += 1;
            worst = worst.max(angle_between(q64(once), q64(twice)));
        }
    }
    println!("narrow ellipses: {moved} of {RUNS} moved again, by {worst} rad at most");
    assert!(moved * 2500 <= RUNS && worst < 0.15);
}

/// Half a turn about a cone's axis with the twist held has no upright part and no tilt, of either
/// sign.
#[test]
fn half_a_twist_that_is_taken_off_softly_leaves_a_unit_rotation() {
    for swing in [0.1, 0.3, 1.0, 3.0] {
        let half_turn = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
        let cone = Joint3::cone(-Vec3::X, swing).with_twist(0.0, 0.0).with_rest(half_turn);
        for percent in 0..=100_u8 {
            let softness = 0.01 * f32::from(percent);
            let soft = clamp_joint_3d_soft(Quat::IDENTITY, &cone, softness);
            let length = soft.unwrap().length();
            assert!((length - 1.0).abs() < 1e-6, "{swing} {softness}: {length}");
        }
    }
}
