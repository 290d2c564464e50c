package io.waterclock.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FireLineTest {
  private static final Instant OCCURRENCE = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void a_fire_line_contains_time_schedule_occurrence_cause_and_lateness() {
    assertThat(FireLine.of(fire(12).build()))
        .isEqualTo(
            "2026-11-21T10:00:00.012Z  reports/daily  2026-11-21T10:00:00Z  SCHEDULED  +12 ms");
  }

  @ParameterizedTest
  @CsvSource({"0,+0 ms", "999,+999 ms", "3440,+3.4 s", "125000,+2 min 5 s", "7500000,+2 h 5 min"})
  void lateness_is_coarser_the_longer_it_is(long lateMs, String text) {
    assertThat(FireLine.of(fire(lateMs).build())).endsWith(text);
  }

  @Test
  void a_collapsed_fire_says_for_how_many() {
    Collapsed collapsed =
        Collapsed.newBuilder().setCount(3).setFirst(OCCURRENCE.minusSeconds(1800)).build();
    assertThat(FireLine.of(fire(0).setCollapsed(collapsed).build()))
        .endsWith("+0 ms  for 3 more since 2026-11-21T09:30:00Z");
  }

  @Test
  void a_payload_is_cut_short_and_stays_on_the_line() {
    assertThat(FireLine.of(withPayload("a\nb\tc".getBytes(UTF_8)))).endsWith("  a b c");
    assertThat(FireLine.of(withPayload("x".repeat(61).getBytes(UTF_8))))
        .endsWith("  " + "x".repeat(60) + "...");
    assertThat(FireLine.of(withPayload(new byte[] {(byte) 0xff, 0}))).endsWith("  (2 bytes)");
  }

  private static Fire withPayload(byte[] payload) {
    Fire fire = fire(0).build();
    fire.getSchedule().setPayload(ByteBuffer.wrap(payload));
    return fire;
  }

  private static Fire.Builder fire(long lateMs) {
    return Fire.newBuilder()
        .setFireId("id")
        .setScheduleId("reports/daily")
        .setOccurrence(OCCURRENCE)
        .setDue(OCCURRENCE)
        .setFiredAt(OCCURRENCE.plus(Duration.ofMillis(lateMs)))
        .setCause(Cause.SCHEDULED)
        .setRevision("waterclock.schedules-0@1")
        .setSchedule(Schedule.newBuilder().setTrigger(new CronTrigger("0 10 * * *")).build());
  }
}
