//! Bones against colliders and limits, eight at once.

use super::SpringBones;
use super::collider::{Collider, Motion, Placed, Surface};
use super::cone::Cone;
use crate::lanes::Vec3x8;
use crate::lanes::wide::{F32x8, Mask};
use crate::spring_bone::SpringRule;
use crate::spring_bone::contact::whole_bone;

/// One bone of each character, while it is placed.
#[derive(Clone, Copy)]
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

/// The colliders that the chains meet during one pass, and how.
pub(super) struct Surroundings<'a> {
    settings: &'a SpringBones<'a>,
    carried: Option<&'a Motion>,
    share: F32x8,
    /// Where colliders are on their way, and whether they are anywhere.
    moving: Mask,
    on_their_way: bool,
    /// The lanes that this pass is for: no round is for others.
    busy: Mask,
    /// As the scalar's.
    plain: bool,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(
        settings: &'a SpringBones<'a>,
        carried: Option<&'a Motion>,
        share: F32x8,
        busy: Mask,
    ) -> Self {
        let moving = share.lt(F32x8::ONE);
        let on_their_way = moving.any();
        let still = !on_their_way || settings.colliders_before.is_empty();
        let solved = settings.rule == SpringRule::Steady && settings.iterations > 0;
        let plain = still && solved && !settings.whole_bones;
        Self { settings, carried, share, moving, on_their_way, busy, plain }
    }

    /// What bones have met, some in each of these lanes, if every collider is seen at once to be
    /// far from their tails.
    #[inline]
    fn far(&self, limb: &Limb, out: Vec3x8) -> Option<Rounds> {
        let (tail, open) = (limb.tail(out), limb.lanes & self.busy);
        let is_far = |shape| (Placed::still(shape).is_far(tail, limb.radius) | !open).all();
        (self.plain && self.settings.colliders.iter().all(is_far)).then(|| Rounds {
            count: open.select(F32x8::ONE, F32x8::ZERO),
            penetration: F32x8::ZERO,
            settled: Mask::every(),
        })
    }

    /// A collider where it is during this pass; `room` is for one that is on its way.
    #[inline]
    fn placed<'b>(&'b self, index: usize, room: &'b mut Option<Collider>) -> Option<Placed<'b>> {
        let now = self.settings.colliders.get(index)?;
        match self.settings.colliders_before.get(index) {
            Some(before) if self.on_their_way => {
                let before = self.carried.map_or(*before, |motion| before.moved(motion));
                let (shape, radius) = before.lerp(now, self.share, self.moving);
                Some(Placed { shape: room.insert(shape), radius })
            }
            _ => Some(Placed::still(now)),
        }
    }

    /// The directions nearest to `out` that are clear of the colliders and within the limit.
    #[inline]
    pub(super) fn settle(&self, limb: &Limb, mut out: Vec3x8) -> (Vec3x8, Option<Rounds>) {
        let limit = limb.limit();
        if let Some(limit) = limit {
            let (inside, turned) = limit.nearest(out, limb.lanes);
            turned.put(inside, &mut out);
        } else if let Some(clear) = self.far(limb, out) {
            return (out, Some(clear));
        }
        if self.settings.colliders.is_empty() {
            return (out, None);
        }
        let (out, rounds) = if self.settings.whole_bones {
            self.rounds::<true>(limb, limit.as_ref(), out)
        } else {
            self.rounds::<false>(limb, limit.as_ref(), out)
        };
        (out, Some(rounds))
    }

    /// The same for bones that are on the way to where whole frames have settled them, in the lanes
    /// that are: as the scalar's.
    pub(super) fn follow(
        &self,
        limb: &Limb,
        out: Vec3x8,
        (whole, parts): (&Rounds, Mask),
    ) -> (Vec3x8, Option<Rounds>) {
        let stuck = limb.lanes & parts & !whole.settled;
        let lanes = limb.lanes & !stuck;
        let (mut clear, mut rounds) = self.settle(&Limb { lanes, ..*limb }, out);
        if let (true, Some(rounds)) = (stuck.any(), &mut rounds) {
            if let Some(limit) = limb.limit() {
                let (inside, turned) = limit.nearest(out, stuck);
                turned.put(inside, &mut clear);
            }
            let whole_bones = self.settings.whole_bones;
            let gap = if whole_bones { Contact::gap::<true> } else { Contact::gap::<false> };
            stuck.put(whole.count, &mut rounds.count);
            stuck.put(self.deepest(limb, clear, gap), &mut rounds.penetration);
            rounds.settled = rounds.settled & !stuck;
        }
        (clear, rounds)
    }

    /// Each collider and the limit in turn, in the lanes in which the round before had something to
    /// do. `WHOLE`: with whole bones.
    fn rounds<const WHOLE: bool>(
        &self,
        limb: &Limb,
        limit: Option<&Cone>,
        mut out: Vec3x8,
    ) -> (Vec3x8, Rounds) {
        let (mut count, mut penetration) = (F32x8::ZERO, F32x8::ZERO);
        let mut open = limb.lanes & self.busy;
        for _ in 0..self.settings.iterations {
            if !open.any() {
                break;
            }
            open.put(count + F32x8::ONE, &mut count);
            open.put(F32x8::ZERO, &mut penetration);
            let mut moved = Mask::NONE;
            let mut room = None;
            for i in 0.. {
                let Some(collider) = self.placed(i, &mut room) else { break };
                let tail = limb.tail(out);
                if !WHOLE && (collider.is_far(tail, limb.radius) | !open).all() {
                    continue;
                }
                let contact = Contact::new::<WHOLE>(&collider, limb, tail);
                let touching = open & contact.gap.lt(F32x8::ZERO);
                if !touching.any() {
                    continue;
                }
                touching.put(penetration.max(-contact.gap), &mut penetration);
                let (cone, some) = contact.cone(limb);
                let (clear, turned) = cone.nearest(out, touching & some);
                turned.put(clear, &mut out);
                moved = moved | turned;
            }
            if let Some(limit) = limit {
                let (inside, turned) = limit.nearest(out, open);
                turned.put(inside, &mut out);
                moved = moved | turned;
            }
            open = moved;
        }
        if open.any() {
            // The last round measured before it moved.
            let deepest = self.deepest(limb, out, Contact::gap::<WHOLE>);
            open.put(deepest, &mut penetration);
        }
        let settled = !open & penetration.le(limb.rounding());
        (out, Rounds { count, penetration, settled })
    }

    /// How deep the deepest of bones along `out` lie in a collider, given how to measure one.
    #[cold]
    fn deepest(
        &self,
        limb: &Limb,
        out: Vec3x8,
        gap: fn(&Placed<'_>, &Limb, Vec3x8) -> F32x8,
    ) -> F32x8 {
        let (mut deepest, mut room) = (F32x8::ZERO, None);
        for i in 0.. {
            let Some(collider) = self.placed(i, &mut room) else { break };
            let gap = gap(&collider, limb, limb.tail(out));
            gap.lt(F32x8::ZERO).put(deepest.max(-gap), &mut deepest);
        }
        deepest
    }

    /// The published collisions: each collider once, in order, and the length after each.
    pub(super) fn meet_once(&self, limb: &Limb, mut out: Vec3x8) -> (Vec3x8, Option<Rounds>) {
        let mut room = None;
        for i in 0.. {
            let Some(collider) = self.placed(i, &mut room) else { break };
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
        let deepest = self.deepest(limb, out, Contact::gap::<false>);
        let penetration = limb.lanes.select(deepest, F32x8::ZERO);
        let count = limb.lanes.select(F32x8::ONE, F32x8::ZERO);
        let settled = penetration.le(limb.rounding()) | !limb.lanes;
        (out, Some(Rounds { count, penetration, settled }))
    }
}

/// How a collider and the bones meet.
struct Contact {
    gap: F32x8,
    surface: Surface,
    /// Where the whole of a bone is met, and not its tail alone: the cones to turn to.
    whole: Option<(Cone, Mask)>,
}

impl Contact {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as its surface")]
    fn new<const WHOLE: bool>(collider: &Placed<'_>, limb: &Limb, tail: Vec3x8) -> Self {
        let surface = collider.surface(tail, limb.radius);
        let contact = Self { gap: surface.gap, surface, whole: None };
        if WHOLE { contact.of_whole_bones(collider, limb, tail) } else { contact }
    }

    fn gap<const WHOLE: bool>(collider: &Placed<'_>, limb: &Limb, tail: Vec3x8) -> F32x8 {
        Self::new::<WHOLE>(collider, limb, tail).gap
    }

    /// Lane by lane, by the scalar's own geometry.
    fn of_whole_bones(mut self, collider: &Placed<'_>, limb: &Limb, tail: Vec3x8) -> Self {
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
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "or else the surface has to be in memory for it")]
    fn cone(&self, limb: &Limb) -> (Cone, Mask) {
        let (tail, some) = Cone::of_tail(&self.surface, limb.joint, limb.length);
        match self.whole {
            Some((whole, lanes)) => (Cone::select(lanes, whole, tail), lanes | some),
            None => (tail, some),
        }
    }
}
