//! The geometry of a knee between its hip and the effector: the law of cosines says how far it must
//! be bent for the hip to turn the effector onto the target.

use crate::joint::{MIN_SQUARE, Seen};
use crate::math;
use crate::space::{Spin, Vector};

/// An effector that is off the line from the hip to the knee by no more than this share of its
/// distance lies on it: rounding has the say in which way it is off.
pub(crate) const NO_SIDE: f32 = 1e-3;

/// What a bend of a knee comes to.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    /// What it leaves of the gap.
    pub(super) gap: f32,
    /// The cosine of the bend.
    pub(super) cosine: f32,
}

impl Worth {
    /// The nearer the better, and of two as near the smaller bend.
    pub(super) fn beats(self, other: Self) -> bool {
        self.gap < other.gap || (self.gap == other.gap && self.cosine > other.cosine)
    }
}

/// A knee between its hip and the effector.
#[derive(Clone, Copy)]
pub(super) struct Knee {
    /// The product of its two sides, squared.
    pub(super) squared: f32,
    /// The product times the cosine of the angle between them, as it is and after the bend.
    along: f32,
    bent: f32,
    pub(super) worth: Worth,
}

impl Knee {
    /// With the bend that brings the effector as far from the hip as the target is. Everything is
    /// seen from the knee.
    #[inline]
    pub(super) fn new<V: Vector>(seen: Seen<V>, hip: V) -> Self {
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
    pub(super) fn bend<V: Vector>(&self, effector: V, hip: V, side: impl FnOnce() -> V) -> V {
        let per_square = 1.0 / hip.length_squared();
        let aside = effector - hip * (self.along * per_square);
        let (width, length) = (aside.length_squared(), effector.length_squared());
        let aside = if width > NO_SIDE * NO_SIDE * length {
            aside * (1.0 / math::sqrt(width))
        } else {
            side()
        };
        let height = math::greater(self.squared - self.bent * self.bent, 0.0) * per_square;
        hip * (self.bent * per_square) + aside * math::sqrt(height)
    }
}

/// Where the effector is when a hinge has brought it as far from the hip as the target is, in the
/// plane across the hinge's axis: on its own side of the line to the hip, and on the other. `None`
/// if no turn moves it to or from the hip. From next to straight its own is the `side` of the
/// axis's turn of the hip.
pub(super) fn bend_hinge<V: Vector>(
    seen: Seen<V>,
    hip: V,
    axis: Spin<V>,
    side: impl FnOnce() -> f32,
) -> Option<[V; 2]> {
    let (effector, place) = (seen.effector.off_axis(axis), hip.off_axis(axis));
    // How far the two are apart along the axis stays.
    let (along, across) = (seen.effector - hip, effector - place);
    let kept = along.length_squared() - across.length_squared();
    let wanted = (seen.target - hip).length_squared() - kept;
    let knee = Knee::bent_to(effector, place, math::greater(wanted, 0.0));
    (knee.squared > MIN_SQUARE).then(|| {
        let bent = knee.bend(effector, place, || beside(place, axis, side()));
        let on_line = place * (knee.bent / place.length_squared());
        [bent, on_line * 2.0 - bent]
    })
}

/// The direction that a turn about the axis would take the hip in, or the opposite one.
pub(crate) fn beside<V: Vector>(hip: V, axis: Spin<V>, side: f32) -> V {
    hip.spun(axis) * (side / hip.length())
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
            assert!((cosine - knee.worth.cosine).abs() < NO_SIDE && cosine > -NO_SIDE);
            closed += u32::from(knee.worth.gap == 0.0);
        }
        assert!(closed > 3000, "{closed}");
    }
}
