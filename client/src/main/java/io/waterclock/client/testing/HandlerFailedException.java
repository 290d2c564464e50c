package io.waterclock.client.testing;

/** A handler has thrown an exception, which is the cause. */
public final class HandlerFailedException extends RuntimeException {
  HandlerFailedException(String fireKey, Throwable cause) {
    super("the handler of the fire " + fireKey + " has failed: " + cause, cause);
  }
}
