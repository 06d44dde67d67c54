//! Bezier curves: a point, a length, and where it is so long, each judged against the same in
//! double precision.

use anyhow::Result;
use sinew::glam::{DVec2, Vec2};
use sinew::{bezier_cubic, bezier_cubic_at_length, bezier_cubic_length};

use crate::bench::{Bench, Entry, locked};
use crate::measure::Runner;
use crate::table::{Unit, Worst};

pub fn run(bench: &mut Bench) -> Result<()> {
    bezier_points(bench)?;
    bezier_lengths(bench)?;
    bezier_at_lengths(bench)
}

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
    let errors = shapes.iter().zip(&made).zip(&asked).flat_map(|((shape, curve), asked)| {
        let error = |x: &f32| error(shape, *x, answer(curve, *x)) / polygon(shape);
        asked.iter().map(error).collect::<Vec<_>>()
    });
    let worst = Worst::of(errors);
    let units = asked.iter().map(Vec::len).sum::<usize>() as f64;
    let runner = Runner::steady(units, vec![nothing; 1024], move |results| {
        for (curve, asked) in made.iter().zip(&asked) {
            for (result, x) in results.iter_mut().zip(asked) {
                *result = answer(curve, *x);
            }
        }
    });
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
    let phases: Vec<_> = (0..1024_u16).map(|i| (f32::from(i) * 0.618_034).fract()).collect();
    let asked = || vec![phases.clone(); curves().len()];
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
