//! What the items of a view are, and tokens by what they are.

use crate::transcript::{EntryBody, Message};

/// The category of an item on the gauge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// System prompt, project rules included, without notes about the project and skills.
    System,
    /// Schemas of tools, without those of servers.
    Tools,
    /// Schemas of tools of MCP servers, and of the tools that find and run the rest of them.
    Servers,
    /// Notes about the project, which are a part of the system prompt.
    Memory,
    /// Names and descriptions of skills, which are a part of the system prompt.
    Skills,
    /// Summaries of compactions and branches.
    Summary,
    /// Rules of the user whose message is not in the window.
    Rules,
    /// User messages.
    User,
    /// Notes of Plimsoll, hooks and other programs in the user role.
    Notes,
    /// Answers, with thinking and tool calls.
    Assistant,
    /// Tool results and shell runs.
    ToolResults,
    /// Text that is typed and not yet sent.
    Pending,
}

impl Category {
    /// How many there are.
    pub const COUNT: usize = 12;

    /// All of them, in the order they are stacked on the gauge.
    pub const ALL: [Self; Self::COUNT] = [
        Self::System,
        Self::Tools,
        Self::Servers,
        Self::Memory,
        Self::Skills,
        Self::Summary,
        Self::Rules,
        Self::User,
        Self::Notes,
        Self::Assistant,
        Self::ToolResults,
        Self::Pending,
    ];

    /// The name in JSON and settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Tools => "tools",
            Self::Servers => "servers",
            Self::Memory => "memory",
            Self::Skills => "skills",
            Self::Summary => "summary",
            Self::Rules => "rules",
            Self::User => "user",
            Self::Notes => "notes",
            Self::Assistant => "assistant",
            Self::ToolResults => "tool_results",
            Self::Pending => "pending",
        }
    }

    /// The category of a message of this entry. Entries that speak to no model count as notes.
    pub fn of(body: &EntryBody) -> Self {
        match body {
            EntryBody::Message(message) => match message.as_ref() {
                Message::User(_) => Self::User,
                Message::Assistant(_) => Self::Assistant,
                Message::ToolResult(_) | Message::BashExecution(_) => Self::ToolResults,
            },
            EntryBody::Compaction(_) | EntryBody::BranchSummary { .. } => Self::Summary,
            _ => Self::Notes,
        }
    }

    /// Whether it stands before the conversation.
    pub fn is_frame(self) -> bool {
        matches!(
            self,
            Self::System | Self::Tools | Self::Servers | Self::Memory | Self::Skills
        )
    }

    /// Position in [`Category::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Tokens by category, in the order of [`Category::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByCategory(pub [u64; Category::COUNT]);

impl ByCategory {
    /// Tokens of one category.
    pub fn get(&self, category: Category) -> u64 {
        self.0[category.index()]
    }

    /// Adds tokens to a category.
    pub fn add(&mut self, category: Category, tokens: u64) {
        self.0[category.index()] += tokens;
    }

    /// Takes tokens from a category, stopping at 0.
    pub fn sub(&mut self, category: Category, tokens: u64) {
        let slot = &mut self.0[category.index()];
        *slot = slot.saturating_sub(tokens);
    }

    /// The sum over all categories.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
