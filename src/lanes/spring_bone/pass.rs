//! One walk along eight chains, from the roots to the last tails.

use glam::{Quat, Vec3};

use super::collider::{Motion, lerp};
use super::contact::{Limb, Rounds, Surroundings};
use super::{SpringBones, SpringState};
use crate::lanes::LANES;
use crate::lanes::space::{Quatx8, Vec3x8};
use crate::lanes::wide::{F32x8, Mask, Pen};
use crate::rotation::Rotation;
use crate::spring_bone::pass::{Span, Turn, pick};
use crate::spring_bone::{SpringJoint, SpringReport, SpringRule};

/// What a pass is for in each lane: clocks differ, and so one may commit where another shows.
pub(super) struct Turns {
    spans: [Span; LANES],
    share: F32x8,
    commit: Pen,
    show: Pen,
    /// Where there is anything to do.
    busy: Mask,
}

impl Turns {
    /// `None` if there is nothing to do in any lane.
    pub(super) fn new(turn: impl Fn(usize) -> Option<Turn>) -> Option<Self> {
        let turns: [Option<Turn>; LANES] = core::array::from_fn(turn);
        // Lanes with nothing to do go along with one that has.
        let guide = turns.iter().flatten().next()?;
        let is = |of: fn(&Turn) -> bool| {
            Pen::new(Mask::from_fn(|lane| turns.get(lane).and_then(Option::as_ref).is_some_and(of)))
        };
        let (commit, show) = (is(|turn| turn.commit), is(|turn| turn.show));
        Some(Self {
            spans: turns.map(|turn| turn.unwrap_or(*guide).span),
            share: turns.map(|turn| turn.unwrap_or(*guide).share).into(),
            commit,
            show,
            busy: commit.lanes | show.lanes,
        })
    }
}

/// The gains of the drag at hand in each lane.
struct Gains<'a> {
    spans: &'a [Span; LANES],
    drag: f32,
    of_drag: (F32x8, F32x8),
}

impl<'a> Gains<'a> {
    fn new(spans: &'a [Span; LANES]) -> Self {
        Self { spans, drag: 0.0, of_drag: Self::find(spans, 0.0) }
    }

    fn of(&mut self, drag: f32) -> (F32x8, F32x8) {
        if drag != self.drag {
            (self.drag, self.of_drag) = (drag, Self::find(self.spans, drag));
        }
        self.of_drag
    }

    fn find(spans: &[Span; LANES], drag: f32) -> (F32x8, F32x8) {
        let [first, others @ ..] = spans;
        // Most crowds have one clock, and the powers of a drag are dear.
        let gains = if others.iter().all(|span| span == first) {
            [first.gains(drag); LANES]
        } else {
            spans.map(|span| span.gains(drag))
        };
        (gains.map(|(carry, _)| carry).into(), gains.map(|(_, push)| push).into())
    }
}

/// What the shown passes have come to.
pub(super) struct Report {
    count: F32x8,
    penetration: F32x8,
    settled: Mask,
}

impl Report {
    pub(super) fn new() -> Self {
        Self { count: F32x8::ZERO, penetration: F32x8::ZERO, settled: Mask::every() }
    }

    #[inline]
    fn add(&mut self, rounds: &Rounds, lanes: Mask) {
        lanes.put(self.count.max(rounds.count), &mut self.count);
        lanes.put(self.penetration.max(rounds.penetration), &mut self.penetration);
        self.settled = self.settled & (rounds.settled | !lanes);
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Of at most 1000.
    pub(super) fn lane(&self, lane: usize, frames: u32, speed: f32) -> SpringReport {
        SpringReport {
            frames,
            speed,
            penetration: self.penetration.lane(lane),
            iterations: self.count.lane(lane) as u32,
            settled: self.settled.lane(lane),
        }
    }
}

/// One pass through the chains.
pub(super) struct Pass<'a> {
    pub(super) settings: &'a SpringBones<'a>,
    /// How the center spaces have moved since the last call.
    pub(super) carried: Option<Motion>,
    pub(super) turns: Turns,
}

/// How far a pass has come.
struct Walk {
    /// The joints at hand, as simulated, and the simulated rotations of their parents.
    joint: Vec3x8,
    turned: Quatx8,
    /// The same as this call's animation has them.
    animated_joint: Vec3x8,
    animated_turned: Quatx8,
}

impl Walk {
    #[inline]
    fn enter(&mut self, tail: Vec3x8, rotation: Quatx8) -> (Quatx8, Vec3x8) {
        let local = self.animated_turned.conjugate() * rotation;
        let offset = rotation.conjugate().rotate(tail - self.animated_joint);
        (self.animated_joint, self.animated_turned) = (tail, rotation);
        (local, offset)
    }
}

/// Bones that have found their places.
struct Placed {
    end: Vec3x8,
    shown: Vec3x8,
    turned: Quatx8,
    /// What they have met, if there was anything to meet.
    rounds: Option<Rounds>,
}

impl Pass<'_> {
    /// Goes along the chains once.
    pub(super) fn run(
        &self,
        positions: &mut [Vec3x8],
        rotations: &mut [Quatx8],
        state: &mut [SpringState],
        report: &mut Report,
    ) {
        let (Some((root, bones)), Some((&mut root_now, tails)), Some((last, joints))) =
            (state.split_first_mut(), positions.split_first_mut(), rotations.split_last_mut())
        else {
            return;
        };
        let Turns { spans, share, commit, show, .. } = &self.turns;
        let mut gains = Gains::new(spans);
        let surroundings = Surroundings::new(self.settings, self.carried.as_ref(), *share);
        let mut walk = Walk {
            joint: lerp(root.position, root_now, *share),
            turned: Quatx8::IDENTITY,
            animated_joint: root_now,
            animated_turned: Quatx8::IDENTITY,
        };
        for (i, ((bone, tail), rotation)) in bones.iter_mut().zip(tails).zip(joints).enumerate() {
            let spring = pick(self.settings.joints, i).unwrap_or_default();
            let (rest, offset) = walk.enter(*tail, *rotation);
            let external = pick(self.settings.external, i).unwrap_or(Vec3x8::ZERO);
            let force = Vec3x8::splat(spring.gravity) + external;
            let drag = gains.of(spring.drag);
            let placed =
                self.place(&walk, (bone, rest, force), (&spring, drag), offset, &surroundings);
            if commit.lanes.any() {
                commit.put(bone.position, &mut bone.previous);
                commit.put(placed.end, &mut bone.position);
            }
            if show.lanes.any() {
                show.put(placed.shown, tail);
                show.put(placed.turned, rotation);
                show.put(rest, &mut bone.rest);
                show.put(force, &mut bone.force);
                start(bone, show.lanes);
                if let Some(rounds) = &placed.rounds {
                    report.add(rounds, show.lanes);
                }
            }
            (walk.joint, walk.turned) = (placed.shown, placed.turned);
        }
        if show.lanes.any() {
            let local = walk.animated_turned.conjugate() * *last;
            show.put((walk.turned * local).normalized(), last);
            show.put(root.position, &mut root.previous);
            show.put(root_now, &mut root.position);
            start(root, show.lanes);
        }
    }

    /// Finds the bones' places, given the bones with their animated rotations and forces.
    #[inline]
    fn place(
        &self,
        walk: &Walk,
        (bone, rest, force): (&SpringState, Quatx8, Vec3x8),
        (spring, (carry, push)): (&SpringJoint<Vec3>, (F32x8, F32x8)),
        offset: Vec3x8,
        surroundings: &Surroundings<'_>,
    ) -> Placed {
        let (rest, force) = self.at_this_instant(bone, rest, force);
        let base = (walk.turned * rest).renormalized();
        let (axis, length, some_length) = base.rotate(offset).direction();
        let lanes = some_length & self.turns.busy;
        let units = self.settings.units_per_metre;
        let pull = (axis * spring.stiffness + force) * units;
        let aim = bone.position + (bone.position - bone.previous) * carry + pull * push;
        let (aim, _, some) = (aim - walk.joint).direction();
        let aim = some.mostly(aim, axis);
        let radius = spring.hit_radius * units;
        let limb =
            Limb { joint: walk.joint, length, axis, radius, limit: spring.angle_limit, lanes };
        let (out, rounds) = match self.settings.rule {
            SpringRule::Steady => surroundings.settle(&limb, aim),
            SpringRule::Vrm if self.turns.commit.lanes.any() => surroundings.meet_once(&limb, aim),
            SpringRule::Vrm => (aim, None),
        };
        // A bone of no length has its tail on its joint, which follows its parent.
        let end = lanes.mostly(limb.tail(out), walk.joint);
        let mut arc = Quatx8::unit_arc(axis, out);
        let mut shown = end;
        if spring.weight < 1.0 {
            arc = scaled(arc, spring.weight);
            shown = lanes.mostly(walk.joint + arc.rotate(axis) * length, walk.joint);
        }
        let turned = lanes.mostly((arc * base).renormalized(), base);
        Placed { end, shown, turned, rounds }
    }

    /// What the animation and the forces are between the last call and this one.
    #[inline]
    fn at_this_instant(&self, bone: &SpringState, rest: Quatx8, force: Vec3x8) -> (Quatx8, Vec3x8) {
        let share = self.turns.share;
        let between = share.lt(F32x8::ONE);
        if !between.any() {
            return (rest, force);
        }
        let started = bone.started;
        let between = between & Mask::from_fn(|lane| started.get(lane).copied().unwrap_or(false));
        (
            between.select(bone.rest.nlerp(rest, share), rest),
            between.select(lerp(bone.force, force, share), force),
        )
    }
}

/// Marks bones as started.
#[inline]
fn start(bone: &mut SpringState, lanes: Mask) {
    if bone.started != [true; LANES] {
        for (lane, started) in bone.started.iter_mut().enumerate() {
            *started |= lanes.lane(lane);
        }
    }
}

/// As [`Rotation::scaled`](crate::Rotation).
#[cold]
fn scaled(arc: Quatx8, share: f32) -> Quatx8 {
    core::array::from_fn::<Quat, LANES, _>(|lane| arc.lane(lane).scaled(share)).into()
}
