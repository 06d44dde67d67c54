//! One walk along a chain, from the root to the last tail: momentum, forces, contact, pose.

use crate::math;
use crate::rotation::Rotation;
use crate::space::{Motion, Vector, direction, lerp};

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
    /// The joint at hand, as simulated, and the simulated rotation of its parent.
    joint: V,
    turned: V::Rotation,
    /// The same as this call's animation has them.
    animated_joint: V,
    animated_turned: V::Rotation,
}

impl<V: Vector> Walk<V> {
    /// Goes on to a bone as it is animated: the rotation of its joint relative to the parent, and
    /// its tail in the joint's axes.
    #[inline]
    fn enter(&mut self, tail: V, rotation: V::Rotation) -> (V::Rotation, V) {
        let local = self.animated_turned.inverse() * rotation;
        let offset = rotation.inverse().rotate(tail - self.animated_joint);
        (self.animated_joint, self.animated_turned) = (tail, rotation);
        (local, offset)
    }
}

/// A bone that has found its place.
struct Placed<V: Vector> {
    /// Its tail as simulated.
    end: V,
    /// Its tail and its joint's rotation as shown.
    shown: V,
    turned: V::Rotation,
    rounds: Rounds,
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
        let mut walk = Walk {
            joint: lerp(root.position, root_now, self.turn.share),
            turned: V::Rotation::IDENTITY,
            animated_joint: root_now,
            animated_turned: V::Rotation::IDENTITY,
        };
        for (i, ((bone, tail), rotation)) in bones.iter_mut().zip(tails).zip(joints).enumerate() {
            let spring = pick(self.settings.joints, i).unwrap_or_default();
            let (rest, offset) = walk.enter(*tail, *rotation);
            let force = spring.gravity + pick(self.settings.external, i).unwrap_or(V::ZERO);
            let placed =
                self.place(&walk, (bone, rest, force), &spring, offset, gains.of(spring.drag));
            if self.turn.commit {
                (bone.previous, bone.position) = (bone.position, placed.end);
            }
            if self.turn.show {
                (*tail, *rotation) = (placed.shown, placed.turned);
                (bone.rest, bone.force, bone.started) = (rest, force, true);
            }
            (walk.joint, walk.turned) = (placed.shown, placed.turned);
            report = placed.rounds.into_report(report);
        }
        if self.turn.show {
            *last = (walk.turned * (walk.animated_turned.inverse() * *last)).normalized();
            (root.position, root.previous, root.started) = (root_now, root.position, true);
        }
        report
    }

    /// Finds a bone's place, given the bone with its animated rotation and force.
    #[inline]
    fn place(
        &self,
        walk: &Walk<V>,
        (bone, rest, force): (&SpringState<V>, V::Rotation, V),
        spring: &SpringJoint<V>,
        offset: V,
        (carry, push): (f32, f32),
    ) -> Placed<V> {
        // What the animation and the forces are at this instant.
        let (rest, force) = if self.turn.share < 1.0 && bone.started {
            (bone.rest.nlerp(rest, self.turn.share), lerp(bone.force, force, self.turn.share))
        } else {
            (rest, force)
        };
        let base = (walk.turned * rest).renormalized();
        let Some((axis, length)) = direction(base.rotate(offset)) else {
            let (end, rounds) = (walk.joint, Rounds::default());
            return Placed { end, shown: end, turned: base, rounds };
        };
        let pull = (axis * spring.stiffness + force) * self.settings.units_per_metre;
        let aim = bone.position + (bone.position - bone.previous) * carry + pull * push;
        let aim = direction(aim - walk.joint).map_or(axis, |(aim, _)| aim);
        let radius = spring.hit_radius * self.settings.units_per_metre;
        let limb = Limb { joint: walk.joint, length, axis, radius, limit: spring.angle_limit };
        let surroundings = Surroundings::new(self.settings, self.carried, self.turn.share);
        let (out, rounds) = match self.settings.rule {
            SpringRule::Steady => surroundings.settle(&limb, aim),
            SpringRule::Vrm if self.turn.commit => surroundings.meet_once(&limb, aim),
            SpringRule::Vrm => (aim, Rounds::default()),
        };
        let end = limb.tail(out);
        let arc = V::Rotation::unit_arc(axis, out);
        if spring.weight >= 1.0 {
            return Placed { end, shown: end, turned: (arc * base).renormalized(), rounds };
        }
        let arc = arc.scaled(spring.weight);
        let shown = walk.joint + arc.rotate(axis) * length;
        Placed { end, shown, turned: (arc * base).renormalized(), rounds }
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
