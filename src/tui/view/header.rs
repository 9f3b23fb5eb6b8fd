//! The header: which session in which folder, and what answers, how hard it thinks and what
//! it may do without asking. What one must not overlook goes last where there is little room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::model::{Model, SessionState};
use super::super::render::{safe, wrap};
use super::super::theme::Theme;
use super::rows::{halves, indented};
use crate::agent::{ApprovalMode, Grant};

/// The name of the program.
const BRAND: &str = "plimsoll";
/// What the header begins with as long as the newest messages cannot be written.
const UNSAVED: &str = "not saved";
/// An engine of this name is not worth a word.
const USUAL_ENGINE: &str = "layered";
/// Columns between the two halves.
const GAP: usize = 2;
/// A session's name is cut to this many columns where there is little room,
const NAME_COLUMNS: usize = 14;
/// and to this many where there is hardly any.
const SHORT_NAME_COLUMNS: usize = 8;
/// The name of a model is cut to this many columns at last.
const MODEL_COLUMNS: usize = 10;

/// How a part is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wording {
    Long,
    Short,
    Least,
    Left,
}

/// A part of the header that can be written shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeaderPart {
    Engine,
    Reasoning,
    Folder,
    Brand,
    Name,
    Model,
    Grants,
}

/// What becomes shorter when there is too little room, in this order.
const SHORTER: [(HeaderPart, Wording); 14] = [
    (HeaderPart::Reasoning, Wording::Short),
    (HeaderPart::Engine, Wording::Left),
    (HeaderPart::Folder, Wording::Short),
    (HeaderPart::Reasoning, Wording::Least),
    (HeaderPart::Grants, Wording::Short),
    (HeaderPart::Folder, Wording::Left),
    (HeaderPart::Reasoning, Wording::Left),
    (HeaderPart::Name, Wording::Short),
    (HeaderPart::Brand, Wording::Left),
    (HeaderPart::Name, Wording::Least),
    (HeaderPart::Model, Wording::Short),
    (HeaderPart::Name, Wording::Left),
    (HeaderPart::Model, Wording::Left),
    (HeaderPart::Grants, Wording::Left),
];

/// Words in a style.
type StyledWords = (String, Style);

/// Draws it.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let area = indented(area);
    let (left, right) = sides(model, area.width.into());
    halves(area, buffer, &left, &right);
}

/// Both halves in a width.
fn sides(model: &Model, width: usize) -> (Line<'static>, Line<'static>) {
    let mut header = HeaderWords::new(model);
    for (part, wording) in SHORTER {
        if header.width() <= width {
            break;
        }
        header.shorten(part, wording);
    }
    (header.left(), header.right())
}

/// The parts, each as long as it is written now; empty ones are left out.
struct HeaderWords<'a> {
    model: &'a Model,
    brand: &'static str,
    practice: &'static str,
    name: String,
    folder: String,
    answering: String,
    reasoning: String,
    engine: String,
    mode: StyledWords,
    grants: String,
}

impl<'a> HeaderWords<'a> {
    fn new(model: &'a Model) -> Self {
        let mut words = Self {
            model,
            brand: BRAND,
            practice: "",
            name: String::new(),
            folder: String::new(),
            answering: String::new(),
            reasoning: String::new(),
            engine: String::new(),
            mode: mode(&model.session, &model.look.theme),
            grants: String::new(),
        };
        if model.introduction.tour.is_some() {
            words.practice = "practice";
        }
        let parts = [
            HeaderPart::Engine,
            HeaderPart::Reasoning,
            HeaderPart::Folder,
            HeaderPart::Name,
            HeaderPart::Model,
            HeaderPart::Grants,
        ];
        for part in parts {
            words.shorten(part, Wording::Long);
        }
        words
    }

    /// Writes a part in other words.
    fn shorten(&mut self, part: HeaderPart, wording: Wording) {
        let session = &self.model.session;
        match part {
            HeaderPart::Brand => self.brand = "",
            HeaderPart::Engine => self.engine = engine(session, wording),
            HeaderPart::Reasoning => self.reasoning = reasoning(session, wording),
            HeaderPart::Folder => self.folder = folder(self.model, wording),
            HeaderPart::Grants => self.grants = grants(session, wording),
            HeaderPart::Name => {
                self.name = cut(
                    &session.name,
                    wording,
                    [usize::MAX, NAME_COLUMNS, SHORT_NAME_COLUMNS],
                );
            }
            HeaderPart::Model => {
                let short = session.model.short_id();
                self.answering = cut(short, wording, [usize::MAX, MODEL_COLUMNS, MODEL_COLUMNS]);
            }
        }
    }

    fn left_parts(&self) -> [(&'static str, StyledWords); 5] {
        let theme = &self.model.look.theme;
        let unsaved = if self.model.session.saving.has_failed {
            UNSAVED
        } else {
            ""
        };
        [
            ("", (unsaved.to_owned(), theme.error)),
            (" · ", (self.brand.to_owned(), theme.heading)),
            (" · ", (self.practice.to_owned(), theme.warning)),
            (" · ", (self.name.clone(), theme.text)),
            ("  ", (self.folder.clone(), theme.dim)),
        ]
    }

    fn right_parts(&self) -> [(&'static str, StyledWords); 5] {
        let theme = &self.model.look.theme;
        [
            ("", (self.answering.clone(), theme.dim)),
            (" · ", (self.reasoning.clone(), theme.dim)),
            (" · ", (self.engine.clone(), theme.dim)),
            (" · ", self.mode.clone()),
            (" · ", (self.grants.clone(), theme.warning)),
        ]
    }

    fn left(&self) -> Line<'static> {
        joined(&self.left_parts(), self.model.look.theme.dim)
    }

    fn right(&self) -> Line<'static> {
        joined(&self.right_parts(), self.model.look.theme.dim)
    }

    fn width(&self) -> usize {
        let left = self.left().width();
        let gap = if left == 0 { 0 } else { GAP };
        left + gap + self.right().width()
    }
}

/// The parts that there are, with separators between them.
fn joined(parts: &[(&'static str, StyledWords)], between: Style) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (separator, (text, style)) in parts {
        if text.is_empty() {
            continue;
        }
        if !spans.is_empty() {
            spans.push(Span::styled(*separator, between));
        }
        spans.push(Span::styled(text.clone(), *style));
    }
    Line::from(spans)
}

/// What may run without asking: never left out.
fn mode(session: &SessionState, theme: &Theme) -> StyledWords {
    let (text, style) = if session.mode.is_planning {
        ("plan", theme.accent)
    } else {
        match session.mode.approvals.mode {
            ApprovalMode::Ask => ("ask", theme.dim),
            ApprovalMode::Edits => ("accept edits", theme.accent),
            ApprovalMode::ReadOnly => ("read-only", theme.dim),
            ApprovalMode::All => ("allow all", theme.warning),
        }
    };
    (text.to_owned(), style)
}

/// The tools of which every call is allowed.
fn grants(session: &SessionState, wording: Wording) -> String {
    let blanket = &session.mode.approvals.blanket;
    if blanket.is_empty() {
        return String::new();
    }
    let mut tools: Vec<&str> = blanket.iter().map(|it| it.tool.as_str()).collect();
    tools.dedup();
    let named = safe::one_line(&tools.join(", "), NAME_COLUMNS);
    match wording {
        Wording::Long if blanket.iter().all(|it| it.grant == Grant::Session) => {
            format!("{named}: all this session")
        }
        Wording::Long | Wording::Short | Wording::Least => format!("{named}: all"),
        Wording::Left => String::new(),
    }
}

fn engine(session: &SessionState, wording: Wording) -> String {
    let is_usual = session.engine == USUAL_ENGINE;
    if is_usual || session.engine.is_empty() || wording == Wording::Left {
        return String::new();
    }
    let name = safe::one_line(&session.engine, NAME_COLUMNS);
    format!("engine: {name}")
}

fn reasoning(session: &SessionState, wording: Wording) -> String {
    let Some(state) = &session.about_model.reasoning else {
        return String::new();
    };
    match wording {
        Wording::Long => format!("reasoning: {}", state.words()),
        Wording::Short => format!("reasoning: {}", state.short_words()),
        Wording::Least => format!("reasoning: {}", state.sent.name()),
        Wording::Left => String::new(),
    }
}

fn folder(model: &Model, wording: Wording) -> String {
    let cwd = &model.session.cwd;
    match wording {
        Wording::Long => safe::one_line(&model.look.short_path(cwd), usize::MAX),
        Wording::Short | Wording::Least => cwd.file_name().map_or_else(String::new, |name| {
            safe::one_line(&name.to_string_lossy(), usize::MAX)
        }),
        Wording::Left => String::new(),
    }
}

/// A text in at most so many columns, by its wording.
fn cut(text: &str, wording: Wording, columns: [usize; 3]) -> String {
    let [long, short, least] = columns;
    match wording {
        Wording::Long => safe::one_line(text, long),
        Wording::Short => safe::one_line(text, short.min(wrap::width(text))),
        Wording::Least => safe::one_line(text, least.min(wrap::width(text))),
        Wording::Left => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Permission;
    use crate::transcript::{ModelRef, ReasoningFacts, ReasoningOff, ThinkingLevel};

    fn model(wish: ThinkingLevel) -> Model {
        let facts = ReasoningFacts {
            by_default: Some(ThinkingLevel::High),
            off: ReasoningOff::Disabled,
            ..ReasoningFacts::default()
        };
        let mut model = Model::default();
        let session = &mut model.session;
        session.name = "refactor-auth".to_owned();
        session.cwd = "/home/a/src/api".into();
        session.model = ModelRef::new("anthropic", "claude-sonnet-5-5");
        session.engine = USUAL_ENGINE.to_owned();
        session.about_model.reasoning = Some(facts.state(wish));
        model
    }

    fn shown(model: &Model, columns: usize) -> String {
        let (left, right) = sides(model, columns);
        let text = |line: &Line<'_>| line.spans.iter().map(|it| it.content.clone()).collect();
        let (left, right): (String, String) = (text(&left), text(&right));
        format!("{left} | {right}")
    }

    fn allow_all_of(model: &mut Model, tool: &str) {
        model.session.mode.approvals.blanket.push(Permission {
            grant: Grant::Session,
            tool: tool.to_owned(),
            pattern: None,
        });
    }

    #[test]
    fn the_header_gives_up_its_parts_in_a_fixed_order_and_the_mode_never() {
        let mut model = model(ThinkingLevel::Default);
        allow_all_of(&mut model, "shell");
        let sizes = [160, 118, 100, 78, 60, 38, 24, 12];
        let lines: Vec<String> = sizes.iter().map(|&it| shown(&model, it)).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn a_session_that_cannot_be_saved_is_named_so_at_every_width() {
        let mut model = model(ThinkingLevel::Off);
        assert!(!shown(&model, 160).contains(UNSAVED));
        model.session.saving.has_failed = true;
        for columns in [160, 80, 40, 24] {
            let line = shown(&model, columns);
            assert!(line.contains(UNSAVED) && line.contains("ask"), "{line}");
        }
    }

    #[test]
    fn each_mode_has_its_own_word() {
        let mut model = model(ThinkingLevel::Off);
        for (mode, word) in [
            (ApprovalMode::Ask, "· ask"),
            (ApprovalMode::Edits, "· accept edits"),
            (ApprovalMode::ReadOnly, "· read-only"),
            (ApprovalMode::All, "· allow all"),
        ] {
            model.session.mode.approvals.mode = mode;
            assert!(shown(&model, 120).ends_with(word), "{mode:?}");
            assert!(
                shown(&model, 20).contains(word.trim_start_matches("· ")),
                "{mode:?}"
            );
        }
        model.session.mode.is_planning = true;
        assert!(shown(&model, 120).ends_with("· plan"));
        let warning = model.look.theme.warning;
        model.session.mode.is_planning = false;
        assert_eq!(super::mode(&model.session, &model.look.theme).1, warning);
    }

    #[test]
    fn permissions_for_every_call_are_named_until_they_are_revoked() {
        let mut model = model(ThinkingLevel::Off);
        assert!(!shown(&model, 160).contains("all"));
        allow_all_of(&mut model, "shell");
        assert!(shown(&model, 160).ends_with("shell: all this session"));
        allow_all_of(&mut model, "write");
        assert!(shown(&model, 160).ends_with("shell, write: all this session"));
        model.session.mode.approvals.blanket[0].grant = Grant::Configured;
        assert!(shown(&model, 160).ends_with("shell, write: all"));
    }

    #[test]
    fn the_engine_is_named_when_it_is_not_the_usual_one() {
        let mut model = model(ThinkingLevel::Off);
        assert_eq!(
            crate::config::Settings::default().agent.engine.id,
            USUAL_ENGINE
        );
        assert!(!shown(&model, 160).contains("engine"));
        model.session.engine = "legacy".to_owned();
        assert!(shown(&model, 160).contains("engine: legacy"));
    }

    proptest::proptest! {
        #[test]
        fn the_header_fits_and_says_the_mode(
            name in ".{0,60}",
            tool in "[a-z漢]{0,40}",
            columns in 14_usize..200,
        ) {
            let mut model = model(ThinkingLevel::Default);
            model.session.name = name;
            allow_all_of(&mut model, &tool);
            let (left, right) = sides(&model, columns);
            proptest::prop_assert!(left.width() + right.width() <= columns);
            proptest::prop_assert!(shown(&model, columns).contains("ask"));
        }
    }
}
