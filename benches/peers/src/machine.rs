//! What the figures were measured on, in words.

use std::process::Command;

/// One sentence for the foot of the table.
pub fn words(given: Option<&str>) -> String {
    let machine = given.map_or_else(describe, str::to_owned);
    let node = said("node", "--version")
        .map_or(String::new(), |v| format!(", Node {}", v.trim_start_matches('v')));
    format!(
        "Medians of interleaved rounds on {machine}; {}{node}.",
        said("rustc", "--version").map_or("Rust".to_owned(), |v| short(&v)),
    )
}

fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let processor = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let is_virtual = field("flags").is_some_and(|flags| flags.contains("hypervisor"));
    let kind = if is_virtual { "a virtual machine" } else { "a machine" };
    let noun = if cores == 1 { "core" } else { "cores" };
    format!("{kind} with {cores} {noun} of an {processor}")
}

/// The first line of what a tool says.
fn said(tool: &str, question: &str) -> Option<String> {
    let output = Command::new(tool).arg(question).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.lines().next()?.to_owned())
}

/// "rustc 1.2.3 (hash date)" is Rust 1.2.3.
fn short(version: &str) -> String {
    version.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}
