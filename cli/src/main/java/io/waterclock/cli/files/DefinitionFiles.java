package io.waterclock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.definition.CalendarRules;
import io.waterclock.definition.Validation;
import io.waterclock.limits.LimitRules;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.json.Reading;
import io.waterclock.schemas.json.RecordForms;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.Utf8Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * The schedules, calendars and limits of some files. Each document of a YAML file and each value of
 * a JSON file is one of them, or a list of them: an object with the definition's fields and its
 * name: {@code schedule: ID}, {@code calendar: NAME} or, without a schedule, {@code limit: NAME}.
 *
 * <pre>{@code
 * schedule: reports/daily
 * cron: "0 9 * * 1-5"
 * except: [holidays-de]
 * ---
 * calendar: holidays-de
 * dates: [2026-12-25, 2026-12-31/2027-01-01]
 * ---
 * limit: etl
 * max_running: 4
 * }</pre>
 *
 * <p>Keeps all of them in memory. Bad text costs no more than its length.
 *
 * @param schedules in the order of the files
 * @param calendars in the order of the files
 * @param limits in the order of the files
 * @param problems everything that cannot be read, and names given twice
 */
public record DefinitionFiles(
    List<FileSchedule> schedules,
    List<FileCalendar> calendars,
    List<FileLimit> limits,
    List<FileProblem> problems) {
  private static final String SCHEDULE = "schedule";
  private static final String CALENDAR = "calendar";
  private static final String LIMIT = "limit";
  private static final Set<String> ENDINGS = Set.of("json", "yaml", "yml");

  public DefinitionFiles {
    schedules = List.copyOf(schedules);
    calendars = List.copyOf(calendars);
    limits = List.copyOf(limits);
    problems = List.copyOf(problems);
  }

  /** Whether the files define nothing at all. */
  public boolean isEmpty() {
    return schedules.isEmpty() && calendars.isEmpty() && limits.isEmpty();
  }

  /**
   * Reads files, and all files of folders whose names end in {@code .json}, {@code .yaml} or {@code
   * .yml}, except hidden ones. Follows symbolic links; a loop of them is a problem.
   *
   * @param defaultZone of times without an offset in a schedule without a time zone
   */
  public static DefinitionFiles read(List<Path> filesAndFolders, ZoneId defaultZone) {
    Reader reader = new Reader(defaultZone);
    for (Path path : filesAndFolders) {
      try {
        for (Path file : files(path)) {
          reader.read(file.toString(), Files.readAllBytes(file));
        }
      } catch (NoSuchFileException e) {
        reader.problem(e.getFile() + ":1", "there is no such file");
      } catch (IOException e) {
        reader.problem(path + ":1", "cannot be read: " + RootCause.of(e));
      }
    }
    return reader.result();
  }

  /**
   * Reads the content of one file.
   *
   * @param name shown in problems; content under a name that ends in {@code .json} must be JSON
   */
  public static DefinitionFiles of(String name, byte[] content, ZoneId defaultZone) {
    Reader reader = new Reader(defaultZone);
    reader.read(name, content);
    return reader.result();
  }

  /**
   * The values of one file: its documents, and the items of documents that are lists.
   *
   * @throws BrokenFileException if it cannot be read to its end
   */
  public static List<JsonNode> values(String file, byte[] content) throws BrokenFileException {
    List<JsonNode> values = new ArrayList<>();
    Reader.values(file, content, value -> values.add(value.tree()));
    return values;
  }

  private static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> all = Files.walk(path, FileVisitOption.FOLLOW_LINKS)) {
      return all.filter(file -> isDefinition(path, file)).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isDefinition(Path root, Path file) {
    for (Path part : root.relativize(file)) {
      if (part.toString().startsWith(".")) {
        return false;
      }
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    return ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1)) && Files.isRegularFile(file);
  }

  /**
   * The problems of what the definitions mean, as the scheduler would find them, without the limits
   * that the operator has set.
   *
   * @param known the names of the calendars that exist besides those of the files
   * @param zone of schedules without a time zone
   * @param now from which a trigger without an anchor counts
   */
  public List<FileProblem> invalid(Collection<String> known, ZoneId zone, Instant now) {
    Validation validation = new Validation(Duration.ofMillis(1), zone);
    Set<String> names = new HashSet<>(known);
    calendars.forEach(one -> names.add(one.name().value()));
    List<FileProblem> found = new ArrayList<>();
    for (FileSchedule one : schedules) {
      Schedule normal = validation.normalise(one.schedule());
      validation
          .problems(one.id().value(), normal, List.of(), now, names)
          .forEach(problem -> found.add(one.problem(problem)));
    }
    return found;
  }

  /** Collects what the files contain. */
  private static final class Reader {
    private final ZoneId zone;
    private final List<FileSchedule> schedules = new ArrayList<>();
    private final List<FileCalendar> calendars = new ArrayList<>();
    private final List<FileLimit> limits = new ArrayList<>();
    private final List<FileProblem> problems = new ArrayList<>();
    private final Map<String, String> places = new HashMap<>();

    Reader(ZoneId zone) {
      this.zone = zone;
    }

    DefinitionFiles result() {
      return new DefinitionFiles(schedules, calendars, limits, problems);
    }

    void problem(String place, String what) {
      problems.add(new FileProblem(place, what));
    }

    void read(String file, byte[] content) {
      try {
        values(file, content, value -> take(file, value));
      } catch (BrokenFileException e) {
        problem(file + ":" + e.line(), String.valueOf(e.getMessage()));
      }
    }

    static void values(String file, byte[] content, Consumer<Located> each)
        throws BrokenFileException {
      try {
        int start = content.length >= 3 && (content[0] & 0xff) == 0xef ? 3 : 0; // byte order mark
        String text = Utf8Text.decode(content, start, content.length - start);
        if (isJson(file, text)) {
          JsonFileText.read(text, each);
        } else {
          YamlFileText.read(text, each);
        }
      } catch (CharacterCodingException e) {
        throw new BrokenFileException(1, "is not UTF-8 text");
      }
    }

    private static boolean isJson(String file, String text) {
      String name = file.toLowerCase(Locale.ROOT);
      boolean isYaml = name.endsWith(".yaml") || name.endsWith(".yml");
      return name.endsWith(".json") || (!isYaml && text.stripLeading().matches("(?s)[{\\[].*"));
    }

    private void take(String file, Located value) {
      if (value.tree().isNull()) {
        return; // an empty document
      }
      Source source = new Source(file, value.line(), value.lines());
      Optional<ObjectNode> object =
          value.tree() instanceof ObjectNode fields ? Optional.of(fields) : Optional.empty();
      boolean isSchedule = object.filter(fields -> fields.has(SCHEDULE)).isPresent();
      boolean isCalendar = object.filter(fields -> fields.has(CALENDAR)).isPresent();
      boolean isLimit = object.filter(fields -> fields.has(LIMIT)).isPresent();
      if (isSchedule == isCalendar && (isSchedule || !isLimit)) {
        problem(
            source.place(),
            "is no definition; write \"schedule: ID\", \"calendar: NAME\" or \"limit: NAME\" beside"
                + " its fields");
      } else if (isSchedule) {
        schedule(object.orElseThrow(), source);
      } else if (isCalendar) {
        calendar(object.orElseThrow(), source);
      } else {
        limit(object.orElseThrow(), source);
      }
    }

    private void schedule(ObjectNode object, Source source) {
      name(object, SCHEDULE, ScheduleId::parse, source)
          .ifPresent(
              id -> {
                ObjectNode json = object.without(SCHEDULE);
                ScheduleReading reading = ScheduleJson.read(json, zone);
                FileSchedule read = new FileSchedule(id, reading.schedule(), json, source);
                reading.problems().forEach(problem -> problems.add(read.problem(problem)));
                if (reading.isValid()) {
                  schedules.add(read);
                }
              });
    }

    private void calendar(ObjectNode object, Source source) {
      name(object, CALENDAR, CalendarName::new, source)
          .ifPresent(
              name ->
                  record(
                          object.without(CALENDAR),
                          Calendar.SCHEMA$,
                          it -> CalendarRules.problems((Calendar) it),
                          problem -> problem(problem, name.value(), source))
                      .ifPresent(
                          it -> calendars.add(new FileCalendar(name, (Calendar) it, source))));
    }

    private void limit(ObjectNode object, Source source) {
      name(object, LIMIT, LimitName::new, source)
          .ifPresent(
              name ->
                  record(
                          object.without(LIMIT),
                          Limit.SCHEMA$,
                          it -> LimitRules.problems((Limit) it),
                          problem -> problem(problem, name.value(), source))
                      .ifPresent(it -> limits.add(new FileLimit(name, (Limit) it, source))));
    }

    private void problem(Problem problem, String name, Source source) {
      problem(source.place(problem.getField()), name + ": " + Problems.text(problem));
    }

    /** A record from its JSON form; passes all its problems on. */
    private static Optional<Object> record(
        JsonNode form,
        Schema schema,
        Function<Object, List<Problem>> rules,
        Consumer<Problem> problems) {
      Reading reading = Reading.start(ZoneOffset.UTC);
      Optional<Object> read = RecordForms.of(schema).read(form, reading);
      reading.problems().forEach(problems);
      read.ifPresent(it -> rules.apply(it).forEach(problems));
      return read;
    }

    /** The name of a definition; empty if it is no name, or given before. */
    private <T> Optional<T> name(
        ObjectNode object, String kind, Function<String, T> parse, Source source) {
      JsonNode name = Objects.requireNonNull(object.get(kind));
      if (!name.isTextual()) {
        problem(source.place(kind), kind + " must be a text");
        return Optional.empty();
      }
      try {
        T parsed = parse.apply(name.textValue());
        String before = places.putIfAbsent(kind + " " + name.textValue(), source.place());
        if (before != null) {
          problem(source.place(kind), name.textValue() + " is defined at " + before + ", too");
          return Optional.empty();
        }
        return Optional.of(parsed);
      } catch (InvalidIdException e) {
        problem(source.place(kind), String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }
  }
}
