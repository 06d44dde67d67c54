use glam::Vec3;

use super::collider::{Collider, Motion};
use super::pass::{Pass, Report, Turns};
use super::{SpringBones, SpringState};
use crate::check::{check_dt, check_each, check_least_length, check_length, check_optional_length};
use crate::collide::{Names, fields_of};
use crate::lanes::check::{Checks, is_small, is_unit, surely_within};
use crate::lanes::wide::{F32x8, Mask};
use crate::lanes::{Each, LANES, Quatx8, Vec3x8};
use crate::space::Pose;
use crate::spring_bone::pass::{RATE, Turn};
use crate::spring_bone::step::{
    MAX_REMEMBERED, Schedule, check_joints, check_numbers, check_per_bone, check_state,
    part_of_the_way,
};
use crate::spring_bone::{MAX_FORCE, SpringReport, SpringRule, check_moderate};

/// [`spring_bone_step`](crate::spring_bone_step) in each lane.
///
/// `positions`, `rotations` and `state` have an entry a joint, as there, which holds that joint of
/// eight characters; they share what [`SpringBones`] says, and the time. Lanes may have started at
/// different times, and may be at different places between two frames.
///
/// With the feature `deterministic` a lane is the scalar's bit for bit. Without it, glam rounds the
/// products of quaternions in another order, and a step's pose differs by less than 1e-6 in a
/// rotation and 1e-5 of the chain's length in a position; but where a bone is opposite to where it
/// should be, or meets a collider head-on, the rounding decides which way it goes.
///
/// # Errors
/// In a lane as for the scalar; its slices are then as they were.
///
/// ```
/// use sinew::SpringJoint;
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Quatx8, SpringBones, SpringState, Vec3x8, spring_bone_step};
///
/// let joint = SpringJoint { gravity: Vec3::NEG_Y, stiffness: 0.5, ..SpringJoint::default() };
/// let tails = SpringBones { joints: &[joint], ..SpringBones::default() };
/// let mut state = [SpringState::default(); 2];
/// let mut pose = ([Vec3x8::ZERO; 2], [Quatx8::IDENTITY; 2]);
/// for _ in 0..800 {
///     // The animation sets the poses anew each frame.
///     pose = ([Vec3x8::ZERO, Vec3x8::splat(Vec3::X)], [Quatx8::IDENTITY; 2]);
///     let each = spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &tails, 0.01);
///     assert!(each[3]?.settled);
/// }
/// // Gravity draws twice as strongly as the springs.
/// let bone = pose.0[1].lane(3);
/// assert!((bone.y / bone.x + 2.0).abs() < 1e-2);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn spring_bone_step(
    positions: &mut [Vec3x8],
    rotations: &mut [Quatx8],
    state: &mut [SpringState],
    settings: &SpringBones<'_>,
    dt: f32,
) -> Each<SpringReport> {
    let mut checks = check(positions, rotations, state, settings);
    checks.shared(check_dt("dt", dt));
    let good = checks.good();
    if !good.any() {
        return checks.each(|_| SpringReport::default());
    }
    start(positions, rotations, state, good);
    let carried = settings.center.map(|center| Motion::between(center.before, center.now));
    if let Some(motion) = &carried {
        carry(state, motion, good);
    }
    let mut chains = Chains { positions, rotations, state, settings, carried, good };
    let (report, frames, frame) = match settings.rule {
        SpringRule::Steady => {
            let (report, frames) = chains.steady(dt);
            (report, frames, 1.0 / RATE)
        }
        SpringRule::Vrm => (chains.published(dt), [u32::from(dt > 0.0); LANES], dt),
    };
    let speed = speed(state, frame);
    let of_lane = |lane| (frames.get(lane).copied().unwrap_or(0), speed.lane(lane));
    checks.each(|lane| {
        let (frames, speed) = of_lane(lane);
        report.lane(lane, frames, speed)
    })
}

/// Bones that have no past yet begin at rest, in the animated pose.
fn start(positions: &[Vec3x8], rotations: &[Quatx8], state: &mut [SpringState], good: Mask) {
    if state.iter().all(|entry| entry.started == [true; LANES]) {
        return;
    }
    let joints = core::iter::once(Quatx8::IDENTITY).chain(rotations.iter().copied());
    for ((entry, &position), rest) in state.iter_mut().zip(positions).zip(joints) {
        let started = entry.started;
        let new = good & !Mask::from_fn(|lane| started.get(lane).copied().unwrap_or(false));
        new.put(position, &mut entry.position);
        new.put(position, &mut entry.previous);
        new.put(rest, &mut entry.rest);
        new.put(Vec3x8::ZERO, &mut entry.force);
        new.put(F32x8::ZERO, &mut entry.clock);
    }
}

/// The state as rigid motions take it.
fn carry(state: &mut [SpringState], motion: &Motion, good: Mask) {
    for entry in state {
        good.put(motion.point(entry.position), &mut entry.position);
        good.put(motion.point(entry.previous), &mut entry.previous);
        good.put((motion.turn * entry.rest).normalized(), &mut entry.rest);
    }
}

/// Eight chains and the time that passes for them.
struct Chains<'a> {
    positions: &'a mut [Vec3x8],
    rotations: &'a mut [Quatx8],
    state: &'a mut [SpringState],
    settings: &'a SpringBones<'a>,
    carried: Option<Motion>,
    good: Mask,
}

impl Chains<'_> {
    /// [`SpringRule::Vrm`].
    fn published(&mut self, dt: f32) -> Report {
        let good = self.good;
        let mut report = Report::new();
        if let Some(turns) = Turns::new(|lane| good.lane(lane).then_some(Turn::published(dt))) {
            self.run(turns, &mut report);
        }
        report
    }

    /// [`SpringRule::Steady`]: the report, and how many frames were committed in each lane.
    fn steady(&mut self, dt: f32) -> (Report, [u32; LANES]) {
        let (good, most) = (self.good, self.settings.max_frames);
        let clocks = self.state.first().map_or(F32x8::ZERO, |root| root.clock);
        if good.all() && clocks.eq(F32x8::splat(clocks.lane(0))).all() {
            return self.in_step(&Schedule::new(clocks.lane(0), dt, most));
        }
        let schedules = clocks.to_array().map(|clock| Schedule::new(clock, dt, most));
        for (lane, schedule) in schedules.iter().enumerate() {
            if let (true, Some(share)) = (good.lane(lane), schedule.skips()) {
                self.skip(lane, share);
            }
        }
        let mut report = Report::new();
        for i in 0.. {
            let turn = |lane: usize| schedules.get(lane).filter(|_| good.lane(lane))?.turn(i);
            let Some(turns) = Turns::new(turn) else { break };
            self.run(turns, &mut report);
        }
        if let Some(root) = self.state.first_mut() {
            good.put(schedules.map(|schedule| schedule.whole.remainder).into(), &mut root.clock);
        }
        (report, schedules.map(|schedule| schedule.whole.count))
    }

    /// The same where all lanes have one clock, as most crowds do.
    fn in_step(&mut self, schedule: &Schedule) -> (Report, [u32; LANES]) {
        if let Some(share) = schedule.skips() {
            (0..LANES).for_each(|lane| self.skip(lane, share));
        }
        let mut report = Report::new();
        for turn in (0..).map_while(|i| schedule.turn(i)) {
            self.run(Turns::shared(turn), &mut report);
        }
        if let Some(root) = self.state.first_mut() {
            root.clock = F32x8::splat(schedule.whole.remainder);
        }
        (report, [schedule.whole.count; LANES])
    }

    fn run(&mut self, turns: Turns, report: &mut Report) {
        let pass = Pass { settings: self.settings, carried: self.carried, turns };
        pass.run(self.positions, self.rotations, self.state, report);
    }

    /// Drops time in one lane, as after a hitch: its tails go with its root.
    #[cold]
    fn skip(&mut self, lane: usize, share: f32) {
        let (Some((root, bones)), Some(now), Some(turned)) =
            (self.state.split_first_mut(), self.positions.first(), self.rotations.first())
        else {
            return;
        };
        let Some(rest) = bones.first().map(|bone| bone.rest.lane(lane)) else { return };
        let from = Pose::<Vec3>::new(root.position.lane(lane), rest);
        let to = Pose::new(now.lane(lane), turned.lane(lane));
        let motion = part_of_the_way(from, to, share);
        for bone in bones {
            bone.position.set_lane(lane, motion.point(bone.position.lane(lane)));
            bone.previous.set_lane(lane, motion.point(bone.previous.lane(lane)));
        }
    }
}

/// The largest speeds of tails over the last frame, of this length in seconds.
fn speed(state: &[SpringState], frame: f32) -> F32x8 {
    if frame == 0.0 {
        return F32x8::ZERO;
    }
    let bones = state.iter().skip(1);
    let moves = bones.map(|bone| bone.position - bone.previous);
    let longest = moves.fold(F32x8::ZERO, |longest, moved| longest.max(moved.dot(moved)));
    (longest.sqrt() / F32x8::splat(frame)).min(F32x8::splat(f32::MAX))
}

fn check(
    positions: &[Vec3x8],
    rotations: &[Quatx8],
    state: &[SpringState],
    settings: &SpringBones<'_>,
) -> Checks {
    let mut checks = Checks::new();
    let joints = positions.len();
    checks.shared(check_least_length("positions", joints, 2));
    checks.vectors("positions", positions);
    checks.shared(check_length("rotations", rotations.len(), joints));
    checks.rotations("rotations", rotations);
    checks.shared(check_length("state", state.len(), joints));
    checks.lanes(are_sound(state), |lane| check_each(state, |own| check_state(&own.lane(lane))));
    check_settings(&mut checks, settings, joints.saturating_sub(1));
    checks
}

/// Where the state is what its documentation says without doubt.
fn are_sound(state: &[SpringState]) -> Mask {
    let (mut places, mut forces, mut sound) = (F32x8::ZERO, F32x8::ZERO, Mask::every());
    for SpringState { position, previous, rest, force, clock, .. } in state {
        places = places + position.dot(*position) + previous.dot(*previous);
        forces = forces + force.dot(*force);
        sound = sound & is_unit(*rest) & clock.abs().le(F32x8::ONE);
    }
    sound & is_small(places, MAX_REMEMBERED) & is_small(forces, 2.0 * MAX_FORCE)
}

fn check_settings(checks: &mut Checks, settings: &SpringBones<'_>, bones: usize) {
    checks.shared(check_joints(settings.joints, bones));
    let external = settings.external;
    checks.shared(check_per_bone("settings.external", external.len(), bones));
    checks.lanes(surely_within(external.iter().copied(), MAX_FORCE), |lane| {
        check_each(external, |own| check_moderate("settings.external", own.lane(lane), MAX_FORCE))
    });
    check_colliders(checks, fields_of!("settings.colliders"), settings.colliders);
    checks.shared(check_optional_length(
        "settings.colliders_before",
        settings.colliders_before.len(),
        settings.colliders.len(),
    ));
    check_colliders(checks, fields_of!("settings.colliders_before"), settings.colliders_before);
    if let Some(center) = &settings.center {
        checks.lanes(center.is_sound(), |lane| center.lane(lane).check());
    }
    checks.shared(check_numbers(
        settings.units_per_metre,
        settings.iterations,
        settings.max_frames,
    ));
}

fn check_colliders(checks: &mut Checks, names: &Names, colliders: &[Collider]) {
    let pass = colliders.iter().fold(Mask::every(), |pass, collider| pass & collider.is_sound());
    checks.lanes(pass, |lane| check_each(colliders, |own| own.lane(lane).check(names)));
}
