//! Text to lines: Markdown, code, diffs, tool output. Widths in columns, wrapping at
//! graphemes, foreign control characters made visible.
