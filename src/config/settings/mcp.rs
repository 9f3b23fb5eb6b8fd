//! Servers of the Model Context Protocol: programs of the user, and addresses, that offer tools.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::config::origin::SettingOrigin;
use crate::provider::shown_url;

/// Which servers there are, and how their tools are offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpSettings {
    /// When the schemas of their tools stay out of the prompt.
    pub defer: McpDefer,
    /// In the order of their names.
    pub servers: Vec<McpServer>,
}

/// When the schemas of tools of servers stay out of the prompt until they are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum McpDefer {
    /// When they would take more than a tenth of the usable window.
    #[default]
    Auto,
    /// In every session.
    Always,
    /// In no session.
    Never,
}

/// A server, as the configuration describes it. Variables in it are not filled in yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpServer {
    /// The name: the first part of the names of its tools.
    pub name: String,
    /// How it is reached.
    pub reach: McpReach,
    /// Seconds that its start and each call may take.
    pub deadline_secs: u64,
    /// The tools that are offered, by the server's names for them; empty means all.
    pub tools: Vec<String>,
    /// It is not started.
    pub off: bool,
    /// Where it is described.
    pub origin: SettingOrigin,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum McpReach {
    /// A program that is started, and speaks on its stdin and stdout.
    Program {
        /// The program.
        command: String,
        /// What it is started with.
        args: Vec<String>,
        /// Variables of its environment beside the usual ones.
        env: BTreeMap<String, String>,
        /// Where it runs; the working directory when not set.
        cwd: Option<PathBuf>,
    },
    /// An address that is asked by HTTP (the protocol's "streamable HTTP").
    Address {
        /// `https://…`, or `http://…`.
        url: String,
        /// Headers of each request.
        headers: BTreeMap<String, String>,
        /// How a login registers.
        login: McpLogin,
    },
}

/// What a login (OAuth 2.1) is to use. All of it may be empty: then the program registers
/// itself with the authorization server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpLogin {
    /// The id under which the program is registered there.
    pub client_id: Option<String>,
    /// The secret that belongs to the id.
    pub client_secret: Option<String>,
    /// The permissions that are asked for; what the server names when empty.
    pub scopes: Vec<String>,
    /// The port of the address on this machine that a login comes back to; a free one when
    /// not set.
    pub callback_port: Option<u16>,
}

impl McpReach {
    /// The program without its arguments, or the address without its query.
    pub fn brief(&self) -> String {
        match self {
            Self::Program { command, .. } => command.clone(),
            Self::Address { .. } => self.shown(),
        }
    }

    /// The program or the address, without the query, which may hold a key.
    pub fn shown(&self) -> String {
        match self {
            Self::Program { command, args, .. } => {
                let words = std::iter::once(command).chain(args);
                words.map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Self::Address { url, .. } => shown_url(url),
        }
    }
}

impl McpServer {
    /// Seconds when nothing is set.
    pub const USUAL_DEADLINE_SECS: u64 = 60;
    /// No start and no call takes longer.
    pub const MAX_DEADLINE_SECS: u64 = 3_600;
    /// Characters of a name.
    pub const MAX_NAME_CHARS: usize = 32;

    /// Whether a server may be called so. Together with the name of a tool after two low lines
    /// it makes one name in one way only, so no server can take another one's names.
    pub fn is_name(name: &str) -> bool {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        !name.is_empty()
            && name.len() <= Self::MAX_NAME_CHARS
            && name.chars().all(is_plain)
            && !name.contains("__")
            && !name.ends_with('_')
    }
}
