package io.waterclock.cli.terminal;

/** Options that contradict each other, or of which one is missing. Exit code 2. */
public final class WrongUsage extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code sentence} is for people. */
  public WrongUsage(String sentence) {
    super(sentence);
  }
}
