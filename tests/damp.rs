//! Damping is exact at any frame rate, and never spreads a bad number.

use approx::assert_relative_eq;
use core::f32::consts::PI;
use proptest::prelude::*;
use sinew::glam::{Quat, Vec2, Vec3, Vec4};
use sinew::{
    Animated, Error, Fault, MAX_COORDINATE, Rot2, damp, damp_angle, damp_half_life, damp_slice,
    move_towards, rotate_towards,
};

/// Rates and times from nothing to a hitch, with the ends often among them.
fn rate() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-12.0_f32..6.0).prop_map(|e| 10_f32.powf(e)),
        1 => Just(0.0),
        1 => Just(f32::INFINITY),
    ]
}

fn dt() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-9.0_f32..1.0).prop_map(|e| 10_f32.powf(e)),
        1 => Just(0.0),
        1 => Just(1.0 / 60.0),
        1 => Just(2.0),
    ]
}

fn quat() -> impl Strategy<Value = Quat> {
    prop_oneof![
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0)
            .prop_filter("not zero", |(x, y, z, w)| x * x + y * y + z * z + w * w > 1e-3)
            .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w).normalize()),
        Just(Quat::IDENTITY),
        Just(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
        Just(-Quat::IDENTITY),
    ]
}

/// What is left of a gap of 1, in double precision.
fn left(rate: f32, dt: f32) -> f64 {
    if dt == 0.0 { 1.0 } else { (-f64::from(rate) * f64::from(dt)).exp() }
}

/// F2: after one second at rate 5, at any frame rate.
#[test]
fn any_frame_rate_gives_the_same_second() {
    for fps in [1_u8, 2, 15, 30, 60, 144, 240] {
        let mut x = 0.0;
        for _ in 0..fps {
            x = damp(x, 1.0, 5.0, 1.0 / f32::from(fps)).unwrap();
        }
        assert!((x - 0.993_262_1).abs() < 1e-6, "{fps} fps: {x}");
    }
}

/// F3: tiny steps move by what they should; an infinite rate lands, also from no distance.
#[test]
fn tiny_and_infinite_rates_are_exact() {
    for exponent in [1e-38_f32, 1e-20, 1e-8, 1e-7, 1e-3] {
        let moved = damp(0.0, 1.0, exponent, 1.0).unwrap();
        assert_relative_eq!(
            f64::from(moved),
            -(-f64::from(exponent)).exp_m1(),
            max_relative = 1e-6
        );
        let turned = damp(Rot2::IDENTITY, Rot2::from_angle(1.0), exponent, 1.0).unwrap();
        assert_relative_eq!(turned.angle(), exponent, max_relative = 1e-3);
        let turned = damp(Quat::IDENTITY, Quat::from_rotation_y(1.0), exponent, 1.0).unwrap();
        assert_relative_eq!(2.0 * turned.y, exponent, max_relative = 1e-3);
    }
    for from in [0.0_f32, 3.0] {
        assert_eq!(damp(from, 3.0, f32::INFINITY, 1e-9), Ok(3.0));
        // Either zero, and a time so short that only an infinite rate covers anything in it.
        for (half_life, dt) in [(0.0, 1e-9), (-0.0, 1e-9), (-0.0, 1e-40)] {
            assert_eq!(damp_half_life(from, 3.0, half_life, dt), Ok(3.0));
        }
    }
    assert_eq!(damp(Vec3::ONE, Vec3::X, f32::MAX, 1e6), Ok(Vec3::X));
    assert_eq!(damp_half_life(1.0, 3.0, f32::INFINITY, 1e6), Ok(1.0));
}

/// A rotation of any last digits that is there stays bit for bit.
#[test]
fn what_is_there_stays() {
    for i in 0_u16..1000 {
        let angle = f32::from(i) * 0.01;
        let turn = Rot2::from_angle(angle);
        assert_eq!(damp(turn, turn, 3.0, 0.1), Ok(turn));
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle);
        assert_eq!(damp(turn, turn, 3.0, 0.1), Ok(turn));
    }
}

/// F4: no time, no change; time that runs backwards or is no number is an error.
#[test]
fn bad_time_is_an_error_and_none_is_a_no_op() {
    for rate in [0.0, 5.0, f32::INFINITY] {
        assert_eq!(damp(0.25, 1.0, rate, 0.0), Ok(0.25));
        assert_eq!(damp_half_life(0.25, 1.0, rate, 0.0), Ok(0.25));
    }
    let fault = |dt| damp(0.0, 1.0, 5.0, dt).map_err(|e| (e.argument, e.fault));
    assert_eq!(fault(-0.01), Err(("dt", Fault::OutOfRange)));
    assert_eq!(fault(f32::NAN), Err(("dt", Fault::NotFinite)));
    assert_eq!(fault(f32::INFINITY), Err(("dt", Fault::NotFinite)));
}

#[test]
fn every_bad_argument_is_named_and_slices_stay() {
    let name = |r: Result<f32, Error>| r.unwrap_err().argument;
    assert_eq!(name(damp(f32::NAN, 0.0, 1.0, 1.0)), "from");
    assert_eq!(name(damp(0.0, f32::INFINITY, 1.0, 1.0)), "to");
    assert_eq!(name(damp(0.0, 2.0 * MAX_COORDINATE, 1.0, 1.0)), "to");
    assert_eq!(name(damp(0.0, 1.0, -1.0, 1.0)), "rate");
    assert_eq!(name(damp(0.0, 1.0, f32::NAN, 1.0)), "rate");
    assert_eq!(name(damp_half_life(0.0, 1.0, -1.0, 1.0)), "half_life");
    for step in [f32::NAN, -1.0] {
        assert_eq!(name(move_towards(0.0, 1.0, step)), "max_step");
        let turned = rotate_towards(Quat::IDENTITY, Quat::IDENTITY, step);
        assert_eq!(turned.unwrap_err().argument, "max_step");
    }
    assert_eq!(name(damp_angle(0.0, f32::NAN, 1.0, 1.0)), "to");
    let wide = Quat::from_xyzw(2.0, 0.0, 0.0, 0.0);
    assert_eq!(damp(wide, Quat::IDENTITY, 1.0, 1.0).unwrap_err().fault, Fault::NotUnit);
    for (from, to, argument) in
        [(wide, Quat::IDENTITY, "from"), (Quat::IDENTITY, wide * f32::NAN, "to")]
    {
        assert_eq!(rotate_towards(from, to, 1.0).unwrap_err().argument, argument);
    }
    let hidden = Vec4::new(1.0, f32::NAN, 1.0, 1.0);
    assert_eq!(damp(hidden, Vec4::ONE, 1.0, 1.0).unwrap_err().fault, Fault::NotFinite);

    let mut values = [1.0, 2.0, 3.0];
    let error = damp_slice(&mut values, &[0.0, f32::NAN, 0.0], 1.0, 1.0).unwrap_err();
    assert_eq!((error.argument, error.index), ("targets", Some(1)));
    let error = damp_slice(&mut values, &[0.0], 1.0, 1.0).unwrap_err();
    assert_eq!(error.fault, Fault::Length { expected: 3, actual: 1 });
    assert!(damp_slice(&mut values, &[0.0; 3], 1.0, -1.0).is_err());
    assert_eq!(values, [1.0, 2.0, 3.0]);
    assert_eq!(damp_slice::<Quat>(&mut [], &[], 1.0, 1.0), Ok(()));
}

proptest! {
    #[test]
    fn a_number_matches_the_closed_form(
        from in -100.0_f32..100.0, to in -100.0_f32..100.0, rate in rate(), dt in dt(),
    ) {
        let exact = f64::from(to) + (f64::from(from) - f64::from(to)) * left(rate, dt);
        let got = f64::from(damp(from, to, rate, dt).unwrap());
        let rounding = f64::from(from.abs().max(to.abs())) * f64::from(f32::EPSILON);
        prop_assert!((got - exact).abs() <= 1e-6 * f64::from((to - from).abs()) + rounding);
        // Never past the target, never backwards.
        prop_assert!(got >= f64::from(from.min(to)) && got <= f64::from(from.max(to)));
    }

    #[test]
    fn two_steps_are_one(
        from in -1.0_f32..1.0, to in -1.0_f32..1.0, rate in 0.0_f32..50.0, a in dt(), b in dt(),
    ) {
        let one = damp(from, to, rate, a + b).unwrap();
        let two = damp(damp(from, to, rate, a).unwrap(), to, rate, b).unwrap();
        prop_assert!((one - two).abs() <= 1e-6, "{one} {two}");
    }

    #[test]
    fn rotations_turn_at_a_steady_axis_and_two_steps_are_one(
        from in quat(), to in quat(), rate in rate(), a in dt(), b in dt(),
    ) {
        let gap = angle(from, to);
        let one = damp(from, to, rate, a + b).unwrap();
        let two = damp(damp(from, to, rate, a).unwrap(), to, rate, b).unwrap();
        prop_assert!((one.length() - 1.0).abs() < 1e-6);
        // A gap of half a turn has two short ways, and rounding may choose again.
        if gap < f64::from(PI) - 1e-3 && rate.is_finite() {
            // A product of a rate and a sum of times rounds by an ulp each.
            let slack = 2e-6 + gap * 4e-7 * f64::from(rate * (a + b)).min(1.0);
            prop_assert!(angle(one, two) < slack, "{}", angle(one, two));
            prop_assert!((angle(one, to) - gap * left(rate, a + b)).abs() < 2e-6);
            prop_assert!((angle(from, one) + angle(one, to) - gap).abs() < 2e-6);
        }
    }

    #[test]
    fn vectors_slices_and_plane_rotations_agree_with_numbers(
        from in -3.0_f32..3.0, to in -3.0_f32..3.0, rate in rate(), dt in dt(),
    ) {
        let x = damp(from, to, rate, dt).unwrap();
        prop_assert_eq!(damp(Vec2::splat(from), Vec2::splat(to), rate, dt), Ok(Vec2::splat(x)));
        prop_assert_eq!(damp(Vec3::splat(from), Vec3::splat(to), rate, dt), Ok(Vec3::splat(x)));
        prop_assert_eq!(damp(Vec4::splat(from), Vec4::splat(to), rate, dt), Ok(Vec4::splat(x)));
        let mut slice = [from; 3];
        damp_slice(&mut slice, &[to; 3], rate, dt).unwrap();
        prop_assert_eq!(slice, [x; 3]);
        if (to - from).abs() < PI - 1e-3 {
            let r = damp(Rot2::from_angle(from), Rot2::from_angle(to), rate, dt).unwrap();
            prop_assert!(r.inverse().rotate(Rot2::from_angle(x) * Vec2::X).y.abs() < 1e-6);
            prop_assert!((damp_angle(from, to, rate, dt).unwrap() - x).abs() < 2e-6);
        }
    }

    #[test]
    fn an_angle_takes_the_short_way_from_any_turn(
        from in -3.1_f32..3.1, gap in -3.1_f32..3.1, turns in -5_i8..5, rate in 0.01_f32..100.0,
    ) {
        let to = from + gap + core::f32::consts::TAU * f32::from(turns);
        let got = damp_angle(from, to, rate, 0.1).unwrap();
        let exact = damp(from, from + gap, rate, 0.1).unwrap();
        prop_assert!((got - exact).abs() < 2e-5, "{got} {exact}");
    }

    #[test]
    fn moving_keeps_the_speed_and_ends(
        x in -9.0_f32..9.0, y in -9.0_f32..9.0, scale in -20.0_f32..11.0, step in 0.0_f32..12.0,
    ) {
        let scale = 10_f32.powf(scale);
        let (from, to) = (Vec2::ZERO, Vec2::new(x, y) * scale);
        let length = to.length().max(f32::MIN_POSITIVE);
        let got = move_towards(from, to, step * scale).unwrap();
        if step * scale >= length * 1.000_001 {
            prop_assert_eq!(got, to);
        } else if scale > 1e-15 {
            prop_assert!((got.length() - (step * scale).min(length)).abs() <= 1e-6 * length);
        }
    }

    #[test]
    fn a_gap_of_zero_stays_zero(x in -1e12_f32..1e12, q in quat(), rate in rate(), dt in dt()) {
        prop_assert_eq!(damp(x, x, rate, dt), Ok(x));
        let same = damp(q, q, rate, dt).unwrap();
        prop_assert!(angle(q, same) < 1e-6);
    }
}

/// The angle between two rotations in double precision, good at both ends.
fn angle(a: Quat, b: Quat) -> f64 {
    let [ax, ay, az, aw] = a.to_array().map(f64::from);
    let [bx, by, bz, bw] = b.to_array().map(f64::from);
    let w = aw * bw + ax * bx + ay * by + az * bz;
    let x = aw * bx - ax * bw - ay * bz + az * by;
    let y = aw * by + ax * bz - ay * bw - az * bx;
    let z = aw * bz - ax * by + ay * bx - az * bw;
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())
}

/// Half a turn apart, the way is the same from both ends.
#[test]
fn half_a_turn_closes_without_a_jump() {
    let (from, to) = (Rot2::IDENTITY, Rot2 { cos: -1.0, sin: 0.0 });
    let mut last = 0.0;
    for i in 1_u8..100 {
        let turned = damp(from, to, f32::from(i) * 0.05, 1.0).unwrap().angle();
        assert!(turned > last && turned < last + 0.2, "{last} {turned}");
        last = turned;
    }
    let (from, to) = (Quat::IDENTITY, Quat::from_xyzw(0.0, 1.0, 0.0, 0.0));
    let mut last = from;
    for i in 1_u8..100 {
        let q = damp(from, to, f32::from(i) * 0.05, 1.0).unwrap();
        assert!(angle(last, q) < 0.2);
        last = q;
    }
}

/// The trait is what lets other code be generic over what it damps.
#[test]
fn generic_code_can_name_the_trait() {
    fn halved<T: Animated>(from: T, to: T) -> T {
        damp_half_life(from, to, 1.0, 1.0).unwrap()
    }
    assert_eq!(halved(0.0, 2.0), 1.0);
    assert!((halved(Rot2::IDENTITY, Rot2::from_angle(1.0)).angle() - 0.5).abs() < 1e-6);
}
