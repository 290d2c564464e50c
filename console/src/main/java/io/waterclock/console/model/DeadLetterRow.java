package io.waterclock.console.model;

import io.waterclock.schemas.text.SafeText;
import java.time.Instant;

/**
 * A record that failed and waits for a person, with the first 500 characters of each text.
 *
 * @param letter where the dead letter is: {@code topic-partition@offset}
 * @param schedule what it is about; empty if that is no schedule
 * @param record where it was, and what it was
 * @param reason as its writer says it
 */
public record DeadLetterRow(
    Instant at, String letter, String schedule, Failed record, String reason) {
  private static final int LONGEST_TEXT = 500;

  public DeadLetterRow {
    letter = cut(letter);
    schedule = cut(schedule);
    reason = cut(reason);
  }

  /**
   * The record that failed.
   *
   * @param place {@code topic-partition@offset}; empty if it is not known
   * @param redriven how often it was sent again before
   */
  public record Failed(String place, String key, int redriven) {
    public Failed {
      place = cut(place);
      key = cut(key);
    }
  }

  private static String cut(String text) {
    return SafeText.cut(text, LONGEST_TEXT);
  }
}
