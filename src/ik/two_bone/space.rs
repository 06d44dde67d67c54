//! What lets two bones bend in the plane and in space.

use core::fmt::Debug;

use glam::{Quat, Vec2, Vec3, Vec3A};

use super::plane::{Aim, Start, new_normal, normal};
use super::turns::{across, three_times, turns};
use super::{Bend, Side, is_point};
use crate::error::Error;
use crate::ik::Pole;
use crate::math::exact::Trio;
use crate::rotation::{Rot2, check_axis};
use crate::space::Vector;

/// What lets two bones bend in the plane and in space.
///
/// Sealed, as [`Vector`] is.
pub trait TwoBone: Vector {
    /// To which side a limb bends.
    type Bend: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    #[doc(hidden)]
    fn check_bend(bend: &Self::Bend) -> Result<(), Error>;

    /// Whether [`TwoBone::check_bend`] finds nothing, at a glance.
    #[doc(hidden)]
    fn is_bend(bend: &Self::Bend) -> bool;

    /// In a processor's register of four; the plane is that of x and y.
    #[doc(hidden)]
    #[must_use]
    fn wide(self) -> Vec3A;

    #[doc(hidden)]
    #[must_use]
    fn narrow(wide: Vec3A) -> Self;

    /// The axis, of unit length, about which the limb is bent as it came; and whether it is across
    /// both bones, but for rounding.
    #[doc(hidden)]
    #[must_use]
    fn normal(bend: &Self::Bend, start: &Start<Self>) -> (Vec3A, bool);

    /// The unit vectors of an axis's parts across the bones; where it is along a bone, others.
    #[doc(hidden)]
    #[must_use]
    fn across(normal: Vec3A, bones: Trio) -> Trio;

    /// The axis that it will be bent about, across the direction of its target.
    #[doc(hidden)]
    #[must_use]
    fn new_normal(bend: &Self::Bend, start: &Start<Self>, normal: Vec3A, aim: &Aim) -> Vec3A;

    /// What turns the directions of the two bones and their normal into others, of any length;
    /// anything for a bone without length.
    #[doc(hidden)]
    #[must_use]
    fn turns(from: (Trio, Trio), to: (Trio, Vec3A)) -> [Self::Rotation; 2];
}

impl TwoBone for Vec2 {
    type Bend = Side;

    fn check_bend(_: &Side) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn is_bend(_: &Side) -> bool {
        true
    }

    #[inline]
    fn wide(self) -> Vec3A {
        Vec3A::new(self.x, self.y, 0.0)
    }

    #[inline]
    fn narrow(wide: Vec3A) -> Self {
        Self::new(wide.x, wide.y)
    }

    #[inline]
    fn normal(_: &Side, start: &Start<Self>) -> (Vec3A, bool) {
        let [upper, lower] = start.bones;
        let is_left = upper.x * lower.y - upper.y * lower.x < 0.0;
        (if is_left { Vec3A::NEG_Z } else { Vec3A::Z }, true)
    }

    #[inline]
    fn new_normal(side: &Side, _: &Start<Self>, normal: Vec3A, _: &Aim) -> Vec3A {
        match side {
            Side::Keep => normal,
            // A middle joint on the left turns clockwise.
            Side::Left => Vec3A::NEG_Z,
            Side::Right => Vec3A::Z,
        }
    }

    #[inline]
    fn across(normal: Vec3A, _: Trio) -> Trio {
        three_times(normal)
    }

    #[inline]
    fn turns(([x, y, _], _): (Trio, Trio), ([to_x, to_y, _], _): (Trio, Vec3A)) -> [Rot2; 2] {
        let (cos, sin) = (x * to_x + y * to_y, x * to_y - y * to_x);
        [Rot2 { cos: cos.x, sin: sin.x }, Rot2 { cos: cos.y, sin: sin.y }]
    }
}

impl TwoBone for Vec3 {
    type Bend = Bend;

    fn check_bend(bend: &Bend) -> Result<(), Error> {
        bend.pole.check("settings.bend.pole")?;
        bend.axis.map_or(Ok(()), |axis| check_axis("settings.bend.axis", axis).map(|_| ()))
    }

    #[inline]
    fn is_bend(bend: &Bend) -> bool {
        let is_pole = match bend.pole {
            Pole::Keep => true,
            Pole::Point(p) | Pole::Direction(p) => is_point(p.wide()),
        };
        is_pole && bend.axis.is_none_or(|axis| axis != Vec3::ZERO && is_point(axis.wide()))
    }

    #[inline]
    fn wide(self) -> Vec3A {
        self.into()
    }

    #[inline]
    fn narrow(wide: Vec3A) -> Self {
        wide.into()
    }

    #[inline]
    fn normal(bend: &Bend, start: &Start<Self>) -> (Vec3A, bool) {
        normal(bend, start)
    }

    #[inline]
    fn new_normal(bend: &Bend, start: &Start<Self>, old: Vec3A, aim: &Aim) -> Vec3A {
        new_normal(bend, start, old, aim)
    }

    #[inline]
    fn across(normal: Vec3A, bones: Trio) -> Trio {
        across(normal, bones)
    }

    #[inline]
    fn turns(from: (Trio, Trio), to: (Trio, Vec3A)) -> [Quat; 2] {
        turns(from, to)
    }
}
