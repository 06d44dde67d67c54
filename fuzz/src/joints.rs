//! Joints out of bytes, and what they allow, worked out in double precision.

use core::f64::consts::{PI, TAU};
use core::fmt::Debug;

use glam::{DQuat, DVec3};
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{Joint2, Joint3, Rot2, Vector, clamp_joint_2d, clamp_joint_3d};

use crate::bits::Bits;
use crate::oracle::angle_between;

/// A joint and the numbers that it was made of.
pub trait Spec<V: Vector>: Debug {
    /// Of any numbers at all if `wild`; else of numbers that the docs allow.
    fn draw(bits: &mut Bits, wild: bool) -> Self;

    /// What the crate is given.
    fn joint(&self) -> V::Joint;

    /// Whether nothing limits it and it turns as willingly as can be.
    fn is_free(&self) -> bool;

    /// Its weight.
    fn weight(&self) -> f32;

    /// Whether its shape has no place where its own coordinates break down, as a twist does where
    /// the swing is half a turn.
    fn is_regular(&self) -> bool;

    /// The nearest rotation relative to the parent that it allows.
    ///
    /// # Panics
    /// If the crate refuses, for a joint of any numbers.
    fn clamped(&self, local: V::Rotation) -> V::Rotation;

    /// Whether its outline may be of two curves.
    fn has_twist(&self) -> bool;

    /// By how many radians the end of the bone, `way` from the joint, is off the edge of the limit;
    /// `None` for shapes not judged here.
    fn off_rim(&self, parent: V::Rotation, bone: V, way: DVec3) -> Option<f64>;

    /// By how many radians a rotation breaks the limit under its parent's; 0 for shapes not judged
    /// here.
    fn excess_under(&self, parent: V::Rotation, own: V::Rotation) -> f64;
}

impl Spec<Vec3> for Spec3 {
    fn draw(bits: &mut Bits, wild: bool) -> Self {
        Self::new(bits, wild)
    }

    fn joint(&self) -> Joint3 {
        self.joint
    }

    fn is_free(&self) -> bool {
        self.joint.with_rest(Quat::IDENTITY) == Joint3::free()
    }

    fn weight(&self) -> f32 {
        self.joint.weight()
    }

    fn is_regular(&self) -> bool {
        matches!(self.limit, Limit::Hinge { .. } | Limit::Cone { twist: None, .. })
    }

    fn has_twist(&self) -> bool {
        !matches!(self.limit, Limit::Hinge { .. } | Limit::Cone { twist: None, .. })
    }

    fn off_rim(&self, parent: Quat, _: Vec3, way: DVec3) -> Option<f64> {
        let Limit::Cone { axis, swing, twist: None } = self.limit else { return None };
        let axis = parent.as_dquat().normalize() * self.rest.as_dquat().normalize() * axis;
        Some((angle_between(axis.normalize(), way.normalize()) - swing).abs())
    }

    fn clamped(&self, local: Quat) -> Quat {
        clamp_joint_3d(local, &self.joint).expect("sound numbers")
    }

    fn excess_under(&self, parent: Quat, own: Quat) -> f64 {
        self.excess(parent.as_dquat().conjugate() * own.as_dquat())
    }
}

impl Spec<Vec2> for Spec2 {
    fn draw(bits: &mut Bits, wild: bool) -> Self {
        Self::new(bits, wild)
    }

    fn joint(&self) -> Joint2 {
        self.joint
    }

    fn is_free(&self) -> bool {
        self.joint.with_rest(Rot2::IDENTITY) == Joint2::free()
    }

    fn weight(&self) -> f32 {
        self.joint.weight()
    }

    fn is_regular(&self) -> bool {
        true
    }

    fn has_twist(&self) -> bool {
        false
    }

    fn off_rim(&self, parent: Rot2, bone: Vec2, way: DVec3) -> Option<f64> {
        let start = (parent * self.rest).rotate(bone).as_dvec2();
        let angle = start.perp_dot(way.truncate()).atan2(start.dot(way.truncate()));
        self.range.map(|range| beyond(angle, range))
    }

    fn clamped(&self, local: Rot2) -> Rot2 {
        clamp_joint_2d(local, &self.joint).expect("sound numbers")
    }

    fn excess_under(&self, parent: Rot2, own: Rot2) -> f64 {
        self.excess(parent.inverse() * own)
    }
}

/// A joint of space and the numbers that it was made of.
#[derive(Debug)]
pub struct Spec3 {
    /// What the crate is given.
    pub joint: Joint3,
    rest: Quat,
    limit: Limit,
}

#[derive(Debug)]
enum Limit {
    Hinge {
        axis: DVec3,
        range: (f64, f64),
    },
    Cone {
        axis: DVec3,
        swing: f64,
        twist: Option<(f64, f64)>,
    },
    /// Free, or a shape that only the crate's own clamp judges.
    Other,
}

impl Spec3 {
    /// Of any numbers at all if `wild`; else of numbers that the docs allow.
    pub fn new(bits: &mut Bits, wild: bool) -> Self {
        let axis = if wild { bits.any_vec3() } else { bits.axis() };
        let range = bits.range(wild);
        let with_twist = bits.byte() < 128;
        let (min, max) = bits.range(wild);
        let (joint, limit) = match bits.below(6) {
            0 => (Joint3::free(), Limit::Other),
            1 | 2 => {
                let joint = Joint3::hinge(axis, range.0, range.1);
                (joint, Limit::Hinge { axis: axis.as_dvec3(), range: wide(range) })
            }
            3 => {
                let swing = if wild { bits.any() } else { bits.share() * core::f32::consts::PI };
                let twist = with_twist.then_some((min, max));
                let cone = Joint3::cone(axis, swing);
                let joint = twist.map_or(cone, |(min, max)| cone.with_twist(min, max));
                let (axis, swing) = (axis.as_dvec3(), f64::from(swing));
                (joint, Limit::Cone { axis, swing, twist: twist.map(wide) })
            }
            4 => {
                let [x, y] = [bits.around_zero(wild), bits.around_zero(wild)];
                let across = if wild { bits.any_vec3() } else { axis.any_orthogonal_vector() };
                let joint = Joint3::ellipse(axis, across, x, y);
                (if with_twist { joint.with_twist(min, max) } else { joint }, Limit::Other)
            }
            _ => {
                let pitch = bits.around_zero(wild).map(|x| if wild { x } else { 0.5 * x });
                let up = if wild { bits.any_vec3() } else { axis.any_orthogonal_vector() };
                let joint = Joint3::yaw_pitch(axis, up, [range.0, range.1], pitch);
                (if with_twist { joint.with_twist(min, max) } else { joint }, Limit::Other)
            }
        };
        let rest = if wild { bits.any_quat() } else { bits.quat() };
        let weight = if wild { bits.any() } else { bits.weight() };
        Self { joint: joint.with_rest(rest).with_weight(weight), rest, limit }
    }

    /// By how many radians `local` breaks the limit; 0 for shapes not judged here.
    #[must_use]
    pub fn excess(&self, local: DQuat) -> f64 {
        let turn = self.rest.as_dquat().normalize().conjugate() * local.normalize();
        match self.limit {
            Limit::Other => 0.0,
            Limit::Hinge { axis, range } => {
                let (swing, twist) = parts(turn, axis.normalize());
                swing.max(beyond(twist, range))
            }
            Limit::Cone { axis, swing: most, twist: range } => {
                let (swing, twist) = parts(turn, axis.normalize());
                // Next to half a turn of swing a twist hardly turns anything.
                let twisted = range.map_or(0.0, |range| beyond(twist, range));
                (swing - most).max(twisted * (0.5 * swing).cos())
            }
        }
    }
}

/// A joint of the plane and the numbers that it was made of.
#[derive(Debug)]
pub struct Spec2 {
    /// What the crate is given.
    pub joint: Joint2,
    rest: Rot2,
    range: Option<(f64, f64)>,
}

impl Spec2 {
    /// Of any numbers at all if `wild`; else of numbers that the docs allow.
    pub fn new(bits: &mut Bits, wild: bool) -> Self {
        let range = (bits.below(3) > 0).then(|| bits.range(wild));
        let joint = range.map_or(Joint2::free(), |(min, max)| Joint2::range(min, max));
        let rest = if wild { Rot2 { cos: bits.any(), sin: bits.any() } } else { bits.rot2() };
        let weight = if wild { bits.any() } else { bits.weight() };
        let joint = joint.with_rest(rest).with_weight(weight);
        Self { joint, rest, range: range.map(wide) }
    }

    /// By how many radians `local` breaks the range.
    #[must_use]
    pub fn excess(&self, local: Rot2) -> f64 {
        let angle = |r: Rot2| f64::from(r.sin).atan2(f64::from(r.cos));
        self.range.map_or(0.0, |range| beyond(angle(local) - angle(self.rest), range))
    }
}

/// The swing's size and the signed twist about a unit axis.
fn parts(turn: DQuat, axis: DVec3) -> (f64, f64) {
    let along = turn.xyz().dot(axis);
    let aside = (turn.xyz() - axis * along).length();
    (2.0 * aside.atan2(along.hypot(turn.w)), 2.0 * along.atan2(turn.w))
}

/// How far an angle is from a range on the circle.
fn beyond(angle: f64, (min, max): (f64, f64)) -> f64 {
    let middle = 0.5 * (min + max);
    let offset = (angle - middle + PI).rem_euclid(TAU) - PI;
    (offset.abs() - 0.5 * (max - min)).max(0.0)
}

fn wide((min, max): (f32, f32)) -> (f64, f64) {
    (f64::from(min), f64::from(max))
}
