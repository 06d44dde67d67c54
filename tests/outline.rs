//! Outlines: segments of the right number, on the edge of what the limits allow.

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    Fault, Joint2, Joint3, Rot2, chain_outline, clamp_joint_3d, limit_outline, pole_outline,
};

const SEGMENTS: usize = 40;

fn lines(joint: &Joint3, parent: Quat) -> Vec<[Vec3; 2]> {
    limit_outline(joint, Vec3::X, parent, Vec3::Y * 2.0, SEGMENTS).unwrap().collect()
}

/// The bone points to where its end is on the outline: just inside the limits it is left alone,
/// just outside it is brought back.
#[test]
fn a_cones_mouth_is_where_the_clamp_begins() {
    let swing = 0.7;
    let joint = Joint3::cone(Vec3::Y, swing);
    for [from, _] in lines(&joint, Quat::IDENTITY).into_iter().take(SEGMENTS) {
        let direction = (from - Vec3::X) / 2.0;
        assert!((direction.angle_between(Vec3::Y) - swing).abs() < 1e-4);
        let axis = Vec3::Y.cross(direction).normalize();
        let inside = Quat::from_axis_angle(axis, swing - 1e-3);
        assert_eq!(clamp_joint_3d(inside, &joint).unwrap(), inside);
        let outside = Quat::from_axis_angle(axis, swing + 1e-3);
        assert_ne!(clamp_joint_3d(outside, &joint).unwrap(), outside);
    }
}

#[test]
fn an_ellipse_is_as_wide_as_its_four_half_axes() {
    let joint = Joint3::ellipse(Vec3::Y, Vec3::X, [-0.2, 1.0], [-0.4, 0.6]);
    let at = |step: usize| (lines(&joint, Quat::IDENTITY)[step][0] - Vec3::X) / 2.0;
    let quarter = SEGMENTS / 4;
    let turned = [1.0, 0.6, 0.2, 0.4].into_iter().enumerate();
    for (i, angle) in turned {
        assert!((at(i * quarter).angle_between(Vec3::Y) - angle).abs() < 1e-4, "quarter {i}");
    }
}

#[test]
fn a_hinges_arc_runs_from_one_bound_to_the_other_with_its_parent() {
    let joint = Joint3::hinge(Vec3::X, -0.3, 2.2);
    let parent = Quat::from_rotation_z(0.5);
    let lines = lines(&joint, parent);
    assert_eq!(lines.len(), SEGMENTS + 2);
    let end = |angle| Vec3::X + parent * Quat::from_rotation_x(angle) * Vec3::Y * 2.0;
    assert!(lines[0][0].distance(end(-0.3)) < 1e-5);
    assert!(lines[SEGMENTS - 1][1].distance(end(2.2)) < 1e-5);
    assert_eq!([lines[SEGMENTS][0], lines[SEGMENTS + 1][0]], [Vec3::X; 2]);
    for pair in lines[..SEGMENTS].windows(2) {
        assert_eq!(pair[0][1], pair[1][0], "the arc is one line");
    }
}

/// However wide the range: its ends may be so far apart that no float holds the way between them.
#[test]
fn a_window_all_round_goes_round_once() {
    for far in [4.0, 1e3, f32::MAX] {
        let eye = Joint3::yaw_pitch(Vec3::Y, Vec3::Z, [-far, far], [0.0, 0.3]);
        // A side of the window in four is the horizon.
        let horizon = lines(&eye, Quat::IDENTITY).into_iter().take(SEGMENTS / 4);
        let round: f32 =
            horizon.map(|[from, to]| (from - Vec3::X).angle_between(to - Vec3::X)).sum();
        assert!((round - core::f32::consts::TAU).abs() < 1e-3, "{far}: {round}");
    }
}

#[test]
fn a_window_has_its_corners_and_closes() {
    let joint = Joint3::yaw_pitch(Vec3::Y, Vec3::Z, [-0.4, 0.8], [-0.3, 0.3]);
    let lines = lines(&joint, Quat::IDENTITY);
    assert_eq!(lines.len(), SEGMENTS + 4);
    assert!(lines[0][0].distance(lines[SEGMENTS - 1][1]) < 1e-6);
    let corner = |yaw: f32, pitch: f32| {
        // Yaw about up, counter-clockwise; then up.
        let level = Quat::from_rotation_z(yaw) * Vec3::Y;
        Vec3::X + 2.0 * (level * pitch.cos() + Vec3::Z * pitch.sin())
    };
    let corners = [(-0.4, -0.3), (0.8, -0.3), (0.8, 0.3), (-0.4, 0.3)];
    for (i, (yaw, pitch)) in corners.into_iter().enumerate() {
        assert!(lines[i * SEGMENTS / 4][0].distance(corner(yaw, pitch)) < 1e-5, "corner {i}");
    }
}

#[test]
fn what_nothing_limits_has_no_outline_and_a_twist_has_one_of_its_own() {
    assert!(lines(&Joint3::free(), Quat::IDENTITY).is_empty());
    assert!(lines(&Joint3::hinge(Vec3::X, -4.0, 4.0), Quat::IDENTITY).is_empty());
    assert_eq!(lines(&Joint3::twist(Vec3::Y, -1.0, 1.0), Quat::IDENTITY).len(), SEGMENTS + 2);
    let both = Joint3::cone(Vec3::Y, 0.5).with_twist(-1.0, 1.0);
    assert_eq!(lines(&both, Quat::IDENTITY).len(), 2 * SEGMENTS + 4 + 2);
}

#[test]
fn the_plane_has_arcs_chains_and_poles() {
    let joint = Joint2::range(0.0, 1.0);
    let turned = Rot2::from_angle(0.5);
    let arc: Vec<_> = limit_outline(&joint, Vec2::ONE, turned, Vec2::X, 8).unwrap().collect();
    assert_eq!(arc.len(), 8 + 2);
    assert!(arc[7][1].distance(Vec2::ONE + Rot2::from_angle(1.5) * Vec2::X) < 1e-6);
    assert_eq!(chain_outline::<Vec2>(&[]).count(), 0);
    assert_eq!(pole_outline(&[Vec2::ONE], Vec2::X).count(), 0);
    // A chain whose ends meet has no line to stand a pole on but its root.
    let closed = [Vec2::ONE, Vec2::X, Vec2::ONE];
    assert!(pole_outline(&closed, Vec2::ZERO).all(|line| line.iter().all(|p| p.is_finite())));
}

#[test]
fn mistakes_are_named() {
    let joint = Joint3::hinge(Vec3::ZERO, 0.0, 1.0);
    let error = limit_outline(&joint, Vec3::ZERO, Quat::IDENTITY, Vec3::Y, 8).err().unwrap();
    assert_eq!((error.argument, error.fault), ("joint.axis", Fault::NoDirection));
    let good = Joint3::hinge(Vec3::X, 0.0, 1.0);
    let error = limit_outline(&good, Vec3::ZERO, Quat::IDENTITY, Vec3::Y, 0).err().unwrap();
    assert_eq!((error.argument, error.fault), ("segments", Fault::OutOfRange));
}
