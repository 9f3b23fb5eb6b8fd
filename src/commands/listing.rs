//! Files for others: a session, settings, completions and manual pages.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use plimsoll::cli::{
    CompletionShell, ConfigArgs, ConfigTopic, ExportArgs, ExportFormatArg, ManArgs, ManualPage,
    completion_script, manual_pages,
};
use plimsoll::config;
use plimsoll::disk::open;
use plimsoll::session;
use plimsoll::{foreign, headless};

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
        ConfigTopic::Schema => schema(args),
    }
}

/// What helps to repair a broken configuration, and needs no valid one.
pub(super) fn config_without_settings(args: ConfigArgs) -> Option<CommandResult> {
    if args.events && args.what != ConfigTopic::Schema {
        return Some(Err(ExitFailure::usage(
            "--events goes with schema",
            "plim config schema --events",
        )));
    }
    match args.what {
        ConfigTopic::Show => None,
        ConfigTopic::Default => Some(put(&config::default_toml())),
        ConfigTopic::Path => Some(
            crate::launch::paths()
                .and_then(|paths| put(&format!("{}\n", paths.config_file().display()))),
        ),
        ConfigTopic::Schema => Some(schema(args)),
    }
}

fn schema(args: ConfigArgs) -> CommandResult {
    if args.events {
        put_json(&headless::events_schema())
    } else {
        put_json(&config::json_schema())
    }
}

/// `plim completions`
pub(super) fn completions(shell: CompletionShell) -> CommandResult {
    bytes_to_stdout(&completion_script(shell))
}

/// `plim man`
pub(super) fn man(args: &ManArgs) -> CommandResult {
    let pages = manual_pages()
        .map_err(|error| ExitFailure::failed(format!("the manual was not made: {error}")))?;
    match (&args.folder, pages.first()) {
        (Some(folder), _) => {
            write_pages(folder, &pages)
                .map_err(|error| ExitFailure::failed(format!("{}: {error}", folder.display())))?;
            put(&format!(
                "{} manual pages in {}\n",
                pages.len(),
                folder.display()
            ))
        }
        (None, Some(main)) => bytes_to_stdout(&main.text),
        (None, None) => put(""),
    }
}

fn write_pages(folder: &Path, pages: &[ManualPage]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for page in pages {
        fs::write(folder.join(&page.file_name), &page.text)?;
    }
    Ok(())
}

/// As they are: shells and `man` read them, and none of it is foreign text.
fn bytes_to_stdout(bytes: &[u8]) -> CommandResult {
    let mut out = io::stdout().lock();
    unless_closed(out.write_all(bytes).and_then(|()| out.flush()))
}
