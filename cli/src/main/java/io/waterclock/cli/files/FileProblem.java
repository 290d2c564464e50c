package io.waterclock.cli.files;

import io.waterclock.schemas.text.SafeText;

/** One problem of a file. Its text is one line: {@code FILE:LINE: WHAT}. */
public record FileProblem(String place, String what) {
  @Override
  public String toString() {
    return SafeText.line(place + ": " + what);
  }
}
