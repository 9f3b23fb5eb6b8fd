//! Source files with names in them, made up from lists of words.

use std::fmt::Write as _;

use super::talk::Dice;

const PLACES: [&str; 12] = [
    "parser", "store", "api", "worker", "ledger", "session", "render", "auth", "queue", "cache",
    "report", "import",
];
const NOUNS: [&str; 48] = [
    "token", "header", "invoice", "cursor", "batch", "snapshot", "lease", "window", "record",
    "bucket", "digest", "ticket", "channel", "margin", "region", "payload", "segment", "journal",
    "column", "quota", "replica", "signal", "anchor", "ballast", "manifest", "voucher", "shard",
    "tenant", "outline", "marker", "pointer", "stanza", "envelope", "registry", "fragment",
    "tariff", "corridor", "beacon", "schema", "vessel", "berth", "pilot", "tally", "docket",
    "gauge", "lantern", "mooring", "roster",
];
const VERBS: [&str; 30] = [
    "parse",
    "load",
    "merge",
    "flush",
    "resolve",
    "expire",
    "collect",
    "render",
    "retry",
    "split",
    "verify",
    "encode",
    "drain",
    "rotate",
    "restore",
    "measure",
    "schedule",
    "normalise",
    "adopt",
    "balance",
    "clamp",
    "derive",
    "enrol",
    "fold",
    "hoist",
    "narrow",
    "publish",
    "reclaim",
    "settle",
    "trace",
];
const TYPES: [&str; 10] = [
    "Reader", "Index", "Plan", "Error", "Builder", "State", "Policy", "Handle", "Map", "Report",
];

/// A file of a made-up project.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: String,
    pub types: Vec<String>,
    pub functions: Vec<String>,
    pub constant: String,
    seed: u64,
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl SourceFile {
    /// The content, about `lines` lines.
    pub fn content(&self, lines: usize) -> String {
        let mut dice = Dice::new(self.seed);
        let mut out = String::new();
        while out.lines().count() < lines {
            let function = dice.one_of(&self.functions).clone();
            let (of, to) = (
                dice.one_of(&self.types).clone(),
                dice.one_of(&self.types).clone(),
            );
            let (noun, other) = (*dice.one_of(&NOUNS), *dice.one_of(&NOUNS));
            let local = format!("{}_{}", dice.one_of(&VERBS), dice.one_of(&NOUNS));
            let _ = writeln!(out, "    /// Takes the {noun} of a {other}.");
            let _ = writeln!(
                out,
                "    pub fn {function}(&mut self, {noun}: &{of}) -> Option<{to}> {{"
            );
            let _ = writeln!(out, "        let {other} = self.{local}({noun})?;");
            let _ = writeln!(out, "        if {other}.len() > {} {{", self.constant);
            let _ = writeln!(out, "            return None; // the {other} is too long");
            let _ = writeln!(out, "        }}");
            let _ = writeln!(out, "        self.{noun}s.push({other}.clone());");
            let _ = writeln!(out, "        Some({to}::from({other}))\n    }}\n");
        }
        out
    }

    /// Some lines of the file, and how they are after a change.
    pub fn change(&self, dice: &mut Dice, lines: usize) -> (String, String) {
        let content = self.content(lines);
        let all: Vec<&str> = content.lines().collect();
        let starts: Vec<usize> = (0..all.len())
            .filter(|at| all[*at].contains("pub fn"))
            .collect();
        let from = *dice.one_of(&starts);
        let old = all[from..(from + 7).min(all.len())].join("\n");
        let new = old
            .replace("&mut self", "&self")
            .replace("return None;", "return Self::empty();");
        let call = format!(
            "        let before = self.{}(limit)?;\n",
            self.function(dice)
        );
        (old, format!("{new}\n{call}"))
    }

    /// A function of the file.
    pub fn function(&self, dice: &mut Dice) -> String {
        dice.one_of(&self.functions).clone()
    }

    /// `Type::function`
    pub fn member(&self, dice: &mut Dice) -> String {
        format!(
            "{}::{}",
            dice.one_of(&self.types),
            dice.one_of(&self.functions)
        )
    }

    /// The file's name without its folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// `count` files with names of their own.
pub fn files(dice: &mut Dice, count: usize, extension: &str) -> Vec<SourceFile> {
    (0..count)
        .map(|n| {
            let place = PLACES[n % PLACES.len()];
            let noun = NOUNS[(n * 7 + n / PLACES.len()) % NOUNS.len()];
            let names =
                |dice: &mut Dice| format!("{}_{}", dice.one_of(&VERBS), dice.one_of(&NOUNS));
            let kinds = |dice: &mut Dice| {
                format!(
                    "{}{}",
                    capital(dice.one_of::<&str>(&NOUNS)),
                    dice.one_of(&TYPES)
                )
            };
            SourceFile {
                path: format!("src/{place}/{noun}_{}.{extension}", n % 5),
                types: (0..3).map(|_| kinds(dice)).collect(),
                functions: (0..5).map(|_| names(dice)).collect(),
                constant: format!(
                    "MAX_{}_{}",
                    noun.to_uppercase(),
                    dice.one_of(&NOUNS).to_uppercase()
                ),
                seed: dice.below(1 << 30) as u64,
            }
        })
        .collect()
}

/// A sentence in which something is decided, as people and models write it.
pub fn decision(dice: &mut Dice, file: &SourceFile, other: &SourceFile) -> String {
    let (member, constant) = (file.member(dice), &other.constant);
    let (one, two) = (&file.types[0], &other.types[1]);
    match dice.below(7) {
        0 => format!("We decided that `{member}` owns {constant}."),
        1 => format!("ok let's go with {one} for {}", other.name()),
        2 => format!("Agreed: {two} stays private to `{}`.", other.path),
        3 => format!("we stick with {constant} rather than a setting"),
        4 => format!("I opted for `{member}`; the other way copies every {two}."),
        5 => format!("We'll use {one} in `{}` and leave {two} alone.", file.path),
        _ => format!("Entschieden: {one} ersetzt {two} in {}.", other.name()),
    }
}

/// Which file a person or a model comes back to: mostly what was worked on lately, often what
/// was worked on at all, sometimes what was only seen.
pub fn come_back<'a>(
    dice: &mut Dice,
    files: &'a [SourceFile],
    worked_on: &[usize],
) -> &'a SourceFile {
    /// The newest so many are lately.
    const LATELY: usize = 4;
    let lately = worked_on.len().saturating_sub(LATELY);
    let at = match dice.below(100) {
        0..55 if !worked_on.is_empty() => worked_on[lately + dice.below(worked_on.len() - lately)],
        55..85 if !worked_on.is_empty() => *dice.one_of(worked_on),
        _ => dice.below(files.len()),
    };
    &files[at]
}
