//! The length of a cubic segment, and where on it a length is reached.
//!
//! Length is the integral of the speed by the pair of rules of Gauss and Kronrod (1965) with seven
//! and fifteen points, on spans that are halved where the curve turns sharply: near a cusp the
//! speed has a corner, which no fixed rule integrates.

use glam::Vec4;

use crate::math;
use crate::space::{Vector, lerp};

/// The point of a quadratic segment.
#[inline]
pub(super) fn quadratic<V: Vector>(points: &[V; 3], t: f32) -> V {
    let [a, b, c] = *points;
    let s = 1.0 - t;
    a * (s * s) + b * (2.0 * s * t) + c * (t * t)
}

/// Spans are counted in units of 1/32768: near a cusp halving goes on until the span's whole
/// length is below the tolerance, which takes half as many digits as the tolerance has.
const UNITS: u16 = 1 << 15;

/// How far two estimates of a span may differ, relative to the control polygon. The finer one,
/// which counts, is far better than that.
const TOLERANCE: f32 = 2e-7;

/// How fast a cubic's parameter runs along it.
pub(super) struct Speed<V> {
    /// The derivative, in units of `size`.
    derivative: [V; 3],
    /// A power of two near the largest coordinate of the derivative, so that squares stay
    /// numbers at any scale.
    size: f32,
    /// How far two estimates of a span may differ.
    tolerance: f32,
}

impl<V: Vector> Speed<V> {
    pub(super) fn of(derivative: [V; 3]) -> Self {
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

    pub(super) fn length_to(&self, t: f32) -> f32 {
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

    pub(super) fn at_length(&self, length: f32) -> f32 {
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
    #[expect(clippy::cast_possible_truncation, reason = "rounded once, at the end")]
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
