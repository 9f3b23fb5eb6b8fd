//! Who bears witness to an action: a call that worked, or words of the user, of a result or
//! of what was kept.

use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::{WordGap, folded_text};
use crate::context::grounding::index::{SourceCall, SourceIndex, TextOrigin, tag_of};
use crate::context::grounding::languages::{self, ActionKind};
use crate::context::grounding::prose;
use crate::context::grounding::quantity::Dimension;
use crate::context::summary::excerpt;

use super::super::reader::Finding;
use super::super::{counts, tokens};
use super::object::ActionObject;
use super::{done_actions, edits};

/// The newest call or report that the action was done. What another person did, no call did.
pub(super) fn witness(index: &SourceIndex<'_>, wanted: &ActionObject) -> Finding {
    if wanted.is_by_another {
        return reported(index, wanted);
    }
    let calls = index.calls().iter().rev().filter(|call| call.has_ended);
    let mut done = calls.filter(|call| is_done_by(index, call, wanted));
    if let Some(call) = done.next() {
        return index
            .first_place(call.arguments.start)
            .map_or(Finding::Follows, Finding::At);
    }
    reported(index, wanted)
}

/// Beginnings of words of commands and tools that delete.
const DELETES: &[&str] = &[
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
    "unpublish",
    "yank",
    "revoke",
    "trash",
    "edit",
    "write",
    "patch",
    "replace",
    "sed",
    "d",
];

/// Beginnings of words of commands and tools that do an action.
fn commands(kind: ActionKind) -> &'static [&'static str] {
    match kind {
        ActionKind::Deploy => &[
            "deploy", "rollout", "upgrade", "apply", "compose", "vercel", "netlify", "rsync",
            "scp", "sync", "restart", "install", "up", "flash", "esptool", "avrdude", "dfu",
        ],
        ActionKind::Release | ActionKind::Publish => {
            &["publish", "release", "upload", "post", "twine"]
        }
        ActionKind::Push => &["push"],
        ActionKind::Merge => &["merge", "rebase", "pull", "cherry"],
        ActionKind::Delete | ActionKind::Empty => DELETES,
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
            "sms", "comment", "tweet", "scp", "sftp", "rsync", "upload",
        ],
        ActionKind::Pay => &[
            "pay", "payment", "transfer", "charge", "refund", "order", "purchase", "stripe",
        ],
        ActionKind::RollBack => &[
            "rollback", "revert", "undo", "reset", "restore", "checkout", "roll",
        ],
        ActionKind::Execute => &[],
        ActionKind::Alter => &[
            "update", "insert", "alter", "delete", "patch", "post", "replace", "edit", "write",
            "fix", "correct", "migrat", "apply", "exec", "import", "upsert", "merge", "ansible",
        ],
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

/// Words of a statement that changes a database: one without them that selects only looks.
const CHANGES: &[&str] = &[
    "delete", "drop", "truncate", "update", "insert", "alter", "merge", "migrate", "create",
];

fn is_done_by(index: &SourceIndex<'_>, call: &SourceCall, wanted: &ActionObject) -> bool {
    let arguments: Vec<&str> = index.arguments_of(call).collect();
    let tool = call.tool.to_lowercase();
    let is = |names: &[&str]| names.iter().any(|name| tool.contains(name));
    let is_command = call.is_shell();
    let writes = !is_command && is(&["write", "edit", "patch", "replace", "create", "notebook"]);
    let is_refused = !call.has_worked && (!is_command || output_refuses(index, call));
    if is_refused
        || !is_command && counts::is_read_only(&call.tool)
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
        let failed = !call.has_worked;
        arguments
            .iter()
            .any(|argument| runs(argument, wanted.kind, failed))
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
    if wanted.is_forced && !arguments.iter().any(|argument| forces(argument)) {
        return false;
    }
    // An edit that leaves the object where it was, or puts it in, deletes nothing.
    if writes && wanted.kind == ActionKind::Delete {
        let taken = edits::taken_out(index, call);
        if wanted.is_in_a_script && taken.after.iter().any(|text| edits::deletes(text)) {
            return true;
        }
        return wanted.is_in(&taken.before, &[], true)
            && wanted.is_taken_out(&taken.before, &taken.after);
    }
    let is_told = wanted.kind != ActionKind::Deploy
        || arguments
            .iter()
            .any(|it| deploys(it) || wanted.is_flashed && flashes(it));
    let output = call.output.and_then(|number| index.text(number));
    let texts: Vec<&str> = arguments
        .into_iter()
        .chain(output.map(|text| text.text.as_ref()))
        .map(|text| excerpt::head(text, WITNESS_CHARS))
        .collect();
    let asked = asked_before(index, call.message, wanted.kind);
    // What was deleted stands in the call; a part of its name may stand in the ask.
    let names_it = wanted.kind != ActionKind::Delete || wanted.is_named_in(&texts);
    names_it && wanted.is_in(&texts, &asked, is_told)
}

/// Whether a command loads a program onto a device.
fn flashes(command: &str) -> bool {
    let is_one = |word: &String| {
        let mut names = ["flash", "esptool", "avrdude", "dfu"].iter();
        names.any(|name| word.starts_with(name))
    };
    pieces(command).iter().any(is_one)
}

/// Whether a command does nothing but deploy: `scp` and `install` do other things too.
fn deploys(command: &str) -> bool {
    const COMMANDS: [&str; 13] = [
        "deploy",
        "rollout",
        "vercel",
        "netlify",
        "helm",
        "kubectl",
        "compose",
        "terraform",
        "ansible",
        "apply",
        "fly",
        "heroku",
        "upgrade",
    ];
    let is_one = |word: &String| COMMANDS.iter().any(|name| word.starts_with(name));
    pieces(command).iter().any(is_one)
}

/// Whether a command line forces what it does.
fn forces(line: &str) -> bool {
    let mut tokens = line.split_whitespace();
    tokens.any(|token| {
        token.starts_with("--force")
            || token.starts_with('+') && token.len() > 1
            || token.starts_with('-') && !token.starts_with("--") && token.contains(['f', 'F'])
    })
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

/// Words of an output that refuse what was to be done, folded.
const REFUSALS: &[&str] = &[
    "fatal",
    "rejected",
    "denied",
    "refused",
    "not permitted",
    "not allowed",
    "no such",
    "not found",
    "unable to",
    "cannot",
    "could not",
    "forbidden",
    "failed to",
];

fn output_refuses(index: &SourceIndex<'_>, call: &SourceCall) -> bool {
    let output = call.output.and_then(|number| index.text(number));
    output.is_none_or(|text| {
        let folded = folded_text(excerpt::head(&text.text, WITNESS_CHARS));
        REFUSALS.iter().any(|cue| folded.contains(cue))
    })
}

/// Whether a command line runs something that does the action: the cue is a word of the
/// command, not of a file name or of a message. Of a line that failed, the last command is
/// taken for the one that did.
fn runs(line: &str, kind: ActionKind, failed: bool) -> bool {
    let line = line.trim_end_matches(['\n', ';', '&', ' ']);
    let ends = |c: char| matches!(c, '\n' | ';' | '|' | '&');
    let line = match line.rfind(ends).filter(|_| failed) {
        Some(last) => line.get(..last).unwrap_or_default(),
        None if failed => "",
        None => line,
    };
    let mut segments = line.split(ends);
    segments.any(|segment| {
        let all = pieces(segment);
        let looks = all
            .first()
            .is_some_and(|word| LOOKS.contains(&word.as_str()));
        let commits = all.iter().any(|word| word == "commit");
        let queries = all.iter().any(|word| word == "select")
            && !all.iter().any(|word| CHANGES.contains(&word.as_str()));
        if looks || queries || commits && kind != ActionKind::Commit {
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
        let looks = words
            .iter()
            .any(|word| LOOKS_ANYWHERE.contains(&word.as_str()));
        // `-d` deletes branches and tags; elsewhere it names a database or a folder.
        if !words.iter().any(|word| word == "branch" || word == "tag") {
            words.retain(|word| word != "d");
        }
        !looks && has_cue(&words, kind)
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
        let lowered = text.to_lowercase();
        let negations = languages::all()
            .iter()
            .filter_map(|lexicon| lexicon.negations.as_ref());
        negations.into_iter().any(|cue| cue.is_match(&lowered))
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
        ActionKind::Delete | ActionKind::Empty => &[ActionKind::Delete, ActionKind::Empty],
        ActionKind::Alter => &[ActionKind::Alter, ActionKind::Execute],
        ActionKind::Migrate | ActionKind::Execute => &[ActionKind::Migrate, ActionKind::Execute],
        ActionKind::Send => &[ActionKind::Send],
        ActionKind::Pay => &[ActionKind::Pay],
        ActionKind::RollBack => &[ActionKind::RollBack],
        ActionKind::Commit => &[ActionKind::Commit],
    }
}

/// Whether a number of two digits at least stands beside a word.
fn stands_at(index: &SourceIndex<'_>, place: usize, amount: f64) -> bool {
    let near = place.saturating_sub(1)..=place + 1;
    let found = index.numbers(Dimension::Count, amount - 1e-6, amount + 1e-6);
    amount >= 10.0
        && found
            .iter()
            .any(|number| near.contains(&(number.place as usize)))
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
    // Who did it is not what it was done to.
    let told = SUBJECTS.as_ref().map(|cue| cue.replace_all(line, "$1"));
    let told = told.unwrap_or_default();
    let is_forced = !wanted.is_forced || super::says_force(line);
    let is_counted = wanted
        .amount
        .is_some_and(|amount| stands_at(index, place, amount));
    says && is_forced && (is_counted || wanted.is_in(&[told.as_ref()], &[], true))
}

/// The subjects of sentences that tell what somebody did.
static SUBJECTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(^|[.!?:;]\s+)(?:the )?(?:user|assistant|agent|customer|client) ").ok()
});
