package io.waterclock.cli.source;

/** A library of another scheduler is not there, refuses a text, or fails while it searches. */
public final class EngineFailure extends RuntimeException {
  EngineFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
