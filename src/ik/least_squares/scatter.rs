//! Poses to start anew from: the same for the same chain, and spread evenly inside its limits.

use core::f32::consts::PI;

use super::JointPose;
use crate::joint::{Freedom, Range};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// Chains longer than this get poses of every degree of curl; shorter ones, whose limits matter
/// more, use the same share of their ranges each time.
const LONG: usize = 16;

/// The root of x⁸ = x + 1, inverted: Roberts (2018), "The unreasonable effectiveness of
/// quasirandom sequences", for seven dimensions, about the joints of an arm. Its powers are as
/// far from rational, and from one another's multiples, as can be.
const RATIO: f32 = 0.911_592_8;

/// The poses of one restart: numbers in `[0, 1)`, a few for each joint.
pub(super) struct Scatter {
    restart: f32,
    step: f32,
    spread: f32,
}

impl Scatter {
    /// Restarts are numbered from 1.
    pub(super) fn new(restart: u16, joints: usize) -> Self {
        let mut scatter = Self { restart: f32::from(restart), step: 1.0, spread: 1.0 };
        let curl = if joints > LONG { scatter.next() } else { 1.0 };
        // Turns add up along a chain like a random walk, with the root of the number of joints.
        // A long chain that used the whole of its ranges would be a coil that reaches nothing.
        scatter.spread = (2.0 / math::sqrt(joints as f32)).min(1.0) * curl;
        scatter
    }

    /// The next joint's pose.
    pub(super) fn pose<V: Vector>(&mut self, joint: &V::Joint) -> JointPose<V> {
        match joint.freedom() {
            Freedom::Hinge(_, range) => {
                let Range { min, max } = if range.is_full() { Range::new(-PI, PI) } else { range };
                let angle = 0.5 * (min + max) + 0.5 * (max - min) * self.offset();
                JointPose { local: joint.at(angle), angle }
            }
            Freedom::Ball => {
                let turns = V::SPINS.map(|axis| axis * (PI * self.offset()));
                let [x, y, z] = turns.map(V::Rotation::exp);
                let local = joint.at(0.0) * (x * y * z);
                JointPose { local: joint.nearest(local.normalized()), angle: 0.0 }
            }
        }
    }

    /// From the centre of a range, in halves of it.
    fn offset(&mut self) -> f32 {
        self.spread * (2.0 * self.next() - 1.0)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most a restart's number"
    )]
    fn next(&mut self) -> f32 {
        self.step *= RATIO;
        let x = 0.5 + self.restart * self.step;
        x - (x as u32) as f32
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number below 4")]
mod tests {
    use super::Scatter;

    #[test]
    fn restarts_fill_every_joints_range() {
        for index in 0..13 {
            let mut filled = 0_u8;
            for restart in 1..=24 {
                let mut scatter = Scatter::new(restart, 13);
                let x = core::iter::repeat_with(|| scatter.next()).nth(index).unwrap();
                filled |= 1 << (x * 4.0) as u32;
            }
            assert_eq!(filled, 0xf, "place {index}");
        }
    }
}
