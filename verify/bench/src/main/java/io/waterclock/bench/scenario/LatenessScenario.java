package io.waterclock.bench.scenario;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.EvenLoad;
import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.load.ScheduleKind;
import io.waterclock.bench.meter.Percentile;
import io.waterclock.bench.report.Report;
import io.waterclock.bench.rig.Rig;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.scenario.Trial.Both;
import io.waterclock.bench.scenario.Trial.Late;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fires that are due evenly: how late each becomes visible. */
@Command(
    name = "lateness",
    description = "Fires that are due evenly: how long after that a consumer sees each.",
    mixinStandardHelpOptions = true)
public final class LatenessScenario implements Callable<Integer> {
  private static final int LEARNED = 10_000;

  @Mixin private Options.Profiled options = new Options.Profiled();

  @Mixin private EvenLoad load = new EvenLoad();

  @Option(names = "--kind", description = "EVERY ten seconds (default), or ONCE.")
  private ScheduleKind kind = ScheduleKind.EVERY;

  @Option(
      names = "--commit-ms",
      description = "Commit interval of the baseline; default ${DEFAULT-VALUE}.")
  private int commitMs = 1;

  @Override
  public Integer call() {
    Options.atLeast(1, "--commit-ms", commitMs);
    OpenLoop loop = load.loop(options, kind);
    Report report = new Report("lateness: " + loop.rate() + " fires/s, open loop", options);
    report.with(
        "counted",
        loop.counted().toSeconds() + " s after a warm-up of " + loop.warmUp().toSeconds() + " s");
    report.with(
        "fires",
        "Avro with snapshot and CloudEvents headers, payload "
            + Definitions.PAYLOAD_BYTES
            + " bytes, from schedules that fire "
            + kind.inLoop().map(interval -> "every " + interval.toSeconds() + " s").orElse("once"));
    report.with(
        "baseline", "plain transactional producer, same records, commit " + commitMs + " ms");
    try (Rig rig = Rig.start(options)) {
      measure(rig, loop, report);
    }
    report.publish(System.out, options);
    return 0;
  }

  private void measure(Rig rig, OpenLoop loop, Report report) {
    int learned = Math.min(LEARNED, loop.rate());
    Both<Late> both =
        Trial.both(
            rig,
            () -> RigContender.producer(rig, learned, commitMs),
            "late",
            (trial, phase, whenReady) -> {
              trial.warmUp(learned, ScheduleKind.ONCE);
              return trial.lateness(phase, loop, whenReady);
            });
    Late fires = both.waterclock();
    Late baseline = both.baseline();
    for (Percentile percentile : Percentile.values()) {
      report.add(
          percentile.title(),
          percentile.ms(fires.histogram()),
          percentile.ms(baseline.histogram()),
          "ms");
    }
    report.add(
        "CPU of broker + writer + consumer, warm-up included",
        List.of(fires.cpu().toString(), baseline.cpu().toString()));
  }
}
