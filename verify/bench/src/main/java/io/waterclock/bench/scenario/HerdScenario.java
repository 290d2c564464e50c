package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.Drain;
import io.waterclock.bench.meter.Loading;
import io.waterclock.bench.meter.Traffic;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Child;
import io.waterclock.bench.rig.Loader;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.scenario.Trial.Both;
import io.waterclock.bench.scenario.Trial.Herded;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Schedules that are all due at one instant: how fast they drain. */
@Command(
    name = "herd",
    description = "Schedules that are all due at one instant: how fast their fires become visible.",
    mixinStandardHelpOptions = true)
public final class HerdScenario implements Callable<Integer> {
  private static final int LEARNED = 10_000;

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Option(
      names = "--schedules",
      description = "Default 200000; with --full 1000000, with --quick 20000.")
  private Optional<Integer> schedules = Optional.empty();

  @Option(
      names = "--warm-up",
      description = "Size of a herd that comes before, and is not counted; default a quarter.")
  private Optional<Integer> warmUp = Optional.empty();

  @Option(
      names = "--commit-ms",
      description =
          "Commit interval of the baseline; default 100, the scheduler's tick budget, after which"
              + " it commits.")
  private int commitMs = 100;

  @Option(
      names = "--profile-loading",
      description = "Profiles while the schedules are defined instead of while they fire.")
  private boolean profilesLoading;

  @Override
  public Integer call() {
    int count =
        options.size("--schedules", schedules, options.full() ? 1_000_000 : 200_000, 20_000);
    int warm = options.size("--warm-up", warmUp, Math.max(LEARNED, count / 4), LEARNED);
    Options.atLeast(1, "--commit-ms", commitMs);
    Report report = new Report("herd: " + count + " schedules due at one instant", options);
    report.with(Report.SCHEDULES, Report.count(count));
    report.with(
        "fires",
        "Avro with snapshot and CloudEvents headers, payload "
            + Definitions.PAYLOAD_BYTES
            + " bytes, from schedules of kind ONCE");
    report.with("warm-up", "a herd of " + warm + " before each");
    report.with(
        "baseline", "plain transactional producer, same records, commit " + commitMs + " ms");
    report.with(
        "baseline of defining",
        "plain loop that reads the definitions and writes as many bytes as the scheduler: its"
            + " revision, its status, a row of the changelog");
    try (Rig rig = Rig.start(options)) {
      measure(rig, count, warm, report);
    }
    report.publish(System.out, options);
    return 0;
  }

  private void measure(Rig rig, int count, int warm, Report report) {
    Both<Herded> both =
        Trial.both(
            rig,
            () -> RigContender.producer(rig, Math.min(LEARNED, warm), commitMs),
            "herd",
            (trial, phase, whenReady) -> {
              trial.warmUp(warm);
              if (!profilesLoading) {
                return trial.herd(phase, count, whenReady);
              }
              whenReady.run();
              return trial.herd(phase, count, rig::endProfile);
            });
    Herded fires = both.waterclock();
    Herded baseline = both.baseline();
    Drain drain = fires.drain();
    Drain base = baseline.drain();
    report.add("due to all visible", drain.lastUs() / 1e6, base.lastUs() / 1e6, "s");
    report.add("due to first visible", drain.firstUs() / 1e6, base.firstUs() / 1e6, "s");
    report.add("rate, due to last visible", drain.rate(), base.rate(), "fires/s");
    report.add("rate, first to last visible", drain.drainRate(), base.drainRate(), "fires/s");
    report.add(
        "CPU of broker + writer + consumer",
        List.of(fires.cpu().toString(), baseline.cpu().toString()));
    addTraffic(report, List.of(fires, baseline));
    Loading load = fires.load();
    Loading plain = plainLoad(rig, count, warm);
    report.add("to define each schedule", load.microsEach(), plain.microsEach(), "us");
    report.add(
        "CPU to define all, of broker + loop + bench",
        List.of(load.cpu().toString(), plain.cpu().toString()));
  }

  private static void addTraffic(Report report, List<Herded> both) {
    report.each(
        "batches of fires",
        both,
        each(sent -> sent.fires().bytes() / 1e3 / sent.fires().batches()),
        "kB each");
    report.each(
        "all written for each fire",
        both,
        each(sent -> (double) sent.all().records() / sent.fires().records()),
        "records");
    report.each(
        "all written for each fire, in bytes",
        both,
        each(sent -> (double) sent.all().bytes() / sent.fires().records()),
        "bytes");
    report.each("transactions", both, each(sent -> (double) sent.fires().transactions()), "in all");
    report.each("requests of producers", both, each(sent -> (double) sent.requests()), "in all");
  }

  private static Function<Herded, Object> each(Function<Traffic, Double> figure) {
    return herded -> herded.traffic().map(figure);
  }

  /** How long a plain loop takes for as many definitions, after two warm-ups as of the others. */
  private Loading plainLoad(Rig rig, int count, int warm) {
    try (Child<?> loop = rig.loop(commitMs);
        Loader loader = rig.loopLoader()) {
      loaded(rig, loop, loader, "plna", Math.max(1, warm / 4));
      loaded(rig, loop, loader, "plnb", warm);
      return loaded(rig, loop, loader, "plnc", count);
    }
  }

  private Loading loaded(Rig rig, Child<?> loop, Loader loader, String phase, int count) {
    Work work = Work.herd(phase, count, Await.now());
    return Loading.of(
        count,
        () -> rig.cpu(loop),
        () -> {
          loader.write(phase, count, number -> Definitions.of(work, number));
          loader.awaitAccepted();
        });
  }
}
