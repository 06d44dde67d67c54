//! Quadratic and cubic Bezier segments in the plane and in space: points, derivatives, halves,
//! arc length and its inverse.
//!
//! A segment is its control points, in order, in one space of the caller's choosing. Parameters
//! run from 0 to 1 and are clamped to that. A quadratic's arc length is that of the cubic which
//! is the same curve.
//!
//! Length is the integral of the speed by the pair of rules of Gauss and Kronrod (1965) with seven
//! and fifteen points, on spans that are halved where the curve turns sharply: near a cusp the speed
//! has a corner, which no fixed rule integrates.

use glam::Vec4;

use super::check_phase;
use crate::check::{MAX_COORDINATE, check_range};
use crate::error::Error;
use crate::math;
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
#[allow(clippy::type_complexity)] // Two arrays.
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
#[allow(clippy::type_complexity)] // Two arrays.
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

#[inline]
fn quadratic<V: Vector>(points: &[V; 3], t: f32) -> V {
    let [a, b, c] = *points;
    let s = 1.0 - t;
    a * (s * s) + b * (2.0 * s * t) + c * (t * t)
}

/// The quadratic whose points are a cubic's derivatives.
#[inline]
fn hodograph<V: Vector>(points: &[V; 4]) -> [V; 3] {
    let [a, b, c, d] = *points;
    [(b - a) * 3.0, (c - b) * 3.0, (d - c) * 3.0]
}

/// The same for a quadratic, whose derivative is linear. Of differences alone, which keep the digits
/// that points between the control points would lose far from the origin.
fn linear_hodograph<V: Vector>(points: &[V; 3]) -> [V; 3] {
    let [a, b, c] = *points;
    let (start, end) = ((b - a) * 2.0, (c - b) * 2.0);
    [start, (start + end) * 0.5, end]
}

fn check_distance(length: f32) -> Result<(), Error> {
    check_range("length", length, f32::NEG_INFINITY, f32::INFINITY)
}

/// Spans are counted in units of 1/32768: near a cusp halving goes on until the span's whole
/// length is below the tolerance, which takes half as many digits as the tolerance has.
const UNITS: u16 = 1 << 15;

/// How far two estimates of a span may differ, relative to the control polygon. The finer one, which
/// counts, is far better than that.
const TOLERANCE: f32 = 2e-7;

/// How fast a cubic's parameter runs along it.
struct Speed<V> {
    /// The derivative, in units of `size`.
    derivative: [V; 3],
    /// A power of two near the largest coordinate of the derivative, so that squares stay
    /// numbers at any scale.
    size: f32,
    /// How far two estimates of a span may differ.
    tolerance: f32,
}

impl<V: Vector> Speed<V> {
    fn of(derivative: [V; 3]) -> Self {
        let largest = derivative.iter().fold(0.0_f32, |most, d| most.max(d.largest()));
        let size = math::binade(largest);
        let derivative = derivative.map(|d| d * (1.0 / size));
        let polygon = derivative.iter().map(|d| d.length()).sum::<f32>() / 3.0;
        Self { derivative, size, tolerance: TOLERANCE * polygon }
    }

    fn at(&self, t: f32) -> f32 {
        quadratic(&self.derivative, t).length()
    }

    /// The control points of the derivative within a span.
    #[inline]
    fn part(&self, start: f32, width: f32) -> [V; 3] {
        let [a, b, c] = self.derivative;
        let from = quadratic(&self.derivative, start);
        let middle = from + lerp(b - a, c - b, start) * width;
        [from, middle, quadratic(&self.derivative, start + width)]
    }

    /// Cuts `[0, 1]` into spans that the rule integrates well, and gives each start, width and
    /// length to `visit` in order, until `visit` says stop.
    fn spans(&self, mut visit: impl FnMut(f32, f32, f32) -> bool) {
        let unit = 1.0 / f32::from(UNITS);
        let (mut start, mut span) = (0_u16, UNITS);
        let mut part = self.derivative;
        loop {
            let (from, width) = (f32::from(start) * unit, f32::from(span) * unit);
            let square = Square::of(part);
            let length = if span > 1 && square.turns {
                None
            } else {
                let (coarse, fine) = square.mean_root();
                let is_close = (coarse - fine).abs() * width <= self.tolerance;
                (is_close || span == 1).then_some(fine * width)
            };
            if let Some(length) = length {
                if !visit(from, width, length) {
                    return;
                }
                start += span;
                if start == UNITS {
                    return;
                }
                // The widest span that starts here on the binary grid.
                span = start & start.wrapping_neg();
                part = self.part(f32::from(start) * unit, f32::from(span) * unit);
            } else {
                span /= 2;
                let [a, b, c] = part;
                let (ab, bc) = ((a + b) * 0.5, (b + c) * 0.5);
                part = [a, ab, (ab + bc) * 0.5];
            }
        }
    }

    fn length_to(&self, t: f32) -> f32 {
        let [a, b, c] = self.derivative;
        // The derivative of the part before t.
        let ab = lerp(a, b, t);
        let part = Self {
            derivative: [a * t, ab * t, lerp(ab, lerp(b, c, t), t) * t],
            size: self.size,
            tolerance: self.tolerance,
        };
        let mut sum = 0.0;
        part.spans(|_, _, length| {
            sum += length;
            true
        });
        sum * self.size
    }

    fn at_length(&self, length: f32) -> f32 {
        let mut left = length / self.size;
        if left <= 0.0 {
            return 0.0;
        }
        let mut found = 1.0;
        self.spans(|start, width, span| {
            if left > span {
                left -= span;
                return true;
            }
            found = start + self.solve(start, width, left);
            false
        });
        found
    }

    /// The width at which the span from `start`, at most `width` wide, is `length` long: Newton's
    /// method inside a bracket that every step narrows.
    fn solve(&self, start: f32, width: f32, length: f32) -> f32 {
        let (mut low, mut high) = (0.0, width);
        let mut x = 0.5 * width;
        for _ in 0..f32::MANTISSA_DIGITS {
            let excess = Square::of(self.part(start, x)).mean_root().1 * x - length;
            if excess.abs() <= 0.25 * self.tolerance {
                break;
            }
            if excess > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let next = x - excess / self.at(start + x);
            // Less than its last digit: halving the bracket would lead off again.
            if next == x {
                break;
            }
            x = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        x
    }
}

/// The square of the speed along a span: a quartic, by its Bernstein coefficients.
struct Square {
    first: Vec4,
    last: f32,
    /// Whether the direction may turn by 60°. Where it cannot, the speed has no corner, and the
    /// Bernstein form loses no digits, for none of its terms is negative. Where it can, two
    /// estimates may agree by chance and both be wrong: seen at 110°.
    turns: bool,
}

impl Square {
    /// By the control points of the derivative, which enclose it.
    #[inline]
    fn of<V: Vector>([a, b, c]: [V; 3]) -> Self {
        let (aa, bb, cc) = (a.dot(a), b.dot(b), c.dot(c));
        let (ab, ac, bc) = (a.dot(b), a.dot(c), b.dot(c));
        let apart = |dot: f32, v: f32, w: f32| 4.0 * dot * dot.abs() < v * w;
        Self {
            first: Vec4::new(aa, ab, (2.0 * bb + ac) * (1.0 / 3.0), bc),
            last: cc,
            turns: apart(ab, aa, bb) | apart(bc, bb, cc) | apart(ac, aa, cc),
        }
    }

    /// The mean of the root, by the coarse rule and by the fine one.
    #[inline]
    fn mean_root(self) -> (f32, f32) {
        let (mut coarse, mut fine) = (Vec4::ZERO, Vec4::ZERO);
        for four in RULE {
            let [a, b, c, d, e] = four.basis;
            let [x, y, z, w] = self.first.to_array();
            let square = a * x + b * y + c * z + d * w + e * self.last;
            let root = Vec4::from_array(square.max(Vec4::ZERO).to_array().map(math::sqrt));
            coarse += four.coarse * root;
            fine += four.fine * root;
        }
        (coarse.element_sum(), fine.element_sum())
    }
}

/// Four points of a pair of rules for the mean over `[0, 1]`.
struct Four {
    /// Of each Bernstein polynomial of degree four its values there.
    basis: [Vec4; 5],
    /// The weights of the coarse rule.
    coarse: Vec4,
    /// The weights of the fine rule.
    fine: Vec4,
}

/// Gauss's rule of seven points and Kronrod's of fifteen, which adds eight between them. The
/// sixteenth weighs nothing.
const RULE: [Four; 4] = {
    let outer = [0.991_455_371, 0.949_107_912, 0.864_864_423, 0.741_531_186];
    let outer_coarse = [0.0, 0.129_484_966, 0.0, 0.279_705_391];
    let outer_fine = [0.022_935_322, 0.063_092_093, 0.104_790_010, 0.140_653_260];
    let inner = [0.586_087_235, 0.405_845_151, 0.207_784_955, 0.0];
    let inner_coarse = [0.0, 0.381_830_051, 0.0, 0.417_959_184];
    let inner_fine = [0.169_004_727, 0.190_350_578, 0.204_432_940, 0.209_482_141];
    let [x, y, z, _] = inner;
    let ([_, a, _, _], [p, q, r, _]) = (inner_coarse, inner_fine);
    [
        four(-1.0, outer, outer_coarse, outer_fine),
        four(1.0, outer, outer_coarse, outer_fine),
        four(-1.0, inner, inner_coarse, inner_fine),
        four(1.0, [x, y, z, 1.0], [0.0, a, 0.0, 0.0], [p, q, r, 0.0]),
    ]
};

/// By the points and weights on `[-1, 1]`.
const fn four(side: f64, points: [f64; 4], coarse: [f64; 4], fine: [f64; 4]) -> Four {
    const fn halved([a, b, c, d]: [f64; 4]) -> Vec4 {
        narrowed([0.5 * a, 0.5 * b, 0.5 * c, 0.5 * d])
    }
    #[allow(clippy::cast_possible_truncation)] // Rounded once, at the end.
    const fn narrowed([a, b, c, d]: [f64; 4]) -> Vec4 {
        Vec4::new(a as f32, b as f32, c as f32, d as f32)
    }
    const fn bernstein(x: f64) -> [f64; 5] {
        let (t, s) = (0.5 + 0.5 * x, 0.5 - 0.5 * x);
        [
            s * s * s * s,
            4.0 * s * s * s * t,
            6.0 * s * s * t * t,
            4.0 * s * t * t * t,
            t * t * t * t,
        ]
    }
    let [a, b, c, d] = points;
    let (a, b, c, d) =
        (bernstein(side * a), bernstein(side * b), bernstein(side * c), bernstein(side * d));
    let basis = [
        narrowed([a[0], b[0], c[0], d[0]]),
        narrowed([a[1], b[1], c[1], d[1]]),
        narrowed([a[2], b[2], c[2], d[2]]),
        narrowed([a[3], b[3], c[3], d[3]]),
        narrowed([a[4], b[4], c[4], d[4]]),
    ];
    Four { basis, coarse: halved(coarse), fine: halved(fine) }
}
