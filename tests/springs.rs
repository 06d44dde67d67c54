//! Springs follow their closed form in every regime, at any frame rate, and never blow up.

use core::f64::consts::{LN_2, PI, TAU};
use proptest::prelude::*;
use sinew::glam::{Quat, Vec2, Vec3, Vec4};
use sinew::{
    Fault, Mobile, Moving, Rot2, SecondOrder, Spring, second_order_step, spring_slice, spring_step,
};

/// Offset and velocity after `t` seconds, in double precision: the textbook's three cases.
fn closed_form((y, v): (f64, f64), spring: Spring, t: f64) -> (f64, f64) {
    let w = TAU * f64::from(spring.frequency);
    let z = f64::from(spring.damping_ratio);
    if w == 0.0 {
        return (y + v * t, v);
    }
    if z == 1.0 {
        let c = v + w * y;
        let e = (-w * t).exp();
        return (e * (y + c * t), e * (v - w * c * t));
    }
    if z < 1.0 {
        let d = w * (1.0 - z * z).sqrt();
        let (sin, cos) = (d * t).sin_cos();
        let e = (-z * w * t).exp();
        let b = (v + z * w * y) / d;
        return (e * (y * cos + b * sin), e * (v * cos - (z * v + w * y) * w / d * sin));
    }
    // y = p e^(-slow t) + q e^(-fast t)
    let fast = w * (z + (z * z - 1.0).sqrt());
    let slow = w * w / fast;
    let p = (v + fast * y) / (fast - slow);
    let q = -(v + slow * y) / (fast - slow);
    let (es, ef) = ((-slow * t).exp(), (-fast * t).exp());
    (p * es + q * ef, -slow * p * es - fast * q * ef)
}

/// All three regimes, and the seams between them a few ULP wide.
fn spring() -> impl Strategy<Value = Spring> {
    let ratio = prop_oneof![
        3 => 0.0_f32..1.0,
        3 => 1.0_f32..4.0,
        2 => (-7.0_f32..-1.0, prop::bool::ANY)
            .prop_map(|(e, up)| if up { 1.0 + 10_f32.powf(e) } else { 1.0 - 10_f32.powf(e) }),
        1 => (0.0_f32..6.0).prop_map(|e| 10_f32.powf(e)),
        1 => Just(0.0),
        1 => Just(1.0),
        1 => Just(1.0 + f32::EPSILON),
        1 => Just(1.0 - 0.5 * f32::EPSILON),
    ];
    let frequency = prop_oneof![
        6 => (-6.0_f32..6.0).prop_map(|e| 10_f32.powf(e)),
        1 => Just(0.0),
        1 => Just(1e6),
    ];
    (frequency, ratio).prop_map(|(frequency, damping_ratio)| Spring { frequency, damping_ratio })
}

fn dt() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-9.0_f32..1.5).prop_map(|e| 10_f32.powf(e)),
        1 => Just(0.0),
        1 => Just(1.0 / 60.0),
        1 => Just(2.0),
    ]
}

fn stepped(y: f32, v: f32, spring: Spring, dt: f32) -> (f64, f64) {
    let mut state = Moving { position: y, velocity: v };
    spring_step(&mut state, Moving::at_rest(0.0), &spring, dt).unwrap();
    (f64::from(state.position), f64::from(state.velocity))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn position_and_velocity_match_the_closed_form(
        y in -10.0_f32..10.0, v in -1.0_f32..1.0, spring in spring(), dt in dt(),
    ) {
        // A velocity of the size that the spring itself would give.
        let w = TAU * f64::from(spring.frequency);
        #[expect(clippy::cast_possible_truncation, reason = "the spring is single precision")]
        let v = if w > 0.0 { v * (w as f32) } else { v };
        let exact = closed_form((f64::from(y), f64::from(v)), spring, f64::from(dt));
        let got = stepped(y, v, spring, dt);
        let time = if w > 0.0 { 1.0 / w } else { f64::from(dt) };
        let scale = f64::from(y.abs()).max(f64::from(v.abs()) * time);
        prop_assert!((got.0 - exact.0).abs() <= 2e-6 * scale, "{got:?} {exact:?}");
        prop_assert!((got.1 - exact.1).abs() * time <= 2e-6 * scale, "{got:?} {exact:?}");
    }

    #[test]
    fn it_never_gains_energy(
        y in -10.0_f32..10.0, v in -1.0_f32..1.0, spring in spring(), dt in dt(),
    ) {
        let w = TAU * f64::from(spring.frequency);
        #[expect(clippy::cast_possible_truncation, reason = "the spring is single precision")]
        let v = v * w as f32;
        let energy = |y: f64, v: f64| w * w * y * y + v * v;
        let (y1, v1) = stepped(y, v, spring, dt);
        prop_assert!(energy(y1, v1) <= energy(f64::from(y), f64::from(v)) * (1.0 + 1e-5));
    }

    #[test]
    fn vectors_slices_and_plane_rotations_agree_with_numbers(
        y in -1.5_f32..1.5, v in -1.0_f32..1.0, goal in -1.5_f32..1.5, speed in -1.0_f32..1.0,
        spring in spring(), dt in 0.0_f32..0.1,
    ) {
        let mut x = Moving { position: y, velocity: v };
        let target = Moving { position: goal, velocity: speed };
        let start = x;
        spring_step(&mut x, target, &spring, dt).unwrap();
        macro_rules! agrees {
            ($($vector:ty),*) => {$({
                let splat = |m: Moving<f32>| Moving {
                    position: <$vector>::splat(m.position),
                    velocity: <$vector>::splat(m.velocity),
                };
                let mut v = splat(start);
                spring_step(&mut v, splat(target), &spring, dt).unwrap();
                prop_assert_eq!(v, splat(x));
            })*};
        }
        agrees!(Vec2, Vec3, Vec4);
        let mut slice = [start; 3];
        spring_slice(&mut slice, &[target; 3], &spring, dt).unwrap();
        prop_assert_eq!(slice, [x; 3]);

        let turning =
            |m: Moving<f32>| Moving { position: Rot2::from_angle(m.position), velocity: m.velocity };
        let mut r = turning(start);
        spring_step(&mut r, turning(target), &spring, dt).unwrap();
        prop_assert!(r.position.offset(Rot2::from_angle(x.position)).abs() < 2e-6);
        prop_assert!((r.velocity - x.velocity).abs() <= 1e-6 * (1.0 + spring.frequency * 20.0));

        let about = Vec3::new(0.6, 0.0, 0.8);
        let spinning = |m: Moving<f32>| Moving {
            position: Quat::from_axis_angle(about, m.position),
            velocity: about * m.velocity,
        };
        let mut q = spinning(start);
        spring_step(&mut q, spinning(target), &spring, dt).unwrap();
        let gap = q.position.offset(Quat::from_axis_angle(about, x.position));
        prop_assert!(gap.length() < 3e-6, "{gap}");
        let gap = q.velocity - about * x.velocity;
        prop_assert!(gap.length() <= 2e-6 * (1.0 + spring.frequency * 20.0), "{gap}");
    }

    #[test]
    fn rotations_of_space_are_frame_rate_independent(
        axis in (-1.0_f32..1.0, -1.0_f32..1.0, 0.1_f32..1.0), spin in (-3.0_f32..3.0, -3.0_f32..3.0),
        ratio in 0.1_f32..2.0,
    ) {
        // Offset and velocity about different axes.
        let axis = Vec3::new(axis.0, axis.1, axis.2).normalize();
        let start = Moving {
            position: Quat::from_axis_angle(axis, 1.0),
            velocity: Vec3::new(spin.0, spin.1, 0.0),
        };
        let target = Moving::at_rest(Quat::from_rotation_x(0.3));
        let spring = Spring { frequency: 1.0, damping_ratio: ratio };
        let run = |fps: u8| {
            let mut q = start;
            for _ in 0..fps {
                spring_step(&mut q, target, &spring, 1.0 / f32::from(fps)).unwrap();
            }
            q
        };
        let (slow, fast) = (run(15), run(240));
        prop_assert!(slow.position.offset(fast.position).length() < 1e-4);
        prop_assert!((slow.velocity - fast.velocity).length() < 5e-4);
    }

    #[test]
    fn a_steady_target_is_followed_without_lag(
        speed in -20_i8..20, ratio in 0.2_f32..2.0, fps in 4_u32..9,
    ) {
        // Speeds and times in which the goal itself does not round.
        let (speed, fps) = (0.25 * f32::from(speed), 2_u16.pow(fps));
        let spring = Spring { frequency: 2.0, damping_ratio: ratio };
        let dt = 1.0 / f32::from(fps);
        let mut x = Moving::at_rest(0.0);
        let mut goal = 0.0;
        for _ in 0..fps * 8 {
            goal += speed * dt;
            spring_step(&mut x, Moving { position: goal, velocity: speed }, &spring, dt).unwrap();
        }
        prop_assert!((x.position - goal).abs() < 1e-4, "{} {goal}", x.position);
        // What a frame adds to the position is lost below the position's last digit.
        let grain = goal.abs() * f32::EPSILON / dt;
        prop_assert!((x.velocity - speed).abs() < 1e-4 + grain);
    }

    #[test]
    fn a_second_order_system_matches_fine_integration(
        response in -3.0_f32..4.0, ratio in 0.0_f32..3.0, frequency in 0.1_f32..4.0,
        to in -1.0_f32..1.0, dt in 0.001_f32..0.2, v in -1.0_f32..1.0,
    ) {
        let settings = SecondOrder { frequency, damping_ratio: ratio, response };
        let mut x = Moving { position: 0.1, velocity: v };
        second_order_step(&mut x, (0.0, to), &settings, dt).unwrap();
        let exact = fine(settings, (0.1, f64::from(v)), f64::from(to), f64::from(dt));
        let w = TAU * f64::from(frequency);
        let kick = f64::from(to / dt).abs() / w * f64::from(1.0 + response.abs() * ratio);
        let scale = 1.0 + f64::from(v.abs()) / w + kick;
        prop_assert!((f64::from(x.position) - exact.0).abs() < 5e-6 * scale, "{x:?} {exact:?}");
        prop_assert!((f64::from(x.velocity) - exact.1).abs() / w < 5e-6 * scale, "{x:?} {exact:?}");
    }
}

/// `y'' = ω² (x - y) - 2ζω y' + rζω x'` by Runge-Kutta, x going from 0 to `to`.
fn fine(s: SecondOrder, (mut y, mut v): (f64, f64), to: f64, dt: f64) -> (f64, f64) {
    const STEPS: i32 = 400;
    let (w, z, r) =
        (TAU * f64::from(s.frequency), f64::from(s.damping_ratio), f64::from(s.response));
    let h = dt / f64::from(STEPS);
    let force =
        |t: f64, y: f64, v: f64| w * w * (to * t / dt - y) - 2.0 * z * w * v + r * z * w * to / dt;
    for i in 0..STEPS {
        let t = h * f64::from(i);
        let (k1, l1) = (v, force(t, y, v));
        let (k2, l2) = (v + 0.5 * h * l1, force(t + 0.5 * h, y + 0.5 * h * k1, v + 0.5 * h * l1));
        let (k3, l3) = (v + 0.5 * h * l2, force(t + 0.5 * h, y + 0.5 * h * k2, v + 0.5 * h * l2));
        let (k4, l4) = (v + h * l3, force(t + h, y + h * k3, v + h * l3));
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    (y, v)
}

/// F7: a critical spring of half-life 0.1 s, in one step of 0.25 s.
#[test]
fn one_long_step_is_exact() {
    let spring = Spring::from_half_life(0.1);
    let got = stepped(1.0, 0.0, spring, 0.25);
    let exact = closed_form((1.0, 0.0), spring, 0.25);
    assert!((got.0 - exact.0).abs() < 1e-6, "{got:?} {exact:?}");
    assert!((stepped(1.0, 0.0, spring, 0.1).0 - 0.5).abs() < 1e-6);
    assert_eq!(Spring::from_half_life(-0.0), Spring::from_half_life(0.0));
    // By the frequency of the code that has the name for another half-life.
    #[expect(clippy::cast_possible_truncation, reason = "the spring is single precision")]
    let envelope = Spring { frequency: (2.0 * LN_2 / 0.1 / (2.0 * PI)) as f32, damping_ratio: 1.0 };
    let exact = (1.0 + 5.0 * LN_2) * (-5.0 * LN_2).exp();
    assert!((stepped(1.0, 0.0, envelope, 0.25).0 - exact).abs() < 1e-6);
}

/// F8: a stiff spring, hardly damped, at 30 Hz.
#[test]
fn a_stiff_spring_decays() {
    let spring = Spring::from_stiffness(5000.0, 10.0, 1.0);
    let mut state = Moving::at_rest(1.0);
    for i in 1_u8..=20 {
        spring_step(&mut state, Moving::at_rest(0.0), &spring, 1.0 / 30.0).unwrap();
        // The envelope e^(-c/2m t) with the velocity's share.
        assert!(state.position.abs() <= 1.01 * (-5.0 * f32::from(i) / 30.0).exp());
    }
    assert!(state.position.abs() < 0.036);
}

/// F5: the frame rate jumps from 60 Hz to a frame of 2 s and back.
#[test]
fn a_hitch_settles_to_the_same_rest() {
    for damping_ratio in [0.1, 1.0, 5.0] {
        let spring = Spring { frequency: 3.0, damping_ratio };
        let mut state = Moving { position: Vec2::new(4.0, -2.0), velocity: Vec2::new(30.0, 9.0) };
        for dt in (0..30).map(|_| 1.0 / 60.0).chain([2.0]).chain((0..600).map(|_| 1.0 / 60.0)) {
            spring_step(&mut state, Moving::at_rest(Vec2::ONE), &spring, dt).unwrap();
            assert!(state.position.length() < 12.0);
        }
        assert!(state.position.distance(Vec2::ONE) < 1e-5);
    }
}

/// An undamped spring still rings at its amplitude after a million steps.
#[test]
fn a_free_spring_rings_for_ever() {
    let spring = Spring { frequency: 1.0, damping_ratio: 0.0 };
    let mut state = Moving::at_rest(1.0);
    for _ in 0..1_000_000 {
        spring_step(&mut state, Moving::at_rest(0.0), &spring, 1.0 / 60.0).unwrap();
    }
    let energy = state.position.hypot(state.velocity / core::f32::consts::TAU);
    assert!((energy - 1.0).abs() < 2e-2, "{energy}");
}

/// A frame rate so high that a step's change is lost next to 1.
#[test]
fn tiny_steps_add_up() {
    let spring = Spring::default();
    let mut state = Moving::at_rest(0.0);
    for _ in 0..1_000_000 {
        spring_step(&mut state, Moving::at_rest(1.0), &spring, 1e-7).unwrap();
    }
    let exact = 1.0 + closed_form((-1.0, 0.0), spring, 0.1).0;
    assert!((f64::from(state.position) - exact).abs() < 1e-2 * exact, "{state:?} {exact}");
}

#[test]
fn a_spring_of_no_frequency_leaves_things_alone() {
    let free = Spring { frequency: 0.0, damping_ratio: 3.0 };
    assert_eq!(stepped(1.0, 2.0, free, 0.5), (2.0, 2.0));
}

#[test]
fn every_bad_argument_is_named_and_the_state_stays() {
    let good = Moving { position: 0.0, velocity: 1.0 };
    let try_step = |target: Moving<f32>, spring: Spring, dt: f32| {
        let mut state = good;
        let error = spring_step(&mut state, target, &spring, dt).unwrap_err();
        assert_eq!(state, good);
        (error.argument, error.fault)
    };
    let s = Spring::default();
    let nan = f32::NAN;
    assert_eq!(try_step(Moving::at_rest(nan), s, 0.1), ("target.position", Fault::NotFinite));
    let fast = Moving { position: 0.0, velocity: 1e13 };
    assert_eq!(try_step(fast, s, 0.1), ("target.velocity", Fault::TooLarge));
    assert_eq!(try_step(good, s, -0.1), ("dt", Fault::OutOfRange));
    assert_eq!(try_step(good, s, nan), ("dt", Fault::NotFinite));
    let bad = Spring { frequency: -1.0, ..s };
    assert_eq!(try_step(good, bad, 0.1), ("spring.frequency", Fault::OutOfRange));
    let bad = Spring { damping_ratio: nan, ..s };
    assert_eq!(try_step(good, bad, 0.1), ("spring.damping_ratio", Fault::NotFinite));
    assert_eq!(
        try_step(good, Spring::from_stiffness(0.0, 1.0, 1.0), 0.1),
        ("spring.damping_ratio", Fault::OutOfRange)
    );
    assert_eq!(
        try_step(good, Spring::from_half_life(nan), 0.1),
        ("spring.frequency", Fault::NotFinite)
    );

    let mut states = [good; 3];
    let mut targets = [good; 3];
    targets[2].velocity = nan;
    let error = spring_slice(&mut states, &targets, &s, 0.1).unwrap_err();
    assert_eq!((error.argument, error.index), ("targets.velocity", Some(2)));
    assert!(spring_slice(&mut states, &[good; 2], &s, 0.1).is_err());
    assert_eq!(states, [good; 3]);

    let mut state = good;
    let bad = SecondOrder { response: nan, ..SecondOrder::default() };
    let error = second_order_step(&mut state, (0.0, 1.0), &bad, 0.1).unwrap_err();
    assert_eq!(error.argument, "settings.response");
    let error = second_order_step(&mut state, (0.0, 1e12), &SecondOrder::default(), 1e-9);
    assert_eq!(error.unwrap_err().fault, Fault::TooLarge);
    assert_eq!(state, good);
    assert_eq!(second_order_step(&mut state, (0.0, 1.0), &SecondOrder::default(), 0.0), Ok(()));
    assert_eq!(spring_step(&mut state, Moving::at_rest(9.0), &s, 0.0), Ok(()));
    assert_eq!(state, good);
}
