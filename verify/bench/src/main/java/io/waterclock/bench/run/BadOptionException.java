package io.waterclock.bench.run;

/** The value of an option with which nothing can be measured; nothing was started. */
public final class BadOptionException extends BenchException {
  private static final long serialVersionUID = 1L;

  public BadOptionException(String message) {
    super(message);
  }
}
