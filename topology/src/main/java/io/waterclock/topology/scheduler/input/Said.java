package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.text.SafeText;
import java.util.Optional;

/** What the sender of a definition or a delete says of itself. Nothing depends on it. */
public record Said(Optional<String> author, Optional<String> note) {
  /** Nothing. */
  public static final Said NOTHING = new Said(Optional.empty(), Optional.empty());

  private static final int LONGEST_AUTHOR = 255;
  private static final int LONGEST_NOTE = 1_000;

  /** Reads it from headers, each text as one line and cut at its longest. */
  public static Said of(org.apache.kafka.common.header.Headers headers) {
    return new Said(
        text(headers, Headers.AUTHOR, LONGEST_AUTHOR), text(headers, Headers.NOTE, LONGEST_NOTE));
  }

  private static Optional<String> text(
      org.apache.kafka.common.header.Headers headers, String name, int longest) {
    return AnswerAddress.text(headers, name)
        .map(text -> BoundedText.text(SafeText.beginning(text, longest)))
        .filter(text -> !text.isBlank());
  }
}
