//! What moves with time, of any numbers: an error that leaves everything as it was, or finite
//! numbers. Of sound numbers: the closed forms in double precision, steps that land, and clocks
//! that lose nothing.
#![no_main]

use core::f64::consts::{LN_2, PI, TAU};

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Quat, Vec2, Vec3, Vec4};
use sinew::{
    Animated, FixedSteps, Moving, Rot2, SecondOrder, Spring, damp, damp_angle, damp_half_life,
    damp_slice, move_towards, second_order_step, spring_slice, spring_step,
};
use sinew_fuzz::animated::{Track, scaled, size, sum};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::oracle::{assert_same_bits, attempt};

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(8) {
        0 => clock(&mut bits, true),
        1 => clock(&mut bits, false),
        2 => angle(&mut bits),
        3 => steps(&mut bits),
        _ => match bits.below(6) {
            0 => each::<f32>(&mut bits),
            1 => each::<Vec2>(&mut bits),
            2 => each::<Vec3>(&mut bits),
            3 => each::<Vec4>(&mut bits),
            4 => each::<Rot2>(&mut bits),
            _ => each::<Quat>(&mut bits),
        },
    }
});

fn each<T: Track>(bits: &mut Bits) {
    match bits.below(5) {
        0 => wild::<T>(bits),
        1 => damping::<T>(bits),
        2 => spring::<T>(bits),
        3 => second_order::<T>(bits),
        _ => slices::<T>(bits),
    }
}

fn moving<T: Track>(bits: &mut Bits, wild: bool) -> Moving<T> {
    Moving { position: T::draw(bits, wild), velocity: T::draw_velocity(bits, wild) }
}

fn wild<T: Track>(bits: &mut Bits) {
    // Now and then only one number is out of order.
    let odd = if bits.byte() < 128 { None } else { Some(bits.below(4)) };
    let is_wild = |part: usize| odd.is_none_or(|odd| odd == part);
    let (from, to) = (moving::<T>(bits, is_wild(0)), moving::<T>(bits, is_wild(1)));
    let number = |bits: &mut Bits, wild: bool| if wild { bits.any() } else { 10.0 * bits.share() };
    let (rate, dt) = (number(bits, is_wild(2)), number(bits, is_wild(3)));
    for damped in [
        damp(from.position, to.position, rate, dt),
        damp_half_life(from.position, to.position, rate, dt),
    ]
    .into_iter()
    .flatten()
    {
        assert!(damped.is_finite(), "{from:?} {to:?} {rate} {dt}: {damped:?}");
    }
    let spring = match bits.below(4) {
        0 => Spring::from_half_life(rate),
        1 => Spring::from_stiffness(rate, bits.any(), bits.any()),
        _ => Spring { frequency: rate, damping_ratio: number(bits, is_wild(2)) },
    };
    let is_finite = |state: &Moving<T>| {
        state.position.is_finite() && T::velocity(state.velocity).iter().all(|x| x.is_finite())
    };
    let mut state = from;
    for _ in 0..3 {
        if attempt(&mut state, |state| spring_step(state, to, &spring, dt)).is_some() {
            assert!(is_finite(&state), "{from:?} {to:?} {spring:?} {dt}: {state:?}");
        }
    }
    let Spring { frequency, damping_ratio } = spring;
    let settings = SecondOrder { frequency, damping_ratio, response: number(bits, is_wild(2)) };
    let mut state = from;
    for _ in 0..3 {
        let targets = (to.position, from.position);
        if attempt(&mut state, |state| second_order_step(state, targets, &settings, dt)).is_some() {
            assert!(is_finite(&state), "{from:?} {to:?} {settings:?} {dt}: {state:?}");
        }
    }
}

fn damping<T: Track>(bits: &mut Bits) {
    let (from, to) = (T::draw(bits, false), T::draw(bits, false));
    let (rate, dt) = (10.0 * bits.share(), bits.moderate().abs());
    let gap = to.offset64(from);
    let near = |is: T, left: f64| {
        // Half a turn apart either way is short.
        if T::IS_TURN && size(gap) > PI - 1e-3 {
            return;
        }
        let miss = to.miss(scaled(gap, left), is);
        let slack = 1e-6 * size(gap) + 2.0 * (from.grain() + to.grain());
        assert!(miss <= slack, "{from:?} to {to:?}, {left} left: {is:?} is {miss} off");
    };
    let by_rate = |rate: f32, dt: f32| damp(from, to, rate, dt).expect("sound numbers");
    near(by_rate(rate, dt), (-f64::from(rate) * f64::from(dt)).exp());
    if rate > 0.0 {
        let damped = damp_half_life(from, to, rate, dt).expect("sound numbers");
        near(damped, (-LN_2 * f64::from(dt) / f64::from(rate)).exp());
    }
    assert_same_bits(&by_rate(rate, 0.0), &from, &"no time");
    assert_same_bits(&by_rate(f32::INFINITY, 0.0), &from, &"no time");
    assert_same_bits(&by_rate(f32::INFINITY, 1.0), &to, &"at once");
    assert_eq!(damp(to, to, rate, dt), Ok(to));
}

fn angle(bits: &mut Bits) {
    let (from, to) = (10.0 * bits.moderate(), 10.0 * bits.moderate());
    let (rate, dt) = (10.0 * bits.share(), bits.moderate().abs());
    let damped = damp_angle(from, to, rate, dt).expect("sound numbers");
    let turn = f64::from(to) - f64::from(from);
    let gap = turn - TAU * (turn / TAU).round();
    let left = (-f64::from(rate) * f64::from(dt)).exp();
    if gap.abs() < PI - 1e-4 {
        let wanted = f64::from(from) + gap * (1.0 - left);
        assert!(
            (f64::from(damped) - wanted).abs() < 2e-5,
            "{from} to {to}: {damped}, not {wanted}"
        );
    }
    // Any numbers at all.
    let (from, to) = (bits.any(), bits.any());
    if let Ok(damped) = damp_angle(from, to, bits.any(), bits.any()) {
        assert!(damped.is_finite());
        let grain = f32::EPSILON * from.abs();
        assert!((damped - from).abs() <= core::f32::consts::PI + 1e-6 + grain, "{from} to {to}");
    }
}

/// What a time t does to y'' = -ω² y - 2ζω y': a, b and d in y ↦ a·y + b·v and v ↦ d·v - ω²·b·y.
fn transition(angular: f64, ratio: f64, t: f64) -> (f64, f64, f64) {
    let x = angular * t;
    let phase = x * ((1.0 - ratio) * (1.0 + ratio)).abs().sqrt();
    if ratio <= 1.0 || phase < 1e-4 {
        let decay = (-ratio * x).exp();
        let (cos, share) =
            if phase < 1e-4 { (1.0, 1.0) } else { (phase.cos(), phase.sin() / phase) };
        let shift = ratio * x * share;
        return (decay * (cos + shift), t * decay * share, decay * (cos - shift));
    }
    let fast = ratio * x + phase;
    let slow = x * x / fast;
    let (long, short) = ((-slow).exp(), (-fast).exp());
    let half = 0.5 / phase;
    (
        (fast * long - slow * short) * half,
        t * (long - short) * half,
        (fast * short - slow * long) * half,
    )
}

fn drawn_spring(bits: &mut Bits) -> (Spring, f32) {
    let frequency = bits.moderate().abs() * [0.1, 1.0, 10.0, 1000.0][bits.below(4)];
    let damping_ratio = match bits.below(3) {
        0 => bits.share(),
        1 => [1.0, 1.0 + f32::EPSILON, 1.0 - f32::EPSILON, 1.001][bits.below(4)],
        _ => bits.moderate().abs(),
    };
    let dt = if bits.byte() < 64 { bits.moderate().abs() } else { 0.1 * bits.share() };
    (Spring { frequency, damping_ratio }, dt)
}

/// Asserts where a spring is after `dt` that would end `lag` seconds ahead of its moving target.
fn check_spring<T: Track>(
    before: Moving<T>,
    target: Moving<T>,
    (spring, dt): (Spring, f32),
    lag: f64,
    after: Moving<T>,
) {
    let angular = TAU * f64::from(spring.frequency);
    let (a, b, d) = transition(angular, spring.damping_ratio.into(), dt.into());
    let v = T::velocity(target.velocity);
    let rest = scaled(v, lag);
    let w = sum(T::velocity(before.velocity), scaled(v, -1.0));
    let y = sum(
        sum(target.position.offset64(before.position), scaled(v, dt.into())),
        scaled(rest, -1.0),
    );
    let moved = sum(sum(scaled(y, a), scaled(w, b)), rest);
    let speed = sum(v, sum(scaled(w, d), scaled(y, -angular * angular * b)));
    // The offset, or how far the velocity carries it, in units of length.
    let swing = if angular > 0.0 { size(w) / angular } else { size(w) * f64::from(dt) };
    let scale = size(y).max(swing).max(size(rest));
    if T::IS_TURN && (size(y) > PI - 1e-3 || size(v) > 0.0) {
        return; // Another way round is as short; a target that turns is another frame.
    }
    let grain = before.position.grain() + target.position.grain() + 1e-7 * size(v) * f64::from(dt);
    let miss = target.position.miss(moved, after.position);
    assert!(
        miss <= 2e-6 * scale + 4.0 * grain,
        "{before:?} to {target:?} by {spring:?} in {dt}: {after:?} is {miss} off, scale {scale}"
    );
    let miss = size(sum(T::velocity(after.velocity), scaled(speed, -1.0)));
    assert!(
        miss <= (2e-6 * scale + 4.0 * grain) * angular + 2e-6 * size(w) + 4e-7 * size(v),
        "{before:?} to {target:?} by {spring:?} in {dt}: {after:?}, its velocity {miss} off"
    );
}

fn spring<T: Track>(bits: &mut Bits) {
    let (before, target) = (moving::<T>(bits, false), moving::<T>(bits, false));
    let (spring, dt) = drawn_spring(bits);
    let mut state = before;
    spring_step(&mut state, target, &spring, dt).expect("sound numbers");
    check_spring(before, target, (spring, dt), 0.0, state);
    let mut still = before;
    spring_step(&mut still, target, &spring, 0.0).expect("sound numbers");
    assert_same_bits(&still, &before, &"no time");
}

fn second_order<T: Track>(bits: &mut Bits) {
    let before = moving::<T>(bits, false);
    let (from, to) = (T::draw(bits, false), T::draw(bits, false));
    let (spring, dt) = drawn_spring(bits);
    let response = 4.0 * (bits.share() - 0.5);
    let settings =
        SecondOrder { frequency: spring.frequency, damping_ratio: spring.damping_ratio, response };
    let mut state = before;
    if attempt(&mut state, |state| second_order_step(state, (from, to), &settings, dt)).is_none() {
        return; // A jump in no time is too fast.
    }
    if dt == 0.0 {
        return assert_same_bits(&state, &before, &"no time");
    }
    if T::IS_TURN || spring.frequency == 0.0 {
        return;
    }
    let target = Moving { position: to, velocity: T::speed(from, to, dt) };
    let angular = TAU * f64::from(spring.frequency);
    let lag = (f64::from(response) - 2.0) * f64::from(spring.damping_ratio) / angular;
    check_spring(before, target, (spring, dt), lag, state);
}

/// Slices are their entries, one by one.
fn slices<T: Track>(bits: &mut Bits) {
    let count = bits.below(5);
    let odd = bits.byte() < 64;
    let one = |bits: &mut Bits| {
        let wild = odd && bits.byte() < 64;
        moving::<T>(bits, wild)
    };
    let draw = |bits: &mut Bits| (0..count).map(|_| one(bits)).collect::<Vec<_>>();
    let (states, mut targets) = (draw(bits), draw(bits));
    if bits.byte() == 0 {
        targets.pop();
    }
    let (spring, dt) = drawn_spring(bits);
    let positions = |of: &[Moving<T>]| of.iter().map(|m| m.position).collect::<Vec<_>>();
    let (mut values, goals) = (positions(&states), positions(&targets));
    if attempt(&mut values, |values| damp_slice(values, &goals, spring.frequency, dt)).is_some() {
        for (i, value) in values.iter().enumerate() {
            let alone =
                damp(states[i].position, goals[i], spring.frequency, dt).expect("as the slice");
            assert_same_bits(value, &alone, &i);
        }
    }
    let mut sprung = states.clone();
    if attempt(&mut sprung, |states| spring_slice(states, &targets, &spring, dt)).is_some() {
        for (i, state) in sprung.iter().enumerate() {
            let mut alone = states[i];
            spring_step(&mut alone, targets[i], &spring, dt).expect("as the slice");
            assert_same_bits(state, &alone, &i);
        }
    }
}

fn steps(bits: &mut Bits) {
    let most = bits.moderate().abs();
    step_to(bits.moderate(), bits.moderate(), most);
    step_to(bits.vec2(), bits.vec2(), most);
    step_to(bits.vec3(), bits.vec3(), most);
    let (from, to, most) = (bits.any_vec3(), bits.any_vec3(), bits.any());
    if let Ok(there) = move_towards(from, to, most) {
        assert!(there.is_finite(), "{from} to {to} by {most}");
    }
}

fn step_to<T>(from: T, to: T, most: f32)
where
    T: Track + Animated<Velocity = T> + core::ops::Mul<f32, Output = T>,
{
    let there = move_towards(from, to, most).expect("sound numbers");
    let (gap, went) = (size(from.offset64(to)), size(from.offset64(there)));
    let slack = 2.0 * (from.grain() + to.grain()) + 1e-6 * gap;
    assert!(went <= f64::from(most) + slack, "{from:?} to {to:?}: {went} of {most}");
    let left = size(there.offset64(to));
    assert!(
        (left - (gap - f64::from(most)).max(0.0)).abs() <= slack,
        "{from:?} to {to:?} by {most}: {left} left of {gap}"
    );
    assert_same_bits(&move_towards(from, to, f32::INFINITY).expect("sound numbers"), &to, &"lands");
    assert_eq!(move_towards(from, to, 0.0), Ok(from));
}

fn clock(bits: &mut Bits, wild: bool) {
    let number = |bits: &mut Bits| if wild { bits.any() } else { bits.moderate().abs() };
    let most =
        if wild { u32::from(bits.byte()) << bits.below(25) } else { 1 + u32::from(bits.byte()) };
    let length = number(bits);
    let Ok(mut clock) = FixedSteps::new(length, most) else {
        return assert!(wild || length < 1e-6);
    };
    assert_eq!(clock.step(), length);
    // Seconds that went in and came out, and what rounding may have done to them.
    let (mut passed, mut run, mut rounding) = (0.0, 0.0, 1e-4);
    for _ in 0..16 {
        let dt = number(bits);
        let Some(steps) = attempt(&mut clock, |clock| clock.advance(dt)) else { continue };
        assert!(steps.count <= most);
        assert!((0.0..1.0).contains(&steps.fraction), "{steps:?}");
        assert!(steps.dropped >= 0.0 && steps.dropped.is_finite());
        assert!(dt > 0.0 || steps.count == 0, "{steps:?} in no time");
        let step = f64::from(length);
        passed += f64::from(dt);
        run += f64::from(steps.count) * step + f64::from(steps.dropped);
        rounding += 4e-7 * (f64::from(dt) / step + 1.0);
        let shown = run + f64::from(steps.fraction) * step;
        assert!((shown - passed).abs() <= rounding * step, "{shown} of {passed} s: {clock:?}");
    }
    clock.reset();
    assert!(clock.advance(0.0).is_ok_and(|steps| steps.count == 0 && steps.fraction == 0.0));
}
