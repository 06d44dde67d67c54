//! Limbs, heads and poles: what one call costs.

#[path = "common/limb.rs"]
mod limb;

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{Pole, Rot2, Side, TwoBoneSettings, two_bone_solve};

fn two_bones(c: &mut Criterion) {
    let targets = limb::targets();
    let mut group = c.benchmark_group("two_bone_solve");
    let rotations = [Quat::IDENTITY; 3];
    for (name, pole) in
        [("3d, a pole", Pole::Direction(Vec3::Z)), ("3d, the bend kept", Pole::Keep)]
    {
        let settings = TwoBoneSettings { bend: pole.into(), ..TwoBoneSettings::default() };
        let mut i = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                i = (i + 1) % targets.len();
                let (mut p, mut r) = (black_box(limb::START), black_box(rotations));
                let solution = two_bone_solve(&mut p, &mut r, targets[i], &settings);
                (solution, p, r)
            });
        });
    }
    let positions = limb::START.map(Vec3::truncate);
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
