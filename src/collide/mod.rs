//! What particles bump into.
//!
//! Every shape here, seen from one point, is one of three things: a ball to stay out of, a ball to
//! stay inside of, or a plane to stay above. A shape's file says which; what happens then is the
//! same for all of them and is written once, in this file for particles.

mod bone;
mod capsule;
mod oriented_box;
mod plane;
mod sphere;

pub use bone::{capsule_collide_bones, sphere_collide_bones};
pub use capsule::{Capsule, capsule_collide};
pub use oriented_box::{OrientedBox, box_collide};
pub use plane::{Plane, plane_collide};
pub use sphere::{Sphere, sphere_collide};

use crate::error::{Error, check_range};
use crate::rotation::Rotation;
use crate::space::{
    MAX_COORDINATE, Motion, Pose, Vector, check_inverse_masses, check_length,
    check_optional_length, check_vectors, direction,
};

/// How particles touch a collider. By default they are points (a radius of 0), the collider is hard
/// (a shell of 0) and smooth (a friction of 0), and none is pinned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<'a> {
    /// The particles' radius, in the caller's unit of length, in `[0, 1e12]`.
    pub radius: f32,
    /// Thickness of a soft shell about the collider, in the caller's unit of length, in
    /// `[0, 1e12]`. A particle at a distance `g` from the surface, between `-shell` and `shell`, is
    /// put at `(g + shell)² / (4 shell)`: nothing at the shell's outer edge, more the deeper it
    /// is, never below the surface. 0 is hard.
    pub shell: f32,
    /// Coulomb friction, 0 or more: a touching particle loses this many times the length of its
    /// push from the way it has slid since `previous`. Infinite sticks. Needs `previous`.
    pub friction: f32,
    /// One inverse mass a particle; a particle with 0 is pinned and is not pushed. Empty: none is
    /// pinned.
    pub inverse_masses: &'a [f32],
}

/// What a collider has done to particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
pub struct Contacts {
    /// How many particles, or bones, were pushed.
    pub touched: usize,
    /// How deep the deepest of them lay below the surface before, in the caller's unit of length;
    /// 0 if only the shell was touched.
    pub deepest: f32,
}

impl Contacts {
    fn add(&mut self, gap: f32) {
        self.touched += 1;
        self.deepest = self.deepest.max(-gap);
    }
}

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
    /// space, the answer in the space that `body` is a pose in.
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
        match *self {
            Self::Sphere(s) => Self::Sphere(Sphere { center: motion.point(s.center), ..s }),
            Self::Capsule(c) => {
                let (start, end) = (motion.point(c.start), motion.point(c.end));
                Self::Capsule(Capsule { start, end, ..c })
            }
            Self::Plane(p) => {
                Self::Plane(Plane::new(motion.point(p.point), motion.turn.rotate(p.normal)))
            }
            Self::Box(b) => Self::Box(OrientedBox {
                center: motion.point(b.center),
                rotation: (motion.turn * b.rotation).normalized(),
                ..b
            }),
        }
    }

    /// The shape as the nearest point of a bone between two points sees it; `None` for a shape that
    /// a bone is clear of if its ends are, or that does not look at whole bones.
    pub(crate) fn surface_of_bone(&self, a: V, b: V, radius: f32) -> Option<Surface<V>> {
        let touch = match self {
            Self::Sphere(s) if !s.inside => bone::touch_sphere(s, a, b),
            Self::Capsule(c) if !c.inside => bone::touch_capsule(c, a, b),
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

/// A shape as one point sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface<V> {
    /// The unit direction in which the point is pushed.
    pub(crate) normal: V,
    /// Its distance from the surface along it, negative where it has to be pushed.
    pub(crate) gap: f32,
    pub(crate) form: Form<V>,
}

/// What a shape is like about the part of it that one point sees.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<V> {
    /// A ball to keep out of.
    Ball { center: V, radius: f32 },
    /// A ball to keep inside of.
    Bowl { center: V, radius: f32 },
    /// A plane through a point, to stay on the side of.
    Plane { point: V },
}

impl<V: Vector> Surface<V> {
    /// The outside of a ball, for a point `offset` away from its centre; `fallback` is the way out
    /// of the very centre.
    #[inline]
    fn ball(center: V, offset: V, radius: f32, fallback: impl FnOnce() -> V) -> Self {
        let (normal, distance) = direction(offset).unwrap_or_else(|| (fallback(), 0.0));
        Self { normal, gap: distance - radius, form: Form::Ball { center, radius } }
    }

    /// The inside of a ball, for a point `offset` away from its centre.
    #[inline]
    fn bowl(center: V, offset: V, radius: f32) -> Self {
        let (out, distance) = direction(offset).unwrap_or((V::ZERO, 0.0));
        Self { normal: -out, gap: radius - distance, form: Form::Bowl { center, radius } }
    }

    /// A plane through `on` with a unit `normal`, for a point `offset` away from `on`.
    #[inline]
    fn plane(on: V, offset: V, normal: V) -> Self {
        Self { normal, gap: offset.dot(normal), form: Form::Plane { point: on } }
    }
}

/// What the fields of a shape are called in an error.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    pub(crate) center: &'static str,
    pub(crate) radius: &'static str,
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
    pub(crate) point: &'static str,
    pub(crate) normal: &'static str,
    pub(crate) half_extents: &'static str,
    pub(crate) rotation: &'static str,
}

/// The names of the fields of an argument.
macro_rules! fields_of {
    ($argument:literal) => {
        &$crate::collide::Names {
            center: concat!($argument, ".center"),
            radius: concat!($argument, ".radius"),
            start: concat!($argument, ".start"),
            end: concat!($argument, ".end"),
            point: concat!($argument, ".point"),
            normal: concat!($argument, ".normal"),
            half_extents: concat!($argument, ".half_extents"),
            rotation: concat!($argument, ".rotation"),
        }
    };
}
pub(crate) use fields_of;

/// What the files of the shapes provide.
pub(crate) trait Shape<V: Vector>: Copy {
    /// `Ok` if the shape is what its documentation says.
    fn check(&self, names: &Names) -> Result<(), Error>;

    /// How a particle of this radius at `point` sees the shape; for the centre of the particle,
    /// which is then a point.
    fn surface(&self, point: V, radius: f32) -> Surface<V>;

    /// Whether the gap of that surface is certain to be no less than 0. Most particles are clear of
    /// most shapes, and to see it takes no root.
    fn is_far(&self, point: V, radius: f32) -> bool;
}

/// Whether one length is greater than another by more than their rounding, given their squares.
#[inline]
fn is_longer(squared: f32, other_squared: f32) -> bool {
    squared > 1.01 * other_squared + f32::MIN_POSITIVE
}

/// Pushes particles out of a collider of any shape, or into it.
///
/// It is the function of that shape, one of [`sphere_collide`], [`capsule_collide`],
/// [`plane_collide`] and [`box_collide`]: a list of colliders serves particles as it serves spring
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
    each_shape!(collider, shape => push_out(positions, previous, (fields_of!("collider"), shape), contact))
}

/// Pushes particles out of a shape.
fn push_out<V: Vector, S: Shape<V>>(
    positions: &mut [V],
    previous: &[V],
    (names, shape): (&Names, &S),
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    shape.check(names)?;
    check_contact(positions, previous, contact)?;
    let mut contacts = Contacts::default();
    for (i, x) in positions.iter_mut().enumerate() {
        if contact.inverse_masses.get(i) == Some(&0.0) {
            continue;
        }
        let Surface { normal, gap, form } = shape.surface(*x, contact.radius);
        if gap < contact.shell || gap < 0.0 {
            contacts.add(gap);
            let to = pushed_to(gap, contact.shell);
            let push = match form {
                // A shell thicker than the inside of a shape pushes to its core and not beyond.
                Form::Bowl { radius, .. } => to.min(radius) - gap,
                Form::Ball { .. } | Form::Plane { .. } => to - gap,
            };
            let slide = previous.get(i).map_or(V::ZERO, |before| slide(*x - *before, normal));
            *x = *x + normal * push - slide * held(slide.length(), push, contact.friction);
        }
    }
    Ok(contacts)
}

/// Where a particle at distance `gap` is put: a parabola that meets 0 at `-shell` and the identity
/// at `shell`, smoothly at both.
#[inline]
fn pushed_to(gap: f32, shell: f32) -> f32 {
    if gap <= -shell {
        return 0.0;
    }
    // Halves first: the sum of the two lengths fits, its square need not.
    let share = 0.5 * (gap + shell) / shell;
    share * share * shell
}

/// The part of a move that lies along the surface.
#[inline]
fn slide<V: Vector>(moved: V, normal: V) -> V {
    moved - normal * moved.dot(normal)
}

/// The share of a slide that friction takes back.
#[inline]
fn held(slide: f32, push: f32, friction: f32) -> f32 {
    let hold = friction * push;
    if hold >= slide {
        1.0
    } else if hold > 0.0 {
        hold / slide
    } else {
        0.0
    }
}

fn check_contact<V: Vector>(
    positions: &[V],
    previous: &[V],
    contact: &Contact<'_>,
) -> Result<(), Error> {
    check_vectors("positions", positions)?;
    check_range("contact.friction", contact.friction, 0.0, f32::INFINITY)?;
    if contact.friction > 0.0 {
        check_length("previous", previous.len(), positions.len())?;
    } else {
        check_optional_length("previous", previous.len(), positions.len())?;
    }
    check_vectors("previous", previous)?;
    check_range("contact.radius", contact.radius, 0.0, MAX_COORDINATE)?;
    check_range("contact.shell", contact.shell, 0.0, MAX_COORDINATE)?;
    check_inverse_masses("contact.inverse_masses", contact.inverse_masses, positions.len())
}

/// `Ok` if `radius` is a length.
fn check_radius(argument: &'static str, radius: f32) -> Result<(), Error> {
    check_range(argument, radius, 0.0, MAX_COORDINATE)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;

    /// Numbers in [-1, 1], the same on every run.
    fn numbers() -> impl FnMut() -> f32 {
        let mut state = 1_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        }
    }

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
        let mut far = [0; 6];
        for size in [1e-25_f32, 1e-12, 1e-3, 1.0, 1e6, 1e11] {
            for away in [0.0_f32, 10.0, 1e5] {
                let at = Vec3::new(0.3, -1.0, 0.5) * (away * size).min(MAX_COORDINATE);
                for _ in 0..3000 {
                    let radius = next().max(0.0).powi(4) * size;
                    let reach = 2.0 * next().abs().powi(3) * size;
                    let shapes = shapes(&mut next, at, size);
                    for (shape, far) in shapes.iter().zip(&mut far) {
                        let point = at + Vec3::new(next(), next(), next()) * reach;
                        if shape.is_far(point, radius) {
                            *far += 1;
                            let gap = shape.surface(point, radius).gap;
                            assert!(gap >= 0.0, "{shape:?} at {point}, {radius}: {gap}");
                        }
                    }
                }
            }
        }
        // Of 54 000 each, a good part.
        assert!(far.iter().all(|far| *far > 5_000), "{far:?}");
    }
}
