package io.waterclock.client.topics;

/**
 * The root causes of failures: the exception of a Kafka client's constructor does not contain its
 * reason.
 */
public final class Reasons {
  private Reasons() {}

  /** The message of the deepest cause that has one, or the class name of the failure. */
  public static String of(Throwable failure) {
    String reason = failure.toString();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null) {
        reason = cause.getMessage();
      }
    }
    return reason;
  }
}
