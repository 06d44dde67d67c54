//! The mathematics of procedural animation, as pure functions on flat slices.
//!
//! | for | take |
//! |---|---|
//! | reaching | [`two_bone_solve`], [`ccd_solve`], [`fabrik_solve`], [`fabrik_positions`], [`least_squares_solve`] |
//! | looking | [`aim`], [`aim_chain`], [`align_pole`], [`look_rotation`] |
//! | limits | [`Joint2`], [`Joint3`], [`clamp_joint_2d`], [`clamp_joint_3d`] |
//! | chains | [`forward_kinematics`], [`to_local`], [`to_world`], [`blend_chain`], [`soft_reach`], [`stretch_chain`] |
//! | time | [`damp`](damp()), [`spring_step`], [`rotate_towards`], [`FixedSteps`] |
//! | hair, ropes, cloth | [`spring_bone_step`], [`verlet_step`], [`distance_constraints`], [`sphere_collide`] and its kin, [`wind_at`] |
//! | curves | [`bezier_cubic`], [`step_curve`], [`Ease`], [`cubic_bezier_ease`] |
//! | walking | [`Gait`], [`Stepper`], [`BodyMotion`], [`feet_plane`] |
//! | drawing | [`chain_outline`], [`limit_outline`], [`pole_outline`] |
//! | crowds | the module `lanes`, with the feature of that name: eight chains at once |
//!
//! # Conventions
//!
//! A chain is two slices of one length, root first, effector last: `positions[i]` and
//! `rotations[i]` are joint i's pose in one space of the caller's choosing, and bone i joins joint
//! i to joint i + 1. Functions write the slices in place and return a small report. Angles are in
//! radians, times in seconds, lengths in the caller's own unit; no tolerance is an absolute length
//! (chains below 1e-15 of that unit underflow).
//! Nothing is allocated and nothing is random: the same bits in, the same bits out.
//!
//! A caller's mistake is an [`Error`] that names the argument, and every slice is as it was. A
//! degenerate geometry is no mistake: each function's documentation says what comes of it. What is
//! simple enough to return a bare value checks nothing, and says under "Not checked" what comes of
//! a number that is not finite; what a constructor is given is checked where it is used.
//!
//! The same functions serve the plane and space, through the sealed traits [`Vector`],
//! [`Rotation`] and [`Joint`]: [`glam::Vec2`] with [`Rot2`] and [`Joint2`], [`glam::Vec3`] with
//! [`glam::Quat`] and [`Joint3`].
//!
//! # Layers
//!
//! Imports point one way: `error`, `math` ← `check`, `packed` ← `rotation` ← `joint` ← `space` ←
//! `animated`, `chain`, `collide`, `curve`, `fixed_steps` ← `damp`, `spring`, `gait`, `ik`,
//! `spring_bone`, `verlet`, `wind` ← `outline`, `lanes`.

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("sinew needs elementary functions: enable its feature `std` or `libm`");

pub use glam;

mod animated;
mod chain;
mod check;
mod collide;
mod curve;
mod damp;
mod error;
mod fixed_steps;
mod gait;
mod ik;
mod joint;
#[cfg(feature = "lanes")]
pub mod lanes;
mod math;
#[cfg(test)]
mod noise;
mod outline;
mod packed;
mod rotation;
mod space;
mod spring;
mod spring_bone;
mod verlet;
mod wind;

pub use animated::{Animated, Mobile};
pub use chain::{
    Reach, blend_chain, forward_kinematics, reach, soft_reach, stretch_chain, to_local, to_world,
};
pub use check::MAX_COORDINATE;
pub use collide::{
    Capsule, Collider, Contact, Contacts, OrientedBox, Plane, Sphere, box_collide, capsule_collide,
    capsule_collide_bones, collide, plane_collide, sphere_collide, sphere_collide_bones,
};
pub use curve::{
    CurvePoint, Ease, StepShape, bezier_cubic, bezier_cubic_at_length, bezier_cubic_derivative,
    bezier_cubic_length, bezier_cubic_second_derivative, bezier_cubic_split, bezier_quadratic,
    bezier_quadratic_at_length, bezier_quadratic_derivative, bezier_quadratic_length,
    bezier_quadratic_split, cubic_bezier_ease, step_curve, step_curve_with,
};
pub use damp::{damp, damp_angle, damp_half_life, damp_slice, move_towards};
pub use error::{Error, Fault};
pub use fixed_steps::{FixedSteps, Steps};
pub use gait::{
    BodyMotion, BodySettings, Gait, GaitReport, Ground, Home, StepSettings, Stepper, feet_plane,
};
pub use ik::{
    AimSettings, Aimed, Bend, CcdSettings, Effector, FabrikSettings, Gaze, JointMemory,
    LeastSquaresSettings, Order, Pole, Roll, Side, Solution, Status, TwoBone, TwoBoneSettings, aim,
    aim_chain, align_pole, ccd_solve, fabrik_positions, fabrik_solve, least_squares_solve,
    two_bone_solve,
};
pub use joint::{
    Joint2, Joint3, clamp_joint_2d, clamp_joint_2d_soft, clamp_joint_3d, clamp_joint_3d_soft,
};
pub use outline::{chain_outline, limit_outline, pole_outline};
pub use rotation::{
    Rot2, Rotation, clamp_angle, look_rotation, perpendicular, rotate_towards, shortest_arc_2d,
    shortest_arc_3d, signed_angle_2d, signed_angle_3d, swing_twist, wrap_angle,
};
pub use space::{Joint, Pose, Vector};
pub use spring::{Moving, SecondOrder, Spring, second_order_step, spring_slice, spring_step};
pub use spring_bone::{
    CenterSpace, SpringBones, SpringJoint, SpringReport, SpringRule, SpringState, spring_bone_step,
    teleport_spring_bones,
};
pub use verlet::{
    BendConstraint, DistanceConstraint, Hold, Relaxation, Residual, Verlet, VerletReport,
    bend_constraints, chain_constraints, chain_residual, distance_constraints, drag_from_half_life,
    verlet_step,
};
pub use wind::{Wind, wind_at};

/// The examples that README shows run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
