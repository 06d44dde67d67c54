//! Feet, bodies and the ground of any numbers over many frames: an error that leaves everything as
//! it was, or finite numbers. Of sound numbers, hitches among them: feet that stand do not move,
//! one group is in the air at a time and none is below the ground, and a body keeps its axes, its
//! speeds and its plane.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    BodyMotion, BodySettings, Ease, Gait, GaitReport, Ground, Home, Rotation, StepSettings,
    Stepper, Vector, feet_plane,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::oracle::{angle_between, assert_same_bits, attempt};
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    let plane = bits.byte() < 96;
    match bits.below(7) {
        0 | 1 if plane => wild_feet::<Vec2>(&mut bits),
        0 | 1 => wild_feet::<Vec3>(&mut bits),
        2 | 3 if plane => walk::<Vec2>(&mut bits),
        2 | 3 => walk::<Vec3>(&mut bits),
        4 if plane => body(&mut bits, |at, forward, _| BodyMotion::in_plane(at, forward)),
        4 => body(&mut bits, BodyMotion::on_ground),
        5 if plane => stance::<Vec2>(&mut bits),
        5 => stance::<Vec3>(&mut bits),
        _ if plane => wild_body(&mut bits, |at, forward, _| BodyMotion::in_plane(at, forward)),
        _ => wild_body(&mut bits, BodyMotion::on_ground),
    }
});

fn home<V: Space>(bits: &mut Bits, wild: bool) -> Home<V> {
    let turned = wild && bits.byte() < 32;
    let rotation = V::rotation(bits, turned);
    Home { position: V::point(bits, wild), rotation, up: V::point(bits, wild) }
}

fn steps(bits: &mut Bits, wild: bool) -> StepSettings {
    let sound = StepSettings {
        trigger_distance: 0.01 + bits.share(),
        trigger_angle: 0.01 + 4.0 * bits.share(),
        duration: 0.01 + bits.share(),
        overshoot: bits.share(),
        lift: bits.share(),
        ease: Ease::ALL[bits.below(31)],
        flat_start: bits.byte() < 128,
        flat_landing: bits.byte() < 128,
        hurry: 1.0 + 4.0 * bits.share(),
        together: bits.share(),
        teleport: 1.0 + 20.0 * bits.share(),
    };
    if !wild {
        return sound;
    }
    match bits.below(8) {
        0 => StepSettings { trigger_distance: bits.any(), ..sound },
        1 => StepSettings { trigger_angle: bits.any(), ..sound },
        2 => StepSettings { duration: bits.any(), ..sound },
        3 => StepSettings { overshoot: bits.any(), lift: bits.any(), ..sound },
        4 => StepSettings { hurry: bits.any(), ..sound },
        5 => StepSettings { together: bits.any(), teleport: bits.any(), ..sound },
        _ => sound,
    }
}

fn is_finite<V: Vector>(foot: &Stepper<V>) -> bool {
    foot.position.largest().is_finite()
        && foot.rotation.norm_squared().is_finite()
        && foot.normal.largest().is_finite()
}

fn wild_feet<V: Space>(bits: &mut Bits) {
    let count = bits.below(5);
    let mut feet: Vec<Stepper<V>> = (0..count)
        .map(|_| {
            let wild = bits.byte() < 96;
            Stepper::planted(home(bits, wild)).with_group(bits.byte() % 3)
        })
        .collect();
    let grounds: Vec<Option<Ground<V>>> = (0..3)
        .map(|_| {
            let ground = Ground { point: V::point(bits, true), normal: V::point(bits, true) };
            (bits.byte() < 192).then_some(ground)
        })
        .collect();
    let mut gait = Gait { step: steps(bits, true), turn: bits.byte() };
    for frame in 0..8 {
        let wild = bits.byte() < 96;
        let mut homes: Vec<_> = (0..count).map(|_| home(bits, wild)).collect();
        if bits.byte() == 0 {
            homes.pop();
        }
        let dt = bits.any();
        let answer = grounds[frame % grounds.len()];
        // The ground as it is, or the point of its plane that is nearest.
        let ground = |p: V| answer.map(|g| if wild { g } else { g.nearest(p) });
        let mut state = (feet.clone(), gait);
        let before = state.clone();
        let report = if bits.byte() < 16 {
            attempt(&mut state, |(feet, gait)| gait.plant(feet, &homes, ground))
                .map(|()| GaitReport::default())
        } else {
            attempt(&mut state, |(feet, gait)| gait.advance(feet, &homes, ground, dt))
        };
        let Some(report) = report else { continue };
        (feet, gait) = state;
        assert!(feet.iter().all(is_finite), "{before:?} to {homes:?}, {answer:?}, {dt}: {feet:?}");
        assert!(report.in_air <= count && report.teleported <= count);
        if let (Some(foot), Some(home)) = (feet.first(), homes.first()) {
            let mut alone = *foot;
            let step = gait.step;
            let _ = attempt(&mut alone, |foot| foot.advance(home, &step, ground, dt));
            assert!(is_finite(&alone), "{foot:?} to {home:?}, {answer:?}, {dt}: {alone:?}");
        }
    }
}

/// Frames of any length, a hitch and no time among them.
fn frame(bits: &mut Bits) -> f32 {
    match bits.below(8) {
        0 => 0.0,
        1 => 2.0 * bits.share(),
        2 => bits.moderate().abs(),
        _ => 1.0 / (15.0 + f32::from(bits.byte())),
    }
}

/// A walk over a level floor, with homes that move by at most a few units a second.
fn walk<V: Space>(bits: &mut Bits) {
    let up = V::up();
    let count = 1 + bits.below(6);
    let floor = Ground { point: V::ZERO, normal: up };
    let ground = |p: V| Some(floor.nearest(p));
    let place = |p: V| p - up * p.dot(up);
    let offsets: Vec<V> = (0..count).map(|_| place(V::point(bits, false))).collect();
    let home = |body: V, turn: V::Rotation, i: usize| Home {
        position: body + offsets[i],
        rotation: turn,
        up,
    };
    let mut body = place(V::point(bits, false));
    let mut turn = V::Rotation::IDENTITY;
    let mut feet: Vec<_> = (0..count)
        .map(|i| Stepper::planted(home(body, turn, i)).with_group(bits.byte() % 3))
        .collect();
    let mut gait = Gait { step: steps(bits, false), turn: 0 };
    let velocity = place(V::point(bits, false));
    for _ in 0..24 {
        let dt = frame(bits);
        if bits.byte() >= 64 {
            body = body + velocity * dt;
        }
        if bits.byte() < 64 {
            turn = (turn * V::rotation(bits, false)).normalized();
        }
        let homes: Vec<_> = (0..count).map(|i| home(body, turn, i)).collect();
        let (before, was) = (feet.clone(), gait);
        let report = gait.advance(&mut feet, &homes, ground, dt).expect("sound numbers");
        if dt == 0.0 {
            assert_same_bits(&(&feet, gait), &(&before, was), &"no time");
            continue;
        }
        let size = feet.iter().map(|f| f.position.largest()).fold(body.largest(), f32::max);
        let grain = 8.0 * f32::EPSILON * size.max(1.0);
        walked((&before, &feet), &report, up, (gait.step.lift, grain));
    }
    // Left alone, everybody comes to stand near home.
    let homes: Vec<_> = (0..count).map(|i| home(body, turn, i)).collect();
    for _ in 0..64 {
        let _ = gait.advance(&mut feet, &homes, ground, 0.5).expect("sound numbers");
    }
    for (foot, home) in feet.iter().zip(&homes) {
        let behind = foot.position.distance(home.position);
        let most = gait.step.trigger_distance;
        let slack = most * 1e-3 + 64.0 * f32::EPSILON * home.position.largest();
        assert!(behind <= most + slack, "{behind} behind, {most} allowed: {foot:?}, {home:?}");
    }
}

/// One group at most is in the air, the report knows it, and the feet keep to the floor.
fn walked<V: Space>(
    (before, feet): (&[Stepper<V>], &[Stepper<V>]),
    report: &GaitReport,
    up: V,
    (lift, grain): (f32, f32),
) {
    let flying = |feet: &[Stepper<V>]| feet.iter().filter(|f| f.phase().is_some()).count();
    assert_eq!(report.in_air, flying(feet));
    if report.teleported == 0 {
        let lifted = flying(before) + report.lifted;
        assert_eq!(lifted, report.landed + report.in_air, "{report:?}: {before:?}, {feet:?}");
    }
    let mut groups: Vec<u8> =
        feet.iter().filter(|f| f.phase().is_some()).map(|f| f.group).collect();
    groups.sort_unstable();
    groups.dedup();
    assert!(groups.len() <= 1, "two groups in the air: {before:?}, then {feet:?}");
    for (foot, old) in feet.iter().zip(before) {
        assert!(is_finite(foot), "{before:?}, then {feet:?}");
        assert!((foot.rotation.norm_squared() - 1.0).abs() < 1e-5);
        let height = foot.position.dot(up);
        assert!(height >= -grain && height <= lift + grain, "{height}: {foot:?}");
        if let Some(phase) = foot.phase() {
            assert!((0.0..=1.0).contains(&phase));
        } else {
            assert!(height.abs() <= grain, "{foot:?} stands off the floor");
            let stood = old.phase().is_none() && report.lifted + report.teleported == 0;
            assert!(!stood || foot.position == old.position, "{foot:?} slid");
        }
    }
}

fn bodies(bits: &mut Bits) -> BodySettings {
    let least_distance = bits.share();
    BodySettings {
        least_distance,
        largest_distance: least_distance + bits.share(),
        speed: 3.0 * bits.share(),
        turn_speed: 4.0 * bits.share(),
        acceleration: 1.0 + 30.0 * bits.share(),
        turn_acceleration: 1.0 + 30.0 * bits.share(),
        walk_angle: 0.1 + 3.0 * bits.share(),
        rest_angle: bits.share(),
    }
}

fn wild_body<V: Space>(
    bits: &mut Bits,
    stand: impl Fn(V, V, V) -> Result<BodyMotion<V>, sinew::Error>,
) {
    let wild = bits.byte() < 64;
    let Ok(mut body) = stand(V::point(bits, wild), V::point(bits, wild), V::point(bits, wild))
    else {
        return;
    };
    if bits.byte() < 32 {
        body.forward = V::point(bits, true);
        body.speed = bits.any();
        body.turn_speed = bits.any();
    }
    let mut settings = bodies(bits);
    match bits.below(6) {
        0 => settings.least_distance = bits.any(),
        1 => settings.largest_distance = bits.any(),
        2 => (settings.speed, settings.turn_speed) = (bits.any(), bits.any()),
        3 => (settings.acceleration, settings.turn_acceleration) = (bits.any(), bits.any()),
        4 => (settings.walk_angle, settings.rest_angle) = (bits.any(), bits.any()),
        _ => {}
    }
    for _ in 0..6 {
        let (target, dt) = (V::point(bits, wild), bits.any());
        let before = body;
        if attempt(&mut body, |body| body.advance(target, &settings, dt)).is_some() {
            assert!(
                body.position.largest().is_finite()
                    && body.forward.largest().is_finite()
                    && body.left.largest().is_finite()
                    && body.speed.is_finite()
                    && body.turn_speed.is_finite(),
                "{before:?} to {target:?}, {settings:?}, {dt}: {body:?}"
            );
        }
    }
}

fn body<V: Space>(bits: &mut Bits, stand: impl Fn(V, V, V) -> Result<BodyMotion<V>, sinew::Error>) {
    let (position, forward, up) =
        (V::point(bits, false), V::point(bits, false), V::point(bits, false));
    let Ok(mut body) = stand(position, forward, up) else {
        return;
    };
    let settings = bodies(bits);
    let across = |v: V, body: &BodyMotion<V>| {
        v - body.forward * v.dot(body.forward) - body.left * v.dot(body.left)
    };
    let standing = body;
    let target = V::point(bits, false) * 2.0;
    for _ in 0..24 {
        let dt = frame(bits);
        let before = body;
        body.advance(target, &settings, dt).expect("sound numbers");
        if dt == 0.0 {
            assert_same_bits(&body, &before, &"no time");
            continue;
        }
        for axis in [body.forward, body.left] {
            assert!((axis.length() - 1.0).abs() < 1e-6, "{body:?}");
        }
        assert!(body.forward.dot(body.left).abs() < 1e-6, "{body:?}");
        assert!(body.speed.abs() <= settings.speed * (1.0 + 1e-5), "{body:?}, {settings:?}");
        assert!(body.turn_speed.abs() <= settings.turn_speed * (1.0 + 1e-5), "{body:?}");
        let way = body.position - before.position;
        let grain = 64.0 * f32::EPSILON * body.position.largest().max(1.0);
        assert!(way.length() <= settings.speed * dt * (1.0 + 1e-4) + grain, "{way:?} in {dt}");
        let lifted = across(body.position - standing.position, &standing).length();
        assert!(lifted <= 1e-4 + 24.0 * grain, "{lifted} out of the plane: {standing:?}, {body:?}");
    }
    // In the end it keeps its distance, if it can turn and walk at all. That takes long.
    if bits.byte() >= 32 {
        return;
    }
    if settings.speed < 0.5 || settings.turn_speed < 0.5 || settings.rest_angle > 0.5 {
        return;
    }
    // One that walks with its target beside it may circle it for good.
    if !(settings.rest_angle + 0.5..core::f32::consts::FRAC_PI_2).contains(&settings.walk_angle) {
        return;
    }
    // Time to turn about, to walk all the way, and to settle.
    let settling = 60.0 / settings.acceleration + 30.0 / settings.turn_acceleration;
    let turning = 3.2 / settings.turn_speed;
    let seconds = settling + turning + target.distance(body.position) / settings.speed;
    for _ in 0..(10.0 * seconds) as u16 {
        body.advance(target, &settings, 0.1).expect("sound numbers");
    }
    let way = target - body.position;
    let distance = (way - across(way, &body)).length();
    let slack = 0.02 + 0.02 * distance;
    assert!(
        settings.least_distance - slack <= distance
            && distance <= settings.largest_distance + slack,
        "{distance} away: {standing:?} to {target:?}, {settings:?}: {body:?}"
    );
}

/// The plane of feet that are on one, and the ground under a place.
fn stance<V: Space>(bits: &mut Bits) {
    let wild = bits.byte() < 64;
    let up = V::point(bits, wild);
    let feet: Vec<V> = (0..bits.below(7)).map(|_| V::point(bits, wild)).collect();
    let place = V::point(bits, wild);
    if let Ok(plane) = feet_plane(&feet, up) {
        assert!(plane.point.largest().is_finite(), "{feet:?} {up:?}: {plane:?}");
        assert!((plane.normal.length() - 1.0).abs() < 1e-5, "{feet:?} {up:?}: {plane:?}");
        assert!(
            plane.normal.dot(up) >= -1e-6 * up.largest().max(0.0),
            "{feet:?} {up:?}: {plane:?}"
        );
    } else {
        assert!(wild || feet.is_empty() || up == V::ZERO);
    }
    if wild || up == V::ZERO {
        return;
    }
    // A plane that is not steep, and feet upon it.
    let unit = up * (1.0 / up.length());
    let tilt = place - unit * place.dot(unit);
    let slope = Ground { point: place, normal: unit * 4.0 + tilt };
    let on: Vec<V> = feet.iter().map(|foot| slope.along(*foot, up).point).collect();
    let normal = slope.normal.double().normalize();
    let size =
        on.iter().chain(&feet).map(|p| p.largest()).fold(place.largest(), f32::max).max(1e-3);
    let grain = 16.0 * f64::from(f32::EPSILON * size);
    for (under, foot) in on.iter().zip(&feet) {
        let (under, foot) = (under.double(), foot.double());
        assert!(
            (under - place.double()).dot(normal).abs() <= grain,
            "{under} is off {slope:?} from {foot} along {up:?}, grain {grain}"
        );
        let way = under - foot;
        let aside = way - unit.double() * way.dot(unit.double());
        assert!(aside.length() <= grain, "{under} is not along up from {foot}");
    }
    let Ok(plane) = feet_plane(&on, up) else { return };
    if spread::<V>(&on, unit) {
        let off = angle_between(plane.normal.double().normalize(), normal);
        let blur = 1e-5 + 100.0 * grain;
        assert!(off <= blur, "{off} rad off: {on:?} on {slope:?}: {plane:?}");
    }
}

/// Whether the feet stand far apart, in every direction across up.
fn spread<V: Space>(feet: &[V], up: V) -> bool {
    let count = feet.len() as f64;
    let middle = feet.iter().map(|f| f.double()).sum::<glam::DVec3>() / count;
    let up = up.double().normalize();
    let places: Vec<_> =
        feet.iter().map(|f| f.double() - middle).map(|p| p - up * p.dot(up)).collect();
    let Some(first) = places.iter().copied().max_by(|a, b| a.length().total_cmp(&b.length()))
    else {
        return false;
    };
    let Some(along) = first.try_normalize() else { return false };
    let aside = places.iter().map(|p| (p - along * p.dot(along)).length()).fold(0.0, f64::max);
    first.length() > 0.1 && (V::DIMENSIONS == 2 || aside > 0.2 * first.length())
}
