//! FABRIK on free chains until the target is within 1e-3 of the reach, in at most 100 iterations.

use anyhow::Result;
use sinew::{FabrikSettings, fabrik_positions, fabrik_solve};

use crate::bench::{Bench, Entry};
use crate::chain::{BONES, Chain, Crowd, TOLERANCE};
use crate::table::Unit;

const ITERATIONS: u16 = 100;

pub fn run(bench: &mut Bench) -> Result<()> {
    for bones in BONES {
        let chain = Chain::winding(bones);
        let mut rivals = Vec::new();
        #[cfg(feature = "rebirth")]
        rivals.push(rebirth::points(&chain)?);
        let task = format!("FABRIK, {bones} bones, positions only");
        let seconds = bench.race(&task, Unit::Microseconds, points(&chain)?, rivals)?;
        bench.plot("FABRIK, positions only", bones, &seconds, 1.0);
    }
    for bones in BONES {
        let chain = Chain::winding(bones);
        let mut rivals = Vec::new();
        #[cfg(feature = "rebirth")]
        rivals.push(rebirth::poses(&chain)?);
        #[cfg(feature = "skelly")]
        rivals.push(skelly(&chain)?);
        let task = format!("FABRIK, {bones} bones, with rotations");
        let seconds = bench.race(&task, Unit::Microseconds, poses(&chain)?, rivals)?;
        bench.plot("FABRIK, with rotations", bones, &seconds, 1.0);
    }
    Ok(())
}

const SETTINGS: FabrikSettings =
    FabrikSettings { max_iterations: ITERATIONS as usize, tolerance: TOLERANCE };

fn points(chain: &Chain) -> Result<Entry<'_>> {
    let joints = chain.joints();
    let start = Crowd { rotations: Vec::new(), ..chain.crowd() };
    chain.entry("sinew", chain.targets.len() as f64, start, move |crowd| {
        for (positions, target) in crowd.positions.chunks_mut(joints).zip(&chain.targets) {
            let _ = fabrik_positions(positions, *target, &SETTINGS)?;
        }
        Ok(())
    })
}

fn poses(chain: &Chain) -> Result<Entry<'_>> {
    let joints = chain.joints();
    chain.entry("sinew", chain.targets.len() as f64, chain.crowd(), move |crowd| {
        let poses = crowd.positions.chunks_mut(joints).zip(crowd.rotations.chunks_mut(joints));
        for ((positions, rotations), target) in poses.zip(&chain.targets) {
            let _ = fabrik_solve(positions, rotations, &[], *target, &SETTINGS)?;
        }
        Ok(())
    })
}

#[cfg(feature = "rebirth")]
mod rebirth {
    use anyhow::Result;
    use rebirth_ik::{
        Config, Effector, Fabrik, NodeId, Quat, Skeleton, Vec3, segment_lengths, solve_chain,
    };
    use sinew::glam;

    use super::ITERATIONS;
    use crate::bench::{Entry, locked};
    use crate::chain::{Chain, Crowd, Poses, TOLERANCE};

    /// Points one after the other, a chain for each target.
    #[derive(Clone)]
    struct Points(Vec<Vec3>);

    impl Poses for Points {
        fn reset(&mut self, start: &Self) {
            self.0.copy_from_slice(&start.0);
        }

        fn crowd(&self) -> Crowd {
            let positions = self.0.iter().map(|p| glam::Vec3::new(p.x, p.y, p.z));
            Crowd { positions: positions.collect(), rotations: Vec::new() }
        }
    }

    pub fn points(chain: &Chain) -> Result<Entry<'_>> {
        let start: Vec<_> = chain.crowd().positions.into_iter().map(vector).collect();
        let targets: Vec<_> = chain.targets.iter().copied().map(vector).collect();
        let mut lengths = vec![0.0; chain.joints() - 1];
        segment_lengths(&start[..chain.joints()], &mut lengths);
        let (joints, tolerance) = (chain.joints(), TOLERANCE * chain.reach());
        let name = format!("{} solve_chain", locked("rebirth-ik"));
        chain.entry(name, targets.len() as f64, Points(start), move |points| {
            for (points, target) in points.0.chunks_mut(joints).zip(&targets) {
                solve_chain(points, &lengths, *target, ITERATIONS.into(), tolerance);
            }
            Ok(())
        })
    }

    /// A skeleton for each target, its effector told where to go.
    #[derive(Clone)]
    struct Skeletons(Vec<Skeleton>);

    impl Poses for Skeletons {
        fn reset(&mut self, start: &Self) {
            for (skeleton, start) in self.0.iter_mut().zip(&start.0) {
                for i in 0..start.len() {
                    let id = NodeId(u32::try_from(i).unwrap_or(u32::MAX));
                    let (node, start) = (skeleton.node_mut(id), start.node(id));
                    (node.position, node.rotation) = (start.position, start.rotation);
                }
            }
        }

        fn crowd(&self) -> Crowd {
            let mut crowd = Crowd { positions: Vec::new(), rotations: Vec::new() };
            let (mut positions, mut rotations) = (Vec::new(), Vec::new());
            for skeleton in &self.0 {
                skeleton.global_transforms(&mut positions, &mut rotations);
                crowd.positions.extend(positions.iter().map(|p| glam::Vec3::new(p.x, p.y, p.z)));
                let turned =
                    rotations.iter().map(|q: &Quat| glam::Quat::from_xyzw(q.x, q.y, q.z, q.w));
                crowd.rotations.extend(turned);
            }
            crowd
        }
    }

    pub fn poses(chain: &Chain) -> Result<Entry<'_>> {
        let mut skeleton = Skeleton::new();
        let mut joint = skeleton.add_root(vector(chain.positions[0]));
        for bone in chain.bones() {
            joint = skeleton.add_child(joint, vector(bone));
        }
        let aimed = chain.targets.iter().map(|target| {
            let mut skeleton = skeleton.clone();
            skeleton.set_effector(joint, Effector::new(vector(*target)));
            skeleton
        });
        let start = Skeletons(aimed.collect());
        let config = Config {
            max_iterations: ITERATIONS.into(),
            tolerance: TOLERANCE * chain.reach(),
            joint_rotations: true,
            ..Config::default()
        };
        let mut solver = Fabrik::new(&start.0[0], config);
        let name = format!("{} Fabrik", locked("rebirth-ik"));
        chain.entry(name, chain.targets.len() as f64, start, move |skeletons| {
            for skeleton in &mut skeletons.0 {
                solver.solve(skeleton);
            }
            Ok(())
        })
    }

    fn vector(v: glam::Vec3) -> Vec3 {
        Vec3::new(v.x, v.y, v.z)
    }
}

#[cfg(feature = "skelly")]
fn skelly(chain: &Chain) -> Result<Entry<'_>> {
    use crate::skelly::Figure;
    use skelly::ik::{StepResult, fabrik::FabrikSolver};

    let mut solver = FabrikSolver::new(TOLERANCE * chain.reach());
    let name = format!("{} FabrikSolver", crate::bench::locked("skelly"));
    chain.entry(name, chain.targets.len() as f64, Figure::new(chain), move |figure| {
        figure.each(|skelly, tip, target, posture| {
            solver.set_position_goal(tip, target);
            // The step that finds the chain there moves nothing.
            for _ in 0..=ITERATIONS {
                if solver.solve_step(skelly, posture) != StepResult::Unsolved {
                    break;
                }
            }
        });
        Ok(())
    })
}
