//! `plim engine` with its arguments.

use clap::{Args, Subcommand};

/// `plim engine`
#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// What to do.
    #[command(subcommand)]
    pub act: EngineAct,
}

/// What `plim engine` does.
#[derive(Clone, Debug, Subcommand)]
pub enum EngineAct {
    /// Print the JSON Schema of the lines between plim and an engine program
    #[command(after_help = "Example: plim engine schema")]
    Schema,
    /// Try a program on made-up conversations; exit code 1 if it fails one
    #[command(after_help = "Example: plim engine check \"python3 topic_window.py\"")]
    Check {
        /// The command, run by the shell
        command: String,
        /// Print JSON
        ///
        /// An object: `passed`, and `trials`, each with `claim`, `passed` and `fault` (or null).
        #[arg(long, verbatim_doc_comment)]
        json: bool,
    },
}
