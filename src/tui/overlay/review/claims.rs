//! The claims of a summary in its lines: what is said in a message is a link to it, what
//! nothing says has a colour and a sign.

use std::collections::BTreeMap;

use crate::context::diff::Span;
use crate::context::grounding::Claim;
use crate::transcript::EntryId;
use crate::tui::widget::scroll_text::MarkedText;
use crate::tui::widget::{RowMark, TextRow, TextSides, TextTone};

/// Behind a claim that nothing says: a colour alone is not seen by everybody.
const UNSAID_SIGN: &str = "[?]";

/// The claims of a summary by their lines.
#[derive(Default)]
pub(super) struct LineClaims<'a> {
    by_line: BTreeMap<usize, Vec<&'a Claim>>,
}

impl<'a> LineClaims<'a> {
    pub(super) fn of(claims: &'a [Claim]) -> Self {
        let mut by_line: BTreeMap<usize, Vec<&Claim>> = BTreeMap::new();
        for claim in claims {
            by_line.entry(claim.line).or_default().push(claim);
        }
        for claims in by_line.values_mut() {
            claims.sort_by_key(|claim| (claim.span.start, claim.span.end));
        }
        Self { by_line }
    }

    fn on(&self, line: usize) -> &[&'a Claim] {
        self.by_line.get(&line).map_or(&[], Vec::as_slice)
    }

    pub(super) fn has_any(&self, line: usize) -> bool {
        !self.on(line).is_empty()
    }

    pub(super) fn has_unsaid(&self, line: usize) -> bool {
        self.on(line).iter().any(|claim| !claim.is_grounded)
    }
}

/// Something in the rows that can be chosen, and the message behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReviewStop {
    /// The row.
    pub row: usize,
    /// What it is.
    pub words: String,
    /// Nothing says it, or it is lost.
    pub is_bad: bool,
    /// The message; `None` where none says it.
    pub opens: Option<EntryId>,
}

/// Rows while they are made, with their stops.
pub(super) struct StopRows<'a> {
    pub claims: &'a LineClaims<'a>,
    /// The stop under the cursor.
    chosen: Option<usize>,
    pub rows: Vec<TextRow>,
    pub stops: Vec<ReviewStop>,
    /// The row that comes next is under the cursor as a whole.
    is_row_chosen: bool,
    /// The row that stops are noted for.
    row: usize,
    sides: TextSides,
}

impl<'a> StopRows<'a> {
    pub(super) fn new(claims: &'a LineClaims<'a>, chosen: Option<usize>, sides: TextSides) -> Self {
        Self {
            claims,
            chosen,
            rows: Vec::new(),
            stops: Vec::new(),
            is_row_chosen: false,
            row: 0,
            sides,
        }
    }

    /// What is on the left where both sides say the same: on a screen with one column the
    /// row with its marks, beside it the text alone.
    pub(super) fn twin(&self, text: &str, marked: &[MarkedText]) -> Vec<MarkedText> {
        if self.sides == TextSides::Split {
            vec![MarkedText::safe(text, TextTone::Plain)]
        } else {
            marked.to_vec()
        }
    }

    pub(super) fn push(&mut self, row: TextRow) {
        self.rows.push(row);
        self.row = self.rows.len();
        self.is_row_chosen = false;
    }

    /// Puts a line of the summary on the right of the row of its number.
    pub(super) fn beside(&mut self, number: usize, line: &str) {
        self.row = number;
        let mut row = self.line_row(number, line);
        let plain = row.right.iter_mut().flatten();
        if row.mark == RowMark::Heading {
            for piece in plain.filter(|piece| piece.tone == TextTone::Plain) {
                piece.tone = TextTone::Title;
            }
        }
        match self.rows.get_mut(number) {
            Some(there) => there.right = row.right,
            None => self.rows.push(TextRow {
                right: row.right,
                ..TextRow::default()
            }),
        }
    }

    /// The row that comes next can be chosen as a whole.
    pub(super) fn row_stop(&mut self, words: String, is_bad: bool, opens: EntryId) {
        self.is_row_chosen = self.note(ReviewStop {
            row: self.row,
            words,
            is_bad,
            opens: Some(opens),
        });
    }

    /// Notes a stop; true when the cursor is on it.
    fn note(&mut self, stop: ReviewStop) -> bool {
        self.stops.push(stop);
        self.chosen == Some(self.stops.len() - 1)
    }

    /// A row of foreign text on the left.
    pub(super) fn plain_row(&self, text: &str, tone: TextTone) -> TextRow {
        let tone = if self.is_row_chosen {
            TextTone::Chosen
        } else {
            tone
        };
        TextRow {
            left: Some(vec![MarkedText::safe(text, tone)]),
            ..TextRow::default()
        }
    }

    /// A line of the summary as a row, its claims marked.
    pub(super) fn line(&mut self, number: usize, line: &str) {
        let row = self.line_row(number, line);
        self.push(row);
    }

    /// A line of the summary on both sides, its claims marked.
    pub(super) fn line_row(&mut self, number: usize, line: &str) -> TextRow {
        let whole = Span {
            text: line.to_owned(),
            changed: false,
        };
        let mut pieces = self.marked(number, &[whole], false);
        if self.is_row_chosen {
            for piece in &mut pieces {
                piece.tone = TextTone::Chosen;
            }
        }
        let mark = if line.starts_with('#') {
            RowMark::Heading
        } else {
            RowMark::Same
        };
        TextRow {
            left: Some(self.twin(line, &pieces)),
            right: Some(pieces),
            mark,
            ..TextRow::default()
        }
    }

    /// The pieces of a line of the summary, cut where its claims begin and end.
    pub(super) fn marked(
        &mut self,
        number: usize,
        spans: &[Span],
        is_word_by_word: bool,
    ) -> Vec<MarkedText> {
        let claims = self.claims.on(number).iter();
        let mut claims = claims.copied().peekable();
        let mut open: Option<OpenClaim> = None;
        let mut pieces = Vec::new();
        let mut at = 0;
        for span in spans {
            let mut rest = span.text.as_str();
            while !rest.is_empty() {
                while claims.next_if(|claim| claim.span.end <= at).is_some() {
                    open = None;
                }
                let next = claims.peek().copied();
                let until = match next {
                    None => rest.len(),
                    Some(claim) if claim.span.start > at => claim.span.start - at,
                    Some(claim) => claim.span.end - at,
                };
                let inside = next.filter(|claim| claim.span.start <= at);
                let (head, tail) = rest
                    .split_at_checked(until.min(rest.len()))
                    .unwrap_or((rest, ""));
                let tone = match inside {
                    None => TextTone::Plain,
                    Some(claim) => self.enter(claim, &mut open),
                };
                pieces.push(MarkedText {
                    strong: is_word_by_word && span.changed,
                    ..MarkedText::safe(head, tone)
                });
                at += head.len();
                rest = tail;
                let ends = inside.filter(|claim| claim.span.end <= at && !claim.is_grounded);
                if ends.is_some() {
                    pieces.push(MarkedText::safe(UNSAID_SIGN, tone));
                }
            }
        }
        pieces
    }

    /// The look of a claim, which is noted where it begins.
    fn enter(&mut self, claim: &Claim, open: &mut Option<OpenClaim>) -> TextTone {
        let is_new = open.as_ref().is_none_or(|it| it.start != claim.span.start);
        if is_new {
            let is_chosen = self.note(ReviewStop {
                row: self.row,
                words: claim_words(claim),
                is_bad: !claim.is_grounded,
                opens: claim.source.clone(),
            });
            *open = Some(OpenClaim {
                start: claim.span.start,
                is_chosen,
            });
        }
        match open {
            Some(OpenClaim {
                is_chosen: true, ..
            }) => TextTone::Chosen,
            _ if !claim.is_grounded => TextTone::Bad,
            _ if claim.source.is_some() => TextTone::Link,
            _ => TextTone::Plain,
        }
    }
}

/// A claim of which a piece was made already.
struct OpenClaim {
    start: usize,
    is_chosen: bool,
}

fn claim_words(claim: &Claim) -> String {
    let text = &claim.text;
    let class = claim.class.name().replace('_', " ");
    match (&claim.source, claim.is_grounded) {
        (_, false) => format!("{class} `{text}`: nowhere in the conversation"),
        (Some(id), true) => format!("{class} `{text}` ← {id}"),
        (None, true) => format!("{class} `{text}`: from the previous summary, a rule or you"),
    }
}
