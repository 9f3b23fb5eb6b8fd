use super::*;

/// The text after Esc and these commands, the caret as `|`.
fn after(text: &str, commands: &str) -> String {
    let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
    buffer.insert(text);
    vi.escape(&mut buffer);
    for c in commands.chars() {
        match vi.mode() {
            Mode::Normal => assert_eq!(vi.on_char(c, &mut buffer), ViStep::Done, "{c}"),
            Mode::Insert if c == '⎋' => _ = vi.escape(&mut buffer),
            Mode::Insert => buffer.insert(&c.to_string()),
        }
    }
    let before = buffer.text_in(0..buffer.caret());
    let behind = buffer.text_in(buffer.caret()..buffer.pieces().len());
    format!("{before}|{behind}")
}

#[test]
fn motions() {
    for (commands, expected) in [
        ("", "one two, thre|e"),
        ("0", "|one two, three"),
        ("0w", "one |two, three"),
        ("0ww", "one two|, three"),
        ("03w", "one two, |three"),
        ("0e", "on|e two, three"),
        ("0ee", "one tw|o, three"),
        ("bb", "one |two, three"),
        ("hhl", "one two, thr|ee"),
        ("0$", "one two, thre|e"),
        ("0hh", "|one two, three"),
        ("gg", "|one two, three"),
        ("99l", "one two, thre|e"),
    ] {
        assert_eq!(after("one two, three", commands), expected, "{commands}");
    }
}

#[test]
fn operators_and_lines() {
    for (text, commands, expected) in [
        ("one two", "0dw", "|two"),
        ("one two", "bdw", "one| "),
        ("one two", "0cwsix⎋", "si|x two"),
        ("one two", "0x", "|ne two"),
        ("one two", "02x", "|e two"),
        ("one two", "0D", "|"),
        ("one two", "db", "one |o"),
        ("one two", "0de", "| two"),
        ("one two", "0ywP", "one| one two"),
        ("a\nb\nc", "ggdd", "|b\nc"),
        ("a\nb\nc", "dd", "a\n|b"),
        ("a\nb\nc", "gg2dd", "|c"),
        ("a\nb", "ggddp", "b\n|a"),
        ("a\nb", "ggyyp", "a\n|a\nb"),
        ("a\nb", "yyP", "a\n|b\nb"),
        ("a\nb", "ggcczz⎋", "z|z\nb"),
        ("a", "ob⎋", "a\n|b"),
        ("a", "Ob⎋", "|b\na"),
        ("ab", "0ax⎋", "a|xb"),
        ("ab", "Ix⎋", "|xab"),
        ("ab", "0Ax⎋", "ab|x"),
        ("ab", "0xu", "|ab"),
        ("", "xdddw", "|"),
    ] {
        assert_eq!(after(text, commands), expected, "{text:?} {commands}");
    }
}

#[test]
fn searches_inside_a_line() {
    for (commands, expected) in [
        ("0fb", "a|b.ab.ab"),
        ("02fb", "ab.a|b.ab"),
        ("0f.;", "ab.ab|.ab"),
        ("0f.;,", "ab|.ab.ab"),
        ("0t.", "a|b.ab.ab"),
        ("0t.;", "ab.a|b.ab"),
        ("F.", "ab.ab|.ab"),
        ("T.", "ab.ab.|ab"),
        ("T.;", "ab.|ab.ab"),
        ("0fz", "|ab.ab.ab"),
        ("0df.", "|ab.ab"),
        ("0dt.", "|.ab.ab"),
        ("0d2f.", "|ab"),
        ("dF.", "ab.ab|b"),
        ("0ct.x⎋", "|x.ab.ab"),
    ] {
        assert_eq!(after("ab.ab.ab", commands), expected, "{commands}");
    }
}

#[test]
fn text_objects() {
    for (text, commands, expected) in [
        ("one two, three", "0wciwsix⎋", "one si|x, three"),
        ("one two three", "0wdaw", "one |three"),
        ("one two", "daw", "on|e"),
        ("one  two", "03ldaw", "on|e"),
        ("a/b-c d", "0diW", "| d"),
        ("say \"a b\" to", "0fadi\"", "say \"|\" to"),
        ("say \"a b\" to", "0di\"", "say \"|\" to"),
        ("say 'a b' to", "0da'", "say | to"),
        ("f(a, (b), c)", "0fadi(", "f(|)"),
        ("f(a, (b), c)", "0fbcibx⎋", "f(a, (|x), c)"),
        ("f(a, (b), c)", "0f)lda(", "|f"),
        ("f(a", "di(", "f(|a"),
        ("{\na\n}", "ggwdiB", "{|}"),
        ("[a]", "0yi[P", "[|aa]"),
        ("", "diwda(ciw⎋", "|"),
    ] {
        assert_eq!(after(text, commands), expected, "{text:?} {commands}");
    }
}

#[test]
fn replacing_swapping_and_joining() {
    for (text, commands, expected) in [
        ("abc", "0rx", "|xbc"),
        ("abc", "02rx", "x|xc"),
        ("abc", "09rx", "|abc"),
        ("aBc", "03~", "Ab|C"),
        ("abc", "0sx⎋", "|xbc"),
        ("a\n  b", "ggJ", "a| b"),
        ("a", "J", "|a"),
        ("a\nb\nc", "ggdj", "|c"),
        ("a\nb\nc", "dk", "|a"),
        ("a.b c", "0dW", "|c"),
        ("a.b c", "0Ex", "a.| c"),
        ("a\nb", "ggYp", "a\n|a\nb"),
    ] {
        assert_eq!(after(text, commands), expected, "{text:?} {commands}");
    }
}

#[test]
fn what_is_no_command_takes_its_argument_with_it() {
    for commands in ["\"d", "md", "d\"", "qD", "zD", "dgx"] {
        assert_eq!(after("one", commands), "on|e", "{commands}");
    }
}

#[test]
fn v_goes_on_in_the_editor() {
    let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
    buffer.insert("one");
    vi.escape(&mut buffer);
    assert_eq!(vi.on_char('v', &mut buffer), ViStep::Editor);
}

#[test]
fn an_operator_that_waits_is_given_up_with_escape() {
    let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
    buffer.insert("one two");
    assert!(vi.escape(&mut buffer));
    vi.on_char('d', &mut buffer);
    assert!(vi.escape(&mut buffer), "the operator is forgotten");
    vi.on_char('0', &mut buffer);
    assert_eq!(buffer.text(), "one two");
    assert!(!vi.escape(&mut buffer), "nothing left to leave");
}

proptest::proptest! {
    #[test]
    fn any_command_leaves_a_caret_inside_the_text(text in "[a-c ,\n漢]{0,12}", commands in "[hlwbeWE0$xsdycDCSJYpPuiaIAoOgGfFtT;,r~jk\"(1-3 ⎋]{0,16}") {
        let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
        buffer.insert(&text);
        vi.escape(&mut buffer);
        for c in commands.chars() {
            match (vi.mode(), c) {
                (_, '⎋') => _ = vi.escape(&mut buffer),
                (Mode::Normal, c) => _ = vi.on_char(c, &mut buffer),
                (Mode::Insert, c) => buffer.insert(&c.to_string()),
            }
            proptest::prop_assert!(buffer.caret() <= buffer.pieces().len());
        }
    }
}
