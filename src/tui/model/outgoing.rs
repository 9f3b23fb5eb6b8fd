//! The destination of the composer's text.

use super::super::command::is_message;
use crate::transcript::EntryId;

/// Where the composer's text goes when it is sent.
#[derive(Debug, Default)]
pub struct OutgoingText {
    /// The message in whose place it will be sent.
    pub replaces: Option<EntryId>,
    /// Inputs that were given back to the composer, in their order there.
    pub given_back: Vec<String>,
}

impl OutgoingText {
    /// The inputs in a text that is sent. What was given back with commands in it is as many
    /// inputs as before: no command takes the message after it for its arguments. One that was
    /// edited is what is between the others.
    pub fn inputs_of(&mut self, text: &str) -> Vec<String> {
        let given_back = std::mem::take(&mut self.given_back);
        if given_back.iter().all(|input| is_message(input)) {
            return vec![text.to_owned()];
        }
        let mut inputs = Vec::new();
        let mut rest = text;
        for input in &given_back {
            let Some(at) = lines_at(rest, input) else {
                continue;
            };
            inputs.push(rest.get(..at).unwrap_or_default());
            inputs.push(input);
            rest = rest.get(at + input.len()..).unwrap_or_default();
        }
        inputs.push(rest);
        let inputs = inputs.into_iter().map(|it| it.trim_matches('\n'));
        let inputs = inputs.filter(|it| !it.trim().is_empty());
        inputs.map(str::to_owned).collect()
    }
}

/// Where whole lines of a text are these.
fn lines_at(text: &str, lines: &str) -> Option<usize> {
    let mut places = text.match_indices(lines).map(|(at, _)| at);
    places.find(|&at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + lines.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_is_as_many_inputs_as_before() {
        let mut outgoing = OutgoingText::default();
        assert_eq!(outgoing.inputs_of("a\nb"), ["a\nb"]);
        outgoing.given_back = vec!["!make".to_owned(), "why?".to_owned()];
        assert_eq!(
            outgoing.inputs_of("!make\nwhy?\nmore"),
            ["!make", "why?", "more"]
        );
        assert!(outgoing.given_back.is_empty());
    }
}
