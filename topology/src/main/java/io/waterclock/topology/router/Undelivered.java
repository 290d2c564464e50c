package io.waterclock.topology.router;

/** Why a fire is not given to its target. */
public enum Undelivered {
  /** The topic may not be a target any more. */
  FORBIDDEN,
  /** There is no such topic any more. */
  MISSING,
  /** The fire is larger than the topic takes. */
  TOO_LARGE,
  /** The brokers have refused it, or the topic has taken nothing for long. */
  REFUSED,
  /** The fire cannot be read. */
  UNREADABLE
}
