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
mod settings;
mod space;
mod triangle;
mod turns;

use glam::Vec3A;

use super::Solution;
use crate::chain::check_pose;
use crate::check::{MAX_COORDINATE, check_length};
use crate::error::{Error, Fault};
use crate::math::{self, exact};
use crate::rotation::{Rotation, UNIT_SLACK};
use crate::space::check_vector;
use measure::Tape;
use plane::{Aim, Start};
use triangle::Triangle;
use turns::three_times;

pub use settings::{Bend, Effector, Side, TwoBoneSettings};
pub use space::TwoBone;
#[cfg(feature = "lanes")]
pub(crate) use {
    plane::{CANCELLED, FLAT, ON_LINE, SHORT},
    turns::OPPOSITE,
};

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
/// the effector from a target that the bones could get to. Reached is 1e-5 of the reach, or what
/// the coordinates of the target can tell.
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
/// [`MAX_COORDINATE`]; a rotation not of unit length; a setting outside its
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
    let turns = [*root_rotation, *middle_rotation, *effector_rotation];
    let [at_root, at_middle, at_effector] = [root.wide(), middle.wide(), effector.wide()];
    let goal = target.wide();
    if !is_sound::<V>([at_root, at_middle, at_effector, goal], turns, settings) {
        check(&[*root, *middle, *effector], &turns, target, settings)?;
    }
    let rotations = [root_rotation, middle_rotation, effector_rotation];
    Ok(bend([at_root, at_middle, at_effector], goal, ([middle, effector], rotations), settings))
}

/// Bends a limb that has passed its checks.
#[inline]
fn bend<V: TwoBone>(
    [at_root, at_middle, at_effector]: [Vec3A; 3],
    goal: Vec3A,
    ([middle, effector], rotations): ([&mut V; 2], [&mut V::Rotation; 3]),
    settings: &TwoBoneSettings<V::Bend, V::Rotation>,
) -> Solution {
    let tape = Tape::new([at_root, at_middle, at_effector], goal, settings.lengths);
    let [upper, lower, line] = exact::side_by_side(tape.spans);
    let [root_rotation, middle_rotation, _] = &rotations;
    let start = Start {
        root: at_root,
        bones: [upper, lower],
        lengths: [tape.span.x, tape.span.y],
        line: at_effector - at_root,
        per_unit: tape.per_unit,
        rotations: [**root_rotation, **middle_rotation],
    };
    let (old, is_own) = V::normal(&settings.bend, &start);
    let aim = if tape.span.z > 0.0 {
        Aim { line, length: tape.span.z, direction: line / tape.span.z, target: goal }
    } else {
        Aim::along(start.direction(old), goal)
    };
    let new = V::new_normal(&settings.bend, &start, old, &aim);
    let triangle = Triangle::new(tape.lengths, tape.distance, settings);
    let bones = triangle.bones(aim.direction, aim.direction.cross(new));
    let [knee, tip] = bones.laid_out(at_root, tape.unit * triangle.stretch);
    *middle = V::narrow(knee.0 + knee.1);
    *effector = V::narrow(tip.0 + tip.1);

    let directions = tape.spans.map(|x| x * tape.per_span);
    let old = if is_own { three_times(old) } else { V::across(old, directions) };
    let turns = V::turns((directions, old), (bones.directions(), new));
    turn_joints(rotations, turns, tape.have_length, settings.effector);
    let gap = math::sqrt((V::wide(*effector) - goal).length_squared());
    let status = triangle.status(gap, tape.unit, goal.abs().max_element());
    Solution { status, iterations: 1, distance: gap, angle: 0.0 }
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

/// Whether [`check`] finds nothing, at a glance.
#[inline]
fn is_sound<V: TwoBone>(
    [root, middle, effector, target]: [Vec3A; 4],
    rotations: [V::Rotation; 3],
    settings: &TwoBoneSettings<V::Bend, V::Rotation>,
) -> bool {
    (is_point(root) & is_point(middle) & is_point(effector) & is_point(target))
        && are_unit(rotations)
        && V::is_bend(&settings.bend)
        && settings.is_sound()
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
