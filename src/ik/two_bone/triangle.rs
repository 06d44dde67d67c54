//! The triangle of two bones and the line from the root to the effector.

use core::f32::consts::PI;

use glam::Vec3A;

use super::TwoBoneSettings;
use crate::ik::Status;
use crate::{exact, math};

/// The triangle of two bones and the line from the root to where the effector goes.
pub(super) struct Triangle {
    /// Of the bones.
    lengths: [f32; 2],
    side: Base,
    /// By how much the bones are lengthened.
    pub(super) stretch: f32,
    /// Whether the bones' lengths alone, stretched as they may be, keep the effector away.
    out_of_reach: bool,
}

/// From the root to the effector.
#[derive(Clone, Copy)]
struct Base {
    length: f32,
    /// The square of the longest base less that of this one, to all its digits: what is left where
    /// the limb is nearly straight.
    short_of_straight: f32,
    /// The square of this base less that of the shortest: what is left where it is nearly folded.
    short_of_folded: f32,
}

impl Base {
    /// The effector at a distance that the bones can get to, or as near to it as they can.
    #[inline]
    fn at_distance([a, b]: [f32; 2], (distance, rest): (f32, f32)) -> Self {
        let ((sum, sum_rest), (gap, gap_rest)) = (exact::sum(a, b), exact::difference(a, b));
        let (gap, gap_rest) = if gap < 0.0 { (-gap, -gap_rest) } else { (gap, gap_rest) };
        let to_straight = (sum - distance) + (sum_rest - rest);
        let to_folded = (distance - gap) + (rest - gap_rest);
        if to_straight <= 0.0 {
            return Self::at_bend([a, b], 0.0);
        }
        if to_folded <= 0.0 {
            return Self::at_bend([a, b], PI);
        }
        Self {
            length: distance,
            short_of_straight: to_straight * (sum + distance),
            short_of_folded: to_folded * (distance + gap),
        }
    }

    /// Where the middle joint is bent by an angle in `[0, π]`: the law of cosines by the half angle,
    /// of which the form is taken that adds up.
    fn at_bend([a, b]: [f32; 2], bend: f32) -> Self {
        let (sin, cos) = if bend >= PI { (1.0, 0.0) } else { math::near_sin_cos(0.5 * bend) };
        let (sum, gap, product) = (a + b, a - b, 4.0 * a * b);
        let (short_of_straight, short_of_folded) = (product * sin * sin, product * cos * cos);
        let length = if cos == 0.0 {
            gap.abs()
        } else if sin == 0.0 {
            sum
        } else if sin < cos {
            math::sqrt(sum * sum - short_of_straight)
        } else {
            math::sqrt(gap * gap + short_of_folded)
        };
        Self { length, short_of_straight, short_of_folded }
    }

    /// A base of this length, which is so far short of another.
    fn drawn_back(self, (length, by): (f32, f32), [a, b]: [f32; 2]) -> Self {
        let square = by * (self.length + length);
        let gap = (a - b).abs();
        Self {
            length,
            short_of_straight: self.short_of_straight + square,
            short_of_folded: (length - gap) * (length + gap),
        }
    }
}

impl Triangle {
    #[inline]
    pub(super) fn new<B, R>(
        [a, b]: [f32; 2],
        (distance, rest): (f32, f32),
        settings: &TwoBoneSettings<B, R>,
    ) -> Self {
        let bones = [a, b];
        let mut side = Base::at_distance(bones, (distance, rest));
        if settings.range != [0.0, PI] || settings.softness > 0.0 {
            side = limited(side, bones, distance, settings.range, settings.softness);
        }
        let max_stretch = settings.max_stretch;
        let stretch = if max_stretch > 1.0 && distance > side.length && side.length > 0.0 {
            (distance / side.length).min(max_stretch)
        } else {
            1.0
        };
        let out_of_reach = distance > (a + b) * max_stretch || distance < (a - b).abs();
        Self { lengths: bones, side, stretch, out_of_reach }
    }

    /// The two bones in the plane of the base's direction and one across it.
    #[inline]
    pub(super) fn bones(&self, direction: Vec3A, out: Vec3A) -> [Bone; 2] {
        let ([a, b], side) = (self.lengths, self.side);
        // Less than this has no inverse.
        let (along, height) = if side.length >= f32::MIN_POSITIVE {
            let half = 0.5 / side.length;
            let area = (side.short_of_straight * side.short_of_folded).max(0.0);
            (self.along() * half, math::sqrt(area) * half)
        } else {
            (Vec3A::ZERO, a)
        };
        let lengths = Vec3A::new(a, b, 0.0);
        let has_length = lengths.cmpgt(Vec3A::ZERO);
        let along = Vec3A::select(has_length, along, Vec3A::ZERO);
        let height = Vec3A::select(has_length, Vec3A::new(height, -height, 0.0), Vec3A::ZERO);
        let both = |direction: f32, out: f32| along * direction + height * out;
        let vectors =
            [both(direction.x, out.x), both(direction.y, out.y), both(direction.z, out.z)];
        let least = Vec3A::splat(f32::MIN_POSITIVE);
        let share = exact::excess(&vectors, lengths) * -0.5 / (lengths * lengths).max(least);
        let [upper, lower, _] = exact::side_by_side(vectors);
        [
            Bone { vector: upper, rest: upper * share.x, length: a },
            Bone { vector: lower, rest: lower * share.y, length: b },
        ]
    }

    /// How far each bone goes along the base, times twice the base: its square and the bone's less
    /// the other's, in the form that keeps the digits of the shorter bone.
    #[inline]
    fn along(&self) -> Vec3A {
        let ([a, b], side) = (self.lengths, self.side);
        let doubled = Vec3A::new(a + a, b + b, 0.0);
        if side.short_of_straight < side.short_of_folded {
            doubled * (a + b) - Vec3A::splat(side.short_of_straight)
        } else {
            doubled * Vec3A::new(a - b, b - a, 0.0) + Vec3A::splat(side.short_of_folded)
        }
    }

    pub(super) fn status(&self, gap: f32, unit: f32, coordinate: f32) -> Status {
        let [a, b] = self.lengths;
        // What a closed form leaves is rounding: of the lengths, and of the positions.
        if gap <= 1e-5 * (a + b) * unit + 2.0 * f32::EPSILON * coordinate {
            Status::Reached
        } else if self.out_of_reach {
            Status::Unreachable
        } else {
            Status::Stalled
        }
    }
}

/// A base within the middle joint's range, and eased.
fn limited(side: Base, bones: [f32; 2], distance: f32, range: [f32; 2], softness: f32) -> Base {
    let [longest, shortest] = range.map(|bend| Base::at_bend(bones, bend));
    if distance <= shortest.length && range[1] < PI {
        return shortest;
    }
    let soft = softness * longest.length;
    let knee = longest.length - soft;
    if soft > 0.0 && distance > knee {
        let exponent = (knee - distance) / soft;
        let by = soft * math::exp(exponent);
        // Just past the knee what counts is how far past, and further on what is left.
        let length =
            if exponent > -1.0 { knee - soft * math::expm1(exponent) } else { longest.length - by };
        let eased = longest.drawn_back((length, by), bones);
        return if eased.length < shortest.length { shortest } else { eased };
    }
    if distance >= longest.length && range[0] > 0.0 { longest } else { side }
}

/// A bone as it shall be.
pub(super) struct Bone {
    vector: Vec3A,
    /// What rounding has left of it, so that it is as long as it should be.
    rest: Vec3A,
    length: f32,
}

impl Bone {
    /// Of unit length; zero for a bone without length.
    #[inline]
    pub(super) fn direction(&self) -> Vec3A {
        self.vector / self.length.max(f32::MIN_POSITIVE)
    }

    /// Where it ends if it begins at a point, and what rounding has left of that.
    #[inline]
    pub(super) fn laid_out(&self, (begin, left): (Vec3A, Vec3A), scale: f32) -> (Vec3A, Vec3A) {
        let (end, more) = exact::sum(begin, self.vector * scale);
        (end, more + (left + self.rest * scale))
    }
}
