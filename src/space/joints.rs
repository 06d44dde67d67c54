//! The joints of both dimensions, as the solvers ask for them.

use glam::{Quat, Vec2, Vec3};

use super::{Joint, Limits, Spin, Vector};
use crate::error::Error;
use crate::joint::{
    Arm, Effort, Freedom, Hand, Joint2, Joint3, Rim, Turned, bend_2d, bend_3d, bend_axis_2d,
    bend_axis_3d, edge_2d, edge_3d, free_2d, free_3d, hand_2d, hand_3d, turn_2d, turn_3d,
};
use crate::rotation::Rot2;

impl Joint<Vec2> for Joint2 {}
impl Joint<Vec3> for Joint3 {}

macro_rules! limits {
    ($joint:ty, $vector:ty, $rotation:ty, $turn:path, $free:path, $axis:path, $bend:path, $hand:path, $edge:path) => {
        impl Limits<$vector> for $joint {
            const FREE: Self = Self::FREE;

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

            // See `turn_3d`.
            #[inline(always)]
            fn turn(
                &self,
                local: $rotation,
                arm: Arm<$vector>,
                effort: Effort,
            ) -> Turned<$rotation, $vector> {
                $turn(self, local, arm, effort)
            }

            // See `turn_3d`.
            #[inline(always)]
            fn turn_freely(
                local: $rotation,
                arm: Arm<<$vector as Vector>::Packed>,
            ) -> Turned<$rotation, <$vector as Vector>::Packed> {
                $free(local, arm, Effort::FULL)
            }

            fn aims(&self) -> bool {
                self.aims()
            }

            fn bend_axis(&self, arm: $vector) -> Spin<$vector> {
                $axis(self, arm)
            }

            #[inline]
            fn bend(
                &self,
                local: $rotation,
                arm: $vector,
                turn: (Spin<$vector>, f32),
                effort: Effort,
            ) -> ($rotation, $vector) {
                $bend(self, local, arm, turn, effort)
            }

            fn hand(&self, rim: Rim, bone: $vector) -> Option<Hand<$vector>> {
                $hand(self, rim, bone)
            }

            fn edge(&self, rim: Rim, t: f32) -> $rotation {
                $edge(self, rim, t)
            }
        }
    };
}

limits!(Joint2, Vec2, Rot2, turn_2d, free_2d, bend_axis_2d, bend_2d, hand_2d, edge_2d);
limits!(Joint3, Vec3, Quat, turn_3d, free_3d, bend_axis_3d, bend_3d, hand_3d, edge_3d);
