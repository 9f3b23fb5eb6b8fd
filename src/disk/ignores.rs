//! Lists of ignored files (`.gitignore`, `.ignore`) are read while folders are walked, by a
//! library that opens whatever has the name. A pipe or a link to a device there would hold
//! the program for ever: a folder with such a list is left out.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

/// Names under which the walk looks for lists.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];
/// No list of patterns is larger.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Makes a walk that starts at `root` pass over folders whose lists cannot be read, and
/// over what is not wanted.
pub fn guard(
    builder: &mut WalkBuilder,
    root: &Path,
    is_wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) {
    if !root.ancestors().skip(1).all(are_readable) {
        builder.parents(false);
    }
    if !are_readable(root) {
        builder
            .ignore(false)
            .git_ignore(false)
            .git_exclude(false)
            .parents(false);
        builder.filter_entry(is_wanted);
        return;
    }
    builder.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        is_wanted(entry) && (!is_folder || are_readable(entry.path()))
    });
}

/// Whether the lists of a folder are files of a size that can be read.
fn are_readable(folder: &Path) -> bool {
    NAMES.iter().all(|name| match folder.join(name).metadata() {
        Ok(metadata) => metadata.is_file() && metadata.len() <= MAX_BYTES,
        // What is not there is not read.
        Err(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn walked(root: &Path) -> Vec<String> {
        let mut builder = WalkBuilder::new(root);
        builder.require_git(false);
        guard(&mut builder, root, |_| true);
        let files = builder.build().flatten();
        let mut names: Vec<String> = files
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_walk_does_not_wait_for_a_list_that_is_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["good", "bad"] {
            std::fs::create_dir(at(folder)).unwrap();
            std::fs::write(at(folder).join(format!("{folder}.rs")), "").unwrap();
        }
        std::fs::write(at("good/.gitignore"), "hidden").unwrap();
        std::fs::write(at("good/hidden"), "").unwrap();
        symlink("/dev/zero", at("bad/.gitignore")).unwrap();
        assert_eq!(walked(dir.path()), ["good.rs"]);
        symlink("/dev/zero", at(".ignore")).unwrap();
        let names = walked(dir.path());
        assert!(names.contains(&"good.rs".to_owned()), "{names:?}");
    }
}
