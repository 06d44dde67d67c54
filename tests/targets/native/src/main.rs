//! The work list on this machine: a line for each family, its name and its hash.

use work::{FAMILIES, Scene};

fn main() {
    for (name, family) in FAMILIES {
        let mut scene = Scene::new(work::SEED, |_| ());
        family(&mut scene);
        println!("{name} {:016x}", scene.hash());
    }
}
