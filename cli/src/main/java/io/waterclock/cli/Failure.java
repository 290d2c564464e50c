package io.waterclock.cli;

/** A command could not do what it was told, for a reason that its user can act on. Exit code 1. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code sentence} is for people; it is all that they see. */
  public Failure(String sentence) {
    super(sentence);
  }

  /** As {@link #Failure(String)}, keeping the cause for the debugger. */
  public Failure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
