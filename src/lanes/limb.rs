//! Eight chains as the iterative solvers hold them: [`Limb`] by lanes, bones in their joints'
//! frames, everything seen from the root and in units of about the reach.

use glam::Vec3;

use super::chain::{Outcomes, Single, check_count};
use super::check::Checks;
use super::joint::{is_inside, is_kept_in_lanes};
use super::wide::{F32x8, Mask, Pen};
use super::{Each, Quatx8, Vec3x8};
use crate::chain::{BONE_GRID, COORDINATE_GRID, Reach};
use crate::check::check_each;
use crate::ik::limb::{FAR, Limb, MARGIN, check_shape, is_admissible};
use crate::ik::{Solution, Status};
use crate::joint::Joint3;

/// Lent slices, converted in place, in the lanes that are being solved only.
pub(super) struct Limbs<'a> {
    root: Vec3x8,
    /// The first entry is the root's and is left alone.
    positions: &'a mut [Vec3x8],
    pub(super) rotations: &'a mut [Quatx8],
    /// One for each bone, or empty: all free.
    pub(super) joints: &'a [Joint3],
    pub(super) target: Vec3x8,
    pub(super) longest: F32x8,
    pub(super) shortest: F32x8,
    pub(super) tolerance: F32x8,
    unit: F32x8,
}

/// [`crate::ik::limb::solve`] for eight chains and a point each. `descend` is given the lanes that
/// are to be solved, and moves no others; and where the effectors are.
pub(super) fn solve(
    positions: &mut [Vec3x8],
    rotations: &mut [Quatx8],
    joints: &[Joint3],
    (targets, tolerance): (Vec3x8, f32),
    descend: impl FnOnce(&mut Limbs<'_>, Mask, Vec3x8) -> Outcomes,
) -> Each<Solution> {
    if let Err(error) = check_shape(positions.len(), rotations.len(), joints.len())
        .and_then(|()| check_count(positions.len()))
    {
        return [Err(error); super::LANES];
    }
    let (longest, shortest) = reach(positions);
    let mut checks = Checks::new();
    checks.points("positions", positions, longest);
    checks.rotations("rotations", rotations);
    checks.shared(check_each(joints, Joint3::check));
    checks.vector("target", targets);
    let tolerance_here = longest * tolerance;
    let distance = gap(positions, targets);
    let mut good = distance.le(tolerance_here);
    if good.any() {
        good = good & are_inside(rotations, joints, good);
    }
    let active = checks.good() & !good;
    let mut outcomes = Outcomes::all(Status::Reached);
    let effectors =
        positions.last().zip(positions.first()).map_or(Vec3x8::ZERO, |(tip, root)| *tip - *root);
    if active.any() {
        let goal = (targets, tolerance);
        let limbs = Limbs::enter(positions, rotations, joints, goal, active, (longest, shortest));
        outcomes = limbs.solve(active, effectors, descend);
    }
    outcomes.set_iterations(!active, 0);
    let distance = gap(positions, targets);
    outcomes.reports(&checks, distance, distance.le(tolerance_here))
}

/// The longest and the shortest reach of each lane.
pub(super) fn reach(positions: &[Vec3x8]) -> (F32x8, F32x8) {
    let bones = positions.iter().zip(positions.iter().skip(1));
    reach_of(bones.map(|(a, b)| (*a - *b).length()))
}

/// [`reach`] by the bones' lengths.
#[inline]
pub(super) fn reach_of(lengths: impl Iterator<Item = F32x8>) -> (F32x8, F32x8) {
    let (longest, longest_bone) = lengths
        .fold((F32x8::ZERO, F32x8::ZERO), |(sum, most), length| (sum + length, length.max(most)));
    (longest, (longest_bone * 2.0 - longest).max(F32x8::ZERO))
}

/// The lanes of whose bones none has any length to speak of: there is nothing to solve.
fn is_point(longest: F32x8) -> Mask {
    longest.lt(F32x8::splat(f32::MIN_POSITIVE))
}

/// The lanes whose joints are all within their limits; [`is_admissible`], of which only the active
/// lanes are asked.
fn are_inside(rotations: &[Quatx8], joints: &[Joint3], active: Mask) -> Mask {
    if !joints.iter().all(is_kept_in_lanes) {
        return Mask::from_fn(|lane| {
            let mut own = Single::of(rotations, |rotation| rotation.lane(lane));
            active.lane(lane) && is_admissible::<Vec3>(own.slice(), joints)
        });
    }
    let mut parent = Quatx8::IDENTITY;
    joints.iter().zip(rotations).fold(!Mask::NONE, |inside, (joint, rotation)| {
        let local = parent.conjugate() * *rotation;
        parent = *rotation;
        inside & is_inside(joint, local)
    })
}

/// How far each lane's effector is from its target.
pub(super) fn gap(positions: &[Vec3x8], targets: Vec3x8) -> F32x8 {
    positions.last().map_or(F32x8::ZERO, |tip| (*tip - targets).length())
}

/// [`crate::ik::limb::near`].
pub(super) fn near(target: Vec3x8, reach: F32x8) -> Vec3x8 {
    let distance = target.length();
    let most = reach * FAR;
    distance.gt(most).select(target * (most / distance), target)
}

/// The grid that a bone is rounded to.
#[inline]
pub(super) fn grid(bone: F32x8, coordinate: F32x8) -> F32x8 {
    (bone * BONE_GRID).max(coordinate * COORDINATE_GRID).binade_or_zero()
}

impl<'a> Limbs<'a> {
    fn enter(
        positions: &'a mut [Vec3x8],
        rotations: &'a mut [Quatx8],
        joints: &'a [Joint3],
        (targets, tolerance): (Vec3x8, f32),
        active: Mask,
        (longest, shortest): (F32x8, F32x8),
    ) -> Self {
        let unit = is_point(longest).select(F32x8::ONE, longest.binade());
        let scale = F32x8::ONE / unit;
        let pen = Pen::new(active);
        let root = positions.first().copied().unwrap_or(Vec3x8::ZERO);
        let mut parent: Option<(Vec3x8, Quatx8)> = None;
        for (position, rotation) in positions.iter_mut().zip(rotations.iter_mut()) {
            let (world, own) = (*position, rotation.normalized_near());
            pen.put(own, rotation);
            if let Some((parent, parent_rotation)) = parent {
                let bone = parent_rotation.conjugate().rotate(world - parent);
                let coordinate = world.largest().max(parent.largest());
                let coordinate = coordinate.max((world - root).largest());
                let grid = grid(bone.largest(), coordinate);
                pen.put(bone.map(|x| x.snap(grid)) * scale, position);
            }
            parent = Some((world, own));
        }
        let longest = longest / unit;
        Self {
            root,
            positions,
            rotations,
            joints,
            target: near(targets - root, unit) * scale,
            longest,
            shortest: shortest / unit,
            tolerance: F32x8::splat(MARGIN * tolerance) * longest,
            unit,
        }
    }

    /// Solves the active lanes, whose effectors are there as seen from the roots in the caller's
    /// unit, and hands the slices back.
    fn solve(
        mut self,
        active: Mask,
        effectors: Vec3x8,
        descend: impl FnOnce(&mut Self, Mask, Vec3x8) -> Outcomes,
    ) -> Outcomes {
        let effectors = self.bring_inside(active, effectors * (F32x8::ONE / self.unit));
        let points = is_point(self.longest);
        let solved = active & !points;
        let mut outcomes = if solved.any() {
            descend(&mut self, solved, effectors)
        } else {
            Outcomes::all(Status::Reached)
        };
        outcomes.set_status(active & points, Status::Stalled);
        outcomes.set_status(active & self.are_out_of_reach(), Status::Unreachable);
        self.leave(active);
        outcomes
    }

    /// Turns the slices back into world poses.
    fn leave(self, active: Mask) {
        let pen = Pen::new(active);
        let mut offset = Vec3x8::ZERO;
        for (bone, rotation) in self.positions.iter_mut().skip(1).zip(self.rotations.iter()) {
            offset = offset + rotation.rotate(*bone);
            pen.put(self.root + offset * self.unit, bone);
        }
    }

    /// From each joint to the next, in its own frame.
    pub(super) fn bones(&self) -> &[Vec3x8] {
        self.positions.get(1..).unwrap_or_default()
    }

    /// The bones to read, and the rotations to write.
    pub(super) fn bones_and_rotations(&mut self) -> (&[Vec3x8], &mut [Quatx8]) {
        (self.positions.get(1..).unwrap_or_default(), self.rotations)
    }

    /// Whether every joint turns freely.
    pub(super) fn is_free(&self) -> bool {
        self.joints.iter().all(Joint3::is_free)
    }

    /// The lanes that no pose of their bones brings near enough to the target, by what distance
    /// alone says.
    pub(super) fn are_out_of_reach(&self) -> Mask {
        let distance = self.target.length();
        distance.gt(self.longest + self.tolerance) | distance.lt(self.shortest - self.tolerance)
    }

    /// Brings the active lanes inside their limits; returns the effectors, which were there.
    fn bring_inside(&mut self, active: Mask, mut effectors: Vec3x8) -> Vec3x8 {
        let outside = active & !are_inside(self.rotations, self.joints, active);
        for lane in outside.lanes() {
            let brought = self.single(lane, |limb| limb.bring_inside().then(|| limb.effector()));
            if let Some(own) = brought {
                effectors.set_lane(lane, own);
            }
        }
        effectors
    }

    /// Lets a function for single limbs work on one lane.
    pub(super) fn single<T>(
        &mut self,
        lane: usize,
        work: impl FnOnce(&mut Limb<'_, Vec3>) -> T,
    ) -> T {
        let mut root = self.root.lane(lane);
        let mut bones = Single::of(self.bones(), |bone| bone.lane(lane));
        let mut rotations = Single::of(self.rotations, |rotation| rotation.lane(lane));
        let done = work(&mut Limb {
            root: &mut root,
            bones: bones.slice(),
            rotations: rotations.slice(),
            joints: self.joints,
            target: self.target.lane(lane),
            reach: Reach { shortest: self.shortest.lane(lane), longest: self.longest.lane(lane) },
            tolerance: self.tolerance.lane(lane),
            unit: self.unit.lane(lane),
        });
        rotations.put_back(self.rotations, |rotation, own| rotation.set_lane(lane, own));
        done
    }
}
