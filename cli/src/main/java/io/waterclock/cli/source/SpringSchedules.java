package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.source.MovingList.Draft;
import io.waterclock.cli.source.ScheduledMethods.Found;
import io.waterclock.schemas.brokers.RootCause;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The schedules of a Spring application, from one of three sources: the {@code @Scheduled} methods
 * of a tree of Java and Kotlin files, the answer of the actuator's {@code /scheduledtasks}, or a
 * properties file of names and cron expressions. Placeholders are filled from the settings, then
 * from {@code application.properties} and {@code application.yml} of the tree, but not from those
 * of tests, of builds and of profiles. Follows no symbolic link in the tree.
 */
public final class SpringSchedules {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^${}:]+)(?::([^${}]*))?}");
  private static final Set<String> SETTINGS =
      Set.of("application.properties", "application.yml", "application.yaml");
  private static final Set<String> BUILT = Set.of("target", "build", "bin");
  private static final List<String> TESTS = List.of("src", "test");

  /** Between the documents of a properties file. */
  private static final Pattern NEXT_DOCUMENT = Pattern.compile("(?m)^[#!]---[ \t]*$");

  /** A document that has one of these keys counts under a condition, such as a profile. */
  private static final Pattern CONDITION =
      Pattern.compile("spring\\.(?:config\\.activate\\..*|profiles(?:\\[.*)?)");

  private static final Set<String> READ =
      Set.of(
          "cron",
          "zone",
          "fixedDelay",
          "fixedDelayString",
          "fixedRate",
          "fixedRateString",
          "timeUnit");
  private static final List<String> INITIAL_DELAY = List.of("initialDelay");
  private static final int MOST_NESTED = 10;
  private static final String DISABLED = "-";

  private final MovingSettings settings;
  private final MovingList list;

  /** By name; several if the tree does not say which one counts. */
  private final Map<String, Set<String>> values = new HashMap<>();

  private SpringSchedules(MovingSettings settings) {
    this.settings = settings;
    this.list = new MovingList(settings);
  }

  /**
   * @param source a folder, or a file that ends in .java, .kt, .json or .properties
   * @throws BrokenSourceException if it cannot be read
   */
  public static Moving read(Path source, MovingSettings settings) {
    SpringSchedules schedules = new SpringSchedules(settings);
    try {
      if (source.toString().endsWith(".json")) {
        Documents.json(Files.readString(source)).forEach(schedules::actuator);
      } else if (source.toString().endsWith(".properties")) {
        schedules.list(Files.readString(source));
      } else {
        schedules.sources(source);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new BrokenSourceException(source + " cannot be read: " + RootCause.of(e), e);
    }
    return schedules.list.moved();
  }

  private void list(String text) throws IOException {
    Properties named = properties(text);
    for (String name : new TreeSet<>(named.stringPropertyNames())) {
      cron("property " + name, name, named.getProperty(name), Optional.empty(), List.of());
    }
  }

  private static Properties properties(String text) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    return properties;
  }

  private void actuator(JsonNode tasks) {
    for (JsonNode task : tasks.path("cron")) {
      String target = target(task);
      cron("task " + target, target, task.path("expression").asText(), Optional.empty(), List.of());
    }
    for (String kind : List.of("fixedRate", "fixedDelay")) {
      for (JsonNode task : tasks.path(kind)) {
        Duration interval = Duration.ofMillis(task.path("interval").asLong());
        String target = target(task);
        List<String> leftOut = task.path("initialDelay").asLong() == 0 ? List.of() : INITIAL_DELAY;
        every("task " + target, target, interval, kind.equals("fixedDelay"), leftOut);
      }
    }
    for (JsonNode task : tasks.path("custom")) {
      list.leave("task " + target(task), "a trigger in code has no equal: " + task.path("trigger"));
    }
  }

  private static String target(JsonNode task) {
    return task.path("runnable").path("target").asText("unnamed");
  }

  private void sources(Path root) throws IOException {
    List<Path> files;
    Path real = root.toRealPath();
    try (Stream<Path> all = Files.walk(real)) {
      files = all.filter(file -> isRead(file, real)).sorted().toList();
    }
    settingsOf(files.stream().filter(file -> isSettings(file, real)).toList());
    settings.values().forEach((name, value) -> values.put(name, Set.of(value)));
    for (Path file : files) {
      if (isSource(file)) {
        source(file, real.relativize(file).toString());
      }
    }
  }

  private boolean isRead(Path file, Path root) {
    if (!isSource(file) && !isSettings(file, root)) {
      return false;
    }
    if (Files.isSymbolicLink(file)) {
      list.leave(
          root.relativize(file).toString(),
          "it is a symbolic link, which may lead out of the folder");
      return false;
    }
    return Files.isRegularFile(file);
  }

  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") || file.toString().endsWith(".kt");
  }

  private static boolean isSettings(Path file, Path root) {
    if (!SETTINGS.contains(String.valueOf(file.getFileName()))) {
      return false;
    }
    List<String> names = new ArrayList<>();
    file.forEach(name -> names.add(name.toString()));
    List<String> inside = names.subList(Math.min(root.getNameCount(), names.size()), names.size());
    List<String> withRoot = names.subList(Math.max(0, root.getNameCount() - 1), names.size());
    return inside.stream().noneMatch(BUILT::contains)
        && Collections.indexOfSubList(withRoot, TESTS) < 0;
  }

  /** In a folder, properties win over YAML, as in Spring; no folder wins over another. */
  private void settingsOf(List<Path> files) throws IOException {
    Map<Path, Map<String, Set<String>>> folders = new HashMap<>();
    for (Path file : files) {
      if (!isProperties(file)) {
        Map<String, Set<String>> folder = folder(folders, file);
        yaml(Files.readString(file)).forEach((name, value) -> add(folder, name, Set.of(value)));
      }
    }
    for (Path file : files) {
      if (isProperties(file)) {
        Map<String, Set<String>> folder = folder(folders, file);
        documents(Files.readString(file)).forEach((name, value) -> folder.put(name, Set.of(value)));
      }
    }
    folders.values().forEach(folder -> folder.forEach((name, all) -> add(values, name, all)));
  }

  private static Map<String, Set<String>> folder(
      Map<Path, Map<String, Set<String>>> folders, Path file) {
    return folders.computeIfAbsent(file.resolveSibling(""), path -> new HashMap<>());
  }

  private static void add(Map<String, Set<String>> to, String name, Set<String> values) {
    to.computeIfAbsent(name, key -> new TreeSet<>()).addAll(values);
  }

  private static boolean isProperties(Path file) {
    return file.toString().endsWith(".properties");
  }

  /** The values of a properties file; of two documents the later one wins. */
  private static Map<String, String> documents(String text) throws IOException {
    Map<String, String> all = new HashMap<>();
    for (String document : NEXT_DOCUMENT.split(text, -1)) {
      Properties properties = properties(document);
      Map<String, String> values = new HashMap<>();
      properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
      unconditional(values, all);
    }
    return all;
  }

  /** The values of a YAML file; of two documents the later one wins. */
  private static Map<String, String> yaml(String text) {
    Map<String, String> all = new HashMap<>();
    for (JsonNode document : Documents.yaml(text)) {
      Map<String, String> values = new HashMap<>();
      flatten("", document, values);
      unconditional(values, all);
    }
    return all;
  }

  private static void unconditional(Map<String, String> document, Map<String, String> all) {
    if (document.keySet().stream().noneMatch(key -> CONDITION.matcher(key).matches())) {
      all.putAll(document);
    }
  }

  private static void flatten(String path, JsonNode tree, Map<String, String> values) {
    if (tree.isValueNode()) {
      values.put(path, tree.asText());
    }
    for (int i = 0; tree.isArray() && i < tree.size(); i++) {
      flatten(path + "[" + i + "]", tree.path(i), values);
    }
    tree.properties()
        .forEach(
            field ->
                flatten(
                    path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                    field.getValue(),
                    values));
  }

  private void source(Path file, String shown) throws IOException {
    try {
      for (Found found : ScheduledMethods.in(Files.readString(file))) {
        String where = shown.isEmpty() ? String.valueOf(file.getFileName()) : shown;
        String type = String.valueOf(file.getFileName()).replaceFirst("\\.(java|kt)$", "");
        String what = where + ":" + found.line() + " " + found.method();
        list.attempt(what, () -> method(what, type + "." + found.method(), found));
      }
    } catch (MalformedInputException e) {
      list.leave(shown, "it is not UTF-8");
    }
  }

  private void method(String what, String id, Found found) {
    Map<String, String> given = filled(found);
    String cron = given.get("cron");
    if (found.unread().isPresent()) {
      list.leave(what, found.unread().get());
    } else if (cron != null && !cron.isBlank()) {
      Optional<String> zone = Optional.ofNullable(given.get("zone")).filter(z -> !z.isBlank());
      cron(what, id, cron, zone, leftOut(given));
    } else {
      interval(what, id, given);
    }
  }

  private void interval(String what, String id, Map<String, String> given) {
    ChronoUnit unit = unit(given.getOrDefault("timeUnit", "MILLISECONDS"));
    for (String kind : List.of("fixedRate", "fixedRateString", "fixedDelay", "fixedDelayString")) {
      String text = given.get(kind);
      if (text != null) {
        every(what, id, duration(kind, text, unit), kind.startsWith("fixedDelay"), leftOut(given));
        return;
      }
    }
    list.leave(what, "it has none of cron, fixedRate and fixedDelay; it runs once, at the start");
  }

  private static ChronoUnit unit(String name) {
    try {
      String simple = name.substring(name.lastIndexOf('.') + 1);
      return TimeUnit.valueOf(simple.toUpperCase(Locale.ROOT)).toChronoUnit();
    } catch (IllegalArgumentException e) {
      throw new BrokenSourceException("timeUnit is no unit: " + name, e);
    }
  }

  private static Duration duration(String field, String text, ChronoUnit unit) {
    try {
      return text.toUpperCase(Locale.ROOT).startsWith("P")
          ? Duration.parse(text)
          : Duration.of(Long.parseLong(text.replace("_", "")), unit);
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new BrokenSourceException(field + " is no number and no duration: " + text, e);
    } catch (ArithmeticException e) {
      throw new BrokenSourceException(field + " is too long: " + text, e);
    }
  }

  private Map<String, String> filled(Found found) {
    Map<String, String> filled = new HashMap<>();
    found.attributes().forEach((name, text) -> filled.put(name, filled(text)));
    return filled;
  }

  private String filled(String text) {
    String now = text;
    for (int i = 0; i < MOST_NESTED; i++) {
      Matcher placeholder = PLACEHOLDER.matcher(now);
      if (!placeholder.find()) {
        break;
      }
      String name = String.valueOf(placeholder.group(1)).strip();
      String fallback = placeholder.group(2);
      Set<String> given = values.getOrDefault(name, Set.of());
      if (given.size() > 1) {
        throw new BrokenSourceException(
            "the placeholder ${%s} has several values in the folder: \"%s\"; give one with"
                    .formatted(name, String.join("\", \"", given))
                + " --value '%s=...'".formatted(name));
      }
      Optional<String> value = given.stream().findFirst().or(() -> Optional.ofNullable(fallback));
      if (value.isEmpty()) {
        throw new BrokenSourceException(
            "the placeholder ${%s} has no value; give it with --value '%s=...'"
                .formatted(name, name));
      }
      now = now.substring(0, placeholder.start()) + value.get() + now.substring(placeholder.end());
    }
    if (now.contains("#{")) {
      throw new BrokenSourceException("an expression of SpEL has no value here: " + now);
    }
    return now;
  }

  private static List<String> leftOut(Map<String, String> given) {
    return given.keySet().stream().filter(name -> !READ.contains(name)).sorted().toList();
  }

  private void cron(
      String what, String id, String cron, Optional<String> zoneId, List<String> leftOut) {
    if (cron.strip().equals(DISABLED)) {
      list.leave(what, "it is disabled: its expression is \"-\"");
      return;
    }
    Draft draft = Draft.empty();
    ZoneId zone = list.zone(zoneId, "zone: ", "Spring uses that of its JVM", draft);
    leftOut.forEach(draft::leaveOut);
    draft.form().put("cron", cron.strip()).put("dialect", "spring");
    draft.form().put("timezone", zone.getId()).put("catch_up", "skip").put("type", id);
    list.add(what, id, draft.from(new SourceTrigger(SourceEngine.SPRING, cron.strip(), zone)));
  }

  private void every(
      String what, String id, Duration interval, boolean isDelay, List<String> leftOut) {
    Draft draft = Draft.empty();
    leftOut.forEach(draft::leaveOut);
    draft.form().put("every", interval.toString()).put("catch_up", "skip").put("type", id);
    if (isDelay) {
      draft.form().put("overlap", "skip");
      draft.note(
          "fixedDelay counts from the end of the last run; here it is a grid, and a run that takes"
              + " longer leaves occurrences out.");
    } else {
      draft.note(
          "fixedRate counts from the start of the application; here it counts from the put.");
    }
    list.add(what, id, draft);
  }
}
