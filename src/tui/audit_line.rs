//! The words of an audit on a screen: what does not hold has a sign and a colour.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::transcript::{AuditState, NOT_AUDITED, SummaryCheck};
use crate::tui::render::safe;
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

/// All parts, of which one can be selected.
pub(super) fn audit_line(
    check: &SummaryCheck,
    selected: Option<usize>,
    theme: &Theme,
) -> Line<'static> {
    let mut spans = Vec::new();
    if check.is_unaudited() {
        spans.push(Span::styled(NOT_AUDITED, theme.dim));
    }
    for (at, part) in check.parts().into_iter().enumerate() {
        if !spans.is_empty() {
            spans.push(Span::styled(PART_GAP, theme.border));
        }
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
    Line::from(spans)
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
        let line = audit_line(&check(9), None, &theme);
        assert_eq!(
            line.to_string(),
            "identifiers none · rules 9/9 · ask ✓ · secrets 0"
        );
        assert!(line.spans.iter().all(|it| it.style != theme.warning));
        let line = audit_line(&check(0), Some(1), &theme);
        let span = line.spans.iter().find(|it| it.content.contains("rules"));
        let span = span.unwrap();
        assert_eq!(span.content, "! rules 0/9");
        assert_eq!(span.style, theme.warning.patch(theme.selection));
        let none = audit_line(&SummaryCheck::default(), None, &theme);
        assert_eq!(none.to_string(), "not audited");
    }
}
