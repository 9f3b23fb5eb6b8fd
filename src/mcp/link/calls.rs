//! The calls that a server is answering: where its progress is shown, who is asked what it
//! asks, and a deadline that pauses while somebody answers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use tokio::sync::{Mutex as TurnMutex, mpsc, oneshot, watch};

use crate::clock::Stopwatch;
use crate::engine::text::one_line;
use crate::mcp::content::harmless;
use crate::tool::{FormAnswer, QuestionForm, ToolJob, ToolQuestion};

/// Questions of one call; those beyond are declined unseen.
const MAX_QUESTIONS: usize = 10;
/// Characters of a line of progress.
const PROGRESS_CHARS: usize = 200;

/// A call that a server is answering.
pub(in crate::mcp) struct RunningCall {
    progress: mpsc::Sender<String>,
    questions: mpsc::Sender<ToolQuestion>,
    asked: AtomicUsize,
    /// Somebody is answering a question.
    paused: watch::Sender<bool>,
    /// One question after the other.
    turn: TurnMutex<()>,
    /// What the newest request for it is known by.
    token: Mutex<Option<ProgressToken>>,
}

/// The calls of a connection, oldest first.
#[derive(Default)]
pub(in crate::mcp) struct RunningCalls(Mutex<Vec<Arc<RunningCall>>>);

/// Takes a call out of the others when it is over.
pub(in crate::mcp) struct CallEntry<'a> {
    calls: &'a RunningCalls,
    call: Arc<RunningCall>,
}

impl Drop for CallEntry<'_> {
    fn drop(&mut self) {
        let is_other = |call: &Arc<RunningCall>| !Arc::ptr_eq(call, &self.call);
        self.calls.calls().retain(is_other);
    }
}

impl RunningCall {
    fn new(progress: mpsc::Sender<String>, questions: mpsc::Sender<ToolQuestion>) -> Arc<Self> {
        Arc::new(Self {
            progress,
            questions,
            asked: AtomicUsize::new(0),
            paused: watch::channel(false).0,
            turn: TurnMutex::new(()),
            token: Mutex::default(),
        })
    }

    /// The call of a job.
    pub(in crate::mcp) fn of(job: &ToolJob) -> Arc<Self> {
        Self::new(job.progress.clone(), job.questions.clone())
    }

    /// A call that nobody watches: what a server asks is declined.
    pub(in crate::mcp) fn alone() -> Arc<Self> {
        Self::new(mpsc::channel(1).0, mpsc::channel(1).0)
    }

    /// The server says how far it has come under this name.
    pub(super) fn is_known_as(&self, token: &ProgressToken) {
        *self.token() = Some(token.clone());
    }

    fn token(&self) -> MutexGuard<'_, Option<ProgressToken>> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something at most so long, without the time in which somebody answers.
    pub(in crate::mcp) async fn within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let mut paused = self.paused.subscribe();
        let mut left = limit;
        tokio::pin!(work);
        loop {
            let is_paused = *paused.borrow_and_update();
            let began = Stopwatch::start();
            tokio::select! {
                biased;
                done = &mut work => return Some(done),
                () = tokio::time::sleep(left), if !is_paused => return None,
                _ = paused.changed() => {}
            }
            if !is_paused {
                left = left.saturating_sub(began.elapsed());
            }
        }
    }

    /// Asks the person on behalf of this call.
    pub(super) async fn ask(&self, form: QuestionForm) -> FormAnswer {
        if self.asked.fetch_add(1, Ordering::Relaxed) >= MAX_QUESTIONS {
            return FormAnswer::Decline;
        }
        let _turn = self.turn.lock().await;
        let (answer, answered) = oneshot::channel();
        let _pause = Pause::begin(&self.paused);
        let question = ToolQuestion { form, answer };
        if self.questions.send(question).await.is_err() {
            return FormAnswer::Decline;
        }
        answered.await.unwrap_or(FormAnswer::Cancel)
    }
}

/// A pause of a deadline, until it is dropped.
struct Pause<'a>(&'a watch::Sender<bool>);

impl<'a> Pause<'a> {
    fn begin(paused: &'a watch::Sender<bool>) -> Self {
        paused.send_replace(true);
        Self(paused)
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.send_replace(false);
    }
}

impl RunningCalls {
    /// Adds one, until what comes back is dropped.
    pub(in crate::mcp) fn enter(&self, call: &Arc<RunningCall>) -> CallEntry<'_> {
        self.calls().push(Arc::clone(call));
        CallEntry {
            calls: self,
            call: Arc::clone(call),
        }
    }

    /// Asks the person on behalf of the newest call: a server says of no question which call
    /// it is for. Without a call nobody is asked.
    pub(in crate::mcp) async fn ask(&self, form: QuestionForm) -> FormAnswer {
        let newest = self.calls().last().cloned();
        match newest {
            Some(call) => call.ask(form).await,
            None => FormAnswer::Decline,
        }
    }

    /// Shows how far a call has come. Of a call that is being sent, the name is not known yet.
    pub(in crate::mcp) fn progress(&self, said: &ProgressNotificationParam) {
        let calls = self.calls();
        let named = calls
            .iter()
            .find(|call| call.token().as_ref() == Some(&said.progress_token));
        let only = || match calls.as_slice() {
            [call] if call.token().is_none() => Some(call),
            _ => None,
        };
        let Some(call) = named.or_else(only) else {
            return;
        };
        let line = progress_line(said.progress, said.total, said.message.as_deref());
        // Pieces may be dropped: the next one says more.
        let _ = call.progress.try_send(format!("{line}\n"));
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Arc<RunningCall>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `50%: half way`, `3: loading`, `3`.
fn progress_line(done: f64, total: Option<f64>, message: Option<&str>) -> String {
    let share = total.filter(|total| *total > 0.0 && done.is_finite());
    let number = match share {
        Some(total) => format!("{:.0}%", (done / total * 100.0).clamp(0.0, 100.0)),
        None => format!("{done}"),
    };
    let message = message.map(|text| one_line(&harmless(text), PROGRESS_CHARS));
    match message.filter(|text| !text.is_empty()) {
        Some(message) => format!("{number}: {message}"),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    #[test]
    fn progress_is_a_line_without_what_a_terminal_obeys() {
        for (done, total, message, expected) in [
            (1.0, Some(2.0), Some("half \u{1b}[31mway"), "50%: half way"),
            (3.0, None, None, "3"),
            (9.0, Some(3.0), None, "100%"),
            (1.0, Some(0.0), Some(""), "1"),
        ] {
            assert_eq!(progress_line(done, total, message), expected);
        }
    }

    fn call() -> (Arc<RunningCall>, mpsc::Receiver<ToolQuestion>) {
        let (questions, asked) = mpsc::channel(1);
        (RunningCall::new(mpsc::channel(1).0, questions), asked)
    }

    #[test]
    fn progress_goes_to_the_call_that_it_names() {
        let token = |n| ProgressToken(NumberOrString::Number(n));
        let calls = RunningCalls::default();
        let mut shown = Vec::new();
        let running: Vec<_> = (0..3)
            .map(|n| {
                let (progress, seen) = mpsc::channel(9);
                let call = RunningCall::new(progress, mpsc::channel(1).0);
                if n < 2 {
                    call.is_known_as(&token(n));
                }
                shown.push(seen);
                call
            })
            .collect();
        let entries: Vec<_> = running.iter().map(|call| calls.enter(call)).collect();
        for (named, done) in [(1, 7.0), (0, 3.0), (9, 5.0)] {
            calls.progress(&ProgressNotificationParam::new(token(named), done));
        }
        let seen: Vec<_> = shown.iter_mut().map(|it| it.try_recv().ok()).collect();
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(seen, [line("3\n"), line("7\n"), None]);
        drop(entries);
        let _only = calls.enter(&running[2]);
        calls.progress(&ProgressNotificationParam::new(token(9), 5.0));
        assert_eq!(shown[2].try_recv().ok(), line("5\n"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_pauses_while_somebody_answers() {
        let (call, mut asked) = call();
        let calls = Arc::new(RunningCalls::default());
        let entry = calls.enter(&call);
        let work = async {
            let answer = calls.ask(QuestionForm::default()).await;
            tokio::time::sleep(Duration::from_secs(3)).await;
            answer
        };
        let person = async {
            let question = asked.recv().await.unwrap();
            tokio::time::sleep(Duration::from_mins(10)).await;
            question.answer.send(FormAnswer::Decline).unwrap();
        };
        let limit = Duration::from_secs(5);
        let (answer, ()) = tokio::join!(call.within(limit, work), person);
        assert_eq!(answer, Some(FormAnswer::Decline));
        let late = call.within(limit, tokio::time::sleep(Duration::from_secs(6)));
        assert_eq!(late.await, None);
        drop(entry);
        assert_eq!(
            calls.ask(QuestionForm::default()).await,
            FormAnswer::Decline
        );
    }

    #[tokio::test]
    async fn a_flood_of_questions_is_declined() {
        let (call, mut asked) = call();
        let person = tokio::spawn(async move {
            let mut seen = 0;
            while let Some(question) = asked.recv().await {
                seen += 1;
                let _ = question.answer.send(FormAnswer::Cancel);
            }
            seen
        });
        for at in 0..100 {
            let answer = call.ask(QuestionForm::default()).await;
            let expected = if at < MAX_QUESTIONS {
                FormAnswer::Cancel
            } else {
                FormAnswer::Decline
            };
            assert_eq!(answer, expected);
        }
        drop(call);
        assert_eq!(person.await.unwrap(), MAX_QUESTIONS);
    }
}
