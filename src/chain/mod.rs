//! Chains of joints: world poses from local ones and back, and blends of two poses.

mod bones;
mod reach;

pub use reach::{Reach, reach, soft_reach, stretch_chain};

#[cfg(feature = "lanes")]
pub(crate) use bones::{BONE_GRID, COORDINATE_GRID};
pub(crate) use bones::{bones_to_positions, positions_to_bones, snapped_length};
#[cfg(feature = "lanes")]
pub(crate) use reach::SAFE_REACH;
pub(crate) use reach::{check_points, measure, reach_of};

use crate::check::{check_length, check_range};
use crate::error::Error;
use crate::math;
use crate::rotation::{Product, Rotation, check_rotations};
use crate::space::{Vector, check_vectors};

/// World poses from local ones.
///
/// `offsets[i]` is joint i's position in its parent's frame and `locals[i]` its rotation relative
/// to the parent; joint 0's are its pose in the space that the answer is in. All four slices have
/// one entry a joint. Rotations come back with unit length to rounding.
///
/// # Errors
/// Slices of different lengths; a number that is not finite, a coordinate beyond
/// [`MAX_COORDINATE`](crate::MAX_COORDINATE), a rotation not of unit length.
///
/// ```
/// use sinew::{Rot2, forward_kinematics, glam::Vec2};
///
/// let quarter = Rot2::from_angle(core::f32::consts::FRAC_PI_2);
/// let (mut positions, mut rotations) = ([Vec2::ZERO; 3], [Rot2::IDENTITY; 3]);
/// let offsets = [Vec2::ZERO, Vec2::X, Vec2::X];
/// forward_kinematics(&offsets, &[quarter; 3], &mut positions, &mut rotations)?;
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
/// let solved = [Vec2::ZERO, turned * Vec2::X];
/// blend_chain(&mut positions, &mut rotations, &solved, &[turned; 2], 0.5)?;
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

/// `Ok` if the points are in range and the rotations of unit length.
pub(crate) fn check_pose<V: Vector>(
    names: (&'static str, &'static str),
    positions: &[V],
    rotations: &[V::Rotation],
) -> Result<(), Error> {
    check_vectors(names.0, positions)?;
    check_rotations(names.1, rotations)
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
