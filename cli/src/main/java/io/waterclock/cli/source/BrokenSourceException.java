package io.waterclock.cli.source;

/** A source that cannot be read at all. The message says what was expected and what was found. */
public final class BrokenSourceException extends RuntimeException {
  public BrokenSourceException(String message) {
    super(message);
  }

  public BrokenSourceException(String message, Throwable cause) {
    super(message, cause);
  }
}
