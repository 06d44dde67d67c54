//! Chains for the solvers: of any numbers, and of sound ones.

use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{Joint2, Joint3, Rot2, Vector};

use crate::bits::Bits;
use crate::joints::{Spec2, Spec3};
use crate::oracle::Chain;

/// What a solver is given.
#[derive(Clone, Debug)]
pub struct Problem<V: Vector> {
    /// The pose to start from.
    pub start: Chain<V>,
    /// Empty, or one for each joint but the effector.
    pub joints: Vec<V::Joint>,
    /// Where the effector is wanted.
    pub target: V,
}

/// As many of something as there are joints, now and then one more or one less.
fn some<T>(bits: &mut Bits, count: usize, mut one: impl FnMut(&mut Bits) -> T) -> Vec<T> {
    let count = match bits.byte() {
        0 => count + 1,
        1 => count.saturating_sub(1),
        2 => 0,
        _ => count,
    };
    (0..count).map(|_| one(bits)).collect()
}

/// A chain of space of any numbers and lengths.
#[must_use]
pub fn wild_space(bits: &mut Bits) -> Problem<Vec3> {
    let count = bits.below(10);
    let positions = some(bits, count, |bits| bits.any_vec3());
    let sound = bits.below(4) > 0;
    let rotations = some(bits, count, |bits| if sound { bits.quat() } else { bits.any_quat() });
    let sound = bits.below(4) > 0;
    let joints: Vec<Joint3> =
        some(bits, count.saturating_sub(1), |bits| Spec3::new(bits, !sound).joint);
    Problem { start: Chain { positions, rotations }, joints, target: bits.any_vec3() }
}

/// A chain of the plane of any numbers and lengths.
#[must_use]
pub fn wild_plane(bits: &mut Bits) -> Problem<Vec2> {
    let count = bits.below(10);
    let positions = some(bits, count, |bits| bits.any_vec2());
    let sound = bits.below(4) > 0;
    let rotations = some(bits, count, |bits| {
        if sound { bits.rot2() } else { Rot2 { cos: bits.any(), sin: bits.any() } }
    });
    let sound = bits.below(4) > 0;
    let joints: Vec<Joint2> =
        some(bits, count.saturating_sub(1), |bits| Spec2::new(bits, !sound).joint);
    Problem { start: Chain { positions, rotations }, joints, target: bits.any_vec2() }
}

/// A chain of space that a solver must take, and its limits as they were asked for.
#[must_use]
pub fn sound_space(bits: &mut Bits) -> (Problem<Vec3>, Vec<Spec3>) {
    let count = 2 + bits.below(11);
    let (mut at, mut turn) = (bits.vec3(), Quat::IDENTITY);
    let mut start = Chain { positions: Vec::new(), rotations: Vec::new() };
    for _ in 0..count {
        turn = (turn * bits.quat()).normalize();
        start.positions.push(at);
        start.rotations.push(turn);
        at += turn * bits.vec3();
    }
    let specs: Vec<_> = match bits.byte() % 4 {
        0 => Vec::new(),
        _ => (1..count).map(|_| Spec3::new(bits, false)).collect(),
    };
    let joints = specs.iter().map(|spec| spec.joint).collect();
    (Problem { start, joints, target: bits.vec3() * 2.0 }, specs)
}

/// A chain of the plane that a solver must take, and its limits as they were asked for.
#[must_use]
pub fn sound_plane(bits: &mut Bits) -> (Problem<Vec2>, Vec<Spec2>) {
    let count = 2 + bits.below(11);
    let (mut at, mut turn) = (bits.vec2(), Rot2::IDENTITY);
    let mut start = Chain { positions: Vec::new(), rotations: Vec::new() };
    for _ in 0..count {
        turn = (turn * bits.rot2()).normalize();
        start.positions.push(at);
        start.rotations.push(turn);
        at += turn * bits.vec2();
    }
    let specs: Vec<_> = match bits.byte() % 4 {
        0 => Vec::new(),
        _ => (1..count).map(|_| Spec2::new(bits, false)).collect(),
    };
    let joints = specs.iter().map(|spec| spec.joint).collect();
    (Problem { start, joints, target: bits.vec2() * 2.0 }, specs)
}

/// # Panics
/// If a rotation is more than 1e-5 rad outside its limits.
pub fn assert_limits_3d(chain: &Chain<Vec3>, specs: &[Spec3]) {
    let mut parent = Quat::IDENTITY;
    for (spec, rotation) in specs.iter().zip(&chain.rotations) {
        let excess = spec.excess(parent.as_dquat().conjugate() * rotation.as_dquat());
        assert!(excess < 1e-5, "{excess} rad outside {spec:?}");
        parent = *rotation;
    }
}

/// # Panics
/// If a rotation is more than 1e-5 rad outside its limits.
pub fn assert_limits_2d(chain: &Chain<Vec2>, specs: &[Spec2]) {
    let mut parent = Rot2::IDENTITY;
    for (spec, rotation) in specs.iter().zip(&chain.rotations) {
        let excess = spec.excess(parent.inverse() * *rotation);
        assert!(excess < 1e-5, "{excess} rad outside {spec:?}");
        parent = *rotation;
    }
}
