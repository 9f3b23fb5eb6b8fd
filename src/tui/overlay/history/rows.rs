//! From a transcript to rows: the active branch in order, or all branches as a tree.
//! Walks with stacks of its own, never by recursion: a branch may be very long.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::acts::acts;
use super::{HistoryPlace, has_place, is_result};
use crate::context::ContextView;
use crate::transcript::{Entry, EntryBody, EntryId, Message, Transcript};
use crate::tui::marks::RulesSet;

/// Branches beside branches are indented up to this depth.
const MAX_DEPTH: usize = 12;

/// A row of the timeline.
#[derive(Clone, Debug)]
pub(super) struct TimelineStep {
    pub place: HistoryPlace,
    /// Tokens: of a message of the user, its whole turn's.
    pub tokens: u64,
    /// Some of it is left out of the context and was only estimated.
    pub is_rough: bool,
    /// Tool calls, counted the same way.
    pub calls: usize,
    /// Branches that leave here, besides the active one.
    pub branches: usize,
    /// Standing rules that it sets.
    pub rules: RulesSet,
}

/// A row of the tree.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    pub place: HistoryPlace,
    /// Lines that lead to it.
    pub lead: String,
    /// On the active branch.
    pub is_active: bool,
    /// The active branch ends here.
    pub is_here: bool,
    /// The newest end of a branch below it: where switching to it leads.
    pub tip: EntryId,
}

/// The newest label of each entry.
fn labels(transcript: &Transcript) -> HashMap<&EntryId, &String> {
    let mut labels = HashMap::new();
    for entry in transcript.entries() {
        if let EntryBody::Label { target, label } = &entry.body {
            match label {
                Some(label) => labels.insert(target, label),
                None => labels.remove(target),
            };
        }
    }
    labels
}

/// Entries from which something that was said can be reached, themselves included.
fn telling(transcript: &Transcript) -> HashSet<&EntryId> {
    let mut telling = HashSet::new();
    // Parents come before their children in the file.
    for entry in transcript.entries().iter().rev() {
        if has_place(entry) || is_result(entry) || telling.contains(&entry.id) {
            telling.insert(&entry.id);
            telling.extend(entry.parent.as_ref());
        }
    }
    telling
}

/// Tokens in full, and whether they were only estimated because the entry is left out.
fn token_counts(view: Option<&Arc<ContextView>>) -> HashMap<&EntryId, (u64, bool)> {
    let mut tokens = HashMap::new();
    if let Some(view) = view {
        for item in &view.items {
            if let Some(entry) = &item.entry {
                tokens.insert(entry, (item.tokens_full(&view.ruler), false));
            }
        }
        for left in &view.left_out {
            tokens.insert(&left.entry, (left.tokens_full, true));
        }
    }
    tokens
}

fn calls(entry: &Entry) -> usize {
    match entry.message().map(AsRef::as_ref) {
        Some(Message::Assistant(answer)) => answer.tool_calls().count(),
        _ => 0,
    }
}

/// The active branch, oldest first.
pub(super) fn steps(transcript: &Transcript, view: Option<&Arc<ContextView>>) -> Vec<TimelineStep> {
    let branch = transcript.branch();
    let (labels, tokens) = (labels(transcript), token_counts(view));
    let (telling, on_branch): (_, HashSet<&EntryId>) = (
        telling(transcript),
        branch.iter().map(|entry| &entry.id).collect(),
    );
    let mut leaving: HashMap<&EntryId, usize> = HashMap::new();
    for entry in transcript.entries() {
        if let Some(parent) = &entry.parent
            && telling.contains(&entry.id)
            && !on_branch.contains(&entry.id)
        {
            *leaving.entry(parent).or_default() += 1;
        }
    }
    let rules = view.map_or_else(HashMap::new, |view| RulesSet::of_all(&view.rules.rules));
    let mut steps: Vec<TimelineStep> = Vec::new();
    let mut turn = None;
    let acts = acts(transcript, view);
    // Acts are rows of their own, to which nothing that is said belongs.
    let mut newest_message = None;
    for entry in &branch {
        let act = acts.get(&entry.id);
        if has_place(entry) || act.is_some() {
            if has_place(entry) {
                newest_message = Some(steps.len());
            }
            if entry.is_typed_by_user() {
                turn = Some(steps.len());
            }
            steps.push(TimelineStep {
                place: HistoryPlace {
                    entry: Arc::clone(entry),
                    last: entry.id.clone(),
                    label: labels.get(&entry.id).map(ToString::to_string),
                    act: act.cloned(),
                },
                tokens: 0,
                is_rough: false,
                calls: 0,
                branches: 0,
                rules: rules.get(&entry.id).copied().unwrap_or_default(),
            });
        }
        let Some(at) = newest_message else {
            continue;
        };
        if is_result(entry) {
            steps[at].place.last = entry.id.clone();
        }
        steps[at].branches += leaving.get(&entry.id).copied().unwrap_or(0);
        // A summary in the window is not part of what is said next.
        let is_compaction = matches!(entry.body, EntryBody::Compaction(_));
        let of_turn = turn.filter(|&of| of != at && !is_compaction);
        for of in of_turn.into_iter().chain([at]) {
            let (count, is_rough) = tokens.get(&entry.id).copied().unwrap_or_default();
            steps[of].tokens += count;
            steps[of].is_rough |= is_rough;
            steps[of].calls += calls(entry);
        }
    }
    steps
}

/// The walk's knowledge of each entry.
struct TreeWalk<'a> {
    children: HashMap<Option<EntryId>, Vec<&'a Arc<Entry>>>,
    labels: HashMap<&'a EntryId, &'a String>,
    active: HashSet<EntryId>,
    /// The newest entry below (or at) each one, the leaf before all others.
    tips: HashMap<&'a EntryId, &'a EntryId>,
}

impl<'a> TreeWalk<'a> {
    fn new(transcript: &'a Transcript) -> Self {
        let telling = telling(transcript);
        let mut children: HashMap<_, Vec<_>> = HashMap::new();
        for entry in transcript.entries() {
            if telling.contains(&entry.id) {
                let siblings = children.entry(entry.parent.clone()).or_default();
                siblings.push(entry);
            }
        }
        let mut tips: HashMap<&EntryId, &EntryId> = HashMap::new();
        for entry in transcript.entries().iter().rev() {
            let tip = *tips.entry(&entry.id).or_insert(&entry.id);
            if let Some(parent) = &entry.parent {
                let is_here = transcript.leaf() == Some(tip);
                let of_parent = tips.entry(parent).or_insert(tip);
                if is_here {
                    *of_parent = tip;
                }
            }
        }
        Self {
            children,
            labels: labels(transcript),
            active: transcript.branch().iter().map(|e| e.id.clone()).collect(),
            tips,
        }
    }

    fn tip(&self, entry: &'a Entry) -> &'a EntryId {
        self.tips.get(&entry.id).copied().unwrap_or(&entry.id)
    }

    /// Whether an entry is one of several steps of an answer, with nothing of its own to
    /// show in a tree.
    fn leads_on(&self, entry: &Entry) -> bool {
        let is_answer = matches!(
            entry.message().map(AsRef::as_ref),
            Some(Message::Assistant(_))
        );
        is_answer && !self.labels.contains_key(&entry.id) && self.below(Some(&entry.id)).len() == 1
    }

    /// Puts the children of an entry on the stack, the oldest on top.
    fn descend(&self, entry: Option<&EntryId>, lines: &LeadLines, open: &mut Vec<OpenBranch<'a>>) {
        let children = self.below(entry);
        let is_branching = children.len() > 1;
        for (at, child) in children.iter().enumerate().rev() {
            let mut lines = lines.clone();
            if is_branching && lines.depth < MAX_DEPTH {
                let (sign, on) = if at + 1 == children.len() {
                    ("└ ", "  ")
                } else {
                    ("├ ", "│ ")
                };
                lines.first = format!("{}{sign}", lines.below);
                lines.below.push_str(on);
                lines.depth += 1;
            }
            open.push(OpenBranch {
                entry: child,
                lines,
            });
        }
    }

    fn below(&self, entry: Option<&EntryId>) -> &[&'a Arc<Entry>] {
        let children = self.children.get(&entry.cloned());
        children.map_or(&[], Vec::as_slice)
    }

    /// The last result of the calls of an answer.
    fn last(&self, entry: &'a Arc<Entry>) -> &'a EntryId {
        let mut last = &entry.id;
        while let Some(result) = self
            .below(Some(last))
            .iter()
            .rev()
            .find(|child| is_result(child))
        {
            last = &result.id;
        }
        last
    }
}

/// An entry that the walk has still to visit.
struct OpenBranch<'a> {
    entry: &'a Arc<Entry>,
    lines: LeadLines,
}

/// The prefix of a row, and of the rows below it.
#[derive(Clone)]
struct LeadLines {
    first: String,
    below: String,
    depth: usize,
}

/// All branches: each one's rows below each other, a branch that leaves indented. What
/// only leads on (an answer in the middle) has no row.
pub(super) fn tree(transcript: &Transcript) -> Vec<TreeNode> {
    let walk = TreeWalk::new(transcript);
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut open = Vec::new();
    let lines = LeadLines {
        first: String::new(),
        below: String::new(),
        depth: 0,
    };
    walk.descend(None, &lines, &mut open);
    let mut here = None;
    while let Some(OpenBranch { entry, mut lines }) = open.pop() {
        let is_here = transcript.leaf() == Some(&entry.id);
        if has_place(entry) && (is_here || !walk.leads_on(entry)) {
            let is_active = walk.active.contains(&entry.id);
            if is_active {
                here = Some(nodes.len());
            }
            let below = lines.below.clone();
            nodes.push(TreeNode {
                place: HistoryPlace {
                    entry: Arc::clone(entry),
                    last: walk.last(entry).clone(),
                    label: walk.labels.get(&entry.id).map(ToString::to_string),
                    act: None,
                },
                lead: std::mem::replace(&mut lines.first, below),
                is_active,
                is_here: false,
                tip: walk.tip(entry).clone(),
            });
        }
        walk.descend(Some(&entry.id), &lines, &mut open);
    }
    if let Some(node) = here.and_then(|at| nodes.get_mut(at)) {
        node.is_here = true;
    }
    nodes
}
