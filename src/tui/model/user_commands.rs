//! The user's own commands as they were read last.

use super::appearance::Appearance;
use crate::config::{UserCommand, UserCommands};

/// The user's own commands, and which problems of their files were reported.
#[derive(Debug, Default)]
pub struct UserCommandList {
    /// The commands.
    pub known: UserCommands,
    reported: Vec<String>,
}

impl UserCommandList {
    /// How many problems were reported.
    #[cfg(test)]
    pub fn reported_problems(&self) -> usize {
        self.reported.len()
    }

    /// The problems in what was read that were not reported before; they are from here on.
    pub fn new_problems(&mut self, read: &UserCommands) -> Vec<String> {
        let mut new = Vec::new();
        for problem in &read.problems {
            if !self.reported.contains(problem) {
                self.reported.push(problem.clone());
                new.push(problem.clone());
            }
        }
        new
    }
}

/// The name with its arguments.
pub fn usage(command: &UserCommand) -> String {
    let usage = format!("/{} {}", command.name, command.arguments);
    usage.trim_end().to_owned()
}

/// The description and the source.
pub fn help(appearance: &Appearance, command: &UserCommand) -> String {
    let path = appearance.short_path(&command.path);
    if command.description.is_empty() {
        return format!("your own, {path}");
    }
    format!("{} ({path})", command.description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_reported_once() {
        let read = UserCommands {
            problems: vec![
                "a.md is too large".to_owned(),
                "b.md is too large".to_owned(),
            ],
            ..UserCommands::default()
        };
        let mut list = UserCommandList::default();
        assert_eq!(list.new_problems(&read).len(), 2);
        assert!(list.new_problems(&read).is_empty());
    }
}
