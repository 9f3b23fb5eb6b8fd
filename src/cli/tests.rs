//! Command lines in, typed values out.

use clap::CommandFactory;

use super::*;

fn args(line: &[&str]) -> Result<Cli, ParseExit> {
    parse(
        std::iter::once("plim")
            .chain(line.iter().copied())
            .map(OsString::from),
    )
}

fn cli(line: &[&str]) -> Cli {
    args(line).unwrap_or_else(|exit| panic!("{line:?}: {}", exit.text))
}

#[test]
fn the_definition_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn usage_errors_are_a_sentence_and_a_hint() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["--modle", "a/b"],
            "unexpected argument '--modle' found\nhint: a similar argument exists: '--model'\n",
        ),
        (
            &["-c", "-r", "0198"],
            "the argument '--continue' cannot be used with '--resume <ID>'\n\
             hint: plim --help lists commands and flags\n",
        ),
        (
            &["--now", "yesterday"],
            "invalid value 'yesterday' for '--now <RFC3339>': expected a time like \
             2026-01-31T14:00:00Z\nhint: plim --help lists commands and flags\n",
        ),
        (
            &["-S", "prune.soft_ratio"],
            "invalid value 'prune.soft_ratio' for '--set <KEY=VALUE>': expected KEY=VALUE\n\
             hint: plim --help lists commands and flags\n",
        ),
        (
            &["hello", "context"],
            "context does not take a message\nhint: to send it as a message: plim -p context; as a \
             command: plim context\n",
        ),
        (
            &["pin"],
            "the following required arguments were not provided: <ENTRY|SESSION>\n\
             hint: plim --help lists commands and flags\n",
        ),
    ];
    for (line, expected) in cases {
        let exit = args(line).expect_err("must be refused");
        assert_eq!(exit.code, ExitCode::Usage, "{line:?}");
        assert_eq!(exit.text, *expected, "{line:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for line in [["--help"], ["--version"]] {
        let exit = args(&line).expect_err("nothing to run");
        assert_eq!(exit.code, ExitCode::Done);
        assert!(exit.text.contains("plim"), "{}", exit.text);
    }
}

#[test]
fn a_message_may_come_as_argument_or_by_print() {
    assert_eq!(cli(&["fix it"]).prompt.as_deref(), Some("fix it"));
    assert_eq!(cli(&["-p", "fix it"]).print.as_deref(), Some("fix it"));
    assert_eq!(cli(&["-p"]).print.as_deref(), Some(""));
    // A message may be called like a command.
    for message in ["help", "context", "compact"] {
        assert_eq!(cli(&["-p", message]).print.as_deref(), Some(message));
        assert_eq!(cli(&["--print", message]).print.as_deref(), Some(message));
    }
    // Flags may come between; without anything after it, what is piped is the message.
    for line in [
        &["-p", "--output-format", "json", "hi"][..],
        &["--output-format", "json", "hi", "-p"],
        &["--output-format", "json", "-p", "hi"],
        &["-p", "--output-format", "json", "--", "hi"],
    ] {
        let cli = cli(line);
        assert_eq!(
            (cli.print.as_deref(), cli.prompt),
            (Some("hi"), None),
            "{line:?}"
        );
        assert_eq!(cli.output_format, OutputFormat::Json);
    }
    let two = args(&["-p", "two", "words"]).expect_err("which is it?");
    assert!(two.text.contains("two messages"), "{}", two.text);
    assert_eq!(two.code, ExitCode::Usage);
    let command = args(&["-p", "--output-format", "json", "context"]).expect_err("a command");
    assert!(
        command.text.contains("as a message: plim -p context"),
        "{}",
        command.text
    );
    let json = cli(&["-p", "x", "--output-format", "stream-json"]);
    assert_eq!(json.output_format, OutputFormat::StreamJson);
}

#[test]
fn flags_stand_before_or_behind_the_command() {
    for line in [["-m", "a/b", "context"], ["context", "-m", "a/b"]] {
        let cli = cli(&line);
        assert_eq!(cli.common.model.as_deref(), Some("a/b"));
        assert!(matches!(cli.command, Some(CliCommand::Context(_))));
    }
}

#[test]
fn every_command_is_named_as_it_is_typed() {
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        if name == "help" {
            continue;
        }
        let line: &[&str] = match name {
            "pin" | "drop" | "restore" | "import" => &[name, "e1"],
            "completions" => &[name, "bash"],
            "handover" => &[name, "--to", "codex"],
            "recall" | "search" => &[name, "words"],
            "engine" => &[name, "schema"],
            "mcp" => &[name, "list"],
            _ => &[name],
        };
        let parsed = cli(line).command.expect("a command");
        assert_eq!(parsed.name(), name);
    }
}

#[test]
fn a_session_is_a_path_an_id_or_the_newest() {
    let cases = [
        (None, SessionRef::Newest),
        (Some(""), SessionRef::Newest),
        (Some("0198ab"), SessionRef::Id("0198ab".to_owned())),
        (Some("./a"), SessionRef::Path("./a".into())),
        (Some("a.jsonl"), SessionRef::Path("a.jsonl".into())),
    ];
    for (text, expected) in cases {
        assert_eq!(SessionRef::from_text(text), expected);
    }
}

#[test]
fn entries_may_follow_a_session() {
    let target = |line: &[&str]| match cli(line).command {
        Some(CliCommand::Pin(args)) => (args.session(), args.entry().to_owned()),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        target(&["pin", "e7"]),
        (SessionRef::Newest, "e7".to_owned())
    );
    assert_eq!(
        target(&["pin", "0198", "e7"]),
        (SessionRef::Id("0198".to_owned()), "e7".to_owned())
    );
}

#[test]
fn compact_takes_instructions_as_words_or_by_flag() {
    let compact = |line: &[&str]| match cli(line).command {
        Some(CliCommand::Compact(args)) => args,
        other => panic!("{other:?}"),
    };
    let words = compact(&["compact", "0198", "keep", "the", "paths", "--yes"]);
    assert_eq!(words.instructions().as_deref(), Some("keep the paths"));
    assert!(words.yes);
    let flag = compact(&["compact", "--instructions", "keep the paths", "--dry-run"]);
    assert_eq!(flag.instructions(), words.instructions());
    assert_eq!(flag.session.session, None);
    assert!(args(&["compact", "--yes", "--dry-run"]).is_err());
}

#[test]
fn the_session_flags_choose_one_session() {
    let cases: &[(&[&str], SessionChoice)] = &[
        (&[], SessionChoice::New),
        (&["-c"], SessionChoice::Existing(SessionRef::Newest)),
        (&["--session", "a"], SessionChoice::File("a".into())),
        (&["--no-session"], SessionChoice::Memory),
        (
            &["-r", "01"],
            SessionChoice::Existing(SessionRef::Id("01".to_owned())),
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(cli(line).common.session_choice(), *expected, "{line:?}");
    }
    let cli = cli(&["summary", "--session", "a"]);
    let Some(CliCommand::Summary(list)) = &cli.command else {
        panic!("{cli:?}")
    };
    let read = cli.common.session_to_read(&list.session);
    assert_eq!(read, SessionRef::Path("a".into()));
}

#[test]
fn flags_that_are_settings_become_settings() {
    let line = [
        "-m",
        "a/b",
        "--base-url",
        "http://x",
        "--context-window",
        "8k",
        "--context-cap",
        "100k",
        "--engine",
        "layered",
        "--system",
        "be kind",
        "--append-system",
        "and brief",
        "--approve",
        "edits",
        "--max-turns",
        "5",
        "--max-cost",
        "0.5",
        "--add-dir",
        "/x",
        "--add-dir",
        "/y",
        "--no-color",
        "-S",
        "prune.soft_ratio=0.1",
        "-S",
        "window.user=1",
        "-S",
        "models.\"a/b=c\".window=9",
    ];
    let flags = cli(&line).common.flag_settings();
    let sources = crate::config::SettingSources {
        flags,
        ..Default::default()
    };
    let resolved = crate::config::resolve(&sources).expect("all flags are settings");
    let settings = resolved.settings;
    assert_eq!(
        settings.agent.model.map(|m| m.to_string()).as_deref(),
        Some("a/b")
    );
    assert_eq!(settings.agent.base_url.as_deref(), Some("http://x"));
    assert_eq!(settings.context.window.user_tokens, Some(8_000));
    assert_eq!(settings.agent.limits.max_turns, Some(5));
    assert_eq!(settings.agent.limits.max_cost_usd, Some(0.5));
    assert_eq!(settings.agent.tools.extra_dirs.len(), 2);
    assert_eq!(settings.agent.prompt.system.as_deref(), Some("be kind"));
    assert!(!settings.ui.color);
    assert!((settings.context.prune.soft.ratio - 0.1).abs() < f64::EPSILON);
    assert_eq!(settings.models["a/b=c"].window_tokens, Some(9));
}

#[test]
fn now_is_a_reading_of_the_clock() {
    let cli = cli(&["context", "--now", "1970-01-01T00:00:01.5Z"]);
    assert_eq!(cli.common.now, Some(Timestamp(1_500)));
}

#[test]
fn exit_codes_are_those_of_the_manual() {
    let codes = [
        (ExitCode::Done, 0),
        (ExitCode::Failed, 1),
        (ExitCode::Usage, 2),
        (ExitCode::Configuration, 3),
        (ExitCode::Overflow, 4),
        (ExitCode::Refused, 5),
        (ExitCode::Interrupted, 130),
    ];
    for (code, number) in codes {
        assert_eq!(code as u8, number);
    }
}

#[test]
fn resume_is_a_flag_in_words() {
    let parse =
        |words: &str| super::parse(words.split(' ').map(Into::into)).map(Cli::with_resume_as_flag);
    let named = parse("plim resume 0197").unwrap();
    assert!(named.command.is_none());
    let id = SessionRef::Id("0197".to_owned());
    assert_eq!(named.common.session_choice(), SessionChoice::Existing(id));
    let newest = parse("plim resume").unwrap();
    let choice = SessionChoice::Existing(SessionRef::Newest);
    assert_eq!(newest.common.session_choice(), choice);
    assert!(parse("plim resume 0197 --no-session").is_err());
}

fn help_of(line: &[&str]) -> String {
    let exit = args(line).expect_err("nothing to run");
    assert_eq!(exit.code, ExitCode::Done, "{line:?}");
    exit.text
}

#[test]
fn help_lists_every_subcommand_once_in_a_group() {
    let definition = Cli::command();
    for flag in ["--help", "-h"] {
        let text = help_of(&[flag]);
        let shown = definition.get_subcommands().filter(|it| !it.is_hide_set());
        for command in shown {
            let row = format!("\n  {} ", command.get_name());
            assert_eq!(text.matches(&row).count(), 1, "{row}{text}");
            let groups = help::GROUPS.iter();
            let of = groups.filter(|(_, names)| names.contains(&command.get_name()));
            assert_eq!(of.count(), 1, "{}", command.get_name());
        }
        for (group, names) in help::GROUPS {
            assert!(text.contains(&format!("\n{group}:\n")), "{text}");
            for name in *names {
                assert!(definition.find_subcommand(name).is_some(), "{name}");
            }
        }
        assert!(!text.contains("\nCommands:\n"), "{text}");
    }
}

#[test]
fn help_fits_eighty_columns_and_names_examples_environment_and_exit_codes() {
    let text = help_of(&["--help"]);
    for part in [
        "\nExamples:\n  plim ",
        "\nEnvironment:\n",
        "PLIMSOLL_HOME",
        "\nExit codes:\n",
        "--no-colour",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let codes = [
        ExitCode::Done,
        ExitCode::Failed,
        ExitCode::Usage,
        ExitCode::Configuration,
        ExitCode::Overflow,
        ExitCode::Refused,
        ExitCode::Interrupted,
    ];
    for code in codes {
        let row = format!("\n  {:<3}  ", code as u8);
        assert!(text.contains(&row), "{row}: {text}");
    }
    let listed = text.rsplit("Exit codes:\n").next().unwrap_or_default();
    assert_eq!(listed.trim_end().lines().count(), codes.len());
    let wide = text.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
}

#[test]
fn each_subcommand_has_an_example_that_parses() {
    fn check(path: &[&str], command: &clap::Command) {
        let mut line = path.to_vec();
        line.push("--help");
        let text = help_of(&line);
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{path:?}");
        let example = text.rsplit_once("Example: plim ").map(|(_, it)| it.trim());
        let example = example.unwrap_or_else(|| panic!("{path:?}: {text}"));
        let typed = example.split(" > ").next().unwrap_or_default();
        let words: Vec<String> = typed
            .split('"')
            .enumerate()
            .flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words.get(..path.len()), Some(path), "{example}");
        let parsed = cli(&words);
        assert!(parsed.command.is_some(), "{example}");
        for act in command.get_subcommands().filter(|it| !it.is_hide_set()) {
            check(&[path, &[act.get_name()]].concat(), act);
        }
    }
    let definition = Cli::command();
    for command in definition.get_subcommands().filter(|it| !it.is_hide_set()) {
        check(&[command.get_name()], command);
    }
}

#[test]
fn colours_are_also_switched_off_in_british_spelling() {
    assert!(cli(&["--no-colour"]).common.no_color);
    assert!(cli(&["--no-color"]).common.no_color);
}
