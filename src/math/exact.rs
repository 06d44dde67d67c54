//! Single precision with digits to spare: sums, products and lengths together with what rounding
//! has left of them.
//!
//! A difference of two numbers and its rounding error are both floats, and so are the products of
//! numbers of twelve digits each: what cancels can be taken away before it is lost, at a fraction
//! of what double precision costs a processor that has no circuits for it.
//!
//! Knuth (1969), "The Art of Computer Programming", vol. 2, 4.2.2; Dekker (1971), "A
//! floating-point technique for extending the available precision".

use core::ops::{Add, Sub};

use glam::{Mat3A, Vec3, Vec3A};

use crate::math::{self, CARRY};

/// `a + b`, and what rounding has left of it: the two add up to the sum exactly.
#[inline]
pub(crate) fn sum<T: Copy + Add<Output = T> + Sub<Output = T>>(a: T, b: T) -> (T, T) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// [`sum`] of a number and one that is no larger, by Dekker.
#[inline]
pub(crate) fn sum_in_order(larger: f32, smaller: f32) -> (f32, f32) {
    let sum = larger + smaller;
    (sum, smaller - (sum - larger))
}

/// `a - b`, and what rounding has left of it.
#[inline]
pub(crate) fn difference<T: Copy + Add<Output = T> + Sub<Output = T>>(a: T, b: T) -> (T, T) {
    let difference = a - b;
    let part = difference - a;
    (difference, (a - (difference - part)) - (b + part))
}

/// Three vectors side by side: the x of each, the y of each, the z of each.
pub(crate) type Trio = [Vec3A; 3];

/// Three vectors put side by side, or taken apart again.
#[inline]
pub(crate) fn side_by_side([a, b, c]: [Vec3A; 3]) -> Trio {
    let turned = Mat3A::from_cols(a, b, c).transpose();
    [turned.x_axis, turned.y_axis, turned.z_axis]
}

/// The scalar product of each with its own.
#[inline]
pub(crate) fn dots([ax, ay, az]: &Trio, [bx, by, bz]: &Trio) -> Vec3A {
    *ax * *bx + *ay * *by + *az * *bz
}

/// The cross product of each with another.
#[inline]
pub(crate) fn crosses([ax, ay, az]: &Trio, [bx, by, bz]: &Trio) -> Trio {
    [*ay * *bz - *by * *az, *az * *bx - *bz * *ax, *ax * *by - *bx * *ay]
}

/// The lengths of `v + rest`, for coordinates up to 2 and a rest below their last place; what
/// rounding has left of them, to 2⁻⁴¹ of their squares; and their inverses, which are finite where
/// there is no length.
#[inline]
pub(crate) fn lengths(v: &Trio, rest: &Trio) -> (Vec3A, Vec3A, Vec3A) {
    let length = dots(v, v).map(math::sqrt);
    let per_length = Vec3A::ONE / length.max(Vec3A::splat(f32::MIN_POSITIVE));
    (length, excess(v, rest, length) * (per_length * 0.5), per_length)
}

/// `|v + rest|² - length²` of each to 2⁻⁴¹, for vectors of about these lengths and below 4 and a
/// rest below their last place.
///
/// Numbers are cut in two, at 2⁻¹⁰: sums of squares of the upper parts are exact, and so are their
/// products with the lower parts, of which again the digits above 2⁻³⁰ are added up exactly. What
/// is left is so small that rounding may have it.
#[inline]
fn excess(v: &Trio, rest: &Trio, length: Vec3A) -> Vec3A {
    let rests = dots(v, rest);
    let (mut squares, mut mixed, mut small) = (Vec3A::ZERO, Vec3A::ZERO, rests + rests);
    for &x in v {
        let upper = snap(x, Vec3A::splat(CUT));
        let lower = x - upper;
        let product = (upper + upper) * lower;
        let product_upper = snap(product, Vec3A::splat(CUT * CUT * CUT));
        squares += upper * upper;
        mixed += product_upper;
        small += (product - product_upper) + lower * lower;
    }
    let upper = snap(length, Vec3A::splat(CUT));
    let lower = length - upper;
    let mixed = ((squares - upper * upper) + mixed) - (upper + upper) * lower;
    mixed + (small - lower * lower)
}

/// `|v|² - length²` of each to 2⁻³²: as [`excess`], but rounding has more of it.
#[inline]
pub(crate) fn rough_excess(v: &Trio, length: Vec3A) -> Vec3A {
    let (mut squares, mut small) = (Vec3A::ZERO, Vec3A::ZERO);
    for &x in v {
        let upper = snap(x, Vec3A::splat(CUT));
        squares += upper * upper;
        small += (x - upper) * (x + upper);
    }
    let upper = snap(length, Vec3A::splat(CUT));
    (squares - upper * upper) + (small - (length - upper) * (length + upper))
}

pub(crate) const CUT: f32 = 1.0 / 1024.0;

/// [`math::binade`] of each coordinate, and what it is to be divided by.
#[inline]
pub(crate) fn binades(v: Vec3A) -> (Vec3A, Vec3A) {
    let binade = v.map(math::binade_or_zero).max(Vec3A::splat(f32::MIN_POSITIVE));
    (binade, binade.map(math::per_power_of_two))
}

/// [`math::snap`] of each coordinate.
#[inline]
pub(crate) fn snap(v: Vec3A, grid: Vec3A) -> Vec3A {
    let carry = carry(grid);
    (v + carry) - carry
}

/// What takes away the digits below a grid when it is added.
#[inline]
pub(crate) fn carry(grid: Vec3A) -> Vec3A {
    grid * CARRY
}

/// `a·b - c·d` to the last place or next to it, whatever cancels, for products of normal size.
pub(crate) fn difference_of_products(a: f32, b: f32, c: f32, d: f32) -> f32 {
    let (ab, ab_rest) = product(a, b);
    let (cd, cd_rest) = product(c, d);
    // Where it is small beside the products, this difference of them is exact.
    (ab - cd) + (ab_rest - cd_rest)
}

/// `a·b`, and what rounding has left of it, for a product of normal size.
pub(crate) fn product(a: f32, b: f32) -> (f32, f32) {
    let product = a * b;
    let (a_upper, b_upper) = (upper_half(a), upper_half(b));
    let (a_lower, b_lower) = (a - a_upper, b - b_upper);
    let mixed = ((a_upper * b_upper - product) + a_upper * b_lower) + a_lower * b_upper;
    (product, mixed + a_lower * b_lower)
}

/// The upper twelve of a number's 24 digits.
fn upper_half(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000)
}

/// The cross product, by [`difference_of_products`].
pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::numbers;

    #[test]
    fn what_rounding_leaves_adds_up() {
        let mut numbers = numbers();
        let mut next = || 2.0 * numbers();
        for _ in 0..100_000 {
            let (a, b) = (next(), next() * 1e-3);
            let (wide_a, wide_b) = (f64::from(a), f64::from(b));
            for ((float, rest), exact) in [
                (sum(a, b), wide_a + wide_b),
                (difference(b, a), wide_b - wide_a),
                (product(a, b), wide_a * wide_b),
            ] {
                assert_eq!(f64::from(float) + f64::from(rest), exact, "{a} {b}");
            }
            let (c, d) = (b * (1.0 + next() * 1e-6), a);
            let exact = wide_a * wide_b - f64::from(c) * f64::from(d);
            let gap = f64::from(difference_of_products(a, b, c, d)) - exact;
            assert!(gap.abs() <= 1.2e-7 * exact.abs(), "{gap:e} of {exact:e}");
        }
    }

    #[test]
    fn lengths_have_nearly_twice_the_digits() {
        let mut numbers = numbers();
        let mut next =
            |size: f32| Vec3A::from_array(core::array::from_fn(|_| 2.0 * numbers() * size));
        for _ in 0..100_000 {
            let (v, rest) = ([0; 3].map(|_| next(1.0)), [0; 3].map(|_| next(1e-8)));
            let (length, more, _) = lengths(&v, &rest);
            for i in 0..3 {
                let square = |j: usize| (f64::from(v[j][i]) + f64::from(rest[j][i])).powi(2);
                let exact = (square(0) + square(1) + square(2)).sqrt();
                let gap = f64::from(length[i]) + f64::from(more[i]) - exact;
                assert!(2.0 * exact * gap.abs() < 0.5_f64.powi(41), "{gap:e} of {exact}");
            }
        }
    }
}
