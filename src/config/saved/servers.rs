//! Servers in the user's configuration: added at the end of the file, taken out with their
//! lines. All else in it stays as it is, byte for byte.

use std::fmt::Write as _;
use std::path::PathBuf;

use toml_edit::{Array, InlineTable, Value};

use super::private_file;
use super::store::{SettingsFile, SettingsStore, replace_source};
use crate::config::error::ConfigError;
use crate::config::layers::resolve::resolve;
use crate::config::settings::{McpReach, McpServer};

impl SettingsStore<'_> {
    /// Adds a server to the user's file, and says which file that is.
    ///
    /// # Errors
    ///
    /// There is one of this name, the name cannot be used, or the file is broken or cannot be
    /// written; it is as it was then.
    pub fn add_server(&self, server: &McpServer) -> Result<PathBuf, ConfigError> {
        let path = self.file(SettingsFile::User);
        let name = &server.name;
        if !McpServer::is_name(name) {
            return Err(
                ConfigError::new(format!("{name:?} is no name of a server")).with_hint(
                    "letters, digits, - and _, at most 32, without __ and without _ at the end",
                ),
            );
        }
        let text = private_file::read_text(&path)?;
        if has_server(&text, name) {
            let text = format!("{} has a server called {name}", path.display());
            return Err(ConfigError::new(text).with_hint("`plim mcp remove` takes it out"));
        }
        let edited = with_server(&text, server);
        self.check(&path, &edited)?;
        private_file::rewrite(&path, &edited)?;
        Ok(path)
    }

    /// Takes a server out of the user's file, and says which file that is; `None` when it is
    /// not in there.
    ///
    /// # Errors
    ///
    /// The file is broken or cannot be written; it is as it was then.
    pub fn remove_server(&self, name: &str) -> Result<Option<PathBuf>, ConfigError> {
        let path = self.file(SettingsFile::User);
        let text = private_file::read_text(&path)?;
        let Some(edited) = without_server(&text, name) else {
            return Ok(None);
        };
        self.check(&path, &edited)?;
        private_file::rewrite(&path, &edited)?;
        Ok(Some(path))
    }

    fn check(&self, path: &std::path::Path, edited: &str) -> Result<(), ConfigError> {
        let mut sources = self.sources()?;
        // What is broken already is said with its line.
        resolve(&sources)?;
        replace_source(&mut sources, SettingsFile::User, path, edited);
        resolve(&sources).map(|_| ())
    }
}

fn parsed(text: &str) -> Option<toml::Table> {
    text.parse().ok()
}

fn has_server(text: &str, name: &str) -> bool {
    parsed(text).is_some_and(|table| table.get("mcp").and_then(|it| it.get(name)).is_some())
}

fn with_server(text: &str, server: &McpServer) -> String {
    let mut lines = format!("[mcp.{}]\n", server.name);
    let mut line = |key: &str, value: Value| {
        let _ = writeln!(lines, "{key} = {value}");
    };
    let table = |pairs: &std::collections::BTreeMap<String, String>| {
        let table: InlineTable = pairs.iter().collect();
        Value::from(table)
    };
    match &server.reach {
        McpReach::Program {
            command, args, env, ..
        } => {
            line("command", command.into());
            if !args.is_empty() {
                line("args", args.iter().collect::<Array>().into());
            }
            if !env.is_empty() {
                line("env", table(env));
            }
        }
        McpReach::Address {
            url,
            headers,
            login,
        } => {
            line("url", url.into());
            if !headers.is_empty() {
                line("headers", table(headers));
            }
            if let Some(id) = &login.client_id {
                line("client_id", id.into());
            }
        }
    }
    let before = text.trim_end();
    let gap = if before.is_empty() { "" } else { "\n\n" };
    format!("{before}{gap}{lines}")
}

/// The text without the tables of a server; `None` when there is none, or when it is written
/// in a way that cannot be taken out line by line.
fn without_server(text: &str, name: &str) -> Option<String> {
    let mut expected = parsed(text)?;
    let servers = expected.get_mut("mcp")?.as_table_mut()?;
    servers.remove(name)?;
    if servers.is_empty() {
        expected.remove("mcp");
    }
    let mut left = String::new();
    // Comments and empty lines above the next table are that table's.
    let mut waiting = String::new();
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with('[') {
            is_inside = is_header_of(start, name);
            if !is_inside {
                left.push_str(&waiting);
            }
            waiting.clear();
        }
        if !is_inside {
            left.push_str(line);
        } else if start.is_empty() || start.starts_with('#') {
            waiting.push_str(line);
        } else {
            waiting.clear();
        }
    }
    left.push_str(&waiting);
    let mut got = parsed(&left)?;
    if got
        .get("mcp")
        .and_then(toml::Value::as_table)
        .is_some_and(toml::Table::is_empty)
    {
        got.remove("mcp");
    }
    (got == expected).then_some(left)
}

/// `[mcp.NAME]` and `[mcp.NAME.env]`, also with spaces and quotes.
fn is_header_of(line: &str, name: &str) -> bool {
    let plain: String = line
        .chars()
        .filter(|c| !matches!(c, ' ' | '\t' | '"' | '\''))
        .collect();
    let Some(rest) = plain.strip_prefix("[mcp.") else {
        return false;
    };
    rest.strip_prefix(name)
        .is_some_and(|rest| rest.starts_with(']') || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{McpLogin, SettingOrigin};

    fn server(name: &str, reach: McpReach) -> McpServer {
        McpServer {
            name: name.to_owned(),
            reach,
            deadline_secs: McpServer::USUAL_DEADLINE_SECS,
            tools: Vec::new(),
            off: false,
            origin: SettingOrigin::Default,
        }
    }

    #[test]
    fn a_server_stands_at_the_end_and_all_else_stays() {
        let program = McpReach::Program {
            command: "npx".to_owned(),
            args: vec!["-y".to_owned(), "a \"b\"".to_owned()],
            env: [("TOKEN".to_owned(), "${TOKEN}".to_owned())].into(),
            cwd: None,
        };
        let old = "# mine\nmodel = \"a/b\" # yes\n";
        let text = with_server(old, &server("files", program));
        assert!(text.starts_with(old), "{text}");
        let table = parsed(&text).unwrap();
        let files = &table["mcp"]["files"];
        assert_eq!(files["args"][1].as_str(), Some("a \"b\""));
        assert_eq!(files["env"]["TOKEN"].as_str(), Some("${TOKEN}"));
        let address = McpReach::Address {
            url: "https://example.org/mcp".to_owned(),
            headers: [("X-A b".to_owned(), "c".to_owned())].into(),
            login: McpLogin {
                client_id: Some("id".to_owned()),
                ..McpLogin::default()
            },
        };
        let text = with_server("", &server("web", address));
        let table = parsed(&text).unwrap();
        assert_eq!(table["mcp"]["web"]["headers"]["X-A b"].as_str(), Some("c"));
        assert_eq!(table["mcp"]["web"]["client_id"].as_str(), Some("id"));
    }

    #[test]
    fn a_server_goes_with_its_lines_and_comments_of_others_stay() {
        let text = "# first\nmodel = \"a/b\"\n\n# about a\n[mcp.a] # x\ncommand = \"a\"\n# inside\n\
            args = [\n  \"[b\",\n]\n\n[ mcp . \"a\" . env ]\nX = \"y\"\n\n# about b\n[mcp.b]\ncommand = \"b\"\n";
        let left = without_server(text, "a").unwrap();
        assert_eq!(
            left,
            "# first\nmodel = \"a/b\"\n\n# about a\n\n# about b\n[mcp.b]\ncommand = \"b\"\n"
        );
        assert_eq!(without_server(&left, "a"), None);
        assert_eq!(
            without_server("mcp = { a = { command = \"x\" } }", "a"),
            None
        );
        assert_eq!(without_server("broken [", "a"), None);
    }
}
