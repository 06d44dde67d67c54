//! The triangle of two bones and the line from the root to the effector.

use core::f32::consts::PI;

use glam::Vec3A;

use super::TwoBoneSettings;
use crate::ik::Status;
use crate::math::exact::{self, Trio};
use crate::math::{self, decay};

/// The triangle of two bones and the line from the root to where the effector goes.
pub(super) struct Triangle {
    /// Of the bones.
    lengths: [f32; 2],
    base: Base,
    /// By how much the bones are lengthened.
    pub(super) stretch: f32,
    /// From the root to the target.
    distance: f32,
    max_stretch: f32,
}

/// From the root to the effector.
#[derive(Clone, Copy)]
struct Base {
    length: f32,
    /// To which end of reach its square is nearer: 1 for straight, -1 for folded.
    end: f32,
    /// How far its square is from that end's, to all its digits: what is left next to it.
    near: f32,
    /// The same of the other end.
    far: f32,
}

impl Base {
    /// Of what is left to the ends of reach only the lesser is taken for what it is: from end to
    /// end the square is `whole`, and rounding is not to make more of it than a short bone has.
    #[inline]
    fn new(length: f32, whole: f32, short_of_straight: f32, short_of_folded: f32) -> Self {
        let (end, short) = if short_of_straight < short_of_folded {
            (1.0, short_of_straight)
        } else {
            (-1.0, short_of_folded)
        };
        let near = math::lesser(math::greater(short, 0.0), whole);
        Self { length, end, near, far: whole - near }
    }

    /// The effector at a distance that the bones can get to, or as near to it as they can.
    ///
    /// Only the way to the nearer end can cancel; the other is what is left of the way from end to
    /// end.
    #[inline]
    fn at_distance([a, b]: [f32; 2], (distance, rest): (f32, f32)) -> Self {
        let (longer, shorter) = (math::greater(a, b), math::lesser(a, b));
        let end = 1_f32.copysign((distance * distance - a * a) - b * b);
        let (most, more) = exact::sum_in_order(longer, end * shorter);
        let within = ((most - distance) + (more - rest)) * (end * (most + distance));
        let whole = 4.0 * a * b;
        let near = math::lesser(math::greater(within, 0.0), whole);
        let length = if within > 0.0 { distance } else { most };
        Self { length, end, near, far: whole - near }
    }

    /// Where the middle joint is bent by an angle in `[0, π]`: the law of cosines by the half
    /// angle, of which the form is taken that adds up.
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
        Self::new(length, product, short_of_straight, short_of_folded)
    }

    /// The longest base, drawn back by so much to a length.
    fn drawn_back(self, (length, by): (f32, f32), [a, b]: [f32; 2]) -> Self {
        let gap = (a - b).abs();
        let short_of_straight = if self.end > 0.0 { self.near } else { self.far };
        let square = by * (self.length + length);
        let short_of_folded = (length - gap) * (length + gap);
        Self::new(length, 4.0 * a * b, short_of_straight + square, short_of_folded)
    }
}

impl Triangle {
    #[inline]
    pub(super) fn new<B, R>(
        bones: [f32; 2],
        (distance, rest): (f32, f32),
        settings: &TwoBoneSettings<B, R>,
    ) -> Self {
        let mut base = Base::at_distance(bones, (distance, rest));
        if !settings.is_unlimited() || settings.softness > 0.0 {
            base = limited(base, bones, distance, settings.range, settings.softness);
        }
        let max_stretch = settings.max_stretch;
        let stretch = if max_stretch > 1.0 && distance > base.length && base.length > 0.0 {
            (distance / base.length).min(max_stretch)
        } else {
            1.0
        };
        Self { lengths: bones, base, stretch, distance, max_stretch }
    }

    /// The two bones in the plane of the base's direction and one across it.
    #[inline]
    pub(super) fn bones(&self, direction: Vec3A, out: Vec3A) -> Bones {
        let ([a, b], base) = (self.lengths, self.base);
        // Less than this has no inverse.
        let (along, height) = if base.length >= f32::MIN_POSITIVE {
            let half = 0.5 / base.length;
            (self.along() * half, math::sqrt(base.near * base.far) * half)
        } else {
            (Vec3A::ZERO, a)
        };
        let height = Vec3A::new(height, -height, 0.0);
        let both = |direction: f32, out: f32| along * direction + height * out;
        let vectors =
            [both(direction.x, out.x), both(direction.y, out.y), both(direction.z, out.z)];
        let lengths = Vec3A::new(a, b, 0.0);
        let per_length = Vec3A::ONE / lengths.max(Vec3A::splat(f32::MIN_POSITIVE));
        let missing = exact::rough_excess(&vectors, lengths) * -0.5 * per_length * per_length;
        Bones { vectors, per_length, missing }
    }

    /// How far each bone goes along the base, times twice the base: its square and the bone's less
    /// the other's, in the form that keeps the digits of the shorter bone.
    #[inline]
    fn along(&self) -> Vec3A {
        let ([a, b], base) = (self.lengths, self.base);
        let Base { end, near, .. } = base;
        Vec3A::new(a + a, b + b, 0.0) * Vec3A::new(a + end * b, b + end * a, 0.0)
            - Vec3A::splat(end * near)
    }

    #[inline]
    pub(super) fn status(&self, gap: f32, unit: f32, coordinate: f32) -> Status {
        let [a, b] = self.lengths;
        // What a closed form leaves is rounding: of the lengths, and of the positions.
        if gap <= 1e-5 * (a + b) * unit + 2.0 * f32::EPSILON * coordinate {
            Status::Reached
        } else if self.distance > (a + b) * self.max_stretch || self.distance < (a - b).abs() {
            // The bones' lengths alone, stretched as they may be, keep the effector away.
            Status::Unreachable
        } else {
            Status::Stalled
        }
    }
}

/// A base within the middle joint's range, and eased.
fn limited(base: Base, bones: [f32; 2], distance: f32, range: [f32; 2], softness: f32) -> Base {
    let [longest, shortest] = range.map(|bend| Base::at_bend(bones, bend));
    if distance <= shortest.length && range[1] < PI {
        return shortest;
    }
    let soft = softness * longest.length;
    let knee = longest.length - soft;
    if soft > 0.0 && distance > knee {
        // Just past the knee what counts is how far past, and further on what is left.
        let (past, left) = decay((distance - knee) / soft);
        let (length, by) = (knee + soft * past, soft * left);
        let eased = longest.drawn_back((length, by), bones);
        return if eased.length < shortest.length { shortest } else { eased };
    }
    if distance >= longest.length && range[0] > 0.0 { longest } else { base }
}

/// The bones as they shall be, side by side.
pub(super) struct Bones {
    vectors: Trio,
    /// Finite for a bone without length.
    per_length: Vec3A,
    /// By what share of it rounding has left a bone too short.
    missing: Vec3A,
}

impl Bones {
    /// Of unit length; zero for a bone without length.
    #[inline]
    pub(super) fn directions(&self) -> Trio {
        self.vectors.map(|x| x * self.per_length)
    }

    /// Where the two end if the upper begins at a point, and what rounding has left of that.
    #[inline]
    pub(super) fn laid_out(&self, root: Vec3A, scale: f32) -> [(Vec3A, Vec3A); 2] {
        let [upper, lower, _] = exact::side_by_side(self.vectors).map(|bone| bone * scale);
        let (middle, rest) = exact::sum(root, upper);
        let rest = rest + upper * self.missing.x;
        let (effector, more) = exact::sum(middle, lower);
        [(middle, rest), (effector, more + (rest + lower * self.missing.y))]
    }
}
