//! What a caller can get wrong, and where.

use core::fmt;

/// A caller's mistake: which argument, which entry of it, and what is wrong.
///
/// Every function that returns an `Error` has left its slices exactly as they were.
///
/// ```
/// use sinew::{Fault, clamp_angle};
///
/// let error = clamp_angle(0.0, 1.0, -1.0).unwrap_err();
/// assert_eq!((error.argument, error.fault), ("min", Fault::AboveMax));
/// assert_eq!(error.to_string(), "`min` is greater than its maximum");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The argument's name, or the path to a field of it, such as `settings.tolerance`. A field of
    /// the value that a method is called on has its path from there, such as `max_steps`; of an
    /// entry in `joints`, the path that it has in `joint`, such as `joint.min`.
    pub argument: &'static str,
    /// The entry, where the argument is a slice.
    pub index: Option<usize>,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The slice's length does not fit the other slices.
    Length {
        /// How many entries it should have.
        expected: usize,
        /// How many it has.
        actual: usize,
    },
    /// The slice is too short to mean anything.
    TooShort {
        /// The fewest entries that do.
        least: usize,
        /// How many it has.
        actual: usize,
    },
    /// The slice is longer than the function can work on.
    TooLong {
        /// The most entries.
        most: usize,
        /// How many it has.
        actual: usize,
    },
    /// It is NaN or infinite.
    NotFinite,
    /// It is finite, but its square would overflow or has no digits left: beyond
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    TooLarge,
    /// It should be a unit rotation or a unit vector and is not, within a thousandth.
    NotUnit,
    /// It is a vector of no length and has no direction.
    NoDirection,
    /// It is not across the axis that it should be across; along it, nothing is left across.
    NotAcross,
    /// The lower bound of a range is above the upper bound.
    AboveMax,
    /// It lies outside the range that its documentation gives.
    OutOfRange,
    /// It names an entry that does not exist.
    NoSuchEntry,
}

impl Error {
    pub(crate) const fn new(argument: &'static str, fault: Fault) -> Self {
        Self { argument, index: None, fault }
    }

    /// The same mistake, in entry `index` of a slice.
    pub(crate) const fn at(self, index: usize) -> Self {
        Self { index: Some(index), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.argument)?;
        if let Some(index) = self.index {
            write!(f, " (entry {index})")?;
        }
        match self.fault {
            Fault::Length { expected, actual } => {
                write!(f, " has {actual} entries where {expected} are needed")
            }
            Fault::TooShort { least, actual } => {
                write!(f, " has {actual} entries and needs at least {least}")
            }
            Fault::TooLong { most, actual } => {
                write!(f, " has {actual} entries and may have {most} at most")
            }
            Fault::NotFinite => f.write_str(" is not finite"),
            Fault::TooLarge => f.write_str(" is too large"),
            Fault::NotUnit => f.write_str(" is not of unit length"),
            Fault::NoDirection => f.write_str(" has no direction: its length is zero"),
            Fault::NotAcross => f.write_str(" is not across its axis"),
            Fault::AboveMax => f.write_str(" is greater than its maximum"),
            Fault::OutOfRange => f.write_str(" is outside its documented range"),
            Fault::NoSuchEntry => f.write_str(" names an entry that does not exist"),
        }
    }
}

impl core::error::Error for Error {}
