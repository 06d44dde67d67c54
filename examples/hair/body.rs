//! The walker: where the head, the shoulders and the hands are at any time.

use sinew::Pose;
use sinew::glam::{Quat, Vec3};

/// Everything that the animation says about one instant. +X is forwards, +Y up, +Z the right-hand
/// side; metres.
#[derive(Clone, Copy)]
pub struct Body {
    pub head: Pose<Vec3>,
    pub chest: Pose<Vec3>,
    pub hips: Vec3,
    /// Shoulder, elbow and hand; left, then right.
    pub arms: [[Vec3; 3]; 2],
    /// Hip, knee and foot; left, then right.
    pub legs: [[Vec3; 3]; 2],
}

/// Walking pace in metres a second.
const PACE: f32 = 1.4;
/// Steps with one foot, per second.
const CADENCE: f32 = 0.95;

/// 0 before `from`, 1 after `to`, smooth between.
fn ramp(time: f32, from: f32, to: f32) -> f32 {
    let t = ((time - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// How fast it walks, as a share of the pace: from 0.8 s to 4.4 s.
fn walking(time: f32) -> f32 {
    ramp(time, 0.8, 1.5) - ramp(time, 3.9, 4.4)
}

/// How far it has gone, by Simpson's rule: the ramps are cubic, so that this is exact on each.
pub fn way(time: f32) -> f32 {
    let knots = [0.0, 0.8, 1.5, 3.9, 4.4, f32::INFINITY];
    knots
        .windows(2)
        .map(|k| {
            let (a, b) = (k[0].min(time), k[1].min(time));
            (b - a) / 6.0 * (walking(a) + 4.0 * walking(0.5 * (a + b)) + walking(b))
        })
        .sum::<f32>()
        * PACE
}

/// Where the head looks, about the vertical: to the left, to the right and ahead, twice.
fn turning(time: f32) -> f32 {
    let look = |from: f32, to: f32, angle: f32| {
        angle * (ramp(time, from, from + 0.55) - ramp(time, to, to + 0.55))
    };
    look(2.2, 3.2, 0.6) + look(5.0, 6.1, 0.8) + look(6.6, 7.5, -0.6)
}

pub fn body(time: f32) -> Body {
    let (way, pace) = (way(time), walking(time));
    let phase = core::f32::consts::TAU * CADENCE * way / PACE;
    let bob = pace * 0.02 * (2.0 * phase).cos();
    let hips = Vec3::new(way, 0.968 - 0.02 * pace + bob, 0.0);
    let lean = Quat::from_rotation_z(-0.05 * pace);
    let chest = Pose::new(
        hips + lean * Vec3::Y * 0.45,
        lean * Quat::from_rotation_y(pace * 0.12 * phase.sin()),
    );
    let nod = 0.06 * pace * (2.0 * phase + 0.6).sin()
        - 0.3 * (ramp(time, 4.3, 4.7) - ramp(time, 4.7, 5.2));
    let head = Pose::new(
        chest.position + lean * Vec3::new(0.02, 0.24, 0.0),
        Quat::from_rotation_y(turning(time)) * Quat::from_rotation_z(nod),
    );
    Body {
        head,
        chest,
        hips,
        arms: [-1.0, 1.0].map(|side| arm(&chest, side, phase, pace)),
        legs: [-1.0, 1.0].map(|side| leg(hips, side, phase, pace)),
    }
}

/// An arm that swings against its leg.
fn arm(chest: &Pose<Vec3>, side: f32, phase: f32, pace: f32) -> [Vec3; 3] {
    let shoulder = chest.position + chest.rotation * Vec3::new(0.0, -0.02, 0.19 * side);
    // The right hand holds the rope a little forwards.
    let (held, swing) = if side > 0.0 { (0.15, 0.15) } else { (0.05, 0.4) };
    let swing = held + pace * swing * side * phase.sin();
    let upper = Quat::from_rotation_z(swing) * Vec3::NEG_Y;
    let lower = Quat::from_rotation_z(swing + 0.2 + held) * Vec3::NEG_Y;
    let elbow = shoulder + upper * 0.28;
    [shoulder, elbow, elbow + lower * 0.26]
}

/// A leg of two bones, its knee bent by the law of cosines.
fn leg(hips: Vec3, side: f32, phase: f32, pace: f32) -> [Vec3; 3] {
    const BONE: f32 = 0.47;
    let hip = hips + Vec3::new(0.0, 0.0, 0.09 * side);
    let swing = phase * 1.0 + if side > 0.0 { 0.0 } else { core::f32::consts::PI };
    let foot = Vec3::new(
        hips.x - pace * 0.36 * swing.sin(),
        0.04 + pace * 0.09 * (-swing.cos()).max(0.0),
        0.08 * side,
    );
    let reach = foot - hip;
    let bend = (1.0 - (reach.length() / (2.0 * BONE)).min(1.0).powi(2)).sqrt();
    let forwards = Vec3::Z.cross(reach.normalize());
    [hip, hip + reach * 0.5 + forwards * (BONE * bend), foot]
}
