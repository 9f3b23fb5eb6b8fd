//! Done actions that cannot be undone: said to be done in the summary, done in a call that
//! worked or reported in words of the user, of a result or of what was kept. An answer of
//! the model is no witness.

use std::ops::Range;

use crate::context::audit::keywords;
use crate::context::grounding::ClaimClass;
use crate::context::grounding::fold::{self, FoldedLine, WordGap, folded_text};
use crate::context::grounding::index::{SourceCall, SourceIndex, TextOrigin, tag_of};
use crate::context::grounding::languages::{self, ActionKind, Lexicon};
use crate::context::grounding::prose::{self, Clause, LineKind, ProseLine};

use super::{Finding, LineReader, counts, tokens};

/// An action that a text says is done.
#[derive(Clone, Debug)]
struct DoneAction {
    kind: ActionKind,
    /// The word that says it.
    verb: Range<usize>,
    /// The clause with its object.
    clause: Range<usize>,
}

/// Things that programs release, send and drop all the time, folded.
const MACHINERY: &[&str] = &[
    "lock",
    "locks",
    "mutex",
    "guard",
    "memory",
    "semaphore",
    "stack",
    "queue",
    "buffer",
    "buffers",
    "frame",
    "frames",
    "packet",
    "packets",
    "connection",
    "connections",
    "socket",
    "sockets",
    "request",
    "requests",
    "header",
    "headers",
    "signal",
    "event",
    "events",
    "handle",
    "pointer",
    "reference",
    "listener",
    "listeners",
    "element",
    "elements",
    "thread",
    "threads",
    "batch",
    "batches",
    "byte",
    "bytes",
    "chunk",
    "chunks",
];

/// Words before an English participle that make it a property.
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "its", "their", "any", "each", "every",
    "some", "of", "for", "with", "newly", "recently", "as", "only", "your", "our", "my", "his",
    "her",
];

/// Where programs run for real, folded beginnings.
const PLACES: &[&str] = &[
    "prod",
    "stag",
    "live",
    "生产",
    "生產",
    "本番",
    "프로덕션",
    "운영",
    "продакшн",
    "прод",
    "canli",
    "preview",
    "npm",
    "pypi",
    "mastodon",
    "twitter",
    "slack",
    "crates",
];

/// Words of an object that every command leaves out.
const GENERIC: &[&str] = &[
    "branch",
    "branches",
    "commit",
    "commits",
    "pull",
    "merge",
    "change",
    "changes",
    "code",
    "fix",
    "fixes",
    "release",
    "version",
    "tag",
    "build",
    "work",
    "remote",
    "origin",
    "main",
    "master",
    "successfully",
    "new",
    "old",
    "locally",
    "local",
    "file",
    "files",
    "everything",
    "all",
    "was",
    "were",
    "been",
    "has",
    "have",
    "had",
    "the",
    "and",
    "der",
    "die",
    "das",
    "wurde",
    "wurden",
    "ist",
    "sind",
    "hat",
    "haben",
    "auf",
    "mit",
    "von",
    "alle",
    "neue",
    "alten",
    "les",
    "des",
    "est",
    "ont",
    "été",
    "los",
    "las",
    "fue",
    "foi",
    "stato",
    "stata",
    "used",
    "unused",
    "using",
    "afterwards",
    "already",
    "again",
    "also",
    "finally",
    "unnötige",
    "production",
    "staging",
    "request",
    "requests",
    "user",
    "with",
    "which",
    "from",
    "into",
    "after",
    "before",
    "who",
    "squash",
    "squashed",
];

pub(super) fn read(reader: &mut LineReader<'_>) {
    if reader.line.is_plan {
        return;
    }
    for action in done_actions(reader.line) {
        if reader
            .taken
            .iter()
            .any(|taken| taken.start < action.verb.end && action.verb.start < taken.end)
        {
            continue;
        }
        let wanted = ActionObject::of(reader, &action);
        let finding = witness(reader.index, &wanted);
        reader.note(action.verb, ClaimClass::DoneAction, finding);
    }
}

/// The actions that a line says are done, each once.
fn done_actions(line: &ProseLine<'_>) -> Vec<DoneAction> {
    let mut out: Vec<DoneAction> = Vec::new();
    let mut denied: Vec<Range<usize>> = Vec::new();
    for sentence in prose::sentences(line) {
        let text = line.text.get(sentence.clone()).unwrap_or_default();
        if text.trim_end().ends_with(['?', '？']) {
            continue;
        }
        let clauses = if line.kind == LineKind::Row {
            vec![Clause {
                span: sentence.clone(),
                joint: sentence.start..sentence.start,
            }]
        } else {
            prose::clauses(line.text, sentence.clone())
        };
        let whole = FoldedLine::of(text);
        for lexicon in languages::all() {
            in_clauses(line.text, &clauses, lexicon, &mut out, &mut denied);
            nouns(&whole, &sentence, lexicon, &mut out);
        }
    }
    // Languages share words: a form that one of them denies is not said to be done.
    out.retain(|action| {
        let touches = |no: &Range<usize>| no.start < action.verb.end && action.verb.start < no.end;
        !denied.iter().any(touches)
    });
    out.sort_by_key(|action| (action.verb.start, std::cmp::Reverse(action.verb.end)));
    out.dedup_by(|next, kept| next.verb.start < kept.verb.end);
    out
}

fn in_clauses(
    text: &str,
    clauses: &[Clause],
    lexicon: &Lexicon,
    out: &mut Vec<DoneAction>,
    denied: &mut Vec<Range<usize>>,
) {
    let opening = clauses
        .first()
        .and_then(|clause| text.get(clause.span.clone()));
    let begins_conditional = opening.map(folded_text).is_some_and(|opening| {
        let cue = lexicon
            .conditional
            .as_ref()
            .and_then(|cue| cue.find(&opening));
        cue.is_some_and(|cue| cue.start() == 0)
    });
    let mut was_denied = false;
    for clause in clauses {
        let folded = FoldedLine::of(text.get(clause.span.clone()).unwrap_or_default());
        let negations = lexicon.negations.as_ref();
        let denies = negations.is_some_and(|cue| cue.is_match(&folded.text));
        let goes_on = was_denied && !denies && folded.text.split_whitespace().count() <= 3;
        for (at, kind) in lexicon.done_in(&folded.text) {
            let verb = folded.original(at.clone());
            let verb = clause.span.start + verb.start..clause.span.start + verb.end;
            let is_done = !begins_conditional
                && !goes_on
                && is_said_to_be_done(&folded.text, &at, kind, lexicon);
            if is_done {
                let clause = clause.span.clone();
                out.push(DoneAction { kind, verb, clause });
            } else {
                denied.push(verb);
            }
        }
        was_denied = denies || goes_on;
    }
}

/// Whether nothing around the word denies it, plans it or makes it a property.
fn is_said_to_be_done(
    clause: &str,
    at: &Range<usize>,
    kind: ActionKind,
    lexicon: &Lexicon,
) -> bool {
    let before = clause.get(..at.start).unwrap_or_default();
    let after = clause.get(at.end..).unwrap_or_default();
    let is_english = std::ptr::eq(lexicon, &raw const languages::all()[0]);
    let anywhere = lexicon.is_agglutinating || lexicon.verb_comes_last;
    let read = if anywhere { clause } else { before };
    let has =
        |cue: &Option<regex::Regex>, text: &str| cue.as_ref().is_some_and(|cue| cue.is_match(text));
    if has(&lexicon.negations, read)
        || has(&lexicon.unreal, read)
        || has(&lexicon.conditional, before)
    {
        return false;
    }
    let first_after = after
        .trim_start()
        .split_whitespace()
        .next()
        .unwrap_or_default();
    if has(&lexicon.negations, first_after) && first_after != "without" {
        return false;
    }
    if clause
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| MACHINERY.contains(&word))
    {
        return false;
    }
    if after.starts_with(['_', '/']) || before.ends_with(['_', '/', '.', '-', '#']) {
        return false;
    }
    if kind == ActionKind::Execute && !names_a_place(clause) {
        return false;
    }
    if !is_english {
        return true;
    }
    let last = before
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .rfind(|word| !word.is_empty())
        .unwrap_or_default();
    let is_state = matches!(last, "is" | "are" | "gets" | "get");
    let recurs = matches!(
        kind,
        ActionKind::Send | ActionKind::Delete | ActionKind::Execute | ActionKind::Commit
    );
    !DETERMINERS.contains(&last) && !(is_state && recurs)
}

fn names_a_place(folded: &str) -> bool {
    let words = folded.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| {
        ["prod", "live", "canli", "прод"]
            .iter()
            .any(|place| word.starts_with(place))
    }) || ["生产", "本番", "프로덕션", "운영"]
        .iter()
        .any(|place| folded.contains(place))
}

/// `Deployment of x: completed`, `| publish 3.4.0 | done |`.
fn nouns(sentence: &FoldedLine, span: &Range<usize>, lexicon: &Lexicon, out: &mut Vec<DoneAction>) {
    let text = sentence.text.as_str();
    let has = |cue: &Option<regex::Regex>| cue.as_ref().is_some_and(|cue| cue.is_match(text));
    if has(&lexicon.negations) || has(&lexicon.unreal) || has(&lexicon.conditional) {
        return;
    }
    for (at, kind) in lexicon.completed_nouns_in(text) {
        let after = text.get(at.end..).unwrap_or_default();
        let next = after.trim_start_matches([' ', ':', '|', '*', '(']);
        let word = next
            .split(|c: char| c.is_whitespace() || c == '|')
            .next()
            .unwrap_or_default();
        let is_object = word
            .chars()
            .any(|c| c.is_ascii_digit() || matches!(c, '/' | '-' | '_'));
        let links = LINKS.contains(&word)
            || after.trim_start().starts_with([':', '|'])
            || lexicon.is_agglutinating;
        if is_object || links || lexicon.ends_well(word) {
            let verb = sentence.original(at);
            out.push(DoneAction {
                kind,
                verb: span.start + verb.start..span.start + verb.end,
                clause: span.clone(),
            });
        }
    }
}

/// Words between the noun of an action and what is said of it, folded.
const LINKS: &[&str] = &[
    "of", "to", "for", "on", "from", "is", "was", "has", "had", "been", "von", "auf", "nach", "zu",
    "ist", "wurde", "de", "du", "del", "da", "do", "di", "della", "van", "naar", "is", "w", "na",
    "в", "на", "est", "fue", "foi", "e", "ha", "a", "es", "werd", "zostalo", "zostala",
];

/// What an action was done to, as far as it can be recognised again.
struct ActionObject {
    kind: ActionKind,
    /// Words of each identifier of the clause.
    identifiers: Vec<Vec<u64>>,
    /// Its other words that tell something.
    words: Vec<u64>,
    /// Beginnings of the places where it was done.
    places: Vec<&'static str>,
}

impl ActionObject {
    fn of(reader: &LineReader<'_>, action: &DoneAction) -> Self {
        let text = reader.text().get(action.clause.clone()).unwrap_or_default();
        let within = |span: &Range<usize>| {
            action.clause.start <= span.start && span.end <= action.clause.end
        };
        let named = reader.claims.iter().filter(|claim| {
            within(&claim.span)
                && matches!(
                    claim.class,
                    ClaimClass::Path
                        | ClaimClass::Identifier
                        | ClaimClass::Version
                        | ClaimClass::Host
                )
                && !claim.text.starts_with('-')
        });
        let identifiers: Vec<Vec<u64>> = named
            .clone()
            .map(|claim| tokens::hashes(&claim.text))
            .collect();
        let spans: Vec<Range<usize>> = named.map(|claim| claim.span.clone()).collect();
        let mut words = Vec::new();
        for word in fold::words_of(text) {
            let span = action.clause.start + word.start..action.clause.start + word.end;
            let spelling = folded_text(text.get(word.start..word.end).unwrap_or_default());
            let is_named = spans
                .iter()
                .any(|named| named.start <= span.start && span.end <= named.end);
            let is_verb = action.verb.start <= span.start && span.end <= action.verb.end;
            let is_telling = spelling.chars().count() > 2
                && !spelling.starts_with(|c: char| c.is_ascii_digit())
                && !keywords::is_stop(&spelling)
                && !GENERIC.contains(&spelling.as_str())
                && !PLACES.iter().any(|place| spelling.starts_with(place));
            if !is_named && !is_verb && is_telling {
                words.push(word.hash);
                words.extend(
                    tokens::other_number(&spelling)
                        .iter()
                        .map(|word| fold::word_hash(word)),
                );
            }
        }
        let folded = folded_text(text);
        let places = PLACES.iter().copied().filter(|place| {
            folded
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word.starts_with(place))
                || !place.is_ascii() && folded.contains(place)
        });
        Self {
            kind: action.kind,
            identifiers,
            words,
            places: places.collect(),
        }
    }

    /// Whether these texts name the object: all identifiers, all places, and a word.
    fn is_in(&self, texts: &[&str], more: &[&str]) -> bool {
        let words: Vec<Vec<u64>> = texts.iter().map(|text| tokens::hashes(text)).collect();
        let around: Vec<Vec<u64>> = more.iter().map(|text| tokens::hashes(text)).collect();
        let all = || words.iter().chain(&around);
        let has_identifiers = self
            .identifiers
            .iter()
            .all(|identifier| all().any(|words| contains(words, identifier)));
        let folded: Vec<String> = texts
            .iter()
            .chain(more)
            .map(|text| folded_text(text))
            .collect();
        let has_places = self
            .places
            .iter()
            .all(|place| folded.iter().any(|text| text.contains(place)));
        let has_word = self.words.is_empty()
            || !self.identifiers.is_empty()
            || self.is_told_by_its_command()
            || words
                .iter()
                .any(|words| words.iter().any(|word| self.words.contains(word)))
            || folded
                .iter()
                .take(texts.len())
                .any(|text| self.is_inside(text));
        has_identifiers && has_places && has_word
    }

    /// A word of the object inside a longer one: `DatePicker` has `date` and `picker`.
    fn is_inside(&self, folded: &str) -> bool {
        let pieces = folded.split(|c: char| !c.is_alphanumeric());
        let mut hashes = Vec::new();
        for piece in pieces.filter(|piece| piece.len() > 5 && piece.is_ascii()) {
            for cut in 3..piece.len().saturating_sub(2).min(24) {
                hashes.extend(piece.get(..cut).map(fold::word_hash));
                hashes.extend(piece.get(cut..).map(fold::word_hash));
            }
        }
        self.words.iter().any(|word| hashes.contains(word))
    }

    /// Commands that do the one thing without naming it.
    fn is_told_by_its_command(&self) -> bool {
        !matches!(
            self.kind,
            ActionKind::Delete
                | ActionKind::Send
                | ActionKind::Publish
                | ActionKind::Pay
                | ActionKind::Execute
        )
    }
}

fn contains(words: &[u64], run: &[u64]) -> bool {
    !run.is_empty() && words.windows(run.len()).any(|window| window == run)
}

fn witness(index: &SourceIndex<'_>, wanted: &ActionObject) -> Finding {
    let calls = index.calls().iter().rev().filter(|call| call.has_worked);
    let mut done = calls.filter(|call| is_done_by(index, call, wanted));
    if let Some(call) = done.next() {
        return index
            .first_place(call.arguments.start)
            .map_or(Finding::Follows, Finding::At);
    }
    reported(index, wanted)
}

/// Beginnings of words of commands and tools that do an action.
fn commands(kind: ActionKind) -> &'static [&'static str] {
    match kind {
        ActionKind::Deploy => &[
            "deploy", "rollout", "upgrade", "apply", "compose", "vercel", "netlify", "rsync",
            "scp", "sync", "restart", "install", "up",
        ],
        ActionKind::Release | ActionKind::Publish => {
            &["publish", "release", "upload", "post", "twine"]
        }
        ActionKind::Push => &["push"],
        ActionKind::Merge => &["merge", "rebase", "pull", "cherry"],
        ActionKind::Delete => &[
            "rm",
            "rmdir",
            "delete",
            "drop",
            "remove",
            "purge",
            "prune",
            "clean",
            "truncate",
            "destroy",
            "unlink",
            "uninstall",
            "trash",
            "edit",
            "write",
            "patch",
            "replace",
            "sed",
            "d",
        ],
        ActionKind::Migrate => &[
            "migrat",
            "alembic",
            "flyway",
            "psql",
            "mysql",
            "sqlite",
            "liquibase",
            "prisma",
            "sqlx",
            "mv",
            "edit",
            "write",
        ],
        ActionKind::Send => &[
            "mail", "email", "sendmail", "send", "post", "notify", "slack", "webhook", "message",
            "sms", "comment", "tweet",
        ],
        ActionKind::Pay => &[
            "pay", "payment", "transfer", "charge", "refund", "order", "purchase", "stripe",
        ],
        ActionKind::RollBack => &[
            "rollback", "revert", "undo", "reset", "restore", "checkout", "roll",
        ],
        ActionKind::Execute => &[],
        ActionKind::Commit => &["commit"],
    }
}

/// First words of commands that only look.
const LOOKS: &[&str] = &[
    "grep", "rg", "cat", "echo", "ls", "find", "head", "tail", "less", "diff", "wc", "which",
    "man", "jq", "printf",
];
/// Words of commands that only look, whatever comes before.
const LOOKS_ANYWHERE: &[&str] = &[
    "status", "history", "log", "list", "get", "describe", "view", "show", "plan", "dry", "trace",
    "check", "info",
];

fn is_done_by(index: &SourceIndex<'_>, call: &SourceCall, wanted: &ActionObject) -> bool {
    let arguments: Vec<&str> = call
        .arguments
        .clone()
        .filter_map(|number| index.text(number))
        .map(|text| text.text.as_ref())
        .collect();
    let tool = call.tool.to_lowercase();
    let is = |names: &[&str]| names.iter().any(|name| tool.contains(name));
    let is_command = is(&["bash", "shell", "exec", "command", "terminal", "run"]);
    let writes = !is_command && is(&["write", "edit", "patch", "replace", "create", "notebook"]);
    if !is_command && counts::is_read_only(&call.tool)
        || arguments
            .iter()
            .any(|argument| argument.contains("--dry-run"))
    {
        return false;
    }
    let does = if writes {
        // Deleting lines and moving code is editing.
        matches!(wanted.kind, ActionKind::Delete | ActionKind::Migrate)
    } else if is_command {
        arguments.iter().any(|argument| runs(argument, wanted.kind))
    } else {
        let words = arguments
            .first()
            .map(|name| pieces(name))
            .unwrap_or_default();
        has_cue(&words, wanted.kind)
    };
    if !does {
        return false;
    }
    let output = call.output.and_then(|number| index.text(number));
    let texts: Vec<&str> = arguments
        .into_iter()
        .chain(output.map(|text| text.text.as_ref()))
        .map(|text| crate::context::summary::excerpt::head(text, WITNESS_CHARS))
        .collect();
    // What was deleted stands in the call; elsewhere the ask may name it.
    let asked = if wanted.kind == ActionKind::Delete {
        Vec::new()
    } else {
        asked_before(index, call.message, wanted.kind)
    };
    wanted.is_in(&texts, &asked)
}

fn pieces(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn has_cue(words: &[String], kind: ActionKind) -> bool {
    let cues = commands(kind);
    cues.is_empty()
        || words.iter().any(|word| {
            cues.iter().any(|cue| {
                if cue.len() < 4 {
                    word == cue
                } else {
                    word.starts_with(cue)
                }
            })
        })
}

/// Whether a command line runs something that does the action: the cue is a word of the
/// command, not of a file name or of a message.
fn runs(line: &str, kind: ActionKind) -> bool {
    let mut segments = line.split(['\n', ';', '|', '&']);
    segments.any(|segment| {
        let all = pieces(segment);
        let looks = all
            .first()
            .is_some_and(|word| LOOKS.contains(&word.as_str()))
            || all
                .iter()
                .take(LOOKED_AT)
                .any(|word| LOOKS_ANYWHERE.contains(&word.as_str()));
        let commits = all.iter().any(|word| word == "commit");
        if looks || commits && kind != ActionKind::Commit {
            return false;
        }
        let mut words = Vec::new();
        let mut runs_a_file = true;
        for token in segment.split_whitespace() {
            let is_file = token.contains(['/', '.']);
            if !is_file || runs_a_file {
                words.extend(pieces(token));
            }
            runs_a_file = INTERPRETERS.contains(&token) || token.starts_with('-') && runs_a_file;
        }
        has_cue(&words, kind)
    })
}

/// Programs that run the file after them.
const INTERPRETERS: &[&str] = &[
    "python",
    "python3",
    "node",
    "bash",
    "sh",
    "zsh",
    "ruby",
    "perl",
    "npx",
    "php",
    "deno",
    "bun",
    "tsx",
    "uv",
    "run",
    "poetry",
    "sudo",
    "source",
    "exec",
    "./manage.py",
];

/// Words of a command that say what it is.
const LOOKED_AT: usize = 8;
/// Of a text that bears witness, characters that are read.
const WITNESS_CHARS: usize = 20_000;

/// What the person asked for before a call: the sentences that name the action and forbid
/// nothing.
fn asked_before<'i>(index: &'i SourceIndex<'_>, message: usize, kind: ActionKind) -> Vec<&'i str> {
    let before = (0..message).rev().take(ASK_MESSAGES);
    let asks = before.flat_map(|number| index.texts_of(number));
    let ask = asks
        .filter(|text| text.origin == TextOrigin::Person)
        .take(1);
    let sentences = ask.flat_map(|text| {
        text.text
            .split(['!', '\n', '。', ';'])
            .flat_map(|part| part.split(". "))
    });
    let is_denied = |text: &str| {
        let folded = folded_text(text);
        let negations = languages::all()
            .iter()
            .filter_map(|lexicon| lexicon.negations.as_ref());
        negations.into_iter().any(|cue| cue.is_match(&folded))
    };
    let of_kind = |text: &str| commands(kind).is_empty() || has_cue(&pieces(text), kind);
    sentences
        .filter(|text| of_kind(text) && !is_denied(text))
        .take(ASK_SENTENCES)
        .collect()
}

/// Sentences of an ask that are read.
const ASK_SENTENCES: usize = 40;
/// Messages before a call in which the ask for it is looked for.
const ASK_MESSAGES: usize = 12;
/// Occurrences of a word that are read as reports.
const MAX_REPORTS: usize = 300;
/// Bytes around a word that a report has.
const REPORT_BYTES: usize = 300;

/// Words of the user, of a result or of what was kept that report the action.
fn reported(index: &SourceIndex<'_>, wanted: &ActionObject) -> Finding {
    let mut best: Option<usize> = None;
    for lexicon in languages::all() {
        for form in kin(wanted.kind)
            .iter()
            .flat_map(|kind| lexicon.forms(*kind))
        {
            let words = tokens::hashes(form);
            let Some((rarest, hash)) = words
                .iter()
                .enumerate()
                .min_by_key(|(_, hash)| index.count(**hash))
            else {
                continue;
            };
            for place in index.places(*hash).take(MAX_REPORTS) {
                let start = place.saturating_sub(rarest);
                let is_form = words.iter().enumerate().all(|(number, word)| {
                    index.tag_at(start + number) == Some(tag_of(*word))
                        && (number == 0 || index.gap_at(start + number) != WordGap::Start)
                });
                if is_form && best.is_none_or(|best| best < place) && reports(index, place, wanted)
                {
                    best = Some(place);
                }
            }
        }
    }
    Finding::of(best)
}

/// Kinds whose words stand for one another.
fn kin(kind: ActionKind) -> &'static [ActionKind] {
    match kind {
        ActionKind::Release | ActionKind::Publish => &[ActionKind::Release, ActionKind::Publish],
        ActionKind::Deploy => &[ActionKind::Deploy],
        ActionKind::Push => &[ActionKind::Push],
        ActionKind::Merge => &[ActionKind::Merge],
        ActionKind::Delete => &[ActionKind::Delete],
        ActionKind::Migrate | ActionKind::Execute => &[ActionKind::Migrate, ActionKind::Execute],
        ActionKind::Send => &[ActionKind::Send],
        ActionKind::Pay => &[ActionKind::Pay],
        ActionKind::RollBack => &[ActionKind::RollBack],
        ActionKind::Commit => &[ActionKind::Commit],
    }
}

fn reports(index: &SourceIndex<'_>, place: usize, wanted: &ActionObject) -> bool {
    let is_witness = index
        .text_at(place)
        .is_some_and(|text| !matches!(text.origin, TextOrigin::Answer | TextOrigin::Argument));
    if !is_witness {
        return false;
    }
    let line = index.line_at(place, REPORT_BYTES);
    let parsed = prose::lines(line);
    let says = parsed
        .iter()
        .flat_map(done_actions)
        .any(|action| kin(wanted.kind).contains(&action.kind));
    says && wanted.is_in(&[line], &[])
}
