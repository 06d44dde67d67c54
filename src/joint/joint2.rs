//! Joints of the plane: a range of angles from a rest rotation.

use super::Freedom;
use super::INSIDE;
use super::range::Range;
use crate::check::check_range;
use crate::error::Error;
use crate::rotation::{Rot2, check_rotation, wrap_angle};

/// What a joint of the plane may do.
///
/// The angle is that of the joint's rotation relative to its parent (joint 0: relative to the
/// space it is given in), measured from the rest rotation.
///
/// ```
/// use sinew::{Joint2, Rot2, clamp_joint_2d};
///
/// let elbow = Joint2::range(0.0, 2.5).with_rest(Rot2::from_angle(0.1));
/// let clamped = clamp_joint_2d(Rot2::from_angle(-1.0), &elbow)?;
/// assert!((clamped.angle() - 0.1).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint2 {
    pub(super) rest: Rot2,
    pub(super) range: Option<Range>,
    pub(super) weight: f32,
}

impl Joint2 {
    /// Turns freely.
    pub const FREE: Self = Self { rest: Rot2::IDENTITY, range: None, weight: 1.0 };

    /// Turns freely.
    #[must_use]
    pub const fn free() -> Self {
        Self::FREE
    }

    /// Turns from `min` to `max` radians, counter-clockwise positive; the range may cross ±π, lie
    /// beyond it or be wider than a turn. Degrees would pass for many turns, and limit nothing:
    /// [`f32::to_radians`].
    #[must_use]
    pub const fn range(min: f32, max: f32) -> Self {
        Self { range: Some(Range::new(min, max)), ..Self::FREE }
    }

    /// Measures the range from this rotation, relative to the parent, instead of the identity.
    #[must_use]
    pub const fn with_rest(self, rest: Rot2) -> Self {
        Self { rest, ..self }
    }

    /// How willingly it turns, in `[0, 1]`; 0 holds it still, limits aside.
    ///
    /// The solvers that step multiply by it each turn that they want, and so does
    /// [`aim`](crate::aim): with 0.1 it makes a tenth of the turn and stalls there.
    /// [`aim_chain`](crate::aim_chain) shares the turn out by the joints' weights against each
    /// other: 0.1 for a single joint, or for all, is as good as 1.
    #[must_use]
    pub const fn with_weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The rotation that its range is measured from.
    #[must_use]
    pub const fn rest(&self) -> Rot2 {
        self.rest
    }

    /// How willingly it turns.
    #[must_use]
    pub const fn weight(&self) -> f32 {
        self.weight
    }

    pub(crate) fn freedom(&self) -> Freedom<f32> {
        Freedom::Hinge(1.0, self.range.unwrap_or(Range::FULL))
    }

    /// The angle from rest of a rotation relative to the parent.
    pub(crate) fn angle_of(&self, local: Rot2) -> f32 {
        (self.rest.inverse() * local).angle()
    }

    /// The rotation relative to the parent at an angle from rest.
    pub(crate) fn at(&self, angle: f32) -> Rot2 {
        self.rest * Rot2::from_angle(angle)
    }

    pub(crate) fn is_free(&self) -> bool {
        self.range.is_none() && self.weight == 1.0
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check_rotation("joint.rest", self.rest)?;
        check_range("joint.weight", self.weight, 0.0, 1.0)?;
        self.range.map_or(Ok(()), |range| range.check(("joint.min", "joint.max")))
    }

    /// The admissible rotation nearest to `local`; see [`clamp_joint_2d`](super::clamp_joint_2d).
    #[inline]
    pub(crate) fn nearest(&self, local: Rot2, softness: f32) -> Rot2 {
        let Some(range) = self.range else {
            return local;
        };
        let angle = self.angle_of(local);
        let nearest = range.nearest(angle, softness);
        if wrap_angle(nearest - angle).abs() <= INSIDE {
            local
        } else {
            (self.rest * Rot2::from_angle(nearest)).normalize()
        }
    }
}

impl Default for Joint2 {
    fn default() -> Self {
        Self::FREE
    }
}
