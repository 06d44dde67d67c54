use super::taut::Taut;
use super::{FLAT, FabrikSettings, NEARLY_FLAT, SLOW};
use crate::chain::{Reach, reach, snapped_length};
use crate::error::{Error, Fault};
use crate::ik::limb::{MARGIN, near};
use crate::ik::{Solution, Status};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Vector, check_vector};

/// Drags a chain of points, in place, until the last is at `target`: [`fabrik_solve`] for ropes and
/// tentacles, whose joints have neither rotations nor limits.
///
/// `positions` are root first. The root stays, the bones keep their lengths.
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
    if positions.len() < 2 {
        let actual = positions.len();
        return Err(Error::new("positions", Fault::TooShort { least: 2, actual }));
    }
    let reach = reach(positions)?;
    check_vector("target", target)?;
    let tolerance = settings.tolerance * reach.longest;
    let gap = |positions: &[V]| positions.last().map_or(0.0, |tip| tip.distance(target));
    let mut outcome = (Status::Reached, 0);
    if gap(positions) > tolerance {
        outcome = (Status::IterationLimit, 0);
        if settings.max_iterations > 0 && reach.longest >= f32::MIN_POSITIVE {
            outcome = drag(positions, target, reach, settings);
        }
    }
    let distance = gap(positions);
    let status = match outcome.0 {
        _ if distance <= tolerance => Status::Reached,
        Status::Reached => Status::Stalled,
        other => other,
    };
    Ok(Solution { status, iterations: outcome.1, distance, angle: 0.0 })
}

/// Solves in units of the reach, from the root.
fn drag<V: Vector>(
    positions: &mut [V],
    target: V,
    reach: Reach,
    settings: &FabrikSettings,
) -> (Status, usize) {
    let root = positions.first().copied().unwrap_or(V::ZERO);
    let unit = math::binade(reach.longest);
    for p in positions.iter_mut() {
        *p = (*p - root) * (1.0 / unit);
    }
    let mut rope = Rope {
        points: positions,
        target: near(target - root, reach.longest) * (1.0 / unit),
        reach: Reach { shortest: reach.shortest / unit, longest: reach.longest / unit },
        tolerance: MARGIN * settings.tolerance * (reach.longest / unit),
        offset: root.largest() / unit,
    };
    let outcome = rope.solve(settings.max_iterations);
    for p in positions {
        *p = root + *p * unit;
    }
    outcome
}

struct Rope<'a, V> {
    /// Root first; the root is the origin.
    points: &'a mut [V],
    target: V,
    reach: Reach,
    tolerance: f32,
    /// The largest coordinate of the root in the caller's space.
    offset: f32,
}

impl<V: Vector> Rope<'_, V> {
    fn solve(&mut self, max_iterations: usize) -> (Status, usize) {
        let distance = self.target.length();
        if distance >= self.reach.longest - self.tolerance {
            let direction = self.target * (1.0 / distance);
            self.lay(|_, length| direction * length);
            return (Status::Unreachable, 1);
        }
        if distance < self.reach.shortest + self.tolerance && self.reach.shortest > 0.0 {
            self.fold();
            return (Status::Unreachable, 1);
        }
        let mut gap = self.gap();
        let mut iterations = 0;
        let mut flat = FLAT;
        while gap > self.tolerance && iterations < max_iterations {
            if self.is_within(flat) {
                self.bow();
            }
            let before = gap;
            iterations += 1;
            let root = self.reach_back();
            self.reach_forth(root);
            gap = self.gap();
            if gap > self.tolerance {
                gap = self.draw_taut(gap);
            }
            flat = if gap > SLOW * before { NEARLY_FLAT } else { 0.0 };
        }
        (Status::IterationLimit, iterations)
    }

    fn gap(&self) -> f32 {
        self.points.last().map_or(0.0, |tip| tip.distance(self.target))
    }

    /// From the target to the root: every point goes along the line to where it was. Returns where
    /// the root goes, and leaves it.
    fn reach_back(&mut self) -> V {
        let (target, offset) = (self.target, self.offset);
        let mut was: Option<V> = None;
        let mut is = target;
        for point in self.points.iter_mut().rev() {
            let own = *point;
            if let Some(was) = was {
                is = is + along(own - is, own - was, offset + own.largest());
            }
            *point = is;
            was = Some(own);
        }
        is
    }

    /// From the origin to the tip, for a chain whose root has been dragged to `root`.
    fn reach_forth(&mut self, root: V) {
        let (mut was, mut is) = (root, V::ZERO);
        let offset = self.offset;
        let Some((first, others)) = self.points.split_first_mut() else {
            return;
        };
        *first = V::ZERO;
        for point in others {
            let own = *point;
            is = is + along(own - is, own - was, offset + own.largest());
            *point = is;
            was = own;
        }
    }

    /// Lays the bones out anew from the root, each as `shape` says, from the bone as it is and its
    /// length.
    fn lay(&mut self, mut shape: impl FnMut(V, f32) -> V) {
        let offset = self.offset;
        let (mut was, mut is) = (V::ZERO, V::ZERO);
        for point in self.points.iter_mut().skip(1) {
            let own = *point;
            let bone = own - was;
            is = is + shape(bone, snapped_length(bone.length(), offset + own.largest()));
            *point = is;
            was = own;
        }
    }

    fn bones(&self) -> impl Iterator<Item = V> + Clone + '_ {
        self.points.iter().zip(self.points.iter().skip(1)).map(|(a, b)| *b - *a)
    }

    /// The longest bone towards the target, all others away from it.
    fn fold(&mut self) {
        let longest = self.bones().map(V::length).fold(0.0, f32::max);
        let distance = self.target.length();
        let direction = if distance > 0.0 {
            self.target * (1.0 / distance)
        } else {
            // Every direction is as good: the longest bone stays as it lies.
            let bone = self.bones().find(|bone| bone.length() >= longest).unwrap_or(V::ZERO);
            bone * (1.0 / longest)
        };
        let mut folded = false;
        self.lay(|bone, length| {
            let is_longest = !folded && bone.length() >= longest;
            folded |= is_longest;
            direction * if is_longest { length } else { -length }
        });
    }

    /// Whether all points lie within a share of the reach from the line to the target, or from one
    /// line if the target is on the root.
    fn is_within(&self, flat: f32) -> bool {
        let line = self.line();
        self.points.iter().all(|p| {
            let across = *p - line * p.dot(line);
            across.length() < flat * self.reach.longest
        })
    }

    fn line(&self) -> V {
        let to_target = self.target.length();
        let bone = self.bones().find(|bone| bone.length() > 0.0).unwrap_or(V::ZERO);
        if to_target > 0.0 { self.target * (1.0 / to_target) } else { bone * (1.0 / bone.length()) }
    }

    /// Bends a flat chain into an arc whose chord, were it straight before, is about as long as the
    /// target is far: half of an arc's angle is √6(1 - chord/length), to second order.
    fn bow(&mut self) {
        let slack = (1.0 - self.target.length() / self.reach.longest).max(0.0);
        let half_angle = math::sqrt(6.0 * slack);
        let line = self.line();
        let side = line.perpendicular();
        let last = self.points.len().saturating_sub(2).max(1) as f32;
        let mut index = 0.0;
        self.lay(|bone, length| {
            let (sin, cos) = math::sin_cos(half_angle * (1.0 - 2.0 * index / last));
            index += 1.0;
            (line * cos + side * sin) * length.copysign(bone.dot(line))
        });
    }

    /// Draws the chain taut, or slack, if that brings it nearer; returns the gap.
    fn draw_taut(&mut self, gap: f32) -> f32 {
        let distance = self.target.length();
        let Some((taut, chord)) = Taut::fit(self.bones(), distance, self.tolerance) else {
            return gap;
        };
        if (chord.length() - distance).abs() >= gap {
            return gap;
        }
        let arc = V::Rotation::arc(chord, self.target);
        self.lay(|bone, length| {
            let shaped = arc.rotate(taut.bone(bone));
            shaped * (length / shaped.length().max(f32::MIN_POSITIVE))
        });
        self.gap()
    }
}

/// The bone in the direction of `wanted`, or as it was if that is no direction; `coordinate` is how
/// far from the caller's origin it is.
#[inline]
fn along<V: Vector>(wanted: V, bone: V, coordinate: f32) -> V {
    let length = snapped_length(bone.length(), coordinate);
    let distance = wanted.length();
    if distance > f32::EPSILON * length { wanted * (length / distance) } else { bone }
}
