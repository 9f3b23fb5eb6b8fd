//! The events of the interface. Everything that changes the model comes in here.

use crate::agent::AgentEvent;
use crate::config::UserCommands;
use crate::transcript::{Image, Timestamp};

use super::composer::Draft;
use super::effect::{AttachPurpose, EditPurpose};
use super::input::Input;
use super::theme::LoadedTheme;

/// One thing that happened.
#[derive(Debug)]
pub enum Msg {
    /// The clock; comes before whatever else happened at that time.
    Tick(Timestamp),
    /// A key, a paste, the mouse, another size, the focus.
    Input(Input),
    /// Something that the agent says.
    Agent(AgentEvent),
    /// The files of the workspace, relative to it.
    Files(Vec<String>),
    /// `$EDITOR` was closed; the text, or why there is none.
    Edited(EditPurpose, Result<String, String>),
    /// An image was read, or why not.
    Attached(AttachPurpose, Result<Image, String>),
    /// The user's own commands as they are now, and what was to be run with them.
    Commands(UserCommands, Option<String>),
    /// The draft of the session that was opened.
    Draft(Draft),
    /// A theme was loaded, or why not.
    Theme(Result<LoadedTheme, String>),
    /// The grammars are loaded: code has colours from here on.
    Warmed,
    /// Something that the runner was asked for did not work.
    Failed(String),
}
