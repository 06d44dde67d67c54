//! Any shape.

use super::bone::{touch_capsule, touch_sphere};
use super::contact::push_out;
use super::surface::{Names, Shape, Surface, fields_of};
use super::{Capsule, Contact, Contacts, OrientedBox, Plane, Sphere};
use crate::error::Error;
use crate::space::{Motion, Pose, Vector};

/// Any collider, for lists of them: [`collide`] for particles, and
/// [`SpringBones::colliders`](crate::SpringBones::colliders).
///
/// ```
/// use sinew::{Collider, Sphere, glam::Vec3};
///
/// let head: Collider<Vec3> = Sphere::new(Vec3::Y * 1.6, 0.12).into();
/// assert_eq!(head.depth(Vec3::Y * 1.5, 0.0), 0.12 - (1.6 - 1.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: serde::Serialize, V::Rotation: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Rotation: serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub enum Collider<V: Vector> {
    /// A sphere; in 2D a circle.
    Sphere(Sphere<V>),
    /// All points within a distance of a segment.
    Capsule(Capsule<V>),
    /// Everything below a plane; in 2D below a line.
    Plane(Plane<V>),
    /// A box, turned any way.
    Box(OrientedBox<V>),
}

macro_rules! each_shape {
    ($collider:expr, $shape:ident => $result:expr) => {
        match $collider {
            Collider::Sphere($shape) => $result,
            Collider::Capsule($shape) => $result,
            Collider::Plane($shape) => $result,
            Collider::Box($shape) => $result,
        }
    };
}

impl<V: Vector> Collider<V> {
    /// How deep a particle of radius `radius` at `point` lies below the surface; negative outside.
    ///
    /// Not checked: a collider that breaks its documentation gives any number, NaN included.
    #[must_use]
    pub fn depth(&self, point: V, radius: f32) -> f32 {
        -self.surface(point, radius).gap
    }

    /// A collider that is fixed to a body, where the body has it in place: `self` in the body's
    /// space, the answer in the space that `body` is a pose in. Not checked: NaN gives NaN.
    ///
    /// ```
    /// use sinew::{Collider, Pose, Rot2, Sphere, glam::Vec2};
    ///
    /// let fist: Collider<Vec2> = Sphere::new(Vec2::X, 0.1).into();
    /// let arm = Pose::new(Vec2::ONE, Rot2 { cos: 0.0, sin: 1.0 });
    /// assert_eq!(fist.placed(&arm), Sphere::new(Vec2::new(1.0, 2.0), 0.1).into());
    /// ```
    #[must_use]
    pub fn placed(&self, body: &Pose<V>) -> Self {
        self.moved(&Motion::between(&Pose::default(), body))
    }

    pub(crate) fn moved(&self, motion: &Motion<V>) -> Self {
        each_shape!(self, shape => shape.moved(motion).into())
    }

    /// The shape as the nearest point of a bone between two points sees it; `None` for a shape that
    /// a bone is clear of if its ends are, or that does not look at whole bones.
    pub(crate) fn surface_of_bone(&self, a: V, b: V, radius: f32) -> Option<Surface<V>> {
        let touch = match self {
            Self::Sphere(s) if !s.inside => touch_sphere(s, a, b),
            Self::Capsule(c) if !c.inside => touch_capsule(c, a, b),
            _ => return None,
        };
        Some(touch.surface(radius))
    }

    pub(crate) fn check(&self, names: &Names) -> Result<(), Error> {
        each_shape!(self, shape => shape.check(names))
    }

    pub(crate) fn surface(&self, point: V, radius: f32) -> Surface<V> {
        each_shape!(self, shape => shape.surface(point, radius))
    }

    /// See [`Shape::is_far`].
    pub(crate) fn is_far(&self, point: V, radius: f32) -> bool {
        each_shape!(self, shape => shape.is_far(point, radius))
    }

    /// Between two poses of one collider; `other` if it is another kind of shape.
    pub(crate) fn lerp(&self, other: &Self, t: f32) -> Self {
        match (self, other) {
            (Self::Sphere(a), Self::Sphere(b)) => Self::Sphere(a.lerp(b, t)),
            (Self::Capsule(a), Self::Capsule(b)) => Self::Capsule(a.lerp(b, t)),
            (Self::Plane(a), Self::Plane(b)) => Self::Plane(a.lerp(b, t)),
            (Self::Box(a), Self::Box(b)) => Self::Box(a.lerp(b, t)),
            _ => *other,
        }
    }
}

/// Pushes particles out of a collider of any shape, or into it.
///
/// It is the function of that shape, one of [`sphere_collide`](crate::sphere_collide),
/// [`capsule_collide`](crate::capsule_collide), [`plane_collide`](crate::plane_collide) and
/// [`box_collide`](crate::box_collide): a list of colliders serves particles as it serves spring
/// bones.
///
/// # Errors
/// As for the function of the shape.
///
/// ```
/// use sinew::{Collider, Contact, Plane, Sphere, collide, glam::Vec2};
///
/// let ball = Sphere::new(Vec2::ZERO, 1.0).into();
/// let colliders: [Collider<Vec2>; 2] = [ball, Plane::new(Vec2::ZERO, Vec2::Y).into()];
/// let mut positions = [Vec2::new(0.5, 0.0), Vec2::new(3.0, -0.5)];
/// for collider in &colliders {
///     let contacts = collide(&mut positions, &[], collider, &Contact::default())?;
///     assert_eq!(contacts.touched, 1);
/// }
/// assert_eq!(positions, [Vec2::X, Vec2::X * 3.0]);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn collide<V: Vector>(
    positions: &mut [V],
    previous: &[V],
    collider: &Collider<V>,
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    let names = fields_of!("collider");
    each_shape!(collider, shape => push_out(positions, previous, (names, shape), contact))
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::check::MAX_COORDINATE;
    use crate::noise::numbers;
    use crate::rotation::Rotation;

    /// A shape of each kind, of about this size, about a place; capsules of no length among them.
    fn shapes(next: &mut impl FnMut() -> f32, at: Vec3, size: f32) -> [Collider<Vec3>; 6] {
        let mut near = || at + Vec3::new(next(), next(), next()) * size;
        let (a, b, c) = (near(), near(), near());
        let end = if next() < -0.8 { a } else { b };
        let mut length = || next().abs().powi(4) * size;
        let (radius, half) = (length(), Vec3::new(length(), length(), length()));
        let turn = Quat::from_xyzw(next(), next(), next(), 1.5).normalized();
        [
            Sphere::new(a, radius).into(),
            Sphere::inside(a, 3.0 * radius).into(),
            Capsule::new(a, end, radius).into(),
            Capsule::inside(a, end, 3.0 * radius).into(),
            Plane::new(a, turn.rotate(Vec3::Y)).into(),
            OrientedBox::new(c, half).with_rotation(turn).into(),
        ]
    }

    #[test]
    fn what_is_far_is_clear() {
        let mut next = numbers();
        let (mut far, mut beyond) = ([0; 6], [0; 6]);
        for size in [1e-25_f32, 1e-12, 1e-3, 1.0, 1e6, 1e11] {
            for away in [0.0_f32, 10.0, 1e5] {
                let at = Vec3::new(0.3, -1.0, 0.5) * (away * size).min(MAX_COORDINATE);
                for _ in 0..3000 {
                    let radius = next().max(0.0).powi(4) * size;
                    let shell = next().max(0.0).powi(4) * size;
                    let reach = 2.0 * next().abs().powi(3) * size;
                    let shapes = shapes(&mut next, at, size);
                    for ((shape, far), beyond) in shapes.iter().zip(&mut far).zip(&mut beyond) {
                        let point = at + Vec3::new(next(), next(), next()) * reach;
                        if shape.is_far(point, radius) {
                            *far += 1;
                            let gap = shape.surface(point, radius).gap;
                            assert!(gap >= 0.0, "{shape:?} at {point}, {radius}: {gap}");
                        }
                        let ball = each_shape!(shape, shape => shape.bounding_ball());
                        if ball.is_some_and(|ball| ball.is_far(point, radius + shell)) {
                            *beyond += 1;
                            let gap = shape.surface(point, radius).gap;
                            assert!(gap >= shell, "{shape:?} at {point}, {radius}: {gap}");
                        }
                    }
                }
            }
        }
        // Of 54 000 each, a good part.
        assert!(far.iter().all(|far| *far > 5_000), "{far:?}");
        let outside = [beyond[0], beyond[2], beyond[5]];
        assert!(outside.iter().all(|beyond| *beyond > 5_000), "{outside:?}");
    }
}
