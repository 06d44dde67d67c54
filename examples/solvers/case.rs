//! What every solver is given: a chain in its start pose, and targets.

use sinew::Joint3;
use sinew::glam::{Quat, Vec3};

use crate::rig::Rig;

pub struct Case {
    pub name: String,
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Quat>,
    /// Empty: all free.
    pub joints: Vec<Joint3>,
    pub targets: Vec<Vec3>,
}

impl Case {
    pub fn of_rig(rig: &Rig) -> Self {
        let (positions, rotations) = rig.start().to_single();
        let targets = rig.targets.iter().map(|t| Vec3::from(t.map(single))).collect();
        Self { name: rig.name.clone(), positions, rotations, joints: rig.joints_3d(), targets }
    }

    /// Unit bones straight up, all but straight, and targets that fill the shell between a tenth
    /// and 95 % of the reach evenly.
    pub fn free(bones: u16) -> Self {
        let mut positions = vec![Vec3::ZERO];
        let mut place = Vec3::ZERO;
        for i in 0..bones {
            let around = f32::from(i) * 2.4;
            place += Vec3::new(1e-3 * around.cos(), 1.0, 1e-3 * around.sin()).normalize();
            positions.push(place);
        }
        let targets = (0..200_u16).map(|i| {
            // Roberts' sequence in three dimensions: distance, height, and the way round.
            let [far, high, round] = [0.819_172_5, 0.671_043_6, 0.549_700_5]
                .map(|step| (0.5 + f32::from(i) * step).fract());
            let (z, round) = (2.0 * high - 1.0, round * std::f32::consts::TAU);
            let level = (1.0 - z * z).sqrt();
            let direction = Vec3::new(level * round.cos(), level * round.sin(), z);
            direction * (0.1 + 0.85 * far) * f32::from(bones)
        });
        Self {
            name: format!("{bones} free bones"),
            rotations: vec![Quat::IDENTITY; positions.len()],
            positions,
            joints: Vec::new(),
            targets: targets.collect(),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the solvers are single precision")]
fn single(x: f64) -> f32 {
    x as f32
}
