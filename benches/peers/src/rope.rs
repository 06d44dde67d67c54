//! A rope that falls from level and swings: time a step, and how far it stretches.

use std::fmt;

use anyhow::Result;
use sinew::glam::Vec3;
use sinew::{
    DistanceConstraint, Relaxation, Verlet, chain_constraints, distance_constraints, verlet_step,
};

use crate::bench::{Bench, Entry};
use crate::measure::Runner;
use crate::table::Unit;

const LINKS: u16 = 32;
const LINK: f32 = 0.1;
const GRAVITY: f32 = 9.81;
const DT: f32 = 1.0 / 60.0;
/// What is judged, and how much of it is a lap.
const STEPS: u16 = 300;
const LAP: u16 = 60;

pub fn run(bench: &mut Bench) -> Result<()> {
    let chain = format!("rope of {LINKS}, chain constraints, a step");
    bench.race(&chain, Unit::Microseconds, chained()?, rivals())?;
    let rods = format!("rope of {LINKS}, distance constraints, a step");
    bench.race(&rods, Unit::Microseconds, relaxed()?, rivals())?;
    Ok(())
}

fn start() -> Vec<Vec3> {
    (0..=LINKS).map(|i| Vec3::X * (LINK * f32::from(i))).collect()
}

/// The worst of every step of a run.
struct Stretch {
    /// Of a link, over its length.
    link: f64,
    /// Of the whole rope, over its length.
    rope: f64,
}

impl Stretch {
    /// Watches a rope while it is stepped; links may go slack, but not longer.
    fn watch(mut step: impl FnMut() -> Result<Vec<Vec3>>) -> Result<Self> {
        let mut worst = Self { link: 0.0, rope: 0.0 };
        for _ in 0..STEPS {
            let rope = step()?;
            let lengths = rope.windows(2).map(|ends| f64::from(ends[0].distance(ends[1])));
            let longest = lengths.clone().fold(0.0, f64::max);
            let whole: f64 = lengths.sum();
            worst.link = worst.link.max(longest / f64::from(LINK) - 1.0);
            worst.rope = worst.rope.max(whole / f64::from(LINK * f32::from(LINKS)) - 1.0);
        }
        Ok(worst)
    }
}

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link +{:.0e}, rope +{:.0e}", self.link, self.rope)
    }
}

/// Positions now and a step before.
type Particles = (Vec<Vec3>, Vec<Vec3>);

/// An entry that steps particles: moved by Verlet's rule, then brought to their lengths.
fn particles<'a>(
    mut constrain: impl FnMut(&mut [Vec3], &mut [Vec3]) -> Result<(), sinew::Error> + 'a,
) -> Result<Entry<'a>> {
    let mut pinned = vec![1.0; usize::from(LINKS) + 1];
    pinned[0] = 0.0;
    let mut step = move |(positions, previous): &mut Particles| {
        let settings = Verlet {
            acceleration: Vec3::NEG_Y * GRAVITY,
            inverse_masses: &pinned,
            ..Verlet::default()
        };
        let _ = verlet_step(positions, previous, &settings, DT)?;
        constrain(positions, previous)
    };
    let mut rope = (start(), start());
    let stretch = Stretch::watch(|| {
        step(&mut rope)?;
        Ok(rope.0.clone())
    })?;
    let reset = |(positions, previous): &mut Particles| {
        positions.copy_from_slice(&start());
        previous.copy_from_slice(&start());
    };
    let runner = Runner::new(f64::from(LAP), rope, reset, move |rope| {
        for _ in 0..LAP {
            // It has gone well once.
            let _ = step(rope);
        }
    });
    Ok(Entry::new("sinew", &stretch, runner))
}

fn chained() -> Result<Entry<'static>> {
    let lengths = [LINK; LINKS as usize];
    particles(move |positions, previous| {
        chain_constraints(positions, previous, &lengths, 0.95).map(|_| ())
    })
}

fn relaxed() -> Result<Entry<'static>> {
    let rods: Vec<_> = (1..=LINKS.into())
        .map(|i| DistanceConstraint {
            particles: [i - 1, i],
            rest: LINK,
            ..DistanceConstraint::default()
        })
        .collect();
    let mut pinned = vec![1.0; usize::from(LINKS) + 1];
    pinned[0] = 0.0;
    particles(move |positions, _| {
        let settings = Relaxation { inverse_masses: &pinned, iterations: 8, dt: DT };
        distance_constraints(positions, &rods, &mut [], &settings).map(|_| ())
    })
}

#[cfg(not(feature = "rapier"))]
fn rivals<'a>() -> Vec<Entry<'a>> {
    Vec::new()
}

#[cfg(feature = "rapier")]
fn rivals<'a>() -> Vec<Entry<'a>> {
    vec![
        rapier::entry("rope joints", rapier::roped),
        rapier::entry("spherical joints", rapier::jointed),
        rapier::entry("multibody", rapier::reduced),
    ]
}

#[cfg(feature = "rapier")]
mod rapier {
    use rapier3d::prelude::*;
    use sinew::glam;

    use super::{DT, GRAVITY, LAP, LINK, LINKS, Stretch};
    use crate::bench::{Entry, locked};
    use crate::measure::Runner;

    pub struct Rope {
        world: PhysicsWorld,
        /// The bodies, the first of them fixed, and where on each the rope's next point is.
        links: Vec<(RigidBodyHandle, Vector)>,
    }

    /// Bodies that hang on the one before by a joint, one after the other, with nothing to bump
    /// into.
    fn rope(
        body: MassProperties,
        (before, after): (f32, f32),
        mut hang: impl FnMut(&mut PhysicsWorld, [(RigidBodyHandle, Vector); 2]),
    ) -> Rope {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::Y * -GRAVITY;
        world.integration_parameters.dt = DT;
        let mut last = (world.insert_body(RigidBodyBuilder::fixed()), Vector::ZERO);
        let mut links = vec![last];
        for i in 0..LINKS {
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::X * (LINK * f32::from(i) + before))
                .additional_mass_properties(body)
                .can_sleep(false);
            let next = world.insert_body(body);
            hang(&mut world, [last, (next, Vector::X * -before)]);
            last = (next, Vector::X * after);
            links.push(last);
        }
        Rope { world, links }
    }

    const RADIUS: f32 = 0.1 * LINK;
    const DENSITY: f32 = 1000.0;

    /// Balls, each at most a link from the one before.
    pub fn roped() -> Rope {
        rope(MassProperties::from_ball(DENSITY, RADIUS), (LINK, 0.0), |world, [(a, _), (b, _)]| {
            world.insert_impulse_joint(a, b, RopeJointBuilder::new(LINK));
        })
    }

    fn capsule() -> MassProperties {
        let end = Vector::X * (0.5 * LINK);
        MassProperties::from_capsule(DENSITY, -end, end, RADIUS)
    }

    fn socket([(_, a), (_, b)]: [(RigidBodyHandle, Vector); 2]) -> SphericalJointBuilder {
        SphericalJointBuilder::new().local_anchor1(a).local_anchor2(b)
    }

    /// Capsules, end to end.
    pub fn jointed() -> Rope {
        rope(capsule(), (0.5 * LINK, 0.5 * LINK), |world, ends| {
            world.insert_impulse_joint(ends[0].0, ends[1].0, socket(ends));
        })
    }

    /// The same in reduced coordinates.
    pub fn reduced() -> Rope {
        rope(capsule(), (0.5 * LINK, 0.5 * LINK), |world, ends| {
            world.insert_multibody_joint(ends[0].0, ends[1].0, socket(ends));
        })
    }

    pub fn entry<'a>(joints: &str, build: fn() -> Rope) -> Entry<'a> {
        let mut rope = build();
        let stretch = Stretch::watch(|| {
            rope.world.step();
            let place = |(body, point): &(RigidBodyHandle, Vector)| {
                let p = *rope.world.bodies[*body].position() * *point;
                glam::Vec3::new(p.x, p.y, p.z)
            };
            Ok(rope.links.iter().map(place).collect())
        });
        let quality = stretch.map_or_else(|why| why.to_string(), |stretch| stretch.to_string());
        let reset = move |rope: &mut Rope| *rope = build();
        let runner = Runner::new(f64::from(LAP), rope, reset, |rope| {
            for _ in 0..LAP {
                rope.world.step();
            }
        });
        Entry::new(format!("{}, {joints}", locked("rapier3d")), &quality, runner)
    }
}
