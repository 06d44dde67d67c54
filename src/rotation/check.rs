//! Checks of rotations and axes.

use glam::Vec3;

use super::{Rotation, unit};
use crate::check::check_each;
use crate::error::{Error, Fault};

/// How far from 1 the length of a caller's unit rotation or axis may be.
pub(crate) const UNIT_SLACK: f32 = 1e-3;

/// The same of a joint's axis: its constructor rounds it and nothing more, and limits that hold to
/// 1e-5 rad, however often they are asked, need it as good.
const AXIS_SLACK: f32 = 1e-6;

/// `Ok` if every component is finite and the length is 1 within a thousandth.
#[inline]
pub(crate) fn check_rotation<R: Rotation>(
    argument: &'static str,
    rotation: R,
) -> Result<(), Error> {
    if is_unit(rotation) { Ok(()) } else { Err(rotation_error(argument, rotation.is_finite())) }
}

/// [`check_rotation`] for every entry of a slice; the error says which.
pub(crate) fn check_rotations<R: Rotation>(
    argument: &'static str,
    rotations: &[R],
) -> Result<(), Error> {
    check_each(rotations, |rotation| check_rotation(argument, *rotation))
}

/// Whether the length is 1 within a thousandth.
#[inline]
pub(crate) fn is_unit<R: Rotation>(rotation: R) -> bool {
    (rotation.norm_squared() - 1.0).abs() <= 2.0 * UNIT_SLACK
}

#[cold]
#[inline]
fn rotation_error(argument: &'static str, is_finite: bool) -> Error {
    Error::new(argument, if is_finite { Fault::NotUnit } else { Fault::NotFinite })
}

/// `Ok` if `axis` has a direction and unit length: a joint's constructor gives it that, a file may
/// not.
pub(crate) fn check_unit_axis(argument: &'static str, axis: Vec3) -> Result<(), Error> {
    if (axis.dot(axis) - 1.0).abs() <= 2.0 * AXIS_SLACK {
        return Ok(());
    }
    check_axis(argument, axis)?;
    Err(Error::new(argument, Fault::NotUnit))
}

/// `Ok` if an axis has unit length and is across another that does.
pub(crate) fn check_across(argument: &'static str, axis: Vec3, other: Vec3) -> Result<(), Error> {
    check_unit_axis(argument, axis)?;
    if axis.dot(other).abs() > AXIS_SLACK {
        return Err(Error::new(argument, Fault::NotAcross));
    }
    Ok(())
}

/// `Ok` with the unit vector along `axis`, which may have any length but zero.
pub(crate) fn check_axis(argument: &'static str, axis: Vec3) -> Result<Vec3, Error> {
    if !axis.is_finite() {
        return Err(Error::new(argument, Fault::NotFinite));
    }
    unit(axis).ok_or(Error::new(argument, Fault::NoDirection))
}
