//! Least squares on limited hinges: nine rigs, to positions and to positions with rotations, and
//! chains of more and more hinges.
//!
//! Quality and time are over all targets; in one more row, time is over those that both solve.

use std::f64::consts::TAU;
use std::fmt;
use std::path::Path;

use anyhow::Result;
use sinew::glam::{DQuat, DVec3, Quat, Vec3};
use sinew::{JointMemory, LeastSquaresSettings, least_squares_solve};

use crate::bench::{Bench, Entry};
use crate::chain::{BONES, TOLERANCE};
use crate::measure::Runner;
use crate::rig::{self, Hinge, Pose, Rig};
use crate::table::Unit;

const ITERATIONS: usize = 100;

/// How near to a wanted rotation is near enough, in radians.
const ANGLE: f32 = 1e-3;

const RIGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/rigs/rigs.json");

/// What a solver is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Position,
    Pose,
}

pub fn run(bench: &mut Bench) -> Result<()> {
    let rigs = rig::load(Path::new(RIGS))?;
    for (goal, name) in [(Goal::Position, "position"), (Goal::Pose, "position and rotation")] {
        for rig in &rigs {
            compare(bench, &format!("least squares, {}, {name}", rig.name), rig, goal)?;
        }
        #[cfg(feature = "k")]
        on_its_best_side(
            bench,
            &format!("least squares, all rigs, {name}, both solve"),
            &rigs,
            goal,
        )?;
    }
    for bones in BONES {
        let rig = hinges(bones);
        let task = format!("least squares, {bones} hinges, position");
        let times = compare(bench, &task, &rig, Goal::Position)?;
        bench.plot("least squares, limited hinges", bones, &times, 1.0);
    }
    Ok(())
}

fn compare(bench: &mut Bench, task: &str, rig: &Rig, goal: Goal) -> Result<Vec<(String, f64)>> {
    let all: Vec<_> = (0..rig.targets.len()).collect();
    let mut rivals = Vec::new();
    #[cfg(feature = "k")]
    rivals.push({
        let refuses = goal == Goal::Pose && rig.joints.len() < 6;
        let note = if refuses { ", needs six joints" } else { "" };
        let (quality, runner) = k::attempt(rig, goal, &all, k::DEFAULT_STEP)?;
        let is_void = quality.solved().count() == 0;
        Entry { is_void, ..Entry::new(crate::bench::locked("k") + note, &quality, runner) }
    });
    let (quality, runner) = sinew(rig, goal, &all)?;
    bench.race(task, Unit::Microseconds, Entry::new("sinew", &quality, runner), rivals)
}

/// The same with the rival at its fastest, and timed only where it gets there: on the targets that
/// both solve.
#[cfg(feature = "k")]
fn on_its_best_side(bench: &mut Bench, task: &str, rigs: &[Rig], goal: Goal) -> Result<()> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (mut quality, mut their_quality) = (Quality::default(), Quality::default());
    for rig in rigs {
        let all: Vec<_> = (0..rig.targets.len()).collect();
        let (mine, _) = sinew(rig, goal, &all)?;
        let (other, _) = k::attempt(rig, goal, &all, k::FULL_STEP)?;
        let both: Vec<_> = mine.solved().filter(|i| other.solved().any(|j| j == *i)).collect();
        ours.push(sinew(rig, goal, &both)?.1);
        theirs.push(k::attempt(rig, goal, &both, k::FULL_STEP)?.1);
        quality.add(mine);
        their_quality.add(other);
    }
    let name = crate::bench::locked("k") + ", full steps";
    let rival = Entry::new(name, &their_quality, Runner::all(theirs));
    let ours = Entry::new("sinew", &quality, Runner::all(ours));
    bench.race(task, Unit::Microseconds, ours, vec![rival]).map(drop)
}

/// Every angle 0, or as near as its range lets it, and a little on: with all angles 0 some arms
/// are stretched out, and k, which inverts its matrix as it is, refuses to begin.
fn start(rig: &Rig) -> Vec<f64> {
    rig.joints.iter().map(|joint| 0.1_f64.clamp(joint.min, joint.max)).collect()
}

/// Unit bones whose hinges take turns about three axes, and the tips of poses within the limits.
fn hinges(bones: u16) -> Rig {
    let joint = |i: u16| Hinge {
        name: format!("hinge {i}"),
        offset: if i == 0 { [0.0; 3] } else { [0.0, 1.0, 0.0] },
        rest_rotation: [0.0, 0.0, 0.0, 1.0],
        axis: [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][usize::from(i % 3)],
        min: -2.0,
        max: 2.0,
    };
    let mut rig = Rig {
        name: format!("{bones} hinges"),
        planar: false,
        joints: (0..bones).map(joint).collect(),
        tip_offset: [0.0, 1.0, 0.0],
        targets: Vec::new(),
        target_rotations: Vec::new(),
    };
    for target in 0..200_u16 {
        let angle = |i: u16| {
            let step = f64::from(target) * 0.618_034 + f64::from(i) * 0.414_214;
            1.2 * (TAU * step.fract()).sin()
        };
        let pose = rig.pose(&(0..bones).map(angle).collect::<Vec<_>>());
        rig.targets.push(pose.positions[usize::from(bones)].to_array());
    }
    rig
}

/// A pose for each target: positions and rotations, a joint after the other.
type Poses = (Vec<Vec3>, Vec<Quat>);

fn sinew<'a>(rig: &Rig, goal: Goal, targets: &[usize]) -> Result<(Quality, Runner<'a>)> {
    let (positions, rotations) = rig.pose(&start(rig)).to_single();
    let (joints, count) = (rig.joints_3d(), positions.len());
    let settings = |&i: &usize| {
        let at = LeastSquaresSettings::at(DVec3::from(rig.targets[i]).as_vec3());
        let settings = match goal {
            Goal::Position => at,
            Goal::Pose => at.with_rotation(rotation(rig, i).as_quat()),
        };
        LeastSquaresSettings {
            max_iterations: ITERATIONS,
            tolerance: TOLERANCE,
            rotation_tolerance: ANGLE,
            ..settings
        }
    };
    let goals: Vec<_> = targets.iter().map(settings).collect();
    let mut memory = vec![JointMemory::default(); count];
    let mut solve = move |(positions, rotations): &mut Poses| {
        let poses = positions.chunks_mut(count).zip(rotations.chunks_mut(count));
        for ((positions, rotations), settings) in poses.zip(&goals) {
            let _ = least_squares_solve(positions, rotations, &joints, settings, &mut memory)?;
        }
        Ok::<(), sinew::Error>(())
    };
    let start = (positions.repeat(targets.len()), rotations.repeat(targets.len()));
    let mut solved = start.clone();
    solve(&mut solved)?;
    let poses = solved.0.chunks(count).zip(solved.1.chunks(count));
    let poses = poses.map(|(positions, rotations)| Pose::from_single(positions, rotations));
    let quality = Quality::of(rig, goal, targets, poses);
    let reset = move |(positions, rotations): &mut Poses| {
        positions.copy_from_slice(&start.0);
        rotations.copy_from_slice(&start.1);
    };
    let runner = Runner::new(targets.len() as f64, solved, reset, move |poses| {
        // It has gone well once.
        let _ = solve(poses);
    });
    Ok((quality, runner))
}

/// The effector's wanted rotation: that of the last joint.
fn rotation(rig: &Rig, target: usize) -> DQuat {
    DQuat::from_array(rig.target_rotations[target]).normalize()
}

#[cfg(feature = "k")]
mod k {
    use std::hint::black_box;

    use anyhow::{Result, ensure};
    use k::nalgebra::{Isometry3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};
    use k::prelude::*;
    use k::{Constraints, JacobianIkSolver, JointType, NodeBuilder, SerialChain};
    use sinew::glam::DQuat;

    use super::{ANGLE, Goal, ITERATIONS, Quality, rotation, start};
    use crate::chain::TOLERANCE;
    use crate::measure::Runner;
    use crate::rig::Rig;

    /// The share of each step that is made.
    pub const DEFAULT_STEP: f64 = 0.5;
    /// Takes half the time and solves about as many.
    pub const FULL_STEP: f64 = 1.0;

    /// The same joints as nodes, and a last one that does not move: the tip.
    fn arm(rig: &Rig) -> SerialChain<f64> {
        let hinges = rig.joints.iter().map(|joint| {
            let axis = Unit::new_normalize(Vector3::from(joint.axis().to_array()));
            NodeBuilder::new()
                .name(&joint.name)
                .joint_type(JointType::Rotational { axis })
                .limits(Some((joint.min..=joint.max).into()))
                .translation(Translation3::from(joint.offset))
                .rotation(quaternion(joint.rest()))
                .into_node()
        });
        let tip = NodeBuilder::new()
            .name("tip")
            .joint_type(JointType::Fixed)
            .translation(Translation3::from(rig.tip_offset))
            .into_node();
        // A node does not keep its parent alive; the chain will.
        let nodes: Vec<_> = hinges.chain([tip]).collect();
        for ends in nodes.windows(2) {
            ends[1].set_parent(&ends[0]);
        }
        let arm = SerialChain::from_end(&nodes[nodes.len() - 1]);
        arm.set_joint_positions_unchecked(&start(rig));
        arm
    }

    fn quaternion(q: DQuat) -> UnitQuaternion<f64> {
        UnitQuaternion::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z))
    }

    /// Whether k has the tip where the rig has it, at a few angles within the limits.
    fn check(rig: &Rig) -> Result<()> {
        let arm = arm(rig);
        for share in [0.1, 0.35, 0.5, 0.8] {
            let angles = rig.joints.iter().map(|j| j.min + share * (j.max - j.min));
            let angles: Vec<_> = angles.collect();
            arm.set_joint_positions(&angles)?;
            let (ours, theirs) = (rig.pose(&angles), arm.end_transform());
            let tip = ours.positions[angles.len()];
            let aside = (theirs.translation.vector - Vector3::from(tip.to_array())).norm();
            let turned = quaternion(ours.rotations[angles.len()]).angle_to(&theirs.rotation);
            ensure!(
                aside < 1e-9 * rig.reach() && turned < 1e-7,
                "its kinematics differ: the tip by {aside:.1e}, {turned:.1e} rad"
            );
        }
        Ok(())
    }

    pub fn attempt<'a>(
        rig: &Rig,
        goal: Goal,
        targets: &[usize],
        step: f64,
    ) -> Result<(Quality, Runner<'a>)> {
        check(rig)?;
        let goals: Vec<_> = targets
            .iter()
            .map(|&i| {
                let turned = match goal {
                    Goal::Position => UnitQuaternion::identity(),
                    Goal::Pose => quaternion(rotation(rig, i)),
                };
                Isometry3::from_parts(Translation3::from(rig.targets[i]), turned)
            })
            .collect();
        let solver = JacobianIkSolver::new(
            f64::from(TOLERANCE) * rig.reach(),
            f64::from(ANGLE),
            step,
            ITERATIONS,
        );
        let matters = goal == Goal::Pose;
        let constraints = Constraints {
            rotation_x: matters,
            rotation_y: matters,
            rotation_z: matters,
            ..Constraints::default()
        };
        let solve = move |arms: &mut Vec<SerialChain<f64>>| {
            for (arm, goal) in arms.iter().zip(&goals) {
                // An arm that does not get there goes back to where it was.
                let _ = black_box(solver.solve_with_constraints(arm, goal, &constraints));
            }
        };
        let mut arms: Vec<_> = targets.iter().map(|_| arm(rig)).collect();
        let start = start(rig);
        solve(&mut arms);
        let poses = arms.iter().map(|arm| rig.pose(&arm.joint_positions()));
        let quality = Quality::of(rig, goal, targets, poses);
        let reset = move |arms: &mut Vec<SerialChain<f64>>| {
            for arm in arms {
                arm.set_joint_positions_unchecked(&start);
            }
        };
        Ok((quality, Runner::new(targets.len() as f64, arms, reset, solve)))
    }
}

/// What the poses are worth, by the rig and not by the solver's word.
#[derive(Default)]
struct Quality {
    /// The targets, and which of them are met.
    targets: Vec<usize>,
    solved: Vec<bool>,
    /// Of the reach, added up.
    residuals: f64,
    /// Radians, added up.
    angles: f64,
    /// The worst: radians beyond a limit, or about anything but a hinge's axis.
    excess: f64,
    /// The worst error of a bone's length, over the bone.
    stretch: f64,
    goal_is_pose: bool,
}

impl Quality {
    fn of(rig: &Rig, goal: Goal, targets: &[usize], poses: impl Iterator<Item = Pose>) -> Self {
        let mut quality = Self { goal_is_pose: goal == Goal::Pose, ..Self::default() };
        for (&i, pose) in targets.iter().zip(poses) {
            let measured = rig.measure(&pose, DVec3::from(rig.targets[i]));
            let residual = measured.distance / rig.reach();
            let angle = match goal {
                Goal::Position => 0.0,
                Goal::Pose => pose.rotations[rig.joints.len()].angle_between(rotation(rig, i)),
            };
            // A solver that stops within its tolerance in single precision is not to fail here.
            let is_there = residual <= f64::from(TOLERANCE) * 1.001;
            let is_turned = angle <= f64::from(ANGLE) * 1.01;
            quality.targets.push(i);
            quality.solved.push(is_there && is_turned);
            quality.residuals += residual;
            quality.angles += angle;
            quality.excess = quality.excess.max(measured.excess);
            quality.stretch = quality.stretch.max(measured.stretch);
        }
        quality
    }

    /// The targets that are met.
    fn solved(&self) -> impl Iterator<Item = usize> {
        self.targets.iter().zip(&self.solved).filter(|(_, met)| **met).map(|(target, _)| *target)
    }

    /// The two of them as one.
    fn add(&mut self, other: Self) {
        self.targets.extend(other.targets);
        self.solved.extend(other.solved);
        self.residuals += other.residuals;
        self.angles += other.angles;
        self.excess = self.excess.max(other.excess);
        self.stretch = self.stretch.max(other.stretch);
        self.goal_is_pose = other.goal_is_pose;
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.targets.len().max(1) as f64;
        let share = 100.0 * self.solved().count() as f64 / count;
        write!(f, "{share:.1} % solved, residual {:.0e}", self.residuals / count)?;
        if self.goal_is_pose {
            write!(f, ", {:.0e} rad", self.angles / count)?;
        }
        write!(f, ", length {:.0e}", self.stretch)?;
        if self.excess > 1e-5 {
            write!(f, ", {:.0e} rad beyond limits", self.excess)
        } else {
            Ok(())
        }
    }
}
