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
use crate::config::settings::{McpLogin, McpReach, McpServer};
use crate::config::table::kind::SettingKind;

/// Keys of a server that is a program, of one that is an address, and of both.
const PROGRAM_KEYS: [&str; 4] = ["command", "args", "env", "cwd"];
const ADDRESS_KEYS: [&str; 6] = [
    "url",
    "headers",
    "client_id",
    "client_secret",
    "scopes",
    "callback_port",
];
const SHARED_KEYS: [&str; 3] = ["deadline", "tools", "off"];
/// A port that a login comes back to.
const PORT: SettingKind = SettingKind::Int {
    min: 1,
    max: u16::MAX as u64,
    unit: "TCP ports",
};
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
    fields.only(&server_keys())?;
    let reach = reach(&fields).map_err(|problem| match problem {
        ReachProblem::Bad(error) => error,
        ReachProblem::Wrong(what) => wrong(&what),
    })?;
    let deadline: Option<u64> = fields.get("deadline", DEADLINE)?;
    Ok(McpPatch {
        line: place.line(offset),
        server: McpServer {
            name: name.to_owned(),
            reach,
            deadline_secs: deadline.unwrap_or(McpServer::USUAL_DEADLINE_SECS),
            tools: fields.get("tools", TEXTS)?.unwrap_or_default(),
            off: fields.get("off", SettingKind::Bool)?.unwrap_or_default(),
            origin: SettingOrigin::Default,
        },
    })
}

/// All keys of a server, in the order of the schema.
fn server_keys() -> Vec<&'static str> {
    [&PROGRAM_KEYS[..], &ADDRESS_KEYS, &SHARED_KEYS].concat()
}

/// Why a table does not say how a server is reached.
enum ReachProblem {
    Bad(ConfigError),
    /// What is wrong with the table, after its name.
    Wrong(String),
}

impl From<ConfigError> for ReachProblem {
    fn from(error: ConfigError) -> Self {
        Self::Bad(error)
    }
}

fn reach(fields: &TableFields<'_>) -> Result<McpReach, ReachProblem> {
    let given = |key: &&&str| fields.has(key);
    let is_address = fields.has("url");
    let (own, others) = if is_address {
        ("url", PROGRAM_KEYS.iter().find(given))
    } else {
        ("command", ADDRESS_KEYS.iter().find(given))
    };
    if let Some(other) = others.filter(|_| is_address || fields.has("command")) {
        let what = format!("has `{own}` and `{other}`: it is a program or an address, not both");
        return Err(ReachProblem::Wrong(what));
    }
    if is_address {
        let url: String = fields.get("url", SettingKind::Text)?.unwrap_or_default();
        let port: Option<u64> = fields.get("callback_port", PORT)?;
        return Ok(McpReach::Address {
            url: address(&url).map_err(ReachProblem::Wrong)?,
            headers: fields.texts("headers")?,
            login: McpLogin {
                client_id: fields.get("client_id", SettingKind::Text)?,
                client_secret: fields.get("client_secret", SettingKind::Text)?,
                scopes: fields.get("scopes", TEXTS)?.unwrap_or_default(),
                callback_port: port.and_then(|port| u16::try_from(port).ok()),
            },
        });
    }
    let command: Option<String> = fields.get("command", SettingKind::Text)?;
    let cwd: Option<String> = fields.get("cwd", SettingKind::Text)?;
    let command = command.filter(|it| !it.trim().is_empty());
    Ok(McpReach::Program {
        command: command
            .ok_or_else(|| ReachProblem::Wrong("has no `command` and no `url`".to_owned()))?,
        args: fields.get("args", TEXTS)?.unwrap_or_default(),
        env: fields.texts("env")?,
        cwd: cwd.map(PathBuf::from),
    })
}

/// An address as it is configured: variables in it are filled in when it is used.
fn address(url: &str) -> Result<String, String> {
    let url = url.trim();
    let is_one = ["https://", "http://", "${"]
        .iter()
        .any(|start| url.len() > start.len() && url.starts_with(start));
    if is_one {
        Ok(url.to_owned())
    } else {
        Err("has a `url` that does not begin with https:// or http://".to_owned())
    }
}

/// The schema of a `[mcp.NAME]` table.
pub(in crate::config) fn mcp_server_schema() -> Value {
    let (text, texts) = (SettingKind::Text.json_schema(), TEXTS.json_schema());
    let table_of_texts = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let fields = [
        ("command", text.clone()),
        ("args", texts.clone()),
        ("env", table_of_texts.clone()),
        ("cwd", text.clone()),
        ("url", text.clone()),
        ("headers", table_of_texts),
        ("client_id", text.clone()),
        ("client_secret", text),
        ("scopes", texts.clone()),
        ("callback_port", PORT.json_schema()),
        ("deadline", DEADLINE.json_schema()),
        ("tools", texts),
        ("off", SettingKind::Bool.json_schema()),
    ];
    let fields = fields.into_iter();
    let mut schema = table(&fields.map(|(key, it)| (key.to_owned(), it)).collect());
    schema["oneOf"] = json!([{"required": ["command"]}, {"required": ["url"]}]);
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
    #[serde(rename = "type")]
    kind: Option<String>,
    url: Option<String>,
    headers: BTreeMap<String, String>,
    oauth: Option<SharedLogin>,
    disabled: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SharedLogin {
    client_id: Option<String>,
    callback_port: Option<u16>,
}

impl SharedServer {
    /// A `type` is named when it is not the usual one; "http" has other names too.
    fn reach(self) -> Result<McpReach, String> {
        let kind = self.kind.as_deref().unwrap_or_default();
        if kind == "sse" {
            return Err(
                "it is of the type \"sse\", which is not supported; most of these servers \
                 have an address of the type \"http\" too"
                    .to_owned(),
            );
        }
        let Some(url) = self.url.filter(|_| kind != "stdio") else {
            let command = self.command.filter(|it| !it.trim().is_empty());
            return Ok(McpReach::Program {
                command: command.ok_or("it has no command")?,
                args: self.args,
                env: self.env,
                cwd: self.cwd,
            });
        };
        let login = self.oauth.unwrap_or_default();
        Ok(McpReach::Address {
            url: address(&url).map_err(|what| format!("it {what}"))?,
            headers: self.headers,
            login: McpLogin {
                client_id: login.client_id,
                callback_port: login.callback_port,
                ..McpLogin::default()
            },
        })
    }
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
    let off = shared.disabled;
    Ok(McpServer {
        name,
        reach: shared.reach()?,
        deadline_secs: McpServer::USUAL_DEADLINE_SECS,
        tools: Vec::new(),
        off,
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
            "remote": {"type": "http", "url": "https://example.org/mcp",
                "headers": {"X-Key": "${KEY}"}, "oauth": {"clientId": "c", "callbackPort": 8123}},
            "plain": {"url": "http://localhost:1/mcp"},
            "older": {"type": "sse", "url": "https://example.org/sse"},
            "odd": {"url": "ftp://example.org"},
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
            [
                ("My-Files", false),
                ("my-files", false),
                ("off", true),
                ("plain", false),
                ("remote", false)
            ]
        );
        assert_eq!(
            found.servers[4].reach,
            McpReach::Address {
                url: "https://example.org/mcp".to_owned(),
                headers: [("X-Key".to_owned(), "${KEY}".to_owned())].into(),
                login: McpLogin {
                    client_id: Some("c".to_owned()),
                    callback_port: Some(8123),
                    ..McpLogin::default()
                },
            }
        );
        let refused = found.refused.join("\n");
        assert_eq!(found.refused.len(), 4, "{refused}");
        assert!(refused.contains("\"older\": it is of the type \"sse\", which is not supported"));
        assert!(refused.contains("does not begin with https:// or http://"));
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
        assert_eq!(keys, server_keys());
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
