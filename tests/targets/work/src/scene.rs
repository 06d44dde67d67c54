//! Where a family's numbers come from and where its results go.

use core::hint::black_box;

use sinew::glam::{Quat, Vec2, Vec3, Vec4};
use sinew::lanes::{self, F32x8, Quatx8, Vec3x8};
use sinew::{
    Aimed, Contacts, CurvePoint, Error, Fault, GaitReport, Ground, Moving, Pose, Reach, Residual,
    Rot2, Solution, SpringReport, SpringState, Status, Stepper, Steps, VerletReport,
};

use crate::space::Space;

/// When a host is told of a call into sinew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Right before it.
    Before,
    /// Right after it.
    After,
}

/// Draws inputs, makes calls and hashes what comes back.
pub struct Scene {
    state: u32,
    hash: u64,
    watch: fn(Moment),
}

impl Scene {
    /// `watch` is told of each call into sinew.
    #[must_use]
    pub fn new(seed: u32, watch: fn(Moment)) -> Self {
        // FNV's offset; xorshift has no way out of 0.
        Self { state: seed | 1, hash: 0xcbf2_9ce4_8422_2325, watch }
    }

    /// Of everything folded so far.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Any number, each as likely as any other: Marsaglia's xorshift.
    pub(crate) fn bits(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        self.state
    }

    /// From `least` up to `most`, in 2¹⁶ steps.
    pub(crate) fn between(&mut self, least: f32, most: f32) -> f32 {
        let share = f32::from((self.bits() >> 16) as u16) / 65536.0;
        least + (most - least) * share
    }

    /// A coordinate of a few units, and once in a while one that asks for trouble.
    pub(crate) fn coordinate(&mut self) -> f32 {
        match self.bits() >> 24 {
            0 => f32::NAN,
            1 => 1e30,
            2..10 => 0.0,
            10..16 => -0.0,
            _ => self.between(-3.0, 3.0),
        }
    }

    /// Calls into sinew, in a frame of its own, with the host told.
    pub(crate) fn call<T>(&mut self, work: impl FnOnce() -> T) -> T {
        #[inline(never)]
        fn framed<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
        (self.watch)(Moment::Before);
        let result = framed(work);
        (self.watch)(Moment::After);
        result
    }

    /// Calls into sinew and hashes what comes back.
    pub(crate) fn fold_call<T: Fold>(&mut self, work: impl FnOnce() -> T) {
        let result = self.call(work);
        self.fold(result);
    }

    pub(crate) fn fold(&mut self, value: impl Fold) {
        value.fold(self);
    }

    pub(crate) fn fold_all<T: Fold + Copy>(&mut self, values: &[T]) {
        for value in values {
            self.fold(*value);
        }
    }
}

/// The same slice, of a length that the compiler does not know.
pub(crate) fn hidden<T>(slice: &mut [T]) -> &mut [T] {
    black_box(slice)
}

/// What can be hashed, bit for bit.
pub(crate) trait Fold {
    fn fold(self, scene: &mut Scene);
}

impl Fold for u32 {
    fn fold(self, scene: &mut Scene) {
        scene.hash = (scene.hash ^ u64::from(self)).wrapping_mul(0x0100_0000_01b3);
    }
}

impl Fold for f32 {
    fn fold(self, scene: &mut Scene) {
        // Which NaN it is, a machine is free to choose.
        scene.fold(if self.is_nan() { f32::NAN.to_bits() } else { self.to_bits() });
    }
}

impl Fold for usize {
    fn fold(self, scene: &mut Scene) {
        scene.fold(u32::try_from(self).unwrap_or(u32::MAX));
    }
}

impl Fold for bool {
    fn fold(self, scene: &mut Scene) {
        scene.fold(u32::from(self));
    }
}

impl Fold for () {
    fn fold(self, _: &mut Scene) {}
}

impl<T: Fold> Fold for Option<T> {
    fn fold(self, scene: &mut Scene) {
        scene.fold(self.is_some());
        if let Some(value) = self {
            scene.fold(value);
        }
    }
}

impl<T: Fold> Fold for Result<T, Error> {
    fn fold(self, scene: &mut Scene) {
        match self {
            Ok(value) => scene.fold(value),
            Err(error) => scene.fold(error),
        }
    }
}

impl Fold for Error {
    fn fold(self, scene: &mut Scene) {
        self.argument.bytes().for_each(|byte| scene.fold(u32::from(byte)));
        scene.fold(self.index);
        scene.fold(match self.fault {
            Fault::NotFinite => 1,
            Fault::TooLarge => 2,
            Fault::NotUnit => 3,
            Fault::NoDirection => 4,
            Fault::AboveMax => 5,
            Fault::OutOfRange => 6,
            Fault::NoSuchEntry => 7,
            Fault::Length { expected, actual } => 8 + expected * 64 + actual,
            Fault::TooShort { least, actual } => 9 + least * 64 + actual,
            Fault::TooLong { most, actual } => 10 + most * 64 + actual,
            Fault::NotAcross => 11,
            _ => 0,
        });
    }
}

impl Fold for Status {
    fn fold(self, scene: &mut Scene) {
        scene.fold(self as u32);
    }
}

impl<A: Fold, B: Fold> Fold for (A, B) {
    fn fold(self, scene: &mut Scene) {
        scene.fold(self.0);
        scene.fold(self.1);
    }
}

impl<T: Fold, const N: usize> Fold for [T; N] {
    fn fold(self, scene: &mut Scene) {
        for value in self {
            scene.fold(value);
        }
    }
}

macro_rules! fold_fields {
    ($($type:ty { $($field:ident),* })*) => {$(
        impl Fold for $type {
            fn fold(self, scene: &mut Scene) {
                $(scene.fold(self.$field);)*
            }
        }
    )*};
}

impl Fold for F32x8 {
    fn fold(self, scene: &mut Scene) {
        scene.fold(self.to_array());
    }
}

fold_fields! {
    Vec2 { x, y }
    Vec3 { x, y, z }
    Vec4 { x, y, z, w }
    Rot2 { cos, sin }
    Quat { x, y, z, w }
    Vec3x8 { x, y, z }
    Quatx8 { x, y, z, w }
    lanes::SpringState { position, previous, rest, force, clock, started }
    Reach { shortest, longest }
    Solution { status, iterations, distance, angle }
    Aimed { status, iterations, angle }
    Contacts { touched, deepest }
    Residual { largest, rms }
    VerletReport { speed, relaxation_dt }
    SpringReport { frames, speed, penetration, iterations, settled }
    GaitReport { lifted, landed, teleported, in_air }
    Steps { count, fraction, dropped }
}

macro_rules! fold_generic {
    ($($type:ident { $($field:ident),* })*) => {$(
        impl<V: Space> Fold for $type<V> {
            fn fold(self, scene: &mut Scene) {
                $(scene.fold(self.$field);)*
            }
        }
    )*};
}

fold_generic! {
    CurvePoint { position, tangent }
    Ground { point, normal }
    Pose { position, rotation }
    SpringState { position, previous, rest, force, clock, started }
    Stepper { position, rotation, normal, group }
}

impl<T: sinew::Mobile<Velocity: Fold> + Fold> Fold for Moving<T> {
    fn fold(self, scene: &mut Scene) {
        scene.fold(self.position);
        scene.fold(self.velocity);
    }
}

impl Fold for u8 {
    fn fold(self, scene: &mut Scene) {
        scene.fold(u32::from(self));
    }
}
