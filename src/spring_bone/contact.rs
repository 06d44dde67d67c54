//! Bones against colliders and limits.

use crate::collide::Collider;
use crate::packed::Packed;
use crate::space::{Motion, Vector, direction};

use super::cone::Cone;
use super::{SpringBones, SpringJoint, SpringReport, SpringRule};

/// One bone, while it is placed.
#[derive(Clone, Copy)]
pub(super) struct Limb<V> {
    pub(super) joint: V,
    pub(super) length: f32,
    /// Its rest direction, and the direction that it is on its way to.
    pub(super) axis: V,
    pub(super) aim: V,
    pub(super) radius: f32,
    /// The largest angle from the rest direction.
    pub(super) limit: f32,
}

impl<V: Vector> Limb<V> {
    /// Its tail, if it points along `out`.
    pub(super) fn tail(&self, out: V) -> V {
        self.joint + out * self.length
    }

    /// A depth that says nothing: what the edge of a cone and the coordinates are blurred by.
    fn rounding(&self) -> f32 {
        4e-6 * self.length + 8.0 * f32::EPSILON * self.joint.largest()
    }

    fn limit(&self) -> Option<Cone<V>> {
        // A cone takes for its axis nothing but a unit vector, to the last digit.
        let axis = || self.axis * (1.5 - 0.5 * self.axis.length_squared());
        (self.limit < core::f32::consts::PI).then(|| Cone::new(axis(), self.limit))
    }
}

/// What the collisions of one bone have taken and left.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    count: u32,
    penetration: f32,
    settled: bool,
}

impl Rounds {
    /// Of a bone that everything is far from.
    pub(super) const CLEAR: Self = Self { count: 1, penetration: 0.0, settled: true };

    #[inline]
    pub(super) fn into_report(self, report: SpringReport) -> SpringReport {
        SpringReport {
            penetration: report.penetration.max(self.penetration),
            iterations: report.iterations.max(self.count),
            settled: report.settled && self.settled,
            ..report
        }
    }
}

/// The colliders that a chain meets during one pass, and how it meets them.
pub(super) struct Surroundings<'a, V: Vector> {
    settings: &'a SpringBones<'a, V>,
    carried: Option<&'a Motion<V>>,
    share: f32,
    /// Whether there is nothing to meet, and no limit and no weight.
    pub(super) free: bool,
    /// Whether a look at tails alone, and at colliders where they are now, says what is far.
    plain: bool,
}

impl<'a, V: Vector> Surroundings<'a, V> {
    /// At `share` of the way between the last call and this one; `carried` is the center space's.
    pub(super) fn new(
        settings: &'a SpringBones<'a, V>,
        carried: Option<&'a Motion<V>>,
        share: f32,
    ) -> Self {
        let still = share >= 1.0 || settings.colliders_before.is_empty();
        let solved = settings.rule == SpringRule::Steady && settings.iterations > 0;
        let plain = still && solved && !settings.whole_bones;
        let free =
            settings.colliders.is_empty() && settings.joints.iter().all(SpringJoint::is_free);
        Self { settings, carried, share, free, plain }
    }

    /// The colliders where they are during this pass.
    fn colliders(&self) -> impl Iterator<Item = Collider<V>> + '_ {
        let mut before = self.settings.colliders_before.iter();
        self.settings.colliders.iter().map(move |now| match before.next() {
            Some(before) if self.share < 1.0 => {
                let before = self.carried.map_or(*before, |motion| before.moved(motion));
                before.lerp(now, self.share)
            }
            _ => *now,
        })
    }

    /// Whether every collider is seen at once to be far from a tail: most bones are spared the
    /// rounds.
    pub(super) fn are_far(&self, tail: V, radius: f32) -> bool {
        self.plain && self.settings.colliders.iter().all(|collider| collider.is_far(tail, radius))
    }

    /// The direction nearest to the limb's aim that is clear of the colliders and within the limit;
    /// the limit has the last word.
    pub(super) fn settle(&self, limb: &Limb<V>) -> (V, Option<Rounds>) {
        let limit = limb.limit();
        let out = limit.and_then(|limit| limit.nearest(limb.aim)).unwrap_or(limb.aim);
        if self.settings.colliders.is_empty() {
            return (out, None);
        }
        let (out, rounds) = self.rounds(limb, limit, out);
        (out, Some(rounds))
    }

    /// What turns a bone aside whose aim in a whole frame is this, and what it meets. In a part of
    /// the frame it is turned aside by a share of that.
    ///
    /// So a bone that the frame leaves where it is stays there all along, and none jumps where the
    /// frame ends. Contacts of the part alone begin elsewhere, and may end elsewhere.
    pub(super) fn foresee(&self, limb: &Limb<V>, whole: V::Packed) -> Option<(V::Packed, Rounds)> {
        let (along, size, length) = whole.tame()?;
        let aim = (along * (1.0 / size)).into();
        let (clear, rounds) = self.settle(&Limb { aim, ..*limb });
        let aside = V::Packed::from(clear) * length - whole;
        Some((if clear == aim { V::Packed::ZERO } else { aside }, rounds?))
    }

    /// As [`Surroundings::settle`] for a bone on the way to where a whole frame has settled it.
    /// Where that found no room, there is none to be found on the way: the limit alone is kept.
    pub(super) fn follow(&self, limb: &Limb<V>, whole: Rounds) -> (V, Option<Rounds>) {
        if whole.settled {
            return self.settle(limb);
        }
        let out = limb.limit().and_then(|limit| limit.nearest(limb.aim)).unwrap_or(limb.aim);
        (out, Some(Rounds { penetration: self.deepest(limb, out), ..whole }))
    }

    /// Each collider and the limit in turn, until a round has nothing left to do.
    fn rounds(&self, limb: &Limb<V>, limit: Option<Cone<V>>, mut out: V) -> (V, Rounds) {
        let mut rounds = Rounds { count: 0, penetration: 0.0, settled: false };
        while !rounds.settled && rounds.count < self.settings.iterations {
            rounds.count += 1;
            (rounds.settled, rounds.penetration) = (true, 0.0);
            for collider in self.colliders() {
                let Some((cone, depth)) = self.contact(&collider, limb, out) else {
                    continue;
                };
                rounds.penetration = rounds.penetration.max(depth);
                if let Some(clear) = cone.and_then(|cone| cone.nearest(out)) {
                    out = clear;
                    rounds.settled = false;
                }
            }
            if let Some(inside) = limit.and_then(|limit| limit.nearest(out)) {
                out = inside;
                rounds.settled = false;
            }
        }
        if !rounds.settled {
            // The last round measured before it moved.
            rounds.penetration = self.deepest(limb, out);
        }
        // Some places no turn of the bone leads out of.
        rounds.settled &= rounds.penetration <= limb.rounding();
        (out, rounds)
    }

    /// How deep a bone along `out` lies in a collider.
    fn deepest(&self, limb: &Limb<V>, out: V) -> f32 {
        let contacts = self.colliders().filter_map(|c| self.contact(&c, limb, out));
        contacts.map(|(_, depth)| depth).fold(0.0, f32::max)
    }

    /// How far from its tail a bone may touch a collider, its own radius apart.
    fn reach_of(&self, limb: &Limb<V>) -> f32 {
        if self.settings.whole_bones { limb.length + limb.rounding() } else { 0.0 }
    }

    /// The cone to turn to and the depth, for a collider that a bone touches; no cone if no turn
    /// changes the depth.
    fn contact(
        &self,
        collider: &Collider<V>,
        limb: &Limb<V>,
        out: V,
    ) -> Option<(Option<Cone<V>>, f32)> {
        let tail = limb.tail(out);
        if collider.is_far(tail, limb.radius + self.reach_of(limb)) {
            return None;
        }
        if self.settings.whole_bones {
            let bone = (limb.joint, tail);
            if let Some((gap, cone)) = whole_bone(collider, bone, limb.length, limb.radius) {
                return (gap < 0.0).then_some((Some(cone), -gap));
            }
        }
        let surface = collider.surface(tail, limb.radius);
        let cone = || Cone::of_tail(surface, limb.joint, limb.length);
        (surface.gap < 0.0).then(|| (cone(), -surface.gap))
    }

    /// The published collisions: each collider once, in order, and the length after each.
    pub(super) fn meet_once(&self, limb: &Limb<V>) -> (V, Option<Rounds>) {
        let mut out = limb.aim;
        for collider in self.colliders() {
            let tail = limb.tail(out);
            let surface = collider.surface(tail, limb.radius);
            if surface.gap < 0.0 {
                let pushed = tail - surface.normal * surface.gap - limb.joint;
                out = direction(pushed).map_or(out, |(out, _)| out);
            }
        }
        if let Some(inside) = limb.limit().and_then(|limit| limit.nearest(out)) {
            out = inside;
        }
        let tail = limb.tail(out);
        let depths = self.colliders().map(|collider| collider.depth(tail, limb.radius));
        let penetration = depths.fold(0.0, f32::max);
        let settled = penetration <= limb.rounding();
        (out, Some(Rounds { count: 1, penetration, settled }))
    }
}

/// The gap between a collider and the whole of a bone, and the cone to turn to; `None` if that is
/// the tail's affair.
pub(crate) fn whole_bone<V: Vector>(
    collider: &Collider<V>,
    (joint, tail): (V, V),
    length: f32,
    radius: f32,
) -> Option<(f32, Cone<V>)> {
    let whole = collider.surface_of_bone(joint, tail, radius)?;
    let (cone, less) = Cone::of_bone(whole, joint, length)?;
    // A tail is out of all of what its joint is inside of.
    let out = less == 0.0 || collider.depth(tail, radius) <= 0.0;
    out.then_some((whole.gap + less, cone))
}
