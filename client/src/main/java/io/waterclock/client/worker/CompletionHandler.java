package io.waterclock.client.worker;

import io.waterclock.client.payload.PayloadException;
import io.waterclock.client.retry.FailureText;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.DropReason;
import io.waterclock.client.rules.RetryDecision;
import io.waterclock.client.rules.RetryLines;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.ByteBuffer;
import java.time.Instant;
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
        () -> worker.queue().settle(work.mark()));
    return false;
  }

  private void ended(Outcome outcome, BufferedFire<HandledRecord> work, Optional<String> output) {
    work.startedAt().ifPresent(outcome::setStartedAt);
    outcome.setEndedAt(worker.clock().instant());
    output.ifPresent(text -> outcome.setOutput(FailureText.cut(text, MAX_TEXT)));
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
        () -> worker.queue().settle(work.mark()));
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
    RetryDecision next = decision.get();
    if (next instanceof RetryDecision.Wait wait && !worker.retries().isThere()) {
      worker.queue().doesNotWait(work);
      next = wait.reason();
    }
    if (next instanceof RetryDecision.Failed) {
      onceLineIsStored(work, () -> {});
    }
    if (next instanceof RetryDecision.Again again) {
      LOG.warn(
          "Attempt {} of {} to run {} has failed; the next attempt is at {}",
          work.attempt(),
          work.past().attempts() + work.policy().maxAttempts(),
          key,
          again.at(),
          error);
      worker
          .config()
          .listener()
          .ifPresent(watching -> watching.onRetry(work.fire(), work.attempt(), error));
    } else if (next instanceof RetryDecision.Wait wait) {
      await(work, output, error, wait);
    } else if (next instanceof RetryDecision.Failed reason) {
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

  /**
   * A fire has to wait behind another one of its schedule; or the line there is full. Its turn ends
   * when the brokers have confirmed that, so that the next one of its schedule is written after it.
   *
   * @param at empty: it is full
   */
  void joins(BufferedFire<HandledRecord> work, Optional<Instant> at) {
    String key = work.attachment().fireKey();
    if (at.isEmpty()) {
      IllegalStateException full =
          new IllegalStateException(
              "more than %s fires of its schedule, or more than %s bytes, wait for a retry"
                  .formatted(RetryLines.MOST_FIRES, RetryLines.MOST_BYTES));
      LOG.error("{} is a dead letter: {}", key, full.getMessage());
      joinsNot(work, full);
      return;
    }
    LOG.info("{} waits until {} behind another fire of its schedule", key, at.get());
    onceLineIsStored(
        work,
        () ->
            worker
                .retries()
                .join(
                    work,
                    at.get(),
                    "waits behind another fire of its schedule",
                    () -> {
                      worker.queue().joined(work);
                      worker.queue().settle(work.mark());
                    },
                    refusal -> joinsNot(work, refusal)));
  }

  private void joinsNot(BufferedFire<HandledRecord> work, Exception why) {
    giveUp(work, Optional.empty(), why, RetryDecision.Failed.LINE_FULL);
    worker.queue().joined(work);
  }

  /**
   * The fire is not finished before the line of its schedule is stored, and does not wait earlier:
   * else it could return to a worker that does not know the line.
   */
  private void onceLineIsStored(BufferedFire<HandledRecord> work, Runnable then) {
    if (!work.policy().retry().isInOrder()) {
      then.run();
      return;
    }
    worker.queue().hold(work.mark());
    var unused =
        worker
            .memory()
            .storeLine(work)
            .thenRun( // what it throws must end the worker, and a future would keep it
                () ->
                    worker
                        .outbox()
                        .attendTo(
                            () -> {
                              then.run();
                              worker.queue().settle(work.mark());
                            }));
  }

  /** The fire waits in Kafka; this worker goes on, and commits its offset once it is written. */
  private void await(
      BufferedFire<HandledRecord> work,
      Optional<String> output,
      Throwable error,
      RetryDecision.Wait wait) {
    LOG.warn(
        "Attempt {} to run {} has failed: {}. The fire waits until {} for its retry {} of {}",
        work.attempt(),
        work.attachment().fireKey(),
        wait.reason(),
        wait.at(),
        work.past().waits() + 1,
        work.policy().retry().after().size(),
        error);
    onceLineIsStored(
        work,
        () ->
            worker
                .retries()
                .await(
                    work,
                    wait.at(),
                    why(work, wait.reason(), error),
                    () -> waits(work, output, error, wait),
                    refusal -> {
                      worker.queue().doesNotWait(work);
                      onceLineIsStored(work, () -> {});
                      giveUp(work, output, error, wait.reason());
                    }));
  }

  private void waits(
      BufferedFire<HandledRecord> work,
      Optional<String> output,
      Throwable error,
      RetryDecision.Wait wait) {
    reportFailure(work, output, error, wait.reason(), Optional.of(wait.at()));
    worker
        .config()
        .listener()
        .ifPresent(watching -> watching.onWait(work.fire(), work.attempt(), wait.at(), error));
    worker.queue().settle(work.mark());
  }

  private void giveUp(
      BufferedFire<HandledRecord> work,
      Optional<String> output,
      Throwable error,
      RetryDecision.Failed reason) {
    reportFailure(work, output, error, reason, Optional.empty());
    deadLetters.send(
        work.attachment().record(),
        why(work, reason, error),
        () -> worker.queue().settle(work.mark()));
  }

  /** The fire is not finished before its failure is reported. */
  private void reportFailure(
      BufferedFire<HandledRecord> work,
      Optional<String> output,
      Throwable error,
      RetryDecision.Failed reason,
      Optional<Instant> retryAt) {
    worker.queue().hold(work.mark());
    outcomes.report(
        work,
        OutcomeState.FAILED,
        outcome -> {
          outcome.setReason(reason.name());
          ended(outcome, work, output);
          outcome.setError(FailureText.cut(FailureText.of(error), MAX_TEXT));
          retryAt.ifPresent(outcome::setRetryAt);
        },
        () -> worker.queue().settle(work.mark()));
  }

  private static String why(
      BufferedFire<HandledRecord> work, RetryDecision.Failed reason, Throwable error) {
    return reason + " after " + work.attempt() + " attempts: " + FailureText.of(error);
  }
}
