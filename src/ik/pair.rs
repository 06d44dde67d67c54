//! Two joints turned together, where one by one they gain little: one is bent, and another, nearer
//! to the root, turns so as to make the most of it.
//!
//! Two free joints are a limb of two bones, and the law of cosines says by how much the one must be
//! bent for the other to turn the effector onto the target. For a chain that lies straight on the
//! line to its target this is the buckling that no gradient shows. With limits it is the way past
//! them, in a few bends of fixed size.

use core::f32::consts::FRAC_1_SQRT_2;

use super::limb::Limb;
use super::sweep::Seen;
use crate::joint::{Arm, Effort, MIN_SQUARE};
use crate::math;
use crate::rotation::Rotation;
use crate::space::{Limits, Vector};

/// How far a joint is bent where limits hold it or its partner, in radians: a little, and a lot,
/// which carries a limb past a limit to its other configuration.
const BENDS: [f32; 4] = [0.2, -0.2, 0.8, -0.8];

/// The cosine of the largest bend of a free joint, an eighth of a turn; its sine, too.
pub(crate) const LARGEST: f32 = FRAC_1_SQRT_2;

/// An arm that is off its partner's line by no more than this share of its length lies on it:
/// rounding has the say in which way it is off.
pub(crate) const ON_LINE: f32 = 0.01;

/// About how many joints of a long chain with limits are bent in search of a pair.
const PAIRS: usize = 24;

/// A joint and what it would turn to, relative to its parent.
#[derive(Clone, Copy)]
struct Bend<V: Vector> {
    joint: usize,
    turned: V::Rotation,
}

/// A joint that is bent, what is seen from it then, along its parent's axes, and its partner.
#[derive(Clone, Copy)]
struct Pair<V: Vector> {
    bend: Bend<V>,
    seen: Seen<V>,
    partner: usize,
}

/// What a pair comes to: the nearer the better, and of two as near the one with the smaller bend.
#[derive(Clone, Copy)]
struct Worth {
    gap: f32,
    cosine: f32,
}

impl Worth {
    fn beats(self, other: Self) -> bool {
        self.gap < other.gap || (self.gap == other.gap && self.cosine > other.cosine)
    }
}

/// A joint, its effector and its partner.
struct Triangle {
    /// The product of the sides at the joint, squared.
    squared: f32,
    /// The product times the cosine of the angle between them, as it is and after the bend.
    along: f32,
    bent: f32,
    worth: Worth,
}

impl Triangle {
    /// With the bend that brings the effector as far from the partner as the target is.
    fn new<V: Vector>(seen: Seen<V>, partner: V) -> Self {
        let (arm, base) = (seen.effector.length_squared(), partner.length_squared());
        let (squared, sides) = (arm * base, arm + base);
        let across = |along: f32| math::sqrt(math::greater(squared - along * along, 0.0));
        let along = seen.effector.dot(partner);
        let wanted = (seen.target - partner).length_squared();
        let ideal = 0.5 * (sides - wanted);
        let product = math::sqrt(squared);
        let mut bent = math::clamp(ideal, -product, product);
        let mut cosine = (along * bent + across(along) * across(bent)) / squared;
        if cosine < LARGEST {
            let across = across(along);
            bent = LARGEST * if bent > along { along + across } else { along - across };
            cosine = LARGEST;
        }
        let left = |along: f32| math::sqrt(math::greater(sides - 2.0 * along, 0.0));
        let gap = if bent == ideal { 0.0 } else { (left(bent) - math::sqrt(wanted)).abs() };
        Self { squared, along, bent, worth: Worth { gap, cosine } }
    }

    /// Where the bend takes the effector.
    fn effector<V: Vector>(&self, effector: V, partner: V) -> V {
        let per_square = 1.0 / partner.length_squared();
        let aside = effector - partner * (self.along * per_square);
        let (width, length) = (aside.length_squared(), effector.length_squared());
        let aside = if width > ON_LINE * ON_LINE * length {
            aside * (1.0 / math::sqrt(width))
        } else {
            partner.perpendicular()
        };
        let height = math::greater(self.squared - self.bent * self.bent, 0.0) * per_square;
        partner * (self.bent * per_square) + aside * math::sqrt(height)
    }
}

/// The best pair so far.
struct Search<'a, 'l, V: Vector> {
    limb: &'a Limb<'l, V>,
    effort: Effort,
    worth: Worth,
    best: Option<Pair<V>>,
}

/// As for sweeps, rotations are relative to their parents; see [`Limb::relative`].
impl<V: Vector> Limb<'_, V> {
    /// Turns the best pair of joints, if that brings the effector nearer; returns the gap then.
    ///
    /// Partners are the root and the joint before the bend, and of a long chain only every so many
    /// joints are bent, so that all of it costs about as much as two sweeps.
    pub(crate) fn turn_pair(&mut self, gap: f32, effort: Effort) -> Option<f32> {
        let most = gap - self.least_gain(gap);
        if most <= 0.0 {
            return None;
        }
        let pair = self.find_pair(most, effort)?;
        let partner = self.turn_of_partner(&pair, effort)?;
        let bends = [pair.bend, partner];
        let before = bends.map(|bend| self.bend_to(bend));
        let left = self.gap_of_relative();
        if left < gap {
            return Some(left);
        }
        // What was promised has been lost to rounding.
        for bend in before.into_iter().flatten() {
            self.bend_to(bend);
        }
        None
    }

    /// The best pair that leaves a gap of less than `most`.
    fn find_pair(&self, most: f32, effort: Effort) -> Option<Pair<V>> {
        let is_free = effort.is_full() && self.is_free();
        let worth = Worth { gap: most, cosine: 1.0 };
        let mut search = Search { limb: self, effort, worth, best: None };
        let mut seen = Seen { effector: V::ZERO, target: self.seen_from_tip(self.target) };
        let mut root = self.seen_from_tip(V::ZERO);
        let stride = if is_free { 1 } else { 1 + self.bones.len() / PAIRS };
        for (joint, bone) in self.bones.iter().enumerate().skip(1).rev() {
            let local = *self.rotations.get(joint)?;
            let arm = *bone + seen.effector;
            seen = Seen { effector: local.swing(arm), target: local.swing(*bone + seen.target) };
            root = local.swing(*bone + root);
            if joint % stride == 0 {
                let parent = -*self.bones.get(joint - 1)?;
                let partners = [(joint - 1, parent), (0, root)];
                let partners = partners.get(..joint.min(2))?;
                if is_free {
                    for partner in partners {
                        search.bend_freely(joint, arm, seen, *partner);
                    }
                } else {
                    search.bend_within_limits(joint, arm, seen, partners)?;
                }
            }
        }
        search.best
    }

    /// How the partner turns once the other joint is bent.
    fn turn_of_partner(&self, pair: &Pair<V>, effort: Effort) -> Option<Bend<V>> {
        let arm = self.arm_of_partner(pair)?;
        let local = *self.rotations.get(pair.partner)?;
        let turned = self.joint(pair.partner).turn(local, arm, effort).0;
        Some(Bend { joint: pair.partner, turned })
    }

    /// What the partner sees once the other joint is bent.
    fn arm_of_partner(&self, pair: &Pair<V>) -> Option<Arm<V>> {
        let between = pair.partner + 1..pair.bend.joint;
        let pose = self.rotations.get(between.clone())?.iter().zip(self.bones.get(between)?);
        let seen = pose.rev().fold(pair.seen, |seen, (local, bone)| {
            let arm = seen.across(*bone);
            Seen { effector: local.swing(arm.effector), target: local.swing(arm.target) }
        });
        Some(seen.across(*self.bones.get(pair.partner)?))
    }

    /// Turns a joint; returns how it was.
    fn bend_to(&mut self, bend: Bend<V>) -> Option<Bend<V>> {
        let local = self.rotations.get_mut(bend.joint)?;
        Some(Bend { turned: core::mem::replace(local, bend.turned), ..bend })
    }
}

impl<V: Vector> Search<'_, '_, V> {
    /// Bends a free joint as far as suits a partner at `place`.
    fn bend_freely(&mut self, joint: usize, arm: V, seen: Seen<V>, (partner, place): (usize, V)) {
        let triangle = Triangle::new(seen, place);
        if !(triangle.squared > MIN_SQUARE && triangle.worth.beats(self.worth)) {
            return;
        }
        let Some(local) = self.limb.rotations.get(joint) else { return };
        let target = local.inverse().swing(triangle.effector(seen.effector, place));
        let arm = Arm { effector: arm, target };
        let (turned, effector) = V::Joint::FREE.turn(*local, arm, Effort::FULL);
        let seen = Seen { effector, ..seen };
        self.worth = triangle.worth;
        self.best = Some(Pair { bend: Bend { joint, turned }, seen, partner });
    }

    /// Bends a joint as its limits let it, for partners that turn as theirs do.
    fn bend_within_limits(
        &mut self,
        joint: usize,
        arm: V,
        seen: Seen<V>,
        partners: &[(usize, V)],
    ) -> Option<()> {
        let (limb, effort) = (self.limb, self.effort);
        let (local, limits) = (*limb.rotations.get(joint)?, limb.joint(joint));
        let axis = limits.bend_axis(arm);
        for angle in BENDS {
            let (turned, effector) = limits.bend(local, arm, (axis, angle), effort);
            let seen = Seen { effector, ..seen };
            for (partner, place) in partners.iter().copied() {
                // However the partner turns, it leaves the effector as far from itself.
                let least = (effector.distance(place) - seen.target.distance(place)).abs();
                if least >= self.worth.gap {
                    continue;
                }
                let pair = Pair { bend: Bend { joint, turned }, seen, partner };
                let (local, arm) = (*limb.rotations.get(partner)?, limb.arm_of_partner(&pair)?);
                let gap = limb.joint(partner).gap_after_turn(local, arm, effort);
                if gap < self.worth.gap {
                    self.worth.gap = gap;
                    self.best = Some(pair);
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Points of the unit cube, the same on every run.
    fn points() -> impl FnMut() -> Vec3 {
        let mut state = 1_u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        move || Vec3::new(next(), next(), next())
    }

    #[test]
    fn a_bend_brings_the_effector_as_far_from_the_partner_as_the_target_is() {
        let mut next = points();
        let mut closed = 0;
        for case in 0..10_000 {
            let (arm, partner, target) = (next(), next(), next());
            // Every tenth lies straight.
            let effector = if case % 10 == 0 { partner * -1.3 } else { arm };
            let triangle = Triangle::new(Seen { effector, target }, partner);
            let bent = triangle.effector(effector, partner);
            assert!((bent.length() - effector.length()).abs() < 1e-5, "{effector} {partner}");
            let left = (bent.distance(partner) - target.distance(partner)).abs();
            assert!((left - triangle.worth.gap).abs() < 3e-5, "{left} {}", triangle.worth.gap);
            // From next to the line the way is a little longer.
            let cosine = bent.dot(effector) / effector.length_squared();
            assert!((cosine - triangle.worth.cosine).abs() < ON_LINE && cosine > LARGEST - ON_LINE);
            closed += u32::from(triangle.worth.gap == 0.0);
        }
        assert!(closed > 3000, "{closed}");
    }
}
