//! Summaries under the `anonymize` policy.

use super::*;

#[test]
fn aliases_are_carried_on_and_nothing_is_named() {
    let job = SummaryJob {
        previous_summary: Some("## Decisions\n- id-1 stays".to_owned()),
        previous_aliases: vec![("id-1".to_owned(), "src/auth.rs".to_owned())],
        instructions: Some("look at src/auth.rs".to_owned()),
        audit: AuditSettings {
            identifier_policy: crate::context::IdentifierPolicy::Anonymize,
            ..AuditSettings::default()
        },
        ..job(small())
    };
    let text = good().replace("src/auth.rs", "id-1").replace(UUID, "id-9");
    let (step, calls) = drive(job, &[says(&text)]);
    let result = done(step);
    assert!(!calls[0].text.contains(UUID) && !calls[0].text.contains("src/auth.rs"));
    assert!(
        calls[0].text.contains("in id-1, request id-2"),
        "{}",
        calls[0].text
    );
    assert!(
        calls[1].text.contains("`id-9` stands for nothing"),
        "{}",
        calls[1].text
    );
    assert!(result.summary.contains("(unknown identifier)") && result.audit.passed);
    let aliases: Vec<(&str, &str)> = result
        .aliases
        .iter()
        .map(|(alias, name)| (alias.as_str(), name.as_str()))
        .collect();
    assert_eq!(aliases, [("id-1", "src/auth.rs"), ("id-2", UUID)]);
}
