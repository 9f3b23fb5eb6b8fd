//! Turns a path that a model wrote into the real file, and says whether that lies in the
//! workspace.
//!
//! Symlinks and `..` are resolved as the kernel does, one component after the other, also
//! where the last ones do not exist yet; so neither leads out of the workspace unnoticed.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::repository::is_in_repository;
use super::sensitive::{holds_secrets, loaded_by};
use crate::disk::private;
use crate::tool::outcome::ToolError;
use crate::tool::scope::ToolScope;

/// As many symlinks as Linux follows before it says that they go in circles.
const MAX_LINKS: usize = 40;

/// Places that are the running system and no files: reading one answers with what a process
/// holds, and writing one changes it.
const SYSTEM_PLACES: [&str; 3] = ["/proc", "/sys", "/dev"];

/// A place among them that holds files like any other.
const SHARED_MEMORY: &str = "/dev/shm";

/// Folders that ask for a change also when the workspace lies in them.
const ALWAYS_LOADED: [&str; 3] = [".git", ".ssh", ".gnupg"];

/// A path argument, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath {
    /// Absolute, without symlinks and `..`.
    pub absolute: PathBuf,
    /// For titles and messages: relative to the working directory when it is inside.
    pub shown: String,
    /// Whether it lies outside the working directory and the extra directories.
    pub is_outside: bool,
    /// As it was written, from the workspace on where that can be said: a link may have
    /// another name than what it leads to, and either may be known.
    written: PathBuf,
    /// From the folder of the workspace on that it lies in; all of it outside.
    below: PathBuf,
}

impl ResolvedPath {
    /// The path as a plan lists it when looking at it needs an answer of the user.
    pub(in crate::tool) fn outside_for_reading(&self, scope: &ToolScope) -> Vec<PathBuf> {
        let is_offered = is_spilled(&self.absolute, scope) || is_of_skill(&self.absolute, scope);
        if self.is_outside && !is_offered {
            vec![self.absolute.clone()]
        } else {
            Vec::new()
        }
    }

    /// The path as a plan lists it when changing it needs an answer of the user.
    pub(in crate::tool) fn outside_for_writing(&self) -> Vec<PathBuf> {
        let outside = self.is_outside.then(|| self.absolute.clone());
        outside.into_iter().collect()
    }

    /// Why looking at it needs an answer of the user, wherever it is.
    pub(in crate::tool) fn cautions_for_reading(&self, scope: &ToolScope) -> Vec<String> {
        let is_secret = holds_secrets(&self.below) || holds_secrets(&self.written);
        let text = || {
            format!(
                "{}: files with this name contain keys or passwords",
                self.shown
            )
        };
        let caution = (is_secret && !is_spilled(&self.absolute, scope)).then(text);
        caution.into_iter().collect()
    }

    /// Whether changing it needs an answer of the user in all modes but the widest.
    pub(in crate::tool) fn asks_before_writing(&self, scope: &ToolScope) -> bool {
        self.is_outside || !self.cautions_for_writing(scope).is_empty()
    }

    /// Why changing it needs an answer of the user, wherever it is.
    pub(in crate::tool) fn cautions_for_writing(&self, scope: &ToolScope) -> Vec<String> {
        let is_in = |name: &str| {
            let mut parts = self.absolute.components();
            parts.any(|part| part.as_os_str().eq_ignore_ascii_case(name))
        };
        let above = ALWAYS_LOADED.into_iter().find(|name| is_in(name));
        let why = loaded_by(&self.below)
            .or_else(|| loaded_by(&self.written))
            .or_else(|| above.and_then(|name| loaded_by(Path::new(name))))
            .or_else(|| {
                is_in_repository(&self.absolute, self.below.components().count())
                    .then_some("it is in a folder that git treats as a repository")
            })
            .or_else(|| is_of_skill(&self.absolute, scope).then_some("it is a part of a skill"));
        let loaded = why.map(|why| format!("{}: {why}", self.shown));
        loaded
            .into_iter()
            .chain(self.cautions_for_reading(scope))
            .collect()
    }
}

/// Whether it is output of this session that was too long for a page.
fn is_spilled(absolute: &Path, scope: &ToolScope) -> bool {
    spill_folder(scope).is_some_and(|dir| absolute.starts_with(dir))
}

/// Whether it belongs to a skill that is offered.
fn is_of_skill(absolute: &Path, scope: &ToolScope) -> bool {
    scope.skill_dirs.iter().any(|dir| absolute.starts_with(dir))
}

/// Resolves a path argument. Relative paths start at the working directory; `~` is the
/// scope's home. The file need not exist.
pub fn resolve(raw: &str, scope: &ToolScope) -> Result<ResolvedPath, ToolError> {
    if raw.is_empty() {
        return Err(ToolError("The path is empty.".to_owned()));
    }
    if raw.contains('\0') {
        return Err(ToolError("The path contains a NUL character.".to_owned()));
    }
    let cwd = physical(&scope.cwd)?;
    let typed = expand_home(raw, scope)?;
    let absolute = physical(&cwd.join(&typed))?;
    let absolute = own_output(&absolute, scope).unwrap_or(absolute);
    let mut roots = vec![cwd.clone()];
    for dir in &scope.extra_dirs {
        roots.push(physical(&cwd.join(dir))?);
    }
    let below = roots
        .iter()
        .find_map(|root| absolute.strip_prefix(root).ok());
    let shown = match absolute.strip_prefix(&cwd) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".to_owned(),
        Ok(rest) => rest.display().to_string(),
        Err(_) => absolute.display().to_string(),
    };
    check_place(&absolute, &shown, scope)?;
    Ok(ResolvedPath {
        is_outside: below.is_none(),
        below: below.unwrap_or(&absolute).to_owned(),
        written: written_below(&typed, &roots),
        absolute,
        shown,
    })
}

/// The folder of the session's outputs. It may have come with the session from elsewhere: a
/// link in its place would make anything readable.
fn spill_folder(scope: &ToolScope) -> Option<PathBuf> {
    let folder = scope.spill_dir.as_deref()?;
    private::check_folder(folder).ok()?;
    physical(folder).ok()
}

/// Refuses what no tool reads or changes, whatever is allowed: the running system, and what
/// this program keeps for itself.
fn check_place(absolute: &Path, shown: &str, scope: &ToolScope) -> Result<(), ToolError> {
    let is_system = SYSTEM_PLACES.iter().any(|it| absolute.starts_with(it));
    if is_system && !absolute.starts_with(SHARED_MEMORY) {
        return Err(ToolError(format!(
            "{shown} is a part of the running system (/proc, /sys, /dev), not a file: tools \
             neither read nor change it, and this one did nothing."
        )));
    }
    let is_offered = is_spilled(absolute, scope) || is_of_skill(absolute, scope);
    if scope.sealed.holds(absolute) && !is_offered {
        return Err(ToolError(format!(
            "{shown} belongs to Plimsoll itself (keys, settings, sessions): tools neither read \
             nor change it, and this one did nothing. The user can open it."
        )));
    }
    Ok(())
}

/// The written path from the workspace on; of a path that reaches it another way, the name.
fn written_below(typed: &Path, roots: &[PathBuf]) -> PathBuf {
    if typed.is_relative() {
        return typed.to_owned();
    }
    let below = roots.iter().find_map(|root| typed.strip_prefix(root).ok());
    match below {
        Some(below) => below.to_owned(),
        None => typed.file_name().map(PathBuf::from).unwrap_or_default(),
    }
}

/// Output of the session that this one was forked from is named by where it was kept
/// there: the fork has it as well, also when the other session is gone.
fn own_output(absolute: &Path, scope: &ToolScope) -> Option<PathBuf> {
    let own = spill_folder(scope)?;
    let folder = absolute.parent()?;
    let is_sibling = folder != own
        && folder.parent() == own.parent()
        && folder.extension().is_some()
        && folder.extension() == own.extension();
    let copy = own.join(absolute.file_name()?);
    (is_sibling && copy.is_file()).then_some(copy)
}

fn expand_home(raw: &str, scope: &ToolScope) -> Result<PathBuf, ToolError> {
    let rest = match raw.strip_prefix('~') {
        Some("") => "",
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => return Ok(PathBuf::from(raw)),
    };
    match &scope.home {
        Some(home) => Ok(home.join(rest)),
        None => Err(ToolError(format!(
            "`{raw}`: the home directory is not known here; write the path in full."
        ))),
    }
}

/// The path with every symlink and `..` resolved. What does not exist is taken as written.
pub(in crate::tool) fn physical(path: &Path) -> Result<PathBuf, ToolError> {
    let mut todo: VecDeque<OsString> = parts(path);
    let mut done = PathBuf::new();
    let mut links = 0;
    while let Some(part) = todo.pop_front() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                done.pop();
            }
            None | Some(Component::CurDir) => {}
            Some(Component::RootDir | Component::Prefix(_)) => done.push(&part),
            Some(Component::Normal(_)) => {
                let next = done.join(&part);
                let Ok(target) = std::fs::read_link(&next) else {
                    done = next;
                    continue;
                };
                links += 1;
                if links > MAX_LINKS {
                    return Err(ToolError(format!(
                        "{}: the symlinks go in circles.",
                        path.display()
                    )));
                }
                // An absolute target replaces `done` when its root is pushed.
                for part in parts(&target).into_iter().rev() {
                    todo.push_front(part);
                }
            }
        }
    }
    Ok(done)
}

fn parts(path: &Path) -> VecDeque<OsString> {
    path.components()
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::tool::test_scope::TestScope;

    #[test]
    fn inside_and_outside() {
        let t = TestScope::new();
        t.write("src/a.rs", "");
        let check = |raw: &str, shown: &str, is_outside: bool| {
            let path = resolve(raw, &t.scope).unwrap();
            assert_eq!(
                (path.shown.as_str(), path.is_outside),
                (shown, is_outside),
                "{raw}"
            );
        };
        check("src/a.rs", "src/a.rs", false);
        check("./src/../src/a.rs", "src/a.rs", false);
        check("new/deep/file", "new/deep/file", false);
        check(".", ".", false);
        check("/etc/hosts-not-there", "/etc/hosts-not-there", true);
        let inside = t.path("src/a.rs");
        check(inside.to_str().unwrap(), "src/a.rs", false);
        let parent = t.root().join("other").display().to_string();
        check("../other", &parent, true);
        check("src/../../other", &parent, true);
        check("missing/../../other", &parent, true);
        let sibling = format!(
            "{}-2",
            t.path("").display().to_string().trim_end_matches('/')
        );
        check(&sibling, &sibling, true);
        let home = t.root().join("home/x").display().to_string();
        check("~/x", &home, true);
        check("~x", "~x", false);
    }

    #[test]
    fn symlinks_do_not_lead_out_unnoticed() {
        let t = TestScope::new();
        let other = t.root().join("other");
        std::fs::create_dir(&other).unwrap();
        symlink(&other, t.path("out")).unwrap();
        symlink("../other/new", t.path("dangling")).unwrap();
        symlink("loop", t.path("loop")).unwrap();
        t.write("src/a.rs", "");
        symlink("src/a.rs", t.path("in")).unwrap();
        for raw in ["out/secret", "out", "dangling", "out/../x"] {
            assert!(resolve(raw, &t.scope).unwrap().is_outside, "{raw}");
        }
        let inside = resolve("in", &t.scope).unwrap();
        assert_eq!(
            (inside.shown.as_str(), inside.is_outside),
            ("src/a.rs", false)
        );
        assert!(resolve("loop", &t.scope).unwrap_err().0.contains("circles"));
    }

    #[test]
    fn extra_dirs_are_inside_and_loaded_files_ask() {
        let mut t = TestScope::new();
        let extra = t.root().join("extra");
        std::fs::create_dir(&extra).unwrap();
        t.scope.extra_dirs.push(extra.clone());
        let path = resolve(extra.join("a").to_str().unwrap(), &t.scope).unwrap();
        assert!(!path.is_outside);
        let hook = resolve(".git/hooks/pre-commit", &t.scope).unwrap();
        assert!(!hook.is_outside);
        assert!(hook.outside_for_writing().is_empty());
        assert_eq!(
            hook.cautions_for_writing(&t.scope),
            [".git/hooks/pre-commit: version control runs or downloads its entries"]
        );
        assert!(hook.cautions_for_reading(&t.scope).is_empty());
        assert!(path.cautions_for_writing(&t.scope).is_empty());
    }

    #[test]
    fn spilled_output_is_readable_but_not_writable() {
        let t = TestScope::new();
        let raw = t.scope.spill_dir.clone().unwrap().join("x.log");
        let path = resolve(raw.to_str().unwrap(), &t.scope).unwrap();
        assert!(path.outside_for_reading(&t.scope).is_empty());
        assert_eq!(path.outside_for_writing(), [raw]);
    }

    #[test]
    fn a_link_in_the_place_of_the_spilled_output_makes_nothing_readable() {
        let mut t = TestScope::new();
        let own = t.root().join("sessions/s.d");
        std::fs::create_dir_all(own.parent().unwrap()).unwrap();
        symlink("/", &own).unwrap();
        t.scope.spill_dir = Some(own.clone());
        for name in ["/etc/passwd", own.join("etc/passwd").to_str().unwrap()] {
            let path = resolve(name, &t.scope).unwrap();
            assert!(!path.outside_for_reading(&t.scope).is_empty(), "{name}");
        }
    }

    #[test]
    fn output_of_the_source_of_a_fork_is_read_from_the_fork() {
        let mut t = TestScope::new();
        let own = t.root().join("sessions/fork.d");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("a.txt"), "").unwrap();
        t.scope.spill_dir = Some(own.clone());
        let source = t.root().join("sessions/source.d");
        let at = |name: &str| resolve(source.join(name).to_str().unwrap(), &t.scope).unwrap();
        let kept = at("a.txt");
        assert_eq!(kept.absolute, own.join("a.txt"));
        assert!(kept.outside_for_reading(&t.scope).is_empty());
        assert_eq!(at("b.txt").absolute, source.join("b.txt"));
        assert!(!at("b.txt").outside_for_reading(&t.scope).is_empty());
    }

    #[test]
    fn hopeless_paths() {
        let mut t = TestScope::new();
        assert!(resolve("", &t.scope).is_err());
        assert!(resolve("a\0b", &t.scope).is_err());
        t.scope.home = None;
        assert!(resolve("~/x", &t.scope).is_err());
    }
}
