//! Checks of vectors.

use super::{Vector, direction};
use crate::check::{MAX_COORDINATE, check_each, size_error};
use crate::error::{Error, Fault};

/// `Ok` if every coordinate is finite and no larger than [`MAX_COORDINATE`].
#[inline]
pub(crate) fn check_vector<V: Vector>(argument: &'static str, v: V) -> Result<(), Error> {
    if v.is_within(MAX_COORDINATE) { Ok(()) } else { Err(size_error(argument, v.largest())) }
}

/// [`check_vector`] for every entry of a slice; the error says which.
#[inline]
pub(crate) fn check_vectors<V: Vector>(argument: &'static str, vs: &[V]) -> Result<(), Error> {
    // No coordinate is larger than the length, and NaN is not smaller than anything.
    const SAFE: f32 = 0.9 * MAX_COORDINATE;
    if vs.iter().all(|v| v.length_squared() < SAFE * SAFE) {
        return Ok(());
    }

    // All at once: whose fault it is may take its time.
    if vs.iter().fold(true, |sound, v| sound & v.is_within(MAX_COORDINATE)) {
        return Ok(());
    }
    first_error(argument, vs)
}

#[cold]
fn first_error<V: Vector>(argument: &'static str, vs: &[V]) -> Result<(), Error> {
    check_each(vs, |v| check_vector(argument, *v))
}

/// `Ok` with the unit vector along `v`, which may have any length but zero.
pub(crate) fn check_direction<V: Vector>(argument: &'static str, v: V) -> Result<V, Error> {
    if !v.largest().is_finite() {
        return Err(Error::new(argument, Fault::NotFinite));
    }
    direction(v).map(|(unit, _)| unit).ok_or(Error::new(argument, Fault::NoDirection))
}
