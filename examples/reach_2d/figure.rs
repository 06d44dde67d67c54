//! A figure of the plane: its body follows a script, its feet step, and its hands are taken from
//! the animation to a goal and back by a weight.

use std::f32::consts::FRAC_PI_2;

use anyhow::Result;
use sinew::glam::Vec2;
use sinew::{
    AimSettings, Ease, Gait, Ground, Home, Joint2, Moving, Rot2, SecondOrder, Side, StepSettings,
    Stepper, TwoBoneSettings, aim, blend_chain, damp, second_order_step, two_bone_solve,
};

use crate::script::{self, Hold};

/// Thigh and shin, upper arm and forearm, trunk, and neck with half of the head; in metres.
const LEG: [f32; 2] = [0.45, 0.45];
const ARM: [f32; 2] = [0.29, 0.28];
const TRUNK: f32 = 0.5;
const NECK: f32 = 0.2;

const STEP: StepSettings = StepSettings {
    trigger_distance: 0.24,
    trigger_angle: 1.0,
    duration: 0.34,
    overshoot: 1.0,
    lift: 0.09,
    ease: Ease::SineInOut,
    flat_start: false,
    flat_landing: false,
    hurry: 3.0,
    together: 0.3,
    teleport: 100.0,
};

/// How the body follows its script: closely, and with a little give.
const WEIGHT: SecondOrder = SecondOrder { frequency: 2.5, damping_ratio: 0.8, response: 1.6 };

#[derive(Clone)]
pub struct Figure {
    hips: Moving<Vec2>,
    lean: Moving<f32>,
    gait: Gait,
    steppers: [Stepper<Vec2>; 2],
    /// How far each hand is taken from the animation to its goal, from 0 to 1.
    pub weights: [f32; 2],
    /// Where each hand was wanted last.
    pub goals: [Vec2; 2],
    /// Where the apple is, and whether it has been taken.
    pub apple: Vec2,
    pub hold: Hold,
    pub trunk: [Vec2; 2],
    pub head: Vec2,
    /// The direction of the face.
    gaze: Rot2,
    /// Shoulder, elbow and hand; far and near.
    pub arms: [[Vec2; 3]; 2],
    /// Hip, knee and foot; far and near.
    pub legs: [[Vec2; 3]; 2],
    time: f32,
}

impl Figure {
    pub fn new() -> Result<Self> {
        let hips = script::body(0.0).0;
        let home = Home { position: hips.with_y(0.0), rotation: Rot2::IDENTITY, up: Vec2::Y };
        let mut figure = Self {
            hips: Moving::at_rest(hips),
            lean: Moving::at_rest(0.0),
            gait: Gait { step: STEP, turn: 0 },
            steppers: Gait::ALTERNATE.map(|group| Stepper::planted(home).with_group(group)),
            weights: [0.0; 2],
            goals: [hips; 2],
            apple: script::APPLE,
            hold: Hold::Ground,
            trunk: [hips; 2],
            head: hips,
            gaze: Rot2::IDENTITY,
            arms: [[hips; 3]; 2],
            legs: [[hips; 3]; 2],
            time: 0.0,
        };
        let homes = figure.homes();
        figure.gait.plant(&mut figure.steppers, &homes, ground)?;
        figure.advance(0, 0.0)?;
        Ok(figure)
    }

    pub fn advance(&mut self, frame: u32, dt: f32) -> Result<()> {
        self.time = frame as f32 * dt;
        let (before, now) = (script::body(self.time - dt), script::body(self.time));
        second_order_step(&mut self.hips, (before.0, now.0), &WEIGHT, dt)?;
        second_order_step(&mut self.lean, (before.1, now.1), &WEIGHT, dt)?;
        let homes = self.homes();
        let _ = self.gait.advance(&mut self.steppers, &homes, ground, dt)?;

        let hips = self.hips.position;
        let up = Rot2::from_angle(self.lean.position) * Vec2::Y;
        self.trunk = [hips, hips + up * TRUNK];
        self.look(dt)?;
        for side in 0..2 {
            self.legs[side] = self.leg(side)?;
            self.arms[side] = self.arm(side, dt)?;
        }
        self.carry();
        Ok(())
    }

    /// Where the feet would like to stand.
    fn homes(&self) -> [Home<Vec2>; 2] {
        [-0.08, 0.08].map(|ahead| Home {
            position: self.hips.position + Vec2::X * ahead,
            rotation: Rot2::IDENTITY,
            up: Vec2::Y,
        })
    }

    fn leg(&self, side: usize) -> Result<[Vec2; 3]> {
        let hip = self.hips.position;
        let foot = script::climbing_foot(side, self.time).unwrap_or(self.steppers[side].position);
        let mut pose = [hip, hip - Vec2::Y * LEG[0], hip - Vec2::Y * (LEG[0] + LEG[1])];
        let mut rotations = [Rot2::IDENTITY; 3];
        // Seen along the thigh, the knee is to the left.
        let settings = TwoBoneSettings { bend: Side::Left, softness: 0.04, ..Default::default() };
        let _ = two_bone_solve(&mut pose, &mut rotations, foot, &settings)?;
        Ok(pose)
    }

    /// The animation's arm, blended with one that reaches.
    fn arm(&mut self, side: usize, dt: f32) -> Result<[Vec2; 3]> {
        let (mut pose, mut rotations) = self.swinging(side);
        let goal = script::hand(side, self.time, self.trunk, self.apple);
        let wanted = if goal.is_some() { 1.0 } else { 0.0 };
        let goal = goal.unwrap_or(self.goals[side]);
        // A goal that changes while the hand still follows the last one is not jumped to.
        let free = self.weights[side] < 0.02;
        self.weights[side] = damp(self.weights[side], wanted, 7.0, dt)?;
        self.goals[side] = if free { goal } else { damp(self.goals[side], goal, 15.0, dt)? };
        let (mut solved, mut turned) = (pose, rotations);
        let settings = TwoBoneSettings { bend: Side::Right, ..Default::default() };
        let _ = two_bone_solve(&mut solved, &mut turned, self.goals[side], &settings)?;
        blend_chain(&mut pose, &mut rotations, &solved, &turned, self.weights[side])?;
        Ok(pose)
    }

    /// The animation: arms swing against the legs.
    fn swinging(&self, side: usize) -> ([Vec2; 3], [Rot2; 3]) {
        let shoulder = self.trunk[1];
        let ahead = self.legs[1 - side][2].x - self.hips.position.x;
        let upper = Rot2::from_angle(self.lean.position - FRAC_PI_2 + 1.3 * ahead);
        let lower = upper * Rot2::from_angle(0.35);
        let elbow = shoulder + upper * Vec2::X * ARM[0];
        ([shoulder, elbow, elbow + lower * Vec2::X * ARM[1]], [upper, lower, lower])
    }

    /// The head looks at what matters, as far as the neck allows.
    fn look(&mut self, dt: f32) -> Result<()> {
        let neck = self.trunk[1];
        let body = Rot2::from_angle(0.6 * self.lean.position);
        let (mut wanted, joint) = (body, Joint2::range(-0.9, 0.9).with_rest(body));
        let at = script::attention(self.time, self.apple);
        let _ = aim(neck, &mut wanted, &joint, at, &AimSettings::default())?;
        self.gaze = damp(self.gaze, wanted, 6.0, dt)?;
        self.head = neck + self.gaze * Vec2::new(0.35, 1.0).normalize() * NECK;
        Ok(())
    }

    /// The apple lies, is held, and is put into the bag.
    fn carry(&mut self) {
        self.hold = script::hold(self.time);
        self.apple = match self.hold {
            Hold::Ground => script::APPLE,
            Hold::Hand => self.arms[1][2],
            Hold::Bag => script::bag(self.trunk),
        };
    }

    pub fn hips(&self) -> Vec2 {
        self.hips.position
    }

    pub fn face(&self) -> Vec2 {
        self.gaze * Vec2::X
    }
}

/// The ground and the ledge.
#[expect(clippy::unnecessary_wraps, reason = "the shape of a terrain")]
fn ground(p: Vec2) -> Option<Ground<Vec2>> {
    Some(Ground { point: Vec2::new(p.x, script::floor(p.x)), normal: Vec2::Y })
}
