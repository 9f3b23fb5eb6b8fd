//! The names. All are lower case, as they are compared.
//!
//! A file is in [`LOADED_PATHS`] when a program loads or runs it that nobody started for it:
//! a shell at the next login, git at the next commit, an editor when the folder is opened,
//! another agent, a build or an installation, a server after a push. Not listed is what
//! somebody runs on purpose, and what changes in daily work: source, tests, `Dockerfile`,
//! `Cargo.toml`, `.env.example`, and rules for agents (`AGENTS.md`: text that is shown, not
//! run).

/// Where a name counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamePlace {
    /// As a folder or a file, with all that is below.
    Anywhere,
    /// As the file's own name.
    File,
    /// As the end of the file's name.
    FileSuffix,
}

/// Files that are written only after a question, with the reason that is shown.
pub(super) struct LoadedPath {
    pub(super) names: &'static [&'static str],
    /// Where they count.
    pub(super) place: NamePlace,
    /// The program that loads or runs it, as a clause.
    pub(super) why: &'static str,
}

/// All of them.
pub(super) const LOADED_PATHS: &[LoadedPath] = &[
    LoadedPath {
        names: &[
            ".bashrc",
            ".bash_profile",
            ".bash_login",
            ".bash_logout",
            ".bash_aliases",
            ".bash_completion",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".zprofile",
            ".zlogin",
            ".zlogout",
            ".kshrc",
            ".mkshrc",
            ".cshrc",
            ".tcshrc",
            ".login",
            ".logout",
            ".inputrc",
            ".xinitrc",
            ".xprofile",
            ".xsession",
            ".xsessionrc",
            ".pam_environment",
            ".oh-my-zsh",
            ".zsh",
            ".bashrc.d",
            "config.fish",
            "fish_variables",
            "bashrc",
            "bash_profile",
            "bash_aliases",
            "zshrc",
            "zshenv",
            "zprofile",
            "dot_bashrc",
            "dot_zshrc",
            "dot_profile",
        ],
        place: NamePlace::Anywhere,
        why: "shells run it when they start",
    },
    LoadedPath {
        names: &[
            ".ssh",
            "authorized_keys",
            "authorized_keys2",
            ".gnupg",
            "sudoers",
            "sudoers.d",
        ],
        place: NamePlace::Anywhere,
        why: "it controls who may log in",
    },
    LoadedPath {
        names: &[
            ".git",
            "git~1",
            ".gitconfig",
            ".gitmodules",
            ".hg",
            ".hgrc",
            ".svn",
            ".jj",
            ".bzr",
        ],
        place: NamePlace::Anywhere,
        why: "version control runs or downloads its entries",
    },
    LoadedPath {
        names: &["head"],
        place: NamePlace::File,
        why: "git treats its folder as a repository and runs commands of its configuration",
    },
    LoadedPath {
        names: &[
            ".husky",
            ".githooks",
            ".git-hooks",
            ".pre-commit-config.yaml",
            ".pre-commit-config.yml",
            ".pre-commit-hooks.yaml",
            "lefthook.yml",
            "lefthook.yaml",
            ".lefthook.yml",
            "lefthook-local.yml",
            ".lefthook",
            ".huskyrc",
            ".lintstagedrc",
            ".overcommit.yml",
        ],
        place: NamePlace::Anywhere,
        why: "git runs it at the next commit",
    },
    LoadedPath {
        names: &[".plimsoll"],
        place: NamePlace::Anywhere,
        why: "it holds Plimsoll's own settings",
    },
    LoadedPath {
        names: &[
            ".claude",
            ".claude.json",
            ".codex",
            ".gemini",
            ".cursor",
            ".windsurf",
            ".continue",
            ".opencode",
            ".openclaw",
            ".aider.conf.yml",
            ".mcp.json",
            "mcp.json",
            "opencode.json",
            "opencode.jsonc",
        ],
        place: NamePlace::Anywhere,
        why: "other agents read their settings, hooks and servers from it",
    },
    LoadedPath {
        names: &[
            ".vscode",
            ".idea",
            ".zed",
            ".fleet",
            ".vs",
            ".devcontainer",
            ".devcontainer.json",
            ".vim",
            ".vimrc",
            ".gvimrc",
            ".exrc",
            ".nvimrc",
            ".nvim.lua",
            ".emacs",
            ".emacs.d",
            ".dir-locals.el",
            ".spacemacs",
            ".lldbinit",
            ".gdbinit",
        ],
        place: NamePlace::Anywhere,
        why: "editors and debuggers run its commands when they open the folder",
    },
    LoadedPath {
        names: &[".code-workspace", ".sublime-project"],
        place: NamePlace::FileSuffix,
        why: "editors run its commands when they open the folder",
    },
    LoadedPath {
        names: &[
            ".envrc",
            ".direnv",
            ".mise.toml",
            "mise.toml",
            ".mise",
            ".rtx.toml",
        ],
        place: NamePlace::Anywhere,
        why: "it runs when a shell enters the folder",
    },
    LoadedPath {
        names: &[
            ".npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".yarn",
            ".pnpmfile.cjs",
            ".pnp.cjs",
            ".pnp.loader.mjs",
            "bunfig.toml",
            ".bunfig.toml",
            ".cargo",
            "rust-toolchain",
            "rust-toolchain.toml",
            ".mvn",
            ".m2",
            ".gradle",
            ".pip",
            "pip.conf",
            ".pypirc",
            ".condarc",
            ".gemrc",
            ".bundle",
            "sitecustomize.py",
            "usercustomize.py",
            ".terraformrc",
            ".docker",
            ".kube",
            ".aws",
            ".azure",
        ],
        place: NamePlace::Anywhere,
        why: "package managers and tools run or trust its entries",
    },
    LoadedPath {
        names: &[
            "makefile",
            "gnumakefile",
            "bsdmakefile",
            "justfile",
            ".justfile",
            "taskfile.yml",
            "taskfile.yaml",
            "package.json",
            "build.rs",
        ],
        place: NamePlace::File,
        why: "builds and installations run what it says",
    },
    LoadedPath {
        names: &[
            ".github",
            ".gitea",
            ".forgejo",
            ".gitlab-ci.yml",
            ".gitlab-ci.yaml",
            ".gitlab-ci",
            ".circleci",
            ".buildkite",
            ".woodpecker",
            ".woodpecker.yml",
            ".drone.yml",
            ".travis.yml",
            ".appveyor.yml",
            "appveyor.yml",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "jenkinsfile",
        ],
        place: NamePlace::Anywhere,
        why: "a server runs it after the next push",
    },
    LoadedPath {
        names: &[".pth"],
        place: NamePlace::FileSuffix,
        why: "python runs it when it starts",
    },
    LoadedPath {
        names: &[
            ".config",
            ".local",
            "launchagents",
            "launchdaemons",
            "crontab",
            "cron.d",
            ".tmux.conf",
            ".screenrc",
            ".curlrc",
            ".wgetrc",
            ".psqlrc",
            ".sqliterc",
            ".mongorc.js",
            ".irbrc",
            ".pryrc",
            ".pythonrc",
            ".pdbrc",
            ".rprofile",
            ".perldb",
            ".forward",
            ".procmailrc",
            ".mailcap",
            ".rpmmacros",
            ".lessfilter",
        ],
        place: NamePlace::Anywhere,
        why: "programs of this account load it when they start",
    },
];

/// Folders whose files are secrets.
pub(super) const SECRET_FOLDERS: &[&str] = &[
    ".aws",
    ".azure",
    ".docker",
    ".gcloud",
    ".gnupg",
    ".kube",
    ".mozilla",
    ".password-store",
    ".ssh",
    ".thunderbird",
    "google-chrome",
    "keyrings",
];

/// File names of secrets, besides the kinds that [`super::holds_secrets`] knows.
pub(super) const SECRET_NAMES: &[&str] = &[
    ".bash_history",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".mysql_history",
    ".netrc",
    ".node_repl_history",
    ".npmrc",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".s3cfg",
    ".secrets",
    ".vault-token",
    ".zsh_history",
    "_netrc",
    "auth.json",
    "cookies.sqlite",
    "gshadow",
    "key4.db",
    "kube.config",
    "logins.json",
    "secring.gpg",
    "shadow",
    "terraform.tfvars",
];

/// Ends of the names of keys, keystores and states that hold them.
pub(super) const SECRET_SUFFIXES: &[&str] = &[
    "jks", "kdbx", "key", "keystore", "p12", "p8", "pem", "pfx", "pkcs12", "ppk", "tfstate",
    "keytab",
];

/// The prefixes of names of private keys of SSH, after `id_`.
pub(super) const KEY_KINDS: &[&str] = &["rsa", "dsa", "ecdsa", "ed25519", "xmss"];

/// Words in the names of files that show what secrets look like.
pub(super) const TEMPLATE_WORDS: &[&str] = &[
    "default", "defaults", "dist", "example", "examples", "sample", "schema", "template",
];

/// Ends of the names of source and prose: `credentials.rs` is about them, and holds none.
pub(super) const SOURCE_SUFFIXES: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "css", "dart", "ex", "exs", "erl", "go", "h", "hpp", "hs",
    "html", "java", "js", "jsx", "kt", "lua", "m", "md", "mjs", "ml", "php", "pl", "proto", "py",
    "rb", "rs", "rst", "scala", "sh", "svelte", "swift", "ts", "tsx",
];
