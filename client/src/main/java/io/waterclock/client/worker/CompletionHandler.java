package io.waterclock.client.worker;

import io.waterclock.client.payload.PayloadException;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.DropReason;
import io.waterclock.client.rules.RetryDecision;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;

/** Handles the end of an attempt: checkpoints, outcomes and dead letters. Thread-safe. */
record CompletionHandler(
    WorkerContext worker, OutcomeReporter outcomes, DeadLetterTopic deadLetters) {
  private static final Logger LOG = SafeLogger.of(CompletionHandler.class);
  private static final int MAX_TEXT = 16 * 1024;

  void started(BufferedFire<HandledRecord> work) {
    outcomes.report(
        work,
        OutcomeState.STARTED,
        outcome -> outcome.setStartedAt(worker.clock().instant()),
        () -> {});
  }

  /**
   * A handler has returned normally.
   *
   * @return true if the fire is finished
   */
  boolean returned(BufferedFire<HandledRecord> work, ActiveRun run) {
    boolean wasDropped = run.dropReason().isPresent();
    if (!wasDropped && !run.hasLeftCheckpoint()) {
      worker.memory().clear(work.fire(), work.attachment().record());
    }
    if (!outcomes.isWanted(work.fire())) {
      return true;
    }
    outcomes.report(
        work,
        wasDropped ? OutcomeState.DROPPED : OutcomeState.SUCCEEDED,
        outcome -> {
          ended(outcome, work, run.output());
          run.dropReason().ifPresent(outcome::setReason);
        },
        () -> worker.queue().settle(work));
    return false;
  }

  private void ended(Outcome outcome, BufferedFire<HandledRecord> work, Optional<String> output) {
    work.startedAt().ifPresent(outcome::setStartedAt);
    outcome.setEndedAt(worker.clock().instant());
    output.ifPresent(text -> outcome.setOutput(Text.cut(text, MAX_TEXT)));
    worker
        .memory()
        .checkpoint(work.fire().getScheduleId())
        .map(ByteBuffer::wrap)
        .ifPresent(outcome::setCheckpoint);
  }

  void dropped(BufferedFire<HandledRecord> work, DropReason reason, String text) {
    if (reason == DropReason.DUPLICATE) {
      LOG.debug("{} is dropped: {}", work.attachment().fireKey(), text);
    } else {
      LOG.info("{} is dropped: {}: {}", work.attachment().fireKey(), reason, text);
    }
    outcomes.report(
        work,
        OutcomeState.DROPPED,
        outcome -> {
          outcome.setReason(reason.name());
          outcome.setOutput(text);
        },
        () -> worker.queue().settle(work));
  }

  /** An attempt has thrown, or was abandoned. */
  void failed(BufferedFire<HandledRecord> work, Optional<String> output, Throwable error) {
    Optional<RetryDecision> decision =
        worker
            .queue()
            .failed(work, error instanceof GiveUpException || error instanceof PayloadException);
    if (decision.isEmpty()) {
      return;
    }
    String key = work.attachment().fireKey();
    if (decision.get() instanceof RetryDecision.Again again) {
      LOG.warn(
          "Attempt {} of {} to run {} has failed; the next attempt is at {}",
          work.attempt(),
          work.policy().maxAttempts(),
          key,
          again.at(),
          error);
      worker
          .config()
          .listener()
          .ifPresent(watching -> watching.onRetry(work.fire(), work.attempt(), error));
    } else if (decision.get() instanceof RetryDecision.Failed reason) {
      LOG.error("{} has failed after {} attempts: {}", key, work.attempt(), reason, error);
      giveUp(work, output, error, reason);
    } else {
      LOG.info("{} is handed back: the next owner of its partition runs it", key);
    }
  }

  /** The timeout ended before a thread could retry the fire. */
  void late(BufferedFire<HandledRecord> work) {
    failed(
        work,
        Optional.empty(),
        new IllegalStateException(
            "its timeout ended before a thread was free for attempt " + (work.attempt() + 1)));
  }

  private void giveUp(
      BufferedFire<HandledRecord> work,
      Optional<String> output,
      Throwable error,
      RetryDecision.Failed reason) {
    outcomes.report(
        work,
        OutcomeState.FAILED,
        outcome -> {
          outcome.setReason(reason.name());
          ended(outcome, work, output);
          outcome.setError(Text.cut(Text.of(error), MAX_TEXT));
        },
        () -> {});
    deadLetters.send(
        work.attachment().record(),
        reason + " after " + work.attempt() + " attempts: " + Text.of(error),
        () -> worker.queue().settle(work));
  }
}
