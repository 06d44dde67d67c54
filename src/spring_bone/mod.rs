//! Spring bones: hair, tails and cloth strips that follow an animated chain.
//!
//! The rule is the one that VRM avatars carry, `VRMC_springBone` 1.0: a bone keeps the momentum of
//! its tail, less drag; is drawn to its rest direction and along gravity; is brought back to its
//! length; and is pushed out of colliders. That rule is made for sixty frames a second;
//! [`SpringRule::Steady`] says how it becomes the same rule at any frame rate.

pub(crate) mod cone;
pub(crate) mod contact;
pub(crate) mod pass;
pub(crate) mod step;

pub use step::spring_bone_step;

use crate::check::{HALF_TURN, MAX_COORDINATE, check_angle, check_each, check_range};
use crate::collide::Collider;
use crate::error::Error;
use crate::rotation::Rotation;
use crate::space::{Motion, Pose, Vector};
use step::check_state;

/// What one bone of a chain is like. The numbers are those of a VRM file, and so are their units:
/// metres, and rates that a rule of sixty frames a second gives a meaning to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct SpringJoint<V> {
    /// How strongly the tail is drawn along the rest direction: metres a second that it gains in
    /// each sixtieth of a second, in `[0, 1e6]`. VRM's `stiffness`.
    pub stiffness: f32,
    /// The share of its velocity that the tail loses in each sixtieth of a second, in `[0, 1]`.
    /// VRM's `dragForce`.
    pub drag: f32,
    /// Metres a second that gravity adds in each sixtieth of a second: VRM's `gravityPower` times
    /// `gravityDir`. An acceleration in metres per second squared is 60 times this. Coordinates in
    /// `[-1e6, 1e6]`.
    pub gravity: V,
    /// Radius of the tail against colliders, in metres as all numbers here, not in the caller's
    /// unit: a step multiplies it by [`SpringBones::units_per_metre`]. In `[0, 1e12]`. VRM's
    /// `hitRadius`.
    pub hit_radius: f32,
    /// The largest angle between the bone and its rest direction, in radians, in `[0, π]`; π is
    /// no limit, and so is what files round it to, 3.1416. It holds against everything, colliders
    /// included.
    pub angle_limit: f32,
    /// How much of the simulated turn the pose gets, in `[0, 1]`: 0 is the animated joint, 1 the
    /// simulated one. Bones further out hang on what is shown. Colliders and lengths are
    /// respected by the simulated bone; its length by the shown one as well.
    pub weight: f32,
}

impl<V: Vector> Default for SpringJoint<V> {
    /// VRM's defaults: stiffness 1 m/s and a drag of half the velocity in each sixtieth of a
    /// second, no gravity, a hit radius of 0 m; no limit (π), and a weight of 1.
    fn default() -> Self {
        Self {
            stiffness: 1.0,
            drag: 0.5,
            gravity: V::ZERO,
            hit_radius: 0.0,
            angle_limit: core::f32::consts::PI,
            weight: 1.0,
        }
    }
}

/// How time passes for a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SpringRule {
    /// The same motion at any frame rate: that of [`SpringRule::Vrm`] at 60 Hz, with collisions
    /// that are solved rather than met once.
    ///
    /// State is committed in whole frames of a sixtieth of a second only. A call commits as many as
    /// its time has made whole, none or several; for each of them the root, the animated turns of
    /// joints against their parents, the colliders and the forces are where they were at its time,
    /// between the last call and this one. What time remains is shown as a part of the next frame,
    /// which is computed from the committed state and thrown away. That part is turned aside by
    /// colliders as the whole frame would be, by its share: what rests is shown at rest, and
    /// nothing jumps where a frame ends. It is then cleared of the colliders where they are now,
    /// unless the whole frame finds no room.
    #[default]
    Steady,
    /// The step of `VRMC_springBone` 1.0 as it is published: once per call, whatever `dt`, and
    /// each collider once. For comparison with other implementations; the motion depends on the
    /// frame rate.
    Vrm,
}

/// The center space of a chain, now and at the call before: momentum is measured relative to it.
/// With the avatar's own pose, walking does not move the hair and nodding does.
///
/// It takes no rounding away. The state is kept in the space of the positions, and each call moves
/// it along and rounds it anew. Ten kilometres from the origin, where two neighbouring numbers are
/// a millimetre apart, hair is off by several of them, the less drag the more; with a center space
/// and many calls a second by more than without. There, step the chain in the avatar's own space:
/// positions, rotations and colliders relative to it, gravity and wind turned into it, and no
/// center space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CenterSpace<V: Vector> {
    /// Its pose at the call before, in the space of the positions.
    pub before: Pose<V>,
    /// Its pose now.
    pub now: Pose<V>,
}

/// A chain of spring bones and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringBones<'a, V: Vector> {
    /// One entry a bone, root first; or one for all; or none for [`SpringJoint::default`].
    pub joints: &'a [SpringJoint<V>],
    /// What the tails bump into, in the space and unit of the positions, radii too.
    pub colliders: &'a [Collider<V>],
    /// The same colliders at the call before: as many, or none if they stand still. Frames that end
    /// between the two calls meet them on their way, where they are at that time. Nothing is swept
    /// from frame to frame: what passes through a bone within a sixtieth of a second goes
    /// unnoticed, as a ball may that moves by more than its width in that time.
    pub colliders_before: &'a [Collider<V>],
    /// A moving space that momentum is relative to; `None`: the space of the positions.
    pub center: Option<CenterSpace<V>>,
    /// A force such as wind, in the unit of [`SpringJoint::gravity`]: one entry a bone, or one for
    /// all, or none; coordinates in `[-1e6, 1e6]`.
    pub external: &'a [V],
    /// How time passes.
    pub rule: SpringRule,
    /// How many of the caller's units of length make a metre, in `[1e-6, 1e6]`. For a rig that is
    /// a VRM rig scaled by a factor, that factor: it then moves as the rig does at scale 1. It
    /// scales all that is in metres: stiffness, gravity, external forces and hit radii. Positions,
    /// colliders and the report are in the caller's unit.
    pub units_per_metre: f32,
    /// Rounds of collisions and limits that a bone gets at most, per frame, in `[0, 1000]`.
    pub iterations: u32,
    /// Frames of a sixtieth of a second that one call simulates at most, in `[1, 1000]`. Of a
    /// longer time the beginning is dropped, and the chain carried along with its root.
    pub max_frames: u32,
    /// Whether the whole of a bone, as a capsule of the hit radius, keeps out of spheres and
    /// capsules, and not only its tail. A bone whose joint is inside of one is let out of it: to
    /// such a bone the shape is smaller by twice the depth, and to its tail as it is.
    pub whole_bones: bool,
}

impl<V: Vector> Default for SpringBones<'_, V> {
    /// Joints as [`SpringJoint::default`], nothing to bump into, no center space and no forces;
    /// [`SpringRule::Steady`], 1 unit a metre, at most 32 rounds a bone and 8 frames (0.13 s) a
    /// call, and tails only.
    fn default() -> Self {
        Self {
            joints: &[],
            colliders: &[],
            colliders_before: &[],
            center: None,
            external: &[],
            rule: SpringRule::Steady,
            units_per_metre: 1.0,
            iterations: 32,
            max_frames: 8,
            whole_bones: false,
        }
    }
}

/// What one joint of a chain remembers from call to call: entry 0 the root, entry i + 1 the tail of
/// bone i. The default has not started: its first step puts it into the animated pose, at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpringState<V: Vector> {
    /// Where the last committed frame has the tail, in the space of the positions. For the root:
    /// where the last call had it.
    pub position: V,
    /// Where the frame before that had it: the difference is the tail's momentum, and changing it
    /// is how to give the tail a knock.
    pub previous: V,
    /// The animated rotation of the bone's joint at the last call, in the space of the positions.
    pub rest: V::Rotation,
    /// Gravity and the external force on the tail at the last call, in their unit.
    pub force: V,
    /// Time since the last committed frame, in frames. Only the root's counts.
    pub clock: f32,
    /// Whether there was a step yet.
    pub started: bool,
}

impl<V: Vector> Default for SpringState<V> {
    fn default() -> Self {
        Self {
            position: V::ZERO,
            previous: V::ZERO,
            rest: V::Rotation::IDENTITY,
            force: V::ZERO,
            clock: 0.0,
            started: false,
        }
    }
}

/// What [`spring_bone_step`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct SpringReport {
    /// Frames that were committed.
    pub frames: u32,
    /// The largest speed of a tail over the last committed frame, in units of length per second: a
    /// chain that has been slow for a while, and whose root and surroundings rest, may be skipped.
    /// Among three colliders it may never be slow: of some hundred such chains one goes to and fro
    /// between them for ever, by millimetres.
    pub speed: f32,
    /// How deep the deepest tail of the pose that is returned lies in a collider, in the caller's
    /// unit of length: what the iterations have left, or what the limits and the lengths do not
    /// allow to mend. With weights below 1: of the simulated pose.
    pub penetration: f32,
    /// The most rounds of collisions and limits that a bone of the returned pose has taken.
    pub iterations: u32,
    /// Whether every bone of the returned pose came to rest within its iterations: out of every
    /// collider and within its limit.
    pub settled: bool,
}

/// Moves the state of a chain rigidly, as `from` moves to `to`: for a character that is put
/// somewhere else, whose hair goes on as if nothing had happened.
///
/// Call it before the step that sees the new pose. State that has not started yet stays so.
///
/// # Errors
/// A pose that is not finite, too far out or not of unit rotation; state that
/// [`spring_bone_step`] would not take. The state is then as it was.
///
/// ```
/// use sinew::{Pose, Rot2, SpringState, glam::Vec2, teleport_spring_bones};
///
/// let mut state = [SpringState { position: Vec2::X, started: true, ..Default::default() }];
/// let to = Pose::new(Vec2::Y * 100.0, Rot2 { cos: 0.0, sin: 1.0 });
/// teleport_spring_bones(&mut state, &Pose::default(), &to)?;
/// assert_eq!(state[0].position, Vec2::Y * 101.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn teleport_spring_bones<V: Vector>(
    state: &mut [SpringState<V>],
    from: &Pose<V>,
    to: &Pose<V>,
) -> Result<(), Error> {
    from.check("from")?;
    to.check("to")?;
    check_each(state.iter(), check_state)?;
    carry(state, &Motion::between(from, to));
    Ok(())
}

/// The state as a rigid motion takes it, the memory of the animation included.
fn carry<V: Vector>(state: &mut [SpringState<V>], motion: &Motion<V>) {
    for entry in state {
        entry.position = motion.point(entry.position);
        entry.previous = motion.point(entry.previous);
        entry.rest = (motion.turn * entry.rest).normalized();
    }
}

impl<V: Vector> SpringJoint<V> {
    pub(crate) fn is_limited(&self) -> bool {
        self.angle_limit < core::f32::consts::PI
    }

    /// Whether nothing holds it back, and the pose gets all of its turn.
    pub(crate) fn is_free(&self) -> bool {
        !self.is_limited() && self.weight >= 1.0
    }

    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_sound() { Ok(()) } else { self.find_mistake() }
    }

    /// Whether it passes its check without doubt: numbers from zero on are in order as bits, and
    /// all others, -0 too, are beyond them.
    #[inline]
    fn is_sound(&self) -> bool {
        let within = |x: f32, most: f32| x.to_bits() <= most.to_bits();
        within(self.stiffness, MAX_FORCE)
            && within(self.drag, 1.0)
            && self.gravity.is_within(MAX_FORCE)
            && within(self.hit_radius, MAX_COORDINATE)
            && within(self.angle_limit, HALF_TURN)
            && within(self.weight, 1.0)
    }

    #[cold]
    fn find_mistake(&self) -> Result<(), Error> {
        check_range("settings.joints.stiffness", self.stiffness, 0.0, MAX_FORCE)?;
        check_range("settings.joints.drag", self.drag, 0.0, 1.0)?;
        check_moderate("settings.joints.gravity", self.gravity, MAX_FORCE)?;
        check_range("settings.joints.hit_radius", self.hit_radius, 0.0, MAX_COORDINATE)?;
        let half_turn = core::f32::consts::PI;
        check_angle("settings.joints.angle_limit", self.angle_limit, 0.0, half_turn)?;
        check_range("settings.joints.weight", self.weight, 0.0, 1.0)
    }
}

/// The strongest force that is taken for one and not for a mistake, in metres a second that a frame
/// adds.
pub(crate) const MAX_FORCE: f32 = 1e6;

/// `Ok` if every coordinate is a number of at most this magnitude.
pub(crate) fn check_moderate<V: Vector>(
    argument: &'static str,
    v: V,
    most: f32,
) -> Result<(), Error> {
    check_range(argument, v.largest(), 0.0, most)
}
