//! [`fabrik_solve`](crate::fabrik_solve) by lanes: free chains in step, limited ones in turn.

use super::rope::{Lengths, Ropes};
use crate::ik::fabrik::FabrikSettings;
use crate::ik::fabrik::pose::drag;
use crate::ik::{Solution, Status};
use crate::joint::Joint3;
use crate::lanes::chain::{MOST_JOINTS, Outcomes};
use crate::lanes::limb::{Limbs, solve};
use crate::lanes::turn::{Arms, turn_free};
use crate::lanes::wide::Mask;
use crate::lanes::{Each, LANES, Quatx8, Vec3x8};

/// Drags eight chains along their bones, in place, each until its effector is at its target:
/// [`fabrik_solve`](crate::fabrik_solve) by lanes, with its answers, degenerate cases and reports.
///
/// `positions` and `rotations` are the joints' world poses, root first, effector last, at most 128
/// of them; `joints` and `settings` are those of all eight. Free chains are solved by lanes;
/// others, and lanes that are straight on the line to their target at first, out of reach, or in an
/// iteration that gains little, are solved one at a time from there.
///
/// Accuracy: bit for bit where [lanes](crate::lanes) are. Else glam rounds products of rotations
/// in other ways, and one iteration of a free chain may make of that up to a thousandth of the
/// reach; within limits, or over several iterations, it may be more.
///
/// # Errors
/// In each lane those of [`fabrik_solve`](crate::fabrik_solve); in every lane if there are more
/// than 128 joints.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Quatx8, Vec3x8, fabrik_solve};
/// use sinew::{FabrikSettings, Status};
///
/// let mut positions = [0.0, 1.0, 2.0, 3.0].map(|y| Vec3x8::splat(Vec3::Y * y));
/// let mut rotations = [Quatx8::IDENTITY; 4];
/// let targets = Vec3x8::splat(Vec3::new(1.5, 1.5, 0.5));
/// let settings = FabrikSettings::default();
/// for solution in fabrik_solve(&mut positions, &mut rotations, &[], targets, &settings) {
///     assert_eq!(solution?.status, Status::Reached);
/// }
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn fabrik_solve(
    positions: &mut [Vec3x8],
    rotations: &mut [Quatx8],
    joints: &[Joint3],
    targets: Vec3x8,
    settings: &FabrikSettings,
) -> Each<Solution> {
    if let Err(error) = settings.check() {
        return [Err(error); LANES];
    }
    let goal = (targets, settings.tolerance);
    solve(positions, rotations, joints, goal, |limbs, active, _| {
        drag_lanes(limbs, active, settings.max_iterations)
    })
}

fn drag_lanes(limbs: &mut Limbs<'_>, active: Mask, max_iterations: usize) -> Outcomes {
    let mut outcomes = Outcomes::all(Status::IterationLimit);
    let beyond = limbs.target.length().ge(limbs.longest - limbs.tolerance);
    let together =
        if limbs.is_free() && max_iterations > 0 { active & !beyond } else { Mask::NONE };
    if together.any() {
        match limbs.rotations.len() {
            ..=17 => drag_up_to::<17>(limbs, together, max_iterations, &mut outcomes),
            18..=65 => drag_up_to::<65>(limbs, together, max_iterations, &mut outcomes),
            _ => drag_up_to::<MOST_JOINTS>(limbs, together, max_iterations, &mut outcomes),
        }
    }
    for lane in (active & !together).lanes() {
        let (status, iterations) = limbs.single(lane, |limb| drag(limb, max_iterations));
        outcomes.set(lane, status, iterations);
    }
    outcomes
}

/// Remembers a point for each joint, of which there are no more than this. Never inlined: short
/// chains do not wait until room for long ones has been cleared.
#[inline(never)]
fn drag_up_to<const JOINTS: usize>(
    limbs: &mut Limbs<'_>,
    active: Mask,
    max_iterations: usize,
    outcomes: &mut Outcomes,
) {
    let mut points = [Vec3x8::ZERO; JOINTS];
    let points = points.get_mut(..limbs.rotations.len()).unwrap_or_default();
    drag_points(limbs, points, active, max_iterations, outcomes);
}

/// Free chains are ropes, and in the end their joints turn after them.
fn drag_points(
    limbs: &mut Limbs<'_>,
    points: &mut [Vec3x8],
    active: Mask,
    max_iterations: usize,
    outcomes: &mut Outcomes,
) {
    let mut position = Vec3x8::ZERO;
    let bones = limbs.bones().iter().zip(limbs.rotations.iter());
    for (point, (bone, rotation)) in points.iter_mut().skip(1).zip(bones) {
        position = position + rotation.rotate(*bone);
        *point = position;
    }
    let mut lengths = Lengths::NONE;
    lengths.measure(points);
    let mut ropes = Ropes {
        points,
        lengths: &lengths,
        root: Vec3x8::ZERO,
        frame: limbs.rotations.first().copied().unwrap_or(Quatx8::IDENTITY),
        target: limbs.target,
        longest: limbs.longest,
        shortest: limbs.shortest,
        tolerance: limbs.tolerance,
    };
    let gap = ropes.gap();
    let is_off = gap.gt(limbs.tolerance);
    if (active & is_off).any() {
        *outcomes = ropes.solve(gap, active & is_off, max_iterations);
        turn_after(limbs, ropes.points, active & is_off);
    }
    outcomes.set_status(active & !is_off, Status::Reached);
}

/// Turns free joints so that their bones lead through these points.
fn turn_after(limbs: &mut Limbs<'_>, points: &[Vec3x8], active: Mask) {
    let mut carried = Quatx8::IDENTITY;
    let mut position = Vec3x8::ZERO;
    let (bones, rotations) = limbs.bones_and_rotations();
    let mut pairs = bones.iter().zip(points.iter().skip(1));
    for rotation in rotations.iter_mut() {
        let own = (carried * *rotation).renormalized();
        let Some((bone, point)) = pairs.next() else {
            *rotation = active.select(own, *rotation);
            break;
        };
        let target = own.rotate_back_fast(*point - position);
        let arms = Arms { effector: *bone, target };
        let turned = turn_free(own, &arms, active);
        carried = turned.local * rotation.conjugate();
        *rotation = active.select(turned.local, *rotation);
        position = position + turned.seen.effector;
    }
}
