//! Files for shells and `man`, made from the definition of the command line.

use std::io;

use clap::builder::Resettable;
use clap::{Command, CommandFactory as _, ValueEnum};
use clap_complete::Shell;
use clap_complete_nushell::Nushell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::{Cli, ExitCode};

/// The program's name in its files.
const PROGRAM: &str = "plim";

/// How a process ends, by exit code.
pub const EXIT_CODES: [(ExitCode, &str); 7] = [
    (ExitCode::Done, "done"),
    (ExitCode::Failed, "failed; stderr names the cause"),
    (ExitCode::Usage, "wrong command line"),
    (
        ExitCode::Configuration,
        "wrong configuration, or a missing or refused key",
    ),
    (
        ExitCode::Overflow,
        "the context overflowed and no compaction made it fit",
    ),
    (
        ExitCode::Refused,
        "a call, an edit or a summary was not approved",
    ),
    (ExitCode::Interrupted, "interrupted with Ctrl-C"),
];

/// Variables that the program reads, beside those of keys and addresses of providers.
pub const VARIABLES: [(&str, &str); 9] = [
    (
        "PLIMSOLL_HOME",
        "One directory for configuration, sessions and cache; an absolute path.",
    ),
    (
        "PLIMSOLL_...",
        "Sets a setting: PLIMSOLL_PRUNE_SOFT_RATIO=0.4 sets prune.soft_ratio.",
    ),
    ("PLIMSOLL_LOG", "Filter of the log file, as -v sets it."),
    (
        "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME",
        "Where the directories of the program are without PLIMSOLL_HOME.",
    ),
    (
        "ANTHROPIC_API_KEY, OPENAI_API_KEY, ...",
        "Keys of providers; `plim doctor` names the one in use.",
    ),
    (
        "ANTHROPIC_BASE_URL, OPENAI_BASE_URL, ...",
        "Addresses of providers.",
    ),
    ("HTTPS_PROXY, NO_PROXY", "The proxy, and hosts without one."),
    ("VISUAL, EDITOR", "The editor of ctrl-g; vi without them."),
    ("NO_COLOR", "Any value: no colours."),
];

/// Shells with completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompletionShell {
    /// `source <(plim completions bash)`
    Bash,
    /// A file `_plim` in a directory of `$fpath`
    Zsh,
    /// `~/.config/fish/completions/plim.fish`
    Fish,
    /// A line of `$PROFILE`
    #[value(name = "powershell")]
    PowerShell,
    /// A line of `rc.elv`
    Elvish,
    /// A module for `use`
    Nushell,
}

/// The completion script of a shell.
pub fn completion_script(shell: CompletionShell) -> Vec<u8> {
    let mut command = Cli::command();
    let mut script = Vec::new();
    let known = match shell {
        CompletionShell::Bash => Shell::Bash,
        CompletionShell::Zsh => Shell::Zsh,
        CompletionShell::Fish => Shell::Fish,
        CompletionShell::PowerShell => Shell::PowerShell,
        CompletionShell::Elvish => Shell::Elvish,
        CompletionShell::Nushell => {
            clap_complete::generate(Nushell, &mut command, PROGRAM, &mut script);
            return script;
        }
    };
    clap_complete::generate(known, &mut command, PROGRAM, &mut script);
    script
}

/// A page of the manual.
pub struct ManualPage {
    /// The name of its file, e.g. `plim-context.1`.
    pub file_name: String,
    /// Its text in roff.
    pub text: Vec<u8>,
}

/// The pages of the program and of each subcommand; the program's first.
///
/// # Errors
///
/// None in memory; the generator's interface has them.
pub fn manual_pages() -> io::Result<Vec<ManualPage>> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = Vec::new();
    add_pages(&root, &mut pages)?;
    Ok(pages)
}

/// Depth is that of the definition.
fn add_pages(command: &Command, pages: &mut Vec<ManualPage>) -> io::Result<()> {
    // The page has sections of its own for what ends the help.
    let page = Man::new(command.clone().after_long_help(Resettable::Reset)).manual("Plimsoll");
    let mut text = Vec::new();
    page.render(&mut text)?;
    let mut after = Roff::default();
    after.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        term(&mut after, &(code as u8).to_string(), meaning);
    }
    after.control("SH", ["ENVIRONMENT"]);
    for (names, meaning) in VARIABLES {
        term(&mut after, names, meaning);
    }
    after.to_writer(&mut text)?;
    pages.push(ManualPage {
        file_name: page.get_filename(),
        text,
    });
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    for subcommand in shown {
        add_pages(subcommand, pages)?;
    }
    Ok(())
}

/// A term with its meaning indented below it.
fn term(page: &mut Roff, name: &str, meaning: &str) {
    page.control("TP", []);
    page.text([roman(name)]);
    page.text([roman(meaning)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subcommands() -> Vec<String> {
        let root = Cli::command();
        let shown = root.get_subcommands().filter(|it| !it.is_hide_set());
        shown.map(|it| it.get_name().to_owned()).collect()
    }

    #[test]
    fn every_shell_completes_every_subcommand() {
        for shell in CompletionShell::value_variants() {
            let script = String::from_utf8(completion_script(*shell)).expect("text");
            for name in subcommands() {
                assert!(script.contains(&name), "{shell:?} without {name}");
            }
            assert!(script.contains("--output-format"), "{shell:?}");
        }
    }

    #[test]
    fn every_subcommand_has_a_page_with_the_usual_sections() {
        let pages = manual_pages().expect("pages");
        let names: Vec<&str> = pages.iter().map(|page| page.file_name.as_str()).collect();
        assert_eq!(names.first(), Some(&"plim.1"));
        for name in subcommands() {
            let file = format!("plim-{name}.1");
            assert!(names.contains(&file.as_str()), "{names:?} without {file}");
        }
        for page in &pages {
            let text = String::from_utf8_lossy(&page.text);
            for section in [
                "NAME",
                "SYNOPSIS",
                "DESCRIPTION",
                "\"EXIT STATUS\"",
                "ENVIRONMENT",
            ] {
                assert!(text.contains(&format!(".SH {section}\n")), "{text}");
            }
        }
    }
}
