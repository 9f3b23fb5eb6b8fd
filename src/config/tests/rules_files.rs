//! Rules files: which of them count, what they import, and those below the working directory.

use std::os::unix::fs::symlink;

use super::*;

/// A repository in `project`, and folders around it.
struct RulesDesk {
    folder: tempfile::TempDir,
}

impl RulesDesk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(folder.path().join("project/.git")).expect("made");
        Self { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("project").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    /// The texts of the files, and what is said of them.
    fn texts(&self, cwd: &str) -> Vec<String> {
        let rules = read_rules(&self.at(cwd), &[], &TrustedDirs::default());
        rules.files.into_iter().map(|file| file.text).collect()
    }

    fn nested(&self, reached: &str) -> Vec<String> {
        let cwd = self.at("");
        let files = read_nested_rules(&cwd, &self.at(reached), &TrustedDirs::default());
        files.into_iter().map(|file| file.text).collect()
    }
}

#[test]
fn an_override_replaces_the_file_beside_it_and_claude_md_counts_where_there_is_no_other() {
    let desk = RulesDesk::new();
    desk.write("CLAUDE.md", "claude");
    assert_eq!(desk.texts(""), ["claude"]);
    desk.write("AGENTS.md", "agents");
    assert_eq!(desk.texts(""), ["agents"]);
    desk.write("AGENTS.override.md", "mine");
    desk.write("sub/AGENTS.md", "sub");
    assert_eq!(desk.texts("sub"), ["mine", "sub"]);
}

#[test]
fn the_users_files_are_those_of_all_programs_and_our_own() {
    let folder = tempfile::tempdir().expect("a directory");
    let home = folder.path().display().to_string();
    let environment = [("HOME".to_owned(), home)].into_iter().collect();
    let paths = UserPaths::from_environment(&environment).expect("fine");
    let at = |name: &str| folder.path().join(".config").join(name);
    let shared = at("AGENTS.md");
    assert_eq!(
        own_rules_files(&paths),
        [shared.clone(), at("plimsoll/AGENTS.md")]
    );
    std::fs::create_dir_all(at("plimsoll")).expect("made");
    std::fs::write(at("plimsoll/AGENTS.override.md"), "x").expect("written");
    std::fs::write(&shared, "shared").expect("written");
    let files = own_rules_files(&paths);
    assert_eq!(files, [shared, at("plimsoll/AGENTS.override.md")]);
    let rules = read_rules(folder.path(), &files, &TrustedDirs::default());
    let texts: Vec<&str> = rules.files.iter().map(|file| file.text.as_str()).collect();
    assert_eq!(texts, ["shared", "x"]);
}

#[test]
fn claude_md_imports_documents_of_the_project_once_and_five_deep() {
    let desk = RulesDesk::new();
    desk.write(
        "CLAUDE.md",
        "root @docs/a.md @README @nobody `@docs/code.md`\n\n```\n@docs/code.md\n```\n",
    );
    desk.write("README", "read me");
    desk.write("docs/code.md", "code");
    desk.write("docs/a.md", "a @b.md @../CLAUDE.md @a.md");
    for (name, next) in [("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")] {
        desk.write(&format!("docs/{name}.md"), &format!("{name} @{next}.md"));
    }
    desk.write("docs/f.md", "f");
    let texts = desk.texts("");
    let firsts: Vec<&str> = texts
        .iter()
        .filter_map(|text| text.split_whitespace().next())
        .collect();
    assert_eq!(firsts, ["root", "a", "b", "c", "d", "e", "read"]);
    let rules = read_rules(&desk.at(""), &[], &TrustedDirs::default());
    let said = rules.notices();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("f.md was skipped: imports are followed five"));
    // AGENTS.md imports nothing.
    desk.write("AGENTS.md", "plain @README");
    assert_eq!(desk.texts(""), ["plain @README"]);
}

#[test]
fn what_leads_out_of_the_project_is_not_imported_and_named() {
    let desk = RulesDesk::new();
    for name in ["secret.md", "other.md"] {
        std::fs::write(desk.folder.path().join(name), "a key").expect("written");
    }
    desk.write(".env", "A=key");
    symlink("../secret.md", desk.at("far.md")).expect("linked");
    desk.write("CLAUDE.md", "@far.md @../other.md @~/.bashrc @.env @me");
    let rules = read_rules(&desk.at(""), &[], &TrustedDirs::default());
    let said = rules.notices().join("\n");
    for (name, reason) in [
        ("far.md", "outside the project"),
        ("other.md", "outside the project"),
        ("~/.bashrc", "outside the project"),
        (".env", "only documents"),
    ] {
        let line = said.lines().find(|line| line.contains(name));
        assert!(line.is_some_and(|it| it.contains(reason)), "{name}: {said}");
    }
    assert_eq!(said.lines().count(), 4, "{said}");
    assert!(rules.files.iter().all(|file| !file.text.contains("key")));
}

#[test]
fn folders_that_the_work_reaches_have_rules_unless_they_are_foreign() {
    let desk = RulesDesk::new();
    desk.write("AGENTS.md", "root");
    desk.write("web/AGENTS.md", "web");
    desk.write("web/ui/CLAUDE.md", "ui @style.md");
    desk.write("web/ui/style.md", "style");
    desk.write("web/ui/deep/a.rs", "");
    desk.write("node_modules/x/AGENTS.md", "foreign");
    desk.write("web/vendor/AGENTS.md", "foreign");
    desk.write(".hidden/AGENTS.md", "hidden");
    desk.write("inner/.git/config", "");
    desk.write("inner/AGENTS.md", "another project");
    assert_eq!(
        desk.nested("web/ui/deep/a.rs"),
        ["web", "ui @style.md", "style"]
    );
    assert_eq!(
        desk.nested("web/ui/new.rs"),
        ["web", "ui @style.md", "style"]
    );
    assert_eq!(desk.nested("web"), ["web"]);
    for path in [
        "a.rs",
        "node_modules/x/a.js",
        ".hidden/a",
        "inner/a",
        "../b",
    ] {
        assert_eq!(desk.nested(path), [""; 0], "{path}");
    }
    assert_eq!(desk.nested("web/vendor/a"), ["web"]);
    desk.write("long/AGENTS.md", &"line\n".repeat(4_000));
    assert!(desk.nested("long/a")[0].len() <= 8 * 1024);
}
