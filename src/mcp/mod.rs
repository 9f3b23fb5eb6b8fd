//! Servers of the Model Context Protocol: other people's programs and addresses that offer tools.
//!
//! A server is foreign. Its names are put behind its own, its texts lose what a terminal would
//! obey, its lists have bounds, its hints about what a tool does decide nothing, and nobody
//! waits for it longer than its deadline. The messages are those of the protocol's own SDK;
//! the processes are ours.
//!
//! What a session offers of servers is settled when it begins, from the lists that they gave
//! the last time: the list of tools stands first in every prompt, and a server that starts,
//! ends, or changes its mind must not change it. Tools that would take too much of the window
//! are not in the list; `find_tools` finds them and `use_tool` runs them.
//!
//! - `servers`: all of them; `session_offer`: what a session offers of them; `switches`: what a
//!   person switched off; `report`: what is known of each; `link`: one of them, its process or
//!   its address, and its connection.
//! - `offer`: a tool of a server as a model gets it; `names`: how it is called; `kept`: the
//!   lists of the last time.
//! - `login`: logging in to one that is an address; `place`: where all of them run; `known`:
//!   what is known without starting one.
//! - `find`: which tools fit some words; `arguments`: whether arguments fit a schema.
//! - `mentions`: resources and prompts in messages of the user.
//! - `content`: what a call answers; `asking`: what a server asks the person; `tools`: the tools that a model calls.

mod arguments;
mod asking;
mod content;
mod find;
mod kept;
mod known;
mod link;
mod login;
mod mentions;
mod names;
mod offer;
mod place;
mod pulse;
mod report;
mod servers;
mod session_offer;
mod switches;
mod tools;

pub use known::{KnownServer, known_servers};
pub use link::extras::{ListedPrompt, ListedResource, PromptBlank};
pub use link::state::{CallCount, LinkPhase, ServerReport, ToolCount, ToolReport};
pub use login::ServerLogin;
pub use login::logout::{Revocation, log_out};
pub use mentions::{FilledMessage, ServerOffers};
pub use offer::OfferedTool;
pub use place::McpPlace;
pub use pulse::ServerChanges;
pub use servers::{McpNews, McpServers};
