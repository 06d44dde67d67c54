//! What hangs on the walker: strands of hair, a rope, and what they bump into.

use std::time::{Duration, Instant};

use anyhow::Result;
use sinew::glam::{Quat, Vec3};
use sinew::{
    Capsule, Collider, Contact, FixedSteps, Plane, Pose, Sphere, SpringBones, SpringJoint,
    SpringReport, SpringState, Verlet, Wind, capsule_collide, chain_constraints, plane_collide,
    spring_bone_step, verlet_step, wind_at,
};

use crate::body::{Body, body};

pub const HEAD_RADIUS: f32 = 0.105;
const PONYTAIL: usize = 15;
const LOCKS: usize = 6;
pub const STRANDS: usize = PONYTAIL + LOCKS;
const TAIL_BONES: usize = 10;
const LOCK_BONES: usize = 5;
pub const JOINTS: usize = PONYTAIL * TAIL_BONES + LOCKS * LOCK_BONES;

/// Seconds before the walk, for everything to hang as it will.
const WARM_UP: f64 = 3.0;

const ROPE: usize = 36;
const ROPE_BONE: f32 = 0.035;
const ROPE_STEP: f32 = 1.0 / 240.0;

/// A chain of spring bones on the head.
struct Strand {
    /// Its joints in the space of the head, at rest.
    rest: Vec<Vec3>,
    joint: SpringJoint<Vec3>,
    state: Vec<SpringState<Vec3>>,
    positions: Vec<Vec3>,
    /// Time that its steps have taken.
    spent: Duration,
}

/// One instant, ready to be drawn.
pub struct Shot {
    pub body: Body,
    pub strands: Vec<Vec<Vec3>>,
    pub rope: Vec<Vec3>,
}

pub struct Scene {
    time: f64,
    strands: Vec<Strand>,
    colliders: Vec<Collider<Vec3>>,
    rope: Rope,
}

#[expect(clippy::cast_possible_truncation, reason = "seconds of an animation")]
fn body_at(time: f64) -> Body {
    body(time as f32)
}

/// The breeze, in the unit of a spring bone's gravity.
fn breeze() -> Wind<Vec3> {
    Wind {
        direction: Vec3::new(-1.0, 0.1, 0.35),
        strength: 0.16,
        gustiness: 0.9,
        gust_length: 2.5,
        gust_rate: 0.5,
        sway: Vec3::new(0.0, 0.03, 0.1),
    }
}

/// Head, neck and shoulders.
fn colliders(body: &Body) -> Vec<Collider<Vec3>> {
    let on = |pose: &Pose<Vec3>, local: Collider<Vec3>| local.placed(pose);
    let shoulders = Capsule::new(Vec3::new(0.0, 0.0, -0.16), Vec3::new(0.0, 0.0, 0.16), 0.065);
    let back = Capsule::new(Vec3::new(0.02, -0.05, 0.0), Vec3::new(0.0, -0.4, 0.0), 0.115);
    vec![
        on(&body.head, Sphere::new(Vec3::ZERO, HEAD_RADIUS).into()),
        on(&body.chest, shoulders.into()),
        on(&body.chest, back.into()),
    ]
}

impl Scene {
    pub fn new() -> Self {
        let body = body_at(0.0);
        Self {
            time: -WARM_UP,
            strands: strands(),
            colliders: colliders(&body),
            rope: Rope::new(body.arms[1][2]),
        }
    }

    /// A scene in which everything hangs as it will.
    pub fn at_rest(fps: f32) -> Result<Self> {
        let mut scene = Self::new();
        while scene.time < 0.5 / f64::from(fps) - f64::from(1.0 / fps) {
            let _ = scene.advance(1.0 / fps)?;
        }
        scene.time = 0.0;
        Ok(scene)
    }

    /// Seconds that the spring bones' steps have taken.
    pub fn spent(&self) -> f64 {
        self.strands.iter().map(|strand| strand.spent.as_secs_f64()).sum()
    }

    /// Lets `dt` seconds pass.
    pub fn advance(&mut self, dt: f32) -> Result<SpringReport> {
        let before = body_at(self.time);
        self.time += f64::from(dt);
        let body = body_at(self.time);
        let now = colliders(&body);
        let mut worst = SpringReport::default();
        for strand in &mut self.strands {
            let report = strand.advance(&body.head, &self.colliders, &now, self.time, dt)?;
            worst.penetration = worst.penetration.max(report.penetration);
        }
        self.colliders = now;
        self.rope.advance(before.arms[1][2], &body, self.time, dt)?;
        Ok(worst)
    }

    pub fn tips(&self) -> Vec<Vec3> {
        self.strands.iter().filter_map(|strand| strand.positions.last().copied()).collect()
    }

    /// The error of each bone's length, as a share of it; and in units of the last digit of the
    /// largest coordinate of its ends, which is all that positions can hold.
    pub fn length_errors(&self) -> impl Iterator<Item = (f32, f32)> {
        let bones = self
            .strands
            .iter()
            .flat_map(|strand| strand.positions.windows(2).zip(strand.rest.windows(2)));
        bones.map(|(p, r)| {
            let length = r[0].distance(r[1]);
            let error = (p[0].distance(p[1]) - length).abs();
            let digit = p[0].abs().max(p[1].abs()).max_element().log2().floor().exp2();
            (error / length, error / (digit * f32::EPSILON))
        })
    }

    pub fn shot(&self) -> Shot {
        Shot {
            body: body_at(self.time),
            strands: self.strands.iter().map(|strand| strand.positions.clone()).collect(),
            rope: self.rope.positions.to_vec(),
        }
    }
}

impl Strand {
    /// From `root` to the first point along `out`, then bending down along `down`.
    fn new(root: Vec3, out: Vec3, down: Vec3, bones: usize, length: f32) -> Self {
        let bone = length / bones as f32;
        let mut rest = vec![root];
        for i in 0..bones {
            let bend = (i as f32 / 2.0).min(1.0);
            let step = out.normalize().lerp(down.normalize(), bend).normalize();
            rest.push(rest[i] + step * bone);
        }
        let joint = SpringJoint {
            stiffness: 0.16,
            drag: 0.16,
            gravity: Vec3::NEG_Y * 0.2,
            hit_radius: 0.012,
            ..SpringJoint::default()
        };
        let state = vec![SpringState::default(); rest.len()];
        Self { positions: rest.clone(), rest, joint, state, spent: Duration::ZERO }
    }

    fn advance(
        &mut self,
        head: &Pose<Vec3>,
        before: &[Collider<Vec3>],
        now: &[Collider<Vec3>],
        time: f64,
        dt: f32,
    ) -> Result<SpringReport> {
        for (position, rest) in self.positions.iter_mut().zip(&self.rest) {
            *position = head.position + head.rotation * *rest;
        }
        // Where the animation has the bones: what a strand does must not hang on the frame rate.
        let mut wind = Vec::with_capacity(self.rest.len());
        for tail in self.positions.iter().skip(1) {
            wind.push(wind_at(&breeze(), *tail, time)?);
        }
        let mut rotations = vec![head.rotation; self.rest.len()];
        let settings = SpringBones {
            joints: &[self.joint],
            colliders: now,
            colliders_before: before,
            external: &wind,
            ..SpringBones::default()
        };
        let start = Instant::now();
        let report =
            spring_bone_step(&mut self.positions, &mut rotations, &mut self.state, &settings, dt)?;
        self.spent += start.elapsed();
        Ok(report)
    }
}

/// The lengths of the strands, in the order of [`Scene::tips`].
pub fn strand_lengths() -> impl Iterator<Item = f32> {
    (0..STRANDS).map(length)
}

/// Strands are not cut to one length.
fn length(strand: usize) -> f32 {
    if strand < PONYTAIL {
        0.42 - 0.01 * ((strand * 7) % PONYTAIL) as f32
    } else {
        0.25 - 0.02 * ((strand - PONYTAIL) % 3) as f32
    }
}

/// A ponytail high on the back of the head, and three locks at each temple. The last three are on
/// the right.
fn strands() -> Vec<Strand> {
    let tail = (0..PONYTAIL).map(|i| {
        let aside = (i as f32 / (PONYTAIL - 1) as f32 - 0.5) * 2.0;
        // The order of depth: the middle is drawn last.
        let depth = 1.0 - aside * aside;
        let root = Vec3::new(-0.108 - 0.012 * depth, 0.055 + 0.012 * depth, 0.02 * aside);
        let out = Vec3::new(-0.9, 0.35 + 0.2 * depth, 0.35 * aside);
        let down = Vec3::new(-0.22 - 0.1 * depth, -1.0, 0.2 * aside);
        Strand::new(root, out, down, TAIL_BONES, length(i))
    });
    let locks = (0..LOCKS).map(|i| {
        let side = if i < LOCKS / 2 { -1.0 } else { 1.0 };
        let along = 0.035 * (i % 3) as f32;
        let root = Vec3::new(0.07 - along, 0.05, 0.108 * side);
        let (out, down) = (Vec3::new(0.25, -0.6, 0.5 * side), Vec3::new(0.08, -1.0, 0.12 * side));
        Strand::new(root, out, down, LOCK_BONES, length(PONYTAIL + i))
    });
    tail.chain(locks).collect()
}

/// A rope in the hand that drags its end over the floor.
struct Rope {
    clock: FixedSteps,
    positions: [Vec3; ROPE],
    previous: [Vec3; ROPE],
}

impl Rope {
    const MASSES: [f32; ROPE] = {
        let mut masses = [1.0; ROPE];
        masses[0] = 0.0;
        masses
    };

    fn new(hand: Vec3) -> Self {
        // Down to the floor, and on along it.
        let positions = core::array::from_fn(|i| {
            let down = (i as f32 * ROPE_BONE).min(hand.y - 0.015);
            Vec3::new(hand.x - (i as f32 * ROPE_BONE - down), hand.y - down, hand.z + 0.03)
        });
        let clock = FixedSteps::new(ROPE_STEP, 40).expect("constants in range");
        Self { clock, positions, previous: positions }
    }

    fn advance(&mut self, from: Vec3, body: &Body, time: f64, dt: f32) -> Result<()> {
        let steps = self.clock.advance(dt)?;
        let contact = Contact {
            radius: 0.012,
            friction: 0.35,
            inverse_masses: &Self::MASSES,
            ..Contact::default()
        };
        let thigh = Capsule::new(body.legs[1][0], body.legs[1][1], 0.07);
        let shin = Capsule::new(body.legs[1][1], body.legs[1][2], 0.05);
        let floor = Plane::new(Vec3::ZERO, Vec3::Y);
        for step in 1..=steps.count {
            let share = step as f32 / steps.count as f32;
            self.positions[0] = from.lerp(body.arms[1][2], share);
            let blow = wind_at(&breeze(), self.positions[ROPE / 2], time)? * 8.0;
            let fall = Verlet {
                acceleration: Vec3::NEG_Y * 9.81 + blow,
                inverse_masses: &Self::MASSES,
                drag: 1.5,
                max_speed: 20.0,
                ..Verlet::default()
            };
            let _ = verlet_step(&mut self.positions, &mut self.previous, &fall, ROPE_STEP)?;
            for leg in [&thigh, &shin] {
                let _ = capsule_collide(&mut self.positions, &self.previous, leg, &contact)?;
            }
            let _ = plane_collide(&mut self.positions, &self.previous, &floor, &contact)?;
            let lengths = [ROPE_BONE; ROPE - 1];
            let _ = chain_constraints(&mut self.positions, &mut self.previous, &lengths, 0.9)?;
        }
        Ok(())
    }
}

/// The turn from the head's own axes to the space, for drawing the face.
pub fn facing(head: &Pose<Vec3>) -> Quat {
    head.rotation
}
