//! One entry becomes one item: edits, cuts, stripped media and the user's overrides
//! applied, tokens counted.

use std::collections::HashMap;
use std::sync::Arc;

use super::plan::{ActiveCut, BranchPlan};
use crate::context::ruler::{Approximate, Ruler};
use crate::context::view::{Category, CutRule, Disposition, FullSize, LeftOut, Role, ViewItem};
use crate::context::{cut, preview};
use crate::transcript::{
    AssistantMessage, AssistantPart, Author, BashExecution, CutForm, CutPhase, Entry, EntryBody,
    EntryId, Image, Message, Part, ToolResult, UserMessage,
};

/// The placeholder of something that the user dropped.
pub(crate) const DROPPED_TEXT: &str = "[Dropped by the user]";

/// Counts entries once and remembers: an entry never changes.
pub(crate) struct Measurer {
    ruler: Arc<dyn Ruler>,
    full: HashMap<EntryId, MessageSize>,
    shortened: HashMap<EntryId, ShortenedMessage>,
}

/// The last shortened form of a result, with what it was made from.
struct ShortenedMessage {
    form: CutForm,
    whole: Arc<Message>,
    message: Arc<Message>,
    tokens: u64,
}

/// The size of an entry as it is on disk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageSize {
    pub tokens: u64,
    /// Length of what a tool or a command printed, in the ruler's unit.
    pub chars: usize,
}

impl Measurer {
    pub(crate) fn new(ruler: Arc<dyn Ruler>) -> Self {
        Self {
            ruler,
            full: HashMap::new(),
            shortened: HashMap::new(),
        }
    }

    pub(crate) fn ruler(&self) -> &dyn Ruler {
        self.ruler.as_ref()
    }

    /// Size of an entry's message as it is on disk.
    pub(crate) fn full(&mut self, entry: &EntryId, message: &Message) -> MessageSize {
        if let Some(&counted) = self.full.get(entry) {
            return counted;
        }
        let unit = self.ruler.length_unit();
        let chars = match message {
            Message::ToolResult(result) => unit.length(&result.text()),
            Message::BashExecution(run) => unit.length(&run.output),
            Message::User(_) | Message::Assistant(_) => 0,
        };
        let counted = MessageSize {
            tokens: self.ruler.message_tokens(message),
            chars,
        };
        self.full.insert(entry.clone(), counted);
        counted
    }

    /// A result shortened as `form` says, with its tokens.
    pub(crate) fn shortened(
        &mut self,
        entry: &EntryId,
        whole: &Arc<Message>,
        form: &CutForm,
    ) -> (Arc<Message>, u64) {
        if let Some(known) = self.shortened.get(entry)
            && known.form == *form
            && Arc::ptr_eq(&known.whole, whole)
        {
            return (Arc::clone(&known.message), known.tokens);
        }
        let message = match whole.as_ref() {
            Message::ToolResult(result) => Arc::new(Message::ToolResult(shorten(result, form))),
            Message::BashExecution(run) => Arc::new(shorten_run(run, form)),
            Message::Assistant(answer) => Arc::new(Message::Assistant(shorten_calls(answer, form))),
            Message::User(_) => Arc::clone(whole),
        };
        let tokens = self.ruler.message_tokens(&message);
        let shortened = ShortenedMessage {
            form: form.clone(),
            whole: Arc::clone(whole),
            message: Arc::clone(&message),
            tokens,
        };
        self.shortened.insert(entry.clone(), shortened);
        (message, tokens)
    }
}

/// Applies a form to a result. Clearing takes images as well; trimming keeps them.
pub(crate) fn shorten(result: &ToolResult, form: &CutForm) -> ToolResult {
    let text = cut::apply(&result.text(), form);
    let mut content = vec![Part::Text(text)];
    if matches!(form, CutForm::Trim { .. }) {
        content.extend(
            result
                .content
                .iter()
                .filter(|part| matches!(part, Part::Image(_)))
                .cloned(),
        );
    }
    ToolResult {
        content,
        details: None,
        ..result.clone()
    }
}

/// Applies a form to the calls of an answer; its text stays in any form.
fn shorten_calls(answer: &AssistantMessage, form: &CutForm) -> AssistantMessage {
    match form {
        CutForm::Arguments { calls } => cut::without_arguments(answer, calls),
        CutForm::Trim { .. } | CutForm::Clear { .. } | CutForm::Difference { .. } => answer.clone(),
    }
}

/// Applies a form to what a command of the user's printed; what was run stays.
fn shorten_run(run: &BashExecution, form: &CutForm) -> Message {
    let shortened = BashExecution {
        output: cut::apply(&run.output, form),
        ..run.clone()
    };
    Message::user_text(shortened.as_user_text())
}

/// An item of an entry that is sent as `message`, before any cut.
pub(crate) fn plain(entry: &Entry, message: Arc<Message>, tokens: u64, turn: u32) -> ViewItem {
    let role = match message.as_ref() {
        Message::User(_) | Message::BashExecution(_) => Role::User,
        Message::Assistant(_) => Role::Assistant,
        Message::ToolResult(_) => Role::Tool,
    };
    ViewItem {
        entry: Some(entry.id.clone()),
        role,
        category: Category::of(&entry.body),
        tokens: 0,
        estimate_tokens: tokens,
        full: FullSize::estimated(tokens),
        disposition: Disposition::Sent,
        reason: None,
        cut_by: None,
        turn,
        author: entry.body.author(),
        entry_override: None,
        timestamp: Some(entry.timestamp),
        preview: preview::of_message(&message),
        sent: Some(message),
    }
}

/// An item without an entry, in the user role.
pub(crate) fn synthetic_user(text: &str, ruler: &dyn Ruler, turn: u32, reason: &str) -> ViewItem {
    let message = Arc::new(Message::user_text(text));
    let tokens = ruler.message_tokens(&message);
    ViewItem {
        entry: None,
        role: Role::User,
        category: Category::Summary,
        tokens: 0,
        estimate_tokens: tokens,
        full: FullSize::estimated(tokens),
        disposition: Disposition::Synthetic,
        reason: Some(reason.to_owned()),
        cut_by: None,
        turn,
        author: Author::Plimsoll,
        entry_override: None,
        timestamp: None,
        preview: preview::of_text(text),
        sent: Some(message),
    }
}

/// The result that repair makes up for a call that has none.
pub(crate) fn synthetic_result(
    call_id: &str,
    tool: &str,
    ruler: &dyn Ruler,
    turn: u32,
) -> ViewItem {
    let result = ToolResult {
        call_id: call_id.to_owned(),
        tool_name: tool.to_owned(),
        content: vec![Part::Text(MISSING_RESULT_TEXT.to_owned())],
        is_error: true,
        details: None,
    };
    let item = synthetic_user(MISSING_RESULT_TEXT, ruler, turn, "the call has no result");
    let message = Arc::new(Message::ToolResult(result));
    ViewItem {
        role: Role::Tool,
        category: Category::ToolResults,
        sent: Some(message),
        ..item
    }
}

const MISSING_RESULT_TEXT: &str =
    "[No result: the tool did not finish. Nothing is known about its effect.]";

/// Applies what the plan says about this entry to its item: overrides, edits, cuts,
/// stripped media.
pub(crate) fn finish(
    mut item: ViewItem,
    entry: &Entry,
    plan: &BranchPlan,
    measurer: &mut Measurer,
) -> ViewItem {
    item.entry_override = plan.override_of(&entry.id);
    if let Some(replacement) = plan.edits.get(&entry.id) {
        edit(&mut item, replacement.as_deref(), measurer.ruler());
    }
    if let Some(reason) = plan.media.get(&entry.id) {
        strip_media(&mut item, reason, measurer.ruler());
    }
    item
}

/// An entry with the message that is sent of it unless something changes it.
#[derive(Clone, Copy)]
pub(crate) struct LoggedMessage<'a> {
    pub entry: &'a Arc<Entry>,
    pub message: &'a Arc<Message>,
}

/// [`finish`] for what a tool or a command of the user's printed, which may be cut as well.
/// Also gives the message as it is before any cut.
pub(crate) fn finish_result(
    item: ViewItem,
    logged: LoggedMessage<'_>,
    plan: &BranchPlan,
    measurer: &mut Measurer,
) -> (ViewItem, Option<Arc<Message>>) {
    let LoggedMessage { entry, message } = logged;
    let mut item = finish(item, entry, plan, measurer);
    let is_run = matches!(
        entry.message().map(AsRef::as_ref),
        Some(Message::BashExecution(_))
    );
    let is_as_logged = is_run || plan.media.contains_key(&entry.id);
    let whole = if plan.edits.contains_key(&entry.id) || !is_as_logged {
        item.sent.clone()
    } else {
        Some(Arc::clone(message))
    };
    if let Some(record) = plan.cuts.get(&entry.id)
        && let Some(whole) = &whole
    {
        apply_cut(&mut item, whole, record, measurer);
    }
    (item, whole)
}

/// [`finish`] for an answer, whose calls may lose arguments. `whole` is its message before that.
pub(crate) fn finish_answer(
    item: ViewItem,
    logged: LoggedMessage<'_>,
    plan: &BranchPlan,
    measurer: &mut Measurer,
) -> ViewItem {
    let mut item = finish(item, logged.entry, plan, measurer);
    if let Some(record) = plan.cuts.get(&logged.entry.id)
        && matches!(record.form, CutForm::Arguments { .. })
    {
        apply_cut(&mut item, logged.message, record, measurer);
    }
    item
}

/// Cuts an item as a record says.
pub(super) fn apply_cut(
    item: &mut ViewItem,
    whole: &Arc<Message>,
    record: &ActiveCut,
    measurer: &mut Measurer,
) {
    cut_item(item, whole, &record.form, measurer);
    item.disposition = disposition_of(record);
    item.reason = Some(record.reason.clone());
    item.cut_by = Some(CutRule {
        policy: record.policy.clone(),
        phase: record.phase.name(),
    });
}

/// Whether an item is a read that is sent as its difference to an earlier one.
pub(crate) fn is_difference(item: &ViewItem) -> bool {
    let phase = item.cut_by.as_ref().map(|by| by.phase);
    item.disposition == Disposition::Trimmed && phase == Some(CutPhase::SeenBefore.name())
}

/// A difference as the whole read: what it is a difference to is not sent whole.
pub(crate) fn whole_again(mut item: ViewItem, whole: &Arc<Message>) -> ViewItem {
    item.sent = Some(Arc::clone(whole));
    item.estimate_tokens = item.full.estimate_tokens;
    item.disposition = Disposition::Sent;
    item.cut_by = None;
    item.reason = Some(BASE_GONE.to_owned());
    item
}

/// Why a read that was a difference is sent whole.
const BASE_GONE: &str = "sent whole: the earlier read that it was compared with is not";

/// Sends what a form leaves of a whole result. Attachments that were replaced by text
/// before stay replaced, so the order of the two decisions does not matter.
pub(crate) fn cut_item(
    item: &mut ViewItem,
    whole: &Arc<Message>,
    form: &CutForm,
    measurer: &mut Measurer,
) {
    let Some(entry) = &item.entry else { return };
    let has_images = |message: &Message| message.images().next().is_some();
    let is_stripped = has_images(whole) && !item.sent.as_deref().is_some_and(has_images);
    let (message, tokens) = measurer.shortened(entry, whole, form);
    item.sent = Some(message);
    item.estimate_tokens = tokens;
    if is_stripped {
        let reason = item.reason.clone().unwrap_or_default();
        strip_media(item, &reason, measurer.ruler());
    }
}

/// Estimated tokens of an item as a form would leave it.
pub(crate) fn tokens_when_cut(
    item: &ViewItem,
    whole: &Arc<Message>,
    form: &CutForm,
    measurer: &mut Measurer,
) -> u64 {
    let mut shortened = item.clone();
    cut_item(&mut shortened, whole, form, measurer);
    shortened.estimate_tokens
}

fn disposition_of(record: &ActiveCut) -> Disposition {
    match (&record.form, record.phase) {
        (CutForm::Clear { .. }, _) => Disposition::Cleared,
        (_, CutPhase::Single | CutPhase::Total | CutPhase::Overflow | CutPhase::Compaction) => {
            Disposition::Truncated
        }
        _ => Disposition::Trimmed,
    }
}

/// Blank text is as good as nothing: no provider takes it.
fn says_something(part: &Part) -> bool {
    match part {
        Part::Text(text) => !text.trim().is_empty(),
        Part::Image(_) => true,
    }
}

fn edit(item: &mut ViewItem, replacement: Option<&[Part]>, ruler: &dyn Ruler) {
    let Some(sent) = &item.sent else { return };
    let content = match replacement {
        Some(parts) if parts.iter().any(says_something) => parts.to_vec(),
        _ => vec![Part::Text("[Removed by an edit]".to_owned())],
    };
    let Some(message) = with_content(sent, content) else {
        return;
    };
    item.estimate_tokens = ruler.message_tokens(&message);
    item.preview = preview::of_message(&message);
    item.sent = Some(Arc::new(message));
    item.disposition = Disposition::Edited;
    item.reason = Some("edited in the log".to_owned());
}

pub(crate) fn strip_media(item: &mut ViewItem, reason: &str, ruler: &dyn Ruler) {
    let Some(sent) = &item.sent else { return };
    let parts = match sent.as_ref() {
        Message::User(user) => &user.content,
        Message::ToolResult(result) => &result.content,
        _ => return,
    };
    let stripped = parts.iter().map(without_image).collect();
    let Some(message) = with_content(sent, stripped) else {
        return;
    };
    item.estimate_tokens = ruler.message_tokens(&message);
    item.sent = Some(Arc::new(message));
    if matches!(item.disposition, Disposition::Sent | Disposition::Edited) {
        item.disposition = Disposition::MediaStripped;
        item.reason = Some(reason.to_owned());
    }
}

/// An image as the line of text that stands for it.
pub fn without_image(part: &Part) -> Part {
    match part {
        Part::Image(image) => Part::Text(media_text(image)),
        Part::Text(_) => part.clone(),
    }
}

fn media_text(image: &Image) -> String {
    match &image.name {
        Some(name) => format!("[Attached {}: {name}]", image.mime),
        None => format!("[Attached {}]", image.mime),
    }
}

fn with_content(message: &Message, content: Vec<Part>) -> Option<Message> {
    match message {
        Message::User(_) => Some(Message::User(UserMessage { content })),
        Message::ToolResult(result) => Some(Message::ToolResult(ToolResult {
            content,
            details: None,
            ..result.clone()
        })),
        Message::Assistant(_) | Message::BashExecution(_) => None,
    }
}

/// Replaces an item by the line that stands for what the user dropped.
pub(crate) fn drop_item(item: &mut ViewItem, ruler: &dyn Ruler) {
    let message = match item.role {
        Role::Assistant => Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(DROPPED_TEXT.to_owned())],
            ..Default::default()
        }),
        _ => Message::user_text(DROPPED_TEXT),
    };
    item.estimate_tokens = ruler.message_tokens(&message);
    item.sent = Some(Arc::new(message));
    item.disposition = Disposition::Dropped;
    item.reason = Some("dropped by the user".to_owned());
}

/// An entry that is not sent. Its size is a quick estimate: it is never counted
/// exactly, because a long session has tens of thousands of them.
pub(crate) fn left_out(
    entry: &Entry,
    disposition: Disposition,
    reason: &str,
    turn: u32,
) -> LeftOut {
    let tokens = match &entry.body {
        EntryBody::Message(message) => Approximate.message_tokens(message),
        EntryBody::Compaction(compaction) => Approximate.text_tokens(&compaction.summary),
        EntryBody::BranchSummary { summary, .. } => Approximate.text_tokens(summary),
        EntryBody::CustomMessage { content, .. } => {
            Approximate.message_tokens(&Message::User(UserMessage {
                content: content.clone(),
            }))
        }
        _ => 0,
    };
    LeftOut {
        entry: entry.id.clone(),
        is_told: is_told(&entry.body),
        disposition,
        reason: reason.to_owned(),
        tokens_full: tokens,
        compaction: None,
        turn,
        preview: preview::of_entry(entry),
    }
}

/// Whether an entry is a message that a summary can tell of: not an earlier summary, nor what
/// is never sent.
fn is_told(body: &EntryBody) -> bool {
    match body {
        EntryBody::Compaction(_) => false,
        EntryBody::Message(message) => match message.as_ref() {
            Message::Assistant(answer) => {
                let has_calls = !answer.stop.is_broken() && answer.tool_calls().next().is_some();
                has_calls || !message.text().trim().is_empty()
            }
            Message::BashExecution(run) => !run.excluded,
            Message::User(_) => {
                !message.text().trim().is_empty() || message.images().next().is_some()
            }
            Message::ToolResult(_) => true,
        },
        body => body.speaks_to_model(),
    }
}
