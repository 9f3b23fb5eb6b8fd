//! Loads rulers: a rule of thumb at once, exact tables in the background.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::context::RulerKind;
use crate::context::ruler::{Approximate, Bpe, Chars4, Pictures, Ruler};
use crate::transcript::{Encoding, ImageTokens};

/// How a model counts: text by an encoding, images by a formula.
pub type TokenCounting = (Encoding, ImageTokens);

/// The ruler that the settings name. Loading tables takes 0.2–0.5 s of CPU.
pub fn load_ruler(kind: RulerKind, (encoding, images): TokenCounting) -> Arc<dyn Ruler> {
    match kind {
        RulerKind::Bpe => Arc::new(Pictures::new(Arc::new(Bpe::load(encoding)), images)),
        RulerKind::Chars4 => Arc::new(Chars4),
    }
}

/// What counts until that one is loaded.
pub fn quick_ruler(kind: RulerKind, images: ImageTokens) -> Arc<dyn Ruler> {
    match kind {
        RulerKind::Bpe => Arc::new(Pictures::new(Arc::new(Approximate), images)),
        RulerKind::Chars4 => Arc::new(Chars4),
    }
}

/// The exact ruler, and how far it is loaded.
#[derive(Default)]
pub(in crate::agent) struct RulerLoader {
    /// What the settings ask for.
    pub kind: RulerKind,
    /// `None`: the rule of thumb is used.
    pub current: Option<Arc<dyn Ruler>>,
    pub loading: Option<oneshot::Receiver<Arc<dyn Ruler>>>,
    /// What the ruler that is loaded or loading counts in.
    pub wanted: Option<TokenCounting>,
}

impl RulerLoader {
    pub fn new(kind: RulerKind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }
}
