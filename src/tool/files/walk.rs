//! How folders are walked: what the tools that look around leave out.

use std::path::Path;
use std::sync::Arc;

use ignore::{DirEntry, WalkBuilder};

use crate::disk::ignores;
use crate::tool::scope::ToolScope;

/// The walk that `list` and `search` share: hidden files yes, `.git`, this program's own
/// files and (unless wanted) ignored ones no, and symlinks not followed, so that it stays
/// where it started.
pub(in crate::tool) fn walker(root: &Path, with_ignored: bool, scope: &ToolScope) -> WalkBuilder {
    let sealed = Arc::clone(&scope.sealed);
    // Long output of this session is kept beside the session, and is to be read.
    let is_output = sealed.holds(root);
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(!with_ignored)
        .hidden(false)
        .require_git(false)
        // The user's global ignore file is not part of the project.
        .git_global(false)
        .follow_links(false);
    let is_wanted = move |entry: &DirEntry| {
        let is_open = is_output || !sealed.holds(entry.path());
        entry.depth() == 0 || (is_open && entry.file_name() != ".git")
    };
    if with_ignored {
        builder.filter_entry(is_wanted);
    } else {
        ignores::guard(&mut builder, root, is_wanted);
    }
    builder
}
