//! Two bones for eight limbs at once.
//!
//! What most limbs are is done here, all eight in step, in the scalar function's own formulas. A
//! limb that is straight, folded or without length, whose target is on its root or whose pole is on
//! its line, is handed to that function, and so is every limb if the middle joint's range is less
//! than all or its reach is eased.

use core::f32::consts::PI;

use glam::Vec3;

use super::chain::{Points, Rotations};
use super::check::{are_unit, surely_within};
use super::wide::{F32x8, Mask};
use super::{Each, LANES, Quatx8, Vec3x8};
use crate::check::{MAX_COORDINATE, check_length};
use crate::error::{Error, Fault};
use crate::ik::two_bone::{CANCELLED, FLAT, ON_LINE, OPPOSITE, SHORT, TwoBone};
use crate::ik::{
    Bend, Effector, Pole, Solution, Status, TwoBoneSettings, two_bone_solve as solve_one,
};
use crate::math::exact::CUT;
use crate::rotation::unit;

/// Bends eight arms or legs of two bones: [`two_bone_solve`](crate::two_bone_solve) by lanes, with
/// its answers, degenerate cases and reports; `settings` are those of all eight.
///
/// Accuracy: bit for bit with the feature `deterministic`, else within 1e-5 of the reach and
/// 1e-4 rad.
///
/// # Errors
/// In each lane those of [`two_bone_solve`](crate::two_bone_solve).
///
/// ```
/// use sinew::glam::Vec3;
/// use sinew::lanes::{Quatx8, Vec3x8, two_bone_solve};
/// use sinew::{Pole, Status, TwoBoneSettings};
///
/// let mut legs = [Vec3::ZERO, Vec3::new(0.0, -0.5, 0.1), Vec3::NEG_Y].map(Vec3x8::splat);
/// let mut rotations = [Quatx8::IDENTITY; 3];
/// let feet = Vec3x8::from([0, 1, 2, 3, 4, 5, 6, 7].map(|i| Vec3::new(0.05 * i as f32, -0.8, 0.0)));
/// let bend = Pole::Direction(Vec3::Z).into();
/// let settings = TwoBoneSettings { bend, ..TwoBoneSettings::default() };
/// for solution in two_bone_solve(&mut legs, &mut rotations, feet, &settings) {
///     assert_eq!(solution?.status, Status::Reached);
/// }
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn two_bone_solve(
    positions: &mut [Vec3x8],
    rotations: &mut [Quatx8],
    targets: Vec3x8,
    settings: &TwoBoneSettings,
) -> Each<Solution> {
    let actual = positions.len();
    let Ok(joints) = <[Vec3x8; 3]>::try_from(&*positions) else {
        let fault = Fault::Length { expected: 3, actual };
        return [Err(Error::new("positions", fault)); LANES];
    };
    if let Err(error) = check_length("rotations", rotations.len(), 3) {
        return [Err(error); LANES];
    }
    let usual = if is_usual(settings) {
        let points = joints.into_iter().chain([targets]);
        surely_within(points, MAX_COORDINATE) & are_unit(rotations)
    } else {
        Mask::NONE
    };
    let mut each = [Err(Error::new("positions", Fault::NotFinite)); LANES];
    let solved = if usual.any() {
        let solved = solve(joints, rotations, targets, settings, usual);
        solved.report(targets, &mut each);
        solved.write(positions, rotations, settings);
        solved.usual
    } else {
        usual
    };
    for (lane, slot) in each.iter_mut().enumerate().filter(|(lane, _)| !solved.lane(*lane)) {
        let (mut p, mut r) = (Points::of(positions, lane), Rotations::of(rotations, lane));
        *slot = solve_one(p.slice(), r.slice(), targets.lane(lane), settings);
        if slot.is_ok() {
            p.put_back(positions, lane);
            r.put_back(rotations, lane);
        }
    }
    each
}

/// Whether the lanes can go in step.
fn is_usual(settings: &TwoBoneSettings) -> bool {
    settings.is_sound()
        && Vec3::is_bend(&settings.bend)
        && settings.range == [0.0, PI]
        && settings.softness == 0.0
}

/// Eight limbs as they shall be, in the lanes that are `usual`.
struct Solved {
    usual: Mask,
    middle: Vec3x8,
    effector: Vec3x8,
    root_rotation: Quatx8,
    middle_rotation: Quatx8,
    effector_rotation: Quatx8,
    reach: F32x8,
    out_of_reach: Mask,
}

impl Solved {
    fn report(&self, targets: Vec3x8, each: &mut Each<Solution>) {
        let gap = (self.effector - targets).length();
        let most = self.reach * 1e-5 + targets.largest() * (2.0 * f32::EPSILON);
        let reached = gap.le(most);
        for (lane, slot) in each.iter_mut().enumerate() {
            let status = if reached.lane(lane) {
                Status::Reached
            } else if self.out_of_reach.lane(lane) {
                Status::Unreachable
            } else {
                Status::Stalled
            };
            *slot = Ok(Solution { status, iterations: 1, distance: gap.lane(lane), angle: 0.0 });
        }
    }

    fn write(
        &self,
        positions: &mut [Vec3x8],
        rotations: &mut [Quatx8],
        settings: &TwoBoneSettings,
    ) {
        let usual = self.usual;
        if let [_, middle, effector] = positions {
            *middle = usual.select(self.middle, *middle);
            *effector = usual.select(self.effector, *effector);
        }
        if let [root, middle, effector] = rotations {
            *root = usual.select(self.root_rotation, *root);
            *middle = usual.select(self.middle_rotation, *middle);
            match settings.effector {
                Effector::Set(rotation) => {
                    *effector = usual.select(Quatx8::splat(rotation), *effector);
                }
                Effector::Follow => *effector = usual.select(self.effector_rotation, *effector),
                Effector::Keep => {}
            }
        }
    }
}

fn solve(
    [root, middle, effector]: [Vec3x8; 3],
    rotations: &[Quatx8],
    targets: Vec3x8,
    settings: &TwoBoneSettings,
    mut usual: Mask,
) -> Solved {
    let rotation = |joint: usize| rotations.get(joint).copied().unwrap_or_default();
    let spans = [(root, middle), (middle, effector), (root, targets)];
    let [upper, lower, aim] = spans.map(|(begin, end)| Span::new(begin, end));
    let [a, b] = settings.lengths.unwrap_or_default();
    let size = upper.v.largest().max(lower.v.largest()).max(F32x8::splat(a)).max(F32x8::splat(b));
    let unit = size.binade();
    let aim_unit = aim.v.largest().binade();
    let (per_unit, per_aim) = (F32x8::ONE / unit, F32x8::ONE / aim_unit);
    let upper = upper.measured(per_unit);
    let lower = lower.measured(per_unit);
    let aim = aim.measured(per_aim);
    let zero = F32x8::ZERO;
    usual = usual & upper.length.gt(zero) & lower.length.gt(zero) & aim.length.gt(zero);
    let lengths = match settings.lengths {
        Some([a, b]) => [per_unit * a, per_unit * b],
        None => [upper.on_grid, lower.on_grid],
    };
    usual = usual & lengths[0].gt(zero) & lengths[1].gt(zero);
    let units = (aim_unit * per_unit).min(F32x8::splat(1e18));
    let distance = (aim.length * units, aim.more * units);

    let limb = Limb {
        root,
        bones: [upper.v, lower.v],
        lengths: [upper.length, lower.length],
        line: (effector - root) * per_unit,
    };
    let old = limb.normal(&settings.bend, rotation(1), &mut usual);
    let new = limb.new_normal(&settings.bend, old, &aim, &mut usual);
    let triangle = Triangle::new(lengths, distance, settings.max_stretch, &mut usual);
    let direction = aim.v / aim.length;
    let [first, second] = triangle.bones(lengths, direction, direction.cross(new));

    let scale = unit * triangle.stretch;
    let knee = first.laid_out((root, Vec3x8::ZERO), scale);
    let tip = second.laid_out(knee, scale);
    let from = [upper, lower].map(|bone| bone.v * bone.per_length);
    if settings.bend.axis.is_some() {
        let flat = F32x8::splat(FLAT);
        usual = usual & old.dot(from[0]).abs().lt(flat) & old.dot(from[1]).abs().lt(flat);
    }
    let turn = turn((from[0], old), (first.direction(), new), &mut usual);
    let last = self::turn((from[1], old), (second.direction(), new), &mut usual);
    Solved {
        usual,
        middle: knee.0 + knee.1,
        effector: tip.0 + tip.1,
        root_rotation: (turn * rotation(0)).normalized(),
        middle_rotation: (last * rotation(1)).normalized(),
        effector_rotation: (last * rotation(2)).normalized(),
        reach: (lengths[0] + lengths[1]) * unit,
        out_of_reach: triangle.out_of_reach,
    }
}

/// `a + b`, and what rounding has left of it.
fn sum(a: Vec3x8, b: Vec3x8) -> (Vec3x8, Vec3x8) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// From one joint to another, and what rounding has left of it.
struct Span {
    v: Vec3x8,
    rest: Vec3x8,
    /// The largest coordinate of the ends.
    coordinate: F32x8,
}

/// A span in units: its length and the inverse of that, what rounding has left of it, and the length
/// that is measured again when the limb comes back.
#[derive(Clone, Copy)]
struct Measured {
    v: Vec3x8,
    length: F32x8,
    per_length: F32x8,
    more: F32x8,
    on_grid: F32x8,
}

impl Span {
    fn new(begin: Vec3x8, end: Vec3x8) -> Self {
        let v = end - begin;
        let part = v - end;
        let rest = (end - (v - part)) - (begin + part);
        Self { v, rest, coordinate: begin.largest().max(end.largest()) }
    }

    fn measured(&self, per_unit: F32x8) -> Measured {
        let (v, rest) = (self.v * per_unit, self.rest * per_unit);
        let length = v.length();
        let per_length = F32x8::ONE / length.max(F32x8::splat(f32::MIN_POSITIVE));
        let more = excess(v, rest, length) * (per_length * 0.5);
        let step = self.coordinate.binade() * (4.0 * f32::EPSILON);
        let grid = (step * per_unit).min(F32x8::splat(1e18));
        let whole = length.snap(grid);
        let on_grid = whole + ((length - whole) + more).snap(grid);
        Measured { v, length, per_length, more, on_grid }
    }
}

/// `|v + rest|² - length²` as [`crate::math::exact::lengths`] has it.
fn excess(v: Vec3x8, rest: Vec3x8, length: F32x8) -> F32x8 {
    let rests = v.dot(rest);
    let (mut squares, mut mixed, mut small) = (F32x8::ZERO, F32x8::ZERO, rests + rests);
    let cut = F32x8::splat(CUT);
    for x in [v.x, v.y, v.z] {
        let upper = x.snap(cut);
        let lower = x - upper;
        let product = (upper + upper) * lower;
        let product_upper = product.snap(F32x8::splat(CUT * CUT * CUT));
        squares = squares + upper * upper;
        mixed = mixed + product_upper;
        small = small + ((product - product_upper) + lower * lower);
    }
    let upper = length.snap(cut);
    let lower = length - upper;
    let mixed = ((squares - upper * upper) + mixed) - (upper + upper) * lower;
    mixed + (small - lower * lower)
}

/// `|v|² - length²` as [`crate::math::exact::rough_excess`] has it.
fn rough_excess(v: Vec3x8, length: F32x8) -> F32x8 {
    let (mut squares, mut small) = (F32x8::ZERO, F32x8::ZERO);
    let cut = F32x8::splat(CUT);
    for x in [v.x, v.y, v.z] {
        let upper = x.snap(cut);
        squares = squares + upper * upper;
        small = small + (x - upper) * (x + upper);
    }
    let upper = length.snap(cut);
    (squares - upper * upper) + (small - (length - upper) * (length + upper))
}

/// The limbs as they are, in units.
struct Limb {
    root: Vec3x8,
    bones: [Vec3x8; 2],
    /// Of the bones.
    lengths: [F32x8; 2],
    /// From the root to the effector.
    line: Vec3x8,
}

impl Limb {
    fn normal(&self, bend: &Bend, middle: Quatx8, usual: &mut Mask) -> Vec3x8 {
        if let Some(axis) = bend.axis.and_then(unit) {
            return middle.normalized().rotate(Vec3x8::splat(axis));
        }
        let ([upper, lower], [a, b]) = (self.bones, self.lengths);
        let cross = upper.cross(lower);
        let (square, least) = (cross.dot(cross), (a * b) * FLAT);
        *usual = *usual & square.gt(least * least);
        cross * (F32x8::ONE / square.sqrt())
    }

    fn new_normal(&self, bend: &Bend, normal: Vec3x8, aim: &Measured, usual: &mut Mask) -> Vec3x8 {
        let pole = match bend.pole {
            Pole::Keep => return self.carried(normal, aim.v / aim.length, usual),
            Pole::Point(p) => Vec3x8::splat(p) - self.root,
            Pole::Direction(d) => Vec3x8::splat(d),
        };
        let across = pole.cross(aim.v);
        let (square, sine) = (pole.dot(pole), across.dot(across));
        let least = aim.length * CANCELLED;
        *usual = *usual & square.gt(F32x8::splat(SHORT)) & sine.gt(least * least * square);
        across * (F32x8::ONE / sine.sqrt())
    }

    /// The old normal, turned with the line by the shortest arc.
    fn carried(&self, normal: Vec3x8, direction: Vec3x8, usual: &mut Mask) -> Vec3x8 {
        let length = self.line.length();
        let line = self.line / length;
        let half = line + direction;
        let square = half.dot(half);
        let least = F32x8::splat(ON_LINE * ON_LINE);
        *usual = *usual & length.gt((self.lengths[0] + self.lengths[1]) * 1e-6) & square.ge(least);
        let carried = normal - half * (half.dot(normal) * 2.0 / square)
            + direction * (line.dot(normal) * 2.0);
        let across = carried - direction * carried.dot(direction);
        let square = across.dot(across);
        *usual = *usual & square.gt(F32x8::splat(CANCELLED * CANCELLED));
        across * (F32x8::ONE / square.sqrt())
    }
}

/// The triangles of two bones and the line from the root to the effector.
struct Triangle {
    base: F32x8,
    end: F32x8,
    near: F32x8,
    far: F32x8,
    stretch: F32x8,
    out_of_reach: Mask,
}

impl Triangle {
    fn new(
        [a, b]: [F32x8; 2],
        (distance, rest): (F32x8, F32x8),
        max_stretch: f32,
        usual: &mut Mask,
    ) -> Self {
        let (longer, shorter) = (a.max(b), a.min(b));
        let end = F32x8::ONE.copysign((distance * distance - a * a) - b * b);
        let most = longer + end * shorter;
        let more = end * shorter - (most - longer);
        let within = ((most - distance) + (more - rest)) * (end * (most + distance));
        let whole = a * 4.0 * b;
        let near = within.max(F32x8::ZERO).min(whole);
        let base = within.gt(F32x8::ZERO).select(distance, most);
        *usual = *usual & base.ge(F32x8::splat(f32::MIN_POSITIVE));
        let most = F32x8::splat(max_stretch);
        let is_stretched = distance.gt(base) & most.gt(F32x8::ONE);
        let stretch = is_stretched.select((distance / base).min(most), F32x8::ONE);
        let out_of_reach = distance.gt((a + b) * max_stretch) | distance.lt((a - b).abs());
        Self { base, end, near, far: whole - near, stretch, out_of_reach }
    }

    /// The two bones in the plane of the base's direction and one across it.
    fn bones(&self, [a, b]: [F32x8; 2], direction: Vec3x8, out: Vec3x8) -> [Bone; 2] {
        let half = F32x8::splat(0.5) / self.base;
        let height = (self.near * self.far).sqrt() * half;
        let short = self.end * self.near;
        [(height, a, b), (-height, b, a)].map(|(height, length, other)| {
            let along = ((length + length) * (length + self.end * other) - short) * half;
            let vector = direction * along + out * height;
            let per_length = F32x8::ONE / length.max(F32x8::splat(f32::MIN_POSITIVE));
            let missing = rough_excess(vector, length) * -0.5 * per_length * per_length;
            Bone { vector, per_length, missing }
        })
    }
}

/// A bone as it shall be, and by what share of it rounding has left it too short.
struct Bone {
    vector: Vec3x8,
    per_length: F32x8,
    missing: F32x8,
}

impl Bone {
    fn direction(&self) -> Vec3x8 {
        self.vector * self.per_length
    }

    fn laid_out(&self, (begin, left): (Vec3x8, Vec3x8), scale: F32x8) -> (Vec3x8, Vec3x8) {
        let vector = self.vector * scale;
        let (end, more) = sum(begin, vector);
        (end, more + (left + vector * self.missing))
    }
}

/// The turn that takes a bone and a normal to others, where the bone does not turn back on itself.
fn turn((from, old): (Vec3x8, Vec3x8), (to, new): (Vec3x8, Vec3x8), usual: &mut Mask) -> Quatx8 {
    let opposite = F32x8::splat(OPPOSITE);
    let cosine = from.dot(to);
    *usual = *usual & cosine.ge(opposite);
    let (half, axis) = (from + to, from.cross(to));
    let along = F32x8::ONE + cosine;
    // The cosine and the sine of the twist, times `along`.
    let share = half.dot(old);
    let cos = along * old.dot(new) - share * half.dot(new);
    let sin = along * to.dot(old.cross(new)) + share * axis.dot(new);
    // Of half the angle; close to half a turn the first form cancels.
    let first = cos.gt(along * opposite);
    let (cos, sin) = (first.select(along + cos, sin), first.select(sin, along - cos));
    Quatx8::from_parts(axis * cos + half * sin, along * cos)
}
