//! Joining partial summaries: in one request where they fit, else a few at a time first.

use std::ops::Range;

use crate::context::fence;
use crate::context::summary::document;
use crate::context::summary::plan::{SummaryTask, TaskDestination};
use crate::context::summary::prompt::PromptPurpose;

use super::{MAX_BODY_CHARS, RequestAttempt, Summariser, WritingPhase};

/// Fewer parts are joined in one request: what is too long is cut.
const MIN_PARTS_TO_SPLIT: usize = 3;
/// Tokens of the line above a part.
const PART_FRAME_TOKENS: u64 = 16;

impl Summariser {
    /// Puts requests before a merge that is too large for one request, or was refused: each joins
    /// a few of the parts. That leaves fewer parts every time, so there is an end.
    pub(super) fn split_merge(&mut self) {
        let Some(task) = self.task().cloned() else {
            return;
        };
        let parts = self.parts_of(&task);
        // What is asked for again is the whole: its parts are joined already.
        let is_again = matches!(self.phase, WritingPhase::AuditRetry { .. });
        let is_merge = task.purpose == PromptPurpose::Merge && !is_again;
        if !is_merge || parts.len() < MIN_PARTS_TO_SPLIT {
            return;
        }
        let count = |part: &String| {
            let text = document::trim_by_section(part, &self.basis.headings, MAX_BODY_CHARS);
            (self.job.count)(&text).saturating_add(PART_FRAME_TOKENS)
        };
        let sizes: Vec<u64> = parts.iter().map(count).collect();
        let sum = sizes.iter().copied().fold(0, u64::saturating_add);
        let capacity = self.limits().capacity();
        let mut room = self.run.merge_room.unwrap_or(capacity).min(capacity);
        if self.run.attempt.halvings > 0 {
            room = room.min(sum / 2);
        }
        if sum <= room {
            return;
        }
        self.run.merge_room = Some(room);
        let first = task.parts.start;
        let groups = groups_within(&sizes, room);
        let groups = groups.into_iter().filter(|group| group.len() > 1);
        let groups = groups.map(|group| group.start + first..group.end + first);
        let groups: Vec<Range<usize>> = groups.collect();
        let of = groups.len();
        // The last ones first: the others keep their numbers.
        let tasks = groups.into_iter().rev().enumerate();
        let tasks = tasks.map(|(number, parts)| SummaryTask {
            purpose: PromptPurpose::Merge,
            units: 0..0,
            parts,
            fresh: true,
            destination: TaskDestination::JoinedPart,
            stage: format!("merge · group {}/{of}", number + 1),
        });
        let tasks: Vec<SummaryTask> = tasks.collect();
        let is_whole = task.destination == TaskDestination::Summary;
        let replaced = self.run.at..self.run.at + usize::from(!is_whole);
        self.run.plan.tasks.splice(replaced, tasks);
        self.run.attempt = RequestAttempt::default();
    }

    /// The partial summaries that a request joins.
    fn parts_of(&self, task: &SummaryTask) -> &[String] {
        if task.destination == TaskDestination::JoinedPart {
            self.run.parts.get(task.parts.clone()).unwrap_or_default()
        } else {
            &self.run.parts
        }
    }

    /// Puts a text in the place of the parts that it joins.
    pub(super) fn join_parts(&mut self, parts: Range<usize>, text: String) {
        let end = parts.end.min(self.run.parts.len());
        self.run.parts.splice(parts.start.min(end)..end, [text]);
    }

    /// The partial summaries, cut until they fit.
    pub(super) fn merge_text(&self, task: &SummaryTask) -> String {
        /// Smaller than a sixteenth says nothing.
        const MAX_SHIFT: u32 = 4;
        let parts = self.parts_of(task);
        let longest = parts.iter().map(|part| part.chars().count()).max();
        let longest = longest.unwrap_or_default().min(MAX_BODY_CHARS);
        let capacity = self.limits().capacity();
        let mut shift = self.run.attempt.halvings;
        loop {
            let text = self.merged_within(parts, longest >> shift);
            if shift >= MAX_SHIFT || (self.job.count)(&text) <= capacity {
                return text;
            }
            shift += 1;
        }
    }

    /// The partial summaries, each cut to `room` characters.
    fn merged_within(&self, parts: &[String], room: usize) -> String {
        let blocks: Vec<String> = parts
            .iter()
            .enumerate()
            .map(|(index, part)| {
                let text = document::trim_by_section(part, &self.basis.headings, room);
                let text = fence::unforged(&text);
                format!("[Part {} of {}]\n{text}", index + 1, parts.len())
            })
            .collect();
        blocks.join("\n\n")
    }
}

/// Consecutive parts that fit together; two at least, except at the end.
fn groups_within(sizes: &[u64], room: u64) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut sum = 0_u64;
    for (at, size) in sizes.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if group.len() < 2 || sum.saturating_add(*size) <= room => {
                group.end = at + 1;
                sum = sum.saturating_add(*size);
            }
            _ => {
                groups.push(at..at + 1);
                sum = *size;
            }
        }
    }
    groups
}
