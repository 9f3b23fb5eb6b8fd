//! What was said: entries, messages, parts, the tree they form, and the request
//! that carries them to a model. Pure data.
//!
//! Nothing here knows a file format, a provider, a token or a terminal. Everything
//! else in the crate speaks in these types; formats are converted at their edge.
//!
//! Invariant: an [`Entry`] never changes once it is in a [`Transcript`], and a
//! transcript only grows.

mod author;
mod compaction;
mod count;
mod entry;
mod files;
mod message;
mod model;
mod overlay;
mod picture;
mod request;
mod standing;
mod surrogate;
#[cfg(test)]
pub(crate) mod testing;
mod todo;
mod tree;
mod undo;
mod usage;

pub use author::{Author, NoteKind};
pub use compaction::{AuditRecord, Compaction, CompactionDetails, HistoryShare, Trigger};
pub use count::{grouped, plural, signed};
pub use entry::{Entry, EntryBody, EntryId, Timestamp};
pub use files::{
    ChangedBy, FileCause, FileChange, FileLedger, FileRecord, FileState, TrackedFile, states_at,
};
pub use message::{
    AssistantMessage, AssistantPart, BashExecution, Image, Message, Part, StopReason, ToolCall,
    ToolResult, UserMessage, is_server_summary,
};
pub use model::{Encoding, ImageTokens, LongPrice, ModelInfo, Price, PromptCache, WindowSource};
pub use overlay::{Cut, CutForm, CutPhase, Expense, Overlay, Purpose, UsageSample};
pub use picture::{decoded_base64, picture_size_px};
pub use request::{
    CompletionRequest, ModelRef, RequestMessage, ServerContext, ServerEdits, ThinkingLevel,
    ToolSchema,
};
pub use standing::Standing;
pub(crate) use surrogate::mend as mend_halves;
pub use todo::{TodoItem, TodoList, TodoState};
pub use tree::{DuplicateEntry, Transcript};
pub use undo::{Act, ActKind, newest_act, newest_compaction, newest_undone_act, undone_entries};
pub use usage::{Expected, Usage};
