//! FABRIK for chains with rotations: a rope where the joints are free, passes from joint to joint
//! where they have limits.

use super::bow;
use super::points::{End, Lengths, Rope};
use super::taut::{Drawn, Taut};
use super::{FabrikSettings, SLOW_LEFT};
use crate::check::check_most_length;
use crate::error::Error;
use crate::ik::limb::{Goal, Limb, solve};
use crate::ik::sweep::STALLED;
use crate::ik::{Solution, Status};
use crate::joint::{Arm, Effort, Turning};
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// What the largest stack remembers a point for.
const MOST_JOINTS: usize = 4097;

/// Drags a chain along its bones, in place, until its effector is at `target`.
///
/// `positions` and `rotations` are the joints' world poses, root first, effector last, at most 4097
/// of them; `joints` is empty (all free) or has one entry for each joint but the effector. The root
/// stays, the bones keep their lengths, the effector's rotation keeps its relation to the last
/// bone. Joints turn by what their bones turn, so that twist is kept. A pose outside its limits is
/// first brought inside; from there no iteration ends further from the target than it began, but
/// for one that bows a free chain.
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
/// the result is fed back. Cost: linear in the joints for each iteration, and a stack that holds a
/// vector for each of 65, 257, 1025 or 4097 joints, whichever is enough.
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
    check_most_length("positions", positions.len(), MOST_JOINTS)?;
    let goal = Goal::at(target, settings.tolerance);
    solve(positions, rotations, joints, goal, |limb, _| drag(limb, settings.max_iterations))
}

pub(crate) fn drag<V: Vector>(limb: &mut Limb<'_, V>, max_iterations: usize) -> (Status, usize) {
    if max_iterations > 0 && limb.reach_out() {
        return (Status::Stalled, 1);
    }
    match limb.rotations.len() {
        ..=65 => drag_up_to::<V, 65>(limb, max_iterations),
        66..=257 => drag_up_to::<V, 257>(limb, max_iterations),
        258..=1025 => drag_up_to::<V, 1025>(limb, max_iterations),
        _ => drag_up_to::<V, MOST_JOINTS>(limb, max_iterations),
    }
}

/// Remembers a point for each joint, of which there are no more than this. Never inlined: the stack
/// of one is not to be that of the largest.
#[inline(never)]
fn drag_up_to<V: Vector, const JOINTS: usize>(
    limb: &mut Limb<'_, V>,
    max_iterations: usize,
) -> (Status, usize) {
    let mut points = [V::ZERO; JOINTS];
    let points = points.get_mut(..limb.rotations.len()).unwrap_or_default();
    if limb.is_free() {
        return drag_points(limb, points, max_iterations);
    }
    let outcome = drag_limited(limb, points, max_iterations);
    // What rounding has added up to in joints that were carried along.
    limb.bring_inside();
    outcome
}

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
    if gap <= limb.tolerance {
        return (Status::Reached, 0);
    }
    if max_iterations == 0 {
        return (Status::IterationLimit, 0);
    }
    let End { status, iterations, .. } = rope.solve(gap, max_iterations);
    limb.turn_after(rope.points);
    (status, iterations)
}

/// With limits a pass is tried first and made only if it gains.
fn drag_limited<V: Vector>(
    limb: &mut Limb<'_, V>,
    points: &mut [V],
    max_iterations: usize,
) -> (Status, usize) {
    let mut effector = limb.effector();
    let mut gap = effector.distance(limb.target);
    let mut iterations = 0;
    while gap > limb.tolerance {
        if iterations == max_iterations {
            return (Status::IterationLimit, iterations);
        }
        iterations += 1;
        let before = gap;
        limb.drag_back(effector, points);
        if limb.follow_points(points, false).distance(limb.target) < SLOW_LEFT * gap {
            effector = limb.follow_points(points, true);
        } else {
            let tip = limb.tip(effector);
            effector = limb.relative(|limb| limb.sweep_from_tip(tip, Effort::FULL)).effector;
        }
        gap = effector.distance(limb.target);
        if let Some(fit) = limb.fit_taut(effector, gap) {
            if limb.draw(&fit, false).distance(limb.target) < gap {
                effector = limb.draw(&fit, true);
                gap = effector.distance(limb.target);
            }
        }
        if gap > SLOW_LEFT * before && gap > limb.tolerance {
            let tip = limb.tip(effector);
            if let Some(tip) = limb.relative(|limb| limb.turn_pair(tip, Effort::FULL)) {
                effector = tip.effector;
                gap = limb.gap_of(tip);
            }
        }
        if gap > (1.0 - STALLED) * before {
            return (Status::Stalled, iterations);
        }
    }
    (Status::Reached, iterations)
}

impl<V: Vector> Limb<'_, V> {
    /// From the target to the root: where each joint but the root is dragged to, within the limits
    /// of the one beyond. A point for each joint.
    fn drag_back(&self, effector: V, points: &mut [V]) {
        let Some((tip, points)) = points.split_last_mut() else { return };
        *tip = self.target;
        let (mut is, mut was) = (self.target, effector);
        let mut beyond = self.rotations.last().copied().unwrap_or(V::Rotation::IDENTITY);
        let pose = self.rotations.iter().zip(self.bones.iter()).zip(points);
        for (joint, ((own, bone), point)) in pose.enumerate().skip(1).rev() {
            let lies = own.rotate(*bone);
            was = was - lies;
            let mut rotation = V::Rotation::arc(lies, is - was) * *own;
            if let Some(limit) = self.joints.get(joint + 1) {
                let local = (rotation.inverse() * beyond).normalized();
                rotation = beyond * limit.nearest(local).inverse();
            }
            beyond = rotation.renormalized();
            is = is - beyond.rotate(*bone);
            *point = is;
        }
    }

    /// From the root to the tip: turns each bone towards its point.
    fn follow_points(&mut self, points: &[V], write: bool) -> V {
        let mut points = points.iter().skip(1);
        self.follow(write, |position, bone| points.next().map_or(bone, |point| *point - position))
    }

    /// Turns bones so that each points where `wanted` says, from where its joint is then and the
    /// bone as it lies; carries the effector's rotation along. Returns the effector, and writes the
    /// pose only if asked to.
    fn follow(&mut self, write: bool, mut wanted: impl FnMut(V, V) -> V) -> V {
        let (mut before, mut after) = (V::Rotation::IDENTITY, V::Rotation::IDENTITY);
        let mut position = V::ZERO;
        let joints = self.limits();
        let pose = self.rotations.iter_mut().zip(self.bones.iter());
        for ((rotation, bone), joint) in pose.zip(joints) {
            let local = (before.inverse() * *rotation).renormalized();
            let wanted = wanted(position, rotation.rotate(*bone));
            let own = after * local;
            let arm = Arm { effector: *bone, target: own.inverse().rotate(wanted) };
            let (turned, seen) = joint.turn(local, arm, Effort::FULL);
            position = position + after.rotate(seen.effector);
            (before, after) = (*rotation, (after * turned).renormalized());
            if write {
                *rotation = after;
            }
        }
        if let (Some(last), true) = (self.rotations.last_mut(), write) {
            *last = (after * before.inverse() * *last).renormalized();
        }
        position
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
            let target = own.inverse().rotate_fast(*point - position);
            let arm = Arm { effector: *bone, target };
            let (turned, seen) = V::Joint::FREE.turn(own, arm, Effort::FULL);
            carried = turned * rotation.inverse();
            *rotation = turned;
            position = position + seen.effector;
        }
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
        self.follow(write, |_, bone| drawn.bone(bone, bone.length()))
    }
}
