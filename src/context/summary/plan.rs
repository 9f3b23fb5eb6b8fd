//! Which requests a summary takes: one, or parts and a merge, with what must be read
//! piece by piece. Works on token counts; texts are built when a request is due.

use std::ops::Range;

use crate::transcript::HistoryShare;

use super::chunk;
use super::prompt::PromptPurpose;

/// Fewest messages that are worth splitting into parts.
const MIN_MESSAGES_TO_SPLIT: usize = 4;
/// Rounds of making parts smaller before they are read piece by piece.
const SPLIT_ROUNDS: usize = 16;
/// Longest answer that a summary needs, in tokens: 16,000 characters of any script.
const SUMMARY_OUTPUT_TOKENS: u64 = 8_192;
/// The answer takes at most this fraction of the window.
const OUTPUT_DIVISOR: u64 = 4;

/// An atomic group: its messages, and its tokens as the summariser reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MessageGroup {
    /// Positions in the job's messages.
    pub messages: Range<usize>,
    /// Estimated tokens.
    pub tokens: u64,
}

/// Where the result of a task goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskDestination {
    /// It is the previous summary of the next task.
    Roll,
    /// It is the previous summary of the whole.
    Previous,
    /// It is merged at the end.
    Part,
    /// It stands for the parts that it joins.
    JoinedPart,
    /// It is the context of the split turn.
    TurnContext,
    Summary,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SummaryTask {
    /// The purpose of the prompt.
    pub purpose: PromptPurpose,
    /// The units it reads; empty for a merge.
    pub units: Range<usize>,
    /// The partial summaries that it joins; empty where it joins all of them or none.
    pub parts: Range<usize>,
    /// Whether it begins a run: what was rolled before does not reach it.
    pub fresh: bool,
    /// Where its result goes.
    pub destination: TaskDestination,
    /// For the status line.
    pub stage: String,
}

/// Limits of the summarising model, in tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestLimits {
    /// Its window.
    pub window: u64,
    /// Its largest answer.
    pub max_output: u64,
    /// The prompt without history, previous summary included.
    pub overhead: u64,
}

impl RequestLimits {
    /// Largest answer that is asked for.
    pub(super) fn output(self) -> u64 {
        SUMMARY_OUTPUT_TOKENS
            .min(self.max_output.max(1))
            .min((self.window / OUTPUT_DIVISOR).max(1))
    }

    /// History that one request can carry.
    pub(super) fn capacity(self) -> u64 {
        let room = self.window.saturating_sub(self.output()) as f64 / chunk::MARGIN;
        (room as u64).saturating_sub(self.overhead)
    }
}

/// The load that is planned.
#[derive(Clone, Copy, Debug)]
pub(super) struct SummaryLoad<'a> {
    /// The history, then the beginning of the split turn.
    pub units: &'a [MessageGroup],
    /// How many of them are history.
    pub history: usize,
    /// Tokens that stay beside the summary.
    pub new_content: u64,
    /// Share of the window that history may take.
    pub history_share: Option<f64>,
    /// Chunk parts that would fit.
    pub always_chunk: bool,
}

/// All requests in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SummaryPlan {
    /// The requests.
    pub tasks: Vec<SummaryTask>,
    /// The part dropped to keep to the share.
    pub dropped: Option<HistoryShare>,
}

pub(super) fn plan(load: SummaryLoad<'_>, limits: RequestLimits) -> SummaryPlan {
    let mut out = SummaryPlan::default();
    let history = load.units.get(..load.history).unwrap_or_default();
    let prefix = load.history..load.units.len();
    let tokens: Vec<u64> = history.iter().map(|unit| unit.tokens).collect();
    let mut first = 0;
    if let Some(share) = load.history_share
        && chunk::needs_history_share(load.new_content, limits.window, share)
    {
        let dropped = chunk::drop_to_share(&tokens, limits.window, share);
        first = dropped.units;
        let messages = history.get(..first).unwrap_or_default();
        out.dropped = (first > 0).then(|| HistoryShare {
            dropped_chunks: dropped.rounds,
            dropped_messages: messages.iter().map(|u| u.messages.len() as u64).sum(),
            dropped_tokens: dropped.tokens,
        });
    }
    let planner = TaskPlanner { load, limits };
    planner.roll(
        0..first,
        TaskDestination::Previous,
        "oldest history",
        &mut out.tasks,
    );
    planner.prefix(prefix, &mut out.tasks);
    planner.main(first..load.history, &mut out.tasks);
    out
}

struct TaskPlanner<'a> {
    load: SummaryLoad<'a>,
    limits: RequestLimits,
}

impl TaskPlanner<'_> {
    fn tokens(&self, units: &Range<usize>) -> Vec<u64> {
        let units = self.load.units.get(units.clone()).unwrap_or_default();
        units.iter().map(|unit| unit.tokens).collect()
    }

    fn fits(&self, units: &Range<usize>) -> bool {
        let sum = self
            .tokens(units)
            .iter()
            .fold(0_u64, |a, b| a.saturating_add(*b));
        sum <= self.limits.capacity()
    }

    /// Pieces that are read one after the other.
    fn pieces(&self, units: &Range<usize>) -> Vec<Range<usize>> {
        if self.fits(units) && !self.load.always_chunk {
            return vec![units.clone()];
        }
        let tokens = self.tokens(units);
        let messages: usize = self
            .load
            .units
            .get(units.clone())
            .unwrap_or_default()
            .iter()
            .map(|unit| unit.messages.len())
            .sum();
        let sum = tokens.iter().fold(0_u64, |a, b| a.saturating_add(*b));
        let mean = sum as f64 / messages.max(1) as f64;
        let ratio = chunk::adaptive_ratio(mean, self.limits.window);
        chunk::greedy_chunks(&tokens, chunk::max_chunk(self.limits.window, ratio))
            .into_iter()
            .map(|piece| units.start + piece.start..units.start + piece.end)
            .collect()
    }

    fn roll(
        &self,
        units: Range<usize>,
        destination: TaskDestination,
        what: &str,
        tasks: &mut Vec<SummaryTask>,
    ) {
        if units.is_empty() {
            return;
        }
        let pieces = self.pieces(&units);
        let count = pieces.len();
        for (index, piece) in pieces.into_iter().enumerate() {
            let is_last = index + 1 == count;
            tasks.push(SummaryTask {
                purpose: PromptPurpose::Rolled,
                units: piece,
                parts: 0..0,
                fresh: index == 0,
                destination: if is_last {
                    destination
                } else {
                    TaskDestination::Roll
                },
                stage: numbered(what, index, count),
            });
        }
    }

    fn prefix(&self, units: Range<usize>, tasks: &mut Vec<SummaryTask>) {
        let from = tasks.len();
        self.roll(units, TaskDestination::TurnContext, "turn context", tasks);
        for task in tasks.iter_mut().skip(from) {
            task.purpose = PromptPurpose::TurnPrefix;
        }
    }

    fn main(&self, units: Range<usize>, tasks: &mut Vec<SummaryTask>) {
        let messages: usize = self
            .load
            .units
            .get(units.clone())
            .unwrap_or_default()
            .iter()
            .map(|unit| unit.messages.len())
            .sum();
        if self.fits(&units) && !self.load.always_chunk {
            self.roll(units, TaskDestination::Summary, "summary", tasks);
            if let Some(task) = tasks.last_mut() {
                task.purpose = PromptPurpose::Whole;
            }
            return;
        }
        if self.fits(&units) || messages < MIN_MESSAGES_TO_SPLIT || units.len() < 2 {
            self.roll(units, TaskDestination::Summary, "piece", tasks);
            return;
        }
        let parts = self.parts(&units);
        let count = parts.len();
        for (index, part) in parts.into_iter().enumerate() {
            let number = index + 1;
            let pieces = tasks.len();
            self.roll(
                part,
                TaskDestination::Part,
                &format!("part {number}/{count}"),
                tasks,
            );
            for task in tasks.iter_mut().skip(pieces) {
                task.purpose = PromptPurpose::Part { number, count };
            }
        }
        tasks.push(SummaryTask {
            purpose: PromptPurpose::Merge,
            units: 0..0,
            parts: 0..0,
            fresh: true,
            destination: TaskDestination::Summary,
            stage: "merge".to_owned(),
        });
    }

    /// Two parts, or as many as it takes until each fits one request. Parts that are read in
    /// chunks anyway fit whatever their size.
    fn parts(&self, units: &Range<usize>) -> Vec<Range<usize>> {
        let tokens = self.tokens(units);
        if self.load.always_chunk {
            return split(units, &tokens, 2);
        }
        let sum = tokens.iter().fold(0_u64, |a, b| a.saturating_add(*b));
        let needed = sum.div_ceil(self.limits.capacity().max(1)) as usize;
        let fewest = needed.clamp(2, units.len());
        let mut parts = Vec::new();
        for count in fewest..=units.len().min(fewest + SPLIT_ROUNDS) {
            parts = split(units, &tokens, count);
            let all_fit = parts
                .iter()
                .all(|part: &Range<usize>| self.fits(part) || part.len() == 1);
            if all_fit {
                break;
            }
        }
        parts
    }
}

/// So many runs of units of about the same number of tokens.
fn split(units: &Range<usize>, tokens: &[u64], parts: usize) -> Vec<Range<usize>> {
    chunk::split_by_share(tokens, parts)
        .into_iter()
        .map(|part| units.start + part.start..units.start + part.end)
        .collect()
}

fn numbered(what: &str, index: usize, count: usize) -> String {
    if count > 1 {
        format!("{what} · piece {}/{count}", index + 1)
    } else {
        what.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of 5,000 tokens.
    fn groups(count: usize) -> Vec<MessageGroup> {
        let group = |at| MessageGroup {
            messages: at..at + 1,
            tokens: 5_000,
        };
        (0..count).map(group).collect()
    }

    /// The numbers of the parts that a plan merges, and how many units all its tasks read.
    fn parts_of(units: &[MessageGroup], always_chunk: bool) -> (Vec<usize>, usize) {
        let load = SummaryLoad {
            units,
            history: units.len(),
            new_content: 0,
            history_share: None,
            always_chunk,
        };
        let limits = RequestLimits {
            window: 40_000,
            max_output: 8_192,
            overhead: 1_000,
        };
        let tasks = plan(load, limits).tasks;
        let mut parts: Vec<usize> = tasks
            .iter()
            .filter_map(|task| match task.purpose {
                PromptPurpose::Part { number, .. } => Some(number),
                _ => None,
            })
            .collect();
        parts.dedup();
        (parts, tasks.iter().map(|task| task.units.len()).sum())
    }

    #[test]
    fn history_that_is_always_chunked_is_read_in_two_parts_whatever_its_size() {
        for count in [12, 60, 400] {
            let units = groups(count);
            assert_eq!(parts_of(&units, true), (vec![1, 2], count));
            let (parts, read) = parts_of(&units, false);
            assert!(parts.len() > 2 && read == count, "{count}: {parts:?}");
        }
    }
}
