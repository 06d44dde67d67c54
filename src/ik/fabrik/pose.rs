use core::ops::Range;

use super::bow::{self, Bow};
use super::points::{End, Lengths, Rope};
use super::taut::{Drawn, Taut};
use super::{FLAT, FabrikSettings, NEARLY_FLAT, SLOW};
use crate::error::{Error, Fault};
use crate::ik::limb::{Goal, Limb, solve};
use crate::ik::sweep::STALLED;
use crate::ik::{Solution, Status};
use crate::joint::{Arm, Effort};
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// How many points the way back remembers on the stack. A longer chain goes back twice: once to
/// remember every so many points, and once again from one of these to the next.
const BLOCK: usize = 64;

/// The most bones: a block of blocks.
const MOST_BONES: usize = BLOCK * BLOCK;

/// Drags a chain along its bones, in place, until its effector is at `target`.
///
/// `positions` and `rotations` are the joints' world poses, root first, effector last, at most 4097
/// of them; `joints` is empty (all free) or has one entry for each joint but the effector. The root
/// stays, the bones keep their lengths, the effector's rotation keeps its relation to the last
/// bone. Joints turn by what their bones turn, so that twist is kept. A pose outside its limits is
/// first brought inside; from there no iteration ends further from the target than it began.
///
/// Limits hold on the way to the root, against the joint beyond, and on the way back to the tip,
/// against the joint before. An iteration that limits keep from gaining is replaced by a sweep of
/// cyclic coordinate descent, for which see [`ccd_solve`](crate::ccd_solve). After each iteration
/// the chain is drawn taut, or let go slack, so that its chord is as long as the target is far:
/// near full reach this saves thousands of iterations.
///
/// A free chain whose target is at or beyond its full reach is pointed at it in one step. A free
/// chain that lies on the line to its target is bowed, to the side of
/// [`Vector::perpendicular`] in its root's frame. Zero-length bones stay points.
///
/// Accuracy: bones keep their lengths to 1e-5 and rotations their limits to 1e-5 rad, however often
/// the result is fed back. Cost: linear in the joints for each iteration.
///
/// Source: Aristidou and Lasenby (2011), "FABRIK: A fast, iterative solver for the Inverse
/// Kinematics problem".
///
/// # Errors
/// Fewer than two joints, or more than 4097; slices of different lengths; a number that is not
/// finite; a coordinate beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE); a rotation not of unit
/// length; a joint or a setting outside its documented range. The slices are then as they were.
///
/// ```
/// use sinew::{FabrikSettings, Joint3, Status, fabrik_solve, glam::{Quat, Vec3}};
///
/// let mut positions = [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0, Vec3::Y * 3.0];
/// let mut rotations = [Quat::IDENTITY; 4];
/// let target = Vec3::new(1.5, 1.5, 0.5);
/// let joints = [Joint3::cone(Vec3::Y, 1.5); 3];
/// let settings = FabrikSettings::default();
/// let solution = fabrik_solve(&mut positions, &mut rotations, &joints, target, &settings)?;
/// assert_eq!(solution.status, Status::Reached);
/// // The joints have turned with their bones.
/// assert!((rotations[2] * Vec3::Y).distance(positions[3] - positions[2]) < 1e-5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn fabrik_solve<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    target: V,
    settings: &FabrikSettings,
) -> Result<Solution, Error> {
    settings.check()?;
    if positions.len() > MOST_BONES + 1 {
        let (most, actual) = (MOST_BONES + 1, positions.len());
        return Err(Error::new("positions", Fault::TooLong { most, actual }));
    }
    let goal = Goal::at(target, settings.tolerance);
    solve(positions, rotations, joints, goal, |limb, _| drag(limb, settings.max_iterations))
}

pub(crate) fn drag<V: Vector>(limb: &mut Limb<'_, V>, max_iterations: usize) -> (Status, usize) {
    if max_iterations > 0 && limb.reach_out() {
        return (Status::Stalled, 1);
    }
    let is_free = limb.joints.iter().all(Limits::is_free);
    let mut points = [V::ZERO; REMEMBERED];
    match points.get_mut(..=limb.bones.len()) {
        Some(points) if is_free => drag_points(limb, points, max_iterations),
        _ if is_free => drag_free(limb, max_iterations),
        _ => {
            let outcome = drag_limited(limb, max_iterations);
            // What rounding has added up to in joints that were carried along.
            limb.bring_inside();
            outcome
        }
    }
}

/// The most joints of a free chain that is remembered as points.
pub(crate) const REMEMBERED: usize = BLOCK + 1;

/// A free chain is a rope, and in the end its joints turn after it.
fn drag_points<V: Vector>(
    limb: &mut Limb<'_, V>,
    points: &mut [V],
    max_iterations: usize,
) -> (Status, usize) {
    let mut position = V::ZERO;
    for (point, bone) in points.iter_mut().skip(1).zip(limb.laid_bones()) {
        position = position + bone;
        *point = position;
    }
    let mut lengths = Lengths::NONE;
    lengths.measure(points);
    let mut rope = Rope {
        points,
        lengths: &lengths,
        root: V::ZERO,
        frame: limb.rotations.first().copied().unwrap_or(V::Rotation::IDENTITY),
        target: limb.target,
        reach: limb.reach,
        tolerance: limb.tolerance,
    };
    let gap = rope.gap();
    if gap <= limb.tolerance || max_iterations == 0 {
        return (Status::IterationLimit, 0);
    }
    let End { status, iterations, .. } = rope.solve(gap, max_iterations);
    limb.turn_after(rope.points);
    (status, iterations)
}

/// A free chain that is too long to be remembered as points: every pass brings it nearer.
fn drag_free<V: Vector>(limb: &mut Limb<'_, V>, max_iterations: usize) -> (Status, usize) {
    let mut effector = limb.effector();
    let mut gap = effector.distance(limb.target);
    let mut iterations = 0;
    let mut flat = FLAT;
    while gap > limb.tolerance && iterations < max_iterations {
        // Where no bend gets there, none is made.
        if flat > 0.0 && !limb.is_out_of_reach() {
            let line = bow::line(limb.target, limb.laid_bones());
            if limb.is_within(line, flat) {
                effector = limb.bow(line);
            }
        }
        iterations += 1;
        let before = gap;
        effector = limb.there_and_back(effector, true);
        gap = effector.distance(limb.target);
        if gap > limb.tolerance {
            if let Some(fit) = limb.fit_taut(effector, gap) {
                effector = limb.draw(&fit, true);
                gap = effector.distance(limb.target);
            }
        }
        flat = if gap > SLOW * before { NEARLY_FLAT } else { 0.0 };
    }
    (Status::IterationLimit, iterations)
}

/// With limits a pass is tried first and made only if it gains.
fn drag_limited<V: Vector>(limb: &mut Limb<'_, V>, max_iterations: usize) -> (Status, usize) {
    let mut effector = limb.effector();
    let mut gap = effector.distance(limb.target);
    let mut iterations = 0;
    while gap > limb.tolerance {
        if iterations == max_iterations {
            return (Status::IterationLimit, iterations);
        }
        iterations += 1;
        let before = gap;
        if limb.there_and_back(effector, false).distance(limb.target) < SLOW * gap {
            effector = limb.there_and_back(effector, true);
        } else {
            limb.relative(|limb| limb.sweep_from_tip(Effort::FULL));
            effector = limb.effector();
        }
        gap = effector.distance(limb.target);
        if let Some(fit) = limb.fit_taut(effector, gap) {
            if limb.draw(&fit, false).distance(limb.target) < gap {
                effector = limb.draw(&fit, true);
                gap = effector.distance(limb.target);
            }
        }
        if gap > SLOW * before
            && gap > limb.tolerance
            && limb.relative(|limb| limb.turn_pair(gap, Effort::FULL)).is_some()
        {
            effector = limb.effector();
            gap = effector.distance(limb.target);
        }
        if gap > (1.0 - STALLED) * before {
            return (Status::Stalled, iterations);
        }
    }
    (Status::Reached, iterations)
}

/// A joint on the way back: where it is dragged to, how it is turned there, and where it was.
#[derive(Clone, Copy)]
struct Dragged<V: Vector> {
    position: V,
    rotation: V::Rotation,
    was: V,
}

/// The end of the laid-out part of a chain: its last joint's parent before and after, and where the
/// next joint is.
struct Walk<V: Vector> {
    before: V::Rotation,
    after: V::Rotation,
    position: V,
}

impl<V: Vector> Walk<V> {
    const START: Self =
        Self { before: V::Rotation::IDENTITY, after: V::Rotation::IDENTITY, position: V::ZERO };
}

impl<V: Vector> Limb<'_, V> {
    /// One iteration: from the target to the root, and back to the tip. Returns the effector, and
    /// writes the pose only if asked to.
    fn there_and_back(&mut self, effector: V, write: bool) -> V {
        let count = self.bones.len();
        let stride = BLOCK.max(count.div_ceil(BLOCK));
        let rotation = self.rotations.last().copied().unwrap_or(V::Rotation::IDENTITY);
        let tip = Dragged { position: self.target, rotation, was: effector };
        // Entry k is the joint at the far end of block k.
        let mut ends = [tip; BLOCK];
        self.drag_back(stride..count, tip, |joint, dragged| {
            if joint % stride == 0 {
                if let Some(end) = ends.get_mut(joint / stride - 1) {
                    *end = dragged;
                }
            }
        });
        let mut walk = Walk::START;
        for (block, end) in ends.into_iter().enumerate().take(count.div_ceil(stride)) {
            let first = block * stride;
            let last = count.min(first + stride);
            // Entry k is where joint first + 1 + k is dragged to.
            let mut aims = [end.position; BLOCK];
            self.drag_back(first + 1..last, end, |joint, dragged| {
                if let Some(aim) = aims.get_mut(joint - first - 1) {
                    *aim = dragged.position;
                }
            });
            let mut aims = aims.into_iter();
            self.follow(&mut walk, first..last, write, |position, bone| {
                aims.next().map_or(bone, |aim| aim - position)
            });
        }
        self.finish(&walk, write)
    }

    /// From joint `joints.end`, dragged as `from` says, to joint `joints.start`.
    fn drag_back(
        &self,
        joints: Range<usize>,
        from: Dragged<V>,
        mut visit: impl FnMut(usize, Dragged<V>),
    ) {
        let mut beyond = from;
        for joint in joints.rev() {
            let (Some(own), Some(bone)) = (self.rotations.get(joint), self.bones.get(joint)) else {
                return;
            };
            let lies = own.rotate(*bone);
            let was = beyond.was - lies;
            let mut rotation = V::Rotation::arc(lies, beyond.position - was) * *own;
            if let Some(limit) = self.joints.get(joint + 1) {
                let local = (rotation.inverse() * beyond.rotation).normalized();
                rotation = beyond.rotation * limit.nearest(local).inverse();
            }
            let rotation = rotation.renormalized();
            beyond = Dragged { position: beyond.position - rotation.rotate(*bone), rotation, was };
            visit(joint, beyond);
        }
    }

    /// Turns bones so that each points where `wanted` says, from where its joint is then and the
    /// bone as it lies.
    fn follow(
        &mut self,
        walk: &mut Walk<V>,
        joints: Range<usize>,
        write: bool,
        mut wanted: impl FnMut(V, V) -> V,
    ) {
        let free = V::Joint::FREE;
        let pose = self.rotations.iter_mut().zip(self.bones.iter()).enumerate();
        for (index, (rotation, bone)) in pose.skip(joints.start).take(joints.len()) {
            let joint = self.joints.get(index).unwrap_or(&free);
            let local = (walk.before.inverse() * *rotation).renormalized();
            let wanted = wanted(walk.position, rotation.rotate(*bone));
            let own = walk.after * local;
            let arm = Arm { effector: *bone, target: own.inverse().rotate(wanted) };
            let (turned, bone) = joint.turn(local, arm, Effort::FULL);
            let turned = (walk.after * turned).renormalized();
            let bone = walk.after.rotate(bone);
            walk.before = *rotation;
            walk.after = turned;
            walk.position = walk.position + bone;
            if write {
                *rotation = turned;
            }
        }
    }

    /// Turns free joints so that their bones lead through these points, root first.
    fn turn_after(&mut self, points: &[V]) {
        let mut carried = V::Rotation::IDENTITY;
        let mut position = V::ZERO;
        let mut pairs = self.bones.iter().zip(points.iter().skip(1));
        for rotation in self.rotations.iter_mut() {
            let own = (carried * *rotation).renormalized();
            let Some((bone, point)) = pairs.next() else {
                *rotation = own;
                break;
            };
            // A free joint asks for no parent.
            let target = own.inverse().swing(*point - position);
            let arm = Arm { effector: *bone, target };
            let (turned, bone) = V::Joint::FREE.turn(own, arm, Effort::FULL);
            carried = turned * rotation.inverse();
            *rotation = turned;
            position = position + bone;
        }
    }

    /// Carries the effector's rotation along; returns where the effector is.
    fn finish(&mut self, walk: &Walk<V>, write: bool) -> V {
        if let (Some(last), true) = (self.rotations.last_mut(), write) {
            *last = (walk.after * walk.before.inverse() * *last).renormalized();
        }
        walk.position
    }

    fn laid_bones(&self) -> impl Iterator<Item = V> + Clone + '_ {
        self.bones.iter().zip(self.rotations.iter()).map(|(bone, own)| own.rotate(*bone))
    }

    /// A tauter, or slacker, shape whose chord is as long as the target is far, turned towards it,
    /// if that closes some of the gap.
    fn fit_taut(&self, effector: V, gap: f32) -> Option<Drawn<V>> {
        let distance = self.target.length();
        let line = bow::line(self.target, self.laid_bones());
        Taut::fit(&self.laid_bones(), effector, distance, self.tolerance)
            .and_then(|taut| taut.towards(line, distance, gap))
    }

    /// Takes up that shape; returns the effector.
    fn draw(&mut self, drawn: &Drawn<V>, write: bool) -> V {
        let mut walk = Walk::START;
        let all = 0..self.bones.len();
        self.follow(&mut walk, all, write, |_, bone| drawn.bone(bone));
        self.finish(&walk, write)
    }

    /// Whether all joints lie within a share of the reach from the line to the target.
    fn is_within(&self, line: V, flat: f32) -> bool {
        let mut position = V::ZERO;
        let points = self.laid_bones().map(|bone| {
            position = position + bone;
            position
        });
        bow::is_within(line, points, flat * self.reach.longest)
    }

    /// Bows the chain to a side that turns with its root.
    fn bow(&mut self, line: V) -> V {
        let root = self.rotations.first().copied().unwrap_or(V::Rotation::IDENTITY);
        let side = root.rotate(root.inverse().rotate(line).perpendicular());
        let share = self.target.length() / self.reach.longest;
        let mut bow = Bow::new(line, side, share, self.bones.len());
        let mut walk = Walk::START;
        self.follow(&mut walk, 0..self.bones.len(), true, |_, bone| bow.next(bone));
        self.finish(&walk, true)
    }
}
