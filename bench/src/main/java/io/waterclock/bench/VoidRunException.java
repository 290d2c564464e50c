package io.waterclock.bench;

/** Work that was missed or done twice: there are no figures of it. */
final class VoidRunException extends BenchException {
  private static final long serialVersionUID = 1L;

  VoidRunException(String message) {
    super(message);
  }
}
