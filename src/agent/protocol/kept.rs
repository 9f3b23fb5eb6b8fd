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
                "what is missing there is lost, because no other folder took a copy ({why}): free \
                 space or correct the rights before the next run"
            ),
            None => "no message is missing; free space or correct the rights, and do it again"
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
        ", which no disk has confirmed either"
    };
    format!(
        "a copy of all of it is in {path}{doubt}: move it where it lasts; `plim --session {path}` \
         goes on with it"
    )
}
