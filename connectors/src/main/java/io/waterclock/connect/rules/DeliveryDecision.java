package io.waterclock.connect.rules;

import java.time.Instant;

/** What follows from an attempt. */
public sealed interface DeliveryDecision {

  /** The fire is delivered. */
  record Delivered(String answer) implements DeliveryDecision {}

  /** It is tried again, not before then. */
  record Again(Instant at, String reason) implements DeliveryDecision {}

  /** It is not delivered, and not tried again. */
  record GivenUp(String reason) implements DeliveryDecision {}
}
