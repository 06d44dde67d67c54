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

use glam::Vec3A;

use crate::math;

/// `a + b`, and what rounding has left of it: the two add up to the sum exactly.
#[inline]
pub(crate) fn sum<T: Copy + Add<Output = T> + Sub<Output = T>>(a: T, b: T) -> (T, T) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// `a - b`, and what rounding has left of it.
#[inline]
pub(crate) fn difference<T: Copy + Add<Output = T> + Sub<Output = T>>(a: T, b: T) -> (T, T) {
    let difference = a - b;
    let part = difference - a;
    (difference, (a - (difference - part)) - (b + part))
}

/// The length of `v + rest`, for coordinates up to 2 and a rest below their last place; and what
/// rounding has left of it, to 2⁻⁴⁴.
#[inline]
pub(crate) fn length(v: Vec3A, rest: Vec3A) -> (f32, f32) {
    let length = math::sqrt(v.dot(v));
    let excess = if length > 0.0 { excess(v, rest, length) / (length + length) } else { 0.0 };
    (length, excess)
}

/// `|v + rest|² - length²` to 2⁻⁴⁴, for a vector of about this length and below 4.
///
/// Numbers are cut in two, at 2⁻¹⁰: sums of squares of the upper parts are exact, and so are their
/// products with the lower parts, of which again the digits above 2⁻³⁰ are added up exactly. What
/// is left is so small that rounding may have it.
#[inline]
pub(crate) fn excess(v: Vec3A, rest: Vec3A, length: f32) -> f32 {
    let upper = snap(v, CUT);
    let lower = v - upper;
    let mixed = (upper + upper) * lower;
    let mixed_upper = snap(mixed, CUT * CUT * CUT);
    let small = (mixed - mixed_upper) + lower * lower + (v + v) * rest;

    let length_upper = math::snap(length, CUT);
    let length_lower = length - length_upper;
    let squares = upper.dot(upper) - length_upper * length_upper;
    let mixed =
        (squares + mixed_upper.element_sum()) - (length_upper + length_upper) * length_lower;
    mixed + (small.element_sum() - length_lower * length_lower)
}

const CUT: f32 = 1.0 / 1024.0;

/// [`math::snap`] of each coordinate.
#[inline]
fn snap(v: Vec3A, grid: f32) -> Vec3A {
    let carry = Vec3A::splat(1.5 * 8_388_608.0 * grid);
    (v + carry) - carry
}

/// `a·b - c·d` to the last place, whatever cancels, for products of normal size.
pub(crate) fn difference_of_products(a: f32, b: f32, c: f32, d: f32) -> f32 {
    let (ab, ab_rest) = product(a, b);
    let (cd, cd_rest) = product(c, d);
    let (difference, rest) = difference(ab, cd);
    difference + (rest + (ab_rest - cd_rest))
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

/// The cross product of `a + a_rest` and `b + b_rest`, as [`difference_of_products`].
pub(crate) fn cross((a, a_rest): (Vec3A, Vec3A), (b, b_rest): (Vec3A, Vec3A)) -> Vec3A {
    let leading = Vec3A::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    );
    leading + (a_rest.cross(b) + a.cross(b_rest))
}
