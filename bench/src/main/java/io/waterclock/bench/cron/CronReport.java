package io.waterclock.bench.cron;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The figures of a run, as tables and as JSON. */
final class CronReport {
  /**
   * The cost of a call.
   *
   * @param nanos on average
   * @param error half the 99.9 % confidence interval of the average, in nanoseconds
   * @param bytes allocated on the heap
   */
  record Cost(double nanos, double error, double bytes) {}

  private static final String NEXT = "  %-24s";
  private static final String LIBRARY = "%12s %5s";

  private final Map<Expression, Map<Library, Cost>> next = new EnumMap<>(Expression.class);
  private final Map<CountBenchmark.Counted, Cost> count =
      new EnumMap<>(CountBenchmark.Counted.class);
  private final Map<Library, Cold> cold = new EnumMap<>(Library.class);

  void next(Expression expression, Map<Library, Cost> costs) {
    next.put(expression, costs);
  }

  void count(CountBenchmark.Counted counted, Cost cost) {
    count.put(counted, cost);
  }

  void cold(Library library, Cold figures) {
    cold.put(library, figures);
  }

  void print(PrintStream out) {
    out.println();
    out.println("cron: " + machine());
    printNext(out);
    printCount(out);
    printCold(out);
  }

  private void printNext(PrintStream out) {
    out.println();
    out.println("the next occurrence, Europe/Berlin and America/New_York: ns and bytes a call");
    out.printf(NEXT, "");
    for (Library library : Library.values()) {
      out.printf(LIBRARY, library.title(), "B");
    }
    out.println("   fastest other / Waterclock");
    next.forEach(
        (expression, costs) -> {
          out.printf(NEXT, expression.title());
          costs.values().forEach(cost -> out.printf(LIBRARY, number(cost.nanos()), bytes(cost)));
          out.printf(Locale.ROOT, "%8.1f%n", ratio(costs));
        });
  }

  private void printCount(PrintStream out) {
    out.println();
    out.println("counting the occurrences of a year: ns and bytes a call");
    count.forEach(
        (counted, cost) ->
            out.printf("  %-34s %10s %5s%n", counted.title(), number(cost.nanos()), bytes(cost)));
  }

  private void printCold(PrintStream out) {
    out.println();
    out.println("finding that an expression never occurs, in fresh JVMs: ms");
    out.printf("  %-24s%10s%10s%18s%n", "", "first", "slowest", "another, then");
    cold.forEach(
        (library, figures) ->
            out.printf(
                Locale.ROOT,
                "  %-24s%10.1f%10.1f%18.2f%n",
                library.title(),
                figures.first(),
                figures.slowest(),
                figures.second()));
  }

  /** Everything, for JSON. */
  Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("title", "cron");
    all.put("machine", machine());
    all.put("next", next);
    all.put("count", count);
    all.put("cold", cold);
    return all;
  }

  private static String machine() {
    return String.format(
        "%s cores, Java %s, %s",
        Runtime.getRuntime().availableProcessors(),
        Runtime.version(),
        System.getProperty("os.name"));
  }

  /** How many times as long the fastest of the others takes. */
  private static double ratio(Map<Library, Cost> costs) {
    double ours = 0;
    double fastest = Double.MAX_VALUE;
    for (Map.Entry<Library, Cost> entry : costs.entrySet()) {
      double nanos = entry.getValue().nanos();
      if (entry.getKey() == Library.WATERCLOCK) {
        ours = nanos;
      } else {
        fastest = Math.min(fastest, nanos);
      }
    }
    return fastest / ours;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 1_000 ? "%.1f" : "%,.0f", value);
  }

  private static String bytes(Cost cost) {
    return String.format(Locale.ROOT, "%.0f", cost.bytes());
  }
}
