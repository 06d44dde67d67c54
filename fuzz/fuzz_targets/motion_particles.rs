//! Particles, what holds them together and what they bump into, with any numbers: an error that
//! leaves the slices as they were, or finite positions. With sound numbers: chains keep their
//! lengths, a rod or a bend that is alone holds and keeps the momentum, and nothing is left inside
//! a collider, which is as deep wherever it is placed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::glam::{Vec2, Vec3};
use sinew::{
    BendConstraint, Capsule, Collider, Contact, DistanceConstraint, Error, Hold, OrientedBox,
    Plane, Pose, Relaxation, Rotation, Sphere, Verlet, bend_constraints, box_collide,
    capsule_collide, capsule_collide_bones, chain_constraints, chain_residual,
    distance_constraints, drag_from_half_life, plane_collide, sphere_collide, sphere_collide_bones,
    verlet_step,
};
use sinew_fuzz::bits::Bits;
use sinew_fuzz::oracle::attempt;
use sinew_fuzz::space::Space;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    let plane = bits.byte() < 96;
    match bits.below(5) {
        0 | 1 if plane => wild::<Vec2>(&mut bits),
        0 | 1 => wild::<Vec3>(&mut bits),
        2 | 3 if plane => sound::<Vec2>(&mut bits),
        2 | 3 => sound::<Vec3>(&mut bits),
        _ if plane => alone::<Vec2>(&mut bits),
        _ => alone::<Vec3>(&mut bits),
    }
});

/// Particles and all that may be said of them.
#[derive(Clone, Debug)]
struct Cloud<V> {
    positions: Vec<V>,
    previous: Vec<V>,
    lambdas: Vec<f32>,
}

impl<V: Space> Cloud<V> {
    /// Runs a call; what is an error has changed nothing, and what is not is finite.
    fn hold<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Error>) {
        if attempt(self, call).is_some() {
            let finite = self.positions.iter().all(|p| p.largest().is_finite());
            assert!(finite, "{:?}", self.positions);
        }
    }
}

fn wild<V: Space>(bits: &mut Bits) {
    let count = bits.below(6);
    let some = |bits: &mut Bits| {
        let count = if bits.byte() == 0 { count + 1 } else { count };
        (0..count).map(|_| V::point(bits, true)).collect::<Vec<_>>()
    };
    let (positions, previous) = (some(bits), some(bits));
    let masses: Vec<f32> =
        if bits.byte() < 128 { Vec::new() } else { (0..count).map(|_| bits.any()).collect() };
    let links = bits.below(6);
    let lambdas =
        if bits.byte() < 64 { Vec::new() } else { (0..links).map(|_| bits.any()).collect() };
    let mut cloud = Cloud { positions, previous, lambdas };
    let hold = |bits: &mut Bits| if bits.byte() < 128 { Hold::Exactly } else { Hold::AtMost };
    let rods: Vec<_> = (0..links)
        .map(|_| DistanceConstraint {
            particles: [bits.below(7), bits.below(7)],
            rest: bits.any(),
            compliance: bits.any(),
            hold: hold(bits),
        })
        .collect();
    let bends: Vec<_> = (0..links)
        .map(|_| BendConstraint {
            particles: [bits.below(7), bits.below(7), bits.below(7)],
            rest: bits.any(),
            compliance: bits.any(),
            hold: hold(bits),
        })
        .collect();
    for _ in 0..4 {
        let dt = bits.any();
        let verlet = Verlet {
            acceleration: V::point(bits, true),
            accelerations: &[],
            inverse_masses: &masses,
            drag: if bits.byte() < 128 { bits.any() } else { drag_from_half_life(bits.any()) },
            previous_dt: (bits.byte() < 128).then(|| bits.any()),
            max_speed: bits.any(),
        };
        let relaxation = Relaxation { inverse_masses: &masses, iterations: 3, dt: bits.any() };
        let contact = Contact {
            radius: bits.any(),
            shell: bits.any(),
            friction: bits.any(),
            inverse_masses: &masses,
        };
        let (shape, lengths, inertia) =
            (any_collider::<V>(bits), vec![bits.any(); links], bits.any());
        cloud.hold(|c| verlet_step(&mut c.positions, &mut c.previous, &verlet, dt));
        cloud.hold(|c| distance_constraints(&mut c.positions, &rods, &mut c.lambdas, &relaxation));
        cloud.hold(|c| bend_constraints(&mut c.positions, &bends, &mut c.lambdas, &relaxation));
        cloud.hold(|c| chain_constraints(&mut c.positions, &mut c.previous, &lengths, inertia));
        cloud.hold(|c| collide(&shape, &mut c.positions, &c.previous, &contact));
    }
}

fn any_collider<V: Space>(bits: &mut Bits) -> Collider<V> {
    let inside = bits.byte() < 128;
    match bits.below(4) {
        0 => Sphere { center: V::point(bits, true), radius: bits.any(), inside }.into(),
        1 => {
            let (start, end) = (V::point(bits, true), V::point(bits, true));
            Capsule { start, end, radius: bits.any(), inside }.into()
        }
        2 => Plane::new(V::point(bits, true), V::point(bits, true)).into(),
        _ => OrientedBox::new(V::point(bits, true), V::point(bits, true))
            .with_rotation(V::rotation(bits, true))
            .into(),
    }
}

fn collide<V: Space>(
    shape: &Collider<V>,
    positions: &mut [V],
    previous: &[V],
    contact: &Contact<'_>,
) -> Result<(), Error> {
    let bones = positions.len().is_multiple_of(2);
    let _ = match shape {
        Collider::Sphere(s) if bones => sphere_collide_bones(positions, previous, s, contact)?,
        Collider::Sphere(s) => sphere_collide(positions, previous, s, contact)?,
        Collider::Capsule(c) if bones => capsule_collide_bones(positions, previous, c, contact)?,
        Collider::Capsule(c) => capsule_collide(positions, previous, c, contact)?,
        Collider::Plane(p) => plane_collide(positions, previous, p, contact)?,
        Collider::Box(b) => box_collide(positions, previous, b, contact)?,
        _ => return Ok(()),
    };
    Ok(())
}

fn sound<V: Space>(bits: &mut Bits) {
    let count = 2 + bits.below(12);
    let mut positions: Vec<V> = (0..count).map(|_| V::point(bits, false)).collect();
    let mut previous: Vec<V> = (0..count).map(|_| V::point(bits, false)).collect();
    let lengths: Vec<f32> = (1..count).map(|_| bits.share()).collect();
    let fall =
        Verlet { acceleration: V::point(bits, false), drag: bits.share(), ..Verlet::default() };
    let (center, end, radius, q) =
        (V::point(bits, false), V::point(bits, false), bits.share(), V::rotation(bits, false));
    let contact = Contact { radius: bits.share(), ..Contact::default() };
    for _ in 0..8 {
        let dt = 0.1 * bits.share();
        let _ = verlet_step(&mut positions, &mut previous, &fall, dt).expect("sound numbers");
        let _ = chain_constraints(&mut positions, &mut previous, &lengths, bits.share())
            .expect("sound numbers");
        let size = positions.iter().map(|p| p.largest()).fold(1.0, f32::max);
        let residual = chain_residual(&positions, &lengths).expect("sound numbers");
        assert!(residual.largest <= 4.0 * f32::EPSILON * size, "{residual:?}");
        for shape in [
            Collider::from(Sphere { center, radius, inside: bits.byte() < 64 }),
            Capsule { start: center, end, radius, inside: bits.byte() < 64 }.into(),
            OrientedBox::new(center, end.sizes()).with_rotation(q).into(),
            Plane::new(end, q.rotate(V::up())).into(),
        ] {
            let mut out = positions.clone();
            let _ = match &shape {
                Collider::Sphere(s) => sphere_collide(&mut out, &[], s, &contact),
                Collider::Capsule(s) => capsule_collide(&mut out, &[], s, &contact),
                Collider::Plane(s) => plane_collide(&mut out, &[], s, &contact),
                Collider::Box(s) => box_collide(&mut out, &[], s, &contact),
                _ => return,
            }
            .expect("sound numbers");
            // A particle too big for the inside of a shape is held at its core.
            let left = match shape {
                Collider::Sphere(Sphere { inside: true, .. })
                | Collider::Capsule(Capsule { inside: true, .. }) => {
                    (contact.radius - radius).max(0.0)
                }
                _ => 0.0,
            };
            let body = Pose::new(end, q);
            let placed = shape.placed(&body);
            for p in out {
                let elsewhere = end + q.rotate(p);
                let (here, there) = (shape.depth(p, radius), placed.depth(elsewhere, radius));
                let grain = 64.0 * f32::EPSILON * size.max(8.0);
                assert!(
                    (here - there).abs() <= grain,
                    "{here} of {shape:?}, {there} of {placed:?}"
                );
                let depth = shape.depth(p, contact.radius);
                assert!(
                    depth <= left + 16.0 * f32::EPSILON * size.max(8.0),
                    "{depth} in {shape:?}"
                );
            }
        }
    }
}

/// One rod, or one row, between particles of any masses.
fn alone<V: Space>(bits: &mut Bits) {
    let mut cloud: [V; 3] = core::array::from_fn(|_| V::point(bits, false));
    let masses: [f32; 3] =
        core::array::from_fn(|_| if bits.byte() < 64 { 0.0 } else { 0.1 + bits.share() });
    let before = cloud;
    let rest = 2.0 * bits.share();
    let relaxation = Relaxation { inverse_masses: &masses, iterations: 1, dt: 0.01 };
    let size = cloud.iter().map(|p| p.largest()).fold(rest, f32::max);
    let slack = 16.0 * f64::from(f32::EPSILON * size);
    let is_rod = bits.byte() < 128;
    let _ = if is_rod {
        let rod = DistanceConstraint { particles: [0, 1], rest, ..DistanceConstraint::default() };
        distance_constraints(&mut cloud, &[rod], &mut [], &relaxation).expect("sound numbers")
    } else {
        let row = BendConstraint { particles: [0, 1, 2], rest, ..BendConstraint::default() };
        bend_constraints(&mut cloud, &[row], &mut [], &relaxation).expect("sound numbers")
    };
    let [a, b, c] = cloud.map(Space::double);
    let [old_a, old_b, old_c] = before.map(Space::double);
    let (length, old, free) = if is_rod {
        (a.distance(b), old_a.distance(old_b), masses[0] + masses[1] > 0.0)
    } else {
        let half = 0.5;
        let old = old_b.distance((old_a + old_c) * half);
        (b.distance((a + c) * half), old, masses.iter().sum::<f32>() > 0.0)
    };
    // Particles in one place, or in line, have no direction to move in.
    if free && old > 100.0 * slack {
        assert!(
            (length - f64::from(rest)).abs() <= slack,
            "{length}, not {rest}: {before:?}, {masses:?}"
        );
    }
    for (i, mass) in masses.iter().enumerate() {
        assert!(*mass > 0.0 || cloud[i] == before[i], "a pinned particle moved");
    }
    let moving = if is_rod { 2 } else { 3 };
    if masses.iter().take(moving).all(|w| *w > 0.0) {
        let momentum = |points: &[V; 3]| {
            let weighted = points.iter().zip(&masses).take(moving);
            weighted.map(|(p, w)| p.double() / f64::from(*w)).sum::<glam::DVec3>()
        };
        let gained = momentum(&cloud).distance(momentum(&before));
        assert!(gained <= 40.0 * slack, "{gained} gained: {before:?}, {masses:?}");
    }

    // A row that is kept as it is stays.
    let mut still = before;
    let row = BendConstraint::between([0, 1, 2], still);
    let _ = bend_constraints(&mut still, &[row], &mut [], &relaxation).expect("sound numbers");
    for (is, was) in still.iter().zip(&before) {
        assert!(is.double().distance(was.double()) <= slack, "{before:?} became {still:?}");
    }
}
