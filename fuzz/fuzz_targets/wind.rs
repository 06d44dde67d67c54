//! Wind of any numbers: an error or a finite answer. Of sound numbers: within its gusts, and no
//! faster in its change than it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{Wind, wind_at};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    match bits.below(4) {
        0 => wild::<Vec3>(&mut bits),
        1 => wild::<Vec2>(&mut bits),
        2 => sound::<Vec2>(&mut bits),
        _ => sound::<Vec3>(&mut bits),
    }
});

fn wild<V: Space>(bits: &mut Bits) {
    let wind = Wind {
        direction: V::point(bits, true),
        strength: bits.any(),
        gustiness: bits.any(),
        gust_length: bits.any(),
        gust_rate: bits.any(),
        sway: V::point(bits, true),
    };
    let time = if bits.byte() < 128 { bits.any().into() } else { bits.raw_double() };
    if let Ok(blow) = wind_at(&wind, V::point(bits, true), time) {
        assert!(blow.largest().is_finite(), "{wind:?}");
    }
}

fn sound<V: Space>(bits: &mut Bits) {
    let wind = Wind {
        direction: V::point(bits, false),
        strength: 10.0 * bits.share(),
        gustiness: bits.share(),
        gust_length: 0.01 + 10.0 * bits.share(),
        gust_rate: 10.0 * bits.share(),
        sway: V::point(bits, false),
    };
    let (point, time) = (V::point(bits, false), f64::from(bits.moderate()) * 1e5);
    let at = |time: f64| wind_at(&wind, point, time).expect("sound numbers").double();
    let blow = at(time);
    let along = wind.direction.double().try_normalize().unwrap_or_default();
    let (strength, gustiness) = (f64::from(wind.strength), f64::from(wind.gustiness));
    let sway = wind.sway.double().length();
    let rounding = 1e-5 * (strength + sway);

    // What the sway leaves of it lies between the deepest lull and the strongest gust.
    let gust = if along == glam::DVec3::ZERO { 0.0 } else { strength };
    let off = (blow - along * gust).length();
    assert!(off <= gust * gustiness + sway + rounding, "{blow} of {wind:?}");
    let swayed = blow.dot(along);
    assert!(swayed >= gust * (1.0 - gustiness) - sway - rounding, "{blow} of {wind:?}");

    let later = time + f64::from(bits.share()) * 0.1;
    let (change, dt) = (at(later).distance(blow), later - time);
    let most = 8.0 * f64::from(wind.gust_rate) * (gust * gustiness + sway) * dt;
    assert!(change <= most + rounding, "{change} in {dt} s, at most {most}, of {wind:?}");
    assert_eq!(at(time), blow);
}
