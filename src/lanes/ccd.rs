//! Cyclic coordinate descent for eight chains: [`crate::ccd_solve`] by lanes.

use glam::Vec3;

use super::chain::Outcomes;
use super::limb::{Limbs, solve};
use super::turn::{Sights, turn, turn_free, turns_in_lanes};
use super::wide::{F32x8, Mask, Pen, select_by_fields};
use super::{Each, LANES, Quatx8, Vec3x8};
use crate::ik::ccd::{self, Descent, RETRY, SHAPING, SLOW_GAIN, TAUT, run};
use crate::ik::sweep::Tip;
use crate::ik::{CcdSettings, Order, Solution, Status};
use crate::joint::Joint3;

/// Turns the joints of eight chains, in place, until their effectors are at their targets:
/// [`ccd_solve`](crate::ccd_solve) for each lane.
///
/// `positions`, `rotations` and `joints` are as there, for chains of at most 128 joints; the joints
/// and the settings are those of every lane, the bones' lengths each lane's own. Sweeps go on until
/// the last lanes are done; a lane that is done does not move.
///
/// Free joints, hinges and cones turn in lanes, knees with their hips too. A chain with another
/// limit or a weight, and settings with damping, a `max_turn` below π or the other order, are
/// solved lane by lane; so is the search by angles for a pair of limited joints after a sweep that
/// gained little.
///
/// Accuracy: bit for bit `ccd_solve` where [lanes](crate::lanes) are. Elsewhere the descents part
/// in the last digits, and then, at a limit or in the choice of a pair, further: effectors that
/// both arrive are within the tolerance of their target, and others nearer or farther. Of random
/// chains of six cones one in fifty differs by more than the tolerance, by up to a fiftieth of the
/// reach. Of tails of eight hinges that follow a target from frame to frame it is one in a hundred,
/// by up to a fifth; as many have another status, and one in eight a joint that is a hundredth of
/// the reach away from where the scalar has it. Limits and lengths hold as there.
///
/// # Errors
/// As for `ccd_solve`, for each lane; more than 128 joints. The lane is then as it was.
///
/// ```
/// use sinew::{CcdSettings, Status, glam::{Quat, Vec3}};
/// use sinew::lanes::{LANES, Quatx8, Vec3x8, ccd_solve};
///
/// let mut positions = [0.0, 1.0, 2.0].map(|y| Vec3x8::splat(Vec3::Y * y));
/// let mut rotations = [Quatx8::splat(Quat::IDENTITY); 3];
/// let targets = core::array::from_fn(|lane| Vec3::new(1.0, 0.1 * lane as f32, 0.5));
/// let solved =
///     ccd_solve(&mut positions, &mut rotations, &[], targets.into(), &CcdSettings::default());
/// for lane in 0..LANES {
///     assert_eq!(solved[lane].unwrap().status, Status::Reached);
///     assert!(positions[2].lane(lane).distance(targets[lane]) < 2e-3);
/// }
/// ```
pub fn ccd_solve(
    positions: &mut [Vec3x8],
    rotations: &mut [Quatx8],
    joints: &[Joint3],
    targets: Vec3x8,
    settings: &CcdSettings,
) -> Each<Solution> {
    if let Err(error) = settings.check() {
        return [Err(error); LANES];
    }
    solve(
        positions,
        rotations,
        joints,
        (targets, settings.tolerance),
        |limbs, active, effectors| {
            let by_lanes = settings.effort().is_full()
                && settings.order == Order::TipFirst
                && joints.iter().all(turns_in_lanes);
            if by_lanes {
                descend_from_start(limbs, active, effectors, settings)
            } else {
                each_on_its_own(limbs, active, effectors, settings)
            }
        },
    )
}

/// The scalar descent, lane by lane.
fn each_on_its_own(
    limbs: &mut Limbs<'_>,
    active: Mask,
    effectors: Vec3x8,
    settings: &CcdSettings,
) -> Outcomes {
    let mut outcomes = Outcomes::all(Status::Stalled);
    for lane in active.lanes() {
        let effector = effectors.lane(lane);
        let (status, iterations) = limbs.single(lane, |limb| run(limb, effector, settings));
        outcomes.set(lane, status, iterations);
    }
    outcomes
}

/// Draws taut what is near full reach, and sweeps what is left to do.
fn descend_from_start(
    limbs: &mut Limbs<'_>,
    active: Mask,
    mut effectors: Vec3x8,
    settings: &CcdSettings,
) -> Outcomes {
    let mut outcomes = Outcomes::all(Status::Stalled);
    let mut running = active;
    if limbs.is_free() && settings.max_iterations > 0 {
        let distance = limbs.target.length();
        let far = active & distance.ge(limbs.longest * TAUT);
        let gap = (effectors - limbs.target).length();
        for lane in far.lanes() {
            let own = gap.lane(lane);
            let taut =
                limbs.single(lane, |limb| limb.draw_taut(TAUT, own).then(|| limb.effector()));
            if let Some(own) = taut {
                effectors.set_lane(lane, own);
                outcomes.set(lane, Status::Stalled, 1);
                if distance.lane(lane) >= limbs.longest.lane(lane) {
                    running = running & !Mask::only(lane);
                }
            }
        }
    }
    if running.any() {
        let tips = limbs.tips(effectors);
        limbs.make_relative(running);
        descend(limbs, running, tips, settings, &mut outcomes);
        limbs.make_world(running);
    }
    outcomes
}

/// The tips as the roots see them: [`Tip`] by lanes.
#[derive(Clone, Copy)]
pub(super) struct Tips {
    pub(super) effector: Vec3x8,
    /// From the last bones' axes to the roots'.
    pub(super) axes: Quatx8,
}

impl Tips {
    /// What is at `place` from the roots, from the effectors and along the last bones' axes.
    pub(super) fn see(&self, place: Vec3x8) -> Vec3x8 {
        self.axes.rotate_back_fast(place - self.effector)
    }

    pub(super) fn lane(&self, lane: usize) -> Tip<Vec3> {
        Tip { effector: self.effector.lane(lane), axes: self.axes.lane(lane) }
    }

    pub(super) fn set_lane(&mut self, lane: usize, tip: Tip<Vec3>) {
        self.effector.set_lane(lane, tip.effector);
        self.axes.set_lane(lane, tip.axes);
    }
}

select_by_fields!(Tips { effector, axes });

/// So few lanes are sooner done each on its own: most crowds wait for a straggler.
const FEW: u32 = 1;

/// Sweeps until every lane has an outcome.
fn descend(
    limbs: &mut Limbs<'_>,
    mut running: Mask,
    mut tips: Tips,
    settings: &CcdSettings,
    outcomes: &mut Outcomes,
) {
    let mut gap = limbs.gap_of(tips);
    // A pair of joints is tried only below this gap: above it one has been tried in vain.
    let mut try_pair_below = F32x8::splat(f32::INFINITY);
    loop {
        running = still_running(running, gap.gt(limbs.tolerance), settings, outcomes);
        if running.count() <= FEW {
            break;
        }
        outcomes.count_iteration(running);
        running.put(limbs.sweep_from_tip(tips, running), &mut tips);
        let closed = limbs.gap_of(tips);
        let gain = gap - closed;
        gap = closed;
        let is_slow = gain.lt(gap * SLOW_GAIN);
        let is_shaped = outcomes.have_made(SHAPING + 1);
        let is_stuck = gain.lt(limbs.least_gain(gap));
        let is_last = outcomes.have_made(settings.max_iterations) & !is_stuck;
        let is_ripe = running & (is_slow | is_shaped) & !is_last;
        if is_ripe.any() {
            let is_due = is_ripe & (is_stuck | gap.lt(try_pair_below));
            let turned = limbs.turn_pairs(&mut tips, is_due, is_slow);
            gap = limbs.gap_of(tips);
            outcomes.count_iteration(turned & !is_stuck);
            let in_vain = is_ripe & !turned;
            running = running & !(in_vain & is_stuck);
            try_pair_below = (in_vain & is_due).select(gap * RETRY, try_pair_below);
        }
    }
    for lane in running.lanes() {
        let from = Descent {
            iterations: outcomes.iterations_of(lane),
            tip: tips.lane(lane),
            try_pair_below: try_pair_below.lane(lane),
        };
        let (status, iterations) = limbs.single(lane, |limb| ccd::descend(limb, settings, from));
        outcomes.set(lane, status, iterations);
    }
}

/// Gives the lanes an outcome that have come to one; returns the others.
fn still_running(
    running: Mask,
    is_off: Mask,
    settings: &CcdSettings,
    outcomes: &mut Outcomes,
) -> Mask {
    outcomes.set_status(running & !is_off, Status::Reached);
    let running = running & is_off;
    let is_spent = running & outcomes.have_made(settings.max_iterations);
    outcomes.set_status(is_spent, Status::IterationLimit);
    running & !is_spent
}

impl Limbs<'_> {
    /// One sweep of the active lanes against the chain.
    fn sweep_from_tip(&mut self, tips: Tips, active: Mask) -> Tips {
        let mut seen = Sights { effector: Vec3x8::ZERO, target: tips.see(self.target) };
        let joints = self.joints;
        let (bones, rotations) = self.bones_and_rotations();
        let pose = rotations.iter_mut().zip(bones).rev();
        // Whether all are active is asked once: these turns are quick.
        if joints.is_empty() && active.all() {
            for (local, bone) in pose {
                let turned = turn_free(*local, &seen.across(*bone), active);
                *local = turned.local;
                seen = turned.seen;
            }
        } else if joints.is_empty() {
            for (local, bone) in pose {
                let turned = turn_free(*local, &seen.across(*bone), active);
                *local = active.select(turned.local, *local);
                seen = turned.seen;
            }
        } else {
            for ((local, bone), joint) in pose.zip(joints.iter().rev()) {
                let turned = turn(joint, *local, &seen.across(*bone), active);
                *local = active.select(turned.local, *local);
                seen = turned.seen;
            }
        }
        // A pass of its own: what a turn has in hand leaves no register for this.
        let axes = self.rotations.iter().zip(self.bones()).rev();
        let axes = axes.fold(Quatx8::IDENTITY, |axes, (local, _)| *local * axes);
        Tips { effector: seen.effector, axes: axes.renormalized() }
    }

    /// The tips of the poses, whose effectors are there, by world rotations.
    fn tips(&self, effector: Vec3x8) -> Tips {
        let last = self.bones().len().checked_sub(1).and_then(|last| self.rotations.get(last));
        Tips { effector, axes: last.copied().unwrap_or(Quatx8::IDENTITY) }
    }

    /// The same by rotations relative to the parents.
    pub(super) fn tips_of_relative(&self) -> Tips {
        let pose = self.rotations.iter().zip(self.bones()).rev();
        let none = (Vec3x8::ZERO, Quatx8::IDENTITY);
        let (effector, axes) = pose.fold(none, |(effector, axes), (local, bone)| {
            (local.rotate_fast(*bone + effector), *local * axes)
        });
        Tips { effector, axes: axes.renormalized() }
    }

    /// How far the effectors are from the targets.
    pub(super) fn gap_of(&self, tips: Tips) -> F32x8 {
        (tips.effector - self.target).length()
    }

    /// The active lanes' rotations relative to their parents, in the place of world rotations.
    fn make_relative(&mut self, active: Mask) {
        let pen = Pen::new(active);
        let mut parent = Quatx8::IDENTITY;
        for rotation in self.rotations.iter_mut() {
            let own = *rotation;
            pen.put(parent.conjugate() * own, rotation);
            parent = own;
        }
    }

    /// Undoes [`Limbs::make_relative`].
    fn make_world(&mut self, active: Mask) {
        let pen = Pen::new(active);
        let (mut product, mut factor) = (Quatx8::IDENTITY, F32x8::ONE);
        for rotation in self.rotations.iter_mut() {
            product = product * *rotation * factor;
            factor = product.renormalizing();
            pen.put(product * factor, rotation);
        }
    }
}
