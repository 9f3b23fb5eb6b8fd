//! `plim`: parses the command line, picks the screen, a run without one, or a command,
//! and turns what went wrong into one sentence, a hint and an exit code.

mod commands;
mod hardening;
mod launch;
mod safe_output;
mod screen;

use std::io::Write;
use std::process::ExitCode as ProcessExit;

use plimsoll::cli::{self, Cli, ExitCode};

use launch::{ExitFailure, Launch};
use plimsoll::tui::terminal;

/// The agent, its tools and its files, beside the task of the screen.
const WORKER_THREADS: usize = 2;

fn main() -> ProcessExit {
    // Before anything is read that others should not see.
    hardening::close_process();
    let cli = match cli::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(early) => {
            let is_error = early.code != ExitCode::Done;
            if is_error {
                commands::write_refusal(&early);
            }
            say(is_error, &early.text);
            return early.code.into();
        }
    };
    match run(cli) {
        Ok(code) => ProcessExit::from(code),
        Err(failure) => {
            say(true, &failure.to_string());
            ProcessExit::from(failure.code)
        }
    }
}

/// Runs what was asked for; answers with the exit code.
fn run(cli: Cli) -> Result<u8, ExitFailure> {
    let cli = cli.with_resume_as_flag();
    if let Some(done) = commands::needs_no_settings(&cli) {
        return done;
    }
    let launch = Launch::prepare(&cli).inspect_err(|failure| {
        if cli.print.is_some() {
            commands::write_failure(cli.output_format, failure);
        }
    })?;
    launch.open_log_file();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKER_THREADS)
        .enable_all()
        .build()
        .map_err(|error| ExitFailure::failed(format!("the runtime did not start: {error}")))?;
    let code = runtime.block_on(async {
        terminal::survive_file_limits();
        match (cli.command, cli.print) {
            (Some(command), _) => commands::run(command, &cli.common, launch).await,
            (None, Some(prompt)) => commands::print(prompt, cli.output_format, launch).await,
            (None, None) => Box::pin(screen::run(cli.prompt, launch)).await,
        }
    });
    // A tool or a table that is still loading must not hold the process.
    runtime.shutdown_background();
    code
}

/// Prints to stdout or stderr; a closed pipe is not an error.
fn say(is_error: bool, text: &str) {
    let text = text.trim_end();
    let _ = if is_error {
        writeln!(safe_output::stderr(), "{text}")
    } else {
        writeln!(safe_output::stdout(), "{text}")
    };
}
