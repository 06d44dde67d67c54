//! How an example ends: well, or with one line that says what went wrong.

use std::process::ExitCode;

/// What `main` returns for what an example has come to.
pub fn code(outcome: anyhow::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
