//! Which names are asked about, and which are not.

use super::*;

#[test]
fn files_that_other_programs_load_are_known_by_name_wherever_and_however_written() {
    for path in [
        ".bashrc",
        ".BASHRC",
        "sub/dir/.bashrc",
        ".bashrc.",
        ".bashrc. .",
        ".bash\u{200b}rc",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        "config.fish",
        ".config/fish/config.fish",
        ".config/autostart/x.desktop",
        ".local/bin/git",
        ".ssh/authorized_keys",
        ".SSH/rc",
        "authorized_keys",
        ".gitconfig",
        ".git/hooks/pre-commit",
        ".GIT/config",
        "a/.git",
        "git~1/config",
        ".g\u{200d}it/config",
        ".gitmodules",
        ".vscode/tasks.json",
        ".VSCode/settings.json",
        ".idea/workspace.xml",
        "x.code-workspace",
        ".envrc",
        ".husky/pre-commit",
        ".claude/settings.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".cursor/mcp.json",
        ".plimsoll/config.toml",
        ".mcp.json",
        "sub/.mcp.json",
        ".npmrc",
        ".yarnrc",
        ".yarnrc.yml",
        ".yarn/releases/y.cjs",
        ".pre-commit-config.yaml",
        ".vimrc",
        ".cargo/config.toml",
        "rust-toolchain.toml",
        "HEAD",
        "x/HEAD",
        "x/head",
        ".tmux.conf",
        "dotfiles/bashrc",
        "lefthook.yml",
        "site/evil.pth",
        "sitecustomize.py",
        "package.json",
        "web/package.json",
        "Makefile",
        "GNUmakefile",
        "justfile",
        "build.rs",
        ".github/workflows/ci.yml",
        ".GitLab-CI.yml",
        ".circleci/config.yml",
        "Jenkinsfile",
    ] {
        assert!(loaded_by(Path::new(path)).is_some(), "{path:?}");
    }
}

#[test]
fn source_and_data_are_not_asked_about() {
    for path in [
        "src/main.rs",
        "package.json.md",
        "src/makefile/mod.rs",
        "src/build.rs.txt",
        "github/workflows.md",
        "Dockerfile",
        "README.md",
        ".gitignore",
        ".gitattributes",
        ".editorconfig",
        "config.toml",
        "src/git/mod.rs",
        "src/shell/profile.rs",
        "profile",
        "src/header.rs",
        "src/head/a.rs",
        "heads.txt",
        "bash.rs",
        "ssh.md",
        ".eslintrc.json",
        ".env.example",
        "AGENTS.md",
        "Cargo.toml",
        "objects/a",
        "refs/a",
        "tests/test_config.py",
    ] {
        assert_eq!(loaded_by(Path::new(path)), None, "{path:?}");
    }
}

#[test]
fn files_with_secrets_are_known_by_name() {
    for path in [
        ".env",
        ".ENV",
        "a/.env",
        ".env.local",
        ".env.production",
        ".env-prod",
        "prod.env",
        "id_rsa",
        "id_ed25519",
        "id_rsa_work",
        "id_deploy",
        "id_ecdsa.bak",
        "server.pem",
        "SERVER.PEM",
        "tls.key",
        "cert.p12",
        "credentials",
        "credentials.json",
        "credentials.yml.enc",
        ".credentials.json",
        "credentials.toml",
        "gcp-credentials.json",
        ".netrc",
        "_netrc",
        ".pgpass",
        ".aws/config",
        ".aws/credentials",
        "x/.kube/config",
        "kubeconfig",
        "kubeconfig.yaml",
        "kubeconfig-prod",
        ".ssh/config",
        ".git-credentials",
        ".docker/config.json",
        "secrets.yml",
        "secrets.json",
        ".env ",
        ".e\u{200b}nv",
        "service-account.json",
        "terraform.tfstate",
        ".npmrc",
        "auth.json",
    ] {
        assert!(holds_secrets(Path::new(path)), "{path:?}");
    }
}

#[test]
fn templates_public_keys_and_source_are_read_without_a_question() {
    for path in [
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.dist",
        "example.env",
        ".env.production.example",
        "id_rsa.pub",
        "id_ed25519.pub",
        "id_map.rs",
        "id_generator.py",
        "src/credentials.rs",
        "credentials_test.go",
        "docs/credentials.md",
        "credentials.example.json",
        "src/secrets.py",
        "src/env.rs",
        "environment.ts",
        "keys.rs",
        "public.crt",
        "monkey",
        "key",
        "src/auth.rs",
        "kube.rs",
        ".gitignore",
        ".environment",
    ] {
        assert!(!holds_secrets(Path::new(path)), "{path:?}");
    }
}

#[test]
fn the_names_in_the_tables_are_as_they_are_compared() {
    let rows = LOADED_PATHS.iter().flat_map(|row| row.names);
    for name in rows
        .chain(SECRET_FOLDERS)
        .chain(SECRET_NAMES)
        .chain(SECRET_SUFFIXES)
    {
        assert_eq!(compared(OsStr::new(name)), **name);
    }
}
