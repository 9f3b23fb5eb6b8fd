//! The remaining steps: check boxes, the lists of planning tools, the steps that the model
//! announced, in a sentence or as a list.

use serde_json::Value;

use crate::context::summary::excerpt;
use crate::transcript::ToolCall;

use super::sentences::without_mark;

/// Longest list item, in characters.
const ITEM_CHARS: usize = 200;
/// Most list items of one kind.
const MAX_ITEMS: usize = 20;
/// Announced sentences that are kept: the newest.
const MAX_ANNOUNCED: usize = 3;

/// After so many asks, an announcement says nothing about what remains.
const STALE_ASKS: usize = 3;

/// Words that announce what remains, not what comes at once.
const STANDING: [&str; 11] = [
    "next",
    "then",
    "remain",
    "todo",
    "to do",
    "still need",
    "下一步",
    "待办",
    "还需要",
    "剩下",
    "接下来",
];
/// Words of a line or heading that introduces a list of steps.
const INTRODUCES: [&str; 15] = [
    "next",
    "remain",
    "todo",
    "to do",
    "to-do",
    "left",
    "still",
    "open",
    "plan",
    "下一步",
    "待办",
    "还需要",
    "剩下",
    "接下来",
    "计划",
];
/// Arguments of planning tools that hold the list, and its fields.
const LISTS: [&str; 3] = ["todos", "plan", "tasks"];
const TEXTS: [&str; 5] = ["content", "step", "text", "title", "task"];
const STATES: [&str; 2] = ["status", "state"];

struct AnnouncedSteps {
    text: String,
    /// It holds until another is announced; others are taken for done once the model
    /// has said something else.
    stands: bool,
}

/// Steps, as far as they are known.
#[derive(Default)]
pub(super) struct StepList {
    /// Open list items.
    pub unchecked: Vec<String>,
    /// Ticked list items.
    pub checked: Vec<String>,
    announced: Vec<AnnouncedSteps>,
    /// The newest list of steps in an answer.
    listed: Vec<String>,
    /// Asks since something was announced.
    asks_since: usize,
    /// The steps of the newest plan.
    planned: Vec<String>,
}

impl StepList {
    /// Reads the check boxes of a text, and of an answer the list of steps in it.
    pub(super) fn read_lines(&mut self, text: &str, from_user: bool) {
        let mut listed: Vec<String> = Vec::new();
        let mut is_listing = false;
        for line in text.lines() {
            let line = line.trim();
            if self.read_box(line) || from_user || line.is_empty() {
                continue;
            }
            let item = without_mark(line);
            if item.len() == line.len() {
                is_listing = introduces(line);
            } else if is_listing && !item.starts_with("~~") {
                listed.push(excerpt::one_line(&item.replace("**", ""), ITEM_CHARS));
            }
        }
        if !listed.is_empty() {
            listed.truncate(MAX_ITEMS);
            self.listed = listed;
            self.asks_since = 0;
        }
    }

    fn read_box(&mut self, line: &str) -> bool {
        let item = without_mark(line);
        if let Some(open) = item.strip_prefix("[ ] ") {
            self.note(open, true);
        } else if let Some(done) = item.strip_prefix("[x] ").or(item.strip_prefix("[X] ")) {
            self.note(done, false);
        } else {
            return false;
        }
        true
    }

    fn note(&mut self, item: &str, is_open: bool) -> String {
        let item = excerpt::one_line(item, ITEM_CHARS);
        self.forget(&item);
        let list = if is_open {
            &mut self.unchecked
        } else {
            &mut self.checked
        };
        list.push(item.clone());
        if list.len() > MAX_ITEMS {
            list.remove(0);
        }
        item
    }

    fn forget(&mut self, item: &str) {
        self.unchecked.retain(|known| known != item);
        self.checked.retain(|known| known != item);
    }

    /// Reads the list of a planning tool, which takes the place of the one before.
    pub(super) fn read_call(&mut self, call: &ToolCall) {
        let Some(items) = LISTS
            .iter()
            .find_map(|name| call.arguments.get(*name)?.as_array())
        else {
            return;
        };
        let field = |item: &Value, names: &[&str]| {
            let found = names.iter().find_map(|name| item.get(*name)?.as_str());
            found.map(str::to_owned)
        };
        for known in std::mem::take(&mut self.planned) {
            self.unchecked.retain(|item| *item != known);
        }
        for item in items {
            let state = field(item, &STATES).unwrap_or_default().to_lowercase();
            let Some(text) = field(item, &TEXTS).filter(|_| !state.starts_with("cancel")) else {
                continue;
            };
            let is_open = !["completed", "done", "complete"].contains(&state.as_str());
            let item = self.note(&text, is_open);
            self.planned.push(item);
        }
    }

    /// The user has asked something: what was announced long before is done or dropped.
    pub(super) fn on_ask(&mut self) {
        self.asks_since += 1;
        if self.asks_since >= STALE_ASKS {
            self.announced.clear();
            self.listed.clear();
        }
    }

    /// The model has said something: what it was about to do is taken for done.
    pub(super) fn settle(&mut self) {
        self.announced.retain(|step| step.stands);
    }

    /// The sentences of one answer that announce a step, as said and in lower case.
    pub(super) fn announce(&mut self, mut sentences: Vec<(String, String)>) {
        if sentences.is_empty() {
            return;
        }
        self.asks_since = 0;
        sentences.drain(..sentences.len().saturating_sub(MAX_ANNOUNCED));
        self.announced = sentences
            .into_iter()
            .map(|(text, lower)| AnnouncedSteps {
                text,
                stands: STANDING.iter().any(|word| lower.contains(word)),
            })
            .collect();
    }

    /// The last announced steps.
    pub(super) fn announced(&self) -> impl Iterator<Item = &str> {
        self.announced.iter().map(|step| step.text.as_str())
    }

    /// All that is open: what was announced last, its list, what is not ticked. The
    /// flag says whether an item is a check box.
    pub(super) fn open(&self) -> Vec<(bool, &str)> {
        let boxes = self.unchecked.iter().map(|item| (true, item.as_str()));
        let listed = self.listed.iter().map(|item| (false, item.as_str()));
        let mut out: Vec<(bool, &str)> = self.announced().map(|step| (false, step)).collect();
        for (is_box, item) in listed.chain(boxes) {
            let is_known = out.iter().any(|(_, known)| *known == item);
            if !is_known && !self.checked.iter().any(|done| done == item) {
                out.push((is_box, item));
            }
        }
        out
    }
}

/// Whether a line introduces a list of steps: it ends with a colon or is a heading.
fn introduces(line: &str) -> bool {
    let is_heading = line.starts_with('#') || line.starts_with("**") && line.ends_with("**");
    if !is_heading && !line.trim_end_matches('*').ends_with([':', '：']) {
        return false;
    }
    let lower = line.to_lowercase();
    INTRODUCES.iter().any(|word| lower.contains(word))
}
