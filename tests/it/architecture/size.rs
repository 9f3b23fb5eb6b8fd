//! How large files, functions, structs, types and folders may be.

use std::collections::BTreeMap;

use super::facts::{FileFacts, facts_of, is_test_file, source_facts};
use super::{against_known, check};

/// Lines of a file; beyond it, a file is two files.
const MAX_LINES: usize = 600;
/// Lines of a file of tests: long tables of cases are fine.
const MAX_TEST_LINES: usize = 800;

/// Lines of a function's body, without blank lines and comments.
const MAX_FUNCTION_LINES: usize = 60;
/// Fields of a struct.
const MAX_FIELDS: usize = 15;
/// Methods of a type over all files.
const MAX_METHODS: usize = 80;
/// Rust files in a folder, those of tests left out.
const MAX_FOLDER_FILES: usize = 16;

/// Structs that are a list by nature: a colour for each role.
const WIDE_STRUCTS: [&str; 1] = ["Theme"];
/// Folders that are a list by nature.
const WIDE_FOLDERS: [&str; 0] = [];

const KNOWN_FUNCTIONS: &[(&str, usize)] = &[];
const KNOWN_STRUCTS: &[(&str, usize)] = &[];
const KNOWN_TYPES: &[(&str, usize)] = &[];
const KNOWN_FOLDERS: &[(&str, usize)] = &[];

#[test]
fn files_are_small_enough_to_read() {
    check("src", size);
    check("crates", size);
    check("tests", size);
}

fn size(path: &str, text: &str) -> Vec<String> {
    let is_test =
        path.starts_with("tests/") || path.ends_with("/tests.rs") || path.contains("/tests/");
    let max = if is_test { MAX_TEST_LINES } else { MAX_LINES };
    let lines = text.lines().count();
    if lines > max {
        vec![format!("{lines} lines; at most {max}")]
    } else {
        Vec::new()
    }
}

#[test]
fn large_files_are_seen() {
    let cases = [
        ("src/a.rs", 600, 0),
        ("src/a.rs", 601, 1),
        ("src/a/tests.rs", 800, 0),
        ("src/a/tests.rs", 801, 1),
        ("src/a/tests/b.rs", 601, 0),
        ("src/latest/b.rs", 601, 1),
        ("tests/it/a.rs", 601, 0),
    ];
    for (path, lines, expected) in cases {
        let complaints = size(path, &"x\n".repeat(lines));
        assert_eq!(complaints.len(), expected, "{path} with {lines}");
    }
}

#[test]
fn functions_are_small_enough_to_read() {
    let found = source_facts().iter().flat_map(function_lines);
    against_known(found, MAX_FUNCTION_LINES, KNOWN_FUNCTIONS);
}

fn function_lines(facts: &FileFacts) -> Vec<(String, usize)> {
    let named = |name: &str| format!("{} {name}", facts.path);
    let functions = facts.functions.iter();
    functions.map(|it| (named(&it.name), it.lines)).collect()
}

#[test]
fn the_lines_of_a_function_are_counted() {
    let body = "    x();\n\n    // y\n".repeat(61);
    let text = format!("impl A {{\n  /// Doc.\n  #[inline]\n  pub fn f(\n) {{\n{body}}}\n}}");
    let found = function_lines(&facts_of("src/a.rs", &text));
    assert_eq!(found, [("src/a.rs f".to_owned(), 61)]);
}

#[test]
fn structs_have_few_fields() {
    let found = source_facts().iter().flat_map(struct_fields);
    against_known(found, MAX_FIELDS, KNOWN_STRUCTS);
}

/// Structs of a file with the number of their fields; what is read from a command line and
/// wide structs are left out.
fn struct_fields(facts: &FileFacts) -> Vec<(String, usize)> {
    let structs = facts.structs.iter();
    structs
        .filter(|it| !it.is_flags && !WIDE_STRUCTS.contains(&it.name.as_str()))
        .map(|it| (format!("{} {}", facts.path, it.name), it.fields))
        .collect()
}

#[test]
fn the_fields_of_a_struct_are_counted() {
    let text = "struct A { a: u8, /** b */ b: (u8, u8) } struct B(u8); struct Theme { a: u8 }\n\
        #[derive(Debug, clap::Args)] struct Flags { a: u8 }";
    let found = struct_fields(&facts_of("src/a.rs", text));
    let expected = [("src/a.rs A".to_owned(), 2), ("src/a.rs B".to_owned(), 1)];
    assert_eq!(found, expected);
}

#[test]
fn types_have_few_methods() {
    against_known(type_methods(source_facts()), MAX_METHODS, KNOWN_TYPES);
}

/// Types with the number of their methods over all files and blocks.
fn type_methods(files: &[FileFacts]) -> BTreeMap<String, usize> {
    let mut methods = BTreeMap::new();
    for block in files.iter().flat_map(|facts| &facts.impls) {
        *methods.entry(block.type_name.clone()).or_default() += block.methods;
    }
    methods
}

#[test]
fn the_methods_of_a_type_are_counted_over_all_files() {
    let files = [
        facts_of(
            "src/a.rs",
            "impl A { fn a() {} fn b() {} } impl<T> B<T> { fn c() {} }",
        ),
        facts_of(
            "src/b.rs",
            "impl std::fmt::Debug for super::A { fn fmt() {} }",
        ),
    ];
    let expected = [("A".to_owned(), 3), ("B".to_owned(), 1)];
    assert_eq!(type_methods(&files), BTreeMap::from(expected));
}

#[test]
fn folders_have_few_files() {
    let paths = source_facts().iter().map(|facts| facts.path.as_str());
    against_known(folder_files(paths), MAX_FOLDER_FILES, KNOWN_FOLDERS);
}

/// Folders with the number of Rust files directly in them.
fn folder_files<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut folders = BTreeMap::new();
    for path in paths.filter(|path| !is_test_file(path)) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !WIDE_FOLDERS.contains(&folder) {
            *folders.entry(folder.to_owned()).or_default() += 1;
        }
    }
    folders
}

#[test]
fn the_files_of_a_folder_are_counted() {
    let paths = [
        "src/a/mod.rs",
        "src/a/b.rs",
        "src/a/tests.rs",
        "src/a/c/d.rs",
    ];
    let expected = [("src/a".to_owned(), 2), ("src/a/c".to_owned(), 1)];
    assert_eq!(folder_files(paths.into_iter()), BTreeMap::from(expected));
}
