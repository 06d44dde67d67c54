//! Particles, what holds them together and what they bump into, with any numbers: an error that
//! leaves the slices as they were, or finite positions. With sound numbers: chains keep their
//! lengths, and nothing is left inside a collider.
#![no_main]
#![allow(missing_docs)]

use libfuzzer_sys::fuzz_target;
use sinew::glam::Vec3;
use sinew::{
    BendConstraint, Capsule, Collider, Contact, DistanceConstraint, Error, Hold, OrientedBox,
    Plane, Relaxation, Sphere, Verlet, bend_constraints, box_collide, capsule_collide,
    capsule_collide_bones, chain_constraints, chain_residual, distance_constraints, plane_collide,
    sphere_collide, sphere_collide_bones, verlet_step,
};
use sinew_fuzz::bits::Bits;

fuzz_target!(|bytes: &[u8]| {
    let mut bits = Bits::new(bytes);
    if bits.byte() < 128 { wild(&mut bits) } else { sound(&mut bits) }
});

/// Particles and all that may be said of them.
#[derive(Clone)]
struct Cloud {
    positions: Vec<Vec3>,
    previous: Vec<Vec3>,
    lambdas: Vec<f32>,
}

impl Cloud {
    fn bits(&self) -> Vec<u32> {
        let points = self.positions.iter().chain(&self.previous).flat_map(|p| p.to_array());
        points.chain(self.lambdas.iter().copied()).map(f32::to_bits).collect()
    }

    /// Runs a call; what is an error has changed nothing, and what is not is finite.
    fn hold<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Error>) -> Option<T> {
        let before = self.bits();
        match call(self) {
            Ok(report) => {
                assert!(self.positions.iter().all(|p| p.is_finite()), "{:?}", self.positions);
                Some(report)
            }
            Err(error) => {
                assert_eq!(self.bits(), before, "{error}");
                None
            }
        }
    }
}

fn wild(bits: &mut Bits) {
    let count = bits.below(6);
    let some = |bits: &mut Bits| {
        let count = if bits.byte() == 0 { count + 1 } else { count };
        (0..count).map(|_| bits.any_vec3()).collect::<Vec<_>>()
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
            acceleration: bits.any_vec3(),
            accelerations: &[],
            inverse_masses: &masses,
            drag: bits.any(),
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
        let (shape, lengths, inertia) = (any_collider(bits), vec![bits.any(); links], bits.any());
        cloud.hold(|c| verlet_step(&mut c.positions, &mut c.previous, &verlet, dt));
        cloud.hold(|c| distance_constraints(&mut c.positions, &rods, &mut c.lambdas, &relaxation));
        cloud.hold(|c| bend_constraints(&mut c.positions, &bends, &mut c.lambdas, &relaxation));
        cloud.hold(|c| chain_constraints(&mut c.positions, &mut c.previous, &lengths, inertia));
        cloud.hold(|c| collide(&shape, &mut c.positions, &c.previous, &contact));
    }
}

fn any_collider(bits: &mut Bits) -> Collider<Vec3> {
    let inside = bits.byte() < 128;
    match bits.below(4) {
        0 => Sphere { center: bits.any_vec3(), radius: bits.any(), inside }.into(),
        1 => {
            let (start, end) = (bits.any_vec3(), bits.any_vec3());
            Capsule { start, end, radius: bits.any(), inside }.into()
        }
        2 => Plane::new(bits.any_vec3(), bits.any_vec3()).into(),
        _ => {
            OrientedBox::new(bits.any_vec3(), bits.any_vec3()).with_rotation(bits.any_quat()).into()
        }
    }
}

fn collide(
    shape: &Collider<Vec3>,
    positions: &mut [Vec3],
    previous: &[Vec3],
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

fn sound(bits: &mut Bits) {
    let count = 2 + bits.below(12);
    let mut positions: Vec<Vec3> = (0..count).map(|_| bits.vec3()).collect();
    let mut previous: Vec<Vec3> = (0..count).map(|_| bits.vec3()).collect();
    let lengths: Vec<f32> = (1..count).map(|_| bits.share()).collect();
    let fall = Verlet { acceleration: bits.vec3(), drag: bits.share(), ..Verlet::default() };
    let (center, end, radius, q) = (bits.vec3(), bits.vec3(), bits.share(), bits.quat());
    let contact = Contact { radius: bits.share(), ..Contact::default() };
    for _ in 0..8 {
        let dt = 0.1 * bits.share();
        let _ = verlet_step(&mut positions, &mut previous, &fall, dt).expect("sound numbers");
        let _ = chain_constraints(&mut positions, &mut previous, &lengths, bits.share())
            .expect("sound numbers");
        let size = positions.iter().map(|p| p.abs().max_element()).fold(1.0, f32::max);
        let residual = chain_residual(&positions, &lengths).expect("sound numbers");
        assert!(residual.largest <= 4.0 * f32::EPSILON * size, "{residual:?}");
        for shape in [
            Collider::from(Sphere { center, radius, inside: bits.byte() < 64 }),
            Capsule { start: center, end, radius, inside: bits.byte() < 64 }.into(),
            OrientedBox::new(center, end.abs()).with_rotation(q).into(),
            Plane::new(end, q * Vec3::Y).into(),
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
            for p in out {
                let depth = shape.depth(p, contact.radius);
                assert!(
                    depth <= left + 16.0 * f32::EPSILON * size.max(8.0),
                    "{depth} in {shape:?}"
                );
            }
        }
    }
}
