package io.waterclock.bench.run;

/** A measurement that cannot be made, with the reason in one sentence. */
public class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }

  public BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
