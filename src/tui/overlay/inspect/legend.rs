//! The legend of the gauge: its colours and textures with what they stand for now, the marks,
//! and the words beside the bar.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use super::bar::label;
use crate::context::{Category, ContextView};
use crate::tui::gauge::{self, GaugeScale, ScaleEnd};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::wrap;
use crate::tui::theme::Theme;
use crate::tui::widget::{Page, ScrollMotion};

/// Columns of a texture, and of the longest of the other signs.
const TEXTURE_COLUMNS: usize = 2;
const SIGN_COLUMNS: usize = 14;

/// Signs of the bar, the numbers and the words, with their meaning.
const MARKS: [(&str, &str); 13] = [
    ("·", "free"),
    ("╌", "taken out by pruning; the session file still has it"),
    ("╎", "compaction happens here by itself"),
    ("┃", "the same, reached: the next request compacts first"),
    ("▏", "end of the usable window: automatic compaction is off"),
    (
        "»",
        "large window, hardly used: the bar shows its first part only",
    ),
    (
        "~",
        "estimated; without it the provider has counted everything",
    ),
    (
        "rough count",
        "until the model's own tokenizer is loaded; then the number moves",
    ),
    ("▲", "from 70% of the way to compaction"),
    ("‼", "from 90%"),
    (
        "~6 turns",
        "at the median size of your last turns; shown from five turns on",
    ),
    (
        "/prune frees",
        "what pruning would take out now; it keeps the messages",
    ),
    (
        "cache expires",
        "the provider's prompt cache; pruning waits for it while it can",
    ),
];

/// The modes in the header.
const MODES: [(&str, &str); 5] = [
    (
        "ask",
        "reading and read-only commands run, edits and commands ask",
    ),
    ("accept edits", "edits in the folder run, commands ask"),
    ("plan", "nothing is changed, no command runs"),
    (
        "allow all",
        "everything runs without a question (approvals.mode = all)",
    ),
    (
        "shell: all",
        "every call of this tool is allowed; /permissions revokes it",
    ),
];

/// Shows the legend.
#[derive(Default)]
pub struct Legend {
    lines: Vec<Line<'static>>,
    rows: usize,
    top: usize,
}

impl Legend {
    fn scroll(&mut self, motion: ScrollMotion) {
        let most = self.lines.len().saturating_sub(self.rows);
        let page = self.rows.max(1);
        self.top = match motion {
            ScrollMotion::Up => self.top.saturating_sub(1),
            ScrollMotion::Down => self.top + 1,
            ScrollMotion::PageUp => self.top.saturating_sub(page),
            ScrollMotion::PageDown => self.top + page,
            ScrollMotion::HalfUp => self.top.saturating_sub(page.div_ceil(2)),
            ScrollMotion::HalfDown => self.top + page.div_ceil(2),
            ScrollMotion::First => 0,
            ScrollMotion::Last => most,
        }
        .min(most);
    }
}

impl Overlay for Legend {
    fn name(&self) -> &'static str {
        "legend"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Legend)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        match scene.keymap.screen_action(Screen::Legend, key) {
            Some(ScreenAction::Scroll(motion)) => {
                self.scroll(motion);
                Reaction::Consumed
            }
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            // The key that opens it closes it.
            _ if key.code == KeyCode::F(4) => Reaction::Close(Vec::new()),
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = hints::body(area, Screen::Legend, scene);
        self.lines = lines(scene, body.width);
        self.rows = body.height.into();
        self.top = self.top.min(self.lines.len().saturating_sub(self.rows));
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let page = Page {
            title: "legend of the gauge",
            remark: "",
        };
        page.draw(area, buffer, scene.theme);
        ScreenHints::of(Screen::Legend, scene).draw(area, buffer);
        let body = hints::body(area, Screen::Legend, scene);
        for (y, line) in (body.y..body.bottom()).zip(self.lines.iter().skip(self.top)) {
            buffer.set_line(body.x, y, line, body.width);
        }
        None
    }
}

fn lines(scene: &OverlayScene<'_>, width: u16) -> Vec<Line<'static>> {
    let theme = scene.theme;
    let mut sheet = LegendSheet {
        lines: Vec::new(),
        theme,
        width,
    };
    if let Some(view) = scene.view {
        sheet.heading("now");
        for text in facts(view) {
            sheet.row("", 0, theme.text, &text);
        }
        sheet.lines.push(Line::default());
    }
    sheet.heading("colours of the bar");
    for category in Category::ALL {
        let tokens = scene.view.map(|view| view.usage.by_category.get(category));
        let style = theme.gauge[category.index()];
        let words = colour(category, tokens);
        sheet.row(gauge::texture(category), TEXTURE_COLUMNS, style, &words);
    }
    sheet.lines.push(Line::default());
    sheet.heading("marks and words");
    for (sign, text) in MARKS {
        sheet.row(sign, SIGN_COLUMNS, theme.accent, text);
    }
    sheet.lines.push(Line::default());
    sheet.heading("modes in the header (shift-tab)");
    for (sign, text) in MODES {
        sheet.row(sign, SIGN_COLUMNS, theme.accent, text);
    }
    sheet.lines
}

/// The rows of the legend in a width.
struct LegendSheet<'a> {
    lines: Vec<Line<'static>>,
    theme: &'a Theme,
    width: u16,
}

impl LegendSheet<'_> {
    fn heading(&mut self, text: &'static str) {
        let line = Line::styled(text, self.theme.heading);
        self.lines.extend(wrap::wrap(&line, self.width));
    }

    /// A sign in so many columns, then its meaning.
    fn row(&mut self, sign: &str, columns: usize, style: Style, text: &str) {
        let pad = columns.saturating_sub(wrap::width(sign));
        let line = Line::from(vec![
            Span::raw("  "),
            Span::styled(sign.to_owned(), style),
            Span::raw(" ".repeat(pad)),
            Span::styled(text.to_owned(), self.theme.text),
        ]);
        let indent = columns as u16 + 2;
        self.lines
            .extend(wrap::wrap_indent(&line, self.width, indent));
    }
}

/// The numbers of the view by both scales.
fn facts(view: &ContextView) -> Vec<String> {
    let used = view.usage.tokens;
    let about = if view.usage.exact { "" } else { "~" };
    let count = numbers::grouped(used);
    let Some(scale) = GaugeScale::of(view) else {
        return vec![format!("{about}{count} tokens; the window is unknown")];
    };
    let percent = scale.percent(used);
    let full = numbers::grouped(scale.full);
    let way = match scale.end {
        ScaleEnd::Compaction => {
            format!("{about}{count} tokens: {percent}% of {full}, where compaction happens")
        }
        ScaleEnd::Window => {
            format!("{about}{count} tokens: {percent}% of the usable {full}; compaction is off")
        }
    };
    let window = view.window.tokens.unwrap_or(scale.full);
    let whole = used.saturating_mul(100) / window.max(1);
    let window = format!("{whole}% of the window of {}", numbers::grouped(window));
    vec![way, window]
}

fn colour(category: Category, tokens: Option<u64>) -> String {
    let meaning = match category {
        Category::System => "system prompt and the project's rules",
        Category::Tools => "descriptions of the tools",
        Category::Servers => "tools of MCP servers",
        Category::Memory => "notes about this project",
        Category::Skills => "names and descriptions of skills",
        Category::Summary => "summaries of earlier messages",
        Category::Rules => "your rules whose message is no longer sent",
        Category::User => "your messages",
        Category::Notes => "notes of Plimsoll and of hooks",
        Category::Assistant => "answers of the model",
        Category::ToolResults => "results of tools and commands",
        Category::Pending => "what you are typing",
    };
    let name = label(category);
    match tokens {
        Some(tokens) => format!("{name} · {meaning} · {}", numbers::tokens(tokens)),
        None => format!("{name} · {meaning}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    #[test]
    fn the_legend_at_its_sizes() {
        let mut stage = OverlayStage::empty();
        stage.view = Some(std::sync::Arc::new(crate::tui::testing::view_of(&[
            4_000, 9_000, 0, 0, 0, 6_000, 0, 12_000, 0, 20_000, 27_200, 38,
        ])));
        fixture::assert_looks!("legend", stage, &mut Legend::default());
    }

    #[test]
    fn every_sign_of_the_gauge_is_explained() {
        let stage = OverlayStage::empty();
        let mut legend = Legend::default();
        let shown = stage.draw(&mut legend, 120, 60);
        for sign in [
            "~",
            "╎",
            "┃",
            "╌",
            "▲",
            "‼",
            "»",
            "▏",
            "rough count",
            "turns",
            "/prune",
        ] {
            assert!(shown.contains(sign), "{sign}");
        }
        for category in Category::ALL {
            assert!(shown.contains(gauge::texture(category)), "{category:?}");
        }
    }

    #[test]
    fn percent_of_both_scales_is_said() {
        let mut view = crate::tui::testing::view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90_000, 0]);
        assert_eq!(
            facts(&view),
            [
                "~90,000 tokens: 50% of 180,000, where compaction happens",
                "45% of the window of 200,000"
            ]
        );
        view.window.tokens = None;
        assert_eq!(facts(&view), ["~90,000 tokens; the window is unknown"]);
    }

    #[test]
    fn it_scrolls_to_its_end_and_closes() {
        let stage = OverlayStage::empty();
        let mut legend = Legend::default();
        stage.draw(&mut legend, 40, 12);
        stage.press(&mut legend, "G");
        assert!(stage.draw(&mut legend, 40, 12).contains("revokes it"));
        assert!(stage.closes(&mut legend, "Esc"));
    }
}
