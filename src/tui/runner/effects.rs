//! Carries out the effects that `update` returns.

use std::io::{Write as _, stdout};
use std::path::Path;
use std::process::Command;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::EventStream;
use crossterm::execute;

use super::super::command;
use super::super::composer::{Composer, Vi};
use super::super::effect::{AttachPurpose, EditPurpose, Effect};
use super::super::model::DrawingStyle;
use super::super::msg::Msg;
use super::super::terminal;
use super::super::terminal::TerminalExtras;
use super::super::theme::ColorDepth;
use super::themes;
use super::{Runner, clipboard, files};
use crate::agent::{InterfaceChange, Op, SettingOp, TurnOp};
use crate::browser;
use crate::config::{InterfacePart, SettingValue};
use crate::transcript::Image;

/// Used when neither `VISUAL` nor `EDITOR` says otherwise.
const DEFAULT_EDITOR: &str = "vi";

impl Runner {
    pub(super) fn perform_one(&mut self, effect: Effect) {
        match effect {
            Effect::Send(op) => self.send(op),
            Effect::Quit => self.is_leaving = true,
            Effect::Suspend => self.suspend(),
            Effect::Copy(text) => self.copy(&text),
            Effect::Browse(address) => self.browse(&address),
            Effect::Call(text) => self.call(&text),
            Effect::Edit { text, purpose } => self.edit(&text, purpose),
            Effect::ScanFiles => self.scan_files(),
            Effect::ReadCommands { line } => self.read_commands(line),
            Effect::Attach { path, why } => {
                let home = self.options.home.as_deref();
                let path = files::named_file(&path, home, &self.model.session.cwd);
                self.in_background(move || Msg::Attached(why, files::read_image(&path)));
            }
            Effect::CountMentions { text, images } => self.count_mentions(&text, images),
            Effect::AttachClipboard => self.in_background(|| {
                let image = clipboard::picture().and_then(|bytes| {
                    files::image_of(&bytes, None).ok_or_else(|| clipboard::NO_PICTURE.to_owned())
                });
                Msg::Attached(AttachPurpose::Instead(String::new()), image)
            }),
            Effect::SaveDraft(draft) => files::save_draft(self.draft_path().as_deref(), &draft),
            Effect::SaveHistory(line) => {
                let path = self.options.input.history_path.as_deref();
                files::append_history(path, &self.options.cwd, &line);
            }
            Effect::KeepLegendShown => {
                files::mark(&self.options.own.paths.legend_file());
            }
            Effect::BeginTour => self.begin_tour(),
            Effect::EndTour => self.end_tour(),
            Effect::LoadTheme(name) => {
                self.load_theme(&name);
            }
            Effect::KeepTheme(name) => {
                if self.load_theme(&name) {
                    let (key, value) = ("theme".to_owned(), SettingValue::Text(name));
                    self.send(Op::Setting(SettingOp::Set { key, value }));
                }
            }
            Effect::UseInterface(change) => self.use_interface(&change),
        }
    }

    /// Has a draft counted as it would be sent. What cannot be read is text.
    fn count_mentions(&mut self, text: &str, attached: Vec<Image>) {
        let (home, cwd) = (self.options.home.as_deref(), &self.model.session.cwd);
        let read = |path: &str| {
            let path = files::named_file(Path::new(path), home, cwd);
            files::read_image(&path).ok()
        };
        let (text, mentioned) = Composer::message(text, read);
        let images = attached.into_iter().chain(mentioned).collect();
        self.send(Op::Turn(TurnOp::Draft { text, images }));
    }

    /// Uses a theme, and follows its file when it is the user's own. Says whether there is
    /// such a theme.
    pub(super) fn load_theme(&mut self, name: &str) -> bool {
        let theme = themes::load(&self.options.theme, name);
        let is_known = theme.is_ok();
        if is_known {
            name.clone_into(&mut self.options.theme.name);
            self.theme_watcher.follow(&self.options.theme);
        }
        self.handle(Msg::Theme(theme));
        is_known
    }

    /// A setting of the interface was changed: the screen has all of its parts.
    fn use_interface(&mut self, change: &InterfaceChange) {
        let ui = &change.ui;
        let variable = |name: &str| std::env::var(name).ok();
        match change.part {
            InterfacePart::Theme => {
                // Who chose it has loaded it; a reset or a saved one has not.
                if self.options.theme.name != ui.theme {
                    self.load_theme(&ui.theme);
                }
            }
            InterfacePart::Mouse => {
                if let Err(error) = self.guard.set_mouse(ui.mouse) {
                    self.handle(Msg::Failed(format!("mouse: {error}")));
                }
            }
            InterfacePart::Color => {
                self.options.theme.color_depth = if ui.color {
                    terminal::color_depth(variable)
                } else {
                    ColorDepth::None
                };
                let name = self.options.theme.name.clone();
                self.load_theme(&name);
            }
            InterfacePart::Title => {
                self.options.title = ui.title;
                self.window.forget_title();
                let is_ours = ui.title && self.options.line.has_title();
                if let Err(error) = self.guard.set_title(is_ours) {
                    self.handle(Msg::Failed(format!("window title: {error}")));
                }
            }
            InterfacePart::NotifyWhen => {
                self.options.notify = ui.notify_when;
                self.model.attention.when = ui.notify_when;
            }
            InterfacePart::NotifyMethod => {
                self.options.line = terminal::Line::from_env(ui.notify_method, variable);
            }
            InterfacePart::ViKeys => {
                self.options.vi = ui.vi;
                self.model.composer.vi = ui.vi.then(Vi::default);
            }
            InterfacePart::Terminal => {
                self.options.look.extras = TerminalExtras::of(ui, variable);
                self.screen.use_links(self.options.look.extras.links);
            }
            InterfacePart::Drawing => {
                self.options.look.drawing = DrawingStyle::from(&*change.ui);
                self.model.look.draw_as(self.options.look.drawing);
            }
        }
    }

    fn send(&mut self, op: Op) {
        self.is_leaving |= self.agent.send(op).is_err();
    }

    fn suspend(&mut self) {
        self.input = None;
        let result = self.guard.suspend();
        self.input = Some(EventStream::new());
        self.model.screens.wants_clear = true;
        if let Err(error) = result {
            self.handle(Msg::Failed(format!("could not suspend: {error}")));
        }
    }

    fn copy(&mut self, text: &str) {
        let copied = execute!(stdout(), CopyToClipboard::to_clipboard_from(text));
        if let Err(error) = copied {
            self.handle(Msg::Failed(format!("could not copy: {error}")));
        }
        let text = text.to_owned();
        drop(tokio::task::spawn_blocking(move || clipboard::copy(&text)));
    }

    fn browse(&mut self, address: &str) {
        if !browser::open(address, |name| std::env::var(name).ok()) {
            let text = "no browser was found; copy the address and open it yourself".to_owned();
            self.handle(Msg::Failed(text));
        }
    }

    fn call(&mut self, text: &str) {
        let mut out = stdout();
        let called = out
            .write_all(self.options.line.call(text).as_bytes())
            .and_then(|()| out.flush());
        if let Err(error) = called {
            tracing::warn!(%error, "the notification failed");
        }
    }

    fn edit(&mut self, text: &str, purpose: EditPurpose) {
        // The event stream would steal the editor's keys.
        self.input = None;
        let edited = self.guard.outside(|| edit_in_editor(text));
        self.input = Some(EventStream::new());
        let edited = match edited {
            Ok(edited) => edited,
            Err(error) => Err(format!("could not leave the screen: {error}")),
        };
        self.model.screens.wants_clear = true;
        self.handle(Msg::Edited(purpose, edited));
    }

    fn read_commands(&self, line: Option<String>) {
        let (sources, cwd) = (self.options.own.clone(), self.options.cwd.clone());
        self.in_background(move || Msg::Commands(command::read_own(&sources, &cwd), line));
    }

    fn scan_files(&mut self) {
        let cwd = self.model.session.cwd.clone();
        self.in_background(move || Msg::Files(files::scan(&cwd)));
    }

    pub(super) fn in_background(&self, work: impl FnOnce() -> Msg + Send + 'static) {
        let results = self.results.clone();
        drop(tokio::task::spawn_blocking(move || {
            // Nobody listens any more when the program ends: nothing to do then.
            let _ = results.blocking_send(work());
        }));
    }
}

fn edit_in_editor(text: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("the editor could not be used: {error}");
    let mut file = tempfile::Builder::new()
        .prefix("plim-")
        .suffix(".md")
        .tempfile()
        .map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.flush().map_err(failed)?;
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| {
            std::env::var(name)
                .ok()
                .filter(|value| !value.trim().is_empty())
        })
        .unwrap_or_else(|| DEFAULT_EDITOR.to_owned());
    let status = editor_command(&editor)
        .arg(file.path())
        .status()
        .map_err(|error| format!("{editor} could not be started: {error}"))?;
    if !status.success() {
        return Err(format!("{editor} ended with {status}"));
    }
    std::fs::read_to_string(file.path()).map_err(failed)
}

/// The editor's command line is for a shell, as everywhere: it may hold quotes.
fn editor_command(editor: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh");
    command
}
