package io.waterclock.client.deadletters;

import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the dead letters of a prefix. Each read goes through the topic twice, from the first offset
 * that its filter needs: once for what is resolved, once for the letters. It holds one letter at a
 * time, and a bit for each offset. Thread-safe if its parts are.
 *
 * @param owners the owner of a schedule, by its id; asked for records that do not say it
 */
public record DeadLetterQueue(
    TopicReader reader,
    Topics topics,
    SchemaSource schemas,
    Function<String, Optional<String>> owners) {

  /** Passes the letters that are not resolved and match to {@code goOn}, until it returns false. */
  public void read(LetterFilter filter, Predicate<FailedRecord> goOn) {
    Map<TopicPartition, Long> from = from(filter);
    if (from.isEmpty()) {
      return;
    }
    ResolvedLetters resolved = new ResolvedLetters(from);
    reader.from(
        from,
        record -> {
          Resolution.of(record).ifPresent(resolved::add);
          return true;
        });
    reader.from(
        from,
        record -> {
          if (Resolution.is(record)) {
            return true;
          }
          FailedRecord letter = FailedRecord.of(record);
          return resolved.contains(letter.place())
              || !filter.matches(letter)
              || !isOwned(filter, letter)
              || goOn.test(letter);
        });
  }

  /** Passes what became of letters to {@code each}, from the beginning of the filter on. */
  public void resolutions(LetterFilter filter, java.util.function.Consumer<Resolution> each) {
    Map<TopicPartition, Long> from = from(filter);
    if (!from.isEmpty()) {
      reader.from(
          from,
          record -> {
            Resolution.of(record)
                .filter(one -> !one.at().isBefore(filter.from()) && one.at().isBefore(filter.to()))
                .ifPresent(each);
            return true;
          });
    }
  }

  /** The dead letter at a place, resolved or not; empty if the topic does not retain one. */
  public Optional<FailedRecord> find(Partitions.Place place) {
    FailedRecord[] found = new FailedRecord[1];
    reader.from(
        Map.of(place.partition(), place.offset()),
        record -> {
          if (record.offset() == place.offset() && !Resolution.is(record)) {
            found[0] = FailedRecord.of(record);
          }
          return false;
        });
    return Optional.ofNullable(found[0]);
  }

  /** Where a letter goes when it is sent again. */
  public Destination destination(FailedRecord letter) {
    return Destination.of(letter, topics, schemas);
  }

  /** All partitions, or those that a filter names. */
  List<TopicPartition> partitions(LetterFilter filter) {
    return reader.partitions(topics.dlq()).stream()
        .filter(
            partition ->
                filter.places().isEmpty()
                    || filter.places().stream()
                        .anyMatch(place -> place.partition().equals(partition)))
        .toList();
  }

  private Map<TopicPartition, Long> from(LetterFilter filter) {
    List<TopicPartition> partitions = partitions(filter);
    if (partitions.isEmpty()) {
      return Map.of();
    }
    Map<TopicPartition, Long> from =
        new HashMap<>(
            filter.from().equals(Instant.MIN)
                ? reader.beginnings(partitions)
                : reader.offsetsAt(partitions, filter.from()));
    for (Partitions.Place place : filter.places()) {
      from.computeIfPresent(
          place.partition(), (partition, first) -> Math.max(first, first(filter, partition)));
    }
    return from;
  }

  private static long first(LetterFilter filter, TopicPartition partition) {
    return filter.places().stream()
        .filter(place -> place.partition().equals(partition))
        .mapToLong(Partitions.Place::offset)
        .min()
        .orElse(0);
  }

  private boolean isOwned(LetterFilter filter, FailedRecord letter) {
    return filter.owner().isEmpty() || filter.owner().equals(owner(letter));
  }

  /** The owner that the record itself names, or that of the schedule that it is about. */
  public Optional<String> owner(FailedRecord letter) {
    return definition(letter)
        .map(definition -> Optional.ofNullable(definition.getOwner()))
        .orElseGet(() -> letter.schedule(topics).flatMap(owners));
  }

  private Optional<Schedule> definition(FailedRecord letter) {
    String topic = letter.from().origin().map(FailedRecord.Origin::topic).orElse("");
    byte[] value = letter.content().value().orElse(null);
    if (letter.isFire(topics)) {
      return RecordCodecs.fire().readable(value, schemas).map(fire -> fire.getSchedule());
    }
    return topic.equals(topics.schedules())
        ? RecordCodecs.schedule().readable(value, schemas)
        : Optional.empty();
  }
}
