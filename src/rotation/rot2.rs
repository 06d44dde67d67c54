//! Rotations of the plane as unit complex numbers.

use core::ops::Mul;

use glam::Vec2;

use super::{Rotation, Turned, shortest_arc_2d};
use crate::math;
use crate::packed::Packed;

/// A rotation of the plane, held as a unit complex number.
///
/// It composes without trigonometry and has no seam at ±180°. Positive angles turn from
/// +X towards +Y.
///
/// Not checked: NaN gives NaN, but for [`Rot2::normalize`], which makes the identity of it, and an
/// infinite angle any turn.
///
/// ```
/// use sinew::{Rot2, glam::Vec2};
///
/// let quarter = Rot2::from_angle(core::f32::consts::FRAC_PI_2);
/// assert!((quarter * quarter * Vec2::X + Vec2::X).length() < 1e-6);
/// assert!(((quarter * quarter * quarter).angle() + core::f32::consts::FRAC_PI_2).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rot2 {
    /// Cosine of the angle.
    pub cos: f32,
    /// Sine of the angle.
    pub sin: f32,
}

impl Rot2 {
    /// No turn.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0 };

    /// The turn by `angle` radians.
    #[inline]
    #[must_use]
    pub fn from_angle(angle: f32) -> Self {
        let (sin, cos) = math::sin_cos(angle);
        Self { cos, sin }
    }

    /// The angle in radians, in `[-π, π]`.
    #[inline]
    #[must_use]
    pub fn angle(self) -> f32 {
        math::atan2(self.sin, self.cos)
    }

    /// The opposite turn.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { cos: self.cos, sin: -self.sin }
    }

    /// Turns a vector.
    #[inline]
    #[must_use]
    pub fn rotate(self, v: Vec2) -> Vec2 {
        Vec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }

    /// The same direction with unit length; the identity if both components are 0.
    #[must_use]
    pub fn normalize(self) -> Self {
        let Some((along, length, _)) = Vec2::new(self.cos, self.sin).tame() else {
            return Self::IDENTITY;
        };
        let unit = along * (1.0 / length);
        Self { cos: unit.x, sin: unit.y }
    }
}

impl Rotation for Rot2 {
    type Vector = Vec2;
    type Packed = Vec2;
    type Spin = f32;

    const IDENTITY: Self = Self::IDENTITY;

    #[inline]
    fn inverse(self) -> Self {
        Self::inverse(self)
    }

    #[inline]
    fn rotate(self, vector: Vec2) -> Vec2 {
        Self::rotate(self, vector)
    }

    #[inline]
    fn rotate_fast(self, vector: Vec2) -> Vec2 {
        Self::rotate(self, vector)
    }

    #[inline]
    fn rotate_packed(self, vector: Vec2) -> Vec2 {
        Self::rotate(self, vector)
    }

    #[inline]
    fn rotate_fast_packed(self, vector: Vec2) -> Vec2 {
        Self::rotate(self, vector)
    }

    #[inline]
    fn rotate_by(self, _per_squared: Vec2, vector: Vec2) -> Vec2 {
        Self::rotate(self, vector)
    }

    #[inline]
    fn angle(self) -> f32 {
        Self::angle(self).abs()
    }

    #[inline]
    fn scaled(self, share: f32) -> Self {
        Self::from_angle(Self::angle(self) * share)
    }

    #[inline]
    fn exp(spin: f32) -> Self {
        Self::from_angle(spin)
    }

    #[inline]
    fn log(self) -> f32 {
        Self::angle(self)
    }

    #[inline]
    fn rotate_spin(self, spin: f32) -> f32 {
        spin
    }

    #[inline]
    fn arc(from: Vec2, to: Vec2) -> Self {
        shortest_arc_2d(from, to)
    }

    #[inline]
    fn unit_arc(from: Vec2, to: Vec2) -> Self {
        Self { cos: from.dot(to), sin: from.perp_dot(to) }.normalize()
    }

    #[inline]
    fn and_arc(self, from: Vec2, to: Vec2, _length: f32) -> Turned<Self> {
        Turned::from_unit((Self { cos: from.dot(to), sin: from.perp_dot(to) } * self).normalize())
    }

    #[inline]
    fn normalized(self) -> Self {
        self.normalize()
    }

    #[inline]
    fn times(self, factor: f32) -> Self {
        Self { cos: self.cos * factor, sin: self.sin * factor }
    }

    #[inline]
    fn norm_squared(self) -> f32 {
        self.cos * self.cos + self.sin * self.sin
    }

    fn is_finite(self) -> bool {
        self.cos.is_finite() && self.sin.is_finite()
    }

    #[inline]
    fn nlerp(self, to: Self, t: f32) -> Self {
        let blend =
            Self { cos: math::lerp(self.cos, to.cos, t), sin: math::lerp(self.sin, to.sin, t) };
        // Half a turn apart the blend can vanish; there the arc decides.
        if blend.norm_squared() < 1e-4 {
            self * (self.inverse() * to).scaled(t)
        } else {
            blend.normalize()
        }
    }
}

impl Default for Rot2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Rot2 {
    type Output = Self;

    #[inline]
    fn mul(self, rhs: Self) -> Self {
        Self {
            cos: self.cos * rhs.cos - self.sin * rhs.sin,
            sin: self.sin * rhs.cos + self.cos * rhs.sin,
        }
    }
}

impl Mul<Vec2> for Rot2 {
    type Output = Vec2;

    #[inline]
    fn mul(self, rhs: Vec2) -> Vec2 {
        self.rotate(rhs)
    }
}

#[cfg(feature = "mint")]
impl From<Rot2> for mint::ColumnMatrix2<f32> {
    fn from(r: Rot2) -> Self {
        Self { x: [r.cos, r.sin].into(), y: [-r.sin, r.cos].into() }
    }
}

/// The rotation in a 2 × 2 matrix; scale and shear are dropped.
#[cfg(feature = "mint")]
impl From<mint::ColumnMatrix2<f32>> for Rot2 {
    fn from(m: mint::ColumnMatrix2<f32>) -> Self {
        Self { cos: m.x.x + m.y.y, sin: m.x.y - m.y.x }.normalize()
    }
}
