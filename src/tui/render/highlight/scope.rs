//! The meaning of grammar scopes for a theme.

use ratatui::style::Style;
use syntect::parsing::{Scope, ScopeStack};

use crate::tui::theme::Theme;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeMeaning {
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

/// Scopes by prefix; the first that fits counts, so the narrower come before the wider.
const RULES: &[(&str, ScopeMeaning)] = &[
    ("comment", ScopeMeaning::Comment),
    ("punctuation.definition.comment", ScopeMeaning::Comment),
    ("constant.character.escape", ScopeMeaning::Constant),
    ("punctuation.definition.string", ScopeMeaning::Str),
    ("string", ScopeMeaning::Str),
    ("constant", ScopeMeaning::Constant),
    ("keyword.operator", ScopeMeaning::Punctuation),
    ("keyword", ScopeMeaning::Keyword),
    ("storage", ScopeMeaning::Keyword),
    ("variable.language", ScopeMeaning::Keyword),
    ("entity.name.tag", ScopeMeaning::Keyword),
    ("entity.name.function", ScopeMeaning::Function),
    ("entity.name.macro", ScopeMeaning::Function),
    ("entity.other.attribute-name", ScopeMeaning::Function),
    ("support.function", ScopeMeaning::Function),
    ("support.macro", ScopeMeaning::Function),
    ("variable.function", ScopeMeaning::Function),
    ("variable.annotation", ScopeMeaning::Function),
    ("entity.name.section", ScopeMeaning::Heading),
    ("entity.name", ScopeMeaning::Type),
    ("entity.other.inherited-class", ScopeMeaning::Type),
    ("support.type", ScopeMeaning::Type),
    ("support.class", ScopeMeaning::Type),
    ("markup.inserted", ScopeMeaning::Added),
    ("markup.deleted", ScopeMeaning::Removed),
    ("markup.heading", ScopeMeaning::Heading),
    ("meta.diff.header", ScopeMeaning::Dim),
    ("meta.diff.range", ScopeMeaning::Dim),
    ("punctuation", ScopeMeaning::Punctuation),
];

/// [`RULES`] with their scopes built.
#[derive(Debug)]
pub(super) struct Rules(Vec<(Scope, ScopeMeaning)>);

impl Rules {
    pub(super) fn new() -> Self {
        let build =
            |&(prefix, meaning): &(&str, ScopeMeaning)| Some((Scope::new(prefix).ok()?, meaning));
        Self(RULES.iter().filter_map(build).collect())
    }

    /// The style of text on which these scopes lie: the innermost that means something.
    pub(super) fn style(&self, stack: &ScopeStack, theme: &Theme) -> Style {
        let meaning = stack
            .as_slice()
            .iter()
            .rev()
            .find_map(|&scope| self.meaning(scope));
        match meaning {
            Some(ScopeMeaning::Keyword) => theme.syntax_keyword,
            Some(ScopeMeaning::Str) => theme.syntax_string,
            Some(ScopeMeaning::Comment) => theme.syntax_comment,
            Some(ScopeMeaning::Constant) => theme.syntax_constant,
            Some(ScopeMeaning::Function) => theme.syntax_function,
            Some(ScopeMeaning::Type) => theme.syntax_type,
            Some(ScopeMeaning::Punctuation) => theme.syntax_punctuation,
            Some(ScopeMeaning::Added) => theme.diff_added,
            Some(ScopeMeaning::Removed) => theme.diff_removed,
            Some(ScopeMeaning::Heading) => theme.heading,
            Some(ScopeMeaning::Dim) => theme.dim,
            None => theme.code,
        }
    }

    fn meaning(&self, scope: Scope) -> Option<ScopeMeaning> {
        self.0
            .iter()
            .find(|(prefix, _)| prefix.is_prefix_of(scope))
            .map(|&(_, meaning)| meaning)
    }
}
