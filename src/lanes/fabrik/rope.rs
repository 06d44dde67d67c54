//! Eight chains of points on their way to their targets: [`Rope`] by lanes.
//!
//! What most chains go through is done here, all eight in step. A lane that is to be bowed or
//! folded, or whose iteration gains little, goes its way to the end as a single rope.

use super::taut::Slack;
use crate::chain::Reach;
use crate::ik::Status;
use crate::ik::fabrik::points::{self, Aim, End, ROUNDING_SQUARED, Rope};
use crate::ik::fabrik::{FLAT, NEARLY_FLAT, SLOW_LEFT};
use crate::lanes::chain::{Outcomes, Single};
use crate::lanes::limb::{gap, grid, near, reach_of};
use crate::lanes::wide::{F32x8, Mask, Pen};
use crate::lanes::{Quatx8, Vec3x8};

pub(super) struct Ropes<'a> {
    /// Root first.
    pub(super) points: &'a mut [Vec3x8],
    pub(super) lengths: &'a Lengths,
    pub(super) root: Vec3x8,
    /// What the sides turn with to which flat chains are bowed.
    pub(super) frame: Quatx8,
    pub(super) target: Vec3x8,
    pub(super) longest: F32x8,
    pub(super) shortest: F32x8,
    pub(super) tolerance: F32x8,
}

/// The targets, from the roots.
struct Aims {
    line: Vec3x8,
    distance: F32x8,
}

impl Ropes<'_> {
    /// Solves the lanes that are `active`, whose gaps are above the tolerance.
    pub(super) fn solve(&mut self, gap: F32x8, active: Mask, max_iterations: usize) -> Outcomes {
        let mut outcomes = Outcomes::all(Status::IterationLimit);
        let target = near(self.target - self.root, self.longest);
        let distance = target.length();
        let line = target * (F32x8::ONE / distance);
        let beyond = active & distance.ge(self.longest - self.tolerance);
        if beyond.any() {
            self.lay(beyond, |_, _| line);
            outcomes.set_status(beyond, Status::Unreachable);
            outcomes.set_iterations(beyond, 1);
        }
        let usual = active & !beyond;
        let is_folded = distance.lt(self.shortest + self.tolerance) & self.shortest.gt(F32x8::ZERO);
        let rare = usual & (is_folded | !distance.gt(F32x8::ZERO) | self.are_flat(usual, line));
        for lane in rare.lanes() {
            let end = self.single(lane, |rope| rope.solve(gap.lane(lane), max_iterations));
            outcomes.set(lane, end.status, end.iterations);
        }
        self.iterate(&Aims { line, distance }, (gap, usual & !rare), max_iterations, outcomes)
    }

    fn iterate(
        &mut self,
        aims: &Aims,
        (mut gap, mut going): (F32x8, Mask),
        max_iterations: usize,
        mut outcomes: Outcomes,
    ) -> Outcomes {
        let mut iterations = 0;
        while going.any() && iterations < max_iterations {
            iterations += 1;
            let before = gap;
            let slack = self.there_and_back(going, aims.line);
            gap = going.select(self.gap(), gap);
            let wants = going & gap.gt(self.tolerance);
            if wants.any() {
                gap = self.draw_taut(&slack, wants, aims, gap);
            }
            outcomes.set_iterations(going, iterations);
            let slow = going & gap.gt(before * SLOW_LEFT);
            for lane in slow.lanes() {
                let gaps = (before.lane(lane), gap.lane(lane));
                let end = self.go_on(lane, aims, (gaps, iterations), max_iterations);
                outcomes.set(lane, end.status, end.iterations);
            }
            let met = going & !slow & !gap.gt(self.tolerance);
            outcomes.set_status(met, Status::Reached);
            going = going & !slow & !met;
        }
        outcomes
    }

    pub(super) fn gap(&self) -> F32x8 {
        gap(self.points, self.target)
    }

    /// The lanes whose points all lie within a share of the reach from the line to the target.
    fn are_flat(&self, lanes: Mask, line: Vec3x8) -> Mask {
        let most = self.longest * FLAT;
        let most = most * most;
        let mut flat = lanes;
        for point in self.points.iter() {
            let point = *point - self.root;
            let across = point - line * point.dot(line);
            flat = flat & across.dot(across).lt(most);
            if !flat.any() {
                break;
            }
        }
        flat
    }

    fn there_and_back(&mut self, going: Mask, line: Vec3x8) -> Slack {
        let dragged = self.reach_back(going);
        self.reach_forth(going, dragged, line)
    }

    fn reach_back(&mut self, going: Mask) -> Vec3x8 {
        let pen = Pen::new(going);
        let mut is = self.target;
        let Some((tip, others)) = self.points.split_last_mut() else { return is };
        let mut was = *tip;
        pen.put(is, tip);
        for (bone, point) in others.iter_mut().enumerate().skip(1).rev() {
            let own = *point;
            let length = self.lengths.get(bone, was - own, was);
            is = is + along(own - is, length, ROUNDING_SQUARED, own - was);
            pen.put(is, point);
            was = own;
        }
        is + (self.root - was)
    }

    fn reach_forth(&mut self, going: Mask, dragged: Vec3x8, line: Vec3x8) -> Slack {
        let pen = Pen::new(going);
        let mut slack = Slack::new(line);
        let (mut is, mut was) = (self.root, dragged);
        let Some((first, others)) = self.points.split_first_mut() else { return slack };
        pen.put(is, first);
        for (index, point) in others.iter_mut().enumerate() {
            let own = *point;
            let length = self.lengths.get(index, own - was, own);
            let bone = along(own - is, length, ROUNDING_SQUARED, own - was);
            slack.add(bone, length);
            is = is + bone;
            pen.put(is, point);
            was = own;
        }
        slack
    }

    #[inline]
    fn lay(&mut self, lanes: Mask, shape: impl Fn(Vec3x8, F32x8) -> Vec3x8) {
        let mut is = self.root;
        let Some((first, others)) = self.points.split_first_mut() else { return };
        let mut was = *first;
        *first = lanes.select(is, was);
        for (index, point) in others.iter_mut().enumerate() {
            let own = *point;
            let bone = own - was;
            let length = self.lengths.get(index, bone, own);
            is = is + along(shape(bone, length), length, f32::EPSILON, bone);
            *point = lanes.select(is, own);
            was = own;
        }
    }

    /// Draws the lanes that want it taut, or slack, where that brings them nearer; returns the gap.
    fn draw_taut(&mut self, slack: &Slack, wants: Mask, aims: &Aims, gap: F32x8) -> F32x8 {
        let chord = self.points.last().map_or(Vec3x8::ZERO, |tip| *tip - self.root);
        let (drawn, fits) = slack.fit(chord, aims.distance, gap);
        let lanes = wants & fits;
        if !lanes.any() {
            return gap;
        }
        self.lay(lanes, |bone, length| drawn.bone(bone, length));
        lanes.select(self.gap(), gap)
    }

    /// Lets one lane go on alone whose iteration has gained little: from one gap to another.
    fn go_on(
        &mut self,
        lane: usize,
        aims: &Aims,
        ((before, gap), iterations): ((f32, f32), usize),
        max_iterations: usize,
    ) -> End {
        let aim = Aim { line: aims.line.lane(lane), distance: aims.distance.lane(lane) };
        self.single(lane, |rope| {
            let gap = rope.draw_exactly(aim, before, gap);
            if rope.is_at_rest(before, gap) {
                return End { status: Status::Stalled, iterations, gap };
            }
            let end = End { status: Status::IterationLimit, iterations, gap };
            rope.iterate(aim, (end, NEARLY_FLAT), max_iterations)
        })
    }

    /// Lets one lane go its own way.
    fn single(&mut self, lane: usize, work: impl FnOnce(&mut Rope<'_, glam::Vec3>) -> End) -> End {
        let mut points = Single::of(self.points, |point| point.lane(lane));
        let end = work(&mut Rope {
            points: points.slice(),
            lengths: &points::Lengths(self.lengths.0.map(|length| length.lane(lane))),
            root: self.root.lane(lane),
            frame: self.frame.lane(lane),
            target: self.target.lane(lane),
            reach: Reach { shortest: self.shortest.lane(lane), longest: self.longest.lane(lane) },
            tolerance: self.tolerance.lane(lane),
        });
        points.put_back(self.points, |point, own| point.set_lane(lane, own));
        end
    }
}

/// The bone of this length in the direction of `wanted`, or `bone` where that is no direction.
#[inline]
fn along(wanted: Vec3x8, length: F32x8, least: f32, bone: Vec3x8) -> Vec3x8 {
    let squared = wanted.dot(wanted);
    let directed = squared.gt(length * length * least);
    let along = wanted * (length / squared) * squared.sqrt();
    if directed.all() { along } else { directed.select(along, bone) }
}

/// [`points::Lengths`] by lanes.
pub(super) struct Lengths([F32x8; points::Lengths::REMEMBERED]);

impl Lengths {
    pub(super) const NONE: Self = Self([F32x8::ZERO; points::Lengths::REMEMBERED]);

    /// Measures the chains, in place; returns the longest and the shortest reach.
    pub(super) fn measure(&mut self, positions: &[Vec3x8]) -> (F32x8, F32x8) {
        let bones = positions.iter().zip(positions.iter().skip(1));
        reach_of(bones.enumerate().map(|(index, (a, b))| {
            let length = (*a - *b).length();
            if let Some(slot) = self.0.get_mut(index) {
                *slot = length.snap(grid(length, b.largest()));
            }
            length
        }))
    }

    #[inline]
    fn get(&self, index: usize, bone: Vec3x8, end: Vec3x8) -> F32x8 {
        self.0.get(index).copied().unwrap_or_else(|| {
            let length = bone.length();
            length.snap(grid(length, end.largest()))
        })
    }
}
