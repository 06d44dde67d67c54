//! Bezier segments, easings and steps of any numbers: an error or a finite answer. Of sound
//! numbers: the curve in double precision, lengths and their inverses, easings that do not turn
//! back, ends that are exact.
#![no_main]

use glam::DVec3;
use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    Ease, Error, StepShape, bezier_cubic, bezier_cubic_at_length, bezier_cubic_derivative,
    bezier_cubic_length, bezier_cubic_second_derivative, bezier_cubic_split, bezier_quadratic,
    bezier_quadratic_at_length, bezier_quadratic_derivative, bezier_quadratic_length,
    bezier_quadratic_split, cubic_bezier_ease, step_curve, step_curve_with,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(8) {
        0 => wild::<Vec3>(&mut bits),
        1 => wild::<Vec2>(&mut bits),
        2 => segment::<Vec2>(&mut bits),
        3 => segment::<Vec3>(&mut bits),
        4 => step::<Vec2>(&mut bits),
        5 => step::<Vec3>(&mut bits),
        6 => ease(&mut bits),
        _ => bezier_ease(&mut bits),
    }
});

const EPSILON: f64 = f32::EPSILON as f64;

fn wild<V: Space>(bits: &mut Bits) {
    let points: [V; 4] = core::array::from_fn(|_| V::point(bits, true));
    let [a, b, c, up] = points;
    let three = [a, b, c];
    let (t, lift) = (bits.any(), bits.any());
    let finite = |answer: Result<V, Error>| {
        assert!(answer.is_err() || answer.is_ok_and(|v| v.largest().is_finite()), "{points:?} {t}");
    };
    finite(bezier_quadratic(&three, t));
    finite(bezier_quadratic_derivative(&three, t));
    finite(bezier_cubic(&points, t));
    finite(bezier_cubic_derivative(&points, t));
    finite(bezier_cubic_second_derivative(&points, t));
    if let Ok((left, right)) = bezier_quadratic_split(&three, t) {
        left.into_iter().chain(right).for_each(|v| finite(Ok(v)));
    }
    if let Ok((left, right)) = bezier_cubic_split(&points, t) {
        left.into_iter().chain(right).for_each(|v| finite(Ok(v)));
    }
    for length in [bezier_quadratic_length(&three, t), bezier_cubic_length(&points, t)] {
        assert!(
            length.is_err() || length.is_ok_and(|l| l >= 0.0 && l.is_finite()),
            "{points:?} {t}"
        );
    }
    for t in [bezier_quadratic_at_length(&three, lift), bezier_cubic_at_length(&points, lift)] {
        assert!(t.is_err() || t.is_ok_and(|t| (0.0..=1.0).contains(&t)), "{points:?} {lift}");
    }
    let shape =
        StepShape { up, lift, flat_start: bits.byte() < 128, flat_landing: bits.byte() < 128 };
    for point in
        [step_curve(a, b, up, lift, t), step_curve_with(a, b, &shape, t)].into_iter().flatten()
    {
        finite(Ok(point.position));
        finite(Ok(point.tangent));
    }
    for share in [
        Ease::ALL[bits.below(31)].at(t),
        cubic_bezier_ease(bits.any(), lift, bits.any(), bits.any(), t),
    ] {
        assert!(share.is_err() || share.is_ok_and(f32::is_finite));
    }
}

fn lerp(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    a * (1.0 - t) + b * t
}

/// A cubic's parts before and after `t`.
fn split([a, b, c, d]: [DVec3; 4], t: f64) -> [[DVec3; 4]; 2] {
    let (ab, bc, cd) = (lerp(a, b, t), lerp(b, c, t), lerp(c, d, t));
    let (abc, bcd) = (lerp(ab, bc, t), lerp(bc, cd, t));
    let middle = lerp(abc, bcd, t);
    [[a, ab, abc, middle], [middle, bcd, cd, d]]
}

fn polygon(points: &[DVec3]) -> f64 {
    points.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
}

/// The length of a cubic, by Gravesen's (1997) mean of chord and polygon on ever shorter parts.
fn length(points: [DVec3; 4], close: f64) -> f64 {
    let (chord, around) = (points[0].distance(points[3]), polygon(&points));
    if around - chord <= close {
        return 0.5 * (chord + around);
    }
    split(points, 0.5).into_iter().map(|part| length(part, close)).sum()
}

fn segment<V: Space>(bits: &mut Bits) {
    // Some far from the origin, where differences of coordinates are all there is.
    let shift = if bits.byte() < 64 { V::point(bits, false) * 100.0 } else { V::ZERO };
    let points: [V; 4] = core::array::from_fn(|_| V::point(bits, false) + shift);
    let t = bits.share();
    if bits.byte() < 128 {
        cubic(&points, t, bits.share())
    } else {
        quadratic(points, t, bits.share())
    }
}

fn cubic<V: Space>(points: &[V; 4], t: f32, of_length: f32) {
    let wide = points.map(Space::double);
    let grain = EPSILON * f64::from(points.iter().map(|p| p.largest()).fold(0.0, f32::max));
    let [before, after] = split(wide, t.into());
    let near = |is: V, wanted: DVec3, slack: f64| {
        let miss = is.double().distance(wanted);
        assert!(miss <= slack, "{is:?} is {miss} off {wanted} at {t} of {points:?}");
    };
    let at = |t: f32| bezier_cubic(points, t).expect("sound numbers");
    near(at(t), after[0], 4.0 * grain);
    assert_eq!([at(0.0), at(1.0), at(-1.0), at(2.0)], [points[0], points[3], points[0], points[3]]);
    let parts = bezier_cubic_split(points, t).expect("sound numbers");
    for (is, wanted) in parts.0.into_iter().zip(before).chain(parts.1.into_iter().zip(after)) {
        near(is, wanted, 4.0 * grain);
    }
    let steps = [0, 1, 2].map(|i| 3.0 * (wide[i + 1] - wide[i]));
    let slope =
        lerp(lerp(steps[0], steps[1], t.into()), lerp(steps[1], steps[2], t.into()), t.into());
    near(bezier_cubic_derivative(points, t).expect("sound numbers"), slope, 32.0 * grain);
    let bend = 2.0 * lerp(steps[1] - steps[0], steps[2] - steps[1], t.into());
    near(bezier_cubic_second_derivative(points, t).expect("sound numbers"), bend, 64.0 * grain);

    let lengths = (bezier_cubic_length(points, t), bezier_cubic_length(points, 1.0));
    measured(wide, (t, of_length), lengths, |length| bezier_cubic_at_length(points, length));
}

fn quadratic<V: Space>([a, b, c, _]: [V; 4], t: f32, of_length: f32) {
    let points = [a, b, c];
    let [from, through, to] = points.map(Space::double);
    let grain = EPSILON * f64::from(points.iter().map(|p| p.largest()).fold(0.0, f32::max));
    let (left, right) = (lerp(from, through, t.into()), lerp(through, to, t.into()));
    let middle = lerp(left, right, t.into());
    let near = |is: V, wanted: DVec3, slack: f64| {
        let miss = is.double().distance(wanted);
        assert!(miss <= slack, "{is:?} is {miss} off {wanted} at {t} of {points:?}");
    };
    let at = |t: f32| bezier_quadratic(&points, t).expect("sound numbers");
    near(at(t), middle, 4.0 * grain);
    assert_eq!([at(0.0), at(1.0)], [a, c]);
    let parts = bezier_quadratic_split(&points, t).expect("sound numbers");
    let wanted = [from, left, middle, middle, right, to];
    for (is, wanted) in parts.0.into_iter().chain(parts.1).zip(wanted) {
        near(is, wanted, 4.0 * grain);
    }
    let slope = 2.0 * (right - left);
    near(bezier_quadratic_derivative(&points, t).expect("sound numbers"), slope, 16.0 * grain);

    let cubic = [from, lerp(from, through, 2.0 / 3.0), lerp(to, through, 2.0 / 3.0), to];
    let lengths = (bezier_quadratic_length(&points, t), bezier_quadratic_length(&points, 1.0));
    measured(cubic, (t, of_length), lengths, |length| bezier_quadratic_at_length(&points, length));
}

/// Lengths up to `t` and to the end, and the parameter at a share of the whole.
fn measured(
    points: [DVec3; 4],
    (t, share): (f32, f32),
    (part, whole): (Result<f32, Error>, Result<f32, Error>),
    at_length: impl Fn(f32) -> Result<f32, Error>,
) {
    let size = polygon(&points);
    let exact = |t: f32| length(split(points, t.into())[0], 1e-8 * size);
    let (part, whole) = (part.expect("sound numbers"), whole.expect("sound numbers"));
    for (is, wanted) in [(part, exact(t)), (whole, exact(1.0))] {
        let miss = (f64::from(is) - wanted).abs();
        assert!(miss <= 1e-6 * size, "{is}, not {wanted}, of {size}: {points:?} to {t}");
    }
    let at = |length: f32| at_length(length).expect("sound numbers");
    let (wanted, found) = (share * whole, at(share * whole));
    // The parameter's own last digit is worth up to three polygons.
    let miss = (exact(found) - f64::from(wanted)).abs();
    assert!(miss <= (1e-6 + 3.0 * EPSILON) * size, "{wanted} at {found} is {miss} off: {points:?}");
    assert_eq!((at(0.0), at(-1.0), at(f32::INFINITY)), (0.0, 0.0, 1.0));
}

fn step<V: Space>(bits: &mut Bits) {
    let (start, end, up) = (V::point(bits, false), V::point(bits, false), V::point(bits, false));
    let lift = bits.moderate();
    let phase = bits.share();
    let shape =
        StepShape { up, lift, flat_start: bits.byte() < 128, flat_landing: bits.byte() < 128 };
    let at = |phase: f32| step_curve_with(start, end, &shape, phase);
    let Ok(point) = at(phase) else {
        return assert_eq!(up, V::ZERO);
    };
    if !shape.flat_start && !shape.flat_landing {
        assert_eq!(step_curve(start, end, up, lift, phase), Ok(point));
    }
    let ends = [at(0.0), at(1.0)].map(|end| end.expect("sound numbers"));
    assert_eq!(ends.map(|end| end.position), [start, end]);
    for (end_point, flat) in ends.into_iter().zip([shape.flat_start, shape.flat_landing]) {
        assert!(!flat || end_point.tangent == end - start);
    }
    // Between the line and the line lifted.
    let (phase, lift) = (f64::from(phase), f64::from(lift));
    let up = up.double().normalize();
    let line = lerp(start.double(), end.double(), phase);
    let above = point.position.double() - line;
    let size = f64::from(start.largest().max(end.largest())) + lift.abs();
    let height = above.dot(up) * lift.signum();
    let slack = 8.0 * EPSILON * size;
    assert!(-slack <= height && height <= lift.abs() + slack, "{height} of {lift}");
    assert!((above - up * above.dot(up)).length() <= slack, "{point:?} leaves the plane");
}

fn ease(bits: &mut Bits) {
    let index = bits.below(31);
    let ease = Ease::ALL[index];
    let (t, later) = (bits.fine_share(), bits.fine_share());
    let (t, later) = (t.min(later), t.max(later));
    let at = |t: f32| ease.at(t).expect("a number");
    let (now, then) = (at(t), at(later));
    assert_eq!((at(0.0), at(1.0), at(-0.5), at(1.5)), (0.0, 1.0, 0.0, 1.0));
    // In threes after the straight line: in, out, in and out.
    let name = format!("{ease:?}");
    let (leaves, turns) =
        (name.starts_with("Back") || name.starts_with("Elastic"), name.starts_with("Bounce"));
    assert!(leaves || (0.0..=1.0).contains(&now), "{name} of {t} is {now}");
    if !leaves && !turns {
        assert!(now <= then, "{name} falls from {now} at {t} to {then} at {later}");
    }
    if name.ends_with("In") {
        let (out, both) = (Ease::ALL[index + 1], Ease::ALL[index + 2]);
        let mirrored = 1.0 - out.at(1.0 - t).expect("a number");
        assert!((now - mirrored).abs() <= 2e-6 * now.abs().max(1.0) + 40.0 * f32::EPSILON);
        let half = both.at(0.5 * t).expect("a number");
        // The longer pull and the slower swing of the two are their own.
        assert!(leaves || (half - 0.5 * now).abs() <= 2e-6, "{name}: {half} and {now}");
    }
}

fn bezier_ease(bits: &mut Bits) {
    let (x1, x2) = (bits.share(), bits.share());
    let (y1, y2) = if bits.byte() < 128 {
        (bits.share(), bits.share())
    } else {
        (bits.moderate(), bits.moderate())
    };
    let (t, later) = (bits.fine_share(), bits.fine_share());
    let (t, later) = (t.min(later), t.max(later));
    let at = |t: f32| cubic_bezier_ease(x1, y1, x2, y2, t).expect("sound numbers");
    let size = y1.abs().max(y2.abs()).max(1.0);
    // From the nearer end, so that nothing cancels where the curve is vertical there.
    let from_end = t > 0.5;
    let coordinate = |a: f32, b: f32, s: f64| {
        let (a, b) = (f64::from(a), f64::from(b));
        let (a, b) = if from_end { (1.0 - b, 1.0 - a) } else { (a, b) };
        3.0 * (1.0 - s) * (1.0 - s) * s * a + 3.0 * (1.0 - s) * s * s * b + s * s * s
    };
    let wanted = if from_end { 1.0 - f64::from(t) } else { t.into() };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        *(if coordinate(x1, x2, middle) < wanted { &mut low } else { &mut high }) = middle;
    }
    let exact = coordinate(y1, y2, low);
    let exact = if from_end { 1.0 - exact } else { exact };
    let miss = (f64::from(at(t)) - exact).abs();
    assert!(miss <= 1e-5 * f64::from(size), "({x1}, {y1}), ({x2}, {y2}) at {t}: {miss} off");
    if (0.0..=1.0).contains(&y1) && (0.0..=1.0).contains(&y2) {
        assert!(at(t) <= at(later), "({x1}, {y1}), ({x2}, {y2}) falls from {t} to {later}");
    }
    assert_eq!((at(0.0), at(1.0)), (0.0, 1.0));
}
