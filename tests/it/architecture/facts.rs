//! The facts of a source file that the rules need, read once with a parser. Code that only
//! tests see (`#[cfg(test)]`) is left out.

use std::sync::OnceLock;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::source_files;

/// One file of `src/`.
#[derive(Debug, Default)]
pub struct FileFacts {
    /// From the repository's root, with slashes.
    pub path: String,
    pub structs: Vec<StructFacts>,
    /// Names of structs, enums, unions, traits and type aliases; not associated types.
    pub type_names: Vec<String>,
    pub impls: Vec<ImplFacts>,
    pub functions: Vec<FunctionFacts>,
    pub matches: Vec<MatchFacts>,
    /// Modules that the file declares.
    pub modules: Vec<String>,
    /// Paths of at least two names in code and in private imports, groups unfolded.
    pub paths: Vec<Vec<String>>,
    /// Imports that are visible elsewhere.
    pub reexports: Vec<Import>,
    /// Private imports.
    pub imports: Vec<Import>,
}

#[derive(Debug)]
pub struct StructFacts {
    pub name: String,
    pub fields: usize,
    /// Parsed from a command line.
    pub is_flags: bool,
}

/// Methods that one block gives a type.
#[derive(Debug)]
pub struct ImplFacts {
    pub type_name: String,
    pub methods: usize,
}

#[derive(Debug)]
pub struct FunctionFacts {
    pub name: String,
    /// Lines of the body, without blank lines and comments.
    pub lines: usize,
    pub tuple_parameters: usize,
}

/// A `match` of which at least one arm names a variant as `Type::Variant`.
#[derive(Debug)]
pub struct MatchFacts {
    pub type_names: Vec<String>,
    /// It has an arm without a guard that takes whatever is left.
    pub has_catch_all: bool,
}

/// `use a::b as name`; a glob is named `*`.
#[derive(Debug)]
pub struct Import {
    pub name: String,
    pub segments: Vec<String>,
}

/// The facts of each file below `src/` that is no file of tests.
pub fn source_facts() -> &'static [FileFacts] {
    static FACTS: OnceLock<Vec<FileFacts>> = OnceLock::new();
    FACTS.get_or_init(|| {
        let files = source_files("src", true).into_iter();
        files
            .filter(|(path, _)| !is_test_file(path))
            .map(|(path, text)| facts_of(&path, &text))
            .collect()
    })
}

/// Whether tests alone use a file, as its name says.
pub fn is_test_file(path: &str) -> bool {
    let names = ["tests.rs", "testing.rs", "fixture.rs", "test_scope.rs"];
    let name = path.rsplit('/').next().unwrap_or(path);
    path.starts_with("tests/") || path.contains("/tests/") || names.contains(&name)
}

pub fn facts_of(path: &str, text: &str) -> FileFacts {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let facts = FileFacts {
        path: path.to_owned(),
        ..FileFacts::default()
    };
    let lines = text.lines().collect();
    let mut reader = FactReader { facts, lines };
    reader.visit_file(&file);
    reader.facts
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = || attribute_words(attribute);
        (attribute.path().is_ident("cfg") && words().iter().any(|word| word == "test"))
            || attribute
                .path()
                .segments
                .last()
                .is_some_and(|it| it.ident == "test")
    })
}

fn attribute_words(attribute: &syn::Attribute) -> Vec<String> {
    let syn::Meta::List(list) = &attribute.meta else {
        return Vec::new();
    };
    let mut found = Vec::new();
    paths_in(list.tokens.clone(), &mut |path| found.extend(path));
    found
}

/// Every chain of names joined by `::`, also inside brackets.
fn paths_in(tokens: TokenStream, found: &mut impl FnMut(Vec<String>)) {
    let mut chain: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if colons != 2 && !chain.is_empty() {
                    found(std::mem::take(&mut chain));
                }
                chain.push(ident.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Group(group) => {
                paths_in(group.stream(), found);
                colons = 0;
            }
            _ => colons = 0,
        }
    }
    if !chain.is_empty() {
        found(chain);
    }
}

fn has_derive(attributes: &[syn::Attribute], names: &[&str]) -> bool {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .flat_map(attribute_words)
        .any(|word| names.contains(&word.as_str()))
}

/// Walks through a file.
struct FactReader<'a> {
    facts: FileFacts,
    lines: Vec<&'a str>,
}

impl FactReader<'_> {
    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let is_tuple = |input: &&syn::FnArg| match input {
            syn::FnArg::Typed(typed) => is_tuple_type(&typed.ty),
            syn::FnArg::Receiver(_) => false,
        };
        let braces = block.brace_token.span;
        let (open, close) = (braces.open().end().line, braces.close().start().line);
        let code = self.lines.iter().take(close - 1).skip(open);
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        self.facts.functions.push(FunctionFacts {
            name: signature.ident.to_string(),
            lines: code.filter(is_code).count(),
            tuple_parameters: signature.inputs.iter().filter(is_tuple).count(),
        });
    }

    fn import(&mut self, tree: &syn::UseTree, before: &[String], is_public: bool) {
        let with = |ident: &syn::Ident| {
            let mut segments = before.to_vec();
            segments.push(ident.to_string());
            segments
        };
        let (name, segments) = match tree {
            syn::UseTree::Path(path) => {
                return self.import(&path.tree, &with(&path.ident), is_public);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_public);
                }
                return;
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                (before.last().cloned().unwrap_or_default(), before.to_vec())
            }
            syn::UseTree::Name(name) => (name.ident.to_string(), with(&name.ident)),
            syn::UseTree::Rename(name) if name.ident == "self" => {
                (name.rename.to_string(), before.to_vec())
            }
            syn::UseTree::Rename(name) => (name.rename.to_string(), with(&name.ident)),
            syn::UseTree::Glob(_) => ("*".to_owned(), before.to_vec()),
        };
        let import = Import { name, segments };
        if is_public {
            self.facts.reexports.push(import);
        } else {
            self.facts.imports.push(import);
        }
    }
}

/// A tuple of two or more, by value or behind references.
fn is_tuple_type(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.len() > 1,
        syn::Type::Reference(reference) => is_tuple_type(&reference.elem),
        syn::Type::Paren(paren) => is_tuple_type(&paren.elem),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for FactReader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_for_tests(item_attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        if is_for_tests(&method.attrs) {
            return;
        }
        self.function(&method.sig, &method.block);
        visit::visit_impl_item_fn(self, method);
    }

    fn visit_trait_item_fn(&mut self, method: &'ast syn::TraitItemFn) {
        if let Some(block) = &method.default {
            self.function(&method.sig, block);
        }
        visit::visit_trait_item_fn(self, method);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let name = item.ident.to_string();
        self.facts.type_names.push(name.clone());
        self.facts.structs.push(StructFacts {
            name,
            fields: item.fields.len(),
            is_flags: has_derive(&item.attrs, &["Args", "Parser"]),
        });
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.facts.type_names.push(item.ident.to_string());
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.facts.type_names.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.facts.type_names.push(item.ident.to_string());
        visit::visit_item_type(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let mut of = &*item.self_ty;
        while let syn::Type::Reference(reference) = of {
            of = &reference.elem;
        }
        if let syn::Type::Path(path) = of
            && let Some(last) = path.path.segments.last()
        {
            let is_method = |it: &&syn::ImplItem| match it {
                syn::ImplItem::Fn(method) => !is_for_tests(&method.attrs),
                _ => false,
            };
            self.facts.impls.push(ImplFacts {
                type_name: last.ident.to_string(),
                methods: item.items.iter().filter(is_method).count(),
            });
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.facts.modules.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_public = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &[], is_public);
    }

    fn visit_expr_match(&mut self, item: &'ast syn::ExprMatch) {
        let mut type_names = Vec::new();
        for arm in &item.arms {
            variants_of(&arm.pat, &mut type_names);
        }
        if !type_names.is_empty() {
            self.facts.matches.push(MatchFacts {
                type_names,
                has_catch_all: item.arms.iter().any(|arm| takes_all(&arm.pat)),
            });
        }
        visit::visit_expr_match(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        if segments.len() > 1 {
            self.facts.paths.push(segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        paths_in(item.tokens.clone(), &mut |path| {
            if path.len() > 1 {
                self.facts.paths.push(path);
            }
        });
    }

    /// `pub(in path)` uses nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

fn item_attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The types whose variants a pattern names, looked for in alternatives and in `Some`, `Ok`
/// and `Err`.
fn variants_of(pattern: &syn::Pat, found: &mut Vec<String>) {
    let mut of_path = |path: &syn::Path| {
        let type_name = path.segments.iter().rev().nth(1);
        found.extend(type_name.map(|it| it.ident.to_string()));
    };
    match pattern {
        syn::Pat::Path(path) => of_path(&path.path),
        syn::Pat::Struct(item) => of_path(&item.path),
        syn::Pat::TupleStruct(item) => {
            of_path(&item.path);
            if item.path.get_ident().is_some() {
                item.elems.iter().for_each(|it| variants_of(it, found));
            }
        }
        syn::Pat::Or(or) => or.cases.iter().for_each(|it| variants_of(it, found)),
        syn::Pat::Guard(guard) => variants_of(&guard.pat, found),
        syn::Pat::Paren(paren) => variants_of(&paren.pat, found),
        syn::Pat::Reference(reference) => variants_of(&reference.pat, found),
        syn::Pat::Ident(ident) => {
            if let Some(inner) = &ident.subpat {
                variants_of(&inner.1, found);
            }
        }
        _ => {}
    }
}

/// Whether a pattern takes any value, or anything inside of `Some` and `Ok`.
fn takes_all(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) => true,
        // A constant without a path would be in capitals; `None` is a variant.
        syn::Pat::Ident(ident) => {
            let name = ident.ident.to_string();
            ident.subpat.is_none() && name.starts_with(|c: char| c.is_lowercase() || c == '_')
        }
        syn::Pat::Or(or) => or.cases.iter().any(takes_all),
        syn::Pat::Paren(paren) => takes_all(&paren.pat),
        syn::Pat::Reference(reference) => takes_all(&reference.pat),
        syn::Pat::TupleStruct(item) => {
            let is_wrapper = item.path.is_ident("Some") || item.path.is_ident("Ok");
            is_wrapper && item.elems.iter().all(takes_all)
        }
        _ => false,
    }
}

#[test]
fn code_of_tests_is_left_out() {
    let text = "struct A { a: u8 }\n#[cfg(test)]\nmod tests { struct B; fn f() {} }\n\
        impl A { fn g(&self) {}\n #[cfg(test)] fn h(&self) {} }\n#[cfg(all(test, unix))] fn i() {}";
    let facts = facts_of("src/a.rs", text);
    assert_eq!(facts.type_names, ["A"]);
    let names: Vec<&str> = facts.functions.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["g"]);
    assert_eq!(facts.impls.iter().map(|it| it.methods).sum::<usize>(), 1);
}

#[test]
fn paths_inside_macros_are_read() {
    let facts = facts_of("src/a.rs", "fn f() { m!(a::b, { c::d::e(f.g) } => h) }");
    let paths: Vec<String> = facts.paths.iter().map(|it| it.join("::")).collect();
    assert_eq!(paths, ["c::d::e", "a::b"]);
}
