//! Easings, Bezier easings and Bezier curves, each judged against the same in double precision.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt;

use anyhow::Result;
use sinew::glam::{DVec2, Vec2};
use sinew::{Ease, bezier_cubic, bezier_cubic_at_length, bezier_cubic_length, cubic_bezier_ease};

#[cfg(any(
    feature = "bevy",
    feature = "keyframe",
    feature = "kurbo",
    feature = "lyon",
    feature = "simple-easing"
))]
use crate::bench::locked;
use crate::bench::{Bench, Entry};
use crate::measure::Runner;
use crate::table::Unit;

pub fn run(bench: &mut Bench) -> Result<()> {
    easings(bench)?;
    bezier_easings(bench, "Bezier easing, gentle", &GENTLE)?;
    bezier_easings(bench, "Bezier easing, steep", &STEEP)?;
    bezier_points(bench)?;
    bezier_lengths(bench)?;
    bezier_at_lengths(bench)
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

fn easings(bench: &mut Bench) -> Result<()> {
    use Kind::{Back, Bounce, Circ, Elastic, Expo, Power, Sine};
    let powers = [Power(2), Power(3), Power(4), Power(5)];
    let ours = batches!(sinew: QuadIn QuadOut QuadInOut CubicIn CubicOut CubicInOut
        QuartIn QuartOut QuartInOut QuintIn QuintOut QuintInOut);
    let mut rivals = Vec::new();
    #[cfg(feature = "simple-easing")]
    rivals.push((
        locked("simple-easing"),
        batches!(simple: quad_in quad_out quad_in_out
        cubic_in cubic_out cubic_in_out quart_in quart_out quart_in_out
        quint_in quint_out quint_in_out),
    ));
    #[cfg(feature = "bevy")]
    rivals.push((
        locked("bevy_curve"),
        batches!(bevy: QuadraticIn QuadraticOut QuadraticInOut
        CubicIn CubicOut CubicInOut QuarticIn QuarticOut QuarticInOut
        QuinticIn QuinticOut QuinticInOut),
    ));
    #[cfg(feature = "keyframe")]
    rivals.push((
        locked("keyframe"),
        batches!(keyframe: EaseInQuad EaseOutQuad EaseInOutQuad
        EaseInCubic EaseOutCubic EaseInOutCubic EaseInQuart EaseOutQuart EaseInOutQuart
        EaseInQuint EaseOutQuint EaseInOutQuint),
    ));
    group(bench, "easing, powers", &powers, ours, rivals)?;

    let ours = batches!(sinew: SineIn SineOut SineInOut);
    let mut rivals = Vec::new();
    #[cfg(feature = "simple-easing")]
    rivals.push((locked("simple-easing"), batches!(simple: sine_in sine_out sine_in_out)));
    #[cfg(feature = "bevy")]
    rivals.push((locked("bevy_curve"), batches!(bevy: SineIn SineOut SineInOut)));
    #[cfg(feature = "keyframe")]
    rivals.push((locked("keyframe"), batches!(keyframe: EaseIn EaseOut EaseInOut)));
    group(bench, "easing, sine", &[Sine], ours, rivals)?;

    let ours = batches!(sinew: CircIn CircOut CircInOut);
    let mut rivals = Vec::new();
    #[cfg(feature = "simple-easing")]
    rivals.push((locked("simple-easing"), batches!(simple: circ_in circ_out circ_in_out)));
    #[cfg(feature = "bevy")]
    rivals.push((locked("bevy_curve"), batches!(bevy: CircularIn CircularOut CircularInOut)));
    group(bench, "easing, circle", &[Circ], ours, rivals)?;

    let ours = batches!(sinew: BackIn BackOut BackInOut);
    let mut rivals = Vec::new();
    #[cfg(feature = "simple-easing")]
    rivals.push((locked("simple-easing"), batches!(simple: back_in back_out back_in_out)));
    #[cfg(feature = "bevy")]
    rivals.push((locked("bevy_curve"), batches!(bevy: BackIn BackOut BackInOut)));
    group(bench, "easing, back", &[Back], ours, rivals)?;

    let ours = batches!(sinew: BounceIn BounceOut BounceInOut);
    let mut rivals = Vec::new();
    #[cfg(feature = "simple-easing")]
    rivals.push((locked("simple-easing"), batches!(simple: bounce_in bounce_out bounce_in_out)));
    #[cfg(feature = "bevy")]
    rivals.push((locked("bevy_curve"), batches!(bevy: BounceIn BounceOut BounceInOut)));
    group(bench, "easing, bounce", &[Bounce], ours, rivals)?;

    let ours = batches!(sinew: ExpoIn ExpoOut ExpoInOut ElasticIn ElasticOut ElasticInOut);
    let mut rivals = Vec::new();
    #[cfg(feature = "simple-easing")]
    rivals.push((
        locked("simple-easing"),
        batches!(simple: expo_in expo_out expo_in_out
        elastic_in elastic_out elastic_in_out),
    ));
    #[cfg(feature = "bevy")]
    rivals.push((
        locked("bevy_curve"),
        batches!(bevy: ExponentialIn ExponentialOut
        ExponentialInOut ElasticIn ElasticOut ElasticInOut),
    ));
    group(bench, "easing, exponential, elastic", &[Expo, Elastic], ours, rivals)
}

fn group(
    bench: &mut Bench,
    task: &str,
    kinds: &[Kind],
    ours: Vec<Batch>,
    rivals: Vec<(String, Vec<Batch>)>,
) -> Result<()> {
    let ours = easing("sinew".to_owned(), kinds, ours);
    let rivals = rivals.into_iter().map(|(name, batches)| easing(name, kinds, batches)).collect();
    bench.race(task, Unit::Nanoseconds, ours, rivals).map(drop)
}

fn easing<'a>(name: String, kinds: &[Kind], batches: Vec<Batch>) -> Entry<'a> {
    let times = phases();
    let shapes = kinds.iter().flat_map(|kind| Side::ALL.map(|side| (*kind, side)));
    let mut worst = Worst { error: 0.0, jump: 0.0 };
    for (batch, (kind, side)) in batches.iter().zip(shapes) {
        let mut eased = vec![0.0; times.len()];
        batch(&times, &mut eased);
        let error = Definition::ALL.map(|definition| {
            let errors = times.iter().zip(&eased).map(|(t, is)| {
                (f64::from(*is) - right(kind, side, definition, f64::from(*t))).abs()
            });
            errors.fold(0.0, f64::max)
        });
        worst.error = worst.error.max(error[0].min(error[1]));
        let mut start = [0.0; 2];
        batch(&[0.0, 1e-9], &mut start);
        worst.jump = worst.jump.max(f64::from((start[1] - start[0]).abs()));
    }
    let units = (batches.len() * times.len()) as f64;
    let eased = vec![0.0; times.len()];
    let runner = Runner::new(
        units,
        eased,
        |_| (),
        move |eased| {
            for batch in &batches {
                batch(std::hint::black_box(&times), eased);
            }
        },
    );
    Entry::new(name, &worst, runner)
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
        Kind::Power(n) => t.powi(n),
        Kind::Sine => 1.0 - (FRAC_PI_2 * t).cos(),
        Kind::Circ => 1.0 - (1.0 - t * t).sqrt(),
        Kind::Back => {
            let pull = if side == Side::InOut { 1.70158 * 1.525 } else { 1.70158 };
            (pull + 1.0) * t.powi(3) - pull * t * t
        }
        Kind::Bounce if !is_usual => {
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
        Kind::Bounce => {
            let s = 1.0 - t;
            let hops = [(0.0, 0.0), (1.5, 0.75), (2.25, 0.9375), (2.625, 0.984_375)];
            let heights = hops.map(|(top, floor)| 7.5625 * (s - top / 2.75).powi(2) + floor);
            1.0 - heights.into_iter().fold(f64::INFINITY, f64::min)
        }
        Kind::Expo => power(t),
        Kind::Elastic => {
            let period = if side == Side::InOut { 4.5 } else { 3.0 };
            power(t) * (FRAC_PI_2 - 10.0 * TAU / period * (1.0 - t)).sin()
        }
    }
}

struct Worst {
    error: f64,
    /// What the first instant does.
    jump: f64,
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.error > 1e-3 { "wrong: " } else { "" };
        write!(f, "{verdict}error {:.0e}", self.error)?;
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
    let worst = Worst { error: errors.fold(0.0, f64::max), jump: 0.0 };
    let units = (curves.len() * times.len()) as f64;
    let results = vec![0.0; times.len()];
    let runner = Runner::new(
        units,
        results,
        |_| (),
        move |results| {
            for curve in &curves {
                for (result, t) in results.iter_mut().zip(&times) {
                    *result = at(curve, *t);
                }
            }
        },
    );
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

// ---- Bezier curves -----------------------------------------------------------------------------

/// Arches, loops and near cusps.
fn curves() -> Vec<[Vec2; 4]> {
    let place = |i: u16, j: u16| {
        let turn = f32::from(i) * 2.4 + f32::from(j) * 1.9;
        Vec2::new(turn.cos(), (1.3 * turn).sin()) * (1.0 + f32::from(j))
    };
    (0..32).map(|i| [0, 1, 2, 3].map(|j| place(i, j))).collect()
}

fn polygon(points: &[Vec2; 4]) -> f64 {
    points.windows(2).map(|ends| f64::from(ends[0].distance(ends[1]))).sum()
}

fn point(points: &[Vec2; 4], t: f64) -> DVec2 {
    let [a, b, c, d] = points.map(Vec2::as_dvec2);
    let s = 1.0 - t;
    a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
}

/// By Simpson's rule with steps so small that a cusp does not matter.
fn length(points: &[Vec2; 4], t: f64) -> f64 {
    const STEPS: u16 = 20_000;
    let [a, b, c, d] = points.map(Vec2::as_dvec2);
    let speed = |t: f64| {
        let s = 1.0 - t;
        3.0 * ((b - a) * (s * s) + (c - b) * (2.0 * s * t) + (d - c) * (t * t)).length()
    };
    let step = t / f64::from(STEPS);
    let weigh = |i: u16| if i == 0 || i == STEPS { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
    (0..=STEPS).map(|i| weigh(i) * speed(step * f64::from(i))).sum::<f64>() * step / 3.0
}

/// An entry that asks every curve for something at every number of a list of its own.
fn curve_entry<'a, C: 'a, R: Copy + 'a>(
    name: impl Into<String>,
    asked: Vec<Vec<f32>>,
    make: impl Fn(&[Vec2; 4]) -> C,
    nothing: R,
    answer: impl Fn(&C, f32) -> R + 'a,
    error: impl Fn(&[Vec2; 4], f32, R) -> f64,
) -> Entry<'a> {
    let shapes = curves();
    let made: Vec<_> = shapes.iter().map(make).collect();
    let mut worst = Worst { error: 0.0, jump: 0.0 };
    for ((shape, curve), asked) in shapes.iter().zip(&made).zip(&asked) {
        for x in asked {
            let error = error(shape, *x, answer(curve, *x)) / polygon(shape);
            worst.error = worst.error.max(error);
        }
    }
    let units = asked.iter().map(Vec::len).sum::<usize>() as f64;
    let runner = Runner::new(
        units,
        vec![nothing; 1024],
        |_| (),
        move |results| {
            for (curve, asked) in made.iter().zip(&asked) {
                for (result, x) in results.iter_mut().zip(asked) {
                    *result = answer(curve, *x);
                }
            }
        },
    );
    Entry::new(name, &worst, runner)
}

#[cfg(feature = "kurbo")]
fn kurbo(points: &[Vec2; 4]) -> kurbo::CubicBez {
    let [a, b, c, d] = points.map(|p| kurbo::Point::new(p.x.into(), p.y.into()));
    kurbo::CubicBez::new(a, b, c, d)
}

#[cfg(feature = "lyon")]
fn lyon(points: &[Vec2; 4]) -> lyon_geom::CubicBezierSegment<f32> {
    let [from, ctrl1, ctrl2, to] = points.map(|p| lyon_geom::point(p.x, p.y));
    lyon_geom::CubicBezierSegment { from, ctrl1, ctrl2, to }
}

fn bezier_points(bench: &mut Bench) -> Result<()> {
    let asked = || vec![phases(); curves().len()];
    let error =
        |shape: &[Vec2; 4], t: f32, is: Vec2| is.as_dvec2().distance(point(shape, t.into()));
    let mut rivals = Vec::new();
    #[cfg(feature = "bevy")]
    rivals.push({
        use bevy_curve::CubicSegment;
        use bevy_math::Vec2 as Theirs;
        let make = |points: &[Vec2; 4]| {
            CubicSegment::new_bezier(points.map(|p| Theirs::from_array(p.to_array())))
        };
        let answer = |curve: &CubicSegment<Theirs>, t| curve.position(t);
        let error = move |shape: &[Vec2; 4], t, is: Theirs| {
            error(shape, t, Vec2::from_array(is.to_array()))
        };
        curve_entry(locked("bevy_curve"), asked(), make, Theirs::ZERO, answer, error)
    });
    #[cfg(feature = "kurbo")]
    rivals.push({
        use ::kurbo::{CubicBez, ParamCurve, Point};
        let answer = |curve: &CubicBez, t: f32| curve.eval(t.into());
        let error = |shape: &[Vec2; 4], t: f32, is: Point| {
            DVec2::new(is.x, is.y).distance(point(shape, t.into()))
        };
        curve_entry(locked("kurbo"), asked(), kurbo, Point::ZERO, answer, error)
    });
    #[cfg(feature = "lyon")]
    rivals.push({
        use lyon_geom::{CubicBezierSegment, Point};
        let answer = |curve: &CubicBezierSegment<f32>, t: f32| curve.sample(t);
        let error =
            move |shape: &[Vec2; 4], t, is: Point<f32>| error(shape, t, Vec2::new(is.x, is.y));
        curve_entry(locked("lyon_geom"), asked(), lyon, Point::zero(), answer, error)
    });
    let answer = |curve: &[Vec2; 4], t: f32| bezier_cubic(curve, t).unwrap_or(Vec2::NAN);
    let ours = curve_entry("sinew", asked(), |points| *points, Vec2::ZERO, answer, error);
    bench.race("Bezier curve, a point", Unit::Nanoseconds, ours, rivals).map(drop)
}

/// What sinew promises, relative to the control polygon.
#[cfg(any(feature = "kurbo", feature = "lyon"))]
const ACCURACY: f64 = 1e-6;

fn bezier_lengths(bench: &mut Bench) -> Result<()> {
    let asked = || vec![vec![1.0_f32]; curves().len()];
    let error = |shape: &[Vec2; 4], t: f32, is: f64| (is - length(shape, t.into())).abs();
    let mut rivals = Vec::new();
    #[cfg(feature = "kurbo")]
    rivals.push({
        use ::kurbo::{CubicBez, ParamCurveArclen};
        let make = |points: &[Vec2; 4]| (kurbo(points), ACCURACY * polygon(points));
        let answer = |(curve, accuracy): &(CubicBez, f64), _| curve.arclen(*accuracy);
        curve_entry(locked("kurbo"), asked(), make, 0.0, answer, error)
    });
    #[cfg(feature = "lyon")]
    rivals.push({
        use lyon_geom::CubicBezierSegment;
        // It flattens the curve to this distance; the length is then about as good as ours.
        let make = |points: &[Vec2; 4]| (lyon(points), (5.0 * ACCURACY * polygon(points)) as f32);
        let answer = |(curve, distance): &(CubicBezierSegment<f32>, f32), _| {
            f64::from(curve.approximate_length(*distance))
        };
        curve_entry(locked("lyon_geom"), asked(), make, 0.0, answer, error)
    });
    let answer =
        |curve: &[Vec2; 4], t| f64::from(bezier_cubic_length(curve, t).unwrap_or(f32::NAN));
    let ours = curve_entry("sinew", asked(), |points| *points, 0.0, answer, error);
    bench.race("Bezier curve, its length", Unit::Nanoseconds, ours, rivals).map(drop)
}

fn bezier_at_lengths(bench: &mut Bench) -> Result<()> {
    let shares = [0.1, 0.35, 0.6, 0.85];
    let lengths = |shape| shares.map(|share| (share * length(shape, 1.0)) as f32).to_vec();
    let asked: Vec<_> = curves().iter().map(lengths).collect();
    let error =
        |shape: &[Vec2; 4], wanted: f32, t: f64| (length(shape, t) - f64::from(wanted)).abs();
    let mut rivals = Vec::new();
    #[cfg(feature = "kurbo")]
    rivals.push({
        use ::kurbo::{CubicBez, ParamCurveArclen};
        let make = |points: &[Vec2; 4]| (kurbo(points), ACCURACY * polygon(points));
        let answer = |(curve, accuracy): &(CubicBez, f64), wanted: f32| {
            curve.inv_arclen(wanted.into(), *accuracy)
        };
        curve_entry(locked("kurbo"), asked.clone(), make, 0.0, answer, error)
    });
    let answer = |curve: &[Vec2; 4], wanted| {
        f64::from(bezier_cubic_at_length(curve, wanted).unwrap_or(f32::NAN))
    };
    let ours = curve_entry("sinew", asked, |points| *points, 0.0, answer, error);
    bench.race("Bezier curve, where it is so long", Unit::Nanoseconds, ours, rivals).map(drop)
}
