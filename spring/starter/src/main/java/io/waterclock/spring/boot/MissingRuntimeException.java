package io.waterclock.spring.boot;

/** The application is to run a scheduler, and does not have it on its class path. */
final class MissingRuntimeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingRuntimeException() {
    super("waterclock.scheduler.enabled is true, and the scheduler is not on the class path");
  }
}
