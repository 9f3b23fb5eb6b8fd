//! Sources in, settings with origins or an exact message out.

mod files;
mod projects;
mod refused;
mod rules_files;

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::context::{PrunePolicy, TemplateKind, Threshold};
use crate::provider::{Api, Protocol};

fn user(text: &str) -> SettingSources {
    SettingSources {
        user_file: Some(SourceFile {
            path: PathBuf::from("config.toml"),
            text: text.to_owned(),
        }),
        ..SettingSources::default()
    }
}

fn flag(key: &str, text: &str) -> FlagSetting {
    FlagSetting {
        key: key.to_owned(),
        value: SettingValue::Text(text.to_owned()),
        flag: "-S".to_owned(),
        adds: false,
    }
}

/// A value that each setting accepts and that is not its default.
fn another_value(setting: &Setting) -> SettingValue {
    let text = |text: &str| SettingValue::Text(text.to_owned());
    let default = setting.get(&Settings::default());
    match setting.kind {
        SettingKind::Bool => SettingValue::Bool(default == SettingValue::Bool(false)),
        SettingKind::Int { min, max, .. } => {
            let candidates = [min, max, min + 1];
            let mut ints = candidates.map(|n| SettingValue::Int(n as i64)).into_iter();
            ints.find(|value| *value != default).expect("two values")
        }
        SettingKind::Factor => SettingValue::Float(1.5),
        SettingKind::Share | SettingKind::Dollars => SettingValue::Float(0.125),
        SettingKind::Text | SettingKind::Prompt => text("another"),
        SettingKind::Url => text("https://another"),
        SettingKind::Choice(names) => {
            let mut values = names.iter().map(|name| text(name));
            values.find(|value| *value != default).expect("two names")
        }
        SettingKind::Model => text("a/b/c"),
        SettingKind::Threshold => SettingValue::Int(1_234),
        SettingKind::Template => SettingValue::List(vec![text("Goal"), text("Next")]),
        SettingKind::List(SettingKind::Model) => SettingValue::List(vec![text("a/b"), text("c/d")]),
        SettingKind::List(_) => SettingValue::List(vec![text("x"), text("y, z")]),
    }
}

#[test]
fn every_setting_can_be_set_and_read_back() {
    for setting in all_settings() {
        let mut settings = Settings::default();
        let value = another_value(setting);
        setting.set(&mut settings, &value).expect(setting.key);
        assert_eq!(setting.get(&settings), value, "{}", setting.key);
        assert_ne!(settings, Settings::default(), "{}", setting.key);
        // Nothing else moved.
        let default = setting.get(&Settings::default());
        setting.set(&mut settings, &default).expect(setting.key);
        assert_eq!(settings, Settings::default(), "{}", setting.key);
    }
}

#[test]
fn every_setting_works_from_a_file_a_variable_and_a_flag() {
    for setting in all_settings() {
        let value = another_value(setting);
        let mut file = user(&format!("{} = {value}", setting.key));
        // Values that need a partner.
        file.flags = match setting.key {
            "prune.hard_ratio" => vec![flag("prune.soft_ratio", "0.1")],
            "prune.soft.max_chars" => vec![
                flag("prune.soft.head_chars", "0"),
                flag("prune.soft.tail_chars", "0"),
            ],
            _ => Vec::new(),
        };
        let from_file = resolve(&file).expect(setting.key);
        assert_eq!(setting.get(&from_file.settings), value, "{}", setting.key);

        let text = value
            .as_text()
            .map_or_else(|| value.to_string(), str::to_owned);
        let mut variable = SettingSources::default();
        variable
            .environment
            .insert(setting.variable(), text.clone());
        variable.flags.clone_from(&file.flags);
        let from_variable = resolve(&variable).expect(setting.key);
        assert_eq!(
            from_variable.settings, from_file.settings,
            "{}",
            setting.key
        );

        let mut flags = SettingSources::default();
        flags.flags.clone_from(&file.flags);
        flags.flags.push(flag(setting.key, &text));
        let from_flag = resolve(&flags).expect(setting.key);
        assert_eq!(from_flag.settings, from_file.settings, "{}", setting.key);
    }
}

#[test]
fn nothing_set_means_the_defaults() {
    let resolved = resolve(&SettingSources::default()).expect("defaults are consistent");
    assert_eq!(resolved.settings, Settings::default());
    assert_eq!(resolved.origin("prune.soft_ratio"), SettingOrigin::Default);
}

#[test]
fn every_default_is_accepted_by_its_own_setting() {
    for setting in all_settings() {
        let default = setting.get(&Settings::default());
        let mut settings = Settings::default();
        assert_eq!(
            setting.set(&mut settings, &default),
            Ok(()),
            "{}",
            setting.key
        );
    }
}

#[test]
fn names_are_unique() {
    let mut variables: Vec<String> = all_settings().map(Setting::variable).collect();
    variables.sort();
    let all = variables.len();
    variables.dedup();
    assert_eq!(variables.len(), all);
    let aliases = all_settings().flat_map(|s| s.aliases.iter().map(move |a| (s, a)));
    for (setting, alias) in aliases {
        let (found, _) = find(alias.name).expect(alias.name);
        assert_eq!(found.key, setting.key, "{}", alias.name);
    }
}

#[test]
fn names_of_other_systems_are_understood() {
    let cases = [
        ("contextTokens = 100000", "window.cap", "100000"),
        ("prune.softTrimRatio = 0.2", "prune.soft_ratio", "0.2"),
        ("prune.softTrim.headChars = 7", "prune.soft.head_chars", "7"),
        ("prune.ttlMs = 90000", "prune.ttl_secs", "90"),
        (
            "prune.mode = \"cache-ttl\"",
            "prune.policy",
            "\"soft-hard\"",
        ),
        ("compaction.prune = false", "prune.policy", "\"off\""),
        ("compaction.reserveTokens = 5", "compaction.reserved", "5"),
        (
            "compaction.qualityGuard.maxRetries = 2",
            "audit.retries",
            "2",
        ),
        (
            "compaction.keepRecentTokens = 9",
            "compaction.keep_recent_tokens",
            "9",
        ),
    ];
    for (text, key, expected) in cases {
        let resolved = resolve(&user(text)).expect(text);
        let (setting, _) = find(key).expect(key);
        assert_eq!(
            setting.get(&resolved.settings).to_string(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn values_of_one_model_are_shown_with_their_origin() {
    let text = "[models.\"a/b\"]\nwindow = 8000\nthreshold = 0.5";
    let mut sources = user(text);
    sources.flags = vec![flag("models.\"a/b\".cap", "7000")];
    let shown = show(&resolve(&sources).expect(text));
    for line in [
        "models.\"a/b\".window  8000  config.toml:1\n",
        "models.\"a/b\".cap  7000  -S\n",
        "models.\"a/b\".threshold  0.5  config.toml:1\n",
    ] {
        assert!(shown.contains(line), "{line}{shown}");
    }
}

#[test]
fn later_layers_win_and_are_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = dir.path().join(".plimsoll/config.toml");
    let mut sources = user("lanes.global = 2\nprune.superseded = false\nprune.soft_ratio = 0.1");
    sources.project_file = Some(SourceFile {
        path: project.clone(),
        text: "lanes.global = 3\nprune.hard_ratio = 0.9\nprune.superseded = true".to_owned(),
    });
    let environment = [
        ("PLIMSOLL_PRUNE_HARD_RATIO", "0.8"),
        ("PLIMSOLL_LANES_GLOBAL", "5"),
    ];
    sources.environment = environment
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
    sources.flags = vec![flag("lanes.global", "6"), flag("lanes.global", "7")];
    let resolved = resolve(&sources).expect("all fine");
    assert_eq!(resolved.settings.agent.limits.lanes_global, 7);
    assert!(resolved.settings.context.prune.superseded);
    let origins = [
        ("lanes.global", "-S".to_owned()),
        ("prune.hard_ratio", "PLIMSOLL_PRUNE_HARD_RATIO".to_owned()),
        ("prune.superseded", format!("{}:3", project.display())),
        ("prune.soft_ratio", "config.toml:3".to_owned()),
        ("color", "default".to_owned()),
    ];
    for (key, origin) in origins {
        assert_eq!(resolved.origin(key).to_string(), origin, "{key}");
    }
    let shown = show(&resolved);
    let line = shown
        .lines()
        .find(|line| line.starts_with("prune.hard_ratio"));
    let words: Vec<&str> = line.expect("shown").split_whitespace().collect();
    assert_eq!(
        words,
        ["prune.hard_ratio", "0.8", "PLIMSOLL_PRUNE_HARD_RATIO"]
    );
}

#[test]
fn a_flag_can_add_to_a_list() {
    let mut sources = user("extra_dirs = [\"/a\"]");
    let mut add = flag("extra_dirs", "");
    add.value = SettingValue::List(vec![SettingValue::Text("/b".to_owned())]);
    add.adds = true;
    sources.flags = vec![add];
    let dirs = resolve(&sources)
        .expect("fine")
        .settings
        .agent
        .tools
        .extra_dirs;
    assert_eq!(dirs, [Path::new("/a"), Path::new("/b")]);
}

#[test]
fn unknown_variables_are_a_notice() {
    let mut sources = SettingSources::default();
    for name in ["PLIMSOLL_HOME", "PLIMSOLL_THEMES", "OTHER"] {
        sources.environment.insert(name.to_owned(), "x".to_owned());
    }
    assert_eq!(
        resolve(&sources).expect("go on").notices,
        ["PLIMSOLL_THEMES is ignored: unknown setting; did you mean `theme`?"]
    );
}

#[test]
fn no_color_is_respected_and_can_be_overruled() {
    let mut sources = SettingSources::default();
    sources
        .environment
        .insert("NO_COLOR".to_owned(), "1".to_owned());
    assert!(!resolve(&sources).expect("fine").settings.ui.color);
    sources.flags = vec![flag("color", "true")];
    assert!(resolve(&sources).expect("fine").settings.ui.color);
}

#[test]
fn providers_are_merged_by_layer() {
    let text = r#"
[providers.local]
api = "responses"
base_url = "http://a/v1"
api_key_env = "KEY"
headers = { a = "1" }
models = [{ id = "m", window = 100, max_output = 5, input_limit = 90, price = { input = 2, output = 3.5 }, prompt_cache = "prefix" }]
[models."local/m"]
window = 64
threshold = 0.5
"#;
    let mut sources = user(text);
    sources.flags = vec![
        flag("providers.local.base_url", "\"http://b/v1\""),
        flag("providers.local.models", "[{ id = \"m\", images = true }]"),
        flag("models.\"local/m\".threshold", "48"),
        flag("models.\"local/m\".cap", "60"),
        flag("models.\"local/m\".reserved", "8"),
    ];
    let settings = resolve(&sources).expect("fine").settings;
    let [provider] = settings.providers.as_slice() else {
        panic!("{:?}", settings.providers)
    };
    assert_eq!(provider.protocol, Protocol::OpenAi);
    assert_eq!(provider.api, Some(Api::Responses));
    assert_eq!(provider.base_url.as_deref(), Some("http://b/v1"));
    assert_eq!(provider.api_key_env.as_deref(), Some("KEY"));
    assert_eq!(provider.headers["a"], "1");
    let [model] = provider.models.as_slice() else {
        panic!("{:?}", provider.models)
    };
    assert_eq!(model.window_tokens, Some(100));
    assert_eq!(model.input_limit_tokens, Some(90));
    assert_eq!((model.images, model.pdf), (Some(true), None));
    let price = model.price.expect("given");
    assert!((price.cache_read - 2.0).abs() < f64::EPSILON);
    let context = settings.context_for(&model.model);
    assert_eq!(context.window.user_tokens, Some(64));
    assert_eq!(context.window.model_cap_tokens, Some(60));
    assert_eq!(context.compaction.threshold, Some(Threshold::Tokens(48)));
    assert_eq!(context.compaction.reserve.tokens, Some(8));
    let other = settings.context_for(&crate::transcript::ModelRef::new("local", "n"));
    assert_eq!(other.window.model_cap_tokens, None);
    assert_eq!(other.compaction.reserve.tokens, None);
}

#[test]
fn the_window_flag_wins_over_the_models_table() {
    let mut sources = user("[models.\"a/b\"]\nwindow = 64");
    sources.flags = vec![flag("window.user", "0")];
    let settings = resolve(&sources).expect("fine").settings;
    let model = crate::transcript::ModelRef::new("a", "b");
    assert_eq!(settings.context_for(&model).window.user_tokens, Some(0));
}

proptest! {
    #[test]
    fn no_file_and_no_flag_panics(text in ".{0,200}", key in ".{0,30}", value in ".{0,30}") {
        let mut sources = user(&text);
        sources.flags = vec![flag(&key, &value)];
        let _ = resolve(&sources);
        for setting in all_settings() {
            sources.environment.insert(setting.variable(), value.clone());
        }
        let _ = resolve(&sources);
    }
}
