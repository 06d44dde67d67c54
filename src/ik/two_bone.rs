//! Two bones in closed form: arms, legs, fingers of two joints.
//!
//! The bones and the line from the root to the target are the sides of a triangle. Its height and
//! where its foot lies follow from the sides by products of sums and differences, which keep their
//! digits where an arc cosine of the law of cosines has none left: straight and folded.
//!
//! Kahan (1986, revised 2014), "Miscalculating Area and Angles of a Needle-like Triangle".

use core::f32::consts::PI;

use glam::{DMat3, DQuat, DVec3, Quat, Vec2, Vec3};

use super::{Pole, Solution, Status};
use crate::chain::check_pose;
use crate::error::{Error, Fault, check_bounds, check_range};
use crate::math;
use crate::rotation::{Rot2, Rotation, check_axis, check_rotation, perpendicular, unit};
use crate::space::{Vector, check_length, check_vector};

/// How [`two_bone_solve`] goes about it: as it stands in 3D, `TwoBoneSettings<Side, Rot2>` in 2D.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        default,
        bound(deserialize = "B: Default + serde::Deserialize<'de>, R: serde::Deserialize<'de>")
    )
)]
pub struct TwoBoneSettings<B = Bend, R = Quat> {
    /// To which side the middle joint bends: a [`Bend`] in 3D, a [`Side`] in 2D.
    pub bend: B,
    /// The least and the most that the middle joint bends, in radians: 0 is straight, π folded.
    pub range: [f32; 2],
    /// The last share of the reach that is eased, in `[0, 1]`, so that the middle joint does not
    /// snap straight; see [`soft_reach`](crate::soft_reach).
    pub softness: f32,
    /// By how much both bones may be lengthened to get to the target, at least 1. With softness
    /// they are lengthened where the easing would leave the target out of reach.
    pub max_stretch: f32,
    /// How long the bones are, unstretched; at least 0. `None`: as long as they are in
    /// `positions`. Give them where a stretched result is fed back.
    pub lengths: Option<[f32; 2]>,
    /// What becomes of the effector's rotation.
    pub effector: Effector<R>,
}

impl<B: Default, R> Default for TwoBoneSettings<B, R> {
    fn default() -> Self {
        Self {
            bend: B::default(),
            range: [0.0, PI],
            softness: 0.0,
            max_stretch: 1.0,
            lengths: None,
            effector: Effector::Follow,
        }
    }
}

impl<B, R: Rotation> TwoBoneSettings<B, R> {
    fn check(&self) -> Result<(), Error> {
        let names = ("settings.range[0]", "settings.range[1]");
        let [least, most] = self.range;
        check_bounds(names, least, most)?;
        check_range(names.0, least, 0.0, PI)?;
        check_range(names.1, most, 0.0, PI)?;
        check_range("settings.softness", self.softness, 0.0, 1.0)?;
        check_range("settings.max_stretch", self.max_stretch, 1.0, f32::MAX)?;
        for length in self.lengths.iter().flatten() {
            check_range("settings.lengths", *length, 0.0, crate::MAX_COORDINATE)?;
        }
        match self.effector {
            Effector::Set(rotation) => check_rotation("settings.effector", rotation),
            Effector::Follow | Effector::Keep => Ok(()),
        }
    }
}

/// What becomes of an effector's rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effector<R> {
    /// It keeps its relation to the last bone.
    #[default]
    Follow,
    /// It stays as it is, in the space that the chain is given in: a foot stays flat.
    Keep,
    /// It becomes this: a hand takes a grip.
    Set(R),
}

/// To which side a limb of the plane bends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The side that it is bent to; a straight limb bends to the right.
    #[default]
    Keep,
    /// The middle joint lies to the left of the line from the root to the target.
    Left,
    /// The middle joint lies to the right of that line.
    Right,
}

/// To which side a limb of space bends, and about which axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Bend {
    /// What the middle joint points at.
    pub pole: Pole,
    /// The middle joint's hinge in its own frame, of any length but zero, right-handed from
    /// straight to bent. `None`: across the plane that the bones lie in. Give it where a limb comes
    /// straight or bent the wrong way, for then the bones do not tell.
    pub axis: Option<Vec3>,
}

impl From<Pole> for Bend {
    fn from(pole: Pole) -> Self {
        Self { pole, axis: None }
    }
}

/// Brings the effector of two bones to a target in closed form.
///
/// `positions` and `rotations` are the world poses of three joints: root, middle, effector. The
/// root stays, the bones keep their lengths unless stretch is allowed, and the joints turn by what
/// their bones turn, with the plane of the bend: a knee's axis stays the knee's axis, whatever axes
/// the rig is built on. It is continuous in the target through full reach and through the nearest
/// point of reach; there the limb is straight or folded, and stays so beyond, pointed at the
/// target.
///
/// The bend points at the pole as nearly as the line to the target lets it. A pole on that line (to
/// 1e-6 of its distance) does not say where to: then the plane that the limb is bent in is kept, as
/// without a pole.
///
/// [`Status::Stalled`] if the range of the middle joint or the easing keeps the effector from a
/// target that the bones could get to. Reached is 1e-5 of the reach, or what the coordinates of the
/// target can tell.
///
/// Degenerate: a target on the root is approached along the line that the limb had. A limb that is
/// straight, to 1e-3 rad, has no plane unless [`Bend::axis`] gives it one: it takes the pole's and
/// without a pole the one along [`perpendicular`] of its line in the root's frame, and from there
/// blends into its own. A joint whose bone has no length turns with the bone before it; the root
/// does not turn then.
///
/// Accuracy: positions are within 2e-6 of the reach of the exact ones. Lengths are measured in
/// double precision and then rounded to four units in the last place of the coordinates, so that
/// they do not drift however often a result is fed back.
///
/// Source: the law of cosines, with the area by Kahan (1986), "Miscalculating Area and Angles of a
/// Needle-like Triangle"; the easing by Nicholas (2010), "Soft IK".
///
/// # Errors
/// Other than three joints; a number that is not finite; a coordinate beyond
/// [`MAX_COORDINATE`](crate::MAX_COORDINATE); a rotation not of unit length; a setting outside its
/// documented range. The slices are then as they were.
///
/// ```
/// use sinew::{Pole, Status, TwoBoneSettings, glam::{Quat, Vec3}, two_bone_solve};
///
/// let mut positions = [Vec3::Y * 2.0, Vec3::Y, Vec3::ZERO];
/// let mut rotations = [Quat::IDENTITY; 3];
/// let settings = TwoBoneSettings { bend: Pole::Direction(Vec3::Z).into(), ..Default::default() };
/// let foot = Vec3::new(0.0, 0.5, 0.5);
/// let solution = two_bone_solve(&mut positions, &mut rotations, foot, &settings)?;
/// assert_eq!(solution.status, Status::Reached);
/// assert!(positions[2].distance(foot) < 1e-5 && positions[1].z > 0.5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn two_bone_solve<V: TwoBone>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    target: V,
    settings: &TwoBoneSettings<V::Bend, V::Rotation>,
) -> Result<Solution, Error> {
    let (joints, entries) = (positions.len(), rotations.len());
    let [root, middle, effector] = positions else {
        return Err(Error::new("positions", Fault::Length { expected: 3, actual: joints }));
    };
    check_length("rotations", entries, 3)?;
    let [root_rotation, middle_rotation, effector_rotation] = rotations else {
        return Err(Error::new("rotations", Fault::Length { expected: 3, actual: entries }));
    };
    check_pose(
        ("positions", "rotations"),
        &[*root, *middle, *effector],
        &[*root_rotation, *middle_rotation, *effector_rotation],
    )?;
    check_vector("target", target)?;
    V::check_bend(&settings.bend)?;
    settings.check()?;

    let lengths = settings
        .lengths
        .map_or_else(|| [length(*root, *middle), length(*middle, *effector)], |l| l.map(f64::from));
    let limb = Limb {
        root: *root,
        upper: middle.wide() - root.wide(),
        lower: effector.wide() - middle.wide(),
        rotations: [*root_rotation, *middle_rotation],
    };
    let to_target = target.wide() - root.wide();
    let distance = to_target.length();
    let triangle = Triangle::new(lengths, distance, settings);

    let old = V::normal(&settings.bend, &limb);
    let direction = if distance > 0.0 { to_target / distance } else { limb.direction(old) };
    let new = V::new_normal(&settings.bend, &limb, old, direction);
    let out = direction.cross(new);
    let upper = direction * triangle.along + out * triangle.height;
    let lower = direction * (triangle.base - triangle.along) - out * triangle.height;

    let first = V::turn((limb.upper, old), (upper, new));
    let second = V::turn((limb.lower, old), (lower, new)).or(first);
    *middle = V::narrow(root.wide() + upper);
    *effector = V::narrow(root.wide() + direction * triangle.base);
    if let Some(turn) = first {
        *root_rotation = (turn * *root_rotation).normalized();
    }
    if let Some(turn) = second {
        *middle_rotation = (turn * *middle_rotation).normalized();
    }
    match (settings.effector, second) {
        (Effector::Set(rotation), _) => *effector_rotation = rotation,
        (Effector::Follow, Some(turn)) => {
            *effector_rotation = (turn * *effector_rotation).normalized();
        }
        (Effector::Follow, None) | (Effector::Keep, _) => {}
    }
    let gap = effector.distance(target);
    let status = triangle.status(gap, target.largest());
    Ok(Solution { status, iterations: 1, distance: gap, angle: 0.0 })
}

/// The distance of two joints, rounded to a grid that is a little coarser than what rounding them
/// to f32 does to it: a length measured, laid out and measured again is the same number.
fn length<V: TwoBone>(a: V, b: V) -> f64 {
    // Two ends are each off by up to √3 / 2 units in the last place; half a grid step is 2.
    const GRID: f64 = 4.0 * f32::EPSILON as f64;
    // Added to a number below 2⁵⁰ grid steps and taken off again, it leaves whole steps.
    const ROUNDER: f64 = 1.5 * (1_u64 << 52) as f64;
    let carry = GRID * f64::from(math::binade(a.largest().max(b.largest()))) * ROUNDER;
    ((b.wide() - a.wide()).length() + carry) - carry
}

/// A limb as it came.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limb<V: Vector> {
    root: V,
    upper: DVec3,
    lower: DVec3,
    /// Of the root and the middle joint.
    rotations: [V::Rotation; 2],
}

impl<V: Vector> Limb<V> {
    /// From root to effector, of unit length; `None` if the effector is at the root, to what
    /// rounding leaves of a folded limb.
    fn line(&self) -> Option<DVec3> {
        let line = self.upper + self.lower;
        let length = line.length();
        (length > 1e-6 * (self.upper.length() + self.lower.length())).then(|| line / length)
    }

    /// Where a target at the root counts as being: where the effector is, and for a folded limb
    /// such that its bend stays.
    fn direction(&self, normal: DVec3) -> DVec3 {
        self.line().unwrap_or_else(|| {
            let across = normal.cross(self.upper);
            unit_or(across, DVec3::X)
        })
    }
}

/// The triangle of two bones and the line from the root to where the effector goes.
struct Triangle {
    /// From the root to the effector.
    base: f64,
    /// From the root to the foot of the height, along the base.
    along: f64,
    /// The middle joint's distance from the base.
    height: f64,
    /// Whether the bones' lengths alone, stretched as they may be, keep the effector away.
    out_of_reach: bool,
    longest: f64,
}

impl Triangle {
    fn new<B, R>([a, b]: [f64; 2], distance: f64, settings: &TwoBoneSettings<B, R>) -> Self {
        let [least, most] = settings.range;
        let (longest, shortest) = (base_at(a, b, least), base_at(a, b, most));
        let wanted = distance.max(shortest);
        let base = soften(wanted, longest, f64::from(settings.softness)).max(shortest);
        let max_stretch = f64::from(settings.max_stretch);
        let (along, height) = if base > 0.0 {
            // Heron's formula, with the differences first: exact at 0, and never below it.
            let area = (a + b + base) * (a + b - base) * (base + (a - b)) * (base - (a - b));
            (0.5 * (base + (a - b) * (a + b) / base), 0.5 * math::sqrt_f64(area.max(0.0)) / base)
        } else {
            (0.0, a)
        };
        let stretch = if distance > base && base > 0.0 && max_stretch > 1.0 {
            (distance / base).min(max_stretch)
        } else {
            1.0
        };
        Self {
            base: base * stretch,
            along: along * stretch,
            height: height * stretch,
            out_of_reach: distance > (a + b) * max_stretch || distance < (a - b).abs(),
            longest: a + b,
        }
    }

    #[allow(clippy::cast_possible_truncation)] // A tolerance needs no more digits.
    fn status(&self, gap: f32, coordinate: f32) -> Status {
        // What a closed form leaves is rounding: of the lengths, and of the positions.
        if gap <= 1e-5 * self.longest as f32 + 2.0 * f32::EPSILON * coordinate {
            Status::Reached
        } else if self.out_of_reach {
            Status::Unreachable
        } else {
            Status::Stalled
        }
    }
}

/// From root to effector where the middle joint is bent by an angle in `[0, π]`.
fn base_at(a: f64, b: f64, bend: f32) -> f64 {
    if bend <= 0.0 {
        a + b
    } else if bend >= PI {
        (a - b).abs()
    } else {
        // The law of cosines by the half angle whose square takes least away.
        let (sin, cos) = math::sin_cos(0.5 * bend);
        let (sin, cos) = (f64::from(sin), f64::from(cos));
        if sin < cos {
            math::sqrt_f64((a + b) * (a + b) - 4.0 * a * b * sin * sin)
        } else {
            math::sqrt_f64((a - b) * (a - b) + 4.0 * a * b * cos * cos)
        }
    }
}

/// [`math::soften`] with the digits that a nearly straight limb needs of what is left to the limit,
/// and a stretched one of how far it has come past the knee.
#[allow(clippy::cast_possible_truncation)] // An exponent's f32 is exact enough for its power.
fn soften(x: f64, limit: f64, softness: f64) -> f64 {
    let soft = softness * limit;
    let knee = limit - soft;
    if x <= knee || soft <= 0.0 {
        x.min(limit)
    } else {
        let exponent = ((knee - x) / soft) as f32;
        if exponent > -1.0 {
            knee - soft * f64::from(math::expm1(exponent))
        } else {
            limit - soft * f64::from(math::exp(exponent))
        }
    }
}

/// What lets two bones bend in the plane and in space.
///
/// Sealed, as [`Vector`] is.
pub trait TwoBone: Vector {
    /// To which side a limb bends.
    type Bend: Copy + core::fmt::Debug + Default + PartialEq + Send + Sync + 'static;

    #[doc(hidden)]
    fn check_bend(bend: &Self::Bend) -> Result<(), Error>;

    /// In double precision; the plane is that of x and y.
    #[doc(hidden)]
    #[must_use]
    fn wide(self) -> DVec3;

    #[doc(hidden)]
    #[must_use]
    fn narrow(wide: DVec3) -> Self;

    /// The axis, of unit length, about which the limb is bent as it came.
    #[doc(hidden)]
    #[must_use]
    fn normal(bend: &Self::Bend, limb: &Limb<Self>) -> DVec3;

    /// The axis that it will be bent about, across the direction of its target.
    #[doc(hidden)]
    #[must_use]
    fn new_normal(bend: &Self::Bend, limb: &Limb<Self>, normal: DVec3, direction: DVec3) -> DVec3;

    /// What turns one bone and normal into another; `None` for a bone without length.
    #[doc(hidden)]
    #[must_use]
    fn turn(from: (DVec3, DVec3), to: (DVec3, DVec3)) -> Option<Self::Rotation>;
}

impl TwoBone for Vec2 {
    type Bend = Side;

    fn check_bend(_: &Side) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn wide(self) -> DVec3 {
        DVec3::new(self.x.into(), self.y.into(), 0.0)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // Back to f32 is the point.
    fn narrow(wide: DVec3) -> Self {
        Self::new(wide.x as f32, wide.y as f32)
    }

    #[inline]
    fn normal(_: &Side, limb: &Limb<Self>) -> DVec3 {
        if limb.upper.cross(limb.lower).z < 0.0 { DVec3::NEG_Z } else { DVec3::Z }
    }

    #[inline]
    fn new_normal(side: &Side, _: &Limb<Self>, normal: DVec3, _: DVec3) -> DVec3 {
        match side {
            Side::Keep => normal,
            // A middle joint on the left turns clockwise.
            Side::Left => DVec3::NEG_Z,
            Side::Right => DVec3::Z,
        }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // Back to f32 is the point.
    fn turn((from, _): (DVec3, DVec3), (to, _): (DVec3, DVec3)) -> Option<Rot2> {
        let (cos, sin) = (from.dot(to), from.cross(to).z);
        let length = math::sqrt_f64(cos * cos + sin * sin);
        (length > 0.0).then(|| Rot2 { cos: (cos / length) as f32, sin: (sin / length) as f32 })
    }
}

/// Bones closer to one line than this (sine of the angle) lose their plane to the pole's, little by
/// little: of a bend of a thousandth, rounding to f32 leaves three digits of the plane.
const FLAT: f64 = 1e-3;

/// A pole closer to the line to the target than this (sine of the angle) counts as on it: rounding
/// to f32 decides to which side it is.
const ON_LINE: f64 = 1e-6;

impl TwoBone for Vec3 {
    type Bend = Bend;

    fn check_bend(bend: &Bend) -> Result<(), Error> {
        bend.pole.check("settings.bend.pole")?;
        bend.axis.map_or(Ok(()), |axis| check_axis("settings.bend.axis", axis).map(|_| ()))
    }

    #[inline]
    fn wide(self) -> DVec3 {
        self.as_dvec3()
    }

    #[inline]
    fn narrow(wide: DVec3) -> Self {
        wide.as_vec3()
    }

    #[inline]
    fn normal(bend: &Bend, limb: &Limb<Self>) -> DVec3 {
        if let Some(axis) = bend.axis.and_then(unit) {
            let [_, middle] = limb.rotations;
            return unit_or(middle.as_dquat() * axis.as_dvec3(), DVec3::Z);
        }
        let cross = limb.upper.cross(limb.lower);
        let square = cross.length_squared();
        let lengths_squared = limb.upper.length_squared() * limb.lower.length_squared();
        if square > FLAT * FLAT * lengths_squared {
            return cross / math::sqrt_f64(square);
        }
        let flat = flat_normal(bend, limb);
        if lengths_squared > 0.0 {
            let own = cross / math::sqrt_f64(lengths_squared);
            unit_or(own + flat * (FLAT - own.length()), flat)
        } else {
            flat
        }
    }

    #[inline]
    fn new_normal(bend: &Bend, limb: &Limb<Self>, normal: DVec3, direction: DVec3) -> DVec3 {
        if let Some(pole) = bend.pole.seen_from(limb.root) {
            let across = pole.cross(direction);
            let square = across.length_squared();
            if square > ON_LINE * ON_LINE * pole.length_squared() {
                return across / math::sqrt_f64(square);
            }
        }
        let carried = limb.line().map_or(normal, |line| carry(normal, line, direction));
        let across = carried - direction * carried.dot(direction);
        if across.length_squared() > ON_LINE * ON_LINE {
            across.normalize()
        } else {
            perpendicular(direction.as_vec3()).as_dvec3().cross(direction).normalize()
        }
    }

    #[inline]
    fn turn(from: (DVec3, DVec3), to: (DVec3, DVec3)) -> Option<Quat> {
        let ((from, old), (to, new)) = (across(from)?, across(to)?);
        let from = DMat3::from_cols(from, old, from.cross(old));
        let to = DMat3::from_cols(to, new, to.cross(new));
        Some(DQuat::from_mat3(&(to * from.transpose())).as_quat())
    }
}

/// A bone's direction, and the unit vector of its normal's part across it; a normal along the bone
/// is replaced. `None` for a bone without length.
#[inline]
fn across((bone, normal): (DVec3, DVec3)) -> Option<(DVec3, DVec3)> {
    let length = bone.length();
    if length <= 0.0 {
        return None;
    }
    let bone = bone / length;
    let along = normal.dot(bone);
    // The bones' own normal is across them but for rounding.
    if along.abs() < 1e-12 {
        return Some((bone, normal));
    }
    let part = normal - bone * along;
    let other = perpendicular(bone.as_vec3()).as_dvec3();
    let part = if part.length_squared() > ON_LINE * ON_LINE { part } else { other };
    Some((bone, (part - bone * part.dot(bone)).normalize()))
}

/// The normal of a straight limb: the pole's, or one that turns with the root.
fn flat_normal(bend: &Bend, limb: &Limb<Vec3>) -> DVec3 {
    let line = limb.line().unwrap_or(unit_or(limb.upper, DVec3::X));
    if let Some(pole) = bend.pole.seen_from(limb.root) {
        let across = pole.cross(line);
        if across.length_squared() > ON_LINE * ON_LINE * pole.length_squared() {
            return across.normalize();
        }
    }
    let [root, _] = limb.rotations;
    let local = root.conjugate() * line.as_vec3();
    let out = (root * perpendicular(local)).as_dvec3();
    unit_or(out.cross(line), DVec3::Z)
}

/// Turns `v` by the shortest arc between two unit vectors; opposite ones leave it as it is.
fn carry(v: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let (cos, axis) = (from.dot(to), from.cross(to));
    // Half a turn but for rounding: any axis would do, and the bend's own keeps the plane.
    if cos < -1.0 + ON_LINE * ON_LINE {
        return v;
    }
    v * cos + axis.cross(v) + axis * (axis.dot(v) / (1.0 + cos))
}

fn unit_or(v: DVec3, other: DVec3) -> DVec3 {
    let length = v.length();
    if length > 0.0 { v / length } else { other }
}
