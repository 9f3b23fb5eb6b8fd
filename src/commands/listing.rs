//! Files for others: settings, completions and manual pages.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use plimsoll::cli::{
    CompletionShell, ConfigArgs, ConfigTopic, ManArgs, ManualPage, completion_script, manual_pages,
};
use plimsoll::config;
use plimsoll::headless;

use super::output::{CommandResult, put, put_json, unless_closed};
use super::setup::CommandSetup;
use crate::launch::ExitFailure;

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
