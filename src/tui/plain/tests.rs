use std::sync::Arc;

use super::*;
use crate::agent::{
    AnswerDelta, AnswerEvent, ApprovalDecision, ApprovalRequest, ContextEvent, ContextOp, Query,
    QueryReply, QueuedInput, ReturnedInput, RuleAct, RuleList, RuleListing, SessionEvent,
    SessionOp, SubmitWhen, TurnEnd, TurnEvent, TurnOp,
};
use crate::config::{CommandSources, NotifyMethod};
use crate::context::fidelity::FidelityScore;
use crate::context::rules::{RulePlace, RuleStanding, RuleState};
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, Entry, EntryBody, EntryId, Message, RuleChange,
    RuleId, StopReason, ToolCall,
};
use crate::tui::testing::view_of;

/// Text of a hostile model, tool or file.
const HOSTILE: &str = "a\u{1b}]52;c;b3du\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}e\u{200b}f\rg";

fn chat() -> PlainChat<Vec<u8>> {
    let options = PlainOptions {
        first_prompt: None,
        own: CommandSources::below(std::path::Path::new("/nonexistent/home")),
        cwd: "/nonexistent/work".into(),
        home: None,
        notify: NotifyWhen::Never,
        line: Line::from_env(NotifyMethod::Bell, |_| None),
    };
    let mut chat = PlainChat::new(options, Vec::new(), || None);
    chat.model.session.id = "s".to_owned();
    chat
}

/// The terminal's content once nothing more comes.
fn printed(chat: &mut PlainChat<Vec<u8>>) -> String {
    if chat.wants_prompt() {
        chat.prompt().unwrap();
    }
    String::from_utf8(std::mem::take(&mut chat.out)).unwrap()
}

fn text(text: &str) -> AgentEvent {
    AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(text.to_owned())))
}

fn end() -> AgentEvent {
    AgentEvent::Turn(TurnEvent::Finished(TurnEnd {
        stop: StopReason::Stop,
        text: String::new(),
        error: None,
        error_kind: None,
        exit_code: 0,
    }))
}

fn approval(title: &str) -> AgentEvent {
    AgentEvent::Turn(TurnEvent::Approval(Box::new(ApprovalRequest {
        id: 7,
        call: ToolCall {
            id: "c".to_owned(),
            name: "shell".to_owned(),
            arguments: serde_json::json!({ "command": title }),
            malformed: None,
        },
        title: title.to_owned(),
        cwd: "/src".into(),
        diff: None,
        pattern: "shell:cargo *".to_owned(),
        outside: Vec::new(),
        cautions: Vec::new(),
        asked_by: None,
    })))
}

#[test]
fn what_waits_is_said_once_and_what_is_given_back_is_printed_and_nowhere_else() {
    let mut chat = chat();
    chat.on_line("hello").unwrap();
    let input = |id, text: &str, when, is_command| QueuedInput {
        id,
        text: text.to_owned(),
        when,
        is_command,
    };
    let first = input(1, "and quick", SubmitWhen::NextStep, false);
    let second = input(2, "/compact keep x", SubmitWhen::AfterTurn, true);
    chat.on_event(AgentEvent::Turn(TurnEvent::Queued(vec![first.clone()])))
        .unwrap();
    chat.on_event(AgentEvent::Turn(TurnEvent::Queued(vec![
        first,
        second.clone(),
    ])))
    .unwrap();
    chat.on_event(AgentEvent::Turn(TurnEvent::Queued(vec![second])))
        .unwrap();
    assert_eq!(
        printed(&mut chat),
        "queued until this step ends: and quick (/unqueue cancels it)\n\
         queued until this turn ends: /compact keep x (/unqueue cancels it)\n"
    );
    chat.asked.clear();
    chat.on_line("/unqueue").unwrap();
    assert_eq!(chat.asked, [Op::Turn(TurnOp::Unqueue { id: 2 })]);
    let returned = |text: &str, is_command| ReturnedInput {
        text: text.to_owned(),
        images: Vec::new(),
        is_command,
    };
    chat.on_event(AgentEvent::Turn(TurnEvent::InputReturned(vec![
        returned("/compact keep x", true),
        returned("go on", false),
    ])))
    .unwrap();
    assert_eq!(
        printed(&mut chat),
        "not run: /compact keep x\nnot sent: go on\n"
    );
    assert!(chat.model.composer.buffer.is_empty());
}

#[test]
fn an_answer_comes_line_by_line_with_the_gauge_behind_it() {
    let mut chat = chat();
    chat.on_line("hello").unwrap();
    assert!(matches!(&chat.asked[..], [Op::Turn(TurnOp::Submit { text, .. })] if text == "hello"));
    assert_eq!(printed(&mut chat), "", "no prompt while the model answers");
    chat.on_event(text("one\ntw")).unwrap();
    assert_eq!(printed(&mut chat), "one\n");
    chat.on_event(text("o\nthree")).unwrap();
    let view = view_of(&[1_000, 0, 0, 0, 0, 0, 0, 500, 0, 0, 0, 0]);
    chat.on_event(AgentEvent::Context(ContextEvent::View(Arc::new(view))))
        .unwrap();
    chat.on_event(end()).unwrap();
    assert_eq!(
        printed(&mut chat),
        "two\nthree\ncontext: about 1% full, 1.5k of 200k tokens; 178k to the next compaction\nyou: "
    );
}

#[test]
fn why_a_call_is_asked_about_wherever_it_works_is_said() {
    let words = "warning: .bashrc: shells run it when they start\n";
    let mut chat = chat();
    let event = approval("x");
    chat.on_event(event.clone()).unwrap();
    assert!(!printed(&mut chat).contains("warning"));
    let AgentEvent::Turn(TurnEvent::Approval(mut request)) = event else {
        panic!("not a question");
    };
    request.cautions = vec![".bashrc: shells run it when they start".to_owned()];
    chat.on_event(AgentEvent::Turn(TurnEvent::Approval(request)))
        .unwrap();
    assert!(printed(&mut chat).contains(words));
}

#[test]
fn an_approval_is_a_typed_question() {
    for (line, expected) in [
        ("y", ApprovalDecision::Once),
        ("s", ApprovalDecision::Session),
        ("p", ApprovalDecision::Pattern("shell:cargo *".to_owned())),
        ("a", ApprovalDecision::Always("shell:cargo *".to_owned())),
        ("No", ApprovalDecision::Deny { feedback: None }),
        (
            "use just instead",
            ApprovalDecision::Deny {
                feedback: Some("use just instead".to_owned()),
            },
        ),
    ] {
        let mut chat = chat();
        chat.on_event(approval("cargo build")).unwrap();
        let asked = printed(&mut chat);
        assert!(
            asked.starts_with("question: allow shell? cargo build\nin /src\n"),
            "{asked}"
        );
        assert!(asked.ends_with("answer: "), "{asked}");
        chat.on_line(" ").unwrap();
        assert_eq!(chat.asked, [], "an empty line is no answer");
        chat.on_line(line).unwrap();
        assert_eq!(
            chat.asked,
            [Op::Turn(TurnOp::Approve {
                id: 7,
                decision: expected
            })]
        );
    }
}

#[test]
fn a_question_that_is_settled_elsewhere_takes_no_line() {
    let mut chat = chat();
    chat.on_event(approval("ls")).unwrap();
    chat.on_event(AgentEvent::Turn(TurnEvent::ApprovalClosed { id: 7 }))
        .unwrap();
    chat.on_line("y").unwrap();
    assert!(matches!(&chat.asked[..], [Op::Turn(TurnOp::Submit { .. })]));
}

#[test]
fn lines_continue_and_commands_work() {
    let mut chat = chat();
    chat.on_line("one\\").unwrap();
    assert_eq!(printed(&mut chat), "more: ");
    chat.on_line("two").unwrap();
    chat.on_line("/compact --dry-run").unwrap();
    chat.on_line("/pruned").unwrap();
    chat.on_line("/summary").unwrap();
    chat.on_line("/nonsense").unwrap();
    assert!(matches!(&chat.asked[0], Op::Turn(TurnOp::Submit { text, .. }) if text == "one\ntwo"));
    assert!(matches!(&chat.asked[1], Op::Context(ContextOp::Compact(options)) if options.dry_run));
    assert_eq!(chat.asked.len(), 2);
    let out = printed(&mut chat);
    for part in [
        "the context is empty",
        "no compactions in this session yet",
        "there is no /nonsense",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    chat.on_line("/help").unwrap();
    assert!(printed(&mut chat).contains("/context: show the context"));
    chat.on_line("/quit").unwrap();
    assert!(chat.is_leaving);
}

#[test]
fn after_the_summaries_comes_what_each_left_within_reach() {
    let mut chat = chat();
    let compaction = Compaction {
        summary: "## Goal\nport it".to_owned(),
        ..Compaction::default()
    };
    chat.on_event(AgentEvent::Session(SessionEvent::Entry(Arc::new(Entry {
        id: EntryId::new("c1"),
        parent: None,
        timestamp: Timestamp(0),
        body: EntryBody::Compaction(Box::new(compaction)),
    }))))
    .unwrap();
    chat.on_line("/summary").unwrap();
    assert!(printed(&mut chat).contains("compaction 1 (c1)"));
    let Some(Op::Query { id, query }) = chat.asked.pop() else {
        panic!("nothing was asked");
    };
    assert_eq!(query, Query::Fidelity);
    let scores = vec![(EntryId::new("c1"), FidelityScore::default())];
    chat.on_event(AgentEvent::Reply {
        to: Some(id),
        reply: QueryReply::Fidelity(scores),
    })
    .unwrap();
    let said = "compaction c1, facts found only in its summary: hindsight: nothing came after it \
        yet";
    let out = printed(&mut chat);
    assert!(out.contains(said), "{out}");
}

#[test]
fn the_second_interrupt_leaves_unless_something_runs() {
    let mut chat = chat();
    chat.on_line("hello").unwrap();
    chat.on_interrupt(true).unwrap();
    assert_eq!(chat.asked.last(), Some(&Op::Turn(TurnOp::Interrupt)));
    chat.on_event(end()).unwrap();
    chat.on_interrupt(true).unwrap();
    assert!(!chat.is_leaving);
    chat.on_interrupt(true).unwrap();
    assert!(chat.is_leaving);
}

#[test]
fn nothing_foreign_acts_on_the_terminal() {
    let mut chat = chat();
    chat.on_event(text(HOSTILE)).unwrap();
    chat.on_event(AgentEvent::Stream(AnswerEvent::ToolStarted {
        call_id: "c".to_owned(),
        name: HOSTILE.to_owned(),
        title: HOSTILE.to_owned(),
    }))
    .unwrap();
    chat.on_event(AgentEvent::Notice(
        crate::agent::Notice::error(HOSTILE).with_hint(HOSTILE),
    ))
    .unwrap();
    chat.on_event(approval(HOSTILE)).unwrap();
    chat.on_line("n").unwrap();
    chat.on_line(&format!("/{HOSTILE}")).unwrap();
    let out = printed(&mut chat);
    let acts = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{200b}');
    assert!(!out.contains(acts), "{out:?}");
    assert!(out.contains('␛'), "{out}");
}

#[test]
fn jobs_and_steps_are_read_out() {
    let mut chat = chat();
    chat.on_line("/jobs").unwrap();
    assert!(printed(&mut chat).contains("no background commands"));
    let job = crate::agent::JobInfo {
        id: 2,
        command: "npm run dev".to_owned(),
        output: String::new(),
        elapsed: std::time::Duration::from_secs(3),
        end: None,
    };
    chat.on_event(AgentEvent::Turn(TurnEvent::Jobs(vec![job])))
        .unwrap();
    chat.on_line("/jobs").unwrap();
    assert!(printed(&mut chat).contains("job 2: running, 3.0s: npm run dev"));
    chat.model.session.todo.list = Some(crate::transcript::TodoList {
        items: vec![crate::transcript::TodoItem {
            text: format!("mend it {HOSTILE}"),
            state: crate::transcript::TodoState::InProgress,
        }],
    });
    chat.on_line("/todo").unwrap();
    let text = printed(&mut chat);
    assert!(text.contains("in progress: mend it"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_call_that_was_not_run_is_not_said_to_have_failed() {
    let mut chat = chat();
    let finished = |is_error| {
        AgentEvent::Stream(AnswerEvent::ToolFinished {
            call_id: "c".to_owned(),
            is_error,
            elapsed: std::time::Duration::from_secs(3),
        })
    };
    chat.on_event(finished(true)).unwrap();
    assert_eq!(printed(&mut chat), "tool not run\nyou: ");
    for (is_error, said) in [
        (true, "tool failed after 3.0s"),
        (false, "tool done after 3.0s"),
    ] {
        chat.on_event(AgentEvent::Stream(AnswerEvent::ToolStarted {
            call_id: "c".to_owned(),
            name: "shell".to_owned(),
            title: "ls".to_owned(),
        }))
        .unwrap();
        chat.on_event(finished(is_error)).unwrap();
        let printed = printed(&mut chat);
        assert!(printed.contains(said), "{printed}");
    }
}

#[test]
fn what_needs_the_screen_says_so_in_one_line_and_what_else_there_is() {
    for (line, says) in [
        (
            "/palette",
            "/palette needs the screen (start without --plain); /help",
        ),
        (
            "/rewind",
            "/rewind needs the screen (start without --plain); `plim diff`",
        ),
        (
            "/tree",
            "/tree needs the screen (start without --plain); `plim export`",
        ),
        (
            "/timeline",
            "/timeline needs the screen (start without --plain); ",
        ),
        (
            "/intro",
            "/intro needs the screen (start without --plain); ",
        ),
        (
            "/theme",
            "/theme needs the screen (start without --plain); ",
        ),
        (
            "/theme light",
            "/theme needs the screen (start without --plain); ",
        ),
        (
            "/search x",
            "/search needs the screen (start without --plain); ",
        ),
        (
            "/settings",
            "/settings needs the screen (start without --plain); list settings",
        ),
        (
            "/settings theme",
            "/settings needs the screen (start without --plain); ",
        ),
        (
            "/think",
            "/think needs the screen (start without --plain); /think takes",
        ),
        (
            "/compact --from",
            "/compact --from needs the screen (start without --plain); ",
        ),
        (
            "/pin",
            "/pin needs the screen (start without --plain); /pin ID; /context lists",
        ),
        (
            "/login groq",
            "/login needs the screen (start without --plain); store a key with `plim login",
        ),
    ] {
        let mut chat = chat();
        chat.on_line(line).unwrap();
        let printed = printed(&mut chat);
        assert!(printed.starts_with(says), "{line}: {printed}");
        assert_eq!(
            printed.lines().count(),
            2,
            "a line and the prompt: {printed}"
        );
        assert!(chat.asked.is_empty(), "{line}");
    }
    for line in [
        "/settings prune.policy=off",
        "/think high",
        "/compact --yes",
    ] {
        let mut chat = chat();
        chat.on_line(line).unwrap();
        assert_eq!(chat.asked.len(), 1, "{line}: what works in words is done");
    }
}

#[test]
fn no_command_opens_a_screen() {
    for command in command::COMMANDS {
        for arguments in ["", " #", " 1", " --dry-run", " --yes", " a=b"] {
            let mut chat = chat();
            let line = format!("/{}{arguments}", command.name);
            chat.on_line(&line).unwrap();
            assert!(chat.model.screens.is_empty(), "{line}");
        }
    }
    let mut chat = chat();
    chat.on_line("/?").unwrap();
    assert!(printed(&mut chat).contains("/compact"));
}

#[test]
fn help_lists_what_works_here_and_nothing_else() {
    let mut chat = chat();
    chat.on_line("/help").unwrap();
    let help = printed(&mut chat);
    for command in command::COMMANDS {
        let is_listed = help.lines().any(|line| {
            line.strip_prefix('/')
                .is_some_and(|line| line.split([' ', ':']).next() == Some(command.name))
        });
        let mut other = self::chat();
        other.on_line(&format!("/{}", command.name)).unwrap();
        let is_refused = printed(&mut other).contains("needs the screen");
        let takes_some = matches!(command.plain, PlainUse::RunsWith { .. });
        assert_eq!(is_listed, !is_refused || takes_some, "{}", command.name);
    }
    assert!(help.contains("/settings KEY=VALUE: "), "{help}");
    assert!(!help.contains("--from"), "{help}");
    // What the screen does besides is not promised.
    for words in [
        "reset",
        "fold",
        "edit and resend",
        "search, preview",
        "from the list",
        "diff before",
    ] {
        assert!(!help.contains(words), "{words}: {help}");
    }
}

#[test]
fn what_an_event_says_is_printed_once() {
    let mut chat = chat();
    let report = crate::agent::ChangesReport {
        files: Vec::new(),
        unlisted: 0,
        unseen: None,
    };
    let mut say = |report: &crate::agent::ChangesReport| {
        chat.on_line("/diff").unwrap();
        chat.on_event(AgentEvent::reply(QueryReply::Changes(Box::new(
            report.clone(),
        ))))
        .unwrap();
        printed(&mut chat)
    };
    assert_eq!(say(&report), "no files changed in this session\nyou: ");
    // Sessions of other directories are asked for before there is said to be none.
    let mut other = self::chat();
    for all in [false, true] {
        let list = crate::agent::SessionList {
            all,
            ..crate::agent::SessionList::default()
        };
        other
            .on_event(AgentEvent::reply(QueryReply::Sessions(list)))
            .unwrap();
    }
    assert!(matches!(
        other.asked[..],
        [Op::Query {
            query: Query::Sessions { all: true },
            ..
        }]
    ));
    assert_eq!(printed(&mut other), "no sessions yet\nyou: ");
    // What is not known is not said to be nothing.
    let unknown = crate::agent::ChangesReport {
        unlisted: 3,
        unseen: Some("too many files".to_owned()),
        ..report
    };
    let said = say(&unknown);
    assert!(!said.contains("no files changed"), "{said}");
    assert!(said.contains("3 changes by commands not listed"), "{said}");
    assert!(said.contains("are unknown: too many files"), "{said}");
}

#[test]
fn a_message_that_is_too_large_is_a_question_with_numbers() {
    let offer = crate::agent::OversizeOffer {
        id: 9,
        needed_tokens: 50_000,
        usable_tokens: 20_000,
        model: crate::transcript::ModelRef::new("p", "m"),
        file_tokens: None,
        trim_tokens: Some(12_000),
        larger: None,
    };
    let mut chat = chat();
    chat.on_event(AgentEvent::Turn(TurnEvent::Oversize(Box::new(
        offer.clone(),
    ))))
    .unwrap();
    let asked = printed(&mut chat);
    assert!(
        asked.starts_with("question: the message is too large"),
        "{asked}"
    );
    assert!(asked.contains("1: trim it") && asked.contains("2: do not send it"));
    assert!(asked.ends_with("answer: "), "{asked}");
    for nonsense in ["0", "3", "yes"] {
        chat.on_line(nonsense).unwrap();
        assert!(chat.asked.is_empty(), "{nonsense}");
        assert!(printed(&mut chat).contains("1: trim it"));
    }
    chat.on_line("2").unwrap();
    let answer = Op::Turn(TurnOp::FitMessage {
        id: 9,
        choice: crate::agent::OversizeChoice::Cancel,
    });
    assert_eq!(chat.asked, [answer]);
    chat.on_event(AgentEvent::Turn(TurnEvent::Oversize(Box::new(offer))))
        .unwrap();
    chat.on_event(AgentEvent::Turn(TurnEvent::OversizeClosed { id: 9 }))
        .unwrap();
    assert!(chat.question.is_none());
}

#[test]
fn calling_the_user_follows_its_settings() {
    let mut chat = chat();
    let mut change = |part, when, method| {
        let ui = crate::config::UiSettings {
            notify_when: when,
            notify_method: method,
            ..crate::config::UiSettings::default()
        };
        let change = InterfaceChange {
            part,
            ui: Box::new(ui),
        };
        chat.perform(vec![Effect::UseInterface(change)]).unwrap();
        chat.on_event(end()).unwrap();
        printed(&mut chat)
    };
    let when = InterfacePart::NotifyWhen;
    let bell = change(when, NotifyWhen::Always, NotifyMethod::Bell);
    assert!(bell.contains('\u{7}'), "{bell:?}");
    let method = InterfacePart::NotifyMethod;
    let osc = change(method, NotifyWhen::Always, NotifyMethod::Osc9);
    assert!(osc.contains("\u{1b}]9;"), "{osc:?}");
    let none = change(method, NotifyWhen::Always, NotifyMethod::None);
    assert!(!none.contains('\u{7}'), "{none:?}");
    let never = change(when, NotifyWhen::Never, NotifyMethod::Bell);
    assert!(!never.contains('\u{7}'), "{never:?}");
}

#[test]
fn lines_are_broken_between_words_where_the_width_is_known() {
    let mut chat = chat();
    chat.columns = || Some(20);
    let url = "https://example.org/a/very/long/path";
    chat.on_event(text(&format!(
        "several words that do not fit {url} end\n\n  two blanks stay\n"
    )))
    .unwrap();
    let expected = format!("several words that\ndo not fit\n{url}\nend\n\n  two blanks stay\n");
    assert_eq!(printed(&mut chat), expected);
    chat.columns = || None;
    chat.on_event(text("several words that do not fit\n"))
        .unwrap();
    assert_eq!(printed(&mut chat), "several words that do not fit\n");
}

#[test]
fn what_comes_late_comes_before_the_prompt() {
    let mut chat = chat();
    chat.model.session.id = String::new();
    chat.begin(None).unwrap();
    let welcome = printed(&mut chat);
    assert!(welcome.ends_with("quits.\n"), "no session yet: {welcome}");
    chat.model.session.id = "s".to_owned();
    chat.on_line("hello").unwrap();
    chat.on_event(end()).unwrap();
    chat.on_event(AgentEvent::Notice(crate::agent::Notice::info("and this")))
        .unwrap();
    assert_eq!(printed(&mut chat), "note: and this\nyou: ");
}

#[test]
fn an_own_command_attaches_the_image_that_it_mentions() {
    let home = tempfile::tempdir().unwrap();
    let mut chat = chat();
    chat.options.cwd = home.path().to_owned();
    std::fs::write(home.path().join("a.png"), b"\x89PNG....").unwrap();
    let folder = home.path().join(".plimsoll/commands");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("look.md"), "Look at $ARGUMENTS").unwrap();
    for line in ["/look @a.png", "Look at @a.png"] {
        chat.on_line(line).unwrap();
        let sent = chat.asked.pop();
        assert!(
            matches!(&sent, Some(Op::Turn(TurnOp::Submit { images, .. })) if images.len() == 1),
            "{line}: {sent:?}"
        );
        chat.on_event(end()).unwrap();
    }
}

#[test]
fn a_message_is_sent_again_as_it_was() {
    let mut chat = chat();
    let body = crate::transcript::EntryBody::Message(Arc::new(
        crate::transcript::Message::user_text("a question"),
    ));
    let asked = crate::tui::testing::entry(1, Timestamp(0), body);
    chat.on_event(AgentEvent::Session(SessionEvent::Entry(Arc::clone(&asked))))
        .unwrap();
    chat.on_line("/retry").unwrap();
    let again = Op::Session(SessionOp::Resend {
        target: asked.id.clone(),
        text: "a question".to_owned(),
        images: Vec::new(),
    });
    assert_eq!(chat.asked, [again]);
    assert_eq!(printed(&mut chat), "", "it waits for the answer");
}

#[test]
fn rules_are_listed_and_changed_line_by_line() {
    let mut chat = chat();
    chat.on_line("/rules").unwrap();
    assert!(
        matches!(
            &chat.asked[..],
            [Op::Query {
                query: Query::Rules,
                ..
            }]
        ),
        "{:?}",
        chat.asked
    );
    let reply = |list| AgentEvent::reply(QueryReply::Rules(Box::new(list)));
    chat.on_event(reply(RuleList::default())).unwrap();
    let none = printed(&mut chat);
    assert!(none.contains("no rules found"), "{none}");
    assert!(none.contains("apply beyond one turn"), "{none}");
    let rule = crate::context::rules::Rule {
        id: RuleId::new("r1"),
        text: HOSTILE.to_owned(),
        source: crate::transcript::EntryId::new("a1"),
        state: RuleState::Active,
        reason: String::new(),
        is_confirmed: false,
        uses: 1,
    };
    let standing = RuleStanding {
        rule: rule.into(),
        tokens: 12,
        place: RulePlace::InBlock,
    };
    let list = RuleList {
        rules: vec![RuleListing {
            standing,
            turn: Some(3),
        }],
        budget_tokens: 1_500,
    };
    chat.on_event(reply(list)).unwrap();
    let out = printed(&mut chat);
    assert!(out.contains("rules: 1 rule active\n"), "{out}");
    let line = "rule r1: active, in the rules block, 12 tokens, turn 3: a␛";
    assert!(out.contains(line), "{out}");
    chat.asked.clear();
    chat.on_line("/rules strike r1").unwrap();
    chat.on_line("/rules add never push").unwrap();
    let acts = [
        RuleAct::on("r1", RuleChange::Strike),
        RuleAct::add("never push"),
    ];
    assert_eq!(
        chat.asked,
        acts.map(|act| Op::Context(ContextOp::Rule(act)))
    );
    chat.on_line("/rules praise r1").unwrap();
    assert!(printed(&mut chat).contains("warning: /rules strike ID"));
    assert_eq!(chat.asked.len(), 2);
}

/// Newer Claudes say as reasoning what they say between tool calls.
#[test]
fn what_is_said_on_the_way_to_a_call_is_printed() {
    let mut chat = chat();
    let call = ToolCall {
        id: "c".to_owned(),
        name: "read".to_owned(),
        arguments: serde_json::json!({"path": "a.rs"}),
        malformed: None,
    };
    let content = vec![
        AssistantPart::Thinking {
            text: "The bug is\nin a.rs.".to_owned(),
            signature: Some("s".to_owned()),
        },
        AssistantPart::ToolCall(call),
    ];
    let answer = AssistantMessage {
        content,
        model: "claude-sonnet-5-5".to_owned(),
        ..AssistantMessage::default()
    };
    let entry = Entry {
        id: EntryId::new("a1"),
        parent: None,
        timestamp: crate::transcript::Timestamp(1),
        body: EntryBody::Message(Arc::new(Message::Assistant(answer))),
    };
    chat.on_event(AgentEvent::Session(SessionEvent::Entry(Arc::new(entry))))
        .unwrap();
    let printed = printed(&mut chat);
    assert!(printed.contains("The bug is\nin a.rs.\n"), "{printed}");
}

#[test]
fn a_call_that_is_over_says_how_much_came_of_it() {
    let mut chat = chat();
    let stream = |event| AgentEvent::Stream(event);
    chat.on_event(stream(AnswerEvent::ToolStarted {
        call_id: "c".to_owned(),
        name: "read".to_owned(),
        title: "a.rs".to_owned(),
    }))
    .unwrap();
    let result = Message::ToolResult(crate::transcript::ToolResult {
        call_id: "c".to_owned(),
        tool_name: "read".to_owned(),
        is_error: false,
        content: vec![crate::transcript::Part::Text(
            "one\ntwo\nthree\n".to_owned(),
        )],
        details: None,
    });
    let body = crate::transcript::EntryBody::Message(std::sync::Arc::new(result));
    let entry = crate::tui::testing::entry(1, Timestamp(0), body);
    chat.on_event(AgentEvent::Session(SessionEvent::Entry(entry)))
        .unwrap();
    printed(&mut chat);
    chat.on_event(stream(AnswerEvent::ToolFinished {
        call_id: "c".to_owned(),
        is_error: false,
        elapsed: std::time::Duration::from_millis(7),
    }))
    .unwrap();
    assert_eq!(printed(&mut chat), "tool done: 3 lines\n");
}
