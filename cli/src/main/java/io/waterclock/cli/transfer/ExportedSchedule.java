package io.waterclock.cli.transfer;

import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import org.apache.kafka.clients.producer.ProducerRecord;

record ExportedSchedule(ScheduleId id, Schedule definition, ExportedState state) {

  static ExportedSchedule of(ScheduleState state) {
    return new ExportedSchedule(state.id(), state.current().schedule(), ExportedStates.of(state));
  }

  /**
   * The same schedule, decided up to an instant, as nothing else shows the progress since the
   * export. A paused or complete schedule does not change, since it has not fired.
   *
   * @param through inclusive
   */
  ExportedSchedule decidedThrough(Instant through) {
    boolean isHeld = state.getPause() != null || !(definition.getEnabled() || state.getResumed());
    return isHeld || state.getCompletedAt() != null
        ? this
        : new ExportedSchedule(id, definition, ExportedStates.decidedThrough(state, through));
  }

  /**
   * The same schedule for other topics, in which the names of its revisions are unknown.
   *
   * @param origin distinguishes them from revisions there
   */
  ExportedSchedule elsewhere(String origin) {
    ExportedState renamed = ExportedState.newBuilder(state).setRevision(null).build();
    renamed.getOlder().forEach(older -> older.setRevision(origin + "/" + older.getRevision()));
    renamed.getCarried().forEach(range -> range.setRevision(origin + "/" + range.getRevision()));
    return new ExportedSchedule(id, definition, renamed);
  }

  /** The record that makes a scheduler import it. */
  ProducerRecord<byte[], byte[]> record(String topic) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            null,
            state.getWrittenAt().toEpochMilli(),
            id.utf8(),
            RecordCodecs.schedule().encode(definition, WireFormat.AVRO));
    record
        .headers()
        .add(HeaderNames.IMPORT, RecordCodecs.exportedState().encode(state, WireFormat.AVRO));
    return record;
  }
}
