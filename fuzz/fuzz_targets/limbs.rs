//! Two bones, aims and poles of any numbers: an error that leaves everything as it was, or finite
//! numbers. Of sound numbers: the triangle worked out in double precision, rotations that follow
//! their bones, limits, honest reports, the bend on the side that was asked for, and the same again
//! when asked again.
#![no_main]

use core::f32::consts::PI;

use glam::{DQuat, DVec3};
use libfuzzer_sys::fuzz_target;
use sinew::glam::{Quat, Vec2, Vec3};
use sinew::{
    AimSettings, Aimed, Effector, Joint3, Pole, Roll, Rotation, Solution, Status, TwoBoneSettings,
    Vector, aim, aim_chain, align_pole, two_bone_solve,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::chains::{self, Problem};
use sinew_fuzz::joints::{Spec, Spec3};
use sinew_fuzz::oracle::{Chain, angle_between, assert_same_bits, attempt, gap};
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    let plane = bits.byte() < 96;
    match bits.below(8) {
        0 if plane => wild::<Vec2>(&mut bits),
        0 => wild::<Vec3>(&mut bits),
        1..=3 if plane => limb::<Vec2>(&mut bits),
        1..=3 => limb::<Vec3>(&mut bits),
        4 if plane => gaze::<Vec2>(&mut bits),
        4 => gaze::<Vec3>(&mut bits),
        5 if plane => neck::<Vec2>(&mut bits),
        5 => neck::<Vec3>(&mut bits),
        6 => weights(&mut bits),
        _ => pole(&mut bits),
    }
});

type Settings<V> = TwoBoneSettings<<V as sinew::TwoBone>::Bend, <V as Vector>::Rotation>;

fn two_bones<V: Space>(bits: &mut Bits, wild: bool) -> Settings<V> {
    let bend = V::bend(bits, wild);
    let grip = wild && bits.byte() < 64;
    let (least, most) = (PI * bits.share(), PI * bits.share());
    let mut settings = TwoBoneSettings {
        bend,
        range: if bits.byte() < 128 { [0.0, PI] } else { [least.min(most), least.max(most)] },
        softness: if bits.byte() < 128 { 0.0 } else { bits.share() },
        max_stretch: if bits.byte() < 128 { 1.0 } else { 1.0 + bits.share() },
        lengths: (bits.byte() < 64).then(|| [2.0 * bits.share(), 2.0 * bits.share()]),
        effector: match bits.below(3) {
            0 => Effector::Follow,
            1 => Effector::Keep,
            _ => Effector::Set(V::rotation(bits, grip)),
        },
    };
    if wild {
        match bits.below(4) {
            0 => settings.range = [bits.any(), bits.any()],
            1 => settings.softness = bits.any(),
            2 => settings.max_stretch = bits.any(),
            _ => settings.lengths = Some([bits.any(), bits.any()]),
        }
    }
    settings
}

fn aims<V: Space>(bits: &mut Bits, wild: bool) -> AimSettings<V> {
    let forward = V::point(bits, wild);
    let roll = if bits.byte() < 128 {
        Roll::Least
    } else {
        Roll::Up { local: V::point(bits, wild), hint: V::point(bits, wild) }
    };
    let weight = if wild { bits.any() } else { bits.weight() };
    AimSettings { forward, roll, weight }
}

fn wild<V: Space>(bits: &mut Bits) {
    let mut problem = chains::wild::<V>(bits);
    let tame = bits.byte() < 128;
    if bits.byte() < 192 {
        problem.start.positions.truncate(3);
        problem.start.rotations.truncate(3);
    }
    let Problem { start, joints, target } = problem;
    let settings = two_bones::<V>(bits, !tame);
    let mut chain = start.clone();
    if let Some(solution) = attempt(&mut chain, |c| {
        two_bone_solve(&mut c.positions, &mut c.rotations, target, &settings)
    }) {
        assert!(chain.is_finite(), "{start:?} to {target:?}, {settings:?}: {chain:?}");
        assert!(solution.distance >= 0.0 && solution.distance.is_finite(), "{solution:?}");
    }
    let settings = aims::<V>(bits, !tame);
    let is_sound = |aimed: Aimed| (0.0..3.2).contains(&aimed.angle);
    let mut chain = start.clone();
    if let Some(aimed) = attempt(&mut chain, |c| {
        aim_chain(&mut c.positions, &mut c.rotations, &joints, target, &settings)
    }) {
        assert!(chain.is_finite(), "{start:?} to {target:?}, {joints:?}, {settings:?}: {chain:?}");
        assert!(is_sound(aimed));
    }
    let (position, joint) = (V::point(bits, !tame), V::Spec::draw(bits, !tame).joint());
    if let Some(&(mut rotation)) = start.rotations.first() {
        let before = rotation;
        if let Some(aimed) = attempt(&mut rotation, |r| aim(position, r, &joint, target, &settings))
        {
            assert!(
                rotation.norm_squared().is_finite() && is_sound(aimed),
                "{position:?} {before:?} to {target:?}, {joint:?}, {settings:?}: {rotation:?}"
            );
        }
    }
}

/// From root to effector of bones of these lengths, bent by an angle.
fn base_at([a, b]: [f64; 2], bend: f32) -> f64 {
    (a * a + b * b + 2.0 * a * b * f64::from(bend).cos()).max(0.0).sqrt()
}

/// How far the effector goes, and by what the bones are stretched.
fn reached<V: Space>(lengths: [f64; 2], distance: f64, settings: &Settings<V>) -> (f64, f64) {
    let [longest, shortest] = settings.range.map(|bend| base_at(lengths, bend));
    let wanted = distance.max(shortest);
    let soft = f64::from(settings.softness) * longest;
    let knee = longest - soft;
    let eased = if wanted <= knee || soft <= 0.0 {
        wanted.min(longest)
    } else {
        longest - soft * ((knee - wanted) / soft).exp()
    };
    let base = eased.max(shortest);
    let stretch = if distance > base && base > 0.0 {
        (distance / base).min(settings.max_stretch.into())
    } else {
        1.0
    };
    (base, stretch)
}

fn limb<V: Space>(bits: &mut Bits) {
    let start = chains::pose::<V>(bits, 3);
    let settings = two_bones::<V>(bits, false);
    let target = V::point(bits, false) * 2.0;
    let bent = Bent::new(start, target, settings);
    let (base, stretch) = reached::<V>(bent.lengths, bent.distance, &settings);
    let slack = 2e-6 * bent.whole() * stretch + bent.grain;
    if base <= slack && settings.max_stretch > 1.0 {
        return; // Rounding decides whether folded bones are of one length, and stretch is in vain.
    }
    bent.makes_the_triangle((base, stretch), slack);
    bent.is_reported(slack);
    followed(&bent.start, &bent.chain, bent.grain);
    bent.effector_follows();
    bent.bends_to_its_side();
    if settings.lengths.is_some() || stretch == 1.0 {
        bent.stays(slack);
    }
}

/// A limb that was bent, and what has come of it.
struct Bent<V: Space> {
    start: Chain<V>,
    target: V,
    settings: Settings<V>,
    chain: Chain<V>,
    solution: Solution,
    root: DVec3,
    middle: DVec3,
    tip: DVec3,
    /// How long the bones were.
    measured: [f64; 2],
    /// How long they shall be, unstretched.
    lengths: [f64; 2],
    /// What rounding may do to a distance.
    grain: f64,
    to_target: DVec3,
    distance: f64,
}

fn solve<V: Space>(from: &Chain<V>, target: V, settings: &Settings<V>) -> (Chain<V>, Solution) {
    let mut chain = from.clone();
    let solution = two_bone_solve(&mut chain.positions, &mut chain.rotations, target, settings);
    (chain, solution.expect("sound numbers"))
}

impl<V: Space> Bent<V> {
    fn new(start: Chain<V>, target: V, settings: Settings<V>) -> Self {
        let (chain, solution) = solve(&start, target, &settings);
        assert_eq!(chain.positions[0], start.positions[0], "the root moved");
        let [root, middle, tip] = [0, 1, 2].map(|i| chain.positions[i].double());
        let [_, old_middle, old_tip] = [0, 1, 2].map(|i| start.positions[i].double());
        let measured = [old_middle.distance(root), old_tip.distance(old_middle)];
        let lengths = settings.lengths.map_or(measured, |lengths| lengths.map(f64::from));
        let size = start.size().max(target.largest()).max(chain.size());
        let grain = 8.0 * f64::from(f32::EPSILON * size);
        let to_target = target.double() - root;
        let distance = to_target.length();
        Self {
            start,
            target,
            settings,
            chain,
            solution,
            root,
            middle,
            tip,
            measured,
            lengths,
            grain,
            to_target,
            distance,
        }
    }

    fn whole(&self) -> f64 {
        self.lengths[0] + self.lengths[1]
    }

    fn why(&self) -> String {
        let Self { start, target, settings, chain, solution, .. } = self;
        format!("{start:?} to {target:?}, {settings:?}: {chain:?}, {solution:?}")
    }

    /// The effector is where the triangle's base ends, and the bones have their lengths.
    fn makes_the_triangle(&self, (base, stretch): (f64, f64), slack: f64) {
        let Self { root, middle, tip, grain, .. } = *self;
        let wanted = base * stretch;
        let is_there = (tip.distance(root) - wanted).abs() <= slack;
        assert!(is_there, "not at {wanted}: {}", self.why());
        if self.distance > 0.0 {
            let miss = tip.distance(root + self.to_target * (wanted / self.distance));
            assert!(miss <= slack, "{miss} off the line: {}", self.why());
        }
        // Folded bones are stretched by what is left of their lengths' difference, which are
        // rounded.
        let blur = if stretch > 1.0 { grain / base } else { 0.0 };
        let bones = [middle.distance(root), tip.distance(middle)];
        for (is, was) in bones.into_iter().zip(self.lengths) {
            let is_kept = (is - was * stretch).abs() <= slack + was * stretch * blur;
            assert!(is_kept, "{was} became {is}: {}", self.why());
        }
    }

    fn is_reported(&self, slack: f64) {
        let Self { grain, distance, lengths, solution, .. } = *self;
        let whole = self.whole();
        let gap_left = self.tip.distance(self.target.double());
        let is_known = (f64::from(solution.distance) - gap_left).abs() <= grain;
        assert!(is_known, "{gap_left}: {}", self.why());
        let is_honest = match solution.status {
            Status::Reached => gap_left <= 1.1e-5 * whole + grain,
            Status::Unreachable => {
                distance > whole * f64::from(self.settings.max_stretch) - slack
                    || distance < (lengths[0] - lengths[1]).abs() + slack
            }
            _ => gap_left > 0.9e-5 * whole,
        };
        assert!(is_honest, "{}", self.why());
    }

    fn effector_follows(&self) {
        let Self { start, chain, .. } = self;
        match self.settings.effector {
            Effector::Keep => assert_same_bits(&chain.rotations[2], &start.rotations[2], &"kept"),
            Effector::Set(rotation) => assert_same_bits(&chain.rotations[2], &rotation, &"set"),
            Effector::Follow => {
                let held = |c: &Chain<V>| {
                    V::double_turn(c.rotations[1]).conjugate() * V::double_turn(c.rotations[2])
                };
                let slipped = gap(held(start), held(chain));
                let is_held = slipped < 2e-6 || self.measured[1] <= self.grain;
                assert!(is_held, "slipped by {slipped}: {}", self.why());
            }
        }
    }

    /// To the side that was asked for, as far as rounding can tell.
    fn bends_to_its_side(&self) {
        let Self { root, middle, grain, to_target, distance, .. } = *self;
        let knee = middle - root;
        let out = knee - to_target * (knee.dot(to_target) / (distance * distance));
        if distance > 1e-3
            && out.length() > 1e-2 * self.whole() + 100.0 * grain
            && let Some(wanted) =
                V::side(&self.settings.bend, self.chain.positions[0], to_target / distance)
        {
            let off = angle_between(out.normalize(), wanted);
            let most = 1e-4 + 10.0 * grain / out.length();
            assert!(off <= most, "{off} rad off the pole: {}", self.why());
        }
    }

    /// Fed back it stays, but for the plane of a limb next to straight or folded, and for one whose
    /// hinge is not across its bones.
    fn stays(&self, slack: f64) {
        let Self { chain, root, middle, tip, grain, .. } = self;
        let (again, _) = solve(chain, self.target, &self.settings);
        let moved = again.positions[2].distance(chain.positions[2]);
        assert!(f64::from(moved) <= 2.0 * slack, "moved by {moved}: {}", self.why());
        let (upper, lower) = (*middle - *root, *tip - *middle);
        let bent = upper.cross(lower).length() > 1e-2 * upper.length() * lower.length();
        let known = upper.length().min(lower.length()) > 1e4 * grain;
        if bent && known && !V::has_axis(&self.settings.bend) {
            let moved = f64::from(again.positions[1].distance(chain.positions[1]));
            let most = 1e-4 * self.whole() + 10.0 * grain;
            assert!(moved <= most, "bent by {moved}: {}", self.why());
        }
    }
}

/// Each joint has turned as its bone has.
fn followed<V: Space>(before: &Chain<V>, after: &Chain<V>, grain: f64) {
    for i in 1..before.positions.len() {
        let [old, new] =
            [before, after].map(|c| c.positions[i].double() - c.positions[i - 1].double());
        // The bone's direction is known to its rounding.
        let shortest = old.length().min(new.length());
        if shortest <= 400.0 * grain {
            continue;
        }
        let blur = 4.0 * grain / shortest;
        let turn: DQuat = V::double_turn(after.rotations[i - 1])
            * V::double_turn(before.rotations[i - 1]).conjugate();
        let off = angle_between((turn * old).normalize(), new.normalize());
        assert!(off <= 1e-5 + blur, "bone {i} is {off} rad off: {before:?} became {after:?}");
    }
}

fn has_direction<V: Space>(settings: &AimSettings<V>) -> bool {
    let up = match settings.roll {
        Roll::Least => true,
        Roll::Up { local, hint } => local != V::ZERO && hint != V::ZERO,
    };
    up && settings.forward != V::ZERO
}

/// The angle that is left, which the report must know.
fn left<V: Space>(aimed: Aimed, tip: (V, V::Rotation), target: V, forward: V) -> f64 {
    let way = target.double() - tip.0.double();
    let left = if way == DVec3::ZERO {
        0.0
    } else {
        angle_between((V::double_turn(tip.1) * forward.double()).normalize(), way.normalize())
    };
    let grain = f64::from(f32::EPSILON * tip.0.largest().max(target.largest()));
    let blur = 2e-6 + if way == DVec3::ZERO { 0.0 } else { 2.0 * grain / way.length() };
    assert!((f64::from(aimed.angle) - left).abs() <= blur, "{aimed:?}, but {left} rad are left");
    assert_eq!(aimed.status == Status::Reached, aimed.angle <= 1e-5);
    left
}

fn gaze<V: Space>(bits: &mut Bits) {
    let spec = V::Spec::draw(bits, false);
    let (joint, settings) = (spec.joint(), aims::<V>(bits, false));
    let (position, target, start) =
        (V::point(bits, false), V::point(bits, false), V::rotation(bits, false));
    let mut rotation = start;
    let Some(aimed) = attempt(&mut rotation, |r| aim(position, r, &joint, target, &settings))
    else {
        return assert!(!has_direction(&settings));
    };
    let angle = left(aimed, (position, rotation), target, settings.forward);
    let excess = spec.excess_under(V::Rotation::IDENTITY, rotation);
    assert!(excess < 1e-5, "{excess} rad outside {spec:?}");
    if settings.weight < 1.0 || spec.weight() < 1.0 || target == position {
        return;
    }
    // Nothing that a hinge or a cone allows points nearer.
    if spec.is_regular() {
        let way = (target.double() - position.double()).normalize();
        let forward = settings.forward.double().normalize();
        for _ in 0..4 {
            let other = spec.clamped(V::rotation(bits, false));
            let other_angle = angle_between(V::double_turn(other) * forward, way);
            assert!(
                angle <= other_angle + 1e-5,
                "{start:?} at {position:?} to {target:?}, {settings:?}, {spec:?}: {rotation:?} \
                 leaves {angle}, but {other:?} leaves {other_angle}"
            );
        }
    }
    let before = rotation;
    let again = aim(position, &mut rotation, &joint, target, &settings).expect("as before");
    assert!(again.angle <= aimed.angle + 1e-5, "{aimed:?}, then {again:?}");
    if settings.roll == Roll::Least && aimed.status == Status::Reached && spec.is_regular() {
        let moved = gap(V::double_turn(before), V::double_turn(rotation));
        assert!(moved < 2e-5, "turned by {moved} when it was there: {spec:?}");
    }
}

fn neck<V: Space>(bits: &mut Bits) {
    let count = 1 + bits.below(8);
    let start = chains::pose::<V>(bits, count);
    let specs = chains::limits::<V>(bits, count);
    let joints: Vec<_> = specs.iter().map(Spec::joint).collect();
    let (settings, target) = (aims::<V>(bits, false), V::point(bits, false) * 2.0);
    let mut chain = start.clone();
    let run = |c: &mut Chain<V>| {
        aim_chain(&mut c.positions, &mut c.rotations, &joints, target, &settings)
    };
    let Some(aimed) = attempt(&mut chain, run) else {
        return assert!(!has_direction(&settings));
    };
    let why = || format!("{start:?} to {target:?}, {specs:?}, {settings:?}: {chain:?}, {aimed:?}");
    assert_eq!(chain.positions[0], start.positions[0], "the root moved");
    let grain = 8.0 * f32::EPSILON * start.size().max(target.largest()) * count as f32;
    chain.assert_lengths(&start, 1e-5, grain);
    chains::assert_limits(&chain, &specs);
    let tip = (chain.positions[count - 1], chain.rotations[count - 1]);
    let angle = left(aimed, tip, target, settings.forward);
    assert!(aimed.iterations <= 16);

    if settings.weight < 1.0 {
        return;
    }
    // Of a free chain the target is in sight, where it is not among the joints.
    let away = f64::from(target.distance(chain.positions[0]) - start.reach());
    if specs.is_empty() && away > 0.5 * f64::from(start.reach()) && away > 1e-3 {
        assert!(angle <= 1e-5 + 2.0 * f64::from(grain) / away, "{}", why());
    }
    let mut fed_back = chain.clone();
    let again = run(&mut fed_back).expect("as before");
    // At the last joint a target has no direction, and all are as good.
    let near = target.distance(tip.0).min(target.distance(fed_back.positions[count - 1]));
    if near > 1e-3 * start.size() {
        // Closer by, what rounding does to the last joint's position turns the way to the target.
        let blur = 2.0 * grain / near;
        assert!(again.angle <= aimed.angle + 1e-5 + blur, "then {again:?}: {}", why());
    }
}

/// Joints of no weight keep their rotation relative to their parents.
fn weights(bits: &mut Bits) {
    let count = 1 + bits.below(8);
    let start = chains::pose::<Vec3>(bits, count);
    let joints: Vec<_> = (0..count)
        .map(|_| Joint3::free().with_weight(if bits.byte() < 96 { 0.0 } else { bits.share() }))
        .collect();
    let (settings, target) = (aims::<Vec3>(bits, false), bits.vec3() * 2.0);
    let mut chain = start.clone();
    let run = |c: &mut Chain<Vec3>| {
        aim_chain(&mut c.positions, &mut c.rotations, &joints, target, &settings)
    };
    if attempt(&mut chain, run).is_none() {
        return;
    }
    let local = |c: &Chain<Vec3>, i: usize| {
        let parent = if i > 0 { c.rotations[i - 1].as_dquat() } else { DQuat::IDENTITY };
        (parent.conjugate() * c.rotations[i].as_dquat()).normalize()
    };
    for (i, joint) in joints.iter().enumerate() {
        let turned = gap(local(&start, i), local(&chain, i));
        assert!(joint.weight() > 0.0 || turned < 3e-6, "joint {i} turned by {turned}: {start:?}");
    }
}

/// The part of the joints' offsets across the line from root to effector, and the pole's.
fn across(chain: &Chain<Vec3>, pole: Pole) -> Option<[DVec3; 2]> {
    let at = |i: usize| chain.positions[i].as_dvec3();
    let (root, line) = (at(0), (at(chain.positions.len() - 1) - at(0)).try_normalize()?);
    let across = |v: DVec3| v - line * v.dot(line);
    let pole = match pole {
        Pole::Keep => return None,
        Pole::Point(point) => point.as_dvec3() - root,
        Pole::Direction(direction) => direction.as_dvec3(),
    };
    let bend = (0..chain.positions.len()).map(|i| across(at(i) - root)).sum();
    Some([bend, across(pole.try_normalize()?)])
}

fn pole(bits: &mut Bits) {
    let wild = bits.byte() < 64;
    let pole = bits.pole(wild);
    let weight = if wild { bits.any() } else { bits.weight() };
    let (problem, specs): (_, Vec<Spec3>) =
        if wild { (chains::wild::<Vec3>(bits), Vec::new()) } else { chains::sound::<Vec3>(bits) };
    let Problem { start, joints, .. } = problem;
    let run =
        |c: &mut Chain<Vec3>| align_pole(&mut c.positions, &mut c.rotations, &joints, pole, weight);
    let mut chain = start.clone();
    let Some(aimed) = attempt(&mut chain, run) else {
        return assert!(wild);
    };
    let why = || format!("{start:?}, {pole:?} by {weight}, {joints:?}: {chain:?}, {aimed:?}");
    assert!(chain.is_finite() && (0.0..3.2).contains(&aimed.angle), "{}", why());
    if wild {
        return;
    }
    let last = chain.positions.len() - 1;
    assert_eq!(chain.positions[0], start.positions[0], "the root moved");
    assert_same_bits(&chain.positions[last], &start.positions[last], &"the effector moved");
    let grain = 8.0 * f32::EPSILON * start.size() * (last + 1) as f32;
    chain.assert_lengths(&start, 1e-5, grain);
    for i in 1..=last {
        let [old, new] = [&start, &chain]
            .map(|c| c.rotations[i - 1].as_dquat().conjugate() * c.rotations[i].as_dquat());
        assert!(gap(old.normalize(), new.normalize()) < 3e-6, "joint {i} slipped: {}", why());
    }
    let excess = |rotation: Quat| specs.first().map_or(0.0, |s| s.excess(rotation.as_dquat()));
    let (was, is) = (excess(start.rotations[0]), excess(chain.rotations[0]));
    assert!(is <= was.max(1e-5) + 1e-6, "{is} rad outside: {}", why());

    // Well bent, and the pole well off the line, the angles are known.
    let (Some([bend, _]), Some([now, aside])) = (across(&start, pole), across(&chain, pole)) else {
        return;
    };
    let reach = f64::from(start.reach());
    if bend.length() > 0.5 * reach && aside.length() > 0.1 && reach > 1e3 * f64::from(grain) {
        let angle = angle_between(now.normalize(), aside.normalize());
        let span = start.positions[last].distance(start.positions[0]);
        let blur = 1e-5 + 20.0 * f64::from(grain / span);
        assert!((angle - f64::from(aimed.angle)).abs() <= blur, "{angle} left: {}", why());
        if specs.is_empty() && weight >= 1.0 {
            assert!(angle <= blur, "{angle} left: {}", why());
        }
        let again = run(&mut chain.clone()).expect("as before");
        assert!(f64::from(again.angle) <= angle + blur, "then {again:?}: {}", why());
    }
}
