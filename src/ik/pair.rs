//! Two joints turned together, where one by one they gain little.
//!
//! Two joints are a hip and a knee: the law of cosines says how far the knee must be bent for the
//! hip to turn the effector onto the target. For a chain that lies straight on the line to its
//! target this is the buckling that no gradient shows. With limits the two are turned as far as
//! they may be before they are chosen, and where both are hinges all joints before the knee turn in
//! the hip's place. Where nothing is left to gain in this way, a joint is bent by a few angles, and
//! another, nearer to the root, turns so as to make the most of it.

use core::num::NonZeroUsize;

use super::limb::Limb;
use super::sweep::{Seen, Tip, turned};
use crate::joint::{Arm, Effort, Freedom, MIN_SQUARE};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Limits, Spin, Vector};

/// An effector that is off the line from the hip to the knee by no more than this share of its
/// distance lies on it: rounding has the say in which way it is off.
pub(crate) const ON_LINE: f32 = 0.01;

/// How far a joint with limits is bent, in radians: a little, and a lot, which carries a limb past
/// a limit to its other configuration.
const BENDS: [f32; 4] = [0.2, -0.2, 0.8, -0.8];

/// A knee and hip of hinges that leave more than this share of the gap are not worth it: they would
/// keep the search from better pairs.
const WORTHWHILE: f32 = 0.9;

/// About how many joints of a long chain with limits are bent in search of a pair.
const PAIRS: usize = 24;

/// Of a chain of so many bones every so many joints are bent in search of a pair, so that a search
/// costs about as much as a few sweeps.
pub(crate) fn stride(bones: usize) -> NonZeroUsize {
    NonZeroUsize::MIN.saturating_add(bones / PAIRS)
}

/// Whether there is a hinge before a hinge.
pub(crate) fn has_hinged_knees<V: Vector>(joints: &[V::Joint]) -> bool {
    joints.iter().zip(joints.iter().skip(1)).any(|(hip, knee)| !hip.aims() && !knee.aims())
}

/// A joint and what it would turn to, relative to its parent.
#[derive(Clone, Copy)]
struct Turn<V: Vector> {
    joint: usize,
    turned: V::Rotation,
}

/// As for sweeps, rotations are relative to their parents; see [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// Turns the best knee and its hip, if that brings the effector nearer; returns the tip then.
    pub(crate) fn turn_knee(&mut self, tip: Tip<V>) -> Option<Tip<V>> {
        let gap = self.gap_of(tip);
        let most = self.most_of(gap)?;
        if self.is_free() {
            return self.turn_both(self.find_knee(tip, most)?, gap);
        }
        self.turn_hinged_knee(tip)
            .or_else(|| self.turn_both(self.find_limited_knee(tip, most)?, gap))
    }

    /// Turns the best pair of joints, if that brings the effector nearer; returns the tip then.
    pub(crate) fn turn_pair(&mut self, tip: Tip<V>, effort: Effort) -> Option<Tip<V>> {
        if effort.is_full() {
            if self.is_free() {
                return self.turn_knee(tip);
            }
            if let Some(left) = self.turn_hinged_knee(tip) {
                return Some(left);
            }
        }
        let gap = self.gap_of(tip);
        let most = self.most_of(gap)?;
        self.turn_both(self.find_pair(tip, most, effort)?, gap)
    }

    /// What may be left of the gap for a pair to count, if anything.
    fn most_of(&self, gap: f32) -> Option<f32> {
        let most = gap - self.least_gain(gap);
        (most > 0.0).then_some(most)
    }

    /// Turns two joints, if that brings the effector nearer; returns the tip then.
    fn turn_both(&mut self, pair: [Turn<V>; 2], gap: f32) -> Option<Tip<V>> {
        let before = pair.map(|turn| self.turn_to(turn));
        let tip = self.tip_of_relative();
        if self.gap_of(tip) < gap {
            return Some(tip);
        }
        // What was promised has been lost to rounding.
        for turn in before.into_iter().flatten() {
            self.turn_to(turn);
        }
        None
    }

    /// How a joint would turn, and what would be seen from it then.
    fn turn_of(&self, joint: usize, arm: Arm<V>, effort: Effort) -> Option<(Turn<V>, Seen<V>)> {
        let local = *self.rotations.get(joint)?;
        let free = V::Joint::FREE;
        let limits = self.joints.get(joint).unwrap_or(&free);
        let turned = turned(limits, local, arm, effort);
        let effector = turned.swing(arm.effector);
        Some((Turn { joint, turned }, Seen { effector, target: local.swing(arm.target) }))
    }

    /// Turns a joint; returns how it was.
    fn turn_to(&mut self, turn: Turn<V>) -> Option<Turn<V>> {
        let local = self.rotations.get_mut(turn.joint)?;
        Some(Turn { turned: core::mem::replace(local, turn.turned), ..turn })
    }
}

/// What a bend of a knee comes to.
#[derive(Clone, Copy)]
struct Worth {
    /// What it leaves of the gap.
    gap: f32,
    /// The cosine of the bend.
    cosine: f32,
}

impl Worth {
    /// The nearer the better, and of two as near the smaller bend.
    fn beats(self, other: Self) -> bool {
        self.gap < other.gap || (self.gap == other.gap && self.cosine > other.cosine)
    }
}

/// A knee between its hip and the effector.
#[derive(Clone, Copy)]
struct Knee {
    /// The product of its two sides, squared.
    squared: f32,
    /// The product times the cosine of the angle between them, as it is and after the bend.
    along: f32,
    bent: f32,
    worth: Worth,
}

impl Knee {
    /// With the bend that brings the effector as far from the hip as the target is. Everything is
    /// seen from the knee.
    #[inline]
    fn new<V: Vector>(seen: Seen<V>, hip: V) -> Self {
        Self::bent_to(seen.effector, hip, (seen.target - hip).length_squared())
    }

    /// With the bend that brings the effector as far from the hip as is wanted, squared.
    #[inline]
    fn bent_to<V: Vector>(effector: V, hip: V, wanted: f32) -> Self {
        let (shin, thigh) = (effector.length_squared(), hip.length_squared());
        let (squared, sides) = (shin * thigh, shin + thigh);
        let along = effector.dot(hip);
        let ideal = 0.5 * (sides - wanted);
        let product = math::sqrt(squared);
        let across = |along: f32| math::greater(squared - along * along, 0.0);
        let mut bent = math::clamp(ideal, -product, product);
        let mut cosine = (along * bent + math::sqrt(across(along) * across(bent))) / squared;
        // A bend by more than a quarter of a turn is not made in one go.
        if cosine < 0.0 {
            let across = math::sqrt(across(along));
            bent = if bent > along { across } else { -across };
            cosine = 0.0;
        }
        let mut gap = 0.0;
        if bent != ideal {
            let from_hip = math::sqrt(math::greater(sides - 2.0 * bent, 0.0));
            gap = (from_hip - math::sqrt(wanted)).abs();
        }
        Self { squared, along, bent, worth: Worth { gap, cosine } }
    }

    /// Where the bend takes the effector; from next to the line to the hip, to where `side` says.
    fn bend<V: Vector>(&self, effector: V, hip: V, side: impl FnOnce() -> V) -> V {
        let per_square = 1.0 / hip.length_squared();
        let aside = effector - hip * (self.along * per_square);
        let (width, length) = (aside.length_squared(), effector.length_squared());
        let aside = if width > ON_LINE * ON_LINE * length {
            aside * (1.0 / math::sqrt(width))
        } else {
            side()
        };
        let height = math::greater(self.squared - self.bent * self.bent, 0.0) * per_square;
        hip * (self.bent * per_square) + aside * math::sqrt(height)
    }
}

/// Free chains.
impl<V: Vector> Limb<'_, V> {
    /// How the best knee and its hip turn, if that leaves a gap of less than `most`.
    fn find_knee(&self, tip: Tip<V>, most: f32) -> Option<[Turn<V>; 2]> {
        let mut best = None;
        let mut worth = Worth { gap: most, cosine: 1.0 };
        let mut seen = Seen { effector: V::ZERO, target: tip.sees(self.target) };
        let pose = self.rotations.iter().zip(self.bones.iter()).enumerate();
        for ((joint, (local, bone)), thigh) in pose.skip(1).zip(self.bones.iter()).rev() {
            seen = Seen::of(seen.across(*bone), *local);
            let knee = Knee::new(seen, -*thigh);
            if knee.worth.beats(worth) && knee.squared > MIN_SQUARE {
                (best, worth) = (Some((joint, knee, seen)), knee.worth);
            }
        }
        let (joint, knee, seen) = best?;
        let (thigh, local) = (*self.bones.get(joint - 1)?, *self.rotations.get(joint)?);
        let hip = -thigh;
        let effector = knee.bend(seen.effector, hip, || hip.perpendicular());
        let from_knee = Seen { target: effector, ..seen }.arm(local);
        let from_hip = Seen { effector, ..seen }.across(thigh);
        let (hip, _) = self.turn_of(joint - 1, from_hip, Effort::FULL)?;
        let (knee, _) = self.turn_of(joint, from_knee, Effort::FULL)?;
        Some([knee, hip])
    }
}

/// A joint to bend, and what is seen from it.
struct Middle<V: Vector> {
    joint: usize,
    local: V::Rotation,
    /// The effector in its own frame.
    arm: V,
    seen: Seen<V>,
    /// The joint before it and the root, which may be one.
    hips: [Hip<V>; 2],
}

/// A joint that turns for the bend of another.
struct Hip<V: Vector> {
    joint: usize,
    /// From the bent joint, along the axes of that one's parent.
    place: V,
    /// From those axes to its own.
    axes: V::Rotation,
}

impl<V: Vector> Hip<V> {
    /// What is left of the gap at the least: however it turns, the effector stays as far from it.
    fn least_gap(&self, seen: Seen<V>) -> f32 {
        (seen.effector.distance(self.place) - seen.target.distance(self.place)).abs()
    }

    fn arm(&self, seen: Seen<V>) -> Arm<V> {
        Arm {
            effector: self.axes.swing(seen.effector - self.place),
            target: self.axes.swing(seen.target - self.place),
        }
    }
}

/// Chains with limits, and turns in part.
impl<V: Vector> Limb<'_, V> {
    /// The joints to bend, from the tip.
    fn middles(&self, tip: Tip<V>) -> impl Iterator<Item = Middle<V>> {
        let stride = stride(self.bones.len());
        let mut seen = Seen { effector: V::ZERO, target: tip.sees(self.target) };
        let mut root = tip.sees(V::ZERO);
        let pose = self.rotations.iter().zip(self.bones.iter()).enumerate().skip(1);
        // From the root's own axes.
        let mut axes = self.rotations.first().map_or(tip.axes, |own| own.inverse() * tip.axes);
        let walk =
            pose.zip(self.bones.iter()).rev().map(move |((joint, (local, bone)), before)| {
                let arm = seen.across(*bone);
                seen = Seen::of(arm, *local);
                root = local.swing(*bone + root);
                axes = axes * local.inverse();
                let hips = [
                    Hip { joint: joint - 1, place: -*before, axes: V::Rotation::IDENTITY },
                    Hip { joint: 0, place: root, axes },
                ];
                Middle { joint, local: *local, arm: arm.effector, seen, hips }
            });
        walk.filter(move |middle| middle.joint % stride == 0)
    }

    /// How the best knee and its hip turn within their limits, if that leaves a gap of less than
    /// `most`. Within the tolerance one gap is as good as another, and the smaller bend is better.
    fn find_limited_knee(&self, tip: Tip<V>, most: f32) -> Option<[Turn<V>; 2]> {
        let mut best = None;
        let mut worth = Worth { gap: math::greater(most, self.tolerance), cosine: -1.0 };
        for Middle { joint, local, arm, seen, hips } in self.middles(tip) {
            for hip in hips.iter().take(joint).filter(|hip| self.aims(hip.joint)) {
                let knee = Knee::new(seen, hip.place);
                let of = |gap| Worth { gap: math::greater(gap, self.tolerance), ..knee.worth };
                if !of(knee.worth.gap).beats(worth) || knee.squared <= MIN_SQUARE {
                    continue;
                }
                let bent = knee.bend(seen.effector, hip.place, || hip.place.perpendicular());
                let from_knee = Seen { target: bent, ..seen }.arm(local);
                let (knee, _) = self.turn_of(joint, from_knee, Effort::FULL)?;
                let seen = Seen { effector: knee.turned.swing(arm), ..seen };
                if !of(hip.least_gap(seen)).beats(worth) {
                    continue;
                }
                let (hip, seen) = self.turn_of(hip.joint, hip.arm(seen), Effort::FULL)?;
                if of(seen.gap()).beats(worth) {
                    (best, worth) = (Some([knee, hip]), of(seen.gap()));
                }
            }
        }
        best
    }

    /// Whether a joint may be a hip.
    fn aims(&self, joint: usize) -> bool {
        self.joints.get(joint).is_none_or(Limits::aims)
    }

    /// How the best pair turns, if that leaves a gap of less than `most`.
    fn find_pair(&self, tip: Tip<V>, most: f32, effort: Effort) -> Option<[Turn<V>; 2]> {
        let free = V::Joint::FREE;
        let (mut best, mut best_gap) = (None, most);
        for Middle { joint, local, arm, seen, hips } in self.middles(tip) {
            let limits = self.joints.get(joint).unwrap_or(&free);
            let axis = limits.bend_axis(arm);
            for angle in BENDS {
                let (turned, effector) = limits.bend(local, arm, (axis, angle), effort);
                let seen = Seen { effector, ..seen };
                for hip in hips.iter().take(joint) {
                    if hip.least_gap(seen) >= best_gap {
                        continue;
                    }
                    let (turn, seen) = self.turn_of(hip.joint, hip.arm(seen), effort)?;
                    if seen.gap() < best_gap {
                        (best, best_gap) = (Some([Turn { joint, turned }, turn]), seen.gap());
                    }
                }
            }
        }
        best
    }
}

/// Knees that are hinges, with hips that are: as such a hip does not aim, all joints before the knee
/// turn in its place, one by one as in a sweep.
impl<V: Vector> Limb<'_, V> {
    /// Turns the best such knee and all joints before it, if that is worth it; returns the tip then.
    fn turn_hinged_knee(&mut self, tip: Tip<V>) -> Option<Tip<V>> {
        if !has_hinged_knees::<V>(self.joints) {
            return None;
        }
        let gap = self.gap_of(tip);
        let most = self.most_of(gap)?.min(WORTHWHILE * gap);
        let (knee, mut seen) = self.find_hinged_knee(tip, most)?;
        // What is worth it is far beyond rounding: none of the turns is ever taken back.
        self.turn_to(knee);
        for before in (0..knee.joint).rev() {
            let (turn, next) = self.turn_before(before, seen)?;
            self.turn_to(turn);
            seen = next;
        }
        Some(self.tip_of_relative())
    }

    /// How the best knee bends, and what is seen from it then, if in the end that leaves a gap of
    /// less than `most`.
    fn find_hinged_knee(&self, tip: Tip<V>, most: f32) -> Option<(Turn<V>, Seen<V>)> {
        let (mut best, mut best_gap) = (None, most);
        for Middle { joint, local, arm, seen, hips: [hip, _] } in self.middles(tip) {
            let Some(limits) = self.joints.get(joint) else { continue };
            let Freedom::Hinge(axis, range) = limits.freedom() else { continue };
            if self.aims(hip.joint) {
                continue;
            }
            // From next to straight, to where the range leaves more room.
            let angle = limits.angle_of(local);
            let side = if range.max - angle > angle - range.min { -1.0 } else { 1.0 };
            let Some(bent) = bend_hinge(seen, hip.place, local.rotate_spin(axis) * side) else {
                continue;
            };
            let from_knee = Seen { target: bent, ..seen }.arm(local);
            let (knee, _) = self.turn_of(joint, from_knee, Effort::FULL)?;
            let seen = Seen { effector: knee.turned.swing(arm), ..seen };
            let gap = self.gap_of_sweep_before(joint, seen)?;
            if gap < best_gap {
                (best, best_gap) = (Some((knee, seen)), gap);
            }
        }
        best
    }

    /// What a sweep over all joints before this one would leave of the gap.
    fn gap_of_sweep_before(&self, joint: usize, seen: Seen<V>) -> Option<f32> {
        let turn = |seen, before| Some(self.turn_before(before, seen)?.1);
        (0..joint).rev().try_fold(seen, turn).map(Seen::gap)
    }

    /// How a joint would turn in a sweep, by what is seen from the next one.
    fn turn_before(&self, joint: usize, seen: Seen<V>) -> Option<(Turn<V>, Seen<V>)> {
        self.turn_of(joint, seen.across(*self.bones.get(joint)?), Effort::FULL)
    }
}

/// Where the effector is when a hinge has brought it as far from the hip as the target is, in the
/// plane across the hinge's axis; `None` if no turn moves it to or from the hip.
fn bend_hinge<V: Vector>(seen: Seen<V>, hip: V, axis: Spin<V>) -> Option<V> {
    let (effector, place) = (seen.effector.off_axis(axis), hip.off_axis(axis));
    // How far the two are apart along the axis stays.
    let (along, across) = (seen.effector - hip, effector - place);
    let kept = along.length_squared() - across.length_squared();
    let wanted = (seen.target - hip).length_squared() - kept;
    let knee = Knee::bent_to(effector, place, math::greater(wanted, 0.0));
    (knee.squared > MIN_SQUARE)
        .then(|| knee.bend(effector, place, || place.spun(axis) * (1.0 / place.length())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::points;

    #[test]
    fn a_bend_brings_the_effector_as_far_from_the_hip_as_the_target_is() {
        let mut next = points();
        let mut closed = 0;
        for case in 0..10_000 {
            let (shin, hip, target) = (next(), next(), next());
            // Every tenth lies straight.
            let effector = if case % 10 == 0 { hip * -1.3 } else { shin };
            let knee = Knee::new(Seen { effector, target }, hip);
            let bent = knee.bend(effector, hip, || hip.perpendicular());
            assert!((bent.length() - effector.length()).abs() < 1e-5, "{effector} {hip}");
            let left = (bent.distance(hip) - target.distance(hip)).abs();
            assert!((left - knee.worth.gap).abs() < 3e-5, "{left} {}", knee.worth.gap);
            // From next to the line the way is a little longer.
            let cosine = bent.dot(effector) / effector.length_squared();
            assert!((cosine - knee.worth.cosine).abs() < ON_LINE && cosine > -ON_LINE);
            closed += u32::from(knee.worth.gap == 0.0);
        }
        assert!(closed > 3000, "{closed}");
    }
}
