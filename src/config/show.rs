//! Settings as text: what is in force and why, the documented default file, and the
//! table of the README. All from the one table.

use std::fmt::Write as _;

use super::layers::resolve::{IgnoredSetting, ResolvedSettings};
use super::settings::Settings;
use super::table::field::SettingField;
use super::table::kind::SettingKind;
use super::table::{Setting, all_settings};
use super::value::SettingValue;
use crate::provider::shown_url;

/// Columns of help in the default file, so that it reads well at 80 with the comment sign.
const HELP_COLUMNS: usize = 77;

/// `plim config show`: every key with its value and where it came from.
pub fn show(resolved: &ResolvedSettings) -> String {
    let rows: Vec<[String; 3]> = all_settings()
        .map(|setting| {
            [
                setting.key.to_owned(),
                presentable(setting, &resolved.settings).to_string(),
                origin_text(resolved, setting.key),
            ]
        })
        .collect();
    let width = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    // A long text would push the origins of all the others off the screen.
    let (keys, values) = (width(0), width(1).min(40));
    let mut text = String::new();
    for [key, value, origin] in &rows {
        let _ = writeln!(text, "{key:keys$}  {value:values$}  {origin}");
    }
    for provider in &resolved.settings.providers {
        let _ = writeln!(
            text,
            "providers.{}  {}  {}  {} models",
            provider.id,
            provider.protocol.name(),
            provider
                .base_url
                .as_deref()
                .map_or_else(|| "built-in address".to_owned(), shown_url),
            provider.models.len()
        );
    }
    for (name, model) in &resolved.settings.models {
        for (key, value) in model.values() {
            let origin = resolved.model_origin(name, key);
            let _ = writeln!(text, "models.\"{name}\".{key}  {value}  {origin}");
        }
    }
    for server in &resolved.settings.mcp.servers {
        let off = if server.off { "off, " } else { "" };
        let (name, reached) = (&server.name, server.reach.brief());
        let _ = writeln!(text, "mcp.{name}  {off}{reached}  {}", server.origin);
    }
    for change in &resolved.settings.ui.keys {
        let _ = writeln!(
            text,
            "keys.{}.{}  {}  {}",
            change.place,
            change.action,
            change.keys.to_value(),
            change.origin
        );
    }
    for ignored in resolved.ignored.iter().filter(|it| it.setting.is_none()) {
        let _ = writeln!(text, "{}  {}", ignored.key, ignored_text(ignored));
    }
    text
}

/// Where a value came from, and where one was written that does not count.
fn origin_text(resolved: &ResolvedSettings, key: &str) -> String {
    let mut text = resolved.origin(key).to_string();
    let ignored = resolved.ignored.iter().filter(|it| it.setting == Some(key));
    for ignored in ignored {
        let _ = write!(text, "; {}", ignored_text(ignored));
    }
    text
}

fn ignored_text(ignored: &IgnoredSetting) -> String {
    format!("{} ignored: project not trusted", ignored.origin)
}

/// The value as it may be printed: an address without the keys that some people put there.
pub fn presentable(setting: &Setting, settings: &Settings) -> SettingValue {
    match (&setting.kind, setting.get(settings)) {
        (SettingKind::Url, SettingValue::Text(url)) => SettingValue::Text(shown_url(&url)),
        (_, value) => value,
    }
}

/// `plim config default`: a configuration file that says what is the default anyway.
pub fn default_toml() -> String {
    let mut text = String::from(
        "# All settings of plim with their defaults. To change one, copy it to your own file\n# \
         (`plim config path` prints its path) and remove the `# ` in front of the key.\n",
    );
    let defaults = Settings::default();
    let mut section = "";
    for setting in sorted_by_section() {
        if setting.section() != section {
            section = setting.section();
            let _ = write!(text, "\n[{section}]\n");
        }
        let name = setting.key.rsplit('.').next().unwrap_or(setting.key);
        let note = setting
            .unset
            .map_or_else(String::new, |unset| format!(" Default: {unset}."));
        text.push('\n');
        for line in wrap(&format!(
            "{}{note} ({})",
            setting.help,
            setting.kind.brief()
        )) {
            let _ = writeln!(text, "# {line}");
        }
        match setting.get(&defaults) {
            SettingValue::None => {
                let _ = writeln!(text, "# {name} =");
            }
            value => {
                let _ = writeln!(text, "# {name} = {value}");
            }
        }
    }
    text.push_str(TABLES);
    text
}

/// Tables of the file that the table of settings does not have.
const TABLES: &str = r#"
# Window (0: unknown), cap, reserve and load line of one model:
#
# [models."anthropic/claude-sonnet-4-5"]
# window = 200000
# cap = 150000
# threshold = 0.8
# reserved = 16000

# Keys by screen and action, with the names of the help: one key, a list, or none.
#
# [keys.main]
# newline = ["shift-enter", "ctrl-j"]
# suspend = "none"

# A provider of your own. api_key_env names the environment variable that holds its key.
# protocol: anthropic, openai, gemini or offline; api, for openai: chat or responses.
#
# [providers.local]
# protocol = "openai"
# base_url = "http://127.0.0.1:8080/v1"
# api_key_env = "LOCAL_API_KEY"
# headers = { "X-Team" = "docs", "X-Token" = "$TOKEN" }   # $NAME: an environment variable; $$: a $
# gateway = false             # true: base_url leads to the provider itself, so that windows
#                             # and prices of the catalogue apply
# temperature = 0.7           # these three are also accepted in a model's table
# service_tier = "flex"
# extra_body = { seed = 7 }   # merged into the body of requests
#
# [[providers.local.models]]
# id = "qwen3-coder"
# window = 32768
# max_output = 8192
# input_limit = 30000
# prompt_cache = "prefix"   # none, ttl or prefix
# encoding = "o200k"        # o200k or cl100k
# images = false
# pdf = false
# tools = true
# thinking = false
# price = { input = 0.0, output = 0.0 }   # US dollars per million tokens
"#;

/// TOML wants the keys without a section first and each section in one place.
fn sorted_by_section() -> Vec<&'static Setting> {
    let mut sections: Vec<&str> = vec![""];
    for setting in all_settings() {
        if !sections.contains(&setting.section()) {
            sections.push(setting.section());
        }
    }
    let of = |section: &&str| {
        let section = (*section).to_owned();
        all_settings().filter(move |s| s.section() == section)
    };
    sections.iter().flat_map(of).collect()
}

fn wrap(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= HELP_COLUMNS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The table of settings for the README.
pub fn settings_markdown() -> String {
    let mut text =
        String::from("| key | default | accepts | what it does |\n| --- | --- | --- | --- |\n");
    for setting in all_settings() {
        let default = match setting.unset {
            Some(unset) if setting.default_text() == "none" => unset.to_owned(),
            _ => format!("`{}`", setting.default_text()),
        };
        let _ = writeln!(
            text,
            "| `{}` | {default} | {} | {} |",
            setting.key,
            setting.kind.brief(),
            setting.help
        );
    }
    text
}
