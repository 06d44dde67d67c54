//! What a caller says of a limb of two bones: its bend, its effector, how far it may stretch.

use core::f32::consts::PI;

use glam::{Quat, Vec3};

use crate::check::{HALF_TURN, MAX_COORDINATE, check_angle, check_bounds, check_range};
use crate::error::Error;
use crate::ik::Pole;
use crate::rotation::{Rotation, check_rotation, is_unit};

/// How [`two_bone_solve`](crate::two_bone_solve) goes about it: as it stands in 3D,
/// `TwoBoneSettings<Side, Rot2>` in 2D.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        default,
        bound(deserialize = "B: Default + serde::Deserialize<'de>, R: serde::Deserialize<'de>")
    )
)]
pub struct TwoBoneSettings<B = Bend, R = Quat> {
    /// To which side the middle joint bends: a [`Bend`] in 3D, a [`Side`] in 2D.
    pub bend: B,
    /// The least and the most that the middle joint bends, in radians: 0 is straight, π (and what
    /// files round it to, 3.1416) folded.
    pub range: [f32; 2],
    /// The last share of the reach that is eased, in `[0, 1]`, so that the middle joint does not
    /// snap straight; see [`soft_reach`](crate::soft_reach).
    pub softness: f32,
    /// By how much both bones may be lengthened to get to the target, at least 1. With softness
    /// they are lengthened where the easing would leave the target out of reach.
    pub max_stretch: f32,
    /// How long the bones are, unstretched; at least 0. `None`: as long as they are in
    /// `positions`. Give them where a stretched result is fed back.
    pub lengths: Option<[f32; 2]>,
    /// What becomes of the effector's rotation.
    pub effector: Effector<R>,
}

impl<B: Default, R> Default for TwoBoneSettings<B, R> {
    /// The default bend, by 0 to π radians (180°), with nothing eased (0) or stretched (1), bones
    /// as long as they are, and an effector that follows the last.
    fn default() -> Self {
        Self {
            bend: B::default(),
            range: [0.0, PI],
            softness: 0.0,
            max_stretch: 1.0,
            lengths: None,
            effector: Effector::Follow,
        }
    }
}

impl<B, R> TwoBoneSettings<B, R> {
    /// Whether the range leaves nothing out.
    #[inline]
    pub(crate) fn is_unlimited(&self) -> bool {
        self.range[0] == 0.0 && self.range[1] >= PI
    }
}

impl<B, R: Rotation> TwoBoneSettings<B, R> {
    /// Whether [`TwoBoneSettings::check`] finds nothing, at a glance.
    #[inline]
    pub(crate) fn is_sound(&self) -> bool {
        let [least, most] = self.range;
        let is_length = |length: f32| (0.0..=MAX_COORDINATE).contains(&length);
        0.0 <= least
            && least <= most
            && most <= HALF_TURN
            && (0.0..=1.0).contains(&self.softness)
            && (1.0..=f32::MAX).contains(&self.max_stretch)
            && self.lengths.is_none_or(|[a, b]| is_length(a) && is_length(b))
            && match self.effector {
                Effector::Set(rotation) => is_unit(rotation),
                Effector::Follow | Effector::Keep => true,
            }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let names = ("settings.range[0]", "settings.range[1]");
        let [least, most] = self.range;
        check_bounds(names, least, most)?;
        check_angle(names.0, least, 0.0, PI)?;
        check_angle(names.1, most, 0.0, PI)?;
        check_range("settings.softness", self.softness, 0.0, 1.0)?;
        check_range("settings.max_stretch", self.max_stretch, 1.0, f32::MAX)?;
        for length in self.lengths.iter().flatten() {
            check_range("settings.lengths", *length, 0.0, MAX_COORDINATE)?;
        }
        match self.effector {
            Effector::Set(rotation) => check_rotation("settings.effector", rotation),
            Effector::Follow | Effector::Keep => Ok(()),
        }
    }
}

/// What becomes of an effector's rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effector<R> {
    /// It keeps its relation to the last bone.
    #[default]
    Follow,
    /// It stays as it is, in the space that the chain is given in: a foot stays flat.
    Keep,
    /// It becomes this: a hand takes a grip.
    Set(R),
}

/// To which side a limb of the plane bends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The side that it is bent to; a straight limb bends to the right.
    #[default]
    Keep,
    /// The middle joint lies to the left of the line from the root to the target.
    Left,
    /// The middle joint lies to the right of that line.
    Right,
}

/// To which side a limb of space bends, and about which axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Bend {
    /// What the middle joint points at.
    pub pole: Pole,
    /// The middle joint's hinge in its own frame, of any length but zero, right-handed from
    /// straight to bent. `None`: across the plane that the bones lie in. Give it where a limb comes
    /// straight or bent the wrong way, for then the bones do not tell.
    pub axis: Option<Vec3>,
}

impl From<Pole> for Bend {
    fn from(pole: Pole) -> Self {
        Self { pole, axis: None }
    }
}
