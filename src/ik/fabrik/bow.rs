//! Bowing: a chain that lies on the line to its target has no plane to bend in, and is given one.

use crate::math;
use crate::space::Vector;

/// The direction of the target, or of the first bone if the target is on the root.
pub(super) fn line<V: Vector>(target: V, bones: impl Iterator<Item = V>) -> V {
    let distance = target.length();
    if distance > 0.0 { target * (1.0 / distance) } else { first_direction(bones) }
}

/// Where the first bone that has a direction points; nowhere if none has.
pub(super) fn first_direction<V: Vector>(mut bones: impl Iterator<Item = V>) -> V {
    let bone = bones.find(|bone| bone.length() > 0.0).unwrap_or(V::ZERO);
    bone * (1.0 / bone.length().max(f32::MIN_POSITIVE))
}

/// Whether all points, seen from the root, lie nearer to a line through it than `most`.
pub(super) fn is_within<V: Vector>(
    line: V,
    mut points: impl Iterator<Item = V>,
    most: f32,
) -> bool {
    points.all(|p| (p - line * p.dot(line)).length_squared() < most * most)
}

/// An arc whose chord, were the chain straight before, is about as long as the target is far.
pub(super) struct Bow<V> {
    line: V,
    side: V,
    half_angle: f32,
    /// The number of the last bone.
    last: f32,
    /// The number of the next one.
    index: f32,
}

impl<V: Vector> Bow<V> {
    /// For so many bones, to the side of `side`. `share` is how far the target is, of the reach:
    /// half of an arc's angle is √6(1 - chord/length), to second order.
    pub(super) fn new(line: V, side: V, share: f32, bones: usize) -> Self {
        let half_angle = math::sqrt(6.0 * (1.0 - share).max(0.0));
        Self { line, side, half_angle, last: bones.saturating_sub(1).max(1) as f32, index: 0.0 }
    }

    /// The direction of the next bone, on the side of the line where the bone lies now.
    pub(super) fn next(&mut self, bone: V) -> V {
        let (sin, cos) = math::sin_cos(self.half_angle * (1.0 - 2.0 * self.index / self.last));
        self.index += 1.0;
        (self.line * cos + self.side * sin) * 1.0_f32.copysign(bone.dot(self.line))
    }
}
