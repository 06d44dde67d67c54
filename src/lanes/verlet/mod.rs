//! Particles of eight simulations at once, and what holds them together.

mod chain;
mod distance;
mod step;

pub use chain::chain_constraints;
pub use distance::distance_constraints;
pub use step::verlet_step;

use super::LANES;
use super::wide::F32x8;
use crate::verlet::Residual;

/// What a [`Residual`] is made of.
#[derive(Default)]
struct Sums {
    largest: F32x8,
    squares: [f64; LANES],
    count: usize,
}

impl Sums {
    #[inline]
    fn add(&mut self, violation: F32x8) {
        self.largest = self.largest.max(violation.abs());
        for (sum, violation) in self.squares.iter_mut().zip(violation.to_array()) {
            *sum += f64::from(violation) * f64::from(violation);
        }
        self.count += 1;
    }

    #[inline]
    fn residual(&self, lane: usize) -> Residual {
        let squares = self.squares.get(lane).copied().unwrap_or(f64::NAN);
        Residual::from_sums(self.largest.lane(lane), squares, self.count)
    }
}
