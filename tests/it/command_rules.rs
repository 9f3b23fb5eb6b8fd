//! `plim rules`: the list, the acts, and refusals as text and JSON.

use serde_json::Value;

use super::program::Program;

fn rules(plim: &Program) -> Vec<Value> {
    let listed = plim.run(&["rules", "--json"]).json();
    listed["rules"].as_array().unwrap().clone()
}

fn log(plim: &Program) -> Vec<u8> {
    std::fs::read(plim.session()).unwrap()
}

#[test]
fn a_rule_is_added_struck_brought_back_reworded_and_undone() {
    let plim = Program::new();
    assert_eq!(plim.say("hello").code, 0);
    let none = plim.run(&["rules"]);
    assert_eq!(none.code, 0, "{none:?}");
    assert!(none.out.contains("no rules found"), "{none:?}");
    assert!(none.out.contains("`plim rules add TEXT`"), "{none:?}");
    let before = log(&plim);
    assert_eq!(log(&plim), before, "listing changes nothing");
    let added = plim.run(&["rules", "add", "never", "push", "to main"]);
    assert_eq!(added.code, 0, "{added:?}");
    assert!(added.out.starts_with("added r"), "{added:?}");
    assert!(added.out.contains("undo with `plim undo`"), "{added:?}");
    let listed = rules(&plim);
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["text"], "never push to main");
    assert_eq!(listed[0]["state"], "active");
    assert_eq!(listed[0]["confirmed"], true);
    assert_eq!(listed[0]["turn"], Value::Null);
    let id = listed[0]["id"].as_str().unwrap();
    let text = plim.run(&["rules"]);
    assert!(text.out.contains(id) && text.out.contains("never push to main"));
    let state = |expected: &str| assert_eq!(rules(&plim)[0]["state"], expected);
    let short = id.get(..4).unwrap();
    assert_eq!(plim.run(&["rules", "strike", short]).code, 0);
    state("struck");
    let again = plim.run(&["rules", "strike", id]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(again.err.contains("already struck"), "{again:?}");
    let confirm = plim.run(&["rules", "confirm", id]);
    assert!(
        confirm.err.contains("`plim rules restore ID`"),
        "a shell's command: {confirm:?}"
    );
    let back = plim.run(&["rules", "restore", id, "--json"]).json();
    assert_eq!(back["applied"], true);
    assert_eq!(back["what"], "restored");
    assert_eq!(back["rule"]["id"], id);
    state("active");
    assert_eq!(plim.run(&["rules", "reword", id, "ask", "first"]).code, 0);
    assert_eq!(rules(&plim)[0]["text"], "ask first");
    assert_eq!(plim.run(&["undo"]).code, 0);
    assert_eq!(rules(&plim)[0]["text"], "never push to main");
}

#[test]
fn a_refused_act_has_its_object_and_its_exit_code_and_changes_nothing() {
    let plim = Program::new();
    assert_eq!(plim.say("hello").code, 0);
    assert_eq!(plim.run(&["rules", "add", "keep it short"]).code, 0);
    let before = log(&plim);
    let done = plim.run(&["rules", "--json", "strike", "r0000000x"]);
    assert_eq!(done.code, 1);
    let json = done.json();
    assert_eq!(json["applied"], false);
    assert!(
        json["reason"]
            .as_str()
            .unwrap()
            .contains("no rule r0000000x")
    );
    let good = plim.run(&["rules", "strike", "keep", "--json"]);
    let keys = |json: &Value| {
        let keys = json.as_object().unwrap().keys();
        keys.cloned().collect::<Vec<String>>()
    };
    assert_eq!(keys(&good.json()), keys(&json));
    assert_eq!(log(&plim), before);
    assert_eq!(plim.run(&["rules", "add"]).code, 2, "the words are missing");
    assert_eq!(plim.run(&["rules", "strike", "a", "b"]).code, 2);
    let nowhere = plim.run(&["rules", "no-such-session", "strike", "r1"]);
    assert_ne!(nowhere.code, 0);
    assert!(nowhere.err.contains("no-such-session"), "{nowhere:?}");
}
