//! Particles against one shape: pushed out of it, slid along it, held by its friction.

use super::surface::{Form, Names, Shape, Surface};
use crate::check::{
    MAX_COORDINATE, check_inverse_masses, check_length, check_optional_length, check_range,
};
use crate::error::Error;
use crate::space::{Vector, check_vectors};

/// How particles touch a collider. By default they are points (a radius of 0), the collider is hard
/// (a shell of 0) and smooth (a friction of 0), and none is pinned.
///
/// Friction holds a particle against the space of `previous`, in which a collider that moves is not
/// at rest: to ride on one, a particle needs its `previous` moved along, for the collider's
/// function alone.
///
/// ```
/// use sinew::{Contact, OrientedBox, Verlet, box_collide, glam::Vec2, verlet_step};
///
/// let mut truck = OrientedBox::new(Vec2::NEG_Y, Vec2::new(5.0, 1.0));
/// let (mut positions, mut previous) = ([Vec2::ZERO], [Vec2::ZERO]);
/// let fall = Verlet { acceleration: Vec2::NEG_Y * 9.81, ..Verlet::default() };
/// let rough = Contact { friction: 1.0, ..Contact::default() };
/// for _ in 0..120 {
///     let _ = verlet_step(&mut positions, &mut previous, &fall, 1.0 / 60.0)?;
///     // 1 m/s; of a truck that turns, what each particle's place has moved by.
///     let moved = Vec2::X / 60.0;
///     truck.center += moved;
///     let carried = previous.map(|before| before + moved);
///     let _ = box_collide(&mut positions, &carried, &truck, &rough)?;
/// }
/// // It has slid for the tenth of a second that gravity takes to get it up to speed.
/// assert!((positions[0].x - 1.95).abs() < 0.02);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<'a> {
    /// The particles' radius, in the caller's unit of length, in `[0, 1e12]`.
    pub radius: f32,
    /// Thickness of a soft shell about the collider, in the caller's unit of length, in
    /// `[0, 1e12]`. A particle at a distance `g` from the surface, between `-shell` and `shell`, is
    /// put at `(g + shell)² / (4 shell)`: nothing at the shell's outer edge, more the deeper it
    /// is, never below the surface. 0 is hard.
    ///
    /// What presses on it sinks in, deeper the longer the steps: under gravity `g`, and with one
    /// push a step of `dt` seconds, a particle comes to rest `(√shell - √(g dt²))²` up, or on the
    /// surface once it falls by the shell in a step. 10 mm hold it 7.6 mm up at 240 Hz, 2.3 at 60
    /// and none at 30.
    pub shell: f32,
    /// Coulomb friction, 0 or more: a touching particle loses this many times the length of its
    /// push from the way it has slid since `previous`. Infinite sticks. Needs `previous`, and one
    /// that has moved along where the collider moves: see above.
    pub friction: f32,
    /// One inverse mass a particle; a particle with 0 is pinned and is not pushed. Empty: none is
    /// pinned.
    pub inverse_masses: &'a [f32],
}

/// What a collider has done to particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct Contacts {
    /// How many particles, or bones, were pushed.
    pub touched: usize,
    /// How deep the deepest of them lay below the surface before, in the caller's unit of length;
    /// 0 if only the shell was touched.
    pub deepest: f32,
}

impl Contacts {
    pub(super) fn add(&mut self, gap: f32) {
        self.touched += 1;
        self.deepest = self.deepest.max(-gap);
    }
}

/// Pushes particles out of a shape.
pub(super) fn push_out<V: Vector, S: Shape<V>>(
    positions: &mut [V],
    previous: &[V],
    (names, shape): (&Names, &S),
    contact: &Contact<'_>,
) -> Result<Contacts, Error> {
    shape.check(names)?;
    check_contact(positions, previous, contact)?;
    let mut contacts = Contacts::default();
    // Without friction no slide is held, whatever it was.
    let previous = if contact.friction > 0.0 { previous } else { &[] };
    let (ball, reach) = (shape.bounding_ball(), contact.radius + contact.shell);
    for (i, x) in positions.iter_mut().enumerate() {
        let is_pinned = contact.inverse_masses.get(i) == Some(&0.0);
        // Most particles are clear of most shapes.
        if is_pinned || ball.is_some_and(|ball| ball.is_far(*x, reach)) {
            continue;
        }
        let Surface { normal, gap, form } = shape.surface(*x, contact.radius);
        if gap < contact.shell {
            contacts.add(gap);
            let to = pushed_to(gap, contact.shell);
            let push = match form {
                // A shell thicker than the inside of a shape pushes to its core and not beyond.
                Form::Bowl { radius, .. } => to.min(radius) - gap,
                Form::Ball { .. } | Form::Plane { .. } => to - gap,
            };
            let moved = previous.get(i).map(|before| *x - *before);
            *x = *x + normal * push;
            if let Some(moved) = moved {
                let slide = slide(moved, normal);
                *x = *x - slide * held(slide.length(), push, contact.friction);
            }
        }
    }
    Ok(contacts)
}

/// Where a particle at distance `gap` is put: a parabola that meets 0 at `-shell` and the identity
/// at `shell`, smoothly at both.
#[inline]
pub(super) fn pushed_to(gap: f32, shell: f32) -> f32 {
    if gap <= -shell {
        return 0.0;
    }
    // Halves first: the sum of the two lengths fits, its square need not.
    let share = 0.5 * (gap + shell) / shell;
    share * share * shell
}

/// The part of a move that lies along the surface.
#[inline]
pub(super) fn slide<V: Vector>(moved: V, normal: V) -> V {
    moved - normal * moved.dot(normal)
}

/// The share of a slide that friction takes back.
#[inline]
pub(super) fn held(slide: f32, push: f32, friction: f32) -> f32 {
    let hold = friction * push;
    if hold >= slide {
        1.0
    } else if hold > 0.0 {
        hold / slide
    } else {
        0.0
    }
}

pub(super) fn check_contact<V: Vector>(
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
