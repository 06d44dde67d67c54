//! Easings: how a motion from 0 to 1 spreads over its time.

use super::check_phase;
use crate::error::Error;
use crate::math::{self, half_turn_sine, ten_doublings, versed_quarter};

/// The thirty standard easings, and the straight line.
///
/// `In` starts gently, `Out` ends gently, `InOut` does both. Every one is exactly 0 at 0 and
/// exactly 1 at 1, is continuous in between, and is accurate to 1e-6. `Back` and `Elastic` leave
/// `[0, 1]` on the way; the rest stay in it, and of those all but `Bounce` never turn back.
///
/// Source: Penner (2001), "Robert Penner's Easing Functions", with the constants that the web
/// has settled on. Two families differ from those by less than a thousandth: the customary
/// exponential is 2⁻¹⁰ at the end where it should be 0, and jumps; here it is moved down to start
/// at 0, and so is the envelope of `Elastic`.
///
/// ```
/// use sinew::Ease;
///
/// assert_eq!(Ease::QuadIn.at(0.5), Ok(0.25));
/// assert!(Ease::ALL.iter().all(|ease| ease.at(1.0) == Ok(1.0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Ease {
    #[default]
    Linear,
    SineIn,
    SineOut,
    SineInOut,
    QuadIn,
    QuadOut,
    QuadInOut,
    CubicIn,
    CubicOut,
    CubicInOut,
    QuartIn,
    QuartOut,
    QuartInOut,
    QuintIn,
    QuintOut,
    QuintInOut,
    ExpoIn,
    ExpoOut,
    ExpoInOut,
    CircIn,
    CircOut,
    CircInOut,
    BackIn,
    BackOut,
    BackInOut,
    ElasticIn,
    ElasticOut,
    ElasticInOut,
    BounceIn,
    BounceOut,
    BounceInOut,
}

impl Ease {
    /// Every easing, in the order of their declaration.
    pub const ALL: [Self; 31] = [
        Self::Linear,
        Self::SineIn,
        Self::SineOut,
        Self::SineInOut,
        Self::QuadIn,
        Self::QuadOut,
        Self::QuadInOut,
        Self::CubicIn,
        Self::CubicOut,
        Self::CubicInOut,
        Self::QuartIn,
        Self::QuartOut,
        Self::QuartInOut,
        Self::QuintIn,
        Self::QuintOut,
        Self::QuintInOut,
        Self::ExpoIn,
        Self::ExpoOut,
        Self::ExpoInOut,
        Self::CircIn,
        Self::CircOut,
        Self::CircInOut,
        Self::BackIn,
        Self::BackOut,
        Self::BackInOut,
        Self::ElasticIn,
        Self::ElasticOut,
        Self::ElasticInOut,
        Self::BounceIn,
        Self::BounceOut,
        Self::BounceInOut,
    ];

    /// How far the motion is at the share `t` of its time; `t` is clamped to `[0, 1]`.
    ///
    /// # Errors
    /// `t` not finite.
    ///
    /// ```
    /// use sinew::Ease;
    ///
    /// assert!((Ease::SineInOut.at(0.25).unwrap() - 0.146_447).abs() < 1e-6);
    /// assert!(Ease::BounceOut.at(f32::NAN).is_err());
    /// ```
    #[inline]
    pub fn at(self, t: f32) -> Result<f32, Error> {
        Ok(self.at_phase(check_phase("t", t)?))
    }

    /// [`Ease::at`] for a `t` that is known to be in `[0, 1]`.
    ///
    /// Inlined, so that an easing which the caller names leaves its own formula and nothing else.
    #[inline]
    pub(crate) fn at_phase(self, t: f32) -> f32 {
        match self {
            Self::Linear => t,
            Self::SineIn => sine(t),
            Self::SineOut => ending(t, sine),
            Self::SineInOut => both(t, sine),
            Self::QuadIn => quad(t),
            Self::QuadOut => ending(t, quad),
            Self::QuadInOut => both(t, quad),
            Self::CubicIn => cubic(t),
            Self::CubicOut => ending(t, cubic),
            Self::CubicInOut => both(t, cubic),
            Self::QuartIn => quart(t),
            Self::QuartOut => ending(t, quart),
            Self::QuartInOut => both(t, quart),
            Self::QuintIn => quint(t),
            Self::QuintOut => ending(t, quint),
            Self::QuintInOut => both(t, quint),
            Self::ExpoIn => expo(t),
            Self::ExpoOut => ending(t, expo),
            Self::ExpoInOut => both(t, expo),
            Self::CircIn => circ(t),
            Self::CircOut => ending(t, circ),
            Self::CircInOut => both(t, circ),
            Self::BackIn => back(t, 1.701_58),
            Self::BackOut => ending(t, |t| back(t, 1.701_58)),
            Self::BackInOut => both(t, |t| back(t, 1.701_58 * 1.525)),
            Self::ElasticIn => elastic(t, 10.0 / 3.0),
            Self::ElasticOut => ending(t, |t| elastic(t, 10.0 / 3.0)),
            Self::ElasticInOut => both(t, |t| elastic(t, 10.0 / 4.5)),
            Self::BounceIn => bounce(t),
            Self::BounceOut => ending(t, bounce),
            Self::BounceInOut => both(t, bounce),
        }
    }
}

/// `gentle` turned round: gentle at the end instead of the start.
#[inline]
fn ending(t: f32, gentle: impl Fn(f32) -> f32) -> f32 {
    1.0 - gentle(1.0 - t)
}

/// `gentle` up to the middle, turned round from there.
#[inline]
fn both(t: f32, gentle: impl Fn(f32) -> f32) -> f32 {
    let late = t > 0.5;
    let half = 0.5 * gentle(if late { 2.0 - 2.0 * t } else { 2.0 * t });
    if late { 1.0 - half } else { half }
}

/// 1 - cos(πt/2).
#[inline]
fn sine(t: f32) -> f32 {
    versed_quarter(t)
}

#[inline]
fn quad(t: f32) -> f32 {
    t * t
}

#[inline]
fn cubic(t: f32) -> f32 {
    t * t * t
}

#[inline]
fn quart(t: f32) -> f32 {
    quad(quad(t))
}

#[inline]
fn quint(t: f32) -> f32 {
    quart(t) * t
}

/// 2¹⁰ᵗ⁻¹⁰, moved and scaled to begin at 0.
#[inline]
fn expo(t: f32) -> f32 {
    ten_doublings(t) * (1.0 / 1023.0)
}

/// 1 - √(1 - t²), without its cancellation near 0.
#[inline]
fn circ(t: f32) -> f32 {
    t * t / (1.0 + math::sqrt((1.0 - t) * (1.0 + t)))
}

/// `pull` decides how far it draws back.
#[inline]
fn back(t: f32, pull: f32) -> f32 {
    t * t * ((pull + 1.0) * t - pull)
}

/// `swings` is how many there are in all.
#[inline]
fn elastic(t: f32, swings: f32) -> f32 {
    // Counted from the end, where the cosine is at its peak; of the nearest whole one the rest.
    let turned = swings * (1.0 - t);
    let part = turned - math::snap(turned, 1.0);
    let sin = part * half_turn_sine(part * part);
    expo(t) * (1.0 - 2.0 * sin * sin)
}

/// Four parabolas, of which the lowest counts; the last hop is the highest.
#[inline]
fn bounce(t: f32) -> f32 {
    let s = 1.0 - t;
    let hop = |middle: f32, floor| {
        let away = s - middle;
        7.5625 * away * away + floor
    };
    let early = math::lesser(hop(0.0, 0.0), hop(1.5 / 2.75, 0.75));
    let late = math::lesser(hop(2.25 / 2.75, 0.9375), hop(2.625 / 2.75, 0.984_375));
    1.0 - math::lesser(early, late)
}
