//! `plim models` with its arguments.

use clap::Args;

/// `plim models`
#[derive(Clone, Copy, Debug, Args)]
pub struct ModelsArgs {
    /// Update the lists of all providers with a key or an address of yours, and the facts of
    /// models.dev
    #[arg(long)]
    pub refresh: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
