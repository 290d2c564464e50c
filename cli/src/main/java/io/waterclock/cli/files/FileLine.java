package io.waterclock.cli.files;

/**
 * A line of a file.
 *
 * @param line from 1
 */
public record FileLine(String file, int line) {
  @Override
  public String toString() {
    return file + ":" + line;
  }
}
