//! A configuration file as it was written: flat keys with line numbers, and the tables
//! of providers, models, hooks and servers. Which keys exist and what they accept is checked later,
//! except inside those tables.

use toml::de::{DeTable, DeValue};

use super::event_hooks::HookPatch;
use super::keys::KeyPatch;
use super::mcp::McpPatch;
use super::providers::{ModelPatch, ProviderPatch};
use super::toml_text::{TomlText, to_value, type_name};
use crate::config::error::ConfigError;
use crate::config::settings::HookEvent;
use crate::config::value::SettingValue;

/// A parsed file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RawFile {
    /// All keys outside the tables below, in the order of the file.
    pub entries: Vec<RawEntry>,
    /// `[providers.ID]`
    pub providers: Vec<ProviderPatch>,
    /// `[models."provider/model"]`
    pub models: Vec<ModelPatch>,
    /// `[keys.PLACE]`, in the order of the file.
    pub keys: Vec<KeyPatch>,
    /// `[[hooks.EVENT]]`, in the order of the file.
    pub hooks: Vec<HookPatch>,
    /// `[mcp.NAME]`
    pub mcp: Vec<McpPatch>,
}

/// One key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RawEntry {
    /// Dotted path.
    pub key: String,
    /// As written.
    pub value: SettingValue,
    /// From 1.
    pub line: usize,
}

/// Parses a file.
///
/// # Errors
///
/// Text that is not TOML, and provider or model tables that say something unknown.
pub(crate) fn parse(place: TomlText<'_>) -> Result<RawFile, ConfigError> {
    let table = DeTable::parse(place.text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        ConfigError::new(format!(
            "{}: {}",
            place.at(offset),
            one_line(error.message())
        ))
        .with_hint("the file must be TOML: key = value, strings in quotes")
    })?;
    let mut raw = RawFile::default();
    for (key, value) in table.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("providers", DeValue::Table(tables)) => {
                raw.providers = super::providers::providers(tables, place)?;
            }
            ("models", DeValue::Table(tables)) => {
                raw.models = super::providers::models(tables, place)?;
            }
            ("keys", DeValue::Table(tables)) => read_keys(tables, place, &mut raw)?,
            ("hooks", DeValue::Table(tables)) => read_hooks(tables, place, &mut raw)?,
            ("mcp", DeValue::Table(tables)) => read_mcp(tables, place, &mut raw)?,
            (name, value) => flatten(
                name.to_owned(),
                value,
                place.line(key.span().start),
                place,
                &mut raw.entries,
            )?,
        }
    }
    raw.entries.sort_by_key(|entry| entry.line);
    raw.keys.sort_by_key(|patch| patch.line);
    raw.hooks.sort_by_key(|patch| patch.line);
    Ok(raw)
}

/// Tables of `keys` name places; what else is there is a setting.
fn read_keys(
    tables: &DeTable<'_>,
    place: TomlText<'_>,
    raw: &mut RawFile,
) -> Result<(), ConfigError> {
    for (name, value) in tables {
        if let DeValue::Table(table) = value.get_ref() {
            raw.keys
                .extend(super::keys::table(name.get_ref(), table, place)?);
            continue;
        }
        let line = place.line(name.span().start);
        let key = format!("keys.{}", name.get_ref());
        flatten(key, value.get_ref(), line, place, &mut raw.entries)?;
    }
    Ok(())
}

/// Lists of `hooks` are commands of an event; what else is there is a setting.
fn read_hooks(
    tables: &DeTable<'_>,
    place: TomlText<'_>,
    raw: &mut RawFile,
) -> Result<(), ConfigError> {
    for (name, value) in tables {
        let offset = name.span().start;
        if let Some(event) = HookEvent::from_name(name.get_ref()) {
            let found = super::event_hooks::hooks(event, value.get_ref(), offset, place)?;
            raw.hooks.extend(found);
            continue;
        }
        let key = format!("hooks.{}", name.get_ref());
        let line = place.line(offset);
        flatten(key, value.get_ref(), line, place, &mut raw.entries)?;
    }
    Ok(())
}

/// Tables of `mcp` are servers; what else is there is a setting.
fn read_mcp(
    tables: &DeTable<'_>,
    place: TomlText<'_>,
    raw: &mut RawFile,
) -> Result<(), ConfigError> {
    for (name, value) in tables {
        let offset = name.span().start;
        if let DeValue::Table(_) = value.get_ref() {
            let found = super::mcp::server(name.get_ref(), value.get_ref(), offset, place)?;
            raw.mcp.push(found);
            continue;
        }
        let key = format!("mcp.{}", name.get_ref());
        let line = place.line(offset);
        flatten(key, value.get_ref(), line, place, &mut raw.entries)?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Depth is bounded by the parser, which refuses deep nesting.
fn flatten(
    key: String,
    value: &DeValue<'_>,
    line: usize,
    place: TomlText<'_>,
    entries: &mut Vec<RawEntry>,
) -> Result<(), ConfigError> {
    if let DeValue::Table(table) = value {
        for (name, value) in table {
            let line = place.line(name.span().start);
            let key = format!("{key}.{}", name.get_ref());
            flatten(key, value.get_ref(), line, place, entries)?;
        }
        return Ok(());
    }
    let Some(value) = to_value(value) else {
        return Err(ConfigError::new(format!(
            "{}:{line}: `{key}` is {}, which no setting accepts",
            place.name,
            type_name(value)
        )));
    };
    entries.push(RawEntry { key, value, line });
    Ok(())
}
