//! Rigs from a file, their poses in double precision, and what a solved pose really did.
//!
//! Nothing here knows the solver: the angles of a solved pose are rebuilt from the world
//! rotations that came back, so that a limit is judged by somebody else.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use sinew::glam::{DQuat, DVec3, Quat, Vec3};
use sinew::{Joint2, Joint3};

/// A serial chain of hinges and the points that its tip is asked to reach.
#[derive(Deserialize)]
pub struct Rig {
    #[serde(skip)]
    pub name: String,
    /// Solved with the 2D solver: every z is 0 and every axis is +Z.
    #[serde(skip)]
    pub planar: bool,
    pub joints: Vec<Hinge>,
    /// In the last joint's frame.
    pub tip_offset: [f64; 3],
    pub targets: Vec<[f64; 3]>,
    /// The last joint's rotation at each target, where the file says; x, y, z, w.
    #[serde(default)]
    pub target_rotations: Vec<[f64; 4]>,
}

/// One hinge: pose = parent's pose * translate(offset) * rest * rotate(axis, angle).
#[derive(Deserialize)]
pub struct Hinge {
    pub name: String,
    pub offset: [f64; 3],
    /// x, y, z, w.
    pub rest_rotation: [f64; 4],
    pub axis: [f64; 3],
    pub min: f64,
    pub max: f64,
}

/// World poses, root first, tip last.
#[derive(Clone)]
pub struct Pose {
    pub positions: Vec<DVec3>,
    pub rotations: Vec<DQuat>,
}

/// What a solved pose really did.
pub struct Measured {
    /// Every hinge's angle: of all the turns that are the same, the one nearest to its range.
    pub angles: Vec<f64>,
    /// The worst of: radians beyond a bound, radians turned about anything but the axis.
    pub excess: f64,
    /// The worst error of a bone's length, over the bone; a bone of no length, over the reach.
    pub stretch: f64,
    /// From the tip to the target.
    pub distance: f64,
}

/// Every rig of a file, by name.
///
/// # Errors
/// One line that says which file, and which chain and joint of it, is wrong and why.
pub fn load(path: &Path) -> Result<Vec<Rig>> {
    #[derive(Deserialize)]
    struct File {
        chains: BTreeMap<String, Rig>,
    }
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file: File = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a rig file", path.display()))?;
    ensure!(!file.chains.is_empty(), "{} holds no chain", path.display());
    file.chains
        .into_iter()
        .map(|(name, rig)| {
            let rig = Rig { name, ..rig };
            rig.check().with_context(|| format!("{}: chain `{}`", path.display(), rig.name))?;
            Ok(rig)
        })
        .collect()
}

impl Rig {
    fn check(&self) -> Result<()> {
        ensure!(!self.joints.is_empty(), "has no joints");
        ensure!(self.tip_offset.iter().all(|x| x.is_finite()), "tip_offset is not finite");
        ensure!(self.targets.iter().flatten().all(|x| x.is_finite()), "a target is not finite");
        let (count, rotations) = (self.targets.len(), self.target_rotations.len());
        ensure!(
            rotations == 0 || rotations == count,
            "has {rotations} target_rotations for {count} targets"
        );
        self.joints.iter().try_for_each(|joint| {
            joint.check().with_context(|| format!("joint `{}`", joint.name))
        })?;
        ensure!(self.reach() > 0.0, "every bone has length 0");
        Ok(())
    }

    /// The sum of the bone lengths, root to tip.
    pub fn reach(&self) -> f64 {
        self.bones().iter().map(|bone| bone.length()).sum()
    }

    /// From each joint to the next, in its own frame; the last goes to the tip.
    pub fn bones(&self) -> Vec<DVec3> {
        let next = self.joints.iter().skip(1).map(|joint| joint.offset);
        next.chain([self.tip_offset]).map(DVec3::from).collect()
    }

    /// The joints as the solver takes them.
    pub fn joints_3d(&self) -> Vec<Joint3> {
        self.joints.iter().map(Hinge::joint_3d).collect()
    }

    /// Every angle 0, brought into its range.
    pub fn start(&self) -> Pose {
        self.pose(&self.joints.iter().map(|j| 0_f64.clamp(j.min, j.max)).collect::<Vec<_>>())
    }

    /// The pose at these angles.
    pub fn pose(&self, angles: &[f64]) -> Pose {
        let (mut position, mut rotation) = (DVec3::ZERO, DQuat::IDENTITY);
        let mut pose = Pose { positions: Vec::new(), rotations: Vec::new() };
        for (joint, angle) in self.joints.iter().zip(angles) {
            position += rotation * DVec3::from(joint.offset);
            rotation = (rotation * joint.rest() * DQuat::from_axis_angle(joint.axis(), *angle))
                .normalize();
            pose.positions.push(position);
            pose.rotations.push(rotation);
        }
        pose.positions.push(position + rotation * DVec3::from(self.tip_offset));
        pose.rotations.push(rotation);
        pose
    }

    /// What `pose` did on its way to `target`.
    pub fn measure(&self, pose: &Pose, target: DVec3) -> Measured {
        let mut measured =
            Measured { angles: Vec::new(), excess: 0.0, stretch: 0.0, distance: f64::NAN };
        let mut parent = DQuat::IDENTITY;
        for (joint, rotation) in self.joints.iter().zip(&pose.rotations) {
            let turn = joint.rest().conjugate() * parent.conjugate() * *rotation;
            let (angle, excess) = joint.angle_of(turn.normalize());
            measured.angles.push(angle);
            measured.excess = measured.excess.max(excess);
            parent = *rotation;
        }
        let reach = self.reach();
        for (bone, ends) in self.bones().iter().zip(pose.positions.windows(2)) {
            let length = bone.length();
            let error = (ends[0].distance(ends[1]) - length).abs();
            let whole = if length > 0.0 { length } else { reach };
            measured.stretch = measured.stretch.max(error / whole);
        }
        measured.distance = pose.positions[self.joints.len()].distance(target);
        measured
    }
}

impl Hinge {
    fn check(&self) -> Result<()> {
        let Self { offset, rest_rotation, axis, min, max, .. } = self;
        let numbers = offset.iter().chain(rest_rotation).chain(axis).chain([min, max]);
        ensure!(numbers.into_iter().all(|x| x.is_finite()), "holds a number that is not finite");
        ensure!(min <= max, "min {min} is greater than max {max}");
        ensure!(DVec3::from(*axis).length() > 0.0, "axis has length 0");
        let length = DQuat::from_array(*rest_rotation).length();
        ensure!((length - 1.0).abs() < 1e-3, "rest_rotation has length {length}, not 1");
        Ok(())
    }

    pub fn rest(&self) -> DQuat {
        DQuat::from_array(self.rest_rotation).normalize()
    }

    pub fn axis(&self) -> DVec3 {
        DVec3::from(self.axis).normalize()
    }

    /// As the solver takes it.
    pub fn joint_3d(&self) -> Joint3 {
        let (min, max) = self.bounds();
        Joint3::hinge(self.axis().as_vec3(), min, max).with_rest(self.rest().as_quat())
    }

    /// As the solver takes it, for a rig of the plane.
    pub fn joint_2d(&self) -> Joint2 {
        let (min, max) = self.bounds();
        if self.is_limited() { Joint2::range(min, max) } else { Joint2::free() }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the solver is single precision")]
    fn bounds(&self) -> (f32, f32) {
        (self.min as f32, self.max as f32)
    }

    /// Whether its range holds it anywhere.
    pub fn is_limited(&self) -> bool {
        self.max - self.min < TAU - 1e-6
    }

    /// Whether it stands at a bound.
    pub fn is_held(&self, angle: f64) -> bool {
        self.is_limited() && (angle < self.min + 1e-4 || angle > self.max - 1e-4)
    }

    /// The angle of a turn about the axis, and by how much that is no turn of this hinge.
    fn angle_of(&self, turn: DQuat) -> (f64, f64) {
        let along = turn.xyz().dot(self.axis());
        let aside = (turn.xyz() - self.axis() * along).length();
        let angle = 2.0 * along.atan2(turn.w);
        // The representative nearest to the middle of the range is the one that fits best.
        let middle = 0.5 * (self.min + self.max);
        let angle = middle + (angle - middle + PI).rem_euclid(TAU) - PI;
        let beyond = (self.min - angle).max(angle - self.max).max(0.0);
        (angle, beyond.max(2.0 * aside.atan2(along.hypot(turn.w))))
    }
}

impl Pose {
    /// The same pose in single precision, as the solver takes it.
    pub fn to_single(&self) -> (Vec<Vec3>, Vec<Quat>) {
        (
            self.positions.iter().map(|p| p.as_vec3()).collect(),
            self.rotations.iter().map(|q| q.as_quat()).collect(),
        )
    }

    /// A solver's answer.
    pub fn from_single(positions: &[Vec3], rotations: &[Quat]) -> Self {
        Self {
            positions: positions.iter().map(|p| p.as_dvec3()).collect(),
            rotations: rotations.iter().map(|q| q.as_dquat()).collect(),
        }
    }
}
