package io.waterclock.cli.files;

/** A file cannot be read on from a line. */
public final class BrokenFileException extends Exception {
  private final int line;

  BrokenFileException(int line, String what) {
    super(what);
    this.line = line;
  }

  /** From 1. */
  public int line() {
    return line;
  }
}
