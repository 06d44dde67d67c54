//! The easing that two control points make, as on the web.

use super::check_phase;
use crate::check::{MAX_COORDINATE, check_range};
use crate::error::Error;

/// The easing of the cubic Bezier curve from (0, 0) to (1, 1) with the control points (`x1`,
/// `y1`) and (`x2`, `y2`): its y at the x of `t`, as in CSS's `cubic-bezier()`.
///
/// `x1` and `x2` lie in `[0, 1]`, which makes y a function of x; `y1` and `y2` may be anything up
/// to 1e12 either way. `t` is clamped to `[0, 1]`, and both ends are exact.
///
/// Within 1e-5 of the exact curve for every pair of control points, times the largest of 1,
/// |`y1`| and |`y2`|, vertical tangents included; where the curve rises, so does the result. x is
/// inverted in double precision by Halley's method; where four steps are not enough, within a
/// bracket, which halves when the method does not make progress, so that there is no curve on which
/// it fails.
///
/// # Errors
/// `x1` or `x2` outside `[0, 1]`, `y1` or `y2` beyond 1e12, or any of the five not a number.
///
/// ```
/// use sinew::cubic_bezier_ease;
///
/// // CSS's `ease`.
/// let half = cubic_bezier_ease(0.25, 0.1, 0.25, 1.0, 0.5).unwrap();
/// assert!((half - 0.802_403).abs() < 1e-5);
/// ```
#[expect(clippy::cast_possible_truncation, reason = "back to f32 at the end")]
pub fn cubic_bezier_ease(x1: f32, y1: f32, x2: f32, y2: f32, t: f32) -> Result<f32, Error> {
    check_range("x1", x1, 0.0, 1.0)?;
    check_range("y1", y1, -MAX_COORDINATE, MAX_COORDINATE)?;
    check_range("x2", x2, 0.0, 1.0)?;
    check_range("y2", y2, -MAX_COORDINATE, MAX_COORDINATE)?;
    let t = check_phase("t", t)?;
    if t == 0.0 || t == 1.0 {
        return Ok(t);
    }
    let x = Cubic::through(f64::from(x1), f64::from(x2));
    let y = Cubic::through(f64::from(y1), f64::from(y2));
    Ok(y.at(x.inverse(f64::from(t))) as f32)
}

/// A cubic from 0 at 0 to 1 at 1.
struct Cubic {
    linear: f64,
    square: f64,
    cube: f64,
}

/// How near the parameter must come: a hundredth of what rounding the result leaves.
const CLOSE: f64 = 1e-9;

/// How many steps are enough for all but curves that stand upright somewhere.
const EASY_STEPS: u8 = 4;

/// How near x may come before its digits end.
const STILL: f64 = 4.0 * f64::EPSILON;

/// The most steps: 53 would do for halving alone, and one in two may be Halley's.
const STEPS: u8 = 106;

impl Cubic {
    /// By the two middle coefficients of its Bernstein form.
    fn through(first: f64, second: f64) -> Self {
        let linear = 3.0 * first;
        let square = 3.0 * (second - first) - linear;
        Self { linear, square, cube: 1.0 - linear - square }
    }

    fn at(&self, s: f64) -> f64 {
        ((self.cube * s + self.square) * s + self.linear) * s
    }

    /// Where it is `value`, if it never falls.
    #[inline]
    fn inverse(&self, value: f64) -> f64 {
        let mut s = value;
        for _ in 0..EASY_STEPS {
            let (next, is_close) = self.nearer(s, value);
            if is_close && (0.0..=1.0).contains(&next) {
                return next;
            }
            s = next;
        }
        self.bracketed(value)
    }

    /// The step of Halley's method from `s` towards `value`, and whether it gets there.
    #[inline]
    fn nearer(&self, s: f64, value: f64) -> (f64, bool) {
        let miss = self.at(s) - value;
        let bend = 3.0 * self.cube * s + self.square;
        let slope = (bend + self.square) * s + self.linear;
        let step = miss * slope / (slope * slope - miss * bend);
        // What a step leaves of the way is of third order in it, once the slope hardly changes on
        // it.
        let left = (step * step * step).abs() * (bend * bend + (self.cube * slope).abs());
        let is_even = (4.0 * step * bend).abs() <= slope;
        (s - step, is_even && left <= CLOSE * (slope * slope))
    }

    /// [`Cubic::inverse`] where it stands upright, or nearly: by steps within a bracket, which
    /// halves when they do not make progress.
    #[cold]
    fn bracketed(&self, value: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let mut s = value;
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let miss = self.at(s) - value;
            if miss.abs() <= STILL * value || high - low <= f64::EPSILON {
                break;
            }
            if miss > 0.0 {
                high = s;
            } else {
                low = s;
            }
            let (next, is_close) = self.nearer(s, value);
            let is_slow = miss.abs() > 0.5 * last;
            last = miss.abs();
            if next > low && next < high && !is_slow {
                s = next;
                if is_close {
                    break;
                }
            } else {
                s = 0.5 * (low + high);
            }
        }
        s
    }
}
