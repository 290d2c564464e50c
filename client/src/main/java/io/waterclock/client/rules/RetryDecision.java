package io.waterclock.client.rules;

import java.time.Instant;

/** What follows from a failed attempt. */
public sealed interface RetryDecision {
  /** It is tried again, not before this instant. */
  record Again(Instant at) implements RetryDecision {}

  /** It was the last attempt; the name is the reason of its outcome. */
  enum Failed implements RetryDecision {
    /** Every attempt has failed. */
    ATTEMPTS_EXHAUSTED,
    /** Its time box is used up. */
    TIMED_OUT,
    /** The handler has said that trying again is of no use. */
    GIVEN_UP
  }

  /** Its partition was taken away or the worker stops: whoever comes next runs it. */
  record HandedBack() implements RetryDecision {}
}
