//! The arguments of `plim recall`.

use clap::Args;

use super::session_choice::SessionRef;

/// `plim recall`
///
/// Searches everything that was said, on all branches, whether or not the context still holds
/// it. A hit is marked when the model may not recall it.
#[derive(Clone, Debug, Args)]
pub struct RecallArgs {
    /// What to search for, or the address of an entry (r41); the session when that follows
    #[arg(value_name = "TEXT|SESSION")]
    first: String,
    /// What to search for, or the address of an entry
    #[arg(value_name = "TEXT")]
    second: Option<String>,
    /// Hits at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
    /// Print JSON
    ///
    /// An array of hits, or the one entry: `entry`, `address` (null on another branch), `access`
    /// (open, in the window, or why the model may not recall it), `speaker`, `tool`, `time`,
    /// `line` and `snippet` of a hit, `text` of an entry.
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
}

impl RecallArgs {
    /// The session.
    pub fn session(&self) -> SessionRef {
        let session = self.second.as_ref().map(|_| self.first.as_str());
        SessionRef::from_text(session)
    }

    /// The text or address.
    pub fn wanted(&self) -> &str {
        self.second.as_deref().unwrap_or(&self.first)
    }
}
