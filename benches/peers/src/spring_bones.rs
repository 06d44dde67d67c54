//! Spring bones by the rule of VRM: 200 chains of eight joints on moving parents, a second at
//! 60 Hz.

use std::fmt;
use std::hint::black_box;

use anyhow::Result;
use serde::Serialize;
use sinew::glam::{DQuat, DVec3, Quat, Vec3};
use sinew::{SpringBones, SpringJoint, SpringState, spring_bone_step};

use crate::bench::{Bench, Entry};
use crate::measure::Runner;
use crate::node::{Node, package};
use crate::table::Unit;

const CHAINS: u16 = 200;
const JOINTS: u16 = 8;
const FRAMES: u16 = 60;
const DT: f32 = 1.0 / 60.0;
const BONE: Vec3 = Vec3::new(0.04, -0.03, 0.0);

pub fn run(bench: &mut Bench) -> Result<()> {
    let scene = Scene::new();
    let right = scene.reference();
    let rivals = bench.entrant("three-vrm-springbone", three(&scene, &right));
    let task = format!("spring bones, {CHAINS} chains of {JOINTS}, a joint and frame");
    bench.race(&task, Unit::Nanoseconds, sinew(&scene, &right)?, rivals.into_iter().collect())?;
    Ok(())
}

/// Joint-frames in a lap.
fn units() -> f64 {
    f64::from(FRAMES) * f64::from(CHAINS) * f64::from(JOINTS)
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
struct Joint {
    stiffness: f32,
    drag_force: f32,
    /// Downwards.
    gravity_power: f32,
}

/// What both simulate, as it is sent to Node.
#[derive(Serialize)]
struct Scene {
    bones: Vec<Vec3>,
    /// Where each chain's root is, frame after frame.
    roots: Vec<Vec<Vec3>>,
    dt: f32,
    joint: Joint,
}

impl Scene {
    fn new() -> Self {
        let root = |frame: u16, chain: u16| {
            let (t, phase) = (f32::from(frame) * DT, f32::from(chain) * 0.1);
            let sway = Vec3::new((7.0 * t + phase).sin(), (5.0 * t).sin(), (6.0 * t + phase).cos());
            Vec3::new(0.1 * f32::from(chain % 20), 1.0, 0.1 * f32::from(chain / 20)) + 0.05 * sway
        };
        let roots = |frame| (0..CHAINS).map(|chain| root(frame, chain)).collect();
        Self {
            bones: vec![BONE; JOINTS.into()],
            roots: (0..FRAMES).map(roots).collect(),
            dt: DT,
            joint: Joint { stiffness: 0.8, drag_force: 0.3, gravity_power: 0.4 },
        }
    }

    /// The tails at the end, chain after chain, by the steps of the specification in double
    /// precision.
    fn reference(&self) -> Vec<Vec<DVec3>> {
        (0..CHAINS.into()).map(|chain| self.chain(chain)).collect()
    }

    fn chain(&self, chain: usize) -> Vec<DVec3> {
        let Joint { stiffness, drag_force, gravity_power } = self.joint;
        let [stiffness, drag, gravity] = [stiffness, drag_force, gravity_power].map(f64::from);
        let dt = f64::from(self.dt);
        let mut root = self.roots[0][chain].as_dvec3();
        let tails = self.bones.iter().scan(root, |joint, bone| {
            *joint += bone.as_dvec3();
            Some(*joint)
        });
        let mut tails: Vec<_> = tails.map(|tail| (tail, tail)).collect();
        for frame in &self.roots {
            root = frame[chain].as_dvec3();
            let (mut joint, mut parent) = (root, DQuat::IDENTITY);
            for ((now, before), bone) in tails.iter_mut().zip(&self.bones) {
                let bone = bone.as_dvec3();
                let rest = parent * bone.normalize();
                let next = *now
                    + (*now - *before) * (1.0 - drag)
                    + rest * stiffness * dt
                    + DVec3::NEG_Y * gravity * dt;
                let next = joint + (next - joint).normalize() * bone.length();
                (*before, *now) = (*now, next);
                parent = DQuat::from_rotation_arc(rest, (next - joint).normalize()) * parent;
                joint = next;
            }
        }
        tails.into_iter().map(|(now, _)| now).collect()
    }
}

struct Chain {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    state: Vec<SpringState<Vec3>>,
}

fn sinew<'a>(scene: &'a Scene, right: &[Vec<DVec3>]) -> Result<Entry<'a>> {
    let Joint { stiffness, drag_force, gravity_power } = scene.joint;
    let joint = SpringJoint {
        stiffness,
        drag: drag_force,
        gravity: Vec3::NEG_Y * gravity_power,
        ..SpringJoint::default()
    };
    let rest: Vec<_> = (0..=JOINTS).map(|i| BONE * f32::from(i)).collect();
    let chain = || Chain {
        positions: rest.clone(),
        rotations: vec![Quat::IDENTITY; rest.len()],
        state: vec![SpringState::default(); rest.len()],
    };
    let mut chains: Vec<_> = (0..CHAINS).map(|_| chain()).collect();
    let simulate = move |chains: &mut [Chain], frames: &[Vec<Vec3>], dt| {
        let settings = SpringBones { joints: &[joint], ..SpringBones::default() };
        for frame in frames {
            for (chain, root) in chains.iter_mut().zip(frame) {
                // What the animation says.
                for (p, rest) in chain.positions.iter_mut().zip(&rest) {
                    *p = *root + *rest;
                }
                chain.rotations.fill(Quat::IDENTITY);
                let Chain { positions, rotations, state } = chain;
                let _ = black_box(spring_bone_step(positions, rotations, state, &settings, dt)?);
            }
        }
        Ok::<(), sinew::Error>(())
    };
    let begin = {
        let simulate = simulate.clone();
        move |chains: &mut Vec<Chain>| {
            for chain in chains.iter_mut() {
                chain.state.fill(SpringState::default());
            }
            // The first step puts a chain into its pose, at rest.
            let _ = simulate(chains, &scene.roots[..1], 0.0);
        }
    };
    begin(&mut chains);
    simulate(&mut chains, &scene.roots, scene.dt)?;
    let tails = chains.iter().map(|c| c.positions.iter().map(|p| p.as_dvec3()).collect());
    let quality = Quality::of(&tails.collect::<Vec<_>>(), right);
    let runner = Runner::new(units(), chains, begin, move |chains| {
        // It has gone well once.
        let _ = simulate(chains, &scene.roots, scene.dt);
    });
    Ok(Entry::new("sinew", &quality, runner))
}

fn three(scene: &Scene, right: &[Vec<DVec3>]) -> Result<Entry<'static>> {
    let mut node = Node::start("spring_bones", scene)?;
    node.lap()?;
    let nodes: Vec<Vec<DVec3>> = node.result()?;
    let quality = Quality::of(&nodes, right);
    let runner = Runner::timed_elsewhere(units(), move || node.lap());
    Ok(Entry::new(package("@pixiv/three-vrm-springbone"), &quality, runner))
}

/// How far the chains are from the specification's at the end, and their bones from their lengths.
struct Quality {
    /// The worst distance, over a chain's length.
    aside: f64,
    /// The worst error of a bone's length, over the bone.
    stretch: f64,
}

impl Quality {
    /// Of the chains' joints, the root and every tail.
    fn of(chains: &[Vec<DVec3>], right: &[Vec<DVec3>]) -> Self {
        let length = f64::from(BONE.length());
        let mut quality = Self { aside: 0.0, stretch: 0.0 };
        for (joints, right) in chains.iter().zip(right) {
            for (is, right) in joints.iter().skip(1).zip(right) {
                let aside = is.distance(*right) / (length * f64::from(JOINTS));
                quality.aside = quality.aside.max(aside);
            }
            for ends in joints.windows(2) {
                let error = (ends[0].distance(ends[1]) / length - 1.0).abs();
                quality.stretch = quality.stretch.max(error);
            }
        }
        quality
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "off the rule {:.0e}, length {:.0e}", self.aside, self.stretch)
    }
}
