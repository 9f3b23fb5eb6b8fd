//! `plim recall`: what was said is found whether or not the context still holds it, and says
//! whether the model may have it.

use super::program::Program;

/// A session in which a file was read, a turn was left, and something was dropped.
fn session() -> Program {
    let plim = Program::new();
    plim.file(
        "ports.txt",
        "gateway_port = 8143\nledger_port = 8144\nqueue_depth = 77\n",
    );
    for words in ["read ports.txt", "the codename is heliotrope-9", "go on"] {
        let ran = plim.say(words);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    plim
}

#[test]
fn a_text_is_found_with_its_address_and_the_address_gives_every_byte() {
    let plim = session();
    let out = plim.run(&["recall", "queue_depth", "--json"]);
    assert_eq!(out.code, 0, "{out:?}");
    let hits = out.json();
    let hit = &hits[0];
    assert_eq!(hit["tool"], "read", "{hits:#}");
    assert_eq!(hit["access"], "in the window");
    assert!(
        hit["snippet"]
            .as_str()
            .unwrap()
            .contains("queue_depth = 77")
    );
    let address = hit["address"].as_str().unwrap();
    let entry = plim.run(&["recall", address, "--json"]).json();
    assert_eq!(entry["entry"], hit["entry"]);
    let text = entry["text"].as_str().unwrap();
    assert!(text.contains("gateway_port = 8143\nledger_port = 8144\nqueue_depth = 77"));
    let plain = plim.run(&["recall", address]);
    assert_eq!(plain.out.trim_end(), text.trim_end());
    // The session before the text, as with `plim pin`.
    let path = plim.session();
    let named = plim.run(&["recall", path.to_str().unwrap(), "heliotrope-9"]);
    assert!(named.out.contains("codename is heliotrope-9"), "{named:?}");
}

#[test]
fn what_the_model_may_not_have_is_found_and_marked() {
    let plim = session();
    let hits = plim.run(&["recall", "heliotrope-9", "--json"]).json();
    let typed = hits.as_array().unwrap().iter();
    let typed = typed.clone().find(|hit| hit["speaker"] == "user").unwrap();
    let id = typed["entry"].as_str().unwrap();
    let dropped = plim.run(&["drop", id]);
    assert_eq!(dropped.code, 0, "{dropped:?}");
    let found = plim.run(&["recall", "codename heliotrope-9"]);
    assert!(
        found.out.contains("[not for the model: dropped]"),
        "{found:?}"
    );
}

#[test]
fn what_is_not_there_is_said() {
    let plim = session();
    let none = plim.run(&["recall", "zanzibar"]);
    assert!(none.out.starts_with("nothing found in "), "{none:?}");
    let beyond = plim.run(&["recall", "r4000"]);
    assert_eq!(beyond.code, 1);
    assert!(beyond.err.contains("there is no entry r4000"), "{beyond:?}");
}
