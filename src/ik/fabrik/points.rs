//! FABRIK for chains of points: a rope that is dragged to its target and back to its root.

use super::bow::{self, Bow};
use super::taut::{Drawn, Slack, Taut};
use super::{FLAT, FabrikSettings, NEARLY_FLAT, SLOW_LEFT};
use crate::chain::{Reach, check_points, reach_of, snapped_length};
use crate::check::check_least_length;
use crate::error::Error;
use crate::ik::limb::{MARGIN, near};
use crate::ik::sweep::STALLED;
use crate::ik::{Solution, Status};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Vector, check_vector};

/// Drags a chain of points, in place, until the last is at `target`: [`fabrik_solve`] for ropes and
/// tentacles, whose joints have neither rotations nor limits.
///
/// `positions` are root first. The root stays, the bones keep their lengths. After each iteration
/// the chain is drawn taut, or let go slack, and turned about its root, so that it ends at the
/// target: most targets take one iteration.
///
/// A target out of reach ends with the chain straight towards it, or folded on the line to it if
/// one bone is too long for the others. A chain that lies on the line to its target is bowed to the
/// side of [`Vector::perpendicular`]. Zero-length bones stay points.
///
/// Accuracy: lengths to 1e-5, however often the result is fed back. Cost: linear in the points for
/// each iteration.
///
/// Source: Aristidou and Lasenby (2011), "FABRIK".
///
/// # Errors
/// Fewer than two points; a number that is not finite; a coordinate beyond
/// [`MAX_COORDINATE`](crate::MAX_COORDINATE); a setting outside its documented range. The slice is
/// then as it was.
///
/// ```
/// use sinew::{FabrikSettings, Status, fabrik_positions, glam::Vec2};
///
/// let mut tail = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0, Vec2::X * 3.0];
/// let solution = fabrik_positions(&mut tail, Vec2::new(1.0, 1.5), &FabrikSettings::default())?;
/// assert_eq!(solution.status, Status::Reached);
/// assert!((tail[3].distance(tail[2]) - 1.0).abs() < 1e-5);
/// # Ok::<(), sinew::Error>(())
/// ```
///
/// [`fabrik_solve`]: crate::fabrik_solve
pub fn fabrik_positions<V: Vector>(
    positions: &mut [V],
    target: V,
    settings: &FabrikSettings,
) -> Result<Solution, Error> {
    settings.check()?;
    check_least_length("positions", positions.len(), 2)?;
    let mut lengths = Lengths::NONE;
    let reach = lengths.measure(positions);
    check_points("positions", positions, reach)?;
    check_vector("target", target)?;
    let tolerance = settings.tolerance * reach.longest;
    let root = positions.first().copied().unwrap_or(V::ZERO);
    let mut rope = Rope {
        points: positions,
        lengths: &lengths,
        root,
        frame: V::Rotation::IDENTITY,
        target,
        reach,
        tolerance: MARGIN * tolerance,
    };
    let gap = rope.gap();
    let mut end = End { status: Status::Reached, iterations: 0, gap };
    if gap > tolerance {
        end.status = Status::IterationLimit;
        if settings.max_iterations > 0 && reach.longest >= f32::MIN_POSITIVE {
            end = rope.solve(gap, settings.max_iterations);
        }
    }
    let End { status, iterations, gap: distance } = end;
    let status = match status {
        _ if distance <= tolerance => Status::Reached,
        Status::Reached => Status::Stalled,
        other => other,
    };
    Ok(Solution { status, iterations, distance, angle: 0.0 })
}

/// What a rope has come to.
pub(crate) struct End {
    pub(crate) status: Status,
    pub(crate) iterations: usize,
    pub(crate) gap: f32,
}

/// A chain of points on its way to a target.
pub(crate) struct Rope<'a, V: Vector> {
    /// Root first.
    pub(crate) points: &'a mut [V],
    pub(crate) lengths: &'a Lengths,
    /// Where the first stays.
    pub(crate) root: V,
    /// What the side turns with to which a flat chain is bowed.
    pub(crate) frame: V::Rotation,
    pub(crate) target: V,
    pub(crate) reach: Reach,
    pub(crate) tolerance: f32,
}

impl<V: Vector> Rope<'_, V> {
    pub(crate) fn solve(&mut self, gap: f32, max_iterations: usize) -> End {
        let target = near(self.target - self.root, self.reach.longest);
        let distance = target.length();
        if distance >= self.reach.longest - self.tolerance {
            self.lay_straight(target * (1.0 / distance));
            return End { status: Status::Unreachable, iterations: 1, gap: self.gap() };
        }
        if distance < self.reach.shortest + self.tolerance && self.reach.shortest > 0.0 {
            self.fold();
            return End { status: Status::Unreachable, iterations: 1, gap: self.gap() };
        }
        let line = if distance > 0.0 { target * (1.0 / distance) } else { self.first_direction() };
        let end = End { status: Status::IterationLimit, iterations: 0, gap };
        self.iterate(Aim { line, distance }, (end, FLAT), max_iterations)
    }

    /// Goes on from where another iteration has ended. A chain within `flat` of the line is bowed
    /// first, but once only: a bow has one shape, and a second would lead in a circle.
    pub(crate) fn iterate(
        &mut self,
        aim: Aim<V>,
        (mut end, mut flat): (End, f32),
        max_iterations: usize,
    ) -> End {
        let mut is_bowed = false;
        while end.gap > self.tolerance && end.iterations < max_iterations {
            if !is_bowed && flat > 0.0 && self.is_within(aim.line, flat) {
                self.bow(aim);
                is_bowed = true;
            }
            let before = end.gap;
            let slack = self.there_and_back(aim.line);
            end.iterations += 1;
            end.gap = self.gap();
            if end.gap > self.tolerance {
                end.gap = self.draw(slack.fit(self.chord(), aim.distance, end.gap), end.gap);
            }
            flat = 0.0;
            if end.gap > SLOW_LEFT * before {
                flat = NEARLY_FLAT;
                end.gap = self.draw_exactly(aim, before, end.gap);
                if self.is_at_rest(before, end.gap) {
                    return End { status: Status::Stalled, ..end };
                }
            }
        }
        if end.gap <= self.tolerance {
            end.status = Status::Reached;
        }
        end
    }

    pub(crate) fn gap(&self) -> f32 {
        self.points.last().map_or(0.0, |tip| tip.distance(self.target))
    }

    /// One iteration of FABRIK: from the target to the root, and back to the tip. Returns how the
    /// chord changes with the slack.
    #[inline]
    fn there_and_back(&mut self, line: V) -> Slack<V> {
        let root = self.reach_back();
        self.reach_forth(root, line)
    }

    /// From the target to the root: every point goes along the line to where it was. The root
    /// itself stays; returns where it would go with its bone as that was, which is the direction
    /// to take if the next point comes to lie on it.
    fn reach_back(&mut self) -> V {
        let mut is = self.target;
        let Some((tip, others)) = self.points.split_last_mut() else { return is };
        let mut was = core::mem::replace(tip, is);
        for (bone, point) in others.iter_mut().enumerate().skip(1).rev() {
            let own = *point;
            let length = self.lengths.get(bone, was - own, was);
            is = is + along(own - is, length, ROUNDING_SQUARED).unwrap_or(own - was);
            *point = is;
            was = own;
        }
        is + (self.root - was)
    }

    /// From the root to the tip, for a chain whose root would have been dragged; returns how its
    /// chord changes with its slack about this line.
    fn reach_forth(&mut self, dragged: V, line: V) -> Slack<V> {
        let mut slack = Slack::new(line);
        let mut is = self.root;
        let mut was = dragged;
        let Some((first, others)) = self.points.split_first_mut() else { return slack };
        *first = is;
        for (index, point) in others.iter_mut().enumerate() {
            let own = *point;
            let length = self.lengths.get(index, own - was, own);
            let bone = along(own - is, length, ROUNDING_SQUARED).unwrap_or(own - was);
            slack.add(bone, length);
            is = is + bone;
            *point = is;
            was = own;
        }
        slack
    }

    /// Lays the bones out anew from the root, each in the direction that `shape` makes of it.
    #[inline]
    fn lay(&mut self, mut shape: impl FnMut(V, f32) -> V) {
        let mut is = self.root;
        let Some((first, others)) = self.points.split_first_mut() else { return };
        let mut was = *first;
        *first = is;
        for (index, point) in others.iter_mut().enumerate() {
            let own = *point;
            let bone = own - was;
            let length = self.lengths.get(index, bone, own);
            is = is + along(shape(bone, length), length, f32::EPSILON).unwrap_or(bone);
            *point = is;
            was = own;
        }
    }

    /// From the root to the tip.
    fn chord(&self) -> V {
        self.points.last().map_or(V::ZERO, |tip| *tip - self.root)
    }

    fn bones(&self) -> impl Iterator<Item = V> + Clone + '_ {
        self.points.iter().zip(self.points.iter().skip(1)).map(|(a, b)| *b - *a)
    }

    #[cold]
    fn lay_straight(&mut self, direction: V) {
        self.lay(|_, _| direction);
    }

    /// The longest bone towards the target, all others away from it.
    #[cold]
    fn fold(&mut self) {
        let longest = self.bones().map(V::length).fold(0.0, f32::max);
        let to_target = self.target - self.root;
        let distance = to_target.length();
        let direction = if distance > 0.0 {
            to_target * (1.0 / distance)
        } else {
            // Every direction is as good: the longest bone stays as it lies.
            let bone = self.bones().find(|bone| bone.length() >= longest).unwrap_or(V::ZERO);
            bone * (1.0 / longest)
        };
        let mut folded = false;
        self.lay(|bone, _| {
            let is_longest = !folded && bone.length() >= longest;
            folded |= is_longest;
            if is_longest { direction } else { -direction }
        });
    }

    /// Where the first bone that has a direction points.
    #[cold]
    fn first_direction(&self) -> V {
        bow::first_direction(self.bones())
    }

    /// Whether all points lie within a share of the reach from this line.
    fn is_within(&self, line: V, flat: f32) -> bool {
        let points = self.points.iter().map(|p| *p - self.root);
        bow::is_within(line, points, flat * self.reach.longest)
    }

    #[cold]
    fn bow(&mut self, Aim { line, distance }: Aim<V>) {
        let side = self.frame.rotate(self.frame.inverse().rotate(line).perpendicular());
        let bones = self.points.len().saturating_sub(1);
        let mut bow = Bow::new(line, side, distance / self.reach.longest, bones);
        self.lay(|bone, _| bow.next(bone));
    }

    /// Takes up a shape, if there is one; returns the gap.
    fn draw(&mut self, drawn: Option<Drawn<V>>, gap: f32) -> f32 {
        let Some(drawn) = drawn else { return gap };
        self.lay(|bone, length| drawn.bone(bone, length));
        self.gap()
    }

    /// After an iteration that has gained little: takes up the very shape whose chord is as long as
    /// the target is far, if that brings it nearer. Returns the gap.
    #[cold]
    pub(crate) fn draw_exactly(&mut self, aim: Aim<V>, before: f32, gap: f32) -> f32 {
        let taut = Taut::fit(&self.bones(), self.chord(), aim.distance, self.tolerance);
        let drawn = taut.and_then(|taut| taut.towards(aim.line, aim.distance, gap));
        let gap = self.draw(drawn, gap);
        if gap <= before {
            return gap;
        }
        self.there_and_back(aim.line);
        self.gap()
    }

    /// Whether nothing but rounding is left of the gap, and an iteration that closes none of it has
    /// shown so: it would go to and fro for ever.
    pub(crate) fn is_at_rest(&self, before: f32, gap: f32) -> bool {
        gap >= before && gap <= STALLED * self.reach.longest
    }
}

/// The target, from the root.
#[derive(Clone, Copy)]
pub(crate) struct Aim<V> {
    /// Its direction, or that of the first bone if it is on the root.
    pub(crate) line: V,
    pub(crate) distance: f32,
}

/// The bone of this length in the direction of `wanted`. `None` if that is no direction: if the
/// square of its length is `least` of the bone's or less.
///
/// The root and the division do not wait for each other, and one product does not wait for the
/// root.
#[inline]
fn along<V: Vector>(wanted: V, length: f32, least: f32) -> Option<V> {
    let squared = wanted.length_squared();
    (squared > least * (length * length)).then(|| wanted * (length / squared) * math::sqrt(squared))
}

/// Where a point is dragged along a line to itself, all but rounding is a direction.
pub(crate) const ROUNDING_SQUARED: f32 = f32::EPSILON * f32::EPSILON;

/// The bones' lengths: those of the first are remembered, those of the others measured whenever
/// they are asked for, on a grid that leaves them as they are.
pub(crate) struct Lengths(pub(crate) [f32; Self::REMEMBERED]);

impl Lengths {
    pub(crate) const REMEMBERED: usize = 64;

    pub(crate) const NONE: Self = Self([0.0; Self::REMEMBERED]);

    /// Measures a chain, in place: they are too many to hand over by value.
    #[inline]
    pub(crate) fn measure<V: Vector>(&mut self, positions: &[V]) -> Reach {
        let bones = positions.iter().zip(positions.iter().skip(1));
        reach_of(bones.enumerate().map(|(index, (a, b))| {
            let length = a.distance(*b);
            if let Some(slot) = self.0.get_mut(index) {
                *slot = snapped_length(length, b.extent());
            }
            length
        }))
    }

    /// The length of a bone that leads to `end`.
    #[inline]
    fn get<V: Vector>(&self, index: usize, bone: V, end: V) -> f32 {
        match self.0.get(index) {
            Some(length) => *length,
            None => snapped_length(bone.length(), end.extent()),
        }
    }
}
