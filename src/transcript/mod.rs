//! The conversation: entries, messages, parts, the tree they form, and the request that
//! carries them to a model. Pure data.
//!
//! Nothing here knows a file format, a provider, a token or a terminal. Everything
//! else in the crate speaks in these types; formats are converted at their edge.
//!
//! Invariant: an [`Entry`] never changes once it is in a [`Transcript`], and a
//! transcript only grows.

mod audit_words;
mod count;
mod entry;
mod found_tools;
mod message;
mod model;
mod nearest;
mod picture;
mod prompt_cache;
mod reasoning;
mod request;
mod retry;
mod standing;
mod surrogate;
#[cfg(test)]
pub(crate) mod testing;
mod title;
mod tree;
mod undo;
mod usage;

pub use audit_words::{
    AuditDetail, AuditPart, AuditState, AuditSubject, AuditTally, EXTRACTIVE_AUTHOR, NOT_AUDITED,
    author_label,
};
pub use count::{grouped, plural, signed};
pub use entry::{
    ArgumentCut, AskCheck, AuditRecord, Author, ChangedBy, ChildEnd, ChildLink, Compaction,
    CompactionCause, CompactionCost, CompactionDetails, Cut, CutForm, CutPhase, Decision,
    EngineMark, Entry, EntryBody, EntryId, EntryOverride, Expense, FileCause, FileChange,
    FileLedger, FileRecord, FileState, HistoryShare, IdentifierDemand, ImportRecord,
    LEFT_OUT_FIELD, LostPart, Measurement, NoteKind, Purpose, RuleChange, RuleId, SummariserKey,
    SummaryAppendix, SummaryAttempt, SummaryCheck, TailExceptions, Timestamp, TodoItem, TodoList,
    TodoState, TrackedFile, Trigger, UngroundedClaim, UsageSample, cut_label, states_at,
};
pub use found_tools::{FIND_TOOLS, FOUND_DETAIL, USE_TOOL, USED_NAME};
pub use message::{
    AssistantMessage, AssistantPart, BashExecution, Image, Message, Part, SERVER_TEXT, StopReason,
    ToolCall, ToolResult, UserMessage, is_server_summary,
};
pub use model::{
    ASSUMED_WINDOW_TOKENS, Encoding, ImageTokens, LongPrice, ModelInfo, Price, PromptCache,
    WindowSource,
};
pub use nearest::{nearest_name, similar_names};
pub use picture::{decoded_base64, picture_size_px};
pub use prompt_cache::{CacheDiagnosis, CacheWishes, PromptCacheTtl, lost_reasoning_words};
pub use reasoning::{ReasoningFacts, ReasoningOff, ReasoningState, ReasoningStyle, ThinkingLevel};
pub use request::{
    CompletionRequest, ModelRef, RequestMessage, ServerContext, ServerEdits, ServerGroup,
    ToolSchema,
};
pub use retry::RetryPolicy;
pub use standing::CompactionStanding;
pub(crate) use surrogate::mend_halves;
pub use title::title_from_text;
pub use tree::{DuplicateEntry, Transcript};
pub use undo::{
    UndoableAct, UndoableKind, newest_act, newest_compaction, newest_undone_act, undoable_acts,
    undone_entries,
};
pub use usage::{ExpectedTokens, Usage};
