//! What one damper and one spring serve, eight at once.

use glam::{Quat, Vec3};

use super::check::{is_unit, surely_within};
use super::wide::{F32x8, Mask, Select};
use super::{LANES, Quatx8, Vec3x8};
use crate::animated::{self, Animated, Mobile};
use crate::check::MAX_COORDINATE;
use crate::error::Error;

mod sealed {
    use super::{Error, Mask, Mobile, Select};

    pub trait Sealed: Mobile<Velocity: Checked> + Checked {}

    pub trait Checked: Select {
        /// Where the scalar check passes without doubt.
        fn is_sound(self) -> Mask;

        /// The scalar check of one lane.
        fn check(self, lane: usize, argument: &'static str) -> Result<(), Error>;
    }
}

pub(super) use sealed::Checked;

/// What moves smoothly, eight at once: [`F32x8`], [`Vec3x8`] and [`Quatx8`].
///
/// Sealed: it exists so that one function serves them all.
pub trait AnimatedLanes: sealed::Sealed {}

impl AnimatedLanes for F32x8 {}
impl AnimatedLanes for Vec3x8 {}
impl AnimatedLanes for Quatx8 {}

macro_rules! checked_as {
    ($lanes:ty, $scalar:ty, $is_sound:expr) => {
        impl animated::sealed::Sealed for $lanes {}
        impl sealed::Sealed for $lanes {}

        impl sealed::Checked for $lanes {
            #[inline]
            fn is_sound(self) -> Mask {
                let is_sound: fn($lanes) -> Mask = $is_sound;
                is_sound(self)
            }

            fn check(self, lane: usize, argument: &'static str) -> Result<(), Error> {
                <$scalar>::check(self.lane(lane), argument)
            }
        }
    };
}

checked_as!(F32x8, f32, |x| x.abs().le(F32x8::splat(MAX_COORDINATE)));
checked_as!(Vec3x8, Vec3, |v| surely_within(core::iter::once(v), MAX_COORDINATE));
checked_as!(Quatx8, Quat, is_unit);

macro_rules! moves_straight {
    ($($lanes:ty),*) => {$(
        impl Mobile for $lanes {
            type Velocity = Self;

            #[inline]
            fn offset(self, to: Self) -> Self {
                to - self
            }

            #[inline]
            fn moved(self, by: Self) -> Self {
                self + by
            }
        }
    )*};
}

moves_straight!(F32x8, Vec3x8);

/// Lane by lane: what it takes most of its time for are sines and arc tangents.
impl Mobile for Quatx8 {
    type Velocity = Vec3x8;

    const COMMUTES: bool = false;

    fn offset(self, to: Self) -> Vec3x8 {
        let offset = |lane| self.lane(lane).offset(to.lane(lane));
        core::array::from_fn::<Vec3, LANES, _>(offset).into()
    }

    fn moved(self, by: Vec3x8) -> Self {
        let moved = |lane| self.lane(lane).moved(by.lane(lane));
        core::array::from_fn::<Quat, LANES, _>(moved).into()
    }

    fn between(self, to: Self, closed: f32, left: f32) -> Self {
        let between = |lane| self.lane(lane).between(to.lane(lane), closed, left);
        core::array::from_fn::<Quat, LANES, _>(between).into()
    }
}
