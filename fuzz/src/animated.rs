//! What moves smoothly, as up to four coordinates in double precision.

use core::fmt::Debug;

use glam::{DQuat, DVec3};
use sinew::glam::{Quat, Vec2, Vec3, Vec4};
use sinew::{Animated, Rot2};

use crate::bits::Bits;
use crate::oracle::gap;

/// A difference of two values: coordinates, or a rotation vector; zeros after them.
pub type Offset = [f64; 4];

/// `a + b`.
#[must_use]
pub fn sum(a: Offset, b: Offset) -> Offset {
    core::array::from_fn(|i| a[i] + b[i])
}

/// `a` times `by`.
#[must_use]
pub fn scaled(a: Offset, by: f64) -> Offset {
    a.map(|x| x * by)
}

/// The length of `a`.
#[must_use]
pub fn size(a: Offset) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A value that the crate animates, with numbers to draw and an exact view of it.
pub trait Track: Animated + Debug {
    /// Whether it is a rotation: differences go the short way round.
    const IS_TURN: bool;

    /// Any numbers at all if `wild`; else of moderate size, of unit length if it is a rotation.
    fn draw(bits: &mut Bits, wild: bool) -> Self;

    /// Any numbers at all if `wild`; else of moderate size.
    fn draw_velocity(bits: &mut Bits, wild: bool) -> Self::Velocity;

    /// From `from` to `to` in `dt`, a second.
    fn speed(from: Self, to: Self, dt: f32) -> Self::Velocity;

    /// A velocity's coordinates.
    fn velocity(velocity: Self::Velocity) -> Offset;

    /// What leads from this value to `to`.
    fn offset64(self, to: Self) -> Offset;

    /// How far `is` is from where `by` leads from this value.
    fn miss(self, by: Offset, is: Self) -> f64;

    /// What rounding makes of a value of this size.
    fn grain(self) -> f64;

    /// Whether all its numbers are finite.
    fn is_finite(self) -> bool;
}

macro_rules! track_vector {
    ($($vector:ty, $array:expr, $draw:expr;)*) => {$(
        impl Track for $vector {
            const IS_TURN: bool = false;

            fn draw(bits: &mut Bits, wild: bool) -> Self {
                $draw(&mut || if wild { bits.any() } else { bits.moderate() })
            }

            fn draw_velocity(bits: &mut Bits, wild: bool) -> Self {
                Self::draw(bits, wild)
            }

            fn speed(from: Self, to: Self, dt: f32) -> Self {
                (to - from) * (1.0 / dt)
            }

            fn velocity(velocity: Self) -> Offset {
                let mut coordinates = [0.0; 4];
                for (to, from) in coordinates.iter_mut().zip($array(velocity)) {
                    *to = f64::from(from);
                }
                coordinates
            }

            fn offset64(self, to: Self) -> Offset {
                sum(Self::velocity(to), scaled(Self::velocity(self), -1.0))
            }

            fn miss(self, by: Offset, is: Self) -> f64 {
                size(sum(self.offset64(is), scaled(by, -1.0)))
            }

            fn grain(self) -> f64 {
                f64::from(f32::EPSILON) * size(Self::velocity(self))
            }

            fn is_finite(self) -> bool {
                size(Self::velocity(self)).is_finite()
            }
        }
    )*};
}

type Draw<'a> = &'a mut dyn FnMut() -> f32;

track_vector! {
    f32, |x: f32| [x], |draw: Draw<'_>| draw();
    Vec2, |v: Vec2| v.to_array(), |draw: Draw<'_>| Vec2::new(draw(), draw());
    Vec3, |v: Vec3| v.to_array(), |draw: Draw<'_>| Vec3::new(draw(), draw(), draw());
    Vec4, |v: Vec4| v.to_array(), |draw: Draw<'_>| Vec4::new(draw(), draw(), draw(), draw());
}

/// The rotation vector of a rotation, the short way round.
fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let length = q.xyz().length();
    if length > 0.0 { q.xyz() * (2.0 * length.atan2(q.w) / length) } else { DVec3::ZERO }
}

macro_rules! track_rotation {
    ($($rotation:ty, $velocity:ty, $draw:ident, $wide:expr, $flat:expr;)*) => {$(
        impl Track for $rotation {
            const IS_TURN: bool = true;

            fn draw(bits: &mut Bits, wild: bool) -> Self {
                if wild && bits.byte() < 128 { $flat(bits) } else { bits.$draw() }
            }

            fn draw_velocity(bits: &mut Bits, wild: bool) -> $velocity {
                <$velocity as Track>::draw(bits, wild)
            }

            fn speed(_: Self, _: Self, _: f32) -> $velocity {
                <$velocity>::default()
            }

            fn velocity(velocity: $velocity) -> Offset {
                <$velocity as Track>::velocity(velocity)
            }

            fn offset64(self, to: Self) -> Offset {
                let [x, y, z] = log($wide(to) * $wide(self).conjugate()).to_array();
                // The plane has one coordinate, and turns about z.
                if core::mem::size_of::<Self::Velocity>() == 4 { [z, 0.0, 0.0, 0.0] } else { [x, y, z, 0.0] }
            }

            fn miss(self, by: Offset, is: Self) -> f64 {
                let [x, y, z, _] = by;
                let turn = if core::mem::size_of::<Self::Velocity>() == 4 { DVec3::Z * x } else { DVec3::new(x, y, z) };
                gap(DQuat::from_scaled_axis(turn) * $wide(self), $wide(is))
            }

            fn grain(self) -> f64 {
                3e-7
            }

            fn is_finite(self) -> bool {
                let q: DQuat = $wide(self);
                q.is_finite()
            }
        }
    )*};
}

track_rotation! {
    Rot2, f32, rot2,
        |r: Rot2| DQuat::from_rotation_z(f64::from(r.sin).atan2(f64::from(r.cos))),
        |bits: &mut Bits| Rot2 { cos: bits.any(), sin: bits.any() };
    Quat, Vec3, quat, |q: Quat| q.as_dquat().normalize(), |bits: &mut Bits| bits.any_quat();
}
