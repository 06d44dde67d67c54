//! One walk along eight chains, from the roots to the last tails.

use glam::{Quat, Vec3};

use super::collider::{Motion, lerp};
use super::contact::{Limb, Rounds, Surroundings};
use super::{SpringBones, SpringState};
use crate::lanes::quat::Turned;
use crate::lanes::wide::{F32x8, Mask, Pen};
use crate::lanes::{LANES, Quatx8, Vec3x8};
use crate::rotation::Rotation;
use crate::spring_bone::pass::{RATE, Span, Turn, first_drag, pick};
use crate::spring_bone::{SpringJoint, SpringReport, SpringRule};

/// What a pass is for in each lane: clocks differ, and so one may commit where another shows.
pub(super) struct Turns {
    spans: [Span; LANES],
    /// Where a part of a frame is shown.
    parts: Mask,
    share: F32x8,
    commit: Pen,
    show: Pen,
}

impl Turns {
    /// The same in every lane.
    pub(super) fn shared(turn: Turn) -> Self {
        let pen = |is| Pen::new(if is { Mask::every() } else { Mask::NONE });
        Self {
            spans: [turn.span; LANES],
            parts: parts(&[turn.span; LANES]),
            share: F32x8::splat(turn.share),
            commit: pen(turn.commit),
            show: pen(turn.show),
        }
    }

    /// `None` if there is nothing to do in any lane.
    pub(super) fn new(turn: impl Fn(usize) -> Option<Turn>) -> Option<Self> {
        let turns: [Option<Turn>; LANES] = core::array::from_fn(turn);
        // Lanes with nothing to do go along with one that has.
        let guide = turns.iter().flatten().next()?;
        let is = |of: fn(&Turn) -> bool| {
            Pen::new(Mask::from_fn(|lane| turns.get(lane).and_then(Option::as_ref).is_some_and(of)))
        };
        let spans = turns.map(|turn| turn.unwrap_or(*guide).span);
        Some(Self {
            spans,
            parts: parts(&spans),
            share: turns.map(|turn| turn.unwrap_or(*guide).share).into(),
            commit: is(|turn| turn.commit),
            show: is(|turn| turn.show),
        })
    }
}

fn parts(spans: &[Span; LANES]) -> Mask {
    Mask::from_fn(|lane| matches!(spans.get(lane), Some(Span::Part(_))))
}

/// The gains of the drag at hand in each lane.
struct Gains<'a> {
    spans: &'a [Span; LANES],
    drag: f32,
    of_drag: (F32x8, F32x8),
}

impl<'a> Gains<'a> {
    fn new(spans: &'a [Span; LANES], drag: f32) -> Self {
        Self { spans, drag, of_drag: Self::find(spans, drag) }
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

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "of at most 1000")]
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
    /// The joints at hand, as simulated, and as this call's animation has them.
    joint: Vec3x8,
    animated_joint: Vec3x8,
    /// What their parents are turned by, away from this call's animation.
    turn: Turned,
    /// What the animation has turned their parents by since the last call; kept up between calls
    /// only.
    moved: Quatx8,
}

impl Walk {
    /// Takes bones and the forces on them back to an instant before this call, in some lanes.
    #[inline]
    fn go_back(&mut self, bone: &SpringState, now: &mut Driven, (share, lanes): (F32x8, Mask)) {
        let started = bone.started;
        let lanes = lanes & Mask::from_fn(|lane| started.get(lane).copied().unwrap_or(false));
        let rotation = (self.moved * bone.rest).nlerp(now.rotation, share);
        let turn = self.turn.unit * (rotation * now.rotation.conjugate());
        lanes.put(Turned::from_unit(turn.normalized()), &mut self.turn);
        lanes.put(lerp(bone.force, now.force, share), &mut now.force);
        self.moved = now.rotation * bone.rest.conjugate();
    }
}

/// Bones as the animation and the forces have them in this call.
struct Driven {
    bone: Vec3x8,
    rotation: Quatx8,
    force: Vec3x8,
}

/// Bones that are drawn somewhere.
struct Aimed {
    joint: Vec3x8,
    length: F32x8,
    /// Their rest directions.
    axis: Vec3x8,
    /// Where to.
    aim: Vec3x8,
    /// Their tails' last displacements, the forces, and what of both goes into the next ones.
    momentum: Vec3x8,
    force: Vec3x8,
    carry: F32x8,
    push: F32x8,
    /// Where there is such a bone.
    lanes: Mask,
}

impl Aimed {
    /// Where to, as vectors of another length, and that length.
    #[inline]
    fn along(&self, aim: Vec3x8) -> (Vec3x8, F32x8) {
        let (aim, reach, _, some) = aim.tame();
        (some.mostly(aim, self.axis), reach)
    }
}

/// Bones that have found their places.
struct Placed {
    end: Vec3x8,
    shown: Vec3x8,
    turn: Turned,
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
        let mut gains = Gains::new(spans, first_drag(self.settings.joints));
        let busy = commit.lanes | show.lanes;
        let surroundings = Surroundings::new(self.settings, self.carried.as_ref(), *share, busy);
        let mut walk = Walk {
            joint: lerp(root.position, root_now, *share),
            animated_joint: root_now,
            turn: Turned::NONE,
            moved: Quatx8::IDENTITY,
        };
        let between = share.lt(F32x8::ONE);
        for (i, ((bone, tail), rotation)) in bones.iter_mut().zip(tails).zip(joints).enumerate() {
            let spring = pick(self.settings.joints, i).unwrap_or_default();
            let external = pick(self.settings.external, i).unwrap_or(Vec3x8::ZERO);
            let force = Vec3x8::splat(spring.gravity) + external;
            let mut now = Driven { bone: *tail - walk.animated_joint, rotation: *rotation, force };
            walk.animated_joint = *tail;
            let drag = gains.of(spring.drag);
            if between.any() {
                walk.go_back(bone, &mut now, (*share, between));
            }
            let placed = self.place(&walk, (bone, &now), &spring, drag, &surroundings);
            if commit.lanes.any() {
                commit.put(bone.position, &mut bone.previous);
                commit.put(placed.end, &mut bone.position);
            }
            if show.lanes.any() {
                show.put(placed.shown, tail);
                show.put((placed.turn.unit * now.rotation).renormalized(), rotation);
                show.put(now.rotation, &mut bone.rest);
                show.put(now.force, &mut bone.force);
                start(bone, show.lanes);
                if let Some(rounds) = &placed.rounds {
                    report.add(rounds, show.lanes);
                }
            }
            (walk.joint, walk.turn) = (placed.shown, placed.turn);
        }
        if show.lanes.any() {
            show.put((walk.turn.unit * *last).normalized(), last);
            show.put(root.position, &mut root.previous);
            show.put(root_now, &mut root.position);
            start(root, show.lanes);
        }
    }

    /// Finds the bones' places, given what they remember and how they are driven now.
    #[inline]
    fn place(
        &self,
        walk: &Walk,
        (bone, now): (&SpringState, &Driven),
        spring: &SpringJoint<Vec3>,
        (carry, push): (F32x8, F32x8),
        surroundings: &Surroundings<'_>,
    ) -> Placed {
        let Walk { joint, turn, .. } = *walk;
        let (along, size, length, lanes) = now.bone.tame();
        let axis = turn.rotate(along) * (F32x8::ONE / size);
        let push = push * self.settings.units_per_metre;
        let momentum = bone.position - bone.previous;
        let drift = momentum * carry + now.force * push;
        let drifted = bone.position + drift;
        let aim = drifted - joint + axis * (push * spring.stiffness);
        let aimed =
            Aimed { joint, length, axis, aim, momentum, force: now.force, carry, push, lanes };
        let (aim, reach, rounds) = if !self.settings.colliders.is_empty() || spring.is_limited() {
            self.hinder(&aimed, spring, surroundings)
        } else {
            let (aim, reach) = aimed.along(aim);
            (aim, reach, None)
        };
        // A bone of no length has its tail on its joint and its joint follows its parent.
        let end = lanes.mostly(joint + aim * (length / reach), joint);
        let (shown, new) = if spring.weight < 1.0 {
            let out = aim * (F32x8::ONE / reach);
            let arc = scaled(Quatx8::unit_arc(axis, out), spring.weight);
            let shown = lanes.mostly(joint + arc.rotate(axis) * length, joint);
            (shown, Turned::from_unit((arc * turn.unit).renormalized()))
        } else {
            (end, turn.unit.and_arc(axis, aim, reach))
        };
        let turn = lanes.mostly(new, turn);
        Placed { end, shown, turn, rounds }
    }

    /// Where bones point that have a limit or colliders about them, how long those vectors are, and
    /// what they have met.
    fn hinder(
        &self,
        bone: &Aimed,
        spring: &SpringJoint<Vec3>,
        surroundings: &Surroundings<'_>,
    ) -> (Vec3x8, F32x8, Option<Rounds>) {
        let Aimed { joint, length, axis, lanes, .. } = *bone;
        let axis = axis * (F32x8::splat(1.5) - axis.length_squared() * 0.5);
        let radius = spring.hit_radius * self.settings.units_per_metre;
        let limb = Limb { joint, length, axis, radius, limit: spring.angle_limit, lanes };
        let (mut aim, mut reach) = bone.along(bone.aim);
        let ahead = self.foresee(bone, spring, surroundings, &limb);
        if let Some((aside, _, parts)) = ahead {
            (aim, reach) = bone.along(parts.select(bone.aim + aside, bone.aim));
        }
        let out = aim * (F32x8::ONE / reach);
        let (clear, rounds) = match &ahead {
            Some((_, whole, parts)) => surroundings.follow(&limb, out, (whole, *parts)),
            None => self.meet(surroundings, &limb, out),
        };
        let moved = !clear.eq(out);
        if moved.any() {
            reach = moved.select(F32x8::ONE, reach);
            aim = moved.select(clear, aim);
        }
        (aim, reach, rounds)
    }

    /// What turns bones aside in parts of frames, what the whole frames meet, and in which lanes:
    /// as the scalar's.
    fn foresee(
        &self,
        bone: &Aimed,
        spring: &SpringJoint<Vec3>,
        surroundings: &Surroundings<'_>,
        limb: &Limb,
    ) -> Option<(Vec3x8, Rounds, Mask)> {
        let SpringBones { rule, colliders, units_per_metre, .. } = *self.settings;
        let parts = self.turns.parts;
        if !parts.any() || rule != SpringRule::Steady || colliders.is_empty() {
            return None;
        }
        let (carry, push) = Span::Frame.gains(spring.drag);
        let push = F32x8::splat(push * units_per_metre);
        let force = bone.force + bone.axis * F32x8::splat(spring.stiffness);
        let momentum = bone.momentum * (F32x8::splat(carry) - bone.carry);
        let whole = bone.aim + (momentum + force * (push - bone.push));
        let (along, size, length, some) = whole.tame();
        let parts = parts & some;
        let aim = along * (F32x8::ONE / size);
        let limb = Limb { lanes: limb.lanes & parts, ..*limb };
        let (clear, rounds) = surroundings.settle(&limb, aim);
        let aside = clear.eq(aim).select(Vec3x8::ZERO, clear * length - whole);
        let share = bone.push * F32x8::splat(RATE) / F32x8::splat(units_per_metre);
        Some((aside * share, rounds?, parts))
    }

    /// Where bones come to point among what is in their way.
    fn meet(
        &self,
        surroundings: &Surroundings<'_>,
        limb: &Limb,
        out: Vec3x8,
    ) -> (Vec3x8, Option<Rounds>) {
        match self.settings.rule {
            SpringRule::Steady => surroundings.settle(limb, out),
            SpringRule::Vrm if self.turns.commit.lanes.any() => surroundings.meet_once(limb, out),
            SpringRule::Vrm => (out, None),
        }
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
