package io.waterclock.cli.terminal;

/** Options are missing or contradict each other. Exit code 2. */
public final class WrongUsage extends RuntimeException {
  /** {@code sentence} is for people. */
  public WrongUsage(String sentence) {
    super(sentence);
  }
}
