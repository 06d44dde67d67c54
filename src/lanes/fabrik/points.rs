//! [`fabrik_positions`](crate::fabrik_positions) by lanes.

use super::rope::{Lengths, Ropes};
use crate::check::check_least_length;
use crate::error::Error;
use crate::ik::fabrik::FabrikSettings;
use crate::ik::limb::MARGIN;
use crate::ik::{Solution, Status};
use crate::lanes::chain::{Outcomes, check_count};
use crate::lanes::check::Checks;
use crate::lanes::wide::F32x8;
use crate::lanes::{Each, LANES, Quatx8, Vec3x8};

/// Drags eight chains of points, in place, each until its last is at its target:
/// [`fabrik_positions`](crate::fabrik_positions) by lanes, with its answers, degenerate cases and
/// reports, bit for bit.
///
/// `positions` are root first, at most 128 of them. Chains that are straight on the line to their
/// target at first, or whose iteration gains little, are solved one at a time from there.
///
/// # Errors
/// In each lane those of [`fabrik_positions`](crate::fabrik_positions); in every lane if there are
/// more than 128 points.
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, fabrik_positions};
/// use sinew::{FabrikSettings, Status};
///
/// let mut tails = [0.0, 1.0, 2.0, 3.0].map(|x| Vec3x8::splat(Vec3::X * x));
/// let targets = core::array::from_fn(|lane| Vec3::new(1.0, 1.5, 0.1 * lane as f32)).into();
/// for solution in fabrik_positions(&mut tails, targets, &FabrikSettings::default()) {
///     assert_eq!(solution?.status, Status::Reached);
/// }
/// assert!(tails[3].lane(7).distance(targets.lane(7)) < 3e-3);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn fabrik_positions(
    positions: &mut [Vec3x8],
    targets: Vec3x8,
    settings: &FabrikSettings,
) -> Each<Solution> {
    if let Err(error) = check(positions.len(), settings) {
        return [Err(error); LANES];
    }
    let mut checks = Checks::new();
    checks.vectors("positions", positions);
    checks.vector("target", targets);
    let mut lengths = Lengths::NONE;
    let (longest, shortest) = lengths.measure(positions);
    let tolerance = longest * settings.tolerance;
    let root = positions.first().copied().unwrap_or(Vec3x8::ZERO);
    let mut ropes = Ropes {
        points: positions,
        lengths: &lengths,
        root,
        frame: Quatx8::IDENTITY,
        target: targets,
        longest,
        shortest,
        tolerance: F32x8::splat(MARGIN) * tolerance,
    };
    let gap = ropes.gap();
    let mut outcomes = Outcomes::all(Status::IterationLimit);
    let active = checks.good() & gap.gt(tolerance) & longest.ge(F32x8::splat(f32::MIN_POSITIVE));
    if settings.max_iterations > 0 && active.any() {
        outcomes = ropes.solve(gap, active, settings.max_iterations);
    }
    let distance = ropes.gap();
    outcomes.reports(&checks, distance, distance.le(tolerance))
}

fn check(points: usize, settings: &FabrikSettings) -> Result<(), Error> {
    settings.check()?;
    check_least_length("positions", points, 2)?;
    check_count(points)
}
