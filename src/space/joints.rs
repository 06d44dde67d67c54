//! The joints of both dimensions, as the solvers ask for them.

use glam::{Quat, Vec2, Vec3};

use super::{Joint, Limits, Spin};
use crate::error::Error;
use crate::joint::{Freedom, Joint2, Joint3};
use crate::rotation::Rot2;

impl Joint<Vec2> for Joint2 {}
impl Joint<Vec3> for Joint3 {}

macro_rules! limits {
    ($joint:ty, $vector:ty, $rotation:ty) => {
        impl Limits<$vector> for $joint {
            const FREE: &'static Self = &Self::FREE;

            #[inline]
            fn check(&self) -> Result<(), Error> {
                self.check()
            }

            fn is_free(&self) -> bool {
                self.is_free()
            }

            #[inline]
            fn nearest(&self, local: $rotation) -> $rotation {
                self.nearest(local, 0.0)
            }

            #[inline]
            fn weight(&self) -> f32 {
                self.weight()
            }

            #[inline]
            fn freedom(&self) -> Freedom<Spin<$vector>> {
                self.freedom()
            }

            #[inline]
            fn angle_of(&self, local: $rotation) -> f32 {
                self.angle_of(local)
            }

            #[inline]
            fn at(&self, angle: f32) -> $rotation {
                self.at(angle)
            }
        }
    };
}

limits!(Joint2, Vec2, Rot2);
limits!(Joint3, Vec3, Quat);
