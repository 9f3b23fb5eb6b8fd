//! What the scopes of grammars mean to a theme.

use ratatui::style::Style;
use syntect::parsing::{Scope, ScopeStack};

use crate::tui::theme::Theme;

/// What a scope means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Keyword,
    Str,
    Comment,
    Constant,
    Function,
    Type,
    Punctuation,
    Added,
    Removed,
    Heading,
    Dim,
}

/// Scopes by prefix; the first that fits counts, so the narrower stand before the wider.
const RULES: &[(&str, Meaning)] = &[
    ("comment", Meaning::Comment),
    ("punctuation.definition.comment", Meaning::Comment),
    ("constant.character.escape", Meaning::Constant),
    ("punctuation.definition.string", Meaning::Str),
    ("string", Meaning::Str),
    ("constant", Meaning::Constant),
    ("keyword.operator", Meaning::Punctuation),
    ("keyword", Meaning::Keyword),
    ("storage", Meaning::Keyword),
    ("variable.language", Meaning::Keyword),
    ("entity.name.tag", Meaning::Keyword),
    ("entity.name.function", Meaning::Function),
    ("entity.name.macro", Meaning::Function),
    ("entity.other.attribute-name", Meaning::Function),
    ("support.function", Meaning::Function),
    ("support.macro", Meaning::Function),
    ("variable.function", Meaning::Function),
    ("variable.annotation", Meaning::Function),
    ("entity.name.section", Meaning::Heading),
    ("entity.name", Meaning::Type),
    ("entity.other.inherited-class", Meaning::Type),
    ("support.type", Meaning::Type),
    ("support.class", Meaning::Type),
    ("markup.inserted", Meaning::Added),
    ("markup.deleted", Meaning::Removed),
    ("markup.heading", Meaning::Heading),
    ("meta.diff.header", Meaning::Dim),
    ("meta.diff.range", Meaning::Dim),
    ("punctuation", Meaning::Punctuation),
];

/// [`RULES`] with their scopes built.
#[derive(Debug)]
pub(super) struct Rules(Vec<(Scope, Meaning)>);

impl Rules {
    pub fn new() -> Self {
        let build =
            |&(prefix, meaning): &(&str, Meaning)| Some((Scope::new(prefix).ok()?, meaning));
        Self(RULES.iter().filter_map(build).collect())
    }

    /// The style of text on which these scopes lie: the innermost that means something.
    pub fn style(&self, stack: &ScopeStack, theme: &Theme) -> Style {
        let meaning = stack
            .as_slice()
            .iter()
            .rev()
            .find_map(|&scope| self.meaning(scope));
        match meaning {
            Some(Meaning::Keyword) => theme.syntax_keyword,
            Some(Meaning::Str) => theme.syntax_string,
            Some(Meaning::Comment) => theme.syntax_comment,
            Some(Meaning::Constant) => theme.syntax_constant,
            Some(Meaning::Function) => theme.syntax_function,
            Some(Meaning::Type) => theme.syntax_type,
            Some(Meaning::Punctuation) => theme.syntax_punctuation,
            Some(Meaning::Added) => theme.diff_added,
            Some(Meaning::Removed) => theme.diff_removed,
            Some(Meaning::Heading) => theme.heading,
            Some(Meaning::Dim) => theme.dim,
            None => theme.code,
        }
    }

    fn meaning(&self, scope: Scope) -> Option<Meaning> {
        self.0
            .iter()
            .find(|(prefix, _)| prefix.is_prefix_of(scope))
            .map(|&(_, meaning)| meaning)
    }
}
