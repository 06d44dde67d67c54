//! What happens when: the figure takes an apple from the ground, climbs a ledge, and aims at a
//! balloon.

use sinew::glam::Vec2;
use sinew::{Ease, bezier_cubic};

/// How long it takes, in seconds.
pub const SECONDS: u32 = 14;

/// When the figure begins to aim.
pub const AIMING: f32 = 9.0;

pub const APPLE: Vec2 = Vec2::new(-1.15, 0.06);
/// Where the ledge begins, and how high it is.
pub const LEDGE: Vec2 = Vec2::new(0.8, 1.0);

const STANDING: f32 = 0.85;
const TOP: f32 = LEDGE.y + STANDING;

/// Where the apple is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    Ground,
    Hand,
    Bag,
}

pub fn floor(x: f32) -> f32 {
    if x < LEDGE.x { 0.0 } else { LEDGE.y }
}

pub fn balloon(time: f32) -> Vec2 {
    Vec2::new(2.5 + 0.35 * (0.8 * time).sin(), 2.75 + 0.45 * (1.3 * time).cos())
}

pub fn hold(time: f32) -> Hold {
    match time {
        t if t < 1.8 => Hold::Ground,
        t if t < 2.9 => Hold::Hand,
        _ => Hold::Bag,
    }
}

pub fn bag(trunk: [Vec2; 2]) -> Vec2 {
    let up = (trunk[1] - trunk[0]).normalize_or(Vec2::Y);
    trunk[0] + up * 0.16 + up.perp() * 0.13
}

/// When, where the hips are, and how far the trunk leans back (forwards is negative), in radians.
struct Key(f32, Vec2, f32);

/// The body's poses; in between it goes smoothly from one to the next.
const KEYS: [Key; 18] = [
    Key(0.0, Vec2::new(-1.7, STANDING), 0.0),
    Key(0.5, Vec2::new(-1.7, STANDING), 0.0),
    Key(1.4, Vec2::new(-1.52, 0.42), -1.15),
    Key(1.9, Vec2::new(-1.52, 0.42), -1.15),
    Key(2.8, Vec2::new(-1.5, STANDING), -0.03),
    Key(3.2, Vec2::new(-1.5, STANDING), -0.05),
    Key(5.4, Vec2::new(0.42, STANDING), -0.1),
    Key(5.9, Vec2::new(0.45, 0.8), 0.0),
    Key(6.2, Vec2::new(0.45, 0.78), -0.1),
    Key(6.9, Vec2::new(0.55, 1.08), -0.6),
    Key(7.5, Vec2::new(0.9, 1.45), -1.05),
    Key(8.0, Vec2::new(1.2, 1.5), -0.85),
    Key(8.8, Vec2::new(1.3, TOP), 0.0),
    Key(9.3, Vec2::new(1.3, TOP), 0.12),
    Key(12.3, Vec2::new(1.3, TOP), 0.1),
    Key(12.9, Vec2::new(1.3, TOP), 0.0),
    Key(13.9, Vec2::new(1.3, TOP), 0.0),
    Key(14.1, Vec2::new(1.3, TOP), 0.0),
];

/// Hips and lean at a time.
pub fn body(time: f32) -> (Vec2, f32) {
    for pair in KEYS.windows(2) {
        let [Key(start, hips, lean), Key(end, next, bowed)] = pair else {
            continue;
        };
        if time < *end {
            let share = (time - start) / (end - start);
            let share = Ease::SineInOut.at(share).unwrap_or(0.0);
            return (hips.lerp(*next, share), lean + (bowed - lean) * share);
        }
    }
    (KEYS[17].1, KEYS[17].2)
}

/// Where a hand is wanted, if anywhere; side 1 is the near one.
pub fn hand(side: usize, time: f32, trunk: [Vec2; 2], apple: Vec2) -> Option<Vec2> {
    let near = side == 1;
    match time {
        t if near && t > 0.7 && t < 1.8 => Some(apple),
        t if near && t > 2.0 && t < 3.0 => Some(bag(trunk)),
        t if t > 5.4 && t < 6.9 => Some(LEDGE + Vec2::new(if near { 0.03 } else { 0.09 }, 0.0)),
        // Beyond reach: the arm points.
        t if near && t > AIMING && t < 12.4 => Some(balloon(time)),
        _ => None,
    }
}

/// What the figure looks at.
pub fn attention(time: f32, apple: Vec2) -> Vec2 {
    match time {
        t if t < 3.0 => apple,
        t if t < 5.2 => LEDGE,
        t if t < 7.8 => LEDGE + Vec2::new(0.6, 0.2),
        _ => balloon(time),
    }
}

/// A foot that is being put up on the ledge, or stands there until the body has followed.
pub fn climbing_foot(side: usize, time: f32) -> Option<Vec2> {
    let (start, end) = if side == 1 { (6.2, 7.1) } else { (6.9, 7.9) };
    if !(5.9..=8.6).contains(&time) {
        return None;
    }
    let from = Vec2::new(if side == 1 { 0.43 } else { 0.27 }, 0.0);
    let to = Vec2::new(if side == 1 { 1.38 } else { 1.22 }, LEDGE.y);
    let way = [from, Vec2::new(0.35, 1.0), Vec2::new(0.75, 1.45), to];
    let share = Ease::SineInOut.at((time - start) / (end - start)).unwrap_or(0.0);
    bezier_cubic(&way, share).ok()
}
