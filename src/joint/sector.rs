//! Ranges as directions on the circle, for limits that are asked in every sweep.

use core::f32::consts::PI;

use super::range::Range;
use crate::rotation::Rot2;

/// A range of turns about one axis, as angles and as directions on the circle: the trigonometry is
/// done once, when the joint is made, and whether a turn is inside takes four products.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Range", into = "Range")
)]
pub(crate) struct Sector {
    pub(crate) angles: Range,
    pub(crate) centre: Rot2,
    /// Half the range's width; half a turn for a range that leaves nothing out.
    pub(crate) half: Rot2,
    /// Half of `min` and half of `max`, as a quaternion has them.
    pub(crate) ends: [Rot2; 2],
}

/// An offset this close to half a turn is as near to one bound as to the other, as the tangent.
pub(crate) const TIE: f32 = 4.0 * PI * f32::EPSILON;

impl Sector {
    pub(crate) fn new(min: f32, max: f32) -> Self {
        Range::new(min, max).into()
    }

    /// The half of the bound nearest to a turn, given as its direction of any length, that is
    /// outside; `max` when both are as near.
    #[inline]
    pub(crate) fn end_beyond(&self, turn: Rot2) -> Option<Rot2> {
        let offset = turn * self.centre.inverse();
        // sin(half - |offset|); where that is 0 the cosine's sign tells no turn from half a turn.
        let room = self.half.sin * offset.cos - offset.sin.abs() * self.half.cos;
        if room >= 0.0 && (offset.cos >= 0.0 || self.half.cos <= 0.0) {
            return None;
        }
        let [min, max] = self.ends;
        Some(if offset.sin >= TIE * offset.cos.min(0.0) { max } else { min })
    }
}

impl From<Range> for Sector {
    fn from(angles: Range) -> Self {
        let Range { min, max } = angles;
        let half = 0.5 * max - 0.5 * min;
        Self {
            angles,
            centre: Rot2::from_angle(0.5 * min + 0.5 * max),
            half: if half < PI { Rot2::from_angle(half) } else { Rot2 { cos: -1.0, sin: 0.0 } },
            ends: [min, max].map(|end| Rot2::from_angle(0.5 * end)),
        }
    }
}

impl From<Sector> for Range {
    fn from(sector: Sector) -> Self {
        sector.angles
    }
}

/// The direction, of any length, of half of a turn that is given as its direction, of that length.
#[inline]
pub(crate) fn halved(turn: Rot2, length: f32) -> Rot2 {
    // The half vector between the turn and the real axis, from the side on which nothing cancels.
    if turn.cos >= 0.0 {
        Rot2 { cos: length + turn.cos, sin: turn.sin }
    } else {
        Rot2 { cos: turn.sin.abs(), sin: (length - turn.cos).copysign(turn.sin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_range_of_angles() {
        for (min, max) in
            [(-1.0, 2.0), (0.0, 0.0), (2.9, 3.4), (-3.1, 3.1), (-4.0, 1.0), (0.0, 7.0)]
        {
            let (range, half_turns) = (Range::new(min, max), 500);
            let sector = Sector::new(min, max);
            for i in -half_turns..=half_turns {
                let angle = 0.006_2 * i as f32;
                let expected = range.nearest(angle, 0.0);
                let turn = Rot2::from_angle(angle);
                let half = sector.end_beyond(turn).unwrap_or_else(|| halved(turn, 1.0));
                let gap = (half * half * Rot2::from_angle(expected).inverse()).angle();
                assert!(gap.abs() < 1e-6, "{angle} in {min} .. {max}: off by {gap}");
            }
        }
    }

    #[test]
    fn opposite_the_centre_the_upper_bound_wins() {
        let sector = Sector::new(-1.0, 1.0);
        for sin in [0.0, 1e-7, -1e-7] {
            let end = sector.end_beyond(Rot2 { cos: -1.0, sin });
            assert_eq!(end, Some(Rot2::from_angle(0.5)));
        }
    }
}
