//! Curves: Bezier segments, the path of a foot, and easings.

mod bezier;
mod bezier_ease;
mod ease;
mod length;
mod step;

pub use bezier::{
    bezier_cubic, bezier_cubic_at_length, bezier_cubic_derivative, bezier_cubic_length,
    bezier_cubic_second_derivative, bezier_cubic_split, bezier_quadratic,
    bezier_quadratic_at_length, bezier_quadratic_derivative, bezier_quadratic_length,
    bezier_quadratic_split,
};
pub use bezier_ease::cubic_bezier_ease;
pub use ease::Ease;
pub use step::{CurvePoint, StepShape, step_curve, step_curve_with};

pub(crate) use step::lifted;

use crate::error::{Error, Fault};

/// `Ok` with `t` brought into `[0, 1]`.
///
/// A phase that time has carried a little past its end is at its end; a phase that is no number
/// is a mistake.
#[inline]
pub(crate) fn check_phase(argument: &'static str, t: f32) -> Result<f32, Error> {
    if t.is_finite() { Ok(t.clamp(0.0, 1.0)) } else { Err(Error::new(argument, Fault::NotFinite)) }
}
