//! What a moment looks like: path data for each part of the picture.

use std::fmt::Write as _;

use sinew::glam::{Quat, Vec2, Vec3};

use crate::creature::{Gecko, side};
use crate::film::{dot, line};
use crate::terrain::height;

/// What a picture shows.
pub struct Moment {
    pub gecko: Gecko,
    pub fly: Vec3,
    /// Which feet have come down since the last picture, where, and how they are turned.
    pub prints: Vec<(usize, Vec3, Quat)>,
}

/// Width of the picture, in pixels.
const WIDTH: f32 = 1000.0;
/// Empty space at its edges, in body lengths.
const MARGIN: f32 = 0.55;
/// How steeply the camera looks down: sine and cosine.
const DOWN: Vec2 = Vec2::new(0.819, 0.574);
/// Where a shadow falls, for each unit of height.
const LIGHT: Vec2 = Vec2::new(0.45, 0.25);

/// Looks down on the scene from the front.
pub struct Camera {
    pub scale: f32,
    pub size: Vec2,
    origin: Vec2,
}

impl Camera {
    /// Shows all of a run.
    pub fn around(moments: &[Moment]) -> Self {
        let mut low = Vec2::splat(f32::INFINITY);
        let mut high = -low;
        for Moment { gecko, fly, .. } in moments {
            for p in gecko.spine.iter().chain(&gecko.tail).chain([fly]) {
                (low, high) = (low.min(flat(*p)), high.max(flat(*p)));
            }
        }
        let (low, high) = (low - MARGIN, high + MARGIN);
        let scale = WIDTH / (high.x - low.x);
        Self { scale, origin: low, size: (high - low) * scale }
    }

    fn at(&self, p: Vec3) -> Vec2 {
        (flat(p) - self.origin) * self.scale
    }

    /// Where the shadow of a point falls.
    fn shadow(&self, p: Vec3) -> Vec2 {
        let above = p.y - height(p.x, p.z);
        let (x, z) = (p.x + LIGHT.x * above, p.z + LIGHT.y * above);
        self.at(Vec3::new(x, height(x, z), z))
    }

    /// The ground, as lines across.
    pub fn ground(&self) -> String {
        const STEP: f32 = 0.13;
        let mut d = String::new();
        let (low, size) = (self.origin, self.size / self.scale);
        let mut z = low.y / DOWN.x - 2.0 * STEP;
        while z < (low.y + size.y) / DOWN.x + 2.0 * STEP {
            let at = |i: u8| {
                let x = low.x + size.x * f32::from(i) / 100.0;
                self.at(Vec3::new(x, height(x, z), z))
            };
            line(&mut d, &(0..=100).map(at).collect::<Vec<_>>());
            z += STEP;
        }
        d
    }

    /// The print of a foot.
    pub fn print(&self, foot: usize, at: Vec3, rotation: Quat) -> String {
        let mut d = String::new();
        dot(&mut d, self.at(at));
        for tip in toes(foot, at, rotation) {
            dot(&mut d, self.at(tip));
        }
        d
    }
}

fn flat(p: Vec3) -> Vec2 {
    Vec2::new(p.x, p.z * DOWN.x - p.y * DOWN.y)
}

/// Half of the head's outline seen from above, in its own frame: to the left and ahead.
const HEAD: [Vec2; 7] = [
    Vec2::new(0.06, -0.08),
    Vec2::new(0.085, -0.01),
    Vec2::new(0.125, 0.07),
    Vec2::new(0.115, 0.14),
    Vec2::new(0.08, 0.21),
    Vec2::new(0.045, 0.265),
    Vec2::new(0.02, 0.285),
];

/// Radii of the trunk, from the hips to the shoulders.
const GIRTH: [f32; 7] = [0.095, 0.115, 0.132, 0.136, 0.128, 0.112, 0.1];

/// A foot's toes, in its own frame: angle outwards from ahead, in radians, and length.
const TOES: [(f32, f32); 5] =
    [(-0.75, 0.07), (-0.1, 0.085), (0.5, 0.09), (1.1, 0.085), (1.8, 0.07)];

/// Where the tips of a foot's toes are.
fn toes(foot: usize, at: Vec3, rotation: Quat) -> [Vec3; 5] {
    TOES.map(|(angle, length)| {
        let outwards = side(foot) * angle;
        at + rotation * Vec3::new(outwards.sin(), 0.0, outwards.cos()) * length
    })
}

/// A moment, seen by a camera. Every moment's path of a part has the same commands, so that one
/// can turn into the next.
pub struct Sketch<'a> {
    pub camera: &'a Camera,
    pub moment: &'a Moment,
}

impl Sketch<'_> {
    /// The middle of the body from the tip of the tail to the neck, and its radius.
    fn middle(&self) -> Vec<(Vec3, f32)> {
        let gecko = &self.moment.gecko;
        let bones = gecko.tail.len() as f32 - 1.0;
        let girth = |i: usize| 0.014 + 0.075 * (i as f32 / bones).powf(0.8);
        let tail = gecko.tail.iter().skip(1).rev().enumerate();
        let mut all: Vec<_> = tail.map(|(i, p)| (*p, girth(i))).collect();
        all.extend(gecko.spine.iter().copied().zip(GIRTH));
        all.push((gecko.chest.at.lerp(gecko.head.at, 0.55), 0.085));
        all
    }

    pub fn body(&self) -> String {
        let px = self.camera.scale;
        let seen = |(p, r): (Vec3, f32)| (self.camera.at(p), r * px);
        blob(&tube(&self.middle().into_iter().map(seen).collect::<Vec<_>>()))
    }

    /// A lighter stripe, a little up and to the left where the light comes from.
    pub fn back(&self) -> String {
        let (mut d, px) = (String::new(), self.camera.scale);
        let middle = self.middle().into_iter().skip(4);
        let lit = |(p, r): (Vec3, f32)| self.camera.at(p) + Vec2::new(-0.2, -0.35) * r * px;
        line(&mut d, &middle.map(lit).collect::<Vec<_>>());
        d
    }

    /// On both sides of the back, from the tail to the shoulders.
    pub fn spots(&self) -> String {
        let mut d = String::new();
        let up = self.moment.gecko.up;
        for (i, pair) in self.middle().windows(2).enumerate().skip(2) {
            let ((a, r), (b, s)) = (pair[0], pair[1]);
            let across = (b - a).cross(up).normalize_or(Vec3::X);
            for aside in if i % 2 == 0 { [-0.55_f32, 0.5] } else { [0.0, 0.85] } {
                let out = across * aside + up * (1.0 - aside * aside).sqrt();
                dot(&mut d, self.camera.at((a + b) * 0.5 + out * (0.5 * (r + s))));
            }
        }
        d
    }

    fn head_outline(&self, shrink: f32, raise: f32) -> String {
        let middle = Vec2::new(0.0, 0.1);
        let corner = |p: Vec2| {
            let p = middle + (p - middle) * shrink;
            self.camera.at(self.moment.gecko.head.point(Vec3::new(p.x, raise, p.y)))
        };
        let left = HEAD.iter().map(|p| corner(*p));
        let right = HEAD.iter().rev().map(|p| corner(Vec2::new(-p.x, p.y)));
        blob(&left.chain(right).collect::<Vec<_>>())
    }

    pub fn head(&self) -> String {
        self.head_outline(1.0, 0.0)
    }

    pub fn brow(&self) -> String {
        self.head_outline(0.55, 0.05)
    }

    /// Both eyes, or what lies `out` ahead of them.
    fn eyes(&self, out: f32) -> String {
        let mut d = String::new();
        for eye in &self.moment.gecko.eyes {
            dot(&mut d, self.camera.at(eye.point(Vec3::Z * out)));
        }
        d
    }

    pub fn eyeballs(&self) -> String {
        self.eyes(0.0)
    }

    pub fn pupils(&self) -> String {
        self.eyes(0.036)
    }

    fn bones(&self, bone: usize) -> String {
        let mut d = String::new();
        for leg in &self.moment.gecko.legs {
            line(&mut d, &[self.camera.at(leg[bone]), self.camera.at(leg[bone + 1])]);
        }
        d
    }

    pub fn upper_legs(&self) -> String {
        self.bones(0)
    }

    pub fn lower_legs(&self) -> String {
        self.bones(1)
    }

    pub fn toes(&self) -> String {
        let (mut d, gecko) = (String::new(), &self.moment.gecko);
        for (i, leg) in gecko.legs.iter().enumerate() {
            for tip in toes(i, leg[2], gecko.feet[i].rotation) {
                line(&mut d, &[self.camera.at(leg[2]), self.camera.at(tip)]);
            }
        }
        d
    }

    pub fn pads(&self) -> String {
        let (mut d, gecko) = (String::new(), &self.moment.gecko);
        for (i, leg) in gecko.legs.iter().enumerate() {
            for tip in toes(i, leg[2], gecko.feet[i].rotation) {
                dot(&mut d, self.camera.at(tip));
            }
        }
        d
    }

    pub fn shadow(&self) -> String {
        let head = self.moment.gecko.head;
        let mut middle = self.middle();
        middle.push((head.point(Vec3::Z * 0.06), 0.11));
        middle.push((head.point(Vec3::Z * 0.2), 0.07));
        let seen = |(p, r): (Vec3, f32)| (self.camera.shadow(p), r * self.camera.scale);
        blob(&tube(&middle.into_iter().map(seen).collect::<Vec<_>>()))
    }

    pub fn leg_shadows(&self) -> String {
        let mut d = String::new();
        for leg in &self.moment.gecko.legs {
            line(&mut d, &leg.map(|p| self.camera.shadow(p)));
        }
        d
    }

    pub fn fly(&self) -> String {
        let mut d = String::new();
        dot(&mut d, self.camera.at(self.moment.fly));
        d
    }

    pub fn fly_shadow(&self) -> String {
        let mut d = String::new();
        dot(&mut d, self.camera.shadow(self.moment.fly));
        d
    }

    pub fn wings(&self) -> String {
        let mut d = String::new();
        for side in [-1.0, 1.0] {
            let tip = self.moment.fly + Vec3::new(0.05 * side, 0.05, -0.02);
            line(&mut d, &[self.camera.at(self.moment.fly), self.camera.at(tip)]);
        }
        d
    }
}

/// A closed curve near the corners of a polygon.
fn blob(corners: &[Vec2]) -> String {
    let mut d = String::new();
    let Some(last) = corners.last() else {
        return d;
    };
    let start = (*last + corners[0]) / 2.0;
    let _ = write!(d, "M{:.1} {:.1}", start.x, start.y);
    for (corner, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let to = (*corner + *next) / 2.0;
        let _ = write!(d, "Q{:.1} {:.1} {:.1} {:.1}", corner.x, corner.y, to.x, to.y);
    }
    d.push('Z');
    d
}

/// The outline of a tube of varying radius, as seen: both its sides, and round ends.
fn tube(points: &[(Vec2, f32)]) -> Vec<Vec2> {
    let last = points.len() - 1;
    let along = |i: usize| {
        (points[(i + 1).min(last)].0 - points[i.saturating_sub(1)].0).normalize_or(Vec2::X)
    };
    let beside = |i: usize, by: f32| points[i].0 + along(i).perp() * (points[i].1 * by);
    let beyond = |i: usize, by: f32| points[i].0 + along(i) * (points[i].1 * by);
    let mut outline = vec![beyond(0, -1.0)];
    outline.extend((0..=last).map(|i| beside(i, 1.0)));
    outline.push(beyond(last, 1.0));
    outline.extend((0..=last).rev().map(|i| beside(i, -1.0)));
    outline
}
