//! Commands that work on a session without a screen, and `-p`.
//!
//! Each one writes data to stdout and nothing else; what went wrong is a [`ExitFailure`], and
//! what is wrong with a file goes to stderr. A reader that closes its end is not an error.

mod compact;
mod context;
mod cost;
mod decisions;
mod diff;
mod doctor;
mod engine;
mod fidelity;
mod ledger;
mod listing;
mod login;
mod mcp;
mod models;
mod output;
mod print;
mod prune;
mod recall;
mod sessions;
mod setup;
mod skills;
mod summary;

use plimsoll::agent::UndoOp;
use plimsoll::cli::{Cli, CliCommand, CommonArgs};

use self::decisions::{overrides, rules};
use self::output::CommandResult;
use self::setup::CommandSetup;
use crate::launch::{ExitFailure, Launch};

pub use print::{print, write_failure, write_refusal};

/// Runs the commands that need no valid configuration. `None`: the command line asks for
/// something else.
pub fn needs_no_settings(cli: &Cli) -> Option<CommandResult> {
    match &cli.command {
        Some(CliCommand::Config(args)) => listing::config_without_settings(*args),
        Some(CliCommand::Completions(args)) => Some(listing::completions(args.shell)),
        Some(CliCommand::Man(args)) => Some(listing::man(args)),
        _ => None,
    }
}

/// Runs a command.
pub async fn run(command: CliCommand, common: &CommonArgs, launch: Launch) -> CommandResult {
    let at = CommandSetup { common, launch };
    match command {
        CliCommand::Context(args) => context::context(&args, &at).await,
        CliCommand::Request(args) => context::request(&args, &at).await,
        CliCommand::Prune(args) => prune::prune(&args, &at).await,
        CliCommand::Compact(args) => compact::compact(&args, &at).await,
        CliCommand::Uncompact(session) => overrides::uncompact(&session, &at).await,
        CliCommand::Undo(args) => overrides::undo(UndoOp::UNDO, &args, &at).await,
        CliCommand::Redo(args) => overrides::undo(UndoOp::REDO, &args, &at).await,
        CliCommand::Pin(args) => overrides::pin(&args, &at).await,
        CliCommand::Drop(args) => overrides::drop_entry(&args, &at).await,
        CliCommand::Restore(args) => overrides::restore(&args, &at).await,
        CliCommand::Recall(args) => recall::recall(&args, &at).await,
        CliCommand::Rules(args) => rules::rules(&args, &at).await,
        CliCommand::Summary(args) => summary::summary(&args, &at),
        CliCommand::Fidelity(args) => fidelity::fidelity(&args, &at),
        CliCommand::Sessions(args) => sessions::sessions(&args, &at),
        // A flag by now.
        CliCommand::Resume(_) => Err(ExitFailure::usage(
            "resume needs a screen",
            "plim --resume ID",
        )),
        CliCommand::Import(args) => sessions::import::import(&args, &at),
        CliCommand::Search(args) => sessions::search::search(&args, &at),
        CliCommand::Export(args) => sessions::export::export(&args, &at).await,
        CliCommand::Handover(args) => sessions::export::handover(&args, &at),
        CliCommand::Cost(args) => cost::cost(&args, &at),
        CliCommand::Diff(args) => diff::diff(&args, &at),
        CliCommand::Models(args) => models::models(args, &at).await,
        CliCommand::Mcp(args) => mcp::mcp(&args, &at).await,
        CliCommand::Engine(args) => engine::engine(&args, &at),
        CliCommand::Skills(form) => skills::skills(form, &at),
        CliCommand::Doctor(form) => doctor::doctor(form, &at).await,
        CliCommand::Login(args) => login::login(&args, &at).await,
        CliCommand::Logout(args) => login::logout(&args, &at).await,
        CliCommand::Config(args) => listing::config(args, &at),
        CliCommand::Completions(args) => listing::completions(args.shell),
        CliCommand::Man(args) => listing::man(&args),
    }
}
