use super::*;

#[test]
fn deltas_of_a_kind_become_one() {
    let text = |text: &str| AnswerDelta::Text(text.to_owned());
    let thinking = |text: &str| AnswerDelta::Thinking(text.to_owned());
    let call = |index, argument_bytes| AnswerDelta::ToolCall {
        index,
        name: "read".to_owned(),
        argument_bytes,
    };
    let check = |before: AnswerDelta, after: AnswerDelta, expected: Option<AnswerDelta>| {
        let apart = (before.clone(), Some(after.clone()));
        let expected = expected.map_or(apart, |both| (both, None));
        assert_eq!(before.followed_by(after), expected);
    };
    check(text("a"), text("b"), Some(text("ab")));
    check(thinking("a"), thinking("b"), Some(thinking("ab")));
    check(call(1, 3), call(1, 9), Some(call(1, 9)));
    check(call(1, 3), call(2, 9), None);
    check(text("a"), thinking("b"), None);
    check(thinking("a"), AnswerDelta::Reset, None);
    check(AnswerDelta::Reset, AnswerDelta::Reset, None);
}
