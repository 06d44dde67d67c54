//! Drawing a chain taut, or slack: every bone is pulled along a line, or pushed against it, by the
//! same share of its length, which it keeps, until the chord is as long as the target is far.

use crate::math;
use crate::space::Vector;

/// How a chain's chord changes with its slack, to second order: a sum over the bones.
///
/// At slack 1 the chain is as it is, at 0 straight. With `c` a bone's cosine to the line and `e`
/// what that lacks to one, the chord changes by `Σ c bone - line Σ length` with the slack, and that
/// by `Σ e (3e - 4) bone + 2 line Σ e length`.
#[derive(Clone, Copy)]
pub(super) struct Slack<V> {
    line: V,
    first: V,
    second: V,
    length: f32,
    lacks: f32,
    /// The largest `e`.
    largest_lack: f32,
}

/// The least and the most slack in one step: as far as two derivatives tell.
pub(crate) const LEAST_SLACK: f32 = 0.2;
pub(crate) const MOST_SLACK: f32 = 2.0;

/// The most by which a pull changes a bone's part along the line, as a share of the bone: its `e`
/// times the change of slack. At 1 a bone that points back has no direction left, and next to there
/// two derivatives say nothing of where it turns.
pub(crate) const MOST_PULL: f32 = 0.75;

impl<V: Vector> Slack<V> {
    /// Of no bones as yet, about a line of unit length.
    #[inline]
    pub(super) fn new(line: V) -> Self {
        let (first, second) = (V::ZERO, V::ZERO);
        Self { line, first, second, length: 0.0, lacks: 0.0, largest_lack: 0.0 }
    }

    #[inline]
    pub(super) fn add(&mut self, bone: V, length: f32) {
        let cosine = if length > 0.0 { bone.dot(self.line) / length } else { 1.0 };
        let lack = 1.0 - cosine;
        self.first = self.first + bone * cosine;
        self.second = self.second + bone * (lack * (3.0 * lack - 4.0));
        self.length += length;
        self.lacks += lack * length;
        self.largest_lack = math::greater(self.largest_lack, lack);
    }

    /// The shape of a chain with this chord whose own chord is nearest to `distance` in length,
    /// turned so that it ends near the target, which is so far along the line. `None` if that does
    /// not make the `gap` smaller, or if the chord points the other way.
    #[inline]
    pub(super) fn fit(&self, chord: V, distance: f32, gap: f32) -> Option<Drawn<V>> {
        let first = self.first - self.line * self.length;
        let second = self.second + self.line * (2.0 * self.lacks);
        // Of the square of the chord's length, which needs no root, as a share of itself: half of
        // its derivatives.
        let share = 1.0 / chord.dot(chord);
        let slope = chord.dot(first) * share;
        let bend = (first.dot(first) + chord.dot(second)) * share;
        let missing = distance * distance * share - 1.0;
        let root = math::sqrt((slope * slope + bend * missing).max(0.0));
        let most = MOST_PULL / self.largest_lack;
        let change = missing / (slope + root.copysign(slope));
        let change = math::clamp(change, LEAST_SLACK - 1.0, MOST_SLACK - 1.0);
        let change = math::clamp(change, -most, most);
        let shaped = chord + first * change + second * (0.5 * change * change);
        let length = shaped.length();
        let part = shaped.dot(self.line);
        let fits = part > LEAST_COSINE * length && (length - distance).abs() < MOST_LEFT * gap;
        fits.then(|| Drawn::new(self.line, 1.0 + change, (shaped, length, part), self.line))
    }
}

/// What two derivatives say is left of the gap must be no more than this share of it: the rest is
/// for what they do not say.
pub(crate) const MOST_LEFT: f32 = 0.5;

/// The least cosine of the chord to the line.
pub(crate) const LEAST_COSINE: f32 = 0.5;

/// A shape of a chain: at `slack` 1 the chain as it is, at 0 straight.
#[derive(Clone, Copy)]
pub(super) struct Taut<V> {
    /// The direction of the chord of the chain as it is.
    along: V,
    slack: f32,
    /// The chord of the shape, and its length.
    chord: V,
    length: f32,
}

/// Steps of the secant method for the slack; the last leaves an error far below a tolerance of
/// 1e-5.
const STEPS: usize = 12;

/// Slack beyond this is a different shape, not the same drawn less tight.
const WILD: f32 = 4.0;

/// The share of the tolerance at which the chord is long enough.
const CLOSE: f32 = 0.1;

impl<V: Vector> Taut<V> {
    /// The shape of `bones`, which add up to `chord`, whose chord is nearest to `distance` in
    /// length. `None` if the chain has no chord to speak of. Near enough is a tenth of `tolerance`.
    pub(super) fn fit(
        bones: &(impl Iterator<Item = V> + Clone),
        chord: V,
        distance: f32,
        tolerance: f32,
    ) -> Option<Self> {
        let length = chord.length();
        if length <= 0.1 * distance {
            return None;
        }
        let along = chord * (1.0 / length);
        let mut last = Self { along, slack: 1.0, chord, length };
        let mut best = last;
        let mut slack = if distance < length { 1.1 } else { 0.9 };
        for _ in 0..STEPS {
            slack = math::clamp(slack, 0.0, WILD);
            if slack == last.slack {
                break;
            }
            let next = Self::shape(bones.clone(), along, slack);
            if next.misses(distance) < best.misses(distance) {
                best = next;
            }
            let slope = (next.length - last.length) / (next.slack - last.slack);
            slack = next.slack - (next.length - distance) / slope;
            if next.misses(distance) <= CLOSE * tolerance {
                break;
            }
            last = next;
        }
        Some(best)
    }

    /// How far the chord's length is from this one.
    fn misses(&self, distance: f32) -> f32 {
        (self.length - distance).abs()
    }

    fn shape(bones: impl Iterator<Item = V>, along: V, slack: f32) -> Self {
        let mut chord = V::ZERO;
        for bone in bones {
            let length = bone.length();
            let shaped = pulled(bone, length, along, slack);
            let squared = shaped.length_squared();
            // A bone that is pulled to no direction stays as it is.
            let is_directed = squared > f32::EPSILON * (length * length);
            chord =
                chord + if is_directed { shaped * (length / math::sqrt(squared)) } else { bone };
        }
        Self { along, slack, chord, length: chord.length() }
    }

    /// The shape turned so that its chord lies on a line. `None` if that does not bring its end
    /// nearer than `gap` to the point of the line at this distance.
    pub(super) fn towards(&self, line: V, distance: f32, gap: f32) -> Option<Drawn<V>> {
        let part = self.chord.dot(line);
        let fits = part > OPPOSITE * self.length && self.misses(distance) < gap;
        fits.then(|| Drawn::new(self.along, self.slack, (self.chord, self.length, part), line))
    }
}

/// A bone that is pulled along a line, or pushed, by what its slack is off 1.
#[inline]
fn pulled<V: Vector>(bone: V, length: f32, line: V, slack: f32) -> V {
    bone * slack + line * (length * (1.0 - slack))
}

/// Below this cosine the turn loses its digits.
pub(crate) const OPPOSITE: f32 = -0.97;

/// A shape that is turned so that its chord lies on a line.
pub(super) struct Drawn<V> {
    /// The line that the parts across are scaled about.
    along: V,
    slack: f32,
    /// The directions of the chord before and after the turn.
    from: V,
    line: V,
    /// What one and the cosine between them are the inverse of.
    scale: f32,
}

impl<V: Vector> Drawn<V> {
    /// The chord is given with its length and its part along the line. The two divisions do not
    /// wait for each other.
    #[inline]
    fn new(along: V, slack: f32, (chord, length, part): (V, f32, f32), line: V) -> Self {
        let (from, scale) = (chord * (1.0 / length), length / (length + part));
        Self { along, slack, from, line, scale }
    }

    /// A bone of the shape, of any length, from the bone of the chain as it is.
    ///
    /// A turn by the shortest arc from one unit vector to another are two reflections: across the
    /// first and then across their sum.
    #[inline]
    pub(super) fn bone(&self, bone: V, length: f32) -> V {
        let shaped = pulled(bone, length, self.along, self.slack);
        let part = shaped.dot(self.from);
        let both = (part + shaped.dot(self.line)) * self.scale;
        shaped + self.line * (2.0 * part - both) - self.from * both
    }
}
