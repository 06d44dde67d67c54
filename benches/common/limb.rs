//! A limb that follows targets.

use sinew::glam::Vec3;

/// A little bent.
pub const START: [Vec3; 3] = [Vec3::ZERO, Vec3::new(0.1, 0.99, 0.1), Vec3::new(0.3, 1.9, -0.1)];

/// All over the reach and a tenth beyond, so that no branch is learnt by heart.
pub fn targets() -> Vec<Vec3> {
    let target = |i: u16| {
        let t = f32::from(i);
        let direction = Vec3::new((t * 0.7).sin(), (t * 1.1).cos(), (t * 1.9).sin());
        direction.normalize() * (0.2 + 1.9 * (t * 0.618).fract())
    };
    (0..1024).map(target).collect()
}
