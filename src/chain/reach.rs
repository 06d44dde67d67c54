//! How far a chain gets, and what to do where a target is at its full reach or beyond.

use crate::check::{MAX_COORDINATE, check_range, too_short};
use crate::error::Error;
use crate::math;
use crate::packed::Packed;
use crate::space::{Vector, check_vector, check_vectors};

/// How near to its root, and how far from it, a chain's effector can be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reach {
    /// The shortest distance: above 0 where one bone is longer than all the others together.
    pub shortest: f32,
    /// The longest distance: the sum of the bones.
    pub longest: f32,
}

/// The reach of a chain by the lengths of its bones, whatever its limits; `positions` root first.
///
/// # Errors
/// A coordinate that is not finite or beyond [`MAX_COORDINATE`].
///
/// ```
/// use sinew::{glam::Vec2, reach};
///
/// let chain = [Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(3.0, 1.0)];
/// let reach = reach(&chain)?;
/// assert_eq!((reach.shortest, reach.longest), (2.0, 4.0));
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn reach<V: Vector>(positions: &[V]) -> Result<Reach, Error> {
    let reach = measure(positions);
    check_points("positions", positions, reach)?;
    Ok(reach)
}

/// Where to aim instead of `target` so that a limb eases into full reach: the point on the line
/// from `root` to `target` whose distance is the target's up to `(1 - softness)` of `reach`, and
/// from there nears `reach` without reaching it.
///
/// The knee then never snaps straight: the distance has a slope of 1 at the start of the soft part
/// that falls off exponentially. `softness` in `[0, 1]`; 0 is a plain clamp to `reach`. A target on
/// the root stays there.
///
/// Source: Nicholas (2010), "Soft IK".
///
/// # Errors
/// A point that is not finite or too large; `reach` negative or not finite; `softness` outside
/// `[0, 1]`.
///
/// ```
/// use sinew::{glam::Vec2, soft_reach};
///
/// let near = Vec2::new(0.5, 0.0);
/// assert_eq!(soft_reach(Vec2::ZERO, near, 2.0, 0.1)?, near);
/// let far = soft_reach(Vec2::ZERO, Vec2::new(9.0, 0.0), 2.0, 0.1)?;
/// assert!(1.99 < far.x && far.x <= 2.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn soft_reach<V: Vector>(root: V, target: V, reach: f32, softness: f32) -> Result<V, Error> {
    check_vector("root", root)?;
    check_vector("target", target)?;
    check_range("reach", reach, 0.0, f32::MAX)?;
    check_range("softness", softness, 0.0, 1.0)?;
    let distance = root.distance(target);
    let eased = math::soften(distance, reach, softness);
    Ok(if eased < distance { root + (target - root) * (eased / distance) } else { target })
}

/// Lengthens a chain's bones in place, all by the same factor from 1 to `max_stretch`, so that its
/// effector comes nearest to `target`; rotations stay as they are. Returns the factor.
///
/// Meant for after a solve that ended [`Unreachable`](crate::Status::Unreachable): a chain that
/// points at its target reaches it. A chain whose effector is on its root stays as it is.
///
/// # Errors
/// Fewer than two joints; a point that is not finite or too large, before or after;
/// `max_stretch` below 1 or not finite.
///
/// ```
/// use sinew::{glam::Vec2, stretch_chain};
///
/// let mut arm = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
/// assert_eq!(stretch_chain(&mut arm, Vec2::X * 2.5, 1.5)?, 1.25);
/// assert_eq!(arm[2], Vec2::X * 2.5);
/// assert_eq!(stretch_chain(&mut arm, Vec2::X * 10.0, 1.5)?, 1.5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn stretch_chain<V: Vector>(
    positions: &mut [V],
    target: V,
    max_stretch: f32,
) -> Result<f32, Error> {
    check_vectors("positions", positions)?;
    check_vector("target", target)?;
    check_range("max_stretch", max_stretch, 1.0, f32::MAX)?;
    let &mut [root, .., effector] = positions else {
        return Err(too_short("positions", positions.len(), 2));
    };
    let span = effector - root;
    let span_squared = span.length_squared();
    let wanted = if span_squared > 0.0 { span.dot(target - root) / span_squared } else { 1.0 };
    let factor = math::clamp(wanted, 1.0, max_stretch);
    if factor > 1.0 {
        for p in positions.iter() {
            check_vector("max_stretch", root + (*p - root) * factor)?;
        }
        for p in positions {
            *p = root + (*p - root) * factor;
        }
    }
    Ok(factor)
}

/// [`reach`] without a check.
pub(crate) fn measure<V: Vector>(positions: &[V]) -> Reach {
    let mut points = positions.iter().map(|point| V::Packed::from(*point));
    let mut joint = points.next().unwrap_or(V::Packed::ZERO);
    reach_of(points.map(|next| {
        let bone = next - joint;
        joint = next;
        bone.length()
    }))
}

/// [`reach`] from the lengths of the bones.
pub(crate) fn reach_of(lengths: impl Iterator<Item = f32>) -> Reach {
    let (longest, longest_bone) =
        lengths.fold((0.0, 0.0), |(sum, most), length| (sum + length, math::greater(length, most)));
    Reach { shortest: (2.0 * longest_bone - longest).max(0.0), longest }
}

/// A chain of no more reach, from a point no farther out, is in range without a look at the others:
/// none is farther from the first than the reach, and that of NaN is no smaller than anything.
pub(crate) const SAFE_REACH: f32 = 0.4 * MAX_COORDINATE;

/// `Ok` if the points that have this reach are in range.
pub(crate) fn check_points<V: Vector>(
    argument: &'static str,
    points: &[V],
    reach: Reach,
) -> Result<(), Error> {
    let first = points.first().is_some_and(|first| first.is_within(SAFE_REACH));
    if first && reach.longest < SAFE_REACH { Ok(()) } else { check_vectors(argument, points) }
}
