//! What feet stand on.

use crate::check::MAX_COORDINATE;
use crate::space::{Vector, unit_or_zero};

/// The ground at one place.
///
/// A function from a position to an `Option<Ground>` is how a caller describes terrain: the
/// ground under (or nearest to) the position, `None` where there is none. An answer whose point is
/// not a finite number counts as `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ground<V> {
    /// A point of the ground, in the feet's space.
    pub point: V,
    /// Its normal, of any length; without length there is no up and no lift, as in a plane that
    /// is seen from above.
    pub normal: V,
}

impl<V: Vector> Ground<V> {
    /// The point nearest to `position` of the plane through this point of the ground; in 2D, of
    /// the line. With it a level floor is `|p| Some(floor.nearest(p))`.
    ///
    /// `position` itself where the normal has no length.
    ///
    /// Not checked: a normal that is not finite counts as one of no length, and NaN elsewhere gives
    /// NaN.
    ///
    /// ```
    /// use sinew::{Ground, glam::Vec3};
    ///
    /// let floor = Ground { point: Vec3::ZERO, normal: Vec3::Y };
    /// assert_eq!(floor.nearest(Vec3::new(1.0, 5.0, 2.0)).point, Vec3::new(1.0, 0.0, 2.0));
    /// ```
    #[must_use]
    pub fn nearest(self, position: V) -> Self {
        let normal = unit_or_zero(self.normal);
        let height = (position - self.point).dot(normal);
        Self { point: position - normal * height, normal }
    }

    /// The point of the same plane that lies straight below or above `position`, along `up`.
    ///
    /// [`Ground::nearest`] where `up` runs along the plane (within 1e-3 rad), or one of the two
    /// has no length.
    ///
    /// Not checked: as [`Ground::nearest`].
    ///
    /// ```
    /// use sinew::{Ground, glam::Vec2};
    ///
    /// let slope = Ground { point: Vec2::ZERO, normal: Vec2::new(-1.0, 1.0) };
    /// let under = slope.along(Vec2::new(2.0, 9.0), Vec2::Y).point;
    /// assert!(under.distance(Vec2::new(2.0, 2.0)) < 1e-5);
    /// ```
    #[must_use]
    pub fn along(self, position: V, up: V) -> Self {
        let (normal, up) = (unit_or_zero(self.normal), unit_or_zero(up));
        let slant = normal.dot(up);
        // Beyond this the point is a thousand times as far along the plane as it is high.
        if slant.abs() < 1e-3 {
            return self.nearest(position);
        }
        let height = (position - self.point).dot(normal);
        Self { point: position - up * (height / slant), normal }
    }
}

/// The ground at a place, with a unit normal; the place itself where there is none.
pub(super) fn under<V: Vector>(
    ground: &impl Fn(V) -> Option<Ground<V>>,
    at: V,
    up: V,
) -> Ground<V> {
    match ground(at) {
        Some(found) if found.point.largest() <= MAX_COORDINATE => {
            Ground { point: found.point, normal: unit_or_zero(found.normal) }
        }
        _ => Ground { point: at, normal: unit_or_zero(up) },
    }
}
