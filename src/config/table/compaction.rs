//! Rows of summaries: when they are written, what they keep, how they are checked.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::Live;
use super::applies::LivePart;
use super::field::{IDENTIFIER_POLICIES, OVERFLOW_FALLBACKS, RESERVE_RULES, REVIEW_MODES};
use super::kind::SettingKind;
use super::row::{MAX_TURNS, SECS, Setting, TEXTS, TOKENS, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!(
        "compaction.auto",
        context.compaction.auto,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Compact automatically at the load line and on overflow."
    ),
    row!("compaction.threshold", context.compaction.threshold, Live(LivePart::Context), SettingKind::Threshold, "The load line, in tokens or as a share of the window.", unset "the usable window"),
    row!("compaction.reserved", context.compaction.reserve.tokens, Live(LivePart::Context), TOKENS, "Tokens reserved for the answer.", unset "20000, or the model's maximum output if smaller", alias "reserveTokens"),
    row!(
        "compaction.reserve",
        context.compaction.reserve.rule,
        Live(LivePart::Context),
        SettingKind::Choice(RESERVE_RULES),
        "Reserve if compaction.reserved is unset. bounded: at most 20000. For models without an input limit, output: the maximum output; output-and-buffer: at most 32000 of the maximum output, plus 20000."
    ),
    row!(
        "compaction.reserve_max_share",
        context.compaction.reserve.max_share,
        Live(LivePart::Context),
        SettingKind::Share,
        "Maximum reserve, as a share of the window."
    ),
    row!("compaction.model", context.compaction.model, Live(LivePart::Context), SettingKind::Model, "Model for summaries.", unset "the model of the session"),
    row!("compaction.tail_turns", context.compaction.tail.turns, Live(LivePart::Context), int(0, 12, "turns"), "Newest turns kept word for word, within compaction.keep_recent_tokens.", unset "all of them", trusted false, alias "recentTurnsPreserve"),
    row!("compaction.keep_recent_tokens", context.compaction.tail.tokens, Live(LivePart::Context), TOKENS, "Tokens of newest messages kept word for word.", unset "a quarter of the usable window, from 2000 to compaction.keep_recent_max", alias "preserve_recent_tokens", "keepRecentTokens"),
    row!(
        "compaction.keep_recent_max",
        context.compaction.tail.max_tokens,
        Live(LivePart::Context),
        TOKENS,
        "Upper limit of the default of compaction.keep_recent_tokens."
    ),
    row!(
        "compaction.tail_few_asks",
        context.compaction.tail.few_asks,
        Live(LivePart::Context),
        SettingKind::Bool,
        "With fewer user messages than tail_turns, keep all of them, and the newest messages up to twice that number.", trusted false
    ),
    row!(
        "compaction.always_chunk",
        context.compaction.history.always_chunk,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Summarise in chunks even if one request would be enough."
    ),
    row!("compaction.max_history_share", context.compaction.history.max_share, Live(LivePart::Context), SettingKind::Share, "Maximum share of the window for the messages of one summary, if the kept messages take more than that share; older messages are summarised first.", unset "no limit", alias "maxHistoryShare"),
    row!(
        "compaction.template",
        context.compaction.template,
        Live(LivePart::Context),
        SettingKind::Template,
        "Headings of a summary."
    ),
    row!("compaction.instructions", context.compaction.instructions, Live(LivePart::Context), SettingKind::Prompt, "Standing instructions to the summariser.", unset "none", alias "customInstructions"),
    row!(
        "compaction.timeout_secs",
        context.compaction.timeout_secs,
        Live(LivePart::Context),
        SECS,
        "Time limit of a compaction."
    ),
    row!(
        "compaction.max_attempts",
        context.compaction.max_attempts,
        Live(LivePart::Context),
        int(1, 10, "attempts"),
        "Maximum number of recoveries from overflow per message."
    ),
    row!(
        "compaction.auto_continue",
        context.compaction.auto_continue,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Continue the task after an automatic compaction."
    ),
    row!(
        "compaction.background",
        context.compaction.background,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Prepare the summary in the background from 80% of the load line on, and apply it at the load line."
    ),
    row!(
        "compaction.review",
        context.compaction.review,
        Live(LivePart::Context),
        SettingKind::Choice(REVIEW_MODES),
        "Summaries to review before they are applied. manual: those of /compact; always: automatic ones too; never: none."
    ),
    row!(
        "compaction.on_overflow_failure",
        context.compaction.on_overflow_failure,
        Live(LivePart::Context),
        SettingKind::Choice(OVERFLOW_FALLBACKS),
        "On overflow, if no model can summarise: summarise without a model, or stop.", trusted false
    ),
    row!(
        "workspace_sections",
        context.compaction.workspace_sections,
        Live(LivePart::Prompt),
        TEXTS,
        "Sections of AGENTS.md added after every summary.", trusted false
    ),
    row!("audit.enabled", context.audit.enabled, Live(LivePart::Context), SettingKind::Bool, "Check summaries against the messages that they replace.", alias "qualityGuard.enabled", "compaction.qualityGuard.enabled"),
    row!("audit.retries", context.audit.retries, Live(LivePart::Context), int(0, 3, "retries"), "Number of retries with the findings of the audit.", alias "qualityGuard.maxRetries", "compaction.qualityGuard.maxRetries"),
    row!(
        "audit.mend",
        context.audit.mend,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Repair the findings left after the retries; otherwise the compaction fails."
    ),
    row!("audit.identifier_policy", context.audit.identifier_policy, Live(LivePart::Context), SettingKind::Choice(IDENTIFIER_POLICIES), "Treatment of paths, names and numbers missing from a summary.", alias "identifierPolicy", "compaction.identifierPolicy"),
    row!("audit.identifier_instructions", context.audit.identifier_instructions, Live(LivePart::Context), SettingKind::Prompt, "Instruction of the policy custom.", unset "none", alias "identifierInstructions", "compaction.identifierInstructions"),
    row!("audit.max_identifiers", context.audit.max_identifiers, Live(LivePart::Context), int(0, MAX_TURNS, "identifiers"), "Maximum number of identifiers required in a summary.", unset "as many as fit"),
    row!("audit.identifier_messages", context.audit.identifier_messages, Live(LivePart::Context), int(1, MAX_TURNS, "messages"), "Number of newest messages searched for required identifiers.", unset "all messages"),
];
