//! Commands that work on a session without a screen, and `-p`.
//!
//! Each one writes data to stdout and nothing else; what went wrong is a [`ExitFailure`], and
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
mod output;
mod overrides;
mod print;
mod prune;
mod sessions;
mod setup;
mod summary;

use plimsoll::agent::UndoOp;
use plimsoll::cli::{Command, CommonArgs};

use self::output::CommandResult;
use self::setup::CommandSetup;
use crate::launch::{ExitFailure, Launch};

pub use listing::needs_no_settings;
pub use print::{print, write_failure, write_refusal};

/// Runs a command.
pub async fn run(command: Command, common: &CommonArgs, launch: Launch) -> CommandResult {
    let at = CommandSetup { common, launch };
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
        Command::Resume(_) => Err(ExitFailure::usage(
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
