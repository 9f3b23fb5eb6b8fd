use super::*;

fn offered(text: &str) -> Vec<String> {
    let mut completion = Completion::default();
    completion.files.set(
        [
            "src/main.rs",
            "src/tui/model.rs",
            "README.md",
            "docs/",
            "docs/my notes.txt",
        ]
        .map(str::to_owned)
        .to_vec(),
    );
    let mut buffer = Buffer::default();
    buffer.insert(text);
    completion.follow(&buffer, &["dark".to_owned(), "light".to_owned()]);
    let items = completion.popup().map(|popup| popup.items.clone());
    items
        .unwrap_or_default()
        .into_iter()
        .map(|item| item.insert.trim_end().to_owned())
        .collect()
}

#[test]
fn offers_what_fits_the_word_at_the_caret() {
    assert_eq!(offered("/compa"), ["/compact", "/uncompact"]);
    assert_eq!(offered("/theme l"), ["light"]);
    assert_eq!(offered("/compact --y"), ["--yes"]);
    assert_eq!(offered("see @main"), ["@src/main.rs"]);
    assert_eq!(offered("see @tuimod"), ["@src/tui/model.rs"]);
    assert_eq!(offered("see @docs"), ["@docs/", "@\"docs/my notes.txt\""]);
    assert!(offered("mail me@main").is_empty());
    assert!(offered("plain").is_empty());
    assert!(offered("text\n/compa").is_empty());
}

#[test]
fn slash_prune_does_not_offer_slash_pruned_first() {
    assert_eq!(offered("/prune"), ["/prune", "/pruned"]);
    assert_eq!(offered("/q").first().map(String::as_str), Some("/quit"));
}

#[test]
fn a_dismissed_list_stays_closed_for_that_word() {
    let mut completion = Completion::default();
    let mut buffer = Buffer::default();
    buffer.insert("/co");
    completion.follow(&buffer, &[]);
    assert!(completion.popup().is_some());
    completion.dismiss(&buffer);
    completion.follow(&buffer, &[]);
    assert!(completion.popup().is_none());
    buffer.insert("m");
    completion.follow(&buffer, &[]);
    assert!(completion.popup().is_some());
}

#[test]
fn accepting_replaces_the_word() {
    let mut completion = Completion::default();
    completion.files.set(vec!["a.rs".to_owned()]);
    let mut buffer = Buffer::default();
    buffer.insert("look at @a");
    completion.follow(&buffer, &[]);
    let accepted = completion.accept(&mut buffer).unwrap();
    assert_eq!(accepted.0, Kind::File);
    assert_eq!(buffer.text(), "look at @a.rs ");
}

#[test]
fn files_are_asked_for_once() {
    let mut completion = Completion::default();
    let mut buffer = Buffer::default();
    buffer.insert("@");
    assert!(completion.follow(&buffer, &[]));
    assert!(!completion.follow(&buffer, &[]));
}

#[test]
fn a_command_of_ones_own_that_begins_so_comes_before_one_that_only_contains_it() {
    let own = ["git:review", "widen"].map(|name| Item {
        insert: format!("/{name}"),
        label: format!("/{name} "),
        detail: String::new(),
    });
    let mut completion = Completion {
        own: own.to_vec(),
        ..Completion::default()
    };
    let mut first = |text: &str| {
        let mut buffer = Buffer::default();
        buffer.insert(text);
        completion.follow(&buffer, &[]);
        let popup = completion.popup();
        popup.and_then(|popup| Some(popup.items.first()?.insert.trim_end().to_owned()))
    };
    assert_eq!(first("/gi").as_deref(), Some("/git:review"));
    assert_eq!(first("/wid").as_deref(), Some("/widen"));
    // What is typed in full is meant, also by its other name.
    assert_eq!(first("/ctx").as_deref(), Some("/context"));
}

#[test]
fn letters_left_out_find_a_command_and_beginnings_come_first() {
    assert_eq!(
        offered("/cmpct").first().map(String::as_str),
        Some("/compact")
    );
    assert_eq!(
        offered("/sumary").first().map(String::as_str),
        Some("/summary")
    );
    let found = offered("/comp");
    assert_eq!(found.first().map(String::as_str), Some("/compact"));
    assert!(offered("/zzz").is_empty());
    // Two letters are in nearly every name.
    assert!(offered("/qt").is_empty());
}

#[test]
fn a_wrong_command_is_answered_with_the_one_that_was_meant() {
    let completion = Completion::default();
    for (typed, meant) in [
        ("compcat", Some("compact")),
        ("cmpct", Some("compact")),
        ("sumary", Some("summary")),
        ("contxt", Some("context")),
        ("xyzzyx", None),
    ] {
        assert_eq!(completion.meant(typed).as_deref(), meant, "{typed}");
    }
}
