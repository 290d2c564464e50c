package io.waterclock.cli.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * A finding about the topics or an instance.
 *
 * @param wrong whether it keeps something from firing, now or later
 * @param about a topic, a partition, a schedule, an instance
 * @param text a sentence
 * @param counts the numbers in the sentence, for programs
 */
public record Symptom(
    boolean wrong,
    String about,
    String text,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> counts) {
  public static Symptom good(String about, String text) {
    return new Symptom(false, about, text, Map.of());
  }

  public static Symptom bad(String about, String text) {
    return new Symptom(true, about, text, Map.of());
  }
}
