//! A tool result of the list, with what guard and pruning want to know of it, and reads that
//! are sent as differences to earlier ones: such a read stands only while its base is sent whole
//! before it; where it is not, the whole read is sent.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::builder::ViewBuilder;
use super::item::{is_difference, whole_again};
use crate::context::prune::CallKey;
use crate::context::view::{Disposition, ViewItem};
use crate::transcript::{AssistantPart, EntryId, Message, ToolCall};

/// The tool that reads files.
const READ: &str = "read";

/// A tool result or the output of a command that the user ran.
#[derive(Clone, Debug)]
pub(crate) struct ResultInfo {
    /// Position in the items.
    pub at: usize,
    /// Its entry.
    pub entry: EntryId,
    /// The result before any cut: what cuts are made from and applied to.
    pub whole: Arc<Message>,
    /// Length of the original text, in the unit of the ruler.
    pub chars: usize,
    /// The call that it answers; `None` for what the user ran.
    pub call: Option<CallPlace>,
    /// The key by which pruning compares calls; made when it is first asked for.
    pub key: OnceLock<CallKey>,
    /// One number for each line of a file that it holds; made when it is first asked for.
    pub lines: OnceLock<Arc<[u64]>>,
    /// A number for what it shows of a file, if it is a read; made when it is first asked for.
    pub range: OnceLock<Option<u64>>,
    /// Failed.
    pub is_error: bool,
    /// Pinned or restored.
    pub is_exempt: bool,
}

/// Where a call is.
#[derive(Clone, Debug)]
pub(crate) struct CallPlace {
    /// Position of the answer in the items.
    pub at: usize,
    /// The answer before any cut.
    pub answer: Arc<Message>,
    /// Which part of it the call is.
    pub part: usize,
}

impl CallPlace {
    /// The call.
    pub(crate) fn call(&self) -> Option<&ToolCall> {
        let Message::Assistant(answer) = self.answer.as_ref() else {
            return None;
        };
        match answer.content.get(self.part)? {
            AssistantPart::ToolCall(call) => Some(call),
            _ => None,
        }
    }

    /// Which of the answer's calls it is, from 0.
    pub(crate) fn number(&self) -> usize {
        let Message::Assistant(answer) = self.answer.as_ref() else {
            return 0;
        };
        let before = answer.content.iter().take(self.part);
        before
            .filter(|part| matches!(part, AssistantPart::ToolCall(_)))
            .count()
    }
}

impl ResultInfo {
    /// The text that cuts are made from: of a command of the user's what it printed.
    pub(crate) fn text(&self) -> String {
        match self.whole.as_ref() {
            Message::BashExecution(run) => run.output.clone(),
            whole => whole.text(),
        }
    }
}

/// The lines of a file that a read shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShownRange<'a> {
    /// The file, as the tool names it.
    pub path: &'a str,
    /// Number of the first line.
    pub from: u64,
    /// Number of the last line.
    pub to: u64,
}

impl ResultInfo {
    /// What a read shows; `None` of what is no read of lines.
    pub(crate) fn shown_range(&self) -> Option<ShownRange<'_>> {
        let call = self.call.as_ref()?.call()?;
        let Message::ToolResult(result) = self.whole.as_ref() else {
            return None;
        };
        let details = result.details.as_ref().filter(|_| call.name == READ)?;
        let lines = details.get("lines")?.as_u64()?;
        let offset = call.arguments.get("offset").and_then(Value::as_u64);
        let from = offset.unwrap_or(1).max(1);
        Some(ShownRange {
            path: details.get("path")?.as_str()?,
            from,
            to: from.saturating_add(lines.checked_sub(1)?),
        })
    }

    /// A number that is equal for reads of the same lines.
    fn range(&self) -> Option<u64> {
        *self.range.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            self.shown_range()?.hash(&mut hasher);
            Some(hasher.finish())
        })
    }
}

/// A read that was made a difference to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DifferencePlace {
    /// Its position in the items.
    pub at: usize,
    /// That of the read that it is a difference to.
    pub base_at: usize,
    /// The base is whole, and the latest of its lines that is: that is how the text names it.
    pub stands: bool,
}

impl ViewBuilder {
    /// Appends a read that was made a difference to `base`: whole where that does not stand.
    pub(super) fn push_difference(&mut self, item: ViewItem, info: ResultInfo, base: &EntryId) {
        let stands = self.note_difference(info.at, base);
        let item = if is_difference(&item) && !stands {
            whole_again(item, &info.whole)
        } else {
            item
        };
        self.push_result(item, info);
    }

    /// Notes that the result at a position is made a difference to another one, and says
    /// whether that stands.
    pub(crate) fn note_difference(&mut self, at: usize, base: &EntryId) -> bool {
        let mut newest_first = self.results.iter().rev();
        let Some(base_at) = newest_first
            .find(|info| info.entry == *base)
            .map(|it| it.at)
        else {
            return false;
        };
        let stands = self.is_latest_in_full(base_at, at, &[]);
        let place = DifferencePlace {
            at,
            base_at,
            stands,
        };
        self.differences.push_back_mut(place);
        stands
    }

    /// Whether the read at `base_at` is sent whole before the position `at`, and no other one
    /// between them shows the same lines in full, whatever became of it. Those at the positions
    /// `planned` are about to be differences.
    pub(crate) fn is_latest_in_full(&self, base_at: usize, at: usize, planned: &[usize]) -> bool {
        let range = self.result_at(base_at).and_then(|info| info.range());
        let Some(range) = range.filter(|_| base_at < at && self.is_whole(base_at)) else {
            return false;
        };
        let newest_first = self.results.iter().rev();
        let between = newest_first
            .skip_while(|info| info.at >= at)
            .take_while(|info| info.at > base_at);
        let mut same = between.filter(|info| info.range() == Some(range));
        same.all(|info| planned.contains(&info.at) || self.is_standing(info.at))
    }

    fn is_whole(&self, at: usize) -> bool {
        let item = self.items.get(at);
        item.is_some_and(|item| item.disposition == Disposition::Sent)
    }

    fn is_standing(&self, at: usize) -> bool {
        let mut newest_first = self.differences.iter().rev();
        newest_first.any(|place| place.at == at && place.stands)
    }

    /// Whether the result at a position is what a difference stands on.
    pub(super) fn is_base(&self, at: usize) -> bool {
        let mut places = self.differences.iter();
        places.any(|place| place.base_at == at && place.stands)
    }

    /// Positions of results that differences which are sent stand on: whoever takes one of them
    /// away takes nothing, because the whole reads come back.
    pub(crate) fn difference_bases(&self) -> HashSet<usize> {
        let is_sent = |place: &&DifferencePlace| {
            let item = self.items.get(place.at);
            place.stands && item.is_some_and(|item| is_difference(item))
        };
        let sent = self.differences.iter().filter(is_sent);
        sent.map(|place| place.base_at).collect()
    }

    /// Sends the whole reads where what they are differences to does not stand any more, the
    /// oldest first: a read that is whole again may be what a later difference seems to name.
    pub(crate) fn restore_differences(&mut self) {
        for index in 0..self.differences.len() {
            let Some(&place) = self.differences.get(index).filter(|place| place.stands) else {
                continue;
            };
            if self.is_latest_in_full(place.base_at, place.at, &[]) {
                continue;
            }
            let fallen = DifferencePlace {
                stands: false,
                ..place
            };
            self.differences.set_mut(index, fallen);
            if let Some(item) = self.whole_of(place.at) {
                self.replace(place.at, item);
            }
        }
    }

    /// The item at a position as the whole read; `None` where it is no difference.
    fn whole_of(&self, at: usize) -> Option<ViewItem> {
        let item = self.items.get(at).filter(|item| is_difference(item))?;
        let info = self.result_at(at)?;
        Some(whole_again(ViewItem::clone(item), &info.whole))
    }
}
