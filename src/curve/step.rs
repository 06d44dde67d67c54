//! The path of a foot from one place to the next.

use super::check_phase;
use crate::check::{MAX_COORDINATE, check_range};
use crate::error::Error;
use crate::space::{Vector, check_direction, check_vector, lerp};

/// A point of a curve and the direction in which the curve passes it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurvePoint<V> {
    /// The point.
    pub position: V,
    /// The derivative by the curve's parameter.
    pub tangent: V,
}

/// How a foot rises and comes down.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepShape<V> {
    /// The direction of the lift, of any length but zero.
    pub up: V,
    /// Height of the highest point above the line from start to end, in the caller's unit of
    /// length; at most 1e12 either way.
    pub lift: f32,
    /// Whether the foot leaves along the ground rather than at an angle.
    pub flat_start: bool,
    /// Whether the foot arrives along the ground rather than at an angle.
    pub flat_landing: bool,
}

/// The point of a lifted step at `phase`, from `start` at 0 to `end` at 1.
///
/// The curve is the quadratic Bezier whose middle control point lies above the middle of the
/// line, at twice `lift`, so that its highest point is `lift` above the line: the foot runs along
/// the line at a steady speed while it rises and falls. `up` has any length but zero and need not
/// be across the line; `phase` is clamped to `[0, 1]`, and both ends are exact.
///
/// `start` = `end` is a step on the spot. [`step_curve_with`] offers a flat start and landing.
///
/// # Errors
/// A vector not finite or too large; `up` of no length; `lift` NaN or beyond 1e12; `phase` not
/// finite.
///
/// ```
/// use sinew::{glam::Vec3, step_curve};
///
/// let top = step_curve(Vec3::ZERO, Vec3::X, Vec3::Y, 0.3, 0.5).unwrap();
/// assert_eq!(top.position, Vec3::new(0.5, 0.3, 0.0));
/// assert_eq!(top.tangent, Vec3::X);
/// ```
#[inline]
pub fn step_curve<V: Vector>(
    start: V,
    end: V,
    up: V,
    lift: f32,
    phase: f32,
) -> Result<CurvePoint<V>, Error> {
    let shape = StepShape { up, lift, flat_start: false, flat_landing: false };
    checked(start, end, &shape, phase, ("up", "lift"))
}

/// [`step_curve`] with a choice of how the foot leaves and arrives.
///
/// A flat end makes the height's derivative zero there. The highest point is `lift` above the
/// line in every case: at half the way if both ends are alike, at two thirds with a flat start
/// alone, at one third with a flat landing alone. The curve is a Bezier segment of degree two,
/// three or four.
///
/// # Errors
/// As for [`step_curve`].
///
/// ```
/// use sinew::{StepShape, glam::Vec2, step_curve_with};
///
/// let shape = StepShape { up: Vec2::Y, lift: 0.2, flat_start: true, flat_landing: true };
/// let landing = step_curve_with(Vec2::ZERO, Vec2::X, &shape, 1.0).unwrap();
/// assert_eq!((landing.position, landing.tangent), (Vec2::X, Vec2::X));
/// ```
#[inline]
pub fn step_curve_with<V: Vector>(
    start: V,
    end: V,
    shape: &StepShape<V>,
    phase: f32,
) -> Result<CurvePoint<V>, Error> {
    checked(start, end, shape, phase, ("shape.up", "shape.lift"))
}

fn checked<V: Vector>(
    start: V,
    end: V,
    shape: &StepShape<V>,
    phase: f32,
    names: (&'static str, &'static str),
) -> Result<CurvePoint<V>, Error> {
    check_vector("start", start)?;
    check_vector("end", end)?;
    let up = check_direction(names.0, shape.up)?;
    check_range(names.1, shape.lift, -MAX_COORDINATE, MAX_COORDINATE)?;
    let phase = check_phase("phase", phase)?;
    Ok(lifted(start, end, &StepShape { up, ..*shape }, phase))
}

/// [`step_curve_with`] for arguments that are known to be good, `up` of unit length among them.
#[inline]
pub(crate) fn lifted<V: Vector>(
    start: V,
    end: V,
    shape: &StepShape<V>,
    phase: f32,
) -> CurvePoint<V> {
    let (height, slope) = profile(shape.flat_start, shape.flat_landing, phase);
    CurvePoint {
        position: lerp(start, end, phase) + shape.up * (shape.lift * height),
        tangent: end - start + shape.up * (shape.lift * slope),
    }
}

/// Height and its derivative at `t`, of a hump that is 1 high: t^m (1-t)^n, with a square where
/// an end is flat.
#[inline]
fn profile(flat_start: bool, flat_landing: bool, t: f32) -> (f32, f32) {
    let s = 1.0 - t;
    match (flat_start, flat_landing) {
        (false, false) => (4.0 * s * t, 4.0 * (s - t)),
        (true, false) => (6.75 * s * t * t, 6.75 * t * (2.0 * s - t)),
        (false, true) => (6.75 * s * s * t, 6.75 * s * (s - 2.0 * t)),
        (true, true) => (16.0 * s * s * t * t, 32.0 * s * t * (s - t)),
    }
}
