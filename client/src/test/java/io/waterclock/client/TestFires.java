package io.waterclock.client;

import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** Fires as a scheduler emits them. */
public final class TestFires {
  private static final FireIds IDS = FireIds.of(Topics.ofDefault().ceSource());

  private TestFires() {}

  /** A fire of an interval schedule, emitted when it was due. */
  public static Fire of(
      String scheduleId, Instant occurrence, Duration interval, Consumer<Schedule> definition) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new EveryTrigger(interval.toMillis(), Unit.MILLISECOND, null, null))
            .build();
    definition.accept(schedule);
    return Fire.newBuilder()
        .setFireId(IDS.of(FireKey.of(ScheduleId.parse(scheduleId), occurrence)).toString())
        .setScheduleId(scheduleId)
        .setOccurrence(occurrence)
        .setDue(occurrence)
        .setFiredAt(occurrence)
        .setCause(Cause.SCHEDULED)
        .setRevision("waterclock.schedules-0@0")
        .setPrevious(occurrence.minus(interval))
        .setNext(occurrence.plus(interval))
        .setSchedule(schedule)
        .build();
  }

  /** The key of a fire's record. */
  public static FireKey key(Fire fire) {
    return FireKey.of(ScheduleId.parse(fire.getScheduleId()), fire.getOccurrence());
  }
}
