//! Bones against colliders and limits, eight at once.

use super::SpringBones;
use super::collider::{Motion, Placed, Surface};
use super::cone::Cone;
use crate::lanes::space::Vec3x8;
use crate::lanes::wide::{F32x8, Mask};
use crate::spring_bone::contact::whole_bone;

/// One bone of each character, while it is placed.
pub(super) struct Limb {
    pub(super) joint: Vec3x8,
    pub(super) length: F32x8,
    /// Its rest direction.
    pub(super) axis: Vec3x8,
    pub(super) radius: f32,
    /// The largest angle from the rest direction.
    pub(super) limit: f32,
    /// Where there is such a bone.
    pub(super) lanes: Mask,
}

impl Limb {
    /// Its tails, if it points along `out`.
    #[inline]
    pub(super) fn tail(&self, out: Vec3x8) -> Vec3x8 {
        self.joint + out * self.length
    }

    fn rounding(&self) -> F32x8 {
        self.length * 4e-6 + self.joint.largest() * (8.0 * f32::EPSILON)
    }

    #[inline]
    fn limit(&self) -> Option<Cone> {
        (self.limit < core::f32::consts::PI).then(|| Cone::new(self.axis, self.limit))
    }
}

/// What the collisions of one bone have taken and left.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    pub(super) count: F32x8,
    pub(super) penetration: F32x8,
    pub(super) settled: Mask,
}

impl Rounds {
    pub(super) fn new() -> Self {
        Self { count: F32x8::ZERO, penetration: F32x8::ZERO, settled: Mask::every() }
    }
}

/// The colliders that the chains meet during one pass, and how.
pub(super) struct Surroundings<'a> {
    settings: &'a SpringBones<'a>,
    carried: Option<Motion>,
    share: F32x8,
    /// Where colliders are on their way.
    moving: Mask,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(
        settings: &'a SpringBones<'a>,
        carried: Option<Motion>,
        share: F32x8,
    ) -> Self {
        Self { settings, carried, share, moving: share.lt(F32x8::ONE) }
    }

    /// The colliders where they are during this pass.
    #[inline]
    fn colliders(&self) -> impl Iterator<Item = Placed> + '_ {
        let still = !self.moving.any();
        let mut before = self.settings.colliders_before.iter();
        self.settings.colliders.iter().map(move |now| match before.next() {
            Some(before) if !still => {
                let before = before.placed();
                let before = self.carried.map_or(before, |motion| before.moved(&motion));
                before.lerp(now.placed(), self.share, self.moving)
            }
            _ => now.placed(),
        })
    }

    /// The directions nearest to `out` that are clear of the colliders and within the limit.
    #[inline]
    pub(super) fn settle(&self, limb: &Limb, mut out: Vec3x8) -> (Vec3x8, Rounds) {
        let limit = limb.limit();
        if let Some(limit) = limit {
            let (inside, turned) = limit.nearest(out, limb.lanes);
            turned.put(inside, &mut out);
        }
        let mut rounds = Rounds::new();
        if !self.settings.colliders.is_empty() {
            self.rounds(limb, limit.as_ref(), &mut out, &mut rounds);
        }
        (out, rounds)
    }

    /// Each collider and the limit in turn, in the lanes in which the round before had something to
    /// do.
    fn rounds(&self, limb: &Limb, limit: Option<&Cone>, out: &mut Vec3x8, rounds: &mut Rounds) {
        let mut open = limb.lanes;
        for _ in 0..self.settings.iterations {
            if !open.any() {
                break;
            }
            open.put(rounds.count + F32x8::ONE, &mut rounds.count);
            open.put(F32x8::ZERO, &mut rounds.penetration);
            let mut moved = Mask::NONE;
            for collider in self.colliders() {
                let contact = self.contact(&collider, limb, *out);
                let touching = open & contact.gap.lt(F32x8::ZERO);
                if !touching.any() {
                    continue;
                }
                let deeper = rounds.penetration.larger(-contact.gap);
                touching.put(deeper, &mut rounds.penetration);
                let (cone, some) = contact.cone(limb);
                let (clear, turned) = cone.nearest(*out, touching & some);
                turned.put(clear, out);
                moved = moved | turned;
            }
            if let Some(limit) = limit {
                let (inside, turned) = limit.nearest(*out, open);
                turned.put(inside, out);
                moved = moved | turned;
            }
            open = open & moved;
        }
        if open.any() {
            // The last round measured before it moved.
            let gaps = self.colliders().map(|collider| self.contact(&collider, limb, *out).gap);
            open.put(deepest(gaps), &mut rounds.penetration);
        }
        rounds.settled = !open & rounds.penetration.le(limb.rounding());
    }

    /// How each collider and the bones meet.
    #[inline]
    fn contact(&self, collider: &Placed, limb: &Limb, out: Vec3x8) -> Contact {
        let tail = limb.tail(out);
        let surface = collider.surface(tail, limb.radius);
        let contact = Contact { gap: surface.gap, surface, whole: None };
        if self.settings.whole_bones {
            contact.of_whole_bones(collider, limb, tail)
        } else {
            contact
        }
    }

    /// The published collisions: each collider once, in order, and the length after each.
    pub(super) fn meet_once(&self, limb: &Limb, mut out: Vec3x8) -> (Vec3x8, Rounds) {
        for collider in self.colliders() {
            let tail = limb.tail(out);
            let surface = collider.surface(tail, limb.radius);
            let touching = limb.lanes & surface.gap.lt(F32x8::ZERO);
            if touching.any() {
                let pushed = tail - surface.way_out(touching) * surface.gap - limb.joint;
                let (pushed, _, some) = pushed.direction();
                (touching & some).put(pushed, &mut out);
            }
        }
        if let Some(limit) = limb.limit() {
            let (inside, turned) = limit.nearest(out, limb.lanes);
            turned.put(inside, &mut out);
        }
        let tail = limb.tail(out);
        let gaps = self.colliders().map(|collider| collider.surface(tail, limb.radius).gap);
        let penetration = limb.lanes.select(deepest(gaps), F32x8::ZERO);
        let count = limb.lanes.select(F32x8::ONE, F32x8::ZERO);
        let settled = penetration.le(limb.rounding()) | !limb.lanes;
        (out, Rounds { count, penetration, settled })
    }
}

/// How far the deepest of these gaps is below nothing.
fn deepest(gaps: impl Iterator<Item = F32x8>) -> F32x8 {
    gaps.fold(F32x8::ZERO, |deepest, gap| gap.lt(F32x8::ZERO).select(deepest.larger(-gap), deepest))
}

/// How a collider and the bones meet.
struct Contact {
    gap: F32x8,
    surface: Surface,
    /// Where the whole of a bone is met, and not its tail alone.
    whole: Option<(Cone, Mask)>,
}

impl Contact {
    #[cold]
    fn of_whole_bones(mut self, collider: &Placed, limb: &Limb, tail: Vec3x8) -> Self {
        let mut cone = Cone::new(limb.axis, 0.0);
        let lanes = Mask::from_fn(|lane| {
            let bone = (limb.joint.lane(lane), tail.lane(lane));
            let length = limb.length.lane(lane);
            let whole = whole_bone(&collider.lane(lane), bone, length, limb.radius);
            if let Some((gap, own)) = &whole {
                self.gap.set_lane(lane, *gap);
                cone.set_lane(lane, own);
            }
            whole.is_some()
        });
        self.whole = Some((cone, lanes));
        self
    }

    /// The cones to turn to, and in which lanes a turn changes the depth.
    #[inline]
    fn cone(&self, limb: &Limb) -> (Cone, Mask) {
        let (tail, some) = Cone::of_tail(&self.surface, limb.joint, limb.length);
        match self.whole {
            Some((whole, lanes)) => (Cone::select(lanes, whole, tail), lanes | some),
            None => (tail, some),
        }
    }
}
