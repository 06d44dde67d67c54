//! Bezier segments against double precision, the step's promises, and easings that are exact at
//! their ends and right for every legal control point.

use proptest::prelude::*;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    Ease, Fault, StepShape, bezier_cubic, bezier_cubic_at_length, bezier_cubic_derivative,
    bezier_cubic_length, bezier_cubic_second_derivative, bezier_cubic_split, bezier_quadratic,
    bezier_quadratic_at_length, bezier_quadratic_derivative, bezier_quadratic_length,
    bezier_quadratic_split, cubic_bezier_ease, step_curve, step_curve_with,
};

/// Points on a coarse grid as often as not, so that coincident and collinear ones are common.
fn point() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        (-1_i8..=1, -1_i8..=1, -1_i8..=1).prop_map(|(x, y, z)| Vec3::new(
            f32::from(x),
            f32::from(y),
            f32::from(z)
        )),
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z)),
    ]
}

fn segment() -> impl Strategy<Value = [Vec3; 4]> {
    prop_oneof![
        8 => [point(), point(), point(), point()],
        // A cusp, and near it.
        1 => (-1e-2_f32..1e-2).prop_map(|e| {
            [Vec3::ZERO, Vec3::new(1.0 + e, 1.0, 0.0), Vec3::new(0.0, 1.0, e), Vec3::X]
        }),
        1 => Just([Vec3::ZERO, Vec3::X * 2.0, Vec3::NEG_X, Vec3::X]),
    ]
}

fn parameter() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => 0.0_f32..=1.0,
        1 => Just(0.0),
        1 => Just(1.0),
        1 => (-12.0_f32..-1.0).prop_map(|e| 10_f32.powf(e)),
    ]
}

type Point = [f64; 3];

fn double(v: Vec3) -> Point {
    v.to_array().map(f64::from)
}

/// De Casteljau's construction in double precision.
fn exact(points: &[Vec3], t: f64) -> Point {
    let mut row: Vec<Point> = points.iter().map(|p| double(*p)).collect();
    while row.len() > 1 {
        row = row
            .windows(2)
            .map(|w| core::array::from_fn(|i| w[0][i] * (1.0 - t) + w[1][i] * t))
            .collect();
    }
    row[0]
}

fn gap(a: Vec3, b: Point) -> f64 {
    double(a).iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn polygon(points: &[Vec3]) -> f64 {
    points.windows(2).map(|w| f64::from(w[0].distance(w[1]))).sum()
}

/// The length by 8192 chords; they fall short of an arc by a few billionths of the polygon.
fn chords(points: &[Vec3], to: f32) -> f64 {
    const PIECES: i32 = 8192;
    let [a, b, c, d]: [Point; 4] = match *points {
        [a, b, c] => [a, a.lerp(b, 2.0 / 3.0), c.lerp(b, 2.0 / 3.0), c].map(double),
        [a, b, c, d] => [a, b, c, d].map(double),
        _ => unreachable!("segments have three or four points"),
    };
    let at = |t: f64| -> Point {
        let s = 1.0 - t;
        let w = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        core::array::from_fn(|i| a[i] * w[0] + b[i] * w[1] + c[i] * w[2] + d[i] * w[3])
    };
    let mut last = at(0.0);
    let mut sum = 0.0;
    for i in 1..=PIECES {
        let next = at(f64::from(to) * f64::from(i) / f64::from(PIECES));
        sum += last.iter().zip(next).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        last = next;
    }
    sum
}

proptest! {
    #[test]
    fn points_derivatives_and_halves_are_those_of_the_construction(
        points in segment(), t in parameter(), u in parameter(),
    ) {
        let at = |u: f32| exact(&points, f64::from(u));
        prop_assert!(gap(bezier_cubic(&points, t).unwrap(), at(t)) < 1e-6);
        let [a, b, c, d] = points;
        let velocity = [(b - a) * 3.0, (c - b) * 3.0, (d - c) * 3.0];
        let exact_velocity = exact(&velocity, f64::from(t));
        prop_assert!(gap(bezier_cubic_derivative(&points, t).unwrap(), exact_velocity) < 4e-6);
        let [a, b, c] = velocity;
        let change = exact(&[(b - a) * 2.0, (c - b) * 2.0], f64::from(t));
        prop_assert!(gap(bezier_cubic_second_derivative(&points, t).unwrap(), change) < 2e-5);

        let (before, after) = bezier_cubic_split(&points, t).unwrap();
        prop_assert_eq!(before[3], after[0]);
        prop_assert_eq!((before[0], after[3]), (points[0], points[3]));
        let inside = f64::from(t) * f64::from(u);
        prop_assert!(gap(bezier_cubic(&before, u).unwrap(), exact(&points, inside)) < 2e-6);
        let inside = f64::from(t) + (1.0 - f64::from(t)) * f64::from(u);
        prop_assert!(gap(bezier_cubic(&after, u).unwrap(), exact(&points, inside)) < 2e-6);
    }

    #[test]
    fn quadratics_too(points in [point(), point(), point()], t in parameter(), u in parameter()) {
        let at = |u: f64| exact(&points, u);
        prop_assert!(gap(bezier_quadratic(&points, t).unwrap(), at(f64::from(t))) < 1e-6);
        let velocity = [(points[1] - points[0]) * 2.0, (points[2] - points[1]) * 2.0];
        let exact_velocity = exact(&velocity, f64::from(t));
        prop_assert!(gap(bezier_quadratic_derivative(&points, t).unwrap(), exact_velocity) < 3e-6);
        let (before, after) = bezier_quadratic_split(&points, t).unwrap();
        prop_assert_eq!(before[2], after[0]);
        let inside = at(f64::from(t) * f64::from(u));
        prop_assert!(gap(bezier_quadratic(&before, u).unwrap(), inside) < 2e-6);
        let inside = at(f64::from(t) + (1.0 - f64::from(t)) * f64::from(u));
        prop_assert!(gap(bezier_quadratic(&after, u).unwrap(), inside) < 2e-6);
    }

    #[test]
    fn the_plane_agrees_with_space(points in segment(), t in parameter()) {
        let flat = points.map(|p| p.with_z(0.0));
        let plane = points.map(Vec3::truncate);
        prop_assert_eq!(
            bezier_cubic(&flat, t).unwrap().truncate(), bezier_cubic(&plane, t).unwrap()
        );
        prop_assert_eq!(
            bezier_cubic_length(&flat, t).unwrap(), bezier_cubic_length(&plane, t).unwrap()
        );
    }

    #[test]
    fn the_inverse_of_the_length_is_its_inverse(points in segment(), share in parameter()) {
        let slack = 2e-6 * polygon(&points);
        let total = bezier_cubic_length(&points, 1.0).unwrap();
        let length = total * share;
        let t = bezier_cubic_at_length(&points, length).unwrap();
        let back = bezier_cubic_length(&points, t).unwrap();
        prop_assert!((0.0..=1.0).contains(&t));
        prop_assert!(f64::from((back - length).abs()) <= slack, "{back} {length} {t}");
        prop_assert_eq!(bezier_cubic_at_length(&points, -1.0), Ok(0.0));
        prop_assert_eq!(bezier_cubic_at_length(&points, f32::INFINITY), Ok(1.0));
    }

    #[test]
    fn scale_changes_lengths_in_proportion(points in segment(), exponent in -60_i32..36) {
        let scale = 2_f32.powi(exponent);
        let big = points.map(|p| p * scale);
        let length = bezier_cubic_length(&points, 0.7).unwrap();
        prop_assert_eq!(bezier_cubic_length(&big, 0.7).unwrap(), length * scale);
        prop_assert_eq!(
            bezier_cubic_at_length(&big, 0.5 * length * scale),
            bezier_cubic_at_length(&points, 0.5 * length)
        );
    }

    #[test]
    fn a_step_starts_ends_and_rises_as_told(
        start in point(), end in point(), up in point(), lift in 0.0_f32..2.0,
        flat_start: bool, flat_landing: bool, phase in parameter(),
    ) {
        prop_assume!(up != Vec3::ZERO);
        let shape = StepShape { up: up * 7.0, lift, flat_start, flat_landing };
        let at = |phase| step_curve_with(start, end, &shape, phase).unwrap();
        prop_assert_eq!((at(0.0).position, at(1.0).position), (start, end));
        let up = up.normalize();
        let rise = |phase: f32| (at(phase).position - start.lerp(end, phase)).dot(up);
        let top = match (flat_start, flat_landing) {
            (true, false) => 2.0 / 3.0,
            (false, true) => 1.0 / 3.0,
            _ => 0.5,
        };
        prop_assert!((rise(top) - lift).abs() < 2e-6);
        prop_assert!(rise(phase) <= lift + 2e-6 && rise(phase) >= -1e-6);
        let slope = |phase: f32| (at(phase).tangent - (end - start)).dot(up);
        prop_assert!(!flat_start || slope(0.0).abs() < 2e-6);
        prop_assert!(!flat_landing || slope(1.0).abs() < 2e-6);
        prop_assert!(flat_start || slope(0.0) >= 3.9 * lift - 1e-5);
        // The tangent is the derivative.
        let h = 1.0 / 512.0;
        let mid = phase.clamp(h, 1.0 - h);
        let difference = (at(mid + h).position - at(mid - h).position) / (2.0 * h);
        prop_assert!((difference - at(mid).tangent).length() < 1e-3 * (1.0 + lift));
        if !flat_start && !flat_landing {
            prop_assert_eq!(step_curve(start, end, up * 2.0, lift, phase).unwrap().position.is_finite(), true);
        }
    }

    #[test]
    fn a_css_easing_is_the_exact_curve(
        x1 in unit(), y1 in -2.0_f32..3.0, x2 in unit(), y2 in -2.0_f32..3.0, t in parameter(),
    ) {
        let got = f64::from(cubic_bezier_ease(x1, y1, x2, y2, t).unwrap());
        let exact = bisected([x1, y1, x2, y2], t);
        prop_assert!((got - exact).abs() < 1e-5, "{got} {exact}");
    }

    #[test]
    fn a_rising_css_easing_is_monotone(
        x1 in unit(), y1 in unit(), x2 in unit(), y2 in unit(), t in parameter(), step in 0_i32..9,
    ) {
        let ease = |t| cubic_bezier_ease(x1, y1, x2, y2, t).unwrap();
        let next = t + 10_f32.powi(-step);
        // A rise that is smaller than half an ULP of 1 may round either way.
        prop_assert!(ease(next) >= ease(t) - 0.5 * f32::EPSILON);
    }
}

/// Control abscissae: the corners of the legal square, its edges, and its inside.
fn unit() -> impl Strategy<Value = f32> {
    prop_oneof![
        Just(0.0),
        Just(1.0),
        0.0_f32..=1.0,
        (-9.0_f32..0.0).prop_map(|e| 10_f32.powf(e)),
        (-9.0_f32..0.0).prop_map(|e| 1.0 - 10_f32.powf(e)),
    ]
}

/// y at x = t by halving in double precision, in Bernstein form.
fn bisected([x1, y1, x2, y2]: [f32; 4], t: f32) -> f64 {
    let [x1, y1, x2, y2, t] = [x1, y1, x2, y2, t].map(f64::from);
    let at = |first: f64, second: f64, s: f64| {
        let r = 1.0 - s;
        3.0 * r * r * s * first + 3.0 * r * s * s * second + s * s * s
    };
    if t == 1.0 {
        // Where the curve arrives vertically, x at the last doubles before the end is 1.
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let s = 0.5 * (low + high);
        if at(x1, x2, s) < t {
            low = s;
        } else {
            high = s;
        }
    }
    at(y1, y2, 0.5 * (low + high))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_length_of_any_segment_matches_a_fine_polygon(points in segment(), t in parameter()) {
        let got = f64::from(bezier_cubic_length(&points, t).unwrap());
        let exact = chords(&points, t);
        prop_assert!((got - exact).abs() <= 1e-6 * polygon(&points), "{got} {exact}");
    }
}

#[test]
fn lengths_match_a_fine_polygon() {
    let segments = [
        [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y],
        // A straight line that turns back twice.
        [Vec3::ZERO, Vec3::X * 2.0, Vec3::NEG_X, Vec3::X],
        // A cusp, a near cusp, a loop.
        [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Y, Vec3::X],
        [Vec3::ZERO, Vec3::new(1.01, 1.0, 0.0), Vec3::Y, Vec3::X],
        [Vec3::ZERO, Vec3::new(0.99, 1.0, 0.001), Vec3::Y, Vec3::X],
        [Vec3::ZERO, Vec3::new(3.0, 1.0, 0.0), Vec3::new(-2.0, 1.0, 0.5), Vec3::X],
        // Coincident control points.
        [Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::X],
        [Vec3::ONE; 4],
        [Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::X],
    ];
    for points in segments {
        for t in [0.0, 0.3, 0.5, 1.0] {
            let got = f64::from(bezier_cubic_length(&points, t).unwrap());
            let exact = chords(&points, t);
            assert!(
                (got - exact).abs() <= 1e-6 * polygon(&points) + 1e-12,
                "{points:?} {got} {exact}"
            );
        }
        let quadratic = [points[0], points[1], points[3]];
        let got = f64::from(bezier_quadratic_length(&quadratic, 0.8).unwrap());
        let exact = chords(&quadratic, 0.8);
        assert!(
            (got - exact).abs() <= 1e-6 * polygon(&quadratic) + 1e-12,
            "{quadratic:?} {got} {exact}"
        );
        let half = bezier_quadratic_length(&quadratic, 1.0).unwrap() * 0.5;
        let t = bezier_quadratic_at_length(&quadratic, half).unwrap();
        let back = bezier_quadratic_length(&quadratic, t).unwrap();
        assert!(f64::from((back - half).abs()) <= 2e-6 * polygon(&quadratic));
    }
}

/// Of a curve that starts standing still the parameter's last digits decide; the search stops
/// there.
#[test]
fn the_parameter_at_a_length_is_exact_to_the_last_digits() {
    let points = [Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::Z * -2.28125];
    for i in 0_u16..10_000 {
        let length = 2.28125 * f32::from(i) / 10_000.0;
        let t = f64::from(bezier_cubic_at_length(&points, length).unwrap());
        let miss = 2.28125 * t * t * t - f64::from(length);
        assert!(miss.abs() <= 1e-6 * 2.28125, "{length}: {t} is {miss} off");
    }
}

/// Two rules may agree on a span and both be wrong where the curve turns sharply near its end.
#[test]
fn lengths_of_a_curve_that_comes_to_a_halt_sideways_are_right() {
    let points = [
        Vec3::new(-0.021_350_384, 48.656_128, 97.277_83),
        Vec3::new(1.192_092_9e-5, 50.0, 97.777_83),
        Vec3::new(0.001_232_624, 50.0, 97.277_83),
        Vec3::new(1.192_092_9e-5, 50.0, 97.277_83),
    ];
    let length = f64::from(bezier_cubic_length(&points, 1.0).unwrap());
    assert!((length - 1.476_330_076_055_395_5).abs() < 1e-6 * 1.935, "{length}");
}

/// Far from the origin the control points' differences are exact, and so is the length.
#[test]
fn lengths_far_from_the_origin_keep_their_digits() {
    let shift = Vec3::new(1000.0, -3000.0, 2000.0);
    let cubic = [Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y * 0.5];
    let quadratic = [cubic[0], cubic[1], cubic[3]];
    for t in [0.3, 1.0] {
        let lengths = |shift: Vec3| {
            let far = cubic.map(|p| p + shift);
            (
                bezier_quadratic_length(&quadratic.map(|p| p + shift), t),
                bezier_cubic_length(&far, t),
            )
        };
        assert_eq!(lengths(shift), lengths(Vec3::ZERO));
    }
}

/// B1, B2, B3: a vertical start, a vertical middle, and a start that stands still.
#[test]
fn css_easings_that_send_newtons_method_away() {
    let ease = |p: [f32; 4], t| cubic_bezier_ease(p[0], p[1], p[2], p[3], t).unwrap();
    assert!((ease([0.0, 1.0, 0.0, 1.0], 0.001) - 0.2710).abs() < 1e-5);
    assert!((ease([1.0, 0.0, 0.0, 1.0], 0.667) - 0.936_867).abs() < 1e-5);
    for (p, t) in [([1.0, 0.0, 0.0, 1.0], 0.667), ([0.0, 0.0, 0.0, 1.0], 0.0005)] {
        assert!((f64::from(ease(p, t)) - bisected(p, t)).abs() < 1e-5);
    }
    let mut last = 0.0;
    for i in -2000_i16..=2000 {
        let value = ease([1.0, 0.0, 0.0, 1.0], 0.5 + f32::from(i) * 1e-7);
        assert!(value >= last && (0.0..=1.0).contains(&value));
        last = value;
    }
    // Upright at its start, where a step is as long as what it is to leave.
    for t in [1e-12, 3.814_755_5e-10, 1e-7, 1e-4] {
        let p = [0.0, 0.631_372_6, 0.764_705_9, 0.0];
        assert!((f64::from(ease(p, t)) - bisected(p, t)).abs() < 1e-6, "at {t}");
    }
    // A straight line, given as one.
    assert!((ease([0.25, 0.25, 0.75, 0.75], 0.3) - 0.3).abs() < 1e-7);
}

/// B4: every easing at its ends, and beyond them.
#[test]
fn easings_are_exact_at_their_ends() {
    for ease in Ease::ALL {
        assert_eq!((ease.at(0.0), ease.at(1.0)), (Ok(0.0), Ok(1.0)), "{ease:?}");
        assert_eq!((ease.at(-3.0), ease.at(1e9)), (Ok(0.0), Ok(1.0)), "{ease:?}");
    }
    for p in [[0.0, 1.0, 0.0, 1.0], [1.0, -7.0, 0.0, 9.0], [1.0, 0.0, 1.0, 0.0]] {
        assert_eq!(cubic_bezier_ease(p[0], p[1], p[2], p[3], 0.0), Ok(0.0));
        assert_eq!(cubic_bezier_ease(p[0], p[1], p[2], p[3], 1.0), Ok(1.0));
    }
}

/// B5: no easing jumps anywhere, the ends and the middle included.
#[test]
fn easings_are_continuous() {
    const STEPS: u16 = 60_000;
    for ease in Ease::ALL {
        let mut last = 0.0;
        for i in 0..=STEPS {
            let value = ease.at(f32::from(i) / f32::from(STEPS)).unwrap();
            // The steepest is a quarter circle at its end: a step of h rises by √(2h) there.
            let steepest = if format!("{ease:?}").starts_with("Circ") { 6e-3 } else { 1e-3 };
            assert!((value - last).abs() < steepest, "{ease:?} at {i}: {last} {value}");
            last = value;
        }
        for ends in [f32::MIN_POSITIVE, 1e-7, 0.5 - 3e-8, 0.5, 0.5 + 6e-8, 1.0 - 6e-8] {
            let nearest = ends.round();
            let goal = if (ends - 0.5).abs() < 0.1 { ease.at(0.5).unwrap() } else { nearest };
            let value = ease.at(ends).unwrap();
            assert!((value - goal).abs() < 1e-3, "{ease:?} at {ends}: {value}");
        }
    }
}

/// The customary formulae in double precision, as the web writes them.
#[test]
fn easings_match_the_customary_formulae() {
    use core::f64::consts::PI;
    let out_bounce = |x: f64| {
        let (n, d) = (7.5625, 2.75);
        if x < 1.0 / d {
            n * x * x
        } else if x < 2.0 / d {
            n * (x - 1.5 / d).powi(2) + 0.75
        } else if x < 2.5 / d {
            n * (x - 2.25 / d).powi(2) + 0.9375
        } else {
            n * (x - 2.625 / d).powi(2) + 0.984_375
        }
    };
    let (c1, c2, c3) = (1.70158, 1.70158 * 1.525, 2.70158);
    let (c4, c5) = (2.0 * PI / 3.0, 2.0 * PI / 4.5);
    let formula = |ease: Ease, x: f64| -> f64 {
        let half = x < 0.5;
        match ease {
            Ease::Linear => x,
            Ease::SineIn => 1.0 - (x * PI / 2.0).cos(),
            Ease::SineOut => (x * PI / 2.0).sin(),
            Ease::SineInOut => -((PI * x).cos() - 1.0) / 2.0,
            Ease::QuadIn => x * x,
            Ease::QuadOut => 1.0 - (1.0 - x).powi(2),
            Ease::QuadInOut if half => 2.0 * x * x,
            Ease::QuadInOut => 1.0 - (-2.0 * x + 2.0).powi(2) / 2.0,
            Ease::CubicIn => x.powi(3),
            Ease::CubicOut => 1.0 - (1.0 - x).powi(3),
            Ease::CubicInOut if half => 4.0 * x.powi(3),
            Ease::CubicInOut => 1.0 - (-2.0 * x + 2.0).powi(3) / 2.0,
            Ease::QuartIn => x.powi(4),
            Ease::QuartOut => 1.0 - (1.0 - x).powi(4),
            Ease::QuartInOut if half => 8.0 * x.powi(4),
            Ease::QuartInOut => 1.0 - (-2.0 * x + 2.0).powi(4) / 2.0,
            Ease::QuintIn => x.powi(5),
            Ease::QuintOut => 1.0 - (1.0 - x).powi(5),
            Ease::QuintInOut if half => 16.0 * x.powi(5),
            Ease::QuintInOut => 1.0 - (-2.0 * x + 2.0).powi(5) / 2.0,
            Ease::ExpoIn => 2_f64.powf(10.0 * x - 10.0),
            Ease::ExpoOut => 1.0 - 2_f64.powf(-10.0 * x),
            Ease::ExpoInOut if half => 2_f64.powf(20.0 * x - 10.0) / 2.0,
            Ease::ExpoInOut => (2.0 - 2_f64.powf(-20.0 * x + 10.0)) / 2.0,
            Ease::CircIn => 1.0 - (1.0 - x * x).sqrt(),
            Ease::CircOut => (1.0 - (x - 1.0).powi(2)).sqrt(),
            Ease::CircInOut if half => (1.0 - (1.0 - (2.0 * x).powi(2)).sqrt()) / 2.0,
            Ease::CircInOut => 0.5 + 0.5 * (1.0 - (-2.0 * x + 2.0).powi(2)).sqrt(),
            Ease::BackIn => c3 * x.powi(3) - c1 * x * x,
            Ease::BackOut => 1.0 + c3 * (x - 1.0).powi(3) + c1 * (x - 1.0).powi(2),
            Ease::BackInOut if half => (2.0 * x).powi(2) * ((c2 + 1.0) * 2.0 * x - c2) / 2.0,
            Ease::BackInOut => {
                let y = 2.0 * x - 2.0;
                1.0 + 0.5 * y * y * ((c2 + 1.0) * y + c2)
            }
            Ease::ElasticIn => -2_f64.powf(10.0 * x - 10.0) * ((x * 10.0 - 10.75) * c4).sin(),
            Ease::ElasticOut => 2_f64.powf(-10.0 * x) * ((x * 10.0 - 0.75) * c4).sin() + 1.0,
            Ease::ElasticInOut if half => {
                -2_f64.powf(20.0 * x - 10.0) * ((20.0 * x - 11.125) * c5).sin() / 2.0
            }
            Ease::ElasticInOut => {
                2_f64.powf(-20.0 * x + 10.0) * ((20.0 * x - 11.125) * c5).sin() / 2.0 + 1.0
            }
            Ease::BounceIn => 1.0 - out_bounce(1.0 - x),
            Ease::BounceOut => out_bounce(x),
            Ease::BounceInOut if half => (1.0 - out_bounce(1.0 - 2.0 * x)) / 2.0,
            Ease::BounceInOut => 0.5 + 0.5 * out_bounce(2.0 * x - 1.0),
        }
    };
    for ease in Ease::ALL {
        let name = format!("{ease:?}");
        // These two begin at 0 here; the customary ones jump by less than a thousandth.
        let moved = name.starts_with("Expo") || name.starts_with("Elastic");
        let slack = if moved { 1e-3 } else { 1e-6 };
        for i in 1_u16..4000 {
            let x = f32::from(i) / 4000.0;
            let got = f64::from(ease.at(x).unwrap());
            let gap = (got - formula(ease, f64::from(x))).abs();
            assert!(gap < slack, "{name} at {x}: {gap}");
        }
    }
}

#[test]
fn gentle_easings_never_turn_back() {
    for ease in Ease::ALL {
        let name = format!("{ease:?}");
        if ["Back", "Elastic", "Bounce"].iter().any(|wild| name.starts_with(wild)) {
            continue;
        }
        let mut last = 0.0;
        for i in 0_u16..=50_000 {
            let value = ease.at(f32::from(i) / 50_000.0).unwrap();
            assert!(value >= last - 0.5 * f32::EPSILON, "{name}");
            assert!((0.0..=1.0).contains(&value), "{name}");
            last = value;
        }
    }
}

#[test]
fn every_bad_argument_is_named() {
    let nan = f32::NAN;
    let line = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let mut bad = line;
    bad[2].y = nan;
    let error = bezier_cubic(&bad, 0.5).unwrap_err();
    assert_eq!((error.argument, error.index, error.fault), ("points", Some(2), Fault::NotFinite));
    assert!(bezier_cubic_length(&bad, 0.5).is_err() && bezier_cubic_split(&bad, 0.5).is_err());
    assert_eq!(bezier_cubic(&line, nan).unwrap_err().argument, "t");
    assert_eq!(bezier_cubic_at_length(&line, nan).unwrap_err().argument, "length");
    let name = |start, end, up, lift, phase| {
        step_curve::<Vec2>(start, end, up, lift, phase).map_err(|e| (e.argument, e.fault))
    };
    let (o, x, y) = (Vec2::ZERO, Vec2::X, Vec2::Y);
    assert_eq!(name(o, x, o, 1.0, 0.5), Err(("up", Fault::NoDirection)));
    assert_eq!(name(o, x, y, nan, 0.5), Err(("lift", Fault::NotFinite)));
    assert_eq!(name(o, x * 1e13, y, 1.0, 0.5), Err(("end", Fault::TooLarge)));
    assert_eq!(name(o, x, y, 1.0, nan), Err(("phase", Fault::NotFinite)));
    let shape = StepShape { up: o, lift: 1.0, flat_start: false, flat_landing: false };
    assert_eq!(step_curve_with(o, x, &shape, 0.5).unwrap_err().argument, "shape.up");
    let css =
        |x1, y1, x2, y2, t| cubic_bezier_ease(x1, y1, x2, y2, t).map_err(|e| (e.argument, e.fault));
    assert_eq!(css(-0.1, 0.0, 1.0, 1.0, 0.5), Err(("x1", Fault::OutOfRange)));
    assert_eq!(css(0.0, 0.0, 1.1, 1.0, 0.5), Err(("x2", Fault::OutOfRange)));
    assert_eq!(css(0.0, nan, 1.0, 1.0, 0.5), Err(("y1", Fault::NotFinite)));
    assert_eq!(css(0.0, 0.0, 1.0, 1e13, 0.5), Err(("y2", Fault::OutOfRange)));
    assert_eq!(css(0.0, 0.0, 1.0, 1.0, nan), Err(("t", Fault::NotFinite)));
}
