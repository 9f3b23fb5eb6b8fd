//! What a repository would have git do besides looking: the keys of its configuration, its
//! hook for a refreshed index, and what its index tracks. Whatever is not surely harmless is
//! not.

use std::path::{Path, PathBuf};

use super::sensitive::holds_secrets;
use crate::disk::open;

/// A larger configuration is not looked at.
const MAX_CONFIG_BYTES: u64 = 256 * 1024;
/// A larger index is not looked at.
const MAX_INDEX_BYTES: u64 = 32 * 1024 * 1024;
/// More of a file with one path in it is not looked at.
const MAX_PATH_BYTES: u64 = 4_096;

/// The hook that commands run which only look, when they bring the index up to date.
const INDEX_HOOK: &str = "hooks/post-index-change";

/// Sections all of whose keys are harmless, with and without a name of their own.
const HARMLESS_SECTIONS: [&str; 6] = ["advice", "branch", "color", "column", "init", "user"];

/// Harmless keys of other sections. A section with a name of its own is `section.*`.
const HARMLESS_KEYS: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "abbrev",
            "autocrlf",
            "checkstat",
            "commentchar",
            "commitgraph",
            "compression",
            "eol",
            "filemode",
            "ignorecase",
            "logallrefupdates",
            "longpaths",
            "multipackindex",
            "precomposeunicode",
            "preloadindex",
            "protecthfs",
            "protectntfs",
            "quotepath",
            "repositoryformatversion",
            "safecrlf",
            "symlinks",
            "trustctime",
            "untrackedcache",
            "whitespace",
        ],
    ),
    (
        "remote.*",
        &[
            "fetch",
            "gh-resolved",
            "mirror",
            "prune",
            "push",
            "pushurl",
            "tagopt",
            "url",
        ],
    ),
    ("commit", &["gpgsign", "verbose"]),
    (
        "diff",
        &[
            "algorithm",
            "colormoved",
            "context",
            "mnemonicprefix",
            "noprefix",
            "renamelimit",
            "renames",
        ],
    ),
    // Not the format of objects: with longer hashes the index is read in another way.
    ("extensions", &["refstorage"]),
    ("fetch", &["prune", "prunetags"]),
    ("gc", &["auto", "autodetach"]),
    ("log", &["abbrevcommit", "date", "decorate", "follow"]),
    ("merge", &["conflictstyle", "ff", "log", "renamelimit"]),
    ("pull", &["ff", "rebase"]),
    ("push", &["autosetupremote", "default", "followtags"]),
    ("rebase", &["autosquash", "autostash"]),
    ("rerere", &["autoupdate", "enabled"]),
    (
        "status",
        &["branch", "relativepaths", "short", "showuntrackedfiles"],
    ),
    ("tag", &["gpgsign", "sort"]),
];

/// The folders of a repository.
pub(in crate::tool) struct GitFolder {
    /// Its index and head.
    own: PathBuf,
    /// Its configuration and hooks: another one for a linked working tree.
    common: PathBuf,
}

impl GitFolder {
    /// The folder that a `.git` folder or file stands for; `None` when it cannot be told.
    pub(super) fn of(place: &Path) -> Option<Self> {
        let own = if place.is_dir() {
            place.to_owned()
        } else {
            let text = short_text(place)?;
            let target = text
                .strip_prefix("gitdir: ")?
                .trim_end_matches(['\n', '\r']);
            place.parent()?.join(target)
        };
        let pointer = own.join("commondir");
        let common = if pointer.symlink_metadata().is_ok() {
            let text = short_text(&pointer)?;
            own.join(text.trim_end_matches(['\n', '\r']))
        } else {
            own.clone()
        };
        Some(Self { own, common })
    }

    /// Whether git only looks when it is asked to look: nothing of the repository names a
    /// program, another repository or another place.
    pub(in crate::tool) fn only_looks(&self) -> bool {
        let config = open::read_unlinked(&self.common.join("config"), MAX_CONFIG_BYTES);
        let is_harmless = config
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .is_some_and(|text| is_harmless_config(&text));
        let has = |path: PathBuf| path.symlink_metadata().is_ok();
        is_harmless
            && !has(self.common.join(INDEX_HOOK))
            && !has(self.own.join("config.worktree"))
            && self.index().is_some_and(|index| index.is_plain)
    }

    /// Whether no tracked file has a name as files with keys and passwords have.
    pub(in crate::tool) fn tracks_no_secrets(&self) -> bool {
        let index = self.index();
        index.is_some_and(|index| !index.names.iter().any(|name| holds_secrets(name)))
    }

    fn index(&self) -> Option<GitIndex> {
        let shared = |entry: std::fs::DirEntry| {
            entry
                .file_name()
                .to_string_lossy()
                .starts_with("sharedindex.")
        };
        if std::fs::read_dir(&self.own).ok()?.flatten().any(shared) {
            return None;
        }
        let path = self.own.join("index");
        if path.symlink_metadata().is_err() {
            return Some(GitIndex {
                is_plain: true,
                names: Vec::new(),
            });
        }
        GitIndex::parse(&open::read_unlinked(&path, MAX_INDEX_BYTES).ok()?)
    }
}

fn short_text(path: &Path) -> Option<String> {
    let bytes = open::read_unlinked(path, MAX_PATH_BYTES).ok()?;
    String::from_utf8(bytes).ok()
}

/// Whether each key of a configuration is harmless. Only the plainest form of the file is
/// read; anything else may be anything.
fn is_harmless_config(text: &str) -> bool {
    let mut section = String::new();
    for line in text.lines() {
        let line = line.trim_matches([' ', '\t']);
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            let Some(name) = section_name(line) else {
                return false;
            };
            section = name;
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        // A value that goes on in the next line hides what stands there.
        if value.ends_with('\\') || !is_harmless_key(&section, key.trim_end(), value.trim()) {
            return false;
        }
    }
    true
}

/// `core` of `[core]`, `remote.*` of `[remote "origin"]`; `None` for any other form.
fn section_name(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let is_name = |text: &str| {
        let mut letters = text.chars();
        !text.is_empty() && letters.all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    match inner.split_once(' ') {
        None => is_name(inner).then(|| inner.to_ascii_lowercase()),
        Some((name, own)) => {
            let own = own.strip_prefix('"')?.strip_suffix('"')?;
            let is_plain = !own.contains(['"', '\\', ']', '[']);
            (is_name(name) && is_plain).then(|| format!("{}.*", name.to_ascii_lowercase()))
        }
    }
}

fn is_harmless_key(section: &str, key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let bare = section.strip_suffix(".*").unwrap_or(section);
    // A folder that has none is no working tree: git would look elsewhere.
    if (section, key.as_str()) == ("core", "bare") {
        return value.eq_ignore_ascii_case("false");
    }
    HARMLESS_SECTIONS.contains(&bare)
        || HARMLESS_KEYS
            .iter()
            .any(|(name, keys)| *name == section && keys.contains(&key.as_str()))
}

/// What is read of an index.
struct GitIndex {
    /// It has no repositories within the repository, whose configurations count as well.
    is_plain: bool,
    /// The tracked files.
    names: Vec<PathBuf>,
}

/// The beginning of an index.
const INDEX_SIGN: &[u8] = b"DIRC";
/// Bytes before the entries.
const INDEX_HEAD: usize = 12;
/// Bytes of an entry before its flags: times, place, mode, owner, size, hash.
const ENTRY_HEAD: usize = 60;
/// Where the mode is in an entry.
const MODE_AT: usize = 24;
/// The mode of a repository within the repository.
const GITLINK_MODE: u32 = 0o160_000;
/// The flag of an entry with two more bytes of flags.
const EXTENDED: u16 = 0x4000;
/// Entries are padded to a multiple of this.
const ENTRY_ALIGN: usize = 8;

impl GitIndex {
    /// The index in these bytes; `None` for a version whose names are not spelled out.
    fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.get(..4)? != INDEX_SIGN || !(2..=3).contains(&number(bytes, 4)?) {
            return None;
        }
        let mut index = Self {
            is_plain: true,
            names: Vec::new(),
        };
        let mut at = INDEX_HEAD;
        for _ in 0..number(bytes, 8)? {
            index.is_plain &= number(bytes, at + MODE_AT)? != GITLINK_MODE;
            let flags = bytes.get(at + ENTRY_HEAD..at + ENTRY_HEAD + 2)?;
            let flags = u16::from_be_bytes(flags.try_into().ok()?);
            let more = if flags & EXTENDED == 0 { 0 } else { 2 };
            let begin = at + ENTRY_HEAD + 2 + more;
            let rest = bytes.get(begin..)?;
            let length = rest.iter().position(|&byte| byte == 0)?;
            let name = String::from_utf8_lossy(rest.get(..length)?).into_owned();
            index.names.push(name.into());
            let size = begin + length - at;
            at += (size / ENTRY_ALIGN + 1) * ENTRY_ALIGN;
        }
        Some(index)
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_usual_configuration_is_harmless() {
        let usual = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            \tlogallrefupdates = true\n[remote \"origin\"]\r\n\turl = git@host:a/b.git\r\n\
            \tfetch = +refs/heads/*:refs/remotes/origin/*\n# a remark\n\n\
            [branch \"feature/x\"]\n\tremote = origin\n\tmerge = refs/heads/x\n\
            [user]\n name = A B\n email = a@b\n[pull]\nrebase = true\n";
        assert!(is_harmless_config(usual));
        assert!(is_harmless_config(""));
    }

    #[test]
    fn a_configuration_that_names_a_program_or_another_place_is_not() {
        for config in [
            "[core]\nfsmonitor = ./x",
            "[core]\nFSMonitor=./x",
            "[CORE]\n\tfsmonitor\t=\ttrue",
            "[core]\nhooksPath = .githooks",
            "[core]\npager = id",
            "[core]\nsshCommand = id",
            "[core]\nworktree = /",
            "[core]\nbare = true",
            "[core]\nbare",
            "[core]\nattributesFile = x",
            "[core]\nalternateRefsCommand = id",
            "[core] fsmonitor = id",
            "[core]fsmonitor = id",
            "[core] ; x\nfsmonitor = id",
            "[core]\nabbrev = 7 \\\n\n[diff]\nexternal = id",
            "[core]\nabbrev = x\\\nfsmonitor = id",
            "[diff]\nexternal = id",
            "[diff \"pdf\"]\ntextconv = id",
            "[diff \"pdf\"]\ncommand = id",
            "[diff.pdf]\ntextconv = id",
            "[filter \"x\"]\nclean = id",
            "[filter \"x\"]\nprocess = id",
            "[include]\npath = x",
            "[includeIf \"gitdir:/\"]\npath = x",
            "[alias]\nstatus = !id",
            "[pager]\nlog = id",
            "[gpg]\nprogram = id",
            "[log]\nshowSignature = true",
            "[remote \"o\"]\npromisor = true",
            "[remote \"o\"]\nuploadpack = id",
            "[remote \"o\"]\nvcs = ext",
            "[extensions]\npartialClone = o",
            "[extensions]\nworktreeConfig = true",
            "[extensions]\nobjectFormat = sha256",
            "[protocol \"ext\"]\nallow = always",
            "[credential]\nhelper = !id",
            "[submodule \"x\"]\nupdate = !id",
            "[status]\nsubmoduleSummary = true",
            "[lfs \"extension.x\"]\nclean = id",
            "[blame]\nignoreRevsFile = /etc/passwd",
            "[remote \"a\\\"]\"]\nurl = x",
            "[remote \"o\"\nurl = x",
            "fsmonitor = id",
            "\u{feff}[core]\nfsmonitor = id",
            "[core]\n\u{a0}fsmonitor = id",
        ] {
            assert!(!is_harmless_config(config), "{config:?}");
        }
    }

    /// An index of version 2 with these entries, as git writes it.
    pub(super) fn index_of(entries: &[(u32, &str)]) -> Vec<u8> {
        let mut bytes = b"DIRC\0\0\0\x02".to_vec();
        bytes.extend((entries.len() as u32).to_be_bytes());
        for (mode, name) in entries {
            let start = bytes.len();
            bytes.extend([7; MODE_AT]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend([9; ENTRY_HEAD - MODE_AT - 4]);
            bytes.extend((name.len() as u16).to_be_bytes());
            bytes.extend(name.as_bytes());
            let size = bytes.len() - start;
            bytes.extend(vec![0; (size / ENTRY_ALIGN + 1) * ENTRY_ALIGN - size]);
        }
        bytes
    }

    #[test]
    fn an_index_names_its_files_and_repositories_within() {
        let index = GitIndex::parse(&index_of(&[(0o100_644, "src/a.rs"), (0o100_644, "b")]));
        let index = index.unwrap();
        assert_eq!(index.names, [Path::new("src/a.rs"), Path::new("b")]);
        assert!(index.is_plain);
        let index = GitIndex::parse(&index_of(&[(GITLINK_MODE, "vendor"), (0o100_644, "b")]));
        assert!(!index.unwrap().is_plain);
        let mut newer = index_of(&[(0o100_644, "b")]);
        newer[7] = 4;
        assert!(GitIndex::parse(&newer).is_none());
    }

    proptest! {
        #[test]
        fn any_index_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = GitIndex::parse(&bytes);
            let _ = GitIndex::parse(&[b"DIRC\0\0\0\x02".as_slice(), &bytes].concat());
        }

        #[test]
        fn every_tracked_name_is_found(names in proptest::collection::vec("[a-z/漢.]{1,40}", 0..20)) {
            let entries: Vec<(u32, &str)> = names.iter().map(|it| (0o100_644, it.as_str())).collect();
            let index = GitIndex::parse(&index_of(&entries)).unwrap();
            let found: Vec<String> =
                index.names.iter().map(|it| it.to_string_lossy().into_owned()).collect();
            prop_assert_eq!(found, names);
        }
    }
}
