//! Names in scripts without spaces.

use std::ops::Range;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{self, WordGap};
use crate::context::identifiers::is_unspaced;

use super::super::reader::{Finding, LineReader};
use super::MAX_NAME_WORDS;
use super::words::SURNAMES;

/// What follows a Chinese name that acts.
const CHINESE_ACTS: [&str; 22] = [
    "已", "说", "要求", "确认", "审核", "负责", "同意", "提出", "建议", "批准", "表示", "认为",
    "决定", "将", "会", "在", "来", "通过", "提醒", "反馈", "报告", "完成",
];

/// What stands before a Chinese name.
const CHINESE_LEADS: &str = "由让请等与和被给经是为，。、；：（(：的";

/// Chinese names that act, Japanese and Korean ones with their address.
pub(super) fn read(reader: &mut LineReader<'_>) {
    let body = reader.line.body.clone();
    let text = reader.text();
    let chars: Vec<(usize, char)> = text
        .get(body.clone())
        .unwrap_or_default()
        .char_indices()
        .map(|(at, c)| (body.start + at, c))
        .collect();
    let slice = |from: usize, to: usize| {
        let start = chars.get(from).map_or(body.end, |(at, _)| *at);
        let end = chars.get(to).map_or(body.end, |(at, _)| *at);
        start..end.max(start)
    };
    for (number, (at, c)) in chars.iter().enumerate() {
        if !is_unspaced(*c) || reader.is_taken(&(*at..*at + c.len_utf8())) {
            continue;
        }
        let is_surname = SURNAMES.iter().any(|(sign, _)| sign.starts_with(*c));
        let before = number
            .checked_sub(1)
            .and_then(|n| chars.get(n))
            .map(|(_, c)| *c);
        let begins = before.is_none_or(|c| CHINESE_LEADS.contains(c) || c.is_whitespace());
        if is_surname && begins {
            let lengths = [2, 3].into_iter().filter(|len| {
                let after = text
                    .get(slice(number + len, chars.len()))
                    .unwrap_or_default();
                CHINESE_ACTS.iter().any(|act| after.starts_with(act))
            });
            if let Some(len) = lengths.into_iter().next() {
                claim_unspaced(reader, slice(number, number + len));
            }
        }
        let rest = text.get(*at..).unwrap_or_default();
        let is_address = ["さん", "씨", "님 "]
            .iter()
            .any(|address| rest.starts_with(address));
        if is_address {
            let from = (0..number)
                .rev()
                .take(MAX_NAME_WORDS)
                .take_while(|n| {
                    chars.get(*n).is_some_and(|(_, c)| {
                        is_unspaced(*c) && c.is_alphabetic() && !is_hiragana(*c)
                    })
                })
                .last();
            if let Some(from) = from.filter(|from| number - from > 1) {
                claim_unspaced(reader, slice(from, number));
            }
        }
    }
}

fn is_hiragana(c: char) -> bool {
    matches!(u32::from(c), 0x3041..=0x309F)
}

fn claim_unspaced(reader: &mut LineReader<'_>, span: Range<usize>) {
    let name = reader.text().get(span.clone()).unwrap_or_default();
    let joins = |_: usize, gap: WordGap| gap == WordGap::None;
    let hashes: Vec<u64> = fold::words_of(name).iter().map(|word| word.hash).collect();
    let place = reader.index.find(&hashes, &joins, &|_| true);
    reader.claim(span, ClaimClass::Name, Finding::of(place));
}
