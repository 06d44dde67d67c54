//! A gusty wind: a mean and a few waves that travel with it.

use crate::check::{MAX_COORDINATE, check_range};
use crate::error::{Error, Fault};
use crate::math;
use crate::space::{Vector, check_vector, unit_or_zero};

/// A wind that blows in one direction, in gusts.
///
/// The answer has the unit of [`Wind::strength`]: a speed, an acceleration for
/// [`verlet_step`](crate::verlet_step), or the unit of gravity for
/// [`spring_bone_step`](crate::spring_bone_step).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Wind<V> {
    /// Where it blows to, of any length; with none there is no wind but the sway.
    pub direction: V,
    /// Its mean, in any unit, in `[0, 1e12]`.
    pub strength: f32,
    /// How far gusts and lulls go from the mean, as a share of it, in `[0, 1]`: with 1 the deepest
    /// lull is calm. It never blows backwards.
    pub gustiness: f32,
    /// Distance from one gust to the next, in the caller's unit of length, in `[1e-6, 1e12]`.
    pub gust_length: f32,
    /// Gusts that pass a fixed point in a second, in `[0, 1000]`. Times the length, it is the speed
    /// at which they travel.
    pub gust_rate: f32,
    /// What sways to and fro across the wind: its direction and, by its length, the largest share
    /// of it, in the unit of the strength. Zero for none.
    pub sway: V,
}

impl<V: Vector> Default for Wind<V> {
    /// No direction and no sway: calm. Gusts of half the mean, 3 units apart, one in two seconds.
    fn default() -> Self {
        Self {
            direction: V::ZERO,
            strength: 1.0,
            gustiness: 0.5,
            gust_length: 3.0,
            gust_rate: 0.5,
            sway: V::ZERO,
        }
    }
}

/// A wave, relative to the wind's own gusts.
struct Wave {
    share: f32,
    length: f64,
    rate: f64,
    /// Its heading off the wind's, as sine; to either side of it, so that fronts are ragged.
    aside: f64,
    /// Where in its cycle it starts.
    phase: f64,
}

const fn wave(share: f32, length: f64, rate: f64, aside: f64, phase: f64) -> Wave {
    Wave { share, length, rate, aside, phase }
}

/// Shares add up to 1. Ratios of lengths and rates are far from simple fractions, so that the
/// pattern does not come round; shorter waves are quicker and weaker, as eddies are.
const GUSTS: [Wave; 4] = [
    wave(0.40, 1.000, 1.000, 0.0, 0.00),
    wave(0.27, 0.618, 1.534, 0.5, 0.37),
    wave(0.20, 1.732, 0.587, -0.4, 0.71),
    wave(0.13, 0.367, 2.303, -0.7, 0.19),
];

/// The same for the sway.
const SWAYS: [Wave; 3] = [
    wave(0.55, 0.871, 0.783, 0.3, 0.53),
    wave(0.28, 0.539, 1.414, -0.6, 0.11),
    wave(0.17, 0.291, 2.603, 0.1, 0.83),
];

/// The wind at a point and a time, in seconds.
///
/// A smooth, deterministic function: `strength (1 + gustiness g)` along the direction and `h` times
/// the sway, where `g` and `h` are sums of travelling sines between -1 and 1 with a mean of 0. Its
/// rate of change at a point is at most 8 `strength gustiness gust_rate` for the gusts and 8 `sway
/// gust_rate` for the sway. Time is in double precision, so that it is as smooth after a week as in
/// the first second.
///
/// # Errors
/// A number that is not finite or out of its documented range; `time` beyond ±1e12.
///
/// ```
/// use sinew::{Wind, glam::Vec2, wind_at};
///
/// let breeze = Wind { direction: Vec2::X, strength: 4.0, gustiness: 0.5, ..Wind::default() };
/// let here = wind_at(&breeze, Vec2::ZERO, 12.5)?;
/// assert!(here.x >= 2.0 && here.x <= 6.0 && here.y == 0.0);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn wind_at<V: Vector>(wind: &Wind<V>, point: V, time: f64) -> Result<V, Error> {
    check(wind)?;
    check_vector("point", point)?;
    if !time.is_finite() {
        return Err(Error::new("time", Fault::NotFinite));
    }
    if time.abs() > 1e12 {
        return Err(Error::new("time", Fault::OutOfRange));
    }
    let along = unit_or_zero(wind.direction);
    let across = along.perpendicular();
    let place = Place {
        along: f64::from(point.dot(along)) / f64::from(wind.gust_length),
        across: f64::from(point.dot(across)) / f64::from(wind.gust_length),
        time: time * f64::from(wind.gust_rate),
    };
    let mean = along * wind.strength;
    Ok(mean + mean * (wind.gustiness * place.sum(&GUSTS)) + wind.sway * place.sum(&SWAYS))
}

/// A point and a time in units of gusts.
struct Place {
    along: f64,
    across: f64,
    time: f64,
}

impl Place {
    fn sum(&self, waves: &[Wave]) -> f32 {
        waves.iter().map(|wave| wave.share * turn_sine(self.cycles(wave))).sum()
    }

    fn cycles(&self, wave: &Wave) -> f64 {
        // The heading need not have unit length: that is one more ratio for the wave's length.
        let way = (self.along + self.across * wave.aside) / wave.length;
        way - self.time * wave.rate + wave.phase
    }
}

/// The sine of a number of whole turns, of which the whole ones are taken off first.
#[expect(clippy::cast_possible_truncation, reason = "the integer saturates, the rest is below 1")]
fn turn_sine(cycles: f64) -> f32 {
    let part = cycles - (cycles as i64) as f64;
    math::sin(part as f32 * core::f32::consts::TAU)
}

fn check<V: Vector>(wind: &Wind<V>) -> Result<(), Error> {
    check_vector("wind.direction", wind.direction)?;
    check_range("wind.strength", wind.strength, 0.0, MAX_COORDINATE)?;
    check_range("wind.gustiness", wind.gustiness, 0.0, 1.0)?;
    check_range("wind.gust_length", wind.gust_length, 1e-6, MAX_COORDINATE)?;
    check_range("wind.gust_rate", wind.gust_rate, 0.0, 1000.0)?;
    check_vector("wind.sway", wind.sway)
}
