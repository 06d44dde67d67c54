//! Drawing a chain taut, or slack: the parts of the bones across a line are scaled, the lengths
//! kept, until the chord is as long as the target is far.

use crate::math;
use crate::space::Vector;

/// How a chain's chord changes with its slack, to second order: a sum over the bones.
///
/// At slack 1 the chain is as it is, at 0 straight. With `a` a bone's part along the line, `p` and
/// `q` the squares of its cosine and sine to it, the chord changes by `Σ p bone - line Σ a` with the
/// slack, and that by `2 line Σ a q - 3 Σ p q bone`.
#[derive(Clone, Copy)]
pub(super) struct Slack<V> {
    line: V,
    first: V,
    second: V,
    along: f32,
    aside: f32,
}

/// The least and the most slack in one step: as far as two derivatives tell.
pub(crate) const LEAST: f32 = 0.5;
pub(crate) const MOST: f32 = 2.0;

impl<V: Vector> Slack<V> {
    /// Of no bones as yet, about a line of unit length.
    #[inline]
    pub(super) fn new(line: V) -> Self {
        Self { line, first: V::ZERO, second: V::ZERO, along: 0.0, aside: 0.0 }
    }

    #[inline]
    pub(super) fn add(&mut self, bone: V, length: f32) {
        let a = bone.dot(self.line);
        let squared = length * length;
        let p = if squared > 0.0 { a * a / squared } else { 1.0 };
        let q = 1.0 - p;
        self.first = self.first + bone * p;
        self.second = self.second + bone * (p * q);
        self.along += a;
        self.aside += a * q;
    }

    /// The shape of a chain with this chord whose own chord is nearest to `distance` in length,
    /// turned so that it ends near the target, which is so far along the line. `None` if that does
    /// not make the `gap` smaller, or if the chord points the other way.
    #[inline]
    pub(super) fn fit(&self, chord: V, distance: f32, gap: f32) -> Option<Drawn<V>> {
        let first = self.first - self.line * self.along;
        let second = self.line * (2.0 * self.aside) - self.second * 3.0;
        // Of the square of the chord's length, which needs no root, as a share of itself: half of
        // its derivatives.
        let share = 1.0 / chord.dot(chord);
        let slope = chord.dot(first) * share;
        let bend = (first.dot(first) + chord.dot(second)) * share;
        let missing = distance * distance * share - 1.0;
        let root = math::sqrt((slope * slope + bend * missing).max(0.0));
        let change = math::clamp(missing / (slope + root.copysign(slope)), LEAST - 1.0, MOST - 1.0);
        let shaped = chord + first * change + second * (0.5 * change * change);
        let length = shaped.length();
        let is_nearer = (length - distance).abs() < GAIN * gap;
        Drawn::new(self.line, 1.0 + change, (shaped, length), self.line).filter(|_| is_nearer)
    }
}

/// What two derivatives say is left of the gap must be no more than this share of it: the rest is
/// for what they do not say.
pub(crate) const GAIN: f32 = 0.3;

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

/// Steps of the secant method for the slack; the last leaves an error far below a tolerance of 1e-5.
const STEPS: usize = 8;

/// Slack beyond this is a different shape, not the same drawn less tight.
const WILD: f32 = 4.0;

/// The share of the tolerance at which the chord is long enough.
const CLOSE: f32 = 0.1;

/// The least slack of a folded chain.
const FOLDED: f32 = 0.5;

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
        // A bone that lies against the chord shortens it as it is drawn taut, and would be trapped
        // on the line.
        let least = if bones.clone().any(|bone| bone.dot(along) < 0.0) { FOLDED } else { 0.0 };
        let mut last = Self { along, slack: 1.0, chord, length };
        let mut best = last;
        let mut slack = if distance < length { 1.1 } else { 0.9 };
        for _ in 0..STEPS {
            slack = math::clamp(slack, least, WILD);
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
        let mut sum = V::ZERO;
        let mut sum_along = 0.0;
        let squared_slack = slack * slack;
        for bone in bones {
            let part = bone.dot(along);
            let was = bone.length_squared();
            let is = squared_slack * (was - part * part) + part * part;
            // A bone across the chord of a straight shape has no direction left; it stays across.
            if is > f32::EPSILON * was {
                let scale = math::sqrt(was / is);
                sum = sum + bone * (slack * scale);
                sum_along += part * scale;
            } else {
                sum = sum + bone;
            }
        }
        let chord = sum + along * (sum_along * (1.0 - slack));
        Self { along, slack, chord, length: chord.length() }
    }

    /// The shape turned so that its chord lies on a line. `None` if that does not bring its end
    /// nearer than `gap` to the point of the line at this distance.
    pub(super) fn towards(&self, line: V, distance: f32, gap: f32) -> Option<Drawn<V>> {
        let chord = (self.chord, self.length);
        Drawn::new(self.along, self.slack, chord, line).filter(|_| self.misses(distance) < gap)
    }
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
    /// `None` if the chord, of this length, points the other way. The two divisions do not wait for
    /// each other.
    #[inline]
    fn new(along: V, slack: f32, (chord, length): (V, f32), line: V) -> Option<Self> {
        let part = chord.dot(line);
        (part > OPPOSITE * length).then(|| {
            let (from, scale) = (chord * (1.0 / length), length / (length + part));
            Self { along, slack, from, line, scale }
        })
    }

    /// A bone of the shape, of any length, from the bone of the chain as it is.
    ///
    /// A turn by the shortest arc from one unit vector to another are two reflections: across the
    /// first and then across their sum.
    #[inline]
    pub(super) fn bone(&self, bone: V) -> V {
        let along = bone.dot(self.along);
        let shaped = bone * self.slack + self.along * (along * (1.0 - self.slack));
        let part = shaped.dot(self.from);
        let both = (part + shaped.dot(self.line)) * self.scale;
        shaped + self.line * (2.0 * part - both) - self.from * both
    }
}
