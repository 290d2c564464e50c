package io.waterclock.schemas.kafka;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Schedule;

/** A {@code value.serializer} for schedules; see {@link RecordSerializer} for its settings. */
public final class ScheduleSerializer extends RecordSerializer<Schedule> {
  public ScheduleSerializer() {
    super(RecordCodecs.schedule());
  }
}
