package io.waterclock.console.follow;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.console.model.KeptPayload;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the payload of one schedule again, which the read model does not keep. Each call has a
 * consumer of its own, waits for the broker, and holds one fetch. Thread-safe.
 */
public record PayloadReader(TopicSource source) {
  private static final int MOST_READ = 100_000;

  private static final long MOST_BYTES = 256L << 20;

  /** Between the clocks of a scheduler that accepts and of the brokers. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  /**
   * The definition of a schedule as {@link KnownSchedule#schedule()}, with its payload and the
   * record for its target.
   *
   * @return empty if the topic of the schedules holds them no more: the record was compacted away
   *     behind a newer one that is not in force
   * @throws org.apache.kafka.common.KafkaException if the broker does not answer
   */
  public Optional<Schedule> whole(KnownSchedule known) {
    Schedule kept = known.schedule().orElseThrow();
    Optional<KeptPayload> payload = KeptPayload.in(kept);
    boolean isDelayed = TargetRecord.isDelayed(kept);
    if (TargetRecord.hasRecord(kept) && !isDelayed && known.currentRevision().isPresent()) {
      return whole(known.currentRevision().get());
    }
    if (payload.isEmpty() && !TargetRecord.hasRecord(kept)) {
      return Optional.of(kept);
    }
    Optional<String> newest = known.definition().map(WrittenDefinition::revision);
    return Stream.of(
            known.status().map(ScheduleStatus::getRevision),
            newest.filter(any -> !known.lacksContent()))
        .flatMap(Optional::stream)
        .distinct()
        .flatMap(position -> at(position).stream())
        .filter(found -> isDelayed || payload.filter(one -> !isOf(one, found)).isEmpty())
        .findFirst()
        .map(found -> restored(kept, found));
  }

  private static boolean isOf(KeptPayload kept, Schedule found) {
    return found.getPayload() != null && kept.isOf(found.getPayload());
  }

  private static Schedule restored(Schedule kept, Schedule found) {
    return Schedule.newBuilder(kept)
        .setPayload(found.getPayload())
        .setTarget(TargetRecord.hasRecord(kept) ? found.getTarget() : kept.getTarget())
        .build();
  }

  /**
   * The definition of a revision, with its payload, from the topic of revisions: reads from when it
   * was accepted on, at most {@value #MOST_READ} records or {@link #MOST_BYTES}. That of a delayed
   * record is in the topic of schedules alone.
   *
   * @return empty if the topic does not have it there any more
   * @throws org.apache.kafka.common.KafkaException if the broker does not answer
   */
  public Optional<Schedule> whole(Revision kept) {
    if (TargetRecord.isDelayed(kept.getSchedule())) {
      return at(kept.getRevision()).map(found -> restored(kept.getSchedule(), found));
    }
    TopicReader reader = source.reader();
    String id = kept.getScheduleId();
    TopicPartition home = Partitions.home(id, reader.partitions(source.topics().revisions()));
    Map<TopicPartition, Long> from =
        reader.offsetsAt(List.of(home), kept.getAcceptedAt().minus(SKEW));
    List<Schedule> found = new ArrayList<>();
    AtomicInteger read = new AtomicInteger();
    AtomicLong bytes = new AtomicLong();
    reader.from(
        from,
        record -> {
          if (id.equals(Partitions.key(record))) {
            RecordCodecs.revision()
                .readable(record.value(), source.schemas())
                .filter(revision -> revision.getRevision().equals(kept.getRevision()))
                .ifPresent(revision -> found.add(revision.getSchedule()));
          }
          return found.isEmpty()
              && read.incrementAndGet() < MOST_READ
              && bytes.addAndGet(Math.max(0, record.serializedValueSize())) < MOST_BYTES;
        });
    return found.stream().findFirst();
  }

  private Optional<Schedule> at(String position) {
    return Partitions.place(position)
        .filter(place -> place.partition().topic().equals(source.topics().schedules()))
        .flatMap(this::firstFrom)
        .filter(record -> Partitions.position(record).equals(position))
        .flatMap(record -> RecordCodecs.schedule().readable(record.value(), source.schemas()));
  }

  private Optional<ConsumerRecord<byte[], byte[]>> firstFrom(Partitions.Place place) {
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    source
        .reader()
        .from(
            Map.of(place.partition(), place.offset()),
            record -> {
              found.add(record);
              return false;
            });
    return found.stream().findFirst();
  }
}
