package io.waterclock.sim.broker;

/** The brokers refuse a request. */
public final class BrokerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason of a refusal. */
  public enum Reason {
    /** A newer producer with the same transactional id exists, or its transaction timed out. */
    FENCED,
    /** The member is not in this generation of the group. */
    ILLEGAL_GENERATION,
    /** Retention removed the offset. */
    OFFSET_OUT_OF_RANGE
  }

  private final Reason reason;

  BrokerException(Reason reason, String message) {
    super(reason + ": " + message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
