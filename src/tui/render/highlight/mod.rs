//! Syntax highlighting in the colours of the theme.
//!
//! Grammars are large and slow to compile, so nothing is loaded until code appears for the
//! first time, and of each language nothing before code in it does; both on a thread of
//! their own. Until then code is plain. Drawing never waits, and no lock is shared with it.

mod scope;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use self::scope::Rules;
use super::{safe, wrap};
use crate::tui::theme::Theme;

/// A longer line is data, not code, and backtracking grammars are slow on it: plain.
const MAX_LINE_BYTES: usize = 2_000;

/// Lines of one block that are coloured; the rest stays plain. At about ten lines a
/// millisecond this bounds what one block can cost a frame.
const MAX_BLOCK_LINES: usize = 1_000;

/// Bytes of code a background thread reads to prepare a language.
const MAX_SAMPLE_BYTES: usize = 8_000;

/// A sample of signs that most languages have, for one whose code has not arrived yet.
const ANY_SAMPLE: &str = "\n// a\n# b\n/* c */\nif (a == 1) { return f(\"x\", 'y', [1, 2.0]); }\nclass A: pass\n<a b=\"c\">d</a>\nkey: value\n";

const UNTOUCHED: u8 = 0;
const PREPARING: u8 = 1;
const PREPARED: u8 = 2;

/// Colours code. Cheap to make and to clone; clones share the grammars.
#[derive(Clone, Debug, Default)]
pub struct Highlighter {
    shared: Arc<HighlighterState>,
}

#[derive(Debug, Default)]
struct HighlighterState {
    grammars: OnceLock<Grammars>,
    generation: AtomicU64,
    is_loading: AtomicBool,
    wake: OnceLock<LoadedCallback>,
}

/// Called when code may look different than before.
struct LoadedCallback(Box<dyn Fn() + Send + Sync>);

impl fmt::Debug for LoadedCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wake")
    }
}

impl HighlighterState {
    fn changed(&self) {
        self.generation.fetch_add(1, Ordering::Release);
        if let Some(wake) = self.wake.get() {
            (wake.0)();
        }
    }
}

#[derive(Debug)]
struct Grammars {
    set: SyntaxSet,
    /// One state per syntax of the set.
    states: Vec<AtomicU8>,
    rules: Rules,
}

impl Highlighter {
    /// A highlighter that leaves code plain until [`warm`](Self::warm) has run, or for
    /// good when it is not told to [load on demand](Self::load_on_demand).
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on loads what code needs when it first appears. `wake` is called, on
    /// another thread, when code may look different than before.
    pub fn load_on_demand(&self, wake: impl Fn() + Send + Sync + 'static) {
        // Told twice: the first one stays.
        let _ = self.shared.wake.set(LoadedCallback(Box::new(wake)));
    }

    /// Loads the grammars and prepares a language. Takes up to half a second of CPU: call
    /// it on a thread that may wait.
    pub fn warm(&self, language: &str, sample: &str) {
        let grammars = self.shared.grammars.get_or_init(Grammars::load);
        if let Some(index) = grammars.find(language) {
            grammars.prepare(index, &with_any_sample(sample));
        }
        self.shared.changed();
    }

    /// Whether the grammars are loaded.
    pub fn is_ready(&self) -> bool {
        self.shared.grammars.get().is_some()
    }

    /// A number that changes when code may look different than before: rendered lines of
    /// an older generation are worth rendering again.
    pub fn generation(&self) -> u64 {
        self.shared.generation.load(Ordering::Acquire)
    }

    /// Code as styled lines: safe, tabs expanded, not wrapped. Plain when the language is
    /// unknown or not prepared yet.
    pub fn highlight(&self, code: &str, language: &str, theme: &Theme) -> Vec<Line<'static>> {
        let mut state = self.start_with(language, code);
        code.lines().map(|line| state.line(line, theme)).collect()
    }

    /// The start of a block of code whose lines come one by one.
    pub fn start(&self, language: &str) -> LineHighlighter {
        self.start_with(language, "")
    }

    fn start_with(&self, language: &str, sample: &str) -> LineHighlighter {
        let mut state = LineHighlighter {
            shared: Arc::clone(&self.shared),
            parse: None,
            lines: 0,
        };
        let Some(grammars) = self.shared.grammars.get() else {
            self.load_in_background(language, sample);
            return state;
        };
        if let Some(index) = grammars.find(language)
            && let Some(syntax) = grammars.set.syntaxes().get(index)
        {
            if grammars.is_prepared(index) {
                state.parse = Some(Box::new((ParseState::new(syntax), ScopeStack::new())));
            } else {
                self.prepare_in_background(grammars, index, sample);
            }
        }
        state
    }

    fn load_in_background(&self, language: &str, sample: &str) {
        let is_wanted = self.shared.wake.get().is_some() && name(language).is_some();
        if !is_wanted || self.shared.is_loading.swap(true, Ordering::AcqRel) {
            return;
        }
        let (highlighter, language) = (self.clone(), language.to_owned());
        let sample = head(sample).to_owned();
        let loading = std::thread::Builder::new()
            .name("grammars".to_owned())
            .spawn(move || highlighter.warm(&language, &sample));
        if loading.is_err() {
            // Code stays plain until the next try.
            self.shared.is_loading.store(false, Ordering::Release);
        }
    }

    fn prepare_in_background(&self, grammars: &Grammars, index: usize, sample: &str) {
        if !grammars.claim(index) {
            return;
        }
        let shared = Arc::clone(&self.shared);
        let sample = with_any_sample(sample);
        // Without a thread the language stays plain, which is what it was.
        let _ = std::thread::Builder::new()
            .name("grammar".to_owned())
            .spawn(move || {
                if let Some(grammars) = shared.grammars.get() {
                    grammars.prepare(index, &sample);
                    shared.changed();
                }
            });
    }
}

fn head(sample: &str) -> &str {
    sample
        .get(..sample.floor_char_boundary(MAX_SAMPLE_BYTES))
        .unwrap_or_default()
}

fn with_any_sample(sample: &str) -> String {
    format!("{}{ANY_SAMPLE}", head(sample))
}

/// The name under which a language is looked up; `None` for text that is no code.
fn name(language: &str) -> Option<&str> {
    match language.trim().trim_start_matches('.') {
        "" | "text" | "txt" | "plain" | "console" => None,
        "shell" | "sh" | "zsh" => Some("bash"),
        "jsonc" | "json5" | "jsonl" => Some("json"),
        "golang" => Some("go"),
        other => Some(other),
    }
}

/// The state between two lines of one block of code.
#[derive(Clone, Debug)]
pub struct LineHighlighter {
    shared: Arc<HighlighterState>,
    parse: Option<Box<(ParseState, ScopeStack)>>,
    lines: usize,
}

impl LineHighlighter {
    /// Whether the language is known and prepared: other lines come in one style.
    pub fn is_coloured(&self) -> bool {
        self.parse.is_some()
    }

    /// The next line of the block, without its line break.
    pub fn line(&mut self, line: &str, theme: &Theme) -> Line<'static> {
        let shown = safe::visible(line);
        let shown = wrap::expand_tabs(&shown);
        self.lines += 1;
        if self.lines > MAX_BLOCK_LINES || shown.len() > MAX_LINE_BYTES {
            return Line::styled(shown.into_owned(), theme.code);
        }
        match self.coloured(&shown, theme) {
            Some(spans) => Line::from(spans),
            None => Line::styled(shown.into_owned(), theme.code),
        }
    }

    fn coloured(&mut self, line: &str, theme: &Theme) -> Option<Vec<Span<'static>>> {
        let grammars = self.shared.grammars.get()?;
        let (parse, stack) = &mut **self.parse.as_mut()?;
        let Ok(ops) = parse.parse_line(&format!("{line}\n"), &grammars.set) else {
            // A grammar that fails once is not asked again in this block.
            self.parse = None;
            return None;
        };
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut start = 0;
        for (end, op) in &ops {
            let end = (*end).min(line.len());
            push_token(
                &mut spans,
                line.get(start..end),
                grammars.rules.style(stack, theme),
            );
            start = end.max(start);
            if stack.apply(op).is_err() {
                self.parse = None;
                break;
            }
        }
        let rest = self
            .parse
            .as_ref()
            .map_or(theme.code, |state| grammars.rules.style(&state.1, theme));
        push_token(&mut spans, line.get(start..), rest);
        Some(spans)
    }
}

fn push_token(spans: &mut Vec<Span<'static>>, text: Option<&str>, style: Style) {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return;
    };
    match spans.last_mut() {
        Some(last) if last.style == style => last.content.to_mut().push_str(text),
        _ => spans.push(Span::styled(text.to_owned(), style)),
    }
}

impl Grammars {
    fn load() -> Self {
        let set = two_face::syntax::extra_newlines();
        let states = set
            .syntaxes()
            .iter()
            .map(|_| AtomicU8::new(UNTOUCHED))
            .collect();
        Self {
            set,
            states,
            rules: Rules::new(),
        }
    }

    /// The index of a language by extension or name.
    fn find(&self, language: &str) -> Option<usize> {
        let found: &SyntaxReference = self.set.find_syntax_by_token(name(language)?)?;
        self.set
            .syntaxes()
            .iter()
            .position(|syntax| std::ptr::eq(syntax, found))
    }

    fn is_prepared(&self, index: usize) -> bool {
        self.states
            .get(index)
            .is_some_and(|state| state.load(Ordering::Acquire) == PREPARED)
    }

    /// Whether the caller is the one who prepares this language.
    fn claim(&self, index: usize) -> bool {
        self.states.get(index).is_some_and(|state| {
            let (from, to) = (UNTOUCHED, PREPARING);
            state
                .compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire)
                .is_ok()
        })
    }

    /// Parses a sample, which compiles the expressions that it needs.
    fn prepare(&self, index: usize, sample: &str) {
        let (Some(syntax), Some(state)) = (self.set.syntaxes().get(index), self.states.get(index))
        else {
            return;
        };
        let mut parse = ParseState::new(syntax);
        for line in sample
            .split_inclusive('\n')
            .filter(|line| line.len() <= MAX_LINE_BYTES)
        {
            if parse.parse_line(line, &self.set).is_err() {
                break;
            }
        }
        state.store(PREPARED, Ordering::Release);
    }
}
