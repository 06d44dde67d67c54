//! Interleaved timing: every round gives each runner the same slice of time, one after the other,
//! so that whatever else the machine does falls on all of them alike. Of a slice the fastest lap
//! counts, which nothing has interrupted; of a race the median of the rounds. Laps that are too
//! long to go uninterrupted are timed by the processor's time for the thread.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// A lap from which on the processor's time is the better clock: reading it takes a microsecond,
/// and a system hands the processor to somebody else every few milliseconds.
const LONG: Duration = Duration::from_micros(200);

/// How many slices a runner in another process gets for one: it has been asleep, and its caches are
/// cold.
const SLICES_ELSEWHERE: f64 = 10.0;

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Does all that is measured, and nothing else: under a name that [`counts`](crate::counts) knows.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    CALLS.fetch_add(1, Ordering::Relaxed);
}

/// Something that works in laps.
pub struct Runner<'a> {
    /// How much one lap does, in the unit that the race is measured in.
    pub units: f64,
    /// How many slices it gets in a round.
    slices: f64,
    /// The fastest of so many laps.
    fastest: Box<dyn FnMut(usize) -> Result<Duration> + 'a>,
}

impl<'a> Runner<'a> {
    /// A lap is `prepare`, which is not timed, then `work`, which is.
    pub fn new<S: 'a>(
        units: f64,
        mut state: S,
        mut prepare: impl FnMut(&mut S) + 'a,
        mut work: impl FnMut(&mut S) + 'a,
    ) -> Self {
        let mut lap = move || {
            prepare(&mut state);
            let state = black_box(&mut state);
            let working = ThreadTime::now();
            let began = Instant::now();
            measured(&mut || work(state));
            let time = began.elapsed();
            black_box(state);
            if time < LONG { time } else { working.elapsed().min(time) }
        };
        let fastest = move |laps| Ok((0..laps).map(|_| lap()).min().unwrap_or(Duration::MAX));
        Self { units, slices: 1.0, fastest: Box::new(fastest) }
    }

    /// A lap that needs nothing prepared.
    pub fn steady<S: 'a>(units: f64, state: S, work: impl FnMut(&mut S) + 'a) -> Self {
        Self::new(units, state, |_| (), work)
    }

    /// Lets one lap warm up, and returns the numbers of the calls of [`measured`] that the next one
    /// makes; none if it is done elsewhere.
    pub fn lap(&mut self) -> Result<std::ops::Range<usize>> {
        (self.fastest)(1)?;
        let before = CALLS.load(Ordering::Relaxed);
        (self.fastest)(1)?;
        Ok(before..CALLS.load(Ordering::Relaxed))
    }

    /// Laps in another process, which says how long the fastest of so many took.
    pub fn elsewhere(units: f64, fastest: impl FnMut(usize) -> Result<Duration> + 'a) -> Self {
        Self { units, slices: SLICES_ELSEWHERE, fastest: Box::new(fastest) }
    }

    /// A lap is one of each.
    pub fn all(mut runners: Vec<Self>) -> Self {
        let units = runners.iter().map(|runner| runner.units).sum();
        let fastest = move |laps| runners.iter_mut().map(|r| (r.fastest)(laps)).sum();
        Self { units, slices: 1.0, fastest: Box::new(fastest) }
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
            times.push((runner.fastest)(*count)?.as_secs_f64() / runner.units);
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
        fastest = fastest.min((runner.fastest)(1)?);
    }
    let lap = fastest.max(Duration::from_nanos(1));
    let slice = runner.slices * pace.slice.as_secs_f64();
    let count = (slice / lap.as_secs_f64()).ceil();
    Ok((whole(count).max(1), lap))
}

#[expect(clippy::cast_sign_loss, reason = "it is a number of things")]
fn whole(count: f64) -> usize {
    count as usize
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
