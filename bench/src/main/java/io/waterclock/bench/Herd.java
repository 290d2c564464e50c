package io.waterclock.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Schedules that are all due at one instant: how fast they drain. */
@Command(
    name = "herd",
    description = "Schedules that are all due at one instant: how fast their fires become visible.",
    mixinStandardHelpOptions = true)
final class Herd implements Callable<Integer> {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration BOUND = Duration.ofMinutes(5);
  private static final String COUNTED = "herd";
  private static final int LEARNED = 10_000;

  /** How the schedules of the herd come to be due together. */
  enum Kind {
    ONCE,
    EVERY
  }

  @Mixin private Options options = new Options();

  @Option(names = "--schedules", description = "Default 200000; with --quick 20000.")
  private Optional<Integer> schedules = Optional.empty();

  @Option(
      names = "--warm-up",
      description = "Size of a herd that comes before, and is not counted; default 50000.")
  private Optional<Integer> warmUp = Optional.empty();

  @Option(names = "--kind", description = "ONCE (default) or EVERY hour.", defaultValue = "ONCE")
  private Kind kind = Kind.ONCE;

  @Option(
      names = "--commit-ms",
      description =
          "Commit interval of the baseline; default 100, the scheduler's tick budget, after which"
              + " it commits.",
      defaultValue = "100")
  private int commitMs = 100;

  @Override
  public Integer call() {
    int count = options.size(schedules, 200_000, 20_000);
    int warm = options.size(warmUp, 50_000, 10_000);
    Report report = new Report("herd: " + count + " schedules due at one instant", options);
    report.with(
        "fires",
        "Avro with snapshot and CloudEvents headers, payload "
            + Definitions.PAYLOAD_BYTES
            + " bytes, from schedules of kind "
            + kind);
    report.with("warm-up", "a herd of " + warm + " before each");
    report.with(
        "baseline", "plain transactional producer, same records, commit " + commitMs + " ms");
    try (Rig rig = Rig.start(options);
        Arrivals arrivals = rig.arrivals()) {
      measure(rig, arrivals, count, warm, report);
    }
    report.print(System.out);
    report.writeJson(options.json());
    return 0;
  }

  private void measure(Rig rig, Arrivals arrivals, int count, int warm, Report report) {
    Drain drain;
    CpuTimes cpu;
    double loadSeconds;
    try (Loader loader = rig.loader()) {
      Duration warmLoad =
          herd(rig, loader, arrivals, "warm", warm, Duration.ofSeconds(15 + warm / 2_000)).load();
      Duration lead = Duration.ofSeconds(4).plus(warmLoad.multipliedBy(count).dividedBy(warm));
      Measured measured = herd(rig, loader, arrivals, COUNTED, count, lead);
      drain = measured.drain();
      cpu = measured.cpu();
      loadSeconds = measured.load().toMillis() / 1e3;
    }
    rig.endProfile().ifPresent(profile -> profile.print(System.out));
    rig.scheduler().close();
    Drain baseline;
    CpuTimes baselineCpu;
    try (Child producer = rig.producer(Math.min(LEARNED, warm))) {
      produce(producer, arrivals, "wbas", warm);
      CpuTimes before = rig.cpu(producer);
      baseline = produce(producer, arrivals, "base", count);
      baselineCpu = rig.cpu(producer).since(before);
    }
    report.add("due to all visible", drain.lastUs() / 1e6, baseline.lastUs() / 1e6, "s");
    report.add("due to first visible", drain.firstUs() / 1e6, baseline.firstUs() / 1e6, "s");
    report.add("rate, due to last visible", drain.rate(), baseline.rate(), "fires/s");
    report.add("rate, first to last visible", drain.drainRate(), baseline.drainRate(), "fires/s");
    report.add("CPU of broker + writer + consumer", cpu.toString(), baselineCpu.toString());
    report.add("load, written to accepted", loadSeconds + " s", "");
  }

  private record Measured(Duration load, Drain drain, CpuTimes cpu) {}

  private Measured herd(
      Rig rig, Loader loader, Arrivals arrivals, String phase, int count, Duration lead) {
    Instant begin = CLOCK.instant();
    Instant due = begin.plus(lead).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    HerdMeter meter = new HerdMeter(phase, count, due.toEpochMilli());
    arrivals.to(meter);
    loader.write(phase, count, number -> definition(due, number));
    loader.awaitAccepted();
    Duration load = Duration.between(begin, CLOCK.instant());
    Progress.say(count + " schedules of " + phase + " accepted in " + load + ", due at " + due);
    boolean counted = phase.equals(COUNTED);
    if (counted && !CLOCK.instant().isBefore(due.minusMillis(500))) {
      throw new BenchException(
          "loading took " + load.toMillis() + " ms, longer than the lead of " + lead);
    }
    if (counted) {
      rig.startProfile();
    }
    Await.instant(due);
    CpuTimes before = rig.cpu(rig.scheduler());
    Drain drain = meter.await(BOUND);
    Progress.say(phase + ": " + drain);
    return new Measured(load, drain, rig.cpu(rig.scheduler()).since(before));
  }

  private byte[] definition(Instant due, int number) {
    return switch (kind) {
      case ONCE -> Definitions.once(due, number);
      case EVERY -> Definitions.every(due, 3_600, number);
    };
  }

  private Drain produce(Child producer, Arrivals arrivals, String phase, int count) {
    Instant start = CLOCK.instant().plusSeconds(3).truncatedTo(ChronoUnit.MILLIS);
    HerdMeter meter = new HerdMeter(phase, count, start.toEpochMilli());
    arrivals.to(meter);
    producer.ask(
        String.join(
            " ",
            "herd",
            phase,
            Integer.toString(count),
            Integer.toString(commitMs),
            Long.toString(start.toEpochMilli())));
    return meter.await(BOUND);
  }
}
