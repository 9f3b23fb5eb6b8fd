//! Commands that work on a session file without a screen.

use plimsoll::cli::{Command, CommonArgs, OutputFormat};

use crate::launch::{Failure, Launch};

/// Runs a command; answers with the exit code.
pub async fn run(command: Command, _common: &CommonArgs, _launch: Launch) -> Result<u8, Failure> {
    Err(Failure::failed(format!(
        "{} is not built yet",
        command.name()
    )))
}

/// `-p`.
pub async fn print(_prompt: String, _format: OutputFormat, _launch: Launch) -> Result<u8, Failure> {
    Err(Failure::failed("-p is not built yet"))
}
