//! One setting in the text of a configuration file: put in, changed, taken out. Comments and
//! order stay as they are. Pure; whether the value is good is for the caller to check.

use toml::de::{DeTable, DeValue};
use toml_edit::{DocumentMut, Item, Table, TableLike};

use crate::config::error::ConfigError;
use crate::config::table::{Setting, find};
use crate::config::value::SettingValue;

/// Tables whose keys are not settings.
const OTHER_TABLES: [&str; 2] = ["providers", "models"];

/// The text with a setting in it. Other spellings of the setting go.
pub(in crate::config) fn with_setting(
    text: &str,
    setting: &Setting,
    value: &SettingValue,
) -> Result<String, ConfigError> {
    let mut text = text.to_owned();
    for path in spellings(&text, setting)? {
        if path.join(".") != setting.key {
            text = without(&text, &path)?;
        }
    }
    let mut document = document(&text)?;
    if document.as_table().is_empty() && !text.trim().is_empty() {
        // Nothing but comments: what is new goes below them.
        let text = text.trim_end();
        return Ok(format!("{text}\n{}", with_setting("", setting, value)?));
    }
    let written = written(value)?;
    let path: Vec<&str> = setting.key.split('.').collect();
    if !put(document.as_table_mut(), &path, written) {
        return Err(ConfigError::new(format!(
            "`{}` cannot be written: the file uses a part of this name for something else",
            setting.key
        )));
    }
    Ok(document.to_string())
}

/// The text without a setting, in any spelling; `None` when it is not there.
pub(in crate::config) fn without_setting(
    text: &str,
    setting: &Setting,
) -> Result<Option<String>, ConfigError> {
    let spellings = spellings(text, setting)?;
    if spellings.is_empty() {
        return Ok(None);
    }
    let mut text = text.to_owned();
    for path in spellings {
        text = without(&text, &path)?;
    }
    Ok(Some(text))
}

fn document(text: &str) -> Result<DocumentMut, ConfigError> {
    text.parse().map_err(|_| not_toml())
}

fn not_toml() -> ConfigError {
    ConfigError::new("the file is not valid TOML; nothing was written").with_hint(
        "correct the \
        file first",
    )
}

/// A setting that is unset is written as `"none"`: a file below may have set it.
fn written(value: &SettingValue) -> Result<toml_edit::Value, ConfigError> {
    let text = match value {
        SettingValue::None => "\"none\"".to_owned(),
        value => value.to_string(),
    };
    text.parse()
        .map_err(|_| ConfigError::new("the value contains characters that a file cannot hold"))
}

/// Where the file sets a setting: by its key, and by names that other systems have for it.
fn spellings(text: &str, setting: &Setting) -> Result<Vec<Vec<String>>, ConfigError> {
    let table = DeTable::parse(text).map_err(|_| not_toml())?;
    let mut found = Vec::new();
    collect(table.get_ref(), &mut Vec::new(), setting.key, &mut found);
    Ok(found)
}

fn collect(table: &DeTable<'_>, at: &mut Vec<String>, key: &str, found: &mut Vec<Vec<String>>) {
    for (name, value) in table {
        let name = name.get_ref().to_string();
        if at.is_empty() && OTHER_TABLES.contains(&name.as_str()) {
            continue;
        }
        at.push(name);
        match value.get_ref() {
            DeValue::Table(inner) => collect(inner, at, key, found),
            _ if find(&at.join(".")).is_some_and(|(setting, _)| setting.key == key) => {
                found.push(at.clone());
            }
            _ => {}
        }
        at.pop();
    }
}

fn put(table: &mut dyn TableLike, path: &[&str], mut value: toml_edit::Value) -> bool {
    match path {
        [] => false,
        [name] => {
            match table.get_mut(name) {
                Some(Item::Value(old)) => {
                    // What is written after it stays.
                    *value.decor_mut() = old.decor().clone();
                    *old = value;
                }
                Some(Item::Table(_) | Item::ArrayOfTables(_)) => return false,
                _ => {
                    table.insert(name, Item::Value(value));
                }
            }
            true
        }
        [name, rest @ ..] => {
            let inner = table.entry(name).or_insert_with(|| {
                let mut inner = Table::new();
                inner.set_implicit(true);
                Item::Table(inner)
            });
            match inner.as_table_like_mut() {
                Some(inner) => put(inner, rest, value),
                None => false,
            }
        }
    }
}

/// Takes one key out. Where it has lines of its own, just these go, so that a comment above
/// stays.
fn without(text: &str, path: &[String]) -> Result<String, ConfigError> {
    if let Some(lines) = own_lines(text, path)? {
        let mut left = text.to_owned();
        left.replace_range(lines, "");
        return Ok(left);
    }
    let mut document = document(text)?;
    remove(document.as_table_mut(), path);
    Ok(document.to_string())
}

fn remove(table: &mut dyn TableLike, path: &[String]) {
    match path {
        [] => {}
        [name] => {
            table.remove(name);
        }
        [name, rest @ ..] => {
            let inner = table.get_mut(name).and_then(Item::as_table_like_mut);
            if let Some(inner) = inner {
                remove(inner, rest);
            }
        }
    }
}

/// The bytes of the lines that hold a key and nothing else.
fn own_lines(text: &str, path: &[String]) -> Result<Option<std::ops::Range<usize>>, ConfigError> {
    let root = DeTable::parse(text).map_err(|_| not_toml())?;
    let mut table = root.get_ref();
    let Some((last, parents)) = path.split_last() else {
        return Ok(None);
    };
    for name in parents {
        match table.get(name.as_str()).map(toml::Spanned::get_ref) {
            Some(DeValue::Table(inner)) => table = inner,
            _ => return Ok(None),
        }
    }
    let Some((key, value)) = table.get_key_value(last.as_str()) else {
        return Ok(None);
    };
    let before = text.get(..key.span().start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '\t' | '.' | '_' | '-' | '"');
    let begins = before
        .get(start..)
        .is_some_and(|head| head.chars().all(is_key));
    let behind = text.get(value.span().end..).unwrap_or_default();
    let (rest, length) = match behind.split_once('\n') {
        Some((rest, _)) => (rest, rest.len() + 1),
        None => (behind, behind.len()),
    };
    let rest = rest.trim();
    let ends = rest.is_empty() || rest.starts_with('#');
    Ok((begins && ends).then(|| start..value.span().end + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(key: &str) -> &'static Setting {
        find(key).unwrap().0
    }

    fn set(text: &str, key: &str, value: &SettingValue) -> String {
        with_setting(text, setting(key), value).unwrap()
    }

    const FILE: &str = "\
# mine
theme = \"dark\" # at night

[prune]
# less is more
soft_ratio = 0.2
hard_ratio = 0.4

[providers.local]
base_url = \"http://127.0.0.1:8080/v1\"
";

    #[test]
    fn comments_and_order_survive_a_change() {
        let text = set(FILE, "theme", &SettingValue::Text("light".to_owned()));
        assert_eq!(text, FILE.replace("\"dark\"", "\"light\""));
        let text = set(FILE, "prune.soft_ratio", &SettingValue::Float(0.25));
        assert_eq!(text, FILE.replace("0.2\n", "0.25\n"));
    }

    #[test]
    fn what_is_new_goes_into_its_section() {
        let text = set(FILE, "prune.policy", &SettingValue::Text("off".to_owned()));
        assert!(text.contains("hard_ratio = 0.4\npolicy = \"off\"\n\n[providers.local]"));
        let text = set(&text, "mouse", &SettingValue::Bool(false));
        assert!(text.contains("theme = \"dark\" # at night\nmouse = false\n"));
        let text = set(&text, "prune.soft.max_chars", &SettingValue::Int(9_000));
        assert!(text.contains("[prune.soft]\nmax_chars = 9000"), "{text}");
        assert!(text.contains("# less is more"));
        assert_eq!(
            set("", "mouse", &SettingValue::Bool(true)),
            "mouse = true\n"
        );
        assert_eq!(
            set("", "max_turns", &SettingValue::None),
            "max_turns = \"none\"\n"
        );
    }

    #[test]
    fn another_systems_name_for_it_gives_way() {
        let old = "[prune]\nsoftTrimRatio = 0.1 # theirs\nhard_ratio = 0.4\n";
        let text = set(old, "prune.soft_ratio", &SettingValue::Float(0.3));
        assert_eq!(text, "[prune]\nhard_ratio = 0.4\nsoft_ratio = 0.3\n");
        let gone = without_setting(old, setting("prune.soft_ratio")).unwrap();
        assert_eq!(gone.as_deref(), Some("[prune]\nhard_ratio = 0.4\n"));
    }

    #[test]
    fn a_line_goes_alone_and_comments_stay() {
        let gone = |text: &str, key: &str| without_setting(text, setting(key)).unwrap();
        let left = gone(FILE, "prune.soft_ratio").unwrap();
        assert_eq!(left, FILE.replace("soft_ratio = 0.2\n", ""));
        assert_eq!(gone(FILE, "mouse"), None);
        assert_eq!(
            gone(
                "prune = { policy = \"off\", soft_ratio = 0.1 }\n",
                "prune.policy"
            ),
            Some("prune = { soft_ratio = 0.1 }\n".to_owned())
        );
        let lines = "fallback_models = [\n  \"a/b\", # first\n]\nmouse = true\n";
        assert_eq!(gone(lines, "fallback_models").unwrap(), "mouse = true\n");
        assert_eq!(gone("prune.policy = \"off\"", "prune.policy").unwrap(), "");
    }

    #[test]
    fn a_broken_file_is_left_alone() {
        let broken = with_setting("theme = ", setting("mouse"), &SettingValue::Bool(true));
        assert!(broken.unwrap_err().message.contains("not valid TOML"));
        let taken = with_setting(
            "prune = 3\n",
            setting("prune.policy"),
            &SettingValue::Bool(true),
        );
        assert!(taken.unwrap_err().message.contains("cannot be written"));
    }
}
