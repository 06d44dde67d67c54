//! The work list as plain functions: a family's hash, from a seed.
//!
//! In WebAssembly they are what the module exports. On Cortex-M they are what the linker is asked
//! for, one by one, to see how much flash each takes; nothing else is in the archive.

#![no_std]

macro_rules! export {
    ($($family:ident)*) => {$(
        /// A family's hash.
        #[unsafe(no_mangle)]
        pub extern "C" fn $family(seed: u32) -> u64 {
            let mut scene = work::Scene::new(seed, |_| ());
            work::$family(&mut scene);
            scene.hash()
        }
    )*};
}
work::families!(export);

/// Keeps where the panic came from, so that the linked file can be asked.
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    core::hint::black_box(info.location());
    loop {}
}
