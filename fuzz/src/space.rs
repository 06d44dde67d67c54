//! The plane and space alike: what a target draws and measures in either.

use glam::{DQuat, DVec3};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{Bend, Gaze, Pole, Rot2, Side, TwoBone};

use crate::bits::Bits;
use crate::joints::{Spec, Spec2, Spec3};

/// The plane or space, with numbers to draw and double precision to measure in.
pub trait Space: Gaze + TwoBone {
    /// A joint and the numbers that it was made of.
    type Spec: Spec<Self>;

    /// Any numbers at all if `wild`; else of moderate size.
    fn point(bits: &mut Bits, wild: bool) -> Self;

    /// Any numbers at all if `wild`, hardly ever a rotation; else of unit length.
    fn rotation(bits: &mut Bits, wild: bool) -> Self::Rotation;

    /// Something to bend to.
    fn bend(bits: &mut Bits, wild: bool) -> Self::Bend;

    /// The unit vector across the line to the target along which the middle joint of two bones is
    /// wanted; `None` if anywhere will do, or the line is close to the pole.
    fn side(bend: &Self::Bend, root: Self, line: DVec3) -> Option<DVec3>;

    /// Whether the middle joint's hinge is the caller's.
    fn has_axis(bend: &Self::Bend) -> bool;

    /// The unit vector along x.
    #[must_use]
    fn ahead() -> Self;

    /// The unit vector along y.
    #[must_use]
    fn up() -> Self;

    /// The magnitudes of the coordinates.
    #[must_use]
    fn sizes(self) -> Self;

    /// In double precision; the plane is that of x and y.
    #[must_use]
    fn double(self) -> DVec3;

    /// In double precision, of unit length to rounding; the plane turns about z.
    fn double_turn(rotation: Self::Rotation) -> DQuat;
}

impl Space for Vec2 {
    type Spec = Spec2;

    fn point(bits: &mut Bits, wild: bool) -> Self {
        if wild { bits.any_vec2() } else { bits.vec2() }
    }

    fn rotation(bits: &mut Bits, wild: bool) -> Rot2 {
        if wild { Rot2 { cos: bits.any(), sin: bits.any() } } else { bits.rot2() }
    }

    fn bend(bits: &mut Bits, _: bool) -> Side {
        [Side::Keep, Side::Left, Side::Right][bits.below(3)]
    }

    fn side(bend: &Side, _: Self, line: DVec3) -> Option<DVec3> {
        let left = DVec3::Z.cross(line);
        match bend {
            Side::Keep => None,
            Side::Left => Some(left),
            Side::Right => Some(-left),
        }
    }

    fn has_axis(_: &Side) -> bool {
        false
    }

    fn ahead() -> Self {
        Self::X
    }

    fn up() -> Self {
        Self::Y
    }

    fn sizes(self) -> Self {
        self.abs()
    }

    fn double(self) -> DVec3 {
        self.as_dvec2().extend(0.0)
    }

    fn double_turn(rotation: Rot2) -> DQuat {
        DQuat::from_rotation_z(f64::from(rotation.sin).atan2(f64::from(rotation.cos)))
    }
}

impl Space for Vec3 {
    type Spec = Spec3;

    fn point(bits: &mut Bits, wild: bool) -> Self {
        if wild { bits.any_vec3() } else { bits.vec3() }
    }

    fn rotation(bits: &mut Bits, wild: bool) -> Quat {
        if wild { bits.any_quat() } else { bits.quat() }
    }

    fn bend(bits: &mut Bits, wild: bool) -> Bend {
        let pole = bits.pole(wild);
        let axis = (bits.byte() < 64).then(|| if wild { bits.any_vec3() } else { bits.axis() });
        Bend { pole, axis }
    }

    fn side(bend: &Bend, root: Self, line: DVec3) -> Option<DVec3> {
        let pole = match bend.pole {
            Pole::Keep => return None,
            Pole::Point(point) => point.as_dvec3() - root.as_dvec3(),
            Pole::Direction(direction) => direction.as_dvec3(),
        };
        let pole = pole.try_normalize()?;
        let across = pole - line * pole.dot(line);
        (across.length() > 1e-2).then(|| across.normalize())
    }

    fn has_axis(bend: &Bend) -> bool {
        bend.axis.is_some()
    }

    fn ahead() -> Self {
        Self::X
    }

    fn up() -> Self {
        Self::Y
    }

    fn sizes(self) -> Self {
        self.abs()
    }

    fn double(self) -> DVec3 {
        self.as_dvec3()
    }

    fn double_turn(rotation: Quat) -> DQuat {
        rotation.as_dquat().normalize()
    }
}
