//! Views, entries and key scripts for the tests of the overlays.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::inspect::facts::EntryMap;
use super::question::{Keyboard, KeyboardState};
use super::{Overlay, OverlayScene, Reaction};
use crate::agent::AgentEvent;
use crate::config::DiffSides;
use crate::context::rules::{Rule, RuleId, RulePlace, RuleStanding, RuleState};
use crate::context::{
    ByCategory, Category, CompactionOutlook, ContextView, CutRule, Disposition, FrameText,
    FullSize, GuardReport, LeftOut, PruneReport, RepairReport, Role, RulerReport, UsageReport,
    ViewItem, WindowReport, WindowSource,
};
use crate::transcript::{
    Author, Compaction, Entry, EntryBody, EntryId, EntryOverride, Message, Part, Timestamp,
    ToolResult, ToolSchema,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Context, Keymap};
use crate::tui::render::highlight::Highlighter;
use crate::tui::render::link::FilePlace;
use crate::tui::theme::Theme;

/// Escapes, bidi overrides, wide and joined characters.
pub(super) const HOSTILE: &str =
    "\u{1b}[2J\u{1b}]0;title\u{7}\u{202e}evil\u{0} 漢字 👩‍🚀 e\u{301}\tend\r\n";

/// The clock of the tests, in milliseconds.
const NOW: i64 = 1_700_000_000_000;

/// The scene for overlays in tests.
pub(super) struct OverlayStage {
    pub view: Option<Arc<ContextView>>,
    pub entries: EntryMap,
    pub aside: HashSet<EntryId>,
    pub theme: Theme,
    pub highlighter: Highlighter,
    pub keymap: Keymap,
    pub keyboard: KeyboardState,
}

impl OverlayStage {
    /// Nothing yet.
    pub(super) fn empty() -> Self {
        Self {
            view: None,
            entries: HashMap::new(),
            aside: HashSet::new(),
            theme: Theme::default(),
            highlighter: Highlighter::new(),
            keymap: Keymap::default(),
            keyboard: KeyboardState::default(),
        }
    }

    /// Binds keys as a line of the configuration does.
    pub(super) fn bind(&mut self, line: &str) {
        let file = crate::config::SourceFile {
            path: "/c.toml".into(),
            text: line.to_owned(),
        };
        let sources = crate::config::SettingSources {
            user_file: Some(file),
            ..crate::config::SettingSources::default()
        };
        let keys = crate::config::resolve(&sources).unwrap().settings.ui.keys;
        self.keymap = Keymap::configured(&keys).unwrap().0;
    }

    /// A session in the middle of its life.
    pub(super) fn session() -> Self {
        let mut stage = Self::empty();
        let mut items = vec![
            item(
                None,
                Role::System,
                Category::System,
                3_100,
                0,
                "You are a careful engineer",
            ),
            item(None, Role::System, Category::Tools, 8_200, 0, "7 tools"),
        ];
        let mut left_out = Vec::new();
        stage.add_summary(&mut items, &mut left_out);
        stage.message("b0000001", Message::user_text("now run the build"), 600);
        items.push(item(
            Some("b0000001"),
            Role::User,
            Category::User,
            12,
            2,
            "now run the build",
        ));
        let words = "Running the build first.";
        stage.message("b0000002", Message::user_text(words), 590);
        items.push(item(
            Some("b0000002"),
            Role::Assistant,
            Category::Assistant,
            180,
            2,
            words,
        ));
        stage.add_results(&mut items);
        stage.message("b0000006", Message::user_text("!! ls"), 100);
        left_out.push(left(
            "b0000006",
            Disposition::Excluded,
            None,
            40,
            3,
            "!! ls -la",
        ));
        items.push(item(None, Role::User, Category::Pending, 38, 4, "and then"));
        stage.view = Some(Arc::new(view(items, left_out)));
        stage
    }

    /// A compaction and the three messages that it swallowed.
    fn add_summary(&mut self, items: &mut Vec<ViewItem>, left_out: &mut Vec<LeftOut>) {
        let id = "c0ffee01";
        let words = "## Goal fix the token refresh";
        let mut summary = item(Some(id), Role::User, Category::Summary, 2_400, 0, words);
        summary.timestamp = Some(Timestamp(NOW - 3_000_000));
        items.push(summary);
        self.compaction(
            id,
            "## Goal\nfix the token refresh\n## Progress\n- [x] guard",
        );
        let messages = [
            "why does the refresh race?",
            "漢字の入力 👩‍🚀 are broken",
            HOSTILE,
        ];
        for (at, words) in messages.into_iter().enumerate() {
            let own = format!("a000000{at}");
            self.message(&own, Message::user_text(words), 7_200);
            let tokens = 20_000 + at as u64;
            left_out.push(left(
                &own,
                Disposition::Summarized,
                Some(id),
                tokens,
                1,
                words,
            ));
        }
    }

    /// A trimmed, a cleared and a pinned result.
    fn add_results(&mut self, items: &mut Vec<ViewItem>) {
        let lines: Vec<String> = (1..=60)
            .map(|n| format!("line {n} of the build log 漢字"))
            .collect();
        self.message("b0000003", result(&lines.join("\n")), 580);
        let title = "bash cargo build -p auth";
        let mut trimmed = item(
            Some("b0000003"),
            Role::Tool,
            Category::ToolResults,
            812,
            2,
            title,
        );
        trimmed.disposition = Disposition::Trimmed;
        trimmed.full.estimate_tokens = 48_204;
        trimmed.reason =
            Some("soft trim: 48,204 → 812 tokens, view at 39% of the window".to_owned());
        trimmed.cut_by = Some(CutRule {
            policy: "soft-hard".to_owned(),
            phase: "soft",
        });
        let kept = [
            &lines[..3],
            &["[… 54 lines trimmed …]".to_owned()],
            &lines[57..],
        ]
        .concat();
        trimmed.sent = Some(Arc::new(result(&kept.join("\n"))));
        items.push(trimmed);
        self.message("b0000004", result("old"), 570);
        let title = "read src/auth/refresh.rs";
        let mut cleared = item(
            Some("b0000004"),
            Role::Tool,
            Category::ToolResults,
            9,
            2,
            title,
        );
        cleared.disposition = Disposition::Cleared;
        cleared.full.estimate_tokens = 2_900;
        cleared.reason = Some("superseded: a later read of the same file".to_owned());
        items.push(cleared);
        self.message("b0000005", result(HOSTILE), 120);
        let mut pinned = item(
            Some("b0000005"),
            Role::Tool,
            Category::ToolResults,
            31_000,
            3,
            HOSTILE,
        );
        pinned.entry_override = Some(EntryOverride::Pin);
        items.push(pinned);
    }

    /// Puts a message into the log.
    pub(super) fn message(&mut self, id: &str, message: Message, secs_ago: i64) {
        self.entry(id, EntryBody::Message(Arc::new(message)), secs_ago);
    }

    fn compaction(&mut self, id: &str, summary: &str) {
        let compaction = Compaction {
            summary: summary.to_owned(),
            ..Compaction::default()
        };
        self.entry(id, EntryBody::Compaction(Box::new(compaction)), 3_000);
    }

    /// Puts an entry into the log.
    pub(super) fn entry(&mut self, id: &str, body: EntryBody, secs_ago: i64) {
        let id = EntryId::new(id);
        let entry = Entry {
            id: id.clone(),
            parent: None,
            timestamp: Timestamp(NOW - secs_ago * 1_000),
            body,
        };
        self.entries.insert(id, Arc::new(entry));
    }

    /// The scene of this stage.
    pub(super) fn scene(&self) -> OverlayScene<'_> {
        OverlayScene {
            view: self.view.as_ref(),
            viewed_at: Timestamp(NOW),
            entries: &self.entries,
            aside: &self.aside,
            theme: &self.theme,
            highlighter: &self.highlighter,
            diff_sides: DiffSides::default(),
            files: FilePlace {
                host: "",
                dir: Path::new("/src/api"),
            },
            keymap: &self.keymap,
            keyboard: self.keyboard,
            now: Timestamp(NOW),
        }
    }

    /// The screen as text.
    pub(super) fn draw(&self, overlay: &mut dyn Overlay, width: u16, height: u16) -> String {
        let area = Rect::new(0, 0, width, height);
        overlay.layout(area, &self.scene());
        let mut buffer = Buffer::empty(area);
        overlay.draw(area, &mut buffer, &self.scene());
        rows(&buffer)
    }

    /// The stage as it is while somebody else has the keyboard.
    pub(super) fn with_keyboard(mut self, keyboard: Keyboard) -> Self {
        self.keyboard.keyboard = keyboard;
        self
    }

    /// Types a key script into a question that has the keyboard, as the main screen does;
    /// what was asked for comes back. Characters that are not for it are ignored.
    pub(super) fn answer(&self, overlay: &mut dyn Overlay, script: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for token in script.split_whitespace() {
            let key = key(token);
            let reaction = if overlay.takes_text() {
                overlay.on_key(key, &self.scene())
            } else {
                match self.keymap.action(key, &[Context::Question]) {
                    Some(Action::Question(key)) => overlay.on_question_key(key, &self.scene()),
                    _ => continue,
                }
            };
            if let Reaction::Act(more) | Reaction::Close(more) = reaction {
                effects.extend(more);
            }
        }
        effects
    }

    /// Types a key script (`j`, `Enter`, `C-s`, `space`, separated by blanks); what was
    /// asked for comes back.
    pub(super) fn press(&self, overlay: &mut dyn Overlay, script: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        for token in script.split_whitespace() {
            match overlay.on_key(key(token), &self.scene()) {
                Reaction::Act(more) | Reaction::Close(more) => effects.extend(more),
                _ => {}
            }
        }
        effects
    }

    /// Whether a key closes the overlay.
    pub(super) fn closes(&self, overlay: &mut dyn Overlay, token: &str) -> bool {
        matches!(
            overlay.on_key(key(token), &self.scene()),
            Reaction::Close(_)
        )
    }

    /// The overlay that a key opens.
    pub(super) fn opens(&self, overlay: &mut dyn Overlay, token: &str) -> Box<dyn Overlay> {
        match overlay.on_key(key(token), &self.scene()) {
            Reaction::Open(other) => other,
            _ => panic!("{token} opened nothing"),
        }
    }

    /// Reports an event.
    pub(super) fn report(&self, overlay: &mut dyn Overlay, event: &AgentEvent) -> Reaction {
        overlay.on_event(event, &self.scene())
    }
}

/// The sizes at which every screen is on record.
pub(super) const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (40, 12), (20, 6)];

/// Compares a screen with what is on record of it, at all of [`SIZES`], and draws it at
/// every other size.
macro_rules! assert_looks {
    ($name:literal, $stage:expr, $overlay:expr) => {{
        let overlay: &mut dyn crate::tui::overlay::Overlay = $overlay;
        for (width, height) in crate::tui::overlay::fixture::SIZES {
            let name = format!(concat!($name, "_{}x{}"), width, height);
            insta::assert_snapshot!(name, $stage.draw(overlay, width, height));
        }
        crate::tui::overlay::fixture::assert_safe_at_all_sizes(&$stage, overlay);
    }};
}

pub(super) use assert_looks;

/// No size panics and nothing on any screen is a control or bidi character.
pub(super) fn assert_safe_at_all_sizes(stage: &OverlayStage, overlay: &mut dyn Overlay) {
    let small = (1..=22).flat_map(|width| (1..=8).map(move |height| (width, height)));
    let widths = [33, 40, 55, 71, 72, 99, 100, 110, 120, 200];
    let large = widths.map(|width| [12, 24, 40, 60].map(|height| (width, height)));
    for (width, height) in small.chain(large.into_iter().flatten()) {
        let screen = stage.draw(overlay, width, height);
        let bad = screen
            .chars()
            .find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
        assert_eq!(bad, None, "at {width}×{height}");
    }
}

/// A buffer as text, rows trimmed at the end.
pub(super) fn rows(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut out = String::new();
    for y in area.top()..area.bottom() {
        let mut row = String::new();
        let mut skip = 0;
        for x in area.left()..area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer.cell((x, y)).map_or(" ", |cell| cell.symbol());
            skip = crate::tui::render::wrap::width(symbol).saturating_sub(1);
            row.push_str(symbol);
        }
        out.push_str(row.trim_end());
        out.push('\n');
    }
    out
}

/// A key by its name in a script.
pub(super) fn key(token: &str) -> KeyEvent {
    let (code, modifiers) = match token {
        "Enter" => (KeyCode::Enter, KeyModifiers::NONE),
        "Esc" => (KeyCode::Esc, KeyModifiers::NONE),
        "Tab" => (KeyCode::Tab, KeyModifiers::NONE),
        "BackTab" => (KeyCode::BackTab, KeyModifiers::SHIFT),
        "Up" => (KeyCode::Up, KeyModifiers::NONE),
        "Down" => (KeyCode::Down, KeyModifiers::NONE),
        "Left" => (KeyCode::Left, KeyModifiers::NONE),
        "Right" => (KeyCode::Right, KeyModifiers::NONE),
        "Backspace" => (KeyCode::Backspace, KeyModifiers::NONE),
        "PgDn" => (KeyCode::PageDown, KeyModifiers::NONE),
        "End" => (KeyCode::End, KeyModifiers::NONE),
        "space" => (KeyCode::Char(' '), KeyModifiers::NONE),
        other => match other.strip_prefix("C-") {
            Some(c) => (char_code(c), KeyModifiers::CONTROL),
            None => (char_code(other), KeyModifiers::NONE),
        },
    };
    KeyEvent::new(code, modifiers)
}

fn char_code(text: &str) -> KeyCode {
    KeyCode::Char(text.chars().next().unwrap())
}

/// An item that is sent as it is.
pub(super) fn item(
    id: Option<&str>,
    role: Role,
    category: Category,
    tokens: u64,
    turn: u32,
    preview: &str,
) -> ViewItem {
    ViewItem {
        entry: id.map(EntryId::new),
        role,
        category,
        tokens,
        estimate_tokens: tokens,
        full: FullSize::estimated(tokens),
        author: Author::Person,
        disposition: Disposition::Sent,
        reason: None,
        cut_by: None,
        turn,
        entry_override: None,
        timestamp: id.map(|_| Timestamp(NOW - 600_000)),
        preview: preview.into(),
        sent: None,
    }
}

fn left(
    id: &str,
    disposition: Disposition,
    compaction: Option<&str>,
    tokens_full: u64,
    turn: u32,
    preview: &str,
) -> LeftOut {
    LeftOut {
        is_told: true,
        entry: EntryId::new(id),
        disposition,
        reason: format!("{} by the compaction or by hand", disposition.name()),
        tokens_full,
        compaction: compaction.map(EntryId::new),
        turn,
        preview: preview.into(),
    }
}

/// A rule that counts, in the window.
pub(super) fn rule(id: &str, text: &str, source: &str) -> RuleStanding {
    RuleStanding {
        rule: Arc::new(Rule {
            id: RuleId::new(id),
            text: text.to_owned(),
            source: EntryId::new(source),
            state: RuleState::Active,
            reason: String::new(),
            is_confirmed: false,
            uses: 1,
        }),
        tokens: 12,
        place: RulePlace::InWindow,
    }
}

/// A tool result with one text.
pub(super) fn result(text: &str) -> Message {
    Message::ToolResult(ToolResult {
        content: vec![Part::Text(text.to_owned())],
        ..ToolResult::default()
    })
}

/// A view of these items with totals that add up.
pub(super) fn view(items: Vec<ViewItem>, left_out: Vec<LeftOut>) -> ContextView {
    let mut by_category = ByCategory::default();
    for item in &items {
        by_category.add(item.category, item.tokens);
    }
    ContextView {
        window: WindowReport {
            tokens: Some(200_000),
            source: WindowSource::Catalogue,
            reserved: 20_000,
            usable: 180_000,
            load_line: 180_000,
            load_line_effective: 150_000,
            ..WindowReport::default()
        },
        ruler: RulerReport {
            name: "o200k_base",
            calibration: 1.0,
            fixed_tokens: 0.0,
            margin: 1.2,
            samples: 2,
        },
        usage: UsageReport {
            tokens: by_category.total(),
            exact: false,
            measured_tokens: 0,
            by_category,
        },
        items: items.into_iter().map(Arc::new).collect(),
        left_out: left_out.into_iter().map(Arc::new).collect(),
        repair: RepairReport::default(),
        guard: GuardReport::default(),
        prune: PruneReport {
            policy: "soft-hard",
            trimmed: 1,
            cleared: 1,
            tokens_saved: 50_283,
            would_free: 12_100,
            would_give_up: 30_000,
            cache_secs_left: Some(252),
            ..PruneReport::default()
        },
        compaction: CompactionOutlook {
            compacts_at: Some(150_000),
            ..CompactionOutlook::default()
        },
        rules: crate::context::rules::RulesReport::default(),
        frame: FrameText {
            system: Arc::from("You are a careful engineer.\n\nWork in small steps."),
            memory: None,
            skills: None,
            servers: Arc::default(),
            tools: Arc::from([ToolSchema {
                name: "read".to_owned(),
                description: "Reads a file.\nLong ones in pages.".to_owned(),
                parameters: serde_json::json!({"type": "object", "required": ["path"]}),
            }]),
        },
    }
}
