//! The page as a browser gets it: what is in it, and that nothing of a session becomes markup.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::session::Header;
use crate::transcript::testing::branch;
use crate::transcript::{
    AssistantMessage, AssistantPart, AuditRecord, BashExecution, Compaction, Cut, CutForm,
    CutPhase, Decision, EntryId, Image, Message, Part, StopReason, Timestamp, ToolCall, ToolResult,
    Transcript, Usage, UserMessage,
};

fn said(text: &str) -> EntryBody {
    EntryBody::Message(Arc::new(Message::user_text(text)))
}

fn page_of(header: &Header, transcript: &Transcript) -> String {
    html(DocumentSource {
        header,
        transcript,
        problems: &[],
    })
}

fn exported(bodies: Vec<EntryBody>) -> String {
    page_of(&Header::default(), &branch(bodies))
}

fn message(message: Message) -> EntryBody {
    EntryBody::Message(Arc::new(message))
}

fn calls(id: &str, name: &str, arguments: serde_json::Value) -> EntryBody {
    message(Message::Assistant(AssistantMessage {
        content: vec![AssistantPart::ToolCall(ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments,
            malformed: None,
        })],
        provider: "p".to_owned(),
        model: "m".to_owned(),
        stop: StopReason::ToolUse,
        usage: Some(Usage {
            input_tokens: 1_200,
            output_tokens: 34,
            cost_usd: Some(0.5),
            ..Usage::default()
        }),
        ..AssistantMessage::default()
    }))
}

fn results(id: &str, text: &str, is_error: bool) -> EntryBody {
    message(Message::ToolResult(ToolResult {
        call_id: id.to_owned(),
        tool_name: "read".to_owned(),
        content: vec![Part::Text(text.to_owned())],
        is_error,
        details: None,
    }))
}

#[test]
fn what_was_said_is_rendered() {
    let name = "Bug <hunt> & more".to_owned();
    let page = exported(vec![
        EntryBody::SessionInfo { name },
        message(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(
                "**bold** and [web](https://example.test/a)".to_owned(),
            )],
            ..AssistantMessage::default()
        })),
    ]);
    for part in [
        "<title>Bug &lt;hunt&gt; &amp; more</title>",
        "<strong>bold</strong>",
        "href=\"https://example.test/a\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn a_result_is_below_its_call_and_a_call_without_one_says_so() {
    let page = exported(vec![
        calls("c", "read", json!({"path": "src/a.rs"})),
        calls("d", "shell", json!({"command": "make"})),
        results("c", "the file", true),
        results("x", "of nothing", false),
    ]);
    let call = page.find("<b>read</b> <code>src/a.rs</code>").unwrap();
    let second = page.find("<b>shell</b>").unwrap();
    let result = page.find("the file").unwrap();
    assert!(call < result && result < second, "{page}");
    assert_eq!(page.matches("<span class=\"badge bad\">failed").count(), 1);
    assert_eq!(page.matches("no result").count(), 1);
    assert!(page.contains("Result without a call"), "{page}");
    assert!(page.contains("<dd>2, 1 failed</dd>"), "{page}");
    assert!(page.contains("<dd>$1.00</dd>"), "{page}");
}

#[test]
fn what_was_pruned_is_shown_with_both_sides() {
    let cut = Cut {
        target: EntryId::new("1"),
        form: CutForm::Clear {
            placeholder: "[cleared]".to_owned(),
        },
        phase: CutPhase::Hard,
        reason: "older than 3 answers".to_owned(),
        tokens_before: 9_000,
        tokens_after: 8,
    };
    let prune = EntryBody::Decision(Decision::Prune {
        policy: "soft-hard".to_owned(),
        cuts: vec![cut],
        cache_given_up_tokens: 0,
        reasoning_lost: 0,
        by_person: false,
    });
    let mut bodies = vec![
        calls("c", "read", json!({})),
        results("c", "long text of the file", false),
        prune,
    ];
    let page = exported(bodies.clone());
    for part in [
        "hard: 9,000 → 8 tokens",
        "<h3>Sent now: older than 3 answers</h3><pre dir=\"auto\">\n[cleared]</pre>",
        "long text of the file",
        "Pruned by soft-hard: 1 result, 8,992 tokens fewer",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    bodies.push(EntryBody::Decision(Decision::Undo {
        target: EntryId::new("2"),
    }));
    let page = exported(bodies);
    assert!(!page.contains("Sent now"), "an undone pruning: {page}");
    assert!(page.contains("long text of the file"), "{page}");
}

#[test]
fn a_compaction_is_shown_with_its_sources_and_what_it_replaces() {
    let mut compaction = Compaction {
        summary: "## Goal\n- repair the leak in src/pump.rs".to_owned(),
        first_kept: Some(EntryId::new("2")),
        tokens_before: 50_000,
        ..Compaction::default()
    };
    compaction.details.tokens_after = 4_000;
    compaction.details.check.audit = Some(AuditRecord {
        identifiers_found: 1,
        identifiers_total: 2,
        missing: vec!["src/valve.rs".to_owned()],
        ..AuditRecord::default()
    });
    let page = exported(vec![
        said("please repair the leak in src/pump.rs today"),
        said("and nothing else at all in the cellar"),
        said("kept"),
        EntryBody::Compaction(Box::new(compaction)),
    ]);
    for part in [
        "50,000 → 4,000 tokens",
        "Audit: not passed, 1 of 2 identifiers",
        "<span class=\"badge\">Missing</span> src/valve.rs",
        "<td>- repair the leak in src/pump.rs</td><td><div><a href=\"#e0\">#0</a>",
        "Replaces 2 messages",
        "<article id=\"e0\" class=\"user replaced\">",
        "<article id=\"e2\" class=\"user\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn the_policy_lets_in_this_script_and_this_style_and_nothing_else() {
    let page = exported(vec![said("x")]);
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1);
    let policy = policy.unwrap().split('"').next().unwrap();
    let policy = policy.replace("&#39;", "'");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    for unsafe_word in ["unsafe", "http", "*", "self"] {
        assert!(!policy.contains(unsafe_word), "{unsafe_word}: {policy}");
    }
    for own in [STYLE, SCRIPT] {
        assert_eq!(page.matches(own).count(), 1);
        let hash = STANDARD.encode(digest(&SHA256, own.as_bytes()));
        assert!(policy.contains(&format!("'sha256-{hash}'")), "{policy}");
        assert!(!own.contains("</s"), "the element ends where it should");
        assert!(!own.contains("http"), "it asks for nothing");
    }
}

/// The names of elements that the page may have.
const ELEMENTS: &str = " html head meta title style body header h1 h2 h3 h4 h5 h6 dl div dt dd \
    details summary table thead tbody tr th td ul ol li span b p code pre a nav main article time \
    section img input output button label footer script em strong del blockquote br hr ";
/// And those of attributes.
const ATTRIBUTES: &str = " lang charset name content http-equiv class id href src alt loading dir \
    type placeholder aria-label checked disabled value start title ";

/// Complaints about the markup of a page: everything that is none of ours.
fn foreign_markup(page: &str) -> Vec<String> {
    let page = page.replacen(STYLE, "", 1).replacen(SCRIPT, "", 1);
    let mut complaints = Vec::new();
    let mut scripts = 0;
    for piece in page.split('<').skip(1) {
        let Some((tag, _)) = piece.split_once('>') else {
            complaints.push(format!("an open tag: {piece}"));
            continue;
        };
        let tag = tag.trim_start_matches('/').trim_end_matches('/').trim_end();
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        scripts += usize::from(name == "script" && !piece.starts_with('/'));
        if name != "!doctype" && !ELEMENTS.contains(&format!(" {name} ")) {
            complaints.push(format!("element {name}: {piece}"));
        }
        while name != "!doctype" && !rest.trim().is_empty() {
            let end = rest.find(['=', ' ']).unwrap_or(rest.len());
            let (attribute, behind) = rest.split_at(end);
            if !ATTRIBUTES.contains(&format!(" {attribute} ")) {
                complaints.push(format!("attribute {attribute}: {piece}"));
            }
            let quoted = behind.strip_prefix("=\"").and_then(|it| it.split_once('"'));
            let (value, behind) = quoted.unwrap_or(("", behind));
            let is_safe = match attribute {
                "href" => ["#", "http://", "https://", "mailto:"]
                    .iter()
                    .any(|start| value.to_lowercase().starts_with(start)),
                "src" => value.starts_with("data:image/"),
                _ => true,
            };
            if !is_safe {
                complaints.push(format!("{attribute}={value}: {piece}"));
            }
            rest = behind.trim_start();
        }
    }
    if scripts != 1 {
        complaints.push(format!("{scripts} scripts"));
    }
    complaints
}

#[test]
fn foreign_markup_is_seen() {
    let page = exported(vec![said("x")]);
    assert_eq!(foreign_markup(&page), Vec::<String>::new());
    for bad in [
        "<iframe></iframe>",
        "<p onclick=\"x()\">",
        "<a href=\"javascript:x\">",
        "<img src=\"https://example.test/a.png\">",
        "<script>1</script>",
        "<p style=\"x\">",
    ] {
        let page = page.replace("</main>", bad);
        assert_ne!(foreign_markup(&page), Vec::<String>::new(), "{bad}");
    }
}

fn hostile() -> impl Strategy<Value = String> {
    let snippet = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "</script><script>",
        "</style>",
        "<!--",
        "]]>",
        "\"><img src=x onerror=y>",
        "' onclick='x",
        "[a](javascript:alert(1))",
        "![p](https://example.test/p.png)",
        "[r]: data:text/html,x \"t\"",
        "[r]",
        "<https://example.test/\"onmouseover=\"x>",
        "| a | b |\n|:-:|--:|\n| <b> | \" |\n",
        "```\"><svg onload=x>\n",
        "- [ ] <input>",
        "&lt;script&gt;",
        "&#60;script>",
        "&#x202e;&#27;[t](#a \"&#x202e;\")",
        "\u{202e}\u{0}\u{1b}]8;;file:///etc\u{7}",
        "\n\n    <pre>\n",
        "<a\nhref='x'>",
        "# <h1 id=x> {#id .class onclick=x}",
        "\\<b>",
    ]);
    let piece = prop_oneof![snippet.prop_map(str::to_owned), any::<String>()];
    prop::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

/// A session with a text at every place where a session has one.
fn session_of(text: &str) -> Vec<EntryBody> {
    let owned = || text.to_owned();
    let image = |mime: &str, data: &str| {
        Part::Image(Image {
            data: data.into(),
            mime: mime.to_owned(),
            name: Some(owned()),
        })
    };
    let mut compaction = Compaction {
        summary: owned(),
        ..Compaction::default()
    };
    compaction.details.model = owned();
    compaction.details.appendix.for_others = owned();
    compaction.details.check.mended = vec![owned()];
    compaction.details.check.audit = Some(AuditRecord {
        missing: vec![owned()],
        altered: vec![owned()],
        ..AuditRecord::default()
    });
    let decide = |decision| EntryBody::Decision(decision);
    vec![
        EntryBody::SessionInfo { name: owned() },
        EntryBody::ModelChange {
            provider: owned(),
            model: owned(),
        },
        message(Message::User(UserMessage {
            content: vec![
                Part::Text(owned()),
                image("image/png", text),
                image(text, "AAAA"),
                image("image/png", "AAAA"),
            ],
        })),
        calls(text, text, json!({text: text, "path": text, "n": [text]})),
        results(text, text, true),
        message(Message::Assistant(AssistantMessage {
            content: vec![
                AssistantPart::Text(owned()),
                AssistantPart::Thinking {
                    text: owned(),
                    signature: None,
                },
            ],
            model: owned(),
            provider: owned(),
            error: Some(owned()),
            ..AssistantMessage::default()
        })),
        message(Message::BashExecution(BashExecution {
            command: owned(),
            output: owned(),
            ..BashExecution::default()
        })),
        EntryBody::CustomMessage {
            custom_type: owned(),
            content: vec![Part::Text(owned())],
            display: true,
        },
        decide(Decision::Guard {
            cuts: vec![Cut {
                target: EntryId::new("4"),
                form: CutForm::Trim {
                    head_chars: 3,
                    tail_chars: 2,
                    notice: owned(),
                },
                phase: CutPhase::Single,
                reason: owned(),
                tokens_before: 1,
                tokens_after: 1,
            }],
        }),
        decide(Decision::Media {
            targets: vec![EntryId::new("2")],
            reason: owned(),
        }),
        EntryBody::ContextEdit {
            target: EntryId::new("2"),
            replacement: Some(vec![Part::Text(owned())]),
        },
        EntryBody::Label {
            target: EntryId::new("2"),
            label: Some(owned()),
        },
        EntryBody::BranchSummary {
            from: None,
            summary: owned(),
        },
        EntryBody::Compaction(Box::new(compaction)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_of_a_session_becomes_markup(text in hostile()) {
        let mut header = Header::new(text.clone(), Timestamp(1), text.clone());
        header.parent_session = Some(text.clone());
        let page = page_of(&header, &branch(session_of(&text)));
        prop_assert_eq!(foreign_markup(&page), Vec::<String>::new());
        for control in ['\u{0}', '\u{1b}', '\u{202e}'] {
            prop_assert!(!page.contains(control), "{:?}", control);
        }
    }
}
