//! Joints of space: one of the shapes of limits about a rest rotation.

use core::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};

use super::cone::Cone;
use super::ellipse::Ellipse;
use super::hinge::Hinge;
use super::range::Range;
use super::sector::Sector;
use super::yaw_pitch::YawPitch;
use super::{Freedom, INSIDE};
use crate::check::check_range;
use crate::error::Error;
use crate::rotation::{NO_TWIST, Rotation, across, check_rotation, unit};

/// What a joint of space may do.
///
/// Everything is measured from the rest rotation, relative to the parent (joint 0: relative to the
/// space it is given in): `local = rest * turn`, and the limit is on `turn`. Axes are in the
/// joint's own frame and may have any length.
///
/// A bad axis, bound or weight is reported by the first function that the joint is handed to. A
/// bound of π or its half may be rounded to four decimals, as files do: 3.1416, 1.5708.
///
/// ```
/// use sinew::{Joint3, clamp_joint_3d, glam::{Quat, Vec3}};
///
/// let knee = Joint3::hinge(Vec3::X, 0.0, 2.4);
/// let clamped = clamp_joint_3d(Quat::from_rotation_x(-0.5), &knee)?;
/// assert_eq!(clamped, Quat::IDENTITY);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint3 {
    pub(super) rest: Quat,
    pub(super) limit: Limit3,
    pub(super) weight: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Limit3 {
    Free,
    Hinge(Hinge),
    Cone(Cone),
    Ellipse(Ellipse),
    YawPitch(YawPitch),
}

impl Joint3 {
    /// Turns freely.
    pub const FREE: Self = Self { rest: Quat::IDENTITY, limit: Limit3::Free, weight: 1.0 };

    /// Turns freely.
    #[must_use]
    pub const fn free() -> Self {
        Self::FREE
    }

    /// Turns about `axis` only, from `min` to `max` radians, right-handed; the range may cross
    /// ±π, lie beyond it or be wider than a turn.
    ///
    /// Degrees are not noticed: `hinge(Vec3::X, -90.0, 90.0)` is a range of 28 turns and limits
    /// nothing. `hinge(Vec3::X, (-90_f32).to_radians(), 90_f32.to_radians())` is what was meant;
    /// see [`f32::to_radians`].
    #[must_use]
    pub fn hinge(axis: Vec3, min: f32, max: f32) -> Self {
        Self::limited(Limit3::Hinge(Hinge { axis: direction(axis), range: Sector::new(min, max) }))
    }

    /// Swings `axis` by at most `swing` radians (0 to π) to any side, and twists freely about it.
    #[must_use]
    pub fn cone(axis: Vec3, swing: f32) -> Self {
        Self::limited(Limit3::Cone(Cone::new(direction(axis), swing, None)))
    }

    /// Swings `axis` freely, and twists about it from `min` to `max` radians (degrees are not
    /// noticed, as by [`Joint3::hinge`]).
    #[must_use]
    pub fn twist(axis: Vec3, min: f32, max: f32) -> Self {
        Self::cone(axis, PI).with_twist(min, max)
    }

    /// Swings `axis` further to some sides than to others, and twists freely about it.
    ///
    /// The swing's rotation vector has a component about `across` (made perpendicular to `axis`)
    /// in `x`, and one about `axis × across` in `y`: `[min, max]` in radians with
    /// `-π <= min <= 0 <= max <= π`. Between them the limit is a quarter of an ellipse to each
    /// side. An `across` along `axis` is a mistake: nothing of it is left across.
    ///
    /// ```
    /// use sinew::{Joint3, Rotation, clamp_joint_3d, glam::{Quat, Vec3}};
    ///
    /// // A hip whose thigh hangs along -Y: about X it swings 2 rad forwards and 0.3 back.
    /// let hip = Joint3::ellipse(Vec3::NEG_Y, Vec3::X, [-2.0, 0.3], [-0.5, 0.8]);
    /// let forwards = clamp_joint_3d(Quat::from_rotation_x(-2.5), &hip)?;
    /// let back = clamp_joint_3d(Quat::from_rotation_x(1.0), &hip)?;
    /// assert!((Rotation::angle(forwards) - 2.0).abs() < 1e-5);
    /// assert!((Rotation::angle(back) - 0.3).abs() < 1e-5);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    #[must_use]
    pub fn ellipse(axis: Vec3, across: Vec3, x: [f32; 2], y: [f32; 2]) -> Self {
        let axis = direction(axis);
        Self::limited(Limit3::Ellipse(Ellipse {
            axis,
            across: self::across(across, axis).unwrap_or(direction(across)),
            x: Range::within(PI, x),
            y: Range::within(PI, y),
            twist: None,
        }))
    }

    /// Yaws about `up`, then pitches, with no roll about where it looks: an eye, a turret.
    ///
    /// `forward` is where it looks at rest; `up` is made perpendicular to it, and is a mistake
    /// along it, where nothing of it is left. Both ranges are `[min, max]` in radians. Yaw turns
    /// counter-clockwise about `up`; pitch is positive upwards and stays in ±π/2.
    /// [`Joint3::with_twist`] allows roll.
    ///
    /// ```
    /// use sinew::{Joint3, clamp_joint_3d, glam::{Quat, Vec3}};
    ///
    /// let eye = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, [-0.6, 0.8], [-0.4, 0.5]);
    /// let gaze = clamp_joint_3d(Quat::from_rotation_y(1.5), &eye)? * Vec3::Z;
    /// assert!(gaze.distance(Vec3::new(0.8_f32.sin(), 0.0, 0.8_f32.cos())) < 1e-5);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    #[must_use]
    pub fn yaw_pitch(forward: Vec3, up: Vec3, yaw: [f32; 2], pitch: [f32; 2]) -> Self {
        let forward = direction(forward);
        Self::limited(Limit3::YawPitch(YawPitch {
            forward,
            up: across(up, forward).unwrap_or(direction(up)),
            yaw: Range::new(yaw[0], yaw[1]),
            pitch: Range::within(FRAC_PI_2, pitch),
            roll: Range::new(0.0, 0.0),
        }))
    }

    fn limited(limit: Limit3) -> Self {
        Self { limit, ..Self::FREE }
    }

    /// Limits the twist about the joint's axis to `min` .. `max` radians (degrees are not noticed,
    /// as by [`Joint3::hinge`]).
    ///
    /// The axis is that of the cone or ellipse, and where a yaw and pitch joint looks. A hinge has
    /// no other freedom than its twist: this replaces its range. A free joint has no axis of its
    /// own, and takes +Y; [`Joint3::twist`] names another.
    #[must_use]
    pub fn with_twist(self, min: f32, max: f32) -> Self {
        let range = Sector::new(min, max);
        let limit = match self.limit {
            Limit3::Free => Limit3::Cone(Cone::new(Vec3::Y, PI, Some(range))),
            Limit3::Hinge(hinge) => Limit3::Hinge(Hinge { range, ..hinge }),
            Limit3::Cone(cone) => Limit3::Cone(Cone { twist: Some(range), ..cone }),
            Limit3::Ellipse(ellipse) => Limit3::Ellipse(Ellipse { twist: Some(range), ..ellipse }),
            Limit3::YawPitch(eye) => Limit3::YawPitch(YawPitch { roll: range.angles, ..eye }),
        };
        Self { limit, ..self }
    }

    /// Measures the limit from this rotation, relative to the parent, instead of the identity.
    #[must_use]
    pub const fn with_rest(self, rest: Quat) -> Self {
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

    /// The rotation that its limit is measured from.
    #[must_use]
    pub const fn rest(&self) -> Quat {
        self.rest
    }

    /// How willingly it turns.
    #[must_use]
    pub const fn weight(&self) -> f32 {
        self.weight
    }

    #[cfg(feature = "lanes")]
    #[inline]
    pub(crate) fn limit(&self) -> &Limit3 {
        &self.limit
    }

    #[inline]
    pub(crate) fn freedom(&self) -> Freedom<Vec3> {
        match &self.limit {
            Limit3::Hinge(hinge) => Freedom::Hinge(hinge.axis, hinge.range.angles),
            _ => Freedom::Ball,
        }
    }

    /// The angle from rest of a hinge's rotation relative to the parent; 0 for a ball joint.
    #[inline]
    pub(crate) fn angle_of(&self, local: Quat) -> f32 {
        match &self.limit {
            Limit3::Hinge(hinge) => hinge.angle_of(self.rest.conjugate() * local),
            _ => 0.0,
        }
    }

    /// A hinge's rotation relative to the parent at an angle from rest; a ball joint's rest.
    #[inline]
    pub(crate) fn at(&self, angle: f32) -> Quat {
        match &self.limit {
            Limit3::Hinge(hinge) => self.rest * hinge.at(angle),
            _ => self.rest,
        }
    }

    /// The axis that it twists about; `None` if that is any.
    pub(crate) fn axis(&self) -> Option<Vec3> {
        match &self.limit {
            Limit3::Free => None,
            Limit3::Hinge(hinge) => Some(hinge.axis),
            Limit3::Cone(cone) => Some(cone.axis),
            Limit3::Ellipse(ellipse) => Some(ellipse.axis),
            Limit3::YawPitch(eye) => Some(eye.forward),
        }
    }

    /// See `Gaze::points_exactly`.
    pub(crate) fn points_exactly(&self) -> bool {
        match &self.limit {
            Limit3::Free | Limit3::Hinge(_) | Limit3::YawPitch(_) => true,
            Limit3::Cone(cone) => cone.twist.is_none(),
            Limit3::Ellipse(_) => false,
        }
    }

    pub(crate) fn is_free(&self) -> bool {
        self.limit == Limit3::Free && self.weight == 1.0
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check_rotation("joint.rest", self.rest)?;
        check_range("joint.weight", self.weight, 0.0, 1.0)?;
        match &self.limit {
            Limit3::Free => Ok(()),
            Limit3::Hinge(hinge) => hinge.check(),
            Limit3::Cone(cone) => cone.check(),
            Limit3::Ellipse(ellipse) => ellipse.check(),
            Limit3::YawPitch(eye) => eye.check(),
        }
    }

    /// The admissible rotation nearest to `local`, of unit length to the slack of its check; see
    /// [`clamp_joint_3d`](super::clamp_joint_3d).
    pub(crate) fn nearest(&self, local: Quat, softness: f32) -> Quat {
        let turn = with_side((self.rest.conjugate() * local).normalized_near());
        let nearest = match &self.limit {
            Limit3::Free => return local,
            Limit3::Hinge(hinge) => hinge.nearest(turn, softness),
            Limit3::Cone(cone) => cone.nearest(turn, softness),
            Limit3::Ellipse(ellipse) => ellipse.nearest(turn, softness),
            Limit3::YawPitch(eye) => eye.nearest(turn, softness),
        };
        if is_close(turn, nearest) { local } else { (self.rest * nearest).normalized_near() }
    }
}

impl Default for Joint3 {
    fn default() -> Self {
        Self::FREE
    }
}

/// The unit vector along `axis`, or `axis` as it is if it has no direction, for `check` to find.
fn direction(axis: Vec3) -> Vec3 {
    unit(axis).unwrap_or(axis)
}

/// The same rotation; of the two signs of half a turn, the one whose first large coordinate is
/// positive. Rounding must not decide to which side such a swing goes back.
#[inline]
fn with_side(turn: Quat) -> Quat {
    if turn.w.abs() > NO_TWIST {
        return turn;
    }
    // One of the three is larger than this.
    let large = [turn.x, turn.y, turn.z].into_iter().find(|x| x.abs() > 0.5);
    if large.is_some_and(|x| x < 0.0) { -turn } else { turn }
}

/// Closer than [`INSIDE`], for unit quaternions of either sign.
fn is_close(a: Quat, b: Quat) -> bool {
    let gap = if a.dot(b) < 0.0 { a + b } else { a - b };
    // A chord of the quaternions' sphere is half the rotation's angle.
    gap.length_squared() <= 0.25 * INSIDE * INSIDE
}
