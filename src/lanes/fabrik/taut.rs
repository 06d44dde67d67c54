//! The slack of `ik/fabrik/taut.rs` and what it draws, by lanes.

use crate::ik::fabrik::taut::{LEAST_COSINE, LEAST_SLACK, MOST_LEFT, MOST_PULL, MOST_SLACK};
use crate::lanes::Vec3x8;
use crate::lanes::wide::{F32x8, Mask};

pub(super) struct Slack {
    line: Vec3x8,
    first: Vec3x8,
    second: Vec3x8,
    length: F32x8,
    lacks: F32x8,
    largest_lack: F32x8,
}

impl Slack {
    #[inline]
    pub(super) fn new(line: Vec3x8) -> Self {
        let (none, zero) = (Vec3x8::ZERO, F32x8::ZERO);
        Self { line, first: none, second: none, length: zero, lacks: zero, largest_lack: zero }
    }

    #[inline]
    pub(super) fn add(&mut self, bone: Vec3x8, length: F32x8) {
        let mut cosine = bone.dot(self.line) / length;
        let has_length = length.gt(F32x8::ZERO);
        if !has_length.all() {
            cosine = has_length.select(cosine, F32x8::ONE);
        }
        let lack = F32x8::ONE - cosine;
        self.first = self.first + bone * cosine;
        self.second = self.second + bone * (lack * (lack * 3.0 - F32x8::splat(4.0)));
        self.length = self.length + length;
        self.lacks = self.lacks + lack * length;
        self.largest_lack = self.largest_lack.max(lack);
    }

    /// The shapes, and the lanes that are to take them up.
    #[inline]
    pub(super) fn fit(&self, chord: Vec3x8, distance: F32x8, gap: F32x8) -> (Drawn, Mask) {
        let first = self.first - self.line * self.length;
        let second = self.second + self.line * (self.lacks * 2.0);
        let share = F32x8::ONE / chord.dot(chord);
        let slope = chord.dot(first) * share;
        let bend = (first.dot(first) + chord.dot(second)) * share;
        let missing = distance * distance * share - F32x8::ONE;
        let root = (slope * slope + bend * missing).max(F32x8::ZERO).sqrt();
        let most = F32x8::splat(MOST_PULL) / self.largest_lack;
        let change = missing / (slope + root.copysign(slope));
        let change = change.clamp(LEAST_SLACK - 1.0, MOST_SLACK - 1.0).max(-most).min(most);
        let shaped = chord + first * change + second * (change * 0.5 * change);
        let length = shaped.length();
        let part = shaped.dot(self.line);
        let is_nearer = (length - distance).abs().lt(gap * MOST_LEFT);
        let drawn = Drawn {
            line: self.line,
            slack: change + F32x8::ONE,
            from: shaped * (F32x8::ONE / length),
            scale: length / (length + part),
        };
        (drawn, part.gt(length * LEAST_COSINE) & is_nearer)
    }
}

pub(super) struct Drawn {
    line: Vec3x8,
    slack: F32x8,
    from: Vec3x8,
    scale: F32x8,
}

impl Drawn {
    #[inline]
    pub(super) fn bone(&self, bone: Vec3x8, length: F32x8) -> Vec3x8 {
        let shaped = bone * self.slack + self.line * (length * (F32x8::ONE - self.slack));
        let part = shaped.dot(self.from);
        let both = (part + shaped.dot(self.line)) * self.scale;
        shaped + self.line * (part * 2.0 - both) - self.from * both
    }
}
