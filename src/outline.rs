//! Chains, limits and poles as line segments: what an engine's debug drawing or a vector graphic
//! asks for. Nothing is allocated; the segments come one by one.

use crate::error::{Error, Fault};
use crate::joint::{Drawn, Hand, Rim};
use crate::rotation::{Rotation, check_rotation};
use crate::space::{Limits, Vector, check_vector};

/// The bones of a chain, root first: from each joint to the next.
///
/// ```
/// use sinew::{chain_outline, glam::Vec2};
///
/// let chain = [Vec2::ZERO, Vec2::X, Vec2::ONE];
/// assert!(chain_outline(&chain).eq([[Vec2::ZERO, Vec2::X], [Vec2::X, Vec2::ONE]]));
/// ```
pub fn chain_outline<V: Vector>(positions: &[V]) -> impl Iterator<Item = [V; 2]> + Clone + '_ {
    positions.iter().zip(positions.iter().skip(1)).map(|(from, to)| [*from, *to])
}

/// What a joint's limits let its bone do: for a range the arc that the bone's end sweeps, between
/// two radii; for a cone, an ellipse or a yaw and pitch window the closed curve on which the axis
/// is held, and four lines to it; for a twist an arc at half the bone's length.
///
/// `position` is where the joint is and `parent` its parent's rotation, both in the space to draw
/// in; `bone` leads to the next joint in the joint's own frame, and is as long as the drawing is to
/// be. `segments` is how many lines make each curve. A free joint has no limits to draw.
///
/// # Errors
/// A bad joint; a vector that is not finite or too large; `parent` not of unit length; no segments,
/// or more than 65536.
///
/// ```
/// use sinew::{Joint3, glam::{Quat, Vec3}, limit_outline};
///
/// let shoulder = Joint3::cone(Vec3::Y, 0.5);
/// let lines = limit_outline(&shoulder, Vec3::ZERO, Quat::IDENTITY, Vec3::Y * 2.0, 32)?;
/// for [_, end] in lines {
///     // The circle at the cone's mouth: 2 cos 0.5 up.
///     assert!((end.length() - 2.0).abs() < 1e-5 && (end.y - 1.75517).abs() < 1e-4);
/// }
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn limit_outline<V: Vector>(
    joint: &V::Joint,
    position: V,
    parent: V::Rotation,
    bone: V,
    segments: usize,
) -> Result<impl Iterator<Item = [V; 2]> + Clone + use<V>, Error> {
    joint.check()?;
    check_vector("position", position)?;
    check_rotation("parent", parent)?;
    check_vector("bone", bone)?;
    if segments == 0 || segments > 1 << 16 {
        return Err(Error::new("segments", Fault::OutOfRange));
    }
    let joint = *joint;
    Ok([Rim::Swing, Rim::Twist].into_iter().flat_map(move |rim| {
        joint.hand(rim, bone).into_iter().flat_map(move |Hand { arm, spokes }| {
            let at = move |step: usize, of: usize| {
                let turn = parent * joint.edge(rim, step as f32 / of as f32);
                position + turn.rotate(arm)
            };
            let curve = (0..segments).map(move |i| [at(i, segments), at(i + 1, segments)]);
            // From the first end of an open curve to the last, or evenly round a closed one.
            let gaps = if spokes == 2 { 1 } else { spokes };
            curve.chain((0..spokes).map(move |i| [position, at(i, gaps)]))
        })
    }))
}

/// How a chain's bend stands to its pole: a line from root to effector, and from the point on it
/// that is nearest to `pole` a line to the pole. No lines for fewer than two joints.
///
/// ```
/// use sinew::{glam::Vec2, pole_outline};
///
/// let leg = [Vec2::ZERO, Vec2::new(0.3, 1.0), Vec2::new(0.0, 2.0)];
/// let lines = pole_outline(&leg, Vec2::new(1.0, 0.5));
/// assert!(lines.eq([[leg[0], leg[2]], [Vec2::new(0.0, 0.5), Vec2::new(1.0, 0.5)]]));
/// ```
pub fn pole_outline<V: Vector>(
    positions: &[V],
    pole: V,
) -> impl Iterator<Item = [V; 2]> + Clone + use<V> {
    let ends = match positions {
        [root, .., effector] => Some((*root, *effector)),
        _ => None,
    };
    ends.into_iter().flat_map(move |(root, effector)| {
        let span = effector - root;
        let squared = span.length_squared();
        let share = if squared > 0.0 { (pole - root).dot(span) / squared } else { 0.0 };
        [[root, effector], [root + span * share, pole]]
    })
}
