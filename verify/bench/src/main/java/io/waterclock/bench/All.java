package io.waterclock.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.bench.report.Summary;
import io.waterclock.bench.report.Targets;
import io.waterclock.bench.run.Json;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Every measurement that a target is about, one after the other. */
@Command(
    name = "all",
    description =
        "Runs lateness, herd, idle, recovery, catchup, cron and peers, one after the other, and"
            + " says at the end which targets were met. A part that fails does not stop the"
            + " others; then the exit code is 1.",
    mixinStandardHelpOptions = true)
final class All implements Callable<Integer> {
  private static final String CRON = "cron";

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup private Options.Scale scale = new Options.Scale();

  @Mixin private Options.DataPlace place = new Options.DataPlace();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes the summary and all figures as JSON; default summary.json in --out.")
  private Optional<Path> summaryFile = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where JSON is written; default ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  @Override
  public Integer call() {
    Map<String, Integer> exits = new LinkedHashMap<>();
    Map<String, JsonNode> figures = new LinkedHashMap<>();
    Map<String, List<String>> parts = parts();
    long begin = System.nanoTime();
    parts.forEach(
        (name, words) -> {
          Progress.say("part " + (exits.size() + 1) + " of " + parts.size() + ": " + name);
          Path json = out.resolve(name + ".json");
          exits.put(name, run(name, words, json));
          if (Files.exists(json)) {
            figures.put(name, Json.read(json)); // also of a part that failed in the end
          }
        });
    Summary summary =
        new Summary(
            exits,
            figures,
            new Targets(figures).verdicts(),
            Duration.ofNanos(System.nanoTime() - begin));
    summary.print(System.out);
    Json.write(summaryFile.orElse(out.resolve("summary.json")), summary.figures());
    System.out.println("  JSON is in " + out);
    return summary.isWhole() ? 0 : 1;
  }

  private int run(String name, List<String> words, Path json) {
    List<String> arguments = new ArrayList<>(words);
    if (scale.quick()) {
      arguments.add("--quick");
    }
    if (scale.full()) {
      arguments.add("--full");
    }
    if (!name.equals(CRON)) {
      place.dir().ifPresent(where -> arguments.addAll(List.of("--dir", where.toString())));
    }
    arguments.addAll(List.of("--json", json.toString()));
    try {
      Files.deleteIfExists(json);
      CommandLine bench = spec.root().commandLine();
      return new CommandLine(spec.root().userObject())
          .setExecutionExceptionHandler(bench.getExecutionExceptionHandler())
          .execute(arguments.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The parts by their names, each as one would give it. */
  private Map<String, List<String>> parts() {
    Map<String, List<String>> parts = new LinkedHashMap<>();
    for (int rate :
        scale.quick() ? new int[] {1_000, 10_000} : new int[] {100, 1_000, 10_000, 40_000}) {
      parts.put("lateness-" + rate, List.of("lateness", "--rate", Integer.toString(rate)));
    }
    List<String> herd = scale.quick() ? List.of("herd") : List.of("herd", "--schedules", "1000000");
    parts.put(Targets.HERD, withTwoThreads(herd));
    parts.put(
        Targets.IDLE,
        scale.full() ? List.of("idle", "--scheduler-jvm", "-Xms4g -Xmx4g") : List.of("idle"));
    parts.put(Targets.RECOVERY, withTwoThreads(List.of("recovery")));
    parts.put(Targets.CATCH_UP, List.of(Targets.CATCH_UP));
    parts.put(CRON, List.of(CRON));
    parts.put(Targets.PEERS, withTwoThreads(List.of("peers")));
    return parts;
  }

  /** Two cores are what the targets are about; a thread for each is what docs/deploy.md advises. */
  private static List<String> withTwoThreads(List<String> words) {
    int threads = Math.min(Runtime.getRuntime().availableProcessors(), 2);
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--set", "num.stream.threads=" + threads));
    return all;
  }
}
