//! The terminal interface. `update` decides, the runner does, the view draws.
//!
//! A message on its way: terminal or agent → [`msg::Msg`] → [`update::update`] changes the
//! [`model::Model`] and returns [`effect::Effect`]s → the [`runner`] carries them out and
//! lets [`view::draw`] draw, at most sixty times a second.

mod audit_line;
pub mod command;
pub mod completion;
pub mod composer;
pub mod effect;
pub mod farewell;
pub mod frame;
pub mod gauge;
pub mod input;
pub mod keymap;
mod marks;
pub mod model;
pub mod msg;
pub mod numbers;
pub mod overlay;
pub mod plain;
pub mod render;
pub mod runner;
mod screen_selection;
pub mod terminal;
#[doc(hidden)]
pub mod testing;
pub mod theme;
pub mod tour;
pub mod transcript;
pub mod update;
pub mod view;
pub mod widget;
