//! The surroundings of text: quotes and list items, as the prefix of each row.
//!
//! Only the outer containers are drawn, and only while room for text is left, so hostile
//! nesting costs no width.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::render::wrap;

/// Containers deeper than this are drawn without further indentation.
const MAX_DRAWN_NESTING: usize = 6;

/// At least this many columns stay for text inside containers, if there are that many.
const MIN_TEXT_COLUMNS: usize = 12;

/// Room for one wide character, whatever the width.
const WIDE_COLUMNS: usize = 2;

const BULLETS: [&str; 3] = ["• ", "◦ ", "▪ "];
const QUOTE_BAR: &str = "│ ";

enum Container {
    Quote,
    Item {
        /// The marker, until its row is written.
        marker: Option<Span<'static>>,
        columns: usize,
    },
}

impl Container {
    fn columns(&self) -> usize {
        match self {
            Self::Quote => wrap::width(QUOTE_BAR),
            Self::Item { columns, .. } => *columns,
        }
    }
}

/// The stack of containers around the text.
pub(super) struct Nesting {
    containers: Vec<Container>,
    width: usize,
    border: Style,
}

impl Nesting {
    pub(super) fn new(width: u16, border: Style) -> Self {
        Self {
            containers: Vec::new(),
            width: usize::from(width),
            border,
        }
    }

    pub(super) fn push_quote(&mut self) {
        self.containers.push(Container::Quote);
    }

    /// Opens an item at this depth of lists; `number` for ordered ones.
    pub(super) fn push_item(&mut self, depth: usize, number: Option<u64>, style: Style) {
        let bullet = || {
            BULLETS
                .get(depth % BULLETS.len())
                .copied()
                .unwrap_or("• ")
                .to_owned()
        };
        let marker = number.map_or_else(bullet, |number| format!("{number}. "));
        let columns = wrap::width(&marker);
        let marker = Some(Span::styled(marker, style));
        self.containers.push(Container::Item { marker, columns });
    }

    pub(super) fn pop(&mut self) {
        self.containers.pop();
    }

    /// Whether the innermost item has not shown its marker yet.
    pub(super) fn owes_marker(&self) -> bool {
        matches!(
            self.containers.last(),
            Some(Container::Item {
                marker: Some(_),
                ..
            })
        )
    }

    /// Columns left for text, at least 1.
    pub(super) fn room(&self) -> usize {
        let used: usize = self
            .containers
            .iter()
            .take(self.drawn())
            .map(Container::columns)
            .sum();
        self.width.saturating_sub(used).max(1)
    }

    /// How many of the containers are drawn.
    fn drawn(&self) -> usize {
        let reserved = MIN_TEXT_COLUMNS.min(self.width / 2).max(WIDE_COLUMNS);
        let mut columns = 0;
        self.containers
            .iter()
            .take(MAX_DRAWN_NESTING)
            .take_while(|container| {
                columns += container.columns();
                columns + reserved <= self.width
            })
            .count()
    }

    /// The prefix of the next row. Markers are given out once.
    pub(super) fn prefix(&mut self) -> Vec<Span<'static>> {
        let drawn = self.drawn();
        let mut spans = Vec::with_capacity(drawn + 1);
        for (index, container) in self.containers.iter_mut().enumerate() {
            let shown = match container {
                Container::Quote => Some(Span::styled(QUOTE_BAR, self.border)),
                Container::Item { marker, .. } => marker.take(),
            };
            if index < drawn {
                let blanks = || Span::raw(" ".repeat(container.columns()));
                spans.push(shown.unwrap_or_else(blanks));
            }
        }
        spans
    }

    /// The blank row between two blocks: only the bars of quotes go through it.
    pub(super) fn gap_row(&self) -> Line<'static> {
        let mut text = String::new();
        for container in self.containers.iter().take(self.drawn()) {
            match container {
                Container::Quote => text.push_str(QUOTE_BAR),
                Container::Item { columns, .. } => text.push_str(&" ".repeat(*columns)),
            }
        }
        text.truncate(text.trim_end().len());
        if text.is_empty() {
            Line::default()
        } else {
            Line::styled(text, self.border)
        }
    }
}
