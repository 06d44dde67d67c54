//! Chains for the solvers: of any numbers, of sound ones, and of sound ones but for one.

use sinew::{Rotation, Vector};

use crate::bits::Bits;
use crate::joints::Spec;
use crate::oracle::Chain;
use crate::space::Space;

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

/// A chain of any numbers and lengths, or a sound one with one number gone wrong.
#[must_use]
pub fn wild<V: Space>(bits: &mut Bits) -> Problem<V> {
    if bits.byte() < 64 {
        return spoilt(bits);
    }
    let count = bits.below(10);
    let positions = some(bits, count, |bits| V::point(bits, true));
    let sound = bits.below(4) > 0;
    let rotations = some(bits, count, |bits| V::rotation(bits, !sound));
    let sound = bits.below(4) > 0;
    let joints = some(bits, count.saturating_sub(1), |bits| V::Spec::draw(bits, !sound).joint());
    Problem { start: Chain { positions, rotations }, joints, target: V::point(bits, true) }
}

/// A sound chain but for one position, rotation or joint, or its target, of any numbers.
fn spoilt<V: Space>(bits: &mut Bits) -> Problem<V> {
    let (mut problem, _) = sound::<V>(bits);
    let at = bits.below(problem.start.positions.len());
    match bits.below(4) {
        0 => problem.start.positions[at] = V::point(bits, true),
        1 => problem.start.rotations[at] = V::rotation(bits, true),
        2 => problem.target = V::point(bits, true),
        _ => {
            if let Some(joint) = problem.joints.get_mut(at) {
                *joint = V::Spec::draw(bits, true).joint();
            }
        }
    }
    problem
}

/// A pose of moderate numbers: `count` joints, bones of any length.
#[must_use]
pub fn pose<V: Space>(bits: &mut Bits, count: usize) -> Chain<V> {
    let (mut at, mut turn) = (V::point(bits, false), V::Rotation::IDENTITY);
    let mut chain = Chain { positions: Vec::new(), rotations: Vec::new() };
    for _ in 0..count {
        turn = (turn * V::rotation(bits, false)).normalized();
        chain.positions.push(at);
        chain.rotations.push(turn);
        at = at + turn.rotate(V::point(bits, false));
    }
    chain
}

/// A chain that a solver must take, and its limits as they were asked for.
#[must_use]
pub fn sound<V: Space>(bits: &mut Bits) -> (Problem<V>, Vec<V::Spec>) {
    let count = 2 + bits.below(11);
    let start = pose(bits, count);
    let specs = limits::<V>(bits, count - 1);
    let joints = specs.iter().map(Spec::joint).collect();
    (Problem { start, joints, target: V::point(bits, false) * 2.0 }, specs)
}

/// Joints that may be given for `count`: that many, or none.
#[must_use]
pub fn limits<V: Space>(bits: &mut Bits, count: usize) -> Vec<V::Spec> {
    match bits.byte() % 4 {
        0 => Vec::new(),
        _ => (0..count).map(|_| V::Spec::draw(bits, false)).collect(),
    }
}

/// # Panics
/// If a rotation is more than 1e-5 rad outside its limits.
pub fn assert_limits<V: Space>(chain: &Chain<V>, specs: &[V::Spec]) {
    let mut parent = V::Rotation::IDENTITY;
    for (spec, rotation) in specs.iter().zip(&chain.rotations) {
        let excess = spec.excess_under(parent, *rotation);
        assert!(excess < 1e-5, "{excess} rad outside {spec:?}");
        parent = *rotation;
    }
}
