//! Measures a limb and the way to its target: three vectors side by side, one pass over x, y and z.

use glam::Vec3A;

use crate::{exact, math};

/// What there is to measure: both bones, and the line from the root to the target.
pub(super) struct Tape {
    /// A power of two, so that nothing is lost by taking lengths in units of it.
    pub(super) unit: f32,
    /// Of unit length; zero for a bone without length.
    pub(super) bones: [Vec3A; 2],
    /// From the root to the target; `None` if it is on the root.
    pub(super) direction: Option<Vec3A>,
    /// What the bones are long together, in units.
    pub(super) reach: f32,
    /// How long the bones shall be, in units.
    pub(super) lengths: [f32; 2],
    /// From the root to the target in units, and what rounding has left of it.
    pub(super) distance: (f32, f32),
}

impl Tape {
    #[inline]
    pub(super) fn new(
        [root, middle, effector]: [Vec3A; 3],
        target: Vec3A,
        given: Option<[f32; 2]>,
    ) -> Self {
        let begins = exact::side_by_side([root, middle, root]);
        let ends = exact::side_by_side([middle, effector, target]);
        let (mut largest, mut coordinate) = (Vec3A::ZERO, Vec3A::ZERO);
        let (mut v, mut rest) = (begins, ends);
        for i in 0..3 {
            (v[i], rest[i]) = exact::difference(ends[i], begins[i]);
            largest = largest.max(v[i].abs());
            coordinate = coordinate.max(begins[i].abs()).max(ends[i].abs());
        }
        let [a, b] = given.unwrap_or_default();
        let unit = math::binade(largest.x.max(largest.y).max(a).max(b));
        let size = math::binade(largest.z);
        let (per_unit, per_size) = (math::per_binade(unit), math::per_binade(size));
        let scale = Vec3A::new(per_unit, per_unit, per_size);
        for i in 0..3 {
            v[i] *= scale;
            rest[i] *= scale;
        }
        let (length, more) = exact::lengths(&v, &rest);
        let per_length = length.max(Vec3A::splat(f32::MIN_POSITIVE));
        let directions = v.map(|x| x / per_length);
        let [upper, lower, direction] = exact::side_by_side(directions);
        let measured = on_grid(length, more, grid(coordinate, scale));
        let lengths = given.map_or([measured.x, measured.y], |[a, b]| [a * per_unit, b * per_unit]);
        // Farther than this a target is only a direction, and nearer than that: its square has digits.
        let units = size * per_unit;
        let units = if units < 1e-12 { 0.0 } else { units.min(1e18) };
        Self {
            unit,
            bones: [upper, lower],
            direction: (length.z > 0.0).then_some(direction),
            reach: length.x + length.y,
            lengths,
            distance: (length.z * units, more.z * units),
        }
    }

    /// Whether the bones had a length and shall have one: only then is there a turn to tell.
    #[inline]
    pub(super) fn have_length(&self) -> [bool; 2] {
        let ([upper, lower], [a, b]) = (self.bones, self.lengths);
        [upper != Vec3A::ZERO && a > 0.0, lower != Vec3A::ZERO && b > 0.0]
    }
}

/// A grid for the distance of two joints that is a little coarser than what rounding them to f32
/// does to it: a length measured, laid out and measured again is the same number.
#[inline]
fn grid(coordinate: Vec3A, scale: Vec3A) -> Vec3A {
    // Two ends are each off by up to √3 / 2 units in the last place; half a grid step is 2.
    let step = coordinate.map(math::binade) * (4.0 * f32::EPSILON);
    // Far from the origin a limb may be nothing but rounding.
    (step * scale).min(Vec3A::splat(1e18))
}

/// The multiples of a grid that are nearest to lengths.
#[inline]
fn on_grid(length: Vec3A, rest: Vec3A, grid: Vec3A) -> Vec3A {
    // Two steps: a length can have more than the 2²² grid steps that one step takes.
    let coarse = exact::snap(exact::snap(length, Vec3A::splat(1.0 / 1024.0)), grid);
    let whole = coarse + exact::snap(length - coarse, grid);
    whole + exact::snap((length - whole) + rest, grid)
}
