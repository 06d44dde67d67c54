//! Two bones in closed form: exact, continuous, the same in every frame, and rotations that follow
//! the bones.

mod limbs;

use core::f32::consts::PI;

use limbs::{Random, angle, narrow, wide};
use sinew::glam::{DVec3, Quat, Vec2, Vec3};
use sinew::{
    Bend, Effector, Fault, Pole, Rot2, Side, Solution, Status, TwoBoneSettings, blend_chain,
    two_bone_solve,
};

type Settings = TwoBoneSettings;
type Limb = ([Vec3; 3], [Quat; 3]);

fn solve(limb: &mut Limb, target: Vec3, settings: &Settings) -> Solution {
    two_bone_solve(&mut limb.0, &mut limb.1, target, settings).unwrap()
}

fn toward(pole: Pole) -> Settings {
    Settings { bend: pole.into(), ..Settings::default() }
}

/// A limb bent in the plane of x and y, the middle joint to +Y, with rotations of no special axes.
fn bent(upper: f32, lower: f32) -> Limb {
    let middle = Vec3::new(0.6, 0.8, 0.0) * upper;
    let effector = middle + Vec3::new(0.8, -0.6, 0.0) * lower;
    let rotations = [
        Quat::from_xyzw(0.1, 0.7, -0.5, 0.5).normalize(),
        Quat::from_xyzw(-0.3, 0.2, 0.9, 0.1).normalize(),
        Quat::from_xyzw(0.8, 0.1, 0.3, -0.5).normalize(),
    ];
    ([Vec3::ZERO, middle, effector], rotations)
}

fn lengths(positions: &[Vec3; 3]) -> [f64; 2] {
    let [a, b, c] = positions.map(Vec3::as_dvec3);
    [a.distance(b), b.distance(c)]
}

/// The documented length of a bone: rounded to four units in the last place of the coordinates.
fn documented_length(a: Vec3, b: Vec3) -> f64 {
    let largest = f64::from(a.abs().max_element().max(b.abs().max_element()));
    let grid = 4.0 * f64::from(f32::EPSILON) * largest.log2().floor().exp2();
    (a.as_dvec3().distance(b.as_dvec3()) / grid).round_ties_even() * grid
}

/// Middle joint and effector by the arc cosine of the law of cosines, in double precision.
fn twin(root: Vec3, [a, b]: [f64; 2], target: Vec3, pole: DVec3) -> [DVec3; 2] {
    let line = target.as_dvec3() - root.as_dvec3();
    let along = line.normalize();
    let across = (pole - along * pole.dot(along)).normalize();
    let base = line.length().clamp((a - b).abs(), a + b);
    let cos = if a * base > 0.0 { (a * a + base * base - b * b) / (2.0 * a * base) } else { 1.0 };
    let angle = cos.clamp(-1.0, 1.0).acos();
    let upper = (along * angle.cos() + across * angle.sin()) * a;
    [root.as_dvec3() + upper, root.as_dvec3() + along * base]
}

/// A million limbs, half of them next to something singular: at full and at least reach to the
/// last place, with a bone of no length, with the pole next to the line. Half have their lengths
/// given and half have them measured, by the rule in the documentation.
#[test]
fn a_million_limbs_are_within_2e_6_of_the_reach_of_an_f64_twin() {
    let mut random = Random(1);
    let mut worst = [0.0_f64; 2];
    for _ in 0..1_000_000 {
        let size = [1e-3, 1.0, 50.0][random.below(3)];
        let root = random.direction() * size * random.unit();
        let bones = [0, 1].map(|_| size * if random.below(16) == 0 { 0.0 } else { random.unit() });
        let middle = root + random.direction() * bones[0];
        let positions = [root, middle, middle + random.direction() * bones[1]];
        let given = random.below(2) == 0;
        let exact = if given {
            bones.map(f64::from)
        } else {
            [documented_length(root, middle), documented_length(middle, positions[2])]
        };
        let (longest, shortest) = (exact[0] + exact[1], (exact[0] - exact[1]).abs());
        let ulps = 1.0 + (random.below(9) as f32 - 4.0) * f32::EPSILON;
        let distance = match random.below(6) {
            0 => narrow(longest) * ulps,
            1 => narrow(shortest) * ulps,
            2 => narrow(longest) * (1.0 - 10_f32.powf(random.between(-7.0, -1.0))),
            _ => narrow(longest) * random.between(0.0, 1.3),
        };
        let direction = random.direction();
        let target = root + direction * distance;
        if target == root || longest == 0.0 {
            continue;
        }
        let pole = if random.below(4) == 0 {
            direction * size + random.direction() * size * 10_f32.powf(random.between(-5.0, 0.0))
        } else {
            random.direction() * size
        };
        let line = target.as_dvec3() - root.as_dvec3();
        if pole.as_dvec3().normalize().cross(line.normalize()).length() < 2e-6 {
            continue;
        }
        let settings =
            Settings { lengths: given.then_some(bones), ..toward(Pole::Direction(pole)) };
        let mut limb = (positions, [Quat::IDENTITY; 3]);
        let _ = solve(&mut limb, target, &settings);
        let expected = twin(root, exact, target, pole.as_dvec3());
        // Positions are f32: with the root away from the origin that alone costs its coordinates'
        // last place, which `size` covers.
        let scale = longest.max(f64::from(size) * 0.1);
        for i in 0..2 {
            let error = limb.0[i + 1].as_dvec3().distance(expected[i]) / scale;
            worst[i] = worst[i].max(error);
        }
    }
    println!("worst error over the reach: middle {:.1e}, effector {:.1e}", worst[0], worst[1]);
    assert!(worst[0] < 2e-6 && worst[1] < 2e-6);
}

/// The rounding of measured lengths is what it is said to be: against a twin that does not round
/// them, the effector is as exact, and the middle joint is where the bend says where it belongs.
#[test]
fn rounded_lengths_cost_no_more_than_rounded_positions() {
    let mut random = Random(8);
    let mut worst = [0.0_f64; 2];
    for _ in 0..200_000 {
        let bones = [random.between(0.1, 1.0), random.between(0.1, 1.0)];
        let middle = random.direction() * bones[0];
        let positions = [Vec3::ZERO, middle, middle + random.direction() * bones[1]];
        let (longest, shortest) = (bones[0] + bones[1], (bones[0] - bones[1]).abs());
        let target = random.direction() * random.between(shortest, longest);
        let pole = random.direction();
        if target.length() < 0.01 || target.normalize().cross(pole).length() < 1e-3 {
            continue;
        }
        let exact =
            [middle.as_dvec3().length(), middle.as_dvec3().distance(positions[2].as_dvec3())];
        let mut limb = (positions, [Quat::IDENTITY; 3]);
        let _ = solve(&mut limb, target, &toward(Pole::Direction(pole)));
        let expected = twin(Vec3::ZERO, exact, target, pole.as_dvec3());
        let error =
            [0, 1].map(|i| limb.0[i + 1].as_dvec3().distance(expected[i]) / f64::from(longest));
        let [upper, lower] = [expected[0], expected[1] - expected[0]];
        let sine = upper.cross(lower).length() / (exact[0] * exact[1]);
        worst = [worst[0].max(error[0] * sine.min(1.0)), worst[1].max(error[1])];
    }
    println!("middle, times the sine of its bend: {:.1e}, effector {:.1e}", worst[0], worst[1]);
    assert!(worst[0] < 2e-6 && worst[1] < 2e-6);
}

/// Every bone that the positions have turned, the rotations have turned alike, and the normal of
/// the bend with them.
#[test]
fn rotations_turn_by_what_the_bones_and_their_plane_turn() {
    let mut random = Random(2);
    for _ in 0..50_000 {
        let root = random.direction();
        let middle = root + random.direction() * random.between(0.1, 1.0);
        let before = [root, middle, middle + random.direction() * random.between(0.1, 1.0)];
        let rotations = [0; 3].map(|_| random.rotation());
        let mut limb = (before, rotations);
        let target = root + random.direction() * random.between(0.05, 2.0);
        let pole = random.direction();
        let _ = solve(&mut limb, target, &toward(Pole::Direction(pole)));
        let (after, turned) = limb;
        let normal = |p: &[Vec3; 3]| {
            let [a, b, c] = p.map(Vec3::as_dvec3);
            (b - a).normalize().cross((c - b).normalize())
        };
        for i in 0..2 {
            let turn = wide(turned[i]) * wide(rotations[i]).conjugate();
            let from = (before[i + 1].as_dvec3() - before[i].as_dvec3()).normalize();
            let to = (after[i + 1].as_dvec3() - after[i].as_dvec3()).normalize();
            assert!((turn * from).distance(to) < 5e-6, "{i}: {}", (turn * from).distance(to));
            let (old, new) = (normal(&before), normal(&after));
            // Next to straight and folded the positions' last digits blur the plane.
            if old.length() > 0.05 && new.length() > 0.05 {
                let gap = (turn * old.normalize()).distance(new.normalize());
                assert!(gap < 5e-5, "{i}: {gap}");
            }
        }
        // The effector keeps its relation to the last bone.
        let relation = |r: &[Quat; 3]| (r[1].conjugate() * r[2]).normalize();
        assert!(angle(relation(&rotations), relation(&turned)) < 2e-6);
    }
}

/// T1, G5: the target moves along a line through full reach, and through the nearest point of
/// reach; no joint jumps.
#[test]
fn continuous_through_full_and_least_reach() {
    // Next to straight and folded the middle joint's way grows as the square root of the target's:
    // by the law of cosines √(2·δ·l₁·l₂ / base), which the last column rounds up.
    for (name, [upper, lower], range, softness, most) in [
        ("full reach, 1 + 1", [1.0, 1.0], [1.99, 2.01], 0.0, 7.1e-3),
        ("full reach, 2 + 1", [2.0, 1.0], [2.99, 3.01], 0.0, 4.0e-3),
        ("full reach, eased over 0.1", [1.0, 1.0], [1.5, 3.0], 0.1, 1.5e-4),
        ("least reach, 2 - 1", [2.0, 1.0], [0.4, 1.3], 0.0, 1.2e-2),
        ("least reach, 1 - 2", [1.0, 2.0], [0.4, 1.3], 0.0, 1.2e-2),
        ("the whole way, 1 + 1", [1.0, 1.0], [1e-3, 2.5], 0.0, 7.1e-3),
    ] {
        let reach: f32 = upper + lower;
        let settings = Settings { softness, ..toward(Pole::Direction(Vec3::Y)) };
        let mut before: Option<[Vec3; 3]> = None;
        let mut jump = 0.0_f32;
        let mut distance = range[0];
        while distance < range[1] {
            let mut limb = bent(upper, lower);
            let _ = solve(&mut limb, Vec3::X * distance, &settings);
            if let Some(before) = before {
                for (a, b) in before.iter().zip(limb.0) {
                    jump = jump.max(a.distance(b) / reach);
                }
            }
            before = Some(limb.0);
            distance += 1e-4 * reach;
        }
        println!("{name}: largest jump {jump:.1e} of the reach");
        assert!(jump < most, "{name}: {jump}");
    }
}

/// T1: nearer than the bones allow, the limb is folded and its tip as near as can be.
#[test]
fn a_target_too_near_folds_the_limb() {
    for [upper, lower] in [[2.0, 1.0], [1.0, 2.0]] {
        for distance in [1.0, 0.999, 0.9, 0.5, 1e-3, 1e-30] {
            let mut limb = bent(upper, lower);
            let target = Vec3::new(0.0, 0.0, distance);
            let solution = solve(&mut limb, target, &toward(Pole::Direction(Vec3::Y)));
            assert!((limb.0[2].length() - 1.0).abs() < 1e-6, "{distance}: {}", limb.0[2]);
            assert!(limb.0[2].distance(Vec3::Z) < 1e-6);
            let status = if distance == 1.0 { Status::Reached } else { Status::Unreachable };
            assert_eq!(solution.status, status);
        }
    }
}

/// G5, T5: exactly at full reach and a few last places to both sides of it.
#[test]
fn full_reach_is_reached_straight_and_finite() {
    let mut random = Random(3);
    for _ in 0..20_000 {
        let [upper, lower] = [random.between(0.1, 1.0), random.between(0.1, 1.0)];
        let mut limb = bent(upper, lower);
        let direction = random.direction();
        let ulps = 1.0 + (random.below(9) as f32 - 4.0) * f32::EPSILON;
        let target = direction * ((upper + lower) * ulps);
        let solution = solve(&mut limb, target, &toward(Pole::Direction(random.direction())));
        assert_eq!(solution.status, Status::Reached);
        assert!(solution.distance < 2e-6 * (upper + lower), "{}", solution.distance);
        assert!(limb.0.iter().all(|p| p.is_finite()) && limb.1.iter().all(|q| q.is_normalized()));
    }
    let mut limb = bent(1.0, 1.0);
    let solution = solve(&mut limb, Vec3::X * 5.0, &toward(Pole::Direction(Vec3::Y)));
    assert_eq!(solution.status, Status::Unreachable);
    assert_eq!(limb.0[1..], [Vec3::X, Vec3::X * 2.0]);
}

/// T2: a pole on its way through the line to the target; just beside the line its side counts, on
/// it the plane that the limb was bent in.
#[test]
fn a_pole_on_the_line_keeps_the_bend_plane() {
    let target = Vec3::new(0.0, 0.0, 1.2);
    let start = bent(1.0, 1.0);
    let mut before = start;
    let _ = solve(&mut before, target, &toward(Pole::Keep));
    for pole in [
        Pole::Point(target),
        Pole::Point(-target),
        Pole::Point(Vec3::ZERO),
        Pole::Direction(target * 7.0),
        Pole::Direction(Vec3::ZERO),
    ] {
        let mut limb = start;
        let _ = solve(&mut limb, target, &toward(pole));
        assert_eq!(limb, before);
    }
    // The arc from the old line to the new one leaves the bend's side alone.
    assert!(before.0[1].x.abs() < 1.0 && before.0[1].is_finite());
    let mut last: Option<Vec3> = None;
    for step in -200..=200 {
        let pole = Vec3::new(0.0, step as f32 * 1e-3 - 5e-4, 2.0);
        let mut limb = start;
        let _ = solve(&mut limb, target, &toward(Pole::Point(pole)));
        assert_eq!(limb.0[1].y.signum(), pole.y.signum());
        let middle = limb.0[1];
        if let Some(last) = last.filter(|last| last.y * middle.y > 0.0) {
            assert!(last.distance(middle) < 1e-6);
        }
        last = Some(middle);
    }
}

/// The pole goes once round the line: the middle joint follows, a step for a step, and no rotation
/// jumps, though the limb starts straight.
#[test]
fn a_pole_that_circles_the_line_takes_the_bend_along() {
    for start in [
        bent(1.0, 1.0),
        ([Vec3::ZERO, Vec3::Z, Vec3::Z * 2.0], bent(1.0, 1.0).1),
        ([Vec3::ZERO, Vec3::Z, Vec3::ZERO], bent(1.0, 1.0).1),
    ] {
        let mut limb = start;
        let target = Vec3::new(0.0, 0.0, 1.5);
        let step = PI / 180.0;
        let mut last: Option<Limb> = None;
        for i in 0..=720 {
            let (sin, cos) = (step * i as f32).sin_cos();
            let pole = Vec3::new(cos, sin, 0.75);
            let _ = solve(&mut limb, target, &toward(Pole::Point(pole)));
            let middle = limb.0[1];
            assert!(
                (middle.y * cos - middle.x * sin).abs() < 1e-6
                    && middle.x * cos + middle.y * sin > 0.0
            );
            if let Some(last) = last {
                for (a, b) in last.1.iter().zip(limb.1) {
                    assert!(angle(*a, b) < f64::from(step) * 1.001, "{i}");
                }
            }
            last = Some(limb);
        }
    }
}

/// A knee whose axis is known keeps it, though its pose comes straight or bent backwards; without
/// it, the plane of a bend of less than a thousandth fades into the pole's.
#[test]
fn a_given_axis_stays_the_axis_of_the_bend() {
    for bend in [-0.2_f32, -1e-3, -1e-7, 0.0, 1e-7, 1e-3, 0.2, 1.0] {
        let turn = Quat::from_rotation_x(bend);
        let rotations = [Quat::IDENTITY, turn, turn];
        let positions = [Vec3::ZERO, Vec3::NEG_Y, Vec3::NEG_Y + turn * Vec3::NEG_Y];
        let pole = Vec3::NEG_Z;
        let settings = Settings {
            bend: Bend { pole: Pole::Direction(pole), axis: Some(Vec3::X) },
            ..Settings::default()
        };
        let mut limb = (positions, rotations);
        let _ = solve(&mut limb, Vec3::new(0.1, -1.5, 0.0), &settings);
        let [upper, lower] = [limb.0[1], limb.0[2] - limb.0[1]];
        let normal = upper.cross(lower).normalize();
        for q in &limb.1[..2] {
            assert!((*q * Vec3::X).distance(normal) < 2e-6, "{bend}: {}", *q * Vec3::X);
        }
        assert!((limb.1[0] * Vec3::NEG_Y).distance(upper) < 2e-6);
        assert!((limb.1[1] * Vec3::NEG_Y).distance(lower) < 2e-6);
    }
    // An axis along the bones says nothing, and nothing breaks.
    let settings = Settings {
        bend: Bend { pole: Pole::Direction(Vec3::Z), axis: Some(Vec3::Y) },
        ..Settings::default()
    };
    let mut limb = ([Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0], [Quat::IDENTITY; 3]);
    let solution = solve(&mut limb, Vec3::X, &settings);
    assert_eq!(solution.status, Status::Reached);
    assert!((limb.1[0] * Vec3::Y).distance(limb.0[1]) < 2e-6);
}

/// T3, T7: moved, turned, scaled and mirrored, the answer is moved, turned, scaled and mirrored.
#[test]
fn the_same_in_every_frame() {
    let mut random = Random(4);
    for _ in 0..20_000 {
        let (start, target) =
            (bent(1.0, random.between(0.3, 1.5)), random.direction() * random.between(0.2, 3.0));
        let pole = random.direction() * 3.0;
        let axis = (random.below(2) == 0).then(|| start.1[1].conjugate() * Vec3::NEG_Z);
        let pole = [Pole::Keep, Pole::Point(pole), Pole::Direction(pole)][random.below(3)];
        let mut here = start;
        let here_solution = solve(
            &mut here,
            target,
            &Settings { bend: Bend { pole, axis }, ..Settings::default() },
        );
        // Where rounding is magnified without bound: the target opposite, straight, folded.
        let along = target.normalize();
        let height = (here.0[1] - along * here.0[1].dot(along)).length();
        let from_opposite = PI - start.0[2].angle_between(target);
        if from_opposite < 0.14 || height < 0.1 {
            continue;
        }
        // The arc from the old line to the new has its axis from their cross product: it magnifies
        // what a frame's rounding makes of them.
        let allowed = match pole {
            Pole::Keep => 2e-5 / f64::from(from_opposite).sin(),
            Pole::Point(_) | Pole::Direction(_) => 5e-5,
        };

        let (moved, turned) = (random.direction(), random.rotation());
        let scale = [0.01, 1.0, 100.0][random.below(3)];
        let mirrored = random.below(2) == 0;
        let mirror = |v: Vec3| if mirrored { Vec3::new(-v.x, v.y, v.z) } else { v };
        let point = |p: Vec3| (turned * mirror(p) + moved) * scale;
        let rotation = |q: Quat| {
            let q = if mirrored { Quat::from_xyzw(q.x, -q.y, -q.z, q.w) } else { q };
            (turned * q).normalize()
        };
        let pole = match pole {
            Pole::Keep => Pole::Keep,
            Pole::Point(p) => Pole::Point(point(p)),
            Pole::Direction(d) => Pole::Direction(turned * mirror(d)),
        };
        // An axis turns the other way in a mirror.
        let axis = axis.map(|a| if mirrored { -mirror(a) } else { a });
        let mut there = (start.0.map(point), start.1.map(rotation));
        let there_solution = solve(
            &mut there,
            point(target),
            &Settings { bend: Bend { pole, axis }, ..Settings::default() },
        );
        assert_eq!(here_solution.status, there_solution.status);
        for i in 0..3 {
            let gap = there.0[i].distance(point(here.0[i])) / scale;
            assert!(gap < 2e-5, "position {i}: {gap}");
            let gap = angle(there.1[i], rotation(here.1[i]));
            assert!(gap < allowed, "rotation {i}: {gap} of {allowed}");
        }
    }
}

/// T4: without stretch the lengths stay, over a million results fed back; with it they grow no
/// further than allowed, and no further than needed.
#[test]
fn lengths_are_kept_unless_stretch_is_asked_for() {
    let mut random = Random(5);
    let mut limb = bent(0.7, 0.4);
    for p in &mut limb.0 {
        *p += Vec3::new(0.3, -0.2, 0.5);
    }
    let before = lengths(&limb.0);
    let root = limb.0[0];
    let settings = toward(Pole::Direction(Vec3::Y));
    for _ in 0..1_000_000 {
        let target = root + random.direction() * random.between(0.0, 1.5);
        let _ = solve(&mut limb, target, &settings);
    }
    let drift =
        lengths(&limb.0).iter().zip(before).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
    println!("length after a million solves: off by {drift:.1e}");
    assert!(drift < 1e-6);

    let settings = Settings {
        max_stretch: 1.25,
        lengths: Some([1.0, 1.0]),
        ..toward(Pole::Direction(Vec3::Y))
    };
    let mut limb = bent(1.0, 1.0);
    for (distance, tip, status) in [
        (1.0, 1.0, Status::Reached),
        (2.4, 2.4, Status::Reached),
        (2.5, 2.5, Status::Reached),
        (3.0, 2.5, Status::Unreachable),
        (1.9, 1.9, Status::Reached),
    ] {
        let solution = solve(&mut limb, Vec3::Z * distance, &settings);
        assert_eq!(solution.status, status);
        assert!(limb.0[2].distance(Vec3::Z * tip) < 1e-6, "{distance}");
        let bone = (tip / 2.0).max(1.0);
        assert!(lengths(&limb.0).iter().all(|l| (l - f64::from(bone)).abs() < 1e-6));
    }
}

/// However short one bone is beside the other, it keeps its own length, bent or straight, and the
/// other reaches as far as it should.
#[test]
fn a_bone_of_next_to_no_length_keeps_it() {
    let mut random = Random(9);
    for short in [1e-3, 1e-9, 1e-17] {
        for _ in 0..200 {
            let target = random.direction() * random.between(0.5, 1.5);
            let bend = random.between(0.0, PI);
            let settings = Settings {
                lengths: Some([short, 1.0]),
                range: [bend, bend],
                ..toward(Pole::Direction(random.direction()))
            };
            let mut limb = bent(1.0, 1.0);
            let solution = solve(&mut limb, target, &settings);
            let [upper, lower] = lengths(&limb.0);
            assert!((upper / f64::from(short) - 1.0).abs() < 1e-6, "{upper} for {short}");
            assert!((lower - 1.0).abs() < 1e-6 && solution.distance.is_finite());
            let turn = (limb.0[2] - limb.0[1]).angle_between(limb.0[1]);
            assert!((turn - bend).abs() < 1e-3, "{turn} for {bend}, {short}");
        }
    }
}

/// An axis along the line to the target says next to nothing of a plane; what it says is taken to
/// the last digit, or the tip would be off its target.
#[test]
fn an_axis_next_to_the_line_takes_the_tip_no_further_off() {
    let mut random = Random(10);
    for _ in 0..2000 {
        let target = random.direction() * random.between(0.5, 1.9);
        let aside = random.direction() * 10_f32.powf(random.between(-6.0, -1.0));
        let mut limb = bent(1.0, 1.0);
        // The limb lies along the line already: its axis stays where it is.
        limb.0 = [Vec3::ZERO, target * 0.6, target];
        let axis = limb.1[1].inverse() * (target.normalize() + aside);
        let bend = Bend { pole: Pole::Keep, axis: Some(axis) };
        let settings = Settings { bend, lengths: Some([1.0, 1.0]), ..Settings::default() };
        let solution = solve(&mut limb, target, &settings);
        assert_eq!(solution.status, Status::Reached);
        assert!(solution.distance < 4e-6, "{} at {}", solution.distance, aside.length());
    }
}

/// The easing holds the tip back where it starts to ease, and stretch makes up for it.
#[test]
fn softness_eases_and_stretch_makes_up_for_it() {
    let soft = Settings { softness: 0.2, ..toward(Pole::Direction(Vec3::Y)) };
    let mut limb = bent(1.0, 1.0);
    assert_eq!(solve(&mut limb, Vec3::X * 1.59, &soft).status, Status::Reached);
    let solution = solve(&mut limb, Vec3::X * 1.9, &soft);
    assert_eq!(solution.status, Status::Stalled);
    let eased = sinew::soft_reach(Vec3::ZERO, Vec3::X * 1.9, 2.0, 0.2).unwrap();
    assert!(limb.0[2].distance(eased) < 1e-6);
    let mut limb = bent(1.0, 1.0);
    let stretched = Settings { max_stretch: 1.1, ..soft };
    let solution = solve(&mut limb, Vec3::X * 1.9, &stretched);
    assert_eq!(solution.status, Status::Reached);
    assert!(limb.0[1].y > 0.1 && lengths(&limb.0)[0] > 1.01);
}

/// All soft, and the target next to the root: both distances are tiny, and so their ratio is exact
/// only if both keep their digits.
#[test]
fn stretch_is_exact_where_softness_has_just_begun() {
    let settings = Settings { softness: 1.0, max_stretch: 2.0, ..Settings::default() };
    for distance in [1e-4_f32, 4.228_78e-4, 1e-2, 0.3] {
        let mut limb = bent(1.0, 1.0);
        let solution = solve(&mut limb, Vec3::X * distance, &settings);
        assert_eq!(solution.status, Status::Reached);
        let x = f64::from(distance);
        let stretch = x / (-2.0 * (-0.5 * x).exp_m1());
        for length in lengths(&limb.0) {
            assert!((length - stretch).abs() < 4e-6, "{length}, not {stretch}, at {distance}");
        }
    }
}

/// A bone that turns back on itself turns about a normal across it, though the axis that was given,
/// or what rounding leaves of a nearly straight limb's plane, is a thousandth aside.
#[test]
fn bones_that_turn_back_take_their_rotations_along() {
    for aside in [0.0, 3e-4, 9e-4, 0.1_f32] {
        let mut limb = bent(1.0, 1.0);
        let before = limb;
        let upper = (limb.0[1] - limb.0[0]).normalize();
        let across = upper.any_orthonormal_vector();
        let axis = Some(limb.1[1].conjugate() * (across + upper * aside));
        let settings = Settings { bend: Bend { axis, ..Bend::default() }, ..Settings::default() };
        let back = -upper * 1.9 + across * 0.004;
        let _ = solve(&mut limb, before.0[0] + back, &settings);
        for i in 0..2 {
            let [old, new] = [&before, &limb].map(|limb| (limb.0[i + 1] - limb.0[i]).as_dvec3());
            let turn = limb.1[i].as_dquat() * before.1[i].as_dquat().conjugate();
            let off = (turn * old).angle_between(new);
            assert!(off < 2e-6, "bone {i} is {off} rad off, the axis {aside} aside");
        }
    }
}

/// The middle joint's range holds at both ends, and is what the status names.
#[test]
fn the_middle_joint_keeps_its_range() {
    let mut random = Random(6);
    for _ in 0..20_000 {
        let least = random.between(0.0, PI);
        let most = random.between(least, PI);
        let [upper, lower] = [random.between(0.2, 1.0), random.between(0.2, 1.0)];
        let mut limb = bent(upper, lower);
        let target = random.direction() * random.between(0.0, 2.2);
        let settings =
            Settings { range: [least, most], ..toward(Pole::Direction(random.direction())) };
        let solution = solve(&mut limb, target, &settings);
        let [a, b, c] = limb.0.map(Vec3::as_dvec3);
        let bend = (b - a).cross(c - b).length().atan2((b - a).dot(c - b));
        let past = (f64::from(least) - bend).max(bend - f64::from(most));
        // At either end an angle is the square root of what rounding leaves of the distance.
        let blur = 1e-6 + 2e-6 / bend.sin().abs().max(1e-3);
        assert!(past < blur, "{past} past [{least}, {most}]");
        let distance = f64::from(target.length());
        let (reach, near) =
            (f64::from(upper) + f64::from(lower), (f64::from(upper) - f64::from(lower)).abs());
        match solution.status {
            Status::Reached => assert!(f64::from(solution.distance) < 1.1e-5 * reach),
            Status::Unreachable => assert!(distance > reach || distance < near),
            _ => {
                assert!(distance < reach * 1.00001 && distance > near * 0.99999);
                assert!(bend - f64::from(least) < 1e-3 || f64::from(most) - bend < 1e-3);
            }
        }
    }
}

/// What the effector's rotation does.
#[test]
fn the_effector_follows_keeps_or_is_set() {
    let grip = Quat::from_rotation_z(1.0);
    for effector in [Effector::Follow, Effector::Keep, Effector::Set(grip)] {
        let start = bent(1.0, 1.0);
        let mut limb = start;
        let settings = Settings { effector, ..toward(Pole::Keep) };
        let _ = solve(&mut limb, Vec3::new(0.2, 0.3, 1.4), &settings);
        match effector {
            Effector::Keep => assert_eq!(limb.1[2], start.1[2]),
            Effector::Set(q) => assert_eq!(limb.1[2], q),
            Effector::Follow => {
                let relation = |r: &[Quat; 3]| (r[1].conjugate() * r[2]).normalize();
                assert!(angle(relation(&limb.1), relation(&start.1)) < 1e-6);
            }
        }
    }
}

/// Bones of no length, a target on the root, a folded start: finite, and as documented.
#[test]
fn degenerate_limbs_give_what_is_documented() {
    let settings = toward(Pole::Direction(Vec3::Y));
    let rotations = bent(1.0, 1.0).1;

    // No length at all.
    let mut limb = ([Vec3::ONE; 3], rotations);
    let solution = solve(&mut limb, Vec3::ZERO, &settings);
    assert_eq!(limb, ([Vec3::ONE; 3], rotations));
    assert_eq!(solution.status, Status::Unreachable);
    assert_eq!(solve(&mut limb, Vec3::ONE, &settings).status, Status::Reached);

    // Only one bone: it points at the target.
    for bones in [[0.0, 1.0], [1.0, 0.0]] {
        let mut limb = ([Vec3::ZERO, Vec3::X * bones[0], Vec3::X], rotations);
        let solution = solve(&mut limb, Vec3::Z, &settings);
        assert_eq!(solution.status, Status::Reached);
        assert!(limb.0[1].distance(Vec3::Z * bones[0]) < 1e-6);
        assert_eq!(limb.1[0] == rotations[0], bones[0] == 0.0);
        let turn = limb.1[1] * rotations[1].conjugate();
        assert!((turn * Vec3::X).distance(Vec3::Z) < 1e-6);
    }

    // A target on the root: the line stays, and a limb of equal bones folds.
    let start = bent(1.0, 1.0);
    let mut limb = start;
    let solution = solve(&mut limb, Vec3::ZERO, &settings);
    assert_eq!(solution.status, Status::Reached);
    let line = start.0[2].normalize();
    assert!(limb.0[1].dot(line).abs() < 1e-6 && limb.0[1].y > 0.5);
    // And does not move any more.
    let again = solve(&mut limb, Vec3::ZERO, &toward(Pole::Keep));
    assert_eq!(again.status, Status::Reached);
    let mut still = limb;
    let _ = solve(&mut still, Vec3::ZERO, &toward(Pole::Keep));
    assert!(still.0[1].distance(limb.0[1]) < 1e-6 && angle(still.1[0], limb.1[0]) < 1e-6);
    let mut limb = bent(2.0, 1.0);
    let line = limb.0[2].normalize();
    assert_eq!(solve(&mut limb, Vec3::ZERO, &settings).status, Status::Unreachable);
    assert!(limb.0[2].distance(line) < 1e-6);

    // So near that its square has no digits: folded across the target's direction.
    for distance in [1e-10, 1e-20, 1e-38] {
        let mut limb = bent(1.0, 1.0);
        assert_eq!(solve(&mut limb, Vec3::Z * distance, &settings).status, Status::Reached);
        assert!(limb.0[1].distance(Vec3::Y) < 1e-6, "{distance}: {}", limb.0[1]);
    }

    // The target straight behind: the limb turns in its own plane.
    let mut limb = bent(1.0, 1.0);
    let _ = solve(&mut limb, -bent(1.0, 1.0).0[2], &toward(Pole::Keep));
    assert!(limb.0[1].z.abs() < 1e-6);
}

/// From the smallest coordinates to the largest.
#[test]
fn any_size_of_limb() {
    for size in [1e-36_f32, 1e-20, 1e-6, 1e6, 1e11] {
        let mut limb = bent(1.0, 0.8);
        let mut scaled = (limb.0.map(|p| p * size), limb.1);
        let settings = toward(Pole::Direction(Vec3::Y));
        let _ = solve(&mut limb, Vec3::new(0.3, 0.2, 1.0), &settings);
        let solution = solve(&mut scaled, Vec3::new(0.3, 0.2, 1.0) * size, &settings);
        assert_eq!(solution.status, Status::Reached);
        for i in 0..3 {
            assert!((scaled.0[i] / size).distance(limb.0[i]) < 2e-6, "{size}");
            assert!(angle(scaled.1[i], limb.1[i]) < 2e-6, "{size}");
        }
    }
}

/// T6: blended half way, a turn of 270 degrees goes the short way.
#[test]
fn a_blended_twist_goes_the_short_way() {
    let start = bent(1.0, 1.0);
    let twisted = start.1.map(|q| q * Quat::from_rotation_y(1.5 * PI));
    let mut limb = start;
    blend_chain(&mut limb.0, &mut limb.1, &start.0, &twisted, 0.5).unwrap();
    assert!(angle(limb.1[0], start.1[0] * Quat::from_rotation_y(-0.25 * PI)) < 1e-6);
}

/// In the plane: sides, ranges, and rotations that turn with their bones.
#[test]
fn the_plane_bends_to_a_side() {
    let mut random = Random(7);
    for _ in 0..50_000 {
        let turn = |random: &mut Random| Rot2::from_angle(random.between(-PI, PI));
        let root = Vec2::new(random.unit(), random.unit());
        let middle = root + turn(&mut random) * Vec2::X * random.between(0.2, 1.0);
        let start = [root, middle, middle + turn(&mut random) * Vec2::X * random.between(0.2, 1.0)];
        let rotations = [0; 3].map(|_| turn(&mut random));
        let (mut positions, mut turned) = (start, rotations);
        let side = [Side::Keep, Side::Left, Side::Right][random.below(3)];
        let target = root + turn(&mut random) * Vec2::X * random.between(0.0, 2.5);
        let settings = TwoBoneSettings { bend: side, ..Default::default() };
        let solution = two_bone_solve(&mut positions, &mut turned, target, &settings).unwrap();
        let left = |p: &[Vec2; 3]| (p[2] - p[0]).perp_dot(p[1] - p[0]);
        match side {
            Side::Left => assert!(left(&positions) > -1e-6),
            Side::Right => assert!(left(&positions) < 1e-6),
            Side::Keep => assert!(left(&positions) * left(&start) > -1e-6),
        }
        for i in 0..2 {
            let (from, to) = (start[i + 1] - start[i], positions[i + 1] - positions[i]);
            assert!((from.length() - to.length()).abs() < 1e-6);
            let turn = turned[i] * rotations[i].inverse();
            assert!((turn * from).distance(to) < 2e-6);
        }
        let (longest, shortest) = (
            start[0].distance(start[1]) + start[1].distance(start[2]),
            (start[0].distance(start[1]) - start[1].distance(start[2])).abs(),
        );
        let distance = root.distance(target);
        let expected = (distance - distance.clamp(shortest, longest)).abs();
        assert!((solution.distance - expected).abs() < 2e-6);
    }
    // Straight, with nothing said: to the right.
    let mut positions = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
    let settings = TwoBoneSettings::default();
    let _ = two_bone_solve(&mut positions, &mut [Rot2::IDENTITY; 3], Vec2::X, &settings).unwrap();
    assert!(positions[1].y < -0.5);
}

/// G8 and every other mistake: named, and nothing touched.
#[test]
fn mistakes_are_named_and_leave_the_slices_alone() {
    let start = bent(1.0, 1.0);
    let good = Settings::default();
    let soft = |softness| Settings { softness, ..good };
    let bad_pole = |v| Settings { bend: Pole::Point(v).into(), ..good };
    let bad_axis = Settings { bend: Bend { axis: Some(Vec3::ZERO), ..Bend::default() }, ..good };
    for (name, fault, target, settings) in [
        ("target", Fault::NotFinite, Vec3::NAN, good),
        ("target", Fault::TooLarge, Vec3::X * 2e12, good),
        ("settings.bend.pole", Fault::NotFinite, Vec3::X, bad_pole(Vec3::INFINITY)),
        ("settings.bend.axis", Fault::NoDirection, Vec3::X, bad_axis),
        ("settings.range[0]", Fault::AboveMax, Vec3::X, Settings { range: [1.0, 0.5], ..good }),
        ("settings.range[0]", Fault::OutOfRange, Vec3::X, Settings { range: [-0.1, 0.5], ..good }),
        ("settings.range[1]", Fault::OutOfRange, Vec3::X, Settings { range: [0.0, 3.5], ..good }),
        (
            "settings.range[1]",
            Fault::NotFinite,
            Vec3::X,
            Settings { range: [0.0, f32::NAN], ..good },
        ),
        ("settings.softness", Fault::OutOfRange, Vec3::X, soft(1.5)),
        ("settings.max_stretch", Fault::OutOfRange, Vec3::X, Settings { max_stretch: 0.9, ..good }),
        (
            "settings.max_stretch",
            Fault::OutOfRange,
            Vec3::X,
            Settings { max_stretch: f32::INFINITY, ..good },
        ),
        (
            "settings.lengths",
            Fault::OutOfRange,
            Vec3::X,
            Settings { lengths: Some([1.0, -1.0]), ..good },
        ),
        (
            "settings.lengths",
            Fault::NotFinite,
            Vec3::X,
            Settings { lengths: Some([f32::NAN, 1.0]), ..good },
        ),
        (
            "settings.effector",
            Fault::NotUnit,
            Vec3::X,
            Settings { effector: Effector::Set(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)), ..good },
        ),
    ] {
        let mut limb = start;
        let error = two_bone_solve(&mut limb.0, &mut limb.1, target, &settings).unwrap_err();
        assert_eq!((error.argument, error.fault), (name, fault));
        assert_eq!(limb, start);
    }
    let mut limb = start;
    limb.1[1] = Quat::from_xyzw(0.0, 0.0, f32::NAN, 1.0);
    let error = two_bone_solve(&mut limb.0, &mut limb.1, Vec3::X, &good).unwrap_err();
    assert_eq!(
        (error.argument, error.index, error.fault),
        ("rotations", Some(1), Fault::NotFinite)
    );
    assert_eq!(limb.0, start.0);
    let mut limb = start;
    for (positions, rotations) in [(2, 3), (3, 2)] {
        let (p, r) = (&mut limb.0[..positions], &mut limb.1[..rotations]);
        let error = two_bone_solve(p, r, Vec3::X, &good).unwrap_err();
        assert_eq!(error.fault, Fault::Length { expected: 3, actual: 2 });
    }
    assert_eq!(limb, start);
    assert_eq!(solve(&mut limb, Vec3::X, &good).status, Status::Reached);
}

/// An eased limb is drawn back by less than the digits of its length tell: no more than the shorter
/// bone has.
#[test]
fn a_short_bone_keeps_its_length_in_an_eased_limb() {
    let mut random = Random(21);
    for _ in 0..20_000 {
        let short = [0.0, 1e-37, 1e-20, 1e-9, 1e-6, 1e-3][random.below(6)];
        let given = if random.below(2) == 0 { [0.7, short] } else { [short, 0.7] };
        let settings = Settings {
            softness: random.between(0.001, 0.5),
            lengths: Some(given),
            ..Settings::default()
        };
        let mut limb = bent(1.0, 0.4);
        let solution = solve(&mut limb, random.direction() * random.between(0.3, 3.0), &settings);
        assert!(solution.distance.is_finite());
        let lengths = [limb.0[0].distance(limb.0[1]), limb.0[1].distance(limb.0[2])];
        for (length, given) in lengths.iter().zip(given) {
            assert!((length - given).abs() < 2e-7, "{length} of {given}");
        }
    }
}
