//! Interleaved timing: every round gives each runner the same slice of time, one after the other,
//! so that whatever else the machine does falls on all of them alike. Of a slice the fastest lap
//! counts, which nothing has interrupted; of a race the median of the rounds. Laps that are too
//! long to go uninterrupted are timed by the processor's time for the thread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use cpu_time::ThreadTime;

/// How long a race may take.
#[derive(Clone, Copy)]
pub struct Pace {
    /// The time each runner gets before it counts: caches, branches, and compilers that work while
    /// the program runs.
    pub warm_up: Duration,
    /// The time a runner gets in a round.
    pub slice: Duration,
    /// The time the whole race gets, warm-up aside; it sets the number of rounds.
    pub race: Duration,
}

impl Pace {
    pub const FULL: Self = Self {
        warm_up: Duration::from_millis(150),
        slice: Duration::from_millis(2),
        race: Duration::from_millis(1200),
    };
    pub const QUICK: Self = Self {
        warm_up: Duration::from_millis(20),
        slice: Duration::from_micros(500),
        race: Duration::from_millis(60),
    };
}

/// The fewest and the most rounds, whatever the time. Odd: the median is one of them.
const ROUNDS: [usize; 2] = [3, 101];

/// A lap from which on the processor's time is the better clock: reading it takes a microsecond, and
/// a system hands the processor to somebody else every few milliseconds.
const LONG: Duration = Duration::from_micros(200);

/// Something that works in laps.
pub struct Runner<'a> {
    /// How much one lap does, in the unit that the race is measured in.
    pub units: f64,
    lap: Box<dyn FnMut() -> Result<Duration> + 'a>,
}

impl<'a> Runner<'a> {
    /// A lap is `prepare`, which is not timed, then `work`, which is.
    pub fn new<S: 'a>(
        units: f64,
        mut state: S,
        mut prepare: impl FnMut(&mut S) + 'a,
        mut work: impl FnMut(&mut S) + 'a,
    ) -> Self {
        Self::timed_elsewhere(units, move || {
            prepare(&mut state);
            let state = black_box(&mut state);
            let working = ThreadTime::now();
            let began = Instant::now();
            work(state);
            let time = began.elapsed();
            black_box(state);
            Ok(if time < LONG { time } else { working.elapsed().min(time) })
        })
    }

    /// A lap that needs nothing prepared.
    pub fn steady<S: 'a>(units: f64, state: S, work: impl FnMut(&mut S) + 'a) -> Self {
        Self::new(units, state, |_| (), work)
    }

    /// A lap that says itself how long it took.
    pub fn timed_elsewhere(units: f64, lap: impl FnMut() -> Result<Duration> + 'a) -> Self {
        Self { units, lap: Box::new(lap) }
    }

    /// A lap is one of each.
    pub fn all(mut runners: Vec<Self>) -> Self {
        let units = runners.iter().map(|runner| runner.units).sum();
        Self::timed_elsewhere(units, move || runners.iter_mut().map(|r| (r.lap)()).sum())
    }

    /// Of so many laps the fastest.
    fn fastest(&mut self, count: usize) -> Result<Duration> {
        let mut fastest = Duration::MAX;
        for _ in 0..count {
            fastest = fastest.min((self.lap)()?);
        }
        Ok(fastest)
    }
}

/// What a race has come to.
pub struct Times {
    /// Median seconds a unit, a runner each.
    pub seconds: Vec<f64>,
    /// How many times the first runner's time each takes: the median of the rounds' ratios.
    pub ratios: Vec<f64>,
}

/// Lets the runners take turns.
pub fn race(pace: Pace, runners: &mut [Runner<'_>]) -> Result<Times> {
    let counts = runners.iter_mut().map(|r| warm_up(pace, r)).collect::<Result<Vec<_>>>()?;
    let round: Duration = counts.iter().map(|(count, lap)| lap.mul_f64(*count as f64)).sum();
    let affordable = pace.race.as_secs_f64() / round.as_secs_f64().max(1e-9);
    let rounds = whole(affordable).clamp(ROUNDS[0], ROUNDS[1]) | 1;
    let mut laps = vec![Vec::new(); runners.len()];
    for _ in 0..rounds {
        for ((runner, (count, _)), times) in runners.iter_mut().zip(&counts).zip(&mut laps) {
            times.push(runner.fastest(*count)?.as_secs_f64() / runner.units);
        }
    }
    let ratios = laps.iter().map(|times| {
        median(times.iter().zip(&laps[0]).map(|(rival, ours)| rival / ours).collect())
    });
    let ratios = ratios.collect();
    Ok(Times { seconds: laps.into_iter().map(median).collect(), ratios })
}

/// How many laps fill a slice, and how long one takes.
fn warm_up(pace: Pace, runner: &mut Runner<'_>) -> Result<(usize, Duration)> {
    let began = Instant::now();
    let mut fastest = Duration::MAX;
    while began.elapsed() < pace.warm_up || fastest == Duration::MAX {
        fastest = fastest.min(runner.fastest(1)?);
    }
    let lap = fastest.max(Duration::from_nanos(1));
    let count = (pace.slice.as_secs_f64() / lap.as_secs_f64()).ceil();
    Ok((whole(count).max(1), lap))
}

#[allow(clippy::cast_sign_loss)] // It is a number of things.
fn whole(count: f64) -> usize {
    count as usize
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
