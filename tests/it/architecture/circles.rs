//! How many files may import each other in a circle: none of them can be read, tested or
//! moved without the others.
//!
//! An import leads to the file that defines what it names: re-exports are followed. The
//! declaration of a module and a re-export are no imports.

use std::collections::{BTreeMap, BTreeSet};

use super::against_known;
use super::facts::{FileFacts, Import, facts_of, source_facts};

/// Files of a circle.
const MAX_CIRCLE_FILES: usize = 7;
/// Steps through re-exports before a path is given up.
const MAX_STEPS: usize = 8;

/// Circles by the folder that holds all of their files.
const KNOWN_CIRCLES: &[(&str, usize)] = &[];

#[test]
fn few_files_import_each_other_in_a_circle() {
    let circles = circles(source_facts());
    let found = circles.iter().map(|it| (it.join(", "), it.len()));
    against_known(found, MAX_CIRCLE_FILES, KNOWN_CIRCLES);
}

/// Groups of at least two files each of which imports all others, if by way of others.
fn circles(files: &[FileFacts]) -> Vec<Vec<&str>> {
    let modules = Modules::of(files);
    let graph: Vec<BTreeSet<usize>> = (0..files.len()).map(|at| modules.imports(at)).collect();
    let components = strong_components(&graph).into_iter();
    components
        .filter(|component| component.len() > 1)
        .map(|component| {
            let mut paths: Vec<&str> = component
                .iter()
                .map(|&at| files[at].path.as_str())
                .collect();
            paths.sort_unstable();
            paths
        })
        .collect()
}

fn common_folder(paths: &[&str]) -> String {
    let folders = |path: &str| -> Vec<String> {
        let (folder, _) = path.rsplit_once('/').unwrap_or_default();
        folder.split('/').map(str::to_owned).collect()
    };
    let mut common = paths.first().map(|path| folders(path)).unwrap_or_default();
    for path in paths {
        let others = folders(path);
        let pairs = common.iter().zip(&others);
        let length = pairs.take_while(|(one, other)| one == other).count();
        common.truncate(length);
    }
    common.join("/")
}

/// The files as modules: which file a path leads to.
struct Modules<'a> {
    files: &'a [FileFacts],
    by_path: BTreeMap<Vec<String>, usize>,
}

impl<'a> Modules<'a> {
    fn of(files: &'a [FileFacts]) -> Self {
        let named = files.iter().enumerate();
        let by_path = named
            .filter(|(_, facts)| facts.path != "src/main.rs")
            .map(|(at, facts)| (module_path(&facts.path), at))
            .collect();
        Self { files, by_path }
    }

    /// The files that a file imports from.
    fn imports(&self, at: usize) -> BTreeSet<usize> {
        let facts = &self.files[at];
        let imports = facts.imports.iter().map(|import| &import.segments);
        let found = imports.chain(&facts.paths);
        let mut found: BTreeSet<usize> = found
            .filter_map(|segments| self.file_of(at, segments, MAX_STEPS))
            .collect();
        found.remove(&at);
        found
    }

    /// The file that defines what a path names, seen from a file. None for other crates, and
    /// for names that an import has brought.
    fn file_of(&self, from: usize, segments: &[String], steps: usize) -> Option<usize> {
        let own = module_path(&self.files[from].path);
        let (first, rest) = segments.split_first()?;
        let (mut at, mut rest) = match first.as_str() {
            "crate" | "plimsoll" => (Vec::new(), rest),
            "self" => (own, rest),
            "super" => (own.split_last()?.1.to_vec(), rest),
            child if self.files[from].modules.iter().any(|it| it == child) => (own, segments),
            _ => return None,
        };
        while let Some((name, behind)) = rest.split_first() {
            if name == "super" {
                at.pop();
                rest = behind;
                continue;
            }
            let mut inner = at.clone();
            inner.push(name.clone());
            if !self.by_path.contains_key(&inner) {
                let holder = *self.by_path.get(&at)?;
                return self.origin(holder, rest, steps).or(Some(holder));
            }
            at = inner;
            rest = behind;
        }
        self.by_path.get(&at).copied()
    }

    /// Where a module has something from that it passes on.
    fn origin(&self, holder: usize, path: &[String], steps: usize) -> Option<usize> {
        let (name, rest) = path.split_first()?;
        let next = steps.checked_sub(1)?;
        let brought = |import: &&Import| import.name == *name;
        let import = self.files[holder].reexports.iter().find(brought)?;
        let mut segments = import.segments.clone();
        segments.extend_from_slice(rest);
        self.file_of(holder, &segments, next)
    }
}

/// `src/a/b.rs` and `src/a/b/mod.rs` are `a::b`; the crate's root is empty.
fn module_path(path: &str) -> Vec<String> {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let name = inside.strip_suffix(".rs").unwrap_or(inside);
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" {
        return Vec::new();
    }
    name.split('/').map(str::to_owned).collect()
}

/// Nodes that can reach each other, by Kosaraju's two walks.
fn strong_components(graph: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let mut reverse = vec![BTreeSet::new(); graph.len()];
    for (from, targets) in graph.iter().enumerate() {
        for &to in targets {
            reverse[to].insert(from);
        }
    }
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::new();
    for node in 0..graph.len() {
        walk(graph, node, &mut seen, &mut order);
    }
    let mut seen = vec![false; graph.len()];
    let mut components = Vec::new();
    for &node in order.iter().rev() {
        let mut component = Vec::new();
        walk(&reverse, node, &mut seen, &mut component);
        components.push(component);
    }
    components
}

/// Appends what can be reached and was not seen, the farthest first.
fn walk(graph: &[BTreeSet<usize>], node: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[node], true) {
        return;
    }
    for &next in &graph[node] {
        walk(graph, next, seen, order);
    }
    order.push(node);
}

#[test]
fn circles_are_seen() {
    let read = |files: &[(&str, &str)]| -> Vec<FileFacts> {
        let texts = files.iter();
        texts.map(|(path, text)| facts_of(path, text)).collect()
    };
    let files = read(&[
        ("src/lib.rs", "mod a; mod z;"),
        (
            "src/a/mod.rs",
            "mod b; mod c; mod d; pub use b::B; pub use d::*;",
        ),
        // By a re-export, by a path in code, by a chain of `super`.
        ("src/a/b.rs", "use super::c::C; pub struct B;"),
        ("src/a/c.rs", "fn f() { crate::z::g() } pub struct C;"),
        (
            "src/a/d.rs",
            "use super::super::a::B; pub(in crate::a) struct D;",
        ),
        ("src/z.rs", "use crate::a::B; pub fn g() {}"),
    ]);
    assert_eq!(circles(&files), [["src/a/b.rs", "src/a/c.rs", "src/z.rs"]]);
    assert_eq!(common_folder(&["src/a/b.rs", "src/a/c/d.rs"]), "src/a");
    assert_eq!(common_folder(&["src/a/b.rs", "src/z.rs"]), "src");
    let up_and_down = read(&[
        ("src/a/mod.rs", "mod b; fn f() { b::g() } pub struct A;"),
        ("src/a/b.rs", "use super::A; pub fn g() {}"),
    ]);
    assert_eq!(circles(&up_and_down), [["src/a/b.rs", "src/a/mod.rs"]]);
}
