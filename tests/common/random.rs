//! Numbers that are the same in every run.

#![allow(dead_code, reason = "every test file takes what it needs")]

use sinew::glam::{Quat, Vec2, Vec3};

/// A congruential generator (Knuth's constants); its upper bits are good enough for tests.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// In [-1, 1).
    pub fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    /// With coordinates in [-1, 1).
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// A whole number below `end`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and `end`"
    )]
    pub fn below(&mut self, end: u8) -> usize {
        (self.unit() * f32::from(end)) as usize
    }

    /// A unit vector, all directions alike.
    pub fn direction(&mut self) -> Vec3 {
        let (z, around) = (self.between(-1.0, 1.0), self.between(0.0, core::f32::consts::TAU));
        let level = (1.0 - z * z).sqrt();
        Vec3::new(level * around.cos(), level * around.sin(), z)
    }

    pub fn direction_2d(&mut self) -> Vec2 {
        Vec2::from_angle(self.between(0.0, core::f32::consts::TAU))
    }

    pub fn rotation(&mut self) -> Quat {
        let axis = self.direction();
        Quat::from_axis_angle(axis, self.between(0.0, core::f32::consts::PI))
    }
}
