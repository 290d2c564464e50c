package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edit of a paused schedule to a single instant in its pause. */
class PausedEditTest {
  private static final Instant START = Instant.parse("2026-05-04T12:00:00Z");

  @ParameterizedTest
  @ValueSource(strings = {"pause", "disabled"})
  void what_is_missed_in_a_pause_does_not_fire(String how) {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put("a", "{\"cron\":\"*/10 * * * * *\"" + disabled(how) + "}");
      if (how.equals("pause")) {
        scheduler.command("a", "{\"command_id\":\"p\",\"pause\":{}}");
      }
      scheduler.advance(Duration.ofSeconds(35));
      scheduler.put("a", "{\"at\":\"2026-05-04T12:00:20Z\"}");
      scheduler.advance(Duration.ofSeconds(5));
      scheduler.command("a", "{\"command_id\":\"r\",\"resume\":{}}");
      scheduler.advance(Duration.ofSeconds(5));
      assertThat(scheduler.missed())
          .singleElement()
          .satisfies(
              missed -> {
                assertThat(missed.getFirst()).isEqualTo(START.plusSeconds(10));
                assertThat(missed.getLast()).isEqualTo(START.plusSeconds(30));
              });
      assertThat(scheduler.fires("a")).extracting(Fire::getOccurrence).isEmpty();
    }
  }

  @Test
  void what_is_missed_in_a_pause_is_not_missed_again() {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put("a", "{\"at\":\"2026-05-04T12:00:20Z\",\"enabled\":false}");
      scheduler.advance(Duration.ofSeconds(35));
      scheduler.put("a", "{\"every\":\"1h\",\"enabled\":false}");
      scheduler.put("a", "{\"at\":\"2026-05-04T12:00:20Z\",\"enabled\":false}");
      scheduler.delete("a");
      scheduler.advance(Duration.ofSeconds(5));
      assertThat(scheduler.missed()).extracting(Missed::getFirst).doesNotHaveDuplicates();
    }
  }

  private static String disabled(String how) {
    return how.equals("disabled") ? ",\"enabled\":false" : "";
  }
}
