package io.waterclock.topology.router;

/** The reasons why a fire does not reach its target. */
public enum Undelivered {
  /** The operator does not allow the topic any more. */
  FORBIDDEN(true),
  /** The topic does not exist any more, or the partition that the schedule names. */
  MISSING(true),
  /** The fire is larger than the topic's limit. */
  TOO_LARGE(false),
  /** The brokers have refused the fire, or all writes to the topic have timed out for long. */
  REFUSED(true),
  /** The fire cannot be read. */
  UNREADABLE(false);

  private final boolean ofTopic;

  Undelivered(boolean ofTopic) {
    this.ofTopic = ofTopic;
  }

  /** True when the reason ends once the topic accepts a fire. */
  boolean isOfTopic() {
    return ofTopic;
  }
}
