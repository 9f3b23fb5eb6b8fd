//! What the audit of a summary found, under the part that each thing belongs to. Enter
//! opens the message that a finding comes from, or all of its words.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction, numbers};
use super::item::ItemView;
use super::text::TextView;
use crate::transcript::{
    AuditDetail, AuditPart, AuditState, AuditSubject, EntryId, NOT_AUDITED, SummaryCheck,
};
use crate::tui::audit_line::{self, FAILS_SIGN};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::render::safe;
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, paint};

/// Above what belongs to no part that was checked.
const OTHERS: &str = "other findings";
/// Columns before a finding.
const FINDING_COLUMN: u16 = 4;

/// A row of the list.
enum FindingRow {
    Part(AuditPart),
    /// A heading of its own.
    Title(&'static str),
    Finding(AuditDetail),
}

/// The list of findings.
pub(in crate::tui::overlay) struct AuditFindings {
    title: String,
    rows: Vec<FindingRow>,
    cursor: ListCursor,
    findings: usize,
}

impl AuditFindings {
    /// The findings of a check, with the cursor on the part that `chosen` names.
    pub(in crate::tui::overlay) fn new(
        title: String,
        check: &SummaryCheck,
        details: Vec<AuditDetail>,
        chosen: Option<AuditSubject>,
    ) -> Self {
        let findings = details.len();
        let mut details = details;
        let mut rows = Vec::new();
        if check.is_unaudited() {
            rows.push(FindingRow::Title(NOT_AUDITED));
        }
        let mut selected = 0;
        for part in check.parts() {
            let subject = part.subject;
            if chosen == Some(subject) && selected == 0 {
                selected = rows.len();
            }
            rows.push(FindingRow::Part(part));
            let (own, others): (Vec<_>, Vec<_>) =
                details.into_iter().partition(|it| it.subject == subject);
            rows.extend(own.into_iter().map(FindingRow::Finding));
            details = others;
        }
        if !details.is_empty() {
            rows.push(FindingRow::Title(OTHERS));
            rows.extend(details.into_iter().map(FindingRow::Finding));
        }
        let mut cursor = ListCursor::default();
        cursor.select(selected, rows.len());
        Self {
            title,
            rows,
            cursor,
            findings,
        }
    }

    fn open(&self) -> Reaction {
        let Some(FindingRow::Finding(detail)) = self.rows.get(self.cursor.selected()) else {
            return Reaction::Consumed;
        };
        if let Some(id) = &detail.source {
            return Reaction::Open(Box::new(ItemView::entry(id.clone())));
        }
        let view = TextView::new("finding".to_owned(), detail.text.clone());
        Reaction::Open(Box::new(view))
    }
}

/// The sign of a finding.
pub(in crate::tui::overlay) fn sign(detail: &AuditDetail, theme: &Theme) -> Span<'static> {
    if detail.is_mended {
        Span::styled("✓", theme.success)
    } else {
        Span::styled("!", theme.warning)
    }
}

/// A finding on one line: what it is, and where it comes from.
pub(in crate::tui::overlay) fn words(detail: &AuditDetail) -> String {
    let source = |id: &EntryId| format!(" ← {id}");
    let source = detail.source.as_ref().map(source).unwrap_or_default();
    let end = if detail.is_mended && detail.subject != AuditSubject::Repairs {
        " (repaired)"
    } else {
        ""
    };
    format!("{}{end}{source}", detail.text)
}

impl Overlay for AuditFindings {
    fn name(&self) -> &'static str {
        "findings"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Findings)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Findings, key);
        if hints::scrolls_list(&mut self.cursor, action, self.rows.len()) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Open) => self.open(),
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let height = hints::body(area, Screen::Findings, scene).height;
        self.cursor.layout(height, self.rows.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let page = Page {
            title: &self.title,
            remark: &numbers::plural(self.findings as u64, "finding"),
        };
        page.draw(area, buffer, theme);
        ScreenHints::of(Screen::Findings, scene).draw(area, buffer);
        let body = hints::body(area, Screen::Findings, scene);
        for item in self.cursor.visible() {
            let row = item.line;
            match self.rows.get(item.at) {
                Some(FindingRow::Part(part)) => {
                    let fails = part.state == AuditState::Fails;
                    let sign = if fails { FAILS_SIGN } else { "  " };
                    let look = audit_line::style(part.state, theme);
                    let room = usize::from(body.width.saturating_sub(1));
                    let shown = safe::one_line(&part.words, room);
                    let used = paint::text(buffer, body, (1, row), body.width, sign, look);
                    paint::text(buffer, body, (1 + used, row), body.width, &shown, look);
                }
                Some(FindingRow::Title(title)) => {
                    paint::text(buffer, body, (3, row), body.width, title, theme.dim);
                }
                Some(FindingRow::Finding(detail)) => {
                    finding(detail, body, row, buffer, theme);
                }
                None => {}
            }
            if item.is_selected {
                paint::cursor(buffer, body, row, theme);
            }
        }
        None
    }
}

/// A finding in a row.
fn finding(detail: &AuditDetail, area: Rect, row: u16, buffer: &mut Buffer, theme: &Theme) {
    let sign = sign(detail, theme);
    let place = (FINDING_COLUMN, row);
    paint::text(buffer, area, place, 1, &sign.content, sign.style);
    let column = FINDING_COLUMN + 2;
    let room = usize::from(area.width.saturating_sub(column));
    let shown = safe::one_line(&words(detail), room);
    paint::text(buffer, area, (column, row), area.width, &shown, theme.text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{AskCheck, AuditRecord, UngroundedClaim};
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn check() -> SummaryCheck {
        SummaryCheck {
            audit: Some(AuditRecord {
                sections_found: 12,
                sections_total: 12,
                identifiers_found: 60,
                identifiers_total: 61,
                identifiers_known: 214,
                rules_found: 8,
                rules_total: 9,
                claims_grounded: 47,
                claims_total: 48,
                ask: AskCheck::Verbatim,
                missing: vec!["src/auth/refresh.rs".to_owned()],
                reasons: vec!["missing_identifiers".to_owned()],
                ..AuditRecord::default()
            }),
            ungrounded: vec![UngroundedClaim {
                text: format!("deployed to production {}", fixture::HOSTILE),
                class: "done_action".to_owned(),
                is_struck: true,
            }],
            ..SummaryCheck::default()
        }
    }

    fn findings(chosen: Option<AuditSubject>) -> AuditFindings {
        let mut details = check().details();
        details[0].source = Some(EntryId::new("a0000000"));
        details.push(AuditDetail {
            subject: AuditSubject::Text,
            text: "written in German, the conversation is in English".to_owned(),
            source: None,
            is_mended: false,
        });
        AuditFindings::new("audit".to_owned(), &check(), details, chosen)
    }

    #[test]
    fn findings_at_their_sizes() {
        let stage = OverlayStage::session();
        fixture::assert_looks!("findings", stage, &mut findings(None));
    }

    #[test]
    fn each_finding_stands_under_its_part_and_opens_its_message() {
        let stage = OverlayStage::session();
        let mut list = findings(Some(AuditSubject::Identifiers));
        let screen = stage.draw(&mut list, 200, 24);
        let row = |words: &str| screen.lines().position(|row| row.contains(words));
        assert_eq!(
            row("`src/auth/refresh.rs` is missing"),
            row("! identifiers 60/61").map(|it| it + 1),
            "{screen}"
        );
        assert_eq!(
            row("nowhere in the conversation"),
            row("grounded 47/48").map(|it| it + 1)
        );
        assert_eq!(row("in German"), row(OTHERS).map(|it| it + 1), "{screen}");
        stage.press(&mut list, "j");
        let mut message = stage.opens(&mut list, "Enter");
        let screen = stage.draw(message.as_mut(), 80, 24);
        assert!(screen.contains("why does the refresh race?"), "{screen}");
    }

    #[test]
    fn a_finding_without_a_message_opens_its_words() {
        let stage = OverlayStage::session();
        let mut list = findings(Some(AuditSubject::Claims));
        stage.press(&mut list, "j");
        let mut text = stage.opens(&mut list, "Enter");
        let screen = stage.draw(text.as_mut(), 200, 24);
        assert!(
            screen.contains("nowhere in the conversation; struck"),
            "{screen}"
        );
        assert!(stage.closes(&mut list, "Esc"));
    }

    #[test]
    fn a_summary_that_nobody_checked_says_so() {
        let stage = OverlayStage::empty();
        let check = SummaryCheck::default();
        let mut list = AuditFindings::new("audit".to_owned(), &check, Vec::new(), None);
        let screen = stage.draw(&mut list, 80, 24);
        assert!(
            screen.contains("not audited") && screen.contains("0 findings"),
            "{screen}"
        );
        stage.press(&mut list, "j Enter");
    }
}
