//! The chains that every solver of free joints is given, and the one judge of what they return.

use std::f32::consts::TAU;
use std::fmt;
use std::hint::black_box;

use anyhow::Result;
use sinew::glam::{Quat, Vec3};

use crate::bench::Entry;
use crate::measure::Runner;

/// How near counts as there, as a share of the reach.
pub const TOLERANCE: f32 = 1e-3;

/// The bone counts that a curve of the plot goes through.
pub const BONES: [u16; 4] = [5, 10, 20, 50];

/// A chain of free joints in its start pose, all rotations the identity, and targets for it.
pub struct Chain {
    pub positions: Vec<Vec3>,
    pub targets: Vec<Vec3>,
}

impl Chain {
    /// Unit bones that wind gently upwards, and 200 targets that fill the shell between a tenth
    /// and 95 % of the reach.
    pub fn winding(bones: u16) -> Self {
        let mut positions = vec![Vec3::ZERO];
        let mut place = Vec3::ZERO;
        for i in 0..bones {
            let t = f32::from(i);
            place += Vec3::new(0.3 * (0.9 * t).sin(), 1.0, 0.3 * (0.7 * t).cos()).normalize();
            positions.push(place);
        }
        let targets = (0..200_u16).map(|i| {
            // Roberts' sequence in three dimensions: distance, height, and the way round.
            let [far, high, round] = [0.819_172_5, 0.671_043_6, 0.549_700_5]
                .map(|step| (0.5 + f32::from(i) * step).fract());
            let (z, round) = (2.0 * high - 1.0, round * TAU);
            let level = (1.0 - z * z).sqrt();
            let direction = Vec3::new(level * round.cos(), level * round.sin(), z);
            direction * (0.1 + 0.85 * far) * f32::from(bones)
        });
        Self { positions, targets: targets.collect() }
    }

    pub fn joints(&self) -> usize {
        self.positions.len()
    }

    /// The sum of the lengths of its bones.
    pub fn reach(&self) -> f32 {
        self.bones().map(Vec3::length).sum()
    }

    /// From each joint to the next, in its own frame.
    pub fn bones(&self) -> impl Iterator<Item = Vec3> {
        self.positions.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// As many copies of the start pose as there are targets.
    pub fn crowd(&self) -> Crowd {
        let positions = self.positions.repeat(self.targets.len());
        let rotations = vec![Quat::IDENTITY; positions.len()];
        Crowd { positions, rotations }
    }

    /// An entry that solves all targets in a lap, from the start pose each, and is judged by what
    /// comes of the first lap.
    pub fn entry<'a, P: Poses + 'a>(
        &self,
        name: impl Into<String>,
        units: f64,
        start: P,
        mut solve: impl FnMut(&mut P) -> Result<()> + 'a,
    ) -> Result<Entry<'a>> {
        let mut poses = start.clone();
        solve(&mut poses)?;
        let quality = self.judge(&poses.crowd());
        let reset = move |poses: &mut P| poses.reset(&start);
        let runner = Runner::new(units, poses, reset, move |poses| {
            // It has gone well once, and the laps are all alike.
            let _ = black_box(solve(poses));
        });
        Ok(Entry::new(name, &quality, runner))
    }

    /// Judges a pose for each target, joint after joint.
    pub fn judge(&self, crowd: &Crowd) -> Quality {
        let reach = f64::from(self.reach());
        let mut quality = Quality::default();
        let poses = crowd.positions.chunks(self.joints());
        let turned = crowd.rotations.chunks(self.joints()).map(Some).chain(std::iter::repeat(None));
        for ((pose, rotations), target) in poses.zip(turned).zip(&self.targets) {
            let tip = pose[self.joints() - 1].as_dvec3();
            quality.count(tip.distance(target.as_dvec3()) / reach);
            for (i, (bone, ends)) in self.bones().zip(pose.windows(2)).enumerate() {
                let bone = bone.as_dvec3();
                let is = ends[1].as_dvec3() - ends[0].as_dvec3();
                quality.stretch = quality.stretch.max((is.length() / bone.length() - 1.0).abs());
                if let Some(rotations) = rotations {
                    let aside = (rotations[i].as_dquat() * bone).angle_between(is);
                    quality.turned = Some(quality.turned.unwrap_or(0.0).max(aside));
                }
            }
        }
        quality
    }
}

/// A pose for each target, in the form that a solver works on.
pub trait Poses: Clone {
    fn reset(&mut self, start: &Self);

    /// As the judge reads them.
    fn crowd(&self) -> Crowd;
}

/// Poses one after the other; without rotations where a solver knows none.
#[derive(Clone)]
pub struct Crowd {
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Quat>,
}

impl Poses for Crowd {
    fn reset(&mut self, start: &Self) {
        self.positions.copy_from_slice(&start.positions);
        self.rotations.copy_from_slice(&start.rotations);
    }

    fn crowd(&self) -> Crowd {
        self.clone()
    }
}

/// What the poses are worth.
#[derive(Default)]
pub struct Quality {
    targets: usize,
    solved: usize,
    residuals: f64,
    /// The worst error of a bone's length, over the bone.
    stretch: f64,
    /// The largest angle between where a joint's rotation has its bone and where the bone is.
    turned: Option<f64>,
}

impl Quality {
    fn count(&mut self, residual: f64) {
        self.targets += 1;
        // A solver that stops within its tolerance in single precision is not to fail in double.
        self.solved += usize::from(residual <= f64::from(TOLERANCE) * 1.001);
        self.residuals += residual;
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.targets.max(1) as f64;
        let share = 100.0 * self.solved as f64 / count;
        let residual = self.residuals / count;
        write!(f, "{share:.1} % solved, residual {residual:.0e}, length {:.0e}", self.stretch)?;
        match self.turned {
            Some(angle) if angle > 1e-3 => write!(f, ", rotations {angle:.0e} rad off"),
            _ => Ok(()),
        }
    }
}
