//! Where tools may work: paths as they really are, what lies outside the workspace, and the
//! files that ask or stay closed wherever they lie.

mod git_folder;
pub(super) mod path;
pub(super) mod repository;
pub(super) mod sealed;
pub(super) mod sensitive;
