package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.cluster.AnswerText;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.definition.CalendarRules;
import io.waterclock.definition.ImportValidation;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.JsonText;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Problems;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads an export of {@link ExportWriter}: first checks the whole file, then hands over schedules.
 * Keeps the calendars and the ids of schedules in memory, but not the schedules.
 */
final class ExportFile {
  /** The limits of the scheduler are unknown here; the scheduler checks them itself. */
  static final Validation VALIDATION = new Validation(Duration.ofMillis(1), ZoneOffset.UTC);

  private final Path path;
  private final List<String> problems = new ArrayList<>();
  private final SortedMap<String, Calendar> calendars = new TreeMap<>();
  private final Set<String> ids = new HashSet<>();

  /** The names of all calendars, invalid ones included: they are reported once. */
  private final Set<String> names = new HashSet<>();

  private Optional<ExportHeader> header = Optional.empty();
  private boolean ended;

  private ExportFile(Path path) {
    this.path = path;
  }

  /**
   * Reads a whole export.
   *
   * @param known the names of existing calendars
   */
  static ExportFile check(Path path, Set<String> known) {
    ExportFile file = new ExportFile(path);
    file.lines((number, line) -> file.check(number, line, known));
    if (!file.ended && file.problems.isEmpty()) {
      file.problems.add("the last line is missing: the file is truncated");
    }
    if (!file.problems.isEmpty()) {
      List<String> sentences = new ArrayList<>();
      sentences.add(
          path + " was not imported, for " + AnswerText.reasons(file.problems.size()) + ":");
      file.problems.forEach(problem -> sentences.add("  " + problem));
      throw new Failure(sentences);
    }
    return file;
  }

  ExportHeader header() {
    return header.orElseThrow();
  }

  SortedMap<String, Calendar> calendars() {
    return calendars;
  }

  Set<String> ids() {
    return ids;
  }

  /** Hands over each schedule in the order of the file. */
  void forEach(Consumer<ExportedSchedule> each) {
    lines(
        (number, line) -> {
          JsonNode tree = tree(line).orElseThrow();
          if (tree.has("schedule")) {
            each.accept(schedule(tree, new ArrayList<>()).orElseThrow(() -> changed(number)));
          }
        });
  }

  private Failure changed(int number) {
    return new Failure("Line " + number + " of " + path + " changed during the import.");
  }

  private void check(int number, String line, Set<String> known) {
    Optional<JsonNode> tree = tree(line);
    if (tree.isEmpty()) {
      problem(number, "is not a JSON object");
    } else if (number == 1) {
      header = readHeader(tree.get());
      if (header.isEmpty()) {
        problem(
            number,
            "is not the first line of an export of version "
                + ExportWriter.VERSION
                + ", for example {\"waterclock_export\":1,\"prefix\":\"waterclock\",...}");
      }
    } else if (ended) {
      problem(number, "follows the last line");
    } else if (tree.get().has("calendar")) {
      checkCalendar(number, tree.get());
    } else if (tree.get().has("schedule")) {
      checkSchedule(number, tree.get(), known);
    } else if (tree.get().path("end").asBoolean()) {
      ended = true;
      if (tree.get().path("schedules").asLong() != ids.size() && problems.isEmpty()) {
        problem(
            number,
            "counts %s schedules, but the file contains %s"
                .formatted(tree.get().path("schedules").asLong(), ids.size()));
      }
    } else {
      problem(number, "is neither a calendar, nor a schedule, nor the end");
    }
  }

  private static Optional<ExportHeader> readHeader(JsonNode tree) {
    if (tree.path("waterclock_export").asInt() != ExportWriter.VERSION) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ExportHeader(
              tree.path("prefix").asText(),
              tree.path("cluster_id").asText(),
              Instant.parse(tree.path("exported_at").asText()),
              tree.path("running").asBoolean(),
              tree.path("tzdb").asText()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private void checkCalendar(int number, JsonNode tree) {
    String name = tree.path("calendar").asText();
    names.add(name);
    try {
      CalendarName.parse(name.getBytes(UTF_8));
      Calendar calendar = RecordCodecs.calendar().decode(bytes(tree.path("definition")));
      CalendarRules.problems(calendar)
          .forEach(problem -> problem(number, name + ": " + Problems.text(problem)));
      calendars.put(name, calendar);
    } catch (InvalidIdException | UndecodableException e) {
      problem(number, name + ": " + e.getMessage());
    }
  }

  private void checkSchedule(int number, JsonNode tree, Set<String> known) {
    String id = tree.path("schedule").asText();
    List<Problem> found = new ArrayList<>();
    Optional<ExportedSchedule> read = schedule(tree, found);
    if (read.isPresent()) {
      Set<String> all = new HashSet<>(known);
      all.addAll(names);
      Schedule normal = VALIDATION.normalise(read.get().definition());
      ExportedState state = read.get().state();
      found.addAll(VALIDATION.problems(id, normal, found, state.getWrittenAt(), all));
      if (found.isEmpty()) {
        found.addAll(stateProblems(id, normal, state));
      }
    }
    found.forEach(problem -> problem(number, id + ": " + Problems.text(problem)));
    if (!ids.add(id)) {
      problem(number, id + " is there twice");
    }
  }

  /** The problems that the scheduler would find, with the field names of the file. */
  private static List<Problem> stateProblems(String id, Schedule normal, ExportedState state) {
    state.getOlder().forEach(older -> older.setSchedule(VALIDATION.normalise(older.getSchedule())));
    return ImportValidation.problems(id, normal, state).stream()
        .map(
            problem ->
                Problem.newBuilder(problem)
                    .setField(problem.getField().replaceFirst("^" + HeaderNames.IMPORT, "state"))
                    .build())
        .toList();
  }

  private static Optional<ExportedSchedule> schedule(JsonNode tree, List<Problem> problems) {
    try {
      ScheduleId id = ScheduleId.parse(tree.path("schedule").asText());
      ScheduleReading reading = ScheduleJson.read(tree.path("definition"), ZoneOffset.UTC);
      problems.addAll(reading.problems());
      ExportedState state = RecordCodecs.exportedState().decode(bytes(tree.path("state")));
      Schedule definition = reading.schedule();
      return problems.isEmpty()
          ? Optional.of(new ExportedSchedule(id, definition, state))
          : Optional.empty();
    } catch (InvalidIdException | UndecodableException e) {
      problems.add(Problems.of("", String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private static byte[] bytes(JsonNode tree) {
    return tree.toString().getBytes(UTF_8);
  }

  private void problem(int number, String what) {
    problems.add("line " + number + " " + what);
  }

  private Optional<JsonNode> tree(String line) {
    try {
      return Optional.of(JsonText.parse(line)).filter(JsonNode::isObject);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  @FunctionalInterface
  private interface Line {
    void read(int number, String line);
  }

  private void lines(Line each) {
    try (BufferedReader reader = Files.newBufferedReader(path)) {
      int number = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        each.read(++number, line);
      }
    } catch (IOException e) {
      throw Failure.unreadable(path.toString(), e);
    }
  }
}
