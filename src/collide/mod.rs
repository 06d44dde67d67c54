//! What particles bump into.
//!
//! Every shape here, seen from one point, is one of three things: a ball to stay out of, a ball to
//! stay inside of, or a plane to stay above. A shape's file says which; what happens then is the
//! same for all of them and is written once: for particles in `contact`, for bones in `bone`.

mod bone;
mod capsule;
mod collider;
mod contact;
mod oriented_box;
mod plane;
mod sphere;
mod surface;

pub use bone::{capsule_collide_bones, sphere_collide_bones};
pub use capsule::{Capsule, capsule_collide};
pub use collider::{Collider, collide};
pub use contact::{Contact, Contacts};
pub use oriented_box::{OrientedBox, box_collide};
pub use plane::{Plane, plane_collide};
pub use sphere::{Sphere, sphere_collide};

pub(crate) use surface::{Form, Names, Surface, fields_of};
