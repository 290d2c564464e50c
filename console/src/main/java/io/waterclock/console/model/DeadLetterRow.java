package io.waterclock.console.model;

import io.waterclock.schemas.text.SafeText;
import java.time.Instant;

/**
 * A record that the scheduler could not take, with the first 500 characters of each text.
 *
 * @param place where it was: {@code topic-partition@offset}
 * @param reason as the scheduler says it
 */
public record DeadLetterRow(Instant at, String place, String key, String reason) {
  private static final int LONGEST_TEXT = 500;

  public DeadLetterRow {
    place = SafeText.cut(place, LONGEST_TEXT);
    key = SafeText.cut(key, LONGEST_TEXT);
    reason = SafeText.cut(reason, LONGEST_TEXT);
  }
}
