//! Ten thousand characters, each with two arms, two legs and a tail, solved every frame on all
//! cores: eight to a group in lanes, and once more one by one.
//!
//! `cargo run --release --features lanes --example crowd`

#[path = "common/exit.rs"]
mod exit;
#[path = "common/options.rs"]
mod options;

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sinew::glam::{Quat, Vec3};
use sinew::lanes::{self, Each, LANES, Quatx8, Vec3x8};
use sinew::{
    CcdSettings, Error, Joint3, Solution, SpringBones, SpringJoint, SpringReport, SpringState,
    Status, ccd_solve, spring_bone_step,
};

/// Solves a crowd in lanes and one by one, and says how much of a 60 Hz frame that takes.
#[derive(Parser)]
struct Options {
    /// How many characters (1 to 1 000 000).
    #[arg(long, default_value_t = 10_000, value_parser = count(1..=1_000_000))]
    characters: usize,
    /// How many seconds of a 60 Hz animation each way (0 to 3600).
    #[arg(long, default_value_t = 5.0, value_parser = options::seconds(0.0..=3600.0))]
    seconds: f32,
    /// How many threads (0 to 1024); 0 for one on each core.
    #[arg(long, default_value_t = 0, value_parser = count(0..=1024))]
    threads: usize,
}

fn count(range: RangeInclusive<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(range)
}

const DT: f32 = 1.0 / 60.0;
const LIMBS: usize = 4;
const TAIL: usize = 6;

/// Where a limb is fixed to the body, and which way it hangs.
const SOCKETS: [(Vec3, f32); LIMBS] = [
    (Vec3::new(-0.2, 1.4, 0.0), 0.3),
    (Vec3::new(0.2, 1.4, 0.0), 0.3),
    (Vec3::new(-0.1, 0.9, 0.0), 0.45),
    (Vec3::new(0.1, 0.9, 0.0), 0.45),
];

/// A ball joint at the body and a hinge in the middle: one shape for arms and legs.
fn joints() -> [Joint3; 2] {
    [Joint3::cone(Vec3::NEG_Y, 2.0).with_twist(-1.0, 1.0), Joint3::hinge(Vec3::X, -2.6, 0.0)]
}

const SETTINGS: CcdSettings = CcdSettings {
    max_iterations: 16,
    tolerance: 1e-3,
    order: sinew::Order::TipFirst,
    max_turn: core::f32::consts::PI,
    damping: 0.0,
};

fn tail_joints() -> [SpringJoint<Vec3>; TAIL - 1] {
    [SpringJoint { stiffness: 0.8, gravity: Vec3::NEG_Y * 0.3, drag: 0.4, ..Default::default() };
        TAIL - 1]
}

/// Where a hand or a foot wants to be: on a circle before the limb, each character at its own pace.
fn target(character: usize, limb: usize, time: f32) -> Vec3 {
    let (socket, bone) = SOCKETS[limb];
    let pace = 1.0 + 0.37 * (character % 17) as f32 / 17.0;
    let phase = time * 2.0 * pace + limb as f32 * 1.7 + character as f32 * 0.61;
    let (sin, cos) = phase.sin_cos();
    socket + Vec3::new(0.2 * cos, -1.3 + 0.3 * sin, 0.5 + 0.3 * cos) * bone
}

/// Where the animation has a tail's joint in this frame: behind a body that sways.
fn tail_joint(character: usize, joint: usize, time: f32) -> Vec3 {
    let sway = 0.3 * (time * 3.0 + character as f32 * 0.43).sin();
    Vec3::new(sway, 0.9, -0.1 - 0.1 * joint as f32)
}

/// A limb as it hangs.
fn hanging(limb: usize) -> ([Vec3; 3], [Quat; 3]) {
    let (socket, bone) = SOCKETS[limb];
    ([0.0, 1.0, 2.0].map(|i| socket + Vec3::NEG_Y * bone * i), [Quat::IDENTITY; 3])
}

/// How many targets were asked for, and how many were met.
#[derive(Clone, Copy, Default)]
struct Count {
    asked: usize,
    met: usize,
}

impl Count {
    fn add(mut self, solution: Result<Solution, Error>) -> Result<Self, Error> {
        self.asked += 1;
        self.met += usize::from(solution?.status == Status::Reached);
        Ok(self)
    }

    fn plus(self, other: Self) -> Self {
        Self { asked: self.asked + other.asked, met: self.met + other.met }
    }
}

/// What can be brought to the next frame.
trait Walks: Send {
    fn step(&mut self, time: f32) -> Result<Count, Error>;
}

/// One character, as the functions for single chains have it.
struct Character {
    number: usize,
    limbs: [([Vec3; 3], [Quat; 3]); LIMBS],
    tail: [SpringState<Vec3>; TAIL],
}

impl Character {
    fn new(number: usize) -> Self {
        let limbs = core::array::from_fn(hanging);
        Self { number, limbs, tail: [SpringState::default(); TAIL] }
    }
}

impl Walks for Character {
    fn step(&mut self, time: f32) -> Result<Count, Error> {
        let mut count = Count::default();
        for (limb, (positions, rotations)) in self.limbs.iter_mut().enumerate() {
            let target = target(self.number, limb, time);
            count = count.add(ccd_solve(positions, rotations, &joints(), target, &SETTINGS))?;
        }
        let mut positions: [_; TAIL] =
            core::array::from_fn(|joint| tail_joint(self.number, joint, time));
        let mut rotations = [Quat::IDENTITY; TAIL];
        let tail = SpringBones { joints: &tail_joints(), ..SpringBones::default() };
        let _: SpringReport =
            spring_bone_step(&mut positions, &mut rotations, &mut self.tail, &tail, DT)?;
        Ok(count)
    }
}

/// Eight characters, a lane each.
struct Group {
    first: usize,
    /// How many lanes hold a character: the rest of the last group is idle.
    used: usize,
    limbs: [([Vec3x8; 3], [Quatx8; 3]); LIMBS],
    tail: [lanes::SpringState; TAIL],
}

impl Group {
    fn new(first: usize, used: usize) -> Self {
        let limbs = core::array::from_fn(|limb| {
            let (positions, rotations) = hanging(limb);
            (positions.map(Vec3x8::splat), rotations.map(Quatx8::splat))
        });
        Self { first, used, limbs, tail: [lanes::SpringState::default(); TAIL] }
    }

    /// The same question to each lane's character.
    fn each(&self, ask: impl Fn(usize) -> Vec3) -> Vec3x8 {
        core::array::from_fn(|lane| ask(self.first + lane)).into()
    }
}

impl Walks for Group {
    fn step(&mut self, time: f32) -> Result<Count, Error> {
        let mut count = Count::default();
        for limb in 0..LIMBS {
            let targets = self.each(|character| target(character, limb, time));
            let (positions, rotations) = &mut self.limbs[limb];
            let solved = lanes::ccd_solve(positions, rotations, &joints(), targets, &SETTINGS);
            count = solved.into_iter().take(self.used).try_fold(count, Count::add)?;
        }
        let mut positions: [_; TAIL] =
            core::array::from_fn(|joint| self.each(|one| tail_joint(one, joint, time)));
        let mut rotations = [Quatx8::IDENTITY; TAIL];
        let tail = lanes::SpringBones { joints: &tail_joints(), ..Default::default() };
        let reports: Each<SpringReport> =
            lanes::spring_bone_step(&mut positions, &mut rotations, &mut self.tail, &tail, DT);
        reports.into_iter().try_for_each(|report| report.map(|_| ()))?;
        Ok(count)
    }
}

/// What a run has come to.
struct Run {
    frames: u32,
    spent: Duration,
    count: Count,
}

impl Run {
    fn milliseconds_a_frame(&self) -> f64 {
        self.spent.as_secs_f64() * 1e3 / f64::from(self.frames.max(1))
    }

    fn line(&self, characters: usize, cores: usize) -> String {
        let frame = self.milliseconds_a_frame();
        format!(
            "{:7.0} characters a millisecond and core, {:5.1} % of a 60 Hz frame, {:.1} % of targets met",
            characters as f64 / frame / cores as f64,
            100.0 * frame / (1e3 * f64::from(DT)),
            100.0 * self.count.met as f64 / self.count.asked.max(1) as f64,
        )
    }
}

/// Steps everybody through the animation, with a line that keeps up.
fn walk(name: &str, crowd: &mut [impl Walks], options: &Options) -> Result<Run> {
    let frames = (options.seconds / DT).ceil().max(1.0);
    let cores = rayon::current_num_threads();
    let bar = ProgressBar::new_spinner()
        .with_style(ProgressStyle::with_template("{prefix:>12}: {msg}")?)
        .with_prefix(name.to_owned());
    let mut run = Run { frames: 0, spent: Duration::ZERO, count: Count::default() };
    while (run.frames as f32) < frames {
        let time = run.frames as f32 * DT;
        let began = Instant::now();
        let count = crowd
            .par_iter_mut()
            .map(|one| one.step(time))
            .try_reduce(Count::default, |a, b| Ok(a.plus(b)))?;
        run.spent += began.elapsed();
        run.frames += 1;
        run.count = run.count.plus(count);
        if run.frames % 10 == 0 {
            bar.set_message(run.line(options.characters, cores));
            bar.tick();
        }
    }
    bar.finish_and_clear();
    println!("{name:>12}: {}", run.line(options.characters, cores));
    Ok(run)
}

fn main() -> ExitCode {
    exit::code(run(&Options::parse()))
}

fn run(options: &Options) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(options.threads).build_global()?;
    println!(
        "{} characters with two arms, two legs and a tail of {} bones, on {} cores",
        options.characters,
        TAIL - 1,
        rayon::current_num_threads()
    );

    let characters = 0..options.characters;
    let mut groups: Vec<_> = characters
        .clone()
        .step_by(LANES)
        .map(|first| Group::new(first, LANES.min(options.characters - first)))
        .collect();
    let mut singles: Vec<_> = characters.map(Character::new).collect();

    let in_lanes = walk("in lanes", &mut groups, options)?;
    let one_by_one = walk("one by one", &mut singles, options)?;
    println!(
        "{:>12}  {:.2} times the throughput",
        "lanes have",
        one_by_one.milliseconds_a_frame() / in_lanes.milliseconds_a_frame()
    );
    Ok(())
}
