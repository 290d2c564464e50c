package io.waterclock.cli.calendar;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.RecordWriter;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.Partitions;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.CalendarRules;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** The calendars in their topic. */
public record CalendarTopic(Cluster cluster) {
  /** The calendars in force, for computing occurrences. */
  public Calendars inForce() {
    return inForce(all());
  }

  /**
   * Computes occurrences without jitter; reads the calendars only if one of the schedules names
   * any.
   */
  public Upcoming upcoming(ZoneId zone, Collection<KnownSchedule> entries) {
    boolean areNamed =
        entries.stream()
            .flatMap(entry -> entry.schedule().stream())
            .anyMatch(Exclusions::namesCalendars);
    return new Upcoming(zone, areNamed ? inForce() : Calendars.NONE).withoutJitter();
  }

  /** Calendars by name, for computing occurrences. */
  public static Calendars inForce(Map<String, Calendar> calendars) {
    Map<String, List<CalendarVersion>> versions = new HashMap<>();
    calendars.forEach(
        (name, calendar) ->
            versions.put(
                name,
                List.of(
                    new CalendarVersion(
                        0, Instant.EPOCH, Optional.empty(), Optional.of(calendar)))));
    return Calendars.NONE.with(versions);
  }

  /**
   * All calendars by name. Like the scheduler, ignores invalid records. If compaction has removed
   * the calendar that an invalid record replaced, that calendar is missing here.
   */
  public SortedMap<String, Calendar> all() {
    SortedMap<String, Calendar> calendars = new TreeMap<>();
    cluster
        .reader()
        .each(
            cluster.partitions(cluster.topics().calendars()),
            record -> {
              String name = Partitions.key(record);
              if (record.value() == null) {
                calendars.remove(name);
              } else {
                valid(record).ifPresent(calendar -> calendars.put(name, calendar));
              }
            });
    return calendars;
  }

  private Optional<Calendar> valid(ConsumerRecord<byte[], byte[]> record) {
    try {
      CalendarName.parse(record.key() == null ? new byte[0] : record.key());
    } catch (InvalidIdException e) {
      return Optional.empty();
    }
    return CalendarRules.acceptable(record.value(), cluster.schemas());
  }

  /** Writes a calendar, or deletes it when {@code value} is empty. */
  public RecordMetadata write(CalendarName name, Optional<byte[]> value) {
    return RecordWriter.write(
        cluster,
        new ProducerRecord<>(cluster.topics().calendars(), name.utf8(), value.orElse(null)));
  }
}
