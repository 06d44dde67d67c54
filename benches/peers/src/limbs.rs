//! Two bones in closed form, to targets in and out of reach, the elbow towards a pole.

#[path = "../../common/limb.rs"]
mod limb;

use std::fmt;

use anyhow::Result;
use sinew::glam::{DVec3, Quat, Vec3};
use sinew::{Pole, TwoBoneSettings, two_bone_solve};

use crate::bench::{Bench, Entry};
use crate::measure::Runner;
use crate::table::Unit;

const POLE: Vec3 = Vec3::new(0.2, 0.3, 9.0);

pub fn run(bench: &mut Bench) -> Result<()> {
    let mut points = Vec::new();
    #[cfg(feature = "rebirth")]
    points.push(rebirth::points());
    bench.race("two bones, ours with rotations", Unit::Nanoseconds, sinew()?, points)?;
    let mut poses = Vec::new();
    #[cfg(feature = "rebirth")]
    poses.push(rebirth::poses());
    bench.race("two bones, both with rotations", Unit::Nanoseconds, sinew()?, poses)?;
    Ok(())
}

type Limb = ([Vec3; 3], [Quat; 3]);

fn sinew() -> Result<Entry<'static>> {
    let targets = limb::targets();
    let bend = Pole::Point(POLE).into();
    let settings = TwoBoneSettings { bend, ..TwoBoneSettings::default() };
    let solve = move |limbs: &mut Vec<Limb>| {
        for ((positions, rotations), target) in limbs.iter_mut().zip(&targets) {
            let _ = two_bone_solve(positions, rotations, *target, &settings)?;
        }
        Ok::<(), sinew::Error>(())
    };
    let start = vec![(limb::START, [Quat::IDENTITY; 3]); limb::targets().len()];
    let mut limbs = start.clone();
    solve(&mut limbs)?;
    let quality = Quality::of(limbs.iter().map(|(positions, _)| *positions));
    let reset = move |limbs: &mut Vec<Limb>| limbs.copy_from_slice(&start);
    let runner = Runner::new(limbs.len() as f64, limbs, reset, move |limbs| {
        // It has gone well once.
        let _ = solve(limbs);
    });
    Ok(Entry::new("sinew", &quality, runner))
}

#[cfg(feature = "rebirth")]
mod rebirth {
    use rebirth_ik::{Quat, Vec3, segment_rotation, two_bone};
    use sinew::glam;

    use super::{POLE, Quality, limb};
    use crate::bench::{Entry, locked};
    use crate::measure::Runner;

    fn vector(v: glam::Vec3) -> Vec3 {
        Vec3::new(v.x, v.y, v.z)
    }

    fn limbs(solved: &[[Vec3; 3]]) -> impl Iterator<Item = [glam::Vec3; 3]> {
        solved.iter().map(|limb| limb.map(|p| glam::Vec3::new(p.x, p.y, p.z)))
    }

    pub fn points() -> Entry<'static> {
        let targets: Vec<_> = limb::targets().into_iter().map(vector).collect();
        let (rest, pole) = (limb::START.map(vector), vector(POLE));
        let solve = move |limbs: &mut Vec<[Vec3; 3]>| {
            for ([root, middle, tip], target) in limbs.iter_mut().zip(&targets) {
                (*middle, *tip) = two_bone(*root, *middle, *tip, *target, Some(pole));
            }
        };
        let start = vec![rest; limb::targets().len()];
        let mut solved = start.clone();
        solve(&mut solved);
        let quality = Quality::of(limbs(&solved));
        let reset = move |limbs: &mut Vec<[Vec3; 3]>| limbs.copy_from_slice(&start);
        let runner = Runner::new(solved.len() as f64, solved, reset, solve);
        Entry::new(format!("{} two_bone", locked("rebirth-ik")), &quality, runner)
    }

    type Limb = ([Vec3; 3], [Quat; 3]);

    /// The root and the middle joint turn as their bones do, and the effector with the last bone.
    pub fn poses() -> Entry<'static> {
        let targets: Vec<_> = limb::targets().into_iter().map(vector).collect();
        let (rest, pole) = (limb::START.map(vector), vector(POLE));
        let solve = move |limbs: &mut Vec<Limb>| {
            for ((positions, rotations), target) in limbs.iter_mut().zip(&targets) {
                let [root, middle, tip] = *positions;
                let (to_middle, to_tip) = two_bone(root, middle, tip, *target, Some(pole));
                let upper = segment_rotation(middle - root, to_middle - root);
                let lower = segment_rotation(tip - middle, to_tip - to_middle);
                *positions = [root, to_middle, to_tip];
                let [a, b, c] = *rotations;
                *rotations = [upper * a, lower * b, lower * c];
            }
        };
        let start = vec![(rest, [Quat::IDENTITY; 3]); limb::targets().len()];
        let mut solved = start.clone();
        solve(&mut solved);
        let positions: Vec<_> = solved.iter().map(|limb| limb.0).collect();
        let quality = Quality::of(limbs(&positions));
        let reset = move |limbs: &mut Vec<Limb>| limbs.copy_from_slice(&start);
        let runner = Runner::new(solved.len() as f64, solved, reset, solve);
        let name = format!("{} two_bone, segment_rotation", locked("rebirth-ik"));
        Entry::new(name, &quality, runner)
    }
}

/// The worst distances, over the reach, from where the middle joint and the effector belong.
struct Quality {
    middle: f64,
    effector: f64,
    /// The worst error of a bone's length, over the bone.
    stretch: f64,
}

impl Quality {
    fn of(limbs: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let rest = limb::START.map(Vec3::as_dvec3);
        let bones = [rest[0].distance(rest[1]), rest[1].distance(rest[2])];
        let mut quality = Self { middle: 0.0, effector: 0.0, stretch: 0.0 };
        for (limb, target) in limbs.zip(limb::targets()) {
            let [root, middle, effector] = limb.map(Vec3::as_dvec3);
            let belongs = exact(bones, target.as_dvec3());
            let reach = bones[0] + bones[1];
            quality.middle = quality.middle.max(middle.distance(belongs[0]) / reach);
            quality.effector = quality.effector.max(effector.distance(belongs[1]) / reach);
            let lengths = [root.distance(middle), middle.distance(effector)];
            for (is, bone) in lengths.into_iter().zip(bones) {
                quality.stretch = quality.stretch.max((is / bone - 1.0).abs());
            }
        }
        quality
    }
}

/// Where the middle joint and the effector belong: the triangle's height from its sides.
fn exact([upper, lower]: [f64; 2], target: DVec3) -> [DVec3; 2] {
    let distance = target.length();
    let line = target / distance;
    let chord = distance.clamp((upper - lower).abs(), upper + lower);
    let along = (upper * upper - lower * lower + chord * chord) / (2.0 * chord);
    let height = (upper * upper - along * along).max(0.0).sqrt();
    let side = POLE.as_dvec3().reject_from(line).normalize();
    [line * along + side * height, line * chord]
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { middle, effector, stretch } = self;
        write!(f, "middle {middle:.0e}, tip {effector:.0e}, length {stretch:.0e}")
    }
}
