package io.waterclock.client.worker;

import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.DropReason;
import io.waterclock.client.rules.RetryDecision;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Carries out what follows from the end of an attempt: memory, reports, dead letters. Thread-safe.
 */
final class CompletionHandler {
  private static final Logger LOG = SafeLogger.of(CompletionHandler.class);

  private final WorkQueue queue;
  private final WorkerMemory memory;
  private final OutcomeReporter reports;
  private final DeadLetterTopic deadLetters;
  private final InstantSource clock;

  CompletionHandler(WorkerContext worker, OutcomeReporter reports, DeadLetterTopic deadLetters) {
    this.queue = worker.queue();
    this.memory = worker.memory();
    this.clock = worker.clock();
    this.reports = reports;
    this.deadLetters = deadLetters;
  }

  /** A handler is about to be called. */
  void started(BufferedFire<HandledRecord> work) {
    reports.tell(
        work, OutcomeState.STARTED, outcome -> outcome.setStartedAt(clock.instant()), () -> {});
  }

  /**
   * A handler has returned.
   *
   * @return true when nothing is left to be done for the fire
   */
  boolean returned(BufferedFire<HandledRecord> work, ActiveRun run) {
    boolean wasDropped = run.dropReason().isPresent();
    if (!wasDropped && !work.attachment().hasLeftCheckpoint()) {
      memory.clear(work);
    }
    if (!reports.isWanted(work.fire())) {
      return true;
    }
    reports.tell(
        work,
        wasDropped ? OutcomeState.DROPPED : OutcomeState.SUCCEEDED,
        outcome -> {
          OutcomeReporter.times(outcome, work.startedAt(), clock.instant());
          OutcomeReporter.output(outcome, run.output());
          OutcomeReporter.checkpoint(outcome, memory.checkpoint(work.fire().getScheduleId()));
          run.dropReason().ifPresent(outcome::setReason);
        },
        () -> queue.settle(work));
    return false;
  }

  /** A fire is not run. */
  void dropped(BufferedFire<HandledRecord> work, DropReason reason, String text) {
    if (reason == DropReason.DUPLICATE) {
      LOG.debug("{} is dropped: {}", work.attachment().fireKey(), text);
    } else {
      LOG.info("{} is dropped: {}: {}", work.attachment().fireKey(), reason, text);
    }
    reports.tell(
        work,
        OutcomeState.DROPPED,
        outcome -> {
          outcome.setReason(reason.name());
          outcome.setOutput(text);
        },
        () -> queue.settle(work));
  }

  /** An attempt has thrown, or was abandoned. */
  void failed(BufferedFire<HandledRecord> work, Optional<String> output, Throwable error) {
    Optional<RetryDecision> decision = queue.failed(work, error instanceof GiveUpException);
    if (decision.isEmpty()) {
      return;
    }
    String key = work.attachment().fireKey();
    if (decision.get() instanceof RetryDecision.Again again) {
      LOG.warn(
          "Attempt {} of {} to run {} has failed; the next one is at {}",
          work.attempt(),
          work.policy().maxAttempts(),
          key,
          again.at(),
          error);
    } else if (decision.get() instanceof RetryDecision.Failed reason) {
      LOG.error("{} has failed after {} attempts: {}", key, work.attempt(), reason, error);
      bury(work, output, error, reason);
    } else {
      LOG.info("{} is handed back: whoever has its partition next runs it", key);
    }
  }

  /** Its time box was over before it could be tried again. */
  void late(BufferedFire<HandledRecord> work) {
    failed(
        work,
        Optional.empty(),
        new IllegalStateException(
            "its time box was over before a thread was free for attempt " + (work.attempt() + 1)));
  }

  private void bury(
      BufferedFire<HandledRecord> work,
      Optional<String> output,
      Throwable error,
      RetryDecision.Failed reason) {
    reports.tell(
        work,
        OutcomeState.FAILED,
        outcome -> {
          outcome.setReason(reason.name());
          OutcomeReporter.times(outcome, work.startedAt(), clock.instant());
          OutcomeReporter.output(outcome, output);
          OutcomeReporter.error(outcome, error);
          OutcomeReporter.checkpoint(outcome, memory.checkpoint(work.fire().getScheduleId()));
        },
        () -> {});
    deadLetters.send(
        work.attachment().record(),
        reason + " after " + work.attempt() + " attempts: " + error,
        () -> queue.settle(work));
  }
}
