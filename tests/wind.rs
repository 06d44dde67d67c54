//! Wind is smooth, bounded, and blows where and as hard as it is told.

use proptest::prelude::*;
use sinew::glam::{Vec2, Vec3};
use sinew::{Fault, Wind, wind_at};

fn breeze() -> Wind<Vec3> {
    Wind {
        direction: Vec3::new(2.0, 0.0, 0.0),
        strength: 3.0,
        gustiness: 0.6,
        gust_length: 5.0,
        gust_rate: 0.7,
        sway: Vec3::Z * 0.8,
    }
}

proptest! {
    /// Between lull and gust, and no further aside than the sway; and changing no faster than
    /// promised.
    #[test]
    fn strength_and_change_are_bounded(
        p in [-1e3..1e3_f32, -1e3..1e3_f32, -1e3..1e3_f32], time in -1e6..1e6_f64,
    ) {
        let (wind, p) = (breeze(), Vec3::from(p));
        let v = wind_at(&wind, p, time).unwrap();
        prop_assert!(v.x >= 3.0 * 0.4 - 1e-5 && v.x <= 3.0 * 1.6 + 1e-5, "{v}");
        prop_assert!(v.y == 0.0 && v.z.abs() <= 0.8 + 1e-6, "{v}");
        let later = wind_at(&wind, p, time + 0.01).unwrap();
        prop_assert!((later - v).x.abs() <= 0.01 * 8.0 * 3.0 * 0.6 * 0.7 + 1e-5);
        prop_assert!((later - v).z.abs() <= 0.01 * 8.0 * 0.8 * 0.7 + 1e-5);
    }

    /// The same question has the same answer, and any number is an error or finite.
    #[test]
    fn any_number_is_an_error_or_finite(
        n in prop::array::uniform9(any::<f32>()), time in any::<f64>(),
    ) {
        let wind = Wind {
            direction: Vec2::new(n[0], n[1]), strength: n[2].abs(), gustiness: n[3].abs() % 1.0,
            gust_length: n[4].abs(), gust_rate: n[5].abs(), sway: Vec2::new(n[6], n[7]),
        };
        let answer = wind_at(&wind, Vec2::new(n[8], n[0]), time);
        prop_assert!(answer.is_err() || answer.unwrap().is_finite());
        prop_assert_eq!(answer, wind_at(&wind, Vec2::new(n[8], n[0]), time));
    }
}

/// Over a long time the mean is the strength, and gusts do come.
#[test]
fn the_mean_is_the_strength() {
    let wind = breeze();
    let at = |i: u32| wind_at(&wind, Vec3::ZERO, f64::from(i) * 0.137).unwrap();
    let mean = (0..20_000).map(at).sum::<Vec3>() / 20_000.0;
    assert!((mean - Vec3::X * 3.0).length() < 0.01, "{mean}");
    let strongest = (0..20_000).map(|i| at(i).x).fold(0.0, f32::max);
    let weakest = (0..20_000).map(|i| at(i).x).fold(9.0, f32::min);
    assert!(strongest > 4.4 && weakest < 1.6, "{weakest} {strongest}");
}

/// A gust travels with the wind: the main wave is met again one gust length further, one gust
/// later.
#[test]
fn gusts_travel_with_the_wind() {
    let wind = Wind { sway: Vec3::ZERO, ..breeze() };
    let speed = f64::from(wind.gust_length * wind.gust_rate);
    // How alike the wind here is to the wind 1 m downwind, after a delay.
    let likeness = |delay: f64| {
        (0..4000_u32)
            .map(|i| {
                let t = f64::from(i) * 0.05;
                let a = wind_at(&wind, Vec3::ZERO, t).unwrap().x - 3.0;
                let b = wind_at(&wind, Vec3::X, t + delay).unwrap().x - 3.0;
                a * b
            })
            .sum::<f32>()
    };
    assert!(likeness(1.0 / speed) > likeness(0.0));
    assert!(likeness(1.0 / speed) > 2.0 * likeness(-1.0 / speed));
}

/// After a week the wind is as smooth as in the first second.
#[test]
fn the_wind_is_smooth_after_a_week() {
    let wind = breeze();
    let week = 604_800.0;
    for i in 0..1000_u32 {
        let t = week + f64::from(i) * 1e-4;
        let v = [0.0, 1e-4, 2e-4].map(|dt| wind_at(&wind, Vec3::ONE, t + dt).unwrap().x);
        // The second difference over 1e-4 s is below the rounding of the sum.
        assert!((v[0] - 2.0 * v[1] + v[2]).abs() < 4e-6, "{v:?}");
    }
}

/// No direction, no wind; mistakes are named.
#[test]
fn calm_and_mistakes() {
    assert_eq!(wind_at(&Wind::default(), Vec3::ONE, 3.0), Ok(Vec3::ZERO));
    let error = |wind: Wind<Vec3>| {
        let error = wind_at(&wind, Vec3::ZERO, 0.0).unwrap_err();
        (error.argument, error.fault)
    };
    assert_eq!(error(Wind { gustiness: 1.5, ..breeze() }), ("wind.gustiness", Fault::OutOfRange));
    assert_eq!(
        error(Wind { gust_length: 0.0, ..breeze() }),
        ("wind.gust_length", Fault::OutOfRange)
    );
    assert_eq!(error(Wind { sway: Vec3::NAN, ..breeze() }), ("wind.sway", Fault::NotFinite));
    assert_eq!(wind_at(&breeze(), Vec3::ZERO, f64::NAN).unwrap_err().argument, "time");
}
