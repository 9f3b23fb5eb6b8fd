//! `[mcp.NAME]` tables, and the same in the `.mcp.json` of a project, which several agents
//! share.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};
use toml::de::DeValue;

use super::providers::TableFields;
use super::toml_text::TomlText;
use crate::config::error::ConfigError;
use crate::config::origin::SettingOrigin;
use crate::config::schema::table;
use crate::config::settings::{McpReach, McpServer};
use crate::config::table::kind::SettingKind;

pub(super) const SERVER_KEYS: [&str; 7] =
    ["command", "args", "env", "cwd", "deadline", "tools", "off"];
const TEXTS: SettingKind = SettingKind::List(&SettingKind::Text);
/// Seconds that a start or a call may take.
pub(super) const DEADLINE: SettingKind = SettingKind::Int {
    min: 1,
    max: McpServer::MAX_DEADLINE_SECS,
    unit: "seconds",
};

/// A server with the line where its table begins, from 1. Its origin is set by the layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct McpPatch {
    pub line: usize,
    pub server: McpServer,
}

impl McpPatch {
    /// Takes the place of a server of this name in an earlier layer.
    pub(crate) fn apply(self, origin: SettingOrigin, servers: &mut Vec<McpServer>) {
        put(
            McpServer {
                origin,
                ..self.server
            },
            servers,
        );
    }
}

/// Puts a server in the place of the one of its name, in the order of names.
pub(crate) fn put(server: McpServer, servers: &mut Vec<McpServer>) {
    servers.retain(|it| it.name != server.name);
    servers.push(server);
    servers.sort_by(|a, b| a.name.cmp(&b.name));
}

/// One `[mcp.NAME]` table.
///
/// # Errors
///
/// A name that no server may have, unknown keys and bad values, with file and line.
pub(crate) fn server(
    name: &str,
    value: &DeValue<'_>,
    offset: usize,
    place: TomlText<'_>,
) -> Result<McpPatch, ConfigError> {
    let path = format!("mcp.{name}");
    let wrong = |what: &str| ConfigError::new(format!("{}: `{path}` {what}", place.at(offset)));
    if !McpServer::is_name(name) {
        return Err(wrong("is no name of a server").with_hint(
            "letters, digits, - and _, at most 32, without __ and without _ at the end",
        ));
    }
    let fields = TableFields::new(&path, value, offset, place)?;
    fields.only(&SERVER_KEYS)?;
    let command: Option<String> = fields.get("command", SettingKind::Text)?;
    let Some(command) = command.filter(|it| !it.trim().is_empty()) else {
        return Err(wrong("has no `command`"));
    };
    let cwd: Option<String> = fields.get("cwd", SettingKind::Text)?;
    let deadline: Option<u64> = fields.get("deadline", DEADLINE)?;
    Ok(McpPatch {
        line: place.line(offset),
        server: McpServer {
            name: name.to_owned(),
            reach: McpReach::Program {
                command,
                args: fields.get("args", TEXTS)?.unwrap_or_default(),
                env: fields.texts("env")?,
                cwd: cwd.map(PathBuf::from),
            },
            deadline_secs: deadline.unwrap_or(McpServer::USUAL_DEADLINE_SECS),
            tools: fields.get("tools", TEXTS)?.unwrap_or_default(),
            off: fields.get("off", SettingKind::Bool)?.unwrap_or_default(),
            origin: SettingOrigin::Default,
        },
    })
}

/// The schema of a `[mcp.NAME]` table.
pub(in crate::config) fn mcp_server_schema() -> Value {
    let texts = TEXTS.json_schema();
    let fields = [
        ("command", SettingKind::Text.json_schema()),
        ("args", texts.clone()),
        (
            "env",
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
        ),
        ("cwd", SettingKind::Text.json_schema()),
        ("deadline", DEADLINE.json_schema()),
        ("tools", texts),
        ("off", SettingKind::Bool.json_schema()),
    ];
    let fields = fields.into_iter();
    let mut schema = table(&fields.map(|(key, it)| (key.to_owned(), it)).collect());
    schema["required"] = json!(["command"]);
    schema
}

/// The file of a project.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SharedFile {
    mcp_servers: BTreeMap<String, Value>,
}

/// A server in it. What other programs add beside is passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SharedServer {
    command: Option<String>,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    cwd: Option<PathBuf>,
    disabled: bool,
}

/// The servers of a `.mcp.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SharedServers {
    pub servers: Vec<McpServer>,
    /// Why others are left out, one clause each.
    pub refused: Vec<String>,
}

/// Reads the text of a `.mcp.json`.
///
/// # Errors
///
/// Text that is not JSON of that form, in one clause.
pub(crate) fn shared_servers(text: &str, origin: &SettingOrigin) -> Result<SharedServers, String> {
    let file: SharedFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut found = SharedServers::default();
    for (name, value) in file.mcp_servers {
        match shared_server(&name, value, origin) {
            Ok(server) if found.servers.iter().any(|it| it.name == server.name) => {
                let taken = &server.name;
                found
                    .refused
                    .push(format!("{name:?}: another server is called {taken}"));
            }
            Ok(server) => put(server, &mut found.servers),
            Err(why) => found.refused.push(format!("{name:?}: {why}")),
        }
    }
    Ok(found)
}

fn shared_server(name: &str, value: Value, origin: &SettingOrigin) -> Result<McpServer, String> {
    let shared: SharedServer = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let name = plain_name(name);
    if !McpServer::is_name(&name) {
        return Err("its name cannot be used".to_owned());
    }
    let command = shared.command.filter(|it| !it.trim().is_empty());
    Ok(McpServer {
        name,
        reach: McpReach::Program {
            command: command.ok_or("it has no command")?,
            args: shared.args,
            env: shared.env,
            cwd: shared.cwd,
        },
        deadline_secs: McpServer::USUAL_DEADLINE_SECS,
        tools: Vec::new(),
        off: shared.disabled,
        origin: origin.clone(),
    })
}

/// Other programs take any name: what ours does not take becomes a hyphen.
fn plain_name(name: &str) -> String {
    let mut plain = String::new();
    for c in name.trim().chars().take(McpServer::MAX_NAME_CHARS) {
        let c = if c.is_ascii_alphanumeric() { c } else { '-' };
        if c != '-' || !plain.ends_with('-') {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> SettingOrigin {
        SettingOrigin::ProjectFile {
            path: "/p/.mcp.json".into(),
            line: 1,
        }
    }

    #[test]
    fn the_file_of_a_project_is_read_in_the_shared_form() {
        let text = r#"{"mcpServers": {
            "My Files": {"type": "stdio", "command": "files", "args": ["-r", "${HOME}"],
                "env": {"A": "b"}, "alwaysAllow": ["x"]},
            "my-files": {"command": "other"},
            "My_Files": {"command": "third"},
            "remote": {"type": "http", "url": "https://example.org/mcp"},
            "off": {"command": "x", "disabled": true},
            "wrong": 7
        }}"#;
        let found = shared_servers(text, &origin()).unwrap();
        let names: Vec<_> = found
            .servers
            .iter()
            .map(|it| (it.name.as_str(), it.off))
            .collect();
        assert_eq!(
            names,
            [("My-Files", false), ("my-files", false), ("off", true)]
        );
        assert_eq!(found.refused.len(), 3, "{:?}", found.refused);
        assert!(shared_servers("[1", &origin()).is_err());
        assert_eq!(
            shared_servers("{}", &origin()),
            Ok(SharedServers::default())
        );
    }

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema = mcp_server_schema();
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, SERVER_KEYS);
    }

    #[test]
    fn no_two_names_of_server_and_tool_make_the_same_name() {
        for (name, is_one) in [
            ("files", true),
            ("a-b_c9", true),
            ("a__b", false),
            ("a_", false),
            ("", false),
            ("a b", false),
            ("ä", false),
            ("a23456789012345678901234567890123", false),
        ] {
            assert_eq!(McpServer::is_name(name), is_one, "{name}");
        }
    }
}
