//! One walk along a chain, from the root to the last tail: momentum, forces, contact, pose.

use crate::math;
use crate::packed::Packed;
use crate::rotation::Rotation;
use crate::space::{Motion, Vector, lerp};

use super::contact::{Limb, Rounds, Surroundings};
use super::{SpringBones, SpringJoint, SpringReport, SpringRule, SpringState};

/// Frames a second that the published rule is made for.
pub(crate) const RATE: f32 = 60.0;

/// How much time a pass through the chain stands for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Span {
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
    pub(crate) fn gains(self, drag: f32) -> (f32, f32) {
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

/// The gains of the drag at hand: most chains have one, and its powers are dear.
struct Gains {
    span: Span,
    drag: f32,
    of_drag: (f32, f32),
}

impl Gains {
    fn new(span: Span) -> Self {
        Self { span, drag: 0.0, of_drag: span.gains(0.0) }
    }

    #[inline]
    fn of(&mut self, drag: f32) -> (f32, f32) {
        if drag != self.drag {
            (self.drag, self.of_drag) = (drag, self.span.gains(drag));
        }
        self.of_drag
    }
}

/// What one pass through the chain is for.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) span: Span,
    /// Where between the last call (0) and this one (1) it happens.
    pub(crate) share: f32,
    /// Whether the tails' new positions are kept.
    pub(crate) commit: bool,
    /// Whether the pose that is found is the one to return.
    pub(crate) show: bool,
}

impl Turn {
    /// Shows the committed state a part of a frame on.
    pub(crate) const fn shown(part: f32) -> Self {
        Self { span: Span::Part(part), share: 1.0, commit: false, show: true }
    }

    /// The published rule; no time shows the committed state.
    pub(crate) fn published(dt: f32) -> Self {
        if dt == 0.0 {
            return Self::shown(0.0);
        }
        Self { span: Span::Published(dt), share: 1.0, commit: true, show: true }
    }
}

/// One pass through the chain.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a, V: Vector> {
    pub(super) settings: &'a SpringBones<'a, V>,
    /// How the center space has moved since the last call.
    pub(super) carried: Option<Motion<V>>,
    pub(super) turn: Turn,
}

/// How far a pass has come.
struct Walk<V: Vector> {
    /// The joint at hand, as simulated, and as this call's animation has it.
    joint: V::Packed,
    animated_joint: V::Packed,
    /// What its parent is turned by, away from this call's animation.
    turn: V::Rotation,
    /// What the animation has turned its parent by since the last call; kept up between calls only.
    moved: V::Rotation,
}

impl<V: Vector> Walk<V> {
    /// Takes a bone and the force on it back to an instant before this call.
    ///
    /// A joint comes from where its parent has taken it: in a chain that curls up it may turn by
    /// more than half a turn in all, and would by itself go the short way round.
    #[inline]
    fn go_back(&mut self, bone: &SpringState<V>, now: &mut Driven<V>, share: f32) {
        if bone.started {
            let rotation = (self.moved * bone.rest).nlerp(now.rotation, share);
            self.turn = (self.turn * (rotation * now.rotation.inverse())).normalized();
            now.force = lerp(bone.force, now.force, share);
        }
        self.moved = now.rotation * bone.rest.inverse();
    }
}

/// A bone as the animation and the forces have it in this call.
struct Driven<V: Vector> {
    /// From its joint to its tail.
    bone: V::Packed,
    /// Its joint's rotation.
    rotation: V::Rotation,
    force: V,
}

/// A bone that has found its place.
struct Placed<V: Vector> {
    /// Its tail as simulated, and as shown.
    end: V::Packed,
    shown: V::Packed,
    /// What its joint is turned by, away from this call's animation.
    turn: V::Rotation,
    /// What it has met, if there was anything to meet.
    rounds: Option<Rounds>,
}

impl<V: Vector> Pass<'_, V> {
    /// Goes along the chain once.
    pub(super) fn run(
        &self,
        positions: &mut [V],
        rotations: &mut [V::Rotation],
        state: &mut [SpringState<V>],
    ) -> SpringReport {
        let mut report = SpringReport { settled: true, ..SpringReport::default() };
        let (Some((root, bones)), Some((&mut root_now, tails)), Some((last, joints))) =
            (state.split_first_mut(), positions.split_first_mut(), rotations.split_last_mut())
        else {
            return report;
        };
        let mut gains = Gains::new(self.turn.span);
        let surroundings = Surroundings::new(self.settings, self.carried, self.turn.share);
        let mut walk = Walk {
            joint: lerp(root.position, root_now, self.turn.share).into(),
            animated_joint: root_now.into(),
            turn: V::Rotation::IDENTITY,
            moved: V::Rotation::IDENTITY,
        };
        let chain = bones.iter_mut().zip(tails).zip(joints.iter_mut());
        for (i, ((bone, tail), rotation)) in chain.enumerate() {
            let spring = pick(self.settings.joints, i).unwrap_or_default();
            let force = spring.gravity + pick(self.settings.external, i).unwrap_or(V::ZERO);
            let packed = V::Packed::from(*tail);
            let mut now = Driven { bone: packed - walk.animated_joint, rotation: *rotation, force };
            walk.animated_joint = packed;
            let drag = gains.of(spring.drag);
            if self.turn.share < 1.0 {
                walk.go_back(bone, &mut now, self.turn.share);
            }
            let placed = self.place(&walk, (bone, &now), &spring, drag, &surroundings);
            if self.turn.commit {
                (bone.previous, bone.position) = (bone.position, placed.end.into());
            }
            if self.turn.show {
                // The slice keeps the turns until the chain is through.
                (*tail, *rotation) = (placed.shown.into(), placed.turn);
                (bone.rest, bone.force, bone.started) = (now.rotation, now.force, true);
            }
            (walk.joint, walk.turn) = (placed.shown, placed.turn);
            if let Some(rounds) = placed.rounds {
                report = rounds.into_report(report);
            }
        }
        if self.turn.show {
            // After the chain: no bone waits for another's rotation, only for its turn.
            for (turn, bone) in joints.iter_mut().zip(bones) {
                *turn = (*turn * bone.rest).renormalized();
            }
            *last = (walk.turn * *last).normalized();
            (root.position, root.previous, root.started) = (root_now, root.position, true);
        }
        report
    }

    /// Finds a bone's place, given what it remembers and how it is driven now.
    #[inline]
    fn place(
        &self,
        walk: &Walk<V>,
        (bone, now): (&SpringState<V>, &Driven<V>),
        spring: &SpringJoint<V>,
        (carry, push): (f32, f32),
        surroundings: &Surroundings<'_, V>,
    ) -> Placed<V> {
        let Walk { joint, turn, .. } = *walk;
        let Some((along, size, length)) = now.bone.tame() else {
            return Placed { end: joint, shown: joint, turn, rounds: None };
        };
        let axis = turn.swing_packed(along) * (1.0 / size);
        let position = V::Packed::from(bone.position);
        let push = push * self.settings.units_per_metre;
        let drift = (position - bone.previous.into()) * carry + V::Packed::from(now.force) * push;
        let aim = position - joint + drift + axis * (spring.stiffness * push);
        // The turn takes the aim as long as it is, and does not wait for the division.
        let (mut aim, mut reach) = match aim.tame() {
            Some((aim, size, _)) => (aim, size),
            None => (axis, 1.0),
        };
        let mut out = aim * (1.0 / reach);
        let mut rounds = None;
        if !self.settings.colliders.is_empty() || spring.is_limited() {
            let radius = spring.hit_radius * self.settings.units_per_metre;
            if !spring.is_limited() && surroundings.are_far((joint + out * length).into(), radius) {
                rounds = Some(Rounds::CLEAR);
            } else {
                // A cone takes for its axis nothing but a unit vector, to the last digit.
                let axis: V = axis.into();
                let axis = axis * (1.5 - 0.5 * axis.length_squared());
                let limit = spring.angle_limit;
                let limb =
                    Limb { joint: joint.into(), length, axis, aim: out.into(), radius, limit };
                let clear;
                (clear, rounds) = self.meet(surroundings, &limb);
                if clear != out.into() {
                    (out, aim, reach) = (clear.into(), clear.into(), 1.0);
                }
            }
        }
        let end = joint + out * length;
        let (shown, turn) = if spring.weight < 1.0 {
            let arc = V::Rotation::unit_arc(axis.into(), out.into()).scaled(spring.weight);
            (joint + V::Packed::from(arc.rotate(axis.into())) * length, (arc * turn).renormalized())
        } else {
            (end, turn.and_arc(axis, aim, reach))
        };
        Placed { end, shown, turn, rounds }
    }

    /// Where a bone comes to point among what is in its way. Not inlined, so that what a free bone
    /// hands to the next stays in registers.
    #[inline(never)]
    fn meet(&self, surroundings: &Surroundings<'_, V>, limb: &Limb<V>) -> (V, Option<Rounds>) {
        match self.settings.rule {
            SpringRule::Steady => surroundings.settle(limb),
            SpringRule::Vrm if self.turn.commit => surroundings.meet_once(limb),
            SpringRule::Vrm => (limb.aim, None),
        }
    }
}

/// Entry `index` of a slice with an entry a bone, or one for all.
#[inline]
pub(crate) fn pick<T: Copy>(slice: &[T], index: usize) -> Option<T> {
    match slice {
        [all] => Some(*all),
        each => each.get(index).copied(),
    }
}
