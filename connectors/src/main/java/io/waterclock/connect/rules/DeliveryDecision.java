package io.waterclock.connect.rules;

import java.time.Instant;

/** What the connector does after an attempt. */
public sealed interface DeliveryDecision {

  /** The webhook has accepted the fire. */
  record Delivered(String answer) implements DeliveryDecision {}

  /** The connector retries the fire, not before this instant. */
  record Again(Instant at, String reason) implements DeliveryDecision {}

  /** The fire has failed for good. */
  record GivenUp(String reason) implements DeliveryDecision {}
}
