//! Inverse kinematics: what a sweep costs as the chain grows, and what a whole solve costs.
//!
//! `cargo bench --bench ik`

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{CcdSettings, Joint3, Rot2, Vector, ccd_solve};

const JOINTS: [usize; 5] = [3, 8, 32, 128, 1024];

/// One sweep, whatever it gains.
const SWEEP: CcdSettings = CcdSettings { max_iterations: 1, tolerance: 0.0, ..SOLVE };

/// Until the target is reached.
const SOLVE: CcdSettings = CcdSettings {
    max_iterations: 100,
    tolerance: 1e-3,
    order: sinew::Order::TipFirst,
    max_turn: core::f32::consts::PI,
    damping: 0.0,
};

/// A pose to start from, the same for each iteration.
struct Case<V: Vector> {
    positions: Vec<V>,
    rotations: Vec<V::Rotation>,
    joints: Vec<V::Joint>,
    target: V,
}

/// Unit bones that bend gently to one side and back, and a target at about half the reach.
fn space(count: usize, joint: impl Fn(usize) -> Joint3) -> Case<Vec3> {
    let (mut positions, mut rotations) = (vec![Vec3::ZERO], vec![Quat::IDENTITY]);
    for i in 1..count {
        let bend = Quat::from_rotation_z(0.2 * (0.7 * i as f32).sin())
            * Quat::from_rotation_x(0.1 * (0.3 * i as f32).cos());
        positions.push(positions[i - 1] + rotations[i - 1] * Vec3::Y);
        rotations.push((rotations[i - 1] * bend).normalize());
    }
    let target = Vec3::new(0.4, 0.3, 0.2) * (count - 1) as f32;
    Case { positions, rotations, joints: (1..count).map(joint).collect(), target }
}

fn plane(count: usize) -> Case<Vec2> {
    let (mut positions, mut rotations) = (vec![Vec2::ZERO], vec![Rot2::IDENTITY]);
    for i in 1..count {
        positions.push(positions[i - 1] + rotations[i - 1] * Vec2::Y);
        rotations
            .push((rotations[i - 1] * Rot2::from_angle(0.2 * (0.7 * i as f32).sin())).normalize());
    }
    let target = Vec2::new(0.4, 0.3) * (count - 1) as f32;
    Case { positions, rotations, joints: Vec::new(), target }
}

fn free(count: usize) -> Case<Vec3> {
    Case { joints: Vec::new(), ..space(count, |_| Joint3::free()) }
}

/// Axes in turn, as on a robot.
fn hinges(count: usize) -> Case<Vec3> {
    space(count, |i| Joint3::hinge([Vec3::Z, Vec3::X, Vec3::Y][i % 3], -2.0, 2.0))
}

fn cones(count: usize) -> Case<Vec3> {
    space(count, |_| Joint3::cone(Vec3::Y, 0.8).with_twist(-0.5, 0.5))
}

fn bench<V: Vector>(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    case: &Case<V>,
    settings: &CcdSettings,
) {
    let (mut positions, mut rotations) = (case.positions.clone(), case.rotations.clone());
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(BenchmarkId::new(name, positions.len()), |bencher| {
        bencher.iter(|| {
            positions.copy_from_slice(&case.positions);
            rotations.copy_from_slice(&case.rotations);
            let target = black_box(case.target);
            black_box(ccd_solve(&mut positions, &mut rotations, &case.joints, target, settings))
        });
    });
}

fn ccd(criterion: &mut Criterion) {
    for (name, settings, counts) in
        [("ccd_sweep", &SWEEP, &JOINTS[..]), ("ccd_solve", &SOLVE, &JOINTS[..3])]
    {
        let mut group = criterion.benchmark_group(name);
        group.warm_up_time(Duration::from_millis(200));
        group.measurement_time(Duration::from_millis(800));
        group.sample_size(30);
        for count in counts {
            bench(&mut group, "free_3d", &free(*count), settings);
            bench(&mut group, "hinge_3d", &hinges(*count), settings);
            bench(&mut group, "cone_3d", &cones(*count), settings);
            bench(&mut group, "free_2d", &plane(*count), settings);
        }
        group.finish();
    }
}

criterion_group!(benches, ccd);
criterion_main!(benches);
