//! Chains of joints: world and local poses, reach, blending, and what to do at full reach.

use crate::check::{MAX_COORDINATE, check_length, check_range};
use crate::error::{Error, Fault};
use crate::math::{self, snap};
use crate::packed::Packed;
use crate::rotation::{Product, Rotation, check_rotation};
use crate::space::{Vector, check_vector, check_vectors};

/// World poses from local ones.
///
/// `offsets[i]` is joint i's position in its parent's frame and `locals[i]` its rotation relative
/// to the parent; joint 0's are its pose in the space that the answer is in. All four slices have
/// one entry a joint. Rotations come back with unit length to rounding.
///
/// # Errors
/// Slices of different lengths; a number that is not finite, a coordinate beyond
/// [`MAX_COORDINATE`], a rotation not of unit length.
///
/// ```
/// use sinew::{Rot2, forward_kinematics, glam::Vec2};
///
/// let quarter = Rot2::from_angle(core::f32::consts::FRAC_PI_2);
/// let (mut positions, mut rotations) = ([Vec2::ZERO; 3], [Rot2::IDENTITY; 3]);
/// forward_kinematics(&[Vec2::ZERO, Vec2::X, Vec2::X], &[quarter; 3], &mut positions, &mut rotations)?;
/// assert!(positions[2].distance(Vec2::new(-1.0, 1.0)) < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn forward_kinematics<V: Vector>(
    offsets: &[V],
    locals: &[V::Rotation],
    positions: &mut [V],
    rotations: &mut [V::Rotation],
) -> Result<(), Error> {
    check_length("locals", locals.len(), offsets.len())?;
    check_length("positions", positions.len(), offsets.len())?;
    check_length("rotations", rotations.len(), offsets.len())?;
    check_pose(("offsets", "locals"), offsets, locals)?;
    positions.copy_from_slice(offsets);
    rotations.copy_from_slice(locals);
    compose(positions, rotations);
    Ok(())
}

/// Local poses to world poses, in place: [`forward_kinematics`] without a second pair of slices.
///
/// # Errors
/// As [`forward_kinematics`].
pub fn to_world<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
) -> Result<(), Error> {
    check_length("rotations", rotations.len(), positions.len())?;
    check_pose(("positions", "rotations"), positions, rotations)?;
    compose(positions, rotations);
    Ok(())
}

/// World poses to local poses, in place: afterwards `positions[i]` is joint i's position in its
/// parent's frame and `rotations[i]` its rotation relative to the parent. Joint 0 stays as it is.
///
/// # Errors
/// As [`forward_kinematics`].
///
/// ```
/// use sinew::{Rot2, glam::Vec2, to_local, to_world};
///
/// let turned = Rot2::from_angle(0.7);
/// let mut positions = [Vec2::X, Vec2::X + turned * Vec2::Y];
/// let mut rotations = [turned, turned];
/// to_local(&mut positions, &mut rotations)?;
/// assert!(positions[1].distance(Vec2::Y) < 1e-6 && rotations[1].angle().abs() < 1e-6);
/// to_world(&mut positions, &mut rotations)?;
/// assert!(positions[1].distance(Vec2::X + turned * Vec2::Y) < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn to_local<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
) -> Result<(), Error> {
    check_length("rotations", rotations.len(), positions.len())?;
    check_pose(("positions", "rotations"), positions, rotations)?;
    let mut parent: Option<(V, V::Rotation)> = None;
    for (position, rotation) in positions.iter_mut().zip(rotations) {
        let world = (*position, *rotation);
        if let Some((parent_position, parent_rotation)) = parent {
            let inverse = parent_rotation.inverse();
            *position = inverse.rotate(*position - parent_position);
            *rotation = (inverse * *rotation).normalized();
        }
        parent = Some(world);
    }
    Ok(())
}

/// How near to its root, and how far from it, a chain's effector can be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reach {
    /// The shortest distance: above 0 where one bone is longer than all the others together.
    pub shortest: f32,
    /// The longest distance: the sum of the bones.
    pub longest: f32,
}

/// The reach of a chain by the lengths of its bones, whatever its limits; `positions` root first.
///
/// # Errors
/// A coordinate that is not finite or beyond [`MAX_COORDINATE`].
///
/// ```
/// use sinew::{glam::Vec2, reach};
///
/// let chain = [Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(3.0, 1.0)];
/// let reach = reach(&chain)?;
/// assert_eq!((reach.shortest, reach.longest), (2.0, 4.0));
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn reach<V: Vector>(positions: &[V]) -> Result<Reach, Error> {
    let reach = measure(positions);
    check_points("positions", positions, reach)?;
    Ok(reach)
}

/// [`reach`] without a check.
pub(crate) fn measure<V: Vector>(positions: &[V]) -> Reach {
    let mut points = positions.iter().map(|point| V::Packed::from(*point));
    let mut joint = points.next().unwrap_or(V::Packed::ZERO);
    reach_of(points.map(|next| {
        let bone = next - joint;
        joint = next;
        bone.length()
    }))
}

/// A chain of no more reach, from a point no farther out, is in range without a look at the others:
/// none is farther from the first than the reach, and that of NaN is no smaller than anything.
pub(crate) const SAFE_REACH: f32 = 0.4 * MAX_COORDINATE;

/// `Ok` if the points that have this reach are in range.
pub(crate) fn check_points<V: Vector>(
    argument: &'static str,
    points: &[V],
    reach: Reach,
) -> Result<(), Error> {
    let first = points.first().is_some_and(|first| first.is_within(SAFE_REACH));
    if first && reach.longest < SAFE_REACH { Ok(()) } else { check_vectors(argument, points) }
}

/// [`reach`] from the lengths of the bones.
pub(crate) fn reach_of(lengths: impl Iterator<Item = f32>) -> Reach {
    let (longest, longest_bone) =
        lengths.fold((0.0, 0.0), |(sum, most), length| (sum + length, math::greater(length, most)));
    Reach { shortest: (2.0 * longest_bone - longest).max(0.0), longest }
}

/// Blends an animated pose towards a solved one, in place: `weight` 0 leaves the animated pose bit
/// for bit, 1 copies the solved one bit for bit.
///
/// In between every joint turns, relative to its parent, the short way from one to the other (by
/// normalised linear blend), and the bones are laid out anew, so that their lengths stay. The root
/// goes straight from one to the other. A bone whose length differs between the two poses gets a
/// length in between; one that points opposite ways from its parent passes through a point.
///
/// # Errors
/// Slices of different lengths; `weight` outside `[0, 1]`; what [`forward_kinematics`] refuses.
///
/// ```
/// use sinew::{Rot2, blend_chain, glam::Vec2};
///
/// let (mut positions, mut rotations) = ([Vec2::ZERO, Vec2::X], [Rot2::IDENTITY; 2]);
/// let turned = Rot2::from_angle(1.0);
/// blend_chain(&mut positions, &mut rotations, &[Vec2::ZERO, turned * Vec2::X], &[turned; 2], 0.5)?;
/// assert!(positions[1].distance(Rot2::from_angle(0.5) * Vec2::X) < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn blend_chain<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    solved_positions: &[V],
    solved_rotations: &[V::Rotation],
    weight: f32,
) -> Result<(), Error> {
    check_length("rotations", rotations.len(), positions.len())?;
    check_length("solved_positions", solved_positions.len(), positions.len())?;
    check_length("solved_rotations", solved_rotations.len(), positions.len())?;
    check_range("weight", weight, 0.0, 1.0)?;
    check_pose(("positions", "rotations"), positions, rotations)?;
    check_pose(("solved_positions", "solved_rotations"), solved_positions, solved_rotations)?;
    if weight >= 1.0 {
        positions.copy_from_slice(solved_positions);
        rotations.copy_from_slice(solved_rotations);
    } else if weight > 0.0 {
        blend_inside(positions, rotations, solved_positions, solved_rotations, weight);
    }
    Ok(())
}

fn blend_inside<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    solved_positions: &[V],
    solved_rotations: &[V::Rotation],
    weight: f32,
) {
    // The parent in the animated, the solved and the blended pose; the root has none.
    let mut parents = [(V::ZERO, V::Rotation::IDENTITY); 3];
    let mut is_root = true;
    let joints = positions.iter_mut().zip(rotations);
    let solved = solved_positions.iter().zip(solved_rotations);
    for ((position, rotation), (solved_position, solved_rotation)) in joints.zip(solved) {
        let [animated, solved, blended] = parents;
        let poses = [(*position, *rotation), (*solved_position, *solved_rotation)];
        let [from, to] = [(animated, poses[0]), (solved, poses[1])].map(|(parent, pose)| {
            let inverse = parent.1.inverse();
            (inverse.rotate(pose.0 - parent.0), inverse * pose.1)
        });
        // The root's offset is no bone: it goes straight, wherever the origin is.
        let offset = if is_root {
            from.0 + (to.0 - from.0) * weight
        } else {
            mix_lengths(from.0, to.0, weight)
        };
        is_root = false;
        *position = blended.0 + blended.1.rotate(offset);
        *rotation = (blended.1 * from.1.nlerp(to.1, weight)).normalized();
        parents = [poses[0], poses[1], (*position, *rotation)];
    }
}

/// Between two offsets, and as long as their lengths' mean asks for: equal lengths are kept.
fn mix_lengths<V: Vector>(from: V, to: V, weight: f32) -> V {
    let mixed = from + (to - from) * weight;
    let (wanted, length) = (math::lerp(from.length(), to.length(), weight), mixed.length());
    // Two opposite offsets have nothing in between; the point they pass through is as good.
    if length > f32::EPSILON * wanted { mixed * (wanted / length) } else { mixed }
}

/// Where to aim instead of `target` so that a limb eases into full reach: the point on the line
/// from `root` to `target` whose distance is the target's up to `(1 - softness)` of `reach`, and
/// from there nears `reach` without reaching it.
///
/// The knee then never snaps straight: the distance has a slope of 1 at the start of the soft part
/// that falls off exponentially. `softness` in `[0, 1]`; 0 is a plain clamp to `reach`. A target on
/// the root stays there.
///
/// Source: Nicholas (2010), "Soft IK".
///
/// # Errors
/// A point that is not finite or too large; `reach` negative or not finite; `softness` outside
/// `[0, 1]`.
///
/// ```
/// use sinew::{glam::Vec2, soft_reach};
///
/// let near = Vec2::new(0.5, 0.0);
/// assert_eq!(soft_reach(Vec2::ZERO, near, 2.0, 0.1)?, near);
/// let far = soft_reach(Vec2::ZERO, Vec2::new(9.0, 0.0), 2.0, 0.1)?;
/// assert!(1.99 < far.x && far.x <= 2.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn soft_reach<V: Vector>(root: V, target: V, reach: f32, softness: f32) -> Result<V, Error> {
    check_vector("root", root)?;
    check_vector("target", target)?;
    check_range("reach", reach, 0.0, f32::MAX)?;
    check_range("softness", softness, 0.0, 1.0)?;
    let distance = root.distance(target);
    let eased = math::soften(distance, reach, softness);
    Ok(if eased < distance { root + (target - root) * (eased / distance) } else { target })
}

/// Lengthens a chain's bones in place, all by the same factor from 1 to `max_stretch`, so that its
/// effector comes nearest to `target`; rotations stay as they are. Returns the factor.
///
/// Meant for after a solve that ended [`Unreachable`](crate::Status::Unreachable): a chain that
/// points at its target reaches it. A chain whose effector is on its root stays as it is.
///
/// # Errors
/// Fewer than two joints; a point that is not finite or too large, before or after;
/// `max_stretch` below 1 or not finite.
///
/// ```
/// use sinew::{glam::Vec2, stretch_chain};
///
/// let mut arm = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
/// assert_eq!(stretch_chain(&mut arm, Vec2::X * 2.5, 1.5)?, 1.25);
/// assert_eq!(arm[2], Vec2::X * 2.5);
/// assert_eq!(stretch_chain(&mut arm, Vec2::X * 10.0, 1.5)?, 1.5);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn stretch_chain<V: Vector>(
    positions: &mut [V],
    target: V,
    max_stretch: f32,
) -> Result<f32, Error> {
    check_vectors("positions", positions)?;
    check_vector("target", target)?;
    check_range("max_stretch", max_stretch, 1.0, f32::MAX)?;
    let (Some(&root), Some(&effector), 2..) =
        (positions.first(), positions.last(), positions.len())
    else {
        let actual = positions.len();
        return Err(Error::new("positions", Fault::TooShort { least: 2, actual }));
    };
    let span = effector - root;
    let span_squared = span.length_squared();
    let wanted = if span_squared > 0.0 { span.dot(target - root) / span_squared } else { 1.0 };
    let factor = math::clamp(wanted, 1.0, max_stretch);
    if factor > 1.0 {
        for p in positions.iter() {
            check_vector("max_stretch", root + (*p - root) * factor)?;
        }
        for p in positions {
            *p = root + (*p - root) * factor;
        }
    }
    Ok(factor)
}

/// `Ok` if the points are in range and the rotations of unit length.
pub(crate) fn check_pose<V: Vector>(
    names: (&'static str, &'static str),
    positions: &[V],
    rotations: &[V::Rotation],
) -> Result<(), Error> {
    check_vectors(names.0, positions)?;
    check_rotations(names.1, rotations)
}

/// `Ok` if the rotations are of unit length.
pub(crate) fn check_rotations<R: Rotation>(
    argument: &'static str,
    rotations: &[R],
) -> Result<(), Error> {
    rotations
        .iter()
        .enumerate()
        .try_for_each(|(i, r)| check_rotation(argument, *r).map_err(|e| e.at(i)))
}

/// Turns local poses, which have passed their check, into world poses.
fn compose<V: Vector>(positions: &mut [V], rotations: &mut [V::Rotation]) {
    let mut world = Product::ONE;
    let mut parent: Option<(V::Packed, V::Rotation)> = None;
    for (position, rotation) in positions.iter_mut().zip(rotations) {
        let mut place = V::Packed::from(*position);
        if let Some((parent_place, parent_rotation)) = parent {
            place = parent_place + parent_rotation.rotate_packed(place);
            *position = place.into();
        }
        *rotation = world.times(rotation.normalized_near());
        parent = Some((place, *rotation));
    }
}

/// Replaces the world position of every joint but the root by the bone that leads to it, in its
/// parent's frame and times `scale`, a power of two, and normalises the rotations, which have passed
/// their check: the form in which the solvers keep a chain.
///
/// Bones are rounded to a grid a little coarser than what a world pose can hold of them. A pose
/// that [`bones_to_positions`] has written then gives back the very same bones, and their lengths
/// do not drift however often a pose is solved. The grid costs each coordinate at most two millionths
/// of the bone or two units in the last place of its position, or of its distance from the root,
/// whichever is most.
pub(crate) fn positions_to_bones<V: Vector>(
    positions: &mut [V],
    rotations: &mut [V::Rotation],
    scale: f32,
) {
    let mut pose = positions.iter_mut().zip(rotations);
    let Some((&mut root, rotation)) = pose.next() else {
        return;
    };
    *rotation = rotation.normalized_near();
    let root = V::Packed::from(root);
    let (mut parent, mut inverse) = (root, rotation.inverse());
    for (position, rotation) in pose {
        let world = V::Packed::from(*position);
        *rotation = rotation.normalized_near();
        let bone = inverse.rotate_packed(world - parent);
        // Positions are summed from the root: that sum's digits are lost too.
        let coordinates = world.abs().max(parent.abs()).max((world - root).abs());
        let lost = (bone.abs() * BONE_GRID).max(coordinates * COORDINATE_GRID).max_element();
        *position = (bone.snapped(math::binade_or_zero(lost)) * scale).into();
        (parent, inverse) = (world, rotation.inverse());
    }
}

/// A bone's length, rounded to the same grid for the same reason, for chains that have no
/// rotations.
#[inline]
pub(crate) fn snapped_length(length: f32, coordinate: f32) -> f32 {
    let lost = math::greater(length * BONE_GRID, coordinate * COORDINATE_GRID);
    snap(length, math::binade_or_zero(lost))
}

/// The grid is this share of the bone's binade,
pub(crate) const BONE_GRID: f32 = 1.0 / (1 << 18) as f32;

/// or four units in the last place of the coordinates.
pub(crate) const COORDINATE_GRID: f32 = 4.0 * f32::EPSILON;

/// Undoes [`positions_to_bones`], whose scale was `1 / unit`, for the rotations as they are now.
pub(crate) fn bones_to_positions<V: Vector>(
    root: &V,
    bones: &mut [V],
    rotations: &[V::Rotation],
    unit: f32,
) {
    // Summed from the root, so that a chain far from the origin loses its last digits only once.
    let (root, mut offset) = (V::Packed::from(*root), V::Packed::ZERO);
    for (bone, rotation) in bones.iter_mut().zip(rotations) {
        offset = offset + rotation.rotate_packed((*bone).into());
        *bone = (root + offset * unit).into();
    }
}
