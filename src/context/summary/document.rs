//! A summary's text divided by the headings of its template. Headings inside code
//! fences are text. A heading that the template does not know stays where it is.

use std::collections::HashSet;

use super::excerpt;
use super::heading_words::role_of;
use super::template::{SectionHeading, SectionRole, TURN_CONTEXT, normal};

/// A heading with the text under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummarySection {
    /// Index into the template's headings; `None` for one that it does not know.
    pub known: Option<usize>,
    /// 2 or 3.
    pub level: usize,
    /// The heading's text as written.
    pub title: String,
    /// The text under it, up to the next heading, trimmed.
    pub body: String,
}

/// A summary divided by headings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryDocument {
    /// Text before the first heading.
    pub preamble: String,
    /// The sections in the order of the text.
    pub sections: Vec<SummarySection>,
}

impl SummaryDocument {
    /// Divides a summary by the template's headings and by unknown `##` headings.
    /// Unknown `###` headings are text.
    pub fn parse(text: &str, headings: &[SectionHeading]) -> Self {
        let mut out = Self::default();
        let shift = level_shift(text);
        let mut reworded = reworded_titles(text, headings, shift);
        for (line, in_code) in Self::lines_with_code(text) {
            let title = titled(line, shift).filter(|_| !in_code);
            let section =
                title.and_then(|(level, title)| heading_of(level, title, headings, &mut reworded));
            if let Some(section) = section {
                out.sections.push(section);
                continue;
            }
            let body = match out.sections.last_mut() {
                Some(section) => &mut section.body,
                None => &mut out.preamble,
            };
            body.push_str(line);
            body.push('\n');
        }
        out.preamble = String::from(out.preamble.trim());
        for section in &mut out.sections {
            section.body = trim_lines(&section.body);
        }
        out
    }

    /// The lines of a text, each with whether it belongs to fenced code.
    pub fn lines_with_code(text: &str) -> impl Iterator<Item = (&str, bool)> {
        text.lines().scan(None, |fence, line| {
            let before = *fence;
            *fence = fence_after(line, before);
            Some((line, before.or(*fence).is_some()))
        })
    }

    /// The text again.
    pub fn render(&self) -> String {
        let mut blocks: Vec<String> = Vec::new();
        if !self.preamble.is_empty() {
            blocks.push(self.preamble.clone());
        }
        for section in &self.sections {
            let line = format!("{} {}", "#".repeat(section.level), section.title);
            blocks.push(if section.body.is_empty() {
                line
            } else {
                format!("{line}\n{}", section.body)
            });
        }
        blocks.join("\n\n")
    }

    /// Position of the section with this role, else of the one with this title.
    pub fn find(
        &self,
        headings: &[SectionHeading],
        role: SectionRole,
        title: &str,
    ) -> Option<usize> {
        self.sections
            .iter()
            .position(|s| {
                s.known
                    .and_then(|k| headings.get(k))
                    .is_some_and(|h| h.role == role)
            })
            .or_else(|| {
                self.sections
                    .iter()
                    .position(|s| normal(&s.title) == normal(title))
            })
    }
}

/// The code fence that is open after a line.
fn fence_after(line: &str, open: Option<&'static str>) -> Option<&'static str> {
    let line = line.trim_start();
    match open {
        Some(mark) if line.starts_with(mark) => None,
        Some(mark) => Some(mark),
        None => ["```", "~~~"]
            .into_iter()
            .find(|mark| line.starts_with(mark)),
    }
}

/// The text with its last code fence closed: an open one would swallow what follows.
pub fn close_fence(text: &str) -> String {
    let open = text
        .lines()
        .fold(None, |open, line| fence_after(line, open));
    match open {
        Some(mark) => format!("{text}\n{mark}"),
        None => text.to_owned(),
    }
}

fn trim_lines(text: &str) -> String {
    text.trim_end().trim_start_matches(['\n', '\r']).to_owned()
}

/// How much lower the levels of a text are meant: by one where it begins with `#` what the
/// template begins with `##`.
fn level_shift(text: &str) -> usize {
    let lines = SummaryDocument::lines_with_code(text);
    let titles = lines.filter_map(|(line, in_code)| titled(line, 0).filter(|_| !in_code));
    let mut counts = [0; 4];
    for (level, _) in titles {
        counts[level] += 1;
    }
    usize::from(counts[1] > 1 && counts[3] == 0)
}

/// The level and the title of a line that is a heading.
fn titled(line: &str, shift: usize) -> Option<(usize, &str)> {
    let level = shift + line.chars().take_while(|c| *c == '#').count();
    let rest = line.trim_start_matches('#');
    let title = rest.trim();
    let is_title = (1 + shift..=3).contains(&level) && rest.starts_with([' ', '\t']);
    (is_title && !normal(title).is_empty()).then_some((level, title))
}

/// The heading that a title is, word for word.
fn heading_named(title: &str, headings: &[SectionHeading]) -> Option<usize> {
    let wanted = normal(title);
    headings.iter().position(|h| normal(&h.title) == wanted)
}

/// Titles that are one of the headings in other words (“Decisions taken”), of headings that the
/// text has in no other place: the first one of each.
fn reworded_titles<'a>(
    text: &'a str,
    headings: &[SectionHeading],
    shift: usize,
) -> Vec<(&'a str, usize)> {
    let lines = SummaryDocument::lines_with_code(text);
    let titles = lines.filter_map(|(line, in_code)| titled(line, shift).filter(|_| !in_code));
    let titles: Vec<(usize, &str)> = titles.collect();
    let named = titles
        .iter()
        .map(|(_, title)| heading_named(title, headings));
    let mut taken: HashSet<usize> = named.flatten().collect();
    let mut reworded = Vec::new();
    for (level, title) in titles {
        if let Some(heading) = reworded_heading(level, title, headings)
            && heading_named(title, headings).is_none()
            && taken.insert(heading)
        {
            reworded.push((title, heading));
        }
    }
    reworded
}

/// The one heading of this level under which the same belongs.
fn reworded_heading(level: usize, title: &str, headings: &[SectionHeading]) -> Option<usize> {
    /// Words of a longer title say more than what belongs under it.
    const MAX_WORDS: usize = 6;
    let role = role_of(title);
    let is_own = normal(title) == normal(TURN_CONTEXT) || role == SectionRole::Other;
    if is_own || title.split_whitespace().count() > MAX_WORDS {
        return None;
    }
    let mut same = headings
        .iter()
        .enumerate()
        .filter(|(_, it)| it.role == role);
    let (at, heading) = same.next()?;
    (heading.level == level && same.next().is_none()).then_some(at)
}

/// The section that a title begins. A title in other words is taken once.
fn heading_of(
    level: usize,
    title: &str,
    headings: &[SectionHeading],
    reworded: &mut Vec<(&str, usize)>,
) -> Option<SummarySection> {
    let known = heading_named(title, headings).or_else(|| {
        let at = reworded.iter().position(|(it, _)| *it == title)?;
        Some(reworded.remove(at).1)
    });
    (known.is_some() || level <= 2).then(|| SummarySection {
        known,
        level: level.max(2),
        title: title.to_owned(),
        body: String::new(),
    })
}

/// Cuts a summary to `max_chars` characters: every section keeps an equal share,
/// short ones all of theirs, and every heading stays. Cut at line ends where possible.
pub fn trim_by_section(text: &str, headings: &[SectionHeading], max_chars: usize) -> String {
    if !excerpt::is_longer(text, max_chars) {
        return text.to_owned();
    }
    let mut doc = SummaryDocument::parse(text, headings);
    fold_unknown(&mut doc);
    let mut bodies: Vec<&mut String> = vec![&mut doc.preamble];
    let mut fixed = 0;
    for section in &mut doc.sections {
        fixed += section.title.chars().count() + section.level + 4;
        bodies.push(&mut section.body);
    }
    let lengths: Vec<usize> = bodies.iter().map(|b| b.chars().count()).collect();
    let cap = fair_cap(&lengths, max_chars.saturating_sub(fixed + 2));
    for (body, length) in bodies.into_iter().zip(lengths) {
        if length > cap {
            *body = cut_body(body, length, cap);
        }
    }
    excerpt::head(&doc.render(), max_chars).to_owned()
}

/// Many headings of the model's own would crowd out the template's: those beyond the
/// first few become text.
fn fold_unknown(doc: &mut SummaryDocument) {
    /// Unknown headings that stay.
    const MAX_UNKNOWN: usize = 16;
    let mut unknown = 0;
    let mut sections: Vec<SummarySection> = Vec::with_capacity(doc.sections.len());
    for section in doc.sections.drain(..) {
        unknown += usize::from(section.known.is_none());
        match sections.last_mut() {
            Some(last) if section.known.is_none() && unknown > MAX_UNKNOWN => {
                let text = format!("**{}**\n{}", section.title, section.body);
                last.body = format!("{}\n{}", close_fence(&last.body), text.trim_end());
            }
            _ => sections.push(section),
        }
    }
    doc.sections = sections;
}

/// The largest cap with Σ min(length, cap) ≤ budget.
fn fair_cap(lengths: &[usize], budget: usize) -> usize {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let mut left = budget;
    for (index, length) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - index);
        if *length > share {
            return share;
        }
        left -= length;
    }
    usize::MAX
}

fn cut_body(body: &str, length: usize, cap: usize) -> String {
    let note = format!("- […{length} chars in all, cut]");
    // A fence that the cut leaves open is closed: four characters.
    let room = cap.saturating_sub(note.chars().count() + 5);
    let kept = excerpt::head(body, room);
    let kept = match kept.rfind('\n') {
        Some(at) if at > kept.len() / 2 => kept.get(..at).unwrap_or(kept),
        _ => kept,
    };
    if room == 0 {
        excerpt::head(&note, cap).to_owned()
    } else {
        format!("{}\n{note}", close_fence(kept.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::TemplateKind;
    use crate::context::summary::template::headings;

    #[test]
    fn parsing_ignores_fences_and_keeps_unknown_subheadings() {
        let all = headings(&TemplateKind::Openclaw);
        let text = "intro\n# Decisions:\n- a\n### detail\n```\n## Open TODOs\n```\n## **Open TODOs**\n- b\n## Other\nx";
        let doc = SummaryDocument::parse(text, &all);
        assert_eq!(doc.preamble, "intro");
        let titles: Vec<(&str, Option<usize>)> = doc
            .sections
            .iter()
            .map(|s| (s.title.as_str(), s.known))
            .collect();
        assert_eq!(
            titles,
            [
                ("Decisions:", Some(0)),
                ("**Open TODOs**", Some(1)),
                ("Other", None)
            ]
        );
        assert!(doc.sections[0].body.contains("### detail"));
        assert!(doc.sections[0].body.contains("## Open TODOs"));
    }

    #[test]
    fn headings_in_other_words_are_known_once_and_at_their_level() {
        let all = headings(&TemplateKind::Standard);
        let text = "## Goals\n- a\n## Constraints, rules and preferences\n- b\n## Progress so far\n### Completed\n- c\n### Ongoing\n- d\n### Blocked / failing\n- e\n## Decisions taken\n- f\n## What the user is waiting for\n- g\n## Next steps\n- h\n## Context that matters\n- i\n## Identifiers\n- j\n## Files\n- k";
        let known = |text: &str| -> Vec<Option<usize>> {
            let doc = SummaryDocument::parse(text, &all);
            doc.sections.iter().map(|it| it.known).collect()
        };
        assert_eq!(known(text), (0..12).map(Some).collect::<Vec<_>>());
        // The heading itself is there, a second one follows, or it is of another level.
        assert_eq!(
            known("## Files changed\n## Relevant Files"),
            [None, Some(11)]
        );
        assert_eq!(known("## Goals\n## More goals"), [Some(0), None]);
        assert_eq!(known("## Goal\n### Files of this goal"), [Some(0)]);
        assert_eq!(known("## Turn context\n- x"), [None]);
    }

    #[test]
    fn headings_one_level_higher_are_known() {
        let all = headings(&TemplateKind::Standard);
        let text = "# What this is about\na\n# Rules of the user\nb\n# State of the work\n## Finished\nc\n# What comes next\nd";
        let doc = SummaryDocument::parse(text, &all);
        let known: Vec<(Option<usize>, usize)> =
            doc.sections.iter().map(|it| (it.known, it.level)).collect();
        let expected = [(0, 2), (1, 2), (2, 2), (3, 3), (8, 2)];
        assert_eq!(known, expected.map(|(at, level)| (Some(at), level)));
        // One title above the others is none of them.
        let doc = SummaryDocument::parse("# Summary\n## Goal\na\n## Progress\n### Done\nb", &all);
        assert_eq!(doc.sections.len(), 4);
        assert_eq!(doc.sections[1].known, Some(0));
    }

    #[test]
    fn trimming_keeps_headings_and_short_sections() {
        let all = headings(&TemplateKind::Openclaw);
        let long = "- line\n".repeat(3_000);
        let text = format!(
            "## Decisions\n{long}\n## Open TODOs\n- keep me\n\n## Constraints/Rules\n{long}"
        );
        let cut = trim_by_section(&text, &all, 2_000);
        assert!(cut.chars().count() <= 2_000);
        for piece in [
            "## Decisions",
            "- keep me",
            "## Constraints/Rules",
            "chars in all, cut",
        ] {
            assert!(cut.contains(piece), "{piece}");
        }
        assert_eq!(trim_by_section("short", &all, 2_000), "short");
    }
}
