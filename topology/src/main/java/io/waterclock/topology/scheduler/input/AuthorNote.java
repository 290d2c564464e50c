package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.text.SafeText;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/** What the sender of a definition or a delete says of itself. Nothing depends on it. */
public record AuthorNote(Optional<String> author, Optional<String> note) {
  public static final AuthorNote NOTHING = new AuthorNote(Optional.empty(), Optional.empty());

  private static final int LONGEST_AUTHOR = 255;
  private static final int LONGEST_NOTE = 1_000;

  /** Reads it from headers, each text as one line and cut at its longest. */
  public static AuthorNote of(Headers headers) {
    return new AuthorNote(
        text(headers, HeaderNames.AUTHOR, LONGEST_AUTHOR),
        text(headers, HeaderNames.NOTE, LONGEST_NOTE));
  }

  private static Optional<String> text(Headers headers, String name, int longest) {
    return HeaderNames.text(headers, name)
        .map(text -> BoundedText.text(SafeText.beginning(text, longest)))
        .filter(text -> !text.isBlank());
  }
}
