//! The identifiers that a summary must carry over, chosen by use.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::context::redact;
use crate::context::summary::SourceMessage;
use crate::transcript::IdentifierDemand;

use super::classify::IdentifierKind;
use super::collect::{FoundIdentifier, IdentifierCollector, key_of};
use super::identifier::{Identifier, IdentifierLimits, IdentifierUse};
use super::list::{LIST_MARKUP_CHARS, list_chars, list_lines};
use super::sightings::each_sighting;
use super::spelling::one_per_file;
use super::texts::each_text;

/// Most identifiers that a person typed: these do not decay.
const MAX_TYPED: usize = 100;
/// Characters that identifiers may fill which no earlier summary carried and no person
/// typed: a quarter of the text that a summariser is asked for.
const NEW_CHARS: usize = 2_000;
/// One in so many characters of the list stays free for these.
const NEW_SHARE: usize = 8;
/// Uses count up to this many, and the newest use counts up to this much more than the oldest.
const MAX_USES: u64 = 24;
const RECENCY_WEIGHT: u64 = 3;
/// An identifier that no message names any more loses one use in so many.
const DECAY: u64 = 4;

/// The material of a selection.
#[derive(Clone, Copy, Debug)]
pub struct IdentifierSources<'a> {
    /// The messages that the summary replaces, oldest first. What is in the user's role was
    /// typed by a person.
    pub messages: &'a [SourceMessage],
    /// The messages that stay beside it.
    pub kept: &'a [SourceMessage],
    /// The text of the summary before.
    pub previous: Option<&'a str>,
    /// What that summary had to carry, the weightiest first.
    pub demands: &'a [IdentifierDemand],
    /// What must not be said.
    pub secrets: &'a redact::KnownSecrets,
    /// The most that is chosen.
    pub limits: IdentifierLimits,
}

/// The chosen identifiers, the weightiest first: what persons typed, what earlier summaries
/// had to carry, then the new ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentifierSelection {
    /// What the summary must carry over.
    pub identifiers: Vec<Identifier>,
    /// How many of them, from the first on, a short text has to carry as well: typed and
    /// carried ones.
    pub fixed: usize,
    /// Distinct identifiers in all that was read.
    pub known: u64,
    /// Identifiers that the summary before had to carry and this one need not: the list is
    /// full.
    pub left: u64,
}

/// The room that is left in a list.
struct ListRoom {
    count: usize,
    chars: usize,
}

impl ListRoom {
    /// Takes an identifier in when there is room for it and for `reserve` characters more.
    fn admits(&mut self, it: &FoundIdentifier, reserve: usize) -> bool {
        let chars = it.identifier.text.chars().count() + LIST_MARKUP_CHARS;
        let fits = self.count > 0 && chars + reserve <= self.chars;
        if fits {
            self.count -= 1;
            self.chars -= chars;
        }
        fits
    }
}

/// Chooses the identifiers that a summary of these messages must carry over: what the user
/// wrote, what was written or edited, what was named again, what failed, what was named, what
/// only occurred in results; within each the ones used often and lately. Files have one
/// spelling. What stays beside the summary comes last: it is not lost.
pub fn select(source: IdentifierSources<'_>) -> IdentifierSelection {
    let messages = match source.limits.last_messages {
        Some(last) => {
            let from = source.messages.len().saturating_sub(last);
            source.messages.get(from..).unwrap_or_default()
        }
        None => source.messages,
    };
    let mut collector = IdentifierCollector::new(source.secrets);
    collector.carry(source.demands);
    if let Some(previous) = source
        .previous
        .filter(|_| source.limits.last_messages.is_none())
    {
        collector.read_summary(previous);
    }
    collector.read_messages(messages);
    let mut found = collector.found;
    one_per_file(&mut found);
    let known = found.len() as u64;
    mark_kept(&mut found, source.kept);
    decay(&mut found);
    let (mut carried, mut fresh): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|it| it.carried.is_some());
    carried.sort_by_key(|it| it.carried);
    let weight = Weighing {
        messages: messages.len() as u64,
    };
    fresh.sort_by(|a, b| {
        let key = |it: &FoundIdentifier| (Weighing::rank(it), Reverse(weight.score(it)));
        key(a)
            .cmp(&key(b))
            .then_with(|| b.newest.cmp(&a.newest))
            .then_with(|| a.identifier.text.cmp(&b.identifier.text))
    });
    IdentifierSelection {
        known,
        ..admitted(carried, fresh, source.limits)
    }
}

/// Fills the list: what persons typed, what was carried, what is new.
fn admitted(
    carried: Vec<FoundIdentifier>,
    fresh: Vec<FoundIdentifier>,
    limits: IdentifierLimits,
) -> IdentifierSelection {
    let is_typed = |it: &FoundIdentifier| it.identifier.origin == IdentifierUse::Typed;
    let all_carried = carried.len();
    let (typed_before, mut others): (Vec<_>, Vec<_>) = carried.into_iter().partition(is_typed);
    let (typed_now, fresh): (Vec<_>, Vec<_>) = fresh.into_iter().partition(is_typed);
    let mut room = ListRoom {
        count: limits.count,
        chars: limits.chars,
    };
    let mut chosen: Vec<FoundIdentifier> = Vec::new();
    for it in typed_before.into_iter().chain(typed_now) {
        if chosen.len() < MAX_TYPED && room.admits(&it, 0) {
            chosen.push(it);
        }
    }
    // Of the carried ones those that are used least leave first; with equal use the later ones.
    others.sort_by_key(|it| (Reverse(it.identifier.uses.min(MAX_USES)), it.carried));
    let reserve = if fresh.is_empty() {
        0
    } else {
        limits.chars / NEW_SHARE
    };
    for it in others {
        if room.admits(&it, reserve) {
            chosen.push(it);
        }
    }
    let fixed = chosen.len();
    let kept_carried = chosen.iter().filter(|it| it.carried.is_some()).count();
    room.chars = room.chars.min(NEW_CHARS);
    for it in fresh {
        if room.count == 0 || room.chars == 0 {
            break;
        }
        if room.admits(&it, 0) {
            chosen.push(it);
        }
    }
    let mut identifiers: Vec<Identifier> = chosen.into_iter().map(|it| it.identifier).collect();
    // The names of files above their symbols, and the ends of lines.
    while identifiers.len() > fixed && chars_of(&identifiers) > limits.chars {
        identifiers.pop();
    }
    IdentifierSelection {
        identifiers,
        fixed,
        known: 0,
        left: (all_carried - kept_carried) as u64,
    }
}

fn chars_of(identifiers: &[Identifier]) -> usize {
    let all: Vec<&Identifier> = identifiers.iter().collect();
    list_chars(&list_lines(&all, 0))
}

/// How identifiers are compared.
struct Weighing {
    messages: u64,
}

impl Weighing {
    /// By use; what stays beside the summary anyway comes last.
    fn rank(it: &FoundIdentifier) -> (bool, IdentifierUse) {
        let origin = it.identifier.origin;
        let is_typed = origin == IdentifierUse::Typed;
        (it.identifier.is_kept && !is_typed, origin)
    }

    /// Recency times frequency.
    fn score(&self, it: &FoundIdentifier) -> u64 {
        let uses = it.identifier.uses.min(MAX_USES);
        let age = it.newest as u64 * RECENCY_WEIGHT * MAX_USES / self.messages.max(1);
        uses * (MAX_USES + age)
    }
}

/// Notes which identifiers the kept messages say.
fn mark_kept(found: &mut [FoundIdentifier], kept: &[SourceMessage]) {
    if kept.is_empty() || found.is_empty() {
        return;
    }
    let mut said: HashSet<String> = HashSet::new();
    for message in kept {
        each_text(&message.message, &mut |text| {
            for line in text.lines() {
                each_sighting(line, true, &mut |token, kind| {
                    note_said(token, kind, &mut said);
                });
            }
            true
        });
    }
    for it in found {
        let identifier = &mut it.identifier;
        let key = key_of(&identifier.text, identifier.kind);
        identifier.is_kept = said.contains(key.as_ref());
    }
}

/// Notes a token; of a path every end of it as well, which is a shorter way to write it.
fn note_said(token: &str, kind: IdentifierKind, said: &mut HashSet<String>) {
    let key = key_of(token, kind);
    if kind == IdentifierKind::Path {
        let ends = key.match_indices('/');
        said.extend(ends.filter_map(|(at, _)| Some(key.get(at + 1..)?.to_owned())));
    }
    said.insert(key.into_owned());
}

/// What a person wrote keeps its uses; others lose some when nobody names them any more.
fn decay(found: &mut [FoundIdentifier]) {
    for it in found {
        let is_idle = it.carried.is_some() && it.newest == 0;
        let identifier = &mut it.identifier;
        if is_idle && identifier.origin != IdentifierUse::Typed {
            identifier.uses = (identifier.uses - identifier.uses / DECAY).max(1);
        }
    }
}

/// Whether a kind of identifier says nothing by itself: the line that it was said in helps.
pub(super) fn needs_line(kind: IdentifierKind) -> bool {
    match kind {
        IdentifierKind::Uuid
        | IdentifierKind::Hex
        | IdentifierKind::Number
        | IdentifierKind::Id
        | IdentifierKind::Ip
        | IdentifierKind::HostPort
        | IdentifierKind::Port => true,
        IdentifierKind::Url
        | IdentifierKind::Path
        | IdentifierKind::WindowsPath
        | IdentifierKind::Mail
        | IdentifierKind::Host
        | IdentifierKind::Symbol
        | IdentifierKind::Flag
        | IdentifierKind::Variable
        | IdentifierKind::ErrorCode
        | IdentifierKind::Version
        | IdentifierKind::GitRef
        | IdentifierKind::Quantity
        | IdentifierKind::Date => false,
    }
}
