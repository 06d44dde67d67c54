//! Measures a limb and the way to its target: three vectors side by side, one pass over x, y and z.

use glam::Vec3A;

use crate::math;
use crate::math::exact::{self, Trio};

/// What there is to measure: both bones, and the line from the root to the target.
pub(super) struct Tape {
    /// A power of two, so that nothing is lost by taking lengths in units of it.
    pub(super) unit: f32,
    pub(super) per_unit: f32,
    /// Upper bone, lower bone and target as seen from where they begin, side by side: the bones in
    /// units, the target in units of its own.
    pub(super) spans: Trio,
    /// What those are long.
    pub(super) span: Vec3A,
    /// And the inverse of that.
    pub(super) per_span: Vec3A,
    /// How long the bones shall be, in units.
    pub(super) lengths: [f32; 2],
    /// Whether a bone had a length and shall have one: only then is there a turn to tell.
    pub(super) have_length: [bool; 2],
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
        let bone = math::greater(math::greater(largest.x, largest.y), math::greater(a, b));
        let (unit, per_unit) = exact::binades(Vec3A::new(bone, bone, largest.z));
        for i in 0..3 {
            v[i] *= per_unit;
            rest[i] *= per_unit;
        }
        let (length, more, per_span) = exact::lengths(&v, &rest);
        let measured = on_grid(length, more, grid(coordinate, per_unit));
        let lengths = given.map_or(measured, |[a, b]| Vec3A::new(a, b, 0.0) * per_unit);
        let has_length = (length.cmpgt(Vec3A::ZERO) & lengths.cmpgt(Vec3A::ZERO)).bitmask();
        let units = unit.z * per_unit.x;
        // Farther than this a target is only a direction, and nearer than that: its square has
        // digits.
        let units = if units < 1e-12 { 0.0 } else { units.min(1e18) };
        Self {
            unit: unit.x,
            per_unit: per_unit.x,
            spans: v,
            span: length,
            per_span,
            lengths: [lengths.x, lengths.y],
            have_length: [has_length & 1 != 0, has_length & 2 != 0],
            distance: (length.z * units, more.z * units),
        }
    }
}

/// A grid for the distance of two joints that is a little coarser than what rounding them to f32
/// does to it: a length measured, laid out and measured again is the same number.
#[inline]
fn grid(coordinate: Vec3A, scale: Vec3A) -> Vec3A {
    // Two ends are each off by up to √3 / 2 units in the last place; half a grid step is 2.
    let step = exact::binades(coordinate).0 * (4.0 * f32::EPSILON);
    // Far from the origin a limb may be nothing but rounding.
    (step * scale).min(Vec3A::splat(1e18))
}

/// The multiples of a grid that are nearest to lengths.
#[inline]
fn on_grid(length: Vec3A, rest: Vec3A, grid: Vec3A) -> Vec3A {
    // A length can have more than the 2²² grid steps up to which this is the nearest: beyond, it is
    // a multiple next to the length.
    let whole = exact::snap(length, grid);
    let carry = exact::carry(grid);
    (((length - whole) + rest) + carry) - (carry - whole)
}
