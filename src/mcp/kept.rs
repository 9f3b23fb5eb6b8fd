//! The lists of tools that servers gave the last time, on disk. A session that begins knows
//! them before any server has started.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::names::hash;
use super::offer::OfferedTool;
use crate::config::{McpReach, McpServer};
use crate::disk::{open, private};

/// Bytes of the file.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Servers in it; the program forgets the rest.
const MAX_SERVERS: usize = 200;
/// The form of the file.
const VERSION: u32 = 1;

/// The file.
#[derive(Debug)]
pub(super) struct KeptLists {
    path: PathBuf,
    /// One writer at a time in this process.
    writing: Mutex<()>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct ListFile {
    version: u32,
    servers: BTreeMap<String, Vec<OfferedTool>>,
}

impl KeptLists {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            writing: Mutex::new(()),
        }
    }

    /// The tools that a server had, when it was described as it is now.
    pub(super) fn of(&self, servers: &[&McpServer]) -> Vec<Option<Vec<OfferedTool>>> {
        let mut file = self.read();
        let lists = servers.iter().map(|it| file.servers.remove(&key(it)));
        lists.collect()
    }

    /// Keeps the list of a server. What cannot be kept is asked for again the next time.
    pub(super) fn keep(&self, server: &McpServer, tools: &[OfferedTool]) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = self.read();
        let key = key(server);
        if file.servers.get(&key).is_some_and(|known| known == tools) {
            return;
        }
        let same_name = format!("{}:", server.name);
        if file.servers.len() >= MAX_SERVERS {
            file.servers
                .retain(|other, _| !other.starts_with(&same_name));
        }
        if file.servers.len() >= MAX_SERVERS {
            file.servers.pop_first();
        }
        file.version = VERSION;
        file.servers.insert(key, tools.to_vec());
        let kept = serde_json::to_vec(&file)
            .map_err(std::io::Error::other)
            .and_then(|bytes| private::replace(&self.path, &bytes));
        if let Err(error) = kept {
            tracing::debug!(%error, "the tools of a server could not be kept");
        }
    }

    fn read(&self) -> ListFile {
        let text = open::read_text(&self.path, MAX_FILE_BYTES).ok();
        let file = text.and_then(|text| serde_json::from_str::<ListFile>(&text).ok());
        file.filter(|file| file.version == VERSION)
            .unwrap_or_default()
    }
}

/// A server by its name and all that decides which tools it has.
fn key(server: &McpServer) -> String {
    let mut text = server.tools.join("\n");
    match &server.reach {
        McpReach::Program {
            command, args, cwd, ..
        } => {
            let _ = write!(text, "\u{0}{command}\u{0}{args:?}\u{0}{cwd:?}");
        }
        McpReach::Address { url, .. } => {
            let _ = write!(text, "\u{0}{url}");
        }
    }
    format!("{}:{:016x}", server.name, hash(&text))
}
