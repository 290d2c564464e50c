package io.waterclock.bench.run;

/** Work that was missed or done twice: there are no figures of it. */
public final class VoidRunException extends BenchException {
  private static final long serialVersionUID = 1L;

  public VoidRunException(String message) {
    super(message);
  }
}
