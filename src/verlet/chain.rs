//! Hair and ropes whose lengths hold exactly after one pass: each particle follows its leader.

use super::Residual;
use crate::check::{MAX_COORDINATE, check_each, check_length, check_optional_length, check_range};
use crate::error::Error;
use crate::space::{Vector, check_vectors, direction};

/// Puts a chain of particles back to its lengths, exactly, in one pass from its first particle.
///
/// `positions` has one entry a particle, root first; `lengths` one entry a bone, and so one less;
/// `previous` the particles' previous positions, or nothing. The first particle stays; each other
/// one is pulled or pushed along its bone to its length from the one before. Lengths then hold to
/// the rounding of the coordinates, for any number of particles.
///
/// Pulling only from above loses momentum: particles hang on their leaders as if they had no
/// mass, and the chain swings too fast. `inertia` in `[0, 1]` hands that share of each pull back
/// to the leader's velocity, through `previous`: 0.9 to 1 for hair, 0 for none.
///
/// A particle in the same place as its leader goes the way of the bone before it, the first bone
/// along +Y in 2D and +X in 3D.
///
/// Source: Müller, Kim and Chentanez (2012), "Fast Simulation of Inextensible Hair and Fur".
///
/// # Errors
/// Slices of different lengths (`previous` may be empty); a length that is negative; a number that
/// is not finite or out of its range.
///
/// ```
/// use sinew::{chain_constraints, glam::Vec2};
///
/// let mut rope = [Vec2::ZERO, Vec2::new(3.0, 4.0), Vec2::new(3.0, 5.5)];
/// let residual = chain_constraints(&mut rope, &mut [], &[1.0, 1.0], 0.0)?;
/// assert_eq!(rope[0], Vec2::ZERO);
/// assert!(residual.largest < 1e-6);
/// assert!(rope[1].distance(Vec2::new(0.6, 0.8)) < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn chain_constraints<V: Vector>(
    positions: &mut [V],
    previous: &mut [V],
    lengths: &[f32],
    inertia: f32,
) -> Result<Residual, Error> {
    check(positions, lengths)?;
    check_optional_length("previous", previous.len(), positions.len())?;
    check_vectors("previous", previous)?;
    check_range("inertia", inertia, 0.0, 1.0)?;
    let Some((&mut root, followers)) = positions.split_first_mut() else {
        return Ok(Residual::default());
    };
    let (mut leader, mut along) = (root, V::ZERO.perpendicular());
    for (i, (x, &length)) in followers.iter_mut().zip(lengths).enumerate() {
        along = direction(*x - leader).map_or(along, |(along, _)| along);
        let kept = leader + along * length;
        if let Some(before) = previous.get_mut(i) {
            *before = *before + (kept - *x) * inertia;
        }
        (*x, leader) = (kept, kept);
    }
    Ok(measure(positions, lengths))
}

/// How far the bones of a chain of particles are from their lengths; `positions` and `lengths` as
/// for [`chain_constraints`].
///
/// # Errors
/// As for [`chain_constraints`].
///
/// ```
/// use sinew::{chain_residual, glam::Vec2};
///
/// let residual = chain_residual(&[Vec2::ZERO, Vec2::X * 1.5, Vec2::X * 2.5], &[1.0, 1.0])?;
/// assert_eq!(residual.largest, 0.5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn chain_residual<V: Vector>(positions: &[V], lengths: &[f32]) -> Result<Residual, Error> {
    check(positions, lengths)?;
    Ok(measure(positions, lengths))
}

fn measure<V: Vector>(positions: &[V], lengths: &[f32]) -> Residual {
    let bones = positions.iter().zip(positions.iter().skip(1)).zip(lengths);
    let far = |a: V, b: V| direction(b - a).map_or(0.0, |(_, length)| length);
    Residual::of(bones.map(|((a, b), length)| far(*a, *b) - length))
}

fn check<V: Vector>(positions: &[V], lengths: &[f32]) -> Result<(), Error> {
    check_vectors("positions", positions)?;
    check_lengths(positions.len(), lengths)
}

pub(crate) fn check_lengths(positions: usize, lengths: &[f32]) -> Result<(), Error> {
    check_length("lengths", lengths.len(), positions.saturating_sub(1))?;
    check_each(lengths, |length| check_range("lengths", *length, 0.0, MAX_COORDINATE))
}
