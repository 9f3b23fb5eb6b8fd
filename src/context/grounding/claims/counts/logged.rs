//! What the log counts by itself: calls, files, messages, edits.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::context::grounding::fold::folded_text;
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::identifiers::is_unspaced;

use super::CountedThing;
use super::words::LOGGED;

/// Whether the log has that many calls, failed calls, files, messages or edits.
pub(super) fn follows_from_log(index: &SourceIndex<'_>, value: f64, thing: &CountedThing) -> bool {
    let is_named = |words: &[&str]| {
        let is_sign = |word: &str| word.starts_with(is_unspaced) && thing.signs.contains(word);
        let of_word = |word: &str| thing.names().any(|name| folded_text(word) == name);
        words.iter().any(|word| of_word(word) || is_sign(word))
    };
    let is = |count: usize| (value - count as f64).abs() < f64::EPSILON;
    let calls = index.calls();
    let ended = calls.iter().filter(|call| call.has_ended);
    let failed = ended.clone().filter(|call| !call.has_worked).count();
    let written = || {
        let paths = calls
            .iter()
            .filter(|call| call.has_worked && !is_read_only(&call.tool))
            .filter_map(|call| path_of(index, call.arguments.clone()));
        paths.collect::<BTreeSet<&str>>().len()
    };
    // `bash ×18`
    let of_tool = |name: &String| calls.iter().filter(|call| call.tool == *name).count();
    thing
        .before
        .as_ref()
        .is_some_and(|name| is(of_tool(name)) && value > 0.0)
        || is_named(LOGGED[0]) && (is(calls.len()) || is(failed) || is(calls.len() - failed))
        || thing.names().any(|name| name.starts_with("call")) && is(failed)
        || is_named(LOGGED[1]) && (is(written()) || is(new_files(index)))
        || is_named(LOGGED[2]) && (is(index.messages().len()) || is(people(index)))
        || is_named(LOGGED[3]) && is(ended.filter(|call| call.tool.contains("edit")).count())
}

/// Whether a script without spaces names what the log counts.
pub(super) fn is_logged_in_signs(thing: &CountedThing) -> bool {
    let mut words = LOGGED.iter().flat_map(|words| words.iter());
    words.any(|word| word.starts_with(is_unspaced) && thing.signs.contains(word))
}

fn people(index: &SourceIndex<'_>) -> usize {
    let numbers = 0..index.messages().len();
    numbers
        .filter(|number| {
            index
                .texts_of(*number)
                .any(|text| text.origin == TextOrigin::Person)
        })
        .count()
}

fn new_files(index: &SourceIndex<'_>) -> usize {
    let written = index
        .calls()
        .iter()
        .filter(|call| call.has_worked && call.tool.contains("write"));
    let paths = written.filter_map(|call| path_of(index, call.arguments.clone()));
    paths.collect::<BTreeSet<&str>>().len()
}

/// A tool that only looks.
pub(in crate::context::grounding::claims) fn is_read_only(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    [
        "read", "grep", "glob", "list", "search", "find", "view", "fetch", "bash", "shell",
    ]
    .iter()
    .any(|name| tool.contains(name))
        || tool == "ls"
}

/// The path in the arguments of a call.
fn path_of<'i>(index: &'i SourceIndex<'_>, arguments: Range<usize>) -> Option<&'i str> {
    let mut texts = arguments.filter_map(|number| index.text(number));
    texts
        .find(|text| {
            text.text.len() < 400
                && text.text.contains(['/', '.'])
                && !text.text.contains([' ', '\n'])
        })
        .map(|text| text.text.as_ref())
}
