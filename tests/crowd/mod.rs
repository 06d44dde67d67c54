//! Chains that are solved twice: eight at once, a lane each, and each of them alone.

use sinew::glam::{Quat, Vec3};
use sinew::lanes::{Each, LANES, Quatx8, Vec3x8};
use sinew::{Error, Solution};

/// Whether a lane is its scalar bit for bit: where glam adds the four products of quaternions as
/// the lanes do. Its code for NEON, and that with fused operations, rounds otherwise.
pub const EXACT: bool =
    cfg!(any(feature = "deterministic", all(target_feature = "sse2", not(target_feature = "fma"))));

/// A chain in some pose, and its target.
#[derive(Clone, Debug)]
pub struct Chain {
    pub positions: Vec<Vec3>,
    pub rotations: Vec<Quat>,
    pub target: Vec3,
}

impl Chain {
    pub fn bits(&self) -> Vec<u32> {
        let positions = self.positions.iter().flat_map(Vec3::to_array);
        let rotations = self.rotations.iter().flat_map(Quat::to_array);
        positions.chain(rotations).map(f32::to_bits).collect()
    }
}

/// Eight chains, as a crowd holds them.
pub struct Crowd {
    pub positions: Vec<Vec3x8>,
    pub rotations: Vec<Quatx8>,
    pub targets: Vec3x8,
}

impl Crowd {
    pub fn of(chains: &[Chain; LANES]) -> Self {
        let joints = 0..chains[0].positions.len();
        let lanes = chains.each_ref();
        Self {
            positions: joints.clone().map(|i| lanes.map(|c| c.positions[i]).into()).collect(),
            rotations: joints.map(|i| lanes.map(|c| c.rotations[i]).into()).collect(),
            targets: lanes.map(|c| c.target).into(),
        }
    }

    pub fn chain(&self, lane: usize) -> Chain {
        Chain {
            positions: self.positions.iter().map(|p| p.lane(lane)).collect(),
            rotations: self.rotations.iter().map(|r| r.lane(lane)).collect(),
            target: self.targets.lane(lane),
        }
    }
}

/// What a chain has come to, and what was reported of it.
pub struct Answer {
    pub chain: Chain,
    pub solution: Result<Solution, Error>,
}

impl Answer {
    /// All that there is of it.
    pub fn bits(&self) -> (Vec<u32>, String) {
        (self.chain.bits(), format!("{:?}", self.solution))
    }
}

/// Each chain's answer in the crowd, and alone.
pub fn both(
    chains: &[Chain; LANES],
    solve_crowd: impl FnOnce(&mut Crowd) -> Each<Solution>,
    mut solve: impl FnMut(&mut Chain) -> Result<Solution, Error>,
) -> [(Answer, Answer); LANES] {
    let mut crowd = Crowd::of(chains);
    let each = solve_crowd(&mut crowd);
    core::array::from_fn(|lane| {
        let mut chain = chains[lane].clone();
        let solution = solve(&mut chain);
        let wide = Answer { chain: crowd.chain(lane), solution: each[lane] };
        (wide, Answer { chain, solution })
    })
}

/// A lane is refused for what its chain alone is refused for, and is as it was.
pub fn assert_same_mistakes(chains: &[Chain; LANES], answers: &[(Answer, Answer); LANES]) {
    let mut refused = 0;
    for (lane, (before, (wide, alone))) in chains.iter().zip(answers).enumerate() {
        assert_eq!(wide.solution.err(), alone.solution.err(), "lane {lane}");
        if wide.solution.is_err() {
            assert_eq!(wide.chain.bits(), before.bits(), "lane {lane}");
            refused += 1;
        }
    }
    assert!(refused > 0, "nothing was wrong");
}
