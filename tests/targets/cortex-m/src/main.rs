//! The work list on a Cortex-M4F: a line for each family, its name and its hash; and what its calls
//! take: instructions on average and at most, and at most so many bytes of stack.
//!
//! It prints without the library's formatting, which panics: in this program there is no panic but
//! what sinew would bring.

#![no_std]
#![no_main]

use core::arch::asm;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use cortex_m::Peripherals;
use cortex_m::peripheral::{SYST, syst::SystClkSource};
use cortex_m_rt::entry;
use cortex_m_semihosting::debug;
use cortex_m_semihosting::hio::{self, HostStream};
use work::{FAMILIES, Moment, Scene};

/// So much of the stack is painted before each call, in bytes.
const PAINTED: u32 = 32 * 1024;
const PAINT: u32 = 0xa5c3_96b4;

/// The timer ticks every 40 ns, and qemu runs an instruction in 4 (`-icount shift=2`): the longest
/// call may take 160 million.
const INSTRUCTIONS_A_TICK: u32 = 40 / 4;
const LAST_TICK: u32 = 0x00ff_ffff;

static STACK_POINTER: AtomicU32 = AtomicU32::new(0);
static CALLS: AtomicU32 = AtomicU32::new(0);
static TICKS: AtomicU32 = AtomicU32::new(0);
static MOST_TICKS: AtomicU32 = AtomicU32::new(0);
static DEEPEST: AtomicU32 = AtomicU32::new(0);

#[entry]
fn main() -> ! {
    if let Some(mut peripherals) = Peripherals::take() {
        peripherals.SYST.set_clock_source(SystClkSource::Core);
        peripherals.SYST.set_reload(LAST_TICK);
        peripherals.SYST.clear_current();
        peripherals.SYST.enable_counter();
    }
    let Ok(mut out) = hio::hstdout() else { exit(debug::EXIT_FAILURE) };
    for (name, family) in FAMILIES {
        for count in [&CALLS, &TICKS, &MOST_TICKS, &DEEPEST] {
            count.store(0, Relaxed);
        }
        let mut scene = Scene::new(core::hint::black_box(work::SEED), watch);
        family(&mut scene);
        let mean = TICKS.load(Relaxed) / CALLS.load(Relaxed).max(1);
        print(&mut out, name.as_bytes());
        print(&mut out, b" ");
        print_hex(&mut out, scene.hash());
        for number in [
            mean.wrapping_mul(INSTRUCTIONS_A_TICK),
            MOST_TICKS.load(Relaxed).wrapping_mul(INSTRUCTIONS_A_TICK),
            DEEPEST.load(Relaxed),
        ] {
            print(&mut out, b" ");
            print_decimal(&mut out, number);
        }
        print(&mut out, b"\n");
    }
    exit(debug::EXIT_SUCCESS)
}

fn exit(status: debug::ExitStatus) -> ! {
    debug::exit(status);
    loop {
        cortex_m::asm::wfi();
    }
}

/// There is nobody to tell if the host does not listen.
fn print(out: &mut HostStream, text: &[u8]) {
    let _ = out.write_all(text);
}

fn print_hex(out: &mut HostStream, number: u64) {
    for byte in number.to_be_bytes() {
        for digit in [byte >> 4, byte & 0xf] {
            print(out, &[if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }]);
        }
    }
}

fn print_decimal(out: &mut HostStream, number: u32) {
    let mut digits = [b'0'; 10];
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    print(out, digits.as_slice());
}

/// Says where, and gives up. The place is what a search of the linked file finds.
#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    if let (Ok(mut out), Some(place)) = (hio::hstdout(), info.location()) {
        print(&mut out, b"panic at ");
        print(&mut out, place.file().as_bytes());
        print(&mut out, b":");
        print_decimal(&mut out, place.line());
        print(&mut out, b"\n");
    }
    exit(debug::EXIT_FAILURE)
}

/// Called right before and right after each call into the crate, from the same frame.
#[inline(never)]
fn watch(moment: Moment) {
    static STARTED: AtomicU32 = AtomicU32::new(0);
    match moment {
        Moment::Before => {
            STACK_POINTER.store(paint(), Relaxed);
            STARTED.store(SYST::get_current(), Relaxed);
        }
        Moment::After => {
            // It counts down.
            let ticks = STARTED.load(Relaxed).wrapping_sub(SYST::get_current()) & LAST_TICK;
            CALLS.fetch_add(1, Relaxed);
            TICKS.fetch_add(ticks, Relaxed);
            MOST_TICKS.fetch_max(ticks, Relaxed);
            DEEPEST.fetch_max(depth(STACK_POINTER.load(Relaxed)), Relaxed);
        }
    }
}

/// Paints the free stack, and says where it begins.
fn paint() -> u32 {
    let top: u32;
    // SAFETY: Nothing lives below the stack pointer, and no interrupt is enabled that would put
    // something there meanwhile. RAM is 4 MiB with the stack at its end.
    unsafe {
        asm!(
            "mov {top}, sp",
            "sub {at}, {top}, {size}",
            "2:",
            "str {paint}, [{at}], #4",
            "cmp {at}, {top}",
            "blo 2b",
            top = out(reg) top,
            at = out(reg) _,
            size = in(reg) PAINTED,
            paint = in(reg) PAINT,
            options(nostack),
        );
    }
    top
}

/// How far below `top` the paint is gone.
fn depth(top: u32) -> u32 {
    let mut at = top - PAINTED;
    // SAFETY: The addresses are RAM, between the variables and the stack pointer.
    while at < top && unsafe { (at as *const u32).read_volatile() } == PAINT {
        at += 4;
    }
    top - at
}
