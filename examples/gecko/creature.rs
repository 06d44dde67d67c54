//! The gecko: a body that follows, feet that step, and everything that hangs on them.

use anyhow::Result;
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    AimSettings, BodyMotion, BodySettings, Collider, Ease, Gait, Home, Joint3, Moving, Plane, Pole,
    Spring, SpringBones, SpringJoint, SpringState, StepSettings, Stepper, TwoBoneSettings, aim,
    aim_chain, bezier_cubic, damp, damp_slice, feet_plane, look_rotation, signed_angle_3d,
    spring_bone_step, spring_step, two_bone_solve,
};

use crate::terrain::{ground, height};

// The gecko faces its own +Z, up is +Y and left is +X. Its trunk and head are one unit long.

/// From the hips to the shoulders.
const TRUNK: f32 = 0.66;
/// Of the spine above the feet.
const CLEARANCE: f32 = 0.155;
/// Upper and lower leg.
const BONES: [f32; 2] = [0.25, 0.26];
/// The length of a leg.
pub const LEG: f32 = BONES[0] + BONES[1];
/// Where legs begin, from the spine.
const HIP: Vec3 = Vec3::new(0.1, -0.02, 0.0);
/// Where front and hind feet like to stand, sideways and ahead of shoulders and hips.
const STANCE: [Vec2; 2] = [Vec2::new(0.33, 0.1), Vec2::new(0.33, -0.02)];
/// Where front and hind legs' middle joints point: out, up, and back or ahead.
const POLES: [Vec3; 2] = [Vec3::new(1.0, 0.6, -0.9), Vec3::new(1.0, 0.6, 1.0)];
/// The joints of neck and head, from the shoulders.
const NECK: [Vec3; 3] =
    [Vec3::new(0.0, 0.02, 0.04), Vec3::new(0.0, 0.02, 0.13), Vec3::new(0.0, 0.02, 0.2)];
/// How far they turn to the sides, and down and up, in radians.
const NECK_TURN: [[f32; 2]; 2] = [[-0.35, 0.35], [-0.25, 0.25]];
const HEAD_TURN: [[f32; 2]; 2] = [[-0.4, 0.4], [-0.4, 0.5]];
/// The left eye, from the head; how far eyes turn in and out, and down and up, in radians.
const EYE: Vec3 = Vec3::new(0.082, 0.05, 0.1);
pub const EYE_YAW: [f32; 2] = [0.4, 0.9];
const EYE_PITCH: [f32; 2] = [-0.5, 0.7];
/// Bones of the tail, and the length of each.
const TAIL: (usize, f32) = (9, 0.1);

const BODY: BodySettings = BodySettings {
    least_distance: 0.55,
    largest_distance: 0.8,
    speed: 1.15,
    turn_speed: 2.0,
    acceleration: 6.0,
    turn_acceleration: 7.0,
    walk_angle: 1.4,
    rest_angle: 0.05,
};

const STEP: StepSettings = StepSettings {
    trigger_distance: 0.15,
    trigger_angle: 0.5,
    duration: 0.19,
    overshoot: 1.0,
    lift: 0.07,
    ease: Ease::SineInOut,
    flat_start: false,
    flat_landing: false,
    hurry: 3.0,
    together: 0.0,
    teleport: 20.0,
};

/// A place and the way it is turned.
#[derive(Clone, Copy)]
pub struct Part {
    pub at: Vec3,
    pub rotation: Quat,
}

impl Part {
    /// A point of the part, given in its own frame.
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.at + self.rotation * local
    }

    /// A point, seen from the part.
    fn local(&self, point: Vec3) -> Vec3 {
        self.rotation.conjugate() * (point - self.at)
    }
}

/// Where everything is at a moment.
#[derive(Clone)]
pub struct Gecko {
    body: BodyMotion<Vec3>,
    /// Heading of the hips, which follows that of the shoulders.
    rear: Quat,
    gait: Gait,
    /// Front left, front right, hind left, hind right.
    pub feet: [Stepper<Vec3>; 4],
    /// Feet that have left the ground and come down in the last frame.
    pub landed: usize,
    /// Height of the shoulders.
    height: Moving<f32>,
    pub up: Vec3,
    pub chest: Part,
    pub hips: Part,
    /// From the hips to the shoulders.
    pub spine: [Vec3; 7],
    /// Hip, knee and foot; shoulder, elbow and hand.
    pub legs: [[Vec3; 3]; 4],
    pub head: Part,
    /// The turns of neck and head from the shoulders, and those of the eyes from the head.
    neck: [Quat; 3],
    look: [Quat; 2],
    pub eyes: [Part; 2],
    pub tail: [Vec3; TAIL.0 + 1],
    whip: [SpringState<Vec3>; TAIL.0 + 1],
}

/// +1 for left legs and eyes, -1 for right ones.
pub fn side(i: usize) -> f32 {
    if i % 2 == 0 { 1.0 } else { -1.0 }
}

/// How far a turn leads the view to the left.
fn yaw(turn: Quat) -> f32 {
    let ahead = turn * Vec3::Z;
    ahead.x.atan2(ahead.z)
}

fn facing(direction: Vec3, up: Vec3) -> Quat {
    look_rotation(direction, up, Vec3::Z, Vec3::Y)
}

impl Gecko {
    /// A gecko that stands at a place of the ground and faces a point.
    pub fn new(x: f32, z: f32, towards: Vec3) -> Result<Self> {
        let at = Vec3::new(x, height(x, z), z);
        let body = BodyMotion::on_ground(at, towards - at, Vec3::Y)?;
        let rotation = facing(body.forward, Vec3::Y);
        let part = Part { at, rotation };
        let home = Home { position: at, rotation, up: Vec3::Y };
        let mut gecko = Self {
            body,
            rear: rotation,
            gait: Gait { step: STEP, turn: 0 },
            feet: Gait::DIAGONAL.map(|group| Stepper::planted(home).with_group(group)),
            landed: 0,
            height: Moving::at_rest(at.y + CLEARANCE),
            up: Vec3::Y,
            chest: part,
            hips: part,
            spine: [at; 7],
            legs: [[at; 3]; 4],
            head: part,
            neck: [Quat::IDENTITY; 3],
            look: [Quat::IDENTITY; 2],
            eyes: [part; 2],
            tail: [at; TAIL.0 + 1],
            whip: [SpringState::default(); TAIL.0 + 1],
        };
        let homes = gecko.homes();
        gecko.gait.plant(&mut gecko.feet, &homes, ground)?;
        gecko.pose(towards, 0.0)?;
        Ok(gecko)
    }

    /// One frame of the whole animal.
    pub fn advance(&mut self, fly: Vec3, dt: f32) -> Result<()> {
        self.body.advance(fly, &BODY, dt)?;
        self.rear = damp(self.rear, facing(self.body.forward, Vec3::Y), 5.0, dt)?;
        let homes = self.homes();
        self.landed = self.gait.advance(&mut self.feet, &homes, ground, dt)?.landed;
        self.pose(fly, dt)
    }

    /// Where the body is on the map.
    pub fn position(&self) -> Vec3 {
        self.body.position
    }

    /// Everything that hangs on body and feet.
    fn pose(&mut self, fly: Vec3, dt: f32) -> Result<()> {
        self.carry(dt)?;
        self.bend()?;
        self.stand()?;
        self.gaze(fly, dt)?;
        self.wag(dt)
    }

    /// The way from the shoulders to the hips, which hang behind.
    fn back(&self) -> Vec3 {
        -(self.body.forward + self.rear * Vec3::Z).normalize_or(Vec3::Z)
    }

    /// Where the feet would like to stand.
    fn homes(&self) -> [Home<Vec3>; 4] {
        let front = Part { at: self.body.position, rotation: facing(self.body.forward, Vec3::Y) };
        let hind = Part { at: front.at + self.back() * TRUNK, rotation: self.rear };
        core::array::from_fn(|i| {
            let (part, stance) = if i < 2 { (front, STANCE[0]) } else { (hind, STANCE[1]) };
            let position = part.point(Vec3::new(side(i) * stance.x, 0.0, stance.y));
            Home { position, rotation: part.rotation, up: Vec3::Y }
        })
    }

    /// The feet carry the body: they give it height, pitch and roll, and twist shoulders and hips
    /// by how far a foot is ahead of its neighbour.
    fn carry(&mut self, dt: f32) -> Result<()> {
        let plane = feet_plane(&self.feet.map(|foot| foot.position), Vec3::Y)?;
        self.up = damp(self.up, plane.normal, 9.0, dt)?.normalize_or(Vec3::Y);
        let under = plane.along(self.body.position, Vec3::Y).point;
        let spring = Spring { frequency: 3.0, damping_ratio: 0.7 };
        spring_step(&mut self.height, Moving::at_rest(under.y + CLEARANCE), &spring, dt)?;

        let chest = self.body.position.with_y(self.height.position);
        let slope = -self.back().dot(self.up) / self.up.y;
        let hips = chest + (self.back() + Vec3::Y * slope).normalize_or(Vec3::Z) * TRUNK;
        self.chest = Part { at: chest, rotation: self.girdle(self.body.forward, 0) };
        self.hips = Part { at: hips, rotation: self.girdle(self.rear * Vec3::Z, 2) };
        Ok(())
    }

    /// Shoulders or hips, which follow the line between their feet half way.
    fn girdle(&self, forward: Vec3, left: usize) -> Quat {
        let rest = facing(forward, self.up);
        let line = self.feet[left].position - self.feet[left + 1].position;
        let twist = signed_angle_3d(rest * Vec3::X, line, self.up);
        Quat::from_axis_angle(self.up, 0.5 * twist) * rest
    }

    /// The spine is a Bezier segment from hips to shoulders, square to both.
    fn bend(&mut self) -> Result<()> {
        const ARM: f32 = 0.36 * TRUNK;
        let (chest, hips) = (self.chest, self.hips);
        let (from, to) = (hips.point(Vec3::Z * ARM), chest.point(Vec3::NEG_Z * ARM));
        for (joint, i) in self.spine.iter_mut().zip(0_u8..) {
            *joint = bezier_cubic(&[hips.at, from, to, chest.at], f32::from(i) / 6.0)?;
        }
        Ok(())
    }

    /// The legs reach from the body to the feet.
    fn stand(&mut self) -> Result<()> {
        for (i, leg) in self.legs.iter_mut().enumerate() {
            let (part, pole) = if i < 2 { (self.chest, POLES[0]) } else { (self.hips, POLES[1]) };
            let aside = Vec3::new(side(i), 1.0, 1.0);
            let [upper, lower] = BONES;
            let out = Vec3::X * side(i);
            let hip = HIP * aside;
            *leg = [hip, hip + out * upper, hip + out * (upper + lower)].map(|p| part.point(p));
            let bend = Pole::Direction(part.rotation * (pole * aside)).into();
            let settings = TwoBoneSettings { bend, ..TwoBoneSettings::default() };
            let mut rotations = [part.rotation; 3];
            let _ = two_bone_solve(leg, &mut rotations, self.feet[i].position, &settings)?;
        }
        Ok(())
    }

    /// Neck, head and eyes follow the fly. Each aims in the frame of what carries it, so that its
    /// limits turn with that; the turns are damped, the eyes' least.
    fn gaze(&mut self, fly: Vec3, dt: f32) -> Result<()> {
        let chest = self.chest;
        let (mut positions, mut wanted) = (NECK, [Quat::IDENTITY; 3]);
        let settings = AimSettings::default();
        let joints = [NECK_TURN, NECK_TURN, HEAD_TURN]
            .map(|[yaw, pitch]| Joint3::yaw_pitch(Vec3::Z, Vec3::Y, yaw, pitch));
        let _ = aim_chain(&mut positions, &mut wanted, &joints, chest.local(fly), &settings)?;
        damp_slice(&mut self.neck, &wanted, 5.0, dt)?;
        let mut joint = NECK[0];
        for (turn, ends) in self.neck.iter().zip(NECK.windows(2)) {
            joint += *turn * (ends[1] - ends[0]);
        }
        self.head = Part { at: chest.point(joint), rotation: chest.rotation * self.neck[2] };

        for i in 0..2 {
            let at = EYE * Vec3::new(side(i), 1.0, 1.0);
            let [inwards, outwards] = EYE_YAW;
            let yaw = if i == 0 { [-inwards, outwards] } else { [-outwards, inwards] };
            let joint = Joint3::yaw_pitch(Vec3::Z, Vec3::Y, yaw, EYE_PITCH);
            let mut wanted = Quat::IDENTITY;
            let _ = aim(at, &mut wanted, &joint, self.head.local(fly), &settings)?;
            self.look[i] = damp(self.look[i], wanted, 20.0, dt)?;
            let rotation = self.head.rotation * self.look[i];
            self.eyes[i] = Part { at: self.head.point(at), rotation };
        }
        Ok(())
    }

    /// How far neck and head turn to a side, as a share of what the joint that is nearest to its
    /// limit allows.
    pub fn neck_share(&self) -> f32 {
        let [low, high, head] = self.neck;
        let turns = [low, low.conjugate() * high, high.conjugate() * head];
        let limits = [NECK_TURN, NECK_TURN, HEAD_TURN].map(|[[_, yaw], _]| yaw);
        turns.iter().zip(limits).map(|(turn, limit)| yaw(*turn).abs() / limit).fold(0.0, f32::max)
    }

    /// How far each eye is turned outwards, from the head, in radians.
    pub fn eye_yaws(&self) -> [f32; 2] {
        [yaw(self.look[0]), -yaw(self.look[1])]
    }

    /// The tail hangs on the hips by springs, above the ground.
    fn wag(&mut self, dt: f32) -> Result<()> {
        let (bones, length) = TAIL;
        let droop = Part { at: self.hips.at, rotation: self.hips.rotation };
        for (joint, i) in self.tail.iter_mut().zip(0_u8..) {
            let way = f32::from(i) * length;
            *joint = droop.point(Vec3::new(0.0, -0.16 * way, -way));
        }
        let middle = self.tail[bones / 2];
        let under = ground(middle).map_or(middle, |ground| ground.point);
        let joint = SpringJoint {
            stiffness: 0.5,
            drag: 0.45,
            gravity: Vec3::NEG_Y * 0.05,
            hit_radius: 0.03,
            angle_limit: 0.6,
            ..SpringJoint::default()
        };
        let settings = SpringBones {
            joints: &[joint],
            colliders: &[Collider::Plane(Plane::new(under, self.up))],
            ..SpringBones::default()
        };
        let mut rotations = [self.hips.rotation; TAIL.0 + 1];
        let _ = spring_bone_step(&mut self.tail, &mut rotations, &mut self.whip, &settings, dt)?;
        Ok(())
    }
}
