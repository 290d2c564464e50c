package io.waterclock.bench.scenario;

import io.waterclock.bench.meter.RateMeter;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.FiresTopic;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.schemas.RecordCodecs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares a worker with a bare loop that reads the same fires. */
@Command(
    name = "worker",
    description =
        "A worker whose handler does nothing, with deduplication in memory, beside bare consumer"
            + " loops over the same topic in the same process: one that decodes each fire, as"
            + " a service has to, and one that does not.",
    mixinStandardHelpOptions = true)
public final class WorkerScenario implements Callable<Integer> {
  @Option(names = "--fires", description = "Default ${DEFAULT-VALUE}.")
  private int fires = 1_000_000;

  @Option(names = "--schedules", description = "Default ${DEFAULT-VALUE}.")
  private int schedules = 10_000;

  @Option(names = "--partitions", description = "Default ${DEFAULT-VALUE}.")
  private int partitions = 12;

  @Option(
      names = "--threads",
      description = "Of the worker; default ${DEFAULT-VALUE}, as in a worker.")
  private int threads = 8;

  @Option(
      names = "--rounds",
      description =
          "Counted, after one that is not; the median is reported. Default ${DEFAULT-VALUE}.")
  private int rounds = 5;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON, too.")
  private Optional<Path> json = Optional.empty();

  @Override
  public Integer call() {
    Options.atLeast(1, "--fires", fires);
    Options.atLeast(1, "--schedules", schedules);
    Options.atLeast(1, "--partitions", partitions);
    Options.atLeast(1, "--threads", threads);
    Options.atLeast(1, "--rounds", rounds);
    Report report = new Report("worker: " + fires + " fires, an empty handler");
    report.with("topic", partitions + " partitions, fires of " + schedules + " schedules");
    report.with("worker", threads + " threads, deduplication in memory");
    report.with("baseline", "a KafkaConsumer in one thread, read_committed, commits every second");
    report.with("rounds", rounds + ", taking turns, the median of each");
    try (FiresTopic topic = FiresTopic.filled(partitions, schedules, fires)) {
      List<Double> worker = new ArrayList<>();
      List<Double> decoding = new ArrayList<>();
      List<Double> reading = new ArrayList<>();
      for (int round = 0; round <= rounds; round++) {
        double[] rates = {
          worker(topic, round), bare(topic, WorkerScenario::decode), bare(topic, bytes -> {})
        };
        Progress.say(
            String.format("round %d: %,.0f %,.0f %,.0f", round, rates[0], rates[1], rates[2]));
        if (round > 0) {
          worker.add(rates[0]);
          decoding.add(rates[1]);
          reading.add(rates[2]);
        }
      }
      report.add("beside a loop that decodes", median(worker), median(decoding), "fires/s");
      report.add("beside a loop that only reads", median(worker), median(reading), "fires/s");
    }
    report.print(System.out);
    report.writeJson(json);
    return 0;
  }

  private static void decode(byte[] fire) {
    if (RecordCodecs.fire().decode(fire).getFireId().isEmpty()) {
      throw new BenchException("a fire without an id");
    }
  }

  private double worker(FiresTopic topic, int round) {
    RateMeter meter = new RateMeter(fires);
    try (FireWorker worker =
        FireWorker.builder(topic.bootstrapServers(), "bench-" + round)
            .threads(threads)
            .onAny(run -> meter.count(1))
            .start()) {
      double rate = meter.rate();
      worker.failure().ifPresent(cause -> Progress.say("the worker has failed: " + cause));
      return rate;
    }
  }

  private double bare(FiresTopic topic, Consumer<byte[]> each) {
    RateMeter meter = new RateMeter(fires);
    topic.read(meter, each);
    return meter.rate();
  }

  private static double median(List<Double> rates) {
    Collections.sort(rates);
    return rates.get(rates.size() / 2);
  }
}
