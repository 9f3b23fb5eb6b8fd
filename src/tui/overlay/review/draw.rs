//! Draws the review: the numbers, the two texts, the audit.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::hints::{self, ScreenHints};
use super::super::{OverlayScene, numbers};
use super::{Review, ReviewFocus, ReviewMode, ReviewPane, panel};
use crate::agent::CompactionProposal;
use crate::transcript::CompactionStanding;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::question::{self, QuestionWords};
use crate::tui::render::safe;
use crate::tui::widget::scroll_text::SPLIT_MIN_WIDTH;
use crate::tui::widget::{TextSides, paint};

/// From this height on the header lines and the findings are shown.
const TALL_ROWS: u16 = 14;

/// From this width on the two texts can be put side by side by hand.
const FLIPPED_MIN_WIDTH: u16 = 40;

/// Findings on screen at once.
const FINDINGS_MAX_ROWS: usize = 5;

/// Draws everything and says where the caret is.
pub(super) fn review(
    review: &Review,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    paint::clear(buffer, area, theme.text);
    let proposal = &review.proposal;
    paint::title(
        buffer,
        area,
        &headline(review, area.width),
        &kept(proposal),
        theme,
    );
    let areas = ReviewAreas::of(review, area, scene);
    if area.height >= TALL_ROWS {
        let room = usize::from(area.width.saturating_sub(2));
        for (row, line) in provenance(review).iter().enumerate() {
            let shown = safe::one_line(line, room);
            let is_remark = row == 0 && review.remark.is_some();
            let style = if is_remark { theme.warning } else { theme.dim };
            let place = (1, row as u16 + 1);
            paint::text(buffer, area, place, area.width, &shown, style);
        }
    }
    paint::rule(buffer, area, areas.rule, theme);
    let caret = content(review, &areas, area, buffer, scene);
    if !areas.audit.is_empty() {
        panel::audit(review, &areas, buffer, theme);
    }
    footer(review, area, buffer, scene).or(caret)
}

/// Which rows have what.
pub(super) struct ReviewAreas {
    /// The row of the rule above the body.
    rule: u16,
    pub body: Rect,
    /// The audit; empty where there is no room for it.
    pub audit: Rect,
    /// Its words.
    pub words: Vec<Line<'static>>,
    /// Findings that are listed below them.
    pub findings: usize,
}

impl ReviewAreas {
    pub(super) fn of(review: &Review, area: Rect, scene: &OverlayScene<'_>) -> Self {
        let theme = scene.theme;
        let foot = foot_rows(review, area, scene);
        let is_tall = area.height >= TALL_ROWS;
        let rule = if is_tall {
            provenance(review).len() as u16 + 1
        } else {
            1
        };
        // The audit is of the text before, not of the one that is being written.
        let is_audited = !matches!(
            review.mode,
            ReviewMode::Waiting { .. } | ReviewMode::Ended(_)
        );
        let findings = if is_tall && is_audited {
            review.details.len().min(FINDINGS_MAX_ROWS)
        } else {
            0
        };
        let mut words = Vec::new();
        if area.height >= 6 && is_audited {
            words = panel::word_rows(review, area.width, is_tall, theme);
        }
        let bottom = foot + words.len() as u16 + findings as u16;
        let audit = if bottom > foot {
            paint::inner(area, area.height.saturating_sub(bottom), foot)
        } else {
            Rect::default()
        };
        Self {
            rule,
            body: paint::inner(area, rule + 1, bottom),
            audit,
            words,
            findings,
        }
    }
}

fn headline(review: &Review, width: u16) -> String {
    let proposal = &review.proposal;
    let (before, after) = (proposal.effect.tokens_before, proposal.effect.tokens_after);
    let change = numbers::change(before, after);
    if width < SPLIT_MIN_WIDTH {
        let (before, after) = (numbers::short(before), numbers::short(after));
        return format!("compaction {before} → ~{after} ({change})");
    }
    let what = match &review.stored {
        Some((entry, standing)) => format!("compaction {entry}, {}", standing.words()),
        None => "compaction preview".to_owned(),
    };
    format!(
        "{what} · {} → ~{} tokens ({change})",
        numbers::grouped(before),
        numbers::grouped(after),
    )
}

fn kept(proposal: &CompactionProposal) -> String {
    format!(
        "{} kept · {} summarised",
        numbers::plural(u64::from(proposal.effect.kept_turns), "turn"),
        numbers::plural(proposal.effect.summarized, "message"),
    )
}

fn provenance(review: &Review) -> Vec<String> {
    let proposal = &review.proposal;
    let instructions = match &proposal.writing.instructions {
        _ if review.remark.is_some() => review.remark.clone().unwrap_or_default(),
        Some(text) if proposal.writing.instruction_effects.is_empty() => {
            format!("instructions: {text}")
        }
        Some(text) => format!(
            "instructions matched {}: {text}",
            proposal.writing.instruction_effects.join(", ")
        ),
        None if review.stored.is_some() => "no instructions".to_owned(),
        None => "no instructions".to_owned(),
    };
    let mut how = format!("model {}", proposal.writing.model);
    if proposal.writing.stages != proposal.writing.model {
        how.push_str(" · ");
        how.push_str(&proposal.writing.stages);
    }
    how.push_str(" · ");
    how.push_str(&numbers::wall(proposal.writing.duration));
    if let Some(cost) = proposal.writing.usage.cost_usd {
        how.push_str(" · ");
        how.push_str(&numbers::dollars(cost));
    }
    if !proposal.effect.ruler.is_empty() {
        how.push_str(" · counted by ");
        how.push_str(&proposal.effect.ruler);
    }
    if let Some(label) = proposal.author_label() {
        how.push_str(" · ! ");
        how.push_str(&label);
    }
    if proposal.edited {
        how.push_str(" · edited by you");
    }
    [Some(instructions), Some(how), proposal.cut_label()]
        .into_iter()
        .flatten()
        .collect()
}

/// The part between header and audit.
fn content(
    review: &Review,
    areas: &ReviewAreas,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    let (body, rule) = (areas.body, areas.rule);
    let label = |buffer: &mut Buffer, column: u16, text: &str| {
        let room = usize::from((area.width / 2).saturating_sub(4)).max(8);
        let shown = format!(" {} ", safe::one_line(text, room));
        paint::text(
            buffer,
            area,
            (column, rule),
            area.width,
            &shown,
            theme.heading,
        );
    };
    match &review.mode {
        ReviewMode::Edit(editor) | ReviewMode::AskDiscard(editor) => {
            label(buffer, 2, "editing the summary");
            return editor.draw(body, buffer, theme);
        }
        ReviewMode::Waiting { stage, stream, .. } => {
            label(buffer, 2, &format!("writing · {stage}"));
            stream.draw(body, buffer, theme);
            return None;
        }
        ReviewMode::Ended(text) => {
            label(buffer, 2, "the conversation is unchanged");
            let line = Line::styled(safe::visible(text).into_owned(), theme.warning);
            let rows = crate::tui::render::wrap::wrap(&line, body.width.saturating_sub(2).max(1));
            for (row, line) in rows.iter().enumerate().take(usize::from(body.height)) {
                paint::line(buffer, body, (1, row as u16), line);
            }
            return None;
        }
        _ => {}
    }
    let (left, right) = review.sides();
    if review.text_sides(area.width) == TextSides::Split {
        label(buffer, 2, left);
        label(buffer, area.width.saturating_sub(1) / 2 + 2, right);
    } else {
        label(buffer, 2, &format!("{left} → {right}"));
    }
    review.sheet.draw(body, buffer, theme)
}

impl Review {
    /// The texts of the two sides.
    fn sides(&self) -> (&str, &str) {
        let own = if self.stored.is_some() {
            "summary"
        } else {
            "new summary"
        };
        match self.pane {
            ReviewPane::Sources => (own, "← said in · ≈ similar"),
            ReviewPane::Extractive => ("without a model", own),
            ReviewPane::Diff => (self.proposal.comparison.left_title.as_str(), own),
        }
    }

    /// Whether both texts are side by side at this width.
    pub(super) fn text_sides(&self, width: u16) -> TextSides {
        match TextSides::for_width(width) {
            TextSides::Unified if self.flips_layout && width >= FLIPPED_MIN_WIDTH => {
                TextSides::Split
            }
            _ if self.flips_layout => TextSides::Unified,
            sides => sides,
        }
    }
}

fn footer(
    review: &Review,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    if !review.has_keyboard {
        let (choose, refuse) = match review.mode {
            ReviewMode::Ended(_) => ("close", "close"),
            ReviewMode::Waiting { .. } => ("look", "stop, keep the summary before"),
            ReviewMode::AskCancel => ("review it", "again: discard the summary"),
            _ => ("review it", "discard, asks first"),
        };
        let words = QuestionWords {
            choose,
            refuse,
            has_rows: false,
        };
        let hints = question::hints(scene, &words);
        question::draw_hints(area, buffer, &hints, scene);
        return None;
    }
    let theme = scene.theme;
    let row = area.height.saturating_sub(1);
    if let ReviewMode::Instructions(field) = &review.mode {
        let label = ("instructions: ", theme.accent);
        return field.draw(area, row, buffer, label.0, label.1, theme.text);
    }
    if matches!(review.mode, ReviewMode::Read) && review.sheet.is_searching() {
        return None;
    }
    let can_stop = matches!(review.mode, ReviewMode::Waiting { can_stop: true, .. });
    let is_active = matches!(review.stored, Some((_, CompactionStanding::InForce)));
    let is_part = matches!(review.focus, ReviewFocus::Part(_));
    let screen = review.own_screen();
    let audit = if screen == Screen::ReviewCursor && review.chosen_stop().is_none() {
        "text"
    } else {
        "audit"
    };
    ScreenHints::of(screen, scene)
        // There it means the same as the key that discards.
        .only_if(screen != Screen::Review, ScreenAction::Back)
        .saying(ScreenAction::Audit, audit)
        .only_if(can_stop, ScreenAction::Stop)
        .only_if(review.has_unsaid(), ScreenAction::Strike)
        .only_if(is_active, ScreenAction::Undo)
        .only_if(is_part, ScreenAction::NextPart { forward: true })
        .only_if(is_part, ScreenAction::NextPart { forward: false })
        .saying(ScreenAction::Open, open_words(review))
        .draw(area, buffer);
    None
}

/// The action of Enter where the cursor is.
fn open_words(review: &Review) -> &'static str {
    match (&review.mode, review.focus) {
        (ReviewMode::Read, ReviewFocus::Part(_)) => "all findings",
        (ReviewMode::Read, ReviewFocus::Stop(_) | ReviewFocus::Finding(_)) => "source message",
        _ => "open",
    }
}

/// Rows of the keys, or of what is typed.
fn foot_rows(review: &Review, area: Rect, scene: &OverlayScene<'_>) -> u16 {
    if !review.has_keyboard {
        return 1;
    }
    // While a prompt or a field is open, the text above it does not move.
    let screen = match &review.mode {
        ReviewMode::AskCancel | ReviewMode::Instructions(_) => review.reading_screen(),
        _ => review.own_screen(),
    };
    hints::rows(area, screen, scene)
}
