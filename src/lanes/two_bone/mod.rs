//! Two bones for eight limbs at once, file by file those of `ik/two_bone`.
//!
//! What most limbs are is done here, all eight in step, in the scalar function's own formulas. A
//! limb that is straight, folded or without length, whose target is on its root or whose pole is on
//! its line, is handed to that function, and so is every limb if the middle joint's range is less
//! than all or its reach is eased.

mod measure;
mod plane;
mod triangle;

use glam::Vec3;

use super::chain::Single;
use super::check::{are_unit, surely_within};
use super::wide::{F32x8, Mask};
use super::{Each, LANES, Quatx8, Vec3x8};
use crate::check::{MAX_COORDINATE, check_length};
use crate::error::{Error, Fault};
use crate::ik::two_bone::{FLAT, TwoBone};
use crate::ik::{Effector, Solution, Status, TwoBoneSettings, two_bone_solve as solve_one};
use measure::Tape;
use plane::{Start, turn};
use triangle::Triangle;

/// Bends eight arms or legs of two bones: [`two_bone_solve`](crate::two_bone_solve) by lanes, with
/// its answers, degenerate cases and reports; `settings` are those of all eight.
///
/// Accuracy: bit for bit where [lanes](crate::lanes) are, else within 1e-5 of the reach and
/// 1e-4 rad.
///
/// # Errors
/// In each lane those of [`two_bone_solve`](crate::two_bone_solve).
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Quatx8, Vec3x8, two_bone_solve};
/// use sinew::{Pole, Status, TwoBoneSettings};
///
/// let mut legs = [Vec3::ZERO, Vec3::new(0.0, -0.5, 0.1), Vec3::NEG_Y].map(Vec3x8::splat);
/// let mut rotations = [Quatx8::IDENTITY; 3];
/// let feet: Vec3x8 =
///     core::array::from_fn(|lane| Vec3::new(0.05 * lane as f32, -0.8, 0.0)).into();
/// let bend = Pole::Direction(Vec3::Z).into();
/// let settings = TwoBoneSettings { bend, ..TwoBoneSettings::default() };
/// for solution in two_bone_solve(&mut legs, &mut rotations, feet, &settings) {
///     assert_eq!(solution?.status, Status::Reached);
/// }
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn two_bone_solve(
    positions: &mut [Vec3x8],
    rotations: &mut [Quatx8],
    targets: Vec3x8,
    settings: &TwoBoneSettings,
) -> Each<Solution> {
    let actual = positions.len();
    let Ok(joints) = <[Vec3x8; 3]>::try_from(&*positions) else {
        let fault = Fault::Length { expected: 3, actual };
        return [Err(Error::new("positions", fault)); LANES];
    };
    if let Err(error) = check_length("rotations", rotations.len(), 3) {
        return [Err(error); LANES];
    }
    let usual = if is_usual(settings) {
        let points = joints.into_iter().chain([targets]);
        surely_within(points, MAX_COORDINATE) & are_unit(rotations)
    } else {
        Mask::NONE
    };
    let mut each = [Err(Error::new("positions", Fault::NotFinite)); LANES];
    let solved = if usual.any() {
        let solved = solve(joints, rotations, targets, settings, usual);
        solved.report(targets, &mut each);
        solved.write(positions, rotations, settings);
        solved.usual
    } else {
        usual
    };
    for (lane, slot) in each.iter_mut().enumerate().filter(|(lane, _)| !solved.lane(*lane)) {
        let mut p = Single::of(positions, |position| position.lane(lane));
        let mut r = Single::of(rotations, |rotation| rotation.lane(lane));
        *slot = solve_one(p.slice(), r.slice(), targets.lane(lane), settings);
        if slot.is_ok() {
            p.put_back(positions, |position, own| position.set_lane(lane, own));
            r.put_back(rotations, |rotation, own| rotation.set_lane(lane, own));
        }
    }
    each
}

/// Whether the lanes can go in step.
fn is_usual(settings: &TwoBoneSettings) -> bool {
    settings.is_sound()
        && Vec3::is_bend(&settings.bend)
        && settings.is_unlimited()
        && settings.softness == 0.0
}

/// Eight limbs as they shall be, in the lanes that are `usual`.
struct Solved {
    usual: Mask,
    middle: Vec3x8,
    effector: Vec3x8,
    root_rotation: Quatx8,
    middle_rotation: Quatx8,
    effector_rotation: Quatx8,
    reach: F32x8,
    out_of_reach: Mask,
}

impl Solved {
    fn report(&self, targets: Vec3x8, each: &mut Each<Solution>) {
        let gap = (self.effector - targets).length();
        let most = self.reach * 1e-5 + targets.largest() * (2.0 * f32::EPSILON);
        let reached = gap.le(most);
        for (lane, slot) in each.iter_mut().enumerate() {
            let status = if reached.lane(lane) {
                Status::Reached
            } else if self.out_of_reach.lane(lane) {
                Status::Unreachable
            } else {
                Status::Stalled
            };
            *slot = Ok(Solution { status, iterations: 1, distance: gap.lane(lane), angle: 0.0 });
        }
    }

    fn write(
        &self,
        positions: &mut [Vec3x8],
        rotations: &mut [Quatx8],
        settings: &TwoBoneSettings,
    ) {
        let usual = self.usual;
        if let [_, middle, effector] = positions {
            *middle = usual.select(self.middle, *middle);
            *effector = usual.select(self.effector, *effector);
        }
        if let [root, middle, effector] = rotations {
            *root = usual.select(self.root_rotation, *root);
            *middle = usual.select(self.middle_rotation, *middle);
            match settings.effector {
                Effector::Set(rotation) => {
                    *effector = usual.select(Quatx8::splat(rotation), *effector);
                }
                Effector::Follow => *effector = usual.select(self.effector_rotation, *effector),
                Effector::Keep => {}
            }
        }
    }
}

fn solve(
    [root, middle, effector]: [Vec3x8; 3],
    rotations: &[Quatx8],
    targets: Vec3x8,
    settings: &TwoBoneSettings,
    mut usual: Mask,
) -> Solved {
    let rotation = |joint: usize| rotations.get(joint).copied().unwrap_or_default();
    let tape = Tape::new([root, middle, effector], targets, settings.lengths);
    usual = usual & tape.have_lengths();
    let (bones, aim) = (tape.bones, tape.aim);
    let start = Start {
        root,
        bones: bones.map(|bone| bone.v),
        lengths: bones.map(|bone| bone.length),
        line: (effector - root) * tape.per_unit,
    };
    let old = start.normal(&settings.bend, rotation(1), &mut usual);
    let new = start.new_normal(&settings.bend, old, &aim, &mut usual);
    let triangle = Triangle::new(tape.lengths, tape.distance, settings.max_stretch, &mut usual);
    let direction = aim.v / aim.length;
    let [first, second] = triangle.bones(tape.lengths, direction, direction.cross(new));

    let scale = tape.unit * triangle.stretch;
    let knee = first.laid_out((root, Vec3x8::ZERO), scale);
    let tip = second.laid_out(knee, scale);
    let from = bones.map(|bone| bone.v * bone.per_length);
    if settings.bend.axis.is_some() {
        let flat = F32x8::splat(FLAT);
        usual = usual & old.dot(from[0]).abs().lt(flat) & old.dot(from[1]).abs().lt(flat);
    }
    let upper_turn = turn((from[0], old), (first.direction(), new), &mut usual);
    let lower_turn = turn((from[1], old), (second.direction(), new), &mut usual);
    Solved {
        usual,
        middle: knee.0 + knee.1,
        effector: tip.0 + tip.1,
        root_rotation: (upper_turn * rotation(0)).normalized(),
        middle_rotation: (lower_turn * rotation(1)).normalized(),
        effector_rotation: (lower_turn * rotation(2)).normalized(),
        reach: (tape.lengths[0] + tape.lengths[1]) * tape.unit,
        out_of_reach: triangle.out_of_reach,
    }
}
