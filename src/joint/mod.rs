//! What a joint may do: a rest rotation, a limit measured from it, and a weight.

mod cone;
mod ellipse;
mod hinge;
mod range;
mod rim;
mod sector;
mod turn;
mod yaw_pitch;

use core::f32::consts::PI;

use glam::{Quat, Vec3};

use crate::error::{Error, check_range};
use crate::math;
use crate::rotation::{NO_TWIST, Rot2, Rotation, across, check_rotation, unit};

pub(crate) use cone::Cone;
use ellipse::Ellipse;
pub(crate) use hinge::Hinge;
pub use range::Range;
pub use rim::{Hand, Rim};
pub(crate) use rim::{edge_2d, edge_3d, hand_2d, hand_3d};
pub(crate) use sector::Sector;
#[cfg(feature = "lanes")]
pub(crate) use sector::TIE;
use yaw_pitch::YawPitch;

pub use turn::{Arm, Effort};

/// The freedom of a joint, as its tangent.
#[derive(Clone, Copy, Debug)]
pub enum Freedom<S> {
    /// Turns about one axis, a unit rotation vector in the joint's own frame, within a range.
    Hinge(S, Range),
    /// Turns about any axis.
    Ball,
}

#[cfg(feature = "lanes")]
pub(crate) use turn::{BACK_OFFS, SHORT_OF_HALF, arc_with_care};
pub(crate) use turn::{
    MIN_SQUARE, bend_2d, bend_3d, bend_axis_2d, bend_axis_3d, free_2d, free_3d, turn_2d, turn_3d,
};

/// A rotation this close to its nearest admissible one, in radians, counts as admissible and
/// comes back bit for bit. Three times what rounding leaves of a clamped rotation, a tenth of
/// what the crate promises.
pub(crate) const INSIDE: f32 = 1e-6;

/// How often a clamped rotation is clamped again until it stays. None of two million next to the
/// poles needs more.
const SETTLING: usize = 4;

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
    rest: Rot2,
    range: Option<Range>,
    weight: f32,
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
    /// [`aim_chain`](crate::aim_chain) shares the turn out by the joints' weights against each other:
    /// 0.1 for a single joint, or for all, is as good as 1.
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

    /// See [`crate::space::Limits::aims`].
    #[allow(clippy::unused_self)] // As for `Joint3`.
    pub(crate) fn aims(&self) -> bool {
        true
    }

    pub(crate) fn is_free(&self) -> bool {
        self.range.is_none() && self.weight == 1.0
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check_rotation("joint.rest", self.rest)?;
        check_range("joint.weight", self.weight, 0.0, 1.0)?;
        self.range.map_or(Ok(()), |range| range.check(("joint.min", "joint.max")))
    }

    /// The admissible rotation nearest to `local`; see [`clamp_joint_2d`].
    #[inline]
    pub(crate) fn nearest(&self, local: Rot2, softness: f32) -> Rot2 {
        let Some(range) = self.range else {
            return local;
        };
        let angle = self.angle_of(local);
        let nearest = range.nearest(angle, softness);
        if crate::rotation::wrap_angle(nearest - angle).abs() <= INSIDE {
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

/// What a joint of space may do.
///
/// Everything is measured from the rest rotation, relative to the parent (joint 0: relative to the
/// space it is given in): `local = rest * turn`, and the limit is on `turn`. Axes are in the
/// joint's own frame and may have any length.
///
/// A bad axis, bound or weight is reported by the first function that the joint is handed to.
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
    rest: Quat,
    limit: Limit3,
    weight: f32,
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
    /// nothing. `hinge(Vec3::X, (-90_f32).to_radians(), 90_f32.to_radians())` is what was meant; see
    /// [`f32::to_radians`].
    #[must_use]
    pub fn hinge(axis: Vec3, min: f32, max: f32) -> Self {
        Self::limited(Limit3::Hinge(Hinge { axis: direction(axis), range: Sector::new(min, max) }))
    }

    /// Swings `axis` by at most `swing` radians (0 to π) to any side, and twists freely about it.
    #[must_use]
    pub fn cone(axis: Vec3, swing: f32) -> Self {
        Self::limited(Limit3::Cone(Cone::new(direction(axis), swing, None)))
    }

    /// Swings `axis` freely, and twists about it from `min` to `max` radians (degrees are not noticed,
    /// as by [`Joint3::hinge`]).
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
    #[must_use]
    pub fn ellipse(axis: Vec3, across: Vec3, x: [f32; 2], y: [f32; 2]) -> Self {
        let axis = direction(axis);
        Self::limited(Limit3::Ellipse(Ellipse {
            axis,
            across: self::across(across, axis).unwrap_or(direction(across)),
            x: Range::new(x[0], x[1]),
            y: Range::new(y[0], y[1]),
            twist: None,
        }))
    }

    /// Yaws about `up`, then pitches, with no roll about where it looks: an eye, a turret.
    ///
    /// `forward` is where it looks at rest; `up` is made perpendicular to it, and is a mistake along
    /// it, where nothing of it is left. Both ranges are `[min, max]` in radians. Yaw turns counter-clockwise about `up`; pitch is positive upwards
    /// and stays in ±π/2. [`Joint3::with_twist`] allows roll.
    #[must_use]
    pub fn yaw_pitch(forward: Vec3, up: Vec3, yaw: [f32; 2], pitch: [f32; 2]) -> Self {
        let forward = direction(forward);
        Self::limited(Limit3::YawPitch(YawPitch {
            forward,
            up: across(up, forward).unwrap_or(direction(up)),
            yaw: Range::new(yaw[0], yaw[1]),
            pitch: Range::new(pitch[0], pitch[1]),
            roll: Range::new(0.0, 0.0),
        }))
    }

    fn limited(limit: Limit3) -> Self {
        Self { limit, ..Self::FREE }
    }

    /// Limits the twist about the joint's axis to `min` .. `max` radians (degrees are not noticed, as
    /// by [`Joint3::hinge`]).
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
    /// [`aim_chain`](crate::aim_chain) shares the turn out by the joints' weights against each other:
    /// 0.1 for a single joint, or for all, is as good as 1.
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

    /// See [`crate::ik::aim::Gaze::points_exactly`].
    pub(crate) fn points_exactly(&self) -> bool {
        match &self.limit {
            Limit3::Free | Limit3::Hinge(_) | Limit3::YawPitch(_) => true,
            Limit3::Cone(cone) => cone.twist.is_none(),
            Limit3::Ellipse(_) => false,
        }
    }

    /// See [`crate::space::Limits::aims`].
    pub(crate) fn aims(&self) -> bool {
        !matches!(self.limit, Limit3::Hinge(_))
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

    /// The admissible rotation nearest to `local`; see [`clamp_joint_3d`].
    pub(crate) fn nearest(&self, local: Quat, softness: f32) -> Quat {
        let turn = with_side((self.rest.conjugate() * local).normalized());
        let nearest = match &self.limit {
            Limit3::Free => return local,
            Limit3::Hinge(hinge) => hinge.nearest(turn, softness),
            Limit3::Cone(cone) => cone.nearest(turn, softness),
            Limit3::Ellipse(ellipse) => ellipse.nearest(turn, softness),
            Limit3::YawPitch(eye) => eye.nearest(turn, softness),
        };
        if is_close(turn, nearest) { local } else { (self.rest * nearest).normalized() }
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
    math::sqrt(gap.length_squared()) <= 0.5 * INSIDE
}

/// The admissible rotation nearest to `local`, the joint's rotation relative to its parent.
///
/// Inside its limits (to 1e-6 rad) it comes back bit for bit, so that clamping twice is clamping
/// once. Outside, the nearer end of the range; both as near (`local` opposite the range's centre):
/// the upper end.
///
/// # Errors
/// `local` not a unit rotation; a bad joint.
///
/// ```
/// use sinew::{Joint2, Rot2, clamp_joint_2d};
///
/// let inside = Rot2::from_angle(0.3);
/// assert_eq!(clamp_joint_2d(inside, &Joint2::range(0.0, 1.0))?, inside);
/// let wide = Joint2::range(0.0, 5.0);
/// assert!((clamp_joint_2d(Rot2::from_angle(5.1), &wide)?.angle() - 5.0 + core::f32::consts::TAU).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_2d(local: Rot2, joint: &Joint2) -> Result<Rot2, Error> {
    clamp_joint_2d_soft(local, joint, 0.0)
}

/// The admissible rotation nearest to `local`, the joint's rotation relative to its parent.
///
/// Inside its limits (to 1e-6 rad) it comes back bit for bit, so that clamping twice is clamping
/// once; but for ellipses to which a swing of half a turn has left next to no twist to measure: those
/// that reach past 2.8 rad one way and 1e-3 rad at most the other may move again, one rotation in
/// 2500, by 0.15 rad at most. Outside, the nearest admissible rotation in angle for hinges and cones, with or without a
/// twist range. For ellipses: the nearest admissible twist, and with it the nearest swing. For yaw
/// and pitch: the nearest admissible direction, and there the nearest roll.
///
/// Ties: opposite a range's centre, its upper end; a hinge or twist that a turn of π about another
/// axis has left without an angle counts as 0; a swing of π, which has two axes, has the one whose
/// first coordinate beyond ±0.5 is positive; looking straight up or down, the
/// yaw that leaves the least roll.
///
/// # Errors
/// `local` not a unit rotation; a bad joint.
///
/// ```
/// use sinew::{Joint3, clamp_joint_3d, glam::{Quat, Vec3}};
///
/// let shoulder = Joint3::cone(Vec3::Y, 0.5).with_twist(-0.2, 0.2);
/// let clamped = clamp_joint_3d(Quat::from_rotation_z(2.0), &shoulder)?;
/// assert!((clamped * Vec3::Y).angle_between(Vec3::Y) < 0.5 + 1e-5);
/// assert_eq!(clamp_joint_3d(clamped, &shoulder)?, clamped);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_3d(local: Quat, joint: &Joint3) -> Result<Quat, Error> {
    let mut clamped = clamp_joint_3d_soft(local, joint, 0.0)?;
    // Straight up, or after a swing of half a turn, rounding enlarges the error of a yaw or a twist:
    // a clamped rotation can lie a little off its nearest one, once in some hundred thousand.
    for _ in 0..SETTLING {
        let again = joint.nearest(clamped, 0.0);
        if again == clamped {
            break;
        }
        clamped = again;
    }
    Ok(clamped)
}

/// [`clamp_joint_2d`] that eases in: the last `softness` (0 to 1) of the range's half width slows
/// down and nears the bound without ever passing it.
///
/// Half way from the centre (softness 0.5) and closer nothing changes; beyond, the angle follows
/// an exponential whose slope starts at 1. Not idempotent, by nature. A range of a whole turn has
/// no end to ease into.
///
/// # Errors
/// As [`clamp_joint_2d`]; `softness` outside `[0, 1]`.
///
/// ```
/// use sinew::{Joint2, Rot2, clamp_joint_2d_soft};
///
/// let joint = Joint2::range(-1.0, 1.0);
/// let eased = clamp_joint_2d_soft(Rot2::from_angle(1.0), &joint, 0.5)?.angle();
/// assert!(0.8 < eased && eased < 1.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_2d_soft(local: Rot2, joint: &Joint2, softness: f32) -> Result<Rot2, Error> {
    check_rotation("local", local)?;
    joint.check()?;
    check_range("softness", softness, 0.0, 1.0)?;
    Ok(joint.nearest(local, softness))
}

/// [`clamp_joint_3d`] that eases in: the last `softness` (0 to 1) of each range slows down and
/// nears the bound without ever passing it.
///
/// Hinges, twists, yaw, pitch and roll are eased by their angle from the range's centre, a cone by
/// its swing, an ellipse along the ray from its centre. Not idempotent, by nature. A range of a
/// whole turn has no end to ease into.
///
/// # Errors
/// As [`clamp_joint_3d`]; `softness` outside `[0, 1]`.
///
/// ```
/// use sinew::{Joint3, clamp_joint_3d_soft, glam::{Quat, Vec3}};
///
/// let hip = Joint3::cone(Vec3::Y, 1.0);
/// let eased = clamp_joint_3d_soft(Quat::from_rotation_x(3.0), &hip, 0.4)?;
/// assert!((eased * Vec3::Y).angle_between(Vec3::Y) < 1.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn clamp_joint_3d_soft(local: Quat, joint: &Joint3, softness: f32) -> Result<Quat, Error> {
    check_rotation("local", local)?;
    joint.check()?;
    check_range("softness", softness, 0.0, 1.0)?;
    Ok(joint.nearest(local, softness))
}
