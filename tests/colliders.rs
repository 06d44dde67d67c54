//! Nothing stays inside a collider, and nothing is moved further than it must be.

use proptest::prelude::*;
use sinew::glam::{DQuat, DVec3, Quat, Vec2, Vec3};
use sinew::{
    Capsule, Collider, Contact, Contacts, Error, Fault, OrientedBox, Plane, Rot2, Sphere, Vector,
    box_collide, capsule_collide, capsule_collide_bones, collide, plane_collide, sphere_collide,
    sphere_collide_bones,
};

const HARD: Contact<'static> =
    Contact { radius: 0.0, shell: 0.0, friction: 0.0, inverse_masses: &[] };

fn of_radius(radius: f32) -> Contact<'static> {
    Contact { radius, ..HARD }
}

/// One particle against any collider, with the function of its shape, and with the one of all.
fn push<V: Vector>(
    collider: &Collider<V>,
    point: V,
    contact: &Contact<'_>,
) -> Result<(V, Contacts), Error> {
    let mut points = [point];
    let mut same = points;
    let all = collide(&mut same, &[], collider, contact);
    let contacts = match collider {
        Collider::Sphere(s) => sphere_collide(&mut points, &[], s, contact),
        Collider::Capsule(s) => capsule_collide(&mut points, &[], s, contact),
        Collider::Plane(s) => plane_collide(&mut points, &[], s, contact),
        Collider::Box(s) => box_collide(&mut points, &[], s, contact),
        _ => unreachable!(),
    }?;
    assert_eq!((all, same), (Ok(contacts), points));
    Ok((points[0], contacts))
}

/// The distance of a point from a collider's surface, negative where it must not be: textbook
/// formulas in f64, in 3D.
fn distance(collider: &Collider<Vec3>, point: Vec3) -> f64 {
    let p = point.as_dvec3();
    match collider {
        Collider::Sphere(s) => {
            let out = p.distance(s.center.as_dvec3()) - f64::from(s.radius);
            if s.inside { -out } else { out }
        }
        Collider::Capsule(c) => {
            let (a, b) = (c.start.as_dvec3(), c.end.as_dvec3());
            let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            let t = if a == b { 0.0 } else { t };
            let out = p.distance(a + (b - a) * t) - f64::from(c.radius);
            if c.inside { -out } else { out }
        }
        Collider::Plane(s) => (p - s.point.as_dvec3()).dot(s.normal.as_dvec3().normalize()),
        Collider::Box(b) => {
            let q = DQuat::from_xyzw(
                b.rotation.x.into(),
                b.rotation.y.into(),
                b.rotation.z.into(),
                b.rotation.w.into(),
            )
            .normalize();
            let outside =
                (q.inverse() * (p - b.center.as_dvec3())).abs() - b.half_extents.as_dvec3();
            outside.max(DVec3::ZERO).length() + outside.max_element().min(0.0)
        }
        _ => unreachable!(),
    }
}

/// Coordinates of ordinary size that like to coincide.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![3 => -2.0..2.0_f32, 1 => Just(0.0), 1 => Just(1.0), 1 => Just(-0.5)]
}

fn point() -> impl Strategy<Value = Vec3> {
    [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from)
}

fn size() -> impl Strategy<Value = f32> {
    prop_oneof![4 => 0.05..1.5_f32, 1 => Just(0.0), 1 => Just(1.0)]
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop_oneof![
        Just(Quat::IDENTITY),
        (point(), -3.0..3.0_f32)
            .prop_map(|(v, a)| Quat::from_axis_angle((v + Vec3::splat(0.1)).normalize(), a)),
    ]
}

fn collider() -> impl Strategy<Value = Collider<Vec3>> {
    prop_oneof![
        (point(), size(), any::<bool>()).prop_map(|(center, radius, inside)| Sphere {
            center,
            radius,
            inside
        }
        .into()),
        (point(), point(), size(), any::<bool>()).prop_map(|(start, end, radius, inside)| {
            Capsule { start, end, radius, inside }.into()
        }),
        (point(), rotation()).prop_map(|(p, q)| Plane::new(p, q * Vec3::Y).into()),
        (point(), [size(), size(), size()], rotation()).prop_map(|(c, half, q)| {
            OrientedBox::new(c, Vec3::from(half)).with_rotation(q).into()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// A point that must go goes to the surface, the shortest way; any other stays bit for bit.
    #[test]
    fn a_particle_goes_to_the_nearest_point_of_the_surface(shape in collider(), p in point()) {
        let before = distance(&shape, p);
        let (moved, contacts) = push(&shape, p, &HARD).unwrap();
        let after = distance(&shape, moved);
        // Coordinates of size 4 have a rounding of 2.4e-7, and a few of them meet.
        prop_assert!(after > -2e-6, "left {after} deep");
        prop_assert!((f64::from(moved.distance(p)) - (-before).max(0.0)).abs() < 2e-6);
        if before > 1e-6 {
            prop_assert_eq!(moved, p);
            prop_assert_eq!(contacts, Contacts::default());
        } else if before < -1e-6 {
            prop_assert_eq!(contacts.touched, 1);
            prop_assert!((f64::from(contacts.deepest) + before).abs() < 2e-6);
        }
        prop_assert!((f64::from(shape.depth(p, 0.0)) + before).abs() < 2e-6);
    }

    /// A particle with a radius ends that far from the surface.
    #[test]
    fn the_radius_is_kept_off_the_surface(shape in collider(), p in point(), r in size()) {
        let inside = match shape {
            Collider::Sphere(s) if s.inside => s.radius,
            Collider::Capsule(c) if c.inside => c.radius,
            _ => f32::INFINITY,
        };
        let (moved, _) = push(&shape, p, &of_radius(r)).unwrap();
        let kept = f64::from(r.min(inside));
        prop_assert!(distance(&shape, moved) > kept - 3e-6);
        // A second push has nothing left to do.
        prop_assert!(push(&shape, moved, &of_radius(r)).unwrap().0.distance(moved) < 2e-6);
    }

    /// A soft shell pushes more the deeper a particle is, and never less than out.
    #[test]
    fn a_soft_shell_is_monotone_and_never_penetrated(
        shape in collider(), p in point(), shell in 0.01..1.0_f32,
    ) {
        let core = match shape {
            Collider::Sphere(s) if s.inside => s.radius,
            Collider::Capsule(c) if c.inside => c.radius,
            _ => f32::INFINITY,
        };
        let soft = Contact { shell, ..HARD };
        let before = distance(&shape, p);
        let (moved, _) = push(&shape, p, &soft).unwrap();
        let s = f64::from(shell);
        let expected = if before >= s {
            before
        } else if before <= -s {
            0.0
        } else {
            // A shell thicker than the inside of a shape pushes to its core.
            ((before + s).powi(2) / (4.0 * s)).min(core.into())
        };
        prop_assert!((f64::from(moved.distance(p)) - (expected - before)).abs() < 3e-6);
    }

    /// Moved, turned and scaled scenes give moved, turned and scaled answers.
    #[test]
    fn scale_does_not_matter(shape in collider(), p in point(), power in -10..10_i32) {
        let k = 2.0_f32.powi(power);
        let scaled = match shape {
            Collider::Sphere(s) => Sphere { center: s.center * k, radius: s.radius * k, ..s }.into(),
            Collider::Capsule(c) => {
                Capsule { start: c.start * k, end: c.end * k, radius: c.radius * k, ..c }.into()
            }
            Collider::Plane(s) => Plane { point: s.point * k, ..s }.into(),
            Collider::Box(b) => OrientedBox {
                center: b.center * k, half_extents: b.half_extents * k, ..b
            }.into(),
            other => other,
        };
        let (moved, _) = push(&shape, p, &HARD).unwrap();
        // Powers of two: to the last bit.
        prop_assert_eq!(push(&scaled, p * k, &HARD).unwrap().0, moved * k);
    }

    /// The plane of 2D is a slice through 3D.
    #[test]
    fn the_plane_agrees_with_space(
        c in point(), e in point(), p in point(), r in size(), inside in any::<bool>(),
    ) {
        let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        prop_assume!(flat(c) != flat(p) && flat(e) != flat(p));
        let (wide, _) =
            push(&Sphere { center: flat(c), radius: r, inside }.into(), flat(p), &HARD).unwrap();
        let (thin, _) = push(
            &Sphere { center: c.truncate(), radius: r, inside }.into(), p.truncate(), &HARD,
        ).unwrap();
        prop_assert!(wide.truncate().distance(thin) < 1e-6);
        let space = Capsule { start: flat(c), end: flat(e), radius: r, inside };
        let plane = Capsule { start: c.truncate(), end: e.truncate(), radius: r, inside };
        // On the segment itself the two leave by different ways.
        prop_assume!(distance(&Capsule { radius: 0.0, inside: false, ..space }.into(), flat(p)) > 1e-6);
        let (wide, _) = push(&space.into(), flat(p), &HARD).unwrap();
        let (thin, _) = push(&plane.into(), p.truncate(), &HARD).unwrap();
        prop_assert!(wide.truncate().distance(thin) < 2e-6);
    }

    /// A bone with both ends free is clear of a sphere after one push.
    #[test]
    fn no_sphere_slips_between_two_joints(
        a in point(), b in point(), center in point(), radius in size(),
    ) {
        prop_assume!(a != b);
        let sphere = Sphere::new(center, radius);
        let mut bone = [a, b];
        let contacts = sphere_collide_bones(&mut bone, &[], &sphere, &HARD).unwrap();
        let gap = |[a, b]: [Vec3; 2]| distance(&Capsule::new(a, b, radius).into(), center);
        if contacts.touched == 0 {
            prop_assert!(gap([a, b]) > -1e-6);
            prop_assert_eq!(bone, [a, b]);
        } else if gap([a, b]) < -1e-5 {
            // The push turns the bone unless it is in the middle or at an end, so that another
            // point may be nearest; a few more calls settle it.
            for _ in 0..40 {
                let _ = sphere_collide_bones(&mut bone, &[], &sphere, &HARD).unwrap();
            }
            prop_assert!(gap(bone) > -1e-4 * f64::from(radius) - 1e-6, "{}", gap(bone));
        }
    }

    /// A bone against a capsule, checked by sampling the bone.
    #[test]
    fn no_capsule_slips_between_two_joints(
        a in point(), b in point(), start in point(), end in point(), radius in 0.05..1.0_f32,
    ) {
        let capsule = Capsule::new(start, end, radius);
        let mut bone = [a, b];
        for _ in 0..60 {
            let _ = capsule_collide_bones(&mut bone, &[], &capsule, &HARD).unwrap();
        }
        for i in 0..=64_u8 {
            let p = bone[0].lerp(bone[1], f32::from(i) / 64.0);
            let gap = distance(&capsule.into(), p);
            prop_assert!(gap > -1e-3 * f64::from(radius) - 2e-6, "{gap} at {i}");
        }
    }

    /// Whatever the numbers, the answer is an error or finite, and an error changes nothing.
    #[test]
    fn any_number_is_an_error_or_finite(
        shape in collider(),
        p in [any::<f32>(), any::<f32>(), any::<f32>()],
        r in any::<f32>(), shell in any::<f32>(),
    ) {
        let p = Vec3::from(p);
        if let Ok((moved, _)) = push(&shape, p, &Contact { radius: r, shell, ..HARD }) {
            prop_assert!(moved.is_finite());
        }
    }
}

/// C1: a particle exactly at a sphere's centre.
#[test]
fn a_particle_at_the_centre_leaves_in_the_documented_direction() {
    let center = Vec3::new(0.2, 0.0, 0.0);
    let (moved, contacts) = push(&Sphere::new(center, 0.1).into(), center, &HARD).unwrap();
    assert_eq!(moved, center + Vec3::X * 0.1);
    assert_eq!(contacts.deepest, 0.1);
    let (moved, _) = push(&Sphere::new(Vec2::ONE, 0.5).into(), Vec2::ONE, &HARD).unwrap();
    assert_eq!(moved, Vec2::new(1.0, 1.5));
    // The inside of a sphere too small for the particle: its centre.
    let small = Sphere::inside(Vec2::ONE, 0.5);
    let (moved, _) = push(&small.into(), Vec2::ZERO, &of_radius(1.0)).unwrap();
    assert!(moved.distance(Vec2::ONE) < 1e-6);
}

/// C1: a particle on a capsule's segment leaves across it.
#[test]
fn a_particle_on_the_segment_leaves_across_it() {
    let arm = Capsule::new(Vec3::new(-1.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.0), 0.5);
    let (moved, _) = push(&arm.into(), Vec3::new(0.25, 0.0, 0.0), &HARD).unwrap();
    assert_eq!(moved.x, 0.25);
    assert!((moved.length_squared() - 0.25 - 0.0625).abs() < 1e-6);
}

/// C1: within rounding of a segment, the way out must not be what the rounding points to: along it.
#[test]
fn a_particle_beside_the_segment_by_rounding_leaves_it_too() {
    for (start, end) in [
        (Vec3::new(0.0, 0.0, 6.283_185_5), Vec3::ZERO),
        (Vec3::new(0.3, -1.7, 0.9), Vec3::new(-2.1, 3.3, 1.7)),
        (Vec3::new(1000.1, 0.7, 3.3), Vec3::new(1003.3, 0.1, -2.0)),
    ] {
        let arm = Capsule::new(start, end, 0.25);
        for i in 1..1000_u16 {
            let on = start.lerp(end, f32::from(i) / 1000.0);
            for nudge in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let p = on + nudge * (start.abs().max_element() * 3e-7);
                let (moved, _) = push(&arm.into(), p, &HARD).unwrap();
                let left = distance(&arm.into(), moved);
                let rounding = 4e-7 * f64::from(start.abs().max_element());
                assert!(left > -rounding, "{p} to {moved} leaves {left}");
            }
        }
    }
}

/// C3: a joint beyond a capsule's end cap is outside, though the line goes on.
#[test]
fn beyond_the_cap_there_is_nothing() {
    let arm = Capsule::new(Vec3::ZERO, Vec3::X, 0.25);
    for x in [1.2501, 1.5, 40.0] {
        let p = Vec3::new(x, 0.01, 0.0);
        assert_eq!(push(&arm.into(), p, &HARD).unwrap(), (p, Contacts::default()));
    }
    let (capped, _) = push(&arm.into(), Vec3::new(1.1, 0.0, 0.0), &HARD).unwrap();
    assert_eq!(capped, Vec3::new(1.25, 0.0, 0.0));
}

/// C4: a capsule whose two ends coincide is a sphere, bit for bit.
#[test]
fn a_capsule_without_length_is_a_sphere() {
    let center = Vec3::new(0.1, 0.2, 0.3);
    for p in [Vec3::ZERO, Vec3::X * 0.4, Vec3::new(0.3, 0.3, 0.2), Vec3::ONE, center] {
        for inside in [false, true] {
            let sphere = Sphere { center, radius: 0.5, inside };
            let capsule = Capsule { start: center, end: center, radius: 0.5, inside };
            assert_eq!(push(&sphere.into(), p, &HARD), push(&capsule.into(), p, &HARD));
        }
    }
}

/// Nor does a length that has no square make it anything else.
#[test]
fn a_capsule_of_hardly_any_length_is_a_sphere() {
    for length in [1e-45, 1e-30, 1e-23, 1e-22, 1e-20, 1e-10] {
        for p in [Vec3::X, -Vec3::X, Vec3::Y, Vec3::new(0.3, 0.1, -0.2), -Vec3::ONE] {
            for inside in [false, true] {
                let sphere = Sphere { center: Vec3::ZERO, radius: 0.5, inside };
                let end = Vec3::new(length, length, 0.0);
                let capsule = Capsule { start: Vec3::ZERO, end, radius: 0.5, inside };
                let (there, _) = push(&capsule.into(), p, &HARD).unwrap();
                let (wanted, _) = push(&sphere.into(), p, &HARD).unwrap();
                assert!(there.distance(wanted) < 1e-6, "{length} {p} {inside}: {there} {wanted}");
            }
        }
    }
}

/// C5 and C6: sphere R 10 and capsule R 4 along Z, particle r 3.
#[test]
fn the_textbook_numbers() {
    let ball = of_radius(3.0);
    let at = |x: f32| Vec3::new(x, 0.0, 0.0);
    let sphere = Sphere::new(Vec3::ZERO, 10.0);
    assert_eq!(push(&sphere.into(), at(5.0), &ball).unwrap().0, at(13.0));
    let bowl = Sphere::inside(Vec3::ZERO, 10.0);
    assert_eq!(push(&bowl.into(), at(10.0), &ball).unwrap().0, at(7.0));
    let arm = Capsule::new(Vec3::Z * -20.0, Vec3::Z * 20.0, 4.0);
    assert_eq!(push(&arm.into(), at(2.0), &ball).unwrap().0, at(7.0));
    let pipe = Capsule::inside(Vec3::Z * -20.0, Vec3::Z * 20.0, 4.0);
    assert_eq!(push(&pipe.into(), at(9.0), &ball).unwrap().0, at(1.0));
}

/// C7: far behind a plane, by more than the radius.
#[test]
fn a_particle_far_behind_a_plane_comes_back_on_top() {
    let floor = Plane::new(Vec3::Y, Vec3::Y);
    for depth in [0.1, 1.0, 1e4] {
        let (moved, contacts) =
            push(&floor.into(), Vec3::new(2.0, 1.0 - depth, -3.0), &of_radius(0.25)).unwrap();
        // The depth's own rounding is all that is lost.
        assert!((moved - Vec3::new(2.0, 1.25, -3.0)).length() <= depth * 1e-7 + 1e-7);
        assert_eq!(contacts.touched, 1);
    }
}

/// A box in the plane, turned: corner, face and inside.
#[test]
fn a_box_in_the_plane_turns_with_its_rotation() {
    let quarter = Rot2::from_angle(core::f32::consts::FRAC_PI_2);
    let standing = OrientedBox::new(Vec2::ONE, Vec2::new(2.0, 1.0)).with_rotation(quarter);
    let push = |p| push(&standing.into(), p, &HARD).unwrap().0;
    assert!((push(Vec2::new(1.9, 2.0)) - Vec2::new(2.0, 2.0)).length() < 1e-6);
    assert!((push(Vec2::new(1.0, 2.9)) - Vec2::new(1.0, 3.0)).length() < 1e-6);
    assert_eq!(push(Vec2::new(2.1, 2.0)), Vec2::new(2.1, 2.0));
}

/// Coulomb's law, measured: a particle sliding under a pressing push.
#[test]
fn friction_takes_its_multiple_of_the_push() {
    let floor = Plane::new(Vec2::ZERO, Vec2::Y);
    let slide = |friction: f32| {
        let mut x = [Vec2::new(1.0, -0.1)];
        let rough = Contact { friction, ..HARD };
        let _ = plane_collide(&mut x, &[Vec2::ZERO], &floor, &rough).unwrap();
        x[0]
    };
    assert_eq!(slide(0.0), Vec2::X);
    assert!((slide(2.0) - Vec2::new(0.8, 0.0)).length() < 1e-6);
    assert!(slide(10.0).length() < 1e-6);
    assert_eq!(slide(f32::INFINITY), Vec2::ZERO);
}

/// A pinned particle is not pushed, alone or at the end of a bone.
#[test]
fn what_is_pinned_stays() {
    let sphere = Sphere::new(Vec2::ZERO, 1.0);
    let pinned = Contact { inverse_masses: &[0.0, 1.0], ..HARD };
    let mut points = [Vec2::X * 0.5, Vec2::X * 0.5];
    let contacts = sphere_collide(&mut points, &[], &sphere, &pinned).unwrap();
    assert_eq!((points, contacts.touched), ([Vec2::X * 0.5, Vec2::X], 1));
    let mut bone = [Vec2::new(-1.0, 0.5), Vec2::new(1.0, 0.5)];
    let _ = sphere_collide_bones(&mut bone, &[], &sphere, &pinned).unwrap();
    assert_eq!(bone, [Vec2::new(-1.0, 0.5), Vec2::new(1.0, 1.5)]);
    let both = Contact { inverse_masses: &[0.0, 0.0], ..HARD };
    let before = bone;
    let _ = sphere_collide_bones(&mut bone, &[], &Sphere::new(Vec2::Y, 1.0), &both).unwrap();
    assert_eq!(bone, before);
}

/// A bone that crosses a capsule's segment leaves across both, not along the segment.
#[test]
fn a_bone_that_crosses_a_segment_leaves_across_both() {
    let (start, end) = (Vec3::new(0.0, -1.186_523_9, 1.0), Vec3::Z);
    let mut bone = [Vec3::new(1.0, -0.5, 1.0), Vec3::new(-1.874_844_3, 0.0, 1.0)];
    let arm = Capsule::new(start, end, 0.05);
    let _ = capsule_collide_bones(&mut bone, &[], &arm, &HARD).unwrap();
    let left = (0..=1000_u16)
        .map(|i| distance(&arm.into(), bone[0].lerp(bone[1], f32::from(i) / 1000.0)))
        .fold(f64::INFINITY, f64::min);
    assert!(left > -0.01 * 0.05, "{left} of {bone:?}");
}

/// A bone without length, a bone through the centre and a bone along the segment: finite.
#[test]
fn singular_bones_are_finite() {
    let sphere = Sphere::new(Vec3::ZERO, 1.0);
    let arm = Capsule::new(Vec3::NEG_X, Vec3::X, 1.0);
    for [a, b] in [
        [Vec3::ZERO, Vec3::ZERO],
        [Vec3::NEG_X, Vec3::X],
        [Vec3::NEG_Y, Vec3::Y],
        [Vec3::X * 3.0, Vec3::X * 5.0],
    ] {
        let mut bone = [a, b];
        let _ = sphere_collide_bones(&mut bone, &[], &sphere, &HARD).unwrap();
        assert!(bone[0].is_finite() && bone[1].is_finite());
        let mut bone = [a, b];
        let _ = capsule_collide_bones(&mut bone, &[], &arm, &HARD).unwrap();
        assert!(bone[0].is_finite() && bone[1].is_finite());
    }
}

/// Bones as large as coordinates go, against capsules of any size: finite. Four lengths multiplied
/// would not be.
#[test]
fn the_largest_bones_are_finite() {
    let k = 4.4e11;
    for size in (0..25).map(|i| 10.0_f32.powf(f32::from(i16::try_from(i).unwrap()) * 0.5)) {
        let arm = Capsule::new(Vec3::ZERO, Vec3::new(0.3, 1.0, 0.9) * size, k);
        let mut bones = [
            Vec3::new(-0.4, -k, -k),
            Vec3::new(1.6, -1.4 * k, -1.4 * k),
            Vec3::new(-0.4, -k, -k),
            Vec3::splat(1e-30),
            Vec3::ZERO,
        ];
        let _ = capsule_collide_bones(&mut bones, &[], &arm, &HARD).unwrap();
        assert!(bones.iter().all(|p| p.is_finite()), "{size}: {bones:?}");
    }
}

/// Mistakes are named, and nothing has moved.
#[test]
fn mistakes_are_named_and_change_nothing() {
    let sphere = Sphere::new(Vec3::ZERO, 1.0);
    let start = [Vec3::X * 0.5, Vec3::Y * 0.5];
    let mut x = start;
    let mut error = |sphere: &Sphere<Vec3>, previous: &[Vec3], contact: &Contact<'_>| {
        let error = sphere_collide(&mut x, previous, sphere, contact).unwrap_err();
        assert_eq!(x, start);
        (error.argument, error.fault)
    };
    let nan = Sphere::new(Vec3::NAN, 1.0);
    assert_eq!(error(&nan, &[], &HARD), ("sphere.center", Fault::NotFinite));
    let negative = Sphere::new(Vec3::ZERO, -1.0);
    assert_eq!(error(&negative, &[], &HARD), ("sphere.radius", Fault::OutOfRange));
    let rough = Contact { friction: 1.0, ..HARD };
    assert_eq!(error(&sphere, &[], &rough), ("previous", Fault::Length { expected: 2, actual: 0 }));
    assert_eq!(error(&sphere, &[], &of_radius(-1.0)), ("contact.radius", Fault::OutOfRange));
    let masses = Contact { inverse_masses: &[1.0, -1.0], ..HARD };
    assert_eq!(error(&sphere, &[], &masses), ("contact.inverse_masses", Fault::OutOfRange));

    let slanted = Plane::new(Vec3::ZERO, Vec3::ONE);
    let error = plane_collide(&mut x, &[], &slanted, &HARD).unwrap_err();
    assert_eq!((error.argument, error.fault), ("plane.normal", Fault::NotUnit));
    let error = collide(&mut x, &[], &slanted.into(), &HARD).unwrap_err();
    assert_eq!((error.argument, error.fault), ("collider.normal", Fault::NotUnit));
    let inverted = OrientedBox::new(Vec3::ZERO, Vec3::new(1.0, -1.0, 1.0));
    let error = box_collide(&mut x, &[], &inverted, &HARD).unwrap_err();
    assert_eq!((error.argument, error.fault), ("shape.half_extents", Fault::OutOfRange));
    x[1] = Vec3::INFINITY;
    let error = sphere_collide(&mut x, &[], &sphere, &HARD).unwrap_err();
    assert_eq!((error.argument, error.index), ("positions", Some(1)));
}
