//! What is seen from a joint: the effector and the target, before the joint turns and after.

use core::ops::Add;

use glam::{Vec3, Vec3A};

use crate::rotation::Rotation;
use crate::space::Vector;

/// Where the effector is and where the target is, from the joint and in its own frame, before it
/// turns.
#[derive(Clone, Copy, Debug)]
pub struct Arm<V> {
    pub(crate) effector: V,
    pub(crate) target: V,
}

impl Arm<Vec3> {
    #[inline]
    pub(super) fn packed(self) -> Arm<Vec3A> {
        Arm { effector: self.effector.into(), target: self.target.into() }
    }
}

impl Arm<Vec3A> {
    #[inline]
    pub(super) fn unpacked(self) -> Arm<Vec3> {
        Arm { effector: self.effector.into(), target: self.target.into() }
    }
}

/// Where the effector and the target are from a joint, along its parent's axes: after its turn,
/// unless another is meant.
#[derive(Clone, Copy, Debug)]
pub struct Seen<V> {
    pub(crate) effector: V,
    pub(crate) target: V,
}

impl Seen<Vec3A> {
    #[inline]
    pub(super) fn unpacked(self) -> Seen<Vec3> {
        Seen { effector: self.effector.into(), target: self.target.into() }
    }
}

impl<V: Copy + Add<Output = V>> Seen<V> {
    /// From the joint before, in that joint's own frame.
    #[inline]
    pub(crate) fn across(self, bone: V) -> Arm<V> {
        Arm { effector: bone + self.effector, target: bone + self.target }
    }
}

impl<V: Vector> Seen<V> {
    /// From a joint that stays as it is.
    #[inline]
    pub(crate) fn of(arm: Arm<V>, local: V::Rotation) -> Self {
        Self { effector: local.rotate_fast(arm.effector), target: local.rotate_fast(arm.target) }
    }

    /// How far the effector is from the target.
    #[inline]
    pub(crate) fn gap(self) -> f32 {
        self.effector.distance(self.target)
    }

    /// Along the joint's own axes.
    #[inline]
    pub(crate) fn arm(self, local: V::Rotation) -> Arm<V> {
        let own = local.inverse();
        Arm { effector: own.rotate_fast(self.effector), target: own.rotate_fast(self.target) }
    }
}
