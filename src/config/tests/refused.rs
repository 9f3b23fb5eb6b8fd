//! Refused settings, each with its place, its reason and a way out.

use super::*;

#[test]
fn bad_files_are_refused_with_place_and_reason() {
    let cases = [
        (
            "\nprune.soft_ration = 0.2",
            "config.toml:2: unknown setting `prune.soft_ration`",
            "did you mean `prune.soft_ratio`?",
        ),
        (
            "xyzzy.plugh.frobnicate = 1",
            "config.toml:1: unknown setting `xyzzy.plugh.frobnicate`",
            "`plim config show` lists all settings",
        ),
        (
            "[prune]\n\nsoft_ratio = 1.5",
            "config.toml:3: `prune.soft_ratio` is 1.5; expected a share from 0 to 1",
            "",
        ),
        (
            "audit.retries = 4",
            "config.toml:1: `audit.retries` is 4; expected a whole number of retries from 0 to 3",
            "",
        ),
        (
            "compaction.tail_turns = \"3\"",
            "config.toml:1: `compaction.tail_turns` is \"3\"; expected a whole number of turns \
             from 0 to 12, or none",
            "",
        ),
        (
            "window.cap = -1",
            "config.toml:1: `window.cap` is -1; expected a whole number of tokens from 1 to \
             1000000000, or none",
            "",
        ),
        (
            "prune.policy = \"hard\"",
            "config.toml:1: `prune.policy` is \"hard\"; expected one of soft-hard, \
             protect-recent, off",
            "",
        ),
        (
            "model = \"sonnet\"",
            "config.toml:1: `model` is \"sonnet\"; expected a model as provider/model, or none",
            "",
        ),
        (
            "base_url = \"localhost:8080\"",
            "config.toml:1: `base_url` is \"localhost:8080\"; expected a URL that begins with \
             http:// or https://, or none",
            "",
        ),
        (
            "mouse = 1979-05-27",
            "config.toml:1: `mouse` is a datetime, which no setting accepts",
            "",
        ),
        (
            "[providers.local]\nbase_ulr = \"http://x\"",
            "config.toml:2: unknown key `providers.local.base_ulr`",
            "did you mean `base_url`?",
        ),
        (
            "[providers.local]\nprotocol = \"grpc\"",
            "config.toml:2: `providers.local.protocol` is \"grpc\"; expected one of anthropic, \
             openai, gemini, offline",
            "",
        ),
        (
            "[[providers.local.models]]\nwindow = 5",
            "config.toml:1: `providers.local.models` has an item without an id",
            "",
        ),
        (
            "[models.sonnet]\nwindow = 5",
            "config.toml:1: `models.\"sonnet\"` does not name a model as provider/model",
            "quote the name: [models.\"anthropic/claude-sonnet-4-5\"]",
        ),
        (
            "providers.local = 3",
            "config.toml:1: `providers.local` is an integer; expected a table",
            "",
        ),
        (
            "system = \"@missing.md\"",
            "config.toml:1: the file missing.md of `system` cannot be read: No such file or directory \
             (os error 2)",
            "",
        ),
    ];
    for (text, message, hint) in cases {
        check_refused(text, message, hint);
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused_together() {
    let cases = [
        (
            "prune.hard_ratio = 0.2",
            "config.toml:1: `prune.hard_ratio` is 0.2; expected at least `prune.soft_ratio` \
             (0.3, default)",
        ),
        (
            "\nprune.soft_ratio = 0.6",
            "config.toml:2: `prune.soft_ratio` is 0.6; expected at most `prune.hard_ratio` \
             (0.5, default)",
        ),
        (
            "prune.soft.head_chars = 3000",
            "config.toml:1: `prune.soft.head_chars` is 3000; expected at most \
             `prune.soft.max_chars` (4000, default) together with `prune.soft.tail_chars` \
             (1500, default)",
        ),
        (
            "prune.soft.max_chars = 100",
            "config.toml:1: `prune.soft.max_chars` is 100; expected at least \
             the sum of `prune.soft.head_chars` (1500, default) and `prune.soft.tail_chars` \
             (1500, default)",
        ),
        (
            "audit.identifier_policy = \"custom\"",
            "config.toml:1: `audit.identifier_policy` is \"custom\"; expected \
             `audit.identifier_instructions` to be set with it",
        ),
        (
            "[models.\"a/b\"]\nwindow = 8000\nreserved = 8000",
            "config.toml:1: `models.\"a/b\".reserved` is 8000; expected fewer tokens than its \
             window, 8000",
        ),
    ];
    for (text, message) in cases {
        check_refused(text, message, "");
    }
}

/// Bounds by kind: just within is taken, just outside is refused with key, place and range.
#[test]
fn every_number_is_refused_outside_its_range() {
    let mut tried = 0;
    for setting in all_settings() {
        let (within, outside) = match setting.kind {
            SettingKind::Int { min, max, .. } => {
                let below = i64::try_from(min).expect("fits") - 1;
                let above = i64::try_from(max).expect("fits") + 1;
                (vec![below + 1, above - 1], vec![below, above, -1])
            }
            SettingKind::Share => (vec![0, 1], vec![-1, 2]),
            SettingKind::Factor => (vec![1, 3], vec![0, 4, -1]),
            _ => continue,
        };
        for value in within {
            let fits = setting.set(&mut Settings::default(), &SettingValue::Int(value));
            assert_eq!(fits, Ok(()), "{} = {value}", setting.key);
        }
        for value in outside {
            let text = format!("{} = {value}", setting.key);
            let message = format!(
                "config.toml:1: `{}` is {value}; expected {}",
                setting.key,
                setting.expected()
            );
            check_refused(&text, &message, "");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

fn check_refused(text: &str, message: &str, hint: &str) {
    let error = resolve(&user(text)).expect_err(text);
    assert_eq!(error.message, message, "{text}");
    assert_eq!(error.hint.unwrap_or_default(), hint, "{text}");
}

#[test]
fn text_that_is_not_toml_names_the_line() {
    let error = resolve(&user("model = \"a/b\"\nmouse = maybe")).expect_err("no TOML");
    assert!(error.message.starts_with("config.toml:2: "), "{error}");
}

#[test]
fn bad_variables_and_flags_name_themselves() {
    let mut sources = SettingSources::default();
    let variable = "PLIMSOLL_PRUNE_SOFT_RATIO".to_owned();
    sources.environment.insert(variable, "much".to_owned());
    assert_eq!(
        resolve(&sources).expect_err("no number").message,
        "PLIMSOLL_PRUNE_SOFT_RATIO: `prune.soft_ratio` is \"much\"; expected a share from 0 to 1"
    );
    let sources = SettingSources {
        flags: vec![flag("lanes", "1")],
        ..SettingSources::default()
    };
    assert_eq!(
        resolve(&sources).expect_err("no setting").message,
        "-S: unknown setting `lanes`"
    );
}
