package io.waterclock.topology.router;

/** Why a fire is not given to its target. */
public enum Undelivered {
  /** The topic may not be a target any more. */
  FORBIDDEN(true),
  /** There is no such topic any more. */
  MISSING(true),
  /** The fire is larger than the topic takes. */
  TOO_LARGE(false),
  /** The brokers have refused it, or the topic has taken nothing for long. */
  REFUSED(true),
  /** The fire cannot be read. */
  UNREADABLE(false);

  private final boolean ofTopic;

  Undelivered(boolean ofTopic) {
    this.ofTopic = ofTopic;
  }

  /** True when it is over once the topic takes a fire. */
  boolean isOfTopic() {
    return ofTopic;
  }
}
