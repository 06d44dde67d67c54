//! Easings and Bezier easings, each judged against the same in double precision.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt;

use anyhow::Result;
use sinew::{Ease, cubic_bezier_ease};

use crate::bench::{Bench, Entry, locked};
use crate::measure::Runner;
use crate::table::{Unit, Worst};

use Kind::{Back, Bounce, Circ, Elastic, Expo, Power, Sine};

pub fn run(bench: &mut Bench) -> Result<()> {
    powers(bench)?;
    others(bench)?;
    bezier_easings(bench, "Bezier easing, gentle", &GENTLE)?;
    bezier_easings(bench, "Bezier easing, steep", &STEEP)
}

/// Times between 0 and 1, in no order, the ends left out: there everybody is exact by decree.
fn phases() -> Vec<f32> {
    (0..1024_u16).map(|i| (0.5 + f32::from(i) * 0.618_034).fract().clamp(1e-3, 0.999)).collect()
}

// ---- easings -----------------------------------------------------------------------------------

/// Eases every time of a list.
type Batch = fn(&[f32], &mut [f32]);

macro_rules! call {
    (sinew, $name:ident, $t:expr) => {
        Ease::$name.at($t).unwrap_or(f32::NAN)
    };
    (bevy, $name:ident, $t:expr) => {
        bevy_curve::Curve::sample_unchecked(&bevy_curve::EaseFunction::$name, $t)
    };
    (keyframe, $name:ident, $t:expr) => {
        keyframe::EasingFunction::y(&keyframe::functions::$name, f64::from($t)) as f32
    };
    (simple, $name:ident, $t:expr) => {
        simple_easing::$name($t)
    };
}

/// A loop for each easing, which the compiler knows by name as it does in a caller's own loop.
macro_rules! batches {
    ($library:ident: $($name:ident)*) => {
        vec![$({
            fn run(times: &[f32], eased: &mut [f32]) {
                for (eased, t) in eased.iter_mut().zip(times) {
                    *eased = call!($library, $name, *t);
                }
            }
            run as Batch
        }),*]
    };
}

/// Races sinew's easings with those of the libraries that have them, all in the same order.
macro_rules! compare {
    (
        $bench:ident, $task:literal, $kinds:expr,
        sinew: $($ours:ident)*;
        simple: $($simple:ident)*;
        bevy: $($bevy:ident)*;
        keyframe: $($keyframe:ident)*;
    ) => {
        let mut rivals = Vec::new();
        #[cfg(feature = "simple-easing")]
        rivals.push((locked("simple-easing"), batches!(simple: $($simple)*)));
        #[cfg(feature = "bevy")]
        rivals.push((locked("bevy_curve"), batches!(bevy: $($bevy)*)));
        #[cfg(feature = "keyframe")]
        rivals.push((locked("keyframe"), batches!(keyframe: $($keyframe)*)));
        group($bench, $task, $kinds, batches!(sinew: $($ours)*), rivals)?;
    };
}

fn powers(bench: &mut Bench) -> Result<()> {
    compare! {
        bench, "easing, powers", &[Power(2), Power(3), Power(4), Power(5)],
        sinew: QuadIn QuadOut QuadInOut CubicIn CubicOut CubicInOut
            QuartIn QuartOut QuartInOut QuintIn QuintOut QuintInOut;
        simple: quad_in quad_out quad_in_out cubic_in cubic_out cubic_in_out
            quart_in quart_out quart_in_out quint_in quint_out quint_in_out;
        bevy: QuadraticIn QuadraticOut QuadraticInOut CubicIn CubicOut CubicInOut
            QuarticIn QuarticOut QuarticInOut QuinticIn QuinticOut QuinticInOut;
        keyframe: EaseInQuad EaseOutQuad EaseInOutQuad EaseInCubic EaseOutCubic EaseInOutCubic
            EaseInQuart EaseOutQuart EaseInOutQuart EaseInQuint EaseOutQuint EaseInOutQuint;
    }
    Ok(())
}

fn others(bench: &mut Bench) -> Result<()> {
    compare! {
        bench, "easing, sine", &[Sine],
        sinew: SineIn SineOut SineInOut;
        simple: sine_in sine_out sine_in_out;
        bevy: SineIn SineOut SineInOut;
        keyframe: EaseIn EaseOut EaseInOut;
    }
    compare! {
        bench, "easing, circle", &[Circ],
        sinew: CircIn CircOut CircInOut;
        simple: circ_in circ_out circ_in_out;
        bevy: CircularIn CircularOut CircularInOut;
        keyframe: ;
    }
    compare! {
        bench, "easing, back", &[Back],
        sinew: BackIn BackOut BackInOut;
        simple: back_in back_out back_in_out;
        bevy: BackIn BackOut BackInOut;
        keyframe: ;
    }
    compare! {
        bench, "easing, bounce", &[Bounce],
        sinew: BounceIn BounceOut BounceInOut;
        simple: bounce_in bounce_out bounce_in_out;
        bevy: BounceIn BounceOut BounceInOut;
        keyframe: ;
    }
    compare! {
        bench, "easing, exponential, elastic", &[Expo, Elastic],
        sinew: ExpoIn ExpoOut ExpoInOut ElasticIn ElasticOut ElasticInOut;
        simple: expo_in expo_out expo_in_out elastic_in elastic_out elastic_in_out;
        bevy: ExponentialIn ExponentialOut ExponentialInOut ElasticIn ElasticOut ElasticInOut;
        keyframe: ;
    }
    Ok(())
}

fn group(
    bench: &mut Bench,
    task: &str,
    kinds: &[Kind],
    ours: Vec<Batch>,
    rivals: Vec<(String, Vec<Batch>)>,
) -> Result<()> {
    let ours = easing("sinew".to_owned(), kinds, ours);
    let able = rivals.into_iter().filter(|(_, batches)| !batches.is_empty());
    let rivals = able.map(|(name, batches)| easing(name, kinds, batches)).collect();
    bench.race(task, Unit::Nanoseconds, ours, rivals).map(drop)
}

fn easing<'a>(name: String, kinds: &[Kind], batches: Vec<Batch>) -> Entry<'a> {
    let times = phases();
    let shapes = kinds.iter().flat_map(|kind| Side::ALL.map(|side| (*kind, side)));
    let (mut errors, mut jump) = (Vec::new(), 0.0_f64);
    for (batch, (kind, side)) in batches.iter().zip(shapes) {
        let mut eased = vec![0.0; times.len()];
        batch(&times, &mut eased);
        let error = Definition::ALL.map(|definition| {
            let errors = times.iter().zip(&eased).map(|(t, is)| {
                (f64::from(*is) - right(kind, side, definition, f64::from(*t))).abs()
            });
            Worst::of(errors)
        });
        errors.push(error[0].0.min(error[1].0));
        let mut start = [0.0; 2];
        batch(&[0.0, 1e-9], &mut start);
        jump = jump.max(f64::from((start[1] - start[0]).abs()));
    }
    let quality = Eased { worst: Worst::of(errors), jump };
    let units = (batches.len() * times.len()) as f64;
    let eased = vec![0.0; times.len()];
    let runner = Runner::steady(units, eased, move |eased| {
        for batch in &batches {
            batch(&times, eased);
        }
    });
    Entry::new(name, &quality, runner)
}

#[derive(Clone, Copy)]
enum Kind {
    Power(i32),
    Sine,
    Circ,
    Back,
    Bounce,
    Expo,
    Elastic,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    In,
    Out,
    InOut,
}

impl Side {
    const ALL: [Self; 3] = [Self::In, Self::Out, Self::InOut];
}

/// Two ways to define the same easing; a library may follow either.
#[derive(Clone, Copy, PartialEq)]
enum Definition {
    /// Penner's, as easings.net has them.
    Usual,
    /// An exponential that begins at 0; a bounce of other parabolas, as `AHEasing` has it.
    Other,
}

impl Definition {
    const ALL: [Self; 2] = [Self::Usual, Self::Other];
}

fn right(kind: Kind, side: Side, definition: Definition, t: f64) -> f64 {
    let gentle = |t: f64| gentle(kind, side, definition, t);
    match side {
        Side::In => gentle(t),
        Side::Out => 1.0 - gentle(1.0 - t),
        Side::InOut if t < 0.5 => 0.5 * gentle(2.0 * t),
        Side::InOut => 1.0 - 0.5 * gentle(2.0 - 2.0 * t),
    }
}

fn gentle(kind: Kind, side: Side, definition: Definition, t: f64) -> f64 {
    let is_usual = definition == Definition::Usual;
    let power = |t: f64| {
        let penner = (10.0 * t - 10.0).exp2();
        let start = (-10_f64).exp2();
        if is_usual { penner } else { (penner - start) / (1.0 - start) }
    };
    match kind {
        Power(n) => t.powi(n),
        Sine => 1.0 - (FRAC_PI_2 * t).cos(),
        Circ => 1.0 - (1.0 - t * t).sqrt(),
        Back => {
            let pull = if side == Side::InOut { 1.70158 * 1.525 } else { 1.70158 };
            (pull + 1.0) * t.powi(3) - pull * t * t
        }
        Bounce if !is_usual => {
            let s = 1.0 - t;
            1.0 - if s < 4.0 / 11.0 {
                121.0 / 16.0 * s * s
            } else if s < 8.0 / 11.0 {
                363.0 / 40.0 * s * s - 99.0 / 10.0 * s + 17.0 / 5.0
            } else if s < 9.0 / 10.0 {
                4356.0 / 361.0 * s * s - 35442.0 / 1805.0 * s + 16061.0 / 1805.0
            } else {
                54.0 / 5.0 * s * s - 513.0 / 25.0 * s + 268.0 / 25.0
            }
        }
        Bounce => {
            let s = 1.0 - t;
            let hops = [(0.0, 0.0), (1.5, 0.75), (2.25, 0.9375), (2.625, 0.984_375)];
            let heights = hops.map(|(top, floor)| 7.5625 * (s - top / 2.75).powi(2) + floor);
            1.0 - heights.into_iter().fold(f64::INFINITY, f64::min)
        }
        Expo => power(t),
        Elastic => {
            let period = if side == Side::InOut { 4.5 } else { 3.0 };
            power(t) * (FRAC_PI_2 - 10.0 * TAU / period * (1.0 - t)).sin()
        }
    }
}

/// The quality of a group of easings.
struct Eased {
    worst: Worst,
    /// What the first instant does.
    jump: f64,
}

impl fmt::Display for Eased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.worst.fmt(f)?;
        if self.jump > 1e-6 { write!(f, ", jumps by {:.0e}", self.jump) } else { Ok(()) }
    }
}

// ---- Bezier easings ----------------------------------------------------------------------------

/// Two control points, x and y of each.
type Points = [f32; 4];

/// CSS's `ease`, `ease-in` and `ease-in-out`, and one that overshoots.
const GENTLE: [Points; 4] = [
    [0.25, 0.1, 0.25, 1.0],
    [0.42, 0.0, 1.0, 1.0],
    [0.42, 0.0, 0.58, 1.0],
    [0.68, -0.55, 0.27, 1.55],
];

/// One that nearly stands upright in the middle, one that does, and one that does at the start.
const STEEP: [Points; 3] = [[0.95, 0.0, 0.05, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.9, 0.4, 1.0]];

/// An entry that asks each ready-made curve for all times.
fn bezier_easing<'a, C: 'a>(
    name: impl Into<String>,
    eases: &[Points],
    make: impl Fn(Points) -> C,
    at: impl Fn(&C, f32) -> f32 + 'a,
) -> Entry<'a> {
    let times = phases();
    let curves: Vec<_> = eases.iter().copied().map(make).collect();
    let errors = curves.iter().zip(eases).flat_map(|(curve, points)| {
        let at = &at;
        times.iter().map(move |t| (f64::from(at(curve, *t)) - bezier_ease(*points, *t)).abs())
    });
    let worst = Worst::of(errors);
    let units = (curves.len() * times.len()) as f64;
    let results = vec![0.0; times.len()];
    let runner = Runner::steady(units, results, move |results| {
        for curve in &curves {
            for (result, t) in results.iter_mut().zip(&times) {
                *result = at(curve, *t);
            }
        }
    });
    Entry::new(name, &worst, runner)
}

/// By halving, down to the last bit.
fn bezier_ease(points: Points, x: f32) -> f64 {
    let [x1, y1, x2, y2] = points.map(f64::from);
    let at = |a: f64, b: f64, t: f64| {
        let s = 1.0 - t;
        3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t
    };
    let [mut low, mut high] = [0.0, 1.0];
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if at(x1, x2, middle) < f64::from(x) { &mut low } else { &mut high }) = middle;
    }
    at(y1, y2, low)
}

fn bezier_easings(bench: &mut Bench, task: &str, eases: &[Points]) -> Result<()> {
    let mut rivals = Vec::new();
    #[cfg(feature = "bevy")]
    rivals.push({
        use bevy_curve::CubicSegment;
        let make = |[x1, y1, x2, y2]: Points| CubicSegment::new_bezier_easing([x1, y1], [x2, y2]);
        bezier_easing(locked("bevy_curve"), eases, make, CubicSegment::ease)
    });
    #[cfg(feature = "keyframe")]
    rivals.push({
        use keyframe::{EasingFunction, functions::BezierCurve, mint::Vector2};
        let make = |[x1, y1, x2, y2]: Points| {
            BezierCurve::from(Vector2 { x: x1, y: y1 }, Vector2 { x: x2, y: y2 })
        };
        bezier_easing(locked("keyframe"), eases, make, |curve, t| curve.y(t.into()) as f32)
    });
    #[cfg(feature = "lyon")]
    rivals.push({
        use lyon_geom::{CubicBezierSegment, point};
        let make = |[x1, y1, x2, y2]: Points| CubicBezierSegment {
            from: point(0.0, 0.0),
            ctrl1: point(x1, y1),
            ctrl2: point(x2, y2),
            to: point(1.0, 1.0),
        };
        bezier_easing(locked("lyon_geom"), eases, make, |curve, x| {
            curve.solve_t_for_x(x).first().map_or(f32::NAN, |t| curve.y(*t))
        })
    });
    let ours = bezier_easing(
        "sinew",
        eases,
        |points| points,
        |[x1, y1, x2, y2], t| cubic_bezier_ease(*x1, *y1, *x2, *y2, t).unwrap_or(f32::NAN),
    );
    bench.race(task, Unit::Nanoseconds, ours, rivals).map(drop)
}
