//! Checks of arguments: `Ok`, or the caller's mistake by the argument's name.
//!
//! Those of numbers and of slices. Those of rotations and axes are in `rotation`, those of vectors
//! in `space`: each where what it checks is.

use crate::error::{Error, Fault};

/// The largest magnitude of a coordinate, in the caller's unit of length.
///
/// The square of a length is the largest number that the solvers form; at this size a chain of a
/// million joints still has a finite one. Beyond it a coordinate is an error, not an overflow.
pub const MAX_COORDINATE: f32 = 1e12;

/// `Ok` if `value` lies in `[least, most]`; NaN never does.
#[inline]
pub(crate) fn check_range(
    argument: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), Error> {
    if value >= least && value <= most { Ok(()) } else { Err(outside(argument, value)) }
}

/// Half a turn as files round it, to four decimals, over π; and a quarter over π/2.
const ROUNDED: f32 = 1.000_003;

/// The largest angle that counts as half a turn.
pub(crate) const HALF_TURN: f32 = core::f32::consts::PI * ROUNDED;

/// An angle, or the bound of π or π/2 that it is rounded from.
pub(crate) fn unrounded(angle: f32, bound: f32) -> f32 {
    let size = angle.abs();
    if size > bound && size <= bound * ROUNDED { bound.copysign(angle) } else { angle }
}

/// `Ok` if an angle lies in `[least, most]`, once it is [`unrounded`].
pub(crate) fn check_angle(
    argument: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), Error> {
    check_range(argument, unrounded(value, most), least, most)
}

#[cold]
#[inline]
fn outside(argument: &'static str, value: f32) -> Error {
    Error::new(argument, if value.is_nan() { Fault::NotFinite } else { Fault::OutOfRange })
}

/// `Ok` if `[min, max]` is a range of finite numbers.
pub(crate) fn check_bounds(
    names: (&'static str, &'static str),
    min: f32,
    max: f32,
) -> Result<(), Error> {
    if !min.is_finite() {
        Err(Error::new(names.0, Fault::NotFinite))
    } else if !max.is_finite() {
        Err(Error::new(names.1, Fault::NotFinite))
    } else if min > max {
        Err(Error::new(names.0, Fault::AboveMax))
    } else {
        Ok(())
    }
}

/// The longest `dt` that is taken for a time and not for a mistake, in seconds: eleven days.
pub(crate) const MAX_DT: f32 = 1e6;

/// `Ok` if `dt` is a time in seconds that can pass between two frames.
#[inline]
pub(crate) fn check_dt(argument: &'static str, dt: f32) -> Result<(), Error> {
    check_range(argument, dt, 0.0, MAX_DT).map_err(|e| {
        // An infinite time is no number of seconds, rather than too many.
        if dt.is_finite() { e } else { Error::new(argument, Fault::NotFinite) }
    })
}

/// `Ok` for a number no larger than [`MAX_COORDINATE`].
#[inline]
pub(crate) fn check_size(argument: &'static str, largest: f32) -> Result<(), Error> {
    if largest <= MAX_COORDINATE { Ok(()) } else { Err(size_error(argument, largest)) }
}

/// What is wrong with a size that is not at most [`MAX_COORDINATE`].
#[cold]
#[inline]
pub(crate) fn size_error(argument: &'static str, largest: f32) -> Error {
    Error::new(argument, if largest.is_finite() { Fault::TooLarge } else { Fault::NotFinite })
}

/// `Ok` if a slice has as many entries as its companion.
pub(crate) fn check_length(
    argument: &'static str,
    actual: usize,
    expected: usize,
) -> Result<(), Error> {
    if actual == expected {
        Ok(())
    } else {
        Err(Error::new(argument, Fault::Length { expected, actual }))
    }
}

/// `Ok` if a slice is empty, or as long as its companion.
pub(crate) fn check_optional_length(
    argument: &'static str,
    actual: usize,
    expected: usize,
) -> Result<(), Error> {
    if actual == 0 { Ok(()) } else { check_length(argument, actual, expected) }
}

/// `Ok` if a slice has so many entries or more.
pub(crate) fn check_least_length(
    argument: &'static str,
    actual: usize,
    least: usize,
) -> Result<(), Error> {
    if actual >= least { Ok(()) } else { Err(too_short(argument, actual, least)) }
}

/// The mistake of a slice that has fewer entries than that.
#[cold]
#[inline]
pub(crate) fn too_short(argument: &'static str, actual: usize, least: usize) -> Error {
    Error::new(argument, Fault::TooShort { least, actual })
}

/// `Ok` if a slice has so many entries or fewer.
pub(crate) fn check_most_length(
    argument: &'static str,
    actual: usize,
    most: usize,
) -> Result<(), Error> {
    if actual <= most { Ok(()) } else { Err(Error::new(argument, Fault::TooLong { most, actual })) }
}

/// The first mistake in a slice, and its entry.
#[inline]
pub(crate) fn check_each<T>(
    entries: impl IntoIterator<Item = T>,
    mut check: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    entries.into_iter().enumerate().try_for_each(|(i, entry)| check(entry).map_err(|e| e.at(i)))
}

/// Bounds of an inverse mass that is not zero: far beyond any material, and small enough that no
/// product of two of them overflows.
pub(crate) const INVERSE_MASSES: (f32, f32) = (1e-12, 1e12);

/// `Ok` if there is one inverse mass a particle, or none, and every one is 0 or of moderate size.
pub(crate) fn check_inverse_masses(
    argument: &'static str,
    inverse_masses: &[f32],
    particles: usize,
) -> Result<(), Error> {
    check_optional_length(argument, inverse_masses.len(), particles)?;
    check_each(inverse_masses, |&w| {
        let least = if w == 0.0 { 0.0 } else { INVERSE_MASSES.0 };
        check_range(argument, w, least, INVERSE_MASSES.1)
    })
}
