//! Claims in thirteen languages, and what holds for every text: nothing panics, what the
//! source says is never struck, striking twice is striking once.

use std::sync::Arc;

use plimsoll::context::grounding::{
    ClaimClass, GroundingSources, SourceIndex, check, check_with, strike, worthless,
};
use plimsoll::context::summary::SourceMessage;
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, EntryId, Message, Part, ToolCall, ToolResult,
};
use proptest::prelude::*;

fn source(number: usize, message: Message) -> SourceMessage {
    SourceMessage {
        entry: EntryId::new(format!("m{number}")),
        message: Arc::new(message),
        tokens: 1,
    }
}

fn call(number: usize, command: &str, output: &str, is_error: bool) -> [SourceMessage; 2] {
    let id = format!("c{number}");
    let asked = Message::Assistant(AssistantMessage {
        content: vec![AssistantPart::ToolCall(ToolCall {
            id: id.clone(),
            name: "bash".to_owned(),
            arguments: serde_json::json!({ "command": command }),
            malformed: None,
        })],
        ..AssistantMessage::default()
    });
    let result = Message::ToolResult(ToolResult {
        call_id: id,
        tool_name: "bash".to_owned(),
        content: vec![Part::Text(output.to_owned())],
        is_error,
        details: None,
    });
    [source(number, asked), source(number + 1, result)]
}

fn said(texts: &[&str]) -> Vec<SourceMessage> {
    let messages = texts.iter().enumerate();
    messages
        .map(|(number, text)| source(number, Message::user_text(*text)))
        .collect()
}

fn ungrounded(summary: &str, messages: &[SourceMessage]) -> Vec<String> {
    let sources = GroundingSources {
        messages,
        ..GroundingSources::default()
    };
    let grounding = check(summary, sources);
    grounding
        .ungrounded()
        .map(|claim| claim.text.clone())
        .collect()
}

fn done_actions(summary: &str, messages: &[SourceMessage]) -> usize {
    let sources = GroundingSources {
        messages,
        ..GroundingSources::default()
    };
    let grounding = check(summary, sources);
    grounding
        .ungrounded()
        .filter(|claim| claim.class == ClaimClass::DoneAction)
        .count()
}

/// A done action in each language, and the same denied, planned or asked for.
const ACTIONS: [(&str, &[&str]); 13] = [
    (
        "The release was pushed and deployed.",
        &[
            "The release was not pushed.",
            "The user wants the release pushed.",
            "The release will be deployed.",
            "Was the release deployed?",
            "If the release is deployed, tests follow.",
        ],
    ),
    (
        "Der Zweig wurde gepusht.",
        &[
            "Der Zweig wurde nicht gepusht.",
            "Der Zweig soll gepusht werden.",
            "Wenn der Zweig gepusht wurde, folgt der Rest.",
        ],
    ),
    (
        "La branche a été fusionnée.",
        &[
            "La branche n'a pas été fusionnée.",
            "La branche doit être fusionnée.",
            "Rien n'a été fusionné.",
        ],
    ),
    (
        "La rama fue eliminada.",
        &[
            "La rama no fue eliminada.",
            "La rama será eliminada.",
            "Nada fue eliminado.",
        ],
    ),
    (
        "O pacote foi publicado.",
        &[
            "O pacote não foi publicado.",
            "O pacote será publicado.",
            "Nada foi publicado.",
        ],
    ),
    (
        "La fattura è stata pagata.",
        &[
            "La fattura non è stata pagata.",
            "La fattura deve essere pagata.",
            "Nessuna fattura è stata pagata.",
        ],
    ),
    (
        "Het bericht is verstuurd.",
        &[
            "Het bericht is niet verstuurd.",
            "Het bericht moet verstuurd worden.",
            "Er is niets verstuurd.",
        ],
    ),
    (
        "Wiadomość została wysłana, usunięto też pliki.",
        &[
            "Wiadomość nie została wysłana.",
            "Wiadomość może być wysłana.",
            "Nic nie usunięto.",
        ],
    ),
    (
        "Ветка была удалена.",
        &[
            "Ветка не была удалена.",
            "Ветка будет удалена.",
            "Ничего не удалено.",
        ],
    ),
    (
        "Yeni sürüm canlıya alındı.",
        &[
            "Yeni sürüm canlıya alınmadı.",
            "Yeni sürüm canlıya alınacak.",
            "Hiçbir sürüm canlıya alındı değil.",
        ],
    ),
    (
        "新版本已部署。",
        &["新版本尚未部署。", "新版本将部署。", "新版本没有部署。"],
    ),
    (
        "新しいバージョンをデプロイしました。",
        &[
            "新しいバージョンはデプロイしていません。",
            "デプロイする予定です。",
        ],
    ),
    (
        "새 버전을 배포했습니다.",
        &["새 버전을 배포하지 않았습니다.", "배포할 예정입니다."],
    ),
];

#[test]
fn a_done_action_is_a_claim_in_every_language_and_a_denied_or_planned_one_is_none() {
    let messages = said(&["Please look at the release, the branch and the invoice."]);
    let mut wrong = Vec::new();
    for (done, others) in ACTIONS {
        if done_actions(done, &messages) == 0 {
            wrong.push(format!("no claim: {done}"));
        }
        for other in others {
            if done_actions(other, &messages) > 0 {
                wrong.push(format!("claim: {other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_answer_of_the_model_bears_no_witness_to_an_action_and_a_failed_call_neither() {
    let answer = Message::Assistant(AssistantMessage {
        content: vec![AssistantPart::Text(
            "I pushed feature/login to origin.".to_owned(),
        )],
        ..AssistantMessage::default()
    });
    let summary = "- feature/login was pushed to origin.";
    assert_eq!(done_actions(summary, &[source(0, answer)]), 1);
    let failed = call(
        1,
        "git push origin feature/login",
        "fatal: could not read",
        true,
    );
    assert_eq!(done_actions(summary, &failed), 1);
    let worked = call(
        1,
        "git push origin feature/login",
        "To github.com:a/b",
        false,
    );
    assert_eq!(done_actions(summary, &worked), 0);
    let other = call(
        1,
        "git push origin feature/logout",
        "To github.com:a/b",
        false,
    );
    assert!(!ungrounded(summary, &other).is_empty());
    assert_eq!(
        done_actions(
            summary,
            &said(&["feature/login was pushed to origin yesterday"])
        ),
        0
    );
    assert_eq!(
        done_actions(summary, &said(&["push feature/login to origin"])),
        1
    );
    let dry = call(
        1,
        "git push --dry-run origin feature/login",
        "would push",
        false,
    );
    assert_eq!(done_actions(summary, &dry), 1);
    let looked = call(1, "git log --grep push feature/login", "", false);
    assert_eq!(done_actions(summary, &looked), 1);
}

#[test]
fn form_does_not_matter_and_content_does() {
    let messages = said(&[
        "MergeError in src/segment/merge.rs took 4.555s and 1048576 bytes; 1,187 tokens, see #418. \
         Costs: USD 47,500.00 and 2.150,00 €, 12.1% more. Host db-2.internal:5433, v3.4.0, \
         commit 91ce3b6d0f4e2a77, 2026-03-14 at 02:00, João Pereira, 57 customers, 3 phases.",
    ]);
    for summary in [
        "- merge_error in merge.rs, `merge error`, /segment/merge.rs",
        "- 4.6 s, 4555 ms, 1 MiB, 1.0 MB, 1.2k tokens, 1187 tokens",
        "- $47.5k, €2150, 12 percent, issue #418",
        "- db-2.internal, version 3.4.0, commit 91ce3b6",
        "- 14 March 2026 at 2:00, by Joao Pereira for 57 customers",
        "- am 14.03.2026, 4,6 Sekunden",
        "- 2026年3月14日,57 位客户",
    ] {
        assert_eq!(
            ungrounded(summary, &messages),
            Vec::<String>::new(),
            "{summary}"
        );
    }
    for (summary, wrong) in [
        ("- merge_warning in merge.rs", "merge_warning"),
        ("- src/segment/split.rs", "src/segment/split.rs"),
        ("- it took 4.8 s", "4.8 s"),
        ("- costs $50,000", "$50,000"),
        ("- costs €47,500", "€47,500"),
        ("- 13 percent more", "13 percent"),
        ("- see #481", "#481"),
        ("- db-3.internal", "db-3.internal"),
        ("- version 3.4.1", "3.4.1"),
        ("- commit 91ce3b7", "91ce3b7"),
        ("- on 15 March 2026", "15 March 2026"),
        ("- for 75 customers", "75"),
        ("- approved by Ana Pereira", "Ana Pereira"),
        ("- see https://example.org/x", "https://example.org/x"),
        ("- mail ana@example.org", "ana@example.org"),
        ("- with `--force`", "--force"),
    ] {
        assert_eq!(ungrounded(summary, &messages), [wrong], "{summary}");
    }
}

#[test]
fn the_log_yields_counts_sums_and_shares() {
    let mut messages = said(&["run the tests"]);
    messages.extend(call(
        1,
        "cargo test",
        "test result: FAILED. 39 passed; 2 failed; 0 ignored",
        true,
    ));
    messages.extend(call(3, "cargo bench", "p99 1204 ms", false));
    messages.extend(call(5, "cargo bench", "p99 38 ms", false));
    for summary in [
        "- 1 of 3 calls failed",
        "- 2 of 41 tests failed, 39 passed",
        "- p99 fell from 1204 ms to 38 ms (97% less)",
    ] {
        assert_eq!(
            ungrounded(summary, &messages),
            Vec::<String>::new(),
            "{summary}"
        );
    }
    for summary in [
        "- all 41 tests pass",
        "- 5 of 41 tests failed",
        "- p99 fell from 1204 ms to 38 ms (80% less)",
    ] {
        assert_eq!(
            ungrounded(summary, &messages).len(),
            1,
            "{summary}: {:?}",
            ungrounded(summary, &messages)
        );
    }
}

#[test]
fn what_stands_on_its_own_stays_and_markdown_stays_whole() {
    let messages = said(&["Look at src/a.rs and src/b.rs, 59 tests pass"]);
    let sources = GroundingSources {
        messages: &messages,
        ..GroundingSources::default()
    };
    for (summary, expected) in [
        (
            "## Done\n- src/a.rs changed; src/zz.rs deleted.\n",
            "## Done\n- src/a.rs changed.\n",
        ),
        (
            "## Done\n- 59 tests pass, and the mail was sent.\n",
            "## Done\n- 59 tests pass.\n",
        ),
        (
            "## Done\n- src/zz.rs is new.\n\n## Next\n- x\n",
            "## Done\n(none)\n\n## Next\n- x\n",
        ),
        (
            "- See src/a.rs. See src/zz.rs. See src/b.rs.",
            "- See src/a.rs. See src/b.rs.",
        ),
        (
            "| a | b |\n|---|---|\n| src/a.rs | 1 |\n| src/zz.rs | 2 |\n",
            "| a | b |\n|---|---|\n| src/a.rs | 1 |\n",
        ),
        (
            "- src/a.rs uses ZebraIndex now",
            "- src/a.rs uses ZebraIndex [unverified] now",
        ),
        (
            "Files: src/zz.rs, src/a.rs, src/b.rs",
            "Files: src/a.rs, src/b.rs",
        ),
        (
            "Files: src/a.rs, src/zz.rs, src/b.rs",
            "Files: src/a.rs, src/b.rs",
        ),
        ("- **src/zz.rs was** changed", ""),
        ("keep\r\n- src/zz.rs\r\nthis\r\n", "keep\r\nthis\r\n"),
    ] {
        let struck = strike(summary, &check(summary, sources));
        assert_eq!(struck.text, expected, "{summary}");
        let again = strike(&struck.text, &check(&struck.text, sources));
        assert_eq!(again.text, expected, "twice: {summary}");
    }
}

/// Pieces that claims are made of, and texts that break things.
fn sentence() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{2,9}",
        "[a-z]{2,6}/[a-z]{2,6}\\.(rs|py|ts)",
        "[a-z]{2,5}_[a-z]{2,5}",
        "[A-Z][a-z]{2,6}[A-Z][a-z]{2,6}",
        "[0-9]{1,5}(\\.[0-9]{1,2})? (ms|s|MB|%|files|rows|tests passed|errors)",
        "[$€][0-9]{1,3},[0-9]{3}(\\.[0-9]{2})?",
        "v?[0-9]\\.[0-9]{1,2}\\.[0-9]{1,2}",
        "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9])",
        "[a-f0-9]{7,12}",
        "#[0-9]{2,5}",
        "--[a-z]{3,8}",
        "[A-Z]{3,6}-[0-9]{1,4}",
        "(was|were) (deployed|pushed|deleted|merged|sent|migrated)",
        "`[a-z_]{3,12}`",
        "https://[a-z]{3,8}\\.(com|dev)/[a-z]{2,6}",
        "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}:[0-9]{2,5}",
        "(und|and|but|not|的|。|、|测试|三个|テスト|배포했)",
        "[A-Z][a-zé]{3,8}",
    ];
    let joint = prop_oneof![Just(" "), Just(", "), Just("; "), Just(" and "), Just(": ")];
    proptest::collection::vec((piece, joint), 1..9).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(piece, joint)| [piece, joint.to_owned()])
            .collect::<String>()
            .trim()
            .to_owned()
            + "."
    })
}

fn ugly() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\0".to_owned()),
        Just("\r\n".to_owned()),
        Just("\n".to_owned()),
        Just("```\n".to_owned()),
        Just("| a | 5 ms |\n|---|---|\n".to_owned()),
        Just("## H\n".to_owned()),
        Just("- ".to_owned()),
        Just("e\u{301}\u{301}".to_owned()),
        Just("５０％".to_owned()),
        Just("**".to_owned()),
        Just("`".to_owned()),
        Just("1,2.3'4_5".to_owned()),
        Just("99999999999999999999".to_owned()),
        Just("第三十二个测试通过".to_owned()),
        Just("İıſßﬁ".to_owned()),
        Just("/////..//:8080".to_owned()),
        "\\PC{0,12}",
        sentence(),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Times that a text is struck until nothing changes any more.
const MAX_ROUNDS: usize = 6;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_text_breaks_it_and_striking_ends(summary in ugly(), source_text in ugly()) {
        let messages = said(&[source_text.as_str()]);
        let sources = GroundingSources { messages: &messages, ..GroundingSources::default() };
        let index = SourceIndex::of(sources);
        let grounding = check_with(&index, &summary);
        for claim in &grounding.claims {
            let line = summary.lines().nth(claim.line).unwrap_or_default();
            prop_assert_eq!(line.get(claim.span.clone()), Some(claim.text.as_str()));
        }
        let struck = strike(&summary, &grounding);
        let touched: std::collections::BTreeSet<usize> = grounding.ungrounded().map(|claim| claim.line).collect();
        let kept: Vec<&str> = struck.text.lines().collect();
        for (number, line) in summary.lines().enumerate() {
            if !touched.contains(&number) {
                prop_assert!(kept.contains(&line), "{line:?} of {summary:?} in {:?}", struck.text);
            }
        }
        // A clause that is left may say something of its own: that ends soon.
        let mut rounds = vec![struck.text];
        while rounds.len() < MAX_ROUNDS {
            let text = rounds.last().unwrap();
            let again = strike(text, &check_with(&index, text)).text;
            rounds.push(again);
        }
        let (last, before) = (&rounds[MAX_ROUNDS - 1], &rounds[MAX_ROUNDS - 2]);
        prop_assert_eq!(last, before, "{:?}", summary);
        let _ = worthless(&summary, sources);
    }

    #[test]
    fn sentences_of_the_source_are_grounded(sentences in proptest::collection::vec(sentence(), 1..12), picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..6)) {
        let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let messages = said(&texts);
        let sources = GroundingSources { messages: &messages, ..GroundingSources::default() };
        let copied: Vec<String> = picks.iter().map(|pick| format!("- {}\n", pick.get(&sentences))).collect();
        let copied = copied.concat();
        let grounding = check(&copied, sources);
        let wrong: Vec<String> = grounding.ungrounded().filter(|claim| claim.class.is_hard()).map(|claim| format!("{}:{}", claim.class.name(), claim.text)).collect();
        prop_assert!(wrong.is_empty(), "{wrong:?} in {copied}");
        prop_assert_eq!(strike(&copied, &grounding).struck.len(), 0);
    }
}

#[test]
fn a_number_behind_a_number_and_a_colon_is_found_where_it_was_said() {
    let messages = said(&["0.0.0.501:13.", "it stopped at 501:13"]);
    let sources = GroundingSources {
        messages: &messages,
        ..GroundingSources::default()
    };
    for said in ["- 0.0.0.501:13.", "- it stopped at 501:13"] {
        assert_eq!(check(said, sources).ungrounded().count(), 0, "{said}");
    }
    assert_eq!(
        check("- it stopped at 501:77", sources)
            .ungrounded()
            .count(),
        1
    );
}

#[test]
fn long_lines_are_read_in_linear_time() {
    let long = "令牌 src/a_b.rs 12 ms was deployed, ".repeat(30_000);
    let messages = said(&[&long]);
    let sources = GroundingSources {
        messages: &messages,
        ..GroundingSources::default()
    };
    let grounding = check("- src/a_b.rs took 12 ms", sources);
    assert_eq!(grounding.ungrounded().count(), 0);
    let summary = "x ".repeat(500_000);
    assert_eq!(check(&summary, sources).claims.len(), 0);
}
