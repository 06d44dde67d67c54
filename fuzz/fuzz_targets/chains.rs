//! World and local poses, reach, blends and stretch of chains of any numbers: an error that leaves
//! the slices as they were, or finite numbers. Of sound numbers: the pose worked out in double
//! precision, and lengths between those of the poses that are blended.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    blend_chain, chain_outline, forward_kinematics, pole_outline, reach, soft_reach, stretch_chain,
    to_local, to_world,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::chains;
use sinew_fuzz::oracle::{Chain, assert_same_bits, attempt, gap};
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => wild::<Vec3>(&mut bits),
        1 => wild::<Vec2>(&mut bits),
        2 => sound::<Vec2>(&mut bits),
        _ => sound::<Vec3>(&mut bits),
    }
});

fn wild<V: Space>(bits: &mut Bits) {
    let problem = chains::wild::<V>(bits);
    let other = chains::wild::<V>(bits).start;
    let (start, target) = (problem.start, problem.target);
    let (weight, most, length) = (bits.any(), bits.any(), bits.any());
    let try_on = |from: &Chain<V>, call: &dyn Fn(&mut Chain<V>) -> Result<(), sinew::Error>| {
        let mut chain = from.clone();
        if attempt(&mut chain, call).is_some() {
            assert!(chain.is_finite(), "{start:?} and {other:?}: {chain:?}");
        }
    };
    try_on(&other, &|c| {
        let Chain { positions, rotations } = c;
        forward_kinematics(&start.positions, &start.rotations, positions, rotations)
    });
    try_on(&start, &|c| to_world(&mut c.positions, &mut c.rotations));
    try_on(&start, &|c| to_local(&mut c.positions, &mut c.rotations));
    try_on(&start, &|c| {
        let Chain { positions, rotations } = c;
        blend_chain(positions, rotations, &other.positions, &other.rotations, weight)
    });
    let mut stretched = start.positions.clone();
    if attempt(&mut stretched, |p| stretch_chain(p, target, most)).is_some() {
        assert!(stretched.iter().all(|p| p.largest().is_finite()), "{start:?}: {stretched:?}");
    }
    if let Ok(reach) = reach(&start.positions) {
        assert!(0.0 <= reach.shortest && reach.shortest <= reach.longest);
        assert!(reach.longest.is_finite());
    }
    if let Some(root) = other.positions.first()
        && let Ok(eased) = soft_reach(*root, target, length, weight)
    {
        assert!(eased.largest().is_finite(), "{root:?} {target:?} {length} {weight}");
    }
    // Drawings take any numbers and answer in kind.
    assert_eq!(chain_outline(&start.positions).count(), start.positions.len().saturating_sub(1));
    assert!(matches!(pole_outline(&start.positions, target).count(), 0 | 2));
}

fn sound<V: Space>(bits: &mut Bits) {
    let count = 1 + bits.below(12);
    let (a, b) = (chains::pose::<V>(bits, count), chains::pose::<V>(bits, count));
    match bits.below(4) {
        0 => worlds(&a),
        1 => {
            let weight = bits.share();
            // Two poses of one rig, and of two that have nothing in common.
            if bits.byte() < 128 {
                blends(&a, &b, weight)
            } else {
                blends(&a, &posed(&a, &b), weight)
            }
        }
        2 => reaches(bits, &a),
        _ => stretches(bits, &a),
    }
}

/// What rounding leaves of a position: a little from each joint.
fn slack<V: Space>(chain: &Chain<V>) -> f64 {
    4.0 * f64::from(f32::EPSILON * chain.size()) * chain.positions.len() as f64
}

/// The rig of one chain with another's rotations.
fn posed<V: Space>(rig: &Chain<V>, rotations: &Chain<V>) -> Chain<V> {
    let mut local = rig.clone();
    to_local(&mut local.positions, &mut local.rotations).expect("sound numbers");
    local.rotations.clone_from(&rotations.rotations);
    to_world(&mut local.positions, &mut local.rotations).expect("sound numbers");
    local
}

/// A pose as local poses gives itself back, and the sum in double precision.
fn worlds<V: Space>(local: &Chain<V>) {
    let mut world = local.clone();
    to_world(&mut world.positions, &mut world.rotations).expect("sound numbers");
    let mut copy = world.clone();
    forward_kinematics(
        &local.positions,
        &local.rotations,
        &mut copy.positions,
        &mut copy.rotations,
    )
    .expect("sound numbers");
    assert_same_bits(&copy, &world, &"forward_kinematics is to_world");

    // The offsets are as long as the chain can be.
    let lengths: f32 = local.positions.iter().map(|p| p.length()).sum();
    let slack = 4.0 * f64::from(f32::EPSILON * lengths) * local.positions.len() as f64;
    let turns = 3e-7 * local.positions.len() as f64;
    let (mut at, mut turn) = (glam::DVec3::ZERO, glam::DQuat::IDENTITY);
    for i in 0..local.positions.len() {
        at += turn * local.positions[i].double();
        turn = (turn * V::double_turn(local.rotations[i])).normalize();
        let miss = world.positions[i].double().distance(at);
        assert!(miss <= slack, "joint {i} of {local:?} is {miss} off");
        let miss = gap(V::double_turn(world.rotations[i]), turn);
        assert!(miss <= turns, "joint {i} of {local:?} is {miss} rad off");
    }

    to_local(&mut copy.positions, &mut copy.rotations).expect("in reach");
    for i in 0..local.positions.len() {
        let miss = copy.positions[i].double().distance(local.positions[i].double());
        assert!(miss <= slack, "joint {i} of {local:?} came back {miss} off");
        let miss = gap(V::double_turn(copy.rotations[i]), V::double_turn(local.rotations[i]));
        assert!(miss <= 1e-6, "joint {i} of {local:?} came back {miss} rad off");
    }
}

fn blends<V: Space>(from: &Chain<V>, to: &Chain<V>, weight: f32) {
    let mut mixed = from.clone();
    blend_chain(&mut mixed.positions, &mut mixed.rotations, &to.positions, &to.rotations, weight)
        .expect("sound numbers");
    if weight == 0.0 || weight == 1.0 {
        let end = if weight == 0.0 { from } else { to };
        return assert_same_bits(&mixed, end, &weight);
    }
    let rounding = slack(from) + slack(to);
    let share = f64::from(weight);
    let lerp = |a: f64, b: f64| a + (b - a) * share;
    let root = [from, to].map(|c| c.positions[0].double());
    let miss = mixed.positions[0].double().distance(root[0].lerp(root[1], share));
    assert!(miss <= rounding, "the root is {miss} off");
    for i in 1..from.positions.len() {
        let [a, b, m] = [from, to, &mixed].map(|c| {
            let parent = V::double_turn(c.rotations[i - 1]).conjugate();
            (
                parent * (c.positions[i].double() - c.positions[i - 1].double()),
                parent * V::double_turn(c.rotations[i]),
            )
        });
        // Bones that are opposite pass through a point, and rounding says what is next to that.
        let (length, wanted) = (m.0.length(), lerp(a.0.length(), b.0.length()));
        if a.0.lerp(b.0, share).length() > 1e-2 * wanted {
            let rounding = 100.0 * rounding;
            assert!((length - wanted).abs() <= rounding, "bone {i}: {length}, not {wanted}");
        }
        let (before, after, whole) = (gap(a.1, m.1), gap(m.1, b.1), gap(a.1, b.1));
        // Half a turn apart either way round is short.
        assert!(
            before + after <= whole + 5e-6,
            "joint {i} of {from:?} to {to:?}: {before} + {after} > {whole}"
        );
    }
}

fn reaches<V: Space>(bits: &mut Bits, chain: &Chain<V>) {
    let bounds = reach(&chain.positions).expect("sound numbers");
    let (root, tip) = (chain.positions[0], chain.positions[chain.positions.len() - 1]);
    let (span, rounding) = (root.double().distance(tip.double()), slack(chain));
    assert!(f64::from(bounds.shortest) - rounding <= span, "{bounds:?}, but {span}");
    assert!(span <= f64::from(bounds.longest) + rounding, "{bounds:?}, but {span}");
    let lines: Vec<_> = chain_outline(&chain.positions).collect();
    assert!(lines.iter().zip(chain.positions.windows(2)).all(|(line, ends)| line == ends));

    let target = V::point(bits, false);
    let lines: Vec<_> = pole_outline(&chain.positions, target).collect();
    if let [line, [foot, pole]] = lines[..] {
        assert_eq!((line, pole), ([root, tip], target));
        // The foot is on the line, and the pole straight across from it.
        let [along, out] = [tip.double() - root.double(), pole.double() - foot.double()];
        let size = rounding + 16.0 * f64::from(f32::EPSILON * target.largest());
        let blur = 4.0 * size * (1.0 + out.length() / along.length());
        assert!(span <= 1e-3 || along.dot(out).abs() <= blur * along.length(), "{lines:?}");
    }
    let softness = bits.share();
    let limit = 2.0 * bits.share();
    let ease = |t: V| soft_reach(root, t, limit, softness).expect("sound numbers");
    let eased = ease(target);
    let (far, near) =
        (root.double().distance(target.double()), root.double().distance(eased.double()));
    let grain = 8.0 * f64::from(f32::EPSILON * root.largest().max(target.largest()).max(1e-30));
    assert!(near <= far.min(limit.into()) * (1.0 + 1e-6) + grain, "{near} of {far} within {limit}");
    if far < f64::from(limit * (1.0 - softness)) * (1.0 - 1e-6) - grain {
        assert_eq!(eased, target);
    }
    // On the line, and no nearer for a target that is farther.
    if far > 0.0 {
        let on_line = root.double().lerp(target.double(), near / far);
        assert!(on_line.distance(eased.double()) <= 2.0 * grain, "{eased:?} is off the line");
    }
    let farther = root + (target - root) * (1.0 + bits.share());
    assert!(root.double().distance(ease(farther).double()) >= near * (1.0 - 1e-6) - 2.0 * grain);
}

fn stretches<V: Space>(bits: &mut Bits, chain: &Chain<V>) {
    let (target, most) = (V::point(bits, false), 1.0 + 2.0 * bits.share());
    let mut stretched = chain.clone();
    let Some(factor) = attempt(&mut stretched.positions, |p| stretch_chain(p, target, most)) else {
        return assert_eq!(chain.positions.len(), 1);
    };
    assert!((1.0..=most).contains(&factor));
    assert_same_bits(&stretched.rotations, &chain.rotations, &"rotations stay");
    let root = chain.positions[0];
    assert_eq!(stretched.positions[0], root);
    let rounding = 4.0 * slack(&stretched);
    let scaled = |p: V, by: f64| root.double() + (p.double() - root.double()) * by;
    for (is, was) in stretched.positions.iter().zip(&chain.positions) {
        assert!(is.double().distance(scaled(*was, factor.into())) <= rounding);
    }
    // No other factor brings the effector nearer.
    let tip = chain.positions[chain.positions.len() - 1];
    let reached = scaled(tip, factor.into()).distance(target.double());
    for share in [0.0, bits.share(), 1.0] {
        let other = scaled(tip, f64::from(1.0 + share * (most - 1.0))).distance(target.double());
        assert!(reached <= other + rounding, "{factor} leaves {reached}, another {other}");
    }
}
