//! Particles, colliders and spring bones: time per particle or bone, which does not depend on how
//! many there are.

#[path = "common/coil.rs"]
mod coil;
#[path = "common/hair.rs"]
mod hair;

use std::hint::black_box;

use coil::coil;
use criterion::{
    BenchmarkId, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use sinew::glam::{Quat, Vec3};
use sinew::{
    Capsule, Collider, Contact, DistanceConstraint, OrientedBox, Plane, Relaxation, Sphere,
    SpringBones, SpringState, Verlet, Wind, box_collide, capsule_collide, chain_constraints,
    distance_constraints, plane_collide, sphere_collide, spring_bone_step, verlet_step, wind_at,
};

const SIZES: [usize; 3] = [16, 64, 1024];

type Group<'a> = criterion::BenchmarkGroup<'a, WallTime>;

fn each_size(c: &mut Criterion, name: &str, mut run: impl FnMut(&mut Group<'_>, usize)) {
    let mut group = c.benchmark_group(name);
    for size in SIZES {
        group.throughput(Throughput::Elements(size as u64));
        run(&mut group, size);
    }
    group.finish();
}

fn particles(c: &mut Criterion) {
    each_size(c, "verlet_step", |group, size| {
        let (start, mut previous) = (coil(0.0, size), coil(0.0, size));
        let mut x = start.clone();
        let settings =
            Verlet { acceleration: Vec3::NEG_Y, drag: 1.0, max_speed: 1e-3, ..Verlet::default() };
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            b.iter(|| verlet_step(&mut x, &mut previous, &settings, black_box(0.01)));
        });
    });
    each_size(c, "distance_constraints, one iteration", |group, size| {
        let mut x = coil(0.0, size);
        let rods: Vec<_> = (1..size)
            .map(|i| DistanceConstraint {
                particles: [i - 1, i],
                rest: 0.09,
                ..DistanceConstraint::default()
            })
            .collect();
        let settings = Relaxation { iterations: 1, ..Relaxation::default() };
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            b.iter(|| distance_constraints(&mut x, &rods, &mut [], black_box(&settings)));
        });
    });
    each_size(c, "chain_constraints", |group, size| {
        let (mut x, mut previous) = (coil(0.0, size), coil(0.0, size));
        let lengths = vec![0.09; size - 1];
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            b.iter(|| chain_constraints(&mut x, &mut previous, black_box(&lengths), 0.0));
        });
    });
}

fn colliders(c: &mut Criterion) {
    let contact = Contact { radius: 0.02, ..Contact::default() };
    let mut group = c.benchmark_group("collide, 1024 particles, one in eight inside");
    group.throughput(Throughput::Elements(1024));
    let start: Vec<Vec3> = (0..1024_u16)
        .map(|i| Vec3::new(if i % 8 == 0 { 0.1 } else { 2.0 }, f32::from(i) * 1e-4, 0.2))
        .collect();
    let mut x = start.clone();
    let mut run = |name: &str, collide: &mut dyn FnMut(&mut [Vec3])| {
        group.bench_function(name, |b| {
            b.iter(|| {
                x.copy_from_slice(&start);
                collide(black_box(&mut x));
            });
        });
    };
    let sphere = Sphere::new(Vec3::ZERO, 0.5);
    run("sphere", &mut |x| {
        let _ = sphere_collide(x, &[], &sphere, &contact);
    });
    let capsule = Capsule::new(Vec3::NEG_Y, Vec3::Y, 0.5);
    run("capsule", &mut |x| {
        let _ = capsule_collide(x, &[], &capsule, &contact);
    });
    let plane = Plane::new(Vec3::X, Vec3::X);
    run("plane", &mut |x| {
        let _ = plane_collide(x, &[], &plane, &contact);
    });
    let shape = OrientedBox::new(Vec3::ZERO, Vec3::splat(0.5));
    run("box", &mut |x| {
        let _ = box_collide(x, &[], &shape, &contact);
    });
    group.finish();
}

fn spring_bones(c: &mut Criterion) {
    let joint = hair::joint();
    let colliders: [Collider<Vec3>; 2] = hair::colliders(|v| v);
    for (name, colliders, dt) in [
        ("spring_bone_step at 60 Hz", &colliders[..0], 1.0 / 60.0),
        ("spring_bone_step at 144 Hz", &colliders[..0], 1.0 / 144.0),
        ("spring_bone_step at 60 Hz, two colliders", &colliders[..], 1.0 / 60.0),
    ] {
        each_size(c, name, |group, size| {
            let rest = hair::rest(size);
            let turned = vec![Quat::IDENTITY; size + 1];
            let (mut positions, mut rotations) = (rest.clone(), turned.clone());
            let mut state = vec![SpringState::default(); size + 1];
            let settings = SpringBones { joints: &[joint], colliders, ..SpringBones::default() };
            group.bench_function(BenchmarkId::from_parameter(size), |b| {
                b.iter(|| {
                    positions.copy_from_slice(&rest);
                    rotations.copy_from_slice(&turned);
                    spring_bone_step(
                        &mut positions,
                        &mut rotations,
                        &mut state,
                        &settings,
                        black_box(dt),
                    )
                });
            });
        });
    }
}

fn wind(c: &mut Criterion) {
    let breeze = Wind { direction: Vec3::X, sway: Vec3::Z, ..Wind::default() };
    c.bench_function("wind_at", |b| b.iter(|| wind_at(&breeze, black_box(Vec3::ONE), 12.5)));
}

criterion_group!(benches, particles, colliders, spring_bones, wind);
criterion_main!(benches);
