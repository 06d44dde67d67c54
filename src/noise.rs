//! Numbers for tests, the same on every run.

use glam::Vec3;

/// Numbers of all of a float's digits, evenly in [-1, 1): a congruence, by its upper bits.
pub(crate) fn numbers() -> impl FnMut() -> f32 {
    let mut state = 1_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    }
}

/// Points of the cube between -1 and 1.
pub(crate) fn points() -> impl FnMut() -> Vec3 {
    let mut next = numbers();
    move || Vec3::new(next(), next(), next())
}
