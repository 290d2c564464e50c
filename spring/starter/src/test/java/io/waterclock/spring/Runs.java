package io.waterclock.spring;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.testing.TestRun;
import io.waterclock.schemas.avro.Schedule;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs of the schedule {@code orders/1}. */
final class Runs {
  private static final Instant AT = Instant.parse("2026-11-24T09:00:00Z");

  private Runs() {}

  /** With this payload; null: without one. */
  static TestRun of(@Nullable String payload) {
    return of(payload, Map.of());
  }

  /** As above, of a schedule with headers. */
  static TestRun of(@Nullable String payload, Map<String, String> headers) {
    Schedule schedule = ScheduleBuilder.once(AT).build();
    schedule.setHeaders(headers);
    schedule.setPayload(
        payload == null ? null : ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    return TestRun.of("orders/1", AT, schedule);
  }
}
