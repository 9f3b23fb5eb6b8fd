use super::*;

fn typed(text: &str) -> Buffer {
    let mut buffer = Buffer::default();
    for c in text.chars() {
        buffer.insert(&c.to_string());
    }
    buffer
}

/// `before` and `after` show the caret as `|`.
#[track_caller]
fn check(before: &str, edit: impl Fn(&mut Buffer), after: &str) {
    let mut buffer = Buffer::default();
    let (left, right) = before.split_once('|').unwrap();
    buffer.insert(left);
    let caret = buffer.caret();
    buffer.insert(right);
    buffer.go_to(caret);
    edit(&mut buffer);
    let (left, right) = (
        buffer.text_in(0..buffer.caret()),
        buffer.text_in(buffer.caret()..buffer.pieces().len()),
    );
    assert_eq!(format!("{left}|{right}"), after);
}

#[test]
fn edits_are_those_of_readline() {
    check("ab|c", |b| b.delete(Motion::Left), "a|c");
    check("ab|c", |b| b.delete(Motion::Right), "ab|");
    check("|", |b| b.delete(Motion::Left), "|");
    check("one two|", |b| b.delete(Motion::WordLeft), "one |");
    check("git co-op|", |b| b.kill(Motion::BigWordLeft), "git |");
    check("a\nbc|d\ne", |b| b.kill(Motion::LineStart), "a\n|d\ne");
    check("a\nb|cd\ne", |b| b.kill(Motion::LineEnd), "a\nb|\ne");
    check("ab|\ncd", |b| b.kill(Motion::LineEnd), "ab|cd");
    check("ab|", Buffer::transpose, "ba|");
    check("one| two", |b| b.go(Motion::WordRight), "one two|");
    check("日本|語", |b| b.delete(Motion::Left), "日|語");
    check("a👩‍👩‍👧|b", |b| b.delete(Motion::Left), "a|b");
    check(
        "one two|",
        |b| {
            b.kill(Motion::WordLeft);
            b.yank();
            b.yank();
        },
        "one twotwo|",
    );
}

#[test]
fn a_combining_mark_joins_its_letter() {
    let mut buffer = typed("e\u{301}");
    assert_eq!(buffer.pieces().len(), 1);
    buffer.delete(Motion::Left);
    assert!(buffer.is_empty());
}

#[test]
fn undo_takes_back_words_and_deletions() {
    let mut buffer = typed("one two");
    buffer.delete(Motion::WordLeft);
    assert!(buffer.undo());
    assert_eq!(buffer.text(), "one two");
    buffer.undo();
    assert!(buffer.text().starts_with("one"));
    while buffer.undo() {}
    assert_eq!(buffer.text(), "");
}

#[test]
fn a_large_paste_folds_and_is_sent_in_full() {
    let paste = "line\r\n".repeat(120);
    let mut buffer = typed("see ");
    buffer.insert_folded(&paste);
    assert_eq!(buffer.pieces().len(), 5);
    assert_eq!(buffer.pieces()[4].shown(), "[pasted 120 lines]");
    assert_eq!(buffer.text(), format!("see {}", "line\n".repeat(120)));
    assert!(buffer.unfold());
    assert_eq!(buffer.pieces().len(), 4 + 5 * 120);
    assert!(!buffer.unfold());
    let mut long = Buffer::default();
    long.insert_folded(&"x".repeat(1_001));
    assert_eq!(long.pieces()[0].shown(), "[pasted 1,001 chars]");
    let mut short = Buffer::default();
    short.insert_folded("a\nb");
    assert_eq!(short.pieces().len(), 3);
}

#[test]
fn history_keeps_the_draft() {
    let mut composer = Composer::new(Draft::default(), vec!["first".into(), "second".into()]);
    composer.buffer.insert("draft");
    assert!(composer.older());
    assert_eq!(composer.buffer.text(), "second");
    assert!(composer.older());
    assert!(!composer.older());
    assert_eq!(composer.buffer.text(), "first");
    assert!(composer.newer());
    assert!(composer.newer());
    assert!(!composer.newer());
    assert_eq!(composer.buffer.text(), "draft");
    composer.take();
    composer.older();
    assert_eq!(composer.buffer.text(), "draft");
}

#[test]
fn a_pause_counts_then_saves_once() {
    let mut composer = Composer::default();
    composer.buffer.insert("hi");
    composer.touch(Timestamp(1_000));
    assert_eq!(composer.pause(Timestamp(1_050)), TypingPause::default());
    let counted = composer.pause(Timestamp(1_150));
    let hi = Some(("hi".to_owned(), Vec::new()));
    assert_eq!((counted.count, counted.save), (hi, None));
    let saved = composer.pause(Timestamp(1_500));
    assert_eq!(
        (saved.count, saved.save),
        (None, Some(Draft::of_text("hi")))
    );
    assert!(!composer.is_waiting());
}

#[test]
fn rows_break_at_words_and_the_caret_follows() {
    let buffer = typed("hello wide 日本語 world");
    let layout = Layout::of(&buffer, 11);
    let rows: Vec<String> = layout
        .rows
        .iter()
        .map(|row| buffer.text_in(row.pieces.clone()))
        .collect();
    assert_eq!(rows, ["hello wide ", "日本語 ", "world"]);
    assert_eq!((layout.caret_row, layout.caret_column), (2, 5));
    let full = typed("abcd");
    let layout = Layout::of(&full, 4);
    assert_eq!((layout.caret_row, layout.caret_column), (1, 0));
    assert_eq!(layout.rows.len(), 2);
    assert_eq!(Layout::of(&Buffer::default(), 0).rows.len(), 1);
    assert_eq!(Layout::of(&buffer, 11).at(&buffer, 1, 3), 12);
}
