use super::*;

fn text(line: &Line<'_>) -> String {
    line.spans
        .iter()
        .map(|span| span.content.as_ref())
        .collect()
}

fn style_of(lines: &[Line<'_>], word: &str) -> Option<Style> {
    lines
        .iter()
        .flat_map(|line| &line.spans)
        .find(|span| span.content.contains(word))
        .map(|span| span.style)
}

#[test]
fn plain_until_warm_then_coloured_from_the_theme() {
    let theme = Theme::default();
    let highlighter = Highlighter::new();
    let code = "// note\nfn main() { let x = \"s\"; }\n";
    let cold = highlighter.highlight(code, "rust", &theme);
    assert!(!highlighter.is_ready());
    assert_eq!(cold.len(), 2);
    let before = highlighter.generation();

    highlighter.clone().warm("rust", code);
    assert!(highlighter.is_ready());
    assert_ne!(highlighter.generation(), before);
    let warm = highlighter.highlight(code, "rs", &theme);
    let texts = |lines: &[Line<'_>]| lines.iter().map(text).collect::<Vec<_>>();
    assert_eq!(texts(&cold), texts(&warm));
    assert_eq!(style_of(&warm, "note"), Some(theme.syntax_comment));
    assert_eq!(style_of(&warm, "let"), Some(theme.syntax_keyword));
    assert_eq!(style_of(&warm, "main"), Some(theme.syntax_function));
    assert_eq!(style_of(&warm, "s\""), Some(theme.syntax_string));

    // Hostile lines: endless, or with control characters.
    let long = format!("let a = \"{}\";", "x".repeat(100_000));
    assert_eq!(highlighter.highlight(&long, "rust", &theme).len(), 1);
    let escape = highlighter.highlight("let a = \"\u{1b}[2J\"; \tx", "rust", &theme);
    assert!(
        escape
            .iter()
            .all(|line| !text(line).contains(char::is_control))
    );
    assert_eq!(
        highlighter
            .highlight("who knows", "no-such-language", &theme)
            .len(),
        1
    );

    // A language that was not prepared comes on a thread of its own.
    let generation = highlighter.generation();
    highlighter.highlight("SELECT 1;", "sql", &theme);
    while highlighter.generation() == generation {
        std::thread::yield_now();
    }
    let sql = highlighter.highlight("SELECT 1;", "sql", &theme);
    assert_eq!(style_of(&sql, "SELECT"), Some(theme.syntax_keyword));
}

#[test]
fn grammars_are_loaded_when_code_first_appears_and_somebody_is_told() {
    let theme = Theme::default();
    let highlighter = Highlighter::new();
    let (sender, woken) = std::sync::mpsc::channel();
    highlighter.load_on_demand(move || {
        let _ = sender.send(());
    });
    let patience = std::time::Duration::from_secs(30);
    // What is no code needs no grammar.
    highlighter.highlight("a b c", "", &theme);
    highlighter.highlight("a b c", "text", &theme);
    assert!(!highlighter.shared.is_loading.load(Ordering::Acquire));

    let code = "let x = 1;\n";
    highlighter.highlight(code, "rust", &theme);
    woken.recv_timeout(patience).unwrap();
    let rust = highlighter.highlight(code, "rust", &theme);
    assert_eq!(style_of(&rust, "let"), Some(theme.syntax_keyword));
    // Another language later: told as well.
    highlighter.highlight("def f(): pass", "python", &theme);
    woken.recv_timeout(patience).unwrap();
    let python = highlighter.highlight("def f(): pass", "python", &theme);
    assert_eq!(style_of(&python, "def"), Some(theme.syntax_keyword));
}
