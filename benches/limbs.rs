//! Limbs, heads and poles: what one call costs.

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{Pole, Rot2, Side, TwoBoneSettings, two_bone_solve};

/// Targets all over a limb's reach, so that no branch is learnt by heart.
fn targets() -> Vec<Vec3> {
    (0..1024_u16)
        .map(|i| {
            let t = f32::from(i);
            let direction = Vec3::new((t * 0.7).sin(), (t * 1.1).cos(), (t * 1.9).sin());
            direction.normalize() * (0.2 + 1.9 * (t * 0.618).fract())
        })
        .collect()
}

fn two_bones(c: &mut Criterion) {
    let targets = targets();
    let mut group = c.benchmark_group("two_bone_solve");
    let rotations = [Quat::IDENTITY; 3];
    let positions = [Vec3::ZERO, Vec3::new(0.1, 0.99, 0.1), Vec3::new(0.3, 1.9, -0.1)];
    for (name, pole) in
        [("3d, a pole", Pole::Direction(Vec3::Z)), ("3d, the bend kept", Pole::Keep)]
    {
        let settings = TwoBoneSettings { bend: pole.into(), ..TwoBoneSettings::default() };
        let mut i = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                i = (i + 1) % targets.len();
                let (mut p, mut r) = (black_box(positions), black_box(rotations));
                let solution = two_bone_solve(&mut p, &mut r, targets[i], &settings);
                (solution, p, r)
            });
        });
    }
    let positions = positions.map(Vec3::truncate);
    let settings = TwoBoneSettings { bend: Side::Left, ..TwoBoneSettings::default() };
    let mut i = 0;
    group.bench_function("2d", |b| {
        b.iter(|| {
            i = (i + 1) % targets.len();
            let (mut p, mut r): ([Vec2; 3], _) =
                (black_box(positions), black_box([Rot2::IDENTITY; 3]));
            let solution = two_bone_solve(&mut p, &mut r, targets[i].truncate(), &settings);
            (solution, p, r)
        });
    });
    group.finish();
}

criterion_group!(benches, two_bones);
criterion_main!(benches);
