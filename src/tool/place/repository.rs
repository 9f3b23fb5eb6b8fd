//! Which repository git would find from a folder. Git runs programs that the repository's
//! configuration names, and takes any folder with `HEAD`, `objects` and `refs` for one: a
//! repository that was not there when the session began is not the user's.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::git_folder::GitFolder;

/// More of a `.git` file is not looked at: it is one line.
const MAX_POINTER_BYTES: usize = 4_096;

/// The repository that git would use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundRepository {
    /// The `.git` folder or file, or the folder that is a repository itself.
    place: PathBuf,
    /// The target of a `.git` file.
    pointer: Option<String>,
}

/// The repository that commands in a folder are known to use.
#[derive(Debug, Default)]
pub struct KnownRepository(Mutex<Option<FoundRepository>>);

impl KnownRepository {
    /// The one that git finds from a folder now.
    pub fn around(folder: &Path) -> Self {
        Self(Mutex::new(find(folder)))
    }

    /// Why a git command in the folder asks, whatever was allowed before.
    pub(in crate::tool) fn caution(&self, folder: &Path) -> Option<String> {
        let now = find(folder)?;
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (known.as_ref() != Some(&now)).then(|| {
            format!(
                "git would use {}, which was not its repository when the session began, and \
                 would run what the configuration there names",
                now.place.display()
            )
        })
    }

    /// Takes the one that is there now for known: the user let a git command run with it.
    pub(in crate::tool) fn accept(&self, folder: &Path) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = find(folder);
    }
}

/// The folders of the repository that git finds from a folder; `None` without one.
pub(in crate::tool) fn git_folder(folder: &Path) -> Option<GitFolder> {
    GitFolder::of(&find(folder)?.place)
}

/// Whether a command may have git run: the word is somewhere in it.
pub(in crate::tool) fn mentions_git(command: &str) -> bool {
    command.to_lowercase().contains("git")
}

/// Whether one of the nearest `depth` folders of a file is one that git takes for a repository.
pub(in crate::tool) fn is_in_repository(path: &Path, depth: usize) -> bool {
    path.ancestors().skip(1).take(depth).any(is_bare)
}

fn find(folder: &Path) -> Option<FoundRepository> {
    folder.ancestors().find_map(|folder| {
        let place = folder.join(".git");
        if place.symlink_metadata().is_ok() {
            let pointer = place
                .is_file()
                .then(|| std::fs::read_to_string(&place).ok())
                .flatten()
                .map(|text| text.chars().take(MAX_POINTER_BYTES).collect());
            return Some(FoundRepository { place, pointer });
        }
        is_bare(folder).then(|| FoundRepository {
            place: folder.to_owned(),
            pointer: None,
        })
    })
}

/// Whether git would take the folder itself for a repository. Git also looks into the files;
/// what they say can change.
fn is_bare(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
    has("HEAD") && ((has("objects") && has("refs")) || has("commondir"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(folder: &Path) {
        for name in ["objects", "refs"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        std::fs::write(folder.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn a_repository_that_comes_up_during_the_session_is_said_until_it_is_accepted() {
        let top = tempfile::tempdir().unwrap();
        let sub = top.path().join("sub");
        std::fs::create_dir_all(top.path().join(".git")).unwrap();
        std::fs::create_dir(&sub).unwrap();
        let known = KnownRepository::around(&sub);
        assert_eq!(known.caution(&sub), None);
        bare(&sub);
        assert!(known.caution(&sub).unwrap().contains("/sub,"));
        assert!(is_in_repository(&sub.join("hooks/x"), 2));
        assert!(!is_in_repository(&sub.join("hooks/x"), 1));
        assert!(!is_in_repository(&top.path().join("config"), 1));
        known.accept(&sub);
        assert_eq!(known.caution(&sub), None);
        std::fs::write(sub.join(".git"), "gitdir: elsewhere\n").unwrap();
        assert!(known.caution(&sub).is_some());
        known.accept(&sub);
        std::fs::write(sub.join(".git"), "gitdir: somewhere\n").unwrap();
        assert!(known.caution(&sub).is_some());
    }

    #[test]
    fn the_users_own_repository_and_no_repository_are_not_said() {
        let top = tempfile::tempdir().unwrap();
        let known = KnownRepository::around(top.path());
        assert_eq!(known.caution(top.path()), None);
        bare(top.path());
        let known = KnownRepository::around(top.path());
        assert_eq!(known.caution(top.path()), None);
    }

    #[test]
    fn git_is_heard_wherever_a_command_says_it() {
        for command in [
            "git status",
            "cd x && git log",
            "timeout 5 /usr/bin/git x",
            "GIT x",
        ] {
            assert!(mentions_git(command), "{command}");
        }
        assert!(!mentions_git("cargo test"));
    }
}
