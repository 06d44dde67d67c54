//! The caller's mistakes, lane by lane.

use super::wide::{F32x8, Mask, Pen};
use super::{Each, LANES, Quatx8, Vec3x8};
use crate::chain::SAFE_REACH;
use crate::check::{MAX_COORDINATE, check_each};
use crate::error::Error;
use crate::rotation::{UNIT_SLACK, check_rotation};
use crate::space::check_vector;

/// What checks have come to so far: the first mistake of each lane.
///
/// A check looks at all lanes at once; only where one fails does the scalar check say what is
/// wrong, so that lanes and scalars cannot differ in it.
pub(super) struct Checks {
    each: Each<()>,
    good: Mask,
}

impl Checks {
    pub(super) fn new() -> Self {
        Self { each: [Ok(()); LANES], good: Mask::every() }
    }

    /// The lanes without a mistake.
    #[inline]
    pub(super) fn good(&self) -> Mask {
        self.good
    }

    /// What writes in the lanes without a mistake.
    #[inline]
    pub(super) fn pen(&self) -> Pen {
        Pen::new(self.good)
    }

    /// Asks `mistake` about the lanes that do not pass.
    #[inline]
    pub(super) fn lanes(&mut self, pass: Mask, mistake: impl FnMut(usize) -> Result<(), Error>) {
        if !pass.all() {
            self.ask(pass, mistake);
        }
    }

    #[cold]
    fn ask(&mut self, pass: Mask, mut mistake: impl FnMut(usize) -> Result<(), Error>) {
        for (lane, each) in self.each.iter_mut().enumerate() {
            if each.is_ok() && !pass.lane(lane) {
                *each = mistake(lane);
            }
        }
        self.good = Mask::from_fn(|lane| self.each.get(lane).is_some_and(Result::is_ok));
    }

    /// What all lanes share: its mistake is that of every lane that has none yet.
    #[inline]
    pub(super) fn shared<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.ask(Mask::NONE, |_| Err(error));
                None
            }
        }
    }

    /// As [`check_vectors`](crate::space::check_vectors).
    #[inline]
    pub(super) fn vectors(&mut self, argument: &'static str, vs: &[Vec3x8]) {
        self.each_vector(argument, vs, surely_within(vs.iter().copied(), MAX_COORDINATE));
    }

    /// As [`check_points`](crate::chain::check_points).
    #[inline]
    pub(super) fn points(&mut self, argument: &'static str, points: &[Vec3x8], longest: F32x8) {
        let first = points.first().map_or(Mask::NONE, |first| first.within(SAFE_REACH));
        self.each_vector(argument, points, first & longest.lt(F32x8::splat(SAFE_REACH)));
    }

    #[inline]
    fn each_vector(&mut self, argument: &'static str, vs: &[Vec3x8], pass: Mask) {
        self.lanes(pass, |lane| check_each(vs, |v| check_vector(argument, v.lane(lane))));
    }

    /// As [`check_vector`].
    #[inline]
    pub(super) fn vector(&mut self, argument: &'static str, v: Vec3x8) {
        let pass = surely_within([v].into_iter(), MAX_COORDINATE);
        self.lanes(pass, |lane| check_vector(argument, v.lane(lane)));
    }

    /// As [`check_rotation`] for every entry of a slice.
    #[inline]
    pub(super) fn rotations(&mut self, argument: &'static str, qs: &[Quatx8]) {
        self.lanes(are_unit(qs), |lane| check_each(qs, |q| check_rotation(argument, q.lane(lane))));
    }

    /// What each lane comes to: its mistake, or else what `answer` says of it.
    #[inline]
    pub(super) fn each<T>(&self, mut answer: impl FnMut(usize) -> T) -> Each<T> {
        let mut lane = 0;
        self.each.map(|result| {
            let own = lane;
            lane += 1;
            result.map(|()| answer(own))
        })
    }
}

/// Where no coordinate of these vectors is larger than `most`, without doubt: one comparison for a
/// whole slice. The scalar check looks at the rest.
#[inline]
pub(super) fn surely_within(vs: impl Iterator<Item = Vec3x8>, most: f32) -> Mask {
    is_small(vs.fold(F32x8::ZERO, |sum, v| sum + v.dot(v)), most)
}

/// Where a sum of squares says that none is that of a number larger than `most`.
#[inline]
pub(super) fn is_small(squares: F32x8, most: f32) -> Mask {
    squares.le(F32x8::splat(0.99 * most * most))
}

/// [`is_unit`] of every entry of a slice.
#[inline]
pub(super) fn are_unit(qs: &[Quatx8]) -> Mask {
    qs.iter().fold(Mask::every(), |pass, q| pass & is_unit(*q))
}

/// Where a rotation is of unit length without doubt: what is close to the bound, the scalar check
/// decides, whose last bit may be another.
#[inline]
pub(super) fn is_unit(q: Quatx8) -> Mask {
    (q.norm_squared() - F32x8::ONE).abs().le(F32x8::splat(1.99 * UNIT_SLACK))
}
