//! The user's own files are for nobody else. What the program makes is made so; here is seen
//! to what was there before, e.g. copied from elsewhere, or made under another umask.

use crate::config::paths::UserPaths;
use crate::disk::private;

/// Takes from others what they should not have of the user's files. Answers what should be
/// known of it, one sentence each.
pub fn close_to_others(paths: &UserPaths) -> Vec<String> {
    for folder in paths.private_folders() {
        // A folder that is somebody else's, or not there, is no reason not to start.
        if let Err(error) = private::close_to_others(&folder) {
            tracing::debug!(%error, "a folder is still accessible to other users");
        }
    }
    let file = paths.credentials_file();
    let name = file.display();
    match private::close_to_others(&file) {
        Ok(None) => Vec::new(),
        Ok(Some(mode)) => vec![format!(
            "{name} was readable by other users (mode {mode:04o}); now only you can read it. If \
             others use this machine, replace the keys in it"
        )],
        Err(error) => vec![format!(
            "{name} is readable by other users and is not used: {error}; make it private, e.g. \
             with chmod 600"
        )],
    }
}
