//! The solvers under one roof.

use std::time::Instant;

use sinew::glam::{Quat, Vec3};
use sinew::{
    CcdSettings, Error, FabrikSettings, JointMemory, LeastSquaresSettings, Solution, Status,
    ccd_solve, fabrik_solve, least_squares_solve,
};

use crate::case::Case;

/// How near counts as there, relative to the reach.
const TOLERANCE: f32 = 1e-3;

#[derive(Clone, Copy)]
pub enum Method {
    Ccd,
    Fabrik,
    LeastSquares,
}

/// What a solver made of one target.
pub struct Answer {
    pub positions: Vec<Vec3>,
    pub solution: Solution,
    pub seconds: f64,
    /// The angles that the joints have turned, relative to their parents, added up.
    pub turned: f32,
}

/// What a solver made of a case.
pub struct Trial {
    pub method: Method,
    pub answers: Vec<Answer>,
}

impl Method {
    pub const ALL: [Self; 3] = [Self::Ccd, Self::Fabrik, Self::LeastSquares];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ccd => "CCD",
            Self::Fabrik => "FABRIK",
            Self::LeastSquares => "least squares",
        }
    }

    /// Every target from the same start pose.
    pub fn run(self, case: &Case, iterations: usize) -> Result<Trial, Error> {
        let mut memory = vec![JointMemory::default(); case.positions.len()];
        let answers = case.targets.iter().map(|target| {
            // Three times over; the fastest time is the one with the least noise in it.
            let mut seconds = f64::INFINITY;
            let (mut positions, mut rotations, mut solution);
            let mut round = 0;
            loop {
                (positions, rotations) = (case.positions.clone(), case.rotations.clone());
                let pose = (&mut positions[..], &mut rotations[..]);
                let began = Instant::now();
                solution = self.solve(pose, case, *target, (iterations, &mut memory))?;
                seconds = began.elapsed().as_secs_f64().min(seconds);
                round += 1;
                if round == 3 {
                    break;
                }
            }
            let turned = turned(&case.rotations, &rotations);
            Ok(Answer { positions, solution, seconds, turned })
        });
        Ok(Trial { method: self, answers: answers.collect::<Result<_, _>>()? })
    }

    fn solve(
        self,
        (positions, rotations): (&mut [Vec3], &mut [Quat]),
        case: &Case,
        target: Vec3,
        (max_iterations, memory): (usize, &mut [JointMemory<Vec3>]),
    ) -> Result<Solution, Error> {
        let joints = &case.joints;
        match self {
            Self::Ccd => {
                let settings =
                    CcdSettings { max_iterations, tolerance: TOLERANCE, ..CcdSettings::default() };
                ccd_solve(positions, rotations, joints, target, &settings)
            }
            Self::Fabrik => {
                let settings = FabrikSettings { max_iterations, tolerance: TOLERANCE };
                fabrik_solve(positions, rotations, joints, target, &settings)
            }
            Self::LeastSquares => {
                let settings = LeastSquaresSettings {
                    max_iterations,
                    tolerance: TOLERANCE,
                    ..LeastSquaresSettings::at(target)
                };
                least_squares_solve(positions, rotations, joints, &settings, memory)
            }
        }
    }
}

impl Trial {
    fn solved(&self) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(|answer| answer.solution.status == Status::Reached)
    }

    /// The share of the targets that were reached.
    pub fn share(&self) -> f64 {
        self.solved().count() as f64 / self.answers.len().max(1) as f64
    }

    /// The iterations within which this share of the solved targets were.
    pub fn iterations(&self, share: f64) -> String {
        let mut counts: Vec<_> = self.solved().map(|answer| answer.solution.iterations).collect();
        counts.sort_unstable();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in the list"
        )]
        let place = (share * counts.len() as f64).ceil() as usize;
        counts.get(place.saturating_sub(1)).map_or("-".into(), usize::to_string)
    }

    pub fn mean_seconds(&self) -> f64 {
        let total: f64 = self.answers.iter().map(|answer| answer.seconds).sum();
        total / self.answers.len().max(1) as f64
    }

    /// Over the solved targets.
    pub fn mean_turned(&self) -> f64 {
        let total: f64 = self.solved().map(|answer| f64::from(answer.turned)).sum();
        total / self.solved().count().max(1) as f64
    }
}

fn turned(before: &[Quat], after: &[Quat]) -> f32 {
    let locals = |rotations: &[Quat]| -> Vec<Quat> {
        let parents = std::iter::once(Quat::IDENTITY).chain(rotations.iter().copied());
        parents.zip(rotations).map(|(parent, own)| parent.conjugate() * *own).collect()
    };
    let pairs = locals(before).into_iter().zip(locals(after));
    pairs.map(|(a, b)| sinew::Rotation::angle(a.conjugate() * b)).sum()
}
