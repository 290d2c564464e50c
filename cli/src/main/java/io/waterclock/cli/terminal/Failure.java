package io.waterclock.cli.terminal;

import java.util.List;

/** A command could not do what it was told, for reasons that its user can act on. Exit code 1. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> lines;

  /** {@code sentence} is for people; it is all that they see, as one line. */
  public Failure(String sentence) {
    super(sentence);
    this.lines = List.of(sentence);
  }

  /** Several sentences, each on a line of its own; at least one. */
  public Failure(List<String> sentences) {
    super(String.join("\n", sentences));
    this.lines = List.copyOf(sentences);
  }

  /** As {@link #Failure(String)}, keeping the cause for the debugger. */
  public Failure(String sentence, Throwable cause) {
    super(sentence, cause);
    this.lines = List.of(sentence);
  }

  /** As {@link #Failure(List)}, keeping the cause for the debugger. */
  public Failure(List<String> sentences, Throwable cause) {
    super(String.join("\n", sentences), cause);
    this.lines = List.copyOf(sentences);
  }

  /** What people see. */
  public List<String> lines() {
    return lines;
  }
}
