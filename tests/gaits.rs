//! Gaits: feet that stand do not slide, groups take turns, and the walk does not depend on the
//! frame rate; bodies that follow, and the plane that their feet give them.

use core::f32::consts::{FRAC_PI_2, PI};
use proptest::prelude::*;
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    BodyMotion, BodySettings, Ease, Fault, Gait, Ground, Home, Rot2, Rotation, StepSettings,
    Stepper, feet_plane, look_rotation,
};

/// Gentle hills.
fn height(p: Vec3) -> f32 {
    0.15 * (1.3 * p.x).sin() * (0.9 * p.z + 0.4).cos() + 0.05 * (2.1 * p.z).sin()
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of a terrain")]
fn hills(p: Vec3) -> Option<Ground<Vec3>> {
    let h = 1e-3;
    let slope = |d: Vec3| (height(p + d * h) - height(p - d * h)) / (2.0 * h);
    let normal = Vec3::new(-slope(Vec3::X), 1.0, -slope(Vec3::Z));
    Some(Ground { point: Vec3::new(p.x, height(p), p.z), normal })
}

/// A creature: its groups, its homes about its middle, and how fast it goes.
#[derive(Clone, Debug)]
struct Creature {
    groups: Vec<u8>,
    stance: Vec<Vec3>,
    gait: Gait,
    /// Units a second along its heading, and radians a second of turning.
    speed: f32,
    turning: f32,
}

impl Creature {
    fn new(groups: &[u8], speed: f32, turning: f32) -> Self {
        let rows = groups.len() / 2;
        let stance = (0..groups.len())
            .map(|i| {
                let row = (i / 2) as f32 - 0.5 * (rows as f32 - 1.0);
                Vec3::new(-0.5 * row, 0.0, if i % 2 == 0 { -0.25 } else { 0.25 })
            })
            .collect();
        let step = StepSettings {
            trigger_distance: 0.2,
            trigger_angle: 0.5,
            duration: 0.2,
            lift: 0.1,
            ..StepSettings::default()
        };
        Self { groups: groups.into(), stance, gait: Gait { step, turn: 0 }, speed, turning }
    }

    /// Where the middle is after `time` seconds, and its heading: a circle or a line.
    fn pose(&self, time: f32) -> (Vec3, Quat) {
        let angle = self.turning * time;
        let way = if self.turning.abs() < 1e-3 {
            Vec3::X * self.speed * time
        } else {
            let radius = self.speed / self.turning;
            Vec3::new(radius * angle.sin(), 0.0, -radius * (1.0 - angle.cos()))
        };
        (way, Quat::from_rotation_y(angle))
    }

    fn homes(&self, time: f32) -> Vec<Home<Vec3>> {
        let (middle, heading) = self.pose(time);
        let home = |foot: &Vec3| Home {
            position: middle + heading * *foot,
            rotation: heading,
            up: Vec3::Y,
        };
        self.stance.iter().map(home).collect()
    }

    fn feet(&self) -> Vec<Stepper<Vec3>> {
        let mut feet: Vec<_> = self
            .homes(0.0)
            .into_iter()
            .zip(&self.groups)
            .map(|(home, group)| Stepper::planted(home).with_group(*group))
            .collect();
        self.gait.plant(&mut feet, &self.homes(0.0), hills).unwrap();
        feet
    }

    /// Walks, checks what must hold in every frame, and returns where feet landed.
    fn walk(&self, fps: u16, seconds: u16) -> Walk {
        let dt = 1.0 / f32::from(fps);
        let mut gait = self.gait;
        let mut feet = self.feet();
        let mut walk = Walk::default();
        for frame in 1..=fps * seconds {
            let homes = self.homes(f32::from(frame) * dt);
            let before = feet.clone();
            let report = gait.advance(&mut feet, &homes, hills, dt).unwrap();
            walk.lifted += report.lifted;
            assert_eq!(report.teleported, 0);
            for (i, ((old, new), home)) in before.iter().zip(&feet).zip(&homes).enumerate() {
                let above = new.position.y - height(new.position);
                assert!(above > -1e-5, "foot {i} is {above} below the ground");
                if new.phase().is_none() {
                    assert!(above.abs() < 1e-5, "foot {i} stands {above} above the ground");
                    let moved = new.position != old.position || new.rotation != old.rotation;
                    assert!(!moved || old.phase().is_some() || report.lifted > 0, "foot {i} slid");
                    if moved || old.phase().is_some() {
                        walk.landings.push((i, new.position));
                    }
                } else {
                    walk.highest = walk.highest.max(above);
                }
                let behind = (home.position - new.position).with_y(0.0).length();
                // Without the first second, in which all feet stand side by side.
                if frame > fps {
                    walk.farthest = walk.farthest.max(behind);
                }
            }
            let air = || feet.iter().filter(|foot| foot.phase().is_some());
            assert_eq!(report.in_air, air().count());
            if let Some(first) = air().next() {
                assert!(air().all(|foot| foot.group == first.group), "two groups in the air");
            }
        }
        walk.feet = feet;
        walk
    }
}

#[derive(Default)]
struct Walk {
    landings: Vec<(usize, Vec3)>,
    lifted: usize,
    highest: f32,
    farthest: f32,
    feet: Vec<Stepper<Vec3>>,
}

const RIPPLE: [u8; 6] = [0, 1, 2, 3, 4, 5];

fn creatures() -> Vec<Creature> {
    let tables: [&[u8]; 4] = [&Gait::ALTERNATE, &Gait::DIAGONAL, &Gait::TRIPOD, &RIPPLE];
    let mut all = Vec::new();
    for table in tables {
        for (speed, turning) in [(0.5, 0.0), (0.7, 0.4), (-0.4, 0.0), (0.0, 1.0)] {
            all.push(Creature::new(table, speed, turning));
        }
    }
    all
}

#[test]
fn two_four_and_six_feet_take_turns_and_never_slide() {
    for creature in creatures() {
        for fps in [15, 60, 144] {
            let walk = creature.walk(fps, 6);
            assert!(walk.lifted >= 2 * creature.groups.len(), "{creature:?} {}", walk.lifted);
            // Behind by the trigger and what the body covers while the others step, or ahead by
            // the overshoot and the way still to go.
            assert!(walk.farthest < 0.75, "{creature:?} {}", walk.farthest);
            assert!(walk.highest > 0.05 && walk.highest < 0.25, "{}", walk.highest);
        }
    }
}

#[test]
fn feet_land_in_the_same_places_at_any_frame_rate() {
    for creature in creatures().into_iter().filter(|c| c.groups.len() < 6) {
        // At 960 Hz the homes' straight way between calls is their true one.
        let exact = creature.walk(960, 5).landings;
        for fps in [15, 30, 60, 144, 240] {
            let landings = creature.walk(fps, 5).landings;
            // A foot that is about to lift or land at the very end may be counted or not.
            assert!(landings.len().abs_diff(exact.len()) <= 4);
            for foot in 0..creature.groups.len() {
                let of = |all: &[(usize, Vec3)]| {
                    all.iter().filter(|(i, _)| *i == foot).map(|(_, p)| *p).collect::<Vec<_>>()
                };
                for (a, b) in of(&landings).iter().zip(&of(&exact)) {
                    let gap = a.distance(*b);
                    assert!(
                        gap < 5e-4,
                        "{fps} fps, foot {foot}: {gap} {:?} {:?}",
                        of(&landings),
                        of(&exact)
                    );
                }
            }
        }
    }
}

/// Each foot steps as often as the others, and a group's feet step together.
#[test]
fn all_feet_get_their_turn() {
    for creature in creatures() {
        let landings = creature.walk(60, 12).landings;
        let count = |i| landings.iter().filter(|(foot, _)| *foot == i).count();
        let counts: Vec<_> = (0..creature.groups.len()).map(count).collect();
        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
        assert!(most - least <= 1 + most / 4, "{creature:?} {counts:?}");
    }
}

#[test]
fn a_body_that_stands_does_not_step() {
    let creature = Creature::new(&Gait::DIAGONAL, 0.0, 0.0);
    let walk = creature.walk(60, 5);
    assert_eq!(walk.lifted, 0);
    assert_eq!(walk.feet.iter().map(|f| f.position).collect::<Vec<_>>(), {
        creature.feet().iter().map(|f| f.position).collect::<Vec<_>>()
    });
}

/// Feet that land as far before their homes as they may do not step back when the body has stopped.
#[test]
fn a_body_that_stops_does_not_march_on_the_spot() {
    let step = StepSettings { overshoot: 1.0, trigger_distance: 0.01, ..StepSettings::default() };
    let floor = Ground { point: Vec2::ZERO, normal: Vec2::Y };
    let home = |x| Home { position: Vec2::new(x, 0.0), rotation: Rot2::IDENTITY, up: Vec2::Y };
    for stop in [0.01, 0.3, 6.344_784_7] {
        let mut foot = Stepper::planted(home(0.0));
        let mut advance =
            |x| foot.advance(&home(x), &step, |p| Some(floor.nearest(p)), 0.1).unwrap().lifted;
        for frame in 0_u8..=50 {
            advance(stop * f32::from(frame) / 50.0);
        }
        for _ in 0..20 {
            advance(stop);
        }
        assert_eq!((0..50).map(|_| advance(stop)).sum::<usize>(), 0, "stopped at {stop}");
    }
}

/// A step: when its foot lifted, how far behind it was, and how long it is in the air.
#[derive(Clone, Copy, Debug)]
struct Lift {
    time: f32,
    behind: f32,
    air: f32,
}

/// The steps of feet that begin at `places`, each in a group of its own, under a body that goes at
/// `speed` along a level floor from 0, where all of them have their homes.
fn steps(step: StepSettings, places: &[f32], (speed, fps): (f32, u16), seconds: f32) -> Vec<Lift> {
    let floor = Ground { point: Vec2::ZERO, normal: Vec2::Y };
    let ground = |p| Some(floor.nearest(p));
    let home = |x: f32| Home { position: Vec2::new(x, 0.0), rotation: Rot2::IDENTITY, up: Vec2::Y };
    let mut gait = Gait { step, turn: 0 };
    let foot = |(group, place): (u8, &f32)| {
        let mut foot = Stepper::planted(home(0.0)).with_group(group);
        foot.position.x = *place;
        foot
    };
    let mut feet: Vec<_> = (0_u8..).zip(places).map(foot).collect();
    let homes = |time: f32| vec![home(speed * time); places.len()];
    let dt = 1.0 / f32::from(fps);
    let mut lifts = Vec::new();
    let times = (1_u16..).map(|frame| f32::from(frame) * dt);
    for time in times.take_while(|time| *time <= seconds) {
        let before = feet.clone();
        let _ = gait.advance(&mut feet, &homes(time), ground, dt).unwrap();
        // A moment later, which tells the step's own time in the air.
        let (mut later, moment) = (feet.clone(), 1e-3);
        let _ = Gait { ..gait }.advance(&mut later, &homes(time + moment), ground, moment).unwrap();
        for ((old, now), later) in before.iter().zip(&feet).zip(&later) {
            if let (None, Some(phase), Some(next)) = (old.phase(), now.phase(), later.phase()) {
                let air = moment / (next - phase);
                let time = time - phase * air;
                lifts.push(Lift { time, behind: speed * time - old.position.x, air });
            }
        }
    }
    lifts.sort_by(|a, b| a.time.total_cmp(&b.time));
    lifts
}

/// By how much the largest of some numbers exceeds the least, as a share of that.
fn unevenness(numbers: impl Iterator<Item = f32> + Clone) -> f32 {
    numbers.clone().fold(0.0, f32::max) / numbers.fold(f32::INFINITY, f32::min) - 1.0
}

proptest! {
    /// At any steady speed that the feet can keep up with, from any stance, a walk is even: after
    /// three steps of every foot (six, where there are six groups) feet lift equally far behind,
    /// are in the air for the same time, and follow one another at equal times.
    #[test]
    fn a_steady_walk_finds_an_even_rhythm(
        groups in prop_oneof![Just(2_u8), Just(4), Just(6)],
        pace in -3.0_f32..-0.02, // The speed, as a power of e of the highest.
        (trigger_distance, duration, overshoot) in (0.05_f32..0.5, 0.1_f32..0.5, 0.0_f32..=1.0),
        fps in prop_oneof![Just(60_u16), Just(144)],
        places in prop::collection::vec(-0.9_f32..0.9, 6),
        together in any::<bool>(),
    ) {
        let step = StepSettings { trigger_distance, duration, overshoot, ..StepSettings::default() };
        let others = f32::from(groups - 1);
        let stride = (1.0 + overshoot) * trigger_distance;
        let speed = pace.exp() * stride * step.hurry / (duration * others);
        let places: Vec<_> = places
            .iter()
            .take(groups.into())
            .map(|place| if together { 0.0 } else { place * trigger_distance })
            .collect();
        let begin = if groups == 6 { 6_u8 } else { 3 };
        let seconds = (f32::from(begin) + 3.0) * (stride / speed + duration);
        let lifts = steps(step, &places, (speed, fps), seconds);
        let groups = usize::from(groups);
        let even = &lifts[usize::from(begin) * groups..];
        prop_assert!(even.len() > groups);
        let gaps = even.windows(2).map(|pair| pair[1].time - pair[0].time);
        prop_assert!(unevenness(even.iter().map(|lift| lift.behind)) < 0.1, "{lifts:?}");
        prop_assert!(unevenness(even.iter().map(|lift| lift.air)) < 0.1, "{lifts:?}");
        prop_assert!(unevenness(gaps) < 0.1, "{lifts:?}");
    }
}

/// Two feet side by side, and a body that is at once at its speed: neither foot alone makes up for
/// it.
#[test]
fn the_haste_of_setting_out_is_shared() {
    for speed in [0.7, 1.4, 2.0, 3.0, 6.0] {
        let lifts = steps(StepSettings::default(), &[0.0, 0.0], (speed, 240), 2.0);
        let [first, second, ..] = lifts[..] else { panic!("{lifts:?}") };
        assert!((first.air / second.air - 1.0).abs() < 0.1, "{lifts:?}");
        let farthest = lifts.iter().map(|lift| lift.behind).fold(0.0, f32::max);
        assert!(farthest < if speed < 4.0 { 0.7 } else { 0.85 }, "{speed}: {farthest}");
    }
}

#[test]
fn a_body_may_sway_by_half_of_what_triggers_a_step() {
    let creature = Creature::new(&Gait::DIAGONAL, 0.0, 0.0);
    let (mut gait, mut feet) = (creature.gait, creature.feet());
    for frame in 1_u16..=600 {
        let time = f32::from(frame) / 60.0;
        let sway = Vec3::new((3.1 * time).sin(), 0.0, (4.7 * time).cos() - 1.0) * 0.045;
        let mut homes = creature.homes(0.0);
        for home in &mut homes {
            home.position += sway;
        }
        assert_eq!(gait.advance(&mut feet, &homes, hills, 1.0 / 60.0).unwrap().lifted, 0);
    }
}

/// The feet that step, in their order, under a biped that follows a target on a curve.
fn curving_steps(fps: u16, target: impl Fn(f32) -> Vec3) -> Vec<usize> {
    let mut body = BodyMotion::on_ground(Vec3::ZERO, Vec3::Z, Vec3::Y).unwrap();
    let floor = Ground { point: Vec3::ZERO, normal: Vec3::Y };
    let homes = |body: &BodyMotion<Vec3>| {
        [0.12, -0.12].map(|aside| Home {
            position: body.position + body.left * aside,
            rotation: look_rotation(body.forward, Vec3::Y, Vec3::Z, Vec3::Y),
            up: Vec3::Y,
        })
    };
    let mut gait = Gait::default();
    let mut feet = homes(&body).map(Stepper::planted);
    feet[1].group = 1;
    let mut order = Vec::new();
    for frame in 1..=10 * fps {
        let time = f32::from(frame) / f32::from(fps);
        body.advance(target(time), &BodySettings::default(), 1.0 / f32::from(fps)).unwrap();
        let before = feet;
        let ground = |p| Some(floor.nearest(p));
        let _ = gait.advance(&mut feet, &homes(&body), ground, 1.0 / f32::from(fps)).unwrap();
        let lifts = |i: &usize| before[*i].phase().is_none() && feet[*i].phase().is_some();
        order.extend((0..2).filter(lifts));
    }
    order
}

/// Two feet that would step at nearly the same time: the frame rate does not choose between them.
#[test]
fn the_same_foot_goes_first_at_any_frame_rate() {
    for turn in 0_u8..8 {
        let (a, b) = (0.06 * f32::from(turn) + 0.05, 0.25 * f32::from(turn) - 0.9);
        let target = |t: f32| Vec3::new(4.0 * (a * t).sin() + b * t, 0.0, 4.0 * (0.23 * t).cos());
        let exact = curving_steps(960, target);
        assert!(exact.len() > 4);
        for fps in [30, 60, 120, 144, 165, 240] {
            let order = curving_steps(fps, target);
            assert!(order.len().abs_diff(exact.len()) <= 1, "{fps}: {order:?}, {exact:?}");
            assert!(order.iter().zip(&exact).all(|(a, b)| a == b), "{fps}: {order:?}, {exact:?}");
        }
    }
}

#[test]
fn a_body_that_outruns_its_feet_makes_them_hurry() {
    let patient = Creature::new(&Gait::DIAGONAL, 5.0, 0.0);
    let mut lazy = patient.clone();
    lazy.gait.step.hurry = 1.0;
    let (patient, lazy) = (patient.walk(60, 5), lazy.walk(60, 5));
    assert!(patient.lifted > lazy.lifted, "{} {}", patient.lifted, lazy.lifted);
    assert!(patient.farthest < 0.6 * lazy.farthest, "{} {}", patient.farthest, lazy.farthest);
}

/// S2: a character teleported by 1000 units.
#[test]
fn a_teleport_takes_the_feet_along() {
    let creature = Creature::new(&Gait::TRIPOD, 0.5, 0.2);
    let mut gait = creature.gait;
    let mut feet = creature.feet();
    for frame in 1_u8..=100 {
        let mut homes = creature.homes(f32::from(frame) / 60.0);
        if frame >= 40 {
            for home in &mut homes {
                home.position += Vec3::new(1000.0, 0.0, -300.0);
            }
        }
        let report = gait.advance(&mut feet, &homes, hills, 1.0 / 60.0).unwrap();
        assert_eq!(report.teleported, if frame == 40 { 6 } else { 0 });
        for (foot, home) in feet.iter().zip(&homes) {
            assert!((foot.position - home.position).with_y(0.0).length() < 0.6);
            assert!(foot.position.y - height(foot.position) > -1e-4);
        }
    }
}

/// F5: a hitch of two seconds is walked through; or, when the body has gone too far, jumped.
#[test]
fn a_hitch_of_two_seconds_leaves_the_feet_under_the_body() {
    for teleport in [10.0, f32::INFINITY] {
        for groups in [&Gait::ALTERNATE[..], &Gait::DIAGONAL, &Gait::TRIPOD] {
            let mut creature = Creature::new(groups, 1.2, 0.0);
            creature.gait.step.teleport = teleport;
            let mut gait = creature.gait;
            let mut feet = creature.feet();
            let mut time = 0.0;
            for dt in (0..50).map(|_| 1.0 / 60.0).chain([2.0]).chain((0..50).map(|_| 1.0 / 60.0)) {
                time += dt;
                let homes = creature.homes(time);
                let report = gait.advance(&mut feet, &homes, hills, dt).unwrap();
                assert!(report.lifted < 100);
                for (foot, home) in feet.iter().zip(&homes) {
                    assert!((foot.position - home.position).with_y(0.0).length() < 0.8);
                }
            }
        }
    }
}

/// A step so short that a hitch holds thousands of them.
#[test]
fn a_hitch_is_never_walked_for_long() {
    let mut creature = Creature::new(&RIPPLE, 50.0, 0.0);
    creature.gait.step.teleport = f32::INFINITY;
    creature.gait.step.duration = 1e-6;
    let mut feet = creature.feet();
    let mut gait = creature.gait;
    let homes = creature.homes(1e4);
    let report = gait.advance(&mut feet, &homes, hills, 1e4).unwrap();
    assert_eq!(report.teleported, 6);
    assert!(feet.iter().zip(&homes).all(|(f, h)| f.position.x == h.position.x));
}

/// F4: no time, no change, wherever the homes are.
#[test]
fn no_time_is_no_change() {
    let creature = Creature::new(&Gait::DIAGONAL, 0.5, 0.2);
    let (mut gait, mut feet) = (creature.gait, creature.feet());
    for frame in 1_u8..60 {
        let homes = creature.homes(f32::from(frame) / 60.0);
        let _ = gait.advance(&mut feet, &homes, hills, 1.0 / 60.0).unwrap();
        let (before, turn) = (feet.clone(), gait.turn);
        let report = gait.advance(&mut feet, &creature.homes(9.0), hills, 0.0).unwrap();
        assert_eq!((&feet, gait.turn), (&before, turn));
        assert_eq!((report.lifted, report.landed, report.teleported), (0, 0, 0));
    }
}

#[test]
fn every_bad_argument_is_named_and_the_feet_stay() {
    let creature = Creature::new(&Gait::ALTERNATE, 0.5, 0.0);
    let (gait, feet, homes) = (creature.gait, creature.feet(), creature.homes(0.3));
    let fail = |gait: Gait, homes: &[Home<Vec3>], dt: f32| {
        let (mut g, mut f) = (gait, feet.clone());
        let error = g.advance(&mut f, homes, hills, dt).unwrap_err();
        assert_eq!((g.turn, &f), (gait.turn, &feet));
        (error.argument, error.index, error.fault)
    };
    let short = Fault::Length { expected: 2, actual: 1 };
    assert_eq!(fail(gait, &homes[..1], 0.1), ("homes", None, short));
    assert_eq!(fail(gait, &homes, -0.1), ("dt", None, Fault::OutOfRange));
    assert_eq!(fail(gait, &homes, f32::NAN), ("dt", None, Fault::NotFinite));
    let mut bad = homes.clone();
    bad[1].position.z = f32::NAN;
    assert_eq!(fail(gait, &bad, 0.1), ("homes.position", Some(1), Fault::NotFinite));
    let mut bad = homes.clone();
    bad[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0);
    assert_eq!(fail(gait, &bad, 0.1), ("homes.rotation", Some(0), Fault::NotUnit));
    for (name, change) in [
        ("step.trigger_distance", StepSettings { trigger_distance: 0.0, ..gait.step }),
        ("step.trigger_angle", StepSettings { trigger_angle: f32::NAN, ..gait.step }),
        ("step.duration", StepSettings { duration: 0.0, ..gait.step }),
        ("step.overshoot", StepSettings { overshoot: 1.5, ..gait.step }),
        ("step.lift", StepSettings { lift: -1.0, ..gait.step }),
        ("step.hurry", StepSettings { hurry: 0.5, ..gait.step }),
        ("step.together", StepSettings { together: 2.0, ..gait.step }),
        ("step.teleport", StepSettings { teleport: 0.0, ..gait.step }),
    ] {
        assert_eq!(fail(Gait { step: change, ..gait }, &homes, 0.1).0, name);
    }
}

/// A foot's own fields are named from the foot on, those of a foot in a slice from the slice on.
#[test]
fn a_bad_foot_is_named_alone_and_among_others() {
    let creature = Creature::new(&Gait::ALTERNATE, 0.5, 0.0);
    let (mut gait, mut feet, homes) = (creature.gait, creature.feet(), creature.homes(0.3));
    let nowhere = Home { position: Vec3::NAN, ..homes[1] };
    let alone = |mut foot: Stepper<Vec3>, home: &Home<Vec3>| {
        let error = foot.advance(home, &gait.step, hills, 0.1).unwrap_err();
        (error.argument, error.index)
    };
    assert_eq!(alone(feet[1], &nowhere), ("home.position", None));
    feet[1].normal = Vec3::NAN;
    assert_eq!(alone(feet[1], &homes[1]), ("normal", None));
    let error = gait.advance(&mut feet, &homes, hills, 0.1).unwrap_err();
    assert_eq!((error.argument, error.index), ("feet.normal", Some(1)));
}

/// Holes in the ground, and ground that is no number: the foot stands on its home.
#[test]
fn where_there_is_no_ground_a_foot_stands_on_its_home() {
    let creature = Creature::new(&Gait::DIAGONAL, 0.5, 0.3);
    let nowhere = |_: Vec3| None;
    let broken = |_: Vec3| Some(Ground { point: Vec3::NAN, normal: Vec3::Y });
    let odd = |p: Vec3| Some(Ground { point: p.with_y(0.0), normal: Vec3::NAN });
    let grounds: [&dyn Fn(Vec3) -> Option<Ground<Vec3>>; 3] = [&nowhere, &broken, &odd];
    for ground in grounds {
        let (mut gait, mut feet) = (creature.gait, creature.feet());
        for frame in 1_u8..=200 {
            let homes = creature.homes(f32::from(frame) / 60.0);
            let _ = gait.advance(&mut feet, &homes, ground, 1.0 / 60.0).unwrap();
            for (foot, home) in feet.iter().zip(&homes) {
                assert!(foot.position.is_finite() && foot.rotation.is_finite());
                assert!(foot.position.distance(home.position) < 0.8);
            }
        }
    }
}

/// A walker of the side view, and one that is seen from above: up is +Y, and nothing.
#[test]
fn the_plane_has_its_walkers_too() {
    for up in [Vec2::Y, Vec2::ZERO] {
        let step = StepSettings { trigger_distance: 0.3, lift: 0.1, ..StepSettings::default() };
        let mut gait = Gait { step, turn: 0 };
        let homes = |x: f32| {
            [0.1, -0.1].map(|offset| Home {
                position: Vec2::new(x + offset, 0.0),
                rotation: Rot2::IDENTITY,
                up,
            })
        };
        let mut feet = homes(0.0).map(Stepper::planted);
        feet[1].group = 1;
        let ground = |p: Vec2| {
            Some(Ground { point: if up == Vec2::ZERO { p } else { p.with_y(0.0) }, normal: up })
        };
        let (mut lifted, mut highest) = (0, 0.0_f32);
        for frame in 1_u16..=600 {
            let homes = homes(f32::from(frame) / 120.0);
            lifted += gait.advance(&mut feet, &homes, ground, 1.0 / 60.0).unwrap().lifted;
            for foot in &feet {
                assert!(foot.phase().is_some() || foot.position.y == 0.0);
                highest = highest.max(foot.position.y);
            }
            assert!(!feet.iter().all(|foot| foot.phase().is_some()));
        }
        assert!(lifted >= 12, "{lifted}");
        if up == Vec2::ZERO {
            assert!(highest.abs() < 1e-6);
        } else {
            assert!((highest - 0.1).abs() < 1e-3);
        }
    }
}

/// On a slope of any tilt the feet tilt with it, and land on it.
#[test]
fn feet_tilt_with_any_ground() {
    for normal in [Vec3::new(0.5, 1.0, 0.2), Vec3::Z, Vec3::new(0.0, -1.0, 0.3)] {
        let wall = Ground { point: Vec3::new(0.1, 0.2, 0.3), normal };
        let n = normal.normalize();
        let along = n.any_orthonormal_vector();
        let home = |t: f32| Home { position: along * t, rotation: Quat::IDENTITY, up: n };
        let mut foot = Stepper::planted(home(0.0));
        let step = StepSettings { ease: Ease::BackInOut, ..StepSettings::default() };
        let gait = Gait { step, turn: 0 };
        let feet = core::slice::from_mut(&mut foot);
        gait.plant(feet, &[home(0.0)], |p| Some(wall.nearest(p))).unwrap();
        for frame in 1_u8..=240 {
            let ground = |p| Some(wall.nearest(p));
            let home = home(f32::from(frame) / 60.0);
            let _ = foot.advance(&home, &step, ground, 1.0 / 60.0).unwrap();
            let height = (foot.position - wall.point).dot(n);
            assert!(height > -1e-5 && (foot.phase().is_some() || height < 1e-5), "{height}");
        }
        assert!((foot.normal - n).length() < 1e-6);
    }
}

/// The same walk in millimetres and in kilometres.
#[test]
fn scale_does_not_matter() {
    let walk = |scale: f32| {
        let creature = Creature::new(&Gait::DIAGONAL, 0.6, 0.3);
        let mut gait = creature.gait;
        gait.step.trigger_distance *= scale;
        gait.step.lift *= scale;
        let scaled = |time| {
            let mut homes = creature.homes(time);
            for home in &mut homes {
                home.position *= scale;
            }
            homes
        };
        let floor = |p: Vec3| Some(Ground { point: p.with_y(0.0), normal: Vec3::Y });
        let mut feet: Vec<_> = scaled(0.0)
            .into_iter()
            .zip(&creature.groups)
            .map(|(home, group)| Stepper::planted(home).with_group(*group))
            .collect();
        for frame in 1_u8..=240 {
            let homes = scaled(f32::from(frame) / 60.0);
            let _ = gait.advance(&mut feet, &homes, floor, 1.0 / 60.0).unwrap();
        }
        feet.into_iter().map(|foot| foot.position / scale).collect::<Vec<_>>()
    };
    // Powers of two scale every sum and product exactly.
    assert_eq!(walk(1.0), walk(1024.0));
    assert_eq!(walk(1.0), walk(1.0 / 1024.0));
}

fn follow(fps: u16, seconds: u16, target: impl Fn(f32) -> Vec3) -> BodyMotion<Vec3> {
    let mut body = BodyMotion::on_ground(Vec3::ZERO, Vec3::Z, Vec3::Y).unwrap();
    let settings = BodySettings::default();
    for frame in 1..=fps * seconds {
        let time = f32::from(frame) / f32::from(fps);
        body.advance(target(time), &settings, 1.0 / f32::from(fps)).unwrap();
    }
    body
}

fn wandering(time: f32) -> Vec3 {
    Vec3::new(4.0 * (0.5 * time).sin(), 0.7, 3.0 * (0.31 * time).cos() + 0.4 * time)
}

#[test]
fn a_body_takes_the_same_path_at_any_frame_rate() {
    let exact = follow(960, 20, wandering);
    for fps in [15, 30, 60, 144, 240] {
        let body = follow(fps, 20, wandering);
        let gap = body.position.distance(exact.position);
        // Between two frames the target goes straight, which at 15 Hz cuts its corners a little.
        assert!(gap < if fps == 15 { 4e-3 } else { 1e-3 }, "{fps}: {gap}");
        assert!((body.forward - exact.forward).length() < 1e-2);
        assert!((body.forward.length() - 1.0).abs() < 1e-6);
        assert!(body.forward.dot(body.left).abs() < 1e-6);
        assert_eq!(body.position.y, 0.0);
    }
}

#[test]
fn a_body_approaches_retreats_and_keeps_its_distance() {
    let settings = BodySettings::default();
    let mut last = None;
    for (start, rest) in [(9.0, settings.largest_distance), (0.3, settings.least_distance)] {
        let mut body = BodyMotion::in_plane(Vec2::ZERO, Vec2::X).unwrap();
        let mut nearest = f32::INFINITY;
        for _ in 0..1200 {
            body.advance(Vec2::X * start, &settings, 1.0 / 60.0).unwrap();
            assert!(body.speed.abs() <= settings.speed);
            nearest = nearest.min((start - body.position.x).abs());
        }
        assert!((start - body.position.x - rest).abs() < 1e-3, "{body:?}");
        // It does not overshoot.
        assert!(start < 1.0 || nearest > settings.largest_distance - 1e-3);
        last = Some(body);
    }
    assert!(last.is_some_and(|body| body.position.y == 0.0));
    let mut body = BodyMotion::in_plane(Vec2::ZERO, Vec2::X).unwrap();
    for _ in 0..600 {
        body.advance(Vec2::X * 1.1, &settings, 1.0 / 60.0).unwrap();
    }
    assert_eq!(body.position, Vec2::ZERO);
}

#[test]
fn a_body_turns_before_it_walks() {
    let settings = BodySettings::default();
    let target = Vec2::new(-6.0, 0.5);
    let mut body = BodyMotion::in_plane(Vec2::ZERO, Vec2::X).unwrap();
    for _ in 0..600 {
        let before = body;
        body.advance(target, &settings, 1.0 / 60.0).unwrap();
        let angle = before.forward.angle_to(target - before.position).abs();
        if angle > settings.walk_angle + 0.05 {
            assert!(body.speed.abs() < 1e-6);
        }
        assert!(body.turn_speed.abs() <= settings.turn_speed);
    }
    assert!(body.forward.angle_to(target - body.position).abs() < settings.rest_angle + 1e-2);
    assert!((body.position.distance(target) - settings.largest_distance).abs() < 1e-2);
}

#[test]
fn a_body_survives_targets_on_it_hitches_and_no_time() {
    let settings = BodySettings::default();
    let mut body = BodyMotion::in_plane(Vec2::ONE, Vec2::X).unwrap();
    for dt in [0.0, 1.0 / 60.0, 2.0, 1e6, 1e-9] {
        let before = body;
        body.advance(body.position, &settings, dt).unwrap();
        assert!(body.position.is_finite() && body.forward.is_normalized());
        assert!(dt > 0.0 || body == before);
    }
    assert!(body.position.length() < 20.0);
    let still = BodySettings { speed: 0.0, turn_speed: 0.0, ..settings };
    let mut body = BodyMotion::in_plane(Vec2::ONE, Vec2::X).unwrap();
    body.advance(Vec2::new(-9.0, 3.0), &still, 1.0).unwrap();
    assert_eq!((body.position, body.forward), (Vec2::ONE, Vec2::X));
}

#[test]
fn every_bad_argument_of_a_body_is_named_and_it_stays() {
    let good = BodyMotion::in_plane(Vec2::ZERO, Vec2::X).unwrap();
    let settings = BodySettings::default();
    let fail = |target: Vec2, settings: BodySettings, dt: f32| {
        let mut body = good;
        let error = body.advance(target, &settings, dt).unwrap_err();
        assert_eq!(body, good);
        (error.argument, error.fault)
    };
    assert_eq!(fail(Vec2::NAN, settings, 0.1), ("target", Fault::NotFinite));
    assert_eq!(fail(Vec2::X, settings, -0.1), ("dt", Fault::OutOfRange));
    let bad = BodySettings { least_distance: 9.0, ..settings };
    assert_eq!(fail(Vec2::X, bad, 0.1), ("settings.least_distance", Fault::AboveMax));
    let bad = BodySettings { acceleration: 0.0, ..settings };
    assert_eq!(fail(Vec2::X, bad, 0.1), ("settings.acceleration", Fault::OutOfRange));
    let bad = BodySettings { speed: f32::NAN, ..settings };
    assert_eq!(fail(Vec2::X, bad, 0.1), ("settings.speed", Fault::NotFinite));
    let mut body = good;
    body.speed = f32::NAN;
    assert_eq!(body.advance(Vec2::X, &settings, 0.1).unwrap_err().argument, "speed");
    let along = BodyMotion::on_ground(Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0);
    assert_eq!(along.unwrap_err().fault, Fault::NoDirection);
    assert_eq!(BodyMotion::in_plane(Vec2::ZERO, Vec2::ZERO).unwrap_err().argument, "forward");
}

proptest! {
    #[test]
    fn feet_on_a_plane_give_the_plane(
        slope in (-1.0_f32..1.0, -1.0_f32..1.0), up in (-1.0_f32..1.0, -1.0_f32..1.0),
        places in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 3..9),
        scale in -20_i32..20, centre in (-3.0_f32..3.0, -3.0_f32..3.0),
    ) {
        let up = Vec3::new(up.0, 1.0, up.1).normalize();
        let (a, b) = up.any_orthonormal_pair();
        let scale = 2_f32.powi(scale);
        let centre = Vec3::new(centre.0, 0.3, centre.1);
        let feet: Vec<_> = places
            .iter()
            .map(|(x, y)| (centre + a * *x + b * *y + up * (slope.0 * x + slope.1 * y)) * scale)
            .collect();
        // Feet well off one line.
        let middle = places.iter().fold(Vec2::ZERO, |s, (x, y)| s + Vec2::new(*x, *y))
            / places.len() as f32;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in &places {
            let d = Vec2::new(*x, *y) - middle;
            (xx, xy, yy) = (xx + d.x * d.x, xy + d.x * d.y, yy + d.y * d.y);
        }
        prop_assume!(xx * yy - xy * xy > 0.05 * (xx + yy) * (xx + yy));
        let plane = feet_plane(&feet, up * 3.0).unwrap();
        let normal = (up - a * slope.0 - b * slope.1).normalize();
        prop_assert!((plane.normal - normal).length() < 1e-5, "{:?} {normal}", plane.normal);
        for foot in &feet {
            prop_assert!((*foot - plane.point).dot(plane.normal).abs() < 1e-5 * scale);
        }
    }

    #[test]
    fn any_feet_give_a_finite_plane(
        feet in prop::collection::vec((-1_i8..=1, -1_i8..=1, -1_i8..=1), 1..6),
    ) {
        let feet: Vec<_> = feet
            .into_iter()
            .map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)))
            .collect();
        let plane = feet_plane(&feet, Vec3::Y).unwrap();
        prop_assert!(plane.normal.is_normalized() && plane.normal.y > 0.0);
        let flat: Vec<_> = feet.iter().map(|p| p.truncate()).collect();
        let line = feet_plane(&flat, Vec2::Y).unwrap();
        prop_assert!(line.normal.is_normalized() && line.normal.y > 0.0);
    }

    #[test]
    fn a_foot_with_a_wild_home_stays_a_number(
        homes in prop::collection::vec((-1e12_f32..1e12, -2.0_f32..2.0, -PI..PI), 1..12),
        dt in prop_oneof![Just(1e-6_f32), Just(1.0 / 60.0), Just(2.0), Just(1e6)],
        teleport in prop_oneof![Just(10.0_f32), Just(f32::INFINITY)],
    ) {
        let home = |(x, y, angle): (f32, f32, f32)| Home {
            position: Vec3::new(x, y, 0.0),
            rotation: Quat::from_rotation_y(angle),
            up: Vec3::new(0.0, y, 0.1),
        };
        let step = StepSettings { teleport, ..StepSettings::default() };
        let mut foot = Stepper::planted(home(homes[0]));
        let floor = Ground { point: Vec3::ZERO, normal: Vec3::Y };
        for next in homes {
            let _ = foot.advance(&home(next), &step, |p| Some(floor.nearest(p)), dt).unwrap();
            prop_assert!(foot.position.is_finite() && foot.rotation.is_normalized());
        }
    }
}

/// Any size that a setting may have, from the least to the largest, each as often as its logarithm.
fn any_size(least: f32, largest: f32) -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (least.ln()..=largest.ln()).prop_map(move |e| e.exp().clamp(least, largest)),
        1 => Just(least),
        1 => Just(largest),
    ]
}

fn any_body() -> impl Strategy<Value = BodySettings> {
    let distance = || prop_oneof![Just(0.0), any_size(1e-12, 1e12)];
    (
        (distance(), distance()),
        (distance(), prop_oneof![Just(0.0), any_size(1e-9, 1e6)]),
        (any_size(1e-6, 60.0), any_size(1e-6, 60.0)),
        (any_size(1e-6, PI), prop_oneof![Just(0.0), any_size(1e-9, PI)]),
    )
        .prop_map(|((near, far), (speed, turn_speed), (quick, turning), (walk, rest))| {
            BodySettings {
                least_distance: near.min(far),
                largest_distance: near.max(far),
                speed,
                turn_speed,
                acceleration: quick,
                turn_acceleration: turning,
                walk_angle: walk,
                rest_angle: rest,
            }
        })
}

fn any_step() -> impl Strategy<Value = StepSettings> {
    let share = || prop_oneof![Just(0.0), Just(1.0), 0.0_f32..1.0];
    (
        (any_size(f32::MIN_POSITIVE, 1e12), any_size(f32::MIN_POSITIVE, f32::MAX)),
        (any_size(f32::MIN_POSITIVE, 1e6), any_size(1.0, 1e6)),
        (share(), share(), share()),
        any_size(1.0, f32::MAX),
    )
        .prop_map(
            |((trigger_distance, trigger_angle), (duration, hurry), shares, teleport)| {
                let (overshoot, together, lift) = shares;
                let sizes =
                    StepSettings { trigger_distance, trigger_angle, ..StepSettings::default() };
                StepSettings { duration, hurry, overshoot, together, lift, teleport, ..sizes }
            },
        )
}

fn any_dt() -> impl Strategy<Value = f32> {
    prop_oneof![Just(1.0 / 60.0), any_size(1e-30, 1e6)]
}

fn any_place() -> impl Strategy<Value = Vec2> {
    let coordinate = || prop_oneof![Just(0.0), -5.0_f32..5.0, -1e-6_f32..1e-6];
    (coordinate(), coordinate()).prop_map(|(x, y)| Vec2::new(x, y))
}

proptest! {
    #[test]
    fn no_body_setting_makes_a_nan(
        settings in any_body(),
        calls in prop::collection::vec((any_place(), any_dt()), 1..20),
    ) {
        let mut body = BodyMotion::in_plane(Vec2::ZERO, Vec2::X).unwrap();
        for (target, dt) in calls {
            // A body that has run out of the coordinates is refused.
            if body.advance(target, &settings, dt).is_ok() {
                prop_assert!(body.position.is_finite(), "{body:?}");
                prop_assert!(body.forward.is_normalized() && body.left.is_normalized(), "{body:?}");
                prop_assert!(body.speed.is_finite() && body.turn_speed.is_finite(), "{body:?}");
            }
        }
    }

    #[test]
    fn no_step_setting_makes_a_nan(
        step in any_step(),
        calls in prop::collection::vec((any_place(), -PI..PI, any_dt()), 1..20),
    ) {
        let homes = |place: Vec2, angle: f32| {
            [0.2, 0.0, -0.2].map(|ahead| Home {
                position: place + Vec2::X * ahead,
                rotation: Rot2::from_angle(angle),
                up: Vec2::Y,
            })
        };
        let mut feet = homes(Vec2::ZERO, 0.0).map(Stepper::planted);
        feet[1].group = 1;
        let mut gait = Gait { step, turn: 0 };
        let floor = Ground { point: Vec2::ZERO, normal: Vec2::Y };
        for (place, angle, dt) in calls {
            let ground = |p| Some(floor.nearest(p));
            let _ = gait.advance(&mut feet, &homes(place, angle), ground, dt).unwrap();
            for foot in &feet {
                prop_assert!(foot.position.is_finite(), "{foot:?}");
                prop_assert!((foot.rotation.norm_squared() - 1.0).abs() < 1e-5, "{foot:?}");
            }
        }
    }
}

/// A body that walks only when it faces its target to a millionth of a radian.
#[test]
fn a_body_walks_within_the_narrowest_angle() {
    for walk_angle in [1e-6, 1e-4, 1e-2] {
        let settings = BodySettings { walk_angle, ..BodySettings::default() };
        let mut body = BodyMotion::on_ground(Vec3::ZERO, Vec3::Z, Vec3::Y).unwrap();
        for _ in 0..600 {
            body.advance(Vec3::Z * 5.0, &settings, 1.0 / 60.0).unwrap();
        }
        assert!((body.position - Vec3::Z * 3.5).length() < 1e-3, "{body:?}");
        let aside = Vec3::new(1.5 * walk_angle, 0.0, 1.0);
        let mut body = BodyMotion::on_ground(Vec3::ZERO, aside, Vec3::Y).unwrap();
        body.advance(Vec3::Z * 5.0, &settings, 1.0 / 60.0).unwrap();
        assert_eq!(body.position, Vec3::ZERO);
    }
}

/// Two feet side by side lean the body sideways only; feet in line pitch it only.
#[test]
fn feet_in_line_leave_the_other_tilt_level() {
    // One above another, but for rounding, says nothing of a tilt, whichever way up is.
    let up = Vec2::new(1.406_127_9, 0.0);
    let stack = feet_plane(&[Vec2::X * 1.5, Vec2::ZERO, Vec2::ZERO], up).unwrap();
    assert!(stack.normal.distance(Vec2::X) < 1e-6, "{stack:?}");
    // Nearly: the plane is as good as upright, but does not lean over.
    let up = Vec2::new(0.000_122_070_31, -3.027_954);
    let steep = feet_plane(&[Vec2::Y * -1e-7, Vec2::ZERO, Vec2::ZERO, Vec2::ZERO], up).unwrap();
    assert!(steep.normal.dot(up) >= 0.0 && steep.normal.x > 0.999_999, "{steep:?}");
    let sideways = feet_plane(&[Vec3::new(0.0, 0.2, 1.0), Vec3::new(0.0, 0.0, -1.0)], Vec3::Y);
    assert!((sideways.unwrap().normal - Vec3::new(0.0, 1.0, -0.1).normalize()).length() < 1e-6);
    let feet = [0.0, 1.0, 2.0].map(|x| Vec3::new(x, 0.5 * x, 1e-4 * x * x));
    let pitched = feet_plane(&feet, Vec3::Y).unwrap().normal;
    assert!((pitched - Vec3::new(-0.5, 1.0, 0.0).normalize()).length() < 1e-3, "{pitched}");
    for feet in [&[Vec3::ONE][..], &[Vec3::ONE; 4], &[Vec3::ZERO, Vec3::Y]] {
        assert_eq!(feet_plane(feet, Vec3::Y).unwrap().normal, Vec3::Y);
    }
    assert_eq!(feet_plane::<Vec3>(&[], Vec3::Y).unwrap_err().argument, "feet");
    assert_eq!(feet_plane(&[Vec3::ONE], Vec3::ZERO).unwrap_err().argument, "up");
    let line = feet_plane(&[Vec2::ZERO, Vec2::new(2.0, 1.0)], Vec2::Y).unwrap();
    let arc = <Rot2 as Rotation>::arc(Vec2::Y, line.normal);
    assert!((arc.angle() - 0.5_f32.atan()).abs() < 1e-6);
}

/// Walking in a circle faces each foot along the way.
#[test]
fn feet_turn_with_the_body() {
    let creature = Creature::new(&Gait::DIAGONAL, 0.0, FRAC_PI_2);
    let walk = creature.walk(60, 4);
    // Four seconds at a quarter of a turn a second are one turn.
    for foot in &walk.feet {
        let ahead = foot.rotation * Vec3::X;
        let angle = ahead.z.atan2(ahead.x).abs();
        assert!(angle < 0.9, "{angle}");
    }
}
