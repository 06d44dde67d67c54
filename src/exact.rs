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

use glam::{Mat3A, Vec3A};

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

/// The lengths of `v + rest`, for coordinates up to 2 and a rest below their last place; and what
/// rounding has left of them, to 2⁻⁴⁴.
#[inline]
pub(crate) fn lengths(v: &Trio, rest: &Trio) -> (Vec3A, Vec3A) {
    let length = dots(v, v).map(math::sqrt);
    let rests = dots(v, rest);
    let excess = excess(v, length) + (rests + rests);
    // Where there is no length there is no excess.
    (length, excess / (length + length).max(Vec3A::splat(f32::MIN_POSITIVE)))
}

/// `|v|² - length²` of each to 2⁻⁴⁴, for vectors of about these lengths and below 4.
///
/// Numbers are cut in two, at 2⁻¹⁰: sums of squares of the upper parts are exact, and so are their
/// products with the lower parts, of which again the digits above 2⁻³⁰ are added up exactly. What
/// is left is so small that rounding may have it.
#[inline]
pub(crate) fn excess(v: &Trio, length: Vec3A) -> Vec3A {
    let (mut squares, mut mixed, mut small) = (Vec3A::ZERO, Vec3A::ZERO, Vec3A::ZERO);
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

const CUT: f32 = 1.0 / 1024.0;

/// [`math::snap`] of each coordinate.
#[inline]
pub(crate) fn snap(v: Vec3A, grid: Vec3A) -> Vec3A {
    let carry = grid * (1.5 * 8_388_608.0);
    (v + carry) - carry
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

/// The cross product of `a + a_rest` and `b + b_rest`, as [`difference_of_products`].
pub(crate) fn cross((a, a_rest): (Vec3A, Vec3A), (b, b_rest): (Vec3A, Vec3A)) -> Vec3A {
    let leading = Vec3A::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    );
    leading + (a_rest.cross(b) + a.cross(b_rest))
}
