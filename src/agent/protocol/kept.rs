//! How much of a session is on disk when it is left.

use std::path::Path;

use super::Notice;
use crate::session::RescueCopy;

/// How a session is kept once it is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// Nothing was to be kept: nothing was said, or no file was wanted.
    Nothing,
    /// All of it is on the disk, which has confirmed it.
    Saved,
    /// Not all of it is.
    Unsaved(UnsavedSession),
}

/// A session that could not be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedSession {
    /// The missing part and the reason, one sentence.
    pub reason: String,
    /// The copy of all of it in another folder, or why no folder took one. `None` where
    /// nothing that was said is missing.
    pub copy: Option<Result<RescueCopy, String>>,
}

impl UnsavedSession {
    /// The notice for a front end that leaves the session.
    pub fn notice(&self) -> Notice {
        Notice::error(&self.reason).with_hint(match &self.copy {
            Some(Ok(copy)) => found_in(copy),
            Some(Err(why)) => format!(
                "the messages missing in that file are lost: no other folder could take a copy \
                 ({why}). Free disk space or correct the permissions before the next run"
            ),
            None => "no message is missing; free disk space or correct the permissions, then \
                repeat the command"
                .to_owned(),
        })
    }

    /// The copy's file, when there is one.
    pub fn copy_path(&self) -> Option<&Path> {
        let copy = self.copy.as_ref()?.as_ref().ok()?;
        Some(&copy.path)
    }
}

fn found_in(copy: &RescueCopy) -> String {
    let path = copy.path.display();
    let doubt = if copy.is_confirmed {
        ""
    } else {
        ", not confirmed by the disk either"
    };
    format!(
        "a complete copy is in {path}{doubt}: move it to a lasting place; `plim --session \
         {path}` continues with it"
    )
}
