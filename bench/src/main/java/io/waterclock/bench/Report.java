package io.waterclock.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of a run, each with its baseline, and what they were measured with. */
final class Report {
  private record Row(String figure, String waterclock, String baseline, String ratio) {}

  private final String title;
  private final Map<String, String> configuration = new LinkedHashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Object> figures = new LinkedHashMap<>();

  /** Without a scheduler and a broker of the {@link Options}. */
  Report(String title) {
    this.title = title;
    with(
        "machine",
        Runtime.getRuntime().availableProcessors()
            + " cores, Java "
            + Runtime.version()
            + ", "
            + System.getProperty("os.name"));
  }

  Report(String title, Options options) {
    this(title);
    with("partitions", Integer.toString(options.partitions()));
    with(
        "scheduler",
        "1 stream thread, exactly_once_v2, "
            + String.join(" ", options.schedulerJvm())
            + (options.settings().isEmpty() ? "" : ", " + options.settings()));
    with("broker", "own process, " + String.join(" ", options.brokerJvm()));
  }

  /** Says with what the figures were measured. */
  void with(String what, String value) {
    configuration.put(what, value);
  }

  /** Adds a figure and the same of the baseline. */
  void add(String figure, double waterclock, double baseline, String unit) {
    rows.add(
        new Row(
            figure + ", " + unit,
            number(waterclock),
            number(baseline),
            baseline == 0 ? "" : String.format(Locale.ROOT, "%.2f", waterclock / baseline)));
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("waterclock", waterclock);
    values.put("baseline", baseline);
    values.put("unit", unit);
    figures.put(figure, values);
  }

  /** Adds a figure that is no number. */
  void add(String figure, String waterclock, String baseline) {
    rows.add(new Row(figure, waterclock, baseline, ""));
    figures.put(figure, Map.of("waterclock", waterclock, "baseline", baseline));
  }

  void print(PrintStream out) {
    out.println();
    out.println(title);
    int width = configuration.keySet().stream().mapToInt(String::length).max().orElse(0);
    configuration.forEach((what, value) -> out.printf("  %-" + width + "s  %s%n", what, value));
    out.println();
    List<Row> all = new ArrayList<>(List.of(new Row("", "Waterclock", "baseline", "ratio")));
    all.addAll(rows);
    String format = format(all);
    all.forEach(
        row -> out.printf(format, row.figure(), row.waterclock(), row.baseline(), row.ratio()));
  }

  private static String format(List<Row> all) {
    int first = all.stream().mapToInt(row -> row.figure().length()).max().orElse(1);
    int second = all.stream().mapToInt(row -> row.waterclock().length()).max().orElse(1);
    int third = all.stream().mapToInt(row -> row.baseline().length()).max().orElse(1);
    return "  %-" + first + "s  %" + second + "s  %" + third + "s  %6s%n";
  }

  void writeJson(Optional<Path> file) {
    if (file.isEmpty()) {
      return;
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("title", title);
    all.put("configuration", configuration);
    all.put("figures", figures);
    try {
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValue(file.get().toFile(), all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String number(double value) {
    String pattern = Math.abs(value) >= 1_000 ? "%,.0f" : "%.2f";
    return String.format(Locale.ROOT, pattern, value);
  }
}
