//! Output of commands: data to stdout, problems to stderr.

use std::io::{self, Write};

use plimsoll::agent::{Notice, NoticeLevel};
use plimsoll::cli::{self, ExitCode};

use crate::launch::ExitFailure;
use crate::safe_output;

/// The result of a command: the exit code, or an error.
pub(super) type CommandResult = Result<u8, ExitFailure>;

/// Writes data to stdout.
pub(super) fn put(text: &str) -> CommandResult {
    let mut out = safe_output::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    unless_closed(written)
}

/// Writes a value to stdout as pretty JSON.
pub(super) fn put_json(value: &serde_json::Value) -> CommandResult {
    put(&format!("{value:#}\n"))
}

/// A reader that is gone has all that it wanted.
pub(super) fn unless_closed(written: io::Result<()>) -> CommandResult {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(ExitFailure::failed(
            format!("the output could not be written: {error}"),
        )),
        _ => Ok(ExitCode::Done as u8),
    }
}

/// Says on stderr what is not as it should be.
pub(super) fn warn(notice: &Notice) {
    if notice.level == NoticeLevel::Info {
        return;
    }
    let hint = notice.hint.as_deref().map(cli::in_shell_words);
    say(&notice.text, hint.as_deref());
}

/// One sentence and a hint on stderr. When even that is closed there is nobody to tell.
pub(super) fn say(text: &str, hint: Option<&str>) {
    let mut err = safe_output::stderr();
    let _ = writeln!(err, "plim: {text}");
    if let Some(hint) = hint {
        let _ = writeln!(err, "hint: {hint}");
    }
}
