//! Hair that hangs beside a head and over a shoulder.

use sinew::glam::Vec3;
use sinew::{Capsule, Sphere, SpringJoint};

pub fn joint() -> SpringJoint<Vec3> {
    SpringJoint {
        gravity: Vec3::NEG_Y * 0.5,
        hit_radius: 0.02,
        drag: 0.1,
        stiffness: 0.5,
        ..SpringJoint::default()
    }
}

/// Head and shoulder, of a character or, as `place` says, of eight.
pub fn colliders<V, C>(place: impl Fn(Vec3) -> V) -> [C; 2]
where
    C: From<Sphere<V>> + From<Capsule<V>>,
{
    let [left, right] = [Vec3::new(0.0, -0.5, -0.3), Vec3::new(0.3, -0.5, 0.3)].map(&place);
    let head = place(Vec3::new(0.1, -0.2, 0.0));
    [Sphere::new(head, 0.12).into(), Capsule::new(left, right, 0.1).into()]
}

/// Where its joints are at rest.
pub fn rest(bones: usize) -> Vec<Vec3> {
    (0..=bones).map(|i| Vec3::X * (i as f32 * 0.05)).collect()
}
