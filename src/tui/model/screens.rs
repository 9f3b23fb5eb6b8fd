//! The screens on top of the main one, and what the mouse selects on them.

use super::super::overlay::Overlay;
use super::super::screen_selection::ScreenSelection;

/// Tells one opened screen from another, also from an earlier one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenId(u64);

/// The open screens, the top one last.
#[derive(Default)]
pub struct ScreenStack {
    screens: Vec<OpenScreen>,
    opened: u64,
    /// The selection on them with the mouse.
    pub selection: ScreenSelection,
    /// The newest frame said that Enter answers the question on top: nobody answers what was
    /// not on the screen.
    pub has_offered_enter: bool,
    /// The next frame starts from a blank screen.
    pub wants_clear: bool,
}

/// A screen in the stack.
pub struct OpenScreen {
    /// Its id.
    pub id: ScreenId,
    /// The screen.
    pub overlay: Box<dyn Overlay>,
}

impl ScreenStack {
    /// Opens a screen above the others.
    pub fn push(&mut self, overlay: Box<dyn Overlay>) -> ScreenId {
        self.opened += 1;
        let id = ScreenId(self.opened);
        self.screens.push(OpenScreen { id, overlay });
        id
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        self.screens.len()
    }

    /// Whether none is open.
    pub fn is_empty(&self) -> bool {
        self.screens.is_empty()
    }

    /// Closes all of them.
    pub fn clear(&mut self) {
        self.screens.clear();
    }

    /// The screens from the lowest to the top one.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &dyn Overlay> + ExactSizeIterator {
        self.screens.iter().map(|screen| screen.overlay.as_ref())
    }

    /// The screens from the lowest to the top one, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Box<dyn Overlay>> {
        self.screens.iter_mut().map(|screen| &mut screen.overlay)
    }

    /// The top screen.
    pub fn top(&self) -> Option<&dyn Overlay> {
        self.iter().next_back()
    }

    /// The screen at a position from the bottom.
    pub fn get(&self, at: usize) -> Option<&dyn Overlay> {
        self.iter().nth(at)
    }

    /// Gives the keyboard to a question, or takes it away.
    pub fn give_keyboard(&mut self, at: usize, has: bool) {
        if let Some(screen) = self.screens.get_mut(at) {
            screen.overlay.give_keyboard(has);
        }
    }

    /// Where the screen of this id is; `None` once it was closed.
    pub fn position(&self, id: ScreenId) -> Option<usize> {
        self.screens.iter().position(|screen| screen.id == id)
    }

    /// Whether the screen of this id is open.
    pub fn has(&self, id: ScreenId) -> bool {
        self.position(id).is_some()
    }

    /// The id of the screen at a position.
    pub fn id_at(&self, at: usize) -> Option<ScreenId> {
        self.screens.get(at).map(|screen| screen.id)
    }

    /// Takes a screen out; `None` when there is none at this position.
    pub fn take(&mut self, at: usize) -> Option<OpenScreen> {
        (at < self.screens.len()).then(|| self.screens.remove(at))
    }

    /// Puts back a screen that was taken out.
    pub fn put_back(&mut self, at: usize, screen: OpenScreen) {
        self.screens.insert(at.min(self.screens.len()), screen);
    }

    /// Closes whatever hides the main screen. What waits for an answer stays, without the
    /// keyboard.
    pub fn leave_to_main(&mut self) {
        self.screens
            .retain(|it| !it.overlay.is_full_screen() || it.overlay.comes_by_itself());
        for overlay in self.iter_mut().filter(|it| it.comes_by_itself()) {
            overlay.give_keyboard(false);
        }
    }

    /// Whether a question that came by itself is on top.
    pub fn has_question(&self) -> bool {
        self.top().is_some_and(<dyn Overlay>::comes_by_itself)
    }

    /// Whether the question on top is above a screen that somebody works on, which then
    /// has the keyboard instead of the composer.
    pub fn is_above_screen(&self) -> bool {
        let mut below = self.iter().rev().skip(1);
        below.any(Overlay::is_full_screen)
    }

    /// The topmost screen that hides the transcript.
    pub fn topmost_over_transcript(&self) -> Option<usize> {
        self.iter().rposition(Overlay::hides_transcript)
    }

    /// Whether a screen of this name is open.
    pub fn is_open(&self, name: &str) -> bool {
        self.iter().any(|it| it.name() == name)
    }
}
