//! Lists and files: models, settings, and a session for other eyes.

use std::io;

use plimsoll::cli::{Cli, CliCommand, ConfigArgs, ConfigTopic, ExportArgs, ExportFormatArg};
use plimsoll::config;
use plimsoll::disk::open;
use plimsoll::foreign;
use plimsoll::session;

use super::context::unknown;
use super::output::{CommandResult, put, put_json, say, unless_closed};
use super::setup::CommandSetup;
use crate::launch::ExitFailure;

/// `plim export`
pub async fn export(args: &ExportArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    // Also for a copy: what is no session is not exported as one.
    let loaded = match args.format {
        ExportFormatArg::Jsonl => session::load(&path)?,
        ExportFormatArg::Md | ExportFormatArg::Html | ExportFormatArg::Json => {
            foreign::load(&path)?
        }
    };
    for problem in &loaded.problems {
        say(&format!("line {}: {}", problem.line, problem.what), None);
    }
    match args.format {
        ExportFormatArg::Md => put(&session::markdown(&loaded.header, &loaded.transcript)),
        ExportFormatArg::Html => put(&session::html(&loaded.header, &loaded.transcript)),
        ExportFormatArg::Json => {
            let body = at.look(&args.session).await?.wire_body();
            put_json(&body.map_err(|error| unknown(&error))?)
        }
        ExportFormatArg::Jsonl => {
            let mut file = open::following(&path)
                .map_err(|error| ExitFailure::failed(format!("{}: {error}", path.display())))?;
            let copied = io::copy(&mut file, &mut io::stdout().lock());
            unless_closed(copied.map(|_| ()))
        }
    }
}

/// `plim config show`
pub fn config(args: ConfigArgs, at: &CommandSetup<'_>) -> CommandResult {
    match args.what {
        ConfigTopic::Show => put(&config::show(&at.launch.resolved)),
        ConfigTopic::Default => put(&config::default_toml()),
        ConfigTopic::Path => put(&format!("{}\n", at.launch.paths.config_file().display())),
    }
}

/// Runs the commands that help to repair a broken configuration and need no valid one. `None`:
/// the command line asks for something else.
pub fn needs_no_settings(cli: &Cli) -> Option<CommandResult> {
    let Some(CliCommand::Config(args)) = &cli.command else {
        return None;
    };
    match args.what {
        ConfigTopic::Show => None,
        ConfigTopic::Default => Some(put(&config::default_toml())),
        ConfigTopic::Path => Some(
            crate::launch::paths()
                .and_then(|paths| put(&format!("{}\n", paths.config_file().display()))),
        ),
    }
}
