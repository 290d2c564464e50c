package io.waterclock.cli.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * A finding about the topics or an instance.
 *
 * @param wrong whether it keeps something from firing, now or later, without anybody's wish
 * @param paused whether somebody has paused the schedule
 * @param about a topic, a partition, a schedule, an instance
 * @param text a sentence
 * @param counts the numbers in the sentence, for programs
 */
public record Symptom(
    boolean wrong,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean paused,
    String about,
    String text,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> counts) {
  public static Symptom good(String about, String text) {
    return new Symptom(false, false, about, text, Map.of());
  }

  public static Symptom paused(String about, String text) {
    return new Symptom(false, true, about, text, Map.of());
  }

  public static Symptom bad(String about, String text) {
    return new Symptom(true, false, about, text, Map.of());
  }
}
