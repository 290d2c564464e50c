package io.waterclock.bench;

/** The value of an option with which nothing can be measured; nothing was started. */
final class BadOptionException extends BenchException {
  private static final long serialVersionUID = 1L;

  BadOptionException(String message) {
    super(message);
  }
}
