//! README, CHANGELOG and the crate documentation say what is so: tables are generated
//! from the code, commands are those of CI, files that are named exist.
//!
//! `BLESS=1 cargo test` writes generated sections and files again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use plimsoll::{config, provider, tui};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Fails when a generated file is stale; writes it when `BLESS` is set.
pub fn same_or_bless(path: &Path, expected: &str) {
    if fs::read_to_string(path).is_ok_and(|found| found == expected) {
        return;
    }
    assert!(
        std::env::var_os("BLESS").is_some(),
        "{} is stale; BLESS=1 cargo test writes it again",
        path.display()
    );
    fs::write(path, expected).unwrap();
}

/// README with the text between the markers of a section replaced.
fn with_section(readme: &str, name: &str, body: &str) -> String {
    let begin = format!("<!-- generated: {name} -->\n");
    let end = "<!-- end of generated -->";
    let (before, rest) = readme
        .split_once(&begin)
        .unwrap_or_else(|| panic!("README has no section {name}"));
    let (_, after) = rest
        .split_once(end)
        .unwrap_or_else(|| panic!("section {name} has no end"));
    format!("{before}{begin}{}\n{end}{after}", body.trim_end())
}

/// What the offline provider understands.
fn offline_markdown() -> String {
    let mut out = String::from("| you write | it does |\n|---|---|\n");
    for command in provider::COMMANDS {
        let _ = writeln!(out, "| `{}` | {} |", command.pattern, command.does);
    }
    out
}

#[test]
fn the_tables_of_the_readme_are_those_of_the_code() {
    let mut readme = text_of("README.md");
    for (name, body) in [
        ("commands", tui::command::commands_markdown()),
        ("keys", tui::keymap::keys_markdown()),
        ("settings", config::settings_markdown()),
        ("offline", offline_markdown()),
    ] {
        readme = with_section(&readme, name, &body);
    }
    same_or_bless(&root().join("README.md"), &readme);
}

/// Shell commands in fenced blocks of README, one per line.
fn readme_commands() -> Vec<String> {
    let readme = text_of("README.md");
    let mut commands = Vec::new();
    let mut is_shell = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            is_shell = line == "```sh";
        } else if is_shell && !line.trim().is_empty() {
            let command = line.split("  #").next().unwrap_or(line);
            commands.push(command.trim().to_owned());
        }
    }
    commands
}

#[test]
fn ci_tests_with_the_command_of_the_readme() {
    let commands = readme_commands();
    assert_eq!(
        commands.get(..2).unwrap_or_default(),
        ["cargo run --release", "cargo test"]
    );
    let ci = text_of(".ci/run");
    let tests: Vec<&str> = ci
        .lines()
        .filter_map(|line| line.strip_prefix("run "))
        .filter(|command| command.starts_with("cargo test"))
        .collect();
    assert_eq!(tests, ["cargo test"]);
}

#[test]
fn every_command_line_of_the_readme_parses() {
    let lines: Vec<String> = readme_commands()
        .into_iter()
        .filter(|line| line.starts_with("plim"))
        .collect();
    assert!(lines.len() >= 5, "{lines:?}");
    for line in lines {
        let words = line.split_whitespace().take_while(|word| *word != "|");
        let arguments = words.map(|word| word.trim_matches('\'').into());
        if let Err(early) = plimsoll::cli::parse(arguments) {
            panic!("{line}: {}", early.text);
        }
    }
}

#[test]
fn every_module_is_on_the_map() {
    let lib = text_of("src/lib.rs");
    let docs: String = lib
        .lines()
        .filter(|line| line.starts_with("//!"))
        .collect::<Vec<_>>()
        .join("\n");
    let modules = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        assert!(
            docs.contains(&format!("[`{module}`]")),
            "{module} is not on the map"
        );
    }
}

/// Paths between backticks or in links that look like files of the repository.
fn named_files(text: &str) -> Vec<&str> {
    const PLACES: [&str; 7] = [
        "src/", "assets/", "tests/", "themes/", "benches/", "fuzz/", ".ci/",
    ];
    const FILES: [&str; 4] = ["LICENSE", "README.md", "CHANGELOG.md", "Cargo.toml"];
    let is_end = |c: char| c.is_whitespace() || "`()<>\"',;".contains(c);
    text.split(is_end)
        .map(|word| word.trim_end_matches(['.', ':']))
        .filter(|word| {
            FILES.contains(word)
                || PLACES.iter().any(|place| word.starts_with(place)) && !word.contains(['{', '*'])
        })
        .collect()
}

#[test]
fn documents_name_only_files_that_exist() {
    // Tables are generated and have examples with other people's paths in them.
    for name in ["README.md", "CHANGELOG.md", "src/lib.rs"] {
        let text = text_of(name);
        let mut own = String::new();
        let mut is_generated = false;
        for line in text.lines() {
            if line.starts_with("<!-- generated") {
                is_generated = true;
            } else if line.starts_with("<!-- end of generated") {
                is_generated = false;
            } else if !is_generated {
                own.push_str(line);
                own.push('\n');
            }
        }
        for file in named_files(&own) {
            assert!(root().join(file).exists(), "{name} names {file}");
        }
    }
}

#[test]
fn a_missing_file_would_be_found() {
    assert_eq!(
        named_files("see `src/nowhere.rs`, (assets/x.png) and src/*"),
        ["src/nowhere.rs", "assets/x.png"]
    );
}
