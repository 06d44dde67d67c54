//! Rivals that live in Node: a process a race, which is sent its inputs as one line of JSON and
//! then runs a lap whenever it is asked to. It times its own laps, so that the pipe is in none.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node");

pub struct Node {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Node {
    /// Hands `case` to the script of that name.
    pub fn start(script: &str, case: &impl Serialize) -> Result<Self> {
        let modules = Path::new(FOLDER).join("node_modules");
        if !modules.is_dir() {
            bail!("not installed: `npm ci` in benches/peers/node");
        }
        let mut process = Command::new("node")
            .arg(format!("{script}.mjs"))
            .current_dir(FOLDER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run node")?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.context("node has no pipes")?;
        let mut node = Self { process, input, output: BufReader::new(output) };
        let _: Value = node.ask(case)?;
        Ok(node)
    }

    /// How long one lap took.
    pub fn lap(&mut self) -> Result<Duration> {
        Ok(Duration::from_secs_f64(self.ask(&"lap")?))
    }

    /// What the last lap has come to.
    pub fn result<T: DeserializeOwned>(&mut self) -> Result<T> {
        self.ask(&"result")
    }

    fn ask<T: DeserializeOwned>(&mut self, question: &impl Serialize) -> Result<T> {
        serde_json::to_writer(&mut self.input, question)?;
        self.input.write_all(b"\n")?;
        self.input.flush()?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("node stopped: {}", self.process.wait()?);
        }
        serde_json::from_str(&line).context("node said something else")
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // It has nothing to save, and there is nobody to tell if it is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A package of Node's by name and version, as the lock file has it.
pub fn package(name: &str) -> String {
    let lock = include_str!("../node/package-lock.json");
    let lock: Value = serde_json::from_str(lock).unwrap_or_default();
    let version = lock["packages"][format!("node_modules/{name}")]["version"].as_str();
    format!("{} {}", name.trim_start_matches("@pixiv/"), version.unwrap_or("?"))
}
