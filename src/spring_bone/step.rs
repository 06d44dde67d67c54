use crate::collide::{Collider, Surface};
use crate::error::{Error, Fault, check_range};
use crate::fixed_steps::{SNAP, check_dt, whole_steps};
use crate::math;
use crate::rotation::{Rotation, check_rotation};
use crate::space::{
    Motion, Pose, Vector, check_length, check_optional_length, check_vector, check_vectors,
    direction, lerp,
};

use super::cone::Cone;
use super::{SpringBones, SpringJoint, SpringReport, SpringRule, SpringState, carry};

/// Frames a second that the published rule is made for.
const RATE: f32 = 60.0;

/// Simulates a chain of spring bones over `dt` seconds and puts the result into its pose.
///
/// `positions` and `rotations` hold the chain's animated pose, root first, in one space (world,
/// or any other whose motion the chain shall feel); on return they hold the simulated one. The root
/// keeps its position, and every bone its length, to rounding. `state` has an entry a joint as well,
/// and belongs to the chain. Numbers of the settings may change from call to call.
///
/// At 60 Hz, away from colliders, [`SpringRule::Steady`] and [`SpringRule::Vrm`] agree to 1e-6 of
/// the chain's length; the first keeps to that motion at any other rate: a bone that is let go at
/// 90° swings through its rest at the same time within 3 % from 15 to 1000 Hz. Under `Vrm` the
/// reference trajectories of three-vrm are met to 2e-5 m over a second.
///
/// No time commits nothing and shows the same state. A bone without length has no direction: its
/// tail stays on its joint and its joint follows its parent. A tail that is pulled onto its own
/// joint goes to the rest direction. A tail at the centre of a sphere, or straight behind it, leaves
/// by way of [`Vector::perpendicular`] of its bone.
///
/// Source: `VRMC_springBone-1.0`, the Khronos-style extension of the VRM Consortium (2022), "Spring
/// Bone Algorithm". The partial frame is the exact fractional power of the rule's linear part.
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
    check(positions, rotations, state, settings)?;
    check_dt("dt", dt)?;
    start(positions, rotations, state);
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
fn start<V: Vector>(positions: &[V], rotations: &[V::Rotation], state: &mut [SpringState<V>]) {
    let mut parent = V::Rotation::IDENTITY;
    // Entry i + 1 remembers joint i's rotation; the root has none to remember.
    let joints = core::iter::once(V::Rotation::IDENTITY).chain(rotations.iter().copied());
    for ((entry, &position), rotation) in state.iter_mut().zip(positions).zip(joints) {
        if !entry.started {
            let rest = parent.inverse() * rotation;
            let previous = position;
            *entry = SpringState { position, previous, rest, ..SpringState::default() };
        }
        parent = rotation;
    }
}

/// How much time a pass through the chain stands for.
#[derive(Clone, Copy)]
enum Span {
    /// A whole frame of the reference rate.
    Frame,
    /// The published rule at the caller's `dt`, in seconds.
    Published(f32),
    /// A share of a frame of the reference rate, in `[0, 1)`.
    Part(f32),
}

impl Span {
    /// What of a tail's last displacement, and of the velocity that the forces add in a frame, goes
    /// into its next displacement.
    ///
    /// For part of a frame: the exact power of the linear map `u ← (1-d) u + F / rate`. With
    /// `g(s) = (1 - (1-d)^s) / d` the displacement is `(1-d) g u + (s - (1-d) g) / d · F / rate`.
    fn gains(self, drag: f32) -> (f32, f32) {
        let kept = 1.0 - drag;
        match self {
            Self::Frame => (kept, 1.0 / RATE),
            Self::Published(dt) => (kept, dt),
            Self::Part(s) if s <= 0.0 => (0.0, 0.0),
            Self::Part(s) => {
                let g = if drag > 0.0 { -math::expm1(s * math::ln_1p(-drag)) / drag } else { s };
                (kept * g, force_gain(s, drag, kept * g) / RATE)
            }
        }
    }
}

/// `(s - kept) / d`, where `kept = (1-d) g(s)`; by the binomial series where that cancels.
fn force_gain(s: f32, drag: f32, kept: f32) -> f32 {
    if drag > 0.1 {
        return (s - kept) / drag;
    }
    let second = s * (s + 1.0) / 2.0;
    let third = second * (s - 1.0) / 3.0;
    let fourth = third * (s - 2.0) / 4.0;
    let fifth = fourth * (s - 3.0) / 5.0;
    second - drag * (third - drag * (fourth - drag * fifth))
}

/// One pass through the chain.
#[derive(Clone, Copy)]
struct Pass {
    span: Span,
    /// Where between the animated pose of the last call (0) and of this one (1) it happens.
    share: f32,
    /// Whether the tails' new positions are kept.
    commit: bool,
    /// Whether the pose that is found is the one to return.
    show: bool,
}

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
        let (span, commit) =
            if dt > 0.0 { (Span::Published(dt), true) } else { (Span::Part(0.0), false) };
        let report = self.pass(Pass { span, share: 1.0, commit, show: true });
        SpringReport { frames: u32::from(commit), ..self.with_speed(report, dt) }
    }

    /// [`SpringRule::Steady`].
    fn steady(&mut self, dt: f32) -> SpringReport {
        let last = self.state.first().map_or(0.0, |root| root.clock);
        let passed = dt * RATE;
        let whole = whole_steps(last + passed, self.settings.max_frames);
        // Frames are at whole numbers of the clock, this call at `last + passed`.
        let share = |frame: f32| {
            if passed > 0.0 { ((frame - last) / passed).clamp(0.0, 1.0) } else { 1.0 }
        };
        if whole.dropped > 0.0 {
            self.skip(share(whole.dropped));
        }
        let exact = whole.remainder < SNAP;
        for frame in 1..=whole.count {
            let share = share(whole.dropped + frame as f32);
            if frame == whole.count && exact {
                // The call is at a frame: what is committed is what is shown.
                let pass = Pass { span: Span::Frame, share: 1.0, commit: true, show: true };
                let report = self.pass(pass);
                return self.finish(report, whole.count, whole.remainder);
            }
            let _ = self.pass(Pass { span: Span::Frame, share, commit: true, show: false });
        }
        let part = Span::Part(whole.remainder.max(0.0));
        let report = self.pass(Pass { span: part, share: 1.0, commit: false, show: true });
        self.finish(report, whole.count, whole.remainder)
    }

    fn finish(&mut self, report: SpringReport, frames: u32, clock: f32) -> SpringReport {
        for entry in self.state.iter_mut() {
            entry.clock = clock;
        }
        SpringReport { frames, ..self.with_speed(report, 1.0 / RATE) }
    }

    /// Drops the time up to `share` of the way between the last call and this one: the tails go with
    /// the root, as if it had been put there.
    fn skip(&mut self, share: f32) {
        let (Some((root, bones)), Some(&now), Some(&turned)) =
            (self.state.split_first_mut(), self.positions.first(), self.rotations.first())
        else {
            return;
        };
        let Some(rest) = bones.first().map(|bone| bone.rest) else { return };
        let from = Pose::new(root.position, rest);
        let to = Pose::new(lerp(root.position, now, share), rest.nlerp(turned, share));
        let motion = Motion::between(&from, &to);
        for bone in bones {
            bone.position = motion.point(bone.position);
            bone.previous = motion.point(bone.previous);
        }
    }

    fn with_speed(&self, report: SpringReport, frame: f32) -> SpringReport {
        let bones = self.state.iter().skip(1);
        let moved = bones.map(|bone| bone.position.distance(bone.previous)).fold(0.0, f32::max);
        let speed = if frame > 0.0 { (moved / frame).min(f32::MAX) } else { 0.0 };
        SpringReport { speed, ..report }
    }

    /// Goes from the root to the last tail once.
    fn pass(&mut self, pass: Pass) -> SpringReport {
        let mut report = SpringReport { settled: true, ..SpringReport::default() };
        let (Some((root, bones)), Some((&mut root_now, tails)), Some((last, joints))) = (
            self.state.split_first_mut(),
            self.positions.split_first_mut(),
            self.rotations.split_last_mut(),
        ) else {
            return report;
        };
        let scene = Scene { settings: self.settings, carried: self.carried, share: pass.share };
        let metre = self.settings.units_per_metre;
        // Most chains have one drag, and its powers are dear.
        let mut gains = (0.0, pass.span.gains(0.0));
        // The simulated joint at hand, and the simulated rotation of its parent ...
        let (mut joint, mut turned) =
            (lerp(root.position, root_now, pass.share), V::Rotation::IDENTITY);
        // ... and the animated ones, as this call has them.
        let (mut was, mut turned_was) = (root_now, V::Rotation::IDENTITY);
        for (i, ((bone, tail), rotation)) in bones.iter_mut().zip(tails).zip(joints).enumerate() {
            let rest_now = turned_was.inverse() * *rotation;
            let offset = rotation.inverse().rotate(*tail - was);
            (was, turned_was) = (*tail, *rotation);
            let rest =
                if pass.share < 1.0 { bone.rest.nlerp(rest_now, pass.share) } else { rest_now };
            let base = (turned * rest).renormalized();
            let spring = pick(scene.settings.joints, i).unwrap_or_default();
            let force_now = scene.force(i, &spring);
            let force = if pass.share < 1.0 && bone.started {
                lerp(bone.force, force_now, pass.share)
            } else {
                force_now
            };
            let (end, shown, shown_turn) = match direction(base.rotate(offset)) {
                None => (joint, joint, base),
                Some((axis, length)) => {
                    if spring.drag != gains.0 {
                        gains = (spring.drag, pass.span.gains(spring.drag));
                    }
                    let (carry, push) = gains.1;
                    let pull = axis * (spring.stiffness * metre) + force;
                    let momentum = bone.position - bone.previous;
                    let aim = bone.position + momentum * carry + pull * push;
                    let start = direction(aim - joint).map_or(axis, |(out, _)| out);
                    let limb = Limb { joint, length, axis, spring };
                    let (out, rounds) = match self.settings.rule {
                        SpringRule::Steady => scene.settle(&limb, start),
                        SpringRule::Vrm if pass.commit => scene.meet_once(&limb, start),
                        SpringRule::Vrm => (start, Rounds::default()),
                    };
                    report = rounds.into_report(report);
                    let end = joint + out * length;
                    shown_bone(&limb, base, out, end)
                }
            };
            if pass.commit {
                (bone.previous, bone.position) = (bone.position, end);
            }
            (joint, turned) = (shown, shown_turn);
            if pass.show {
                (*tail, *rotation) = (shown, shown_turn);
                (bone.rest, bone.force, bone.started) = (rest_now, force_now, true);
            }
        }
        if pass.show {
            *last = (turned * (turned_was.inverse() * *last)).normalized();
            (root.position, root.previous, root.started) = (root_now, root.position, true);
        }
        report
    }
}

/// The tail as simulated, and the tail and the joint's rotation as shown.
fn shown_bone<V: Vector>(limb: &Limb<V>, base: V::Rotation, out: V, end: V) -> (V, V, V::Rotation) {
    let arc = V::Rotation::unit_arc(limb.axis, out);
    if limb.spring.weight >= 1.0 {
        return (end, end, (arc * base).renormalized());
    }
    let arc = arc.scaled(limb.spring.weight);
    let shown = limb.joint + arc.rotate(limb.axis) * limb.length;
    (end, shown, (arc * base).renormalized())
}

/// One bone, while it is placed.
struct Limb<V> {
    joint: V,
    length: f32,
    /// Its rest direction.
    axis: V,
    spring: SpringJoint<V>,
}

/// What the collisions of one bone have taken and left.
#[derive(Clone, Copy)]
struct Rounds {
    count: u32,
    penetration: f32,
    settled: bool,
}

impl Default for Rounds {
    fn default() -> Self {
        Self { count: 0, penetration: 0.0, settled: true }
    }
}

impl Rounds {
    fn into_report(self, report: SpringReport) -> SpringReport {
        SpringReport {
            penetration: report.penetration.max(self.penetration),
            iterations: report.iterations.max(self.count),
            settled: report.settled && self.settled,
            ..report
        }
    }
}

/// What surrounds a chain during one pass.
struct Scene<'a, V: Vector> {
    settings: &'a SpringBones<'a, V>,
    carried: Option<Motion<V>>,
    share: f32,
}

impl<V: Vector> Scene<'_, V> {
    /// What gravity and the like add to a tail's velocity in a frame.
    fn force(&self, bone: usize, spring: &SpringJoint<V>) -> V {
        let external = pick(self.settings.external, bone).unwrap_or(V::ZERO);
        (spring.gravity + external) * self.settings.units_per_metre
    }

    /// The colliders where they are during this pass.
    fn colliders(&self) -> impl Iterator<Item = Collider<V>> + '_ {
        let mut before = self.settings.colliders_before.iter();
        self.settings.colliders.iter().map(move |now| match before.next() {
            Some(before) if self.share < 1.0 => {
                let before = self.carried.map_or(*before, |motion| before.moved(&motion));
                before.lerp(now, self.share)
            }
            _ => *now,
        })
    }

    /// The direction nearest to `out` that is clear of the colliders and within the limit: each in
    /// turn, until a round has nothing left to do. The limit has the last word.
    fn settle(&self, limb: &Limb<V>, mut out: V) -> (V, Rounds) {
        let radius = limb.spring.hit_radius * self.settings.units_per_metre;
        let limit = (limb.spring.angle_limit < core::f32::consts::PI)
            .then(|| Cone::new(limb.axis, limb.spring.angle_limit));
        if let Some(inside) = limit.and_then(|limit| limit.nearest(out)) {
            out = inside;
        }
        let mut rounds =
            Rounds { settled: self.settings.colliders.is_empty(), ..Rounds::default() };
        while !rounds.settled && rounds.count < self.settings.iterations {
            rounds.count += 1;
            (rounds.settled, rounds.penetration) = (true, 0.0);
            for collider in self.colliders() {
                let Some((cone, depth)) = self.contact(&collider, limb, out, radius) else {
                    continue;
                };
                rounds.penetration = rounds.penetration.max(depth);
                if let Some(clear) = cone.and_then(|cone| cone.nearest(out)) {
                    out = clear;
                    rounds.settled = false;
                }
            }
            if let Some(inside) = limit.and_then(|limit| limit.nearest(out)) {
                out = inside;
                rounds.settled = false;
            }
        }
        if !rounds.settled {
            // The last round measured before it moved.
            let contacts = self.colliders().filter_map(|c| self.contact(&c, limb, out, radius));
            rounds.penetration = contacts.map(|(_, depth)| depth).fold(0.0, f32::max);
        }
        (out, rounds)
    }

    /// The cone to turn to and the depth, for a collider that a bone touches; no cone if no turn
    /// changes the depth.
    fn contact(
        &self,
        collider: &Collider<V>,
        limb: &Limb<V>,
        out: V,
        radius: f32,
    ) -> Option<(Option<Cone<V>>, f32)> {
        let tail = limb.joint + out * limb.length;
        if self.settings.whole_bones {
            let whole = collider.surface_of_bone(limb.joint, tail, radius);
            if let Some((surface, point)) = whole {
                let gap = surface.gap(point).1;
                if let Some(cone) = Cone::of_bone(surface, limb.joint, limb.length) {
                    return (gap < 0.0).then_some((Some(cone), -gap));
                }
            }
        }
        let surface: Surface<V> = collider.surface(tail, radius);
        let gap = surface.gap(tail).1;
        (gap < 0.0).then(|| (Cone::of_tail(surface, limb.joint, limb.length), -gap))
    }

    /// The published collisions: each collider once, in order, and the length after each.
    fn meet_once(&self, limb: &Limb<V>, mut out: V) -> (V, Rounds) {
        let radius = limb.spring.hit_radius * self.settings.units_per_metre;
        for collider in self.colliders() {
            let tail = limb.joint + out * limb.length;
            let (normal, gap) = collider.surface(tail, radius).gap(tail);
            if gap < 0.0 {
                let pushed = tail - normal * gap - limb.joint;
                out = direction(pushed).map_or(out, |(out, _)| out);
            }
        }
        if limb.spring.angle_limit < core::f32::consts::PI {
            let limit = Cone::new(limb.axis, limb.spring.angle_limit);
            out = limit.nearest(out).unwrap_or(out);
        }
        let tail = limb.joint + out * limb.length;
        let depths = self.colliders().map(|collider| collider.depth(tail, radius));
        let penetration = depths.fold(0.0, f32::max);
        (out, Rounds { count: 1, penetration, settled: penetration <= 0.0 })
    }
}

/// Entry `index` of a slice with an entry a bone, or one for all.
#[inline]
fn pick<T: Copy>(slice: &[T], index: usize) -> Option<T> {
    match slice {
        [all] => Some(*all),
        each => each.get(index).copied(),
    }
}

fn check<V: Vector>(
    positions: &[V],
    rotations: &[V::Rotation],
    state: &[SpringState<V>],
    settings: &SpringBones<'_, V>,
) -> Result<(), Error> {
    let joints = positions.len();
    if joints < 2 {
        return Err(Error::new("positions", Fault::TooShort { least: 2, actual: joints }));
    }
    check_vectors("positions", positions)?;
    check_length("rotations", rotations.len(), joints)?;
    rotations.iter().enumerate().try_for_each(|(i, rotation)| {
        check_rotation("rotations", *rotation).map_err(|error| error.at(i))
    })?;
    check_length("state", state.len(), joints)?;
    state
        .iter()
        .enumerate()
        .try_for_each(|(i, entry)| check_state(entry).map_err(|error| error.at(i)))?;
    check_settings(settings, joints - 1)
}

fn check_state<V: Vector>(entry: &SpringState<V>) -> Result<(), Error> {
    check_vector("state.position", entry.position)?;
    check_vector("state.previous", entry.previous)?;
    check_vector("state.force", entry.force)?;
    check_rotation("state.rest", entry.rest)?;
    check_range("state.clock", entry.clock, -1.0, 1.0)
}

fn check_settings<V: Vector>(settings: &SpringBones<'_, V>, bones: usize) -> Result<(), Error> {
    check_per_bone("settings.joints", settings.joints.len(), bones)?;
    settings
        .joints
        .iter()
        .enumerate()
        .try_for_each(|(i, joint)| joint.check().map_err(|error| error.at(i)))?;
    check_per_bone("settings.external", settings.external.len(), bones)?;
    check_vectors("settings.external", settings.external)?;
    check_colliders("settings.colliders", settings.colliders)?;
    check_optional_length(
        "settings.colliders_before",
        settings.colliders_before.len(),
        settings.colliders.len(),
    )?;
    check_colliders("settings.colliders_before", settings.colliders_before)?;
    if let Some(center) = &settings.center {
        center.before.check("settings.center.before")?;
        center.now.check("settings.center.now")?;
    }
    check_range("settings.units_per_metre", settings.units_per_metre, 1e-6, 1e6)?;
    if settings.max_frames == 0 {
        return Err(Error::new("settings.max_frames", Fault::OutOfRange));
    }
    Ok(())
}

fn check_colliders<V: Vector>(
    argument: &'static str,
    colliders: &[Collider<V>],
) -> Result<(), Error> {
    colliders
        .iter()
        .enumerate()
        .try_for_each(|(i, collider)| collider.check(argument).map_err(|error| error.at(i)))
}

/// `Ok` if a slice has one entry a bone, or one for all, or none.
fn check_per_bone(argument: &'static str, actual: usize, bones: usize) -> Result<(), Error> {
    if actual == 1 { Ok(()) } else { check_optional_length(argument, actual, bones) }
}
