//! Files that a project provides: rules, commands, notes, its configuration. Whoever made
//! the project, or the folder above it, chose them, and what is in them reaches a model.
//!
//! So such a file is read only when it lies inside the project by its real path, is of the
//! expected kind and belongs to the user or to root. Everything else is refused with words.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path};

use super::open;

/// The folder that belongs to version control; what it holds is for no model.
const GIT: &str = ".git";
/// Endings of documents, which may stand for each other.
const DOCUMENTS: [&str; 4] = ["md", "mdc", "markdown", "txt"];
/// How names end under which other programs keep rules, e.g. `.cursorrules`.
const RULES: &str = "rules";

/// The project that a folder lies in: up to the nearest folder with `.git`, else the folder
/// itself.
pub fn root_of(folder: &Path) -> &Path {
    folder
        .ancestors()
        .find(|dir| dir.join(GIT).exists())
        .unwrap_or(folder)
}

/// A file that a project provides.
#[derive(Clone, Copy, Debug)]
pub struct ProjectFile<'a> {
    /// Where it is looked for.
    pub path: &'a Path,
    /// The folder that it speaks for: the one that holds it, or holds `.plimsoll`.
    pub folder: &'a Path,
    /// Nothing outside is read.
    pub root: &'a Path,
    /// The user trusts the folder: it may belong to somebody else.
    pub is_trusted: bool,
}

/// The beginning of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// As many bytes as were asked for, or all.
    pub bytes: Vec<u8>,
    /// Bytes of the whole file.
    pub length: u64,
}

impl ProjectFile<'_> {
    /// Reads the file, which may have at most `max` bytes.
    ///
    /// # Errors
    ///
    /// It is not there, is larger, or is none that may be read; the message says why.
    pub fn read(&self, max: u64) -> io::Result<Vec<u8>> {
        open::read_all(self.open()?, max)
    }

    /// Reads the first `max` bytes.
    ///
    /// # Errors
    ///
    /// It is not there, or is none that may be read; the message says why.
    pub fn read_head(&self, max: u64) -> io::Result<Head> {
        let file = self.open()?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::new();
        file.take(max).read_to_end(&mut bytes)?;
        Ok(Head {
            length: length.max(bytes.len() as u64),
            bytes,
        })
    }

    /// Opens the file for reading.
    ///
    /// # Errors
    ///
    /// It is not there, or is none that may be read; the message says why.
    pub fn open(&self) -> io::Result<File> {
        self.check_owner(self.path, &self.path.symlink_metadata()?)?;
        let real = self.path.canonicalize()?;
        self.check_place(&real)?;
        let folders = self.path.ancestors().skip(1);
        let folders = folders.take_while(|it| it.starts_with(self.folder));
        for folder in folders.chain(real.parent()) {
            self.check_owner(folder, &folder.metadata()?)?;
        }
        let file = open::unlinked(&real)?;
        self.check_owner(&real, &file.metadata()?)?;
        Ok(file)
    }

    /// Links may lead to another document of the project, and nowhere else.
    fn check_place(&self, real: &Path) -> io::Result<()> {
        let root = self.root.canonicalize()?;
        let refused = |what: &str| {
            let place = real.display();
            Err(io::Error::other(format!("it leads to {place}, {what}")))
        };
        let Ok(inside) = real.strip_prefix(&root) else {
            return refused("which is outside the project");
        };
        let is_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(GIT);
        if inside.components().any(is_git) {
            return refused("which belongs to version control");
        }
        if is_like(self.path, real) {
            Ok(())
        } else {
            refused("which is a file of another kind")
        }
    }

    fn check_owner(&self, path: &Path, metadata: &Metadata) -> io::Result<()> {
        match foreign_owner(metadata) {
            Some(uid) if !self.is_trusted => Err(io::Error::other(format!(
                "{} belongs to another user (uid {uid}); to use it anyway, add {} to \
                 trusted_dirs in your own configuration",
                path.display(),
                self.folder.display()
            ))),
            _ => Ok(()),
        }
    }
}

/// Whether a file may stand for another: a document for a document, TOML for TOML.
fn is_like(path: &Path, real: &Path) -> bool {
    let ending = |path: &Path| {
        let ending = path.extension().and_then(|it| it.to_str());
        ending.map(str::to_ascii_lowercase)
    };
    let (wanted, found) = (ending(path), ending(real));
    let is_document =
        |ending: &Option<String>| ending.as_deref().is_some_and(|it| DOCUMENTS.contains(&it));
    let is_rules = || {
        let name = real.file_name().and_then(|it| it.to_str());
        name.is_some_and(|name| name.ends_with(RULES))
    };
    wanted == found || is_document(&wanted) && (is_document(&found) || is_rules())
}

/// The owner of a file when it is neither the user nor root.
fn foreign_owner(metadata: &Metadata) -> Option<u32> {
    let owner = std::os::unix::fs::MetadataExt::uid(metadata);
    let me = rustix::process::geteuid().as_raw();
    let behind_sudo = std::env::var("SUDO_UID").ok();
    let behind_sudo = behind_sudo.and_then(|uid| uid.parse().ok());
    (!is_believed(owner, me, behind_sudo)).then_some(owner)
}

/// Whether a user believes what an owner wrote: who became root by `sudo` believes himself.
fn is_believed(owner: u32, me: u32, behind_sudo: Option<u32>) -> bool {
    const ROOT: u32 = 0;
    owner == me || owner == ROOT || me == ROOT && behind_sudo == Some(owner)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};
    use std::path::PathBuf;

    use super::*;

    struct ProjectDesk {
        folder: tempfile::TempDir,
    }

    impl ProjectDesk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            for dir in ["project/.git", "project/docs", "outside"] {
                std::fs::create_dir_all(folder.path().join(dir)).unwrap();
            }
            let desk = Self { folder };
            for name in [
                "project/docs/rules.md",
                "project/.env",
                "project/.git/config",
                "project/.git/notes.md",
                "outside/rules.md",
            ] {
                std::fs::write(desk.at(name), name).unwrap();
            }
            desk
        }

        fn at(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn read(&self, name: &str, is_trusted: bool) -> io::Result<Vec<u8>> {
            let root = self.at("project");
            let file = ProjectFile {
                path: &root.join(name),
                folder: &root,
                root: &root,
                is_trusted,
            };
            file.read(100)
        }

        fn refused(&self, name: &str) -> String {
            self.read(name, false).unwrap_err().to_string()
        }
    }

    #[test]
    fn a_link_is_followed_to_a_document_of_the_project_and_nowhere_else() {
        let desk = ProjectDesk::new();
        let links = [
            ("inside.md", "docs/rules.md", ""),
            ("outside.md", "../outside/rules.md", "outside the project"),
            (
                "environment.md",
                "/proc/self/environ",
                "outside the project",
            ),
            ("cwd.md", "/proc/self/cwd/Cargo.toml", "outside the project"),
            ("secret.md", ".env", "another kind"),
            ("git.md", ".git/config", "version control"),
            ("notes.md", ".git/notes.md", "version control"),
            ("zero.md", "/dev/zero", "outside the project"),
            ("folder.md", "docs", "another kind"),
            ("loop.md", "loop.md", ""),
            ("gone.md", "missing.md", ""),
        ];
        for (name, target, words) in links {
            symlink(target, desk.at("project").join(name)).unwrap();
            let read = desk.read(name, false);
            match (name, read) {
                ("inside.md", read) => assert_eq!(read.unwrap(), b"project/docs/rules.md"),
                (_, Ok(bytes)) => panic!("{name}: {}", String::from_utf8_lossy(&bytes)),
                (_, Err(error)) => assert!(error.to_string().contains(words), "{name}: {error}"),
            }
        }
        // A folder that is a link leads outside as well.
        symlink("../outside", desk.at("project/linked")).unwrap();
        assert!(desk.refused("linked/rules.md").contains("outside"));
    }

    #[test]
    fn a_file_or_folder_of_another_user_is_believed_only_where_the_user_says_so() {
        assert!(is_believed(7, 7, None) && is_believed(0, 7, None));
        assert!(is_believed(7, 0, Some(7)));
        assert!(!is_believed(8, 7, None) && !is_believed(8, 7, Some(8)));
        assert!(!is_believed(8, 0, None));
        let desk = ProjectDesk::new();
        let rules = desk.at("project/docs/rules.md");
        // Only root can give files away.
        if chown(&rules, Some(65_534), None).is_err() {
            return;
        }
        assert!(desk.refused("docs/rules.md").contains("uid 65534"));
        assert!(desk.read("docs/rules.md", true).is_ok());
        chown(&rules, Some(0), None).unwrap();
        assert!(desk.read("docs/rules.md", false).is_ok());
        for folder in ["project/docs", "project"] {
            chown(desk.at(folder), Some(65_534), None).unwrap();
            let said = desk.refused("docs/rules.md");
            assert!(
                said.contains("uid 65534") && said.contains("trusted_dirs"),
                "{said}"
            );
            chown(desk.at(folder), Some(0), None).unwrap();
        }
    }

    #[test]
    fn as_much_is_read_as_was_asked_for() {
        let desk = ProjectDesk::new();
        let root = desk.at("project");
        let path = root.join("large.md");
        std::fs::File::create(&path)
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        let file = ProjectFile {
            path: &path,
            folder: &root,
            root: &root,
            is_trusted: false,
        };
        let head = file.read_head(10).unwrap();
        assert_eq!((head.bytes.len(), head.length), (10, 1 << 40));
        assert!(file.read(10).unwrap_err().to_string().contains("larger"));
    }
}
