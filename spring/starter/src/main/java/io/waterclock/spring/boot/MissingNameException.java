package io.waterclock.spring.boot;

/** The application has handlers, and no name for their consumer group. */
final class MissingNameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingNameException() {
    super("Waterclock has handlers of fires, and no name for their consumer group");
  }
}
