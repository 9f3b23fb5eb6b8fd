use super::*;
use crate::context::rules::{RuleId, RuleState};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, EntryBody, Part, Timestamp, ToolCall,
    ToolResult,
};
use proptest::prelude::*;

/// A branch of turns, each with its ask and what was done for it.
#[derive(Default)]
struct Talk {
    entries: Vec<Entry>,
}

impl Talk {
    fn push(&mut self, message: Message) -> EntryId {
        let id = EntryId::new(format!("e{}", self.entries.len()));
        self.entries.push(Entry {
            id: id.clone(),
            parent: None,
            timestamp: Timestamp(0),
            body: EntryBody::Message(Arc::new(message)),
        });
        id
    }

    fn ask(&mut self, text: &str) -> EntryId {
        self.push(Message::user_text(text))
    }

    fn answer(&mut self, text: &str) {
        self.push(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.to_owned())],
            ..AssistantMessage::default()
        }));
    }

    fn call(&mut self, name: &str, arguments: serde_json::Value, is_error: bool) {
        let id = format!("call{}", self.entries.len());
        let call = ToolCall {
            id: id.clone(),
            name: name.to_owned(),
            arguments,
            malformed: None,
        };
        self.push(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::ToolCall(call)],
            ..AssistantMessage::default()
        }));
        self.push(Message::ToolResult(ToolResult {
            call_id: id,
            tool_name: name.to_owned(),
            content: vec![Part::Text("done".to_owned())],
            is_error,
            ..ToolResult::default()
        }));
    }

    fn run(&mut self, command: &str, is_error: bool) {
        self.call("bash", serde_json::json!({ "command": command }), is_error);
    }

    fn sources(&self) -> Vec<SourceMessage> {
        let sources = self.entries.iter().map(|entry| SourceMessage {
            entry: entry.id.clone(),
            message: Arc::clone(entry.message().unwrap()),
            tokens: 1,
        });
        sources.collect()
    }

    fn turns(&self, kept: &NextRequestText) -> Vec<ReplacedTurn> {
        self.turns_with(&[], kept)
    }

    fn turns_with(&self, rules: &[&Rule], kept: &NextRequestText) -> Vec<ReplacedTurn> {
        let index = TurnIndex::of(&self.entries);
        replaced_turns(&self.sources(), &index, rules, kept)
    }
}

/// A summary alone.
fn kept(summary: &str) -> NextRequestText {
    NextRequestText {
        summary: summary.to_owned(),
        messages: vec![Arc::new(Message::user_text(summary))],
    }
}

fn signs(turns: &[ReplacedTurn]) -> String {
    turns.iter().map(|turn| turn.cover.sign()).collect()
}

fn lost(turn: &ReplacedTurn) -> Vec<String> {
    turn.lost.iter().map(LostText::in_words).collect()
}

/// A rule in force.
fn rule(text: &str, source: EntryId) -> Rule {
    Rule {
        id: RuleId::new("r1"),
        text: text.to_owned(),
        source,
        state: RuleState::Active,
        reason: String::new(),
        is_confirmed: false,
        uses: 1,
    }
}

#[test]
fn a_turn_is_ticked_only_while_the_summary_has_its_ask_and_its_identifiers() {
    let mut talk = Talk::default();
    talk.ask("Fix the token refresh race in src/auth/refresh.rs for ENT-222");
    talk.call(
        "edit",
        serde_json::json!({"path": "/repo/src/auth/lock.rs"}),
        false,
    );
    let whole =
        "fixed the refresh race: token guard in src/auth/refresh.rs, src/auth/lock.rs, ENT-222";
    assert_eq!(signs(&talk.turns(&kept(whole))), "✓");
    for (summary, sign, expected) in [
        (
            whole.replace("ENT-222", "ENT-221"),
            "~",
            "lost: identifier `ENT-222`",
        ),
        (
            whole.replace("refresh.rs", "other.rs"),
            "~",
            "lost: identifier `src/auth/refresh.rs`",
        ),
        (
            whole.replace("lock.rs", "block.rs"),
            "~",
            "lost: changed file `/repo/src/auth/lock.rs`",
        ),
        // The words in a path are no words of an ask.
        (
            "bake a cake: src/auth/refresh.rs, src/auth/lock.rs, ENT-222".to_owned(),
            "✗",
            "",
        ),
        (
            "bake a cake with flour".to_owned(),
            "✗",
            "lost: identifier `ENT-222`",
        ),
    ] {
        let turns = talk.turns(&kept(&summary));
        assert_eq!(signs(&turns), sign, "{summary}");
        let lost = lost(&turns[0]);
        assert!(
            expected.is_empty() || lost.contains(&expected.to_owned()),
            "{lost:?}"
        );
    }
}

#[test]
fn names_in_a_list_do_not_say_what_was_asked_and_numbers_are_looked_for() {
    let mut talk = Talk::default();
    talk.ask("let the lexer tolerate nested comments; raise the timeout from 30 s to 90 s");
    let list = "## Done\n- nothing\n\n## Exact identifiers\n- `lexer`, `nested`, `comments`, \
                `timeout`, `tolerate`\n";
    assert_eq!(signs(&talk.turns(&kept(list))), "✗");
    let told = "## Done\n- the lexer tolerates nested comments; the timeout was raised\n";
    let turns = talk.turns(&kept(told));
    assert_eq!(signs(&turns), "~");
    assert_eq!(
        lost(&turns[0]),
        ["lost: number `30 s`", "lost: number `90 s`"]
    );
    let whole = told.replace("was raised", "went from 30 s to 90 s");
    assert_eq!(signs(&talk.turns(&kept(&whole))), "✓");
}

#[test]
fn a_turn_that_set_a_rule_alone_is_covered_while_the_rule_is_kept() {
    let mut talk = Talk::default();
    let source = talk.ask("Always answer in short sentences.");
    talk.answer("Understood.");
    let rule = rule("Always answer in short sentences.", source);
    let block = NextRequestText {
        messages: vec![Arc::new(Message::user_text(
            "<user_rules>\n- Always answer in short sentences.\n</user_rules>",
        ))],
        ..kept("## Goal\n- nothing of it")
    };
    let turns = talk.turns_with(&[&rule], &block);
    assert_eq!(signs(&turns), "✓");
    assert_eq!(turns[0].in_words(), "1. Always answer in short sentences.");
    let turns = talk.turns_with(&[&rule], &kept("## Goal\n- nothing of it"));
    assert_eq!(signs(&turns), "~");
    assert_eq!(
        lost(&turns[0]),
        ["lost: rule `Always answer in short sentences.`"]
    );
}

#[test]
fn a_turn_that_is_not_covered_says_what_is_lost() {
    let mut talk = Talk::default();
    let source = talk.ask("Never push to main. Explain the retry budget of the gateway.");
    let rule = rule("Never push to main.", source);
    let summary = kept("Never push to main. A cake needs flour.");
    let turns = talk.turns_with(&[&rule], &summary);
    assert_eq!(signs(&turns), "✗");
    assert_eq!(
        lost(&turns[0]),
        ["lost: ask `Explain the retry budget of the gateway.`"]
    );
}

#[test]
fn what_stays_verbatim_is_not_lost() {
    let mut talk = Talk::default();
    talk.ask("rename the billing dashboard to src/pay.rs");
    talk.run("cargo test -p billing", true);
    let summary = "renamed the billing dashboard";
    let turns = talk.turns(&kept(summary));
    assert_eq!(
        lost(&turns[0]),
        [
            "lost: identifier `src/pay.rs`",
            "lost: failed command `cargo test -p billing`"
        ]
    );
    assert_eq!((turns[0].calls, turns[0].failed), (1, 1));
    assert_eq!(
        turns[0].in_words(),
        "1. rename the billing dashboard to src/pay.rs — 1 call, 1 failed"
    );
    let mut tail = kept(summary);
    let said = "in src/pay.rs `cargo  test -p BILLING` still fails";
    tail.messages.push(Arc::new(Message::user_text(said)));
    assert_eq!(signs(&talk.turns(&tail)), "✓");
}

#[test]
fn a_command_that_was_put_right_later_is_not_lost() {
    let mut talk = Talk::default();
    talk.ask("make the billing tests pass");
    talk.run("cargo test", true);
    let summary = kept("the billing tests pass");
    assert_eq!(signs(&talk.turns(&summary)), "~");
    talk.run("cargo test", false);
    assert_eq!(signs(&talk.turns(&summary)), "✓");
    talk.push(Message::BashExecution(BashExecution {
        command: "git push".to_owned(),
        exit_code: Some(1),
        ..BashExecution::default()
    }));
    let turns = talk.turns(&summary);
    assert_eq!(lost(&turns[0]), ["lost: failed command `git push`"]);
    assert_eq!((turns[0].calls, turns[0].failed), (3, 2));
}

#[test]
fn a_rule_is_lost_with_its_turn_unless_the_next_request_has_it_verbatim() {
    let mut talk = Talk::default();
    talk.ask("hello there, billing dashboard");
    let source = talk.ask("Never push to main.  Look at the billing dashboard.");
    let rule = rule("Never push to main.", source);
    let mut after = kept("looked at the billing dashboard, push to main pending");
    let turns = talk.turns_with(&[&rule], &after);
    assert_eq!(signs(&turns), "✓~");
    assert_eq!(lost(&turns[1]), ["lost: rule `Never push to main.`"]);
    let block = "<rules>\n- Never push to main.\n</rules>";
    after.messages.push(Arc::new(Message::user_text(block)));
    assert_eq!(signs(&talk.turns_with(&[&rule], &after)), "✓✓");
}

#[test]
fn a_turn_without_words_of_its_own_is_judged_by_its_answer() {
    let mut talk = Talk::default();
    talk.ask("ok, continue");
    assert_eq!(signs(&talk.turns(&kept("whatever"))), "·");
    talk.answer("The mutex guard is held across the await.");
    assert_eq!(signs(&talk.turns(&kept("whatever"))), "✗");
    let summary = kept("the mutex guard is held across the await");
    assert_eq!(signs(&talk.turns(&summary)), "✓");
}

#[test]
fn messages_before_the_first_ask_and_asks_that_stay_have_their_turns() {
    let mut talk = Talk::default();
    talk.run("ls", false);
    let ask = talk.ask("port the parser to src/parser.rs");
    talk.run("cargo build", false);
    let index = TurnIndex::of(&talk.entries);
    let mut sources = talk.sources();
    sources.retain(|source| source.entry != ask);
    let turns = replaced_turns(&sources, &index, &[], &kept("nothing of it"));
    let shown: Vec<(u32, &str)> = turns
        .iter()
        .map(|it| (it.number, it.words.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            (0, "(before the first message)"),
            (1, "port the parser to src/parser.rs")
        ]
    );
    assert_eq!(signs(&turns), "·✓", "the ask itself stays verbatim");
    assert_eq!(turns[1].entry, ask);
}

#[test]
fn an_ask_of_identifiers_alone_is_covered_by_them() {
    let mut talk = Talk::default();
    talk.ask("src/a.rs src/b.rs");
    assert_eq!(signs(&talk.turns(&kept("read src/a.rs and src/b.rs"))), "✓");
    assert_eq!(signs(&talk.turns(&kept("read src/a.rs"))), "~");
}

#[test]
fn secrets_are_not_shown_as_lost() {
    let mut talk = Talk::default();
    let key = concat!("ghp_", "x7Kq2Lm9Zr4Tb8Vn1Wc6Yd3Hf5Jg0Ps7Ru2Q");
    talk.ask(&format!("use {key} for the deploy of src/a.rs"));
    let turns = talk.turns(&kept("no"));
    assert!(!format!("{turns:?}").contains("x7Kq2Lm9"), "{turns:?}");
    let shown = [
        "lost: ask `use [secret removed] for the deploy of src/a.rs`",
        "lost: identifier `src/a.rs`",
    ];
    assert_eq!(lost(&turns[0]), shown);
}

proptest! {
    #[test]
    fn hostile_turns_do_not_panic_and_a_quoted_turn_is_covered(
        asks in prop::collection::vec("([a-zA-Z]{1,8} |src/[a-z]{1,5}\\.rs |漢字|e\u{301}|\\PC|[\r\n\t\0/]){0,30}", 0..6)
    ) {
        let mut talk = Talk::default();
        for ask in &asks {
            talk.ask(ask);
            talk.run(ask, true);
        }
        let turns = talk.turns(&NextRequestText::default());
        prop_assert_eq!(turns.len(), asks.len());
        let everything = talk.sources().iter().map(|it| crate::context::sources::text_of(&it.message)).collect::<Vec<_>>().join("\n");
        let all = talk.turns(&kept(&everything));
        for turn in all {
            let identifiers = turn.lost.iter().filter(|it| it.kind == LostKind::Identifier);
            prop_assert_eq!(identifiers.count(), 0, "{:?}", turn.lost);
            prop_assert_ne!(turn.cover, TurnCover::Missing);
        }
    }
}
