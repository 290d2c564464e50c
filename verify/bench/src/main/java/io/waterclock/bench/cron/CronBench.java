package io.waterclock.bench.cron;

import io.waterclock.bench.report.Report;
import io.waterclock.bench.run.Json;
import io.waterclock.bench.run.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The search for occurrences beside that of other libraries: speed, memory, first decision. */
@Command(
    name = "cron",
    description =
        "The next occurrence of cron expressions, for Waterclock, cron-utils, Spring and Quartz in"
            + " the same run; how fast a fresh JVM finds that an expression never occurs. Needs no"
            + " Kafka.",
    mixinStandardHelpOptions = true)
public final class CronBench implements Callable<Integer> {
  private static final String BYTES = "gc.alloc.rate.norm";
  private static final List<String> COST = List.of("ns", "+- ns", "bytes");

  @Option(names = "--quick", description = "Short runs: to see that it works, not to quote.")
  private boolean quick;

  @Option(names = "--full", description = "Twice as long: for narrower bounds.")
  private boolean full;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON, too.")
  private Optional<Path> json = Optional.empty();

  @Override
  public Integer call() throws RunnerException {
    Map<String, Report> reports = new LinkedHashMap<>();
    reports.put("next", next());
    reports.put("cold", cold());
    reports.values().forEach(report -> report.print(System.out));
    json.ifPresent(file -> Json.write(file, reports));
    return 0;
  }

  private Report next() throws RunnerException {
    List<String> columns = new ArrayList<>();
    Stream.of(Library.values()).map(Library::title).forEach(columns::add);
    columns.add("fastest other / Waterclock");
    Report report =
        new Report("cron: the next occurrence, Europe/Berlin and America/New_York", columns);
    for (Expression expression : Expression.values()) {
      Progress.say("next: " + expression.title());
      ChainedOptionsBuilder options =
          options(NextBenchmark.class)
              .param("expression", expression.name())
              .param("library", Stream.of(Library.values()).map(Enum::name).toArray(String[]::new));
      Map<Library, List<Double>> costs = new EnumMap<>(Library.class);
      for (RunResult result : new Runner(options.build()).run()) {
        costs.put(Library.valueOf(result.getParams().getParam("library")), cost(result));
      }
      double fastest =
          costs.entrySet().stream()
              .filter(entry -> entry.getKey() != Library.WATERCLOCK)
              .mapToDouble(entry -> entry.getValue().get(0))
              .min()
              .orElseThrow();
      double ours = Objects.requireNonNull(costs.get(Library.WATERCLOCK)).get(0);
      for (int i = 0; i < COST.size(); i++) {
        int part = i;
        List<Object> values = new ArrayList<>();
        costs.values().forEach(cost -> values.add(cost.get(part)));
        values.add(part == 0 ? fastest / ours : Report.NONE);
        report.add(expression.title(), values, COST.get(part));
      }
    }
    return report;
  }

  private Report cold() throws RunnerException {
    List<String> columns = List.of("first", "slowest", "another, then");
    Report report =
        new Report("cron: finding that an expression never occurs, in fresh JVMs", columns);
    for (Library library : Library.values()) {
      Progress.say("cold: " + library.title());
      ChainedOptionsBuilder options =
          options(ColdBenchmark.class)
              .param("library", library.name())
              .forks(quick ? 3 : 21)
              .warmupIterations(0)
              .measurementIterations(2);
      List<List<Double>> decisions = List.of(new ArrayList<>(), new ArrayList<>());
      for (BenchmarkResult jvm : new Runner(options.build()).runSingle().getBenchmarkResults()) {
        Iterator<List<Double>> each = decisions.iterator();
        jvm.getIterationResults()
            .forEach(iteration -> each.next().add(iteration.getPrimaryResult().getScore()));
      }
      decisions.forEach(Collections::sort);
      List<Double> first = decisions.get(0);
      int middle = first.size() / 2;
      List<Double> values =
          List.of(first.get(middle), first.get(first.size() - 1), decisions.get(1).get(middle));
      report.add(library.title(), values, "ms");
    }
    return report;
  }

  private ChainedOptionsBuilder options(Class<?> benchmark) {
    return new OptionsBuilder()
        .include(benchmark.getName() + "\\.")
        .forks(1)
        .jvmArgs("-Xmx512m")
        .warmupIterations(quick ? 1 : 3)
        .measurementIterations(quick ? 2 : full ? 10 : 5)
        .warmupTime(TimeValue.milliseconds(quick ? 100 : 500))
        .measurementTime(TimeValue.milliseconds(quick ? 100 : 500))
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  /** The average of a call, half its 99.9 % confidence interval, and the bytes it allocates. */
  private static List<Double> cost(RunResult result) {
    return List.of(
        result.getPrimaryResult().getScore(),
        result.getPrimaryResult().getScoreError(),
        Objects.requireNonNull(result.getSecondaryResults().get(BYTES)).getScore());
  }
}
