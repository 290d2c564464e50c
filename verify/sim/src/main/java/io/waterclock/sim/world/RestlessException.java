package io.waterclock.sim.world;

/** The schedulers work for ever, and nothing comes of it. */
public final class RestlessException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RestlessException(String message) {
    super(message);
  }
}
