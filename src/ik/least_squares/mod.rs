//! Damped least squares: all joints move together so that the goal is met with the smallest
//! change of angles.
//!
//! Wampler (1986), "Manipulator inverse kinematic solutions based on vector formulations and
//! damped least-squares methods"; the damping adapts as in Marquardt (1963), "An algorithm for
//! least-squares estimation of nonlinear parameters".

mod descent;
mod faces;
mod scatter;
mod system;

use super::limb::{Goal, solve};
use super::{Solution, Status};
use crate::check::{check_range, too_short};
use crate::error::Error;
use crate::rotation::{Rotation, check_rotation};
use crate::space::{Spin, Vector};

use descent::Descent;
use faces::Faces;

/// Where [`least_squares_solve`] is to bring the effector, and how it goes about it.
///
/// The goal is part of the settings, unlike other solvers' target: it may be a rotation besides,
/// with a weight and a tolerance of its own. So there is no default but
/// [`LeastSquaresSettings::at`] a target.
///
/// ```
/// use sinew::{LeastSquaresSettings, glam::{Quat, Vec3}};
///
/// let settings = LeastSquaresSettings {
///     max_iterations: 300,
///     ..LeastSquaresSettings::at(Vec3::X).with_rotation(Quat::IDENTITY)
/// };
/// assert_eq!(settings.tolerance, 1e-3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "V: serde::Serialize, V::Rotation: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Rotation: serde::Deserialize<'de>"
    ))
)]
pub struct LeastSquaresSettings<V: Vector> {
    /// The effector's position.
    pub target: V,
    /// The effector's rotation, if it matters.
    pub rotation: Option<V::Rotation>,
    /// The length that a radian counts as, as a share of the longest reach, in `[1e-3, 1e3]`: more
    /// favours the rotation while both cannot be had.
    pub rotation_weight: f32,
    /// How near to the target is near enough, as a share of the longest reach; at least 0.
    pub tolerance: f32,
    /// How near to `rotation` is near enough, in radians; at least 0.
    pub rotation_tolerance: f32,
    /// The most iterations, restarts included. 0 only brings the pose inside its limits.
    pub max_iterations: usize,
    /// In `[0, 1]`: the share of the way to the rest pose that the joints go in each iteration,
    /// as far as that does not move the effector; less and less as the goal comes near. A step that
    /// the pull keeps from closing half of the squared gap is taken without it, and the next ones
    /// are pulled less: so it costs next to no goals, and does nothing where the limits keep the
    /// effector from its goal. 0 leaves the joints where the goal leaves them.
    pub rest_pull: f32,
    /// Whether to start anew from other poses inside the limits where the descent ends short of
    /// the goal: for a goal that is to be found. Without, the chain goes downhill from where it is
    /// and no further, and may stall: for a goal that is followed frame by frame.
    pub restarts: bool,
}

impl<V: Vector> LeastSquaresSettings<V> {
    /// To a position, whatever the effector's rotation: within 1e-3 of the reach, in at most 100
    /// iterations, with restarts, without a pull towards rest. A rotation that is asked for besides
    /// is met within 1e-3 rad, and a radian counts as 0.3 of the reach.
    #[must_use]
    pub fn at(target: V) -> Self {
        Self {
            target,
            rotation: None,
            rotation_weight: 0.3,
            tolerance: 1e-3,
            rotation_tolerance: 1e-3,
            max_iterations: 100,
            rest_pull: 0.0,
            restarts: true,
        }
    }

    /// The same, and with this rotation of the effector.
    #[must_use]
    pub fn with_rotation(self, rotation: V::Rotation) -> Self {
        Self { rotation: Some(rotation), ..self }
    }

    fn check(&self) -> Result<(), Error> {
        if let Some(rotation) = self.rotation {
            check_rotation("settings.rotation", rotation)?;
        }
        check_range("settings.rotation_weight", self.rotation_weight, 1e-3, 1e3)?;
        check_range("settings.tolerance", self.tolerance, 0.0, f32::MAX)?;
        check_range("settings.rotation_tolerance", self.rotation_tolerance, 0.0, f32::MAX)?;
        check_range("settings.rest_pull", self.rest_pull, 0.0, 1.0)
    }
}

/// What [`least_squares_solve`] remembers of a joint while it works: the caller lends a slice of
/// them, so that nothing is allocated. What they hold before and after does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointMemory<V: Vector> {
    /// The pose that the descent has come to.
    now: JointPose<V>,
    /// The pose that it looks at.
    tried: JointPose<V>,
    /// The best pose of the descents before this one.
    best: JointPose<V>,
    /// From the joint to the effector, in the pose laid out.
    arm: V,
    /// A hinge's axis, in the pose laid out.
    axis: Spin<V>,
    /// It has met a bound in this iteration, and its step is settled.
    settled: bool,
    /// Of a ball joint, those that it has met in this iteration.
    faces: Faces<V>,
}

/// A joint's rotation relative to its parent, and for a hinge the angle from rest, which does not
/// forget whole turns.
#[derive(Clone, Copy, Debug)]
struct JointPose<V: Vector> {
    local: V::Rotation,
    angle: f32,
}

impl<V: Vector> Default for JointPose<V> {
    fn default() -> Self {
        Self { local: V::Rotation::IDENTITY, angle: 0.0 }
    }
}

/// Moves all of a chain's joints together, in place, until its effector is at the target, and has
/// the wanted rotation if one is asked for.
///
/// `positions` and `rotations` are the joints' world poses, root first, effector last; `joints` is
/// empty (all free) or has one entry for each joint but the effector; `memory` has at least one
/// entry for each joint but the effector. The root stays, the bones keep their lengths, the
/// effector's rotation keeps its relation to the last joint. A pose outside its limits is first
/// brought inside.
///
/// Each iteration is a damped Gauss-Newton step: of all small turns that bring the effector nearer
/// it takes the smallest, in a metric of the joints' weights (0 holds a joint still). Hinges are
/// moved by their angle, ball joints about three axes. A hinge whose step leaves its range is put
/// on the bound, a ball joint slides along the faces of its limits that it meets; their share is
/// taken from what is left to do, and the rest is solved again. A step that would lead away from
/// the goal is not taken; the damping grows instead, and in the last descent each joint slides a
/// little way straight downhill. The pose that comes back is never further from the goal than the
/// start: by the distance, or with a rotation goal by the root of the sum of the squares of the
/// distance and of the weighted angle.
///
/// With [`LeastSquaresSettings::restarts`] a descent that slows down short of the goal starts anew,
/// from poses scattered inside the limits by a fixed sequence, the root swung towards the target. A
/// pose found that way is taken if it reaches the goal or is nearer by a tenth of what was left, so
/// that a chain does not jump about for nothing while it follows what its limits keep it from. The
/// search ends when six descents have come equally near, to a tenth, and none nearer. From the best
/// pose, or without restarts from the caller's, the chain then goes downhill until it rests: until
/// a slide would win less than three millionths of the squared gap. Then the status is
/// [`Status::Stalled`]. It is [`Status::IterationLimit`] where the iterations ran out before that.
///
/// To follow a goal frame by frame, switch restarts off: the turns are then the smallest that lead
/// there, and a mirrored chain with a mirrored target gets the mirrored pose. With restarts it may
/// get another one, for the scattered poses are not mirrored. The price is that a chain which a
/// limit has caught stays there until the goal leads it out. Towards a target that the limits
/// exclude it comes to rest within some tens of iterations: after a frame that has `Stalled` 99 %
/// of chains of hinges, cones and ranges move by less than 1e-5 of the reach as long as the goal is
/// the same, and the others creep by up to 1e-2, where two limits meet in an edge. With ellipses
/// and joints that yaw and pitch it is 97 %, and a few still leap.
///
/// A free chain whose target is at or beyond its full reach, with no rotation asked for, is pointed
/// at it in one step. Zero-length bones are points that stay. A straight chain on the line to its
/// target has no direction to start in; a restart finds one.
///
/// Cost: linear in the joints for each iteration; the system solved is as large as the goal, 2 to 6
/// numbers, whatever the joints. Accuracy: bones keep their lengths to 1e-5 and rotations their
/// limits to 1e-5 rad, however often the result is fed back.
///
/// Source: Wampler (1986), "Manipulator inverse kinematic solutions based on vector formulations
/// and damped least-squares methods"; the damping adapts as in Marquardt (1963), "An algorithm for
/// least-squares estimation of nonlinear parameters".
///
/// # Errors
/// Fewer than two joints; slices of different lengths, `memory` too short; a number that is not
/// finite; a coordinate beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE); a rotation not of unit
/// length; a joint or a setting outside its documented range. The slices are then as they were.
///
/// ```
/// use sinew::{Joint3, JointMemory, LeastSquaresSettings, Status, least_squares_solve};
/// use sinew::glam::{Quat, Vec3};
///
/// let mut positions = [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0, Vec3::Y * 3.0];
/// let mut rotations = [Quat::IDENTITY; 4];
/// let hinge = |max| Joint3::hinge(Vec3::X, 0.0, max);
/// let joints = [Joint3::cone(Vec3::Y, 1.0), hinge(2.0), hinge(1.0)];
/// let mut memory = [JointMemory::default(); 3];
/// let settings = LeastSquaresSettings::at(Vec3::new(0.5, 1.8, 1.2));
/// let (p, r) = (&mut positions, &mut rotations);
/// let solution = least_squares_solve(p, r, &joints, &settings, &mut memory)?;
/// assert_eq!(solution.status, Status::Reached);
/// assert!(positions[3].distance(settings.target) < 3e-3);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn least_squares_solve<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    joints: &[V::Joint],
    settings: &LeastSquaresSettings<V>,
    memory: &mut [JointMemory<V>],
) -> Result<Solution, Error> {
    settings.check()?;
    let (least, actual) = (positions.len().saturating_sub(1), memory.len());
    let Some(memory) = memory.get_mut(..least) else {
        return Err(too_short("memory", actual, least));
    };
    let goal = Goal {
        target: settings.target,
        tolerance: settings.tolerance,
        rotation: settings.rotation.map(|rotation| (rotation, settings.rotation_tolerance)),
    };
    solve(positions, rotations, joints, goal, |limb, _| {
        if goal.rotation.is_none() && settings.max_iterations > 0 && limb.reach_out() {
            return (Status::Stalled, 1);
        }
        match (V::DIMENSIONS, goal.rotation) {
            (2, None) => Descent::<V, 2>::run(limb, memory, settings),
            (2, Some(_)) | (_, None) => Descent::<V, 3>::run(limb, memory, settings),
            _ => Descent::<V, 6>::run(limb, memory, settings),
        }
    })
}
