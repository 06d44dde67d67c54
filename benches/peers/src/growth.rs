//! How sinew's own time grows, from the cases of its growth bench, all sizes of a family taking
//! turns.

use std::fmt::Write as _;

use anyhow::Result;
use indicatif::ProgressBar;

use crate::measure::{Pace, Runner, race};

#[path = "../../growth/cases.rs"]
mod cases;

/// From this size on a share should not depend on the size.
const LEVEL_FROM_JOINTS: usize = 8;
const LEVEL_FROM_CHAINS: usize = 100;

pub fn table(pace: Pace) -> Result<String> {
    let mut out = String::new();
    let bar = ProgressBar::new_spinner();
    for (what, sizes, level_from, of) in [
        (
            "joints",
            &cases::JOINTS,
            LEVEL_FROM_JOINTS,
            cases::joints as fn(usize) -> Vec<cases::Case>,
        ),
        ("chains of eight, a chain", &cases::CHAINS, LEVEL_FROM_CHAINS, cases::chains),
    ] {
        let _ = write!(out, "{:<36}", format!("ns, over so many {what}"));
        for size in sizes {
            let _ = write!(out, "{size:>9}");
        }
        let _ = writeln!(out, "  most / least from {level_from} on");
        for (place, case) in of(sizes[0]).iter().enumerate() {
            bar.set_message(format!("{}, {what}", case.family));
            bar.tick();
            // One family at a time: the largest crowds fill the memory.
            let mut runners: Vec<_> = sizes.iter().map(|size| runner(of, *size, place)).collect();
            let times = race(pace, &mut runners)?.seconds;
            let _ = write!(out, "{:<36}", case.family);
            for seconds in &times {
                let _ = write!(out, "{:>9.1}", 1e9 * seconds);
            }
            let level = sizes.iter().zip(&times).filter(|(size, _)| **size >= level_from);
            let [least, most] = level
                .fold([f64::INFINITY, 0.0_f64], |[low, high], (_, t)| [low.min(*t), high.max(*t)]);
            let _ = writeln!(out, "  {:.2}", most / least);
        }
        out.push('\n');
    }
    bar.finish_and_clear();
    Ok(out)
}

fn runner(of: fn(usize) -> Vec<cases::Case>, size: usize, place: usize) -> Runner<'static> {
    let case = of(size).swap_remove(place);
    Runner::steady(case.work as f64, case, |case| {
        // A case works on what it has made itself.
        let _ = case.run();
    })
}
