//! The rules that held when a compaction was made, and the block in which the next request
//! had them.

use std::collections::HashSet;

use crate::context::ruler::{Approximate, Ruler};
use crate::context::rules::{RuleReader, RuleState, block_budget, rule_line, rules_block};
use crate::transcript::{Compaction, Entry, EntryId, Transcript};

use super::branch::DividedLog;
use super::statements::Statement;

/// See the module's description.
#[derive(Default)]
pub(super) struct RulesThen {
    /// The rules that counted, oldest first.
    pub active: Vec<Statement>,
    /// The block after the summary; empty where it is not known, or where none was needed.
    pub block: String,
}

impl RulesThen {
    /// The rules on the branch before a compaction. Of one that another program made, nobody
    /// knows what stood beside it: there is no block.
    pub(super) fn of(
        transcript: &Transcript,
        entry: &Entry,
        compaction: &Compaction,
        log: &DividedLog,
    ) -> Self {
        let mut reader = RuleReader::default();
        reader.read(&transcript.path_before(entry));
        let active = reader
            .said()
            .iter()
            .filter(|it| it.rule.state == RuleState::Active);
        let active = active.map(|it| Statement {
            text: it.rule.text.clone(),
            entry: it.rule.source.clone(),
        });
        let mut out = Self {
            active: active.collect(),
            block: String::new(),
        };
        if compaction.details.engine.is_empty() {
            return out;
        }
        let kept: HashSet<&EntryId> = log.kept.iter().map(|said| &said.entry).collect();
        let load_line = compaction.details.cause.load_line_tokens;
        let block = rules_block(
            reader.said(),
            |said, _| kept.contains(&said.entry),
            |text| Approximate.text_tokens(&rule_line(text)),
            block_budget((load_line > 0).then_some(load_line)),
            |_| String::new(),
        );
        out.block = block.text.unwrap_or_default();
        out
    }
}
