//! Turns the varying time of frames into a bounded number of equal steps.

use crate::check::{MAX_DT, check_dt, check_range};
use crate::error::{Error, Fault};

/// A time this close to a whole step, as a share of a step, is that step: the rounding of a
/// clock that adds up sixtieths of a second must not decide whether a step happens now or a
/// frame later. The difference stays on the clock, so that nothing drifts.
pub(crate) const SNAP: f32 = 1e-4;

/// An accumulator that turns a frame's `dt` into whole steps of one length.
///
/// For simulations that are stepped at one rate whatever the frame rate: run the simulation
/// [`Steps::count`] times, then draw between its last two states at [`Steps::fraction`]. A hitch
/// runs at most `max_steps`; the rest of its time is dropped and reported.
///
/// Source: Fiedler (2004), "Fix your timestep!".
///
/// ```
/// use sinew::FixedSteps;
///
/// let mut clock = FixedSteps::new(0.01, 8)?;
/// let steps = clock.advance(0.025)?;
/// assert_eq!(steps.count, 2);
/// assert!((steps.fraction - 0.5).abs() < 1e-5);
/// // A hitch of two seconds: eight steps, and the rest is dropped.
/// let steps = clock.advance(2.0)?;
/// assert_eq!(steps.count, 8);
/// assert!((steps.dropped - 1.92).abs() < 1e-4);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FixedSteps {
    step: f32,
    max_steps: u32,
    remainder: f32,
}

/// What [`FixedSteps::advance`] asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct Steps {
    /// How many steps to run now.
    pub count: u32,
    /// How far the frame lies beyond the last of them, as a share of a step, in `[0, 1)`.
    pub fraction: f32,
    /// Seconds that were dropped, because they would have taken more than `max_steps`.
    pub dropped: f32,
}

impl FixedSteps {
    /// Steps of `step` seconds, at most `max_steps` of them a frame.
    ///
    /// # Errors
    /// `step` not finite or outside `[1e-6, 1e6]`; `max_steps` zero.
    pub fn new(step: f32, max_steps: u32) -> Result<Self, Error> {
        let clock = Self { step, max_steps, remainder: 0.0 };
        clock.check()?;
        Ok(clock)
    }

    /// Lets `dt` seconds pass and says how many steps that makes. No time, no steps.
    ///
    /// Steps are never lost or doubled: over any number of frames their count is that of the
    /// time that has passed and not been dropped, within a ten-thousandth of a step and the
    /// rounding of the sum.
    ///
    /// # Errors
    /// `dt` negative, not finite or above 1e6; a deserialised clock that [`FixedSteps::new`] would
    /// not have made.
    pub fn advance(&mut self, dt: f32) -> Result<Steps, Error> {
        check_dt("dt", dt)?;
        // A clock that was read from a file may be anything.
        self.check()?;
        let whole = whole_steps(self.remainder + dt / self.step, self.max_steps);
        self.remainder = whole.remainder;
        Ok(Steps {
            count: whole.count,
            fraction: whole.remainder.max(0.0),
            dropped: whole.dropped * self.step,
        })
    }

    fn check(&self) -> Result<(), Error> {
        check_dt("step", self.step)?;
        check_range("step", self.step, 1e-6, MAX_DT)?;
        if self.max_steps == 0 {
            return Err(Error::new("max_steps", Fault::OutOfRange));
        }
        check_range("remainder", self.remainder, -1.0, 1.0)
    }

    /// Seconds that a step takes.
    #[must_use]
    pub fn step(&self) -> f32 {
        self.step
    }

    /// Forgets the time that has not made a whole step yet.
    pub fn reset(&mut self) {
        self.remainder = 0.0;
    }
}

/// A time in units of a step, split.
#[derive(Clone, Copy)]
pub(crate) struct WholeSteps {
    /// Whole steps to run.
    pub(crate) count: u32,
    /// What is left over; negative by up to [`SNAP`] where a step was run that much early.
    pub(crate) remainder: f32,
    /// Whole steps beyond `max_steps`.
    pub(crate) dropped: f32,
}

/// Splits a time of `elapsed` steps into whole steps, of which no more than `max_steps` are run.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounded on the line before"
)]
#[inline]
pub(crate) fn whole_steps(elapsed: f32, max_steps: u32) -> WholeSteps {
    // Truncation is the floor of what is not negative; the remainder is exact.
    let whole = (elapsed + SNAP).clamp(0.0, 1e18) as u64;
    let count = whole.min(u64::from(max_steps)) as u32;
    WholeSteps {
        count,
        remainder: elapsed - whole as f32,
        dropped: (whole - u64::from(count)) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_sixtieths_are_sixty_single_steps() {
        let mut clock = FixedSteps::new(1.0 / 60.0, 8).unwrap();
        for _ in 0..100_000 {
            let steps = clock.advance(1.0 / 60.0).unwrap();
            assert_eq!(steps.count, 1);
            assert!(steps.fraction < 1e-3);
        }
    }

    #[test]
    fn no_step_is_lost_at_any_rate() {
        for fps in [15_u16, 24, 50, 144, 240, 1000] {
            let mut clock = FixedSteps::new(1.0 / 60.0, 8).unwrap();
            let count: u32 =
                (0..fps * 10).map(|_| clock.advance(1.0 / f32::from(fps)).unwrap().count).sum();
            assert!((599..=600).contains(&count), "{fps} fps: {count}");
        }
    }

    #[test]
    fn mistakes_are_named_and_change_nothing() {
        let mut clock = FixedSteps::new(0.5, 2).unwrap();
        let before = clock;
        for dt in [-1e-3, f32::NAN, f32::INFINITY, 1e7] {
            assert_eq!(clock.advance(dt).unwrap_err().argument, "dt");
            assert_eq!(clock, before);
        }
        assert_eq!(FixedSteps::new(0.0, 2).unwrap_err().argument, "step");
        assert_eq!(FixedSteps::new(0.5, 0).unwrap_err().argument, "max_steps");
        assert_eq!(clock.advance(0.0).unwrap().count, 0);
    }
}
