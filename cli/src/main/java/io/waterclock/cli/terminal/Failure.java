package io.waterclock.cli.terminal;

import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A command failed for a reason that its user can act on. Exit code 1.
 *
 * <p>Any method of the command line may throw it; Javadoc says so only where it is a surprise.
 */
public final class Failure extends RuntimeException {
  private final List<String> lines;

  /** {@code sentence} is the only text that people see, on one line. */
  public Failure(String sentence) {
    super(sentence);
    this.lines = List.of(sentence);
  }

  /** Several sentences, one a line; at least one. */
  public Failure(List<String> sentences) {
    super(String.join("\n", sentences));
    this.lines = List.copyOf(sentences);
  }

  /** As {@link #Failure(String)}, with the cause for a debugger. */
  public Failure(String sentence, Throwable cause) {
    super(sentence, cause);
    this.lines = List.of(sentence);
  }

  /**
   * The same with a hint for a terminal alone: which option to set. The console shows the message,
   * which is without it.
   */
  public Failure(String sentence, String hint, Throwable cause) {
    super(sentence, cause);
    this.lines = List.of(sentence + " " + hint);
  }

  /** As {@link #Failure(List)}, with the cause for a debugger. */
  public Failure(List<String> sentences, Throwable cause) {
    super(String.join("\n", sentences), cause);
    this.lines = List.copyOf(sentences);
  }

  public static Failure unreadable(String file, IOException cause) {
    return new Failure(
        cause instanceof NoSuchFileException
            ? "There is no file " + file + "."
            : "The file " + file + " cannot be read: " + RootCause.of(cause) + ".",
        cause);
  }

  public List<String> lines() {
    return lines;
  }
}
