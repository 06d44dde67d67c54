//! Crowds: eight characters one after the other, and the same eight in lanes.
//!
//! `cargo bench --bench crowd --features lanes`, and with `RUSTFLAGS="-C target-cpu=native"` for
//! what wider instructions give.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::glam::Vec3;
use sinew::lanes::{self, F32x8, LANES, Vec3x8};
use sinew::{
    DistanceConstraint, Moving, Relaxation, Spring, Verlet, damp_slice, distance_constraints,
    spring_slice, verlet_step,
};

const DT: f32 = 1.0 / 60.0;

/// One family: what is done for eight characters of `count` entries each, both ways.
fn both(
    criterion: &mut Criterion,
    (family, count): (&str, usize),
    mut scalar: impl FnMut(),
    mut lanes: impl FnMut(),
) {
    let mut group = criterion.benchmark_group(family);
    group.throughput(Throughput::Elements((LANES * count) as u64));
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_millis(800));
    group.sample_size(30);
    group.bench_function("scalar", |b| b.iter(&mut scalar));
    group.bench_function("lanes", |b| b.iter(&mut lanes));
    group.finish();
}

/// A loose coil for each character, so that nothing is straight and no two are alike.
fn coil(character: usize, count: usize) -> Vec<Vec3> {
    let phase = character as f32 * 0.9;
    (0..count)
        .map(|i| {
            let t = i as f32 * 0.7 + phase;
            Vec3::new(t.cos() * 0.1, -0.05 * i as f32, t.sin() * 0.1)
        })
        .collect()
}

/// Entry i of all characters in lanes.
fn in_lanes(characters: &[Vec<Vec3>; LANES]) -> Vec<Vec3x8> {
    let entry = |i| Vec3x8::from(core::array::from_fn(|lane| characters[lane][i]));
    (0..characters[0].len()).map(entry).collect()
}

fn coils(count: usize) -> [Vec<Vec3>; LANES] {
    core::array::from_fn(|character| coil(character, count))
}

fn damping(c: &mut Criterion) {
    const COUNT: usize = 16;
    let (mut values, targets) = (coils(COUNT), coils(COUNT));
    let (mut values_x8, targets_x8) = (in_lanes(&values), in_lanes(&targets));
    both(
        c,
        ("damp_slice, 16 vectors", COUNT),
        || {
            for (values, targets) in values.iter_mut().zip(&targets) {
                let _ = black_box(damp_slice(values, targets, 5.0, black_box(DT)));
            }
        },
        || {
            black_box(lanes::damp_slice(&mut values_x8, &targets_x8, 5.0, black_box(DT)));
        },
    );
}

fn springs(c: &mut Criterion) {
    const COUNT: usize = 16;
    let at_rest = |vs: &Vec<Vec3>| vs.iter().map(|v| Moving::at_rest(*v)).collect::<Vec<_>>();
    let mut states = coils(COUNT).map(|vs| at_rest(&vs));
    let targets = states.clone();
    let spring = Spring::default();
    let at_rest = |vs: &Vec<Vec3x8>| vs.iter().map(|v| Moving::at_rest(*v)).collect::<Vec<_>>();
    let mut states_x8 = at_rest(&in_lanes(&coils(COUNT)));
    let targets_x8 = states_x8.clone();
    both(
        c,
        ("spring_slice, 16 vectors", COUNT),
        || {
            for (states, targets) in states.iter_mut().zip(&targets) {
                let _ = black_box(spring_slice(states, targets, &spring, black_box(DT)));
            }
        },
        || {
            black_box(lanes::spring_slice(&mut states_x8, &targets_x8, &spring, black_box(DT)));
        },
    );
}

fn particles(c: &mut Criterion) {
    const COUNT: usize = 32;
    let (mut x, mut before) = (coils(COUNT), coils(COUNT));
    let (mut x_x8, mut before_x8) = (in_lanes(&x), in_lanes(&before));
    let fall = Verlet { acceleration: Vec3::NEG_Y, drag: 1.0, ..Verlet::default() };
    let acceleration = Vec3x8::splat(Vec3::NEG_Y);
    let fall_x8 = Verlet { acceleration, drag: 1.0, ..Verlet::default() };
    both(
        c,
        ("verlet_step, 32 particles", COUNT),
        || {
            for (x, before) in x.iter_mut().zip(&mut before) {
                let _ = black_box(verlet_step(x, before, &fall, black_box(DT)));
            }
        },
        || {
            black_box(lanes::verlet_step(&mut x_x8, &mut before_x8, &fall_x8, black_box(DT)));
        },
    );

    let rods: Vec<_> = (1..COUNT)
        .map(|i| DistanceConstraint { particles: [i - 1, i], rest: 0.09, ..Default::default() })
        .collect();
    let settings = Relaxation::default();
    let start = coils(COUNT);
    let start_x8 = in_lanes(&start);
    let (mut x, mut x_x8) = (start.clone(), start_x8.clone());
    both(
        c,
        ("distance_constraints, 31 rods, 8 iterations", COUNT - 1),
        || {
            for (x, start) in x.iter_mut().zip(&start) {
                x.copy_from_slice(start);
                let _ = black_box(distance_constraints(x, &rods, &mut [], black_box(&settings)));
            }
        },
        || {
            x_x8.copy_from_slice(&start_x8);
            let none: &mut [F32x8] = &mut [];
            black_box(lanes::distance_constraints(&mut x_x8, &rods, none, black_box(&settings)));
        },
    );
}

criterion_group!(benches, damping, springs, particles);
criterion_main!(benches);
