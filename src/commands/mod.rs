//! Commands that work on a session without a screen, and `-p`.
//!
//! Each one writes data to stdout and nothing else; what went wrong is a [`Failure`], and
//! what is wrong with a file goes to stderr. A reader that closes its end is no error.

mod compact;
mod context;
mod cost;
mod diff;
mod doctor;
mod ledger;
mod listing;
mod login;
mod models;
mod overrides;
mod print;
mod prune;
mod sessions;
mod summary;

use std::io::{self, Write};

use plimsoll::agent::{Lookout, Notice, NoticeLevel, SessionSource, UndoOp};
use plimsoll::cli::{Command, CommonArgs, ExitCode, SessionArg};
use plimsoll::transcript::{grouped, plural, signed};

use crate::launch::{Failure, Launch};
use crate::printer;

pub use listing::needs_no_settings;
pub use print::{print, write_failure, write_refusal};

/// What a command answers with: the exit code, or why there is none.
type Done = Result<u8, Failure>;

/// Runs a command.
pub async fn run(command: Command, common: &CommonArgs, launch: Launch) -> Done {
    let at = Place { common, launch };
    match command {
        Command::Context(args) => context::context(&args, &at).await,
        Command::Request(args) => context::request(&args, &at).await,
        Command::Prune(args) => prune::prune(&args, &at).await,
        Command::Compact(args) => compact::compact(&args, &at).await,
        Command::Uncompact(session) => overrides::uncompact(&session, &at).await,
        Command::Undo(args) => overrides::undo(UndoOp::UNDO, &args, &at).await,
        Command::Redo(args) => overrides::undo(UndoOp::REDO, &args, &at).await,
        Command::Pin(args) => overrides::pin(&args, &at).await,
        Command::Drop(args) => overrides::drop_entry(&args, &at).await,
        Command::Restore(args) => overrides::restore(&args, &at).await,
        Command::Summary(args) => summary::summary(&args, &at),
        Command::Sessions(args) => sessions::sessions(&args, &at),
        // A flag by now.
        Command::Resume(_) => Err(Failure::usage(
            "resume opens the screen",
            "plim --resume ID",
        )),
        Command::Export(args) => listing::export(&args, &at).await,
        Command::Cost(args) => cost::cost(&args, &at),
        Command::Diff(args) => diff::diff(&args, &at),
        Command::Models(args) => models::models(args, &at).await,
        Command::Doctor(form) => doctor::doctor(form, &at).await,
        Command::Login(args) => login::login(&args, &at).await,
        Command::Logout(args) => login::logout(&args, &at).await,
        Command::Config(args) => listing::config(args, &at),
    }
}

/// Where a command runs.
struct Place<'a> {
    common: &'a CommonArgs,
    launch: Launch,
}

impl Place<'_> {
    /// The session of a command, to be looked at.
    async fn look(&self, session: &SessionArg) -> Result<Lookout, Failure> {
        let path = self.launch.session_to_read(self.common, session)?;
        self.open(SessionSource::Read(path)).await
    }

    /// The session of a command, to be added to. Fails when it cannot be written.
    async fn change(&self, session: &SessionArg) -> Result<Lookout, Failure> {
        let path = self.launch.session_to_read(self.common, session)?;
        let lookout = self.open(SessionSource::Open(path)).await?;
        match lookout.conversation.read_only() {
            None => Ok(lookout),
            Some(why) => Err(not_writable(&why)),
        }
    }

    async fn open(&self, source: SessionSource) -> Result<Lookout, Failure> {
        let (lookout, notices) = Lookout::open(self.launch.setup(source, false)).await?;
        for notice in notices {
            warn(&notice);
        }
        Ok(lookout)
    }
}

fn not_writable(why: &str) -> Failure {
    Failure::failed(format!("nothing was changed: the session is {why}"))
        .with_hint("close the other program, or make the file writable, and try again")
}

/// Writes data to stdout.
fn put(text: &str) -> Done {
    let mut out = printer::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    unless_closed(written)
}

/// The same with a value as pretty JSON.
fn put_json(value: &serde_json::Value) -> Done {
    put(&format!("{value:#}\n"))
}

/// A reader that is gone has all that it wanted.
fn unless_closed(written: io::Result<()>) -> Done {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::failed(format!(
            "the output could not be written: {error}"
        ))),
        _ => Ok(ExitCode::Done as u8),
    }
}

/// Says on stderr what is not as it should be.
fn warn(notice: &Notice) {
    if notice.level == NoticeLevel::Info {
        return;
    }
    say(&notice.text, notice.hint.as_deref());
}

/// One sentence and a hint on stderr. When even that is closed there is nobody to tell.
fn say(text: &str, hint: Option<&str>) {
    let mut err = printer::stderr();
    let _ = writeln!(err, "plim: {text}");
    if let Some(hint) = hint {
        let _ = writeln!(err, "hint: {hint}");
    }
}
