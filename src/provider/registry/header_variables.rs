//! Headers that name variables of the environment, so that what is secret in them is in no file.

use std::collections::BTreeMap;

use secrecy::SecretString;

use super::environment::Environment;
use crate::provider::error::is_secret;

/// The headers as they are sent.
#[derive(Default)]
pub(super) struct ExpandedHeaders {
    /// Without those that name a variable that is not set.
    pub headers: Vec<(String, String)>,
    /// Values of variables: nobody is shown them.
    pub secrets: Vec<SecretString>,
    /// Headers that cannot be sent, with the variable that is not set.
    unset: Vec<(String, String)>,
}

impl ExpandedHeaders {
    /// Fills `$NAME` and `${NAME}` in; `$$` is a dollar sign, and so is one before anything
    /// that no variable begins with.
    pub(super) fn of(written: &BTreeMap<String, String>, environment: &Environment) -> Self {
        let mut out = Self::default();
        for (name, value) in written {
            match out.filled(value, environment) {
                Ok(value) => out.headers.push((name.clone(), value)),
                Err(variable) => out.unset.push((name.clone(), variable)),
            }
        }
        out
    }

    /// Why not all of them can be sent.
    pub(super) fn problem(&self, provider: &str) -> Option<String> {
        let (header, variable) = self.unset.first()?;
        Some(format!(
            "the header {header} of provider {provider} uses ${variable}, which is not set"
        ))
    }

    /// A value with its variables; the name of one that is not set.
    fn filled(&mut self, text: &str, environment: &Environment) -> Result<String, String> {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            filled.push_str(before);
            if let Some(after) = after.strip_prefix('$') {
                filled.push('$');
                rest = after;
                continue;
            }
            let Some((name, after)) = variable(after) else {
                filled.push('$');
                rest = after;
                continue;
            };
            let value = environment.get(name).ok_or_else(|| name.to_owned())?;
            if is_secret(value) {
                self.secrets.push(SecretString::from(value));
            }
            filled.push_str(value);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

/// The name of a variable at the beginning of a text, and what comes after it.
fn variable(text: &str) -> Option<(&str, &str)> {
    if let Some((name, after)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        return is_name(name).then_some((name, after));
    }
    let end = text
        .find(|c: char| c != '_' && !c.is_ascii_alphanumeric())
        .unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    is_name(name).then_some((name, after))
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let begins = chars
        .next()
        .is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    begins && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use secrecy::ExposeSecret;

    use super::*;

    fn expanded(value: &str) -> ExpandedHeaders {
        let environment: Environment = [("TEAM", "blue"), ("TOKEN", "very-secret-token")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        let written = BTreeMap::from([("x-it".to_owned(), value.to_owned())]);
        ExpandedHeaders::of(&written, &environment)
    }

    #[test]
    fn variables_are_filled_in_and_a_dollar_sign_can_be_written() {
        for (written, sent) in [
            ("plain", "plain"),
            ("$TEAM", "blue"),
            ("a-${TEAM}s $TEAM.", "a-blues blue."),
            ("Bearer $TOKEN", "Bearer very-secret-token"),
            ("$$TEAM costs $5 and 3$", "$TEAM costs $5 and 3$"),
            ("${not a name} ${", "${not a name} ${"),
            ("漢$TEAM漢", "漢blue漢"),
        ] {
            let headers = expanded(written);
            assert_eq!(headers.headers, [("x-it".to_owned(), sent.to_owned())]);
            assert_eq!(headers.problem("p"), None);
        }
        let secrets = expanded("$TEAM $TOKEN").secrets;
        let secrets: Vec<&str> = secrets.iter().map(ExposeSecret::expose_secret).collect();
        assert_eq!(secrets, ["very-secret-token"]);
    }

    #[test]
    fn a_variable_that_is_not_set_is_named_and_its_header_is_not_sent() {
        for written in ["$GONE", "a ${GONE} b"] {
            let headers = expanded(written);
            assert!(headers.headers.is_empty());
            assert_eq!(
                headers.problem("mine").unwrap(),
                "the header x-it of provider mine uses $GONE, which is not set"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_sent_or_refused_and_text_without_a_dollar_sign_as_it_is(
            text in "[a\u{301}漢$ {}A_9\r\n\0]{0,40}",
        ) {
            let headers = expanded(&text);
            prop_assert_eq!(headers.headers.len() + headers.unset.len(), 1);
            if !text.contains('$') {
                prop_assert_eq!(&headers.headers[0].1, &text);
            }
        }
    }
}
