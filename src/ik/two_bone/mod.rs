//! Two bones in closed form: arms, legs, fingers of two joints.
//!
//! The bones and the line from the root to the target are the sides of a triangle. Its height and
//! where its foot lies follow from the sides by products of sums and differences, which keep their
//! digits where an arc cosine of the law of cosines has none left: straight and folded.
//!
//! All of it is in single precision. But next to straight and folded the height is the root of a
//! difference of sides: of what rounding takes off a side it makes the root, a thousandth where it
//! was a millionth. So what rounding takes off is kept beside the number ([`exact`]) wherever it is
//! to be seen again: of the sides when they are measured, of their sum and difference, of the cross
//! product of a pole near the line, and of the bones that come out, which must measure what they
//! should to the last place or the limb would grow and shrink as it is fed back.
//!
//! Kahan (1986, revised 2014), "Miscalculating Area and Angles of a Needle-like Triangle".

mod measure;
mod plane;
mod triangle;

use core::f32::consts::PI;

use glam::{Quat, Vec3, Vec3A};

use super::{Pole, Solution};
use crate::chain::check_pose;
use crate::error::{Error, Fault, check_bounds, check_range};
use crate::exact;
use crate::math;
use crate::rotation::{Rotation, UNIT_SLACK, check_rotation, is_unit};
use crate::space::{MAX_COORDINATE, check_length, check_vector};
use measure::Tape;
use plane::{Aim, Limb, three_times};
use triangle::Triangle;

pub use plane::TwoBone;
#[cfg(feature = "lanes")]
pub(crate) use plane::{CANCELLED, FLAT, ON_LINE, OPPOSITE, SHORT};

/// How [`two_bone_solve`] goes about it: as it stands in 3D, `TwoBoneSettings<Side, Rot2>` in 2D.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        default,
        bound(deserialize = "B: Default + serde::Deserialize<'de>, R: serde::Deserialize<'de>")
    )
)]
pub struct TwoBoneSettings<B = Bend, R = Quat> {
    /// To which side the middle joint bends: a [`Bend`] in 3D, a [`Side`] in 2D.
    pub bend: B,
    /// The least and the most that the middle joint bends, in radians: 0 is straight, π folded.
    pub range: [f32; 2],
    /// The last share of the reach that is eased, in `[0, 1]`, so that the middle joint does not
    /// snap straight; see [`soft_reach`](crate::soft_reach).
    pub softness: f32,
    /// By how much both bones may be lengthened to get to the target, at least 1. With softness
    /// they are lengthened where the easing would leave the target out of reach.
    pub max_stretch: f32,
    /// How long the bones are, unstretched; at least 0. `None`: as long as they are in
    /// `positions`. Give them where a stretched result is fed back.
    pub lengths: Option<[f32; 2]>,
    /// What becomes of the effector's rotation.
    pub effector: Effector<R>,
}

impl<B: Default, R> Default for TwoBoneSettings<B, R> {
    /// The default bend, by 0 to π radians (180°), with nothing eased (0) or stretched (1), bones as
    /// long as they are, and an effector that follows the last.
    fn default() -> Self {
        Self {
            bend: B::default(),
            range: [0.0, PI],
            softness: 0.0,
            max_stretch: 1.0,
            lengths: None,
            effector: Effector::Follow,
        }
    }
}

impl<B, R: Rotation> TwoBoneSettings<B, R> {
    /// Whether [`TwoBoneSettings::check`] finds nothing, at a glance.
    #[inline]
    pub(crate) fn is_sound(&self) -> bool {
        let [least, most] = self.range;
        let is_length = |length: f32| (0.0..=MAX_COORDINATE).contains(&length);
        0.0 <= least
            && least <= most
            && most <= PI
            && (0.0..=1.0).contains(&self.softness)
            && (1.0..=f32::MAX).contains(&self.max_stretch)
            && self.lengths.is_none_or(|[a, b]| is_length(a) && is_length(b))
            && match self.effector {
                Effector::Set(rotation) => is_unit(rotation),
                Effector::Follow | Effector::Keep => true,
            }
    }

    fn check(&self) -> Result<(), Error> {
        let names = ("settings.range[0]", "settings.range[1]");
        let [least, most] = self.range;
        check_bounds(names, least, most)?;
        check_range(names.0, least, 0.0, PI)?;
        check_range(names.1, most, 0.0, PI)?;
        check_range("settings.softness", self.softness, 0.0, 1.0)?;
        check_range("settings.max_stretch", self.max_stretch, 1.0, f32::MAX)?;
        for length in self.lengths.iter().flatten() {
            check_range("settings.lengths", *length, 0.0, MAX_COORDINATE)?;
        }
        match self.effector {
            Effector::Set(rotation) => check_rotation("settings.effector", rotation),
            Effector::Follow | Effector::Keep => Ok(()),
        }
    }
}

/// What becomes of an effector's rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effector<R> {
    /// It keeps its relation to the last bone.
    #[default]
    Follow,
    /// It stays as it is, in the space that the chain is given in: a foot stays flat.
    Keep,
    /// It becomes this: a hand takes a grip.
    Set(R),
}

/// To which side a limb of the plane bends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The side that it is bent to; a straight limb bends to the right.
    #[default]
    Keep,
    /// The middle joint lies to the left of the line from the root to the target.
    Left,
    /// The middle joint lies to the right of that line.
    Right,
}

/// To which side a limb of space bends, and about which axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Bend {
    /// What the middle joint points at.
    pub pole: Pole,
    /// The middle joint's hinge in its own frame, of any length but zero, right-handed from
    /// straight to bent. `None`: across the plane that the bones lie in. Give it where a limb comes
    /// straight or bent the wrong way, for then the bones do not tell.
    pub axis: Option<Vec3>,
}

impl From<Pole> for Bend {
    fn from(pole: Pole) -> Self {
        Self { pole, axis: None }
    }
}

/// Brings the effector of two bones to a target in closed form.
///
/// `positions` and `rotations` are the world poses of three joints: root, middle, effector. The
/// root stays, the bones keep their lengths unless stretch is allowed, and the joints turn by what
/// their bones turn, with the plane of the bend: a knee's axis stays the knee's axis, whatever axes
/// the rig is built on. It is continuous in the target through full reach and through the nearest
/// point of reach; there the limb is straight or folded, and stays so beyond, pointed at the
/// target.
///
/// The bend points at the pole as nearly as the line to the target lets it. A pole on that line (to
/// 1e-6 of its distance) does not say where to: then the plane that the limb is bent in is kept, as
/// without a pole.
///
/// [`Status::Stalled`](crate::Status::Stalled) if the range of the middle joint or the easing keeps
/// the effector from a target that the bones could get to. Reached is 1e-5 of the reach, or what the
/// coordinates of the target can tell.
///
/// Degenerate: a target on the root is approached along the line that the limb had. A limb that is
/// straight, to 1e-3 rad, has no plane unless [`Bend::axis`] gives it one: it takes the pole's and
/// without a pole the one along [`perpendicular`](crate::perpendicular) of its line in the root's
/// frame, and from there blends into its own. A joint whose bone has no length turns with the bone
/// before it; the root does not turn then.
///
/// Accuracy: positions are within 2e-6 of the reach of the exact ones, in the plane of the pole; a
/// plane that is kept is as exact as a cross product of the bones in single precision. Lengths are
/// measured with nearly twice a float's digits and then rounded to four units in the last place of
/// the coordinates, so that they do not drift however often a result is fed back.
///
/// Source: the law of cosines, with the area by Kahan (1986), "Miscalculating Area and Angles of a
/// Needle-like Triangle"; the easing by Nicholas (2010), "Soft IK".
///
/// # Errors
/// Other than three joints; a number that is not finite; a coordinate beyond
/// [`MAX_COORDINATE`](crate::MAX_COORDINATE); a rotation not of unit length; a setting outside its
/// documented range. The slices are then as they were.
///
/// ```
/// use sinew::{Pole, Status, TwoBoneSettings, glam::{Quat, Vec3}, two_bone_solve};
///
/// let mut positions = [Vec3::Y * 2.0, Vec3::Y, Vec3::ZERO];
/// let mut rotations = [Quat::IDENTITY; 3];
/// let settings = TwoBoneSettings { bend: Pole::Direction(Vec3::Z).into(), ..Default::default() };
/// let foot = Vec3::new(0.0, 0.5, 0.5);
/// let solution = two_bone_solve(&mut positions, &mut rotations, foot, &settings)?;
/// assert_eq!(solution.status, Status::Reached);
/// assert!(positions[2].distance(foot) < 1e-5 && positions[1].z > 0.5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn two_bone_solve<V: TwoBone>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    target: V,
    settings: &TwoBoneSettings<V::Bend, V::Rotation>,
) -> Result<Solution, Error> {
    let (joints, entries) = (positions.len(), rotations.len());
    let [root, middle, effector] = positions else {
        return Err(Error::new("positions", Fault::Length { expected: 3, actual: joints }));
    };
    check_length("rotations", entries, 3)?;
    let [root_rotation, middle_rotation, effector_rotation] = rotations else {
        return Err(Error::new("rotations", Fault::Length { expected: 3, actual: entries }));
    };
    let [from, via, to, goal] = [root.wide(), middle.wide(), effector.wide(), target.wide()];
    let is_sound = (is_point(from) & is_point(via) & is_point(to) & is_point(goal))
        && are_unit([*root_rotation, *middle_rotation, *effector_rotation])
        && V::is_bend(&settings.bend)
        && settings.is_sound();
    if !is_sound {
        check(
            &[*root, *middle, *effector],
            &[*root_rotation, *middle_rotation, *effector_rotation],
            target,
            settings,
        )?;
    }

    let tape = Tape::new([from, via, to], goal, settings.lengths);
    let [upper, lower, line] = exact::side_by_side(tape.spans);
    let limb = Limb {
        root: from,
        bones: [upper, lower],
        lengths: [tape.span.x, tape.span.y],
        line: to - from,
        per_unit: tape.per_unit,
        rotations: [*root_rotation, *middle_rotation],
    };
    let (old, is_own) = V::normal(&settings.bend, &limb);
    let aim = if tape.span.z > 0.0 {
        Aim { line, length: tape.span.z, direction: line / tape.span.z, target: goal }
    } else {
        Aim::along(limb.direction(old), goal)
    };
    let new = V::new_normal(&settings.bend, &limb, old, &aim);
    let triangle = Triangle::new(tape.lengths, tape.distance, settings);
    let bones = triangle.bones(aim.direction, aim.direction.cross(new));
    let [knee, tip] = bones.laid_out(from, tape.unit * triangle.stretch);
    *middle = V::narrow(knee.0 + knee.1);
    *effector = V::narrow(tip.0 + tip.1);

    let from = tape.spans.map(|x| x * tape.per_span);
    let old = if is_own { three_times(old) } else { V::across(old, from) };
    let turns = V::turns((from, old), (bones.directions(), new));
    let rotations = [root_rotation, middle_rotation, effector_rotation];
    turn_joints(rotations, turns, tape.have_length, settings.effector);
    let gap = math::sqrt((V::wide(*effector) - goal).length_squared());
    let status = triangle.status(gap, tape.unit, goal.abs().max_element());
    Ok(Solution { status, iterations: 1, distance: gap, angle: 0.0 })
}

/// Turns the joints with their bones, or with the bone before where one has no length.
#[inline]
fn turn_joints<R: Rotation>(
    [root, middle, effector]: [&mut R; 3],
    [upper, lower]: [R; 2],
    [upper_turns, lower_turns]: [bool; 2],
    last: Effector<R>,
) {
    let lower = if lower_turns { lower } else { upper };
    if upper_turns {
        *root = turned(*root, upper);
    }
    if upper_turns || lower_turns {
        *middle = turned(*middle, lower);
    }
    match last {
        Effector::Set(rotation) => *effector = rotation,
        Effector::Follow if upper_turns || lower_turns => *effector = turned(*effector, lower),
        Effector::Follow | Effector::Keep => {}
    }
}

/// The rotation after a turn of any length.
fn turned<R: Rotation>(rotation: R, turn: R) -> R {
    (turn * rotation).normalized()
}

/// Says what is wrong, if anything is.
#[cold]
fn check<V: TwoBone>(
    positions: &[V],
    rotations: &[V::Rotation],
    target: V,
    settings: &TwoBoneSettings<V::Bend, V::Rotation>,
) -> Result<(), Error> {
    check_pose(("positions", "rotations"), positions, rotations)?;
    check_vector("target", target)?;
    V::check_bend(&settings.bend)?;
    settings.check()
}

/// Whether all coordinates are finite, and none larger than [`MAX_COORDINATE`].
#[inline]
fn is_point(v: Vec3A) -> bool {
    v.abs().cmple(Vec3A::splat(MAX_COORDINATE)).all()
}

/// Whether all are of unit length within a thousandth, without doubt.
#[inline]
fn are_unit<R: Rotation>(rotations: [R; 3]) -> bool {
    let [a, b, c] = rotations.map(|rotation| (rotation.norm_squared() - 1.0).abs());
    a + b + c <= 2.0 * UNIT_SLACK
}
