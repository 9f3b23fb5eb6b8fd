//! The writers of output: the answer as text, one object, or one object per line. A sink is
//! told every event in order and the outcome at the end.

use std::io::{self, Write};

use serde_json::Value;

use super::event::EventWriter;
use super::outcome::Outcome;
use crate::agent::{AgentEvent, Notice};

/// Takes the events of a run.
pub trait Sink {
    /// Something happened.
    fn event(&mut self, event: &AgentEvent) -> io::Result<()>;

    /// The run is over. What went wrong is the caller's to say.
    fn finish(&mut self, outcome: &Outcome) -> io::Result<()>;
}

/// The final answer on `out`; on `err` what happened on the way to it.
#[derive(Debug)]
pub struct TextSink<O, E> {
    out: O,
    err: E,
    hint_words: fn(&str) -> String,
}

impl<O: Write, E: Write> TextSink<O, E> {
    /// Writes the answer to `out` and the rest to `err`, hints in the words that
    /// `hint_words` puts them in.
    pub fn new(out: O, err: E, hint_words: fn(&str) -> String) -> Self {
        Self {
            out,
            err,
            hint_words,
        }
    }
}

impl<O: Write, E: Write> Sink for TextSink<O, E> {
    fn event(&mut self, event: &AgentEvent) -> io::Result<()> {
        if let Some(mut notice) = event.in_words() {
            notice.hint = notice.hint.as_deref().map(self.hint_words);
            // Words that nobody can read must not end the run.
            let _ = write_notice(&mut self.err, &notice);
        }
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        let text = outcome.end.as_ref().map_or("", |end| end.text.trim_end());
        if !text.is_empty() {
            writeln!(self.out, "{text}")?;
        }
        self.out.flush()
    }
}

/// The outcome as one object.
#[derive(Debug)]
pub struct JsonSink<O> {
    out: O,
}

impl<O: Write> JsonSink<O> {
    /// Writes to `out`.
    pub fn new(out: O) -> Self {
        Self { out }
    }
}

impl<O: Write> Sink for JsonSink<O> {
    fn event(&mut self, _event: &AgentEvent) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        write_json_line(&mut self.out, &outcome.json())
    }
}

/// Every event as it happens, the outcome last.
#[derive(Debug)]
pub struct StreamSink<O> {
    out: O,
    events: EventWriter,
}

impl<O: Write> StreamSink<O> {
    /// Writes to `out`.
    pub fn new(out: O) -> Self {
        Self {
            out,
            events: EventWriter::default(),
        }
    }
}

impl<O: Write> Sink for StreamSink<O> {
    fn event(&mut self, event: &AgentEvent) -> io::Result<()> {
        for object in self.events.objects(event) {
            write_json_line(&mut self.out, &object)?;
        }
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        write_json_line(&mut self.out, &outcome.json())
    }
}

/// One object on one line, at once.
pub fn write_json_line(out: &mut impl Write, object: &Value) -> io::Result<()> {
    writeln!(out, "{object}")?;
    out.flush()
}

fn write_notice(out: &mut impl Write, notice: &Notice) -> io::Result<()> {
    writeln!(out, "plim: {}", notice.text)?;
    match &notice.hint {
        Some(hint) => writeln!(out, "hint: {hint}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::agent::{AnswerEvent, CompactionEvent, ContextEvent};

    #[test]
    fn what_happened_to_the_context_is_said_on_stderr_a_line_each() {
        let failed = |ends_turn| {
            AgentEvent::Compaction(CompactionEvent::Failed {
                trigger: crate::transcript::Trigger::Threshold,
                cause: "timeout",
                message: "no summary in time".to_owned(),
                attempts: 1,
                ends_turn,
            })
        };
        let events = [
            AgentEvent::Context(ContextEvent::Pruned {
                trimmed: 3,
                cleared: 1,
                tokens_saved: 12_345,
                cache_given_up_tokens: 0,
                reasoning_lost: 0,
                dry_run: false,
                by_person: false,
            }),
            AgentEvent::Context(ContextEvent::Guarded {
                truncated: 2,
                cleared: 0,
            }),
            AgentEvent::Context(ContextEvent::Overflow {
                requested_tokens: Some(212_345),
                limit_tokens: Some(200_000),
                attempt: 1,
                is_foreseen: false,
            }),
            AgentEvent::Compaction(CompactionEvent::Started {
                trigger: crate::transcript::Trigger::Threshold,
                tokens_before: 171_204,
                summarized: 212,
                kept_turns: 3,
            }),
            failed(false),
            // The end of the turn says it.
            failed(true),
            AgentEvent::Notice(Notice::warning("a small window").with_hint("a larger model")),
        ];
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut sink = TextSink::new(&mut out, &mut err, str::to_owned);
        for event in &events {
            sink.event(event).expect("it is said");
        }
        assert!(out.is_empty());
        let expected = "plim: pruned: 3 trimmed, 1 cleared, 12,345 tokens freed\nplim: tool \
            results cut to fit: 2 trimmed, 0 cleared\nplim: the provider refused the request \
            as too long (212,345 of 200,000 tokens); freeing space, attempt 1\nplim: compacting \
            171,204 tokens: summarising 212 messages\nplim: no summary in time\nplim: a small window\nhint: \
            a larger model\n";
        assert_eq!(String::from_utf8_lossy(&err), expected);
    }

    #[test]
    fn a_run_that_waits_for_a_dead_server_says_so() {
        let mut err = Vec::new();
        let retrying = AgentEvent::Stream(AnswerEvent::Retrying {
            attempt: 2,
            max_attempts: 8,
            after: Duration::from_millis(1_500),
            reason: "no connection".to_owned(),
        });
        let mut out = Vec::new();
        TextSink::new(&mut out, &mut err, str::to_owned)
            .event(&retrying)
            .expect("it is said");
        assert!(out.is_empty());
        assert_eq!(
            String::from_utf8_lossy(&err),
            "plim: no connection; trying again in 1.5 s (attempt 2 of 8)\n"
        );
    }
}
