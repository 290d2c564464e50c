package io.waterclock.client.schedules;

import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the current data of schedules from the topics schedules, revisions and status, at each
 * call. Thread-safe if its arguments are.
 *
 * @param schemas the schemas of records in the Confluent wire format
 */
public record Catalogue(TopicReader reader, Topics topics, SchemaSource schemas) {
  /** All schedules in the order of their ids; all definitions are in memory at once. */
  public List<KnownSchedule> all() {
    return all(id -> true);
  }

  /** The schedules whose ids match, in the order of their ids; reads as much as {@link #all()}. */
  public List<KnownSchedule> all(Predicate<String> fits) {
    List<TopicPartition> schedules = reader.partitions(topics.schedules());
    List<TopicPartition> partitions = new ArrayList<>(schedules);
    statements().forEach(topic -> partitions.addAll(reader.partitions(topic)));
    Found found = new Found();
    reader.each(
        partitions,
        record -> {
          if (fits.test(Partitions.key(record)) && !isStray(record, schedules)) {
            found.take(record);
          }
        });
    return found.existing();
  }

  /** One schedule; reads only the schedule's partitions, from their beginning. */
  public Optional<KnownSchedule> of(String id) {
    List<TopicPartition> partitions =
        Stream.concat(Stream.of(topics.schedules()), statements().stream())
            .map(topic -> Partitions.home(id, reader.partitions(topic)))
            .toList();
    Found found = new Found();
    reader.each(
        partitions,
        record -> {
          if (id.equals(Partitions.key(record))) {
            found.take(record);
          }
        });
    return found.existing().stream().findFirst();
  }

  /** The topics that the scheduler writes. */
  private List<String> statements() {
    return List.of(topics.revisions(), topics.status());
  }

  /**
   * True for a stray that the scheduler has not moved to its home partition yet, and for its
   * tombstone.
   */
  private static boolean isStray(
      ConsumerRecord<byte[], byte[]> record, List<TopicPartition> schedules) {
    return schedules.get(0).topic().equals(record.topic())
        && Partitions.home(Partitions.key(record), schedules).partition() != record.partition();
  }

  /**
   * What is kept of a record: its headers may take much more memory than they have bytes.
   *
   * @param value empty for a tombstone
   */
  private record Newest(String position, Optional<byte[]> value) {
    static Newest of(ConsumerRecord<byte[], byte[]> record) {
      return new Newest(Partitions.position(record), Optional.ofNullable(record.value()));
    }
  }

  /**
   * What one read has found. It decodes the newest definition and status of each schedule only: a
   * topic that is not compacted yet has many older ones.
   */
  private final class Found {
    private final Map<String, Newest> definitions = new HashMap<>();
    private final Map<String, Newest> statuses = new HashMap<>();
    private final Map<String, KnownSchedule> revised = new HashMap<>();

    List<KnownSchedule> existing() {
      return Stream.of(definitions, statuses)
          .flatMap(records -> records.keySet().stream())
          .distinct()
          .sorted()
          .map(this::known)
          .filter(KnownSchedule::exists)
          .toList();
    }

    private KnownSchedule known(String id) {
      return revised
          .getOrDefault(id, KnownSchedule.of(id))
          .with(Optional.ofNullable(definitions.get(id)).flatMap(this::definition))
          .withStatus(
              Optional.ofNullable(statuses.get(id))
                  .flatMap(Newest::value)
                  .flatMap(value -> RecordCodecs.status().readable(value, schemas)));
    }

    private Optional<WrittenDefinition> definition(Newest newest) {
      return newest
          .value()
          .map(
              value ->
                  new WrittenDefinition(
                      newest.position(), RecordCodecs.schedule().readable(value, schemas)));
    }

    void take(ConsumerRecord<byte[], byte[]> record) {
      if (record.topic().equals(topics.schedules())) {
        definitions.put(Partitions.key(record), Newest.of(record));
      } else if (record.topic().equals(topics.status())) {
        statuses.put(Partitions.key(record), Newest.of(record));
      } else {
        RecordCodecs.revision()
            .readable(record.value(), schemas)
            .ifPresent(
                accepted ->
                    revised.compute(
                        Partitions.key(record),
                        (id, known) ->
                            (known == null ? KnownSchedule.of(id) : known).withRevision(accepted)));
      }
    }
  }
}
