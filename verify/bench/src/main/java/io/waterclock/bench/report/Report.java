package io.waterclock.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Json;
import io.waterclock.bench.run.Machine;
import io.waterclock.bench.run.Options;
import io.waterclock.client.topics.KafkaVersion;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The figures of a run, those of everything that was compared beside each other, and what they were
 * measured with: as a table and as JSON.
 */
public final class Report {
  /** The configuration that says how many schedules there were. */
  public static final String SCHEDULES = "schedules";

  /** Stands in a table for a figure that a column does not have. */
  public static final String NONE = "-";

  private static final String WATERCLOCK = "Waterclock";
  private static final String BASELINE = "baseline";

  @JsonProperty private final String title;
  private final List<String> columns;
  @JsonProperty private final Map<String, String> configuration = new LinkedHashMap<>();
  private final List<List<String>> rows = new ArrayList<>();
  @JsonProperty private final Map<String, Object> figures = new LinkedHashMap<>();

  /** Compares Waterclock with a baseline, without scheduler and broker of {@link Options}. */
  public Report(String title) {
    this(title, List.of(WATERCLOCK, BASELINE));
  }

  /** Has a column for each name, without scheduler and broker of {@link Options}. */
  public Report(String title, List<String> columns) {
    this.title = title;
    this.columns = List.copyOf(columns);
    with("machine", Machine.describe());
    with("kafka", KafkaVersion.ofClients());
    with("measured at", Await.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  public Report(String title, Options options) {
    this(title, options, List.of(WATERCLOCK, BASELINE));
  }

  /** Has a column for each name. */
  public Report(String title, Options options, List<String> columns) {
    this(title, columns);
    with(options);
  }

  private void with(Options options) {
    with("partitions", Integer.toString(options.partitions()));
    with(
        "scheduler",
        options.settings().getOrDefault("num.stream.threads", "1")
            + " stream thread(s), exactly_once_v2, "
            + String.join(" ", options.schedulerJvm())
            + (options.settings().isEmpty() ? "" : ", " + options.settings()));
    with(
        "broker",
        "own process, "
            + String.join(" ", options.brokerJvm())
            + (options.brokers() == 1 ? ", one node" : ", three nodes, three replicas, two in sync")
            + ", the settings of the test kit for a small machine");
    with("producers", "of scheduler and baseline alike: " + options.producerSettings());
  }

  /** Adds a line to the configuration that the figures were measured with. */
  public void with(String what, String value) {
    configuration.put(what, value);
  }

  /** A number as people and {@link Targets} read it, in any locale. */
  public static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Adds a figure and the same of the baseline. */
  public void add(String figure, double waterclock, double baseline, String unit) {
    add(figure, List.of(waterclock, baseline), unit);
  }

  /** Adds a figure of what each column is about; an empty optional becomes {@link #NONE}. */
  public <T> void each(String figure, List<T> columns, Function<T, ?> value, String unit) {
    add(figure, columns.stream().map(value).map(Report::orNone).toList(), unit);
  }

  private boolean hasRatio() {
    return columns.contains(BASELINE);
  }

  private static Object orNone(Object value) {
    return value instanceof Optional<?> optional
        ? optional.<Object>map(v -> v).orElse(NONE)
        : value;
  }

  /** Adds a figure of each column: numbers, or words in their place. */
  public void add(String figure, List<?> values, String unit) {
    row(figure + ", " + unit, values);
    Map<String, Object> json = json(values);
    json.put("unit", unit);
    figures.put(figure, json);
  }

  public void add(String figure, List<?> values) {
    row(figure, values);
    figures.put(figure, json(values));
  }

  private void row(String figure, List<?> values) {
    List<String> cells = new ArrayList<>(List.of(figure));
    values.forEach(value -> cells.add(cell(value)));
    if (hasRatio()) {
      cells.add(ratio(values.get(0), values.get(1)));
    }
    rows.add(cells);
  }

  private Map<String, Object> json(List<?> values) {
    if (values.size() != columns.size()) {
      throw new IllegalArgumentException(values + " for " + columns);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      json.put(columns.get(i).toLowerCase(Locale.ROOT), values.get(i));
    }
    return json;
  }

  private static String cell(Object value) {
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    return String.format(Locale.ROOT, Math.abs(number) >= 1_000 ? "%,.0f" : "%.2f", number);
  }

  private static String ratio(Object value, Object baseline) {
    return value instanceof Double number && baseline instanceof Double base && base != 0
        ? String.format(Locale.ROOT, "%.2f", number / base)
        : "";
  }

  /** Prints everything, and writes the files that the options ask for. */
  public void publish(PrintStream out, Options options) {
    print(out);
    writeJson(options.json());
  }

  public void print(PrintStream out) {
    out.println();
    out.println(title);
    int width = configuration.keySet().stream().mapToInt(String::length).max().orElse(0);
    configuration.forEach((what, value) -> out.printf("  %-" + width + "s  %s%n", what, value));
    out.println();
    List<String> header = new ArrayList<>(List.of(""));
    header.addAll(columns);
    if (hasRatio()) {
      header.add("ratio");
    }
    List<List<String>> table = new ArrayList<>(List.of(header));
    table.addAll(rows);
    StringBuilder format = new StringBuilder();
    for (int i = 0; i < header.size(); i++) {
      int column = i;
      int wide = table.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
      format.append("  %").append(i == 0 ? "-" : "").append(Math.max(1, wide)).append('s');
    }
    table.forEach(row -> out.println(format.toString().formatted(row.toArray()).stripTrailing()));
  }

  public void writeJson(Optional<Path> file) {
    file.ifPresent(path -> Json.write(path, this));
  }
}
