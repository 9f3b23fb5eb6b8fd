//! Completions, manual pages and schemas, as the program prints them.

use std::process::{Command, Stdio};

use super::program::Program;

/// Shells with the flag that makes them read a script and run nothing.
const READERS: [(&str, &str); 3] = [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")];

const SHELLS: [&str; 6] = ["bash", "zsh", "fish", "powershell", "elvish", "nushell"];

#[test]
fn shells_understand_their_completions() {
    let plim = Program::new();
    for shell in SHELLS {
        let ran = plim.run(&["completions", shell]);
        assert_eq!(ran.code, 0, "{ran:?}");
        for word in ["context", "compact", "fidelity", "--output-format"] {
            assert!(ran.out.contains(word), "{shell} does not complete {word}");
        }
        let reader = READERS.iter().find(|(name, _)| *name == shell);
        let Some((_, flag)) = reader else { continue };
        let script = plim.file("script", &ran.out);
        let read = Command::new(shell).arg(flag).arg(script).output();
        // Not every machine has every shell.
        if let Ok(read) = read {
            let told = String::from_utf8_lossy(&read.stderr);
            assert!(read.status.success(), "{shell}: {told}");
        }
    }
    let ran = plim.run(&["completions", "tcsh"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("nushell"), "{}", ran.err);
}

#[test]
fn bash_completes_a_subcommand_by_its_beginning() {
    let plim = Program::new();
    let script = plim.run(&["completions", "bash"]).out;
    let asked = format!(
        "{script}\nCOMP_WORDS=(plim unc); COMP_CWORD=1; _plim plim unc plim; echo \"${{COMPREPLY[@]}}\"\n"
    );
    let path = plim.file("asked", &asked);
    let Ok(ran) = Command::new("bash").arg(path).stdin(Stdio::null()).output() else {
        return;
    };
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim(), "uncompact");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let plim = Program::new();
    let ran = plim.run(&["man"]);
    for section in ["NAME", "SYNOPSIS", "\"EXIT STATUS\"", "ENVIRONMENT"] {
        assert!(ran.out.contains(&format!(".SH {section}\n")), "{}", ran.out);
    }
    let ran = plim.run(&["man", "pages/man1"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let pages: Vec<String> = std::fs::read_dir(plim.dir().join("pages/man1"))
        .unwrap()
        .map(|page| page.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        ran.out
            .starts_with(&format!("{} manual pages", pages.len()))
    );
    for page in ["plim.1", "plim-context.1", "plim-rules-add.1"] {
        assert!(pages.iter().any(|it| it == page), "{pages:?}");
    }
    assert!(
        !pages.iter().any(|it| it.contains("completions")),
        "{pages:?}"
    );
}

#[test]
fn files_for_shells_and_editors_need_no_valid_configuration() {
    let plim = Program::new();
    std::fs::create_dir(plim.home().join("plimsoll")).unwrap();
    let config = plim.home().join("plimsoll/config.toml");
    std::fs::write(config, "this is no TOML").unwrap();
    for args in [
        &["completions", "bash"][..],
        &["man"],
        &["config", "schema"],
        &["config", "schema", "--events"],
    ] {
        let ran = plim.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
    }
    assert_eq!(plim.run(&["config", "path", "--events"]).code, 2);
}

#[test]
fn the_help_is_not_longer_for_them() {
    let help = Program::new().run(&["--help"]).out;
    for hidden in ["completions", "Print the manual"] {
        assert!(!help.contains(hidden), "{help}");
    }
}
