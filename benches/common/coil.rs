//! Points of which no three are in line.

use sinew::glam::Vec3;

/// A loose coil; of another phase, no point is where it was.
pub fn coil(phase: f32, count: usize) -> Vec<Vec3> {
    (0..count)
        .map(|i| {
            let t = i as f32 * 0.7 + phase;
            Vec3::new(t.cos() * 0.1, -0.05 * i as f32, t.sin() * 0.1)
        })
        .collect()
}
