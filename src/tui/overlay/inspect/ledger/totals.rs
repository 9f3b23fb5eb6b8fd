//! The lines above the ledger's rows: how full the window is, what fills it, where its
//! limits are, and what pruning did and could do.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::bar;
use super::Ledger;
use super::draw::MEDIUM_ROWS;
use super::index::{LedgerFilter, LedgerIndex, LedgerScope};
use crate::context::{ContextView, Gate, PruneReport};
use crate::transcript::{ServerContext, ServerEdits, lost_reasoning_words};
use crate::tui::marks;
use crate::tui::overlay::{OverlayScene, numbers};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::paint;

/// From this height on the window and prune lines are shown.
const TALL_ROWS: u16 = 18;

const SECS_PER_MINUTE: u64 = 60;

/// From this height on all of them are.
const ROOMY_ROWS: u16 = 22;

/// The parts of the totals.
pub(super) struct Totals<'a> {
    view: &'a ContextView,
    /// Tokens that an override would add or free.
    change: i64,
    /// How long the cache still holds.
    cache_secs: u64,
}

impl<'a> Totals<'a> {
    /// The totals of a view.
    pub(super) fn new(ledger: &Ledger, view: &'a ContextView, scene: &OverlayScene<'_>) -> Self {
        let age = scene.now.secs_since(scene.viewed_at);
        let cache_secs = view.prune.cache_secs_left.unwrap_or(0);
        Self {
            view,
            change: ledger.plan.as_ref().map_or(0, |plan| plan.change),
            cache_secs: cache_secs.saturating_sub(age),
        }
    }

    /// The lines below title and bar; none where there is no room.
    pub(super) fn lines(&self, area: Rect, theme: &Theme) -> Vec<Line<'static>> {
        if area.height < TALL_ROWS {
            return Vec::new();
        }
        let width = inset(area).width;
        let most = if area.height >= ROOMY_ROWS { 6 } else { 3 };
        let groups = [
            window_facts(self.view),
            prune_facts(self.view, self.cache_secs),
        ];
        let facts = packed(&groups, width).into_iter();
        let facts = facts.map(|text| Line::styled(text, theme.dim));
        let legend = bar::legend(&self.view.usage.by_category, width, theme);
        legend.into_iter().take(2).chain(facts).take(most).collect()
    }
}

fn inset(area: Rect) -> Rect {
    Rect {
        x: area.x.saturating_add(1),
        width: area.width.saturating_sub(2),
        ..area
    }
}

/// Draws them; returns how many rows they take.
pub(super) fn totals(
    ledger: &Ledger,
    totals: &Totals<'_>,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) -> u16 {
    let name = match ledger.options.scope {
        LedgerScope::All => "context",
        LedgerScope::Pruned => "pruned",
    };
    let (view, index) = (totals.view, ledger.index());
    let headline = headline(name, index, view, ledger);
    paint::title(buffer, area, &headline, &remark(ledger, index), theme);
    if area.height < MEDIUM_ROWS {
        return 1;
    }
    let inset = inset(area);
    bar::stacked(buffer, inset, 1, view, totals.change, theme);
    let mut top = 2;
    for line in totals.lines(area, theme) {
        paint::line(buffer, inset, (0, top), &line);
        top += 1;
    }
    top
}

fn headline(name: &str, index: &LedgerIndex, view: &ContextView, ledger: &Ledger) -> String {
    if ledger.options.scope == LedgerScope::Pruned {
        return format!(
            "{name} · {} · ~{} tokens not sent",
            numbers::plural(index.count, "message"),
            numbers::grouped(index.tokens_out)
        );
    }
    let about = if view.usage.exact { "" } else { "~" };
    let used = numbers::grouped(view.usage.tokens);
    match view.window.tokens {
        Some(window) => format!(
            "{name} · {}% · {about}{used} of {} tokens",
            numbers::percent(view.usage.tokens, window).unwrap_or(0),
            numbers::grouped(window)
        ),
        None => format!("{name} · {about}{used} tokens · window unknown"),
    }
}

fn remark(ledger: &Ledger, index: &LedgerIndex) -> String {
    let options = &ledger.options;
    let mut out = numbers::plural(index.count, "row");
    out.push_str(" · by ");
    out.push_str(options.sort.name());
    if options.by_turn {
        out.push_str(" in turns");
    }
    match options.filter {
        LedgerFilter::Everything => {}
        LedgerFilter::Only(disposition) => {
            out.push_str(" · only ");
            out.push_str(marks::word(disposition));
        }
        LedgerFilter::Pinned => out.push_str(" · only pinned"),
    }
    if !options.words.is_empty() {
        out.push_str(" · /");
        out.push_str(&safe::one_line(&options.words, 20));
    }
    out
}

fn window_facts(view: &ContextView) -> Vec<String> {
    let window = &view.window;
    let mut out = vec![match window.tokens {
        Some(tokens) => format!(
            "window {} ({})",
            numbers::grouped(tokens),
            window.source.name()
        ),
        None => "window unknown: no percent, no automatic compaction".to_owned(),
    }];
    if let (Some(cap), Some(whole)) = (window.capped_by, window.uncapped_tokens) {
        let whole = numbers::short(whole);
        out.push(format!("{} cap, {whole} without it", cap.name()));
    }
    if window.load_line > 0 {
        let line = numbers::grouped(window.load_line);
        out.push(match view.compaction.compacts_at {
            None => "automatic compaction off".to_owned(),
            Some(at) if at == window.load_line => format!("compacts at {line}"),
            Some(at) => {
                let safety = numbers::change(window.load_line, at);
                let safety = safety.trim_start_matches('−');
                let at = numbers::grouped(at);
                format!("compacts at {at} ({line} less {safety} safety)")
            }
        });
    }
    out.push(format!(
        "{} reserved for the answer",
        numbers::short(window.reserved)
    ));
    out.extend(server_fact(window.server));
    let ruler = &view.ruler;
    let spread = ((ruler.margin - 1.0) * 100.0).round();
    out.push(match ruler.samples {
        0 => format!("tokenizer {}, not calibrated yet (±{spread}%)", ruler.name),
        samples => format!(
            "tokenizer {}, calibrated on {} (±{spread}%)",
            ruler.name,
            numbers::plural(samples, "response")
        ),
    });
    out
}

/// The server's treatment of the rows after they were sent.
fn server_fact(server: ServerEdits) -> Option<String> {
    let does = match server.context {
        ServerContext::Off => return None,
        ServerContext::ClearToolUses => "the server clears old tool results",
        ServerContext::Compact => "the server summarises old messages",
    };
    Some(match server.from_tokens {
        Some(from) => format!("{does} from {}", numbers::short(from)),
        None => does.to_owned(),
    })
}

fn prune_facts(view: &ContextView, cache_secs: u64) -> Vec<String> {
    let prune = &view.prune;
    let mut out = vec![format!("pruning: {}", prune.policy)];
    out.push(match (prune.gate, cache_secs) {
        (Gate::Off, _) => "automatic pruning is off".to_owned(),
        (Gate::Cold, _) => "prompt cache expired: pruning costs nothing".to_owned(),
        (Gate::Forced, _) => "nearly full: prunes although the cache is valid".to_owned(),
        (Gate::Warm, 0) => "pruning waits for the prompt cache to expire".to_owned(),
        (Gate::Warm, secs) => {
            let minutes = secs.div_ceil(SECS_PER_MINUTE);
            format!("pruning waits: prompt cache valid for {minutes} min")
        }
    });
    if prune.would_free == 0 {
        out.push("nothing to prune now".to_owned());
    } else {
        out.push(would_free(prune));
    }
    if prune.tokens_saved > 0 {
        let saved = numbers::short(prune.tokens_saved);
        let (trimmed, cleared) = (prune.trimmed, prune.cleared);
        out.push(format!(
            "{trimmed} trimmed, {cleared} cleared: {saved} not sent"
        ));
    }
    out
}

fn would_free(prune: &PruneReport) -> String {
    let free = numbers::short(prune.would_free);
    let lost = lost_reasoning_words(prune.would_lose_reasoning);
    match prune.would_give_up {
        0 => format!("/prune frees ~{free}{lost}"),
        cached => {
            let cached = numbers::short(cached);
            format!("/prune frees ~{free}, gives up {cached} cached{lost}")
        }
    }
}

/// Facts on as few lines as they need, broken between facts only; each group starts a
/// line.
fn packed(groups: &[Vec<String>], width: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for group in groups {
        let mut line = String::new();
        for fact in group {
            if !line.is_empty() && wrap::width(&line) + wrap::width(fact) + 3 > usize::from(width) {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push_str(" · ");
            }
            line.push_str(fact);
        }
        lines.push(line);
    }
    let shown = lines.iter();
    shown
        .map(|line| safe::one_line(line, usize::from(width)))
        .collect()
}
