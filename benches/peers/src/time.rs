//! Damping and springs: many values a frame, each judged against the closed form in double
//! precision.

use std::array;
use std::f64::consts::TAU;

use anyhow::Result;
use sinew::glam::{DQuat, Quat};
use sinew::lanes::{self, F32x8, LANES};
use sinew::{Moving, Spring, damp, spring_slice, spring_step};

use crate::bench::{Bench, Entry};
use crate::measure::Runner;
use crate::table::{Unit, Worst};

const COUNT: u16 = 1024;
const RATE: f32 = 5.0;

pub fn run(bench: &mut Bench) -> Result<()> {
    numbers(bench)?;
    turns(bench)?;
    one_by_one(bench)?;
    all_at_once(bench)
}

/// Frames as they come: from 240 Hz to a hitch.
fn dt(i: u16) -> f32 {
    1.0 / 240.0 + 0.1 * (f32::from(i) * 0.618).fract().powi(4)
}

/// Something between -1 and 1.
fn noise(i: u16, step: f32) -> f32 {
    2.0 * (f32::from(i) * step).fract() - 1.0
}

// ---- damping -----------------------------------------------------------------------------------

#[derive(Clone, Copy)]
struct Approach<T> {
    from: T,
    to: T,
    dt: f32,
}

/// An entry that damps each of `cases` anew.
fn damper<'a, T: Copy + Default + 'a>(
    name: impl Into<String>,
    cases: &'a [Approach<T>],
    error: fn(&Approach<T>, T) -> f64,
    step: impl Fn(&Approach<T>) -> T + 'a,
) -> Entry<'a> {
    let work = move |results: &mut Vec<T>| {
        for (result, case) in results.iter_mut().zip(cases) {
            *result = step(case);
        }
    };
    let mut results = vec![T::default(); cases.len()];
    work(&mut results);
    let worst = Worst::of(cases.iter().zip(&results).map(|(case, result)| error(case, *result)));
    Entry::new(name, &worst, Runner::steady(cases.len() as f64, results, work))
}

fn share(dt: f32) -> f64 {
    -(-f64::from(RATE) * f64::from(dt)).exp_m1()
}

fn numbers(bench: &mut Bench) -> Result<()> {
    let case = |i| Approach { from: noise(i, 0.755), to: 2.0 + noise(i, 0.57), dt: dt(i) };
    let cases: Vec<_> = (0..COUNT).map(case).collect();
    let error = |case: &Approach<f32>, is: f32| {
        let (from, to) = (f64::from(case.from), f64::from(case.to));
        ((f64::from(is) - from) / (to - from) - share(case.dt)).abs()
    };
    let mut rivals = Vec::new();
    #[cfg(feature = "bevy")]
    rivals.push(damper(bevy("smooth_nudge"), &cases, error, |case| {
        use bevy_math::StableInterpolate;
        let mut x = case.from;
        x.smooth_nudge(&case.to, RATE, case.dt);
        x
    }));
    #[cfg(feature = "spring-damper")]
    rivals.push(damper(crate::bench::locked("spring_damper"), &cases, error, |case| {
        let half_life = std::f32::consts::LN_2 / RATE;
        spring_damper::damper_exact(case.from, case.to, half_life, case.dt, 1e-5)
    }));
    let ours = damper("sinew", &cases, error, |case| {
        damp(case.from, case.to, RATE, case.dt).unwrap_or(f32::NAN)
    });
    bench.race("damping, a number", Unit::Nanoseconds, ours, rivals).map(drop)
}

fn turns(bench: &mut Bench) -> Result<()> {
    let turn = |i, step: f32| {
        Quat::from_xyzw(noise(i, step), noise(i, 0.57), noise(i, 0.43), 1.1).normalize()
    };
    let case = |i| Approach { from: turn(i, 0.755), to: turn(i + COUNT, 0.618), dt: dt(i) };
    let cases: Vec<_> = (0..COUNT).map(case).collect();
    let error = |case: &Approach<Quat>, is: Quat| {
        let (from, to) = (case.from.as_dquat().normalize(), case.to.as_dquat().normalize());
        let to = if from.dot(to) < 0.0 { -to } else { to };
        let turn = (to * from.conjugate()).to_scaled_axis() * share(case.dt);
        (DQuat::from_scaled_axis(turn) * from).angle_between(is.as_dquat().normalize())
            / from.angle_between(to)
    };
    let mut rivals = Vec::new();
    #[cfg(feature = "bevy")]
    rivals.push({
        type Theirs = bevy_math::Quat;
        let there = |q: Quat| Theirs::from_array(q.to_array());
        damper(bevy("smooth_nudge"), &cases, error, move |case| {
            use bevy_math::StableInterpolate;
            let mut x = there(case.from);
            x.smooth_nudge(&there(case.to), RATE, case.dt);
            Quat::from_array(x.to_array())
        })
    });
    let ours = damper("sinew", &cases, error, |case| {
        damp(case.from, case.to, RATE, case.dt).unwrap_or(Quat::NAN)
    });
    bench.race("damping, a rotation", Unit::Nanoseconds, ours, rivals).map(drop)
}

// ---- springs -----------------------------------------------------------------------------------

const FREQUENCY: f32 = 2.0;
const GOAL: f32 = 1.0;

/// Rings, critical, creeps.
const RATIOS: [(f32, &str); 3] = [(0.3, "ringing"), (1.0, "critical"), (3.0, "creeping")];

/// Where the springs start.
fn start(i: u16) -> [f32; 2] {
    [noise(i, 0.755), 10.0 * noise(i, 0.57)]
}

/// An entry that steps each of the springs once, from its start.
///
/// `state` makes a spring at a position and a velocity, `step` steps all of them, `read` has them
/// back.
fn springs<'a, S: Clone + 'a>(
    name: impl Into<String>,
    (ratio, dt): (f32, fn(u16) -> f32),
    state: impl Fn([f32; 2]) -> S,
    mut step: impl FnMut(&mut [S]) + 'a,
    read: impl Fn(&S) -> [f64; 2],
) -> Entry<'a> {
    let start: Vec<_> = (0..COUNT).map(|i| state(start(i))).collect();
    let mut states = start.clone();
    step(&mut states);
    let errors =
        states.iter().zip(0..COUNT).map(|(state, i)| spring_error(i, ratio, dt(i), read(state)));
    let worst = Worst::of(errors);
    let reset = move |states: &mut Vec<S>| states.clone_from_slice(&start);
    Entry::new(name, &worst, Runner::new(f64::from(COUNT), states, reset, move |s| step(s)))
}

/// How far a spring is from the closed form, relative to the larger of its offset and its velocity
/// over the angular frequency.
fn spring_error(i: u16, ratio: f32, dt: f32, is: [f64; 2]) -> f64 {
    let [x, v] = start(i).map(f64::from);
    let (goal, zeta, t) = (f64::from(GOAL), f64::from(ratio), f64::from(dt));
    let omega = TAU * f64::from(FREQUENCY);
    let (y, decay) = (x - goal, zeta * omega);
    // The two solutions: c and s, with their sum weighted so that it begins as the spring does.
    let bend = omega * (zeta * zeta - 1.0).abs().sqrt();
    let (c, s) = if ratio < 1.0 {
        ((bend * t).cos(), (bend * t).sin() / bend)
    } else if ratio > 1.0 {
        ((bend * t).cosh(), (bend * t).sinh() / bend)
    } else {
        (1.0, t)
    };
    let fade = (-decay * t).exp();
    let offset = fade * (y * c + (v + decay * y) * s);
    let velocity = fade * (v * c - (omega * omega * y + decay * v) * s);
    let size = y.abs().max(v.abs() / omega);
    let aside = (is[0] - goal - offset).abs().max((is[1] - velocity).abs() / omega);
    aside / size
}

fn spring(ratio: f32) -> Spring {
    Spring { frequency: FREQUENCY, damping_ratio: ratio }
}

fn moving([position, velocity]: [f32; 2]) -> Moving<f32> {
    Moving { position, velocity }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as `springs` reads any state")]
fn wide(state: &Moving<f32>) -> [f64; 2] {
    [state.position.into(), state.velocity.into()]
}

/// Every spring with a time step of its own.
fn one_by_one(bench: &mut Bench) -> Result<()> {
    for (ratio, name) in RATIOS {
        let ours = springs(
            "sinew",
            (ratio, dt),
            moving,
            move |states| {
                for (state, i) in states.iter_mut().zip(0..) {
                    let _ = spring_step(state, Moving::at_rest(GOAL), &spring(ratio), dt(i));
                }
            },
            wide,
        );
        let rivals = rivals(ratio, dt);
        let task = format!("a spring, {name}");
        bench.race(&task, Unit::Nanoseconds, ours, rivals)?;
    }
    Ok(())
}

/// Springs of one kind, all with the frame's time step.
/// Every spring with the same time step, towards a goal of its own.
fn all_at_once(bench: &mut Bench) -> Result<()> {
    for (ratio, name) in RATIOS {
        let mut rivals = rivals(ratio, frame);
        #[cfg(feature = "harmonica")]
        rivals.push(made_once(ratio));
        let task = format!("{COUNT} springs, {name}, each");
        bench.race(&task, Unit::Nanoseconds, slice(ratio), rivals)?;
        let rivals = vec![
            Entry { name: "sinew, spring_slice".into(), ..slice(ratio) },
            #[cfg(feature = "harmonica")]
            made_once(ratio),
        ];
        let task = format!("{COUNT} springs in lanes, {name}, each");
        bench.race(&task, Unit::Nanoseconds, slice_lanes(ratio), rivals)?;
    }
    Ok(())
}

fn frame(_: u16) -> f32 {
    1.0 / 60.0
}

fn slice<'a>(ratio: f32) -> Entry<'a> {
    let goals = vec![Moving::at_rest(GOAL); COUNT.into()];
    let step = move |states: &mut [Moving<f32>]| {
        let _ = spring_slice(states, &goals, &spring(ratio), frame(0));
    };
    springs("sinew", (ratio, frame), moving, step, wide)
}

fn slice_lanes<'a>(ratio: f32) -> Entry<'a> {
    let groups = usize::from(COUNT) / LANES;
    let goals = vec![Moving::at_rest(F32x8::splat(GOAL)); groups];
    let start: Vec<_> = (0..groups)
        .map(|group| {
            let part = |part: usize| array::from_fn(|lane| start(spring_of(group, lane))[part]);
            Moving { position: F32x8::from(part(0)), velocity: F32x8::from(part(1)) }
        })
        .collect();
    let step = move |states: &mut Vec<Moving<F32x8>>| {
        let _ = lanes::spring_slice(states, &goals, &spring(ratio), frame(0));
    };
    let mut states = start.clone();
    step(&mut states);
    let errors = (0..groups).flat_map(|group| (0..LANES).map(move |lane| (group, lane))).map(
        |(group, lane)| {
            let Moving { position, velocity } = states[group];
            let is = [position.lane(lane), velocity.lane(lane)].map(f64::from);
            spring_error(spring_of(group, lane), ratio, frame(0), is)
        },
    );
    let worst = Worst::of(errors);
    let reset = move |states: &mut Vec<_>| states.clone_from_slice(&start);
    Entry::new("sinew", &worst, Runner::new(f64::from(COUNT), states, reset, step))
}

/// The number of the spring in this lane of this group.
fn spring_of(group: usize, lane: usize) -> u16 {
    (group * LANES + lane) as u16
}

#[cfg(feature = "harmonica")]
fn made_once<'a>(ratio: f32) -> Entry<'a> {
    let spring = harmonica(ratio, frame(0));
    let goals = vec![f64::from(GOAL); COUNT.into()];
    let step = move |states: &mut [[f64; 2]]| {
        for ([x, v], goal) in states.iter_mut().zip(&goals) {
            (*x, *v) = spring.update(*x, *v, *goal);
        }
    };
    let name = format!("{}, made once", crate::bench::locked("charmed-harmonica"));
    springs(name, (ratio, frame), |s| s.map(f64::from), step, |s| *s)
}

/// Those that take a time step with each call.
fn rivals<'a>(ratio: f32, dt: fn(u16) -> f32) -> Vec<Entry<'a>> {
    let mut rivals = Vec::new();
    #[cfg(feature = "springs")]
    rivals.push({
        use springs::{Spring, SpringConfig};
        let response = 1.0 / f64::from(FREQUENCY);
        let config = SpringConfig::from_response_damping(response, ratio.into());
        let state = |[x, v]: [f32; 2]| {
            Spring::new(x).with_target(GOAL).with_velocity(v).with_config(config)
        };
        let read = |s: &Spring<f32>| [s.value().into(), s.velocity().into()];
        springs(
            crate::bench::locked("springs"),
            (ratio, dt),
            state,
            move |states| {
                for (state, i) in states.iter_mut().zip(0..) {
                    state.advance(dt(i).into());
                }
            },
            read,
        )
    });
    #[cfg(feature = "spring-damper")]
    rivals.push({
        // Its damping is twice the decay's rate, and given as a half-life.
        let omega = std::f32::consts::TAU * FREQUENCY;
        let half_life = 4.0 * std::f32::consts::LN_2 / (2.0 * ratio * omega);
        let step = move |[x, v]: &mut [f32; 2], dt: f32| {
            if ratio == 1.0 {
                spring_damper::simple_spring_damper_exact(x, v, GOAL, half_life, dt);
            } else {
                let (frequency, eps) = (FREQUENCY, 1e-5);
                spring_damper::spring_damper_exact(x, v, GOAL, 0.0, frequency, half_life, dt, eps);
            }
        };
        springs(
            crate::bench::locked("spring_damper"),
            (ratio, dt),
            |s| s,
            move |states| {
                for (state, i) in states.iter_mut().zip(0..) {
                    step(state, dt(i));
                }
            },
            |s| s.map(f64::from),
        )
    });
    #[cfg(feature = "harmonica")]
    rivals.push({
        let name = format!("{}, made anew", crate::bench::locked("charmed-harmonica"));
        springs(
            name,
            (ratio, dt),
            |s| s.map(f64::from),
            move |states| {
                for ([x, v], i) in states.iter_mut().zip(0..) {
                    (*x, *v) = harmonica(ratio, dt(i)).update(*x, *v, GOAL.into());
                }
            },
            |s| *s,
        )
    });
    rivals
}

#[cfg(feature = "harmonica")]
fn harmonica(ratio: f32, dt: f32) -> harmonica::Spring {
    harmonica::Spring::new(dt.into(), TAU * f64::from(FREQUENCY), ratio.into())
}

#[cfg(feature = "bevy")]
fn bevy(function: &str) -> String {
    format!("{} {function}", crate::bench::locked("bevy_math"))
}
