//! Quadratic and cubic Bezier segments in the plane and in space: points, derivatives, halves,
//! arc length and its inverse.
//!
//! A segment is its control points, in order, in one space of the caller's choosing. Parameters
//! run from 0 to 1 and are clamped to that. A quadratic's arc length is that of the cubic which
//! is the same curve.

use super::check_phase;
use super::length::{Speed, quadratic};
use crate::check::{MAX_COORDINATE, check_range};
use crate::error::Error;
use crate::space::{Vector, check_vectors, lerp};

/// The point of a quadratic segment at `t`.
///
/// Accurate to 4 ULP of the largest coordinate, and exact at both ends. `t` is clamped to
/// `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_quadratic, glam::Vec2};
///
/// let hill = [Vec2::ZERO, Vec2::new(1.0, 2.0), Vec2::new(2.0, 0.0)];
/// assert_eq!(bezier_quadratic(&hill, 0.5), Ok(Vec2::new(1.0, 1.0)));
/// ```
#[inline]
pub fn bezier_quadratic<V: Vector>(points: &[V; 3], t: f32) -> Result<V, Error> {
    check_points(points)?;
    Ok(quadratic(points, check_phase("t", t)?))
}

/// The derivative of a quadratic segment by its parameter at `t`: the direction of the curve,
/// as long as the speed at which `t` runs along it.
///
/// Zero where control points coincide. `t` is clamped to `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_quadratic_derivative, glam::Vec2};
///
/// let hill = [Vec2::ZERO, Vec2::new(1.0, 2.0), Vec2::new(2.0, 0.0)];
/// assert_eq!(bezier_quadratic_derivative(&hill, 0.5), Ok(Vec2::new(2.0, 0.0)));
/// ```
#[inline]
pub fn bezier_quadratic_derivative<V: Vector>(points: &[V; 3], t: f32) -> Result<V, Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    let [a, b, c] = *points;
    Ok(lerp(b - a, c - b, t) * 2.0)
}

/// The parts of a quadratic segment before and after `t`, each a segment of its own.
///
/// `t` is clamped to `[0, 1]`; at its ends one part is a point. Source: de Casteljau's
/// construction.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_quadratic_split, glam::Vec2};
///
/// let hill = [Vec2::ZERO, Vec2::new(1.0, 2.0), Vec2::new(2.0, 0.0)];
/// let (up, down) = bezier_quadratic_split(&hill, 0.5).unwrap();
/// assert_eq!(up[2], Vec2::new(1.0, 1.0));
/// assert_eq!(down[0], up[2]);
/// ```
pub fn bezier_quadratic_split<V: Vector>(
    points: &[V; 3],
    t: f32,
) -> Result<([V; 3], [V; 3]), Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    let [a, b, c] = *points;
    let (ab, bc) = (lerp(a, b, t), lerp(b, c, t));
    let middle = lerp(ab, bc, t);
    Ok(([a, ab, middle], [middle, bc, c]))
}

/// The length of a quadratic segment from its start to `t`.
///
/// Within 1e-6 of the length of the control polygon. `t` is clamped to `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_quadratic_length, glam::Vec2};
///
/// let line = [Vec2::ZERO, Vec2::new(1.5, 2.0), Vec2::new(3.0, 4.0)];
/// assert!((bezier_quadratic_length(&line, 1.0).unwrap() - 5.0).abs() < 1e-5);
/// ```
pub fn bezier_quadratic_length<V: Vector>(points: &[V; 3], t: f32) -> Result<f32, Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    Ok(Speed::of(linear_hodograph(points)).length_to(t))
}

/// The parameter at which a quadratic segment is `length` long, counted from its start: the
/// inverse of [`bezier_quadratic_length`], to the same accuracy.
///
/// 0 for a length of 0 or less, 1 for one beyond the segment's end.
///
/// # Errors
/// A control point not finite or too large; `length` NaN.
///
/// ```
/// use sinew::{bezier_quadratic_at_length, glam::Vec2};
///
/// let line = [Vec2::ZERO, Vec2::new(1.5, 2.0), Vec2::new(3.0, 4.0)];
/// assert!((bezier_quadratic_at_length(&line, 2.5).unwrap() - 0.5).abs() < 1e-5);
/// ```
pub fn bezier_quadratic_at_length<V: Vector>(points: &[V; 3], length: f32) -> Result<f32, Error> {
    check_points(points)?;
    check_distance(length)?;
    Ok(Speed::of(linear_hodograph(points)).at_length(length))
}

/// The point of a cubic segment at `t`.
///
/// Accurate to 4 ULP of the largest coordinate, and exact at both ends. `t` is clamped to
/// `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_cubic, glam::Vec2};
///
/// let arch = [Vec2::ZERO, Vec2::Y, Vec2::new(1.0, 1.0), Vec2::X];
/// assert_eq!(bezier_cubic(&arch, 0.5), Ok(Vec2::new(0.5, 0.75)));
/// ```
#[inline]
pub fn bezier_cubic<V: Vector>(points: &[V; 4], t: f32) -> Result<V, Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    let [a, b, c, d] = *points;
    let s = 1.0 - t;
    let triple = 3.0 * t;
    Ok(((a * s + b * triple) * s + c * (triple * t)) * s + d * (t * t * t))
}

/// The derivative of a cubic segment by its parameter at `t`: the direction of the curve, as
/// long as the speed at which `t` runs along it.
///
/// Zero at a cusp, and at an end whose control point lies on it. `t` is clamped to `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_cubic_derivative, glam::Vec2};
///
/// let arch = [Vec2::ZERO, Vec2::Y, Vec2::new(1.0, 1.0), Vec2::X];
/// assert_eq!(bezier_cubic_derivative(&arch, 0.0), Ok(Vec2::Y * 3.0));
/// ```
#[inline]
pub fn bezier_cubic_derivative<V: Vector>(points: &[V; 4], t: f32) -> Result<V, Error> {
    check_points(points)?;
    Ok(quadratic(&hodograph(points), check_phase("t", t)?))
}

/// The second derivative of a cubic segment by its parameter at `t`.
///
/// `t` is clamped to `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_cubic_second_derivative, glam::Vec2};
///
/// let arch = [Vec2::ZERO, Vec2::Y, Vec2::new(1.0, 1.0), Vec2::X];
/// assert_eq!(bezier_cubic_second_derivative(&arch, 0.5), Ok(Vec2::new(0.0, -6.0)));
/// ```
pub fn bezier_cubic_second_derivative<V: Vector>(points: &[V; 4], t: f32) -> Result<V, Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    let [a, b, c] = hodograph(points);
    Ok(lerp(b - a, c - b, t) * 2.0)
}

/// The parts of a cubic segment before and after `t`, each a segment of its own.
///
/// `t` is clamped to `[0, 1]`; at its ends one part is a point. Source: de Casteljau's
/// construction.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_cubic_split, glam::Vec2};
///
/// let arch = [Vec2::ZERO, Vec2::Y, Vec2::new(1.0, 1.0), Vec2::X];
/// let (left, right) = bezier_cubic_split(&arch, 0.5).unwrap();
/// assert_eq!(left[3], Vec2::new(0.5, 0.75));
/// assert_eq!(right[0], left[3]);
/// ```
pub fn bezier_cubic_split<V: Vector>(points: &[V; 4], t: f32) -> Result<([V; 4], [V; 4]), Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    let [a, b, c, d] = *points;
    let (ab, bc, cd) = (lerp(a, b, t), lerp(b, c, t), lerp(c, d, t));
    let (abc, bcd) = (lerp(ab, bc, t), lerp(bc, cd, t));
    let middle = lerp(abc, bcd, t);
    Ok(([a, ab, abc, middle], [middle, bcd, cd, d]))
}

/// The length of a cubic segment from its start to `t`.
///
/// Within 1e-6 of the length of the control polygon, cusps and loops included. `t` is clamped to
/// `[0, 1]`.
///
/// # Errors
/// A control point not finite or too large; `t` not finite.
///
/// ```
/// use sinew::{bezier_cubic_length, glam::Vec2};
///
/// // A quarter of a circle of radius 1, nearly.
/// let k = 0.551_915;
/// let arc = [Vec2::X, Vec2::new(1.0, k), Vec2::new(k, 1.0), Vec2::Y];
/// let quarter = core::f32::consts::FRAC_PI_2;
/// assert!((bezier_cubic_length(&arc, 1.0).unwrap() - quarter).abs() < 3e-4);
/// ```
pub fn bezier_cubic_length<V: Vector>(points: &[V; 4], t: f32) -> Result<f32, Error> {
    check_points(points)?;
    let t = check_phase("t", t)?;
    Ok(Speed::of(hodograph(points)).length_to(t))
}

/// The parameter at which a cubic segment is `length` long, counted from its start: the inverse
/// of [`bezier_cubic_length`], to the same accuracy.
///
/// Equal steps of `length` are equal steps along the curve. 0 for a length of 0 or less, 1 for
/// one beyond the segment's end.
///
/// # Errors
/// A control point not finite or too large; `length` NaN.
///
/// ```
/// use sinew::{bezier_cubic_at_length, bezier_cubic_length, glam::Vec2};
///
/// # fn main() -> Result<(), sinew::Error> {
/// let curve = [Vec2::ZERO, Vec2::X * 5.0, Vec2::X * 5.0, Vec2::new(5.0, 1.0)];
/// let half = 0.5 * bezier_cubic_length(&curve, 1.0)?;
/// let t = bezier_cubic_at_length(&curve, half)?;
/// assert!((bezier_cubic_length(&curve, t)? - half).abs() < 1e-5);
/// # Ok(())
/// # }
/// ```
pub fn bezier_cubic_at_length<V: Vector>(points: &[V; 4], length: f32) -> Result<f32, Error> {
    check_points(points)?;
    check_distance(length)?;
    Ok(Speed::of(hodograph(points)).at_length(length))
}

/// [`check_vectors`] at a glance: no square is larger than a sum of squares, and none is NaN if
/// that is not.
#[inline]
fn check_points<V: Vector, const N: usize>(points: &[V; N]) -> Result<(), Error> {
    let squares = points.iter().fold(V::ZERO, |sum, point| sum + point.squared());
    if squares.is_within(0.99 * MAX_COORDINATE * MAX_COORDINATE) {
        Ok(())
    } else {
        check_closely(points)
    }
}

#[cold]
fn check_closely<V: Vector>(points: &[V]) -> Result<(), Error> {
    check_vectors("points", points)
}

/// The quadratic whose points are a cubic's derivatives.
#[inline]
fn hodograph<V: Vector>(points: &[V; 4]) -> [V; 3] {
    let [a, b, c, d] = *points;
    [(b - a) * 3.0, (c - b) * 3.0, (d - c) * 3.0]
}

/// The same for a quadratic, whose derivative is linear. Of differences alone, which keep the
/// digits that points between the control points would lose far from the origin.
fn linear_hodograph<V: Vector>(points: &[V; 3]) -> [V; 3] {
    let [a, b, c] = *points;
    let (start, end) = ((b - a) * 2.0, (c - b) * 2.0);
    [start, (start + end) * 0.5, end]
}

fn check_distance(length: f32) -> Result<(), Error> {
    check_range("length", length, f32::NEG_INFINITY, f32::INFINITY)
}
