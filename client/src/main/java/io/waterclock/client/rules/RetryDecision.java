package io.waterclock.client.rules;

import java.time.Instant;

/** What a worker does after a failed attempt. */
public sealed interface RetryDecision {
  /** The worker retries the fire, not before this instant. */
  record Again(Instant at) implements RetryDecision {}

  /**
   * The attempts of this run have failed, and the fire waits outside the worker: its group runs it
   * again.
   *
   * @param at not before this instant
   * @param reason why this run has failed
   */
  record Wait(Instant at, Failed reason) implements RetryDecision {}

  /** The fire has failed for good; the name is the reason in its outcome. */
  enum Failed implements RetryDecision {
    /** All attempts have failed. */
    ATTEMPTS_EXHAUSTED,
    /** The run has used up its timeout. */
    TIMED_OUT,
    /** It would wait behind more fires of its schedule than a line may have. */
    LINE_FULL,
    /** The handler has thrown {@link io.waterclock.client.worker.GiveUpException}. */
    GIVEN_UP
  }

  /** The worker has lost the partition or stops: the partition's next owner runs the fire. */
  record HandedBack() implements RetryDecision {}
}
