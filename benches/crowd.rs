//! Crowds: eight characters one after the other, and the same eight in lanes.
//!
//! `cargo bench --bench crowd --features lanes`, and with `RUSTFLAGS="-C target-cpu=native"` for
//! what wider instructions give.

#[path = "common/coil.rs"]
mod coil;
#[path = "common/hair.rs"]
mod hair;
#[path = "common/limb.rs"]
mod limb;

use std::hint::black_box;
use std::time::Duration;

use coil::coil;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, F32x8, LANES, Quatx8, Vec3x8};
use sinew::{
    Collider, DistanceConstraint, FabrikSettings, Moving, Pole, Relaxation, Spring, SpringBones,
    SpringState, TwoBoneSettings, Verlet, damp_slice, distance_constraints, fabrik_positions,
    fabrik_solve, spring_bone_step, spring_slice, two_bone_solve, verlet_step,
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

/// Entry i of all characters in lanes.
fn in_lanes(characters: &[Vec<Vec3>; LANES]) -> Vec<Vec3x8> {
    let entry = |i| Vec3x8::from(core::array::from_fn(|lane| characters[lane][i]));
    (0..characters[0].len()).map(entry).collect()
}

/// No two characters are alike.
fn coils(count: usize) -> [Vec<Vec3>; LANES] {
    core::array::from_fn(|character| coil(character as f32 * 0.9, count))
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
            let _ = black_box(lanes::damp_slice(&mut values_x8, &targets_x8, 5.0, black_box(DT)));
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
            let _ =
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
            let _ =
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
            let _ = black_box(lanes::distance_constraints(
                &mut x_x8,
                &rods,
                none,
                black_box(&settings),
            ));
        },
    );
}

/// At 60 Hz each call commits a frame, at 144 Hz it shows part of one, and commits now and then.
fn spring_bones(c: &mut Criterion) {
    const BONES: usize = 16;
    let joint = hair::joint();
    // No two characters hold themselves alike.
    let shift = |lane: usize| Vec3::Z * (0.01 * lane as f32);
    let all = |v: Vec3| Vec3x8::from(core::array::from_fn(|lane| v + shift(lane)));
    let colliders: [[Collider<Vec3>; 2]; LANES] =
        core::array::from_fn(|lane| hair::colliders(|v| v + shift(lane)));
    let colliders_x8: [lanes::Collider; 2] = hair::colliders(all);

    let rest = hair::rest(BONES);
    let rest_x8: Vec<Vec3x8> = rest.iter().map(|v| Vec3x8::splat(*v)).collect();
    for (family, count, dt) in [
        ("spring_bone_step at 60 Hz, 16 bones", 0, DT),
        ("spring_bone_step at 144 Hz, 16 bones", 0, 1.0 / 144.0),
        ("spring_bone_step at 60 Hz, 16 bones, two colliders that are met", 2, DT),
    ] {
        let (mut positions, mut rotations) = (rest.clone(), vec![Quat::IDENTITY; BONES + 1]);
        let mut state = [(); LANES].map(|()| vec![SpringState::default(); BONES + 1]);
        let (mut positions_x8, mut rotations_x8) =
            (rest_x8.clone(), vec![Quatx8::IDENTITY; BONES + 1]);
        let mut state_x8 = vec![lanes::SpringState::default(); BONES + 1];
        both(
            c,
            (family, BONES),
            || {
                for (state, colliders) in state.iter_mut().zip(&colliders) {
                    positions.copy_from_slice(&rest);
                    rotations.fill(Quat::IDENTITY);
                    let (joints, colliders) = (&[joint][..], &colliders[..count]);
                    let hair = SpringBones { joints, colliders, ..SpringBones::default() };
                    let dt = black_box(dt);
                    let _ = black_box(spring_bone_step(
                        &mut positions,
                        &mut rotations,
                        state,
                        &hair,
                        dt,
                    ));
                }
            },
            || {
                positions_x8.copy_from_slice(&rest_x8);
                rotations_x8.fill(Quatx8::IDENTITY);
                let (joints, colliders) = (&[joint][..], &colliders_x8[..count]);
                let hair = lanes::SpringBones { joints, colliders, ..Default::default() };
                let dt = black_box(dt);
                let _ = black_box(lanes::spring_bone_step(
                    &mut positions_x8,
                    &mut rotations_x8,
                    &mut state_x8,
                    &hair,
                    dt,
                ));
            },
        );
    }
}

/// Ropes and tentacles, and then with rotations: winding chains that follow targets in their reach.
fn reaching(c: &mut Criterion) {
    for bones in [5_u16, 10, 20, 50] {
        let mut start = vec![Vec3::ZERO];
        for i in 0..bones {
            let t = f32::from(i);
            let bone = Vec3::new(0.3 * (0.9 * t).sin(), 1.0, 0.3 * (0.7 * t).cos()).normalize();
            start.push(start[usize::from(i)] + bone);
        }
        // As the lanes' iterations differ, so do these: from one call to the next, too.
        let mut turn = 0_u16;
        let mut targets = move || -> [Vec3; LANES] {
            core::array::from_fn(|_| {
                turn = turn.wrapping_add(1);
                let t = f32::from(turn);
                let direction = Vec3::new((t * 0.7).sin(), (t * 1.1).cos(), (t * 1.9).sin());
                direction.normalize() * (0.1 + 0.85 * (t * 0.618).fract()) * f32::from(bones)
            })
        };
        let mut targets_x8 = targets;
        let start_x8: Vec<_> = start.iter().map(|p| Vec3x8::splat(*p)).collect();
        let (mut p, mut p_x8) = (start.clone(), start_x8.clone());
        let settings = FabrikSettings { max_iterations: 100, tolerance: 1e-3 };
        let family = format!("fabrik_positions, {bones} bones");
        both(
            c,
            (&family, bones.into()),
            || {
                for target in targets() {
                    p.copy_from_slice(&start);
                    let _ = black_box(fabrik_positions(&mut p, target, &settings));
                }
            },
            || {
                p_x8.copy_from_slice(&start_x8);
                let targets = targets_x8().into();
                let _ = black_box(lanes::fabrik_positions(&mut p_x8, targets, &settings));
            },
        );
        let mut r = vec![Quat::IDENTITY; start.len()];
        let mut r_x8 = vec![Quatx8::IDENTITY; start.len()];
        let family = format!("fabrik_solve, {bones} bones");
        both(
            c,
            (&family, bones.into()),
            || {
                for target in targets() {
                    p.copy_from_slice(&start);
                    r.fill(Quat::IDENTITY);
                    let _ = black_box(fabrik_solve(&mut p, &mut r, &[], target, &settings));
                }
            },
            || {
                p_x8.copy_from_slice(&start_x8);
                r_x8.fill(Quatx8::IDENTITY);
                let (p, r, targets) = (&mut p_x8, &mut r_x8, targets_x8().into());
                let _ = black_box(lanes::fabrik_solve(p, r, &[], targets, &settings));
            },
        );
    }
}

/// Legs whose feet go all over their reach, knees to the front.
fn limbs(c: &mut Criterion) {
    let start_x8 = limb::START.map(Vec3x8::splat);
    let targets: Vec<[Vec3; LANES]> =
        limb::targets().chunks_exact(LANES).map(|all| all.try_into().unwrap()).collect();
    let targets_x8: Vec<Vec3x8> = targets.iter().map(|t| (*t).into()).collect();
    for (family, pole) in [("a pole", Pole::Direction(Vec3::Z)), ("the bend kept", Pole::Keep)] {
        let settings = TwoBoneSettings { bend: pole.into(), ..TwoBoneSettings::default() };
        let (mut call, mut call_x8) = (0, 0);
        both(
            c,
            (&format!("two_bone_solve, {family}"), 1),
            || {
                call = (call + 1) % targets.len();
                for target in targets[call] {
                    let (mut p, mut r) = (black_box(limb::START), [Quat::IDENTITY; 3]);
                    let _ = black_box(two_bone_solve(&mut p, &mut r, target, &settings));
                    black_box((p, r));
                }
            },
            || {
                call_x8 = (call_x8 + 1) % targets_x8.len();
                let (mut p, mut r) = (black_box(start_x8), [Quatx8::IDENTITY; 3]);
                let targets = targets_x8[call_x8];
                let _ = black_box(lanes::two_bone_solve(&mut p, &mut r, targets, &settings));
                black_box((p, r));
            },
        );
    }
}

criterion_group!(benches, damping, springs, particles, spring_bones, reaching, limbs);
criterion_main!(benches);
