use crate::check::{
    MAX_COORDINATE, check_dt, check_each, check_least_length, check_length, check_optional_length,
    check_range,
};
use crate::collide::{Collider, Names, fields_of};
use crate::error::{Error, Fault};
use crate::fixed_steps::{SNAP, WholeSteps, whole_steps};
use crate::packed::Packed;
use crate::rotation::{Rotation, UNIT_SLACK, check_rotation};
use crate::space::{Motion, Pose, Vector, check_vectors, lerp};

use super::pass::{Pass, RATE, Span, Turn};
use super::{
    CenterSpace, MAX_FORCE, SpringBones, SpringJoint, SpringReport, SpringRule, SpringState, carry,
    check_moderate,
};

/// Simulates a chain of spring bones over `dt` seconds and puts the result into its pose.
///
/// `positions` and `rotations` hold the chain's animated pose, root first, in one space (world,
/// or any other whose motion the chain shall feel); on return they hold the simulated one. The root
/// keeps its position, and every bone its length, to rounding. `state` has an entry a joint as
/// well, and belongs to the chain. Numbers of the settings may change from call to call.
///
/// At 60 Hz, away from colliders, [`SpringRule::Steady`] and [`SpringRule::Vrm`] agree to 1e-6 of
/// the chain's length; the first keeps to that motion at any other rate: a bone that is let go at
/// 90° swings through its rest at the same time within 3 % from 15 to 1000 Hz. Under `Vrm` the
/// reference trajectories of three-vrm are met to 2e-5 m over a second.
///
/// No time commits nothing and shows the same state. A bone without length has no direction: its
/// tail stays on its joint and its joint follows its parent. A tail that is pulled onto its own
/// joint goes to the rest direction. A tail at the centre of a sphere, or straight behind it,
/// leaves by way of [`Vector::perpendicular`] of the line from its joint to the centre.
///
/// Source: `VRMC_springBone-1.0`, the Khronos-style extension of the VRM Consortium (2022), "Spring
/// Bone Algorithm". A part of a frame is the exact fractional power of the rule's linear part, and
/// the same share of what the whole frame is turned aside by.
///
/// # Errors
/// Fewer than two joints; slices of different lengths; a number that is not finite or out of its
/// documented range; a rotation or normal not of unit length.
///
/// ```
/// use sinew::{Rot2, SpringBones, SpringJoint, SpringState, glam::Vec2, spring_bone_step};
///
/// let joint = SpringJoint { gravity: Vec2::NEG_Y, stiffness: 0.5, ..SpringJoint::default() };
/// let tail = SpringBones { joints: &[joint], ..SpringBones::default() };
/// let mut state = [SpringState::default(); 3];
/// let mut pose = ([Vec2::ZERO; 3], [Rot2::IDENTITY; 3]);
/// for _ in 0..800 {
///     // The animation sets the pose anew each frame; here a chain straight ahead.
///     pose = ([Vec2::ZERO, Vec2::X, Vec2::X * 2.0], [Rot2::IDENTITY; 3]);
///     let report = spring_bone_step(&mut pose.0, &mut pose.1, &mut state, &tail, 0.01)?;
///     assert!(report.settled);
/// }
/// // Gravity draws twice as strongly as the springs: the first bone hangs by atan 2.
/// assert!((pose.1[0].angle() + 2_f32.atan()).abs() < 1e-3);
/// assert!((pose.0[0].distance(pose.0[1]) - 1.0).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn spring_bone_step<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    state: &mut [SpringState<V>],
    settings: &SpringBones<'_, V>,
    dt: f32,
) -> Result<SpringReport, Error> {
    let started = check(positions, rotations, state, settings)?;
    check_dt("dt", dt)?;
    if !started {
        start(positions, rotations, state);
    }
    let carried = settings.center.map(|center| Motion::between(&center.before, &center.now));
    if let Some(motion) = &carried {
        carry(state, motion);
    }
    let mut chain = Chain { positions, rotations, state, settings, carried };
    Ok(match settings.rule {
        SpringRule::Steady => chain.steady(dt),
        SpringRule::Vrm => chain.published(dt),
    })
}

/// Bones that have no past yet begin at rest, in the animated pose; they are marked as started by
/// the pass that shows them, which also knows the forces.
#[cold]
fn start<V: Vector>(positions: &[V], rotations: &[V::Rotation], state: &mut [SpringState<V>]) {
    // Entry i + 1 remembers joint i's rotation; the root has none to remember.
    let joints = core::iter::once(V::Rotation::IDENTITY).chain(rotations.iter().copied());
    for ((entry, &position), rest) in state.iter_mut().zip(positions).zip(joints) {
        if !entry.started {
            *entry = SpringState { position, previous: position, rest, ..SpringState::default() };
        }
    }
}

/// The frames that one call goes through under [`SpringRule::Steady`], and what it shows.
#[derive(Clone, Copy)]
pub(crate) struct Schedule {
    /// The clock at the call before: frames are at its whole numbers.
    last: f32,
    /// Frames since then.
    passed: f32,
    pub(crate) whole: WholeSteps,
}

impl Schedule {
    #[inline]
    pub(crate) fn new(last: f32, dt: f32, max_frames: u32) -> Self {
        let passed = dt * RATE;
        Self { last, passed, whole: whole_steps(last + passed, max_frames) }
    }

    /// How far between the last call and this one the time ends that is dropped, if some is.
    #[inline]
    pub(crate) fn skips(&self) -> Option<f32> {
        (self.whole.dropped > 0.0).then(|| self.share(self.whole.dropped))
    }

    /// Where between the last call and this one a frame is.
    fn share(&self, frame: f32) -> f32 {
        if self.passed > 0.0 { ((frame - self.last) / self.passed).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Pass number `index`; `None` after the last.
    #[inline]
    pub(crate) fn turn(&self, index: u32) -> Option<Turn> {
        let WholeSteps { count, remainder, dropped } = self.whole;
        // A call right at a frame shows what it commits.
        let prompt = count > 0 && remainder < SNAP;
        if index < count {
            let frame = index + 1;
            let show = prompt && frame == count;
            let share = if show { 1.0 } else { self.share(dropped + frame as f32) };
            return Some(Turn { span: Span::Frame, share, commit: true, show });
        }
        (index == count && !prompt).then_some(Turn::shown(remainder.max(0.0)))
    }
}

/// A chain and the time that passes for it.
struct Chain<'a, V: Vector> {
    positions: &'a mut [V],
    rotations: &'a mut [V::Rotation],
    state: &'a mut [SpringState<V>],
    settings: &'a SpringBones<'a, V>,
    /// How the center space has moved since the last call.
    carried: Option<Motion<V>>,
}

impl<V: Vector> Chain<'_, V> {
    /// [`SpringRule::Vrm`].
    fn published(&mut self, dt: f32) -> SpringReport {
        let report = self.run(Turn::published(dt));
        if dt == 0.0 {
            return SpringReport { speed: 0.0, ..report };
        }
        SpringReport { frames: 1, speed: per_second(report.speed, dt), ..report }
    }

    /// [`SpringRule::Steady`].
    fn steady(&mut self, dt: f32) -> SpringReport {
        let last = self.state.first().map_or(0.0, |root| root.clock);
        let schedule = Schedule::new(last, dt, self.settings.max_frames);
        if let Some(share) = schedule.skips() {
            self.skip(share);
        }
        let mut report = SpringReport::default();
        for turn in (0..).map_while(|i| schedule.turn(i)) {
            report = self.run(turn);
        }
        if let Some(root) = self.state.first_mut() {
            root.clock = schedule.whole.remainder;
        }
        let speed = per_second(report.speed, 1.0 / RATE);
        SpringReport { frames: schedule.whole.count, speed, ..report }
    }

    fn run(&mut self, turn: Turn) -> SpringReport {
        let pass = Pass { settings: self.settings, carried: self.carried.as_ref(), turn };
        pass.run(self.positions, self.rotations, self.state)
    }

    /// Drops the time up to `share` of the way between the last call and this one: the tails go
    /// with the root, as if it had been put there.
    fn skip(&mut self, share: f32) {
        let (Some((root, bones)), Some(&now), Some(&turned)) =
            (self.state.split_first_mut(), self.positions.first(), self.rotations.first())
        else {
            return;
        };
        let Some(rest) = bones.first().map(|bone| bone.rest) else { return };
        let motion = part_of_the_way(Pose::new(root.position, rest), Pose::new(now, turned), share);
        for bone in bones {
            bone.position = motion.point(bone.position);
            bone.previous = motion.point(bone.previous);
        }
    }
}

/// The speed of what has gone this far in a frame, of this length in seconds.
fn per_second(way: f32, frame: f32) -> f32 {
    (way / frame).min(f32::MAX)
}

/// The motion from one pose to what lies at `share` of the way to another.
pub(crate) fn part_of_the_way<V: Vector>(from: Pose<V>, to: Pose<V>, share: f32) -> Motion<V> {
    let position = lerp(from.position, to.position, share);
    Motion::between(&from, &Pose::new(position, from.rotation.nlerp(to.rotation, share)))
}

/// `Ok` with whether every joint has started.
fn check<V: Vector>(
    positions: &[V],
    rotations: &[V::Rotation],
    state: &[SpringState<V>],
    settings: &SpringBones<'_, V>,
) -> Result<bool, Error> {
    let joints = positions.len();
    check_least_length("positions", joints, 2)?;
    let Survey { sound, started } = Survey::new(positions, rotations, state);
    if rotations.len() != joints || state.len() != joints || !sound {
        check_vectors("positions", positions)?;
        check_length("rotations", rotations.len(), joints)?;
        check_each(rotations, |rotation| check_rotation("rotations", *rotation))?;
        check_length("state", state.len(), joints)?;
        check_each(state, check_state)?;
    }
    check_settings(settings, joints - 1)?;
    Ok(started)
}

/// What one look over a chain and its state shows.
struct Survey {
    /// Whether they pass their checks without doubt: by sums of squares over all joints, of which
    /// NaN makes NaN.
    sound: bool,
    /// Whether every joint has started.
    started: bool,
}

impl Survey {
    #[inline]
    fn new<V: Vector>(
        positions: &[V],
        rotations: &[V::Rotation],
        state: &[SpringState<V>],
    ) -> Self {
        let (mut places, mut forces) = (V::Packed::ZERO, V::Packed::ZERO);
        let (mut clocks, mut turns, mut rests, mut started) = (0.0, 0.0, 0.0, true);
        for ((place, turn), entry) in positions.iter().zip(rotations).zip(state) {
            places = places
                + squared::<V>(*place)
                + squared::<V>(entry.position)
                + squared::<V>(entry.previous);
            forces = forces + squared::<V>(entry.force);
            clocks += entry.clock * entry.clock;
            let (turn, rest) = (turn.norm_squared() - 1.0, entry.rest.norm_squared() - 1.0);
            turns += turn * turn;
            rests += rest * rest;
            started &= entry.started;
        }
        let all = V::Packed::splat(1.0);
        let sound = is_small(places.dot(all), MAX_COORDINATE)
            & is_small(forces.dot(all), 2.0 * MAX_FORCE)
            & is_small(clocks, 1.0)
            & is_small(turns + rests, 2.0 * UNIT_SLACK);
        Self { sound, started }
    }
}

/// Each coordinate squared.
#[inline]
fn squared<V: Vector>(v: V) -> V::Packed {
    let v = V::Packed::from(v);
    v * v
}

/// Whether a sum of squares says that none is that of a number larger than `most`.
#[inline]
fn is_small(squares: f32, most: f32) -> bool {
    squares <= 0.99 * most * most
}

/// A bone may end beyond the largest coordinate; what its squares make of this is still finite.
pub(crate) const MAX_REMEMBERED: f32 = 1e18;

pub(crate) fn check_state<V: Vector>(entry: &SpringState<V>) -> Result<(), Error> {
    check_moderate("state.position", entry.position, MAX_REMEMBERED)?;
    check_moderate("state.previous", entry.previous, MAX_REMEMBERED)?;
    check_moderate("state.force", entry.force, 2.0 * MAX_FORCE)?;
    check_rotation("state.rest", entry.rest)?;
    check_range("state.clock", entry.clock, -1.0, 1.0)
}

fn check_settings<V: Vector>(settings: &SpringBones<'_, V>, bones: usize) -> Result<(), Error> {
    check_joints(settings.joints, bones)?;
    check_per_bone("settings.external", settings.external.len(), bones)?;
    check_each(settings.external, |force| check_moderate("settings.external", *force, MAX_FORCE))?;
    check_colliders(fields_of!("settings.colliders"), settings.colliders)?;
    check_optional_length(
        "settings.colliders_before",
        settings.colliders_before.len(),
        settings.colliders.len(),
    )?;
    check_colliders(fields_of!("settings.colliders_before"), settings.colliders_before)?;
    if let Some(center) = &settings.center {
        center.check()?;
    }
    check_numbers(settings.units_per_metre, settings.iterations, settings.max_frames)
}

impl<V: Vector> CenterSpace<V> {
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.before.check("settings.center.before")?;
        self.now.check("settings.center.now")
    }
}

pub(crate) fn check_joints<V: Vector>(
    joints: &[SpringJoint<V>],
    bones: usize,
) -> Result<(), Error> {
    check_per_bone("settings.joints", joints.len(), bones)?;
    check_each(joints, SpringJoint::check)
}

#[inline]
pub(crate) fn check_numbers(
    units_per_metre: f32,
    iterations: u32,
    max_frames: u32,
) -> Result<(), Error> {
    check_range("settings.units_per_metre", units_per_metre, 1e-6, 1e6)?;
    if iterations > 1000 {
        return Err(Error::new("settings.iterations", Fault::OutOfRange));
    }
    if !(1..=1000).contains(&max_frames) {
        return Err(Error::new("settings.max_frames", Fault::OutOfRange));
    }
    Ok(())
}

#[inline]
fn check_colliders<V: Vector>(names: &Names, colliders: &[Collider<V>]) -> Result<(), Error> {
    // Most chains have none.
    if colliders.is_empty() {
        return Ok(());
    }
    check_each(colliders, |collider| collider.check(names))
}

/// `Ok` if a slice has one entry a bone, or one for all, or none.
pub(crate) fn check_per_bone(
    argument: &'static str,
    actual: usize,
    bones: usize,
) -> Result<(), Error> {
    if actual == 1 { Ok(()) } else { check_optional_length(argument, actual, bones) }
}
