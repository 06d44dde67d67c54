//! FABRIK for eight chains at once.

mod points;
mod pose;
mod rope;
mod taut;

pub use points::fabrik_positions;
pub use pose::fabrik_solve;
