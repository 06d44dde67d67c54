//! Uneven ground, and the path on which a fly flies over it.

use std::f32::consts::TAU;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sinew::glam::{Vec2, Vec3};
use sinew::{Ground, bezier_cubic, bezier_cubic_at_length, bezier_cubic_length};

/// Height of the ground.
pub fn height(x: f32, z: f32) -> f32 {
    0.09 * (1.5 * x + 0.4).sin() * (1.2 * z - 0.6).cos()
        + 0.035 * (3.1 * x - 2.3 * z).sin()
        + 0.02 * (5.3 * z + 1.7 * x).cos()
}

/// The ground under a position, with its normal.
#[expect(clippy::unnecessary_wraps, reason = "the shape of a terrain: others have holes")]
pub fn ground(p: Vec3) -> Option<Ground<Vec3>> {
    const H: f32 = 2e-3;
    let x = (height(p.x + H, p.z) - height(p.x - H, p.z)) / (2.0 * H);
    let z = (height(p.x, p.z + H) - height(p.x, p.z - H)) / (2.0 * H);
    Some(Ground { point: Vec3::new(p.x, height(p.x, p.z), p.z), normal: Vec3::new(-x, 1.0, -z) })
}

/// A closed curve through points, run at a steady speed.
pub struct Route {
    segments: Vec<[Vec2; 4]>,
    lengths: Vec<f32>,
}

/// The fly's round when no other is given: a wide loop, a sharp turn, and a dash across.
const ROUND: [(f32, f32); 9] = [
    (-0.8, 0.6),
    (0.3, 0.95),
    (1.5, 0.65),
    (1.7, -0.4),
    (0.8, -0.9),
    (0.1, -0.25),
    (-0.6, -1.0),
    (-1.7, -0.75),
    (-1.7, 0.35),
];

impl Route {
    pub fn standard() -> Self {
        Self::through(&ROUND.map(|(x, z)| Vec2::new(x, z)))
    }

    /// A file with a point a line, `x z` or `x, z`; lines that begin with # are remarks.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let mut points = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let numbers: Vec<f32> = line
                .split([',', ' ', '\t'])
                .filter(|part| !part.is_empty())
                .map(str::parse)
                .collect::<Result<_, _>>()
                .with_context(|| format!("{name}, line {}: not a number", i + 1))?;
            let [x, z] = numbers[..] else {
                bail!("{name}, line {}: two numbers are needed, x and z", i + 1);
            };
            if !(x.abs() < 1e3 && z.abs() < 1e3) {
                bail!("{name}, line {}: the point is out of the world", i + 1);
            }
            points.push(Vec2::new(x, z));
        }
        if points.len() < 3 {
            bail!("{name}: a round needs at least 3 points, and has {}", points.len());
        }
        Ok(Self::through(&points))
    }

    /// Catmull and Rom's spline, as Bezier segments.
    fn through(points: &[Vec2]) -> Self {
        let n = points.len();
        let at = |i: usize| points[i % n];
        let segments: Vec<_> = (0..n)
            .map(|i| {
                let (a, b, c, d) = (at(i + n - 1), at(i), at(i + 1), at(i + 2));
                [b, b + (c - a) / 6.0, c - (d - b) / 6.0, c]
            })
            .collect();
        let lengths = segments.iter().map(|s| bezier_cubic_length(s, 1.0).unwrap_or(0.0)).collect();
        Self { segments, lengths }
    }

    /// The point `way` along the round.
    fn at(&self, way: f32) -> Result<Vec2> {
        let mut left = way % self.lengths.iter().sum::<f32>().max(1e-3);
        for (segment, length) in self.segments.iter().zip(&self.lengths) {
            if left <= *length {
                return Ok(bezier_cubic(segment, bezier_cubic_at_length(segment, left)?)?);
            }
            left -= length;
        }
        Ok(self.segments[0][0])
    }

    /// Where the fly is after `time` seconds: it darts and dawdles, and hums up and down.
    pub fn fly(&self, time: f32, speed: f32) -> Result<Vec3> {
        let p = self.at(speed * (time + 0.75 * (0.9 * time).sin()))?;
        let above = 0.42 + 0.1 * (TAU * 0.37 * time).sin() + 0.02 * (TAU * 2.3 * time).sin();
        Ok(Vec3::new(p.x, height(p.x, p.y) + above, p.y))
    }
}
