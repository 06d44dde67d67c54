//! Damping, springs, curves and gaits: time a call.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    BodyMotion, BodySettings, Ease, Gait, Ground, Home, Moving, Spring, Stepper, bezier_cubic,
    bezier_cubic_at_length, bezier_cubic_length, cubic_bezier_ease, damp, damp_slice, feet_plane,
    spring_slice, spring_step, step_curve,
};

const DT: f32 = 1.0 / 60.0;

fn time(c: &mut Criterion) {
    let mut group = c.benchmark_group("time");
    group.bench_function("damp f32", |b| {
        b.iter(|| damp(black_box(0.2_f32), black_box(1.0), 5.0, black_box(DT)));
    });
    let (from, to) = (Quat::from_rotation_x(0.3), Quat::from_rotation_y(1.2));
    group.bench_function("damp Quat", |b| {
        b.iter(|| damp(black_box(from), black_box(to), 5.0, black_box(DT)));
    });
    let goal = Moving::at_rest(1.0_f32);
    for (name, damping_ratio) in [("ringing", 0.3), ("critical", 1.0), ("creeping", 3.0)] {
        let spring = Spring { frequency: 2.0, damping_ratio };
        group.bench_function(format!("spring_step f32, {name}"), |b| {
            let mut state = Moving::at_rest(0.0);
            b.iter(|| spring_step(&mut state, black_box(goal), &spring, black_box(DT)));
        });
    }
    group.bench_function("spring_step Quat", |b| {
        let mut state = Moving::at_rest(from);
        let goal = Moving::at_rest(to);
        b.iter(|| spring_step(&mut state, black_box(goal), &Spring::default(), black_box(DT)));
    });
    group.finish();

    let mut group = c.benchmark_group("slices");
    for size in [16, 64, 1024] {
        group.throughput(Throughput::Elements(size as u64));
        group.bench_function(BenchmarkId::new("damp_slice Vec3", size), |b| {
            let (mut values, targets) = (vec![Vec3::ZERO; size], vec![Vec3::ONE; size]);
            b.iter(|| damp_slice(&mut values, &targets, 5.0, black_box(DT)));
        });
        group.bench_function(BenchmarkId::new("spring_slice Vec3", size), |b| {
            let mut states = vec![Moving::at_rest(Vec3::ZERO); size];
            let targets = vec![Moving::at_rest(Vec3::ONE); size];
            b.iter(|| spring_slice(&mut states, &targets, &Spring::default(), black_box(DT)));
        });
    }
    group.finish();
}

fn curves(c: &mut Criterion) {
    let mut group = c.benchmark_group("curves");
    let arch = [Vec3::ZERO, Vec3::new(0.2, 1.0, 0.3), Vec3::new(1.1, 0.9, -0.2), Vec3::X];
    let cusp = [Vec3::ZERO, Vec3::ONE, Vec3::new(0.0, 1.0, 0.0), Vec3::X];
    group.bench_function("bezier_cubic", |b| {
        b.iter(|| bezier_cubic(black_box(&arch), black_box(0.3)));
    });
    for (name, points) in [("arch", arch), ("near a cusp", cusp)] {
        group.bench_function(format!("bezier_cubic_length, {name}"), |b| {
            b.iter(|| bezier_cubic_length(black_box(&points), black_box(1.0)));
        });
        group.bench_function(format!("bezier_cubic_at_length, {name}"), |b| {
            b.iter(|| bezier_cubic_at_length(black_box(&points), black_box(0.7)));
        });
    }
    group.bench_function("step_curve", |b| {
        b.iter(|| step_curve(black_box(Vec3::ZERO), Vec3::X, Vec3::Y, 0.2, black_box(0.3)));
    });
    group.bench_function("all easings", |b| {
        b.iter(|| Ease::ALL.iter().filter_map(|e| e.at(black_box(0.37)).ok()).sum::<f32>());
    });
    let pairs = [("ease", [0.25, 0.1, 0.25, 1.0]), ("vertical", [1.0, 0.0, 0.0, 1.0])];
    for (name, [x1, y1, x2, y2]) in pairs {
        group.bench_function(format!("cubic_bezier_ease, {name}"), |b| {
            b.iter(|| cubic_bezier_ease(black_box(x1), y1, black_box(x2), y2, black_box(0.4)));
        });
    }
    group.finish();
}

/// A second of walking at 60 frames a second.
fn gaits(c: &mut Criterion) {
    let mut group = c.benchmark_group("gaits, a second at 60 Hz");
    for count in [2_u8, 4, 6, 64] {
        group.throughput(Throughput::Elements(60 * u64::from(count)));
        let homes = |time: f32| {
            (0..count)
                .map(|i| Home {
                    position: Vec3::new(time - f32::from(i / 2), 0.0, f32::from(i % 2)),
                    rotation: Quat::IDENTITY,
                    up: Vec3::Y,
                })
                .collect::<Vec<_>>()
        };
        let frames: Vec<_> = (0_u8..60).map(|i| homes(f32::from(i) * DT)).collect();
        let feet: Vec<_> = frames[0]
            .iter()
            .enumerate()
            .map(|(i, home)| Stepper::planted(*home).with_group(u8::from(i % 4 == 1 || i % 4 == 2)))
            .collect();
        let floor = Ground { point: Vec3::ZERO, normal: Vec3::Y };
        group.bench_function(BenchmarkId::new("feet", count), |b| {
            b.iter(|| {
                let (mut gait, mut feet) = (Gait::default(), feet.clone());
                for homes in &frames {
                    let _ = gait.advance(&mut feet, homes, |p| Some(floor.nearest(p)), DT);
                }
                feet
            });
        });
    }
    group.bench_function("body", |b| {
        let Ok(start) = BodyMotion::in_plane(Vec2::ZERO, Vec2::X) else {
            return;
        };
        b.iter(|| {
            let mut body = start;
            for _ in 0..60 {
                let _ = body.advance(black_box(Vec2::new(4.0, 3.0)), &BodySettings::default(), DT);
            }
            body
        });
    });
    group.finish();
    c.bench_function("feet_plane, 4 feet", |b| {
        let feet = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 0.2, 1.0), Vec3::new(1.0, 0.1, 1.0)];
        b.iter(|| feet_plane(black_box(&feet), Vec3::Y));
    });
}

criterion_group!(all, time, curves, gaits);
criterion_main!(all);
