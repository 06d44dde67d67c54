//! The plane that feet stand on: it gives a body its height and its tilt.

use super::ground::Ground;
use crate::check::check_least_length;
use crate::error::Error;
use crate::math;
use crate::space::{Vector, check_direction, check_vectors, direction};

/// Feet whose spread across their line is less than this share of the spread along it stand in
/// line: their tilt across it would be that of rounding and of the ground's roughness.
const IN_LINE: f32 = 0.01;

/// The plane nearest to all feet (in 2D the line), measured along `up`: its height gives a body
/// its height, and its normal the body's pitch and roll.
///
/// `feet` are positions in one space, at least one; `up` has any length but zero. The answer is
/// the plane's point amid the feet and its unit normal. A body that leans with its feet is turned
/// by `Rotation::arc(up, normal)`, or a [`scaled`](crate::Rotation::scaled) part of it, and stands
/// at [`Ground::along`] of its position.
///
/// Feet in line, or fewer than three, leave a tilt open: it is the least one, so that a biped
/// leans sideways with its feet and not forwards. Feet in one place, or one above another, give
/// the level plane. Accurate to 1e-5 rad for feet on a plane.
///
/// Source: least squares on the heights, solved by conjugate gradients (Hestenes and Stiefel,
/// 1952), which take as many steps as the ground has dimensions and find the least solution.
///
/// # Errors
/// No feet; a foot or `up` not finite or too large; `up` of no length.
///
/// ```
/// use sinew::{feet_plane, glam::Vec3};
///
/// let feet = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Z, Vec3::new(1.0, 1.0, 1.0)];
/// let plane = feet_plane(&feet, Vec3::Y).unwrap();
/// assert_eq!(plane.point, Vec3::splat(0.5));
/// assert!((plane.normal - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-5);
/// ```
pub fn feet_plane<V: Vector>(feet: &[V], up: V) -> Result<Ground<V>, Error> {
    check_vectors("feet", feet)?;
    let up = check_direction("up", up)?;
    check_least_length("feet", feet.len(), 1)?;
    let share = 1.0 / feet.len() as f32;
    let point = feet.iter().fold(V::ZERO, |sum, foot| sum + *foot * share);
    // The size of the stance, so that squares of lengths stay numbers at any scale.
    let reach = feet.iter().map(|foot| (*foot - point).largest()).fold(0.0, f32::max);
    let unit = 1.0 / math::binade(reach);
    // Each foot's place on the ground and its height, from the middle.
    let parts = |foot: &V| {
        let way = (*foot - point) * unit;
        let height = way.dot(up);
        let place = way - up * height;
        // Once more: of feet nearly one above another rounding has left some along up.
        (place - up * place.dot(up), height)
    };
    let sum = |weight: &dyn Fn(V, f32) -> f32| {
        feet.iter()
            .map(parts)
            .fold(V::ZERO, |sum, (place, height)| sum + place * (share * weight(place, height)))
    };
    let spread = feet.iter().map(parts).map(|(place, _)| share * place.dot(place)).sum::<f32>();
    // Feet as near to one line along up as coordinates can tell stand on it.
    let coordinate = feet.iter().map(|foot| foot.largest()).fold(0.0, f32::max);
    let grain = 4.0 * f32::EPSILON * coordinate * unit;
    if spread <= grain * grain {
        return Ok(Ground { point, normal: up });
    }
    let heights = sum(&|_, height| height);
    let slope = least_slope(heights, spread, |slope| sum(&|place, _| place.dot(slope)));
    let normal = direction(up - slope).map_or(up, |(unit, _)| unit);
    Ok(Ground { point, normal })
}

/// The least slope whose heights, summed as `heights` are, come nearest to those; `sum_of` sums the
/// heights of a slope. By conjugate gradients.
fn least_slope<V: Vector>(heights: V, spread: f32, sum_of: impl Fn(V) -> V) -> V {
    let mut slope = V::ZERO;
    let (mut rest, mut along) = (heights, heights);
    for _ in 0..2 {
        let pushed = sum_of(along);
        let (square, stiffness) = (rest.dot(rest), along.dot(pushed));
        if stiffness <= IN_LINE * IN_LINE * spread * along.dot(along) {
            break;
        }
        slope = slope + along * (square / stiffness);
        let left = rest - pushed * (square / stiffness);
        // What rounding leaves of a rest that is gone.
        if left.dot(left) <= 1e-10 * square {
            break;
        }
        along = left + along * (left.dot(left) / square);
        rest = left;
    }
    slope
}
