//! What `update` wants done. The runner carries effects out; `update` itself has no I/O.

use crate::agent::Op;

/// One thing for the runner to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the agent.
    Send(Op),
    /// Leave the program.
    Quit,
    /// Stop the process as Ctrl-Z does; come back with a clean screen.
    Suspend,
    /// Put text on the clipboard.
    Copy(String),
    /// Call the user from another window.
    Call(String),
    /// Open `$EDITOR` on a text; the result comes back as `Msg::Edited`.
    Edit {
        /// What the editor shows.
        text: String,
        /// Who asked; given back with the result.
        purpose: EditPurpose,
    },
    /// List the files of the workspace for `@` completion; comes back as `Msg::Files`.
    ScanFiles,
    /// Read an image file to attach it; comes back as `Msg::Attached`.
    Attach(std::path::PathBuf),
    /// Keep the composer's text, so that it survives a crash. Empty removes it.
    SaveDraft(String),
    /// Add a line to the input history.
    SaveHistory(String),
    /// Use another theme; comes back as `Msg::Theme`.
    LoadTheme(String),
}

/// Who asked for `$EDITOR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditPurpose {
    /// The composer.
    Composer,
    /// The summary under review.
    Review,
}
