package io.waterclock.bench.cron;

import io.waterclock.bench.cron.CronReport.Cost;
import io.waterclock.bench.run.Json;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
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
            + " the same run; counting missed occurrences; how fast a fresh JVM finds that an"
            + " expression never occurs. Needs no Kafka.",
    mixinStandardHelpOptions = true)
public final class CronBench implements Callable<Integer> {
  private static final String BYTES = "gc.alloc.rate.norm";

  @Option(names = "--quick", description = "Short runs: to see that it works, not to quote.")
  private boolean quick;

  @Option(names = "--full", description = "Twice as long: for narrower bounds.")
  private boolean full;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON, too.")
  private Optional<Path> json = Optional.empty();

  @Override
  public Integer call() throws RunnerException {
    CronReport report = new CronReport();
    for (Expression expression : Expression.values()) {
      say("next: " + expression.title());
      report.next(expression, next(expression));
    }
    for (CountBenchmark.Counted counted : CountBenchmark.Counted.values()) {
      say("count: " + counted.title());
      report.count(counted, count(counted));
    }
    for (Library library : Library.values()) {
      say("cold: " + library.title());
      report.cold(library, cold(library));
    }
    report.print(System.out);
    if (json.isPresent()) {
      Json.write(json.get(), report.figures());
    }
    return 0;
  }

  private Map<Library, Cost> next(Expression expression) throws RunnerException {
    Map<Library, Cost> costs = new EnumMap<>(Library.class);
    ChainedOptionsBuilder options =
        options(NextBenchmark.class)
            .param("expression", expression.name())
            .param("library", names(Library.values()));
    for (RunResult result : new Runner(options.build()).run()) {
      costs.put(Library.valueOf(result.getParams().getParam("library")), cost(result));
    }
    return costs;
  }

  private Cost count(CountBenchmark.Counted counted) throws RunnerException {
    ChainedOptionsBuilder options = options(CountBenchmark.class).param("counted", counted.name());
    return cost(new Runner(options.build()).runSingle());
  }

  private Cold cold(Library library) {
    Stream<String> dates = library == Library.WATERCLOCK ? five() : five().map("0 "::concat);
    List<String> expressions =
        dates.map(date -> library == Library.QUARTZ ? date.replace(" *", " ?") : date).toList();
    return Cold.measure(library, expressions, quick ? 3 : 21);
  }

  /** Dates that do not exist, with five fields. */
  private static Stream<String> five() {
    return Stream.of("0 0 30 2 *", "0 0 31 4,6,9,11 *");
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

  private static Cost cost(RunResult result) {
    return new Cost(
        result.getPrimaryResult().getScore(),
        result.getPrimaryResult().getScoreError(),
        Objects.requireNonNull(result.getSecondaryResults().get(BYTES)).getScore());
  }

  private static String[] names(Enum<?>[] values) {
    return Stream.of(values).map(Enum::name).toArray(String[]::new);
  }

  private static void say(String what) {
    System.err.println(what.toLowerCase(Locale.ROOT));
  }
}
