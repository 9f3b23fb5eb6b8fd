use proptest::prelude::*;
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::*;
use crate::tui::render::wrap;

fn rows(text: &str, width: u16) -> Vec<String> {
    render(text, width, &Theme::default(), &Highlighter::new())
        .iter()
        .map(plain)
        .collect()
}

fn plain(line: &Line<'_>) -> String {
    line.spans
        .iter()
        .map(|span| span.content.as_ref())
        .collect::<String>()
}

#[track_caller]
fn check(text: &str, width: u16, expected: &[&str]) {
    assert_eq!(rows(text, width), expected, "{text:?}");
}

#[test]
fn blocks_are_separated_by_one_row() {
    check(
        "# Title\ntext\n\nmore\n",
        40,
        &["Title", "", "text", "", "more"],
    );
    check("\n\n\na\n\n\n\nb", 40, &["a", "", "b"]);
    check("a\nb  \nc", 40, &["a", "b", "c"]);
    check("a\n\n---\n\nb", 4, &["a", "", "────", "", "b"]);
    check("", 40, &[]);
}

#[test]
fn lists_nest_and_count() {
    check("- a\n- b\n  - c\n- d", 40, &["• a", "• b", "  ◦ c", "• d"]);
    check("1. a\n1. b\n1. c", 40, &["1. a", "2. b", "3. c"]);
    check("7. a\n8. b\n", 40, &["7. a", "8. b"]);
    check("- a\n\n- b", 40, &["• a", "", "• b"]);
    check(
        "- a\n\n  more\n\n- b",
        40,
        &["• a", "", "  more", "", "• b"],
    );
    check("- [ ] open\n- [x] done", 40, &["• ☐ open", "• ☑ done"]);
    check(
        "Steps:\n- a\n- b\n\nend",
        40,
        &["Steps:", "• a", "• b", "", "end"],
    );
    check("- one two three", 9, &["• one two", "  three"]);
}

#[test]
fn code_keeps_its_fence_and_its_blanks() {
    check(
        "```rust\nfn a() {\n    b\n}\n```\nend",
        40,
        &["```rust", "fn a() {", "    b", "}", "```", "", "end"],
    );
    check(
        "a\n```\n\n# no heading\n```",
        40,
        &["a", "", "```", "", "# no heading", "```"],
    );
    check("```\nopen", 40, &["```", "open"]);
    check(
        "1. a\n   ```sh\n   ls\n   ```\n2. b",
        40,
        &["1. a", "   ```sh", "   ls", "   ```", "2. b"],
    );
    check("~~~\n```\n~~~", 40, &["```", "```", "```"]);
    check("```\n\ta\n```", 40, &["```", "    a", "```"]);
}

#[test]
fn quotes_carry_their_bar() {
    check("> a\n>\n> b", 40, &["│ a", "│", "│ b"]);
    check("> one two", 7, &["│ one", "│ two"]);
}

#[test]
fn links_show_where_they_go() {
    check(
        "[text](https://a.example)",
        60,
        &["text (https://a.example)"],
    );
    check("<https://a.example>", 60, &["https://a.example"]);
    check("![alt](b.png)", 60, &["image: alt (b.png)"]);
    check(
        "see [x]\n\n[x]: https://a.example",
        60,
        &["see x (https://a.example)", "", "[x]: https://a.example"],
    );
}

#[test]
fn tables_fit_or_become_records() {
    let table = "| a | bb |\n|---|---:|\n| 1 | 2 |\n| long | 3 |";
    check(
        table,
        40,
        &["a    │ bb", "─────┼───", "1    │  2", "long │  3"],
    );
    check(
        "|head|text|\n|-|-|\n|a|one two three|",
        16,
        &[
            "head │ text",
            "─────┼──────────",
            "a    │ one two",
            "     │ three",
        ],
    );
    check(
        "|h|i|j|\n|-|-|-|\n|aaaaaa|bbbbbb|cccccc|",
        10,
        &["h: aaaaaa", "i: bbbbbb", "j: cccccc"],
    );
}

#[test]
fn emphasis_is_an_attribute() {
    let lines = render(
        "**b** *i* ~~s~~ `c`",
        40,
        &Theme::default(),
        &Highlighter::new(),
    );
    let has = |word: &str, modifier| {
        lines
            .iter()
            .flat_map(|line| &line.spans)
            .any(|span| span.content.contains(word) && span.style.add_modifier.contains(modifier))
    };
    assert!(has("b", Modifier::BOLD) && has("i", Modifier::ITALIC));
    assert!(has("s", Modifier::CROSSED_OUT));
}

#[test]
fn foreign_control_characters_are_shown() {
    let all = rows(
        "a \u{1b}[2J &#27;]0;t&#7; `\u{202e}x`\n```\u{1b}c\n\u{9b}1m\n```",
        60,
    )
    .join("\n");
    assert!(!all.chars().any(|c| c.is_control() && c != '\n'), "{all:?}");
    assert!(all.contains('␛') && all.contains("\\u{202e}"));
}

#[test]
fn hostile_nesting_stays_in_bounds() {
    for hostile in [
        ">".repeat(5_000) + " deep",
        "- ".repeat(2_000) + "deep",
        "[".repeat(5_000) + "deep",
        "**".repeat(5_000) + "deep",
        "* a\n".repeat(3_000),
        (0..200)
            .flat_map(|depth| {
                [
                    "  ".repeat(depth),
                    "- x
"
                    .to_owned(),
                ]
            })
            .collect(),
        "|a".repeat(3_000) + "\n" + &"|-".repeat(3_000),
        "word".repeat(30_000),
    ] {
        for line in render(&hostile, 20, &Theme::default(), &Highlighter::new()) {
            assert!(wrap::width(&plain(&line)) <= 20, "{line:?}");
        }
    }
}

#[test]
fn what_is_finished_is_not_rendered_again() {
    let (theme, highlighter) = (Theme::default(), Highlighter::new());
    let mut stream = MarkdownStream::new();
    stream.push("para\n\n- a\n- b\n```rust\nlet a = 1;\nlet b");
    stream.lines(40, &theme, &highlighter);
    let finished = stream.finished;
    assert_eq!(plain(&stream.lines[finished - 1]), "let a = 1;");
    stream.push(" = 2;\n");
    assert_eq!(stream.lines(40, &theme, &highlighter).len(), finished + 1);
    // A new width renders everything again.
    assert!(
        stream
            .lines(6, &theme, &highlighter)
            .iter()
            .all(|l| wrap::width(&plain(l)) <= 6)
    );
    assert!(stream.text().ends_with("2;\n"));
}

#[test]
fn a_long_paragraph_is_finished_in_pieces() {
    let mut stream = MarkdownStream::new();
    for _ in 0..10_000 {
        stream.push("word ");
    }
    stream.lines(80, &Theme::default(), &Highlighter::new());
    assert!(stream.lines.len() - stream.finished < 200);
}

/// Pieces that models write, and the ways in which they go wrong.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec![
            "para text here\n",
            "\n",
            "\n\n",
            "- item\n",
            "  - nested\n",
            "1. one\n",
            "2. two\n",
            "# Head\n",
            "```rust\n",
            "```\n",
            "~~~\n",
            "let x = 1; // c\n",
            "> quote\n",
            "    code\n",
            "| a | b |\n",
            "|---|---|\n",
            "---\n",
            "**bold",
            "** ",
            "`code` ",
            "[l](u) ",
            "<b>\n",
            "\t tab\n",
            "\r\n",
            "漢字かな ",
            "👩‍👩‍👧 ",
            "   ```\n",
            "[r]: x\n",
            "* * *\n",
            "text",
        ])
        .prop_map(str::to_owned),
        "[a-z \\-#>|*`\n]{0,20}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn any_chunking_gives_the_same_lines(
        pieces in proptest::collection::vec(piece(), 0..25),
        width in 2u16..60,
        cuts in proptest::collection::vec(1usize..9, 1..8),
    ) {
        let text = pieces.concat();
        let (theme, highlighter) = (Theme::default(), Highlighter::new());
        let whole = render(&text, width, &theme, &highlighter);
        let mut stream = MarkdownStream::new();
        let mut chars = text.chars().peekable();
        for cut in cuts.iter().cycle() {
            if chars.peek().is_none() {
                break;
            }
            let delta: String = chars.by_ref().take(*cut).collect();
            stream.push(&delta);
            stream.lines(width, &theme, &highlighter);
        }
        prop_assert_eq!(stream.lines(width, &theme, &highlighter), &whole[..]);
        for line in &whole {
            prop_assert!(wrap::width(&plain(line)) <= usize::from(width), "{:?}", line);
            prop_assert!(!plain(line).contains(char::is_control));
        }
    }
}

#[test]
fn code_is_coloured_when_the_grammars_arrive() {
    let (theme, highlighter) = (Theme::default(), Highlighter::new());
    let mut stream = MarkdownStream::new();
    stream.push("```rust\nlet a = 1; // one\n```\n- x\n  ```rust\n  let b;\n  ```\n");
    let cold = stream.lines(40, &theme, &highlighter).to_vec();
    highlighter.warm("rust", "");
    let warm = stream.lines(40, &theme, &highlighter);
    assert_eq!(
        cold.iter().map(plain).collect::<Vec<_>>(),
        warm.iter().map(plain).collect::<Vec<_>>()
    );
    let coloured = |lines: &[Line<'_>]| {
        let spans = lines.iter().flat_map(|line| &line.spans);
        spans
            .filter(|span| span.style == theme.syntax_keyword)
            .count()
    };
    assert_eq!((coloured(&cold), coloured(warm)), (0, 2));
}

#[test]
fn a_page_of_everything() {
    check(
        "# Plan for *it*\nShort.\n\n> a quote\n> - list in it\n\n1. First step is long enough to wrap\n   - nested\n\
         2. Second\n\n   para\n\n3. Third\n\n<b>x</b>\n***\n    code\n\nSetext\n======\nlast\n10. no list\n",
        24,
        &[
            "Plan for it",
            "",
            "Short.",
            "",
            "│ a quote",
            "│",
            "│ • list in it",
            "",
            "1. First step is long",
            "   enough to wrap",
            "   ◦ nested",
            "2. Second",
            "",
            "   para",
            "",
            "3. Third",
            "",
            "<b>x</b>",
            "",
            "────────────────────────",
            "",
            "```",
            "code",
            "```",
            "",
            "Setext",
            "",
            "last",
            "10. no list",
        ],
    );
}
