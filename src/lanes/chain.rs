//! Eight chains of equal shape: what each has come to, and each of them on its own.
//!
//! What to do about the rare geometry that only one of the eight is in is left to the functions for
//! single chains: the lane is copied out to the stack, and back.

use super::check::Checks;
use super::wide::{F32x8, Mask};
use super::{Each, LANES};
use crate::check::check_most_length;
use crate::error::Error;
use crate::ik::{Solution, Status};

/// The most joints of a chain: what a lane that is copied out has room for.
pub(super) const MOST_JOINTS: usize = 128;

/// `Ok` if a lane of so many joints can be copied out.
pub(super) fn check_count(joints: usize) -> Result<(), Error> {
    check_most_length("positions", joints, MOST_JOINTS)
}

/// What the solvers have come to, a lane each.
#[derive(Clone, Copy)]
pub(super) struct Outcomes {
    pub(super) statuses: [Status; LANES],
    pub(super) iterations: [usize; LANES],
}

impl Outcomes {
    /// The same in every lane.
    pub(super) fn all(status: Status) -> Self {
        Self { statuses: [status; LANES], iterations: [0; LANES] }
    }

    /// Gives some lanes a status.
    pub(super) fn set_status(&mut self, lanes: Mask, status: Status) {
        for lane in lanes.lanes() {
            if let Some(slot) = self.statuses.get_mut(lane) {
                *slot = status;
            }
        }
    }

    /// Gives one lane both.
    pub(super) fn set(&mut self, lane: usize, status: Status, iterations: usize) {
        let slots = self.statuses.get_mut(lane).zip(self.iterations.get_mut(lane));
        if let Some(slots) = slots {
            (*slots.0, *slots.1) = (status, iterations);
        }
    }

    /// One lane's iterations.
    pub(super) fn iterations_of(&self, lane: usize) -> usize {
        self.iterations.get(lane).copied().unwrap_or(0)
    }

    /// One iteration more for some lanes.
    pub(super) fn count_iteration(&mut self, lanes: Mask) {
        for (lane, slot) in self.iterations.iter_mut().enumerate() {
            *slot += usize::from(lanes.lane(lane));
        }
    }

    /// The lanes that have made so many iterations, or more.
    pub(super) fn have_made(&self, iterations: usize) -> Mask {
        Mask::from_fn(|lane| self.iterations_of(lane) >= iterations)
    }

    /// Gives some lanes a number of iterations.
    pub(super) fn set_iterations(&mut self, lanes: Mask, iterations: usize) {
        for lane in lanes.lanes() {
            if let Some(slot) = self.iterations.get_mut(lane) {
                *slot = iterations;
            }
        }
    }

    /// The reports, with the distances of the pose that is returned; `met` are the lanes whose
    /// target is within their tolerance.
    pub(super) fn reports(&self, checks: &Checks, distance: F32x8, met: Mask) -> Each<Solution> {
        checks.each(|lane| {
            let status = self.statuses.get(lane).copied().unwrap_or(Status::Stalled);
            let iterations = self.iterations.get(lane).copied().unwrap_or(0);
            let (distance, is_met) = (distance.lane(lane), met.lane(lane));
            let status = match status {
                _ if is_met => Status::Reached,
                // Met as seen from the root, and lost again to the last digits of positions far
                // from the origin.
                Status::Reached => Status::Stalled,
                other => other,
            };
            Solution { status, iterations, distance, angle: 0.0 }
        })
    }
}

/// One lane of a slice on its own.
pub(super) struct Single<T> {
    entries: [T; MOST_JOINTS],
    count: usize,
}

impl<T: Copy + Default> Single<T> {
    pub(super) fn of<L>(lanes: &[L], lane: impl Fn(&L) -> T) -> Self {
        let mut entries = [T::default(); MOST_JOINTS];
        for (entry, lanes) in entries.iter_mut().zip(lanes) {
            *entry = lane(lanes);
        }
        Self { entries, count: lanes.len() }
    }

    pub(super) fn slice(&mut self) -> &mut [T] {
        self.entries.get_mut(..self.count).unwrap_or_default()
    }

    pub(super) fn put_back<L>(&self, lanes: &mut [L], set_lane: impl Fn(&mut L, T)) {
        for (entry, lanes) in self.entries.iter().zip(lanes) {
            set_lane(lanes, *entry);
        }
    }
}
