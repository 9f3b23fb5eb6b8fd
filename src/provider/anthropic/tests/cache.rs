//! The prompt cache as the service keeps it: an entry at every breakpoint of a request, and
//! a breakpoint that finds one at its own block or a few before it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Blocks that a breakpoint looks at, its own among them.
const LOOKBACK: usize = 20;

/// What the service remembers, each entry by all that precedes it.
#[derive(Default)]
struct Cache {
    entries: BTreeSet<String>,
}

/// The blocks of a body up to each of them, and whether it is a breakpoint.
fn prefixes(body: &Value) -> Vec<(String, bool)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut blocks = list(&body["tools"]);
    blocks.extend(list(&body["system"]));
    for message in list(&body["messages"]) {
        for mut block in list(&message["content"]) {
            block["role"] = message["role"].clone();
            blocks.push(block);
        }
    }
    let mut so_far = String::new();
    blocks
        .into_iter()
        .map(|mut block| {
            let mark = block.as_object_mut().unwrap().remove("cache_control");
            so_far += &block.to_string();
            (so_far.clone(), mark.is_some())
        })
        .collect()
}

impl Cache {
    /// Blocks that are read from it, and what the request leaves in it.
    fn ask(&mut self, body: &Value) -> usize {
        let prefixes = prefixes(body);
        let marked = || (0..prefixes.len()).filter(|at| prefixes[*at].1);
        assert!(marked().count() <= 4);
        let is_entry = |at: &usize| self.entries.contains(&prefixes[*at].0);
        let found = marked()
            .flat_map(|at| (at.saturating_sub(LOOKBACK - 1)..=at).rev())
            .filter(is_entry)
            .max();
        self.entries
            .extend(marked().map(|at| prefixes[at].0.clone()));
        found.map_or(0, |at| at + 1)
    }
}

/// The event between two requests to the model.
#[derive(Clone, Debug)]
enum Event {
    /// It called tools, so many at once.
    Calls(usize),
    /// It answered in words.
    Words,
    /// The user stopped it before the first word and said more.
    Stopped(usize),
    /// Another model called tools, so many times.
    Detour(usize, usize),
    /// The user went back before so many messages.
    Back(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (1..45_usize).prop_map(Event::Calls),
        Just(Event::Words),
        (1..5_usize).prop_map(Event::Stopped),
        (1..4_usize, 1..15_usize).prop_map(|(steps, calls)| Event::Detour(steps, calls)),
        (1..12_usize).prop_map(Event::Back),
    ]
}

const MODEL: &str = "claude-sonnet-4-5";

/// An answer with calls and its results; `n` names them apart.
fn step(model: &str, n: usize, calls: usize) -> Vec<Message> {
    let id = |at: usize| format!("c{n}_{at}");
    let asked = (0..calls).map(|at| call(&id(at), "read", json!({})));
    let answer = written_by("anthropic", model, asked.collect());
    let results = (0..calls).map(|at| result(&id(at), "read", "x"));
    [answer].into_iter().chain(results).collect()
}

fn happened(messages: &mut Vec<Message>, n: usize, event: &Event) {
    let said = |what: &str| user(&format!("{what} {n}"));
    let words = |text: String| crate::transcript::AssistantPart::Text(text);
    match event {
        Event::Calls(calls) => messages.extend(step(MODEL, n, *calls)),
        Event::Words => {
            let answer = vec![words(format!("so {n}"))];
            messages.push(written_by("anthropic", MODEL, answer));
            messages.push(said("and"));
        }
        Event::Stopped(more) => messages.extend((0..*more).map(|_| said("rather"))),
        Event::Detour(steps, calls) => {
            for at in 0..*steps {
                messages.extend(step("claude-haiku-4-5", n * 100 + at, *calls));
            }
        }
        Event::Back(count) => {
            messages.truncate(messages.len().saturating_sub(*count).max(1));
            // Calls are never left without their results.
            while matches!(
                messages.last(),
                Some(Message::ToolResult(_) | Message::Assistant(_))
            ) {
                messages.pop();
            }
            messages.push(said("again"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What the newest answer of this model came from is read from the cache, however many
    /// blocks came since; and what the user stopped before its first word is, too.
    #[test]
    fn what_was_written_before_is_always_found(events in prop::collection::vec(event(), 1..25)) {
        let mut cache = Cache::default();
        let mut messages = vec![user("begin")];
        let mut stopped = String::new();
        for (n, event) in events.iter().enumerate() {
            let asked = body(messages.clone());
            let all = prefixes(&asked);
            let is_own = |message: &Message| {
                matches!(message, Message::Assistant(answer) if answer.model == MODEL)
            };
            let answered = messages.iter().rposition(is_own).map_or(0, |at| {
                prefixes(&body(messages[..at].to_vec())).len()
            });
            let begun = all.iter().rposition(|(prefix, _)| *prefix == stopped);
            let expected = answered.max(begun.map_or(0, |at| at + 1));
            let read = cache.ask(&asked);
            prop_assert!(read >= expected, "{n}: {read} of {expected}, {events:?}");
            stopped = match event {
                Event::Stopped(_) => all.last().unwrap().0.clone(),
                _ => String::new(),
            };
            happened(&mut messages, n, event);
        }
    }
}

/// The user's own model answers again after another one worked for a while.
#[test]
fn a_long_detour_over_another_model_does_not_cost_the_cache() {
    let mut cache = Cache::default();
    let mut messages = vec![user("begin")];
    cache.ask(&body(messages.clone()));
    happened(&mut messages, 1, &Event::Calls(30));
    let read = cache.ask(&body(messages.clone()));
    let written = prefixes(&body(messages.clone())).len();
    assert!(read < written);
    happened(&mut messages, 2, &Event::Words);
    assert_eq!(cache.ask(&body(messages.clone())), written);
    let written = prefixes(&body(messages.clone())).len();
    happened(&mut messages, 3, &Event::Words);
    happened(&mut messages, 4, &Event::Detour(3, 12));
    assert_eq!(cache.ask(&body(messages)), written);
}
