//! The descent of damped least squares: steps within limits, damping that adapts, and restarts.

use super::faces::Faces;
use super::scatter::Scatter;
use super::system::System;
use super::{JointMemory, JointPose, LeastSquaresSettings};
use crate::ik::Status;
use crate::ik::limb::{Limb, MARGIN};
use crate::joint::{Arm, Effort, Freedom, Range, Turning};
use crate::math;
use crate::rotation::{Rotation, wrap_angle};
use crate::space::{Limits, Spin, Vector};

/// The first damping, as a share of the system's size.
const DAMPING: f32 = 1e-3;

/// What a step that leads nearer leaves of the damping, down to the least of it.
const EASE: f32 = 0.2;
const LEAST_DAMPING: f32 = 1e-7;

/// What a step that would lead away makes of the damping.
const TIGHTEN: f32 = 8.0;

/// A damping at which a step is no more than a nudge along the gradient. Beyond, there is none that
/// wins anything.
const MOST_DAMPING: f32 = 1e4;

/// Where a descent ends short of its goal.
#[derive(Clone, Copy, PartialEq)]
enum Until {
    /// Once it is slow, for others may come after it: after so many steps in a row that each leave
    /// more than half of the squared gap. Towards a goal that it can reach a step leaves far less.
    Slow(u32),
    /// In a pose that another descent would leave alone.
    Rest,
}

const SLOW: Until = Until::Slow(3);

/// A step that leaves more than this share of the squared gap is slow, and one with a pull towards
/// rest is taken back.
const HALF: f32 = 0.5;

/// A chain rests where a step would win less than this share of the squared gap. Until it has moved
/// it takes that much to move it; from then on half, so that rounding does not wake what rests.
const LEAST_GAIN: f32 = 3e-6;

/// What a pull that hinders leaves of itself, and what it grows by with each step that it does not.
const LET_GO: f32 = 0.25;
const PULL_AGAIN: f32 = 2.0;

/// A pose from a restart is taken if it leaves less than this share of the squared gap, a tenth off
/// the gap. For less than that, a chain that follows a target would jump from pose to pose.
const NEARER: f32 = 0.81;

/// After so many descents that have come to within that share of the best gap, to either side, the
/// gap is taken for the least that the limits allow.
const ENOUGH: u32 = 6;

/// The most that all joints together turn in a step, in radians: further, the straight lines that
/// the step follows say nothing about the arcs that the joints take.
const LONGEST_STEP: f32 = 2.0;

/// The share of the reach that is far from the goal, for the pull towards rest.
const FAR_FROM_GOAL: f32 = 0.1;

/// How often a step is solved again because joints have met their bounds. What still leaves its
/// range then is put on the bound without the others making up for it.
const ROUNDS: usize = 8;

/// A descent in a goal space of `M` numbers: those of the position, and with a rotation goal those
/// of the rotation vector.
pub(super) struct Descent<'a, 'b, V: Vector, const M: usize> {
    limb: &'a mut Limb<'b, V>,
    memory: &'a mut [JointMemory<V>],
    settings: &'a LeastSquaresSettings<V>,
    /// The length that a radian counts as.
    radian: f32,
    /// The effector's rotation relative to the last joint.
    grip: V::Rotation,
    /// The share of the way to rest in this iteration.
    pull: f32,
    /// What is left of the pull that the settings ask for, after steps that it has hindered.
    grasp: f32,
    iterations: usize,
}

/// What is left to the goal.
#[derive(Clone, Copy)]
struct Gap<const M: usize> {
    parts: [f32; M],
    squared: f32,
    is_closed: bool,
}

impl<'a, 'b, V: Vector, const M: usize> Descent<'a, 'b, V, M> {
    pub(super) fn run(
        limb: &'a mut Limb<'b, V>,
        memory: &'a mut [JointMemory<V>],
        settings: &'a LeastSquaresSettings<V>,
    ) -> (Status, usize) {
        let radian = settings.rotation_weight * limb.reach.longest;
        let grip = V::Rotation::IDENTITY;
        let (pull, grasp, iterations) = (0.0, 1.0, 0);
        let mut descent = Self { limb, memory, settings, radian, grip, pull, grasp, iterations };
        descent.enter();
        (descent.search(), descent.iterations)
    }

    /// Takes the pose from the limb.
    fn enter(&mut self) {
        let joints = self.limb.limits();
        let mut parent = V::Rotation::IDENTITY;
        for ((m, own), joint) in self.memory.iter_mut().zip(self.limb.rotations.iter()).zip(joints)
        {
            let local = (parent.inverse() * *own).normalized();
            m.now = JointPose { local, angle: joint.angle_of(local) };
            m.tried = m.now;
            parent = *own;
        }
        self.grip = self.limb.rotations.last().map_or(parent, |last| parent.inverse() * *last);
    }

    /// Descends from the caller's pose, and where that ends short of the goal from others, until
    /// one gets there or enough of them have come no nearer.
    fn search(&mut self) -> Status {
        let start = self.lay_out();
        if !self.settings.restarts {
            return self.descend(start, Until::Rest).0;
        }
        let (mut status, mut best) = self.descend(start, SLOW);
        self.memory.iter_mut().for_each(|m| m.best = m.now);
        let (mut restart, mut alike) = (0_u16, 1);
        while status == Status::Stalled && alike < ENOUGH {
            restart = restart.saturating_add(1);
            let from = self.restart(restart);
            let (end, gap) = self.descend(from, SLOW);
            status = end;
            if gap.is_closed || gap.squared < NEARER * best.squared {
                (best, alike) = (gap, 1);
                self.memory.iter_mut().for_each(|m| m.best = m.now);
            } else if NEARER * gap.squared < best.squared {
                alike += 1;
            }
        }
        if status == Status::Reached {
            return status;
        }
        self.memory.iter_mut().for_each(|m| m.now = m.best);
        self.put_back();
        if status == Status::Stalled { self.descend(best, Until::Rest).0 } else { status }
    }

    /// Goes downhill from the pose laid out. `now` is then the pose laid out.
    fn descend(&mut self, mut gap: Gap<M>, until: Until) -> (Status, Gap<M>) {
        let (mut damping, mut slow, mut least) = (DAMPING, 0, LEAST_GAIN);
        let mut has_moved = false;
        self.grasp = 1.0;
        while !gap.is_closed {
            self.pull_from(&gap);
            let system = self.system(gap.parts);
            if until == Until::Slow(slow)
                || until == Until::Rest && self.slide(&gap, &system, least) < least
            {
                return (Status::Stalled, gap);
            }
            if self.iterations == self.settings.max_iterations {
                return (Status::IterationLimit, gap);
            }
            self.iterations += 1;
            let mut tried = self.attempt(&gap, system, damping);
            slow = if tried.squared > HALF * gap.squared { slow + 1 } else { 0 };
            if tried.squared < (1.0 - least) * gap.squared {
                damping = (damping * EASE).max(LEAST_DAMPING);
            } else {
                damping = (damping * TIGHTEN).min(TIGHTEN * MOST_DAMPING);
                if until == Until::Rest {
                    tried = self.attempt_slide(&gap);
                }
            }
            if tried.squared < (1.0 - least) * gap.squared {
                (gap, least, has_moved) = (tried, 0.5 * LEAST_GAIN, true);
                self.memory.iter_mut().for_each(|m| m.now = m.tried);
                continue;
            }
            self.put_back();
            if damping > MOST_DAMPING {
                if !has_moved {
                    return (Status::Stalled, gap);
                }
                // As another descent would begin from here.
                (damping, least, has_moved) = (DAMPING, LEAST_GAIN, false);
            }
        }
        (Status::Reached, gap)
    }

    /// Sets the pull, which dies away with the gap: what it moves the effector by, to second order,
    /// is then less than what the step closes.
    fn pull_from(&mut self, gap: &Gap<M>) {
        let far = math::sqrt(gap.squared) / (FAR_FROM_GOAL * self.limb.reach.longest);
        self.pull = self.settings.rest_pull * far.min(1.0) * self.grasp;
    }

    /// Tries a damped step from `now`, and where the pull towards rest hinders it one without.
    fn attempt(&mut self, gap: &Gap<M>, system: System<M>, damping: f32) -> Gap<M> {
        self.propose(system, damping);
        let tried = self.lay_out();
        if self.pull == 0.0 {
            return tried;
        }
        if tried.squared <= HALF * gap.squared {
            self.grasp = (PULL_AGAIN * self.grasp).min(1.0);
            return tried;
        }
        self.grasp *= LET_GO;
        self.pull = 0.0;
        self.put_back();
        let system = self.system(gap.parts);
        self.propose(system, damping);
        self.lay_out()
    }

    /// Tries a short step straight downhill from `now`, in place of a damped one.
    fn attempt_slide(&mut self, gap: &Gap<M>) -> Gap<M> {
        self.put_back();
        let system = self.system(gap.parts);
        self.slide(gap, &system, f32::INFINITY);
        self.lay_out()
    }

    /// Writes the pose to try: a short step straight downhill, each joint along its own limits.
    /// Returns the share of the squared gap that it promises to win, or `enough` as soon as it is
    /// that much.
    ///
    /// The step is as long as is safe however the joints' arcs bend, so that unlike the damped step
    /// it does not hang on the last digits, and at rest it is none.
    fn slide(&mut self, gap: &Gap<M>, system: &System<M>, enough: f32) -> f32 {
        let joints = self.limb.limits();
        let trace = system.size() * M as f32;
        let stiffness = trace + math::sqrt(trace * gap.squared);
        if stiffness <= 0.0 {
            return 0.0;
        }
        let (force, torque) = V::unflatten(resized(gap.parts));
        let (force, torque) = (force * (1.0 / stiffness), torque * (self.radian / stiffness));
        let mut won = 0.0;
        for ((m, own), joint) in self.memory.iter_mut().zip(self.limb.rotations.iter()).zip(joints)
        {
            let wanted = m.wanted(joint, force, torque).0;
            let made = m.turn(*own, joint, wanted).unwrap_or(wanted);
            let square = V::spin_dot(made, made);
            let gain = 2.0 * V::spin_dot(made, wanted) - square;
            if gain <= 0.0 {
                // What is nearest within an ellipse, by its own measure, may lie uphill.
                m.tried = m.now;
                continue;
            }
            won += gain.min(square) * stiffness / gap.squared;
            if won >= enough {
                break;
            }
        }
        won
    }

    /// Lays out `now` again.
    fn put_back(&mut self) {
        self.memory.iter_mut().for_each(|m| m.tried = m.now);
        self.lay_out();
    }

    /// Writes the tried pose to the limb, with arms and axes; returns what is left to the goal.
    fn lay_out(&mut self) -> Gap<M> {
        let joints = self.limb.limits();
        let limb = self.limb.rotations.iter_mut().zip(self.limb.bones.iter());
        let mut parent = V::Rotation::IDENTITY;
        let mut position = V::ZERO;
        for ((m, (own, bone)), joint) in self.memory.iter_mut().zip(limb).zip(joints) {
            parent = (parent * m.tried.local).renormalized();
            *own = parent;
            m.arm = position;
            if let Freedom::Hinge(axis, _) = joint.freedom() {
                m.axis = parent.rotate_spin(axis);
            }
            position = position + parent.rotate(*bone);
        }
        for m in self.memory.iter_mut() {
            m.arm = position - m.arm;
        }
        let own = (parent * self.grip).renormalized();
        if let Some(last) = self.limb.rotations.last_mut() {
            *last = own;
        }
        self.gap(position, own)
    }

    fn gap(&self, effector: V, own: V::Rotation) -> Gap<M> {
        let offset = self.limb.target - effector;
        let turn = self.settings.rotation.map(|wanted| wanted * own.inverse());
        let spin = turn.map_or(Spin::<V>::default(), |turn| turn.log() * self.radian);
        let parts: [f32; M] = resized(offset.flatten(spin));
        Gap {
            parts,
            squared: parts.iter().map(|x| x * x).sum(),
            is_closed: offset.length() <= self.limb.tolerance
                && turn.is_none_or(|t| t.angle() <= MARGIN * self.settings.rotation_tolerance),
        }
    }

    /// Writes the pose to try: a damped step in which every joint stays within its limits.
    fn propose(&mut self, mut system: System<M>, damping: f32) {
        let damping = damping * system.size();
        for _ in 0..ROUNDS {
            let force = self.bounded_force(&system, damping);
            if !self.step(force, &mut system) {
                break;
            }
        }
    }

    fn system(&mut self, gap: [f32; M]) -> System<M> {
        let joints = self.limb.limits();
        let mut system = System::new(gap);
        for ((m, own), joint) in self.memory.iter_mut().zip(self.limb.rotations.iter()).zip(joints)
        {
            m.settled = false;
            m.faces = Faces::default();
            m.add_to(&mut system, joint, self.radian, joint.weight());
            if self.pull > 0.0 {
                let pull = m.pull(*own, joint, self.pull);
                m.take_off(&mut system, pull, self.radian);
            }
        }
        system
    }

    /// What pulls at the effector, shortened if it would turn the joints too far.
    fn bounded_force(&self, system: &System<M>, damping: f32) -> (V, Spin<V>) {
        let joints = self.limb.limits();
        let (force, torque) = V::unflatten(resized(system.solve(damping)));
        let torque = torque * self.radian;
        let turned = self.memory.iter().zip(joints).filter(|(m, _)| !m.settled);
        let turned: f32 = turned.map(|(m, joint)| m.wanted(joint, force, torque).1).sum();
        let share = if turned > LONGEST_STEP { LONGEST_STEP / turned } else { 1.0 };
        (force * share, torque * share)
    }

    /// Tries the step that a force and a torque on the effector ask of every joint that is not
    /// settled. Settles those that meet a bound, or holds them to it, and returns whether there are
    /// any.
    fn step(&mut self, (force, torque): (V, Spin<V>), system: &mut System<M>) -> bool {
        let joints = self.limb.limits();
        let mut met_bound = false;
        for ((m, own), joint) in self.memory.iter_mut().zip(self.limb.rotations.iter()).zip(joints)
        {
            if m.settled {
                continue;
            }
            let mut wanted = m.wanted(joint, force, torque).0 + m.faces.towards;
            let mut pull = Spin::<V>::default();
            if self.pull > 0.0 {
                pull = m.pull(*own, joint, self.pull);
                wanted = wanted + m.faces.along(pull);
            }
            if let Some(made) = m.turn(*own, joint, wanted) {
                met_bound |= m.stop(system, joint, self.radian, (wanted, made, pull));
            }
        }
        met_bound
    }

    /// Takes up a pose from the sequence, its root swung towards the target.
    fn restart(&mut self, restart: u16) -> Gap<M> {
        let mut scatter = Scatter::new(restart, self.memory.len());
        for (m, joint) in self.memory.iter_mut().zip(self.limb.limits()) {
            m.tried = scatter.pose(joint);
        }
        self.lay_out();
        let joint = self.limb.joint(0);
        if let (Some(m), Some(own)) = (self.memory.first_mut(), self.limb.rotations.first()) {
            let seen = own.inverse();
            let arm = Arm { effector: seen.rotate(m.arm), target: seen.rotate(self.limb.target) };
            let local = joint.turn(*own, arm, Effort::FULL).0;
            m.tried = JointPose { local, angle: joint.angle_of(local) };
        }
        self.memory.iter_mut().for_each(|m| m.now = m.tried);
        self.lay_out()
    }
}

impl<V: Vector> JointMemory<V> {
    /// Adds the joint's axes, one or three, to the system.
    #[inline]
    fn add_to<const M: usize>(
        &self,
        system: &mut System<M>,
        joint: &V::Joint,
        radian: f32,
        weight: f32,
    ) {
        let column = |axis| self.column(axis, radian);
        match joint.freedom() {
            Freedom::Hinge(..) => system.add(column(self.axis), weight),
            Freedom::Ball => V::SPINS.into_iter().for_each(|axis| system.add(column(axis), weight)),
        }
    }

    /// Settles a hinge that was stopped by its bound, holds a ball joint to the face that it has
    /// met: takes that off the system, with what it has turned besides the pull that was counted.
    /// Returns whether there is anything new in it.
    fn stop<const M: usize>(
        &mut self,
        system: &mut System<M>,
        joint: &V::Joint,
        radian: f32,
        (wanted, made, pull): (Spin<V>, Spin<V>, Spin<V>),
    ) -> bool {
        match joint.freedom() {
            Freedom::Hinge(..) => {
                self.settled = true;
                self.add_to(system, joint, radian, -joint.weight());
                self.take_off(system, made - pull, radian);
                true
            }
            Freedom::Ball => {
                let Some((normal, depth)) = self.faces.meet(wanted, wanted - made) else {
                    return false;
                };
                system.add(self.column(normal, radian), -joint.weight());
                let turned = normal * (depth - V::spin_dot(pull, normal));
                self.take_off(system, turned, radian);
                true
            }
        }
    }

    /// What a turn about an axis brings the effector.
    #[inline]
    fn column<const M: usize>(&self, axis: Spin<V>, radian: f32) -> [f32; M] {
        resized(self.arm.spun(axis).flatten(axis * radian))
    }

    /// Takes what a turn brings off what is left to do.
    fn take_off<const M: usize>(&self, system: &mut System<M>, turn: Spin<V>, radian: f32) {
        let brought: [f32; M] = self.column(turn, radian);
        system.rest.iter_mut().zip(brought).for_each(|(rest, x)| *rest -= x);
    }

    /// The turn that a force and a torque on the effector ask of the joint, and its size.
    #[inline]
    fn wanted(&self, joint: &V::Joint, force: V, torque: Spin<V>) -> (Spin<V>, f32) {
        let turn = (self.arm.moment(force) + torque) * joint.weight();
        match joint.freedom() {
            Freedom::Hinge(..) => {
                let angle = V::spin_dot(self.axis, turn);
                (self.axis * angle, angle.abs())
            }
            Freedom::Ball => {
                let turn = self.faces.along(turn);
                (turn, math::sqrt(V::spin_dot(turn, turn)))
            }
        }
    }

    /// The turn by a share of the way to rest, or to the nearest that the limits allow to it.
    fn pull(&self, own: V::Rotation, joint: &V::Joint, share: f32) -> Spin<V> {
        let share = share * joint.weight();
        match joint.freedom() {
            Freedom::Hinge(_, range) => {
                let rest =
                    if range.is_full() { 0.0 } else { math::clamp(0.0, range.min, range.max) };
                self.axis * (share * (rest - self.now.angle))
            }
            Freedom::Ball => {
                let gap = self.now.local.inverse() * joint.nearest(joint.at(0.0));
                own.rotate_spin(gap.log() * share)
            }
        }
    }

    /// Tries the wanted turn. Where a limit stops the joint, returns the turn that it made.
    #[inline]
    fn turn(&mut self, own: V::Rotation, joint: &V::Joint, wanted: Spin<V>) -> Option<Spin<V>> {
        match joint.freedom() {
            Freedom::Hinge(_, range) => {
                let angle = self.now.angle + V::spin_dot(self.axis, wanted);
                let inside = inside(angle, range);
                self.tried = JointPose { local: joint.at(inside.0), angle: inside.0 };
                inside.1.then(|| self.axis * (inside.0 - self.now.angle))
            }
            Freedom::Ball => {
                let step = V::Rotation::exp(own.inverse().rotate_spin(wanted));
                let local = (self.now.local * step).normalized();
                let near = joint.nearest(local);
                self.tried.local = near;
                (near != local).then(|| own.rotate_spin((self.now.local.inverse() * near).log()))
            }
        }
    }
}

/// The angle brought inside a range, and whether that has moved it.
#[inline]
fn inside(angle: f32, range: Range) -> (f32, bool) {
    if range.is_full() {
        (wrap_angle(angle), false)
    } else {
        let inside = math::clamp(angle, range.min, range.max);
        (inside, inside != angle)
    }
}

/// A list cut off, or filled up with zeros.
#[inline]
fn resized<const N: usize, const M: usize>(list: [f32; N]) -> [f32; M] {
    let mut out = [0.0; M];
    out.iter_mut().zip(list).for_each(|(out, x)| *out = x);
    out
}
