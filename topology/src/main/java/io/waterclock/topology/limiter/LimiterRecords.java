package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WaitingNote;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Makes the records that the limiter writes. Pure. */
record LimiterRecords(Settings settings) {

  Record<byte[], Object> fire(LimiterStore.Waiting waiting, Instant now) {
    return new Record<>(
        waiting.fireKey(), waiting.fire().value(), now.toEpochMilli(), waiting.fire().headers());
  }

  /**
   * @param at when the schedule of the fire came to the other group
   */
  Record<byte[], Object> moved(
      LimiterStore.Waiting waiting, LimitName to, Instant at, Instant now) {
    RecordHeaders headers = new RecordHeaders(waiting.fire().headers());
    new WaitingNote.Fire(waiting.priority(), waiting.due(), waiting.fire().terms(), Optional.of(at))
        .addTo(headers, to);
    return new Record<>(
        waiting.fireKey(),
        addressed(waiting.fire().value(), to.utf8()),
        now.toEpochMilli(),
        headers);
  }

  /** Says to the scheduler what has become of a fire. */
  Record<byte[], Object> note(FireKey fire, WaitingNote note, Instant now) {
    byte[] schedule = fire.schedule().utf8();
    return new Record<>(schedule, addressed(null, schedule), now.toEpochMilli(), note.ofFire(fire));
  }

  private Addressed addressed(byte @Nullable [] value, byte[] home) {
    return new Addressed(value, HomePartition.of(home, settings.channels().partitions()));
  }

  Record<byte[], Object> missed(
      LimiterStore.Waiting waiting, FireKey fire, WaitingNote.Withdrawn note, Instant now) {
    Header revision = waiting.fire().headers().lastHeader(HeaderNames.SCHEDULE_REVISION);
    Missed missed =
        Missed.newBuilder()
            .setScheduleId(fire.schedule().value())
            .setRevision(revision == null ? "" : new String(revision.value(), UTF_8))
            .setFirst(fire.occurrence())
            .setLast(fire.occurrence())
            .setCount(1)
            .setReason(note.reason())
            .setDecidedAt(now)
            .setPausedSince(note.since().orElse(null))
            .build();
    return new Record<>(
        fire.schedule().utf8(),
        RecordCodecs.missed().encode(missed, settings.channels().wire().encoding()),
        now.toEpochMilli());
  }

  Record<byte[], Object> dead(Inbound inbound, String why, Instant now) {
    return dead(DeadLetter.of(inbound, why, settings.limits().maxDeadLetterBytes()), now);
  }

  Record<byte[], Object> dead(DeadLetter letter, Instant now) {
    return new Record<>(
        letter.key().orElse(null),
        letter.value().orElse(null),
        now.toEpochMilli(),
        letter.headers());
  }
}
