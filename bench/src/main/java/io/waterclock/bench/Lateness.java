package io.waterclock.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fires that are due evenly: how late each becomes visible. */
@Command(
    name = "lateness",
    description = "Fires that are due evenly: how long after that a consumer sees each.",
    mixinStandardHelpOptions = true)
final class Lateness implements Callable<Integer> {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int LEARNED = 10_000;

  @Mixin private Options options = new Options();

  @Option(
      names = "--rate",
      description = "Fires per second; default ${DEFAULT-VALUE}.",
      defaultValue = "1000")
  private int rate = 1_000;

  @Option(names = "--seconds", description = "Default 30; with --quick 10.")
  private Optional<Integer> seconds = Optional.empty();

  @Option(names = "--warm-up", description = "Seconds not counted; default 20; with --quick 10.")
  private Optional<Integer> warmUp = Optional.empty();

  @Option(
      names = "--commit-ms",
      description = "Commit interval of the baseline; default ${DEFAULT-VALUE}.",
      defaultValue = "10")
  private int commitMs = 10;

  @Override
  public Integer call() {
    Duration counted = Duration.ofSeconds(options.size(seconds, 30, 10));
    Duration warm = Duration.ofSeconds(options.size(warmUp, 20, 10));
    Report report = new Report("lateness: " + rate + " fires/s, open loop", options);
    report.with(
        "counted", counted.toSeconds() + " s after a warm-up of " + warm.toSeconds() + " s");
    report.with(
        "fires",
        "Avro with snapshot and CloudEvents headers, payload "
            + Definitions.PAYLOAD_BYTES
            + " bytes, from "
            + rate * OpenLoop.INTERVAL_S
            + " schedules every "
            + OpenLoop.INTERVAL_S
            + " s");
    report.with(
        "baseline", "plain transactional producer, same records, commit " + commitMs + " ms");
    try (Rig rig = Rig.start(options);
        Arrivals arrivals = rig.arrivals()) {
      measure(rig, arrivals, warm, counted, report);
    }
    report.print(System.out);
    report.writeJson(options.json());
    return 0;
  }

  private void measure(Rig rig, Arrivals arrivals, Duration warm, Duration counted, Report report) {
    Result fires = fires(rig, arrivals, warm, counted);
    rig.endProfile().ifPresent(profile -> profile.print(System.out));
    rig.scheduler().close();
    Result baseline;
    try (Child producer = rig.producer(Math.min(LEARNED, rate))) {
      OpenLoop loop = new OpenLoop(soon(Duration.ofSeconds(3)), rate, warm, counted);
      LatenessMeter meter = new LatenessMeter("base", loop);
      arrivals.to(meter);
      CpuTimes before = rig.cpu(producer);
      producer.ask(
          String.join(
              " ",
              "pace",
              "base",
              Integer.toString(rate),
              Integer.toString(loop.allFires()),
              Integer.toString(commitMs),
              Long.toString(loop.start().toEpochMilli())));
      baseline = new Result(meter.await(BOUND), rig.cpu(producer).since(before));
    }
    for (double percentile : new double[] {50, 90, 99, 99.9}) {
      report.add(
          "p" + (percentile % 1 == 0 ? Integer.toString((int) percentile) : percentile),
          fires.histogram().getValueAtPercentile(percentile) / 1e3,
          baseline.histogram().getValueAtPercentile(percentile) / 1e3,
          "ms");
    }
    report.add(
        "max",
        fires.histogram().getMaxValue() / 1e3,
        baseline.histogram().getMaxValue() / 1e3,
        "ms");
    report.add(
        "CPU of broker + writer + consumer, warm-up included",
        fires.cpu().toString(),
        baseline.cpu().toString());
  }

  private record Result(Histogram histogram, CpuTimes cpu) {}

  private Result fires(Rig rig, Arrivals arrivals, Duration warm, Duration counted) {
    int schedules = rate * OpenLoop.INTERVAL_S;
    OpenLoop loop =
        new OpenLoop(soon(Duration.ofSeconds(30 + schedules / 200)), rate, warm, counted);
    LatenessMeter meter = new LatenessMeter("late", loop);
    arrivals.to(meter);
    try (Loader loader = rig.loader()) {
      loader.write(
          "late",
          schedules,
          number -> Definitions.every(loop.due(number), OpenLoop.INTERVAL_S, number));
      loader.awaitAccepted();
    }
    Progress.say(schedules + " schedules accepted, the first is due at " + loop.start());
    if (CLOCK.instant().isAfter(loop.start())) {
      throw new BenchException("the schedules were accepted only after the first of them was due");
    }
    Await.instant(loop.start());
    CpuTimes before = rig.cpu(rig.scheduler());
    Await.instant(loop.start().plus(warm));
    rig.startProfile();
    Histogram histogram = meter.await(BOUND);
    return new Result(histogram, rig.cpu(rig.scheduler()).since(before));
  }

  private static Instant soon(Duration lead) {
    return CLOCK.instant().plus(lead).truncatedTo(ChronoUnit.SECONDS);
  }
}
