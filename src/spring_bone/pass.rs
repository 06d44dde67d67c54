//! One walk along a chain, from the root to the last tail: momentum, forces, contact, pose.

use crate::math;
use crate::packed::Packed;
use crate::rotation::{Rotation, Turned};
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
    #[inline]
    pub(crate) fn gains(self, drag: f32) -> (f32, f32) {
        let kept = 1.0 - drag;
        match self {
            Self::Frame => (kept, 1.0 / RATE),
            Self::Published(dt) => (kept, dt),
            Self::Part(s) => part_gains(s, drag),
        }
    }
}

/// [`Span::gains`] of a part of a frame.
#[inline(never)]
fn part_gains(s: f32, drag: f32) -> (f32, f32) {
    if s <= 0.0 {
        return (0.0, 0.0);
    }
    let g = if drag > 0.0 { -math::expm1(s * math::ln_1p(-drag)) / drag } else { s };
    let kept = (1.0 - drag) * g;
    (kept, force_gain(s, drag, kept) / RATE)
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
    fn new(span: Span, drag: f32) -> Self {
        Self { span, drag, of_drag: span.gains(drag) }
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
    pub(super) carried: Option<&'a Motion<V>>,
    pub(super) turn: Turn,
}

/// What drives a bone: the force on it, and what of its tail's momentum, of the force and along its
/// rest direction goes into the tail's next displacement.
#[derive(Clone, Copy)]
struct Drive<V: Vector> {
    force: V,
    push: f32,
    carry: V::Packed,
    draw: V::Packed,
    /// The displacement by the force.
    pushed: V::Packed,
}

impl<V: Vector> Drive<V> {
    /// [`Drive::new`] for a chain whose bones differ. Out of line, so that those of all other
    /// chains have the registers.
    #[cold]
    #[inline(never)]
    fn own(settings: &SpringBones<'_, V>, bone: usize, gains: &mut Gains) -> Self {
        Self::new(settings, bone, gains)
    }

    #[inline]
    fn new(settings: &SpringBones<'_, V>, bone: usize, gains: &mut Gains) -> Self {
        let spring = pick(settings.joints, bone).unwrap_or_default();
        let force = spring.gravity + pick(settings.external, bone).unwrap_or(V::ZERO);
        let (carry, push) = gains.of(spring.drag);
        let push = push * settings.units_per_metre;
        let pushed = V::Packed::from(force) * push;
        let (carry, draw) = (V::Packed::splat(carry), V::Packed::splat(spring.stiffness * push));
        Self { force, push, carry, draw, pushed }
    }
}

/// How far a pass has come.
struct Walk<V: Vector> {
    /// The joint at hand, as simulated, and as this call's animation has it.
    joint: V::Packed,
    animated_joint: V::Packed,
    /// What its parent is turned by, away from this call's animation.
    turn: Turned<V::Rotation>,
    /// What the animation has turned its parent by since the last call; kept up between calls only.
    moved: V::Rotation,
}

impl<V: Vector> Walk<V> {
    /// Takes a bone and the force on it back to an instant before this call.
    ///
    /// A joint comes from where its parent has taken it: in a chain that curls up it may turn by
    /// more than half a turn in all, and would by itself go the short way round.
    #[inline]
    fn go_back(
        &mut self,
        bone: &SpringState<V>,
        now: V::Rotation,
        drive: &mut Drive<V>,
        share: f32,
    ) {
        if bone.started {
            let rotation = (self.moved * bone.rest).nlerp(now, share);
            let turn = self.turn.unit * (rotation * now.inverse());
            self.turn = Turned::from_unit(turn.normalized());
            drive.pushed = V::Packed::from(lerp(bone.force, drive.force, share)) * drive.push;
        }
        self.moved = now * bone.rest.inverse();
    }
}

/// A bone that is drawn somewhere.
struct Aimed<V: Vector> {
    joint: V::Packed,
    length: f32,
    /// Its rest direction.
    axis: V::Packed,
    /// Where to.
    aim: V::Packed,
    /// Its tail's last displacement.
    momentum: V::Packed,
}

/// An aim as a vector of another length, and that length; the rest direction if it has none.
#[inline]
fn drawn<P: Packed>(aim: P, axis: P) -> (P, f32) {
    match aim.tame() {
        // The turn takes the aim as long as it is, and does not wait for the division.
        Some((aim, size, _)) => (aim, size),
        None => (axis, 1.0),
    }
}

/// A bone that has found its place.
struct Placed<V: Vector> {
    /// Its tail as simulated, and as shown.
    end: V::Packed,
    shown: V::Packed,
    /// What its joint is turned by, away from this call's animation.
    turn: Turned<V::Rotation>,
}

impl<V: Vector> Pass<'_, V> {
    /// Goes along the chain once. What it reports for a speed is how far the fastest tail went in
    /// the last frame.
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
        let Self { settings, turn: Turn { span, share, commit, show }, .. } = *self;
        let surroundings = Surroundings::new(settings, self.carried, share);
        let mut walk = Walk {
            joint: if share < 1.0 { lerp(root.position, root_now, share) } else { root_now }.into(),
            animated_joint: root_now.into(),
            turn: Turned::from_unit(V::Rotation::IDENTITY),
            moved: V::Rotation::IDENTITY,
        };
        let shared = settings.joints.len() <= 1 && settings.external.len() <= 1;
        let mut gains = Gains::new(span, first_drag(settings.joints));
        let mut drive = Drive::new(settings, 0, &mut gains);
        let chain = bones.iter_mut().zip(tails).zip(joints.iter_mut());
        for (i, ((bone, tail), rotation)) in chain.enumerate() {
            if !shared {
                drive = Drive::own(settings, i, &mut gains);
            }
            if share < 1.0 {
                walk.go_back(bone, *rotation, &mut drive, share);
            }
            let packed = V::Packed::from(*tail);
            let way = packed - walk.animated_joint;
            walk.animated_joint = packed;
            let placed = self.place(&walk, (bone, way), &drive, &surroundings, (i, &mut report));
            if commit {
                (bone.previous, bone.position) = (bone.position, placed.end.into());
            }
            if show {
                // The slice keeps the turns until the chain is through.
                (bone.rest, bone.force, bone.started) = (*rotation, drive.force, true);
                (*tail, *rotation) = (placed.shown.into(), placed.turn.unit);
            }
            (walk.joint, walk.turn) = (placed.shown, placed.turn);
        }
        if show {
            report.speed = show_turns(joints, bones);
            *last = (walk.turn.unit * *last).normalized();
            (root.position, root.previous, root.started) = (root_now, root.position, true);
        }
        report
    }

    /// Finds a bone's place, given what it remembers and how it is driven now.
    #[inline]
    fn place(
        &self,
        walk: &Walk<V>,
        (bone, way): (&SpringState<V>, V::Packed),
        drive: &Drive<V>,
        surroundings: &Surroundings<'_, V>,
        (index, report): (usize, &mut SpringReport),
    ) -> Placed<V> {
        let Walk { joint, turn, .. } = *walk;
        let Some((along, size, length)) = way.tame() else {
            return Placed { end: joint, shown: joint, turn };
        };
        // Before all that waits for the bone's parent, so that the processor gets to it in time.
        let position = V::Packed::from(bone.position);
        let momentum = position - bone.previous.into();
        let drift = momentum * drive.carry + drive.pushed;
        let drifted = position + drift;
        let axis = turn.rotate(along) * (1.0 / size);
        let aim = drifted - joint + axis * drive.draw;
        let (aimed, reach) = drawn(aim, axis);
        let (aim, reach, weight) = if surroundings.free {
            (aimed, reach, 1.0)
        } else {
            let bone = Aimed { joint, length, axis, aim, momentum };
            self.hinder(&bone, (aimed, reach), (drive, surroundings), (index, report))
        };
        let end = joint + aim * (length / reach);
        let (shown, turn) = if weight < 1.0 {
            let out = aim * (1.0 / reach);
            let arc = part_of_arc::<V>(axis.into(), out.into(), weight);
            let shown = joint + V::Packed::from(arc.rotate(axis.into())) * length;
            (shown, Turned::from_unit((arc * turn.unit).renormalized()))
        } else {
            (end, turn.unit.and_arc(axis, aim, reach))
        };
        Placed { end, shown, turn }
    }

    /// Where a bone points that has a limit, a weight or colliders about it, how long that vector
    /// is, and its weight. Out of line as [`Drive::own`] is.
    #[cold]
    #[inline(never)]
    fn hinder(
        &self,
        bone: &Aimed<V>,
        (mut aim, mut reach): (V::Packed, f32),
        (drive, surroundings): (&Drive<V>, &Surroundings<'_, V>),
        (index, report): (usize, &mut SpringReport),
    ) -> (V::Packed, f32, f32) {
        let spring = pick(self.settings.joints, index).unwrap_or_default();
        if !self.settings.colliders.is_empty() || spring.is_limited() {
            let rest = self.rest_of_frame(bone, drive, &spring);
            let (joint, length, limit) = (bone.joint, bone.length, spring.angle_limit);
            let radius = spring.hit_radius * self.settings.units_per_metre;
            let out = aim * (1.0 / reach);
            // Of all that the tail goes in the rest of the frame, more than enough.
            let sway = rest.map_or(0.0, |rest| 2.0 * length * (rest.length() / bone.aim.length()));
            let tail = (joint + out * length).into();
            if !spring.is_limited() && surroundings.are_far(tail, radius + sway) {
                *report = Rounds::CLEAR.into_report(*report);
                return (aim, reach, spring.weight);
            }
            let (joint, axis) = (joint.into(), bone.axis.into());
            let mut limb = Limb { joint, length, axis, aim: out.into(), radius, limit };
            let ahead = rest.and_then(|rest| surroundings.foresee(&limb, bone.aim + rest));
            if let Some((aside, _)) = ahead {
                let share = drive.push * RATE / self.settings.units_per_metre;
                (aim, reach) = drawn(bone.aim + aside * share, bone.axis);
                limb.aim = (aim * (1.0 / reach)).into();
            }
            let (clear, rounds) = match ahead {
                Some((_, whole)) => surroundings.follow(&limb, whole),
                None => self.meet(surroundings, &limb),
            };
            if let Some(rounds) = rounds {
                *report = rounds.into_report(*report);
            }
            if clear != limb.aim {
                (aim, reach) = (clear.into(), 1.0);
            }
        }
        (aim, reach, spring.weight)
    }

    /// What the rest of a frame, of which a part is shown among colliders, would add to an aim.
    fn rest_of_frame(
        &self,
        bone: &Aimed<V>,
        drive: &Drive<V>,
        spring: &SpringJoint<V>,
    ) -> Option<V::Packed> {
        let SpringBones { rule, colliders, units_per_metre, .. } = *self.settings;
        let is_part = matches!(self.turn.span, Span::Part(_));
        if !is_part || rule != SpringRule::Steady || colliders.is_empty() {
            return None;
        }
        let (carry, push) = Span::Frame.gains(spring.drag);
        let force = V::Packed::from(drive.force) + bone.axis * spring.stiffness;
        let momentum = bone.momentum * (V::Packed::splat(carry) - drive.carry);
        Some(momentum + force * (push * units_per_metre - drive.push))
    }

    /// Where a bone comes to point among what is in its way.
    fn meet(&self, surroundings: &Surroundings<'_, V>, limb: &Limb<V>) -> (V, Option<Rounds>) {
        match self.settings.rule {
            SpringRule::Steady => surroundings.settle(limb),
            SpringRule::Vrm if self.turn.commit => surroundings.meet_once(limb),
            SpringRule::Vrm => (limb.aim, None),
        }
    }
}

/// Makes the joints' turns their rotations, and tells how far the fastest tail went in the last
/// frame.
///
/// After the chain: no bone waits for another's rotation, only for its turn.
fn show_turns<V: Vector>(turns: &mut [V::Rotation], bones: &[SpringState<V>]) -> f32 {
    let mut farthest = 0.0;
    for (turn, bone) in turns.iter_mut().zip(bones) {
        *turn = (*turn * bone.rest).renormalized();
        let way = (bone.position - bone.previous).length_squared();
        farthest = math::greater(farthest, way);
    }
    math::sqrt(farthest)
}

/// Entry `index` of a slice with an entry a bone, or one for all.
#[inline]
pub(crate) fn pick<T: Copy>(slice: &[T], index: usize) -> Option<T> {
    match slice {
        [all] => Some(*all),
        each => each.get(index).copied(),
    }
}

/// The drag of a chain's first bone: most chains have no other.
#[inline]
pub(crate) fn first_drag<V: Vector>(joints: &[SpringJoint<V>]) -> f32 {
    pick(joints, 0).unwrap_or_default().drag
}

/// A share of the arc between two unit vectors. Out of line as [`Drive::own`] is.
#[cold]
#[inline(never)]
fn part_of_arc<V: Vector>(from: V, to: V, share: f32) -> V::Rotation {
    V::Rotation::unit_arc(from, to).scaled(share)
}
