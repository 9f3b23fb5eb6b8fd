//! Files that are found and read (configuration, rules, prompts), and those made from the
//! table.

use super::*;

#[test]
fn a_file_can_hold_a_prompt_or_a_template() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(
        dir.path().join("t.md"),
        "# Mine\n## Goal\ntext\n##  Next \n",
    )
    .expect("written");
    let mut sources = user("compaction.template = \"@t.md\"\nsystem = \"@t.md\"");
    if let Some(file) = &mut sources.user_file {
        file.path = dir.path().join("config.toml");
    }
    let settings = resolve(&sources).expect("fine").settings;
    assert_eq!(
        settings.context.compaction.template,
        TemplateKind::Custom(vec!["Goal".to_owned(), "Next".to_owned()])
    );
    assert!(
        settings
            .agent
            .prompt
            .system
            .is_some_and(|text| text.starts_with("# Mine"))
    );
}

#[test]
fn files_are_found_and_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    std::fs::create_dir_all(root.join("project/.plimsoll")).expect("made");
    std::fs::create_dir_all(root.join("project/src/deep")).expect("made");
    std::fs::write(root.join("config.toml"), "mouse = false").expect("written");
    std::fs::write(
        root.join("project/.plimsoll/config.toml"),
        "prune.policy = \"off\"",
    )
    .expect("written");
    std::fs::write(root.join("other.toml"), "lanes.global = 9").expect("written");
    let paths = UserPaths::below(root);
    let cwd = root.join("project/src/deep");
    let load =
        |config: Option<&Path>| load(&paths, &cwd, config, EnvironmentVars::new(), Vec::new());

    let usual = load(None).expect("fine").settings;
    assert!(!usual.ui.mouse);
    assert_eq!(usual.context.prune.policy, PrunePolicy::Off);

    let other = load(Some(&root.join("other.toml"))).expect("fine").settings;
    assert!(other.ui.mouse);
    assert_eq!(other.agent.limits.lanes_global, 9);

    let missing = load(Some(&root.join("no.toml"))).expect_err("it was asked for");
    assert!(
        missing.message.ends_with("no.toml: no such file"),
        "{missing}"
    );
}

#[test]
fn paths_follow_the_environment() {
    let paths = |variables: &[(&str, &str)]| {
        let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
        UserPaths::from_environment(&variables.iter().map(own).collect())
    };
    let home = paths(&[("HOME", "/h")]).expect("fine");
    assert_eq!(
        home.config_file(),
        Path::new("/h/.config/plimsoll/config.toml")
    );
    assert_eq!(home.themes_dir(), Path::new("/h/.config/plimsoll/themes"));
    assert_eq!(
        home.user_rules_file(),
        Path::new("/h/.config/plimsoll/AGENTS.md")
    );
    assert_eq!(
        home.sessions_dir(),
        Path::new("/h/.local/share/plimsoll/sessions")
    );
    assert_eq!(home.log_file(), Path::new("/h/.cache/plimsoll/plim.log"));
    let xdg = paths(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")]).expect("fine");
    assert_eq!(xdg.config_file(), Path::new("/c/plimsoll/config.toml"));
    let own = paths(&[("HOME", "/h"), ("PLIMSOLL_HOME", "/p")]).expect("fine");
    assert_eq!(own.config_file(), Path::new("/p/config.toml"));
    assert_eq!(own.home(), Some(Path::new("/h")));
    for path in [
        own.last_model_file(),
        own.calibration_file(),
        own.limits_file(),
        own.history_file(),
        own.drafts_dir(),
    ] {
        assert!(path.starts_with("/p/data"));
    }
    let relative = paths(&[("PLIMSOLL_HOME", "here")]).expect_err("not absolute");
    assert_eq!(
        relative.message,
        "PLIMSOLL_HOME must be an absolute path, not here"
    );
}

#[test]
fn the_default_file_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/config.default.toml");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, default_toml()).expect("written");
    }
    let asset = std::fs::read_to_string(&path).expect("the asset");
    assert!(
        asset == default_toml(),
        "assets/config.default.toml is not what the table of settings says; BLESS=1 with this \
         test writes it again"
    );
}

#[test]
fn the_default_file_uncommented_means_the_defaults() {
    let generated = default_toml();
    let settings_part = generated.split("\n# Window (0: unknown)").next();
    let mut text = String::new();
    for line in settings_part.expect("the first part").lines() {
        let bare = line.strip_prefix("# ").unwrap_or(line);
        let is_setting = bare.starts_with('[')
            || bare
                .split_once(" = ")
                .is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        if is_setting {
            text.push_str(bare);
            text.push('\n');
        }
    }
    let resolved = resolve(&user(&text)).expect("a valid file");
    assert_eq!(resolved.settings, Settings::default());
    let with_default = |s: &&Setting| s.default_text() != "none";
    assert_eq!(
        resolved.origins.len(),
        all_settings().filter(with_default).count()
    );
}

#[test]
fn the_example_tables_of_the_default_file_are_valid() {
    let generated = default_toml();
    let (_, tables) = generated
        .split_once("load line of one model:\n#\n")
        .expect("examples");
    let text: Vec<&str> = tables
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| line.starts_with('[') || line.contains(" = "))
        .collect();
    let settings = resolve(&user(&text.join("\n"))).expect("valid").settings;
    assert_eq!(settings.providers.len(), 1);
    assert_eq!(settings.models.len(), 1);
}

#[test]
fn the_readme_table_has_a_row_for_each_setting() {
    let table = settings_markdown();
    assert_eq!(table.lines().count(), all_settings().count() + 2);
    assert!(table.contains("| `prune.soft_ratio` | `0.3` | 0 to 1 |"));
    assert!(table.lines().all(|line| line.matches(" | ").count() == 3));
}

#[test]
fn rules_are_read_from_the_root_down_and_capped() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("project");
    let deep = root.join("a/b");
    std::fs::create_dir_all(&deep).expect("made");
    std::fs::create_dir_all(root.join(".git")).expect("made");
    std::fs::write(dir.path().join("AGENTS.md"), "outside").expect("written");
    std::fs::write(root.join("AGENTS.md"), "root line\n".repeat(4_000)).expect("written");
    std::fs::write(root.join("CLAUDE.md"), "the same, under another name").expect("written");
    std::fs::write(deep.join("CLAUDE.md"), "deep").expect("written");
    let own = dir.path().join("own.md");
    std::fs::write(&own, "own").expect("written");

    let rules = read_rules(&deep, std::slice::from_ref(&own), &TrustedDirs::default());
    let names: Vec<_> = rules.files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(names, [own, root.join("AGENTS.md"), deep.join("CLAUDE.md")]);
    let total: usize = rules.files.iter().map(|file| file.text.len()).sum();
    assert!(total <= crate::config::instructions::rules::MAX_RULES_BYTES);
    assert_eq!(rules.files[2].text, "deep");
    assert!(rules.files[1].text.ends_with("root line\n"));
    assert_eq!(rules.files[1].text.len() + rules.files[1].cut_bytes, 40_000);
    assert_eq!(rules.notices().len(), 1);
    assert!(rules.notices()[0].contains("bytes were left out"));
}

#[test]
fn without_a_repository_only_the_working_directory_counts() {
    let dir = tempfile::tempdir().expect("a directory");
    let below = dir.path().join("below");
    std::fs::create_dir_all(&below).expect("made");
    std::fs::write(dir.path().join("AGENTS.md"), "above").expect("written");
    let rules = read_rules(&below, &["missing".into()], &TrustedDirs::default());
    assert_eq!(rules, ProjectRules::default());
}

#[test]
fn the_system_prompt_has_its_parts_in_order() {
    let platform = Platform {
        os: "linux",
        cwd: Path::new("/p"),
    };
    let rules = ProjectRules {
        files: vec![RulesFile {
            path: "/p/AGENTS.md".into(),
            text: "use tabs\n".to_owned(),
            cut_bytes: 9,
            invisible: 0,
            error: None,
        }],
    };
    let mut settings = AgentSettings {
        prompt: PromptSettings {
            system: Some("You sing.".to_owned()),
            append: Some("Loudly.".to_owned()),
        },
        ..AgentSettings::default()
    };
    assert_eq!(
        system_prompt(
            &settings,
            platform,
            &rules,
            Some("# Notes\n\n- sing"),
            &Skills::default()
        ),
        "You sing.\n\nOperating system: linux. Working directory: /p.\n\n\
         # Rules from /p/AGENTS.md\n\nuse tabs\n\
         [9 more bytes of this file are not shown; read it if you need them]\n\n\
         # Notes\n\n- sing\n\nLoudly."
    );
    settings.prompt.system = None;
    let own = system_prompt(
        &settings,
        platform,
        &ProjectRules::default(),
        None,
        &Skills::default(),
    );
    assert!(own.starts_with("You are Plimsoll"));
    for tool in ["read", "list", "search", "write", "edit", "shell"] {
        assert!(own.contains(&format!("`{tool}`")), "{tool}");
    }
}

#[test]
fn rules_come_from_inside_the_project_or_are_left_out_and_said() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("project");
    for folder in ["project/.git", "project/docs", "project/a/b", "project/c"] {
        std::fs::create_dir_all(dir.path().join(folder)).expect("made");
    }
    std::fs::write(dir.path().join("secret.md"), "a key").expect("written");
    std::fs::write(root.join("docs/agents.md"), "use tabs").expect("written");
    std::fs::write(root.join(".env"), "A=key").expect("written");
    let read = |folder: &str| {
        let own = dir.path().join("own.md");
        read_rules(&root.join(folder), &[own], &TrustedDirs::default())
    };
    symlink("docs/agents.md", root.join("AGENTS.md")).expect("linked");
    assert_eq!(read("").files[0].text, "use tabs");
    for target in [
        "../secret.md",
        "/proc/self/environ",
        "/proc/self/cwd/.env",
        ".env",
        "/dev/zero",
        "AGENTS.md",
        "missing.md",
    ] {
        std::fs::remove_file(root.join("AGENTS.md")).expect("removed");
        symlink(target, root.join("AGENTS.md")).expect("linked");
        let rules = read("a/b");
        assert_eq!(rules.files.len(), 1, "{target}");
        assert_eq!(rules.files[0].text, "", "{target}");
        let said = rules.notices();
        assert!(said[0].contains("AGENTS.md was skipped: "), "{said:?}");
    }
    // The user's own may be a link to anywhere.
    symlink(dir.path().join("secret.md"), dir.path().join("own.md")).expect("linked");
    assert_eq!(read("c").files[0].text, "a key");
}

#[test]
fn characters_that_nobody_sees_are_taken_out_of_rules_and_counted() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = "use tabs\u{e0049}\u{e0067}, \u{646}\u{645}\u{6cc}\u{200c}\u{62e}\n";
    std::fs::write(dir.path().join("AGENTS.md"), text).expect("written");
    let rules = read_rules(dir.path(), &["no".into()], &TrustedDirs::default());
    assert_eq!(
        rules.files[0].text,
        text.replace(['\u{e0049}', '\u{e0067}'], "")
    );
    let said = rules.notices();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].ends_with("AGENTS.md: 2 invisible characters were removed"),
        "{said:?}"
    );
}
