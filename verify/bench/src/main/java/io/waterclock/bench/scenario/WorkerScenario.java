package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.meter.RateMeter;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Arrivals;
import io.waterclock.bench.rig.Clients;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.Reporting;
import io.waterclock.schemas.RecordCodecs;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares a worker with a bare loop that reads the same fires. */
@Command(
    name = "worker",
    description =
        "A worker whose handler does nothing, with deduplication in memory, beside bare consumer"
            + " loops over the same topic in the same process: one that decodes each fire, as"
            + " a service has to, and one that does not; and a worker that reports results beside"
            + " one that does not.",
    mixinStandardHelpOptions = true)
public final class WorkerScenario implements Callable<Integer> {
  /** Longer than the grace, so that everything was missed. */
  private static final Duration AGO = Duration.ofMinutes(10);

  private static final Duration COMMITS = Duration.ofSeconds(1);
  private static final int SCHEDULES = 10_000;

  /** As in a worker. */
  private static final int THREADS = 8;

  @Mixin private Options options = new Options();

  @Option(names = "--fires", description = "Default 1000000; with --quick 50000.")
  private Optional<Integer> fires = Optional.empty();

  @Option(
      names = "--rounds",
      description =
          "Counted, after one that is not; the median is reported. Default ${DEFAULT-VALUE}.")
  private int rounds = 5;

  @Override
  public Integer call() {
    int count = options.size("--fires", fires, 1_000_000, 50_000);
    Options.atLeast(1, "--rounds", rounds);
    Report report = new Report("worker: " + count + " fires, an empty handler", options);
    report.with("topic", "fires of " + SCHEDULES + " schedules, which replay them");
    report.with("worker", THREADS + " threads, deduplication in memory");
    report.with("baseline", "a KafkaConsumer in one thread, read_committed, commits every second");
    report.with("rounds", rounds + ", taking turns, the median of each");
    try (Rig rig = Rig.start(options)) {
      fill(rig, count);
      List<List<Double>> rates =
          List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int round = 0; round <= rounds; round++) {
        List<Double> each =
            List.of(
                worker(rig, count, "asked-" + round, Reporting.ASKED),
                bare(rig, count, WorkerScenario::decode),
                bare(rig, count, bytes -> {}),
                worker(rig, count, "results-" + round, Reporting.RESULTS));
        Progress.say("round " + round + ", fires/s: " + each);
        for (int i = 0; round > 0 && i < each.size(); i++) {
          rates.get(i).add(each.get(i));
        }
      }
      rates.forEach(Collections::sort);
      double worker = rates.get(0).get(rounds / 2);
      report.add("beside a loop that decodes", worker, rates.get(1).get(rounds / 2), "fires/s");
      report.add("beside a loop that only reads", worker, rates.get(2).get(rounds / 2), "fires/s");
      report.add(
          "that reports results, beside one that does not",
          rates.get(3).get(rounds / 2),
          worker,
          "fires/s");
    }
    report.publish(System.out, options);
    return 0;
  }

  /** Has the scheduler write the fires, and ends it. */
  private static void fill(Rig rig, int count) {
    int each = (count + SCHEDULES - 1) / SCHEDULES;
    Instant written = Await.now().minus(AGO).minusSeconds(each).truncatedTo(ChronoUnit.SECONDS);
    RateMeter meter = new RateMeter(count);
    try (Loader loader = rig.loader();
        Arrivals arrivals = rig.arrivals(rig.topics().fires())) {
      arrivals.to((record, seenUs) -> meter.count(1));
      for (int number = 0; number < SCHEDULES; number++) {
        loader.writeAt("work", number, written, Definitions.replayed(written, each));
      }
      Progress.say("%,d fires are written, %,.0f/s".formatted(count, meter.rate()));
    }
    rig.scheduler().close();
  }

  private static void decode(byte[] fire) {
    if (RecordCodecs.fire().decode(fire).getFireId().isEmpty()) {
      throw new BenchException("a fire without an id");
    }
  }

  private static double worker(Rig rig, int count, String group, Reporting reporting) {
    RateMeter meter = new RateMeter(count);
    try (FireWorker worker =
        FireWorker.builder(rig.bootstrapServers(), "bench-" + group)
            .report(reporting)
            .threads(THREADS)
            .onAny(run -> meter.count(1))
            .start()) {
      double rate = meter.rate();
      worker.failure().ifPresent(cause -> Progress.say("the worker has failed: " + cause));
      return rate;
    }
  }

  private static double bare(Rig rig, int count, Consumer<byte[]> each) {
    RateMeter meter = new RateMeter(count);
    try (KafkaConsumer<byte[], byte[]> consumer =
        Clients.consumer(
            rig.bootstrapServers(), rig.topics().fires(), Map.of("group.id", "bare"))) {
      consumer.seekToBeginning(consumer.assignment());
      Instant commitAt = Await.now().plus(COMMITS);
      while (!meter.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          each.accept(record.value());
          meter.count(1);
        }
        if (Await.now().isAfter(commitAt)) {
          consumer.commitAsync();
          commitAt = Await.now().plus(COMMITS);
        }
      }
    }
    return meter.rate();
  }
}
