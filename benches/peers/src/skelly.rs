//! A chain as skelly knows it, for its two solvers.

use sinew::glam::{Quat, Vec3};
use skelly::{Posture, Skelly};
use skelly_nalgebra::{Isometry3, Point3, Vector3};

use crate::chain::{Chain, Crowd, Poses};

/// The same skeleton for every target, each in a posture of its own.
pub struct Figure<'a> {
    chain: &'a Chain,
    skelly: Skelly<f32>,
    postures: Vec<Posture<f32>>,
}

impl<'a> Figure<'a> {
    pub fn new(chain: &'a Chain) -> Self {
        let mut skelly = Skelly::new();
        let mut joint = skelly.add_root(Point3::origin());
        for bone in chain.bones() {
            joint = skelly.attach(Vector3::from(bone.to_array()), joint);
        }
        let postures = chain.targets.iter().map(|_| Posture::new(&skelly)).collect();
        Self { chain, skelly, postures }
    }

    /// Calls with the skeleton, its effector, a target and that target's posture.
    pub fn each(
        &mut self,
        mut solve: impl FnMut(&Skelly<f32>, usize, Point3<f32>, &mut Posture<f32>),
    ) {
        let tip = self.skelly.len() - 1;
        for (posture, target) in self.postures.iter_mut().zip(&self.chain.targets) {
            solve(&self.skelly, tip, Point3::from(target.to_array()), posture);
        }
    }
}

/// Postures cannot be copied.
impl Clone for Figure<'_> {
    fn clone(&self) -> Self {
        Self::new(self.chain)
    }
}

impl Poses for Figure<'_> {
    fn reset(&mut self, start: &Self) {
        for posture in &mut self.postures {
            *posture = Posture::new(&start.skelly);
        }
    }

    fn crowd(&self) -> Crowd {
        let mut globals = vec![Isometry3::identity(); self.skelly.len()];
        let mut crowd = Crowd { positions: Vec::new(), rotations: Vec::new() };
        for posture in &self.postures {
            posture.write_globals(&self.skelly, &Isometry3::identity(), &mut globals);
            for joint in &globals {
                crowd.positions.push(Vec3::from_slice(joint.translation.vector.as_slice()));
                crowd.rotations.push(Quat::from_slice(joint.rotation.coords.as_slice()));
            }
        }
        crowd
    }
}
