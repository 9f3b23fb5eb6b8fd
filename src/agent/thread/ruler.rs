//! Which ruler the actor measures with: the exact one of the model in charge once its tables
//! are loaded, a quick one until then.
//!
//! Invariant: loading never holds an op up, and numbers that go into the log wait for it.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use crate::agent::actor::Actor;
use crate::agent::mailbox::TurnStop;
use crate::agent::thread::Thread;
use crate::context::RulerKind;
use crate::context::ruler::Ruler;
use crate::engine::counting::{TokenCounting, load_ruler, quick_ruler};

impl Thread {
    /// Starts loading the exact ruler, unless it is there. Not before there is something
    /// to measure: its tables take processor time and 20 MB and more of memory, and a
    /// program that was only opened needs neither.
    pub(crate) fn want_ruler(&mut self) {
        let kind = self.ruler.kind;
        let counting = self.counting();
        if self.ruler.wanted.replace(counting) == Some(counting) {
            return;
        }
        let (sender, receiver) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            let _ = sender.send(load_ruler(kind, counting));
        });
        self.ruler.loading = Some(receiver);
    }

    /// Waits for the exact ruler without reading ops, where no screen is shown meanwhile: a
    /// command that asks for one number and is done gets the number that others name.
    pub(crate) async fn measure_exactly(&mut self) {
        if self.is_interactive {
            return;
        }
        self.want_ruler();
        while let Some(loading) = self.ruler.loading.take() {
            if let Ok(ruler) = loading.await {
                self.take_ruler(ruler).await;
            }
        }
    }

    /// Whether the first exact ruler is still on its way.
    pub(crate) fn is_measuring(&self) -> bool {
        self.is_interactive && self.ruler.current.is_none() && self.ruler.wanted.is_some()
    }

    /// Takes the exact ruler when it has come: a running turn does not wait for it.
    pub(crate) fn take_loaded_ruler(&mut self) {
        let loaded = self.ruler.loading.as_mut().map(oneshot::Receiver::try_recv);
        match loaded {
            Some(Ok(ruler)) => self.use_loaded_ruler(ruler),
            Some(Err(TryRecvError::Closed)) => self.use_loaded_ruler(self.current_ruler()),
            Some(Err(TryRecvError::Empty)) | None => {}
        }
    }

    /// Its tables could not be loaded: the rule of thumb is all there is.
    pub(crate) async fn do_without_exact_ruler(&mut self) {
        self.take_ruler(self.current_ruler()).await;
    }

    /// Whether numbers are the exact ruler's for the model in charge.
    pub(crate) fn has_exact_ruler(&self) -> bool {
        self.ruler.loading.is_none() && self.ruler.wanted == Some(self.counting())
    }

    /// Whether numbers are those of a quick ruler that another one replaces.
    pub(crate) fn is_provisional(&self) -> bool {
        self.ruler.kind == RulerKind::Bpe && !self.has_exact_ruler()
    }

    /// The ruler in use.
    pub(crate) fn current_ruler(&self) -> Arc<dyn Ruler> {
        let kind = self.ruler.kind;
        let images = self.context.model.image_tokens;
        self.ruler
            .current
            .clone()
            .unwrap_or_else(|| quick_ruler(kind, images))
    }

    /// Where the tables are there and only images count in another way, nothing is loaded.
    pub(crate) fn use_pictures_of_model(&mut self) {
        let counting = self.counting();
        let is_loaded = self.ruler.current.is_some() && self.ruler.loading.is_none();
        if is_loaded
            && self
                .ruler
                .wanted
                .is_some_and(|wanted| wanted.encoding == counting.encoding)
        {
            let kind = self.ruler.kind;
            self.ruler.current = Some(load_ruler(kind, counting));
            self.ruler.wanted = Some(counting);
        }
    }

    /// Counts by rule of thumb until the ruler of the settings is loaded again.
    pub(crate) fn forget_ruler(&mut self) {
        self.ruler.current = None;
        self.ruler.loading = None;
        self.ruler.wanted = None;
        if !self.conversation.transcript().is_empty() {
            self.want_ruler();
        }
    }

    fn counting(&self) -> TokenCounting {
        TokenCounting::of(&self.context.model)
    }

    /// Uses the exact ruler from here on.
    pub(crate) async fn take_ruler(&mut self, ruler: Arc<dyn Ruler>) {
        self.use_loaded_ruler(ruler);
        self.publish_view().await;
    }

    fn use_loaded_ruler(&mut self, ruler: Arc<dyn Ruler>) {
        self.ruler.loading = None;
        self.ruler.current = Some(Arc::clone(&ruler));
        let context = self.conversation.context();
        self.conversation.use_ruler(context, ruler);
    }
}

impl Actor {
    /// Waits for the exact ruler while ops are read. When it is stopped, the ruler goes on
    /// loading.
    pub(crate) async fn await_ruler(&mut self) -> Result<(), TurnStop> {
        while let Some(mut loading) = self.thread.ruler.loading.take() {
            match self.wait(&mut loading).await {
                // Another model may have been chosen meanwhile, with another ruler.
                Ok(Ok(ruler)) if self.thread.ruler.loading.is_none() => {
                    self.thread.take_ruler(ruler).await;
                }
                Ok(Err(_)) => self.thread.do_without_exact_ruler().await,
                Ok(Ok(_)) => {}
                Err(stop) => {
                    if self.thread.ruler.loading.is_none() {
                        self.thread.ruler.loading = Some(loading);
                    }
                    return Err(stop);
                }
            }
        }
        Ok(())
    }
}
