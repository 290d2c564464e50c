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
    OFFSET_OUT_OF_RANGE,
    /** No response came; whether the request did is not known. */
    TIMED_OUT
  }

  private final Reason reason;

  public BrokerException(Reason reason, String message) {
    super(reason + ": " + message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
