package io.waterclock.connect;

import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;

/** Fires as a scheduler emits them. */
public final class TestFires {
  private static final FireIds IDS = FireIds.of(Topics.ofDefault().ceSource());

  private TestFires() {}

  /** A fire of an hourly schedule, emitted when it was due. */
  public static Fire of(String scheduleId, Instant occurrence, Consumer<Schedule> definition) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new EveryTrigger(1L, Unit.HOUR, null, null))
            .setTimezone("UTC")
            .build();
    definition.accept(schedule);
    return Fire.newBuilder()
        .setFireId(IDS.of(FireKey.of(ScheduleId.parse(scheduleId), occurrence)).toString())
        .setScheduleId(scheduleId)
        .setOccurrence(occurrence)
        .setDue(occurrence)
        .setFiredAt(occurrence.plusMillis(7))
        .setCause(Cause.SCHEDULED)
        .setRevision("waterclock.schedules-0@0")
        .setSchedule(schedule)
        .build();
  }

  /** Gives a definition a payload. */
  public static void payload(Schedule schedule, String contentType, String payload) {
    schedule.setContentType(contentType);
    schedule.setPayload(ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8)));
  }

  /** The key of a fire's record. */
  public static String key(Fire fire) {
    return FireKey.of(ScheduleId.parse(fire.getScheduleId()), fire.getOccurrence()).text();
  }
}
