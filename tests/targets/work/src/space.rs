//! What a scene needs to know of the plane and of space.

use core::f32::consts::PI;

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    AimSettings, Bend, Gaze, Joint2, Joint3, Pole, Roll, Rot2, Rotation, Side, TwoBone, Vector,
};

use crate::scene::{Fold, Scene};

/// How many joints a chain has, with its effector.
pub(crate) const JOINTS: usize = 8;
/// How many of them may be limited.
pub(crate) const LIMITS: usize = JOINTS - 1;

pub(crate) trait Space: Vector<Rotation: Fold> + Gaze + TwoBone + Fold {
    fn vector(scene: &mut Scene) -> Self;
    fn rotation(scene: &mut Scene) -> Self::Rotation;

    /// One of each kind.
    fn joints(scene: &mut Scene) -> [Self::Joint; LIMITS];
    fn bend(scene: &mut Scene) -> Self::Bend;
    fn aim_settings(scene: &mut Scene) -> AimSettings<Self>;

    /// Against gravity.
    const UP: Self;
    /// 1 along each axis.
    const ONES: Self;
}

impl Space for Vec2 {
    fn vector(scene: &mut Scene) -> Self {
        Self::new(scene.coordinate(), scene.coordinate())
    }

    fn rotation(scene: &mut Scene) -> Rot2 {
        Rot2::from_angle(scene.between(-PI, PI))
    }

    fn joints(scene: &mut Scene) -> [Joint2; LIMITS] {
        core::array::from_fn(|i| {
            let least = scene.between(-3.0, 0.5);
            let range = Joint2::range(least, least + scene.between(0.0, 4.0));
            match i {
                0 => Joint2::free(),
                1 => range.with_rest(Self::rotation(scene)),
                2 => range.with_weight(scene.between(0.0, 1.0)),
                _ => range,
            }
        })
    }

    fn bend(scene: &mut Scene) -> Side {
        match scene.bits() >> 30 {
            0 => Side::Keep,
            1 => Side::Left,
            _ => Side::Right,
        }
    }

    fn aim_settings(scene: &mut Scene) -> AimSettings<Self> {
        AimSettings { forward: Self::vector(scene), ..AimSettings::<Self>::default() }
    }

    const UP: Self = Self::Y;
    const ONES: Self = Self::ONE;
}

impl Space for Vec3 {
    fn vector(scene: &mut Scene) -> Self {
        Self::new(scene.coordinate(), scene.coordinate(), scene.coordinate())
    }

    fn rotation(scene: &mut Scene) -> Quat {
        let mut spin = || scene.between(-2.0, 2.0);
        Rotation::exp(Self::new(spin(), spin(), spin()))
    }

    fn joints(scene: &mut Scene) -> [Joint3; LIMITS] {
        core::array::from_fn(|i| {
            let mut range = |least, most| [scene.between(least, 0.0), scene.between(0.0, most)];
            let ([a, b], [c, d], [e, f]) = (range(-1.5, 1.5), range(-1.5, 1.5), range(-1.0, 1.0));
            let axis = Self::new(a, b, c);
            match i {
                0 => Joint3::free(),
                1 => Joint3::hinge(axis, e, b).with_rest(Self::rotation(scene)),
                2 => Joint3::cone(axis, d).with_twist(e, f),
                3 => Joint3::ellipse(axis, Self::Y, [a, b], [c, d]).with_twist(e, f),
                4 => Joint3::yaw_pitch(Self::Z, Self::Y, [a, b], [c, d]),
                5 => Joint3::twist(axis, e, f).with_weight(b.min(1.0)),
                _ => Joint3::hinge(Self::X, e, f),
            }
        })
    }

    fn bend(scene: &mut Scene) -> Bend {
        let pole = match scene.bits() >> 30 {
            0 => Pole::Keep,
            1 => Pole::Direction(Self::vector(scene)),
            _ => Pole::Point(Self::vector(scene)),
        };
        let axis = (scene.bits() >> 31 == 0).then(|| Self::vector(scene));
        Bend { pole, axis }
    }

    fn aim_settings(scene: &mut Scene) -> AimSettings<Self> {
        let roll = if scene.bits() >> 31 == 0 {
            Roll::Least
        } else {
            Roll::Up { local: Self::vector(scene), hint: Self::vector(scene) }
        };
        AimSettings { forward: Self::vector(scene), roll, weight: scene.between(0.5, 1.0) }
    }

    const UP: Self = Self::Y;
    const ONES: Self = Self::ONE;
}
