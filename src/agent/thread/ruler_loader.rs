//! The ruler of a thread, and how far its exact tables are loaded.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::context::RulerKind;
use crate::context::ruler::Ruler;
use crate::engine::counting::TokenCounting;

/// The exact ruler, and how far it is loaded.
#[derive(Default)]
pub(in crate::agent) struct RulerLoader {
    /// The configured kind.
    pub kind: RulerKind,
    /// `None`: the rule of thumb is used.
    pub current: Option<Arc<dyn Ruler>>,
    pub loading: Option<oneshot::Receiver<Arc<dyn Ruler>>>,
    /// The tokens that the loaded or loading ruler counts in.
    pub wanted: Option<TokenCounting>,
}

impl RulerLoader {
    pub(crate) fn new(kind: RulerKind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }
}
