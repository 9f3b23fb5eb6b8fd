//! The program's own files: keys, settings, permissions, sessions. No tool reads or changes
//! them, wherever it works and whatever is allowed.

use std::path::{Path, PathBuf};

use super::path::physical;

/// Places that no tool looks into.
#[derive(Clone, Debug, Default)]
pub struct SealedPlaces(Vec<PathBuf>);

impl SealedPlaces {
    /// These files and folders; and these folders as a whole, unless the work is done in
    /// them.
    pub fn new(always: Vec<PathBuf>, folders: Vec<PathBuf>, cwd: &Path) -> Self {
        let cwd = physical(cwd).unwrap_or_else(|_| cwd.to_owned());
        let own = |path: PathBuf| physical(&path).unwrap_or(path);
        let folders = folders
            .into_iter()
            .map(own)
            .filter(|folder| !is_within(&cwd, folder));
        let folders: Vec<PathBuf> = folders.collect();
        Self(always.into_iter().map(own).chain(folders).collect())
    }

    /// Whether a resolved path is one of them or lies in one.
    pub fn holds(&self, path: &Path) -> bool {
        self.0.iter().any(|place| is_within(path, place))
    }

    /// Whether one of them lies in a folder and is there.
    pub(in crate::tool) fn is_below(&self, folder: &Path) -> bool {
        self.0
            .iter()
            .any(|place| is_within(place, folder) && place.symlink_metadata().is_ok())
    }
}

/// Without regard to case, as some file systems compare names.
fn is_within(path: &Path, folder: &Path) -> bool {
    let mut parts = path.components();
    folder.components().all(|part| {
        parts
            .next()
            .is_some_and(|it| it.as_os_str().eq_ignore_ascii_case(part.as_os_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_which_the_work_is_done_is_open_but_for_the_files_in_it_that_never_are() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let places =
            |cwd: &Path| SealedPlaces::new(vec![home.join("keys")], vec![home.clone()], cwd);
        let elsewhere = places(Path::new("/"));
        let here = places(&home.join("themes"));
        for path in ["keys", "KEYS", "keys/deep"] {
            assert!(elsewhere.holds(&home.join(path)) && here.holds(&home.join(path)));
        }
        assert!(elsewhere.holds(&home.join("themes/a")) && !here.holds(&home.join("themes/a")));
        assert!(!elsewhere.holds(&home.with_extension("other")));
    }

    #[test]
    fn a_link_to_a_place_does_not_unseal_it() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir(home.join("real")).unwrap();
        std::os::unix::fs::symlink("real", home.join("link")).unwrap();
        let places = SealedPlaces::new(vec![home.join("link")], Vec::new(), Path::new("/"));
        assert!(places.holds(&home.join("real/keys")));
    }
}
