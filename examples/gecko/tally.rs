//! What a user would check, counted frame by frame and told in a table.

use std::time::Duration;

use anyhow::Result;
use sinew::glam::Vec3;
use sinew::reach;

use crate::creature::{EYE_YAW, Gecko, LEG};
use crate::terrain::height;

/// What a run has shown so far.
#[derive(Default)]
pub struct Tally {
    frames: u32,
    steps: usize,
    /// Longest time with feet of both diagonal pairs in the air, in seconds; and now.
    two_pairs: [f32; 2],
    /// Largest movement of a standing foot between two frames, in legs.
    slide: f32,
    /// Largest distance of a standing foot from the ground, in legs.
    float: f32,
    /// Largest distance of a foot beyond its leg's reach, in legs.
    overreach: f32,
    /// Largest share of its reach that a leg needed.
    stretch: f32,
    /// Largest share of a neck joint's range to a side.
    neck: f32,
    /// Largest turn of an eye inwards and outwards, in radians.
    eyes: [f32; 2],
    solving: Duration,
    /// Where the body was, frame by frame.
    path: Vec<Vec3>,
}

impl Tally {
    /// Counts a frame of `dt` seconds, which took the time `solving`.
    pub fn count(&mut self, before: &Gecko, now: &Gecko, dt: f32, solving: Duration) -> Result<()> {
        self.frames += 1;
        self.solving += solving;
        self.steps += now.landed;
        self.path.push(now.position());
        let in_air =
            |group| now.feet.iter().any(|foot| foot.group == group && foot.phase().is_some());
        self.two_pairs[1] = if in_air(0) && in_air(1) { self.two_pairs[1] + dt } else { 0.0 };
        self.two_pairs[0] = self.two_pairs[0].max(self.two_pairs[1]);
        for i in 0..4 {
            let (foot, was, leg) = (&now.feet[i], &before.feet[i], &now.legs[i]);
            if foot.phase().is_none() {
                let tip = leg[2];
                self.float = self.float.max((tip.y - height(tip.x, tip.z)).abs() / LEG);
                // Standing then and now; if a foot came down, it may be this one, and its whole
                // step have passed within the frame.
                if was.phase().is_none() && (now.landed == 0 || was.position == foot.position) {
                    self.slide = self.slide.max(tip.distance(before.legs[i][2]) / LEG);
                }
            }
            let (way, longest) = (leg[0].distance(foot.position), reach(leg)?.longest);
            self.stretch = self.stretch.max(way / longest);
            self.overreach = self.overreach.max((way - longest) / LEG);
        }
        self.neck = self.neck.max(now.neck_share());
        for out in now.eye_yaws() {
            self.eyes = [self.eyes[0].max(-out), self.eyes[1].max(out)];
        }
        Ok(())
    }

    /// Where the body was six times a second, if the frame rate has these moments.
    fn moments(&self, fps: usize) -> impl Iterator<Item = Vec3> {
        self.path.iter().skip(fps / 6 - 1).step_by(fps / 6).copied()
    }

    /// How far the body's paths of two runs are apart at their common moments, in body lengths
    /// (which are the unit here).
    fn apart(&self, fps: usize, other: &Self, other_fps: usize) -> f32 {
        let pairs = self.moments(fps).zip(other.moments(other_fps));
        pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
    }

    /// Prints the table; `slow`, `middle` and `fast` are the same run at 30, 60 and 144 frames a
    /// second.
    pub fn print(&self, [slow, middle, fast]: [&Self; 3]) {
        let micros = self.solving.as_secs_f64() * 1e6 / f64::from(self.frames.max(1));
        println!("steps taken                            {}", self.steps);
        println!("longest time with two pairs in the air {:.3} s", self.two_pairs[0]);
        println!("largest slide of a standing foot       {:.1e} of the leg", self.slide);
        println!("standing feet off the ground by        {:.1e} of the leg", self.float);
        println!("largest overreach of a leg             {:.1e} of the leg", self.overreach);
        println!(
            "most that a leg was stretched          {:.0} % of its reach",
            100.0 * self.stretch
        );
        let degrees = |used: f32, limit: f32| {
            format!("{:.0}° of {:.0}°", used.to_degrees(), limit.to_degrees())
        };
        println!(
            "neck and head used up to               {:.0} % of their range",
            100.0 * self.neck
        );
        println!(
            "eyes turned in and out by up to        {} and {}",
            degrees(self.eyes[0], EYE_YAW[0]),
            degrees(self.eyes[1], EYE_YAW[1])
        );
        println!("solver time                            {micros:.1} µs a frame");
        println!(
            "body's path, 60 fps against 30 and 144 {:.2} and {:.2} % of a body length apart",
            100.0 * slow.apart(30, middle, 60),
            100.0 * fast.apart(144, middle, 60)
        );
        println!(
            "steps at 30, 60 and 144 fps            {}, {} and {}",
            slow.steps, middle.steps, fast.steps
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{terrain::Route, walk};

    /// Twenty seconds at three frame rates: feet stand where they landed, on the ground and within
    /// reach; diagonal pairs take turns; and the body goes one way.
    #[test]
    fn the_gecko_walks_as_promised_at_any_rate() {
        let rates = [30, 60, 144_u16];
        let tallies = rates.map(|fps| walk(&Route::standard(), 20.0, fps, || ()).unwrap().1);
        for (tally, fps) in tallies.iter().zip(rates) {
            assert!(tally.steps > 100, "{fps} fps: {}", tally.steps);
            assert_eq!(tally.two_pairs[0], 0.0, "{fps} fps");
            assert!(tally.slide < 1e-5, "{fps} fps: {}", tally.slide);
            assert!(tally.float < 1e-4, "{fps} fps: {}", tally.float);
            assert_eq!(tally.overreach, 0.0, "{fps} fps");
            assert!(tally.neck <= 1.0 + 1e-4, "{fps} fps: {}", tally.neck);
            for (used, limit) in tally.eyes.iter().zip(EYE_YAW) {
                assert!(*used <= limit + 1e-4, "{fps} fps: {used}");
            }
        }
        let [slow, middle, fast] = &tallies;
        assert!(slow.moments(30).count() >= 119);
        for (other, fps) in [(slow, 30), (fast, 144)] {
            let apart = other.apart(fps, middle, 60);
            assert!(apart < 0.02, "{fps} fps: {apart}");
        }
    }
}
