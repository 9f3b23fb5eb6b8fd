//! Throwing a session away: it moves to a folder beside the others, where no list looks,
//! with its outputs. Nothing is erased; what is open in a process is not moved.

use std::path::{Path, PathBuf};

use super::access::Access;
use super::error::SessionError;
use super::log::lock::{LockAttempt, SessionLock};
use super::paths::outputs_folder;
use crate::disk::private;

/// The folder beside the sessions of a directory.
const TRASH: &str = "trash";

/// Moves a session and its outputs to the trash folder beside it; answers where it is now.
///
/// # Errors
///
/// A process has it open, one of that name is in the trash already, or the system does not
/// let us. Then it is where it was.
pub fn discard(session: &Path) -> Result<PathBuf, SessionError> {
    let io = || SessionError::io(session);
    let (Some(folder), Some(name)) = (session.parent(), session.file_name()) else {
        return Err(io()(std::io::ErrorKind::InvalidInput.into()));
    };
    let _lock = match SessionLock::acquire(session).map_err(io())? {
        LockAttempt::Held(lock) => lock,
        LockAttempt::Busy(pid) => {
            return Err(SessionError::ReadOnly {
                path: session.to_owned(),
                access: Access::Held { pid },
                unsaved: 0,
            });
        }
    };
    let trash = folder.join(TRASH);
    private::create_folder(&trash).map_err(io())?;
    let target = trash.join(name);
    if target.exists() {
        return Err(io()(std::io::ErrorKind::AlreadyExists.into()));
    }
    let outputs = outputs_folder(session);
    std::fs::rename(session, &target).map_err(io())?;
    if outputs.is_dir() {
        std::fs::rename(&outputs, outputs_folder(&target)).map_err(SessionError::io(&outputs))?;
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::index::{Scope, list};

    #[test]
    fn a_discarded_session_is_whole_and_in_no_list() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("--w--");
        std::fs::create_dir_all(folder.join("s.d")).unwrap();
        std::fs::write(folder.join("s.d/out.txt"), "output").unwrap();
        let session = folder.join("s.jsonl");
        let text = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n";
        std::fs::write(&session, text).unwrap();
        let trashed = discard(&session).unwrap();
        assert_eq!(trashed, folder.join("trash/s.jsonl"));
        assert_eq!(std::fs::read_to_string(&trashed).unwrap(), text);
        assert!(folder.join("trash/s.d/out.txt").is_file());
        assert!(!session.exists() && !folder.join("s.d").exists());
        assert_eq!(list(home.path(), Scope::All).unwrap(), []);
        assert_eq!(list(home.path(), Scope::Cwd(Path::new("/w"))).unwrap(), []);

        std::fs::write(&session, text).unwrap();
        assert!(discard(&session).is_err(), "one of that name is there");
        assert!(session.is_file());
    }

    #[test]
    fn a_session_that_is_open_is_not_discarded() {
        let home = tempfile::tempdir().unwrap();
        let session = home.path().join("s.jsonl");
        std::fs::write(&session, "{}").unwrap();
        let lock = SessionLock::acquire(&session).unwrap();
        let error = discard(&session).unwrap_err();
        assert!(matches!(error, SessionError::ReadOnly { .. }), "{error}");
        assert!(session.is_file());
        drop(lock);
        discard(&session).unwrap();
    }
}
