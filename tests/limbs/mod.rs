//! Random limbs and heads, the same ones in every run.
#![allow(dead_code, reason = "not every test file uses all of it")]

use sinew::glam::{DQuat, DVec3, Quat, Vec3};

/// `SplitMix64`: Steele, Lea and Flood (2014).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In `[0, 1)`.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// In `[low, high)`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: u32) -> usize {
        (self.bits() >> 32) as usize % n as usize
    }

    /// Evenly on the sphere.
    pub fn direction(&mut self) -> Vec3 {
        let z = self.between(-1.0, 1.0);
        let angle = self.between(0.0, core::f32::consts::TAU);
        let level = (1.0 - z * z).sqrt();
        Vec3::new(level * angle.cos(), level * angle.sin(), z)
    }

    /// About evenly among all rotations.
    pub fn rotation(&mut self) -> Quat {
        loop {
            let [x, y, z, w] = core::array::from_fn(|_| self.between(-1.0, 1.0));
            let length_squared = x * x + y * y + z * z + w * w;
            if 0.01 < length_squared && length_squared < 1.0 {
                return Quat::from_xyzw(x, y, z, w).normalize();
            }
        }
    }
}

/// The angle between two unit rotations, exact at both ends.
pub fn angle(a: Quat, b: Quat) -> f64 {
    let gap = wide(a).conjugate() * wide(b);
    2.0 * DVec3::new(gap.x, gap.y, gap.z).length().atan2(gap.w.abs())
}

/// In double precision and of unit length there.
pub fn wide(q: Quat) -> DQuat {
    q.as_dquat().normalize()
}

/// To the nearest f32.
#[expect(clippy::cast_possible_truncation, reason = "that is the point")]
pub fn narrow(x: f64) -> f32 {
    x as f32
}
