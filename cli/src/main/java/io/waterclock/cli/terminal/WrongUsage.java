package io.waterclock.cli.terminal;

/**
 * Options are missing or contradict each other. Exit code 2.
 *
 * <p>Any method of the command line may throw it; Javadoc says so only where it is a surprise.
 */
public final class WrongUsage extends RuntimeException {
  /** {@code sentence} is for people. */
  public WrongUsage(String sentence) {
    super(sentence);
  }
}
