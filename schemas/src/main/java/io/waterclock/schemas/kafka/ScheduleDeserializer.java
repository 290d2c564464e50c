package io.waterclock.schemas.kafka;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Schedule;

/** A {@code value.deserializer} for schedules in every format. */
public final class ScheduleDeserializer extends RecordDeserializer<Schedule> {
  public ScheduleDeserializer() {
    super(RecordCodecs.schedule());
  }
}
