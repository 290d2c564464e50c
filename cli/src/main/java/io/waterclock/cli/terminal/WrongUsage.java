package io.waterclock.cli.terminal;

import java.util.Optional;

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

  /**
   * Refuses an option whose text is empty, as a variable of a script may be: it would stand for
   * all.
   */
  public static void ifBlank(String option, Optional<String> text) {
    if (text.filter(String::isBlank).isPresent()) {
      throw new WrongUsage(option + " must not be empty.");
    }
  }
}
