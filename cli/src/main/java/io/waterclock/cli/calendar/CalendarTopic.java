package io.waterclock.cli.calendar;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.NamedRecords;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.CalendarRules;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.kafka.clients.producer.RecordMetadata;

public record CalendarTopic(Cluster cluster) {
  private static final NamedRecords.Kind<Calendar> KIND =
      new NamedRecords.Kind<>(
          "calendar",
          Topics::calendars,
          name -> new CalendarName(name).utf8(),
          RecordCodecs.calendar(),
          CalendarRules.MAX_BYTES,
          CalendarRules::problems,
          CalendarRules::acceptable);

  /** The calendars in force, for computing occurrences. */
  public Calendars inForce() {
    return inForce(all());
  }

  /** Computes when schedules fire; reads the calendars only if one of them names any. */
  public Upcoming upcoming(ZoneId zone, Collection<KnownSchedule> entries) {
    boolean areNamed =
        entries.stream()
            .flatMap(entry -> entry.schedule().stream())
            .anyMatch(Exclusions::namesCalendars);
    return new Upcoming(zone, areNamed ? inForce() : Calendars.NONE);
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

  /** All calendars by name, as {@link NamedRecords#all} reads them. */
  public SortedMap<String, Calendar> all() {
    return records().all();
  }

  NamedRecords<Calendar> records() {
    return new NamedRecords<>(cluster, KIND);
  }

  /** Writes a calendar, or deletes it when {@code value} is empty. */
  public RecordMetadata write(CalendarName name, Optional<byte[]> value) {
    return records().write(name.value(), value);
  }
}
