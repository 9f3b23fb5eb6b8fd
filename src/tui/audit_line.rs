//! The words of an audit on a screen: what does not hold has a sign and a colour.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::transcript::{AuditState, NOT_AUDITED, SummaryCheck};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// Between two parts.
const PART_GAP: &str = " · ";
/// Before what does not hold.
pub(super) const FAILS_SIGN: &str = "! ";

/// The look of a part.
pub(super) fn style(state: AuditState, theme: &Theme) -> Style {
    match state {
        AuditState::Fails => theme.warning,
        AuditState::Holds | AuditState::Unchecked => theme.dim,
    }
}

/// How the words of an audit are laid out.
#[derive(Clone, Copy, Default)]
pub(super) struct AuditLayout<'a> {
    /// Before the first part.
    pub lead: &'a str,
    /// The part under the cursor.
    pub selected: Option<usize>,
    /// Columns of a row.
    pub width: u16,
}

/// All parts in rows: a part stays whole where it fits in one.
pub(super) fn audit_rows(
    check: &SummaryCheck,
    layout: AuditLayout<'_>,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let width = usize::from(layout.width.max(1));
    let mut rows: Vec<Line<'static>> = Vec::new();
    let mut row = Line::styled(layout.lead.to_owned(), theme.dim);
    let mut used = wrap::width(layout.lead);
    let mut is_first = true;
    for span in spans(check, layout.selected, theme) {
        let columns = wrap::width(&span.content);
        let gap = if is_first { 0 } else { wrap::width(PART_GAP) };
        if !is_first && used + gap + columns > width {
            rows.extend(wrap::wrap(&std::mem::take(&mut row), layout.width));
            used = columns;
        } else {
            if !is_first {
                row.push_span(Span::styled(PART_GAP, theme.border));
            }
            used += gap + columns;
        }
        row.push_span(span);
        is_first = false;
    }
    rows.extend(wrap::wrap(&row, layout.width));
    rows
}

fn spans(check: &SummaryCheck, selected: Option<usize>, theme: &Theme) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    if check.is_unaudited() {
        spans.push(Span::styled(NOT_AUDITED, theme.dim));
    }
    for (at, part) in check.parts().into_iter().enumerate() {
        let sign = match part.state {
            AuditState::Fails => FAILS_SIGN,
            AuditState::Holds | AuditState::Unchecked => "",
        };
        let mut look = style(part.state, theme);
        if selected == Some(at) {
            look = look.patch(theme.selection);
        }
        let words = format!("{sign}{}", safe::visible(&part.words));
        spans.push(Span::styled(words, look));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{AskCheck, AuditRecord};

    #[test]
    fn what_does_not_hold_has_a_sign_and_a_colour() {
        let theme = Theme::default();
        let check = |found| SummaryCheck {
            audit: Some(AuditRecord {
                rules_found: found,
                rules_total: 9,
                ask: AskCheck::Reflected,
                ..AuditRecord::default()
            }),
            ..SummaryCheck::default()
        };
        let rows = |check: &SummaryCheck, selected, width| {
            let layout = AuditLayout {
                lead: "audit ",
                selected,
                width,
            };
            audit_rows(check, layout, &theme)
        };
        let whole = rows(&check(9), None, 80);
        assert_eq!(whole.len(), 1);
        let words = "audit identifiers none · rules 9/9 · ask ✓ · secrets 0";
        assert_eq!(whole[0].to_string(), words);
        assert!(whole[0].spans.iter().all(|it| it.style != theme.warning));
        let worse = rows(&check(0), Some(1), 80);
        let span = worse[0]
            .spans
            .iter()
            .find(|it| it.content.contains("rules"));
        let span = span.unwrap();
        assert_eq!(span.content, "! rules 0/9");
        assert_eq!(span.style, theme.warning.patch(theme.selection));
        let none = rows(&SummaryCheck::default(), None, 80);
        assert_eq!(none[0].to_string(), "audit not audited");
        let narrow: Vec<String> = rows(&check(0), None, 24)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            narrow,
            ["audit identifiers none", "! rules 0/9 · ask ✓", "secrets 0"]
        );
        for width in 1..90 {
            let rows = rows(&check(0), Some(2), width);
            assert!(
                rows.iter().all(|row| row.width() <= usize::from(width)),
                "{rows:?}"
            );
        }
    }

    #[test]
    fn each_reason_of_the_audit_has_its_part() {
        use crate::context::audit;
        use crate::transcript::AuditSubject;

        for (code, subject) in [
            (audit::MISSING_SECTION, AuditSubject::Sections),
            (audit::DUPLICATE_SECTION, AuditSubject::Sections),
            (audit::MISSING_IDENTIFIERS, AuditSubject::Identifiers),
            (audit::ALTERED_IDENTIFIER, AuditSubject::Identifiers),
            (audit::ASK_NOT_REFLECTED, AuditSubject::Ask),
            (audit::SECRET, AuditSubject::Secrets),
            (audit::TOO_LONG, AuditSubject::Text),
            (audit::EMPTY, AuditSubject::Text),
            (audit::NOT_ENDED, AuditSubject::Text),
            (audit::WRONG_LANGUAGE, AuditSubject::Text),
        ] {
            assert_eq!(AuditSubject::of_reason(code), subject, "{code}");
            let check = SummaryCheck {
                audit: Some(AuditRecord {
                    reasons: vec![code.to_owned()],
                    secrets: u64::from(code == audit::SECRET),
                    ask: AskCheck::Missing,
                    sections_found: 8,
                    sections_total: 8,
                    altered: vec!["a → b".to_owned()],
                    ..AuditRecord::default()
                }),
                ..SummaryCheck::default()
            };
            let fails = |part: &crate::transcript::AuditPart| {
                part.subject == subject && part.state == AuditState::Fails
            };
            assert!(
                check.parts().iter().any(fails),
                "{code}: {}",
                check.in_words()
            );
            assert!(
                !check.in_words().contains('_'),
                "{code}: {}",
                check.in_words()
            );
        }
    }
}
