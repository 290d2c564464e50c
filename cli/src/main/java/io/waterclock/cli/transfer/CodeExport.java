package io.waterclock.cli.transfer;

import io.waterclock.cli.files.DefinitionWriter;
import io.waterclock.cli.read.NewestRecord;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes the definitions in force, the calendars and the limits as code: a file for each first part
 * of the ids, up to a slash, one for the calendars and one for the limits. Leaves out schedules
 * that are complete.
 */
final class CodeExport {
  private static final String NO_PREFIX = "schedules";
  private static final int LONGEST_NAME = 100;

  private final Path folder;
  private final List<String> unknown = new ArrayList<>();
  private int schedules;
  private int calendars;
  private int limits;

  /**
   * @throws Failure if the folder has files
   */
  CodeExport(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        if (files.findAny().isPresent()) {
          throw new Failure(
              "The folder " + folder + " is not empty; the command overwrites nothing.");
        }
      }
    } catch (IOException e) {
      throw new Failure("The folder " + folder + " cannot be used: " + RootCause.of(e) + ".", e);
    }
  }

  void write(Map<String, Calendar> all, Map<String, Limit> allLimits, List<KnownSchedule> entries) {
    SortedMap<String, StringBuilder> files = new TreeMap<>();
    all.forEach((name, calendar) -> writer("calendars", files).calendar(name, calendar, List.of()));
    calendars = all.size();
    allLimits.forEach((name, limit) -> writer("limits", files).limit(name, limit, List.of()));
    limits = allLimits.size();
    for (KnownSchedule entry : entries) {
      boolean isOver =
          entry.definition().isEmpty() || entry.state().filter(CodeExport::isOver).isPresent();
      if (!isOver && (!entry.isDefinitionKnown() || entry.lacksContent())) {
        unknown.add(entry.id());
      } else if (!isOver) {
        definition(entry)
            .ifPresent(
                schedule -> {
                  writer(file(entry.id()), files).schedule(entry.id(), schedule, List.of());
                  schedules++;
                });
      }
    }
    files.forEach(this::write);
  }

  /** The ids of schedules whose definition in force is unknown. */
  List<String> unknown() {
    return unknown;
  }

  int schedules() {
    return schedules;
  }

  int calendars() {
    return calendars;
  }

  int limits() {
    return limits;
  }

  private static boolean isOver(State state) {
    return state == State.COMPLETED || state == State.REJECTED;
  }

  /** As it was written, if that is in force: the scheduler adds its own time zone. */
  private static Optional<Schedule> definition(KnownSchedule entry) {
    boolean isNew = entry.status().map(ScheduleStatus::getRevision).isEmpty();
    return (isNew && !entry.newestIsRejected()) || NewestRecord.isInForce(entry)
        ? entry.definition().flatMap(WrittenDefinition::schedule).or(entry::schedule)
        : entry.schedule();
  }

  private static DefinitionWriter writer(String file, Map<String, StringBuilder> files) {
    return new DefinitionWriter(files.computeIfAbsent(file, name -> new StringBuilder()));
  }

  /**
   * Names that differ only by case share a file, because some file systems ignore the case; so do
   * long names that begin alike.
   */
  private static String file(String id) {
    String first = id.contains("/") ? id.substring(0, id.indexOf('/')) : NO_PREFIX;
    return first
        .substring(0, Math.min(LONGEST_NAME, first.length()))
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9._-]", "_");
  }

  private void write(String name, StringBuilder text) {
    try {
      Files.writeString(folder.resolve(name + ".yaml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
