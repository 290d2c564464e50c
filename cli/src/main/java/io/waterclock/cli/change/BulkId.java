package io.waterclock.cli.change;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The id of a bulk change, such as {@code pause-20261124T072100.123Z-1a2b3c4d}. Each schedule gets
 * a command with this id, which the scheduler executes once. The note of a pause ends with the id.
 * The id holds the time at which the change began: the change caused only pauses since that time.
 */
record BulkId(String text) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  static BulkId of(String kind, Instant now) {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    return new BulkId(kind + "-" + TIME.format(now) + "-" + random);
  }

  /** A note for people that names this change. */
  String note(Optional<String> note) {
    return note.map(words -> words + " ").orElse("") + "[" + text + "]";
  }

  /**
   * Whether this change holds a schedule. A schedule that was paused before keeps the time of its
   * first pause, whatever note it has now.
   */
  boolean holds(KnownSchedule schedule) {
    return schedule
        .status()
        .map(ScheduleStatus::getPause)
        .filter(pause -> String.valueOf(pause.getNote()).endsWith("[" + text + "]"))
        .filter(pause -> begun().filter(pause.getSince()::isBefore).isEmpty())
        .isPresent();
  }

  /** Empty for an id that a person has made up. */
  private Optional<Instant> begun() {
    String[] parts = text.split("-", -1);
    try {
      return parts.length < 2
          ? Optional.empty()
          : Optional.of(Instant.from(TIME.parse(parts[parts.length - 2])));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
