package io.waterclock.bench;

/** A measurement that cannot be made, with the reason in one sentence. */
class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
