//! What a session has and another program's file cannot say, counted by kind.

use serde_json::{Value, json};

/// A kind of loss, with how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportLoss {
    /// What is lost and what the file has instead.
    pub what: &'static str,
    /// How often.
    pub count: u64,
}

impl ExportLoss {
    /// For people.
    pub fn words(&self) -> String {
        format!("{} × {}", self.count, self.what)
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        json!({ "what": self.what, "count": self.count })
    }
}

/// Losses while they are found, in the order in which each kind was met first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Losses(Vec<ExportLoss>);

impl Losses {
    pub(super) fn add(&mut self, what: &'static str) {
        self.add_many(what, 1);
    }

    pub(super) fn add_many(&mut self, what: &'static str, count: u64) {
        match self.0.iter_mut().find(|it| it.what == what) {
            Some(held) => held.count += count,
            None if count > 0 => self.0.push(ExportLoss { what, count }),
            None => {}
        }
    }

    pub(super) fn into_list(self) -> Vec<ExportLoss> {
        self.0
    }
}
