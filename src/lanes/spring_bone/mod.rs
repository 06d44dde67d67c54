//! Spring bones of eight characters at once: [`spring_bone_step`](crate::spring_bone_step) by
//! lanes, file by file.

mod collider;
mod cone;
mod contact;
mod pass;
mod step;

pub use collider::Collider;
pub use step::spring_bone_step;

use glam::Vec3;

use super::check::{is_unit, surely_within};
use super::wide::{F32x8, Mask};
use super::{LANES, Quatx8, Vec3x8};
use crate::check::MAX_COORDINATE;
use crate::space::Pose;
use crate::spring_bone::{SpringJoint, SpringRule};

/// What one joint of each character's chain remembers from call to call: a
/// [`SpringState`](crate::SpringState) a lane. The default has not started.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringState {
    /// Where the last committed frame has the tails, in the space of the positions.
    pub position: Vec3x8,
    /// Where the frame before that had them.
    pub previous: Vec3x8,
    /// The animated rotations of the bones' joints at the last call, in the space of the positions.
    pub rest: Quatx8,
    /// Gravity and the external forces on the tails at the last call.
    pub force: Vec3x8,
    /// Time since the last committed frame, in frames. Only the roots' count. Lanes whose clocks
    /// differ are stepped as each needs it.
    pub clock: F32x8,
    /// Whether there was a step yet.
    pub started: [bool; LANES],
}

impl SpringState {
    /// What one character's joint remembers; the default for a lane that there is not.
    #[must_use]
    pub fn lane(&self, lane: usize) -> crate::SpringState<Vec3> {
        let Some(&started) = self.started.get(lane) else { return crate::SpringState::default() };
        crate::SpringState {
            position: self.position.lane(lane),
            previous: self.previous.lane(lane),
            rest: self.rest.lane(lane),
            force: self.force.lane(lane),
            clock: self.clock.lane(lane),
            started,
        }
    }

    /// Gives one character's joint something to remember, as when another takes its lane; a lane
    /// that there is not takes nothing.
    pub fn set_lane(&mut self, lane: usize, state: &crate::SpringState<Vec3>) {
        self.position.set_lane(lane, state.position);
        self.previous.set_lane(lane, state.previous);
        self.rest.set_lane(lane, state.rest);
        self.force.set_lane(lane, state.force);
        self.clock.set_lane(lane, state.clock);
        if let Some(started) = self.started.get_mut(lane) {
            *started = state.started;
        }
    }
}

/// The center spaces of eight chains: a [`CenterSpace`](crate::CenterSpace) a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CenterSpace {
    /// Their positions and rotations at the call before, in the space of the positions.
    pub before: (Vec3x8, Quatx8),
    /// The same now.
    pub now: (Vec3x8, Quatx8),
}

impl CenterSpace {
    /// Where it is what its documentation says without doubt.
    fn is_sound(&self) -> Mask {
        surely_within([self.before.0, self.now.0].into_iter(), MAX_COORDINATE)
            & is_unit(self.before.1)
            & is_unit(self.now.1)
    }

    fn lane(&self, lane: usize) -> crate::CenterSpace<Vec3> {
        let pose = |(p, q): (Vec3x8, Quatx8)| Pose::new(p.lane(lane), q.lane(lane));
        crate::CenterSpace { before: pose(self.before), now: pose(self.now) }
    }
}

/// A chain of spring bones that eight characters have, and the surroundings of each: a
/// [`SpringBones`](crate::SpringBones) whose joints and numbers are shared, and whose colliders,
/// center space and external forces are a lane's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringBones<'a> {
    /// One entry a bone, root first; or one for all; or none for [`SpringJoint::default`].
    pub joints: &'a [SpringJoint<Vec3>],
    /// What the tails bump into: the same shapes for all, each in a place of its own.
    pub colliders: &'a [Collider],
    /// The same colliders at the call before; as many, or none if they stand still.
    pub colliders_before: &'a [Collider],
    /// Moving spaces that momentum is relative to; `None`: the space of the positions.
    pub center: Option<CenterSpace>,
    /// A force such as wind, in the unit of [`SpringJoint::gravity`]: one entry a bone, or one for
    /// all, or none.
    pub external: &'a [Vec3x8],
    /// How time passes.
    pub rule: SpringRule,
    /// How many of the caller's units of length make a metre, in `[1e-6, 1e6]`.
    pub units_per_metre: f32,
    /// Rounds of collisions and limits that a bone gets at most, per frame, in `[0, 1000]`.
    pub iterations: u32,
    /// Frames of a sixtieth of a second that one call simulates at most, in `[1, 1000]`.
    pub max_frames: u32,
    /// Whether whole bones keep out of spheres and capsules. They meet them lane by lane, at the
    /// scalar's cost.
    pub whole_bones: bool,
}

impl Default for SpringBones<'_> {
    /// As [`SpringBones::default`](crate::SpringBones).
    fn default() -> Self {
        let scalar = crate::SpringBones::<Vec3>::default();
        Self {
            joints: &[],
            colliders: &[],
            colliders_before: &[],
            center: None,
            external: &[],
            rule: scalar.rule,
            units_per_metre: scalar.units_per_metre,
            iterations: scalar.iterations,
            max_frames: scalar.max_frames,
            whole_bones: scalar.whole_bones,
        }
    }
}
