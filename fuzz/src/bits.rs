//! Numbers out of the fuzzer's bytes.

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{Pole, Rot2};

/// Where special cases sit: zeros, ones, quarter turns and what is next to them, the ends of the
/// float range.
const SPECIAL: [f32; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-7,
    -1e-7,
    0.5,
    2.0,
    core::f32::consts::PI,
    -core::f32::consts::PI,
    core::f32::consts::FRAC_PI_2,
    core::f32::consts::TAU,
    3.141_592_5,
    1.000_000_1,
    0.999_999_94,
    f32::EPSILON,
    f32::MIN_POSITIVE,
    1e-45,
    1e12,
    -1e12,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NAN,
];

/// How many of [`SPECIAL`] are of moderate size.
const MODERATE: usize = 16;

/// Reads bytes as numbers; past the end everything is 0.
pub struct Bits<'a>(&'a [u8]);

impl<'a> Bits<'a> {
    /// A reader of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `end`, which is at least 1.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    /// Any bits at all.
    pub fn raw(&mut self) -> f32 {
        f32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// Any bits at all, in double precision.
    pub fn raw_double(&mut self) -> f64 {
        f64::from_le_bytes(core::array::from_fn(|_| self.byte()))
    }

    /// A number of moderate size, often a special one.
    pub fn moderate(&mut self) -> f32 {
        let choice = self.byte();
        if choice < 64 {
            SPECIAL[usize::from(choice) % MODERATE]
        } else {
            f32::from(i16::from_le_bytes([self.byte(), self.byte()])) / 8192.0
        }
    }

    /// Any number: mostly moderate or special, now and then raw bits.
    pub fn any(&mut self) -> f32 {
        match self.byte() {
            0..=15 => self.raw(),
            16..=31 => SPECIAL[self.below(SPECIAL.len())],
            _ => self.moderate(),
        }
    }

    /// A vector of [`Bits::any`].
    pub fn any_vec2(&mut self) -> Vec2 {
        Vec2::new(self.any(), self.any())
    }

    /// A vector of [`Bits::any`].
    pub fn any_vec3(&mut self) -> Vec3 {
        Vec3::new(self.any(), self.any(), self.any())
    }

    /// Four of [`Bits::any`], hardly ever a rotation.
    pub fn any_quat(&mut self) -> Quat {
        Quat::from_xyzw(self.any(), self.any(), self.any(), self.any())
    }

    /// A vector of moderate numbers.
    pub fn vec2(&mut self) -> Vec2 {
        Vec2::new(self.moderate(), self.moderate())
    }

    /// A vector of moderate numbers.
    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.moderate(), self.moderate(), self.moderate())
    }

    /// A unit rotation.
    pub fn quat(&mut self) -> Quat {
        let q = Quat::from_xyzw(self.moderate(), self.moderate(), self.moderate(), self.moderate());
        if q.length_squared() > 1e-12 { q.normalize() } else { Quat::IDENTITY }
    }

    /// A unit rotation.
    pub fn rot2(&mut self) -> Rot2 {
        Rot2::from_angle(self.moderate())
    }

    /// A vector that has a direction.
    pub fn axis(&mut self) -> Vec3 {
        let axis = self.vec3();
        if axis.length_squared() > 1e-6 { axis } else { Vec3::Y }
    }

    /// What a bend points at.
    pub fn pole(&mut self, wild: bool) -> Pole {
        let point = |bits: &mut Self| if wild { bits.any_vec3() } else { bits.vec3() };
        match self.below(3) {
            0 => Pole::Keep,
            1 => Pole::Point(point(self)),
            _ => Pole::Direction(point(self)),
        }
    }

    /// A number in `[0, 1]`, often an end.
    pub fn share(&mut self) -> f32 {
        f32::from(self.byte()) / 255.0
    }

    /// A number in `[0, 1]`, often next to an end.
    pub fn fine_share(&mut self) -> f32 {
        let share = f32::from(u16::from_le_bytes([self.byte(), self.byte()])) / 65535.0;
        match self.byte() {
            0..=31 => share * 1e-6,
            32..=63 => 1.0 - share * 1e-6,
            _ => share,
        }
    }

    /// A joint's weight, mostly 1.
    pub fn weight(&mut self) -> f32 {
        if self.byte() < 200 { 1.0 } else { self.share() }
    }

    /// A range, in order unless `wild`.
    pub fn range(&mut self, wild: bool) -> (f32, f32) {
        let (a, b) =
            if wild { (self.any(), self.any()) } else { (self.moderate(), self.moderate()) };
        if wild || a <= b { (a, b) } else { (b, a) }
    }

    /// A range with 0 inside, to each side a little less than half a turn, unless `wild`: at half
    /// a turn rounding chooses between the sides.
    pub fn around_zero(&mut self, wild: bool) -> [f32; 2] {
        if wild { [self.any(), self.any()] } else { [-3.1 * self.share(), 3.1 * self.share()] }
    }
}
