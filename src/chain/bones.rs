//! A chain as the solvers keep it: bones in their parents' frames, on a grid that keeps their
//! lengths from drifting.

use crate::math::{self, snap};
use crate::packed::Packed;
use crate::rotation::Rotation;
use crate::space::Vector;

/// The grid that a bone is rounded to has at least this share of the bone's own binade.
pub(crate) const BONE_GRID: f32 = 1.0 / (1 << 18) as f32;

/// The grid has at least four units in the last place of the coordinates that the bone comes from.
pub(crate) const COORDINATE_GRID: f32 = 4.0 * f32::EPSILON;

/// Replaces the world position of every joint but the root by the bone that leads to it, in its
/// parent's frame and times `scale`, a power of two, and normalises the rotations, which have
/// passed their check: the form in which the solvers keep a chain.
///
/// Bones are rounded to a grid a little coarser than what a world pose can hold of them. A pose
/// that [`bones_to_positions`] has written then gives back the very same bones, and their lengths
/// do not drift however often a pose is solved. The grid costs each coordinate at most two
/// millionths of the bone or two units in the last place of its position, or of its distance from
/// the root, whichever is most.
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

/// The length of a bone of a chain that has no rotations, rounded to the grid of
/// [`positions_to_bones`] for the same reason.
#[inline]
pub(crate) fn snapped_length(length: f32, coordinate: f32) -> f32 {
    let lost = math::greater(length * BONE_GRID, coordinate * COORDINATE_GRID);
    snap(length, math::binade_or_zero(lost))
}
