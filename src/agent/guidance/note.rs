//! The words of a note that holds a skill or the rules of a folder, and how one is found again
//! in the log.

use std::path::{Path, PathBuf};

use crate::config::{RulesFile, Skill};
use crate::transcript::{EntryBody, NoteKind, Part};

/// What a note of a skill begins with; the name follows.
const SKILL: &str = "[Skill ";
/// What ends the name.
const SKILL_END: &str = ", from ";
/// What a note of rules begins with; the path follows.
const RULES: &str = "[Rules from ";
/// What ends the path.
const RULES_END: &str = ", for everything below ";
/// What ends the first line of a note.
const LINE_END: &str = ".]\n\n";
/// What the first line adds when a summary took the place of the note before.
const AGAIN: &str = ". Repeated because a summary took its place: do not start over";

/// What the text of a note comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoteSource {
    /// The skill of this name.
    Skill(String),
    /// This file of rules.
    Rules(PathBuf),
}

/// A note of a skill.
pub(super) fn skill_note(skill: &Skill, text: &str) -> String {
    let (name, folder) = (&skill.name, skill.folder().display());
    format!("{SKILL}{name}{SKILL_END}{folder}, to which relative paths in it refer{LINE_END}{text}")
}

/// A note of the rules of a folder.
pub(super) fn rules_note(file: &RulesFile) -> String {
    let folder = file.path.parent().unwrap_or(Path::new("")).display();
    let (path, text) = (file.path.display(), file.shown_text());
    format!("{RULES}{path}{RULES_END}{folder}{LINE_END}{text}")
}

/// A note that says that it is repeated.
pub(super) fn repeated(note: &str) -> String {
    if note.contains(AGAIN) {
        return note.to_owned();
    }
    note.replacen(LINE_END, &format!("{AGAIN}{LINE_END}"), 1)
}

/// The source and the whole text of a note.
pub(super) fn source_of(body: &EntryBody) -> Option<(NoteSource, &str)> {
    let EntryBody::CustomMessage { content, .. } = body else {
        return None;
    };
    let Some(Part::Text(text)) = content.first() else {
        return None;
    };
    let name = |begin: &str, end: &str| {
        let (name, _) = text.strip_prefix(begin)?.split_once(end)?;
        Some(name.to_owned())
    };
    let source = match body.note_kind()? {
        NoteKind::Skill => NoteSource::Skill(name(SKILL, SKILL_END)?),
        NoteKind::Rules => NoteSource::Rules(name(RULES, RULES_END)?.into()),
        _ => return None,
    };
    Some((source, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SkillOrigin;

    #[test]
    fn a_note_is_found_again_by_what_it_comes_from() {
        let skill = Skill {
            name: "pdf-forms".to_owned(),
            description: "fills forms".to_owned(),
            license: None,
            compatibility: None,
            metadata: Vec::new(),
            allowed_tools: Vec::new(),
            is_manual: false,
            path: "/home/me/skills/pdf-forms/SKILL.md".into(),
            origin: SkillOrigin::Own,
        };
        let file = RulesFile {
            path: "/project/sub/AGENTS.md".into(),
            text: "Steps, in order.]\n\nmore".to_owned(),
            cut_bytes: 0,
            invisible: 0,
            error: None,
        };
        for (kind, note, source) in [
            (
                NoteKind::Skill,
                skill_note(&skill, &file.text),
                NoteSource::Skill("pdf-forms".to_owned()),
            ),
            (
                NoteKind::Rules,
                rules_note(&file),
                NoteSource::Rules(file.path.clone()),
            ),
        ] {
            for text in [note.clone(), repeated(&note), repeated(&repeated(&note))] {
                let body = EntryBody::note(kind, text.clone());
                assert_eq!(source_of(&body), Some((source.clone(), text.as_str())));
                assert!(text.ends_with("]\n\nSteps, in order.]\n\nmore"), "{text}");
                assert_eq!(
                    text.matches("start over").count(),
                    usize::from(text != note)
                );
            }
            assert_eq!(source_of(&EntryBody::note(NoteKind::Hook, note)), None);
        }
        let other = EntryBody::note(NoteKind::Skill, "[The skill x cannot be read.]");
        assert_eq!(source_of(&other), None);
    }
}
