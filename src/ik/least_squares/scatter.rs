//! Poses to start anew from: the same for the same chain, and spread evenly inside its limits.

use core::f32::consts::PI;

use super::Pose;
use crate::joint::{Freedom, Range};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// Chains longer than this get poses of every degree of curl from the sequence; shorter ones,
/// whose limits matter more, use the same part of their ranges each time.
const LONG: usize = 16;

/// The degree of curl of a long chain's pose has a place of its own in the sequence.
const CURL: u32 = u32::MAX / 7;

/// The share of the joints' ranges that a restart uses, about their centres.
///
/// Turns add up along a chain like a random walk, with the root of the number of joints. A long
/// chain that used the whole of its ranges would be a coil that reaches nothing.
pub(super) fn spread(restart: u32, joints: usize) -> f32 {
    let coil = (2.0 / math::sqrt(joints as f32)).min(1.0);
    if joints > LONG { coil * weyl(restart, CURL) } else { coil }
}

/// Joint number `index`'s pose for a restart.
pub(super) fn pose<V: Vector>(joint: &V::Joint, restart: u32, index: u32, spread: f32) -> Pose<V> {
    let offset = |index| spread * (2.0 * weyl(restart, index) - 1.0);
    match joint.freedom() {
        Freedom::Hinge(_, range) => {
            let Range { min, max } = if range.is_full() { Range::new(-PI, PI) } else { range };
            let angle = 0.5 * (min + max) + 0.5 * (max - min) * offset(index);
            Pose { local: joint.at(angle), angle }
        }
        Freedom::Ball => {
            let [x, y, z] = V::SPINS;
            let [a, b, c] =
                [0, 1, 2].map(|axis| PI * offset(index.wrapping_mul(3).wrapping_add(axis)));
            let turn = V::Rotation::exp(x * a + y * b + z * c);
            Pose { local: joint.nearest((joint.at(0.0) * turn).normalized()), angle: 0.0 }
        }
    }
}

/// Weyl's sequence in `[0, 1)`: multiples of an odd multiple of the golden ratio, of which only
/// the fraction is kept; as whole numbers, so that every target makes the same.
fn weyl(step: u32, index: u32) -> f32 {
    const GOLDEN: u32 = 0x9e37_79b9;
    let fraction = step.wrapping_mul(GOLDEN.wrapping_mul(index.wrapping_mul(2).wrapping_add(1)));
    // The upper 24 bits are what a float holds.
    (fraction >> 8) as f32 / (1_u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::weyl;

    #[test]
    fn the_sequence_spreads_over_the_unit_interval() {
        for index in 0..13 {
            let mut seen = [false; 8];
            for step in 1..=40 {
                let x = weyl(step, index);
                assert!((0.0..1.0).contains(&x));
                seen[(x * 8.0) as usize] = true;
            }
            assert_eq!(seen, [true; 8], "place {index}");
        }
    }
}
