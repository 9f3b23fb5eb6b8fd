//! README, docs/, CHANGELOG and the crate documentation say what is so: tables are generated
//! from the code, commands run, links lead somewhere, files that are named exist.
//!
//! `BLESS=1 cargo test` writes generated sections and files again.

mod command_line;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll::provider::{Environment, Registry};
use plimsoll::{config, headless, provider, tui};

use crate::program::Program;

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

/// A document with the text between the markers of a section replaced.
fn with_section(document: &str, name: &str, body: &str) -> String {
    let begin = format!("<!-- generated: {name} -->\n");
    let end = "<!-- end of generated -->";
    let (before, rest) = document
        .split_once(&begin)
        .unwrap_or_else(|| panic!("there is no section {name}"));
    let (_, after) = rest
        .split_once(end)
        .unwrap_or_else(|| panic!("section {name} has no end"));
    format!("{before}{begin}{}\n{end}{after}", body.trim_end())
}

/// The commands of the offline provider.
fn offline_markdown() -> String {
    let mut out = String::from("| you write | it does |\n|---|---|\n");
    for command in provider::COMMANDS {
        let _ = writeln!(out, "| `{}` | {} |", command.pattern, command.does);
    }
    out
}

#[test]
fn the_tables_of_the_documents_are_those_of_the_code() {
    for (file, name, body) in [
        (
            "docs/commands.md",
            "commands",
            tui::command::commands_markdown(),
        ),
        ("docs/commands.md", "offline", offline_markdown()),
        ("docs/keys.md", "keys", tui::keymap::keys_markdown()),
        ("docs/settings.md", "settings", config::settings_markdown()),
        ("docs/cli.md", "cli", command_line::markdown()),
        ("docs/json.md", "events", headless::events_markdown()),
    ] {
        let document = with_section(&text_of(file), name, &body);
        same_or_bless(&root().join(file), &document);
    }
}

/// Every document for users, by its path.
fn documents() -> Vec<String> {
    let mut names = vec!["README.md".to_owned()];
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name();
        names.push(format!("docs/{}", name.to_string_lossy()));
    }
    names.sort();
    names
}

/// A document without its generated sections, which have examples with other people's paths
/// in them.
fn without_generated(text: &str) -> String {
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
    own
}

/// Shell commands in fenced blocks of a document, one per line.
fn shell_commands(document: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut is_shell = false;
    for line in text_of(document).lines() {
        if line.starts_with("```") {
            is_shell = line == "```sh";
        } else if is_shell && !line.trim().is_empty() {
            let command = line.split("  #").next().unwrap_or(line);
            commands.push(command.trim().to_owned());
        }
    }
    commands
}

/// Commands of `plim` in tables and sentences of a document: between backticks.
fn quoted_commands(document: &str) -> Vec<String> {
    let text = without_generated(&text_of(document));
    let is_one = |quoted: &&str| quoted.starts_with("plim ") && !quoted.contains("…");
    let spans = text.split('`').skip(1).step_by(2).filter(is_one);
    spans.map(str::to_owned).collect()
}

#[test]
fn ci_tests_with_the_command_of_the_readme() {
    let of_readme = shell_commands("README.md");
    let ci = text_of(".ci/run");
    let tests: Vec<&str> = ci
        .lines()
        .filter_map(|line| line.strip_prefix("run "))
        .filter(|command| command.starts_with("cargo test"))
        .collect();
    assert_eq!(tests, ["cargo test"]);
    for command in ["cargo run --release", "cargo test"] {
        assert!(of_readme.iter().any(|it| it == command), "{of_readme:?}");
    }
}

/// A command line as a shell splits it, up to a pipe; quotes hold words together.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (String::new(), None);
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if matches!(c, '|' | '>') => break,
            None if c.is_whitespace() => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_command_line_of_the_documents_parses() {
    for document in documents() {
        let mut lines = shell_commands(&document);
        lines.retain(|line| line.starts_with("plim"));
        lines.extend(quoted_commands(&document));
        for line in lines {
            let words = words_of(&line).into_iter().map(Into::into);
            if let Err(early) = plimsoll::cli::parse(words) {
                panic!("{document}: {line}: {}", early.text);
            }
        }
    }
}

#[test]
fn the_commands_of_the_readme_that_need_no_screen_do_what_they_say() {
    let program = Program::new();
    fs::copy(crate::demo::path(), program.dir().join("demo.jsonl")).unwrap();
    let mut lines = shell_commands("README.md");
    lines.retain(|line| line.starts_with("plim ") && !line.contains("--session"));
    lines.retain(|line| line != "plim --offline");
    assert!(lines.len() >= 7, "{lines:?}");
    for line in lines {
        let words = words_of(&line);
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let ran = program.run(&words);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert!(!ran.out.is_empty(), "{line}");
    }
}

#[test]
fn the_readme_can_be_read_in_a_few_minutes() {
    let readme = text_of("README.md");
    assert!(readme.lines().count() <= 125);
    let limits = readme.lines().position(|line| line == "## Honest limits");
    assert!(limits.unwrap() < readme.lines().count() / 3);
}

/// Targets of links in a document that are files or headings of this repository.
fn links(text: &str) -> Vec<&str> {
    let after = text.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split_once(')'));
    targets
        .map(|(target, _)| target)
        .filter(|target| !target.contains("://"))
        .collect()
}

/// The name by which a link reaches a heading.
fn anchor_of(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    for document in documents() {
        let text = text_of(&document);
        let folder = root().join(&document).parent().unwrap().to_owned();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = match file {
                "" => root().join(&document),
                file => folder.join(file),
            };
            assert!(path.exists(), "{document}: {link}");
            if !anchor.is_empty() {
                let target = fs::read_to_string(path).unwrap();
                let headings = target.lines().filter(|line| line.starts_with('#'));
                let mut anchors = headings.map(|it| anchor_of(it.trim_start_matches(['#', ' '])));
                assert!(anchors.any(|it| it == anchor), "{document}: {link}");
            }
        }
    }
}

#[test]
fn every_document_is_reached_from_the_readme() {
    let readme = text_of("README.md");
    for document in documents() {
        let is_there = document == "README.md" || readme.contains(&format!("]({document}"));
        assert!(is_there, "README does not lead to {document}");
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

#[test]
fn the_workflow_runs_what_anybody_can_run() {
    let workflow = text_of(".github/workflows/ci.yml");
    let steps = workflow.lines().filter_map(|line| line.split_once("run: "));
    let steps: Vec<&str> = steps.map(|(_, command)| command).collect();
    assert!(
        matches!(steps.as_slice(), [toolchain, ".ci/run"]
        if toolchain.starts_with("rustup toolchain install ")),
        "{steps:?}"
    );
}

/// Paths between backticks or in links that look like files of the repository.
fn named_files(text: &str) -> Vec<&str> {
    const PLACES: [&str; 9] = [
        "src/",
        "assets/",
        "tests/",
        "themes/",
        "benches/",
        "examples/",
        "fuzz/",
        ".ci/",
        ".github/",
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
    let others = ["CHANGELOG.md", ".github/CONTRIBUTING.md", "src/lib.rs"];
    for name in documents().iter().map(String::as_str).chain(others) {
        let own = without_generated(&text_of(name));
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

/// The rows of the table of providers, without its marks.
fn provider_rows() -> Vec<[String; 3]> {
    let document = text_of("docs/providers.md");
    let table = document.split("| provider | variable").nth(1).unwrap();
    table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            let cells: Vec<String> = cells.map(|cell| cell.trim().replace('`', "")).collect();
            cells.try_into().unwrap()
        })
        .collect()
}

#[test]
fn every_provider_with_a_key_is_listed_as_it_is() {
    let none = Registry::new(Vec::new(), Environment::default(), Duration::from_secs(1));
    let rows = provider_rows();
    let mut named = Vec::new();
    for [provider, variables, command] in &rows {
        let ids: Vec<&str> = provider.split(", ").collect();
        named.extend(ids.iter().map(|id| (*id).to_owned()));
        if variables == "none" {
            assert!(ids.iter().all(|id| none.missing(id).is_none()), "{ids:?}");
            continue;
        }
        // Some addresses have names of the user's in them.
        let (variables, places) = variables.split_once(", with ").unwrap_or((variables, ""));
        let places = || places.split(" and ").filter(|place| !place.is_empty());
        for variable in variables.split(" or ") {
            let set = [(variable.to_owned(), "k".to_owned())].into_iter();
            let at = places().map(|place| (place.to_owned(), "https://a".to_owned()));
            let environment: Environment = set.chain(at).collect();
            let with = Registry::new(Vec::new(), environment, Duration::from_secs(1));
            assert!(none.missing(provider).is_some(), "{provider}");
            assert_eq!(with.missing(provider), None, "{provider} {variable}");
        }
        match none.default_model(provider) {
            Some(model) => assert_eq!(command, &format!("plim -m {model}")),
            None => assert!(command.starts_with(&format!("plim -m {provider}/"))),
        }
    }
    let known: Vec<String> = none.reports().into_iter().map(|report| report.id).collect();
    assert_eq!(named, known);
}
