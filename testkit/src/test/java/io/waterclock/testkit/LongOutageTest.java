package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An outage that is longer than tombstones are kept. */
final class LongOutageTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  @Test
  void what_was_deleted_does_not_fire_though_its_tombstone_is_gone() {
    try (SchedulerHarness scheduler = Harnesses.ticking(START, Duration.ofMinutes(1))) {
      scheduler.put("deleted", "{\"every\":\"1 day\",\"anchor\":\"2026-03-01T12:00:00Z\"}");
      scheduler.put("kept", "{\"every\":\"1 day\",\"anchor\":\"2026-03-01T12:00:00Z\"}");
      scheduler.advance(Duration.ofDays(2));
      assertThat(scheduler.fires("deleted")).hasSize(2);

      scheduler.stop();
      scheduler.deleteWithoutTrace("deleted");
      scheduler.advance(Duration.ofDays(8));
      scheduler.put("new", "{\"at\":\"now\"}");
      scheduler.start();
      scheduler.advance(Duration.ofDays(2));

      assertThat(scheduler.fires("deleted")).hasSize(2);
      assertThat(scheduler.status("deleted")).isEmpty();
      assertThat(scheduler.missed())
          .filteredOn(missed -> missed.getScheduleId().equals("deleted"))
          .extracting(Missed::getReason)
          .containsExactly(MissedReason.DELETED);
      assertThat(scheduler.fires("kept")).hasSize(2 + 1 + 2);
      assertThat(scheduler.fires("new")).hasSize(1);
    }
  }

  @Test
  void after_a_shorter_outage_the_topic_is_not_read_again() {
    try (SchedulerHarness scheduler = Harnesses.ticking(START, Duration.ofMinutes(1))) {
      scheduler.put("a", "{\"every\":\"1 day\",\"anchor\":\"2026-03-01T12:00:00Z\"}");
      scheduler.advance(Duration.ofDays(1));
      scheduler.stop();
      scheduler.deleteWithoutTrace("a");
      scheduler.advance(Duration.ofDays(6));
      scheduler.start();
      assertThat(scheduler.fires("a")).hasSize(2);
    }
  }
}
