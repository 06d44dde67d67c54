//! Drawing a chain taut, or slack: the parts of the bones across its chord are scaled, the lengths
//! kept, until the chord is as long as the target is far.

use crate::math;
use crate::space::Vector;

/// A one-parameter family of shapes of a chain: at `slack` 1 the chain as it is, at 0 straight.
#[derive(Clone, Copy)]
pub(super) struct Taut<V> {
    /// The direction of the chord of the chain as it is.
    along: V,
    pub(super) slack: f32,
}

/// Newton's steps for the slack; the last leaves an error far below a tolerance of 1e-5.
const STEPS: usize = 4;

/// Slack beyond this is a different shape, not the same drawn less tight.
const MOST: f32 = 4.0;

/// The share of the tolerance at which the chord is long enough.
const CLOSE: f32 = 0.1;

/// The least slack of a folded chain.
const FOLDED: f32 = 0.5;

impl<V: Vector> Taut<V> {
    /// The shape of `bones` whose chord is nearest to `distance` in length, and that chord. `None`
    /// if the chain has no chord to speak of. Near enough is a tenth of `tolerance`.
    pub(super) fn fit(
        bones: impl Iterator<Item = V> + Clone,
        distance: f32,
        tolerance: f32,
    ) -> Option<(Self, V)> {
        let chord = bones.clone().fold(V::ZERO, |sum, bone| sum + bone);
        let length = chord.length();
        if length <= 0.1 * distance {
            return None;
        }
        let mut taut = Self { along: chord * (1.0 / length), slack: 1.0 };
        // A bone that lies against the chord shortens it as it is drawn taut, and would be trapped
        // on the line.
        let is_folded = bones.clone().any(|bone| bone.dot(taut.along) < 0.0);
        let least = if is_folded { FOLDED } else { 0.0 };
        let mut fitted = (taut, chord);
        for _ in 0..STEPS {
            let (chord, slope) = taut.chord(bones.clone());
            let length = chord.length();
            if (length - distance).abs() <= (fitted.1.length() - distance).abs() {
                fitted = (taut, chord);
            }
            if (length - distance).abs() <= CLOSE * tolerance {
                return Some(fitted);
            }
            let slope = chord.dot(slope) / length;
            let slack = taut.slack - (length - distance) / slope;
            if !slack.is_finite() {
                break;
            }
            taut.slack = math::clamp(slack, least, MOST);
        }
        let (chord, _) = taut.chord(bones);
        if (chord.length() - distance).abs() < (fitted.1.length() - distance).abs() {
            fitted = (taut, chord);
        }
        Some(fitted)
    }

    /// A bone of the shape, from the bone of the chain as it is.
    #[inline]
    pub(super) fn bone(&self, bone: V) -> V {
        let along = self.along * bone.dot(self.along);
        let shaped = along + (bone - along) * self.slack;
        let (was, is) = (bone.length_squared(), shaped.length_squared());
        // A bone across the chord of a straight shape has no direction left; it stays across.
        if is > f32::EPSILON * was { shaped * math::sqrt(was / is) } else { bone }
    }

    /// The chord of the shape, and how it changes with the slack.
    fn chord(&self, bones: impl Iterator<Item = V>) -> (V, V) {
        bones.fold((V::ZERO, V::ZERO), |(chord, slope), bone| {
            let along = self.along * bone.dot(self.along);
            let across = bone - along;
            let shaped = along + across * self.slack;
            let (was, is) = (bone.length_squared(), shaped.length_squared());
            if is <= f32::EPSILON * was {
                return (chord + bone, slope);
            }
            let scale = math::sqrt(was / is);
            let turn = across - shaped * (self.slack * across.length_squared() / is);
            (chord + shaped * scale, slope + turn * scale)
        })
    }
}
