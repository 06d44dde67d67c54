//! [`chain_constraints`](crate::chain_constraints) by lanes.

use glam::Vec3;

use super::Sums;
use crate::check::{check_optional_length, check_range};
use crate::lanes::check::Checks;
use crate::lanes::wide::F32x8;
use crate::lanes::{Each, Vec3x8};
use crate::verlet::Residual;
use crate::verlet::chain::check_lengths;

/// [`chain_constraints`](crate::chain_constraints) in each lane; lengths and inertia are shared.
///
/// Each lane is the scalar's bit for bit, whatever the features.
///
/// # Errors
/// In a lane as for the scalar; its slices are then as they were.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, chain_constraints};
///
/// let mut ropes = [Vec3x8::ZERO, Vec3x8::splat(Vec3::X * 3.0)];
/// let each = chain_constraints(&mut ropes, &mut [], &[1.0], 0.0);
/// assert!(each[0]?.largest < 1e-6);
/// assert_eq!(ropes[1].lane(0), Vec3::X);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn chain_constraints(
    positions: &mut [Vec3x8],
    previous: &mut [Vec3x8],
    lengths: &[f32],
    inertia: f32,
) -> Each<Residual> {
    let mut checks = Checks::new();
    checks.vectors("positions", positions);
    checks.shared(check_lengths(positions.len(), lengths));
    checks.shared(check_optional_length("previous", previous.len(), positions.len()));
    checks.vectors("previous", previous);
    checks.shared(check_range("inertia", inertia, 0.0, 1.0));
    let Some((&mut root, followers)) = positions.split_first_mut() else {
        return checks.each(|_| Residual::default());
    };
    if !checks.good().any() {
        return checks.each(|_| Residual::default());
    }
    let pen = checks.pen();
    let (mut leader, mut along) = (root, Vec3x8::splat(Vec3::X));
    for (i, (x, &length)) in followers.iter_mut().zip(lengths).enumerate() {
        let (way, _, apart) = (*x - leader).direction();
        apart.put(way, &mut along);
        let kept = leader + along * length;
        if let Some(before) = previous.get_mut(i) {
            pen.put(*before + (kept - *x) * inertia, before);
        }
        pen.put(kept, x);
        leader = kept;
    }
    let mut sums = Sums::default();
    let bones = positions.iter().zip(positions.iter().skip(1)).zip(lengths);
    for ((a, b), &length) in bones {
        sums.add((*b - *a).direction().1 - F32x8::splat(length));
    }
    checks.each(|lane| sums.residual(lane))
}
