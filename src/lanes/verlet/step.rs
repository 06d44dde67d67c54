//! [`verlet_step`](crate::verlet_step) by lanes.

use crate::check::{MAX_COORDINATE, check_length, check_optional_length};
use crate::lanes::check::Checks;
use crate::lanes::wide::F32x8;
use crate::lanes::{Each, Vec3x8};
use crate::space::check_vector;
use crate::verlet::{Verlet, VerletReport};

/// [`verlet_step`](crate::verlet_step) in each lane.
///
/// Accelerations are a lane's own; masses, drag, cap and time are shared. Each lane is the scalar's
/// bit for bit, whatever the features.
///
/// # Errors
/// In a lane as for the scalar; its slices are then as they were.
///
/// ```
/// use sinew::Verlet;
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Vec3x8, verlet_step};
///
/// let (mut position, mut previous) = ([Vec3x8::ZERO], [Vec3x8::ZERO]);
/// let gravity = Vec3x8::splat(Vec3::NEG_Y * 9.81);
/// let fall = Verlet { acceleration: gravity, ..Verlet::default() };
/// for _ in 0..60 {
///     let each = verlet_step(&mut position, &mut previous, &fall, 1.0 / 60.0);
///     assert!(each.iter().all(Result::is_ok));
/// }
/// assert!((position[0].lane(4).y + 0.5 * 9.81 * (1.0 + 1.0 / 60.0)).abs() < 1e-4);
/// ```
pub fn verlet_step(
    positions: &mut [Vec3x8],
    previous: &mut [Vec3x8],
    settings: &Verlet<'_, Vec3x8>,
    dt: f32,
) -> Each<VerletReport> {
    let checks = check_step(positions, previous, settings, dt);
    let good = checks.good();
    if dt == 0.0 || !good.any() {
        return checks.each(|_| VerletReport::default());
    }
    let pen = checks.pen();
    let (carried, pushed) = settings.weights(dt);
    let cap = settings.max_speed * dt;
    let mut longest = F32x8::ZERO;
    for (i, (x, before)) in positions.iter_mut().zip(previous.iter_mut()).enumerate() {
        if settings.inverse_masses.get(i) == Some(&0.0) {
            pen.put(*x, before);
            continue;
        }
        let own = settings.accelerations.get(i).copied().unwrap_or(Vec3x8::ZERO);
        let moved = (*x - *before) * carried + (settings.acceleration + own) * pushed;
        let (moved, length) = capped(moved, cap);
        pen.put(*x, before);
        let next = *x + moved;
        let stays = good & next.within(MAX_COORDINATE);
        stays.put(next, x);
        longest = stays.mostly(longest.max(length), longest);
    }
    // The largest root is the root of the largest square.
    let longest = if cap == f32::INFINITY { longest.sqrt() } else { longest };
    checks.each(|lane| VerletReport::new(longest.lane(lane), pushed, dt))
}

/// Moves no longer than `cap`, and their lengths; the squares of those if there is no cap.
#[inline]
fn capped(moved: Vec3x8, cap: f32) -> (Vec3x8, F32x8) {
    let squared = moved.dot(moved);
    if cap == f32::INFINITY {
        return (moved, squared);
    }
    let (length, cap) = (squared.sqrt(), F32x8::splat(cap));
    let short = length.le(cap);
    (short.mostly(moved, moved * (cap / length)), short.mostly(length, cap))
}

fn check_step(
    positions: &[Vec3x8],
    previous: &[Vec3x8],
    settings: &Verlet<'_, Vec3x8>,
    dt: f32,
) -> Checks {
    let mut checks = Checks::new();
    checks.vectors("positions", positions);
    checks.shared(check_length("previous", previous.len(), positions.len()));
    checks.vectors("previous", previous);
    let acceleration = settings.acceleration;
    checks.lanes(acceleration.within(MAX_COORDINATE), |lane| {
        check_vector("settings.acceleration", acceleration.lane(lane))
    });
    let accelerations = settings.accelerations;
    checks.shared(check_optional_length(
        "settings.accelerations",
        accelerations.len(),
        positions.len(),
    ));
    checks.vectors("settings.accelerations", accelerations);
    checks.shared(settings.check_numbers(positions.len(), dt));
    checks
}
