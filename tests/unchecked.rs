//! What returns a bare value cannot refuse a number: its documentation says, under "Not checked",
//! what comes of one that is not finite.

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    Ground, Rot2, Spring, drag_from_half_life, look_rotation, perpendicular, shortest_arc_2d,
    shortest_arc_3d, signed_angle_2d, signed_angle_3d, swing_twist, wrap_angle,
};

/// A vector that is not finite, by the coordinate that is not, counts as one of no length.
#[test]
fn a_vector_that_is_not_finite_has_no_length() {
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    let tilted = Quat::from_rotation_x(0.3);
    let table: [(&str, &dyn Fn(Vec3) -> Quat); 10] = [
        ("shortest_arc_2d, from", &|v| in_space(shortest_arc_2d(v.truncate(), Vec2::Y))),
        ("shortest_arc_2d, to", &|v| in_space(shortest_arc_2d(Vec2::Y, v.truncate()))),
        ("shortest_arc_3d, from", &|v| shortest_arc_3d(v, y)),
        ("shortest_arc_3d, to", &|v| shortest_arc_3d(y, v)),
        ("look_rotation, direction", &|v| look_rotation(v, y, z, y)),
        ("look_rotation, up", &|v| look_rotation(x, v, z, y)),
        ("look_rotation, local_forward", &|v| look_rotation(x, y, v, y)),
        ("look_rotation, local_up", &|v| look_rotation(x, y, z, v)),
        ("swing_twist, the swing", &|v| swing_twist(tilted, v).0),
        ("swing_twist, the twist", &|v| swing_twist(tilted, v).1),
    ];
    for (name, rotation) in table {
        for bad in not_finite() {
            assert_eq!(rotation(bad), rotation(Vec3::ZERO), "{name}: {bad}");
        }
    }
    for bad in not_finite() {
        let flat = bad.truncate();
        assert_eq!([signed_angle_2d(flat, Vec2::Y), signed_angle_2d(Vec2::Y, flat)], [0.0; 2]);
        let angles = [(bad, y, z), (y, bad, z), (x, y, bad)];
        assert_eq!(angles.map(|(from, to, axis)| signed_angle_3d(from, to, axis)), [0.0; 3]);
        assert!((perpendicular(bad).length() - 1.0).abs() < 1e-6);
        let floor = Ground { point: x, normal: bad };
        assert_eq!([floor.nearest(y).point, floor.along(y, z).point], [y; 2]);
    }
}

/// Vectors with one coordinate, of the first two, that is not finite.
fn not_finite() -> impl Iterator<Item = Vec3> {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    bad.into_iter().flat_map(|bad| [Vec3::new(bad, 1.0, 0.5), Vec3::new(-1.0, bad, 0.5)])
}

fn in_space(turn: Rot2) -> Quat {
    Quat::from_xyzw(0.0, 0.0, turn.sin, turn.cos)
}

#[test]
fn nan_gives_nan_where_that_is_said() {
    let nan = f32::NAN;
    let turned = Rot2 { cos: nan, sin: 1.0 };
    let (swing, twist) = swing_twist(Quat::from_xyzw(nan, 0.0, 0.0, 1.0), Vec3::Y);
    let floor = Ground { point: Vec3::splat(nan), normal: Vec3::Y };
    let table: [(&str, &[f32]); 11] = [
        ("wrap_angle", &[wrap_angle(nan)]),
        ("Rot2::from_angle", &[Rot2::from_angle(nan).cos, Rot2::from_angle(nan).sin]),
        ("Rot2::angle", &[turned.angle()]),
        ("Rot2::rotate", &turned.rotate(Vec2::X).to_array()[..1]),
        ("swing_twist, the swing", &swing.to_array()),
        ("swing_twist, the twist", &twist.to_array()),
        ("drag_from_half_life", &[drag_from_half_life(nan)]),
        ("Spring::from_half_life", &[Spring::from_half_life(nan).frequency]),
        ("Spring::from_stiffness", &[Spring::from_stiffness(nan, 1.0, 1.0).frequency]),
        ("Ground::nearest", &floor.nearest(Vec3::ONE).point.to_array()),
        ("Ground::along", &floor.along(Vec3::ONE, Vec3::Y).point.to_array()[1..2]),
    ];
    for (name, numbers) in table {
        assert!(numbers.iter().all(|number| number.is_nan()), "{name}: {numbers:?}");
    }
    assert_eq!(turned.normalize(), Rot2::IDENTITY);
}
