//! A chain as the iterative solvers hold it: bones in their joints' frames, everything seen from
//! the root.

use core::iter::repeat;

use super::sweep::Tip;
use super::{Solution, Status};
use crate::chain::{Reach, bones_to_positions, check_points, measure, positions_to_bones};
use crate::check::{check_each, check_least_length, check_length, check_optional_length};
use crate::error::Error;
use crate::math;
use crate::rotation::{Product, Rotation, check_rotations};
use crate::space::{Limits, Vector, check_vector, unit_or_zero};

/// Lent slices, converted in place. [`Limb::leave`] turns them back into world poses.
pub(crate) struct Limb<'a, V: Vector> {
    pub(crate) root: &'a mut V,
    /// `bones[i]` leads from joint i to joint i + 1, in joint i's frame.
    pub(crate) bones: &'a mut [V],
    /// One more than the bones: the last belongs to the effector.
    pub(crate) rotations: &'a mut [V::Rotation],
    /// One for each bone, or empty: all free.
    pub(crate) joints: &'a [V::Joint],
    /// From the root.
    pub(crate) target: V,
    pub(crate) reach: Reach,
    /// How near to the target is near enough, less a margin for rounding.
    pub(crate) tolerance: f32,
    /// Lengths here, times this power of two, are lengths in the slices: the reach is about 1
    /// whatever the caller's unit, and nothing overflows or underflows.
    pub(crate) unit: f32,
}

/// The solvers go for this share of the tolerance, so that they are still within it when the
/// positions are rounded.
pub(crate) const MARGIN: f32 = 0.9;

/// Beyond this many times the reach a target is only a direction.
pub(crate) const FAR: f32 = 1e6;

/// The share of its bends that a chain keeps which is drawn taut, so that it goes on to bend to the
/// sides to which it was bent.
const TRACE: f32 = 0.05;

/// A target, from the root, brought nearer if it is so far that it is only a direction.
pub(crate) fn near<V: Vector>(target: V, reach: f32) -> V {
    let distance = target.length();
    if distance > FAR * reach { target * (FAR * reach / distance) } else { target }
}

/// Where the effector is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Goal<V: Vector> {
    pub(crate) target: V,
    /// As a share of the longest reach.
    pub(crate) tolerance: f32,
    /// The effector's rotation, and how near to it is near enough, in radians.
    pub(crate) rotation: Option<(V::Rotation, f32)>,
}

impl<V: Vector> Goal<V> {
    pub(crate) fn at(target: V, tolerance: f32) -> Self {
        Self { target, tolerance, rotation: None }
    }

    /// How far the pose is from it: the distance, the angle, and whether both are near enough.
    fn gaps(&self, positions: &[V], rotations: &[V::Rotation], tolerance: f32) -> (f32, f32, bool) {
        let distance = positions.last().map_or(0.0, |effector| effector.distance(self.target));
        let (angle, most) = match (self.rotation, rotations.last()) {
            (Some((wanted, most)), Some(own)) => ((own.inverse() * wanted).angle(), most),
            _ => (0.0, 0.0),
        };
        (distance, angle, distance <= tolerance && angle <= most)
    }
}

/// What the iterative solvers share: checks, a pose that is good as it comes and stays bit for bit,
/// limits at the start, and a report that follows from the pose returned.
///
/// `descend` brings the limb as near to the goal as it can, its effector being where it is told,
/// and says why it stopped and after how many iterations.
pub(crate) fn solve<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    goal: Goal<V>,
    descend: impl FnOnce(&mut Limb<'_, V>, V) -> (Status, usize),
) -> Result<Solution, Error> {
    check_shape(positions.len(), rotations.len(), joints.len())?;
    let reach = measure(positions);
    check_points("positions", positions, reach)?;
    check_rotations("rotations", rotations)?;
    check_each(joints, Limits::check)?;
    check_vector("target", goal.target)?;
    let tolerance = goal.tolerance * reach.longest;
    let (distance, angle, is_met) = goal.gaps(positions, rotations, tolerance);
    if is_met && is_admissible::<V>(rotations, joints) {
        return Ok(Solution { status: Status::Reached, iterations: 0, distance, angle });
    }
    let (mut status, mut iterations) = (Status::Stalled, 0);
    let effector = span(positions);
    if let Some(mut limb) = Limb::enter(positions, rotations, joints, &goal, reach) {
        let was_outside = limb.bring_inside();
        let effector = if was_outside { limb.effector() } else { effector * (1.0 / limb.unit) };
        if !is_point(reach) {
            (status, iterations) = descend(&mut limb, effector);
        }
        if limb.is_out_of_reach() {
            status = Status::Unreachable;
        }
        limb.leave();
    }
    let (distance, angle, is_met) = goal.gaps(positions, rotations, tolerance);
    if is_met {
        status = Status::Reached;
    } else if status == Status::Reached {
        // Met by the limb as seen from its root, and lost again to the last digits of positions
        // far from the origin.
        status = Status::Stalled;
    }
    Ok(Solution { status, iterations, distance, angle })
}

/// From the first point to the last.
fn span<V: Vector>(points: &[V]) -> V {
    points.first().zip(points.last()).map_or(V::ZERO, |(first, last)| *last - *first)
}

/// `Ok` if there are so many entries as a chain has.
pub(crate) fn check_shape(positions: usize, rotations: usize, joints: usize) -> Result<(), Error> {
    check_least_length("positions", positions, 2)?;
    check_length("rotations", rotations, positions)?;
    check_optional_length("joints", joints, positions - 1)
}

/// The end of bones in their joints' frames, from the root.
pub(crate) fn effector<V: Vector>(bones: &[V], rotations: &[V::Rotation]) -> V {
    let bones = bones.iter().zip(rotations);
    bones.fold(V::ZERO, |sum, (bone, rotation)| sum + rotation.rotate(*bone))
}

/// Whether no bone has any length to speak of: there is nothing to solve, but limits to hold.
fn is_point(reach: Reach) -> bool {
    reach.longest < f32::MIN_POSITIVE
}

/// Whether every joint is within its limits as the pose stands.
pub(crate) fn is_admissible<V: Vector>(rotations: &[V::Rotation], joints: &[V::Joint]) -> bool {
    let mut parent = V::Rotation::IDENTITY;
    joints.iter().zip(rotations).all(|(joint, rotation)| {
        let local = parent.inverse() * *rotation;
        parent = *rotation;
        joint.nearest(local) == local
    })
}

impl<'a, V: Vector> Limb<'a, V> {
    /// Takes a chain that has passed its checks. `None` if it is empty.
    fn enter(
        positions: &'a mut [V],
        rotations: &'a mut [V::Rotation],
        joints: &'a [V::Joint],
        goal: &Goal<V>,
        reach: Reach,
    ) -> Option<Self> {
        let unit = if is_point(reach) { 1.0 } else { math::binade(reach.longest) };
        positions_to_bones(positions, rotations, 1.0 / unit);
        let (root, bones) = positions.split_first_mut()?;
        let longest = reach.longest / unit;
        let reach = Reach { shortest: reach.shortest / unit, longest };
        // By the unit, not the reach: a target of a chain of points stays out of its reach.
        let target = near(goal.target - *root, unit) * (1.0 / unit);
        let tolerance = MARGIN * goal.tolerance * longest;
        Some(Self { root, bones, rotations, joints, target, reach, tolerance, unit })
    }

    /// Turns the slices back into world poses.
    fn leave(self) {
        bones_to_positions(self.root, self.bones, self.rotations, self.unit);
    }

    /// Whether no pose of these bones is near enough to the target, by what distance alone says.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        let distance = self.target.length();
        distance > self.reach.longest + self.tolerance
            || distance < self.reach.shortest - self.tolerance
    }

    /// A free chain whose target is at or beyond its full reach comes as near as it can in closed
    /// form: straight. Returns whether it has.
    pub(crate) fn reach_out(&mut self) -> bool {
        let applies = self.is_free() && self.target.length() >= self.reach.longest - self.tolerance;
        if applies {
            self.straighten(0.0);
        }
        applies
    }

    /// Straightens a free chain whose target is at this share of its full reach or beyond, if that
    /// is nearer than the gap that it has; short of full reach it keeps a trace of its bends.
    /// Returns whether it has.
    pub(crate) fn draw_taut(&mut self, share: f32, gap: f32) -> bool {
        let distance = self.target.length();
        let slack = self.reach.longest - distance;
        let applies = self.is_free()
            && distance >= share * self.reach.longest
            && (slack <= 0.0 || slack < gap);
        if applies {
            self.straighten(if slack > 0.0 { TRACE } else { 0.0 });
        }
        applies
    }

    /// Points every bone at the target, root first; of what it is off the line from the root to the
    /// effector, this share is left.
    fn straighten(&mut self, left: f32) {
        let ahead = unit_or_zero(self.target);
        let turn = if left > 0.0 {
            V::Rotation::arc(self.effector(), self.target)
        } else {
            V::Rotation::IDENTITY
        };
        let mut carried = V::Rotation::IDENTITY;
        let mut bones = self.bones.iter();
        for rotation in self.rotations.iter_mut() {
            let own = carried * *rotation;
            let bone = bones.next().copied().unwrap_or(V::ZERO);
            let mut wanted = ahead * bone.length();
            if left > 0.0 {
                let drawn = turn.rotate(rotation.rotate(bone));
                wanted = wanted + (drawn - ahead * drawn.dot(ahead)) * left;
            }
            let arc = V::Rotation::arc(own.rotate(bone), wanted);
            let turned = (arc * own).normalized();
            carried = (arc * carried).normalized();
            *rotation = turned;
        }
    }

    /// Brings every joint inside its limits, root first; joints that are inside keep their
    /// rotation relative to the parent. Returns whether any was not.
    pub(crate) fn bring_inside(&mut self) -> bool {
        if self.joints.is_empty() {
            return false;
        }
        let (mut before, mut after) = (V::Rotation::IDENTITY, V::Rotation::IDENTITY);
        let mut moved = false;
        let joints = self.joints.iter().map(Some).chain(core::iter::once(None));
        for (rotation, joint) in self.rotations.iter_mut().zip(joints) {
            let local = before.inverse() * *rotation;
            let inside = joint.map_or(local, |joint| joint.nearest(local));
            before = *rotation;
            moved |= inside != local;
            if moved {
                *rotation = (after * inside).normalized();
            }
            after = *rotation;
        }
        moved
    }

    /// Lets `work` have the rotations relative to their parents.
    pub(crate) fn relative<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut parent = V::Rotation::IDENTITY;
        for rotation in self.rotations.iter_mut() {
            let local = parent.inverse() * *rotation;
            parent = *rotation;
            *rotation = local;
        }
        let done = work(self);
        let mut world = Product::ONE;
        for rotation in self.rotations.iter_mut() {
            *rotation = world.times(*rotation);
        }
        done
    }

    /// The joints, root first: free ones where none are given.
    pub(crate) fn limits(&self) -> impl Iterator<Item = &'a V::Joint> + use<'a, V> {
        self.joints.iter().chain(repeat(V::Joint::FREE))
    }

    /// A joint, which is free where none are given.
    pub(crate) fn joint(&self, index: usize) -> &'a V::Joint {
        self.joints.get(index).unwrap_or(V::Joint::FREE)
    }

    /// Whether every joint turns freely.
    pub(crate) fn is_free(&self) -> bool {
        self.joints.iter().all(Limits::is_free)
    }

    /// The tip of the pose, whose effector is there.
    pub(crate) fn tip(&self, effector: V) -> Tip<V> {
        let last = self.bones.len().checked_sub(1).and_then(|last| self.rotations.get(last));
        Tip { effector, axes: last.copied().unwrap_or(V::Rotation::IDENTITY) }
    }

    /// The effector of the pose, from the root.
    pub(crate) fn effector(&self) -> V {
        effector(self.bones, self.rotations)
    }
}
