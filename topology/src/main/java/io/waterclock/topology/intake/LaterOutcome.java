package io.waterclock.topology.intake;

/** What becomes of a record of the topic later in the intake. */
public enum LaterOutcome {
  /** It became a schedule. */
  DELAYED,
  /** It cancels a schedule. */
  CANCELLED,
  /** It went to the dead-letter topic. */
  REFUSED
}
