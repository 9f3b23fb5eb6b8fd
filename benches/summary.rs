//! The cost of a compaction besides the model: planning, checking, the summary without a
//! model, and the review's comparison. These run while somebody waits.

use std::fmt::Write;
use std::sync::Arc;

use divan::{Bencher, black_box};
use plimsoll::context::grounding::{self, GroundingSources};
use plimsoll::context::ruler::{Bpe, Ruler};
use plimsoll::context::summary::{self, SourceMessage, Summariser, SummaryJob, SummaryStep};
use plimsoll::context::{diff, sources};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, Encoding, EntryId, Message, Part, StopReason, ToolCall,
    ToolResult,
};

/// Size of the transcript that is summarised.
const TRANSCRIPT_BYTES: usize = 10_000_000;
/// Longest summary that is stored.
const SUMMARY_CHARS: usize = 16_000;

fn main() {
    divan::main();
}

fn message(n: usize) -> Message {
    match n % 4 {
        0 => Message::user_text(format!(
            "Please fix issue {n} in src/part{}/file{n}.rs. It must stay compatible with v{n}; \
             we decided to keep the old format.",
            n % 50
        )),
        1 => Message::Assistant(AssistantMessage {
            content: vec![
                AssistantPart::Text(format!("I will look at file{n} and decide what to change.")),
                AssistantPart::ToolCall(ToolCall {
                    id: format!("call_{}", n / 4),
                    name: "read".into(),
                    arguments: serde_json::json!({"path": format!("src/part{}/file{n}.rs", n % 50)}),
                    malformed: None,
                }),
            ],
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        }),
        2 => {
            let line = format!(
                "{n}: let id = \"5f0c{n:04x}-1b2c-4d5e-8f90-a1b2c3d4e5f6\"; // see https://example.org/t/{n}\n"
            );
            let failed = n % 40 == 2;
            let end = if failed { "error: it failed\n" } else { "" };
            Message::ToolResult(ToolResult {
                call_id: format!("call_{}", n / 4),
                tool_name: "read".into(),
                content: vec![Part::Text(line.repeat(40) + end)],
                is_error: failed,
                details: None,
            })
        }
        _ => Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(format!(
                "We decided to change file{n}: the reason is the format. Next I will run the tests \
                 of commit {n:08x}deadbeef."
            ))],
            stop: StopReason::Stop,
            ..AssistantMessage::default()
        }),
    }
}

/// The messages with their tokens, which a session has counted before it compacts.
fn transcript(ruler: Bpe) -> Vec<SourceMessage> {
    let mut bytes = 0;
    let mut out = Vec::new();
    while bytes < TRANSCRIPT_BYTES {
        let n = out.len();
        let message = message(n);
        bytes += message.text().len();
        out.push(SourceMessage {
            entry: EntryId::new(format!("{n:08x}")),
            tokens: ruler.message_tokens(&message),
            message: Arc::new(message),
        });
    }
    out
}

fn job() -> SummaryJob {
    let ruler = Bpe::new(Encoding::O200k);
    SummaryJob::new(
        transcript(ruler),
        Arc::new(move |text| ruler.text_tokens(text)),
    )
}

/// Up to the first request, ready to be sent.
#[divan::bench(sample_count = 10)]
fn plan_10_mb(bencher: Bencher<'_, '_>) {
    let job = job();
    bencher.bench_local(|| {
        let mut summariser = Summariser::new(job.clone());
        assert!(matches!(summariser.start(), SummaryStep::Ask(_)));
        summariser.planned_calls()
    });
}

#[divan::bench(sample_count = 10)]
fn audit_10_mb(bencher: Bencher<'_, '_>) {
    let job = job();
    let text = summary::extract(&job).summary;
    bencher.bench_local(|| summary::reaudit(black_box(&job), black_box(&text)));
}

/// Every path of the summary is one letter off: each is looked for in the source.
#[divan::bench(sample_count = 10)]
fn audit_10_mb_of_misspellings(bencher: Bencher<'_, '_>) {
    let job = job();
    let text = summary::extract(&job).summary.replace("file", "fike");
    bencher.bench_local(|| summary::reaudit(black_box(&job), black_box(&text)));
}

#[divan::bench(sample_count = 10)]
fn extractive_10_mb(bencher: Bencher<'_, '_>) {
    let job = job();
    bencher.bench_local(|| summary::extract(black_box(&job)));
}

#[divan::bench(sample_count = 5)]
fn coverage_10_mb(bencher: Bencher<'_, '_>) {
    let job = job();
    let text = summary::extract(&job).summary;
    bencher.bench_local(|| sources::coverage(black_box(&text), black_box(&job.messages)));
}

/// The index of the source and the claims of its summary.
#[divan::bench(sample_count = 10)]
fn grounding_10_mb(bencher: Bencher<'_, '_>) {
    let job = job();
    let text = summary::extract(&job).summary;
    let sources = GroundingSources {
        messages: &job.messages,
        ..GroundingSources::default()
    };
    bencher.bench_local(|| grounding::check(black_box(&text), black_box(sources)));
}

/// A summary that has every claim wrong: each is looked for in every form.
#[divan::bench(sample_count = 10)]
fn grounding_10_mb_of_fictions(bencher: Bencher<'_, '_>) {
    let job = job();
    let text = summary::extract(&job)
        .summary
        .replace("file", "fike")
        .replace("decided", "deployed");
    let sources = GroundingSources {
        messages: &job.messages,
        ..GroundingSources::default()
    };
    bencher.bench_local(|| grounding::check(black_box(&text), black_box(sources)));
}

fn long_summary(changed: bool) -> String {
    let mut out = String::new();
    let mut n = 0;
    while out.len() < SUMMARY_CHARS {
        if n % 40 == 0 {
            let _ = writeln!(out, "## Part {}", n / 40);
        }
        let word = if changed && n % 3 == 0 {
            "kept"
        } else {
            "changed"
        };
        let _ = writeln!(
            out,
            "- we {word} the file src/part{}/file{n}.rs because of {n}",
            n % 50
        );
        n += 1;
    }
    out
}

#[divan::bench(sample_count = 20)]
fn diff_of_two_long_summaries(bencher: Bencher<'_, '_>) {
    let (left, right) = (long_summary(false), long_summary(true));
    bencher.bench_local(|| diff::summary(black_box(&left), black_box(&right)));
}

/// Nothing in common.
#[divan::bench(sample_count = 20)]
fn diff_of_two_unlike_summaries(bencher: Bencher<'_, '_>) {
    let left = long_summary(false);
    let mut right = String::new();
    for n in 0..400 {
        let _ = writeln!(right, "* {} line {n} of another text", n * 7919 % 1009);
    }
    bencher.bench_local(|| diff::summary(black_box(&left), black_box(&right)));
}
